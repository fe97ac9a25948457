// SPDX-License-Identifier: MIT OR Apache-2.0
//! The response function of A-LIAD: the mean rate of a logarithmic increase at a given loss rate.

use super::{BETA, Bracket, largest_window, round_trips};
use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::numeric::line;
use crate::parameter::{Parameter, Plain};

pub(crate) const PACKET_ERROR_RATE: Parameter = Parameter::one(
    "packet_error_rate",
    "none",
    &[1e-8],
    1e-15..=0.01,
    "share of packets lost (the caption of figure 1 says \"10E-08\"; 1e-8 reproduces the constant, 1e-7 does \
     not)",
);

pub(crate) const RESPONSE: Model = Model {
    name: "a-liad-response",
    about: "mean rate of a logarithmic increase with fixed alpha (LIAD), as a function of the round trip",
    source: "Shin et al., A-LIAD, figure 1, equations 8 and 9",
    parameters: &[
        Parameter::list(
            "rtt_ms",
            "ms",
            &[
                10.0, 25.0, 50.0, 75.0, 100.0, 150.0, 200.0, 250.0, 300.0, 350.0, 400.0, 450.0, 500.0, 550.0,
                600.0,
            ],
            1.0..=10_000.0,
            "round trips",
        ),
        PACKET_ERROR_RATE,
        Parameter::one(
            "alpha",
            "none",
            &[2.0],
            1.001..=1e6,
            "factor by which the gap shrinks per round \
        trip (LIAD: 2)",
        ),
        BETA,
    ],
    compute: response,
};

fn response(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (rtts, alpha, beta) = (settings.list("rtt_ms"), settings.number("alpha"), settings.number("beta"));
    let p = settings.number("packet_error_rate");
    // There is one loss per epoch: Y = 1/p.
    let segments = 1.0 / p;
    let solve = |bracket| {
        largest_window(segments, alpha, beta, bracket).ok_or_else(|| {
            settings.contradiction(format!(
                "with packet_error_rate = {}, an epoch has only {} segments between two losses, which is less than one \
                 round trip with alpha = {alpha} (lower packet_error_rate or alpha)",
                Plain(p),
                Plain(segments)
            ))
        })
    };
    let (printed, plus) = (solve(Bracket::Printed)?, solve(Bracket::Plus)?);
    // (9): R = Y/(N RTT)
    let per_rtt = |w_max: f64| segments / round_trips(w_max, alpha, beta);
    let rate = |w_max: f64, rtt_ms: &f64| per_rtt(w_max) / (rtt_ms / 1e3);

    let mut answer = Answer::default();
    answer.fact("largest_window_printed_bracket_segments", printed);
    answer.fact("largest_window_plus_bracket_segments", plus);
    answer.fact("epoch_printed_bracket_round_trips", round_trips(printed, alpha, beta));
    answer.fact("epoch_plus_bracket_round_trips", round_trips(plus, alpha, beta));
    answer.fact("rate_times_rtt_printed_bracket_segments", per_rtt(printed));
    answer.fact("rate_times_rtt_plus_bracket_segments", per_rtt(plus));
    // Compares the sum of (9) with its closed form, at the nearest whole N. The sum has N terms. The closed form is the
    // closed form of an infinite series.
    let n = round_trips(plus, alpha, beta).round();
    let whole = alpha.powf(n) / beta;
    let sum: f64 = (0..=n as u64).map(|k| whole * (1.0 - beta * alpha.powf(-(k as f64)))).sum();
    let closed = whole * Bracket::Printed.of(n, alpha, beta);
    answer.fact("sum_over_whole_epoch_round_trips", n);
    answer.fact("sum_of_windows_segments", sum);
    answer.fact("closed_form_printed_bracket_segments", closed);
    answer.fact("closed_form_plus_bracket_segments", whole * Bracket::Plus.of(n, alpha, beta));
    let points = |x: fn(f64) -> f64| -> Vec<(f64, f64)> {
        rtts.iter().map(|rtt| (x(rtt / 1e3), rate(printed, rtt))).collect()
    };
    if let (Some(inverse), Some(straight)) = (line(&points(|rtt| 1.0 / rtt)), line(&points(|rtt| rtt))) {
        answer.fact("fit_over_inverse_rtt_slope_segments", inverse.slope);
        answer.fact("fit_over_inverse_rtt_r_squared", inverse.r_squared);
        answer.fact("fit_over_rtt_r_squared", straight.r_squared);
    }
    answer.note(
        "The rate is exactly proportional to 1/RTT, because N and W_max do not depend on the round trip. \
        The paper's words \"almost linearly\" (text to figure 1) do not follow from equation 9.",
    );
    answer.note(
        "The minus sign printed in equation 9 is right: with it, the closed form equals the sum of the windows of an \
         epoch (except for 1/(alpha - 1) segments, because the series ends). But the paper's authors computed the \
         constant of equation 11 with a plus sign (model a-liad-alpha).",
    );
    answer.note(
        "The largest window is the window that the loss rate allows, which is millions of segments. No \
        link of the paper's simulations carries such a window.",
    );
    answer.numbers("rtt_ms", "round trip, ms", rtts.iter().copied());
    answer.numbers("inverse_rtt_1_s", "1/RTT, 1/s", rtts.iter().map(|rtt| 1e3 / rtt));
    answer.numbers(
        "rate_printed_bracket_segments_s",
        "minus, as printed",
        rtts.iter().map(|rtt| rate(printed, rtt)),
    );
    answer.numbers("rate_plus_bracket_segments_s", "plus", rtts.iter().map(|rtt| rate(plus, rtt)));
    let both = ["rate_printed_bracket_segments_s", "rate_plus_bracket_segments_s"];
    answer.panel(Panel::lines("Mean rate (9)", "rtt_ms", both, "segments/s").log_y());
    answer.panel(Panel::lines("Mean rate over 1/RTT", "inverse_rtt_1_s", both, "segments/s"));
    Ok(answer)
}
