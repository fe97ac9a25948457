// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP-Peach, Peach+ and Cherry.

use super::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Domain, Entry, Parameter, Settings, Value};
use crate::peach::{self, Parameters};

const RWND: Parameter = Parameter {
    name: "rwnd",
    unit: "segments",
    default: Value::Number(700.0),
    domain: Domain::Number(2.0, 1e6),
    source: "Akyildiz, Morabito and Palazzo 2001 (the symbol); 700 is this laboratory's choice (about 15 Mbit/s over GEO)",
    why: "how far probes open the window: set it to the bandwidth-delay product of the path",
};

/// Sudden Start stands in its place.
const SLOW_START: Parameter = Parameter {
    name: "slow_start",
    unit: "none",
    default: Value::Text("classic"),
    domain: Domain::Choice(&["classic"]),
    source: "Akyildiz, Morabito and Palazzo 2001",
    why: "none: Sudden Start replaces the slow start",
};

const OWN: &[Parameter] = &[RWND, SLOW_START];

pub(super) const PEACH: Entry = Entry {
    name: "peach",
    summary: "TCP-Peach: low-priority dummy segments probe the path at the start and after a loss",
    equations: "start and timeout (Sudden Start): W = 1; rwnd - 1 probes, one every RTT/rwnd\n\
                each acknowledged probe: W += 1, up to rwnd; avoidance: W += acked/W; no slow start\n\
                loss (Rapid Recovery): W_0 = FlightSize, W = ssthresh = max(W_0/2, 2), adsn = W_0, wdsn = W\n\
                until it is repaired each acknowledged segment releases one of adsn probes\n\
                the first wdsn acknowledged probes change nothing, each later one: W += 1, up to rwnd",
    own: OWN,
    frame: WINDOW_RULE,
    sources: &["Akyildiz, Morabito and Palazzo 2001 (from memory)"],
    limits: "rwnd must be set to the path's bandwidth-delay product: Sudden Start opens the window to it if the path \
             lets the probes through, and avoidance alone goes further. Every router must drop probes first; otherwise \
             they are load, and their ACKs say nothing. The text of the paper was not at hand: adsn and wdsn are the \
             one pair that restores the window after a link error and leaves it halved after congestion. \
             Without a known propagation delay Sudden Start waits for the first RTT sample, which the paper takes from \
             the handshake. Slow-start parameters have no effect.",
    papers: &[
        "I. F. Akyildiz, G. Morabito, S. Palazzo, TCP-Peach: a new congestion control scheme for satellite IP \
         networks, IEEE/ACM Transactions on Networking 9(3), 2001",
    ],
    construct: |settings| peach(settings, false),
};

pub(super) const PEACH_PLUS: Entry = Entry {
    name: "peach-plus",
    summary: "TCP-Peach+, stand-in: Peach's window rule; its probes (NIL segments) repeat unacknowledged data",
    sources: &["Akyildiz, Zhang and Fang 2002 (abstract)"],
    limits: "A stand-in: Jump Start and Quick Recovery are built as Peach's Sudden Start and Rapid Recovery, which they \
             refine for SACK; it commands what peach does. That a NIL segment repairs a loss is the transport's doing. \
             Limits of peach hold.",
    papers: &[
        "I. F. Akyildiz, X. Zhang, J. Fang, TCP-Peach+: enhancement of TCP-Peach for satellite IP networks, \
         IEEE Communications Letters 6(7), 2002",
    ],
    ..PEACH
};

pub(super) const CHERRY: Entry = Entry {
    name: "cherry",
    summary: "TCP-Cherry, stand-in: Peach's window rule; its probes (supplement segments) carry data not sent yet",
    sources: &["Utsumi, Zabir and Shiratori 2008 (abstract)"],
    limits: "A stand-in: Fast-Forward Start and First-Aid Recovery are built as Peach's Sudden Start and Rapid \
             Recovery; the difference is what the probes carry. Supplements that the receiver kept count as goodput \
             once. Limits of peach hold.",
    papers: &[
        "S. Utsumi, S. M. S. Zabir, N. Shiratori, TCP-Cherry: a new approach for TCP congestion control over \
         satellite IP networks, Computer Communications 31(10), 2008",
    ],
    construct: |settings| peach(settings, true),
    ..PEACH
};

fn peach(settings: &Settings<'_>, new_data: bool) -> Box<dyn crate::Controller> {
    let rwnd = settings.number("rwnd") as u32;
    Box::new(peach::controller(Parameters { rwnd, new_data, parts: parts(settings) }))
}
