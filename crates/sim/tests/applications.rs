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

/// The request is at the proxy after three times 250 ms and at the servers at 760 ms; of its 100 segments 10 are at the proxy at 770 ms,
/// 20 at 790, 40 at 810 and 30 at 830. A proxy with the flow's initial window sends 10, 20, 40 and 30, each 500 ms after the other:
/// the last are there at 770 + 3 x 500 + 250 ms. One that begins with 40 sends 10, 20 and 10 as they come; the first 10
/// acknowledgements let 20 go at 1270 ms, and the next 20 the last 40 at 1290.
#[test]
fn a_proxy_answers_with_an_initial_window_of_its_own() {
    let flow = "size = \"144800 B\"\narrivals = { law = \"regular\", rate = 0.1 }";
    for (tcp, seconds) in [("", 2.52), (", tcp.initial_window = 40", 1.54)] {
        let proxy = format!("peps = [{{ at = [\"1\"], buffer = \"1 MB\"{tcp} }}]");
        let outcome = by_satellite(flow, "", &proxy);
        let took = sessions(&outcome, 0).took_s.as_ref().map_or((0.0, 0.0), |took| (took.min, took.max));
        assert!((took.0 - seconds).abs() < 1e-9 && (took.1 - seconds).abs() < 1e-9, "{tcp}: {took:?}");
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

/// Pages by both protocols, films and requests beside a transfer without end, through a fair queue with marks, to the end of the
/// run and past it: the books close (or the run is refused), and every kind has sessions that are over.
#[test]
fn every_kind_runs_beside_tcp() {
    let outcome = outcome(
        r#"
duration = "40 s"
seed = 3
network.dumbbell = { rate = "30 Mbit/s", rtt = "100 ms", queue = { limit = "1 BDP", discipline = "fq-codel" } }
tcp.preset = "linux"
flows = [
    { controller = "reno" },
    { kind = "web", controller = "cubic", users = 5, think = "2 s", page = { objects = 12, size = "20 kB", stages = 2 } },
    { kind = "web", controller = "bbr1", users = 5, think = "2 s", tls = true, page = { objects = 12, size = "20 kB", protocol = "http1" } },
    { kind = "video", controller = "cubic", users = 2, think = "1 s", video = { ladder = ["1 Mbit/s", "4 Mbit/s"], length = "12 s" } },
    { kind = "requests", controller = "cubic", users = 3, think = "1 s", request = { answer = "2 kB", wait = "20 ms", count = 3 } },
]
"#,
    );
    for flow in 1..5 {
        let (summary, sessions) = (&outcome.summary.flows[flow], sessions(&outcome, flow));
        assert!(sessions.finished > 3, "{flow}: {sessions:?}");
        assert_eq!(sessions.begun, sessions.finished + sessions.unfinished);
        assert!(summary.goodput_mbit_s > 0.0, "{summary:?}");
        // What was neither delivered nor dropped is on its way: a round trip of 30 Mbit/s and a full queue at most.
        let on_its_way = summary.sent_packets - summary.delivered_packets - summary.losses.queue;
        assert!(on_its_way <= 500, "{summary:?}");
        assert!(summary.rtt_ms.as_ref().is_some_and(|rtt| rtt.min >= 100.0));
    }
    let least = sessions(&outcome, 1).slow_down.as_ref().map_or(0.0, |slow| slow.min);
    assert!(least >= 1.0, "nothing is faster than an empty path: {least}");
}

/// Under a sky that moves, handovers and all, what was asked for still comes.
#[test]
fn a_moving_sky_serves_pages() {
    let outcome = outcome(
        r#"
duration = "60 s"
network.constellation.preset = "iridium"
[[flows]]
kind = "transfers"
from = "Paris"
to = "Tokyo"
controller = "cubic"
size = "20 kB"
stop = "50 s"
arrivals = { law = "poisson", rate = 0.2 }
"#,
    );
    let sessions = sessions(&outcome, 0);
    assert!(sessions.begun > 3 && sessions.finished + 2 >= sessions.begun, "{sessions:?}");
    assert!(sessions.slow_down.as_ref().is_some_and(|slow| slow.min >= 1.0));
}
