// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets whose passage is decided when their transmission begins: those of a scheduled queue (CoDel, FQ-CoDel), and
//! those of low priority (probes of TCP-Peach and its kin).
//!
//! Low priority is strict, without preemption: a low packet starts only when nothing else waits and the transmitter is
//! free. Both classes share the queue's limit; when it is full, an ordinary packet pushes the newest low ones out, as
//! many as make room for it, unless not even all of them would (FQ-CoDel then drops from its longest queue). So probes
//! never take anything from data but the rest of a transmission that has begun.
//!
//! A drop-tail FIFO knows its departures at arrival; what is held does not, since who comes later may go first or be the
//! reason of a drop. A link that holds packets therefore asks for an event when its transmitter becomes free.

use crate::codel::{CoDelQueue, Entry};
use crate::fifo::Fifo;
use crate::fq_codel::FqCoDelQueue;
use crate::{CoDel, Discipline, Lost, Packets, Parcel};
use std::collections::VecDeque;
use units::Time;

/// A queue that decides at departure.
#[derive(Debug)]
enum Scheduled {
    CoDel(CoDelQueue, CoDel),
    FqCoDel(FqCoDelQueue),
}

/// Packets and bytes that wait.
type Amount = (usize, u64);

/// What waits for its transmission to begin.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// There unless the link is drop-tail.
    scheduled: Option<Scheduled>,
    /// When the last packet was offered to it.
    newest: Time,
    low: VecDeque<Entry>,
    low_bytes: u64,
    /// Dropped, and not yet told of.
    dropped: Vec<(Parcel, Lost)>,
}

impl Held {
    /// Of a link with a discipline; `None` for drop-tail, which holds nothing before its first low packet.
    pub(crate) fn new(discipline: Discipline) -> Option<Self> {
        let scheduled = match discipline {
            Discipline::DropTail => return None,
            Discipline::CoDel(settings) => Scheduled::CoDel(CoDelQueue::default(), settings),
            Discipline::FqCoDel(settings) => Scheduled::FqCoDel(FqCoDelQueue::new(settings)),
        };
        Some(Self { scheduled: Some(scheduled), ..Self::default() })
    }

    /// What waits in the scheduled queue.
    pub(crate) fn ordinary(&self) -> Amount {
        match &self.scheduled {
            None => (0, 0),
            Some(Scheduled::CoDel(queue, _)) => (queue.len(), queue.bytes()),
            Some(Scheduled::FqCoDel(queue)) => (queue.len(), queue.bytes()),
        }
    }

    fn all(&self) -> Amount {
        let (packets, bytes) = self.ordinary();
        (packets + self.low.len(), bytes + self.low_bytes)
    }

    pub(crate) fn len(&self) -> usize {
        self.all().0
    }

    const fn is_fair(&self) -> bool {
        matches!(self.scheduled, Some(Scheduled::FqCoDel(_)))
    }

    /// Takes an ordinary packet in, if there is a scheduled queue.
    fn push(&mut self, now: Time, sender: u32, parcel: Parcel) -> bool {
        match &mut self.scheduled {
            None => return false,
            Some(Scheduled::CoDel(queue, _)) => queue.push(now, parcel),
            Some(Scheduled::FqCoDel(queue)) => queue.push(now, sender, parcel),
        }
        self.newest = now;
        true
    }

    /// What begins by `now` on a transmitter that is free from `free` on: when it was offered, when it begins.
    fn pop(&mut self, free: Time, now: Time) -> Option<(Time, Time, Parcel)> {
        // Free before the newest came: the newest found nothing waiting.
        let start = free.max(self.newest);
        if start <= now {
            let next = match &mut self.scheduled {
                None => None,
                Some(Scheduled::CoDel(queue, settings)) => queue.pop(start, settings, &mut self.dropped),
                Some(Scheduled::FqCoDel(queue)) => queue.pop(start, &mut self.dropped),
            };
            if let Some((offered, parcel)) = next {
                return Some((offered, start, parcel));
            }
        }
        let (offered, parcel) = *self.low.front().filter(|(offered, _)| (*offered).max(free) <= now)?;
        self.low.pop_front();
        self.low_bytes -= u64::from(parcel.size);
        Some((offered, offered.max(free), parcel))
    }

    /// Drops something for `size` bytes from `sender`: the newest low packet, or from the longest queue.
    fn make_room(&mut self, sender: u32, size: u16) -> bool {
        let out = if let Some((_, newest)) = self.low.pop_back() {
            self.low_bytes -= u64::from(newest.size);
            Some(newest)
        } else if let Some(Scheduled::FqCoDel(queue)) = &mut self.scheduled {
            queue.pop_fattest(sender, size)
        } else {
            None
        };
        self.dropped.extend(out.map(|parcel| (parcel, Lost::Full)));
        out.is_some()
    }

    /// Takes everything out: ordinary packets in the order in which they came, then low ones.
    pub(crate) fn drain(&mut self) -> Vec<Entry> {
        let mut all = match &mut self.scheduled {
            None => Vec::new(),
            Some(Scheduled::CoDel(queue, _)) => std::iter::from_fn(|| queue.pop_head()).collect(),
            Some(Scheduled::FqCoDel(queue)) => queue.drain(),
        };
        all.extend(self.low.drain(..));
        self.low_bytes = 0;
        all
    }
}

impl Fifo {
    /// Tells of the packets that were dropped since it was last asked, other than the one offered.
    pub(crate) fn hand_out_dropped<P: Packets>(&mut self, packets: &mut P) {
        let Some(held) = &mut self.held else { return };
        while let Some((parcel, why)) = held.dropped.pop() {
            packets.dropped(parcel, why);
        }
    }

    /// Begins what transmissions of held packets may begin by `now`.
    pub(crate) fn serve<P: Packets>(&mut self, now: Time, packets: &mut P) {
        while let Some(held) = &mut self.held {
            let before = held.dropped.len();
            let next = held.pop(self.busy_until, now);
            self.dropped_queue += (held.dropped.len() - before) as u64;
            let Some((offered, start, parcel)) = next else { break };
            // Nothing else waits then: to a mean queue this is one of the samples of a link idle for data.
            self.settle(start);
            let wait = start.since(offered);
            self.wait_ns += wait.nanos();
            packets.waits(parcel.handle, wait);
            self.pass(start, start, parcel);
        }
        self.hand_out_dropped(packets);
    }

    /// [`Link::next_event`](crate::Link::next_event).
    pub(crate) fn next_event(&self) -> Option<Time> {
        let waiting = self.held.as_ref().is_some_and(|held| held.len() > 0);
        self.next_arrival().into_iter().chain(waiting.then_some(self.busy_until)).min()
    }

    /// [`Fifo::offer`] on a link that holds packets, once what was due has been served. Who gives way is kept for
    /// [`Fifo::hand_out_dropped`].
    pub(crate) fn hold<P: Packets>(
        &mut self,
        now: Time,
        parcel: Parcel,
        packets: &mut P,
    ) -> Result<(), Lost> {
        self.settle(now);
        let busy = self.busy_until > now;
        self.holds = true;
        let sender = packets.sender(parcel.handle);
        let held = self.held.get_or_insert_default();
        let (all, ordinary, fair) = (held.all(), held.ordinary(), held.is_fair());
        if parcel.is_low() && (busy || !held.low.is_empty()) {
            if self.is_full(now, parcel.size, all) {
                return Err(Lost::Full);
            }
            let held = self.held.get_or_insert_default();
            held.low_bytes += u64::from(parcel.size);
            held.low.push_back((now, parcel));
            packets.entered(parcel);
            return Ok(());
        }
        if busy && self.is_full(now, parcel.size, all) {
            let hopeless = !fair && self.is_full(now, parcel.size, ordinary);
            if hopeless || !self.push_out(now, parcel.size, sender) {
                return Err(Lost::Full);
            }
        }
        if !parcel.is_low() && self.held.get_or_insert_default().push(now, sender, parcel) {
            packets.entered(parcel);
            return Ok(());
        }
        let accepted = self.accept(now, parcel);
        accepted.tell(parcel, packets);
        Ok(())
    }

    /// Drops held packets until there is room for `size` bytes of `sender`; false if there is none even so.
    fn push_out(&mut self, now: Time, size: u16, sender: u32) -> bool {
        while let Some(held) = &mut self.held {
            if !held.make_room(sender, size) {
                return false;
            }
            let all = held.all();
            self.dropped_queue += 1;
            if !self.is_full(now, size, all) {
                break;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests;
