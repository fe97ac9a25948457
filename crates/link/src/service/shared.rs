// SPDX-License-Identifier: MIT OR Apache-2.0
//! Methods of services for links that share a transmitter. They handle pauses, and the unused bytes of an opportunity.

use super::{Cursor, RateSchedule, Service};
use crate::Free;
use units::Time;

impl RateSchedule {
    /// The first pause that ends after `from` and begins before `to`.
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
    /// All pauses that end after `from` and begin before `to`.
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
    /// Continues from the state in which the previous link left the transmitter. With a schedule, the remainder of less
    /// than a nanosecond is not transferred.
    pub(crate) fn resume(&mut self, free: Free) {
        let (Service::Opportunities(moments), Some(left)) = (&self.service, free.left) else { return };
        self.place.seek(moments, free.from);
        // If the transmitter is not at an opportunity of this link, all bytes of the next opportunity are still
        // available.
        let whole = moments.each[self.place.index].1;
        self.left = if self.place.at(moments) == free.from { left.min(whole) } else { whole };
    }

    /// Bytes that may still be sent at the time of the last departure, or `None` for a schedule.
    pub(crate) const fn left_of_moment(&self) -> Option<u64> {
        match self.service {
            Service::Opportunities(_) => Some(self.left),
            Service::Schedule(_) => None,
        }
    }

    /// If `at` is in a pause, the end of the pause.
    pub(crate) fn stands_still(&self, at: Time) -> Option<Time> {
        match &self.service {
            Service::Schedule(schedule) => {
                schedule.pause(at, at).filter(|&(from, _)| from <= at).map(|(_, to)| to)
            }
            Service::Opportunities(moments) => moments.paused(at),
        }
    }

    /// The first pause between two times. Neither of the two times may be in a pause. For opportunities, the result is
    /// `None`, because a pause is a part of the wait for the next opportunity.
    pub(crate) fn stop(&self, from: Time, to: Time) -> Option<(Time, Time)> {
        match &self.service {
            Service::Schedule(schedule) => schedule.pause(from, to).filter(|&(_, end)| end <= to),
            Service::Opportunities(_) => None,
        }
    }
}
