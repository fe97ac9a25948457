// SPDX-License-Identifier: MIT OR Apache-2.0
//! LeoCC: BBRv1 that restarts when the satellite path is reconfigured (Z. Lai et al., LeoCC: Making Internet Congestion
//! Control Robust to LEO Satellite Dynamics, SIGCOMM 2025; code: github.com/SpaceNetLab/LeoCC).
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
//! A reconfiguration is expected 100 ms before the time that the platform announces. Without announcements, a fixed
//! schedule gives the times (Starlink: every 15 s). The authors' live version pings the ground station instead. In that
//! version, a reply that is more than 45 ms late triggers a reconfiguration.
//!
//! This code differs from the authors' code in these properties:
//!
//! - In the authors' code, all flows of the host share the trigger's time zero, the trigger of the live version and the
//!   first pacing gain. In this code, each flow has its own values.
//! - The authors' code stores a variance in 5 bits, which lose all fractions. This code uses real numbers.
//! - In the authors' code, both estimates begin at 0, so the first estimate is 12 % below the first measurement. In
//!   this code, the first estimate equals the first measurement.
//! - In the authors' code, the largest sample of a round may be application-limited. In this code, such a sample counts
//!   only if it counts in B.
//! - At the end of PROBE_RTT, the authors' code sets R even at an ACK without an RTT sample (to 2^32 us).
//! - The authors' code misses a trigger if no ACK arrives within the 100 ms. In this code, the trigger fires late.
//! - In the authors' code, B_new is the second newest bandwidth sample.

mod kalman;
mod trigger;

pub use kalman::{Kalman, Noise};
pub use trigger::{Source, Trigger};

use crate::bbr1::{self, Bbr, Machine, MachineParameters, ModelParameters, PhaseParameters, State, Variant};
use crate::catalogue::{Entry, Parameter, Value, parameters, words};
use crate::window::Rescale;
use crate::{Ack, PathChange, Signals, Snapshot, Start};
use units::{Span, Time};

/// How the controller detects reconfigurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum TriggerKind {
    /// The platform announces reconfigurations.
    Announced,
    /// Reconfigurations follow a fixed schedule.
    Schedule,
}

words! { TriggerKind { Announced = "announced", Schedule = "schedule" } }

parameters! {
    /// Parameters of LeoCC, in addition to the parameters of BBRv1.
    pub struct Parameters {
        /// how the flow knows reconfigurations: from announcements, or from a fixed "schedule" if the platform
        /// announces nothing
        trigger: TriggerKind = word("announced"), "LeoCC's code (a schedule in simulations, pings in live networks)";
        /// with trigger = "schedule": time between two reconfigurations
        period: Span = time("15 s", Span::from_millis(100)..=Span::from_secs(86_400)),
            "LeoCC's code; Starlink's scheduler";
        /// with trigger = "schedule": time of the first reconfiguration, counted from the start of the run
        offset: Span = time("12 s", Span::ZERO..=Span::from_secs(86_400)), "LeoCC's code (12 s)";
        /// time from the start of the phase ProbeRTT to the reconfiguration, if the announcement is early enough; if
        /// the lead is longer than this phase, the phase ends on the old path
        lead: Span = time("100 ms", Span::ZERO..=Span::from_secs(10)), "LeoCC's code (100 ms)";
        /// if the RTT exceeds the smallest RTT by this amount, the smoothed bandwidth is used instead of the largest
        /// bandwidth; a larger value favours throughput, a smaller value favours delay
        min_rtt_fluctuation: Span = time("10 ms", Span::ZERO..=Span::from_secs(10)),
            "LeoCC's code (10 ms; its authors name 5 to 20 ms)";
        /// gain with which the flow probes for more bandwidth while there is a queue
        queue_gain: f64 = number("none", 1.05, 1.0..=3.0), "LeoCC's code (21/20)";
        /// if the RTT falls by at least this amount during the phase ProbeRTT, the bandwidth samples after the fall are
        /// from the new path
        rtt_drop: Span = time("45 ms", Span::ZERO..=Span::from_secs(10)), "LeoCC's code (45 ms)";
        /// Q of the Kalman filter: with a larger Q, the estimate follows changes faster
        process_variance: f64 = number("none", 4.0, 1e-6..=1e6), "LeoCC's code (github.com/SpaceNetLab/LeoCC)";
        /// R of the Kalman filter: with a larger R, the estimate is smoother
        measurement_variance: f64 = number("none", 4.0, 1e-6..=1e6),
            "LeoCC's code (github.com/SpaceNetLab/LeoCC)";
        /// first P of the Kalman filter: with a larger P, the first measurement loses its effect sooner
        initial_variance: f64 = number("none", 25.0, 1e-6..=1e6), "LeoCC's code (github.com/SpaceNetLab/LeoCC)";
    }
}

/// The differences from BBRv1.
#[derive(Clone, Debug, saved::Plain)]
pub struct LeoCc {
    parameters: Parameters,
    /// BBRv1's gain in the phase that probes for more bandwidth.
    up_gain: f64,
    trigger: Trigger,
    reconfiguring: bool,
    /// Bandwidth of the new path, segments/s.
    new_bandwidth: Option<f64>,
    /// The largest sample of this round, segments/s.
    round_bandwidth: Option<f64>,
    bandwidth: Kalman,
    /// Kalman estimate of the RTT, s.
    rtt: Kalman,
}

/// LeoCC with `parameters`, and BBRv1 with `machine`.
pub fn controller(machine: MachineParameters, parameters: Parameters) -> Bbr<LeoCc> {
    let Parameters { period, offset, lead, .. } = parameters;
    let source = match parameters.trigger {
        TriggerKind::Announced => Source::Announced,
        TriggerKind::Schedule => Source::Schedule { period, offset },
    };
    let noise = Noise {
        process: parameters.process_variance,
        measurement: parameters.measurement_variance,
        initial: parameters.initial_variance,
    };
    let variant = LeoCc {
        parameters,
        up_gain: machine.phases.up_gain,
        trigger: Trigger::new(source, lead),
        reconfiguring: false,
        new_bandwidth: None,
        round_bandwidth: None,
        bandwidth: Kalman::new(noise),
        rtt: Kalman::new(noise),
    };
    Bbr::new(machine, variant)
}

impl LeoCc {
    /// Whether the RTT exceeds the smallest RTT by more than its usual fluctuation. False while a reconfiguration is
    /// expected.
    fn sees_queue(&self, machine: &Machine) -> bool {
        let limit = |min_rtt: Span| (min_rtt + self.parameters.min_rtt_fluctuation).secs_f64();
        machine.state() == State::ProbeBw
            && !self.reconfiguring
            && self.rtt.get().zip(machine.model().min_rtt()).is_some_and(|(rtt, min)| rtt >= limit(min))
    }

    fn observe_bandwidth(&mut self, machine: &mut Machine, ack: &Ack<'_>) {
        let before = machine.state();
        let sample = machine.observe(ack);
        if machine.model().round_start()
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
        if before == State::Startup && machine.state() != State::Startup {
            self.reconfiguring = false;
            self.new_bandwidth = None;
        }
    }
}

impl Rescale for LeoCc {
    fn rescale(&mut self, factor: f64) {
        self.new_bandwidth.rescale(factor);
        self.round_bandwidth.rescale(factor);
        self.bandwidth.rescale(factor);
    }
}

impl Variant for LeoCc {
    fn requires(&self) -> Signals {
        match self.trigger.source() {
            Source::Announced => bbr1::REQUIRES.and(Signals::PATH_CHANGE),
            Source::Schedule { .. } => bbr1::REQUIRES,
        }
    }

    fn start(&mut self, event: &Start) {
        self.trigger.start(event.now);
    }

    fn observe(&mut self, machine: &mut Machine, ack: &Ack<'_>) -> bool {
        self.reconfiguring |= self.trigger.fire(ack.now);
        self.observe_bandwidth(machine, ack);
        let due = machine.observe_rtt(ack) || self.reconfiguring;
        due && machine.state() == State::ProbeBw
    }

    fn leave_probe_rtt(&mut self, machine: &mut Machine, now: Time, rtt: Option<Span>) {
        if self.reconfiguring {
            machine.forget(self.new_bandwidth);
        }
        machine.leave_probe_rtt(now, rtt);
    }

    fn settle(&mut self, machine: &mut Machine, ack: &Ack<'_>) {
        if let Some(rtt) = ack.rtt {
            self.rtt.update(rtt.secs_f64());
        }
        let (queue_gain, up_gain) = (self.parameters.queue_gain, self.up_gain);
        machine.set_up_gain(if self.sees_queue(machine) { queue_gain } else { up_gain });
    }

    fn bandwidth(&self, machine: &Machine) -> f64 {
        let smoothed = if self.sees_queue(machine) { self.bandwidth.get() } else { None };
        smoothed.unwrap_or_else(|| machine.model().bandwidth())
    }

    fn path(&mut self, event: &PathChange) {
        self.trigger.announce(event);
    }

    fn snapshot(&self, machine: &Machine, out: &mut Snapshot) {
        let mbit = machine.segment_mbit();
        out.push(("reconfiguring", f64::from(u8::from(self.reconfiguring))));
        if let Some(bandwidth) = self.bandwidth.get() {
            out.push(("smoothed_bandwidth_mbit_s", bandwidth * mbit));
        }
        if let Some(rtt) = self.rtt.get() {
            out.push(("smoothed_rtt_ms", rtt * 1e3));
        }
    }
}

const MIN_RTT_WINDOW: Parameter = ModelParameters::LIST.get("min_rtt_window");
const PROBE_RTT_GAIN: Parameter = PhaseParameters::LIST.get("probe_rtt_gain");

pub(crate) const LEOCC: Entry = Entry {
    name: "leocc",
    summary: "LeoCC: BBRv1 that probes the RTT and restarts at each reconfiguration of a LEO path",
    equations: "as bbr1, except:\n\
                probe RTT: W = max(4, B R/2); R 20 s old, or a reconfiguration within lead; at its end R = newest RTT\n\
                reconfiguration: probe RTT, then startup with B forgotten (kept: samples after RTT fell by 45 ms)\n\
                cruise: if r >= R + 10 ms: bandwidth b and g = 21/20, 3/4, 1...; else B and g = 5/4, 3/4, 1...\n\
                b, r: Kalman estimates (Q = R = 4, P0 = 25) of the largest sample per round and of the RTT",
    own: &[
        &Parameters::LIST.all,
        &ModelParameters::LIST.with(MIN_RTT_WINDOW.preset(Value::Text("20 s")).source("LeoCC's code")).all,
        &PhaseParameters::LIST.with(PROBE_RTT_GAIN.preset(Value::Number(0.5)).source("LeoCC's code")).all,
    ],
    frame: &[],
    sources: &["LeoCC's code at commit 06d89b3, simulation version (github.com/SpaceNetLab/LeoCC)"],
    limits: "The implementation follows the authors' code, and not the paper's text. The detector of the authors' live \
             version (pings to the ground station) is not implemented. An outage alone, or a change of rate alone, \
             does not trigger a restart. If a change is announced only when it happens, the controller reacts after \
             the change. After a change to a slower path, STARTUP keeps the old rate for three rounds or more, as in \
             BBRv1. Between two reconfigurations, a longer RTT counts as a queue for up to 20 s. The code has five \
             defects that this controller does not copy: all flows share one state; estimates begin at 0; variances \
             have 5 bits; an RTT can be 2^32 us; and application-limited samples enter the smoothed bandwidth.",
    papers: &[
        "Z. Lai et al., LeoCC: Making Internet Congestion Control Robust to LEO Satellite Dynamics, SIGCOMM 2025",
    ],
    draws: true,
    construct: |settings| {
        Box::new(controller(MachineParameters::read(settings, false, false), Parameters::read(settings)))
    },
};
