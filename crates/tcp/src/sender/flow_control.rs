// SPDX-License-Identifier: MIT OR Apache-2.0
//! Flow control: the receiver's window.
//!
//! A window update may be lost, so the sender probes a closed window (RFC 9293, section 3.8.6.1). The retransmission
//! timer schedules the probes. It would otherwise be idle.

use super::{Sender, Stage};
use crate::{Segment, SegmentKind};
use units::Time;

/// The receiver's window.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub(super) struct FlowControl {
    /// The receiver accepts only segments below this number.
    pub(super) limit: u64,
    /// Whether a window probe must be sent.
    pub(super) asks: bool,
    /// Number of consecutive window probes.
    pub(super) times: u32,
}

impl Sender {
    /// Starts the timer for a window probe, because the window is closed. This is needed only if no outstanding segment
    /// will cause an update. The first probe is sent after a retransmission timeout. The intervals between later probes
    /// grow exponentially.
    #[cold]
    pub(super) fn persist(&mut self, now: Time) {
        if self.board.outstanding() == 0
            && self.timer.due == Time::MAX
            && self.connection.stage == Stage::Running
        {
            let wait = self.timer.rto() * (1 << self.flow.times.min(16));
            self.timer.due = now + wait.min(self.config.max_rto);
        }
    }

    /// Handles an expired timer if no data are outstanding.
    #[cold]
    pub(super) fn wonder_at_window(&mut self) {
        let closed = self.board.next() >= self.flow.limit && self.board.next() < self.buffer.end;
        self.flow.asks = closed && self.connection.stage == Stage::Running;
        self.flow.times += u32::from(self.flow.asks);
    }

    /// Ends the window probes, because data are sent again.
    pub(super) fn end_persist(&mut self) {
        self.flow = FlowControl { limit: self.flow.limit, ..FlowControl::default() };
        self.timer.stop();
    }

    /// Returns a window probe without data. The receiver answers with its window.
    #[cold]
    pub(super) fn ask_for_window(&mut self, now: Time) -> Segment {
        self.flow.asks = false;
        self.log.stats.window_probes += 1;
        let seq = self.board.una() as u32;
        Segment { timestamp: now, seq, kind: SegmentKind::WindowProbe, ..Segment::default() }
    }
}
