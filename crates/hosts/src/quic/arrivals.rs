// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measurements of a receiving side about the data packets that arrive.

use crate::meter::{Delays, OneWay};
use crate::{BufferKind, Packet, Received};
use link::Ecn;
use units::{Span, Time};

/// Counters and delays of arriving data packets.
#[derive(Default)]
pub struct Arrivals {
    pub received: Received,
    pub queueing: Delays,
    pub one_way: OneWay,
}

impl Arrivals {
    /// Counts a packet if it carries data.
    pub fn count(&mut self, now: Time, packet: &Packet) {
        let buffer = packet.body.buffer();
        if buffer.kind != BufferKind::Data {
            return;
        }
        self.received.packets += 1;
        self.received.last_arrival = now;
        self.received.marked += u64::from(buffer.ecn == Ecn::Ce);
        self.queueing.add(Span::from_nanos(packet.queued_ns));
        self.one_way.add(now.since(buffer.sent_at));
    }

    pub fn forget_delays(&mut self) {
        self.queueing.forget();
        self.one_way.forget();
    }
}
