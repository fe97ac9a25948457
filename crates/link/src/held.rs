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
use crate::fq_codel::FqCoDelQueue;
use crate::{CoDel, Discipline, Fifo, Offer, Parcel};
use std::collections::VecDeque;
use units::{Span, Time};

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
    /// Dropped by the last call, to be taken by the caller.
    pushed_out: Vec<Parcel>,
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
                Some(Scheduled::CoDel(queue, settings)) => queue.pop(start, settings, &mut self.pushed_out),
                Some(Scheduled::FqCoDel(queue)) => queue.pop(start, &mut self.pushed_out),
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
        self.pushed_out.extend(out);
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
    /// Whether the link holds packets until their transmission begins (it has a scheduled queue, or was ever offered a
    /// low-priority packet): then [`Fifo::serve`] must be called when an event of the link fires and before an offer,
    /// and [`Fifo::take_pushed_out`] after both.
    #[inline]
    pub fn holds(&self) -> bool {
        self.holds
    }

    /// A packet that the last call of [`Fifo::serve`] or [`Fifo::offer`] dropped, other than the one offered.
    pub fn take_pushed_out(&mut self) -> Option<Parcel> {
        self.held.as_mut()?.pushed_out.pop()
    }

    /// Begins what transmissions of held packets may begin by `now`, and tells `began` who begins after which wait; true
    /// if a packet arrives at `now`. To be called before an offer too: offers tell nobody.
    pub fn serve(&mut self, now: Time, mut began: impl FnMut(u32, Span)) -> bool {
        while let Some(held) = &mut self.held {
            let before = held.pushed_out.len();
            let next = held.pop(self.busy_until, now);
            self.dropped_queue += (held.pushed_out.len() - before) as u64;
            let Some((offered, start, parcel)) = next else { break };
            // Nothing else waits then: to a mean queue this is one of the samples of a link idle for data.
            self.settle(start);
            let wait = start.since(offered);
            self.wait_ns += wait.nanos();
            began(parcel.handle, wait);
            self.pass(start, start, parcel);
        }
        self.next_arrival().is_some_and(|arrival| arrival <= now)
    }

    /// When this link's next event is due: an arrival, or the transmitter free for a held packet.
    pub fn next_event(&self) -> Option<Time> {
        let waiting = self.held.as_ref().is_some_and(|held| held.len() > 0);
        self.next_arrival().into_iter().chain(waiting.then_some(self.busy_until)).min()
    }

    /// [`Fifo::offer`] on a link that holds packets, with the number of the sender (FQ-CoDel keeps senders apart).
    #[cold]
    pub fn offer_from(&mut self, now: Time, parcel: Parcel, sender: u32) -> Offer {
        self.serve(now, |_, _| {});
        self.settle(now);
        let busy = self.busy_until > now;
        self.holds = true;
        let held = self.held.get_or_insert_default();
        let (all, ordinary, fair) = (held.all(), held.ordinary(), held.is_fair());
        if parcel.is_low() && (busy || !held.low.is_empty()) {
            if self.is_full(now, parcel.size, all) {
                self.count_full();
                return Offer::Dropped;
            }
            let held = self.held.get_or_insert_default();
            held.low_bytes += u64::from(parcel.size);
            held.low.push_back((now, parcel));
            return Offer::Accepted { wait: Span::ZERO, new_head: self.next_event(), warned: false };
        }
        if busy && self.is_full(now, parcel.size, all) {
            let hopeless = !fair && self.is_full(now, parcel.size, ordinary);
            if hopeless || !self.push_out(now, parcel.size, sender) {
                self.count_full();
                return Offer::Dropped;
            }
        }
        if !parcel.is_low() && self.held.get_or_insert_default().push(now, sender, parcel) {
            if !busy {
                // It begins at once, after no wait.
                self.serve(now, |_, _| {});
            }
            return Offer::Accepted { wait: Span::ZERO, new_head: self.next_event(), warned: false };
        }
        let Offer::Accepted { wait, warned, .. } = self.accept(now, parcel) else { return Offer::Dropped };
        Offer::Accepted { wait, new_head: self.next_event(), warned }
    }

    /// Drops held packets until there is room for `size` bytes of `sender`; false if there is none even so.
    fn push_out(&mut self, now: Time, size: u16, sender: u32) -> bool {
        while let Some(held) = &mut self.held {
            if !held.make_room(sender, size) {
                return false;
            }
            let all = held.all();
            self.count_full();
            if !self.is_full(now, size, all) {
                break;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests;
