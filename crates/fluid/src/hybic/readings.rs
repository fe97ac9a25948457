// SPDX-License-Identifier: MIT OR Apache-2.0
//! All readings (interpretations) of the text on HYBIC, in the order of the distance of their mean windows from Table
//! I.

use super::{DURATION, GAMMA, RTT_REF, RTT_SAT, SCALING, STEP, Setting, mean};
use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::parameter::{Parameter, Plain};

/// Mean windows printed in Table I, in segments: HYBIC, CUBIC, Hybla.
const PRINTED: [f64; 3] = [23e3, 22e3, 10e3];

pub(crate) const READINGS: Model = Model {
    name: "hybic-readings",
    about: "all readings of HYBIC's ambiguous text, ordered by the distance of their windows from Table I",
    source: "Bisu, Gallant, Sun, HYBIC, equations 4 and 8, section III, table I",
    parameters: &[
        Parameter::list(
            "beta",
            "none",
            &[0.2, 0.3, 0.5, 0.7],
            0.01..=0.99,
            "values of beta in K = cbrt(beta W_max/A), which the paper does not print (0.2: CUBIC 2008, 0.7: \
             RFC 8312)",
        ),
        Parameter::list(
            "initial_window_segments",
            "segments",
            &[1.0, 10.0],
            1.0..=100.0,
            "windows at which slow start begins (1: equation 4; 10: section III)",
        ),
        RTT_SAT,
        RTT_REF,
        GAMMA,
        SCALING,
        DURATION,
        STEP,
    ],
    compute: readings,
};

/// The value of K in the cubic function.
#[derive(Clone, Copy, Debug, PartialEq)]
enum K {
    /// K = 0, because nothing was lost.
    Zero,
    /// K = cbrt(beta `W_max`/A), as below (4).
    Beta(f64),
}

impl K {
    fn of(self, w_max: f64, scaling: f64) -> f64 {
        match self {
            Self::Zero => 0.0,
            Self::Beta(beta) => (beta * w_max / scaling).cbrt(),
        }
    }
}

/// `W_max` of HYBIC. The paper says "the maximum at the end of the SS".
const ORIGINS: [&str; 3] = ["rho gamma", "gamma", "rho^2 gamma"];
/// Time 0 of HYBIC's congestion avoidance. The paper says "elapsed time since the transmission start".
const TIMES: [&str; 3] = ["switch (8)", "connection", "RTTref log2 gamma"];
/// Start of CUBIC, and time 0 of CUBIC.
const CUBICS: [&str; 3] = ["no slow start, connection", "slow start, connection", "slow start, its end"];

/// One reading (interpretation): one choice for each ambiguous part of the text.
#[derive(Clone, Debug)]
struct Reading {
    k: K,
    origin: usize,
    time: usize,
    cubic: usize,
    initial: f64,
    /// Mean windows, in segments: HYBIC, CUBIC, Hybla.
    windows: [f64; 3],
}

impl Reading {
    /// Returns the root mean square of the relative deviations from Table I, in percent.
    fn distance_percent(&self) -> f64 {
        let square = |(window, printed): (&f64, &f64)| (window / printed - 1.0).powi(2);
        100.0 * (self.windows.iter().zip(&PRINTED).map(square).sum::<f64>() / 3.0).sqrt()
    }
}

fn hybic(setting: Setting, k: K, origin: usize, time: usize, initial: f64) -> impl Fn(f64) -> f64 {
    let (rho, gamma) = (setting.rho(), setting.gamma);
    let w_max = [rho * gamma, gamma, rho * rho * gamma][origin];
    // Slow start is rho IW 2^(t/RTTref). With a larger initial window, slow start ends earlier by this time.
    let earlier = setting.rtt_ref_s * initial.log2();
    let from = [setting.switch_s() - earlier, 0.0, setting.hybla_switch_s() - earlier][time];
    // If t counts from RTTref log2 gamma, slow start ends when the window is rho gamma. Otherwise, it ends at the time
    // of (8).
    let switch = if time == 2 { from } else { setting.switch_s() - earlier };
    let k = k.of(w_max, setting.scaling);
    move |t| {
        if t < switch {
            rho * initial * (t / setting.rtt_ref_s).exp2()
        } else {
            setting.scaling * (t - from - k).powi(3) + w_max
        }
    }
}

fn cubic(setting: Setting, k: K, start: usize, initial: f64) -> impl Fn(f64) -> f64 {
    let k = k.of(setting.gamma, setting.scaling);
    // Standard slow start: IW 2^(t/RTT) until the window is gamma.
    let end = setting.rtt_sat_s * (setting.gamma / initial).log2().max(0.0);
    let (switch, from) = [(0.0, 0.0), (end, 0.0), (end, end)][start];
    move |t| {
        if t < switch {
            initial * (t / setting.rtt_sat_s).exp2()
        } else {
            setting.scaling * (t - from - k).powi(3) + setting.gamma
        }
    }
}

fn hybla(setting: Setting, initial: f64) -> impl Fn(f64) -> f64 {
    // With an initial window of IW, the window is log2(IW) reference round trips ahead.
    let earlier = setting.rtt_ref_s * initial.log2();
    move |t| setting.hybla_segments(t + earlier)
}

fn readings(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let setting = Setting::new(settings)?;
    let (betas, initials) = (settings.list("beta"), settings.list("initial_window_segments"));
    let ks: Vec<K> = [K::Zero].into_iter().chain(betas.iter().map(|beta| K::Beta(*beta))).collect();
    if let Some(large) = initials.iter().find(|initial| **initial >= setting.gamma) {
        return Err(settings.contradiction(format!(
            "initial_window_segments = {large} is not below gamma = {}, so slow start does not occur (make it smaller)",
            setting.gamma
        )));
    }
    let curves = ks.len() * initials.len() * (ORIGINS.len() * TIMES.len() + CUBICS.len()) + initials.len();
    let times = settings.steps("duration_s", "step_ms", curves)?;
    let mut rows = Vec::new();
    for initial in initials {
        let hybla = mean(&times, hybla(setting, *initial));
        for k in &ks {
            let cubics = [0, 1, 2].map(|start| mean(&times, cubic(setting, *k, start, *initial)));
            for origin in 0..ORIGINS.len() {
                for time in 0..TIMES.len() {
                    let hybic = mean(&times, hybic(setting, *k, origin, time, *initial));
                    rows.extend(cubics.iter().enumerate().map(|(cubic, mean)| Reading {
                        k: *k,
                        origin,
                        time,
                        cubic,
                        initial: *initial,
                        windows: [hybic, *mean, hybla],
                    }));
                }
            }
        }
    }
    // The sort is stable. If two readings have equal distances, the simpler reading therefore stays first.
    rows.sort_by(|a, b| a.distance_percent().total_cmp(&b.distance_percent()));

    let mut answer = Answer::default();
    answer.fact("readings", rows.len() as f64);
    if let Some(best) = rows.first() {
        answer.fact("nearest_distance_percent", best.distance_percent());
        for (name, window) in ["hybic", "cubic", "hybla"].iter().zip(best.windows) {
            answer.fact(format!("nearest_{name}_mean_window_segments"), window);
        }
        answer.note(format!(
            "Nearest to Table I: K = {}, W_max = {}, t from the {}; CUBIC: {}; initial window {}.",
            name(best.k),
            ORIGINS[best.origin],
            TIMES[best.time],
            CUBICS[best.cubic],
            Plain(best.initial)
        ));
    }
    // The table prints two digits: 22.5 to 23.5, 21.5 to 22.5, and 9.5 to 10.5 thousand.
    let rounds = |reading: &&Reading| {
        reading.windows.iter().zip(&PRINTED).all(|(window, printed)| (window - printed).abs() <= 500.0)
    };
    answer.fact("readings_that_round_to_the_table", rows.iter().filter(rounds).count() as f64);
    answer.note(
        "Table I is printed in thousands. It cannot distinguish readings whose three windows round to the \
        printed numbers. The distance is the root mean square of the three relative deviations.",
    );
    answer.note(
        "In the readings without a loss, K is 0, and beta has no effect. Section III does not print beta.",
    );
    answer.words("k", "K", rows.iter().map(|row| name(row.k)));
    answer.words("w_max", "W_max", rows.iter().map(|row| ORIGINS[row.origin]));
    answer.words("time_from", "t from", rows.iter().map(|row| TIMES[row.time]));
    answer.words("cubic", "CUBIC", rows.iter().map(|row| CUBICS[row.cubic]));
    answer.numbers("initial_window_segments", "initial window, segments", rows.iter().map(|row| row.initial));
    answer.numbers("hybic_mean_window_segments", "HYBIC", rows.iter().map(|row| row.windows[0]));
    answer.numbers("cubic_mean_window_segments", "CUBIC", rows.iter().map(|row| row.windows[1]));
    answer.numbers("hybla_mean_window_segments", "Hybla", rows.iter().map(|row| row.windows[2]));
    answer.numbers("distance_percent", "distance to Table I", rows.iter().map(Reading::distance_percent));
    answer.numbers("rank", "reading, by distance", (1..=rows.len()).map(|rank| rank as f64));
    answer.panel(Panel::lines("Distance to Table I", "rank", ["distance_percent"], "%").log_y());
    answer.panel(
        Panel::lines(
            "Mean windows",
            "rank",
            ["hybic_mean_window_segments", "cubic_mean_window_segments", "hybla_mean_window_segments"],
            "segments",
        )
        .log_y(),
    );
    Ok(answer)
}

fn name(k: K) -> String {
    match k {
        K::Zero => "0".to_owned(),
        K::Beta(beta) => format!("cbrt({} W_max/A)", Plain(beta)),
    }
}
