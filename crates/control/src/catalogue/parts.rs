// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be chosen about every window rule: slow start, loss verdict, Careful Resume, pacing; and short forms of
//! parameters for all entries.
//!
//! An entry whose controller stands in the frame of [`loss_based`](crate::loss_based) names [`WINDOW_RULE`] as its
//! `frame` and reads it with [`parts`]; a parameter of its own with the same name replaces the one here.

use crate::careful_resume::{self, CarefulResume};
use crate::catalogue::settings::OFF;
use crate::catalogue::{Domain, Parameter, Settings, Value};
use crate::logarithmic::AckRule;
use crate::loss_based::Parts;
use crate::loss_verdict::{
    Backlog, Handover, HandoverParameters, JudgedBy, LossJudge, Queueing, QueueingParameters, Schedule,
    Warning,
};
use crate::slow_start::{HyStartLinux, HyStartPlusPlus, SCurve, SlowStart};
use units::Span;

/// A number: default, smallest and largest value.
pub(crate) const fn number(
    name: &'static str,
    unit: &'static str,
    (default, min, max): (f64, f64, f64),
    source: &'static str,
    why: &'static str,
) -> Parameter {
    Parameter { name, unit, default: Value::Number(default), domain: Domain::Number(min, max), source, why }
}

/// A time: default, shortest and longest.
pub(crate) const fn time(
    name: &'static str,
    (default, min, max): (&'static str, Span, Span),
    source: &'static str,
    why: &'static str,
) -> Parameter {
    let (default, domain) = (Value::Text(default), Domain::Time(min, max));
    Parameter { name, unit: "time", default, domain, source, why }
}

/// A switch.
pub(crate) const fn flag(
    name: &'static str,
    default: bool,
    source: &'static str,
    why: &'static str,
) -> Parameter {
    Parameter { name, unit: "none", default: Value::Flag(default), domain: Domain::Flag, source, why }
}

/// The parameters of the frame for a rule that has an answer of its own to marks.
pub(crate) const OWN_MARKS: &[Parameter] = match WINDOW_RULE.split_last() {
    Some((_beta_ecn, others)) => others,
    None => &[],
};

/// The parameters of the frame; what [`OWN_MARKS`] leaves out comes last.
pub(crate) const WINDOW_RULE: &[Parameter] = &[
    slow_start(
        "classic",
        "RFC 5681",
        "how the window grows below the threshold, and what ends the initial slow start",
    ),
    GROWTH_LIMIT,
    MAX_SSTHRESH,
    ACK_RULE,
    loss_verdict("congestion", "RFC 5681", "tells losses of the link from losses to congestion"),
    ORACLE,
    QD_GAIN,
    MIN_NPD_WINDOW,
    BACKLOG_LIMIT,
    HANDOVER_WINDOW,
    HANDOVER_SCHEDULE,
    HANDOVER_BY,
    CAREFUL_RESUME,
    MAX_JUMP,
    SAVED_LIFETIME,
    pacing(false),
    BETA_ECN,
];

/// `slow_start` with another default.
pub(crate) const fn slow_start(default: &'static str, source: &'static str, why: &'static str) -> Parameter {
    Parameter {
        name: "slow_start",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["classic", "limited", "hystart++", "hoe", "s-curve", "hystart", "search"]),
        source,
        why,
    }
}

/// `growth_limit` with its usual default.
pub(crate) const GROWTH_LIMIT: Parameter = Parameter {
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

/// `ack_rule` with its usual default.
pub(crate) const ACK_RULE: Parameter = Parameter {
    name: "ack_rule",
    unit: "none",
    default: Value::Text("literal"),
    domain: Domain::Choice(&["literal", "exact"]),
    source: "A-LIAD, equation 2 (literal); this laboratory (exact)",
    why: "s-curve slow start: per ACK to the letter the gap falls by exp(1/2) per round, exactly by the 2 that is meant",
};

/// `loss_verdict` with another default.
pub(crate) const fn loss_verdict(
    default: &'static str,
    source: &'static str,
    why: &'static str,
) -> Parameter {
    Parameter {
        name: "loss_verdict",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["congestion", "queueing-delay", "backlog", "gap", "warning", "handover"]),
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

const BACKLOG_LIMIT: Parameter = Parameter {
    name: "backlog_limit",
    unit: "segments",
    default: Value::Number(3.0),
    domain: Domain::Number(0.0, 1e6),
    source: "Fu and Liew 2003 (Veno's beta)",
    why: "backlog verdict: with as many waiting on the path a loss is congestion",
};

const HANDOVER_WINDOW: Parameter = Parameter {
    name: "handover_window",
    unit: "time",
    default: Value::Text("1 s"),
    domain: Domain::Time(Span::ZERO, Span::from_secs(60)),
    source: "StarQUIC, authors' code",
    why: "handover verdict: losses this long before and after a handover are the link's",
};

const HANDOVER_SCHEDULE: Parameter = Parameter {
    name: "handover_schedule",
    unit: "none",
    default: Value::Text("announced"),
    domain: Domain::Choice(&["announced", "starlink"]),
    source: "StarQUIC, authors' code (starlink)",
    why: "handover verdict: \"starlink\" needs no announcements, it takes 12, 27, 42 and 57 s of every minute of the run",
};

const HANDOVER_BY: Parameter = Parameter {
    name: "handover_by",
    unit: "none",
    default: Value::Text("sending"),
    domain: Domain::Choice(&["sending", "detection"]),
    source: "StarQUIC; the authors' code judges by detection",
    why: "handover verdict: by detection a loss shortly before the handover is congestion if it is found too late",
};

const CAREFUL_RESUME: Parameter = Parameter {
    name: "careful_resume",
    unit: "none",
    default: Value::Flag(false),
    domain: Domain::Flag,
    source: "RFC 9959",
    why: "begins with half the capacity that an earlier connection saved, and saves what this one sees",
};

const MAX_JUMP: Parameter = Parameter {
    name: "max_jump",
    unit: "segments",
    default: Value::Number(1e9),
    domain: Domain::Number(1.0, 1e9),
    source: "RFC 9959, section 3.3 (the name; it gives no value)",
    why: "Careful Resume: bounds the jump whatever was saved",
};

const SAVED_LIFETIME: Parameter = Parameter {
    name: "saved_lifetime",
    unit: "time",
    default: Value::Text("300 s"),
    domain: Domain::Time(Span::ZERO, Span::from_secs(604_800)),
    source: "RFC 9959, section 4.3.1 (minutes on changing paths, hours on stable ones); 5 min: RFC 7661, section 5",
    why: "Careful Resume: what was saved earlier than this is not used",
};

const BETA_ECN: Parameter = Parameter {
    name: "beta_ecn",
    unit: "none",
    default: Value::Text(OFF),
    domain: Domain::ShareOrOff,
    source: "RFC 8511, section 3.1 (0.8, recommended for Reno alone; in its tests Reno gained with 0.7 to 0.85, CUBIC with 0.85); off: RFC 3168, section 5",
    why: "share of the flight kept at an ECN mark; off answers a mark as a loss; a queue that marks early is short, so keep more",
};

/// `pacing` with its default.
pub(crate) const fn pacing(default: bool) -> Parameter {
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
pub(crate) fn parts(settings: &Settings<'_>) -> Parts {
    Parts { beta_ecn: settings.share(BETA_ECN.name), ..parts_with_own_marks(settings) }
}

/// Reads [`OWN_MARKS`].
pub(crate) fn parts_with_own_marks(settings: &Settings<'_>) -> Parts {
    let pacing = settings.flag("pacing");
    Parts {
        slow_start: read_slow_start(settings, pacing),
        loss_judge: read_loss_judge(settings),
        careful_resume: read_careful_resume(settings),
        pacing,
        beta_ecn: None,
    }
}

fn read_careful_resume(settings: &Settings<'_>) -> Option<Box<CarefulResume>> {
    let parameters = careful_resume::Parameters {
        max_jump: settings.number("max_jump"),
        lifetime: settings.time("saved_lifetime"),
    };
    settings.flag("careful_resume").then(|| Box::new(CarefulResume::new(parameters)))
}

fn read_slow_start(settings: &Settings<'_>, paced: bool) -> SlowStart {
    let limit = settings.number("growth_limit");
    match settings.text("slow_start") {
        "limited" => SlowStart::Limited { limit, max_ssthresh: settings.number("max_ssthresh") },
        "hystart++" => SlowStart::HyStartPlusPlus(HyStartPlusPlus::new(paced)),
        "hoe" => SlowStart::Hoe { limit, estimate: Box::default() },
        "hystart" => SlowStart::HyStartLinux { limit, hystart: HyStartLinux::new(paced) },
        "search" => SlowStart::Search { limit, search: Box::default() },
        "s-curve" => SlowStart::SCurve(Box::new(SCurve::new(limit, ack_rule(settings)))),
        _ => SlowStart::Classic { limit },
    }
}

/// Reads [`ACK_RULE`].
pub(crate) fn ack_rule(settings: &Settings<'_>) -> AckRule {
    match settings.text("ack_rule") {
        "exact" => AckRule::Exact,
        "round" => AckRule::Round,
        _ => AckRule::Literal,
    }
}

fn read_loss_judge(settings: &Settings<'_>) -> LossJudge {
    match settings.text("loss_verdict") {
        "queueing-delay" => LossJudge::QueueingDelay(Box::new(Queueing::new(&QueueingParameters {
            qd_gain: settings.number("qd_gain"),
            oracle: settings.flag("oracle"),
            min_npd_window: settings.time("min_npd_window"),
        }))),
        "handover" => LossJudge::Handover(Box::new(Handover::new(HandoverParameters {
            window: settings.time("handover_window"),
            schedule: match settings.text("handover_schedule") {
                "starlink" => Schedule::Starlink,
                _ => Schedule::Announced,
            },
            by: match settings.text("handover_by") {
                "detection" => JudgedBy::Detection,
                _ => JudgedBy::Sending,
            },
        }))),
        "warning" => LossJudge::Warning(Warning::NONE),
        "backlog" => LossJudge::Backlog(Backlog::new(settings.number("backlog_limit"))),
        "gap" => LossJudge::Gap(Box::default()),
        _ => LossJudge::Congestion,
    }
}
