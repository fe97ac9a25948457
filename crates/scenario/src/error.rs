// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of scenarios: what is wrong, and where.

use crate::check::MOST_FAULTS;
use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use units::Code;

/// Faults of a scenario: the first fault by line with its position, and all other faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    pub(crate) code: Code,
    pub(crate) origin: Box<str>,
    pub(crate) line: Option<usize>,
    pub(crate) key: String,
    pub(crate) message: String,
    /// Length of the note about the preset at the end of the message. The fix is inserted before this note.
    pub(crate) note: u16,
    pub(crate) context: Box<Context>,
    pub(crate) others: Vec<Self>,
}

/// Details of a fault for programs. The message contains the same details for users.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The refused value, in TOML syntax.
    pub value: Option<String>,
    /// The allowed range or type.
    pub bound: Option<String>,
    /// All words or keys that are allowed, the most similar first.
    pub alternatives: Vec<String>,
    /// How to correct the fault.
    pub fix: Option<String>,
}

impl ScenarioError {
    /// Returns the stable error code.
    pub const fn code(&self) -> Code {
        self.code
    }
    /// Returns the file, with the name that the caller used.
    pub fn origin(&self) -> &str {
        &self.origin
    }
    /// Returns the line, counted from 1, if it is known.
    pub const fn line(&self) -> Option<usize> {
        self.line
    }
    /// Returns the path of the key (`network.dumbbell.rate`, `flows[0].size`). It is empty if the fault concerns no
    /// key.
    pub fn key(&self) -> &str {
        &self.key
    }
    /// Returns the other faults of the document.
    pub fn others(&self) -> &[Self] {
        &self.others
    }
    /// Returns the message: what is wrong and how to correct it, without the position.
    pub fn message(&self) -> &str {
        &self.message
    }
    /// Returns the value, the allowed values and the fix, if they are known.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Adds the fix, also at the end of the message.
    pub(crate) fn fix(mut self, fix: impl Into<String>) -> Self {
        let fix = fix.into();
        self.message.insert_str(self.message.len() - usize::from(self.note), &format!(" ({fix})"));
        self.context.fix = Some(fix);
        self
    }

    /// Adds the refused value.
    pub(crate) fn value(mut self, value: impl Into<String>) -> Self {
        self.context.value = Some(clipped(&value.into()).into_owned());
        self
    }

    /// Adds the allowed range or type.
    pub(crate) fn bound(mut self, bound: impl Into<String>) -> Self {
        self.context.bound = Some(bound.into());
        self
    }

    /// Adds all allowed words or keys, and the most similar of them.
    pub(crate) fn alternatives<'n>(
        mut self,
        all: impl IntoIterator<Item = &'n str>,
        nearest: Option<&'n str>,
    ) -> Self {
        let others = all.into_iter().filter(|one| Some(*one) != nearest);
        self.context.alternatives = nearest.into_iter().chain(others).map(str::to_owned).collect();
        self
    }
}

/// Longer messages, keys and values are cut in the middle, because both ends are needed to find and fix the fault.
const LONGEST: usize = 4_000;
/// Number of characters that are kept at each end.
const ENDS: usize = 200;

/// Returns a text without its middle part, if it is longer than [`LONGEST`].
pub(crate) fn clipped(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return Cow::Borrowed(text);
    }
    let head = text.char_indices().nth(ENDS).map_or(text.len(), |(at, _)| at);
    let tail = text.char_indices().rev().nth(ENDS - 1).map_or(0, |(at, _)| at);
    if head >= tail {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{} … ({} bytes) … {}", &text[..head], tail - head, &text[tail..]))
}

/// Largest number of faults of one document that are printed.
const SHOWN: usize = 20;

impl ScenarioError {
    /// Creates a fault at a key of a file. If `key` is empty, the fault concerns no key. The line is unknown.
    pub(crate) fn new(code: Code, origin: &str, key: &str, message: impl Into<String>) -> Self {
        Self {
            code,
            origin: origin.into(),
            line: None,
            key: clipped(key).into_owned(),
            message: match message.into() {
                long if long.len() > LONGEST => clipped(&long).into_owned(),
                message => message,
            },
            note: 0,
            context: Box::default(),
            others: Vec::new(),
        }
    }

    /// Creates a fault in a table file that the scenario names. `key` is the column, or empty.
    pub(crate) fn in_file(file: &Path, line: Option<u64>, key: &str, code: Code, message: String) -> Self {
        let line = line.map(|line| line as usize);
        Self { line, ..Self::new(code, &file.display().to_string(), key, message) }
    }

    /// Combines all faults into one error, in the order of their lines and without duplicates.
    pub(crate) fn together(faults: Vec<Self>) -> Option<Self> {
        let apart = |mut fault: Self| {
            let others = std::mem::take(&mut fault.others);
            std::iter::once(fault).chain(others)
        };
        let mut faults: Vec<Self> = faults.into_iter().flat_map(apart).collect();
        faults.sort_by_key(|fault| fault.line.unwrap_or(0));
        let mut faults = faults.into_iter();
        let first = faults.next()?;
        let mut others: Vec<Self> = Vec::new();
        for fault in faults {
            if fault != first && !others.contains(&fault) {
                others.push(fault);
            }
        }
        Some(Self { others, ..first })
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.alone(f)?;
        for fault in self.others.iter().take(SHOWN - 1) {
            write!(f, "\n[{}] ", fault.code)?;
            fault.alone(f)?;
        }
        match self.others.len().saturating_sub(SHOWN - 1) {
            0 => Ok(()),
            more if self.others.len() + 1 >= MOST_FAULTS => write!(f, "\nand at least {more} more"),
            more => write!(f, "\nand {more} more"),
        }
    }
}

impl ScenarioError {
    fn alone(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&*self.origin, self.line) {
            ("", _) => {}
            (origin, Some(line)) => write!(f, "{origin}:{line}: ")?,
            (origin, None) => write!(f, "{origin}: ")?,
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ScenarioError {}
