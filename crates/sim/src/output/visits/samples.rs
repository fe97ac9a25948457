// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statistics of visits whose durations are not all known. If a visit is in progress at the end of the run, its
//! duration is at least its duration so far.
//!
//! Up to 10,000 samples are stored individually, and their statistics are exact. If there are more samples, only the
//! number of samples per cell is stored. Cells start at the floating-point values with ten fraction bits. There are
//! 1,024 cells for each power of two, and a cell is at most 0.1 % wide. A percentile is the middle of its cell, so its
//! error is at most 0.05 %. Mean, smallest and largest value stay exact. Therefore memory is bounded for any number of
//! visits.
//!
//! Percentiles use the product-limit estimate (Kaplan and Meier, J. Am. Stat. Assoc. 53, 1958, eq. 2b):
//!
//! ```text
//! S(t) = Π (1 - d/n)   over all times up to t at which a sample ended
//! ```
//!
//! At such a time, `d` is the number of samples that end, and `n` is the number of samples that have lasted at least as
//! long. A sample that is cut off at this time is part of `n`. The estimate holds if the end of the run is independent
//! of the duration of visits. Without cut-off samples, the percentiles are those of the nearest rank.

use record::summary::{Distribution, Percentiles};
use std::collections::BTreeMap;

/// Tolerance for rounding errors of a product of fractions.
const ROUNDING: f64 = 1e-12;
/// Largest number of samples that are stored individually.
const EXACT: usize = 10_000;
/// Number of fraction bits that vary within a cell: 52 minus ten.
const OPEN_BITS: u32 = 42;

/// Samples that ended, and samples that were cut off before they ended. No sample is negative.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Samples {
    /// Each sample, and whether it ended. Empty if there are more than [`EXACT`] samples.
    exact: Vec<(f64, bool)>,
    cells: BTreeMap<u64, Cell>,
    /// Number of ended samples.
    came: u64,
    sum: f64,
    /// Smallest and largest of the samples that ended.
    ends: Option<(f64, f64)>,
}

/// Number of samples in a cell.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Cell {
    came: u64,
    cut_off: u64,
}

impl Samples {
    /// Adds a sample that ended.
    pub fn add(&mut self, value: f64) {
        self.add_or_cut_off(Some(value), 0.0);
    }

    /// Adds a sample that ended after the time `came`. With `None`, the sample was cut off after the time `waited`.
    pub fn add_or_cut_off(&mut self, came: Option<f64>, waited: f64) {
        let value = came.unwrap_or(waited);
        if came.is_some() {
            self.came += 1;
            self.sum += value;
            let (least, largest) = self.ends.unwrap_or((value, value));
            self.ends = Some((least.min(value), largest.max(value)));
        }
        if self.cells.is_empty() && self.exact.len() < EXACT {
            self.exact.push((value, came.is_some()));
            return;
        }
        for (value, came) in std::mem::take(&mut self.exact) {
            self.count(value, came);
        }
        self.count(value, came.is_some());
    }

    fn count(&mut self, value: f64, came: bool) {
        // For floating-point numbers that are not negative, the order of their bits is the order of their values.
        let cell = self.cells.entry(value.to_bits() >> OPEN_BITS).or_default();
        *(if came { &mut cell.came } else { &mut cell.cut_off }) += 1;
    }

    /// Returns whether at least one sample ended.
    pub fn any_came(&self) -> bool {
        self.came > 0
    }

    /// Returns the number of samples that ended.
    pub fn count_of_those_that_came(&self) -> u64 {
        self.came
    }

    /// Returns all values in ascending order, each with the number of samples that ended there and that were cut off
    /// there. At equal values, samples that ended precede samples that were cut off.
    fn steps(&self) -> Vec<(f64, Cell)> {
        let mut exact = self.exact.clone();
        exact.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let one =
            |(value, came): (f64, bool)| (value, Cell { came: u64::from(came), cut_off: u64::from(!came) });
        let middle = |cell: u64| f64::from_bits((cell << OPEN_BITS) | 1 << (OPEN_BITS - 1));
        let (least, largest) = self.ends.unwrap_or((0.0, f64::INFINITY));
        let within = |(&cell, &counts): (&u64, &Cell)| (middle(cell).clamp(least, largest), counts);
        exact.into_iter().map(one).chain(self.cells.iter().map(within)).collect()
    }

    /// Returns mean, smallest value, largest value and percentiles (by nearest rank) of the samples that ended; `None`
    /// if no sample ended.
    pub fn distribution(&self) -> Option<Distribution> {
        let (min, max) = self.ends?;
        let steps = self.steps();
        let rank = |share: f64| {
            let wanted = ((share * self.came as f64).ceil() as u64).clamp(1, self.came);
            let mut seen = 0;
            let reached = steps.iter().find(|(_, cell)| {
                seen += cell.came;
                seen >= wanted
            });
            reached.map_or(max, |&(value, _)| value)
        };
        Some(Distribution {
            samples: self.came,
            mean: self.sum / self.came as f64,
            p5: rank(0.05),
            p50: rank(0.50),
            p95: rank(0.95),
            p99: rank(0.99),
            min,
            max,
        })
    }

    /// Returns the median and the 95th percentile of all samples; `None` without samples. If too few samples ended to
    /// know a percentile, it is `most`, the largest possible value.
    pub fn percentiles(&self, most: f64) -> Option<Percentiles> {
        let steps = self.steps();
        if steps.is_empty() {
            return None;
        }
        let all: u64 = steps.iter().map(|(_, cell)| cell.came + cell.cut_off).sum();
        let at = |share: f64| {
            let (mut left, mut waiting) = (1.0, all);
            for &(value, cell) in &steps {
                if cell.came > 0 {
                    left *= 1.0 - cell.came as f64 / waiting as f64;
                    if left <= 1.0 - share + ROUNDING {
                        return value;
                    }
                }
                waiting -= cell.came + cell.cut_off;
            }
            most
        };
        Some(Percentiles { p50: at(0.50), p95: at(0.95) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percentiles(samples: &[(f64, bool)], most: f64) -> Option<(f64, f64)> {
        let mut all = Samples::default();
        for &(time, came) in samples {
            all.add_or_cut_off(came.then_some(time), time);
        }
        all.percentiles(most).map(|it| (it.p50, it.p95))
    }

    /// Weeks of remission with 6-MP and with a placebo (Freireich and others, Blood 21, 1963). The medians of
    /// Kaplan-Meier are 23 and 8 weeks (Kleinbaum and Klein, Survival Analysis, chapter 2; survfit in R on MASS::gehan
    /// gives the same). The first curve ends at 0.448.
    #[test]
    fn published_remission_times() {
        let came = [6, 6, 6, 7, 10, 13, 16, 22, 23].map(|week| (f64::from(week), true));
        let cut_off = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].map(|week| (f64::from(week), false));
        let treated = [&came[..], &cut_off[..]].concat();
        assert_eq!(percentiles(&treated, 52.0), Some((23.0, 52.0)));
        let placebo = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]
            .map(|week| (f64::from(week), true));
        // All samples ended. The nearest rank of 95 % is the 20th of 21.
        assert_eq!(percentiles(&placebo, 52.0), Some((8.0, 22.0)));
    }

    /// Nineteen pages take one second, and one page never arrives. One page in twenty is outside the first 95 %. Two
    /// are not.
    #[test]
    fn what_never_comes_is_the_slowest() {
        let mut pages = vec![(1.0, true); 19];
        pages.push((0.5, false));
        // The page had waited for less than one second. It may have been as fast as the others.
        assert_eq!(percentiles(&pages, 60.0), Some((1.0, 1.0)));
        pages[18] = (30.0, false);
        pages[19] = (40.0, false);
        assert_eq!(percentiles(&pages, 60.0), Some((1.0, 60.0)));
        assert_eq!(percentiles(&[(3.0, false); 4], 60.0), Some((60.0, 60.0)));
        assert_eq!(percentiles(&[], 60.0), None);
    }

    /// Worked out by hand: for 1 to 30,000, the ranks are 1,500, 15,000, 28,500 and 29,700, and the mean is 15,000.5.
    /// The cell of 28,500 is 16 wide. Another 40,000 samples that are cut off at time 0 change nothing. With 70,000
    /// samples that are cut off after the last end, only 30,000 of 100,000 samples ended, so the median is unknown.
    #[test]
    fn more_than_are_kept() {
        let mut many = Samples::default();
        (1..=30_000).rev().for_each(|value| many.add(f64::from(value)));
        assert!(many.exact.is_empty() && many.cells.len() < 16 * 1024);
        let said = many.distribution().expect("there are some");
        assert_eq!((said.samples, said.mean, said.min, said.max), (30_000, 15_000.5, 1.0, 30_000.0));
        for (got, exact) in
            [(said.p5, 1500.0), (said.p50, 15_000.0), (said.p95, 28_500.0), (said.p99, 29_700.0)]
        {
            assert!((got / exact - 1.0).abs() < 5e-4, "{got} {exact}");
        }
        (0..40_000).for_each(|_| many.add_or_cut_off(None, 0.0));
        // Samples that are cut off at time 0 contain no information, so the estimate is the same.
        assert!((many.percentiles(1e6).expect("some").p50 / 15_000.0 - 1.0).abs() < 5e-4);
        assert_eq!(many.distribution(), Some(said));
        (0..70_000).for_each(|_| many.add_or_cut_off(None, 40_000.0));
        assert_eq!(many.percentiles(1e6).map(|it| it.p50), Some(1e6));
    }
}
