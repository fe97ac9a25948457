// SPDX-License-Identifier: MIT OR Apache-2.0
//! Careful Resume (RFC 9959): the window jumps to half the capacity that an earlier connection measured on the path. If
//! the path does not have this capacity any more, the window is reduced safely. The terms are the RFC's terms.
//!
//! ```text
//! Reconnaissance  W as the rule has it, until the initial window is acknowledged and W limits sending.
//!                 Given up: congestion, path change, end of slow start, lifetime over,
//!                 min_rtt <= saved_rtt/2 or min_rtt > 10 saved_rtt, nothing to jump to
//! Unvalidated     PipeSize = flight_size, W = jump_cwnd = min(max_jump, saved_cwnd/2), paced at W / current RTT.
//!                 Ends: flight_size = W, an unvalidated packet is acknowledged, or one RTT has passed; then
//!                 flight_size < IW or <= PipeSize: W = max(PipeSize, IW), normal; else W = flight_size, Validating
//! Validating      W grows as the rule has it. Ends: the last unvalidated packet is acknowledged, normal
//! Safe Retreat    from Unvalidated on congestion or path change, from Validating on congestion:
//!                 W = PipeSize/2, no growth. Ends: the last unvalidated packet is acknowledged,
//!                 ssthresh = the rule's threshold for a flight of PipeSize, normal
//! PipeSize       += segments of unvalidated packets acknowledged
//! Observing       saved_cwnd = segments acknowledged in one RTT, if >= 4 IW; saved_rtt = min_rtt
//! ```
//!
//! The text of the RFC adds every acknowledged byte to `PipeSize`. The example of the RFC adds only unvalidated
//! packets, because `PipeSize` already counts the packets in flight at the jump. This code follows the example. The
//! `PipeSize` of the example is smaller, so it meets every limit of the RFC.

use crate::catalogue::parameters;
use crate::window::{MIN_SSTHRESH_SEGMENTS, Rescale, Window};
use crate::{Ack, Control, PathChange, SavedPath, Sent, Signals, Snapshot, Start};
use units::{Bytes, Rate, Span, Time};

/// Index of the timer of [`Control::timers`] that ends the Unvalidated Phase. A rule may use the other of the two
/// timers.
pub const TIMER: usize = 1;
/// If the RTT exceeds the saved RTT by more than this factor, the path is not the saved path (section 4.2.1).
const RTT_GROWTH: u64 = 10;
/// The path is saved only if at least this number of initial windows is acknowledged in one RTT (section 3.1).
const WORTH_SAVING: f64 = 4.0;

parameters! {
    /// Parameters of Careful Resume.
    pub struct Parameters {
        /// Careful Resume: upper bound of the jump
        max_jump: f64 = number("segments", 1e9, 1.0..=1e9),
            "RFC 9959, section 3.3 (defines the name, but gives no value)";
        /// Careful Resume: saved state that is older than this is not used
        saved_lifetime: Span = time("300 s", Span::ZERO..=Span::from_secs(604_800)),
            "RFC 9959, section 4.3.1 (minutes on changing paths, hours on stable paths); 5 min: RFC 7661, section 5";
    }
}

/// Phases of RFC 9959, section 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum Phase {
    /// Checks whether the path is the saved path.
    Reconnaissance,
    /// The window has jumped. No acknowledgement has confirmed the new window yet.
    Unvalidated,
    /// Waits until all packets sent during the jump are acknowledged.
    Validating,
    /// The jump was too large. The window is small, so that the queue drains.
    SafeRetreat,
    /// Normal congestion control. The capacity of the path is measured for a later connection.
    Normal,
}

/// How the window may grow at an ACK.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Growth {
    /// The window grows by the rule.
    Free,
    /// The window does not grow.
    Held,
    /// The window does not grow. The Safe Retreat Phase has ended. The rule computes the threshold from this
    /// `PipeSize`, in segments.
    Retreated(f64),
}

/// The state machine of Careful Resume.
#[derive(Clone, Debug, saved::Plain)]
pub struct CarefulResume {
    parameters: Parameters,
    phase: Phase,
    saved_cwnd: f64,
    saved_rtt: Span,
    /// When the lifetime of the saved state ends.
    expires: Time,
    initial_window: f64,
    /// Time of the earliest announced change of the path.
    path_changes: Option<Time>,
    /// Highest transmission number sent.
    newest: u64,
    /// Transmission numbers of the first and the last unvalidated packet. During the Unvalidated Phase, the last number
    /// still grows.
    unvalidated: (u64, u64),
    /// `flight_size`: bytes in flight.
    flight: Bytes,
    /// `PipeSize`, segments.
    pipe: f64,
    /// When the Unvalidated Phase began, and the RTT at that time.
    jumped: (Time, Span),
    /// Bytes delivered when the newest round began.
    delivered: Option<Bytes>,
    save: Option<SavedPath>,
}

impl CarefulResume {
    /// The state before the connection starts.
    pub const fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            phase: Phase::Normal,
            saved_cwnd: 0.0,
            saved_rtt: Span::ZERO,
            expires: Time::ZERO,
            initial_window: 0.0,
            path_changes: None,
            newest: 0,
            unvalidated: (0, 0),
            flight: Bytes::ZERO,
            pipe: 0.0,
            jumped: (Time::ZERO, Span::ZERO),
            delivered: None,
            save: None,
        }
    }

    /// Signals that the RFC requires.
    pub const fn requires() -> Signals {
        Signals::RESUME.and(Signals::SENT).and(Signals::PER_PACKET).and(Signals::PACING).and(Signals::TIMER)
    }

    /// The connection starts.
    pub fn start(&mut self, event: &Start, window: &Window) {
        self.initial_window = window.w;
        if let Some(saved) = event.saved {
            self.phase = Phase::Reconnaissance;
            self.saved_cwnd = saved.cwnd.segments(event.mss);
            self.saved_rtt = saved.rtt;
            self.expires = event.now + self.parameters.saved_lifetime.saturating_sub(saved.age);
        }
    }

    /// Processes a packet that was sent. Returns true if the phase has changed.
    pub fn sent(&mut self, event: &Sent, window: &mut Window) -> bool {
        let before = self.phase;
        self.newest = self.newest.max(event.tx);
        self.flight = event.in_flight;
        self.follow_path(event.now, window);
        // "This condition is also true when the remaining unused CWND is less than one maximum-sized packet."
        let full = event.in_flight.segments(window.mss) > window.w - 1.0;
        if self.phase == Phase::Unvalidated && (full || self.rtt_has_passed(event.now)) {
            self.finish_jump(window);
        }
        self.phase != before
    }

    /// The timer of the Unvalidated Phase fired.
    pub fn timer(&mut self, now: Time, window: &mut Window) {
        if self.phase == Phase::Unvalidated && self.rtt_has_passed(now) {
            self.finish_jump(window);
        }
    }

    /// An acknowledgement arrived.
    pub fn ack(&mut self, ack: &Ack<'_>, window: &mut Window) -> Growth {
        self.flight = ack.in_flight;
        self.follow_path(ack.now, window);
        match self.phase {
            Phase::Normal => {
                self.observe(ack, window);
                Growth::Free
            }
            Phase::Reconnaissance => {
                self.reconnoitre(ack, window);
                if self.phase == Phase::Unvalidated { Growth::Held } else { Growth::Free }
            }
            Phase::Unvalidated => {
                self.unvalidated.1 = self.newest;
                let (reached, _) = self.track(ack, window.mss);
                if ack.rtt.is_some_and(|rtt| rtt <= self.saved_rtt / 2) {
                    self.retreat(window);
                } else if reached || self.rtt_has_passed(ack.now) {
                    self.finish_jump(window);
                }
                if matches!(self.phase, Phase::Unvalidated | Phase::SafeRetreat) {
                    Growth::Held
                } else {
                    Growth::Free
                }
            }
            Phase::Validating => {
                if self.track(ack, window.mss).1 {
                    self.phase = Phase::Normal;
                }
                Growth::Free
            }
            Phase::SafeRetreat => {
                if self.track(ack, window.mss).1 {
                    self.phase = Phase::Normal;
                    Growth::Retreated(self.pipe)
                } else {
                    Growth::Held
                }
            }
        }
    }

    /// Processes detected congestion. Returns true if Careful Resume has reduced the window. The rule must then not
    /// reduce it again.
    pub fn congestion(&mut self, window: &mut Window) -> bool {
        match self.phase {
            Phase::Reconnaissance => self.phase = Phase::Normal,
            Phase::Unvalidated | Phase::Validating => self.retreat(window),
            Phase::SafeRetreat | Phase::Normal => {}
        }
        self.phase == Phase::SafeRetreat
    }

    /// Ends Careful Resume at a timeout of the retransmission timer, which counts as persistent congestion (section
    /// 3.6).
    pub const fn timeout(&mut self) {
        self.phase = Phase::Normal;
    }

    /// The path changes or will change.
    pub fn path(&mut self, event: &PathChange, window: &mut Window) {
        self.path_changes = Some(self.path_changes.map_or(event.at, |at| at.min(event.at)));
        self.follow_path(event.now, window);
    }

    /// If the time of a path change has come, reacts to the change.
    fn follow_path(&mut self, now: Time, window: &mut Window) {
        if self.path_changes.take_if(|at| *at <= now).is_some() {
            match self.phase {
                Phase::Reconnaissance => self.phase = Phase::Normal,
                Phase::Unvalidated => self.retreat(window),
                Phase::Validating | Phase::SafeRetreat | Phase::Normal => {}
            }
        }
    }

    /// Section 3.2: confirms that the path is the saved path, or ends Careful Resume.
    fn reconnoitre(&mut self, ack: &Ack<'_>, window: &mut Window) {
        let Some(min_rtt) = window.min_rtt else { return };
        // Section 3.3: jump_cwnd <= min(max_jump, saved_cwnd / 2).
        let jump = self.parameters.max_jump.min(self.saved_cwnd / 2.0);
        let another_path = min_rtt <= self.saved_rtt / 2 || min_rtt > self.saved_rtt * RTT_GROWTH;
        let slow_start = window.initial && window.in_slow_start();
        if another_path || !slow_start || ack.now > self.expires || jump <= window.w {
            self.phase = Phase::Normal;
            return;
        }
        let acknowledged = ack.total_delivered.segments(window.mss) >= self.initial_window;
        if acknowledged && ack.cwnd_limited {
            self.phase = Phase::Unvalidated;
            self.pipe = ack.in_flight.segments(window.mss);
            self.unvalidated = (self.newest + 1, self.newest);
            self.jumped = (ack.now, ack.rtt.unwrap_or(min_rtt));
            window.w = jump;
        }
    }

    fn rtt_has_passed(&self, now: Time) -> bool {
        let (at, rtt) = self.jumped;
        now.since(at) >= rtt
    }

    /// Adds the acknowledged unvalidated packets to `PipeSize`. The first result is true if the ACK covers an
    /// unvalidated packet or a later packet. The second result is true if the ACK covers the last unvalidated packet or
    /// a later packet.
    fn track(&mut self, ack: &Ack<'_>, mss: u32) -> (bool, bool) {
        let (first, last) = self.unvalidated;
        let (mut reached, mut completed) = (false, false);
        for packet in ack.packets {
            reached |= packet.tx >= first;
            completed |= packet.tx >= last;
            if (first..=last).contains(&packet.tx) {
                self.pipe += f64::from(packet.bytes) / f64::from(mss);
            }
        }
        (reached, completed)
    }

    /// Ends the jump (section 3.3, "Check flight_size").
    fn finish_jump(&mut self, window: &mut Window) {
        let flight = self.flight.segments(window.mss);
        self.unvalidated.1 = self.newest;
        if flight < self.initial_window || flight <= self.pipe {
            window.w = self.pipe.max(self.initial_window);
            self.phase = Phase::Normal;
        } else {
            window.w = flight;
            self.phase = Phase::Validating;
        }
    }

    /// Section 3.5: discards the saved state, and reduces W to half the confirmed capacity or less.
    fn retreat(&mut self, window: &mut Window) {
        if self.phase == Phase::Unvalidated {
            self.unvalidated.1 = self.newest;
        }
        self.phase = Phase::SafeRetreat;
        self.save = None;
        window.w = (self.pipe / 2.0).max(MIN_SSTHRESH_SEGMENTS).min(window.w);
        window.initial = false;
    }

    /// Section 3.1: measures the capacity. A round in which the window did not limit sending does not lower the
    /// measured capacity.
    fn observe(&mut self, ack: &Ack<'_>, window: &Window) {
        if !ack.round_start {
            return;
        }
        let before = self.delivered.replace(ack.total_delivered);
        let (Some(before), Some(rtt)) = (before, window.min_rtt) else { return };
        let mut cwnd = ack.total_delivered - before;
        if let Some(save) = self.save.filter(|_| !ack.cwnd_limited) {
            cwnd = cwnd.max(save.cwnd);
        }
        if cwnd.segments(window.mss) >= WORTH_SAVING * self.initial_window {
            self.save = Some(SavedPath { cwnd, rtt, age: Span::ZERO });
        }
    }

    /// Writes the commands of Careful Resume.
    pub fn command(&self, window: &Window, control: &mut Control) {
        let (at, rtt) = self.jumped;
        control.save = self.save;
        control.timers[TIMER] = (self.phase == Phase::Unvalidated).then(|| at + rtt);
        control.phase = match self.phase {
            Phase::Reconnaissance => "careful resume: reconnaissance",
            Phase::Unvalidated => "careful resume: unvalidated",
            Phase::Validating => "careful resume: validating",
            Phase::SafeRetreat => "careful resume: safe retreat",
            Phase::Normal => return,
        };
        match self.phase {
            Phase::Unvalidated if rtt > Span::ZERO => {
                // Section 4.3.2: ITT = current RTT * MPS / jump_cwnd.
                let bytes_per_s = window.w * f64::from(window.mss) / rtt.secs_f64();
                control.pacing = Some(Rate::from_bytes_per_s(bytes_per_s).max(Rate::from_bits_per_s(1)));
            }
            // Section 4.5: proportional rate reduction is not appropriate here.
            Phase::SafeRetreat => control.owns_recovery = true,
            _ => {}
        }
    }

    /// Values for traces.
    pub fn snapshot(&self, window: &Window, out: &mut Snapshot) {
        out.push(("pipe_size_segments", self.pipe));
        if let Some(save) = self.save {
            out.push(("saved_cwnd_segments", save.cwnd.segments(window.mss)));
            out.push(("saved_rtt_ms", save.rtt.millis_f64()));
        }
    }
}

impl Rescale for CarefulResume {
    fn rescale(&mut self, factor: f64) {
        self.saved_cwnd.rescale(factor);
        self.pipe.rescale(factor);
    }
}

#[cfg(test)]
mod tests;
