// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of Vegas and Vegas-W.

use super::{ask, near};

/// Expected: the filter discretises a first-order low-pass. It therefore reaches 63.2 % after tau and 95 % after 3.00
/// tau, both within two ACKs. 8000 bit at 15 Mbit/s take 0.533 ms.
#[test]
fn the_filter_answers_a_step_as_a_low_pass() {
    let answer = ask("vegas-w-filter", &[]);
    near(answer.value("ack_spacing_ms"), 0.5333, 5e-5);
    near(answer.value("step_segments_s"), 1875.0, 1e-9);
    for tau in ["0.05", "0.1", "0.5"] {
        let seconds: f64 = tau.parse().unwrap_or(f64::NAN);
        near(answer.value(&format!("reaches_63_percent_at_tau_{tau}_s")), seconds, 0.00107);
        near(answer.value(&format!("reaches_95_percent_at_tau_{tau}_s")), 2.9957 * seconds, 0.00107);
    }
    let (estimate, continuous) =
        (answer.column("estimate_segments_s"), answer.column("continuous_segments_s"));
    let apart = estimate.iter().zip(&continuous).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 0.02 * 1875.0, "{apart}");
}

/// Expected, computed by hand: if the gap is tau, (2 - 1)/(2 + 1) = 1/3. After a silence of 540 ms with tau = 0.05 s,
/// (0.1 - 0.54)/(0.1 + 0.54) = -0.6875.
#[test]
fn the_coefficient() {
    let given: [(&str, &[f64]); 4] =
        [("tau_s", &[0.008]), ("capacity_mbit_s", &[1.0]), ("rtt_ms", &[540.0]), ("duration_s", &[1.0])];
    near(ask("vegas-w-filter", &given).value("coefficient_at_tau_0.008"), 1.0 / 3.0, 1e-12);
    let answer = ask("vegas-w-filter", &[]);
    near(answer.value("coefficient_after_idle_round_trip_at_tau_0.05"), -0.6875, 1e-12);
    near(answer.value("two_forms_of_coefficient_largest_difference"), 0.0, 1e-12);
}

/// Expected, computed by hand for n = 2. A jump by a factor of 1.5 is never detected. With the paper's queue of 0.2 BDP
/// at a constant length, a jump by 2.2 is always detected (the limit is 2 + 0.2). A jump by 2.5 with a queue uniform in
/// 0..1 BDP is detected if the queue is below 0.5 BDP, which has a probability of one half.
#[test]
fn jumps() {
    let answer = ask("vegas-w-jump", &[("buffer_bdp", &[0.2, 1.0])]);
    let half = answer.column("jump_factor").len() / 2;
    let seen = answer.column("detection_probability");
    let place = |factor: f64| {
        answer.column("jump_factor").iter().position(|f| (f - factor).abs() < 1e-9).unwrap_or(usize::MAX)
    };
    near(seen[place(1.5)], 0.0, 0.0);
    near(seen[place(2.1)], 0.5, 1e-9);
    near(seen[place(2.3)], 1.0, 0.0);
    near(seen[half + place(2.5)], 0.5, 1e-9);
    near(answer.value("seen_at_any_steady_queue_from_at_buffer_0.2"), 2.2, 1e-12);
    near(answer.value("seen_for_sure_from_at_buffer_0.2"), 2.4, 1e-12);
    assert_eq!(answer.words_of("with_any_queue")[place(1.5)], "never");
    assert_eq!(answer.words_of("with_any_queue")[place(2.5)], "always");
    assert_eq!(answer.words_of("with_any_queue")[place(2.2)], "sometimes");
}

/// Expected, computed by hand: the largest value of k - k(k - 1)/20 is at k = 10 and 11, where it is 10 - 4.5 = 5.5
/// packets.
#[test]
fn bursts_fool_the_rule_on_short_paths_alone() {
    let answer = ask("vegas-w-jump", &[]);
    near(answer.value("burst_fools_it_below_bdp_packets"), 5.5, 1e-12);
    assert_eq!(answer.value("false_alarm_possible_at_buffer_0.2"), 0.0);
    assert_eq!(answer.value("false_alarm_possible_at_buffer_2"), 1.0);
}

/// Expected, computed by hand for 540 ms and 8000 bit: 1 kbit/s is 540/8000 = 0.0675 packets, 3 kbit/s is 0.2025, 1
/// kbyte/s is 0.54, and 3 kbyte/s is 1.62.
#[test]
fn the_units_of_alpha_and_beta() {
    let answer = ask("vegas-queue", &[]);
    near(answer.value("alpha_as_kbit_s_at_540_ms_packets"), 0.0675, 1e-12);
    near(answer.value("beta_as_kbit_s_at_540_ms_packets"), 0.2025, 1e-12);
    near(answer.value("alpha_as_kbyte_s_at_540_ms_packets"), 0.54, 1e-12);
    near(answer.value("beta_as_kbyte_s_at_540_ms_packets"), 1.62, 1e-12);
    // 3 packets of 0.5333 ms each.
    near(answer.column("largest_queue_ms")[0], 1.6, 1e-9);
}
