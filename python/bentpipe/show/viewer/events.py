# SPDX-License-Identifier: MIT OR Apache-2.0
"""Events of the flows of a run: losses, cuts of the window with reasons, phases. The page contains their names."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bentpipe.show.viewer.columns import KEPT, numbers, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from bentpipe.runs.run import Run
    from bentpipe.show.viewer.buffers import Buffer
    from bentpipe.show.viewer.format import Events, Losses, Phases

#: Events that are listed one by one. Losses and phases are listed separately.
KINDS = ("cut", "timeout", "spurious", "unused", "mark", "start", "stop", "complete")
#: Reasons of cuts of the window. The first ones are the true causes of a loss, as in the table of events.
REASONS = ("queue", "error", "outage", "policer", "too_large", "none", "loss", "mark", "timeout", "unknown")
#: Numbers up to this fit into two bytes, and can be sorted ten times as fast.
_SHORT = (1 << 16) - 1
_LOSS, _MARK, _TIMEOUT, _UNKNOWN = 6, 7, 8, 9


class Log:
    """The table of events. The events of each flow are counted at once; the events themselves are read on request.

    Args:
        run: The run.
        count: Number of flows with events, including parts of split flows. These are the flows with the lowest numbers.
    """

    def __init__(self, run: Run, count: int) -> None:
        self._run, self._count = run, count
        table = run._some("events", ["flow", "event", "cause", "detail"])
        self.is_there = bool(table.num_rows)
        if not self.is_there:
            return
        self._kinds, kind = words(table, "event")
        self._causes, cause = words(table, "cause")
        self._details = words(table, "detail")[0]
        flow = numbers(table, "flow").astype(np.int64)
        ours = (flow >= 0) & (flow < self._count)
        flow, kind, cause = flow[ours], kind[ours], cause[ours]
        self._of_kind = _counted(flow, kind, (self._count, len(self._kinds)))
        lost = kind == (self._kinds.index("loss") if "loss" in self._kinds else -2)
        self._lost = _counted(flow[lost], cause[lost], (self._count, len(self._causes)))

    def losses(self, buffers: dict[int, Buffer]) -> list[Losses]:
        """Return the times at which each flow noticed losses, by true cause."""
        if not self.is_there:
            return []
        found: list[Losses] = []
        for flow, code in np.argwhere(self._lost).tolist():
            count = int(self._lost[flow, code])
            ref = buffers[flow].add("f64", count, partial(self._lost_at, flow, code))
            found.append({"flow": flow, "cause": self._causes[code], "count": count, "time": ref})
        return found

    def phases(self, buffers: dict[int, Buffer]) -> list[Phases]:
        """Return the phases of each flow's controller."""
        found: list[Phases] = []
        for flow, count in self._numbered("phase"):
            make = partial(self._columns, flow, ("phase",), ("time_s", "detail"))
            time, name = buffers[flow].group([("f64", count), ("u32", count)], make)
            names = [*self._details, ""]
            found.append({"flow": flow, "names": names, "count": count, "time": time, "name": name})
        return found

    def events(self, buffers: dict[int, Buffer]) -> list[Events]:
        """Return cuts of each flow's window with reasons, timeouts, starts and ends."""
        kinds = ("f64", "u32", "u32", "f32", "f32")
        found: list[Events] = []
        for flow, count in self._numbered(*KINDS):
            make = partial(self._columns, flow, KINDS, ("time_s", "kind", "reason", "before", "after"))
            time, kind, reason, before, after = buffers[flow].group([(one, count) for one in kinds], make)
            found.append(
                {
                    "flow": flow,
                    "kinds": list(KINDS),
                    "reasons": list(REASONS),
                    "count": count,
                    "time": time,
                    "kind": kind,
                    "reason": reason,
                    "before": before,
                    "after": after,
                }
            )
        return found

    def _numbered(self, *kinds: str) -> list[tuple[int, int]]:
        """Return the flows that have events of these kinds, each with the number of these events."""
        if not self.is_there:
            return []
        sums = self._of_kind[:, [code for code, kind in enumerate(self._kinds) if kind in kinds]].sum(axis=1)
        return [(flow, count) for flow, count in enumerate(sums.tolist()) if count]

    def _lost_at(self, flow: int, cause: int) -> np.ndarray:
        rows = self._rows(flow, ("loss",))
        return np.asarray(self._column("time_s")[rows[self._column("cause")[rows] == cause]])

    def _columns(self, flow: int, kinds: tuple[str, ...], names: tuple[str, ...]) -> list[np.ndarray]:
        rows = self._rows(flow, kinds)
        return [self._column(name)[rows] for name in names]

    def _rows(self, flow: int, kinds: tuple[str, ...]) -> np.ndarray:
        """Return the rows of a flow, in the order of the table, which is the order of time."""
        ends = np.cumsum(self._of_kind.sum(axis=1))
        rows = self._column("by flow")[ends[flow] - self._of_kind[flow].sum() : ends[flow]]
        is_one = np.array([kind in kinds for kind in self._kinds] + [False])
        return np.asarray(rows[is_one[self._column("event")[rows]]])

    def _column(self, name: str) -> np.ndarray:
        made: dict[str, Callable[[], np.ndarray]] = {
            "by flow": self._by_flow,
            "kind": self._kind,
            "reason": self._reason,
            # The code of a missing value (-1) becomes the last index.
            "detail": lambda: self._codes("detail") % (len(self._details) + 1),
            "event": lambda: self._codes("event"),
            "cause": lambda: self._codes("cause"),
            "before": lambda: self._numbers("before").astype(np.float32),
            "after": lambda: self._numbers("after").astype(np.float32),
        }
        return KEPT.get((self, name), made.get(name, partial(self._numbers, name)))

    def _numbers(self, name: str) -> np.ndarray:
        return numbers(self._run._some("events", [name]), name)

    def _codes(self, name: str) -> np.ndarray:
        known, codes = words(self._run._some("events", [name]), name)
        return codes.astype(np.int16 if len(known) < _SHORT // 2 else np.int32)

    def _by_flow(self) -> np.ndarray:
        """The rows, flow by flow. Rows of flows that are not counted are last."""
        flow = self._column("flow").astype(np.int64)
        key = np.where((flow >= 0) & (flow < self._count), flow, self._count)
        return np.argsort(key.astype(np.uint16) if self._count <= _SHORT else key, kind="stable").astype(np.int32)

    def _kind(self) -> np.ndarray:
        code_of = np.array([KINDS.index(kind) if kind in KINDS else 0 for kind in self._kinds], np.int8)
        return np.asarray(code_of[self._column("event")])

    def _reason(self) -> np.ndarray:
        """Return the reason of the cut in each row. The reason is the other event of the flow at the same time.

        Rows are ordered by time, then by flow, so that related rows are adjacent.
        """
        event, flow = self._column("event"), self._column("flow").astype(np.int64)
        new = (np.diff(self._column("time_s"), prepend=np.nan) != 0.0) | (np.diff(flow, prepend=-2) != 0)
        moment = np.cumsum(new) - 1
        reason = np.full(int(moment[-1]) + 1, _UNKNOWN, np.int64)
        code_of = np.array([REASONS.index(one) if one in REASONS[:_LOSS] else _LOSS for one in self._causes] + [_LOSS])
        code = {kind: number for number, kind in enumerate(self._kinds)}
        # Of several losses at a time, the first loss counts: the losses are written backwards. Marks and timeouts
        # overwrite losses.
        losses = np.flatnonzero(event == code.get("loss", -2))[::-1]
        reason[moment[losses]] = code_of[self._column("cause")[losses]]
        reason[moment[event == code.get("mark", -2)]] = _MARK
        reason[moment[event == code.get("timeout", -2)]] = _TIMEOUT
        return np.asarray(reason.astype(np.int8)[moment])


def _counted(flows: np.ndarray, codes: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Return the number of rows for each flow and code. Rows without a code are not counted."""
    known = codes >= 0
    return np.bincount(flows[known] * shape[1] + codes[known], minlength=shape[0] * shape[1]).reshape(shape)
