// SPDX-License-Identifier: MIT OR Apache-2.0
//! Acknowledgements on a narrow return link: fewer of them, or smaller ones (RFC 3449, section 5).
//!
//! - *Filtering* (section 5.2.1): of a connection's ACKs that wait, an older one goes where a newer one says all that it says.
//!   The rules are those of Linux's cake (`ack-filter`, `ack-filter-aggressive` of `net/sched/sch_cake.c`).
//! - *Decimation* (section 5.2.2): so many ACKs of a connection may wait, and the oldest goes for one more, whatever it says.
//! - *Header compression* (section 5.1): an ACK takes so many bytes of this link, and has its own size again behind it.
//!
//! What thins holds its ACKs (see `held`): who comes later decides who goes.
//!
//! Only such a link asks a packet's body what it acknowledges (`Body::ack` of the engine). A compressed packet is
//! smaller on that link alone: its own size is kept by handle, and is restored when the packet arrives, is dropped
//! or is handed back. Other links are unaffected.

mod queue;

pub(crate) use queue::AckQueue;

use std::cmp::Ordering;
use units::Time;

/// What becomes of acknowledgements on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acks {
    /// Which of those that wait go; `None`: none.
    pub thinning: Option<Thinning>,
    /// Bytes of a compressed one on the wire; a smaller one stays as it is. `None`: they are not compressed.
    pub compressed: Option<u16>,
}

/// Which of the acknowledgements that wait go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Thinning {
    /// Older ones of the same connection that a newer one makes superfluous.
    Filter {
        /// Down to one, where the newest follows right behind; otherwise two stay.
        aggressive: bool,
    },
    /// The oldest of a connection, where more than so many wait, without a look at what it says.
    Decimate {
        /// So many may wait.
        keep: usize,
    },
}

/// What a pure acknowledgement says, as far as thinning has to know. Numbers wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Ack {
    /// The next number waited for.
    pub number: u32,
    /// The timestamp it echoes.
    pub echo: Time,
    /// Blocks received out of order, `[from, to)`; the first `blocks` are valid.
    pub sack: [[u32; 2]; 3],
    /// Valid blocks.
    pub blocks: u8,
    /// Its bits ECE and CWR, as a number.
    pub ecn: u8,
    /// It has another bit or an option that a filter does not know, and so stays.
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

    /// How many are in its blocks; what two of them share counts twice.
    fn sacked_amount(&self) -> u32 {
        self.sacked().iter().fold(0, |sum, &[from, to]| sum.wrapping_add(to.wrapping_sub(from)))
    }

    /// Whether the blocks of a newer one say less than these, the same or more. One that reports a segment received twice
    /// (RFC 2883) says what no newer one does.
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

    /// Whether nothing is lost if this one goes for a newer one, besides what their bits ECE and CWR say.
    // sch_cake.c, cake_tcph_may_drop() and cake_ack_filter(). TSval never falls from one ACK of a host to the next.
    fn is_superfluous(&self, newer: &Self) -> bool {
        if self.unknown || before(newer.number, self.number) || self.echo > newer.echo {
            return false;
        }
        match self.blocks_beside(newer) {
            Ordering::Less => false,
            // A duplicate ACK is news.
            Ordering::Equal => self.number != newer.number,
            Ordering::Greater => true,
        }
    }
}

impl Thinning {
    /// Which of a connection's packets that wait goes for one more, the oldest first; `None` is a packet that is no pure ACK.
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
                    // Where the bits change, what came before says it.
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
