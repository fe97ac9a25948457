// SPDX-License-Identifier: MIT OR Apache-2.0
//! Applications: the meaning of a flow's table, printing without loss, and the exact messages for refused tables.

use bentpipe_scenario::{FlowKind, Scenario, TransportConfig};
use traffic::{Arrivals, Begin, Choice, Law, Model, Objects, Protocol};
use units::{Bytes, Code, Span};

/// Path of a file in `tests/data`.
const ORIGIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/a.toml");

/// Returns a scenario with a controller over 10 Mbit/s. The first additional line of its flow is line 7.
fn text(flow: &str) -> String {
    format!(
        "[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"600 ms\"\n\n[[flows]]\ncontroller = \"cubic\"\n{flow}\n"
    )
}

/// Returns when visits start and what they contain. The printed document must mean the same.
fn read(flow: &str) -> (Begin, Model) {
    let scenario = Scenario::from_toml(&text(flow), ORIGIN).unwrap_or_else(|error| panic!("{flow}: {error}"));
    let printed = scenario.to_toml("");
    let again = Scenario::from_toml(&printed, "b.toml").unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(again, scenario, "{printed}");
    assert_eq!(again.to_toml(""), printed);
    let FlowKind::Application { begin, model, transport, .. } = &scenario.flows[0].kind else {
        panic!("{flow}")
    };
    match transport {
        TransportConfig::Tcp(config) => assert_eq!(config.setup, tcp::Setup::Handshake),
        TransportConfig::Quic(config) => assert!(config.zero_rtt, "the test says so"),
    }
    (begin.clone(), model.clone())
}

fn size(law: &str) -> Law {
    match read(&format!("kind = \"transfers\"\nusers = 3\nsize = {law}")).1 {
        Model::Transfer { size } => size,
        other => panic!("{other:?}"),
    }
}

#[test]
fn laws_of_sizes() {
    assert_eq!(size("\"1 MB\""), Law::Constant(1e6));
    assert_eq!(size("{ law = \"exponential\", mean = \"100 kB\" }"), Law::Exponential { mean: 1e5 });
    let log_normal = Law::LogNormal { median: 2e4, sigma: 1.5 };
    assert_eq!(size("{ law = \"log-normal\", median = \"20 kB\", sigma = 1.5 }"), log_normal);
    let pareto = Law::Pareto { least: 1e4, shape: 1.2, most: Some(1e9) };
    assert_eq!(size("{ law = \"pareto\", least = \"10 kB\", shape = 1.2, most = \"1 GB\" }"), pareto);
    // The mean is printed if the other value is not a whole number of bytes.
    for law in [
        "{ law = \"log-normal\", mean = \"100 kB\", sigma = 2 }",
        "{ law = \"pareto\", mean = \"100 kB\", shape = 1.3 }",
    ] {
        let mean = size(law).mean().unwrap_or_default();
        assert!((mean / 1e5 - 1.0).abs() < 1e-12, "{law}: {mean}");
    }
    // For a curve with points at 25 % and 50 %, half of the drawn values are at or below the second point.
    for law in [
        "{ law = \"file\", file = \"sizes.csv\" }",
        "{ law = \"points\", points = [[\"1 kB\", 0.25], [\"20 kB\", 0.5], \
                [\"1 MB\", 1]] }",
    ] {
        let Law::Empirical(curve) = size(law) else { panic!("{law}") };
        assert_eq!((curve.quantile(0.1), curve.quantile(0.5)), (1e3, 2e4), "{law}");
    }
    // The figure in DCTCP's paper ends at 30 MB.
    let Law::Empirical(curve) = size("{ law = \"web-search\" }") else { panic!() };
    assert_eq!(curve.points().last(), Some(&(30e6, 1.0)));
}

#[test]
fn when_visits_begin() {
    let begin = |keys: &str| read(&format!("kind = \"transfers\"\nsize = \"125 kB\"\n{keys}")).0;
    let thinks = Law::Exponential { mean: 30.0 };
    assert_eq!(begin("users = 40"), Begin::Closed { users: 40, think: thinks });
    assert_eq!(begin("users = 1\nthink = \"0 s\""), Begin::Closed { users: 1, think: Law::Constant(0.0) });
    let regular = Begin::Open(Arrivals::Regular { per_s: 12.5 });
    assert_eq!(begin("arrivals = { law = \"regular\", rate = 12.5 }"), regular);
    // 125 kB are one megabit. There are 52 bytes of headers per 1448 bytes of payload. 60 % of 10 Mbit/s are 6 Mbit per
    // second.
    let rate = |keys: &str| match begin(keys) {
        Begin::Open(Arrivals::Poisson { per_s } | Arrivals::OnOff { per_s, .. }) => per_s,
        other => panic!("{other:?}"),
    };
    let expected = 6.0 * 1448.0 / 1500.0;
    assert!((rate("load = 0.6") / expected - 1.0).abs() < 1e-12);
    // On periods take a third of the time, so the rate in them is three times as high.
    let on_off = "load = 0.6\narrivals = { law = \"on-off\", on = \"5 s\", off = { law = \"exponential\", mean = \"10 s\" } }";
    assert!((rate(on_off) / (3.0 * expected) - 1.0).abs() < 1e-12);
}

#[test]
fn pages_films_and_requests() {
    let Model::Page(page) = read("kind = \"web\"\nusers = 2").1 else { panic!() };
    assert_eq!(page.protocol, Protocol::Http2);
    let Model::Page(named) = read("kind = \"web\"\nusers = 2\npage = \"median-2024\"").1 else { panic!() };
    assert_eq!(named, page);
    let drawn = "kind = \"web\"\nusers = 2\npage = { objects = 70, size = \"25 kB\", stages = 3, protocol = \"http1\" }";
    let Model::Page(page) = read(drawn).1 else { panic!() };
    assert_eq!((page.protocol, page.mean_bytes()), (Protocol::Http1 { connections: 6 }, Some(71.0 * 25e3)));
    let turns = drawn.replace("http1", "http2-interleaved");
    let Model::Page(page) = read(&turns).1 else { panic!() };
    assert_eq!(page.protocol, Protocol::Http2Interleaved);
    let listed = "kind = \"web\"\nusers = 2\npage = { objects = [{ name = \"index\", size = \"30 kB\" }, { name = \"app.js\", \
                  size = \"200 kB\", after = [\"index\"], think = \"50 ms\" }] }";
    let Model::Page(page) = read(listed).1 else { panic!() };
    let Objects::Listed(objects) = page.objects else { panic!() };
    assert_eq!((objects[1].size, objects[1].think), (Bytes::new(200_000), Span::from_millis(50)));
    let Model::Film(film) = read("kind = \"video\"\nusers = 2").1 else { panic!() };
    assert_eq!((film.ladder.len(), film.choice), (10, Choice::BBA_0));
    let film = "kind = \"video\"\nusers = 2\nvideo = { ladder = [\"1 Mbit/s\", \"5 Mbit/s\"], buffer = \"60 s\", choice = \"rate\" }";
    let Model::Film(film) = read(film).1 else { panic!() };
    assert_eq!((film.choice, film.buffer), (Choice::RATE, Span::from_secs(60)));
    let request = "kind = \"requests\"\nusers = 2\ntls = true\nrequest = { answer = { law = \"exponential\", mean = \"2 kB\" }, \
                   count = 4, wait = \"20 ms\" }";
    let Model::Secured { inner, .. } = read(request).1 else { panic!() };
    assert_eq!(inner.mean_bytes(), Some(8000.0));
}

/// Printing an application over QUIC loses nothing, and its visits equal those over TCP. Objects of a page arrive
/// independently of each other.
#[test]
fn applications_over_quic() {
    let quic = "transport = \"quic\"\nquic = { zero_rtt = true }";
    for rest in [
        "kind = \"transfers\"\nusers = 3\nsize = \"1 MB\"",
        "kind = \"requests\"\nload = 0.5\nrequest = { answer = \"2 kB\", count = 3 }",
        "kind = \"video\"\nusers = 3\nvideo = { ladder = [\"1 Mbit/s\"], length = \"12 s\" }",
        "kind = \"web\"\nusers = 3\npage = \"median-2024\"",
    ] {
        let (begin, model) = read(&format!("{quic}\n{rest}"));
        let over_tcp = read(rest);
        if let Begin::Closed { .. } = begin {
            assert_eq!(begin, over_tcp.0);
        }
        match (model, over_tcp.1) {
            (Model::Page(page), Model::Page(over_tcp)) => {
                assert_eq!(page.objects, over_tcp.objects);
                assert_eq!(page.protocol, Protocol::Http2Interleaved);
            }
            (model, over_tcp) => assert_eq!(model, over_tcp),
        }
    }
}

/// A warning is given if the visits to users at the receiving end of a shared link exceed the rate of the link.
#[test]
fn too_much_is_said() {
    let of = |flow: &str| {
        Scenario::from_toml(&text(flow), ORIGIN).map_or_else(|error| panic!("{error}"), |it| it.overloads())
    };
    let transfers = |load: f64| format!("kind = \"transfers\"\nsize = \"125 kB\"\nload = {load}");
    assert_eq!(of(&transfers(0.99)), Vec::<String>::new());
    assert_eq!(
        of(&transfers(1.2)),
        [
            "flow \"transfers\": visits offer 12 Mbit/s to \"left > right\", which carries 10 Mbit/s (load 1.2). \
             Visits begin whether or not earlier visits are over, so the backlog grows by 0.250 MB/s. The later a \
             visit begins, the longer it takes, so more and more visits stay unfinished"
        ]
    );
    // Two applications that share a link, and a constant stream next to them.
    let beside =
        "kind = \"transfers\"\nsize = \"125 kB\"\nload = 0.7\n[[flows]]\nkind = \"cbr\"\nrate = \"4 Mbit/s\"";
    let said = of(beside);
    assert!(said[0].contains("offer 11 Mbit/s") && said[0].contains("load 1.1"), "{said:?}");
    // Users who wait for their visits never cause a warning.
    assert_eq!(of("kind = \"transfers\"\nsize = \"1 GB\"\nusers = 1000"), Vec::<String>::new());
}

fn refuses(flow: &str, code: Code, message: &str) {
    let Err(error) = Scenario::from_toml(&text(flow), "a.toml") else { panic!("{flow} was accepted") };
    assert_eq!((error.to_string().as_str(), error.code()), (message, code), "{flow}");
}

#[test]
fn what_is_refused() {
    let transfers = "kind = \"transfers\"\nsize = \"1 MB\"\n";
    for (flow, code, message) in [
        (
            format!("{transfers}users = 3\narrivals = {{ law = \"poisson\", rate = 1 }}"),
            Code::ScenarioValue,
            "a.toml:10: flows[0].arrivals: `users` and `arrivals` contradict each other: users begin a visit after a \
             think time, but arrivals begin whether or not earlier visits are over (keep one of them)",
        ),
        (
            transfers.to_owned(),
            Code::ScenarioMissingKey,
            "a.toml:5: flows[0].users: a flow of kind \"transfers\" needs a key that determines when visits begin \
             (write users = 40, arrivals = { law = \"poisson\", rate = 12.5 } or load = 0.6)",
        ),
        (
            "kind = \"transfers\"\nusers = 3".to_owned(),
            Code::ScenarioMissingKey,
            "a.toml:5: flows[0].size: a flow of kind \"transfers\" needs the key `size` (write size = \"1 MB\")",
        ),
        (
            "kind = \"transfers\"\nload = 0.5\nsize = { law = \"pareto\", least = \"1 kB\", shape = 0.9 }".to_owned(),
            Code::ScenarioValue,
            "a.toml:8: flows[0].load: load = 0.5 needs the mean size of a visit, but the visits of this flow have no \
             mean size: a Pareto law of shape 1 or less has no mean (set `most`, or a shape above 1) (write arrivals \
             = { law = \"poisson\", rate = 1 })",
        ),
        (
            "kind = \"transfers\"\nusers = 3\nsize = { law = \"points\", points = [[\"1 kB\", 0.5], [\"2 kB\", 0.4]] }".to_owned(),
            Code::ScenarioValue,
            "a.toml:9: flows[0].size.points[1]: the CDF falls from 0.5 to 0.4 (it is cumulative: the probability of this value or \
             less)",
        ),
        (
            "kind = \"transfers\"\nusers = 3\nsize = { law = \"points\", points = [] }".to_owned(),
            Code::ScenarioValue,
            "a.toml:9: flows[0].size.points: the CDF has no points (write rows of value and probability, the last one of \
             probability 1)",
        ),
        (
            "kind = \"transfers\"\nusers = 3\nsize = { law = \"pareto\", mean = \"1 kB\" }".to_owned(),
            Code::ScenarioMissingKey,
            "a.toml:9: flows[0].size.shape: the law \"pareto\" needs its shape (write shape = 1.2)",
        ),
        (
            "kind = \"transfers\"\nusers = 3\nsize = { law = \"exponential\", mean = \"1 kB\", shape = 2 }".to_owned(),
            Code::ScenarioValue,
            "a.toml:9: flows[0].size.shape: the law \"exponential\" has no key `shape` (remove `shape`, or write law \
             = \"pareto\")",
        ),
        (
            "kind = \"web\"\nusers = 3\npage = { objects = [{ name = \"a\", size = \"1 kB\", after = [\"b\"] }, { name = \"b\", \
             size = \"1 kB\", after = [\"a\"] }] }"
                .to_owned(),
            Code::ScenarioValue,
            "a.toml:9: flows[0].page.objects: objects wait for each other in a circle: \"a\" after \"b\" after \"a\" (remove one `after`)",
        ),
        (
            "kind = \"web\"\nusers = 3\npage = { objects = 3 }".to_owned(),
            Code::ScenarioMissingKey,
            "a.toml:9: flows[0].page.size: a page with a number of `objects` also needs their `size` (write size = \"25 kB\", or a distribution)",
        ),
        (
            "kind = \"video\"\nusers = 3\nvideo = { ladder = [\"2 Mbit/s\", \"1 Mbit/s\"] }".to_owned(),
            Code::ScenarioValue,
            "a.toml:9: flows[0].video.ladder[1]: the ladder must rise: rung 2 has 1 Mbit/s after 2 Mbit/s (write the rates \
             from the lowest to the highest)",
        ),
        (
            "kind = \"video\"\nload = 0.5".to_owned(),
            Code::ScenarioValue,
            "a.toml:8: flows[0].load: load = 0.5 needs the mean size of a visit, but the visits of this flow have no \
             mean size: the sizes of a video's segments depend on the network (write arrivals = { law = \"poisson\", rate = 1 })",
        ),
        (
            "kind = \"web\"\nusers = 3\nsize = \"1 MB\"".to_owned(),
            Code::ScenarioValue,
            "a.toml:9: flows[0].size: a flow of kind \"web\" has no key `size` (remove `size`, or write kind = \
             \"tcp\")",
        ),
        (
            "size = { law = \"exponential\", mean = \"1 kB\" }".to_owned(),
            Code::ScenarioValue,
            "a.toml:7: flows[0].size: the flow is one connection, so it has one size, not a law of sizes (write size \
             = \"10 MB\", or kind = \"transfers\")",
        ),
        (
            format!("{transfers}users = 3\ntcp = {{ setup = \"ns-2\" }}"),
            Code::ScenarioValue,
            "a.toml:10: flows[0].tcp.setup: setup = \"ns-2\" is for connections that send data in one direction, but \
             connections of applications carry requests and answers (write setup = \"handshake\", or remove `setup`)",
        ),
        (
            format!("{transfers}users = 3\n[record]\nqlog = [\"transfers\"]"),
            Code::ScenarioValue,
            "a.toml:11: record.qlog[0]: the flow \"transfers\" is of kind transfers and has many connections, but a \
             qlog describes one sender (name a tcp flow here, or name \"transfers\" in `pcap`)",
        ),
    ] {
        refuses(&flow, code, message);
    }
}

#[test]
fn what_is_refused_over_quic() {
    let transfers = "kind = \"transfers\"\nsize = \"1 MB\"\n";
    let over_quic = "transport = \"quic\"\nusers = 3\n";
    for (flow, message) in [
        (
            format!("{transfers}{over_quic}tls = true"),
            "a.toml:11: flows[0].tls: a flow over \"quic\" has no key `tls` (remove `tls`, or write transport = \
             \"tcp\")",
        ),
        (
            format!("{transfers}{over_quic}quic = {{ stream_size = \"1 MB\" }}"),
            "a.toml:11: flows[0].quic.stream_size: `stream_size` has no effect: each request uses its own stream, \
             together with its answer (remove `stream_size`)",
        ),
        (
            format!(
                "kind = \"web\"\n{over_quic}page = {{ objects = 6, size = \"9 kB\", protocol = \"http2\" }}"
            ),
            "a.toml:10: flows[0].page.protocol: `protocol` has no effect with transport = \"quic\": each object uses \
             a stream of one QUIC connection (remove `protocol`)",
        ),
        (
            format!("{transfers}{over_quic}quic = {{ controllers = \"library\" }}"),
            "a.toml:11: flows[0].quic.controllers: the QUIC library's own controllers work only in flows without the \
             key `kind` (write quic = { controllers = \"bentpipe\" }, or remove this key)",
        ),
    ] {
        refuses(&flow, Code::ScenarioValue, message);
    }
}

/// Faults of a file have its line.
#[test]
fn files_that_fall() {
    let flow = "kind = \"transfers\"\nusers = 3\nsize = { law = \"file\", file = \"nowhere.csv\" }";
    let error = Scenario::from_toml(&text(flow), ORIGIN).expect_err("there is no such file");
    assert_eq!(error.code(), Code::ScenarioUnreadable);
    assert!(
        error.to_string().ends_with("nowhere.csv: cannot read the distribution: there is no such file"),
        "{error}"
    );
}

/// A load is refused, with the reason, if no rate is known before the run.
#[test]
fn loads_need_a_rate() {
    let trace = "[network.dumbbell]\ntrace = \"x.deliveries\"\nrtt = \"600 ms\"\n[[flows]]\ncontroller = \"cubic\"\nkind = \
                 \"transfers\"\nsize = \"1 MB\"\nload = 0.5\n";
    let error = Scenario::from_toml(trace, "a.toml").expect_err("it has no rate");
    assert_eq!(
        error.to_string(),
        "a.toml:8: flows[0].load: load = 0.5 is relative to the smallest link rate from \"left\" to \"right\", but \
         the rate of \"left > right\" is unknown before the run, because a trace determines it (write arrivals = { \
         law = \"poisson\", rate = 1 })"
    );
    // Over Starlink, answers travel to the dish, at the median of the preset's rates.
    let starlink = "[network.starlink]\npreset = \"starlink-good\"\n[[flows]]\ncontroller = \"cubic\"\nfrom = \"server\"\nto = \
                    \"dish\"\nkind = \"transfers\"\nsize = \"1 MB\"\nload = 0.5\n";
    let scenario = Scenario::from_toml(starlink, "a.toml").unwrap_or_else(|error| panic!("{error}"));
    assert!((scenario.load(&scenario.flows[0]).unwrap_or_default() - 0.5).abs() < 1e-12);
}
