// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events that a sender reports to the engine, in addition to segments.

use control::LossVerdict;
use units::Span;

/// An event inside a sender.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum Event {
    /// A segment was declared lost because of the receiver's reports. This event is always recorded.
    Loss {
        /// Number of the segment.
        seq: u64,
        /// Number of the transmission. All transmissions of this sender are counted from zero.
        tx: u64,
        /// The controller's verdict, if the controller judged this loss. It judges only one loss of an episode. Its
        /// verdict also applies to all other losses of the episode.
        verdict: Option<LossVerdict>,
    },
    /// The sender answered a mark (ECN) with a reduction. If the reduction changed the window, the event `Cut` follows.
    /// This event is always recorded.
    Marked,
    /// The controller reduced the window because of a loss episode, a mark or a timeout. Only the first reduction of an
    /// episode is recorded.
    Cut {
        /// Window before, in segments.
        before: f64,
        /// Window after, in segments.
        after: f64,
    },
    /// The retransmission timer expired.
    Timeout,
    /// The newest episode proved to be spurious.
    Spurious,
    /// The window was reduced because it was not used.
    Unused {
        /// Window before, in segments.
        before: f64,
        /// Window after, in segments.
        after: f64,
    },
    /// The phase of the controller has changed.
    Phase(&'static str),
    /// All data of a finite transfer are acknowledged.
    Complete,
}

/// Counters of one sender. The unit is segments, unless the comment of a counter states another unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, saved::Plain)]
pub struct SenderStats {
    /// All transmissions, including retransmissions.
    pub sent: u64,
    /// All transmissions, including retransmissions, in bytes of payload.
    pub sent_bytes: u64,
    /// Retransmissions.
    pub retransmitted: u64,
    /// Low-priority probes.
    pub probes: u64,
    /// Window probes. They are sent while the receiver's window is closed.
    pub window_probes: u64,
    /// SYNs, including repetitions. SYNs are not part of any other counter. The data that a SYN carried are part of the
    /// counters in bytes.
    pub syns: u64,
    /// Data that were acknowledged, cumulatively or selectively, in bytes of payload.
    pub delivered_bytes: u64,
    /// Segments declared lost because of the receiver's reports.
    pub lost: u64,
    /// Total time in which the application had nothing to send, in nanoseconds. The sum ends when the newest new
    /// segment was sent.
    pub app_limited_ns: u64,
    /// Total time in which the receiver's window, and not the congestion window, kept new data back, in nanoseconds.
    /// The sum ends when the newest new segment was sent.
    pub receiver_limited_ns: u64,
    /// Segments that were presumed lost because the retransmission timer expired.
    pub presumed_lost: u64,
    /// Number of recovery episodes that were begun by a loss.
    pub episodes: u64,
    /// Number of losses that the controller judged as link errors.
    pub link_errors: u64,
    /// Number of expirations of the retransmission timer.
    pub timeouts: u64,
    /// Number of episodes that proved to be spurious.
    pub spurious: u64,
    /// Tail loss probes.
    pub tail_probes: u64,
    /// Number of times that the receiver's window, and not the congestion window, stopped the sender.
    pub receiver_limited: u64,
    /// Number of acknowledgements that reported marks.
    pub ece_acks: u64,
    /// Number of packets that acknowledgements reported as marked. With AccECN, this is the counted number. Without
    /// AccECN, it is the number of packets that the acknowledgement newly covers.
    pub marks: u64,
    /// Number of reductions that were caused by marks.
    pub ecn_cuts: u64,
    /// Number of acknowledgements that were received.
    pub acks: u64,
    /// Number of duplicate acknowledgements.
    pub duplicate_acks: u64,
    /// Length of the finished recovery that took the most round trips. A recovery begins with a loss. It ends when all
    /// data that were outstanding at its beginning are acknowledged, when a timeout occurs, or when the losses prove to
    /// be spurious.
    pub longest_recovery: Span,
    /// Length of the recovery of `longest_recovery`, in units of the smoothed RTT at its beginning.
    pub longest_recovery_rtts: f64,
}
