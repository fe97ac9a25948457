// SPDX-License-Identifier: MIT OR Apache-2.0
//! StarQUIC (LEO-NET 2024): CUBIC's window rule with the verdict of [`crate::loss_verdict::Handover`].

use crate::catalogue::parts::{self, WINDOW_RULE, parts};
use crate::catalogue::{Entry, Parameter};
use crate::cubic;

const LOSS_VERDICT: Parameter = parts::loss_verdict(
    "handover",
    "StarQUIC",
    "with \"congestion\", handovers have no effect, so the controller is CUBIC (for comparisons)",
);

pub(crate) const STARQUIC: Entry = Entry {
    name: "starquic",
    summary: "StarQUIC: CUBIC that ignores losses around handovers",
    equations: "a loss is a link error iff |t - handover| <= handover_window, t: sending of the lost packet, or detection\n\
                handovers: as announced, or at 12, 27, 42 and 57 s of every minute\n\
                timeouts likewise, by their own time; everything else as cubic",
    own: &[&[cubic::SLOW_START], &cubic::Parameters::LIST.all, &[LOSS_VERDICT]],
    frame: WINDOW_RULE,
    sources: &[
        "Kamel, Zhao, Li and Pan, LEO-NET 2024",
        "HeroHFM/picoquic_leo, picoquic/sat_utils.c and cubic.c",
        "RFC 9438",
    ],
    limits: "Within handover_window of a handover, the controller does not react to congestion. On Starlink's \
             schedule, this is the case for two of every fifteen seconds. The authors' code compares whole \
             seconds of the wall clock. It therefore ignores losses from 1 s before a handover to 2 s after it. \
             The authors' code also ignores ECN marks. In this controller, ECN marks are congestion. With \
             handover_schedule = \"starlink\", minutes are counted from the start of the run. The authors' \
             CUBIC keeps 7/8 of the window after a loss. This controller uses RFC 9438's CUBIC.",
    papers: &[
        "V. Kamel, J. Zhao, D. Li, J. Pan, StarQUIC: Tuning Congestion Control Algorithms for QUIC over LEO Satellite \
         Networks, LEO-NET 2024",
    ],
    draws: false,
    construct: |settings| Box::new(cubic::controller(parts(settings), cubic::Parameters::read(settings))),
};
