// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers of visits, some of which are not known: a visit in progress at the end of the run took longer than it had
//! waited.
//!
//! Up to 10,000 samples are kept individually, and their statistics are exact. Of more samples only counts are kept, in
//! cells that begin at the values of a float with ten fraction bits: 1,024 for each power of two, at most 0.1 % wide. A
//! percentile is the middle of its cell, within 0.05 %; mean, smallest and largest stay exact. So memory is bounded for
//! any number of visits.
//!
//! The product-limit estimate (Kaplan and Meier, J. Am. Stat. Assoc. 53, 1958, eq. 2b): with `n` samples that had
//! waited as long and `d` that ended then,
//!
//! ```text
//! S(t) = Π (1 - d/n)   over all times up to t at which one ended
//! ```
//!
//! A sample that is cut off at a time counts as waiting there. The estimate holds if the end of the run is independent
//! of the duration of visits. Without cut-off samples the percentiles are those of the nearest rank.

use record::summary::{Distribution, Percentiles};
use std::collections::BTreeMap;

/// Tolerance for the rounding of a product that is a fraction of whole numbers.
const ROUNDING: f64 = 1e-12;
/// Number of samples that are kept exactly.
const EXACT: usize = 10_000;
/// Bits of a float's fraction that a cell leaves open: 52, less ten.
const OPEN_BITS: u32 = 42;

/// Samples that ended, and samples that were cut off before; none is negative.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    /// Each sample, and whether it ended; empty if there are more than [`EXACT`].
    exact: Vec<(f64, bool)>,
    cells: BTreeMap<u64, Cell>,
    /// Number of ended samples.
    came: u64,
    sum: f64,
    /// Smallest and largest of all ended samples.
    ends: Option<(f64, f64)>,
}

/// Number of samples in a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    came: u64,
    cut_off: u64,
}

impl Samples {
    /// Adds an ended sample.
    pub fn add(&mut self, value: f64) {
        self.add_or_cut_off(Some(value), 0.0);
    }

    /// Adds a sample that ended after this time, or that had waited this long at the end.
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
        // The bits of floats that are not negative have the order of their values.
        let cell = self.cells.entry(value.to_bits() >> OPEN_BITS).or_default();
        *(if came { &mut cell.came } else { &mut cell.cut_off }) += 1;
    }

    /// Whether any sample ended.
    pub fn any_came(&self) -> bool {
        self.came > 0
    }

    /// Number of ended samples.
    pub fn count_of_those_that_came(&self) -> u64 {
        self.came
    }

    /// All in order: value, number of ended samples there, number of cut-off samples. Of equal values the ended ones
    /// are first.
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

    /// For the ended samples: mean, ends, and percentiles by the nearest rank; `None` without any.
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

    /// Median and 95th percentile of all. A percentile that was not reached is `most`, the longest possible
    /// observation; `None` without samples.
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

    /// Weeks of remission under 6-MP and under a placebo (Freireich and others, Blood 21, 1963). Kaplan-Meier's medians are 23
    /// and 8 weeks (Kleinbaum and Klein, Survival Analysis, chapter 2; R's survfit on MASS::gehan says the same), and the first
    /// curve ends at 0.448.
    #[test]
    fn published_remission_times() {
        let came = [6, 6, 6, 7, 10, 13, 16, 22, 23].map(|week| (f64::from(week), true));
        let cut_off = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].map(|week| (f64::from(week), false));
        let treated = [&came[..], &cut_off[..]].concat();
        assert_eq!(percentiles(&treated, 52.0), Some((23.0, 52.0)));
        let placebo = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]
            .map(|week| (f64::from(week), true));
        // All came: the 20th of 21 is the nearest rank of 95 %.
        assert_eq!(percentiles(&placebo, 52.0), Some((8.0, 22.0)));
    }

    /// Nineteen pages of a second, and one that never comes: a twentieth is no part of the first 95 %; two are.
    #[test]
    fn what_never_comes_is_the_slowest() {
        let mut pages = vec![(1.0, true); 19];
        pages.push((0.5, false));
        // It had waited for less than a second: nobody knows whether it would have been slower.
        assert_eq!(percentiles(&pages, 60.0), Some((1.0, 1.0)));
        pages[18] = (30.0, false);
        pages[19] = (40.0, false);
        assert_eq!(percentiles(&pages, 60.0), Some((1.0, 60.0)));
        assert_eq!(percentiles(&[(3.0, false); 4], 60.0), Some((60.0, 60.0)));
        assert_eq!(percentiles(&[], 60.0), None);
    }

    /// By hand: of 1 to 30,000 the ranks are 1,500, 15,000, 28,500 and 29,700, and the mean is 15,000.5. A cell of 28,500 is 16
    /// wide. 40,000 more that are cut off at once change nothing. With 70,000 more that are cut off after the last came, 30,000
    /// of 100,000 came: half of all is never reached.
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
        // What is cut off at once says nothing: the estimate is that of the others.
        assert!((many.percentiles(1e6).expect("some").p50 / 15_000.0 - 1.0).abs() < 5e-4);
        assert_eq!(many.distribution(), Some(said));
        (0..70_000).for_each(|_| many.add_or_cut_off(None, 40_000.0));
        assert_eq!(many.percentiles(1e6).map(|it| it.p50), Some(1e6));
    }
}
