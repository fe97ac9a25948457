// SPDX-License-Identifier: MIT OR Apache-2.0
//! The window: it grows towards its target by the delivered amount, and changes during loss recovery.

use crate::window::{MAX_WINDOW_SEGMENTS, MIN_WINDOW_SEGMENTS, Rescale, rescaled};
use units::Time;

/// Smallest window that keeps the flow running if the receiver delays ACKs (one ACK per two segments; draft,
/// `BBRMinPipeCwnd`).
pub const MIN_PIPE_SEGMENTS: f64 = 4.0;

/// The congestion window, segments.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct Window {
    cwnd: f64,
    /// The window from before the recovery or before PROBE_RTT.
    prior: f64,
    recovering: bool,
    /// Whether the current recovery began with a timeout or with persistent congestion.
    collapsed: bool,
    /// The end of the newest recovery: its time, the window, and whether packet conservation was active.
    ended: Option<(Time, f64, bool)>,
    /// Whether packet conservation is active: each ACK allows the sender to send only the amount that the ACK reports
    /// as delivered. Packet conservation is used in the first round of a recovery.
    conserving: bool,
}

impl Window {
    /// A window of `cwnd` segments.
    pub const fn new(cwnd: f64) -> Self {
        Self { cwnd, prior: 0.0, recovering: false, collapsed: false, ended: None, conserving: false }
    }

    /// The window, segments.
    pub const fn cwnd(&self) -> f64 {
        self.cwnd
    }

    /// Draft, `BBRSaveCwnd()`. `cut` is true if PROBE_RTT has reduced the window.
    pub const fn save(&mut self, cut: bool) {
        self.prior = if self.recovering || cut { self.prior.max(self.cwnd) } else { self.cwnd };
    }

    /// Draft, `BBRRestoreCwnd()`: restores the saved window, but not above `limit`.
    pub const fn restore(&mut self, limit: f64) {
        self.cwnd = self.cwnd.max(self.prior.min(limit));
    }

    /// Draft, `BBRSetCwnd()`. `delivered` segments were delivered, and `in_flight` segments remain in flight.
    pub fn on_ack(&mut self, delivered: f64, in_flight: f64, target: f64, full_pipe: bool, starting: bool) {
        if delivered <= 0.0 {
            return;
        }
        if self.conserving {
            self.cwnd = self.cwnd.max(in_flight + delivered);
        } else {
            if full_pipe {
                self.cwnd = (self.cwnd + delivered).min(target);
            } else if self.cwnd < target || starting {
                self.cwnd += delivered;
            }
            self.cwnd = self.cwnd.max(MIN_PIPE_SEGMENTS);
        }
        self.cwnd = self.cwnd.min(MAX_WINDOW_SEGMENTS);
    }

    /// Reduces the window to at most `segments`.
    pub const fn cap(&mut self, segments: f64) {
        self.cwnd = self.cwnd.min(segments);
    }

    /// Draft, `BBRModulateCwndForRecovery()`: a lost segment does not allow the sender to send a new segment.
    pub const fn lose(&mut self, segments: f64) {
        self.cwnd = (self.cwnd - segments).max(MIN_WINDOW_SEGMENTS);
    }

    /// Whether the losses of an episode that begins at `now` begin a fast recovery. They do not if a fast recovery is
    /// in progress, or if a recovery ended with the same ACK. In the second case, the ended recovery continues, because
    /// Linux decides by the state before the ACK (`bbr_set_cwnd_to_recover_or_restore()`).
    pub fn enters_recovery(&mut self, now: Time) -> bool {
        if let Some((_, cwnd, conserving)) = self.ended.take_if(|(at, ..)| *at == now) {
            (self.cwnd, self.conserving) = (cwnd, conserving);
            self.recovering = true;
        }
        !self.recovering || self.collapsed
    }

    /// Draft, section 4.2.3.4, fast recovery: the window is the data in flight, plus one segment for the first
    /// retransmission.
    pub const fn recover(&mut self, in_flight: f64, cut: bool) {
        self.save(cut);
        self.cwnd = in_flight + 1.0;
        self.recovering = true;
        self.collapsed = false;
        self.conserving = true;
    }

    /// Draft, section 4.2.3.4, retransmission timeout: reduces the window to at most `segments`. For persistent
    /// congestion, the caller passes a larger value.
    pub const fn collapse(&mut self, segments: f64, cut: bool) {
        self.save(cut);
        self.cap(segments);
        self.recovering = true;
        self.collapsed = true;
        self.conserving = false;
    }

    /// The first round of a recovery ends.
    pub const fn end_conservation(&mut self) {
        self.conserving = false;
    }

    /// Recovery ends.
    pub fn recovered(&mut self, now: Time, limit: f64) {
        self.ended = (self.recovering && !self.collapsed).then_some((now, self.cwnd, self.conserving));
        self.recovering = false;
        self.collapsed = false;
        self.conserving = false;
        self.restore(limit);
    }
}

impl Rescale for Window {
    fn rescale(&mut self, factor: f64) {
        self.cwnd = rescaled(self.cwnd, factor);
        self.prior = rescaled(self.prior, factor);
        self.ended = self.ended.map(|(at, cwnd, conserving)| (at, rescaled(cwnd, factor), conserving));
    }
}
