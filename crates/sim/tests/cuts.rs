// SPDX-License-Identifier: MIT OR Apache-2.0
//! `cuts` counts responses to congestion: at most one for each loss episode, even if the window falls in several steps.
//!
//! In most of these runs, a list drops five packets of one flight, three times, at intervals of seconds. No other
//! packet is lost: the queue is unlimited, and the receive window limits the queue. So a run has three loss events.

use record::summary::FlowSummary;
use sim::Options;

fn run(link: &str, flow: &str) -> Option<FlowSummary> {
    let text = format!(
        "duration = \"30 s\"\nrecord.interval = \"off\"\nnetwork.dumbbell = {{ rate = \"12 Mbit/s\", rtt = \"100 ms\", {link} }}\n\
         flows = [{{ {flow} }}]\n"
    );
    let scenario =
        scenario::Scenario::from_toml(&text, "cuts.toml").unwrap_or_else(|error| panic!("{error}"));
    // A controller that lacks a signal is refused.
    sim::run(&scenario, &Options::of(&scenario)).ok().map(|outcome| outcome.summary.flows[0].clone())
}

/// Runs a flow with the listed losses.
fn listed(controller: &str, tcp: &str) -> Option<FlowSummary> {
    let packets = LOST.map(|number| number.to_string()).join(", ");
    let flow = run(
        &format!("queue = \"unlimited\", loss = {{ packets = [{packets}] }}"),
        &format!("controller = {controller}, tcp = {{ receive_window = \"250 kB\", {tcp} }}"),
    )?;
    assert_eq!((flow.losses.error, flow.losses.queue, flow.timeouts), (15, 0, 0), "{controller}, {tcp}");
    Some(flow)
}

/// Five of fourteen packets, three times.
const LOST: [u32; 15] = [101, 104, 107, 111, 114, 3001, 3004, 3007, 3011, 3014, 7001, 7004, 7007, 7011, 7014];
const EVENTS: u64 = 3;

const TCP: [&str; 4] = [
    "recovery = \"sack\"",
    "recovery = \"sack\", prr = true",
    "recovery = \"rack\", prr = true",
    "recovery = \"rack\", prr = false, delayed_ack = true",
];

/// Controllers with a model of the path ignore single losses (Copa, Vivace), respond only if more than 2 % of a round
/// is lost (`BBRv3`), or classify losses. They respond to fewer than three events. No controller responds twice to the
/// same event.
#[test]
fn no_controller_answers_a_loss_event_twice() {
    let (mut answered_all, mut refused) = (0, Vec::new());
    for entry in control::catalogue::entries() {
        for tcp in TCP {
            match listed(&format!("\"{}\"", entry.name), tcp) {
                Some(flow) => {
                    assert!(flow.cuts <= EVENTS, "{}, {tcp}: {}", entry.name, flow.cuts);
                    answered_all += u32::from(flow.cuts == EVENTS);
                }
                None => refused.push(entry.name),
            }
        }
    }
    refused.dedup();
    assert_eq!(refused, ["dctcp", "prague", "geo-reno", "jersey", "nj"]);
    assert!(answered_all > 100, "{answered_all}");
}

/// Loss-based controllers and the first BBR (which reduces its window to the data in flight, and then by each loss)
/// respond to all three events.
#[test]
fn every_slow_start_has_one_cut_for_each_loss_event() {
    for slow_start in ["classic", "limited", "hystart++", "hoe", "s-curve", "hystart", "search", "rapid"] {
        for rule in ["reno", "cubic", "cubic-linux", "hybla", "bic", "h-tcp"] {
            for tcp in TCP {
                let controller = format!("{{ name = \"{rule}\", slow_start = \"{slow_start}\" }}");
                let flow = listed(&controller, tcp).unwrap_or_else(|| panic!("{controller} needs no signal"));
                assert_eq!(flow.cuts, EVENTS, "{controller}, {tcp}");
            }
        }
    }
    for tcp in TCP {
        assert_eq!(listed("\"bbr1\"", tcp).map(|flow| flow.cuts), Some(EVENTS), "{tcp}");
    }
}

/// An overshoot loses hundreds of packets. The transport asks for one verdict for each loss event that it finds. The
/// test compares the verdicts with the packets that the queue dropped.
#[test]
fn an_overshoot_has_one_cut_for_each_verdict() {
    for controller in [
        "{ name = \"reno\", slow_start = \"rapid\" }",
        "{ name = \"cubic\", slow_start = \"rapid\" }",
        "\"bbr1\"",
    ] {
        for prr in [true, false] {
            let flow = format!("controller = {controller}, tcp = {{ recovery = \"rack\", prr = {prr} }}");
            let flow =
                run("queue = \"1 BDP\"", &flow).unwrap_or_else(|| panic!("{controller} needs no signal"));
            assert!(flow.losses.queue > 150 && flow.timeouts == 0, "{controller}: {flow:?}");
            assert_eq!(flow.cuts, flow.verdicts.congestion_as_congestion, "{controller}: {flow:?}");
        }
    }
}
