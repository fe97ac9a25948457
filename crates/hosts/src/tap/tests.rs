// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use etherparse::PacketBuilder;
use units::Span;

const CLIENT: ([u8; 4], u16) = ([10, 77, 0, 1], 40_000);
const SERVER: ([u8; 4], u16) = ([10, 77, 0, 2], 8000);

fn at(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

/// A segment of the client or of the server, with this sequence number and acknowledgement number.
fn segment(from_client: bool, sequence: u32, acknowledged: u32, payload: usize) -> Box<[u8]> {
    let (from, to) = if from_client { (CLIENT, SERVER) } else { (SERVER, CLIENT) };
    let builder = PacketBuilder::ipv4(from.0, to.0, 64).tcp(from.1, to.1, sequence, 1000).ack(acknowledged);
    let mut bytes = Vec::new();
    builder.write(&mut bytes, &vec![0; payload]).unwrap_or_else(|error| panic!("{error}"));
    bytes.into()
}

/// Carries a packet from one tap to another, with this delay.
fn carry(from: &mut Tap, to: &mut Tap, now: Time, delay: Span) {
    while let Some((body, _)) = from.poll_transmit(now) {
        to.handle(now + delay, Packet { body, queued_ns: 0, from: 0, stream: from.stream() });
    }
}

fn only(tap: &Tap) -> &Connection {
    let mut connections = tap.connections().iter();
    connections.next().filter(|_| connections.next().is_none()).unwrap_or_else(|| panic!("one connection"))
}

/// Expected, computed by hand: 3 segments of 1000 B leave the server at 0, 1 and 2 ms. The second is lost, and is sent
/// again at 100 ms. The acknowledgement 1001 at 40 ms is a sample of 40 ms for the first segment. The acknowledgement
/// 3001 at 140 ms is ambiguous, so it is not a sample.
#[test]
fn counts_a_connection_as_a_capture_shows_it() {
    let (mut server, mut client) = (Tap::default(), Tap::default());
    let half = Span::from_millis(20);
    for (ms, sequence) in [(0, 1), (1, 1001), (2, 2001)] {
        assert!(server.send(at(ms), segment(false, sequence, 1, 1000)));
        if sequence == 1001 {
            let (body, _) = server.poll_transmit(at(ms)).unwrap_or_else(|| panic!("a packet"));
            let lost = Packet { body, queued_ns: 0, from: 0, stream: server.stream() };
            server.dropped(at(ms), lost, Cause::Error);
        }
        carry(&mut server, &mut client, at(ms), half);
    }
    client.send(at(20), segment(true, 1, 1001, 0));
    carry(&mut client, &mut server, at(20), half);
    server.send(at(100), segment(false, 1001, 1, 1000));
    carry(&mut server, &mut client, at(100), half);
    client.send(at(120), segment(true, 1, 3001, 0));
    carry(&mut client, &mut server, at(120), half);

    let sender = only(&server);
    assert_eq!((sender.counts.sent_packets, sender.counts.retransmitted), (4, 1));
    assert_eq!(sender.counts.dropped[Cause::Error as usize], 1);
    let rtt = sender.rtt.distribution().unwrap_or_else(|| panic!("a round trip"));
    assert_eq!((rtt.samples, rtt.max), (1, 40.0));
    let receiver = only(&client);
    // The first acknowledgement is the base. 2000 bytes follow it.
    assert_eq!((receiver.counts.received_packets, receiver.counts.delivered), (3, 2000));
    assert_eq!(receiver.key, sender.key.reversed());
}

/// RFC 3168, section 5: CE is 11. The checksum must be correct afterwards. The crate etherparse computes it
/// independently.
#[test]
fn a_mark_of_a_queue_is_in_the_packet() {
    let mut tap = Tap::default();
    let mut bytes = segment(true, 1, 1, 100);
    write_ecn(&mut bytes, Ecn::Ect0);
    assert_eq!(ecn_of(&bytes), Ecn::Ect0);
    tap.send(at(0), bytes);
    let Some((AnyBody::Buffer(mut buffer), size)) = tap.poll_transmit(at(0)) else { panic!("a packet") };
    assert_eq!((buffer.ecn, size), (Ecn::Ect0, 140));
    buffer.ecn = Ecn::Ce;
    let packet = Packet { body: AnyBody::Buffer(buffer), queued_ns: 0, from: 0, stream: 0 };
    let mut other = Tap::default();
    other.handle(at(20), packet);
    let arrived = other.take_arrived().unwrap_or_else(|| panic!("a packet"));
    assert_eq!((arrived.at, arrived.bytes[1] & 3), (at(20), 3));
    let (header, _) = etherparse::Ipv4Header::from_slice(&arrived.bytes).unwrap_or_else(|_| panic!("IPv4"));
    assert_eq!(header.header_checksum, header.calc_header_checksum());
}

/// An echo and its reply are one round trip, which is measured at the tap that sent the echo.
#[test]
fn measures_echoes() {
    let (mut here, mut there) = (Tap::default(), Tap::default());
    let echo = |is_reply: bool| -> Box<[u8]> {
        let (from, to) = if is_reply { (SERVER, CLIENT) } else { (CLIENT, SERVER) };
        let builder = PacketBuilder::ipv4(from.0, to.0, 64);
        let builder =
            if is_reply { builder.icmpv4_echo_reply(7, 1) } else { builder.icmpv4_echo_request(7, 1) };
        let mut bytes = Vec::new();
        builder.write(&mut bytes, &[0; 56]).unwrap_or_else(|error| panic!("{error}"));
        bytes.into()
    };
    here.send(at(0), echo(false));
    carry(&mut here, &mut there, at(0), Span::from_millis(300));
    there.send(at(300), echo(true));
    carry(&mut there, &mut here, at(300), Span::from_millis(301));
    let rtt = only(&here).rtt.distribution().unwrap_or_else(|| panic!("a round trip"));
    assert_eq!((rtt.samples, rtt.max), (1, 601.0));
    assert_eq!(only(&there).rtt.distribution(), None);
}

#[test]
fn a_packet_that_is_not_ip_does_not_enter() {
    let mut tap = Tap::default();
    assert!(!tap.send(at(0), Box::from([0_u8; 40])));
    assert!(tap.poll_transmit(at(0)).is_none());
}
