// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constant-bit-rate datagrams (UDP) as cross-traffic, and their sink.

use crate::{Segment, SegmentKind};
use units::{Bytes, Rate, Time};

/// Sends a datagram of `len` payload bytes every interval.
#[derive(Clone, Debug, saved::Plain)]
pub struct Cbr {
    rate: Rate,
    len: u32,
    next: u64,
    /// Number of the first datagram since it began.
    first: u64,
    begun: Time,
    due: Time,
}

impl Cbr {
    /// A source of `rate` payload bits per second in datagrams of `len` payload bytes.
    pub fn new(rate: Rate, len: u32) -> Self {
        Self { rate, len, next: 0, first: 0, begun: Time::MAX, due: Time::MAX }
    }
    /// A datagram leaves now, and the others follow it; also after a [`Cbr::stop`].
    pub fn start(&mut self, now: Time) {
        self.first = self.next;
        self.begun = now;
        self.due = now;
    }
    /// No datagram until it starts again.
    pub fn stop(&mut self, _now: Time) {
        self.due = Time::MAX;
    }
    /// The datagram that leaves at `now`, or `None`.
    pub fn poll_transmit(&mut self, now: Time) -> Option<Segment> {
        if now < self.due {
            return None;
        }
        let seq = self.next as u32;
        self.next += 1;
        // From the start, not from the last one: rounding to the nanosecond does not add up.
        self.due =
            self.begun + self.rate.time_for(Bytes::new((self.next - self.first) * u64::from(self.len)));
        Some(Segment { timestamp: now, seq, len: self.len, kind: SegmentKind::Data, ..Segment::default() })
    }
    /// When the next datagram leaves; [`Time::MAX`] for never.
    pub fn next_timeout(&self) -> Time {
        self.due
    }
    /// Datagrams sent.
    pub fn sent(&self) -> u64 {
        self.next
    }
}

/// Counts what arrives of a [`Cbr`] source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Sink {
    /// Datagrams received.
    pub received: u64,
    /// Their payload bytes.
    pub received_bytes: u64,
}

impl Sink {
    /// A datagram arrived.
    pub fn handle(&mut self, _now: Time, segment: &Segment) {
        self.received += 1;
        self.received_bytes += u64::from(segment.len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_its_rate_and_stops() {
        // 1000 B at 8 Mbit/s: one per millisecond; [0, 10] ms has 11.
        let mut source = Cbr::new(Rate::from_bits_per_s(8_000_000), 1000);
        assert_eq!(source.next_timeout(), Time::MAX);
        source.start(Time::ZERO);
        let mut sink = Sink::default();
        while source.next_timeout() <= Time::from_nanos(10_000_000) {
            let now = source.next_timeout();
            while let Some(datagram) = source.poll_transmit(now) {
                sink.handle(now, &datagram);
            }
        }
        assert_eq!((sink.received, sink.received_bytes, source.sent()), (11, 11_000, 11));
        source.stop(Time::from_nanos(10_000_000));
        assert_eq!(source.poll_transmit(Time::from_nanos(20_000_000)), None);
    }
}
