// SPDX-License-Identifier: MIT OR Apache-2.0
//! Response functions: the mean window of a controller at a given loss rate.

use crate::a_liad::{Bracket, alpha, largest_window, round_trips};
use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::numeric::root;
use crate::parameter::Parameter;

pub(crate) const RESPONSE: Model = Model {
    name: "response",
    about: "mean window and rate at a given loss rate, controller by controller",
    source: "Mathis et al. 1997; RFC 3649; Kelly 2003; RFC 9438; Xu et al. 2004; Shorten and Leith 2004; \
             Caini and Firrincieli 2004; Shin et al. 2014; Muppalaneni et al. (slides)",
    parameters: &[
        Parameter::list(
            "packet_error_rate",
            "none",
            &[
                1e-9, 3e-9, 1e-8, 3e-8, 1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2,
                3e-2, 1e-1,
            ],
            1e-10..=0.5,
            "loss rates; the number of packets between losses is constant",
        ),
        Parameter::one("rtt_ms", "ms", &[100.0], 1.0..=10_000.0, "round trip"),
        Parameter::one("mss_bytes", "bytes", &[1448.0], 1.0..=65_535.0, "segment"),
        Parameter::one("rtt0_ms", "ms", &[25.0], 1.0..=10_000.0, "Hybla's reference round trip"),
        Parameter::one(
            "geo_reno_gain",
            "none",
            &[21.5],
            0.1..=1000.0,
            "Geo-Reno's growth per round trip, segments (21.5: Wuhan to Washington over Toronto to \
             Washington)",
        ),
        Parameter::one(
            "h_tcp_kept",
            "none",
            &[0.8],
            0.5..=0.8,
            "fraction of the window that H-TCP keeps \
        at a loss (0.8: no queue)",
        ),
    ],
    compute: response,
};

/// Returns the mean window, in segments, of Reno with a growth of `gain` segments per round trip.
pub(crate) fn reno(p: f64, gain: f64) -> f64 {
    // Mathis et al. 1997: W = sqrt(3/2) sqrt(1/p) with one ACK for each segment. With a growth of g, W = sqrt(3 g/2)
    // sqrt(1/p).
    (1.5 * gain / p).sqrt()
}

/// Returns the mean window of Reno, in segments, as rounded in RFC 3649, section 5.
fn reno_of_the_rfcs(p: f64) -> f64 {
    1.2 / p.sqrt()
}

fn hstcp(p: f64) -> f64 {
    // RFC 3649, section 5: w = 0.12/p^0.835 for p <= 1e-3, otherwise as standard TCP.
    (0.12 / p.powf(0.835)).max(reno_of_the_rfcs(p))
}

fn stcp(p: f64) -> f64 {
    // Kelly 2003: w = (a/b)/p with a = 0.01 and b = 0.125. Up to 16 segments, as standard TCP.
    let w = 0.08 / p;
    if w >= 16.0 { w } else { reno(p, 1.0) }
}

fn cubic(p: f64, rtt_s: f64) -> f64 {
    // RFC 9438, section 5.1: (C (3 + beta)/(4 (1 - beta)))^(1/4) RTT^(3/4)/p^(3/4), with C = 0.4 and beta = 0.7. If
    // standard TCP's window is larger, CUBIC uses that window (section 5.2).
    ((0.4_f64 * 3.7 / (4.0 * 0.3)).powf(0.25) * (rtt_s / p).powf(0.75)).max(reno_of_the_rfcs(p))
}

/// Computes an epoch of BIC, from a loss at `w_max` until the window is `w_max` again. Returns the number of segments
/// sent, and the mean window.
fn bic_epoch(w_max: f64) -> (f64, f64) {
    // Xu et al. 2004: beta 0.125, S_max 32, S_min 0.01. The growth is (W_max - W)/2 per round trip, but at least S_min
    // and at most S_max.
    let (mut w, mut sent, mut rounds) = (0.875 * w_max, 0.0, 0.0);
    while w < w_max {
        sent += w;
        rounds += 1.0;
        w += ((w_max - w) / 2.0).clamp(0.01, 32.0);
    }
    (sent, sent / rounds)
}

fn bic(p: f64) -> f64 {
    // There is one loss per epoch. Up to 14 segments, as standard TCP.
    let excess = |ln_w: f64| bic_epoch(ln_w.exp()).0 - 1.0 / p;
    let (least, most) = (14.0_f64.ln(), 1e8_f64.ln());
    if excess(least) >= 0.0 { reno(p, 1.0) } else { bic_epoch(root(least, most, excess).exp()).1 }
}

/// Returns the mean window of H-TCP if the fraction `kept` of the window remains after a loss.
fn h_tcp(p: f64, rtt_s: f64, kept: f64) -> f64 {
    const STEPS: u32 = 2000;
    let scale = (rtt_s / 0.1).clamp(0.1, 2.0);
    // Shorten and Leith 2004: alpha = 1 for a second, then 1 + 10 (D - 1) + ((D - 1)/2)^2. alpha is scaled by RTT/100
    // ms and multiplied by 2 (1 - beta).
    let alpha = |d: f64| {
        let late = (d - 1.0).max(0.0);
        2.0 * (1.0 - kept) * ((1.0 + 10.0 * late + late * late / 4.0) * scale).max(1.0)
    };
    // In an epoch of T seconds, the window grows by (1 - beta) W. This growth determines W. The number of segments sent
    // is the sum of the windows.
    let sent = |epoch_s: f64| {
        let dt = epoch_s / f64::from(STEPS);
        let (mut grown, mut area) = (0.0, 0.0);
        for step in 0..STEPS {
            let growth = alpha((f64::from(step) + 0.5) * dt) * dt / rtt_s;
            area += (grown + growth / 2.0) * dt / rtt_s;
            grown += growth;
        }
        kept * grown / (1.0 - kept) * epoch_s / rtt_s + area
    };
    let epoch_s = root(1e-4_f64.ln(), 1e5_f64.ln(), |ln_s| sent(ln_s.exp()) - 1.0 / p).exp();
    rtt_s / (p * epoch_s)
}

/// Returns the mean window of a logarithmic increase with `alpha` and beta = 1/2. The mean window is the number of
/// segments in an epoch (9) divided by the number of round trips in an epoch (8).
fn logarithmic(p: f64, alpha: f64) -> Option<f64> {
    let w_max = largest_window(1.0 / p, alpha, 0.5, Bracket::Printed)?;
    Some(1.0 / (p * round_trips(w_max, alpha, 0.5)))
}

/// Returns A-LIAD's alpha for the round trip `rtt_s`, with the paper's constant and loss rate.
fn a_liad_alpha(rtt_s: f64) -> Option<f64> {
    alpha::solve(1.5787 / rtt_s, 1e8, 0.5, Bracket::Plus)
}

/// A controller, and the function that computes its mean window, in segments, from a loss rate.
type Law<'a> = (&'static str, Box<dyn Fn(f64) -> Option<f64> + 'a>);

fn response(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let rates = settings.list("packet_error_rate");
    let rtt_s = settings.number("rtt_ms") / 1e3;
    let (rtt0_s, gain) = (settings.number("rtt0_ms") / 1e3, settings.number("geo_reno_gain"));
    let kept = settings.number("h_tcp_kept");
    let alpha = a_liad_alpha(rtt_s);
    // Caini and Firrincieli 2004: rho times Reno's window, where rho is at least 1.
    let rho = (rtt_s / rtt0_s).max(1.0);
    let laws: Vec<Law<'_>> = vec![
        ("Reno", Box::new(|p| Some(reno(p, 1.0)))),
        ("HSTCP", Box::new(|p| Some(hstcp(p)))),
        ("STCP", Box::new(|p| Some(stcp(p)))),
        ("CUBIC", Box::new(|p| Some(cubic(p, rtt_s)))),
        ("BIC", Box::new(|p| Some(bic(p)))),
        ("H-TCP", Box::new(|p| Some(h_tcp(p, rtt_s, kept)))),
        ("Hybla", Box::new(|p| Some(rho * reno(p, 1.0)))),
        ("LIAD*", Box::new(|p| logarithmic(p, 2.0))),
        ("A-LIAD", Box::new(|p| logarithmic(p, alpha?))),
        ("Geo-Reno", Box::new(|p| Some(reno(p, gain)))),
    ];
    let rows: Vec<(&str, f64, Option<f64>)> =
        laws.iter().flat_map(|(name, law)| rates.iter().map(|p| (*name, *p, law(*p)))).collect();

    let mut answer = Answer::default();
    // The loss rates at which the two branches of each law are equal.
    answer.fact("hstcp_leaves_reno_below_packet_error_rate", 0.1_f64.powf(1.0 / 0.335));
    answer.fact("stcp_leaves_reno_below_packet_error_rate", 0.08 / 16.0);
    // 1.2/sqrt(p) = k (RTT/p)^(3/4): p = (k/1.2)^4 RTT^3, k^4 = 0.4 * 3.7/(4 * 0.3)
    let k4 = 0.4 * 3.7 / (4.0 * 0.3);
    answer.fact("cubic_leaves_reno_below_packet_error_rate", k4 / 1.2_f64.powi(4) * rtt_s.powi(3));
    answer.fact("hybla_rate_at_1e-4_segments_s", rho * reno(1e-4, 1.0) / rtt_s);
    if let Some(alpha) = alpha {
        answer.fact("a_liad_alpha", alpha);
    }
    answer.note(
        "All functions assume a constant number of packets between losses. If packets are lost independently, the mean \
         window of Reno is 7 % larger (Ott, Kemperman and Mathis 1996). `bentpipe validate` compares both cases with \
         packet simulations.",
    );
    answer.note(
        "The formulas do not include a capacity, a queue or a timeout, so they also give windows of a few segments or \
         of millions of segments. Each segment gets an ACK. Where Reno's window is larger than theirs, HSTCP and \
         CUBIC use the rounded Reno formula of the RFCs, 1.2/sqrt(p).",
    );
    answer.note(
        "LIAD* is A-LIAD with alpha = 2, because LIAD's own paper was not available. If an epoch would be shorter than \
         a round trip, A-LIAD has no value. Near this limit, A-LIAD's formula overestimates the window.",
    );
    answer.words("controller", "controller", rows.iter().map(|row| row.0));
    answer.numbers("packet_error_rate", "packet error rate", rows.iter().map(|row| row.1));
    answer.some_numbers("window_segments", "mean window", rows.iter().map(|row| row.2));
    let bits = 8.0 * settings.number("mss_bytes");
    answer.some_numbers("rate_mbit_s", "rate", rows.iter().map(|row| Some(row.2? * bits / rtt_s / 1e6)));
    let panel = |title, y, label| {
        Panel::lines(title, "packet_error_rate", [y], label).by("controller").log_x().log_y()
    };
    answer.panel(panel("Mean window", "window_segments", "segments"));
    answer.panel(panel("Rate", "rate_mbit_s", "Mbit/s"));
    Ok(answer)
}
