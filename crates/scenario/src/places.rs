// SPDX-License-Identifier: MIT OR Apache-2.0
//! Positions of a scenario's parts in its text, for faults that are only found later, in the plan or in the run.

use crate::DefaultQueue;
use crate::ScenarioError;
use crate::check::{Copies, Source};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use units::Code;

/// A scenario's text, and the table of each flow.
#[derive(Clone, Debug)]
pub struct Places {
    pub(crate) text: String,
    pub(crate) origin: String,
    /// For each flow, its name and the path of its table.
    pub(crate) flows: Vec<(String, String)>,
    pub(crate) files: BTreeSet<PathBuf>,
    pub(crate) copies: Copies,
    pub(crate) default_queues: Vec<DefaultQueue>,
}

impl Places {
    /// Returns the files that the text names, sorted by path. If a file was read from a copy, its path is that of the
    /// original.
    pub fn files(&self) -> &BTreeSet<PathBuf> {
        &self.files
    }

    /// Returns the path of the table of each flow, in the order of the resolved document.
    pub fn flow_tables(&self) -> impl Iterator<Item = &str> {
        self.flows.iter().map(|(_, path)| path.as_str())
    }

    /// Returns the queues with default limits.
    pub fn default_queues(&self) -> &[DefaultQueue] {
        &self.default_queues
    }

    /// Returns a fault of a flow at a key of its table. `flow` is its name in a run (`reno`, or `reno 3` for one of
    /// several).
    pub fn of_flow(&self, flow: &str, key: &str, code: Code, message: String) -> ScenarioError {
        // With a `count`, the number of the flow follows its name.
        let of_several = |name: &str| flow.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '));
        let found = self.flows.iter().find(|(name, _)| name == flow);
        let found = found.or_else(|| self.flows.iter().find(|(name, _)| of_several(name)));
        let path = found.map_or("flows", |(_, path)| path);
        self.error(&if key.is_empty() { path.to_owned() } else { format!("{path}.{key}") }, code, message)
    }

    /// Returns a fault in a file that the scenario names. If the file is named elsewhere, the position is that of the
    /// network.
    pub fn of_file(&self, file: &Path, code: Code, message: String) -> ScenarioError {
        let source = Source::parse(&self.text, &self.origin);
        let original = self.copies.iter().find_map(|(original, copy)| (copy == file).then_some(original));
        let file = original.map_or(file, PathBuf::as_path);
        let key = source.ok().and_then(|source| source.key_of(file)).unwrap_or_else(|| "network".to_owned());
        self.error(&key, code, message)
    }

    /// Returns a fault at a key.
    pub fn error(&self, key: &str, code: Code, message: String) -> ScenarioError {
        match Source::parse(&self.text, &self.origin) {
            Ok(source) => source.error(code, key, message),
            Err(fault) => fault,
        }
    }
}
