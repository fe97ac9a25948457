// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables that describe several sites or flows: `count` of branches and sites, and patterns in `from` and `to`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_scenario::Scenario;

fn resolved(text: &str) -> String {
    Scenario::from_toml(text, "a.toml").unwrap_or_else(|error| panic!("{error}")).to_toml("")
}

fn fault(text: &str) -> String {
    Scenario::from_toml(text, "a.toml").unwrap_err().to_string()
}

/// Three terminals on shared carriers, in both directions.
#[test]
fn a_beam_is_the_same_in_short_and_in_full() {
    let star = |branches: &str, flows: &str| {
        format!(
            "duration = \"10 s\"\n[network.star]\nforward_carriers = [{{ name = \"down\", rate = \"100 Mbit/s\" }}]\n\
             carriers = [{{ name = \"up\", rate = \"10 Mbit/s\", superframe = \"40 ms\", latency = \"560 ms\" }}]\n\
             branches = [{branches}]\n{flows}"
        )
    };
    let branch = |site: &str| {
        format!(
            "{{ site = \"{site}\", delay = \"275 ms\", queue = \"1 MB\", forward = {{ carrier = \"down\" }}, \
             dama = {{ carrier = \"up\", cra = \"64 kbit/s\", vbdc = \"unlimited\" }} }}"
        )
    };
    let flow = |name: &str, to: &str| {
        format!(
            "[[flows]]\nname = \"{name}\"\ncontroller = \"cubic\"\nfrom = \"hub\"\nto = \"{to}\"\ncount = 2\n"
        )
    };
    let long: Vec<String> = (1..=3).map(|number| format!("terminal {number}")).collect();
    let flows: String =
        (1..).zip(&long).map(|(number, site)| flow(&format!("down {number}"), site)).collect();
    let branches: Vec<String> = long.iter().map(|site| branch(site)).collect();
    let whole = star(&branches.join(", "), &flows);
    let short = branch("terminal").replacen("{ ", "{ count = 3, ", 1);
    assert_eq!(resolved(&star(&short, &flow("down", "terminal *"))), resolved(&whole));
}

#[test]
fn sites_of_a_constellation_are_the_same_in_short_and_in_full() {
    let text = |sites: &str, flows: &str| {
        format!(
            "duration = \"10 s\"\n[network.constellation]\npreset = \"starlink-550\"\nsites = [{sites}]\n{flows}"
        )
    };
    let site = |name: &str, more: &str| {
        format!(
            "{{ name = \"{name}\"{more}, latitude = \"48 deg\", longitude = \"8 deg\", altitude = \"300 m\", mask = [[0.0, 10.0], [90.0, 20.0]] }}"
        )
    };
    let flow = |name: &str, from: &str| {
        format!("[[flows]]\n{name}controller = \"cubic\"\nfrom = \"{from}\"\nto = \"London\"\n")
    };
    let names = ["ship 1", "ship 2", "ship 3"];
    let whole = text(
        &names.map(|name| site(name, "")).join(", "),
        &[1, 2, 3].map(|n| flow(&format!("name = \"cubic {n}\"\n"), names[n - 1])).concat(),
    );
    assert_eq!(resolved(&text(&site("ship", ", count = 3"), &flow("", "ship *"))), resolved(&whole));
}

#[test]
fn patterns_go_from_each_to_each() {
    let text = "duration = \"10 s\"\nnetwork.chain = { links = 2, link = { rate = \"1 Mbit/s\", delay = \"1 ms\" } }\n\
                flows = [{ controller = \"cubic\", from = \"*\", to = \"*\" }]\n";
    let scenario = Scenario::from_toml(text, "a.toml").unwrap();
    let ends: Vec<String> = scenario.flows.iter().map(|flow| format!("{}{}", flow.from, flow.to)).collect();
    assert_eq!(ends, ["01", "02", "10", "12", "20", "21"]);
}

/// All flows of a table start one after another, even if a pair has several flows.
#[test]
fn staggered_flows_of_patterns_start_one_after_another() {
    let text = "duration = \"10 s\"\nnetwork.chain = { links = 2, link = { rate = \"1 Mbit/s\", delay = \"1 ms\" } }\n\
                [[flows]]\ncontroller = \"cubic\"\nfrom = \"0\"\nto = \"*\"\ncount = 2\nstart = \"1 s\"\nstagger = \"300 ms\"\n";
    let scenario = Scenario::from_toml(text, "a.toml").unwrap();
    let starts: Vec<f64> = scenario
        .flows
        .iter()
        .flat_map(|flow| (0..flow.count).map(|at| (flow.start + flow.stagger * u64::from(at)).secs_f64()))
        .collect();
    assert_eq!(starts, [1.0, 1.3, 1.6, 1.9]);
}

#[test]
fn faults_of_patterns_and_counts() {
    let star = |branches: &str, to: &str| {
        fault(&format!(
            "[network.star]\nbranches = [{branches}]\n[[flows]]\ncontroller = \"cubic\"\nfrom = \"hub\"\nto = \"{to}\"\n"
        ))
    };
    let one = "{ site = \"a\", count = 2, rate = \"1 Mbit/s\", delay = \"1 ms\" }";
    assert_eq!(star(one, "b *"), "a.toml:6: flows[0].to: no site matches \"b *\" (sites are a 1, a 2, hub)");
    let again = format!("{one}, {{ site = \"a 2\", rate = \"1 Mbit/s\", delay = \"1 ms\" }}");
    assert_eq!(
        star(&again, "a 1"),
        "a.toml:2: network.star.branches[1].site: the site \"a 2\" is listed twice (give each branch its own name)"
    );
}
