# SPDX-License-Identifier: MIT OR Apache-2.0
"""Cases as scenarios, and runs as traces: the simulator's side of a comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import bentpipe as bp
from bentpipe.plots import column
from bentpipe.validation._oracle import where
from bentpipe.validation._scenes import PAYLOAD_B
from bentpipe.validation._windows import Episode, Trace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bentpipe import Run
    from bentpipe.validation._oracle import Case
    from bentpipe.validation._windows import Floats

#: Samples of a run: ten of them are one of the trace, so that what happens within an episode is known to 10 ms.
_INTERVAL_MS = 10
_SAMPLE_MS = 100
#: Phases of controllers that are in the phase "recovery" while they repair.
_LOSS_BASED = ("slow start", "avoidance")


def scenario(case: Case, controller: Mapping[str, Any], tcp: bp.Tcp, seconds: float) -> bp.Scenario:
    """A case as a scenario: a bottleneck one way, nothing in the way of the ACKs."""
    lost: dict[str, Any] = {}
    if case.lost_packets:
        lost |= {"lost_packets": case.lost_packets, "lost_period": case.lost_period}
    if case.lost_spans:
        lost["lost_spans"] = [(f"{start:g} s", f"{end:g} s") for start, end in case.lost_spans]
    steps = [(f"{at:g} s", f"{rtt / 2:g} ms") for at, rtt in case.rtt_steps]
    return bp.Scenario(
        name=case.name,
        duration=f"{seconds:g} s",
        network=bp.Dumbbell(
            rate=f"{case.rate_mbit_s:g} Mbit/s",
            rtt=None if case.rtt_ms is None else f"{case.rtt_ms:g} ms",
            delay_steps=steps or None,
            queue=f"{case.queue_packets} packets",
            reverse=bp.Link(rate="unlimited", queue="unlimited"),
            **lost,
        ),
        flows=[bp.Flow(controller=controller, start=f"{start:g} s", tcp=tcp) for start in case.flows_start_s],
        record=bp.Record(interval=f"{_INTERVAL_MS} ms", events=True),
    )


def trace(run: Run, case: Case, flow: int = 0) -> Trace:
    """A flow of a run as a trace; its times count from its own start, one sample every 100 ms."""
    rows = where(run.flows.arrow, flow=flow)
    start_s = case.flows_start_s[flow]
    fine = _Fine(
        time_s=column(rows, "time_s") - start_s,
        cwnd=column(rows, "cwnd_segments"),
        received_bytes=np.cumsum(column(rows, "goodput_mbit_s")) * _INTERVAL_MS * 125.0,
        sent=np.cumsum(column(rows, "sent_packets")),
        again=np.cumsum(column(rows, "retransmitted_packets")),
    )
    each = _SAMPLE_MS // _INTERVAL_MS
    first = int(np.searchsorted(fine.time_s, 1e-9))
    keep = slice(first + each - 1, None, each)
    return Trace(
        time_s=fine.time_s[keep],
        cwnd=fine.cwnd[keep],
        ssthresh=column(rows, "ssthresh_segments")[keep],
        srtt_ms=column(rows, "srtt_ms")[keep],
        acked_bytes=fine.received_bytes[keep],
        retransmissions=fine.again[keep],
        episodes=_episodes(run, case, flow, fine),
    )


@dataclass(frozen=True)
class _Fine:
    """A flow's series at the recording's own interval."""

    time_s: Floats
    cwnd: Floats
    received_bytes: Floats
    sent: Floats
    again: Floats

    def at(self, moment_s: float) -> int:
        """Index of the first sample at or after a moment; the last one if there is none."""
        return min(int(np.searchsorted(self.time_s, moment_s - 1e-9)), self.time_s.size - 1)

    def all_received(self, begin_s: float) -> float:
        """When the receiver had as many segments as were sent before `begin_s`; NaN if never."""
        before = max(self.at(begin_s) - 1, 0)
        wanted = (self.sent[before] - self.again[before]) * PAYLOAD_B
        have = np.flatnonzero(self.received_bytes >= wanted)
        have = have[self.time_s[have] >= begin_s]
        return float(self.time_s[have[0]]) if have.size else math.nan


def _episodes(run: Run, case: Case, flow: int, fine: _Fine) -> tuple[Episode, ...]:
    """Recoveries and what follows timeouts.

    A loss-based controller says when it is in recovery. What follows a timeout, and a recovery of a controller that has
    no such phase (BBR), ends when everything sent before it has arrived, and half a base round trip later.
    """
    start_s = case.flows_start_s[flow]
    events = [row for row in run.events.arrow.to_pylist() if row["flow"] == flow]
    says = any(row["event"] == "phase" and row["detail"] in _LOSS_BASED for row in events)
    cut_at = {row["time_s"]: row["before"] for row in reversed(events) if row["event"] == "cut"}
    found: list[Episode] = []
    since: float | None = None  # when the recovery that goes on began
    busy_until = -math.inf

    def close(kind: str, begin_s: float, end_s: float, left: float | None = None) -> None:
        first = max(fine.at(begin_s) - 1, 0)
        over = not math.isnan(end_s) and end_s <= fine.time_s[-1]
        last = fine.at(end_s) if over else -1
        found.append(
            Episode(
                kind=kind,
                begin_s=begin_s,
                end_s=end_s if over else math.nan,
                before=cut_at.get(begin_s + start_s, float(fine.cwnd[first])),
                after=float(fine.cwnd[last] if left is None else left) if over else math.nan,
                retransmissions=int(fine.again[last] - fine.again[first]),
            )
        )

    for row in events:
        at = row["time_s"] - start_s
        if row["event"] == "cut" and since is not None and at > since:
            # A lost retransmission cuts once more: two episodes, as in the kernel's traces.
            close("recovery", since, at, float(row["before"]))
            since = at
        elif row["event"] == "phase" and says:
            if since is not None and row["detail"] != "recovery":
                close("recovery", since, at)
            since = at if row["detail"] == "recovery" else None
        elif row["event"] == "timeout" or (row["event"] == "loss" and not says and at > busy_until):
            if since is not None:
                close("recovery", since, at)
                since = None
            end = fine.all_received(at) + case.rtt_at(at) / 2e3
            if row["event"] == "loss" or at > busy_until:
                close("loss" if row["event"] == "timeout" else "recovery", at, end)
            busy_until = math.inf if math.isnan(end) else end
    if since is not None:
        close("recovery", since, math.nan)
    return tuple(sorted(found, key=lambda one: one.begin_s))
