// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output of the model: pacing rate, send quantum and window (section 5.6).

use super::{Bbr3, State, probe_bw};
use crate::window::MAX_WINDOW_SEGMENTS;

/// Smallest window, in segments, that keeps the flow running if the receiver acknowledges every second packet (section
/// 2.8).
const MIN_PIPE_CWND: f64 = 4.0;
/// RTT that the code assumes before the first sample, s (section 5.6.2: 1 ms).
pub(super) const FIRST_RTT: f64 = 1e-3;
/// Time that a quantum takes at the pacing rate, s (section 5.6.3: 1 ms).
const QUANTUM_TIME: f64 = 1e-3;
/// Largest quantum, bytes (section 5.6.3: 64 KBytes).
const MAX_QUANTUM: f64 = 65_536.0;
/// Smallest quantum, segments (section 5.6.3).
pub(super) const MIN_QUANTUM: f64 = 2.0;
/// Segments that ProbeBW_UP adds to `max_inflight` (section 5.6.4.2).
const PROBE_UP_EXTRA: f64 = 2.0;
/// Lowest pacing rate, bytes/s. A rate of zero would stop the flow.
pub(super) const MIN_PACING: f64 = 1.0;

impl Bbr3 {
    /// BBR.pacing_gain, from the table of section 5.6.1.
    pub(super) const fn pacing_gain(&self) -> f64 {
        match self.state {
            State::Startup => self.parameters.startup_pacing_gain,
            State::Drain => self.parameters.drain_pacing_gain,
            State::ProbeBwDown => probe_bw::DOWN_PACING_GAIN,
            State::ProbeBwUp => probe_bw::UP_PACING_GAIN,
            State::ProbeBwCruise | State::ProbeBwRefill | State::ProbeRtt => 1.0,
        }
    }

    /// BBR.cwnd_gain, from the table of section 5.6.1.
    pub(super) const fn cwnd_gain(&self) -> f64 {
        match self.state {
            State::ProbeBwUp => self.parameters.cwnd_gain + probe_bw::UP_CWND_GAIN_EXTRA,
            State::ProbeRtt => self.parameters.probe_rtt_cwnd_gain,
            _ => self.parameters.cwnd_gain,
        }
    }

    pub(super) fn min_pipe_cwnd(&self) -> f64 {
        MIN_PIPE_CWND * self.smss
    }

    /// BDPMultiple(): gain * bw * min_rtt. Before the first RTT sample, returns the initial window.
    pub(super) fn bdp_multiple(&self, bw: f64, gain: f64) -> f64 {
        self.min_rtt.get().map_or(self.initial_cwnd, |min_rtt| gain * bw * min_rtt.secs_f64())
    }

    /// QuantizationBudget(): raises `inflight_cap` to the smallest amount that keeps the flow running, and adds the
    /// extra of UP.
    pub(super) fn quantization_budget(&self, inflight_cap: f64) -> f64 {
        let offload_budget = self.parameters.offload_quanta * self.send_quantum;
        let cap = inflight_cap.max(offload_budget).max(self.min_pipe_cwnd());
        if self.state == State::ProbeBwUp { cap + PROBE_UP_EXTRA * self.smss } else { cap }
    }

    /// Inflight(gain): the amount in flight that fills the path at the rate `bw`.
    pub(super) fn inflight(&self, bw: f64, gain: f64) -> f64 {
        self.quantization_budget(self.bdp_multiple(bw, gain))
    }

    /// TargetInflight(): the BDP. If congestion has reduced the window below the BDP, returns the window.
    pub(super) fn target_inflight(&self) -> f64 {
        self.bdp_multiple(self.bw, 1.0).min(self.cwnd)
    }

    /// InitPacingRate(): computes the rate from one initial window per round trip.
    pub(super) fn init_pacing_rate(&mut self, srtt: f64) {
        let nominal_bandwidth = self.initial_cwnd / srtt;
        self.pacing_rate = self.parameters.startup_pacing_gain * nominal_bandwidth;
    }

    /// SetPacingRateWithGain(). Before the pipe is full for the first time, samples can only raise the rate.
    pub(super) fn set_pacing_rate_with_gain(&mut self, gain: f64) {
        let rate = gain * self.bw * (1.0 - self.parameters.pacing_margin);
        if self.bw > 0.0 && (self.full_pipe.reached || rate > self.pacing_rate) {
            self.pacing_rate = rate.max(MIN_PACING);
        }
    }

    /// SetPacingRate() and SetSendQuantum(): computes both from the model.
    pub(super) fn set_pacing_rate_and_quantum(&mut self) {
        self.set_pacing_rate_with_gain(self.pacing_gain());
        let quantum = (self.pacing_rate * QUANTUM_TIME).min(MAX_QUANTUM);
        self.send_quantum = quantum.max(MIN_QUANTUM * self.smss);
    }

    /// SetCwnd(): grows the window by `newly_acked` up to `max_inflight`, and applies the bounds.
    pub(super) fn set_cwnd(&mut self, newly_acked: f64) {
        let inflight_cap = self.bdp_multiple(self.bw, self.cwnd_gain()) + self.extra_acked.get();
        let max_inflight = self.quantization_budget(inflight_cap);
        if self.full_pipe.reached {
            self.cwnd = (self.cwnd + newly_acked).min(max_inflight);
        } else if self.cwnd < max_inflight || (self.delivered as f64) < self.initial_cwnd {
            self.cwnd += newly_acked;
        }
        self.cwnd = self.cwnd.clamp(self.min_pipe_cwnd(), MAX_WINDOW_SEGMENTS * self.smss);
        self.bound_cwnd();
    }

    /// BoundCwndForProbeRTT() and BoundCwndForModel(): reduces the window to the bounds of the state and of the model.
    pub(super) fn bound_cwnd(&mut self) {
        if self.state == State::ProbeRtt {
            self.cwnd = self.cwnd.min(self.probe_rtt_cwnd());
        }
        let longterm = match self.state {
            State::ProbeRtt | State::ProbeBwCruise => self.inflight_with_headroom(),
            state if state.is_probe_bw() => self.inflight_longterm,
            _ => f64::INFINITY,
        };
        let cap = longterm.min(self.congestion.inflight_shortterm).max(self.min_pipe_cwnd());
        self.cwnd = self.cwnd.min(cap);
    }

    /// SaveCwnd(): stores the window before recovery or ProbeRTT reduces it.
    pub(super) fn save_cwnd(&mut self) {
        let modulated = self.in_loss_recovery || self.state == State::ProbeRtt;
        self.prior_cwnd = if modulated { self.prior_cwnd.max(self.cwnd) } else { self.cwnd };
    }

    /// RestoreCwnd(): returns to the stored window if it is larger.
    pub(super) const fn restore_cwnd(&mut self) {
        self.cwnd = self.cwnd.max(self.prior_cwnd);
    }

    /// Applies only the bounds, after an event that does not acknowledge data.
    pub(super) fn apply_bounds(&mut self) {
        self.bound_bw_for_model();
        self.set_pacing_rate_and_quantum();
        self.bound_cwnd();
    }
}
