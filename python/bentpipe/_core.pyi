# SPDX-License-Identifier: MIT OR Apache-2.0
"""The native extension. Private: users import `bentpipe`.

This stub is the reference: `tests/project/test_stub.py` compares it with the build.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, final

from bentpipe.base.errors import BentpipeError
from bentpipe.base.json import Document

@final
class Table:
    """Columns in Arrow's memory, which the Arrow PyCapsule interface passes on without a copy."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Job:
    """A run to make: the text of a scenario, changes to it, and the folder to write (or None)."""

    def __new__(
        cls,
        toml: str,
        origin: str,
        *,
        out: str | None = None,
        seed: int | None = None,
        duration: str | None = None,
        pcap: Sequence[str] | None = None,
        pcap_links: Sequence[str] | None = None,
        qlog: Sequence[str] | None = None,
        force: bool = False,
        costly: bool = False,
        copies: Mapping[str, str] | None = None,
    ) -> Job: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, object]]: ...

@final
class Identity:
    """The identity of a run without its seed: resolved scenario, content of files, build, controllers in Python.

    Attributes:
        digest: SHA-256 of these in hexadecimal digits, as in the provenance of runs.
        inputs: The files that the scenario names: name without folders, SHA-256 of the content (None: unreadable).
        is_constant: Whether the identity follows from the text alone, because the text names no file and no controller
            in Python.
    """

    digest: str
    inputs: list[tuple[str, str | None]]
    is_constant: bool

    def run(self, seed: int) -> str: ...
    def changed_file(self) -> Path | None: ...

@final
class Chance:
    """A random draw of a run. With another seed the run can differ.

    Attributes:
        place: The key that causes the draw, as in the resolved scenario (``network.dumbbell.queue``).
        what: What is drawn, in words.
        kind: The part of the scenario that draws.
    """

    place: str
    what: str
    kind: Literal["network", "traffic", "controller"]

class DefaultQueue:
    """A queue with a default limit.

    Attributes:
        key: The key that sets the limit (``network.dumbbell.queue``).
        limit: The limit as text, as in a scenario (``1 BDP``).
        packets: The limit in packets of the largest size that the scenario sends; None if there is no limit.
        bytes: The limit in bytes; None if there is no limit.
        seconds: The limit as the time in which the link sends these bytes; None if the rate is not constant.
    """

    key: str
    limit: str
    packets: float | None
    bytes: float | None
    seconds: float | None

class Quantity:
    """A number with a unit.

    Attributes:
        number: The number as in the text.
        unit: The unit.
        units: The units of this kind, and their values in a common unit.
        is_count: Whether only whole numbers are allowed.
    """

    number: str
    unit: str
    units: dict[str, float]
    is_count: bool

class Facts:
    """A scenario that was read and checked.

    Attributes:
        resolved: The resolved scenario: checked, and with all defaults.
        identity: The identity of the run.
        chance: The random draws of a run. Controllers in Python are left out, because it is not known whether they
            draw.
        flow_tables: For each flow of the resolved scenario, the table of the given scenario that it comes from, for
            example ``flows[0]``.
        duration_ns: Duration of the run in nanoseconds.
        network_preset: The network preset of the scenario and its validation, in words; None without a preset.
    """

    resolved: str
    identity: Identity
    chance: list[Chance]
    flow_tables: list[str]
    duration_ns: int
    network_preset: str | None

    def default_queues(self) -> list[DefaultQueue]: ...
    def first_look(self, seconds: int) -> tuple[int, Literal["start", "warm-up"]]: ...

@final
class Result:
    """The outcome of a run. `summary` is JSON, `scenario` the resolved TOML."""

    summary: str
    scenario: str
    flows: Table | None
    parts: Table | None
    links: Table | None
    paths: Table | None
    events: Table | None
    snapshots: Table | None
    visits: Table | None
    weather: Table | None
    packets: Table | None
    nodes: Table | None
    link_ends: Table | None
    positions: Table | None

@final
class Control:
    """Commands of a controller, in segments and seconds.

    They are also the controller's own state: at the next event they have the same unrounded values. Bounds are checked
    when the method returns.

    Attributes:
        cwnd: Congestion window in segments, at least 1.
        ssthresh: Slow-start threshold in segments; None (or infinity) while unset.
        pacing_bit_s: Pacing rate of payload in bit/s; None: no pacing.
        hold_until_s: Time before which nothing is sent.
        timer_s: Time at which `on_timer` is called; reset to None before the call.
        phase: Name of the phase in tables and pictures. Use a small number of names, without numbers in them.
    """

    cwnd: float
    ssthresh: float | None
    pacing_bit_s: float | None
    hold_until_s: float | None
    timer_s: float | None
    phase: str

@final
class StartEvent:
    """The connection starts.

    In every event, None means "not known".

    Attributes:
        now_s: Time of the run.
        mss: Payload bytes of a full segment.
        initial_window: Initial window in segments.
        seed: Seed of the flow. Use `random.Random(event.seed)`, so that the run can be repeated.
        propagation_rtt_s: Propagation delay of the round trip (signal "propagation delay from the geometry").
        distance_km: Great-circle distance between the endpoints (signal "distance between the endpoints").
        capacity_bit_s: Rate of the slowest link, if it is known beforehand.
    """

    now_s: float
    mss: int
    initial_window: int
    seed: int
    propagation_rtt_s: float | None
    distance_km: float | None
    capacity_bit_s: float | None

@final
class AckEvent:
    """An acknowledgement arrived.

    Amounts are in segments.

    Attributes:
        now_s: Time of the run.
        acked: Segments newly acknowledged, cumulatively or selectively.
        cumulative: Advance of the cumulative acknowledgement; None if packets are acknowledged individually (QUIC).
        duplicate: Whether the cumulative acknowledgement did not advance although data is outstanding; None if packets
            are acknowledged individually.
        rtt_s: Round-trip time of the newest acknowledged packet; None if it was sent more than once.
        srtt_s: Smoothed round-trip time (RFC 6298), including this sample.
        min_rtt_s: Smallest round-trip time of the connection.
        one_way_delay_s: Delay in the forward direction, up to a constant (signal "one-way delays").
        propagation_rtt_s: Propagation delay of the round trip when the packet was sent (signal "propagation
            delay from the geometry").
        sent_at_s: Time at which the newest acknowledged packet was sent.
        total_sent: Segments sent on this connection so far.
        total_delivered: Segments delivered on this connection so far.
        total_lost: Segments declared lost on this connection so far.
        delivery_rate_bit_s: Delivery rate of payload (signal "delivery-rate samples").
        in_flight_before: Segments in flight before this acknowledgement.
        in_flight: Segments in flight after this acknowledgement.
        round: Number of the current round trip.
        round_start: Whether this acknowledgement began that round trip.
        in_recovery: Whether a loss episode is being repaired, or the controller responded to an ECN mark less than a
            round trip ago.
        cwnd_limited: Whether the window limits sending, and not the application or the receiver. If it does not, the
            size of the window is not meaningful.
        app_limited: Whether the application limited sending when the acknowledged packet was sent.
        ce: Acknowledged bytes that were marked, in segments (ECN; exactly with signal "ECN marks").
        congestion_warning: Whether a router's warning was echoed (signal "congestion-warning marks").
    """

    now_s: float
    acked: float
    cumulative: float | None
    duplicate: bool | None
    rtt_s: float | None
    srtt_s: float | None
    min_rtt_s: float | None
    one_way_delay_s: float | None
    propagation_rtt_s: float | None
    sent_at_s: float | None
    total_sent: float
    total_delivered: float
    total_lost: float
    delivery_rate_bit_s: float | None
    in_flight_before: float
    in_flight: float
    round: int
    round_start: bool
    in_recovery: bool
    cwnd_limited: bool
    app_limited: bool
    ce: float
    congestion_warning: bool

@final
class LossEvent:
    """Packets were declared lost.

    Amounts are in segments.

    Attributes:
        now_s: Time of the run.
        lost: Segments newly declared lost.
        new_episode: Whether this is the first loss of an episode, to which a controller reacts.
        episode: Number of the episode.
        in_flight_before: Segments in flight before the lost segments were subtracted.
        sent_at_s: Time at which the first of the lost packets was sent; for a mark, time at which the newest packet was
            sent that the acknowledgement covers.
        marked: Whether a queue marked packets (ECN, `tcp.ecn`) and nothing was lost. For a mark, the verdict "link
            error" has no effect.
    """

    now_s: float
    lost: float
    new_episode: bool
    episode: int
    in_flight_before: float
    sent_at_s: float | None
    marked: bool

@final
class TimeoutEvent:
    """The retransmission timer expired. Everything in flight is presumed lost.

    Attributes:
        now_s: Time of the run.
        consecutive: Number of consecutive timeouts (1 = first).
        episode: Number of the episode.
        in_flight_before: Segments in flight before the timeout.
    """

    now_s: float
    consecutive: int
    episode: int
    in_flight_before: float

@final
class PathEvent:
    """The path changes, or will change.

    Attributes:
        now_s: Time of the run.
        at_s: Time of the change.
        lasts_s: Duration of the change, if it is known.
        kind: "handover", "reroute", "rate change" or "outage".
        propagation_rtt_s: Propagation delay of the round trip after the change.
        distance_km: Great-circle distance between the endpoints.
    """

    now_s: float
    at_s: float
    lasts_s: float | None
    kind: str
    propagation_rtt_s: float | None
    distance_km: float | None

@final
class MssEvent:
    """A full segment has another size from now on.

    The window in the block still has the same number of bytes.

    Attributes:
        now_s: Time of the run.
        mss: Payload bytes of a full segment.
        factor: Number of segments of the new size in a segment of the old size. Multiply your own numbers of segments
            by this factor.
    """

    now_s: float
    mss: int
    factor: float

@final
class Moment:
    """An event with few data.

    Attributes:
        now_s: Time of the run.
        episode: Only for `on_spurious`: the episode that proved spurious.
        idle_s: Only for `on_idle`: time for which nothing was in flight.
        cwnd_segments: Only for `on_unused`: upper bound of the window.
        ssthresh_segments: Only for `on_unused`: lower bound of the slow-start threshold, if a threshold is set; None:
            the threshold does not change.
        most_ssthresh_segments: Only for `on_unused`: upper bound of the slow-start threshold; None: no upper bound.
    """

    now_s: float
    episode: int | None
    idle_s: float | None
    cwnd_segments: float | None
    ssthresh_segments: float | None
    most_ssthresh_segments: float | None

@final
class Session:
    """A run that its caller advances.

    Attributes:
        now_ns: Current time of the run, in nanoseconds.
        end_ns: End of the run, in nanoseconds.
        flows: Names of the flows.
    """

    now_ns: int
    end_ns: int
    flows: list[str]

    def __new__(cls, job: Job) -> Session: ...
    def advance(self, until_ns: int) -> None: ...
    def tables(self) -> Result: ...
    def command(self, flow: int, commands: Mapping[str, float | None]) -> None: ...
    def fork(self) -> Session: ...
    def finish(self) -> Result: ...

@final
class Sky:
    """A constellation by name, file or document (keys of network.constellation as TOML), or a network by name."""

    def __new__(cls, name: str, changes: str, network: bool = False) -> Sky: ...
    def describe(self) -> str: ...
    def notes_at_end(self, length: str) -> list[str]: ...
    def look(self, at: str, sites: Sequence[str]) -> tuple[Table, Table]: ...
    def passes(self, site: str, duration: str) -> Table: ...
    def paths(self, pairs: Sequence[tuple[str, str]], duration: str, step: str) -> Table: ...
    def require_place(self, name: str) -> None: ...
    def require_path(self, origin: str, destination: str, duration: str, step: str) -> None: ...
    def routes(
        self, sites: Sequence[str], duration: str, step: str, threads: int, each: Callable[[Table], object]
    ) -> None: ...
    def shortest(self, origin: str, destination: str, at: str, count: int) -> Table: ...
    def switches(self, origin: str, destination: str, duration: str, step: str) -> Table: ...

def check_folder(folder: str) -> None: ...
def answers_schema() -> str: ...
def build() -> str: ...
def checks_itself() -> bool: ...
def bottlenecks(job: Job, sites: Sequence[str] | None, top: int | None, keep: int) -> Table: ...
def path_series(job: Job, flow: str | None, there: bool, step: str) -> tuple[Table, str]: ...
def facts(job: Job) -> Facts: ...
def key_lines(text: str) -> list[tuple[list[str], int]]: ...
def nanos(text: str) -> int: ...
def nearest(name: str, known: Sequence[str]) -> str | None: ...
def quantity(text: str) -> Quantity | None: ...
def coastline() -> Table: ...
def codes() -> list[tuple[str, str]]: ...
def constellations() -> str: ...
def controllers(name: str | None = None) -> str: ...
def identity(job: Job) -> Identity: ...
def named_files(job: Job) -> list[Path]: ...
def network_presets() -> str: ...
def tcp_presets() -> str: ...
def fingerprint() -> str: ...
def model(name: str, parameters: Sequence[tuple[str, Sequence[float] | str]]) -> tuple[str, Table]: ...
def models() -> str: ...
def link_budget(text: str, origin: str) -> str: ...
def link_budgets(job: Job, link: str | None, at: str) -> str: ...
def register(name: str, factory: Callable[..., object], signals: Sequence[str]) -> None: ...
def cost(job: Job, *, measured: bool = True) -> str: ...
def table_columns() -> list[tuple[str, list[str]]]: ...
def read_toml(text: str, origin: str) -> Document: ...
def lean_summaries(jobs: Sequence[Job], look: Callable[[], None]) -> list[str | BentpipeError]: ...
def run(job: Job) -> Result: ...
def run_many(
    jobs: Sequence[Job],
    threads: int,
    progress: Callable[[int, int], None] | None = None,
    *,
    keep_refused: bool = False,
) -> list[Result | BentpipeError]: ...
def scenario_schema() -> str: ...
def sites() -> Table: ...
def steps(duration: str, step: str) -> list[float]: ...
def summary_schema() -> str: ...
def version() -> str: ...
