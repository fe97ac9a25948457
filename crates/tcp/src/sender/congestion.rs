// SPDX-License-Identifier: MIT OR Apache-2.0
//! Congestion control: the controller, its commands, and the data that the controller receives.

use super::PATH_SIGNALS;
use super::validation::Validation;
use crate::rate::RateSampler;
use crate::scoreboard::{Record, Scoreboard};
use crate::{AfterIdle, Config};
use control::{Control, Controller, Ephemeris, Overrides, OwnCommands, PathState, Signals};
use std::sync::Arc;
use units::{Bytes, Time};

/// Largest number of bytes in flight. It applies even if a controller's window is larger. No receiver can open a larger
/// window (RFC 7323, section 2.3).
const MOST_IN_FLIGHT: u64 = 1 << 30;

/// A controller and its window.
#[derive(Clone, saved::Saved)]
pub(super) struct CongestionControl {
    pub(super) controller: Box<dyn Controller>,
    pub(super) control: Control,
    /// Commands from outside. They replace the commands of the controller.
    pub(super) overrides: Option<Overrides>,
    /// The commands of the controller that were replaced.
    own: OwnCommands,
    /// The signals that the controller uses.
    pub(super) uses: Signals,
    /// The signals that routers of the network provide.
    pub(super) from_network: Signals,
    #[saved(fixed)]
    path: Option<Arc<dyn Ephemeris>>,
    /// `control.cwnd` in whole segments. It is at most the largest amount in flight.
    pub(super) window: u64,
    /// The value of `control.cwnd` from which `window` was computed.
    window_of: Bytes,
    pub(super) usage: WindowUsage,
    /// Whether the path has carried the window. Used only with RFC 7661.
    pub(super) validation: Option<Box<Validation>>,
    /// State that computes the delivery-rate samples for the controller.
    pub(super) rates: RateSampler,
}

/// How much of the window the sender has used (Linux, `tcp_cwnd_validate()`).
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub(super) struct WindowUsage {
    pub(super) limited: bool,
    /// Time at which the complete window was last in use.
    pub(super) limited_at: Time,
    /// Largest number of outstanding segments since `limited_at`.
    pub(super) used: u64,
    max_outstanding: u64,
    until: u64,
}

impl CongestionControl {
    pub(super) fn new(
        first: u64,
        config: &Config,
        controller: Box<dyn Controller>,
        path: Option<Arc<dyn Ephemeris>>,
    ) -> Self {
        let initial = Bytes::new(u64::from(config.initial_window) * u64::from(config.mss));
        Self {
            control: Control::new(initial),
            overrides: None,
            own: OwnCommands::default(),
            uses: controller.uses() | controller.requires(),
            controller,
            from_network: Signals::NONE,
            path,
            window: config.initial_window.into(),
            window_of: initial,
            usage: WindowUsage::default(),
            validation: (config.slow_start_after_idle == AfterIdle::Rfc7661)
                .then(|| Box::new(Validation::starting_at(first))),
            rates: RateSampler::default(),
        }
    }

    /// Sets commands from outside, which replace earlier ones. If a command is withdrawn, the controller's value before
    /// the command applies again.
    pub(super) fn command(&mut self, overrides: Overrides) {
        let before = self.overrides.unwrap_or_default();
        overrides.replace(&before, &mut self.own, &mut self.control);
        self.overrides = (overrides != Overrides::default()).then_some(overrides);
    }

    /// Returns the state of the path, and the signals that the controller receives.
    pub(super) fn provided(&self, now: Time, config: &Config) -> (PathState, Signals) {
        let path = self.path.as_ref().map_or_else(PathState::default, |path| path.path(now));
        let mut provided = self.from_network | config.platform().signals();
        if self.path.is_some() {
            provided = provided | PATH_SIGNALS;
        }
        if path.distance_m.is_some() {
            provided = provided | Signals::DISTANCE;
        }
        (path, provided)
    }

    /// Computes the window in whole segments from the window in bytes. Before that, commands from outside replace the
    /// values of the controller.
    pub(super) fn count_window(&mut self, mss: u32) {
        if let Some(overrides) = &self.overrides {
            overrides.apply(&mut self.control);
        }
        if self.control.cwnd != self.window_of {
            let most = self.control.cwnd.get().min(MOST_IN_FLIGHT);
            (self.window, self.window_of) = (most / u64::from(mss), self.control.cwnd);
        }
    }

    /// Time at which a segment may be sent. `paced` is the time at which pacing releases the segment. It is ignored if
    /// pacing is not active.
    pub(super) fn release(&self, paced: Time) -> Time {
        let paced = if self.control.pacing.is_some() { paced } else { Time::ZERO };
        self.control.hold_until.map_or(paced, |hold| hold.max(paced))
    }

    pub(super) fn propagation_ns(&self, now: Time) -> u32 {
        if !self.uses.contains(Signals::PROPAGATION) {
            return Record::UNKNOWN;
        }
        let rtt = self.path.as_ref().and_then(|path| path.propagation_rtt(now));
        rtt.and_then(|rtt| u32::try_from(rtt.nanos()).ok()).unwrap_or(Record::UNKNOWN)
    }

    /// Records that a segment was sent (Linux, `tcp_cwnd_validate()`). Stores whether the window was the limit. If it
    /// was not, stores how much of the window was used.
    pub(super) fn note_usage(&mut self, board: &Scoreboard) {
        let limited = board.pipe() >= self.window;
        let usage = &self.usage;
        if limited
            || board.una() >= usage.until
            || (!usage.limited && board.outstanding() > usage.max_outstanding)
        {
            self.use_window(limited, board);
        }
    }

    /// Stores the outstanding data as the used part of the window.
    pub(super) fn use_window(&mut self, limited: bool, board: &Scoreboard) {
        self.usage =
            WindowUsage { limited, max_outstanding: board.outstanding(), until: board.next(), ..self.usage };
    }

    /// Whether the window limits sending (Linux, `tcp_is_cwnd_limited()`).
    pub(super) fn is_window_limited(&self) -> bool {
        let slow_start = self.control.ssthresh.is_none_or(|ssthresh| self.control.cwnd < ssthresh);
        self.usage.limited || (slow_start && self.window < 2 * self.usage.max_outstanding)
    }
}
