// SPDX-License-Identifier: MIT OR Apache-2.0
//! Methods of services for links that share a transmitter: pauses, and unused bytes of an opportunity.

use super::{Cursor, RateSchedule, Service};
use crate::Free;
use units::Time;

impl RateSchedule {
    /// The first pause that is not over at `from` and begins before `to`.
    fn pause(&self, from: Time, to: Time) -> Option<(Time, Time)> {
        let stops = |index: usize| self.0[index].is_pause();
        let first = self.0.partition_point(|piece| piece.from <= from).saturating_sub(1);
        let near = |&index: &usize| index == first || self.0[index].from < to;
        let index = (first..self.0.len()).take_while(near).find(|&index| stops(index))?;
        let last = (index..self.0.len()).take_while(|&index| stops(index)).last()?;
        Some((self.0[index].from, self.end(last)))
    }
}

impl Service {
    /// The pauses that are not over at `from` and begin before `to`.
    pub fn pauses(&self, from: Time, to: Time) -> Vec<(Time, Time)> {
        match self {
            Self::Schedule(schedule) => {
                let mut at = from;
                let next = || {
                    let pause = schedule.pause(at, to).filter(|&(begin, _)| begin < to)?;
                    at = pause.1;
                    Some(pause)
                };
                std::iter::from_fn(next).collect()
            }
            Self::Opportunities(moments) => {
                let there = moments.pauses.iter().filter(|&&(begin, end)| begin < to && end > from);
                there.copied().collect()
            }
        }
    }
}

impl Cursor {
    /// Continues from the state in which the last user left the transmitter. A schedule loses less than a nanosecond.
    pub(crate) fn resume(&mut self, free: Free) {
        let (Service::Opportunities(moments), Some(left)) = (&self.service, free.left) else { return };
        self.place.seek(moments, free.from);
        // If the transmitter is not at an opportunity of this link, the next opportunity counts as unused.
        let whole = moments.each[self.place.index].1;
        self.left = if self.place.at(moments) == free.from { left.min(whole) } else { whole };
    }

    /// Bytes that may still leave at the time of the last departure; `None` for a schedule.
    pub(crate) const fn left_of_moment(&self) -> Option<u64> {
        match self.service {
            Service::Opportunities(_) => Some(self.left),
            Service::Schedule(_) => None,
        }
    }

    /// If nothing can be sent at `at`: the time at which sending is possible again.
    pub(crate) fn stands_still(&self, at: Time) -> Option<Time> {
        match &self.service {
            Service::Schedule(schedule) => {
                schedule.pause(at, at).filter(|&(from, _)| from <= at).map(|(_, to)| to)
            }
            Service::Opportunities(moments) => moments.paused(at),
        }
    }

    /// The first pause between two times. Something must be sent at both times. With opportunities, the pause is a part
    /// of the wait for the next opportunity.
    pub(crate) fn stop(&self, from: Time, to: Time) -> Option<(Time, Time)> {
        match &self.service {
            Service::Schedule(schedule) => schedule.pause(from, to).filter(|&(_, end)| end <= to),
            Service::Opportunities(_) => None,
        }
    }
}
