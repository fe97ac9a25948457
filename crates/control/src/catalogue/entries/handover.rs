// SPDX-License-Identifier: MIT OR Apache-2.0
//! CUBIC that knows when a satellite hands over.

use super::CUBIC;
use super::parts::{self, WINDOW_RULE, parts};
use crate::catalogue::{Domain, Entry, Parameter, Settings, Value};
use crate::{cubic, satcp};
use units::Span;

const EARLIER: Parameter = Parameter {
    name: "earlier",
    unit: "time",
    default: Value::Text("500 ms"),
    domain: Domain::Time(Span::ZERO, Span::from_secs(60)),
    source: "SaTCP (T_earlier), authors' emulator",
    why: "how long before the announced time a disruption is taken to begin; covers announcements that err",
};

const DURATION: Parameter = Parameter {
    name: "duration",
    unit: "time",
    default: Value::Text("2300 ms"),
    domain: Domain::Time(Span::ZERO, Span::from_secs(60)),
    source: "SaTCP (D), authors' relay",
    why: "how long it is taken to last; too short ends before the losses are found, too long ignores congestion",
};

pub(super) const SATCP: Entry = Entry {
    name: "satcp",
    summary: "SaTCP: CUBIC that recovers nine times sooner around announced disruptions",
    equations: "disruption: from max(event - earlier, announcement) for duration\n\
                epoch begun in a disruption: K = cbrt((W_max - W_epoch)/C)/9\n\
                timeout in a disruption: ssthresh = max(beta FlightSize, 2), W = 1, W_max is kept\n\
                all else as cubic",
    own: &[CUBIC.own[0], CUBIC.own[1], CUBIC.own[2], CUBIC.own[3], EARLIER, DURATION],
    frame: WINDOW_RULE,
    sources: &["Cao and Zhang, INFOCOM 2023", "LeoEM, emulation_stage/satcp/satcp.patch", "RFC 9438"],
    limits: "Needs announcements of handovers, reroutes and outages; their uncertainty is not used, earlier and \
             duration stand for it. A loss still costs 1 - beta of the window. \
             The authors patch Linux's CUBIC of 2022, where all flows of a host share one flag; this is RFC 9438's.",
    papers: &[
        "X. Cao, X. Zhang, SaTCP: Link-Layer Informed TCP Adaptation for Highly Dynamic LEO Satellite \
         Networks, INFOCOM 2023",
    ],
    construct: |settings| {
        Box::new(satcp::controller(satcp::Parameters {
            cubic: cubic_parameters(settings),
            earlier: settings.time("earlier"),
            duration: settings.time("duration"),
        }))
    },
};

const LOSS_VERDICT: Parameter = parts::loss_verdict(
    "handover",
    "StarQUIC",
    "\"congestion\" is plain CUBIC, against which the filter is to be measured",
);

pub(super) const STARQUIC: Entry = Entry {
    name: "starquic",
    summary: "StarQUIC: CUBIC that ignores losses around handovers",
    equations: "a loss is a link error iff |t - handover| <= handover_window, t: sending of the lost packet, or detection\n\
                handovers: as announced, or at 12, 27, 42 and 57 s of every minute\n\
                timeouts likewise, by their own time; all else as cubic",
    own: &[CUBIC.own[0], CUBIC.own[1], CUBIC.own[2], CUBIC.own[3], LOSS_VERDICT],
    frame: WINDOW_RULE,
    sources: &[
        "Kamel, Zhao, Li and Pan, LEO-NET 2024",
        "HeroHFM/picoquic_leo, picoquic/sat_utils.c and cubic.c",
        "RFC 9438",
    ],
    limits: "Congestion within the window goes unanswered: two of fifteen seconds on Starlink's schedule. \
             The authors compare whole seconds of the wall clock, so that their window reaches from 1 s before to 2 s \
             after; they ignore ECN marks too, here these are congestion. With the fixed schedule the minute begins \
             with the run. The authors' CUBIC keeps 7/8 of the window; this is RFC 9438's.",
    papers: &[
        "V. Kamel, J. Zhao, D. Li, J. Pan, StarQUIC: Tuning Congestion Control Algorithms for QUIC over LEO Satellite \
         Networks, LEO-NET 2024",
    ],
    construct: |settings| Box::new(cubic::controller(cubic_parameters(settings))),
};

fn cubic_parameters(settings: &Settings<'_>) -> cubic::Parameters {
    cubic::Parameters {
        parts: parts(settings),
        c: settings.number("c"),
        beta: settings.number("beta"),
        fast_convergence: settings.flag("fast_convergence"),
    }
}
