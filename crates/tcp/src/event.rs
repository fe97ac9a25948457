// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events that a sender reports to the engine, in addition to segments.

use control::LossVerdict;
use units::Span;

/// Something that happened inside a sender.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum Event {
    /// A segment was declared lost because of the receiver's reports (always recorded).
    Loss {
        /// Number of the segment.
        seq: u64,
        /// Number of the transmission, counted from zero over all transmissions of this sender.
        tx: u64,
        /// The controller's verdict, if the loss was judged. Only one loss of an episode is judged; the verdict applies
        /// to the others too.
        verdict: Option<LossVerdict>,
    },
    /// A mark (ECN) was answered with a reduction. If the reduction changed the window, a cut follows (always
    /// recorded).
    Marked,
    /// The controller reduced the window: the first reduction for a loss episode, a mark or a timeout.
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
    /// A finite transfer is completely acknowledged.
    Complete,
}

/// Counters of one sender. The unit is segments unless the comment states bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, saved::Plain)]
pub struct SenderStats {
    /// Transmissions, including retransmissions.
    pub sent: u64,
    /// Payload bytes of all transmissions.
    pub sent_bytes: u64,
    /// Retransmissions.
    pub retransmitted: u64,
    /// Low-priority probes.
    pub probes: u64,
    /// Window probes, sent while the receiver's window is closed.
    pub window_probes: u64,
    /// SYNs, including repetitions. They are not included in any other counter, except the data that a SYN carried (in
    /// bytes).
    pub syns: u64,
    /// Payload bytes acknowledged, cumulatively or selectively.
    pub delivered_bytes: u64,
    /// Segments declared lost because of the receiver's reports.
    pub lost: u64,
    /// Time until the last new segment in which the application had nothing to send, nanoseconds.
    pub app_limited_ns: u64,
    /// Segments presumed lost because the retransmission timer expired.
    pub presumed_lost: u64,
    /// Recovery episodes that a loss began.
    pub episodes: u64,
    /// Losses that the controller judged as link errors.
    pub link_errors: u64,
    /// Expirations of the retransmission timer.
    pub timeouts: u64,
    /// Episodes that proved spurious.
    pub spurious: u64,
    /// Tail loss probes.
    pub tail_probes: u64,
    /// Number of times that the receiver's window, not the congestion window, stopped the sender.
    pub receiver_limited: u64,
    /// Acknowledgements that reported marks.
    pub ece_acks: u64,
    /// Packets that these acknowledgements reported as marked: all packets that an acknowledgement newly covers, or the
    /// counted number (AccECN).
    pub marks: u64,
    /// Reductions caused by marks.
    pub ecn_cuts: u64,
    /// Acknowledgements received.
    pub acks: u64,
    /// Duplicate acknowledgements.
    pub duplicate_acks: u64,
    /// Length of the finished recovery that took the most round trips. A recovery lasts from the loss that began it
    /// until all data that were outstanding then are acknowledged, until a timeout, or until the losses prove spurious.
    pub longest_recovery: Span,
    /// Length of this recovery in units of the smoothed RTT at its beginning.
    pub longest_recovery_rtts: f64,
}
