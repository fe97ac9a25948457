// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::Rig;
use crate::{Config, Course, Dama, Delay, Grants, LinkSpec, Lost, Parcel, QueueLimit};
use proptest::prelude::*;
use std::sync::Arc;
use units::{Rate, Span};

/// Replays the rows of `vectors/acks`. A separate script (`tests/oracles/acks_by_the_book.py`) computes them by the
/// rules of Linux's code.
fn replay(aggressive: bool, rows: &str) -> usize {
    let thinning = Thinning::Filter { aggressive };
    let mut waiting: Vec<(u32, Option<Ack>)> = Vec::new();
    let mut gone = 0;
    for row in rows.lines().skip(1) {
        let [call, packet, kind, number, echo, ecn, sack, answer] = row.split(',').collect::<Vec<_>>()[..]
        else {
            panic!("a row of eight columns: {row}");
        };
        let read = |text: &str| text.parse::<u32>().unwrap_or_else(|_| panic!("{row}"));
        if call == "deque" {
            let (left, _) = waiting.remove(0);
            assert_eq!(left.to_string(), answer, "{row}");
            continue;
        }
        let mut ack = Ack {
            number: read(number),
            echo: Time::from_nanos(u64::from(read(echo))),
            ecn: read(ecn) as u8,
            unknown: kind == "option",
            ..Ack::default()
        };
        for (place, block) in sack.split_whitespace().enumerate() {
            let (from, to) = block.split_once('-').unwrap_or_else(|| panic!("{row}"));
            ack.sack[place] = [read(from), read(to)];
            ack.blocks += 1;
        }
        let ack = (kind != "other").then_some(ack);
        let acks = waiting.iter().map(|(_, ack)| ack.as_ref());
        let place = ack.as_ref().and_then(|newest| thinning.victim(acks, newest));
        let told = place.map_or_else(|| "nothing".to_owned(), |place| waiting.remove(place).0.to_string());
        assert_eq!(told, answer, "{row}");
        gone += usize::from(place.is_some());
        waiting.push((read(packet), ack));
    }
    gone
}

#[test]
fn the_filter_is_cakes() {
    let plain = replay(false, include_str!("../../../../vectors/acks/ack-filter.csv"));
    let aggressive = replay(true, include_str!("../../../../vectors/acks/ack-filter-aggressive.csv"));
    assert!(plain > 200 && aggressive > plain, "{plain} {aggressive}");
}

const SIZE: u16 = 40;

/// At 32 kbit/s, 40 bytes take 10 ms.
fn config(acks: Acks, limit: QueueLimit) -> Config {
    let rate = Some(Rate::from_bits_per_s(32_000));
    let spec = LinkSpec { rate, queue: limit.into(), acks: Some(acks), ..LinkSpec::IDEAL };
    Config::new(spec, Delay::Constant(Span::from_millis(100)))
}

fn thinned(thinning: Thinning) -> Acks {
    Acks { thinning: Some(thinning), compressed: None }
}

const AGGRESSIVE: Acks = Acks { thinning: Some(Thinning::Filter { aggressive: true }), compressed: None };

fn parcel(handle: u32) -> Parcel {
    Parcel { handle, size: SIZE, site: 3 }
}

/// Offers ACKs, 1 ms apart. Each ACK has a sender and a number.
fn offer(link: &mut Rig, acks: &[(u32, u32)]) -> Vec<bool> {
    let mut taken = Vec::new();
    for (handle, &(sender, number)) in acks.iter().enumerate() {
        let handle = handle as u32;
        link.log.acks.insert(handle, Ack { number, ..Ack::default() });
        let at = Time::from_nanos(u64::from(handle) * 1_000_000);
        taken.push(link.offer_from(at, parcel(handle), sender.into()).is_some());
    }
    taken
}

/// The first ACK is being sent. Of the other ACKs of the connection, one, two or `keep` wait.
#[test]
fn how_many_wait() {
    let acks: Vec<_> = (1..9).map(|number| (7, number)).collect();
    let left = |thinning| {
        let mut link = Rig::new(&config(thinned(thinning), QueueLimit::Unlimited), 1);
        offer(&mut link, &acks);
        assert_eq!(link.link.counters().thinned as usize, link.log.dropped.len());
        assert!(link.log.dropped.iter().all(|&(_, why)| why == Lost::Managed));
        link.order(Time::MAX)
    };
    // The ACKs are sent at 0, 10 and 20 ms. Each takes 10 ms, and arrives 100 ms later.
    assert_eq!(left(Thinning::Filter { aggressive: false }), [(0, 110.0), (6, 120.0), (7, 130.0)]);
    assert_eq!(left(Thinning::Filter { aggressive: true }), [(0, 110.0), (7, 120.0)]);
    assert_eq!(left(Thinning::Decimate { keep: 1 }), [(0, 110.0), (7, 120.0)]);
    let three = left(Thinning::Decimate { keep: 3 });
    assert_eq!(three, [(0, 110.0), (5, 120.0), (6, 130.0), (7, 140.0)]);
}

/// On a link with grants, all packets that were sent before a grant leave together at this grant. ACKs that still wait
/// to be sent are thinned. The ACKs are sent by 10, 20 and 30 ms, and the grants are at 25 and 50 ms.
#[test]
fn thinned_before_a_grant() {
    let acks: Vec<_> = (1..9).map(|number| (7, number)).collect();
    let left = |thinning| {
        let grants = Grants { apart: Span::from_millis(25), or: (0.0, Span::ZERO) };
        let course = Course { grants: Some((grants, 1)), ..Course::default() };
        let thinned = config(thinned(thinning), QueueLimit::Unlimited);
        let mut link = Rig::new(&Config { course: Some(Arc::new(course)), ..thinned }, 1);
        offer(&mut link, &acks);
        link.order(Time::MAX)
    };
    assert_eq!(left(Thinning::Filter { aggressive: false }), [(0, 125.0), (6, 125.0), (7, 150.0)]);
    assert_eq!(left(Thinning::Filter { aggressive: true }), [(0, 125.0), (7, 125.0)]);
}

/// ACKs of different connections do not affect each other. As in Linux, a connection's ACK has the place in the queue
/// of the newer ACK.
#[test]
fn connections_are_apart() {
    let mut link = Rig::new(&config(AGGRESSIVE, QueueLimit::Unlimited), 1);
    offer(&mut link, &[(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 9)]);
    assert_eq!(link.dropped(), [1, 2]);
    assert_eq!(link.order(Time::MAX).iter().map(|it| it.0).collect::<Vec<_>>(), [0, 3, 4, 5]);
}

/// The filter keeps duplicate ACKs, but decimation drops them. RFC 3449, section 5.2.2, mentions that decimation offers
/// less control over the choice of dropped ACKs.
#[test]
fn duplicates() {
    let acks = [(1, 5), (1, 6), (1, 6), (1, 6), (1, 6)];
    let mut link = Rig::new(&config(AGGRESSIVE, QueueLimit::Unlimited), 1);
    offer(&mut link, &acks);
    assert_eq!(link.dropped(), Vec::<u32>::new());
    let mut link = Rig::new(&config(thinned(Thinning::Decimate { keep: 2 }), QueueLimit::Unlimited), 1);
    offer(&mut link, &acks);
    assert_eq!(link.dropped(), [1, 2]);
}

/// Two packets may wait. If the queue is full, an arriving ACK takes the place of the ACK that it replaces. Any other
/// packet is refused.
#[test]
fn a_full_queue() {
    let mut link = Rig::new(&config(AGGRESSIVE, QueueLimit::Packets(2)), 1);
    let acks = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1)];
    assert_eq!(offer(&mut link, &acks), [true, true, true, true, false]);
    assert_eq!(link.log.dropped, [(1, Lost::Full), (4, Lost::Full)]);
    assert_eq!(link.link.counters().thinned, 1);
    assert_eq!(link.order(Time::MAX).iter().map(|it| it.0).collect::<Vec<_>>(), [0, 2, 3]);
}

/// A compressed ACK has 8 bytes instead of 40, and takes 2 ms. After the link, and when it is dropped, it has its
/// original size again. Data never change their size.
#[test]
fn compressed() {
    let acks = Acks { thinning: None, compressed: Some(8) };
    let mut link = Rig::new(&config(acks, QueueLimit::Bytes(units::Bytes::new(20))), 1);
    assert_eq!(offer(&mut link, &[(1, 1), (1, 2), (1, 3), (1, 4)]), [true, true, true, true]);
    let data = Parcel { handle: 9, size: 40, site: 3 };
    // The ACKs are sent from 0, 2, 4 and 6 ms on. The data wait for the last ACK.
    link.offer(Time::from_nanos(7_000_000), data);
    let arrived = link.run(Time::MAX);
    let told: Vec<_> =
        arrived.iter().map(|(at, it)| (it.parcel.handle, it.parcel.size, at.nanos() / 1_000_000)).collect();
    assert_eq!(told, [(0, 40, 102), (1, 40, 104), (2, 40, 106), (3, 40, 108)]);
    assert_eq!(link.dropped(), [9]);
    assert_eq!(link.link.counters().accepted_bytes, 32);
}

/// A terminal requests capacity for the bytes that wait. With an ACK in transmission, a filter leaves one of eight ACKs
/// to request capacity for.
#[test]
fn with_demand_assignment() {
    let dama = Dama {
        superframe: Span::from_millis(40),
        latency: Span::from_millis(200),
        cra: Rate::default(),
        rbdc: Rate::from_bits_per_s(32_000),
        vbdc: Rate::default(),
        fca: 0.0,
        random: None,
        carrier: None,
    };
    let thinned = config(AGGRESSIVE, QueueLimit::Unlimited);
    let sent = |acks| {
        let spec = LinkSpec { dama: Some(dama), acks, ..thinned.spec.clone() };
        let mut link = Rig::new(&Config { spec, ..thinned.clone() }, 1);
        let numbers: Vec<_> = (1..9).map(|number| (7, number)).collect();
        offer(&mut link, &numbers);
        link.order(Time::MAX)
    };
    // All ACKs arrived during the superframe that begins at 0. Capacity is requested at 40 ms and granted at 240 ms.
    assert_eq!(sent(thinned.spec.acks), [(7, 350.0)]);
    // Without the filter, four ACKs are sent in each superframe of 160 bytes.
    assert_eq!(sent(None).len(), 8);
}

proptest! {
    /// For any input, the counters are consistent (the rig checks this). For each ACK that a filter drops, a later ACK
    /// has at least its number, and the next ACK has its bits.
    #[test]
    fn nothing_is_lost_by_filtering(
        aggressive: bool,
        packets in prop::collection::vec((0_u64..8_000_000, 0_u32..3, 0_u32..4, 0_u8..2), 1..60),
    ) {
        let mut link = Rig::new(&config(thinned(Thinning::Filter { aggressive }), QueueLimit::Unlimited), 1);
        let (mut at, mut number) = (0, [0; 3]);
        let mut sent = Vec::new();
        for (handle, (gap, sender, more, ecn)) in (0..).zip(packets) {
            at += gap;
            number[sender as usize] += more;
            let ack = Ack { number: number[sender as usize], ecn, ..Ack::default() };
            link.log.acks.insert(handle, ack);
            link.offer_from(Time::from_nanos(at), parcel(handle), sender.into());
            sent.push((sender, ack));
        }
        let there: Vec<u32> = link.order(Time::MAX).iter().map(|it| it.0).collect();
        for handle in link.dropped() {
            let (sender, gone) = sent[handle as usize];
            let newer = |&other: &u32| other > handle && sent[other as usize].0 == sender;
            let later: Vec<Ack> =
                there.iter().copied().filter(newer).map(|other| sent[other as usize].1).collect();
            prop_assert!(later.iter().any(|later| later.number > gone.number), "{gone:?} {later:?}");
            prop_assert_eq!(later.first().map(|next| next.ecn), Some(gone.ecn));
        }
    }
}
