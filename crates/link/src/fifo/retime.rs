// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was decided and has not begun is taken back: the link goes away, or its rate or delay changes.

use super::{Fifo, Motion, Waiting};
use crate::flight::InFlight;
use crate::{Course, Delay, Lost, Packets, Parcel};
use std::collections::BTreeMap;
use units::{Rate, Span, Time};

impl Fifo {
    /// [`Link::recall`](crate::Link::recall).
    pub(crate) fn recall<P: Packets>(&mut self, now: Time, lose: bool, packets: &mut P) -> Vec<Parcel> {
        self.settle(now);
        let taken = self.take_back();
        if let Some(&(first, ..)) = taken.first() {
            // They would have been sent one after the other.
            self.transmit_ns -= self.busy_until.since(first).nanos();
            self.busy_until = first;
            if let Some(course) = &mut self.course {
                course.rewind(first);
            }
        }
        if lose {
            let flying: Vec<InFlight> = self.flight.drain().collect();
            for entry in flying {
                self.lost_flying += 1;
                self.dropped_outage += 1;
                let parcel = self.whole(entry.parcel.plain());
                packets.dropped(parcel, Lost::Gone);
            }
        }
        self.last_arrival = self.flight.last().map_or(Time::ZERO, |last| last.arrival);
        let mut back = Vec::with_capacity(taken.len());
        for (start, parcel, _) in taken {
            let parcel = parcel.plain();
            let spared = start.since(now);
            self.unwaited_ns += spared.nanos();
            packets.spared(parcel.handle, spared);
            back.push(parcel);
        }
        // The rest of what is cut up has no grant: it goes back whole.
        if let Some(parcel) = self.slots.as_mut().and_then(|slots| slots.take_back()) {
            self.accepted += 1;
            self.accepted_bytes += u64::from(parcel.size);
            back.push(parcel);
        }
        if let Some(held) = &mut self.held {
            for (offered, parcel) in held.drain() {
                self.accepted += 1;
                self.accepted_bytes += u64::from(parcel.size);
                packets.waits(parcel.handle, now.since(offered));
                back.push(parcel);
            }
        }
        for parcel in &mut back {
            *parcel = self.whole(*parcel);
        }
        self.recalled += back.len() as u64;
        if lose {
            self.dropped_outage += back.len() as u64;
            for parcel in back.drain(..) {
                packets.dropped(parcel, Lost::Gone);
            }
        }
        back
    }

    /// Takes what waits off the link, in the order in which it queued, with the times at which it would have begun,
    /// and how often each is repeated. The transmitter is not told.
    fn take_back(&mut self) -> Vec<(Time, Parcel, u16)> {
        let gone: BTreeMap<u32, (Time, u16)> =
            self.waiting.drain(..).map(|entry| (entry.handle, (entry.start, entry.repeats))).collect();
        self.waiting_bytes = 0;
        self.next_start = Time::MAX;
        let mut taken: Vec<(Time, Parcel, u16)> = Vec::with_capacity(gone.len());
        let all: Vec<InFlight> = self.flight.drain().collect();
        for entry in all {
            match gone.get(&entry.parcel.handle) {
                Some(&(start, repeats)) => taken.push((start, entry.parcel, repeats)),
                None => {
                    self.flight.push(entry);
                }
            }
        }
        // With reordering they lie in order of arrival.
        taken.sort_by_key(|&(start, ..)| start);
        taken
    }

    /// [`Link::set_rate`](crate::Link::set_rate).
    pub(crate) fn set_rate<P: Packets>(&mut self, now: Time, rate: Option<Rate>, packets: &mut P) {
        self.rate = rate;
        let follows = self.course.as_ref().is_some_and(|course| course.has_service());
        if let Some((slots, rate)) = self.slots.as_mut().zip(rate).filter(|_| !follows) {
            slots.set_rate(rate);
        }
        for size in [self.sizes[1], self.sizes[0]] {
            self.learn(size);
        }
        if !follows {
            self.retime(now, true, packets);
        }
    }

    /// [`Link::set_delay`](crate::Link::set_delay).
    pub(crate) fn set_delay<P: Packets>(&mut self, now: Time, delay: Delay, packets: &mut P) {
        self.piece = delay.piece(now.max(delay.from()));
        self.motion = Motion::of(&delay);
        self.delay = delay;
        self.retime(now, false, packets);
    }

    /// [`Link::set_course`](crate::Link::set_course).
    #[expect(clippy::expect_used, reason = "stated where the caller finds it")]
    pub(crate) fn set_course(&mut self, course: Course) {
        self.course.as_mut().expect("a link whose course is set was built with one").turn_to(course);
    }

    /// What waits is sent as the link is now: with `anew` at other times than were decided, else at the same ones. What
    /// has begun stays as it is, and so does whether a packet is broken on the way.
    fn retime<P: Packets>(&mut self, now: Time, anew: bool, packets: &mut P) {
        self.settle(now);
        let taken = self.take_back();
        let Some(&(first, ..)) = taken.first() else { return };
        self.last_arrival = self.flight.last().map_or(Time::ZERO, |last| last.arrival);
        if let Some(course) = &mut self.course {
            course.leave_again(taken.len() as u64);
        }
        let mut free = first;
        for (index, &(was, mut parcel, repeats)) in taken.iter().enumerate() {
            let start = free;
            let transmissions = u64::from(repeats) + 1;
            free = if anew {
                let place = self.place_of(parcel.size);
                start + self.transmit[place] * transmissions
            } else {
                taken.get(index + 1).map_or(self.busy_until, |&(next, ..)| next)
            };
            // The first of them ends.
            let sent = start + free.since(start) / transmissions;
            let (later, sooner) = (start.since(was), was.since(start));
            self.wait_ns = self.wait_ns.saturating_add(later.nanos());
            self.unwaited_ns += sooner.nanos();
            if later > Span::ZERO {
                packets.waits(parcel.handle, later);
            }
            if sooner > Span::ZERO {
                packets.spared(parcel.handle, sooner);
            }
            packets.begins(parcel.handle, start);
            let mut arrival = match &mut self.course {
                None => sent + self.delay.at(sent),
                Some(course) => {
                    let leaving = course.leave(sent);
                    if repeats == 0 {
                        parcel = parcel.with_fate(parcel.site & Parcel::LOST != 0, leaving.cut);
                    }
                    let propagation = self.delay.at(leaving.at);
                    leaving.at + propagation + leaving.extra + course.later(repeats, propagation * 2)
                }
            };
            self.waiting_bytes += u64::from(parcel.size);
            self.waiting.push_back(Waiting { start, handle: parcel.handle, size: parcel.size, repeats });
            if self.reorder {
                self.flight.insert(InFlight { arrival, parcel });
            } else {
                arrival = arrival.max(self.last_arrival);
                self.last_arrival = arrival;
                self.flight.push(InFlight { arrival, parcel });
            }
        }
        self.next_start = first;
        self.transmit_ns -= self.busy_until.since(first).nanos();
        self.transmit_ns += free.since(first).nanos();
        self.busy_until = free;
    }
}
