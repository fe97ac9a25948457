// SPDX-License-Identifier: MIT OR Apache-2.0
//! All controllers by name: their descriptions, their parameters, and how they are built.

mod entries;
pub(crate) mod parameters;
pub(crate) mod parts;
mod settings;

pub(crate) use parameters::{parameters, words};
pub use settings::{ControlError, Settings};

use crate::{Controller, Signals};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use units::Span;

/// A parameter's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A number without unit.
    Number(f64),
    /// A word, or a time with its unit (`"25 ms"`).
    Text(&'a str),
    /// A switch.
    Flag(bool),
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => f.write_str(&units::short(*number)),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Flag(flag) => write!(f, "{flag}"),
        }
    }
}

/// The allowed values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// A number from the first to the second, both included.
    Number(f64, f64),
    /// A number above 0 and up to 1, or the word "off".
    ShareOrOff,
    /// A time from the first to the second, both included.
    Time(Span, Span),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// true or false.
    Flag,
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(min, max) => write!(f, "{} to {}", units::short(*min), units::short(*max)),
            Self::ShareOrOff => f.write_str("above 0 and at most 1, or \"off\""),
            Self::Time(min, max) => write!(f, "\"{min}\" to \"{max}\""),
            Self::Choice(words) => write!(f, "\"{}\"", words.join("\", \"")),
            Self::Flag => f.write_str("true or false"),
        }
    }
}

/// One parameter of a controller.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name.
    pub name: &'static str,
    /// Unit in words ("segments", "time", "none").
    pub unit: &'static str,
    /// The value that applies if a scenario sets none.
    pub default: Value<'static>,
    /// The allowed values.
    pub domain: Domain,
    /// Source of the name and the default.
    pub source: &'static str,
    /// One sentence: the reason to change the parameter.
    pub why: &'static str,
}

/// One controller, or one preset of a controller.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Name in scenarios.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The equations in plain text.
    pub equations: &'static str,
    /// Parameters of this controller, in groups.
    pub(crate) own: &'static [&'static [Parameter]],
    /// Parameters of every controller of its frame, in groups.
    pub(crate) frame: &'static [&'static [Parameter]],
    /// Documents and code from which the controller was written.
    pub sources: &'static [&'static str],
    /// Limits of the controller, and differences from its sources.
    pub limits: &'static str,
    /// Papers that introduced or measured the controller.
    pub papers: &'static [&'static str],
    /// Whether the controller draws random numbers from its seed ([`crate::Start::seed`]), so that two seeds can give
    /// two runs.
    pub draws: bool,
    pub(crate) construct: fn(&Settings<'_>) -> Box<dyn Controller>,
}

impl Entry {
    /// The parameters. If two parameters have the same name, the first one is used.
    pub fn parameters(&self) -> impl Iterator<Item = &'static Parameter> {
        let declared = || self.declared();
        declared()
            .enumerate()
            .filter(move |(place, parameter)| {
                declared().take(*place).all(|earlier| earlier.name != parameter.name)
            })
            .map(|(_, parameter)| parameter)
    }
    /// The parameter called `name`.
    fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.declared().find(|parameter| parameter.name == name)
    }
    fn declared(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        self.own.iter().chain(self.frame).copied().flatten()
    }
    /// Whether the controller replaces another controller whose paper was not available. Every output marks such a
    /// stand-in.
    pub fn is_stand_in(&self) -> bool {
        self.summary.contains(STAND_IN)
    }
    /// Signals that the controller requires with its default parameters.
    pub fn requires(&self) -> Signals {
        (self.construct)(&Settings::defaults(self)).requires()
    }
    /// Signals that the controller uses with its default parameters.
    pub fn uses(&self) -> Signals {
        (self.construct)(&Settings::defaults(self)).uses()
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The word in the summary of an entry that marks a stand-in.
const STAND_IN: &str = "stand-in";

/// All controllers, in the order in which a list should show them.
pub const fn entries() -> &'static [Entry] {
    entries::ENTRIES
}

/// Returns the entry called `name`.
///
/// # Errors
/// [`ControlError::UnknownController`], with the names that the caller may have meant.
pub fn entry(name: &str) -> Result<&'static Entry, ControlError> {
    entries().iter().find(|entry| entry.name == name).ok_or_else(|| {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        let known = entries().iter().map(|entry| entry.name).chain(added.keys().map(String::as_str));
        ControlError::UnknownController { name: name.to_owned(), near: settings::near(name, known) }
    })
}

/// Whether the controller called `name` draws random numbers. Returns false for a controller that a program has added,
/// because the catalogue does not know its code.
pub fn draws(name: &str) -> bool {
    entries().iter().any(|entry| entry.name == name && entry.draws)
}

/// Makes a controller from its parameters.
type Construct = dyn Fn(&[(&str, Value<'_>)]) -> Box<dyn Controller> + Send + Sync;

/// Controllers that a program has added.
static ADDED: RwLock<BTreeMap<String, Arc<Construct>>> = RwLock::new(BTreeMap::new());

/// Adds a program's own controller under `name`. If the program adds another controller with the same name, the new
/// controller replaces the old one.
///
/// # Errors
/// [`ControlError::NameTaken`] if the catalogue contains a controller with this name.
pub fn register(
    name: &str,
    construct: impl Fn(&[(&str, Value<'_>)]) -> Box<dyn Controller> + Send + Sync + 'static,
) -> Result<(), ControlError> {
    if entry(name).is_ok() {
        return Err(ControlError::NameTaken { name: name.to_owned() });
    }
    ADDED.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), Arc::new(construct));
    Ok(())
}

/// Whether a program has added a controller of this name. Such a controller is not part of the build.
pub fn is_added(name: &str) -> bool {
    ADDED.read().unwrap_or_else(PoisonError::into_inner).contains_key(name)
}

/// Builds the controller called `name`. The values in `parameters` replace its defaults. If a parameter occurs twice,
/// the last value is used.
///
/// # Errors
/// An unknown controller or parameter (with similar known names), or a value of the wrong type or out of bounds.
pub fn build(name: &str, parameters: &[(&str, Value<'_>)]) -> Result<Box<dyn Controller>, ControlError> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
    if let Some(construct) = added {
        return Ok(construct(parameters));
    }
    let entry = entry(name)?;
    Ok((entry.construct)(&Settings::new(entry, parameters)?))
}

/// Returns all errors that would make [`build`] fail, without building the controller. The parameters of an added
/// controller are not checked.
pub fn faults(name: &str, parameters: &[(&str, Value<'_>)]) -> Vec<ControlError> {
    if is_added(name) {
        return Vec::new();
    }
    match entry(name) {
        Err(unknown) => vec![unknown],
        Ok(entry) => parameters.iter().filter_map(|one| Settings::new(entry, &[*one]).err()).collect(),
    }
}

#[cfg(test)]
mod tests;
