# SPDX-License-Identifier: MIT OR Apache-2.0
"""A sweep before it runs: its points, the runs that they want, and what those will take."""

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

#: So many points are reckoned for the cost of all.
_RECKONED = 8
#: Bytes of a run in the archive and the tables, and of each of its flows, as measured.
_BYTES_RUN, _BYTES_FLOW = 700.0, 700.0


@dataclass(frozen=True)
class Cost:
    """What a sweep will take, by the estimates of some of its points.

    Attributes:
        points: How many points.
        runs: Runs that there will be at least, and at most if intervals stay wide.
        most_runs: See there.
        there: Of the least, those that are in the store already.
        cpu_s: CPU time of those that are not, in s.
        disk_bytes: Room on the disk.
    """

    points: int
    runs: int
    most_runs: int
    there: int
    cpu_s: float
    disk_bytes: float


class Plan:
    """A sweep before it runs: its points, and the runs that they want.

    Attributes:
        document: The sweep.
        values: Of each point the value of each axis.
        folder: Where run folders go; None if none are kept.
    """

    def __init__(self, document: Document, folder: Path | None = None) -> None:
        self.document, self.folder = document, folder
        self.values = _design.points(document)
        self._points: dict[int, Point] = {}

    def point(self, number: int) -> Point:
        """The scenario of a point."""
        if number not in self._points:
            # Put together when it is needed: a million documents would fill the memory.
            document = functools.partial(put_all, self.document.base, self.document.axes, self.values[number])
            self._points[number] = Point(document, self.document.base_origin)
        return self._points[number]

    def row(self, number: int, seed: int) -> _tables.Row:
        """A run that is wanted."""
        point = self.point(number)
        folder = None
        if self.folder is not None:
            name = point.key(seed)[:20]
            folder = self.folder / name[:2] / name
        return _tables.Row(number, self.values[number], Wanted(point, seed, folder))

    @property
    def presets(self) -> list[str]:
        """The network presets that it stands on, and how far each is validated."""
        named = [place for place, axis in enumerate(self.document.axes) if axis.key == "network.preset"]
        # The other axes say the same of every point.
        first: dict[object, int] = {}
        for number, values in enumerate(self.values if named else self.values[:1]):
            first.setdefault(tuple(map(str, (values[place] for place in named))), number)
        return said_of(self.point(number).job() for number in first.values())

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """Confidence of the interval at each look, together 95 %."""
        looks = self.document.seeds.looks
        return levels(looks) if len(looks) > 1 else (0.95,)

    def cost(self, archive: Archive) -> Cost:
        """What it will take."""
        seeds, count = self.document.seeds, len(self.values)
        runs = count * seeds.at_least
        # The name of a run is made from its whole scenario: that takes about a millisecond.
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
    """What a run of a point costs: reading it, which of short runs is much, and running it. None if it is refused."""
    start = time.thread_time()
    try:
        _core.facts(point.job())
        read_s = time.thread_time() - start
        cost = json.loads(_core.cost(point.job()))
    except BentpipeError:
        return None  # its rows will say so
    return {"cpu_s": cost["cpu_s"] + read_s, "disk_bytes": cost["disk_bytes"]}
