// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vivace in the catalogue.

use super::{Paper, Rules, Steps, Uspace, Utility, Vivace};
use crate::catalogue::parts::number;
use crate::catalogue::{Domain, Entry, Parameter, Value};

pub(crate) const VIVACE: Entry = Entry {
    name: "vivace",
    summary: "PCC Vivace: a rate that climbs the gradient of a utility",
    equations: "u = x^exponent - latency_weight x dRTT/dt - loss_weight x L, x in Mbit/s\n\
                per interval of one SRTT, at least ten packets; |dRTT/dt| < gradient_filter is 0\n\
                starting: first rate IW/RTT, doubled each interval until u falls; then the rate before\n\
                pairs at x (1 + e), x (1 - e): gamma = difference of u / difference of x\n\
                x += min(m conversion |gamma|, omega x) in the direction of gamma\n\
                m = 1, 2, 3, 5, 7, ... with the steps in one direction; omega = bound + k bound_increment\n\
                a pair whose higher rate lost less is repeated once\n\
                timeout: x /= 2; W = 2 x SRTT, at least IW",
    own: &[
        Parameter {
            name: "rules",
            unit: "none",
            default: Value::Text("paper"),
            domain: Domain::Choice(&["paper", "pcc-uspace"]),
            source: "Dong et al. 2018 (paper); PCC-Uspace, May 2021 (pcc-uspace)",
            why: "TODO",
        },
        number(
            "exponent",
            "none",
            (0.9, 0.1, 1.0),
            "Dong et al. 2018, equation 1 (t)",
            "nearer to 1 weighs the rate more",
        ),
        number(
            "latency_weight",
            "none",
            (900.0, 0.0, 1e6),
            "Dong et al. 2018, equation 1 (b)",
            "0 is the loss-only Vivace, which fills the queue",
        ),
        number(
            "loss_weight",
            "none",
            (11.35, 0.0, 1e6),
            "Dong et al. 2018, equation 1 (c); PCC-Uspace, kVivaceLossCoefficient",
            "smaller bears more random loss and causes more when many share",
        ),
        number(
            "probe",
            "share of the rate",
            (0.05, 0.001, 0.5),
            "Dong et al. 2018, section 4.2 (epsilon)",
            "larger probes are told from noise more easily and cost more",
        ),
        number(
            "gradient_filter",
            "none",
            (0.01, 0.0, 1.0),
            "Dong et al. 2018, section 4.3",
            "RTT gradients below are noise; a moving satellite alone makes less than 1e-4",
        ),
        number(
            "conversion",
            "(Mbit/s)^2",
            (1.0, 1e-3, 1e3),
            "Dong et al. 2018, section 4.2 (theta_0)",
            "larger steps per utility gradient",
        ),
        number(
            "bound",
            "share of the rate",
            (0.05, 1e-3, 1.0),
            "Dong et al. 2018, section 4.2 (omega_0)",
            "first bound of one step",
        ),
        number(
            "bound_increment",
            "share of the rate",
            (0.1, 1e-3, 1.0),
            "Dong et al. 2018, section 4.2 (delta)",
            "how fast the bound widens while it is met",
        ),
    ],
    frame: &[],
    sources: &[
        "Dong et al. 2018",
        "PCC-Uspace (pcc_utility_manager.cpp, pcc_vivace_rc.cpp)",
        "WebRTC, modules/congestion_controller/pcc",
    ],
    limits: "The numbers are those of the paper's public implementations; the paper was not at hand in full. Whether the \
             confidence counts 1, 2, 3, 5 or 1, 1, 2, 3, 5 is read as WebRTC does. Starting doubles before results are \
             in, up to four times the capacity, as PCC-Uspace does. One step takes about three RTTs, so on a GEO path \
             growth is slow: 1, 2, 3, 5 ... times 0.6 Mbit/s. The MI timeout is the transport's timeout. The window is \
             this laboratory's: Vivace has none.",
    papers: &["M. Dong, T. Meng, D. Zarchy, E. Arslan, Y. Gilad, P. B. Godfrey, M. Schapira, \
         PCC Vivace: Online-Learning Congestion Control, NSDI 2018"],
    construct: |settings| {
        let utility = Utility {
            exponent: settings.number("exponent"),
            latency: settings.number("latency_weight"),
            loss: settings.number("loss_weight"),
        };
        let (conversion, bound, probe) =
            (settings.number("conversion"), settings.number("bound"), settings.number("probe"));
        Box::new(Vivace::new(if settings.text("rules") == "paper" {
            let steps = Steps { conversion, bound, bound_increment: settings.number("bound_increment") };
            Rules::Paper(Paper { utility, steps, probe, gradient_filter: settings.number("gradient_filter") })
        } else {
            Rules::Uspace(Uspace { utility, conversion, bound, probe })
        }))
    },
};
