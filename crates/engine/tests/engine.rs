// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of the engine with simple endpoints: queueing theory, forwarding, conservation.

use control::PathChange;
use engine::{
    Attachment, Body, Cause, Drops, Endpoint, Engine, Forwarding, NO_LINK, NoObserver, Packet, UNCONNECTED,
};
use link::{Config, Delay, Discipline, Ecn, Impairment, Link, LinkSpec, QueueLimit, Threshold};
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};
use units::{Rate, Span, Time};

/// A numbered packet.
#[derive(Clone, Copy, Debug)]
struct Numbered {
    number: u32,
    low_priority: bool,
    ecn: Ecn,
    to: Option<u32>,
}

impl Body for Numbered {
    fn destination(&self) -> Option<u32> {
        self.to
    }
    fn warn(&mut self) {}
    fn is_low_priority(&self) -> bool {
        self.low_priority
    }
    fn ecn(&self) -> Ecn {
        self.ecn
    }
    fn mark_ce(&mut self) {
        self.ecn = Ecn::Ce;
    }
    fn bleach(&mut self) {
        self.ecn = Ecn::NotEct;
    }
}

/// A source that sends packets of 1500 B at given times, or a sink that counts them.
#[derive(Clone, Debug, Default)]
struct Probe {
    times: Vec<Time>,
    /// Whether every second packet has low priority.
    mixed: bool,
    ecn: Ecn,
    /// Destinations of the packets in turn, if the endpoint is unconnected.
    to: Vec<u32>,
    sent: usize,
    arrived: Vec<(Time, u32, u64)>,
    marked: Vec<u32>,
    dropped: Drops,
}

impl Endpoint for Probe {
    type Body = Numbered;
    fn handle(&mut self, now: Time, packet: Packet<Numbered>) {
        self.arrived.push((now, packet.body.number, packet.queued_ns));
        self.marked.extend((packet.body.ecn == Ecn::Ce).then_some(packet.body.number));
    }
    fn handle_timeout(&mut self, _now: Time) {}
    fn poll_transmit(&mut self, now: Time) -> Option<(Numbered, u16)> {
        if *self.times.get(self.sent)? > now {
            return None;
        }
        self.sent += 1;
        let low_priority = self.mixed && self.sent.is_multiple_of(2);
        let to = self.to.get((self.sent - 1) % self.to.len().max(1)).copied();
        Some((Numbered { number: self.sent as u32 - 1, low_priority, ecn: self.ecn, to }, 1500))
    }
    fn next_timeout(&self) -> Time {
        self.times.get(self.sent).copied().unwrap_or(Time::MAX)
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _now: Time, _packet: Packet<Numbered>, cause: Cause) {
        self.dropped[cause as usize] += 1;
    }
}

fn link(mbit_per_s: u64, delay_ms: u64, queue: QueueLimit) -> Config {
    Config {
        spec: LinkSpec {
            rate: Some(Rate::from_bits_per_s(mbit_per_s * 1_000_000)),
            queue: queue.into(),
            ..LinkSpec::IDEAL
        },
        delay: Delay::Constant(Span::from_millis(delay_ms)),
        course: None,
    }
}

/// A network of three nodes: 0 and 1 are sites, and 2 is between them. Link 0 is 0>1, link 1 is 0>2, link 2 is 2>1, and
/// link 3 is 1>0.
fn triangle(configs: &[Config; 4], times: Vec<Time>) -> Engine<Probe, NoObserver> {
    let leads_to = [1, 2, 1, 0];
    let links = configs.iter().zip(leads_to).map(|(config, to)| (Link::new(config, 5), to)).collect();
    let mut forwarding = Forwarding::new(3, 2);
    forwarding.set(0, 1, Some(0));
    forwarding.set(2, 1, Some(2));
    forwarding.set(1, 0, Some(3));
    let at = |site: u16| Attachment { peer: u32::from(1 - site), site, up: NO_LINK, down: NO_LINK };
    let source = Probe { times, ..Probe::default() };
    Engine::new(links, forwarding, vec![0, 1], vec![source, Probe::default()], vec![at(0), at(1)], NoObserver)
}

fn ms(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

#[test]
fn a_poisson_source_waits_as_queueing_theory_says() {
    // M/D/1 (Pollaczek-Khinchine): the mean wait is rho / (2 (1 - rho)) service times. At 12 Mbit/s, the service time
    // is 1 ms.
    for (rho, expected_ms) in [(0.5, 0.5), (0.8, 2.0)] {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut at = 0.0;
        let times = (0..400_000)
            .map(|_| {
                let uniform = (random.word() >> 11) as f64 / (1u64 << 53) as f64;
                at += -f64::ln_1p(-uniform) * 1e-3 / rho;
                Time::from_secs_f64(at)
            })
            .collect();
        let free = || link(12, 10, QueueLimit::Unlimited);
        let mut engine = triangle(&[free(), free(), free(), free()], times);
        engine.advance(Time::from_secs_f64(at + 10.0));
        let arrived = &engine.endpoints()[1].arrived;
        assert_eq!(arrived.len(), 400_000);
        let mean_ms = arrived.iter().map(|&(.., queued)| queued as f64).sum::<f64>() / 4e5 / 1e6;
        // The mean of 4e5 correlated waits varies by about 2 % (standard deviation) at rho 0.8. The limit of 6 % is
        // three times as much.
        assert!(
            (mean_ms / expected_ms - 1.0).abs() < 0.06,
            "rho {rho}: {mean_ms} ms, theory {expected_ms} ms"
        );
        assert!(engine.check_conservation().is_ok());
    }
}

/// Returns counts of drops. All causes that are not listed have the count zero.
fn drops(counts: &[(Cause, u64)]) -> Drops {
    let mut all = Drops::default();
    for &(cause, count) in counts {
        all[cause as usize] = count;
    }
    all
}

/// Ten packets arrive at the same time at a queue for four packets. Every second packet is a probe. Expected: 0 is sent;
/// 1, 2, 3 and 4 wait; 5 is dropped; 6 pushes 3 out; 7 is dropped; 8 pushes 1 out; 9 is dropped.
#[test]
fn the_books_close_with_two_classes_when_a_link_goes() {
    for (down, lose) in [(false, false), (true, false), (true, true)] {
        let free = || link(12, 5, QueueLimit::Unlimited);
        let small = link(12, 5, QueueLimit::Packets(4));
        let mut engine = triangle(&[small, free(), free(), free()], vec![Time::ZERO; 10]);
        engine.endpoints_mut()[0].mixed = true;
        engine.advance(Time::ZERO + Span::from_micros(2500));
        assert_eq!(engine.endpoints()[0].dropped, drops(&[(Cause::Queue, 5)]));
        assert!(engine.check_conservation().is_ok());
        if down {
            engine.route(0, 1, Some(1));
            engine.link_down(0, 0, lose);
            assert!(engine.check_conservation().is_ok());
        }
        engine.advance(ms(1000));
        assert!(engine.check_conservation().is_ok());
        let arrived: Vec<u32> = engine.endpoints()[1].arrived.iter().map(|a| a.1).collect();
        assert_eq!(arrived, if lose { vec![] } else { vec![0, 2, 4, 6, 8] });
    }
}

/// Half of data packet 0 is sent when probe 1 and data packet 2 arrive. Expected: the probe waits for both packets,
/// which takes 1.5 transmission times.
#[test]
fn a_probe_knows_how_long_it_waited() {
    let free = || link(12, 5, QueueLimit::Unlimited);
    let half = Time::ZERO + Span::from_micros(500);
    let mut engine = triangle(&[free(), free(), free(), free()], vec![Time::ZERO, half, half]);
    engine.endpoints_mut()[0].mixed = true;
    engine.advance(ms(1000));
    let arrived = &engine.endpoints()[1].arrived;
    assert_eq!(
        arrived.iter().map(|a| (a.1, a.2)).collect::<Vec<_>>(),
        [(0, 0), (2, 500_000), (1, 1_500_000)]
    );
}

#[test]
fn what_waits_is_forwarded_by_the_new_table() {
    for (lose, expected) in [(false, 10), (true, 0)] {
        let slow = || link(12, 100, QueueLimit::Unlimited);
        let mut engine =
            triangle(&[slow(), link(12, 5, QueueLimit::Unlimited), slow(), slow()], vec![Time::ZERO; 10]);
        engine.advance(Time::ZERO + Span::from_micros(2500));
        // Packets 0 and 1 are in flight, packet 2 is being sent, and packets 3 to 9 wait.
        engine.route(0, 1, Some(1));
        engine.link_down(0, 0, lose);
        engine.advance(ms(1000));
        let arrived: Vec<u32> = engine.endpoints()[1].arrived.iter().map(|a| a.1).collect();
        assert_eq!(arrived.len(), expected);
        if !lose {
            assert_eq!(arrived, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
            // Packet 9 is forwarded again at 2.5 ms, behind six other packets of 1 ms: 2.5 + 7 + 5, then 1 + 100 on the
            // last link.
            assert_eq!(engine.endpoints()[1].arrived[9].0, Time::ZERO + Span::from_micros(115_500));
            // Packet 9 waited 2.5 ms for the first link and 6 ms for the second link. The remaining 6.5 ms of its wait
            // for the first link do not count, because that link was removed.
            assert_eq!(engine.endpoints()[1].arrived[9].2, 8_500_000);
        }
        assert_eq!(engine.endpoints()[0].dropped, drops(&[(Cause::Gone, 10 - expected as u64)]));
        assert!(engine.check_conservation().is_ok());
    }
}

#[test]
fn every_drop_has_a_cause() {
    let mut lossy = link(12, 10, QueueLimit::Packets(4));
    lossy.spec.loss = Impairment::PacketErrorRate(1.0);
    let free = || link(12, 10, QueueLimit::Unlimited);
    let mut engine = triangle(&[lossy, free(), free(), free()], vec![Time::ZERO; 10]);
    engine.advance(ms(50));
    engine.route(0, 1, None);
    let both = drops(&[(Cause::Queue, 5), (Cause::Error, 5)]);
    assert_eq!(engine.endpoints()[0].dropped, both); // queue: ten minus one in transmission and four waiting
    let ledger = engine.ledger();
    assert_eq!((ledger.created, ledger.delivered, ledger.dropped, ledger.hops), (10, 0, both, 5));
    assert!(engine.check_conservation().is_ok());
}

#[test]
fn no_route_is_an_outage() {
    let free = || link(12, 10, QueueLimit::Unlimited);
    let mut engine = triangle(&[free(), free(), free(), free()], vec![ms(1)]);
    engine.route(0, 1, None);
    engine.advance(ms(50));
    assert_eq!(engine.endpoints()[0].dropped, drops(&[(Cause::NoPath, 1)]));
    assert!(engine.check_conservation().is_ok());
}

/// Ten packets of one millisecond each arrive at the same time. An arriving packet is marked if more than two packets
/// wait. A leaving packet is marked if it waited more than 2.5 ms. A packet that cannot be marked is not changed.
#[test]
fn a_mark_of_the_queue_reaches_the_body() {
    let times = [
        (QueueLimit::Packets(2), vec![4, 5, 6, 7, 8, 9]),
        (QueueLimit::Time(Span::from_micros(2500)), vec![3, 4, 5, 6, 7, 8, 9]),
    ];
    for (above, marked) in times {
        for ecn in [Ecn::Ect0, Ecn::Ect1, Ecn::NotEct] {
            let free = || link(12, 5, QueueLimit::Unlimited);
            let mut marking = free();
            marking.spec.queue.discipline = Discipline::Threshold(Threshold { above });
            let mut engine = triangle(&[marking, free(), free(), free()], vec![Time::ZERO; 10]);
            engine.endpoints_mut()[0].ecn = ecn;
            engine.advance(ms(1000));
            let sink = &engine.endpoints()[1];
            assert_eq!(sink.arrived.len(), 10);
            let expected = if ecn == Ecn::NotEct { vec![] } else { marked.clone() };
            assert_eq!(sink.marked, expected, "{above:?} {ecn:?}");
            assert!(engine.check_conservation().is_ok());
        }
    }
}

/// The first link becomes ten times as fast while packets wait. Expected: the packet in transmission ends at its
/// original time.
#[test]
fn a_rate_is_set_while_packets_wait() {
    let free = || link(12, 5, QueueLimit::Unlimited);
    let mut engine = triangle(&[free(), free(), free(), free()], vec![Time::ZERO; 3]);
    let half = Time::ZERO + Span::from_micros(500);
    engine.advance(half);
    let fast = Some(Rate::from_bits_per_s(120_000_000));
    engine.change_link(0, |link, now, packets| link.set_rate(now, fast, packets));
    engine.advance(ms(1000));
    let arrived: Vec<_> = engine.endpoints()[1].arrived.iter().map(|a| (a.0, a.2)).collect();
    let us = |us| Time::ZERO + Span::from_micros(us);
    assert_eq!(arrived, [(us(6000), 0), (us(6100), 1_000_000), (us(6200), 1_100_000)]);
}

/// A link is added while packets are in flight. Expected: later packets take the new link.
#[test]
fn a_link_is_added_while_packets_fly() {
    let free = || link(12, 5, QueueLimit::Unlimited);
    let mut engine = triangle(&[free(), free(), free(), free()], vec![Time::ZERO, ms(1), ms(2)]);
    engine.advance(Time::ZERO + Span::from_micros(1500));
    for number in 4..20 {
        let added = engine.add_link(Link::new(&link(12, 50, QueueLimit::Unlimited), 0), 1);
        assert_eq!(added, number);
    }
    engine.route(0, 1, Some(19));
    engine.advance(ms(1000));
    let arrived: Vec<_> = engine.endpoints()[1].arrived.iter().map(|a| a.0).collect();
    assert_eq!(arrived, [ms(6), ms(7), ms(53)]);
    assert!(engine.check_conservation().is_ok());
}

/// Packets of 1500 B take 1 ms at 12 Mbit/s, and have a propagation delay of 5 ms.
#[test]
fn endpoints_are_added_while_packets_fly() {
    let free = || link(12, 5, QueueLimit::Unlimited);
    let mut engine = triangle(&[free(), free(), free(), free()], vec![Time::ZERO, ms(1)]);
    engine.advance(Time::ZERO + Span::from_micros(500));
    let attached = |site, peer| Attachment { peer, site, up: NO_LINK, down: NO_LINK };
    let source = Probe { times: vec![Time::ZERO, ms(20)], ..Probe::default() };
    assert_eq!(engine.add_endpoint(source, attached(0, 3)), 2);
    assert_eq!(engine.add_endpoint(Probe::default(), attached(1, 2)), 3);
    // The numbers of links do not depend on the number of endpoints.
    assert_eq!(engine.add_link(Link::new(&free(), 0), 1), 4);
    engine.route(0, 1, Some(4));
    engine.advance(ms(1000));
    let arrived = |at: usize| engine.endpoints()[at].arrived.iter().map(|a| a.0).collect::<Vec<_>>();
    // The added link transmits the packet of the new endpoint until 1.5 ms, and then the second packet of the old
    // endpoint.
    let us = |us| Time::ZERO + Span::from_micros(us);
    assert_eq!(arrived(1), [ms(6), us(7500)]);
    assert_eq!(arrived(3), [us(6500), ms(26)]);
    assert!(engine.check_conservation().is_ok());
}

/// One endpoint sends to two endpoints at different sites, which answer. None of the three endpoints has a fixed peer.
#[test]
fn an_unconnected_endpoint_names_the_destination_of_each_packet() {
    let free = || link(12, 5, QueueLimit::Unlimited);
    let mut engine = triangle(&[free(), free(), free(), free()], Vec::new());
    let attached = |site, peer| Attachment { peer, site, up: NO_LINK, down: NO_LINK };
    engine.add_endpoint(Probe::default(), attached(0, UNCONNECTED));
    let answer = || Probe { times: vec![ms(40)], ..Probe::default() };
    let near = engine.add_endpoint(answer(), attached(0, 2));
    let far = engine.add_endpoint(answer(), attached(1, 2));
    let hub = &mut engine.endpoints_mut()[2];
    (hub.times, hub.to) = (vec![Time::ZERO; 4], vec![far as u32, near as u32]);
    engine.wake(2);
    engine.advance(ms(1000));
    let arrived = |at: usize| engine.endpoints()[at].arrived.iter().map(|a| (a.0, a.1)).collect::<Vec<_>>();
    assert_eq!(arrived(far), [(ms(6), 0), (ms(7), 2)]);
    assert_eq!(arrived(near), [(ms(0), 1), (ms(0), 3)]);
    assert_eq!(arrived(2), [(ms(40), 0), (ms(46), 0)]);
    assert!(engine.check_conservation().is_ok());
}

#[test]
#[should_panic(expected = "a packet of an unconnected endpoint has a destination")]
fn an_unconnected_endpoint_must_name_a_destination() {
    let free = || link(12, 5, QueueLimit::Unlimited);
    let mut engine = triangle(&[free(), free(), free(), free()], Vec::new());
    let attached = Attachment { peer: UNCONNECTED, site: 0, up: NO_LINK, down: NO_LINK };
    engine.add_endpoint(Probe { times: vec![Time::ZERO], ..Probe::default() }, attached);
    engine.advance(ms(1));
}

/// The engine counts a drop immediately. The record of the sender gets the report at the end of the advance.
#[test]
fn a_senders_record_learns_of_drops_when_a_stretch_ends() {
    let full = || link(12, 5, QueueLimit::Packets(1));
    let mut engine = triangle(&[full(), full(), full(), full()], vec![Time::ZERO; 4]);
    // One event: the source sends four packets, and the queue has no room for two of them.
    assert!(!engine.advance_some(ms(10), 1));
    let queue = Cause::Queue as usize;
    assert_eq!((engine.ledger().dropped[queue], engine.endpoints()[0].dropped[queue]), (2, 0));
    let fork = engine.clone();
    assert!(engine.advance_some(ms(10), u64::MAX));
    assert_eq!((engine.ledger().dropped[queue], engine.endpoints()[0].dropped[queue]), (2, 2));
    assert_eq!(fork.endpoints()[0].dropped[queue], 0);
    assert!(engine.check_conservation().is_ok());
}
