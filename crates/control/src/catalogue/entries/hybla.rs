// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hybla and its descendants.

use super::parts::{self, WINDOW_RULE, pacing, parts};
use crate::catalogue::{Domain, Entry, Parameter, Settings, Value};
use crate::hybla::{self, InitialThreshold, Normalisation, RhoRtt};
use crate::hybla_im::{self, RatioMode};
use crate::hybla_linux;
use units::Span;

pub(super) const RTT0: Parameter = Parameter {
    name: "rtt0",
    unit: "time",
    default: Value::Text("25 ms"),
    domain: Domain::Time(Span::from_millis(1), Span::from_secs(10)),
    source: "Caini and Firrincieli 2004; Linux (ns-3 takes 50 ms)",
    why: "round trip of the reference path whose rate a long path shall reach",
};

pub(super) const GAMMA: Parameter = Parameter {
    name: "gamma",
    unit: "segments",
    default: Value::Number(32.0),
    domain: Domain::Number(2.0, 1e6),
    source: "Caini and Firrincieli 2004 (the symbol); 32 is this laboratory's choice",
    why: "threshold of the reference path: slow start ends at rho * gamma while nothing better is known",
};

/// Hybla counts every acknowledged segment.
pub(super) const GROWTH_LIMIT: Parameter = Parameter {
    default: Value::Number(1e9),
    source: "Caini and Firrincieli 2004 (no limit)",
    ..parts::GROWTH_LIMIT
};

/// `rho_rtt` with its default.
pub(super) const fn rho_rtt(default: &'static str) -> Parameter {
    Parameter {
        name: "rho_rtt",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["srtt", "min"]),
        source: "Caini and Firrincieli 2004 and ns-2 (srtt); Linux and ns-3 (min)",
        why: "with the smoothed RTT a queue raises rho, which raises the queue",
    }
}

/// `initial_ssthresh` with its choices, the first of which is the default.
pub(super) const fn initial_ssthresh(choices: &'static [&'static str]) -> Parameter {
    Parameter {
        name: "initial_ssthresh",
        unit: "none",
        default: Value::Text(choices[0]),
        domain: Domain::Choice(choices),
        source: "Caini and Firrincieli 2004; J. Hoe, SIGCOMM 1996",
        why: "an unset threshold lets the first ACK of a GEO path ask for 2^22 segments",
    }
}

/// Reads [`RTT0`], [`GAMMA`], [`rho_rtt`] and [`initial_ssthresh`].
pub(super) fn normalisation(settings: &Settings<'_>) -> Normalisation {
    Normalisation {
        rtt0: settings.time("rtt0"),
        rho_rtt: if settings.text("rho_rtt") == "min" { RhoRtt::Min } else { RhoRtt::Smoothed },
        initial_threshold: match settings.text("initial_ssthresh") {
            "hoe" => InitialThreshold::Hoe,
            "rho_gamma" => InitialThreshold::RhoGamma,
            _ => InitialThreshold::Unset,
        },
        gamma: settings.number("gamma"),
    }
}

pub(super) const HYBLA: Entry = Entry {
    name: "hybla",
    summary: "TCP Hybla as its paper has it, with Hoe's estimate and pacing",
    equations: "rho = max(1, RTT/RTT0)\n\
                slow start: W += acked (2^rho - 1), up to ssthresh\n\
                avoidance: W += acked rho^2 / W\n\
                first ssthresh: Hoe's estimate * RTTmin, at least 4; rho gamma without one\n\
                loss and timeout as Reno; pacing 2 W/SRTT in slow start, 1.2 W/SRTT in avoidance",
    own: &[
        RTT0,
        rho_rtt("srtt"),
        initial_ssthresh(&["hoe", "rho_gamma", "unset"]),
        GAMMA,
        GROWTH_LIMIT,
        pacing(true),
    ],
    frame: WINDOW_RULE,
    sources: &["Caini and Firrincieli 2004", "J. Hoe, SIGCOMM 1996"],
    limits: "Every loss is congestion. The window is bounded by 2^30 segments. \
             Growth waits for Hoe's train during the first round trip.",
    papers: &["C. Caini, R. Firrincieli, TCP Hybla: a TCP enhancement for heterogeneous networks, \
         Int. J. Satellite Communications and Networking 22, 2004"],
    construct: |settings| {
        Box::new(hybla::controller(hybla::Parameters {
            normalisation: normalisation(settings),
            parts: parts(settings),
        }))
    },
};

pub(super) const HYBLA_LINUX: Entry = Entry {
    name: "hybla-linux",
    summary: "Hybla as Linux builds it: fixed point, per ACK, no first threshold, no pacing",
    equations: "rho8 = max(8 SRTTmin/RTT0, 8), in eighths; first W = floor(rho)\n\
                slow start: W += (2^min(floor(rho), 16) table[rho8 mod 8] - 128)/128 per ACK, up to ssthresh\n\
                avoidance: W += (2 rho8^2 / W)/128 per ACK; fractions of 1/128 are carried\n\
                W <= 65535; loss: ssthresh = max(floor(W/2), 2), W = ssthresh; timeout: W = 1",
    own: &[RTT0],
    frame: &[],
    sources: &["Linux net/ipv4/tcp_hybla.c"],
    limits: "At RTT >= 400 ms the first ACK adds 65535 segments. State Disorder is not modelled.",
    papers: &["C. Caini, R. Firrincieli, TCP Hybla: a TCP enhancement for heterogeneous networks, 2004"],
    construct: |settings| Box::new(hybla_linux::controller(settings.time("rtt0"))),
};

/// `ratio_mode` with its default.
const fn ratio_mode(default: &'static str) -> Parameter {
    Parameter {
        name: "ratio_mode",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["raw", "win", "ewma"]),
        source: "Hybla-IM, equations 8 to 10 (raw); this laboratory (win, ewma)",
        why: "per ACK the ratio is near 1 on every busy path and growth stops; over a round trip it is the share in use",
    }
}

/// `rho_floor` with its default.
const fn rho_floor(default: f64) -> Parameter {
    Parameter {
        name: "rho_floor",
        unit: "none",
        default: Value::Number(default),
        domain: Domain::Number(0.0, 1.0),
        source: "Hybla-IM, equation 10 (0); Linux's rho >= 1",
        why: "at 0 a flow that fills the path stops probing for ever, even after the others have left",
    }
}

const ACK_SPACING_WINDOW: Parameter = Parameter {
    name: "ack_spacing_window",
    unit: "time",
    default: Value::Text("10 s"),
    domain: Domain::Time(Span::from_millis(100), Span::from_secs(86_400)),
    source: "this laboratory (the paper remembers for ever)",
    why: "a compressed pair of ACKs spoils min(D) for this long",
};

const LOSS_VERDICT: Parameter = parts::loss_verdict(
    "queueing-delay",
    "Hybla-IM, section 3.2",
    "\"congestion\" takes every loss for congestion, which shows what the growth rule does alone",
);

const HYBLA_IM_EQUATIONS: &str = "rho = max(1, RTT/RTT0), rho_new = max(rho_floor, rho (1 - r))\n\
    r = min(D)/D_k (raw), or acked in the last SRTT / SRTT * min(D) (win), or smoothed rate * min(D) (ewma)\n\
    slow start: W += acked (2^min(rho_new, 16) - 1), up to ssthresh; avoidance: W += acked rho_new^2 / W\n\
    T_NPD = RTT - T_PD, T_QD = T_NPD - min(T_NPD), T'_QD += qd_gain (T_QD - T'_QD)\n\
    loss: congestion iff mean of the last three T_QD before the hole > T'_QD; then as Reno; else W stands\n\
    timeout: ssthresh = max(FlightSize/2, 2), W = 1";

pub(super) const HYBLA_IM: Entry = Entry {
    name: "hybla-im",
    summary: "Hybla-IM: Hybla slowed by the bandwidth in use, losses told apart by queueing delay",
    equations: HYBLA_IM_EQUATIONS,
    own: &[
        RTT0,
        rho_rtt("srtt"),
        ratio_mode("win"),
        rho_floor(1.0),
        ACK_SPACING_WINDOW,
        LOSS_VERDICT,
        initial_ssthresh(&["hoe", "rho_gamma"]),
        GAMMA,
        GROWTH_LIMIT,
        pacing(true),
    ],
    frame: WINDOW_RULE,
    sources: &["Yang, Li and Wei, An Improved Hybla Algorithm in Satellite Networks"],
    limits: "The detector is weak: most random losses while a queue builds are still called congestion. \
             With N flows sharing a link the ratio is near 1/N and rho hardly changes. \
             A loss before any RTT sample, or further back than 256 ACKs, is congestion.",
    papers: &["Li Yang, Kui Li, Debin Wei, An Improved Hybla Algorithm in Satellite Networks (Hybla-IM)"],
    construct: hybla_im,
};

pub(super) const HYBLA_IM_LITERAL: Entry = Entry {
    name: "hybla-im-literal",
    summary: "Hybla-IM to the letter: ratio per ACK, no floor, no pacing",
    own: &[
        RTT0,
        rho_rtt("srtt"),
        ratio_mode("raw"),
        rho_floor(0.0),
        ACK_SPACING_WINDOW,
        LOSS_VERDICT,
        initial_ssthresh(&["rho_gamma", "hoe"]),
        GAMMA,
        GROWTH_LIMIT,
    ],
    ..HYBLA_IM
};

fn hybla_im(settings: &Settings<'_>) -> Box<dyn crate::Controller> {
    let ratio_mode = match settings.text("ratio_mode") {
        "raw" => RatioMode::Raw,
        "ewma" => RatioMode::Ewma,
        _ => RatioMode::Window,
    };
    Box::new(hybla_im::controller(hybla_im::Parameters {
        normalisation: normalisation(settings),
        parts: parts(settings),
        ratio_mode,
        rho_floor: settings.number("rho_floor"),
        ack_spacing_window: settings.time("ack_spacing_window"),
    }))
}
