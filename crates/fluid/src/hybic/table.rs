// SPDX-License-Identifier: MIT OR Apache-2.0
//! Table I as printed, and Table I with all rows computed in the same way.

use super::{Link, PARAMETERS, Setting, mean};
use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};

pub(crate) const TABLE: Model = Model {
    name: "hybic-table",
    about: "Table I of HYBIC as printed, as the paper computed it, and with all rows computed in the same \
    way",
    source: "Bisu, Gallant, Sun, HYBIC, table I, equations 5, 6 and 9",
    parameters: PARAMETERS,
    compute: table,
};

/// A row of Table I as printed.
struct Printed {
    name: &'static str,
    label: &'static str,
    window_segments: f64,
    rate_mbit_s: f64,
    utilisation_percent: f64,
}

const PRINTED: [Printed; 3] = [
    Printed {
        name: "hybic",
        label: "HYBIC",
        window_segments: 23e3,
        rate_mbit_s: 3000.0,
        utilisation_percent: 60.0,
    },
    Printed {
        name: "cubic",
        label: "CUBIC",
        window_segments: 22e3,
        rate_mbit_s: 110.0,
        utilisation_percent: 2.2,
    },
    Printed {
        name: "hybla",
        label: "Hybla",
        window_segments: 10e3,
        rate_mbit_s: 1100.0,
        utilisation_percent: 22.0,
    },
];

fn table(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (setting, link) = (Setting::new(settings)?, Link::new(settings));
    let times = settings.steps("duration_s", "step_ms", 3)?;
    let curves: [fn(Setting, f64) -> f64; 3] =
        [Setting::hybic_segments, Setting::cubic_segments, Setting::hybla_segments];
    let windows = curves.map(|curve| mean(&times, |t| curve(setting, t)));
    let over_ref = windows.map(|window| link.mbit_s(window, setting.rtt_ref_s));
    let over_sat = windows.map(|window| link.mbit_s(window, setting.rtt_sat_s));
    // The divisor that gives the printed rate.
    let divisor = |i: usize| {
        let miss = |rate: f64| (rate / PRINTED[i].rate_mbit_s).ln().abs();
        if miss(over_ref[i]) < miss(over_sat[i]) { "RTTref" } else { "RTTsat" }
    };
    let as_computed = |i: usize| if divisor(i) == "RTTref" { over_ref[i] } else { over_sat[i] };
    let capacity_mbit_s = link.capacity_bit_s / 1e6;
    // (9): eta = R/C
    let percent = |rate: f64| 100.0 * rate / capacity_mbit_s;

    let mut answer = Answer::default();
    for (i, printed) in PRINTED.iter().enumerate() {
        let name = printed.name;
        answer.fact(format!("{name}_mean_window_segments"), windows[i]);
        answer.fact(format!("{name}_as_computed_mbit_s"), as_computed(i));
        answer.fact(format!("{name}_as_computed_utilisation_percent"), percent(as_computed(i)));
        answer.fact(format!("{name}_like_for_like_mbit_s"), over_sat[i]);
        answer.fact(format!("{name}_like_for_like_utilisation_percent"), percent(over_sat[i]));
    }
    answer.fact("hybic_over_cubic_as_printed", PRINTED[0].rate_mbit_s / PRINTED[1].rate_mbit_s);
    answer.fact("hybic_over_cubic_like_for_like", over_sat[0] / over_sat[1]);
    let peak = times.iter().map(|t| link.mbit_s(setting.hybic_segments(*t), setting.rtt_ref_s));
    answer.fact("hybic_peak_over_rtt_ref_mbit_s", peak.clone().fold(0.0, f64::max));
    let clipped = peak.map(|rate| rate.min(capacity_mbit_s)).sum::<f64>() / times.len() as f64;
    answer.fact("hybic_over_rtt_ref_clipped_at_capacity_mbit_s", clipped);
    answer.fact("hybic_over_rtt_ref_clipped_at_capacity_percent", percent(clipped));
    answer.note(
        "The printed rates of HYBIC and Hybla are their windows over RTTref, but the rate of CUBIC is its window over \
         RTTsat. On a path with the round trip RTTsat, a window W gives the rate W/RTTsat; the reference path of the \
         algorithm does not change this. The columns “like for like” use W/RTTsat for all algorithms.",
    );
    answer.note(
        "The printed \"3x10^9\" is 2.67x10^9 rounded to one digit, and the printed 60 % is this rounded number divided \
         by the capacity of 5x10^9. From the number without rounding, the utilisation is 53 %.",
    );
    if clipped < over_ref[0] {
        answer.note(
            "Towards the end, HYBIC's window over RTTref exceeds the capacity. This violates the paper's \
            own constraint (3), R <= C (model hybic-slow-start).",
        );
    }
    let rows = || PRINTED.iter().enumerate();
    answer.words("algorithm", "algorithm", rows().map(|(_, row)| row.label));
    answer.numbers("mean_window_segments", "mean window", windows);
    answer.numbers(
        "printed_window_segments",
        "mean window, printed",
        rows().map(|(_, row)| row.window_segments),
    );
    answer.numbers("over_rtt_ref_mbit_s", "over RTTref", over_ref);
    answer.numbers("over_rtt_sat_mbit_s", "like for like (over RTTsat)", over_sat);
    answer.words("divisor_of_the_paper", "divisor of the paper", rows().map(|(i, _)| divisor(i)));
    answer.numbers("printed_mbit_s", "printed", rows().map(|(_, row)| row.rate_mbit_s));
    answer.numbers("printed_utilisation_percent", "printed", rows().map(|(_, row)| row.utilisation_percent));
    answer.numbers(
        "as_computed_utilisation_percent",
        "as computed",
        rows().map(|(i, _)| percent(as_computed(i))),
    );
    answer.numbers("like_for_like_utilisation_percent", "like for like", over_sat.map(percent));
    answer.panel(Panel::bars(
        "Mean window",
        "algorithm",
        ["printed_window_segments", "mean_window_segments"],
        "segments",
    ));
    answer.panel(
        Panel::bars("Mean rate", "algorithm", ["printed_mbit_s", "over_rtt_sat_mbit_s"], "Mbit/s").log_y(),
    );
    Ok(answer)
}
