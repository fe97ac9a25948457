// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proportional Rate Reduction with the slow-start reduction bound (RFC 6937), in segments.

/// State of one recovery episode.
#[derive(Clone, Debug)]
pub(crate) struct Prr {
    /// RecoverFS: segments outstanding when recovery began.
    recover_fs: u64,
    delivered: u64,
    out: u64,
    /// sndcnt: segments that may leave now.
    budget: u64,
}

impl Prr {
    pub(crate) fn new(recover_fs: u64) -> Self {
        Self { recover_fs: recover_fs.max(1), delivered: 0, out: 0, budget: 0 }
    }

    /// An acknowledgement in recovery newly covers `delivered` segments and leaves `pipe` in flight.
    pub(crate) fn on_ack(&mut self, delivered: u64, pipe: u64, ssthresh: u64) {
        self.delivered += delivered;
        self.budget = if pipe > ssthresh {
            // RFC 6937 section 3.1: sndcnt = CEIL(prr_delivered * ssthresh / RecoverFS) - prr_out.
            (self.delivered * ssthresh).div_ceil(self.recover_fs).saturating_sub(self.out)
        } else {
            // PRR-SSRB: limit = MAX(prr_delivered - prr_out, DeliveredData) + MSS.
            let limit = self.delivered.saturating_sub(self.out).max(delivered) + 1;
            (ssthresh - pipe).min(limit)
        };
    }

    /// Segments that may leave now.
    pub(crate) fn budget(&self) -> u64 {
        self.budget
    }

    /// A segment left.
    pub(crate) fn on_sent(&mut self) {
        self.out += 1;
        self.budget = self.budget.saturating_sub(1);
    }
}
