// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate of a link as a function of time. The departure time of a packet is computed by inverting the integral of
//! the rate.
//!
//! All arithmetic uses integers. The unit of work is the nanobit, which is one bit per second for one nanosecond.
//!
//! The rate may change in steps or in ramps, and it may have pauses. A recording of deliveries can replace the rate. In
//! all cases, the departure of a packet is known at its arrival, and rounding errors do not accumulate.

use std::fmt;
use std::sync::Arc;
use units::{Bytes, Rate, Span, Time};

/// Nanobits per byte.
const NANOBITS_PER_BYTE: u64 = 8_000_000_000;
/// Size of a full packet, in bytes.
const FULL: u64 = 1500;
/// Longest ramp. The square of its duration in nanoseconds, times a rate, must fit into 127 bits.
const MAX_RAMP: Span = Span::from_secs(3600);
/// Highest rate. The square of the duration of a ramp, times this rate, must fit into 127 bits ([`MAX_RAMP`]).
const MAX_RATE: Rate = Rate::from_bits_per_s(1_000_000_000_000);

/// A rate that changes with time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Service {
    /// Pieces of constant or linear rate.
    Schedule(RateSchedule),
    /// A list of times. At each time, a given number of bytes may leave.
    Opportunities(Opportunities),
}

/// An interval in which the rate is constant or changes linearly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Piece {
    /// Start of the piece. The piece ends when the next piece begins.
    pub from: Time,
    /// Rate at the start of the piece. A constant rate of zero is a pause.
    pub start: Rate,
    /// Rate at the end of the piece.
    pub end: Rate,
}

/// Pieces of constant or linear rate. During a pause, packets on the link wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateSchedule(Arc<[Piece]>);

/// A list of times. At each time, a given number of bytes may leave, and bytes that are not used expire. After the last
/// time, the list is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opportunities {
    each: Arc<[(Time, u64)]>,
    period: Span,
    /// Bytes that are added to the size of each packet.
    header: u16,
    /// Intervals without opportunities. The intervals are in order and do not overlap. The end of an interval does not
    /// belong to the interval.
    pauses: Arc<[(Time, Time)]>,
}

/// Reason why a rate over time is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServiceError {
    /// The list of pieces or times is empty.
    Empty,
    /// The first piece does not begin at time zero.
    Late {
        /// Start of the first piece.
        from: Time,
    },
    /// A piece or a time is not later than the entry before it.
    Order {
        /// Index of the entry, from 0.
        index: usize,
        /// Time of the entry.
        at: Time,
        /// Time of the previous entry.
        before: Time,
    },
    /// The rate of the last piece is zero or not constant, so packets could wait forever.
    NoEnd,
    /// A ramp is too long, or a rate is too high.
    Range {
        /// Index of the entry, from 0.
        index: usize,
    },
    /// No byte may ever leave after time zero, so the list has no period.
    NoPeriod,
}

impl fmt::Display for ServiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty (give at least one rate or time)"),
            Self::Late { from } => write!(f, "the first rate begins at {from} (begin at \"0 s\")"),
            Self::Order { index, at, before } => {
                write!(f, "entry {index} at {at} is not later than the entry before it at {before}")
            }
            Self::NoEnd => {
                f.write_str(
                    "the last rate must be constant and above zero, or packets could wait forever (end with such a rate; \
                    for an outage up to the end of the run write loss = { spans = [[from, to]] })",
                )
            }
            Self::Range { index } => write!(
                f,
                "entry {index} is out of range: rates are at most {MAX_RATE}, ramps at most {MAX_RAMP}"
            ),
            Self::NoPeriod => {
                f.write_str("no bytes may leave after time zero (the last time is the period of the list)")
            }
        }
    }
}

impl std::error::Error for ServiceError {}

impl Service {
    /// The highest rate between two times. For opportunities, the result is the highest mean rate in bins of 100 ms.
    /// The first bin begins at `from`.
    pub fn peak(&self, from: Time, to: Time) -> Rate {
        match self {
            Self::Schedule(schedule) => {
                let first = schedule.0.partition_point(|piece| piece.from <= from).saturating_sub(1);
                let there = schedule.0[first..].iter().take_while(|piece| piece.from <= to);
                there.map(|piece| piece.start.max(piece.end)).max().unwrap_or_default()
            }
            Self::Opportunities(moments) => {
                let bins = to.since(from).nanos().div_ceil(PEAK_BIN.nanos());
                let bytes = (0..bins).map(|bin| moments.bytes_in(from + PEAK_BIN * bin, PEAK_BIN)).max();
                Rate::from_bytes_per_s(bytes.unwrap_or(0) as f64 / PEAK_BIN.secs_f64())
            }
        }
    }

    /// Returns the same service with pauses. The pauses must be in order, must not overlap, and must each have an end.
    #[must_use]
    pub fn with_pauses(&self, pauses: &[(Time, Time)]) -> Self {
        match self {
            Self::Schedule(schedule) => Self::Schedule(schedule.with_pauses(pauses)),
            Self::Opportunities(moments) => {
                Self::Opportunities(Opportunities { pauses: pauses.into(), ..moments.clone() })
            }
        }
    }

    /// The mean rate in the interval that begins at `from` and lasts `span`, rounded to the nearest bit/s. The end of
    /// the interval is excluded.
    ///
    /// # Panics
    /// If `span` is zero.
    pub fn mean(&self, from: Time, span: Span) -> Rate {
        let ns = u128::from(span.nanos());
        let nanobits = match self {
            Self::Schedule(schedule) => schedule.work_in(from, from + span),
            Self::Opportunities(moments) => {
                u128::from(moments.bytes_in(from, span)) * u128::from(NANOBITS_PER_BYTE)
            }
        };
        Rate::from_bits_per_s(((nanobits + ns / 2) / ns) as u64)
    }
}

/// Length of the bins in which opportunities are averaged to a rate.
const PEAK_BIN: Span = Span::from_millis(100);

impl Piece {
    /// Creates a piece of constant rate.
    pub const fn constant(from: Time, rate: Rate) -> Self {
        Self { from, start: rate, end: rate }
    }

    /// Whether the rate is zero in the whole piece.
    fn is_pause(&self) -> bool {
        self.start == Rate::default() && self.end == self.start
    }

    /// The rate at a time in this piece. `end` is the end of the piece.
    fn rate(&self, at: Time, end: Time) -> Rate {
        if self.start == self.end {
            return self.start;
        }
        let (start, last) = (i128::from(self.start.bits_per_s()), i128::from(self.end.bits_per_s()));
        let moved = (last - start) * i128::from(at.since(self.from).nanos());
        let rate = start + moved / i128::from(end.since(self.from).nanos());
        Rate::from_bits_per_s(rate as u64)
    }

    /// Nanobits that are sent in the first `ns` nanoseconds of the piece. `lasts` is the duration of the piece in
    /// nanoseconds. The result is rounded down. The work of an interval is the difference of two results, so the sum
    /// over intervals is exact.
    const fn work(&self, ns: u64, lasts: u64) -> u128 {
        let (start, end) = (self.start.bits_per_s(), self.end.bits_per_s());
        let flat = start as u128 * ns as u128;
        if start == end {
            return flat;
        }
        let bend = (end as i128 - start as i128) * (ns as i128 * ns as i128);
        (flat.cast_signed() + bend.div_euclid(2 * lasts as i128)).cast_unsigned()
    }
}

impl RateSchedule {
    /// Creates a schedule of these pieces. The pieces must be in order, and the first piece must begin at time zero.
    /// The last piece must have a constant rate above zero.
    ///
    /// # Errors
    /// If the pieces violate these conditions, if a ramp lasts more than an hour, or if a rate is above 1 Tbit/s.
    pub fn new(pieces: Vec<Piece>) -> Result<Self, ServiceError> {
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
            return Err(ServiceError::Empty);
        };
        if first.from != Time::ZERO {
            return Err(ServiceError::Late { from: first.from });
        }
        if last.start != last.end || last.start == Rate::from_bits_per_s(0) {
            return Err(ServiceError::NoEnd);
        }
        for (index, piece) in pieces.iter().enumerate() {
            let next = pieces.get(index + 1);
            let ramp = piece.start != piece.end;
            let long = next.is_some_and(|next| next.from.since(piece.from) > MAX_RAMP);
            if (ramp && long) || piece.start.max(piece.end) > MAX_RATE {
                return Err(ServiceError::Range { index });
            }
            if let Some(next) = next.filter(|next| next.from <= piece.from) {
                return Err(ServiceError::Order { index: index + 1, at: next.from, before: piece.from });
            }
        }
        Ok(Self(pieces.into()))
    }

    /// The highest rate of all pieces.
    pub fn highest(&self) -> Option<Rate> {
        self.0.iter().map(|piece| piece.start.max(piece.end)).max()
    }

    /// The rate at a time.
    pub(crate) fn at(&self, at: Time) -> Rate {
        let index = self.0.partition_point(|piece| piece.from <= at) - 1;
        self.0[index].rate(at, self.end(index))
    }

    /// The pieces in order of time.
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// Returns the same schedule with pauses. The pauses must be in order, must not overlap, and must each have an end.
    /// If a pause begins or ends within a ramp, the rate of the ramp at this time is rounded to whole bit/s.
    #[must_use]
    pub fn with_pauses(&self, pauses: &[(Time, Time)]) -> Self {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut put = |from: Time, start: Rate, end: Rate| {
            // If two pieces begin at the same time, the second piece replaces the first piece.
            pieces.pop_if(|before| before.from == from);
            pieces.push(Piece { from, start, end });
        };
        let mut pauses = pauses.iter().peekable();
        for (index, piece) in self.0.iter().enumerate() {
            let (end, mut from) = (self.end(index), piece.from);
            let rate = |at: Time| piece.rate(at, end);
            while let Some(&&(stop, go_on)) = pauses.peek().filter(|pause| pause.0 < end) {
                if stop > from {
                    put(from, rate(from), rate(stop));
                }
                let stopped = Rate::from_bits_per_s(0);
                put(stop.max(from), stopped, stopped);
                if go_on >= end {
                    from = end;
                    break;
                }
                from = go_on;
                pauses.next();
            }
            if from < end {
                put(from, rate(from), piece.end);
            }
            while pauses.next_if(|pause| pause.1 <= end).is_some() {}
        }
        Self(pieces.into())
    }

    /// Number of bits that are sent from the start of the run until `at`, rounded down.
    pub fn bits_until(&self, at: Time) -> u128 {
        let mut sum = 0;
        for (index, piece) in self.0.iter().enumerate().take_while(|(_, piece)| piece.from < at) {
            let end = self.end(index);
            sum += piece.work(end.min(at).since(piece.from).nanos(), end.since(piece.from).nanos());
        }
        sum / 1_000_000_000
    }

    /// Time at which `bytes` have been sent since `from`, rounded up to whole nanoseconds.
    pub fn passed(&self, from: Time, bytes: Bytes) -> Time {
        let index = self.0.partition_point(|piece| piece.from <= from) - 1;
        // 2^64 nanobits are 2.3 GB. Every packet is smaller.
        self.depart(index, from, bytes.get().saturating_mul(NANOBITS_PER_BYTE)).1
    }

    /// Nanobits that are sent between two times.
    fn work_in(&self, from: Time, to: Time) -> u128 {
        let first = self.0.partition_point(|piece| piece.from <= from).saturating_sub(1);
        let pieces = self.0.iter().enumerate().skip(first).take_while(|(_, piece)| piece.from < to);
        let part = |(index, piece): (usize, &Piece)| {
            let end = self.end(index);
            let until =
                |at: Time| piece.work(end.min(at).since(piece.from).nanos(), end.since(piece.from).nanos());
            until(to) - until(from.max(piece.from))
        };
        pieces.map(part).sum()
    }

    /// Total length of the pauses between two times.
    fn paused(&self, from: Time, to: Time) -> Span {
        let first = self.0.partition_point(|piece| piece.from <= from).saturating_sub(1);
        let pieces = self.0.iter().enumerate().skip(first).take_while(|(_, piece)| piece.from < to);
        let pauses = pieces.filter(|(_, piece)| piece.is_pause());
        pauses
            .fold(Span::ZERO, |sum, (index, piece)| sum + self.end(index).min(to).since(piece.from.max(from)))
    }

    fn end(&self, index: usize) -> Time {
        self.0.get(index + 1).map_or(Time::MAX, |next| next.from)
    }

    /// Index of the piece that contains `at`. `hint` is the index of an earlier piece close to it.
    fn seek(&self, hint: usize, at: Time) -> usize {
        if self.0[hint].from > at {
            return self.0.partition_point(|piece| piece.from <= at) - 1;
        }
        hint + self.0[hint + 1..].iter().take_while(|piece| piece.from <= at).count()
    }

    /// Computes the time at which `need` nanobits have been sent since `at`. The time `at` must be in piece `index`.
    /// Returns the index of the piece that contains the result, the result rounded up to whole nanoseconds, and the
    /// nanobits that this rounding adds.
    fn depart(&self, mut index: usize, mut at: Time, mut need: u64) -> (usize, Time, u64) {
        loop {
            let (piece, end) = (self.0[index], self.end(index));
            let (skip, lasts) = (at.since(piece.from).nanos(), end.since(piece.from).nanos());
            let passed = piece.work(skip, lasts);
            let there = piece.work(lasts, lasts) - passed;
            if there < u128::from(need) {
                need -= there as u64;
                (at, index) = (end, index + 1);
                continue;
            }
            let goal = passed + u128::from(need);
            let ns = if piece.start == piece.end {
                skip + need.div_ceil(piece.start.bits_per_s())
            } else {
                first(skip, lasts, |ns| piece.work(ns, lasts) >= goal)
            };
            return (index, piece.from + Span::from_nanos(ns), (piece.work(ns, lasts) - goal) as u64);
        }
    }
}

impl Opportunities {
    /// Creates opportunities from times and bytes, in order of time. After the last time, the list is repeated from
    /// time zero. The last time is therefore the period of the list (as in mahimahi).
    ///
    /// # Errors
    /// If `each` is empty, if a time is before the previous time, if the last time is zero, or if the sum of the bytes
    /// is zero.
    pub fn new(each: &[(Time, Bytes)]) -> Result<Self, ServiceError> {
        let Some(&(last, _)) = each.last() else { return Err(ServiceError::Empty) };
        let mut merged: Vec<(Time, u64)> = Vec::with_capacity(each.len());
        for (index, &(at, bytes)) in each.iter().enumerate() {
            match merged.last_mut() {
                Some((before, _)) if *before > at => {
                    return Err(ServiceError::Order { index, at, before: *before });
                }
                Some((before, sum)) if *before == at => *sum += bytes.get(),
                _ => merged.push((at, bytes.get())),
            }
        }
        if last == Time::ZERO || merged.iter().all(|&(_, bytes)| bytes == 0) {
            return Err(ServiceError::NoPeriod);
        }
        Ok(Self { each: merged.into(), period: last.since(Time::ZERO), header: 0, pauses: Arc::default() })
    }

    /// Returns the same opportunities, with this number of additional bytes for each packet.
    #[must_use]
    pub fn with_header(self, bytes: u16) -> Self {
        Self { header: bytes, ..self }
    }

    /// Mean rate over one period for packets of 1500 bytes. Additional bytes do not count.
    pub fn mean(&self) -> Rate {
        let bytes: u64 = self.each.iter().map(|&(_, bytes)| bytes).sum();
        Rate::from_bytes_per_s(self.carried(bytes) as f64 / self.period.secs_f64())
    }

    /// Bytes of full packets that fit into `bytes` bytes if each packet also takes its additional bytes.
    const fn carried(&self, bytes: u64) -> u64 {
        bytes * FULL / (FULL + self.header as u64)
    }

    /// Time after which the list is repeated.
    pub const fn period(&self) -> Span {
        self.period
    }

    /// If a pause contains this time, the end of the pause.
    fn paused(&self, at: Time) -> Option<Time> {
        let begun = self.pauses.partition_point(|&(from, _)| from <= at);
        let (_, to) = self.pauses[begun.checked_sub(1)?];
        (at < to).then_some(to)
    }

    /// Total length of the pauses between two times.
    fn paused_in(&self, from: Time, to: Time) -> Span {
        let first = self.pauses.partition_point(|&(_, end)| end <= from);
        let pauses = self.pauses[first..].iter().take_while(|&&(begin, _)| begin < to);
        pauses.fold(Span::ZERO, |sum, &(begin, end)| sum + end.min(to).since(begin.max(from)))
    }

    /// Bytes of full packets that may leave in the interval that begins at `from` and lasts `span`. The end of the
    /// interval is excluded.
    fn bytes_in(&self, from: Time, span: Span) -> u64 {
        let period = self.period.nanos();
        let (first, last) = (from.nanos(), from.nanos() + span.nanos());
        // Returns the number of complete periods before `at`, and the index of the first opportunity at `at` or later
        // in the current period.
        let until = |at: u64| {
            let end = self.each.partition_point(|&(moment, _)| moment.nanos() < at % period);
            (at / period, end)
        };
        let ((turn, mut index), end) = (until(first), until(last));
        let (mut turn, mut sum) = (turn, 0);
        while (turn, index) < end {
            if let Some(&(moment, bytes)) = self.each.get(index) {
                let at = moment + self.period * turn;
                sum += if self.paused(at).is_some() { 0 } else { bytes };
                index += 1;
            } else {
                (turn, index) = (turn + 1, 0);
            }
        }
        self.carried(sum)
    }

    /// The times of one period, each with its number of bytes.
    pub fn each(&self) -> &[(Time, u64)] {
        &self.each
    }
}

/// The state of a link that uses a [`Service`]. Departures must be computed in order of time.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Cursor {
    #[saved(fixed)]
    service: Service,
    /// Index of the current piece of a schedule.
    index: usize,
    place: Place,
    /// Nanobits or bytes that may still be sent at the time of the last departure.
    left: u64,
}

impl Cursor {
    pub(crate) fn new(service: Service) -> Self {
        let left = match &service {
            Service::Schedule(_) => 0,
            Service::Opportunities(moments) => moments.each[0].1,
        };
        Self { service, index: 0, place: Place::default(), left }
    }

    /// The rate at a time, or `None` for opportunities.
    pub(crate) fn rate_at(&self, at: Time) -> Option<Rate> {
        match &self.service {
            Service::Schedule(schedule) => Some(schedule.at(at)),
            Service::Opportunities(_) => None,
        }
    }

    /// Continues with another service. If both services are schedules, the remainder of the rounding is kept. If both
    /// services are opportunities, the position in the list is kept.
    pub(crate) fn turned_to(self, service: Service) -> Self {
        if let (Service::Opportunities(_), Service::Opportunities(_)) = (&self.service, &service) {
            return Self { service, ..self };
        }
        let (left, goes_on) = (self.left, matches!(self.service, Service::Schedule(_)));
        let mut next = Self::new(service);
        if goes_on && matches!(next.service, Service::Schedule(_)) {
            next.left = left;
        }
        next
    }

    /// Returns the time at which the last of `size` bytes leaves if the first byte may be sent from `start` on. `idle`
    /// is true if the transmitter was free before `start`. In this case, opportunities before `start` have expired. The
    /// time spent in pauses is added to `paused`.
    pub(crate) fn departure(&mut self, start: Time, idle: bool, size: u16, paused: &mut Span) -> Time {
        match &self.service {
            Service::Schedule(schedule) => {
                let need = u64::from(size) * NANOBITS_PER_BYTE;
                let carry = if idle { 0 } else { self.left };
                if carry >= need {
                    self.left = carry - need;
                    return start;
                }
                let first = schedule.seek(self.index, start);
                let departure;
                (self.index, departure, self.left) = schedule.depart(first, start, need - carry);
                if self.index > first {
                    *paused = *paused + schedule.paused(start, departure);
                }
                departure
            }
            Service::Opportunities(moments) => {
                if idle {
                    self.place.seek(moments, start);
                    self.left = moments.each[self.place.index].1;
                }
                let mut need = u64::from(size) + u64::from(moments.header);
                while self.left < need {
                    need -= self.left;
                    self.place.advance(moments);
                    if let Some(end) = moments.paused(self.place.at(moments)) {
                        self.place.seek(moments, end);
                    }
                    self.left = moments.each[self.place.index].1;
                }
                self.left -= need;
                let departure = self.place.at(moments);
                if !moments.pauses.is_empty() {
                    *paused = *paused + moments.paused_in(start, departure);
                }
                departure
            }
        }
    }

    /// Total length of the pauses between two times.
    pub(crate) fn paused(&self, from: Time, to: Time) -> Span {
        match &self.service {
            Service::Schedule(schedule) => schedule.paused(from, to),
            Service::Opportunities(moments) => moments.paused_in(from, to),
        }
    }

    /// Moves the state back to `at`, because later departures were recalled.
    pub(crate) fn rewind(&mut self, at: Time) {
        *self = Self::new(self.service.clone());
        if let Service::Opportunities(moments) = &self.service {
            self.place.seek(moments, at);
            self.left = moments.each[self.place.index].1;
        }
    }
}

/// The position of an opportunity in the repeated list of [`Opportunities`].
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Place {
    index: usize,
    /// Start of the current period.
    base: Span,
}

impl Place {
    fn at(self, moments: &Opportunities) -> Time {
        moments.each[self.index].0 + self.base
    }

    fn advance(&mut self, moments: &Opportunities) {
        self.index += 1;
        if self.index == moments.each.len() {
            *self = Self { index: 0, base: self.base + moments.period };
        }
    }

    /// Moves to the first opportunity at `start` or later.
    fn seek(&mut self, moments: &Opportunities, start: Time) {
        let period = moments.period.nanos();
        // The last opportunity of a period is at the end of the period. The start of a period therefore belongs to the
        // previous period.
        let base = Span::from_nanos(start.nanos().saturating_sub(1) / period * period);
        if base > self.base {
            *self = Self { index: 0, base };
        }
        loop {
            while self.at(moments) < start {
                self.advance(moments);
            }
            let Some(end) = moments.paused(self.at(moments)) else { return };
            self.seek(moments, end);
        }
    }
}

/// Returns the first number from `low` to `high` for which `done` is true. `done` must be monotonic, and it must be
/// true for `high`.
fn first(mut low: u64, mut high: u64, done: impl Fn(u64) -> bool) -> u64 {
    while low < high {
        let middle = low.midpoint(high);
        if done(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

mod shared;
#[cfg(test)]
mod tests;
