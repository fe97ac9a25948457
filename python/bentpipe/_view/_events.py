# SPDX-License-Identifier: MIT OR Apache-2.0
"""What happened in a run, in words and marks: changes of the way, cuts and why, losses, phases."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from bentpipe._view._columns import numbers, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe._run import Run
    from bentpipe._view._buffers import Buffer
    from bentpipe._view._ways import Ways

#: Events in words: more would hold up the page. Those of the network go first, then what is rarest.
MOST = 40_000
#: What a cut is told with: the last change of the way that is no older.
_RECENT_S = 2.0
#: Rows of the table of events that are told one by one.
_TOLD = ("cut", "timeout", "spurious", "mark", "start", "stop", "complete")
_ENDS = {"start": "the flow starts", "stop": "the flow is told to stop", "complete": "the transfer is complete"}
_CAUSES = {
    "queue": "a packet that a full queue dropped",
    "error": "a packet lost to a link error",
    "outage": "a packet lost to an outage",
    "none": "a packet that was not lost at all",
}


def of_ways(flow: int, ways: Ways, names: Sequence[str], end_s: float) -> list[dict[str, Any]]:
    """Changes of a flow's way: handovers, other changes, outages."""
    found = []
    times = [*ways.times.tolist(), end_s]
    if ways.nodes and not ways.nodes[0]:
        found.append(_event(times[0], "outage", flow, "no path", times[1]))
    for place, (before, after) in enumerate(pairwise(ways.nodes), 1):
        if not after:
            found.append(_event(times[place], "outage", flow, "no path", times[place + 1]))
            continue
        kind, text = "path", f"the path now is {_said(after, names)}"
        if not before:
            text = f"there is a path again: {_said(after, names)}"
        elif (before[1], before[-2]) != (after[1], after[-2]):
            kind = "handover"
            ends = [
                f"{names[site]}: {names[old]} → {names[new]}"
                for site, old, new in ((after[0], before[1], after[1]), (after[-1], before[-2], after[-2]))
                if old != new
            ]
            text = "; ".join(ends)
        rtts = ways.rtt_ms[place - 1 : place + 1]
        if before and np.isfinite(rtts).all():
            text += f"; propagation RTT {rtts[1]:.1f} ms"
        found.append(_event(times[place], kind, flow, text))
    return found


def _said(way: Sequence[int], names: Sequence[str]) -> str:
    return " > ".join(names[node] for node in way)


def _event(time_s: float, kind: str, flow: int, text: str, until_s: float | None = None) -> dict[str, Any]:
    return {"time_s": time_s, "kind": kind, "flow": flow, "until_s": until_s, "text": text}


class Log:
    """The table of events, sorted by flow."""

    def __init__(self, run: Run) -> None:
        self._run = run
        table = run._some("events", ["time_s", "flow", "event", "cause", "detail"])
        self._rows = np.empty(0, np.int64)
        self._kinds: list[str] = []
        self.is_there = bool(table.num_rows)
        if not self.is_there:
            return
        self._time = numbers(table, "time_s")
        self._flow = numbers(table, "flow").astype(np.int64)
        self._kinds, self._kind = words(table, "event")
        self._causes, self._cause = words(table, "cause")
        self._details, self._detail = words(table, "detail")
        rows = np.lexsort((np.arange(table.num_rows), self._flow))
        # Behind the flows are the parts of those that proxies split.
        self._rows = rows[self._flow[rows] < len(run.summary["flows"])]

    def _of(self, kind: str) -> np.ndarray:
        """Rows of a kind, flow by flow, each in the order of time."""
        if kind not in self._kinds:
            return self._rows[:0]
        return np.asarray(self._rows[self._kind[self._rows] == self._kinds.index(kind)])

    def losses(self, buffers: dict[int, Buffer]) -> list[dict[str, Any]]:
        """When each flow noticed losses, by true cause."""
        found = []
        rows = self._of("loss")
        for flow, own in self._by_flow(rows):
            for code, cause in enumerate(self._causes):
                times = self._time[own[self._cause[own] == code]]
                if times.size and flow in buffers:
                    ref = buffers[flow].array("f64", times)
                    found.append({"flow": flow, "cause": cause, "count": int(times.size), "time": ref})
        return found

    def phases(self, buffers: dict[int, Buffer]) -> list[dict[str, Any]]:
        """The phases of each flow's controller."""
        found = []
        for flow, own in self._by_flow(self._of("phase")):
            if flow not in buffers:
                continue
            codes, numbers = np.unique(self._detail[own], return_inverse=True)
            names = [self._details[code] if code >= 0 else "" for code in codes.tolist()]
            buffer = buffers[flow]
            time, name = buffer.array("f64", self._time[own]), buffer.array("u32", numbers)
            found.append({"flow": flow, "names": names, "count": int(own.size), "time": time, "name": name})
        return found

    def _by_flow(self, rows: np.ndarray) -> list[tuple[int, np.ndarray]]:
        flows = self._flow[rows] if rows.size else rows
        starts = np.flatnonzero(np.diff(flows, prepend=-2))
        parts = np.split(rows, starts[1:]) if starts.size else []
        return [(int(self._flow[part[0]]), part) for part in parts]

    def told(self, ways: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[str]]:
        """All that is told in words, with the changes of the ways, in the order of time; and what is left out."""
        found, notes = list(ways), []
        changes: dict[int, list[tuple[float, str]]] = {}
        for event in ways:
            changes.setdefault(event["flow"], []).append((event["time_s"], event["kind"]))
        if len(found) > MOST:
            notes.append(f"of {len(found)} changes of paths the first {MOST} are told")
            found = sorted(found, key=_order)[:MOST]
        kinds = {kind: self._of(kind) for kind in _TOLD} if self.is_there else {}
        why = self._reasons() if self.is_there else {}
        for kind, rows in sorted(kinds.items(), key=lambda one: one[1].size):
            room = MOST - len(found)
            if rows.size > room:
                # Some flows as a whole: half of a story misleads.
                rows = rows[self._flow[rows] < self._flow[rows[room]]]
                notes.append(
                    f"so many {kind} events are too many: they are told of flows before number "
                    f"{self._flow[self._of(kind)[room]]}; losses, phases and curves are all there"
                )
            texts = self._texts(kind, rows, why, changes)
            times, flows = self._time[rows].tolist(), self._flow[rows].tolist()
            found += [_event(time, kind, flow, text) for time, flow, text in zip(times, flows, texts, strict=True)]
        return sorted(found, key=_order), notes

    def _reasons(self) -> dict[tuple[int, float], str]:
        """Why a flow cut its window at a moment: what else happened to it just then."""
        reasons: dict[tuple[int, float], str] = {}
        for kind in ("loss", "mark", "timeout"):
            rows = self._of(kind)
            causes = self._cause[rows].tolist() if rows.size else []
            flows, times = (
                self._flow[rows].tolist() if rows.size else [],
                self._time[rows].tolist() if rows.size else [],
            )
            for flow, time, cause in zip(flows, times, causes, strict=True):
                if kind == "loss":
                    reasons.setdefault(
                        (flow, time), _CAUSES.get(self._causes[cause], "a loss") if cause >= 0 else "a loss"
                    )
                else:
                    reasons[flow, time] = "an ECN mark" if kind == "mark" else "a retransmission timeout"
        return reasons

    def _texts(
        self,
        kind: str,
        rows: np.ndarray,
        why: dict[tuple[int, float], str],
        changes: dict[int, list[tuple[float, str]]],
    ) -> list[str]:
        if kind in _ENDS:
            return [_ENDS[kind]] * rows.size
        times, flows = self._time[rows].tolist(), self._flow[rows].tolist()
        after = [_since(changes.get(flow, ()), time) for flow, time in zip(flows, times, strict=True)]
        if kind == "timeout":
            return [f"retransmission timeout{tail}" for tail in after]
        if kind == "mark":
            return [f"an ECN mark is answered{tail}" for tail in after]
        if kind == "spurious":
            return [f"the reduction is undone: nothing was lost{tail}" for tail in after]
        windows = self._run._some("events", ["before", "after"])
        old, new = (numbers(windows, name)[rows].tolist() for name in ("before", "after"))
        return [
            f"window {a:.0f} → {b:.0f} segments, for {why.get((flow, time), 'congestion')}{tail}"
            for a, b, flow, time, tail in zip(old, new, flows, times, after, strict=True)
        ]


def _since(changes: Sequence[tuple[float, str]], time: float) -> str:
    """How long ago the way last changed, if that was just now."""
    place = bisect_right(changes, (time, "~")) - 1
    if place < 0 or time - changes[place][0] > _RECENT_S:
        return ""
    words = {"handover": "a handover", "path": "the path changed", "outage": "the path was gone"}
    return f", {time - changes[place][0]:.3f} s after {words[changes[place][1]]}"


def _order(event: dict[str, Any]) -> tuple[float, int]:
    return event["time_s"], event["flow"]
