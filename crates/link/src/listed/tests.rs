// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::rig::Rig;
use crate::{Config, Delay, Impairment, LinkSpec, LossList, Lost, Parcel, Queue, QueueLimit};
use std::sync::Arc;
use units::{Rate, Span, Time};

fn ms(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

/// At 12 Mbit/s, 1500 bytes take 1 ms. There is no propagation delay and no limit.
fn config(packets: &[u64], period: Option<u64>, spans: &[(u64, u64)]) -> Config {
    let spans: Arc<[(Time, Time)]> = spans.iter().map(|&(from, to)| (ms(from), ms(to))).collect();
    let listed = Arc::new(LossList { packets: packets.into(), period, spans });
    let rate = Some(Rate::from_bits_per_s(12_000_000));
    Config::new(LinkSpec { rate, listed: Some(listed), ..LinkSpec::IDEAL }, Delay::Constant(Span::ZERO))
}

fn parcel(handle: u32) -> Parcel {
    Parcel { handle, size: 1500, site: 0 }
}

/// Offers `count` packets at the same time. Returns which packets were lost, and the reason.
fn struck(config: &Config, count: u32) -> Vec<(u32, Lost)> {
    let mut link = Rig::new(config, 1);
    for handle in 1..=count {
        link.offer(ms(0), parcel(handle));
    }
    link.log.dropped
}

fn errors(handles: &[u32]) -> Vec<(u32, Lost)> {
    handles.iter().map(|&handle| (handle, Lost::Error)).collect()
}

#[test]
fn the_packets_of_the_list_are_lost_and_no_others() {
    assert_eq!(struck(&config(&[2, 3, 7], None, &[]), 40), errors(&[2, 3, 7]));
    // Each number n repeats as n + 10, n + 20 and so on. This also applies if the last number of the list is the last
    // of the period.
    assert_eq!(struck(&config(&[2, 10], Some(10), &[]), 35), errors(&[2, 10, 12, 20, 22, 30, 32]));
    assert_eq!(struck(&config(&[1], Some(1), &[]), 3), errors(&[1, 2, 3]));
}

/// The loss of packet 2 of 4 leaves no gap: packets 1, 3 and 4 are sent from 0, 1 and 2 ms on.
#[test]
fn what_is_struck_takes_no_time_and_no_room() {
    let mut link = Rig::new(&config(&[2], None, &[]), 1);
    for handle in 1..=4 {
        link.offer(ms(0), parcel(handle));
    }
    assert_eq!(link.order(ms(10)), [(1, 1.0), (3, 2.0), (4, 3.0)]);
    let counters = link.link.counters();
    assert_eq!((counters.accepted, counters.dropped_error, counters.dropped_queue), (3, 1, 0));

    // One packet may wait. Packet 1 is sent, 2 is a listed loss, 3 waits, and 4 finds no room. A listed packet is lost
    // before the queue, so a full queue does not affect it.
    let limited = |packets: &[u64], queue: Queue| {
        let config = config(packets, None, &[]);
        Config { spec: LinkSpec { queue, ..config.spec }, ..config }
    };
    let tail: Queue = QueueLimit::Packets(1).into();
    assert_eq!(struck(&limited(&[2, 5], tail), 5), [(2, Lost::Error), (4, Lost::Full), (5, Lost::Error)]);
}

/// All packets from 10 ms on and before 20 ms are lost. They are still counted, so the fifth packet is the packet at 30
/// ms.
#[test]
fn every_data_packet_in_a_span_is_lost() {
    let mut link = Rig::new(&config(&[5], None, &[(10, 20), (20, 21), (40, 50)]), 1);
    for (handle, at) in (1..).zip([9, 10, 19, 20, 30, 39, 40, 50]) {
        link.offer(ms(at), parcel(handle));
    }
    assert_eq!(
        link.log.dropped,
        [(2, Lost::Listed), (3, Lost::Listed), (4, Lost::Listed), (5, Lost::Error), (7, Lost::Listed)]
    );
    assert_eq!(link.link.counters().dropped_outage, 4);
}

/// Acknowledgements and probes neither count nor are lost. This applies to a drop-tail queue and to a queue with a
/// discipline.
#[test]
fn only_data_counts_and_an_outage_stops_everything() {
    for discipline in [crate::Discipline::DropTail, crate::Discipline::CoDel(crate::CoDel::default())] {
        let config = config(&[2], None, &[(100, 200)]);
        let queue = Queue { limit: QueueLimit::Unlimited, discipline };
        let mut link = Rig::new(&Config { spec: LinkSpec { queue, ..config.spec }, ..config }, 1);
        link.log.bare.extend([2, 4, 5]);
        for handle in 1..=3 {
            link.offer(ms(u64::from(handle)), parcel(handle));
        }
        link.offer(ms(120), parcel(4));
        link.offer(ms(130), Parcel { site: Parcel::LOW, ..parcel(5) });
        link.offer(ms(140), parcel(6));
        let outage = [4, 5, 6].map(|handle| (handle, Lost::Listed));
        assert_eq!(link.log.dropped[0], (3, Lost::Error));
        assert_eq!(link.log.dropped[1..], outage);
        assert_eq!(link.finish().len(), 2);
    }
}

/// The list does not draw random numbers. The random loss of the k-th packet on the link is the same with and without
/// the list.
#[test]
fn random_losses_stay_where_they_were() {
    let lost = |packets: &[u64]| {
        let config = config(packets, None, &[]);
        let spec = LinkSpec { loss: Impairment::PacketErrorRate(0.3), ..config.spec };
        let mut link = Rig::new(&Config { spec, ..config }, 7);
        for handle in 1..=200 {
            link.offer(ms(0), parcel(handle));
        }
        link.finish().iter().map(|(_, arrival)| arrival.lost.is_some()).collect::<Vec<bool>>()
    };
    assert_eq!(lost(&[100, 150]), lost(&[])[..198]);
}
