// SPDX-License-Identifier: MIT OR Apache-2.0
//! The network layer of captured packets: addresses, headers, and the checksums that cover the addresses.

use etherparse::{
    IcmpEchoHeader, Icmpv4Header, Icmpv4Type, Icmpv6Header, Icmpv6Type, IpDscp, IpEcn, IpNumber, Ipv4Header,
    Ipv6FlowLabel, Ipv6Header, TcpHeader, UdpHeader,
};
use link::Ecn;

static ZEROS: [u8; 1 << 16] = [0; 1 << 16];

/// Returns zeros, as data of packets that have no real data.
pub(super) fn zeros(bytes: usize) -> &'static [u8] {
    &ZEROS[..bytes]
}
/// The hop limit. Routers would decrease it, but the captured copy passes no router.
const HOPS: u8 = 64;
/// DSCP of probes with low priority: lower effort (RFC 8622).
const LOWER_EFFORT: u8 = 1;

/// Version of IP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ip {
    V4,
    V6,
}

impl Ip {
    /// Length of the IP header in bytes.
    pub const fn header(self) -> usize {
        match self {
            Self::V4 => Ipv4Header::MIN_LEN,
            Self::V6 => Ipv6Header::LEN,
        }
    }
}

/// The protocol after the IP header.
#[derive(Clone, Debug)]
pub(super) enum Inner {
    Tcp(TcpHeader),
    Udp(UdpHeader),
    Request(IcmpEchoHeader),
    Reply(IcmpEchoHeader),
}

/// Fields of the IP header, except the addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct IpFields {
    /// Whether the packet has low priority.
    pub low: bool,
    /// ECN codepoint.
    pub ecn: Ecn,
    /// Number of packets that the same host has sent before.
    pub number: u16,
}

/// The hosts of a flow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hosts {
    pub ip: Ip,
    pub flow: u32,
}

impl Hosts {
    /// Returns an IPv4 address. Senders are in 10.0.0.0/9, receivers in 10.128.0.0/9. Both have the same host number:
    /// the flow number plus 1.
    fn v4(self, receiver: bool) -> [u8; 4] {
        let [_, high, middle, low] = ((self.flow + 1) & 0x7F_FFFF).to_be_bytes();
        [10, high | if receiver { 0x80 } else { 0 }, middle, low]
    }

    /// Returns an IPv6 address. Senders are in 2001:db8::/64, receivers in 2001:db8:0:1::/64 (RFC 3849). The host
    /// numbers are those of IPv4.
    fn v6(self, receiver: bool) -> [u8; 16] {
        let mut address = [0; 16];
        address[..4].copy_from_slice(&[0x20, 0x01, 0x0D, 0xB8]);
        address[7] = u8::from(receiver);
        address[12..].copy_from_slice(&(self.flow + 1).to_be_bytes());
        address
    }

    /// Returns the address of a host as text.
    pub fn address(self, receiver: bool) -> String {
        match self.ip {
            Ip::V4 => std::net::Ipv4Addr::from(self.v4(receiver)).to_string(),
            Ip::V6 => std::net::Ipv6Addr::from(self.v6(receiver)).to_string(),
        }
    }

    /// Returns the headers of a packet with these data. If `back` is true, the receiver sends the packet.
    pub fn packet(self, back: bool, inner: Inner, data: &[u8], fields: IpFields) -> Vec<u8> {
        let (protocol, behind) = match self.ip {
            Ip::V4 => inner.over_v4([back, !back].map(|receiver| self.v4(receiver)), data),
            Ip::V6 => inner.over_v6([back, !back].map(|receiver| self.v6(receiver)), data),
        };
        let mut bytes = self.header(back, protocol, behind.len() + data.len(), fields);
        bytes.extend(behind);
        bytes
    }

    fn header(self, back: bool, protocol: IpNumber, length: usize, fields: IpFields) -> Vec<u8> {
        let dscp = if fields.low { LOWER_EFFORT } else { 0 };
        let ecn = IpEcn::try_new(fields.ecn.bits()).unwrap_or_default();
        match self.ip {
            Ip::V4 => {
                let header = Ipv4Header {
                    dscp: IpDscp::try_new(dscp).unwrap_or_default(),
                    ecn,
                    total_len: u16::try_from(Ipv4Header::MIN_LEN + length).unwrap_or(u16::MAX),
                    identification: fields.number,
                    dont_fragment: true,
                    time_to_live: HOPS,
                    protocol,
                    source: self.v4(back),
                    destination: self.v4(!back),
                    ..Ipv4Header::default()
                };
                Ipv4Header { header_checksum: header.calc_header_checksum(), ..header }.to_bytes().to_vec()
            }
            Ip::V6 => {
                let header = Ipv6Header {
                    traffic_class: dscp << 2 | ecn.value(),
                    // RFC 6437: any number except 0, the same for all packets of a flow.
                    flow_label: Ipv6FlowLabel::try_new(1 + self.flow % 0xF_FFFF).unwrap_or_default(),
                    payload_length: u16::try_from(length).unwrap_or(u16::MAX),
                    next_header: protocol,
                    hop_limit: HOPS,
                    source: self.v6(back),
                    destination: self.v6(!back),
                };
                header.to_bytes().to_vec()
            }
        }
    }
}

impl Inner {
    /// Returns the inner header for IPv4, with its checksum. The checksum exists for every length that occurs here.
    fn over_v4(self, [from, to]: [[u8; 4]; 2], data: &[u8]) -> (IpNumber, Vec<u8>) {
        match self {
            Self::Tcp(mut header) => {
                header.checksum = header.calc_checksum_ipv4_raw(from, to, data).unwrap_or(0);
                (IpNumber::TCP, header.to_bytes().to_vec())
            }
            Self::Udp(mut header) => {
                header.checksum = header.calc_checksum_ipv4_raw(from, to, data).unwrap_or(0);
                (IpNumber::UDP, header.to_bytes().to_vec())
            }
            Self::Request(echo) => {
                let header = Icmpv4Header::with_checksum(Icmpv4Type::EchoRequest(echo), data);
                (IpNumber::ICMP, header.to_bytes().to_vec())
            }
            Self::Reply(echo) => {
                let header = Icmpv4Header::with_checksum(Icmpv4Type::EchoReply(echo), data);
                (IpNumber::ICMP, header.to_bytes().to_vec())
            }
        }
    }

    /// Returns the inner header for IPv6, where every checksum covers the addresses (RFC 8200, section 8.1).
    fn over_v6(self, [from, to]: [[u8; 16]; 2], data: &[u8]) -> (IpNumber, Vec<u8>) {
        let echo = |kind: Icmpv6Type| {
            let checksum = kind.calc_checksum(from, to, data).unwrap_or(0);
            (IpNumber::IPV6_ICMP, Icmpv6Header { icmp_type: kind, checksum }.to_bytes().to_vec())
        };
        match self {
            Self::Tcp(mut header) => {
                header.checksum = header.calc_checksum_ipv6_raw(from, to, data).unwrap_or(0);
                (IpNumber::TCP, header.to_bytes().to_vec())
            }
            Self::Udp(mut header) => {
                header.checksum = header.calc_checksum_ipv6_raw(from, to, data).unwrap_or(0);
                (IpNumber::UDP, header.to_bytes().to_vec())
            }
            Self::Request(request) => echo(Icmpv6Type::EchoRequest(request)),
            Self::Reply(reply) => echo(Icmpv6Type::EchoReply(reply)),
        }
    }
}
