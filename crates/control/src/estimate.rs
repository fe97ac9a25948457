// SPDX-License-Identifier: MIT OR Apache-2.0
//! Estimators that several controllers share.

pub mod bandwidth;

use units::{Span, Time};

/// Smallest value of a sliding window of time, in constant space (K. Nichols; Linux `lib/win_minmax.c`).
///
/// It keeps the best value and two later ones from later quarters of the window. A new smallest value holds at once;
/// when the best grows older than the window the next one takes its place.
#[derive(Clone, Debug)]
pub struct WindowedMin {
    window: Span,
    best: Option<[(Time, f64); 3]>,
}

impl WindowedMin {
    /// Over the last `window`.
    pub const fn new(window: Span) -> Self {
        Self { window, best: None }
    }

    /// Changes the window to the last `window`; what is remembered stays.
    pub const fn set_window(&mut self, window: Span) {
        self.window = window;
    }

    /// Forgets everything.
    pub const fn reset(&mut self) {
        self.best = None;
    }

    /// The smallest value; `None` before the first.
    pub fn get(&self) -> Option<f64> {
        self.best.map(|[(_, value), ..]| value)
    }

    /// Takes `value` and gives the smallest.
    pub fn update(&mut self, now: Time, value: f64) -> f64 {
        let new = (now, value);
        let best = match self.best {
            Some(best) if value > best[0].1 && now.since(best[2].0) <= self.window => self.advance(best, new),
            _ => [new; 3],
        };
        self.best = Some(best);
        best[0].1
    }

    fn advance(
        &self,
        [mut first, mut second, mut third]: [(Time, f64); 3],
        new: (Time, f64),
    ) -> [(Time, f64); 3] {
        if new.1 <= second.1 {
            (second, third) = (new, new);
        } else if new.1 <= third.1 {
            third = new;
        }
        let age = new.0.since(first.0);
        if age > self.window {
            (first, second, third) = (second, third, new);
            if new.0.since(first.0) > self.window {
                (first, second, third) = (second, third, new);
            }
        } else if second.0 == first.0 && age > self.window / 4 {
            (second, third) = (new, new);
        } else if third.0 == second.0 && age > self.window / 2 {
            third = new;
        }
        [first, second, third]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(secs: u64) -> Time {
        Time::ZERO + Span::from_secs(secs)
    }

    #[test]
    fn a_smaller_value_holds_at_once_and_for_one_window() {
        let mut min = WindowedMin::new(Span::from_secs(10));
        assert_eq!(min.get(), None);
        assert_eq!(min.update(at(0), 5.0), 5.0);
        assert_eq!(min.update(at(1), 3.0), 3.0);
        // The 3 of second 1 holds until second 11; from then on the smallest of what came later.
        for s in 2..=11 {
            assert_eq!(min.update(at(s), 7.0), 3.0, "second {s}");
        }
        assert_eq!(min.update(at(12), 8.0), 7.0);
        min.reset();
        assert_eq!(min.update(at(13), 9.0), 9.0);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Against the definition: never below the smallest value of the window, never a value older than it, and
        /// never above the newest value.
        #[test]
        fn agrees_with_the_definition(steps in prop::collection::vec((0..4_000_u64, 0..50_u32), 1..100)) {
            let window = Span::from_secs(10);
            let mut min = WindowedMin::new(window);
            let mut now = Time::ZERO;
            let mut seen: Vec<(Time, f64)> = Vec::new();
            for (after_ms, value) in steps {
                now += Span::from_millis(after_ms);
                seen.push((now, f64::from(value)));
                let got = min.update(now, f64::from(value));
                let recent: Vec<f64> =
                    seen.iter().filter(|(at, _)| now.since(*at) <= window).map(|(_, value)| *value).collect();
                let smallest = recent.iter().copied().fold(f64::INFINITY, f64::min);
                prop_assert!(got >= smallest);
                prop_assert!(recent.contains(&got), "{got} is older than the window: {recent:?}");
                prop_assert!(got <= f64::from(value));
            }
        }
    }
}
