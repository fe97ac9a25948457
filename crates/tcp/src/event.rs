// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events that a sender reports to the engine, in addition to segments.

use control::LossVerdict;
use units::Span;

/// Something that happened inside a sender.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum Event {
    /// A segment was declared lost by the receiver's reports (always recorded).
    Loss {
        /// Number of the segment.
        seq: u64,
        /// Number of the transmission, counted from zero over everything this sender sends.
        tx: u64,
        /// The controller's verdict, if it was asked: one loss of an episode is judged, and the rest follow it.
        verdict: Option<LossVerdict>,
    },
    /// A mark (ECN) was answered by a reduction. If the reduction changed the window, a cut follows (always recorded).
    Marked,
    /// The controller cut the window: the first reduction for a loss episode, a mark or a timeout.
    Cut {
        /// Window before, in segments.
        before: f64,
        /// Window after, in segments.
        after: f64,
    },
    /// The retransmission timer expired.
    Timeout,
    /// The newest episode proved spurious.
    Spurious,
    /// The window was not used, and was reduced.
    Unused {
        /// Window before, in segments.
        before: f64,
        /// Window after, in segments.
        after: f64,
    },
    /// The phase of the controller has changed.
    Phase(&'static str),
    /// A finite transfer is acknowledged to its last byte.
    Complete,
}

/// Counters of one sender, in segments unless they say bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, saved::Plain)]
pub struct SenderStats {
    /// Transmissions, retransmissions included.
    pub sent: u64,
    /// Payload bytes of all transmissions.
    pub sent_bytes: u64,
    /// Retransmissions.
    pub retransmitted: u64,
    /// Low-priority probes.
    pub probes: u64,
    /// Probes of a closed window.
    pub window_probes: u64,
    /// SYNs, including repetitions; they count nowhere else, except the data that a SYN carried (in bytes).
    pub syns: u64,
    /// Payload bytes acknowledged, cumulatively or selectively.
    pub delivered_bytes: u64,
    /// Declared lost by the receiver's reports.
    pub lost: u64,
    /// Time in which the application had nothing to send, nanoseconds, up to the last new segment.
    pub app_limited_ns: u64,
    /// Presumed lost because the retransmission timer expired.
    pub presumed_lost: u64,
    /// Recovery episodes opened by a loss.
    pub episodes: u64,
    /// Losses that the controller judged as link errors.
    pub link_errors: u64,
    /// Expirations of the retransmission timer.
    pub timeouts: u64,
    /// Episodes that proved spurious.
    pub spurious: u64,
    /// Tail loss probes.
    pub tail_probes: u64,
    /// Times the receiver's window, not the congestion window, stopped the sender.
    pub receiver_limited: u64,
    /// Acknowledgements that reported marks.
    pub ece_acks: u64,
    /// Packets that they reported: all that such an acknowledgement newly covers, or the counted number (AccECN).
    pub marks: u64,
    /// Reductions that they caused.
    pub ecn_cuts: u64,
    /// Acknowledgements received.
    pub acks: u64,
    /// Duplicate acknowledgements among them.
    pub duplicate_acks: u64,
    /// Length of the finished recovery that took the most round trips: from the loss that opened it until all data
    /// outstanding then were acknowledged, or a timeout, or the proof that nothing was lost.
    pub longest_recovery: Span,
    /// Its round trips, in units of the smoothed RTT at its beginning.
    pub longest_recovery_rtts: f64,
}
