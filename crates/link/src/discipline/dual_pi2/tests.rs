// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::{Table, replay};

/// The settings of `tests/oracles/queues_by_the_book.py`.
fn quick(scheduler: DualScheduler) -> DualPi2 {
    let (target, rtt_max) = (Span::from_millis(5), Span::from_millis(30));
    DualPi2 { target, rtt_max, scheduler, ..DualPi2::DEFAULT }
}

#[test]
fn as_the_rfc_has_it() {
    let shifted = DualScheduler::TimeShifted { shift: Span::from_millis(10) };
    for (scheduler, rows) in [
        (DualScheduler::WEIGHTED, include_str!("../../../../../vectors/queues/dualpi2.csv")),
        (shifted, include_str!("../../../../../vectors/queues/dualpi2-shifted.csv")),
    ] {
        replay(&mut DualPi2Queue::new(quick(scheduler)), rows);
    }
}

fn parcel(handle: u32) -> Parcel {
    Parcel { handle, size: 1500, site: 0 }
}

fn us(us: u64) -> Time {
    Time::ZERO + Span::from_micros(us)
}

/// Sends packets with one codepoint through a queue with the constant base probability `p`, with `waiting` packets in
/// the queue. Returns the shares of the packets that were marked and dropped.
fn shares(p: f64, ecn: Ecn, waiting: u32) -> (f64, f64) {
    const COUNT: u32 = 100_000;
    let (mut queue, mut table) = (DualPi2Queue::new(DualPi2::DEFAULT), Table::new());
    queue.p = p;
    for handle in 0..waiting + COUNT {
        table.log.ecn.insert(handle, ecn);
        assert_eq!(queue.push(parcel(handle), 0, &mut table.context(Time::ZERO)), Ok(()));
        if handle >= waiting {
            queue.pop(&mut table.context(Time::ZERO));
        }
    }
    let of = |count: u64| count as f64 / f64::from(COUNT);
    (of(table.state.marked), of(table.state.dropped.len() as u64))
}

/// RFC 9332, section 2.1: p_C = p'^2 and p_CL = k p', so p_C = (p_CL / k)^2 (equation 1).
#[test]
fn two_queues_are_coupled_by_a_square() {
    for p in [0.01, 0.1, 0.3, 0.49] {
        let close = |share: f64, expected: f64| (share - expected).abs() < 2e-5;
        let (l, lost) = shares(p, Ecn::Ect1, 1);
        assert!(close(l, 2.0 * p) && lost == 0.0, "{p}: {l}");
        let (marked, lost) = shares(p, Ecn::Ect0, 1);
        assert!(close(marked, p * p) && lost == 0.0, "{p}: {marked}");
        let (marked, dropped) = shares(p, Ecn::NotEct, 1);
        assert!(marked == 0.0 && (dropped - p * p).abs() < 2e-3 * p, "{p}: {dropped}");
    }
}

/// Appendix A.2: from p_C = p_Cmax = 1/4 on, both queues drop with probability p'^2, whether packets are ECN-capable or
/// not. L4S packets that are not dropped are marked.
#[test]
fn overload_drops_in_both() {
    let p: f64 = 0.6;
    for ecn in [Ecn::Ect0, Ecn::Ect1, Ecn::NotEct] {
        let (marked, dropped) = shares(p, ecn, 1);
        // The share refers to offered packets. After a drop, another packet leaves immediately, until the queue is
        // empty.
        assert!((dropped - p * p).abs() < 0.02, "{ecn:?}: {dropped}");
        let expected = if ecn == Ecn::Ect1 { 1.0 - p * p } else { 0.0 };
        assert!((marked - expected).abs() < 0.02, "{ecn:?}: {marked}");
    }
}

/// Figure 5, and line 5a of figure 7. An L4S packet that waited for 1 ms is marked with probability (1000 - 800) / 400
/// = 1/2. From 1.2 ms on, it is always marked, and up to 0.8 ms never. If only one packet is in the queue, there are no
/// marks. With a range of zero, the ramp is a step.
#[test]
fn the_ramp_of_l4s() {
    let share = |wait: u64, range, waiting: u32| {
        let settings = DualPi2 { ramp_range: Span::from_micros(range), ..DualPi2::DEFAULT };
        let (mut queue, mut table) = (DualPi2Queue::new(settings), Table::new());
        queue.update_at = Time::MAX;
        let mut marked = 0;
        for handle in 0..1000 {
            table.log.ecn.insert(handle, Ecn::Ect1);
            let at = us(10 * u64::from(handle));
            assert_eq!(queue.push(parcel(handle), 0, &mut table.context(at)), Ok(()));
            if handle >= waiting {
                let oldest = handle - waiting;
                queue.pop(&mut table.context(us(10 * u64::from(oldest) + wait).max(at)));
                marked = table.state.marked;
            }
        }
        marked as f64 / f64::from(1000 - waiting)
    };
    for (wait, range, waiting, expected) in [
        (800, 400, 2, 0.0),
        (1000, 400, 2, 0.5),
        (1200, 400, 2, 1.0),
        (1200, 400, 1, 0.0),
        (800, 0, 2, 1.0),
        (799, 0, 2, 0.0),
    ] {
        let got = share(wait, range, waiting);
        assert!((got - expected).abs() < 2e-3, "{wait} {range} {waiting}: {got}");
    }
}

/// Appendix A.2: while both queues have packets, the classic queue gets a sixteenth of the bytes, and L4S begins. With
/// the time-shifted scheduler, a classic packet is sent as soon as it has waited longer than an L4S packet by the
/// shift.
#[test]
fn who_goes_next() {
    let order = |scheduler: DualScheduler| {
        let settings = DualPi2 { scheduler, ramp_from: Span::from_secs(9), ..DualPi2::DEFAULT };
        let (mut queue, mut table) = (DualPi2Queue::new(settings), Table::new());
        queue.update_at = Time::MAX;
        for handle in 0..3200 {
            table.log.ecn.insert(handle, if handle % 2 == 0 { Ecn::Ect1 } else { Ecn::NotEct });
            assert_eq!(queue.push(parcel(handle), 0, &mut table.context(us(50 * u64::from(handle)))), Ok(()));
        }
        let from = us(160_000);
        let pop = |at: u32| queue.pop(&mut table.context(from + Span::from_micros(1000 * u64::from(at))));
        (0..1600).map(pop).map(|entry| entry.map_or(0, |(_, parcel)| parcel.handle)).collect::<Vec<_>>()
    };
    let weighted = order(DualScheduler::WEIGHTED);
    let classic = weighted.iter().filter(|&handle| handle % 2 == 1).count();
    assert!(classic.abs_diff(100) <= 1 && weighted[..15].iter().all(|handle| handle % 2 == 0), "{classic}");
    let gaps: Vec<usize> = (0..1600).filter(|&at| weighted[at] % 2 == 1).collect();
    // Section 4.2.2: a packet at the head of the classic queue waits for at most 15 other packets.
    assert!(gaps.windows(2).all(|pair| pair[1] - pair[0] <= 16), "{gaps:?}");
    // Each classic packet arrives 50 us after an L4S packet. With a shift of 1 ms, an L4S packet is sent before classic
    // packets that are up to 1 ms older.
    let shifted = order(DualScheduler::TimeShifted { shift: Span::from_millis(1) });
    let before = shifted.iter().position(|handle| handle % 2 == 1);
    // These are the L4S packets 0, 2, … , 20. Packet 22 arrived 1.05 ms after classic packet 1, so even with the shift,
    // packet 1 has waited longer.
    assert_eq!(before, Some(11));
}

/// Figure 8. The wait in the classic queue is always 25 ms, which is 10 ms above the target. In each step, p' rises by
/// alpha x 10 ms (0.15 Hz and 15 ms: 0.0015). At the first measurement, it also rises by beta x 25 ms (3 Hz: 0.075).
#[test]
fn the_base_probability_is_a_pi_controllers() {
    let mut queue = DualPi2Queue::new(DualPi2::DEFAULT);
    for step in 1..=4 {
        // The oldest packet has waited 25 ms at each update.
        queue.c.tail.drain();
        let at = Time::ZERO + Span::from_millis(15) * (step + 2);
        queue.c.tail.push(at, parcel(0));
        queue.update_at = at + Span::from_millis(25);
        queue.update();
        let expected = 0.0015 * step as f64 + 0.075;
        assert!((queue.p - expected).abs() < 1e-12, "{step}: {}", queue.p);
    }
}
