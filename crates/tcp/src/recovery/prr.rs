// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proportional Rate Reduction (RFC 9937, which obsoletes RFC 6937), in segments.
//!
//! While more data than the new window are in flight, PRR spreads the reduction over the round trip. Below the new
//! window, each ACK releases as much as it reports as delivered (PRR-CRB). If the ACK shows good progress, it releases
//! one more segment (PRR-SSRB). `ssthresh` is the controller's window, which PRR approaches during the episode. At the
//! end of the episode, `cwnd = ssthresh` (section 6.4).

/// The state of one episode (section 6.1).
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Prr {
    /// RecoverFS: number of segments that can be delivered during the episode.
    recover_fs: u64,
    /// prr_delivered: number of segments delivered during the episode.
    delivered: u64,
    /// prr_out: number of segments sent during the episode.
    out: u64,
    /// The unused part of SndCnt: number of segments that may be sent now.
    budget: u64,
}

impl Prr {
    /// Begins an episode. The acknowledgement that begins it newly covers `newly` segments (0 if there is no
    /// acknowledgement). After it, `outstanding` segments are not cumulatively acknowledged, and `sacked` of them are
    /// SACKed.
    pub(crate) fn new(outstanding: u64, sacked: u64, newly: u64) -> Self {
        // RecoverFS = SND.NXT - SND.UNA - (SACKed in scoreboard) + (newly SACKed) + (newly cumulatively acknowledged).
        Self { recover_fs: (outstanding + newly - sacked).max(1), delivered: 0, out: 0, budget: 0 }
    }

    /// Processes an acknowledgement (section 6.2). It newly covers `delivered` segments, and `inflight` segments remain
    /// in flight. `safe_ack` is true if the acknowledgement advanced SND.UNA and showed no further loss.
    pub(crate) fn on_ack(&mut self, delivered: u64, inflight: u64, ssthresh: u64, safe_ack: bool) {
        if delivered == 0 {
            return;
        }
        self.delivered += delivered;
        self.budget = if inflight > ssthresh {
            // SndCnt = CEIL(prr_delivered * ssthresh / RecoverFS) - prr_out.
            (self.delivered * ssthresh).div_ceil(self.recover_fs).saturating_sub(self.out)
        } else {
            // PRR-CRB: SndCnt = MAX(prr_delivered - prr_out, DeliveredData). PRR-SSRB: with SafeACK, one more segment.
            let limit = self.delivered.saturating_sub(self.out).max(delivered) + u64::from(safe_ack);
            (ssthresh - inflight).min(limit)
        };
        if self.out == 0 {
            // RFC 9937: "Force a fast retransmit upon entering recovery."
            self.budget = self.budget.max(1);
        }
    }

    /// Number of segments that may be sent now.
    pub(crate) fn budget(&self) -> u64 {
        self.budget
    }

    /// Records that a segment was sent (section 6.3).
    pub(crate) fn on_sent(&mut self) {
        self.out += 1;
        self.budget = self.budget.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the example of RFC 9937, section 8: Reno with cwnd = FlightSize = 20 segments, so ssthresh = 10, and
    /// limited transmit. The first `lost` segments are lost. The third of the ACKs `numbers` detects these losses.
    /// Returns (ACK, inflight, cwnd, sent) for this ACK and all later ACKs.
    fn figure(lost: u64, numbers: std::ops::RangeInclusive<u64>) -> Vec<(u64, u64, u64, u64)> {
        // At each of the first two ACKs, one new segment was sent, so 22 segments are outstanding. Two of them are
        // SACKed before the third ACK, and three are SACKed with it. RecoverFS is therefore 22 - 3 + 1 = 20.
        let mut prr = Prr::new(22, 3, 1);
        let mut inflight = 22 - 2 - lost;
        let mut rows = Vec::new();
        for number in numbers.skip(2) {
            inflight -= 1;
            prr.on_ack(1, inflight, 10, false);
            let (count, cwnd) = (prr.budget(), inflight + prr.budget());
            for _ in 0..count {
                prr.on_sent();
            }
            rows.push((number, inflight, cwnd, count));
            inflight += count;
        }
        rows
    }

    #[test]
    fn rfc_9937_figure_1() {
        // a X  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22
        // c   20 20 19 18 18 17 17 16 16 15 15 14 14 13 13 12 12 11 11 10 10 10
        // i   19 19 18 18 17 17 16 16 15 15 14 14 13 13 12 12 11 11 10 10  9  9
        // s    N  N  R     N     N     N     N     N     N     N     N     N  N
        // ACK 22 ends the episode, so PRR does not process it. At ACK 19, the figure has a cwnd of 11. Section 6.2
        // results in 10, because inflight is not above ssthresh and MIN(ssthresh - inflight, ...) is 0. The segment is
        // then sent at ACK 20, where inflight is 9 and MIN(10 - 9, 18 - 8) = 1. At ACK 21, both methods have sent the
        // same ten segments.
        let rows = figure(1, 1..=21);
        let cwnd: Vec<u64> = rows.iter().map(|row| row.2).collect();
        let inflight: Vec<u64> = rows.iter().map(|row| row.1).collect();
        let some: Vec<u64> = rows.iter().filter(|row| row.3 > 0).map(|row| row.0).collect();
        assert_eq!(cwnd, [19, 18, 18, 17, 17, 16, 16, 15, 15, 14, 14, 13, 13, 12, 12, 11, 10, 10, 10]);
        assert_eq!(inflight, [18, 18, 17, 17, 16, 16, 15, 15, 14, 14, 13, 13, 12, 12, 11, 11, 10, 9, 9]);
        assert_eq!(some, [3, 5, 7, 9, 11, 13, 15, 17, 20, 21]);
        assert!(rows.iter().all(|row| row.3 <= 1));
    }

    #[test]
    fn rfc_9937_figure_2() {
        // The first 15 segments are lost. Only ACKs 15 to 19 arrive.
        // c 20 20  5  5  5
        // i 19 19  4  4  4
        // s  N  N  R  R  R
        assert_eq!(figure(15, 15..=19), [(17, 4, 5, 1), (18, 4, 5, 1), (19, 4, 5, 1)]);
    }

    #[test]
    fn good_progress_adds_a_segment_per_acknowledgement() {
        // This continues figure 2. The three repairs are acknowledged. Each ACK advances SND.UNA by one and shows no
        // loss. At an inflight of 4 (5 minus the delivered segment), SndCnt = MIN(10 - 4, MAX(4 - 3, 1) + 1) = 2 and
        // cwnd = 6. At an inflight of 5, MAX(5 - 5, 1) + 1 = 2 and cwnd = 7. This is a slow start up to ssthresh.
        let mut prr = Prr::new(22, 3, 1);
        let mut inflight = 5;
        for _ in 0..3 {
            prr.on_ack(1, inflight - 1, 10, false);
            prr.on_sent();
        }
        let mut cwnd = Vec::new();
        for _ in 0..8 {
            inflight -= 1;
            prr.on_ack(1, inflight, 10, true);
            cwnd.push(inflight + prr.budget());
            while prr.budget() > 0 {
                prr.on_sent();
                inflight += 1;
            }
        }
        assert_eq!(cwnd, [6, 7, 8, 9, 10, 10, 10, 10]);
    }

    #[test]
    fn the_first_repair_leaves_whatever_the_window_says() {
        // Inflight equals ssthresh at the beginning of the episode, so SndCnt = MIN(10 - 10, 1) = 0. Because prr_out is
        // 0, one segment is sent.
        let mut prr = Prr::new(20, 3, 1);
        prr.on_ack(1, 10, 10, false);
        assert_eq!(prr.budget(), 1);
        prr.on_sent();
        prr.on_ack(1, 10, 10, false);
        assert_eq!(prr.budget(), 0);
        // "if (DeliveredData is 0) Return".
        prr.on_ack(0, 3, 10, true);
        assert_eq!(prr.budget(), 0);
    }
}
