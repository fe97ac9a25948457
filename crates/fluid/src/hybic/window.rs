// SPDX-License-Identifier: MIT OR Apache-2.0
//! The three windows of figure 3.

use super::{Link, PARAMETERS, Setting};
use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::numeric::root;

pub(crate) const WINDOW: Model = Model {
    name: "hybic-window",
    about: "windows of HYBIC, CUBIC and Hybla over time without losses",
    source: "Bisu, Gallant, Sun, HYBIC, equations 1 to 6, figure 3",
    parameters: PARAMETERS,
    compute: window,
};

/// Returns the last time at which `ahead` becomes positive, in s. The search goes backward from the end of `times`, and
/// ends with a bisection.
fn last_overtaking(times: &[f64], ahead: impl Fn(f64) -> f64) -> Option<f64> {
    if ahead(*times.last()?) <= 0.0 {
        return None;
    }
    let before = times.iter().rposition(|t| ahead(*t) <= 0.0)?;
    Some(root(times[before], times[before + 1], ahead))
}

fn window(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (setting, link) = (Setting::new(settings)?, Link::new(settings));
    let times = settings.steps("duration_s", "step_ms", 3)?;
    let end = *times.last().unwrap_or(&0.0);
    let mut answer = Answer::default();
    answer.fact("rho", setting.rho());
    answer.fact("hybic_switch_s", setting.switch_s());
    answer.fact("hybla_switch_s", setting.hybla_switch_s());
    answer.fact("hybic_at_end_mb", link.megabytes(setting.hybic_segments(end)));
    answer.fact("cubic_at_end_mb", link.megabytes(setting.cubic_segments(end)));
    answer.fact("hybla_at_end_mb", link.megabytes(setting.hybla_segments(end)));
    let ahead = |t: f64| setting.hybic_segments(t) - setting.hybla_segments(t);
    if let Some(t) = last_overtaking(&times, ahead) {
        answer.fact("hybic_overtakes_hybla_s", t);
    }
    if let Some(t) = last_overtaking(&times, |t| setting.cubic_segments(t) - setting.hybla_segments(t)) {
        answer.fact("cubic_overtakes_hybla_s", t);
    }
    let bdp = link.capacity_bit_s * setting.rtt_sat_s / link.segment_bits;
    answer.fact("bdp_segments", bdp);
    answer.fact(
        "largest_window_over_bdp_percent",
        100.0 * setting.hybic_segments(end).max(setting.cubic_segments(end)) / bdp,
    );
    answer.note(
        "The model uses the reading nearest to Table I (model hybic-readings). Nothing is lost, so K = 0 and beta has \
         no effect. Slow start begins with one segment. The time t starts at the switch (equation 8) for HYBIC, and \
         at the start of the connection for CUBIC.",
    );
    answer.note(format!(
        "At the switch, HYBIC's window falls from rho^2 gamma = {:.0} to rho gamma = {:.0} segments, because equation \
         8 counts rho twice (model hybic-slow-start).",
        setting.rho() * setting.rho() * setting.gamma,
        setting.rho() * setting.gamma
    ));
    if setting.switch_s() < setting.rtt_sat_s {
        answer.note(
            "HYBIC's complete slow start is within the first round trip, so no ACK can cause this growth.",
        );
    }
    answer.note(format!(
        "The largest of all windows is {:.1} % of the bandwidth-delay product of the path.",
        100.0 * setting.hybic_segments(end).max(setting.cubic_segments(end)) / bdp
    ));
    answer.numbers("time_s", "time, s", times.iter().copied());
    answer.numbers("hybic_segments", "HYBIC", times.iter().map(|t| setting.hybic_segments(*t)));
    answer.numbers("cubic_segments", "CUBIC", times.iter().map(|t| setting.cubic_segments(*t)));
    answer.numbers("hybla_segments", "Hybla", times.iter().map(|t| setting.hybla_segments(*t)));
    for (name, label, f) in [
        ("hybic_mb", "HYBIC", Setting::hybic_segments as fn(Setting, f64) -> f64),
        ("cubic_mb", "CUBIC", Setting::cubic_segments),
        ("hybla_mb", "Hybla", Setting::hybla_segments),
    ] {
        answer.numbers(name, label, times.iter().map(|t| link.megabytes(f(setting, *t))));
    }
    answer.panel(Panel::lines("Windows (figure 3)", "time_s", ["hybic_mb", "cubic_mb", "hybla_mb"], "MB"));
    Ok(answer)
}
