// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measured distributions: curves through points of value and cumulative probability.

use crate::error::TrafficError;
use crate::law::bounded_mean;
use crate::named::NAMED;
use csvfile::{Row, Rows};
use std::sync::Arc;

/// Cumulative distribution function (CDF) through points. If the first point has a probability p above 0, the value of
/// this point occurs with probability p. Two points with the same value form a jump.
#[derive(Clone, Debug, PartialEq)]
pub struct Cdf {
    /// Pairs of a value x, and the probability that a draw is at most x. Values and probabilities never fall from point
    /// to point. The last probability is 1.
    points: Vec<(f64, f64)>,
    between: Between,
}

/// Interpolation between two points of a CDF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Between {
    /// Linear in the value: all values between the two points are equally likely.
    #[default]
    Linear,
    /// Linear in the logarithm of the value. For example, a value between 1 and 2 kB is as likely as a value between 2
    /// and 4 kB.
    LogLinear,
    /// Linear between the logarithm of the value and the logarithm of 1 - F. Between two points, this is a power law,
    /// as in heavy-tailed distributions. At the last point, 1 - F is 0. The part before the last point is therefore
    /// interpolated as `LogLinear`.
    Power,
}

impl Cdf {
    /// Builds the curve through these points.
    ///
    /// # Errors
    /// If there are no points, if values or probabilities fall, if a value is negative (or 0 with a logarithmic
    /// interpolation), or if the last probability is not 1.
    pub fn new(points: Vec<(f64, f64)>, between: Between) -> Result<Self, TrafficError> {
        let numbered: Vec<_> = points.into_iter().enumerate().map(|(i, point)| (i + 1, point)).collect();
        Self::of_rows(&numbered, between)
    }

    /// Returns whether all points have the same value, so that every draw returns this value.
    pub(crate) fn is_one_value(&self) -> bool {
        self.points.first().map(|first| first.0) == self.points.last().map(|last| last.0)
    }

    /// Reads a CDF from text: CSV, or columns separated by blanks. Each row is one point: a value and its cumulative
    /// probability. Rows that begin with `#` are comments. The first row may contain column names. If a row has three
    /// numbers, the second number is ignored. (In ns-2's format, the second number is the number of the row.)
    ///
    /// # Errors
    /// The errors of [`Cdf::new`], and an error for a row that is not a point, with its line.
    pub fn read(text: &str, between: Between) -> Result<Self, TrafficError> {
        let refused = |row: &Row| TrafficError::CdfRow {
            line: row.line,
            why: format!("\"{}\" is not a value and its probability (write `12000, 0.53`)", row.shown()),
        };
        let mut rows = Vec::new();
        let mut headed = false;
        for row in Rows::of(text) {
            let row = row.map_err(|fault| TrafficError::CdfRow {
                line: fault.line.unwrap_or_default(),
                why: fault.why,
            })?;
            let cells: Vec<&str> = match row.len() {
                1 => row.cell(0).split_whitespace().collect(),
                _ => row.cells().collect(),
            };
            let numbers: Vec<f64> = cells.iter().filter_map(|cell| cell.parse().ok()).collect();
            let are_words = cells.iter().all(|cell| cell.starts_with(char::is_alphabetic));
            if numbers.is_empty() && are_words && rows.is_empty() && !headed {
                headed = true;
                continue;
            }
            let ([value, probability] | [value, _, probability]) = numbers[..] else {
                return Err(refused(&row));
            };
            if numbers.len() != cells.len() {
                return Err(refused(&row));
            }
            rows.push((row.line, (value, probability)));
        }
        Self::of_rows(&rows, between)
    }

    /// Returns the named CDF `name`: `web-search`, `data-mining` or `internet-mix` ([`NAMED`]).
    pub fn named(name: &str) -> Option<Arc<Self>> {
        NAMED.iter().find(|named| named.name == name).map(|named| Arc::new(named.cdf()))
    }

    fn of_rows(rows: &[(usize, (f64, f64))], between: Between) -> Result<Self, TrafficError> {
        let (mut least, mut before) = (0.0, 0.0);
        for &(line, (value, probability)) in rows {
            let refuse = |why: String| Err(TrafficError::CdfRow { line, why });
            if !value.is_finite() || value < 0.0 {
                return refuse(format!("the value {value} must be 0 or more, and finite"));
            }
            if between != Between::Linear && value == 0.0 {
                return refuse(
                    "the value 0 has no logarithm (begin above 0, or use linear interpolation)".to_owned(),
                );
            }
            if !(0.0..=1.0).contains(&probability) {
                return refuse(format!(
                    "the probability {probability} must be between 0 and 1 (fractions, not percent)"
                ));
            }
            if value < least {
                return refuse(format!("the value falls from {least} to {value} (sort the rows by value)"));
            }
            if probability < before {
                return refuse(format!(
                    "the CDF falls from {before} to {probability} (it is cumulative: the probability of this value or less)"
                ));
            }
            (least, before) = (value, probability);
        }
        match rows.last() {
            None => Err(TrafficError::CdfEmpty),
            Some(&(_, (_, end))) if end != 1.0 => Err(TrafficError::CdfEnd { end }),
            Some(_) => Ok(Self { points: rows.iter().map(|&(_, point)| point).collect(), between }),
        }
    }

    /// Returns the points: value and cumulative probability.
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// Returns the interpolation between the points.
    pub const fn between(&self) -> Between {
        self.between
    }

    /// Returns the mean of the distribution.
    pub fn mean(&self) -> f64 {
        let (first, share) = self.points[0];
        let stretches = (1..self.points.len()).map(|above| {
            let (from, to) = (self.points[above - 1], self.points[above]);
            let mean = match self.shape(above) {
                Shape::Straight => f64::midpoint(from.0, to.0),
                // The mean of the distribution with a uniform logarithm: (b - a) / ln(b / a).
                Shape::Logarithm => (to.0 - from.0) / (to.0 / from.0).ln(),
                Shape::Power(shape) => bounded_mean(from.0, to.0, shape),
            };
            (to.1 - from.1) * mean
        });
        share * first + stretches.sum::<f64>()
    }

    /// Returns the quantile: the value that a draw does not exceed with this `probability`, from 0 to 1.
    pub fn quantile(&self, probability: f64) -> f64 {
        let above = self.points.partition_point(|&(_, share)| share <= probability);
        let Some(&to) = self.points.get(above) else { return self.points[self.points.len() - 1].0 };
        if above == 0 {
            return to.0;
        }
        let from = self.points[above - 1];
        let part = (probability - from.1) / (to.1 - from.1);
        match self.shape(above) {
            Shape::Straight => from.0 + part * (to.0 - from.0),
            Shape::Logarithm => from.0 * (to.0 / from.0).powf(part),
            // 1 - F falls as x^-a: x = low ((1 - p) / (1 - F(low)))^(-1 / a)
            Shape::Power(shape) => from.0 * ((1.0 - probability) / (1.0 - from.1)).powf(-1.0 / shape),
        }
    }

    /// Returns the shape of the curve between the points `above - 1` and `above`.
    fn shape(&self, above: usize) -> Shape {
        let (from, to) = (self.points[above - 1], self.points[above]);
        let climbs = to.0 > from.0 && to.1 > from.1;
        match self.between {
            Between::LogLinear if climbs => Shape::Logarithm,
            Between::Power if climbs && to.1 == 1.0 => Shape::Logarithm,
            Between::Power if climbs => {
                Shape::Power(((1.0 - from.1) / (1.0 - to.1)).ln() / (to.0 / from.0).ln())
            }
            // A jump, or a part without probability.
            _ => Shape::Straight,
        }
    }
}

/// Shape of the curve between two points.
enum Shape {
    Straight,
    Logarithm,
    /// Bounded Pareto distribution with this shape parameter.
    Power(f64),
}
