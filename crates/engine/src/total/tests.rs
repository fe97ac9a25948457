// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares totals with shares computed by hand: max-min fairness with caps (Bertsekas and Gallager, "Data Networks",
//! section 6.5.2).

use super::*;
use link::Free;
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};
use std::collections::VecDeque;

/// A transmitter: weight, class, own rate in Mbit/s, and packet size in bytes.
type Beam = (u16, u8, u64, u64);

const fn mbit(rate: u64) -> Rate {
    Rate::from_bits_per_s(rate * 1_000_000)
}

/// Returns the rates in Mbit/s, over 4 s, of transmitters that share a total and always have data to send.
fn shares(total_mbit_s: u64, beams: &[Beam]) -> Vec<f64> {
    let end = Time::ZERO + Span::from_secs(4);
    let mut total = Total::new(mbit(total_mbit_s));
    let mut free = vec![Time::ZERO; beams.len()];
    let mut bytes = vec![0; beams.len()];
    for (at, &(weight, class, ..)) in beams.iter().enumerate() {
        total.take(at, Scheduling { weight, class });
        total.note(at, Some(Time::ZERO), Time::ZERO);
    }
    let mut now = Time::ZERO;
    while now < end {
        while let Some((at, _)) = total.next(now) {
            let (.., rate, size) = beams[at];
            let begins = free[at].max(now);
            free[at] = begins + mbit(rate).time_for(Bytes::new(size));
            let sent = Sent {
                bytes: size,
                on_air: Span::ZERO,
                free: Free { from: free[at], left: None },
                rest: None,
            };
            total.after(at, sent, now, begins);
            total.note(at, Some(Time::ZERO), now);
            bytes[at] += size;
        }
        now = total.wakes().expect("all have something to send");
    }
    bytes.iter().map(|&bytes| Rate::from_bytes_per_s(bytes as f64 / 4.0).bits_per_s() as f64 / 1e6).collect()
}

#[test]
fn what_a_slow_one_cannot_take_is_others() {
    let cases: [(u64, &[Beam], &[f64]); 8] = [
        // Shares are equal for all packet sizes.
        (100, &[(1, 0, 500, 1500), (1, 0, 500, 100)], &[50.0, 50.0]),
        // Water filling: 5 and 40 are below an equal share, and 55 remain for the third transmitter.
        (100, &[(1, 0, 5, 1500), (1, 0, 40, 1500), (1, 0, 100, 1500)], &[5.0, 40.0, 55.0]),
        // 100 - 2 - 5, divided by four. The slowest transmitter has small packets.
        (
            100,
            &[
                (1, 0, 2, 60),
                (1, 0, 5, 1500),
                (1, 0, 30, 1500),
                (1, 0, 30, 700),
                (1, 0, 30, 1500),
                (1, 0, 30, 1500),
            ],
            &[2.0, 5.0, 23.25, 23.25, 23.25, 23.25],
        ),
        // The sum of the own rates is below the total, so the total is not the bottleneck.
        (100, &[(1, 0, 20, 1500), (7, 0, 30, 1500), (1, 0, 40, 200)], &[20.0, 30.0, 40.0]),
        // The weights 3 : 1 : 1 would give 60, 20 and 20, but the first transmitter is limited to 20.
        (100, &[(3, 0, 20, 1500), (1, 0, 100, 1500), (1, 0, 100, 1500)], &[20.0, 40.0, 40.0]),
        (100, &[(3, 0, 100, 1500), (1, 0, 100, 400), (1, 0, 100, 1500)], &[60.0, 20.0, 20.0]),
        // The highest class is served first, but not beyond its own rate.
        (100, &[(1, 0, 80, 1500), (1, 5, 30, 1500), (2, 0, 80, 1500)], &[70.0 / 3.0, 30.0, 140.0 / 3.0]),
        // A single transmitter gets the smaller of its own rate and the total.
        (100, &[(1, 0, 300, 1500)], &[100.0]),
    ];
    for (total, beams, expected) in cases {
        let got = shares(total, beams);
        for (got, expected) in got.iter().zip(expected) {
            // A packet of 1500 B in 4 s is 3 kbit/s.
            assert!((got - expected).abs() <= 0.015 + 0.002 * expected, "{beams:?}: {got} for {expected}");
        }
    }
}

#[test]
fn who_had_nothing_to_send_saves_nothing() {
    let at = |ms| Time::ZERO + Span::from_millis(ms);
    // A packet of 1500 B takes 12 ms of the total, and no time on the transmitter.
    let mut total = Total::new(mbit(1));
    let send = |total: &mut Total, now| {
        let (member, transmitter) = total.next(now).expect("somebody waits");
        let free = Free { from: now, left: None };
        total.after(member, Sent { bytes: 1500, on_air: Span::ZERO, free, rest: None }, now, now);
        total.note(member, Some(Time::ZERO), now);
        transmitter
    };
    total.take(7, Scheduling { weight: 1, class: 0 });
    total.take(8, Scheduling { weight: 1, class: 0 });
    total.note(0, Some(Time::ZERO), at(0));
    let first: Vec<usize> = (0..100).map(|turn| send(&mut total, at(12 * turn))).collect();
    assert_eq!(first, [7; 100]);
    total.note(1, Some(Time::ZERO), at(1200));
    let then: Vec<usize> = (100..108).map(|turn| send(&mut total, at(12 * turn))).collect();
    assert_eq!(then, [8, 7, 8, 7, 8, 7, 8, 7]);
    total.note(0, None, at(1296));
    total.note(1, None, at(1296));
    assert_eq!((total.next(at(1400)), total.wakes()), (None, None));
}

/// Returns the mean wait of packets of 1500 B for a total of 12 Mbit/s. Each packet occupies the total for 1 ms.
/// Packets arrive as a Poisson process at `load`. Each packet goes to one of 5 transmitters, which have unequal weights
/// and unlimited own rates.
fn mean_wait_ms(load: f64) -> f64 {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut uniform = || (random.word() >> 11) as f64 / (1u64 << 53) as f64;
    let mut total = Total::new(mbit(12));
    let mut queues = vec![VecDeque::new(); 5];
    for at in 0..queues.len() {
        total.take(at, Scheduling { weight: 1 + at as u16, class: 0 });
    }
    let (mut comes, mut waited, mut sent) = (Time::ZERO, Span::ZERO, 0_u32);
    while sent < 400_000 {
        let now = total.wakes().map_or(comes, |turn| turn.min(comes));
        if now == comes {
            let at = (uniform() * queues.len() as f64) as usize;
            queues[at].push_back(now);
            total.note(at, Some(Time::ZERO), now);
            comes += Span::from_secs_f64(-(1.0 - uniform()).ln() / load * 1e-3);
        }
        while let Some((at, _)) = total.next(now) {
            let came: Time = queues[at].pop_front().expect("it waits");
            waited = waited + now.since(came);
            sent += 1;
            let free = Free { from: now, left: None };
            total.after(at, Sent { bytes: 1500, on_air: Span::ZERO, free, rest: None }, now, now);
            total.note(at, (!queues[at].is_empty()).then_some(Time::ZERO), now);
        }
    }
    waited.secs_f64() * 1e3 / f64::from(sent)
}

#[test]
fn whoever_goes_first_all_together_wait_as_for_one_server() {
    // M/D/1 (Pollaczek and Khinchine): rho s / (2 (1 - rho)). If all packets have the same size, the order of service
    // does not change the mean (Kleinrock's conservation law), as long as no packet waits while the total is free.
    for (load, expected) in [(0.5, 0.5), (0.8, 2.0)] {
        let wait = mean_wait_ms(load);
        assert!((wait / expected - 1.0).abs() < 0.03, "{load}: {wait} ms for {expected} ms");
    }
}
