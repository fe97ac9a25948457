// SPDX-License-Identifier: MIT OR Apache-2.0
//! Geo-Reno (Muppalaneni, Gupta and Vaddiraju, "Congestion Control on LEO Satellite Networks using Hypatia"). The
//! slides do not define fairness and the gain. The models compare several interpretations.

use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::numeric::{line, root};
use crate::parameter::{Parameter, Plain};
use units::SPEED_OF_LIGHT_M_S;

pub(crate) const FAIR_SHARE: Model = Model {
    name: "fair-share",
    about: "how two Reno flows share a link, depending on round trips and queue, and which queue gives a certain \
            fairness",
    source: "Mathis et al. 1997; Lakshman and Madhow 1997 (losses at the same time); Muppalaneni et al., the \
             slides' 71.8 %",
    parameters: &[
        Parameter::fixed_list(
            "rtt_ms",
            "ms",
            &[11.0, 105.0],
            0.1..=10_000.0,
            "round trips without a queue (the slides': Toronto and Wuhan to Washington)",
        ),
        Parameter::list(
            "queue_ms",
            "ms",
            &[
                0.0, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0, 120.0, 140.0,
                160.0, 180.0, 200.0, 230.0, 260.0, 300.0, 350.0, 400.0, 450.0, 500.0, 550.0, 600.0,
            ],
            0.0..=100_000.0,
            "delay of the common queue (100 packets of 1500 bytes at 10 Mbit/s: 120 ms)",
        ),
        Parameter::one(
            "fairness_percent",
            "percent",
            &[71.8],
            1.0..=100.0,
            "fairness to explain (the slides': 71.8 and 71.9)",
        ),
        Parameter::list(
            "gain_of_longer",
            "none",
            &[9.55, 21.5],
            0.1..=1000.0,
            "Geo-Reno's gain of the longer flow (9.55: ratio of the round trips, 21.5: of the distances)",
        ),
    ],
    compute: fair_share,
};

/// Longest queueing delay in the search, in ms.
const LONGEST_MS: f64 = 1e6;

/// How the losses of two flows are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Losses {
    /// Independent: every packet is lost with the same probability.
    Apart,
    /// Synchronised: both flows have losses at the same time.
    Together,
}

impl Losses {
    /// Returns the rate of the flow with the longer round trip, divided by the rate of the other flow. `gain` is the
    /// growth of the first flow per round trip.
    fn ratio(self, short_ms: f64, long_ms: f64, queue_ms: f64, gain: f64) -> f64 {
        let rtts = (short_ms + queue_ms) / (long_ms + queue_ms);
        match self {
            // Mathis et al. 1997: X = sqrt(3 g/(2 p))/RTT
            Self::Apart => gain.sqrt() * rtts,
            // Rates grow by g/RTT^2 and are halved together, so X is proportional to g/RTT^2.
            Self::Together => gain * rtts * rtts,
        }
    }
}

/// Fairness as a function of the ratio of two shares.
type Metric = fn(f64) -> f64;

/// Returns the smaller share divided by the larger share.
fn least_over_most(ratio: f64) -> f64 {
    ratio.min(1.0 / ratio)
}

/// Returns Jain's index of two shares with this ratio.
fn jain(ratio: f64) -> f64 {
    // Jain, Chiu and Hawe 1984: (sum x)^2/(n sum x^2)
    (1.0 + ratio).powi(2) / (2.0 * (1.0 + ratio * ratio))
}

fn fair_share(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let rtts = settings.list("rtt_ms");
    let (short, long) = (rtts[0].min(rtts[1]), rtts[0].max(rtts[1]));
    let queues = settings.list("queue_ms");
    let aim = settings.number("fairness_percent") / 100.0;
    let gains = settings.list("gain_of_longer");
    let metrics: [(&str, Metric); 2] = [("min_over_max", least_over_most), ("jain", jain)];
    let losses = [("apart", Losses::Apart), ("together", Losses::Together)];

    let mut answer = Answer::default();
    for (metric, of) in metrics {
        for (name, losses) in losses {
            let excess = |queue: f64| of(losses.ratio(short, long, queue, 1.0)) - aim;
            if excess(0.0) > 0.0 || excess(LONGEST_MS) < 0.0 {
                continue;
            }
            let queue = root(0.0, LONGEST_MS, excess);
            let key = format!("{metric}_losses_{name}");
            answer.fact(format!("queue_for_{key}_ms"), queue);
            for gain in gains {
                let ratio = losses.ratio(short, long, queue, *gain);
                let gain = Plain(*gain);
                answer.fact(format!("{key}_at_that_queue_with_gain_{gain}_percent"), 100.0 * of(ratio));
                answer.fact(format!("{key}_longer_over_shorter_with_gain_{gain}"), ratio);
            }
        }
    }
    answer.note(
        "Hypatia's queues of 100 packets at 10 Mbit/s hold 120 ms. With the slides' round trips, a fairness of 71.8 % \
         needs a queue of more than 120 ms if fairness is the smaller share divided by the larger share. If fairness \
         is Jain's index, it needs a queue of less than 120 ms. This is so for independent and for synchronised \
         losses. By this model, the slides' \"fairness ratio\" is therefore more likely Jain's index. The study \
         leo-study uses the literal reading, the smaller share divided by the larger, and its simulations with \
         changing paths and queues agree with 71.8 % (G-05.b).",
    );
    answer.note(
        "Jain's index of two flows does not show which flow is faster. It is 50 % if one flow gets \
        nothing. With the slides' round trips, synchronised losses and a gain equal to the ratio of the \
        round trips, the flow with the longer round trip is faster, so Geo-Reno over-corrects.",
    );
    answer.note("The slides print 71.8 % once and 71.9 % twice for the same run.");
    answer.numbers("queue_ms", "queue, ms", queues.iter().copied());
    let column = |of: Metric, losses: Losses| {
        queues.iter().map(move |queue| 100.0 * of(losses.ratio(short, long, *queue, 1.0))).collect::<Vec<_>>()
    };
    answer.numbers(
        "min_over_max_losses_apart_percent",
        "min/max, losses apart",
        column(least_over_most, Losses::Apart),
    );
    answer.numbers(
        "min_over_max_losses_together_percent",
        "min/max, losses together",
        column(least_over_most, Losses::Together),
    );
    answer.numbers("jain_losses_apart_percent", "Jain, losses apart", column(jain, Losses::Apart));
    answer.numbers("jain_losses_together_percent", "Jain, losses together", column(jain, Losses::Together));
    answer.panel(Panel::lines(
        "Two Reno flows",
        "queue_ms",
        [
            "min_over_max_losses_apart_percent",
            "min_over_max_losses_together_percent",
            "jain_losses_apart_percent",
            "jain_losses_together_percent",
        ],
        "fairness, %",
    ));
    Ok(answer)
}

pub(crate) const GAINS: Model = Model {
    name: "geo-reno-gains",
    about: "the gain alpha d of Geo-Reno under three readings of alpha, and how well round trips follow \
    distances",
    source: "Muppalaneni et al., Congestion Control on LEO Satellite Networks using Hypatia (slides), W += \
             alpha d/W",
    parameters: &[
        Parameter::list(
            "distance_km",
            "km",
            &[12_201.0, 567.0],
            1.0..=21_000.0,
            "great-circle distances (Wuhan and Toronto to Washington, Earth's radius 6371 km)",
        ),
        Parameter::list(
            "rtt_ms",
            "ms",
            &[105.0, 11.0],
            0.1..=10_000.0,
            "round trips of the same flows (the slides')",
        ),
        Parameter::one(
            "rtt_per_km_us",
            "us/km",
            &[8.606],
            0.1..=1000.0,
            "reading G2 of alpha: round trip per kilometre (105 ms over 12 201 km; light in vacuum: 6.671)",
        ),
        Parameter::one(
            "reference_distance_km",
            "km",
            &[1000.0],
            1.0..=21_000.0,
            "reading G3 of alpha: distance at which a flow behaves as Reno (our choice)",
        ),
    ],
    compute: gains,
};

fn gains(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (distances, rtts) = (settings.list("distance_km"), settings.list("rtt_ms"));
    if distances.len() != rtts.len() {
        return Err(settings.contradiction(format!(
            "distance_km has {} numbers and rtt_ms has {}: give one distance and one round trip for each \
            flow",
            distances.len(),
            rtts.len()
        )));
    }
    let flows: Vec<(f64, f64)> = distances.iter().copied().zip(rtts.iter().copied()).collect();
    // The flow with the smallest round trip is the reference of G1 and G2 ("based on minimum RTT").
    let (nearest_km, least_rtt) =
        flows.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)).expect("a list needs at least one number");
    let (per_km_us, reference_km) =
        (settings.number("rtt_per_km_us"), settings.number("reference_distance_km"));
    // The three readings of alpha: 1/d_min; RTT per km divided by the smallest RTT; 1/d_ref.
    let by_distance = |d: f64| d / nearest_km;
    let by_rtt = |d: f64| per_km_us * 1e-3 * d / least_rtt;
    let by_reference = |d: f64| d / reference_km;
    // In both directions at the speed of light.
    let light_ms = |d: f64| 2.0 * d * 1e3 / SPEED_OF_LIGHT_M_S * 1e3;

    let mut answer = Answer::default();
    let (farthest_km, longest_rtt) =
        flows.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)).expect("a list needs at least one number");
    answer.fact("ratio_of_distances", farthest_km / nearest_km);
    answer.fact("ratio_of_round_trips", longest_rtt / least_rtt);
    if let Some(law) = line(&flows) {
        answer.fact("affine_law_offset_ms", law.intercept);
        answer.fact("affine_law_slope_us_per_km", law.slope * 1e3);
    }
    answer.fact("light_in_vacuum_us_per_km", light_ms(1.0) * 1e3);
    answer.note(
        "\"RTT proportional to geodesic distance\" is false for short paths, because the links up and down \
        do not become shorter with the distance. The ratio of the distances is therefore not the ratio of \
        the round trips.",
    );
    answer.note(
        "If the growth per round trip is proportional to the RTT (as in Geo-Reno by round trips), shares fall as \
         1/sqrt(RTT) with independent losses, and as 1/RTT with synchronised losses. For equal shares, the growth \
         must be proportional to RTT^2, as in Hybla.",
    );
    answer.note(
        "The controller geo-reno limits the gain to the range from 0.1 to gain_max, and the growth to one \
        segment per ACK.",
    );
    answer.numbers("distance_km", "distance, km", distances.iter().copied());
    answer.numbers("rtt_ms", "round trip, ms", rtts.iter().copied());
    answer.numbers("stretch", "RTT over light's", flows.iter().map(|(d, rtt)| rtt / light_ms(*d)));
    answer.numbers("gain_by_distance", "G1: d/d_min", distances.iter().map(|d| by_distance(*d)));
    answer.numbers("gain_by_rtt", "G2: RTT by distance/RTT_min", distances.iter().map(|d| by_rtt(*d)));
    answer.numbers("gain_by_reference", "G3: d/d_ref", distances.iter().map(|d| by_reference(*d)));
    answer.numbers("gain_measured", "RTT/RTT_min, measured", rtts.iter().map(|rtt| rtt / least_rtt));
    // With synchronised losses, this gain (RTT^2) makes the rates equal. Hybla has the same gain.
    answer.numbers(
        "gain_for_equal_shares",
        "RTT^2: equal shares",
        rtts.iter().map(|rtt| (rtt / least_rtt).powi(2)),
    );
    answer.panel(
        Panel::bars(
            "Gain by reading",
            "distance_km",
            [
                "gain_by_distance",
                "gain_by_rtt",
                "gain_by_reference",
                "gain_measured",
                "gain_for_equal_shares",
            ],
            "segments per round trip",
        )
        .log_y(),
    );
    Ok(answer)
}
