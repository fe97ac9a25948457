// SPDX-License-Identifier: MIT OR Apache-2.0
//! Effects of a handover between satellites: packets wait or are lost, for the time that the scenario states.

use scenario::Scenario;
use sim::{Options, Outcome};
use units::Span;

/// A constant stream of 1000 packets per second (100 B each) for 60 s over Starlink, with at most one handover per 15
/// s.
fn scenario(constellation: &str, network: &str) -> Scenario {
    let text = format!(
        r#"
duration = "60 s"

[network]
{network}

[network.constellation]
preset = "starlink-550"
access = {{ policy = "highest-elevation", slot = "15 s" }}
route_step = "1 s"
{constellation}

[[flows]]
kind = "cbr"
rate = "800 kbit/s"
packet = "100 B"
from = "Madrid"
to = "London"
"#
    );
    Scenario::from_toml(&text, "handover.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn run(handover: &str) -> Outcome {
    let scenario = scenario(handover, "");
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns how often the first and the last link of the path change, by a check every second.
fn switches() -> usize {
    let spec = topology::ConstellationSpec {
        choice: topology::SatelliteChoice {
            policy: topology::Policy::HighestElevation,
            slot: Some(topology::Slot { period: Span::from_secs(15), phase: Span::ZERO }),
            hysteresis: units::Angle::from_deg(0.0),
        },
        ..topology::presets::find("starlink-550").unwrap_or_else(|error| panic!("{error}"))
    };
    let site = |name| topology::sites::find(name).unwrap_or_else(|error| panic!("{error}"));
    let (from, to) = (site("Madrid"), site("London"));
    let second = Span::from_secs(1);
    let path = topology::trace::path_over_time(&spec, &from, &to, Span::from_secs(59), second)
        .unwrap_or_else(|error| panic!("{error}"));
    path.windows(2)
        .map(|pair| {
            let (before, after) = (&pair[0].satellites, &pair[1].satellites);
            usize::from(before.first() != after.first()) + usize::from(before.last() != after.last())
        })
        .sum()
}

#[test]
fn packets_wait_or_are_lost_for_the_outage() {
    let smooth = run("");
    let held = run("handover = { outage = \"200 ms\" }");
    let lost = run("handover = { outage = \"200 ms\", during = \"lose\" }");
    let flow = |outcome: &Outcome| outcome.summary.flows[0].clone();
    let waited_ms =
        |outcome: &Outcome| flow(outcome).queueing_delay_ms.map_or(0.0, |distribution| distribution.max);
    let switches = switches();
    assert!(switches >= 3, "{switches}");
    // The packets of 200 ms wait (the first packet for the whole time), and all arrive.
    assert_eq!(flow(&held).delivered_packets, flow(&smooth).delivered_packets);
    assert!(waited_ms(&smooth) < 1.0 && (199.0..203.0).contains(&waited_ms(&held)), "{}", waited_ms(&held));
    // Or none of them arrives: 200 packets for each handover at one end, and fewer only if both ends change at once.
    let gone = flow(&lost).losses.outage;
    assert_eq!((flow(&lost).losses.error, flow(&lost).losses.queue), (0, 0));
    assert_eq!(gone, flow(&smooth).delivered_packets - flow(&lost).delivered_packets);
    let (least, most) = (switches.div_ceil(2) * 200 - 5, switches * 200 + 5);
    assert!((least as u64..=most as u64).contains(&gone), "{gone} of {switches} switches");
}

#[test]
fn switches_are_announced_with_an_error_bound() {
    let scenario =
        scenario("handover = { outage = \"200 ms\" }", "announce = \"2 s\"\nannounce_error = \"500 ms\"");
    let plan = plan::Plan::new(&scenario).unwrap_or_else(|error| panic!("{error}"));
    let notices = plan.notices();
    assert!(notices.len() >= 2, "{notices:?}");
    let off_ms: Vec<f64> = notices
        .iter()
        .map(|notice| {
            let change = plan.change(notice);
            assert_eq!(notice.at.since(notice.tell), Span::from_secs(2));
            assert_eq!((change.now, change.at), (notice.tell, notice.said));
            assert_eq!(change.uncertainty, Span::from_millis(500));
            if change.kind == control::PathKind::Handover {
                assert_eq!(change.lasts, Some(Span::from_millis(200)));
            }
            (change.at.secs_f64() - notice.at.secs_f64()) * 1e3
        })
        .collect();
    assert!(off_ms.iter().all(|off| off.abs() <= 500.0), "{off_ms:?}");
    assert!(off_ms.iter().any(|off| off.abs() > 1.0), "{off_ms:?}");
    let kinds = notices.iter().map(|notice| plan.change(notice).kind);
    assert!(kinds.into_iter().any(|kind| kind == control::PathKind::Handover));
}
