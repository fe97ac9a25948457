// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frame of every controller that grows on ACKs and shrinks on losses: slow start x window rule.
//!
//! [`LossBased`] holds what is common: growth only while the window limits sending and nothing is being repaired,
//! one reduction per loss episode, the retransmission timeout, undo, pacing. A [`Rule`] supplies what differs.

use crate::slow_start::SlowStart;
use crate::window::{MIN_SSTHRESH_SEGMENTS, MIN_WINDOW_SEGMENTS, Window};
use crate::{Ack, Control, Controller, Idle, Loss, Signals, Snapshot, Spurious, Start, Timeout, Verdict};
use units::Time;

/// Windows per smoothed RTT while pacing in slow start: the window doubles in a round (Linux, `tcp_pacing_ss_ratio`).
pub const PACING_GAIN_SLOW_START: f64 = 2.0;
/// The same in congestion avoidance: enough to use a window that grows (Linux, `tcp_pacing_ca_ratio`).
pub const PACING_GAIN_AVOIDANCE: f64 = 1.2;

/// How a window grows and shrinks. Amounts are segments; growth is clamped to be at least zero.
pub trait Rule: Send {
    /// What an undo must bring back beyond window and threshold.
    type Memory: Copy + Send;

    /// Signals without which the rule is not itself.
    fn requires(&self) -> Signals {
        Signals::NONE
    }
    /// The connection starts; `window` holds the ground's initial window.
    fn start(&mut self, _event: &Start, _window: &mut Window) {}
    /// Every ACK, before any growth: estimators.
    fn observe(&mut self, _ack: &Ack<'_>, _window: &mut Window) {}
    /// Growth in slow start for `counted` segments, the number that the slow start lets count.
    fn slow_start(&mut self, counted: f64, _window: &Window) -> f64 {
        counted
    }
    /// Growth in congestion avoidance for `acked` segments.
    fn avoidance(&mut self, ack: &Ack<'_>, acked: f64, window: &Window) -> f64;
    /// What a loss means.
    fn judge(&mut self, _loss: &Loss<'_>) -> Verdict {
        Verdict::Congestion
    }
    /// The new threshold after a congestion event that found `flight` segments in flight.
    fn reduce(&mut self, flight: f64, window: &Window) -> f64;
    /// A timeout; [`Rule::reduce`] was called if it was the first in a row.
    fn timeout(&mut self) {}
    /// The holes of the newest episode, a timeout's included, are filled.
    fn repaired(&mut self) {}
    /// Sending resumes after a pause.
    fn idle(&mut self, _now: Time) {}
    /// State for a later undo.
    fn save(&self) -> Self::Memory;
    /// Undo.
    fn restore(&mut self, memory: Self::Memory);
    /// Numbers of the rule's own.
    fn snapshot(&self, _out: &mut Snapshot) {}
}

/// What is being repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repair {
    /// Nothing, or fast recovery: the ACK says which.
    Fast,
    /// The aftermath of a timeout: slow start goes on while the holes are filled (RFC 5681, section 3.1).
    Timeout,
}

/// State before the newest reduction.
#[derive(Clone, Copy, Debug)]
struct Undo<M> {
    episode: u32,
    w: f64,
    ssthresh: f64,
    memory: M,
}

/// A slow start combined with a window rule.
#[derive(Clone, Debug)]
pub struct LossBased<R: Rule> {
    rule: R,
    slow_start: SlowStart,
    paced: bool,
    window: Window,
    repair: Repair,
    undo: Option<Undo<R::Memory>>,
}

impl<R: Rule> LossBased<R> {
    /// `slow_start` with `rule`; `paced` spreads the window over the round trip.
    pub const fn new(rule: R, slow_start: SlowStart, paced: bool) -> Self {
        // The window stands from `on_start` on; until then it is one segment of one byte.
        let window = Window::new(MIN_WINDOW_SEGMENTS, 1);
        Self { rule, slow_start, paced, window, repair: Repair::Fast, undo: None }
    }

    fn grow(&mut self, ack: &Ack<'_>) {
        let acked = ack.acked.segments(self.window.mss);
        if self.window.in_slow_start() {
            let counted = self.slow_start.counted(acked, &self.window);
            let growth = self.rule.slow_start(counted, &self.window);
            self.window.grow(growth, self.window.ssthresh);
        } else {
            let growth = self.rule.avoidance(ack, acked, &self.window);
            self.window.grow(growth, f64::INFINITY);
        }
    }

    /// Remembers the state before a reduction; a second reduction of one episode keeps the first state.
    fn remember(&mut self, episode: u32) {
        if self.undo.as_ref().is_none_or(|undo| undo.episode != episode) {
            let Window { w, ssthresh, .. } = self.window;
            self.undo = Some(Undo { episode, w, ssthresh, memory: self.rule.save() });
        }
    }

    fn command(&self, recovering: bool, control: &mut Control) {
        let slow = self.window.in_slow_start();
        self.window.command(control);
        if self.paced {
            let gain = if slow { PACING_GAIN_SLOW_START } else { PACING_GAIN_AVOIDANCE };
            control.pacing = self.window.pace(gain);
        }
        control.phase = match (recovering, slow) {
            (true, _) => "recovery",
            (false, true) => "slow start",
            (false, false) => "avoidance",
        };
    }
}

impl<R: Rule> Controller for LossBased<R> {
    fn requires(&self) -> Signals {
        self.rule.requires().and(if self.paced { Signals::PACING } else { Signals::NONE })
    }

    fn uses(&self) -> Signals {
        self.requires().and(Signals::UNDO)
    }

    fn on_start(&mut self, event: &Start, control: &mut Control) {
        self.window = Window::new(f64::from(event.initial_window).max(MIN_WINDOW_SEGMENTS), event.mss);
        self.rule.start(event, &mut self.window);
        self.command(false, control);
    }

    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        self.window.observe(ack);
        self.rule.observe(ack, &mut self.window);
        // RFC 9406, section 4.3: HyStart++ belongs to the initial slow start alone.
        if self.window.initial && self.window.in_slow_start() && self.slow_start.observe(ack) {
            self.window.ssthresh = self.window.w;
        }
        let repairing = ack.in_recovery && self.repair != Repair::Timeout;
        if ack.cwnd_limited && !repairing && ack.acked > units::Bytes::ZERO {
            self.grow(ack);
        }
        self.command(repairing, control);
    }

    fn on_loss(&mut self, event: &Loss<'_>, control: &mut Control) -> Verdict {
        if !event.new_episode {
            return Verdict::Congestion;
        }
        let verdict = self.rule.judge(event);
        if verdict == Verdict::Congestion {
            self.remember(event.episode);
            let flight = self.window.flight(event.in_flight_before);
            self.window.ssthresh = self.rule.reduce(flight, &self.window).max(MIN_SSTHRESH_SEGMENTS);
            self.window.w = self.window.w.min(self.window.ssthresh);
            self.window.initial = false;
            self.repair = Repair::Fast;
            self.command(true, control);
        }
        verdict
    }

    fn on_recovery_exit(&mut self, _now: Time, control: &mut Control) {
        self.repair = Repair::Fast;
        self.rule.repaired();
        self.command(false, control);
    }

    fn on_timeout(&mut self, event: &Timeout, control: &mut Control) {
        self.remember(event.episode);
        // RFC 5681, section 3.1: the threshold is held when a retransmission times out again.
        if event.consecutive <= 1 {
            let flight = self.window.flight(event.in_flight_before);
            self.window.ssthresh = self.rule.reduce(flight, &self.window).max(MIN_SSTHRESH_SEGMENTS);
        }
        self.rule.timeout();
        self.window.w = MIN_WINDOW_SEGMENTS;
        self.window.initial = false;
        self.repair = Repair::Timeout;
        self.command(false, control);
    }

    fn on_spurious(&mut self, event: &Spurious, control: &mut Control) {
        if let Some(undo) = self.undo.take_if(|undo| undo.episode == event.episode) {
            self.window.w = self.window.w.max(undo.w);
            self.window.ssthresh = self.window.ssthresh.max(undo.ssthresh);
            self.rule.restore(undo.memory);
            self.command(false, control);
        }
    }

    fn on_idle(&mut self, event: &Idle, _control: &mut Control) {
        self.rule.idle(event.now);
    }

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("cwnd_segments", self.window.w));
        out.push(("ssthresh_segments", self.window.ssthresh));
        self.slow_start.snapshot(out);
        self.rule.snapshot(out);
    }
}
