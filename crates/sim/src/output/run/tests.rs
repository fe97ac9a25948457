// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run that is computed page by page has exactly the same results as a run that is computed at once.

use super::*;
use plan::Horizon;
use record::{Batches, Summary};
use units::Span;

#[path = "../../../tests/shared/iridium.rs"]
mod iridium;

/// Returns a scenario with late starts, queues in bandwidth-delay products, announcements, access links and all kinds
/// of records.
fn scenario(constellation: &str) -> Scenario {
    iridium::over_iridium(&iridium::Over {
        head: r#"
            duration = "420 s"
            warm_up = "10 s"
            record = { interval = "1 s", events = true }
        "#,
        user_link: r#"{ rate = "7 Mbit/s", queue = "1.5 BDP" }"#,
        constellation,
        cubic: r#"
            stop = "100 s"
            access = { rate = "9 Mbit/s", delay = "1 ms", queue = "50 packets" }
        "#,
        cbr: r#"start = "350 s""#,
        ping_to: "Sydney",
    })
}

const CONSTELLATIONS: [&str; 6] = [
    // The modem reacts late and has hysteresis, so its state depends on the past.
    r#"
        handover = { outage = "200 ms", during = "lose" }
        [network.constellation.uplink.budget]
        bandwidth = "3 MHz"
        hysteresis = "1 dB"
        up = { frequency = "29 GHz", eirp = "30 dBW", g_over_t = "4 dB/K", rain = { rate_001 = "60 mm/h", height = "4 km", probability = 0.4 } }
    "#,
    "",
    "handover = { outage = \"200 ms\", during = \"lose\" }",
    "handover = { outage = \"200 ms\" }",
    r#"
        handover = { outage = "200 ms" }
        uplink = { rate_by_elevation = [["8 deg", "1 Mbit/s"], ["60 deg", "7 Mbit/s"]], loss_by_range = [["2000 km", 0.03]] }
    "#,
    "uplink = { jitter = { log_normal = { median = \"5 ms\", sigma = 0.7 } } }",
];

/// Returns a horizon with short pages.
fn paged(scenario: &Scenario) -> Horizon {
    let secs = Span::from_secs;
    let ahead = secs(20) + scenario.announce;
    Horizon { whole: Span::ZERO, page: secs(50), ahead, behind: secs(10), ..Horizon::of_run(scenario) }
}

fn run_within(scenario: &Scenario, horizon: Horizon) -> (Summary, Batches, usize) {
    let options = Options::of(scenario);
    let plan = Plan::within(scenario, horizon, &never).unwrap_or_else(|error| panic!("{error}"));
    let begun_with = plan.network.links.len();
    let run = Run::new(plan, &options, Tables::default(), NoObserver, &never);
    let mut run = run.unwrap_or_else(|error| panic!("{error}"));
    run.advance(horizon.end, &never).unwrap_or_else(|error| panic!("{error}"));
    let (outcome, _) = run.finish(&never).unwrap_or_else(|error| panic!("{error}"));
    let batches = outcome.tables.finish(&outcome.summary.provenance);
    (outcome.summary, batches.unwrap_or_else(|error| panic!("{error}")), begun_with)
}

/// Removes link numbers. Links of the network are numbered in the order in which pages add them, and the numbers of
/// host links are between them.
fn unnumbered(summary: &Summary) -> String {
    let mut summary = summary.clone();
    summary.links.iter_mut().chain(&mut summary.busiest_link).for_each(|link| link.link = 0);
    summary.to_json()
}

/// Returns the rows of paths in sorted order. The table contains them path by path within each page.
fn path_rows(tables: &Batches) -> Vec<String> {
    let paths = tables.paths.as_ref().unwrap_or_else(|| panic!("it is in memory"));
    let mut rows: Vec<String> =
        (0..paths.num_rows()).map(|row| format!("{:?}", paths.slice(row, 1).columns())).collect();
    rows.sort_unstable();
    rows
}

#[test]
fn pages_make_no_difference() {
    for constellation in CONSTELLATIONS {
        let scenario = scenario(constellation);
        let (whole, paged) = (Horizon::of_run(&scenario), paged(&scenario));
        let (summary, tables, links) = run_within(&scenario, whole);
        let (paged_summary, paged_tables, first) = run_within(&scenario, paged);
        assert!(first < links, "{first} links on the first page, {links} in all");
        assert_eq!(unnumbered(&summary), unnumbered(&paged_summary), "{constellation}");
        assert_eq!(tables.flows, paged_tables.flows, "{constellation}");
        assert_eq!(tables.events, paged_tables.events, "{constellation}");
        let (expected, got) = (path_rows(&tables), path_rows(&paged_tables));
        assert_eq!(expected.len(), got.len());
        for (expected, got) in expected.iter().zip(&got) {
            assert_eq!(expected, got, "{constellation}");
        }
    }
}

/// A run over pages that is saved and restored has exactly the same results, also if it is restored several times.
#[test]
fn saved_runs_over_pages_go_on() {
    for constellation in CONSTELLATIONS {
        saved_run_goes_on(&scenario(constellation));
    }
}

/// Saves a run over pages at several times, continues from each state, and compares the results.
fn saved_run_goes_on(scenario: &Scenario) {
    let horizon = paged(scenario);
    let options = Options::of(scenario);
    let plan = || Plan::within(scenario, horizon, &never).unwrap_or_else(|error| panic!("{error}"));
    let (summary, tables, _) = run_within(scenario, horizon);
    let mut run = Run::new(plan(), &options, Tables::default(), NoObserver, &never)
        .unwrap_or_else(|error| panic!("{error}"));
    // Before the first turn, at the time of this turn, between turns, and after the last turn.
    let turn = run.session.state().plan.next_turn();
    let at = |share| Time::ZERO + scenario.duration.mul_f64(share);
    let times = [at(0.01), turn, at(0.2371), at(0.6), at(0.9997)];
    let mut states = Vec::new();
    for now in times {
        run.advance(now, &never).unwrap_or_else(|error| panic!("{error}"));
        states.push(run.save().unwrap_or_else(|error| panic!("{error}")));
        // The restored run replaces the run: the next state comes from a run that was restored before.
        let last = &states[states.len() - 1];
        let restored = Run::restore(plan(), &options, Tables::default(), &never, last);
        run = restored.unwrap_or_else(|error| panic!("{now}: {error}"));
        assert!(run.save().is_ok_and(|again| again == *last), "{now}: the state that was read differs");
        assert_eq!(run.session.engine().now(), now);
    }
    assert_eq!(run.session.state().plan.next_turn(), Time::MAX, "all pages are laid out");
    run.advance(horizon.end, &never).unwrap_or_else(|error| panic!("{error}"));
    let (outcome, _) = run.finish(&never).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(outcome.summary.to_json(), summary.to_json());
    let batches =
        outcome.tables.finish(&outcome.summary.provenance).unwrap_or_else(|error| panic!("{error}"));
    assert!(batches == tables, "the tables differ");
}

/// A server in London and a dish in Madrid, with two gateways that have proxies. One kind of proxy loses its state at a
/// handover, and the other kind moves. One flow in the other direction is not split.
#[test]
fn pages_make_no_difference_to_proxies_at_gateways() {
    let flow = |name: &str, ends: &str, rest: &str| {
        format!(
            "{{ name = \"{name}\", {ends}, controller = \"cubic\", access = {{ delay = \"1 ms\" }}, {rest} }}"
        )
    };
    let (there, back) = ("from = \"server\", to = \"Madrid\"", "from = \"Madrid\", to = \"server\"");
    let flows = [
        flow("resets", there, "size = \"60 MB\""),
        flow("moves", there, "start = \"20 s\""),
        flow("back", back, "tcp.setup = \"handshake\""),
        flow("whole", back, "start = \"130 s\""),
    ];
    let scenario = Scenario::from_toml(
        &format!(
            "duration = \"300 s\"\nwarm_up = \"10 s\"\nnetwork.announce = \"1 s\"\nrecord.interval = \"1 s\"\nflows = [{}]\n\
             peps = [{{ at = [\"gateway\"], buffer = \"200 kB\", flows = [\"resets\", \"back\"], resets = [\"75 s\"], retry = \"2 s\" }}, \
             {{ at = [\"gateway\", \"Madrid\"], buffer = \"200 kB\", flows = [\"moves\"], on_handover = \"move\", move_time = \"200 ms\" }}]\n\
             [network.constellation]\npreset = \"starlink\"\nisl = false\n\
             access = {{ policy = \"highest-elevation\", slot = \"15 s\", phase = \"12 s\", hysteresis = \"5 deg\" }}\n\
             downlink = {{ rate = \"6 Mbit/s\", queue = \"1 BDP\" }}\nuplink = {{ rate = \"2 Mbit/s\", queue = \"1 BDP\" }}\n\
             pops = [{{ name = \"PoP\", latitude = \"40.4 deg\", longitude = \"-3.7 deg\" }}]\n\
             gateways = [{{ name = \"Villenave\", latitude = \"44.8 deg\", longitude = \"-0.6 deg\", pop = \"PoP\" }}, \
             {{ name = \"Lepe\", latitude = \"37.3 deg\", longitude = \"-7.2 deg\", pop = \"PoP\" }}]\n\
             sites = [{{ name = \"Madrid\", home = \"PoP\" }}, \
             {{ name = \"server\", latitude = \"51.5 deg\", longitude = \"-0.1 deg\", fibre = true }}]\n",
            flows.join(", ")
        ),
        "gates.toml",
    );
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    let (whole, paged) = (Horizon::of_run(&scenario), paged(&scenario));
    let (summary, tables, links) = run_within(&scenario, whole);
    let (paged_summary, paged_tables, first) = run_within(&scenario, paged);
    assert!(first < links, "{first} links on the first page, {links} in all");
    let handovers = summary.breaks.iter().filter(|one| one.cause == "handover" && one.time_s > 80.0);
    assert!(handovers.count() >= 2, "{:?}", summary.breaks);
    assert_eq!(summary.breaks, paged_summary.breaks);
    assert_eq!(unnumbered(&summary), unnumbered(&paged_summary));
    assert_eq!(tables.flows, paged_tables.flows);
    assert_eq!(tables.parts, paged_tables.parts);
    assert_eq!(tables.events, paged_tables.events);
    assert_eq!(path_rows(&tables), path_rows(&paged_tables));
    saved_run_goes_on(&scenario);
}

/// The run is refused before it starts if two sites are never connected, for any duration.
#[test]
fn what_is_never_connected_is_refused_beforehand() {
    let scenario = Scenario::from_toml(
        "duration = \"420 s\"\nnetwork.constellation = { preset = \"iridium\", isl = false }\n\
         flows = [{ from = \"Berkeley\", to = \"Sydney\", controller = \"reno\" }]\n",
        "apart.toml",
    );
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    let [page, ahead] = [50, 20].map(Span::from_secs);
    let paged = Horizon { whole: Span::ZERO, page, ahead, ..Horizon::of_run(&scenario) };
    let refused = Plan::within(&scenario, paged, &never);
    assert_eq!(refused.err().map(|error| error.code().as_str()), Some("no-path"));
}
