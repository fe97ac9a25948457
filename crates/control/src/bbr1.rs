// SPDX-License-Identifier: MIT OR Apache-2.0
//! BBR version 1 (N. Cardwell et al., ACM Queue 14(5), 2016; CACM 60(2), 2017;
//! draft-cardwell-iccrg-bbr-congestion-control-00; Linux `net/ipv4/tcp_bbr.c`).
//!
//! ```text
//! B = max of delivered/interval over 10 rounds        (draft 4.1.1)   samples that the application limits only raise B
//! R = min RTT over 10 s                               (draft 4.1.2)
//! pacing rate = 0.99 g B                              (Linux)         before the pipe is full it only rises
//! target = G B R + 3 quanta + extra                   (draft 4.2.3)   extra: ACKs ahead of B, at most 0.1 s B (Linux)
//! W += delivered, up to target; 4 <= W                                before the pipe is full W is never cut to target
//!
//! STARTUP    g = G = 2.885            until B grew by less than 25 % in each of 3 rounds
//! DRAIN      g = 1/2.885, G = 2.885   until in flight <= B R + 3 quanta
//! PROBE_BW   g = 5/4, 3/4, 1 (six), G = 2, each for R; random first phase, never 3/4
//!            5/4 also until a loss or in flight >= 5/4 B R + 3 quanta; 3/4 at most until in flight <= B R + 3 quanta
//! PROBE_RTT  W = 4 for 200 ms and a round, when R was not renewed for 10 s; then R stands for another 10 s
//!
//! recovery   W = in flight + 1, for a round W >= in flight + delivered; then as above; W -= lost; at the end W >= W before
//! timeout    W = 1; at the end W >= W before
//! policer    (off) two intervals of 4 to 16 rounds with 20 % lost, throughputs within 1/8: their mean is B, g = 1, for
//!            48 rounds of PROBE_BW (Linux)
//! quantum    1 segment below 1.2 Mbit/s, else 1 ms of the rate, 2 segments to 64 KiB (draft 4.2.2)
//! ```
//!
//! The model keeps what was measured: it never takes the smallest RTT of the whole connection, so it follows a path
//! that grows longer within 10 s; a window that nothing fills stays at its target.

pub mod drain;
pub mod frame;
pub mod machine;
pub mod model;
pub mod policer;
pub mod probe_bw;
pub mod probe_rtt;
pub mod startup;
pub mod window;

pub use frame::{Bbr, REQUIRES, Variant};
pub use machine::{Machine, MachineParameters, State};

use crate::catalogue::{Domain, Entry, Parameter, Settings, Value};
use crate::window::Rescale;
use model::ModelParameters;
use units::Span;

/// BBRv1: nothing differs.
#[derive(Clone, Debug)]
pub struct Bbr1;

/// BBRv1 with `parameters`.
pub fn controller(parameters: MachineParameters) -> Bbr<Bbr1> {
    Bbr::new(parameters, Bbr1)
}

impl Variant for Bbr1 {}

impl Rescale for Bbr1 {
    fn rescale(&mut self, _factor: f64) {}
}

pub(crate) const BANDWIDTH_WINDOW: Parameter = Parameter {
    name: "bandwidth_window",
    unit: "round trips",
    default: Value::Number(10.0),
    domain: Domain::Number(1.0, 1e6),
    source: "draft-cardwell-iccrg-bbr-congestion-control-00, section 4.1.1.2; Linux (a cycle and two)",
    why: "how long a high sample is believed: longer rides out dips, shorter follows a falling rate",
};

/// `min_rtt_window` with its default.
pub(crate) const fn min_rtt_window(default: &'static str, source: &'static str) -> Parameter {
    Parameter {
        name: "min_rtt_window",
        unit: "time",
        default: Value::Text(default),
        domain: Domain::Time(Span::from_millis(100), Span::from_secs(86_400)),
        source,
        why: "after a path grew longer the old RTT holds the window down for this long; PROBE_RTT comes as often",
    }
}

pub(crate) const RENEW_ON_EQUAL: Parameter = Parameter {
    name: "renew_on_equal",
    unit: "none",
    default: Value::Flag(false),
    domain: Domain::Flag,
    source: "Linux tcp_bbr.c (false); draft-cardwell-iccrg-bbr-congestion-control-00, section 4.1.2.3 (true)",
    why: "true renews the smallest RTT by an equal one: where delays do not vary at all PROBE_RTT then never comes",
};

pub(crate) const AGGREGATION: Parameter = Parameter {
    name: "aggregation",
    unit: "none",
    default: Value::Flag(true),
    domain: Domain::Flag,
    source: "Linux tcp_bbr.c since 5.1 (true); the papers and the draft have none",
    why: "room in the window for ACKs that come bunched (radio frames, thinned ACKs)",
};

pub(crate) const CWND_GAIN: Parameter = Parameter {
    name: "cwnd_gain",
    unit: "BDP",
    default: Value::Number(2.0),
    domain: Domain::Number(1.0, 10.0),
    source: "Cardwell et al. 2016; draft-cardwell-iccrg-bbr-congestion-control-00, section 4.3.4.1",
    why: "bounds the queue; an RTT beyond this multiple of the smallest throttles the flow until that expires",
};

pub(crate) const UP_GAIN: Parameter = Parameter {
    name: "up_gain",
    unit: "none",
    default: Value::Number(1.25),
    domain: Domain::Number(1.0, 3.0),
    source: "Cardwell et al. 2016",
    why: "how boldly a phase in eight asks for more",
};

pub(crate) const DOWN_GAIN: Parameter = Parameter {
    name: "down_gain",
    unit: "none",
    default: Value::Number(0.75),
    domain: Domain::Number(0.1, 1.0),
    source: "Cardwell et al. 2016",
    why: "how fast the phase after it drains what that left",
};

pub(crate) const PACING_MARGIN: Parameter = Parameter {
    name: "pacing_margin",
    unit: "none",
    default: Value::Number(0.01),
    domain: Domain::Number(0.0, 0.5),
    source: "Linux tcp_bbr.c, bbr_pacing_margin_percent (the papers and the draft have none)",
    why: "share of the estimate left unused, so that no queue stays",
};

pub(crate) const PROBE_RTT_DURATION: Parameter = Parameter {
    name: "probe_rtt_duration",
    unit: "time",
    default: Value::Text("200 ms"),
    domain: Domain::Time(Span::ZERO, Span::from_secs(10)),
    source: "Cardwell et al. 2016",
    why: "least time with the small window; a round trip passes besides, which on a GEO path is longer",
};

/// `probe_rtt_gain` with its default.
pub(crate) const fn probe_rtt_gain(default: f64, source: &'static str) -> Parameter {
    Parameter {
        name: "probe_rtt_gain",
        unit: "BDP",
        default: Value::Number(default),
        domain: Domain::Number(0.0, 1.0),
        source,
        why: "window of PROBE_RTT, at least 4 segments: a larger one costs less and drains less",
    }
}

pub(crate) fn machine(settings: &Settings<'_>, policer: bool) -> MachineParameters {
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

pub(crate) const BBR1: Entry = Entry {
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
    draws: true,
    construct: |settings| Box::new(controller(machine(settings, settings.flag("policer")))),
};
