// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accurate ECN feedback (AccECN, RFC 9768): acknowledgements that carry a count of marked packets and a count of
//! marked bytes.
//!
//! The receiver counts marked packets and reports the last three bits of the count in the field ACE (the flags AE, CWR
//! and ECE). An option contains the count of marked bytes, with 24 bits. The sender uses the differences from the last
//! known counts. Every acknowledgement contains all counts, so no information is lost if an acknowledgement is lost.
//! The three bits may wrap if one acknowledgement covers many packets. Then the count of bytes shows whether the bits
//! have wrapped (appendix A.2.2).
//!
//! Every acknowledgement contains the option. It therefore has at most two SACK blocks, because headers have no more
//! space. Two parts of the RFC are not implemented: a path that removes the option, and the reaction to a mark on a
//! SYN. In this code, SYNs, SYN-ACKs and acknowledgements do not carry ECT (RFC 3168, section 6.1.4).
//!
//! Neither end notices a path that clears the ECN field (`ecn_bleach` of a link). Section 3.2.2.3 compares the
//! codepoints with which SYN and SYN-ACK were sent and arrived. Here both are Not-ECT, and no link changes them. No
//! rule applies to a field that is cleared in data after the handshake: the sender continues to send ECT, and no count
//! grows.

use crate::{Flags, Segment};
use units::Time;

/// Initial value of `r.cep` and `s.cep` (section 3.2.1). It is not 0, because a middlebox might write 0.
const FIRST: u64 = 5;
/// DIVACE of appendix A.2.1.
const DIVACE: u64 = 8;
/// DIVOPT of appendix A.1.
const DIVOPT: u32 = 1 << 24;

/// The field ACE, bit by bit (section 3.2.2, figure 3): AE, CWR, ECE.
const fn field(value: u64) -> Flags {
    Flags::when(value & 4 != 0, Flags::AE)
        .and(Flags::when(value & 2 != 0, Flags::CWR))
        .and(Flags::when(value & 1 != 0, Flags::ECE))
}

/// The value of the field.
fn value(flags: Flags) -> u64 {
    4 * u64::from(flags.has(Flags::AE))
        + 2 * u64::from(flags.has(Flags::CWR))
        + u64::from(flags.has(Flags::ECE))
}

/// Section 3.1.1: the bits of a SYN that requests AccECN.
pub const SYN: Flags = field(7);
/// The field on a segment with data. The sender of data has received no packets that could be marked.
pub const DATA: Flags = field(FIRST);

/// Tables 2 and 3: how a SYN-ACK, and the ACK of a SYN-ACK, report the codepoint of the segment that they answer.
pub const fn handshake(came: Flags) -> Flags {
    match (came.has(Flags::ECT), came.has(Flags::ECT1)) {
        (false, false) => field(0b010),
        (false, true) => field(0b011),
        (true, false) => field(0b100),
        (true, true) => field(0b110),
    }
}

/// The receiver's counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Counter {
    /// `r.cep`.
    marks: u64,
    /// `r.ceb`, and `r.e0b` or `r.e1b`, depending on the sender.
    bytes: [u32; 2],
    /// Marks since the last acknowledgement.
    unreported: u8,
    /// Whether the previous packet was marked.
    marked: bool,
}

impl Counter {
    /// Number of marks that make the receiver acknowledge (section 3.2.2.5.1: 2 while data are unacknowledged).
    const AT_LEAST_EVERY: u8 = 2;

    /// Nothing has arrived (section 3.2.1).
    pub const fn new() -> Self {
        Self { marks: FIRST, bytes: [0, 1], unreported: 0, marked: false }
    }

    /// Handles an accepted packet with `len` bytes of data and these flags. Returns whether the packet must be
    /// acknowledged at once (section 3.2.2.5.1): the first mark after an unmarked packet, and every second mark.
    pub fn count(&mut self, flags: Flags, len: u32) -> bool {
        let marked = flags.has(Flags::CE);
        let changed = marked && !self.marked;
        self.marked = marked;
        if flags.is_markable() {
            let count = &mut self.bytes[usize::from(!marked)];
            *count = count.wrapping_add(len) % DIVOPT;
        }
        self.marks += u64::from(marked);
        self.unreported = self.unreported.saturating_add(u8::from(marked));
        changed || self.unreported >= Self::AT_LEAST_EVERY
    }

    /// The field on an acknowledgement that is sent now.
    pub fn report(&mut self) -> Flags {
        self.unreported = 0;
        field(self.marks)
    }

    /// The option of this acknowledgement: the fields ECEB, and EE0B or EE1B.
    pub const fn option(&self) -> [u32; 2] {
        self.bytes
    }
}

impl Default for Counter {
    fn default() -> Self {
        Self::new()
    }
}

/// The marks that an acknowledgement reports for the first time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Marks {
    /// Number of packets.
    pub packets: u64,
    /// Bytes of data in these packets.
    pub bytes: u64,
}

/// The sender's side of the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Decoder {
    /// `s.cep` and `s.ceb`.
    known: Marks,
    mss: u64,
    /// The newest echoed timestamp.
    echoed: Time,
}

impl Decoder {
    /// Appendix A.2.2.
    const SAFETY_FACTOR: u64 = 2;

    /// Nothing has been reported.
    pub const fn new(mss: u32) -> Self {
        Self { known: Marks { packets: FIRST, bytes: 0 }, mss: mss as u64, echoed: Time::ZERO }
    }

    /// Handles an acknowledgement that newly covers `newly` packets.
    pub fn hear(&mut self, ack: &Segment, newly: u64) -> Marks {
        // Appendix A.1: a later acknowledgement has overtaken this one.
        if newly == 0 && ack.timestamp <= self.echoed {
            return Marks::default();
        }
        self.echoed = self.echoed.max(ack.timestamp);
        // Appendix A.1: d.ceb = (ECEB + DIVOPT - (s.ceb % DIVOPT)) % DIVOPT.
        let divopt = u64::from(DIVOPT);
        let bytes = (u64::from(ack.counters()[0]) + divopt - self.known.bytes % divopt) % divopt;
        // Appendix A.2.1: d.cep = (ACE + DIVACE - (s.cep % DIVACE)) % DIVACE.
        let least = (value(ack.flags) + DIVACE - self.known.packets % DIVACE) % DIVACE;
        // dSafer.cep = newlyAckedPkt - ((newlyAckedPkt - d.cep) % DIVACE).
        let safer = if newly > least { newly - (newly - least) % DIVACE } else { least };
        // Appendix A.2.2: true if there are few bytes for this number of packets, and enough packets for the bytes.
        let is_enough = bytes <= self.mss * least && Self::SAFETY_FACTOR * bytes < self.mss * safer;
        let heard = Marks { packets: if safer > least && is_enough { least } else { safer }, bytes };
        self.known.packets += heard.packets;
        self.known.bytes += heard.bytes;
        heard
    }

    /// All marks reported so far.
    pub const fn total(&self) -> Marks {
        Marks { packets: self.known.packets - FIRST, bytes: self.known.bytes }
    }
}

#[cfg(test)]
mod tests;
