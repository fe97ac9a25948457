# SPDX-License-Identifier: MIT OR Apache-2.0
"""The native extension. Private: users import `bentpipe`.

`tests/project/test_stub.py` compares this stub with the build.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, final

from bentpipe.base.errors import BentpipeError
from bentpipe.base.json import Document

@final
class Table:
    """Columns in Arrow's memory. The Arrow PyCapsule interface passes them on without a copy."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Job:
    """One run to make: a scenario's text, the values that replace the scenario's values, and the run folder."""

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
        checkpoint: float | None = None,
        copies: Mapping[str, str] | None = None,
    ) -> Job: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, object]]: ...

@final
class Identity:
    """The identity of a run without its seed.

    Attributes:
        digest: SHA-256 of the resolved scenario, the content of files, the build and the controllers in Python, in
            hexadecimal digits, as in the provenance of runs.
        inputs: The files that the scenario names: the name without folders, and the SHA-256 of the content (None if the
            file cannot be read).
        is_constant: Whether the text alone determines the identity: the scenario names no file and no controller in
            Python.
    """

    digest: str
    inputs: list[tuple[str, str | None]]
    is_constant: bool

    def run(self, seed: int) -> str: ...
    def changed_file(self) -> Path | None: ...

@final
class Chance:
    """A part of a scenario that draws random numbers. With another seed the run can differ.

    Attributes:
        place: The key that causes the draw, as in the resolved scenario (``network.dumbbell.queue``).
        what: What is drawn, in words.
        kind: The part of the scenario that draws.
    """

    place: str
    what: str
    kind: Literal["network", "traffic", "controller"]

class DefaultQueue:
    """A queue for which the scenario sets no limit, so that the default limit is used.

    Attributes:
        key: The key that sets the limit (``network.dumbbell.queue``).
        limit: The default limit as a scenario would state it (``1 BDP``).
        packets: The limit in packets of the largest size that the scenario sends; None if the queue is unlimited.
        bytes: The limit in bytes.
        seconds: The time that the link needs to send a full queue; None if the rate of the link is not constant.
    """

    key: str
    limit: str
    packets: float | None
    bytes: float | None
    seconds: float | None

class Quantity:
    """A number with a unit.

    Attributes:
        number: The number as it is written in the text.
        unit: The unit.
        units: The units of the same kind, each with its factor to a common unit.
        is_count: Whether only whole numbers are meaningful.
    """

    number: str
    unit: str
    units: dict[str, float]
    is_count: bool

class Facts:
    """The facts of a valid scenario.

    Attributes:
        resolved: The resolved document: checked, with every default filled in.
        identity: The identity of the run.
        chance: The parts of the scenario that draw. Controllers in Python are left out, because it is not known whether
            they draw.
        flow_tables: For each flow of the resolved document, the table of the scenario that defines the flow:
            ``flows[0]``.
        duration_ns: Duration of the run in nanoseconds.
        network_preset: The network preset of the scenario, and its validation, in words; None without a preset.
    """

    resolved: str
    identity: Identity
    chance: list[Chance]
    flow_tables: list[str]
    duration_ns: int
    network_preset: str | None

    def default_queues(self) -> list[DefaultQueue]: ...
    def first_look(self, seconds: int) -> tuple[int, Literal["start", "warm-up"]]: ...
    def first_look_limits(self, end: int) -> tuple[int | None, bool]: ...

@final
class Result:
    """The result of a run. `summary` is JSON; `scenario` is the resolved scenario as TOML."""

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
    """The commands of a controller, in segments and seconds.

    The attributes are also state of the controller: at the next event an attribute has the value that the controller
    wrote, unrounded. Bounds are checked when the method returns.

    Attributes:
        cwnd: Congestion window in segments, at least 1.
        ssthresh: Slow-start threshold in segments; None (or infinity) while there is no threshold.
        pacing_bit_s: Pacing rate of payload in bit/s; None for no pacing: the window alone limits sending.
        hold_until_s: The time before which the sender sends nothing.
        timer_s: The time at which `on_timer` is called. It is None again during this call.
        phase: Name of the phase in tables and pictures. A controller has few phases; a name does not contain a number.
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
        seed: The seed of the flow for `random.Random(event.seed)`, so that the run can be repeated.
        propagation_rtt_s: Propagation delay of the round trip in seconds (signal "propagation delay from the
            geometry").
        distance_km: Great-circle distance between the endpoints in km (signal "distance between the endpoints").
        capacity_bit_s: Rate of the slowest link in bit/s, if it is known at the start.
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
        acked: Newly acknowledged data, cumulatively or selectively.
        cumulative: Advance of the cumulative acknowledgement; None if each packet is acknowledged individually (QUIC).
        duplicate: Whether the cumulative acknowledgement did not advance although data is outstanding; None if each
            packet is acknowledged individually.
        rtt_s: Round-trip time of the newest acknowledged packet; None if the packet was sent more than once.
        srtt_s: Smoothed round-trip time (RFC 6298), including this sample.
        min_rtt_s: Smallest round-trip time of the connection.
        one_way_delay_s: One-way delay of data packets plus an unknown constant (signal "one-way delays").
        propagation_rtt_s: Propagation delay of the round trip when the packet was sent (signal "propagation
            delay from the geometry").
        sent_at_s: The time at which the newest acknowledged packet was sent.
        total_sent: Data sent on this connection so far.
        total_delivered: Data delivered on this connection so far.
        total_lost: Data declared lost on this connection so far.
        delivery_rate_bit_s: Delivery rate of payload (signal "delivery-rate samples").
        in_flight_before: Data in flight before this acknowledgement.
        in_flight: Data in flight after this acknowledgement.
        round: Number of the current round trip.
        round_start: Whether this acknowledgement began the current round trip.
        in_recovery: Whether a loss episode is being repaired, or the sender reacted to a mark (ECN) less than a round
            trip ago.
        cwnd_limited: Whether the window limits sending, and not the application or the receiver. A window that grows
            while it does not limit sending says nothing about the path.
        app_limited: Whether the application limited sending when the acknowledged packet was sent.
        ce: Acknowledged data that was marked (ECN). The amount is exact with the signal "ECN marks".
        congestion_warning: Whether the receiver echoed a router's warning (signal "congestion-warning marks").
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
        lost: Data newly declared lost.
        new_episode: Whether this is the first loss of an episode, to which a controller reacts.
        episode: Number of the episode.
        in_flight_before: Data in flight before the loss was subtracted.
        sent_at_s: The time at which the first of the lost packets was sent. For a mark, the time at which the newest
            acknowledged packet was sent.
        marked: Whether a queue marked packets (ECN, `tcp.ecn`) and no packet is lost. The answer "link error" has no
            effect on a mark.
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
    """The retransmission timer expired. All data in flight is presumed lost.

    Attributes:
        now_s: Time of the run.
        consecutive: Number of consecutive timeouts, including this one (1 = first).
        episode: Number of the episode.
        in_flight_before: Data in flight before the timeout, in segments.
    """

    now_s: float
    consecutive: int
    episode: int
    in_flight_before: float

@final
class PathEvent:
    """The path changes now, or at an announced time.

    Attributes:
        now_s: Time of the run.
        at_s: The time of the change.
        lasts_s: Duration of the change in seconds, if the duration is known.
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
    """The size of a full segment changes.

    The window in the `Control` has the same number of bytes as before.

    Attributes:
        now_s: Time of the run.
        mss: Payload bytes of a full segment.
        factor: Number of new segments in one old segment. Multiply your own numbers of segments by this factor.
    """

    now_s: float
    mss: int
    factor: float

@final
class Moment:
    """An event with few facts. Each attribute except `now_s` has a value in one method only.

    Attributes:
        now_s: Time of the run.
        episode: `on_spurious`: the episode whose losses were spurious.
        idle_s: `on_idle`: the time in which nothing was in flight.
        cwnd_segments: `on_unused`: the largest allowed window.
        ssthresh_segments: `on_unused`: the smallest allowed threshold; None if the threshold is kept.
        most_ssthresh_segments: `on_unused`: the largest allowed threshold; None if the threshold has no upper bound.
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
        now_ns: The current time of the run in nanoseconds.
        end_ns: The end of the run in nanoseconds.
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
class Emulation:
    """A run in real time: sites with addresses, in which programs run (Linux).

    Attributes:
        sites: Names, IPv4 address and IPv6 address of each site.
        has_ended: Whether no packets move any more.
    """

    sites: list[tuple[list[str], str, str]]
    has_ended: bool

    def __new__(cls, job: Job, *, keep: bool, capture: bool, user: tuple[int, int] | None) -> Emulation: ...
    def open(self, live: bool) -> Result | None: ...
    def start(
        self,
        site: int,
        arguments: Sequence[str],
        *,
        environment: Mapping[str, str],
        is_helper: bool,
    ) -> int: ...
    def begin(self) -> None: ...
    def so_far(self) -> Result | None: ...
    def finish(self) -> Result: ...

@final
class Sky:
    """A constellation by name, by file or by document (keys of network.constellation as TOML); or a network by name."""

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
def checkpoint_position(job: Job) -> tuple[float, float] | None: ...
def cost(job: Job, *, measured: bool = True) -> str: ...
def cost_terms() -> dict[str, str]: ...
def table_columns() -> list[tuple[str, list[str]]]: ...
def quic_serve(
    root: Path,
    listen: str,
    controller: Mapping[str, object],
    *,
    files: tuple[Path, Path] | None,
    write_cert: Path | None,
    qlog: Path | None,
    once: bool,
    listening: Callable[[str], None],
    closed: Callable[[str], None],
) -> None: ...
def quic_get(
    files: Sequence[tuple[str, Path | None]],
    controller: Mapping[str, object],
    *,
    ca: Path | None,
    resume: bool,
    timeout_ns: int,
    qlog: Path | None,
) -> tuple[str, BentpipeError | None]: ...
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
