// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules by which a player chooses the rate of the next segment.

use units::{Rate, Span};

/// Rule by which a player chooses the rate of the next segment. By both rules, the first segment has the lowest rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// By the buffer alone: BBA-0 of Huang et al., A Buffer-Based Approach to Rate Adaptation (SIGCOMM 2014), Algorithm
    /// 1.
    Buffer {
        /// Buffer content up to which the player chooses the lowest rate.
        reservoir: Span,
        /// Width of the range above the reservoir in which the rate rises linearly with the buffer. From `reservoir` +
        /// `cushion` on, the player chooses the highest rate.
        cushion: Span,
    },
    /// By throughput: the highest rate that is at most `safety` times the harmonic mean of the last throughputs.
    /// FESTIVE uses the same mean (Jiang, Sekar and Zhang, CoNEXT 2012).
    Rate {
        /// Number of segments whose throughputs are averaged.
        segments: u32,
        /// Factor by which the harmonic mean is multiplied.
        safety: f64,
    },
}

impl Choice {
    /// The paper's numbers for its buffer of 240 s: a reservoir of 90 s, and the highest rate from 216 s on (90 % of
    /// the buffer). The text of the paper was not available to us. We compared the algorithm and both numbers with
    /// players that implement the paper, for example `dashc` of University College Cork (`github.com/uccmisl/dashc`).
    pub const BBA_0: Self = Self::Buffer { reservoir: Span::from_secs(90), cushion: Span::from_secs(126) };
    /// The last 5 throughputs, as in the rate-based player in the comparison with Pensieve (Mao, Netravali and
    /// Alizadeh, SIGCOMM 2017, section 5.1). The factor is 0.9, the default of dash.js 4 (`abr.bandwidthSafetyFactor`
    /// in `Settings.js`).
    pub const RATE: Self = Self::Rate { segments: 5, safety: 0.9 };
}

/// Returns f(B), BBA-0's map of the buffer level B to a rate, in bit/s. f is R_min up to the reservoir r, and R_max
/// from r + cu on. Between these levels, f rises linearly.
pub(super) fn rate_map(ladder: &[Rate], level: Span, reservoir: Span, cushion: Span) -> f64 {
    let bits = |rate: Option<&Rate>| rate.map_or(0.0, |rate| rate.bits_per_s() as f64);
    let (least, most) = (bits(ladder.first()), bits(ladder.last()));
    let part = level.saturating_sub(reservoir).secs_f64() / cushion.secs_f64();
    least + (most - least) * part.min(1.0)
}

/// Returns the index of the next rung by BBA-0, Algorithm 1, from the current rung `before` and the buffer content
/// `level`.
pub(super) fn by_buffer(
    ladder: &[Rate],
    before: usize,
    level: Span,
    reservoir: Span,
    cushion: Span,
) -> usize {
    let highest = ladder.len() - 1;
    if level <= reservoir {
        return 0;
    }
    if level >= reservoir + cushion {
        return highest;
    }
    let f = rate_map(ladder, level, reservoir, cushion);
    let rate = |rung: usize| ladder[rung].bits_per_s() as f64;
    // Rate+ is the rung above, or the highest rung. Rate- is the rung below, or the lowest rung.
    if f >= rate((before + 1).min(highest)) {
        // max { R_i : R_i < f }
        ladder.partition_point(|&rung| (rung.bits_per_s() as f64) < f).saturating_sub(1)
    } else if f <= rate(before.saturating_sub(1)) {
        // min { R_i : R_i > f }
        ladder.partition_point(|&rung| rung.bits_per_s() as f64 <= f).min(highest)
    } else {
        before
    }
}

/// Returns the index of the highest rung that is at most `safety` times the harmonic mean of `throughputs` (bit/s). If
/// every rung is higher, returns 0.
pub(super) fn by_rate(
    ladder: &[Rate],
    throughputs: impl ExactSizeIterator<Item = f64>,
    safety: f64,
) -> usize {
    let count = throughputs.len() as f64;
    let inverse: f64 = throughputs.map(|rate| 1.0 / rate).sum();
    if inverse <= 0.0 {
        return 0;
    }
    let expected = safety * count / inverse;
    ladder.partition_point(|&rung| rung.bits_per_s() as f64 <= expected).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rungs of 1, 2, 4 and 7 Mbit/s, reservoir 90 s, cushion 126 s. Above the reservoir, f rises by 1 Mbit/s every 21
    /// s.
    const LADDER: [Rate; 4] = [
        Rate::from_bits_per_s(1_000_000),
        Rate::from_bits_per_s(2_000_000),
        Rate::from_bits_per_s(4_000_000),
        Rate::from_bits_per_s(7_000_000),
    ];
    const R: Span = Span::from_secs(90);
    const CU: Span = Span::from_secs(126);

    fn s(s: u64) -> Span {
        Span::from_secs(s)
    }

    /// Expected: the corners of the map in Fig. 6 of the paper. The map is flat, then a straight line, then flat.
    #[test]
    fn the_map_is_flat_up_to_the_reservoir_and_from_its_end_on() {
        for (level, rate) in [(0, 1e6), (90, 1e6), (111, 2e6), (153, 4e6), (216, 7e6), (240, 7e6)] {
            assert!((rate_map(&LADDER, s(level), R, CU) - rate).abs() < 1e-3, "{level} s");
        }
    }

    /// Expected: each branch of Algorithm 1, computed by hand.
    #[test]
    fn the_rate_changes_only_where_the_map_passes_a_neighbour() {
        for (before, level, expected) in [
            (3, 90, 0),  // at the reservoir: the lowest, whatever was before
            (0, 216, 3), // at its end: the highest
            (0, 110, 0), // f = 1.95 Mbit/s does not reach the rung above
            (0, 111, 0), // f = 2 = Rate+: the highest rung *below* f is the one before
            (0, 112, 1), // f = 2.05
            (0, 160, 2), // f = 4.33: two rungs at once
            (2, 120, 2), // f = 2.43, between the neighbours 2 and 7: it stays
            (2, 112, 2), // f = 2.05: still above Rate-
            (2, 111, 2), // f = 2 = Rate-: the lowest rung *above* f is 4
            (2, 110, 1), // f = 1.95: the lowest above is 2
            (3, 152, 2), // f = 3.95: Rate- is 4, the lowest above f is 4
            (3, 215, 3),
        ] {
            assert_eq!(
                by_buffer(&LADDER, before, s(level), R, CU),
                expected,
                "{level} s after rung {before}"
            );
        }
    }

    /// Expected: the harmonic mean of 2, 4 and 8 Mbit/s is 3 / (1/2 + 1/4 + 1/8) = 24/7 = 3.43 Mbit/s.
    #[test]
    fn the_rate_is_below_a_share_of_the_harmonic_mean() {
        let choose = |safety| by_rate(&LADDER, [2e6, 4e6, 8e6].into_iter(), safety);
        assert_eq!(choose(0.5), 0, "1.71");
        assert_eq!(choose(0.6), 1, "2.06");
        assert_eq!(choose(1.0), 1, "3.43; the arithmetic mean, 4.67, would give 4");
        assert_eq!(choose(1.2), 2, "4.11");
        assert_eq!(by_rate(&LADDER, [].into_iter(), 0.9), 0, "nothing is known yet");
        assert_eq!(by_rate(&LADDER, [1e3].into_iter(), 0.9), 0, "below the lowest");
        assert_eq!(by_rate(&LADDER, [4e6].into_iter(), 1.0), 2, "not above: as much is allowed");
    }
}
