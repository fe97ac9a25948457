// SPDX-License-Identifier: MIT OR Apache-2.0
//! A policer: a token bucket with one rate. It drops packets that exceed the rate, and never delays a packet.
//!
//! ```text
//! Tc(0) = CBS                                the bucket is full when the run begins
//! Tc(t) = min(CBS, Tc(t') + CIR (t - t'))    t' the packet before
//! B <= Tc(t): the packet is in profile, and Tc(t) = Tc(t) - B
//! B >  Tc(t): it is dropped, and Tc(t) stays
//! ```
//!
//! This is RFC 2697, section 3, in color-blind mode with one bucket: EBS is 0, and packets that are not green are
//! dropped. RFC 2698 with PIR = CIR and PBS = CBS gives the same result. Linux's `tc police rate CIR burst CBS
//! conform-exceed drop` also gives the same result.
//!
//! In any interval of length t, at most CBS + CIR t bytes pass. If a source always offers the next byte immediately,
//! this number of bytes passes. B is the size of the packet on the link (IP and above), before acknowledgements are
//! compressed.
//!
//! The unit of tokens is one bit per second times one nanosecond. In this unit, rate times time is an integer. The
//! content of the bucket is therefore exact, no matter how often it is computed.

use units::{Bytes, Rate, Time};

/// Tokens per byte: 8 bits times 10^9 nanoseconds.
const PER_BYTE: u64 = 8_000_000_000;

/// A policer at the entrance of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Policer {
    /// The committed information rate (CIR), which is the long-term rate.
    pub rate: Rate,
    /// The committed burst size (CBS): the number of bytes that may pass at once after a long idle time. It is at most
    /// [`Policer::MOST`].
    pub burst: Bytes,
}

impl Policer {
    /// The largest burst. Its number of tokens is less than half of the range of 64 bits.
    pub const MOST: Bytes = Bytes::new(1_000_000_000);
}

/// The run-time state of a policer.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct Bucket {
    policer: Policer,
    /// Number of tokens in the bucket at the time `at`.
    tokens: u64,
    /// Time at which the bucket held `tokens` tokens.
    at: Time,
}

impl Bucket {
    /// Creates a full bucket.
    pub(crate) const fn new(policer: Policer) -> Self {
        Self { policer, tokens: Self::depth(policer), at: Time::ZERO }
    }

    const fn depth(policer: Policer) -> u64 {
        policer.burst.get().saturating_mul(PER_BYTE)
    }

    /// Whether a packet of `size` bytes that arrives at `now` is in profile. If it is, its tokens are removed from the
    /// bucket.
    pub(crate) fn passes(&mut self, now: Time, size: u16) -> bool {
        // Each factor can be up to 2^64, so the product needs 128 bits.
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
