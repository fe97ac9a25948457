// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::Ecn;
use crate::rig::{Table, replay};

#[test]
fn as_the_paper_has_it() {
    let red = Red {
        min_threshold: QueueLimit::Packets(3),
        max_threshold: QueueLimit::Packets(6),
        weight: 0.05,
        ..Red::DEFAULT
    };
    replay(&mut RedQueue::new(red), include_str!("../../../../../vectors/queues/red.csv"));
}

fn parcel(handle: u32) -> Parcel {
    Parcel { handle, size: 1500, site: 0 }
}

/// Returns the outcome of `count` packets: whether each was dropped or marked. The queue always has `packets` packets,
/// because one packet leaves for each packet that arrives. The mean equals the queue itself (`weight = 1`).
fn standing(red: Red, packets: u32, count: u32, ecn: Ecn) -> (Vec<bool>, Table) {
    let (mut queue, mut table) = (RedQueue::new(Red { weight: 1.0, ..red }), Table::new());
    queue.idle_since = None;
    for handle in 0..packets {
        queue.tail.push(Time::ZERO, parcel(handle));
    }
    let signals = (packets..packets + count).map(|handle| {
        table.log.ecn.insert(handle, ecn);
        let before = table.state.marked;
        let taken = queue.push(parcel(handle), 0, &mut table.context(Time::ZERO));
        if taken.is_ok() {
            queue.tail.pop();
        }
        taken.is_err() || table.state.marked > before
    });
    (signals.collect(), table)
}

/// Floyd and Jacobson 1993, section 7: with a constant p_b, the distance between two signals is uniform on 1, 2, …,
/// 1/p_b, with the mean (1/p_b + 1)/2. Here, p_b = max_p (10 - 5) / (15 - 5) = 1/20. Each distance from 1 to 20 must
/// occur equally often (chi-square with 19 degrees of freedom below 43.8, which is exceeded once in a thousand cases).
/// No distance may be longer. This applies to drops and to marks.
#[test]
fn distances_are_uniform() {
    for ecn in [Ecn::NotEct, Ecn::Ect0, Ecn::Ect1] {
        let (signals, table) = standing(Red::DEFAULT, 10, 200_000, ecn);
        let (mut counts, mut since) = ([0_u32; 21], 0);
        for signal in signals {
            since += 1;
            if signal {
                counts[since] += 1;
                since = 0;
            }
        }
        let all: u32 = counts.iter().sum();
        // Expected are 200,000 / 10.5 signals, with a standard deviation of sqrt(200,000 33.25 / 10.5^3) = 76.
        assert!(all.abs_diff(19_048) < 4 * 76, "{all}");
        let expected = f64::from(all) / 20.0;
        let chi: f64 = counts[1..].iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
        assert!(chi < 43.8, "{chi}: {counts:?}");
        assert_eq!(table.state.marked, u64::from(if ecn == Ecn::NotEct { 0 } else { all }));
    }
}

/// The probability of a signal at a mean queue length, measured by the mean distance (1/p_b + 1)/2. It is 0.02 and 0.08
/// on the ramp. With gentle, it is 0.1 + 0.9/2 = 0.55 in the middle between 15 and 30 packets. From 30 on, or from 15
/// on without gentle, all packets are dropped and none are marked.
#[test]
fn the_ramp_and_beyond() {
    let red = |gentle| Red { gentle, ..Red::DEFAULT };
    let share = |packets, gentle| {
        let (signals, table) = standing(red(gentle), packets, 100_000, Ecn::Ect0);
        (signals.iter().filter(|&&signal| signal).count() as f64 / 1e5, table.state.marked)
    };
    assert_eq!(share(4, true), (0.0, 0));
    for (packets, p_b) in [(7, 0.02), (13, 0.08)] {
        let expected = 2.0 / (1.0 / p_b + 1.0);
        assert!((share(packets, true).0 / expected - 1.0).abs() < 0.03, "{packets}");
    }
    // With p_b = 0.55, the next packet is signalled with probability 0.55, and otherwise the packet after it.
    let (gentle, marked) = share(22, true);
    let p_b = 0.1 + 0.9 * 7.0 / 15.0;
    assert!((gentle - 1.0 / (p_b + 2.0 * (1.0 - p_b))).abs() < 0.01, "{gentle}");
    assert_eq!(marked, (gentle * 1e5).round() as u64);
    assert_eq!((share(30, true), share(15, false)), ((1.0, 0), (1.0, 0)));
}

/// Section 4: after an idle time of m packets, the mean is multiplied by (1 - w_q)^m. At 12 Mbit/s, a packet takes 1
/// ms.
#[test]
fn an_idle_link_forgets() {
    let (mut queue, mut table) = (RedQueue::new(Red { weight: 0.1, ..Red::DEFAULT }), Table::new());
    table.rate = Some(Rate::from_bits_per_s(12_000_000));
    let ms = |ms| Time::ZERO + Span::from_millis(ms);
    queue.avg = 4.0;
    queue.idle_since = None;
    assert_eq!(queue.pop(&mut table.context(ms(10))), None);
    assert_eq!(queue.pop(&mut table.context(ms(10))), None);
    assert_eq!(queue.push(parcel(1), 0, &mut table.context(ms(17))), Ok(()));
    assert!((queue.avg - 4.0 * 0.478_296_9).abs() < 1e-12, "{}", queue.avg);
}

/// 15 packets of 1500 B are 22.5 kB, or 15 ms at 12 Mbit/s. Thresholds in any of these units describe the same queue.
#[test]
fn thresholds_have_units() {
    let of = |min, max| {
        let (mut table, red) = (Table::new(), Red { min_threshold: min, max_threshold: max, ..Red::DEFAULT });
        table.rate = Some(Rate::from_bits_per_s(12_000_000));
        let mut queue = RedQueue::new(Red { weight: 0.2, max_p: 0.5, ..red });
        (0..200).map(|n| queue.push(parcel(n), 0, &mut table.context(Time::ZERO)).is_ok()).collect::<Vec<_>>()
    };
    let packets = of(QueueLimit::Packets(5), QueueLimit::Packets(15));
    assert!(packets.contains(&false) && packets.contains(&true));
    assert_eq!(of(QueueLimit::Bytes(Bytes::new(7500)), QueueLimit::Bytes(Bytes::new(22_500))), packets);
    assert_eq!(of(QueueLimit::Time(Span::from_millis(5)), QueueLimit::Time(Span::from_millis(15))), packets);
}

/// Expected: ns-2 2.35 (`ns2.tcl` next to this file, 220 s). The columns are the load relative to the link's rate, the
/// mean of RED's mean queue length, and the share of dropped packets. ns-2 counts the arriving packet, as figure 2 is
/// printed, so its distances are uniform on 1 to 1/p_b - 1. For the same share, our 1/p_b is larger by one, and our
/// mean queue length is correspondingly nearer to the lower threshold. The thresholds are 5 and 15, and max_p is 0.1.
#[test]
fn the_mean_queue_is_that_of_ns2() {
    for (load, ns2_mean, ns2_share) in
        [(1.02, 5.967, 0.019_58), (1.05, 7.407, 0.047_58), (1.1, 9.556, 0.090_89), (1.2, 13.325, 0.166_60)]
    {
        let ns2_p = 0.1 * (ns2_mean - 5.0) / 10.0;
        let expected = 5.0 + 100.0 / (1.0 / ns2_p - 1.0);
        let (mut queue, mut table) = (RedQueue::new(Red::DEFAULT), Table::new());
        table.rate = Some(Rate::from_bits_per_s(12_000_000));
        let (mut free, mut sum, mut count, mut dropped) = (0.0, 0.0, 0.0, 0.0);
        for handle in 0..220_000 {
            // The time is in units of the packet time, which is 1 ms.
            let now = f64::from(handle) / load;
            while free <= now && queue.pop(&mut table.context(Time::from_secs_f64(free / 1e3))).is_some() {
                free += 1.0;
            }
            let at = Time::from_secs_f64(now / 1e3);
            let taken = queue.push(parcel(handle), 0, &mut table.context(at)).is_ok();
            if taken && free <= now {
                queue.pop(&mut table.context(at));
                free = now + 1.0;
            }
            if handle >= 20_000 {
                (sum, count) = (sum + queue.avg, count + 1.0);
                dropped += f64::from(u8::from(!taken));
            }
        }
        let (mean, share) = (sum / count, dropped / count);
        assert!((mean / expected - 1.0).abs() < 0.02, "{load}: {mean} for {expected}");
        assert!((share / ns2_share - 1.0).abs() < 0.02, "{load}: {share}");
    }
}
