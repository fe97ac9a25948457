# SPDX-License-Identifier: MIT OR Apache-2.0
"""The runs that a question needs, made by the store of runs or found there, and their scores."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bentpipe._which._defaults import SHOWN
from bentpipe.results.metrics import read
from bentpipe.runs.execute import Wanted, execute
from bentpipe.runs.store import Point

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from bentpipe._which._candidates import Candidate
    from bentpipe._which._question import Question
    from bentpipe.base.errors import BentpipeError
    from bentpipe.runs.store import Archive

    Floats = NDArray[np.float64]


class Runs:
    """Makes runs and reads them.

    Attributes:
        failed: Of each candidate whose runs failed the first error.
        lacking: Of each candidate whose runs are degraded why.
        path: What runs say of the path, whoever sends there, by case and seed.
        count: How many runs were wanted until now, those that were in the store included.
    """

    def __init__(
        self,
        question: Question,
        archive: Archive,
        *,
        threads: int,
        progress: Callable[[int, int], None] | None,
        costly: bool,
    ) -> None:
        self.question, self.archive = question, archive
        self.failed: dict[str, BentpipeError] = {}
        self.lacking: dict[str, str] = {}
        self.path: dict[tuple[int, int], list[str]] = {}
        self.count = 0
        self._threads, self._progress, self._costly = threads, progress, costly
        self._points: dict[tuple[str, int, int], Point] = {}
        self._numbers: dict[tuple[str, int, int], dict[str, float | None]] = {}
        #: Of scenarios without chance: whether each candidate's runs are the same for every seed.
        self._fixed: dict[str, bool] = {}

    def scores(self, some: Sequence[Candidate], seeds: Sequence[int]) -> Floats:
        """Scores by candidate, case and seed; not a number where a run failed or has none."""
        self.make(some, seeds)
        cases = range(len(self.question.benches))
        wanted = self.question.aim
        found = np.full((len(some), len(cases), len(seeds)), np.nan)
        for row, (at, case, column) in zip(
            itertools.product(some, cases, seeds),
            itertools.product(range(len(some)), cases, range(len(seeds))),
            strict=True,
        ):
            numbers = self.numbers(*row)
            score = None if numbers is None else wanted.score(numbers)
            if score is not None:
                found[at, case, column] = score
        return found

    def numbers(self, candidate: Candidate, case: int, seed: int) -> dict[str, float | None] | None:
        """The numbers of a run; None if it failed."""
        return self._numbers.get((candidate.key, case, self._seed(candidate, seed)))

    def is_fixed(self, candidate: Candidate) -> bool:
        """Whether its runs are the same for every seed."""
        return self._fixed.get(candidate.key, False)

    def make(self, some: Sequence[Candidate], seeds: Sequence[int]) -> None:
        """Make the runs that are not there. Where the network draws nothing, two show whether the controller does."""
        if not self.question.has_chance:
            new = [one for one in some if one.key not in self._fixed]
            if len(seeds) > 1:
                self._execute(itertools.product(new, self._cases, seeds[:2]), plain=True)
                for one in new:
                    self._fixed[one.key] = self._is_same(one, seeds[0], seeds[1])
                    for case in self._cases if self._fixed[one.key] else ():
                        self._numbers[one.key, case, 0] = self._numbers[one.key, case, seeds[0]]
        self._execute(itertools.product(some, self._cases, seeds))

    @property
    def _cases(self) -> range:
        return range(len(self.question.benches))

    def _seed(self, candidate: Candidate, seed: int) -> int:
        return 0 if self._fixed.get(candidate.key, False) else seed

    def _is_same(self, candidate: Candidate, one: int, other: int) -> bool:
        pairs = [
            (self._numbers.get((candidate.key, case, one)), self._numbers.get((candidate.key, case, other)))
            for case in self._cases
        ]
        return all(first is not None and first == second for first, second in pairs)

    def _execute(self, rows: Iterable[tuple[Candidate, int, int]], *, plain: bool = False) -> None:
        wanted: dict[tuple[str, int, int], Wanted] = {}
        for candidate, case, seed in rows:
            place = candidate.key, case, seed if plain else self._seed(candidate, seed)
            if place not in self._numbers and candidate.key not in self.failed:
                wanted[place] = Wanted(self._point(candidate, case, seed), seed)
        if not wanted:
            return
        before = self.count
        self.count += len(wanted)

        def update(done: int, todo: int) -> None:
            if self._progress is not None:
                self._progress(before + len(wanted) - todo + done, self.count)

        errors = execute(
            list(wanted.values()), self.archive, threads=self._threads, progress=update, costly=self._costly
        )
        for place, one in wanted.items():
            if one.key in errors:
                self.failed.setdefault(place[0], errors[one.key])
                continue
            summary = self.archive[one.key]
            keys = dict.fromkeys([*SHOWN, *(key for key, _ in self.question.aim.terms)])
            if summary["provenance"]["degraded"]:
                self.lacking[place[0]] = "; ".join(summary["provenance"]["degraded"])
            self.path.setdefault(place[1:], summary["provenance"].get("path_notes", []))
            self._numbers[place] = {key: read(key, summary, self.question.asked) for key in keys}

    def _point(self, candidate: Candidate, case: int, seed: int) -> Point:
        question = self.question
        place = candidate.key, case, seed if question.jitter is not None else 0
        if place not in self._points:
            bench = question.benches[case]
            text = bench.variant(candidate.choice, question.targets, jitter=question.jitter, seed=seed)
            # The resolved text names files from here, not from the scenario's folder.
            self._points[place] = Point(tomllib.loads(text), Path(bench.origin).name)
        return self._points[place]
