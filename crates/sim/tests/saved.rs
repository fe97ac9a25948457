// SPDX-License-Identifier: MIT OR Apache-2.0
//! A session that is saved and restored continues exactly as the original, packet by packet, for all kinds of state.
//! Invalid bytes are refused.

#[path = "shared/iridium.rs"]
mod iridium;

use control::{
    Ack, Control, Controller, Loss, LossVerdict, NewMss, Overrides, Signals, Snapshot, Start, Timeout,
};
use engine::{Attachment, Cause, NO_LINK, Observer, Packet, Slab};
use hosts::{AnyBody, AnyEndpoint, CbrSink};
use plan::{Plan, never};
use scenario::Scenario;
use sim::{Session, Settings, SimError, Unread, Unsaved};
use units::{Span, Time};

/// Events of packets: time, event, link or sender, and waiting time.
#[derive(Clone, Debug, Default)]
struct Diary(Vec<(Time, &'static str, u32, u64)>);

impl Observer<AnyBody> for Diary {
    fn sent(&mut self, now: Time, packets: &Slab<AnyBody>, handle: u32, size: u16) {
        self.0.push((now, "sent", packets.get(handle).from, size.into()));
    }
    fn entered(&mut self, now: Time, link: u32, packets: &Slab<AnyBody>, handle: u32, _size: u16) {
        self.0.push((now, "entered", link, packets.get(handle).queued_ns));
    }
    fn dropped(&mut self, now: Time, _: u32, _: u32, packet: &Packet<AnyBody>, _: u16, _: Cause) {
        self.0.push((now, "dropped", packet.from, packet.queued_ns));
    }
    fn delivered(&mut self, now: Time, _: u32, packet: &Packet<AnyBody>, _size: u16) {
        self.0.push((now, "delivered", packet.from, packet.queued_ns));
    }
}

const EVENTS: Settings = Settings { events: true, free_memory: None };

fn read(text: &str) -> Scenario {
    Scenario::from_toml(text, "saved.toml").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn plan(scenario: &Scenario) -> Plan {
    Plan::of_run(scenario, &never).unwrap_or_else(|error| panic!("{error}"))
}

fn begin(scenario: &Scenario) -> Session<Diary> {
    Session::new(plan(scenario), EVENTS, Diary::default(), &never).unwrap_or_else(|error| panic!("{error}"))
}

fn restore(scenario: &Scenario, saved: &[u8]) -> Result<Session<Diary>, SimError> {
    Session::restore(plan(scenario), EVENTS, Diary::default(), &never, saved)
}

fn go(session: &mut Session<Diary>, until: Time) {
    session.advance(until, &never).unwrap_or_else(|error| panic!("{error}"));
}

fn save(session: &Session<Diary>) -> Vec<u8> {
    session.save().unwrap_or_else(|error| panic!("{error}"))
}

/// Saves a run at three arbitrary times, continues another session from each to the end, and compares all packets and
/// the last state. Returns the number of packet events.
fn goes_on(what: &str, scenario: &Scenario) -> usize {
    let mut run = begin(scenario);
    let end = Time::ZERO + scenario.duration;
    let mut saved = Vec::new();
    for share in [0.131, 0.507, 0.833] {
        go(&mut run, Time::ZERO + scenario.duration.mul_f64(share));
        saved.push((run.engine().observer().0.len(), save(&run)));
    }
    go(&mut run, end);
    let last = save(&run);
    let diary = run.into_observer().0;
    for (until_then, bytes) in saved {
        let mut restored = restore(scenario, &bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(
            save(&restored) == bytes,
            "{what}: the state that was read is not the state that was written"
        );
        go(&mut restored, end);
        restored.engine().check_conservation().unwrap_or_else(|error| panic!("{what}: {error}"));
        let (state, rest) = (save(&restored), restored.into_observer().0);
        let expected = &diary[until_then..];
        let differs = rest.iter().zip(expected).position(|(one, other)| one != other);
        assert!(
            differs.is_none() && rest.len() == expected.len(),
            "{what}: of {} and {} packets after the save number {differs:?} differs",
            rest.len(),
            expected.len()
        );
        assert!(state == last, "{what}: the last states differ");
    }
    diary.len()
}

/// A run of 12 s over 8 Mbit/s and 60 ms.
fn dumbbell(network: &str, flows: &str) -> Scenario {
    read(&format!(
        "duration = \"12 s\"\nseed = 7\nnetwork.dumbbell = {{ rate = \"8 Mbit/s\", rtt = \"60 ms\", {network} }}\nflows = [{flows}]\n"
    ))
}

fn all_go_on(cases: &[(&str, Scenario)]) {
    for (what, scenario) in cases {
        let packets = goes_on(what, scenario);
        assert!(packets > 500, "{what}: {packets} packets are few");
    }
}

/// Each controller runs over a path with losses, with a queue that fills, and with knowledge of its path.
#[test]
fn every_controller_goes_on() {
    for entry in control::catalogue::entries() {
        let (network, tcp) = if entry.uses().contains(Signals::ECN) {
            ("queue = { discipline = \"dualpi2\" }", "{ recovery = \"rack\", ecn = \"accurate-l4s\" }")
        } else {
            ("queue = \"1 BDP\", warn_above = 10", "{ preset = \"linux\" }")
        };
        let flow = |name: &str| {
            format!("{{ controller = \"{name}\", tcp = {tcp}, access = {{ delay = \"1 ms\" }} }}")
        };
        let network = format!("{network}, loss = {{ per = 5e-4 }}");
        let scenario = dumbbell(&network, &format!("{}, {}", flow(entry.name), flow("cubic")));
        let packets = match Session::<Diary>::new(plan(&scenario), EVENTS, Diary::default(), &never) {
            Err(SimError::SignalMissing { .. }) => goes_on(entry.name, &over_iridium(entry.name)),
            _ => goes_on(entry.name, &scenario),
        };
        assert!(packets > 500, "{}: {packets} packets are few", entry.name);
    }
}

/// One flow over moving satellites.
fn over_iridium(controller: &str) -> Scenario {
    read(&format!(
        r#"
duration = "40 s"
[network]
announce = "2 s"
announce_error = "500 ms"
[network.constellation]
preset = "iridium"
user_link = {{ rate = "2 Mbit/s", queue = "50 packets" }}
[[flows]]
from = "Berkeley"
to = "Boston"
controller = "{controller}"
"#
    ))
}

/// Optional parts of window-based controllers.
#[test]
fn parts_of_controllers_go_on() {
    let with = |part: &str| {
        let flow = format!(
            "{{ controller = {{ name = \"reno\", {part} }}, tcp.preset = \"linux\" }}, {{ controller = \"reno\", start = \"3 s\" }}"
        );
        dumbbell("queue = \"1 BDP\", loss = { per = 1e-3 }", &flow)
    };
    let parts = [
        "slow_start = \"limited\"",
        "slow_start = \"hystart++\"",
        "slow_start = \"hoe\"",
        "slow_start = \"s-curve\"",
        "slow_start = \"hystart\"",
        "slow_start = \"search\"",
        "slow_start = \"rapid\"",
        "loss_verdict = \"queueing-delay\"",
        "loss_verdict = \"backlog\"",
        "loss_verdict = \"gap\"",
        "careful_resume = true",
        "pacing = true",
    ];
    all_go_on(&parts.map(|part| (part, with(part))));
}

#[test]
fn every_discipline_goes_on() {
    let flows = "{ controller = \"cubic\", tcp = { recovery = \"rack\", ecn = \"classic\" } }, \
                 { controller = \"prague\", tcp = { recovery = \"rack\", ecn = \"accurate-l4s\" } }, \
                 { controller = \"bbr3\" }, { kind = \"cbr\", rate = \"1 Mbit/s\", urgent = true }";
    let queues = [
        "\"40 packets\"",
        "\"30 ms\"",
        "{ discipline = \"codel\" }",
        "{ discipline = \"fq-codel\" }",
        "{ discipline = \"pie\" }",
        "{ discipline = \"dualpi2\" }",
        "{ discipline = \"dualpi2\", scheduler = \"time-shifted\" }",
        "{ discipline = \"red\", limit = \"80 packets\" }",
        "{ discipline = \"threshold\", limit = \"80 packets\", mark_above = \"20 packets\" }",
        "{ discipline = \"drop-front\", limit = \"40 packets\" }",
        "{ discipline = \"priority\", limit = \"40 packets\" }",
        "{ discipline = \"drr\", limit = \"40 packets\" }",
    ];
    all_go_on(&queues.map(|queue| (queue, dumbbell(&format!("queue = {queue}"), flows))));
}

#[test]
fn every_kind_of_loss_and_delay_goes_on() {
    let chain = "loss = { chain = { states = [{ lasts = \"1 s\" }, { lasts = \"200 ms\", loss = 0.3 }] } }";
    let land_mobile = "loss = { land_mobile = { speed = \"50 km/h\", margin = \"5 dB\", good = { lasts = \"90 m\", rice_factor = \"9 dB\" }, \
                       bad = { lasts = \"29 m\", mean = \"-9.5 dB\", deviation = \"2.4 dB\" } } }";
    let links = [
        "loss = { per = 0.01 }",
        "loss = { ber = 1e-6 }",
        "loss = { bursts = { to_bad = 0.03, to_good = 0.8, loss = 0.2 } }",
        chain,
        "loss = { netem = { p13 = 0.01, p31 = 0.5 } }",
        land_mobile,
        "loss = { two_state = { surroundings = \"suburban-60\", speed = \"20 m/s\", margin = \"5 dB\" } }",
        "loss = { packets = [7, 30], period = 200, spans = [[\"5.5 s\", \"6.6 s\"]] }",
        "loss = { steps = [{ at = \"2 s\", per = 0.0, ramp_to = 0.1 }, { at = \"8 s\", per = 0.05 }] }",
        "loss = { per = 0.05 }, arq = { repeats = 3 }",
        "jitter = { uniform = \"20 ms\" }",
        "jitter = { normal = { mean = \"5 ms\", deviation = \"2 ms\" } }, reorder = true",
        "warn_above = 5",
        "policer = { rate = \"5 Mbit/s\", burst = \"20 kB\" }, ecn_bleach = true, mtu = \"1500 B\"",
        "grants = { period = \"4 ms\" }",
        "reverse = { rate = \"200 kbit/s\", acks = { thinning = \"filter\" } }",
        "reverse = { rate = \"200 kbit/s\", acks = { compressed = \"10 B\" } }",
        "reverse = { rate = \"1 Mbit/s\", dama = { superframe = \"40 ms\", latency = \"560 ms\", vbdc = \"unlimited\" } }",
        "reverse = { rate = \"1 Mbit/s\", dama = { superframe = \"40 ms\", latency = \"560 ms\", cra = \"16 kbit/s\", rbdc = \"512 kbit/s\", \
         vbdc = \"128 kbit/s\" } }",
        "reverse = { rate = \"1 Mbit/s\", dama = { superframe = \"40 ms\", latency = \"560 ms\", vbdc = \"unlimited\", \
         random_access = { scheme = \"crdsa\", load = 0.3, burst = \"500 B\" } } }",
    ];
    let flows = "{ controller = \"cubic\" }, { controller = \"peach-plus\" }, { kind = \"ping\", interval = \"70 ms\" }";
    all_go_on(&links.map(|link| (link, dumbbell(&format!("queue = \"50 packets\", {link}"), flows))));
}

/// TCP's recoveries, repairs, timeouts, acknowledgements, windows and handshakes.
#[test]
fn every_kind_of_tcp_goes_on() {
    let kinds = [
        "preset = \"linux\"",
        "preset = \"rfc\"",
        "preset = \"ns2-sack1\"",
        "preset = \"ns2-newreno\"",
        "preset = \"ns2-linux\"",
        "preset = \"bentpipe-0.1\"",
        "recovery = \"reno\"",
        "recovery = \"newreno\"",
        "recovery = \"rack\", setup = \"handshake\", receive_window = \"60 kB\"",
        "recovery = \"rack\", setup = \"fast-open\", ecn = \"accurate\"",
        "recovery = \"rack\", ecn = \"dctcp\"",
    ];
    let with = |tcp: &str| {
        let flow = |rest: &str| format!("{{ controller = \"reno\", tcp = {{ {tcp} }}, {rest} }}");
        let many = flow("count = 40, stagger = \"250 ms\", size = \"60 kB\"");
        let queue =
            "queue = { discipline = \"threshold\", limit = \"40 packets\", mark_above = \"20 packets\" }";
        dumbbell(
            &format!("{queue}, loss = {{ bursts = {{ to_bad = 0.01, to_good = 0.4, loss = 0.4 }} }}"),
            &format!("{}, {many}", flow("name = \"long\"")),
        )
    };
    all_go_on(&kinds.map(|kind| (kind, with(kind))));
}

#[test]
fn datagrams_and_calls_go_on() {
    let flows = "{ kind = \"call\" }, { kind = \"call\", profile = \"video-call\" }, { kind = \"ping\" }, \
                 { kind = \"cbr\", rate = \"800 kbit/s\", on = \"95 ms\", off = \"405 ms\" }, \
                 { kind = \"cbr\", rate = \"800 kbit/s\", on = { law = \"exponential\", mean = \"1 s\" }, off = { law = \"exponential\", \
                 mean = \"1.5 s\" } }, { kind = \"cbr\", rate = \"7 Mbit/s\", start = \"3 s\", stop = \"9 s\" }";
    all_go_on(&[("datagrams", dumbbell("queue = \"30 packets\", loss = { per = 1e-3 }", flows))]);
}

/// Visits of all kinds, on connections of all kinds, directly and through proxies that lose their state.
#[test]
fn applications_go_on() {
    let text = |proxies: &str| {
        read(&format!(
            r#"
duration = "30 s"
seed = 3
tcp.preset = "linux"
{proxies}
network.chain.links = [
    {{ rate = "20 Mbit/s", delay = "5 ms", loss = {{ per = 0.001 }}, queue = "50 packets" }},
    {{ rate = "20 Mbit/s", delay = "100 ms", loss = {{ per = 0.001 }}, queue = "50 packets" }},
    {{ rate = "20 Mbit/s", delay = "8 ms", loss = {{ per = 0.001 }}, queue = "50 packets" }},
]
flows = [
    {{ kind = "transfers", controller = "cubic", size = {{ law = "pareto", mean = "60 kB", shape = 1.5, most = "3 MB" }}, arrivals = {{ law = "poisson", rate = 1 }} }},
    {{ kind = "web", controller = "cubic", users = 3, think = {{ law = "exponential", mean = "1 s" }}, page = "median-2024" }},
    {{ kind = "web", controller = "reno", users = 3, think = "1 s", tls = true, page = {{ objects = 12, size = "20 kB", protocol = "http2-interleaved" }} }},
    {{ kind = "web", controller = "bbr1", users = 3, think = "1 s", tls = true, page = {{ objects = 12, size = "20 kB", protocol = "http1" }} }},
    {{ kind = "video", controller = "cubic", users = 2, think = "1 s", video = {{ ladder = ["1 Mbit/s", "4 Mbit/s"], length = "12 s" }} }},
    {{ kind = "requests", controller = "cubic", users = 3, think = "1 s", request = {{ answer = "2 kB", wait = "20 ms", count = 3 }} }},
    {{ kind = "requests", controller = "cubic", users = 3, think = "1 s", tcp = {{ setup = "none" }}, request = {{ answer = "30 kB", count = 3 }} }},
]
"#
        ))
    };
    let proxies = r#"peps = [
        { at = ["1"], buffer = "100 kB", resets = ["3.1 s", "10.5 s", "14.95 s", "20 s"], retry = "200 ms" },
        { at = ["2"], buffer = "100 kB", resets = ["8 s", "15.1 s", "24.8 s"], retry = "500 ms", tcp = { initial_window = 40 } },
    ]"#;
    all_go_on(&[
        ("applications", text("")),
        ("through proxies", text("peps = [{ at = [\"1\"], buffer = \"100 kB\" }]")),
        ("through proxies that lose their state", text(proxies)),
    ]);
}

#[test]
fn transfers_through_proxies_go_on() {
    let text = |peps: &str| {
        read(&format!(
            r#"
duration = "30 s"
network.chain.links = [
    {{ rate = "20 Mbit/s", delay = "5 ms", loss = {{ per = 0.001 }}, queue = "50 packets" }},
    {{ rate = "20 Mbit/s", delay = "100 ms", loss = {{ per = 0.001 }}, queue = "50 packets" }},
    {{ rate = "20 Mbit/s", delay = "8 ms", queue = "50 packets" }},
]
flows = [{{ controller = "cubic", size = "30 MB" }}, {{ controller = "hybla", tcp.setup = "handshake" }}]
peps = [{peps}]
"#
        ))
    };
    let plain = "{ at = [\"1\", \"2\"], buffer = \"2 MB\", controller = \"hybla\" }";
    let shaken = "{ at = [\"1\"], buffer = \"200 kB\", resets = [\"3.1 s\", \"15.1 s\", \"24.9 s\"], retry = \"700 ms\" }, \
                  { at = [\"2\"], buffer = \"200 kB\", resets = [\"3.2 s\", \"15.18 s\"], retry = \"700 ms\" }";
    all_go_on(&[("proxies", text(plain)), ("proxies that lose their state", text(shaken))]);
}

/// Terminals on one carrier. Each holds the state that all of them share.
#[test]
fn a_shared_carrier_goes_on() {
    for sharing in ["max-min", "proportional"] {
        let scenario = read(&format!(
            r#"
duration = "20 s"
flows = [
    {{ kind = "cbr", rate = "900 kbit/s", packet = "500 B", from = "0", to = "hub" }},
    {{ controller = "cubic", from = "1", to = "hub" }},
    {{ controller = "cubic", from = "hub", to = "2" }},
]
[network.star]
carriers = [{{ name = "up", rate = "2 Mbit/s", superframe = "40 ms", latency = "560 ms", sharing = "{sharing}" }}]
branches = [
    {{ site = "0", rate = "20 Mbit/s", delay = "275 ms", queue = "50 packets", dama = {{ carrier = "up", vbdc = "unlimited" }} }},
    {{ site = "1", rate = "20 Mbit/s", delay = "275 ms", queue = "50 packets", dama = {{ carrier = "up", rbdc = "600 kbit/s", fca = 0.2 }} }},
    {{ site = "2", rate = "20 Mbit/s", delay = "275 ms", queue = "50 packets", dama = {{ carrier = "up", cra = "64 kbit/s", vbdc = "unlimited" }} }},
]
"#
        ));
        assert!(goes_on(sharing, &scenario) > 500);
    }
}

/// Satellites change, flows receive notices before and after changes, transmitters and totals are shared, and proxies
/// at gateways move.
#[test]
fn a_moving_sky_goes_on() {
    let iridium = |constellation: &str| {
        iridium::over_iridium(&iridium::Over {
            head: "duration = \"300 s\"",
            user_link: "{ rate = \"1 Mbit/s\", queue = \"50 packets\" }",
            constellation,
            cubic: "",
            cbr: "",
            ping_to: "London",
        })
    };
    let leo = |peps: &str| {
        read(&format!(
            r#"
duration = "100 s"
tcp.preset = "linux"
network.announce = "1 s"
flows = [
    {{ name = "bulk", from = "server", to = "homes", controller = "cubic" }},
    {{ name = "back", from = "player", to = "server", controller = "bbr1" }},
    {{ kind = "web", from = "server", to = "homes", controller = "cubic", users = 4, think = "1 s" }},
    {{ kind = "call", from = "homes", to = "server" }},
]
peps = [{peps}]
[network.constellation]
preset = "starlink"
isl = false
access = {{ policy = "highest-elevation", slot = "15 s", phase = "12 s", hysteresis = "5 deg" }}
handover = {{ outage = "100 ms", during = "lose" }}
route_step = "1 s"
shared = {{ uplink = "beam", downlink = "beam" }}
uplink = {{ rate = "4 Mbit/s", queue = "100 packets" }}
downlink = {{ rate = "6 Mbit/s", queue = {{ discipline = "fq-codel" }} }}
pops = [{{ name = "PoP", latitude = "40.4 deg", longitude = "-3.7 deg" }}]
gateways = [{{ name = "Villenave", latitude = "44.8 deg", longitude = "-0.6 deg", pop = "PoP" }}, {{ name = "Lepe", latitude = "37.3 deg", longitude = "-7.2 deg", pop = "PoP" }}]
sites = [
    {{ name = "homes", latitude = "42.0 deg", longitude = "-2.0 deg", cell = "rioja", weight = 12 }},
    {{ name = "player", latitude = "42.1 deg", longitude = "-2.1 deg", cell = "rioja" }},
    {{ name = "server", latitude = "40.4 deg", longitude = "-3.7 deg", fibre = true }},
]
"#
        ))
    };
    let moving = "{ at = [\"gateway\"], buffer = \"200 kB\", flows = [\"bulk\"], on_handover = \"move\", move_time = \"200 ms\" }";
    all_go_on(&[
        ("Iridium", iridium("")),
        ("outages", iridium("handover = { outage = \"200 ms\" }")),
        (
            "lost at handovers",
            iridium("in_flight = \"drop\"\nhandover = { outage = \"200 ms\", during = \"lose\" }"),
        ),
        ("shared beams", leo("")),
    ]);
    all_go_on(&[
        ("proxies that move", leo(moving)),
        (
            "proxies that lose their state",
            leo("{ at = [\"gateway\"], buffer = \"200 kB\", flows = [\"bulk\"], retry = \"1 s\" }"),
        ),
        (
            "Starlink as measured",
            read(
                "duration = \"40 s\"\n[network.starlink]\npreset = \"starlink-good\"\n[[flows]]\ncontroller = \"cubic\"\n",
            ),
        ),
    ]);
}

/// Commands from outside are part of the state. A fork is saved in the same way as its original.
#[test]
fn commands_and_forks_are_saved() {
    let scenario = dumbbell("queue = \"1 BDP\"", "{ controller = \"cubic\" }");
    let mut run = begin(&scenario);
    go(&mut run, Time::ZERO + Span::from_secs(4));
    let held = Overrides { cwnd: Some(units::Bytes::new(20_000)), ..Overrides::default() };
    run.command(0, held).unwrap_or_else(|error| panic!("{error}"));
    let bytes = save(&run);
    let fork = run.fork().unwrap_or_else(|error| panic!("{error}"));
    assert!(save(&fork) == bytes);
    let mut restored = restore(&scenario, &bytes).unwrap_or_else(|error| panic!("{error}"));
    for run in [&mut run, &mut restored] {
        go(run, Time::ZERO + Span::from_secs(12));
    }
    assert!(save(&run) == save(&restored));
    assert_eq!(run.engine().ledger(), restored.engine().ledger());
}

#[test]
fn what_is_no_saved_run_is_refused() {
    let scenario = dumbbell("queue = \"1 BDP\"", "{ controller = \"cubic\" }, { kind = \"call\" }");
    let mut run = begin(&scenario);
    go(&mut run, Time::ZERO + Span::from_secs(3));
    let bytes = save(&run);
    let why = |scenario: &Scenario, bytes: &[u8]| match restore(scenario, bytes) {
        Err(SimError::NoRestore(why)) => why,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it must be refused"),
    };
    for length in (0..bytes.len()).step_by(997).chain([bytes.len() - 1]) {
        let expected = if length < 8 { Unread::Foreign } else { Unread::Damaged };
        assert_eq!(why(&scenario, &bytes[..length]), expected, "{length} bytes");
    }
    for place in (0..bytes.len()).step_by(991) {
        let mut changed = bytes.clone();
        changed[place] ^= 0x20;
        let expected = if place < 8 { Unread::Foreign } else { Unread::Damaged };
        assert_eq!(why(&scenario, &changed), expected, "byte {place}");
    }
    // Another seed, and another network.
    let mut seed = scenario.clone();
    seed.seed += 1;
    let other = dumbbell("queue = \"2 BDP\"", "{ controller = \"cubic\" }, { kind = \"call\" }");
    assert_eq!((why(&seed, &bytes), why(&other, &bytes)), (Unread::Scenario, Unread::Scenario));
    // The title does not change the identity.
    let mut titled = scenario.clone();
    titled.name = "another title".to_owned();
    assert!(restore(&titled, &bytes).is_ok());
}

/// The same bytes with the fingerprint of another build, and bytes with a state that does not fit. The checksum is
/// correct.
#[test]
fn another_build_is_named() {
    let scenario = dumbbell("queue = \"1 BDP\"", "{ controller = \"cubic\" }");
    let bytes = save(&begin(&scenario));
    // FNV-1a, checked with the test vector of draft-eastlake-fnv.
    let sum = |content: &[u8]| {
        content.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    };
    assert_eq!(sum(b"foobar"), 0x8594_4171_f739_67e8);
    let resealed = |content: &[u8]| [&bytes[..8], &sum(content).to_le_bytes(), content].concat();
    let own = sim::fingerprint();
    let mut content = bytes[16..].to_vec();
    assert_eq!(&content[8..8 + own.len()], own.as_bytes());
    content[8] = b'x';
    let Err(error) = restore(&scenario, &resealed(&content)) else { panic!("it must be refused") };
    let saved_by = format!("x{}", &own[1..]);
    assert!(
        matches!(&error, SimError::NoRestore(Unread::Build { saved_by: by }) if *by == saved_by),
        "{error}"
    );
    assert_eq!(error.code().as_str(), "argument-value");
    // The bytes are cut, and the checksum is corrected: they end before the state does.
    for cut in [1, 7, 100, bytes.len() / 2] {
        let Err(error) = restore(&scenario, &resealed(&bytes[16..bytes.len() - cut])) else {
            panic!("it must be refused")
        };
        assert!(matches!(error, SimError::NoRestore(Unread::Misfit(_))), "{error}");
    }
    let longer = [&bytes[16..], &[0]].concat();
    let Err(error) = restore(&scenario, &resealed(&longer)) else { panic!("it must be refused") };
    assert!(matches!(error, SimError::NoRestore(Unread::Misfit(_))), "{error}");
}

/// Reno, without access to its state.
#[derive(Clone, saved::Saved)]
struct Secretive(Box<dyn Controller>);

impl Controller for Secretive {
    fn can_be_saved(&self) -> bool {
        false
    }
    fn on_start(&mut self, event: &Start, control: &mut Control) {
        self.0.on_start(event, control);
    }
    fn on_ack(&mut self, event: &Ack<'_>, control: &mut Control) {
        self.0.on_ack(event, control);
    }
    fn on_loss(&mut self, event: &Loss<'_>, control: &mut Control) -> LossVerdict {
        self.0.on_loss(event, control)
    }
    fn on_timeout(&mut self, event: &Timeout, control: &mut Control) {
        self.0.on_timeout(event, control);
    }
    fn on_persistent_congestion(&mut self, now: Time, control: &mut Control) {
        self.0.on_persistent_congestion(now, control);
    }
    fn on_mss(&mut self, event: &NewMss, control: &mut Control) {
        self.0.on_mss(event, control);
    }
    fn snapshot(&self, out: &mut Snapshot) {
        self.0.snapshot(out);
    }
}

#[test]
fn what_cannot_be_saved_says_why() {
    let why = |session: &Session<Diary>| match session.save() {
        Err(SimError::NoSave(why)) => why,
        _ => panic!("it must be refused"),
    };
    control::catalogue::register("secretive", |_| {
        Box::new(Secretive(control::catalogue::build("reno", &[]).unwrap_or_else(|error| panic!("{error}"))))
    })
    .unwrap_or_else(|error| panic!("{error}"));
    let named = Unsaved::Controller { flow: "mine".to_owned(), controller: "secretive".to_owned() };
    for flow in [
        "{ name = \"mine\", controller = \"secretive\" }",
        "{ name = \"mine\", controller = \"secretive\", kind = \"transfers\", users = 1, think = \"1 s\", size = \"1 kB\" }",
    ] {
        let session = begin(&dumbbell("queue = \"1 BDP\"", &format!("{{ controller = \"cubic\" }}, {flow}")));
        assert_eq!(why(&session), named);
    }
    let mut more = begin(&dumbbell("queue = \"1 BDP\"", "{ controller = \"cubic\" }"));
    let attachment = Attachment { peer: 0, site: 0, up: NO_LINK, down: NO_LINK };
    more.add_endpoint(AnyEndpoint::CbrSink(CbrSink::default()), attachment);
    assert_eq!(why(&more), Unsaved::Endpoints);
}
