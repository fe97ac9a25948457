// SPDX-License-Identifier: MIT OR Apache-2.0
//! The low-priority class of a link (probes of TCP-Peach and its kin).
//!
//! Strict priority without preemption: a low packet starts only when nothing else waits and the transmitter is free.
//! Both classes share the queue's limit; when it is full, an ordinary packet pushes the newest low ones out, as
//! many as make room for it, unless not even all of them would. So probes never take anything from data but the rest
//! of a transmission that has begun.
//!
//! The ordinary class knows its departures at arrival; the low class does not, since who comes later may go first. A
//! link with waiting low packets therefore asks for an event when its transmitter becomes free.

use crate::{Fifo, Offer, Parcel};
use std::collections::VecDeque;
use units::{Span, Time};

/// Waiting low-priority packets.
#[derive(Debug, Default)]
pub(crate) struct LowClass {
    /// With the time each was offered.
    waiting: VecDeque<(Time, Parcel)>,
    bytes: u64,
    /// Pushed out by the last offer, to be dropped by the caller.
    pushed_out: Vec<Parcel>,
}

impl LowClass {
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
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
        self.classes
    }

    /// A packet that the last offer pushed out of the queue.
    pub fn take_pushed_out(&mut self) -> Option<Parcel> {
        self.low.as_mut()?.pushed_out.pop()
    }

    /// Begins what low-priority transmissions may begin by `now`, and tells `began` who begins after which wait; true
    /// if a packet arrives at `now`. To be called before an offer too: offers tell nobody.
    pub fn serve(&mut self, now: Time, mut began: impl FnMut(u32, Span)) -> bool {
        loop {
            let free = self.busy_until;
            let Some(low) = &mut self.low else { break };
            let first = low.waiting.front().copied().filter(|first| first.0.max(free) <= now);
            let Some((offered, parcel)) = first else { break };
            low.waiting.pop_front();
            low.bytes -= u64::from(parcel.size);
            let start = offered.max(free);
            // Nothing else waits then: to a mean queue this is one of the samples of a link idle for data.
            self.settle(start);
            let wait = start.since(offered);
            self.wait_ns += wait.nanos();
            began(parcel.handle, wait);
            self.pass(start, start, parcel);
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
        self.serve(now, |_, _| {});
        let busy = self.busy_until > now;
        self.classes = true;
        let low = self.low.get_or_insert_default();
        let waiting = (low.waiting.len(), low.bytes);
        if parcel.is_low() && (busy || !low.waiting.is_empty()) {
            if self.is_full(now, parcel.size, waiting) {
                self.count_full();
                return Offer::Dropped;
            }
            let low = self.low.get_or_insert_default();
            low.bytes += u64::from(parcel.size);
            low.waiting.push_back((now, parcel));
            return Offer::Accepted { wait: Span::ZERO, new_head: self.next_event(), warned: false };
        }
        if busy && self.is_full(now, parcel.size, waiting) {
            if self.is_full(now, parcel.size, (0, 0)) {
                self.count_full();
                return Offer::Dropped;
            }
            self.push_out(now, parcel.size);
        }
        let Offer::Accepted { wait, warned, .. } = self.accept(now, parcel) else { return Offer::Dropped };
        Offer::Accepted { wait, new_head: self.next_event(), warned }
    }

    /// Pushes low-priority packets out until there is room for `size` bytes.
    fn push_out(&mut self, now: Time, size: u16) {
        while let Some(low) = &mut self.low
            && let Some((_, newest)) = low.waiting.pop_back()
        {
            low.bytes -= u64::from(newest.size);
            low.pushed_out.push(newest);
            let waiting = (low.waiting.len(), low.bytes);
            self.count_full();
            if !self.is_full(now, size, waiting) {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Config, Delay, Fifo, Impairment, Offer, Parcel, QueueLimit};
    use units::{Bytes, Rate, Span, Time};

    fn at(ms: u64) -> Time {
        Time::ZERO + Span::from_millis(ms)
    }

    /// 1 Mbit/s: 125 bytes take 1 ms. No propagation delay; two packets may wait.
    fn config() -> Config {
        Config {
            rate: Some(Rate::from_bits_per_s(1_000_000)),
            delay: Delay::Constant(Span::ZERO),
            queue: QueueLimit::Packets(2),
            loss: Impairment::None,
            reorder: false,
            warning: None,
            course: None,
        }
    }

    fn link() -> Fifo {
        Fifo::new(&config(), 1)
    }

    fn parcel(handle: u32, low: bool) -> Parcel {
        let site = if low { Parcel::LOW } else { 0 };
        Parcel { handle, size: 125, site }
    }

    /// Runs the link's events up to `until`; gives who arrived when (ms).
    fn run(link: &mut Fifo, until: Time) -> Vec<(u32, f64)> {
        let mut out = Vec::new();
        while let Some(now) = link.next_event().filter(|now| *now <= until) {
            if link.serve(now, |_, _| {}) {
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

    fn accepted(offer: Offer) -> bool {
        matches!(offer, Offer::Accepted { .. })
    }

    /// Room for 250 bytes. Two probe ACKs of 50 bytes and data of 125 wait; data of 125 needs both to go. Where not
    /// even that helps, they stay.
    #[test]
    fn small_probes_make_room_for_large_data_or_stay() {
        for queue in [QueueLimit::Bytes(Bytes::new(250)), QueueLimit::Time(Span::from_millis(2))] {
            let mut link = Fifo::new(&Config { queue, ..config() }, 1);
            link.offer(at(0), parcel(0, false));
            for handle in [1, 2] {
                assert!(accepted(link.offer(at(0), Parcel { size: 50, ..parcel(handle, true) })));
            }
            assert!(accepted(link.offer(at(0), parcel(3, false))));
            let out: Vec<u32> = std::iter::from_fn(|| link.take_pushed_out()).map(|out| out.handle).collect();
            // A limit in bytes counts what waits: 0 + 50 + 50 + 125 fit. One in time counts the transmission too:
            // 1 + 0.4 + 0.4 ms before data 3, and 2 + 0.8 ms before data 4.
            assert!(out.is_empty(), "{out:?}");
            assert!(accepted(link.offer(at(0), parcel(4, false))));
            let mut out: Vec<u32> =
                std::iter::from_fn(|| link.take_pushed_out()).map(|out| out.handle).collect();
            out.sort_unstable();
            assert_eq!(out, [1, 2]);
            assert_eq!((link.in_flight(), link.counters().dropped_queue), (3, 2));
        }
        let mut link = Fifo::new(&Config { queue: QueueLimit::Bytes(Bytes::new(200)), ..config() }, 1);
        link.offer(at(0), parcel(0, false));
        link.offer(at(0), parcel(1, false));
        link.offer(at(0), Parcel { size: 50, ..parcel(2, true) });
        assert_eq!(link.offer(at(0), parcel(3, false)), Offer::Dropped);
        assert_eq!(link.take_pushed_out(), None);
        assert_eq!(run(&mut link, at(10)).len(), 3);
    }

    /// Probe 1 waits 1 ms for data 0 and 1 ms for data 2, which came after it.
    #[test]
    fn the_wait_of_a_probe_is_known_when_it_begins() {
        let mut link = link();
        link.offer(at(0), parcel(0, false));
        link.offer(at(0), parcel(1, true));
        link.offer(at(0), parcel(2, false));
        let mut waits = Vec::new();
        assert!(link.serve(at(2), |handle, wait| waits.push((handle, wait))));
        assert_eq!(waits, [(1, Span::from_millis(2))]);
        assert_eq!(link.counters().wait_ns, 3_000_000);
        assert_eq!(link.busy_time(at(3)), Span::from_millis(3));
    }

    /// What waits when the link goes away is handed back, the low class too, and the books close.
    #[test]
    fn a_link_that_goes_away_hands_back_waiting_probes() {
        for (reorder, lose) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut link = Fifo::new(&Config { reorder, ..config() }, 1);
            link.offer(at(0), parcel(0, false));
            link.offer(at(0), parcel(1, true));
            link.offer(at(0), parcel(2, false));
            let back = link.recall(Time::from_nanos(500_000), lose);
            assert_eq!(back.waiting.iter().map(|(parcel, _)| parcel.handle).collect::<Vec<_>>(), [2, 1]);
            assert_eq!(back.flying.len(), usize::from(lose));
            assert_eq!(
                (link.in_flight(), link.next_event()),
                if lose { (0, None) } else { (1, Some(at(1))) }
            );
            let counters = link.counters();
            assert_eq!((counters.accepted, counters.recalled), (3, 2));
            assert_eq!(counters.dropped_outage, if lose { 3 } else { 0 });
        }
    }

    /// Without a rate nothing ever waits.
    #[test]
    fn a_link_without_a_rate_has_one_class() {
        let mut link = Fifo::new(&Config { rate: None, ..config() }, 1);
        for handle in 0..5 {
            assert!(accepted(link.offer(at(0), parcel(handle, handle % 2 == 0))));
        }
        assert_eq!(run(&mut link, at(0)), [0, 1, 2, 3, 4].map(|handle| (handle, 0.0)));
    }
}
