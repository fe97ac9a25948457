// SPDX-License-Identifier: MIT OR Apache-2.0
//! Probability distributions of sizes (in bytes) or times (in seconds).
//!
//! ```text
//! constant      X = c
//! exponential   F(x) = 1 - exp(-x / mean)
//! log-normal    ln X normal with mean ln(median) and standard deviation sigma;  E X = median exp(sigma^2 / 2)
//! Pareto        F(x) = (1 - (L / x)^a) / (1 - (L / H)^a),  L <= x <= H;  without H the denominator is 1
//! empirical     a CDF through points
//! ```

use crate::cdf::Cdf;
use crate::error::TrafficError;
use random::{Draw as _, SplitMix64};
use std::sync::Arc;
use units::{Bytes, Span};

/// Largest size that can be drawn, in bytes (1 PB). Larger values are reduced to this size, so that sums of sizes fit
/// into 64 bits.
pub const MOST_BYTES: f64 = 1e15;

/// Probability distribution of a number that is not negative.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// Always this value.
    Constant(f64),
    /// Exponential distribution.
    Exponential {
        /// Mean.
        mean: f64,
    },
    /// Log-normal distribution. [`Law::log_normal_of_mean`] builds it from its mean.
    LogNormal {
        /// Median.
        median: f64,
        /// Standard deviation of the natural logarithm.
        sigma: f64,
    },
    /// Pareto distribution. With `most`, it is bounded. [`Law::pareto_of_mean`] builds it from its mean.
    Pareto {
        /// Smallest value L.
        least: f64,
        /// Shape a. A smaller shape means a heavier tail.
        shape: f64,
        /// Largest value H.
        most: Option<f64>,
    },
    /// CDF through points.
    Empirical(Arc<Cdf>),
}

impl Law {
    /// Returns the log-normal distribution with this mean: median = mean exp(-sigma^2 / 2).
    pub fn log_normal_of_mean(mean: f64, sigma: f64) -> Self {
        Self::LogNormal { median: mean * (-sigma * sigma / 2.0).exp(), sigma }
    }

    /// Returns the Pareto distribution with this mean.
    ///
    /// # Errors
    /// If no such distribution exists. An unbounded Pareto distribution with a shape of 1 or less does not have a mean.
    /// The mean of a bounded distribution is always below the bound `most`.
    pub fn pareto_of_mean(mean: f64, shape: f64, most: Option<f64>) -> Result<Self, TrafficError> {
        number("mean", mean, mean > 0.0, "above 0")?;
        number("shape", shape, shape > 0.0, "above 0")?;
        let refuse = |why: String| Err(TrafficError::Mean { mean, why });
        let Some(high) = most else {
            if shape <= 1.0 {
                return refuse(format!(
                    "a Pareto distribution of shape {shape} has no mean (write a shape above 1, or `most`)"
                ));
            }
            return Ok(Self::Pareto { least: mean * (shape - 1.0) / shape, shape, most });
        };
        if high <= mean {
            return refuse(format!("no value exceeds `most` = {high} (make `most` larger than the mean)"));
        }
        // When the smallest value rises, the mean rises from 0 to the bound. The bisection ends when there is no number
        // between `below` and `above`.
        let (mut below, mut above) = (0.0, mean);
        loop {
            let least = f64::midpoint(below, above);
            if least <= below || least >= above {
                return Ok(Self::Pareto { least, shape, most });
            }
            if bounded_mean(least, high, shape) < mean {
                below = least;
            } else {
                above = least;
            }
        }
    }

    /// Checks that all numbers are within their bounds.
    ///
    /// # Errors
    /// Names the number that is out of bounds.
    pub fn check(&self) -> Result<(), TrafficError> {
        match self {
            Self::Constant(value) => number("the value", *value, *value >= 0.0, "0 or more"),
            Self::Exponential { mean } => number("mean", *mean, *mean > 0.0, "above 0"),
            Self::LogNormal { median, sigma } => {
                number("median", *median, *median > 0.0, "above 0")?;
                number("sigma", *sigma, (0.0..=20.0).contains(sigma), "between 0 and 20")
            }
            Self::Pareto { least, shape, most } => {
                number("least", *least, *least > 0.0, "above 0")?;
                number("shape", *shape, *shape > 0.0, "above 0")?;
                let Some(most) = most else { return Ok(()) };
                number("most", *most, most > least, "above `least`")
            }
            Self::Empirical(_) => Ok(()),
        }
    }

    /// Returns the mean. `None` for an unbounded Pareto distribution with a shape of 1 or less, which does not have a
    /// mean.
    pub fn mean(&self) -> Option<f64> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Exponential { mean } => Some(*mean),
            Self::LogNormal { median, sigma } => Some(median * (sigma * sigma / 2.0).exp()),
            Self::Pareto { least, shape, most: Some(most) } => Some(bounded_mean(*least, *most, *shape)),
            Self::Pareto { least, shape, most: None } => {
                (*shape > 1.0).then(|| shape * least / (shape - 1.0))
            }
            Self::Empirical(cdf) => Some(cdf.mean()),
        }
    }

    /// Returns whether two draws can differ.
    pub fn draws(&self) -> bool {
        match self {
            Self::Constant(_) => false,
            Self::Exponential { mean } => *mean > 0.0,
            Self::LogNormal { median, sigma } => *median > 0.0 && *sigma > 0.0,
            Self::Pareto { least: _, shape: _, most: _ } => true,
            Self::Empirical(cdf) => !cdf.is_one_value(),
        }
    }

    /// Draws a value. A log-normal distribution consumes two words of the generator `dice`. Every other random
    /// distribution consumes one word.
    pub fn draw(&self, dice: &mut SplitMix64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            // Inversion of F. 1 - u replaces u, because 1 - u is never 0.
            Self::Exponential { mean } => -mean * (1.0 - dice.fraction()).ln(),
            Self::LogNormal { median, sigma } => median * (sigma * dice.normal()).exp(),
            // Inversion of F: x = L (1 - u (1 - (L / H)^a))^(-1 / a)
            Self::Pareto { least, shape, most } => {
                let whole = most.map_or(1.0, |most| 1.0 - (least / most).powf(*shape));
                least * (1.0 - dice.fraction() * whole).powf(-1.0 / shape)
            }
            Self::Empirical(cdf) => cdf.quantile(dice.fraction()),
        }
    }

    /// Draws a size: the value in bytes, rounded, at least 1 byte.
    pub fn bytes(&self, dice: &mut SplitMix64) -> Bytes {
        Bytes::new(self.draw(dice).round().clamp(1.0, MOST_BYTES) as u64)
    }

    /// Draws a time: the value in seconds.
    pub fn span(&self, dice: &mut SplitMix64) -> Span {
        Span::from_secs_f64(self.draw(dice))
    }

    /// Draws a count: the value, rounded, between 1 and `most`.
    pub fn count(&self, dice: &mut SplitMix64, most: u32) -> u32 {
        self.draw(dice).round().clamp(1.0, f64::from(most)) as u32
    }
}

/// Returns the mean of the bounded Pareto distribution (the integral of x dF):
///
/// ```text
/// L^a / (1 - (L / H)^a) a / (a - 1) (L^(1 - a) - H^(1 - a));  with a = 1: L ln(H / L) / (1 - L / H)
/// ```
pub(crate) fn bounded_mean(low: f64, high: f64, a: f64) -> f64 {
    let ratio = low / high;
    let whole = 1.0 - ratio.powf(a);
    // Both powers are divided by L^(1 - a), so that nothing overflows. exp_m1 keeps the precision if a is near 1.
    let log = ratio.ln();
    let one_less = a - 1.0;
    let spread = if one_less == 0.0 { -log } else { -(one_less * log).exp_m1() / one_less };
    low * a * spread / whole
}

pub(crate) fn number(
    what: &'static str,
    value: f64,
    holds: bool,
    bound: &'static str,
) -> Result<(), TrafficError> {
    if holds && value.is_finite() { Ok(()) } else { Err(TrafficError::Number { what, value, bound }) }
}
