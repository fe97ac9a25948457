// SPDX-License-Identifier: MIT OR Apache-2.0
//! BBRv3 (draft-ietf-ccwg-bbr-06, July 2026, experimental). Functions and variables have the names that the draft uses.
//! The comment of a function gives the draft's spelling.
//!
//! ```text
//! max_bw       = max delivery rate of this and the previous ProbeBW cycle
//! min_rtt      = min RTT over 10 s, looked for in ProbeRTT every 5 s
//! bw           = min(max_bw, bw_shortterm)
//! pacing_rate  = pacing_gain * bw * 0.99
//! max_inflight = max(cwnd_gain * bw * min_rtt + extra_acked, 3 quanta, 4 SMSS), + 2 SMSS in ProbeBW_UP
//! cwnd         = min(cwnd + newly_acked, max_inflight, inflight_longterm, inflight_shortterm)
//!
//!                Startup  Drain  DOWN  CRUISE  REFILL  UP    ProbeRTT
//! pacing_gain    2.77     0.5    0.9   1       1       1.25  1
//! cwnd_gain      2        2      2     2       2       2.25  0.5
//! ```
//!
//! Losses set two kinds of bounds. While the flow probes (UP), a loss rate above 2 % over a round sets
//! `inflight_longterm`. Only later probes raise `inflight_longterm`. At other times, each round with a loss lowers
//! `bw_shortterm` and `inflight_shortterm` towards the amounts that the round delivered. One round lowers them by at
//! most 30 %. When the next probe begins (REFILL), both short-term bounds are removed.
//!
//! The draft's pseudo-code does not define some details. This code makes these choices:
//!
//! 1. A platform reports an ACK before the losses that it reveals, but the draft processes the losses first. The model
//!    therefore receives a loss one event later. After each loss, the bounds are applied again to the pacing rate and
//!    the window.
//! 2. State for an undo is saved once per episode, before its first loss is processed (section 5.5.11: "the values
//!    saved before the loss episode"). The pseudo-code would overwrite this state in each later round with a loss.
//! 3. A timeout does not name packets. The flight at the timeout replaces the flight at the sending times of the lost
//!    packets. If the flow is not probing, `inflight_shortterm` starts from the window before the timeout, as in Linux.
//!    After the timeout, the window is one segment.
//! 4. The test "C.inflight reaches inflight_longterm" (precautionary probing) uses the flight before the ACK (as in
//!    Linux) and whole segments. A window of 70.3 segments allows at most 70 in flight.
//! 5. The wait of `T_reno` rounds is min(BDP, cwnd) in segments, as in the draft's text.
//! 6. A restart from idle also clears `extra_acked_delivered` (as in Linux). The draft only moves the start of the
//!    interval. ACKs from before the pause would then count as aggregation.
//! 7. This code implements `MarkConnectionAppLimited` in ProbeRTT itself. Packets that are sent between the start of
//!    ProbeRTT and one flight after its end count as application-limited.
//! 8. The platform does not report whether a lost packet was application-limited. This code uses the newest sample
//!    instead.
//! 9. In Drain, `inflight_longterm` is not a bound, as in `BoundCwndForModel()`. The table of section 5.6.1 lists it
//!    among the bounds of Drain.
//! 10. `max_bw` has exactly two slots. A cycle without a sample does not end, because the end of this cycle would
//!     remove the bandwidth estimate.

mod aggregation;
mod bandwidth;
mod congestion;
mod drain;
mod entry;
mod min_rtt;
mod output;
mod probe_bw;
mod probe_rtt;
mod startup;

pub(crate) use entry::BBR3;

use crate::catalogue::parameters;
use crate::window::rescaled;
use crate::{
    Ack, Control, Controller, Idle, Limit, Limited, Loss, LossTrigger, LossVerdict, NewMss, Signals,
    Snapshot, Spurious, Start, Timeout,
};
use aggregation::ExtraAcked;
use bandwidth::MaxBandwidth;
use congestion::{Congestion, Undo};
use min_rtt::MinRtt;
use output::{FIRST_RTT, MIN_PACING, MIN_QUANTUM};
use probe_bw::Cycle;
use probe_rtt::ProbeRtt;
use random::{SeedableRng as _, SplitMix64};
use startup::FullPipe;
use units::{Bytes, Rate, Span, Time};

parameters! {
    /// Parameters of BBRv3.
    pub struct Parameters {
        /// pacing gain of Startup: the smallest gain that doubles the rate in each round
        startup_pacing_gain: f64 = number("none", 2.77, 1.25..=4.0),
            "draft-ietf-ccwg-bbr-06, section 2.5 (4 ln 2)";
        /// pacing gain of Drain; a lower gain drains Startup's queue faster, but leaves the link idle for longer if
        /// the bandwidth was underestimated
        drain_pacing_gain: f64 = number("none", 0.5, 0.1..=0.95),
            "draft-ietf-ccwg-bbr-06, section 2.5 (0.35 in the draft of September 2025)";
        /// window in BDP; a larger window tolerates a longer path after a handover, and ACKs in bursts, but also
        /// allows a longer queue
        cwnd_gain: f64 = number("BDP", 2.0, 1.0..=8.0), "draft-ietf-ccwg-bbr-06, section 2.6";
        /// fraction of the bandwidth that is not used, so that queues drain
        pacing_margin: f64 = number("none", 0.01, 0.0..=0.2), "draft-ietf-ccwg-bbr-06, section 2.5";
        /// loss rate over a round that ends a probe; if the link's own loss rate is higher, every probe fails
        loss_threshold: f64 = number("none", 0.02, 0.0..=0.5), "draft-ietf-ccwg-bbr-06, section 2.8";
        /// smallest fraction of the short-term bounds that remains after a round with a loss; 1 disables the short-term
        /// reaction
        beta: f64 = number("none", 0.7, 0.1..=1.0), "draft-ietf-ccwg-bbr-06, section 2.8";
        /// part of inflight_longterm that stays free for other flows while cruising
        headroom: f64 = number("none", 0.15, 0.0..=0.9), "draft-ietf-ccwg-bbr-06, section 2.8";
        /// shortest wait between bandwidth probes; a random time of up to 1 s is added
        probe_wait: Span = time("2 s", Span::from_millis(1)..=Span::from_secs(600)),
            "draft-ietf-ccwg-bbr-06, section 5.3.3.8";
        /// time for which the smallest RTT is valid: after a handover to a longer path, the flow sends too little for
        /// this time
        min_rtt_window: Span = time("10 s", Span::from_millis(100)..=Span::from_secs(3_600)),
            "draft-ietf-ccwg-bbr-06, section 2.16.1";
        /// time between two ProbeRTT phases, half of min_rtt_window or less; on a path with 600 ms, 5 s are few round
        /// trips
        probe_rtt_interval: Span = time("5 s", Span::from_millis(100)..=Span::from_secs(3_600)),
            "draft-ietf-ccwg-bbr-06, section 2.16.2";
        /// duration of ProbeRTT, to which a round is added; flows of different RTT can then drain the queue together
        probe_rtt_duration: Span = time("200 ms", Span::from_millis(1)..=Span::from_secs(10)),
            "draft-ietf-ccwg-bbr-06, section 2.16.2";
        /// window in ProbeRTT, at least 4 segments; a lower gain drains the queue faster, but costs more throughput
        probe_rtt_cwnd_gain: f64 = number("BDP", 0.5, 0.0..=1.0), "draft-ietf-ccwg-bbr-06, section 2.16.2";
        /// lower bound of the window in send quanta; on a path that holds few segments, this bound causes a standing
        /// queue
        offload_quanta: f64 = number("quanta", 3.0, 0.0..=64.0),
            "draft-ietf-ccwg-bbr-06, section 5.5.8 (TCP 3, QUIC 1)";
        /// set false for a transport without SACK; its sender detects one loss per round, so any loss ends a probe
        selective_acks: bool = flag(true), "draft-ietf-ccwg-bbr-06, section 2.2 (C.has_selective_acks)";
    }
}

/// BBR.state: the state of the state machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum State {
    Startup,
    Drain,
    ProbeBwDown,
    ProbeBwCruise,
    ProbeBwRefill,
    ProbeBwUp,
    ProbeRtt,
}

impl State {
    /// IsInAProbeBWState(): whether the state is DOWN, CRUISE, REFILL or UP.
    const fn is_probe_bw(self) -> bool {
        matches!(self, Self::ProbeBwDown | Self::ProbeBwCruise | Self::ProbeBwRefill | Self::ProbeBwUp)
    }

    /// IsProbingBW(). While true, the short-term model is neither adapted nor applied.
    const fn is_probing(self) -> bool {
        matches!(self, Self::Startup | Self::ProbeBwRefill | Self::ProbeBwUp)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Startup => "startup",
            Self::Drain => "drain",
            Self::ProbeBwDown => "probe bandwidth: down",
            Self::ProbeBwCruise => "probe bandwidth: cruise",
            Self::ProbeBwRefill => "probe bandwidth: refill",
            Self::ProbeBwUp => "probe bandwidth: up",
            Self::ProbeRtt => "probe RTT",
        }
    }
}

/// The draft's rate sample RS and other data of one ACK. Amounts are in bytes.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Sample {
    now: Time,
    rtt: Option<Span>,
    newly_acked: f64,
    /// RS.delivery_rate, bytes/s; 0 if the ACK has no rate sample.
    delivery_rate: f64,
    delivered: f64,
    /// RS.prior_delivered; `None` if the ACK has no rate sample. A round cannot end at such an ACK.
    prior_delivered: Option<u64>,
    tx_in_flight: f64,
    lost: f64,
    is_app_limited: bool,
    in_flight: f64,
    in_flight_before: f64,
    is_cwnd_limited: bool,
    in_recovery: bool,
}

/// Packet-timed rounds (section 5.5.1), counted from the start of a state.
#[derive(Clone, Debug, Default, saved::Plain)]
struct Rounds {
    /// BBR.round_count: number of rounds.
    count: u64,
    /// BBR.round_start: whether the newest ACK began a round.
    start: bool,
    /// BBR.next_round_delivered, bytes.
    next_delivered: u64,
}

/// The controller. Amounts are in bytes, rates in bytes/s.
#[derive(Clone, Debug, saved::Plain)]
#[expect(clippy::struct_excessive_bools, reason = "the draft's flags, each named there")]
pub struct Bbr3 {
    parameters: Parameters,
    /// C.SMSS: payload bytes of a segment.
    smss: f64,
    /// C.InitialCwnd: the initial window.
    initial_cwnd: f64,
    random: SplitMix64,
    state: State,
    /// C.delivered: bytes delivered so far.
    delivered: u64,
    /// C.lost: bytes lost so far.
    lost: u64,
    /// RS.is_app_limited of the newest sample.
    app_limited: bool,
    /// InLossRecovery(), including recovery from a timeout.
    in_loss_recovery: bool,
    /// Whether the receiver's window was the newest limit. A following pause is then not caused by the application.
    receiver_limited: bool,

    /// C.cwnd: the congestion window.
    cwnd: f64,
    prior_cwnd: f64,
    /// C.pacing_rate: the pacing rate.
    pacing_rate: f64,
    /// C.send_quantum: largest back-to-back burst.
    send_quantum: f64,
    /// Whether a pacing rate was set from a measured RTT.
    has_seen_rtt: bool,

    rounds: Rounds,
    bw: f64,
    max_bw: MaxBandwidth,
    min_rtt: MinRtt,
    extra_acked: ExtraAcked,
    full_pipe: FullPipe,
    drain_start_round: u64,
    cycle: Cycle,
    probe_rtt: ProbeRtt,
    idle_restart: bool,
    congestion: Congestion,
    inflight_longterm: f64,
    undo: Option<Undo>,
}

/// BBRv3 with `parameters`.
pub fn controller(parameters: Parameters) -> Bbr3 {
    Bbr3 {
        parameters,
        smss: 1.0,
        initial_cwnd: 1.0,
        random: SplitMix64::seed_from_u64(0),
        state: State::Startup,
        delivered: 0,
        lost: 0,
        app_limited: false,
        in_loss_recovery: false,
        receiver_limited: false,
        cwnd: 1.0,
        prior_cwnd: 0.0,
        pacing_rate: MIN_PACING,
        send_quantum: MIN_QUANTUM,
        has_seen_rtt: false,
        rounds: Rounds::default(),
        bw: 0.0,
        max_bw: MaxBandwidth::default(),
        min_rtt: MinRtt::default(),
        extra_acked: ExtraAcked::default(),
        full_pipe: FullPipe::default(),
        drain_start_round: 0,
        cycle: Cycle::default(),
        probe_rtt: ProbeRtt::default(),
        idle_restart: false,
        congestion: Congestion::default(),
        inflight_longterm: f64::INFINITY,
        undo: None,
    }
}

impl Bbr3 {
    /// UpdateModelAndState(): updates the model and the state after an ACK.
    fn update_model_and_state(&mut self, rs: &Sample) {
        self.update_latest_delivery_signals(rs);
        self.update_congestion_signals(rs);
        self.update_ack_aggregation(rs);
        self.check_full_bw_reached(rs);
        self.check_startup_done(rs);
        self.check_drain_done(rs);
        self.update_probe_bw_cycle_phase(rs);
        self.min_rtt.update(rs.now, rs.rtt, &self.parameters);
        self.check_probe_rtt(rs);
        self.advance_latest_delivery_signals(rs);
        self.bound_bw_for_model();
    }

    /// UpdateRound(): detects whether the ACK begins a round.
    fn update_round(&mut self, rs: &Sample) {
        self.rounds.start = rs.prior_delivered.is_some_and(|prior| prior >= self.rounds.next_delivered);
        if self.rounds.start {
            self.start_round();
            self.rounds.count += 1;
            self.cycle.rounds_since_probe_up += 1;
        }
    }

    /// StartRound(): begins a round with the packets that are sent from now on.
    const fn start_round(&mut self) {
        self.rounds.next_delivered = self.delivered;
    }

    fn sample(&self, ack: &Ack<'_>) -> Sample {
        let bytes = |bytes: Bytes| bytes.get() as f64;
        let common = Sample {
            now: ack.now,
            rtt: ack.rtt,
            newly_acked: bytes(ack.acked),
            is_app_limited: ack.app_limited,
            in_flight: bytes(ack.in_flight),
            in_flight_before: bytes(ack.in_flight_before),
            is_cwnd_limited: ack.cwnd_limited,
            in_recovery: ack.in_recovery,
            ..Sample::default()
        };
        let Some(rate) = &ack.rate else { return common };
        let prior_delivered = rate.prior_delivered.get();
        Sample {
            delivery_rate: rate.bytes_per_s().unwrap_or(0.0),
            delivered: bytes(rate.delivered),
            prior_delivered: Some(prior_delivered),
            tx_in_flight: bytes(rate.tx_in_flight),
            lost: bytes(rate.lost),
            is_app_limited: rate.app_limited || self.probe_rtt.marked(prior_delivered),
            ..common
        }
    }

    fn command(&self, control: &mut Control) {
        control.cwnd = Bytes::new(self.cwnd.max(self.smss) as u64);
        control.pacing = Some(Rate::from_bytes_per_s(self.pacing_rate));
        control.quantum = Some(Bytes::new(self.send_quantum as u64));
        // BBRv3 does not use slow start. In slow start, a half-used window would count as a limit.
        control.ssthresh = Some(Bytes::ZERO);
        control.owns_recovery = true;
        control.phase = self.state.name();
    }
}

impl Controller for Bbr3 {
    fn requires(&self) -> Signals {
        Signals::RATE_SAMPLE.and(Signals::PER_PACKET).and(Signals::PACING)
    }

    fn uses(&self) -> Signals {
        self.requires().and(Signals::UNDO)
    }

    fn on_start(&mut self, event: &Start, control: &mut Control) {
        self.smss = f64::from(event.mss.max(1));
        self.initial_cwnd = f64::from(event.initial_window.max(1)) * self.smss;
        self.cwnd = self.initial_cwnd;
        self.random = SplitMix64::seed_from_u64(event.seed);
        self.min_rtt.begin(event.now, event.rtt);
        self.extra_acked.restart(event.now);
        // Section 5.6.2, BBRInitPacingRate().
        self.has_seen_rtt = event.rtt.is_some();
        self.init_pacing_rate(event.rtt.map_or(FIRST_RTT, Span::secs_f64));
        self.set_pacing_rate_and_quantum();
        self.command(control);
    }

    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        if ack.acked == Bytes::ZERO {
            return;
        }
        self.delivered = ack.total_delivered.get();
        self.lost = self.lost.max(ack.total_lost.get());
        let rs = self.sample(ack);
        self.app_limited = rs.is_app_limited;
        // Section 5.6.2: the first non-zero RTT sample sets the initial pacing rate.
        if !self.has_seen_rtt
            && let Some(srtt) = ack.srtt.filter(|srtt| *srtt > Span::ZERO)
        {
            self.has_seen_rtt = true;
            self.init_pacing_rate(srtt.secs_f64());
        }
        self.update_model_and_state(&rs);
        self.set_pacing_rate_and_quantum();
        self.set_cwnd(rs.newly_acked);
        self.command(control);
    }

    fn on_loss(&mut self, event: &Loss<'_>, control: &mut Control) -> LossVerdict {
        if event.trigger == LossTrigger::Ecn {
            return LossVerdict::LinkError;
        }
        if event.new_episode {
            self.enter_recovery(event.episode);
        }
        self.handle_losses(event);
        self.apply_bounds();
        self.command(control);
        LossVerdict::Congestion
    }

    fn on_recovery_exit(&mut self, _now: Time, control: &mut Control) {
        self.in_loss_recovery = false;
        self.restore_cwnd();
        self.bound_cwnd();
        self.command(control);
    }

    fn on_timeout(&mut self, event: &Timeout, control: &mut Control) {
        self.enter_recovery(event.episode);
        self.handle_timeout(event);
        self.apply_bounds();
        // OnEnterRTO(): the window is C.inflight + 1. After a timeout, no data are in flight.
        self.cwnd = self.smss;
        self.command(control);
    }

    /// The draft does not mention persistent congestion. This code does the same as in `OnEnterRTO()`, but does not
    /// presume further packets lost.
    fn on_persistent_congestion(&mut self, _now: Time, control: &mut Control) {
        self.save_cwnd();
        self.in_loss_recovery = true;
        self.cwnd = self.cwnd.min(self.min_pipe_cwnd());
        self.command(control);
    }

    fn on_spurious(&mut self, event: &Spurious, control: &mut Control) {
        if let Some(undo) = self.undo.take_if(|undo| undo.episode == event.episode) {
            self.handle_spurious_loss_detection(&undo);
            self.apply_bounds();
            self.command(control);
        }
    }

    fn on_limited(&mut self, event: &Limited, _control: &mut Control) {
        self.receiver_limited = event.by == Limit::Receiver;
    }

    /// HandleRestartFromIdle(): sending resumes after an idle period.
    fn on_idle(&mut self, event: &Idle, control: &mut Control) {
        if self.receiver_limited {
            return;
        }
        self.idle_restart = true;
        self.extra_acked.restart(event.now);
        if self.state.is_probe_bw() {
            self.set_pacing_rate_with_gain(1.0);
        } else if self.state == State::ProbeRtt {
            self.check_probe_rtt_done(event.now);
            self.bound_cwnd();
        }
        self.command(control);
    }

    fn on_mss(&mut self, event: &NewMss, control: &mut Control) {
        let before = self.smss;
        self.smss = f64::from(event.mss.max(1));
        self.initial_cwnd = self.initial_cwnd / before * self.smss;
        self.cwnd = rescaled(self.cwnd / before, before / self.smss) * self.smss;
        // An increment is one segment. It requires at least one acknowledged segment.
        self.cycle.probe_up_acked_per_inc = self.cycle.probe_up_acked_per_inc.max(self.smss);
        self.apply_bounds();
        self.command(control);
    }

    fn snapshot(&self, out: &mut Snapshot) {
        let segments = |bytes: f64| bytes / self.smss;
        let mbit_per_s = |rate: f64| rate * 8e-6;
        out.push(("cwnd_segments", segments(self.cwnd)));
        out.push(("bw_mbit_s", mbit_per_s(self.bw)));
        out.push(("max_bw_mbit_s", mbit_per_s(self.max_bw.get())));
        out.push(("bw_shortterm_mbit_s", mbit_per_s(self.congestion.bw_shortterm)));
        out.push(("min_rtt_ms", self.min_rtt.get().map_or(f64::INFINITY, Span::millis_f64)));
        out.push(("bdp_segments", segments(self.bdp_multiple(self.bw, 1.0))));
        out.push(("extra_acked_segments", segments(self.extra_acked.get())));
        out.push(("inflight_longterm_segments", segments(self.inflight_longterm)));
        out.push(("inflight_shortterm_segments", segments(self.congestion.inflight_shortterm)));
        out.push(("send_quantum_bytes", self.send_quantum));
        out.push(("pacing_gain", self.pacing_gain()));
        out.push(("cwnd_gain", self.cwnd_gain()));
        out.push(("full_bw_count", f64::from(self.full_pipe.count)));
        out.push(("full_bw_reached", f64::from(u8::from(self.full_pipe.reached))));
        out.push(("round_count", self.rounds.count as f64));
    }
}

#[cfg(test)]
mod tests;
