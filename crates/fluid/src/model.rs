// SPDX-License-Identifier: MIT OR Apache-2.0
//! Models and their settings. Checks given values against the parameters of a model.

use crate::answer::Answer;
use crate::error::ModelError;
use crate::parameter::{Parameter, Plain};
use std::fmt;

/// A model: its name, its source, its parameters and its function.
#[derive(Clone, Copy)]
pub struct Model {
    /// Name.
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// Paper and equations.
    pub source: &'static str,
    /// Parameters.
    pub parameters: &'static [Parameter],
    /// Function that computes the answer.
    pub(crate) compute: fn(&Settings<'_>) -> Result<Answer, ModelError>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A value from a user.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// Numbers.
    Numbers(Vec<f64>),
    /// Text: numbers separated by commas.
    Text(String),
}

impl Given {
    fn numbers(&self) -> Option<Vec<f64>> {
        match self {
            Self::Numbers(numbers) => Some(numbers.clone()),
            Self::Text(text) => text.split(',').map(|part| part.trim().parse().ok()).collect(),
        }
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        match self {
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Numbers(numbers) if numbers.is_empty() => f.write_str("an empty list"),
            Self::Numbers(numbers) => {
                let words: Vec<String> = numbers.iter().take(SHOWN).map(|n| Plain(*n).to_string()).collect();
                f.write_str(&words.join(", "))?;
                if numbers.len() > SHOWN { write!(f, " and {} more", numbers.len() - SHOWN) } else { Ok(()) }
            }
        }
    }
}

/// Values of all parameters of a model: the given values, and defaults for the other parameters.
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    model: &'a Model,
    given: Vec<(&'static str, Vec<f64>)>,
}

impl<'a> Settings<'a> {
    /// Checks the `given` values against `model`. If a name is given twice, the last value counts.
    pub(crate) fn new(model: &'a Model, given: &[(&str, Given)]) -> Result<Self, ModelError> {
        let mut checked = Vec::new();
        for (name, value) in given {
            let Some(parameter) = model.parameters.iter().find(|parameter| parameter.name == *name) else {
                let known = model.parameters.iter().map(|parameter| parameter.name);
                let nearest = nearest(name, known);
                return Err(ModelError::UnknownParameter {
                    model: model.name,
                    name: (*name).to_owned(),
                    nearest,
                });
            };
            let numbers = value.numbers().filter(|numbers| parameter.holds(numbers)).ok_or_else(|| {
                ModelError::BadValue { model: model.name, value: value.to_string(), parameter }
            })?;
            checked.push((parameter.name, numbers));
        }
        Ok(Self { model, given: checked })
    }

    /// Returns the list `name`.
    ///
    /// # Panics
    /// If the model does not declare this parameter. The catalogue is then wrong.
    pub fn list(&self, name: &str) -> &[f64] {
        if let Some((_, numbers)) = self.given.iter().rev().find(|(given, _)| *given == name) {
            return numbers;
        }
        let declared = self.model.parameters.iter().find(|parameter| parameter.name == name);
        declared.unwrap_or_else(|| panic!("`{}` reads `{name}` undeclared", self.model.name)).default
    }

    /// Returns the number `name`.
    ///
    /// # Panics
    /// If the model does not declare this parameter. The catalogue is then wrong.
    pub fn number(&self, name: &str) -> f64 {
        self.list(name)[0]
    }

    /// Returns the times from zero to `duration` in steps of `step`, in the unit of `duration`. The last time is
    /// `duration` if a step ends there.
    ///
    /// # Errors
    /// If there would be more than [`MOST_STEPS`] points in all `series` curves together.
    pub(crate) fn steps(&self, duration: &str, step: &str, series: usize) -> Result<Vec<f64>, ModelError> {
        let (end, by) =
            (self.number(duration), self.number(step) * if step.ends_with("_ms") { 1e-3 } else { 1.0 });
        // A quotient within a billionth below a whole number counts as that number, because
        // rounding must not drop the last step.
        let count = (end / by + 1e-9).floor();
        if count * series as f64 > MOST_STEPS {
            let what = format!(
                "{duration} = {} in steps of {step} = {} means {count} points for each of {series} curves; \
                the limit for all curves is {MOST_STEPS} points (make the duration shorter, the step \
                longer, or the list shorter)",
                Plain(end),
                Plain(self.number(step)),
            );
            return Err(self.contradiction(what));
        }
        Ok((0..=count as u32).map(|number| f64::from(number) * by).collect())
    }

    /// Returns the error for values that contradict each other.
    pub(crate) const fn contradiction(&self, what: String) -> ModelError {
        ModelError::Contradiction { model: self.model.name, what }
    }
}

/// Largest total number of points of all curves.
pub(crate) const MOST_STEPS: f64 = 200_000.0;

/// Returns the known name that is most similar to `name`. If several names are equally similar, returns the first of
/// them.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    let name = units::beginning(name);
    known.min_by_key(|candidate| strsim::damerau_levenshtein(name, candidate)).unwrap_or("")
}
