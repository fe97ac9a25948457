// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interface of a link at run time. The user offers packets and advances the time, and the link reports what
//! happens to the packets.
//!
//! The link does not store packets. It accesses them through the trait [`Packets`], which has a method for each event
//! of a packet. The compiler therefore ensures that a user of a link handles every event. Each call of the link first
//! does everything that is due since the previous call. The time of a call must not be earlier than the time of the
//! previous call. There is no other rule for the order of calls.

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

/// The packets on a link. The packets themselves are stored by the user of the link. Through this trait, the link reads
/// their properties and reports their events.
pub trait Packets {
    /// Returns the number of the sender (bits 0 to 31) and of its stream (from bit 32 on). FQ-CoDel and DRR use one
    /// queue per such number. A stream other than 0 ends at some time, and its number is not used again.
    fn sender(&self, handle: u32) -> u64;
    /// Whether the packet carries payload. The list of losses counts only packets with payload.
    fn carries_data(&self, handle: u32) -> bool;
    /// Returns the ECN codepoint of the packet.
    fn ecn(&self, handle: u32) -> Ecn;
    /// Whether the flow of the packet is urgent. Only the discipline "priority" calls this method.
    fn is_urgent(&self, handle: u32) -> bool;
    /// Returns the fields of the packet if it is a pure acknowledgement, or `None` for any other packet. This method is
    /// called by links that thin or compress acknowledgements.
    fn ack(&self, handle: u32) -> Option<Ack>;
    /// Reports that the packet is marked. From now on, the packet carries [`Ecn::Ce`]. Only packets of ECN-capable
    /// senders are marked.
    fn mark(&mut self, handle: u32);
    /// Reports that the ECN field is cleared. From now on, the packet carries [`Ecn::NotEct`]. The link calls this
    /// method only if the field changes.
    fn bleach(&mut self, handle: u32);
    /// Reports that the mean queue length was above the threshold of the congestion warning when the packet was
    /// offered. If the packet carries data, it carries TCP-Jersey's warning from now on.
    fn warn(&mut self, handle: u32);
    /// Reports how long the packet waits before its first bit is sent. The link calls this method when the wait is
    /// decided. If the wait grows later, the link calls it again with the difference.
    fn waits(&mut self, handle: u32, wait: Span);
    /// Reports that the wait is shorter than reported before. `wait` is the difference.
    fn spared(&mut self, handle: u32, wait: Span);
    /// Reports that the link has accepted the offered packet. Packets that were dropped to make room are reported
    /// afterwards.
    fn entered(&mut self, parcel: Parcel);
    /// Reports that the transmission of a packet begins at `at`. The link calls this method as soon as the time is
    /// decided, and again if the time changes. If the packet is dropped or handed back before `at`, the transmission
    /// does not begin.
    fn begins(&mut self, handle: u32, at: Time);
    /// Reports that the offered packet, or a waiting packet, is dropped.
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
    /// The packet that arrived at the far end, if any. The user owns the packet again, even if the packet is lost.
    pub arrived: Option<Arrival>,
    /// Time at which the link's next event is due, if there is an event.
    pub next: Option<Time>,
}

/// Seeds of the random streams of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// Seed of the draws of this direction.
    pub own: u64,
    /// Seed of the draws that both directions share. Both directions must get the same seed.
    pub both_ways: u64,
}

impl From<u64> for Seeds {
    fn from(seed: u64) -> Self {
        Self { own: seed, both_ways: seed }
    }
}

/// One direction of a link at run time.
///
/// A link requests events: the user must call [`Link::advance`] at the time of each event. Methods take [`Packets`] by
/// value. A user who constructs this value for the call pays the cost only in the branches that use it.
// The fields are in the order of their use. If an engine stores 16 bytes of its own before the link, an arrival touches
// two cache lines, and an offer touches two more. If packets wait, a fifth cache line and the ring of packets are also
// touched.
#[derive(Clone, Debug, saved::Saved)]
#[repr(C)]
pub struct Link {
    pub(crate) propagation: Propagation,
    pub(crate) detours: Detours,
    /// The packet sizes for which the link caches results that depend only on the size. Most traffic has two sizes
    /// (data and ACK).
    pub(crate) sizes: [u16; 2],
    pub(crate) transmitter: Transmitter,
    pub(crate) waiting: Waiting,
    pub(crate) totals: Totals,
    /// Present if the queue has a discipline, or if a low-priority packet was offered.
    #[saved(or = Held::of_low)]
    pub(crate) held: Option<Box<Held>>,
    pub(crate) access: Access,
    #[saved(each)]
    pub(crate) course: Option<Box<Cursor>>,
    pub(crate) warning: Option<Warning>,
    pub(crate) impairments: Impairments,
    /// Present if the link has an MTU or a policer, or if it clears the ECN field.
    pub(crate) ingress: Option<Box<Ingress>>,
    /// Time of the previous call.
    #[cfg(debug_assertions)]
    clock: Time,
}

/// Flags for features that most links do not have. Without these features, packets take the short code path.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Detours {
    /// Checked at offers and arrivals. True if [`Link::held`], a list of losses or [`Link::ingress`] is present.
    pub(crate) apart: bool,
    /// Checked at arrivals. True if a course or a loss is present.
    pub(crate) lossy: bool,
    /// Checked when a passage is decided. True if a course is present, if packets may overtake, or if the link has a
    /// warning.
    pub(crate) special: bool,
}

/// Packet sizes on the wire that a link initially expects: an ACK with timestamps, and a full data packet.
const TCP_ACK: u16 = 52;
const TCP_DATA: u16 = 1500;

/// Makes cloned links independent of their originals. If links share a carrier, their clones share a copy of the
/// carrier.
pub fn separate<'a>(links: impl IntoIterator<Item = &'a mut Link>) {
    let mut copies = BTreeMap::new();
    for slots in links.into_iter().filter_map(|link| link.access.slots_mut()) {
        slots.separate(&mut copies);
    }
}

impl Link {
    /// Creates a link with these settings and with these seeds for its random streams. A queue limit in BDP must
    /// already be converted to bytes (see [`QueueLimit::resolve`](crate::QueueLimit::resolve)).
    pub fn new(config: &Config, seeds: impl Into<Seeds>) -> Self {
        let holds = config.spec.acks.is_some() || config.spec.dama.is_some();
        let queue =
            if holds { Some(Self::departure_queue(config)) } else { config.spec.queue.discipline.queue() };
        Self::build(config, queue, seeds.into())
    }

    /// Creates the queue of a link that decides the passage of each packet (start, departure, arrival) when the packet
    /// departs. The queue may have any discipline.
    pub(crate) fn departure_queue(config: &Config) -> Box<dyn ActiveQueue> {
        match config.spec.acks {
            Some(acks) => Box::new(AckQueue::new(acks.thinning)),
            None => config.spec.queue.discipline.held(),
        }
    }

    /// Like [`Link::new`], but the link uses the given queue instead of the queue of its discipline.
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

    /// Asserts that the time does not run backward, and that the delay of the link is known at `now`.
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
                "a link is used at {now}, but its delay is known only from {from} to {until} (set a longer delay)"
            );
        }
        #[cfg(not(debug_assertions))]
        let _ = now;
    }

    /// Offers a packet at `now`. The link accepts or drops the packet, and reports the outcome to `packets`. If the
    /// time of the link's next event changes, this method returns the new time.
    ///
    /// # Panics
    /// With debug assertions, if time runs backward, or if `now` is beyond the range of the link's delay. Every method
    /// that takes the time and changes the link panics in these cases.
    #[inline]
    #[must_use]
    pub fn offer<P: Packets>(&mut self, now: Time, parcel: Parcel, packets: P) -> Option<Time> {
        self.tick(now);
        if parcel.is_low() || self.detours.apart {
            return rarely(move || self.offer_apart(now, parcel, packets));
        }
        self.offer_plain(now, parcel, packets)
    }

    /// [`Link::offer`] on a link without held packets.
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

    /// [`Link::offer`] on a link that holds packets, has a list of losses, or has a policer, an MTU or ECN clearing
    /// before its queue.
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
        // If the packet is dropped, the time of the next event is not returned. The event that the caller has scheduled
        // may then have no effect.
        taken.ok()?;
        self.serve(now, &mut packets);
        self.next_event()
    }

    /// Does everything that is due by `now`. Transmissions begin, and at most one packet arrives. The user must call
    /// this method when the link's next event is due, and must repeat the call while another event is due. A call
    /// before the next event has no effect.
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

    /// Time of the next arrival of a packet.
    #[inline]
    pub(crate) fn next_arrival(&self) -> Option<Time> {
        self.propagation.flight.head().map(|head| head.arrival)
    }

    /// Time of the link's next event. An event is an arrival, or the transmitter becomes free while packets are held.
    pub fn next_event(&self) -> Option<Time> {
        let waiting = self.held.as_ref().is_some_and(|held| held.len() > 0);
        let serves = match &self.access {
            Access::Always => waiting.then_some(self.transmitter.busy_until),
            Access::Granted(slots) => slots.next_event(waiting),
            Access::InTurn => None,
        };
        self.next_arrival().into_iter().chain(serves).min()
    }

    /// Number of packets that wait at `now`. The packet in transmission does not count.
    pub fn waiting_packets(&self, now: Time) -> usize {
        let waiting = &self.waiting.entries;
        let begun = waiting.partition_point(|entry| entry.start <= now);
        waiting.len() - begun + self.held.as_ref().map_or(0, |held| held.len())
    }
    /// Number of packets whose transmission has begun by `now`, and the sum of their waits in nanoseconds. Packets that
    /// still wait, and packets that were handed back when the link ended, do not count.
    pub fn waits_that_are_over(&self, now: Time) -> (u64, u64) {
        let totals = &self.totals;
        let (packets, wait) = self.waiting.yet_to_begin(now);
        // The transmission of a fragmented packet has already begun, but the packet is counted in `accepted` only when
        // its last fragment leaves.
        let cut_up = u64::from(self.access.slots().is_some_and(Slots::is_sending));
        let begun = totals.accepted + cut_up - totals.recalled - packets;
        (begun, totals.wait_ns.saturating_sub(totals.unwaited_ns).saturating_sub(wait.nanos()))
    }
    /// Time that a packet offered at `now` would wait. If the queue has a discipline, the result makes three
    /// assumptions: the packet is sent last, the link has its own rate, and no packet is dropped.
    pub fn backlog(&self, now: Time) -> Span {
        let held = self.held.as_ref().map_or(0, |held| held.ordinary().bytes);
        self.transmitter.busy_until.since(now) + self.transmitter.time_for(held)
    }
    /// Total time for which the transmitter has been sending until `now`. Times with rate zero do not count.
    pub fn busy_time(&self, now: Time) -> Span {
        // From `now` to `busy_until`, the transmitter sends without a gap.
        let free = self.transmitter.busy_until;
        let taken = Span::from_nanos(self.totals.transmit_ns).saturating_sub(free.since(now));
        self.course.as_ref().map_or(taken, |course| taken.saturating_sub(course.paused(now, free)))
    }
    /// Number of packets on the link, whether they wait or propagate.
    pub fn in_flight(&self) -> usize {
        let begun = self.access.slots().is_some_and(Slots::is_sending);
        self.propagation.flight.len() + self.held.as_ref().map_or(0, |held| held.len()) + usize::from(begun)
    }
    /// Counts since the start of the run.
    pub fn counters(&self) -> Counters {
        // All accepted packets that do not have another outcome have arrived intact.
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
    /// Whether the link clears the ECN field of packets before the queue.
    pub fn bleaches(&self) -> bool {
        self.ingress.as_ref().is_some_and(|ingress| ingress.bleaches)
    }

    /// The packet that will arrive next.
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

/// Moves rare code out of line. The values that the closure captures are then written to memory only in the rare case.
/// If they were arguments of a function, they would also be written to memory in the common case (this would cost 2 %
/// of the time of a packet-hop).
#[cold]
#[inline(never)]
fn rarely<T>(what: impl FnOnce() -> T) -> T {
    what()
}

#[cfg(test)]
mod tests;
