# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compare the simulator with a Linux kernel: `bentpipe validate linux`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe.plots import column
from bentpipe.validation import _oracle
from bentpipe.validation._beside import RULE, WINDOWS
from bentpipe.validation._oracle import where
from bentpipe.validation._reasons import LINUX as REASONS
from bentpipe.validation._recorded import Other, Twin
from bentpipe.validation._scenes import PACKET_B
from bentpipe.validation._windows import Episode, Trace

if TYPE_CHECKING:
    import pyarrow as pa

    from bentpipe.validation._oracle import Case

#: Linux's value for "no threshold" (TCP_INFINITE_SSTHRESH).
_UNSET = 2147483647

#: The receiver's window, as a multiple of the data that path and queue can hold (`data/linux/README.md`).
RECEIVE_WINDOW = 6


def tcp(case: Case) -> bp.Tcp:
    """Return the preset of Linux with the settings of the traces: the bound of the receiver's window, and offload."""
    longest_ms = case.rtt_ms or max(rtt for _, rtt in case.rtt_steps)
    held_b = case.rate_mbit_s * 1e3 * longest_ms / 8 + case.queue_packets * PACKET_B
    return bp.Tcp(
        preset="linux",
        receive_window={"at_most": f"{RECEIVE_WINDOW * held_b:.0f} B"},
        ecn=None if case.mark_above_packets is None else "classic",
        tso=case.super_packets or None,
    )


TWINS = {
    "reno": Twin("reno"),
    "cubic": Twin("cubic-linux"),
    "dctcp": Twin("dctcp", {"reading": "6.1"}, ecn="dctcp"),
    "bbr": Twin("bbr1", window_rule=False),
    "bic": Twin("bic-linux"),
    "highspeed": Twin("hstcp-linux"),
    "htcp": Twin("h-tcp", {"reading": "6.1"}),
    "hybla": Twin("hybla-linux"),
    "illinois": Twin("illinois", {"reading": "6.1"}),
    "scalable": Twin("stcp", {"small_windows": "linux"}),
    "vegas": Twin("vegas-linux"),
    "veno": Twin("veno"),
    "westwood": Twin("westwood-plus"),
    "yeah": Twin("yeah"),
}


class Traces(_oracle.Traces):
    """The kernel's traces: a file for each case, and a file with the episodes of all cases."""

    folder = "linux"
    beside = "episodes.parquet"
    controller = "controller"

    def trace(self, case: Case, controller: str, flow: int = 0) -> Trace:
        """Return the trace of one flow of one run. Times count from the start of the flow."""
        rows = self.samples(case, controller, flow)
        found = where(self._beside, case=case.name, controller=controller, flow=flow)
        return traced(rows, found, case.flows_start_s[flow])


def traced(rows: pa.Table, episodes: pa.Table, start_s: float) -> Trace:
    """Return the samples and episodes of one flow; times count from `start_s`."""
    rows = rows.sort_by("time_ms")
    ssthresh, srtt_us = column(rows, "ssthresh"), column(rows, "srtt_us")
    return Trace(
        time_s=column(rows, "time_ms") / 1e3 - start_s,
        cwnd=column(rows, "cwnd"),
        ssthresh=np.where(ssthresh < _UNSET, ssthresh, np.nan),
        srtt_ms=np.where(srtt_us > 0, srtt_us / 1e3, np.nan),
        acked_bytes=column(rows, "bytes_acked"),
        retransmissions=column(rows, "retransmissions"),
        episodes=_episodes(episodes.sort_by("begin_us"), start_s),
        dropped=column(rows, "dropped") if "dropped" in rows.schema.names else None,
    )


def _episodes(rows: pa.Table, start_s: float) -> tuple[Episode, ...]:
    """Return the episodes of a flow in order of time. In the file, an unfinished episode has an end below zero."""
    begin_us, end_us = column(rows, "begin_us"), column(rows, "end_us")
    over = end_us >= 0
    columns = (
        rows.column("kind").to_pylist(),
        (begin_us / 1e6 - start_s).tolist(),
        np.where(over, end_us / 1e6 - start_s, np.nan).tolist(),
        column(rows, "cwnd_before").tolist(),
        np.where(over, column(rows, "cwnd_after"), np.nan).tolist(),
        rows.column("retransmissions").to_pylist(),
    )
    return tuple(Episode(*values) for values in zip(*columns, strict=True))


LINUX = Other(name="Linux", read=Traces, twins=TWINS, tcp=tcp, measures=WINDOWS, rule=RULE, reasons=REASONS)
