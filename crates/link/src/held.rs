// SPDX-License-Identifier: MIT OR Apache-2.0
//! Held packets: packets whose departure and arrival are decided when their transmission begins, and not at their
//! arrival. Packets in the queue of a discipline are held, and so are low-priority packets (probes of TCP-Peach and
//! similar controllers).
//!
//! Low-priority packets are called low packets here, and all other packets are called ordinary. Low priority is strict,
//! without preemption. A low packet starts only if no ordinary packet waits and the transmitter is free. A probe
//! therefore delays data only by the rest of a transmission that has already begun.
//!
//! Both classes share the limit of the queue. If the queue is full, an ordinary packet pushes out the newest low
//! packets until there is room. If dropping all low packets would not make enough room, no low packet is dropped. Some
//! disciplines can also drop waiting packets of their own (FQ-CoDel drops from its longest queue). Such a discipline
//! drops its packets only after all low packets have been pushed out.
//!
//! On a drop-tail FIFO, the departure of a packet is known at its arrival. On a link that holds packets, the departure
//! is not known at arrival, because later packets may be sent first or may cause a drop. Such a link therefore requests
//! an event for the time at which its transmitter becomes free.
//!
//! A link that holds packets needs one additional event per packet. For all other links, the cost is one branch per
//! packet.

use crate::discipline::{ActiveQueue, Amount, Coming, DisciplineState, Entry, QueueContext};
use crate::granted::Access;
use crate::{Acks, Link, Lost, Packets, Parcel};
use random::{SeedableRng as _, Xoshiro256PlusPlus};
use std::collections::VecDeque;
use units::{Rate, Time};

/// Separates the random stream of a discipline from the stream of losses. A discipline therefore does not change the
/// losses.
const DISCIPLINE_STREAM: u64 = 0x0071_7565_7565;

/// Packets that wait for their transmission to begin.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Held {
    /// The queue of the discipline, or `None` if the link is drop-tail.
    #[saved(each)]
    queue: Option<Box<dyn ActiveQueue>>,
    /// Time at which the last packet was added to `queue`.
    newest: Time,
    low: VecDeque<Entry>,
    low_bytes: u64,
    pub(crate) state: DisciplineState,
    compact: Option<Compact>,
}

/// The state of header compression: acknowledgements are compressed, and their original sizes are stored.
#[derive(Clone, Debug, saved::Plain)]
struct Compact {
    /// Size of a compressed acknowledgement on this link.
    size: u16,
    /// Original size by packet handle. The size is zero if the packet is not compressed.
    whole: Vec<u16>,
}

impl Held {
    /// Creates the state for a discipline. `queue` is `None` if a drop-tail link is offered its first low packet.
    pub(crate) fn new(queue: Option<Box<dyn ActiveQueue>>, seed: u64) -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed ^ DISCIPLINE_STREAM);
        Self {
            queue,
            newest: Time::ZERO,
            low: VecDeque::new(),
            low_bytes: 0,
            state: DisciplineState { random, dropped: Vec::new(), marked: 0, refused: 0, thinned: 0 },
            compact: None,
        }
    }

    /// Creates the state for a drop-tail link that is offered its first low packet. This state never draws random
    /// numbers.
    pub(crate) fn of_low() -> Box<Self> {
        Box::new(Self::new(None, 0))
    }

    /// Returns the same state with compression of acknowledgements.
    pub(crate) fn compressing(self, acks: Option<Acks>) -> Self {
        let compact = acks.and_then(|acks| acks.compressed).map(|size| Compact { size, whole: Vec::new() });
        Self { compact, ..self }
    }

    /// Returns an offered packet with the size that it has on this link.
    fn on_wire<P: Packets>(&mut self, parcel: Parcel, packets: &P) -> Parcel {
        let Some(compact) = &mut self.compact else { return parcel };
        if parcel.size <= compact.size || parcel.is_low() || packets.ack(parcel.handle).is_none() {
            return parcel;
        }
        let place = parcel.handle as usize;
        if compact.whole.len() <= place {
            compact.whole.resize(place + 1, 0);
        }
        compact.whole[place] = parcel.size;
        Parcel { size: compact.size, ..parcel }
    }

    /// Returns a packet on this link with the size that it had when it was offered.
    fn offered(&self, parcel: Parcel) -> Parcel {
        let whole = self.compact.as_ref().and_then(|compact| compact.whole.get(parcel.handle as usize));
        let size = whole.copied().filter(|size| *size > 0).unwrap_or(parcel.size);
        Parcel { size, ..parcel }
    }

    /// Like [`Self::offered`], for a packet that leaves the link. The stored size is removed.
    fn whole(&mut self, parcel: Parcel) -> Parcel {
        let whole = self.offered(parcel);
        if let Some(compact) = &mut self.compact
            && let Some(size) = compact.whole.get_mut(parcel.handle as usize)
        {
            *size = 0;
        }
        whole
    }

    /// The number and size of the packets in the queue of the discipline.
    pub(crate) fn ordinary(&self) -> Amount {
        self.queue.as_ref().map_or_else(Amount::default, |queue| queue.amount())
    }

    fn all(&self) -> Amount {
        self.ordinary() + Amount { packets: self.low.len(), bytes: self.low_bytes }
    }

    pub(crate) fn len(&self) -> usize {
        self.all().packets
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.all().bytes
    }

    /// Removes the packet whose transmission begins by `now`. The transmitter is free from `free` on. Returns the time
    /// at which the packet was offered, the time at which its transmission begins, and the packet.
    fn pop(
        &mut self,
        free: Time,
        now: Time,
        rate: Option<Rate>,
        packets: &mut dyn Packets,
    ) -> Option<(Time, Time, Parcel)> {
        // If the transmitter was already free when the newest packet arrived, this packet found an empty queue. Its
        // transmission begins at its arrival.
        let start = free.max(self.newest);
        if let Some(queue) = self.queue.as_mut().filter(|_| start <= now) {
            let next = queue.pop(&mut QueueContext { now: start, rate, packets, state: &mut self.state });
            if let Some((offered, parcel)) = next {
                return Some((offered, start, parcel));
            }
            debug_assert_eq!(
                queue.amount(),
                Amount::default(),
                "a discipline idles while packets wait: {queue:?}"
            );
        }
        let (offered, parcel) = *self.low.front().filter(|(offered, _)| (*offered).max(free) <= now)?;
        self.low.pop_front();
        self.low_bytes -= u64::from(parcel.size);
        Some((offered, offered.max(free), parcel))
    }

    /// Drops a waiting packet to make room for an arriving packet. This is the newest low packet, or a packet that the
    /// discipline chooses if no low packet waits.
    fn make_room(&mut self, coming: Coming) -> bool {
        let out = if let Some((_, newest)) = self.low.pop_back() {
            self.low_bytes -= u64::from(newest.size);
            Some(newest)
        } else {
            let queue = self.queue.as_mut();
            let thins = queue.as_ref().is_some_and(|queue| queue.thins());
            let out = queue.and_then(|queue| queue.make_room(coming));
            self.state.thinned += u64::from(thins && out.is_some());
            out
        };
        self.state.dropped.extend(out.map(|parcel| (parcel, Lost::Full)));
        out.is_some()
    }

    /// Removes and returns all packets. Ordinary packets come first, in order of arrival. Low packets come last.
    pub(crate) fn drain(&mut self) -> Vec<Entry> {
        let mut all = self.queue.as_mut().map_or_else(Vec::new, |queue| queue.drain());
        all.extend(self.low.drain(..));
        self.low_bytes = 0;
        all
    }
}

impl Link {
    /// Reports the packets that were dropped since the last call, except the offered packet.
    pub(crate) fn hand_out_dropped<P: Packets>(&mut self, packets: &mut P) {
        let Some(held) = &mut self.held else { return };
        while let Some((parcel, why)) = held.state.dropped.pop() {
            let parcel = held.whole(parcel);
            packets.dropped(parcel, why);
        }
    }

    /// Returns a packet that leaves this link with its original size.
    pub(crate) fn whole(&mut self, parcel: Parcel) -> Parcel {
        match &mut self.held {
            Some(held) => held.whole(parcel),
            None => parcel,
        }
    }

    /// Starts the transmissions of held packets that may begin by `now`. If the transmitter is shared, this method does
    /// nothing.
    pub(crate) fn serve<P: Packets>(&mut self, now: Time, packets: &mut P) {
        if matches!(self.access, Access::InTurn) {
            return;
        }
        if let Access::Granted(mut slots) = std::mem::take(&mut self.access) {
            self.serve_granted(&mut slots, now, packets);
            self.access = Access::Granted(slots);
        } else {
            while let Some((start, parcel)) = self.begin_held(self.transmitter.busy_until, now, packets) {
                self.pass(start, start, parcel);
            }
        }
        self.hand_out_dropped(packets);
    }

    /// Removes the packet whose transmission begins by `now`. The transmitter is free from `free` on. Returns the start
    /// of the transmission and the packet.
    pub(crate) fn begin_held<P: Packets>(
        &mut self,
        free: Time,
        now: Time,
        packets: &mut P,
    ) -> Option<(Time, Parcel)> {
        let held = self.held.as_mut()?;
        let before = held.state.dropped.len();
        let next = held.pop(free, now, self.transmitter.rate, packets);
        self.totals.dropped_queue += (held.state.dropped.len() - before) as u64;
        let (offered, start, parcel) = next?;
        // No other packet waits at this time. The mean queue length therefore gets a sample of a link without waiting
        // data.
        self.waiting.settle(start);
        let wait = start.since(offered);
        self.totals.wait(wait);
        packets.waits(parcel.handle, wait);
        packets.begins(parcel.handle, start);
        Some((start, parcel))
    }

    /// Whether an offered packet reaches the queue. The list of losses, or the policer and the MTU, may drop the
    /// packet. The drop is then reported.
    pub(crate) fn admits<P: Packets>(&mut self, now: Time, parcel: Parcel, packets: &mut P) -> bool {
        !self.is_listed_loss(now, parcel, packets)
            && self.ingress.as_mut().is_none_or(|ingress| ingress.admits(now, parcel, packets))
    }

    /// Whether the list of losses drops an offered packet. The drop is reported.
    fn is_listed_loss<P: Packets>(&mut self, now: Time, parcel: Parcel, packets: &mut P) -> bool {
        let is_data = self.impairments.listed_losses.is_some() && packets.carries_data(parcel.handle);
        let struck = self
            .impairments
            .listed_losses
            .as_mut()
            .and_then(|listed_losses| listed_losses.next_loss(now, is_data));
        if let Some(why) = struck {
            packets.dropped(parcel, why);
        }
        struck.is_some()
    }

    /// [`Link::offer`] on a link that holds packets. Everything that was due earlier must already be done. Packets
    /// dropped to make room are stored until [`Link::hand_out_dropped`] reports them.
    pub(crate) fn hold<P: Packets>(
        &mut self,
        now: Time,
        parcel: Parcel,
        packets: &mut P,
    ) -> Result<(), Lost> {
        self.waiting.settle(now);
        self.detours.apart = true;
        // `held` is moved out of the link, because this method changes both `held` and the link.
        let mut held = self.held.take().unwrap_or_else(Held::of_low);
        let slots = self.access.slots();
        let parcel = held.on_wire(parcel, packets);
        let thinned = held.state.thinned;
        // With demand assignment, packets that wait for a grant are sent before the offered packet.
        let ahead = slots.is_some_and(|slots| slots.is_sending() || held.len() > 0);
        let busy = self.transmitter.busy_until > now || ahead;
        let taken = if parcel.is_low() && (busy || slots.is_some() || !held.low.is_empty()) {
            self.hold_low(now, parcel, &mut held, packets)
        } else {
            self.hold_ordinary(now, busy, parcel, &mut held, packets)
        };
        // If thinning dropped an older acknowledgement for this packet, the capacity requested for the older
        // acknowledgement is used for this packet. No further capacity is requested.
        let grows = taken.is_ok() && held.state.thinned == thinned;
        if taken.is_err() {
            held.whole(parcel);
        }
        self.held = Some(held);
        if let Some(slots) = self.access.slots_mut().filter(|_| grows) {
            slots.comes(parcel);
        }
        taken
    }

    fn hold_low<P: Packets>(
        &self,
        now: Time,
        parcel: Parcel,
        held: &mut Held,
        packets: &mut P,
    ) -> Result<(), Lost> {
        if self.is_full(now, parcel.size, held.all()) {
            return Err(Lost::Full);
        }
        held.low_bytes += u64::from(parcel.size);
        held.low.push_back((now, parcel));
        packets.entered(parcel);
        Ok(())
    }

    /// Holds an ordinary packet, or accepts a packet on a drop-tail link. A low packet that does not have to wait is
    /// also accepted here.
    fn hold_ordinary<P: Packets>(
        &mut self,
        now: Time,
        busy: bool,
        parcel: Parcel,
        held: &mut Held,
        packets: &mut P,
    ) -> Result<(), Lost> {
        let sender = packets.sender(parcel.handle);
        if busy && self.is_full(now, parcel.size, held.all()) {
            let makes_room = held.queue.as_ref().is_some_and(|queue| queue.makes_room());
            // The part of the queue that cannot be dropped for the offered packet.
            let rest = if makes_room { Amount::default() } else { held.ordinary() };
            let hopeless = self.is_full(now, parcel.size, rest);
            let coming = || Coming {
                sender,
                size: parcel.size,
                urgent: packets.is_urgent(parcel.handle),
                ack: packets.ack(parcel.handle),
            };
            if hopeless || !self.push_out(now, coming(), held) {
                return Err(Lost::Full);
            }
        }
        if let Some(queue) = held.queue.as_mut().filter(|_| !parcel.is_low()) {
            let before = held.state.dropped.len();
            let context =
                &mut QueueContext { now, rate: self.transmitter.rate, packets, state: &mut held.state };
            let taken = queue.push(parcel, sender, context);
            self.totals.dropped_queue += (held.state.dropped.len() - before) as u64;
            if let Err(why) = taken {
                held.state.refused += 1;
                return Err(why);
            }
            held.newest = now;
            packets.entered(held.offered(parcel));
            return Ok(());
        }
        self.accept(now, parcel).tell(now, parcel, packets);
        Ok(())
    }

    /// Drops held packets until there is room for the arriving packet. Returns false if all packets that could be
    /// dropped do not make enough room.
    fn push_out(&mut self, now: Time, coming: Coming, held: &mut Held) -> bool {
        while held.make_room(coming) {
            self.totals.dropped_queue += 1;
            if !self.is_full(now, coming.size, held.all()) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests;
