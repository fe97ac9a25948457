// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of controllers.

use super::{Domain, Entry, Parameter, Settings, Value};
use crate::reno;
use crate::slow_start::{HyStartPlusPlus, SlowStart};

pub(super) const ENTRIES: &[Entry] = &[
    Entry { name: "reno", summary: "Reno (RFC 5681)", ..RENO },
    Entry {
        name: "newreno",
        summary: "Reno's window rule; choose recovery \"newreno\" (RFC 6582) in the transport",
        ..RENO
    },
    Entry {
        name: "sack",
        summary: "Reno's window rule; choose recovery \"sack\" (RFC 6675) in the transport",
        ..RENO
    },
];

const SLOW_STARTS: Domain = Domain::Choice(&["classic", "limited", "hystart++"]);

/// `name = default` among the slow starts.
const fn slow_start(default: &'static str, why: &'static str) -> Parameter {
    Parameter {
        name: "slow_start",
        unit: "none",
        default: Value::Text(default),
        domain: SLOW_STARTS,
        source: "RFC 5681, RFC 3742, RFC 9406",
        why,
    }
}

const GROWTH_LIMIT: Parameter = Parameter {
    name: "growth_limit",
    unit: "segments",
    default: Value::Number(1.0),
    domain: Domain::Number(1.0, 1e9),
    source: "RFC 5681, section 3.1 (1); RFC 3465 (2)",
    why: "most segments that one ACK counts in classic and limited slow start; larger keeps delayed ACKs from slowing it",
};

const MAX_SSTHRESH: Parameter = Parameter {
    name: "max_ssthresh",
    unit: "segments",
    default: Value::Number(100.0),
    domain: Domain::Number(2.0, 1e9),
    source: "RFC 3742, section 2",
    why: "window beyond which limited slow start adds at most half of this per round",
};

/// A switch for pacing.
const fn pacing(default: bool) -> Parameter {
    Parameter {
        name: "pacing",
        unit: "none",
        default: Value::Flag(default),
        domain: Domain::Flag,
        source: "Linux (2 windows per SRTT in slow start, 1.2 in avoidance)",
        why: "spreads a window over the round trip, so that a shallow queue does not see it as one burst",
    }
}

/// Reads the parameters that [`slow_start`], [`GROWTH_LIMIT`], [`MAX_SSTHRESH`] and [`pacing`] declare.
fn read_slow_start(settings: &Settings<'_>) -> SlowStart {
    let limit = settings.number("growth_limit");
    match settings.text("slow_start") {
        "limited" => SlowStart::Limited { limit, max_ssthresh: settings.number("max_ssthresh") },
        "hystart++" => SlowStart::HyStartPlusPlus(HyStartPlusPlus::new(settings.flag("pacing"))),
        _ => SlowStart::Classic { limit },
    }
}

const RENO: Entry = Entry {
    name: "",
    summary: "",
    equations: "slow start (W < ssthresh): W += min(acked, L) per ACK\n\
                avoidance: W += acked / W per ACK\n\
                loss: ssthresh = max(FlightSize/2, 2), W = ssthresh\n\
                timeout: ssthresh = max(FlightSize/2, 2), W = 1",
    parameters: &[
        slow_start("classic", "HyStart++ leaves slow start before the queue overflows"),
        GROWTH_LIMIT,
        MAX_SSTHRESH,
        Parameter {
            name: "byte_counting",
            unit: "none",
            default: Value::Flag(true),
            domain: Domain::Flag,
            source: "RFC 3465; RFC 5681, section 3.1",
            why: "false counts one segment per ACK (equation 3): delayed ACKs then halve the growth in avoidance",
        },
        pacing(false),
    ],
    sources: &["RFC 5681", "RFC 3465", "RFC 6582", "RFC 6675"],
    limits: "Mean window sqrt(3/(2p)) segments: long paths with random loss stay far below capacity.",
    papers: &["V. Jacobson, Congestion Avoidance and Control, SIGCOMM 1988"],
    construct: |settings| {
        Box::new(reno::controller(reno::Parameters {
            slow_start: read_slow_start(settings),
            byte_counting: settings.flag("byte_counting"),
            pacing: settings.flag("pacing"),
        }))
    },
};
