// SPDX-License-Identifier: MIT OR Apache-2.0
//! The epochs of A-LIAD: by how much a loss reduces the window, and how long the window takes to return.

use super::{BETA, round_trips};
use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::parameter::Parameter;

pub(crate) const BETA_MODEL: Model = Model {
    name: "a-liad-beta",
    about: "the reduction of A-LIAD at a loss, as a function of the buffer size",
    source: "Shin et al., A-LIAD, equation 7",
    parameters: &[
        Parameter::one("rtt_min_ms", "ms", &[600.0], 1.0..=10_000.0, "round trip without a queue"),
        Parameter::list(
            "buffer_bdp",
            "none",
            &[0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 2.0, 3.0],
            0.0..=100.0,
            "buffer that the flow fills, in bandwidth-delay products (shortest round trip)",
        ),
        Parameter::one(
            "largest",
            "none",
            &[0.5],
            0.01..=0.99,
            "largest reduction (H-TCP, from which the rule comes, keeps at least half of the window)",
        ),
    ],
    compute: beta,
};

fn beta(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (rtt_min, buffers) = (settings.number("rtt_min_ms"), settings.list("buffer_bdp"));
    let largest = settings.number("largest");
    let rtt_max = |buffer: &f64| rtt_min * (1.0 + buffer);
    // (7): beta = 1 - RTTmin/RTTmax
    let beta = |buffer: &f64| 1.0 - rtt_min / rtt_max(buffer);
    let mut answer = Answer::default();
    answer.fact("given_up_with_empty_queue", beta(&0.0));
    answer.fact("given_up_with_buffer_of_one_bdp", beta(&1.0));
    // beta reaches its bound `largest` at the buffer largest/(1 - largest).
    answer.fact("bound_acts_from_buffer_bdp", largest / (1.0 - largest));
    answer.note(
        "A loss with an empty queue (RTTmax = RTTmin) does not reduce the window. This is intended for link errors, \
         but a flow that never had a queue then never reduces its window.",
    );
    answer.note(
        "\"The maximum RTT experienced by the flow\" can mean the maximum since the start, or since the last loss. If \
         the maximum is taken since the start, one full queue is enough: A-LIAD then treats every later link error as \
         if the queue were still full.",
    );
    answer.numbers("buffer_bdp", "buffer, BDP", buffers.iter().copied());
    answer.numbers("rtt_max_ms", "longest round trip, ms", buffers.iter().map(rtt_max));
    answer.numbers("beta", "beta (7)", buffers.iter().map(beta));
    answer.numbers("beta_bounded", "beta, bounded", buffers.iter().map(|b| beta(b).min(largest)));
    // When the queue overflows, the window is (1 + buffer) BDP.
    answer.numbers(
        "window_after_loss_bdp",
        "window after the loss, BDP",
        buffers.iter().map(|b| (1.0 + b) * (1.0 - beta(b).min(largest))),
    );
    answer.panel(Panel::lines("Reduction at a loss", "buffer_bdp", ["beta", "beta_bounded"], "beta"));
    answer.panel(Panel::lines("Kept fraction", "buffer_bdp", ["window_after_loss_bdp"], "window, BDP"));
    Ok(answer)
}

pub(crate) const EPOCH: Model = Model {
    name: "a-liad-epoch",
    about: "epochs of flows with different round trips, once with the same alpha and once with an alpha \
    for each round trip",
    source: "Shin et al., A-LIAD, figure 3, equations 4, 8 and 11",
    parameters: &[
        Parameter::list("rtt_ms", "ms", &[75.0, 600.0], 1.0..=10_000.0, "round trips"),
        Parameter::one(
            "alpha",
            "none",
            &[2.0],
            1.001..=1e6,
            "factor by which the gap shrinks per round trip, the same for all flows (LIAD: 2)",
        ),
        BETA,
        Parameter::one(
            "largest_window_segments",
            "segments",
            &[1024.0],
            8.0..=1e9,
            "window at which each epoch ends",
        ),
        Parameter::one(
            "epoch_s",
            "s",
            &[1.5787],
            0.01..=1000.0,
            "target length of an epoch if each round trip has its own alpha (equation 11)",
        ),
        Parameter::one("duration_s", "s", &[12.0], 0.01..=3600.0, "duration"),
        Parameter::one("step_ms", "ms", &[5.0], 0.1..=10_000.0, "interval between two points"),
    ],
    compute: epoch,
};

fn epoch(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (rtts, same_alpha) = (settings.list("rtt_ms"), settings.number("alpha"));
    let (beta, w_max) = (settings.number("beta"), settings.number("largest_window_segments"));
    let epoch_s = settings.number("epoch_s");
    let times = settings.steps("duration_s", "step_ms", rtts.len())?;
    if beta * w_max <= 1.0 {
        return Err(settings.contradiction(format!(
            "beta = {beta} times largest_window_segments = {w_max} is at most one segment, so the epoch has no length \
            (raise beta or largest_window_segments)"
        )));
    }
    // (8) with the measured W_max, and (11): alpha = (beta W_max)^(RTT/T).
    let own_alpha = |rtt_ms: f64| (beta * w_max).powf(rtt_ms / 1e3 / epoch_s);
    let length_s = |rtt_ms: f64, alpha: f64| round_trips(w_max, alpha, beta) * rtt_ms / 1e3;
    // (4): W_max (1 - beta (1/alpha)^(t/RTT)), where t counts from the last loss. A loss occurs when the window is one
    // segment below W_max (8).
    let window = |t: f64, rtt_ms: f64, alpha: f64| {
        let since = t % length_s(rtt_ms, alpha);
        w_max * (1.0 - beta * alpha.powf(-since * 1e3 / rtt_ms))
    };
    let mut answer = Answer::default();
    for rtt in rtts {
        answer.fact(format!("epoch_same_alpha_at_{rtt}_ms_s"), length_s(*rtt, same_alpha));
        answer.fact(format!("epoch_own_alpha_at_{rtt}_ms_s"), length_s(*rtt, own_alpha(*rtt)));
        answer.fact(format!("own_alpha_at_{rtt}_ms"), own_alpha(*rtt));
    }
    answer.fact("epoch_same_alpha_round_trips", round_trips(w_max, same_alpha, beta));
    answer.note(
        "With the same alpha, all epochs last the same number of round trips. The flow with the shorter \
        round trip therefore recovers its window sooner, as in the paper's figure 3.",
    );
    answer.note(
        "By equation 4, the gap to the largest window never closes, so an epoch ends when the gap is one segment \
         (equation 8). The model computes the windows of the curve. The printed rule per ACK does not follow this \
         curve (a-liad-growth).",
    );
    let rows: Vec<(f64, f64)> = rtts.iter().flat_map(|rtt| times.iter().map(|t| (*rtt, *t))).collect();
    answer.numbers("rtt_ms", "round trip, ms", rows.iter().map(|row| row.0));
    answer.numbers("time_s", "time, s", rows.iter().map(|row| row.1));
    answer.numbers(
        "same_alpha_segments",
        "same alpha",
        rows.iter().map(|(rtt, t)| window(*t, *rtt, same_alpha)),
    );
    answer.numbers(
        "own_alpha_segments",
        "alpha by round trip",
        rows.iter().map(|(rtt, t)| window(*t, *rtt, own_alpha(*rtt))),
    );
    answer.panel(
        Panel::lines("The same alpha", "time_s", ["same_alpha_segments"], "window, segments").by("rtt_ms"),
    );
    answer.panel(
        Panel::lines("Alpha by round trip", "time_s", ["own_alpha_segments"], "window, segments")
            .by("rtt_ms"),
    );
    Ok(answer)
}
