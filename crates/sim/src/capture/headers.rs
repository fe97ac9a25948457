// SPDX-License-Identifier: MIT OR Apache-2.0
//! From segments to packets as a network would carry them: IPv4 with TCP, UDP or ICMP, and zeros for data.

use super::stream::Stream;
use etherparse::{
    IcmpEchoHeader, Icmpv4Header, Icmpv4Type, IpDscp, IpEcn, IpNumber, Ipv4Header, TcpHeader, UdpHeader,
};
use tcp::{Config, Flags, Recovery, Segment, SegmentKind, Setup};
use units::Time;

/// The longest headers: IP without options, TCP with 40 bytes of them.
pub(super) const LONGEST: usize = 60 + Ipv4Header::MIN_LEN;
/// What is sent, whatever it is.
pub(super) static ZEROS: [u8; 1 << 16] = [0; 1 << 16];
/// Receivers listen where data are discarded (RFC 863); senders take ports that are not assigned (RFC 6335, section 6).
const DISCARD: u16 = 9;
const DYNAMIC: u16 = 49152;
/// DSCP of low-priority probes: lower effort (RFC 8622).
const LOWER_EFFORT: u8 = 1;
/// Code point of a packet that a queue has marked, in the byte beside the DSCP.
const CE: u8 = 3;
/// What a sender tells of its own window, which nobody uses.
const SENDER_WINDOW: u32 = 65_535;
/// TCP options, kind and length (IANA, "TCP Option Kind Numbers").
const MSS: [u8; 2] = [2, 4];
const SACK_PERMITTED: [u8; 2] = [4, 2];
const SCALE: [u8; 2] = [3, 3];
const SACK: u8 = 5;
const TIMESTAMPS: [u8; 2] = [8, 10];
/// RFC 7413, section 4.1.1, with a cookie of eight bytes.
const FAST_OPEN: [u8; 2] = [34, 10];
const COOKIE: [u8; 8] = *b"bentpipe";
const NOP: u8 = 1;

/// The two ends of a flow on the network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    flow: u32,
}

impl Ends {
    pub(super) fn of(flow: u32) -> Self {
        Self { flow }
    }

    /// Senders in 10.0.0.0/9, receivers in 10.128.0.0/9: the same host number, one above the flow's.
    pub(super) fn address(self, receiver: bool) -> [u8; 4] {
        let [_, high, middle, low] = ((self.flow + 1) & 0x7F_FFFF).to_be_bytes();
        [10, high | if receiver { 0x80 } else { 0 }, middle, low]
    }

    fn port(self, receiver: bool) -> u16 {
        if receiver { DISCARD } else { DYNAMIC + (self.flow % (1 << 14)) as u16 }
    }
}

/// A packet as it left its end.
#[derive(Clone, Debug)]
pub(super) struct Wired {
    bytes: Vec<u8>,
    /// With the zeros behind the headers.
    length: u32,
    /// TSval, of TCP.
    pub(super) stamp: u32,
}

impl Wired {
    /// The first `snap` bytes, or the headers, and the length of all.
    pub(super) fn kept(&self, snap: Option<u32>, into: &mut Vec<u8>) -> u32 {
        into.clear();
        into.extend(&self.bytes);
        if let Some(snap) = snap {
            into.resize(snap.min(self.length) as usize, 0);
        }
        self.length
    }

    /// A queue has marked it on the way.
    pub(super) fn mark(&mut self) {
        self.bytes[1] |= CE;
        if let Ok((header, _)) = Ipv4Header::from_slice(&self.bytes) {
            let sum = header.calc_header_checksum().to_be_bytes();
            self.bytes[10..12].copy_from_slice(&sum);
        }
    }
}

/// Which protocol a flow is.
#[derive(Clone, Debug)]
pub(super) enum Protocol {
    Tcp(Box<Talk>),
    Udp,
    Echo,
}

/// What TCP's headers depend on.
#[derive(Clone, Debug)]
pub(super) struct Talk {
    stream: Stream,
    mss: u16,
    selective: bool,
    /// Timestamps are in the headers that the scenario counts.
    stamped: bool,
    scale: u32,
    mss_bytes: u64,
    /// The newest TSval that has come to the sender.
    recent: u32,
}

/// RFC 7323, section 5.4: a clock of 1 ms. 0 means that nothing has come.
fn stamp(at: Time) -> u32 {
    (at.nanos() / 1_000_000 + 1) as u32
}

impl Talk {
    pub(super) fn new(config: &Config) -> Self {
        // IP 20, TCP 20, and the option itself.
        let stamped = config.header >= 50;
        let options = if stamped { 12 } else { 0 };
        Self {
            stream: Stream::new(config.mss, config.setup == Setup::Ns2Linux),
            // RFC 6691: as if there were no options.
            mss: u16::try_from(config.mss + options).unwrap_or(u16::MAX),
            selective: matches!(config.recovery, Recovery::Sack | Recovery::RackTlp),
            stamped,
            scale: config.window_scale(),
            mss_bytes: config.mss.into(),
            recent: 0,
        }
    }

    /// An acknowledgement with this TSval has come to the sender.
    pub(super) fn hear(&mut self, stamp: u32) {
        if stamp.wrapping_sub(self.recent).cast_signed() > 0 {
            self.recent = stamp;
        }
    }

    /// The header of a segment that leaves now, and its TSval.
    fn header(&mut self, now: Time, segment: &Segment, ends: Ends) -> (TcpHeader, u32) {
        let back = Self::answers(segment);
        let mut header = TcpHeader::new(ends.port(back), ends.port(!back), 0, 0);
        let has = |bits| segment.flags.has(bits);
        (header.fin, header.psh, header.ece, header.cwr) =
            (has(Flags::FIN), has(Flags::PSH), has(Flags::ECE), has(Flags::CWR));
        header.syn = matches!(segment.kind, SegmentKind::Syn | SegmentKind::SynAck);
        header.ack = segment.kind != SegmentKind::Syn;
        let echo = if back {
            header.sequence_number = u32::from(!header.syn);
            header.acknowledgment_number = self.stream.sequence(self.stream.expand(segment.seq));
            stamp(segment.timestamp)
        } else {
            let number = self.stream.note(segment);
            header.sequence_number = if header.syn { 0 } else { self.stream.sequence(number) };
            header.acknowledgment_number = u32::from(header.ack);
            self.recent
        };
        header.window_size = self.window(segment, back, header.syn);
        let options = self.options(now, segment, echo);
        // Padded to whole words here: cannot fail.
        let _ = header.set_options_raw(&options);
        (header, stamp(now))
    }

    /// Whether it goes from receiver to sender.
    fn answers(segment: &Segment) -> bool {
        matches!(segment.kind, SegmentKind::Ack | SegmentKind::ProbeAck | SegmentKind::SynAck)
    }

    /// The field: scaled, but in a SYN (RFC 7323, section 2.2). Whole segments are told here, so what the shift takes off is
    /// rounded up.
    fn window(&self, segment: &Segment, back: bool, syn: bool) -> u16 {
        let bytes = if back { u64::from(segment.window) * self.mss_bytes } else { u64::from(SENDER_WINDOW) };
        let field = if syn { bytes } else { bytes.div_ceil(1 << self.scale) };
        u16::try_from(field).unwrap_or(u16::MAX)
    }

    /// In Linux's order, filled up with no-operations to whole words.
    fn options(&self, now: Time, segment: &Segment, echo: u32) -> Vec<u8> {
        let mut options = Vec::with_capacity(40);
        let syn = matches!(segment.kind, SegmentKind::Syn | SegmentKind::SynAck);
        if syn {
            options.extend(MSS);
            options.extend(self.mss.to_be_bytes());
        }
        let permitted = syn && self.selective;
        if permitted || self.stamped {
            options.extend(if permitted { SACK_PERMITTED } else { [NOP; 2] });
        }
        if self.stamped {
            options.extend(TIMESTAMPS);
            options.extend(stamp(now).to_be_bytes());
            options.extend(if segment.kind == SegmentKind::Syn { 0 } else { echo }.to_be_bytes());
        } else if permitted {
            options.extend([NOP; 2]);
        }
        if syn && (self.stamped || self.scale > 0) {
            options.push(NOP);
            options.extend(SCALE);
            options.push(self.scale as u8);
        }
        if segment.kind == SegmentKind::Syn && segment.len > 0 {
            options.extend(FAST_OPEN);
            options.extend(COOKIE);
            options.extend([NOP; 2]);
        }
        let blocks = &segment.sack[..usize::from(segment.sack_count).min(segment.sack.len())];
        if !blocks.is_empty() {
            options.extend([NOP, NOP, SACK, 2 + 8 * blocks.len() as u8]);
            for edge in blocks.iter().flatten() {
                options.extend(self.stream.sequence(self.stream.expand(*edge)).to_be_bytes());
            }
        }
        options
    }
}

impl Protocol {
    /// The packet of a segment that leaves now; `size` are its bytes on the wire, as the simulation counts them.
    pub(super) fn wire(&mut self, now: Time, segment: &Segment, size: u16, ends: Ends, number: u16) -> Wired {
        let back = match self {
            Self::Tcp(_) => Talk::answers(segment),
            Self::Udp | Self::Echo => segment.kind == SegmentKind::Ack,
        };
        let (from, to) = (ends.address(back), ends.address(!back));
        let mut bytes = Vec::with_capacity(LONGEST);
        // What follows IP's header is made first: its length is in that.
        let (protocol, rest, payload, stamp) = match self {
            Self::Tcp(talk) => {
                let payload = if back { 0 } else { segment.len as usize };
                let (mut header, stamp) = talk.header(now, segment, ends);
                header.checksum = header.calc_checksum_ipv4_raw(from, to, &ZEROS[..payload]).unwrap_or(0);
                (IpNumber::TCP, header.to_bytes().to_vec(), payload, stamp)
            }
            Self::Udp => {
                let payload = usize::from(size).saturating_sub(Ipv4Header::MIN_LEN + UdpHeader::LEN);
                let mut header = UdpHeader::without_ipv4_checksum(ends.port(back), ends.port(!back), payload)
                    .unwrap_or_default();
                header.checksum = header.calc_checksum_ipv4_raw(from, to, &ZEROS[..payload]).unwrap_or(0);
                (IpNumber::UDP, header.to_bytes().to_vec(), payload, 0)
            }
            Self::Echo => {
                let payload = usize::from(size).saturating_sub(Ipv4Header::MIN_LEN + Icmpv4Header::MIN_LEN);
                let echo = IcmpEchoHeader { id: ends.port(false), seq: segment.seq as u16 };
                let kind = if back { Icmpv4Type::EchoReply(echo) } else { Icmpv4Type::EchoRequest(echo) };
                let header = Icmpv4Header::with_checksum(kind, &ZEROS[..payload]);
                (IpNumber::ICMP, header.to_bytes().to_vec(), payload, 0)
            }
        };
        let length = rest.len() + payload;
        let low = segment.is_low_priority();
        let header = Ipv4Header {
            dscp: IpDscp::try_new(if low { LOWER_EFFORT } else { 0 }).unwrap_or_default(),
            ecn: if segment.flags.has(Flags::ECT) { IpEcn::TWO } else { IpEcn::ZERO },
            total_len: u16::try_from(Ipv4Header::MIN_LEN + length).unwrap_or(u16::MAX),
            identification: number,
            dont_fragment: true,
            time_to_live: 64,
            protocol,
            source: from,
            destination: to,
            ..Ipv4Header::default()
        };
        let header = Ipv4Header { header_checksum: header.calc_header_checksum(), ..header };
        bytes.extend(header.to_bytes());
        bytes.extend(rest);
        Wired { bytes, length: u32::from(header.total_len), stamp }
    }
}
