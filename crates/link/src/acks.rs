// SPDX-License-Identifier: MIT OR Apache-2.0
//! Acknowledgements on a narrow return link: fewer of them, or smaller ones (RFC 3449, section 5).
//!
//! - *Filtering* (section 5.2.1): of a connection's waiting ACKs, an older one is dropped if a newer one has all of its
//!   information. The rules are those of Linux's cake (`ack-filter`, `ack-filter-aggressive` of
//!   `net/sched/sch_cake.c`).
//! - *Decimation* (section 5.2.2): a limited number of ACKs of a connection may wait, and one more drops the oldest,
//!   whatever its content.
//! - *Header compression* (section 5.1): an ACK takes a fixed number of bytes on this link, and has its own size again
//!   after it.
//!
//! A link that thins holds its ACKs (see `held`): later arrivals decide which ACKs are dropped.
//!
//! Only such a link asks a packet's body what it acknowledges (`Body::ack` of the engine). A compressed packet is
//! smaller on that link alone: its own size is kept by handle, and is restored when the packet arrives, is dropped or
//! is handed back. Other links are unaffected.

mod queue;

pub(crate) use queue::AckQueue;

use std::cmp::Ordering;
use units::Time;

/// Thinning and compression of acknowledgements on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acks {
    /// Which waiting acknowledgements are dropped; `None`: none.
    pub thinning: Option<Thinning>,
    /// Bytes of a compressed acknowledgement on the wire; a smaller one is unchanged. `None`: no compression.
    pub compressed: Option<u16>,
}

/// Which waiting acknowledgements are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Thinning {
    /// Older ones of the same connection that a newer one makes superfluous.
    Filter {
        /// Keeps one, if the newest follows directly; otherwise two are kept.
        aggressive: bool,
    },
    /// The oldest of a connection with more than `keep` waiting, whatever its content.
    Decimate {
        /// The number that may wait.
        keep: usize,
    },
}

/// The content of a pure acknowledgement, as far as thinning needs it. Numbers wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Ack {
    /// The next expected number.
    pub number: u32,
    /// The timestamp it echoes.
    pub echo: Time,
    /// Blocks received out of order, `[from, to)`; the first `blocks` are valid.
    pub sack: [[u32; 2]; 3],
    /// Valid blocks.
    pub blocks: u8,
    /// Its bits ECE and CWR, as a number.
    pub ecn: u8,
    /// It has a bit or an option that a filter does not know, and so it is kept.
    pub unknown: bool,
}

/// Whether `one` comes before `other`, among numbers that wrap.
const fn before(one: u32, other: u32) -> bool {
    one.wrapping_sub(other).cast_signed() < 0
}

impl Ack {
    fn sacked(&self) -> &[[u32; 2]] {
        &self.sack[..usize::from(self.blocks).min(self.sack.len())]
    }

    /// Sum of the lengths of its blocks; overlaps count twice.
    fn sacked_amount(&self) -> u32 {
        self.sacked().iter().fold(0, |sum, &[from, to]| sum.wrapping_add(to.wrapping_sub(from)))
    }

    /// Whether the blocks of a newer one have less information than these, the same or more. One that reports a segment
    /// received twice (RFC 2883) has information that no newer one has.
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

    /// Whether a newer one has all of its information, except the bits ECE and CWR.
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
    /// Which of a connection's waiting packets, the oldest first, is dropped for one more; `None` stands for a packet
    /// other than a pure ACK.
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
                    // If the bits change, the earlier packet has the information.
                    first = first.filter(|&(_, bits)| bits == ack.ecn);
                    if !ack.is_superfluous(newest) {
                        continue;
                    }
                    if let Some((place, _)) = first {
                        return Some(place);
                    }
                    first = Some((place, ack.ecn));
                }
                // The only one: right before the newest, and with its bits.
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
