// SPDX-License-Identifier: MIT OR Apache-2.0
//! The equations of Hybla (Yang, Li and Wei, "An Improved Hybla Algorithm in Satellite Networks", section 2; first
//! published by Caini and Firrincieli 2004).

use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::parameter::{Parameter, Plain};

const RTT0: Parameter = Parameter::one(
    "rtt0_ms",
    "ms",
    &[25.0],
    1.0..=10_000.0,
    "round trip of the reference path, whose rate is the target for long paths (25 ms in the paper)",
);

pub(crate) const WINDOW: Model = Model {
    name: "hybla-window",
    about: "window and rate over time without losses, standard TCP and Hybla, for several round trips",
    source: "Yang, Li, Wei, An Improved Hybla Algorithm in Satellite Networks, equations 1 to 5",
    parameters: &[
        Parameter::list(
            "rtt_ms",
            "ms",
            &[25.0, 50.0, 250.0, 550.0],
            1.0..=10_000.0,
            "round trips (the reference, and LEO, MEO and GEO of the paper's table 1)",
        ),
        RTT0,
        Parameter::one(
            "gamma",
            "segments",
            &[32.0],
            2.0..=1e6,
            "slow-start threshold of the reference path (the paper gives no value; 32 is our choice)",
        ),
        Parameter::one("duration_s", "s", &[5.0], 0.01..=3600.0, "duration"),
        Parameter::one("step_ms", "ms", &[10.0], 0.1..=10_000.0, "interval between two points"),
    ],
    compute: window,
};

/// Returns the window of standard TCP after `t` s, in segments.
fn standard_segments(t: f64, rtt_s: f64, gamma: f64) -> f64 {
    let switch_s = standard_switch_s(rtt_s, gamma);
    // (1): 2^(t/RTT) before t_gamma, then (t - t_gamma)/RTT + gamma.
    if t < switch_s { (t / rtt_s).exp2() } else { (t - switch_s) / rtt_s + gamma }
}

/// Returns the time at which the window of standard TCP reaches gamma, in s.
fn standard_switch_s(rtt_s: f64, gamma: f64) -> f64 {
    // From (1): 2^(t_gamma/RTT) = gamma.
    rtt_s * gamma.log2()
}

/// Returns the window of Hybla after `t` s, in segments.
pub(crate) fn hybla_segments(t: f64, rtt_s: f64, rtt0_s: f64, gamma: f64) -> f64 {
    // (3): rho = RTT/RTT0
    let rho = rtt_s / rtt0_s;
    let switch_s = hybla_switch_s(rtt0_s, gamma);
    // (4): rho 2^(rho t/RTT) before t_gamma,0, then rho (rho (t - t_gamma,0)/RTT + gamma).
    if t < switch_s { rho * (rho * t / rtt_s).exp2() } else { rho * (rho * (t - switch_s) / rtt_s + gamma) }
}

/// Returns the time at which the window of Hybla reaches rho gamma, in s. This time does not depend on the round trip.
pub(crate) fn hybla_switch_s(rtt0_s: f64, gamma: f64) -> f64 {
    // Below (4): t_gamma,0 = RTT0 log2(gamma).
    rtt0_s * gamma.log2()
}

fn window(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (rtts_ms, rtt0_s) = (settings.list("rtt_ms"), settings.number("rtt0_ms") / 1e3);
    let gamma = settings.number("gamma");
    let times = settings.steps("duration_s", "step_ms", rtts_ms.len())?;
    let rows: Vec<(f64, f64)> = rtts_ms.iter().flat_map(|rtt| times.iter().map(|t| (*rtt, *t))).collect();
    let standard: Vec<f64> = rows.iter().map(|(rtt, t)| standard_segments(*t, rtt / 1e3, gamma)).collect();
    let hybla: Vec<f64> = rows.iter().map(|(rtt, t)| hybla_segments(*t, rtt / 1e3, rtt0_s, gamma)).collect();
    // (2) and (5): B(t) = W(t)/RTT
    let rate = |windows: &[f64]| -> Vec<f64> {
        windows.iter().zip(&rows).map(|(window, (rtt, _))| window / (rtt / 1e3)).collect()
    };
    let (standard_rate, hybla_rate) = (rate(&standard), rate(&hybla));

    let mut answer = Answer::default();
    let switch_s = hybla_switch_s(rtt0_s, gamma);
    answer.fact("hybla_switch_s", switch_s);
    for rtt in rtts_ms {
        answer.fact(format!("standard_switch_at_{rtt}_ms_s"), standard_switch_s(rtt / 1e3, gamma));
        answer.fact(format!("hybla_switch_at_{rtt}_ms_round_trips"), switch_s / (rtt / 1e3));
    }
    let after: Vec<usize> = (0..times.len()).filter(|i| times[*i] >= switch_s).collect();
    if !after.is_empty() {
        answer.fact(
            "hybla_rate_largest_spread_after_switch_percent",
            spread_percent(&hybla_rate, &after, times.len()),
        );
        answer.fact(
            "standard_rate_largest_spread_after_switch_percent",
            spread_percent(&standard_rate, &after, times.len()),
        );
    }
    let short: Vec<String> =
        rtts_ms.iter().filter(|rtt| switch_s < *rtt / 1e3).map(|rtt| Plain(*rtt).to_string()).collect();
    if !short.is_empty() {
        answer.note(format!(
            "Hybla's slow start ends after {} ms, which is less than one round trip of {} ms: no ACK has arrived by \
            then, so no sender can follow the curve before the second round trip.",
            Plain((switch_s * 1e9).round() / 1e6),
            short.join(", ")
        ));
    }
    if rtts_ms.iter().any(|rtt| rtt / 1e3 < rtt0_s) {
        answer.note(
            "If a round trip is shorter than the reference, rho is below 1, and by equation 4 the window is smaller \
             than that of standard TCP. Implementations use rho = 1 in this case.",
        );
    }
    answer.note("The curves neglect losses, the receiver's window and the capacity.");
    answer.numbers("rtt_ms", "round trip, ms", rows.iter().map(|row| row.0));
    answer.numbers("time_s", "time, s", rows.iter().map(|row| row.1));
    answer.numbers("standard_window_segments", "standard TCP", standard);
    answer.numbers("standard_rate_segments_s", "standard TCP", standard_rate);
    answer.numbers("hybla_window_segments", "Hybla", hybla);
    answer.numbers("hybla_rate_segments_s", "Hybla", hybla_rate);
    let panel =
        |title, y: &'static str, label| Panel::lines(title, "time_s", [y], label).by("rtt_ms").log_y();
    answer.panel(panel("Standard TCP: rate (2)", "standard_rate_segments_s", "segments/s"));
    answer.panel(panel("Hybla: window (4)", "hybla_window_segments", "segments"));
    answer.panel(panel("Hybla: rate (5)", "hybla_rate_segments_s", "segments/s"));
    Ok(answer)
}

/// Returns the largest difference between curves at the same time, in percent of the smallest value. Each curve has
/// `points` points.
fn spread_percent(values: &[f64], at: &[usize], points: usize) -> f64 {
    let spread = |i: usize| {
        let same_time = || values.iter().skip(i).step_by(points).copied();
        let (low, high) = (same_time().fold(f64::INFINITY, f64::min), same_time().fold(0.0, f64::max));
        100.0 * (high / low - 1.0)
    };
    at.iter().map(|i| spread(*i)).fold(0.0, f64::max)
}

pub(crate) const INCREMENTS: Model = Model {
    name: "hybla-increments",
    about: "the increment of Hybla's window per ACK, as a function of the normalised round trip",
    source: "Yang, Li, Wei, An Improved Hybla Algorithm in Satellite Networks, equations 3, 6 and 7, table 1",
    parameters: &[
        Parameter::list(
            "rho",
            "none",
            &[
                1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0,
                18.0, 19.0, 20.0, 21.0, 22.0,
            ],
            1.0..=64.0,
            "normalised round trips RTT/RTT0 (1 to 22 in the paper)",
        ),
        RTT0,
    ],
    compute: increments,
};

fn increments(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (rhos, rtt0_ms) = (settings.list("rho"), settings.number("rtt0_ms"));
    // (6), corrected: the scanned "2^p" is 2^rho.
    let slow_start = |rho: f64| rho.exp2() - 1.0;
    let largest = rhos.iter().copied().fold(1.0, f64::max);
    let mut answer = Answer::default();
    answer.fact("largest_slow_start_increment_segments", slow_start(largest));
    answer.fact("largest_avoidance_increment_times_window_segments2", largest * largest);
    // Table 1: LEO 50, MEO 250, GEO 550 ms
    for (orbit, rtt_ms) in [("leo", 50.0), ("meo", 250.0), ("geo", 550.0)] {
        answer.fact(format!("rho_of_{orbit}"), rtt_ms / rtt0_ms);
    }
    answer.note(
        "In slow start, one ACK at rho = 22 adds 4 194 303 segments. Without a threshold (Hoe's estimate, \
        or rho gamma), the first ACK therefore opens the window beyond the capacity of any path. Linux \
        limits the exponent to 16 and the window to 65 535.",
    );
    answer.note("The 2^p in the paper's equation 6 means 2^rho, because equation 7 follows only from 2^rho.");
    answer.numbers("rho", "rho", rhos.iter().copied());
    answer.numbers("rtt_ms", "round trip, ms", rhos.iter().map(|rho| rho * rtt0_ms));
    answer.numbers("slow_start_segments", "slow start: 2^rho - 1", rhos.iter().map(|rho| slow_start(*rho)));
    answer.numbers(
        "avoidance_times_window_segments2",
        "avoidance, times the window: rho^2",
        rhos.iter().map(|rho| rho * rho),
    );
    answer.panel(
        Panel::lines(
            "Increment per ACK (6), (7)",
            "rho",
            ["slow_start_segments", "avoidance_times_window_segments2"],
            "segments; segments^2",
        )
        .log_y(),
    );
    Ok(answer)
}
