// SPDX-License-Identifier: MIT OR Apache-2.0
//! BBRv3 in the catalogue.

use super::Parameters;
use crate::catalogue::Entry;
use crate::catalogue::parts::{flag, number, time};
use units::Span;

pub(crate) const BBR3: Entry = Entry {
    name: "bbr3",
    summary: "BBRv3 (draft-ietf-ccwg-bbr-06): a model of bandwidth and round trip, bounded by loss",
    equations: "max_bw = max delivery rate of two ProbeBW cycles; min_rtt = min RTT over 10 s\n\
                bw = min(max_bw, bw_shortterm); pacing = pacing_gain * bw * 0.99\n\
                max_inflight = max(cwnd_gain * bw * min_rtt + extra_acked, 3 quanta, 4), + 2 in UP\n\
                W = min(W + acked, max_inflight, inflight_longterm, inflight_shortterm)\n\
                Startup 2.77/2 until 3 rounds grow < 25 %, or loss > 2 % in 6 ranges; Drain 0.5/2\n\
                DOWN 0.9/2 until in flight <= BDP; CRUISE 1/2 for 2 to 3 s or min(BDP, 63) rounds; REFILL 1/2 for a round\n\
                UP 1.25/2.25 until 3 rounds grow < 25 %, or loss > 2 %: inflight_longterm = max(in flight, 0.7 BDP)\n\
                UP at inflight_longterm: it grows by 1, 2, 4, ... per round; CRUISE stays 15 % below it\n\
                loss in DOWN, CRUISE, Drain: shortterm = max(delivered in the round, 0.7 shortterm), until REFILL\n\
                ProbeRTT every 5 s without a new least RTT: 0.5 BDP for 200 ms and a round\n\
                timeout: W = 1",
    own: &[
        number(
            "startup_pacing_gain",
            "none",
            (2.77, 1.25, 4.0),
            "draft-ietf-ccwg-bbr-06, section 2.5 (4 ln 2)",
            "the smallest gain that doubles the rate in each round",
        ),
        number(
            "drain_pacing_gain",
            "none",
            (0.5, 0.1, 0.95),
            "draft-ietf-ccwg-bbr-06, section 2.5 (0.35 in the draft of September 2025)",
            "lower drains Startup's queue faster and idles the link longer if bandwidth was underestimated",
        ),
        number(
            "cwnd_gain",
            "BDP",
            (2.0, 1.0, 8.0),
            "draft-ietf-ccwg-bbr-06, section 2.6",
            "larger rides out a longer path after a handover and stretched ACKs; the queue may grow by as much",
        ),
        number(
            "pacing_margin",
            "none",
            (0.01, 0.0, 0.2),
            "draft-ietf-ccwg-bbr-06, section 2.5",
            "share of the bandwidth left unused so that queues drain",
        ),
        number(
            "loss_threshold",
            "none",
            (0.02, 0.0, 0.5),
            "draft-ietf-ccwg-bbr-06, section 2.8",
            "loss rate over a round that ends a probe: above a lossy link's own rate, or every probe fails",
        ),
        number(
            "beta",
            "none",
            (0.7, 0.1, 1.0),
            "draft-ietf-ccwg-bbr-06, section 2.8",
            "fraction that a round with a loss keeps at least; 1 switches the short-term reaction off",
        ),
        number(
            "headroom",
            "none",
            (0.15, 0.0, 0.9),
            "draft-ietf-ccwg-bbr-06, section 2.8",
            "part of inflight_longterm left to other flows while cruising",
        ),
        time(
            "probe_wait",
            ("2 s", Span::from_millis(1), Span::from_secs(600)),
            "draft-ietf-ccwg-bbr-06, section 5.3.3.8",
            "shortest wait between bandwidth probes, to which chance adds up to 1 s",
        ),
        time(
            "min_rtt_window",
            ("10 s", Span::from_millis(100), Span::from_secs(3_600)),
            "draft-ietf-ccwg-bbr-06, section 2.16.1",
            "how long a least RTT is believed: a longer path is underfed for so long after a handover",
        ),
        time(
            "probe_rtt_interval",
            ("5 s", Span::from_millis(100), Span::from_secs(3_600)),
            "draft-ietf-ccwg-bbr-06, section 2.16.2",
            "half of min_rtt_window or less; on a path with 600 ms, 5 s are few round trips",
        ),
        time(
            "probe_rtt_duration",
            ("200 ms", Span::from_millis(1), Span::from_secs(10)),
            "draft-ietf-ccwg-bbr-06, section 2.16.2",
            "lets flows of different RTT drain the queue together; a round is added to it",
        ),
        number(
            "probe_rtt_cwnd_gain",
            "BDP",
            (0.5, 0.0, 1.0),
            "draft-ietf-ccwg-bbr-06, section 2.16.2",
            "window in ProbeRTT (at least 4 segments): lower drains faster and costs more throughput",
        ),
        number(
            "offload_quanta",
            "quanta",
            (3.0, 0.0, 64.0),
            "draft-ietf-ccwg-bbr-06, section 5.5.8 (TCP 3, QUIC 1)",
            "floor of the window in send quanta: on a path of few segments it is a standing queue",
        ),
        flag(
            "selective_acks",
            true,
            "draft-ietf-ccwg-bbr-06, section 2.2 (C.has_selective_acks)",
            "false on a transport without SACK: it sees one loss per round, so any loss ends a probe",
        ),
    ],
    frame: &[],
    sources: &[
        "draft-ietf-ccwg-bbr-06 (experimental, work in progress)",
        "Linux net/ipv4/tcp_bbr.c of google/bbr, branch v3",
    ],
    limits: "Where the pseudo-code leaves a choice, the head of bbr3.rs says what was chosen. Losses are told after the \
             ACK that reveals them. Linux's ECN response, PLB and fast path are not built, as they are not in the draft; \
             ECN marks are not read. Whether a lost packet was application-limited is taken from the newest sample. \
             The draft's open issue 109 holds: min_rtt may be inflated after more than 10 s of idling. \
             A longer path is believed only after min_rtt_window; announced path changes are not used. \
             It sets the slow-start threshold to 0, as it has no slow start. Random loss of 1 % costs 16 % of the goodput \
             (50 Mbit/s, 40 ms) by the draft's rules: outside its probes each round with a loss lowers the bandwidth bound \
             to what was delivered, at most 2 % less with the pacing margin. The draft's own arithmetic, (1 - X)^N over the \
             62 rounds between two probes, keeps 75 % in the mean, without the probes themselves.",
    papers: &[
        "N. Cardwell, I. Swett, J. Beshay, BBR congestion control, draft-ietf-ccwg-bbr-06, 2026",
        "N. Cardwell, Y. Cheng, C. S. Gunn, S. Hassas Yeganeh, V. Jacobson, BBR: congestion-based congestion control, \
         ACM Queue 14(5), 2016",
    ],
    draws: true,
    construct: |settings| {
        Box::new(super::controller(Parameters {
            startup_pacing_gain: settings.number("startup_pacing_gain"),
            drain_pacing_gain: settings.number("drain_pacing_gain"),
            cwnd_gain: settings.number("cwnd_gain"),
            pacing_margin: settings.number("pacing_margin"),
            loss_threshold: settings.number("loss_threshold"),
            beta: settings.number("beta"),
            headroom: settings.number("headroom"),
            probe_wait: settings.time("probe_wait"),
            min_rtt_window: settings.time("min_rtt_window"),
            probe_rtt_interval: settings.time("probe_rtt_interval"),
            probe_rtt_duration: settings.time("probe_rtt_duration"),
            probe_rtt_cwnd_gain: settings.number("probe_rtt_cwnd_gain"),
            offload_quanta: settings.number("offload_quanta"),
            selective_acks: settings.flag("selective_acks"),
        }))
    },
};
