// SPDX-License-Identifier: MIT OR Apache-2.0
//! A-LIAD in the catalogue, and LIAD as far as it is known.

use super::{AlphaMode, Choices, Growth, MaxRttOver, MaxRule};
use crate::catalogue::parts::{self, WINDOW_RULE, parts};
use crate::catalogue::{Domain, Entry, Parameter, Settings, Value};

const S_CURVE: Parameter = parts::slow_start(
    "s-curve",
    "A-LIAD, section 3.1",
    "\"hoe\" keeps the estimate without the logarithmic half; \"classic\" has neither",
);

/// `ack_rule` of the logarithmic rules.
const fn ack_rule(default: &'static str) -> Parameter {
    Parameter {
        default: Value::Text(default),
        domain: Domain::Choice(&["literal", "round", "exact"]),
        source: "A-LIAD, equations 2, 3 and 6 (literal), 5 (round), 1 and 4 (exact)",
        why: "to the letter the gap falls by exp(1 - 1/alpha) < e per round whatever alpha is; the others divide it by alpha",
        ..parts::ACK_RULE
    }
}

/// `alpha_mode` with its default.
const fn alpha_mode(default: &'static str) -> Parameter {
    Parameter {
        name: "alpha_mode",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["table", "online", "fixed"]),
        source: "A-LIAD, equations 8 to 11 (table, online); LIAD (fixed)",
        why: "table depends on RTTmin alone; online makes an epoch 1.5787 s long for the flow's own W_max",
    }
}

const ALPHA: Parameter = Parameter {
    name: "alpha",
    unit: "none",
    default: Value::Number(2.0),
    domain: Domain::Number(1.01, 1e6),
    source: "A-LIAD, section 3.2, on LIAD, LogWestwood+ and BIC",
    why: "alpha_mode fixed: what the gap to W_max is divided by per round",
};

const DELTA: Parameter = Parameter {
    name: "delta",
    unit: "none",
    default: Value::Number(1.93),
    domain: Domain::Number(1.0, 100.0),
    source: "A-LIAD, section 3.2",
    why: "RTT/RTTmin from which probing for the first W_max is careful",
};

const PROBE_INC: Parameter = Parameter {
    name: "probe_inc",
    unit: "none",
    default: Value::Text("linear"),
    domain: Domain::Choice(&["linear", "exponential"]),
    source: "A-LIAD, section 3.2: its text (linear) and its equation 3 (exponential) contradict each other",
    why: "careful probing by 1/W or by 1 per ACK; with the latter the buffer overflows by thousands on a GEO path",
};

/// `w_max_rule` with its default.
const fn w_max_rule(default: &'static str) -> Parameter {
    Parameter {
        name: "w_max_rule",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["max", "keep", "always", "fixed"]),
        source: "this laboratory (A-LIAD does not say)",
        why: "a loss below W_max: max leaves it, keep lowers it to W if RTT > 1.1 RTTmin, always lowers it; fixed holds the first",
    }
}

/// `rtt_max` with its default.
const fn rtt_max(default: &'static str) -> Parameter {
    Parameter {
        name: "rtt_max",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["ever", "epoch"]),
        source: "A-LIAD, section 3.2: \"experienced by the flow\" (ever), section 3: \"based on the current RTT\" (epoch)",
        why: "ever: one full buffer makes every later decrease deep; epoch: a random loss on an empty queue hardly counts",
    }
}

/// `beyond_w_max` with its default.
const fn beyond_w_max(default: &'static str) -> Parameter {
    Parameter {
        name: "beyond_w_max",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["linear", "exponential"]),
        source: "LogWestwood+ (exponential); this laboratory (linear); A-LIAD does not say",
        why: "growth by 1/W or by 1 per ACK once the window has passed W_max",
    }
}

const BETA_MAX: Parameter = Parameter {
    name: "beta_max",
    unit: "none",
    default: Value::Number(0.5),
    domain: Domain::Number(0.0, 0.9),
    source: "H-TCP, on which the decrease is modelled",
    why: "largest share of the window given up at a loss; equation 7 alone has no bound",
};

const FAST_CONVERGENCE: Parameter = Parameter {
    name: "fast_convergence",
    unit: "none",
    default: Value::Flag(false),
    domain: Domain::Flag,
    source: "BIC; not in A-LIAD",
    why: "where w_max_rule lowers W_max, it becomes W (2 - beta)/2: room for other flows",
};

const A_LIAD_EQUATIONS: &str = "slow start: W += 1 per ACK below ssthresh/2, then (ssthresh - W)/2W; ssthresh: Hoe's estimate, per round\n\
    until the first loss: W += (2 ssthresh - W)/2W while RTT/RTTmin < delta, then 1/W (or 1)\n\
    W < W_max: W += (1 - 1/alpha) (W_max - W)/W (literal, round), ln(alpha) (W_max - W)/W (exact); >= 1/W, <= 1\n\
    W >= W_max: W += 1/W (linear) or 1 (exponential)\n\
    alpha: N = 1.5787 s/RTTmin, 2 alpha^N (N + 1 + alpha/(2 (alpha - 1))) = 1e8 (table); (beta W_max)^(1/N) (online)\n\
    loss: beta = 1 - RTTmin/RTTmax, at most beta_max; ssthresh = W = (1 - beta) W; W_max by w_max_rule\n\
    timeout: ssthresh = W/2, W = 1";

pub(crate) const A_LIAD_PAPER: Entry = Entry {
    name: "a-liad-paper",
    summary: "A-LIAD as close to its paper as it can be read: logarithmic increase, adaptive decrease",
    equations: A_LIAD_EQUATIONS,
    own: &[
        S_CURVE,
        ack_rule("literal"),
        alpha_mode("table"),
        ALPHA,
        DELTA,
        PROBE_INC,
        w_max_rule("max"),
        rtt_max("ever"),
        beyond_w_max("exponential"),
        BETA_MAX,
        FAST_CONVERGENCE,
    ],
    frame: WINDOW_RULE,
    sources: &["Shin et al., KSII Transactions on Internet and Information Systems 8(8), 2014"],
    limits: "The paper leaves open what W_max becomes, over which time RTTmax is taken and how the window grows beyond \
             W_max; its fitted alpha(RTT) is not printed and is solved for here (PER 1e-8, beta 1/2). \
             The rules per ACK do not follow the published curves (ack_rule). \
             A loss on a queue as empty as ever leaves the window as it is. \
             Two flows approach equal shares only by the linear part of their growth. \
             RTTmin is the connection's: after a longer path beta stays large. \
             Hoe's estimate is taken in the initial slow start alone.",
    papers: &[
        "M. Shin, M. Park, D. Oh, B. Kim, J. Lee, Adaptive Logarithmic Increase Congestion Control Algorithm for \
         Satellite Networks, KSII Transactions on Internet and Information Systems 8(8), 2014",
    ],
    draws: false,
    construct: a_liad,
};

pub(crate) const A_LIAD_SAFE: Entry = Entry {
    name: "a-liad-safe",
    summary: "A-LIAD with the curves it means: exact rule per ACK, RTTmax of the epoch, linear beyond W_max",
    own: &[
        S_CURVE,
        ack_rule("exact"),
        alpha_mode("table"),
        ALPHA,
        DELTA,
        PROBE_INC,
        w_max_rule("keep"),
        rtt_max("epoch"),
        beyond_w_max("linear"),
        BETA_MAX,
        FAST_CONVERGENCE,
    ],
    ..A_LIAD_PAPER
};

pub(crate) const LIAD: Entry = Entry {
    name: "liad",
    summary: "LIAD*: stand-in for LIAD, A-LIAD with alpha = 2",
    own: &[
        S_CURVE,
        ack_rule("literal"),
        alpha_mode("fixed"),
        ALPHA,
        DELTA,
        PROBE_INC,
        w_max_rule("max"),
        rtt_max("ever"),
        beyond_w_max("exponential"),
        BETA_MAX,
        FAST_CONVERGENCE,
    ],
    limits: "A stand-in: LIAD's own paper was not available. A-LIAD's paper says that LIAD predicts the first threshold, \
             adapts the decrease to the congestion and increases with alpha = 2, and that A-LIAD is meant to behave \
             alike at 75 ms; the rest is A-LIAD, with the limits of a-liad-paper. \
             The logarithmic half of slow start is A-LIAD's own; slow_start \"hoe\" is without.",
    ..A_LIAD_PAPER
};

fn a_liad(settings: &Settings<'_>) -> Box<dyn crate::Controller> {
    let growth = |name| match settings.text(name) {
        "exponential" => Growth::Exponential,
        _ => Growth::Linear,
    };
    Box::new(super::controller(super::Parameters {
        parts: parts(settings),
        choices: Choices {
            ack_rule: parts::ack_rule(settings),
            alpha: match settings.text("alpha_mode") {
                "online" => AlphaMode::Online,
                "fixed" => AlphaMode::Fixed(settings.number("alpha")),
                _ => AlphaMode::Table,
            },
            delta: settings.number("delta"),
            careful_probing: growth("probe_inc"),
            max_rule: match settings.text("w_max_rule") {
                "keep" => MaxRule::Keep,
                "always" => MaxRule::Always,
                "fixed" => MaxRule::Fixed,
                _ => MaxRule::Max,
            },
            max_rtt_over: match settings.text("rtt_max") {
                "epoch" => MaxRttOver::Epoch,
                _ => MaxRttOver::Connection,
            },
            beyond: growth("beyond_w_max"),
            max_decrease: settings.number("beta_max"),
            fast_convergence: settings.flag("fast_convergence"),
        },
    }))
}
