// SPDX-License-Identifier: MIT OR Apache-2.0
//! Applications in scenarios: over proxies, over a moving sky, and beside other flows.

use record::summary::SessionsSummary;
use scenario::Scenario;
use sim::{Options, Outcome, run};

fn outcome(text: &str) -> Outcome {
    let scenario = Scenario::from_toml(text, "applications.toml").unwrap_or_else(|error| panic!("{error}"));
    run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

fn sessions(outcome: &Outcome, flow: usize) -> &SessionsSummary {
    outcome.summary.flows[flow].sessions.as_ref().unwrap_or_else(|| panic!("the flow has sessions"))
}

/// Servers, 10 ms, a gateway, 250 ms, users.
fn by_satellite(flow: &str, loss: &str, proxy: &str) -> Outcome {
    outcome(&format!(
        r#"
duration = "400 s"
seed = 5
network.chain.links = [
    {{ rate = "unlimited", delay = "10 ms" {loss} }},
    {{ rate = "unlimited", delay = "250 ms" {loss} }},
]
{proxy}
[[flows]]
name = "files"
kind = "transfers"
controller = "cubic"
stop = "100 s"
{flow}
"#
    ))
}

const PROXY: &str = "peps = [{ at = [\"1\"], buffer = \"1 MB\" }]";

/// By hand: two round trips of 520 ms from end to end. A proxy answers the user's SYN itself, and calls on with it: when the
/// request comes, the connection behind is there, so that only what lies before the proxy counts twice, 500 ms, and what lies
/// behind it once, 20 ms.
#[test]
fn a_proxy_shakes_hands_in_the_middle() {
    let flow = "size = \"14480 B\"\narrivals = { law = \"regular\", rate = 0.5 }";
    for (proxy, seconds) in [("", 1.04), (PROXY, 1.02)] {
        let outcome = by_satellite(flow, "", proxy);
        let sessions = sessions(&outcome, 0);
        assert_eq!((sessions.begun, sessions.finished), (50, 50));
        let took = sessions.took_s.as_ref().map_or((0.0, 0.0), |took| (took.min, took.max));
        assert!((took.0 - seconds).abs() < 1e-9 && (took.1 - seconds).abs() < 1e-9, "{took:?}");
        // Behind a proxy nobody knows what is the least.
        assert_eq!(sessions.slow_down.is_some(), proxy.is_empty());
    }
}

/// With losses on both sides of a proxy every session ends, and nothing waits at the proxy any more. Repairs over the short side
/// no longer cost a round trip of the long one.
#[test]
fn a_proxy_passes_everything_on() {
    let flow = "size = { law = \"pareto\", mean = \"60 kB\", shape = 1.5, most = \"3 MB\" }\n\
                arrivals = { law = \"poisson\", rate = 5 }";
    let loss = ", loss = { per = 0.02 }";
    let [plain, split] = ["", PROXY].map(|proxy| by_satellite(flow, loss, proxy));
    let [direct, proxied] = [&plain, &split].map(|outcome| sessions(outcome, 0));
    assert_eq!((direct.begun, direct.unfinished, proxied.begun), (proxied.begun, 0, direct.finished));
    assert_eq!(proxied.unfinished, 0);
    let [proxy] = &split.summary.proxies[..] else { panic!("there is one") };
    assert!(proxy.most_held_bytes > 0 && proxy.held_at_end_bytes == 0, "{proxy:?}");
    assert_eq!(split.summary.parts.len(), 2);
    let mean = |sessions: &SessionsSummary| sessions.took_s.as_ref().map_or(0.0, |took| took.mean);
    assert!(mean(proxied) < mean(direct), "{} {}", mean(proxied), mean(direct));
}
