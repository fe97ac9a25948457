// SPDX-License-Identifier: MIT OR Apache-2.0
//! A policer: a token bucket with one rate, which drops every packet above it and delays none.
//!
//! ```text
//! Tc(0) = CBS                                the bucket is full when the run begins
//! Tc(t) = min(CBS, Tc(t') + CIR (t - t'))    t' the packet before
//! B <= Tc(t): the packet is in profile, and Tc(t) = Tc(t) - B
//! B >  Tc(t): it is dropped, and Tc(t) stays
//! ```
//!
//! (RFC 2697, section 3, in color-blind mode, with one bucket: EBS is 0, and what is not green is dropped. RFC 2698 with
//! PIR = CIR and PBS = CBS is the same; so is Linux's `tc police rate CIR burst CBS conform-exceed drop`.)
//!
//! So in any interval of length t at most CBS + CIR t bytes pass, and a source that always offers the next byte gets
//! all of it. B is the packet's size on the link: IP and above, before acknowledgements are compressed.
//!
//! Tokens are whole numbers of bits times nanoseconds, a unit in which a rate in bit/s times a time in nanoseconds has
//! no remainder: the content of the bucket is exact, however often it is computed.

use units::{Bytes, Rate, Time};

/// Tokens of one byte: 8 bits, 10^9 nanoseconds.
const PER_BYTE: u64 = 8_000_000_000;

/// A policer at the entrance of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Policer {
    /// The committed information rate, CIR: the long-term rate.
    pub rate: Rate,
    /// The committed burst size, CBS: bytes that pass at once after silence. At most [`Policer::MOST`].
    pub burst: Bytes,
}

impl Policer {
    /// The largest burst: its tokens are less than half of what 64 bits hold.
    pub const MOST: Bytes = Bytes::new(1_000_000_000);
}

/// A policer at run time.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct Bucket {
    policer: Policer,
    /// Its content.
    tokens: u64,
    /// Time of that content.
    at: Time,
}

impl Bucket {
    /// A full one.
    pub(crate) const fn new(policer: Policer) -> Self {
        Self { policer, tokens: Self::depth(policer), at: Time::ZERO }
    }

    const fn depth(policer: Policer) -> u64 {
        policer.burst.get().saturating_mul(PER_BYTE)
    }

    /// A packet of `size` bytes arrives at `now`: whether it is in profile; if so, takes its tokens.
    pub(crate) fn passes(&mut self, now: Time, size: u16) -> bool {
        // Up to 2^64 each: the product needs more bits.
        let more = u128::from(self.policer.rate.bits_per_s()) * u128::from(now.since(self.at).nanos());
        let full = u128::from(Self::depth(self.policer));
        self.tokens = (u128::from(self.tokens) + more).min(full) as u64;
        self.at = now;
        let Some(left) = self.tokens.checked_sub(u64::from(size) * PER_BYTE) else { return false };
        self.tokens = left;
        true
    }
}

#[cfg(test)]
mod tests;
