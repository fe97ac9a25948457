// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link whose departures are known at arrival: FIFO, drop-tail; its rate constant, or known over time.
//!
//! When a packet is offered, everything about its passage is already decided: it starts when the transmitter is
//! free, leaves after its serialisation time, and arrives after the propagation delay at the moment of leaving. So
//! one entry of 16 bytes in a ring stands for a packet, and only the head's arrival has to stand in an event queue.

use crate::course::Cursor;
use crate::low::LowClass;
use crate::prefetch::prefetch;
use crate::{Config, CongestionWarning, Delay, Impairment, QueueLimit};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::{BTreeMap, VecDeque};
use units::{Bytes, Rate, Span, Time};

/// What the link has to know of a packet; the packet itself lives elsewhere under `handle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parcel {
    /// Where the packet lives.
    pub handle: u32,
    /// Bytes on the wire.
    pub size: u16,
    /// Site it travels to, and [`Parcel::LOW`].
    pub site: u16,
}

impl Parcel {
    /// Bit of [`Parcel::site`] that marks low priority.
    pub const LOW: u16 = 1 << 15;
    /// Bit that marks, on a link, what will not arrive whole.
    const LOST: u16 = 1 << 14;
    /// Bit that marks, on a link, what leaves while it carries nothing.
    const CUT: u16 = 1 << 13;
    /// So many sites can be told apart.
    pub const SITES: usize = 1 << 13;

    /// Number of the site.
    #[inline]
    pub fn site(self) -> usize {
        usize::from(self.site & !(Self::LOW | Self::LOST | Self::CUT))
    }
    /// Whether it gives way to others.
    #[inline]
    pub const fn is_low(self) -> bool {
        self.site & Self::LOW != 0
    }
    /// As it was when it was offered.
    const fn plain(self) -> Self {
        Self { site: self.site & !(Self::LOST | Self::CUT), ..self }
    }
}

/// What became of an offered packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// The queue was full.
    Dropped,
    /// It will arrive.
    Accepted {
        /// How long it waits before its first bit is sent; zero if only [`Fifo::serve`] can tell (low priority).
        wait: Span,
        /// Set if the link's next event changes: when it is due.
        new_head: Option<Time>,
        /// It found a long queue and carries a congestion warning if it is data.
        warned: bool,
    },
}

/// Why a packet does not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// It arrives broken.
    Error,
    /// It left while the link carried nothing.
    Outage,
}

/// A packet at the far end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The packet.
    pub parcel: Parcel,
    /// It did not arrive whole, and must be dropped.
    pub lost: Option<Lost>,
    /// When the link's next event is due, if there is one.
    pub next: Option<Time>,
}

/// Counts since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets taken in; one of low priority counts when its transmission begins.
    pub accepted: u64,
    /// Bytes taken in.
    pub accepted_bytes: u64,
    /// Packets that arrived whole.
    pub delivered: u64,
    /// Packets that found the queue full, and those of low priority that were pushed out of it.
    pub dropped_queue: u64,
    /// Packets that arrived broken.
    pub dropped_error: u64,
    /// Packets lost because the link went away, or carried nothing for a while.
    pub dropped_outage: u64,
    /// Accepted packets that were taken back while they waited, because the link went away.
    pub recalled: u64,
    /// Time that accepted packets had to wait, summed, as it was decided when they were accepted (of low-priority
    /// packets: when their transmission begins).
    pub wait_ns: u64,
    /// The part of it that recalled packets did not wait.
    pub unwaited_ns: u64,
    /// Time the transmitter needs for all accepted packets, its pauses included.
    transmit_ns: u64,
}

#[derive(Clone, Copy, Debug)]
struct InFlight {
    arrival: Time,
    parcel: Parcel,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    start: Time,
    handle: u32,
    size: u32,
}

/// What depends on a packet's size alone. Real traffic has two sizes (data and ACK), so two are remembered.
#[derive(Clone, Copy, Debug)]
struct BySize {
    size: u16,
    transmit: Span,
    /// A packet is lost when a uniform 64-bit number is below this.
    loss_threshold: u64,
}

#[derive(Clone, Copy, Debug)]
enum Limit {
    Packets(u64),
    Bytes(u64),
    Time(Span),
    None,
}

/// One direction of a link at run time. The order of the fields is that of their use: three cache lines serve a passage.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Fifo {
    flight: VecDeque<InFlight>,
    waiting: VecDeque<Waiting>,
    /// There once low-priority packets were offered.
    pub(crate) low: Option<Box<LowClass>>,
    by_size: [BySize; 2],
    pub(crate) busy_until: Time,
    last_arrival: Time,
    limit: Limit,
    waiting_bytes: u64,
    delay: Delay,
    reorder: bool,
    lossy: bool,
    /// There is a course.
    timed: bool,
    warning: Option<Warning>,
    pub(crate) counters: Counters,
    rate: Option<Rate>,
    course: Option<Box<Cursor>>,
    random: Xoshiro256PlusPlus,
    loss: Impairment,
}

/// The mean queue of a link that warns.
#[derive(Clone, Copy, Debug)]
struct Warning {
    above: f64,
    mean: f64,
    /// When it was last brought up to date.
    at: Time,
}

impl Warning {
    /// RED's mean queue (Floyd and Jacobson 1993, section 4) with `queued` packets at `now`; `transmit` is the time
    /// of a packet, for the samples that an idle link would have taken. True above the threshold.
    fn update(&mut self, now: Time, idle_since: Time, transmit: Span, queued: usize) -> bool {
        if queued == 0 && transmit > Span::ZERO {
            let idle = now.since(idle_since.max(self.at)).secs_f64() / transmit.secs_f64();
            self.mean *= (1.0 - CongestionWarning::WEIGHT).powf(idle);
        }
        self.mean += CongestionWarning::WEIGHT * (queued as f64 - self.mean);
        self.at = now;
        self.mean > self.above
    }
}

impl Fifo {
    /// A link as `config` says; `loss_seed` is the seed of its loss stream. A queue in BDPs must have been resolved
    /// into bytes before: see [`QueueLimit::resolve`].
    pub fn new(config: &Config, loss_seed: u64) -> Self {
        let limit = match config.queue {
            QueueLimit::Packets(packets) => Limit::Packets(packets),
            QueueLimit::Bytes(bytes) => Limit::Bytes(bytes.get()),
            QueueLimit::Time(span) => Limit::Time(span),
            QueueLimit::Bdp(_) | QueueLimit::Unlimited => Limit::None,
        };
        let course = Cursor::new(config, loss_seed).map(Box::new);
        let mut link = Self {
            busy_until: Time::ZERO,
            last_arrival: Time::ZERO,
            by_size: [BySize { size: 0, transmit: Span::ZERO, loss_threshold: 0 }; 2],
            limit,
            waiting_bytes: 0,
            flight: VecDeque::new(),
            waiting: VecDeque::new(),
            low: None,
            warning: config.warning.map(|warning| Warning {
                above: warning.above,
                mean: 0.0,
                at: Time::ZERO,
            }),
            delay: config.delay.clone(),
            reorder: config.reorder,
            lossy: course.is_some() || config.loss.probability(u16::MAX) > 0.0,
            timed: course.is_some(),
            rate: config.rate,
            course,
            loss: config.loss,
            random: Xoshiro256PlusPlus::seed_from_u64(loss_seed),
            counters: Counters::default(),
        };
        link.by_size = [link.facts_of(1500), link.facts_of(52)];
        link
    }

    fn facts_of(&self, size: u16) -> BySize {
        BySize {
            size,
            transmit: self.rate.map_or(Span::ZERO, |rate| rate.time_for(Bytes::new(u64::from(size)))),
            loss_threshold: (self.loss.probability(size) * 2f64.powi(64)) as u64,
        }
    }

    #[inline]
    fn by_size(&mut self, size: u16) -> BySize {
        if self.by_size[0].size == size {
            return self.by_size[0];
        }
        if self.by_size[1].size != size {
            self.by_size[1] = self.facts_of(size);
        }
        self.by_size.swap(0, 1);
        self.by_size[0]
    }

    /// Forgets packets that have begun transmission by `now`: they wait no more.
    #[inline]
    pub(crate) fn settle(&mut self, now: Time) {
        while let Some(first) = self.waiting.front() {
            if first.start > now {
                break;
            }
            self.waiting_bytes -= u64::from(first.size);
            self.waiting.pop_front();
        }
    }

    /// Takes a packet in, or drops it because the queue is full.
    #[inline]
    pub fn offer(&mut self, now: Time, parcel: Parcel) -> Offer {
        self.settle(now);
        if parcel.is_low() || self.low.is_some() {
            return self.offer_classes(now, parcel);
        }
        if self.busy_until > now && self.is_full(now, parcel.size, (0, 0)) {
            self.count_full();
            return Offer::Dropped;
        }
        self.accept(now, parcel)
    }

    /// Whether the queue has no room for `size` bytes more when so many packets and bytes of low priority wait.
    #[inline]
    pub(crate) fn is_full(&self, now: Time, size: u16, (low, low_bytes): (usize, u64)) -> bool {
        match self.limit {
            Limit::Packets(packets) => (self.waiting.len() + low) as u64 >= packets,
            Limit::Bytes(bytes) => self.waiting_bytes + low_bytes + u64::from(size) > bytes,
            Limit::Time(span) => {
                let low = self.rate.map_or(Span::ZERO, |rate| rate.time_for(Bytes::new(low_bytes)));
                self.busy_until.since(now) + low > span
            }
            Limit::None => false,
        }
    }

    pub(crate) const fn count_full(&mut self) {
        self.counters.dropped_queue += 1;
    }

    /// Takes a packet in behind those that wait.
    #[inline]
    pub(crate) fn accept(&mut self, now: Time, parcel: Parcel) -> Offer {
        let mut start = now;
        if self.busy_until > now {
            start = self.busy_until;
            self.waiting_bytes += u64::from(parcel.size);
            self.waiting.push_back(Waiting { start, handle: parcel.handle, size: u32::from(parcel.size) });
        }
        self.pass(now, start, parcel)
    }

    /// Decides the passage of a packet whose transmission begins at `start`.
    #[inline]
    pub(crate) fn pass(&mut self, now: Time, start: Time, mut parcel: Parcel) -> Offer {
        let facts = self.by_size(parcel.size);
        let queued = self.waiting.len();
        let idle_since = self.busy_until;
        let warned = match &mut self.warning {
            Some(warning) => warning.update(now, idle_since, facts.transmit, queued),
            None => false,
        };
        let (departure, mut arrival) = if self.timed {
            self.follow_course((start, start > idle_since), &mut parcel, facts.transmit)
        } else {
            let departure = start + facts.transmit;
            (departure, departure + self.delay.at(departure))
        };
        self.busy_until = departure;
        let wait = start.since(now);
        self.counters.accepted += 1;
        self.counters.accepted_bytes += u64::from(parcel.size);
        self.counters.wait_ns += wait.nanos();
        self.counters.transmit_ns += departure.since(start).nanos();

        if self.reorder {
            let at = self.flight.partition_point(|other| other.arrival <= arrival);
            self.flight.insert(at, InFlight { arrival, parcel });
            return Offer::Accepted { wait, new_head: (at == 0).then_some(arrival), warned };
        }
        // A shrinking delay must not let a packet overtake the one before it.
        arrival = arrival.max(self.last_arrival);
        self.last_arrival = arrival;
        let new_head = self.flight.is_empty().then_some(arrival);
        self.flight.push_back(InFlight { arrival, parcel });
        Offer::Accepted { wait, new_head, warned }
    }

    /// When the transmitter is free again and when the packet arrives, on a link with a course.
    #[cold]
    fn follow_course(
        &mut self,
        (start, idle): (Time, bool),
        parcel: &mut Parcel,
        transmit: Span,
    ) -> (Time, Time) {
        let own_loss = self.loss.probability(parcel.size);
        let Some(course) = &mut self.course else { return (start, start) };
        let passage = course.pass((start, idle), parcel.size, transmit, own_loss);
        parcel.site |= match passage.lost {
            None => 0,
            Some(Lost::Error) => Parcel::LOST,
            Some(Lost::Outage) => Parcel::CUT,
        };
        (passage.done, passage.leaves + self.delay.at(passage.leaves) + passage.extra)
    }

    /// Takes the packet that arrives first off the link; its time has come.
    ///
    /// # Panics
    /// If nothing is on the link.
    #[inline]
    #[expect(clippy::expect_used, reason = "an arrival event without a packet is a defect of the caller")]
    pub fn take_arrival(&mut self) -> Arrival {
        let mut parcel =
            self.flight.pop_front().expect("an arrival event stands for a packet on the link").parcel;
        let lost = if self.lossy { self.fate(&mut parcel) } else { None };
        match lost {
            None => self.counters.delivered += 1,
            Some(Lost::Error) => self.counters.dropped_error += 1,
            Some(Lost::Outage) => self.counters.dropped_outage += 1,
        }
        let next = if self.low.is_some() { self.next_event() } else { self.next_arrival() };
        Arrival { parcel, lost, next }
    }

    /// Whether a packet arrives whole: drawn now, or when its passage was decided if the link has a course.
    fn fate(&mut self, parcel: &mut Parcel) -> Option<Lost> {
        if !self.timed {
            let broken = self.random.next_u64() < self.by_size(parcel.size).loss_threshold;
            return broken.then_some(Lost::Error);
        }
        let (broken, cut) = (parcel.site & Parcel::LOST != 0, parcel.site & Parcel::CUT != 0);
        *parcel = parcel.plain();
        if cut { Some(Lost::Outage) } else { broken.then_some(Lost::Error) }
    }

    /// When the next packet arrives.
    #[inline]
    pub fn next_arrival(&self) -> Option<Time> {
        self.flight.front().map(|head| head.arrival)
    }

    /// The link goes away: packets that wait are handed back in order. With `lose` they are lost, and those in
    /// transmission and in the air are handed back too, lost as well.
    pub fn recall(&mut self, now: Time, lose: bool) -> Recalled {
        self.settle(now);
        let mut recalled = Recalled::default();
        let gone: BTreeMap<u32, Time> =
            self.waiting.drain(..).map(|entry| (entry.handle, entry.start)).collect();
        self.waiting_bytes = 0;
        if let Some(&first) = gone.values().min() {
            // They would have been sent one after the other.
            self.counters.transmit_ns -= self.busy_until.since(first).nanos();
            self.busy_until = first;
            if let Some(course) = &mut self.course {
                course.rewind(first);
            }
        }
        let mut taken: Vec<(Time, Parcel)> = Vec::with_capacity(gone.len());
        self.flight.retain(|entry| {
            let start = gone.get(&entry.parcel.handle);
            taken.extend(start.map(|&start| (start, entry.parcel)));
            start.is_none()
        });
        // With reordering they lie in order of arrival; they are handed back in the order in which they queued.
        taken.sort_by_key(|&(start, _)| start);
        for (start, parcel) in taken {
            let unwaited = start.since(now);
            self.counters.recalled += 1;
            self.counters.unwaited_ns += unwaited.nanos();
            recalled.waiting.push((parcel.plain(), unwaited));
        }
        if let Some(low) = &mut self.low {
            for parcel in low.drain() {
                self.counters.accepted += 1;
                self.counters.accepted_bytes += u64::from(parcel.size);
                self.counters.recalled += 1;
                recalled.waiting.push((parcel, Span::ZERO));
            }
        }
        if lose {
            recalled.flying.extend(self.flight.drain(..).map(|entry| entry.parcel.plain()));
            self.counters.dropped_outage += (recalled.waiting.len() + recalled.flying.len()) as u64;
        }
        self.last_arrival = self.flight.back().map_or(Time::ZERO, |last| last.arrival);
        recalled
    }

    /// Packets waiting at `now`, the one in transmission not counted.
    pub fn waiting_packets(&mut self, now: Time) -> usize {
        self.settle(now);
        self.waiting.len() + self.low.as_ref().map_or(0, |low| low.len())
    }

    /// How long a packet offered at `now` would wait.
    pub fn backlog(&self, now: Time) -> Span {
        self.busy_until.since(now)
    }

    /// How long the transmitter has been busy until `now`.
    pub fn busy_time(&self, now: Time) -> Span {
        // Whatever is not yet sent lies in one stretch from now to `busy_until`.
        Span::from_nanos(self.counters.transmit_ns).saturating_sub(self.backlog(now))
    }

    /// Handle of the packet that arrives next.
    #[inline]
    pub fn head(&self) -> Option<u32> {
        self.flight.front().map(|entry| entry.parcel.handle)
    }

    /// An event of this link is near: fetches the lines that it will read.
    #[inline]
    pub fn prefetch(&self) {
        prefetch(&self.flight);
        prefetch(&self.by_size);
        prefetch(&self.limit);
    }

    /// Packets on the link, waiting or flying.
    pub fn in_flight(&self) -> usize {
        self.flight.len() + self.low.as_ref().map_or(0, |low| low.len())
    }

    /// Counts since the start.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }
}

/// Packets handed back by [`Fifo::recall`].
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Recalled {
    /// Those that waited, oldest first, each with the wait that it is spared.
    pub waiting: Vec<(Parcel, Span)>,
    /// Those that were in transmission or in the air.
    pub flying: Vec<Parcel>,
}

#[cfg(test)]
mod tests;
