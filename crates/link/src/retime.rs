// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was decided and has not begun is taken back: the link goes away, or its rate or delay changes.

use crate::flight::InFlight;
use crate::granted::Slots;
use crate::waiting::Entry;
use crate::{Course, Delay, Link, Lost, Packets, Parcel};
use std::collections::BTreeMap;
use units::{Rate, Span, Time};

/// A packet that was to wait, and is taken off the link.
#[derive(Clone, Copy, Debug)]
struct Taken {
    /// When its transmission would have begun.
    start: Time,
    /// When it came.
    offered: Time,
    parcel: Parcel,
    /// So often it is sent again.
    repeats: u16,
}

impl Link {
    /// The link goes away. What waits is handed back in order, low-priority packets last. With `lose` that is dropped
    /// instead, and so is what is in transmission and in the air.
    ///
    /// # Panics
    /// With debug assertions, if time runs backward.
    #[must_use]
    pub fn recall<P: Packets>(&mut self, now: Time, lose: bool, mut packets: P) -> Vec<Parcel> {
        self.tick(now);
        self.waiting.settle(now);
        let taken = self.take_back();
        if let Some(first) = taken.first().map(|taken| taken.start) {
            // They would have been sent one after the other.
            let free = self.transmitter.busy_until;
            self.totals.transmit_ns -= free.since(first).nanos();
            self.transmitter.busy_until = first;
            if let Some(course) = &mut self.course {
                course.rewind(first, free);
            }
        }
        if lose {
            let flying: Vec<InFlight> = self.propagation.flight.drain().collect();
            for entry in flying {
                self.totals.lost_flying += 1;
                self.totals.dropped_outage += 1;
                let parcel = self.whole(entry.parcel.plain());
                packets.dropped(parcel, Lost::Gone);
            }
        }
        self.propagation.close_ranks();
        let mut back = Vec::with_capacity(taken.len());
        for Taken { start, offered, parcel, .. } in taken {
            let parcel = parcel.plain();
            // Of the link nothing is left of it: it waits on elsewhere.
            self.totals.unwaited_ns += start.since(offered).nanos();
            packets.spared(parcel.handle, start.since(now));
            back.push(parcel);
        }
        // The rest of what is cut up has no grant: it goes back whole.
        if let Some(parcel) = self.access.slots_mut().and_then(Slots::take_back) {
            self.totals.accept(parcel.size);
            back.push(parcel);
        }
        if let Some(held) = &mut self.held {
            for (offered, parcel) in held.drain() {
                self.totals.accept(parcel.size);
                packets.waits(parcel.handle, now.since(offered));
                back.push(parcel);
            }
        }
        for parcel in &mut back {
            *parcel = self.whole(*parcel);
        }
        self.totals.recalled += back.len() as u64;
        if lose {
            self.totals.dropped_outage += back.len() as u64;
            for parcel in back.drain(..) {
                packets.dropped(parcel, Lost::Gone);
            }
        }
        back
    }

    /// Takes what waits off the link, in the order in which it queued, with the times at which it would have begun,
    /// and how often each is repeated. The transmitter is not told.
    fn take_back(&mut self) -> Vec<Taken> {
        let gone: BTreeMap<u32, Entry> = self.waiting.drain().map(|entry| (entry.handle, entry)).collect();
        let mut taken: Vec<Taken> = Vec::with_capacity(gone.len());
        let all: Vec<InFlight> = self.propagation.flight.drain().collect();
        for entry in all {
            match gone.get(&entry.parcel.handle) {
                Some(&Entry { start, offered, repeats, .. }) => {
                    taken.push(Taken { start, offered, parcel: entry.parcel, repeats });
                }
                None => {
                    self.propagation.flight.push(entry);
                }
            }
        }
        // With reordering they lie in order of arrival.
        taken.sort_by_key(|taken| taken.start);
        taken
    }

    /// From `now` on the link sends at `rate`; `None`: at once. The transmission that has begun ends as it would have; what
    /// waits is sent at the new rate, however much that is. Where a course says how fast the link sends, that goes on, and
    /// `rate` is nominal (of limits in time and of the backlog). Answers when the link's next event is due.
    ///
    /// # Panics
    /// If the rate is zero, or (with debug assertions) time runs backward.
    pub fn set_rate<P: Packets>(&mut self, now: Time, rate: Option<Rate>, mut packets: P) -> Option<Time> {
        assert!(
            rate != Some(Rate::default()),
            "at rate zero a link would never send (let a course pause it)"
        );
        self.tick(now);
        self.serve(now, &mut packets);
        self.transmitter.rate = rate;
        let follows = self.course.as_ref().is_some_and(|course| course.has_service());
        if let Some((slots, rate)) = self.access.slots_mut().zip(rate).filter(|_| !follows) {
            slots.set_rate(rate);
        }
        for size in [self.sizes[1], self.sizes[0]] {
            self.learn(size);
        }
        if !follows {
            self.retime(now, true, &mut packets);
        }
        self.next_event()
    }

    /// From `now` on packets that begin to be sent travel for `delay`, evaluated when their last bit leaves; also those
    /// that wait. What is in transmission or in the air goes on as it was, and order is kept where the link keeps it. A
    /// longer piece of the same curve changes no time that was known. Answers when the link's next event is due.
    ///
    /// # Panics
    /// With debug assertions, if time runs backward, or the delay is not known at `now`.
    pub fn set_delay<P: Packets>(&mut self, now: Time, delay: Delay, mut packets: P) -> Option<Time> {
        self.serve(now, &mut packets);
        self.propagation.set_delay(now, delay);
        self.retime(now, false, &mut packets);
        self.tick(now);
        self.next_event()
    }

    /// The course of the link goes on as another one, which says the same of the time before all that has been decided:
    /// what was offered to a link that holds nothing keeps its passage. Random streams go on.
    ///
    /// # Panics
    /// If the link was built without a course, or (with debug assertions) time runs backward.
    #[expect(clippy::expect_used, reason = "stated where the caller finds it")]
    pub fn set_course(&mut self, now: Time, course: &Course) {
        self.tick(now);
        self.course.as_mut().expect("a link whose course is set was built with one").turn_to(course.clone());
    }

    /// What waits is sent as the link is now: with `anew` at other times than were decided, else at the same ones. What
    /// has begun stays as it is, and so does whether a packet is broken on the way.
    fn retime<P: Packets>(&mut self, now: Time, anew: bool, packets: &mut P) {
        self.waiting.settle(now);
        let taken = self.take_back();
        let Some(first) = taken.first().map(|taken| taken.start) else { return };
        self.propagation.close_ranks();
        if let Some(course) = &mut self.course {
            course.leave_again(taken.len() as u64);
        }
        let mut free = first;
        for (index, &Taken { start: was, offered, mut parcel, repeats }) in taken.iter().enumerate() {
            let start = free;
            let transmissions = u64::from(repeats) + 1;
            free = if anew {
                let place = self.place_of(parcel.size);
                start + self.transmitter.times[place] * transmissions
            } else {
                taken.get(index + 1).map_or(self.transmitter.busy_until, |next| next.start)
            };
            // The first of them ends.
            let sent = start + free.since(start) / transmissions;
            let (later, sooner) = (start.since(was), was.since(start));
            self.totals.wait(later);
            self.totals.unwaited_ns += sooner.nanos();
            if later > Span::ZERO {
                packets.waits(parcel.handle, later);
            }
            if sooner > Span::ZERO {
                packets.spared(parcel.handle, sooner);
            }
            packets.begins(parcel.handle, start);
            let arrival = match &mut self.course {
                None => sent + self.propagation.delay.at(sent),
                Some(course) => {
                    let leaving = course.leave(sent);
                    if repeats == 0 {
                        parcel = parcel.with_fate(parcel.site & Parcel::LOST != 0, leaving.cut);
                    }
                    let propagation = self.propagation.delay.at(leaving.at);
                    leaving.at + propagation + leaving.extra + course.later(repeats, propagation * 2)
                }
            };
            self.waiting.push(offered, start, parcel, repeats);
            self.propagation.send(arrival, parcel);
        }
        self.totals.transmit_ns -= self.transmitter.busy_until.since(first).nanos();
        self.totals.transmit_ns += free.since(first).nanos();
        self.transmitter.busy_until = free;
    }
}
