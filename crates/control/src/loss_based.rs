// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frame of every controller that grows on ACKs and shrinks on losses. It combines a slow start, a loss verdict and
//! a window rule.
//!
//! [`LossBased`] contains the behaviour that all these controllers share. Windows grow only while the window limits
//! sending and no loss is being repaired. Each loss episode causes one reduction. The frame also handles the
//! retransmission timeout, undo, and pacing. A [`Rule`] contains the behaviour that differs between controllers.
//!
//! Slow start, loss verdict and Careful Resume are parts of the frame. Every part can be combined with every rule.

use crate::careful_resume::{self, CarefulResume, Growth};
use crate::loss_verdict::LossJudge;
use crate::slow_start::SlowStart;
use crate::window::{
    MAX_WINDOW_SEGMENTS, MIN_SSTHRESH_SEGMENTS, MIN_WINDOW_SEGMENTS, Rescale, Window, rescaled,
};
use crate::{
    Ack, Control, Controller, Idle, Loss, LossTrigger, LossVerdict, NewMss, PathChange, Sent, Signals,
    Snapshot, Spurious, Start, Timeout, TimerFired, Unused,
};
use units::{Bytes, Time};

/// Windows per smoothed RTT while pacing in slow start. With this rate, the window doubles in a round (Linux,
/// `tcp_pacing_ss_ratio`).
pub const PACING_GAIN_SLOW_START: f64 = 2.0;
/// Windows per smoothed RTT while pacing in congestion avoidance. The rate exceeds one window per RTT, so that a
/// growing window is used (Linux, `tcp_pacing_ca_ratio`).
const PACING_GAIN_AVOIDANCE: f64 = 1.2;

/// The minimum window of datagram platforms (RFC 9002, section 7.2). Persistent congestion reduces the window to this
/// minimum. TCP's minimum is one segment.
const MIN_DATAGRAM_WINDOW_SEGMENTS: f64 = 2.0;

/// Parts of the frame that combine with any window rule.
#[derive(Clone, Debug, saved::Plain)]
pub struct Parts {
    /// How many segments an ACK counts below the threshold, and when the initial slow start ends.
    pub slow_start: SlowStart,
    /// Which losses are congestion.
    pub loss_judge: LossJudge,
    /// Starts from the state that an earlier connection saved, and saves the state of this connection.
    pub careful_resume: Option<Box<CarefulResume>>,
    /// Whether the window is spread over the round trip.
    pub pacing: bool,
    /// The fraction of the flight that remains after an ECN mark (RFC 8511). `None` means the fraction that the rule
    /// keeps after a loss.
    pub beta_ecn: Option<f64>,
}

impl Parts {
    /// RFC 5681 without other parts: classic slow start, in which an ACK counts at most `limit` segments.
    pub const fn classic(limit: f64) -> Self {
        Self {
            slow_start: SlowStart::Classic { limit },
            loss_judge: LossJudge::Congestion,
            careful_resume: None,
            pacing: false,
            beta_ecn: None,
        }
    }
}

/// A congestion event that requires a smaller window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reduction {
    /// Time of the event.
    pub now: Time,
    /// Segments in flight, from which the decrease starts ([`Window::flight`]).
    pub flight: f64,
    /// When the first lost packet was sent. At an ECN mark, when the newest packet that the ACK covers was sent. `None`
    /// at a timeout.
    pub sent_at: Option<Time>,
    /// Whether the event is an ECN mark, not a loss.
    pub marked: bool,
}

/// How a window grows and shrinks. Amounts are in segments. Negative growth counts as zero.
///
/// The segment size can change. [`Rescale`] then converts the amounts in segments that a rule stores.
pub trait Rule: Clone + Rescale + saved::Plain + Send + Sync + 'static {
    /// State that an undo restores in addition to window and threshold.
    type Memory: Copy + Rescale + saved::Plain + Send + Sync;

    /// Signals that the rule requires.
    fn requires(&self) -> Signals {
        Signals::NONE
    }
    /// The connection starts. `window` holds the platform's initial window.
    fn start(&mut self, _event: &Start, _window: &mut Window) {}
    /// Signals that the rule uses if they are available, in addition to the required signals.
    fn uses(&self) -> Signals {
        Signals::NONE
    }
    /// Called at every ACK, before any growth. Rules update their estimators here, and change the window for reasons
    /// other than a loss.
    fn observe(&mut self, _ack: &Ack<'_>, _window: &mut Window) {}
    /// Growth in slow start for `counted` segments. The part [`SlowStart`] has computed this number.
    fn slow_start(&mut self, counted: f64, _window: &Window) -> f64 {
        counted
    }
    /// Growth in congestion avoidance for `acked` acknowledged segments.
    fn avoidance(&mut self, ack: &Ack<'_>, acked: f64, window: &Window) -> f64;
    /// The new threshold after a congestion event.
    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64;
    /// The window after a loss, when the new threshold is already set. In RFC 5681, this is the smaller of window and
    /// threshold.
    fn window_after_loss(&self, window: &Window) -> f64 {
        window.w.min(window.ssthresh)
    }
    /// Like [`Controller::keeps_window_in_repair`].
    fn keeps_window_in_repair(&self) -> bool {
        false
    }
    /// Like [`Controller::answers_each_mark`].
    fn answers_each_mark(&self) -> bool {
        false
    }
    /// For a rule that receives each mark: whether the rule reduces the window because of this mark.
    fn takes_mark(&mut self, _event: &Loss<'_>, _window: &Window) -> bool {
        true
    }
    /// A timeout. At the first of several timeouts in a row, [`Rule::reduce`] was called before.
    fn timeout(&mut self) {}
    /// Like [`Rule::timeout`], for rules that need the time of the timeout.
    fn timeout_at(&mut self, _now: Time) {
        self.timeout();
    }
    /// Persistent congestion. The window already has its minimum. The threshold has the value that the losses set.
    fn persistent_congestion(&mut self, now: Time, _window: &mut Window) {
        self.timeout_at(now);
    }
    /// The window after a timeout. In RFC 5681, this is one segment.
    fn window_after_timeout(&self) -> f64 {
        MIN_WINDOW_SEGMENTS
    }
    /// All holes of the newest episode are filled. A timeout is also an episode.
    fn repaired(&mut self, _now: Time, _window: &mut Window) {}
    /// Sending resumes after a pause.
    fn idle(&mut self, _now: Time, _window: &mut Window) {}
    /// The window was not used, and the platform has reduced it. Slow start follows.
    fn unused(&mut self) {}
    /// The path changes or will change.
    fn path(&mut self, _event: &PathChange, _window: &mut Window) {}
    /// Writes commands other than window, threshold and pacing (for example probes). Called after every event.
    fn command(&mut self, _window: &Window, _control: &mut Control) {}
    /// Returns the state for a later undo.
    fn save(&self) -> Self::Memory;
    /// Restores the state at an undo.
    fn restore(&mut self, memory: Self::Memory);
    /// Values of this rule, for traces.
    fn snapshot(&self, _out: &mut Snapshot) {}
}

/// The name of the phase while a loss episode is repaired.
const RECOVERY: &str = "recovery";

/// The loss episode that is being repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum Repair {
    /// No repair, or fast recovery. `Ack::in_recovery` shows which of the two it is.
    Fast,
    /// The repair after a timeout or after persistent congestion. Slow start grows the window while the holes are
    /// filled (RFC 5681, section 3.1; RFC 9002, section 7.3.1).
    Timeout,
}

/// The state before the newest reduction, for an undo.
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Undo<M> {
    episode: u32,
    w: f64,
    ssthresh: f64,
    initial: bool,
    memory: M,
}

impl<M: Rescale> Rescale for Undo<M> {
    fn rescale(&mut self, factor: f64) {
        self.w = rescaled(self.w, factor);
        self.ssthresh = rescaled(self.ssthresh, factor);
        self.memory.rescale(factor);
    }
}

/// A slow start combined with a window rule.
#[derive(Clone, Debug, saved::Plain)]
pub struct LossBased<R: Rule> {
    rule: R,
    parts: Parts,
    window: Window,
    repair: Repair,
    undo: Option<Undo<R::Memory>>,
}

impl<R: Rule> LossBased<R> {
    /// The frame with the rule `rule` and the parts `parts`.
    pub const fn new(rule: R, parts: Parts) -> Self {
        // `on_start` sets the window. Before this event, the window is one segment of one byte.
        let window = Window::new(MIN_WINDOW_SEGMENTS, 1);
        Self { rule, parts, window, repair: Repair::Fast, undo: None }
    }

    fn grow(&mut self, ack: &Ack<'_>) {
        let acked = ack.acked.segments(self.window.mss);
        if self.window.in_slow_start() {
            let counted = self.parts.slow_start.counted(acked, &self.window);
            let growth = self.rule.slow_start(counted, &self.window);
            self.window.grow(growth, self.window.ssthresh);
        } else {
            let growth = self.rule.avoidance(ack, acked, &self.window);
            self.window.grow(growth, f64::INFINITY);
        }
    }

    /// Sets the threshold to the value that the rule computes.
    fn reduce(&mut self, now: Time, in_flight: Bytes, sent_at: Option<Time>, marked: bool) {
        let flight = self.window.flight(in_flight);
        self.window.set_clock(now);
        let threshold = self.rule.reduce(&Reduction { now, flight, sent_at, marked }, &self.window);
        // RFC 8511, section 3: ssthresh = max(beta_ecn FlightSize, 2 SMSS) at a mark.
        let threshold = self.parts.beta_ecn.filter(|_| marked).map_or(threshold, |beta| beta * flight);
        self.window.ssthresh = threshold.clamp(MIN_SSTHRESH_SEGMENTS, MAX_WINDOW_SEGMENTS);
    }

    /// Stores the state before a reduction. A second reduction of the same episode does not replace this state.
    fn remember(&mut self, episode: u32) {
        if self.undo.as_ref().is_none_or(|undo| undo.episode != episode) {
            let Window { w, ssthresh, initial, .. } = self.window;
            self.undo = Some(Undo { episode, w, ssthresh, initial, memory: self.rule.save() });
        }
    }

    /// The end of Safe Retreat (RFC 9959, section 3.5): ssthresh is at most beta PipeSize, where beta is the rule's
    /// factor. The computation does not use the current window, because this window is smaller than the validated
    /// amount.
    fn end_retreat(&mut self, now: Time, pipe: f64) {
        let w = std::mem::replace(&mut self.window.w, pipe);
        let threshold =
            self.rule.reduce(&Reduction { now, flight: pipe, sent_at: None, marked: false }, &self.window);
        self.window.w = w;
        self.window.ssthresh = threshold.min(pipe).clamp(MIN_SSTHRESH_SEGMENTS, MAX_WINDOW_SEGMENTS);
    }

    /// Ends the repair of Rapid Start.
    fn end_rapid_start(&mut self) {
        if let Some(rapid) = self.parts.slow_start.rapid() {
            rapid.end();
        }
    }

    fn command(&mut self, recovering: bool, control: &mut Control) {
        let slow = self.window.in_slow_start();
        self.window.command(control);
        if self.parts.pacing {
            // Linux, tcp_update_pacing_rate: from half of the threshold upwards, the end of slow start is near.
            let far = self.window.w < self.window.ssthresh / 2.0;
            let gain = if far { PACING_GAIN_SLOW_START } else { PACING_GAIN_AVOIDANCE };
            control.pacing = self.window.pace(gain);
        }
        control.phase = match (recovering, slow) {
            (true, _) => RECOVERY,
            (false, true) => "slow start",
            (false, false) => "avoidance",
        };
        if let SlowStart::Rapid(rapid) = &self.parts.slow_start {
            control.owns_recovery = rapid.repairs();
            control.pacing = rapid.first_pace(&self.window).or(control.pacing.filter(|_| self.parts.pacing));
        } else if self.parts.careful_resume.is_some() {
            control.owns_recovery = false;
            control.pacing = control.pacing.filter(|_| self.parts.pacing);
        }
        self.rule.command(&self.window, control);
        if let Some(resume) = &self.parts.careful_resume {
            resume.command(&self.window, control);
        }
    }
}

impl<R: Rule> Controller for LossBased<R> {
    fn requires(&self) -> Signals {
        let parts = self.parts.slow_start.requires().and(self.parts.loss_judge.requires());
        let pacing = if self.parts.pacing { Signals::PACING } else { Signals::NONE };
        let resume = self.parts.careful_resume.as_ref().map_or(Signals::NONE, |_| CarefulResume::requires());
        self.rule.requires().and(parts).and(pacing).and(resume)
    }

    fn uses(&self) -> Signals {
        self.requires().and(self.rule.uses()).and(Signals::UNDO)
    }

    fn on_start(&mut self, event: &Start, control: &mut Control) {
        self.window = Window::new(f64::from(event.initial_window).max(MIN_WINDOW_SEGMENTS), event.mss);
        self.window.leave_out_time_until(event.now);
        self.parts.slow_start.start(event);
        self.rule.start(event, &mut self.window);
        if let Some(resume) = &mut self.parts.careful_resume {
            resume.start(event, &self.window);
        }
        self.command(false, control);
    }

    fn on_sent(&mut self, event: &Sent, control: &mut Control) {
        if let Some(resume) = &mut self.parts.careful_resume
            && resume.sent(event, &mut self.window)
        {
            self.command(control.phase == RECOVERY, control);
        }
    }

    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        self.window.observe(ack);
        self.rule.observe(ack, &mut self.window);
        self.parts.loss_judge.observe(ack);
        // RFC 9406, section 4.3, uses HyStart++ only in the initial slow start. This code does the same for the other
        // slow starts.
        if self.window.initial && self.window.in_slow_start() {
            self.parts.slow_start.observe(ack, &mut self.window);
        }
        let resume = self.parts.careful_resume.as_mut();
        let growth = resume.map_or(Growth::Free, |resume| resume.ack(ack, &mut self.window));
        if let Growth::Retreated(pipe) = growth {
            self.end_retreat(ack.now, pipe);
        }
        let repairing = ack.in_recovery && self.repair != Repair::Timeout;
        if let Some(rapid) = self.parts.slow_start.rapid() {
            rapid.on_ack(ack, repairing, &mut self.window);
        }
        // RFC 5681, section 3.1: only "an ACK that cumulatively acknowledges new data" grows the window (Linux,
        // tcp_may_raise_cwnd). Before a loss is known, data that duplicate ACKs report by SACK do not grow it, unless
        // packets are known to arrive late. RFC 9002, appendix B.5: any new data grow the window.
        let advances = ack.advance() > Bytes::ZERO || (ack.reordered && ack.acked > Bytes::ZERO);
        if ack.cwnd_limited && !repairing && advances && growth == Growth::Free {
            self.grow(ack);
        }
        self.command(repairing, control);
    }

    fn on_loss(&mut self, event: &Loss<'_>, control: &mut Control) -> LossVerdict {
        if !event.new_episode {
            if let Some(rapid) = self.parts.slow_start.rapid()
                && rapid.repairs()
            {
                rapid.on_loss(event, &mut self.window);
                self.command(true, control);
            }
            return LossVerdict::Congestion;
        }
        let marked = event.trigger == LossTrigger::Ecn;
        // A mark that the rule receives each time does not begin an episode, so no state is stored for an undo.
        let passes = marked && self.rule.answers_each_mark();
        if passes && !self.rule.takes_mark(event, &self.window) {
            return LossVerdict::LinkError;
        }
        let verdict = self.parts.loss_judge.judge(event);
        if verdict == LossVerdict::Congestion {
            let resume = self.parts.careful_resume.as_mut();
            let retreats = resume.is_some_and(|resume| resume.congestion(&mut self.window));
            // An undo must not restore an unvalidated window. A Safe Retreat is therefore not undone.
            if !retreats {
                if !passes {
                    self.remember(event.episode);
                }
                let sent_at = event.packets.first().map(|packet| packet.sent_at);
                let first = self.window.initial && self.window.in_slow_start();
                let flight = self.window.flight(event.in_flight_before);
                self.reduce(event.now, event.in_flight_before, sent_at, marked);
                if let Some(rapid) = self.parts.slow_start.rapid() {
                    rapid.end();
                    if first && !passes {
                        rapid.reduce(event, (self.window.ssthresh / flight).min(1.0), &mut self.window);
                    }
                }
                let w = self.rule.window_after_loss(&self.window);
                self.window.w = w.clamp(MIN_WINDOW_SEGMENTS, MAX_WINDOW_SEGMENTS);
            }
            self.window.initial = false;
            self.repair = Repair::Fast;
            self.command(!passes, control);
        }
        verdict
    }

    fn keeps_window_in_repair(&self) -> bool {
        self.rule.keeps_window_in_repair()
    }

    fn answers_each_mark(&self) -> bool {
        self.rule.answers_each_mark()
    }

    fn on_recovery_exit(&mut self, now: Time, control: &mut Control) {
        self.repair = Repair::Fast;
        self.end_rapid_start();
        self.rule.repaired(now, &mut self.window);
        self.command(false, control);
    }

    fn on_timeout(&mut self, event: &Timeout, control: &mut Control) {
        if self.parts.loss_judge.judge_timeout(event.now) == LossVerdict::LinkError {
            self.command(control.phase == RECOVERY, control);
            return;
        }
        if let Some(resume) = &mut self.parts.careful_resume {
            resume.timeout();
        }
        self.remember(event.episode);
        // RFC 5681, section 3.1: if a retransmission times out again, the threshold does not change.
        if event.consecutive <= 1 {
            self.reduce(event.now, event.in_flight_before, None, false);
        }
        self.end_rapid_start();
        self.rule.timeout_at(event.now);
        // A timeout never grows the window.
        self.window.w = self.rule.window_after_timeout().min(self.window.w);
        self.window.initial = false;
        self.repair = Repair::Timeout;
        self.command(false, control);
    }

    /// RFC 9002, section 7.6.2 and appendix B.8: the window is set to its minimum, and the recovery period ends.
    fn on_persistent_congestion(&mut self, now: Time, control: &mut Control) {
        if self.parts.loss_judge.judge_timeout(now) == LossVerdict::LinkError {
            self.command(control.phase == RECOVERY, control);
            return;
        }
        if let Some(resume) = &mut self.parts.careful_resume {
            resume.timeout();
        }
        self.end_rapid_start();
        self.window.w = self.window.w.min(MIN_DATAGRAM_WINDOW_SEGMENTS);
        self.rule.persistent_congestion(now, &mut self.window);
        self.window.initial = false;
        self.repair = Repair::Timeout;
        self.command(false, control);
    }

    fn on_spurious(&mut self, event: &Spurious, control: &mut Control) {
        if let Some(undo) = self.undo.take_if(|undo| undo.episode == event.episode) {
            self.window.w = self.window.w.max(undo.w);
            self.window.ssthresh = self.window.ssthresh.max(undo.ssthresh);
            // If nothing was lost, the initial slow start continues and may still set its threshold.
            self.window.initial = undo.initial;
            self.rule.restore(undo.memory);
            self.end_rapid_start();
            self.command(false, control);
        }
    }

    fn on_unused(&mut self, event: &Unused, control: &mut Control) {
        if let Some(least) = event.ssthresh {
            self.window.ssthresh = self.window.ssthresh.max(least.segments(self.window.mss));
        }
        if let Some(most) = event.most {
            self.window.ssthresh = self.window.ssthresh.min(most.segments(self.window.mss));
        }
        self.window.w = self.window.w.min(event.cwnd.segments(self.window.mss)).max(MIN_WINDOW_SEGMENTS);
        self.rule.unused();
        self.command(control.phase == RECOVERY, control);
    }

    fn on_idle(&mut self, event: &Idle, control: &mut Control) {
        self.window.leave_out_time_until(event.now);
        self.rule.idle(event.now, &mut self.window);
        self.command(false, control);
    }

    fn on_path(&mut self, event: &PathChange, control: &mut Control) {
        self.parts.loss_judge.path(event);
        self.rule.path(event, &mut self.window);
        if let Some(resume) = &mut self.parts.careful_resume {
            resume.path(event, &mut self.window);
        }
        self.command(control.phase == RECOVERY, control);
    }

    fn on_mss(&mut self, event: &NewMss, control: &mut Control) {
        let factor = self.window.set_mss(event.mss);
        self.rule.rescale(factor);
        self.parts.slow_start.rescale(factor);
        if let Some(resume) = &mut self.parts.careful_resume {
            resume.rescale(factor);
        }
        self.undo.rescale(factor);
        self.command(control.phase == RECOVERY, control);
    }

    fn on_timer(&mut self, event: &TimerFired, control: &mut Control) {
        if let Some(resume) = self.parts.careful_resume.as_mut().filter(|_| event.id == careful_resume::TIMER)
        {
            resume.timer(event.now, &mut self.window);
            self.command(control.phase == RECOVERY, control);
        }
    }

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("cwnd_segments", self.window.w));
        out.push(("ssthresh_segments", self.window.ssthresh));
        self.parts.slow_start.snapshot(out);
        self.parts.loss_judge.snapshot(out);
        if let Some(resume) = &self.parts.careful_resume {
            resume.snapshot(&self.window, out);
        }
        self.rule.snapshot(out);
    }
}
