// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of controllers.

mod bbr1;
mod bbr3;
mod bic;
mod copa;
mod handover;
mod high_speed;
mod hybla;
mod jersey;
mod ledbat;
mod parts;
mod peach;
mod proposals;
mod vegas;
mod vivace;
mod westwood;

use super::{Domain, Entry, Parameter, Value};
use crate::{cubic, reno};
use parts::{WINDOW_RULE, parts};

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
    CUBIC,
    high_speed::STCP,
    high_speed::HSTCP,
    high_speed::H_TCP,
    bic::BIC,
    bic::BIC_LINUX,
    high_speed::ILLINOIS,
    high_speed::YEAH,
    hybla::HYBLA,
    hybla::HYBLA_LINUX,
    hybla::HYBLA_IM,
    hybla::HYBLA_IM_LITERAL,
    proposals::HYBIC,
    proposals::GEO_RENO,
    proposals::A_LIAD_PAPER,
    proposals::A_LIAD_SAFE,
    proposals::LIAD,
    vegas::VEGAS,
    vegas::VEGAS_LINUX,
    vegas::VEGAS_A,
    vegas::NEW_VEGAS,
    vegas::VEGAS_AB,
    vegas::VEGAS_W,
    vegas::VEGAS_W_PAPER,
    vegas::VENO,
    westwood::WESTWOOD,
    westwood::WESTWOOD_PLUS,
    westwood::LOG_WESTWOOD_PLUS,
    jersey::JERSEY,
    jersey::NJ,
    peach::PEACH,
    peach::PEACH_PLUS,
    peach::CHERRY,
    copa::COPA,
    copa::COPA_CODE,
    bbr1::BBR1,
    bbr3::BBR3,
    vivace::VIVACE,
    ledbat::LEDBAT,
    ledbat::LEDBAT_PLUS_PLUS,
    bbr1::LEOCC,
    handover::SATCP,
    handover::STARQUIC,
];

const RENO: Entry = Entry {
    name: "",
    summary: "",
    equations: "slow start (W < ssthresh): W += min(acked, L) per ACK\n\
                avoidance: W += acked / W per ACK\n\
                loss: ssthresh = max(FlightSize/2, 2), W = ssthresh\n\
                timeout: ssthresh = max(FlightSize/2, 2), W = 1",
    own: &[Parameter {
        name: "byte_counting",
        unit: "none",
        default: Value::Flag(true),
        domain: Domain::Flag,
        source: "RFC 3465; RFC 5681, section 3.1",
        why: "false counts one segment per ACK (equation 3): delayed ACKs then halve the growth in avoidance",
    }],
    frame: WINDOW_RULE,
    sources: &["RFC 5681", "RFC 3465", "RFC 6582", "RFC 6675"],
    limits: "Mean window sqrt(3/(2p)) segments: long paths with random loss stay far below capacity.",
    papers: &["V. Jacobson, Congestion Avoidance and Control, SIGCOMM 1988"],
    construct: |settings| {
        Box::new(reno::controller(reno::Parameters {
            parts: parts(settings),
            byte_counting: settings.flag("byte_counting"),
        }))
    },
};

const CUBIC: Entry = Entry {
    name: "cubic",
    summary: "CUBIC (RFC 9438) with HyStart++ (RFC 9406)",
    equations: "slow start (W < ssthresh): W += min(acked, L); HyStart++: a quarter of it after the RTT rose\n\
                K = cbrt((W_max - W_epoch)/C), W_cubic(t) = C (t - K)^3 + W_max\n\
                target = W_cubic(t + SRTT) within [W, 1.5 W]\n\
                W_est += alpha acked/W, alpha = 3 (1 - beta)/(1 + beta), 1 once W_est >= cwnd_prior\n\
                avoidance: W = W_est if W_cubic(t) < W_est, else W += acked (target - W)/W\n\
                loss: W_max = W, or W (1 + beta)/2 if W < W_max; ssthresh = max(beta FlightSize, 2), W = ssthresh\n\
                timeout: ssthresh likewise, W = 1, then K = 0 and W_max = W",
    own: &[
        parts::slow_start(
            "hystart++",
            "RFC 9438, section 4.10",
            "the RFC asks for HyStart++; \"classic\" reproduces older studies",
        ),
        Parameter {
            name: "c",
            unit: "segments/s^3",
            default: Value::Number(0.4),
            domain: Domain::Number(1e-4, 100.0),
            source: "RFC 9438, section 5",
            why: "larger is more aggressive on long fat paths and less friendly to Reno",
        },
        Parameter {
            name: "beta",
            unit: "none",
            default: Value::Number(0.7),
            domain: Domain::Number(0.1, 0.95),
            source: "RFC 9438, section 4.6",
            why: "fraction of the window kept at a loss (Linux before 2.6.27 kept 0.8)",
        },
        Parameter {
            name: "fast_convergence",
            unit: "none",
            default: Value::Flag(true),
            domain: Domain::Flag,
            source: "RFC 9438, section 4.7",
            why: "releases capacity to new flows; a single flow is better off without",
        },
    ],
    frame: WINDOW_RULE,
    sources: &["RFC 9438", "RFC 9406"],
    limits: "A loss is congestion: random loss on a long path keeps it far below capacity, if less so than Reno.",
    papers: &[
        "S. Ha, I. Rhee, L. Xu, CUBIC: a new TCP-friendly high-speed TCP variant, ACM SIGOPS 42(5), 2008",
    ],
    construct: |settings| {
        Box::new(cubic::controller(cubic::Parameters {
            parts: parts(settings),
            c: settings.number("c"),
            beta: settings.number("beta"),
            fast_convergence: settings.flag("fast_convergence"),
        }))
    },
};
