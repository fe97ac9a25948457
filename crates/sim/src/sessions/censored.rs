// SPDX-License-Identifier: MIT OR Apache-2.0
//! Percentiles of times of which some are not known: what was not over when the run was took longer than it had waited.
//!
//! The product-limit estimate (Kaplan and Meier, J. Am. Stat. Assoc. 53, 1958, eq. 2b): with `n` that had waited as long and
//! `d` that came then,
//!
//! ```text
//! S(t) = Π (1 - d/n)   over all times up to t at which one came
//! ```
//!
//! What is cut off at a time counts as waiting there. It holds where the end of the run says nothing of how long a session
//! would have taken. Without one that is cut off the percentiles are those of the nearest rank.

use record::summary::Percentiles;

/// Room for what rounding leaves of a product that is a fraction of whole numbers.
const ROUNDING: f64 = 1e-12;

/// Times that came, and those that had not come until they were cut off.
#[derive(Clone, Debug, Default)]
pub(super) struct Censored {
    samples: Vec<(f64, bool)>,
}

impl Censored {
    /// Adds one that came after so long, or else had waited so long at the end.
    pub fn add(&mut self, came: Option<f64>, waited: f64) {
        self.samples.push((came.unwrap_or(waited), came.is_some()));
    }

    /// Whether any came.
    pub fn came(&self) -> bool {
        self.samples.iter().any(|&(_, came)| came)
    }

    /// Median and 95th percentile. One that was not reached is `most`, the longest that could have been seen; `None` of
    /// nothing.
    pub fn percentiles(&self, most: f64) -> Option<Percentiles> {
        if self.samples.is_empty() {
            return None;
        }
        let mut samples = self.samples.clone();
        // Of equal times those that came are first.
        samples.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let at = |share: f64| {
            let mut left = 1.0;
            let mut waiting = samples.len();
            for &(time, came) in &samples {
                if came {
                    // One by one: the product over those of one time is the same.
                    left *= 1.0 - 1.0 / waiting as f64;
                    if left <= 1.0 - share + ROUNDING {
                        return time;
                    }
                }
                waiting -= 1;
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
        let mut all = Censored::default();
        for &(time, came) in samples {
            all.add(came.then_some(time), time);
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
}
