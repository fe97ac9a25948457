# SPDX-License-Identifier: MIT OR Apache-2.0
"""The simulator's side of a comparison: cases as scenarios, and runs as traces."""

from __future__ import annotations

import bisect
import math
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

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

#: Interval of the samples of a run. A trace has every tenth sample; within an episode, times are known to 10 ms.
INTERVAL_MS = 10
_SAMPLE_MS = 100
#: The tick of the simulator's clock in seconds.
_TICK_S = 1e-9
#: Size of a SYN in bytes: IP 20, TCP 20, options 20.
_SYN_B = 60
#: Values of `tcp.setup` with which data are sent at the start of the flow.
_AT_ONCE = ("none", "ns-2-linux")
#: Phases of controllers that report the phase "recovery" while they repair losses.
_LOSS_BASED = ("slow start", "avoidance")


def opening_s(case: Case, tcp: bp.Tcp) -> float:
    """Return the duration of the handshake in seconds; 0 if data are sent at once.

    Recorded traces begin after the handshake.
    """
    return handshake_s(case.rtt_ms or case.rtt_steps[0][1], case.rate_mbit_s, tcp)


def handshake_s(rtt_ms: float, rate_mbit_s: float, tcp: bp.Tcp | Mapping[str, object]) -> float:
    """Return the duration of the handshake over a path in seconds; 0 if the setup sends data at once."""
    path = bp.Dumbbell(rate="1 Mbit/s", rtt="1 ms")
    one = bp.Scenario(name="set-up", network=path, flows=[bp.Flow(controller="reno", tcp=tcp)])
    if tomllib.loads(one.resolved())["flows"][0]["tcp"]["setup"] in _AT_ONCE:
        return 0.0
    return rtt_ms / 1e3 + _SYN_B * 8e-6 / rate_mbit_s


def scenario(case: Case, controller: Mapping[str, object], tcp: bp.Tcp, seconds: float) -> bp.Scenario:
    """Return a case as a scenario: a bottleneck in one direction, and unlimited ACKs.

    All times of the case count from the establishment of the first connection, so the handshake is added here.
    """
    later_s = opening_s(case, tcp)
    spans = [(f"{start + later_s:.9g} s", f"{end + later_s:.9g} s") for start, end in case.lost_spans]
    lost = bp.Loss(packets=case.lost_packets or None, period=case.lost_period, spans=spans or None)
    steps = [(f"{at + later_s if at else 0:.9g} s", f"{rtt / 2:g} ms") for at, rtt in case.rtt_steps]
    return bp.Scenario(
        name=case.name,
        duration=f"{seconds + later_s:.9g} s",
        network=bp.Dumbbell(
            rate=f"{case.rate_mbit_s:g} Mbit/s",
            rtt=None if case.rtt_ms is None else f"{case.rtt_ms:g} ms",
            delay_steps=steps or None,
            queue=_queue(case),
            reverse=bp.Link(rate="unlimited", queue="unlimited"),
            loss=lost if case.lost_packets or spans else None,
        ),
        flows=[bp.Flow(controller=controller, start=f"{start:g} s", tcp=tcp) for start in case.flows_start_s],
        record=bp.Record(interval=f"{INTERVAL_MS} ms", events=True, packets=True),
    )


def _queue(case: Case) -> str | dict[str, str]:
    """Return the queue of the bottleneck. The kernel marks from N waiting packets on, and our threshold above N."""
    limit = f"{case.queue_packets} packets"
    if case.mark_above_packets is None:
        return limit
    return {"discipline": "threshold", "limit": limit, "mark_above": f"{case.mark_above_packets - 1} packets"}


def trace(run: Run, case: Case, tcp: bp.Tcp, flow: int = 0) -> Trace:
    """Return a flow of a run as a trace, with a sample every 100 ms. Times count from the start of the flow."""
    return traced(run, case.flows_start_s[flow] + opening_s(case, tcp), flow)


def traced(run: Run, start_s: float, flow: int = 0) -> Trace:
    """Return the trace of a flow that was recorded each `INTERVAL_MS`, with a sample every 100 ms.

    Times count from `start_s`.
    """
    rows = where(run.flows.arrow, flow=flow)
    fine = _Fine(
        time_s=column(rows, "time_s") - start_s,
        cwnd=column(rows, "cwnd_segments"),
        again=np.cumsum(column(rows, "retransmitted_packets")),
    )
    sequence = _Sequence.of(run, flow, start_s)
    each = _SAMPLE_MS // INTERVAL_MS
    first = int(np.searchsorted(fine.time_s, 1e-9))
    keep = slice(first + each - 1, None, each)
    return Trace(
        time_s=fine.time_s[keep],
        cwnd=fine.cwnd[keep],
        ssthresh=column(rows, "ssthresh_segments")[keep],
        srtt_ms=column(rows, "srtt_ms")[keep],
        acked_bytes=sequence.acked_at(fine.time_s[keep]) * PAYLOAD_B,
        retransmissions=fine.again[keep],
        episodes=_episodes(run, flow, start_s, fine, sequence),
        timeouts=_timeouts(run, flow, start_s, fine.time_s[keep]),
        dropped=np.cumsum(column(rows, "lost_queue"))[keep],
    )


def _timeouts(run: Run, flow: int, start_s: float, times_s: Floats) -> Floats:
    """Return the number of timeouts until each time."""
    expired = where(run.events.arrow, flow=flow, event="timeout")
    return np.searchsorted(column(expired, "time_s") - start_s, times_s + 1e-9).astype(np.float64)


@dataclass(frozen=True)
class _Fine:
    """A flow's series at the interval of the recording."""

    time_s: Floats
    cwnd: Floats
    again: Floats

    def at(self, moment_s: float) -> int:
        """Return the index of the first sample at or after a time; of the last sample if there is none."""
        return min(int(np.searchsorted(self.time_s, moment_s - 1e-9)), self.time_s.size - 1)


@dataclass(frozen=True)
class _Sequence:
    """Sent and acknowledged segments over time."""

    sent_s: Floats
    sent: Floats
    acked_s: Floats
    acked: Floats

    @classmethod
    def of(cls, run: Run, flow: int, start_s: float) -> _Sequence:
        """Read the packets of a run: data that arrived at the bottleneck, ACKs that reached the sender."""
        import pyarrow.compute as pc

        rows = where(run.packets.arrow, flow=flow)
        data = where(rows, kind="data")
        data = data.filter(pc.and_(pc.equal(data.column("link"), 0), pc.not_equal(data.column("event"), "deliver")))
        acks = where(rows, kind="ack", event="deliver")
        return cls(
            sent_s=column(data, "time_s") - start_s,
            sent=np.maximum.accumulate(column(data, "sequence") + 1),
            acked_s=column(acks, "time_s") - start_s,
            acked=np.maximum.accumulate(column(acks, "sequence")),
        )

    def acked_at(self, times_s: Floats) -> Floats:
        """Return the segments acknowledged until each moment."""
        newest = np.searchsorted(self.acked_s, times_s + 1e-9) - 1
        return np.where(newest < 0, 0.0, self.acked[newest]) if self.acked.size else np.zeros(times_s.size)

    def repaired(self, begin_s: float) -> float:
        """Return the time at which all data sent until `begin_s` are acknowledged; NaN if never."""
        newest = int(np.searchsorted(self.sent_s, begin_s + 1e-9)) - 1
        at = int(np.searchsorted(self.acked, self.sent[newest])) if newest >= 0 else 0
        return float(self.acked_s[at]) if at < self.acked_s.size else math.nan


def _episodes(run: Run, flow: int, start_s: float, fine: _Fine, sequence: _Sequence) -> tuple[Episode, ...]:
    """Return the recoveries, and the slow starts after timeouts.

    A cut for a mark (ECN) is an episode of kind ``cwr`` if nothing is retransmitted in it. A loss-based controller
    reports its recovery as a phase. A recovery of a controller without this phase (BBR), and the episode after a
    timeout, end when everything sent before them is acknowledged.
    """
    events = [row for row in run.events.arrow.to_pylist() if row["flow"] == flow]
    says = any(row["event"] == "phase" and row["detail"] in _LOSS_BASED for row in events)
    cut_at = {row["time_s"]: row["before"] for row in reversed(events) if row["event"] == "cut"}
    cuts_s = sorted(cut_at)
    marked_s = {row["time_s"] for row in events if row["event"] == "mark"}
    found: list[Episode] = []
    since: float | None = None  # start of the current recovery
    busy_until = -math.inf

    def close(kind: str, begin_s: float, end_s: float, left: float | None = None) -> None:
        first = max(fine.at(begin_s) - 1, 0)
        over = not math.isnan(end_s) and end_s <= fine.time_s[-1]
        # A sample at exactly this time may still have the previous state.
        last = fine.at(end_s + 1e-6) if over else -1
        if over and left is None:
            # The next cut may come before the sample, or with the ACK that ends the episode. That cut has the window
            # that was left.
            following = bisect.bisect_left(cuts_s, max(end_s, begin_s + _TICK_S) + start_s - _TICK_S / 2)
            if following < len(cuts_s) and cuts_s[following] - start_s <= fine.time_s[last]:
                left = float(cut_at[cuts_s[following]])
        again = int(fine.again[last] - fine.again[first])
        found.append(
            Episode(
                kind="cwr" if kind == "recovery" and begin_s + start_s in marked_s and again == 0 else kind,
                begin_s=begin_s,
                end_s=end_s if over else math.nan,
                before=cut_at.get(begin_s + start_s, float(fine.cwnd[first])),
                after=float(fine.cwnd[last] if left is None else left) if over else math.nan,
                retransmissions=again,
            )
        )

    for row in events:
        at = row["time_s"] - start_s
        if row["event"] == "cut" and since is not None and at > since:
            # A loss of data sent after the cut causes another cut, which is an episode of its own (not with
            # `one_cut_per_recovery`, as in Linux).
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
            end = sequence.repaired(at)
            if row["event"] == "loss" or at > busy_until:
                close("loss" if row["event"] == "timeout" else "recovery", at, end)
            busy_until = math.inf if math.isnan(end) else end
    if since is not None:
        close("recovery", since, math.nan)
    return tuple(sorted(found, key=lambda one: one.begin_s))
