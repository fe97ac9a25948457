# SPDX-License-Identifier: MIT OR Apache-2.0
# Written by `make docs` from a JSON Schema; do not edit.
# ruff: noqa: D205, F401, RUF100, TC001
"""The objects of a JSON Schema: `Summary` is the complete schema, and the other classes are parts of it."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from msgspec import Meta

from bentpipe.base.json import Document, Json

Int64: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]


class Summary(TypedDict):
    """Result of one run."""

    provenance: Provenance
    """The origin of the numbers."""

    findings: list[Finding]
    """Unusual behaviour of single flows that affects the interpretation of the numbers. Findings include the warm-up.
    """

    flows: list[FlowSummary]
    """The flows by index. If proxies split a flow, its numbers are measured at different hosts. Sent packets and bytes,
    round trips and the limit of the sender are measured at the sending host. Delivered data, goodput and completion are
    measured at the receiving host. Losses, retransmissions, probes, timeouts, cuts, marks and verdicts are sums over
    all parts. The longest recovery is the longest recovery of any part. Delays are `null`, because no packet travels
    from end to end.
    """

    parts: NotRequired[list[FlowSummary]]
    """The connections of the flows that proxies split, in order. The index of the first connection is the index of its
    flow. The indices of the other connections follow the index of the last flow. Absent if no flow is split.
    """

    proxies: NotRequired[list[ProxySummary]]
    """The buffer use of each proxy by each flow. Absent if there are no proxies."""

    breaks: NotRequired[list[BreakSummary]]
    """Transfers that were interrupted because a proxy lost its state, in order of time. Absent if no transfer was
    interrupted.
    """

    totals: Totals
    """Totals over all flows."""

    bottleneck: Bottleneck | None
    """The link or shared transmitter with the highest utilisation, including links of hosts. If several are equal, a
    shared transmitter counts.
    """

    busiest_link: NotRequired[LinkSummary | None]
    """The link with the highest utilisation, including links of hosts. If several links share a transmitter, the
    utilisation of the transmitter can exceed the utilisation of each link.
    """

    transmitters: NotRequired[list[TransmitterSummary]]
    """Utilisation of the transmitters that links share (`shared` of a constellation): beams, satellites and gateways
    that sent something. Absent if no links share a transmitter.
    """

    links: list[LinkSummary]
    """The links of the network by index, without access links. For a constellation, only links that carried packets."""


class Provenance(TypedDict):
    """The origin of the numbers."""

    bentpipe_version: str
    """Version of Bentpipe."""

    build: str
    """Version of the program, and the beginning of the fingerprint of all code that affects numbers. Two runs with the
    same scenario and build are identical.
    """

    platform: str
    """Platform: "packet simulator", "emulator" or "kernel" (a trace of connections of this machine)."""

    emulator: NotRequired[EmulatorFacts | None]
    """How well the emulator kept time, and on which machine. Absent for other platforms."""

    kernel: NotRequired[KernelFacts | None]
    """What was traced, and on which machine. Absent for other platforms."""

    scenario_name: str
    """Name of the scenario."""

    seed: Int64
    """Seed of all random streams."""

    duration_s: float
    """Duration of the run in virtual time."""

    warm_up_s: float
    """Length of the first part of the run, which means and counts exclude."""

    schema_version: Int64
    """Version of this schema."""

    identity: NotRequired[str | None]
    """Digest of everything that affects the numbers, except the seed: the resolved scenario, the content of `inputs`,
    the build and `controllers`. Absent if a controller in Python depends on code that cannot be determined.
    """

    inputs: NotRequired[list[Input]]
    """The files that the scenario names, sorted by path. Absent if the scenario names no files."""

    controllers: NotRequired[list[OwnController]]
    """The controllers that are not part of the build, sorted by name. Absent if there are none."""

    degraded: list[str]
    """Reasons why the run is degraded, one sentence each: for example a missing signal, or a substitute for another
    controller. Empty if the run is not degraded.
    """

    path_notes: NotRequired[list[str]]
    """Notes on the path that apply to any controller, one sentence each. Examples: the Es/N0 of a link was below every
    threshold of its ladder, a trace ended, or satellites of a catalogue were left out. Absent if there are none.
    """

    preset: NotRequired[str | None]
    """The preset of the network, and the number of published values that it matches ("unvalidated" if no values were
    published). Absent without a preset.
    """


class EmulatorFacts(TypedDict):
    """How well the emulator kept time. Lateness is the time from the moment at which a packet was due at an interface
    until it was written to the interface.
    """

    kernel: str
    """Release of the kernel."""

    processors: Int64
    """Number of processors."""

    scheduling: str
    """Scheduling of the thread that moves packets: "real time" or "normal"."""

    packets: Int64
    """Packets that left the emulator."""

    lateness_p50_us: float
    """Median lateness, in microseconds."""

    lateness_p99_us: float
    """99th percentile of the lateness, in microseconds."""

    lateness_p999_us: float
    """99.9th percentile of the lateness, in microseconds."""

    lateness_max_us: float
    """Largest lateness, in microseconds."""

    late_packets: Int64
    """Packets that were more than 1 ms late."""

    refused_packets: Int64
    """Packets that were lost because an interface had no room for them."""

    unroutable_packets: Int64
    """Packets whose address belongs to no site, or to a site that no flow connects to the sender's site."""

    idle_processors: float
    """Share of the processors' time in which they were idle, 0 to 1."""


class KernelFacts(TypedDict):
    """A trace of TCP connections in a kernel."""

    kernel: str
    """Release of the kernel."""

    processors: Int64
    """Number of processors."""

    controller: str
    """Name of the controller in the kernel."""

    reports: Int64
    """Reports of the kernel about connections: one for each ACK, change of state, start and end."""

    missed_reports: Int64
    """Reports that are missing because the buffer was full."""


class Input(TypedDict):
    """A file that a scenario names, with its content at the time of the run."""

    file: str
    """Name of the file without folders."""

    sha256: str | None
    """SHA-256 of the content in hexadecimal digits; `null` if the file could not be read."""


class OwnController(TypedDict):
    """A controller of the user."""

    name: str
    """Name of the controller."""

    sha256: str | None
    """SHA-256 of the controller's code and of the code that it uses, in hexadecimal digits; `null` if this code cannot
    be determined.
    """


class Finding(TypedDict):
    """Behaviour of a flow that no real transport shows for long (such as a recovery of over 10 round trips), or an
    event that determines the numbers of the flow. A finding does not change the run.
    """

    flow: Int64
    """Index of the flow. Flows with the same controller that delivered nothing for the same cause share one finding,
    with the index of the first of these flows.
    """

    kind: FindingKind
    """Kind of the finding."""

    since_s: float
    """Time at which the behaviour began; for a runaway, the time at which it first began."""

    lasted_s: float
    """Duration of the behaviour; for a runaway, the total duration."""

    magnitude: float
    """A number whose meaning depends on the kind. Runaway: largest ratio of the window to the capacity of the path, or
    of the pacing rate to the rate of the path. Long recovery: its length in round trips. Not connected: number of SYNs.
    Visits: number of visits that began. Policed: number of data packets that policers dropped. Too large: number of
    data packets that exceeded an MTU. Too short: measured time in round trips. Nothing delivered: number of data
    packets that were sent. Receive window: largest fraction of the active time of a flow. Never measured and connection
    closed: 0.
    """

    text: str
    """The finding in words."""


#: Kind of a finding.
FindingKind: TypeAlias = Literal[
    "runaway",
    "long-recovery",
    "not-connected",
    "no-visit-begun",
    "no-visit-done",
    "policed",
    "too-large",
    "nothing-measured",
    "too-short",
    "never-started",
    "nothing-delivered",
    "connection-closed",
    "receive-window",
]


#: Site of the sender. For a call, packets and rates are sums over both directions, and delays are measured in the
#: direction from this site.
_KeywordsOfFlowSummary = TypedDict("_KeywordsOfFlowSummary", {"from": str})


class FlowSummary(_KeywordsOfFlowSummary):
    """One flow."""

    flow: Int64
    """Index of the flow."""

    name: str
    """Name of the flow."""

    kind: str
    """"tcp", "quic", "cbr", "ping" or "call"; for applications "transfers", "web", "video" or "requests"."""

    controller: str | None
    """The controller; `null` for a flow without a controller."""

    tcp: str | None
    """The TCP settings of the flow: the preset, followed by the keys that the scenario also sets ("linux; delayed_ack =
    false"). `null` for other transports.
    """

    quic: NotRequired[QuicSummary | None]
    """Only for QUIC: the settings, and results that exist only for QUIC."""

    to: str
    """Site of the receiver."""

    start_s: float
    """Start of the flow."""

    stop_s: float | None
    """Time at which the flow stops (`stop`); `null` for a flow without `stop`."""

    completed_at_s: float | None
    """Time at which the last byte of a finite transfer was acknowledged. If proxies split the flow, the time at which
    the last byte reached the receiver.
    """

    goodput_mbit_s: float | None
    """Rate of new data that reached the receiver, in order or not, while the flow was active. For an application, this
    includes data that was requested again after a proxy lost its state. `null` if the flow was active after the warm-up
    for less than one base round trip. Also `null` if the flow began in the warm-up and its narrowest link carries fewer
    than 50 packets in the measured time.
    """

    throughput_mbit_s: float | None
    """Rate at which the sender sent, with headers and retransmissions. For a split flow, the sender is the sending
    host. `null` under the same conditions as `goodput_mbit_s`.
    """

    sent_packets: Int64
    """Data packets sent."""

    delivered_packets: Int64
    """Data packets that reached the receiver; for a ping, echoes that returned."""

    delivery_ratio: float | None
    """Delivered packets divided by sent packets. A packet that is in flight at the beginning or at the end of the
    measured time counts only as delivered or only as sent. `null` if no packet was sent, if more packets arrived than
    were sent, if proxies split the flow (its `parts` have the ratio), or if the goodput is `null`.
    """

    retransmitted_packets: Int64
    """Retransmitted data packets; for a split flow, including retransmissions by proxies."""

    probe_packets: Int64
    """Low-priority probes. The throughput includes their bytes."""

    losses: Losses
    """Lost data packets by true cause; for a split flow, over all its parts."""

    loss_ratio: NotRequired[float | None]
    """Only for a flow that proxies split: its loss ratio from host to host, 1 − ∏(1 − l), where l is the loss ratio of
    a part. For other flows, the loss ratio is lost packets divided by sent packets.
    """

    outages: NotRequired[OutageLosses | None]
    """Packets lost to outages, by cause. Absent if there are none."""

    handovers: NotRequired[Int64 | None]
    """Only over a constellation: number of handovers of the flow's path in its measured time. A handover is a change of
    the satellite that serves one of the ends. If the path was interrupted before the change, the change is not a
    handover.
    """

    losses_detected: Int64
    """Packets that the sender declared lost."""

    timeouts: Int64
    """Retransmission timeouts."""

    cuts: Int64
    """Number of window reductions after a loss, a mark or a timeout. All reductions in one loss episode count as one
    reduction, even if the window falls in several steps (Rapid Start, BBR).
    """

    ecn_cuts: Int64
    """Number of `cuts` that ECN marks caused."""

    marked_packets: Int64
    """Data packets that arrived with an ECN mark."""

    reported_marks: Int64
    """Packets that the sender counts as marked, from the acknowledgements. With `ecn = "accurate"`, this is each marked
    packet. Otherwise, this is all packets that an acknowledgement with a mark covers.
    """

    spurious_undone: Int64
    """Window reductions that were undone because the loss was spurious."""

    verdicts: Verdicts
    """The controller's verdicts on losses, compared with the true causes."""

    rtt_ms: Distribution | None
    """Round-trip times that the sender measured."""

    queueing_delay_ms: Distribution | None
    """True queueing delay of delivered data packets."""

    one_way_delay_ms: Distribution | None
    """Time from sending to arrival of delivered data packets; for a ping, of the echo requests."""

    delay_variation_ms: Distribution | None
    """Absolute difference between the one-way delays of two packets that arrived one after the other (RFC 3393)."""

    jitter_ms: float | None
    """Interarrival jitter at the end of the run (RFC 3550, section 6.4.1): the differences of `delay_variation_ms`,
    smoothed with a gain of 1/16.
    """

    longest_recovery_s: float | None
    """Duration of the recovery with the most round trips, in the whole run including the warm-up. A recovery begins
    with a loss. It ends when all data that was outstanding at this loss is acknowledged, at a timeout, or when the loss
    turns out to be spurious. `null` if there was no recovery.
    """

    longest_recovery_rtts: float | None
    """Duration of the longest recovery, divided by the smoothed round-trip time at its beginning."""

    receiver_limited: bool
    """Whether the receiver's window ever limited the sender."""

    receiver_limited_share: NotRequired[float | None]
    """Fraction of the flow's active time in which the receiver's window, and not the congestion window, stopped the
    sender, 0 to 1. For a split flow, it is measured at the sending host. Only for TCP flows with a known goodput.
    """

    app_limited_share: float | None
    """Fraction of the time in which the application had no data to send, 0 to 1. `null` for CBR, because the fraction
    is not measured there. Also `null` under the same conditions as `goodput_mbit_s`.
    """

    saved_path: SavedPathSummary | None
    """The path state from which a later connection over the same path can start, if the controller saves such state
    (`careful_resume`).
    """

    visits: NotRequired[VisitsSummary | None]
    """Only for an application: the quality of service for its users."""

    call: NotRequired[CallSummary | None]
    """Only for a call: the quality of the call for its users."""


class QuicSummary(TypedDict):
    """A QUIC connection. The other fields of its flow count packets that require an acknowledgement. A packet that was
    declared lost counts as retransmitted, because its frames are sent again. A probe timeout (RFC 9002, section 6.2)
    counts as a timeout, although it does not reduce the window.
    """

    settings: str
    """The keys that the scenario sets in the table `quic` ("quic; keys = null")."""

    library: str
    """The QUIC library with its version."""

    handshake_s: float | None
    """Time from the start of the flow until the handshake of the sender was complete. `null` if the handshake was never
    complete. Also `null` for an application, because an application has many connections.
    """

    datagram_bytes: Int64
    """Largest UDP payload at the end of the run. Path MTU discovery may have raised it."""

    blocked: Int64
    """Number of times that flow control of the connection or of a stream stopped the sender (number of frames
    `DATA_BLOCKED` and `STREAM_DATA_BLOCKED`).
    """

    persistent_congestions: Int64
    """Number of persistent congestions (RFC 9002, section 7.6)."""

    spurious_events: Int64
    """Number of congestion events that turned out to be spurious, as counted by the library."""

    closed: str | None
    """Reason why the library closed the connection. For an application, the reason of the first closed connection.
    `null` if the library closed no connection.
    """

    closed_at_s: float | None
    """Time at which the library closed the connection (see `closed`)."""

    closed_connections: Int64
    """Number of connections that the library closed. Users repeat the requests of a closed connection on another
    connection.
    """


class Losses(TypedDict):
    """Lost packets by true cause."""

    queue: Int64
    """Packets dropped by queues."""

    error: Int64
    """Packets lost to link errors."""

    outage: Int64
    """Packets lost to outages and handovers."""

    policer: NotRequired[Int64]
    """Packets dropped by policers. Absent if there are none."""

    too_large: NotRequired[Int64]
    """Packets larger than the MTU of a link. Absent if there are none."""


class OutageLosses(TypedDict):
    """Packets lost to outages. Each packet counts under exactly one cause."""

    switch: Int64
    """Packets lost on a link while the link carried nothing. The cause is a handover to this link (`handover.outage`),
    or the end of the link's trace (`trace_end = "stop"`).
    """

    link_gone: Int64
    """Packets that waited for a link, or were on it, when the link ceased to exist because its satellite or beam went
    out of sight.
    """

    no_path: Int64
    """Packets lost at a node from which no path to their destination existed."""

    listed: Int64
    """Packets that arrived at a link in an interval in which this link loses all packets (`loss.spans`)."""


class Verdicts(TypedDict):
    """Number of losses by true cause and by verdict of the controller. The names of the fields have the form
    `cause_as_verdict`. Each verdict counts once.
    """

    congestion_as_congestion: Int64
    """Packets that a queue or a policer dropped, and whose loss the controller classified as congestion."""

    congestion_as_error: Int64
    """Packets that a queue or a policer dropped, and whose loss the controller classified as a link error."""

    error_as_error: Int64
    """Packets lost to a link error, whose loss the controller also classified as a link error."""

    error_as_congestion: Int64
    """Packets lost to a link error, whose loss the controller classified as congestion."""

    spurious: Int64
    """Packets that were declared lost but were not lost."""


class Distribution(TypedDict):
    """Distribution of a measured quantity, in the unit of the field's name. Percentiles over packets are accurate to
    0.1 %. Percentiles over visits are exact for up to 10,000 visits, and accurate to 0.05 % for more visits.
    """

    samples: Int64
    """Number of samples."""

    mean: float
    """Mean."""

    p5: float
    """5th percentile."""

    p50: float
    """Median."""

    p95: float
    """95th percentile."""

    p99: float
    """99th percentile."""

    min: float
    """Minimum."""

    max: float
    """Maximum."""


class SavedPathSummary(TypedDict):
    """The properties of a path that a later flow can use (key `saved_path`)."""

    cwnd_bytes: Int64
    """Bytes acknowledged in one round trip."""

    rtt_ms: float
    """Smallest round-trip time."""


class VisitsSummary(TypedDict):
    """The visits of an application flow (transfers, pages, films, requests) that began after the warm-up. Visits that
    were not finished at the end of the run are counted, but the distributions leave them out. If many visits are
    unfinished, the distributions therefore describe only the faster visits. Films that began to play are in all
    distributions.
    """

    of: str
    """Kind of a visit: "transfer", "page", "film" or "exchange"."""

    begun: Int64
    """Number of visits that began."""

    finished: Int64
    """Number of visits that were finished before the end of the run."""

    unfinished: Int64
    """Number of visits that were not finished at the end of the run."""

    offered_mbit_s: float | None
    """Mean offered load: visits per second times their mean size. `null` if sizes have no mean. Also `null` in a closed
    loop, in which a user begins a visit only after the previous visit.
    """

    drawn_mbit_s: float | None
    """Load that was drawn at random: the payload of the visits that began in the measured time, divided by the measured
    time between start and stop of the flow. `null` if this time is 0.
    """

    load: float | None
    """Mean offered load with headers, divided by the smallest link rate of the path. If the load exceeds 1, the path
    cannot carry it. `null` under the same conditions as `offered_mbit_s`, and if the rate is not known before the run.
    """

    took_s: Distribution | None
    """Duration of a visit. A transfer, a page or an exchange lasts until its last byte has arrived. A film lasts until
    it plays.
    """

    slow_down: Distribution | None
    """Duration of a visit divided by its shortest possible duration on an empty path."""

    first_byte_s: NotRequired[Distribution | None]
    """For transfers and pages: time from the beginning of the visit until the first byte of the first answer arrives.
    """

    answer_s: NotRequired[Distribution | None]
    """Time from a request until the last byte of its answer arrives. Each sample is the mean over one exchange."""

    goodput_mbit_s: NotRequired[Distribution | None]
    """Bytes that a transfer or a page fetched, divided by its duration."""

    by_size: NotRequired[BySize | None]
    """Duration and slow-down in four classes of visits, by the bytes that a visit fetched. Absent for films."""

    stalls: NotRequired[Distribution | None]
    """Number of stalls of a film. `stalls`, `stalled_share`, `switches`, `quality_mbit_s` and `sustainable_mbit_s` are
    absent for other visits.
    """

    stalled_share: NotRequired[Distribution | None]
    """Fraction of the time after a film began to play in which it stalled."""

    switches: NotRequired[Distribution | None]
    """Number of quality changes of a film."""

    quality_mbit_s: NotRequired[Distribution | None]
    """Mean rate of the segments that a film fetched."""

    sustainable_mbit_s: NotRequired[Distribution | None]
    """Highest rate of the ladder that the path sustains if it carries only this film. At a sustained rate, each
    segment, including its round trip, arrives at least as fast as it plays. Films whose lowest rate is not sustained
    are left out.
    """

    requests: NotRequired[RequestCounts | None]
    """Packets of the users' requests. The other counts of the flow include only answers."""

    retried: NotRequired[Int64 | None]
    """Number of requests that were repeated because their connection was interrupted. Only behind proxies that may lose
    connections.
    """

    all: NotRequired[AllVisits | None]
    """Quality measures over all visits, including unfinished visits. Absent if no visit began."""


class BySize(TypedDict):
    """Finished visits in classes by the bytes of their answers. We chose the bounds. The classes correspond roughly to
    an initial window, an object of a page, a whole page, and a download.
    """

    under_10_kb: SizeClass
    """Less than 10 kB."""

    under_100_kb: SizeClass
    """10 kB to less than 100 kB."""

    under_1_mb: SizeClass
    """100 kB to less than 1 MB."""

    from_1_mb: SizeClass
    """1 MB and more."""


class SizeClass(TypedDict):
    """Visits of one class."""

    finished: Int64
    """Number of finished visits."""

    took_s: Distribution | None
    """Duration of a visit."""

    slow_down: Distribution | None
    """Duration of a visit divided by its shortest possible duration."""


class RequestCounts(TypedDict):
    """Packets of the users' requests, including retransmissions and the payload of SYNs. If there is a proxy, only
    packets of the connections between users and proxy count.
    """

    sent_packets: Int64
    """Data packets sent."""

    retransmitted_packets: Int64
    """The part of `sent_packets` that was retransmitted."""

    losses: Losses
    """Lost data packets by true cause."""

    timeouts: Int64
    """Retransmission timeouts."""


class AllVisits(TypedDict):
    """All visits that began after the warm-up, including visits that were not finished at the end of the run.
    Comparisons use these numbers. Otherwise a controller could improve its numbers by leaving visits unfinished.
    Percentiles are product-limit estimates (Kaplan and Meier 1958): an unfinished visit counts as longer than the time
    that it has lasted. If a percentile was not reached, the whole measured time is used.
    """

    done_ratio: float
    """Fraction of visits whose duration is known: the visit was finished, or the film played."""

    took_s: Percentiles
    """Duration of a visit."""

    slow_down: NotRequired[Percentiles | None]
    """Duration of a visit divided by its shortest possible duration. Absent if the shortest duration is unknown, and if
    no visit was finished.
    """

    first_byte_s: NotRequired[Percentiles | None]
    """For transfers and pages: time until the first byte of the first answer arrives."""

    goodput_mbit_s: NotRequired[LowPercentiles | None]
    """Bytes that a transfer or a page fetched, divided by its duration. If the 5th percentile falls among visits that
    were never finished, it is 0.
    """

    films: NotRequired[AllFilms | None]
    """Only for films: how they played."""


class Percentiles(TypedDict):
    """Two percentiles of a quantity for which smaller values are better, in the unit of the field's name."""

    p50: float
    """Median."""

    p95: float
    """95th percentile."""


class LowPercentiles(TypedDict):
    """Two percentiles of a quantity for which larger values are better, in the unit of the field's name."""

    p5: float
    """5th percentile."""

    p50: float
    """Median."""


class AllFilms(TypedDict):
    """All films together. The watched time of a film is the time in which it played or stalled. If a film never began
    to play, its watched time is the time in which the user waited for it.
    """

    watched_s: float
    """Watched time of all films. It excludes the start-up time of films that later played."""

    stalled_ratio: float | None
    """Fraction of the watched time in which films stalled or had not begun to play; `null` if the watched time is 0."""

    stalls_per_min: float | None
    """Stalls per minute of watched time."""

    switches_per_min: float | None
    """Changes of quality per minute of watched time."""

    quality_mbit_s: float | None
    """Mean rate of the fetched segments, weighted by watched time. A film of which nothing arrived has rate 0."""


class CallSummary(TypedDict):
    """Quality of a call, separately for each direction."""

    profile: str
    """"voice", "video-call" or "game"."""

    playout_ms: float
    """Playout delay: the time between the earliest possible arrival of a frame and its playout. The earliest possible
    arrival is computed from the fastest frame so far.
    """

    worse: Way
    """The direction with the worse quality. For a voice call, it is the direction with the lower R. For other calls, it
    is the direction with the larger share of missed frames. If both directions are equal, it is the direction with the
    larger 95th percentile of the delay.
    """

    there: CallWay
    """Quality at `to`."""

    back: CallWay
    """Quality at `from`."""


#: A direction of a call.
Way: TypeAlias = Literal["there", "back"]


class CallWay(TypedDict):
    """Quality of one direction of a call. Only frames whose playout was due after the warm-up count."""

    sent_packets: Int64
    """Packets sent."""

    lost_packets: Int64
    """Packets lost."""

    loss_ratio: float | None
    """Lost packets divided by sent packets; `null` if no packet was sent."""

    one_way_delay_ms: Distribution | None
    """Time from sending to arrival of a packet."""

    delay_variation_ms: Distribution | None
    """Difference between the delay of a packet and the smallest delay (PDV of RFC 5481, section 4.2). Percentiles are
    accurate to 1 us.
    """

    jitter_ms: float | None
    """Interarrival jitter at the end of the run (RFC 3550, section 6.4.1)."""

    frames: Int64
    """Frames whose playout was due."""

    late_frames: Int64
    """The part of `frames` that arrived completely, but too late."""

    lost_frames: Int64
    """The part of `frames` that had not arrived completely when the run ended."""

    missed_ratio: float | None
    """Share of `frames` that were late or lost."""

    bursts: Int64
    """Number of bursts. A burst is a sequence of consecutive missed frames."""

    mean_burst_frames: float | None
    """Mean length of a burst in frames."""

    longest_burst_frames: Int64
    """Length of the longest burst in frames."""

    play_delay_ms: float | None
    """Mean time from the sending of a frame until its playout."""

    voice: Voice | None
    """Quality of a voice call by the E-model; `null` for other calls, and if no frame was played."""


class Voice(TypedDict):
    """Quality of a voice call by the E-model (ITU-T G.107), computed from the share of missed frames. All other inputs
    are the defaults of G.107, and the values for G.711 with concealment of losses (G.113: Ie = 0, Bpl = 25.1).
    """

    mouth_to_ear_ms: float
    """Delay from mouth to ear: the time to fill a frame, plus the time from the sending of the frame until its playout.
    """

    r: float
    """Rating R, at best 93.2. If R is above 70, at most some users are dissatisfied (G.109). If R is below 50, G.109
    does not recommend the connection.
    """

    mos: float
    """Mean opinion score, 1 to 4.5, computed from R (G.107, annex B)."""


class ProxySummary(TypedDict):
    """The buffer use of a proxy by one flow. The buffer holds bytes that the proxy received in order and that the
    receiver of the next connection has not acknowledged yet. A TCP flow has one connection, and an application has
    several. The warm-up counts.
    """

    flow: Int64
    """Index of the flow."""

    name: str
    """Name of the flow."""

    at: str
    """Site of the proxy."""

    buffer_bytes: Int64
    """Size of the buffer for each connection."""

    most_held_bytes: Int64
    """Maximum of the bytes in the buffer for one connection."""

    most_held_total_bytes: Int64
    """Maximum of the sum of bytes in the buffers for all connections of the flow."""

    held_at_end_bytes: Int64
    """Sum of the bytes in the buffers for all connections at the end of the run."""

    most_held_by_all_flows_bytes: NotRequired[Int64 | None]
    """Maximum of the sum of bytes in all buffers of the proxy at one time, for all connections of all flows. The sum
    over flows is taken every 100 ms, so a shorter peak of several flows can be missed; the maximum is at least
    `most_held_total_bytes` of each flow. All rows of a proxy have the same number.
    """


class BreakSummary(TypedDict):
    """A transfer, or connections of an application, that were interrupted because a proxy on the path lost its state
    (RFC 3135, sections 4.1.2 and 4.1.3). The warm-up counts.
    """

    flow: Int64
    """Index of the flow."""

    name: str
    """Name of the flow."""

    at: str
    """Site of the proxy that lost its state."""

    cause: str
    """"reset", or "handover" if another gateway took over."""

    time_s: float
    """Time of the interruption."""

    held_bytes: Int64
    """Bytes in the buffer of the proxy: received in order, and not yet acknowledged by the receiver of the next
    connection. If other proxies lost their state before the transfer continued, their bytes are included.
    """

    lost_bytes: Int64
    """Bytes that the first proxy had acknowledged to the sender and that never reached the receiver over these
    connections. Data in flight behind the proxy still arrives.
    """

    again_s: float | None
    """Time at which the application sent the missing data again, or users requested it again; `null` if the data was
    not sent again.
    """

    silent_s: float | None
    """Time from the interruption until the first byte of the new connection reached the receiver. `null` if no byte
    reached it. Also `null` for an application, because an application has many connections.
    """

    connections: NotRequired[Int64 | None]
    """Only for an application: number of its connections that were interrupted."""


class Totals(TypedDict):
    """Totals over all flows."""

    delivered_mbit_s: float | None
    """New data of all flows that reached their receivers, divided by the time of the run after the warm-up. In contrast
    to a goodput, this rate includes the time in which no flow was active. `null` if no flow has a known goodput, or if
    a flow that delivered data has no known goodput.
    """

    sent_mbit_s: float | None
    """Data that all senders sent, with headers and retransmissions, divided by the time of the run after the warm-up.
    Data that proxies forward is not counted again. `null` under the same conditions as `delivered_mbit_s`.
    """

    sent_packets: Int64
    """Data packets that sending hosts sent."""

    delivered_packets: Int64
    """Data packets that reached their receiving hosts."""

    loss_ratio: float | None
    """Lost data packets divided by sent data packets. For flows that proxies split, their `loss_ratio` is used. `null`
    if no packet was sent, or if all packets are in flight. Also `null` if more packets were lost than sent, because
    some of the lost packets were sent in the warm-up.
    """

    loss_ratio_queue: float | None
    """The part of `loss_ratio` caused by drops in queues."""

    loss_ratio_error: float | None
    """The part of `loss_ratio` caused by link errors."""

    loss_ratio_outage: float | None
    """The part of `loss_ratio` caused by outages."""

    loss_ratio_policer: NotRequired[float | None]
    """The part of `loss_ratio` caused by policers. Absent if no link and no host has a policer."""

    loss_ratio_too_large: NotRequired[float | None]
    """The part of `loss_ratio` caused by packets larger than the MTU of a link. Absent if no link has an MTU."""

    jain_index: float | None
    """Jain's fairness index (Σx)²/(n·Σx²) of the goodput of the TCP flows, each over its own active time. Flows without
    a known goodput are left out. `null` if nothing was delivered, or if there are several flows but only one of them
    has a known goodput.
    """

    events: Int64
    """Events that the engine processed."""

    packet_hops: Int64
    """Sum, over all packets, of the number of links that the packet passed."""


class Bottleneck(TypedDict):
    """The link or shared transmitter with the highest utilisation."""

    name: str
    """Name of the link or of the shared transmitter."""

    kind: NotRequired[str | None]
    """The kind: "link", or the kind of the shared transmitter ("beam", "satellite", "gateway", "carrier", "total")."""

    utilisation: float
    """Fraction of the time in which the link or the transmitter transmitted, 0 to 1, as in the summary of this link or
    transmitter.
    """


class LinkSummary(TypedDict):
    """One direction of a link."""

    link: Int64
    """Index of the link."""

    name: str
    """Name of the link."""

    utilisation: float
    """Fraction of the time in which the link transmitted, 0 to 1. The rate can be zero, for example because the budget
    allows no MODCOD. The link then does not transmit, and a packet in transmission waits.
    """

    mean_queue_ms: float | None
    """Mean waiting time of the packets whose transmission began in the measured time; `null` if there are no such
    packets. Packets that still wait at the end of the run are not included.
    """

    delivered_packets: Int64
    """Packets that reached the far end."""

    dropped_queue: Int64
    """Packets dropped because the queue was full, or by active queue management (AQM)."""

    thinned_acks: Int64
    """Acknowledgements that the link dropped because a newer acknowledgement replaced them (`acks`). They are a part of
    `dropped_queue`.
    """

    dropped_error: Int64
    """Packets lost to link errors."""

    dropped_outage: Int64
    """Packets lost to outages."""

    dropped_policer: NotRequired[Int64 | None]
    """Packets that the link's policer dropped in front of the queue. Absent without a policer."""

    dropped_too_large: NotRequired[Int64 | None]
    """Packets that the link dropped in front of the queue because they were larger than its MTU. Absent without an MTU.
    """

    bleached_packets: NotRequired[Int64 | None]
    """Packets whose ECN field the link cleared (`ecn_bleach`), including packets that were lost later. Absent if the
    link does not clear the field.
    """

    budget: NotRequired[BudgetSummary | None]
    """Result of the link budget. Absent for a link that has no budget, or that did not exist in the measured time."""


class BudgetSummary(TypedDict):
    """Result of the link budget of a link, in the measured time."""

    there_s: float
    """Time in which the link existed."""

    mean_mbit_s: float
    """Mean rate while the link existed, including outages."""

    outage_s: float
    """Time in which no MODCOD of the ladder was possible. The rate was 0, and packets waited."""

    missing_db: float | None
    """Largest difference by which Es/N0 was below the lowest threshold of the ladder (with the margin) in an outage;
    `null` if there was no outage.
    """

    frames_lost_s: float
    """Time in which the link sent frames that could not be decoded."""


class TransmitterSummary(TypedDict):
    """A transmitter that several links share. For a cell, the transmitter is the beam of the satellite that serves the
    cell at that time.
    """

    name: str
    """The sender and the receiver: "satellite > the cell rioja", "Villenave > its satellites". For a star: "forward
    carrier tdm".
    """

    kind: str
    """"beam", "satellite" or "gateway". "carrier" for a star. "total" for the common limit of all beams of a satellite,
    or of all links of a gateway.
    """

    links: Int64
    """Number of links that used the transmitter. A beam has one link for each site and satellite, and a carrier one
    link for each branch.
    """

    served_s: float
    """Time after the warm-up in which the transmitter served a site or a satellite."""

    utilisation: float
    """Fraction of the time `served_s` in which the transmitter was sending, 0 to 1. For a total, the fraction of the
    limit that was used.
    """
