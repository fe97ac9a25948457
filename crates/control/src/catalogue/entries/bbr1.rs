// SPDX-License-Identifier: MIT OR Apache-2.0
//! BBRv1, and LeoCC, which is shaped like it.

use crate::bbr1::model::ModelParameters;
use crate::bbr1::{self, MachineParameters};
use crate::catalogue::{Domain, Entry, Parameter, Settings, Value};
use crate::leocc::{self, Noise, Source};
use units::Span;

const BANDWIDTH_WINDOW: Parameter = Parameter {
    name: "bandwidth_window",
    unit: "round trips",
    default: Value::Number(10.0),
    domain: Domain::Number(1.0, 1e6),
    source: "draft-cardwell-iccrg-bbr-congestion-control-00, section 4.1.1.2; Linux (a cycle and two)",
    why: "how long a high sample is believed: longer rides out dips, shorter follows a falling rate",
};

/// `min_rtt_window` with its default.
const fn min_rtt_window(default: &'static str, source: &'static str) -> Parameter {
    Parameter {
        name: "min_rtt_window",
        unit: "time",
        default: Value::Text(default),
        domain: Domain::Time(Span::from_millis(100), Span::from_secs(86_400)),
        source,
        why: "after a path grew longer the old RTT holds the window down for this long; PROBE_RTT comes as often",
    }
}

const RENEW_ON_EQUAL: Parameter = Parameter {
    name: "renew_on_equal",
    unit: "none",
    default: Value::Flag(false),
    domain: Domain::Flag,
    source: "Linux tcp_bbr.c (false); draft-cardwell-iccrg-bbr-congestion-control-00, section 4.1.2.3 (true)",
    why: "true renews the smallest RTT by an equal one: where delays do not vary at all PROBE_RTT then never comes",
};

const AGGREGATION: Parameter = Parameter {
    name: "aggregation",
    unit: "none",
    default: Value::Flag(true),
    domain: Domain::Flag,
    source: "Linux tcp_bbr.c since 5.1 (true); the papers and the draft have none",
    why: "room in the window for ACKs that come bunched (radio frames, thinned ACKs)",
};

const CWND_GAIN: Parameter = Parameter {
    name: "cwnd_gain",
    unit: "BDP",
    default: Value::Number(2.0),
    domain: Domain::Number(1.0, 10.0),
    source: "Cardwell et al. 2016; draft-cardwell-iccrg-bbr-congestion-control-00, section 4.3.4.1",
    why: "bounds the queue; an RTT beyond this multiple of the smallest throttles the flow until that expires",
};

const UP_GAIN: Parameter = Parameter {
    name: "up_gain",
    unit: "none",
    default: Value::Number(1.25),
    domain: Domain::Number(1.0, 3.0),
    source: "Cardwell et al. 2016",
    why: "how boldly a phase in eight asks for more",
};

const DOWN_GAIN: Parameter = Parameter {
    name: "down_gain",
    unit: "none",
    default: Value::Number(0.75),
    domain: Domain::Number(0.1, 1.0),
    source: "Cardwell et al. 2016",
    why: "how fast the phase after it drains what that left",
};

const PACING_MARGIN: Parameter = Parameter {
    name: "pacing_margin",
    unit: "none",
    default: Value::Number(0.01),
    domain: Domain::Number(0.0, 0.5),
    source: "Linux tcp_bbr.c, bbr_pacing_margin_percent (the papers and the draft have none)",
    why: "share of the estimate left unused, so that no queue stays",
};

const PROBE_RTT_DURATION: Parameter = Parameter {
    name: "probe_rtt_duration",
    unit: "time",
    default: Value::Text("200 ms"),
    domain: Domain::Time(Span::ZERO, Span::from_secs(10)),
    source: "Cardwell et al. 2016",
    why: "least time with the small window; a round trip passes besides, which on a GEO path is longer",
};

/// `probe_rtt_gain` with its default.
const fn probe_rtt_gain(default: f64, source: &'static str) -> Parameter {
    Parameter {
        name: "probe_rtt_gain",
        unit: "BDP",
        default: Value::Number(default),
        domain: Domain::Number(0.0, 1.0),
        source,
        why: "window of PROBE_RTT, at least 4 segments: a larger one costs less and drains less",
    }
}

fn machine(settings: &Settings<'_>, policer: bool) -> MachineParameters {
    MachineParameters {
        model: ModelParameters {
            bandwidth_window: settings.number("bandwidth_window") as u64,
            min_rtt_window: settings.time("min_rtt_window"),
            renew_on_equal: settings.flag("renew_on_equal"),
            aggregation: settings.flag("aggregation"),
        },
        cwnd_gain: settings.number("cwnd_gain"),
        up_gain: settings.number("up_gain"),
        down_gain: settings.number("down_gain"),
        pacing_margin: settings.number("pacing_margin"),
        probe_rtt_duration: settings.time("probe_rtt_duration"),
        probe_rtt_gain: settings.number("probe_rtt_gain"),
        policer,
    }
}

pub(super) const BBR1: Entry = Entry {
    name: "bbr1",
    summary: "BBR version 1: paces at the measured bandwidth, window of two BDP",
    equations: "B = max delivery rate over 10 rounds, R = min RTT over 10 s; pacing = 0.99 g B\n\
                W += acked up to G B R + 3 quanta + min(extra acked, 0.1 s B), at least 4\n\
                startup: g = G = 2.885 until B grew by less than 25 % in each of 3 rounds\n\
                drain: g = 1/2.885 until in flight <= B R + 3 quanta\n\
                probe bandwidth: g = 5/4, 3/4, 1, 1, 1, 1, 1, 1 for R each, G = 2\n\
                probe RTT: W = 4 for 200 ms and a round, when R is 10 s old\n\
                recovery: W = in flight + 1, one round of packet conservation, W restored at the end; timeout: W = 1",
    own: &[
        BANDWIDTH_WINDOW,
        min_rtt_window("10 s", "Cardwell et al. 2016; Linux bbr_min_rtt_win_sec"),
        RENEW_ON_EQUAL,
        AGGREGATION,
        CWND_GAIN,
        UP_GAIN,
        DOWN_GAIN,
        PACING_MARGIN,
        PROBE_RTT_DURATION,
        probe_rtt_gain(0.0, "Cardwell et al. 2016 (4 segments)"),
        Parameter {
            name: "policer",
            unit: "none",
            default: Value::Flag(false),
            domain: Domain::Flag,
            source: "Linux tcp_bbr.c (long-term sampling, always on); the papers and the draft have none",
            why: "true takes two lossy intervals of equal throughput for a token-bucket policer and paces at its rate",
        },
    ],
    frame: &[],
    sources: &["draft-cardwell-iccrg-bbr-congestion-control-00", "Linux net/ipv4/tcp_bbr.c"],
    limits: "Linux's detector of policers is off unless asked for. The window is not rounded to an even \
             number of segments and gets no two more while probing up (Linux). Loss does not lower the rate, so a \
             shallow queue loses much. The bandwidth estimate of a flow that the receiver limits falls to what the \
             receiver allows. After an RTT rise beyond twofold the rate is low until the old RTT expires. Where every round is a recovery of its own, all of them are packet conservation and the rate falls. \
             STARTUP never cuts the window.",
    papers: &[
        "N. Cardwell, Y. Cheng, C. S. Gunn, S. H. Yeganeh, V. Jacobson, BBR: Congestion-Based Congestion Control, \
         ACM Queue 14(5), 2016",
        "the same, Communications of the ACM 60(2), 2017",
    ],
    construct: |settings| Box::new(bbr1::controller(machine(settings, settings.flag("policer")))),
};

/// The variance `name` of the Kalman filters.
const fn variance(name: &'static str, default: f64, why: &'static str) -> Parameter {
    Parameter {
        name,
        unit: "none",
        default: Value::Number(default),
        domain: Domain::Number(1e-6, 1e6),
        source: "LeoCC's code (github.com/SpaceNetLab/LeoCC)",
        why,
    }
}

pub(super) const LEOCC: Entry = Entry {
    name: "leocc",
    summary: "LeoCC: BBRv1 that probes the RTT and starts up afresh at each reconfiguration of a LEO path",
    equations: "as bbr1, except:\n\
                probe RTT: W = max(4, B R/2); R 20 s old, or a reconfiguration within lead; at its end R = newest RTT\n\
                reconfiguration: probe RTT, then startup with B forgotten (kept: samples after RTT fell by 45 ms)\n\
                cruise: if r >= R + 10 ms: bandwidth b and g = 21/20, 3/4, 1...; else B and g = 5/4, 3/4, 1...\n\
                b, r: Kalman estimates (Q = R = 4, P0 = 25) of the largest sample per round and of the RTT",
    own: &[
        Parameter {
            name: "trigger",
            unit: "none",
            default: Value::Text("announced"),
            domain: Domain::Choice(&["announced", "schedule"]),
            source: "LeoCC's code: a schedule in simulation, pings in live networks",
            why: "\"schedule\" is for a ground that announces no handovers",
        },
        Parameter {
            name: "period",
            unit: "time",
            default: Value::Text("15 s"),
            domain: Domain::Time(Span::from_millis(100), Span::from_secs(86_400)),
            source: "LeoCC's code; Starlink's scheduler",
            why: "schedule: time between two reconfigurations",
        },
        Parameter {
            name: "offset",
            unit: "time",
            default: Value::Text("12 s"),
            domain: Domain::Time(Span::ZERO, Span::from_secs(86_400)),
            source: "LeoCC's code (12 s)",
            why: "schedule: when the first comes, counted from the start of the run, not of the flow",
        },
        Parameter {
            name: "lead",
            unit: "time",
            default: Value::Text("100 ms"),
            domain: Domain::Time(Span::ZERO, Span::from_secs(10)),
            source: "LeoCC's code (100 ms)",
            why: "how long ahead of a reconfiguration probe RTT begins, if it is told in time; longer than probe RTT lasts, and it is over on the old path",
        },
        Parameter {
            name: "min_rtt_fluctuation",
            unit: "time",
            default: Value::Text("10 ms"),
            domain: Domain::Time(Span::ZERO, Span::from_secs(10)),
            source: "LeoCC's code (10 ms; its authors name 5 to 20 ms)",
            why: "larger trusts the largest bandwidth (throughput), smaller the smoothed one (delay)",
        },
        Parameter {
            name: "queue_gain",
            unit: "none",
            default: Value::Number(1.05),
            domain: Domain::Number(1.0, 3.0),
            source: "LeoCC's code (21/20)",
            why: "how boldly the flow asks for more while it sees a queue",
        },
        Parameter {
            name: "rtt_drop",
            unit: "time",
            default: Value::Text("45 ms"),
            domain: Domain::Time(Span::ZERO, Span::from_secs(10)),
            source: "LeoCC's code (45 ms)",
            why: "fall of the RTT in probe RTT that marks a bandwidth sample as one of the new path",
        },
        variance("process_variance", 4.0, "Kalman's Q: larger follows faster"),
        variance("measurement_variance", 4.0, "Kalman's R: larger smooths more"),
        variance("initial_variance", 25.0, "Kalman's first P: larger forgets the first measurement sooner"),
        BANDWIDTH_WINDOW,
        min_rtt_window("20 s", "LeoCC's code"),
        RENEW_ON_EQUAL,
        AGGREGATION,
        CWND_GAIN,
        UP_GAIN,
        DOWN_GAIN,
        PACING_MARGIN,
        PROBE_RTT_DURATION,
        probe_rtt_gain(0.5, "LeoCC's code"),
    ],
    frame: &[],
    sources: &["LeoCC's code at commit 06d89b3, simulation version (github.com/SpaceNetLab/LeoCC)"],
    limits: "Built from the authors' code, not from the paper's text. The live version's detector (pings to the ground \
             station) is not built. Outages and changes of rate alone are no triggers. A change announced as it \
             happens is met after the fact. After a change to a slower path STARTUP keeps the old rate for three \
             rounds and more, as BBRv1's does. Between two reconfigurations a longer RTT is taken for a queue for up to \
             20 s. Defects of the code are not copied: state shared by all flows, estimates that begin at 0, 5-bit \
             variances, an RTT of 2^32 us, application-limited samples in the smoothed bandwidth.",
    papers: &[
        "Z. Lai et al., LeoCC: Making Internet Congestion Control Robust to LEO Satellite Dynamics, SIGCOMM 2025",
    ],
    construct: |settings| {
        let source = match settings.text("trigger") {
            "schedule" => {
                Source::Schedule { period: settings.time("period"), offset: settings.time("offset") }
            }
            _ => Source::Announced,
        };
        Box::new(leocc::controller(leocc::Parameters {
            machine: machine(settings, false),
            noise: Noise {
                process: settings.number("process_variance"),
                measurement: settings.number("measurement_variance"),
                initial: settings.number("initial_variance"),
            },
            min_rtt_fluctuation: settings.time("min_rtt_fluctuation"),
            queue_gain: settings.number("queue_gain"),
            rtt_drop: settings.time("rtt_drop"),
            source,
            lead: settings.time("lead"),
        }))
    },
};
