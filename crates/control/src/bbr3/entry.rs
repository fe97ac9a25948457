// SPDX-License-Identifier: MIT OR Apache-2.0
//! Catalogue entry of BBRv3.

use super::Parameters;
use crate::catalogue::Entry;

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
    own: &[&Parameters::LIST.all],
    frame: &[],
    sources: &[
        "draft-ietf-ccwg-bbr-06 (experimental, work in progress)",
        "Linux net/ipv4/tcp_bbr.c of google/bbr, branch v3",
    ],
    limits: "The draft's pseudo-code leaves some choices open. The first comment in crates/control/src/bbr3.rs lists \
             them. Losses are reported after the ACK that reveals them. Linux's ECN response, PLB and fast path are \
             not implemented, because the draft does not contain them. The controller ignores ECN marks. The newest \
             rate sample decides whether a lost packet counts as application-limited. The draft's open issue 109 \
             applies: after an idle time of more than 10 s, min_rtt may be too large. The flow adapts to a longer \
             path only after min_rtt_window (10 s). Announced path changes are not used. The slow-start threshold is \
             0, because BBRv3 does not use slow start. With the draft's rules, random loss of 1 % reduces the goodput \
             by 16 % (50 Mbit/s, 40 ms). Between two probes, each round with a loss lowers the bandwidth bound to the \
             delivered rate, by at most 2 % (including the pacing margin).",
    papers: &[
        "N. Cardwell, I. Swett, J. Beshay, BBR congestion control, draft-ietf-ccwg-bbr-06, 2026",
        "N. Cardwell, Y. Cheng, C. S. Gunn, S. Hassas Yeganeh, V. Jacobson, BBR: congestion-based congestion control, \
         ACM Queue 14(5), 2016",
    ],
    draws: true,
    construct: |settings| Box::new(super::controller(Parameters::read(settings))),
};
