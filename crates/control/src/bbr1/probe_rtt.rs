// SPDX-License-Identifier: MIT OR Apache-2.0
//! PROBE_RTT: for at least 200 ms and at least one round, the window is too small to cause a queue.

use units::{Span, Time};

/// Progress of PROBE_RTT (draft, `BBRHandleProbeRTT()`).
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct ProbeRtt {
    until: Option<Time>,
    round_done: bool,
}

/// Result of an ACK in PROBE_RTT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// PROBE_RTT continues.
    Stay,
    /// The flight has fallen to the small window. The required round begins now.
    BeginRound,
    /// PROBE_RTT is over.
    Leave,
}

impl ProbeRtt {
    /// PROBE_RTT begins.
    pub const fn enter(&mut self) {
        self.until = None;
        self.round_done = false;
    }

    /// Processes an ACK. `small` is true if the data in flight do not exceed the small window. `duration` is the
    /// shortest time at this window.
    pub fn on_ack(&mut self, now: Time, small: bool, round_start: bool, duration: Span) -> Step {
        let Some(until) = self.until else {
            if !small {
                return Step::Stay;
            }
            self.until = Some(now + duration);
            return Step::BeginRound;
        };
        self.round_done |= round_start;
        if self.round_done && now > until { Step::Leave } else { Step::Stay }
    }

    /// Whether the time at the small window has passed, even if the required round has not ended. Linux tests this when
    /// sending resumes.
    pub fn time_is_over(&self, now: Time) -> bool {
        self.until.is_some_and(|until| now > until)
    }
}
