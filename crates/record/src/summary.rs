// SPDX-License-Identifier: MIT OR Apache-2.0
//! `summary.json`: what a run comes to. Means and counts leave the warm-up out; times count from the run's start.
//!
//! A number that is not defined (the loss ratio of a flow that sent nothing) is `null`, never 0.
//!
//! - A queue limit does not count the packet in transmission (as in ns-2, ns-3 and Linux).
//! - A queue of "1 BDP" is the rate of the link times the longest propagation round trip among the flows at their start: the time
//!   of a packet, which a base round trip has as well, is not in it.
//! - Goodput is new payload that reached the receiver, over the time in which the flow was active after the
//!   warm-up. First copies count whether or not a hole before them is still open, so a repaired hole is not a
//!   burst.
//! - Throughput counts every byte that the sender put on the wire.
//! - A flow is *active* from its start until it is complete, until its last packet has arrived after its `stop`, or until
//!   the run ends. The part of that time after the warm-up is its *measured time*.
//! - Rates and shares of a flow are *known* if its measured time is at least one base round trip (propagation with all that is on
//!   top of it, and one packet on the narrowest link of each connection) and, of a flow that began in the warm-up, holds 50 packets
//!   of the narrowest link; or if all of the flow lies within: it began after the warm-up, and was complete, or stopped at least a
//!   round trip after its start and before the end. Else they are `null`. Counts are always known: a flow that was not
//!   active sent 0 packets.
//! - Rates of all flows together are known if that of one flow is, and that of each other is known or nothing of it arrived. Fairness is that of the flows whose goodput is known.
//! - Bytes of a packet count when it arrives. So a goodput exceeds what links carry by one packet at most, which are 2 % at
//!   most; the sender's throughput may exceed it by what waits in queues or is dropped there.
//! - Serialisation times are rounded to the nanosecond.

use crate::calls::CallSummary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod visits;

pub use visits::{
    AllFilms, AllVisits, BySize, LowPercentiles, Percentiles, RequestCounts, SizeClass, VisitsSummary,
};

/// Version of the schemas of the summary and the tables.
pub const SCHEMA_VERSION: u32 = 12;

/// Where numbers come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Version of Bentpipe.
    pub bentpipe_version: String,
    /// What made the run: version, and the beginning of the fingerprint of everything that makes numbers. Runs of the
    /// same scenario and build are the same.
    pub build: String,
    /// What the transport stood on: "packet simulator".
    pub ground: String,
    /// Name of the scenario.
    pub scenario_name: String,
    /// Root of all random streams.
    pub seed: u64,
    /// How long the run lasted, in virtual time.
    pub duration_s: f64,
    /// Left out of means and counts at the start of the run.
    pub warm_up_s: f64,
    /// Version of this schema.
    pub schema_version: u32,
    /// Digest of everything but the seed that decides the numbers: the resolved scenario, the content of `inputs`, the build
    /// and `controllers`. Left out if nobody can tell what a controller in Python will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// The files that the scenario names, sorted by path; left out if it names none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// The controllers that are not part of the build, sorted by name; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub controllers: Vec<OwnController>,
    /// Reasons why the run is degraded, a sentence each (a missing signal, a substitute for another controller); empty
    /// if it is not.
    pub degraded: Vec<String>,
    /// Notes on the path, for any controller, a sentence each: a link below the ladder of its budget, a trace that
    /// ended, satellites of a catalogue that were left out or have old elements. Left out if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path_notes: Vec<String>,
    /// The preset that the network came from, and how many published numbers it lies inside of ("unvalidated" if there is none);
    /// left out if it came from none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
}

/// A file that a scenario names, as it was when the run was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name, without folders.
    pub file: String,
    /// SHA-256 of its content in hexadecimal digits; `null` if it could not be read.
    pub sha256: Option<String>,
}

/// A controller of the user's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnController {
    /// Its name.
    pub name: String,
    /// SHA-256 of what it does (its code and what that reaches) in hexadecimal digits; `null` if nobody can tell.
    pub sha256: Option<String>,
}

/// Result of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Where these numbers come from.
    pub provenance: Provenance,
    /// What a reader of these numbers must know of how single flows behaved; the warm-up counts.
    pub findings: Vec<Finding>,
    /// The flows by index. Of one that proxies split: packets and bytes sent, round trips and what limited the sender are those
    /// of its sending host, what was delivered, the goodput and the end those of its receiving host; losses, retransmissions,
    /// probes, timeouts, cuts, marks and verdicts are those of all its parts together, the longest recovery that of the part
    /// that had it. Delays, which no packet has from end to end, are `null`.
    pub flows: Vec<FlowSummary>,
    /// The connections that a flow which is split consists of, in order; left out if there are none. The index of the first is
    /// the flow's, those of the others follow on all flows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<FlowSummary>,
    /// What each proxy held of each flow; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proxies: Vec<ProxySummary>,
    /// Transfers that broke because a proxy lost its state, as they broke; left out if none did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<BreakSummary>,
    /// All flows together.
    pub totals: Totals,
    /// The link with the highest utilisation, links of hosts included. A transmitter that links share can be fuller than any of them.
    pub bottleneck: Option<LinkSummary>,
    /// How full the transmitters were that links share (`shared` of a constellation): beams, satellites, gateways, those that
    /// sent something. Left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transmitters: Vec<TransmitterSummary>,
    /// The network's links by index (access links left out); of a constellation those that carried something.
    pub links: Vec<LinkSummary>,
}

/// Something that no transport in use does for so long, or that decides what a flow gets. The run is as it would be without
/// it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Index of the flow; of several flows of one controller of which nothing arrived for the same cause, the first.
    pub flow: u32,
    /// What it is.
    pub kind: FindingKind,
    /// When it began; of a runaway the first time.
    pub since_s: f64,
    /// How long it lasted; of a runaway in all.
    pub lasted_s: f64,
    /// Of a runaway the largest excess: how many times what the path can hold (the window) or carry (the pacing rate). Of a
    /// long recovery its round trips. Of a flow that is not connected the SYNs that it sent. Of visits how many began. Of a
    /// policed flow the data packets that policers dropped. Of a flow that is measured too briefly the round trips for which it
    /// is, of one of which nothing arrived the data packets that it sent; of one that was never measured 0.
    pub magnitude: f64,
    /// In words.
    pub text: String,
}

/// What is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// For over 10 round trips, at every look (each 100 ms), the window was over 8 times the capacity of the path (rate
    /// x base RTT, and its queues), or the pacing rate over 8 times that of the narrowest link. An application has the
    /// window of one of its connections.
    Runaway,
    /// One recovery lasted over 10 round trips.
    LongRecovery,
    /// The timer of a flow's SYN expired, and the connection was not established when the run or the flow ended; of an
    /// application a connection for which at least three SYNs went out.
    NotConnected,
    /// No visit of an application ever began.
    NoVisitBegun,
    /// None was ever done (of films: none ever played): the text says how long the first had, and what an empty path needs.
    NoVisitDone,
    /// Policers dropped more than half of the data packets that the flow lost, and ten at least.
    Policed,
    /// The flow was over when the warm-up ended: its rates are `null`.
    NothingMeasured,
    /// The flow is measured for less than ten base round trips, and not all of it lies in the measured time. Below one its rates
    /// are `null`.
    TooShort,
    /// The flow would start when the run is over.
    NeverStarted,
    /// Nothing of what the flow sent after the warm-up arrived, of a call on one of its ways, in a time that is long enough; or it
    /// sent nothing because it was not connected or waited for its timer. Of an application it is found if packets were lost.
    NothingDelivered,
}

/// One flow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowSummary {
    /// Index of the flow.
    pub flow: u32,
    /// Name.
    pub name: String,
    /// "tcp", "cbr", "ping" or "call"; of applications "transfers", "web", "video" or "requests".
    pub kind: String,
    /// The controller; `null` for what has none.
    pub controller: Option<String>,
    /// Whose TCP: the preset, and what the scenario sets beside it ("linux; delayed_ack = false"); `null` for what is not
    /// TCP.
    pub tcp: Option<String>,
    /// Site where the data comes from; of a call, packets and rates here are those of both ways, delays those from here.
    pub from: String,
    /// Site where it goes.
    pub to: String,
    /// When it started.
    pub start_s: f64,
    /// When it was told to stop, if it was.
    pub stop_s: Option<f64>,
    /// When the last byte of a finite transfer was acknowledged; of a flow that proxies split, when it reached the receiver.
    pub completed_at_s: Option<f64>,
    /// New data that reached the receiver, in order or not; for an application also data that it requested again after
    /// a proxy lost its state. `null` if it is not known: the flow was active after the warm-up for less than a base
    /// round trip or not at all. It is also `null` if the flow began in the warm-up and its narrowest link carries
    /// fewer than 50 packets in the measured time.
    pub goodput_mbit_s: Option<f64>,
    /// What left the sender (of a flow that proxies split: the sending host), headers and retransmissions included; `null` as
    /// the goodput.
    pub throughput_mbit_s: Option<f64>,
    /// Data packets sent.
    pub sent_packets: u64,
    /// Data packets that reached the receiver; echoes that came back.
    pub delivered_packets: u64,
    /// Delivered packets over sent packets. `null` if none was sent, or if fewer were sent than arrived (sent before
    /// the end of the warm-up); for a flow that proxies split (its `parts` have the ratio); and if the goodput is
    /// `null`. Packets under way at the beginning or end of the measured time count on one side only.
    pub delivery_ratio: Option<f64>,
    /// Data packets sent again; of a flow that proxies split by it and by them.
    pub retransmitted_packets: u64,
    /// Low-priority probes (throughput counts their bytes).
    pub probe_packets: u64,
    /// Data packets lost, by true cause; of a flow that proxies split on all its parts.
    pub losses: Losses,
    /// For a flow that proxies split: the ratio of its data packets lost from host to host, 1 − ∏(1 − l), where l is
    /// lost over sent packets of a part. Left out for other flows, where it is lost over sent packets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_ratio: Option<f64>,
    /// Those lost to outages, by what took them; left out if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outages: Option<OutageLosses>,
    /// Packets that the sender declared lost.
    pub losses_detected: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Times the controller reduced its window for a loss, a mark or a timeout. The reductions of one loss episode count
    /// once, in however many steps the window falls (Rapid Start, BBR).
    pub cuts: u64,
    /// Of them, those for an ECN mark.
    pub ecn_cuts: u64,
    /// Data packets that arrived with an ECN mark.
    pub marked_packets: u64,
    /// Packets that acknowledgements told the sender were marked: one by one with `ecn = "accurate"`, else all that an
    /// acknowledgement with a mark covers.
    pub reported_marks: u64,
    /// Reductions undone because the loss proved spurious.
    pub spurious_undone: u64,
    /// What the controller took losses for, against the truth.
    pub verdicts: Verdicts,
    /// Round-trip times measured by the sender.
    pub rtt_ms: Option<Distribution>,
    /// True queueing delay of delivered data packets.
    pub queueing_delay_ms: Option<Distribution>,
    /// Time from sending to arrival of delivered data packets (of echoes: the way there).
    pub one_way_delay_ms: Option<Distribution>,
    /// How much the one-way delays of two packets that arrived one after the other differ (RFC 3393), without its sign.
    pub delay_variation_ms: Option<Distribution>,
    /// Interarrival jitter at the end (RFC 3550, section 6.4.1): the same differences, smoothed by 1/16.
    pub jitter_ms: Option<f64>,
    /// How long the recovery with the most round trips took: from the loss that opened it until all that was outstanding
    /// then was acknowledged, a timeout, or the proof that nothing was lost. The warm-up counts; `null` if there was none.
    pub longest_recovery_s: Option<f64>,
    /// Its round trips, of the smoothed RTT at its beginning.
    pub longest_recovery_rtts: Option<f64>,
    /// Whether the receiver's window ever held the sender back.
    pub receiver_limited: bool,
    /// Share of the time in which the application had nothing to send, 0 to 1; `null` where it is not measured (CBR), and as
    /// the goodput.
    pub app_limited_share: Option<f64>,
    /// What a later connection over the same path may start from, if the controller saves it (`careful_resume`).
    pub saved_path: Option<SavedPathSummary>,
    /// Of an application what its users felt; left out elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visits: Option<VisitsSummary>,
    /// What its users feel, of a call; left out of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Box<CallSummary>>,
}

/// What a proxy held of one flow: bytes that had come in, in order, and were not acknowledged by the next connection's
/// receiver. A TCP flow is one connection, an application has several. The warm-up counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProxySummary {
    /// Index of the flow.
    pub flow: u32,
    /// Its name.
    pub name: String,
    /// Site of the proxy.
    pub at: String,
    /// What it may hold of each connection.
    pub buffer_bytes: u64,
    /// The most that it held of one connection.
    pub most_held_bytes: u64,
    /// The most that it held of all connections of the flow together.
    pub most_held_total_bytes: u64,
    /// What it held of all connections together at the end of the run.
    pub held_at_end_bytes: u64,
}

/// A transfer, or the connections of an application, that broke because a proxy on the way lost its state (RFC 3135, sections
/// 4.1.2 and 4.1.3). The warm-up counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, saved::Plain)]
#[serde(deny_unknown_fields)]
pub struct BreakSummary {
    /// Index of the flow.
    pub flow: u32,
    /// Its name.
    pub name: String,
    /// Where the proxy stood that lost its state.
    pub at: String,
    /// Why: "reset", or "handover" to another gateway.
    pub cause: String,
    /// When.
    pub time_s: f64,
    /// What the proxy held then: bytes that had come in, in order, and were not acknowledged by the next connection's receiver;
    /// and what others held that lost their state before the transfer went on.
    pub held_bytes: u64,
    /// Bytes that the first proxy had taken, and so told the sender to be delivered, and that never reached the receiver by
    /// these connections. What was under way behind the proxy when it lost its state still arrives.
    pub lost_bytes: u64,
    /// When the application began again with the missing data, or users requested it again; `null` if they did not.
    pub again_s: Option<f64>,
    /// From the break until the first byte of the new connection reached the receiver; `null`: none did, or it is an application,
    /// which has many connections.
    pub silent_s: Option<f64>,
    /// Of an application: how many of its connections broke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connections: Option<u64>,
}

/// A path worth remembering: the `saved_path` of a later flow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedPathSummary {
    /// Bytes acknowledged in one round trip.
    pub cwnd_bytes: u64,
    /// Smallest RTT.
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
    /// Dropped by full queues.
    pub queue: u64,
    /// Lost to link errors.
    pub error: u64,
    /// Lost to outages and handovers.
    pub outage: u64,
    /// Dropped by policers; left out if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub policer: u64,
}

/// Packets lost to outages, each by the one thing that took it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutageLosses {
    /// Left over a link that carried nothing: a path had just been switched to it (`handover.outage`), or its trace had ended
    /// (`trace_end = "stop"`).
    pub switch: u64,
    /// Waited for a link, or were on it, when it went away: a satellite, or its beam, out of sight.
    pub link_gone: u64,
    /// Reached a node without a link towards their site: a path did not exist, or not any more from there.
    pub no_path: u64,
    /// Came to a link while a list takes everything (`loss.spans`).
    pub listed: u64,
}

/// Confusion matrix of the controller's verdicts, one count per judgement: `truth_as_verdict`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verdicts {
    /// Dropped by a queue or a policer, taken for congestion.
    pub congestion_as_congestion: u64,
    /// Dropped by a queue or a policer, taken for a link error.
    pub congestion_as_error: u64,
    /// Lost to a link error, taken for one.
    pub error_as_error: u64,
    /// Lost to a link error, taken for congestion.
    pub error_as_congestion: u64,
    /// Declared lost but not lost at all.
    pub spurious: u64,
}

/// Distribution of a measured quantity, in the unit that the field's name gives. Percentiles of packets are within 0.1 %, of up
/// to 10,000 visits exact, of more within 0.05 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Distribution {
    /// How many samples.
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
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
}

/// All flows together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// New data of all flows that reached their receiver, over the whole measured time; `null` if that of no flow is known, or that of a
    /// flow of which something arrived is not.
    pub goodput_mbit_s: Option<f64>,
    /// What left all senders, headers and retransmissions included, over the whole measured time; what proxies send on is not
    /// counted again. `null` as the goodput.
    pub throughput_mbit_s: Option<f64>,
    /// Data packets sent, by hosts.
    pub sent_packets: u64,
    /// Data packets that reached their receiver, a host.
    pub delivered_packets: u64,
    /// Lost data packets over sent ones, of flows that proxies split by their `loss_ratio`; `null` if none was sent, if all
    /// are under way, or if fewer were sent than were lost, which had been sent before the warm-up ended.
    pub loss_ratio: Option<f64>,
    /// The part of it dropped by full queues.
    pub loss_ratio_queue: Option<f64>,
    /// The part of it lost to link errors.
    pub loss_ratio_error: Option<f64>,
    /// The part of it lost to outages.
    pub loss_ratio_outage: Option<f64>,
    /// The part of it dropped by policers; left out if no link of the network and no host has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_ratio_policer: Option<f64>,
    /// Jain's fairness index of the TCP flows' goodput (each over its own active time), (Σx)²/(n·Σx²), of those for which it is
    /// known; `null` if nothing was delivered, and if it is known for one of several.
    pub jain_index: Option<f64>,
    /// Events that the engine worked off.
    pub events: u64,
    /// Packets times links passed.
    pub packet_hops: u64,
}

/// One direction of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkSummary {
    /// Index of the link.
    pub link: u32,
    /// Name.
    pub name: String,
    /// Share of the time spent transmitting, 0 to 1. A link transmits nothing while its rate is zero, as it is while a budget
    /// leaves it no modulation and code; what is in transmission then waits.
    pub utilisation: f64,
    /// Mean waiting time of the packets whose transmission began in the measured time, where it is measured; `null` if none
    /// did. What still waits at the end is not in it.
    pub mean_queue_ms: Option<f64>,
    /// Packets that reached the far end.
    pub delivered_packets: u64,
    /// Packets dropped by the full queue, or by what manages it.
    pub dropped_queue: u64,
    /// Of these, acknowledgements that went for a newer one (`acks`).
    #[serde(default)]
    pub thinned_acks: u64,
    /// Packets lost to link errors.
    pub dropped_error: u64,
    /// Packets lost to outages.
    pub dropped_outage: u64,
    /// Packets that its policer dropped before the queue; left out of links without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_policer: Option<u64>,
    /// Packets whose ECN field it cleared (`ecn_bleach`), those lost afterwards included; left out of links that clear none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bleached_packets: Option<u64>,
    /// What its budget came to; left out of links without one, and of those that were not there in the measured time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetSummary>,
}

/// What the link budget of a link came to in the measured time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetSummary {
    /// How long the link was there.
    pub there_s: f64,
    /// Its mean rate in that time, that of outages included.
    pub mean_mbit_s: f64,
    /// How long no modulation and code of its ladder held: its rate was 0, and packets waited.
    pub outage_s: f64,
    /// How much Es/N0 was then below the lowest one with its margin, at most; `null` without an outage.
    pub missing_db: Option<f64>,
    /// How long it sent frames that could not be decoded.
    pub frames_lost_s: f64,
}

/// A transmitter that links share. Of a cell it is the beam of whichever satellite served it: one at a time does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TransmitterSummary {
    /// Who sends and who receives: "satellite > the cell rioja", "Villenave > its satellites"; of a star "forward carrier tdm".
    pub name: String,
    /// "beam", "satellite", "gateway", or "carrier" of a star; or "total": what all beams of a satellite, or all links of a gateway, may send together.
    pub kind: String,
    /// How many links had a part of it: of a beam one for each site and satellite, of a carrier one for each branch.
    pub links: u32,
    /// How long it served after the warm-up: a site or satellite was reached through it.
    pub served_s: f64,
    /// Share of that time spent transmitting, 0 to 1; of a total the share of what it allows.
    pub utilisation: f64,
}

impl LinkSummary {
    /// Whether anything was ever on the link.
    pub fn carried(&self) -> bool {
        let dropped = self.dropped_queue + self.dropped_error + self.dropped_outage;
        let dropped = dropped + self.dropped_policer.unwrap_or_default();
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

/// JSON Schema of what is written, such as [`Summary`]: every key is there, also that of a number that is not known.
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
