// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters of every window rule: slow start, loss verdict, Careful Resume, pacing.
//!
//! If the controller of an entry uses the frame [`loss_based`](crate::loss_based), the entry sets its `frame` to
//! [`WINDOW_RULE`] and reads these parameters with [`parts`]. If the entry declares a parameter with the same name, the
//! entry's parameter replaces the parameter of the frame.

use crate::careful_resume::{self, CarefulResume};
use crate::catalogue::{Parameter, Settings, Value, parameters, words};
use crate::logarithmic::AckRule;
use crate::loss_based::Parts;
use crate::loss_verdict::{
    Backlog, Handover, HandoverParameters, LossJudge, Queueing, QueueingParameters, Warning,
};
use crate::slow_start::{HyStartLinux, HyStartPlusPlus, RapidStart, SCurve, SlowStart};

/// The parameters of the frame for a rule that answers marks in its own way.
pub(crate) const OWN_MARKS: &[&[Parameter]] = match WINDOW_RULE.split_last() {
    Some((_backoff, others)) => others,
    None => &[],
};

/// The parameters of the frame. [`OWN_MARKS`] leaves out the last group.
pub(crate) const WINDOW_RULE: &[&[Parameter]] = &[
    &[
        SLOW_START,
        GROWTH_LIMIT,
        FrameParameters::LIST.get("max_ssthresh"),
        FrameParameters::LIST.get("ack_rule"),
        LOSS_VERDICT,
    ],
    &QueueingParameters::LIST.all,
    &[FrameParameters::LIST.get("backlog_limit")],
    &HandoverParameters::LIST.all,
    &[FrameParameters::LIST.get("careful_resume")],
    &careful_resume::Parameters::LIST.all,
    &[PACING],
    &Backoff::LIST.all,
];

/// The slow starts by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub(crate) enum SlowStartKind {
    Classic,
    Limited,
    HyStartPlusPlus,
    Hoe,
    SCurve,
    HyStartLinux,
    Search,
    Rapid,
}

words! {
    SlowStartKind {
        Classic = "classic",
        Limited = "limited",
        HyStartPlusPlus = "hystart++",
        Hoe = "hoe",
        SCurve = "s-curve",
        HyStartLinux = "hystart",
        Search = "search",
        Rapid = "rapid",
    }
}

/// The loss verdicts by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub(crate) enum VerdictKind {
    Congestion,
    QueueingDelay,
    Backlog,
    Gap,
    Warning,
    Handover,
}

words! {
    VerdictKind {
        Congestion = "congestion",
        QueueingDelay = "queueing-delay",
        Backlog = "backlog",
        Gap = "gap",
        Warning = "warning",
        Handover = "handover",
    }
}

words! { AckRule { Literal = "literal", Round = "round", Exact = "exact" } }

parameters! {
    /// Parameters of every window rule, in addition to the parameters of its parts.
    pub(crate) struct FrameParameters {
        /// how the window grows below the threshold, and what ends the initial slow start
        slow_start: SlowStartKind = word("classic"), "RFC 5681";
        /// maximum number of segments that slow start counts per ACK; with a larger limit, delayed ACKs do not slow
        /// down slow start; HyStart++ has its own limit, and Rapid Start has no limit before the first loss
        growth_limit: f64 = number("segments", 1.0, 1.0..=1e9), "RFC 5681, section 3.1 (1); RFC 3465 (2)";
        /// above this window, limited slow start adds at most half of this window per round
        max_ssthresh: f64 = number("segments", 100.0, 2.0..=1e9), "RFC 3742, section 2";
        /// rule per ACK of slow_start = "s-curve": literal divides the gap to the threshold by exp(1/2) per round;
        /// exact divides the gap by 2, as the paper intends
        ack_rule: AckRule = one_of("literal", &["literal", "exact"]),
            "A-LIAD, equation 2 (literal); Bentpipe (exact)";
        /// distinguishes link errors from losses to congestion
        loss_verdict: VerdictKind = word("congestion"), "RFC 5681";
        /// with loss_verdict = "backlog": a loss is congestion if at least this number of segments wait on the path
        backlog_limit: f64 = number("segments", 3.0, 0.0..=1e6), "Fu and Liew 2003 (Veno's beta)";
        /// starts with half the capacity that an earlier connection saved, and saves the capacity that this connection
        /// measures
        careful_resume: bool = flag(false), "RFC 9959";
        /// spreads a window over the round trip, so that it does not reach a shallow queue as one burst
        pacing: bool = flag(false), "Linux (2 windows per SRTT in slow start, 1.2 in avoidance)";
    }
}

parameters! {
    /// Parameters of every window rule that does not answer marks in its own way.
    pub(crate) struct Backoff {
        /// fraction of the flight that remains after an ECN mark; off treats a mark as a loss; if a queue marks early,
        /// the queue is short, so a larger fraction is possible
        beta_ecn: Option<f64> = share_or_off(),
            "RFC 8511, section 3.1 (0.8, recommended for Reno alone; in its tests Reno gained with 0.7 to 0.85, CUBIC with 0.85); off: RFC 3168, section 5";
    }
}

const SLOW_START: Parameter = FrameParameters::LIST.get("slow_start");
const GROWTH_LIMIT: Parameter = FrameParameters::LIST.get("growth_limit");
const LOSS_VERDICT: Parameter = FrameParameters::LIST.get("loss_verdict");
pub(crate) const PACING: Parameter = FrameParameters::LIST.get("pacing");

/// Returns `slow_start` with another default, source and reason.
pub(crate) const fn slow_start(default: &'static str, source: &'static str, why: &'static str) -> Parameter {
    let default = Value::Text(default);
    Parameter { default, source, why, ..SLOW_START }
}

/// Returns `loss_verdict` with another default, source and reason.
pub(crate) const fn loss_verdict(
    default: &'static str,
    source: &'static str,
    why: &'static str,
) -> Parameter {
    let default = Value::Text(default);
    Parameter { default, source, why, ..LOSS_VERDICT }
}

/// The parameter `growth_limit` for a rule whose slow start has no limit.
pub(crate) const fn no_growth_limit(source: &'static str) -> Parameter {
    GROWTH_LIMIT.preset(Value::Number(1e9)).source(source)
}

/// The parameter `pacing` with the given default.
pub(crate) const fn pacing(default: bool) -> Parameter {
    PACING.preset(Value::Flag(default))
}

/// Reads the parameters in [`WINDOW_RULE`].
pub(crate) fn parts(settings: &Settings<'_>) -> Parts {
    Parts { beta_ecn: Backoff::read(settings).beta_ecn, ..parts_with_own_marks(settings) }
}

/// Reads the parameters in [`OWN_MARKS`].
pub(crate) fn parts_with_own_marks(settings: &Settings<'_>) -> Parts {
    let frame = FrameParameters::read(settings);
    let careful_resume = || Box::new(CarefulResume::new(careful_resume::Parameters::read(settings)));
    Parts {
        slow_start: slow_start_of(frame),
        loss_judge: loss_judge_of(frame, settings),
        careful_resume: frame.careful_resume.then(careful_resume),
        pacing: frame.pacing,
        beta_ecn: None,
    }
}

fn slow_start_of(frame: FrameParameters) -> SlowStart {
    let FrameParameters { growth_limit: limit, max_ssthresh, ack_rule, pacing: paced, .. } = frame;
    match frame.slow_start {
        SlowStartKind::Classic => SlowStart::Classic { limit },
        SlowStartKind::Limited => SlowStart::Limited { limit, max_ssthresh },
        SlowStartKind::HyStartPlusPlus => SlowStart::HyStartPlusPlus(HyStartPlusPlus::new(paced)),
        SlowStartKind::Hoe => SlowStart::Hoe { limit, estimate: Box::default() },
        SlowStartKind::SCurve => SlowStart::SCurve(Box::new(SCurve::new(limit, ack_rule))),
        SlowStartKind::HyStartLinux => SlowStart::HyStartLinux { limit, hystart: HyStartLinux::new(paced) },
        SlowStartKind::Search => SlowStart::Search { limit, search: Box::default() },
        SlowStartKind::Rapid => SlowStart::Rapid(Box::new(RapidStart::new(limit))),
    }
}

fn loss_judge_of(frame: FrameParameters, settings: &Settings<'_>) -> LossJudge {
    match frame.loss_verdict {
        VerdictKind::Congestion => LossJudge::Congestion,
        VerdictKind::QueueingDelay => {
            LossJudge::QueueingDelay(Box::new(Queueing::new(&QueueingParameters::read(settings))))
        }
        VerdictKind::Backlog => LossJudge::Backlog(Backlog::new(frame.backlog_limit)),
        VerdictKind::Gap => LossJudge::Gap(Box::default()),
        VerdictKind::Warning => LossJudge::Warning(Warning::NONE),
        VerdictKind::Handover => {
            LossJudge::Handover(Box::new(Handover::new(HandoverParameters::read(settings))))
        }
    }
}
