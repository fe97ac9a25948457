// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks values against the parameters of an entry, and defines the errors of this check.

use super::parameters::FromValue;
use super::{Domain, Entry, Value};
use crate::Signals;
use std::fmt;
use units::{Code, Span};

/// The word for an absent share.
pub(super) const OFF: &str = "off";

/// Why a controller could not be built.
#[derive(Clone, Debug, PartialEq)]
pub enum ControlError {
    /// No controller has this name.
    UnknownController {
        /// The requested name.
        name: String,
        /// Known names that the caller may have meant.
        near: Vec<String>,
    },
    /// A program adds a controller whose name the catalogue already uses.
    NameTaken {
        /// The name.
        name: String,
    },
    /// The controller does not have a parameter of this name.
    UnknownParameter {
        /// The controller.
        controller: &'static str,
        /// The requested name.
        name: String,
        /// The most similar known name; `None` if the controller does not take parameters.
        nearest: Option<&'static str>,
        /// Whether the controller always paces. The error is then about a setting `pacing`.
        always_paces: bool,
    },
    /// The value is of the wrong type or out of bounds.
    BadValue {
        /// The controller.
        controller: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The given value, as a scenario writes it.
        value: String,
        /// The allowed values.
        domain: Domain,
    },
}

impl ControlError {
    /// The stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::UnknownController { .. } => Code::ControllerUnknown,
            Self::NameTaken { .. } => Code::ControllerNameTaken,
            Self::UnknownParameter { .. } => Code::ParameterUnknown,
            Self::BadValue { .. } => Code::ParameterValue,
        }
    }
}

impl ControlError {
    /// The parameter that the error is about, if any.
    pub fn parameter(&self) -> Option<&str> {
        match self {
            Self::UnknownController { .. } | Self::NameTaken { .. } => None,
            Self::UnknownParameter { name, .. } => Some(name),
            Self::BadValue { parameter, .. } => Some(parameter),
        }
    }
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownController { name, near } => {
                let near: Vec<_> = near.iter().map(|one| format!("`{one}`")).collect();
                let meant = if near.is_empty() {
                    String::new()
                } else {
                    format!("did you mean {}? ", near.join(" or "))
                };
                write!(
                    f,
                    "no controller is called `{name}` ({meant}`bentpipe controllers` lists all; in other commands, \
                     `--plugin FILE` adds your own controllers)"
                )
            }
            Self::NameTaken { name } => {
                write!(f, "a controller called `{name}` is in the catalogue (choose another name)")
            }
            Self::UnknownParameter { controller, name, always_paces: true, .. } if name == "pacing" => {
                write!(
                    f,
                    "controller `{controller}` has no parameter `pacing`, because {controller} always paces (remove `pacing`; \
                 over QUIC, quic = {{ pacing = false }} turns pacing off for every controller)"
                )
            }
            Self::UnknownParameter { controller, name, nearest: Some(nearest), .. } => {
                write!(f, "controller `{controller}` has no parameter `{name}` (did you mean `{nearest}`?)")
            }
            Self::UnknownParameter { controller, name, nearest: None, .. } => {
                write!(f, "controller `{controller}` has no parameter `{name}`, because it has no parameters")
            }
            Self::BadValue { controller, parameter, value, domain } => {
                write!(
                    f,
                    "parameter `{parameter}` of controller `{controller}` is {value}; it must be {domain}"
                )
            }
        }
    }
}

impl std::error::Error for ControlError {}

/// The known names that `name` may mean, ignoring case. The first rule that finds a name decides: equal names, names
/// that begin with `name`, or the most similar name if at most half of the letters differ.
pub(super) fn near<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let wanted = units::beginning(name).to_lowercase();
    if wanted.is_empty() {
        return Vec::new();
    }
    let differing = |known: &str| strsim::damerau_levenshtein(&wanted, &known.to_lowercase());
    let mut found: Vec<_> = known.clone().filter(|known| known.to_lowercase() == wanted).collect();
    if found.is_empty() {
        found.extend(known.clone().filter(|known| known.to_lowercase().starts_with(&wanted)));
    }
    if found.is_empty() {
        let most = wanted.chars().count() / 2;
        found.extend(known.min_by_key(|known| differing(known)).filter(|known| differing(known) <= most));
    }
    found.into_iter().map(str::to_owned).collect()
}

/// The known name that is most similar to `name`, ignoring case. If several names are equally similar, returns the
/// first of them.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    let name = units::beginning(name).to_lowercase();
    known.min_by_key(|candidate| strsim::damerau_levenshtein(&name, &candidate.to_lowercase())).unwrap_or("")
}

/// The values of all parameters of an entry: the given values, and defaults for the other parameters.
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    entry: &'a Entry,
    given: &'a [(&'a str, Value<'a>)],
}

impl<'a> Settings<'a> {
    /// The defaults of `entry`.
    pub(super) const fn defaults(entry: &'a Entry) -> Self {
        Self { entry, given: &[] }
    }

    /// Checks `given` against `entry`.
    pub(super) fn new(entry: &'a Entry, given: &'a [(&'a str, Value<'a>)]) -> Result<Self, ControlError> {
        for (name, value) in given {
            let Some(parameter) = entry.parameter(name) else {
                let mut names = entry.parameters().map(|p| p.name).peekable();
                return Err(ControlError::UnknownParameter {
                    controller: entry.name,
                    name: (*name).to_owned(),
                    nearest: names.peek().is_some().then(|| nearest(name, names)),
                    always_paces: entry.requires().contains(Signals::PACING),
                });
            };
            if !parameter.domain.holds(*value) {
                return Err(ControlError::BadValue {
                    controller: entry.name,
                    parameter: parameter.name,
                    value: value.to_string(),
                    domain: parameter.domain,
                });
            }
        }
        Ok(Self { entry, given })
    }

    fn value(&self, name: &str) -> Value<'a> {
        let given = self.given.iter().rev().find(|(given, _)| *given == name).map(|(_, value)| *value);
        let default = || self.entry.parameter(name).map(|p| p.default);
        given.or_else(default).unwrap_or_else(|| panic!("`{}` reads `{name}` undeclared", self.entry.name))
    }

    /// Returns the value of the parameter `name`.
    ///
    /// # Panics
    /// If the entry does not declare this parameter, or declares it with another type. The catalogue is then wrong.
    pub(crate) fn read<T: FromValue>(&self, name: &str) -> T {
        let value = self.value(name);
        let read = T::from_value(value);
        read.unwrap_or_else(|| {
            panic!("`{}` declares `{name}` as {value}, and reads another type", self.entry.name)
        })
    }
}

impl Domain {
    /// Whether `value` is of this type and within its bounds.
    pub fn holds(self, value: Value<'_>) -> bool {
        match (self, value) {
            (Self::Number(min, max), Value::Number(number)) => (min..=max).contains(&number),
            (Self::ShareOrOff, Value::Number(number)) => number > 0.0 && number <= 1.0,
            (Self::ShareOrOff, Value::Text(text)) => text == OFF,
            (Self::Time(min, max), Value::Text(text)) => {
                text.parse().is_ok_and(|span: Span| (min..=max).contains(&span))
            }
            (Self::Choice(words), Value::Text(text)) => words.contains(&text),
            (Self::Flag, Value::Flag(_)) => true,
            _ => false,
        }
    }
}
