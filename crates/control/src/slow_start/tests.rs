// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the state machine of RFC 9406, section 4.2, step by step. Expected values follow from the text and the
//! constants of the RFC.

use super::*;
use units::{Bytes, Span, Time};

/// An ACK with an RTT sample of `rtt_ms`.
fn ack(rtt_ms: u64, round_start: bool) -> Ack<'static> {
    let rtt = Some(Span::from_millis(rtt_ms));
    let acked = Bytes::new(1000);
    Ack { acked, rtt, srtt: rtt, min_rtt: rtt, round_start, ..Ack::at(Time::ZERO) }
}

/// Runs a round of `samples` ACKs that all measure `rtt_ms`. Returns true if one of these ACKs ended slow start.
fn round(hystart: &mut HyStartPlusPlus, rtt_ms: u64, samples: u32) -> bool {
    (0..samples).any(|i| hystart.observe(&ack(rtt_ms, i == 0)))
}

/// Whether a round of `first_ms` and then a round of `second_ms` lead to CSS.
fn enters_css(first_ms: u64, second_ms: u64) -> bool {
    let mut hystart = HyStartPlusPlus::new(false);
    round(&mut hystart, first_ms, 8);
    round(&mut hystart, second_ms, 8);
    hystart.css_rounds().is_some()
}

/// RttThresh = clamp(lastRoundMinRTT / 8, 4 ms, 16 ms).
#[test]
fn the_threshold_is_an_eighth_within_4_and_16_ms() {
    // 16 ms / 8 = 2 ms, raised to 4 ms.
    assert!(!enters_css(16, 19));
    assert!(enters_css(16, 20));
    // 80 ms / 8 = 10 ms.
    assert!(!enters_css(80, 89));
    assert!(enters_css(80, 90));
    // 600 ms / 8 = 75 ms, limited to 16 ms.
    assert!(!enters_css(600, 615));
    assert!(enters_css(600, 616));
}

/// "For rounds where at least N_RTT_SAMPLE RTT samples have been obtained".
#[test]
fn seven_samples_decide_nothing() {
    let mut hystart = HyStartPlusPlus::new(false);
    round(&mut hystart, 100, 8);
    round(&mut hystart, 200, 7);
    assert_eq!(hystart.css_rounds(), None);
    hystart.observe(&ack(200, false));
    assert_eq!(hystart.css_rounds(), Some(0));
}

/// There is no previous round with which the first round could be compared.
#[test]
fn the_first_round_decides_nothing() {
    let mut hystart = HyStartPlusPlus::new(false);
    round(&mut hystart, 100, 20);
    assert_eq!(hystart.css_rounds(), None);
}

/// "CSS lasts at most CSS_ROUNDS rounds. If the transition into CSS happens in the middle of a round, that partial
/// round counts towards the limit."
#[test]
fn five_rounds_of_css_end_slow_start() {
    let mut hystart = HyStartPlusPlus::new(false);
    round(&mut hystart, 100, 8);
    // CSS begins within this round, so this round is the first of the five rounds.
    assert!(!round(&mut hystart, 113, 8));
    for complete in 1..=4 {
        assert!(!round(&mut hystart, 113, 8));
        assert_eq!(hystart.css_rounds(), Some(complete));
    }
    // The fifth round ends with the ACK that begins the sixth round.
    assert!(hystart.observe(&ack(113, true)));
}

/// "If the current round's minRTT drops below the baseline, resume standard slow start including HyStart++."
#[test]
fn a_fall_below_the_baseline_resumes_slow_start() {
    let mut hystart = HyStartPlusPlus::new(false);
    round(&mut hystart, 100, 8);
    round(&mut hystart, 113, 8);
    assert_eq!(hystart.counted(4.0, true), 1.0);
    // An RTT that equals the baseline is not below the baseline.
    round(&mut hystart, 113, 8);
    assert_eq!(hystart.css_rounds(), Some(1));
    // Seven samples below the baseline are not enough. Eight samples are enough.
    round(&mut hystart, 112, 7);
    assert_eq!(hystart.css_rounds(), Some(2));
    hystart.observe(&ack(112, false));
    assert_eq!(hystart.css_rounds(), None);
    assert_eq!(hystart.counted(4.0, true), 4.0);
    // CSS can begin again: 112 / 8 = 14, 112 + 14 = 126.
    round(&mut hystart, 126, 8);
    assert_eq!(hystart.css_rounds(), Some(0));
}

/// "cwnd = cwnd + min(N, L * SMSS)", "cwnd = cwnd + (min(N, L * SMSS) / CSS_GROWTH_DIVISOR)". L is 8, or infinite if
/// the flow is paced.
#[test]
fn growth_and_its_limit() {
    let mut hystart = HyStartPlusPlus::new(false);
    assert_eq!(hystart.counted(20.0, true), 8.0);
    assert_eq!(HyStartPlusPlus::new(true).counted(20.0, true), 20.0);
    round(&mut hystart, 100, 8);
    round(&mut hystart, 113, 8);
    assert_eq!(hystart.counted(20.0, true), 2.0);
    // Only the initial slow start is conservative.
    assert_eq!(hystart.counted(20.0, false), 8.0);
}

/// Fluid model of slow start into an infinite queue. Time is in first RTTs from the moment when the rate reaches the
/// capacity. Bytes are in BDPs. Returns the bytes sent until time t.
fn sent(t: f64) -> f64 {
    let ln2 = std::f64::consts::LN_2;
    if t <= 1.0 { t.exp2() / ln2 } else { 2.0 / ln2 + 2.0 * (t - 1.0) }
}

/// Bytes delivered until time t.
fn delivered(t: f64) -> f64 {
    if t <= 1.0 { sent(t - 1.0) } else { sent(0.0) + t - 1.0 }
}

/// The RTT of the data that are delivered at time t. It solves D(t) = S(t - RTT), by bisection.
fn round_trip(t: f64) -> f64 {
    let (mut low, mut high) = (0.5, t.max(1.0) + 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if sent(t - middle) > delivered(t) { low = middle } else { high = middle }
    }
    low
}

/// The time at which SEARCH ends slow start with the ACKs of the fluid model. There are 1000 ACKs per first RTT of 100
/// ms, from `phase` on.
fn search_leaves(phase: f64) -> f64 {
    let mut search = Search::default();
    let begin = -8.0 - phase;
    let bytes = |bdps: f64| Bytes::new((1e9 * bdps) as u64);
    for step in 0.. {
        let t = begin + f64::from(step) / 1000.0;
        let now = Time::ZERO + Span::from_secs_f64(0.1 * (t - begin));
        let rtt = Some(Span::from_secs_f64(0.1 * round_trip(t)));
        let (total_sent, total_delivered) = (bytes(sent(t)), bytes(delivered(t)));
        if search.observe(&Ack { rtt, total_sent, total_delivered, ..Ack::at(now) }) {
            return t;
        }
        assert!(t < 10.0, "slow start never ends");
    }
    unreachable!()
}

/// The shortfall of the fluid model reaches 0.26 at t = 4.8807 (computed by bisection). It may be detected up to one
/// bin of 0.35 later. With a queue of 1 BDP, a loss is detected at 3.557, so SEARCH cannot end slow start earlier than
/// this loss.
#[test]
fn search_needs_a_queue_of_more_than_a_bdp() {
    let latest = (0..7).map(|i| search_leaves(f64::from(i) * 0.05)).fold(0.0, f64::max);
    let earliest = (0..7).map(|i| search_leaves(f64::from(i) * 0.05)).fold(10.0, f64::min);
    assert!((4.86..5.24).contains(&earliest) && (4.86..5.24).contains(&latest), "{earliest} to {latest}");
    assert!(earliest > 1.557 + 2.0);
}
