// SPDX-License-Identifier: MIT OR Apache-2.0
//! The largest and the smallest value of a sliding window.

use units::{Span, Time};

/// A value and the tick at which it was taken.
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Sample {
    tick: u64,
    value: f64,
}

/// Largest value of a sliding window, in constant space (K. Nichols; Linux `lib/win_minmax.c`).
///
/// The filter stores three values: the largest value, and two values from later quarters of the window. A new largest
/// value replaces all three values at once. When the largest value is older than the window, the next stored value
/// replaces it. The caller chooses the unit of the window: round trips, cycles or nanoseconds.
#[derive(Clone, Debug, saved::Plain)]
pub struct WindowedMax {
    window: u64,
    best: Option<[Sample; 3]>,
}

impl WindowedMax {
    /// A maximum over the last `window` ticks. A value of tick t counts until tick t + `window`, including this tick.
    pub const fn new(window: u64) -> Self {
        Self { window, best: None }
    }

    /// Changes the length of the window to `window` ticks. The stored values are unchanged.
    pub const fn set_window(&mut self, window: u64) {
        self.window = window;
    }

    /// Removes all values.
    pub const fn reset(&mut self) {
        self.best = None;
    }

    /// The largest value; `None` before the first value.
    pub fn get(&self) -> Option<f64> {
        self.best.map(|[best, ..]| best.value)
    }

    /// Multiplies all stored values by `factor`, which must be positive. Used when the unit of the values changes.
    pub fn multiply(&mut self, factor: f64) {
        for sample in self.best.iter_mut().flatten() {
            sample.value *= factor;
        }
    }

    /// Adds `value` at tick `now` and returns the largest value. `now` never decreases from call to call.
    pub fn update(&mut self, now: u64, value: f64) -> f64 {
        let new = Sample { tick: now, value };
        let best = match self.best {
            Some(best) if value < best[0].value && now.saturating_sub(best[2].tick) <= self.window => {
                self.advance(best, new)
            }
            _ => [new; 3],
        };
        self.best = Some(best);
        best[0].value
    }

    const fn advance(&self, [mut first, mut second, mut third]: [Sample; 3], new: Sample) -> [Sample; 3] {
        if new.value >= second.value {
            (second, third) = (new, new);
        } else if new.value >= third.value {
            third = new;
        }
        let age = new.tick.saturating_sub(first.tick);
        if age > self.window {
            (first, second, third) = (second, third, new);
            if new.tick.saturating_sub(first.tick) > self.window {
                (first, second, third) = (second, third, new);
            }
        } else if second.tick == first.tick && age > self.window / 4 {
            (second, third) = (new, new);
        } else if third.tick == second.tick && age > self.window / 2 {
            third = new;
        }
        [first, second, third]
    }
}

/// The smallest value of a sliding window of time, computed by [`WindowedMax`] from the negated values.
#[derive(Clone, Debug, saved::Plain)]
pub struct WindowedMin(WindowedMax);

impl WindowedMin {
    /// A minimum over the last `window` of time.
    pub const fn new(window: Span) -> Self {
        Self(WindowedMax::new(window.nanos()))
    }

    /// Changes the length of the window to `window`. The stored values are unchanged.
    pub const fn set_window(&mut self, window: Span) {
        self.0.set_window(window.nanos());
    }

    /// Removes all values.
    pub const fn reset(&mut self) {
        self.0.reset();
    }

    /// The smallest value; `None` before the first value.
    pub fn get(&self) -> Option<f64> {
        self.0.get().map(|value| -value)
    }

    /// Multiplies all stored values by `factor`, which must be positive. Used when the unit of the values changes.
    pub fn multiply(&mut self, factor: f64) {
        self.0.multiply(factor);
    }

    /// Adds `value` and returns the smallest value.
    pub fn update(&mut self, now: Time, value: f64) -> f64 {
        -self.0.update(now.nanos(), -value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_larger_value_holds_at_once_and_for_one_window() {
        let mut max = WindowedMax::new(10);
        assert_eq!(max.get(), None);
        assert_eq!(max.update(0, 5.0), 5.0);
        assert_eq!(max.update(1, 8.0), 8.0);
        // The value 8 of round 1 counts until round 11. Then the largest later value counts.
        for round in 2..=11 {
            assert_eq!(max.update(round, 6.0), 8.0, "round {round}");
        }
        assert_eq!(max.update(12, 4.0), 6.0);
        max.reset();
        assert_eq!(max.update(13, 2.0), 2.0);
    }

    proptest! {
        /// Compares with the definition: the result is never above the largest value of the window, never older than
        /// the window, and never below the newest value.
        #[test]
        fn agrees_with_the_definition(
            window in 1..12_u64,
            steps in prop::collection::vec((0..4_u64, 0..50_u32), 1..100),
        ) {
            let mut max = WindowedMax::new(window);
            let mut now = 0;
            let mut seen: Vec<(u64, f64)> = Vec::new();
            for (after, value) in steps {
                now += after;
                seen.push((now, f64::from(value)));
                let got = max.update(now, f64::from(value));
                let recent: Vec<f64> =
                    seen.iter().filter(|(at, _)| now - at <= window).map(|(_, value)| *value).collect();
                let largest = recent.iter().copied().fold(0.0, f64::max);
                prop_assert!(got <= largest);
                prop_assert!(recent.contains(&got), "{got} is older than the window: {recent:?}");
                prop_assert!(got >= f64::from(value));
            }
        }
    }

    fn at(secs: u64) -> Time {
        Time::ZERO + Span::from_secs(secs)
    }

    #[test]
    fn a_smaller_value_holds_at_once_and_for_one_window() {
        let mut min = WindowedMin::new(Span::from_secs(10));
        assert_eq!(min.get(), None);
        assert_eq!(min.update(at(0), 5.0), 5.0);
        assert_eq!(min.update(at(1), 3.0), 3.0);
        // The value 3 of second 1 counts until second 11. Then the smallest later value counts.
        for s in 2..=11 {
            assert_eq!(min.update(at(s), 7.0), 3.0, "second {s}");
        }
        assert_eq!(min.update(at(12), 8.0), 7.0);
        min.reset();
        assert_eq!(min.update(at(13), 9.0), 9.0);
    }

    proptest! {
        /// Compares with the definition: the result is never below the smallest value of the window, never older than
        /// the window, and never above the newest value.
        #[test]
        fn the_smallest_agrees_with_the_definition(steps in prop::collection::vec((0..4_000_u64, 0..50_u32), 1..100)) {
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
