// SPDX-License-Identifier: MIT OR Apache-2.0
//! Catalogue entry of Vivace.

use super::{Paper, Rules, Steps, Uspace, Utility, Vivace};
use crate::catalogue::{Entry, parameters, words};

/// The set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum RulesKind {
    PccUspace,
    Paper,
}

words! { RulesKind { PccUspace = "pcc-uspace", Paper = "paper" } }

parameters! {
    /// Parameters of Vivace.
    struct Parameters {
        /// the rules "pcc-uspace" (the authors' program) tolerate paths whose delay varies; the rules "paper" reward a
        /// falling RTT, so the rate grows without limit on such paths
        rules: RulesKind = word("pcc-uspace"), "PCC-Uspace, May 2021 (pcc-uspace); Dong et al. 2018 (paper)";
        /// exponent of the rate in the utility; a value nearer to 1 gives the rate more weight
        exponent: f64 = number("none", 0.9, 0.1..=1.0), "Dong et al. 2018, equation 1 (t)";
        /// weight of the RTT's slope in the utility; with 0, the utility depends only on rate and loss, and the flow
        /// fills the queue
        latency_weight: f64 = number("none", 900.0, 0.0..=1e6),
            "Dong et al. 2018, equation 1 (b); PCC-Uspace, kLatencyCoefficient";
        /// weight of losses in the utility; a smaller weight tolerates more random loss, but causes more loss if many
        /// flows share the path
        loss_weight: f64 = number("none", 11.35, 0.0..=1e6),
            "Dong et al. 2018, equation 1 (c); PCC-Uspace, kVivaceLossCoefficient";
        /// change of the rate in a probe; larger probes are easier to distinguish from noise, but cost more
        probe: f64 = number("share of the rate", 0.05, 0.001..=0.5),
            "Dong et al. 2018, section 4.2 (epsilon); PCC-Uspace, kProbingStepSize";
        /// slopes of the RTT below this value count as 0; a moving satellite alone causes less than 1e-4
        gradient_filter: f64 = number("none", 0.01, 0.0..=1.0),
            "Dong et al. 2018, section 4.3; only for rules = \"paper\"";
        /// step of the rate for each unit of the utility's gradient; a larger factor causes larger steps
        conversion: f64 = number("(Mbit/s)^2", 1.0, 1e-3..=1e3),
            "Dong et al. 2018, section 4.2 (theta_0); PCC-Uspace, kUtilityGradientToRateChangeFactor";
        /// first bound of one step
        bound: f64 = number("share of the rate", 0.05, 1e-3..=1.0),
            "Dong et al. 2018, section 4.2 (omega_0); PCC-Uspace, kInitialMaxStepSize";
        /// how fast the bound widens while steps reach it
        bound_increment: f64 = number("share of the rate", 0.1, 1e-3..=1.0),
            "Dong et al. 2018, section 4.2 (delta); only for rules = \"paper\"";
    }
}

pub(crate) const VIVACE: Entry = Entry {
    name: "vivace",
    summary: "PCC Vivace: the rate follows the gradient of a utility, by the rules of the authors' program or of their \
              paper",
    equations: "u = x^exponent - latency_weight x dRTT/dt - loss_weight x L, x in Mbit/s, per interval\n\
                paper: intervals of one SRTT, at least ten packets; |dRTT/dt| < gradient_filter is 0; x the target \
                rate\n\
                starting: first rate IW/RTT, doubled each interval until u falls; then the rate before\n\
                pairs at x (1 + e), x (1 - e): gamma = difference of u / difference of x\n\
                x += min(m conversion |gamma|, omega x) in the direction of gamma\n\
                m = 1, 2, 3, 5, 7, ... with the steps in one direction; omega = bound + k bound_increment\n\
                a pair whose higher rate lost less is repeated once; timeout: x /= 2\n\
                pcc-uspace: intervals of RTTmin, until four RTTs are measured; x in u: bytes sent divided by their \
                time\n\
                dRTT/dt is 0 if negative, or within the RTTs' spread over their mean unless the trend of six rises\n\
                starting: IW/min(RTT, 100 ms), doubled with each result until u falls; then half the rate\n\
                three pairs at x (1 +- e): up if two pairs agree, down if all agree; then steps while u rises, else \
                one step back\n\
                step = conversion gamma floor((rounds + 1)/2)^1.2, at least 0.5 Mbit/s, at most (bound + 0.05 k) x\n\
                both: an interval that the application or the receiver limited is discarded; W = 2 x SRTT, at least IW",
    own: &[&Parameters::LIST.all],
    frame: &[],
    sources: &[
        "PCC-Uspace, master of May 2021 (pcc_sender.cpp, pcc_vivace_sender.cpp, pcc_utility_manager.cpp, \
         pcc_monitor_interval_queue.cpp)",
        "Dong et al. 2018",
        "WebRTC, modules/congestion_controller/pcc",
    ],
    limits: "The following counts are numbers of failed runs among 50 runs of one path with different seeds (30 s, \
             RACK, PRR, delayed ACKs). With rules = \"paper\", over LeoCC's trace, the rate grew without limit in 5 \
             runs. 6 runs lost more than half of their packets, and 27 runs delivered less than a tenth of the data \
             of bbr1. Over starlink-far up, 14 runs lost more than half of their packets. Over starlink-isl, 40 runs \
             (up) and 48 runs (down) delivered less than a tenth of the data of bbr1. With rules = \"pcc-uspace\", no \
             run failed in these ways over LeoCC's trace and starlink-far up. Over starlink-isl, 14 runs (up) and 35 \
             runs (down) delivered less than a tenth of the data of bbr1. Median goodput over LeoCC's trace: 39.6 \
             Mbit/s with \"pcc-uspace\", 4.5 Mbit/s with \"paper\", and 51.0 Mbit/s with bbr1. With rules = \
             \"paper\", a falling RTT raises the utility by 900 times the slope of the RTT. No rule bounds the rate, \
             so the rate grows without limit. A rising RTT lowers the utility by the same factor, so the flow gets \
             almost nothing. On a path with random loss, the flow is slow with both sets of rules. With rules = \
             \"paper\", a step takes three RTTs. With rules = \"pcc-uspace\", the first step takes eight RTTs of \
             probing, and each further step takes two RTTs. The first steps are about 0.6 Mbit/s. Under random loss, \
             rules = \"pcc-uspace\" does not stop at the maximum of the utility. Two of three pairs are enough for a \
             step up, but all three must agree on a step down, so noise moves the rate upward. Over 200 Mbit/s and 30 \
             ms with a loss of 7 %, the flow sends 166 to 170 Mbit/s after 4 minutes (3 seeds). On this path, the \
             utility has its maximum at (0.9/(11.35 * 0.07))^10 = 3.5 Mbit/s; with rules = \"paper\", the flow sends \
             1 Mbit/s. If an application sends less than the rate, the rate does not change, even if packets are \
             lost. The authors' program instead computes the utility of such an interval from the rate that was sent, \
             so its target rate grows without limit. The paper's rules are taken from public quotations and \
             implementations of the paper. The confidence amplifier m takes the values 1, 2, 3, 5, ..., as in WebRTC. \
             The starting phase doubles the rate before results are complete, up to four times the capacity. This \
             controller differs from the authors' program in four points: each ACK gives one RTT sample (in the \
             program, each packet gives one); gaps between ACKs are at least 1 us; the start does not end at 100 \
             times the RTT; and packets in flight at a timeout count as lost. Vivace does not use a window, so the \
             window is Bentpipe's choice.",
    papers: &["M. Dong, T. Meng, D. Zarchy, E. Arslan, Y. Gilad, P. B. Godfrey, M. Schapira, \
         PCC Vivace: Online-Learning Congestion Control, NSDI 2018"],
    draws: true,
    construct: |settings| {
        let chosen = Parameters::read(settings);
        let Parameters { probe, gradient_filter, conversion, bound, bound_increment, .. } = chosen;
        let Parameters { exponent, latency_weight: latency, loss_weight: loss, .. } = chosen;
        let utility = Utility { exponent, latency, loss };
        Box::new(Vivace::new(match chosen.rules {
            RulesKind::Paper => {
                let steps = Steps { conversion, bound, bound_increment };
                Rules::Paper(Paper { utility, steps, probe, gradient_filter })
            }
            RulesKind::PccUspace => Rules::Uspace(Uspace { utility, conversion, bound, probe }),
        }))
    },
};
