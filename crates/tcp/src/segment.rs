// SPDX-License-Identifier: MIT OR Apache-2.0
//! Segments between sender and receiver.

use std::ops::{BitOr, BitOrAssign};
use units::Time;

/// Kind and direction of a segment. Kinds that are tested together have adjacent numbers. A test for two kinds is then
/// a single comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum SegmentKind {
    /// SYN. The side that sends data sends it. With Fast Open, it carries data.
    Syn,
    /// The ACK without data that ends the handshake, from sender to receiver.
    HandshakeAck,
    /// Data, from sender to receiver.
    #[default]
    Data,
    /// A low-priority probe, from sender to receiver.
    Probe,
    /// The acknowledgement of a probe, which also has low priority. All other fields are those of an acknowledgement.
    ProbeAck,
    /// An acknowledgement, from receiver to sender.
    Ack,
    /// SYN and ACK, the answer to a SYN. All other fields are those of an acknowledgement.
    SynAck,
    /// A segment without data, from sender to receiver. It asks whether the window is still closed.
    WindowProbe,
}

/// The bits of the TCP and IP headers that the simulation needs, and two bits that exist only in the simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Flags(u8);

impl Flags {
    /// No bit is set.
    pub const NONE: Self = Self(0);
    /// On an ACK: the first SACK block reports a segment that was received twice (RFC 2883).
    pub const DSACK: Self = Self(1);
    /// On data: a router warns of congestion (TCP-Jersey's mark, which is not an ECN mark). On an ACK: the echo of this
    /// warning.
    pub const WARNED: Self = Self(1 << 1);
    /// IP, ECT(0): routers may mark the segment instead of dropping it (RFC 3168, section 5).
    pub const ECT: Self = Self(1 << 2);
    /// IP, ECT(1): like ECT(0), but the sender uses L4S (RFC 9331).
    pub const ECT1: Self = Self(1 << 3);
    /// IP, CE: a router has marked the segment. As in the header, CE is both bits.
    pub const CE: Self = Self::ECT.and(Self::ECT1);
    /// TCP, ECE. On an ACK, it is the echo of a mark. On SYN and SYN-ACK, it is a part of the negotiation (RFC 3168,
    /// section 6.1).
    pub const ECE: Self = Self(1 << 4);
    /// TCP, CWR: the sender has reduced its window.
    pub const CWR: Self = Self(1 << 5);
    /// TCP, FIN: the last segment of a transfer, with or without data.
    pub const FIN: Self = Self(1 << 6);
    /// TCP, PSH on data: the last segment of a burst (segmentation offload), or the last segment with data if FIN
    /// follows.
    pub const PSH: Self = Self(1 << 7);
    /// TCP, AE on segments without data. AE, CWR and ECE form the field ACE (RFC 9768). AE and PSH share one bit here.
    pub const AE: Self = Self::PSH;

    /// The union of `self` and `bits`.
    #[inline]
    #[must_use]
    pub const fn and(self, bits: Self) -> Self {
        Self(self.0 | bits.0)
    }
    /// Whether all of `bits` are set.
    #[inline]
    pub const fn has(self, bits: Self) -> bool {
        self.0 & bits.0 == bits.0
    }
    /// Whether any of `bits` is set.
    #[inline]
    pub const fn has_any(self, bits: Self) -> bool {
        self.0 & bits.0 != 0
    }
    /// Whether routers may mark the segment, or have marked it.
    #[inline]
    pub const fn is_markable(self) -> bool {
        self.has_any(Self::CE)
    }
    /// The bits of `self` without `bits`.
    #[must_use]
    pub const fn without(self, bits: Self) -> Self {
        Self(self.0 & !bits.0)
    }
    /// Returns `bits` if `set` is true, and no bits otherwise.
    #[inline]
    #[must_use]
    pub const fn when(set: bool, bits: Self) -> Self {
        if set { bits } else { Self::NONE }
    }
}

impl BitOr for Flags {
    type Output = Self;
    #[inline]
    fn bitor(self, rhs: Self) -> Self {
        self.and(rhs)
    }
}

impl BitOrAssign for Flags {
    #[inline]
    fn bitor_assign(&mut self, rhs: Self) {
        self.0 |= rhs.0;
    }
}

/// One TCP segment, 48 bytes. Sequence numbers count segments, and have 32 bits on the wire. Each side expands them
/// relative to the window that it knows, as QUIC does with packet numbers. A connection may therefore send any number
/// of segments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Segment {
    /// Data: the time at which the segment was sent (timestamp option). ACK: the echoed timestamp.
    pub timestamp: Time,
    /// Data: number of the segment. ACK: the next segment that the receiver expects.
    pub seq: u32,
    /// Data: payload in bytes. ACK: one-way delay of the newest data segment, measured by the receiver's clock, in
    /// nanoseconds. The delay is at most 2^32 - 1 (4.29 s).
    pub len: u32,
    /// ACK: up to three blocks `[from, to)`, newest first. Only the first `sack_count` blocks are valid. With
    /// [`Flags::DSACK`], the first block reports a segment that was received twice (RFC 2883). With AccECN, there are
    /// at most two blocks. The third entry then contains the counters of AccECN's option: the number of marked bytes,
    /// and the number of bytes that arrived as ECT.
    pub sack: [[u32; 2]; 3],
    /// ACK: the receive window, in segments from `seq` on.
    pub window: u32,
    /// Kind and direction of the segment.
    pub kind: SegmentKind,
    /// ACK: number of valid blocks.
    pub sack_count: u8,
    /// Bits of the segment.
    pub flags: Flags,
    /// ACK: a stamp of the receiver's clock (TSval). Data: the newest stamp that the sender has received (TSecr). It is
    /// 0 if stamps are not used.
    pub stamp: u8,
}

impl Segment {
    /// Whether routers send this segment only if no other segment waits.
    #[inline]
    pub fn is_low_priority(&self) -> bool {
        matches!(self.kind, SegmentKind::Probe | SegmentKind::ProbeAck)
    }
    /// The counters of the AccECN option.
    pub const fn counters(&self) -> [u32; 2] {
        self.sack[2]
    }
    /// The valid SACK blocks, without the report of a duplicate.
    pub(crate) fn blocks(&self) -> &[[u32; 2]] {
        let valid = usize::from(self.sack_count).min(self.sack.len());
        &self.sack[usize::from(self.flags.has(Flags::DSACK)).min(valid)..valid]
    }
    /// Stores a router's congestion warning in a data segment. Acknowledgements carry only the echo of a warning, so
    /// they are not changed.
    #[inline]
    pub fn warn(&mut self) {
        self.flags |= Flags::when(self.kind == SegmentKind::Data, Flags::WARNED);
    }
}

/// Returns the sequence number nearest to `reference` whose lower 32 bits are `wire`.
pub fn expand(wire: u32, reference: u64) -> u64 {
    let distance = wire.wrapping_sub(reference as u32).cast_signed();
    reference.saturating_add_signed(distance.into())
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn expands_across_the_wrap() {
        const WRAP: u64 = 1 << 32;
        assert_eq!(expand(5, WRAP - 3), WRAP + 5);
        assert_eq!(expand(u32::MAX, WRAP + 2), WRAP - 1);
        assert_eq!(expand(7, 7 * WRAP), 7 * WRAP + 7);
        // A sequence number cannot be negative.
        assert_eq!(expand(u32::MAX, 0), 0);
    }
}
