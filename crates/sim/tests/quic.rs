// SPDX-License-Identifier: MIT OR Apache-2.0
//! A real QUIC library in virtual time: physical bounds, repetition byte for byte, and complete transfers.

use engine::{Observer, Packet, Slab};
use hosts::AnyBody;
use plan::Plan;
use record::summary::{FindingKind, FlowSummary, QuicSummary};
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

/// A dumbbell of 20 Mbit/s each way and a flow with these keys.
fn geo(rtt_ms: u32, flow: &str) -> String {
    format!(
        "duration = \"40 s\"\nnetwork.dumbbell = {{ rate = \"20 Mbit/s\", rtt = \"{rtt_ms} ms\" }}\n\
         [[flows]]\ntransport = \"quic\"\n{flow}\n"
    )
}

/// Everything about packets that a network sees, in order.
#[derive(Clone, Debug, Default, PartialEq)]
struct Wire {
    /// Time, sender and size.
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

fn wire(text: &str) -> Wire {
    let scenario = scenario(text);
    let plan = Plan::new(&scenario).unwrap_or_else(|error| panic!("{error}"));
    let session = Session::new(plan, Settings::default(), Wire::default(), &|_| false);
    let mut session = session.unwrap_or_else(|error| panic!("{error}"));
    session.advance(Time::ZERO + scenario.duration, &|_| false).unwrap_or_else(|error| panic!("{error}"));
    session.into_observer()
}

/// The handshake takes one round trip before data leave (RFC 9001, section 4): nothing can be complete in less than
/// another 1.5, at the rate of the link, and the last acknowledgement comes half a round trip after that.
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
        // 77 bytes at 20 Mbit/s take 31 us each way; nothing is smaller than the smallest packet of QUIC.
        assert!(rtt.min > 600.0 && rtt.min < 601.5, "{controller}: {}", rtt.min);
        // A client with an initial RTT of 333 ms repeats its first packet, and the server its answer (RFC 9002).
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
    // Another flow that shares no link does not change the bytes of these.
    let beside =
        "[[flows]]\ntransport = \"quic\"\ncontroller = \"reno\"\nsize = \"10 kB\"\nstart = \"30 s\"\n";
    let three = wire(&text(1, beside));
    let shared = one.bytes.len();
    assert_eq!(one.bytes[..], three.bytes[..shared]);
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

/// With a ticket data leave with the first packet and arrive after half a round trip.
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
        // Its acknowledged bytes have arrived: the goodput is that of the whole transfer.
        let active = flow.completed_at_s.unwrap_or_default();
        let arrived = flow.goodput_mbit_s.unwrap_or_default() * active / 8.0;
        assert!((arrived - 100.0).abs() < 0.001, "{controller}: {arrived} MB");
        assert!(flow.losses.queue > 1000, "{controller}: the case is the overshoot");
    }
}

/// All data in one stream: more than 1,024 gaps close the connection, and a finding says so.
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

/// TCP with the same controller over the same path delivers as much as QUIC, within the difference of the headers and of
/// the repair of losses.
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

/// The library's own code for the same algorithm is an independent oracle: both fill a link with a buffer of one BDP.
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

/// Mathis and others, ACM CCR 27(3), 1997: MSS/RTT times the square root of 1.5/p, with the 1,425 bytes of stream data of
/// a full packet.
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
