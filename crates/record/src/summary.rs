// SPDX-License-Identifier: MIT OR Apache-2.0
//! `summary.json`, the results of a run. Means and counts exclude the warm-up. Times are measured from the start of the
//! run.
//!
//! A number that is not defined is `null`, never 0. An example is the loss ratio of a flow that sent nothing.
//!
//! - A queue limit does not include the packet in transmission (as in ns-2, ns-3 and Linux).
//! - A queue of "1 BDP" is the rate of the link times the longest propagation round trip of the flows at their start.
//!   In contrast to a base round trip, this round trip excludes the transmission time of a packet.
//! - *Goodput* is the rate of new payload that reached the receiver, over the measured time of the flow. The first copy
//!   of each byte counts when it arrives, even if an earlier byte is missing. Therefore goodput has no burst when a gap
//!   is filled.
//! - *Throughput* is the rate of all bytes that the sender sent, over the same time.
//! - Totals over all flows are called *delivered* and *sent*. They are rates over the time of the run after the
//!   warm-up, including times in which a flow was not active.
//! - A flow is *active* from its start. If it completes, it is active until it is complete. If it has a `stop`, it is
//!   active until its last packet has arrived after this time. Otherwise it is active until the run ends. Its *measured
//!   time* is the part of this time after the warm-up.
//! - The *base round trip* is the propagation delay with all fixed delays, plus a transmission time. The transmission
//!   time is that of one packet on the narrowest link of each connection.
//! - Rates and shares of a flow are *known* under one of two conditions; otherwise they are `null`. (1) The measured
//!   time of the flow is at least one base round trip. If the flow began in the warm-up, the narrowest link must also
//!   carry at least 50 packets in that time. (2) The whole flow is in the measured time. It began after the warm-up and
//!   was complete before the end of the run. Instead of being complete, it may have stopped, at least one round trip
//!   after its start. Counts are always known: a flow that was not active sent 0 packets.
//! - Total rates are known if the rate of at least one flow is known. In addition, every other flow must have a known
//!   rate, or have delivered nothing. The fairness index includes all flows with a known goodput.
//! - All bytes of a packet count at its arrival. Therefore a goodput can exceed the rate of the links by one packet, at
//!   most 2 %. The throughput of a sender can exceed the rate by the packets that wait in queues or are dropped there.
//! - Serialisation times are rounded to the nanosecond.

use crate::calls::CallSummary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod visits;

pub use visits::{
    AllFilms, AllVisits, BySize, LowPercentiles, Percentiles, RequestCounts, SizeClass, VisitsSummary,
};

/// Version of the schemas of the summary and the tables.
pub const SCHEMA_VERSION: u32 = 14;

/// The origin of the numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Version of Bentpipe.
    pub bentpipe_version: String,
    /// Version of the program, and the beginning of the fingerprint of all code that affects numbers. Two runs with the
    /// same scenario and build are identical.
    pub build: String,
    /// Platform: "packet simulator", "emulator" or "kernel" (a trace of connections of this machine).
    pub platform: String,
    /// How well the emulator kept time, and on which machine. Absent for other platforms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emulator: Option<EmulatorFacts>,
    /// What was traced, and on which machine. Absent for other platforms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<KernelFacts>,
    /// Name of the scenario.
    pub scenario_name: String,
    /// Seed of all random streams.
    pub seed: u64,
    /// Duration of the run in virtual time.
    pub duration_s: f64,
    /// Length of the first part of the run, which means and counts exclude.
    pub warm_up_s: f64,
    /// Version of this schema.
    pub schema_version: u32,
    /// Digest of everything that affects the numbers, except the seed: the resolved scenario, the content of `inputs`,
    /// the build and `controllers`. Absent if a controller in Python depends on code that cannot be determined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// The files that the scenario names, sorted by path. Absent if the scenario names no files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// The controllers that are not part of the build, sorted by name. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub controllers: Vec<OwnController>,
    /// Reasons why the run is degraded, one sentence each: for example a missing signal, or a substitute for another
    /// controller. Empty if the run is not degraded.
    pub degraded: Vec<String>,
    /// Notes on the path that apply to any controller, one sentence each. Examples: the Es/N0 of a link was below every
    /// threshold of its ladder, a trace ended, or satellites of a catalogue were left out. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path_notes: Vec<String>,
    /// The preset of the network, and the number of published values that it matches ("unvalidated" if no values were
    /// published). Absent without a preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
}

/// How well the emulator kept time. Lateness is the time from the moment at which a packet was due at an interface
/// until it was written to the interface.
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
    /// Packets whose address belongs to no site, or to a site that no flow connects to the sender's site.
    pub unroutable_packets: u64,
    /// Share of the processors' time in which they were idle, 0 to 1.
    pub idle_processors: f64,
}

/// A trace of TCP connections in a kernel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KernelFacts {
    /// Release of the kernel.
    pub kernel: String,
    /// Number of processors.
    pub processors: u32,
    /// Name of the controller in the kernel.
    pub controller: String,
    /// Reports of the kernel about connections: one for each ACK, change of state, start and end.
    pub reports: u64,
    /// Reports that are missing because the buffer was full.
    pub missed_reports: u64,
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
    /// SHA-256 of the controller's code and of the code that it uses, in hexadecimal digits; `null` if this code cannot
    /// be determined.
    pub sha256: Option<String>,
}

/// Result of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// The origin of the numbers.
    pub provenance: Provenance,
    /// Unusual behaviour of single flows that affects the interpretation of the numbers. Findings include the warm-up.
    pub findings: Vec<Finding>,
    /// The flows by index. If proxies split a flow, its numbers are measured at different hosts. Sent packets and
    /// bytes, round trips and the limit of the sender are measured at the sending host. Delivered data, goodput and
    /// completion are measured at the receiving host. Losses, retransmissions, probes, timeouts, cuts, marks and
    /// verdicts are sums over all parts. The longest recovery is the longest recovery of any part. Delays are `null`,
    /// because no packet travels from end to end.
    pub flows: Vec<FlowSummary>,
    /// The connections of the flows that proxies split, in order. The index of the first connection is the index of its
    /// flow. The indices of the other connections follow the index of the last flow. Absent if no flow is split.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<FlowSummary>,
    /// The buffer use of each proxy by each flow. Absent if there are no proxies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proxies: Vec<ProxySummary>,
    /// Transfers that were interrupted because a proxy lost its state, in order of time. Absent if no transfer was
    /// interrupted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<BreakSummary>,
    /// Totals over all flows.
    pub totals: Totals,
    /// The link or shared transmitter with the highest utilisation, including links of hosts. If several are equal, a
    /// shared transmitter counts.
    pub bottleneck: Option<Bottleneck>,
    /// The link with the highest utilisation, including links of hosts. If several links share a transmitter, the
    /// utilisation of the transmitter can exceed the utilisation of each link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busiest_link: Option<LinkSummary>,
    /// Utilisation of the transmitters that links share (`shared` of a constellation): beams, satellites and gateways
    /// that sent something. Absent if no links share a transmitter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transmitters: Vec<TransmitterSummary>,
    /// The links of the network by index, without access links. For a constellation, only links that carried packets.
    pub links: Vec<LinkSummary>,
}

/// Behaviour of a flow that no real transport shows for long (such as a recovery of over 10 round trips), or an event
/// that determines the numbers of the flow. A finding does not change the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Index of the flow. Flows with the same controller that delivered nothing for the same cause share one finding,
    /// with the index of the first of these flows.
    pub flow: u32,
    /// Kind of the finding.
    pub kind: FindingKind,
    /// Time at which the behaviour began; for a runaway, the time at which it first began.
    pub since_s: f64,
    /// Duration of the behaviour; for a runaway, the total duration.
    pub lasted_s: f64,
    /// A number whose meaning depends on the kind. Runaway: largest ratio of the window to the capacity of the path, or
    /// of the pacing rate to the rate of the path. Long recovery: its length in round trips. Not connected: number of
    /// SYNs. Visits: number of visits that began. Policed: number of data packets that policers dropped. Too large:
    /// number of data packets that exceeded an MTU. Too short: measured time in round trips. Nothing delivered: number
    /// of data packets that were sent. Receive window: largest fraction of the active time of a flow. Never measured and
    /// connection closed: 0.
    pub magnitude: f64,
    /// The finding in words.
    pub text: String,
}

/// Kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// For more than 10 round trips, one of two ratios exceeded 8 at every check (every 100 ms). The first ratio is the
    /// window divided by the capacity of the path (rate x base RTT, plus its queues). The second ratio is the pacing
    /// rate divided by the rate of the narrowest link. For an application, the window is the window of one of its
    /// connections.
    Runaway,
    /// One recovery lasted more than 10 round trips.
    LongRecovery,
    /// The timer of a flow's SYN expired, and the connection was not established when the run or the flow ended. For an
    /// application, at least three SYNs were sent for a connection.
    NotConnected,
    /// No visit of an application ever began.
    NoVisitBegun,
    /// Visits began, but none was done: no visit was completed (for films: no film played). The text contains the time
    /// that the first visit had, and the time that this visit takes on an empty path.
    NoVisitDone,
    /// Policers dropped more than half of the data packets that the flow lost, and at least ten packets.
    Policed,
    /// Links dropped data packets of the flow that were larger than the MTU of the link. Probes of path MTU discovery
    /// also count.
    TooLarge,
    /// The flow ended before the end of the warm-up. Its rates are `null`.
    NothingMeasured,
    /// The flow is measured for less than ten base round trips, and not all of it is in the measured time. If the
    /// measured time is less than one round trip, its rates are `null`.
    TooShort,
    /// The flow's start is after the end of the run.
    NeverStarted,
    /// The flow sent data after the warm-up and had enough time, but nothing arrived (for a call: nothing arrived in
    /// one direction). This finding also occurs if the flow sent nothing, because it was not connected or waited for
    /// its timer. For an application, this finding occurs only if packets were lost.
    NothingDelivered,
    /// The QUIC library closed the connection of a flow, because of a timeout or an error.
    ConnectionClosed,
    /// The receive window of a TCP flow is smaller than the bandwidth-delay product of its path. It kept new data back
    /// for at least a tenth of the flow's active time. For a split flow, the window of its slowest connection counts,
    /// which can be the buffer of a proxy. Flows with the same controller and window share one finding, with the index
    /// of the first of these flows.
    ReceiveWindow,
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
    /// The controller; `null` for a flow without a controller.
    pub controller: Option<String>,
    /// The TCP settings of the flow: the preset, followed by the keys that the scenario also sets ("linux; delayed_ack
    /// = false"). `null` for other transports.
    pub tcp: Option<String>,
    /// Only for QUIC: the settings, and results that exist only for QUIC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quic: Option<Box<QuicSummary>>,
    /// Site of the sender. For a call, packets and rates are sums over both directions, and delays are measured in the
    /// direction from this site.
    pub from: String,
    /// Site of the receiver.
    pub to: String,
    /// Start of the flow.
    pub start_s: f64,
    /// Time at which the flow stops (`stop`); `null` for a flow without `stop`.
    pub stop_s: Option<f64>,
    /// Time at which the last byte of a finite transfer was acknowledged. If proxies split the flow, the time at which
    /// the last byte reached the receiver.
    pub completed_at_s: Option<f64>,
    /// Rate of new data that reached the receiver, in order or not, while the flow was active. For an application, this
    /// includes data that was requested again after a proxy lost its state. `null` if the flow was active after the
    /// warm-up for less than one base round trip. Also `null` if the flow began in the warm-up and its narrowest link
    /// carries fewer than 50 packets in the measured time.
    pub goodput_mbit_s: Option<f64>,
    /// Rate at which the sender sent, with headers and retransmissions. For a split flow, the sender is the sending
    /// host. `null` under the same conditions as `goodput_mbit_s`.
    pub throughput_mbit_s: Option<f64>,
    /// Data packets sent.
    pub sent_packets: u64,
    /// Data packets that reached the receiver; for a ping, echoes that returned.
    pub delivered_packets: u64,
    /// Delivered packets divided by sent packets. A packet that is in flight at the beginning or at the end of the
    /// measured time counts only as delivered or only as sent. `null` if no packet was sent, if more packets arrived
    /// than were sent, if proxies split the flow (its `parts` have the ratio), or if the goodput is `null`.
    pub delivery_ratio: Option<f64>,
    /// Retransmitted data packets; for a split flow, including retransmissions by proxies.
    pub retransmitted_packets: u64,
    /// Low-priority probes. The throughput includes their bytes.
    pub probe_packets: u64,
    /// Lost data packets by true cause; for a split flow, over all its parts.
    pub losses: Losses,
    /// Only for a flow that proxies split: its loss ratio from host to host, 1 − ∏(1 − l), where l is the loss ratio of
    /// a part. For other flows, the loss ratio is lost packets divided by sent packets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_ratio: Option<f64>,
    /// Packets lost to outages, by cause. Absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outages: Option<OutageLosses>,
    /// Only over a constellation: number of handovers of the flow's path in its measured time. A handover is a change
    /// of the satellite that serves one of the ends. If the path was interrupted before the change, the change is not a
    /// handover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handovers: Option<u64>,
    /// Packets that the sender declared lost.
    pub losses_detected: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Number of window reductions after a loss, a mark or a timeout. All reductions in one loss episode count as one
    /// reduction, even if the window falls in several steps (Rapid Start, BBR).
    pub cuts: u64,
    /// Number of `cuts` that ECN marks caused.
    pub ecn_cuts: u64,
    /// Data packets that arrived with an ECN mark.
    pub marked_packets: u64,
    /// Packets that the sender counts as marked, from the acknowledgements. With `ecn = "accurate"`, this is each
    /// marked packet. Otherwise, this is all packets that an acknowledgement with a mark covers.
    pub reported_marks: u64,
    /// Window reductions that were undone because the loss was spurious.
    pub spurious_undone: u64,
    /// The controller's verdicts on losses, compared with the true causes.
    pub verdicts: Verdicts,
    /// Round-trip times that the sender measured.
    pub rtt_ms: Option<Distribution>,
    /// True queueing delay of delivered data packets.
    pub queueing_delay_ms: Option<Distribution>,
    /// Time from sending to arrival of delivered data packets; for a ping, of the echo requests.
    pub one_way_delay_ms: Option<Distribution>,
    /// Absolute difference between the one-way delays of two packets that arrived one after the other (RFC 3393).
    pub delay_variation_ms: Option<Distribution>,
    /// Interarrival jitter at the end of the run (RFC 3550, section 6.4.1): the differences of `delay_variation_ms`,
    /// smoothed with a gain of 1/16.
    pub jitter_ms: Option<f64>,
    /// Duration of the recovery with the most round trips, in the whole run including the warm-up. A recovery begins
    /// with a loss. It ends when all data that was outstanding at this loss is acknowledged, at a timeout, or when the
    /// loss turns out to be spurious. `null` if there was no recovery.
    pub longest_recovery_s: Option<f64>,
    /// Duration of the longest recovery, divided by the smoothed round-trip time at its beginning.
    pub longest_recovery_rtts: Option<f64>,
    /// Whether the receiver's window ever limited the sender.
    pub receiver_limited: bool,
    /// Fraction of the flow's active time in which the receiver's window, and not the congestion window, stopped the
    /// sender, 0 to 1. For a split flow, it is measured at the sending host. Only for TCP flows with a known goodput.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver_limited_share: Option<f64>,
    /// Fraction of the time in which the application had no data to send, 0 to 1. `null` for CBR, because the fraction
    /// is not measured there. Also `null` under the same conditions as `goodput_mbit_s`.
    pub app_limited_share: Option<f64>,
    /// The path state from which a later connection over the same path can start, if the controller saves such state
    /// (`careful_resume`).
    pub saved_path: Option<SavedPathSummary>,
    /// Only for an application: the quality of service for its users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visits: Option<Box<VisitsSummary>>,
    /// Only for a call: the quality of the call for its users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Box<CallSummary>>,
}

/// A QUIC connection. The other fields of its flow count packets that require an acknowledgement. A packet that was
/// declared lost counts as retransmitted, because its frames are sent again. A probe timeout (RFC 9002, section 6.2)
/// counts as a timeout, although it does not reduce the window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuicSummary {
    /// The keys that the scenario sets in the table `quic` ("quic; keys = null").
    pub settings: String,
    /// The QUIC library with its version.
    pub library: String,
    /// Time from the start of the flow until the handshake of the sender was complete. `null` if the handshake was
    /// never complete. Also `null` for an application, because an application has many connections.
    pub handshake_s: Option<f64>,
    /// Largest UDP payload at the end of the run. Path MTU discovery may have raised it.
    pub datagram_bytes: u32,
    /// Number of times that flow control of the connection or of a stream stopped the sender (number of frames
    /// `DATA_BLOCKED` and `STREAM_DATA_BLOCKED`).
    pub blocked: u64,
    /// Number of persistent congestions (RFC 9002, section 7.6).
    pub persistent_congestions: u64,
    /// Number of congestion events that turned out to be spurious, as counted by the library.
    pub spurious_events: u64,
    /// Reason why the library closed the connection. For an application, the reason of the first closed connection.
    /// `null` if the library closed no connection.
    pub closed: Option<String>,
    /// Time at which the library closed the connection (see `closed`).
    pub closed_at_s: Option<f64>,
    /// Number of connections that the library closed. Users repeat the requests of a closed connection on another
    /// connection.
    pub closed_connections: u64,
}

/// The buffer use of a proxy by one flow. The buffer holds bytes that the proxy received in order and that the receiver
/// of the next connection has not acknowledged yet. A TCP flow has one connection, and an application has several. The
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
    /// Maximum of the bytes in the buffer for one connection.
    pub most_held_bytes: u64,
    /// Maximum of the sum of bytes in the buffers for all connections of the flow.
    pub most_held_total_bytes: u64,
    /// Sum of the bytes in the buffers for all connections at the end of the run.
    pub held_at_end_bytes: u64,
    /// Maximum of the sum of bytes in all buffers of the proxy at one time, for all connections of all flows. The sum
    /// over flows is taken every 100 ms, so a shorter peak of several flows can be missed; the maximum is at least
    /// `most_held_total_bytes` of each flow. All rows of a proxy have the same number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_held_by_all_flows_bytes: Option<u64>,
}

/// A transfer, or connections of an application, that were interrupted because a proxy on the path lost its state (RFC
/// 3135, sections 4.1.2 and 4.1.3). The warm-up counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, saved::Plain)]
#[serde(deny_unknown_fields)]
pub struct BreakSummary {
    /// Index of the flow.
    pub flow: u32,
    /// Name of the flow.
    pub name: String,
    /// Site of the proxy that lost its state.
    pub at: String,
    /// "reset", or "handover" if another gateway took over.
    pub cause: String,
    /// Time of the interruption.
    pub time_s: f64,
    /// Bytes in the buffer of the proxy: received in order, and not yet acknowledged by the receiver of the next
    /// connection. If other proxies lost their state before the transfer continued, their bytes are included.
    pub held_bytes: u64,
    /// Bytes that the first proxy had acknowledged to the sender and that never reached the receiver over these
    /// connections. Data in flight behind the proxy still arrives.
    pub lost_bytes: u64,
    /// Time at which the application sent the missing data again, or users requested it again; `null` if the data was
    /// not sent again.
    pub again_s: Option<f64>,
    /// Time from the interruption until the first byte of the new connection reached the receiver. `null` if no byte
    /// reached it. Also `null` for an application, because an application has many connections.
    pub silent_s: Option<f64>,
    /// Only for an application: number of its connections that were interrupted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connections: Option<u64>,
}

/// The properties of a path that a later flow can use (key `saved_path`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedPathSummary {
    /// Bytes acknowledged in one round trip.
    pub cwnd_bytes: u64,
    /// Smallest round-trip time.
    pub rtt_ms: f64,
}

/// Returns whether a count is left out because it is zero.
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

/// Packets lost to outages. Each packet counts under exactly one cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutageLosses {
    /// Packets lost on a link while the link carried nothing. The cause is a handover to this link (`handover.outage`),
    /// or the end of the link's trace (`trace_end = "stop"`).
    pub switch: u64,
    /// Packets that waited for a link, or were on it, when the link ceased to exist because its satellite or beam went
    /// out of sight.
    pub link_gone: u64,
    /// Packets lost at a node from which no path to their destination existed.
    pub no_path: u64,
    /// Packets that arrived at a link in an interval in which this link loses all packets (`loss.spans`).
    pub listed: u64,
}

/// Number of losses by true cause and by verdict of the controller. The names of the fields have the form
/// `cause_as_verdict`. Each verdict counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verdicts {
    /// Packets that a queue or a policer dropped, and whose loss the controller classified as congestion.
    pub congestion_as_congestion: u64,
    /// Packets that a queue or a policer dropped, and whose loss the controller classified as a link error.
    pub congestion_as_error: u64,
    /// Packets lost to a link error, whose loss the controller also classified as a link error.
    pub error_as_error: u64,
    /// Packets lost to a link error, whose loss the controller classified as congestion.
    pub error_as_congestion: u64,
    /// Packets that were declared lost but were not lost.
    pub spurious: u64,
}

/// Distribution of a measured quantity, in the unit of the field's name. Percentiles over packets are accurate to 0.1
/// %. Percentiles over visits are exact for up to 10,000 visits, and accurate to 0.05 % for more visits.
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
    /// New data of all flows that reached their receivers, divided by the time of the run after the warm-up. In
    /// contrast to a goodput, this rate includes the time in which no flow was active. `null` if no flow has a known
    /// goodput, or if a flow that delivered data has no known goodput.
    pub delivered_mbit_s: Option<f64>,
    /// Data that all senders sent, with headers and retransmissions, divided by the time of the run after the warm-up.
    /// Data that proxies forward is not counted again. `null` under the same conditions as `delivered_mbit_s`.
    pub sent_mbit_s: Option<f64>,
    /// Data packets that sending hosts sent.
    pub sent_packets: u64,
    /// Data packets that reached their receiving hosts.
    pub delivered_packets: u64,
    /// Lost data packets divided by sent data packets. For flows that proxies split, their `loss_ratio` is used. `null`
    /// if no packet was sent, or if all packets are in flight. Also `null` if more packets were lost than sent, because
    /// some of the lost packets were sent in the warm-up.
    pub loss_ratio: Option<f64>,
    /// The part of `loss_ratio` caused by drops in queues.
    pub loss_ratio_queue: Option<f64>,
    /// The part of `loss_ratio` caused by link errors.
    pub loss_ratio_error: Option<f64>,
    /// The part of `loss_ratio` caused by outages.
    pub loss_ratio_outage: Option<f64>,
    /// The part of `loss_ratio` caused by policers. Absent if no link and no host has a policer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_ratio_policer: Option<f64>,
    /// The part of `loss_ratio` caused by packets larger than the MTU of a link. Absent if no link has an MTU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_ratio_too_large: Option<f64>,
    /// Jain's fairness index (Σx)²/(n·Σx²) of the goodput of the TCP flows, each over its own active time. Flows
    /// without a known goodput are left out. `null` if nothing was delivered, or if there are several flows but only
    /// one of them has a known goodput.
    pub jain_index: Option<f64>,
    /// Events that the engine processed.
    pub events: u64,
    /// Sum, over all packets, of the number of links that the packet passed.
    pub packet_hops: u64,
}

/// The link or shared transmitter with the highest utilisation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bottleneck {
    /// Name of the link or of the shared transmitter.
    pub name: String,
    /// The kind: "link", or the kind of the shared transmitter ("beam", "satellite", "gateway", "carrier", "total").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Fraction of the time in which the link or the transmitter transmitted, 0 to 1, as in the summary of this link or
    /// transmitter.
    pub utilisation: f64,
}

/// One direction of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkSummary {
    /// Index of the link.
    pub link: u32,
    /// Name of the link.
    pub name: String,
    /// Fraction of the time in which the link transmitted, 0 to 1. The rate can be zero, for example because the budget
    /// allows no MODCOD. The link then does not transmit, and a packet in transmission waits.
    pub utilisation: f64,
    /// Mean waiting time of the packets whose transmission began in the measured time; `null` if there are no such
    /// packets. Packets that still wait at the end of the run are not included.
    pub mean_queue_ms: Option<f64>,
    /// Packets that reached the far end.
    pub delivered_packets: u64,
    /// Packets dropped because the queue was full, or by active queue management (AQM).
    pub dropped_queue: u64,
    /// Acknowledgements that the link dropped because a newer acknowledgement replaced them (`acks`). They are a part
    /// of `dropped_queue`.
    #[serde(default)]
    pub thinned_acks: u64,
    /// Packets lost to link errors.
    pub dropped_error: u64,
    /// Packets lost to outages.
    pub dropped_outage: u64,
    /// Packets that the link's policer dropped in front of the queue. Absent without a policer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_policer: Option<u64>,
    /// Packets that the link dropped in front of the queue because they were larger than its MTU. Absent without an
    /// MTU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_too_large: Option<u64>,
    /// Packets whose ECN field the link cleared (`ecn_bleach`), including packets that were lost later. Absent if the
    /// link does not clear the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bleached_packets: Option<u64>,
    /// Result of the link budget. Absent for a link that has no budget, or that did not exist in the measured time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetSummary>,
}

/// Result of the link budget of a link, in the measured time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetSummary {
    /// Time in which the link existed.
    pub there_s: f64,
    /// Mean rate while the link existed, including outages.
    pub mean_mbit_s: f64,
    /// Time in which no MODCOD of the ladder was possible. The rate was 0, and packets waited.
    pub outage_s: f64,
    /// Largest difference by which Es/N0 was below the lowest threshold of the ladder (with the margin) in an outage;
    /// `null` if there was no outage.
    pub missing_db: Option<f64>,
    /// Time in which the link sent frames that could not be decoded.
    pub frames_lost_s: f64,
}

/// A transmitter that several links share. For a cell, the transmitter is the beam of the satellite that serves the
/// cell at that time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TransmitterSummary {
    /// The sender and the receiver: "satellite > the cell rioja", "Villenave > its satellites". For a star: "forward
    /// carrier tdm".
    pub name: String,
    /// "beam", "satellite" or "gateway". "carrier" for a star. "total" for the common limit of all beams of a
    /// satellite, or of all links of a gateway.
    pub kind: String,
    /// Number of links that used the transmitter. A beam has one link for each site and satellite, and a carrier one
    /// link for each branch.
    pub links: u32,
    /// Time after the warm-up in which the transmitter served a site or a satellite.
    pub served_s: f64,
    /// Fraction of the time `served_s` in which the transmitter was sending, 0 to 1. For a total, the fraction of the
    /// limit that was used.
    pub utilisation: f64,
}

impl LinkSummary {
    /// Returns whether the link ever carried a packet.
    pub fn carried(&self) -> bool {
        let dropped = self.dropped_queue + self.dropped_error + self.dropped_outage;
        let dropped =
            dropped + self.dropped_policer.unwrap_or_default() + self.dropped_too_large.unwrap_or_default();
        self.utilisation > 0.0 || self.delivered_packets + dropped > 0
    }
}

impl Provenance {
    /// Returns one line of JSON.
    ///
    /// # Panics
    /// Never: every field has a JSON form.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("numbers and strings have a JSON form")
    }
}

impl Summary {
    /// Returns the text of `summary.json`. Fields are in the order of the structs. Numbers that are not finite are
    /// `null`.
    ///
    /// # Panics
    /// Never: every field has a JSON form.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("numbers and strings have a JSON form");
        text.push('\n');
        text
    }
}

/// Returns the JSON Schema of a type that is written as JSON, such as [`Summary`]. A key is required even if its number
/// may be unknown.
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
