// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fields in the headers of real packets that links and connections use.

use super::{Key, Protocol};
use etherparse::{
    IcmpEchoHeader, Icmpv4Type, Icmpv6Type, Ipv4Header, NetSlice, SlicedPacket, TransportSlice,
};
use link::Ecn;
use std::net::{IpAddr, SocketAddr};

/// Mask of the ECN field (RFC 3168, section 5).
const ECN: u8 = 3;

/// The fields of a packet that are used.
#[derive(Clone, Copy, Debug)]
pub struct Headers {
    /// Key of the connection, as seen from the sender of the packet.
    pub key: Key,
    /// Size of the packet, in bytes.
    pub bytes: u32,
    /// Number of bytes after the transport header.
    pub payload: u32,
    /// The fields of a TCP segment, if the packet is one.
    pub tcp: Option<TcpFields>,
    /// The fields of an ICMP echo or of its reply, if the packet is one.
    pub echo: Option<Echo>,
}

/// The fields of a TCP segment.
#[derive(Clone, Copy, Debug)]
pub struct TcpFields {
    /// First sequence number of the segment.
    pub sequence: u32,
    /// The sequence number after the last sequence number of the segment. SYN and FIN count (RFC 9293, section 3.4).
    pub end: u32,
    /// Acknowledgement number, if the segment has one.
    pub acknowledged: Option<u32>,
}

/// An ICMP echo or its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Echo {
    /// Identifier and sequence number.
    pub number: (u16, u16),
    /// Whether this is the reply.
    pub is_reply: bool,
}

impl Echo {
    const fn new(echo: IcmpEchoHeader, is_reply: bool) -> Self {
        Self { number: (echo.id, echo.seq), is_reply }
    }
}

impl Headers {
    /// Reads the fields of an IP packet. Returns `None` if the packet is damaged or is not IP.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let packet = SlicedPacket::from_ip(bytes).ok()?;
        let (from, to, number): (IpAddr, IpAddr, _) = match packet.net? {
            NetSlice::Ipv4(ip) => (
                ip.header().source_addr().into(),
                ip.header().destination_addr().into(),
                ip.payload().ip_number.0,
            ),
            NetSlice::Ipv6(ip) => (
                ip.header().source_addr().into(),
                ip.header().destination_addr().into(),
                ip.payload().ip_number.0,
            ),
            NetSlice::Arp(_) => return None,
        };
        let key = |protocol, ports: [u16; 2]| Key {
            protocol,
            local: SocketAddr::new(from, ports[0]),
            remote: SocketAddr::new(to, ports[1]),
        };
        let plain = |key, payload: usize| Self {
            key,
            bytes: bytes.len() as u32,
            payload: payload as u32,
            tcp: None,
            echo: None,
        };
        Some(match packet.transport {
            Some(TransportSlice::Tcp(tcp)) => {
                let payload = tcp.payload().len();
                let sequence = tcp.sequence_number();
                let controls = u32::from(tcp.syn()) + u32::from(tcp.fin());
                let fields = TcpFields {
                    sequence,
                    end: sequence.wrapping_add(payload as u32 + controls),
                    acknowledged: tcp.ack().then(|| tcp.acknowledgment_number()),
                };
                let key = key(Protocol::Tcp, [tcp.source_port(), tcp.destination_port()]);
                Self { tcp: Some(fields), ..plain(key, payload) }
            }
            Some(TransportSlice::Udp(udp)) => {
                plain(key(Protocol::Udp, [udp.source_port(), udp.destination_port()]), udp.payload().len())
            }
            Some(TransportSlice::Icmpv4(icmp)) => {
                let echo = match icmp.icmp_type() {
                    Icmpv4Type::EchoRequest(echo) => Some(Echo::new(echo, false)),
                    Icmpv4Type::EchoReply(echo) => Some(Echo::new(echo, true)),
                    _ => None,
                };
                Self { echo, ..plain(key(Protocol::Icmp, [0; 2]), icmp.payload().len()) }
            }
            Some(TransportSlice::Icmpv6(icmp)) => {
                let echo = match icmp.icmp_type() {
                    Icmpv6Type::EchoRequest(echo) => Some(Echo::new(echo, false)),
                    Icmpv6Type::EchoReply(echo) => Some(Echo::new(echo, true)),
                    _ => None,
                };
                Self { echo, ..plain(key(Protocol::Icmp, [0; 2]), icmp.payload().len()) }
            }
            // A later fragment has no ports, so it cannot be assigned to a connection.
            None | Some(TransportSlice::Igmp(_)) => plain(key(Protocol::Other(number), [0; 2]), bytes.len()),
        })
    }

    /// Returns whether the packet is a TCP segment without data, SYN and FIN.
    pub fn is_pure_ack(&self) -> bool {
        self.tcp.is_some_and(|tcp| tcp.sequence == tcp.end)
    }
}

/// Returns the ECN codepoint of an IP packet.
pub fn ecn_of(bytes: &[u8]) -> Ecn {
    match bytes {
        [first, second, ..] if first >> 4 == 4 => Ecn::of_bits(*second),
        [first, second, ..] if first >> 4 == 6 => Ecn::of_bits(second >> 4),
        _ => Ecn::NotEct,
    }
}

/// Writes an ECN codepoint into an IP packet. In an IPv4 packet, the checksum of the header is updated. In an IPv6
/// packet, no checksum covers the traffic class.
pub fn write_ecn(bytes: &mut [u8], ecn: Ecn) {
    let Some(version) = bytes.first().map(|first| first >> 4) else { return };
    // In IPv6, the traffic class spans two bytes.
    let place = if version == 4 { 0 } else { 4 };
    let Some(second) = bytes.get_mut(1) else { return };
    let changed = (*second & !(ECN << place)) | ecn.bits() << place;
    if std::mem::replace(second, changed) == changed {
        return;
    }
    if version == 4
        && let Ok((header, _)) = Ipv4Header::from_slice(bytes)
    {
        let sum = header.calc_header_checksum().to_be_bytes();
        bytes[10..12].copy_from_slice(&sum);
    }
}
