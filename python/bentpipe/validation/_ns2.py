# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compare the simulator with ns-2.35: `bentpipe validate ns2`. The settings of ns-2 are in `data/ns2/README.md`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe.base import markdown
from bentpipe.plots import column
from bentpipe.validation import _oracle, _windows
from bentpipe.validation._beside import GOODPUT, Measure, Reason, each
from bentpipe.validation._facts import TOLERANCE
from bentpipe.validation._recorded import Other, Twin
from bentpipe.validation._windows import Trace

if TYPE_CHECKING:
    from bentpipe.validation._oracle import Case

#: An initial threshold of this number of segments counts as no threshold.
_UNSET = 100_000

#: In the traces, packets have 1500 bytes, the receiver has no limit, and flows begin with data (`data/ns2/README.md`).
TCP = bp.Tcp(
    preset="ns2-linux",
    mss="1448 B",
    header="52 B",
    initial_window=10,
    receive_window="unlimited",
    setup="none",
    clock="1 ms",
    delayed_ack={"every": 2, "at_most": "40 ms"},
)
_SACK1 = replace(TCP, preset="ns2-sack1")
_NEWRENO = replace(TCP, preset="ns2-newreno")

#: TCP-Linux has the modules of Linux 2.6.22, which grow by one per ACK in slow start.
_KERNEL = {"reading": "ns-2"}
#: Agents that grow per ACK.
_PER_ACK = {"byte_counting": False}

TWINS = {
    "linux-reno": Twin("reno"),
    "linux-naive_reno": Twin("reno", _PER_ACK),
    "linux-cubic": Twin("cubic-linux", _KERNEL),
    "linux-bic": Twin("bic-linux", _KERNEL),
    "linux-highspeed": Twin("hstcp-linux"),
    "linux-htcp": Twin("h-tcp"),
    "linux-hybla": Twin("hybla-linux", _KERNEL),
    "linux-illinois": Twin("illinois"),
    "linux-scalable": Twin("stcp", {"small_windows": "linux", "ai_cnt": 50.0}),
    "linux-vegas": Twin("vegas-linux"),
    "linux-veno": Twin("veno"),
    "linux-westwood": Twin("westwood-plus", _KERNEL),
    "linux-yeah": Twin("yeah"),
    "sack1": Twin("sack", _PER_ACK, tcp=_SACK1),
    "newreno": Twin("newreno", _PER_ACK, tcp=_NEWRENO),
    "vegas": Twin("vegas", tcp=_NEWRENO),
}


#: Largest relative difference of goodput from ns-2.
_GOODPUT_WITHIN = 0.03


def _cuts(trace: Trace) -> float:
    """Return the number of changes of the threshold between samples: one for each cut, including timeouts."""
    known = trace.ssthresh[~np.isnan(trace.ssthresh)]
    return float(np.count_nonzero(np.abs(np.diff(known)) >= 1) + min(known.size, 1))


MEASURES = (
    Measure(name="cuts", unit="", read=each(_cuts)),
    Measure(name="sent again", unit="", read=each(lambda trace: _windows.last(trace.retransmissions)), judged=True),
    Measure(name="drops", unit="", read=each(lambda trace: _windows.last(trace.dropped)), judged=True),
    Measure(name="timeouts", unit="", read=each(lambda trace: _windows.last(trace.timeouts)), judged=True, within=0),
    Measure(name="srtt", unit="ms", read=each(_windows.mean_srtt)),
    Measure(name=GOODPUT, unit="Mbit/s", read=each(_windows.goodput), judged=True, within=_GOODPUT_WITHIN),
)

#: ns-2's own agents, whose transport is a preset here. Their behaviour depends only on the transport.
_AGENTS = ("sack1", "newreno")

UNJUDGED = {
    "vegas": (
        "ns-2's Vegas has its own rules for recovery and start-up (tcp/tcp-vegas.cc: recv, vegas_inc). No preset of "
        "Bentpipe has these rules: Bentpipe's run uses crates/control/src/vegas.rs with the preset ns2-newreno"
    ),
    "linux-vegas": (
        "the module of Linux 2.6.22 leaves slow start before a loss, but the module of Linux 6.1 overshoots if each "
        "ACK acknowledges two segments (tcp_vegas.c: tcp_vegas_cong_avoid; crates/control/src/vegas_linux.rs has no "
        "reading for 2.6.22)"
    ),
}

REASONS = (
    Reason(
        controllers=("linux-hybla",),
        measures=("goodput",),
        cases=("10m-600ms",),
        text=(
            "After the first overshoot of slow start, both Bentpipe and ns-2 stay in one recovery until the end of "
            "the run. Half of the threshold, 16,383 packets, is always in flight, but the path and the queue hold "
            "only 1,000 packets. In each simulator, 1.96 million retransmissions are dropped (the two numbers differ "
            "by less than 50). Which retransmissions are dropped depends on their order in the queue. Therefore, the "
            "goodput is 1 % of the path rate in Bentpipe and 0.1 % in ns-2 (tcp/tcp-linux.cc: send_much, min_cwnd; "
            "crates/tcp/src/recovery/halving.rs)."
        ),
    ),
    Reason(
        controllers=("sack1", "newreno", "linux-cubic"),
        measures=("sent again", "drops", "timeouts"),
        cases=("20m-delay-steps",),
        text=(
            "In ns-2, packets on a busy link keep their distance when the path becomes shorter, so the shorter delay "
            "has no effect until the link has a pause. In Bentpipe, the packets then arrive together, without "
            "reordering. The burst of ACKs is therefore twice as long: at 30 s, Bentpipe sends 67 additional segments "
            "in 100 ms, and ns-2 sends 34 (link/delay.cc: LinkDelay::recv; crates/link/src/passage.rs: pass)."
        ),
    ),
)

RULE = "\n\n".join(
    (
        markdown.table(
            ("number", "our number agrees with the number of ns-2 if"),
            (
                ("goodput", f"the difference is at most {_GOODPUT_WITHIN:.0%}"),
                ("timeouts", "the two numbers are equal"),
                ("sent again, drops, and all other numbers", f"the difference is at most {TOLERANCE:.0%}"),
            ),
        ),
        "✗ marks a judged number that does not agree. ~ marks another number that does not agree. The comparison "
        "judges TCP, not the controllers:",
        markdown.table(
            ("runs", "judged numbers"),
            (
                ("the agents Sack1 and Newreno", "sent again, drops, timeouts and goodput on every network"),
                ("modules of TCP-Linux on a path without losses", "goodput and timeouts"),
                (
                    "modules of TCP-Linux on a path with losses",
                    "none, because the modules of Linux 2.6.22 and of today have different rules for growth and cuts",
                ),
                ("a second flow joins", "only the goodput of all flows together"),
            ),
        ),
        "The column “cuts” counts the changes of the slow-start threshold. Mean srtt and goodput leave out the first "
        "tenth of the run.",
    )
)


def judges(case: Case, agent: str, measure: str) -> bool:
    """Return whether a difference in a measure is judged, by `RULE`."""
    if agent in UNJUDGED or (len(case.flows_start_s) > 1 and measure != GOODPUT):
        return False
    lossless = not (case.lost_packets or case.lost_spans)
    return agent in _AGENTS or (lossless and measure in (GOODPUT, "timeouts"))


class Traces(_oracle.Traces):
    """The traces of ns-2: one file per case."""

    folder = "ns2"
    beside = "totals.parquet"
    controller = "agent"

    def trace(self, case: Case, controller: str, flow: int = 0) -> Trace:
        """Return the trace of one flow of one run. Times count from the start of the flow."""
        rows = self.samples(case, controller, flow)
        ssthresh = column(rows, "ssthresh")
        rows_s = column(rows, "time_ms") / 1e3 - case.flows_start_s[flow]
        return Trace(
            time_s=rows_s,
            cwnd=column(rows, "cwnd"),
            ssthresh=np.where(ssthresh < _UNSET, ssthresh, np.nan),
            srtt_ms=column(rows, "srtt_us") / 1e3,
            acked_bytes=column(rows, "bytes_acked"),
            retransmissions=column(rows, "retransmissions"),
            episodes=(),
            timeouts=column(rows, "timeouts"),
            # of all flows
            dropped=column(rows, "drops") if len(case.flows_start_s) == 1 else None,
        )


NS2 = Other(
    name="ns-2",
    read=Traces,
    twins=TWINS,
    tcp=lambda _: TCP,
    measures=MEASURES,
    rule=RULE,
    reasons=REASONS,
    judges=judges,
    unjudged=UNJUDGED,
)
