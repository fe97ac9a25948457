// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bodies of the engine's packets between the simulator's own endpoints.

use crate::messages::Message;
use engine::Body;
use link::{Ack, Ecn};
use tcp::{Flags, Segment, SegmentKind};
use units::Time;

/// The body of any packet: one kind for each protocol between endpoints. Both endpoints of a pair send the same kind.
#[derive(Clone, Debug, saved::Plain)]
pub enum AnyBody {
    /// Of TCP.
    Segment(Segment),
    /// Of a connection of an application: a segment and the meaning of its bytes.
    SegmentAndMessages(Box<SegmentAndMessages>),
    /// Of constant-bit-rate UDP, or of an echo.
    Datagram(Datagram),
    /// Of a call.
    Frame(Frame),
    /// Of an endpoint that writes its own packets: a QUIC library, or a network interface.
    Buffer(Buffer),
}

/// A segment with the messages of an application.
#[derive(Clone, Debug, PartialEq, Eq, saved::Plain)]
pub struct SegmentAndMessages {
    /// The segment.
    pub segment: Segment,
    /// The meaning of its bytes, and of those before it that are not acknowledged.
    pub messages: Box<[Message]>,
}

/// A packet of constant-bit-rate UDP, an echo or its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Datagram {
    /// Its sending time; for a reply, that of its echo.
    pub sent_at: Time,
    /// Its number; for a reply, the number of its echo.
    pub number: u32,
    /// Bytes on the wire.
    pub len: u16,
    /// Whether it is the reply to an echo.
    pub is_reply: bool,
}

/// One of the packets of a frame of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Frame {
    /// When it was sent.
    pub sent_at: Time,
    /// Number of the packet.
    pub number: u32,
    /// Number of the frame.
    pub frame: u32,
    /// Packets of the frame.
    pub packets: u32,
    /// Bytes on the wire.
    pub len: u16,
    /// Whether the end that was called sent it.
    pub is_back: bool,
}

/// A packet of real bytes. A copy of the packet has bytes of its own.
#[derive(Clone, Debug, PartialEq, Eq, saved::Plain)]
pub struct Buffer {
    /// The content, without headers of UDP and IP.
    pub bytes: Box<[u8]>,
    /// The number by which the table of packets shows it.
    pub number: u32,
    /// The codepoint of its IP header.
    pub ecn: Ecn,
    /// Number of its destination endpoint, if its sender is unconnected.
    pub to: Option<u32>,
}

/// A packet of an endpoint: one cache line.
pub type Packet = engine::Packet<AnyBody>;

const _: () = assert!(size_of::<Packet>() == 64, "a packet is one cache line");
const _: () = assert!(size_of::<Option<Packet>>() == 64, "its entry in the slab is one cache line too");

impl AnyBody {
    /// The segment that arrived at an endpoint of TCP.
    ///
    /// # Panics
    /// If it is of another kind.
    #[inline]
    pub fn segment(&self) -> &Segment {
        match self {
            Self::Segment(segment) => segment,
            Self::SegmentAndMessages(both) => &both.segment,
            _ => self.is_foreign(),
        }
    }
    /// The messages in the bytes of the segment's connection.
    pub fn messages(&self) -> &[Message] {
        if let Self::SegmentAndMessages(both) = self { &both.messages } else { &[] }
    }
    /// The datagram that arrived at an endpoint of constant-bit-rate UDP or of echoes.
    ///
    /// # Panics
    /// If it is of another kind.
    pub fn datagram(&self) -> &Datagram {
        if let Self::Datagram(datagram) = self { datagram } else { self.is_foreign() }
    }
    /// The packet that arrived at an end of a call.
    ///
    /// # Panics
    /// If it is of another kind.
    pub fn frame(&self) -> &Frame {
        if let Self::Frame(frame) = self { frame } else { self.is_foreign() }
    }
    /// An endpoint received a body that its peer cannot have sent: a defect of Bentpipe, never of a scenario.
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
            Self::Buffer(buffer) => !buffer.bytes.is_empty(),
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

/// Whether a segment counts as data: probes carry payload too, but do not count.
fn counts_as_data(segment: &Segment) -> bool {
    matches!(segment.kind, SegmentKind::Syn | SegmentKind::Data) && segment.len > 0
}

/// The content of an acknowledgement.
fn pure_ack(segment: &Segment) -> Ack {
    let [ece, cwr] = [Flags::ECE, Flags::CWR].map(|bit| u8::from(segment.flags.has(bit)));
    // AccECN's option is present if its counters are not both zero: RFC 9768, section 3.2.1, begins them at 1.
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

/// The codepoint in a segment's bits.
#[inline]
fn codepoint(bits: Flags) -> Ecn {
    match (bits.has(Flags::ECT), bits.has(Flags::ECT1)) {
        (false, false) => Ecn::NotEct,
        (true, false) => Ecn::Ect0,
        (false, true) => Ecn::Ect1,
        (true, true) => Ecn::Ce,
    }
}

/// The kind of a segment in the table of packets.
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

/// The data of a body in the table of packets.
pub trait Labelled {
    /// Number of the segment or packet.
    fn sequence(&self) -> u64;
    /// Its kind: "data", "ack", "syn".
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
            Self::Buffer(_) => "data",
        }
    }
}
