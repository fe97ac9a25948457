// SPDX-License-Identifier: MIT OR Apache-2.0
//! Classifies losses by handovers: losses around a handover are link errors (StarQUIC, LEO-NET 2024).
//!
//! ```text
//! a loss is a link error iff |t - handover| <= window for some handover
//! t: when the lost packet was sent, or when the loss was detected
//! handovers: as announced, or those of Starlink at 12, 27, 42 and 57 s of every minute
//! ```
//!
//! The function in the authors' code receives the sending time, but uses the current time. The authors' code therefore
//! judges by the time of detection. The authors' code also ignores timeouts near a handover. At a timeout, the sending
//! times of the packets are not reported. This code therefore judges timeouts (and persistent congestion) by the time
//! at which they happen. An ECN mark is not a loss. In this code, an ECN mark is always congestion. The authors' code
//! does not distinguish marks from losses.

use super::Verdicts;
use crate::announced::Announced;
use crate::catalogue::{parameters, words};
use crate::{Loss, LossVerdict, PathChange, PathKind, Signals, Snapshot};
use units::{Span, Time};

/// Time between two of Starlink's handovers. The schedule is the same for all terminals.
const PERIOD: Span = Span::from_secs(15);
/// Time of the first handover in a minute.
const OFFSET: Span = Span::from_secs(12);

/// Where the times of handovers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Schedule {
    /// Announcements of handovers and outages.
    Announced,
    /// 12, 27, 42 and 57 s of every minute. Minutes are counted from the start of the run.
    Starlink,
}

/// Which time of a loss is compared with the handovers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum JudgedBy {
    /// When the first lost packet was sent.
    Sending,
    /// When the loss was detected.
    Detection,
}

words! { Schedule { Announced = "announced", Starlink = "starlink" } }
words! { JudgedBy { Sending = "sending", Detection = "detection" } }

parameters! {
    /// Parameters of the filter.
    pub struct Parameters {
        /// handover verdict: losses up to this time before or after a handover count as link errors
        handover_window: Span = time("1 s", Span::ZERO..=Span::from_secs(60)), "StarQUIC, authors' code";
        /// handover verdict: "starlink" assumes handovers at 12, 27, 42 and 57 s of every minute of the run, and does
        /// not need announcements
        handover_schedule: Schedule = word("announced"), "StarQUIC, authors' code (starlink)";
        /// handover verdict: whether the time of sending or the time of detection is compared with the handovers; with
        /// detection, a loss shortly before the handover counts as congestion if it is detected too late
        handover_by: JudgedBy = word("sending"), "StarQUIC; the authors' code uses the time of detection";
    }
}

/// Judges losses by their distance from the nearest handover.
#[derive(Clone, Debug, saved::Plain)]
pub struct Handover {
    parameters: Parameters,
    announced: Announced,
    verdicts: Verdicts,
}

impl Handover {
    /// The part before the first announcement.
    pub fn new(parameters: Parameters) -> Self {
        Self { parameters, announced: Announced::default(), verdicts: Verdicts::NONE }
    }

    /// The part requires announcements if the schedule is "announced".
    pub fn requires(&self) -> Signals {
        match self.parameters.handover_schedule {
            Schedule::Announced => Signals::PATH_CHANGE,
            Schedule::Starlink => Signals::NONE,
        }
    }

    /// Stores an announcement.
    pub fn path(&mut self, event: &PathChange) {
        if matches!(event.kind, PathKind::Handover | PathKind::Outage) {
            let window = self.parameters.handover_window;
            let over = event.at + event.lasts.unwrap_or(Span::ZERO);
            self.announced.add(event.at - window, over + window);
        }
    }

    /// Judges a loss.
    pub fn judge(&mut self, loss: &Loss<'_>) -> LossVerdict {
        let sent_at = loss.packets.first().map(|packet| packet.sent_at);
        let at = match self.parameters.handover_by {
            JudgedBy::Sending => sent_at.unwrap_or(loss.now),
            JudgedBy::Detection => loss.now,
        };
        let verdict = self.verdict_at(at);
        self.verdicts.count(verdict)
    }

    /// Judges a timeout, or persistent congestion, at `now`.
    pub fn judge_timeout(&mut self, now: Time) -> LossVerdict {
        let verdict = self.verdict_at(now);
        self.verdicts.count(verdict)
    }

    fn verdict_at(&self, at: Time) -> LossVerdict {
        let near = match self.parameters.handover_schedule {
            Schedule::Announced => self.announced.covers(at),
            Schedule::Starlink => from_starlinks_schedule(at) <= self.parameters.handover_window,
        };
        if near { LossVerdict::LinkError } else { LossVerdict::Congestion }
    }

    /// Values for traces.
    pub fn snapshot(&self, out: &mut Snapshot) {
        self.verdicts.snapshot(out);
    }
}

/// Time from `at` to the nearest handover of Starlink.
fn from_starlinks_schedule(at: Time) -> Span {
    let phase = Span::from_nanos((at + (PERIOD - OFFSET)).nanos() % PERIOD.nanos());
    phase.min(PERIOD - phase)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The handovers of a minute, times between them, and the last handover before the next minute.
    #[test]
    fn distance_to_12_27_42_and_57_s() {
        let distance_ms =
            |ms| from_starlinks_schedule(Time::ZERO + Span::from_millis(ms)).nanos() / 1_000_000;
        for handover in [12, 27, 42, 57, 72, 3_612] {
            assert_eq!(distance_ms(handover * 1000), 0, "{handover} s");
        }
        assert_eq!(distance_ms(11_000), 1000);
        assert_eq!(distance_ms(13_500), 1500);
        assert_eq!(distance_ms(19_500), 7500);
        assert_eq!(distance_ms(0), 3000);
        assert_eq!(distance_ms(60_000), 3000);
    }
}
