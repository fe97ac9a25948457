// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one way to use a link at run time: packets are offered, time advances, and what happens to packets is told.
//!
//! Packets live elsewhere, behind [`Packets`]: whoever uses a link has to say what comes of each thing that can happen to
//! one, or nothing compiles. What a link does between two events it does here, before it answers: there is no order of
//! calls to keep, but that time runs forward.

use crate::acks::AckQueue;
use crate::discipline::ActiveQueue;
use crate::fifo::Fifo;
use crate::{Ack, Arrival, Config, Counters, Course, Delay, Ecn, Lost, Parcel};
use std::collections::BTreeMap;
use units::{Rate, Span, Time};

/// The packets on a link, which live elsewhere: what it asks about them and tells of them.
pub trait Packets {
    /// Number of the sender, and above it (from bit 32 on) that of its stream; FQ-CoDel and DRR keep these apart. A stream
    /// but 0 passes: its number does not come again when it is over.
    fn sender(&self, handle: u32) -> u64;
    /// Whether it carries payload: a list of losses takes no other.
    fn carries_data(&self, handle: u32) -> bool;
    /// The codepoint it carries.
    fn ecn(&self, handle: u32) -> Ecn;
    /// Whether its flow asks to go first; asked by the discipline "priority" alone.
    fn is_urgent(&self, handle: u32) -> bool;
    /// What it says, if it is a pure acknowledgement; asked by links that thin or compress these alone.
    fn ack(&self, handle: u32) -> Option<Ack>;
    /// It met congestion: from now on it carries [`Ecn::Ce`]. Only a packet whose sender allows it is marked.
    fn mark(&mut self, handle: u32);
    /// It found a long mean queue, and carries TCP-Jersey's warning if it is data.
    fn warn(&mut self, handle: u32);
    /// It waits for so long before its first bit is sent, or has waited: told when it is decided, and what comes on top
    /// of it where that changes.
    fn waits(&mut self, handle: u32, wait: Span);
    /// Of the wait that was told so much is spared.
    fn spared(&mut self, handle: u32, wait: Span);
    /// The offered packet is taken in. Those that gave way to it are told of afterwards.
    fn entered(&mut self, parcel: Parcel);
    /// The transmission of a packet that was taken in begins at `at`: told as soon as it is decided, and again where that
    /// changes. One that ends or is handed back before then has not begun.
    fn begins(&mut self, handle: u32, at: Time);
    /// It is gone: the offered packet, or one that had been taken in.
    fn dropped(&mut self, parcel: Parcel, why: Lost);
}

impl<P: Packets + ?Sized> Packets for &mut P {
    fn sender(&self, handle: u32) -> u64 {
        (**self).sender(handle)
    }
    fn carries_data(&self, handle: u32) -> bool {
        (**self).carries_data(handle)
    }
    fn ecn(&self, handle: u32) -> Ecn {
        (**self).ecn(handle)
    }
    fn is_urgent(&self, handle: u32) -> bool {
        (**self).is_urgent(handle)
    }
    fn ack(&self, handle: u32) -> Option<Ack> {
        (**self).ack(handle)
    }
    fn mark(&mut self, handle: u32) {
        (**self).mark(handle);
    }
    fn warn(&mut self, handle: u32) {
        (**self).warn(handle);
    }
    fn waits(&mut self, handle: u32, wait: Span) {
        (**self).waits(handle, wait);
    }
    fn spared(&mut self, handle: u32, wait: Span) {
        (**self).spared(handle, wait);
    }
    fn entered(&mut self, parcel: Parcel) {
        (**self).entered(parcel);
    }
    fn begins(&mut self, handle: u32, at: Time) {
        (**self).begins(handle, at);
    }
    fn dropped(&mut self, parcel: Parcel, why: Lost) {
        (**self).dropped(parcel, why);
    }
}

/// What came of an event of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Advance {
    /// The packet at the far end, if one arrived: the user's again, also if it is lost.
    pub arrived: Option<Arrival>,
    /// When the link's next event is due, if there is one.
    pub next: Option<Time>,
}

/// Seeds of a link's random streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// Of what this direction draws for itself.
    pub own: u64,
    /// Of what it has in common with the other direction: the same for both.
    pub both_ways: u64,
}

impl From<u64> for Seeds {
    fn from(seed: u64) -> Self {
        Self { own: seed, both_ways: seed }
    }
}

/// One direction of a link at run time.
///
/// It makes events: call [`Link::advance`] when one is due. A method that takes [`Packets`] takes them by value, so that
/// a user who has to put them together pays only where they are needed.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Link {
    pub(crate) fifo: Fifo,
    /// Where time stood at the last call.
    #[cfg(debug_assertions)]
    clock: Time,
}

/// Makes copies of links independent of the links that they were copied from: those that share a carrier get one of their
/// own.
pub fn separate<'a>(links: impl IntoIterator<Item = &'a mut Link>) {
    let mut copies = BTreeMap::new();
    for slots in links.into_iter().filter_map(|link| link.fifo.slots.as_mut()) {
        slots.separate(&mut copies);
    }
}

impl Link {
    /// A link as `config` says; `seeds` are those of its random streams. A queue in BDPs must have been resolved into
    /// bytes before: see [`QueueLimit::resolve`](crate::QueueLimit::resolve).
    pub fn new(config: &Config, seeds: impl Into<Seeds>) -> Self {
        let holds = config.spec.acks.is_some() || config.spec.dama.is_some();
        let queue =
            if holds { Some(Self::waiting_room(config)) } else { config.spec.queue.discipline.queue() };
        Self::build(config, queue, seeds.into())
    }

    /// The queue of a link that decides at departure, whatever its discipline.
    pub(crate) fn waiting_room(config: &Config) -> Box<dyn ActiveQueue> {
        match config.spec.acks {
            Some(acks) => Box::new(AckQueue::new(acks.thinning)),
            None => config.spec.queue.discipline.held(),
        }
    }

    /// As [`Link::new`], with a queue of the user's own in the place of the discipline's.
    pub fn with_queue(config: &Config, queue: Box<dyn ActiveQueue>, seeds: impl Into<Seeds>) -> Self {
        Self::build(config, Some(queue), seeds.into())
    }

    pub(crate) fn build(config: &Config, queue: Option<Box<dyn ActiveQueue>>, seeds: Seeds) -> Self {
        Self {
            fifo: Fifo::new(config, queue, seeds),
            #[cfg(debug_assertions)]
            clock: Time::ZERO,
        }
    }

    /// Time only runs forward, and not out of what is known.
    #[inline]
    #[cfg_attr(not(debug_assertions), expect(clippy::unused_self, reason = "checked where tests run"))]
    pub(crate) fn tick(&mut self, now: Time) {
        #[cfg(debug_assertions)]
        {
            assert!(now >= self.clock, "a link at {} was asked at {now}: time runs forward", self.clock);
            self.clock = now;
            let (from, until) = (self.fifo.delay.from(), self.fifo.delay.until());
            assert!(
                (from..=until).contains(&now),
                "a link is used at {now}, and its delay is known from {from} to {until} only (set a longer one)"
            );
        }
        #[cfg(not(debug_assertions))]
        let _ = now;
    }

    /// Offers a packet at `now`: it is taken in or dropped, which `packets` are told. Answers when the link's next event
    /// is due, if that changes.
    ///
    /// # Panics
    /// With debug assertions, if time runs backward, or beyond the end of the link's delay. (So does every method that
    /// takes the time and changes the link.)
    #[inline]
    #[must_use]
    pub fn offer<P: Packets>(&mut self, now: Time, parcel: Parcel, packets: P) -> Option<Time> {
        self.tick(now);
        if parcel.is_low() || self.fifo.apart {
            return rarely(move || self.offer_apart(now, parcel, packets));
        }
        self.offer_plain(now, parcel, packets)
    }

    /// What [`Link::offer`] does on a link that holds nothing.
    #[inline]
    fn offer_plain<P: Packets>(&mut self, now: Time, parcel: Parcel, packets: P) -> Option<Time> {
        let Some(accepted) = self.fifo.offer(now, parcel) else {
            rarely(move || {
                let mut packets = packets;
                packets.dropped(parcel, Lost::Full);
            });
            return None;
        };
        let mut packets = packets;
        accepted.tell(now, parcel, &mut packets);
        accepted.new_head
    }

    /// What [`Link::offer`] does on a link that holds packets, or has a list of losses.
    fn offer_apart<P: Packets>(&mut self, now: Time, parcel: Parcel, mut packets: P) -> Option<Time> {
        if self.fifo.is_struck(now, parcel, &mut packets) {
            return None;
        }
        if parcel.is_low() || self.fifo.held.is_some() {
            return self.offer_held(now, parcel, packets);
        }
        self.offer_plain(now, parcel, packets)
    }

    /// What [`Link::offer`] does on a link that holds packets.
    fn offer_held<P: Packets>(&mut self, now: Time, parcel: Parcel, mut packets: P) -> Option<Time> {
        self.fifo.serve(now, &mut packets);
        let taken = self.fifo.hold(now, parcel, &mut packets);
        if let Err(why) = taken {
            self.fifo.dropped_queue += 1;
            packets.dropped(parcel, why);
        }
        self.fifo.hand_out_dropped(&mut packets);
        // An event that was due by now and is no more comes to nothing.
        taken.ok()?;
        self.fifo.serve(now, &mut packets);
        self.next_event()
    }

    /// Does what is due by `now`: transmissions begin, and at most one packet arrives. To be called when the link's next
    /// event is due, and again while it is. Called too early it does nothing.
    ///
    /// # Panics
    /// With debug assertions, if time runs backward.
    #[inline]
    pub fn advance<P: Packets>(&mut self, now: Time, packets: P) -> Advance {
        self.tick(now);
        if self.fifo.apart {
            return rarely(move || self.advance_held(now, packets));
        }
        Advance { arrived: self.fifo.take_arrival(now), next: self.fifo.next_arrival() }
    }

    /// What [`Link::advance`] does on a link that holds packets.
    fn advance_held<P: Packets>(&mut self, now: Time, mut packets: P) -> Advance {
        self.fifo.serve(now, &mut packets);
        let arrived = self.fifo.take_arrival(now);
        let arrived = arrived.map(|arrival| Arrival { parcel: self.fifo.whole(arrival.parcel), ..arrival });
        Advance { arrived, next: self.fifo.next_event() }
    }

    /// When this link's next event is due: an arrival, or the transmitter free for a held packet.
    pub fn next_event(&self) -> Option<Time> {
        self.fifo.next_event()
    }

    /// The link goes away. What waits is handed back in order, low-priority packets last. With `lose` that is dropped
    /// instead, and so is what is in transmission and in the air.
    ///
    /// # Panics
    /// With debug assertions, if time runs backward.
    #[must_use]
    pub fn recall<P: Packets>(&mut self, now: Time, lose: bool, mut packets: P) -> Vec<Parcel> {
        self.tick(now);
        self.fifo.recall(now, lose, &mut packets)
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
        self.fifo.serve(now, &mut packets);
        self.fifo.set_rate(now, rate, &mut packets);
        self.next_event()
    }

    /// From `now` on packets that begin to be sent travel for `delay`, evaluated when their last bit leaves; also those
    /// that wait. What is in transmission or in the air goes on as it was, and order is kept where the link keeps it. A
    /// longer piece of the same curve changes no time that was known. Answers when the link's next event is due.
    ///
    /// # Panics
    /// With debug assertions, if time runs backward, or the delay is not known at `now`.
    pub fn set_delay<P: Packets>(&mut self, now: Time, delay: Delay, mut packets: P) -> Option<Time> {
        self.fifo.serve(now, &mut packets);
        self.fifo.set_delay(now, delay, &mut packets);
        self.tick(now);
        self.next_event()
    }

    /// The course of the link goes on as another one, which says the same of the time before all that has been decided:
    /// what was offered to a link that holds nothing keeps its passage. Random streams go on.
    ///
    /// # Panics
    /// If the link was built without a course, or (with debug assertions) time runs backward.
    pub fn set_course(&mut self, now: Time, course: &Course) {
        self.tick(now);
        self.fifo.set_course(course.clone());
    }

    /// Packets waiting at `now`, the one in transmission not counted.
    pub fn waiting_packets(&self, now: Time) -> usize {
        self.fifo.waiting_packets(now)
    }
    /// How long a packet offered at `now` would wait; in a scheduled queue if it went last, at the link's own rate, and
    /// nothing were dropped.
    pub fn backlog(&self, now: Time) -> Span {
        self.fifo.backlog(now)
    }
    /// How long the transmitter has been busy until `now`.
    pub fn busy_time(&self, now: Time) -> Span {
        self.fifo.busy_time(now)
    }
    /// Packets on the link, waiting or flying.
    pub fn in_flight(&self) -> usize {
        self.fifo.in_flight()
    }
    /// Counts since the start.
    pub fn counters(&self) -> Counters {
        self.fifo.counters()
    }

    /// The packet that arrives next.
    #[inline]
    pub fn head(&self) -> Option<Parcel> {
        self.fifo.head()
    }
    /// An arrival is near: fetches what it will read.
    #[inline]
    pub fn prefetch_arrival(&self) {
        self.fifo.prefetch_arrival();
    }
    /// An offer is near: fetches what it will read.
    #[inline]
    pub fn prefetch_offer(&self) {
        self.fifo.prefetch_offer();
    }
}

/// Does what is rare, apart. What is moved into `what` is put into memory here only; handed to a function as it is, it
/// would have to lie there on the common path too (2 % of a packet-hop).
#[cold]
#[inline(never)]
fn rarely<T>(what: impl FnOnce() -> T) -> T {
    what()
}

#[cfg(test)]
mod tests;
