// SPDX-License-Identifier: MIT OR Apache-2.0
//! The start of A-LIAD, and how closely its rules per ACK follow its curves.

use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::parameter::{Parameter, Plain};

const SSTHRESH: Parameter = Parameter::one(
    "ssthresh_segments",
    "segments",
    &[721.0],
    8.0..=1e6,
    "slow-start threshold (the product of 10 Mbit/s and 600 ms in packets of 1040 bytes)",
);
const INITIAL: Parameter = Parameter::one(
    "initial_window_segments",
    "segments",
    &[2.0],
    1.0..=64.0,
    "window at the start (1 in equation 1, 2 in simulators of that time)",
);

pub(crate) const S_CURVE: Model = Model {
    name: "a-liad-s-curve",
    about: "slow start as an S curve: exponential up to half of the threshold, then a logarithmic approach",
    source: "Shin et al., A-LIAD, equation 1",
    parameters: &[
        SSTHRESH,
        INITIAL,
        Parameter::one("rtt_ms", "ms", &[600.0], 1.0..=10_000.0, "round trip"),
        Parameter::one("duration_s", "s", &[12.0], 0.01..=3600.0, "duration"),
        Parameter::one("step_ms", "ms", &[60.0], 0.1..=10_000.0, "interval between two points"),
    ],
    compute: s_curve,
};

fn s_curve(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (ssthresh, initial) =
        (settings.number("ssthresh_segments"), settings.number("initial_window_segments"));
    let rtt_s = settings.number("rtt_ms") / 1e3;
    let times = settings.steps("duration_s", "step_ms", 1)?;
    // "the time at which half of the ssthresh value gamma is reached": gamma = ssthresh/2
    let gamma = ssthresh / 2.0;
    if initial >= gamma {
        return Err(settings.contradiction(format!(
            "initial_window_segments = {} is not below half of ssthresh_segments = {} (make the threshold \
             larger)",
            Plain(initial),
            Plain(ssthresh)
        )));
    }
    let switch_rtts = (gamma / initial).log2();
    // First branch of (1).
    let exponential = |rtts: f64| initial * rtts.exp2();
    // Second branch of (1): gamma + gamma (1 - gamma (1/2)^(t/RTT)), where gamma (1/2)^(t/RTT) is (1/2)^((t -
    // t_gamma)/RTT).
    let approach = |rtts: f64| gamma + gamma * (1.0 - (switch_rtts - rtts).exp2());
    let curve = |rtts: f64| if rtts < switch_rtts { exponential(rtts) } else { approach(rtts) };

    let mut answer = Answer::default();
    answer.fact("half_threshold_segments", gamma);
    answer.fact("switch_round_trips", switch_rtts);
    answer.fact("switch_s", switch_rtts * rtt_s);
    answer.fact("exponential_branch_at_switch_segments", exponential(switch_rtts));
    answer.fact("logarithmic_branch_at_switch_segments", approach(switch_rtts));
    answer.fact("limit_segments", 2.0 * gamma);
    // The gap is one segment when gamma (1/2)^n = 1.
    let end_rtts = switch_rtts + gamma.log2();
    answer.fact("one_segment_below_threshold_round_trips", end_rtts);
    answer.fact("one_segment_below_threshold_s", end_rtts * rtt_s);
    answer.fact("limit_if_gamma_is_the_threshold_segments", 2.0 * ssthresh);
    answer.note(
        "gamma is half of the threshold. With gamma = ssthresh, the curve would tend to twice the \
        threshold, which contradicts the text of the paper.",
    );
    answer.note(
        "The curve never reaches the threshold, so the time t_2gamma of the paper is infinite. A \
        controller must end the approach when less than one segment is missing.",
    );
    answer.numbers("time_s", "time, s", times.iter().copied());
    answer.numbers("round_trips", "round trips", times.iter().map(|t| t / rtt_s));
    answer.numbers("s_curve_segments", "S curve (1)", times.iter().map(|t| curve(t / rtt_s)));
    // Standard slow start ends at the threshold. After that, it adds one segment per round trip.
    let standard_end = (ssthresh / initial).log2();
    answer.numbers(
        "standard_segments",
        "standard slow start",
        times.iter().map(|t| {
            let rtts = t / rtt_s;
            if rtts < standard_end { exponential(rtts) } else { ssthresh + rtts - standard_end }
        }),
    );
    answer.panel(Panel::lines(
        "Slow start",
        "time_s",
        ["s_curve_segments", "standard_segments"],
        "window, segments",
    ));
    Ok(answer)
}

pub(crate) const GROWTH: Model = Model {
    name: "a-liad-growth",
    about: "the rules per ACK compared with their target curves, ACK by ACK",
    source: "Shin et al., A-LIAD, equations 2, 4, 5 and 6",
    parameters: &[
        SSTHRESH,
        INITIAL,
        Parameter::list(
            "alpha",
            "none",
            &[2.0, 4.0, 12.0, 500.0],
            1.001..=1e6,
            "target factors by which the gap shrinks in a round trip (2 at 75 ms, about 500 at 600 ms)",
        ),
    ],
    compute: growth,
};

/// A rule per ACK for the approach to a target window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// (2) and (6) as printed: both places of the formula use the present window.
    Literal,
    /// (5) spread over the ACKs of a round trip: both places of the formula use the window at the beginning of the
    /// round trip.
    Round,
    /// The rule that integrates to (4): ln(alpha) replaces 1 - 1/alpha in (6).
    Exact,
}

impl Rule {
    /// Returns the growth at one ACK of the window `w` towards `target`. `start` is the window at the beginning of the
    /// round trip.
    fn step(self, w: f64, start: f64, target: f64, alpha: f64) -> f64 {
        let step = match self {
            Self::Literal => (1.0 - 1.0 / alpha) * (target - w) / w,
            Self::Round => (1.0 - 1.0 / alpha) * (target - start) / start,
            Self::Exact => alpha.ln() * (target - w) / w,
        };
        step.clamp(0.0, 1.0)
    }
}

/// Returns the windows of the start, one per round trip, until the window is less than one segment below the threshold.
fn start_up(rule: Rule, initial: f64, ssthresh: f64) -> Vec<f64> {
    let mut windows = vec![initial];
    let mut w = initial;
    while ssthresh - w >= 1.0 && windows.len() < 200 {
        let start = w;
        // There is one ACK for each segment of the window at the beginning of the round trip.
        for _ in 0..start.round() as u64 {
            // (2): one segment per ACK up to half of the threshold. Then gamma/W - 1/2, which equals (6) with alpha =
            // 2.
            w += if w < ssthresh / 2.0 { 1.0 } else { rule.step(w, start, ssthresh, 2.0) };
        }
        windows.push(w);
    }
    windows
}

fn growth(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (ssthresh, initial) =
        (settings.number("ssthresh_segments"), settings.number("initial_window_segments"));
    let curves: Vec<(&str, Vec<f64>)> =
        [("literal", Rule::Literal), ("round", Rule::Round), ("exact", Rule::Exact)]
            .into_iter()
            .map(|(name, rule)| (name, start_up(rule, initial, ssthresh)))
            .collect();
    let mut answer = Answer::default();
    for (name, windows) in &curves {
        answer.fact(format!("start_up_{name}_round_trips"), windows.len() as f64 - 1.0);
    }
    // (1) alone takes log2(gamma/W_0) + log2(gamma) round trips.
    let gamma = ssthresh / 2.0;
    answer.fact("start_up_curve_round_trips", (gamma / initial).log2() + gamma.log2());
    for alpha in settings.list("alpha") {
        let rate = 1.0 - 1.0 / alpha;
        answer.fact(format!("gap_left_by_curve_at_alpha_{}", Plain(*alpha)), 1.0 / alpha);
        // (6) as a differential equation: dW/dn = (1 - 1/alpha) (W_max - W), where n counts round trips.
        answer.fact(format!("gap_left_by_rule_at_alpha_{}", Plain(*alpha)), (-rate).exp());
        answer.fact(format!("alpha_in_effect_at_alpha_{}", Plain(*alpha)), rate.exp());
    }
    answer.note(
        "The printed rules per ACK, (2) and (6), use the step of a whole round trip (5) as the slope \
        within the round trip. Because they divide by the present window, the gap is multiplied by exp(-(1 \
        - 1/alpha)) in a round trip instead of by 1/alpha. For every alpha, the alpha in effect is \
        therefore below e = 2.718.",
    );
    answer.note(
        "All flows with round trips above about 150 ms therefore behave almost equally, and their epochs \
        differ in length. Two rules follow (4): the rule `round` uses the window at the beginning of the \
        round trip, and the rule `exact` replaces 1 - 1/alpha by ln(alpha).",
    );
    answer.note(
        "In each round trip, one ACK arrives for each segment of the window at the beginning of the round \
        trip. No ACK is lost.",
    );
    let longest = curves.iter().map(|(_, windows)| windows.len()).max().unwrap_or(0);
    answer.numbers("round_trips", "round trips", (0..longest).map(|n| n as f64));
    let columns = [
        ("literal_segments", "literal (2)"),
        ("round_segments", "per round (5)"),
        ("exact_segments", "exact"),
    ];
    for ((name, label), (_, windows)) in columns.into_iter().zip(&curves) {
        answer.some_numbers(name, label, (0..longest).map(|n| windows.get(n).copied()));
    }
    answer.panel(Panel::lines(
        "Start to the threshold",
        "round_trips",
        columns.map(|column| column.0),
        "window, segments",
    ));
    Ok(answer)
}
