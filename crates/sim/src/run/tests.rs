// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run that is laid out page by page is the run that is laid out at once: every number of it.

use super::*;
use record::{Batches, Summary};
use units::Span;

#[path = "../../tests/shared/iridium.rs"]
mod iridium;

/// Late starts, queues in bandwidth-delay products, announcements, access links, every kind of record.
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

fn run_within(scenario: &Scenario, horizon: Horizon) -> (Summary, Batches, usize) {
    let options = Options::of(scenario);
    let simulation = Simulation::within((scenario, &options), Tables::default(), Blind, &|_| false, horizon);
    let mut simulation = simulation.unwrap_or_else(|error| panic!("{error}"));
    let begun_with = simulation.stage.wiring.network.links.len();
    simulation.advance(horizon.end).unwrap_or_else(|error| panic!("{error}"));
    let (outcome, _) = simulation.finish().unwrap_or_else(|error| panic!("{error}"));
    let batches = outcome.tables.finish(&outcome.summary.provenance);
    (outcome.summary, batches.unwrap_or_else(|error| panic!("{error}")), begun_with)
}

#[test]
fn pages_make_no_difference() {
    let by_sight = r#"
        handover = { outage = "200 ms" }
        uplink = { rate_by_elevation = [["8 deg", "1 Mbit/s"], ["60 deg", "7 Mbit/s"]], loss_by_range = [["2000 km", 0.03]] }
    "#;
    // The modem is late and has hysteresis: what it does hangs on what it did.
    let by_budget = r#"
        handover = { outage = "200 ms", during = "lose" }
        [network.constellation.uplink.budget]
        bandwidth = "3 MHz"
        hysteresis = "1 dB"
        up = { frequency = "29 GHz", eirp = "30 dBW", g_over_t = "4 dB/K", rain = { rate_001 = "60 mm/h", height = "4 km", probability = 0.4 } }
    "#;
    for constellation in [
        by_budget,
        "",
        "handover = { outage = \"200 ms\", during = \"lose\" }",
        "handover = { outage = \"200 ms\" }",
        by_sight,
        "uplink = { jitter = { log_normal = { median = \"5 ms\", sigma = 0.7 } } }",
    ] {
        let scenario = scenario(constellation);
        let whole = Horizon::of_run(&scenario);
        let secs = Span::from_secs;
        let paged = Horizon {
            whole: Span::ZERO,
            page: secs(50),
            ahead: secs(20) + scenario.announce,
            behind: secs(10),
            ..whole
        };
        let (summary, tables, links) = run_within(&scenario, whole);
        let (paged_summary, paged_tables, first) = run_within(&scenario, paged);
        assert!(first < links, "{first} links on the first page, {links} in all");
        // Links of the network are numbered as they come, and those of hosts stand between.
        let unnumbered = |summary: &Summary| {
            let mut summary = summary.clone();
            summary.links.iter_mut().chain(&mut summary.bottleneck).for_each(|link| link.link = 0);
            summary.to_json()
        };
        assert_eq!(unnumbered(&summary), unnumbered(&paged_summary), "{constellation}");
        assert_eq!(tables.flows, paged_tables.flows, "{constellation}");
        assert_eq!(tables.events, paged_tables.events, "{constellation}");
        // Path by path, page by page.
        let rows = |tables: &Batches| {
            let paths = tables.paths.as_ref().unwrap_or_else(|| panic!("it is in memory"));
            let mut rows: Vec<String> =
                (0..paths.num_rows()).map(|row| format!("{:?}", paths.slice(row, 1).columns())).collect();
            rows.sort_unstable();
            rows
        };
        let (expected, got) = (rows(&tables), rows(&paged_tables));
        assert_eq!(expected.len(), got.len());
        for (expected, got) in expected.iter().zip(&got) {
            assert_eq!(expected, got, "{constellation}");
        }
    }
}

/// A pair that is never connected is refused before the run, however long that is.
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
    let refused =
        Simulation::within((&scenario, &Options::default()), Tables::default(), Blind, &|_| false, paged);
    assert_eq!(refused.err().map(|error| error.code().as_str()), Some("no-path"));
}
