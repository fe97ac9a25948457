// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whole documents: their meaning, and printing without loss.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_scenario::{
    FlowKind, NetworkChoice, Scenario, Value, Window, Wire, WireDelay, WireService, json_schema,
};
use link::{
    Arq, Bursts, CeThreshold, ChainSpec, ChainState, CoDel, Delay, Discipline, DropFront, Drr, DualPi2,
    DualScheduler, FqCoDel, Impairment, LossList, Netem, Pie, Piece, Priority, Queue, QueueLimit,
    RateSchedule, Red, Service, Threshold, TraceEnd, WaitEstimate,
};
use orbit::WalkerPattern;
use proptest::prelude::*;
use topology::{InFlight, Orbits, Visibility};
use units::{Angle, Bytes, Rate, Span, Time};

/// Reads a document. Checks that the printed document has the same meaning and is printed identically.
fn read(text: &str) -> Scenario {
    let scenario = Scenario::from_toml(text, "a.toml").unwrap_or_else(|error| panic!("{error}"));
    let printed = scenario.to_toml("bentpipe 1.2.3\nseed 1");
    assert!(printed.starts_with("# bentpipe 1.2.3\n# seed 1\n"), "{printed}");
    let again = Scenario::from_toml(&printed, "b.toml").unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(again, scenario, "{printed}");
    assert_eq!(again.to_toml("bentpipe 1.2.3\nseed 1"), printed);
    scenario
}

const fn mbit(mbit_s: u64) -> Rate {
    Rate::from_bits_per_s(mbit_s * 1_000_000)
}

#[test]
fn a_dumbbell_is_three_lines() {
    let scenario = read(
        "[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"600 ms\"\n[[flows]]\ncontroller = \"cubic\"\n",
    );
    assert_eq!(
        (scenario.name.as_str(), scenario.duration, scenario.seed),
        ("untitled", Span::from_secs(60), 1)
    );
    assert_eq!(scenario.record.interval, Some(Span::from_millis(100)));
    let NetworkChoice::Dumbbell { forward, reverse } = &scenario.network else { panic!() };
    let link = &forward.spec;
    assert_eq!(
        (link.rate, link.queue.limit, link.loss.clone()),
        (Some(mbit(10)), QueueLimit::Bdp(1.0), Impairment::None)
    );
    assert_eq!(forward.delay, WireDelay::Given(Delay::Constant(Span::from_millis(300))));
    assert_eq!(reverse, forward);
    let flow = &scenario.flows[0];
    assert_eq!(
        (flow.name.as_str(), flow.count, flow.from.as_str(), flow.to.as_str()),
        ("cubic", 1, "left", "right")
    );
    let FlowKind::Tcp { config, transfer, .. } = &flow.kind else { panic!() };
    // A setting that depends on another key is resolved: PRR is on with RACK.
    let config_there = tcp::Config { prr: Some(false), ..tcp::Config::default() };
    assert_eq!((config, *transfer), (&config_there, tcp::Transfer::Endless));
}

#[test]
fn prr_comes_with_rack_unless_it_is_named() {
    for (tcp, prr) in [
        ("recovery = \"rack\"", true),
        ("recovery = \"rack\", prr = false", false),
        ("recovery = \"sack\"", false),
        ("recovery = \"sack\", prr = true", true),
        ("recovery = \"newreno\"", false),
    ] {
        let text = format!(
            "tcp = {{ {tcp} }}\n[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"600 ms\"\n[[flows]]\n\
             controller = \"cubic\"\n"
        );
        let scenario = read(&text);
        let FlowKind::Tcp { config, .. } = &scenario.flows[0].kind else { panic!("{scenario:?}") };
        assert_eq!(config.prr, Some(prr), "{tcp}");
        // The printed document contains the name, so that it describes the whole run.
        let written = scenario.to_toml("");
        assert!(written.contains(&format!("prr = {prr}")), "{written}");
        assert_eq!(read(&written), scenario);
    }
}

#[test]
fn berkeley_to_boston_over_iridium() {
    let scenario = read(
        r#"
name = "Berkeley to Boston over Iridium"
duration = "100 s"
seed = 7
[network.constellation]
preset = "iridium"
isl = { rate = "25 Mbit/s", queue = "60 packets", loss = { per = 1e-4 } }
user_link = { rate = "2 Mbit/s", queue = "50 packets" }
downlink = { queue = "100 ms" }
in_flight = "drop"
isl_latitude_limit = "unlimited"
[tcp]
mss = "960 B"
header = "40 B"
delayed_ack = true
[[flows]]
count = 30
from = "berkeley"
to = "Boston"
controller = "hybla-im"
access = { rate = "10 Mbit/s", delay = "1 ms" }
[[flows]]
from = "Boston"
to = "37.9, -122.3"
controller = { name = "cubic", slow_start = "hystart++", fast_convergence = true, c = 1 }
tcp = { mss = "1 kB", delayed_ack = false, receive_window = "4 MB", recovery = "rack" }
size = "10 MB"
"#,
    );
    let NetworkChoice::Constellation { spec, sites, .. } = &scenario.network else { panic!() };
    let names: Vec<_> = sites.iter().map(|site| site.name.as_str()).collect();
    assert_eq!(names, ["Berkeley", "Boston", "37.9, -122.3"]);
    let isl = spec.isl.as_ref().unwrap();
    assert_eq!(
        (isl.link.queue.limit, isl.link.loss.clone()),
        (QueueLimit::Packets(60), Impairment::PacketErrorRate(1e-4))
    );
    assert_eq!((isl.cross_seam, isl.latitude_limit), (false, None));
    assert_eq!((spec.uplink.rate, spec.uplink.queue.limit), (Some(mbit(2)), QueueLimit::Packets(50)));
    assert_eq!(
        (spec.downlink.rate, spec.downlink.queue.limit),
        (Some(mbit(2)), QueueLimit::Time(Span::from_millis(100)))
    );
    // Keys that the file does not set have the preset's values (Hybla-IM paper, table 2).
    assert_eq!(spec.visibility, Visibility::Elevation(Angle::from_deg(8.2)));
    assert_eq!(spec.in_flight, InFlight::Drop);
    let FlowKind::Tcp { config, .. } = &scenario.flows[0].kind else { panic!() };
    let every_second = tcp::DelayedAck::Every { segments: 2, at_most: Span::from_millis(40) };
    assert_eq!((config.mss, config.header, config.delayed_ack), (960, 40, Some(every_second)));
    assert_eq!(scenario.flows[0].access.as_ref().unwrap().link.queue.limit, QueueLimit::Unlimited);
    let FlowKind::Tcp { config, controller, transfer } = &scenario.flows[1].kind else { panic!() };
    assert_eq!((config.mss, config.header, config.delayed_ack), (1000, 40, None));
    assert_eq!(config.receive_window, tcp::ReceiveWindow::Fixed(Bytes::new(4_000_000)));
    assert_eq!(*transfer, tcp::Transfer::Finite(Bytes::new(10_000_000)));
    // Parameters keep the order of the file.
    let expected = [
        ("slow_start".to_owned(), Value::Text("hystart++".to_owned())),
        ("fast_convergence".to_owned(), Value::Flag(true)),
        ("c".to_owned(), Value::Number(1.0)),
    ];
    assert_eq!(controller.parameters, expected);
}

#[test]
fn a_shell_and_sites_of_ones_own() {
    let scenario = read(
        r#"
[network.constellation]
walker = { planes = 5, per_plane = 8, altitude = "1200.5 km", inclination = "87.9 deg", spacing = "36 deg" }
isl = false
user_link = { rate = "unlimited", loss = { ber = 1e-9 } }
sites = [{ name = "Igloo", latitude = "78.2 deg", longitude = "15.6 deg" }]
[[flows]]
from = "Igloo"
to = "Madrid"
controller = "reno"
"#,
    );
    let NetworkChoice::Constellation { spec, sites, .. } = &scenario.network else { panic!() };
    assert_eq!((spec.name.as_str(), &spec.isl, spec.uplink.rate), ("custom", &None, None));
    assert_eq!(spec.uplink.loss, Impairment::BitErrorRate(1e-9));
    assert_eq!((sites[0].name.as_str(), sites[0].latitude), ("Igloo", Angle::from_deg(78.2)));
    let Orbits::Walker(shell) = &spec.shells[0].orbits else { panic!() };
    assert_eq!(shell.pattern, WalkerPattern::Star { spacing: Angle::from_deg(36.0) });
}

#[test]
fn elements_lie_beside_the_scenario() {
    let text = r#"
[network.constellation]
catalogue = "iridium.tle"
oldest = "14 d"
unusable = "skip"
start = "2019-03-09T00:00:00Z"
user_link = { rate = "1 Mbit/s" }
[[flows]]
from = "Berkeley"
to = "Boston"
controller = "reno"
"#;
    read(text);
    let scenario = Scenario::from_toml(text, "deep/a.toml").unwrap();
    let NetworkChoice::Constellation { spec, .. } = &scenario.network else { panic!() };
    let start = Some("2019-03-09T00:00:00Z".to_owned());
    let file = "deep/iridium.tle".into();
    let oldest = Some(Span::from_secs(14 * 86_400));
    assert_eq!(
        spec.shells[0].orbits,
        Orbits::Catalogue {
            file,
            start,
            oldest,
            skip_unusable: true,
            objects: topology::Objects::Satellites
        }
    );
}

#[test]
fn a_chain_a_star_and_cross_traffic() {
    let scenario = read(
        r#"
[network.chain]
links = 12
link = { rate = "25 Mbit/s", delay = "13.45 ms", queue = "75 kB" }
[record]
interval = "off"
events = false
packets = true
[[flows]]
controller = "reno"
stagger = "10 ms"
count = 3
[[flows]]
kind = "cbr"
rate = "1.5 Mbit/s"
from = "3"
to = "4"
start = "5 s"
stop = "10 s"
"#,
    );
    let NetworkChoice::Chain { links } = &scenario.network else { panic!() };
    assert_eq!((links.len(), links[11].spec.queue.limit), (12, QueueLimit::Bytes(Bytes::new(75_000))));
    assert_eq!(scenario.flows[0].to, "12");
    assert_eq!(scenario.record.interval, None);
    let window = Window { from: Time::ZERO, to: Time::ZERO + Span::from_secs(60) };
    assert_eq!(scenario.record.packets, Some(window));
    let FlowKind::Cbr { rate, packet, on_off: None } = scenario.flows[1].kind else { panic!() };
    assert_eq!((rate, packet), (Rate::from_bits_per_s(1_500_000), Bytes::new(1000)));

    let scenario = read(
        r#"
[network.star]
branches = [
  { site = "ship", rate = "10 Mbit/s", delay_steps = [["0 s", "270 ms"], ["15 s", "50 ms"]], queue = "2 BDP" },
  { site = "server", rate = "1 Gbit/s", delay = "5 ms" },
]
[record]
packets = { from = "1 s", to = "2 s" }
[[flows]]
from = "server"
to = "ship"
controller = "vegas"
"#,
    );
    let NetworkChoice::Star { branches, .. } = &scenario.network else { panic!() };
    let WireDelay::Given(delay) = &branches[0].1.delay else { panic!() };
    let at = |s| delay.at(Time::ZERO + Span::from_secs(s));
    assert_eq!((at(14), at(15)), (Span::from_millis(270), Span::from_millis(50)));
}

#[test]
fn a_dumbbell_with_a_way_back_of_its_own() {
    let scenario = read(
        r#"
[network.dumbbell]
rate = "100 Mbit/s"
delay = "300 ms"
loss = { per = 1e-3 }
reverse = { rate = "10 Mbit/s", queue = "unlimited", delay = "20 ms" }
[[flows]]
from = "right"
to = "left"
controller = "cubic"
"#,
    );
    let NetworkChoice::Dumbbell { forward, reverse } = &scenario.network else { panic!() };
    assert_eq!(forward.spec.loss, Impairment::PacketErrorRate(1e-3));
    assert_eq!(
        (reverse.spec.rate, reverse.spec.loss.clone(), reverse.spec.queue.limit),
        (Some(mbit(10)), Impairment::None, QueueLimit::Unlimited)
    );
    assert_eq!(reverse.delay, WireDelay::Given(Delay::Constant(Span::from_millis(20))));
}

/// Rates, losses and delays over time on every kind of link, and their form in the resolved scenario.
#[test]
fn every_link_may_change_with_time() {
    let link = |key: &str| {
        format!(
            r#"{key} = {{ rate_steps = [{{ at = "0 s", rate = "9 Mbit/s", ramp_to = "3 Mbit/s" }}, {{ at = "5 s", rate = "3 Mbit/s" }}], loss = {{ per = 1e-3, steps = [{{ at = "2 s", per = 0.5 }}, {{ at = "3 s", per = 0.0 }}] }}, extra_delay = [{{ at = "1 s", delay = "5 ms" }}] }}"#
        )
    };
    let scenario = read(&format!(
        "[network.constellation]\npreset = \"iridium\"\n{}\n{}\n{}\n[[flows]]\nfrom = \"Berkeley\"\nto = \"Boston\"\n\
         controller = \"cubic\"\n{}\n",
        link("uplink"),
        link("isl"),
        link("feeder"),
        link("access"),
    ));
    let NetworkChoice::Constellation { spec, .. } = &scenario.network else { panic!() };
    let isl = spec.isl.as_ref().unwrap_or_else(|| panic!("Iridium has inter-satellite links"));
    let access = scenario.flows[0].access.as_ref().unwrap_or_else(|| panic!("it has an access link"));
    for link in [&spec.uplink, &isl.link, &spec.feeder, &access.link] {
        assert_eq!((link.rate, link.loss.clone()), (Some(mbit(9)), Impairment::PacketErrorRate(1e-3)));
        let changes = link.changes.as_ref().unwrap_or_else(|| panic!("it changes"));
        let at = |secs| Time::ZERO + Span::from_secs(secs);
        let ramp = Piece { from: at(0), start: mbit(9), end: mbit(3) };
        assert_eq!(
            changes.rate,
            RateSchedule::new(vec![ramp, Piece::constant(at(5), mbit(3))]).ok().map(Service::Schedule)
        );
        assert_eq!(*changes.loss, [(at(2), 0.5), (at(3), 0.0)]);
        assert_eq!(*changes.extra_delay, [(at(1), Span::from_millis(5))]);
    }
    assert!(spec.downlink.changes.is_none());
}

/// File names are relative to the scenario's folder. The reverse link replays the files of the forward link unless it
/// sets its own.
#[test]
fn links_that_change_with_time() {
    let scenario = read(
        r#"
[network.dumbbell]
trace = "up.trace"
delay_trace = "delays.txt"
loss = { bursts = { to_bad = 0.033, to_good = 0.84, loss = 0.14 } }
reverse = { rate_steps = [{ at = "0 s", rate = "5 Mbit/s" }, { at = "15 s", rate = "20 Mbit/s" }] }
[[flows]]
controller = "cubic"
"#,
    );
    let NetworkChoice::Dumbbell { forward, reverse } = &scenario.network else { panic!() };
    assert_eq!(forward.service, WireService::Trace("up.trace".into()));
    assert_eq!((&forward.delay, &reverse.delay), (&WireDelay::Trace("delays.txt".into()), &forward.delay));
    let bin = Span::from_millis(100);
    let bursts = Bursts { bin, to_bad: 0.033, to_good: 0.84, loss: 0.14 };
    assert_eq!([&forward.spec.loss, &reverse.spec.loss], [&Impairment::Bursts(bursts), &Impairment::None]);
    let WireService::Steps(schedule) = &reverse.service else { panic!() };
    assert_eq!(schedule.pieces()[1], Piece::constant(Time::ZERO + Span::from_secs(15), mbit(20)));

    let text = "[network.chain]\nlinks = 2\nlink = { trace = \"t\", delay = \"1 ms\" }\n[[flows]]\ncontroller = \"cubic\"\n";
    let scenario = Scenario::from_toml(text, "some/where/a.toml").unwrap_or_else(|error| panic!("{error}"));
    let NetworkChoice::Chain { links } = &scenario.network else { panic!() };
    assert_eq!(links[1].service, WireService::Trace("some/where/t".into()));
}

/// A path trace replaces missing keys. The reverse link uses the trace of the forward link if its rate or delay comes
/// from it, unless it has its own trace. A trace with only losses applies to the forward link. Printing and reading
/// loses nothing.
#[test]
fn path_traces() {
    let both = |text: &str| {
        let scenario = read(&format!("[network.dumbbell]\n{text}\n[[flows]]\ncontroller = \"cubic\"\n"));
        assert_eq!(read(&scenario.to_toml("")).network, scenario.network, "{text}");
        let NetworkChoice::Dumbbell { forward, reverse } = scenario.network else { panic!() };
        (forward, reverse)
    };
    let file = |wire: &Wire| {
        wire.path_trace.as_ref().map(|file| (file.to_string_lossy().into_owned(), wire.trace_end))
    };
    let (forward, reverse) = both("path_trace = \"p.csv\"\ntrace_end = \"wrap\"\nqueue = \"9 packets\"");
    assert_eq!((&forward.service, &forward.delay), (&WireService::PathTrace, &WireDelay::PathTrace));
    assert_eq!(file(&forward), Some(("p.csv".to_owned(), Some(TraceEnd::Wrap))));
    assert_eq!((&reverse.service, file(&reverse)), (&WireService::PathTrace, file(&forward)));

    let (forward, reverse) = both("path_trace = \"loss.csv\"\nrate = \"10 Mbit/s\"\nrtt = \"50 ms\"");
    assert_eq!(
        (&forward.service, file(&forward)),
        (&WireService::Constant, Some(("loss.csv".to_owned(), None)))
    );
    assert_eq!(file(&reverse), None);

    let (_, reverse) =
        both("path_trace = \"p.csv\"\nreverse = { path_trace = \"back.csv\", delay = \"5 ms\" }");
    assert_eq!(file(&reverse), Some(("back.csv".to_owned(), None)));
    assert_eq!(reverse.service, WireService::PathTrace);
    assert_eq!(reverse.delay, WireDelay::Given(Delay::Constant(Span::from_millis(5))));

    let (_, reverse) = both("path_trace = \"p.csv\"\nreverse = { rate = \"1 Mbit/s\", delay = \"5 ms\" }");
    assert_eq!((reverse.service.clone(), file(&reverse)), (WireService::Constant, None));

    let text = "[network.star]\nbranches = [{ site = \"a\", path_trace = \"t\" }]\n[[flows]]\ncontroller = \"cubic\"\nfrom = \"a\"\nto = \"hub\"\n";
    let scenario = Scenario::from_toml(text, "some/where/a.toml").unwrap_or_else(|error| panic!("{error}"));
    let NetworkChoice::Star { branches, .. } = &scenario.network else { panic!() };
    assert_eq!(file(&branches[0].1), Some(("some/where/t".to_owned(), None)));
}

/// Listed losses can be combined with random losses. The reverse link has neither. Printing and reading loses nothing.
#[test]
fn losses_by_number_and_by_time() {
    let scenario = read(
        r#"
[network.dumbbell]
rate = "10 Mbit/s"
rtt = "50 ms"
loss = { per = 1e-3, packets = [400, 1400], period = 5000, spans = [["20 s", "22 s"], ["22 s", "23 s"]] }
[[flows]]
controller = "cubic"
"#,
    );
    let NetworkChoice::Dumbbell { forward, reverse } = &scenario.network else { panic!() };
    let s = |s| Time::ZERO + Span::from_secs(s);
    let list = LossList {
        packets: [400, 1400].into(),
        period: Some(5000),
        spans: [(s(20), s(22)), (s(22), s(23))].into(),
    };
    assert_eq!(forward.spec.listed.as_deref(), Some(&list));
    assert_eq!(forward.spec.loss, Impairment::PacketErrorRate(1e-3));
    assert!(reverse.spec.listed.is_none());
    assert_eq!(read(&scenario.to_toml("")).network, scenario.network);
}

/// Loss chains: missing keys have the defaults of tc, or lead to the other of two states. Printing and reading loses
/// nothing.
#[test]
fn losses_with_a_memory() {
    let chain = |loss: &str| {
        let scenario = read(&format!(
            "[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"50 ms\"\nloss = {{ {loss} }}\n[[flows]]\ncontroller = \"cubic\"\n"
        ));
        assert_eq!(read(&scenario.to_toml("")).network, scenario.network);
        let NetworkChoice::Dumbbell { forward, reverse } = scenario.network else { panic!() };
        assert_eq!(reverse.spec.loss, Impairment::None);
        let Impairment::Chain(chain) = forward.spec.loss else { panic!("{:?}", forward.spec.loss) };
        chain
    };
    assert_eq!(
        *chain("netem = { p13 = 0.25 }").spec(),
        ChainSpec::Netem(Netem { p13: 0.25, p31: 0.75, p32: 0.0, p23: 1.0, p14: 0.0 })
    );
    assert_eq!(
        *chain("netem = { p13 = 0.02, p31 = 0.2, p32 = 0.3, p23 = 0.5, p14 = 0.01 }").spec(),
        ChainSpec::Netem(Netem { p13: 0.02, p31: 0.2, p32: 0.3, p23: 0.5, p14: 0.01 })
    );
    let two = chain("chain = { states = [{ lasts = \"3 s\" }, { lasts = \"1 s\", loss = 0.5 }] }");
    let state =
        |loss, lasts, next: [f64; 2]| ChainState { loss, lasts: Span::from_secs(lasts), next: next.into() };
    assert_eq!(*two.spec(), ChainSpec::States(vec![state(0.0, 3, [0.0, 1.0]), state(0.5, 1, [1.0, 0.0])]));
    assert!((two.mean_loss() - 0.125).abs() < 1e-15);
    let drive = chain(
        "land_mobile = { speed = \"90 km/h\", margin = \"5 dB\", good = { lasts = \"200 m\", rice_factor = \"10 dB\" }, bad = { \
         lasts = \"50 m\", mean = \"-9 dB\", deviation = \"5 dB\" } }",
    );
    let ChainSpec::LandMobile(said) = drive.spec() else { panic!("{drive:?}") };
    assert_eq!(said.durations(), [Span::from_secs(8), Span::from_secs(2)]);
    let city = chain("two_state = { speed = \"50 km/h\", margin = \"8 dB\", surroundings = \"urban-45\" }");
    let ChainSpec::TwoState(said) = city.spec() else { panic!("{city:?}") };
    // The defaults of `p681LMSChannel` in MathWorks: StateDistribution [3.0639 2.9108; 1.6980 1.2602], MinStateDuration
    // [10 6], DirectPathDistribution [-1.8225 -15.4844; 1.1317 3.3245], MultipathPowerCoefficients [-0.0481 0.9434;
    // -14.7450 -1.7555], StandardDeviationCoefficients [-0.4643 -0.0798; 0.3334 2.8101], DirectPathCorrelationDistance
    // [1.7910 1.7910].
    let row = |state: &link::LooState| {
        (
            [state.log_mean, state.log_deviation, state.shortest.m()],
            [state.level_mean.db(), state.level_deviation.db()],
            (state.echoes, state.direct, state.correlation.m()),
        )
    };
    let good = ([3.0639, 1.6980, 10.0], [-1.8225, 1.1317], ((-0.0481, -14.7450), (-0.4643, 0.3334), 1.7910));
    let bad = ([2.9108, 1.2602, 6.0], [-15.4844, 3.3245], ((0.9434, -1.7555), (-0.0798, 2.8101), 1.7910));
    assert_eq!((row(&said.good), row(&said.bad)), (good, bad));
}

/// Every row of the tables is printed state by state. Reading it gives the same states.
#[test]
fn the_two_states_of_every_surroundings() {
    for surroundings in [
        "urban-20",
        "urban-30",
        "urban-45",
        "urban-60",
        "suburban-20",
        "suburban-30",
        "suburban-45",
        "suburban-60",
        "rural-wooded-20",
        "rural-wooded-30",
        "rural-wooded-45",
        "rural-wooded-60",
        "rural-wooded-70",
    ] {
        let scenario = read(&format!(
            "[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"50 ms\"\n[network.dumbbell.loss.two_state]\nspeed = \"50 \
             km/h\"\nmargin = \"8 dB\"\nsurroundings = \"{surroundings}\"\n[[flows]]\ncontroller = \"cubic\"\n"
        ));
        let text = scenario.to_toml("");
        assert!(text.contains("log_mean") && !text.contains(surroundings), "{text}");
        assert_eq!(read(&text).network, scenario.network);
    }
}

/// The reverse link has the ARQ of the forward link. Printing and reading loses nothing.
#[test]
fn a_link_that_repeats() {
    let scenario = read(
        "[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"50 ms\"\narq = { repeats = 3, delay = \"20 ms\" }\nreverse = { arq = { repeats = \
         1 } }\n[[flows]]\ncontroller = \"cubic\"\n",
    );
    let NetworkChoice::Dumbbell { forward, reverse } = &scenario.network else { panic!() };
    assert_eq!(forward.spec.arq, Some(Arq { repeats: 3, delay: Some(Span::from_millis(20)) }));
    assert_eq!(reverse.spec.arq, Some(Arq { repeats: 1, delay: None }));
    assert_eq!(read(&scenario.to_toml("")).network, scenario.network);
}

#[test]
fn a_path_over_starlink_is_one_line() {
    let scenario =
        read("[network.starlink]\npreset = \"starlink-good\"\n[[flows]]\ncontroller = \"cubic\"\n");
    let NetworkChoice::Starlink(path) = &scenario.network else { panic!() };
    assert_eq!((path.preset.name, path.phase, path.rtt), ("starlink-good", Span::ZERO, Span::ZERO));
    assert_eq!(path.queues.map(|queue| queue.limit), [QueueLimit::Packets(500), QueueLimit::Packets(50_000)]);
    assert_eq!((scenario.flows[0].from.as_str(), scenario.flows[0].to.as_str()), ("server", "dish"));
    let scenario = read(
        "[network.starlink]\npreset = \"starlink-isl\"\nphase = \"40 s\"\nrtt = \"30 ms\"\nqueue = { up = \"1 BDP\" }\n\
         [[flows]]\ncontroller = \"cubic\"\nfrom = \"server\"\nto = \"dish\"\n",
    );
    let NetworkChoice::Starlink(path) = &scenario.network else { panic!() };
    assert_eq!((path.phase, path.rtt), (Span::from_secs(40), Span::from_millis(30)));
    // 2012 packets are 123 ms at 196 Mbit/s.
    assert_eq!(path.queues.map(|queue| queue.limit), [QueueLimit::Bdp(1.0), QueueLimit::Packets(2012)]);
    let scenario = read(
        "[network.starlink]\npreset = \"starlink-isl\"\nloss = { up = { per = 1e-3, packets = [7] }, down = {} }\n\
         [[flows]]\ncontroller = \"cubic\"\n",
    );
    let NetworkChoice::Starlink(path) = &scenario.network else { panic!() };
    assert_eq!(
        path.losses.each_ref().map(|loss| loss.chance.clone()),
        [Impairment::PacketErrorRate(1e-3), Impairment::None]
    );
    assert_eq!(path.losses[0].listed.as_ref().map(|list| list.packets.to_vec()), Some(vec![7]));
    assert_eq!(read(&scenario.to_toml("")).network, scenario.network);
}

/// The defaults of the sources: RED as in Floyd's advice of 1997 and 2000, PIE as in the appendices of RFC 8033,
/// DualPI2 as in figure 2 and appendix A.2 of RFC 9332. Each of RED's two thresholds follows from the other.
#[test]
fn queues_that_manage_themselves() {
    let dumbbell = |queue: &str| {
        let scenario = read(&format!(
            "[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"600 ms\"\nqueue = {{ {queue} }}\n[[flows]]\n\
             controller = \"cubic\"\nurgent = true\n"
        ));
        assert!(scenario.flows[0].urgent);
        let NetworkChoice::Dumbbell { forward, .. } = scenario.network else { panic!() };
        forward.spec.queue
    };
    let (ms, us) = (Span::from_millis, Span::from_micros);
    let packets = QueueLimit::Packets;
    let red = |min_threshold, max_threshold| {
        Discipline::Red(Red { min_threshold, max_threshold, weight: 0.002, max_p: 0.1, gentle: true })
    };
    for (text, limit, discipline) in [
        ("discipline = \"red\"", QueueLimit::Bdp(1.0), red(packets(5), packets(15))),
        ("discipline = \"red\", min_threshold = \"20 ms\"", QueueLimit::Bdp(1.0), {
            red(QueueLimit::Time(ms(20)), QueueLimit::Time(ms(60)))
        }),
        ("discipline = \"red\", max_threshold = \"0.3 BDP\"", QueueLimit::Bdp(1.0), {
            red(QueueLimit::Bdp(0.3 / 3.0), QueueLimit::Bdp(0.3))
        }),
        ("discipline = \"pie\"", packets(1000), {
            let (target, update, burst, estimate) = (ms(15), ms(15), ms(150), WaitEstimate::Timestamp);
            Discipline::Pie(Pie {
                target,
                update,
                alpha: 0.125,
                beta: 1.25,
                burst,
                mark_below: 0.1,
                estimate,
            })
        }),
        ("discipline = \"dualpi2\"", QueueLimit::Time(ms(250)), {
            Discipline::DualPi2(DualPi2 {
                target: ms(15),
                rtt_max: ms(100),
                coupling: 2.0,
                ramp_from: us(800),
                ramp_range: us(400),
                scheduler: DualScheduler::Weighted { classic_share: 0.0625 },
            })
        }),
        (
            "discipline = \"dualpi2\", scheduler = \"time-shifted\", limit = \"9 packets\"",
            packets(9),
            Discipline::DualPi2(DualPi2 {
                scheduler: DualScheduler::TimeShifted { shift: ms(50) },
                ..DualPi2::default()
            }),
        ),
        ("discipline = \"drr\", quantum = \"600 B\"", QueueLimit::Bdp(1.0), {
            Discipline::Drr(Drr { quantum: Bytes::new(600), mark_above: None })
        }),
        ("discipline = \"drop-front\"", QueueLimit::Bdp(1.0), {
            Discipline::DropFront(DropFront { mark_above: None })
        }),
        (
            "discipline = \"priority\"",
            QueueLimit::Bdp(1.0),
            Discipline::Priority(Priority { mark_above: None }),
        ),
        ("discipline = \"drr\", mark_above = \"30 kB\"", QueueLimit::Bdp(1.0), {
            let mark_above = Some(Threshold { above: QueueLimit::Bytes(Bytes::new(30_000)) });
            Discipline::Drr(Drr { quantum: Bytes::new(1514), mark_above })
        }),
        ("discipline = \"drop-front\", mark_above = \"0.2 BDP\"", QueueLimit::Bdp(1.0), {
            Discipline::DropFront(DropFront { mark_above: Some(Threshold { above: QueueLimit::Bdp(0.2) }) })
        }),
        ("discipline = \"priority\", mark_above = \"3 ms\", limit = \"9 packets\"", packets(9), {
            Discipline::Priority(Priority { mark_above: Some(Threshold { above: QueueLimit::Time(ms(3)) }) })
        }),
        ("discipline = \"codel\", ce_threshold = \"1 ms\", ce_threshold_of = \"ect1\"", packets(1000), {
            let ce_threshold = Some(CeThreshold { above: ms(1), only_ect1: true });
            Discipline::CoDel(CoDel { ce_threshold, ..CoDel::default() })
        }),
    ] {
        assert_eq!(dumbbell(text), Queue { limit, discipline }, "{text}");
    }
}

/// The limit and settings of CoDel (RFC 8289: 5 and 100 ms) and FQ-CoDel (RFC 8290: 1024 queues, 1514 B; limits of
/// Linux), at every place where a link has a queue. A drop-tail table means the same as its limit as text.
#[test]
fn queues_with_a_discipline() {
    let ms = Span::from_millis;
    let codel = |interval| Discipline::CoDel(CoDel { interval: ms(interval), ..CoDel::default() });
    let fair = Discipline::FqCoDel(FqCoDel {
        codel: CoDel { target: ms(5), interval: ms(100), ce_threshold: None },
        flows: 1024,
        quantum: Bytes::new(1514),
    });
    let dumbbell = |queue: &str| {
        let scenario = read(&format!(
            "[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"600 ms\"\nwarn_above = 20\n{queue}\n[[flows]]\n\
             controller = \"cubic\"\naccess = {{ queue = {{ discipline = \"fq-codel\" }} }}\n"
        ));
        let NetworkChoice::Dumbbell { forward, reverse } = scenario.network else { panic!() };
        let access = scenario.flows[0].access.as_ref().map(|access| access.link.queue);
        assert_eq!(access, Some(Queue { limit: QueueLimit::Packets(10_240), discipline: fair }));
        assert_eq!(reverse.spec.warning.is_some(), reverse.spec.queue.discipline == Discipline::DropTail);
        [forward.spec.queue, reverse.spec.queue]
    };
    let bdp = Queue::drop_tail(QueueLimit::Bdp(1.0));
    let threshold = |limit, above| Queue { limit, discipline: Discipline::Threshold(Threshold { above }) };
    // DCTCP's threshold is at least a seventh of a BDP. The limit is that of the link.
    assert_eq!(
        dumbbell("reverse = { queue = { discipline = \"threshold\" } }"),
        [bdp, threshold(QueueLimit::Bdp(1.0), QueueLimit::Bdp(0.15))]
    );
    let few = "discipline = \"threshold\", limit = \"100 packets\", mark_above = \"20 packets\"";
    assert_eq!(
        dumbbell(&format!("reverse = {{ queue = {{ {few} }} }}")),
        [bdp, threshold(QueueLimit::Packets(100), QueueLimit::Packets(20))]
    );
    assert_eq!(dumbbell("queue = { discipline = \"drop-tail\" }"), [bdp, bdp]);
    assert_eq!(
        dumbbell("reverse = { queue = { discipline = \"codel\", interval = \"600 ms\" } }"),
        [bdp, Queue { limit: QueueLimit::Packets(1000), discipline: codel(600) }]
    );
    let scenario = read(
        r#"
[network.constellation]
preset = "iridium"
isl = { queue = { discipline = "codel", limit = "2 BDP" } }
user_link = { queue = { discipline = "fq-codel", flows = 8, quantum = "300 B", target = "13 ms" } }
[[flows]]
from = "Berkeley"
to = "Boston"
controller = "reno"
"#,
    );
    let NetworkChoice::Constellation { spec, .. } = &scenario.network else { panic!() };
    let isl = spec.isl.as_ref().map(|isl| isl.link.queue);
    assert_eq!(isl, Some(Queue { limit: QueueLimit::Bdp(2.0), discipline: codel(100) }));
    let few =
        FqCoDel { codel: CoDel { target: ms(13), ..CoDel::default() }, flows: 8, quantum: Bytes::new(300) };
    assert_eq!(spec.uplink.queue.discipline, Discipline::FqCoDel(few));
    let scenario = read(
        "[network.starlink]\npreset = \"starlink-good\"\nqueue = { up = { discipline = \"codel\" } }\n\
         [[flows]]\ncontroller = \"cubic\"\n",
    );
    let NetworkChoice::Starlink(path) = &scenario.network else { panic!() };
    assert_eq!(path.queues.map(|queue| queue.discipline), [codel(100), Discipline::DropTail]);
    let wires = "rate = \"1 Mbit/s\", delay = \"5 ms\", queue = { discipline = \"codel\" } }";
    for (network, ends) in [
        (format!("chain = {{ links = 2, link = {{ {wires} }}"), ""),
        (format!("star.branches = [{{ site = \"a\", {wires}]"), "from = \"a\", to = \"hub\", "),
    ] {
        let scenario = read(&format!("network.{network}\nflows = [{{ {ends}controller = \"reno\" }}]"));
        let wire = match &scenario.network {
            NetworkChoice::Chain { links } => &links[1],
            NetworkChoice::Star { branches, .. } => &branches[0].1,
            _ => panic!(),
        };
        assert_eq!(wire.spec.queue.discipline, codel(100));
    }
}

#[test]
fn the_schema_is_published_with_descriptions_and_bounds() {
    let schema = json_schema();
    assert!(schema.contains("\"title\": \"Bentpipe scenario\""));
    assert!(schema.contains("\"x-max\": \"30 d\""));
    assert!(schema.contains("How long the run lasts. Default \\\"60 s\\\"."));
    assert_eq!(schema, json_schema());
}

/// A key that belongs only to tables of some kind names a key of the same table that determines the kind, and words
/// that this key accepts. If a word were misspelt, the key would be refused everywhere. If the name of the key were
/// misspelt, the key would be accepted everywhere.
#[test]
fn keys_of_a_kind_name_what_decides() {
    let schema: serde_json::Value = json_schema().parse().unwrap();
    let mut checked = 0;
    for table in schema["$defs"].as_object().unwrap().values() {
        for (name, key) in table["properties"].as_object().into_iter().flatten() {
            for (decider, words) in key["x-only"].as_object().into_iter().flatten() {
                let deciding = &table["properties"][decider];
                assert!(deciding["x-decides"].is_string(), "{name}: {decider}");
                let choice =
                    deciding["$ref"].as_str().or_else(|| deciding["anyOf"][0]["$ref"].as_str()).unwrap();
                let known = &schema["$defs"][choice.trim_start_matches("#/$defs/")]["enum"];
                for word in words.as_array().unwrap() {
                    assert!(known.as_array().unwrap().contains(word), "{name}: {word} of {known}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 0);
}

#[test]
fn a_receiver_like_linux() {
    let tcp = |text: &str| {
        let flow = format!("[[flows]]\ncontroller = \"cubic\"\ntcp = {{ {text} }}\n");
        let scenario = read(&format!(
            "duration = \"10 s\"\n[network.dumbbell]\nrate = \"1 Mbit/s\"\nrtt = \"50 ms\"\n{flow}"
        ));
        let FlowKind::Tcp { config, .. } = &scenario.flows[0].kind else { panic!() };
        (config.delayed_ack, config.receive_window)
    };
    let growing = |at_most, autotuned| {
        tcp::ReceiveWindow::Growing(tcp::GrowingWindow { at_most: Bytes::new(at_most), autotuned })
    };
    // tcp_rmem[2] is 6 MiB. Half of it is the window.
    let (acks, window) = tcp("delayed_ack = \"linux\", receive_window = { autotuned = true }");
    assert_eq!((acks, window), (Some(tcp::DelayedAck::Linux), growing(3 * 1024 * 1024, true)));
    assert_eq!(tcp("receive_window = { at_most = \"9 MB\" }"), (None, growing(9_000_000, false)));
    assert_eq!(tcp("receive_window = \"unlimited\"").1, tcp::ReceiveWindow::Unlimited);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// For any numbers in a file, the printed document has the same meaning.
    #[test]
    fn printing_loses_nothing(
        name in "[ -~]{0,20}",
        duration_ns in 1_000_000_000_u64..2_592_000_000_000_000,
        seed in 0_i64..,
        rate in 1_u64..1_000_000_000_000,
        delays_ns in prop::collection::vec(0_u64..3_600_000_000_000, 2),
        queue in prop_oneof![
            any::<u32>().prop_map(|n| format!("{n} packets")),
            any::<u32>().prop_map(|n| format!("{n} B")),
            any::<u32>().prop_map(|n| format!("{n} ns")),
            (0.0..1e6).prop_map(|n| format!("{n} BDP")),
            Just("unlimited".to_owned()),
        ],
        discipline in prop_oneof![
            Just("discipline = \"drop-tail\"".to_owned()),
            any::<u8>().prop_map(|n| format!("discipline = \"threshold\", mark_above = \"{n} packets\"")),
            (1_000_u64..3_600_000_000_000)
                .prop_map(|ns| format!("discipline = \"codel\", target = \"{ns} ns\", interval = \"1 h\"")),
            (1_u32..1000, 1e-9..1.0_f64, any::<bool>()).prop_map(|(n, w, g)| format!(
                "discipline = \"red\", max_threshold = \"{} packets\", min_threshold = \"{n} packets\", weight = {w:e}, \
                 gentle = {g}",
                n + 1
            )),
            (1_000_u64..60_000_000_000, 0.0..1.0_f64).prop_map(|(ns, p)| format!(
                "discipline = \"pie\", update = \"{ns} ns\", mark_below = {p:e}, estimate = \"rate\""
            )),
            (0.001..0.999_f64).prop_map(|share| format!("discipline = \"dualpi2\", classic_share = {share:e}")),
            (0_u64..3_600_000_000_000).prop_map(|ns| format!(
                "discipline = \"dualpi2\", scheduler = \"time-shifted\", time_shift = \"{ns} ns\""
            )),
            (0_u64..3_600_000_000_000).prop_map(|ns| format!(
                "discipline = \"fq-codel\", ce_threshold = \"{ns} ns\", ce_threshold_of = \"ect1\""
            )),
            prop_oneof![Just("drop-front"), Just("priority"), Just("drr")]
                .prop_map(|word| format!("discipline = \"{word}\"")),
            (prop_oneof![Just("drop-front"), Just("priority"), Just("drr")], any::<u8>())
                .prop_map(|(word, n)| format!("discipline = \"{word}\", mark_above = \"{n} packets\"")),
            (1_u32..65_536, 64_u32..65_535)
                .prop_map(|(n, b)| format!("discipline = \"fq-codel\", flows = {n}, quantum = \"{b} B\"")),
        ],
        per in 0.0..=1.0_f64,
        count in 1_u32..100_000,
        mss in 64_u32..65_000,
        elevation in -5.0..90.0_f64,
        altitude in 100.0..100_000.0_f64,
        parameter in 1e-4..100.0_f64,
    ) {
        let [there, back] = [delays_ns[0], delays_ns[1]];
        let name = toml::Value::String(name);
        let top = format!("name = {name}\nduration = \"{duration_ns} ns\"\nseed = {seed}\n");
        let flow = format!(
            "[[flows]]\ncount = {count}\ncontroller = {{ name = \"cubic\", c = {parameter:e} }}\ntcp = {{ mss = \"{mss} B\" }}\n"
        );
        read(&format!(
            "{top}[network.dumbbell]\nrate = \"{rate} bit/s\"\ndelay = \"{there} ns\"\nqueue = \"{queue}\"\n\
             loss = {{ per = {per:e} }}\n\
             reverse = {{ delay = \"{back} ns\", queue = {{ {discipline}, limit = \"{queue}\" }} }}\n{flow}"
        ));
        read(&format!(
            "{top}[network.constellation]\nmin_elevation = \"{elevation} deg\"\nisl = false\n\
             walker = {{ planes = 3, per_plane = 4, altitude = \"{altitude} km\", inclination = \"53 deg\" }}\n\
             user_link = {{ rate = \"{rate} bit/s\", queue = \"{queue}\" }}\n{flow}from = \"Boston\"\nto = \"Madrid\"\n"
        ));
    }
}

#[test]
fn a_shell_whose_satellites_would_meet_or_whose_keys_contradict_is_refused() {
    let read = |keys: &str| {
        let walker = format!("planes = 4, per_plane = 3, inclination = \"53 deg\", {keys}");
        let text = format!(
            "[network.constellation]\nuser_link = {{ rate = \"5 Mbit/s\" }}\nwalker = {{ {walker} }}\n[[flows]]\ncontroller = \"reno\"\nfrom = \"London\"\nto = \"Paris\"\n"
        );
        Scenario::from_toml(&text, "")
    };
    let refused = |keys: &str| read(keys).unwrap_err().to_string();
    let high = "altitude = \"550 km\"";
    // Twelve satellites at three places, a quarter of a slot apart.
    for spacing in ["0 deg", "360 deg"] {
        let error = refused(&format!("{high}, spacing = \"{spacing}\""));
        assert!(error.contains("planes 1 and 2 are at the same positions"), "{error}");
        read(&format!("{high}, spacing = \"{spacing}\", phase = \"30 deg\"")).unwrap();
        // Between planes 1 and 3, the phase is a whole slot.
        let error = refused(&format!("{high}, spacing = \"{spacing}\", phase = \"60 deg\""));
        assert!(error.contains("planes 1 and 3"), "{error}");
    }
    let error = refused(&format!("{high}, alternate_half_slot = true, phase = \"7 deg\""));
    assert!(error.contains("phase") && error.contains("remove `alternate_half_slot` or `phase`"), "{error}");
    // 15.06 revolutions per day give a circular orbit at 549 km, with an axis of 6,927 km. (549 - 160) / 6927 = 0.056.
    let error = refused("mean_motion = 15.06, eccentricity = 0.3");
    assert!(error.contains("write an eccentricity of 0.05"), "{error}");
    let error = refused("mean_motion = 16.9");
    assert!(error.contains("write mean_motion = 15.05"), "{error}");
}
