// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bodies of the packets that the simulator's own endpoints send to each other.

use crate::messages::Message;
use engine::Body;
use link::{Ack, Ecn};
use tcp::{Flags, Segment, SegmentKind};
use units::Time;

/// Body of any packet. Each protocol has its own kind of body. Both endpoints of a pair send the same kind.
#[derive(Clone, Debug, saved::Plain)]
pub enum AnyBody {
    /// A segment of TCP.
    Segment(Segment),
    /// A segment of an application's connection, with the messages of the application.
    SegmentAndMessages(Box<SegmentAndMessages>),
    /// A datagram of constant-bit-rate UDP or of an echo.
    Datagram(Datagram),
    /// A packet of a call.
    Frame(Frame),
    /// A packet with real bytes. It comes from an endpoint that writes its own packets (a QUIC library or a network
    /// interface).
    Buffer(Buffer),
}

/// A segment together with messages of an application.
#[derive(Clone, Debug, PartialEq, Eq, saved::Plain)]
pub struct SegmentAndMessages {
    /// The segment.
    pub segment: Segment,
    /// The messages in the bytes of the segment, and in earlier bytes that are not acknowledged.
    pub messages: Box<[Message]>,
}

/// A packet of constant-bit-rate UDP, an echo, or the reply to an echo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Datagram {
    /// Sending time. A reply contains the sending time of its echo.
    pub sent_at: Time,
    /// Number of the packet. A reply contains the number of its echo.
    pub number: u32,
    /// Size on the wire, in bytes.
    pub len: u16,
    /// Whether the packet is the reply to an echo.
    pub is_reply: bool,
}

/// One packet of a frame of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Frame {
    /// Sending time.
    pub sent_at: Time,
    /// Number of the packet.
    pub number: u32,
    /// Number of the frame.
    pub frame: u32,
    /// Number of packets of the frame.
    pub packets: u32,
    /// Size on the wire, in bytes.
    pub len: u16,
    /// Whether the called end sent the packet.
    pub is_back: bool,
}

/// A packet with real bytes. A copy of the packet contains a copy of the bytes.
#[derive(Clone, Debug, PartialEq, Eq, saved::Plain)]
pub struct Buffer {
    /// The content of the packet, without UDP and IP headers.
    pub bytes: Box<[u8]>,
    /// Sending time.
    pub sent_at: Time,
    /// Number of the packet in the table of packets.
    pub number: u32,
    /// ECN codepoint in the IP header of the packet.
    pub ecn: Ecn,
    /// The content that the sender put into the packet. Links ignore it, except for lists of losses.
    pub kind: BufferKind,
    /// Number of the destination endpoint, if the sender is unconnected.
    pub to: Option<u32>,
}

/// The content of a packet with real bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum BufferKind {
    /// Data, or anything else that the receiver acknowledges.
    #[default]
    Data,
    /// Only acknowledgements.
    Ack,
    /// Messages of the handshake.
    Handshake,
}

/// A packet between endpoints. It fits into one cache line.
pub type Packet = engine::Packet<AnyBody>;

const _: () = assert!(size_of::<Packet>() == 64, "a packet is one cache line");
const _: () = assert!(size_of::<Option<Packet>>() == 64, "its entry in the slab is one cache line too");

impl AnyBody {
    /// Returns the segment that arrived at an endpoint of TCP.
    ///
    /// # Panics
    /// If the body is of another kind.
    #[inline]
    pub fn segment(&self) -> &Segment {
        match self {
            Self::Segment(segment) => segment,
            Self::SegmentAndMessages(both) => &both.segment,
            _ => self.is_foreign(),
        }
    }
    /// Returns the messages that the segment carries.
    pub fn messages(&self) -> &[Message] {
        if let Self::SegmentAndMessages(both) = self { &both.messages } else { &[] }
    }
    /// Returns the datagram that arrived at an endpoint of constant-bit-rate UDP or of echoes.
    ///
    /// # Panics
    /// If the body is of another kind.
    pub fn datagram(&self) -> &Datagram {
        if let Self::Datagram(datagram) = self { datagram } else { self.is_foreign() }
    }
    /// Returns the packet that arrived at an end of a call.
    ///
    /// # Panics
    /// If the body is of another kind.
    pub fn frame(&self) -> &Frame {
        if let Self::Frame(frame) = self { frame } else { self.is_foreign() }
    }
    /// Returns the packet with real bytes that arrived at an endpoint that writes its own packets.
    ///
    /// # Panics
    /// If the body is of another kind.
    pub fn buffer(&self) -> &Buffer {
        if let Self::Buffer(buffer) = self { buffer } else { self.is_foreign() }
    }
    /// Panics because an endpoint received a body that its peer cannot have sent. The cause is a defect of Bentpipe,
    /// never of a scenario.
    #[cold]
    fn is_foreign(&self) -> ! {
        panic!("an endpoint got a body of another protocol: {self:?}")
    }
}

impl Body for AnyBody {
    #[inline]
    fn warn(&mut self) {
        match self {
            Self::Segment(segment) => segment.warn(),
            Self::SegmentAndMessages(both) => both.segment.warn(),
            Self::Datagram(_) | Self::Frame(_) | Self::Buffer(_) => {}
        }
    }
    #[inline]
    fn is_low_priority(&self) -> bool {
        match self {
            Self::Segment(segment) => segment.is_low_priority(),
            Self::SegmentAndMessages(both) => both.segment.is_low_priority(),
            Self::Datagram(_) | Self::Frame(_) | Self::Buffer(_) => false,
        }
    }
    fn carries_data(&self) -> bool {
        match self {
            Self::Segment(segment) => counts_as_data(segment),
            Self::SegmentAndMessages(both) => counts_as_data(&both.segment),
            Self::Datagram(datagram) => !datagram.is_reply && datagram.len > 0,
            Self::Frame(frame) => frame.len > 0,
            Self::Buffer(buffer) => buffer.kind == BufferKind::Data && !buffer.bytes.is_empty(),
        }
    }
    fn ack(&self) -> Option<Ack> {
        match self {
            Self::Segment(segment) => (segment.kind == SegmentKind::Ack).then(|| pure_ack(segment)),
            Self::SegmentAndMessages(_) | Self::Datagram(_) | Self::Frame(_) | Self::Buffer(_) => None,
        }
    }
    #[inline]
    fn ecn(&self) -> Ecn {
        match self {
            Self::Segment(segment) => codepoint(segment.flags),
            Self::SegmentAndMessages(both) => codepoint(both.segment.flags),
            Self::Datagram(_) | Self::Frame(_) => Ecn::NotEct,
            Self::Buffer(buffer) => buffer.ecn,
        }
    }
    fn destination(&self) -> Option<u32> {
        if let Self::Buffer(buffer) = self { buffer.to } else { None }
    }
    #[inline]
    fn mark_ce(&mut self) {
        match self {
            Self::Segment(segment) => segment.flags |= Flags::CE,
            Self::SegmentAndMessages(both) => both.segment.flags |= Flags::CE,
            Self::Datagram(_) | Self::Frame(_) => unreachable!("datagrams and frames are not ECN-capable"),
            Self::Buffer(buffer) => buffer.ecn = Ecn::Ce,
        }
    }
    fn bleach(&mut self) {
        match self {
            Self::Segment(segment) => segment.flags = segment.flags.without(Flags::CE),
            Self::SegmentAndMessages(both) => both.segment.flags = both.segment.flags.without(Flags::CE),
            Self::Datagram(_) | Self::Frame(_) => unreachable!("datagrams and frames are not ECN-capable"),
            Self::Buffer(buffer) => buffer.ecn = Ecn::NotEct,
        }
    }
}

/// Returns whether a segment counts as data. Probes also carry payload, but they do not count.
fn counts_as_data(segment: &Segment) -> bool {
    matches!(segment.kind, SegmentKind::Syn | SegmentKind::Data) && segment.len > 0
}

/// Returns the fields of an acknowledgement that thinning needs.
fn pure_ack(segment: &Segment) -> Ack {
    let [ece, cwr] = [Flags::ECE, Flags::CWR].map(|bit| u8::from(segment.flags.has(bit)));
    // AccECN's option is present if at least one of its counters is not zero, because they begin at 1 (RFC 9768,
    // section 3.2.1).
    let accurate = segment.sack_count < 3 && segment.counters() != [0; 2];
    Ack {
        number: segment.seq,
        echo: segment.timestamp,
        sack: segment.sack,
        blocks: segment.sack_count,
        ecn: ece | cwr << 1,
        unknown: accurate || segment.flags.has_any(Flags::AE | Flags::FIN),
    }
}

/// Returns the ECN codepoint in the flags of a segment.
#[inline]
fn codepoint(bits: Flags) -> Ecn {
    match (bits.has(Flags::ECT), bits.has(Flags::ECT1)) {
        (false, false) => Ecn::NotEct,
        (true, false) => Ecn::Ect0,
        (false, true) => Ecn::Ect1,
        (true, true) => Ecn::Ce,
    }
}

/// Returns the name of a segment's kind in the table of packets.
const fn kind(segment: &Segment) -> &'static str {
    match segment.kind {
        SegmentKind::Data => "data",
        SegmentKind::Probe => "probe",
        SegmentKind::Ack => "ack",
        SegmentKind::ProbeAck => "probe ack",
        SegmentKind::Syn => "syn",
        SegmentKind::SynAck => "syn ack",
        SegmentKind::HandshakeAck => "handshake ack",
        SegmentKind::WindowProbe => "window probe",
    }
}

/// The data of a body that the table of packets contains.
pub trait Labelled {
    /// Returns the number of the segment or packet.
    fn sequence(&self) -> u64;
    /// Returns the kind, for example "data", "ack" or "syn".
    fn kind(&self) -> &'static str;
}

impl Labelled for AnyBody {
    fn sequence(&self) -> u64 {
        u64::from(match self {
            Self::Segment(segment) => segment.seq,
            Self::SegmentAndMessages(both) => both.segment.seq,
            Self::Datagram(Datagram { number, .. })
            | Self::Frame(Frame { number, .. })
            | Self::Buffer(Buffer { number, .. }) => *number,
        })
    }
    fn kind(&self) -> &'static str {
        match self {
            Self::Segment(segment) => kind(segment),
            Self::SegmentAndMessages(both) => kind(&both.segment),
            Self::Datagram(datagram) => {
                if datagram.is_reply {
                    "ack"
                } else {
                    "data"
                }
            }
            Self::Frame(frame) => {
                if frame.is_back {
                    "data back"
                } else {
                    "data"
                }
            }
            Self::Buffer(buffer) => match buffer.kind {
                BufferKind::Data => "data",
                BufferKind::Ack => "ack",
                BufferKind::Handshake => "handshake",
            },
        }
    }
}
