// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be chosen about every window rule: slow start, loss verdict, Careful Resume, pacing.
//!
//! An entry whose controller stands in the frame of [`loss_based`](crate::loss_based) names [`WINDOW_RULE`] as its
//! `frame` and reads it with [`parts`]; a parameter of its own with the same name replaces the one here.

use crate::careful_resume::{self, CarefulResume};
use crate::catalogue::{Parameter, Settings, Value, parameters, words};
use crate::logarithmic::AckRule;
use crate::loss_based::Parts;
use crate::loss_verdict::{
    Backlog, Handover, HandoverParameters, JudgedBy, LossJudge, Queueing, QueueingParameters, Schedule,
    Warning,
};
use crate::slow_start::{HyStartLinux, HyStartPlusPlus, SCurve, SlowStart};
use units::Span;

/// The parameters of the frame for a rule that has an answer of its own to marks.
pub(crate) const OWN_MARKS: &[&[Parameter]] = &[&WindowRule::LIST.0];

/// The parameters of the frame.
pub(crate) const WINDOW_RULE: &[&[Parameter]] = &[&WindowRule::LIST.0, &Backoff::LIST.0];

/// The slow starts by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Classic,
    Limited,
    HyStartPlusPlus,
    Hoe,
    SCurve,
    HyStartLinux,
    Search,
}

words! {
    Start {
        Classic = "classic",
        Limited = "limited",
        HyStartPlusPlus = "hystart++",
        Hoe = "hoe",
        SCurve = "s-curve",
        HyStartLinux = "hystart",
        Search = "search",
    }
}

/// The loss verdicts by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Congestion,
    QueueingDelay,
    Backlog,
    Gap,
    Warning,
    Handover,
}

words! {
    Verdict {
        Congestion = "congestion",
        QueueingDelay = "queueing-delay",
        Backlog = "backlog",
        Gap = "gap",
        Warning = "warning",
        Handover = "handover",
    }
}

words! { AckRule { Literal = "literal", Round = "round", Exact = "exact" } }
words! { Schedule { Announced = "announced", Starlink = "starlink" } }
words! { JudgedBy { Sending = "sending", Detection = "detection" } }

parameters! {
    /// What can be chosen about every window rule.
    pub(crate) struct WindowRule {
        /// how the window grows below the threshold, and what ends the initial slow start
        slow_start: Start = word("classic"), "RFC 5681";
        /// most segments that one ACK counts in slow start (HyStart++ has a limit of its own); larger keeps delayed ACKs
        /// from slowing it
        growth_limit: f64 = number("segments", 1.0, 1.0..=1e9), "RFC 5681, section 3.1 (1); RFC 3465 (2)";
        /// window beyond which limited slow start adds at most half of this per round
        max_ssthresh: f64 = number("segments", 100.0, 2.0..=1e9), "RFC 3742, section 2";
        /// s-curve slow start: per ACK to the letter the gap falls by exp(1/2) per round, exactly by the 2 that is meant
        ack_rule: AckRule = one_of("literal", &["literal", "exact"]),
            "A-LIAD, equation 2 (literal); this laboratory (exact)";
        /// tells losses of the link from losses to congestion
        loss_verdict: Verdict = word("congestion"), "RFC 5681";
        /// queueing-delay verdict: false does without the orbits, the queueing delay is RTT - min(RTT)
        oracle: bool = flag(true), "Hybla-IM, section 3.2.1";
        /// queueing-delay verdict: weight of a new delay in the smoothed one; a large one forgets the uncongested path
        qd_gain: f64 = number("none", 1.0 / 128.0, 1e-6..=1.0), "this laboratory (Hybla-IM gives no value)";
        /// queueing-delay verdict: how long the smallest non-propagation delay is remembered
        min_npd_window: Span = time("30 s", Span::from_millis(100)..=Span::from_secs(86_400)),
            "this laboratory (Hybla-IM remembers for ever)";
        /// backlog verdict: with as many waiting on the path a loss is congestion
        backlog_limit: f64 = number("segments", 3.0, 0.0..=1e6), "Fu and Liew 2003 (Veno's beta)";
        /// handover verdict: losses this long before and after a handover are the link's
        handover_window: Span = time("1 s", Span::ZERO..=Span::from_secs(60)), "StarQUIC, authors' code";
        /// handover verdict: "starlink" needs no announcements, it takes 12, 27, 42 and 57 s of every minute of the run
        handover_schedule: Schedule = word("announced"), "StarQUIC, authors' code (starlink)";
        /// handover verdict: by detection a loss shortly before the handover is congestion if it is found too late
        handover_by: JudgedBy = word("sending"), "StarQUIC; the authors' code judges by detection";
        /// begins with half the capacity that an earlier connection saved, and saves what this one sees
        careful_resume: bool = flag(false), "RFC 9959";
        /// Careful Resume: bounds the jump whatever was saved
        max_jump: f64 = number("segments", 1e9, 1.0..=1e9),
            "RFC 9959, section 3.3 (the name; it gives no value)";
        /// Careful Resume: what was saved earlier than this is not used
        saved_lifetime: Span = time("300 s", Span::ZERO..=Span::from_secs(604_800)),
            "RFC 9959, section 4.3.1 (minutes on changing paths, hours on stable ones); 5 min: RFC 7661, section 5";
        /// spreads a window over the round trip, so that a shallow queue does not see it as one burst
        pacing: bool = flag(false), "Linux (2 windows per SRTT in slow start, 1.2 in avoidance)";
    }
}

parameters! {
    /// What can be chosen about every window rule that has no answer of its own to marks.
    pub(crate) struct Backoff {
        /// share of the flight kept at an ECN mark; off answers a mark as a loss; a queue that marks early is short, so
        /// keep more
        beta_ecn: Option<f64> = share_or_off(),
            "RFC 8511, section 3.1 (0.8, recommended for Reno alone; in its tests Reno gained with 0.7 to 0.85, CUBIC with 0.85); off: RFC 3168, section 5";
    }
}

/// `slow_start` with another default, for another reason.
pub(crate) const fn slow_start(default: &'static str, source: &'static str, why: &'static str) -> Parameter {
    let default = Value::Text(default);
    Parameter { default, source, why, ..WindowRule::LIST.get("slow_start") }
}

/// `loss_verdict` with another default, for another reason.
pub(crate) const fn loss_verdict(
    default: &'static str,
    source: &'static str,
    why: &'static str,
) -> Parameter {
    let default = Value::Text(default);
    Parameter { default, source, why, ..WindowRule::LIST.get("loss_verdict") }
}

/// `growth_limit` of a rule whose slow start has none.
pub(crate) const fn no_growth_limit(source: &'static str) -> Parameter {
    WindowRule::LIST.get("growth_limit").preset(Value::Number(1e9)).source(source)
}

pub(crate) const PACING: Parameter = WindowRule::LIST.get("pacing");

/// `pacing` with its default.
pub(crate) const fn pacing(default: bool) -> Parameter {
    PACING.preset(Value::Flag(default))
}

/// Reads [`WINDOW_RULE`].
pub(crate) fn parts(settings: &Settings<'_>) -> Parts {
    Parts { beta_ecn: Backoff::read(settings).beta_ecn, ..parts_with_own_marks(settings) }
}

/// Reads [`OWN_MARKS`].
pub(crate) fn parts_with_own_marks(settings: &Settings<'_>) -> Parts {
    let chosen = WindowRule::read(settings);
    Parts {
        slow_start: chosen.slow_start(),
        loss_judge: chosen.loss_judge(),
        careful_resume: chosen.careful_resume(),
        pacing: chosen.pacing,
        beta_ecn: None,
    }
}

impl WindowRule {
    fn slow_start(&self) -> SlowStart {
        let Self { growth_limit: limit, max_ssthresh, ack_rule, pacing: paced, .. } = *self;
        match self.slow_start {
            Start::Classic => SlowStart::Classic { limit },
            Start::Limited => SlowStart::Limited { limit, max_ssthresh },
            Start::HyStartPlusPlus => SlowStart::HyStartPlusPlus(HyStartPlusPlus::new(paced)),
            Start::Hoe => SlowStart::Hoe { limit, estimate: Box::default() },
            Start::SCurve => SlowStart::SCurve(Box::new(SCurve::new(limit, ack_rule))),
            Start::HyStartLinux => SlowStart::HyStartLinux { limit, hystart: HyStartLinux::new(paced) },
            Start::Search => SlowStart::Search { limit, search: Box::default() },
        }
    }

    fn loss_judge(&self) -> LossJudge {
        let Self { qd_gain, oracle, min_npd_window, .. } = *self;
        match self.loss_verdict {
            Verdict::Congestion => LossJudge::Congestion,
            Verdict::QueueingDelay => {
                LossJudge::QueueingDelay(Box::new(Queueing::new(&QueueingParameters {
                    qd_gain,
                    oracle,
                    min_npd_window,
                })))
            }
            Verdict::Backlog => LossJudge::Backlog(Backlog::new(self.backlog_limit)),
            Verdict::Gap => LossJudge::Gap(Box::default()),
            Verdict::Warning => LossJudge::Warning(Warning::NONE),
            Verdict::Handover => LossJudge::Handover(Box::new(Handover::new(HandoverParameters {
                window: self.handover_window,
                schedule: self.handover_schedule,
                by: self.handover_by,
            }))),
        }
    }

    fn careful_resume(&self) -> Option<Box<CarefulResume>> {
        let Self { max_jump, saved_lifetime: lifetime, .. } = *self;
        let parameters = careful_resume::Parameters { max_jump, lifetime };
        self.careful_resume.then(|| Box::new(CarefulResume::new(parameters)))
    }
}
