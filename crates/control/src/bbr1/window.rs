// SPDX-License-Identifier: MIT OR Apache-2.0
//! The window: growth towards its target by what is delivered, and the changes of loss recovery.

use crate::window::{MAX_WINDOW_SEGMENTS, MIN_WINDOW_SEGMENTS, Rescale, rescaled};
use units::Time;

/// Least segments that ACKs of every other segment keep going (draft, `BBRMinPipeCwnd`).
pub const MIN_PIPE_SEGMENTS: f64 = 4.0;

/// The congestion window, segments.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct Window {
    cwnd: f64,
    /// The last good window, from before recovery or PROBE_RTT.
    prior: f64,
    recovering: bool,
    /// The present repair began with a timeout or with persistent congestion.
    collapsed: bool,
    /// When the newest recovery ended, and what it left behind: the window, and whether it was conserving.
    ended: Option<(Time, f64, bool)>,
    /// Send what is delivered and no more: the first round of a recovery.
    conserving: bool,
}

impl Window {
    /// `cwnd` segments.
    pub const fn new(cwnd: f64) -> Self {
        Self { cwnd, prior: 0.0, recovering: false, collapsed: false, ended: None, conserving: false }
    }

    /// The window, segments.
    pub const fn cwnd(&self) -> f64 {
        self.cwnd
    }

    /// Draft, `BBRSaveCwnd()`; `cut` if PROBE_RTT has cut the window.
    pub const fn save(&mut self, cut: bool) {
        self.prior = if self.recovering || cut { self.prior.max(self.cwnd) } else { self.cwnd };
    }

    /// Draft, `BBRRestoreCwnd()`, up to `limit`.
    pub const fn restore(&mut self, limit: f64) {
        self.cwnd = self.cwnd.max(self.prior.min(limit));
    }

    /// Draft, `BBRSetCwnd()`: `delivered` segments, `in_flight` afterwards.
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

    /// At most `segments`.
    pub const fn cap(&mut self, segments: f64) {
        self.cwnd = self.cwnd.min(segments);
    }

    /// Draft, `BBRModulateCwndForRecovery()`: what is lost makes no room.
    pub const fn lose(&mut self, segments: f64) {
        self.cwnd = (self.cwnd - segments).max(MIN_WINDOW_SEGMENTS);
    }

    /// Whether losses that begin an episode at `now` enter fast recovery. Losses during a recovery do not. A recovery
    /// that ended with the same ACK continues (Linux, `bbr_set_cwnd_to_recover_or_restore()`: the state before the ACK
    /// decides).
    pub fn enters_recovery(&mut self, now: Time) -> bool {
        if let Some((_, cwnd, conserving)) = self.ended.take_if(|(at, ..)| *at == now) {
            (self.cwnd, self.conserving) = (cwnd, conserving);
            self.recovering = true;
        }
        !self.recovering || self.collapsed
    }

    /// Draft, section 4.2.3.4, fast recovery: what is in flight, and one for the first repair.
    pub const fn recover(&mut self, in_flight: f64, cut: bool) {
        self.save(cut);
        self.cwnd = in_flight + 1.0;
        self.recovering = true;
        self.collapsed = false;
        self.conserving = true;
    }

    /// Draft, section 4.2.3.4, retransmission timeout: at most `segments` are left. Persistent congestion leaves more.
    pub const fn collapse(&mut self, segments: f64, cut: bool) {
        self.save(cut);
        self.cap(segments);
        self.recovering = true;
        self.collapsed = true;
        self.conserving = false;
    }

    /// The first round of a recovery is over.
    pub const fn end_conservation(&mut self) {
        self.conserving = false;
    }

    /// Recovery is over.
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
