// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the simulator's own endpoints exchange: TCP segments, as bodies of the engine's packets.

use engine::Body;
use link::{Ack, Ecn};
use std::ops::Deref;
use tcp::{Flags, Segment, SegmentKind};

/// A segment of TCP, of a constant-bit-rate stream, of an echo or of a call, as the engine carries it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct SegmentBody(pub Segment);

/// A packet that carries a segment: one cache line.
pub type Packet = engine::Packet<SegmentBody>;

const _: () = assert!(size_of::<Packet>() == 64, "a packet is one cache line");
const _: () = assert!(size_of::<Option<Packet>>() == 64, "and so is its place in the slab");

impl From<Segment> for SegmentBody {
    #[inline]
    fn from(segment: Segment) -> Self {
        Self(segment)
    }
}

impl Deref for SegmentBody {
    type Target = Segment;
    #[inline]
    fn deref(&self) -> &Segment {
        &self.0
    }
}

impl Body for SegmentBody {
    #[inline]
    fn warn(&mut self) {
        self.0.warn();
    }
    #[inline]
    fn is_low_priority(&self) -> bool {
        self.0.is_low_priority()
    }
    fn carries_data(&self) -> bool {
        matches!(self.0.kind, SegmentKind::Syn | SegmentKind::Data | SegmentKind::Back) && self.0.len > 0
    }
    fn ack(&self) -> Option<Ack> {
        (self.0.kind == SegmentKind::Ack).then(|| pure_ack(&self.0))
    }
    #[inline]
    fn ecn(&self) -> Ecn {
        codepoint(self.0.flags)
    }
    #[inline]
    fn mark_ce(&mut self) {
        self.0.flags |= Flags::CE;
    }
}

/// What an acknowledgement says.
fn pure_ack(segment: &Segment) -> Ack {
    let [ece, cwr] = [Flags::ECE, Flags::CWR].map(|bit| u8::from(segment.flags.has(bit)));
    // Where AccECN's option is there, its counters are not both zero: RFC 9768, section 3.2.1, begins them at 1.
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

/// The codepoint that a segment's bits say.
#[inline]
pub fn codepoint(bits: Flags) -> Ecn {
    match (bits.has(Flags::ECT), bits.has(Flags::ECT1)) {
        (false, false) => Ecn::NotEct,
        (true, false) => Ecn::Ect0,
        (false, true) => Ecn::Ect1,
        (true, true) => Ecn::Ce,
    }
}

/// What the table of packets shows of a body.
pub trait Labelled {
    /// Number of the segment or packet.
    fn sequence(&self) -> u64;
    /// What it is: "data", "ack", "syn".
    fn kind(&self) -> &'static str;
}

impl Labelled for SegmentBody {
    fn sequence(&self) -> u64 {
        u64::from(self.seq)
    }
    fn kind(&self) -> &'static str {
        match self.0.kind {
            SegmentKind::Data => "data",
            SegmentKind::Back => "data back",
            SegmentKind::Probe => "probe",
            SegmentKind::Ack => "ack",
            SegmentKind::ProbeAck => "probe ack",
            SegmentKind::Syn => "syn",
            SegmentKind::SynAck => "syn ack",
            SegmentKind::HandshakeAck => "handshake ack",
            SegmentKind::WindowProbe => "window probe",
        }
    }
}
