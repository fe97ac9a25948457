// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state machine of BBRv1 and of controllers derived from BBRv1. The controller processes an ACK in three steps:
//! [`Machine::observe`], its own decision about PROBE_RTT, and [`Machine::command`].

use super::drain;
use super::model::{Model, ModelParameters, Sample};
use super::policer::{Policer, Report};
use super::probe_bw::Cycle;
use super::probe_rtt::{ProbeRtt, Step};
use super::startup::{FullPipe, HIGH_GAIN};
use super::window::{MIN_PIPE_SEGMENTS, Window};
use crate::catalogue::parameters;
use crate::window::{MAX_WINDOW_SEGMENTS, MIN_WINDOW_SEGMENTS, Rescale, factor};
use crate::{Ack, Control, Idle, Loss, Snapshot, Start, Timeout};
use units::{Bytes, Rate, Span, Time};

/// RTT from which the first pacing rate is computed (draft, `BBRInitPacingRate()`).
const NOMINAL_RTT_S: f64 = 1e-3;
/// Below this rate, the sender sends one segment at a time. Above this rate, it sends at least two (draft,
/// `BBRSetSendQuantum()`).
const SINGLE_SEGMENT_BYTES_PER_S: f64 = 1.2e6 / 8.0;
/// Duration of a back-to-back burst at the pacing rate.
const QUANTUM_S: f64 = 1e-3;
/// Largest back-to-back burst.
const MAX_QUANTUM_BYTES: f64 = 65_536.0;
/// Number of quanta that the end systems hold: one in the sender's queue, one in the sender's network card, and one in
/// the receiver's network card.
const QUANTA_IN_HOSTS: f64 = 3.0;
/// Additional segments while probing up (Linux, `bbr_quantization_budget()`).
const MORE_WHILE_UP: f64 = 2.0;
/// Size of a rounding error. If a target exceeds a whole number of segments by less than this value, the excess is
/// ignored. Linux rounds the bandwidth down to a multiple of 2^-24 segments/us.
const ROUNDING: f64 = 1e-6;

parameters! {
    /// Parameters of BBRv1's phases.
    pub struct PhaseParameters {
        /// window in BDP, which limits the queue; if the RTT exceeds this multiple of the smallest RTT, the rate is
        /// low until the smallest RTT expires
        cwnd_gain: f64 = number("BDP", 2.0, 1.0..=10.0),
            "Cardwell et al. 2016; draft-cardwell-iccrg-bbr-congestion-control-00, section 4.3.4.1";
        /// pacing gain of the phase that probes for more bandwidth (one phase in eight)
        up_gain: f64 = number("none", 1.25, 1.0..=3.0), "Cardwell et al. 2016";
        /// pacing gain of the next phase, which drains the queue that the probe built
        down_gain: f64 = number("none", 0.75, 0.1..=1.0), "Cardwell et al. 2016";
        /// fraction of the estimate that is not used, so that queues drain
        pacing_margin: f64 = number("none", 0.01, 0.0..=0.5),
            "Linux tcp_bbr.c, bbr_pacing_margin_percent (the papers and the draft have no margin)";
        /// shortest time with the small window; one round trip is added, which is longer than this time on a GEO path
        probe_rtt_duration: Span = time("200 ms", Span::ZERO..=Span::from_secs(10)), "Cardwell et al. 2016";
        /// window of PROBE_RTT, at least 4 segments; a larger window costs less throughput, but drains less of the
        /// queue
        probe_rtt_gain: f64 = number("BDP", 0.0, 0.0..=1.0), "Cardwell et al. 2016 (4 segments)";
    }
}

/// Parameters of the machine.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct MachineParameters {
    /// Parameters of the model.
    pub model: ModelParameters,
    /// Parameters of the phases.
    pub phases: PhaseParameters,
    /// Whether token-bucket policers are detected (Linux).
    pub policer: bool,
    /// Whether the target of the window is a whole, even number of segments, with two more segments while probing up
    /// (Linux).
    pub even_window: bool,
}

/// State of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum State {
    /// Doubles the rate per round.
    Startup,
    /// Empties the queue that STARTUP built.
    Drain,
    /// Varies the rate around the estimated bandwidth.
    ProbeBw,
    /// Empties all queues to measure the propagation time.
    ProbeRtt,
}

/// BBRv1's state machine. Amounts are in segments, rates in segments/s.
#[derive(Clone, Debug, saved::Plain)]
pub struct Machine {
    parameters: MachineParameters,
    mss: u32,
    initial_window: f64,
    model: Model,
    state: State,
    full_pipe: FullPipe,
    cycle: Cycle,
    probe_rtt: ProbeRtt,
    window: Window,
    policer: Policer,
    pacing: f64,
    seen_rtt: bool,
    /// Whether a packet was lost since the last ACK.
    lost: bool,
    idle_restart: bool,
}

impl Machine {
    /// A machine before the start of the connection.
    pub fn new(parameters: MachineParameters) -> Self {
        Self {
            model: Model::new(parameters.model),
            cycle: Cycle::new(parameters.phases.up_gain, parameters.phases.down_gain, 0),
            parameters,
            mss: 1,
            initial_window: 1.0,
            state: State::Startup,
            full_pipe: FullPipe::default(),
            probe_rtt: ProbeRtt::default(),
            window: Window::default(),
            policer: Policer::default(),
            pacing: 0.0,
            seen_rtt: false,
            lost: false,
            idle_restart: false,
        }
    }

    /// The model.
    pub const fn model(&self) -> &Model {
        &self.model
    }
    /// The state.
    pub const fn state(&self) -> State {
        self.state
    }

    /// The bandwidth estimate, segments/s.
    pub fn bandwidth(&self) -> f64 {
        self.policed().unwrap_or_else(|| self.model.bandwidth())
    }

    /// The rate of a detected policer, segments/s.
    fn policed(&self) -> Option<f64> {
        self.policer.rate().map(|rate| rate / f64::from(self.mss))
    }

    /// Sets the pacing gain of the phase that probes for more bandwidth.
    pub const fn set_up_gain(&mut self, gain: f64) {
        self.cycle.up_gain = gain;
    }

    /// The connection starts (draft, `BBRInit()`).
    pub fn start(&mut self, event: &Start, control: &mut Control) {
        self.mss = event.mss;
        self.initial_window = f64::from(event.initial_window).max(1.0);
        self.window = Window::new(self.initial_window);
        self.cycle = Cycle::new(self.parameters.phases.up_gain, self.parameters.phases.down_gain, event.seed);
        self.model.start(event);
        self.pacing = self.rate(HIGH_GAIN, self.initial_window / NOMINAL_RTT_S);
        self.set_pacing(event.rtt, 0.0);
        control.owns_recovery = true;
        self.write(control);
    }

    /// Changes the segment size to `mss` bytes. Returns the factor by which the caller multiplies its own amounts.
    pub fn set_mss(&mut self, mss: u32) -> f64 {
        let factor = factor(self.mss, mss);
        self.mss = mss.max(1);
        self.model.set_mss(self.mss, factor);
        self.full_pipe.rescale(factor);
        self.window.rescale(factor);
        self.pacing.rescale(factor);
        factor
    }

    /// Updates the model and the state, except for changes to and from PROBE_RTT.
    pub fn observe(&mut self, ack: &Ack<'_>) -> Option<Sample> {
        let lost = std::mem::take(&mut self.lost);
        let sample = self.model.update(ack, self.window.cwnd());
        if self.parameters.policer
            && let Some(sample) = sample
        {
            self.look_for_policer(ack, sample, lost);
        }
        let bandwidth = self.model.bandwidth();
        if self.model.round_start() {
            self.window.end_conservation();
        }
        if self.state == State::ProbeBw {
            let gain = self.pacing_gain();
            // Linux, bbr_packets_in_net_at_edt(): counts the packets that are sent next as in flight.
            let next = if self.parameters.even_window && gain > 1.0 { self.quantum() } else { 0.0 };
            let in_flight = ack.in_flight_before.segments(self.mss) + next;
            let target = |gain| self.in_flight_target(bandwidth, gain);
            if self.cycle.is_over(ack.now, gain, self.model.min_rtt(), in_flight, lost, target) {
                self.cycle.advance(ack.now);
            }
        }
        if self.model.round_start() && sample.is_some_and(|sample| !sample.held_back) {
            self.full_pipe.round(bandwidth);
        }
        if self.state == State::Startup && self.full_pipe.reached() {
            self.state = State::Drain;
        }
        if self.state == State::Drain
            && drain::is_over(ack.in_flight.segments(self.mss), self.in_flight_target(bandwidth, 1.0))
        {
            self.enter_probe_bw(ack.now);
        }
        sample
    }

    fn look_for_policer(&mut self, ack: &Ack<'_>, sample: Sample, lost: bool) {
        let forgotten = self.policer.update(&Report {
            now: ack.now,
            delivered: ack.total_delivered,
            total_lost: ack.total_lost,
            lost,
            held_back: sample.held_back,
            round_start: self.model.round_start(),
            probing: self.state == State::ProbeBw,
        });
        if forgotten {
            self.enter_probe_bw(ack.now);
        }
    }

    /// Processes the RTT sample. Returns true if the smallest RTT had expired.
    pub fn observe_rtt(&mut self, ack: &Ack<'_>) -> bool {
        self.model.update_min_rtt(ack)
    }

    /// Whether sending has resumed after an idle period and no data have been acknowledged since then. The queue is
    /// then already empty.
    pub const fn is_resuming(&self) -> bool {
        self.idle_restart
    }

    /// PROBE_RTT begins (draft, `BBREnterProbeRTT()`).
    pub fn enter_probe_rtt(&mut self, ack: &Ack<'_>) {
        self.window.save(self.state == State::ProbeRtt);
        self.state = State::ProbeRtt;
        self.probe_rtt.enter();
        self.model.hold_back(ack.in_flight, true);
    }

    /// Processes an ACK in PROBE_RTT. Returns true if PROBE_RTT is over.
    pub fn probe_rtt_is_over(&mut self, ack: &Ack<'_>) -> bool {
        self.model.hold_back(ack.in_flight, false);
        let reached = ack.in_flight.segments(self.mss) <= self.probe_rtt_window();
        let duration = self.parameters.phases.probe_rtt_duration;
        match self.probe_rtt.on_ack(ack.now, reached, self.model.round_start(), duration) {
            Step::Stay => false,
            Step::BeginRound => {
                self.model.begin_round();
                false
            }
            Step::Leave => true,
        }
    }

    /// Ends PROBE_RTT (draft, `BBRExitProbeRTT()`). If `rtt` is given, it becomes the smallest RTT.
    pub fn leave_probe_rtt(&mut self, now: Time, rtt: Option<Span>) {
        self.model.renew_min_rtt(now, rtt);
        self.window.restore(MAX_WINDOW_SEGMENTS);
        if self.full_pipe.reached() {
            self.enter_probe_bw(now);
        } else {
            self.state = State::Startup;
        }
    }

    /// Resets the model, because the path has changed. The machine returns to STARTUP after PROBE_RTT, and `known`
    /// (segments/s) replaces the bandwidth estimate.
    pub fn forget(&mut self, known: Option<f64>) {
        self.full_pipe = FullPipe::default();
        self.model.reset_bandwidth(known);
    }

    /// Sets the pacing rate and the window after an ACK. `bandwidth` is the estimate to use.
    pub fn command(&mut self, ack: &Ack<'_>, bandwidth: f64, control: &mut Control) {
        // An ACK that acknowledges data ends the restart.
        self.idle_restart &= ack.acked == Bytes::ZERO;
        self.set_pacing(ack.srtt, bandwidth);
        self.window.on_ack(
            ack.acked.segments(self.mss),
            ack.in_flight.segments(self.mss),
            self.target(bandwidth),
            self.full_pipe.reached(),
            self.model.delivered().segments(self.mss) < self.initial_window,
        );
        self.write(control);
    }

    /// Packets were lost: recovery begins or continues.
    pub fn lose(&mut self, event: &Loss<'_>, control: &mut Control) {
        self.lost = true;
        let lost = event.lost.segments(self.mss);
        if event.new_episode && self.window.enters_recovery(event.now) {
            let in_flight = event.in_flight_before.segments(self.mss);
            self.window.recover((in_flight - lost).max(0.0), self.state == State::ProbeRtt);
            self.model.begin_round();
        } else {
            self.window.lose(lost);
        }
        self.write(control);
    }

    /// Reduces the window to one segment, because the retransmission timer expired.
    pub fn time_out(&mut self, event: &Timeout, control: &mut Control) {
        let probing = self.state == State::ProbeBw;
        if self.parameters.policer && self.policer.time_out(event.in_flight_before, probing) {
            self.enter_probe_bw(event.now);
        }
        self.collapse(MIN_WINDOW_SEGMENTS, control);
    }

    /// Reduces the window to at most `segments`, because the retransmission timer expired or congestion persists. The
    /// model is unchanged, because neither event contains information about the RTT.
    pub fn collapse(&mut self, segments: f64, control: &mut Control) {
        self.window.collapse(segments, self.state == State::ProbeRtt);
        self.full_pipe.forget_bandwidth();
        self.write(control);
    }

    /// Recovery is over.
    pub fn recovered(&mut self, now: Time, control: &mut Control) {
        let full = self.full_pipe.reached();
        let limit = if full { self.target(self.bandwidth()) } else { MAX_WINDOW_SEGMENTS };
        self.window.recovered(now, limit);
        self.write(control);
    }

    /// The recovery was spurious.
    pub fn spurious(&mut self, now: Time, control: &mut Control) {
        self.full_pipe.forget_bandwidth();
        self.policer.reset();
        self.recovered(now, control);
    }

    /// Continues at the estimated rate, because sending resumes after an idle period (draft,
    /// `BBRHandleRestartFromIdle()`). Returns true if the time of PROBE_RTT is over (Linux).
    pub fn resume(&mut self, event: &Idle, bandwidth: f64, control: &mut Control) -> bool {
        // If one ACK acknowledged the whole window, the application did not pause.
        if event.idle_for == Span::ZERO {
            return false;
        }
        self.idle_restart = true;
        self.model.restart_aggregation(event.now);
        if self.state == State::ProbeBw && bandwidth > 0.0 {
            self.pacing = self.rate(1.0, bandwidth);
        }
        self.write(control);
        self.state == State::ProbeRtt && self.probe_rtt.time_is_over(event.now)
    }

    fn enter_probe_bw(&mut self, now: Time) {
        self.state = State::ProbeBw;
        self.cycle.enter(now);
    }

    const fn pacing_gain(&self) -> f64 {
        match self.state {
            State::Startup => HIGH_GAIN,
            State::Drain => drain::PACING_GAIN,
            // Linux: a policer drops packets that exceed its rate, so the gain is 1.
            State::ProbeBw if self.policer.rate().is_some() => 1.0,
            State::ProbeBw => self.cycle.gain(),
            State::ProbeRtt => 1.0,
        }
    }

    const fn cwnd_gain(&self) -> f64 {
        match self.state {
            State::Startup | State::Drain => HIGH_GAIN,
            State::ProbeBw => self.parameters.phases.cwnd_gain,
            State::ProbeRtt => 1.0,
        }
    }

    /// The pacing rate for `gain` and `bandwidth`, segments/s.
    fn rate(&self, gain: f64, bandwidth: f64) -> f64 {
        gain * bandwidth * (1.0 - self.parameters.phases.pacing_margin)
    }

    /// Draft, `BBRSetPacingRate()`: the rate never falls before the pipe is full.
    fn set_pacing(&mut self, srtt: Option<Span>, bandwidth: f64) {
        if !self.seen_rtt
            && let Some(srtt) = srtt.filter(|srtt| *srtt > Span::ZERO)
        {
            self.seen_rtt = true;
            self.pacing = self.rate(HIGH_GAIN, self.window.cwnd() / srtt.secs_f64());
        }
        let rate = self.rate(self.pacing_gain(), bandwidth);
        if rate > self.pacing || (self.full_pipe.reached() && rate > 0.0) {
            self.pacing = rate;
        }
    }

    /// Draft, `BBRInflight()`: the segments in flight for `gain` BDPs, plus the segments in the end systems.
    fn in_flight_target(&self, bandwidth: f64, gain: f64) -> f64 {
        self.model.bdp(bandwidth).map_or(self.initial_window, |bdp| self.with_quanta(gain * bdp, 0.0))
    }

    /// `held` segments on the path, plus `extra`, plus the segments in the end systems.
    fn with_quanta(&self, held: f64, extra: f64) -> f64 {
        let quanta = QUANTA_IN_HOSTS * self.quantum();
        if !self.parameters.even_window {
            return held + extra + quanta;
        }
        // Linux, bbr_bdp(), bbr_ack_aggregation_cwnd(), bbr_quantization_budget().
        let whole = (held - ROUNDING).ceil() + extra.floor() + quanta;
        let up = self.state == State::ProbeBw && self.cycle.phase() == 0;
        2.0 * (whole / 2.0).ceil() + if up { MORE_WHILE_UP } else { 0.0 }
    }

    /// The target of the window, in segments.
    fn target(&self, bandwidth: f64) -> f64 {
        // Linux, bbr_ack_aggregation_cwnd().
        let extra = if self.full_pipe.reached() { self.model.extra_acked(bandwidth) } else { 0.0 };
        self.model
            .bdp(bandwidth)
            .map_or(self.initial_window + extra, |bdp| self.with_quanta(self.cwnd_gain() * bdp, extra))
    }

    /// The window during PROBE_RTT, in segments.
    fn probe_rtt_window(&self) -> f64 {
        let bdp = self.model.bdp(self.model.bandwidth()).unwrap_or(0.0);
        MIN_PIPE_SEGMENTS.max(self.parameters.phases.probe_rtt_gain * bdp)
    }

    /// Draft, `BBRSetSendQuantum()`, in whole segments as in Linux.
    fn quantum(&self) -> f64 {
        let mss = f64::from(self.mss);
        let rate = self.pacing * mss;
        let least = if rate < SINGLE_SEGMENT_BYTES_PER_S { 1.0 } else { 2.0 };
        ((rate * QUANTUM_S).min(MAX_QUANTUM_BYTES) / mss).floor().max(least)
    }

    /// Writes the commands for the platform.
    pub fn write(&mut self, control: &mut Control) {
        // Draft, BBRModulateCwndForProbeRTT().
        if self.state == State::ProbeRtt {
            self.window.cap(self.probe_rtt_window());
        }
        control.cwnd = Bytes::from_segments(self.window.cwnd(), self.mss);
        let pacing = Rate::from_bytes_per_s(self.pacing * f64::from(self.mss));
        control.pacing = Some(pacing.max(Rate::from_bits_per_s(1)));
        control.quantum = Some(Bytes::from_segments(self.quantum(), self.mss));
        control.phase = match self.state {
            State::Startup => "startup",
            State::Drain => "drain",
            State::ProbeBw => self.cycle.name(),
            State::ProbeRtt => "probe RTT",
        };
    }

    /// Size of a segment in Mbit.
    pub fn segment_mbit(&self) -> f64 {
        f64::from(self.mss) * 8.0 / 1e6
    }

    /// Named numbers for traces. `bandwidth` is the estimate that is in use.
    pub fn snapshot(&self, bandwidth: f64, out: &mut Snapshot) {
        let mbit = self.segment_mbit();
        out.push(("cwnd_segments", self.window.cwnd()));
        out.push(("max_bandwidth_mbit_s", self.model.bandwidth() * mbit));
        if let Some(min_rtt) = self.model.min_rtt() {
            out.push(("min_rtt_ms", min_rtt.millis_f64()));
        }
        if let Some(bdp) = self.model.bdp(bandwidth) {
            out.push(("bdp_segments", bdp));
        }
        if let Some(policed) = self.policed() {
            out.push(("policed_bandwidth_mbit_s", policed * mbit));
        }
        out.push(("pacing_gain", self.pacing_gain()));
        out.push(("cwnd_gain", self.cwnd_gain()));
        out.push(("cycle_phase", self.cycle.phase() as f64));
        out.push(("full_pipe", f64::from(u8::from(self.full_pipe.reached()))));
        out.push(("rounds", self.model.round() as f64));
        out.push(("extra_acked_segments", self.model.extra_acked(bandwidth)));
        out.push(("quantum_segments", self.quantum()));
    }
}
