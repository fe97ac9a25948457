// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::rig::Rig;
use crate::{CoDel, Config, Delay, Discipline, FqCoDel, LinkSpec, Lost, Parcel, Queue, QueueLimit};
use units::{Bytes, Rate, Span, Time};

fn at(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

/// At 1 Mbit/s, 125 bytes take 1 ms. There is no propagation delay, and two packets may wait.
fn config() -> Config {
    Config {
        spec: LinkSpec {
            rate: Some(Rate::from_bits_per_s(1_000_000)),
            queue: QueueLimit::Packets(2).into(),
            ..LinkSpec::IDEAL
        },
        delay: Delay::Constant(Span::ZERO),
        course: None,
    }
}

fn link() -> Rig {
    Rig::new(&config(), 1)
}

fn parcel(handle: u32, low: bool) -> Parcel {
    let site = if low { Parcel::LOW } else { 0 };
    Parcel { handle, size: 125, site }
}

/// The low packets 1 and 2 arrive at 0, and packet 1 begins immediately. Data packet 3 arrives at 0.5 ms. It is sent
/// before packet 2, from 1 to 2 ms. Packet 2 is sent from 2 to 3 ms.
#[test]
fn data_goes_before_waiting_probes() {
    let mut link = link();
    link.offer(at(0), parcel(1, true));
    link.offer(at(0), parcel(2, true));
    link.offer(Time::from_nanos(500_000), parcel(3, false));
    assert_eq!(link.order(at(10)), [(1, 1.0), (3, 2.0), (2, 3.0)]);
    assert_eq!(link.link.in_flight(), 0);
}

/// Data packet 0 is in transmission. Probe 1 and data packet 2 wait, so the queue is full. Another probe is dropped,
/// and data packet 3 pushes out probe 1.
#[test]
fn data_pushes_probes_out_of_a_full_queue() {
    let mut link = link();
    link.offer(at(0), parcel(0, false));
    link.offer(at(0), parcel(1, true));
    link.offer(at(0), parcel(2, false));
    assert_eq!(link.offer(at(0), parcel(9, true)), None);
    assert!(link.offer(at(0), parcel(3, false)).is_some());
    // Two data packets wait now, so there is no probe to push out.
    assert_eq!(link.offer(at(0), parcel(4, false)), None);
    assert_eq!(link.log.dropped, [9, 1, 4].map(|handle| (handle, Lost::Full)));
    // The accepted packet is reported before the packet that was pushed out.
    assert_eq!(link.log.entered, [0, 1, 2, 3]);
    assert_eq!(link.order(at(10)), [(0, 1.0), (2, 2.0), (3, 3.0)]);
    assert_eq!(link.link.counters().dropped_queue, 3);
}

/// If the link is idle, a probe is sent immediately. A transmission of a packet is not interrupted.
#[test]
fn an_idle_link_serves_probes_without_delay() {
    let mut link = link();
    link.offer(at(0), parcel(1, true));
    link.offer(Time::from_nanos(1), parcel(2, false));
    assert_eq!(link.order(at(10)), [(1, 1.0), (2, 2.0)]);
}

/// There is room for 250 bytes. Two probe ACKs of 50 bytes and data of 125 bytes wait. Another data packet of 125 bytes
/// pushes out both probe ACKs. If pushing out both would not be sufficient, neither is pushed out.
#[test]
fn small_probes_make_room_for_large_data_or_stay() {
    for queue in [QueueLimit::Bytes(Bytes::new(250)), QueueLimit::Time(Span::from_millis(2))] {
        let mut link =
            Rig::new(&Config { spec: LinkSpec { queue: queue.into(), ..config().spec }, ..config() }, 1);
        link.offer(at(0), parcel(0, false));
        for handle in [1, 2] {
            assert!(link.offer(at(0), Parcel { size: 50, ..parcel(handle, true) }).is_some());
        }
        assert!(link.offer(at(0), parcel(3, false)).is_some());
        // A limit in bytes counts only waiting packets: 0 + 50 + 50 + 125 bytes fit. A limit in time also counts the
        // transmission: 1 + 0.4 + 0.4 ms before data packet 3, and 2 + 0.8 ms before data packet 4.
        assert_eq!(link.log.dropped, []);
        assert!(link.offer(at(0), parcel(4, false)).is_some());
        assert_eq!(link.dropped(), [1, 2]);
        assert_eq!((link.link.in_flight(), link.link.counters().dropped_queue), (3, 2));
    }
    let mut link = Rig::new(
        &Config {
            spec: LinkSpec { queue: QueueLimit::Bytes(Bytes::new(200)).into(), ..config().spec },
            ..config()
        },
        1,
    );
    link.offer(at(0), parcel(0, false));
    link.offer(at(0), parcel(1, false));
    link.offer(at(0), Parcel { size: 50, ..parcel(2, true) });
    assert_eq!(link.offer(at(0), parcel(3, false)), None);
    assert_eq!(link.dropped(), [3]);
    assert_eq!(link.order(at(10)).len(), 3);
}

/// Probe 1 waits 1 ms for data packet 0 and 1 ms for data packet 2, which arrived later.
#[test]
fn the_wait_of_a_probe_is_known_when_it_begins() {
    let mut link = link();
    link.offer(at(0), parcel(0, false));
    link.offer(at(0), parcel(1, true));
    link.offer(at(0), parcel(2, false));
    assert_eq!(link.order(at(2)), [(0, 1.0), (2, 2.0)]);
    assert_eq!(link.log.waits[&1], Span::from_millis(2));
    assert_eq!(link.link.counters().wait_ns, 3_000_000);
    assert_eq!(link.link.busy_time(at(3)), Span::from_millis(3));
}

/// If the link ends, waiting packets of both classes are handed back, and the counters are consistent.
#[test]
fn a_link_that_goes_away_hands_back_waiting_probes() {
    for (reorder, lose) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut link = Rig::new(&Config { spec: LinkSpec { reorder, ..config().spec }, ..config() }, 1);
        link.offer(at(0), parcel(0, false));
        link.offer(at(0), parcel(1, true));
        link.offer(at(0), parcel(2, false));
        let back = link.recall(Time::from_nanos(500_000), lose);
        assert_eq!(back, if lose { vec![] } else { vec![parcel(2, false), parcel(1, true)] });
        assert_eq!(link.dropped(), if lose { vec![0, 2, 1] } else { vec![] });
        assert_eq!([1, 2].map(|handle| link.log.waits[&handle]), [Span::from_micros(500); 2]);
        assert_eq!(
            (link.link.in_flight(), link.link.next_event()),
            if lose { (0, None) } else { (1, Some(at(1))) }
        );
        let counters = link.link.counters();
        assert_eq!((counters.accepted, counters.recalled), (3, 2));
        assert_eq!(counters.dropped_outage, if lose { 3 } else { 0 });
    }
}

/// On a link without a rate, no packet ever waits.
#[test]
fn a_link_without_a_rate_has_one_class() {
    let mut link = Rig::new(&Config { spec: LinkSpec { rate: None, ..config().spec }, ..config() }, 1);
    for handle in 0..5 {
        assert!(link.offer(at(0), parcel(handle, handle % 2 == 0)).is_some());
    }
    assert_eq!(link.order(at(0)), [0, 1, 2, 3, 4].map(|handle| (handle, 0.0)));
}

/// A link of 10 Mbit/s with a discipline and without delay. 1500 B take 1.2 ms.
fn scheduled(discipline: Discipline, limit: QueueLimit) -> Rig {
    let rate = Some(Rate::from_bits_per_s(10_000_000));
    Rig::new(
        &Config { spec: LinkSpec { rate, queue: Queue { limit, discipline }, ..config().spec }, ..config() },
        1,
    )
}

/// A source that sends a packet at a constant interval in microseconds.
#[derive(Clone, Copy)]
struct Source {
    sender: u64,
    size: u16,
    every_us: u64,
}

/// The outcome of a source: bytes delivered, packets dropped, and longest wait.
#[derive(Clone, Copy, Debug, Default)]
struct Fate {
    bytes: u64,
    dropped: u64,
    longest: Span,
}

/// Offers the packets of several sources to a link for a duration, and samples its queue every millisecond. Returns the
/// outcome of each source, the largest number of waiting packets, and the time of this maximum. Every packet must have
/// an outcome.
fn feed(link: &mut Rig, sources: &[Source], ms: u64) -> (Vec<Fate>, (usize, f64)) {
    let mut fates = vec![Fate::default(); sources.len()];
    let mut peak = (0, 0.0);
    let mut offered = 0;
    for us in 0..ms * 1000 {
        let now = Time::ZERO + Span::from_micros(us);
        for (at, source) in sources.iter().enumerate() {
            if us % source.every_us == source.every_us - 1 {
                let parcel =
                    Parcel { handle: offered * sources.len() as u32 + at as u32, size: source.size, site: 0 };
                link.offer_from(now, parcel, source.sender);
                offered += 1;
            }
        }
        if us % 1000 == 0 && link.link.waiting_packets(now) > peak.0 {
            peak = (link.link.waiting_packets(now), us as f64 / 1e6);
        }
    }
    let of = |handle: u32| handle as usize % sources.len();
    for (_, arrival) in link.run(Time::ZERO + Span::from_millis(ms)) {
        fates[of(arrival.parcel.handle)].bytes += u64::from(arrival.parcel.size);
    }
    for handle in link.dropped() {
        fates[of(handle)].dropped += 1;
    }
    for (&handle, &wait) in &link.log.waits {
        let fate = &mut fates[of(handle)];
        fate.longest = fate.longest.max(wait);
    }
    (fates, peak)
}

/// The source sends 12 Mbit/s and never reduces its rate. 1000 packets/s arrive and 833.3 leave, so 166.7 must be
/// dropped per second. After 25 ms, 4.2 packets wait for 5 ms. The first drop is at 125 ms. Drop n follows after
/// another 0.1 s * (1 + 1/sqrt(2) + … + 1/sqrt(n-1)) = 0.1 s * (2 sqrt(n) - 1.460). The drop rate is sqrt(n)/0.1 s per
/// second. It reaches 166.7 at n = 278, which is at 3.31 s. By then, the queue has grown by 166.7 * 3.31 - 278 = 274
/// packets. 0.2 s earlier or later, it is one packet shorter. It falls to 4 packets at 6.60 s, while it shrinks by 164
/// packets/s.
#[test]
fn an_unresponsive_overload_is_dropped_down_to_the_rate() {
    let mut link = scheduled(Discipline::CoDel(CoDel::default()), QueueLimit::Unlimited);
    let source = Source { sender: 0, size: 1500, every_us: 1000 };
    let (fates, (peak, when)) = feed(&mut link, &[source], 6600);
    assert!((peak as f64 / 274.0 - 1.0).abs() < 0.01, "{peak} packets at {when} s");
    assert!((when - 3.31).abs() < 0.2, "{peak} packets at {when} s");
    // After its first packet, the link is never idle.
    assert!((fates[0].bytes as f64 * 8.0 / 10e6 / 6.6 - 1.0).abs() < 1e-3, "{fates:?}");
    let left = link.link.waiting_packets(at(6600));
    assert!(left < 15, "{left}");
}

/// The limit of a CoDel queue works like that of drop-tail: packets that arrive while the queue is full are dropped.
#[test]
fn codel_is_drop_tail_when_full() {
    let mut link = scheduled(Discipline::CoDel(CoDel::default()), QueueLimit::Packets(3));
    let taken: Vec<bool> = (0..6).map(|handle| link.offer(at(0), parcel(handle, false)).is_some()).collect();
    assert_eq!(taken, [true, true, true, true, false, false]);
    assert_eq!((link.link.waiting_packets(at(0)), link.link.counters().dropped_queue), (3, 2));
    assert_eq!(link.link.backlog(at(0)), Span::from_micros(400));
    assert_eq!(link.order(at(10)).iter().map(|(handle, _)| *handle).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(link.link.busy_time(at(10)), Span::from_micros(400));
}

/// Two senders offer 16 and 8 Mbit/s to 10 Mbit/s, in packets of 1500 B and 500 B. Each gets 5 Mbit/s, with a tolerance
/// of a quantum and the packets in flight.
#[test]
fn two_greedy_senders_share_equally() {
    let mut link = scheduled(Discipline::FqCoDel(FqCoDel::default()), QueueLimit::Packets(10_240));
    let sources =
        [Source { sender: 3, size: 1500, every_us: 750 }, Source { sender: 8, size: 500, every_us: 500 }];
    let (fates, _) = feed(&mut link, &sources, 4000);
    let half = 10e6 / 8.0 * 4.0 / 2.0;
    for fate in fates {
        assert!((fate.bytes as f64 - half).abs() < 3.0 * 1514.0, "{fate:?}");
        assert!(fate.dropped > 0);
    }
}

/// Other senders offer 20 Mbit/s. A packet of 100 B every 50 ms waits only for the packet in transmission, never for a
/// quantum.
#[test]
fn a_sparse_sender_hardly_waits() {
    let bulk = Source { sender: 0, size: 1500, every_us: 600 };
    let sparse = Source { sender: 1, size: 100, every_us: 50_001 };
    for (discipline, bound) in [
        (Discipline::FqCoDel(FqCoDel::default()), Span::from_micros(1200)),
        // A quantum of 1514 B takes 1.2112 ms. With CoDel alone, all senders wait.
        (Discipline::CoDel(CoDel::default()), Span::MAX),
    ] {
        let mut link = scheduled(discipline, QueueLimit::Packets(1000));
        let (fates, _) = feed(&mut link, &[bulk, sparse], 3000);
        assert!(fates[1].longest <= bound, "{discipline:?}: {fates:?}");
        assert_eq!(fates[1].dropped == 0, bound < Span::MAX, "{discipline:?}: {fates:?}");
        assert!(fates[0].longest > Span::from_millis(100));
    }
}

/// There is room for four packets. Two senders have one packet each, and a third sender fills the rest. Only the third
/// sender loses packets.
#[test]
fn a_full_queue_drops_from_the_longest() {
    let mut link = scheduled(Discipline::FqCoDel(FqCoDel::default()), QueueLimit::Packets(4));
    link.offer_from(at(0), parcel(0, false), 9); // in transmission
    for (handle, sender) in [(1, 9), (2, 9), (3, 9), (4, 8), (5, 7)] {
        assert!(link.offer_from(at(0), parcel(handle, false), sender).is_some());
    }
    assert_eq!((link.dropped(), link.link.waiting_packets(at(0))), (vec![1], 4));
    assert_eq!(link.link.counters().dropped_queue, 1);
}

/// Probes wait until the queue of the discipline is empty. They are also pushed out of it.
#[test]
fn probes_go_behind_a_scheduled_queue() {
    for discipline in [Discipline::CoDel(CoDel::default()), Discipline::FqCoDel(FqCoDel::default())] {
        let mut link = scheduled(discipline, QueueLimit::Packets(2));
        link.offer(at(0), parcel(0, false));
        link.offer(at(0), parcel(1, true));
        link.offer(at(0), parcel(2, false));
        assert_eq!(link.offer(at(0), parcel(9, true)), None);
        assert!(link.offer(at(0), parcel(3, false)).is_some());
        assert_eq!(link.dropped(), [9, 1]);
        assert!(link.offer(Time::from_nanos(100_000), parcel(4, true)).is_some());
        let order: Vec<u32> = link.order(at(10)).iter().map(|(handle, _)| *handle).collect();
        assert_eq!(order, [0, 2, 3, 4], "{discipline:?}");
    }
}

/// If the link ends, held packets are handed back in order, with the time that they have waited.
#[test]
fn a_link_that_goes_away_hands_back_a_scheduled_queue() {
    for discipline in [Discipline::CoDel(CoDel::default()), Discipline::FqCoDel(FqCoDel::default())] {
        for lose in [false, true] {
            let mut link = scheduled(discipline, QueueLimit::Unlimited);
            for handle in 0..3 {
                link.offer_from(
                    Time::from_nanos(u64::from(handle)),
                    parcel(handle, false),
                    u64::from(3 - handle),
                );
            }
            let back = link.recall(Time::from_nanos(50_000), lose);
            assert_eq!(back, if lose { vec![] } else { vec![parcel(1, false), parcel(2, false)] });
            assert_eq!([1, 2].map(|handle| link.log.waits[&handle].nanos()), [49_999, 49_998]);
            assert_eq!(link.link.in_flight(), usize::from(!lose));
            assert_eq!(link.link.counters().dropped_outage, if lose { 3 } else { 0 });
            assert_eq!(link.link.next_event().is_some(), !lose);
        }
    }
}
