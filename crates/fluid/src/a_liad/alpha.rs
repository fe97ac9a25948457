// SPDX-License-Identifier: MIT OR Apache-2.0
//! alpha as a function of the round trip: the solution of the paper's equations, and a fit. The paper does not print
//! the coefficients of its fit.

use super::response::PACKET_ERROR_RATE;
use super::{BETA, Bracket, largest_window, round_trips};
use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::numeric::{least_squares, root};
use crate::parameter::Parameter;

pub(crate) const ALPHA: Model = Model {
    name: "a-liad-alpha",
    about: "the factor alpha as a function of the round trip, the constant 1.5787 s, and a fit to the \
    solution",
    source: "Shin et al., A-LIAD, equations 10 and 11",
    parameters: &[
        Parameter::list(
            "rtt_ms",
            "ms",
            &[
                25.0, 50.0, 75.0, 100.0, 125.0, 150.0, 175.0, 200.0, 225.0, 250.0, 275.0, 300.0, 325.0,
                350.0, 375.0, 400.0, 425.0, 450.0, 475.0, 500.0, 525.0, 550.0, 575.0, 600.0,
            ],
            1.0..=1000.0,
            "round trips",
        ),
        PACKET_ERROR_RATE,
        BETA,
        Parameter::one(
            "reference_alpha",
            "none",
            &[2.0],
            1.01..=100.0,
            "alpha on the reference path (the paper uses 2, the alpha of LIAD)",
        ),
        Parameter::one(
            "reference_rtt_ms",
            "ms",
            &[75.0],
            1.0..=1000.0,
            "round trip of the reference path, on which alpha is `reference_alpha` (the default is the paper's value)",
        ),
        Parameter::whole("fit_terms", "none", &[2.0], 1.0..=4.0, "number of terms of the fitted polynomial"),
    ],
    compute: alpha,
};

/// Returns the alpha for which an epoch of `n` round trips sends `segments`. The epoch sends alpha^N/beta times the
/// bracket of (9). `None` if there is no such alpha.
pub(crate) fn solve(n: f64, segments: f64, beta: f64, bracket: Bracket) -> Option<f64> {
    let excess = |ln_alpha: f64| {
        let sent = bracket.of(n, ln_alpha.exp(), beta);
        if sent > 0.0 { n * ln_alpha + sent.ln() - (beta * segments).ln() } else { f64::NEG_INFINITY }
    };
    // Because (N + 1) >= 1, this value is above the solution.
    let high = (beta * segments).ln() / n + 2.0;
    // The solution is the largest alpha. With the plus sign, there is another zero near alpha = 1, where the loss term
    // is equal to the complete epoch.
    let mut low = high;
    while excess(low) > 0.0 {
        low *= 0.95;
        if low < 1e-9 {
            return None;
        }
    }
    Some(root(low, high, excess).exp())
}

fn alpha(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (rtts, beta) = (settings.list("rtt_ms"), settings.number("beta"));
    let segments = 1.0 / settings.number("packet_error_rate");
    let (reference, reference_s) =
        (settings.number("reference_alpha"), settings.number("reference_rtt_ms") / 1e3);
    // (10): N RTT equals N RTT of the reference.
    let epoch_s = |bracket| {
        let w_max = largest_window(segments, reference, beta, bracket).ok_or_else(|| {
            settings.contradiction(format!(
                "an epoch has only {segments} segments between two losses, which is less than one round trip with \
                 reference_alpha = {reference} (lower packet_error_rate or reference_alpha)"
            ))
        })?;
        Ok(round_trips(w_max, reference, beta) * reference_s)
    };
    let (plus_s, printed_s) = (epoch_s(Bracket::Plus)?, epoch_s(Bracket::Printed)?);
    let plus: Vec<Option<f64>> =
        rtts.iter().map(|rtt| solve(plus_s / (rtt / 1e3), segments, beta, Bracket::Plus)).collect();
    let printed = rtts.iter().map(|rtt| solve(printed_s / (rtt / 1e3), segments, beta, Bracket::Printed));

    let mut answer = Answer::default();
    answer.fact("epoch_plus_bracket_s", plus_s);
    answer.fact("epoch_printed_bracket_s", printed_s);
    answer.fact("epoch_in_the_paper_s", 1.5787);
    // R = Y/(N RTT) is the same for every round trip.
    answer.fact("rate_of_every_flow_segments_s", segments / plus_s);
    let terms = settings.number("fit_terms") as i32;
    let fit = fit(rtts, &plus, terms, reference, reference_s);
    let fitted: Vec<Option<f64>> =
        rtts.iter().map(|rtt| fit.as_ref().map(|fit| fit.alpha(rtt / 1e3))).collect();
    let off: Vec<Option<f64>> =
        fitted.iter().zip(&plus).map(|(fit, alpha)| Some(100.0 * ((*fit)? / (*alpha)? - 1.0))).collect();
    if let Some(fit) = &fit {
        for (power, coefficient) in fit.coefficients.iter().enumerate() {
            answer.fact(format!("fit_coefficient_{power}"), *coefficient);
        }
        answer.fact(
            "fit_largest_error_percent",
            off.iter().flatten().fold(0.0, |most, off| most.max(off.abs())),
        );
    }
    answer.note(format!(
        "With one loss per 1/PER segments, the bracket of (9) with a plus sign gives {plus_s:.5} s, and with the \
         printed minus sign {printed_s:.5} s. With the defaults, only the plus sign reproduces every printed digit of \
         1.5787. The paper's authors therefore computed the constant 1.5787 with the plus sign, although they print a \
         minus sign. The values of alpha hardly depend on this sign."
    ));
    answer.note(
        "On the reference path, 1.5787 s are 21.05 round trips of 75 ms. In this time, alpha = 2 closes a gap \
        beta W_max of 2^21.05 = 2.2 million segments. This W_max follows from the loss rate alone. A path of \
        10 or 50 Mbit/s carries a smaller window, so its epoch is shorter and depends on the round trip.",
    );
    answer.note(
        "The paper does not print its fitted curve alpha(RTT). Our fit is ln(alpha) = ln(reference) + (RTT - RTT_ref) \
        (c_0 + c_1 RTT + ...), with RTT in s, by least squares in ln(alpha). Use the exact solution, and not this fit.",
    );
    answer.note(
        "With the printed rule per ACK (6), the gap shrinks per round trip by exp(1 - 1/alpha) instead of alpha. This \
         is the column “in effect per ACK”. The model a-liad-growth compares the rules.",
    );
    answer.numbers("rtt_ms", "round trip, ms", rtts.iter().copied());
    answer.numbers(
        "epoch_round_trips",
        "round trips of an epoch",
        rtts.iter().map(|rtt| plus_s / (rtt / 1e3)),
    );
    answer.some_numbers("alpha", "solution, plus in (9)", plus.iter().copied());
    answer.some_numbers("alpha_printed_bracket", "solution, minus as printed", printed);
    answer.some_numbers("alpha_fit", "fit", fitted);
    answer.some_numbers("fit_error_percent", "error of the fit", off);
    let effective = |alpha: f64| (1.0 - 1.0 / alpha).exp();
    answer.some_numbers("alpha_in_effect", "in effect per ACK (6)", plus.iter().map(|a| a.map(effective)));
    // N RTTs with alpha per RTT take RTT N ln(alpha)/(1 - 1/alpha) with the alpha in effect.
    let epoch_by_rule = |alpha: f64| plus_s * alpha.ln() / (1.0 - 1.0 / alpha);
    answer.some_numbers(
        "epoch_by_rule_s",
        "epoch by the rule (6)",
        plus.iter().map(|a| a.map(epoch_by_rule)),
    );
    answer.panel(
        Panel::lines(
            "alpha (11)",
            "rtt_ms",
            ["alpha", "alpha_fit", "alpha_in_effect"],
            "gap factor per round trip",
        )
        .log_y(),
    );
    answer.panel(Panel::lines("Error of the fit", "rtt_ms", ["fit_error_percent"], "%"));
    answer.panel(Panel::lines("Epoch by the rule per ACK (6)", "rtt_ms", ["epoch_by_rule_s"], "s"));
    Ok(answer)
}

/// Fit of the solution: ln(alpha) = ln(reference) + (RTT - `RTT_ref`) (c_0 + c_1 RTT + ...).
struct Fit {
    reference: f64,
    reference_s: f64,
    coefficients: Vec<f64>,
}

impl Fit {
    fn alpha(&self, rtt_s: f64) -> f64 {
        let polynomial = self.coefficients.iter().rev().fold(0.0, |sum, c| sum * rtt_s + c);
        self.reference * ((rtt_s - self.reference_s) * polynomial).exp()
    }
}

/// Fits a polynomial with `terms` terms; `None` if there are fewer solutions than terms.
fn fit(rtts_ms: &[f64], alphas: &[Option<f64>], terms: i32, reference: f64, reference_s: f64) -> Option<Fit> {
    let known: Vec<(f64, f64)> =
        rtts_ms.iter().zip(alphas).filter_map(|(rtt, alpha)| Some((rtt / 1e3, (*alpha)?.ln()))).collect();
    let away = known.iter().filter(|(rtt, _)| (rtt - reference_s).abs() > 1e-9).count();
    if away < terms as usize {
        return None;
    }
    let rows: Vec<Vec<f64>> = known
        .iter()
        .map(|(rtt, _)| (0..terms).map(|power| (rtt - reference_s) * rtt.powi(power)).collect())
        .collect();
    let targets: Vec<f64> = known.iter().map(|(_, ln_alpha)| ln_alpha - reference.ln()).collect();
    Some(Fit { reference, reference_s, coefficients: least_squares(&rows, &targets)? })
}
