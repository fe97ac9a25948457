// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reverts decisions about packets whose transmission has not begun. This is needed if the link ends, or if its rate or
//! its delay changes.

use crate::flight::InFlight;
use crate::granted::Slots;
use crate::waiting::Entry;
use crate::{Course, Delay, Link, Lost, Packets, Parcel};
use std::collections::BTreeMap;
use units::{Rate, Span, Time};

/// A waiting packet that was taken off the link.
#[derive(Clone, Copy, Debug)]
struct Taken {
    /// Time at which the packet's transmission would have begun.
    start: Time,
    /// Time at which the packet was offered.
    offered: Time,
    parcel: Parcel,
    /// Number of retransmissions that were decided.
    repeats: u16,
}

impl Link {
    /// Ends the link. Waiting packets are handed back in order, with low-priority packets last. If `lose` is true, the
    /// waiting packets, the packet in transmission and the packets in flight are dropped instead.
    ///
    /// # Panics
    /// With debug assertions, if time runs backward.
    #[must_use]
    pub fn recall<P: Packets>(&mut self, now: Time, lose: bool, mut packets: P) -> Vec<Parcel> {
        self.tick(now);
        self.waiting.settle(now);
        let taken = self.take_back();
        if let Some(first) = taken.first().map(|taken| taken.start) {
            // The packets would have been sent one after the other, without a gap.
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
            // From now on, the packet does not wait for this link.
            self.totals.unwaited_ns += start.since(offered).nanos();
            packets.spared(parcel.handle, start.since(now));
            back.push(parcel);
        }
        // The rest of a fragmented packet has no grant. The complete packet is therefore handed back.
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

    /// Removes the waiting packets from the link. Returns them in the order of the queue, with the times at which their
    /// transmissions would have begun and with their numbers of retransmissions. The transmitter does not change.
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
        // On a link that may reorder, packets in flight are in the order of arrival, not in the order of transmission.
        taken.sort_by_key(|taken| taken.start);
        taken
    }

    /// Sets the rate from `now` on. With `None`, transmission takes no time. The transmission in progress ends as
    /// decided before, and waiting packets are sent at the new rate. If the course contains a rate, the rate of the
    /// course continues to apply. `rate` is then used only for limits in time and for the backlog. Returns the time of
    /// the link's next event.
    ///
    /// # Panics
    /// If the rate is zero, or (with debug assertions) if time runs backward.
    pub fn set_rate<P: Packets>(&mut self, now: Time, rate: Option<Rate>, mut packets: P) -> Option<Time> {
        assert!(
            rate != Some(Rate::default()),
            "at rate zero a link would never send (use a course with a pause)"
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

    /// Sets the delay of packets whose transmission begins at `now` or later, including waiting packets. The delay is
    /// evaluated when the last bit of a packet leaves. Packets in transmission or in flight do not change. Packets keep
    /// their order unless the link may reorder. If the new delay is a longer part of the same curve, no known time
    /// changes. Returns the time of the link's next event.
    ///
    /// # Panics
    /// With debug assertions, if time runs backward, or if the delay is not known at `now`.
    pub fn set_delay<P: Packets>(&mut self, now: Time, delay: Delay, mut packets: P) -> Option<Time> {
        self.serve(now, &mut packets);
        self.propagation.set_delay(now, delay);
        self.retime(now, false, &mut packets);
        self.tick(now);
        self.next_event()
    }

    /// Replaces the course of the link. The new course must equal the old course for all times about which the link has
    /// already decided. A link that holds no packets does not change the passages that it has decided. The random
    /// streams continue.
    ///
    /// # Panics
    /// If the link was built without a course, or (with debug assertions) if time runs backward.
    #[expect(clippy::expect_used, reason = "stated where the caller finds it")]
    pub fn set_course(&mut self, now: Time, course: &Course) {
        self.tick(now);
        self.course.as_mut().expect("a link whose course is set was built with one").turn_to(course.clone());
    }

    /// Decides the passages of waiting packets again. If `with_new_times` is true, the start of each transmission is
    /// also computed again. If not, the transmissions begin at the same times as before. Transmissions in progress do
    /// not change. Whether a packet has errors does not change either.
    fn retime<P: Packets>(&mut self, now: Time, with_new_times: bool, packets: &mut P) {
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
            free = if with_new_times {
                let place = self.place_of(parcel.size);
                start + self.transmitter.times[place] * transmissions
            } else {
                taken.get(index + 1).map_or(self.transmitter.busy_until, |next| next.start)
            };
            // The end of the first transmission of the packet.
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
