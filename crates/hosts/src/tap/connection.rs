// SPDX-License-Identifier: MIT OR Apache-2.0
//! The connections of a tap, as a capture at its interface would show them.
//!
//! Each connection has one [`Counts`] per tap. A tap counts the packets that its own host sent and received. The host
//! that sent more payload is the sender of the data. The tap of this host measures the round trips, and the tap of the
//! other host measures the arrivals.

use super::headers::{Headers, TcpFields};
use crate::meter::{Delays, OneWay};
use engine::{Cause, Drops};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::net::SocketAddr;
use units::{Rate, Span, Time};

/// Largest number of segments and echoes per connection that are stored until they are answered. Older ones are
/// removed, so they do not provide round trips.
const AWAITED: usize = 1 << 16;

/// The protocol of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Protocol {
    /// TCP.
    Tcp,
    /// UDP.
    Udp,
    /// ICMP or ICMPv6.
    Icmp,
    /// Another protocol, by its number in the IP header. Later fragments of a packet also count as another protocol.
    Other(u8),
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp => f.write_str("tcp"),
            Self::Udp => f.write_str("udp"),
            Self::Icmp => f.write_str("icmp"),
            Self::Other(number) => write!(f, "ip-{number}"),
        }
    }
}

/// Protocol, addresses and ports of a connection. The port is 0 if the protocol has no ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The protocol.
    pub protocol: Protocol,
    /// Address of the end at the tap.
    pub local: SocketAddr,
    /// Address of the other end.
    pub remote: SocketAddr,
}

impl Key {
    /// Returns the key of the same connection, as seen from its other end.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { local: self.remote, remote: self.local, ..self }
    }
}

/// A connection, as seen at one of its two taps.
#[derive(Clone, Debug)]
pub struct Connection {
    /// Protocol and addresses of the connection.
    pub key: Key,
    /// Time of the first packet of the connection at this tap.
    pub first: Time,
    /// Time of the last packet of the connection at this tap.
    pub last: Time,
    /// The counts of the connection at this tap.
    pub counts: Counts,
    /// Round-trip times of data that the local host sent. These are TCP segments that were sent only once (Karn's
    /// algorithm, RFC 6298, section 3), and echoes.
    pub rtt: Delays,
    /// Total queueing times of the packets that arrived.
    pub queueing: Delays,
    /// One-way delays of the packets that arrived.
    pub one_way: OneWay,
    /// The last report of the local host's kernel about the socket of this connection.
    pub socket: Option<Socket>,
    /// The sequence number after the last sequence number that the local host has sent.
    sent_end: Option<u32>,
    /// The sequence number after the last sequence number that the local host has acknowledged.
    acknowledged: Option<u32>,
    awaited: VecDeque<Awaited>,
    echoes: BTreeMap<(u16, u16), Time>,
}

/// Counts of a connection at one tap.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub struct Counts {
    /// Number of packets that the local host sent.
    pub sent_packets: u64,
    /// Size of the sent packets in bytes, including IP headers.
    pub sent_bytes: u64,
    /// Size of the sent packets in bytes, without IP and transport headers.
    pub sent_payload: u64,
    /// Number of TCP segments with data that the local host sent again.
    pub retransmitted: u64,
    /// Number of packets of the local host that were dropped on the way, by cause.
    pub dropped: Drops,
    /// Number of packets that arrived.
    pub received_packets: u64,
    /// Number of packets that arrived with an ECN mark.
    pub marked: u64,
    /// For TCP, the number of in-order bytes that the local host has acknowledged. For other protocols, the number of
    /// payload bytes that arrived.
    pub delivered: u64,
}

/// State of a TCP socket, as reported by the kernel (`TCP_INFO`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Socket {
    /// Name of the socket's congestion control in the kernel.
    pub controller: String,
    /// Congestion window, in segments.
    pub cwnd: u32,
    /// Slow-start threshold in segments, or `None` if it is not set.
    pub ssthresh: Option<u32>,
    /// Pacing rate, or `None` if the socket does not pace.
    pub pacing: Option<Rate>,
    /// Smoothed round-trip time.
    pub srtt: Span,
    /// Number of segments in flight.
    pub in_flight: u32,
    /// State of congestion control: open, disorder, cwr, recovery or loss.
    pub phase: &'static str,
}

/// Information about the arrival of a packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub at: Time,
    pub one_way: Span,
    /// Total time that the packet has waited in queues.
    pub queued: Span,
    pub is_marked: bool,
}

/// A segment that is not yet acknowledged.
#[derive(Clone, Copy, Debug)]
struct Awaited {
    end: u32,
    at: Time,
    /// Whether the segment was sent again. Its acknowledgement is then ambiguous.
    again: bool,
}

/// Whether the sequence number `one` comes after `other`. Sequence numbers wrap around (RFC 9293, section 3.4).
const fn is_after(one: u32, other: u32) -> bool {
    one.wrapping_sub(other).cast_signed() > 0
}

impl Connection {
    fn new(key: Key, now: Time) -> Self {
        Self {
            key,
            first: now,
            last: now,
            counts: Counts::default(),
            rtt: Delays::default(),
            queueing: Delays::default(),
            one_way: OneWay::default(),
            socket: None,
            sent_end: None,
            acknowledged: None,
            awaited: VecDeque::new(),
            echoes: BTreeMap::new(),
        }
    }

    /// Number of segments of the local host that are not yet acknowledged.
    pub fn in_flight(&self) -> usize {
        self.awaited.len()
    }

    fn send(&mut self, now: Time, headers: &Headers) {
        self.last = now;
        self.counts.sent_packets += 1;
        self.counts.sent_bytes += u64::from(headers.bytes);
        self.counts.sent_payload += u64::from(headers.payload);
        if let Some(tcp) = headers.tcp {
            self.send_segment(now, tcp, headers.payload);
        }
        if let Some(echo) = headers.echo.filter(|echo| !echo.is_reply) {
            self.echoes.insert(echo.number, now);
            if self.echoes.len() > AWAITED {
                self.echoes.pop_first();
            }
        }
    }

    fn send_segment(&mut self, now: Time, tcp: TcpFields, payload: u32) {
        if let Some(number) = tcp.acknowledged {
            match self.acknowledged {
                Some(before) if is_after(number, before) => {
                    self.counts.delivered += u64::from(number.wrapping_sub(before));
                    self.acknowledged = Some(number);
                }
                Some(_) => {}
                // The first acknowledgement covers only the SYN.
                None => self.acknowledged = Some(number),
            }
        }
        if tcp.sequence == tcp.end {
            return;
        }
        let is_new = self.sent_end.is_none_or(|end| is_after(tcp.end, end));
        if is_new {
            // A keep-alive, or a segment that also contains earlier bytes, is not ambiguous with respect to its new
            // bytes.
            self.sent_end = Some(tcp.end);
            self.awaited.push_back(Awaited { end: tcp.end, at: now, again: false });
            if self.awaited.len() > AWAITED {
                self.awaited.pop_front();
            }
            return;
        }
        // RFC 1122, section 4.2.3.6: a keep-alive repeats at most one byte, so it does not count as a retransmission.
        self.counts.retransmitted += u64::from(payload > 1);
        for one in &mut self.awaited {
            one.again |= is_after(one.end, tcp.sequence) && !is_after(one.end, tcp.end);
        }
    }

    fn receive(&mut self, arrival: &Arrival, headers: &Headers) {
        let now = arrival.at;
        self.last = now;
        self.counts.received_packets += 1;
        self.counts.marked += u64::from(arrival.is_marked);
        self.queueing.add(arrival.queued);
        self.one_way.add(arrival.one_way);
        match headers.tcp {
            Some(TcpFields { acknowledged: Some(number), .. }) => self.hear(now, number),
            Some(_) => {}
            None => self.counts.delivered += u64::from(headers.payload),
        }
        if let Some(echo) = headers.echo.filter(|echo| echo.is_reply)
            && let Some(at) = self.echoes.remove(&echo.number)
        {
            self.rtt.add(now.since(at));
        }
    }

    /// Processes an acknowledgement from the other host of everything before `number`.
    fn hear(&mut self, now: Time, number: u32) {
        let mut newest = None;
        let mut is_ambiguous = false;
        while let Some(&one) = self.awaited.front().filter(|one| !is_after(one.end, number)) {
            is_ambiguous |= one.again;
            newest = Some(one);
            self.awaited.pop_front();
        }
        // An acknowledgement that fills a gap also covers segments that arrived much earlier.
        if let Some(one) = newest.filter(|_| !is_ambiguous) {
            self.rtt.add(now.since(one.at));
        }
    }
}

/// The connections of a tap, by number.
#[derive(Clone, Debug, Default)]
pub struct Connections {
    all: Vec<Connection>,
    numbers: HashMap<Key, u32>,
}

impl Connections {
    /// Returns the connections in the order of their first packets.
    pub fn iter(&self) -> impl Iterator<Item = &Connection> {
        self.all.iter()
    }

    /// Returns the connection with this key.
    pub fn get(&self, key: &Key) -> Option<&Connection> {
        self.numbers.get(key).map(|&number| &self.all[number as usize])
    }

    /// Stores the state of a connection's socket, if the connection had packets here.
    pub fn set_socket(&mut self, key: &Key, socket: Socket) {
        if let Some(&number) = self.numbers.get(key) {
            self.all[number as usize].socket = Some(socket);
        }
    }

    /// Counts a packet of the local host, and returns the number of its connection.
    pub(super) fn sent(&mut self, now: Time, headers: &Headers) -> u32 {
        let number = self.number(headers.key, now);
        self.all[number as usize].send(now, headers);
        number
    }

    /// Counts a packet that arrived.
    pub(super) fn received(&mut self, arrival: &Arrival, headers: &Headers) {
        let number = self.number(headers.key.reversed(), arrival.at);
        self.all[number as usize].receive(arrival, headers);
    }

    /// Counts a packet of the local host that was dropped on the way.
    pub(super) fn dropped(&mut self, number: u32, cause: Cause) {
        self.all[number as usize].counts.dropped[cause as usize] += 1;
    }

    fn number(&mut self, key: Key, now: Time) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.all.push(Connection::new(key, now));
        }
        number
    }
}
