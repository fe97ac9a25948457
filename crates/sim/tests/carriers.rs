// SPDX-License-Identifier: MIT OR Apache-2.0
//! Terminals that share a carrier, in whole runs.

use record::summary::FlowSummary;
use sim::Options;
use std::fmt::Write as _;

/// A run whose packet counts do not balance is refused.
fn flows(network: &str, flows: &str) -> Vec<FlowSummary> {
    let text = format!(
        "duration = \"60 s\"\nwarm_up = \"20 s\"\ntcp.preset = \"bentpipe-0.1\"\nnetwork.{network}\nflows = [{flows}]\n"
    );
    let scenario =
        scenario::Scenario::from_toml(&text, "carriers.toml").unwrap_or_else(|error| panic!("{error}"));
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}")).summary.flows
}

/// Branches with these categories on one carrier of 2 Mbit/s. The link from the hub to each branch has 20 Mbit/s.
fn star(categories: &[&str]) -> String {
    let mut branches = String::new();
    for (number, categories) in categories.iter().enumerate() {
        let _ = write!(
            branches,
            "{{ site = \"{number}\", rate = \"20 Mbit/s\", delay = \"275 ms\", queue = \"unlimited\", dama = {{ carrier = \"up\", \
             {categories} }} }}, "
        );
    }
    let carrier = "{ name = \"up\", rate = \"2 Mbit/s\", superframe = \"40 ms\", latency = \"560 ms\" }";
    format!("star = {{ carriers = [{carrier}], branches = [{branches}] }}")
}

/// Datagrams from each branch to the hub at these rates, in kbit/s.
fn loads(rates: &[u32]) -> String {
    let flow = |(number, rate): (usize, &u32)| {
        format!(
            "{{ kind = \"cbr\", rate = \"{rate} kbit/s\", packet = \"500 B\", from = \"{number}\", to = \"hub\" }}, "
        )
    };
    rates.iter().enumerate().map(flow).collect()
}

/// 2 Mbit/s are shared among terminals that offer 300, 800 and 3000 kbit/s: they get 300, 800 and the remaining 900. If
/// all offer 3000, each gets a third.
#[test]
fn goodput_is_what_water_fills() {
    for (offered, expected) in [
        ([300, 800, 3000], [0.3, 0.8, 0.9]),
        ([3000; 3], [2.0 / 3.0; 3]),
        ([300, 3000, 3000], [0.3, 0.85, 0.85]),
    ] {
        for categories in ["vbdc = \"unlimited\"", "rbdc = \"unlimited\""] {
            let seen = flows(&star(&[categories; 3]), &loads(&offered));
            for (seen, expected) in seen.iter().zip(expected) {
                // The tolerance is the share of one superframe and one incomplete packet, in 40 s.
                assert!(
                    (seen.goodput_mbit_s.unwrap_or(f64::NAN) - expected).abs() < 0.001,
                    "{categories} {offered:?}: {seen:?}"
                );
            }
        }
    }
}

/// 2 Mbit/s for two terminals with different modulation and code. Each gets half of the time, so a terminal at half the
/// rate gets half of the goodput. Unused time is available to the other terminal: 200 kbit/s at half the rate use a
/// fifth of the time, which leaves 1.6 Mbit/s.
#[test]
fn who_is_slower_gets_less_in_the_same_time() {
    let slow = "vbdc = \"unlimited\", rate = \"1 Mbit/s\"";
    let network = star(&["vbdc = \"unlimited\"", slow]);
    for (offered, expected) in
        [([3000, 3000], [1.0, 0.5]), ([3000, 200], [1.6, 0.2]), ([600, 3000], [0.6, 0.7])]
    {
        let seen = flows(&network, &loads(&offered));
        for (seen, expected) in seen.iter().zip(expected) {
            assert!(
                (seen.goodput_mbit_s.unwrap_or(f64::NAN) - expected).abs() < 0.001,
                "{offered:?}: {seen:?}"
            );
        }
    }
}

/// A terminal with a constant assignment of 500 kbit/s waits less than one superframe, for any load of the others.
#[test]
fn a_constant_assignment_does_not_feel_the_others() {
    let network = star(&["cra = \"500 kbit/s\"", "vbdc = \"unlimited\"", "rbdc = \"unlimited\""]);
    let seen = flows(&network, &loads(&[400, 3000, 3000]));
    assert!((seen[0].goodput_mbit_s.unwrap_or(f64::NAN) - 0.4).abs() < 0.001, "{:?}", seen[0]);
    let delay = seen[0].one_way_delay_ms.unwrap_or_else(|| panic!("datagrams arrive: {:?}", seen[0]));
    // 275 ms of propagation, 2 ms on the carrier, one superframe, and up to one superframe for the data of the last
    // one.
    assert!(delay.max < 275.0 + 2.0 + 80.0, "{delay:?}");
    // Requests by rate are served before requests by volume, so this terminal gets all of the rest.
    assert!(
        (seen[2].goodput_mbit_s.unwrap_or(f64::NAN) - 1.5).abs() < 0.001
            && seen[1].goodput_mbit_s.unwrap_or(f64::NAN) < 0.001,
        "{seen:?}"
    );
}

/// A single terminal on a carrier that others may share gives the same run, to the byte, as a terminal with its own
/// carrier.
#[test]
fn alone_it_is_as_on_a_carrier_of_its_own() {
    let all = "cra = \"64 kbit/s\", rbdc = \"600 kbit/s\", vbdc = \"unlimited\", fca = 0.2";
    let traffic = "{ controller = \"cubic\", from = \"0\", to = \"hub\" }, { kind = \"ping\", interval = \"1001 ms\", from = \
                   \"hub\", to = \"0\" }";
    let alone = star(&[all]);
    let own = format!(
        "star.branches = [{{ site = \"0\", rate = \"2 Mbit/s\", delay = \"275 ms\", queue = \"unlimited\", dama = {{ superframe = \
         \"40 ms\", latency = \"560 ms\", {all} }} }}]"
    );
    // The link from the hub has the same rate here.
    let alone = alone.replace("20 Mbit/s", "2 Mbit/s");
    assert_eq!(format!("{:?}", flows(&alone, traffic)), format!("{:?}", flows(&own, traffic)));
}

/// Ten uploads over one carrier get a tenth each, except for the contents of a queue. Together, they get as much as a
/// single upload.
#[test]
fn ten_uploads_at_once() {
    let volume = "vbdc = \"unlimited\"";
    let upload = |number| format!("{{ controller = \"cubic\", from = \"{number}\", to = \"hub\" }}, ");
    let limited =
        |network: &str, limit: &str| network.replace("\"unlimited\", dama", &format!("\"{limit}\", dama"));
    let ten = flows(&limited(&star(&[volume; 10]), "100 kB"), &(0..10).map(upload).collect::<String>());
    let one = flows(&limited(&star(&[volume]), "1 MB"), &upload(0));
    let sum: f64 = ten.iter().map(|flow| flow.goodput_mbit_s.unwrap_or(f64::NAN)).sum();
    assert!((sum / one[0].goodput_mbit_s.unwrap_or(f64::NAN) - 1.0).abs() < 0.01, "{sum} {:?}", one[0]);
    let squares: f64 = ten.iter().map(|flow| flow.goodput_mbit_s.unwrap_or(f64::NAN).powi(2)).sum();
    assert!(sum * sum / (10.0 * squares) > 0.98, "{ten:?}");
}
