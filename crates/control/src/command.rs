// SPDX-License-Identifier: MIT OR Apache-2.0
//! The commands of a controller.

use crate::SavedPath;
use units::{Bytes, Rate, Span, Time};

/// The complete state that a controller requests. The platform keeps one `Control` per flow. During an event, the
/// controller changes the `Control`. After the event, the platform obeys it.
#[derive(Clone, Debug, PartialEq, saved::Plain)]
pub struct Control {
    /// Congestion window: bytes that may be in flight.
    pub cwnd: Bytes,
    /// Slow-start threshold. `None` means not set yet (infinite). Zero means that the controller uses neither slow
    /// start nor a threshold.
    pub ssthresh: Option<Bytes>,
    /// Pacing rate. With `None`, only the window limits sending.
    pub pacing: Option<Rate>,
    /// Bytes that may be sent back to back while pacing. `None` means one segment.
    pub quantum: Option<Bytes>,
    /// Send nothing before this time.
    pub hold_until: Option<Time>,
    /// Times at which the timers fire. The platform clears a timer when it fires.
    pub timers: [Option<Time>; 2],
    /// Low-priority probes to send. The platform clears this request when it reads it.
    pub probes: Option<ProbeRequest>,
    /// Requests that the receiver acknowledges after this number of segments or after this delay, whichever comes
    /// first. `None` leaves the receiver unchanged.
    pub ack_policy: Option<(u32, Span)>,
    /// Path state to save for a later connection.
    pub save: Option<SavedPath>,
    /// Whether recovery follows the controller alone. If true, the window during recovery is exactly the window that
    /// the controller requests (no PRR, no inflation), and one recovery is one episode.
    pub owns_recovery: bool,
    /// Name of the phase for traces ("slow start", "avoidance", "probe bandwidth: up").
    pub phase: &'static str,
}

impl Control {
    /// The initial state: a window of `cwnd` bytes and no other command.
    pub const fn new(cwnd: Bytes) -> Self {
        Self {
            cwnd,
            ssthresh: None,
            pacing: None,
            quantum: None,
            hold_until: None,
            timers: [None; 2],
            probes: None,
            ack_policy: None,
            save: None,
            owns_recovery: false,
            phase: "start",
        }
    }
}

/// Commands from outside that replace the controller's values until the commands are withdrawn. The controller keeps
/// its own state, and reads the commanded values in its [`Control`]. When a command is withdrawn, the value from before
/// the command applies again until the controller changes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, saved::Plain)]
pub struct Overrides {
    /// Congestion window.
    pub cwnd: Option<Bytes>,
    /// Slow-start threshold.
    pub ssthresh: Option<Bytes>,
    /// Pacing rate.
    pub pacing: Option<Rate>,
}

impl Overrides {
    /// Writes the commanded values into `control`.
    pub fn apply(&self, control: &mut Control) {
        control.cwnd = self.cwnd.unwrap_or(control.cwnd);
        control.ssthresh = self.ssthresh.or(control.ssthresh);
        control.pacing = self.pacing.or(control.pacing);
    }

    /// Replaces the commands `before`. When a command begins, the controller's value goes to `own`. When the command is
    /// withdrawn, this value is restored.
    pub const fn replace(&self, before: &Self, own: &mut OwnCommands, control: &mut Control) {
        match (before.cwnd, self.cwnd) {
            (None, Some(_)) => own.cwnd = control.cwnd,
            (Some(_), None) => control.cwnd = own.cwnd,
            _ => {}
        }
        match (before.ssthresh, self.ssthresh) {
            (None, Some(_)) => own.ssthresh = control.ssthresh,
            (Some(_), None) => control.ssthresh = own.ssthresh,
            _ => {}
        }
        match (before.pacing, self.pacing) {
            (None, Some(_)) => own.pacing = control.pacing,
            (Some(_), None) => control.pacing = own.pacing,
            _ => {}
        }
    }
}

/// The controller's values that [`Overrides`] have replaced.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub struct OwnCommands {
    cwnd: Bytes,
    ssthresh: Option<Bytes>,
    pacing: Option<Rate>,
}

/// Low-priority probe segments (TCP-Peach's dummies, Peach+'s NIL, Cherry's supplements).
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct ProbeRequest {
    /// Number of probes.
    pub count: u32,
    /// Time between two probes.
    pub gap: Span,
    /// Whether the probes carry data not yet sent (Cherry) instead of copies of unacknowledged data.
    pub new_data: bool,
}

/// A controller's verdict on a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, saved::Plain)]
pub enum LossVerdict {
    /// Congestion: the platform begins (or continues) a recovery episode.
    #[default]
    Congestion,
    /// A link error: the packet is retransmitted, no episode begins, and the window is unchanged.
    LinkError,
}
