// SPDX-License-Identifier: MIT OR Apache-2.0
//! Acknowledgements on a narrow return link: fewer of them, or smaller ones (RFC 3449, section 5).
//!
//! - *Filtering* (section 5.2.1): a waiting ACK is dropped if a newer ACK of the same connection has all of its
//!   information. The rules are those of Linux's cake (`ack-filter`, `ack-filter-aggressive` of
//!   `net/sched/sch_cake.c`).
//! - *Decimation* (section 5.2.2): a limited number of ACKs of a connection may wait. A further ACK drops the oldest
//!   waiting ACK, whatever its content.
//! - *Header compression* (section 5.1): an ACK takes a fixed number of bytes on this link. Behind the link it has its
//!   original size again.
//!
//! A link that thins ACKs holds its packets (see `held`), because later arrivals decide which ACKs are dropped.
//!
//! Only such a link reads what a packet acknowledges (`Body::ack` of the engine). A compressed ACK is smaller on that
//! link only. The link stores the original size by handle, and restores it when the ACK arrives, is dropped or is
//! handed back.

mod queue;

pub(crate) use queue::AckQueue;

use std::cmp::Ordering;
use units::Time;

/// Thinning and compression of acknowledgements on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acks {
    /// Which waiting acknowledgements are dropped; `None`: none.
    pub thinning: Option<Thinning>,
    /// Bytes of a compressed acknowledgement on the wire. A smaller acknowledgement is unchanged. `None`: no
    /// compression.
    pub compressed: Option<u16>,
}

/// Which waiting acknowledgements are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Thinning {
    /// Acknowledgements that a newer acknowledgement of the same connection makes superfluous.
    Filter {
        /// Whether a single superfluous acknowledgement directly before the newest is dropped, too. Otherwise it is
        /// kept.
        aggressive: bool,
    },
    /// The oldest acknowledgement of a connection of which more than `keep` would wait, whatever its content.
    Decimate {
        /// The number that may wait.
        keep: usize,
    },
}

/// The fields of a pure acknowledgement that thinning needs. Sequence numbers wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Ack {
    /// The next expected sequence number.
    pub number: u32,
    /// The echoed timestamp (TSecr).
    pub echo: Time,
    /// Blocks received out of order, `[from, to)`; the first `blocks` are valid.
    pub sack: [[u32; 2]; 3],
    /// Number of valid blocks.
    pub blocks: u8,
    /// The bits ECE and CWR, as a number.
    pub ecn: u8,
    /// Whether a bit or an option is set that a filter does not know. Such an acknowledgement is kept.
    pub unknown: bool,
}

/// Whether `one` is before `other` in a sequence space that wraps.
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

    /// Whether the SACK blocks of `newer` have less information than these blocks, the same, or more. A block that
    /// reports a segment received twice (RFC 2883) has information that no newer acknowledgement has.
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

    /// Whether `newer` has all information of this acknowledgement, except the bits ECE and CWR.
    // sch_cake.c, cake_tcph_may_drop() and cake_ack_filter(). TSval never falls from one ACK of a host to the next.
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
    /// Returns the place of the waiting packet that is dropped for `newest`. `waiting` has the packets of the
    /// connection, oldest first. `None` in `waiting` is a packet other than a pure ACK.
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
                    // If the bits change, the earlier ACK has information that the later ACK does not have.
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
