// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state machine of RFC 9406, section 4.2, step by step. Expectations follow its text and constants.

use super::*;
use units::{Bytes, Span, Time};

/// An ACK with an RTT sample of `rtt_ms`.
fn ack(rtt_ms: u64, round_start: bool) -> Ack<'static> {
    let rtt = Some(Span::from_millis(rtt_ms));
    let acked = Bytes::new(1000);
    Ack { acked, cumulative: acked, rtt, srtt: rtt, min_rtt: rtt, round_start, ..Ack::at(Time::ZERO) }
}

/// A round of `samples` ACKs that all measure `rtt_ms`; true if one of them ended slow start.
fn round(hystart: &mut HyStartPlusPlus, rtt_ms: u64, samples: u32) -> bool {
    (0..samples).any(|i| hystart.observe(&ack(rtt_ms, i == 0)))
}

/// Whether rounds of 100 ms and then `second_ms` lead into CSS.
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
    // 600 ms / 8 = 75 ms, cut to 16 ms.
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

/// There is no last round to compare with in the first.
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
    // CSS begins within this round: the first of the five.
    assert!(!round(&mut hystart, 113, 8));
    for complete in 1..=4 {
        assert!(!round(&mut hystart, 113, 8));
        assert_eq!(hystart.css_rounds(), Some(complete));
    }
    // The fifth round ends with the ACK that begins the sixth.
    assert!(hystart.observe(&ack(113, true)));
}

/// "If the current round's minRTT drops below the baseline, resume standard slow start including HyStart++."
#[test]
fn a_fall_below_the_baseline_resumes_slow_start() {
    let mut hystart = HyStartPlusPlus::new(false);
    round(&mut hystart, 100, 8);
    round(&mut hystart, 113, 8);
    assert_eq!(hystart.counted(4.0, true), 1.0);
    // Equal to the baseline is not below it.
    round(&mut hystart, 113, 8);
    assert_eq!(hystart.css_rounds(), Some(1));
    // Seven samples below it are not enough, the eighth is.
    round(&mut hystart, 112, 7);
    assert_eq!(hystart.css_rounds(), Some(2));
    hystart.observe(&ack(112, false));
    assert_eq!(hystart.css_rounds(), None);
    assert_eq!(hystart.counted(4.0, true), 4.0);
    // And it can enter again: 112 / 8 = 14, 112 + 14 = 126.
    round(&mut hystart, 126, 8);
    assert_eq!(hystart.css_rounds(), Some(0));
}

/// "cwnd = cwnd + min(N, L * SMSS)", "cwnd = cwnd + (min(N, L * SMSS) / CSS_GROWTH_DIVISOR)"; L = 8, infinite if paced.
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
