// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accurate ECN feedback (AccECN, RFC 9768). Acknowledgements carry a count of marked packets and a count of marked
//! bytes.
//!
//! The receiver counts marked packets. The field ACE (the flags AE, CWR and ECE) carries the last three bits of this
//! count. A TCP option carries the count of marked bytes, with 24 bits. The sender computes the differences from the
//! last known counts. Every acknowledgement contains all counts, so the loss of an acknowledgement does not lose
//! information. If one acknowledgement covers many packets, the three bits may wrap around. The count of bytes then
//! shows whether this has happened (appendix A.2.2).
//!
//! Every acknowledgement contains the option. The headers therefore have space for at most two SACK blocks. Two parts
//! of the RFC are not implemented: the detection of a path that removes the option, and the reaction to a mark on a
//! SYN. In this code, SYNs, SYN-ACKs and acknowledgements do not carry ECT (RFC 3168, section 6.1.4).
//!
//! Neither end detects a path that clears the ECN field (`ecn_bleach` of a link). Section 3.2.2.3 compares the
//! codepoints with which SYN and SYN-ACK were sent and with which they arrived. Here, both codepoints are Not-ECT, and
//! no link changes them. The RFC has no rule for a field that is cleared only in data after the handshake. In this
//! case, the sender continues to send ECT, and no count increases.

use crate::{Flags, Segment};
use units::Time;

/// Initial value of `r.cep` and `s.cep` (section 3.2.1). It is not 0, because a middlebox might set the field to 0.
const FIRST: u64 = 5;
/// DIVACE of appendix A.2.1: the number of values of the field ACE.
const DIVACE: u64 = 8;
/// DIVOPT of appendix A.1: the number of values of a counter in the option.
const DIVOPT: u32 = 1 << 24;

/// Encodes the last three bits of `value` as the field ACE: AE, CWR, ECE (section 3.2.2, figure 3).
const fn field(value: u64) -> Flags {
    Flags::when(value & 4 != 0, Flags::AE)
        .and(Flags::when(value & 2 != 0, Flags::CWR))
        .and(Flags::when(value & 1 != 0, Flags::ECE))
}

/// Decodes the field ACE.
fn value(flags: Flags) -> u64 {
    4 * u64::from(flags.has(Flags::AE))
        + 2 * u64::from(flags.has(Flags::CWR))
        + u64::from(flags.has(Flags::ECE))
}

/// The flags of a SYN that requests AccECN (section 3.1.1).
pub const SYN: Flags = field(7);
/// The field ACE on a segment with data. The sender of data has not received packets that could be marked, so its count
/// is the initial value.
pub const DATA: Flags = field(FIRST);

/// The field ACE on a SYN-ACK, or on the ACK that answers a SYN-ACK (tables 2 and 3). It reports the codepoint with
/// which the answered segment arrived.
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
    /// `r.cep`: the number of marked packets.
    marks: u64,
    /// Byte counters: `r.ceb` for marked bytes, and `r.e0b` or `r.e1b` for unmarked bytes. The sender's codepoint
    /// determines which of the two is used.
    bytes: [u32; 2],
    /// Number of marks since the last acknowledgement.
    unreported: u8,
    /// Whether the previous packet was marked.
    marked: bool,
}

impl Counter {
    /// Number of unreported marks that makes the receiver acknowledge at once (section 3.2.2.5.1: 2 while data are
    /// unacknowledged).
    const AT_LEAST_EVERY: u8 = 2;

    /// Creates the counts before the first packet (section 3.2.1).
    pub const fn new() -> Self {
        Self { marks: FIRST, bytes: [0, 1], unreported: 0, marked: false }
    }

    /// Counts an accepted packet with these flags and `len` bytes of data. Returns whether the packet must be
    /// acknowledged at once (section 3.2.2.5.1). This is the case for the first mark after an unmarked packet, and for
    /// every second unreported mark.
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

    /// The field ACE of an acknowledgement that is sent now.
    pub fn report(&mut self) -> Flags {
        self.unreported = 0;
        field(self.marks)
    }

    /// The option of this acknowledgement. It has the fields ECEB, and EE0B or EE1B.
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
    /// Number of marked packets.
    pub packets: u64,
    /// Number of data bytes in the marked packets.
    pub bytes: u64,
}

/// The counts that the sender knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Decoder {
    /// `s.cep` and `s.ceb`: the last known counts.
    known: Marks,
    mss: u64,
    /// The newest timestamp that was echoed.
    echoed: Time,
}

impl Decoder {
    /// SAFETY_FACTOR of appendix A.2.2.
    const SAFETY_FACTOR: u64 = 2;

    /// Creates the counts before the first report.
    pub const fn new(mss: u32) -> Self {
        Self { known: Marks { packets: FIRST, bytes: 0 }, mss: mss as u64, echoed: Time::ZERO }
    }

    /// Processes an acknowledgement that newly covers `newly` packets. Returns the marks that it reports for the first
    /// time.
    pub fn hear(&mut self, ack: &Segment, newly: u64) -> Marks {
        // Appendix A.1: ignore this acknowledgement, because a later acknowledgement has overtaken it.
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
        // Appendix A.2.2: true if the number of bytes is possible without a wrap, and too small for a count that has
        // wrapped.
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
