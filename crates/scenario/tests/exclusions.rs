// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys that exclude or need each other, as the schema declares it. All declarations name existing keys, and are
//! enforced.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_scenario::{Scenario, json_schema};
use serde_json::Value as Json;
use std::collections::BTreeSet;

fn schema() -> Json {
    json_schema().parse().unwrap()
}

/// Returns the rules of an annotation.
fn rules(declared: &Json) -> &[Json] {
    declared.as_array().map_or(&[], Vec::as_slice)
}

fn keys(rule: &Json) -> Vec<&str> {
    rule["keys"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect()
}

/// Returns the tables of the format with their names.
fn tables(schema: &Json) -> impl Iterator<Item = (&String, &Json)> {
    schema["$defs"].as_object().unwrap().iter().filter(|(_, table)| table["properties"].is_object())
}

#[test]
fn declarations_name_keys_of_their_table() {
    let schema = schema();
    let mut declared = 0;
    for (name, table) in tables(&schema) {
        let known = table["properties"].as_object().unwrap();
        let of_keys = known.iter().flat_map(|(key, about)| {
            let all = rules(&about["x-excludes"]).iter().chain(rules(&about["x-needs"]));
            all.map(move |rule| (key.as_str(), rule))
        });
        for (key, rule) in of_keys.chain(rules(&table["x-needs"]).iter().map(|rule| ("", rule))) {
            for other in keys(rule) {
                assert!(known.contains_key(other) && other != key, "{name}.{key} names {other}");
            }
            if let Some(at) = rule["at"].as_str() {
                assert!(keys(rule).contains(&at), "{name}: {at}");
            }
            declared += 1;
        }
        // A rule of `x-needs` must contain the reason and the fix, because there is no other message.
        let needs = known.values().chain([table]).flat_map(|about| rules(&about["x-needs"]));
        for rule in needs {
            assert!(rule["why"].is_string() && rule["fix"].is_string(), "{name}: {rule}");
        }
    }
    assert!(declared > 60, "{declared}");
}

/// For each kind of table, a scenario that contains such a table, with `{}` in place of its keys.
const PLACES: [(&str, &str); 27] = [
    ("Acks", "network.dumbbell.acks = { {} }"),
    ("AccessLink", "flows = [{ access = { {} } }]"),
    ("Branch", "network.star.branches = [{ {} }]"),
    ("Constellation", "network.constellation = { {} }"),
    ("CountsTable", "flows = [{ page.objects = { {} } }]"),
    ("Dama", "network.dumbbell.dama = { {} }"),
    ("Dumbbell", "network.dumbbell = { {} }"),
    ("Flow", "flows = [{ {} }]"),
    ("Gateway", "network.constellation.gateways = [{ {} }]"),
    ("Grants", "network.dumbbell.grants = { {} }"),
    ("Hop", "network.dumbbell.budget.down = { {} }"),
    ("IslTable", "network.constellation.isl = { {} }"),
    ("Jitter", "network.dumbbell.jitter = { {} }"),
    ("Loss", "network.dumbbell.loss = { {} }"),
    ("Media", "flows = [{ there = { {} } }]"),
    ("MovingLink", "network.constellation.downlink = { {} }"),
    ("Network", "network = { {} }"),
    ("Place", "network.constellation.pops = [{ {} }]"),
    ("QueueTable", "network.dumbbell.queue = { {} }"),
    ("SharedLinks", "network.constellation.shared = { {} }"),
    ("Shell", "network.constellation.shells = [{ {} }]"),
    ("Site", "network.constellation.sites = [{ {} }]"),
    ("SizesTable", "flows = [{ size = { {} } }]"),
    ("TimesTable", "flows = [{ think = { {} } }]"),
    ("TwoState", "network.dumbbell.loss.two_state = { {} }"),
    ("UserLink", "network.constellation.uplink = { {} }"),
    ("Walker", "network.constellation.walker = { {} }"),
];

/// The same for `Link` and `Traffic`, most of whose keys belong to other tables.
const MORE: [(&str, &str); 2] = [("Traffic", "traffic = [{ {} }]"), ("Link", "network.chain.link = { {} }")];

fn place(table: &str) -> &'static str {
    let all = PLACES.iter().chain(&MORE);
    all.clone()
        .find(|(name, _)| *name == table)
        .map_or_else(|| panic!("where is {table}?"), |(_, place)| place)
}

/// Returns the faults of a document whose table with this name has these keys. Most values have a wrong type, which is
/// reported as well. This does not matter, because the rules only check which keys are present.
fn faults(table: &str, keys: &[&str], deciding: &str) -> Vec<(String, String)> {
    let said = keys.iter().map(|key| format!("{key} = 1979-05-27")).collect::<Vec<_>>().join(", ");
    let text = place(table).replacen("{}", &format!("{deciding}{said}"), 1);
    let Err(error) = Scenario::from_toml(&text, "a.toml") else { panic!("{text} was accepted") };
    let all = std::iter::once(&error).chain(error.others());
    all.map(|fault| (fault.key().to_owned(), fault.message().to_owned())).collect()
}

/// Returns the keys that determine the kind of table, with words for which the table has all of these keys.
fn deciding(table: &Json, keys: &[&str]) -> String {
    let mut words = std::collections::BTreeMap::<&str, BTreeSet<&str>>::new();
    for key in keys {
        for (decider, own) in table["properties"][key]["x-only"].as_object().into_iter().flatten() {
            let own: BTreeSet<&str> =
                own.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
            words.entry(decider).and_modify(|known| known.retain(|word| own.contains(word))).or_insert(own);
        }
    }
    let say = |(decider, words): (&str, BTreeSet<&str>)| {
        format!("{decider} = \"{}\", ", words.first().unwrap_or_else(|| panic!("{keys:?} are of no table")))
    };
    words.into_iter().map(say).collect()
}

fn message(why: Option<&str>, fallback: &str, fix: &str) -> String {
    format!("{} ({fix})", why.unwrap_or(fallback))
}

#[test]
fn keys_that_exclude_each_other_are_refused() {
    let schema = schema();
    let mut pairs = 0;
    for (name, table) in tables(&schema) {
        for (key, about) in table["properties"].as_object().unwrap() {
            for rule in rules(&about["x-excludes"]) {
                for other in keys(rule) {
                    let fallback = format!("`{other}` and `{key}` contradict each other");
                    let expected = message(
                        rule["why"].as_str(),
                        &fallback,
                        rule["fix"].as_str().unwrap_or("keep one of them"),
                    );
                    // Test both orders, because a file may have either.
                    for pair in [[key.as_str(), other], [other, key.as_str()]] {
                        let found = faults(name, &pair, &deciding(table, &pair));
                        let told: Vec<_> = found.iter().filter(|(_, message)| *message == expected).collect();
                        let [(at, _)] = told[..] else { panic!("{name}: {pair:?}: {expected}\n{found:#?}") };
                        assert!(at.ends_with(&format!(".{key}")), "{at}");
                    }
                    // A single key is not refused because of the other key.
                    for alone in [key.as_str(), other] {
                        let found = faults(name, &[alone], &deciding(table, &[alone]));
                        assert!(found.iter().all(|(_, message)| *message != expected), "{name}.{alone}");
                    }
                    pairs += 1;
                }
            }
        }
    }
    assert!(pairs > 100, "{pairs}");
}

#[test]
fn keys_that_need_another_one_are_refused_without_it() {
    let schema = schema();
    let mut needs = 0;
    for (name, table) in tables(&schema) {
        for (key, about) in table["properties"].as_object().unwrap() {
            for rule in rules(&about["x-needs"]) {
                let expected = message(rule["why"].as_str(), "", rule["fix"].as_str().unwrap());
                // If a word determines the kind of table, it is the needed key, and is left out.
                let decides = about["x-only"]
                    .as_object()
                    .into_iter()
                    .flatten()
                    .any(|(one, _)| keys(rule).contains(&one.as_str()));
                let said = if decides { String::new() } else { deciding(table, &[key]) };
                let is_told = |keys: &[&str]| {
                    let found = faults(name, keys, &said);
                    found.iter().any(|(at, message)| at.ends_with(&format!(".{key}")) && *message == expected)
                };
                assert!(is_told(&[key]), "{name}.{key}: {expected}");
                for other in keys(rule) {
                    assert!(!is_told(&[key, other]), "{name}.{key} with {other}");
                }
                needs += 1;
            }
        }
        for rule in rules(&table["x-needs"]) {
            let start = rule["why"].as_str().unwrap().split("}`").last().unwrap();
            let is_told = |keys: &[&str]| {
                let found = faults(name, keys, "");
                found.iter().any(|(_, message)| {
                    message.contains(start)
                        && message.ends_with(&format!("({})", rule["fix"].as_str().unwrap()))
                })
            };
            assert!(is_told(&[]), "{name}: {start}");
            for other in keys(rule) {
                assert!(!is_told(&[other]), "{name} with {other}");
            }
            needs += 1;
        }
    }
    assert!(needs > 30, "{needs}");
}

/// These messages are written by hand, not read from the schema.
#[test]
fn what_is_said() {
    for (text, expected) in [
        (
            "network.dumbbell = { rtt = \"1 s\", rate = \"1 Mbit/s\", trace = \"a\", budget = { \
             bandwidth = \"1 MHz\" } }",
            "a.toml:1: network.dumbbell.budget: `rate` and `trace` and `budget` contradict each \
             other (keep one of them)",
        ),
        (
            "network.constellation = { preset = \"iridium\", min_elevation = \"9 deg\", \
             max_slant_range = \"900 km\" }",
            "a.toml:1: network.constellation.max_slant_range: `min_elevation` and `max_slant_range` \
             contradict each other (keep one of them)",
        ),
        (
            "network.constellation = { preset = \"iridium\", isl = { pairs = [[0, 1]], terminals = 2 } }",
            "a.toml:1: network.constellation.isl.pairs: `pattern` and `terminals` have no effect, because `pairs` already determines which satellites are linked \
             (remove `pattern` and `terminals`)",
        ),
        (
            "network.constellation = { preset = \"iridium\", sites = [{ name = \"x\", latitude = \"9 \
             deg\" }] }",
            "a.toml:1: network.constellation.sites[0].latitude: a place needs both latitude and longitude, or neither \
             and the name of a city (write longitude as well, or remove this key)",
        ),
        (
            "network.dumbbell = { rtt = \"1 s\", rate = \"1 Mbit/s\", dama = { superframe = \"40 \
             ms\", latency = \"1 s\" } }",
            "a.toml:1: network.dumbbell.dama: without cra, rbdc, vbdc and fca, the terminal would never get a grant (write at least one of cra, rbdc, \
             vbdc and fca, such as vbdc = \"unlimited\")",
        ),
        (
            "network.chain = { links = 2, link = { rate = \"1 Mbit/s\" } }",
            "a.toml:1: network.chain.link.delay: `network.chain.link` needs a propagation delay (write delay = \"25 \
             ms\")",
        ),
        // A required key is not reported as missing if an unknown key is probably a misspelling of it.
        (
            "network.chain = { links = 2, link = { rate = \"1 Mbit/s\", dely = \"1 s\" } }",
            "a.toml:1: network.chain.link.dely: unknown key `dely` in `network.chain.link` (did \
             you mean `delay`? known keys: ",
        ),
    ] {
        let error =
            Scenario::from_toml(&format!("{text}\nflows = [{{ controller = \"reno\" }}]\n"), "a.toml");
        let error = error.expect_err(text).to_string();
        assert!(error.starts_with(expected), "{error}\n{expected}");
        assert!(!error.contains('\n'), "{error}");
    }
}

/// A key of the file contradicts a key of its preset. The fault is at the file's key, and names the preset's keys.
#[test]
fn a_key_beside_one_of_the_preset() {
    let text = "network.preset = \"oneweb\"\nnetwork.star.branches = [{ site = \"a\", rate = \"1 \
                Mbit/s\", delay = \"0 s\" }]\n";
    let error = Scenario::from_toml(text, "a.toml").expect_err("there are two networks");
    assert_eq!(
        error.to_string(),
        "a.toml:2: network.star: a scenario has exactly one network, and the preset \"oneweb\" sets `constellation` \
         (keep one of [network.constellation], [network.dumbbell], [network.chain], [network.star], \
         [network.starlink])"
    );
    assert_eq!(
        error.context().fix.as_deref(),
        Some(
            "keep one of [network.constellation], [network.dumbbell], [network.chain], \
             [network.star], [network.starlink]"
        )
    );
    // A key for the rate replaces the preset's key for the rate without a contradiction.
    let text = "network.preset = \"geo-ka-residential\"\nnetwork.dumbbell.rate_steps = [{ at = \"0 s\", rate = \"1 Mbit/s\" }]\n\
                flows = [{ controller = \"reno\" }]\n";
    Scenario::from_toml(text, "a.toml").unwrap_or_else(|error| panic!("{error}"));
}
