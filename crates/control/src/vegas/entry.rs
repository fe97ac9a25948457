// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vegas in the catalogue, and the descendants that are Vegas with other settings.

use super::{MAX_REFRESH_SAMPLES, Refresh, RefreshTo, RttOfRound, RuleParameters};
use crate::catalogue::parts::{WINDOW_RULE, number, pacing, parts};
use crate::catalogue::{Domain, Entry, Parameter, Settings, Value};

/// Fraction of the window that Vegas keeps as slow start ends (ns-2, `tcp-vegas.cc`).
const KEPT_AT_EXIT: f64 = 0.875;

/// `alpha`, `beta` or `gamma` of any entry here.
pub(crate) const fn threshold(
    name: &'static str,
    default: f64,
    source: &'static str,
    why: &'static str,
) -> Parameter {
    Parameter {
        name,
        unit: "segments",
        default: Value::Number(default),
        domain: Domain::Number(0.0, 1e6),
        source,
        why,
    }
}

const FROM_1995: &str = "Brakmo and Peterson 1995; the value as in ns-2";

const WHY_ALPHA: &str = "fewer waiting on the path ask for a larger window; a rate given in papers (1 kb/s) times BaseRTT is 0.07 segments at 0.54 s and 1000 bytes, below any queue";

pub(crate) const WHY_BETA: &str = "more waiting on the path ask for a smaller window";

pub(crate) const WHY_GAMMA: &str =
    "more waiting on the path end slow start; a large one leaves that to losses";

pub(crate) const ALPHA: Parameter = threshold("alpha", 1.0, FROM_1995, WHY_ALPHA);

pub(crate) const BETA: Parameter = threshold("beta", 3.0, FROM_1995, WHY_BETA);

pub(crate) const GAMMA: Parameter = threshold("gamma", 1.0, FROM_1995, WHY_GAMMA);

pub(crate) const RTT: Parameter = Parameter {
    name: "rtt",
    unit: "none",
    default: Value::Text("mean"),
    domain: Domain::Choice(&["mean", "min"]),
    source: "ns-2 (mean); Linux (min)",
    why: "with the mean a flow's own bursts end slow start early; the smallest RTT of a round does not see them",
};

pub(crate) const DOUBLING: Parameter = Parameter {
    name: "doubling",
    unit: "none",
    default: Value::Text("every-other-round"),
    domain: Domain::Choice(&["every-other-round", "every-round"]),
    source: "Brakmo and Peterson 1995 (every other); Linux (every)",
    why: "the round between shows the queue of a window that stands; on a long path it doubles the time to fill it",
};

pub(crate) const KEPT_AT_LOSS: Parameter = number(
    "kept_at_loss",
    "none",
    (0.75, 0.1, 0.95),
    "Brakmo and Peterson 1995; ns-2",
    "fraction of the window kept at a loss; 0.5 is Reno's",
);

/// Reads the above; the rest is the entry's.
pub(crate) fn rule(settings: &Settings<'_>) -> RuleParameters {
    RuleParameters {
        alpha: settings.number("alpha"),
        beta: settings.number("beta"),
        gamma: settings.number("gamma"),
        rtt: if settings.text("rtt") == "min" { RttOfRound::Min } else { RttOfRound::Mean },
        every_other_round: settings.text("doubling") == "every-other-round",
        kept_at_exit: KEPT_AT_EXIT,
        kept_at_loss: settings.number("kept_at_loss"),
        adaptive: false,
        convergence: false,
        refresh: None,
    }
}

fn build(settings: &Settings<'_>, rule: RuleParameters) -> Box<dyn crate::Controller> {
    Box::new(super::controller(super::Parameters { parts: parts(settings), rule }))
}

const VEGAS_EQUATIONS: &str = "diff = W (RTT - BaseRTT)/RTT, RTT the mean of the last round, once per round\n\
    slow start: W += acked in every other round; diff > gamma: W = 7/8 W and avoidance\n\
    avoidance: diff < alpha: W += acked/W in this round; diff > beta: W -= 1; W >= 2\n\
    loss: W = ssthresh = 3/4 W, if the lost packet was sent after the last cut\n\
    timeout: ssthresh = max(W/2, 2), W = 2";

pub(crate) const VEGAS: Entry = Entry {
    name: "vegas",
    summary: "Vegas (Brakmo and Peterson 1995), read with ns-2: keeps 1 to 3 segments on the queue",
    equations: VEGAS_EQUATIONS,
    own: &[ALPHA, BETA, GAMMA, RTT, DOUBLING, KEPT_AT_LOSS],
    frame: WINDOW_RULE,
    sources: &["Brakmo and Peterson, IEEE JSAC 13(8), 1995", "ns-2 tcp/tcp-vegas.cc"],
    limits: "A path that grows longer by d looks like a queue: the window shrinks to beta RTT/d segments, at least 2, and \
             stays there. \
             On long paths its own bursts end slow start far below capacity. Gives way to flows that fill queues. \
             diff is not rounded to whole segments as in ns-2, a lost retransmission is cut no deeper than any \
             loss, and the early retransmission at the first duplicate ACK is the transport's.",
    papers: &["L. Brakmo, L. Peterson, TCP Vegas: end to end congestion avoidance on a global Internet, \
         IEEE JSAC 13(8), 1995"],
    draws: false,
    construct: |settings| build(settings, rule(settings)),
};

pub(crate) const VEGAS_A: Entry = Entry {
    name: "vegas-a",
    summary: "Vegas-A: Vegas whose thresholds rise while the rate rises",
    equations: "as vegas, with Th = W/RTT of the round; alpha >= 1, beta - alpha stays\n\
                diff < alpha: +1 if alpha = 1 or Th rose; else W -= 1, alpha -= 1, beta -= 1\n\
                alpha <= diff <= beta: if Th rose +1, alpha += 1, beta += 1; else nothing\n\
                diff > beta: W -= 1; alpha -= 1, beta -= 1 if alpha > 1",
    sources: &["Srijith, Jacob and Ananda 2005", "Brakmo and Peterson 1995", "ns-2 tcp/tcp-vegas.cc"],
    limits: "The case diff > beta is from memory of the paper. Rates that a microsecond of RTT would explain are \
             equal, which the paper does not say. Nothing bounds the thresholds from above. Slow start and losses \
             are Vegas's, with their limits.",
    papers: &["K. N. Srijith, L. Jacob, A. L. Ananda, TCP Vegas-A: improving the performance of TCP Vegas, \
         Computer Communications 28(4), 2005"],
    draws: false,
    construct: |settings| build(settings, RuleParameters { adaptive: true, ..rule(settings) }),
    ..VEGAS
};

pub(crate) const NEW_VEGAS: Entry = Entry {
    name: "new-vegas",
    summary: "New Vegas*: stand-in, Vegas with pacing and a damped growth after slow start's first exit",
    equations: "as vegas, paced: 2 W/SRTT in slow start, 1.2 W/SRTT in avoidance\n\
                slow start's first exit (7/8 W) does not end it: while diff <= gamma the window grows on, by\n\
                W/2, W/4, W/8, ... in its rounds, until that is less than a segment or diff > gamma again",
    own: &[ALPHA, BETA, GAMMA, RTT, DOUBLING, KEPT_AT_LOSS, pacing(true)],
    sources: &["Sing and Soh 2005, by its abstract and from memory", "Brakmo and Peterson 1995"],
    limits: "A stand-in (shown as New Vegas*): the paper's equations were not at hand. Its packet pairing, two \
             packets back to back against delayed ACKs, is the transport's and is not built; its pacing is the \
             frame's. Results speak of the idea, not of the paper.",
    papers: &[
        "J. Sing, B. Soh, TCP New Vegas: improving the performance of TCP Vegas over high latency links, \
         IEEE NCA 2005",
    ],
    draws: false,
    construct: |settings| build(settings, RuleParameters { convergence: true, ..rule(settings) }),
    ..VEGAS
};

/// `refresh` with its default.
pub(crate) const fn refresh(default: &'static str) -> Parameter {
    Parameter {
        name: "refresh",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["newest", "min-of-next", "off"]),
        source: "Vegas-W, section IV.B (it does not say by what BaseRTT is replaced)",
        why: "what replaces BaseRTT after a jump: the sample that jumped, or the smallest of as many more",
    }
}

pub(crate) const REFRESH_FACTOR: Parameter = number(
    "refresh_factor",
    "none",
    (2.0, 1.0, 100.0),
    "Vegas-W, section IV.B (n = 2)",
    "a jump by less is congestion: at 2 no reroute that adds less than a whole RTT is seen",
);

pub(crate) const REFRESH_SAMPLES: Parameter = number(
    "refresh_samples",
    "samples",
    (20.0, 1.0, MAX_REFRESH_SAMPLES as f64),
    "Vegas-W, section IV.B (m = 20)",
    "samples before a jump whose mean it must exceed; their mean has caught up after as many",
);

/// Reads the above.
pub(crate) fn read_refresh(settings: &Settings<'_>) -> Option<Refresh> {
    let to = match settings.text("refresh") {
        "off" => return None,
        "min-of-next" => RefreshTo::MinOfNext,
        _ => RefreshTo::Newest,
    };
    let samples = settings.number("refresh_samples") as usize;
    Some(Refresh { factor: settings.number("refresh_factor"), samples, to })
}

pub(crate) const VEGAS_AB: Entry = Entry {
    name: "vegas-ab",
    summary: "Vegas-AB*: stand-in, Vegas-A with Vegas-W's refresh of BaseRTT",
    equations: "as vegas-a; in avoidance BaseRTT = RTT if RTT > refresh_factor mean(refresh_samples RTTs before)",
    own: &[
        ALPHA,
        BETA,
        GAMMA,
        RTT,
        DOUBLING,
        KEPT_AT_LOSS,
        refresh("newest"),
        REFRESH_FACTOR,
        REFRESH_SAMPLES,
    ],
    sources: &["one sentence in Vegas-W, section II", "Srijith, Jacob and Ananda 2005"],
    limits: "A stand-in (shown as Vegas-AB*): no description of Vegas-AB was found but that it \"can change the \
             value of alpha and beta adaptively\" over LEO. Results speak of this combination, not of Vegas-AB.",
    papers: &[
        "J. Qu, An enhanced TCP Vegas algorithm based on route surveillance and bandwidth estimation over \
         GEO satellite networks (names it)",
    ],
    draws: false,
    construct: |settings| {
        let rule = RuleParameters { adaptive: true, refresh: read_refresh(settings), ..rule(settings) };
        build(settings, rule)
    },
    ..VEGAS
};
