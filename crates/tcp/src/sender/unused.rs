// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reactions to a window that was not used: slow start after idle, and reductions in application-limited time.

use super::{Mode, Sender};
use crate::AfterIdle;
use crate::event::Event;
use control::Unused;
use units::{Span, Time};

impl Sender {
    /// Adapts the window after a pause, before the first segment is sent.
    #[cold]
    pub(super) fn restart_after_idle(&mut self, now: Time) {
        if self.config.slow_start_after_idle == AfterIdle::Rfc7661 {
            self.adjust_unvalidated(now);
            return;
        }
        let (rto, pause) = (self.timer.rto(), now.since(self.sent.last_at));
        if pause <= rto {
            return;
        }
        let (window, restart) = (self.cc.window, self.restart_window());
        match self.config.slow_start_after_idle {
            AfterIdle::Keep | AfterIdle::Rfc7661 => {}
            AfterIdle::Rfc5681 => self.shrink(now, restart, false),
            AfterIdle::Linux => self.shrink(now, halved(window, pause, rto).max(restart), true),
        }
    }

    /// Processes a segment that was sent. If the window was larger than the amount sent for a whole timeout, because
    /// the application has no more data to send, the window is reduced (Linux, `tcp_cwnd_validate()`).
    pub(super) fn note_unused(&mut self, now: Time) {
        let (limited, outstanding) = (self.cc.is_window_limited(), self.board.outstanding());
        let usage = &mut self.cc.usage;
        if limited {
            (usage.used, usage.limited_at) = (0, now);
            return;
        }
        usage.used = usage.used.max(outstanding);
        let used = usage.used.max(self.config.initial_window.into());
        // Linux checks this condition after a burst was sent, in the state Open.
        let open = self.recovery.mode == Mode::Open && self.board.sacked_out() == 0;
        if now.since(usage.limited_at) < self.timer.rto() || !open || self.has_data(now) {
            return;
        }
        (self.cc.usage.used, self.cc.usage.limited_at) = (0, now);
        if used < self.cc.window {
            self.shrink(now, self.cc.window.midpoint(used), true);
        }
    }

    /// The restart window of RFC 5681, section 4.1: RW = min(IW, cwnd).
    fn restart_window(&self) -> u64 {
        self.cc.window.min(self.config.initial_window.into())
    }

    /// Requests a window of at most `segments`. If `remembers` is true, the threshold is at least three quarters of the
    /// old window (RFC 7661, section 4.4.3; Linux, `tcp_current_ssthresh()`).
    pub(super) fn shrink(&mut self, now: Time, segments: u64, remembers: bool) {
        let (before, window) = (self.cc.control.cwnd, self.cc.window);
        if segments >= window {
            return;
        }
        let ssthresh = remembers.then(|| self.bytes_of(window / 2 + window / 4));
        let event = Unused { now, cwnd: self.bytes_of(segments), ssthresh, most: None };
        self.tell(now, |controller, control| controller.on_unused(&event, control));
        let after = self.cc.control.cwnd;
        if after < before {
            let mss = self.config.mss;
            self.log.note(Event::Unused { before: before.segments(mss), after: after.segments(mss) });
        }
    }
}

/// Halves the window once for each complete timeout of the pause (Linux, `tcp_cwnd_restart()`).
fn halved(window: u64, pause: Span, rto: Span) -> u64 {
    let timeouts = pause.nanos().saturating_sub(1) / rto.nanos().max(1);
    window.checked_shr(u32::try_from(timeouts).unwrap_or(u32::MAX)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected: Linux 6.1 at 20 Mbit/s and 100 ms (`data/linux/openings.parquet`). With a timeout of 304 ms, a pause
    /// of 750 ms reduces a window of 50 to 12.
    #[test]
    fn a_pause_halves_the_window_once_per_timeout() {
        let ms = Span::from_millis;
        assert_eq!(halved(50, ms(750), ms(304)), 12);
        assert_eq!(halved(50, ms(304), ms(304)), 50);
        assert_eq!(halved(50, ms(305), ms(304)), 25);
        assert_eq!(halved(50, ms(3_600_000), ms(304)), 0);
    }
}
