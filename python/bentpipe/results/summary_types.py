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
    """Where these numbers come from."""

    findings: list[Finding]
    """What a reader of these numbers must know of how single flows behaved; the warm-up counts."""

    flows: list[FlowSummary]
    """The flows by index. Of one that proxies split: packets and bytes sent, round trips and what limited the sender
    are those of its sending host, what was delivered, the goodput and the end those of its receiving host; losses,
    retransmissions, probes, timeouts, cuts, marks and verdicts are those of all its parts together, the longest
    recovery that of the part that had it. Delays, which no packet has from end to end, are `null`.
    """

    parts: NotRequired[list[FlowSummary]]
    """The connections that a flow which is split consists of, in order; left out if there are none. The index of the
    first is the flow's, those of the others follow on all flows.
    """

    proxies: NotRequired[list[ProxySummary]]
    """What each proxy held of each flow; left out if there are none."""

    breaks: NotRequired[list[BreakSummary]]
    """Transfers that broke because a proxy lost its state, as they broke; left out if none did."""

    totals: Totals
    """All flows together."""

    bottleneck: LinkSummary | None
    """The link with the highest utilisation, links of hosts included. A transmitter that links share can be fuller than
    any of them.
    """

    transmitters: NotRequired[list[TransmitterSummary]]
    """How full the transmitters were that links share (`shared` of a constellation): beams, satellites, gateways, those
    that sent something. Left out if there are none.
    """

    links: list[LinkSummary]
    """The network's links by index (access links left out); of a constellation those that carried something."""


class Provenance(TypedDict):
    """Where numbers come from."""

    bentpipe_version: str
    """Version of Bentpipe."""

    build: str
    """What made the run: version, and the beginning of the fingerprint of everything that makes numbers. Runs of the
    same scenario and build are the same.
    """

    ground: str
    """What the transport stood on: "packet simulator"."""

    scenario_name: str
    """Name of the scenario."""

    seed: Int64
    """Root of all random streams."""

    duration_s: float
    """How long the run lasted, in virtual time."""

    warm_up_s: float
    """Left out of means and counts at the start of the run."""

    schema_version: Int64
    """Version of this schema."""

    identity: NotRequired[str | None]
    """Digest of everything but the seed that decides the numbers: the resolved scenario, the content of `inputs`, the
    build and `controllers`. Left out if nobody can tell what a controller in Python will do.
    """

    inputs: NotRequired[list[Input]]
    """The files that the scenario names, sorted by path; left out if it names none."""

    controllers: NotRequired[list[OwnController]]
    """The controllers that are not part of the build, sorted by name; left out if there are none."""

    degraded: list[str]
    """Reasons why the run is degraded, a sentence each (a missing signal, a substitute for another controller); empty
    if it is not.
    """

    path_notes: NotRequired[list[str]]
    """Notes on the path, for any controller, a sentence each: a link below the ladder of its budget, a trace that
    ended, satellites of a catalogue that were left out or have old elements. Left out if empty.
    """

    preset: NotRequired[str | None]
    """The preset that the network came from, and how many published numbers it lies inside of ("unvalidated" if there
    is none); left out if it came from none.
    """


class Input(TypedDict):
    """A file that a scenario names, as it was when the run was made."""

    file: str
    """Its name, without folders."""

    sha256: str | None
    """SHA-256 of its content in hexadecimal digits; `null` if it could not be read."""


class OwnController(TypedDict):
    """A controller of the user's own."""

    name: str
    """Its name."""

    sha256: str | None
    """SHA-256 of what it does (its code and what that reaches) in hexadecimal digits; `null` if nobody can tell."""


class Finding(TypedDict):
    """Something that no transport in use does for so long, or that decides what a flow gets. The run is as it would be
    without it.
    """

    flow: Int64
    """Index of the flow; of several flows of one controller of which nothing arrived for the same cause, the first."""

    kind: FindingKind
    """What it is."""

    since_s: float
    """When it began; of a runaway the first time."""

    lasted_s: float
    """How long it lasted; of a runaway in all."""

    magnitude: float
    """Of a runaway the largest excess: how many times what the path can hold (the window) or carry (the pacing rate).
    Of a long recovery its round trips. Of a flow that is not connected the SYNs that it sent. Of visits how many began.
    Of a policed flow the data packets that policers dropped. Of a flow that is measured too briefly the round trips for
    which it is, of one of which nothing arrived the data packets that it sent; of one that was never measured 0.
    """

    text: str
    """In words."""


#: What is found.
FindingKind: TypeAlias = Literal[
    "runaway",
    "long-recovery",
    "not-connected",
    "no-visit-begun",
    "no-visit-done",
    "policed",
    "nothing-measured",
    "too-short",
    "never-started",
    "nothing-delivered",
]


#: Site where the data comes from; of a call, packets and rates here are those of both ways, delays those from here.
_KeywordsOfFlowSummary = TypedDict("_KeywordsOfFlowSummary", {"from": str})


class FlowSummary(_KeywordsOfFlowSummary):
    """One flow."""

    flow: Int64
    """Index of the flow."""

    name: str
    """Name."""

    kind: str
    """"tcp", "cbr", "ping" or "call"; of applications "transfers", "web", "video" or "requests"."""

    controller: str | None
    """The controller; `null` for what has none."""

    tcp: str | None
    """Whose TCP: the preset, and what the scenario sets beside it ("linux; delayed_ack = false"); `null` for what is
    not TCP.
    """

    to: str
    """Site where it goes."""

    start_s: float
    """When it started."""

    stop_s: float | None
    """When it was told to stop, if it was."""

    completed_at_s: float | None
    """When the last byte of a finite transfer was acknowledged; of a flow that proxies split, when it reached the
    receiver.
    """

    goodput_mbit_s: float | None
    """New data that reached the receiver, in order or not; for an application also data that it requested again after a
    proxy lost its state. `null` if it is not known: the flow was active after the warm-up for less than a base round
    trip or not at all. It is also `null` if the flow began in the warm-up and its narrowest link carries fewer than 50
    packets in the measured time.
    """

    throughput_mbit_s: float | None
    """What left the sender (of a flow that proxies split: the sending host), headers and retransmissions included;
    `null` as the goodput.
    """

    sent_packets: Int64
    """Data packets sent."""

    delivered_packets: Int64
    """Data packets that reached the receiver; echoes that came back."""

    delivery_ratio: float | None
    """Delivered packets over sent packets. `null` if none was sent, or if fewer were sent than arrived (sent before the
    end of the warm-up); for a flow that proxies split (its `parts` have the ratio); and if the goodput is `null`.
    Packets under way at the beginning or end of the measured time count on one side only.
    """

    retransmitted_packets: Int64
    """Data packets sent again; of a flow that proxies split by it and by them."""

    probe_packets: Int64
    """Low-priority probes (throughput counts their bytes)."""

    losses: Losses
    """Data packets lost, by true cause; of a flow that proxies split on all its parts."""

    loss_ratio: NotRequired[float | None]
    """For a flow that proxies split: the ratio of its data packets lost from host to host, 1 − ∏(1 − l), where l is
    lost over sent packets of a part. Left out for other flows, where it is lost over sent packets.
    """

    outages: NotRequired[OutageLosses | None]
    """Those lost to outages, by what took them; left out if there are none."""

    losses_detected: Int64
    """Packets that the sender declared lost."""

    timeouts: Int64
    """Retransmission timeouts."""

    cuts: Int64
    """Times the controller reduced its window for a loss, a mark or a timeout. The reductions of one loss episode count
    once, in however many steps the window falls (Rapid Start, BBR).
    """

    ecn_cuts: Int64
    """Of them, those for an ECN mark."""

    marked_packets: Int64
    """Data packets that arrived with an ECN mark."""

    reported_marks: Int64
    """Packets that acknowledgements told the sender were marked: one by one with `ecn = "accurate"`, else all that an
    acknowledgement with a mark covers.
    """

    spurious_undone: Int64
    """Reductions undone because the loss proved spurious."""

    verdicts: Verdicts
    """What the controller took losses for, against the truth."""

    rtt_ms: Distribution | None
    """Round-trip times measured by the sender."""

    queueing_delay_ms: Distribution | None
    """True queueing delay of delivered data packets."""

    one_way_delay_ms: Distribution | None
    """Time from sending to arrival of delivered data packets (of echoes: the way there)."""

    delay_variation_ms: Distribution | None
    """How much the one-way delays of two packets that arrived one after the other differ (RFC 3393), without its sign.
    """

    jitter_ms: float | None
    """Interarrival jitter at the end (RFC 3550, section 6.4.1): the same differences, smoothed by 1/16."""

    longest_recovery_s: float | None
    """How long the recovery with the most round trips took: from the loss that opened it until all that was outstanding
    then was acknowledged, a timeout, or the proof that nothing was lost. The warm-up counts; `null` if there was none.
    """

    longest_recovery_rtts: float | None
    """Its round trips, of the smoothed RTT at its beginning."""

    receiver_limited: bool
    """Whether the receiver's window ever held the sender back."""

    app_limited_share: float | None
    """Share of the time in which the application had nothing to send, 0 to 1; `null` where it is not measured (CBR),
    and as the goodput.
    """

    saved_path: SavedPathSummary | None
    """What a later connection over the same path may start from, if the controller saves it (`careful_resume`)."""

    visits: NotRequired[VisitsSummary | None]
    """Of an application what its users felt; left out elsewhere."""

    call: NotRequired[CallSummary | None]
    """What its users feel, of a call; left out of others."""


class Losses(TypedDict):
    """Lost packets by true cause."""

    queue: Int64
    """Dropped by full queues."""

    error: Int64
    """Lost to link errors."""

    outage: Int64
    """Lost to outages and handovers."""

    policer: NotRequired[Int64]
    """Dropped by policers; left out if there are none."""


class OutageLosses(TypedDict):
    """Packets lost to outages, each by the one thing that took it."""

    switch: Int64
    """Left over a link that carried nothing: a path had just been switched to it (`handover.outage`), or its trace had
    ended (`trace_end = "stop"`).
    """

    link_gone: Int64
    """Waited for a link, or were on it, when it went away: a satellite, or its beam, out of sight."""

    no_path: Int64
    """Reached a node without a link towards their site: a path did not exist, or not any more from there."""

    listed: Int64
    """Came to a link while a list takes everything (`loss.spans`)."""


class Verdicts(TypedDict):
    """Confusion matrix of the controller's verdicts, one count per judgement: `truth_as_verdict`."""

    congestion_as_congestion: Int64
    """Dropped by a queue or a policer, taken for congestion."""

    congestion_as_error: Int64
    """Dropped by a queue or a policer, taken for a link error."""

    error_as_error: Int64
    """Lost to a link error, taken for one."""

    error_as_congestion: Int64
    """Lost to a link error, taken for congestion."""

    spurious: Int64
    """Declared lost but not lost at all."""


class Distribution(TypedDict):
    """Distribution of a measured quantity, in the unit that the field's name gives. Percentiles of packets are within
    0.1 %, of up to 10,000 visits exact, of more within 0.05 %.
    """

    samples: Int64
    """How many samples."""

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
    """Smallest."""

    max: float
    """Largest."""


class SavedPathSummary(TypedDict):
    """A path worth remembering: the `saved_path` of a later flow."""

    cwnd_bytes: Int64
    """Bytes acknowledged in one round trip."""

    rtt_ms: float
    """Smallest RTT."""


class VisitsSummary(TypedDict):
    """The visits of an application flow (transfers, pages, films, requests) that began after the warm-up. Those that
    were not over at the end of the run are counted and are in no distribution: where they are many, the distributions
    are of the quicker ones. Films that have begun to play are in all of them, over or not.
    """

    of: str
    """What a visit is: "transfer", "page", "film" or "exchange"."""

    begun: Int64
    """How many began."""

    finished: Int64
    """How many of them were over before the run was."""

    unfinished: Int64
    """How many were not."""

    offered_mbit_s: float | None
    """Payload that arrivals ask for in the mean, visits per second times their mean size; `null` for users who wait for
    one visit before they begin the next, and where sizes have no mean.
    """

    drawn_mbit_s: float | None
    """Payload that the visits which began in the measured time asked for, over the part of that time between the flow's
    start and its stop: what chance made of it. `null` if there is no such part.
    """

    load: float | None
    """What arrivals ask for in the mean, with headers, over the smallest link rate on the way; over 1 it cannot be
    served. `null` also where that rate is not known before the run.
    """

    took_s: Distribution | None
    """The time that counts, from the visit's beginning: until the last byte of a transfer, a page or an answer, until a
    film plays.
    """

    slow_down: Distribution | None
    """That time over the least that it could have taken on an empty path."""

    first_byte_s: NotRequired[Distribution | None]
    """Until the first byte of the first answer, of transfers and pages."""

    answer_s: NotRequired[Distribution | None]
    """From a request until the last byte of its answer, the mean of each exchange."""

    goodput_mbit_s: NotRequired[Distribution | None]
    """What a transfer or a page fetched over the time that counts."""

    by_size: NotRequired[BySize | None]
    """Time and slow-down by what a visit fetched, in classes of our own; left out for films."""

    stalls: NotRequired[Distribution | None]
    """How often a film stood still; left out for others, as what follows."""

    stalled_share: NotRequired[Distribution | None]
    """Share of its time after it began to play in which it stood still."""

    switches: NotRequired[Distribution | None]
    """How often its quality changed."""

    quality_mbit_s: NotRequired[Distribution | None]
    """Mean rate of what was fetched."""

    sustainable_mbit_s: NotRequired[Distribution | None]
    """The highest rate of the ladder that the path alone carries: a segment comes, its round trip included, no slower
    than it plays. Films of which it carries none are left out.
    """

    requests: NotRequired[RequestCounts | None]
    """The packets by which users asked, which are in none of the flow's own counts: these are of answers."""

    retried: NotRequired[Int64 | None]
    """Behind proxies that may lose connections: how many requests were made again because theirs broke."""

    all: NotRequired[AllVisits | None]
    """What they felt with those that were not over; left out if none began."""


class BySize(TypedDict):
    """Visits that are over, by the bytes of their answers. The bounds are ours: about an initial window, a page's
    object, a whole page, a download.
    """

    under_10_kb: SizeClass
    """Less than 10 kB."""

    under_100_kb: SizeClass
    """Less than 100 kB."""

    under_1_mb: SizeClass
    """Less than 1 MB."""

    from_1_mb: SizeClass
    """1 MB and more."""


class SizeClass(TypedDict):
    """Visits of one class."""

    finished: Int64
    """How many were over."""

    took_s: Distribution | None
    """The time that counts."""

    slow_down: Distribution | None
    """That time over the least that it could have taken."""


class RequestCounts(TypedDict):
    """What users sent by which they asked: requests, their SYNs' payload, and what was sent again. Behind a proxy of
    the users' own connections alone.
    """

    sent_packets: Int64
    """Data packets sent."""

    retransmitted_packets: Int64
    """Of these, packets sent again."""

    losses: Losses
    """Data packets lost, by true cause."""

    timeouts: Int64
    """Retransmission timeouts."""


class AllVisits(TypedDict):
    """All visits that began after the warm-up, those included that were not over at the end of the run: comparisons go
    by these numbers, so that nobody looks better for what was not finished. Percentiles are product-limit estimates
    (Kaplan and Meier 1958): a visit that was cut off took longer than it had waited. A percentile that lies among what
    never came counts as though it had taken all of the measured time.
    """

    done_ratio: float
    """Share whose time that counts is known: they were over, or the film played."""

    took_s: Percentiles
    """The time that counts."""

    slow_down: NotRequired[Percentiles | None]
    """That time over the least that it could have taken; left out where that is not known, and if none was done."""

    first_byte_s: NotRequired[Percentiles | None]
    """Until the first byte of the first answer, of transfers and pages."""

    goodput_mbit_s: NotRequired[LowPercentiles | None]
    """What a transfer or a page fetched over that time. A 5th percentile among what never came is 0."""

    films: NotRequired[AllFilms | None]
    """How films played; left out for others."""


class Percentiles(TypedDict):
    """Two percentiles, in the unit that the field's name gives."""

    p50: float
    """Median."""

    p95: float
    """95th percentile."""


class LowPercentiles(TypedDict):
    """Two percentiles of what is better the more it is, in the unit that the field's name gives."""

    p5: float
    """5th percentile."""

    p50: float
    """Median."""


class AllFilms(TypedDict):
    """Films together, each with the time that it played, stood still, or was waited for if it never began to play."""

    watched_s: float
    """That time, of all; a start-up that came is no part of it."""

    stalled_ratio: float | None
    """Share of it in which a film stood still, or had never begun to play; `null` if it is 0."""

    stalls_per_min: float | None
    """Stalls per minute of it."""

    switches_per_min: float | None
    """Changes of quality per minute of it."""

    quality_mbit_s: float | None
    """Mean rate of what was fetched, weighted by it; 0 of a film of which nothing came."""


class CallSummary(TypedDict):
    """A call, each way by itself."""

    profile: str
    """"voice", "video-call" or "game"."""

    playout_ms: float
    """How long a frame waits behind the fastest one so far until it is played."""

    worse: Way
    """The way on which the call is worse: the lower R of a voice call, else the larger share of missed frames, else the
    larger 95th percentile of the delay.
    """

    there: CallWay
    """What is heard and seen at `to`."""

    back: CallWay
    """And at `from`."""


#: One way of a call.
Way: TypeAlias = Literal["there", "back"]


class CallWay(TypedDict):
    """What arrives on one way of a call. Of frames those count whose turn to be played came after the warm-up."""

    sent_packets: Int64
    """Packets sent."""

    lost_packets: Int64
    """Packets lost on the way."""

    loss_ratio: float | None
    """Lost over sent packets; `null` if none was sent."""

    one_way_delay_ms: Distribution | None
    """Time from sending to arrival of a packet."""

    delay_variation_ms: Distribution | None
    """By how much a packet's delay exceeds the smallest (PDV of RFC 5481, section 4.2); percentiles are within 1 us."""

    jitter_ms: float | None
    """Interarrival jitter at the end (RFC 3550, section 6.4.1)."""

    frames: Int64
    """Frames whose turn to be played came."""

    late_frames: Int64
    """Of them, those that were whole, but late."""

    lost_frames: Int64
    """Of them, those that were never whole until the end."""

    missed_ratio: float | None
    """Share of the frames that were not there to be played: late or lost."""

    bursts: Int64
    """Stretches of missed frames in a row."""

    mean_burst_frames: float | None
    """Their mean length in frames."""

    longest_burst_frames: Int64
    """The longest of them."""

    play_delay_ms: float | None
    """Mean time from the sending of a frame to its playing."""

    voice: Voice | None
    """Of a voice call, what the E-model says; `null` of others, and if nothing was played."""


class Voice(TypedDict):
    """Quality of a voice call by the E-model (ITU-T G.107), with its default values, for G.711 with concealment of
    losses (G.113: Ie = 0, Bpl = 25.1) and the frames that were missed.
    """

    mouth_to_ear_ms: float
    """Delay from mouth to ear: a frame is filled, sent, and played."""

    r: float
    """Rating R: 93.2 at best; over 70 users are satisfied or some are not (G.109), under 50 nobody should plan for it.
    """

    mos: float
    """Mean opinion score that R stands for (G.107, annex B): 1 to 4.5."""


class ProxySummary(TypedDict):
    """What a proxy held of one flow: bytes that had come in, in order, and were not acknowledged by the next
    connection's receiver. A TCP flow is one connection, an application has several. The warm-up counts.
    """

    flow: Int64
    """Index of the flow."""

    name: str
    """Its name."""

    at: str
    """Site of the proxy."""

    buffer_bytes: Int64
    """What it may hold of each connection."""

    most_held_bytes: Int64
    """The most that it held of one connection."""

    most_held_total_bytes: Int64
    """The most that it held of all connections of the flow together."""

    held_at_end_bytes: Int64
    """What it held of all connections together at the end of the run."""


class BreakSummary(TypedDict):
    """A transfer, or the connections of an application, that broke because a proxy on the way lost its state (RFC 3135,
    sections 4.1.2 and 4.1.3). The warm-up counts.
    """

    flow: Int64
    """Index of the flow."""

    name: str
    """Its name."""

    at: str
    """Where the proxy stood that lost its state."""

    cause: str
    """Why: "reset", or "handover" to another gateway."""

    time_s: float
    """When."""

    held_bytes: Int64
    """What the proxy held then: bytes that had come in, in order, and were not acknowledged by the next connection's
    receiver; and what others held that lost their state before the transfer went on.
    """

    lost_bytes: Int64
    """Bytes that the first proxy had taken, and so told the sender to be delivered, and that never reached the receiver
    by these connections. What was under way behind the proxy when it lost its state still arrives.
    """

    again_s: float | None
    """When the application began again with the missing data, or users requested it again; `null` if they did not."""

    silent_s: float | None
    """From the break until the first byte of the new connection reached the receiver; `null`: none did, or it is an
    application, which has many connections.
    """

    connections: NotRequired[Int64 | None]
    """Of an application: how many of its connections broke."""


class Totals(TypedDict):
    """All flows together."""

    goodput_mbit_s: float | None
    """New data of all flows that reached their receiver, over the whole measured time; `null` if that of no flow is
    known, or that of a flow of which something arrived is not.
    """

    throughput_mbit_s: float | None
    """What left all senders, headers and retransmissions included, over the whole measured time; what proxies send on
    is not counted again. `null` as the goodput.
    """

    sent_packets: Int64
    """Data packets sent, by hosts."""

    delivered_packets: Int64
    """Data packets that reached their receiver, a host."""

    loss_ratio: float | None
    """Lost data packets over sent ones, of flows that proxies split by their `loss_ratio`; `null` if none was sent, if
    all are under way, or if fewer were sent than were lost, which had been sent before the warm-up ended.
    """

    loss_ratio_queue: float | None
    """The part of it dropped by full queues."""

    loss_ratio_error: float | None
    """The part of it lost to link errors."""

    loss_ratio_outage: float | None
    """The part of it lost to outages."""

    loss_ratio_policer: NotRequired[float | None]
    """The part of it dropped by policers; left out if no link of the network and no host has one."""

    jain_index: float | None
    """Jain's fairness index of the TCP flows' goodput (each over its own active time), (Σx)²/(n·Σx²), of those for
    which it is known; `null` if nothing was delivered, and if it is known for one of several.
    """

    events: Int64
    """Events that the engine worked off."""

    packet_hops: Int64
    """Packets times links passed."""


class LinkSummary(TypedDict):
    """One direction of a link."""

    link: Int64
    """Index of the link."""

    name: str
    """Name."""

    utilisation: float
    """Share of the time spent transmitting, 0 to 1. A link transmits nothing while its rate is zero, as it is while a
    budget leaves it no modulation and code; what is in transmission then waits.
    """

    mean_queue_ms: float | None
    """Mean waiting time of the packets whose transmission began in the measured time, where it is measured; `null` if
    none did. What still waits at the end is not in it.
    """

    delivered_packets: Int64
    """Packets that reached the far end."""

    dropped_queue: Int64
    """Packets dropped by the full queue, or by what manages it."""

    thinned_acks: Int64
    """Of these, acknowledgements that went for a newer one (`acks`)."""

    dropped_error: Int64
    """Packets lost to link errors."""

    dropped_outage: Int64
    """Packets lost to outages."""

    dropped_policer: NotRequired[Int64 | None]
    """Packets that its policer dropped before the queue; left out of links without one."""

    bleached_packets: NotRequired[Int64 | None]
    """Packets whose ECN field it cleared (`ecn_bleach`), those lost afterwards included; left out of links that clear
    none.
    """

    budget: NotRequired[BudgetSummary | None]
    """What its budget came to; left out of links without one, and of those that were not there in the measured time."""


class BudgetSummary(TypedDict):
    """What the link budget of a link came to in the measured time."""

    there_s: float
    """How long the link was there."""

    mean_mbit_s: float
    """Its mean rate in that time, that of outages included."""

    outage_s: float
    """How long no modulation and code of its ladder held: its rate was 0, and packets waited."""

    missing_db: float | None
    """How much Es/N0 was then below the lowest one with its margin, at most; `null` without an outage."""

    frames_lost_s: float
    """How long it sent frames that could not be decoded."""


class TransmitterSummary(TypedDict):
    """A transmitter that links share. Of a cell it is the beam of whichever satellite served it: one at a time does."""

    name: str
    """Who sends and who receives: "satellite > the cell rioja", "Villenave > its satellites"; of a star "forward
    carrier tdm".
    """

    kind: str
    """"beam", "satellite", "gateway", or "carrier" of a star; or "total": what all beams of a satellite, or all links
    of a gateway, may send together.
    """

    links: Int64
    """How many links had a part of it: of a beam one for each site and satellite, of a carrier one for each branch."""

    served_s: float
    """How long it served after the warm-up: a site or satellite was reached through it."""

    utilisation: float
    """Share of that time spent transmitting, 0 to 1; of a total the share of what it allows."""
