# SPDX-License-Identifier: MIT OR Apache-2.0
"""The plan of a sweep: its points, their runs, and the cost of the runs."""

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
from bentpipe.base.errors import BentpipeError, ScenarioError
from bentpipe.base.json import integer, tables
from bentpipe.runs.looks import levels
from bentpipe.runs.point import Point, Wanted
from bentpipe.scenario.presets import said_of

if TYPE_CHECKING:
    from pathlib import Path

    from bentpipe._sweep._document import Document
    from bentpipe.runs.store import Archive

#: Number of points whose cost is estimated, for the estimate of the total cost.
_RECKONED = 8
#: Measured size in bytes of a run in the archive and the tables, and of each flow of the run.
_BYTES_RUN, _BYTES_FLOW = 700.0, 700.0
#: Number of refused combinations that are named.
_NAMED = 3


@dataclass(frozen=True)
class Cost:
    """The cost of a sweep, from the estimates of some of its points.

    Attributes:
        points: Number of points.
        runs: Smallest number of runs.
        most_runs: Largest number of runs, if intervals remain wide.
        there: Runs of `runs` that are already in the store.
        cpu_s: CPU time of the other runs in s.
        disk_bytes: Disk space in bytes.
    """

    points: int
    runs: int
    most_runs: int
    there: int
    cpu_s: float
    disk_bytes: float


class Plan:
    """The plan of a sweep: its points, and their runs.

    Attributes:
        document: The sweep.
        values: For each point the value of each axis.
        folder: Folder of the run folders; None if run folders are not written.
        left_out: The errors of combinations of values that are not a scenario, by the number of the point.
    """

    def __init__(self, document: Document, folder: Path | None = None, *, skip_invalid: bool = False) -> None:
        """Check every combination of values.

        Args:
            document: The sweep.
            folder: Folder of the run folders.
            skip_invalid: Leave out combinations that are not a scenario.

        Raises:
            ScenarioError: If a combination is not a scenario, or with `skip_invalid` if no combination is.
        """
        self.document, self.folder = document, folder
        self.values = _design.points(document)
        self._points: dict[int, Point] = {}
        self.left_out: dict[int, ScenarioError] = {}
        for number in range(len(self.values)):
            try:
                _core.facts(self.point(number).job())
            except ScenarioError as problem:
                self.left_out[number] = problem
        if self.left_out and (not skip_invalid or len(self.left_out) == len(self.values)):
            raise self._refusal(skip_invalid=skip_invalid)

    def combination(self, number: int) -> str:
        """The values of a point in words."""
        pairs = zip(self.document.axes, self.values[number], strict=True)
        return ", ".join(f"{axis.key} = {axis.label(value)}" for axis, value in pairs)

    def left_out_lines(self) -> list[str]:
        """The number of combinations that are left out, and the first of them with their errors."""
        if not self.left_out:
            return []
        count = len(self.left_out)
        first = [f"{self.combination(at)}: {self.left_out[at].message}" for at in list(self.left_out)[:_NAMED]]
        more = [f"and {count - _NAMED} more"] if count > _NAMED else []
        return [f"{count} of {len(self.values)} combinations of values are not a scenario", *first, *more]

    def _refusal(self, *, skip_invalid: bool) -> ScenarioError:
        head, *lines = self.left_out_lines()
        fix = (
            "change the values"
            if skip_invalid
            else "change the values, or leave these combinations out: --skip-invalid"
        )
        first = next(iter(self.left_out.values()))
        return ScenarioError(first.code, "\n".join([f"{self.document.origin}: {head} ({fix})", *lines]), first.faults)

    def point(self, number: int) -> Point:
        """The scenario of a point."""
        if number not in self._points:
            # The document is made when it is needed, because a million documents would fill the memory.
            document = functools.partial(put_all, self.document.base, self.document.axes, self.values[number])
            self._points[number] = Point(document, self.document.base_origin)
        return self._points[number]

    def row(self, number: int, seed: int) -> _tables.Row:
        """A requested run, or the row of a combination that is left out."""
        if number in self.left_out:
            return _tables.Row(number, self.values[number], _tables.LeftOut(self.left_out[number]))
        point = self.point(number)
        folder = None
        if self.folder is not None:
            name = point.key(seed)[:20]
            folder = self.folder / name[:2] / name
        return _tables.Row(number, self.values[number], Wanted(point, seed, folder))

    @property
    def presets(self) -> list[str]:
        """The network presets of the sweep, and the validation of each."""
        named = [place for place, axis in enumerate(self.document.axes) if axis.key == "network.preset"]
        # Other axes have no effect on the presets.
        first: dict[object, int] = {}
        for number in self.valid:
            first.setdefault(tuple(str(self.values[number][place]) for place in named), number)
            if not named:
                break
        return said_of(self.point(number).job() for number in first.values())

    @property
    def valid(self) -> list[int]:
        """The numbers of the points that are scenarios."""
        return [number for number in range(len(self.values)) if number not in self.left_out]

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """The confidence level of the interval at each look. All looks together have 95 %."""
        looks = self.document.seeds.looks
        return levels(looks) if len(looks) > 1 else (0.95,)

    def cost(self, archive: Archive) -> Cost:
        """The cost of the sweep."""
        seeds, valid = self.document.seeds, self.valid
        count = len(valid)
        runs = count * seeds.at_least
        # Computing the name of a run from its scenario takes about a millisecond.
        looked_for = [] if archive.began_empty else valid
        keys = [(self.point(number).key(seed), seed) for number in looked_for for seed in range(1, seeds.at_least + 1)]
        kept = archive.those(dict(keys))
        there = sum(key in kept for key, _ in keys)
        step = max(1, count // _RECKONED)
        some = [self.point(number) for number in valid[::step]]
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
    """The cost of a run of a point, including parsing, which matters for short runs; None if the run is refused."""
    start = time.thread_time()
    try:
        _core.facts(point.job())
        read_s = time.thread_time() - start
        cost = json.loads(_core.cost(point.job()))
    except BentpipeError:
        return None  # the rows of the point will have the error
    return {"cpu_s": cost["cpu_s"] + read_s, "disk_bytes": cost["disk_bytes"]}
