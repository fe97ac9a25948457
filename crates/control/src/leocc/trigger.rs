// SPDX-License-Identifier: MIT OR Apache-2.0
//! Determines when reconfigurations of the path are expected.

use crate::{PathChange, PathKind};
use units::{Span, Time};

/// Number of announced changes that are stored.
const PENDING: usize = 4;

/// Where the times of reconfigurations come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Source {
    /// The platform announces handovers and reroutes.
    Announced,
    /// Reconfigurations occur every `period`, without announcements. The first reconfiguration occurs `offset` after
    /// the platform's time zero.
    Schedule {
        /// Time between two reconfigurations (Starlink: 15 s).
        period: Span,
        /// Time of the first reconfiguration.
        offset: Span,
    },
}

/// Determines when to prepare for a reconfiguration.
#[derive(Clone, Debug, saved::Plain)]
pub struct Trigger {
    source: Source,
    lead: Span,
    pending: [Option<Time>; PENDING],
}

impl Trigger {
    /// A trigger that fires `lead` before the reconfigurations of `source`.
    pub const fn new(source: Source, lead: Span) -> Self {
        Self { source, lead, pending: [None; PENDING] }
    }

    /// The source of reconfigurations.
    pub const fn source(&self) -> Source {
        self.source
    }

    /// The connection starts. Reconfigurations before `now` are ignored.
    pub fn start(&mut self, now: Time) {
        if let Source::Schedule { period, offset } = self.source {
            self.pending = [None; PENDING];
            self.pending[0] = Some(self.next(now, period, offset));
        }
    }

    /// The path changes or will change.
    pub fn announce(&mut self, event: &PathChange) {
        if self.source != Source::Announced || !matches!(event.kind, PathKind::Handover | PathKind::Reroute) {
            return;
        }
        let at = self.early(event.at).max(event.now);
        // If more changes are announced than can be stored, the last of them in time is dropped.
        let latest = self.pending.iter_mut().max_by_key(|pending| pending.unwrap_or(Time::MAX));
        if let Some(slot) = latest.filter(|slot| slot.is_none_or(|pending| at < pending)) {
            *slot = Some(at);
        }
    }

    /// Whether a reconfiguration is due.
    pub fn fire(&mut self, now: Time) -> bool {
        let mut due = false;
        for slot in &mut self.pending {
            due |= slot.take_if(|at| *at <= now).is_some();
        }
        if due && let Source::Schedule { period, offset } = self.source {
            self.pending[0] = Some(self.next(now, period, offset));
        }
        due
    }

    const fn early(&self, at: Time) -> Time {
        Time::from_nanos(at.nanos().saturating_sub(self.lead.nanos()))
    }

    /// The next time after `now` that is `lead` earlier than a scheduled reconfiguration.
    fn next(&self, now: Time, period: Span, offset: Span) -> Time {
        let period = period.nanos().max(1);
        let first = (offset.nanos() % period + period - self.lead.nanos() % period) % period;
        let Some(past) = now.nanos().checked_sub(first) else { return Time::from_nanos(first) };
        Time::from_nanos(first.saturating_add((past / period + 1).saturating_mul(period)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PathState;

    fn at(ms: u64) -> Time {
        Time::ZERO + Span::from_millis(ms)
    }

    /// Starlink's schedule: 12, 27, 42 and 57 s of each minute. The trigger fires 100 ms before each time.
    #[test]
    fn a_schedule_fires_ahead_of_each_term_whenever_the_flow_started() {
        let source = Source::Schedule { period: Span::from_secs(15), offset: Span::from_secs(12) };
        for start in [0, 5_000, 11_899] {
            let mut trigger = Trigger::new(source, Span::from_millis(100));
            trigger.start(at(start));
            let fired: Vec<u64> = (start..60_000).filter(|&ms| trigger.fire(at(ms))).collect();
            assert_eq!(fired, [11_900, 26_900, 41_900, 56_900]);
        }
        let mut late = Trigger::new(source, Span::from_millis(100));
        late.start(at(11_900));
        assert!(!late.fire(at(26_899)));
        assert!(late.fire(at(40_000)));
        assert!(!late.fire(at(41_899)));
        assert!(late.fire(at(41_900)));
    }

    #[test]
    fn announcements_are_kept_until_they_are_due() {
        let mut trigger = Trigger::new(Source::Announced, Span::from_millis(100));
        for happens in [30_000, 10_000, 20_000, 50_000, 40_000] {
            trigger.announce(&PathChange {
                now: at(0),
                at: at(happens),
                uncertainty: Span::ZERO,
                lasts: None,
                kind: PathKind::Handover,
                after: PathState::default(),
            });
        }
        let fired: Vec<u64> = (0..60_000).filter(|&ms| trigger.fire(at(ms))).collect();
        assert_eq!(fired, [9_900, 19_900, 29_900, 39_900], "the fifth finds no room");
    }
}
