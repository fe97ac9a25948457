// SPDX-License-Identifier: MIT OR Apache-2.0
//! A network interface for programs outside the simulator. IP packets enter and leave the simulated network here.
//!
//! The owner of the interface passes packets to [`Tap::send`] and then wakes the endpoint. The owner takes arrived
//! packets from [`Tap::take_arrived`]. The tap counts the packets of each connection. The tap uses only information
//! that a capture at the interface would contain.

mod connection;
mod headers;

pub use connection::{Connection, Connections, Counts, Key, Protocol, Socket};
pub use headers::{ecn_of, write_ecn};

use crate::{AnyBody, Buffer, BufferKind, Metered, Packet, Received, SourceTotals};
use connection::Arrival;
use control::PathChange;
use engine::{Cause, Endpoint};
use headers::Headers;
use link::Ecn;
use saved::{Damaged, Reader, Saved, Writer};
use std::collections::VecDeque;
use units::{Bytes, Span, Time};

/// An IP packet that left the network.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// Time at which the packet arrived at the interface.
    pub at: Time,
    /// The packet. Its ECN field has the value that the queues left in it.
    pub bytes: Box<[u8]>,
}

/// A packet that waits for the engine, and the number of its connection.
#[derive(Clone, Debug)]
struct Waiting {
    bytes: Box<[u8]>,
    stream: u32,
    kind: BufferKind,
}

/// A network interface for programs outside the simulator.
#[derive(Clone, Debug, Default)]
pub struct Tap {
    waiting: VecDeque<Waiting>,
    arrived: VecDeque<Arrived>,
    connections: Connections,
    totals: SourceTotals,
    received: Received,
    /// Number of the connection of the packet that was sent last.
    stream: u32,
}

impl Tap {
    /// Queues an IP packet that enters the network at `now`. The caller must then wake the endpoint
    /// ([`Engine::wake`](engine::Engine::wake)). A packet that is not IP is ignored. Returns whether the packet is IP.
    pub fn send(&mut self, now: Time, bytes: Box<[u8]>) -> bool {
        let Some(headers) = Headers::of(&bytes) else { return false };
        let stream = self.connections.sent(now, &headers);
        let kind = if headers.is_pure_ack() { BufferKind::Ack } else { BufferKind::Data };
        self.waiting.push_back(Waiting { bytes, stream, kind });
        true
    }

    /// Removes and returns the packet that left the network first.
    pub fn take_arrived(&mut self) -> Option<Arrived> {
        self.arrived.pop_front()
    }

    /// Returns the connections that have sent or received packets here, in the order of their first packets.
    pub fn connections(&self) -> &Connections {
        &self.connections
    }

    /// Like [`Tap::connections`], for adding information from the kernel.
    pub fn connections_mut(&mut self) -> &mut Connections {
        &mut self.connections
    }

    /// Returns the number of the connection of the packet that was sent last.
    pub(crate) const fn stream(&self) -> u32 {
        self.stream
    }
}

impl Endpoint for Tap {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        let queued = Span::from_nanos(packet.queued_ns);
        let AnyBody::Buffer(mut buffer) = packet.body else { unreachable!("taps exchange real packets") };
        self.received.packets += 1;
        self.received.delivered += Bytes::new(buffer.bytes.len() as u64);
        self.received.last_arrival = now;
        self.received.marked += u64::from(buffer.ecn == Ecn::Ce);
        write_ecn(&mut buffer.bytes, buffer.ecn);
        if let Some(headers) = Headers::of(&buffer.bytes) {
            let (one_way, is_marked) = (now.since(buffer.sent_at), buffer.ecn == Ecn::Ce);
            self.connections.received(&Arrival { at: now, one_way, queued, is_marked }, &headers);
        }
        self.arrived.push_back(Arrived { at: now, bytes: buffer.bytes });
    }
    fn handle_timeout(&mut self, _now: Time) {}
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        let Waiting { bytes, stream, kind } = self.waiting.pop_front()?;
        let size = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
        let number = self.totals.sent_packets as u32;
        self.totals.sent_packets += 1;
        self.totals.sent_bytes += u64::from(size);
        self.stream = stream;
        let ecn = ecn_of(&bytes);
        Some((AnyBody::Buffer(Buffer { bytes, sent_at: now, number, ecn, kind, to: None }), size))
    }
    fn next_timeout(&self) -> Time {
        Time::MAX
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _at: Time, packet: Packet, cause: Cause) {
        self.totals.dropped[cause as usize] += 1;
        self.connections.dropped(packet.stream, cause);
    }
}

/// A session with taps is never saved, because the programs at the taps could not be saved.
impl Saved for Tap {
    fn save_to(&self, _to: &mut Writer) {}
    fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        Err(from.damaged::<Self>())
    }
}

impl Metered for Tap {
    fn tap(&self) -> Option<&Tap> {
        Some(self)
    }
    fn totals(&self) -> SourceTotals {
        self.totals
    }
    fn received(&self) -> Received {
        self.received
    }
}

#[cfg(test)]
mod tests;
