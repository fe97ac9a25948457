// SPDX-License-Identifier: MIT OR Apache-2.0
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::document::{NetworkChoice, WireService};
use crate::{Scenario, ScenarioError};
use units::{Code, Rate, Span};

/// Returns a scenario with these lines in its table `network`, and with a flow between these sites.
fn over(network: &str, [from, to]: [&str; 2]) -> Result<Scenario, ScenarioError> {
    let text = format!(
        "duration = \"10 s\"\n[[flows]]\ncontroller = \"cubic\"\nfrom = \"{from}\"\nto = \"{to}\"\n[network]\n{network}\n"
    );
    Scenario::from_toml(&text, "a.toml")
}

const GEO: [&str; 2] = ["left", "right"];

#[test]
fn every_preset_is_a_network_and_says_where_it_is_from() {
    for preset in ALL {
        let ends = ["left", "dish", "terminal"].into_iter().zip(["right", "server", "server"]);
        let name = preset.name;
        let mut ends = ends.filter_map(|(a, b)| over(&format!("preset = \"{name}\""), [a, b]).ok());
        let scenario = ends.next().unwrap_or_else(|| panic!("{name}"));
        assert_eq!(scenario.origin, Some(Origin { preset, own: Vec::new() }));
        // The resolved text contains the whole network, without a preset.
        let written = scenario.to_toml("");
        assert!(!written.contains(&format!("[network]\npreset = \"{name}\"")), "{written}");
        assert_eq!(Scenario::from_toml(&written, "b.toml").unwrap(), scenario, "{written}");
    }
}

#[test]
fn every_preset_has_a_terminal_and_a_server() {
    for preset in ALL {
        let Ends { terminal, server } = preset.ends();
        let of = |text: &str| {
            let text = format!("duration = \"10 s\"\nnetwork.preset = \"{}\"\n{text}", preset.name);
            let scenario = Scenario::from_toml(&text, "a.toml").unwrap_or_else(|error| panic!("{error}"));
            (scenario.flows[0].from.clone(), scenario.flows[0].to.clone())
        };
        let down = (server.clone(), terminal.clone());
        // The ends are given in three ways: not at all (towards the terminal), by the names of all presets (towards the
        // terminal), and by this preset's own names (from the terminal).
        assert_eq!(of("flows = [{ controller = \"cubic\" }]"), down, "{}", preset.name);
        let named = "flows = [{ controller = \"cubic\", from = \"server\", to = \"terminal\" }]";
        assert_eq!(of(named), down, "{}", preset.name);
        let up = format!("flows = [{{ controller = \"cubic\", from = \"{terminal}\", to = \"{server}\" }}]");
        assert_eq!(of(&up), (terminal, server), "{}", preset.name);
    }
    let unknown = over("preset = \"geo-ka-residential\"", ["left", "dish"]).unwrap_err();
    assert!(
        unknown.to_string().contains(
            "the network has no site \"dish\" (its sites are left, right; in every network preset, sites also have \
             the names `terminal` (here right) and `server` (here left))"
        ),
        "{unknown}"
    );
}

#[test]
fn a_preset_that_was_held_against_nothing_is_called_unvalidated() {
    let words = |network: &str, ends| over(network, ends).unwrap().origin.unwrap().words();
    assert_eq!(
        words("preset = \"o3b-mpower\"", ["terminal", "server"]),
        "o3b-mpower: unvalidated, because it was not compared with a published measurement"
    );
    assert_eq!(
        words("preset = \"geo-ka-residential\"", GEO),
        "geo-ka-residential: agrees with 2 of 3 published numbers, largest deviation -8 % (see bentpipe presets \
         geo-ka-residential)"
    );
    let changed = words("preset = \"geo-ka-residential\"\ndumbbell.rtt = \"600 ms\"", GEO);
    assert_eq!(
        changed,
        "geo-ka-residential with the scenario's own dumbbell.rtt: unvalidated, because published numbers exist \
         only for the unchanged preset"
    );
    let changed =
        words("preset = \"o3b-mpower\"\nconstellation.route_step = \"1 s\"", ["terminal", "server"]);
    assert_eq!(changed, "o3b-mpower, unvalidated, with the scenario's own constellation.route_step");
    // Announcing path changes to flows does not change the network.
    let told = words("preset = \"geo-ka-residential\"\nannounce = \"1 s\"", GEO);
    assert!(told.contains("published numbers, largest deviation"), "{told}");
}

#[test]
fn keys_of_ones_own_take_the_place_of_the_presets() {
    let read = |own: &str| over(&format!("preset = \"geo-ka-residential\"\n{own}"), GEO).unwrap();
    let wires = |scenario: Scenario| {
        let NetworkChoice::Dumbbell { forward, reverse } = scenario.network else { panic!() };
        (forward, reverse)
    };
    let (forward, reverse) = wires(read("dumbbell.rate = \"50 Mbit/s\""));
    assert_eq!(forward.spec.rate, Some(Rate::from_bits_per_s(50_000_000)));
    // Other keys keep their values, in the table and in the table inside it.
    assert_eq!(reverse.spec.rate, Some(Rate::from_bits_per_s(3_000_000)));
    assert!(reverse.spec.dama.is_some());
    // A key in an inner table.
    let (forward, reverse) = wires(read("dumbbell.reverse.rate = \"1 Mbit/s\""));
    assert_eq!(forward.spec.rate, Some(Rate::from_bits_per_s(25_000_000)));
    assert_eq!(reverse.spec.rate, Some(Rate::from_bits_per_s(1_000_000)));
    // A demand assignment is replaced as a whole, so `cra` and `rbdc` of the preset do not apply.
    let own =
        "dumbbell.reverse.dama = { superframe = \"20 ms\", latency = \"560 ms\", vbdc = \"unlimited\" }";
    let (_, reverse) = wires(read(own));
    let dama = reverse.spec.dama.unwrap();
    assert_eq!(dama.superframe, Span::from_millis(20));
    assert_eq!((dama.cra, dama.rbdc), (Rate::from_bits_per_s(0), Rate::from_bits_per_s(0)));
    // A key that excludes a key of the preset replaces it.
    let own = "dumbbell.delay = \"100 ms\"\ndumbbell.rate_steps = [{ at = \"0 s\", rate = \"9 Mbit/s\" }]";
    let (forward, _) = wires(read(own));
    assert!(matches!(forward.service, WireService::Steps(_)), "{:?}", forward.service);
    let (_, reverse) = wires(read("dumbbell.reverse.grants = { period = \"4 ms\" }"));
    assert!(reverse.spec.dama.is_none());
}

#[test]
fn off_takes_away_what_the_preset_says() {
    let read = |own: &str| over(&format!("preset = \"geo-ka-residential\"\n{own}"), GEO);
    let scenario = read("dumbbell.reverse.dama = \"off\"").unwrap();
    assert_eq!(
        scenario.origin.as_ref().map(|origin| origin.own.clone()),
        Some(vec!["dumbbell.reverse.dama".to_owned()])
    );
    // The resolved text contains nothing that would have to be removed.
    assert_eq!(Scenario::from_toml(&scenario.to_toml(""), "b.toml").unwrap(), scenario);
    let NetworkChoice::Dumbbell { reverse, .. } = scenario.network else { panic!() };
    assert_eq!((reverse.spec.dama, reverse.spec.rate), (None, Some(Rate::from_bits_per_s(3_000_000))));
    // Other keys of the same table are merged, including keys that exclude the removed key.
    let own = "dumbbell.reverse = { dama = \"off\", arq = { repeats = 2 } }";
    let NetworkChoice::Dumbbell { reverse, .. } = read(own).unwrap().network else { panic!() };
    assert!(reverse.spec.dama.is_none() && reverse.spec.arq.is_some());
    // "off" is refused for a key that the preset does not set, and without a preset.
    let own = "preset = \"geo-ka-residential\"\n[network.dumbbell]\ndama = \"off\"";
    refused(
        own,
        Code::ScenarioWrongType,
        "a.toml:9: network.dumbbell.dama: \"off\" removes a key of the network preset, but no network preset has `dama` \
         (remove `dama`, or write dama = { superframe = \"40 ms\", latency = \"560 ms\", vbdc = \"unlimited\" })",
    );
    refused(
        "dumbbell = { rate = \"2 Mbit/s\", rtt = \"1 s\", dama = \"off\" }",
        Code::ScenarioWrongType,
        "a.toml:7: network.dumbbell.dama: \"off\" removes a key of the network preset, but no network preset has `dama` \
         (remove `dama`, or write dama = { superframe = \"40 ms\", latency = \"560 ms\", vbdc = \"unlimited\" })",
    );
}

#[test]
fn the_origin_of_a_resolved_scenario_is_read_again() {
    let scenario =
        over("preset = \"oneweb\"\nconstellation.uplink.rate = \"5 Mbit/s\"", ["terminal", "server"]);
    let scenario = scenario.unwrap();
    let own = vec!["constellation.uplink.rate".to_owned()];
    assert_eq!(scenario.origin, Some(Origin { preset: find("oneweb").unwrap(), own }));
    assert_eq!(Scenario::from_toml(&scenario.to_toml(""), "b.toml").unwrap(), scenario);
}

#[track_caller]
fn refused(network: &str, code: Code, message: &str) {
    let error = over(network, GEO).unwrap_err();
    assert_eq!(error.to_string(), message);
    assert_eq!(error.code(), code);
}

#[test]
fn a_fault_says_whether_the_preset_has_said_it() {
    let known = "starlink-2024-eu, oneweb, geo-ka-residential, o3b-mpower (unvalidated), iridium-certus";
    refused(
        "preset = \"geo-ka-resident\"",
        Code::PresetUnknown,
        &format!(
            "a.toml:7: network.preset: unknown network \"geo-ka-resident\" (did you mean \"geo-ka-residential\"? \
             presets: {known})"
        ),
    );
    refused(
        "preset = \"kuiper-630\"",
        Code::PresetUnknown,
        &format!(
            "a.toml:7: network.preset: unknown network \"kuiper-630\" (write constellation = {{ preset = \
             \"hypatia-kuiper-630\" }}; presets: {known})"
        ),
    );
    // The preset's demand assignment contradicts a key of the scenario.
    refused(
        "preset = \"geo-ka-residential\"\n[network.dumbbell.reverse]\nrate = \"unlimited\"",
        Code::ScenarioValue,
        "a.toml:7: network.dumbbell.reverse.dama: demand assignment needs a link with a rate (write rate = \"2 \
         Mbit/s\", or remove `dama`) (the preset \"geo-ka-residential\" sets this key: write the key in the scenario \
         to replace the value)",
    );
    // A fault in the scenario's own keys has the same message as without a preset.
    refused(
        "preset = \"geo-ka-residential\"\n[network.dumbbell]\nrate = 5",
        Code::ScenarioWrongType,
        "a.toml:9: network.dumbbell.rate: 5 has no unit: the value must be a data rate or \"unlimited\" with its unit \
         (write rate = \"5 Mbit/s\"; units are bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s)",
    );
    refused(
        "preset = \"geo-ka-residential\"\nchain = { links = 2, link = { rate = \"unlimited\", \
         delay = \"0 s\" } }",
        Code::ScenarioValue,
        "a.toml:8: network.chain: a scenario has exactly one network, and the preset \"geo-ka-residential\" sets \
         `dumbbell` (keep one of [network.constellation], [network.dumbbell], [network.chain], [network.star], \
         [network.starlink])",
    );
    refused(
        "preset = \"oneweb\"\norigin = { preset = \"oneweb\" }",
        Code::ScenarioValue,
        "a.toml:8: network.origin: `preset` and `origin` contradict each other (keep `preset`: `origin` is only for \
         resolved scenarios)",
    );
}
