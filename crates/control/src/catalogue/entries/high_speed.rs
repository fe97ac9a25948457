// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules for large windows: Scalable TCP, HighSpeed TCP, H-TCP, Illinois, `YeAH`.

use super::parts::{WINDOW_RULE, flag, number, parts};
use crate::catalogue::{Domain, Entry, Parameter, Value};
use crate::stcp::{self, SmallWindows};
use crate::{h_tcp, hstcp, illinois, yeah};

pub(super) const STCP: Entry = Entry {
    name: "stcp",
    summary: "Scalable TCP (Kelly 2003), or as Linux builds it",
    equations: "avoidance: W += acked/ai_cnt; acked/W if W < low_window\n\
                linux: W += acked/min(W, ai_cnt) at every window\n\
                loss: ssthresh = max((1 - decrease) FlightSize, 2), W = ssthresh; FlightSize/2 below low_window\n\
                linux: (1 - decrease) FlightSize at every window\n\
                timeout: ssthresh likewise, W = 1",
    own: &[
        Parameter {
            name: "small_windows",
            unit: "none",
            default: Value::Text("kelly"),
            domain: Domain::Choice(&["kelly", "linux"]),
            source: "Kelly 2003; Linux net/ipv4/tcp_scalable.c",
            why: "\"linux\" has no threshold: never more than Reno's growth, and the small decrease everywhere",
        },
        number(
            "ai_cnt",
            "segments",
            (100.0, 1.0, 1e6),
            "Kelly 2003 (a = 0.01 = 1/100); Linux (50 while it counted ACKs; later 100, not read)",
            "segments acknowledged for one of growth; 50 made up for delayed ACKs where growth is per ACK",
        ),
        number(
            "decrease",
            "none",
            (0.125, 0.01, 0.9),
            "Kelly 2003 (b); Linux",
            "fraction given up at a loss; smaller is faster back and slower to share",
        ),
        number(
            "low_window",
            "segments",
            (16.0, 1.0, 1e6),
            "Kelly 2003 (lwnd)",
            "below it the rule is Reno's (\"kelly\" only)",
        ),
    ],
    frame: WINDOW_RULE,
    sources: &["T. Kelly, CCR 33(2), 2003", "Linux net/ipv4/tcp_scalable.c"],
    limits: "Multiplicative increase and decrease: flows whose losses coincide never converge to equal shares. \
             Every loss is congestion: the mean window is 0.075/p to 0.08/p segments. \
             Fractions of a segment are kept, where Linux counts ACKs. Kelly's paper was not at hand: \
             its constants are parameters here.",
    papers: &["T. Kelly, Scalable TCP: Improving Performance in Highspeed Wide Area Networks, \
         ACM SIGCOMM CCR 33(2), 2003"],
    construct: |settings| {
        Box::new(stcp::controller(
            parts(settings),
            stcp::Parameters {
                ai_cnt: settings.number("ai_cnt"),
                decrease: settings.number("decrease"),
                small_windows: match settings.text("small_windows") {
                    "linux" => SmallWindows::Linux,
                    _ => SmallWindows::Legacy(settings.number("low_window")),
                },
            },
        ))
    },
};

pub(super) const HSTCP: Entry = Entry {
    name: "hstcp",
    summary: "HighSpeed TCP (RFC 3649)",
    equations: "b(w) = 0.5 - 0.4 ln(w/38)/ln(83000/38); a(w) = w^0.8/12.8 2 b(w)/(2 - b(w)), at least 1\n\
                W <= 38: a = 1, b = 0.5; b stands from 94717 segments on\n\
                avoidance: W += a(floor(W)) acked/W\n\
                loss: ssthresh = max((1 - b(FlightSize)) FlightSize, 2), W = ssthresh\n\
                timeout: ssthresh likewise, W = 1",
    own: &[],
    frame: WINDOW_RULE,
    sources: &["RFC 3649"],
    limits: "Flows of different RTT share very unequally where losses coincide. Every loss is congestion: \
             the mean window is 0.12/p^0.835 segments. a(w) is taken from the formula, where Linux takes the \
             next whole number of the RFC's table: up to one segment per round trip less. Linux holds a at 72 \
             beyond 89053 segments; here it goes on. The RFC's table was compared in Linux's copy.",
    papers: &["S. Floyd, HighSpeed TCP for Large Congestion Windows, RFC 3649, 2003"],
    construct: |settings| Box::new(hstcp::controller(parts(settings))),
};

pub(super) const H_TCP: Entry = Entry {
    name: "h-tcp",
    summary: "H-TCP (Shorten and Leith 2004) with Linux's details",
    equations: "f(D) = 1 for D <= 1 s, else 1 + 10 (D - 1) + ((D - 1)/2)^2; D: time since the newest event's repair\n\
                alpha = 2 (1 - beta) max(1, f(D) min(max(RTTmin/100 ms, 0.1), 2))\n\
                avoidance: W += alpha acked/W\n\
                loss: beta = RTTmin/RTTmax within [0.5, 0.8]; 0.5 at the first event, at RTTmin <= 10 ms, \
                or if the largest throughput changed by more than 20 %\n\
                ssthresh = max(beta FlightSize, 2), W = ssthresh; timeout: ssthresh likewise, W = 1\n\
                RTTmax follows samples at most 20 ms above it, and keeps 95 % of RTTmax - RTTmin at an event",
    own: &[
        flag(
            "rtt_scaling",
            true,
            "Shorten and Leith 2004; Linux (use_rtt_scaling)",
            "growth in proportion to the RTT, within [0.1, 2] of that at 100 ms, evens out flows of different RTT",
        ),
        flag(
            "bandwidth_switch",
            true,
            "Shorten and Leith 2004; Linux (use_bandwidth_switch)",
            "backs off by half when the throughput changed, so that new flows are let in",
        ),
    ],
    frame: WINDOW_RULE,
    sources: &["Shorten and Leith, PFLDnet 2004", "Linux net/ipv4/tcp_htcp.c"],
    limits: "Every loss is congestion. RTTmin is the connection's: after a handover to a longer path beta \
             stays small. Beyond 200 ms the scale is held at 2, so GEO flows grow slower than their RTT asks. \
             D counts idle time too, as in Linux: growth after a long pause is violent. The paper was read \
             through the Linux code. Values are real, where Linux's factor is a whole number; an undo also \
             brings beta back.",
    papers: &["R. Shorten, D. Leith, H-TCP: TCP for high-speed and long-distance networks, PFLDnet 2004"],
    construct: |settings| {
        Box::new(h_tcp::controller(
            parts(settings),
            h_tcp::Parameters {
                rtt_scaling: settings.flag("rtt_scaling"),
                bandwidth_switch: settings.flag("bandwidth_switch"),
            },
        ))
    },
};

pub(super) const ILLINOIS: Entry = Entry {
    name: "illinois",
    summary: "TCP-Illinois (Liu, Basar and Srikant 2008) with Linux's defaults",
    equations: "once per round trip, d_a = mean(RTT) - RTTmin of the round, d_m = max(RTT) - RTTmin, d_i = eta_i d_m\n\
                alpha = alpha_max if d_a <= d_1 (once above: after theta such rounds), else \
                (d_m - d_1) alpha_max/((d_m - d_1) + (d_a - d_1) (alpha_max - alpha_min)/alpha_min)\n\
                beta = beta_min if d_a <= d_2, beta_max if d_a >= d_3, linear between\n\
                W < win_thresh: alpha = 1, beta = 1/2; before the first round alpha_max and 1/2\n\
                avoidance: W += alpha acked/W\n\
                loss: ssthresh = max((1 - beta) FlightSize, 2), W = ssthresh\n\
                timeout: ssthresh likewise, W = 1, then alpha = 1, beta = 1/2",
    own: &[
        number(
            "alpha_min",
            "segments",
            (0.3, 0.01, 1.0),
            "Linux net/ipv4/tcp_illinois.c",
            "growth per round trip at full queue",
        ),
        number(
            "alpha_max",
            "segments",
            (10.0, 1.0, 1e4),
            "Linux net/ipv4/tcp_illinois.c",
            "growth per round trip without a queue",
        ),
        number(
            "beta_min",
            "none",
            (0.125, 0.01, 0.5),
            "Linux net/ipv4/tcp_illinois.c",
            "fraction given up without a queue, where a loss is likely to be the link's",
        ),
        number(
            "beta_max",
            "none",
            (0.5, 0.1, 0.9),
            "Linux net/ipv4/tcp_illinois.c",
            "fraction given up at full queue",
        ),
        number(
            "win_thresh",
            "segments",
            (15.0, 0.0, 1e6),
            "Linux net/ipv4/tcp_illinois.c",
            "below it the rule is Reno's",
        ),
        number(
            "theta",
            "rounds",
            (5.0, 1.0, 1e6),
            "Linux net/ipv4/tcp_illinois.c",
            "rounds without a queue before alpha returns to alpha_max: one lucky round is not trusted",
        ),
        number(
            "eta1",
            "none",
            (0.01, 0.0, 0.99),
            "Linux net/ipv4/tcp_illinois.c (1/100)",
            "d_1/d_m: up to where there is no queue",
        ),
        number(
            "eta2",
            "none",
            (0.1, 0.0, 1.0),
            "Linux net/ipv4/tcp_illinois.c (1/10)",
            "d_2/d_m: up to where beta_min holds",
        ),
        number(
            "eta3",
            "none",
            (0.8, 0.0, 1.0),
            "Linux net/ipv4/tcp_illinois.c (8/10)",
            "d_3/d_m: from where beta_max holds",
        ),
    ],
    frame: WINDOW_RULE,
    sources: &[
        "Linux net/ipv4/tcp_illinois.c",
        "S. Liu, T. Basar, R. Srikant, Performance Evaluation 65, 2008",
    ],
    limits: "RTTmin and RTTmax are the connection's and never age: a change of the path passes for a queue or hides \
             one. The paper's functions are built; its numbers were not read, the defaults are Linux's. \
             Values are real, where Linux counts in 1/128 and 1/64.",
    papers: &["S. Liu, T. Basar, R. Srikant, TCP-Illinois: A loss- and delay-based congestion control \
         algorithm for high-speed networks, Performance Evaluation 65, 2008"],
    construct: |settings| {
        Box::new(illinois::controller(
            parts(settings),
            illinois::Parameters {
                curves: illinois::Curves {
                    alpha_min: settings.number("alpha_min"),
                    alpha_max: settings.number("alpha_max"),
                    beta_min: settings.number("beta_min"),
                    beta_max: settings.number("beta_max"),
                    eta: ["eta1", "eta2", "eta3"].map(|name| settings.number(name)),
                },
                win_thresh: settings.number("win_thresh"),
                theta: settings.number("theta") as u32,
            },
        ))
    },
};

pub(super) const YEAH: Entry = Entry {
    name: "yeah",
    summary: "YeAH-TCP (Baiocchi, Castellani and Vacirca 2007) with Linux's defaults",
    equations: "once per round trip of 3 samples or more, RTT its smallest: Q = W (RTT - RTTmin)/RTT\n\
                slow if Q > q_max or RTT - RTTmin > RTTmin/phi, else fast\n\
                avoidance: W += acked/min(W, ai_cnt) in fast mode, acked/W in slow mode\n\
                slow round: if Q > q_max and W > W_reno, W = max(W - min(Q/gamma, decongestion_limit W), W_reno), \
                ssthresh = W; then W_reno = W/2 at the first, W_reno + 1 at every other\n\
                more than zeta fast rounds: W_reno = 2\n\
                loss: ssthresh = FlightSize - max(min(Q, FlightSize/2), min_decrease FlightSize), FlightSize/2 \
                after rho slow rounds in a row, at least 2; W = ssthresh; W_reno = max(W_reno/2, 2)\n\
                timeout: ssthresh likewise, W = 1",
    own: &[
        number(
            "q_max",
            "segments",
            (80.0, 1.0, 1e6),
            "Linux net/ipv4/tcp_yeah.c (alpha)",
            "most segments of its own that may stand in the queue",
        ),
        number(
            "phi",
            "none",
            (8.0, 0.1, 1e6),
            "Linux net/ipv4/tcp_yeah.c (phy)",
            "the queueing delay may be 1/phi of the base RTT: on long paths q_max comes first",
        ),
        number(
            "gamma",
            "none",
            (1.0, 1.0, 1e3),
            "Linux net/ipv4/tcp_yeah.c",
            "a decongestion takes away Q/gamma",
        ),
        number(
            "decongestion_limit",
            "none",
            (0.5, 0.01, 0.9),
            "Linux net/ipv4/tcp_yeah.c (epsilon = 1, a power of two)",
            "largest fraction of the window that a decongestion takes away",
        ),
        number(
            "min_decrease",
            "none",
            (0.125, 0.01, 0.5),
            "Linux net/ipv4/tcp_yeah.c (delta = 3, a power of two)",
            "smallest fraction of the window that a loss takes away",
        ),
        number(
            "rho",
            "rounds",
            (16.0, 0.0, 1e6),
            "Linux net/ipv4/tcp_yeah.c",
            "slow rounds in a row after which a loss halves: Reno flows compete",
        ),
        number(
            "zeta",
            "rounds",
            (50.0, 0.0, 1e6),
            "Linux net/ipv4/tcp_yeah.c",
            "fast rounds after which competitors are forgotten",
        ),
        number(
            "ai_cnt",
            "segments",
            (100.0, 1.0, 1e6),
            "Linux net/ipv4/tcp_yeah.c",
            "segments acknowledged for one of growth in fast mode",
        ),
    ],
    frame: WINDOW_RULE,
    sources: &["Linux net/ipv4/tcp_yeah.c", "A. Baiocchi, A. P. Castellani, F. Vacirca, PFLDnet 2007"],
    limits: "RTTmin is the connection's and never ages: on a path that grew longer by an eighth it stays in slow \
             mode (Linux forgets it when sending resumes after idling). Rounds in which the window does not limit \
             sending, or a loss is repaired, are not judged. The paper was read through the Linux code. \
             Values are real, where Linux counts whole segments.",
    papers: &["A. Baiocchi, A. P. Castellani, F. Vacirca, YeAH-TCP: Yet Another Highspeed TCP, PFLDnet 2007"],
    construct: |settings| {
        Box::new(yeah::controller(
            parts(settings),
            yeah::Parameters {
                q_max: settings.number("q_max"),
                phi: settings.number("phi"),
                gamma: settings.number("gamma"),
                decongestion_limit: settings.number("decongestion_limit"),
                min_decrease: settings.number("min_decrease"),
                rho: settings.number("rho") as u32,
                zeta: settings.number("zeta") as u32,
                ai_cnt: settings.number("ai_cnt"),
            },
        ))
    },
};
