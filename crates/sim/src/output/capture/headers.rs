// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets as a real network carries them: TCP, UDP or ICMP over IP, with zeros as data.

use super::conversations::{Conversations, user_port};
use super::ip::{Hosts, Inner, Ip, IpFields, zeros};
use super::stream::Stream;
use engine::Body;
use etherparse::{IcmpEchoHeader, TcpHeader, UdpHeader};
use hosts::{AnyBody, write_ecn};
use link::Ecn;
use scenario::{FlowKind, TransportConfig};
use tcp::{Config, Flags, Recovery, Segment, SegmentKind, Setup, accurate};
use units::Time;

/// Length of the longest headers after the IP header: TCP with 40 bytes of options.
const LONGEST: usize = 60;
/// Length of the header of UDP or of an ICMP echo.
const UDP: usize = 8;
const ECHO: usize = 8;
/// Port of receivers: discard (RFC 863). Senders use dynamic ports (RFC 6335, section 6).
pub(super) const DISCARD: u16 = 9;
pub(super) const DYNAMIC: u16 = 49152;
/// Offset between the initial sequence numbers of consecutive parts of a split flow.
pub(super) const PART: u32 = 100_000_000;
/// The window that a sender announces. It has no effect, because the sender receives no data.
const SENDER_WINDOW: u32 = 65_535;
/// TCP options: kind and length (IANA, "TCP Option Kind Numbers").
const MSS: [u8; 2] = [2, 4];
const SACK_PERMITTED: [u8; 2] = [4, 2];
const SCALE: [u8; 2] = [3, 3];
const SACK: u8 = 5;
const TIMESTAMPS: [u8; 2] = [8, 10];
/// Fast Open option (RFC 7413, section 4.1.1) with a cookie of eight bytes.
const FAST_OPEN: [u8; 2] = [34, 10];
const COOKIE: [u8; 8] = *b"bentpipe";
/// AccECN option (RFC 9768, section 7).
const ACC_ECN_0: u8 = 172;
const ACC_ECN_1: u8 = 174;
const NOP: u8 = 1;
/// Port of a QUIC server.
const HTTPS: u16 = 443;

/// A packet as on a real network.
#[derive(Clone, Debug)]
pub(super) struct Wired {
    bytes: Vec<u8>,
    /// Length of the packet, including the zeros after the headers.
    pub(super) length: u32,
    /// TSval of a TCP segment.
    stamp: u32,
    /// Number of the packet's connection, for an application.
    connection: u32,
}

impl Wired {
    /// Returns the bytes to write, and the number of zeros that follow. With `snap`, the first `snap` bytes are
    /// written. Otherwise, the headers are written.
    pub(super) fn kept(&self, snap: Option<u32>) -> (&[u8], usize) {
        let headers = self.bytes.len();
        let kept = snap.map_or(headers, |snap| snap.min(self.length) as usize);
        (&self.bytes[..headers.min(kept)], kept.saturating_sub(headers))
    }

    /// Sets the present ECN codepoint. A queue may have marked the packet, or a middlebox may have cleared the field.
    pub(super) fn carry(&mut self, ecn: Ecn) {
        write_ecn(&mut self.bytes, ecn);
    }
}

/// Creates the headers of the packets of a flow.
#[derive(Clone, Debug)]
pub(super) struct FlowHeaders {
    hosts: Hosts,
    protocol: Protocol,
    /// Number of packets that the sender and the receiver have sent.
    sent: [u16; 2],
}

/// The protocol of a flow.
#[derive(Clone, Debug)]
enum Protocol {
    Tcp(Box<Single>),
    Application(Box<Conversations>),
    Udp,
    /// A QUIC connection that the sender opens. Its packets contain real bytes.
    Quic,
    /// QUIC connections of an application, which its users open.
    QuicApplication,
    Echo,
    /// Packets with real bytes, including their headers.
    Whole,
}

/// A TCP connection, and the connections that replace it after resets.
#[derive(Clone, Debug)]
struct Single {
    /// Settings of the sender and of the receiver.
    ends: [Config; 2],
    ip: Ip,
    initial: u32,
    /// Number of the present connection, counted from 0.
    number: u32,
    talk: HeaderState,
}

impl Single {
    fn new(ends: [Config; 2], ip: Ip, initial: u32) -> Self {
        let talk = HeaderState::new(ends.each_ref(), ip).beginning_at(initial);
        Self { ends, ip, initial, number: 0, talk }
    }

    /// Returns the header of a segment that the connection `number` sends now. A new connection uses the next port.
    fn header(&mut self, now: Time, number: u32, segment: &Segment, flow: u32) -> TcpHeader {
        if number != self.number {
            let fresh = Self::new(self.ends.clone(), self.ip, self.initial);
            *self = Self { number, ..fresh };
        }
        self.talk.header(now, segment, flow.wrapping_add(number))
    }
}

/// The state on which TCP headers depend.
#[derive(Clone, Debug)]
pub(super) struct HeaderState {
    stream: Stream,
    /// Options in the SYN of the sender and of the receiver.
    sides: [Side; 2],
    selective: bool,
    /// Whether packets have timestamps: both ends use them, and the header size in the scenario has space for them.
    stamped: bool,
    /// Whether windows are scaled. Either both SYNs have the option, or neither has it (RFC 7323, section 2.2).
    scaled: bool,
    mss_bytes: u64,
    /// Kind of the AccECN option; `None` if headers do not count marks.
    accurate: Option<u8>,
    /// The newest TSval that arrived at the sender.
    recent: u32,
}

/// Options in the SYN of one end.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// Length of the longest segment that the end accepts.
    mss: u16,
    /// Shift of the end's windows.
    scale: u32,
}

/// Returns a timestamp of a clock with a period of 1 ms (RFC 7323, section 5.4). The value 0 means that no packet has
/// arrived.
fn stamp(at: Time) -> u32 {
    (at.nanos() / 1_000_000 + 1) as u32
}

fn port(flow: u32, receiver: bool) -> u16 {
    if receiver { DISCARD } else { DYNAMIC + (flow % (1 << 14)) as u16 }
}

/// Returns the header of a datagram that the end `from` sends.
fn udp(ports: [u16; 2], from: usize, payload: usize) -> UdpHeader {
    UdpHeader::without_ipv4_checksum(ports[from], ports[1 - from], payload).unwrap_or_default()
}

impl HeaderState {
    /// Creates the state for a sender with the first settings and a receiver with the second settings.
    pub(super) fn new(ends: [&Config; 2], ip: Ip) -> Self {
        let [config, receiver] = ends;
        // The smaller MSS applies (RFC 9293, section 3.7.1).
        let mss = config.mss.min(receiver.mss);
        // Timestamps need the IP header, 20 bytes of TCP and 10 bytes for the option. If the header size in the
        // scenario is too small for IPv6, it was counted for IPv4.
        let header = config.header.min(receiver.header) as usize;
        let before = if header >= ip.header() + 20 { ip } else { Ip::V4 }.header();
        let stamped = config.timestamps && receiver.timestamps && header >= before + 30;
        let options = if stamped { 12 } else { 0 };
        Self {
            stream: Stream::new(mss, config.setup == Setup::Ns2Linux),
            sides: ends.map(|end| Side {
                // The MSS option ignores all other options (RFC 6691).
                mss: u16::try_from(end.mss + options).unwrap_or(u16::MAX),
                scale: end.window_scale(),
            }),
            selective: Self::is_selective(config),
            stamped,
            scaled: stamped || ends.iter().any(|end| end.window_scale() > 0),
            mss_bytes: mss.into(),
            accurate: config
                .ecn
                .filter(|ecn| ecn.is_accurate())
                .map(|ecn| if ecn.codepoint() == Flags::ECT { ACC_ECN_0 } else { ACC_ECN_1 }),
            recent: 0,
        }
    }

    /// Sets whether this half permits SACK, for a connection whose other half requests it.
    pub(super) fn permitting(mut self, selective: bool) -> Self {
        self.selective |= selective;
        self
    }

    /// Returns whether the sender requests SACK.
    pub(super) const fn is_selective(config: &Config) -> bool {
        matches!(config.recovery, Recovery::Sack | Recovery::RackTlp)
    }

    /// Sets the initial sequence number of both ends.
    pub(super) fn beginning_at(mut self, initial: u32) -> Self {
        self.stream = self.stream.beginning_at(initial);
        self
    }

    pub(super) const fn initial(&self) -> u32 {
        self.stream.initial()
    }

    /// Returns the sequence number of the next data of this end.
    pub(super) fn next(&self) -> u32 {
        self.stream.sequence(self.stream.next())
    }

    /// Returns the initial window of the sending end, as in its SYN.
    pub(super) fn syn_window(&self, config: &Config) -> u16 {
        u16::try_from(u64::from(config.window_segments()) * self.mss_bytes).unwrap_or(u16::MAX)
    }

    /// Returns the initial window of the sending end, as in segments after the SYN.
    pub(super) fn first_window(&self, config: &Config) -> u16 {
        let bytes = u64::from(config.window_segments()) * self.mss_bytes;
        u16::try_from(bytes.div_ceil(1 << self.sides[0].scale)).unwrap_or(u16::MAX)
    }

    /// Records that a packet with this TSval arrived at the sender.
    pub(super) fn hear(&mut self, stamp: u32) {
        if stamp.wrapping_sub(self.recent).cast_signed() > 0 {
            self.recent = stamp;
        }
    }

    /// Returns the header of a segment that leaves now. `from` selects the port of its sender.
    pub(super) fn header(&mut self, now: Time, segment: &Segment, from: u32) -> TcpHeader {
        let back = Self::answers(segment);
        let mut header = TcpHeader::new(port(from, back), port(from, !back), 0, 0);
        let has = |bits| segment.flags.has(bits);
        (header.fin, header.psh, header.ece, header.cwr) =
            (has(Flags::FIN), has(Flags::PSH), has(Flags::ECE), has(Flags::CWR));
        if self.accurate.is_some() {
            // AE, CWR and ECE together are one field (RFC 9768, section 3.2.2).
            let data =
                matches!(segment.kind, SegmentKind::Data | SegmentKind::Probe | SegmentKind::WindowProbe);
            let bits = if data { accurate::DATA } else { segment.flags };
            header.psh &= data;
            (header.ns, header.cwr, header.ece) =
                (bits.has(Flags::AE), bits.has(Flags::CWR), bits.has(Flags::ECE));
        }
        header.syn = matches!(segment.kind, SegmentKind::Syn | SegmentKind::SynAck);
        header.ack = segment.kind != SegmentKind::Syn;
        let echo = if back {
            header.sequence_number = self.stream.initial().wrapping_add(u32::from(!header.syn));
            header.acknowledgment_number = self.stream.sequence(self.stream.expand(segment.seq));
            stamp(segment.timestamp)
        } else {
            let number = self.stream.note(segment);
            header.sequence_number =
                if header.syn { self.stream.initial() } else { self.stream.sequence(number) };
            if header.ack {
                header.acknowledgment_number = self.stream.initial().wrapping_add(1);
            }
            if segment.kind == SegmentKind::WindowProbe {
                // The segment repeats an old sequence number without data, so that the receiver answers (RFC 9293,
                // section 3.10.7.4). tcp_xmit_probe_skb() in Linux does the same.
                header.sequence_number = header.sequence_number.wrapping_sub(1);
            }
            self.recent
        };
        header.window_size = self.window(segment, back, header.syn);
        let options = self.options(now, segment, echo);
        // The options are padded to whole words above, so this cannot fail.
        let _ = header.set_options_raw(&options);
        header
    }

    /// Returns whether the segment travels from receiver to sender.
    pub(super) const fn answers(segment: &Segment) -> bool {
        matches!(segment.kind, SegmentKind::Ack | SegmentKind::ProbeAck | SegmentKind::SynAck)
    }

    /// Returns the window field. It is scaled, except in a SYN (RFC 7323, section 2.2). The shift would remove a
    /// fraction, so the value is rounded up.
    fn window(&self, segment: &Segment, back: bool, syn: bool) -> u16 {
        let bytes = if back { u64::from(segment.window) * self.mss_bytes } else { u64::from(SENDER_WINDOW) };
        let scale = self.sides[usize::from(back)].scale;
        let field = if syn { bytes } else { bytes.div_ceil(1 << scale) };
        u16::try_from(field).unwrap_or(u16::MAX)
    }

    /// Returns the options in the order of Linux, padded with no-operations to whole words.
    fn options(&self, now: Time, segment: &Segment, echo: u32) -> Vec<u8> {
        let mut options = Vec::with_capacity(40);
        let Side { mss, scale } = self.sides[usize::from(Self::answers(segment))];
        let syn = matches!(segment.kind, SegmentKind::Syn | SegmentKind::SynAck);
        if syn {
            options.extend(MSS);
            options.extend(mss.to_be_bytes());
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
        if syn && self.scaled {
            options.push(NOP);
            options.extend(SCALE);
            options.push(scale as u8);
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
        if let Some(kind) = self.accurate
            && !syn
            && Self::answers(segment)
        {
            // RFC 9768, section 3.2.3, figure 4: EE0B or EE1B, then ECEB. The third counter is omitted.
            let [marked, capable] = segment.counters();
            options.extend([kind, 8]);
            options.extend(&capable.to_be_bytes()[1..]);
            options.extend(&marked.to_be_bytes()[1..]);
        }
        options
    }
}

impl FlowHeaders {
    /// Creates the headers of flow number `flow`, or of its part `place`, counted from 0. For TCP, `ends` are the
    /// settings of sender and receiver.
    ///
    /// A proxy is transparent (RFC 3135, section 2.5): both of its connections have the addresses and ports of the
    /// flow's hosts. PEPsal works in the same way: it answers in place of one host, and connects to the other host from
    /// the address and port of the first host. Each connection has its own sequence numbers.
    pub(super) fn new(kind: &FlowKind, ends: Option<[Config; 2]>, flow: u32, place: usize, ip: Ip) -> Self {
        let initial = PART.wrapping_mul(place as u32);
        let protocol = match (kind, ends) {
            (FlowKind::Tcp { .. }, Some(ends)) => Protocol::Tcp(Box::new(Single::new(ends, ip, initial))),
            (FlowKind::Application { .. }, Some(ends)) => {
                Protocol::Application(Box::new(Conversations::new(ends, ip, initial)))
            }
            (FlowKind::Ping { .. }, _) => Protocol::Echo,
            (FlowKind::Tap { .. }, _) => Protocol::Whole,
            (FlowKind::Quic { .. }, _) => Protocol::Quic,
            (FlowKind::Application { transport: TransportConfig::Quic(_), .. }, _) => {
                Protocol::QuicApplication
            }
            _ => Protocol::Udp,
        };
        Self { hosts: Hosts { ip, flow }, protocol, sent: [0; 2] }
    }

    /// Returns the length of the longest headers of a packet.
    pub(super) const fn longest(ip: Ip) -> u32 {
        (ip.header() + LONGEST) as u32
    }

    /// Returns the largest number of bytes that are kept of a packet: its headers, or the whole datagram of QUIC.
    pub(super) const fn most_kept(&self) -> u32 {
        match self.protocol {
            Protocol::Quic | Protocol::QuicApplication | Protocol::Whole => u16::MAX as u32,
            _ => Self::longest(self.hosts.ip),
        }
    }

    /// Returns the address of a host.
    pub(super) fn address(&self, receiver: bool) -> String {
        self.hosts.address(receiver)
    }

    /// Returns the packet for a body that the end `from` sends now on a connection. `size` is the number of bytes on
    /// the wire in the simulation.
    pub(super) fn wire(
        &mut self,
        now: Time,
        from: usize,
        connection: u32,
        body: &AnyBody,
        size: u16,
    ) -> Wired {
        let Hosts { ip, flow } = self.hosts;
        if matches!(self.protocol, Protocol::Whole) {
            let bytes = body.buffer().bytes.to_vec();
            let length = bytes.len() as u32;
            return Wired { bytes, length, stamp: stamp(now), connection };
        }
        let room = |header: usize| usize::from(size).saturating_sub(ip.header() + header);
        // Data of a packet with real bytes. The data of other packets are zeros.
        let mut content: &[u8] = &[];
        let (back, inner, payload) = match &mut self.protocol {
            Protocol::Tcp(single) => {
                let segment = body.segment();
                let back = HeaderState::answers(segment);
                let payload = if back { 0 } else { segment.len as usize };
                (back, Inner::Tcp(single.header(now, connection, segment, flow)), payload)
            }
            Protocol::Application(connections) => {
                let segment = body.segment();
                let payload = if HeaderState::answers(segment) { 0 } else { segment.len as usize };
                let header = connections.header(now, connection, from, segment);
                (from == 1, Inner::Tcp(header), payload)
            }
            Protocol::Udp => {
                let payload = room(UDP);
                let ports = [port(flow, false), port(flow, true)];
                (from == 1, Inner::Udp(udp(ports, from, payload)), payload)
            }
            Protocol::Quic => {
                content = &body.buffer().bytes;
                let ports = [port(flow, false), HTTPS];
                (from == 1, Inner::Udp(udp(ports, from, content.len())), content.len())
            }
            Protocol::QuicApplication => {
                content = &body.buffer().bytes;
                let ports = [HTTPS, user_port(connection)];
                (from == 1, Inner::Udp(udp(ports, from, content.len())), content.len())
            }
            Protocol::Echo => {
                let datagram = body.datagram();
                let echo = IcmpEchoHeader { id: port(flow, false), seq: datagram.number as u16 };
                let inner = if datagram.is_reply { Inner::Reply(echo) } else { Inner::Request(echo) };
                (datagram.is_reply, inner, room(ECHO))
            }
            Protocol::Whole => unreachable!("written above"),
        };
        let number = &mut self.sent[usize::from(back)];
        let fields = IpFields { low: body.is_low_priority(), ecn: body.ecn(), number: *number };
        *number = number.wrapping_add(1);
        let data = if content.is_empty() { zeros(payload) } else { content };
        let mut bytes = self.hosts.packet(back, inner, data, fields);
        let length = (bytes.len() + payload) as u32;
        bytes.extend(content);
        Wired { bytes, length, stamp: stamp(now), connection }
    }

    /// Records that a packet arrived at the end `to`.
    pub(super) fn heard(&mut self, to: usize, packet: &Wired) {
        match &mut self.protocol {
            // Packets of an earlier connection are ignored.
            Protocol::Tcp(single) if to == 0 && packet.connection == single.number => {
                single.talk.hear(packet.stamp);
            }
            Protocol::Application(connections) => connections.hear(packet.connection, to, packet.stamp),
            Protocol::Tcp(_)
            | Protocol::Udp
            | Protocol::Quic
            | Protocol::QuicApplication
            | Protocol::Echo
            | Protocol::Whole => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::ControllerChoice;
    use units::Span;

    fn kind(kind: SegmentKind, seq: u32, len: u32) -> Segment {
        Segment { kind, seq, len, ..Segment::default() }
    }

    fn fields(header: &TcpHeader) -> (u16, u32, u32) {
        (header.source_port, header.sequence_number, header.acknowledgment_number)
    }

    /// The second part of flow 3, in the style of RFC 9293, figure 6, worked out by hand. Both ends count from
    /// 100,000,000. The packets are: SYN, SYN-ACK, ACK; 1,000 and 500 bytes and their ACK; a window probe, one below
    /// the acknowledged number. The next connection uses the next port and starts again.
    #[test]
    fn a_part_counts_by_hand() {
        let config = Config { mss: 1000, ..Config::default() };
        let mut part = Single::new([config.clone(), config], Ip::V4, PART);
        let mut fields = |number, segment: Segment| fields(&part.header(Time::ZERO, number, &segment, 3));
        for (number, port) in [(0, 49155), (1, 49156), (2, 49157)] {
            assert_eq!(fields(number, kind(SegmentKind::Syn, 0, 0)), (port, 100_000_000, 0));
            assert_eq!(fields(number, kind(SegmentKind::SynAck, 0, 0)), (9, 100_000_000, 100_000_001));
            assert_eq!(
                fields(number, kind(SegmentKind::HandshakeAck, 0, 0)),
                (port, 100_000_001, 100_000_001)
            );
            assert_eq!(fields(number, kind(SegmentKind::Data, 0, 1000)), (port, 100_000_001, 100_000_001));
            assert_eq!(fields(number, kind(SegmentKind::Data, 1, 500)), (port, 100_001_001, 100_000_001));
            assert_eq!(fields(number, kind(SegmentKind::Ack, 2, 0)), (9, 100_000_001, 100_001_501));
            assert_eq!(
                fields(number, kind(SegmentKind::WindowProbe, 2, 0)),
                (port, 100_001_500, 100_000_001)
            );
        }
    }

    /// A clock of 1 ms that starts at 1. A packet that leaves at 4 ms has TSval 5. The connection that it reaches
    /// echoes this value; the next connection does not.
    #[test]
    fn stamps_of_an_earlier_connection_are_not_echoed() {
        let config = Config { mss: 1000, ..Config::default() };
        let flow = FlowKind::Tcp {
            controller: ControllerChoice { name: "reno".to_owned(), parameters: Vec::new() },
            config: config.clone(),
            transfer: tcp::Transfer::Endless,
        };
        let mut packet_headers = FlowHeaders::new(&flow, Some([config.clone(), config]), 0, 1, Ip::V4);
        let ack = |packet_headers: &mut FlowHeaders, ms| {
            let ack = AnyBody::Segment(kind(SegmentKind::Ack, 0, 0));
            packet_headers.wire(Time::ZERO + Span::from_millis(ms), 1, 0, &ack, 52)
        };
        // The echoed value follows 40 bytes of headers, two no-operations, kind, length and TSval.
        let echoed = |packet_headers: &mut FlowHeaders, number| {
            let data = AnyBody::Segment(kind(SegmentKind::Data, 0, 1000));
            let packet = packet_headers.wire(Time::ZERO, 0, number, &data, 1052);
            packet.bytes[48..52].to_vec()
        };
        let (sooner, later) = (ack(&mut packet_headers, 4), ack(&mut packet_headers, 6));
        assert_eq!(echoed(&mut packet_headers, 0), [0, 0, 0, 0]);
        packet_headers.heard(0, &sooner);
        assert_eq!(echoed(&mut packet_headers, 0), [0, 0, 0, 5]);
        assert_eq!(echoed(&mut packet_headers, 1), [0, 0, 0, 0]);
        packet_headers.heard(0, &later);
        assert_eq!(echoed(&mut packet_headers, 1), [0, 0, 0, 0]);
    }
}
