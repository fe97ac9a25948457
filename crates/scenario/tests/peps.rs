// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proxies in scenarios: which proxies split which flows, refused settings, and printing without loss.

use bentpipe_scenario::{Flow, Scenario};
use tcp::{ReceiveWindow, Recovery};
use units::{Bytes, Code, Span};

fn read(text: &str) -> Scenario {
    Scenario::from_toml(text, "a.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn met(scenario: &Scenario, flow: &Flow) -> Vec<String> {
    scenario.proxies(flow, 0).into_iter().map(|(_, site)| site).collect()
}

#[test]
fn a_flow_meets_proxies_in_the_order_of_its_way() {
    let links = "{ rate = \"1 Mbit/s\", delay = \"1 ms\" }, ".repeat(4);
    let flow = |name: &str, ends: &str| {
        format!("{{ name = \"{name}\", {ends}, controller = \"reno\", access = {{ delay = \"1 ms\" }} }}, ")
    };
    let scenario = read(&format!(
        "network.chain.links = [{links}]\nflows = [{}{}{}{}{{ kind = \"ping\" }}, {{ name = \"bare\", controller = \"reno\" }}]\n\
         peps = [{{ at = [\"3\", \"1\"], buffer = \"1 MB\", flows = [\"there\", \"back\"] }}, {{ at = [\"4\"], buffer = \"1 MB\" }}]\n",
        flow("there", "from = \"0\", to = \"4\""),
        flow("back", "from = \"4\", to = \"0\""),
        flow("short", "from = \"1\", to = \"3\""),
        flow("end", "from = \"2\", to = \"4\"")
    ));
    let ways: Vec<_> =
        scenario.flows.iter().map(|flow| (flow.name.as_str(), met(&scenario, flow).join(" "))).collect();
    let expected = [
        ("there", "1 3 4"),
        ("back", "4 3 1"),
        ("short", ""),
        ("end", "4"),
        ("ping", ""),
        // The host is at the site itself.
        ("bare", ""),
    ];
    assert_eq!(ways, expected.map(|(name, sites)| (name, sites.to_owned())));
}

#[test]
fn it_is_written_out_as_it_was_read() {
    let scenario = read(
        "network.star.branches = [{ site = \"dish\", rate = \"1 Mbit/s\", delay = \"250 ms\" }, \
         { site = \"net\", rate = \"1 Mbit/s\", delay = \"5 ms\" }]\n\
         flows = [{ from = \"dish\", to = \"net\", controller = \"reno\" }]\n\
         peps = [{ at = [\"hub\"], buffer = \"250 kB\", controller = { name = \"cubic\", beta = 0.8 }, flows = [\"r*\"] }]\n",
    );
    assert_eq!(met(&scenario, &scenario.flows[0]), ["hub"]);
    assert_eq!(read(&scenario.to_toml("")), scenario);
    for keys in [
        "resets = [\"2 s\", \"20 s\"]",
        "resets = [\"20 s\"], retry = \"off\"",
        "resets = [\"20 s\"], retry = \"3 s\"",
        "tcp = { preset = \"linux\", initial_window = 40, ecn = false }",
        "tcp = { recovery = \"rack\", delayed_ack = { every = 4, at_most = \"10 ms\" }, mss = \"9 kB\" }",
        "tcp = { receive_window = { at_most = \"4 MB\" }, saved_path = { cwnd = \"1 MB\", rtt = \"550 ms\" } }",
        "tcp = {}",
    ] {
        let pep = format!("peps = [{{ at = [\"1\"], buffer = \"1 MB\", {keys} }}]\n");
        let links = "[{ rate = \"1 Mbit/s\", delay = \"1 ms\" }, { rate = \"1 Mbit/s\", delay = \"1 ms\" }]";
        let scenario =
            read(&format!("network.chain.links = {links}\nflows = [{{ controller = \"reno\" }}]\n{pep}"));
        let again = read(&scenario.to_toml(""));
        assert_eq!(again, scenario, "{keys}");
        // If all settings of the flow are written out, the proxies have the same meaning.
        assert_eq!(again.ends(&again.flows[0], 0), scenario.ends(&scenario.flows[0], 0), "{keys}");
    }
}

/// If proxies do not set a key, the flow's value applies. A preset replaces all values. The recovery determines PRR.
/// Windows and saved paths belong to one host.
#[test]
fn what_proxies_do_not_say_of_tcp_is_the_flows() {
    let ends = |flow: &str, proxy: &str| {
        let links = "[{ rate = \"1 Mbit/s\", delay = \"1 ms\" }, { rate = \"1 Mbit/s\", delay = \"1 ms\" }]";
        let scenario = read(&format!(
            "network.chain.links = {links}\nflows = [{{ controller = \"reno\", tcp = {{ {flow} }} }}]\n\
             peps = [{{ at = [\"1\"], buffer = \"1 MB\", tcp = {{ {proxy} }} }}]\n"
        ));
        scenario.ends(&scenario.flows[0], 0)
    };
    let flow = "initial_window = 4, dup_thresh = 5, receive_window = \"2 MB\", saved_path = { cwnd = \"1 MB\", rtt = \"1 s\" }";
    let [[host, enters], [leaves, receiver]] = &ends(flow, "min_rto = \"300 ms\", recovery = \"rack\"")[..]
    else {
        panic!("two connections")
    };
    assert_eq!((host.initial_window, host.min_rto, host.prr), (4, Span::from_millis(200), Some(false)));
    assert!(host.saved_path.is_some() && leaves.saved_path.is_none());
    assert_eq!((leaves.initial_window, leaves.dup_thresh, leaves.min_rto), (4, 5, Span::from_millis(300)));
    assert_eq!((leaves.recovery, leaves.prr), (Recovery::RackTlp, Some(true)));
    let fixed = |bytes| ReceiveWindow::Fixed(Bytes::new(bytes));
    assert_eq!((enters.receive_window, receiver.receive_window), (fixed(1_000_000), fixed(2_000_000)));
    let [[_, enters], [leaves, _]] = &ends(flow, "preset = \"ns2-sack1\", dup_thresh = 2")[..] else {
        panic!("two connections")
    };
    assert_eq!((leaves.initial_window, leaves.mss, leaves.dup_thresh), (2, 1000, 2));
    assert_eq!(enters.receive_window, fixed(20_000));
}

/// A dish and a server on fibre: the gateway is between them, for any serving gateway and in both directions. Between
/// two dishes there is no gateway.
#[test]
fn a_proxy_stands_at_the_gateway_that_serves() {
    let text = |flow: &str, keys: &str| {
        format!(
            "flows = [{{ {flow}, controller = \"reno\", access = {{ delay = \"1 ms\" }} }}]\n\
             peps = [{{ at = [\"Madrid\", \"gateway\"], buffer = \"1 MB\"{keys} }}]\n\
             [network.constellation]\npreset = \"starlink\"\nisl = false\n\
             gateways = [{{ name = \"Lepe\", latitude = \"37.3 deg\", longitude = \"-7.2 deg\", pop = \"here\" }}]\n\
             pops = [{{ name = \"here\", latitude = \"40.4 deg\", longitude = \"-3.7 deg\" }}]\n\
             sites = [{{ name = \"server\", latitude = \"51.5 deg\", longitude = \"-0.1 deg\", fibre = true }}]\n"
        )
    };
    let there = read(&text("from = \"server\", to = \"Madrid\"", ""));
    assert_eq!(met(&there, &there.flows[0]), ["gateway", "Madrid"]);
    let back =
        read(&text("from = \"Madrid\", to = \"server\"", ", on_handover = \"move\", move_time = \"200 ms\""));
    assert_eq!(met(&back, &back.flows[0]), ["Madrid", "gateway"]);
    for scenario in [there, back] {
        assert_eq!(read(&scenario.to_toml("")), scenario);
    }
    let dishes = read(&text("from = \"Madrid\", to = \"Berlin\"", ""));
    assert_eq!(met(&dishes, &dishes.flows[0]), ["Madrid"]);
}

const ENDS: &str = "at = [\"left\", \"right\"]";

/// Checks tables of proxies, each with the code and the start of its message.
fn refuses<const CASES: usize>(cases: [(String, Code, &str); CASES]) {
    for (pep, code, message) in cases {
        let text = format!(
            "network.dumbbell = {{ rate = \"1 Mbit/s\", rtt = \"500 ms\" }}\n\
             flows = [{{ name = \"page\", controller = \"reno\", access = {{ delay = \"1 ms\" }} }}, {{ name = \"bare\", controller = \"reno\" }}]\n\
             peps = [{pep}]\n"
        );
        let error = Scenario::from_toml(&text, "a.toml")
            .map_or_else(|error| error, |_| panic!("{text} was accepted"));
        let said = error.to_string();
        assert!(said.starts_with(message), "{said}\ninstead of\n{message}");
        assert_eq!(error.code(), code, "{said}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    refuses([
        (
            "{ at = [\"left\"] }".to_owned(),
            Code::ScenarioMissingKey,
            "a.toml:3: peps[0].buffer: `peps[0]` needs the key `buffer`: Largest buffer for a \
             connection in a proxy. A byte is in the buffer from its arrival until the receiver of the next connection \
             acknowledges it.",
        ),
        (
            "{ at = [\"lefft\"], buffer = \"1 MB\" }".to_owned(),
            Code::SiteUnknown,
            "a.toml:3: peps[0].at[0]: the network has no site \"lefft\" (did you mean \"left\"? its sites are left, right)",
        ),
        (
            "{ at = [], buffer = \"1 MB\" }".to_owned(),
            Code::ScenarioValue,
            "a.toml:3: peps[0].at: `at` lists no site (write at = [\"SITE\"], or the two sites at the ends of the hop)",
        ),
        (
            "{ at = [\"left\", \"left\"], buffer = \"1 MB\" }".to_owned(),
            Code::ScenarioValue,
            "a.toml:3: peps[0].at[1]: the site \"left\" is listed twice (list each site once)",
        ),
        (
            format!("{{ {ENDS}, buffer = \"1 kB\" }}"),
            Code::ScenarioValue,
            "a.toml:3: peps[0].buffer: a buffer of 1 kB cannot hold a segment of flow \"page\", which has 1448 B, so \
             no data could pass (write 1448 B or more)",
        ),
        (
            format!("{{ {ENDS}, buffer = \"1 MB\", flows = [\"pages*\"] }}"),
            Code::ScenarioValue,
            "a.toml:3: peps[0].flows[0]: no TCP flow is called \"pages*\" (`*` matches anything)",
        ),
        (
            format!("{{ {ENDS}, buffer = \"1 MB\", flows = [\"bare\"] }}"),
            Code::ScenarioValue,
            "a.toml:3: peps[0].at: no TCP flow passes \"left\" or \"right\" (a proxy at an end of a flow is between \
             the network and a host, so the flow needs access links: write access = { delay = \"10 ms\" })",
        ),
        (
            format!("{{ {ENDS}, buffer = \"1 MB\", controller = \"cubik\" }}"),
            Code::ControllerUnknown,
            "a.toml:3: peps[0].controller: no controller is called `cubik` (did you mean `cubic`? `bentpipe \
             controllers` lists all; in other commands, `--plugin FILE` adds your own controllers)",
        ),
        (
            format!("{{ {ENDS}, buffer = \"1 MB\" }}, {{ at = [\"right\"], buffer = \"2 MB\" }}"),
            Code::ScenarioValue,
            "a.toml:3: peps[1].at: two tables of `peps` split the flow \"page\" at \"right\" (list different flows \
             in `flows` of these tables)",
        ),
    ]);
}

#[test]
fn what_is_wrong_with_their_tcp_is_said() {
    refuses([
        (
            format!("{{ {ENDS}, buffer = \"1 MB\", tcp.initial_windw = 4 }}"),
            Code::ScenarioUnknownKey,
            "a.toml:3: peps[0].tcp.initial_windw: ",
        ),
        (
            format!("{{ {ENDS}, buffer = \"1 MB\", tcp.initial_window = 0 }}"),
            Code::ScenarioValue,
            "a.toml:3: peps[0].tcp.initial_window: ",
        ),
        (
            format!("{{ {ENDS}, buffer = \"1 MB\", tcp.max_rto = \"100 ms\" }}"),
            Code::ScenarioValue,
            "a.toml:3: peps[0].tcp.max_rto: with the settings of flow \"page\": min_rto of 200 ms is above max_rto of \
             100 ms (",
        ),
        (
            format!("{{ {ENDS}, buffer = \"1 MB\", tcp = {{ receive_window = \"1 kB\" }} }}"),
            Code::ScenarioValue,
            "a.toml:3: peps[0].tcp.receive_window: with the settings of flow \"page\": the receive window of 1000 B \
             is smaller than one segment of 1448 B",
        ),
        (
            "{ at = [\"left\"], buffer = \"2 kB\" }, { at = [\"right\"], buffer = \"2 kB\", tcp.mss = \"600 B\" }".to_owned(),
            Code::ScenarioValue,
            "a.toml:3: peps[0].buffer: a buffer of 2 kB could stop flow \"page\" for ever, because its segments have \
             1448 B before the proxy and 600 B behind the proxy (write 2048 B or more)",
        ),
    ]);
}

/// Each of a flow's three parts has its own files: 66 flows have 198 files, and 67 flows have 201.
#[test]
fn captures_of_split_flows_count_their_parts() {
    let text = |count: u32, key: &str| {
        format!(
            "network.dumbbell = {{ rate = \"1 Mbit/s\", rtt = \"500 ms\" }}\n\
             flows = [{{ name = \"page\", count = {count}, controller = \"reno\", access = {{ delay = \"1 ms\" }} }}]\n\
             peps = [{{ at = [\"left\", \"right\"], buffer = \"1 MB\" }}]\nrecord.{key} = [\"page\"]\n"
        )
    };
    for key in ["pcap", "qlog"] {
        read(&text(66, key));
        let refused = Scenario::from_toml(&text(67, key), "a.toml").map_err(|error| error.to_string());
        let message = format!(
            "a.toml:4: record.{key}: this choice captures 201 flows (and parts of flows that proxies split), but at most 200"
        );
        assert!(refused.as_ref().is_err_and(|said| said.starts_with(&message)), "{refused:?}");
    }
}

/// Users at branches of a star, with hosts behind access links.
fn users(at: &str, flow: &str) -> Result<Scenario, bentpipe_scenario::ScenarioError> {
    let text = format!(
        "network.star.branches = [{{ site = \"user\", count = 3, rate = \"1 Mbit/s\", delay = \"250 ms\" }}, \
         {{ site = \"net\", rate = \"1 Mbit/s\", delay = \"5 ms\" }}]\n\
         flows = [{{ {flow}, controller = \"reno\", access.delay = \"1 ms\" }}]\n\
         peps = [{{ at = {at}, buffer = \"1 MB\" }}]\n"
    );
    Scenario::from_toml(&text, "a.toml")
}

#[test]
fn a_pattern_is_a_proxy_at_each_site_that_it_matches() {
    let down = "from = \"net\", to = \"user *\"";
    let scenario = users("[\"user *\"]", down).unwrap_or_else(|error| panic!("{error}"));
    let sites: Vec<_> = scenario.flows.iter().map(|flow| met(&scenario, flow)).collect();
    assert_eq!(sites, [["user 1"], ["user 2"], ["user 3"]]);
    assert_eq!(read(&scenario.to_toml("")), scenario);
    let both = users("[\"user 2\", \"u*\", \"hub\"]", down).unwrap_or_else(|error| panic!("{error}"));
    let sites: Vec<_> = both.flows.iter().map(|flow| met(&both, flow)).collect();
    assert_eq!(sites, [["hub", "user 1"], ["hub", "user 2"], ["hub", "user 3"]]);
}

#[test]
fn what_is_wrong_with_a_pattern_of_places_is_said() {
    let down = "from = \"net\", to = \"user *\"";
    for (at, message) in [
        (
            "[\"usr *\"]",
            "a.toml:3: peps[0].at[0]: no site matches \"usr *\" (sites are user 1, user 2, user 3, net, hub)",
        ),
        (
            "[\"*\"]",
            "a.toml:3: peps[0].at: the flow \"reno 1\" passes 3 of these sites (\"net\", \"hub\", \"user 1\"), but \
             one table of `peps` can split a flow at only one or two sites (name fewer sites, or name other flows in \
             `flows`)",
        ),
    ] {
        let error = users(at, down).map_or_else(|error| error, |_| panic!("{at} was accepted"));
        assert_eq!(error.to_string(), message);
    }
    let error = users("[\"user *\"]", "from = \"net\", to = \"hub\"")
        .map_or_else(|error| error, |_| panic!("no flow ends at a user"));
    let message = error.to_string();
    let start = "a.toml:3: peps[0].at: no TCP flow passes any of 3 sites, \"user 1\" to \"user 3\" (";
    assert!(message.starts_with(start), "{message}");
}
