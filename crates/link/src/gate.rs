// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interface of a link at run time: packets are offered, time advances, and the link reports what happens to
//! packets.
//!
//! Packets are stored elsewhere, behind the trait [`Packets`]. A user of a link must therefore handle each event of a
//! packet, or the code does not compile. Within each call, the link first does everything that is due since the last
//! call. The only requirement on the order of calls is that time runs forward.

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

/// The packets on a link, which are stored elsewhere. The link reads their properties and reports their events through
/// this trait.
pub trait Packets {
    /// Number of the sender (bits 0 to 31) and of its stream (from bit 32 on). FQ-CoDel and DRR give each such number
    /// its own queue. A stream other than 0 ends, and its number is not used again.
    fn sender(&self, handle: u32) -> u64;
    /// Whether it carries payload. A list of losses counts only packets with payload.
    fn carries_data(&self, handle: u32) -> bool;
    /// The ECN codepoint of the packet.
    fn ecn(&self, handle: u32) -> Ecn;
    /// Whether its flow is urgent. Only the discipline "priority" calls this.
    fn is_urgent(&self, handle: u32) -> bool;
    /// Its fields, if it is a pure acknowledgement. Only links that thin or compress acknowledgements call this.
    fn ack(&self, handle: u32) -> Option<Ack>;
    /// The packet is marked: from now on it carries [`Ecn::Ce`]. Only packets of ECN-capable senders are marked.
    fn mark(&mut self, handle: u32);
    /// The ECN field is cleared: from now on the packet carries [`Ecn::NotEct`]. Called only if the field changes.
    fn bleach(&mut self, handle: u32);
    /// The packet found a long mean queue. If it is data, it carries TCP-Jersey's warning from now on.
    fn warn(&mut self, handle: u32);
    /// The packet waits, or has waited, this long before its first bit is sent. Called when the wait is decided, and
    /// again with the difference if the wait grows.
    fn waits(&mut self, handle: u32, wait: Span);
    /// The reported wait is shorter by this time.
    fn spared(&mut self, handle: u32, wait: Span);
    /// The link has taken in the offered packet. Packets dropped to make room for it are reported afterwards.
    fn entered(&mut self, parcel: Parcel);
    /// The transmission of a packet begins at `at`. Called as soon as this time is decided, and again if it changes. If
    /// the packet is dropped or handed back before `at`, its transmission has not begun.
    fn begins(&mut self, handle: u32, at: Time);
    /// The offered packet, or a waiting packet, is dropped.
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

/// The result of [`Link::advance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Advance {
    /// The packet at the far end, if a packet arrived. The user owns it again, also if it is lost.
    pub arrived: Option<Arrival>,
    /// When the link's next event is due, if there is one.
    pub next: Option<Time>,
}

/// Seeds of a link's random streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// For this direction's own draws.
    pub own: u64,
    /// For draws that both directions share. Both directions get the same seed.
    pub both_ways: u64,
}

impl From<u64> for Seeds {
    fn from(seed: u64) -> Self {
        Self { own: seed, both_ways: seed }
    }
}

/// One direction of a link at run time.
///
/// A link makes events: call [`Link::advance`] when an event is due. Methods take [`Packets`] by value, so that a user
/// who has to build them has this cost only where they are used.
// Fields are in the order of their use. If an engine puts 16 bytes of its own before the link, an arrival touches two
// cache lines, and an offer two more. If packets wait, a fifth cache line and the ring of packets are also touched.
#[derive(Clone, Debug, saved::Saved)]
#[repr(C)]
pub struct Link {
    pub(crate) propagation: Propagation,
    pub(crate) detours: Detours,
    /// Packet sizes for which results are cached that depend only on the size. Real traffic has two sizes (data and
    /// ACK).
    pub(crate) sizes: [u16; 2],
    pub(crate) transmitter: Transmitter,
    pub(crate) waiting: Waiting,
    pub(crate) totals: Totals,
    /// Present if the queue has a discipline, or after a low-priority packet was offered.
    #[saved(or = Held::of_low)]
    pub(crate) held: Option<Box<Held>>,
    pub(crate) access: Access,
    #[saved(each)]
    pub(crate) course: Option<Box<Cursor>>,
    pub(crate) warning: Option<Warning>,
    pub(crate) impairments: Impairments,
    /// Present if the link has an MTU, or if packets are policed or bleached.
    pub(crate) ingress: Option<Box<Ingress>>,
    /// Time of the last call.
    #[cfg(debug_assertions)]
    clock: Time,
}

/// Flags for features that most links do not have. Packets on links without them take the short code path.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Detours {
    /// For offers and arrivals: [`Link::held`], a list of losses or [`Link::ingress`] is present.
    pub(crate) apart: bool,
    /// For arrivals: a course or a loss is present.
    pub(crate) lossy: bool,
    /// For passages: a course is present, packets may overtake, or the link warns.
    pub(crate) special: bool,
}

/// Sizes on the wire that a link expects at the start: an ACK with timestamps, and a full packet.
const TCP_ACK: u16 = 52;
const TCP_DATA: u16 = 1500;

/// Makes copies of links independent of the originals. Links that share a carrier get a copy of the carrier.
pub fn separate<'a>(links: impl IntoIterator<Item = &'a mut Link>) {
    let mut copies = BTreeMap::new();
    for slots in links.into_iter().filter_map(|link| link.access.slots_mut()) {
        slots.separate(&mut copies);
    }
}

impl Link {
    /// Creates a link with these settings and these seeds of its random streams. A queue limit in BDP must have been
    /// converted to bytes before: see [`QueueLimit::resolve`](crate::QueueLimit::resolve).
    pub fn new(config: &Config, seeds: impl Into<Seeds>) -> Self {
        let holds = config.spec.acks.is_some() || config.spec.dama.is_some();
        let queue =
            if holds { Some(Self::departure_queue(config)) } else { config.spec.queue.discipline.queue() };
        Self::build(config, queue, seeds.into())
    }

    /// A queue for a link that decides passages at departure, for any discipline.
    pub(crate) fn departure_queue(config: &Config) -> Box<dyn ActiveQueue> {
        match config.spec.acks {
            Some(acks) => Box::new(AckQueue::new(acks.thinning)),
            None => config.spec.queue.discipline.held(),
        }
    }

    /// Like [`Link::new`], but with the user's own queue instead of the queue of the discipline.
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
        debug_assert!(holds || slots.is_none(), "packets that wait for a grant are held");
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

    /// Asserts that time runs forward and that `now` is in the range of the delay.
    #[inline]
    #[cfg_attr(not(debug_assertions), expect(clippy::unused_self, reason = "checked where tests run"))]
    pub(crate) fn tick(&mut self, now: Time) {
        #[cfg(debug_assertions)]
        {
            assert!(now >= self.clock, "a link at {} was called at {now}: time runs forward", self.clock);
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

    /// Offers a packet at `now`. The link takes it in or drops it, and reports this to `packets`. Returns the time of
    /// the link's next event, if this time changes.
    ///
    /// # Panics
    /// With debug assertions: if time runs backward, or if `now` is beyond the range of the link's delay. The same
    /// holds for every method that takes the time and changes the link.
    #[inline]
    #[must_use]
    pub fn offer<P: Packets>(&mut self, now: Time, parcel: Parcel, packets: P) -> Option<Time> {
        self.tick(now);
        if parcel.is_low() || self.detours.apart {
            return rarely(move || self.offer_apart(now, parcel, packets));
        }
        self.offer_plain(now, parcel, packets)
    }

    /// [`Link::offer`] on a link that holds nothing.
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

    /// [`Link::offer`] on a link that holds packets, or has a list of losses or a middlebox before its queue.
    fn offer_apart<P: Packets>(&mut self, now: Time, parcel: Parcel, mut packets: P) -> Option<Time> {
        if !self.admits(now, parcel, &mut packets) {
            return None;
        }
        if parcel.is_low() || self.held.is_some() {
            return self.offer_held(now, parcel, packets);
        }
        self.offer_plain(now, parcel, packets)
    }

    /// [`Link::offer`] on a link that holds packets.
    fn offer_held<P: Packets>(&mut self, now: Time, parcel: Parcel, mut packets: P) -> Option<Time> {
        self.serve(now, &mut packets);
        let taken = self.hold(now, parcel, &mut packets);
        if let Err(why) = taken {
            self.totals.dropped_queue += 1;
            packets.dropped(parcel, why);
        }
        self.hand_out_dropped(&mut packets);
        // If the packet is dropped, the next event is not reported. The caller's event may then have no effect.
        taken.ok()?;
        self.serve(now, &mut packets);
        self.next_event()
    }

    /// Does everything that is due by `now`: transmissions begin, and at most one packet arrives. The user must call
    /// this method when the link's next event is due, and again while an event is due. A call before that time has no
    /// effect.
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

    /// [`Link::advance`] on a link that holds packets.
    fn advance_held<P: Packets>(&mut self, now: Time, mut packets: P) -> Advance {
        self.serve(now, &mut packets);
        let arrived = self.take_arrival(now);
        let arrived = arrived.map(|arrival| Arrival { parcel: self.whole(arrival.parcel), ..arrival });
        Advance { arrived, next: self.next_event() }
    }

    /// Time at which the next packet arrives.
    #[inline]
    pub(crate) fn next_arrival(&self) -> Option<Time> {
        self.propagation.flight.head().map(|head| head.arrival)
    }

    /// Time of the link's next event: an arrival, or the transmitter becomes free for a held packet.
    pub fn next_event(&self) -> Option<Time> {
        let waiting = self.held.as_ref().is_some_and(|held| held.len() > 0);
        let serves = match &self.access {
            Access::Always => waiting.then_some(self.transmitter.busy_until),
            Access::Granted(slots) => slots.next_event(waiting),
            Access::InTurn => None,
        };
        self.next_arrival().into_iter().chain(serves).min()
    }

    /// Number of packets that wait at `now`, without the packet in transmission.
    pub fn waiting_packets(&self, now: Time) -> usize {
        let waiting = &self.waiting.entries;
        let begun = waiting.partition_point(|entry| entry.start <= now);
        waiting.len() - begun + self.held.as_ref().map_or(0, |held| held.len())
    }
    /// Number of packets whose transmission has begun by `now`, and the sum of their waits in nanoseconds. Packets that
    /// still wait or were taken back do not count.
    pub fn waits_that_are_over(&self, now: Time) -> (u64, u64) {
        let totals = &self.totals;
        let (packets, wait) = self.waiting.yet_to_begin(now);
        // The transmission of a fragmented packet has begun, but the packet counts as accepted only when its last part
        // leaves.
        let cut_up = u64::from(self.access.slots().is_some_and(Slots::is_sending));
        let begun = totals.accepted + cut_up - totals.recalled - packets;
        (begun, totals.wait_ns.saturating_sub(totals.unwaited_ns).saturating_sub(wait.nanos()))
    }
    /// Wait of a packet offered at `now`. For a queue with a discipline, the wait is computed as if the packet went
    /// last, at the link's own rate, without drops.
    pub fn backlog(&self, now: Time) -> Span {
        let held = self.held.as_ref().map_or(0, |held| held.ordinary().bytes);
        self.transmitter.busy_until.since(now) + self.transmitter.time_for(held)
    }
    /// Time for which the transmitter has sent until `now`. Times with rate zero do not count.
    pub fn busy_time(&self, now: Time) -> Span {
        // Everything that is not yet sent is sent without a gap from `now` to `busy_until`.
        let free = self.transmitter.busy_until;
        let taken = Span::from_nanos(self.totals.transmit_ns).saturating_sub(free.since(now));
        self.course.as_ref().map_or(taken, |course| taken.saturating_sub(course.paused(now, free)))
    }
    /// Packets on the link, waiting or in flight.
    pub fn in_flight(&self) -> usize {
        let begun = self.access.slots().is_some_and(Slots::is_sending);
        self.propagation.flight.len() + self.held.as_ref().map_or(0, |held| held.len()) + usize::from(begun)
    }
    /// Counts since the start.
    pub fn counters(&self) -> Counters {
        // Every accepted packet without another outcome has arrived intact.
        let totals = &self.totals;
        let flying = self.propagation.flight.len() as u64 + totals.lost_flying;
        let others = flying + totals.recalled + totals.dropped_error + totals.lost_cut;
        let (marked, refused, thinned) = self
            .held
            .as_ref()
            .map_or((0, 0, 0), |held| (held.state.marked, held.state.refused, held.state.thinned));
        let (too_large, policed, bleached) = self
            .ingress
            .as_ref()
            .map_or((0, 0, 0), |ingress| (ingress.too_large, ingress.policed, ingress.bleached));
        let (errors, outages) = self
            .impairments
            .listed_losses
            .as_ref()
            .map_or((0, 0), |listed_losses| (listed_losses.errors, listed_losses.outages));
        Counters {
            marked,
            refused,
            thinned,
            accepted: totals.accepted,
            accepted_bytes: totals.accepted_bytes,
            delivered: totals.accepted - others,
            dropped_queue: totals.dropped_queue,
            too_large,
            policed,
            bleached,
            dropped_error: totals.dropped_error + errors,
            dropped_outage: totals.dropped_outage + totals.lost_cut + outages,
            recalled: totals.recalled,
            wait_ns: totals.wait_ns,
            unwaited_ns: totals.unwaited_ns,
        }
    }

    /// Whether the link has an MTU.
    pub fn has_mtu(&self) -> bool {
        self.ingress.as_ref().is_some_and(|ingress| ingress.has_mtu())
    }
    /// Whether the link has a policer before its queue.
    pub fn is_policed(&self) -> bool {
        self.ingress.as_ref().is_some_and(|ingress| ingress.is_policed())
    }
    /// Whether the link clears the ECN field of packets before its queue.
    pub fn bleaches(&self) -> bool {
        self.ingress.as_ref().is_some_and(|ingress| ingress.bleaches)
    }

    /// The packet that arrives next.
    #[inline]
    pub fn head(&self) -> Option<Parcel> {
        self.propagation.flight.head().map(|entry| entry.parcel)
    }
    /// Prefetches the data that the next arrival reads.
    #[inline]
    pub fn prefetch_arrival(&self) {
        prefetch(&self.propagation);
        prefetch(&self.detours);
        self.propagation.flight.prefetch_second();
    }
    /// Prefetches the data that the next offer reads.
    #[inline]
    pub fn prefetch_offer(&self) {
        prefetch(&self.propagation);
        self.propagation.prefetch_delay();
        prefetch(&self.detours);
        prefetch(&self.totals);
    }
}

/// Moves rare code out of line. Values moved into `what` are written to memory only here. As arguments of a function
/// they would be written to memory on the common path, too (2 % of a packet-hop).
#[cold]
#[inline(never)]
fn rarely<T>(what: impl FnOnce() -> T) -> T {
    what()
}

#[cfg(test)]
mod tests;
