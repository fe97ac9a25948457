// SPDX-License-Identifier: MIT OR Apache-2.0
//! UDP at a constant bit rate as cross-traffic, with the meters of its flow.

use super::on_off::Periods;
use super::{Metered, Received, SourceTotals};
use crate::meter::{Delays, OneWay};
use crate::{AnyBody, Datagram, Packet};
use control::PathChange;
use engine::{Cause, Endpoint};
use scenario::OnOff;
use units::{Bytes, Rate, Span, Time};

/// A sender of datagrams of equal size at equal intervals.
#[derive(Clone, Debug, saved::Saved)]
pub struct CbrSource {
    rate: Rate,
    packet: u16,
    /// Number of the next datagram. The next field is the number of the first datagram in the current period.
    next: u64,
    first: u64,
    begun: Time,
    /// Time at which the next datagram leaves.
    due: Time,
    /// Next time at which the sender begins to send. The next field is the next time at which it stops.
    start: Time,
    stop: Time,
    /// Time after which the sender never sends.
    end: Time,
    #[saved(each)]
    periods: Option<Periods>,
    totals: SourceTotals,
}

impl CbrSource {
    /// Creates a sender of packets of `packet` bytes on the wire at `rate`, from `start` to `stop`.
    pub fn new(rate: Rate, packet: Bytes, start: Time, stop: Option<Time>) -> Self {
        let end = stop.unwrap_or(Time::MAX);
        Self {
            rate,
            packet: packet.get() as u16,
            next: 0,
            first: 0,
            begun: Time::MAX,
            due: Time::MAX,
            start,
            stop: end,
            end,
            periods: None,
            totals: SourceTotals::default(),
        }
    }

    /// Adds periods of silence. If the lengths of the periods are random, they depend on `seed`.
    #[must_use]
    pub fn with_periods(self, periods: Option<OnOff>, seed: u64) -> Self {
        Self { periods: periods.map(|periods| Periods::new(periods, seed)), ..self }
    }
}

impl Endpoint for CbrSource {
    type Body = AnyBody;
    fn handle(&mut self, _now: Time, _packet: Packet) {}
    fn handle_timeout(&mut self, now: Time) {
        if now >= self.start {
            self.start = Time::MAX;
            (self.first, self.begun, self.due) = (self.next, now, now);
            if let Some(periods) = &mut self.periods {
                self.stop = self.end.min(now + periods.on());
            }
        }
        if now >= self.stop {
            (self.stop, self.due) = (Time::MAX, Time::MAX);
            if let Some(periods) = &mut self.periods {
                let next = now + periods.off();
                self.start = if next < self.end { next } else { Time::MAX };
            }
        }
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        if now < self.due {
            return None;
        }
        let (number, len) = (self.next as u32, self.packet);
        self.next += 1;
        // The time is computed from the start of the period. Rounding to a nanosecond therefore does not accumulate.
        let bytes = Bytes::new((self.next - self.first) * u64::from(len));
        self.due = self.begun + self.rate.time_for(bytes);
        self.totals.sent_packets += 1;
        self.totals.sent_bytes += u64::from(len);
        Some((AnyBody::Datagram(Datagram { sent_at: now, number, len, is_reply: false }), len))
    }
    fn next_timeout(&self) -> Time {
        self.due.min(self.start).min(self.stop)
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _now: Time, _packet: Packet, cause: Cause) {
        self.totals.dropped[cause as usize] += 1;
    }
}

impl Metered for CbrSource {
    fn totals(&self) -> SourceTotals {
        self.totals
    }
}

/// A receiver that counts datagrams.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct CbrSink {
    received_packets: u64,
    received: Bytes,
    queueing: Delays,
    one_way: OneWay,
    last_arrival: Time,
}

impl Endpoint for CbrSink {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        let datagram = packet.body.datagram();
        self.received_packets += 1;
        self.last_arrival = now;
        self.received += Bytes::new(u64::from(datagram.len));
        self.queueing.add(Span::from_nanos(packet.queued_ns));
        self.one_way.add(now.since(datagram.sent_at));
    }
    fn handle_timeout(&mut self, _now: Time) {}
    fn poll_transmit(&mut self, _now: Time) -> Option<(AnyBody, u16)> {
        None
    }
    fn next_timeout(&self) -> Time {
        Time::MAX
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _now: Time, _packet: Packet, _cause: Cause) {}
}

impl Metered for CbrSink {
    fn received(&self) -> Received {
        Received {
            packets: self.received_packets,
            marked: 0,
            delivered: self.received,
            last_arrival: self.last_arrival,
            whole_at: None,
        }
    }
    fn queueing(&self) -> Option<&Delays> {
        Some(&self.queueing)
    }
    fn one_way(&self) -> Option<&OneWay> {
        Some(&self.one_way)
    }
    fn forget_delays(&mut self, _now: Time) {
        self.queueing.forget();
        self.one_way.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected: 1000 B at 8 Mbit/s take 1 ms, so the interval [0, 10] ms contains 11 datagrams.
    #[test]
    fn keeps_its_rate_and_stops() {
        let stop = Time::from_nanos(10_000_001);
        let rate = Rate::from_bits_per_s(8_000_000);
        let mut source = CbrSource::new(rate, Bytes::new(1000), Time::ZERO, Some(stop));
        let mut sink = CbrSink::default();
        while source.next_timeout() < Time::MAX {
            let now = source.next_timeout();
            source.handle_timeout(now);
            while let Some((body, _)) = source.poll_transmit(now) {
                sink.handle(now, Packet { body, queued_ns: 0, from: 0, stream: 0 });
            }
        }
        let Received { packets, delivered, last_arrival, .. } = sink.received();
        assert_eq!((packets, delivered, source.totals().sent_packets), (11, Bytes::new(11_000), 11));
        assert_eq!(last_arrival, Time::from_nanos(10_000_000));
        assert!(source.poll_transmit(Time::from_nanos(20_000_000)).is_none());
    }
}
