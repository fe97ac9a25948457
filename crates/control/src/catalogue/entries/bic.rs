// SPDX-License-Identifier: MIT OR Apache-2.0
//! BIC, as its paper has it and as Linux builds it.

use super::parts::{self, WINDOW_RULE, flag, number, parts};
use crate::catalogue::{Entry, Parameter, Value};
use crate::{bic, bic_linux};

const FAST_CONVERGENCE: Parameter = flag(
    "fast_convergence",
    true,
    "Xu, Harfoush and Rhee 2004; Linux",
    "releases capacity to new flows; a single flow is better off without",
);

pub(super) const BIC: Entry = Entry {
    name: "bic",
    summary: "BIC as its paper has it (Xu, Harfoush and Rhee 2004)",
    equations: "W < low_window: as Reno\n\
                per round trip: (W_max - W)/2 within [s_min, s_max] below W_max; from W_max on probe_start, then \
                twice the round before, up to s_max; s_max while no W_max is known\n\
                avoidance: W += acked increment/W of the round's beginning\n\
                loss: W_max = W, or W (2 - beta)/2 if W < W_max; ssthresh = max((1 - beta) FlightSize, 2)\n\
                timeout: ssthresh likewise, W = 1, W_max forgotten",
    own: &[
        number(
            "low_window",
            "segments",
            (14.0, 1.0, 1e6),
            "Xu, Harfoush and Rhee 2004; Linux",
            "below it the rule is Reno's",
        ),
        number(
            "s_max",
            "segments",
            (32.0, 0.1, 1e6),
            "Xu, Harfoush and Rhee 2004 (S_max)",
            "largest growth per round trip",
        ),
        number(
            "s_min",
            "segments",
            (0.01, 1e-6, 1e3),
            "Xu, Harfoush and Rhee 2004 (S_min)",
            "smallest growth per round trip below W_max: how long the window stays beside it",
        ),
        number(
            "probe_start",
            "segments",
            (1.0, 1e-6, 1e3),
            "Xu, Harfoush and Rhee 2004 (pseudo-code)",
            "first growth beyond W_max; s_min makes probing the mirror image of the search",
        ),
        number(
            "beta",
            "none",
            (0.125, 0.01, 0.9),
            "Xu, Harfoush and Rhee 2004",
            "fraction given up at a loss (CUBIC's and Linux's beta is the fraction kept)",
        ),
        FAST_CONVERGENCE,
        flag(
            "midpoint_per_ack",
            false,
            "Xu, Harfoush and Rhee 2004: text (false), pseudo-code (true)",
            "true finds the midpoint anew at each ACK: a round trip covers 39 % of the distance instead of half",
        ),
    ],
    frame: WINDOW_RULE,
    sources: &["L. Xu, K. Harfoush, I. Rhee, INFOCOM 2004"],
    limits: "Every loss is congestion. The rounds are the ground's: without them growth is linear until the next \
             loss. The paper was read through accounts of it: constants and pseudo-code are parameters here. \
             W_max is remembered while probing and forgotten at a timeout, of which the paper says nothing.",
    papers: &[
        "L. Xu, K. Harfoush, I. Rhee, Binary Increase Congestion Control for Fast, Long Distance Networks, \
         INFOCOM 2004",
    ],
    construct: |settings| {
        Box::new(bic::controller(
            parts(settings),
            bic::Parameters {
                low_window: settings.number("low_window"),
                s_max: settings.number("s_max"),
                s_min: settings.number("s_min"),
                probe_start: settings.number("probe_start"),
                beta: settings.number("beta"),
                fast_convergence: settings.flag("fast_convergence"),
                midpoint_per_ack: settings.flag("midpoint_per_ack"),
            },
        ))
    },
};

pub(super) const BIC_LINUX: Entry = Entry {
    name: "bic-linux",
    summary: "BIC as Linux builds it: whole numbers, a quarter of the distance per round trip",
    equations: "W grows by 1 per cnt ACKs, cnt = n 16/delayed_ack; d = floor((W_max - W)/4)\n\
                n = W up to low_window (without delayed_ack); W/max_increment if d > max_increment; \
                smooth_part W/4 if d <= 1 or W_max <= W < W_max + 4; W/d below W_max; 3 W/(W - W_max) up to \
                W_max + 3 max_increment; W/max_increment beyond; at most 20 without W_max\n\
                delayed_ack += acked - floor(delayed_ack/16), 32 at the start\n\
                loss: W_max = W, or floor(1843 W/2048) if W < W_max; ssthresh = floor(819 W/1024), \
                floor(W/2) up to low_window, at least 2; timeout: likewise, W = 1, W_max forgotten",
    own: &[
        number(
            "low_window",
            "segments",
            (14.0, 0.0, 1e6),
            "Linux net/ipv4/tcp_bic.c",
            "up to it the rule is Reno's",
        ),
        number(
            "max_increment",
            "segments",
            (16.0, 1.0, 1e6),
            "Linux net/ipv4/tcp_bic.c (32 in its first versions)",
            "largest growth per round trip",
        ),
        number(
            "smooth_part",
            "rounds",
            (20.0, 1.0, 1e6),
            "Linux net/ipv4/tcp_bic.c",
            "round trips from W_max - 4 to W_max",
        ),
        FAST_CONVERGENCE,
        number(
            "initial_ssthresh",
            "segments",
            (0.0, 0.0, 1e9),
            "Linux net/ipv4/tcp_bic.c (0: unset; 100 in its first versions)",
            "first threshold; 100 keeps slow start from overshooting and makes long paths slow",
        ),
        Parameter {
            default: Value::Number(1e9),
            source: "Linux tcp_slow_start (no limit)",
            ..parts::GROWTH_LIMIT
        },
    ],
    frame: WINDOW_RULE,
    sources: &["Linux net/ipv4/tcp_bic.c"],
    limits: "Every loss is congestion. As read in a kernel that counts ACKs (tcp_cong_avoid_ai by 1) beside the \
             smoothed ACK ratio; later kernels were not read. With one ACK per segment that ratio stops at 31/16, \
             so the window grows nearly twice as fast as the increments say. A loss takes from the window, as there, not from \
             FlightSize. An undo brings back window and threshold, not W_max.",
    papers: BIC.papers,
    construct: |settings| {
        let initial = settings.number("initial_ssthresh");
        Box::new(bic_linux::controller(
            parts(settings),
            bic_linux::Parameters {
                low_window: settings.number("low_window") as u64,
                max_increment: settings.number("max_increment") as u64,
                smooth_part: settings.number("smooth_part") as u64,
                fast_convergence: settings.flag("fast_convergence"),
                initial_ssthresh: (initial > 0.0).then_some(initial),
            },
        ))
    },
};
