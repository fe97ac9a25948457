// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests whether the published evaluation of Hybla-IM is consistent (Yang, Li and Wei, section 4).

use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::parameter::Parameter;

pub(crate) const BIT_ERRORS: Model = Model {
    name: "bit-errors",
    about: "fraction of packets that are lost if the given error rate is the rate of bit errors",
    source: "independent bit errors; the paper's \"BER\" of 1e-4, 1e-3 and 1e-2 (Yang, Li, Wei, section 4)",
    parameters: &[
        Parameter::list(
            "bit_error_rate",
            "none",
            &[1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2],
            1e-15..=0.5,
            "bit error rates (the paper's are 1e-4, 1e-3 and 1e-2)",
        ),
        Parameter::one(
            "packet_bytes",
            "bytes",
            &[1000.0],
            1.0..=65_535.0,
            "packet size (the paper gives none; 1000 bytes is the default of ns-2)",
        ),
    ],
    compute: bit_errors,
};

/// Returns the fraction of packets of `bits` bits that contain at least one error. Bit errors are independent and have
/// the rate `rate`.
fn packet_error_rate(rate: f64, bits: f64) -> f64 {
    // 1 - (1 - BER)^bits
    -(bits * (-rate).ln_1p()).exp_m1()
}

fn bit_errors(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let (rates, bits) = (settings.list("bit_error_rate"), 8.0 * settings.number("packet_bytes"));
    let lost: Vec<f64> = rates.iter().map(|rate| packet_error_rate(*rate, bits)).collect();
    let mut answer = Answer::default();
    for (rate, lost) in rates.iter().zip(&lost) {
        answer.fact(format!("packets_lost_at_{rate:e}_percent"), 100.0 * lost);
    }
    answer.note(
        "If the paper's 1e-4, 1e-3 and 1e-2 were bit error rates, more than half of all packets would be \
        lost. At the two larger rates, nearly all packets would be lost. No TCP works with such losses. \
        The numbers must therefore be error rates per packet, which ns-2 supports.",
    );
    answer.numbers("bit_error_rate", "bit error rate", rates.iter().copied());
    answer.numbers("packet_error_rate", "packet error rate", lost);
    // The inverse: 1 - (1 - PER)^(1/bits).
    let inverse = |per: f64| -((-per).ln_1p() / bits).exp_m1();
    answer.numbers(
        "bit_error_rate_if_read_per_packet",
        "bit error rate that loses this share of packets",
        rates.iter().map(|per| inverse(*per)),
    );
    answer.panel(
        Panel::lines("Packets lost", "bit_error_rate", ["packet_error_rate"], "share of packets").log_x(),
    );
    Ok(answer)
}

pub(crate) const CONSISTENCY: Model = Model {
    name: "hybla-im-consistency",
    about: "whether the printed percentages of Hybla-IM agree with each other",
    source: "Yang, Li, Wei, An Improved Hybla Algorithm in Satellite Networks, section 4, text to figures 4, \
             6 and 7",
    parameters: &[
        Parameter::fixed_list(
            "hybla_fall_percent",
            "percent",
            &[13.0, 32.0],
            0.0..=99.0,
            "fall of Hybla's throughput from 1e-4 to 1e-3, and from there to 1e-2 (printed)",
        ),
        Parameter::fixed_list(
            "hybla_im_fall_percent",
            "percent",
            &[7.3, 24.0],
            0.0..=99.0,
            "fall of Hybla-IM's throughput from 1e-4 to 1e-3, and from there to 1e-2 (printed)",
        ),
        Parameter::fixed_list(
            "gain_percent",
            "percent",
            &[6.0, 13.0, 17.0],
            -99.0..=1000.0,
            "gain of Hybla-IM over Hybla at 1e-4, 1e-3 and 1e-2 (printed)",
        ),
    ],
    compute: consistency,
};

fn consistency(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    const RATES: [f64; 3] = [1e-4, 1e-3, 1e-2];
    // Converts a gain or a fall in percent to a factor.
    let factor = |percent: f64| 1.0 + percent / 100.0;
    let gains = settings.list("gain_percent");
    let falls = |name: &str| -> Vec<f64> {
        let mut level = 1.0;
        let after = settings.list(name).iter().map(|fall| {
            level *= factor(-fall);
            level
        });
        [1.0].into_iter().chain(after).collect()
    };
    let hybla = falls("hybla_fall_percent");
    let im: Vec<f64> = falls("hybla_im_fall_percent").iter().map(|level| level * factor(gains[0])).collect();
    let implied: Vec<f64> = im.iter().zip(&hybla).map(|(im, hybla)| 100.0 * (im / hybla - 1.0)).collect();

    let mut answer = Answer::default();
    for ((rate, implied), printed) in RATES.iter().zip(&implied).zip(gains) {
        answer.fact(format!("implied_gain_at_{rate:e}_percent"), *implied);
        answer.fact(format!("printed_minus_implied_at_{rate:e}_percent"), printed - implied);
    }
    // The second fall of Hybla-IM, computed from the printed gains: (1 + g_3) H_3/((1 + g_2) H_2).
    let fall = 1.0 - factor(gains[2]) * hybla[2] / (factor(gains[1]) * hybla[1]);
    answer.fact("hybla_im_fall_that_fits_the_printed_gains_percent", 100.0 * fall);
    answer.note(format!(
        "From the printed gain at 1e-4 and the printed falls of Hybla and Hybla-IM, Hybla-IM's gain is {:.1} % at 1e-3 \
         (printed: {} %) and {:.1} % at 1e-2 (printed: {} %).",
        implied[1], gains[1], implied[2], gains[2]
    ));
    if (implied[2] - gains[2]).abs() > 1.0 {
        answer.note(
            "The computed and the printed gain at 1e-2 differ by more than rounding. One of the printed numbers at \
             1e-2 is therefore wrong, and the text does not show which.",
        );
    }
    answer.numbers("packet_error_rate", "packet error rate", RATES);
    answer.numbers("hybla_relative", "Hybla", hybla);
    answer.numbers("hybla_im_relative", "Hybla-IM", im);
    answer.numbers("printed_gain_percent", "printed", gains.iter().copied());
    answer.numbers("implied_gain_percent", "implied by the falls", implied);
    answer.panel(Panel::bars(
        "Hybla-IM over Hybla",
        "packet_error_rate",
        ["printed_gain_percent", "implied_gain_percent"],
        "gain, %",
    ));
    answer.panel(Panel::bars(
        "Throughput implied",
        "packet_error_rate",
        ["hybla_relative", "hybla_im_relative"],
        "Hybla at 1e-4 = 1",
    ));
    Ok(answer)
}
