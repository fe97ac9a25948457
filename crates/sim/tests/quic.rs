// SPDX-License-Identifier: MIT OR Apache-2.0
//! A real QUIC library in virtual time: physical bounds, repetition byte for byte, complete transfers, and applications.

use engine::{Observer, Packet, Slab};
use hosts::{AnyBody, AnyEndpoint, Metered as _};
use plan::Plan;
use record::summary::{FindingKind, FlowSummary, QuicSummary, VisitsSummary};
use sim::{Options, Session, Settings};
use units::Time;

fn scenario(text: &str) -> scenario::Scenario {
    scenario::Scenario::from_toml(text, "quic.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn run(text: &str) -> sim::Outcome {
    let scenario = scenario(text);
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

fn first(text: &str) -> FlowSummary {
    run(text).summary.flows.swap_remove(0)
}

fn quic(flow: &FlowSummary) -> &QuicSummary {
    flow.quic.as_deref().unwrap_or_else(|| panic!("the flow is QUIC"))
}

/// A dumbbell of 20 Mbit/s in each direction, and a flow with these keys.
fn geo(rtt_ms: u32, flow: &str) -> String {
    format!(
        "duration = \"40 s\"\nnetwork.dumbbell = {{ rate = \"20 Mbit/s\", rtt = \"{rtt_ms} ms\" }}\n\
         [[flows]]\ntransport = \"quic\"\n{flow}\n"
    )
}

/// All properties of packets that a network can observe, in order.
#[derive(Clone, Debug, Default, PartialEq)]
struct Wire {
    /// Time, sender and size of each packet.
    shapes: Vec<(Time, u32, u16)>,
    bytes: Vec<Box<[u8]>>,
}

impl Observer<AnyBody> for Wire {
    fn sent(&mut self, now: Time, packets: &Slab<AnyBody>, handle: u32, size: u16) {
        let packet: &Packet<AnyBody> = packets.get(handle);
        self.shapes.push((now, packet.from, size));
        if let AnyBody::Buffer(buffer) = &packet.body {
            self.bytes.push(buffer.bytes.clone());
        }
    }
}

/// Returns a session at the end of its run.
fn session(text: &str) -> Session<Wire> {
    let scenario = scenario(text);
    let plan = Plan::new(&scenario).unwrap_or_else(|error| panic!("{error}"));
    let session = Session::new(plan, Settings::default(), Wire::default(), &|_| false);
    let mut session = session.unwrap_or_else(|error| panic!("{error}"));
    session.advance(Time::ZERO + scenario.duration, &|_| false).unwrap_or_else(|error| panic!("{error}"));
    session
}

fn wire(text: &str) -> Wire {
    session(text).into_observer()
}

/// The handshake takes one round trip before data leave (RFC 9001, section 4). So no transfer can be complete before
/// another half round trip and the transmission of its data. The last acknowledgement arrives half a round trip later.
#[test]
fn no_transfer_is_faster_than_the_link() {
    for controller in ["reno", "cubic", "hybla", "bbr1", "bbr3", "vegas"] {
        let flow = first(&geo(600, &format!("controller = \"{controller}\"\nsize = \"2 MB\"")));
        let completed =
            flow.completed_at_s.unwrap_or_else(|| panic!("{controller}: the transfer is complete"));
        let serialisation = 2e6 * 8.0 / 20e6;
        assert!(completed > 0.6 + 0.6 + serialisation, "{controller}: {completed}");
        assert_eq!((flow.kind.as_str(), quic(&flow).closed.as_ref()), ("quic", None), "{controller}");
        let rtt = flow.rtt_ms.unwrap_or_else(|| panic!("{controller}: there are samples"));
        // 77 bytes at 20 Mbit/s take 31 us in each direction. No QUIC packet is smaller.
        assert!(rtt.min > 600.0 && rtt.min < 601.5, "{controller}: {}", rtt.min);
        // A client with an initial RTT of 333 ms sends its first packet again, and the server sends its answer again
        // (RFC 9002).
        let handshake = quic(&flow).handshake_s.unwrap_or_default();
        assert!(handshake > 0.6 && handshake < 0.605, "{controller}: {handshake}");
    }
}

#[test]
fn runs_repeat_byte_for_byte_and_depend_on_the_seed() {
    let text = |seed: u32, more: &str| {
        let flow = "controller = \"cubic\"\nsize = \"300 kB\"\n[[flows]]\ntransport = \"quic\"\ncontroller = \"bbr1\"\n\
                    size = \"200 kB\"\n";
        format!("seed = {seed}\n{}{more}", geo(50, flow))
    };
    let one = wire(&text(1, ""));
    assert_eq!(one, wire(&text(1, "")));
    assert_ne!(one.bytes, wire(&text(2, "")).bytes);
    // Another flow that shares no link does not change the bytes of these flows.
    let beside =
        "[[flows]]\ntransport = \"quic\"\ncontroller = \"reno\"\nsize = \"10 kB\"\nstart = \"30 s\"\n";
    let three = wire(&text(1, beside));
    let shared = one.bytes.len();
    assert_eq!(one.bytes[..], three.bytes[..shared]);
}

/// The bytes of every packet (FNV-1a of 64 bits), as a build with assertions and a release build made them. The controller
/// is the library's: the number changes if noq, rustls or the simulated path change.
#[test]
fn all_builds_send_the_same_bytes() {
    let flow = "controller = \"reno\"\nsize = \"300 kB\"\nquic = { controllers = \"library\" }\n";
    let wire = wire(&format!("seed = 1\n{}", geo(50, flow)));
    let bytes = wire.bytes.iter().flatten();
    let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    });
    assert_eq!((wire.bytes.len(), hash), (343, 0xC739_C82E_2EF5_8C11));
}

/// Secrets and logs are kept for a reader only.
#[test]
fn nobody_keeps_what_no_capture_reads() {
    let page = "kind = \"web\"\narrivals = { law = \"regular\", rate = 1 }\n";
    let bulk = geo(50, "controller = \"cubic\"\nsize = \"300 kB\"\n");
    for text in [bulk, application(10, 25, "", &format!("{OVER_QUIC}{page}"))] {
        for reads in [false, true] {
            let scenario = scenario(&text);
            let plan = Plan::new(&scenario).unwrap_or_else(|error| panic!("{error}"));
            let session = Session::new(plan, Settings::default(), Wire::default(), &|_| false);
            let mut session = session.unwrap_or_else(|error| panic!("{error}"));
            for endpoint in session.engine().endpoints().iter().filter(|_| reads) {
                endpoint.keep_secrets();
                if let AnyEndpoint::QuicSource(source) = endpoint {
                    source.keep_qlog();
                }
            }
            let end = Time::ZERO + scenario.duration;
            session.advance(end, &|_| false).unwrap_or_else(|error| panic!("{error}"));
            let sender = &session.engine().endpoints()[0];
            // A line for each secret (RFC 9850).
            assert_eq!(sender.take_secrets().contains("CLIENT_TRAFFIC_SECRET_0 "), reads);
            if let AnyEndpoint::QuicSource(source) = sender {
                assert_eq!(source.take_qlog().is_empty(), !reads);
            }
        }
    }
}

/// A path without packets from 5 s to 25 s. RFC 9002, section 6.2.1, doubles the interval between probes each time.
/// noq-proto 1.4.0 lets the interval grow by 2 s at most.
#[test]
fn the_library_bounds_the_growth_of_the_probe_timeout() {
    let text = "duration = \"40 s\"\n\
         network.dumbbell = { rate = \"20 Mbit/s\", rtt = \"100 ms\", loss = { spans = [[\"5 s\", \"25 s\"]] } }\n\
         [[flows]]\ntransport = \"quic\"\ncontroller = \"reno\"\n";
    let sent = wire(text).shapes.into_iter().filter(|&(at, from, _)| from == 0 && at.secs_f64() < 25.0);
    let times: Vec<f64> = sent.map(|(at, ..)| at.secs_f64()).collect();
    // A probe has one or two packets. The last regular packets are up to one round trip apart.
    let intervals = times.windows(2).map(|pair| pair[1] - pair[0]).filter(|&interval| interval > 0.12);
    let intervals: Vec<f64> = intervals.collect();
    let growth: Vec<f64> = intervals.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(
        intervals.windows(2).take(3).all(|pair| (pair[1] / pair[0] - 2.0).abs() < 0.001),
        "{intervals:?}"
    );
    let most = growth.iter().copied().fold(0.0, f64::max);
    assert!((most - 2.0).abs() < 0.001, "{intervals:?}");
}

/// With null keys the handshake is real and later packets are not encrypted: all times and sizes are the same.
#[test]
fn null_keys_change_no_time_and_no_size() {
    let text = |keys: &str| {
        geo(50, &format!("controller = \"cubic\"\nsize = \"20 MB\"\nquic = {{ keys = \"{keys}\" }}"))
    };
    let (real, null) = (wire(&text("real")), wire(&text("null")));
    assert_eq!(real.shapes, null.shapes);
    assert_ne!(real.bytes, null.bytes);
}

/// With a session ticket, the first packet carries data, which arrive after half a round trip.
#[test]
fn early_data_save_a_round_trip() {
    let completed = |early: bool| {
        let flow = first(&geo(
            600,
            &format!(
                "controller = \"reno\"\nsize = \"3 kB\"\nquic = {{ zero_rtt = {early}, initial_rtt = \"700 ms\", pacing = false }}"
            ),
        ));
        flow.completed_at_s.unwrap_or_else(|| panic!("the transfer is complete"))
    };
    let (early, late) = (completed(true), completed(false));
    assert!((late - early - 0.6).abs() < 0.01, "{early} {late}");
    // One round trip, and two delayed acknowledgements of at most 25 ms.
    assert!(early > 0.6 && early < 0.66, "{early}");
}

/// The receiver checks every byte (`QuicSink`). An overshoot of slow start leaves thousands of gaps: streams of 1 MB
/// stay below the library's limit of 1,024 gaps.
#[test]
fn a_large_transfer_over_a_satellite_arrives_complete() {
    for controller in ["cubic", "bbr1", "bbr3"] {
        let flow = first(&format!(
            "duration = \"60 s\"\nnetwork.dumbbell = {{ rate = \"100 Mbit/s\", rtt = \"600 ms\" }}\n\
             [[flows]]\ntransport = \"quic\"\ncontroller = \"{controller}\"\nsize = \"100 MB\"\n"
        ));
        assert!(flow.completed_at_s.is_some(), "{controller}: {flow:#?}");
        // All acknowledged bytes have arrived, so the goodput is that of the whole transfer.
        let active = flow.completed_at_s.unwrap_or_default();
        let arrived = flow.goodput_mbit_s.unwrap_or_default() * active / 8.0;
        assert!((arrived - 100.0).abs() < 0.001, "{controller}: {arrived} MB");
        assert!(flow.losses.queue > 1000, "{controller}: the case is the overshoot");
    }
}

/// If all data are in one stream, more than 1,024 gaps close the connection. A finding reports this.
#[test]
fn a_closed_connection_is_a_finding() {
    let outcome =
        run("duration = \"60 s\"\nnetwork.dumbbell = { rate = \"100 Mbit/s\", rtt = \"600 ms\" }\n\
         [[flows]]\ntransport = \"quic\"\ncontroller = \"cubic\"\nsize = \"100 MB\"\n\
         quic = { stream_size = \"unlimited\" }\n");
    let flow = &outcome.summary.flows[0];
    assert_eq!(flow.completed_at_s, None);
    let closed = quic(flow).closed.as_deref().unwrap_or_default();
    assert!(closed.contains("gaps"), "{closed}");
    let finding =
        outcome.summary.findings.iter().find(|finding| finding.kind == FindingKind::ConnectionClosed);
    let text = finding.map(|finding| finding.text.as_str()).unwrap_or_default();
    assert!(text.contains("too many gaps"), "{text}");
}

/// TCP with the same controller on the same path delivers as much as QUIC. They differ only by headers and loss
/// recovery.
#[test]
fn quic_and_tcp_share_a_link() {
    let outcome = run("duration = \"60 s\"\nnetwork.dumbbell = { rate = \"20 Mbit/s\", rtt = \"40 ms\" }\n\
         [[flows]]\nname = \"tcp\"\ncontroller = \"reno\"\n\
         [[flows]]\nname = \"quic\"\ntransport = \"quic\"\ncontroller = \"reno\"\n");
    let goodput: Vec<f64> = outcome.summary.flows.iter().filter_map(|flow| flow.goodput_mbit_s).collect();
    assert_eq!(goodput.len(), 2);
    assert!(goodput.iter().sum::<f64>() > 17.0, "{goodput:?}");
    assert!(goodput.iter().all(|rate| *rate > 5.0), "{goodput:?}");
}

/// The library's own implementation of the same algorithm is an independent oracle: both fill a link with a queue of
/// one BDP.
#[test]
fn the_librarys_own_controllers_deliver_as_much() {
    for controller in ["reno", "cubic"] {
        let goodput = |whose: &str| {
            let flow = first(&format!(
                "duration = \"30 s\"\nnetwork.dumbbell = {{ rate = \"100 Mbit/s\", rtt = \"50 ms\" }}\n\
                 [[flows]]\ntransport = \"quic\"\ncontroller = \"{controller}\"\n\
                 quic = {{ controllers = \"{whose}\" }}\n"
            ));
            assert!(flow.cuts >= 1 && flow.losses_detected > 0, "{controller} of {whose}: {flow:#?}");
            flow.goodput_mbit_s.unwrap_or_default()
        };
        let (ours, theirs) = (goodput("bentpipe"), goodput("library"));
        assert!((ours / theirs - 1.0).abs() < 0.01, "{controller}: {ours} against {theirs} Mbit/s");
    }
}

/// Mathis and others, ACM CCR 27(3), 1997: MSS/RTT times the square root of 1.5/p. A full packet has 1,425 bytes of
/// stream data.
#[test]
fn reno_follows_the_square_root_law() {
    let goodput = |seed: u32| {
        let flow = first(&format!(
            "duration = \"200 s\"\nwarm_up = \"10 s\"\nseed = {seed}\n\
             network.dumbbell = {{ rate = \"1 Gbit/s\", rtt = \"50 ms\", loss = {{ per = 1e-3 }} }}\n\
             [[flows]]\ntransport = \"quic\"\ncontroller = \"reno\"\nquic = {{ keys = \"null\" }}\n"
        ));
        flow.goodput_mbit_s.unwrap_or_default()
    };
    let mean = (1..=3).map(goodput).sum::<f64>() / 3.0;
    let law = 1425.0 * 8.0 / 0.05 * (1.5_f64 / 1e-3).sqrt() / 1e6;
    assert!((mean / law - 1.0).abs() < 0.05, "{mean} against {law} Mbit/s");
}

/// Links of 20 Mbit/s from servers to users, with this one-way delay, and an application with these keys.
fn application(seconds: u32, delay_ms: u32, link: &str, flow: &str) -> String {
    format!(
        "duration = \"{seconds} s\"\nseed = 3\n\
         network.chain.links = [{{ rate = \"20 Mbit/s\", delay = \"{delay_ms} ms\"{link} }}]\n[[flows]]\n{flow}\n"
    )
}

const OVER_TCP: &str = "controller = \"reno\"\ntls = true\n";
/// The initial RTT exceeds that of the paths. Otherwise, the first packet would be sent again.
const OVER_QUIC: &str =
    "controller = \"reno\"\ntransport = \"quic\"\nquic = { initial_rtt = \"1 s\", pacing = false }\n";
const EARLY: &str = "controller = \"reno\"\ntransport = \"quic\"\n\
                     quic = { initial_rtt = \"1 s\", pacing = false, zero_rtt = true }\n";

/// Returns the visits of an application. All of them have ended, and the library has closed no connection.
fn visits(text: &str, begun: u64) -> VisitsSummary {
    let outcome = run(text);
    let findings = &outcome.summary.findings;
    let closings = outcome.summary.flows[0].quic.as_ref().map_or(0, |quic| quic.closed_connections);
    assert_eq!(closings, 0, "{text}{findings:?}");
    let visits = outcome.summary.flows[0].visits.clone().unwrap_or_else(|| panic!("the flow has visits"));
    assert_eq!((visits.begun, visits.finished), (begun, begun), "{findings:?}");
    *visits
}

/// Shortest and longest duration of the visits.
fn took_s(visits: &VisitsSummary) -> [f64; 2] {
    visits.took_s.as_ref().map_or([0.0; 2], |took| [took.min, took.max])
}

/// Handshake and request take one round trip each (RFC 9001, section 4). TLS 1.3 over TCP takes one more (RFC 8446,
/// section 2). An answer of 10 kB fits into the initial window of both. For 300 kB, both double a window of 10 packets.
#[test]
fn a_visit_over_quic_saves_one_round_trip_of_tcp_with_tls() {
    let rtt = 0.6;
    for (kilobytes, begun) in [(10, 10), (300, 10)] {
        let flow = format!(
            "kind = \"transfers\"\nsize = \"{kilobytes} kB\"\nstop = \"60 s\"\n\
             arrivals = {{ law = \"regular\", rate = 0.1666 }}\n"
        );
        let of = |transport: &str| {
            took_s(&visits(&application(90, 300, "", &format!("{transport}{flow}")), begun))
        };
        let ([quic, longest], [tcp, _]) = (of(OVER_QUIC), of(OVER_TCP));
        let serialisation = f64::from(kilobytes) * 8e3 / 20e6;
        assert!(quic > 2.0 * rtt + serialisation, "{quic}");
        assert!((quic / (tcp - rtt) - 1.0).abs() < 0.1, "{kilobytes} kB: {quic} {tcp}");
        assert!(longest - quic < 0.01, "visits do not share the path: {quic} {longest}");
    }
}

/// With a session ticket, the first packet carries the request, so one round trip remains. Each visit has a ticket,
/// even if the previous connection was closed before the server sent new tickets.
#[test]
fn early_requests_save_the_handshake() {
    let flow = "kind = \"transfers\"\nsize = \"1 kB\"\narrivals = { law = \"regular\", rate = 1 }\nstop = \"20 s\"\n";
    let [least, most] = took_s(&visits(&application(30, 300, "", &format!("{EARLY}{flow}")), 20));
    assert!(least > 0.6 && most < 0.61, "{least} {most}");
}

/// Losses in both directions: every answer arrives completely (the users check every byte), and no connection stays
/// open.
#[test]
fn all_answers_arrive_over_a_lossy_path() {
    let stop = "stop = \"20 s\"\n";
    for (flow, begun) in [
        ("kind = \"transfers\"\nsize = \"200 kB\"\narrivals = { law = \"regular\", rate = 2 }\n", 40),
        (
            "kind = \"web\"\npage = { objects = 6, size = \"30 kB\" }\n\
             arrivals = { law = \"regular\", rate = 1 }\n",
            20,
        ),
        (
            "kind = \"requests\"\nrequest = { size = \"40 kB\", answer = \"5 kB\", wait = \"20 ms\", count = 4 }\n\
             arrivals = { law = \"regular\", rate = 1 }\n",
            20,
        ),
        (
            "kind = \"video\"\nvideo = { ladder = [\"1 Mbit/s\", \"4 Mbit/s\"], length = \"12 s\" }\n\
             arrivals = { law = \"regular\", rate = 0.2 }\n",
            4,
        ),
    ] {
        for transport in [OVER_QUIC, EARLY] {
            let text = application(80, 50, ", loss = { per = 0.02 }", &format!("{transport}{flow}{stop}"));
            visits(&text, begun);
            let session = session(&text);
            let mut open = 0;
            for end in session.engine().endpoints() {
                end.each_connection(&mut |_, _, _| open += 1);
            }
            assert_eq!(open, 0, "{flow}");
        }
    }
}

/// The document, then five objects at once: the handshake and two requests take three round trips. All objects share one
/// connection.
#[test]
fn the_objects_of_a_page_are_streams_of_one_connection() {
    let flow = "kind = \"web\"\npage = { objects = 6, first = \"9 kB\", size = \"2 kB\" }\n\
                arrivals = { law = \"regular\", rate = 0.5 }\nstop = \"20 s\"\n";
    let text = application(30, 300, "", &format!("{OVER_QUIC}{flow}"));
    let [least, most] = took_s(&visits(&text, 10));
    // All bytes take 10 ms at 20 Mbit/s, including 10 % of headers.
    assert!(least > 1.8 && most < 1.815, "{least} {most}");
    let wire = wire(&text);
    // An Initial packet of a client: a long header of type 0, in at least 1,200 bytes (RFC 9000, sections 14.1 and
    // 17.2).
    let is_first = |bytes: &[u8]| bytes[0] & 0xf0 == 0xc0 && bytes.len() >= 1200;
    let users = wire.shapes.iter().zip(&wire.bytes).filter(|((_, from, _), _)| *from == 1);
    assert!(users.filter(|(_, bytes)| is_first(bytes)).count() >= 10);
}

/// A connection without open requests times out after 30 s (noq's default). The next request opens another connection,
/// and takes two round trips instead of one. This is not a fault.
#[test]
fn an_idle_connection_ends_and_the_next_request_opens_another() {
    let flow = |think_s: u32| {
        format!(
            "{OVER_QUIC}kind = \"requests\"\nrequest = {{ answer = \"1 kB\", count = 2, think = \"{think_s} s\" }}\n\
             arrivals = {{ law = \"regular\", rate = 1 }}\nstop = \"1 s\"\n"
        )
    };
    for (think_s, round_trips) in [(20, 3.0), (40, 4.0)] {
        let [least, most] = took_s(&visits(&application(60, 300, "", &flow(think_s)), 1));
        let expected = f64::from(think_s) + round_trips * 0.6;
        assert!(least > expected && most < expected + 0.01, "{think_s}: {least} {most}");
    }
}

#[test]
fn applications_repeat_byte_for_byte() {
    let flow = "kind = \"web\"\npage = { objects = 6, size = \"30 kB\" }\nusers = 3\nthink = \"1 s\"\n";
    let text = |seed: u32| {
        let own = application(10, 50, ", loss = { per = 0.01 }", &format!("{EARLY}{flow}"));
        own.replace("seed = 3", &format!("seed = {seed}"))
    };
    let one = wire(&text(3));
    assert!(one.bytes.len() > 500);
    assert_eq!(one, wire(&text(3)));
    assert_ne!(one.bytes, wire(&text(4)).bytes);
}

/// Visits start at the same times and have the same sizes as over TCP. No visit ends, because the answers are too
/// large.
#[test]
fn visits_begin_as_over_tcp() {
    let size = "{ law = \"pareto\", mean = \"90 MB\", shape = 1.5, most = \"900 MB\" }";
    for begin in [
        "arrivals = { law = \"poisson\", rate = 3 }\n",
        "users = 20\nthink = { law = \"exponential\", mean = \"2 s\" }\n",
    ] {
        let began = |transport: &str| {
            let flow = format!("{transport}kind = \"transfers\"\nsize = {size}\n{begin}");
            let session = session(&application(5, 50, "", &flow));
            let rows = session.engine().endpoints()[1].unfinished_visits(session.engine().now());
            rows.into_iter().map(|row| (row.began, row.user, row.experience.bytes())).collect::<Vec<_>>()
        };
        let over_quic = began(OVER_QUIC);
        assert!(over_quic.len() > 8);
        assert_eq!(over_quic, began(OVER_TCP));
    }
}

/// More than 1,024 gaps close the connection of a visit. The visit sends its request again on another connection, and a
/// finding counts the connections.
#[test]
fn closed_connections_of_visits_are_a_finding() {
    let outcome =
        run("duration = \"60 s\"\nnetwork.dumbbell = { rate = \"100 Mbit/s\", rtt = \"600 ms\" }\n\
         [[flows]]\ntransport = \"quic\"\ncontroller = \"cubic\"\nkind = \"transfers\"\nsize = \"100 MB\"\n\
         users = 1\nthink = \"1 s\"\n");
    let flow = &outcome.summary.flows[0];
    let (closed, visits) = (quic(flow).closed_connections, flow.visits.as_ref());
    assert!(closed >= 1);
    assert_eq!(visits.map(|visits| visits.finished), Some(0));
    let finding =
        outcome.summary.findings.iter().find(|finding| finding.kind == FindingKind::ConnectionClosed);
    let text = finding.map(|finding| finding.text.as_str()).unwrap_or_default();
    assert!(text.contains("too many gaps"), "{text}");
}

/// With any loss, with and without early data, every visit ends, and no connection times out.
#[test]
fn no_handshake_stops() {
    let flow = "kind = \"transfers\"\nsize = \"20 kB\"\narrivals = { law = \"regular\", rate = 2 }\nstop = \"10 s\"\n";
    for transport in [OVER_QUIC, EARLY] {
        for per in ["0.02", "0.05", "0.1"] {
            let text =
                application(100, 50, &format!(", loss = {{ per = {per} }}"), &format!("{transport}{flow}"));
            for seed in 1..=8 {
                visits(&text.replace("seed = 3", &format!("seed = {seed}")), 20);
            }
        }
    }
}
