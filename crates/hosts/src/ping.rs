// SPDX-License-Identifier: MIT OR Apache-2.0
//! Echoes: packets that are sent at a constant interval, and that the other side returns unchanged.
//!
//! A packet counts as delivered when it has returned. It counts as lost if it was lost in either direction. Therefore,
//! sent = delivered + lost + in flight, over both directions.

use super::{Metered, Received, SourceTotals};
use crate::meter::{Delays, OneWay};
use crate::{AnyBody, Datagram, Packet};
use control::PathChange;
use engine::{Cause, Drops, Endpoint};
use units::{Bytes, Span, Time};

/// A sender of echoes. It measures the time until they return.
#[derive(Clone, Debug, saved::Plain)]
pub struct PingSource {
    interval: Span,
    packet: u16,
    start: Time,
    stop: Time,
    due: Time,
    next: u64,
    totals: SourceTotals,
    received: Received,
    rtt: Delays,
}

impl PingSource {
    /// Creates a sender that sends a packet of `packet` bytes on the wire every `interval`, from `start` to `stop`.
    pub fn new(interval: Span, packet: Bytes, start: Time, stop: Option<Time>) -> Self {
        Self {
            interval,
            packet: packet.get() as u16,
            start,
            stop: stop.unwrap_or(Time::MAX),
            due: start,
            next: 0,
            totals: SourceTotals::default(),
            received: Received::default(),
            rtt: Delays::default(),
        }
    }
}

impl Endpoint for PingSource {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        let reply = packet.body.datagram();
        self.rtt.add(now.since(reply.sent_at));
        self.received.packets += 1;
        self.received.delivered += Bytes::new(u64::from(reply.len));
        self.received.last_arrival = now;
    }
    fn handle_timeout(&mut self, now: Time) {
        if now >= self.stop {
            (self.due, self.stop) = (Time::MAX, Time::MAX);
        }
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        if now < self.due {
            return None;
        }
        let (number, len) = (self.next as u32, self.packet);
        self.next += 1;
        self.due = self.start + self.interval * self.next;
        self.totals.sent_packets += 1;
        self.totals.sent_bytes += u64::from(len);
        Some((AnyBody::Datagram(Datagram { sent_at: now, number, len, is_reply: false }), len))
    }
    fn next_timeout(&self) -> Time {
        self.due.min(self.stop)
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _now: Time, _packet: Packet, cause: Cause) {
        self.totals.dropped[cause as usize] += 1;
    }
}

impl Metered for PingSource {
    fn totals(&self) -> SourceTotals {
        self.totals
    }
    /// Returns the totals of the returned packets.
    fn received(&self) -> Received {
        self.received
    }
    fn rtt(&self) -> Option<&Delays> {
        Some(&self.rtt)
    }
    fn forget_delays(&mut self, _now: Time) {
        self.rtt.forget();
    }
}

/// A receiver that returns every echo.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct PingSink {
    back: Option<Datagram>,
    queueing: Delays,
    one_way: OneWay,
    dropped: Drops,
}

impl Endpoint for PingSink {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        self.queueing.add(Span::from_nanos(packet.queued_ns));
        let echo = *packet.body.datagram();
        self.one_way.add(now.since(echo.sent_at));
        // The engine sends the reply immediately, so there is never a second reply.
        self.back = Some(Datagram { is_reply: true, ..echo });
    }
    fn handle_timeout(&mut self, _now: Time) {}
    fn poll_transmit(&mut self, _now: Time) -> Option<(AnyBody, u16)> {
        self.back.take().map(|reply| (AnyBody::Datagram(reply), reply.len))
    }
    fn next_timeout(&self) -> Time {
        Time::MAX
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _now: Time, _packet: Packet, cause: Cause) {
        self.dropped[cause as usize] += 1;
    }
}

impl Metered for PingSink {
    /// Returns the packets that were dropped on the way back. This side sends no packets of its own.
    fn totals(&self) -> SourceTotals {
        SourceTotals { dropped: self.dropped, ..SourceTotals::default() }
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
