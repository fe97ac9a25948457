// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;

const FRAMES: u32 = 20_000;

/// Returns the share of the terminal's own bursts that are received, with one burst per frame.
fn received(replicas: u32, slots: u32, load: f64) -> f64 {
    let access = RandomAccess { replicas, slots, load, burst: 100, bursts: 1, back_off: 0 };
    let mut contention = Contention::new(access, 7);
    let received = (0..FRAMES).filter(|_| contention.contend(1)[0]).count();
    received as f64 / f64::from(FRAMES)
}

/// S = G e^-G: a burst is received with probability e^-G, for any length of a frame. The largest throughput is 1/e, at
/// G = 1.
#[test]
fn slotted_aloha() {
    for load in [0.0_f64, 0.1, 0.36, 1.0, 2.0] {
        let expected = (-load).exp();
        let sigma = (expected * (1.0 - expected) / f64::from(FRAMES)).sqrt();
        let seen = received(1, 64, load);
        assert!((seen - expected).abs() <= 4.0 * sigma, "G = {load}: {seen}, not {expected}");
    }
}

/// Casini, De Gaudenzi and del Rio Herrero 2007. With two replicas, the largest throughput is about 0.55, at a load of
/// about 0.65. At a load of 0.4, almost no burst is lost (their figures are for frames of 100 slots). Above the load of
/// the maximum, the throughput of CRDSA decreases.
#[test]
fn crdsa() {
    let throughput = |load: f64| load * received(2, 100, load);
    let peak = throughput(0.65);
    assert!((0.51..=0.57).contains(&peak), "{peak}");
    assert!(peak > throughput(0.5) && peak > throughput(0.85), "{} {}", throughput(0.5), throughput(0.85));
    assert!(received(2, 100, 0.3) > 0.98, "{}", received(2, 100, 0.3));
}

/// A terminal's own bursts never collide with each other. Two own bursts are received, whereas two bursts of other
/// terminals would be lost half of the time.
#[test]
fn its_own_are_apart() {
    let access = RandomAccess { replicas: 1, slots: 2, load: 0.0, burst: 100, bursts: 2, back_off: 0 };
    let mut contention = Contention::new(access, 7);
    assert!((0..100).all(|_| contention.contend(2) == [true, true]));
}

/// Without other terminals, all bursts are received. With very many other terminals, no burst is received, and the
/// terminal waits until it learns the outcome and until its back-off is over.
#[test]
fn back_off() {
    let access = RandomAccess { replicas: 1, slots: 8, load: 0.0, burst: 100, bursts: 1, back_off: 3 };
    let mut alone = Contention::new(access, 7);
    assert_eq!((alone.send(5, 250, 14), alone.send(6, 40, 14), alone.send(7, 0, 14)), (100, 100, 0));
    let mut crowded = Contention::new(RandomAccess { load: 50.0, ..access }, 7);
    let mut frame = 0;
    let mut gaps = Vec::new();
    for _ in 0..400 {
        assert_eq!(crowded.send(frame, 100, 14), 0);
        gaps.push(crowded.from - frame);
        frame = crowded.from;
        assert_eq!(crowded.send(frame - 1, 100, 14), 0);
        assert_eq!(crowded.from, frame, "it has not sent");
    }
    let mean = gaps.iter().sum::<u64>() as f64 / 400.0;
    assert_eq!((gaps.iter().min(), gaps.iter().max()), (Some(&14), Some(&17)));
    // The back-off is uniform from 0 to 3.
    assert!((mean - 15.5).abs() < 4.0 * (15.0_f64 / 12.0).sqrt() / 20.0, "{mean}");
}
