// SPDX-License-Identifier: MIT OR Apache-2.0
use super::Bucket;
use crate::Policer;
use crate::rig::Rig;
use crate::{Config, Delay, Lost, Parcel, Queue, QueueLimit};
use crate::{Ecn, LinkSpec, LossList, Threshold};
use std::sync::Arc;
use units::{Bytes, Rate, Span, Time};

fn policer(mbit_s: u64, burst: u64) -> Policer {
    Policer { rate: Rate::from_bits_per_s(mbit_s * 1_000_000), burst: Bytes::new(burst) }
}

fn ms(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

fn parcel(handle: u32) -> Parcel {
    Parcel { handle, size: 1500, site: 0 }
}

/// A link of 12 Mbit/s without propagation delay. 1500 bytes take 1 ms.
fn config(spec: LinkSpec) -> Config {
    let rate = Some(Rate::from_bits_per_s(12_000_000));
    Config::new(LinkSpec { rate, ..spec }, Delay::Constant(Span::ZERO))
}

/// Expected: `tests/oracles/policers_by_the_book.py`. The bucket of RFC 2697, Linux's `tcf_police_act()` and the
/// definition of a profile have the same result for these packets.
#[test]
fn packets_pass_as_the_books_say() {
    let vectors = [
        include_str!("../../../../vectors/policers/saturated.csv"),
        include_str!("../../../../vectors/policers/on-off.csv"),
        include_str!("../../../../vectors/policers/one-packet.csv"),
    ];
    for rows in vectors {
        let mut bucket: Option<Bucket> = None;
        for row in rows.lines().skip(1) {
            let cells = row.split(',').map(|cell| cell.parse::<u64>().unwrap_or_else(|_| panic!("{row}")));
            let [rate, burst, at, size, passes] = cells.collect::<Vec<_>>()[..] else { panic!("{row}") };
            let policer = Policer { rate: Rate::from_bits_per_s(rate), burst: Bytes::new(burst) };
            let bucket = bucket.get_or_insert_with(|| Bucket::new(policer));
            assert_eq!(bucket.passes(Time::from_nanos(at), size as u16), passes == 1, "{row}");
        }
    }
}

/// At 7 bit/s, three nanoseconds are not a whole number of tokens per byte. Frequent updates must not lose tokens. The
/// same packets pass through a bucket that is updated every 3 ns, and through a bucket that is updated once per second.
#[test]
fn how_often_it_is_looked_at_makes_no_difference() {
    let slow = Policer { rate: Rate::from_bits_per_s(7), burst: Bytes::new(64) };
    let (mut often, mut seldom) = (Bucket::new(slow), Bucket::new(slow));
    for bucket in [&mut often, &mut seldom] {
        assert!(bucket.passes(Time::ZERO, 64));
    }
    // After 64 bytes, the bucket is full again after 512 / 7 s = 73.142857143 s, and not a nanosecond earlier.
    let full = 73_142_857_143;
    for at in (0..full).step_by(100_000_003) {
        assert!(!often.passes(Time::from_nanos(at), 65), "more than the bucket holds");
    }
    for bucket in [&mut often, &mut seldom] {
        assert!(!bucket.passes(Time::from_nanos(full - 1), 64));
        assert!(bucket.passes(Time::from_nanos(full), 64));
    }
}

/// With the largest settings and over the longest times, no value overflows, and the bucket never contains more than
/// its size.
#[test]
fn a_bucket_is_never_more_than_full() {
    let rate = Rate::from_bits_per_s(u64::MAX);
    let mut bucket = Bucket::new(Policer { rate, burst: Policer::MOST });
    let last = Time::from_nanos(u64::MAX);
    let passed = (0..20_000).filter(|_| bucket.passes(last, 60_000)).count();
    // 10^9 / 60,000 = 16,666.7
    assert_eq!(passed, 16_666);
}

/// Ten packets arrive at the same time, and two fit into a bucket of 3000 bytes. They are sent from 0 and 1 ms on,
/// although the queue has room for all packets. The other packets take no time and no room. At 3 Mbit/s, one more
/// packet passes every 4 ms.
#[test]
fn what_is_policed_never_enters_the_queue() {
    let spec = LinkSpec { policer: Some(policer(3, 3000)), ..LinkSpec::IDEAL };
    let mut rig = Rig::new(&config(spec), 1);
    for handle in 0..10 {
        rig.offer(ms(0), parcel(handle));
    }
    assert_eq!(rig.log.dropped, (2..10).map(|handle| (handle, Lost::Policed)).collect::<Vec<_>>());
    for handle in 10..20 {
        rig.offer(ms(4 * u64::from(handle - 9)), parcel(handle));
    }
    assert_eq!(rig.log.dropped.len(), 8, "one every 4 ms passes");
    let arrivals = rig.order(ms(100));
    assert_eq!(arrivals[..3], [(0, 1.0), (1, 2.0), (10, 5.0)]);
    let counters = rig.link.counters();
    assert_eq!((counters.policed, counters.dropped_queue, counters.delivered), (8, 0, 12));
}

/// The list of losses is before the policer, so listed packets use no tokens. The queue is behind the policer, so
/// packets that a full queue drops have used tokens.
#[test]
fn it_stands_between_the_list_of_losses_and_the_queue() {
    let listed = Arc::new(LossList { packets: [1].into(), period: None, spans: [].into() });
    let queue: Queue = QueueLimit::Packets(1).into();
    let spec = LinkSpec { policer: Some(policer(1, 6000)), listed: Some(listed), queue, ..LinkSpec::IDEAL };
    for spec in [
        spec.clone(),
        LinkSpec {
            queue: Queue {
                discipline: crate::Discipline::DropFront(crate::DropFront { mark_above: None }),
                ..queue
            },
            ..spec
        },
    ] {
        let mut rig = Rig::new(&config(spec), 1);
        for handle in 0..7 {
            rig.offer(ms(0), parcel(handle));
        }
        let why = |wanted: Lost| rig.log.dropped.iter().filter(|(_, why)| *why == wanted).count();
        // Packet 0 is listed. Packet 1 is sent, one packet waits, and two more find the queue full. Packets 5 and 6
        // find the bucket empty.
        assert_eq!(
            (why(Lost::Error), why(Lost::Full), why(Lost::Policed)),
            (1, 2, 2),
            "{:?}",
            rig.log.dropped
        );
    }
}

/// 24 Mbit/s are offered to 12 Mbit/s. The packets are Not-ECT or ECT(0), and the queue marks above 2 packets. It marks
/// packets with ECT(0). Behind a middlebox that clears the ECN field, it marks no packet, and an earlier CE mark is
/// lost.
#[test]
fn a_bleached_packet_is_not_marked() {
    let above = QueueLimit::Packets(2);
    let discipline = crate::Discipline::Threshold(Threshold { above });
    let queue = Queue { limit: QueueLimit::Packets(20), discipline };
    let codepoints = [Ecn::Ect0, Ecn::NotEct, Ecn::Ect1, Ecn::Ce];
    for ecn_bleach in [false, true] {
        let mut rig = Rig::new(&config(LinkSpec { queue, ecn_bleach, ..LinkSpec::IDEAL }), 1);
        for handle in 0..40 {
            rig.log.ecn.insert(handle, codepoints[handle as usize % 4]);
            rig.offer(Time::from_nanos(u64::from(handle) * 500_000), parcel(handle));
        }
        rig.finish();
        let counters = rig.link.counters();
        if ecn_bleach {
            assert_eq!((counters.bleached, rig.log.bleached.len()), (30, 30));
            assert!(rig.log.marked.is_empty() && rig.log.ecn.values().all(|ecn| *ecn == Ecn::NotEct));
        } else {
            assert!(counters.bleached == 0 && counters.marked > 5, "{counters:?}");
        }
    }
}

/// The ECN field of packets that the policer drops is not cleared, and these packets are not counted as cleared.
#[test]
fn bleaching_is_behind_the_policer() {
    let spec = LinkSpec { policer: Some(policer(1, 3000)), ecn_bleach: true, ..LinkSpec::IDEAL };
    let mut rig = Rig::new(&config(spec), 1);
    for handle in 0..5 {
        rig.log.ecn.insert(handle, Ecn::Ect0);
        rig.offer(ms(0), parcel(handle));
    }
    let counters = rig.link.counters();
    assert_eq!((counters.policed, counters.bleached), (3, 2));
    assert_eq!(rig.log.bleached, [0, 1]);
}
