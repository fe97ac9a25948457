// SPDX-License-Identifier: MIT OR Apache-2.0
//! Networks by name: `network.preset` lays one of the files of `data/presets` below what a scenario says of its network.
//!
//! Each file holds the network (a fragment of a scenario) and, beside it, where its numbers come from, which of them are
//! ours, and what was measured over the real one. A table of the scenario is merged with the preset's key by key. What
//! says one thing in one of several ways ([`WHOLE`]) is taken whole, and so is every list; a key that excludes others
//! takes their place ([`ALTERNATIVES`]). What a scenario calls [`OFF`] is gone, as if the preset had not said it.

use crate::check::{join, nearest};
use serde_json::{Value as Json, json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A network that is known by name.
#[derive(Debug, PartialEq, Eq)]
pub struct NetworkPreset {
    /// Its name.
    pub name: &'static str,
    text: &'static str,
}

// Each file is named in full: the fingerprint of a build looks for what is embedded.
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

/// Where a network comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The preset below it.
    pub preset: &'static NetworkPreset,
    /// Keys of the network that the scenario says itself.
    pub own: Vec<String>,
}

impl Origin {
    /// In words, for the summary of a run: a preset that was held against nothing is called unvalidated.
    pub fn words(&self) -> String {
        let name = self.preset.name;
        match (self.preset.measurements(), self.own.as_slice()) {
            (0, []) => format!("{name}: unvalidated, it was held against no published measurement"),
            (0, own) => {
                format!("{name}, unvalidated, with the scenario's own {}", own.join(", "))
            }
            (_, []) => format!("{name}: {} (bentpipe presets {name} says more)", self.preset.state()),
            (_, own) => format!(
                "{name} with the scenario's own {}: unvalidated, what was published is of the preset as it is",
                own.join(", ")
            ),
        }
    }
}

impl NetworkPreset {
    /// How many numbers were measured over the real one; claims of operators do not count.
    pub fn measurements(&self) -> usize {
        let file = self.file();
        let measured = file.get("measured").and_then(toml::Value::as_array);
        let claim = |one: &&toml::Value| one.get("claim").and_then(toml::Value::as_bool) == Some(true);
        measured.map_or(0, |all| all.iter().filter(|one| !claim(one)).count())
    }

    /// How far it is from what was measured, in words: "2 of 5 published numbers inside, the farthest +204 %". `make presets`
    /// writes it into the preset's file.
    fn state(&self) -> String {
        let file = self.file();
        file.get("state").and_then(toml::Value::as_str).expect("every preset's file has its state").to_owned()
    }

    /// The name as lists have it: one that was held against nothing is called unvalidated there, too.
    fn listed(&self) -> String {
        if self.measurements() == 0 { format!("{} (unvalidated)", self.name) } else { self.name.to_owned() }
    }

    /// Whether it is one of satellites.
    pub fn is_constellation(&self) -> bool {
        self.file().get("network").is_some_and(|network| network.get("constellation").is_some())
    }

    fn file(&self) -> toml::Table {
        toml::from_str(self.text).expect("the shipped presets are TOML: a test reads them all")
    }

    fn tree(&self) -> DeTable<'static> {
        DeTable::parse(self.text).expect("the shipped presets are TOML: a test reads them all").into_inner()
    }
}

/// All presets with sources, assumptions and measurements, as a JSON array; `network` is the fragment.
///
/// # Panics
/// Never: the shipped files are read by a test.
pub fn network_presets() -> Json {
    let entry = |preset: &NetworkPreset| {
        let mut entry = serde_json::to_value(preset.file()).expect("a table of TOML has a JSON form");
        entry["name"] = json!(preset.name);
        entry["text"] = json!(preset.text);
        entry
    };
    ALL.iter().map(entry).collect()
}

/// The preset of that name.
///
/// # Errors
/// What to say where it is not known.
pub fn find(name: &str) -> Result<&'static NetworkPreset, String> {
    let names = || ALL.iter().map(|preset| preset.name);
    names().position(|known| known == name).map(|at| &ALL[at]).ok_or_else(|| {
        let hint =
            nearest(name, names()).map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
        let known: Vec<_> = ALL.iter().map(NetworkPreset::listed).collect();
        format!("cannot find the network \"{name}\" ({hint}presets are {})", known.join(", "))
    })
}

/// What a file says of its network with a preset below it, if it names one that is known: the whole, and the preset.
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

/// Keys of the network that a file says beside the name of its preset.
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

/// Tables that say one thing in one of several ways.
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

/// Takes away what the preset says under the same key.
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
