// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link whose departures are known at arrival: FIFO, drop-tail; its rate constant, or known over time. What a link
//! decides at departure instead (CoDel, FQ-CoDel, low priority) stands in `held`.
//!
//! When a packet is offered, everything about its passage is already decided: it starts when the transmitter is
//! free, leaves after its serialisation time, and arrives after the propagation delay at the moment of leaving. So
//! one entry of 16 bytes in a ring stands for a packet, and only the head's arrival has to stand in an event queue.

use crate::course::Cursor;
use crate::delay::Piece;
use crate::discipline::ActiveQueue;
use crate::flight::{Flight, InFlight};
use crate::held::Held;
use crate::limit::Limit;
use crate::listed::Censor;
use crate::prefetch::prefetch;
use crate::warning::Warning;
use crate::{Arrival, Config, Counters, Delay, Impairment, Lost, Packets, Parcel, Seeds};
pub(crate) use granted::Slots;
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};
use std::collections::VecDeque;
use units::{Bytes, Rate, Span, Time};

/// Bytes on the wire that a link expects before it has seen any: an ACK with timestamps, and a full packet.
const TCP_ACK: u16 = 52;
const TCP_DATA: u16 = 1500;

#[derive(Clone, Copy, Debug)]
struct Waiting {
    start: Time,
    handle: u32,
    size: u16,
    /// So often it is sent again.
    repeats: u16,
}

/// What an offered packet that will arrive has to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    /// How long it waits before its first bit is sent.
    pub(crate) wait: Span,
    /// Set if it arrives first: when.
    pub(crate) new_head: Option<Time>,
    /// It found a long mean queue.
    pub(crate) warned: bool,
}

impl Accepted {
    /// Tells of it; it was offered at `now`.
    #[inline]
    pub(crate) fn tell<P: Packets>(self, now: Time, parcel: Parcel, packets: &mut P) {
        if self.wait > Span::ZERO {
            packets.waits(parcel.handle, self.wait);
        }
        if self.warned {
            packets.warn(parcel.handle);
        }
        packets.entered(parcel);
        packets.begins(parcel.handle, now + self.wait);
    }
}

/// How a link's delay changes.
#[derive(Clone, Copy, Debug)]
enum Motion {
    /// Never.
    None,
    /// Along a curve.
    Smooth,
    /// In some other way: it has to be looked up.
    Other,
}

impl Motion {
    const fn of(delay: &Delay) -> Self {
        match delay {
            Delay::Constant(_) => Self::None,
            Delay::Curve(_) => Self::Smooth,
            Delay::Steps(_) | Delay::Trace(_) => Self::Other,
        }
    }
}

/// One direction of a link at run time. The order of the fields is that of their use: of an engine that puts 16 bytes
/// of its own before it, an arrival touches two cache lines, an offer two more, and a fifth where packets wait.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Fifo {
    flight: Flight,

    pub(crate) busy_until: Time,
    last_arrival: Time,
    /// What depends on a packet's size alone. Real traffic has two sizes (data and ACK), so two are remembered.
    transmit: [Span; 2],
    limit: Limit,
    sizes: [u16; 2],
    motion: Motion,
    lossy: bool,
    /// There are [`Self::held`], or a [`Self::censor`]: offers and arrivals go the long way.
    pub(crate) apart: bool,
    /// There is a course, packets may overtake, or the link warns.
    special: bool,
    /// When the next of those that wait begins; [`Time::MAX`]: none waits.
    next_start: Time,

    /// What the delay is at present; nothing where it is [`Motion::Other`].
    piece: Piece,
    pub(crate) accepted_bytes: u64,

    accepted: u64,
    pub(crate) wait_ns: u64,
    /// Time the transmitter needs for all accepted packets, its pauses included.
    transmit_ns: u64,
    waiting_bytes: u64,
    waiting: VecDeque<Waiting>,

    pub(crate) delay: Delay,
    /// There if the queue is scheduled, or once low-priority packets were offered.
    pub(crate) held: Option<Box<Held>>,
    reorder: bool,
    /// There is a course.
    timed: bool,
    /// The transmitter is another's: see [`crate::shared`].
    pub(crate) shares: bool,
    warning: Option<Warning>,
    pub(crate) rate: Option<Rate>,
    course: Option<Box<Cursor>>,
    /// A packet of that size is lost when a uniform 64-bit number is below this.
    loss_thresholds: [u64; 2],
    random: Xoshiro256PlusPlus,
    loss: Impairment,
    pub(crate) dropped_queue: u64,
    dropped_error: u64,
    dropped_outage: u64,
    /// Of those dropped, what was in transmission or in the air.
    lost_flying: u64,
    /// What left while the link carried nothing.
    lost_cut: u64,
    /// There if losses are listed.
    pub(crate) censor: Option<Box<Censor>>,
    recalled: u64,
    unwaited_ns: u64,
    /// There if capacity is assigned on demand.
    pub(crate) slots: Option<Box<Slots>>,
}

impl Fifo {
    /// [`Link::new`](crate::Link::new).
    pub(crate) fn new(config: &Config, queue: Option<Box<dyn ActiveQueue>>, seeds: Seeds) -> Self {
        let course = Cursor::new(config, seeds).map(Box::new);
        let seed = seeds.own;
        let holds = queue.is_some();
        let own = config.spec.dama.filter(|dama| dama.carrier.is_none());
        let first = course.as_ref().and_then(|course| course.rate_at(Time::ZERO)).or(config.spec.rate);
        let slots = own.zip(first).map(|(dama, rate)| Box::new(Slots::new(dama, rate, seed)));
        debug_assert!(holds || slots.is_none(), "what waits for a grant is held");
        let censor = config.spec.listed.as_ref().map(|list| Box::new(Censor::new((**list).clone())));
        let mut link = Self {
            flight: Flight::default(),
            busy_until: Time::ZERO,
            last_arrival: Time::ZERO,
            transmit: [Span::ZERO; 2],
            limit: Limit::new(config.spec.queue.limit),
            sizes: [0; 2],
            motion: Motion::of(&config.delay),
            lossy: course.is_some() || config.spec.loss.probability(u16::MAX) > 0.0,
            special: course.is_some() || config.spec.reorder || config.spec.warning.is_some(),
            next_start: Time::MAX,
            piece: config.delay.piece(config.delay.from()),
            accepted_bytes: 0,
            accepted: 0,
            wait_ns: 0,
            transmit_ns: 0,
            waiting_bytes: 0,
            waiting: VecDeque::new(),
            delay: config.delay.clone(),
            apart: holds || censor.is_some(),
            held: queue.map(|queue| Box::new(Held::new(Some(queue), seed).compressing(config.spec.acks))),
            reorder: config.spec.reorder,
            timed: course.is_some(),
            shares: false,
            warning: config.spec.warning.filter(|_| !holds).map(Warning::new),
            rate: config.spec.rate,
            course,
            loss_thresholds: [0; 2],
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            loss: config.spec.loss.clone(),
            dropped_queue: 0,
            dropped_error: 0,
            dropped_outage: 0,
            lost_cut: 0,
            censor,
            lost_flying: 0,
            recalled: 0,
            unwaited_ns: 0,
            slots,
        };
        link.learn(TCP_ACK);
        link.learn(TCP_DATA);
        link
    }

    /// Where the facts of a size stand.
    #[inline]
    fn place_of(&mut self, size: u16) -> usize {
        if self.sizes[0] == size {
            return 0;
        }
        if self.sizes[1] != size {
            self.learn(size);
            return 0;
        }
        1
    }

    /// Puts the facts of a size first, and forgets the last.
    #[cold]
    fn learn(&mut self, size: u16) {
        let transmit = self.rate.map_or(Span::ZERO, |rate| rate.time_for(Bytes::new(u64::from(size))));
        let threshold = (self.loss.probability(size) * 2f64.powi(64)) as u64;
        self.sizes = [size, self.sizes[0]];
        self.transmit = [transmit, self.transmit[0]];
        self.loss_thresholds = [threshold, self.loss_thresholds[0]];
    }

    /// Forgets packets that have begun transmission by `now`: they wait no more.
    #[inline]
    pub(crate) fn settle(&mut self, now: Time) {
        if self.next_start > now {
            return;
        }
        while let Some(first) = self.waiting.front() {
            self.next_start = first.start;
            if first.start > now {
                return;
            }
            self.waiting_bytes -= u64::from(first.size);
            self.waiting.pop_front();
        }
        self.next_start = Time::MAX;
    }

    /// Takes a packet in, on a link that holds nothing; `None`: the queue is full.
    #[inline]
    pub(crate) fn offer(&mut self, now: Time, parcel: Parcel) -> Option<Accepted> {
        // What waited has begun where the transmitter is free: it is forgotten when somebody asks.
        if self.busy_until > now {
            self.settle(now);
            if self.is_full(now, parcel.size, (0, 0)) {
                self.dropped_queue += 1;
                return None;
            }
        }
        Some(self.accept(now, parcel))
    }

    /// Whether the queue has no room for `size` bytes more when so many packets and bytes are held.
    #[inline]
    pub(crate) fn is_full(&self, now: Time, size: u16, (held, held_bytes): (usize, u64)) -> bool {
        match self.limit {
            Limit::Packets(packets) => (self.waiting.len() + held) as u64 >= packets,
            Limit::Bytes(bytes) => self.waiting_bytes + held_bytes + u64::from(size) > bytes,
            Limit::Time(span) => self.busy_until.since(now) + self.time_for(held_bytes) > span,
            Limit::None => false,
        }
    }

    /// Transmission time at the link's own rate.
    fn time_for(&self, bytes: u64) -> Span {
        self.rate.map_or(Span::ZERO, |rate| rate.time_for(Bytes::new(bytes)))
    }

    /// Takes a packet in behind those that wait.
    #[inline]
    pub(crate) fn accept(&mut self, now: Time, parcel: Parcel) -> Accepted {
        let mut start = now;
        if self.busy_until > now {
            start = self.busy_until;
            self.waiting_bytes += u64::from(parcel.size);
            self.next_start = self.next_start.min(start);
            self.waiting.push_back(Waiting { start, handle: parcel.handle, size: parcel.size, repeats: 0 });
        }
        self.pass(now, start, parcel)
    }

    /// Decides the passage of a packet whose transmission begins at `start`.
    #[inline]
    pub(crate) fn pass(&mut self, now: Time, start: Time, parcel: Parcel) -> Accepted {
        let place = self.place_of(parcel.size);
        let transmit = self.transmit[place];
        if self.special {
            return self.pass_special((now, start), parcel, transmit);
        }
        let departure = start + transmit;
        // A shrinking delay must not let a packet overtake the one before it.
        let arrival = (departure + self.delay_at(departure)).max(self.last_arrival);
        let wait = self.count((now, start), departure, parcel);
        self.last_arrival = arrival;
        let alone = self.flight.push(InFlight { arrival, parcel });
        Accepted { wait, new_head: alone.then_some(arrival), warned: false }
    }

    /// [`Self::pass`] on a link with a course, one that warns, or one on which packets overtake.
    #[cold]
    fn pass_special(&mut self, (now, start): (Time, Time), mut parcel: Parcel, transmit: Span) -> Accepted {
        let idle_since = self.busy_until;
        let warned = self.warning.is_some() && self.warn(now, transmit);
        let (departure, mut arrival) = if self.timed {
            self.follow_course((start, start > idle_since), &mut parcel, transmit)
        } else {
            let departure = start + transmit;
            (departure, departure + self.delay_at(departure))
        };
        let wait = self.count((now, start), departure, parcel);
        let first = if self.reorder {
            self.flight.insert(InFlight { arrival, parcel })
        } else {
            arrival = arrival.max(self.last_arrival);
            self.last_arrival = arrival;
            self.flight.push(InFlight { arrival, parcel })
        };
        Accepted { wait, new_head: first.then_some(arrival), warned }
    }

    /// Counts a packet that was offered at `now` and is sent from `start` to `departure`; gives its wait.
    #[inline]
    fn count(&mut self, (now, start): (Time, Time), departure: Time, parcel: Parcel) -> Span {
        let wait = start.since(now);
        self.busy_until = departure;
        self.accepted += 1;
        self.accepted_bytes += u64::from(parcel.size);
        // Millions of packets may wait for days.
        self.wait_ns = self.wait_ns.saturating_add(wait.nanos());
        self.transmit_ns += departure.since(start).nanos();
        wait
    }

    /// The delay of a packet that leaves at `at`. Packets leave in order of time: a curve's piece lasts for many.
    #[inline]
    fn delay_at(&mut self, at: Time) -> Span {
        match self.motion {
            Motion::None => self.piece.steady(),
            Motion::Smooth => self.piece.at(at).unwrap_or_else(|| self.turn(at)),
            Motion::Other => self.delay.at(at),
        }
    }

    /// Goes on to the piece of the curve that holds at `at`.
    #[cold]
    fn turn(&mut self, at: Time) -> Span {
        self.piece = self.delay.piece(at);
        self.delay.at(at)
    }

    /// Brings the mean queue up to date; true if the packet is to carry a warning.
    fn warn(&mut self, now: Time, transmit: Span) -> bool {
        self.settle(now);
        let queued = self.waiting.len();
        let idle_since = self.busy_until;
        self.warning.as_mut().is_some_and(|warning| warning.update(now, idle_since, transmit, queued))
    }

    /// When the transmitter is free again and when the packet arrives, on a link with a course.
    #[cold]
    fn follow_course(
        &mut self,
        (start, idle): (Time, bool),
        parcel: &mut Parcel,
        transmit: Span,
    ) -> (Time, Time) {
        let Some(course) = &mut self.course else { return (start, start) };
        let sent = course.sent((start, idle), parcel.size, transmit);
        let (arrives, repeats) = self.leave_on_course(sent, parcel);
        let mut free = sent;
        if let Some(course) = &mut self.course {
            for _ in 0..repeats {
                free = course.sent((free, false), parcel.size, transmit);
            }
        }
        if let Some(entry) = self.waiting.back_mut().filter(|entry| entry.handle == parcel.handle) {
            entry.repeats = repeats;
        }
        (free, arrives)
    }

    /// When a packet arrives that is sent at `sent`, on a link with a course; and how often the link repeats it.
    fn leave_on_course(&mut self, sent: Time, parcel: &mut Parcel) -> (Time, u16) {
        let own_loss = self.loss.probability(parcel.size);
        let Some(course) = &mut self.course else { return (sent, 0) };
        let leaving = course.leave(sent);
        let broken = course.breaks(leaving.at, own_loss);
        let propagation = self.delay.at(leaving.at);
        let fate = course.repeat(leaving, broken, own_loss, propagation * 2);
        *parcel = parcel.with_fate(fate.broken, fate.cut);
        (leaving.at + propagation + leaving.extra + fate.later, fate.repeats)
    }

    /// What changes with time besides its path.
    pub(crate) fn course(&self) -> Option<&Cursor> {
        self.course.as_deref()
    }
    /// The same, to tell it something.
    pub(crate) fn course_mut(&mut self) -> Option<&mut Cursor> {
        self.course.as_deref_mut()
    }

    /// Takes the packet that arrives first off the link, if it is there by `now`.
    #[inline]
    pub(crate) fn take_arrival(&mut self, now: Time) -> Option<Arrival> {
        let mut parcel = self.flight.pop_due(now)?.parcel;
        let lost = if self.lossy { self.fate(&mut parcel) } else { None };
        match lost {
            None => {}
            Some(Lost::Switched) => self.lost_cut += 1,
            Some(_) => self.dropped_error += 1,
        }
        Some(Arrival { parcel, lost })
    }

    /// Whether a packet arrives whole: drawn now, or when its passage was decided if the link has a course.
    fn fate(&mut self, parcel: &mut Parcel) -> Option<Lost> {
        if !self.timed {
            let place = self.place_of(parcel.size);
            return (self.random.word() < self.loss_thresholds[place]).then_some(Lost::Error);
        }
        let (broken, cut) = (parcel.site & Parcel::LOST != 0, parcel.site & Parcel::CUT != 0);
        *parcel = parcel.plain();
        if cut { Some(Lost::Switched) } else { broken.then_some(Lost::Error) }
    }

    /// When the next packet arrives.
    #[inline]
    pub(crate) fn next_arrival(&self) -> Option<Time> {
        self.flight.head().map(|head| head.arrival)
    }

    /// [`Link::waiting_packets`](crate::Link::waiting_packets).
    pub(crate) fn waiting_packets(&self, now: Time) -> usize {
        let begun = self.waiting.partition_point(|entry| entry.start <= now);
        self.waiting.len() - begun + self.held.as_ref().map_or(0, |held| held.len())
    }

    /// [`Link::backlog`](crate::Link::backlog).
    pub(crate) fn backlog(&self, now: Time) -> Span {
        let held = self.held.as_ref().map_or(0, |held| held.ordinary().1);
        self.busy_until.since(now) + self.time_for(held)
    }

    /// How long the transmitter has been busy until `now`.
    pub(crate) fn busy_time(&self, now: Time) -> Span {
        // Whatever is not yet sent lies in one stretch from now to `busy_until`.
        Span::from_nanos(self.transmit_ns).saturating_sub(self.busy_until.since(now))
    }

    /// The packet that arrives next.
    #[inline]
    pub(crate) fn head(&self) -> Option<Parcel> {
        self.flight.head().map(|entry| entry.parcel)
    }

    /// An arrival is near: fetches what it will read.
    #[inline]
    pub(crate) fn prefetch_arrival(&self) {
        prefetch(&self.flight);
        prefetch(&self.busy_until);
        self.flight.prefetch_second();
    }

    /// An offer is near: fetches what it will read.
    #[inline]
    pub(crate) fn prefetch_offer(&self) {
        prefetch(&self.flight);
        prefetch(&self.busy_until);
        prefetch(&self.piece);
        prefetch(&self.accepted);
    }

    /// Packets on the link, waiting or flying.
    pub(crate) fn in_flight(&self) -> usize {
        let begun = self.slots.as_ref().is_some_and(|slots| slots.is_sending());
        self.flight.len() + self.held.as_ref().map_or(0, |held| held.len()) + usize::from(begun)
    }

    /// Counts since the start.
    pub(crate) fn counters(&self) -> Counters {
        // Whatever was accepted and is not accounted for otherwise has arrived whole.
        let others =
            self.flight.len() as u64 + self.recalled + self.dropped_error + self.lost_flying + self.lost_cut;
        let (marked, refused, thinned) = self
            .held
            .as_ref()
            .map_or((0, 0, 0), |held| (held.books.marked, held.books.refused, held.books.thinned));
        let (errors, outages) = self.censor.as_ref().map_or((0, 0), |censor| (censor.errors, censor.outages));
        Counters {
            marked,
            refused,
            thinned,
            accepted: self.accepted,
            accepted_bytes: self.accepted_bytes,
            delivered: self.accepted - others,
            dropped_queue: self.dropped_queue,
            dropped_error: self.dropped_error + errors,
            dropped_outage: self.dropped_outage + self.lost_cut + outages,
            recalled: self.recalled,
            wait_ns: self.wait_ns,
            unwaited_ns: self.unwaited_ns,
        }
    }
}

mod granted;
mod retime;
#[cfg(test)]
mod tests;
