// SPDX-License-Identifier: MIT OR Apache-2.0
//! A closed window (RFC 9293, section 3.8.6.1): what opens it again may be lost, so the sender asks now and then. The
//! retransmission timer, which has nothing else to do then, says when.

use super::{Sender, Stage};
use crate::{Segment, SegmentKind};
use units::Time;

/// The question whether the window is open.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Persist {
    /// A probe is to leave.
    pub(super) asks: bool,
    /// Probes in a row.
    times: u32,
}

impl Sender {
    /// The window is closed: with nothing outstanding whose acknowledgement would tell of it, a probe will leave, after a
    /// retransmission timeout at first, then at exponentially growing intervals.
    #[cold]
    pub(super) fn persist(&mut self, now: Time) {
        if self.board.outstanding() == 0 && self.rto_at == Time::MAX && self.stage == Stage::Running {
            let wait = self.rtt.rto() * (1 << self.persist.times.min(16));
            self.rto_at = now + wait.min(self.config.max_rto);
        }
    }

    /// The timer has expired with nothing outstanding.
    #[cold]
    pub(super) fn wonder_at_window(&mut self) {
        let closed = self.board.next() >= self.receive_limit && self.board.next() < self.sizes.end;
        self.persist.asks = closed && self.stage == Stage::Running;
        self.persist.times += u32::from(self.persist.asks);
    }

    /// Data leave again.
    pub(super) fn end_persist(&mut self) {
        self.persist = Persist::default();
        self.rto_at = Time::MAX;
    }

    /// A probe without data: the receiver answers with its window.
    #[cold]
    pub(super) fn ask_for_window(&mut self, now: Time) -> Segment {
        self.persist.asks = false;
        self.stats.window_probes += 1;
        let seq = self.board.una() as u32;
        Segment { timestamp: now, seq, kind: SegmentKind::WindowProbe, ..Segment::default() }
    }
}
