// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenarios over links that change with time: random streams, notices, invalid files, and the published comparison.
#![expect(clippy::print_stdout, reason = "the comparison is printed")]

use plan::Plan;
use scenario::Scenario;
use sim::{Options, Outcome};
use units::{Code, Span};

fn read(text: &str) -> Scenario {
    // Resolve file names as if the scenario were in the folder `scenarios` of the repository.
    let origin = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/test.toml");
    Scenario::from_toml(text, origin).unwrap_or_else(|error| panic!("{error}"))
}

fn run(text: &str) -> Outcome {
    let scenario = read(text);
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

fn over_starlink(preset: &str, controller: &str, ends: (&str, &str), seed: u32) -> Outcome {
    let (from, to) = ends;
    run(&format!(
        "duration = \"30 s\"\nseed = {seed}\nrecord = {{ interval = \"off\", events = false }}\n\
         network.starlink = {{ preset = \"{preset}\", rtt = \"20 ms\" }}\n\
         [[flows]]\ncontroller = \"{controller}\"\nfrom = \"{from}\"\nto = \"{to}\"\n"
    ))
}

const UP: (&str, &str) = ("dish", "server");
const DOWN: (&str, &str) = ("server", "dish");

/// Transfers of 30 s from a terminal in Germany, August 2023. Uplink: BBR above 25 Mbit/s, CUBIC 5 to 6 Mbit/s.
/// Downlink: BBR above 120 Mbit/s, CUBIC about 20 Mbit/s. `docs/starlink.md` has our results over eight seeds.
#[test]
fn bbr_beside_cubic_over_a_good_path() {
    for (name, ends, bbr_above) in [("up", UP, 25.0), ("down", DOWN, 120.0)] {
        for seed in [1, 2] {
            let goodput = |controller| {
                over_starlink("starlink-good", controller, ends, seed)
                    .summary
                    .totals
                    .delivered_mbit_s
                    .unwrap_or(f64::NAN)
            };
            let (bbr, cubic) = (goodput("bbr1"), goodput("cubic"));
            println!("{name}, seed {seed}: bbr1 {bbr:.1}, cubic {cubic:.1} Mbit/s");
            assert!(bbr > bbr_above, "{name}: {bbr}");
            assert!(cubic < bbr, "{name}: {cubic} {bbr}");
        }
    }
}

/// The packet counts balance for every preset in both directions (otherwise the run is refused), and no rate exceeds
/// the path.
#[test]
fn every_preset_carries_data_both_ways() {
    for preset in ["starlink-good", "starlink-far", "starlink-isl"] {
        for ends in [UP, DOWN] {
            let totals = over_starlink(preset, "bbr1", ends, 3).summary.totals;
            assert!(
                totals.delivered_mbit_s.unwrap_or(f64::NAN) > 0.5
                    && totals.delivered_mbit_s.unwrap_or(f64::NAN) < 400.0,
                "{}",
                totals.delivered_mbit_s.unwrap_or(f64::NAN)
            );
        }
    }
}

/// The path has its own random streams. Another controller, another queue or more flows do not change it.
#[test]
fn the_path_does_not_know_its_flows() {
    let text = |flows: &str, more: &str| {
        format!("duration = \"60 s\"\nnetwork.starlink = {{ preset = \"starlink-far\"{more} }}\n{flows}")
    };
    let network = |text: &str| Plan::new(&read(text)).unwrap_or_else(|error| panic!("{error}")).network;
    let cubic = network(&text("[[flows]]\ncontroller = \"cubic\"\n", ""));
    let others =
        network(&text("[[flows]]\ncontroller = \"bbr1\"\ncount = 3\n", ", queue = { up = \"1 BDP\" }"));
    for (one, other) in cubic.links.iter().zip(&others.links) {
        assert_eq!((&one.config.course, &one.config.delay), (&other.config.course, &other.config.delay));
        assert!(one.config.course.is_some());
    }
    assert_ne!(cubic.links[0].config.course, cubic.links[1].config.course);
    let other_seed = network(&format!("seed = 2\n{}", text("[[flows]]\ncontroller = \"cubic\"\n", "")));
    assert_ne!(cubic.links[0].config.course, other_seed.links[0].config.course);
}

/// Boundaries at :12, :27, :42 of a run that starts at :00 are path changes. Notices come when they happen, or 2 s
/// before.
#[test]
fn boundaries_are_path_changes() {
    let text = "duration = \"50 s\"\nnetwork.announce = \"2 s\"\nnetwork.starlink = { preset = \"starlink-good\" }\n\
                [[flows]]\ncontroller = \"cubic\"\n";
    let scenario = read(text);
    let plan = Plan::new(&scenario).unwrap_or_else(|error| panic!("{error}"));
    let told: Vec<(f64, f64)> =
        plan.notices().iter().map(|notice| (notice.tell.secs_f64(), notice.at.secs_f64())).collect();
    assert_eq!(told, [(10.0, 12.0), (12.0, 12.0), (25.0, 27.0), (27.0, 27.0), (40.0, 42.0), (42.0, 42.0)]);
}

/// The recording from which `starlink-good` was made, in both directions. 134,270 deliveries of 1504 bytes per 29.996 s
/// carry at most 53.9 Mbit/s.
#[test]
fn a_recording_carries_a_flow() {
    let outcome = run("duration = \"30 s\"\n[network.dumbbell]\ntrace = \"../data/leocc-30s.deliveries\"\n\
         delay_trace = \"../data/leocc-30s.delays\"\nqueue = \"500 packets\"\n\
         [[flows]]\ncontroller = \"bbr1\"\n");
    let totals = &outcome.summary.totals;
    assert!(
        totals.delivered_mbit_s.unwrap_or(f64::NAN) > 40.0
            && totals.delivered_mbit_s.unwrap_or(f64::NAN) < 53.9,
        "{}",
        totals.delivered_mbit_s.unwrap_or(f64::NAN)
    );
}

/// 20 Mbit/s for 10 s, nothing for 5 s, 5 Mbit/s for 5 s: at most 225 Mbit in 20 s. CUBIC with a large queue uses most
/// of it.
#[test]
fn a_stepped_rate_carries_what_it_can() {
    let outcome = run("duration = \"20 s\"\n[network.dumbbell]\nrtt = \"20 ms\"\nqueue = \"1 MB\"\n\
         rate_steps = [{ at = \"0 s\", rate = \"20 Mbit/s\" }, { at = \"10 s\", rate = \"0 bit/s\" }, \
         { at = \"15 s\", rate = \"5 Mbit/s\" }]\nreverse = { rate = \"20 Mbit/s\" }\n\
         [[flows]]\ncontroller = \"cubic\"\n");
    let totals = &outcome.summary.totals;
    assert!(
        totals.delivered_mbit_s.unwrap_or(f64::NAN) > 9.0
            && totals.delivered_mbit_s.unwrap_or(f64::NAN) < 11.25,
        "{}",
        totals.delivered_mbit_s.unwrap_or(f64::NAN)
    );
}

#[test]
fn files_that_cannot_be_replayed_are_refused() {
    let folder = std::env::temp_dir().join(format!("bentpipe-traces-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{error}"));
    for (name, content, code, why) in [
        (
            "missing",
            None,
            Code::ScenarioUnreadable,
            "(write the path of the file relative to the folder of the scenario)",
        ),
        ("empty", Some(""), Code::ScenarioValue, "it is empty (give at least one rate or time)"),
        (
            "back",
            Some("5\n3\n"),
            Code::ScenarioValue,
            "line 2: 3 ms comes after 5 ms (times of delivery must not go back)",
        ),
        ("words", Some("5\nsix\n"), Code::ScenarioValue, "line 2: cannot read \"six\""),
    ] {
        let file = folder.join(name);
        if let Some(content) = content {
            std::fs::write(&file, content).unwrap_or_else(|error| panic!("{error}"));
        }
        let scenario = read(&format!(
            "[network.dumbbell]\ntrace = \"{}\"\nrtt = \"20 ms\"\n[[flows]]\ncontroller = \"cubic\"\n",
            file.display()
        ));
        match sim::run(&scenario, &Options::of(&scenario)) {
            Ok(_) => panic!("{name} was accepted"),
            Err(error) => {
                assert_eq!(error.code(), code, "{error}");
                let text = error.to_string();
                assert!(text.contains(why) && text.contains(&file.display().to_string()), "{text}");
            }
        }
    }
    let delays = read(&format!(
        "[network.dumbbell]\nrate = \"1 Mbit/s\"\ndelay_trace = \"{}\"\n[[flows]]\ncontroller = \"cubic\"\n",
        folder.join("empty").display()
    ));
    let error = sim::run(&delays, &Options::of(&delays)).err().map(|error| error.to_string());
    assert!(error.is_some_and(|text| text.ends_with("the file is empty (give at least one delay)")));
    let _ = std::fs::remove_dir_all(&folder);
    assert!(Span::from_secs(86_400) <= link::starlink::LONGEST);
}
