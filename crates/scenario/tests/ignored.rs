// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenarios that are refused because a key would have no effect, or because a run would not end.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use bentpipe_scenario::{NetworkChoice, Scenario};
use units::{Code, Span};

/// Checks that a constellation with these keys is refused at its first line.
fn sky(keys: &str, code: Code, key: &str, message: &str) {
    let text = format!(
        "[network.constellation]\n{keys}\n[[flows]]\ncontroller = \"reno\"\nfrom = \"Paris\"\nto = \"Madrid\"\n"
    );
    let error = Scenario::from_toml(&text, "a.toml").expect_err(keys);
    assert_eq!((error.code(), error.line()), (code, Some(2)), "{error}");
    assert_eq!(error.key(), format!("network.constellation.{key}"), "{error}");
    assert!(error.message().contains(message), "{error}");
}

#[test]
fn keys_that_would_do_nothing() {
    let value = Code::ScenarioValue;
    sky("fibre_factor = 1.4\npreset = \"iridium\"", value, "fibre_factor", "write pops = ");
    sky(
        "handover = { during = \"lose\" }\npreset = \"iridium\"",
        Code::ScenarioMissingKey,
        "handover.during",
        "write outage = ",
    );
    for access in ["{ hysteresis = \"5 deg\" }", "{ policy = \"longest-visible\", hysteresis = \"5 deg\" }"] {
        let keys = format!("access = {access}\npreset = \"iridium\"");
        sky(&keys, value, "access.hysteresis", "write slot = ");
    }
    let catalogue = "catalogue = \"a.tle\"\nuser_link = { rate = \"1 Mbit/s\" }";
    sky(
        &format!("isl = {{ rate = \"1 Mbit/s\", shift = 1 }}\n{catalogue}"),
        value,
        "isl.shift",
        "have no slots",
    );
    for (key, text) in [
        ("shift", "shift = 0"),
        ("intra_plane", "intra_plane = false"),
        ("inter_plane", "inter_plane = true"),
    ] {
        for pattern in ["pairs = [[0, 1]]", "pattern = \"nearest\""] {
            let keys = format!("isl = {{ {pattern}, {text} }}\npreset = \"iridium\"");
            sky(&keys, value, &format!("isl.{key}"), "links of a grid");
        }
    }
    let alone = "isl = { inter_shell = true }\npreset = \"iridium\"";
    sky(alone, value, "isl.inter_shell", "this constellation has only one shell");
    for (key, text) in [("isl_latitude_limit", "\"60 deg\""), ("cross_seam", "true")] {
        let keys = format!("{key} = {text}\nisl = {{ pattern = \"nearest\" }}\npreset = \"iridium\"");
        sky(&keys, value, key, "links of a grid");
    }
}

#[test]
fn keys_that_do_something_beside_those_they_need() {
    for keys in [
        "preset = \"iridium\"\nfibre_factor = 1.4\npops = [{ name = \"Rome\" }]",
        "preset = \"iridium\"\nhandover = { outage = \"0 s\", during = \"lose\" }",
        "preset = \"iridium\"\naccess = { policy = \"nearest\", hysteresis = \"5 deg\" }",
        "preset = \"iridium\"\naccess = { slot = \"15 s\", hysteresis = \"5 deg\" }",
        "preset = \"iridium\"\nisl = { shift = 1, intra_plane = false }",
        "preset = \"iridium\"\nisl = { pattern = \"nearest\" }",
        "preset = \"iridium\"\nisl = { inter_shell = false }",
        "preset = \"starlink\"\nisl = { inter_shell = true }",
    ] {
        let text = format!(
            "[network.constellation]\n{keys}\n[[flows]]\ncontroller = \"reno\"\nfrom = \"Paris\"\nto = \"Madrid\"\n"
        );
        let scenario = Scenario::from_toml(&text, "a.toml").unwrap_or_else(|error| panic!("{error}"));
        // Reading the printed scenario gives the same scenario.
        let again =
            Scenario::from_toml(&scenario.to_toml(""), "a.toml").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.network, scenario.network);
    }
}

/// Reads a dumbbell with this queue and this table `tcp`.
fn dumbbell(queue: &str, tcp: &str) -> Result<Scenario, bentpipe_scenario::ScenarioError> {
    let text = format!(
        "[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"50 ms\"\nqueue = {queue}\n[tcp]\n{tcp}\n[[flows]]\n\
         controller = \"reno\"\n"
    );
    Scenario::from_toml(&text, "a.toml")
}

/// Each setting needs a mechanism that the other settings do not have.
#[test]
fn settings_of_a_recovery_that_there_is_not() {
    let rack = |key: &str, value: &str, recovery: &str, lacks: &str| {
        format!(
            "{key} = {value} has no effect: with recovery = \"{recovery}\", there is {lacks} (remove `{key}`, or \
             write recovery = \"rack\")"
        )
    };
    let cases = [
        ("recovery = \"newreno\"", "reordering_timer_slack", "\"2 ms\"", "no timer of RACK"),
        ("recovery = \"sack\"", "reordering_timer_slack", "\"2 ms\"", "no timer of RACK"),
        ("recovery = \"sack\"", "tail_probe_by_oldest", "true", "no tail loss probe"),
        ("recovery = \"reno\"", "growth_when_reordered", "true", "no measurement of reordering"),
    ];
    for (before, key, value, lacks) in cases {
        let error = dumbbell("\"1 BDP\"", &format!("{before}\n{key} = {value}")).expect_err(key);
        let recovery = before.split('"').nth(1).unwrap_or_default();
        assert_eq!(error.message(), rack(key, value, recovery, lacks));
        assert_eq!((error.key(), error.code()), (format!("tcp.{key}").as_str(), Code::ScenarioValue));
        assert!(dumbbell("\"1 BDP\"", &format!("recovery = \"rack\"\n{key} = {value}")).is_ok());
    }
    let cases = [
        (
            "undo = false",
            "f_rto = true has no effect: with undo = false, no reduction is undone (remove `f_rto`, or write undo = \
             true)",
        ),
        (
            "recovery = \"newreno\"",
            "f_rto = true has no effect: with recovery = \"reno\" or \"newreno\", no SACK reports which segments \
             arrived (RFC 5682, section 3) (remove `f_rto`, or write recovery = \"sack\" or \"rack\")",
        ),
    ];
    for (before, message) in cases {
        let error = dumbbell("\"1 BDP\"", &format!("{before}\nf_rto = true")).expect_err(before);
        assert_eq!((error.key(), error.message()), ("tcp.f_rto", message));
    }
    assert!(dumbbell("\"1 BDP\"", "f_rto = true").is_ok());
    for preset in ["ns2-sack1", "ns2-newreno", "ns2-linux"] {
        let error =
            dumbbell("\"1 BDP\"", &format!("preset = \"{preset}\"\ntimestamps = false")).expect_err(preset);
        assert_eq!(error.key(), "tcp.timestamps");
        assert_eq!(
            error.message(),
            format!(
                "false contradicts preset = \"{preset}\". This preset fixes `timestamps`: each packet of ns-2 \
                 carries its sending time (`hdr_tcp::ts_`) (remove the key, or write another preset)"
            )
        );
    }
    // Values of a preset are not faults.
    for tcp in ["preset = \"linux\"\nrecovery = \"newreno\"\nprr = false", "preset = \"rfc\"\nundo = false"] {
        assert!(dumbbell("\"1 BDP\"", tcp).is_ok(), "{tcp}");
    }
}

#[test]
fn settings_of_a_set_up_that_there_is_not() {
    let keys = [("after_lost_syn", "\"linux\""), ("syn_header", "\"100 B\""), ("fin_beyond_window", "true")];
    for (key, value) in keys {
        for before in ["", "setup = \"none\"\n", "setup = \"none\"\npreset = \"ns2-sack1\"\n"] {
            let error = dumbbell("\"1 BDP\"", &format!("{before}{key} = {value}")).expect_err(key);
            assert_eq!(
                (error.key(), error.code()),
                (format!("tcp.{key}").as_str(), Code::ScenarioValue),
                "{error}"
            );
            assert_eq!(
                error.message(),
                format!(
                    "{key} = {value} has no effect: with setup = \"none\", the sender sends no SYN and no FIN \
                     (remove `{key}`, or write setup = \"handshake\")"
                )
            );
        }
        assert!(dumbbell("\"1 BDP\"", &format!("setup = \"handshake\"\n{key} = {value}")).is_ok());
    }
    // Values of a preset are not faults, and the printed scenario has no additional keys.
    for tcp in ["preset = \"linux\"\nsetup = \"none\"", "syn_header = \"60 B\"", "max_rto = \"500 ms\""] {
        let scenario = dumbbell("\"1 BDP\"", tcp).unwrap_or_else(|error| panic!("{error}"));
        let again =
            Scenario::from_toml(&scenario.to_toml(""), "a.toml").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again, scenario);
    }
}

#[test]
fn a_queue_that_could_never_mark() {
    for word in ["threshold", "drop-front", "priority", "drr"] {
        let queue = |limit: &str, above: &str| {
            dumbbell(
                &format!("{{ discipline = \"{word}\", limit = \"{limit}\", mark_above = \"{above}\" }}"),
                "",
            )
        };
        for (limit, above) in [
            ("10 packets", "100 packets"),
            ("10 packets", "9 packets"),
            ("0.1 BDP", "0.1 BDP"),
            ("20 kB", "30 kB"),
            ("5 ms", "5 ms"),
            ("1 BDP", "unlimited"),
        ] {
            // If other packets are served first, a packet can wait longer than its queue takes to empty.
            if above.ends_with("ms") && ["priority", "drr"].contains(&word) {
                assert!(queue(limit, above).is_ok(), "{word}, {limit}, {above}");
                continue;
            }
            let error = queue(limit, above).expect_err(above);
            assert_eq!(error.key(), "network.dumbbell.queue.mark_above");
            assert_eq!((error.line(), error.code()), (Some(4), Code::ScenarioValue));
            assert!(error.message().contains("(lower mark_above, or write a larger limit)"), "{error}");
        }
        for (limit, above) in
            [("10 packets", "8 packets"), ("10 packets", "0.1 BDP"), ("unlimited", "9 packets")]
        {
            assert!(queue(limit, above).is_ok(), "{limit}, {above}");
        }
    }
    // A link whose rate changes does not have a single BDP.
    for (word, above, is_good) in [
        ("threshold", "", false),
        ("threshold", ", mark_above = \"0.2 BDP\"", false),
        ("threshold", ", mark_above = \"7 ms\"", true),
        ("priority", "", true),
        ("priority", ", mark_above = \"0.2 BDP\"", false),
        ("drr", ", mark_above = \"20 packets\"", true),
    ] {
        let text = format!(
            "[network.dumbbell]\nrate_steps = [{{ at = \"0 s\", rate = \"5 Mbit/s\" }}]\nrtt = \"50 ms\"\n\
             queue = {{ discipline = \"{word}\", limit = \"50 packets\"{above} }}\n[[flows]]\ncontroller = \"reno\"\n"
        );
        assert_eq!(Scenario::from_toml(&text, "a.toml").is_ok(), is_good, "{above}");
        let queue = format!("{{ discipline = \"{word}\"{above} }}");
        let text = format!(
            "[network.starlink]\npreset = \"starlink-good\"\nqueue = {{ up = {queue} }}\n[[flows]]\ncontroller = \"reno\"\n"
        );
        assert_eq!(Scenario::from_toml(&text, "a.toml").is_ok(), is_good, "{above}");
    }
    // The default is 0.15 BDP.
    assert!(dumbbell("{ discipline = \"threshold\", limit = \"0.1 BDP\" }", "").is_err());
}

#[test]
fn a_flow_that_nothing_limits() {
    let dumbbell = |link: &str, flow: &str| {
        format!("[network.dumbbell]\nrtt = \"50 ms\"\n{link}\n[[flows]]\ncontroller = \"reno\"\n{flow}\n")
    };
    let ideal = "rate = \"unlimited\"\nqueue = \"unlimited\"";
    let error = Scenario::from_toml(&dumbbell(ideal, ""), "a.toml").expect_err("it must be refused");
    assert_eq!(error.code(), Code::ScenarioValue);
    assert_eq!(
        error.to_string(),
        "a.toml:5: flows[0]: no link on the path from \"left\" to \"right\" has a rate or loses packets, so nothing \
         limits this flow, and its rate would grow until the memory is full (write a rate for a link, or write tcp = \
         { receive_window = \"4 MB\" } or size = \"10 MB\")",
    );
    for (link, flow) in [
        (ideal, "size = \"10 MB\""),
        (ideal, "tcp = { receive_window = \"4 MB\" }"),
        (ideal, "access = { rate = \"1 Gbit/s\" }"),
        ("rate = \"unlimited\"\nloss = { per = 1e-3 }", ""),
        ("rate = \"unlimited\"\nloss = { packets = [400], period = 1000 }", ""),
        ("rate = \"1 Gbit/s\"\nqueue = \"unlimited\"", ""),
        ("rate_steps = [{ at = \"0 s\", rate = \"5 Mbit/s\" }]", ""),
    ] {
        let text = dumbbell(link, flow);
        assert!(Scenario::from_toml(&text, "a.toml").is_ok(), "{text}");
    }
    // A list ends, and later packets are not lost.
    let error =
        Scenario::from_toml(&dumbbell(&format!("{ideal}\nloss = {{ packets = [400] }}"), ""), "a.toml");
    assert!(error.is_err());
    // Only links between its sites can limit a flow.
    let chain = |to: &str| {
        format!(
            "[network.chain]\nlinks = [{{ rate = \"unlimited\", delay = \"1 ms\" }}, {{ rate = \"1 Mbit/s\", delay = \"1 ms\" }}]\n\
             [[flows]]\ncontroller = \"reno\"\nto = \"{to}\"\n"
        )
    };
    assert!(Scenario::from_toml(&chain("1"), "a.toml").is_err());
    assert!(Scenario::from_toml(&chain("2"), "a.toml").is_ok());
    // Over satellites: all links have no rate, or one kind of link has a rate.
    let sky = |isl: &str| {
        format!(
            "[network.constellation]\npreset = \"iridium\"\nuser_link = {{ rate = \"unlimited\" }}\nisl = {isl}\n\
             [[flows]]\ncontroller = \"reno\"\nfrom = \"Paris\"\nto = \"Madrid\"\n"
        )
    };
    assert!(Scenario::from_toml(&sky("{ rate = \"unlimited\" }"), "a.toml").is_err());
    assert!(Scenario::from_toml(&sky("false"), "a.toml").is_err());
    assert!(Scenario::from_toml(&sky("true"), "a.toml").is_ok());
}

#[test]
fn slots_over_a_catalogue_begin_with_the_published_second() {
    let phase = |keys: &str| {
        let text = format!(
            "[network.constellation]\n{keys}\n[[flows]]\ncontroller = \"reno\"\nfrom = \"Paris\"\nto = \"Madrid\"\n"
        );
        let scenario = Scenario::from_toml(&text, "a.toml").unwrap_or_else(|error| panic!("{error}"));
        match scenario.network {
            NetworkChoice::Constellation { spec, .. } => spec.choice.slot.map(|slot| slot.phase),
            _ => None,
        }
    };
    let catalogue = "catalogue = \"a.tle\"\nisl = false\nuser_link = { rate = \"1 Mbit/s\" }\naccess";
    assert_eq!(phase(&format!("{catalogue} = {{ slot = \"15 s\" }}")), Some(Span::from_secs(12)));
    assert_eq!(phase(&format!("{catalogue} = {{ slot = \"10 s\" }}")), Some(Span::ZERO));
    let said = format!("{catalogue} = {{ slot = \"15 s\", phase = \"2 s\" }}");
    assert_eq!(phase(&said), Some(Span::from_secs(2)));
    assert_eq!(phase("preset = \"starlink\"\naccess = { slot = \"15 s\" }"), Some(Span::ZERO));
}
