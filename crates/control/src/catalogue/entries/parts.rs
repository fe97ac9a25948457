// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be chosen about every window rule: slow start, loss verdict, pacing.
//!
//! An entry whose controller stands in the frame of [`loss_based`](crate::loss_based) names [`WINDOW_RULE`] as its
//! `frame` and reads it with [`parts`]; a parameter of its own with the same name replaces the one here.

use crate::catalogue::{Domain, Parameter, Settings, Value};
use crate::loss_based::Parts;
use crate::loss_verdict::{LossVerdict, Queueing, QueueingParameters};
use crate::slow_start::{HyStartLinux, HyStartPlusPlus, SlowStart};
use units::Span;

/// The parameters of the frame.
pub(super) const WINDOW_RULE: &[Parameter] = &[
    slow_start(
        "classic",
        "RFC 5681",
        "how the window grows below the threshold, and what ends the initial slow start",
    ),
    GROWTH_LIMIT,
    MAX_SSTHRESH,
    loss_verdict("congestion", "RFC 5681", "tells losses of the link from losses to congestion"),
    ORACLE,
    QD_GAIN,
    MIN_NPD_WINDOW,
    pacing(false),
];

/// `slow_start` with another default.
pub(super) const fn slow_start(default: &'static str, source: &'static str, why: &'static str) -> Parameter {
    Parameter {
        name: "slow_start",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["classic", "limited", "hystart++", "hoe", "hystart", "search"]),
        source,
        why,
    }
}

/// `growth_limit` with its usual default.
pub(super) const GROWTH_LIMIT: Parameter = Parameter {
    name: "growth_limit",
    unit: "segments",
    default: Value::Number(1.0),
    domain: Domain::Number(1.0, 1e9),
    source: "RFC 5681, section 3.1 (1); RFC 3465 (2)",
    why: "most segments that one ACK counts in slow start (HyStart++ has a limit of its own); larger keeps delayed ACKs from slowing it",
};

const MAX_SSTHRESH: Parameter = Parameter {
    name: "max_ssthresh",
    unit: "segments",
    default: Value::Number(100.0),
    domain: Domain::Number(2.0, 1e9),
    source: "RFC 3742, section 2",
    why: "window beyond which limited slow start adds at most half of this per round",
};

/// `loss_verdict` with another default.
pub(super) const fn loss_verdict(
    default: &'static str,
    source: &'static str,
    why: &'static str,
) -> Parameter {
    Parameter {
        name: "loss_verdict",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["congestion", "queueing-delay"]),
        source,
        why,
    }
}

const ORACLE: Parameter = Parameter {
    name: "oracle",
    unit: "none",
    default: Value::Flag(true),
    domain: Domain::Flag,
    source: "Hybla-IM, section 3.2.1",
    why: "queueing-delay verdict: false does without the orbits, the queueing delay is RTT - min(RTT)",
};

const QD_GAIN: Parameter = Parameter {
    name: "qd_gain",
    unit: "none",
    default: Value::Number(1.0 / 128.0),
    domain: Domain::Number(1e-6, 1.0),
    source: "this laboratory (Hybla-IM gives no value)",
    why: "queueing-delay verdict: weight of a new delay in the smoothed one; a large one forgets the uncongested path",
};

const MIN_NPD_WINDOW: Parameter = Parameter {
    name: "min_npd_window",
    unit: "time",
    default: Value::Text("30 s"),
    domain: Domain::Time(Span::from_millis(100), Span::from_secs(86_400)),
    source: "this laboratory (Hybla-IM remembers for ever)",
    why: "queueing-delay verdict: how long the smallest non-propagation delay is remembered",
};

/// `pacing` with its default.
pub(super) const fn pacing(default: bool) -> Parameter {
    Parameter {
        name: "pacing",
        unit: "none",
        default: Value::Flag(default),
        domain: Domain::Flag,
        source: "Linux (2 windows per SRTT in slow start, 1.2 in avoidance)",
        why: "spreads a window over the round trip, so that a shallow queue does not see it as one burst",
    }
}

/// Reads [`WINDOW_RULE`].
pub(super) fn parts(settings: &Settings<'_>) -> Parts {
    let pacing = settings.flag("pacing");
    Parts { slow_start: read_slow_start(settings, pacing), loss_verdict: read_loss_verdict(settings), pacing }
}

fn read_slow_start(settings: &Settings<'_>, paced: bool) -> SlowStart {
    let limit = settings.number("growth_limit");
    match settings.text("slow_start") {
        "limited" => SlowStart::Limited { limit, max_ssthresh: settings.number("max_ssthresh") },
        "hystart++" => SlowStart::HyStartPlusPlus(HyStartPlusPlus::new(paced)),
        "hoe" => SlowStart::Hoe { limit, estimate: Box::default() },
        "hystart" => SlowStart::HyStartLinux { limit, hystart: HyStartLinux::new(paced) },
        "search" => SlowStart::Search { limit, search: Box::default() },
        _ => SlowStart::Classic { limit },
    }
}

fn read_loss_verdict(settings: &Settings<'_>) -> LossVerdict {
    match settings.text("loss_verdict") {
        "queueing-delay" => LossVerdict::QueueingDelay(Box::new(Queueing::new(&QueueingParameters {
            qd_gain: settings.number("qd_gain"),
            oracle: settings.flag("oracle"),
            min_npd_window: settings.time("min_npd_window"),
        }))),
        _ => LossVerdict::Congestion,
    }
}
