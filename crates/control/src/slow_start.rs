// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slow starts: parts that combine with any window rule.
//!
//! A slow start decides how many of the acknowledged segments *count*, and when the initial slow start ends. The rule
//! decides the growth per counted segment (1 for Reno and CUBIC, 2^rho - 1 for Hybla).

mod hoe;
mod hystart;
mod hystart_linux;
mod rapid;
mod s_curve;
mod search;

pub use hoe::{HoeEstimate, TRAIN_SEGMENTS};
pub use hystart::HyStartPlusPlus;
pub use hystart_linux::HyStartLinux;
pub use rapid::RapidStart;
pub use s_curve::SCurve;
pub use search::Search;

use crate::window::{Rescale, Window};
use crate::{Ack, Signals, Snapshot, Start};

/// How the window grows below the threshold.
#[derive(Clone, Debug, saved::Plain)]
pub enum SlowStart {
    /// RFC 5681, section 3.1 (equation 2), with the limit L of RFC 3465.
    Classic {
        /// Largest number of segments that one ACK may count: 1 in RFC 5681, 2 in RFC 3465.
        limit: f64,
    },
    /// RFC 3742: above `max_ssthresh`, a round adds at most `max_ssthresh`/2.
    Limited {
        /// As in [`SlowStart::Classic`].
        limit: f64,
        /// Window above which growth is limited, in segments. RFC 3742 recommends 100.
        max_ssthresh: f64,
    },
    /// RFC 9406 in the initial slow start. Later slow starts are classic, with the same limit.
    HyStartPlusPlus(HyStartPlusPlus),
    /// Classic, ended by Hoe's estimate of the capacity.
    Hoe {
        /// As in [`SlowStart::Classic`].
        limit: f64,
        /// The estimator.
        estimate: Box<HoeEstimate>,
    },
    /// Classic, ended by one of the rules of Linux's HyStart.
    HyStartLinux {
        /// As in [`SlowStart::Classic`].
        limit: f64,
        /// The rules.
        hystart: HyStartLinux,
    },
    /// Classic, ended by SEARCH.
    Search {
        /// As in [`SlowStart::Classic`].
        limit: f64,
        /// Bytes that were sent and delivered.
        search: Box<Search>,
    },
    /// Rapid Start: factor 3 per round trip until a queue builds up, then classic slow start. Rapid Start repairs
    /// losses in its own way.
    Rapid(Box<RapidStart>),
    /// A-LIAD: exponential up to half of Hoe's threshold, then a logarithmic approach.
    SCurve(Box<SCurve>),
}

impl SlowStart {
    /// Signals that the slow start requires.
    pub const fn requires(&self) -> Signals {
        match self {
            Self::Hoe { .. } | Self::SCurve(_) => Signals::PER_PACKET,
            Self::Rapid(_) => Signals::PACING,
            _ => Signals::NONE,
        }
    }

    /// Returns the state of Rapid Start if this slow start is Rapid Start.
    pub fn rapid(&mut self) -> Option<&mut RapidStart> {
        if let Self::Rapid(rapid) = self { Some(rapid) } else { None }
    }

    /// The connection starts.
    pub fn start(&mut self, event: &Start) {
        if let Self::Rapid(rapid) = self {
            rapid.start(event);
        }
    }

    /// Processes an ACK of the initial slow start. Sets the threshold if slow start ends.
    pub fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        match self {
            Self::Classic { .. } | Self::Limited { .. } => {}
            Self::HyStartPlusPlus(hystart) => {
                if hystart.observe(ack) {
                    window.ssthresh = window.w;
                }
            }
            Self::Hoe { estimate, .. } => {
                if let Some(threshold) = estimate.threshold(ack, window.min_rtt) {
                    window.ssthresh = threshold;
                }
            }
            Self::HyStartLinux { hystart, .. } => {
                if hystart.observe(ack, window) {
                    window.ssthresh = window.w;
                }
            }
            Self::Search { search, .. } => {
                if search.observe(ack) {
                    window.ssthresh = window.w;
                }
            }
            Self::Rapid(rapid) => rapid.observe(ack),
            Self::SCurve(curve) => curve.observe(ack, window),
        }
    }

    /// How many of the `acked` segments count.
    pub fn counted(&self, acked: f64, window: &Window) -> f64 {
        match self {
            Self::Classic { limit }
            | Self::Hoe { limit, .. }
            | Self::HyStartLinux { limit, .. }
            | Self::Search { limit, .. } => acked.min(*limit),
            Self::Limited { limit, max_ssthresh } if window.w <= *max_ssthresh => acked.min(*limit),
            // RFC 3742, section 2: K = int(cwnd / (0.5 max_ssthresh)); cwnd += int(MSS / K).
            Self::Limited { limit, max_ssthresh } => {
                acked.min(*limit) / (window.w / (0.5 * max_ssthresh)).floor()
            }
            Self::HyStartPlusPlus(hystart) => hystart.counted(acked, window.initial),
            Self::Rapid(rapid) => rapid.counted(acked, window.initial),
            Self::SCurve(curve) => curve.counted(acked, window),
        }
    }

    /// Values for traces.
    pub fn snapshot(&self, out: &mut Snapshot) {
        match self {
            Self::HyStartPlusPlus(hystart) => {
                out.push(("hystart_css_rounds", hystart.css_rounds().map_or(0.0, f64::from)));
            }
            Self::Search { search, .. } => search.snapshot(out),
            Self::Rapid(rapid) => out.push(("rapid_start_growth", rapid.factor_per_round())),
            _ => {}
        }
    }
}

impl Rescale for SlowStart {
    fn rescale(&mut self, factor: f64) {
        match self {
            Self::Hoe { estimate, .. } => estimate.rescale(factor),
            Self::Rapid(rapid) => rapid.rescale(factor),
            Self::SCurve(curve) => curve.rescale(factor),
            // The state of these slow starts contains only times, bytes and settings.
            Self::Classic { .. }
            | Self::Limited { .. }
            | Self::HyStartPlusPlus(_)
            | Self::HyStartLinux { .. }
            | Self::Search { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests;
