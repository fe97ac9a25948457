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

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the ACKs of `numbers` (the third opens recovery) and returns which sent how much, from the third on.
    /// `lost` segments are found lost by then; the two before sent one new segment each.
    fn sent(lost: u64, numbers: std::ops::RangeInclusive<u64>) -> Vec<(u64, u64)> {
        // RFC 6937 section 3.1: 20 in flight and 2 by limited transmit: FlightSize 22, ssthresh 11.
        let mut prr = Prr::new(22);
        let mut pipe = 22 - 2 - lost;
        let mut sendings = Vec::new();
        for number in numbers.skip(2) {
            pipe -= 1;
            prr.on_ack(1, pipe, 11);
            let count = prr.budget();
            for _ in 0..count {
                prr.on_sent();
            }
            pipe += count;
            sendings.push((number, count));
        }
        sendings
    }

    #[test]
    fn rfc_6937_one_loss() {
        // "sent:  N N R   N   N   N   N   N   N     N N" for ACKs 1 to 19: after the repair at 3, new data at 5, 7,
        // 9, 11, 13, 15, 18 and 19.
        let some: Vec<u64> = sent(1, 1..=19).into_iter().filter(|s| s.1 > 0).map(|s| s.0).collect();
        assert_eq!(some, [3, 5, 7, 9, 11, 13, 15, 18, 19]);
        assert!(sent(1, 1..=19).iter().all(|s| s.1 <= 1));
    }

    #[test]
    fn rfc_6937_a_burst_of_fifteen_losses() {
        // "sent: N N 2R 2R 2R" for ACKs 15 to 19 (PRR-SSRB).
        assert_eq!(sent(15, 15..=19), [(17, 2), (18, 2), (19, 2)]);
    }
}
