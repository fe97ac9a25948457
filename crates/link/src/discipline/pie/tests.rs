// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::Ecn;
use crate::rig::{Table, replay};

/// The settings of `tests/oracles/queues_by_the_book.py`.
fn quick(estimate: WaitEstimate) -> Pie {
    let ms = Span::from_millis;
    let (alpha, beta, mark_below) = (2.0, 20.0, 0.3);
    Pie { target: ms(5), update: ms(5), alpha, beta, burst: ms(20), mark_below, estimate }
}

#[test]
fn as_the_rfc_has_it() {
    for (estimate, rows) in [
        (WaitEstimate::Timestamp, include_str!("../../../../../vectors/queues/pie.csv")),
        (WaitEstimate::DepartureRate, include_str!("../../../../../vectors/queues/pie-by-rate.csv")),
    ] {
        replay(&mut PieQueue::new(quick(estimate)), rows);
    }
}

fn parcel(handle: u32) -> Parcel {
    Parcel { handle, size: 1500, site: 0 }
}

fn ms(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

/// The table of RFC 8033, section 4.2, and the default settings. With a constant wait of 23 ms, which is 8 ms above the
/// target, the probability moves by 0.125/s 8 ms = 0.001, divided by the factor in the table. Above 0.1, it moves by
/// 0.001.
#[test]
fn steps_are_scaled_by_the_table() {
    for (drop_prob, divisor) in [
        (0.0, 2048.0),
        (9.9e-7, 2048.0),
        (1e-6, 512.0),
        (9.9e-6, 512.0),
        (1e-5, 128.0),
        (9.9e-5, 128.0),
        (1e-4, 32.0),
        (9.9e-4, 32.0),
        (1e-3, 8.0),
        (9.9e-3, 8.0),
        (1e-2, 2.0),
        (9.9e-2, 2.0),
        (0.1, 1.0),
        (0.5, 1.0),
    ] {
        let mut queue = PieQueue::new(Pie::DEFAULT);
        queue.drop_prob = drop_prob;
        (queue.current_qdelay, queue.qdelay_old) = (Span::from_millis(23), Span::from_millis(23));
        queue.calculate_drop_prob();
        assert!((queue.drop_prob - drop_prob - 0.001 / divisor).abs() < 1e-15, "{drop_prob}");
    }
}

/// Section 5.5: if the wait grows by 100 ms, the probability would move by 0.125 x 0.085 + 1.25 x 0.1 = 0.136. From 0.1
/// on, the step is limited to 0.02.
#[test]
fn large_steps_are_bounded() {
    for (before, after) in [(0.1, 0.12), (0.05, 0.05 + 0.135_625 / 2.0)] {
        let mut queue = PieQueue::new(Pie::DEFAULT);
        (queue.drop_prob, queue.current_qdelay) = (before, Span::from_millis(100));
        queue.calculate_drop_prob();
        assert!((queue.drop_prob - after).abs() < 1e-12, "{}", queue.drop_prob);
    }
}

/// On a link without traffic, the probability falls to zero. An hour without traffic needs no more computation than
/// that.
#[test]
fn an_idle_link_forgets() {
    let mut queue = PieQueue::new(Pie::DEFAULT);
    queue.drop_prob = 0.3;
    queue.catch_up(ms(1000));
    // There are 66 steps of -0.125 x 0.015. After each step except the first, the probability is multiplied by 0.98.
    // (The probability falls from 0.3 to below 0.1, and the steps are then halved.)
    assert!(queue.drop_prob > 0.0 && queue.drop_prob < 0.06, "{}", queue.drop_prob);
    queue.catch_up(ms(3_600_000));
    assert_eq!(queue.drop_prob, 0.0);
    assert_eq!(queue.update_at, ms(3_600_015));
}

/// Section 5.4: the distance between two drops is at least 0.85 / p packets and at most 8.5 / p packets. With p = 1/16,
/// the bounds are 14 and 136 packets. In between, each packet is dropped with probability p. The mean distance is
/// therefore 13 + 16 packets.
#[test]
fn drops_are_spread() {
    let (mut queue, mut table) = (PieQueue::new(Pie::DEFAULT), Table::new());
    (queue.drop_prob, queue.qdelay_old) = (0.0625, Span::from_millis(15));
    (0..10).for_each(|handle| queue.tail.push(Time::ZERO, parcel(handle)));
    let mut distances = Vec::new();
    let mut since = 0;
    for handle in 10..400_000 {
        since += 1;
        if queue.push(parcel(handle), 0, &mut table.context(Time::ZERO)).is_err() {
            distances.push(since);
            since = 0;
        } else {
            queue.tail.pop();
        }
    }
    assert!(distances.iter().all(|distance| (14..=136).contains(distance)), "{distances:?}");
    let mean = f64::from(distances.iter().sum::<u32>()) / distances.len() as f64;
    // There are about 13,800 distances, so the standard deviation of the mean is 15.5 / sqrt(13,800) = 0.13.
    assert!((mean - 29.0).abs() < 0.6, "{mean}");
}

/// Section 5.1: below a probability of 0.1, packets that can be marked are marked. From 0.1 on, they are dropped like
/// all other packets.
#[test]
fn marks_end_where_drops_are_many() {
    for (drop_prob, ecn, marked) in [
        (0.099, Ecn::Ect0, true),
        (0.099, Ecn::Ect1, true),
        (0.099, Ecn::NotEct, false),
        (0.1, Ecn::Ect0, false),
    ] {
        let (mut queue, mut table) = (PieQueue::new(Pie::DEFAULT), Table::new());
        (queue.drop_prob, queue.qdelay_old, queue.accu_prob) = (drop_prob, Span::from_millis(15), 9.0);
        (0..10).for_each(|handle| queue.tail.push(Time::ZERO, parcel(handle)));
        table.log.ecn.insert(10, ecn);
        assert_eq!(queue.push(parcel(10), 0, &mut table.context(Time::ZERO)).is_ok(), marked);
        assert_eq!(table.log.marked, if marked { vec![10] } else { vec![] });
    }
}

/// Section 4.4: a burst of 150 ms passes, for any wait. One packet leaves per millisecond, and two packets arrive per
/// departure, so the wait at time t is about t/2. The allowance is renewed until the first probability above zero (at
/// 30 ms, or one step later). No packet is dropped before the allowance has been used up in steps of 15 ms.
#[test]
fn a_burst_passes() {
    let (mut queue, mut table) =
        (PieQueue::new(Pie { alpha: 50.0, beta: 500.0, ..Pie::DEFAULT }), Table::new());
    let mut first = None;
    for at in 0..400 {
        for copy in 0..2 {
            if queue.push(parcel(2 * at + copy), 0, &mut table.context(ms(at.into()))).is_err() {
                first = first.or(Some(at));
            }
        }
        queue.pop(&mut table.context(ms(at.into())));
    }
    assert!(first.is_some_and(|first| (150..=200).contains(&first)), "{first:?}");
}

/// Section 5.2: at 1500 B per millisecond, a measurement is 16,500 B in 11 packets and 11 ms. For 60 kB, the wait is
/// 60,000 x 11 / 16,384 ms = 40.3 ms.
#[test]
fn the_departure_rate_is_measured() {
    let settings = Pie { estimate: WaitEstimate::DepartureRate, burst: Span::from_secs(100), ..Pie::DEFAULT };
    let (mut queue, mut table) = (PieQueue::new(settings), Table::new());
    for handle in 0..100 {
        assert_eq!(queue.push(parcel(handle), 0, &mut table.context(Time::ZERO)), Ok(()));
    }
    for at in 1..=60 {
        queue.pop(&mut table.context(ms(at)));
    }
    queue.catch_up(ms(60));
    queue.calculate_drop_prob();
    let wait = queue.current_qdelay.secs_f64() * 1e3;
    assert!((wait - 60_000.0 * 11.0 / 16_384.0).abs() < 1e-5, "{wait}");
}
