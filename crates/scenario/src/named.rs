// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds constellations by the names that users give, for all commands.

use crate::ScenarioError;
use crate::check::{Source, parse_toml};
use crate::constellation as satellites;
use crate::format::Constellation;
use crate::preset;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;
use topology::{ConstellationSpec, Site, presets};
use units::{Code, input};

/// File extensions of files with orbital elements.
const ELEMENTS: [&str; 8] = ["tle", "2le", "3le", "txt", "json", "csv", "xml", "kvn"];
/// Preset with the links, rates and elevations for a file of elements.
const RULES: &str = "starlink-550";

/// A constellation, and the places that its document adds to the built-in list.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// Satellites, links and rules.
    pub spec: ConstellationSpec,
    /// Places that the document adds.
    pub places: Vec<Site>,
}

impl Named {
    /// Returns a place: a place that the document adds, a city of the built-in list, or latitude and longitude as text.
    ///
    /// # Errors
    /// The same as for [`topology::sites::find`].
    pub fn site(&self, name: &str) -> Result<Site, topology::TopologyError> {
        match self.places.iter().find(|place| place.name == name) {
            Some(place) => Ok(place.clone()),
            None => topology::sites::find(name),
        }
    }
}

/// A scenario from which only the constellation is used.
#[derive(Debug, Deserialize, JsonSchema)]
struct Sky {
    network: Network,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Network {
    constellation: Constellation,
}

/// Returns the constellation that `name` means:
/// - For a file name that ends in .toml, the constellation of this scenario.
/// - For a file name that ends in .tle, .2le, .3le, .txt, .json, .csv, .xml or .kvn, the element sets of this file.
///   Element sets that cannot be propagated are left out. Links form a grid over the planes found. Minimum elevation
///   and rates are those of starlink-550.
/// - Otherwise, the preset with this name.
///
/// `changes` are keys of `[network.constellation]` that replace keys of the constellation. If `name` is empty,
/// `changes` is the whole constellation.
///
/// # Errors
/// [`Code::PresetUnknown`] for an unknown preset, [`Code::ScenarioUnreadable`] for a file that cannot be read, and the
/// errors of reading a scenario. A file of elements is read later, when its satellites are needed.
pub fn constellation(name: &str, changes: &str) -> Result<Named, ScenarioError> {
    let mut changes = parse_toml(changes, name)?;
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
    match ending.as_deref() {
        Some("toml") => {
            let text = input::read(Path::new(name), input::SCENARIO).map_err(|why| ScenarioError {
                message: format!("the scenario cannot be read: {why}"),
                ..fault(Code::ScenarioUnreadable, name)
            })?;
            if changes.is_empty() {
                return read(&text, name, None);
            }
            let mut table = parse_toml(&text, name)?;
            let network = table.get_mut("network").and_then(toml::Value::as_table_mut);
            let inner = network.and_then(|network| {
                if network.contains_key("preset") {
                    // The preset may define the whole table.
                    network.entry("constellation").or_insert_with(|| toml::Table::new().into());
                }
                network.get_mut("constellation")
            });
            match inner.and_then(toml::Value::as_table_mut) {
                Some(inner) => inner.extend(changes),
                // The error of the reader names the missing key.
                None => return read(&text, name, None),
            }
            made(&table.to_string(), name, None)
        }
        Some(ending) if ELEMENTS.contains(&ending) => {
            let file = Path::new(name);
            let part =
                |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
            changes.insert("catalogue".to_owned(), part(file.file_name()).into());
            changes.entry("unusable").or_insert_with(|| "skip".into());
            let rules = presets::find(RULES).map(|rules| ConstellationSpec {
                name: part(file.file_stem()),
                shells: Vec::new(),
                ..rules
            });
            made(&wrapped(changes), name, rules.ok())
        }
        _ if Path::new(name).is_dir() && presets::find(name).is_err() => {
            let endings = ELEMENTS.join(", .");
            let message = format!(
                "\"{name}\" is a folder (name a file of orbital elements in this folder; its name ends in \
                    .{endings})"
            );
            Err(ScenarioError { message, ..fault(Code::ScenarioUnreadable, "") })
        }
        _ => {
            if !name.is_empty() {
                presets::find(name).map_err(|error| ScenarioError {
                    message: format!(
                        "{error}; a file of orbital elements has a name that ends in .{}, and a scenario has a name \
                         that ends in .toml",
                        ELEMENTS.join(", .")
                    ),
                    ..fault(error.code(), "")
                })?;
                changes.insert("preset".to_owned(), name.into());
            }
            made(&wrapped(changes), name, None)
        }
    }
}

/// Returns the constellation of a network preset (`network.preset`). `own` are keys of `[network]` that replace keys of
/// the preset.
///
/// # Errors
/// [`Code::PresetUnknown`] for an unknown preset, and the errors of reading a scenario.
pub fn constellation_of_network(preset: &str, own: &str) -> Result<Named, ScenarioError> {
    let mut network = parse_toml(own, preset)?;
    let known = preset::find(preset)
        .map_err(|message| ScenarioError { message, ..fault(Code::PresetUnknown, "") })?;
    if !known.is_constellation() {
        let message = format!(
            "the network preset \"{preset}\" has no constellation (`bentpipe presets` lists all network \
                presets)"
        );
        return Err(ScenarioError { message, ..fault(Code::ScenarioValue, "") });
    }
    network.insert("preset".to_owned(), preset.into());
    made(&document(network), "", None)
}

fn wrapped(constellation: toml::Table) -> String {
    document(toml::Table::from_iter([("constellation".to_owned(), constellation.into())]))
}

fn document(network: toml::Table) -> String {
    toml::Table::from_iter([("network".to_owned(), toml::Value::from(network))]).to_string()
}

fn read(text: &str, origin: &str, rules: Option<ConstellationSpec>) -> Result<Named, ScenarioError> {
    read_from(&Source::parse(text, origin)?, rules)
}

/// Reads a generated text. Its line numbers mean nothing to the user.
fn made(text: &str, origin: &str, rules: Option<ConstellationSpec>) -> Result<Named, ScenarioError> {
    read_from(&Source::parse(text, origin)?.without_lines(), rules)
}

fn read_from(source: &Source<'_>, rules: Option<ConstellationSpec>) -> Result<Named, ScenarioError> {
    source.check(&schemars::schema_for!(Sky).to_value())?;
    let sky: Sky = source.read()?;
    let (spec, places, _) = satellites::read(sky.network.constellation, rules, source)?;
    source.verdict()?;
    Ok(Named { spec, places })
}

/// Creates a fault without a position. The caller adds the message.
fn fault(code: Code, origin: &str) -> ScenarioError {
    ScenarioError::new(code, origin, "", "")
}

#[cfg(test)]
mod tests;
