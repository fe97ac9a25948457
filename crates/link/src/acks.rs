// SPDX-License-Identifier: MIT OR Apache-2.0
//! Acknowledgements on a narrow return link. The link reduces the number or the size of acknowledgements (RFC 3449,
//! section 5).
//!
//! - *Filtering* (section 5.2.1): a waiting ACK is dropped if a newer ACK of the same connection contains all its
//!   information. The rules are those of Linux's cake (`ack-filter`, `ack-filter-aggressive` of
//!   `net/sched/sch_cake.c`).
//! - *Decimation* (section 5.2.2): a limited number of ACKs of a connection may wait. If one more ACK arrives, the
//!   oldest waiting ACK is dropped, whatever its content.
//! - *Header compression* (section 5.1): an ACK takes a fixed number of bytes on this link. At the far end of the link,
//!   the ACK has its original size again.
//!
//! A link that thins ACKs (by filtering or decimation) holds its packets (see `held`), because later arrivals decide
//! which ACKs are dropped.
//!
//! Only a link with these features reads the fields of an acknowledgement (`Body::ack` of the engine). A compressed ACK
//! is smaller only on that link. The link stores the original size by the packet's handle. The link restores the
//! original size when the ACK arrives, is dropped or is handed back.

mod queue;

pub(crate) use queue::AckQueue;

use std::cmp::Ordering;
use units::Time;

/// Thinning and compression of acknowledgements on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acks {
    /// Which waiting acknowledgements are dropped. With `None`, no acknowledgement is dropped.
    pub thinning: Option<Thinning>,
    /// Size of a compressed acknowledgement on the wire, in bytes. A smaller acknowledgement is not changed. With
    /// `None`, acknowledgements are not compressed.
    pub compressed: Option<u16>,
}

/// Which waiting acknowledgements are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Thinning {
    /// Drops acknowledgements that a newer acknowledgement of the same connection makes superfluous.
    Filter {
        /// Whether a single superfluous acknowledgement is also dropped, if it is directly before the newest
        /// acknowledgement. If not, it is kept.
        aggressive: bool,
    },
    /// Drops the oldest acknowledgement of a connection, whatever its content, if more than `keep` acknowledgements of
    /// this connection would wait.
    Decimate {
        /// Number of acknowledgements of a connection that may wait.
        keep: usize,
    },
}

/// The fields of a pure acknowledgement that thinning needs. The sequence numbers wrap around.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Ack {
    /// The next expected sequence number.
    pub number: u32,
    /// The echoed timestamp (TSecr).
    pub echo: Time,
    /// Blocks received out of order, each as `[from, to)`. Only the first `blocks` entries are valid.
    pub sack: [[u32; 2]; 3],
    /// Number of valid blocks.
    pub blocks: u8,
    /// The bits ECE and CWR as one number.
    pub ecn: u8,
    /// Whether a bit or an option is set that a filter does not know. Such an acknowledgement is never dropped by a
    /// filter.
    pub unknown: bool,
}

/// Whether `one` is before `other` in a sequence space that wraps around.
const fn before(one: u32, other: u32) -> bool {
    one.wrapping_sub(other).cast_signed() < 0
}

impl Ack {
    fn sacked(&self) -> &[[u32; 2]] {
        &self.sack[..usize::from(self.blocks).min(self.sack.len())]
    }

    /// Sum of the lengths of the SACK blocks. Overlaps count twice.
    fn sacked_amount(&self) -> u32 {
        self.sacked().iter().fold(0, |sum, &[from, to]| sum.wrapping_add(to.wrapping_sub(from)))
    }

    /// Compares the information in the SACK blocks of `newer` with the information in the blocks of this
    /// acknowledgement. A block that reports a duplicate segment (RFC 2883) has information that no newer
    /// acknowledgement has.
    // sch_cake.c, cake_tcph_sack_compare().
    fn blocks_beside(&self, newer: &Self) -> Ordering {
        match (self.blocks == 0, newer.blocks == 0) {
            (true, true) => return Ordering::Equal,
            (true, false) => return Ordering::Greater,
            (false, true) => return Ordering::Less,
            (false, false) => {}
        }
        let covers =
            |from, to| newer.sacked().iter().any(|&[low, high]| !before(from, low) && !before(high, to));
        if self.sacked().iter().any(|&[from, to]| before(from, self.number) || !covers(from, to)) {
            return Ordering::Less;
        }
        newer.sacked_amount().cmp(&self.sacked_amount()).max(Ordering::Equal)
    }

    /// Whether `newer` contains all information of this acknowledgement, except the bits ECE and CWR.
    // sch_cake.c, cake_tcph_may_drop() and cake_ack_filter(). TSval never decreases between two ACKs of a host, so it
    // is not compared.
    fn is_superfluous(&self, newer: &Self) -> bool {
        if self.unknown || before(newer.number, self.number) || self.echo > newer.echo {
            return false;
        }
        match self.blocks_beside(newer) {
            Ordering::Less => false,
            // A duplicate ACK has new information.
            Ordering::Equal => self.number != newer.number,
            Ordering::Greater => true,
        }
    }
}

impl Thinning {
    /// Returns the index of the waiting packet that is dropped because of `newest`. `waiting` lists the packets of the
    /// connection, oldest first. Packets other than pure ACKs are `None` in this list.
    fn victim<'a>(
        self,
        mut waiting: impl DoubleEndedIterator<Item = Option<&'a Ack>> + Clone,
        newest: &Ack,
    ) -> Option<usize> {
        match self {
            Self::Filter { aggressive } => {
                let mut last = None;
                let mut first: Option<(usize, u8)> = None;
                for (place, ack) in waiting.enumerate() {
                    last = Some(place);
                    let Some(ack) = ack else { continue };
                    // If the bits differ, the earlier ACK has information that the later ACK does not have.
                    first = first.filter(|&(_, bits)| bits == ack.ecn);
                    if !ack.is_superfluous(newest) {
                        continue;
                    }
                    if let Some((place, _)) = first {
                        return Some(place);
                    }
                    first = Some((place, ack.ecn));
                }
                // A single superfluous ACK is dropped only if it is directly before the newest ACK and has the same
                // bits.
                let (place, _) =
                    first.filter(|&(place, bits)| aggressive && last == Some(place) && bits == newest.ecn)?;
                Some(place)
            }
            Self::Decimate { keep } => {
                let wait = waiting.clone().flatten().count();
                (wait >= keep).then(|| waiting.position(|ack| ack.is_some())).flatten()
            }
        }
    }
}

#[cfg(test)]
mod tests;
