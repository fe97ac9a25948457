// SPDX-License-Identifier: MIT OR Apache-2.0
//! Applications in scenarios: through proxies, over moving satellites, and next to other flows.

use record::summary::{BreakSummary, VisitsSummary};
use scenario::Scenario;
use sim::{Options, Outcome, run};

fn outcome(text: &str) -> Outcome {
    let scenario = Scenario::from_toml(text, "applications.toml").unwrap_or_else(|error| panic!("{error}"));
    run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

fn visits(outcome: &Outcome, flow: usize) -> &VisitsSummary {
    outcome.summary.flows[flow].visits.as_ref().unwrap_or_else(|| panic!("the flow has visits"))
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

/// Worked out by hand: two round trips of 520 ms from end to end. With a proxy, the proxy answers the user's SYN and
/// opens its own connection at the same time. When the request arrives, this connection is already open. Therefore only
/// the part before the proxy counts twice (500 ms), and the part behind it counts once (20 ms).
#[test]
fn a_proxy_shakes_hands_in_the_middle() {
    let flow = "size = \"14480 B\"\narrivals = { law = \"regular\", rate = 0.5 }";
    for (proxy, seconds) in [("", 1.04), (PROXY, 1.02)] {
        let outcome = by_satellite(flow, "", proxy);
        let visits = visits(&outcome, 0);
        assert_eq!((visits.begun, visits.finished), (50, 50));
        let took = visits.took_s.as_ref().map_or((0.0, 0.0), |took| (took.min, took.max));
        assert!((took.0 - seconds).abs() < 1e-9 && (took.1 - seconds).abs() < 1e-9, "{took:?}");
        // With a proxy, the ideal duration is unknown.
        assert_eq!(visits.slow_down.is_some(), proxy.is_empty());
    }
}

/// The request reaches the proxy after three times 250 ms, and the servers at 760 ms. Of its 100 segments, 10 reach the
/// proxy at 770 ms, 20 at 790 ms, 40 at 810 ms and 30 at 830 ms. A proxy with the flow's initial window sends 10, 20,
/// 40 and 30 segments at intervals of 500 ms, so the last ones arrive at 770 + 3 x 500 + 250 ms. A proxy with an
/// initial window of 40 sends 10, 20 and 10 segments as they arrive. The first 10 acknowledgements release 20 segments
/// at 1270 ms, and the next 20 release the last 40 at 1290 ms.
#[test]
fn a_proxy_answers_with_an_initial_window_of_its_own() {
    let flow = "size = \"144800 B\"\narrivals = { law = \"regular\", rate = 0.1 }";
    for (tcp, seconds) in [("", 2.52), (", tcp.initial_window = 40", 1.54)] {
        let proxy = format!("peps = [{{ at = [\"1\"], buffer = \"1 MB\"{tcp} }}]");
        let outcome = by_satellite(flow, "", &proxy);
        let took = visits(&outcome, 0).took_s.as_ref().map_or((0.0, 0.0), |took| (took.min, took.max));
        assert!((took.0 - seconds).abs() < 1e-9 && (took.1 - seconds).abs() < 1e-9, "{tcp}: {took:?}");
    }
}

/// With losses on both sides of a proxy, every visit ends, and no data remain at the proxy. Repairs on the short side
/// no longer cost a round trip of the long side.
#[test]
fn a_proxy_passes_everything_on() {
    let flow = "size = { law = \"pareto\", mean = \"60 kB\", shape = 1.5, most = \"3 MB\" }\n\
                arrivals = { law = \"poisson\", rate = 5 }";
    let loss = ", loss = { per = 0.02 }";
    let [plain, split] = ["", PROXY].map(|proxy| by_satellite(flow, loss, proxy));
    let [direct, proxied] = [&plain, &split].map(|outcome| visits(outcome, 0));
    assert_eq!((direct.begun, direct.unfinished, proxied.begun), (proxied.begun, 0, direct.finished));
    assert_eq!(proxied.unfinished, 0);
    let [proxy] = &split.summary.proxies[..] else { panic!("there is one") };
    assert!(proxy.most_held_bytes > 0 && proxy.held_at_end_bytes == 0, "{proxy:?}");
    assert_eq!(split.summary.parts.len(), 2);
    let mean = |visits: &VisitsSummary| visits.took_s.as_ref().map_or(0.0, |took| took.mean);
    assert!(mean(proxied) < mean(direct), "{} {}", mean(proxied), mean(direct));
}

/// Pages with both protocols, films and requests next to an endless transfer, through a fair queue with marks, until
/// after the end of the run. The packet counts balance (otherwise the run is refused), and every kind has finished
/// visits.
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
        let (summary, visits) = (&outcome.summary.flows[flow], visits(&outcome, flow));
        assert!(visits.finished > 3, "{flow}: {visits:?}");
        assert_eq!(visits.begun, visits.finished + visits.unfinished);
        assert!(summary.goodput_mbit_s.unwrap_or(f64::NAN) > 0.0, "{summary:?}");
        // Packets that were neither delivered nor dropped are in flight: at most one round trip at 30 Mbit/s and a full
        // queue.
        let on_its_way = summary.sent_packets - summary.delivered_packets - summary.losses.queue;
        assert!(on_its_way <= 500, "{summary:?}");
        assert!(summary.rtt_ms.as_ref().is_some_and(|rtt| rtt.min >= 100.0));
    }
    let least = visits(&outcome, 1).slow_down.as_ref().map_or(0.0, |slow| slow.min);
    assert!(least >= 1.0, "nothing is faster than an empty path: {least}");
}

/// Over moving satellites with handovers, all requested data arrive.
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
    let visits = visits(&outcome, 0);
    assert!(visits.begun > 3 && visits.finished + 2 >= visits.begun, "{visits:?}");
    assert!(visits.slow_down.as_ref().is_some_and(|slow| slow.min >= 1.0));
}

/// Runs one transfer through a proxy that loses its state after `after_s`. Returns the duration of the transfer and the
/// resets.
fn broken(bytes: u64, after_s: f64) -> (f64, Option<u64>, Vec<BreakSummary>) {
    let flow = format!("size = \"{bytes} B\"\narrivals = {{ law = \"regular\", rate = 0.01 }}");
    // The only transfer starts at 0.
    let proxy = format!("peps = [{{ at = [\"1\"], buffer = \"1 MB\", resets = [\"{after_s} s\"] }}]");
    let outcome = by_satellite(&flow, "", &proxy);
    let visits = visits(&outcome, 0);
    assert_eq!((visits.begun, visits.finished), (1, 1));
    let took = visits.took_s.as_ref().map_or(0.0, |took| took.max);
    assert!(outcome.summary.proxies.iter().all(|proxy| proxy.held_at_end_bytes == 0));
    (took, visits.retried, outcome.summary.breaks)
}

/// The proxy receives the SYN at 0.25 s and opens its own connection. The user's request leaves at 0.5 s, and reaches
/// the proxy at 0.75 s and the servers at 0.76 s. Ten segments reach the proxy at 0.77 s and the user at 1.02 s. The
/// user learns of the reset 0.25 s after it, opens another connection one second later, and has the answer 1.02 s after
/// that.
#[test]
fn users_ask_again_for_what_a_proxy_lost() {
    let close = |after_s: f64, expected: f64, again: Option<u64>, known: Option<u64>| {
        let (took, retried, breaks) = broken(14_480, after_s);
        assert!((took - expected).abs() < 1e-9, "{after_s} s: {took}, not {expected}");
        assert_eq!(retried, again, "{after_s} s");
        assert_eq!(breaks.iter().find_map(|one| one.connections), known, "{after_s} s");
        for one in breaks {
            let again_s = one.again_s.map(|at| (at * 1e9).round());
            assert_eq!(again_s, (again > Some(0)).then(|| ((after_s + 1.25) * 1e9_f64).round()), "{one:?}");
            assert_eq!((one.silent_s, one.cause.as_str()), (None, "reset"));
        }
    };
    // The SYN is in flight: the proxy has no state that it could lose.
    close(0.1, 1.02, Some(0), None);
    // The user's request is in flight.
    close(0.6, 0.6 + 1.25 + 1.02, Some(1), Some(1));
    // The proxy has answered the SYN, so the user sends the request before the reset arrives.
    close(0.3, 0.3 + 1.25 + 1.02, Some(1), Some(1));
    // The whole answer is in flight to the user and arrives. Nothing is requested again.
    close(0.9, 1.02, Some(0), Some(1));
}

/// Of 100 segments, 10 reach the proxy at 0.77 s and 20 at 0.79 s. Its window of ten holds back 20 at 0.795 s, and
/// these are lost. All 100 are requested again. Without a reset, they take 2.52 s.
#[test]
fn what_a_proxy_held_of_an_answer_is_lost() {
    let (took, retried, breaks) = broken(144_800, 0.795);
    assert!((took - (0.795 + 1.25 + 2.52)).abs() < 1e-9, "{took}");
    let [one] = &breaks[..] else { panic!("{breaks:?}") };
    assert_eq!((retried, one.connections), (Some(1), Some(1)));
    assert_eq!((one.held_bytes, one.lost_bytes), (30 * 1448, 20 * 1448));
}

/// All kinds of applications through two proxies that lose their state repeatedly, over links that lose packets: every
/// visit ends, no data remain, and a second run gives the same results.
#[test]
fn every_kind_goes_on_behind_proxies_that_lose_their_state() {
    let link = |delay| {
        format!(
            "{{ rate = \"20 Mbit/s\", delay = \"{delay} ms\", loss = {{ per = 0.001 }}, queue = \"50 packets\" }}"
        )
    };
    let links = [link(5), link(100), link(8)].join(", ");
    let resets = |from: f64| {
        let moments = (0..5).map(|number| format!("\"{} s\"", from + 9.4 * f64::from(number)));
        moments.collect::<Vec<_>>().join(", ")
    };
    let run = |proxies: &str| {
        outcome(&format!(
            r#"
duration = "200 s"
seed = 3
network.chain.links = [{links}]
tcp.preset = "linux"
flows = [
    {{ kind = "transfers", controller = "cubic", size = "200 kB", arrivals = {{ law = "poisson", rate = 1 }}, stop = "50 s" }},
    {{ kind = "web", controller = "cubic", users = 3, think = "1 s", stop = "50 s", page = {{ objects = 12, size = "20 kB", stages = 2 }} }},
    {{ kind = "web", controller = "reno", users = 3, think = "1 s", stop = "50 s", tls = true, page = {{ objects = 12, size = "20 kB", protocol = "http2-interleaved" }} }},
    {{ kind = "web", controller = "bbr1", users = 3, think = "1 s", stop = "50 s", tls = true, page = {{ objects = 12, size = "20 kB", protocol = "http1" }} }},
    {{ kind = "video", controller = "cubic", users = 2, think = "1 s", stop = "50 s", video = {{ ladder = ["1 Mbit/s", "4 Mbit/s"], length = "12 s" }} }},
    {{ kind = "requests", controller = "cubic", users = 3, think = "1 s", stop = "50 s", request = {{ answer = "2 kB", wait = "20 ms", count = 3 }} }},
    {{ kind = "requests", controller = "cubic", users = 3, think = "1 s", stop = "50 s", tcp = {{ setup = "none" }}, request = {{ answer = "30 kB", count = 3 }} }},
]
{proxies}
"#
        ))
    };
    let proxies = format!(
        "peps = [{{ at = [\"1\"], buffer = \"100 kB\", resets = [{}], retry = \"200 ms\" }}, \
         {{ at = [\"2\"], buffer = \"100 kB\", resets = [{}], retry = \"500 ms\", tcp = {{ initial_window = 40 }} }}]",
        resets(1.1),
        resets(5.8)
    );
    let outcome = run(&proxies);
    for flow in 0..7 {
        let visits = visits(&outcome, flow);
        assert!(visits.begun > 5 && visits.unfinished == 0, "{flow}: {visits:?}");
        assert!(visits.retried.is_some_and(|retried| retried > 2), "{flow}: {:?}", visits.retried);
    }
    let summary = &outcome.summary;
    assert!(summary.proxies.iter().all(|proxy| proxy.held_at_end_bytes == 0 && proxy.most_held_bytes > 0));
    assert!(summary.breaks.len() > 30 && summary.breaks.iter().all(|one| one.connections > Some(0)));
    assert!(summary.breaks.iter().any(|one| one.lost_bytes > 0));
    assert_eq!(summary.to_json(), run(&proxies).summary.to_json());
    // If no proxy can lose its state, the summary does not mention resets.
    let still = run("peps = [{ at = [\"1\"], buffer = \"100 kB\" }]");
    assert!((0..7).all(|flow| visits(&still, flow).retried.is_none()));
}
