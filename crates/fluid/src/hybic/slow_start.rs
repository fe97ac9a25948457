// SPDX-License-Identifier: MIT OR Apache-2.0
//! The time at which HYBIC leaves slow start, and the time at which its rate exceeds the capacity.

use super::{CAPACITY, DURATION, GAMMA, Link, MSS, RTT_REF, SCALING, STEP, Setting};
use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::parameter::Parameter;

pub(crate) const SLOW_START: Model = Model {
    name: "hybic-slow-start",
    about: "HYBIC's switching time as a function of the round trip, its window at that time, and when its \
    rate violates R <= C",
    source: "Bisu, Gallant, Sun, HYBIC, equations 3, 4 and 8",
    parameters: &[
        Parameter::list(
            "rtt_sat_ms",
            "ms",
            &[
                50.0, 100.0, 150.0, 200.0, 250.0, 300.0, 400.0, 550.0, 600.0, 800.0, 1000.0, 1500.0, 2000.0,
                2287.0,
            ],
            1.0..=100_000.0,
            "round trips of the satellite path; single numbers are for the longest round trip (2287: \
             section III)",
        ),
        RTT_REF,
        GAMMA,
        SCALING,
        MSS,
        CAPACITY,
        DURATION,
        STEP,
    ],
    compute: slow_start,
};

fn slow_start(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let rtts = settings.list("rtt_sat_ms");
    let at = |rtt_ms: &f64| Setting::at(settings, *rtt_ms);
    let (setting, link) = (at(&rtts.iter().copied().fold(0.0, f64::max)), Link::new(settings));
    let mut answer = Answer::default();
    answer.fact("switch_s", setting.switch_s());
    answer.fact("switch_round_trips", setting.switch_s() / setting.rtt_sat_s);
    answer.fact("window_at_switch_segments", setting.rho() * (setting.switch_s() / setting.rtt_ref_s).exp2());
    answer.fact("window_aimed_at_segments", setting.rho() * setting.gamma);
    answer.fact("window_aimed_at_is_reached_s", setting.hybla_switch_s());
    // (5) and (6): W MSS/RTTref > C, which is equivalent to rho gamma + A (t - t_gamma)^3 > C RTTref/MSS.
    let most = link.capacity_bit_s * setting.rtt_ref_s / link.segment_bits;
    let above = (most - setting.rho() * setting.gamma) / setting.scaling;
    if above >= 0.0 {
        answer.fact("rate_over_rtt_ref_exceeds_capacity_from_s", setting.switch_s() + above.cbrt());
    }
    let times = settings.steps("duration_s", "step_ms", 1)?;
    // If rho^2 gamma is larger, the window also exceeds this value in slow start. This code counts only congestion
    // avoidance.
    let sample = times.iter().find(|t| **t >= setting.switch_s() && setting.hybic_segments(**t) > most);
    if let Some(t) = sample {
        answer.fact("first_sample_above_capacity_s", *t);
    }
    answer.note(
        "Equation 8 adds RTTref log2(rho) to the time at which the window is rho gamma, although the window already \
         contains the factor rho. At the time of equation 8, the window is therefore rho^2 gamma. It falls to rho \
         gamma when congestion avoidance begins.",
    );
    if setting.switch_s() < setting.rtt_sat_s {
        answer.note(
            "By equation 8, congestion avoidance begins before the first ACK arrives. A controller that changes its \
            window only on ACKs cannot do this. In a packet simulation, the first ACK alone would add \
            2^rho - 1 segments.",
        );
    }
    if rtts.iter().any(|rtt| at(rtt).rho() < 1.0) {
        answer.note(
            "If a round trip is shorter than the reference, rho < 1. By equation 8, slow start then ends before the \
             window reaches the threshold.",
        );
    }
    answer.note(
        "At the time of equation 8, both branches of equation 6 give the rate rho gamma/RTTref, because the rate is \
         W/RTTsat in slow start and W/RTTref in congestion avoidance.",
    );
    answer.numbers("rtt_sat_ms", "round trip, ms", rtts.iter().copied());
    answer.numbers("rho", "rho", rtts.iter().map(|rtt| at(rtt).rho()));
    answer.numbers("switch_s", "switch (8)", rtts.iter().map(|rtt| at(rtt).switch_s()));
    answer.numbers("hybla_switch_s", "switch of Hybla", rtts.iter().map(|rtt| at(rtt).hybla_switch_s()));
    answer.numbers("round_trip_s", "first ACK", rtts.iter().map(|rtt| rtt / 1e3));
    answer.numbers(
        "switch_round_trips",
        "switch, round trips",
        rtts.iter().map(|rtt| at(rtt).switch_s() / at(rtt).rtt_sat_s),
    );
    answer.numbers(
        "window_at_switch_segments",
        "at the switch: rho^2 gamma",
        rtts.iter().map(|rtt| at(rtt).rho() * (at(rtt).switch_s() / at(rtt).rtt_ref_s).exp2()),
    );
    answer.numbers(
        "window_aimed_at_segments",
        "target: rho gamma",
        rtts.iter().map(|rtt| at(rtt).rho() * at(rtt).gamma),
    );
    answer.panel(Panel::lines(
        "Switch and first ACK",
        "rtt_sat_ms",
        ["switch_s", "hybla_switch_s", "round_trip_s"],
        "s",
    ));
    answer.panel(
        Panel::lines(
            "Window at the switch",
            "rtt_sat_ms",
            ["window_at_switch_segments", "window_aimed_at_segments"],
            "segments",
        )
        .log_y(),
    );
    Ok(answer)
}
