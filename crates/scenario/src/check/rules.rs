// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks the rules of the schema about keys of a table that exclude or need each other.
//!
//! `x-excludes` of a key lists keys of the same table that contradict it. The rule is declared at one of the two keys.
//! `x-needs` of a key or of a table lists keys, at least one of which must be present. Both are lists of rules.

use super::{Checker, join};
use crate::ScenarioError;
use serde_json::Value as Json;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use toml::de::DeTable;
use units::Code;

/// A rule about keys.
struct Rule<'a> {
    keys: Vec<&'a str>,
    /// Reason for the rule. `{table}` in it is replaced by the path of the table.
    why: Option<&'a str>,
    /// The fix.
    fix: &'a str,
    /// The key that is reported as missing; `None` if any of the keys may be added.
    at: Option<&'a str>,
}

impl<'a> Rule<'a> {
    /// Returns the rules that an annotation of the schema declares.
    fn all(declared: &'a Json) -> impl Iterator<Item = Self> {
        let rule = |rule: &'a Json| Self {
            keys: texts(&rule["keys"]),
            why: rule["why"].as_str(),
            fix: rule["fix"].as_str().unwrap_or("keep one of them"),
            at: rule["at"].as_str(),
        };
        declared.as_array().into_iter().flatten().map(rule)
    }
}

fn texts(list: &Json) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Json::as_str).collect()
}

/// Returns keys as messages name them.
fn named(keys: &[&str]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" and ")
}

/// A key, and the keys in the table that it excludes.
struct Conflict<'a> {
    key: &'a str,
    beside: Vec<&'a str>,
    rule: Rule<'a>,
}

impl<'a> Checker<'a> {
    /// Records which of these keys of a table contradict each other, and which need a missing key.
    pub(super) fn rules(&self, schema: &'a Json, keys: &[&'a str], table: &DeTable<'_>, path: &str) {
        let of = |key: &str| &schema["properties"][key];
        let is_there = |key: &&str| table.contains_key(*key);
        let mut conflicts = Vec::new();
        for &key in keys {
            for rule in Rule::all(&of(key)["x-excludes"]) {
                let beside: Vec<&str> = rule.keys.iter().copied().filter(is_there).collect();
                if !beside.is_empty() {
                    conflicts.push(Conflict { key, beside, rule });
                }
            }
            for rule in Rule::all(&of(key)["x-needs"]) {
                if Self::lacks(&rule, schema, table) {
                    let why = rule.why.unwrap_or_default();
                    let fault = self.source.error(Code::ScenarioMissingKey, &join(path, key), why);
                    self.source.keep::<()>(Err(fault.fix(rule.fix)));
                }
            }
        }
        // If several keys exclude each other, the key with the most exclusions comes first, and its message names all
        // of them.
        conflicts.sort_by_key(|conflict| Reverse(conflict.beside.len()));
        let mut told = BTreeSet::new();
        for conflict in conflicts {
            if !told.contains(conflict.key) && !conflict.beside.iter().all(|key| told.contains(key)) {
                self.source.keep::<()>(Err(self.contradiction(&conflict, path)));
                told.insert(conflict.key);
                told.extend(conflict.beside);
            }
        }
    }

    /// Returns the fault of a contradiction. Its position is a key of the file itself. The message names the keys of
    /// the preset.
    fn contradiction(&self, conflict: &Conflict<'_>, path: &str) -> ScenarioError {
        let Conflict { key, beside, rule } = conflict;
        let all: Vec<&str> = beside.iter().chain([key]).copied().collect();
        let (own, of_preset): (Vec<&str>, Vec<&str>) =
            all.iter().copied().partition(|key| self.source.says(&join(path, key)));
        let mut message =
            rule.why.map_or_else(|| format!("{} contradict each other", named(&all)), str::to_owned);
        if let (Some(preset), [_, ..], [_, ..]) = (self.source.preset(), &own[..], &of_preset[..]) {
            let _ = write!(message, ", and the preset \"{}\" sets {}", preset.name, named(&of_preset));
        }
        let at = own.last().unwrap_or(key);
        self.source.error(Code::ScenarioValue, &join(path, at), message).fix(rule.fix)
    }

    /// Records keys that the table itself needs and does not have.
    pub(super) fn needs(&self, schema: &'a Json, table: &DeTable<'_>, path: &str) {
        for rule in Rule::all(&schema["x-needs"]).filter(|rule| Self::lacks(rule, schema, table)) {
            let why = rule.why.unwrap_or_default().replace("{table}", path);
            let place = rule.at.map_or_else(|| path.to_owned(), |key| join(path, key));
            let fault = self.source.error(Code::ScenarioMissingKey, &place, why);
            self.source.keep::<()>(Err(fault.fix(rule.fix)));
        }
    }

    /// Returns whether a table has none of a rule's keys. A probable misspelling of a key counts as the key.
    fn lacks(rule: &Rule<'_>, schema: &'a Json, table: &DeTable<'_>) -> bool {
        !rule.keys.iter().any(|key| table.contains_key(*key))
            && !Self::meant(schema, table).iter().any(|meant| rule.keys.contains(meant))
    }
}
