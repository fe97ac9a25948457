// SPDX-License-Identifier: MIT OR Apache-2.0
//! The return link of terminals, in whole runs.

use record::summary::{Distribution, FlowSummary};
use sim::Options;

/// A run whose packet counts do not balance is refused.
fn flows(network: &str, flows: &str) -> Vec<FlowSummary> {
    let text =
        format!("duration = \"60 s\"\ntcp.preset = \"bentpipe-0.1\"\nnetwork.{network}\nflows = [{flows}]\n");
    let scenario =
        scenario::Scenario::from_toml(&text, "return.toml").unwrap_or_else(|error| panic!("{error}"));
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}")).summary.flows
}

fn rtt(flow: &FlowSummary) -> Distribution {
    flow.rtt_ms.unwrap_or_else(|| panic!("echoes come back: {flow:?}"))
}

const VBDC: &str = "dama = { superframe = \"40 ms\", latency = \"560 ms\", vbdc = \"unlimited\" }";
const CRA: &str = "dama = { superframe = \"40 ms\", latency = \"560 ms\", cra = \"100 kbit/s\" }";

/// Echoes of 84 bytes every 1.001 s, so that they arrive at every millisecond of a superframe of 40 ms. The request
/// waits for the next superframe (1 to 40 ms), and then for its grant. The reply returns on a link without assignment.
/// 84 bytes take 0.336 ms at 2 Mbit/s.
#[test]
fn an_echo_through_an_idle_terminal() {
    let base = 550.0 + 2.0 * 0.336;
    let ping = "{ kind = \"ping\", interval = \"1001 ms\" }";
    let volume = flows(&format!("dumbbell = {{ rate = \"2 Mbit/s\", rtt = \"550 ms\", {VBDC} }}"), ping);
    let seen = rtt(&volume[0]);
    assert!((seen.min - (base + 561.0)).abs() < 1e-6 && (seen.max - (base + 600.0)).abs() < 1e-6, "{seen:?}");
    // 100 kbit/s are 500 bytes at the start of each superframe, for 2 ms. A packet that arrives in this time leaves at
    // once.
    let constant = flows(&format!("dumbbell = {{ rate = \"2 Mbit/s\", rtt = \"550 ms\", {CRA} }}"), ping);
    let rtt = rtt(&constant[0]);
    assert!((rtt.min - base).abs() < 1e-6 && (rtt.max - (base + 38.0)).abs() < 1e-6, "{rtt:?}");
}

/// Demand assignment applies towards the hub and towards the higher number only. An echo waits once, from either end.
#[test]
fn it_holds_for_one_way() {
    let link = format!("rate = \"2 Mbit/s\", delay = \"275 ms\", {CRA}");
    for network in [
        format!("chain = {{ links = 1, link = {{ {link} }} }}"),
        format!(
            "star.branches = [{{ site = \"0\", {link} }}, {{ site = \"1\", rate = \"unlimited\", delay = \"0 s\" }}]"
        ),
    ] {
        for (from, to) in [("0", "1"), ("1", "0")] {
            let ping =
                format!("{{ kind = \"ping\", interval = \"1001 ms\", from = \"{from}\", to = \"{to}\" }}");
            let rtt = rtt(&flows(&network, &ping)[0]);
            assert!(
                rtt.min >= 550.0 && rtt.max <= 550.0 + 40.0 + 2.0 * 0.336 + 1e-6,
                "{network} {from}: {rtt:?}"
            );
            assert!(rtt.max > 550.0 + 30.0, "{network} {from}: {rtt:?}");
        }
    }
}

/// The ACKs of a download over demand assignment arrive late and in bursts, but none is lost, and all data arrive.
#[test]
fn a_download_acknowledged_over_demand_assignment() {
    let time = |back: &str| {
        let network = format!(
            "dumbbell = {{ rate = \"20 Mbit/s\", rtt = \"550 ms\", queue = \"2 BDP\", reverse = {{ rate = \"2 Mbit/s\"{back} }} }}"
        );
        let flow = flows(&network, "{ controller = \"cubic\", size = \"1 MB\" }").remove(0);
        assert_eq!((flow.losses.queue, flow.losses.error), (0, 0), "{flow:?}");
        flow.completed_at_s.unwrap_or_else(|| panic!("it is done: {flow:?}"))
    };
    let constant = CRA.replace("100 kbit/s", "1 Mbit/s");
    let (plain, constant, volume) = (time(""), time(&format!(", {constant}")), time(&format!(", {VBDC}")));
    // 692 packets arrive in seven round trips from a window of 10. In one case, each packet waits less than a
    // superframe. In the other case, it waits longer than the latency.
    assert!(constant > plain && constant < plain + 7.0 * 0.04, "{constant} {plain}");
    assert!(volume > plain + 7.0 * 0.56, "{volume} {plain}");
}

/// Each packet draws a random delay. If the order is kept, TCP receives no segment out of order. Otherwise, gaps open
/// and close, and SACK treats them as losses although no packet is lost. Timestamps detect this, and each cut is
/// undone. Packets take 1.2 ms, and delays are up to 20 ms.
#[test]
fn jitter_with_and_without_order() {
    let run = |keys: &str, undo: bool| {
        let network =
            format!("dumbbell = {{ rate = \"10 Mbit/s\", rtt = \"50 ms\", queue = \"2 BDP\"{keys} }}");
        let tcp = format!("tcp = {{ receive_window = \"50 kB\", recovery = \"sack\", undo = {undo} }}");
        let flow = flows(&network, &format!("{{ controller = \"reno\", {tcp} }}")).remove(0);
        assert_eq!(flow.losses.queue + flow.losses.error, 0, "{flow:?}");
        flow
    };
    let flow = |keys: &str| run(keys, true);
    let jitter = ", jitter = { uniform = \"20 ms\" }, reverse = { jitter = { uniform = \"0 s\" } }";
    let (plain, kept) = (flow(""), flow(jitter));
    assert_eq!((kept.losses_detected, kept.retransmitted_packets, kept.cuts), (0, 0, 0), "{kept:?}");
    let free = flow(&format!("{jitter}, reorder = true"));
    assert!(free.losses_detected > 100 && free.cuts > 10, "{free:?}");
    assert!(free.goodput_mbit_s < kept.goodput_mbit_s && free.spurious_undone == free.cuts, "{free:?}");
    let believed = run(&format!("{jitter}, reorder = true"), false);
    assert!(
        believed.goodput_mbit_s.unwrap_or(f64::NAN) < 0.8 * kept.goodput_mbit_s.unwrap_or(f64::NAN),
        "{believed:?}"
    );
    // Only the direction of data has the delay: up to 20 ms, and 10 ms on average for packets that do not wait for the
    // packet before.
    let delay =
        |flow: &FlowSummary| flow.one_way_delay_ms.unwrap_or_else(|| panic!("packets arrive: {flow:?}"));
    assert!(delay(&plain).min < 27.0 && delay(&free).max - delay(&plain).min > 18.0, "{plain:?}");
}

/// Echoes at intervals of 10 ms do not delay each other. Their round-trip time increases by the mean of the
/// distribution, half of 9 ms in each direction.
#[test]
fn jitter_of_single_packets() {
    let ping = "{ kind = \"ping\", interval = \"10 ms\" }";
    let mean = |keys: &str| {
        let network = format!("dumbbell = {{ rate = \"10 Mbit/s\", rtt = \"50 ms\"{keys} }}");
        rtt(&flows(&network, ping)[0]).mean
    };
    // Up to 9 ms, so that no echo reaches the echo before it.
    let back = "reverse = { jitter = { uniform = \"0 s\" } }";
    let there = mean(&format!(", jitter = {{ uniform = \"9 ms\" }}, {back}"));
    assert!((there - 50.1344 - 4.5).abs() < 4.0 * 9.0 / 12f64.sqrt() / 6000f64.sqrt(), "{there}");
    // Both directions have the delay if the reverse link does not set it.
    let both = mean(", jitter = { uniform = \"9 ms\" }, reorder = true");
    assert!((both - 50.1344 - 9.0).abs() < 4.0 * 9.0 / 6f64.sqrt() / 6000f64.sqrt(), "{both}");
}

/// An idle terminal sends its first packet without a request. Without other terminals, it waits only for the next
/// superframe (1 to 40 ms). With other terminals, the burst is received with probability exp(-G). Otherwise, the packet
/// leaves in a granted slot, 560 ms later.
#[test]
fn an_echo_by_random_access() {
    let rtts = |load: f64| {
        let access = format!(
            "random_access = {{ scheme = \"slotted-aloha\", load = {load:.1}, burst = \"84 B\" }} }}"
        );
        let dama = VBDC.replace(" }", &format!(", {access}"));
        let text = format!(
            "duration = \"2002 s\"\nnetwork.dumbbell = {{ rate = \"2 Mbit/s\", rtt = \"550 ms\", {dama} }}\n\
             flows = [{{ kind = \"ping\", interval = \"1001 ms\" }}]\nrecord.interval = \"off\"\n"
        );
        let scenario =
            scenario::Scenario::from_toml(&text, "random.toml").unwrap_or_else(|error| panic!("{error}"));
        let run = sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"));
        rtt(&run.summary.flows[0])
    };
    let base = 550.0 + 2.0 * 0.336;
    let alone = rtts(0.0);
    assert!((alone.min - (base + 1.0)).abs() < 1e-6 && (alone.max - (base + 40.0)).abs() < 1e-6, "{alone:?}");
    for load in [0.3_f64, 1.0] {
        let lost = 1.0 - (-load).exp();
        let expected = base + 20.5 + 560.0 * lost;
        let sigma = 560.0 * (lost * (1.0 - lost) / 2000.0).sqrt();
        let seen = rtts(load);
        assert!((seen.mean - expected).abs() < 4.0 * sigma, "G = {load}: {seen:?}, not {expected}");
        assert!((seen.max - (base + 600.0)).abs() < 1.0 + 1e-6, "{seen:?}");
    }
}
