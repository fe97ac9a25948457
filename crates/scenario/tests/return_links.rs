// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a terminal gains access to the channel: reading, writing, and refused settings.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use bentpipe_scenario::{NetworkChoice, Scenario};
use link::{Acks, Dama, Grants, Jitter, LinkSpec, RandomAccess, Thinning};
use units::{Code, Rate, Span};

const FLOW: &str = "[[flows]]\ncontroller = \"reno\"\n";

fn read(network: &str) -> Scenario {
    let text = format!("[network]\n{network}\n{FLOW}");
    let scenario = Scenario::from_toml(&text, "a.toml").unwrap_or_else(|error| panic!("{error}"));
    let again =
        Scenario::from_toml(&scenario.to_toml(""), "a.toml").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.network, scenario.network);
    scenario
}

/// Checks that a link on line 2 with these keys is refused at this key.
fn refused(keys: &str, code: Code, key: &str, message: &str) {
    let text = format!("[network]\ndumbbell = {{ rtt = \"550 ms\", {keys} }}\n{FLOW}");
    let error = Scenario::from_toml(&text, "a.toml").expect_err(keys);
    assert_eq!((error.code(), error.line()), (code, Some(2)), "{error}");
    assert_eq!(
        (error.key(), error.message()),
        (format!("network.dumbbell.{key}").as_str(), message),
        "{error}"
    );
}

fn dama(spec: &LinkSpec) -> Dama {
    spec.dama.unwrap_or_else(|| panic!("it has demand assignment"))
}

#[test]
fn demand_assignment_of_every_plain_link() {
    let table = "dama = { superframe = \"40 ms\", latency = \"560 ms\", cra = \"16 kbit/s\", rbdc = \"512 kbit/s\", vbdc = \
                 \"unlimited\", fca = 0.5 }";
    let kbit = |kbit: u64| Rate::from_bits_per_s(1000 * kbit);
    // Without its own limit, a terminal has the limit of the carrier.
    let expected = Dama {
        superframe: Span::from_millis(40),
        latency: Span::from_millis(560),
        cra: kbit(16),
        rbdc: kbit(512),
        vbdc: kbit(2000),
        fca: 0.5,
        random: None,
        carrier: None,
    };
    let NetworkChoice::Dumbbell { forward, reverse } =
        read(&format!("dumbbell = {{ rate = \"2 Mbit/s\", rtt = \"550 ms\", {table} }}")).network
    else {
        panic!()
    };
    assert_eq!((dama(&forward.spec), reverse.spec.dama), (expected, None));
    let way_back = format!("reverse = {{ rate = \"2 Mbit/s\", {table} }}");
    let NetworkChoice::Dumbbell { forward, reverse } =
        read(&format!("dumbbell = {{ rate = \"50 Mbit/s\", rtt = \"550 ms\", {way_back} }}")).network
    else {
        panic!()
    };
    assert_eq!((dama(&reverse.spec), forward.spec.dama), (expected, None));
    let link = format!("{{ rate = \"2 Mbit/s\", delay = \"275 ms\", {table} }}");
    let NetworkChoice::Chain { links } = read(&format!("chain = {{ links = 2, link = {link} }}")).network
    else {
        panic!()
    };
    assert_eq!(links.iter().map(|link| dama(&link.spec)).collect::<Vec<_>>(), [expected; 2]);
}

const STEPS: &str = "rate_steps = [{ at = \"0 s\", rate = \"1 Mbit/s\" }, { at = \"9 s\", rate = \"3 Mbit/s\", ramp_to = \"2 Mbit/s\" }, \
     { at = \"12 s\", rate = \"2 Mbit/s\" }]";

/// Without its own limit, a terminal has the highest rate: of steps, or of the ladder of a link budget. 1 MHz with a
/// roll-off of 0.25 is 0.8 Mbaud. 32APSK 9/10 carries 4.453027 bits per symbol (EN 302 307-1, table 13).
#[test]
fn demand_assignment_of_a_carrier_whose_rate_changes() {
    let table = "dama = { superframe = \"40 ms\", latency = \"560 ms\", vbdc = \"unlimited\" }";
    let budget = "budget = { bandwidth = \"1 MHz\", roll_off = 0.25, modcods = \"dvb-s2\", down = { frequency = \"20 GHz\", eirp = \
                  \"50 dBW\", g_over_t = \"10 dB/K\", elevation = \"30 deg\" } }";
    for (rate, wanted) in [(STEPS, 3_000_000.0), (budget, 800_000.0 * 4.453_027)] {
        let link = format!("{{ {rate}, queue = \"50 packets\", delay = \"275 ms\", {table} }}");
        let NetworkChoice::Chain { links } = read(&format!("chain.links = [{link}]")).network else {
            panic!()
        };
        let found = dama(&links[0].spec).vbdc.bits_per_s() as f64;
        assert!((found / wanted - 1.0).abs() < 1e-6, "{found} instead of {wanted}");
    }
}

#[test]
fn what_is_assigned_on_demand_repeats_nothing() {
    let dama = "dama = { superframe = \"40 ms\", latency = \"560 ms\", fca = 1.0 }";
    let there = "rate = \"2 Mbit/s\", rtt = \"550 ms\", arq = { repeats = 2 }";
    let NetworkChoice::Dumbbell { forward, reverse } =
        read(&format!("dumbbell = {{ {there}, reverse = {{ {dama} }} }}")).network
    else {
        panic!()
    };
    assert_eq!((forward.spec.arq.is_some(), reverse.spec.arq), (true, None));
    refused(
        &format!("rate = \"1 Mbit/s\", arq = {{ repeats = 2 }}, {dama}"),
        Code::ScenarioValue,
        "dama",
        "a link with demand assignment has no ARQ: a retransmission would need its own grant (keep one of `dama` and \
         `arq`)",
    );
}

#[test]
fn grants_of_every_plain_link() {
    let table = "grants = { period = \"4 ms\", long_period = \"8 ms\", long_share = 0.08 }";
    let expected = Grants { apart: Span::from_millis(4), or: (0.08, Span::from_millis(8)) };
    let NetworkChoice::Dumbbell { forward, reverse } = read(&format!(
        "dumbbell = {{ trace = \"up.trace\", queue = \"50 packets\", rtt = \"30 ms\", {table} }}"
    ))
    .network
    else {
        panic!()
    };
    assert_eq!((forward.spec.grants, reverse.spec.grants), (Some(expected), None));
    let text = "star.branches = [{ site = \"a\", rate = \"1 Mbit/s\", delay = \"0 s\", grants = { period = \"5 ms\" } }]";
    let text = format!("[network]\n{text}\n[[flows]]\ncontroller = \"reno\"\nfrom = \"a\"\nto = \"hub\"\n");
    let scenario = Scenario::from_toml(&text, "a.toml").unwrap_or_else(|error| panic!("{error}"));
    let NetworkChoice::Star { branches, .. } = &scenario.network else { panic!() };
    assert_eq!(
        branches[0].1.spec.grants,
        Some(Grants { apart: Span::from_millis(5), or: (0.0, Span::ZERO) })
    );
    refused(
        "rate = \"1 Mbit/s\", grants = { period = \"4 ms\", long_period = \"8 ms\" }",
        Code::ScenarioMissingKey,
        "grants.long_period",
        "`long_period` has no effect without `long_share` (write long_share = 0.08, or remove `long_period`)",
    );
    refused(
        "rate = \"1 Mbit/s\", grants = { period = \"4 ms\" }, dama = { superframe = \"40 ms\", latency = \"1 s\", fca = 1.0 }",
        Code::ScenarioValue,
        "grants",
        "`dama` (grants on demand) and `grants` (grants at fixed times) contradict each other (keep one of `dama` and `grants`)",
    );
}

#[test]
fn demand_assignment_that_grants_nothing() {
    let (value, missing) = (Code::ScenarioValue, Code::ScenarioMissingKey);
    let times = "superframe = \"40 ms\", latency = \"560 ms\"";
    refused(
        &format!("rate = \"1 Mbit/s\", dama = {{ {times} }}"),
        missing,
        "dama",
        "without cra, rbdc, vbdc and fca, the terminal would never get a grant (write at least one of cra, rbdc, vbdc and fca, such as vbdc = \
         \"unlimited\")",
    );
    refused(
        "rate = \"1 kbit/s\", dama = { superframe = \"5 ms\", latency = \"1 s\", fca = 1.0 }",
        value,
        "dama.superframe",
        "at 1 kbit/s, a superframe of 5 ms carries less than one byte, so nothing can be granted (write a longer \
         `superframe`, or a higher rate)",
    );
    refused(
        &format!("rate = \"1 Mbit/s\", dama = {{ {times}, fca = 1e-4 }}"),
        value,
        "dama.fca",
        "0.0001 of the 5000 bytes of a superframe is less than one byte (write 0.0002 or more, or remove `fca`)",
    );
    refused(
        &format!("rate = \"unlimited\", dama = {{ {times}, fca = 1.0 }}"),
        value,
        "dama",
        "demand assignment needs a link with a rate (write rate = \"2 Mbit/s\", or remove `dama`)",
    );
    for rate in ["trace = \"up.trace\"", "path_trace = \"up.csv\""] {
        refused(
            &format!("{rate}, queue = \"50 packets\", dama = {{ {times}, fca = 1.0 }}"),
            value,
            "dama",
            "grants need a rate that is known when the scenario is read, but the trace is read later (write \
             rate_steps, rate or budget instead, or remove `dama`)",
        );
    }
    refused(
        &format!(
            "{STEPS}, queue = \"50 packets\", dama = {{ {times}, vbdc = \"unlimited\", random_access = {{ scheme = \"crdsa\", \
             load = 0.3, burst = \"500 B\" }} }}"
        ),
        value,
        "dama.random_access",
        "random access needs a carrier with a constant rate (write rate = \"2 Mbit/s\", or remove `random_access`)",
    );
    refused(
        &format!("rate = \"1 Mbit/s\", warn_above = 20, dama = {{ {times}, fca = 1.0 }}"),
        value,
        "dama",
        "a link that waits for grants sends no congestion warnings (remove `warn_above`, or `dama`)",
    );
    refused(
        "rate = \"1 Mbit/s\", dama = { superframe = \"1 ms\", latency = \"1 s\", fca = 1.0 }",
        value,
        "dama.superframe",
        "\"1 ms\" is too small: it must be within 5 ms and 10 s",
    );
}

#[test]
fn jitter_of_every_link() {
    let ms = Span::from_millis;
    for (table, expected) in [
        ("uniform = \"5 ms\"", Jitter::Uniform(ms(5))),
        ("normal = { mean = \"10 ms\", deviation = \"3 ms\" }", Jitter::Normal(ms(10), ms(3))),
        ("log_normal = { median = \"10 ms\", sigma = 0.5 }", Jitter::LogNormal(ms(10), 0.5)),
    ] {
        let jitter = format!("jitter = {{ {table} }}");
        let NetworkChoice::Dumbbell { forward, reverse } =
            read(&format!("dumbbell = {{ rate = \"2 Mbit/s\", rtt = \"550 ms\", {jitter} }}")).network
        else {
            panic!()
        };
        // The reverse link equals the forward link.
        assert_eq!((forward.spec.jitter, reverse.spec.jitter), (Some(expected), Some(expected)));
        let text = format!(
            "[network.constellation]\npreset = \"iridium\"\nuplink = {{ {jitter} }}\n[[flows]]\ncontroller = \"reno\"\nfrom = \
             \"Paris\"\nto = \"Madrid\"\naccess = {{ {jitter} }}\n"
        );
        let scenario = Scenario::from_toml(&text, "a.toml").unwrap_or_else(|error| panic!("{error}"));
        let again =
            Scenario::from_toml(&scenario.to_toml(""), "a.toml").unwrap_or_else(|error| panic!("{error}"));
        for scenario in [scenario, again] {
            let NetworkChoice::Constellation { spec, .. } = &scenario.network else { panic!() };
            let access = scenario.flows[0].access.as_ref().expect("the flow has access");
            assert_eq!((spec.uplink.jitter, spec.downlink.jitter), (Some(expected), None));
            assert_eq!(access.link.jitter, Some(expected));
        }
    }
    refused(
        "rate = \"1 Mbit/s\", jitter = {}",
        Code::ScenarioMissingKey,
        "jitter",
        "`jitter` needs a distribution (write for example uniform = \"5 ms\", normal = { mean = \"10 ms\", deviation \
         = \"3 ms\" } or log_normal = { median = \"10 ms\", sigma = 0.5 })",
    );
    refused(
        "rate = \"1 Mbit/s\", jitter = { uniform = \"5 ms\", normal = { mean = \"1 ms\", deviation = \"1 ms\" } }",
        Code::ScenarioValue,
        "jitter.normal",
        "`uniform` and `normal` contradict each other (keep one of them)",
    );
}

#[test]
fn acknowledgements_of_every_plain_link() {
    let filter = |aggressive| Some(Thinning::Filter { aggressive });
    for (table, expected) in [
        ("thinning = \"filter\"", Acks { thinning: filter(false), compressed: None }),
        ("thinning = \"filter-aggressive\"", Acks { thinning: filter(true), compressed: None }),
        (
            "thinning = \"decimate\"",
            Acks { thinning: Some(Thinning::Decimate { keep: 1 }), compressed: None },
        ),
        (
            "thinning = \"decimate\", keep = 3, compressed = \"8 B\"",
            Acks { thinning: Some(Thinning::Decimate { keep: 3 }), compressed: Some(8) },
        ),
        ("compressed = \"4 B\"", Acks { thinning: None, compressed: Some(4) }),
    ] {
        let back = format!("reverse = {{ rate = \"64 kbit/s\", acks = {{ {table} }} }}");
        let NetworkChoice::Dumbbell { forward, reverse } =
            read(&format!("dumbbell = {{ rate = \"50 Mbit/s\", rtt = \"550 ms\", {back} }}")).network
        else {
            panic!()
        };
        assert_eq!((forward.spec.acks, reverse.spec.acks), (None, Some(expected)), "{table}");
        // The reverse link does not inherit these settings.
        let there = format!("dumbbell = {{ rate = \"1 Mbit/s\", rtt = \"550 ms\", acks = {{ {table} }} }}");
        let NetworkChoice::Dumbbell { forward, reverse } = read(&there).network else { panic!() };
        assert_eq!((forward.spec.acks, reverse.spec.acks), (Some(expected), None), "{table}");
    }
    let NetworkChoice::Chain { links } = read(
        "chain = { links = 2, link = { rate = \"1 Mbit/s\", delay = \"1 ms\", acks = { thinning = \"filter\" } } }",
    )
    .network
    else {
        panic!()
    };
    assert!(links.iter().all(|link| link.spec.acks.is_some()));
}

#[test]
fn acknowledgements_of_which_nothing_would_become() {
    let (value, missing) = (Code::ScenarioValue, Code::ScenarioMissingKey);
    refused(
        "rate = \"1 Mbit/s\", acks = {}",
        missing,
        "acks",
        "`acks` has no effect without `thinning` or `compressed` (write thinning = \"filter\", compressed = \"8 B\", \
         or both)",
    );
    refused(
        "rate = \"1 Mbit/s\", acks = { compressed = \"8 B\", keep = 2 }",
        Code::ScenarioMissingKey,
        "acks.keep",
        "`keep` has an effect only with thinning = \"decimate\" (write thinning = \"decimate\", or remove `keep`)",
    );
    refused(
        "rate = \"1 Mbit/s\", acks = { thinning = \"filter\", keep = 2 }",
        value,
        "acks.keep",
        "thinning \"filter\" has no key `keep` (remove `keep`, or write thinning = \"decimate\")",
    );
    refused(
        "rate = \"1 Mbit/s\", queue = { discipline = \"codel\" }, acks = { thinning = \"filter\" }",
        value,
        "acks",
        "only a drop-tail queue can thin or compress acknowledgements, but this queue has the discipline \"codel\" \
         (write queue = \"50 packets\", or remove `acks`)",
    );
    refused(
        "rate = \"1 Mbit/s\", warn_above = 20, acks = { thinning = \"filter\" }",
        value,
        "acks",
        "a link that thins acknowledgements sends no congestion warnings (remove `warn_above`, or `acks`)",
    );
    refused(
        "rate = \"unlimited\", acks = { thinning = \"filter\" }",
        value,
        "acks",
        "`acks` has no effect on a link without a rate: the link sends packets at once, so no acknowledgement waits \
         (write rate = \"128 kbit/s\", or remove `acks`)",
    );
}

#[test]
fn random_access_of_a_terminal() {
    let times = "superframe = \"40 ms\", latency = \"560 ms\"";
    let link = |access: &str, category: &str| {
        format!("rate = \"1 Mbit/s\", dama = {{ {times}, {category}, random_access = {{ {access} }} }}")
    };
    let volume = "vbdc = \"unlimited\"";
    let aloha = RandomAccess { replicas: 1, slots: 64, load: 0.3, burst: 500, bursts: 1, back_off: 8 };
    for (access, expected) in [
        ("scheme = \"slotted-aloha\", load = 0.3, burst = \"500 B\"", aloha),
        ("scheme = \"crdsa\", load = 0.3, burst = \"500 B\"", RandomAccess { replicas: 2, ..aloha }),
        (
            "scheme = \"crdsa\", load = 0.3, burst = \"500 B\", replicas = 3, slots = 100, bursts = 4, back_off = 0",
            RandomAccess { replicas: 3, slots: 100, bursts: 4, back_off: 0, ..aloha },
        ),
    ] {
        let NetworkChoice::Dumbbell { forward, .. } =
            read(&format!("dumbbell = {{ rtt = \"550 ms\", {} }}", link(access, volume))).network
        else {
            panic!()
        };
        assert_eq!(dama(&forward.spec).random, Some(expected));
    }
    let value = Code::ScenarioValue;
    refused(
        &link("scheme = \"crdsa\", load = 0.3, burst = \"500 B\"", "cra = \"16 kbit/s\""),
        value,
        "dama.random_access",
        "`random_access` has no effect: it is for superframes without a grant, but `cra` and `fca` grant capacity in every superframe \
         (remove `cra` and `fca`, or `random_access`)",
    );
    refused(
        &link("scheme = \"crdsa\", load = 0.3, burst = \"500 B\", slots = 5, bursts = 3", volume),
        value,
        "dama.random_access.slots",
        "the bursts of the terminal need 6 slots in each superframe, but a superframe has only 5 slots (write slots \
         = 6 or more, or fewer bursts)",
    );
    refused(
        &link("scheme = \"crdsa\", load = 0.3, burst = \"5001 B\"", volume),
        value,
        "dama.random_access.burst",
        "the bursts of a superframe carry 5001 bytes, but a superframe of the carrier has only 5000 bytes (write a \
         smaller burst, or a longer superframe)",
    );
    refused(
        &link("scheme = \"slotted-aloha\", load = 0.3, burst = \"500 B\", replicas = 2", volume),
        value,
        "dama.random_access.replicas",
        "scheme \"slotted-aloha\" has no key `replicas` (remove `replicas`, or write scheme = \"crdsa\")",
    );
}
