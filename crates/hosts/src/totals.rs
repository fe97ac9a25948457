// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counts of a flow, and its events.

use super::Metered;
use control::LossVerdict;
use engine::{Cause, Drops};
use units::{Bytes, Time};

/// Counts of the data that one flow has sent and received so far.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub struct FlowTotals {
    /// Counts of the sender, or of both ends of a call. Packets that were dropped count in both directions.
    pub sent: SourceTotals,
    /// Counts of the receiver, or of both ends of a call. For echoes, these are the counts of the returned packets.
    pub received: Received,
}

impl FlowTotals {
    /// Returns the totals of connection `number`, whose endpoints have the numbers 2 x `number` and 2 x `number` + 1.
    pub fn of<E: Metered>(endpoints: &[E], number: usize) -> Self {
        let (source, sink) = (&endpoints[2 * number], &endpoints[2 * number + 1]);
        let (mut sent, back) = (source.totals(), sink.totals());
        // For all other kinds of flows, packets in the reverse direction are not data of the flow.
        if sink.call().is_some() || sink.tap().is_some() {
            sent.sent_packets += back.sent_packets;
            sent.sent_bytes += back.sent_bytes;
        }
        sent.dropped = std::array::from_fn(|cause| sent.dropped[cause] + back.dropped[cause]);
        let (there, back) = (sink.received(), source.received());
        let received = Received {
            packets: there.packets + back.packets,
            marked: there.marked,
            delivered: there.delivered + back.delivered,
            last_arrival: there.last_arrival.max(back.last_arrival),
            whole_at: there.whole_at,
        };
        Self { sent, received }
    }

    /// Returns the totals of a split flow from host to host. They are computed from the totals of its connections, in
    /// order. The first connection determines what was sent, and the last connection determines what was delivered.
    /// Events on the way are summed over all connections.
    pub fn whole(connections: impl IntoIterator<Item = Self>) -> Self {
        let add = |flow: Self, next: Self| Self {
            sent: flow.sent.and_on_the_way(&next.sent),
            received: Received { marked: flow.received.marked + next.received.marked, ..next.received },
        };
        connections.into_iter().reduce(add).unwrap_or_default()
    }
}

/// In-order bytes that wait in a proxy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Largest number of bytes of all connections together.
    pub most: Bytes,
    /// Largest number of bytes of one connection.
    pub most_of_one: Bytes,
    /// Current number of bytes of all connections together.
    pub now: Bytes,
}

/// Totals of a receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Received {
    /// Number of data packets that arrived.
    pub packets: u64,
    /// Number of data packets that arrived with an ECN mark.
    pub marked: u64,
    /// Payload that arrived for the first time, in order or not.
    pub delivered: Bytes,
    /// Time at which the last data packet arrived.
    pub last_arrival: Time,
    /// Time at which the complete transfer had arrived, if this time is needed.
    pub whole_at: Option<Time>,
}

/// Totals of a sender so far.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub struct SourceTotals {
    /// Number of data packets sent.
    pub sent_packets: u64,
    /// Number of bytes sent on the wire, including probes and packets of a set-up.
    pub sent_bytes: u64,
    /// Number of retransmissions among the sent packets.
    pub retransmitted: u64,
    /// Number of low-priority probes. They are not included in the number of packets.
    pub probes: u64,
    /// Number of data packets that were dropped on the way, by [`Cause`].
    pub dropped: Drops,
    /// Number of packets that were declared lost.
    pub losses_detected: u64,
    /// Number of retransmission timeouts.
    pub timeouts: u64,
    /// Number of window reductions. At most one is counted per loss episode, mark or timeout.
    pub cuts: u64,
    /// Number of window reductions after ECN marks.
    pub ecn_cuts: u64,
    /// Number of packets that acknowledgements reported as marked.
    pub reported_marks: u64,
    /// Number of reductions that were undone.
    pub undone: u64,
    /// Comparison of the loss verdicts with the true causes.
    pub verdicts: Verdicts,
}

impl SourceTotals {
    /// Returns the counts of this sender. The events and drops on the connection of `next` are added.
    fn and_on_the_way(&self, next: &Self) -> Self {
        Self {
            sent_packets: self.sent_packets,
            sent_bytes: self.sent_bytes,
            retransmitted: self.retransmitted + next.retransmitted,
            probes: self.probes + next.probes,
            dropped: std::array::from_fn(|cause| self.dropped[cause] + next.dropped[cause]),
            losses_detected: self.losses_detected + next.losses_detected,
            timeouts: self.timeouts + next.timeouts,
            cuts: self.cuts + next.cuts,
            ecn_cuts: self.ecn_cuts + next.ecn_cuts,
            reported_marks: self.reported_marks + next.reported_marks,
            undone: self.undone + next.undone,
            verdicts: self.verdicts.and(&next.verdicts),
        }
    }
}

/// Comparison of the controller's loss verdicts with the true causes. The name of each field is `truth_as_verdict`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Verdicts {
    /// Truth: dropped by a queue or a policer. Verdict: congestion.
    pub congestion_as_congestion: u64,
    /// Truth: dropped by a queue or a policer. Verdict: link error.
    pub congestion_as_error: u64,
    /// Truth: damaged on a link. Verdict: link error.
    pub error_as_error: u64,
    /// Truth: damaged on a link. Verdict: congestion.
    pub error_as_congestion: u64,
    /// Truth: the packet was not lost. A verdict was given.
    pub spurious: u64,
}

impl Verdicts {
    fn and(&self, other: &Self) -> Self {
        Self {
            congestion_as_congestion: self.congestion_as_congestion + other.congestion_as_congestion,
            congestion_as_error: self.congestion_as_error + other.congestion_as_error,
            error_as_error: self.error_as_error + other.error_as_error,
            error_as_congestion: self.error_as_congestion + other.error_as_congestion,
            spurious: self.spurious + other.spurious,
        }
    }
}

/// An event and its time. It is a row in the table of events.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct FlowEvent {
    /// Time of the event.
    pub at: Time,
    /// Kind of the event.
    pub what: FlowEventKind,
}

/// Kind of an event of a flow.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum FlowEventKind {
    /// The flow starts.
    Start,
    /// The flow stops sending new data.
    Stop,
    /// A packet was declared lost. The values are the true cause (`None` if the packet was not lost), and the
    /// controller's verdict (`None` if the controller was not asked).
    Loss(Option<Cause>, Option<LossVerdict>),
    /// The sender reacted to an ECN mark.
    Marked,
    /// The window was cut. The values are the segments before and after.
    Cut(f64, f64),
    /// The window was reduced because it had not been used. The values are the segments before and after.
    Unused(f64, f64),
    /// The retransmission timer expired.
    Timeout,
    /// A reduction was undone.
    Spurious,
    /// The controller changed to the phase with this name.
    Phase(&'static str),
    /// The path changed.
    Path,
    /// All bytes of the transfer are acknowledged.
    Complete,
}
