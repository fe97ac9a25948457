// SPDX-License-Identifier: MIT OR Apache-2.0
//! Startup, and the estimator of a full pipe, which also ends ProbeBW_UP (section 5.3.1).

use super::{Bbr3, Sample, State};

/// If the delivery rate grows by this factor in a round, it still grows (section 5.3.1.2).
const FULL_BW_GROWTH: f64 = 1.25;
/// After this number of rounds without this growth, the pipe is full.
const FULL_BW_COUNT: u32 = 3;
/// BBRStartupFullLossCnt: the number of lost ranges in a round that ends Startup if the loss rate is high.
const STARTUP_FULL_LOSS_COUNT: u32 = 6;

/// The full-pipe estimator.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct FullPipe {
    /// BBR.full_bw, bytes/s: the rate to which the growth is compared.
    pub(super) bw: f64,
    /// BBR.full_bw_count: number of rounds without growth.
    pub(super) count: u32,
    /// BBR.full_bw_now: whether the pipe was full since the estimator was last reset.
    pub(super) now: bool,
    /// BBR.full_bw_reached: whether the pipe was full at least once in this connection.
    pub(super) reached: bool,
}

impl FullPipe {
    /// ResetFullBW(). `baseline` is the rate that the next rounds have to exceed.
    pub(super) const fn reset(&mut self, baseline: f64) {
        self.bw = baseline;
        self.count = 0;
        self.now = false;
    }
}

impl Bbr3 {
    /// EnterStartup(): begins Startup.
    pub(super) const fn enter_startup(&mut self) {
        self.state = State::Startup;
    }

    /// CheckFullBWReached(): counts rounds without growth, and detects a full pipe.
    pub(super) fn check_full_bw_reached(&mut self, rs: &Sample) {
        let full = &mut self.full_pipe;
        if full.now || !self.rounds.start || rs.is_app_limited {
            return;
        }
        if rs.delivery_rate >= full.bw * FULL_BW_GROWTH {
            full.reset(rs.delivery_rate);
            return;
        }
        full.count += 1;
        full.now = full.count >= FULL_BW_COUNT;
        full.reached |= full.now;
    }

    /// CheckStartupDone(): begins Drain when the pipe is full.
    pub(super) fn check_startup_done(&mut self, rs: &Sample) {
        self.check_startup_high_loss(rs);
        if self.state == State::Startup && self.full_pipe.reached {
            self.enter_drain();
        }
    }

    /// CheckStartupHighLoss(), section 5.3.1.3. It acts in fast recovery, at the end of a round that began with a loss.
    fn check_startup_high_loss(&mut self, rs: &Sample) {
        if self.state == State::Startup && !self.full_pipe.reached && rs.in_recovery {
            let enough = if self.parameters.selective_acks {
                self.congestion.loss_round_start
                    && self.congestion.ranges_lost_in_round >= STARTUP_FULL_LOSS_COUNT
                    && self.is_inflight_too_high(rs.lost, rs.tx_in_flight)
            } else {
                self.congestion.ranges_lost_in_round > 0
            };
            if enough {
                if let Some(undo) = &mut self.undo {
                    undo.state = Some(State::Startup);
                }
                self.full_pipe.now = true;
                self.full_pipe.reached = true;
                let bdp = self.bdp_multiple(self.bw, 1.0);
                self.inflight_longterm = bdp.max(self.congestion.inflight_latest);
            }
        }
        if self.congestion.loss_round_start {
            self.congestion.ranges_lost_in_round = 0;
        }
    }
}
