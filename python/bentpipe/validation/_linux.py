# SPDX-License-Identifier: MIT OR Apache-2.0
"""The simulator beside a Linux kernel: `bentpipe validate linux`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypedDict

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
    from bentpipe.validation._oracle import Case

#: What Linux says for "no threshold" (TCP_INFINITE_SSTHRESH).
_UNSET = 2147483647

#: The receiver's window, in what path and queue hold (`data/linux/README.md`).
_RECEIVE_WINDOW = 6


def tcp(case: Case) -> bp.Tcp:
    """The preset of Linux, and the traces' own: a receiver's window from 64 kB to a bound, and perhaps offload."""
    longest_ms = case.rtt_ms or max(rtt for _, rtt in case.rtt_steps)
    held_b = case.rate_mbit_s * 1e3 * longest_ms / 8 + case.queue_packets * PACKET_B
    return bp.Tcp(
        preset="linux",
        receive_window={"at_most": f"{_RECEIVE_WINDOW * held_b:.0f} B"},
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
    """The kernel's traces: one file per case, and the episodes of all."""

    folder = "linux"
    beside = "episodes.parquet"
    controller = "controller"

    def trace(self, case: Case, controller: str, flow: int = 0) -> Trace:
        """One flow of one run; its times count from its own start."""
        rows = self.samples(case, controller, flow)
        ssthresh, srtt_us = column(rows, "ssthresh"), column(rows, "srtt_us")
        found = where(self._beside, case=case.name, controller=controller, flow=flow).sort_by("begin_us")
        start_s = case.flows_start_s[flow]
        return Trace(
            time_s=column(rows, "time_ms") / 1e3 - start_s,
            cwnd=column(rows, "cwnd"),
            ssthresh=np.where(ssthresh < _UNSET, ssthresh, np.nan),
            srtt_ms=np.where(srtt_us > 0, srtt_us / 1e3, np.nan),
            acked_bytes=column(rows, "bytes_acked"),
            retransmissions=column(rows, "retransmissions"),
            episodes=tuple(_episode(row, start_s) for row in found.to_pylist()),
        )


class _Row(TypedDict):
    """A row of the table of episodes; one that is not over has an end below zero."""

    kind: str
    begin_us: int
    end_us: int
    cwnd_before: int
    cwnd_after: int
    retransmissions: int


def _episode(row: _Row, start_s: float) -> Episode:
    over = row["end_us"] >= 0
    return Episode(
        kind=row["kind"],
        begin_s=row["begin_us"] / 1e6 - start_s,
        end_s=row["end_us"] / 1e6 - start_s if over else math.nan,
        before=float(row["cwnd_before"]),
        after=float(row["cwnd_after"]) if over else math.nan,
        retransmissions=int(row["retransmissions"]),
    )


LINUX = Other(name="Linux", read=Traces, twins=TWINS, tcp=tcp, measures=WINDOWS, rule=RULE, reasons=REASONS)
