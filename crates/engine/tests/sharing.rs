// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links that share a transmitter: max-min fairness, weights, Cobham's priorities, and laws that apply for any order of
//! service.

use control::PathChange;
use engine::{
    Attachment, Body, Cause, Endpoint, Engine, Forwarding, NO_LINK, NoObserver, Packet, Scheduling,
};
use link::{Config, Delay, Discipline, Drr, Ecn, Link, LinkSpec, QueueLimit};
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};
use units::{Rate, Span, Time};

#[derive(Clone, Copy, Debug)]
struct Plain;

impl Body for Plain {
    fn warn(&mut self) {}
    fn is_low_priority(&self) -> bool {
        false
    }
    fn ecn(&self) -> Ecn {
        Ecn::NotEct
    }
    fn mark_ce(&mut self) {}
}

/// A source that sends packets of one size at given times, or a sink that records the arrival time and the waiting time
/// of each packet.
#[derive(Debug, Default)]
struct Probe {
    times: Vec<Time>,
    size: u16,
    sent: usize,
    arrived: Vec<(Time, Span)>,
    dropped: usize,
}

impl Endpoint for Probe {
    type Body = Plain;
    fn handle(&mut self, now: Time, packet: Packet<Plain>) {
        self.arrived.push((now, Span::from_nanos(packet.queued_ns)));
    }
    fn handle_timeout(&mut self, _now: Time) {}
    fn poll_transmit(&mut self, now: Time) -> Option<(Plain, u16)> {
        if *self.times.get(self.sent)? > now {
            return None;
        }
        self.sent += 1;
        Some((Plain, self.size))
    }
    fn next_timeout(&self) -> Time {
        self.times.get(self.sent).copied().unwrap_or(Time::MAX)
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _now: Time, _packet: Packet<Plain>, _cause: Cause) {
        self.dropped += 1;
    }
}

/// A terminal: the times and the size of its packets, and its scheduling.
struct Terminal {
    times: Vec<Time>,
    size: u16,
    scheduling: Scheduling,
    delay_ms: u64,
    queue: QueueLimit,
    discipline: Discipline,
}

impl Terminal {
    fn new(times: Vec<Time>) -> Self {
        Self {
            times,
            size: 1500,
            scheduling: Scheduling { weight: 1, class: 0 },
            delay_ms: 10,
            queue: QueueLimit::Unlimited,
            discipline: Discipline::DropTail,
        }
    }
}

/// A satellite (node 0) that sends to terminals (nodes 1, 2, ...) at a total of 12 Mbit/s. A packet of 1500 bytes takes
/// 1 ms.
fn beam(terminals: Vec<Terminal>) -> Engine<Probe, NoObserver> {
    let count = terminals.len();
    let mut forwarding = Forwarding::new(count + 1, count + 1);
    let (mut links, mut entries, mut endpoints, mut attachments) = (vec![], vec![], vec![], vec![]);
    for (number, terminal) in terminals.into_iter().enumerate() {
        let spec = LinkSpec {
            rate: Some(Rate::from_bits_per_s(12_000_000)),
            queue: link::Queue { limit: terminal.queue, discipline: terminal.discipline },
            ..LinkSpec::IDEAL
        };
        let config = Config::new(spec, Delay::Constant(Span::from_millis(terminal.delay_ms)));
        links.push((Link::sharing(&config, 7), number as u32 + 1));
        entries.push(terminal.scheduling);
        forwarding.set(0, number as u16 + 1, Some(number as u32));
        endpoints.push(Probe { times: terminal.times, size: terminal.size, ..Probe::default() });
        endpoints.push(Probe::default());
        let at = |site, peer| Attachment { peer, site, up: NO_LINK, down: NO_LINK };
        let first = attachments.len() as u32;
        attachments.extend([at(0, first + 1), at(number as u16 + 1, first)]);
    }
    let sites = (0..=count as u32).collect();
    let mut engine = Engine::new(links, forwarding, sites, endpoints, attachments, NoObserver);
    for (link, scheduling) in (0..).zip(entries) {
        engine.share(0, link, scheduling);
    }
    engine
}

fn ms(ms: f64) -> Time {
    Time::from_secs_f64(ms / 1e3)
}

/// Returns the times of packets of `size` bytes at equal intervals until `end_ms`, at a share of the beam's rate.
/// `from_us` is the time of the first packet.
fn steady(share: f64, size: u16, from_us: f64, end_ms: f64) -> Vec<Time> {
    let apart = f64::from(size) / 1500.0 / share;
    (0..u32::MAX)
        .map(|number| f64::from(number) * apart + from_us / 1e3)
        .take_while(|&at| at < end_ms)
        .map(ms)
        .collect()
}

fn poisson(rho: f64, seed: u64, end_ms: f64) -> Vec<Time> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut at = 0.0;
    let mut times = Vec::new();
    while at < end_ms {
        let uniform = (random.word() >> 11) as f64 / (1u64 << 53) as f64;
        at -= f64::ln_1p(-uniform) / rho;
        times.push(ms(at));
    }
    times
}

/// Returns the bytes that arrived at each terminal by `at_ms`.
fn bytes(engine: &Engine<Probe, NoObserver>, sizes: &[u16], at_ms: f64) -> Vec<f64> {
    let sinks = engine.endpoints().iter().skip(1).step_by(2);
    let by = |sink: &Probe| sink.arrived.iter().filter(|&&(at, _)| at <= ms(at_ms)).count() as f64;
    sinks.zip(sizes).map(|(sink, &size)| by(sink) * f64::from(size)).collect()
}

#[test]
fn shares_are_max_min_fair_whatever_the_sizes_of_packets() {
    // The terminals request 10 %, 30 % and 200 % of the beam. A terminal that requests less than an equal share gets
    // its request, and the third terminal gets the remaining rate (Bertsekas and Gallager, Data Networks, section
    // 6.5.2). Packets have 300, 1500 and 700 bytes. The test covers 4 s.
    let terminal =
        |share, size, apart| Terminal { size, ..Terminal::new(steady(share, size, apart, 4000.0)) };
    let mut engine = beam(vec![terminal(0.1, 300, 3.0), terminal(0.3, 1500, 7.0), terminal(2.0, 700, 0.0)]);
    engine.advance(ms(4000.0));
    let got = bytes(&engine, &[300, 1500, 700], 4000.0);
    for (got, expected) in got.iter().zip([0.1, 0.3, 0.6]) {
        let share = got / (12e6 / 8.0 * 3.99);
        assert!((share - expected).abs() < 0.003, "{share} instead of {expected}");
    }
    engine.check_conservation().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn weights_divide_what_is_wanted_by_all() {
    let terminal = |weight| Terminal {
        scheduling: Scheduling { weight, class: 0 },
        ..Terminal::new(steady(1.0, 1500, 0.0, 4000.0))
    };
    let mut engine = beam(vec![terminal(1), terminal(2), terminal(5)]);
    engine.advance(ms(4000.0));
    let got = bytes(&engine, &[1500; 3], 4000.0);
    for (got, weight) in got.iter().zip([1.0, 2.0, 5.0]) {
        let share = got / (12e6 / 8.0 * 3.99);
        assert!((share - weight / 8.0).abs() < 0.003, "{share}");
    }
}

#[test]
fn a_terminal_alone_has_the_whole_beam_at_once() {
    // The packets follow each other, with 1 ms of transmission and 10 ms of propagation each, as on a link with its own
    // transmitter.
    let mut engine = beam(vec![Terminal::new(vec![ms(0.0); 4]), Terminal::new(Vec::new())]);
    engine.advance(ms(100.0));
    let at: Vec<Time> = engine.endpoints()[1].arrived.iter().map(|&(at, _)| at).collect();
    assert_eq!(at, [11.0, 12.0, 13.0, 14.0].map(ms));
}

#[test]
fn turns_go_round_and_newcomers_wait_for_theirs() {
    // Two terminals, a and b, have three packets each at 0. A third terminal, c, has one packet at 1.5 ms. By hand: the
    // first packet of a finds the beam free, and costs no credit. Then a and b wait in the row, each with a quantum of
    // one packet. The next packets are from a (at 1 ms), b (2 ms), and c, which has joined the end of the row in the
    // meantime (3 ms). Then follow a (4 ms), and b, which is then alone.
    let mut engine = beam(vec![
        Terminal::new(vec![ms(0.0); 3]),
        Terminal::new(vec![ms(0.0); 3]),
        Terminal { delay_ms: 0, ..Terminal::new(vec![ms(1.5)]) },
    ]);
    engine.advance(ms(100.0));
    let mut order: Vec<(Time, char)> = Vec::new();
    for (name, sink, delay) in [('a', 1, 10.0), ('b', 3, 10.0), ('c', 5, 0.0)] {
        order.extend(
            engine.endpoints()[sink].arrived.iter().map(|&(at, _)| (at - ms(delay).since(Time::ZERO), name)),
        );
    }
    order.sort_unstable();
    assert_eq!(
        order.iter().map(|&(at, _)| at).collect::<Vec<_>>(),
        (1..=7).map(|at| ms(f64::from(at))).collect::<Vec<_>>()
    );
    let names: String = order.iter().map(|&(_, name)| name).collect();
    assert_eq!(names, "aabcabb");
}

#[test]
fn mean_waits_under_any_order_are_those_of_one_queue() {
    // Packets have one size, and there are four Poisson sources with a load of 0.2 each. For any order, the mean wait
    // is the mean wait of M/D/1 (Kleinrock's conservation law): rho / (2 (1 - rho)) = 2 service times.
    for classes in [[0, 0, 0, 0], [3, 1, 1, 0]] {
        let terminals = (0..4).zip(classes).map(|(seed, class)| Terminal {
            scheduling: Scheduling { weight: 1, class },
            ..Terminal::new(poisson(0.2, 100 + seed, 150_000.0))
        });
        let mut engine = beam(terminals.collect());
        engine.advance(ms(160_000.0));
        let waits: Vec<f64> = engine
            .endpoints()
            .iter()
            .flat_map(|end| &end.arrived)
            .map(|&(_, wait)| wait.secs_f64())
            .collect();
        let mean_ms = waits.iter().sum::<f64>() / waits.len() as f64 * 1e3;
        assert!((mean_ms / 2.0 - 1.0).abs() < 0.06, "{mean_ms}");
    }
}

#[test]
fn strict_priority_waits_as_cobham_says() {
    // Cobham 1954, without preemption: W1 = W0 / (1 - rho1) and W2 = W0 / ((1 - rho1) (1 - rho)). If all packets take
    // s, W0 = rho s / 2. For rho1 = 0.3 and rho2 = 0.5, the waits are 0.571 and 2.857 ms.
    let terminal = |rho, class, seed| Terminal {
        scheduling: Scheduling { weight: 1, class },
        ..Terminal::new(poisson(rho, seed, 200_000.0))
    };
    let mut engine = beam(vec![terminal(0.3, 5, 1), terminal(0.5, 2, 2)]);
    engine.advance(ms(210_000.0));
    for (sink, expected) in [(1, 0.571_4), (3, 2.857_1)] {
        let arrived = &engine.endpoints()[sink].arrived;
        let mean_ms =
            arrived.iter().map(|&(_, wait)| wait.secs_f64()).sum::<f64>() / arrived.len() as f64 * 1e3;
        assert!((mean_ms / expected - 1.0).abs() < 0.05, "{mean_ms} instead of {expected}");
    }
}

#[test]
fn each_terminal_has_its_own_queue() {
    // The queue has room for two packets, in addition to the packet in transmission. Of five simultaneous packets,
    // three pass. The other terminals are not affected.
    let mut engine = beam(vec![
        Terminal { queue: QueueLimit::Packets(2), ..Terminal::new(vec![ms(0.0); 5]) },
        Terminal { discipline: Discipline::Drr(Drr::default()), ..Terminal::new(vec![ms(0.0); 5]) },
    ]);
    engine.advance(ms(100.0));
    let ends = engine.endpoints();
    assert_eq!((ends[1].arrived.len(), ends[0].dropped), (3, 2));
    assert_eq!((ends[3].arrived.len(), ends[2].dropped), (5, 0));
    engine.check_conservation().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_terminal_that_leaves_takes_its_packets_along_and_the_others_go_on() {
    let mut engine = beam(vec![Terminal::new(vec![ms(0.0); 6]), Terminal::new(vec![ms(0.0); 6])]);
    engine.advance(ms(2.5));
    // The link to the first terminal is removed, and there is no other route.
    engine.route(0, 1, None);
    engine.link_down(0, 0, false);
    engine.advance(ms(100.0));
    let ends = engine.endpoints();
    let (first, second) = (&ends[1].arrived, &ends[3].arrived);
    assert_eq!(second.len(), 6);
    assert_eq!(first.len() + ends[0].dropped, 6);
    // The beam sends without a gap, and a transmission that has begun is completed.
    let last = second.iter().map(|&(at, _)| at).max();
    assert_eq!(last, Some(ms(10.0 + 6.0 + first.len() as f64)));
    engine.check_conservation().unwrap_or_else(|error| panic!("{error}"));
}
