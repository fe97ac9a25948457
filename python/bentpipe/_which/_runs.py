# SPDX-License-Identifier: MIT OR Apache-2.0
"""The runs of a question, which are made or found in the store, and their scores."""

from __future__ import annotations

import itertools
import math
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bentpipe._which._defaults import SHOWN
from bentpipe.base.errors import BentpipeError
from bentpipe.results.metrics import COMPLETION, completion_least, read
from bentpipe.results.notes import kind_lines
from bentpipe.results.transfers import done, unfinished
from bentpipe.runs.point import Point, Wanted
from bentpipe.runs.seeds import without_chance

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bentpipe._which._candidates import Candidate
    from bentpipe._which._question import Question
    from bentpipe.base.shares import Floats
    from bentpipe.results.summary_types import Finding, Summary
    from bentpipe.runs.execute import Batch


class Runs:
    """Makes the runs and reads their numbers.

    Attributes:
        failed: For each candidate with failed runs, the first error.
        lacking: For each candidate with degraded runs, the reasons.
        path: Notes on the path from the runs, by case and seed.
        findings: The findings of each run, by candidate, case and seed.
        transfers: Lower bounds of completion times in seconds, and the numbers of finished transfers and of all
            transfers, by candidate, case and seed.
        count: Number of requested runs, including those in the store.
    """

    def __init__(self, question: Question, batch: Batch) -> None:
        self.question = question
        self.failed: dict[str, BentpipeError] = {}
        self.lacking: dict[str, str] = {}
        self.path: dict[tuple[int, int], list[str]] = {}
        self.findings: dict[tuple[str, int, int], list[Finding]] = {}
        self.transfers: dict[tuple[str, int, int], tuple[dict[str, float], int, int]] = {}
        self.count = 0
        self._batch = batch
        self._points: dict[tuple[str, int, int], Point] = {}
        self._numbers: dict[tuple[str, int, int], dict[str, float | None]] = {}
        #: For scenarios without random numbers, by candidate: the seed whose runs represent every seed; None if runs
        #: differ by seed.
        self._fixed: dict[str, int | None] = {}

    def scores(self, some: Sequence[Candidate], seeds: Sequence[int]) -> Floats:
        """Return scores by candidate, case and seed; NaN if a run failed or has no score."""
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
        """Return the numbers of a run; None if the run failed."""
        return self._numbers.get((candidate.key, case, self._seed(candidate, seed)))

    def unfinished(self, one: Candidate, seeds: Sequence[int]) -> dict[str, str]:
        """Return the texts that replace a candidate's completion times; empty if all its transfers finished."""
        cases = range(len(self.question.benches))
        places = dict.fromkeys((one.key, case, self._seed(one, seed)) for case in cases for seed in seeds)
        found = [self.transfers[place] for place in places if place in self.transfers]
        finished, every = sum(done for _, done, _ in found), sum(count for *_, count in found)
        if finished == every:
            return {}
        means = {key: math.fsum(bounds[key] for bounds, *_ in found) / len(found) for key in COMPLETION}
        return {key: unfinished(mean, finished, every) for key, mean in means.items()}

    def finding_lines(self, some: Sequence[Candidate], seeds: Sequence[int]) -> list[str]:
        """Return the findings of some candidates' runs, a line per kind. A run for several seeds counts once."""
        cases = range(len(self.question.benches))
        rows = itertools.product(some, cases, seeds)
        places = dict.fromkeys((one.key, case, self._seed(one, seed)) for one, case, seed in rows)
        return kind_lines([self.findings[place] for place in places if place in self.findings])

    def is_fixed(self, candidate: Candidate) -> bool:
        """Whether the runs of a candidate are the same for every seed."""
        return self._fixed.get(candidate.key) is not None

    def make(self, some: Sequence[Candidate], seeds: Sequence[int]) -> None:
        """Make missing runs. If the network draws nothing, two runs show whether the controller draws."""
        cases = range(len(self.question.benches))
        new = {one.key: one for one in some if one.key not in self._fixed and one.key not in self.failed}
        if not self.question.has_chance and len(seeds) > 1:

            def make(pairs: Iterable[tuple[str, int]], seeds: Sequence[int]) -> None:
                self._make((new[key], case, seed) for (key, case), seed in itertools.product(pairs, seeds))

            def result(pair: tuple[str, int], seed: int) -> Summary | BentpipeError:
                return self._batch.result(self._wanted(new[pair[0]], pair[1], seed))

            same = without_chance(list(itertools.product(new, cases)), seeds, make, result)
            self._fixed |= {key: seeds[0] if all((key, case) in same for case in cases) else None for key in new}
        self._make(itertools.product(some, cases, seeds))

    def _seed(self, candidate: Candidate, seed: int) -> int:
        fixed = self._fixed.get(candidate.key)
        return seed if fixed is None else fixed

    def _make(self, rows: Iterable[tuple[Candidate, int, int]]) -> None:
        wanted: dict[tuple[str, int, int], Wanted] = {}
        for candidate, case, asked in rows:
            seed = self._seed(candidate, asked)
            place = candidate.key, case, seed
            if place not in self._numbers and candidate.key not in self.failed:
                wanted[place] = self._wanted(candidate, case, seed)
        self.count += len(wanted)
        self._batch.make(wanted.values())
        for place, one in wanted.items():
            summary = self._batch.result(one)
            if isinstance(summary, BentpipeError):
                self.failed.setdefault(place[0], summary)
                continue
            keys = dict.fromkeys([*SHOWN, *(key for key, _ in self.question.aim.terms)])
            if summary["provenance"]["degraded"]:
                self.lacking[place[0]] = "; ".join(summary["provenance"]["degraded"])
            self.findings[place] = summary.get("findings", [])
            self.path.setdefault(place[1:], summary["provenance"].get("path_notes", []))
            chosen = self.question.asked
            self._numbers[place] = {key: read(key, summary, chosen) for key in keys}
            if sized := chosen.transfers(summary):
                bounds = {key: completion_least(key, summary, chosen) or 0.0 for key in COMPLETION}
                self.transfers[place] = bounds, done(sized), len(sized)

    def _wanted(self, candidate: Candidate, case: int, seed: int) -> Wanted:
        question = self.question
        place = candidate.key, case, seed if question.jitter is not None else 0
        if place not in self._points:
            bench = question.bench(case, candidate.over)
            text = bench.variant(candidate.choice, question.targets, jitter=question.jitter, seed=seed)
            # Paths in the resolved text are relative to the current folder and not to the folder of the scenario.
            self._points[place] = Point(tomllib.loads(text), Path(bench.origin).name)
        return Wanted(self._points[place], seed)
