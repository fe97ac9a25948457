// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run with its records that is saved and restored has exactly the same results, for every scenario in `scenarios`.

use plan::{Plan, never};
use record::{Batches, Summary, Tables};
use scenario::{Overrides, Scenario};
use sim::{Options, Run, SimError, Unread, Unsaved};
use std::fs;
use std::path::{Path, PathBuf};
use units::{Span, Time};

/// Shortest duration in s to which the duration of a scenario is reduced.
const SHORTEST_S: f64 = 10.0;

/// Returns the scenarios, sorted by path.
fn scenarios() -> Vec<PathBuf> {
    let (mut open, mut found) =
        (vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{error}")) {
            let path = entry.unwrap_or_else(|error| panic!("{error}")).path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "toml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Reads a scenario, and shortens its run.
fn read(path: &Path) -> Scenario {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{error}"));
    let read = |overrides: &Overrides| {
        let read = Scenario::read(&text, &path.display().to_string(), overrides);
        read.unwrap_or_else(|error| panic!("{error}")).0
    };
    let whole = read(&Overrides::default());
    let starts = whole.flows.iter().map(|flow| flow.start.secs_f64());
    let begun_s = starts.fold(whole.warm_up.secs_f64(), f64::max);
    let duration_s = SHORTEST_S.max(begun_s + 4.0);
    if whole.duration.secs_f64() <= duration_s {
        return whole;
    }
    read(&Overrides { duration: Some(format!("{duration_s} s")), ..Overrides::default() })
}

fn options(scenario: &Scenario) -> Options {
    let usual = Options::of(scenario);
    // All tables are written, and samples are not at the times at which the run is saved.
    Options { interval: usual.interval.or(Some(Span::from_millis(700))), events: true, ..usual }
}

fn plan(scenario: &Scenario) -> Plan {
    Plan::of_run(scenario, &never).unwrap_or_else(|error| panic!("{error}"))
}

fn begin(plan: &Plan) -> Run {
    let run = Run::new(plan.clone(), &options(&plan.scenario), Tables::default(), engine::NoObserver, &never);
    run.unwrap_or_else(|error| panic!("{}: {error}", plan.scenario.name))
}

fn restore(plan: &Plan, saved: &[u8]) -> Result<Run, SimError> {
    Run::restore(plan.clone(), &options(&plan.scenario), Tables::default(), &never, saved)
}

fn go(run: &mut Run, until: Time) {
    run.advance(until, &never).unwrap_or_else(|error| panic!("{error}"));
}

fn finish(run: Run) -> (Summary, Batches) {
    let (outcome, _) = run.finish(&never).unwrap_or_else(|error| panic!("{error}"));
    let batches = outcome.tables.finish(&outcome.summary.provenance);
    (outcome.summary, batches.unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn every_scenario_goes_on() {
    let mut saved_runs = 0;
    for path in scenarios() {
        let scenario = read(&path);
        let what = path.display();
        if scenario.flows.iter().any(|flow| flow.kind.quic().is_some()) {
            let why = begin(&plan(&scenario)).save().err();
            assert!(matches!(why, Some(SimError::NoSave(Unsaved::Quic { .. }))), "{what}: {why:?}");
            continue;
        }
        let end = Time::ZERO + scenario.duration;
        let plan = plan(&scenario);
        let mut run = begin(&plan);
        let mut states = Vec::new();
        for share in [0.0, 0.2711, 0.8093] {
            go(&mut run, Time::ZERO + scenario.duration.mul_f64(share));
            states.push(run.save().unwrap_or_else(|error| panic!("{what}: {error}")));
        }
        go(&mut run, end);
        let expected = finish(run);
        for state in states {
            let mut run = restore(&plan, &state).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(run.save().is_ok_and(|again| again == state), "{what}: the state that was read differs");
            go(&mut run, end);
            let (summary, tables) = finish(run);
            assert_eq!(summary.to_json(), expected.0.to_json(), "{what}");
            assert!(tables == expected.1, "{what}: the tables differ");
        }
        saved_runs += 1;
    }
    assert!(saved_runs > 40, "only {saved_runs} scenarios were saved");
}

#[test]
fn another_state_is_refused() {
    let text = "duration = \"4 s\"\nnetwork.dumbbell = { rate = \"2 Mbit/s\", rtt = \"80 ms\" }\nflows = [{ controller = \"cubic\" }]\n";
    let read = |text: &str| Scenario::from_toml(text, "small.toml").unwrap_or_else(|error| panic!("{error}"));
    let scenario = read(text);
    let mut run = begin(&plan(&scenario));
    go(&mut run, Time::ZERO + Span::from_secs(3));
    let state = run.save().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(sim::saved_time(&state, &scenario).ok(), Some(Time::ZERO + Span::from_secs(3)));
    let why = |scenario: &Scenario, state: &[u8]| match restore(&plan(scenario), state) {
        Err(SimError::NoRestore(why)) => why,
        other => panic!("{other:?}"),
    };
    for place in (0..state.len()).step_by(1009) {
        let mut changed = state.clone();
        changed[place] ^= 1;
        let expected = if place < 8 { Unread::Foreign } else { Unread::Damaged };
        assert_eq!(why(&scenario, &changed), expected, "byte {place}");
        assert!(sim::saved_time(&changed, &scenario).is_err());
    }
    let mut seed = scenario.clone();
    seed.seed += 1;
    assert_eq!(why(&seed, &state), Unread::Scenario);
    assert_eq!(why(&read(&text.replace("80 ms", "81 ms")), &state), Unread::Scenario);
    // The state of a session has no records.
    let session = run.session().save().unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(why(&scenario, &session), Unread::Misfit(_)));
}

#[test]
fn scenarios_that_cannot_be_saved_say_why() {
    let of = |record: &str, flow: &str| {
        let text = format!(
            "duration = \"4 s\"\nnetwork.dumbbell = {{ rate = \"2 Mbit/s\", rtt = \"80 ms\" }}\n{record}\nflows = [{flow}]\n"
        );
        Unsaved::of(&Scenario::from_toml(&text, "small.toml").unwrap_or_else(|error| panic!("{error}")))
    };
    let named = "{ name = \"mine\", controller = \"reno\" }";
    assert_eq!(of("", named), None);
    assert_eq!(of("record.pcap = [\"mine\"]", named), Some(Unsaved::Captures));
    assert_eq!(of("record.qlog = [\"mine\"]", named), Some(Unsaved::Captures));
    assert_eq!(of("record.packets = { from = \"0 s\", to = \"1 s\" }", named), Some(Unsaved::Packets));
    let quic = "{ name = \"mine\", controller = \"reno\", transport = \"quic\" }";
    assert_eq!(of("", quic), Some(Unsaved::Quic { flow: "mine".to_owned() }));
}
