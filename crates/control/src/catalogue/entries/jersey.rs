// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP-Jersey and TCP-NJ.

use super::parts::{self, WINDOW_RULE, parts};
use crate::catalogue::{Domain, Entry, Parameter, Settings, Value};
use crate::jersey::{self, Clock};

const MEMORY_RTTS: Parameter = Parameter {
    name: "memory_rtts",
    unit: "round trips",
    default: Value::Number(1.0),
    domain: Domain::Number(0.01, 100.0),
    source: "Xu, Tian and Ansari 2004 (K = 1; from memory)",
    why: "longer smooths the estimate over bursts and lags behind a change of the rate",
};

const LOSS_VERDICT: Parameter = parts::loss_verdict(
    "warning",
    "Xu, Tian and Ansari 2004",
    "\"congestion\" takes every loss for congestion, which shows what the estimate does alone",
);

pub(super) const JERSEY: Entry = Entry {
    name: "jersey",
    summary: "TCP-Jersey: routers warn of congestion, the window then follows the estimated bandwidth",
    equations: "R_n = (T R_n-1 + L_n)/((t_n - t_n-1) + T), T = memory_rtts RTT; ownd = RTTmin R_n\n\
                slow start and avoidance as Reno\n\
                an ACK with a warning: ssthresh = max(2, ownd), W = min(W, ssthresh)\n\
                loss: the same if a warning was echoed since the lost packet was sent, else W stands\n\
                timeout: ssthresh = max(2, ownd), W = 1",
    own: &[MEMORY_RTTS, LOSS_VERDICT],
    frame: WINDOW_RULE,
    sources: &["Xu, Tian and Ansari 2004 (from memory)"],
    limits: "Every router must mark, with a threshold below its limit, or congestion passes for link errors. \
             Rate control only lowers the window; the paper may raise it to ownd. A pause of the flow lowers R. \
             R starts from zero: within the first round trip ownd is too small. \
             RTTmin is the connection's: where the path becomes longer, ownd is too small from then on.",
    papers: &["K. Xu, Y. Tian, N. Ansari, TCP-Jersey for wireless IP communications, IEEE JSAC 22(4), 2004"],
    construct: |settings| jersey(settings, Clock::Sender),
};

pub(super) const NJ: Entry = Entry {
    name: "nj",
    summary: "TCP-NJ: Jersey with the receiver's times, which congestion on the way back does not distort",
    sources: &["Xu, Tian and Ansari 2005 (from memory)"],
    limits: "The receiver's clock is taken to be exact; the paper's timestamps tick in milliseconds. \
             RTT and RTTmin still include the way back. Limits of jersey hold.",
    papers: &[
        "K. Xu, Y. Tian, N. Ansari, Improving TCP performance in integrated wireless communications networks, \
         Computer Networks 47(2), 2005",
    ],
    construct: |settings| jersey(settings, Clock::Receiver),
    ..JERSEY
};

fn jersey(settings: &Settings<'_>, clock: Clock) -> Box<dyn crate::Controller> {
    let memory_rtts = settings.number("memory_rtts");
    Box::new(jersey::controller(jersey::Parameters { clock, memory_rtts, parts: parts(settings) }))
}
