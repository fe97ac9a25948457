// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vegas, its descendants, and Veno.

use super::parts::{self, WINDOW_RULE, flag, number, pacing, parts};
use crate::catalogue::{Domain, Entry, Parameter, Settings, Value};
use crate::vegas::{self, MAX_REFRESH_SAMPLES, Refresh, RefreshTo, RttOfRound, RuleParameters};
use crate::vegas_w::{self, Memory};
use crate::{vegas_linux, veno};
use units::Span;

/// Fraction of the window that Vegas keeps as slow start ends (ns-2, `tcp-vegas.cc`).
const KEPT_AT_EXIT: f64 = 0.875;

/// `alpha`, `beta` or `gamma` of any entry here.
const fn threshold(name: &'static str, default: f64, source: &'static str, why: &'static str) -> Parameter {
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
const WHY_BETA: &str = "more waiting on the path ask for a smaller window";
const WHY_GAMMA: &str = "more waiting on the path end slow start; a large one leaves that to losses";

const ALPHA: Parameter = threshold("alpha", 1.0, FROM_1995, WHY_ALPHA);
const BETA: Parameter = threshold("beta", 3.0, FROM_1995, WHY_BETA);
const GAMMA: Parameter = threshold("gamma", 1.0, FROM_1995, WHY_GAMMA);

const RTT: Parameter = Parameter {
    name: "rtt",
    unit: "none",
    default: Value::Text("mean"),
    domain: Domain::Choice(&["mean", "min"]),
    source: "ns-2 (mean); Linux (min)",
    why: "with the mean a flow's own bursts end slow start early; the smallest RTT of a round does not see them",
};

const DOUBLING: Parameter = Parameter {
    name: "doubling",
    unit: "none",
    default: Value::Text("every-other-round"),
    domain: Domain::Choice(&["every-other-round", "every-round"]),
    source: "Brakmo and Peterson 1995 (every other); Linux (every)",
    why: "the round between shows the queue of a window that stands; on a long path it doubles the time to fill it",
};

const KEPT_AT_LOSS: Parameter = number(
    "kept_at_loss",
    "none",
    (0.75, 0.1, 0.95),
    "Brakmo and Peterson 1995; ns-2",
    "fraction of the window kept at a loss; 0.5 is Reno's",
);

/// Reads the above; the rest is the entry's.
fn rule(settings: &Settings<'_>) -> RuleParameters {
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
    Box::new(vegas::controller(vegas::Parameters { parts: parts(settings), rule }))
}

const VEGAS_EQUATIONS: &str = "diff = W (RTT - BaseRTT)/RTT, RTT the mean of the last round, once per round\n\
    slow start: W += acked in every other round; diff > gamma: W = 7/8 W and avoidance\n\
    avoidance: diff < alpha: W += acked/W in this round; diff > beta: W -= 1; W >= 2\n\
    loss: W = ssthresh = 3/4 W, if the lost packet was sent after the last cut\n\
    timeout: ssthresh = max(W/2, 2), W = 2";

pub(super) const VEGAS: Entry = Entry {
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
    construct: |settings| build(settings, rule(settings)),
};

pub(super) const VEGAS_LINUX: Entry = Entry {
    name: "vegas-linux",
    summary: "Vegas as Linux builds it: smallest RTT of a round, doubling in every round, halving at losses",
    equations: "RTT the smallest of the last round; diff = floor(W (RTT - BaseRTT)/BaseRTT)\n\
                slow start: W += acked; diff > gamma: W = min(W, floor(W BaseRTT/RTT) + 1) and avoidance\n\
                avoidance, once per round: diff < alpha: W += 1; diff > beta: W -= 1; W >= 2\n\
                fewer than 3 samples in a round, and while a timeout is repaired: as Reno\n\
                loss: ssthresh = max(floor(W/2), 2), W = ssthresh; timeout: the same, W = 1",
    own: &[
        threshold("alpha", 2.0, "Linux", "fewer waiting on the path ask for a larger window"),
        threshold("beta", 4.0, "Linux", WHY_BETA),
        threshold("gamma", 1.0, "Linux", WHY_GAMMA),
    ],
    frame: &[],
    sources: &["Linux net/ipv4/tcp_vegas.c"],
    limits: "Thresholds are whole segments (fractions are cut off). A path that grows longer looks like a queue \
             until the flow idles. State Disorder is not modelled.",
    papers: &["L. Brakmo, L. Peterson, TCP Vegas, IEEE JSAC 13(8), 1995"],
    construct: |settings| {
        Box::new(vegas_linux::controller(vegas_linux::Parameters {
            alpha: settings.number("alpha") as u64,
            beta: settings.number("beta") as u64,
            gamma: settings.number("gamma") as u64,
        }))
    },
};

pub(super) const VEGAS_A: Entry = Entry {
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
    construct: |settings| build(settings, RuleParameters { adaptive: true, ..rule(settings) }),
    ..VEGAS
};

pub(super) const NEW_VEGAS: Entry = Entry {
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
    construct: |settings| build(settings, RuleParameters { convergence: true, ..rule(settings) }),
    ..VEGAS
};

/// `refresh` with its default.
const fn refresh(default: &'static str) -> Parameter {
    Parameter {
        name: "refresh",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["newest", "min-of-next", "off"]),
        source: "Vegas-W, section IV.B (it does not say by what BaseRTT is replaced)",
        why: "what replaces BaseRTT after a jump: the sample that jumped, or the smallest of as many more",
    }
}

const REFRESH_FACTOR: Parameter = number(
    "refresh_factor",
    "none",
    (2.0, 1.0, 100.0),
    "Vegas-W, section IV.B (n = 2)",
    "a jump by less is congestion: at 2 no reroute that adds less than a whole RTT is seen",
);

const REFRESH_SAMPLES: Parameter = number(
    "refresh_samples",
    "samples",
    (20.0, 1.0, MAX_REFRESH_SAMPLES as f64),
    "Vegas-W, section IV.B (m = 20)",
    "samples before a jump whose mean it must exceed; their mean has caught up after as many",
);

/// Reads the above.
fn read_refresh(settings: &Settings<'_>) -> Option<Refresh> {
    let to = match settings.text("refresh") {
        "off" => return None,
        "min-of-next" => RefreshTo::MinOfNext,
        _ => RefreshTo::Newest,
    };
    let samples = settings.number("refresh_samples") as usize;
    Some(Refresh { factor: settings.number("refresh_factor"), samples, to })
}

pub(super) const VEGAS_AB: Entry = Entry {
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
    construct: |settings| {
        let rule = RuleParameters { adaptive: true, refresh: read_refresh(settings), ..rule(settings) };
        build(settings, rule)
    },
    ..VEGAS
};

pub(super) const VENO: Entry = Entry {
    name: "veno",
    summary: "Veno: Reno that cuts by a fifth when Vegas sees no queue",
    equations: "N = W (RTT - BaseRTT)/RTT of the newest ACK\n\
                slow start and timeout as Reno; avoidance: W += acked/W, half of it if N >= beta\n\
                loss: ssthresh = max(4/5 W, 2) if N < beta, else max(W/2, 2); W = ssthresh",
    own: &[
        threshold("beta", 3.0, "Fu and Liew 2003; Linux", "with fewer waiting on the path a loss is random"),
        number(
            "kept_at_random_loss",
            "none",
            (0.8, 0.5, 1.0),
            "Fu and Liew 2003; Linux",
            "fraction of the window kept at a loss without a queue",
        ),
        flag(
            "reset_base_rtt",
            false,
            "Linux (false); Fu and Liew 2003 (true)",
            "forgets BaseRTT at every loss: a longer path is then learnt, but a standing queue is forgotten",
        ),
    ],
    frame: WINDOW_RULE,
    sources: &["Fu and Liew, IEEE JSAC 21(2), 2003", "Linux net/ipv4/tcp_veno.c"],
    limits: "BaseRTT is kept after a loss, as in Linux; that the paper forgets it is from memory. After the path \
             grew longer every loss is congestion. A loss before three RTT samples is congestion (Linux: random). \
             After idling BaseRTT is forgotten, as in Linux.",
    papers: &[
        "C. P. Fu, S. C. Liew, TCP Veno: TCP enhancement for transmission over wireless access networks, \
         IEEE JSAC 21(2), 2003",
    ],
    construct: |settings| {
        Box::new(veno::controller(veno::Parameters {
            parts: parts(settings),
            beta: settings.number("beta"),
            kept_at_random_loss: settings.number("kept_at_random_loss"),
            reset_base_rtt: settings.flag("reset_base_rtt"),
        }))
    },
};

const LOSS_VERDICT: Parameter = parts::loss_verdict(
    "gap",
    "Vegas-W, section IV.C",
    "\"congestion\" takes every loss for congestion, which shows what the rest does alone",
);

const TAU: Parameter = Parameter {
    name: "tau",
    unit: "time",
    default: Value::Text("50 ms"),
    domain: Domain::Time(Span::from_millis(1), Span::from_secs(10)),
    source: "this laboratory (Vegas-W gives none; ns-2's Westwood has 0.5 s to 1 s)",
    why: "near the RTT the estimate is W/RTT, which never exceeds the window: slow start then ends as in Vegas",
};

/// `bandwidth_memory` with its default.
const fn bandwidth_memory(default: &'static str) -> Parameter {
    Parameter {
        name: "bandwidth_memory",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["newest", "two-rounds"]),
        source: "Vegas-W, section IV.A (newest); this laboratory (largest of two rounds)",
        why: "the ACK that begins a round follows a pause, which halves the newest estimate just where it is asked",
    }
}

/// `estimate_in_avoidance` with its default.
const fn estimate_in_avoidance(default: bool) -> Parameter {
    flag(
        "estimate_in_avoidance",
        default,
        "Vegas-W, section IV.B (false); section IV.C needs it (true)",
        "false cuts at a loss to the bandwidth that slow start saw, whatever has become of it",
    )
}

/// `jump` with its default.
const fn jump(default: bool) -> Parameter {
    flag(
        "jump",
        default,
        "Vegas-W, section IV.C (true); Westwood (false)",
        "true sets W to B RTTmin at a loss even if that is larger",
    )
}

pub(super) const VEGAS_W: Entry = Entry {
    name: "vegas-w",
    summary: "Vegas-W, repaired: slow start and losses by Westwood's estimate, BaseRTT follows the route",
    equations: "B: Westwood's filter per ACK; as vegas, except that\n\
                slow start ends if diff > gamma and W >= B RTTmin, with W unchanged\n\
                avoidance: BaseRTT = RTT if RTT > refresh_factor mean(refresh_samples RTTs before)\n\
                loss: congestion iff sent(s-1) - sent(s-2) < acked(s-1) - acked(s-2), s the lost packet\n\
                then ssthresh = max(B RTTmin, 2), W = min(W, ssthresh) (jump: ssthresh); a link error changes nothing\n\
                timeout: ssthresh = max(B RTTmin, 2), W = 2",
    own: &[
        ALPHA,
        BETA,
        GAMMA,
        RTT,
        DOUBLING,
        KEPT_AT_LOSS,
        TAU,
        bandwidth_memory("two-rounds"),
        estimate_in_avoidance(true),
        jump(false),
        refresh("newest"),
        REFRESH_FACTOR,
        REFRESH_SAMPLES,
        LOSS_VERDICT,
    ],
    frame: WINDOW_RULE,
    sources: &[
        "J. Qu, Vegas-W",
        "Brakmo and Peterson 1995",
        "ns-2 tcp/tcp-vegas.cc",
        "Westwood, MobiCom 2001",
    ],
    limits: "Departs from the paper: the largest estimate of two rounds counts, it is renewed in avoidance, and a \
             loss never widens the window; vegas-w-paper does all three to the letter. tau is not in the paper. \
             The loss verdict is weak: ACKs clock a single steady flow so that both gaps are equal, and its \
             overflows are called link errors; the paper does not test it. A route that adds less than a whole RTT does not refresh \
             BaseRTT. Its 6.4 s to a full 15 Mbit/s at 0.54 s, ten doublings, need one in every round. kept_at_loss holds only while \
             there is no estimate. Compressed ACKs raise the estimate. After a refresh to a shorter path the \
             window comes down by one segment per round.",
    papers: &[
        "J. Qu, An enhanced TCP Vegas algorithm based on route surveillance and bandwidth estimation over \
         GEO satellite networks",
    ],
    construct: |settings| {
        let vegas = RuleParameters { kept_at_exit: 1.0, refresh: read_refresh(settings), ..rule(settings) };
        Box::new(vegas_w::controller(vegas_w::Parameters {
            parts: parts(settings),
            vegas,
            tau: settings.time("tau"),
            memory: match settings.text("bandwidth_memory") {
                "newest" => Memory::Newest,
                _ => Memory::TwoRounds,
            },
            estimate_in_avoidance: settings.flag("estimate_in_avoidance"),
            jump: settings.flag("jump"),
        }))
    },
};

pub(super) const VEGAS_W_PAPER: Entry = Entry {
    name: "vegas-w-paper",
    summary: "Vegas-W to the letter: newest estimate, kept in avoidance, W = B RTTmin at a loss",
    own: &[
        ALPHA,
        BETA,
        GAMMA,
        RTT,
        DOUBLING,
        KEPT_AT_LOSS,
        TAU,
        bandwidth_memory("newest"),
        estimate_in_avoidance(false),
        jump(true),
        refresh("newest"),
        REFRESH_FACTOR,
        REFRESH_SAMPLES,
        LOSS_VERDICT,
    ],
    limits: "tau is not in the paper; a tau near the RTT makes it Vegas without the cut of 7/8. A loss can widen \
             the window. The bandwidth of slow start holds through all of avoidance: after a rate change a loss \
             sets the old window again. The pause before a round halves the estimate that is asked there. The \
             loss verdict is weak: ACKs clock a single steady flow so that both gaps are equal. A route that adds less than a whole RTT does not refresh BaseRTT. Its 6.4 s to a full 15 Mbit/s need \
             doubling in every round.",
    ..VEGAS_W
};
