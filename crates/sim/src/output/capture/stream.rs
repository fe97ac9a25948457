// SPDX-License-Identifier: MIT OR Apache-2.0
//! Converts segment numbers to byte numbers.

use std::collections::BTreeMap;
use tcp::{Flags, Segment, SegmentKind, expand};

/// The bytes that one sender has sent so far. The default initial sequence number is 0.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    mss: u64,
    /// Whether the SYN is a segment of the stream (as in ns-2's TCP-Linux).
    counts_syn: bool,
    /// The initial sequence number.
    initial: u32,
    /// Segments that are not full, each with the total number of missing bytes in it and in all earlier segments. Such
    /// segments are the first with Fast Open, the last of a write, SYN and FIN.
    short: BTreeMap<u64, u64>,
    /// The segment with the FIN, or the segment after it.
    fin: Option<u64>,
    /// The highest segment number that was sent, plus 1.
    next: u64,
}

impl Stream {
    pub(super) fn new(mss: u32, counts_syn: bool) -> Self {
        Self { mss: mss.into(), counts_syn, initial: 0, short: BTreeMap::new(), fin: None, next: 0 }
    }

    /// Sets the initial sequence number.
    pub(super) fn beginning_at(self, initial: u32) -> Self {
        Self { initial, ..self }
    }

    pub(super) const fn initial(&self) -> u32 {
        self.initial
    }

    /// Returns the highest segment number that was sent, plus 1.
    pub(super) const fn next(&self) -> u64 {
        self.next
    }

    /// Returns the number of bytes that are missing in the segments before this one.
    fn lacking(&self, segment: u64) -> u64 {
        self.short.range(..segment).next_back().map_or(0, |(_, lacking)| *lacking)
    }

    /// Records that a segment leaves the sender. Returns its full number.
    pub(super) fn note(&mut self, segment: &Segment) -> u64 {
        let number = expand(segment.seq, self.next);
        let takes_a_number = match segment.kind {
            SegmentKind::Data | SegmentKind::Probe => true,
            SegmentKind::Syn => segment.len > 0 || self.counts_syn,
            _ => false,
        };
        if !takes_a_number {
            return number;
        }
        let lacks = self.mss - u64::from(segment.len).min(self.mss);
        let known = self.lacking(number + 1) - self.lacking(number);
        if lacks != known {
            let sum = self.lacking(number) + lacks;
            self.short.insert(number, sum);
            // Rare: the segment is retransmitted with another length.
            for (_, sum) in self.short.range_mut(number + 1..) {
                *sum = *sum + lacks - known;
            }
        }
        if segment.flags.has(Flags::FIN) {
            self.fin = Some(number);
        }
        self.next = self.next.max(number + 1);
        number
    }

    /// Returns the full number of a segment from its lower 32 bits.
    pub(super) fn expand(&self, wire: u32) -> u64 {
        expand(wire, self.next)
    }

    /// Returns the position in the stream of the first byte of a segment.
    pub(super) fn offset(&self, segment: u64) -> u64 {
        segment * self.mss - self.lacking(segment)
    }

    /// Returns the sequence number of the first byte of a segment. SYN and FIN use one number each.
    pub(super) fn sequence(&self, segment: u64) -> u32 {
        let syn = u64::from(!self.counts_syn || segment > 0);
        let fin = u64::from(self.fin.is_some_and(|fin| segment > fin));
        // RFC 9293, section 3.4: sequence numbers are modulo 2^32.
        ((syn + self.offset(segment) + fin) as u32).wrapping_add(self.initial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(seq: u32, len: u32) -> Segment {
        Segment { seq, len, ..Segment::default() }
    }

    /// Worked out by hand: SYN 0; 1000 bytes from 1, 1000 from 1001, 500 from 2001; FIN 2501; the ACK of all is 2502.
    #[test]
    fn bytes_by_hand() {
        let mut stream = Stream::new(1000, false);
        assert_eq!(stream.note(&Segment { kind: SegmentKind::Syn, ..Segment::default() }), 0);
        for (seq, len) in [(0, 1000), (1, 1000), (2, 500)] {
            assert_eq!(stream.note(&data(seq, len)), u64::from(seq));
        }
        stream.note(&Segment { flags: Flags::FIN, ..data(3, 0) });
        assert_eq!([0, 1, 2, 3, 4].map(|segment| stream.sequence(segment)), [1, 1001, 2001, 2501, 2502]);
        // The last data segment has the FIN.
        let mut stream = Stream::new(1000, false);
        stream.note(&data(0, 1000));
        stream.note(&Segment { flags: Flags::FIN, ..data(1, 7) });
        assert_eq!([1, 2].map(|segment| stream.sequence(segment)), [1001, 1009]);
    }

    /// Fast Open: the SYN carries 400 bytes. TCP-Linux: the SYN is segment 0.
    #[test]
    fn beginnings_by_hand() {
        let mut fast = Stream::new(1000, false);
        fast.note(&Segment { kind: SegmentKind::Syn, ..data(0, 400) });
        assert_eq!([0, 1, 2].map(|segment| fast.sequence(segment)), [1, 401, 1401]);
        let mut ns2 = Stream::new(1000, true);
        ns2.note(&Segment { kind: SegmentKind::Syn, ..data(0, 0) });
        assert_eq!([0, 1, 2].map(|segment| ns2.sequence(segment)), [0, 1, 1001]);
    }

    #[test]
    fn numbers_wrap() {
        let mut stream = Stream::new(1 << 20, false);
        stream.note(&data(4096, 1 << 20));
        assert_eq!(stream.sequence(4096), 1);
    }
}
