// SPDX-License-Identifier: MIT OR Apache-2.0
//! Segments between sender and receiver.

use std::ops::{BitOr, BitOrAssign};
use units::Time;

/// Kind and direction of a segment. Kinds that are tested together are adjacent, so that a test for two kinds is one
/// comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum SegmentKind {
    /// SYN, sent by the side that sends data. With Fast Open it carries data.
    Syn,
    /// The ACK without data that ends the handshake, sender to receiver.
    HandshakeAck,
    /// Data, sender to receiver.
    #[default]
    Data,
    /// A low-priority probe, sender to receiver.
    Probe,
    /// The acknowledgement of a probe, which also has low priority. Its other fields are those of an acknowledgement.
    ProbeAck,
    /// An acknowledgement, receiver to sender.
    Ack,
    /// SYN and ACK, the answer to a SYN. Its other fields are those of an acknowledgement.
    SynAck,
    /// A segment without data, sender to receiver, that asks whether the window is still closed.
    WindowProbe,
}

/// Bits of a segment: the bits of the TCP and the IP header that the simulation needs, and two bits of the simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Flags(u8);

impl Flags {
    /// None.
    pub const NONE: Self = Self(0);
    /// ACK: the first SACK block reports a segment that was received twice (RFC 2883).
    pub const DSACK: Self = Self(1);
    /// Data: a router warns of congestion (TCP-Jersey's mark, which is not ECN's). ACK: the echo of this warning.
    pub const WARNED: Self = Self(1 << 1);
    /// IP, ECT(0): routers may mark instead of dropping (RFC 3168, section 5).
    pub const ECT: Self = Self(1 << 2);
    /// IP, ECT(1): like ECT(0), but the sender uses L4S (RFC 9331).
    pub const ECT1: Self = Self(1 << 3);
    /// IP, CE: a router has marked the segment. As in the header, CE is both bits.
    pub const CE: Self = Self::ECT.and(Self::ECT1);
    /// TCP, ECE: on an ACK, the echo of a mark; on SYN and SYN-ACK, a part of the negotiation (RFC 3168, section 6.1).
    pub const ECE: Self = Self(1 << 4);
    /// TCP, CWR: the sender has lowered its window.
    pub const CWR: Self = Self(1 << 5);
    /// TCP, FIN: the last segment of a transfer, with or without data.
    pub const FIN: Self = Self(1 << 6);
    /// TCP, PSH, with data: the last segment of a burst (segmentation offload), or of the data if FIN follows.
    pub const PSH: Self = Self(1 << 7);
    /// TCP, AE, without data: together with CWR and ECE, the field ACE (RFC 9768). It has the same bit as PSH.
    pub const AE: Self = Self::PSH;

    /// The bits of `self` and `bits`.
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
    /// `bits` if `set`, otherwise none.
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

/// One TCP segment, 48 bytes. Sequence numbers have 32 bits on the wire and count segments. Each side expands them
/// relative to the window that it knows (as QUIC does with packet numbers), so a connection may send any number of
/// segments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Segment {
    /// Data: when the segment was sent (timestamp option). ACK: the echoed timestamp.
    pub timestamp: Time,
    /// Data: number of the segment. ACK: the next number that the receiver expects.
    pub seq: u32,
    /// Data: payload bytes. ACK: one-way delay of the newest data segment in nanoseconds by the receiver's clock,
    /// at most 2^32 - 1 (4.29 s).
    pub len: u32,
    /// ACK: up to three blocks `[from, to)`. The first `sack_count` blocks are valid, the newest first. With
    /// [`Flags::DSACK`], the first block reports a segment that was received twice (RFC 2883). With AccECN there are at
    /// most two blocks. The third place then contains the counters of AccECN's option: bytes marked, and bytes that
    /// arrived as ECT.
    pub sack: [[u32; 2]; 3],
    /// ACK: window of the receiver in segments from `seq`.
    pub window: u32,
    /// Direction and class.
    pub kind: SegmentKind,
    /// ACK: number of valid blocks.
    pub sack_count: u8,
    /// Bits of the segment.
    pub flags: Flags,
    /// ACK: a stamp of the receiver's clock (TSval). Data: the newest stamp that the sender has received (TSecr). 0 if
    /// not used.
    pub stamp: u8,
}

impl Segment {
    /// Whether routers send this segment only after all other segments.
    #[inline]
    pub fn is_low_priority(&self) -> bool {
        matches!(self.kind, SegmentKind::Probe | SegmentKind::ProbeAck)
    }
    /// The counters of the AccECN option.
    pub const fn counters(&self) -> [u32; 2] {
        self.sack[2]
    }
    /// SACK blocks, without the report of a duplicate.
    pub(crate) fn blocks(&self) -> &[[u32; 2]] {
        let valid = usize::from(self.sack_count).min(self.sack.len());
        &self.sack[usize::from(self.flags.has(Flags::DSACK)).min(valid)..valid]
    }
    /// Stores a router's congestion warning. An acknowledgement carries the echo of a warning and is not marked itself.
    #[inline]
    pub fn warn(&mut self) {
        self.flags |= Flags::when(self.kind == SegmentKind::Data, Flags::WARNED);
    }
}

/// The full sequence number nearest to `reference` whose lower 32 bits are `wire`.
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
        // No number is below zero.
        assert_eq!(expand(u32::MAX, 0), 0);
    }
}
