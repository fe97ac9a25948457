// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts of a flow, and its events.

use super::Metered;
use control::LossVerdict;
use engine::{Cause, Drops};
use units::{Bytes, Time};

/// The data that one flow has sent and received so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowTotals {
    /// Of the sender, or of both ends of a call; packets dropped in either direction.
    pub sent: SourceTotals,
    /// Of the receiver, or of both ends of a call; for echoes, what returned to their sender.
    pub received: Received,
}

impl FlowTotals {
    /// The totals of number k, whose endpoints are 2k and 2k+1.
    pub fn of<E: Metered>(endpoints: &[E], number: usize) -> Self {
        let (source, sink) = (&endpoints[2 * number], &endpoints[2 * number + 1]);
        let (mut sent, back) = (source.totals(), sink.totals());
        // For other kinds, packets in the reverse direction are not data of the flow.
        if sink.call().is_some() {
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

    /// The totals of a flow from host to host, from those of its connections in order. The first sends for it, and the
    /// last delivers. Events on the way are summed over all connections.
    pub fn whole(connections: impl IntoIterator<Item = Self>) -> Self {
        let add = |flow: Self, next: Self| Self {
            sent: flow.sent.and_on_the_way(&next.sent),
            received: Received { marked: flow.received.marked + next.received.marked, ..next.received },
        };
        connections.into_iter().reduce(add).unwrap_or_default()
    }
}

/// The data that a receiver received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Received {
    /// Data packets that arrived.
    pub packets: u64,
    /// Of them, those with an ECN mark.
    pub marked: u64,
    /// New payload bytes: first copies, in order or not.
    pub delivered: Bytes,
    /// When the last of them arrived.
    pub last_arrival: Time,
    /// When the last byte of a transfer had arrived, if this is needed.
    pub whole_at: Option<Time>,
}

/// Running totals of a sender.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub struct SourceTotals {
    /// Data packets sent.
    pub sent_packets: u64,
    /// Bytes sent, on the wire, probes and the packets of a set-up included.
    pub sent_bytes: u64,
    /// Of the packets, the retransmissions.
    pub retransmitted: u64,
    /// Low-priority probes that were also sent.
    pub probes: u64,
    /// Data packets dropped on the way, by [`Cause`].
    pub dropped: Drops,
    /// Packets declared lost.
    pub losses_detected: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Reductions of the window, one for each loss episode, mark or timeout that caused any.
    pub cuts: u64,
    /// ECN marks answered by a reduction.
    pub ecn_cuts: u64,
    /// Packets that acknowledgements reported as marked.
    pub reported_marks: u64,
    /// Reductions undone.
    pub undone: u64,
    /// Verdicts against truth.
    pub verdicts: Verdicts,
}

impl SourceTotals {
    /// The data of this sender, with the drops on the connection of `next`.
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

/// How the controller's verdicts compare with the truth, one count per judgement (`truth_as_verdict`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Verdicts {
    /// Judged congestion, and a queue or a policer dropped it.
    pub congestion_as_congestion: u64,
    /// Queue losses judged link error.
    pub congestion_as_error: u64,
    /// Link errors judged link error.
    pub error_as_error: u64,
    /// Link errors judged congestion.
    pub error_as_congestion: u64,
    /// Judged, but the packet was not lost.
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

/// Something worth a row in the table of events.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct FlowEvent {
    /// When.
    pub at: Time,
    /// What.
    pub what: FlowEventKind,
}

/// An event of a flow.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum FlowEventKind {
    /// It began.
    Start,
    /// It stops sending new data.
    Stop,
    /// A packet was declared lost: the true cause (`None`: it was not lost) and the controller's verdict, if it was
    /// asked.
    Loss(Option<Cause>, Option<LossVerdict>),
    /// An ECN mark was answered.
    Marked,
    /// The window was cut: segments before and after.
    Cut(f64, f64),
    /// The window was reduced after it had not been used: segments before and after.
    Unused(f64, f64),
    /// The retransmission timer expired.
    Timeout,
    /// A reduction was undone.
    Spurious,
    /// The controller changed its phase.
    Phase(&'static str),
    /// The path changed.
    Path,
    /// Every byte of the transfer is acknowledged.
    Complete,
}
