// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parameters of a model.

use std::fmt;
use std::ops::RangeInclusive;

/// A parameter of a model: a number, or a list of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Name. If the parameter has a unit, the name ends with the unit.
    pub name: &'static str,
    /// Unit in words; "none" for a number without a unit.
    pub unit: &'static str,
    /// Default value.
    pub default: &'static [f64],
    /// Smallest value.
    pub least: f64,
    /// Largest value.
    pub most: f64,
    /// Number of values of the parameter.
    pub count: Count,
    /// Meaning of the parameter, and source of the default.
    pub about: &'static str,
}

/// Number of values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// One number.
    One,
    /// One whole number.
    Whole,
    /// A list with this number of values.
    Exactly(usize),
    /// A list of 1 to `LONGEST_LIST` numbers.
    List,
}

/// Largest number of values in a list.
pub(crate) const LONGEST_LIST: usize = 1000;

impl Parameter {
    /// Declares a parameter of one number.
    pub(crate) const fn one(
        name: &'static str,
        unit: &'static str,
        default: &'static [f64],
        range: RangeInclusive<f64>,
        about: &'static str,
    ) -> Self {
        Self { name, unit, default, least: *range.start(), most: *range.end(), count: Count::One, about }
    }

    /// Declares a parameter of one whole number.
    pub(crate) const fn whole(
        name: &'static str,
        unit: &'static str,
        default: &'static [f64],
        range: RangeInclusive<f64>,
        about: &'static str,
    ) -> Self {
        Self { name, unit, default, least: *range.start(), most: *range.end(), count: Count::Whole, about }
    }

    /// Declares a parameter that is a list.
    pub(crate) const fn list(
        name: &'static str,
        unit: &'static str,
        default: &'static [f64],
        range: RangeInclusive<f64>,
        about: &'static str,
    ) -> Self {
        Self { name, unit, default, least: *range.start(), most: *range.end(), count: Count::List, about }
    }

    /// Declares a parameter that is a list with the same number of values as its default.
    pub(crate) const fn fixed_list(
        name: &'static str,
        unit: &'static str,
        default: &'static [f64],
        range: RangeInclusive<f64>,
        about: &'static str,
    ) -> Self {
        Self {
            name,
            unit,
            default,
            least: *range.start(),
            most: *range.end(),
            count: Count::Exactly(default.len()),
            about,
        }
    }

    /// Returns the allowed values in words.
    pub fn domain(&self) -> String {
        let range = format!("from {} to {}", Plain(self.least), Plain(self.most));
        match self.count {
            Count::One => format!("a number {range}"),
            Count::Whole => format!("a whole number {range}"),
            Count::Exactly(count) => format!("{count} numbers {range}"),
            Count::List => format!("1 to {LONGEST_LIST} numbers {range}"),
        }
    }

    /// Returns whether the parameter allows these values.
    pub(crate) fn holds(&self, values: &[f64]) -> bool {
        let enough = match self.count {
            Count::One | Count::Whole => values.len() == 1,
            Count::Exactly(count) => values.len() == count,
            Count::List => (1..=LONGEST_LIST).contains(&values.len()),
        };
        let whole = self.count != Count::Whole || values.iter().all(|value| value.fract() == 0.0);
        enough && whole && values.iter().all(|value| (self.least..=self.most).contains(value))
    }
}

/// Formats a number. If it would have many zeros, it is written with an exponent: 1e-9.
pub(crate) struct Plain(pub f64);

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size != 0.0 && !(1e-3..1e7).contains(&size) {
            write!(f, "{:e}", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}
