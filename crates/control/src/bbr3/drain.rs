// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drain: empties the queue that Startup built (section 5.3.2).

use super::{Bbr3, Sample, State};

/// Largest number of rounds of Drain. If the queue is not empty after these rounds, the bandwidth was overestimated.
const MAX_ROUNDS: u64 = 3;

impl Bbr3 {
    /// EnterDrain(): begins Drain.
    pub(super) const fn enter_drain(&mut self) {
        self.state = State::Drain;
        self.drain_start_round = self.rounds.count;
    }

    /// CheckDrainDone(): ends Drain when the queue is empty, or after [`MAX_ROUNDS`].
    pub(super) fn check_drain_done(&mut self, rs: &Sample) {
        if self.state == State::Drain
            && (rs.in_flight <= self.inflight(self.bw, 1.0)
                || self.rounds.count > self.drain_start_round + MAX_ROUNDS)
        {
            self.start_probe_bw_down(rs.now);
        }
    }
}
