// SPDX-License-Identifier: MIT OR Apache-2.0
//! Randomness: named streams, generators, and draws from distributions.
//!
//! Each use of random numbers has its own named stream ([`stream_seed`]). Two runs can therefore be compared in pairs.
//! Distributions are drawn by inversion or by the Box-Muller transform. The code of these draws is in this crate. The
//! results of a run therefore depend on the seed, and not on the version of a library.

pub mod normal;

pub use rand_xoshiro::rand_core::SeedableRng;
pub use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use rand_xoshiro::rand_core::Rng;
use std::f64::consts::TAU;

/// Returns the seed of the stream `name` in a run with `seed`. The result depends only on these two arguments. For
/// example, if the controller of one flow changes, the seeds of all other streams stay the same.
///
/// The name is hashed with FNV-1a and mixed with the seed by the finaliser of `SplitMix64` (Steele, Lea and Flood,
/// OOPSLA 2014).
pub fn stream_seed(seed: u64, name: &str) -> u64 {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    // The generator adds the golden ratio to its state before it mixes. The subtraction here cancels this addition.
    SplitMix64::seed_from_u64((hash ^ seed.wrapping_mul(GOLDEN)).wrapping_sub(GOLDEN)).word()
}

/// Draws from distributions.
pub trait Draw {
    /// Draws 64 random bits.
    fn word(&mut self) -> u64;

    /// Draws uniformly from [0, 1), with a resolution of 53 bits.
    fn fraction(&mut self) -> f64 {
        (self.word() >> 11) as f64 / 2f64.powi(53)
    }

    /// Draws uniformly from (0, 1], with a resolution of 53 bits. The logarithm of the result is always finite.
    fn positive(&mut self) -> f64 {
        ((self.word() >> 11) + 1) as f64 / 2f64.powi(53)
    }

    /// Draws an integer from 0 to `bound` - 1 (Lemire 2019). If `bound` is below 2^14, the bias is below 2^-50.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }

    /// Draws from the standard normal distribution (Box and Muller 1958). The transform yields a pair of numbers. This
    /// method discards the second number, so a stream does not have to store it.
    fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.fraction(), self.fraction());
        (-2.0 * u.ln()).sqrt() * (TAU * v).cos()
    }

    /// Draws two independent numbers from the standard normal distribution (Box and Muller 1958).
    fn normal_pair(&mut self) -> [f64; 2] {
        let radius = (-2.0 * self.positive().ln()).sqrt();
        let angle = TAU * self.positive();
        [radius * angle.cos(), radius * angle.sin()]
    }

    /// Draws from the Poisson distribution with this mean. The method adds up exponential gaps until the sum exceeds
    /// the mean.
    fn poisson(&mut self, mean: f64) -> usize {
        let (mut sum, mut events) = (-self.positive().ln(), 0);
        while sum < mean {
            sum -= self.positive().ln();
            events += 1;
        }
        events
    }
}

impl<R: Rng> Draw for R {
    fn word(&mut self) -> u64 {
        self.next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: usize = 100_000;

    fn mean_and_variance(values: impl Iterator<Item = f64>) -> (f64, f64) {
        let values: Vec<f64> = values.collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
        (mean, variance)
    }

    /// Expected: the first outputs of the authors' C program (S. Vigna, splitmix64.c) for the seed 1234567.
    #[test]
    fn the_generator_gives_the_published_sequence() {
        let mut random = SplitMix64::seed_from_u64(1_234_567);
        let words = [(); 3].map(|()| random.word());
        assert_eq!(words, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn streams_differ_by_name_and_by_seed() {
        let names = ["link a loss", "link b loss", "link a jitter"];
        let mut seeds: Vec<u64> = (0..1000).flat_map(|s| names.map(|name| stream_seed(s, name))).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 3000);
    }

    /// Expected: FNV-1a of an empty text is its offset basis, cbf29ce484222325 (draft-eastlake-fnv, section 5). With
    /// the seed 0, only the finaliser changes this value. The expected result was computed with Python's integers.
    #[test]
    fn a_stream_has_the_seed_that_it_always_had() {
        assert_eq!(stream_seed(0, ""), 0xf52a_15e9_a9b5_e89b);
    }

    /// Expected for a uniform distribution: the mean is 1/2 and the variance is 1/12. Four standard errors are 0.0037
    /// for the mean and 0.001 for the variance.
    #[test]
    fn fractions_are_uniform() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for draw in [Xoshiro256PlusPlus::fraction, Xoshiro256PlusPlus::positive] {
            let (mean, variance) = mean_and_variance((0..MANY).map(|_| draw(&mut random)));
            assert!((mean - 0.5).abs() < 0.0037, "{mean}");
            assert!((variance - 1.0 / 12.0).abs() < 0.001, "{variance}");
        }
        let counts = (0..MANY).fold([0; 5], |mut counts, _| {
            counts[random.below(5) as usize] += 1;
            counts
        });
        // The counts have a binomial distribution with a standard deviation of 126.
        assert!(counts.iter().all(|count| (count - 20_000_i32).abs() < 506), "{counts:?}");
    }

    /// Expected: the mean is 0 and the variance is 1, with four standard errors of 0.0127 and 0.018. The share of draws
    /// above 1 is 0.1587, with four standard errors of 0.0046.
    #[test]
    fn normal_draws_are_normal() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut single = random.clone();
        let pairs: Vec<f64> = (0..MANY / 2).flat_map(|_| random.normal_pair()).collect();
        let singles: Vec<f64> = (0..MANY).map(|_| single.normal()).collect();
        for values in [pairs, singles] {
            let above = values.iter().filter(|&&value| value > 1.0).count() as f64 / MANY as f64;
            let (mean, variance) = mean_and_variance(values.into_iter());
            assert!(mean.abs() < 0.0127 && (variance - 1.0).abs() < 0.018, "{mean} {variance}");
            assert!((above - 0.158_655).abs() < 0.0047, "{above}");
        }
    }

    /// Expected for a Poisson distribution: mean and variance are both 3. Four standard errors are 0.022 for the mean
    /// and 0.058 for the variance.
    #[test]
    fn poisson_counts_have_their_mean_as_variance() {
        let mut random = SplitMix64::seed_from_u64(3);
        let (mean, variance) = mean_and_variance((0..MANY).map(|_| random.poisson(3.0) as f64));
        assert!((mean - 3.0).abs() < 0.022 && (variance - 3.0).abs() < 0.058, "{mean} {variance}");
    }
}
