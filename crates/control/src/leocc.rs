// SPDX-License-Identifier: MIT OR Apache-2.0
//! LeoCC: BBRv1 that starts afresh when the satellite path is reconfigured (Z. Lai et al., LeoCC: Making Internet
//! Congestion Control Robust to LEO Satellite Dynamics, SIGCOMM 2025; code: github.com/SpaceNetLab/LeoCC).
//!
//! ```text
//! STARTUP, DRAIN, cruise (PROBE_BW), PROBE_RTT as BBRv1 (`bbr1`), except:
//! PROBE_RTT   W = max(4, B R / 2); from the cruise alone: after 20 s without a smaller R, or before a reconfiguration
//!             at its end R = newest RTT
//!             while r - RTT > 45 ms: B_new = newest bandwidth sample
//! reconfigured: after PROBE_RTT follows STARTUP, B = B_new or unknown; done when the pipe is full
//! cruise      r >= R + 10 ms: bandwidth b, first gain 21/20; else bandwidth B, first gain 5/4
//! b           Kalman estimate of the largest sample of each round of the cruise
//! r           Kalman estimate of the RTT
//! Kalman      P' = P + Q, K = P'/(P' + R), x += K (z - x), P = (1 - K) P';  Q = R = 4, P = 25 at first
//! ```
//!
//! A reconfiguration is expected 100 ms ahead of what the ground announces, or of a fixed schedule (Starlink: every
//! 15 s). The authors' live version pings the ground station instead; a reply more than 45 ms late is its trigger.
//!
//! Not taken over from the authors' code:
//! - The trigger's time zero, the trigger of the live version and the first pacing gain are shared by all flows of
//!   the host; here each flow has its own. Nor is there a 5-bit variance: it lost all fractions.
//! - Both estimates begin at 0, so that the first is 12 % below the first measurement; here the first measurement
//!   is the estimate.
//! - The largest sample of a round counts samples that the application limited; here they count as they do for B.
//! - R is set at the end of PROBE_RTT even by an ACK without RTT sample (to 2^32 us).
//! - A trigger is missed when no ACK comes within the 100 ms; here it fires late.
//! - B_new is the bandwidth sample before the newest.

mod kalman;
mod trigger;

pub use kalman::{Kalman, Noise};
pub use trigger::{Source, Trigger};

use crate::bbr1::{self, Machine, MachineParameters, State};
use crate::{
    Ack, Control, Controller, Idle, Loss, PathChange, Signals, Snapshot, Spurious, Start, Timeout, Verdict,
};
use units::{Span, Time};

/// What can be chosen about LeoCC.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// BBRv1's.
    pub machine: MachineParameters,
    /// Of both Kalman filters.
    pub noise: Noise,
    /// Rise of the RTT above the smallest that is taken for a queue (authors: 5 to 20 ms).
    pub min_rtt_fluctuation: Span,
    /// First gain of the cruise while there is a queue (authors: 21/20).
    pub queue_gain: f64,
    /// Fall of the RTT in PROBE_RTT that marks the bandwidth samples as those of the new path (authors: 45 ms).
    pub rtt_drop: Span,
    /// Where reconfigurations are known from.
    pub source: Source,
    /// How long ahead of a reconfiguration PROBE_RTT begins (authors: 100 ms).
    pub lead: Span,
}

/// LeoCC.
#[derive(Clone, Debug)]
pub struct LeoCc {
    parameters: Parameters,
    machine: Machine,
    trigger: Trigger,
    reconfiguring: bool,
    /// Bandwidth of the new path, segments/s.
    new_bandwidth: Option<f64>,
    /// The largest sample of this round, segments/s.
    round_bandwidth: Option<f64>,
    bandwidth: Kalman,
    /// Seconds.
    rtt: Kalman,
}

impl LeoCc {
    /// LeoCC with `parameters`.
    pub fn new(parameters: Parameters) -> Self {
        Self {
            machine: Machine::new(parameters.machine),
            trigger: Trigger::new(parameters.source, parameters.lead),
            reconfiguring: false,
            new_bandwidth: None,
            round_bandwidth: None,
            bandwidth: Kalman::new(parameters.noise),
            rtt: Kalman::new(parameters.noise),
            parameters,
        }
    }

    /// The RTT stands above the smallest by more than that one fluctuates, on a path that is not about to change.
    fn sees_queue(&self) -> bool {
        let limit = |min_rtt: Span| (min_rtt + self.parameters.min_rtt_fluctuation).secs_f64();
        self.machine.state() == State::ProbeBw
            && !self.reconfiguring
            && self.rtt.get().zip(self.machine.model().min_rtt()).is_some_and(|(rtt, min)| rtt >= limit(min))
    }

    /// The bandwidth that sets rate and window, segments/s.
    fn used_bandwidth(&self) -> f64 {
        let smoothed = if self.sees_queue() { self.bandwidth.get() } else { None };
        smoothed.unwrap_or_else(|| self.machine.model().bandwidth())
    }

    fn observe(&mut self, ack: &Ack<'_>) {
        let before = self.machine.state();
        let sample = self.machine.observe(ack);
        if self.machine.model().round_start()
            && let Some(largest) = self.round_bandwidth.take()
            && before == State::ProbeBw
        {
            self.bandwidth.update(largest);
        }
        if let Some(sample) = sample.filter(|sample| sample.counts) {
            self.round_bandwidth = Some(self.round_bandwidth.unwrap_or(0.0).max(sample.bandwidth));
        }
        if let Some(sample) = sample
            && before == State::ProbeRtt
            && let (Some(rtt), Some(smoothed)) = (ack.rtt, self.rtt.get())
            && smoothed > (rtt + self.parameters.rtt_drop).secs_f64()
        {
            self.new_bandwidth = Some(sample.bandwidth);
        }
        if before == State::Startup && self.machine.state() != State::Startup {
            self.reconfiguring = false;
            self.new_bandwidth = None;
        }
    }

    fn leave_probe_rtt(&mut self, now: Time, rtt: Option<Span>) {
        if self.reconfiguring {
            self.machine.forget(self.new_bandwidth);
        }
        self.machine.leave_probe_rtt(now, rtt);
    }
}

impl Controller for LeoCc {
    fn requires(&self) -> Signals {
        match self.trigger.source() {
            Source::Announced => bbr1::REQUIRES.and(Signals::PATH_CHANGE),
            Source::Schedule { .. } => bbr1::REQUIRES,
        }
    }

    fn uses(&self) -> Signals {
        self.requires().and(Signals::UNDO)
    }

    fn on_start(&mut self, event: &Start, control: &mut Control) {
        self.trigger.start(event.now);
        self.machine.start(event, control);
    }

    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        self.reconfiguring |= self.trigger.fire(ack.now);
        self.observe(ack);
        let due = self.machine.observe_rtt(ack) || self.reconfiguring;
        if due && !self.machine.is_resuming() && self.machine.state() == State::ProbeBw {
            self.machine.enter_probe_rtt(ack);
        }
        if self.machine.state() == State::ProbeRtt && self.machine.probe_rtt_is_over(ack) {
            self.leave_probe_rtt(ack.now, ack.rtt);
        }
        if let Some(rtt) = ack.rtt {
            self.rtt.update(rtt.secs_f64());
        }
        let gain =
            if self.sees_queue() { self.parameters.queue_gain } else { self.parameters.machine.up_gain };
        self.machine.set_up_gain(gain);
        self.machine.command(ack, self.used_bandwidth(), control);
    }

    fn on_loss(&mut self, event: &Loss<'_>, control: &mut Control) -> Verdict {
        self.machine.lose(event, control);
        Verdict::Congestion
    }

    fn on_recovery_exit(&mut self, _now: Time, control: &mut Control) {
        self.machine.recovered(control);
    }

    fn on_timeout(&mut self, _event: &Timeout, control: &mut Control) {
        self.machine.time_out(control);
    }

    fn on_spurious(&mut self, _event: &Spurious, control: &mut Control) {
        self.machine.spurious(control);
    }

    fn on_idle(&mut self, event: &Idle, control: &mut Control) {
        if self.machine.resume(event, self.used_bandwidth(), control) {
            self.leave_probe_rtt(event.now, None);
            self.machine.write(control);
        }
    }

    fn on_path(&mut self, event: &PathChange, _control: &mut Control) {
        self.trigger.announce(event);
    }

    fn snapshot(&self, out: &mut Snapshot) {
        self.machine.snapshot(self.used_bandwidth(), out);
        let mbit = self.machine.segment_mbit();
        out.push(("reconfiguring", f64::from(u8::from(self.reconfiguring))));
        if let Some(bandwidth) = self.bandwidth.get() {
            out.push(("smoothed_bandwidth_mbit_s", bandwidth * mbit));
        }
        if let Some(rtt) = self.rtt.get() {
            out.push(("smoothed_rtt_ms", rtt * 1e3));
        }
    }
}
