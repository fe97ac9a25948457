// SPDX-License-Identifier: MIT OR Apache-2.0
//! LEDBAT and LEDBAT++.

use super::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Domain, Entry, Parameter, Settings, Value};
use crate::ledbat::{self, Delay, Law};
use units::Span;

const fn target(default: &'static str, source: &'static str) -> Parameter {
    Parameter {
        name: "target",
        unit: "time",
        default: Value::Text(default),
        domain: Domain::Time(Span::from_millis(1), Span::from_secs(10)),
        source,
        why: "queueing delay aimed at: below it the window grows, above it the window shrinks",
    }
}

const fn delay(default: &'static str, source: &'static str) -> Parameter {
    Parameter {
        name: "delay",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["one-way", "round-trip"]),
        source,
        why: "one-way delays do not count queues on the way back, but need the receiver's timestamps",
    }
}

pub(super) const LEDBAT: Entry = Entry {
    name: "ledbat",
    summary: "LEDBAT (RFC 6817): background transport that keeps a fixed queueing delay",
    equations: "queueing = min(last 4 delays) - min(delays of 10 minutes)\n\
                W += gain (target - queueing)/target acked/W, at least 2\n\
                loss: W = max(FlightSize/2, 2); timeout: W = 1, then 2",
    own: &[
        target("100 ms", "RFC 6817, section 2.5"),
        Parameter {
            name: "gain",
            unit: "segments",
            default: Value::Number(1.0),
            domain: Domain::Number(0.001, 1.0),
            source: "RFC 6817, section 2.5",
            why: "growth per round trip while the queue is empty: at 1 no faster than Reno",
        },
        delay("one-way", "RFC 6817, section 3.4"),
        Parameter {
            name: "initial_slow_start",
            unit: "none",
            default: Value::Flag(false),
            domain: Domain::Flag,
            source: "RFC 6817, section 2.4.2 (none in its algorithm)",
            why: "without it the window grows by one segment per round trip from the first",
        },
    ],
    frame: WINDOW_RULE,
    sources: &["RFC 6817"],
    limits: "A later flow takes an earlier one's queue for the base delay and displaces it. A path that grows longer is \
             a queue for ten minutes. ALLOWED_INCREASE is replaced by growth only while the window limits sending; \
             INIT_CWND is the ground's. Clock skew is not corrected. During recovery the window stands. \
             Needs one-way delays: on a ground that gives none, `delay = \"round-trip\"` does without, and counts queues on the \
             way back. The RFC's text was not read in full.",
    papers: &[
        "D. Rossi, C. Testa, S. Valenti, L. Muscariello, LEDBAT: the new BitTorrent congestion control protocol, \
         ICCCN 2010",
    ],
    construct: |settings| {
        let law =
            Law::Ledbat { gain: settings.number("gain"), slow_start: settings.flag("initial_slow_start") };
        controller(settings, law)
    },
};

pub(super) const LEDBAT_PLUS_PLUS: Entry = Entry {
    name: "ledbat-plus-plus",
    summary: "LEDBAT++: LEDBAT with multiplicative decrease, gentler growth and periodic slowdowns",
    equations: "queueing = min(last 4 RTTs) - min(RTTs of 10 minutes), G = 1/min(16, ceil(2 target/base))\n\
                queueing <= target: W += G acked/W\n\
                else W += max(G - decrease W (queueing/target - 1), -W/2) acked/W, at least 2\n\
                slow start: W += G per counted segment; the first ends at queueing > 0.75 target\n\
                slowdown: ssthresh = W, W = 2 for 2 RTT, then slow start to ssthresh\n\
                first slowdown 2 RTT after the first slow start, then 9 times the last one's length after its end\n\
                loss: W = max(FlightSize/2, 2); timeout: W = 1",
    own: &[
        target("60 ms", "draft-irtf-iccrg-ledbat-plus-plus, section 4"),
        Parameter {
            name: "decrease",
            unit: "none",
            default: Value::Number(1.0),
            domain: Domain::Number(0.01, 10.0),
            source: "draft-irtf-iccrg-ledbat-plus-plus, section 4.2 (Constant)",
            why: "larger gives way faster",
        },
        delay("round-trip", "draft-irtf-iccrg-ledbat-plus-plus, section 4.1"),
        Parameter {
            name: "periodic_slowdown",
            unit: "none",
            default: Value::Flag(true),
            domain: Domain::Flag,
            source: "draft-irtf-iccrg-ledbat-plus-plus, section 4.4",
            why: "false shows the latecomer's advantage that slowdowns remove",
        },
    ],
    frame: WINDOW_RULE,
    sources: &["draft-irtf-iccrg-ledbat-plus-plus", "RFC 6817"],
    limits: "On a path of 120 ms or more the gain is 1: it grows like Reno. A queue on the way back counts. \
             The draft says nothing of a loss in a slowdown: it halves the window to which the slowdown returns. \
             During recovery the window stands. The draft's text was not read in full; section numbers are from memory.",
    papers: &["P. Balasubramanian, O. Ertugay, D. Havey, M. Bagnulo, \
         LEDBAT++: Congestion Control for Background Traffic, draft-irtf-iccrg-ledbat-plus-plus"],
    construct: |settings| {
        let law = Law::PlusPlus {
            decrease: settings.number("decrease"),
            slowdowns: settings.flag("periodic_slowdown"),
        };
        controller(settings, law)
    },
};

fn controller(settings: &Settings<'_>, law: Law) -> Box<dyn crate::Controller> {
    Box::new(ledbat::controller(ledbat::Parameters {
        law,
        target: settings.time("target"),
        delay: if settings.text("delay") == "one-way" { Delay::OneWay } else { Delay::RoundTrip },
        parts: parts(settings),
    }))
}
