// SPDX-License-Identifier: MIT OR Apache-2.0
//! An emulation between datagram sockets: what the session does with packets, on any machine and without privileges.
//! Nothing here depends on how fast the machine is: packets are late, but the session's own times are exact.

#![cfg(target_os = "linux")]

use emulate::{Cable, Emulation, Ports, addresses_of, tapped};
use engine::NoObserver;
use etherparse::PacketBuilder;
use plan::{Plan, never};
use record::Summary;
use scenario::Scenario;
use sim::{Options, Run};
use std::os::unix::net::UnixDatagram;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn scenario(link: &str, more: &str) -> Scenario {
    let text = format!(
        "duration = \"600 s\"\nseed = 3\n[network.dumbbell]\n{link}\n[[flows]]\ncontroller = \"cubic\"\n{more}"
    );
    Scenario::from_toml(&text, "a.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// A UDP packet with this number from a site to another, with 100 bytes of payload: 128 bytes.
fn datagram(from: usize, to: usize, number: u32) -> Vec<u8> {
    let (from, to) = (addresses_of(from).v4.octets(), addresses_of(to).v4.octets());
    let mut payload = vec![0; 100];
    payload[..4].copy_from_slice(&number.to_be_bytes());
    let mut bytes = Vec::new();
    let builder = PacketBuilder::ipv4(from, to, 64).udp(4000, 5000);
    builder.write(&mut bytes, &payload).unwrap_or_else(|error| panic!("{error}"));
    bytes
}

/// The number of a packet.
fn number(packet: &[u8]) -> u32 {
    u32::from_be_bytes(packet[28..32].try_into().unwrap_or_else(|_| panic!("four bytes")))
}

/// Runs an emulation, while `programs` uses the sockets of its two sites; then its summary, and the packets that could
/// not be carried.
fn emulated(scenario: &Scenario, programs: impl FnOnce(&[UnixDatagram; 2]) + Send) -> (Summary, u64) {
    let tapped = tapped(scenario, false).unwrap_or_else(|error| panic!("{error}"));
    let plan = Plan::of_run(&tapped, &never).unwrap_or_else(|error| panic!("{error}"));
    let ports = Ports::of(&plan);
    let run = Run::new(plan, &Options::default(), record::Tables::default(), NoObserver, &never);
    let run = run.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(ports.sites(), ["right", "left"], "the receiver of the flow is the first site");
    let pairs = [0, 1].map(|_| UnixDatagram::pair().unwrap_or_else(|error| panic!("{error}")));
    let [(one, near), (other, far)] = pairs;
    for device in [&near, &far] {
        device.set_nonblocking(true).unwrap_or_else(|error| panic!("{error}"));
    }
    let cables = [near, far].map(|device| Cable { interface: Box::new(device), sockets: None });
    let emulation = Emulation::new(run, ports, cables.into());
    let mut emulation = emulation.unwrap_or_else(|error| panic!("{error}"));
    let stop = AtomicBool::new(false);
    let end = emulation.end();
    std::thread::scope(|scope| {
        let driven = scope.spawn(|| {
            let driven = emulation.drive(end, &stop, &|_| ());
            driven.unwrap_or_else(|error| panic!("{error}"));
        });
        programs(&[one, other]);
        stop.store(true, Ordering::Relaxed);
        driven.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
    let unroutable = emulation.unroutable();
    let (outcome, _) = emulation.into_run().finish(&never).unwrap_or_else(|error| panic!("{error}"));
    (outcome.summary, unroutable)
}

fn receive(socket: &UnixDatagram) -> Vec<u8> {
    let mut buffer = [0; 2000];
    let length = socket.recv(&mut buffer).unwrap_or_else(|error| panic!("{error}"));
    buffer[..length].to_vec()
}

/// Expected: a packet of 128 bytes takes 128 x 8 / 10 Mbit/s = 102.4 us to transmit and 20 ms to arrive. Packets that
/// are sent one after the other's arrival meet no queue.
#[test]
fn packets_take_the_time_of_the_path() {
    let clean = scenario("rate = \"10 Mbit/s\"\nrtt = \"40 ms\"\nqueue = \"100 packets\"", "");
    let (summary, unroutable) = emulated(&clean, |[right, left]| {
        for at in 0..5 {
            left.send(&datagram(1, 0, at)).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(receive(right), datagram(1, 0, at));
        }
        right.send(&datagram(0, 1, 9)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(number(&receive(left)), 9);
    });
    let [pair, connection, back] = &summary.flows[..] else { panic!("{:?}", summary.flows) };
    assert_eq!((back.from.as_str(), back.sent_packets, back.delivered_packets), ("right", 1, 1));
    assert_eq!((pair.kind.as_str(), pair.sent_packets, pair.delivered_packets), ("tap", 6, 6));
    assert_eq!(connection.kind, "udp");
    assert_eq!((connection.from.as_str(), connection.to.as_str()), ("left", "right"));
    assert_eq!((connection.sent_packets, connection.delivered_packets), (5, 5));
    let delay = connection.one_way_delay_ms.unwrap_or_else(|| panic!("delays"));
    for value in [delay.min, delay.p50, delay.max] {
        assert!((value - 20.1024).abs() < 1e-9, "{delay:?}");
    }
    assert_eq!(unroutable, 0);
}

/// The list names packets 2 and 4 (from 1) of those that carry data: the others arrive, in order.
#[test]
fn the_link_loses_what_its_list_names() {
    let lossy = scenario("rate = \"10 Mbit/s\"\nrtt = \"2 ms\"\nloss.packets = [2, 4]", "");
    let (summary, _) = emulated(&lossy, |[right, left]| {
        for at in 1..=6 {
            left.send(&datagram(1, 0, at)).unwrap_or_else(|error| panic!("{error}"));
        }
        let arrived: Vec<u32> = (0..4).map(|_| number(&receive(right))).collect();
        assert_eq!(arrived, [1, 3, 5, 6]);
    });
    let connection = &summary.flows[1];
    assert_eq!((connection.sent_packets, connection.losses.error + connection.losses.outage), (6, 2));
}

/// The same seed loses the same packets of the same sequence, whenever they arrive.
#[test]
fn the_seed_decides_which_packets_are_lost() {
    let lossy =
        scenario("rate = \"100 Mbit/s\"\nrtt = \"2 ms\"\nqueue = \"1000 packets\"\nloss.per = 0.2", "");
    let lost = || {
        let mut arrived = Vec::new();
        let (summary, _) = emulated(&lossy, |[right, left]| {
            for at in 0..200 {
                left.send(&datagram(1, 0, at)).unwrap_or_else(|error| panic!("{error}"));
            }
            // Nothing overtakes, so a later packet that arrives is the end.
            let wait = Some(Duration::from_millis(50));
            right.set_read_timeout(wait).unwrap_or_else(|error| panic!("{error}"));
            for later in 200.. {
                left.send(&datagram(1, 0, later)).unwrap_or_else(|error| panic!("{error}"));
                let mut buffer = [0; 2000];
                while right.recv(&mut buffer).is_ok() {
                    arrived.push(number(&buffer));
                }
                if arrived.last().is_some_and(|&last| last >= 200) {
                    break;
                }
            }
        });
        assert_eq!(arrived.len() as u64, summary.flows[1].delivered_packets);
        arrived.retain(|&number| number < 200);
        arrived
    };
    let once = lost();
    assert!((120..190).contains(&once.len()), "{}", once.len());
    assert!(once.is_sorted());
    assert_eq!(once, lost());
}

/// Packets for an address without a site are counted, and harm nothing.
#[test]
fn packets_for_nobody_are_counted() {
    let clean = scenario("rate = \"10 Mbit/s\"\nrtt = \"2 ms\"", "");
    let (summary, unroutable) = emulated(&clean, |[right, left]| {
        left.send(&datagram(1, 7, 0)).unwrap_or_else(|error| panic!("{error}"));
        left.send(&[0; 40]).unwrap_or_else(|error| panic!("{error}"));
        left.send(&datagram(1, 0, 1)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(number(&receive(right)), 1);
    });
    assert_eq!((unroutable, summary.flows[1].sent_packets), (2, 1));
}

#[test]
fn proxies_are_refused() {
    let split = scenario(
        "rate = \"10 Mbit/s\"\nrtt = \"2 ms\"",
        "access = { delay = \"1 ms\" }\n[[peps]]\nat = [\"left\"]\nbuffer = \"1 MB\"\n",
    );
    let error = tapped(&split, false).map(|_| ()).expect_err("a proxy");
    assert!(error.to_string().contains("remove the table `peps`"), "{error}");
}
