// SPDX-License-Identifier: MIT OR Apache-2.0
//! What travels between sender and receiver.

use units::Time;

/// Which direction a segment travels in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SegmentKind {
    /// Data, sender to receiver.
    #[default]
    Data,
    /// A low-priority probe, sender to receiver.
    Probe,
    /// An acknowledgement, receiver to sender.
    Ack,
    /// The acknowledgement of a probe, of low priority too; its other fields are an acknowledgement's.
    ProbeAck,
}

/// One TCP segment, 48 bytes. Sequence numbers are 32 bits on the wire and count segments; each side expands them
/// against the window it knows (as QUIC does with packet numbers), so a connection may send any number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Data: when it was sent (timestamp option). ACK: the timestamp it echoes.
    pub timestamp: Time,
    /// Data: number of the segment. ACK: the next number the receiver waits for.
    pub seq: u32,
    /// Data: payload bytes. ACK: one-way delay of the newest data segment in nanoseconds by the receiver's clock,
    /// at most 2^32 - 1 (4.29 s).
    pub len: u32,
    /// ACK: up to three blocks `[from, to)`; the first `sack_count` are valid, the newest first. With
    /// [`Segment::dsack`] the first block reports a segment received twice (RFC 2883).
    pub sack: [[u32; 2]; 3],
    /// ACK: window of the receiver in segments from `seq`.
    pub window: u32,
    /// Direction and class.
    pub kind: SegmentKind,
    /// ACK: valid blocks.
    pub sack_count: u8,
    /// ACK: the first block is a duplicate report.
    pub dsack: bool,
    /// Data: marked by a router (ECN CE or congestion warning). ACK: echo of the mark.
    pub marked: bool,
}

impl Segment {
    /// Whether routers let everything else go first.
    #[inline]
    pub fn is_low_priority(&self) -> bool {
        matches!(self.kind, SegmentKind::Probe | SegmentKind::ProbeAck)
    }
    /// A router warns of congestion; acknowledgements carry the echo of a warning and take no new one.
    #[inline]
    pub fn warn(&mut self) {
        self.marked |= self.kind == SegmentKind::Data;
    }
}

/// The full sequence number nearest to `reference` that reads `wire` in its lower 32 bits.
pub(crate) fn expand(wire: u32, reference: u64) -> u64 {
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
        // Nothing lies below zero.
        assert_eq!(expand(u32::MAX, 0), 0);
    }
}
