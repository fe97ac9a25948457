// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constant-bit-rate UDP with the meters of its flow.

use super::on_off::Periods;
use super::{Metered, Received, SourceTotals};
use crate::meter::{Delays, OneWay};
use crate::{Packet, SegmentBody};
use control::PathChange;
use engine::{Cause, Endpoint};
use scenario::OnOff;
use tcp::Cbr;
use units::{Bytes, Rate, Span, Time};

/// Constant-bit-rate UDP.
#[derive(Clone, Debug, saved::Saved)]
pub struct CbrSource {
    cbr: Cbr,
    /// When it next begins to send, and when it next stops.
    start: Time,
    stop: Time,
    /// When it stops for good.
    end: Time,
    #[saved(each)]
    periods: Option<Periods>,
    totals: SourceTotals,
}

impl CbrSource {
    /// Packets of `packet` bytes on the wire at `rate`, from `start` to `stop`.
    pub fn new(rate: Rate, packet: Bytes, start: Time, stop: Option<Time>) -> Self {
        let cbr = Cbr::new(rate, packet.get() as u32);
        let end = stop.unwrap_or(Time::MAX);
        Self { cbr, start, stop: end, end, periods: None, totals: SourceTotals::default() }
    }

    /// With periods of silence, whose lengths depend on `seed` where they are random.
    #[must_use]
    pub fn with_periods(self, periods: Option<OnOff>, seed: u64) -> Self {
        Self { periods: periods.map(|periods| Periods::new(periods, seed)), ..self }
    }
}

impl Endpoint for CbrSource {
    type Body = SegmentBody;
    fn handle(&mut self, _now: Time, _packet: Packet) {}
    fn handle_timeout(&mut self, now: Time) {
        if now >= self.start {
            self.start = Time::MAX;
            self.cbr.start(now);
            if let Some(periods) = &mut self.periods {
                self.stop = self.end.min(now + periods.on());
            }
        }
        if now >= self.stop {
            self.stop = Time::MAX;
            self.cbr.stop(now);
            if let Some(periods) = &mut self.periods {
                let next = now + periods.off();
                self.start = if next < self.end { next } else { Time::MAX };
            }
        }
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(SegmentBody, u16)> {
        let segment = self.cbr.poll_transmit(now)?;
        self.totals.sent_packets += 1;
        self.totals.sent_bytes += u64::from(segment.len);
        Some((segment.into(), segment.len as u16))
    }
    fn next_timeout(&self) -> Time {
        self.cbr.next_timeout().min(self.start).min(self.stop)
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

/// Counts what arrives.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct CbrSink {
    received_packets: u64,
    received: Bytes,
    queueing: Delays,
    one_way: OneWay,
    last_arrival: Time,
}

impl Endpoint for CbrSink {
    type Body = SegmentBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        self.received_packets += 1;
        self.last_arrival = now;
        self.received += Bytes::new(u64::from(packet.body.len));
        self.queueing.add(Span::from_nanos(packet.queued_ns));
        self.one_way.add(now.since(packet.body.timestamp));
    }
    fn handle_timeout(&mut self, _now: Time) {}
    fn poll_transmit(&mut self, _now: Time) -> Option<(SegmentBody, u16)> {
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
    fn forget_delays(&mut self) {
        self.queueing.forget();
        self.one_way.forget();
    }
}
