// SPDX-License-Identifier: MIT OR Apache-2.0
//! BBR.extra_acked: how much more is acknowledged at once than `bw` explains (section 5.5.9).

use super::{Bbr3, Sample};
use units::Time;

/// BBR.ExtraAckedFilterLen, rounds; the current one is among them.
const FILTER_LEN: usize = 10;

/// The estimator: an interval that ends when ACKs fall behind `bw`, and the largest excess of each of ten rounds.
#[derive(Clone, Debug, Default)]
pub(super) struct ExtraAcked {
    interval_start: Time,
    /// Bytes acknowledged in the interval.
    delivered: f64,
    /// Largest excess of a round, at the round modulo the length.
    rounds: [f64; FILTER_LEN],
    round: u64,
    /// Largest of the other rounds.
    earlier: f64,
    /// BBR.extra_acked.
    max: f64,
}

impl ExtraAcked {
    pub(super) const fn get(&self) -> f64 {
        self.max
    }

    /// A new interval begins.
    pub(super) const fn restart(&mut self, now: Time) {
        self.interval_start = now;
        self.delivered = 0.0;
    }

    /// The excess of this interval after `newly_acked` bytes.
    fn excess(&mut self, now: Time, bw: f64, newly_acked: f64) -> f64 {
        let mut expected_delivered = bw * now.since(self.interval_start).secs_f64();
        if self.delivered <= expected_delivered {
            self.restart(now);
            expected_delivered = 0.0;
        }
        self.delivered += newly_acked;
        self.delivered - expected_delivered
    }

    /// UpdateWindowedMaxFilter(); `all`: over ten rounds, else over the current one alone.
    fn filter(&mut self, extra: f64, round: u64, all: bool) {
        let slot = |round: u64| (round % FILTER_LEN as u64) as usize;
        if round != self.round {
            for passed in (self.round + 1..=round).take(FILTER_LEN) {
                self.rounds[slot(passed)] = 0.0;
            }
            self.round = round;
            self.rounds[slot(round)] = 0.0;
            self.earlier = self.rounds.iter().copied().fold(0.0, f64::max);
        }
        let current = &mut self.rounds[slot(round)];
        *current = current.max(extra);
        self.max = if all { current.max(self.earlier) } else { *current };
    }
}

impl Bbr3 {
    /// UpdateACKAggregation().
    pub(super) fn update_ack_aggregation(&mut self, rs: &Sample) {
        let extra = self.extra_acked.excess(rs.now, self.bw, rs.newly_acked).min(self.cwnd);
        self.extra_acked.filter(extra, self.rounds.count, self.full_pipe.reached);
    }
}

#[cfg(test)]
mod tests {
    use super::ExtraAcked;

    /// "The windowed maximum over 1 round trip during STARTUP and 10 round trips after exiting STARTUP."
    #[test]
    fn the_maximum_holds_for_ten_rounds_or_for_one() {
        let mut ten = ExtraAcked::default();
        ten.filter(9.0, 1, true);
        for round in 2..=10 {
            ten.filter(1.0 + round as f64 / 100.0, round, true);
            assert_eq!(ten.get(), 9.0, "round {round}");
        }
        ten.filter(1.0, 11, true);
        assert_eq!(ten.get(), 1.1, "the largest of rounds 2 to 11 is round 10's");
        ten.filter(0.5, 40, true);
        assert_eq!(ten.get(), 0.5);

        let mut one = ExtraAcked::default();
        one.filter(9.0, 1, false);
        one.filter(3.0, 1, false);
        assert_eq!(one.get(), 9.0);
        one.filter(3.0, 2, false);
        assert_eq!(one.get(), 3.0);
    }
}
