// SPDX-License-Identifier: MIT OR Apache-2.0
//! ProbeBW: DOWN, CRUISE, REFILL, UP (section 5.3.3).

use super::{Bbr3, Sample, State};
use random::Draw as _;
use units::{Span, Time};

/// Pacing gain in DOWN (section 5.3.3.1).
pub(super) const DOWN_PACING_GAIN: f64 = 0.9;
/// Pacing gain in UP (section 5.3.3.5).
pub(super) const UP_PACING_GAIN: f64 = 1.25;
/// Addition to the default window gain in UP. The total is 2.25 (section 5.3.3.5).
pub(super) const UP_CWND_GAIN_EXTRA: f64 = 0.25;
/// T_reno_bound, in rounds. In this time, a Reno flow with 25 Mbit/s and 30 ms can grow (section 5.3.3.8.3).
const MAX_RENO_ROUNDS: f64 = 63.0;
/// Largest exponent of the growth of `inflight_longterm` (RaiseInflightLongtermSlope()).
const MAX_UP_ROUNDS: u32 = 30;

/// BBR.ack_phase: which part of the probe the arriving ACKs report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub(super) enum AckPhase {
    /// ACKS_INIT: the ACKs do not report a probe.
    #[default]
    Init,
    /// ACKS_REFILLING: the ACKs report packets of REFILL.
    Refilling,
    /// ACKS_PROBE_STARTING: packets of the probe were sent, but their ACKs have not arrived yet.
    ProbeStarting,
    /// ACKS_PROBE_FEEDBACK: the ACKs report packets of the probe.
    ProbeFeedback,
    /// ACKS_PROBE_STOPPING: the probe is over, but ACKs of its packets still arrive.
    ProbeStopping,
}

/// State of the cycle (section 2.14). Amounts are in bytes.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Cycle {
    pub(super) ack_phase: AckPhase,
    pub(super) is_bw_probe_sample: bool,
    bw_probe_up_acked: f64,
    pub(super) probe_up_acked_per_inc: f64,
    bw_probe_up_rounds: u32,
    pub(super) rounds_since_probe_up: u64,
    bw_probe_wait: Span,
    /// BBR.cycle_stamp: when DOWN began.
    stamp: Time,
    pub(super) prev_probe_too_high: bool,
    prev_probe_precautionary: bool,
}

impl Default for Cycle {
    fn default() -> Self {
        Self {
            ack_phase: AckPhase::Init,
            is_bw_probe_sample: false,
            bw_probe_up_acked: 0.0,
            probe_up_acked_per_inc: f64::INFINITY,
            bw_probe_up_rounds: 0,
            rounds_since_probe_up: 0,
            bw_probe_wait: Span::ZERO,
            stamp: Time::ZERO,
            prev_probe_too_high: false,
            prev_probe_precautionary: false,
        }
    }
}

impl Bbr3 {
    /// StartProbeBW_DOWN() and EnterProbeBW(): begins DOWN and a new cycle.
    pub(super) fn start_probe_bw_down(&mut self, now: Time) {
        self.congestion.reset_signals();
        self.cycle.probe_up_acked_per_inc = f64::INFINITY;
        self.pick_probe_wait();
        self.cycle.stamp = now;
        self.cycle.ack_phase = AckPhase::ProbeStopping;
        self.start_round();
        self.state = State::ProbeBwDown;
    }

    /// StartProbeBW_CRUISE(): begins CRUISE.
    pub(super) const fn start_probe_bw_cruise(&mut self) {
        self.state = State::ProbeBwCruise;
    }

    /// StartProbeBW_REFILL(): begins REFILL and removes the short-term bounds.
    pub(super) const fn start_probe_bw_refill(&mut self) {
        self.congestion.reset_short_term_model();
        self.cycle.bw_probe_up_rounds = 0;
        self.cycle.bw_probe_up_acked = 0.0;
        self.cycle.prev_probe_precautionary = false;
        self.cycle.ack_phase = AckPhase::Refilling;
        self.start_round();
        self.state = State::ProbeBwRefill;
    }

    /// StartProbeBW_UP(): begins UP.
    fn start_probe_bw_up(&mut self, rs: &Sample) {
        self.cycle.ack_phase = AckPhase::ProbeStarting;
        self.start_round();
        self.full_pipe.reset(rs.delivery_rate);
        self.state = State::ProbeBwUp;
        self.raise_inflight_longterm_slope();
    }

    /// UpdateProbeBWCyclePhase(): decides whether the next phase of the cycle begins.
    pub(super) fn update_probe_bw_cycle_phase(&mut self, rs: &Sample) {
        if !self.full_pipe.reached || self.adapt_long_term_model(rs) {
            return;
        }
        match self.state {
            State::ProbeBwDown => {
                if self.is_time_to_probe_bw(rs.now) {
                    self.start_probe_bw_refill();
                } else if self.is_time_to_cruise(rs) {
                    self.start_probe_bw_cruise();
                }
            }
            State::ProbeBwCruise => {
                if self.is_time_to_probe_bw(rs.now) {
                    self.start_probe_bw_refill();
                }
            }
            State::ProbeBwRefill => {
                if self.rounds.start {
                    self.cycle.is_bw_probe_sample = true;
                    self.start_probe_bw_up(rs);
                }
            }
            State::ProbeBwUp => {
                if self.is_time_to_go_down(rs) {
                    self.cycle.prev_probe_too_high = false;
                    self.start_probe_bw_down(rs.now);
                }
            }
            State::Startup | State::Drain | State::ProbeRtt => {}
        }
    }

    /// PickProbeWait(): the wait is 2 to 3 s, or 62 or 63 rounds.
    fn pick_probe_wait(&mut self) {
        self.cycle.rounds_since_probe_up = self.random.word() & 1;
        let chance = Span::from_secs_f64(self.random.fraction());
        self.cycle.bw_probe_wait = self.parameters.probe_wait + chance;
    }

    /// IsTimeToProbeBW(), without the change of state.
    fn is_time_to_probe_bw(&self, now: Time) -> bool {
        // IsRenoCoexistenceProbeTime(): the number of rounds that Reno needs equals the number of segments in its BDP.
        let rounds = (self.target_inflight() / self.smss).min(MAX_RENO_ROUNDS);
        now > self.cycle.stamp + self.cycle.bw_probe_wait || self.cycle.rounds_since_probe_up as f64 >= rounds
    }

    /// IsTimeToCruise(): the flight leaves headroom, and the queue is empty.
    fn is_time_to_cruise(&self, rs: &Sample) -> bool {
        rs.in_flight <= self.inflight_with_headroom() && rs.in_flight <= self.inflight(self.max_bw.get(), 1.0)
    }

    /// IsTimeToGoDown(): whether UP ends.
    fn is_time_to_go_down(&mut self, rs: &Sample) -> bool {
        // Precautionary probing: one more segment would exceed the amount in flight that was too high before.
        if self.cycle.prev_probe_too_high && rs.in_flight_before + self.smss > self.inflight_longterm {
            self.cycle.prev_probe_precautionary = true;
            return true;
        }
        if rs.is_cwnd_limited && self.cwnd >= self.inflight_longterm {
            // The rate cannot grow because the window limits it.
            self.full_pipe.reset(rs.delivery_rate);
            return false;
        }
        self.full_pipe.now
    }

    /// InflightWithHeadroom(): `inflight_longterm` minus the headroom for other flows.
    pub(super) fn inflight_with_headroom(&self) -> f64 {
        if self.inflight_longterm == f64::INFINITY {
            return f64::INFINITY;
        }
        let headroom = self.smss.max(self.parameters.headroom * self.inflight_longterm);
        (self.inflight_longterm - headroom).max(self.min_pipe_cwnd())
    }

    /// RaiseInflightLongtermSlope(): 1, 2, 4, ... segments per round.
    pub(super) fn raise_inflight_longterm_slope(&mut self) {
        let growth_this_round = f64::from(1_u32 << self.cycle.bw_probe_up_rounds);
        self.cycle.bw_probe_up_rounds = (self.cycle.bw_probe_up_rounds + 1).min(MAX_UP_ROUNDS);
        self.cycle.probe_up_acked_per_inc = (self.cwnd / growth_this_round).max(self.smss);
    }

    /// ProbeInflightLongtermUpward(): raises `inflight_longterm` while it limits the window.
    pub(super) fn probe_inflight_longterm_upward(&mut self, rs: &Sample) {
        if !rs.is_cwnd_limited || self.cwnd < self.inflight_longterm {
            return;
        }
        let cycle = &mut self.cycle;
        cycle.bw_probe_up_acked += rs.newly_acked;
        if cycle.bw_probe_up_acked >= cycle.probe_up_acked_per_inc {
            let delta = (cycle.bw_probe_up_acked / cycle.probe_up_acked_per_inc).floor();
            cycle.bw_probe_up_acked -= delta * cycle.probe_up_acked_per_inc;
            self.inflight_longterm += delta * self.smss;
        }
        if self.rounds.start {
            self.raise_inflight_longterm_slope();
        }
    }

    /// AdaptLongTermModel(). Returns true if the state has changed.
    fn adapt_long_term_model(&mut self, rs: &Sample) -> bool {
        if self.rounds.start {
            match self.cycle.ack_phase {
                AckPhase::ProbeStarting => self.cycle.ack_phase = AckPhase::ProbeFeedback,
                AckPhase::ProbeStopping => {
                    self.cycle.is_bw_probe_sample = false;
                    self.cycle.ack_phase = AckPhase::Init;
                    if self.state.is_probe_bw() && !rs.is_app_limited {
                        self.max_bw.advance();
                    }
                    // If the precautionary probe caused no harmful loss, the next probe begins at once.
                    if self.state.is_probe_bw()
                        && self.cycle.prev_probe_precautionary
                        && !self.cycle.prev_probe_too_high
                    {
                        self.start_probe_bw_refill();
                        return true;
                    }
                }
                AckPhase::Init | AckPhase::Refilling | AckPhase::ProbeFeedback => {}
            }
        }
        if self.inflight_longterm < f64::INFINITY && !self.is_inflight_too_high(rs.lost, rs.tx_in_flight) {
            self.inflight_longterm = self.inflight_longterm.max(rs.tx_in_flight);
            if self.state == State::ProbeBwUp {
                self.probe_inflight_longterm_upward(rs);
            }
        }
        false
    }
}
