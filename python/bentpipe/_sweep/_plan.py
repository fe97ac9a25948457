# SPDX-License-Identifier: MIT OR Apache-2.0
"""The plan of a sweep: its points, the runs of each point, and the cost of the runs."""

from __future__ import annotations

import functools
import json
import math
import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._sweep import _design, _tables
from bentpipe._sweep._base import put_all
from bentpipe.base.errors import BentpipeError
from bentpipe.base.json import integer, tables
from bentpipe.runs.looks import levels
from bentpipe.runs.point import Point, Wanted
from bentpipe.scenario.presets import said_of

if TYPE_CHECKING:
    from pathlib import Path

    from bentpipe._sweep._document import Document
    from bentpipe.runs.store import Archive

#: Number of points whose cost is estimated. The total cost is extrapolated from these points.
_RECKONED = 8
#: Largest number of points that are checked before any run. Reading a scenario takes about two milliseconds.
_CHECKED = 50
#: The place of a network preset in a scenario.
_PRESET = ("network", "preset")
#: Measured size of a run in the archive and the tables, and of each flow of the run, in bytes.
_BYTES_RUN, _BYTES_FLOW = 700.0, 700.0


@dataclass(frozen=True)
class Cost:
    """The cost of a sweep, extrapolated from estimates of some of its points.

    Attributes:
        points: Number of points.
        runs: Smallest number of runs: every point stops at the first check of its interval.
        most_runs: Largest number of runs: every interval remains too wide.
        Number of the runs in `runs` that are already in the store.
        cpu_s: CPU time of the other runs, in s.
        disk_bytes: Disk space in bytes.
    """

    points: int
    runs: int
    most_runs: int
    there: int
    cpu_s: float
    disk_bytes: float


class Plan:
    """The plan of a sweep: its points and the runs of each point.

    Attributes:
        document: The sweep.
        values: For each point, the value of each axis.
        folder: Folder of the run folders; None if run folders are not written.
    """

    def __init__(self, document: Document, folder: Path | None = None) -> None:
        self.document, self.folder = document, folder
        self.values = _design.points(document)
        self._points: dict[int, Point] = {}

    def point(self, number: int) -> Point:
        """Return a point with its scenario."""
        if number not in self._points:
            # The document is made only when it is needed: a million documents would fill the memory.
            document = functools.partial(put_all, self.document.base, self.document.axes, self.values[number])
            self._points[number] = Point(document, self.document.base_origin)
        return self._points[number]

    def row(self, number: int, seed: int) -> _tables.Row:
        """A requested run."""
        point = self.point(number)
        folder = None
        if self.folder is not None:
            name = point.key(seed)[:20]
            folder = self.folder / name[:2] / name
        return _tables.Row(number, self.values[number], Wanted(point, seed, folder))

    @property
    def presets(self) -> list[str]:
        """One line for each network preset of the sweep: its name, and how it was validated."""
        # An axis over whole networks also chooses presets. Other axes have no effect on the presets.
        named = [at for at, axis in enumerate(self.document.axes) if axis.place in (("network",), _PRESET)]
        first: dict[object, int] = {}
        for number, values in enumerate(self.values if named else self.values[:1]):
            first.setdefault(tuple(map(str, (values[at] for at in named))), number)
        return said_of(self.point(number).job() for number in first.values())

    def refused(self) -> list[str]:
        """Return the combinations of values that are not a valid scenario, with their errors.

        In a large sweep, only combinations at regular distances are checked. For other combinations, the rows of the
        result contain the errors.
        """
        found = []
        for number in range(0, len(self.values), math.ceil(len(self.values) / _CHECKED)):
            try:
                _core.facts(self.point(number).job())
            except BentpipeError as problem:
                pairs = zip(self.document.axes, self.values[number], strict=True)
                combination = ", ".join(f"{axis.key} = {axis.label(value)}" for axis, value in pairs)
                found.append(f"{combination}: {problem.message}")
        return found

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """The confidence level of the interval at each look. All looks together have 95 %."""
        looks = self.document.seeds.looks
        return levels(looks) if len(looks) > 1 else (0.95,)

    def cost(self, archive: Archive) -> Cost:
        """Return the cost of the sweep."""
        seeds, count = self.document.seeds, len(self.values)
        runs = count * seeds.at_least
        # Computing the identity of a run from its scenario takes about a millisecond.
        looked_for = range(0 if archive.began_empty else count)
        keys = [(self.point(number).key(seed), seed) for number in looked_for for seed in range(1, seeds.at_least + 1)]
        kept = archive.those(dict(keys))
        there = sum(key in kept for key, _ in keys)
        step = max(1, count // _RECKONED)
        some = [self.point(number) for number in range(0, count, step)]
        costs = [cost for point in some if (cost := _reckoned(point)) is not None]
        costs = costs or [{"cpu_s": 0.0, "disk_bytes": 0.0}]
        flows = max(1, sum(integer(flow, "count", 1) for flow in tables(self.document.base, "flows")))
        each_s = math.fsum(cost["cpu_s"] for cost in costs) / len(costs)
        disk = math.fsum(cost["disk_bytes"] for cost in costs) / len(costs) if self.folder is not None else 0.0
        return Cost(
            count,
            runs,
            count * seeds.looks[-1],
            there,
            each_s * (runs - there),
            runs * (_BYTES_RUN + flows * _BYTES_FLOW + disk),
        )


def _reckoned(point: Point) -> dict[str, float] | None:
    """Return the cost of a run of a point, including parsing, which matters for short runs; None if it is refused."""
    start = time.thread_time()
    try:
        _core.facts(point.job())
        read_s = time.thread_time() - start
        cost = json.loads(_core.cost(point.job()))
    except BentpipeError:
        return None  # the rows of this point will contain the error
    return {"cpu_s": cost["cpu_s"] + read_s, "disk_bytes": cost["disk_bytes"]}
