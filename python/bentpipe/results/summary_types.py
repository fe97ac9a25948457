# SPDX-License-Identifier: MIT OR Apache-2.0
# Written by `make docs` from a JSON Schema; do not edit.
# ruff: noqa: D205, F401, RUF100, TC001
"""The objects of a JSON Schema: `Summary` is the whole, the others are its parts."""

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
    """Unusual behaviour of single flows that a reader of the numbers must know. Findings include the warm-up."""

    flows: list[FlowSummary]
    """The flows by index. If proxies split a flow, its numbers come from different places. Sent packets and bytes,
    round trips and the limit of the sender are those of the sending host. Delivered data, goodput and completion are
    those of the receiving host. Losses, retransmissions, probes, timeouts, cuts, marks and verdicts are sums over all
    parts. The longest recovery is the longest of any part. Delays are `null`, because no packet travels from end to
    end.
    """

    parts: NotRequired[list[FlowSummary]]
    """The connections of the flows that proxies split, in order. The first connection has the index of its flow; the
    other connections are numbered after the last flow. Absent if no flow is split.
    """

    proxies: NotRequired[list[ProxySummary]]
    """The buffer use of each proxy by each flow. Absent if there are no proxies."""

    breaks: NotRequired[list[BreakSummary]]
    """Transfers that broke because a proxy lost its state, in order of time. Absent if none broke."""

    totals: Totals
    """Totals over all flows."""

    bottleneck: LinkSummary | None
    """The link with the highest utilisation, including links of hosts. A transmitter that several links share can have
    a higher utilisation than each of these links.
    """

    transmitters: NotRequired[list[TransmitterSummary]]
    """Utilisation of the transmitters that links share (`shared` of a constellation): beams, satellites and gateways
    that sent something. Absent if there are none.
    """

    links: list[LinkSummary]
    """The links of the network by index, without access links. Of a constellation, only links that carried packets."""


class Provenance(TypedDict):
    """The origin of the numbers."""

    bentpipe_version: str
    """Version of Bentpipe."""

    build: str
    """Version of the program, and the beginning of the fingerprint of all code that affects numbers. Two runs with the
    same scenario and build are identical.
    """

    platform: str
    """Platform: "packet simulator" or "emulator"."""

    emulator: NotRequired[EmulatorFacts | None]
    """How well the emulator kept time, and on which machine. Absent for other platforms."""

    scenario_name: str
    """Name of the scenario."""

    seed: Int64
    """Seed of all random streams."""

    duration_s: float
    """Duration of the run in virtual time."""

    warm_up_s: float
    """Averages and counts exclude this time at the start of the run."""

    schema_version: Int64
    """Version of this schema."""

    identity: NotRequired[str | None]
    """Digest of everything except the seed that decides the numbers: the resolved scenario, the content of `inputs`,
    the build and `controllers`. Absent if the effect of a controller in Python cannot be determined.
    """

    inputs: NotRequired[list[Input]]
    """The files that the scenario names, sorted by path. Absent if it names none."""

    controllers: NotRequired[list[OwnController]]
    """The controllers that are not part of the build, sorted by name. Absent if there are none."""

    degraded: list[str]
    """Reasons why the run is degraded, one sentence each: for example a missing signal, or a substitute for another
    controller. Empty if the run is not degraded.
    """

    path_notes: NotRequired[list[str]]
    """Notes on the path that apply to any controller, one sentence each: for example a link below the ladder of its
    budget, a trace that ended, or satellites of a catalogue that were left out. Absent if empty.
    """

    preset: NotRequired[str | None]
    """The preset of the network, and the number of published values that it matches ("unvalidated" if none was
    published). Absent without a preset.
    """


class EmulatorFacts(TypedDict):
    """How well the emulator kept time. Lateness is the time from the moment at which a packet was due at an interface
    to the moment at which it was written there.
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
    """Packets for an address that belongs to no site, or to a site that no flow joins to the sender's."""

    idle_processors: float
    """Share of the processors' time in which they were idle, 0 to 1."""


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
    """SHA-256 of the controller's code and of the code that it uses, in hexadecimal digits; `null` if that code cannot
    be determined.
    """


class Finding(TypedDict):
    """Behaviour that no transport in use shows for so long, or that decides the numbers of a flow. A finding does not
    change the run.
    """

    flow: Int64
    """Index of the flow. If nothing arrived of several flows with one controller for the same cause, the index of the
    first of them.
    """

    kind: FindingKind
    """Kind of the finding."""

    since_s: float
    """Time at which the behaviour began; for a runaway, its first beginning."""

    lasted_s: float
    """Duration of the behaviour; for a runaway, the total duration."""

    magnitude: float
    """The meaning depends on the kind. Runaway: largest ratio of the window to the capacity of the path, or of the
    pacing rate to the rate of the path. Long recovery: its round trips. Not connected: SYNs sent. Visits: visits that
    began. Policed: data packets that policers dropped. Too large: data packets that were. Too short: measured round
    trips. Nothing delivered: data packets sent. Never measured and connection closed: 0.
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
]


#: Site of the sender. For a call, packets and rates are sums over both directions, and delays are those from this site.
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
    """The controller; `null` for a flow without one."""

    tcp: str | None
    """The TCP of the flow: the preset, and the keys that the scenario sets in addition ("linux; delayed_ack = false").
    `null` for other transports.
    """

    quic: NotRequired[QuicSummary | None]
    """Only for QUIC: its settings, and what only QUIC has."""

    to: str
    """Site of the receiver."""

    start_s: float
    """Start of the flow."""

    stop_s: float | None
    """Time at which the flow stops by its `stop`; `null` without one."""

    completed_at_s: float | None
    """Time at which the last byte of a finite transfer was acknowledged. If proxies split the flow, the time at which
    this byte reached the receiver.
    """

    goodput_mbit_s: float | None
    """Rate of new data that reached the receiver, in order or not, while the flow was active. For an application it
    includes data that was requested again after a proxy lost its state. `null` if the flow was active after the warm-up
    for less than one base round trip. Also `null` if the flow began in the warm-up and its narrowest link carries fewer
    than 50 packets in the measured time.
    """

    throughput_mbit_s: float | None
    """Rate at which the sender (of a split flow: the sending host) sent, with headers and retransmissions. `null` under
    the conditions of `goodput_mbit_s`.
    """

    sent_packets: Int64
    """Data packets sent."""

    delivered_packets: Int64
    """Data packets that reached the receiver; for a ping, echoes that came back."""

    delivery_ratio: float | None
    """Delivered packets divided by sent packets. Packets in flight at the beginning or end of the measured time count
    on one side only. `null` if no packet was sent, if more packets arrived than were sent, if proxies split the flow
    (its `parts` have the ratio), or if the goodput is `null`.
    """

    retransmitted_packets: Int64
    """Retransmitted data packets, for a split flow including those of the proxies."""

    probe_packets: Int64
    """Low-priority probes. The throughput includes their bytes."""

    losses: Losses
    """Lost data packets by true cause, for a split flow over all its parts."""

    loss_ratio: NotRequired[float | None]
    """Only for a flow that proxies split: its loss ratio from host to host, 1 − ∏(1 − l), where l is the loss ratio of
    a part. For other flows the ratio is lost packets divided by sent packets.
    """

    outages: NotRequired[OutageLosses | None]
    """Packets lost to outages, by cause. Absent if there are none."""

    handovers: NotRequired[Int64 | None]
    """Only over a constellation: handovers of the flow's path in its measured time. At a handover, another satellite
    serves one of its ends. A path that returns after a gap without a path is not a handover.
    """

    losses_detected: Int64
    """Packets that the sender declared lost."""

    timeouts: Int64
    """Retransmission timeouts."""

    cuts: Int64
    """Number of window reductions after a loss, a mark or a timeout. All reductions of one loss episode count as one,
    even if the window falls in several steps (Rapid Start, BBR).
    """

    ecn_cuts: Int64
    """The part of `cuts` that followed an ECN mark."""

    marked_packets: Int64
    """Data packets that arrived with an ECN mark."""

    reported_marks: Int64
    """Packets that the sender counts as marked, by the acknowledgements: each marked packet with `ecn = "accurate"`,
    otherwise all packets that an acknowledgement with a mark covers.
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
    """Time from sending to arrival of delivered data packets; for echoes, of the forward direction."""

    delay_variation_ms: Distribution | None
    """Absolute difference of the one-way delays of two packets that arrived one after the other (RFC 3393)."""

    jitter_ms: float | None
    """Interarrival jitter at the end (RFC 3550, section 6.4.1): these differences, smoothed with a gain of 1/16."""

    longest_recovery_s: float | None
    """Duration of the recovery with the most round trips. A recovery begins with a loss. It ends when all data that was
    outstanding then is acknowledged, at a timeout, or when the loss turns out to be spurious. The warm-up counts.
    `null` without a recovery.
    """

    longest_recovery_rtts: float | None
    """The same duration in smoothed round-trip times at the beginning of the recovery."""

    receiver_limited: bool
    """Whether the receiver's window ever limited the sender."""

    app_limited_share: float | None
    """Fraction of the time in which the application had no data to send, 0 to 1. `null` for CBR, where it is not
    measured, and under the conditions of `goodput_mbit_s`.
    """

    saved_path: SavedPathSummary | None
    """State that a later connection over the same path can start from, if the controller saves it (`careful_resume`).
    """

    visits: NotRequired[VisitsSummary | None]
    """Only for an application: the service that its users experienced."""

    call: NotRequired[CallSummary | None]
    """Only for a call: the quality that its users experienced."""


class QuicSummary(TypedDict):
    """A QUIC connection. The other fields of its flow count packets that ask for an acknowledgement. A packet that was
    declared lost counts as retransmitted, because its frames are sent again. A probe timeout (RFC 9002, section 6.2)
    counts as a timeout; it does not reduce the window.
    """

    settings: str
    """The keys that the scenario sets in the table `quic` ("quic; keys = null")."""

    library: str
    """The QUIC library with its version."""

    handshake_s: float | None
    """Time from the start of the flow until the sender's handshake was complete; `null` if it never was, and for an
    application, which has many connections.
    """

    datagram_bytes: Int64
    """Largest UDP payload at the end, which path MTU discovery may have raised."""

    blocked: Int64
    """Number of times that flow control of the connection or of a stream stopped the sender (frames `DATA_BLOCKED` and
    `STREAM_DATA_BLOCKED`).
    """

    persistent_congestions: Int64
    """Number of persistent congestions (RFC 9002, section 7.6)."""

    spurious_events: Int64
    """Number of congestion events that proved spurious, as the library counts them."""

    closed: str | None
    """Reason for which the library closed the connection, of an application the first of its connections; `null` if it
    closed none.
    """

    closed_at_s: float | None
    """Time at which it did."""

    closed_connections: Int64
    """Number of connections that the library closed. Users repeat the requests of such a connection on another one."""


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
    """Packets lost to outages. Each packet counts under one cause."""

    switch: Int64
    """Packets left on a link that carried nothing: the path had just been switched to it (`handover.outage`), or its
    trace had ended (`trace_end = "stop"`).
    """

    link_gone: Int64
    """Packets that waited for a link, or were on it, when the link disappeared: its satellite or beam went out of
    sight.
    """

    no_path: Int64
    """Packets that reached a node without a link towards their destination, because no path existed from there."""

    listed: Int64
    """Packets that came to a link during a time in which its list loses everything (`loss.spans`)."""


class Verdicts(TypedDict):
    """Confusion matrix of the controller's verdicts on losses, one count for each verdict: `truth_as_verdict`."""

    congestion_as_congestion: Int64
    """Dropped by a queue or a policer, classified as congestion."""

    congestion_as_error: Int64
    """Dropped by a queue or a policer, classified as a link error."""

    error_as_error: Int64
    """Lost to a link error, classified as a link error."""

    error_as_congestion: Int64
    """Lost to a link error, classified as congestion."""

    spurious: Int64
    """Declared lost, but not lost."""


class Distribution(TypedDict):
    """Distribution of a measured quantity, in the unit of the field's name. Percentiles of packets are accurate to 0.1
    %. Percentiles of visits are exact up to 10,000 visits, and accurate to 0.05 % above.
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
    """The properties of a path that a later flow can use as `saved_path`."""

    cwnd_bytes: Int64
    """Bytes acknowledged in one round trip."""

    rtt_ms: float
    """Smallest round-trip time."""


class VisitsSummary(TypedDict):
    """The visits of an application flow (transfers, pages, films, requests) that began after the warm-up. Visits that
    were not finished at the end of the run are counted, but the distributions leave them out; if many are unfinished,
    the distributions describe the faster visits. Films that began to play are in all distributions.
    """

    of: str
    """Kind of a visit: "transfer", "page", "film" or "exchange"."""

    begun: Int64
    """Number of visits that began."""

    finished: Int64
    """Number of these visits that finished before the end of the run."""

    unfinished: Int64
    """Number of these visits that did not finish."""

    offered_mbit_s: float | None
    """Mean offered load: visits per second times their mean size. `null` for users who begin a visit only after the
    previous one, and if sizes have no mean.
    """

    drawn_mbit_s: float | None
    """Load that the random draws offered: payload of the visits that began in the measured time, divided by the part of
    that time between start and stop of the flow. `null` without such a part.
    """

    load: float | None
    """Mean offered load with headers, divided by the smallest link rate of the path. A load above 1 cannot be served.
    `null` under the conditions of `offered_mbit_s`, and if the rate is not known before the run.
    """

    took_s: Distribution | None
    """Duration of a visit: from its beginning until the last byte of a transfer, a page or an answer, or until a film
    plays.
    """

    slow_down: Distribution | None
    """That duration divided by the shortest possible duration on an empty path."""

    first_byte_s: NotRequired[Distribution | None]
    """For transfers and pages: time from the beginning of the visit until the first byte of the first answer."""

    answer_s: NotRequired[Distribution | None]
    """Time from a request until the last byte of its answer, as the mean of each exchange."""

    goodput_mbit_s: NotRequired[Distribution | None]
    """Bytes that a transfer or a page fetched, divided by its duration."""

    by_size: NotRequired[BySize | None]
    """Duration and slow-down by the bytes that a visit fetched, in four classes. Absent for films."""

    stalls: NotRequired[Distribution | None]
    """Number of stalls of a film. This number and those below are absent for other visits."""

    stalled_share: NotRequired[Distribution | None]
    """Fraction of the time after a film began to play in which it stalled."""

    switches: NotRequired[Distribution | None]
    """Number of quality changes of a film."""

    quality_mbit_s: NotRequired[Distribution | None]
    """Mean rate of the segments that a film fetched."""

    sustainable_mbit_s: NotRequired[Distribution | None]
    """Highest rate of the ladder that the path alone sustains: each segment, including its round trip, arrives no
    slower than it plays. Films whose lowest rate is not sustainable are left out.
    """

    requests: NotRequired[RequestCounts | None]
    """Packets of the users' requests. The other counts of the flow are of answers only."""

    retried: NotRequired[Int64 | None]
    """Behind proxies that may lose connections: number of requests that were repeated because their connection broke.
    """

    all: NotRequired[AllVisits | None]
    """The same measures over all visits, including unfinished ones. Absent if none began."""


class BySize(TypedDict):
    """Finished visits by the bytes of their answers. We chose the bounds: about an initial window, an object of a page,
    a whole page, and a download.
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
    """That duration divided by the shortest possible duration."""


class RequestCounts(TypedDict):
    """Packets of the users' requests, including the payload of their SYNs and retransmissions. Behind a proxy, only
    packets of the users' own connections.
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
    """All visits that began after the warm-up, including those that were not finished at the end of the run.
    Comparisons use these numbers, so that a controller gains nothing by unfinished visits. Percentiles are
    product-limit estimates (Kaplan and Meier 1958): an unfinished visit took longer than it had waited. A percentile
    among visits that never finished counts as the whole measured time.
    """

    done_ratio: float
    """Fraction of visits whose duration is known: they finished, or the film played."""

    took_s: Percentiles
    """Duration of a visit."""

    slow_down: NotRequired[Percentiles | None]
    """That duration divided by the shortest possible duration. Absent if that is not known, and if no visit finished.
    """

    first_byte_s: NotRequired[Percentiles | None]
    """For transfers and pages: time until the first byte of the first answer."""

    goodput_mbit_s: NotRequired[LowPercentiles | None]
    """Bytes that a transfer or a page fetched, divided by its duration. A 5th percentile among visits that never
    finished is 0.
    """

    films: NotRequired[AllFilms | None]
    """Only for films: how they played."""


class Percentiles(TypedDict):
    """Two percentiles of a quantity of which less is better, in the unit of the field's name."""

    p50: float
    """Median."""

    p95: float
    """95th percentile."""


class LowPercentiles(TypedDict):
    """Two percentiles of a quantity of which more is better, in the unit of the field's name."""

    p5: float
    """5th percentile."""

    p50: float
    """Median."""


class AllFilms(TypedDict):
    """All films together. The watched time of a film is the time in which it played or stalled, or in which the user
    waited for a film that never began to play.
    """

    watched_s: float
    """Watched time of all films. It excludes the start-up time of films that began to play."""

    stalled_ratio: float | None
    """Fraction of the watched time in which a film stalled or had never begun to play; `null` if the watched time is 0.
    """

    stalls_per_min: float | None
    """Stalls per minute of watched time."""

    switches_per_min: float | None
    """Changes of quality per minute of watched time."""

    quality_mbit_s: float | None
    """Mean rate of the fetched segments, weighted by watched time; 0 for a film of which nothing arrived."""


class CallSummary(TypedDict):
    """Quality of a call, separately for each direction."""

    profile: str
    """"voice", "video-call" or "game"."""

    playout_ms: float
    """Playout delay: a frame is played this long after its earliest possible arrival, which follows from the fastest
    frame so far.
    """

    worse: Way
    """The direction with the worse quality. For a voice call this is the direction with the lower R, otherwise the
    direction with the larger share of missed frames. If these are equal, it is the direction with the larger 95th
    percentile of the delay.
    """

    there: CallWay
    """Quality at `to`."""

    back: CallWay
    """Quality at `from`."""


#: A direction of a call.
Way: TypeAlias = Literal["there", "back"]


class CallWay(TypedDict):
    """Quality of one direction of a call. Only frames that were due for playout after the warm-up count."""

    sent_packets: Int64
    """Packets sent."""

    lost_packets: Int64
    """Packets lost."""

    loss_ratio: float | None
    """Lost packets divided by sent packets; `null` if no packet was sent."""

    one_way_delay_ms: Distribution | None
    """Time from sending to arrival of a packet."""

    delay_variation_ms: Distribution | None
    """Difference between a packet's delay and the smallest delay (PDV of RFC 5481, section 4.2). Percentiles are
    accurate to 1 us.
    """

    jitter_ms: float | None
    """Interarrival jitter at the end (RFC 3550, section 6.4.1)."""

    frames: Int64
    """Frames that were due for playout."""

    late_frames: Int64
    """The part of `frames` that arrived completely, but too late."""

    lost_frames: Int64
    """The part of `frames` that had not arrived completely when the run ended."""

    missed_ratio: float | None
    """Share of `frames` that were late or lost."""

    bursts: Int64
    """Number of sequences of consecutive missed frames."""

    mean_burst_frames: float | None
    """Mean length of these sequences in frames."""

    longest_burst_frames: Int64
    """Length of the longest sequence in frames."""

    play_delay_ms: float | None
    """Mean time from the sending of a frame until its playout."""

    voice: Voice | None
    """Quality of a voice call by the E-model; `null` for other calls, and if nothing was played."""


class Voice(TypedDict):
    """Quality of a voice call by the E-model (ITU-T G.107), with its default values, for G.711 with concealment of
    losses (G.113: Ie = 0, Bpl = 25.1) and the share of missed frames.
    """

    mouth_to_ear_ms: float
    """Delay from mouth to ear: the time to fill a frame, plus the time from its sending until its playout."""

    r: float
    """Rating R, at best 93.2. Above 70, at most some users are dissatisfied (G.109). G.109 does not recommend values
    below 50.
    """

    mos: float
    """Mean opinion score that follows from R (G.107, annex B): 1 to 4.5."""


class ProxySummary(TypedDict):
    """The buffer use of a proxy by one flow: bytes that the proxy received in order and that the receiver of the next
    connection has not yet acknowledged. A TCP flow is one connection; an application has several. The warm-up counts.
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
    """Maximum of the bytes held of one connection."""

    most_held_total_bytes: Int64
    """Maximum of the bytes held of all connections of the flow together."""

    held_at_end_bytes: Int64
    """Bytes held of all connections together at the end of the run."""


class BreakSummary(TypedDict):
    """A transfer, or the connections of an application, that broke because a proxy on the path lost its state (RFC
    3135, sections 4.1.2 and 4.1.3). The warm-up counts.
    """

    flow: Int64
    """Index of the flow."""

    name: str
    """Name of the flow."""

    at: str
    """Site of the proxy that lost its state."""

    cause: str
    """"reset", or "handover" to another gateway."""

    time_s: float
    """Time of the break."""

    held_bytes: Int64
    """Bytes that the proxy held: received in order, and not yet acknowledged by the receiver of the next connection. If
    other proxies lost their state before the transfer continued, their bytes are included.
    """

    lost_bytes: Int64
    """Bytes that the first proxy had acknowledged to the sender, and that never reached the receiver over these
    connections. Data in flight behind the proxy still arrives.
    """

    again_s: float | None
    """Time at which the application sent the missing data again, or users requested it again; `null` if neither
    happened.
    """

    silent_s: float | None
    """Time from the break until the first byte of the new connection reached the receiver. `null` if no byte did, and
    for an application, which has many connections.
    """

    connections: NotRequired[Int64 | None]
    """Only for an application: number of its connections that broke."""


class Totals(TypedDict):
    """Totals over all flows."""

    delivered_mbit_s: float | None
    """New data of all flows that reached their receivers, divided by the time of the run after the warm-up. Unlike a
    goodput, the rate includes the time in which no flow was active. `null` if no flow's goodput is known, or if the
    goodput of a flow that delivered data is not known.
    """

    sent_mbit_s: float | None
    """Data that all senders sent, with headers and retransmissions, divided by the time of the run after the warm-up.
    Data that proxies forward does not count again. `null` under the conditions of `delivered_mbit_s`.
    """

    sent_packets: Int64
    """Data packets that hosts sent."""

    delivered_packets: Int64
    """Data packets that reached their receiving host."""

    loss_ratio: float | None
    """Lost data packets divided by sent data packets; of flows that proxies split, by their `loss_ratio`. `null` if no
    packet was sent, if all are in flight, or if more packets were lost than sent (some were sent before the warm-up
    ended).
    """

    loss_ratio_queue: float | None
    """The part of `loss_ratio` that queues dropped."""

    loss_ratio_error: float | None
    """The part of `loss_ratio` lost to link errors."""

    loss_ratio_outage: float | None
    """The part of `loss_ratio` lost to outages."""

    loss_ratio_policer: NotRequired[float | None]
    """The part of `loss_ratio` that policers dropped. Absent if no link and no host has a policer."""

    loss_ratio_too_large: NotRequired[float | None]
    """The part of `loss_ratio` that was larger than the MTU of a link. Absent if no link has an MTU."""

    jain_index: float | None
    """Jain's fairness index (Σx)²/(n·Σx²) of the goodput of the TCP flows, each over its own active time. Flows without
    a known goodput are left out. `null` if nothing was delivered, or if only one of several flows has a known goodput.
    """

    events: Int64
    """Events that the engine processed."""

    packet_hops: Int64
    """Sum over all packets of the links that each passed."""


class LinkSummary(TypedDict):
    """One direction of a link."""

    link: Int64
    """Index of the link."""

    name: str
    """Name of the link."""

    utilisation: float
    """Fraction of the time in which the link transmitted, 0 to 1. While the rate is zero, for example because the
    budget allows no modulation and code, the link does not transmit, and a packet in transmission waits.
    """

    mean_queue_ms: float | None
    """Mean waiting time of the packets whose transmission began in the measured time; `null` if there are none. Packets
    that still wait at the end are not included.
    """

    delivered_packets: Int64
    """Packets that reached the far end."""

    dropped_queue: Int64
    """Packets dropped because the queue was full, or by its active queue management (AQM)."""

    thinned_acks: Int64
    """The part of `dropped_queue` that consists of acknowledgements replaced by a newer acknowledgement (`acks`)."""

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
    """Packets whose ECN field the link cleared (`ecn_bleach`), including packets that were lost afterwards. Absent if
    the link clears none.
    """

    budget: NotRequired[BudgetSummary | None]
    """Result of the link budget. Absent for a link without a budget, or one that did not exist in the measured time."""


class BudgetSummary(TypedDict):
    """Result of the link budget of a link in the measured time."""

    there_s: float
    """Time in which the link existed."""

    mean_mbit_s: float
    """Mean rate in that time, including outages."""

    outage_s: float
    """Time in which no modulation and code of the ladder was possible: the rate was 0, and packets waited."""

    missing_db: float | None
    """Largest difference between Es/N0 in an outage and the threshold of the lowest modulation and code with its
    margin; `null` without an outage.
    """

    frames_lost_s: float
    """Time in which the link sent frames that could not be decoded."""


class TransmitterSummary(TypedDict):
    """A transmitter that several links share. For a cell it is the beam of the satellite that serves the cell; one
    satellite serves it at a time.
    """

    name: str
    """The sender and the receiver: "satellite > the cell rioja", "Villenave > its satellites"; for a star "forward
    carrier tdm".
    """

    kind: str
    """"beam", "satellite" or "gateway"; "carrier" for a star; "total" for the limit on all beams of a satellite, or on
    all links of a gateway.
    """

    links: Int64
    """Number of links that used the transmitter: for a beam one for each site and satellite, for a carrier one for each
    branch.
    """

    served_s: float
    """Time after the warm-up in which the transmitter served a site or a satellite."""

    utilisation: float
    """Fraction of that time in which the transmitter was sending, 0 to 1; for a total, the used fraction of its limit.
    """
