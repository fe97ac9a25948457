// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one way to use a link at run time: packets are offered, time advances, and what happens to packets is told.
//!
//! Packets live elsewhere, behind [`Packets`]: whoever uses a link has to say what comes of each thing that can happen to
//! one, or nothing compiles. What a link does between two events it does here, before it answers: there is no order of
//! calls to keep, but that time runs forward.

use crate::acks::AckQueue;
use crate::course::Cursor;
use crate::discipline::ActiveQueue;
use crate::granted::{Access, Slots};
use crate::held::Held;
use crate::impairments::Impairments;
use crate::ingress::Ingress;
use crate::prefetch::prefetch;
use crate::propagation::Propagation;
use crate::totals::Totals;
use crate::transmitter::Transmitter;
use crate::waiting::Waiting;
use crate::warning::Warning;
use crate::{Ack, Arrival, Config, Counters, Ecn, Lost, Parcel};
use std::collections::BTreeMap;
use units::{Span, Time};

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
    /// Its ECN field is cleared: from now on it carries [`Ecn::NotEct`]. Called only where that is a change.
    fn bleach(&mut self, handle: u32);
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
    fn bleach(&mut self, handle: u32) {
        (**self).bleach(handle);
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
// The order of the fields is that of their use: of an engine that puts 16 bytes of its own before it, an arrival touches two
// cache lines, an offer two more, and where packets wait a fifth, and their ring.
#[derive(Clone, Debug, saved::Saved)]
#[repr(C)]
pub struct Link {
    pub(crate) propagation: Propagation,
    pub(crate) detours: Detours,
    /// What depends on a packet's size alone is remembered for these: real traffic has two (data and ACK).
    pub(crate) sizes: [u16; 2],
    pub(crate) transmitter: Transmitter,
    pub(crate) waiting: Waiting,
    pub(crate) totals: Totals,
    /// There if the queue is scheduled, or once low-priority packets were offered.
    #[saved(or = Held::of_low)]
    pub(crate) held: Option<Box<Held>>,
    pub(crate) access: Access,
    #[saved(each)]
    pub(crate) course: Option<Box<Cursor>>,
    pub(crate) warning: Option<Warning>,
    pub(crate) impairments: Impairments,
    /// There if packets are policed or bleached.
    pub(crate) ingress: Option<Box<Ingress>>,
    /// Where time stood at the last call.
    #[cfg(debug_assertions)]
    clock: Time,
}

/// What most links do not have: a packet on one of those goes the short way.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Detours {
    /// There are [`Link::held`], a list of losses or [`Link::ingress`]: for offers and arrivals.
    pub(crate) apart: bool,
    /// There is a course, or a loss: for arrivals.
    pub(crate) lossy: bool,
    /// There is a course, packets may overtake, or the link warns: for passages.
    pub(crate) special: bool,
}

/// Bytes on the wire that a link expects before it has seen any: an ACK with timestamps, and a full packet.
const TCP_ACK: u16 = 52;
const TCP_DATA: u16 = 1500;

/// Makes copies of links independent of the links that they were copied from: those that share a carrier get one of their
/// own.
pub fn separate<'a>(links: impl IntoIterator<Item = &'a mut Link>) {
    let mut copies = BTreeMap::new();
    for slots in links.into_iter().filter_map(|link| link.access.slots_mut()) {
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
        let spec = &config.spec;
        let course = Cursor::new(config, seeds).map(Box::new);
        let (holds, changes) = (queue.is_some(), course.is_some());
        let own = spec.dama.filter(|dama| dama.carrier.is_none());
        let first = course.as_ref().and_then(|course| course.rate_at(Time::ZERO)).or(spec.rate);
        let slots = own.zip(first).map(|(dama, rate)| Box::new(Slots::new(dama, rate, seeds.own)));
        let ingress = Ingress::new(spec).map(Box::new);
        debug_assert!(holds || slots.is_none(), "what waits for a grant is held");
        let mut link = Self {
            propagation: Propagation::new(config),
            detours: Detours {
                apart: holds || spec.listed.is_some() || ingress.is_some(),
                lossy: changes || spec.loss.probability(u16::MAX) > 0.0,
                special: changes || spec.reorder || spec.warning.is_some(),
            },
            sizes: [0; 2],
            transmitter: Transmitter::new(spec.rate),
            waiting: Waiting::new(spec.queue.limit),
            totals: Totals::default(),
            held: queue.map(|queue| Box::new(Held::new(Some(queue), seeds.own).compressing(spec.acks))),
            access: slots.map_or(Access::Always, Access::Granted),
            course,
            warning: spec.warning.filter(|_| !holds).map(Warning::new),
            impairments: Impairments::new(spec, seeds.own),
            ingress,
            #[cfg(debug_assertions)]
            clock: Time::ZERO,
        };
        link.learn(TCP_ACK);
        link.learn(TCP_DATA);
        link
    }

    /// Time only runs forward, and not out of what is known.
    #[inline]
    #[cfg_attr(not(debug_assertions), expect(clippy::unused_self, reason = "checked where tests run"))]
    pub(crate) fn tick(&mut self, now: Time) {
        #[cfg(debug_assertions)]
        {
            assert!(now >= self.clock, "a link at {} was asked at {now}: time runs forward", self.clock);
            self.clock = now;
            let (from, until) = (self.propagation.delay.from(), self.propagation.delay.until());
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
        if parcel.is_low() || self.detours.apart {
            return rarely(move || self.offer_apart(now, parcel, packets));
        }
        self.offer_plain(now, parcel, packets)
    }

    /// What [`Link::offer`] does on a link that holds nothing.
    #[inline]
    fn offer_plain<P: Packets>(&mut self, now: Time, parcel: Parcel, packets: P) -> Option<Time> {
        let Some(accepted) = self.take_in(now, parcel) else {
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

    /// What [`Link::offer`] does on a link that holds packets, or has something before its queue.
    fn offer_apart<P: Packets>(&mut self, now: Time, parcel: Parcel, mut packets: P) -> Option<Time> {
        if !self.admits(now, parcel, &mut packets) {
            return None;
        }
        if parcel.is_low() || self.held.is_some() {
            return self.offer_held(now, parcel, packets);
        }
        self.offer_plain(now, parcel, packets)
    }

    /// What [`Link::offer`] does on a link that holds packets.
    fn offer_held<P: Packets>(&mut self, now: Time, parcel: Parcel, mut packets: P) -> Option<Time> {
        self.serve(now, &mut packets);
        let taken = self.hold(now, parcel, &mut packets);
        if let Err(why) = taken {
            self.totals.dropped_queue += 1;
            packets.dropped(parcel, why);
        }
        self.hand_out_dropped(&mut packets);
        // An event that was due by now and is no more comes to nothing.
        taken.ok()?;
        self.serve(now, &mut packets);
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
        if self.detours.apart {
            return rarely(move || self.advance_held(now, packets));
        }
        Advance { arrived: self.take_arrival(now), next: self.next_arrival() }
    }

    /// What [`Link::advance`] does on a link that holds packets.
    fn advance_held<P: Packets>(&mut self, now: Time, mut packets: P) -> Advance {
        self.serve(now, &mut packets);
        let arrived = self.take_arrival(now);
        let arrived = arrived.map(|arrival| Arrival { parcel: self.whole(arrival.parcel), ..arrival });
        Advance { arrived, next: self.next_event() }
    }

    /// When the next packet arrives.
    #[inline]
    pub(crate) fn next_arrival(&self) -> Option<Time> {
        self.propagation.flight.head().map(|head| head.arrival)
    }

    /// When this link's next event is due: an arrival, or the transmitter free for a held packet.
    pub fn next_event(&self) -> Option<Time> {
        let waiting = self.held.as_ref().is_some_and(|held| held.len() > 0);
        let serves = match &self.access {
            Access::Always => waiting.then_some(self.transmitter.busy_until),
            Access::Granted(slots) => slots.next_event(waiting),
            Access::InTurn => None,
        };
        self.next_arrival().into_iter().chain(serves).min()
    }

    /// Packets waiting at `now`, the one in transmission not counted.
    pub fn waiting_packets(&self, now: Time) -> usize {
        let waiting = &self.waiting.entries;
        let begun = waiting.partition_point(|entry| entry.start <= now);
        waiting.len() - begun + self.held.as_ref().map_or(0, |held| held.len())
    }
    /// How many packets had begun to be sent by `now`, and how long they had waited for that in nanoseconds. What still waits,
    /// and what was taken back, does not count.
    pub fn waits_that_are_over(&self, now: Time) -> (u64, u64) {
        let totals = &self.totals;
        let (packets, wait) = self.waiting.yet_to_begin(now);
        // What is cut up into grants has begun, and is accepted when its last part leaves.
        let cut_up = u64::from(self.access.slots().is_some_and(Slots::is_sending));
        let begun = totals.accepted + cut_up - totals.recalled - packets;
        (begun, totals.wait_ns.saturating_sub(totals.unwaited_ns).saturating_sub(wait.nanos()))
    }
    /// How long a packet offered at `now` would wait; in a scheduled queue if it went last, at the link's own rate, and
    /// nothing were dropped.
    pub fn backlog(&self, now: Time) -> Span {
        let held = self.held.as_ref().map_or(0, |held| held.ordinary().bytes);
        self.transmitter.busy_until.since(now) + self.transmitter.time_for(held)
    }
    /// How long the transmitter has sent until `now`. What is on it while its rate is zero is not sent.
    pub fn busy_time(&self, now: Time) -> Span {
        // Whatever is not yet sent lies in one stretch from now to `busy_until`.
        let free = self.transmitter.busy_until;
        let taken = Span::from_nanos(self.totals.transmit_ns).saturating_sub(free.since(now));
        self.course.as_ref().map_or(taken, |course| taken.saturating_sub(course.paused(now, free)))
    }
    /// Packets on the link, waiting or flying.
    pub fn in_flight(&self) -> usize {
        let begun = self.access.slots().is_some_and(Slots::is_sending);
        self.propagation.flight.len() + self.held.as_ref().map_or(0, |held| held.len()) + usize::from(begun)
    }
    /// Counts since the start.
    pub fn counters(&self) -> Counters {
        // Whatever was accepted and is not accounted for otherwise has arrived whole.
        let totals = &self.totals;
        let flying = self.propagation.flight.len() as u64 + totals.lost_flying;
        let others = flying + totals.recalled + totals.dropped_error + totals.lost_cut;
        let (marked, refused, thinned) = self
            .held
            .as_ref()
            .map_or((0, 0, 0), |held| (held.books.marked, held.books.refused, held.books.thinned));
        let (policed, bleached) =
            self.ingress.as_ref().map_or((0, 0), |ingress| (ingress.policed, ingress.bleached));
        let (errors, outages) =
            self.impairments.censor.as_ref().map_or((0, 0), |censor| (censor.errors, censor.outages));
        Counters {
            marked,
            refused,
            thinned,
            accepted: totals.accepted,
            accepted_bytes: totals.accepted_bytes,
            delivered: totals.accepted - others,
            dropped_queue: totals.dropped_queue,
            policed,
            bleached,
            dropped_error: totals.dropped_error + errors,
            dropped_outage: totals.dropped_outage + totals.lost_cut + outages,
            recalled: totals.recalled,
            wait_ns: totals.wait_ns,
            unwaited_ns: totals.unwaited_ns,
        }
    }

    /// Whether a policer stands before its queue.
    pub fn is_policed(&self) -> bool {
        self.ingress.as_ref().is_some_and(|ingress| ingress.is_policed())
    }
    /// Whether the ECN field of packets is cleared before its queue.
    pub fn bleaches(&self) -> bool {
        self.ingress.as_ref().is_some_and(|ingress| ingress.bleaches)
    }

    /// The packet that arrives next.
    #[inline]
    pub fn head(&self) -> Option<Parcel> {
        self.propagation.flight.head().map(|entry| entry.parcel)
    }
    /// An arrival is near: fetches what it will read.
    #[inline]
    pub fn prefetch_arrival(&self) {
        prefetch(&self.propagation);
        prefetch(&self.detours);
        self.propagation.flight.prefetch_second();
    }
    /// An offer is near: fetches what it will read.
    #[inline]
    pub fn prefetch_offer(&self) {
        prefetch(&self.propagation);
        self.propagation.prefetch_delay();
        prefetch(&self.detours);
        prefetch(&self.totals);
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
