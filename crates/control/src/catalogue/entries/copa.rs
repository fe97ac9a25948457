// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copa.

use crate::catalogue::{Domain, Entry, Parameter, Settings, Value};
use crate::copa::{Copa, Parameters, Way};
use units::Span;

const DELTA: Parameter = Parameter {
    name: "delta",
    unit: "1/segments",
    default: Value::Number(0.5),
    domain: Domain::Number(0.001, 10.0),
    source: "Arun and Balakrishnan 2018, section 2.2 (0.5); mvfst takes 0.05",
    why: "1/delta segments are aimed at in the queue: smaller is faster and queues more",
};

const MIN_RTT_WINDOW: Parameter = Parameter {
    name: "min_rtt_window",
    unit: "time",
    default: Value::Text("10 s"),
    domain: Domain::Time(Span::from_millis(100), Span::from_secs(86_400)),
    source: "Arun and Balakrishnan 2018, section 2.1",
    why: "a path that grows longer is taken for a queue for this long",
};

const fn min_rtt_rounds(default: f64, source: &'static str) -> Parameter {
    Parameter {
        name: "min_rtt_rounds",
        unit: "round trips",
        default: Value::Number(default),
        domain: Domain::Number(0.0, 1000.0),
        source,
        why: "keeps the smallest RTT for at least so many of itself: 10 s are only 16 round trips of a GEO path",
    }
}

const MODE_SWITCHING: Parameter = Parameter {
    name: "mode_switching",
    unit: "none",
    default: Value::Flag(true),
    domain: Domain::Flag,
    source: "Arun and Balakrishnan 2018, section 2.2",
    why: "false keeps the default delta: lowest delay, and nothing beside a flow that fills the queue",
};

/// A switch between the paper and the authors' code.
const fn way(
    name: &'static str,
    default: &'static str,
    source: &'static str,
    why: &'static str,
) -> Parameter {
    Parameter {
        name,
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["paper", "code"]),
        source,
        why,
    }
}

const fn velocity(default: &'static str) -> Parameter {
    way(
        "velocity",
        default,
        "Arun and Balakrishnan 2018, section 2.1 (paper); genericCC (code)",
        "\"paper\" doubles after three RTTs in one direction, \"code\" at once",
    )
}

const fn empty_test(default: &'static str) -> Parameter {
    way(
        "empty_test",
        default,
        "Arun and Balakrishnan 2018, section 2.2 (paper); genericCC (code)",
        "\"paper\" asks whether the queue was nearly empty within five RTTs, \"code\" for the smallest RTT of four",
    )
}

const fn heavy_loss(default: bool) -> Parameter {
    Parameter {
        name: "heavy_loss",
        unit: "none",
        default: Value::Flag(default),
        domain: Domain::Flag,
        source: "genericCC (the paper has no reaction to loss in the default mode)",
        why: "keeps 0.7 of the window when over 30 % of the segments of two RTTs are lost",
    }
}

pub(super) const COPA: Entry = Entry {
    name: "copa",
    summary: "Copa as its paper has it, with mode switching",
    equations: "d_q = RTTstanding - RTTmin; target W = RTTstanding/(delta d_q)\n\
                RTTstanding: smallest RTT of SRTT/2; RTTmin: of min_rtt_window\n\
                slow start: W += acked, until W >= target\n\
                then W += v acked/(delta W) up to the target, W -= v acked/(delta W) above it; W >= 2\n\
                v = 1, doubled per RTT from the third on in one direction, at most delta W\n\
                d_q above 0.1 (RTTmax - RTTmin) for 5 SRTT: 1/delta += 1 per RTT, halved at a loss; else delta\n\
                timeout: W = 2 and slow start; pacing 2 W/RTTstanding",
    own: &[
        DELTA,
        MIN_RTT_WINDOW,
        min_rtt_rounds(0.0, "Arun and Balakrishnan 2018 (0); genericCC (20)"),
        MODE_SWITCHING,
        velocity("paper"),
        empty_test("paper"),
        heavy_loss(false),
    ],
    frame: &[],
    sources: &["Arun and Balakrishnan 2018", "genericCC (markoviancc.cc, rtt-window.cc, estimators.cc)"],
    limits: "A path that grows longer by x is a queue of x until RTTmin expires: the rate falls to 1/(delta x). \
             With a queue of a few segments, 0.1 (RTTmax - RTTmin) is less than one of them, and a flow alone can take \
             itself for a competitor for a while. v is bounded by delta W as in the authors' code: unbounded, as \
             printed, the window runs away. The paper's text was not read in full; a timeout and a window that does not limit \
             sending were not found in it.",
    papers: &[
        "V. Arun, H. Balakrishnan, Copa: Practical Delay-Based Congestion Control for the Internet, NSDI 2018",
    ],
    construct: copa,
};

pub(super) const COPA_CODE: Entry = Entry {
    name: "copa-code",
    summary: "Copa as its authors' program genericCC has it",
    own: &[
        DELTA,
        MIN_RTT_WINDOW,
        min_rtt_rounds(20.0, "genericCC (20); Arun and Balakrishnan 2018 (0)"),
        MODE_SWITCHING,
        velocity("code"),
        empty_test("code"),
        heavy_loss(true),
    ],
    limits: "From genericCC: velocity, test for an empty queue, reaction to heavy loss, memory of RTTmin. Not from it: \
             slow start from the first ACK, the ground's SRTT (gain 1/8, there 1/16), and timeouts, of which it takes \
             no notice. Otherwise the limits of copa hold.",
    ..COPA
};

fn copa(settings: &Settings<'_>) -> Box<dyn crate::Controller> {
    let way = |name| if settings.text(name) == "code" { Way::Code } else { Way::Paper };
    Box::new(Copa::new(Parameters {
        delta: settings.number("delta"),
        min_rtt_window: settings.time("min_rtt_window"),
        min_rtt_rounds: settings.number("min_rtt_rounds"),
        mode_switching: settings.flag("mode_switching"),
        velocity: way("velocity"),
        empty_test: way("empty_test"),
        heavy_loss: settings.flag("heavy_loss"),
    }))
}
