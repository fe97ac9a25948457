// SPDX-License-Identifier: MIT OR Apache-2.0
//! `summary.json`, the results of a run. Means and counts exclude the warm-up. Times count from the start of the run.
//!
//! A number that is not defined, for example the loss ratio of a flow that sent nothing, is `null`, never 0.
//!
//! - A queue limit does not count the packet in transmission (as in ns-2, ns-3 and Linux).
//! - A queue of "1 BDP" is the rate of the link times the longest propagation round trip of the flows at their start.
//!   Unlike a base round trip, this round trip excludes the transmission time of a packet.
//! - *Goodput* is the rate of new payload that reached the receiver, over the measured time of the flow. The first copy
//!   of each byte counts when it arrives, even if an earlier byte is missing. Therefore filling a gap is not a burst.
//! - *Throughput* counts every byte that the sender sent, over the same time.
//! - Totals over all flows are rates over the time of the run after the warm-up, whether a flow was active or not. They
//!   are called *delivered* and *sent*.
//! - A flow is *active* from its start until it is complete, until its last packet has arrived after its `stop`, or
//!   until the run ends. The part of that time after the warm-up is its *measured time*.
//! - The *base round trip* is the propagation delay with all fixed delays, and the transmission time of one packet on
//!   the narrowest link of each connection.
//! - Rates and shares of a flow are *known*, and otherwise `null`, under one of two conditions. (1) Its measured time is at
//!   least one base round trip; if the flow began in the warm-up, the narrowest link also carries at least 50 packets in
//!   that time. (2) The whole flow lies in the measured time: it began after the warm-up, and it was complete, or it
//!   stopped at least one round trip after its start and before the end. Counts are always known: a flow that was not
//!   active sent 0 packets.
//! - Total rates are known if the rate of at least one flow is known, and if every other flow has a known rate or
//!   delivered nothing. The fairness index covers the flows with a known goodput.
//! - The bytes of a packet count at its arrival. Therefore a goodput can exceed the rate of the links by one packet, at
//!   most 2 %. The sender's throughput can exceed the rate by the packets that wait in queues or are dropped there.
//! - Serialisation times are rounded to the nanosecond.

use crate::calls::CallSummary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod visits;

pub use visits::{
    AllFilms, AllVisits, BySize, LowPercentiles, Percentiles, RequestCounts, SizeClass, VisitsSummary,
};

/// Version of the schemas of the summary and the tables.
pub const SCHEMA_VERSION: u32 = 13;

/// The origin of the numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Version of Bentpipe.
    pub bentpipe_version: String,
    /// Version of the program, and the beginning of the fingerprint of all code that affects numbers. Two runs with the
    /// same scenario and build are identical.
    pub build: String,
    /// Platform: "packet simulator" or "emulator".
    pub platform: String,
    /// How well the emulator kept time, and on which machine. Absent for other platforms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emulator: Option<EmulatorFacts>,
    /// Name of the scenario.
    pub scenario_name: String,
    /// Seed of all random streams.
    pub seed: u64,
    /// Duration of the run in virtual time.
    pub duration_s: f64,
    /// Averages and counts exclude this time at the start of the run.
    pub warm_up_s: f64,
    /// Version of this schema.
    pub schema_version: u32,
    /// Digest of everything except the seed that decides the numbers: the resolved scenario, the content of `inputs`,
    /// the build and `controllers`. Absent if the effect of a controller in Python cannot be determined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// The files that the scenario names, sorted by path. Absent if it names none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// The controllers that are not part of the build, sorted by name. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub controllers: Vec<OwnController>,
    /// Reasons why the run is degraded, one sentence each: for example a missing signal, or a substitute for another
    /// controller. Empty if the run is not degraded.
    pub degraded: Vec<String>,
    /// Notes on the path that apply to any controller, one sentence each: for example a link below the ladder of its
    /// budget, a trace that ended, or satellites of a catalogue that were left out. Absent if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path_notes: Vec<String>,
    /// The preset of the network, and the number of published values that it matches ("unvalidated" if none was
    /// published). Absent without a preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
}

/// How well the emulator kept time. Lateness is the time from the moment at which a packet was due at an interface to
/// the moment at which it was written there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmulatorFacts {
    /// Release of the kernel.
    pub kernel: String,
    /// Number of processors.
    pub processors: u32,
    /// Scheduling of the thread that moves packets: "real time" or "normal".
    pub scheduling: String,
    /// Packets that left the emulator.
    pub packets: u64,
    /// Median lateness, in microseconds.
    pub lateness_p50_us: f64,
    /// 99th percentile of the lateness, in microseconds.
    pub lateness_p99_us: f64,
    /// 99.9th percentile of the lateness, in microseconds.
    pub lateness_p999_us: f64,
    /// Largest lateness, in microseconds.
    pub lateness_max_us: f64,
    /// Packets that were more than 1 ms late.
    pub late_packets: u64,
    /// Packets that were lost because an interface had no room for them.
    pub refused_packets: u64,
    /// Packets for an address that belongs to no site, or to a site that no flow joins to the sender's.
    pub unroutable_packets: u64,
    /// Share of the processors' time in which they were idle, 0 to 1.
    pub idle_processors: f64,
}

/// A file that a scenario names, with its content at the time of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Name of the file without folders.
    pub file: String,
    /// SHA-256 of the content in hexadecimal digits; `null` if the file could not be read.
    pub sha256: Option<String>,
}

/// A controller of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnController {
    /// Name of the controller.
    pub name: String,
    /// SHA-256 of the controller's code and of the code that it uses, in hexadecimal digits; `null` if that code cannot
    /// be determined.
    pub sha256: Option<String>,
}

/// Result of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// The origin of the numbers.
    pub provenance: Provenance,
    /// Unusual behaviour of single flows that a reader of the numbers must know. Findings include the warm-up.
    pub findings: Vec<Finding>,
    /// The flows by index. If proxies split a flow, its numbers come from different places. Sent packets and bytes,
    /// round trips and the limit of the sender are those of the sending host. Delivered data, goodput and completion
    /// are those of the receiving host. Losses, retransmissions, probes, timeouts, cuts, marks and verdicts are sums
    /// over all parts. The longest recovery is the longest of any part. Delays are `null`, because no packet travels
    /// from end to end.
    pub flows: Vec<FlowSummary>,
    /// The connections of the flows that proxies split, in order. The first connection has the index of its flow; the
    /// other connections are numbered after the last flow. Absent if no flow is split.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<FlowSummary>,
    /// The buffer use of each proxy by each flow. Absent if there are no proxies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proxies: Vec<ProxySummary>,
    /// Transfers that broke because a proxy lost its state, in order of time. Absent if none broke.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<BreakSummary>,
    /// Totals over all flows.
    pub totals: Totals,
    /// The link with the highest utilisation, including links of hosts. A transmitter that several links share can have
    /// a higher utilisation than each of these links.
    pub bottleneck: Option<LinkSummary>,
    /// Utilisation of the transmitters that links share (`shared` of a constellation): beams, satellites and gateways
    /// that sent something. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transmitters: Vec<TransmitterSummary>,
    /// The links of the network by index, without access links. Of a constellation, only links that carried packets.
    pub links: Vec<LinkSummary>,
}

/// Behaviour that no transport in use shows for so long, or that decides the numbers of a flow. A finding does not
/// change the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Index of the flow. If nothing arrived of several flows with one controller for the same cause, the index of the
    /// first of them.
    pub flow: u32,
    /// Kind of the finding.
    pub kind: FindingKind,
    /// Time at which the behaviour began; for a runaway, its first beginning.
    pub since_s: f64,
    /// Duration of the behaviour; for a runaway, the total duration.
    pub lasted_s: f64,
    /// The meaning depends on the kind. Runaway: largest ratio of the window to the capacity of the path, or of the
    /// pacing rate to the rate of the path. Long recovery: its round trips. Not connected: SYNs sent. Visits: visits
    /// that began. Policed: data packets that policers dropped. Too large: data packets that were. Too short: measured round trips. Nothing delivered:
    /// data packets sent. Never measured and connection closed: 0.
    pub magnitude: f64,
    /// The finding in words.
    pub text: String,
}

/// Kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// Over more than 10 round trips, at every check (each 100 ms), the window was more than 8 times the capacity of
    /// the path (rate x base RTT, plus its queues), or the pacing rate more than 8 times the rate of the narrowest
    /// link. For an application, the window is that of one of its connections.
    Runaway,
    /// One recovery lasted more than 10 round trips.
    LongRecovery,
    /// The timer of a flow's SYN expired, and the connection was not established when the run or the flow ended. For an
    /// application: a connection for which at least three SYNs were sent.
    NotConnected,
    /// No visit of an application ever began.
    NoVisitBegun,
    /// No visit was ever completed (for films: none ever played). The text says how long the first visit had, and how
    /// long it takes on an empty path.
    NoVisitDone,
    /// Policers dropped more than half of the data packets that the flow lost, and at least ten.
    Policed,
    /// Links dropped data packets of the flow that were larger than their MTU. Probes of path MTU discovery count.
    TooLarge,
    /// The flow ended before the warm-up: its rates are `null`.
    NothingMeasured,
    /// The flow is measured for less than ten base round trips, and not all of it lies in the measured time. Below one
    /// round trip its rates are `null`.
    TooShort,
    /// The flow's start is after the end of the run.
    NeverStarted,
    /// Nothing arrived of what the flow sent after the warm-up (for a call: in one direction), although the time was
    /// long enough; or the flow sent nothing, because it was not connected or waited for its timer. For an application
    /// it is a finding only if packets were lost.
    NothingDelivered,
    /// The QUIC library closed the connection of a flow: by a timeout, or because of an error.
    ConnectionClosed,
}

/// One flow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowSummary {
    /// Index of the flow.
    pub flow: u32,
    /// Name of the flow.
    pub name: String,
    /// "tcp", "quic", "cbr", "ping" or "call"; for applications "transfers", "web", "video" or "requests".
    pub kind: String,
    /// The controller; `null` for a flow without one.
    pub controller: Option<String>,
    /// The TCP of the flow: the preset, and the keys that the scenario sets in addition ("linux; delayed_ack = false").
    /// `null` for other transports.
    pub tcp: Option<String>,
    /// Only for QUIC: its settings, and what only QUIC has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quic: Option<Box<QuicSummary>>,
    /// Site of the sender. For a call, packets and rates are sums over both directions, and delays are those from this
    /// site.
    pub from: String,
    /// Site of the receiver.
    pub to: String,
    /// Start of the flow.
    pub start_s: f64,
    /// Time at which the flow stops by its `stop`; `null` without one.
    pub stop_s: Option<f64>,
    /// Time at which the last byte of a finite transfer was acknowledged. If proxies split the flow, the time at which
    /// this byte reached the receiver.
    pub completed_at_s: Option<f64>,
    /// Rate of new data that reached the receiver, in order or not, while the flow was active. For an application it
    /// includes data that was requested again after a proxy lost its state. `null` if the flow was active after the
    /// warm-up for less than one base round trip. Also `null` if the flow began in the warm-up and its narrowest link
    /// carries fewer than 50 packets in the measured time.
    pub goodput_mbit_s: Option<f64>,
    /// Rate at which the sender (of a split flow: the sending host) sent, with headers and retransmissions. `null`
    /// under the conditions of `goodput_mbit_s`.
    pub throughput_mbit_s: Option<f64>,
    /// Data packets sent.
    pub sent_packets: u64,
    /// Data packets that reached the receiver; for a ping, echoes that came back.
    pub delivered_packets: u64,
    /// Delivered packets divided by sent packets. Packets in flight at the beginning or end of the measured time count
    /// on one side only. `null` if no packet was sent, if more packets arrived than were sent, if proxies split the
    /// flow (its `parts` have the ratio), or if the goodput is `null`.
    pub delivery_ratio: Option<f64>,
    /// Retransmitted data packets, for a split flow including those of the proxies.
    pub retransmitted_packets: u64,
    /// Low-priority probes. The throughput includes their bytes.
    pub probe_packets: u64,
    /// Lost data packets by true cause, for a split flow over all its parts.
    pub losses: Losses,
    /// Only for a flow that proxies split: its loss ratio from host to host, 1 − ∏(1 − l), where l is the loss ratio of
    /// a part. For other flows the ratio is lost packets divided by sent packets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_ratio: Option<f64>,
    /// Packets lost to outages, by cause. Absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outages: Option<OutageLosses>,
    /// Only over a constellation: handovers of the flow's path in its measured time. At a handover, another satellite
    /// serves one of its ends. A path that returns after a gap without a path is not a handover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handovers: Option<u64>,
    /// Packets that the sender declared lost.
    pub losses_detected: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Number of window reductions after a loss, a mark or a timeout. All reductions of one loss episode count as one,
    /// even if the window falls in several steps (Rapid Start, BBR).
    pub cuts: u64,
    /// The part of `cuts` that followed an ECN mark.
    pub ecn_cuts: u64,
    /// Data packets that arrived with an ECN mark.
    pub marked_packets: u64,
    /// Packets that the sender counts as marked, by the acknowledgements: each marked packet with `ecn = "accurate"`,
    /// otherwise all packets that an acknowledgement with a mark covers.
    pub reported_marks: u64,
    /// Window reductions that were undone because the loss was spurious.
    pub spurious_undone: u64,
    /// The controller's verdicts on losses, compared with the true causes.
    pub verdicts: Verdicts,
    /// Round-trip times that the sender measured.
    pub rtt_ms: Option<Distribution>,
    /// True queueing delay of delivered data packets.
    pub queueing_delay_ms: Option<Distribution>,
    /// Time from sending to arrival of delivered data packets; for echoes, of the forward direction.
    pub one_way_delay_ms: Option<Distribution>,
    /// Absolute difference of the one-way delays of two packets that arrived one after the other (RFC 3393).
    pub delay_variation_ms: Option<Distribution>,
    /// Interarrival jitter at the end (RFC 3550, section 6.4.1): these differences, smoothed with a gain of 1/16.
    pub jitter_ms: Option<f64>,
    /// Duration of the recovery with the most round trips. A recovery begins with a loss. It ends when all data that
    /// was outstanding then is acknowledged, at a timeout, or when the loss turns out to be spurious. The warm-up
    /// counts. `null` without a recovery.
    pub longest_recovery_s: Option<f64>,
    /// The same duration in smoothed round-trip times at the beginning of the recovery.
    pub longest_recovery_rtts: Option<f64>,
    /// Whether the receiver's window ever limited the sender.
    pub receiver_limited: bool,
    /// Fraction of the time in which the application had no data to send, 0 to 1. `null` for CBR, where it is not
    /// measured, and under the conditions of `goodput_mbit_s`.
    pub app_limited_share: Option<f64>,
    /// State that a later connection over the same path can start from, if the controller saves it (`careful_resume`).
    pub saved_path: Option<SavedPathSummary>,
    /// Only for an application: the service that its users experienced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visits: Option<VisitsSummary>,
    /// Only for a call: the quality that its users experienced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Box<CallSummary>>,
}

/// A QUIC connection. The other fields of its flow count packets that ask for an acknowledgement. A packet that was
/// declared lost counts as retransmitted, because its frames are sent again. A probe timeout (RFC 9002, section 6.2)
/// counts as a timeout; it does not reduce the window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuicSummary {
    /// The keys that the scenario sets in the table `quic` ("quic; keys = null").
    pub settings: String,
    /// The QUIC library with its version.
    pub library: String,
    /// Time from the start of the flow until the sender's handshake was complete; `null` if it never was, and for an
    /// application, which has many connections.
    pub handshake_s: Option<f64>,
    /// Largest UDP payload at the end, which path MTU discovery may have raised.
    pub datagram_bytes: u32,
    /// Number of times that flow control of the connection or of a stream stopped the sender (frames `DATA_BLOCKED` and
    /// `STREAM_DATA_BLOCKED`).
    pub blocked: u64,
    /// Number of persistent congestions (RFC 9002, section 7.6).
    pub persistent_congestions: u64,
    /// Number of congestion events that proved spurious, as the library counts them.
    pub spurious_events: u64,
    /// Reason for which the library closed the connection, of an application the first of its connections; `null` if it
    /// closed none.
    pub closed: Option<String>,
    /// Time at which it did.
    pub closed_at_s: Option<f64>,
    /// Number of connections that the library closed. Users repeat the requests of such a connection on another one.
    pub closed_connections: u64,
}

/// The buffer use of a proxy by one flow: bytes that the proxy received in order and that the receiver of the next
/// connection has not yet acknowledged. A TCP flow is one connection; an application has several. The
/// warm-up counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProxySummary {
    /// Index of the flow.
    pub flow: u32,
    /// Name of the flow.
    pub name: String,
    /// Site of the proxy.
    pub at: String,
    /// Size of the buffer for each connection.
    pub buffer_bytes: u64,
    /// Maximum of the bytes held of one connection.
    pub most_held_bytes: u64,
    /// Maximum of the bytes held of all connections of the flow together.
    pub most_held_total_bytes: u64,
    /// Bytes held of all connections together at the end of the run.
    pub held_at_end_bytes: u64,
}

/// A transfer, or the connections of an application, that broke because a proxy on the path lost its state (RFC 3135,
/// sections 4.1.2 and 4.1.3). The warm-up counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, saved::Plain)]
#[serde(deny_unknown_fields)]
pub struct BreakSummary {
    /// Index of the flow.
    pub flow: u32,
    /// Name of the flow.
    pub name: String,
    /// Site of the proxy that lost its state.
    pub at: String,
    /// "reset", or "handover" to another gateway.
    pub cause: String,
    /// Time of the break.
    pub time_s: f64,
    /// Bytes that the proxy held: received in order, and not yet acknowledged by the receiver of the next connection.
    /// If other proxies lost their state before the transfer continued, their bytes are included.
    pub held_bytes: u64,
    /// Bytes that the first proxy had acknowledged to the sender, and that never reached the receiver over these
    /// connections. Data in flight behind the proxy still arrives.
    pub lost_bytes: u64,
    /// Time at which the application sent the missing data again, or users requested it again; `null` if neither
    /// happened.
    pub again_s: Option<f64>,
    /// Time from the break until the first byte of the new connection reached the receiver. `null` if no byte did, and
    /// for an application, which has many connections.
    pub silent_s: Option<f64>,
    /// Only for an application: number of its connections that broke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connections: Option<u64>,
}

/// The properties of a path that a later flow can use as `saved_path`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedPathSummary {
    /// Bytes acknowledged in one round trip.
    pub cwnd_bytes: u64,
    /// Smallest round-trip time.
    pub rtt_ms: f64,
}

/// Whether a count is left out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Lost packets by true cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Losses {
    /// Packets dropped by queues.
    pub queue: u64,
    /// Packets lost to link errors.
    pub error: u64,
    /// Packets lost to outages and handovers.
    pub outage: u64,
    /// Packets dropped by policers. Absent if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub policer: u64,
    /// Packets larger than the MTU of a link. Absent if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub too_large: u64,
}

/// Packets lost to outages. Each packet counts under one cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutageLosses {
    /// Packets left on a link that carried nothing: the path had just been switched to it (`handover.outage`), or its
    /// trace had ended (`trace_end = "stop"`).
    pub switch: u64,
    /// Packets that waited for a link, or were on it, when the link disappeared: its satellite or beam went out of
    /// sight.
    pub link_gone: u64,
    /// Packets that reached a node without a link towards their destination, because no path existed from there.
    pub no_path: u64,
    /// Packets that came to a link during a time in which its list loses everything (`loss.spans`).
    pub listed: u64,
}

/// Confusion matrix of the controller's verdicts on losses, one count for each verdict: `truth_as_verdict`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verdicts {
    /// Dropped by a queue or a policer, classified as congestion.
    pub congestion_as_congestion: u64,
    /// Dropped by a queue or a policer, classified as a link error.
    pub congestion_as_error: u64,
    /// Lost to a link error, classified as a link error.
    pub error_as_error: u64,
    /// Lost to a link error, classified as congestion.
    pub error_as_congestion: u64,
    /// Declared lost, but not lost.
    pub spurious: u64,
}

/// Distribution of a measured quantity, in the unit of the field's name. Percentiles of packets are accurate to 0.1 %.
/// Percentiles of visits are exact up to 10,000 visits, and accurate to 0.05 % above.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Distribution {
    /// Number of samples.
    pub samples: u64,
    /// Mean.
    pub mean: f64,
    /// 5th percentile.
    pub p5: f64,
    /// Median.
    pub p50: f64,
    /// 95th percentile.
    pub p95: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Minimum.
    pub min: f64,
    /// Maximum.
    pub max: f64,
}

/// Totals over all flows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// New data of all flows that reached their receivers, divided by the time of the run after the warm-up. Unlike a
    /// goodput, the rate includes the time in which no flow was active. `null` if no flow's goodput is known, or if the
    /// goodput of a flow that delivered data is not known.
    pub delivered_mbit_s: Option<f64>,
    /// Data that all senders sent, with headers and retransmissions, divided by the time of the run after the warm-up.
    /// Data that proxies forward does not count again. `null` under the conditions of `delivered_mbit_s`.
    pub sent_mbit_s: Option<f64>,
    /// Data packets that hosts sent.
    pub sent_packets: u64,
    /// Data packets that reached their receiving host.
    pub delivered_packets: u64,
    /// Lost data packets divided by sent data packets; of flows that proxies split, by their `loss_ratio`. `null` if no
    /// packet was sent, if all are in flight, or if more packets were lost than sent (some were sent before the warm-up
    /// ended).
    pub loss_ratio: Option<f64>,
    /// The part of `loss_ratio` that queues dropped.
    pub loss_ratio_queue: Option<f64>,
    /// The part of `loss_ratio` lost to link errors.
    pub loss_ratio_error: Option<f64>,
    /// The part of `loss_ratio` lost to outages.
    pub loss_ratio_outage: Option<f64>,
    /// The part of `loss_ratio` that policers dropped. Absent if no link and no host has a policer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_ratio_policer: Option<f64>,
    /// The part of `loss_ratio` that was larger than the MTU of a link. Absent if no link has an MTU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_ratio_too_large: Option<f64>,
    /// Jain's fairness index (Σx)²/(n·Σx²) of the goodput of the TCP flows, each over its own active time. Flows
    /// without a known goodput are left out. `null` if nothing was delivered, or if only one of several flows has a
    /// known goodput.
    pub jain_index: Option<f64>,
    /// Events that the engine processed.
    pub events: u64,
    /// Sum over all packets of the links that each passed.
    pub packet_hops: u64,
}

/// One direction of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkSummary {
    /// Index of the link.
    pub link: u32,
    /// Name of the link.
    pub name: String,
    /// Fraction of the time in which the link transmitted, 0 to 1. While the rate is zero, for example because the
    /// budget allows no modulation and code, the link does not transmit, and a packet in transmission waits.
    pub utilisation: f64,
    /// Mean waiting time of the packets whose transmission began in the measured time; `null` if there are none.
    /// Packets that still wait at the end are not included.
    pub mean_queue_ms: Option<f64>,
    /// Packets that reached the far end.
    pub delivered_packets: u64,
    /// Packets dropped because the queue was full, or by its active queue management (AQM).
    pub dropped_queue: u64,
    /// The part of `dropped_queue` that consists of acknowledgements replaced by a newer acknowledgement (`acks`).
    #[serde(default)]
    pub thinned_acks: u64,
    /// Packets lost to link errors.
    pub dropped_error: u64,
    /// Packets lost to outages.
    pub dropped_outage: u64,
    /// Packets that the link's policer dropped in front of the queue. Absent without a policer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_policer: Option<u64>,
    /// Packets that the link dropped in front of the queue because they were larger than its MTU. Absent without an MTU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_too_large: Option<u64>,
    /// Packets whose ECN field the link cleared (`ecn_bleach`), including packets that were lost afterwards. Absent if
    /// the link clears none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bleached_packets: Option<u64>,
    /// Result of the link budget. Absent for a link without a budget, or one that did not exist in the measured time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetSummary>,
}

/// Result of the link budget of a link in the measured time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetSummary {
    /// Time in which the link existed.
    pub there_s: f64,
    /// Mean rate in that time, including outages.
    pub mean_mbit_s: f64,
    /// Time in which no modulation and code of the ladder was possible: the rate was 0, and packets waited.
    pub outage_s: f64,
    /// Largest difference between Es/N0 in an outage and the threshold of the lowest modulation and code with its
    /// margin; `null` without an outage.
    pub missing_db: Option<f64>,
    /// Time in which the link sent frames that could not be decoded.
    pub frames_lost_s: f64,
}

/// A transmitter that several links share. For a cell it is the beam of the satellite that serves the cell; one
/// satellite serves it at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TransmitterSummary {
    /// The sender and the receiver: "satellite > the cell rioja", "Villenave > its satellites"; for a star "forward
    /// carrier tdm".
    pub name: String,
    /// "beam", "satellite" or "gateway"; "carrier" for a star; "total" for the limit on all beams of a satellite, or on
    /// all links of a gateway.
    pub kind: String,
    /// Number of links that used the transmitter: for a beam one for each site and satellite, for a carrier one for
    /// each branch.
    pub links: u32,
    /// Time after the warm-up in which the transmitter served a site or a satellite.
    pub served_s: f64,
    /// Fraction of that time in which the transmitter was sending, 0 to 1; for a total, the used fraction of its limit.
    pub utilisation: f64,
}

impl LinkSummary {
    /// Whether a packet was ever on the link.
    pub fn carried(&self) -> bool {
        let dropped = self.dropped_queue + self.dropped_error + self.dropped_outage;
        let dropped =
            dropped + self.dropped_policer.unwrap_or_default() + self.dropped_too_large.unwrap_or_default();
        self.utilisation > 0.0 || self.delivered_packets + dropped > 0
    }
}

impl Provenance {
    /// One line of JSON.
    ///
    /// # Panics
    /// Never: every field has a JSON form.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("numbers and strings have a JSON form")
    }
}

impl Summary {
    /// The text of `summary.json`: fields in the order of the structs, numbers that are not finite as `null`.
    ///
    /// # Panics
    /// Never: every field has a JSON form.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("numbers and strings have a JSON form");
        text.push('\n');
        text
    }
}

/// JSON Schema of written JSON, such as [`Summary`]. Keys of unknown numbers are also required.
///
/// # Panics
/// Never: a schema is JSON.
pub fn schema_of<T: JsonSchema>() -> String {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
    text.push('\n');
    text
}
