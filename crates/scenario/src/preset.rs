// SPDX-License-Identifier: MIT OR Apache-2.0
//! Networks by name: `network.preset` merges one of the files of `data/presets` below the scenario's own keys.
//!
//! Each file contains the network (a fragment of a scenario), the sources of its numbers, our own assumptions, and
//! measurements of the real network. A table of the scenario is merged with the preset's table key by key. Lists, and
//! tables with several forms ([`WHOLE`]), are replaced as a whole. A key that excludes other keys replaces them
//! ([`ALTERNATIVES`]). A key with the value [`OFF`] removes the preset's value.
//!
//! The merge takes place before the check against the schema. Therefore everything that reads documents (sweeps,
//! comparisons, the builder) supports presets. The merged document is used, but lines and faults refer to the user's
//! text. Tables with several forms are not merged by key, because a mixture of two loss models is neither of the two.
//!
//! A resolved scenario keeps the name of its preset in `network.origin`, which has no effect. Therefore a run of the
//! resolved scenario still names its network. A preset with changed keys counts as unvalidated, because published
//! numbers exist only for the unchanged preset.

use crate::check::{join, nearest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A built-in network.
#[derive(Debug, PartialEq, Eq)]
pub struct NetworkPreset {
    /// Name of the network.
    pub name: &'static str,
    text: &'static str,
}

// Each path is written in full, because the fingerprint of a build searches the sources for embedded files.
const ALL: &[NetworkPreset] = &[
    NetworkPreset {
        name: "starlink-2024-eu",
        text: include_str!("../../../data/presets/starlink-2024-eu.toml"),
    },
    NetworkPreset { name: "oneweb", text: include_str!("../../../data/presets/oneweb.toml") },
    NetworkPreset {
        name: "geo-ka-residential",
        text: include_str!("../../../data/presets/geo-ka-residential.toml"),
    },
    NetworkPreset { name: "o3b-mpower", text: include_str!("../../../data/presets/o3b-mpower.toml") },
    NetworkPreset { name: "iridium-certus", text: include_str!("../../../data/presets/iridium-certus.toml") },
];

/// A built-in network with its whole file.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NetworkPreset")]
pub struct PresetFile {
    #[serde(skip_deserializing)]
    name: &'static str,
    about: String,
    /// A sentence that compares the network with measurements; `make presets` writes it.
    state: String,
    /// The two sites that every preset has.
    ends: Ends,
    /// The fragment of a scenario.
    network: Map<String, Json>,
    sources: Vec<PresetSource>,
    assumed: Vec<Assumed>,
    measured: Vec<Measured>,
    /// The text of the file.
    #[serde(skip_deserializing)]
    text: &'static str,
}

/// The names that a preset gives to its terminal and its server. Flows may also call these sites `terminal` and
/// `server`.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PresetEnds")]
pub struct Ends {
    /// Site of the user.
    pub terminal: String,
    /// Site in the Internet.
    pub server: String,
}

/// A source of numbers of a network preset.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PresetSource {
    keys: String,
    source: String,
}

/// An assumption of a network preset.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Assumed {
    /// Key of the network; empty for an assumption about the measurement.
    key: String,
    why: String,
    other: Vec<Alternative>,
}

/// A different assumption: another value of the key, or other keys of the scenario that measures the number.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Alternative {
    /// Name of the assumption.
    is: String,
    /// Value that replaces the assumed value.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Json>,
    /// Keys that replace keys of the measuring scenario.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    probe: Map<String, Json>,
}

/// A published number, and the part of a scenario that measures the same quantity in Bentpipe.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Measured {
    quantity: String,
    unit: String,
    /// Lower limit of the published number; `null` if it has none.
    least: Option<f64>,
    /// Upper limit of the published number; `null` if it has none.
    most: Option<f64>,
    says: String,
    source: String,
    date: String,
    /// The number of the run that is compared.
    read: String,
    /// Whether the number is an operator's claim that nobody measured.
    #[serde(default)]
    claim: bool,
    duration: String,
    flows: Vec<Map<String, Json>>,
    #[serde(default)]
    peps: Vec<Map<String, Json>>,
}

/// The origin of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The preset that defines the network.
    pub preset: &'static NetworkPreset,
    /// Keys of the network that the scenario itself sets.
    pub own: Vec<String>,
}

impl Origin {
    /// Returns the origin as text for the summary of a run. A preset without measurements is called unvalidated.
    pub fn words(&self) -> String {
        let name = self.preset.name;
        match (self.preset.measurements(), self.own.as_slice()) {
            (0, []) => {
                format!("{name}: unvalidated, because it was not compared with a published measurement")
            }
            (0, own) => {
                format!("{name}, unvalidated, with the scenario's own {}", own.join(", "))
            }
            (_, []) => format!("{name}: {} (see bentpipe presets {name})", self.preset.file().state),
            (_, own) => format!(
                "{name} with the scenario's own {}: unvalidated, because published numbers exist only for the \
                unchanged preset",
                own.join(", ")
            ),
        }
    }
}

impl NetworkPreset {
    /// Returns the number of measurements of the real network. Claims of operators do not count.
    pub fn measurements(&self) -> usize {
        self.file().measured.iter().filter(|one| !one.claim).count()
    }

    /// Returns the name for lists. A preset without measurements is called unvalidated.
    fn listed(&self) -> String {
        if self.measurements() == 0 { format!("{} (unvalidated)", self.name) } else { self.name.to_owned() }
    }

    /// Returns the two sites that every preset has.
    pub fn ends(&self) -> Ends {
        self.file().ends
    }

    /// Returns whether the network is a constellation.
    pub fn is_constellation(&self) -> bool {
        self.file().network.contains_key("constellation")
    }

    /// Returns the whole file.
    ///
    /// # Panics
    /// Never, because a test reads all built-in files.
    fn file(&self) -> PresetFile {
        let file = toml::from_str(self.text).expect("a test reads every built-in preset");
        PresetFile { name: self.name, text: self.text, ..file }
    }

    fn tree(&self) -> DeTable<'static> {
        DeTable::parse(self.text).expect("the built-in presets are TOML: a test reads them all").into_inner()
    }
}

/// Returns all presets with sources, assumptions and measurements.
pub fn network_presets() -> Vec<PresetFile> {
    ALL.iter().map(NetworkPreset::file).collect()
}

/// Returns the preset with this name.
///
/// # Errors
/// A message that contains the unknown name.
pub fn find(name: &str) -> Result<&'static NetworkPreset, String> {
    let names = || ALL.iter().map(|preset| preset.name);
    names().position(|known| known == name).map(|at| &ALL[at]).ok_or_else(|| {
        let hint = match (nearest(name, names()), topology::presets::containing(name)) {
            (Some(near), _) => format!("did you mean \"{near}\"? "),
            (None, Some(orbits)) => format!("write constellation = {{ preset = \"{orbits}\" }}; "),
            (None, None) => String::new(),
        };
        let known: Vec<_> = ALL.iter().map(NetworkPreset::listed).collect();
        format!("unknown network \"{name}\" ({hint}presets: {})", known.join(", "))
    })
}

/// Merges the file over its network preset. Returns the result and the preset, or `None` if the file names no known
/// preset.
pub fn below<'a>(own: &Spanned<DeTable<'a>>) -> Option<(Spanned<DeTable<'a>>, &'static NetworkPreset)> {
    let name = table(own.get_ref(), "network")?.iter().find(|(key, _)| key.get_ref() == "preset")?.1;
    let preset = find(name.get_ref().as_str()?).ok()?;
    let mut whole = own.clone();
    let network = whole.get_mut().iter_mut().find(|(key, _)| key.get_ref() == "network");
    let (Some((_, DeValue::Table(network))), tree) =
        (network.map(|(key, one)| (key, one.get_mut())), preset.tree())
    else {
        return None;
    };
    if let Some(laid) = table(&tree, "network") {
        lay(network, laid);
    }
    Some((whole, preset))
}

/// Returns the keys of the network that a file has in addition to the name of the preset.
pub fn own_keys(own: &DeTable<'_>) -> Vec<String> {
    let mut keys = Vec::new();
    if let Some(network) = table(own, "network") {
        collect(network, "", &mut keys);
    }
    keys.retain(|key| !matches!(key.as_str(), "preset" | "announce" | "announce_error"));
    keys
}

fn collect(table: &DeTable<'_>, path: &str, keys: &mut Vec<String>) {
    for (key, value) in table {
        let path = join(path, key.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) if !WHOLE.contains(&key.get_ref().as_ref()) => collect(inner, &path, keys),
            _ => keys.push(path),
        }
    }
}

/// Tables with several forms. A file replaces them as a whole.
const WHOLE: [&str; 7] = ["queue", "loss", "arq", "jitter", "dama", "grants", "budget"];

/// Keys of one table that exclude each other.
const ALTERNATIVES: [&[&str]; 9] = [
    &[
        "rate",
        "rate_steps",
        "trace",
        "budget",
        "rate_by_elevation",
        "rate_by_range",
        "rate_by_hour",
        "path_trace",
    ],
    &["rtt", "delay", "delay_steps", "delay_trace", "path_trace"],
    &["dama", "grants", "arq"],
    &["uplink_total", "uplink_total_steps"],
    &["downlink_total", "downlink_total_steps"],
    &["feeder_total", "feeder_total_steps"],
    &["uplink", "user_link"],
    &["downlink", "user_link"],
    &["preset", "walker", "catalogue", "shells"],
];

/// The value that removes the preset's value of a key.
pub const OFF: &str = "off";

fn table<'t, 'a>(tree: &'t DeTable<'a>, name: &str) -> Option<&'t DeTable<'a>> {
    tree.iter().find(|(key, _)| key.get_ref() == name)?.1.get_ref().as_table()
}

fn lay<'a>(own: &mut DeTable<'a>, below: &DeTable<'a>) {
    let mut gone: Vec<&str> = Vec::new();
    let is_off = |value: &Spanned<DeValue<'_>>| value.get_ref().as_str() == Some(OFF);
    for (key, value) in below {
        let name: &str = key.get_ref();
        let excluded =
            |one: &str| ALTERNATIVES.iter().any(|group| group.contains(&name) && group.contains(&one));
        if let Some((_, there)) = own.iter_mut().find(|(one, _)| one.get_ref() == name) {
            if is_off(there) {
                gone.push(name);
            } else if let (DeValue::Table(there), DeValue::Table(value)) = (there.get_mut(), value.get_ref())
                && !WHOLE.contains(&name)
            {
                lay(there, value);
            }
        } else if !own.iter().any(|(one, there)| excluded(one.get_ref()) && !is_off(there)) {
            own.insert(key.clone(), value.clone());
        }
    }
    for name in gone {
        own.remove(name);
    }
}

#[cfg(test)]
mod tests;
