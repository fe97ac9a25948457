// SPDX-License-Identifier: MIT OR Apache-2.0
//! Catalogue entries of A-LIAD and of LIAD. The entry of LIAD contains only what is known about LIAD.

use super::Parameters;
use crate::catalogue::parts::{self, WINDOW_RULE, parts};
use crate::catalogue::{Entry, Parameter, Value};

const S_CURVE: Parameter = parts::slow_start(
    "s-curve",
    "A-LIAD, section 3.1",
    "\"hoe\" uses the estimate without the logarithmic part; \"classic\" uses neither the estimate nor the \
     logarithmic part",
);

const A_LIAD_EQUATIONS: &str = "slow start: W += 1 per ACK below ssthresh/2, then (ssthresh - W)/2W; ssthresh: Hoe's estimate, per round\n\
    until the first loss: W += (2 ssthresh - W)/2W while RTT/RTTmin < delta, then 1/W (or 1)\n\
    W < W_max: W += (1 - 1/alpha) (W_max - W)/W (literal, round), ln(alpha) (W_max - W)/W (exact); >= 1/W, <= 1\n\
    W >= W_max: W += 1/W (linear) or 1 (exponential)\n\
    alpha: N = 1.5787 s/RTTmin, 2 alpha^N (N + 1 + alpha/(2 (alpha - 1))) = 1e8 (table); (beta W_max)^(1/N) (online)\n\
    loss: beta = 1 - RTTmin/RTTmax, at most beta_max; ssthresh = W = (1 - beta) W; W_max by w_max_rule\n\
    timeout: ssthresh = W/2, W = 1";

pub(crate) const A_LIAD_PAPER: Entry = Entry {
    name: "a-liad-paper",
    summary: "A-LIAD as close to its paper as possible: logarithmic increase, adaptive decrease",
    equations: A_LIAD_EQUATIONS,
    own: &[&[S_CURVE], &Parameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["Shin et al., KSII Transactions on Internet and Information Systems 8(8), 2014"],
    limits: "The paper does not say how a loss changes W_max, over which period RTTmax is measured, or how the window \
             grows beyond W_max. The settings w_max_rule, rtt_max and beyond_w_max choose a reading. The paper does \
             not print the values of alpha that it fitted to the RTT. This code computes alpha for a packet error \
             rate of 1e-8 and beta = 1/2. The paper's rules for each ACK do not produce the curves that the paper \
             shows; ack_rule chooses the rule. If the queue was always empty (RTTmax = RTTmin), a loss does not \
             change the window. Only the linear part of the growth makes the shares of two flows more equal. RTTmin \
             is the smallest RTT of the whole connection. After a change to a longer path, beta (the fraction by \
             which a loss reduces the window) therefore stays large. Only the initial slow start uses Hoe's estimate.",
    papers: &[
        "M. Shin, M. Park, D. Oh, B. Kim, J. Lee, Adaptive Logarithmic Increase Congestion Control Algorithm for \
         Satellite Networks, KSII Transactions on Internet and Information Systems 8(8), 2014",
    ],
    draws: false,
    construct: |settings| Box::new(super::controller(parts(settings), Parameters::read(settings))),
};

pub(crate) const A_LIAD_SAFE: Entry = Entry {
    name: "a-liad-safe",
    summary: "A-LIAD with its intended curves: exact rule per ACK, RTTmax of the epoch, linear beyond \
              W_max",
    own: &[
        &[S_CURVE],
        &Parameters::LIST
            .preset("ack_rule", Value::Text("exact"))
            .preset("w_max_rule", Value::Text("keep"))
            .preset("rtt_max", Value::Text("epoch"))
            .preset("beyond_w_max", Value::Text("linear"))
            .all,
    ],
    ..A_LIAD_PAPER
};

pub(crate) const LIAD: Entry = Entry {
    name: "liad",
    summary: "LIAD*: stand-in for LIAD, whose paper was not available: A-LIAD with alpha = 2",
    own: &[&[S_CURVE], &Parameters::LIST.preset("alpha_mode", Value::Text("fixed")).all],
    limits: "This controller is a stand-in for LIAD, because LIAD's own paper was not available. A-LIAD's paper \
             describes LIAD as follows: LIAD predicts the first threshold, adapts the decrease to the congestion and \
             increases with alpha = 2. At an RTT of 75 ms, A-LIAD is designed to behave like LIAD. All other rules \
             are the rules of A-LIAD, so the limits of a-liad-paper apply. The logarithmic second half of slow start \
             belongs to A-LIAD. With slow_start = \"hoe\", slow start does not have this half.",
    ..A_LIAD_PAPER
};
