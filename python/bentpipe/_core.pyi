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
    """Columns in Arrow's memory, handed over by the Arrow PyCapsule interface without a copy."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Job:
    """One run to make: a scenario's text with what is to be different, and the folder to write (or None)."""

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
        is_constant: Whether it follows from the text alone: no file is named, and no controller in Python.
    """

    digest: str
    inputs: list[tuple[str, str | None]]
    is_constant: bool

    def run(self, seed: int) -> str: ...
    def changed_file(self) -> Path | None: ...

@final
class Chance:
    """Something that a run draws: with another seed the run can differ.

    Attributes:
        place: The key that asks for the draw, as the resolved scenario has it (``network.dumbbell.queue``).
        what: What is drawn, in words.
        kind: What kind of thing draws.
    """

    place: str
    what: str
    kind: Literal["network", "traffic", "controller"]

class DefaultQueue:
    """A queue whose limit the scenario leaves to a default.

    Attributes:
        key: The key that would choose the limit (``network.dumbbell.queue``).
        limit: The limit as a scenario would have it (``1 BDP``).
        packets: What it comes to in packets of the largest size that the scenario sends; None if it has no bound.
        bytes: The same in bytes.
        seconds: The same as the time that the link takes to send them; None if its rate is not constant.
    """

    key: str
    limit: str
    packets: float | None
    bytes: float | None
    seconds: float | None

class Quantity:
    """A number with a unit.

    Attributes:
        number: The number as the text has it.
        unit: The unit.
        units: What the units of its kind are worth in one of them.
        is_count: Whether only whole numbers have a meaning.
    """

    number: str
    unit: str
    units: dict[str, float]
    is_count: bool

class Facts:
    """A scenario that was read and found right.

    Attributes:
        resolved: The document as it is run: checked, every default filled in.
        identity: The identity of the run.
        chance: What a run draws. Controllers in Python are left out: whether they draw is not known.
        flow_tables: For each flow of the resolved document the table of the scenario that it comes from: ``flows[0]``.
        duration_ns: Duration of the run in nanoseconds.
        network_preset: The network preset below the scenario and how far it is validated, in words; None without one.
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
    """What came out of a run. `summary` is JSON, `scenario` the resolved TOML."""

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
    """What a controller commands, in segments and seconds.

    It is the controller's own state too: what is written here stands here, unrounded, at the next event. A
    bound is checked when the method returns.

    Attributes:
        cwnd: Congestion window in segments, at least 1.
        ssthresh: Slow-start threshold in segments; None (or infinity) while unset.
        pacing_bit_s: Pacing rate of payload in bit/s; None sends as the window allows.
        hold_until_s: Send nothing before this time.
        timer_s: When `on_timer` shall be called; it is None again by then.
        phase: Name of the phase in tables and pictures: one of a few, never with a number in it.
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

    "Not known" is None in every event.

    Attributes:
        now_s: Time of the run.
        mss: Payload bytes of a full segment.
        initial_window: Initial window in segments.
        seed: For `random.Random(event.seed)`: the flow's own, so that the run can be repeated.
        propagation_rtt_s: Propagation delay of the round trip (signal "propagation delay from the geometry").
        distance_km: Great-circle distance between the endpoints (signal "distance between the endpoints").
        capacity_bit_s: Rate of the slowest link, where it is known beforehand.
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
        acked: Newly acknowledged, cumulatively or selectively.
        cumulative: Advance of the cumulative acknowledgement; None where each packet is acknowledged by itself (QUIC).
        duplicate: No advance although data is outstanding; None where each packet is acknowledged by itself.
        rtt_s: Round-trip time of the newest acknowledged packet; None if it was sent more than once.
        srtt_s: Smoothed round-trip time (RFC 6298), this sample included.
        min_rtt_s: Smallest round-trip time of the connection.
        one_way_delay_s: Delay on the way there, up to a constant (signal "one-way delays").
        propagation_rtt_s: Propagation delay of the round trip when the packet was sent (signal "propagation
            delay from the geometry").
        sent_at_s: When the newest acknowledged packet was sent.
        total_sent: Sent on this connection so far.
        total_delivered: Delivered on this connection so far.
        total_lost: Declared lost on this connection so far.
        delivery_rate_bit_s: Delivery rate of payload (signal "delivery-rate samples").
        in_flight_before: In flight before this acknowledgement.
        in_flight: In flight after it.
        round: Number of the current round trip.
        round_start: This acknowledgement began that round trip.
        in_recovery: A loss episode is being repaired, or a mark (ECN) was answered less than a round trip ago.
        cwnd_limited: The window, not the application or the receiver, limits sending. A window that grows
            without is no measure.
        app_limited: The application limited sending when the acknowledged packet was sent.
        ce: Acknowledged bytes that were marked, in segments (ECN; exactly with signal "ECN marks").
        congestion_warning: A router's warning was echoed (signal "congestion-warning marks").
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
        lost: Newly declared lost.
        new_episode: First loss of an episode: the one to which a controller reacts.
        episode: Number of the episode.
        in_flight_before: In flight before the loss was taken off.
        sent_at_s: When the first of the lost packets was sent; of a mark the newest that the acknowledgement covers.
        marked: Nothing is lost: a queue marked (ECN, `tcp.ecn`). "link error" takes no notice of it.
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
    """The retransmission timer expired: everything in flight is presumed lost.

    Attributes:
        now_s: Time of the run.
        consecutive: How many times in a row (1 = first).
        episode: Number of the episode.
        in_flight_before: In flight before, in segments.
    """

    now_s: float
    consecutive: int
    episode: int
    in_flight_before: float

@final
class PathEvent:
    """The path changes, or will.

    Attributes:
        now_s: Time of the run.
        at_s: When it happens.
        lasts_s: How long it lasts, where that is known.
        kind: "handover", "reroute", "rate change" or "outage".
        propagation_rtt_s: Propagation delay of the round trip afterwards.
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

    The window in the block has kept its bytes.

    Attributes:
        now_s: Time of the run.
        mss: Payload bytes of a full segment.
        factor: Segments of the new size in one of the old: multiply with it what you remember in segments.
    """

    now_s: float
    mss: int
    factor: float

@final
class Moment:
    """Something happened of which there is little to say.

    Attributes:
        now_s: Time of the run.
        episode: The episode that proved spurious; `on_spurious` alone.
        idle_s: How long nothing was in flight; `on_idle` alone.
        cwnd_segments: The window is to be no larger; `on_unused` alone.
        ssthresh_segments: The threshold, if there is one, is to be no smaller; `on_unused` alone, and none if it stays.
        most_ssthresh_segments: The threshold is to be no larger; `on_unused` alone, and none if it may be.
    """

    now_s: float
    episode: int | None
    idle_s: float | None
    cwnd_segments: float | None
    ssthresh_segments: float | None
    most_ssthresh_segments: float | None

@final
class Session:
    """A run that its caller moves on.

    Attributes:
        now_ns: Where the run stands, in nanoseconds.
        end_ns: When it ends, in nanoseconds.
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
