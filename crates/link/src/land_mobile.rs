// SPDX-License-Identifier: MIT OR Apache-2.0
//! The land-mobile channel of Lutz, Cygan, Dippold, Dolainsky and Papke ("The land mobile satellite communication
//! channel: recording, statistics, and channel model", IEEE Trans. Vehicular Technology 40, 1991). A vehicle
//! alternately passes stretches with a clear view of the satellite (good stretches) and stretches in shadow (bad
//! stretches).
//!
//! As in the paper, powers are relative to the direct path. In good stretches, the receiver gets the direct path and
//! its echoes (Rice). In bad stretches, it gets only echoes (Rayleigh), and their mean power is log-normal. A packet is
//! lost if the power is below a threshold, which follows from the link's margin.
//!
//! The model makes two assumptions. The mean power of a bad stretch is drawn once per stretch. Packets fade
//! independently of each other, as if the vehicle moved more than about a wavelength between two packets.

use random::{Draw as _, Xoshiro256PlusPlus};
use std::f64::consts::TAU;
use units::{Decibels, Distance, Span, Speed};

/// A drive through good and bad stretches, and the link's margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LandMobile {
    /// Speed of the vehicle.
    pub speed: Speed,
    /// Ratio of the power of the direct path alone to the required power.
    pub margin: Decibels,
    /// Stretches with a clear view of the satellite.
    pub good: GoodStretch,
    /// Stretches in shadow.
    pub bad: BadStretch,
}

/// Parameters of stretches with a clear view of the satellite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoodStretch {
    /// Mean length. The length is exponentially distributed.
    pub lasts: Distance,
    /// Ratio of the power of the direct path to the power of the echoes (c of the paper).
    pub rice_factor: Decibels,
}

/// Parameters of stretches in which the satellite is in shadow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BadStretch {
    /// Mean length. The length is exponentially distributed.
    pub lasts: Distance,
    /// Mean of the mean power in decibels (mu of the paper).
    pub mean: Decibels,
    /// Standard deviation of the mean power in decibels (sigma of the paper).
    pub deviation: Decibels,
}

impl LandMobile {
    /// Mean durations of good and bad stretches.
    pub fn durations(&self) -> [Span; 2] {
        [self.good.lasts, self.bad.lasts].map(|length| {
            // The duration must be at least the resolution of time.
            Span::from_secs_f64((length.m() / self.speed.m_s()).max(1e-9))
        })
    }

    /// The power below which packets are lost.
    fn threshold(&self) -> f64 {
        ratio(-self.margin.db())
    }

    /// Probability of loss in a good stretch.
    pub fn good_outage(&self) -> f64 {
        rice_below(ratio(self.good.rice_factor.db()), self.threshold())
    }

    /// The distribution of the loss in bad stretches.
    pub(crate) fn shadow(&self) -> Shadow {
        Shadow {
            threshold: self.threshold(),
            mean_db: self.bad.mean.db(),
            deviation_db: self.bad.deviation.db(),
        }
    }
}

/// Rayleigh fading with a log-normal mean power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shadow {
    threshold: f64,
    mean_db: f64,
    deviation_db: f64,
}

impl Shadow {
    /// Probability of loss if the mean power is `deviations` standard deviations above its mean. Under Rayleigh fading,
    /// the distribution function of the power S is 1 - exp(-S / S0) (Lutz and others 1991, equation 3).
    fn outage(&self, deviations: f64) -> f64 {
        let mean_power = ratio(self.mean_db + self.deviation_db * deviations);
        -(-self.threshold / mean_power).exp_m1()
    }

    /// Draws the probability of loss in one stretch.
    pub(crate) fn draw(&self, random: &mut Xoshiro256PlusPlus) -> f64 {
        self.outage(random.normal_pair()[0])
    }

    /// Mean probability of loss over all stretches. It is the mean over the log-normal power (Lutz and others 1991,
    /// equation 5).
    pub(crate) fn mean(&self) -> f64 {
        // The trapezoidal rule converges geometrically if the integrand vanishes at both ends.
        const STEP: f64 = 0.05;
        const REACH: i32 = 180;
        let term = |k: i32| {
            let z = STEP * f64::from(k);
            (-z * z / 2.0).exp() * self.outage(z)
        };
        (-REACH..=REACH).map(term).sum::<f64>() * STEP / TAU.sqrt()
    }
}

/// Probability that the power of a Rice channel is below `s`. The direct path has power 1 and the echoes have power
/// 1/c. The probability is 1 - Q1(sqrt(2c), sqrt(2cs)), with Marcum's Q. A non-central chi-square variable of two
/// degrees of freedom equals a central variable of 2 + 2K degrees. K has a Poisson distribution with mean c. This
/// variable is below 2cs with the probability that J exceeds K, where J has a Poisson distribution with mean cs. All
/// terms of the sum are positive, so small probabilities do not lose digits.
pub(crate) fn rice_below(c: f64, s: f64) -> f64 {
    let mean = c * s;
    // If b > a, then Q1(a, b) <= exp(-(b - a)²/2) (Simon and Alouini, IEEE Trans. Communications 48, 2000). The bound
    // is 3e-18 if b - a is 9. Without this case, the number of terms of the sum below would grow with `mean`, which has
    // no upper bound.
    if (2.0 * mean).sqrt() - (2.0 * c).sqrt() > 9.0 {
        return 1.0;
    }
    let last = (mean + 12.0 * mean.sqrt() + 60.0).ceil() as u32;
    // Logarithms of the probabilities that K = j - 1 and that J = j.
    let (mut direct, mut echo) = (-c, -mean);
    let (mut below, mut sum) = (0.0, 0.0);
    for j in 1..=last {
        below += direct.exp();
        direct += (c / f64::from(j)).ln();
        echo += (mean / f64::from(j)).ln();
        sum += echo.exp() * below;
    }
    sum.min(1.0)
}

/// Converts decibels to a ratio of powers.
pub(crate) fn ratio(db: f64) -> f64 {
    10f64.powf(db / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use random::SeedableRng as _;

    /// Expected: distribution functions of scipy 1.17.1, `stats.ncx2.cdf(2 c s, 2, 2 c)`. The first two columns are the
    /// Rice factor and the margin in decibels.
    #[test]
    fn rice_is_a_non_central_chi_square() {
        for (factor, margin, wanted) in [
            (9.0, 5.0, 0.027_880_185_573_827_113),
            (9.0, 10.0, 0.001_612_995_438_665_053_4),
            (6.0, 3.0, 0.148_969_018_524_024_14),
            (6.0, 10.0, 0.011_985_724_252_419_982),
            (4.0, 0.0, 0.408_461_301_618_846_1),
            (17.0, 6.0, 2.058_637_995_101_044_3e-7),
            (10.0, 20.0, 6.826_234_166_021_039e-6),
            (-10.0, 5.0, 0.028_210_106_866_421_614),
            (20.0, 1.0, 0.057_581_014_020_853_256),
            (25.0, -1.0, 0.998_855_176_171_413_1),
            // The probability above the threshold, Q1(sqrt(2 c), sqrt(2 c s)), is below 1e-16 here.
            (0.0, -100.0, 1.0),
        ] {
            let found = rice_below(ratio(factor), ratio(-margin));
            assert!(
                (found / wanted - 1.0).abs() < 1e-10,
                "{factor} dB, {margin} dB: {found} instead of {wanted}"
            );
        }
        // The power is almost never near 0, and almost never far above the direct path.
        assert!(rice_below(ratio(10.0), ratio(-90.0)) < 1e-9);
        assert!((rice_below(ratio(10.0), ratio(20.0)) - 1.0).abs() < 1e-12);
    }

    /// Expected: integrals of scipy 1.17.1, `integrate.quad` over the normal density. The columns are mean, deviation
    /// and margin in decibels.
    #[test]
    fn the_shadowed_outage_is_the_integral() {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(1);
        for (mean_db, deviation_db, margin, wanted) in [
            (-9.0, 5.0, 5.0, 0.811_639_770_355_073_5),
            (-9.0, 5.0, 10.0, 0.557_489_207_940_453),
            (-11.0, 3.0, 10.0, 0.694_720_663_077_369_7),
            (-11.0, 3.0, 0.0, 0.996_303_369_047_150_8),
            (-9.0, 5.0, 30.0, 0.014_991_615_471_111_955),
        ] {
            let shadow = Shadow { threshold: ratio(-margin), mean_db, deviation_db };
            assert!((shadow.mean() / wanted - 1.0).abs() < 1e-9, "{} instead of {wanted}", shadow.mean());
            // The loss of a stretch deviates by less than 0.5 from the mean.
            let drawn = (0..40_000).map(|_| shadow.draw(random)).sum::<f64>() / 40_000.0;
            assert!((drawn - wanted).abs() < 5.0 * 0.5 / 200.0, "{drawn} instead of {wanted}");
        }
    }
}
