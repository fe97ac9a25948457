// SPDX-License-Identifier: MIT OR Apache-2.0
//! The low-priority class of a link (probes of TCP-Peach and its kin).
//!
//! Strict priority without preemption: a low packet starts only when nothing else waits and the transmitter is free.
//! Both classes share the queue's limit; when it is full, an ordinary packet pushes the newest low one out. So
//! probes never take anything from data but the rest of a transmission that has begun.
//!
//! The ordinary class knows its departures at arrival; the low class does not, since who comes later may go first. A
//! link with waiting low packets therefore asks for an event when its transmitter becomes free.

use super::fifo::{Fifo, Offer};
use crate::Parcel;
use std::collections::VecDeque;
use units::{Span, Time};

/// Waiting low-priority packets.
#[derive(Debug, Default)]
pub(crate) struct LowClass {
    /// With the time each was offered.
    waiting: VecDeque<(Time, Parcel)>,
    bytes: u64,
    /// Pushed out by the last offer, to be dropped by the caller.
    pushed_out: Option<Parcel>,
}

impl LowClass {
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Parcel> {
        self.bytes = 0;
        self.waiting.drain(..).map(|(_, parcel)| parcel)
    }
}

impl Fifo {
    /// Whether low-priority packets were ever offered: then [`Fifo::serve`] must be called when an event of the link
    /// fires, and [`Fifo::take_pushed_out`] after an offer.
    #[inline]
    pub fn has_classes(&self) -> bool {
        self.low.is_some()
    }

    /// The packet that the last offer pushed out of the queue.
    pub fn take_pushed_out(&mut self) -> Option<Parcel> {
        self.low.as_mut()?.pushed_out.take()
    }

    /// Begins what low-priority transmissions may begin by `now`; true if a packet arrives at `now`.
    pub fn serve(&mut self, now: Time) -> bool {
        loop {
            let free = self.busy_until;
            let Some(low) = &mut self.low else { break };
            let due =
                low.waiting.front().map(|&(offered, _)| offered.max(free)).filter(|start| *start <= now);
            let Some(start) = due else { break };
            if let Some((_, parcel)) = low.waiting.pop_front() {
                low.bytes -= u64::from(parcel.size);
                self.pass(start, start, parcel);
            }
        }
        self.next_arrival().is_some_and(|arrival| arrival <= now)
    }

    /// When this link's next event is due: an arrival, or the transmitter free for a low-priority packet.
    pub fn next_event(&self) -> Option<Time> {
        let waiting = self.low.as_ref().is_some_and(|low| !low.waiting.is_empty());
        self.next_arrival().into_iter().chain(waiting.then_some(self.busy_until)).min()
    }

    /// [`Fifo::offer`] on a link that knows both classes.
    #[cold]
    pub(crate) fn offer_classes(&mut self, now: Time, parcel: Parcel) -> Offer {
        self.serve(now);
        let full = self.is_full(now, parcel.size);
        let busy = self.busy_until > now;
        let low = self.low.get_or_insert_default();
        low.pushed_out = None;
        if parcel.is_low() && (busy || !low.waiting.is_empty()) {
            if full {
                self.count_full();
                return Offer::Dropped;
            }
            low.bytes += u64::from(parcel.size);
            low.waiting.push_back((now, parcel));
            return Offer::Accepted { wait: Span::ZERO, new_head: self.next_event(), warned: false };
        }
        if busy && full {
            let Some((_, newest)) = low.waiting.pop_back() else {
                self.count_full();
                return Offer::Dropped;
            };
            low.bytes -= u64::from(newest.size);
            low.pushed_out = Some(newest);
            self.count_full();
        }
        let Offer::Accepted { wait, warned, .. } = self.accept(now, parcel) else { return Offer::Dropped };
        Offer::Accepted { wait, new_head: self.next_event(), warned }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Config, Delay, Fifo, Impairment, Offer, Parcel, QueueLimit};
    use units::{Rate, Span, Time};

    fn at(ms: u64) -> Time {
        Time::ZERO + Span::from_millis(ms)
    }

    /// 1 Mbit/s: 125 bytes take 1 ms. No propagation delay; two packets may wait.
    fn link() -> Fifo {
        let config = Config {
            rate: Some(Rate::from_bits_per_s(1_000_000)),
            delay: Delay::Constant(Span::ZERO),
            queue: QueueLimit::Packets(2),
            loss: Impairment::None,
            reorder: false,
            warning: None,
        };
        Fifo::new(&config, 1)
    }

    fn parcel(handle: u32, low: bool) -> Parcel {
        let site = if low { Parcel::LOW } else { 0 };
        Parcel { handle, size: 125, site }
    }

    /// Runs the link's events up to `until`; gives who arrived when (ms).
    fn run(link: &mut Fifo, until: Time) -> Vec<(u32, f64)> {
        let mut out = Vec::new();
        while let Some(now) = link.next_event().filter(|now| *now <= until) {
            if link.serve(now) {
                out.push((link.take_arrival().parcel.handle, now.nanos() as f64 / 1e6));
            }
        }
        out
    }

    /// Low packets 1 and 2 come at 0; 1 begins at once. Data 3 comes at 0.5 ms and goes before 2: it leaves from 1 to
    /// 2 ms, and 2 from 2 to 3 ms.
    #[test]
    fn data_goes_before_waiting_probes() {
        let mut link = link();
        link.offer(at(0), parcel(1, true));
        link.offer(at(0), parcel(2, true));
        link.offer(Time::from_nanos(500_000), parcel(3, false));
        assert_eq!(run(&mut link, at(10)), [(1, 1.0), (3, 2.0), (2, 3.0)]);
        assert_eq!(link.in_flight(), 0);
    }

    /// Data 0 transmits; probe 1 and data 2 wait: the queue is full. Another probe is dropped; data 3 pushes 1 out.
    #[test]
    fn data_pushes_probes_out_of_a_full_queue() {
        let mut link = link();
        link.offer(at(0), parcel(0, false));
        link.offer(at(0), parcel(1, true));
        link.offer(at(0), parcel(2, false));
        assert_eq!(link.offer(at(0), parcel(9, true)), Offer::Dropped);
        assert!(matches!(link.offer(at(0), parcel(3, false)), Offer::Accepted { .. }));
        assert_eq!(link.take_pushed_out().map(|parcel| parcel.handle), Some(1));
        // Two data packets wait now: nothing is left to push out.
        assert_eq!(link.offer(at(0), parcel(4, false)), Offer::Dropped);
        assert_eq!(link.take_pushed_out(), None);
        assert_eq!(run(&mut link, at(10)), [(0, 1.0), (2, 2.0), (3, 3.0)]);
        assert_eq!(link.counters().dropped_queue, 3);
    }

    /// A probe that finds the link idle leaves at once; a packet in transmission is not interrupted.
    #[test]
    fn an_idle_link_serves_probes_without_delay() {
        let mut link = link();
        link.offer(at(0), parcel(1, true));
        link.offer(Time::from_nanos(1), parcel(2, false));
        assert_eq!(run(&mut link, at(10)), [(1, 1.0), (2, 2.0)]);
    }
}
