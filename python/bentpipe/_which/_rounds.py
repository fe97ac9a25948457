# SPDX-License-Identifier: MIT OR Apache-2.0
"""The rounds of a question: race, tuning, choice and report. Each round has its own seeds.

The race of candidates (`_race`) uses only scores. Then optuna tunes the best two controllers, one candidate is chosen,
and the report measures it. No choice uses the seeds of the report. Runs are in the store of sweeps, so an interrupted
question continues.

If the choice is uncertain, it selects the user's own candidate, or the candidate with the fewest settings, because a
change has a cost.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bentpipe._which._answer import Beaten, Recommendation
from bentpipe._which._candidates import Candidate, candidates, changed
from bentpipe._which._race import ALPHA, LOOKS, Race, race, regrets, surely_above
from bentpipe._which._standings import standings
from bentpipe._which._tune import tune
from bentpipe.base.errors import ScenarioError
from bentpipe.base.stats import t_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe._which._question import Question
    from bentpipe._which._runs import Runs
    from bentpipe.base.shares import Floats

#: Number of controllers that continue after the race, and how many of them are tuned.
FINALISTS, TUNED = 4, 2
#: Smallest number of reported candidates. If fewer candidates remain, dropped candidates are added, the last ones
#: first.
_LEAST = 3
#: The first seed of each round. No seed is used in two rounds.
_RACING, _TUNING, _CHOOSING, _REPORTING = 1, 1001, 2001, 3001
_TUNING_SEEDS, _CHOOSING_SEEDS = 4, 16
#: Difference between the seeds of two questions.
_STRIDE = 20_000


class Rounds:
    """Runs the rounds of a question."""

    def __init__(self, question: Question, field: list[Candidate], runs: Runs, seed: int, trials: int) -> None:
        self.question, self.field, self.runs = question, field, runs
        self.base, self.trials = (seed - 1) * _STRIDE, trials

    def all(self, fresh: int) -> Recommendation:
        """Race, tune, choose, report."""
        raced = self._race()
        finalists = self._finalists(raced)
        tuned = [
            made
            for number, one in enumerate(finalists[:TUNED])
            if (made := self._tuned(one, finalists, number)) is not None
        ]
        choosing, reporting = self._seeds(_CHOOSING, _CHOOSING_SEEDS), self._seeds(_REPORTING, fresh)
        pool = self._pool(finalists, tuned, choosing)
        earlier = self.runs.scores(pool, choosing)
        if np.isnan(earlier).any(axis=(1, 2)).all():
            raise self._without_score(pool, choosing, " with every seed")
        chosen, tied = self._choose(earlier)
        return standings(
            self.question,
            self.runs,
            pool,
            self.runs.scores(pool, reporting),
            reporting,
            earlier=(earlier, choosing),
            chosen=chosen,
            tied=tied,
            beaten=self._beaten(raced, pool),
            raced=self._raced(raced),
            tuned=len(tuned),
        )

    def _seeds(self, where: int, count: int) -> list[int]:
        return list(range(self.base + where, self.base + where + count))

    def _race(self) -> Race:
        seeds = self._seeds(_RACING, LOOKS[-1])

        def scores(some: Sequence[int], numbers: Sequence[int]) -> Floats:
            return self.runs.scores([self.field[one] for one in some], [seeds[one] for one in numbers])

        raced = race(len(self.field), len(self.question.benches), scores)
        if "" in self.runs.failed:
            raise self.runs.failed[""]
        if not raced.alive:
            self._nobody(raced.seeds)
        return raced

    def _nobody(self, seeds: int) -> None:
        errors = list(self.runs.failed.values())
        if len(errors) == len(self.field):
            raise errors[0]
        raise self._without_score(self.field, self._seeds(_RACING, seeds), "")

    def _without_score(self, some: Sequence[Candidate], seeds: Sequence[int], where: str) -> ScenarioError:
        """Return the error for candidates without any score, with the findings of the runs as reasons."""
        found = self.runs.finding_lines(some, seeds)
        why = "; ".join(found) or (
            "transfers or visits do not finish in time, or no data is delivered (use a longer duration)"
        )
        aim, origin = self.question.aim.name, self.question.spread.origin
        return ScenarioError("usage", f"no candidate has a score for {aim} in {origin}{where}: {why}")

    def _finalists(self, raced: Race) -> list[Candidate]:
        """Return the best candidate of each leading controller, and the best of each case, without equal candidates."""
        found: list[int] = []

        def is_new(one: int) -> bool:
            others = (raced.scores[other] for other in found)
            return one > 0 and not any(np.array_equal(raced.scores[one], its, equal_nan=True) for its in others)

        for one in raced.alive:
            if len(found) < FINALISTS and self.field[one].name not in {self.field[other].name for other in found}:
                found += [one] if is_new(one) else []
        for one in raced.champions:
            found += [one] if is_new(one) else []
        # The report explains what separates the first three candidates, so dropped candidates fill up the three.
        last = sorted(raced.left, key=lambda one: (-raced.left[one].seeds, raced.left[one].behind))
        for one in last:
            known = {self.field[other].name for other in found}
            if len(found) < _LEAST and self.field[one].name not in known and math.isfinite(raced.left[one].behind):
                is_default = np.array_equal(raced.scores[one], raced.scores[0], equal_nan=True)
                found += [one] if is_new(one) and not is_default else []
        return [self.field[one] for one in found]

    def _tuned(self, start: Candidate, finalists: list[Candidate], number: int) -> Candidate | None:
        if not self.trials:
            return None
        seeds = self._seeds(_TUNING, _TUNING_SEEDS)
        reference = self.runs.scores([Candidate(None), *finalists], seeds).mean(axis=2)
        best = np.nanmax(reference, axis=0)

        def regret(some: Sequence[Candidate]) -> list[float | None]:
            if not some:
                return []
            worst = (best - self.runs.scores(some, seeds).mean(axis=2)).max(axis=1)
            return [None if np.isnan(one) else float(one) for one in worst]

        return tune(start, regret, trials=self.trials, seed=self.base + number)

    def _pool(self, finalists: list[Candidate], tuned: list[Candidate], seeds: list[int]) -> list[Candidate]:
        """Return the candidates of the choice, the simplest first."""
        bare = [
            replace(candidates(one.name, "own")[0], over=one.over)
            for one in (*finalists, *tuned)
            if _is_catalogued(one)
        ]
        unique = {one.key: one for one in (Candidate(None), *bare, *finalists, *tuned)}
        pool = list(unique.values())
        scores = self.runs.scores(pool, seeds)
        # A candidate whose results equal those of the scenario in every run is left out: the scenario represents it.
        kept = [
            one
            for one, mine in zip(pool, scores, strict=True)
            if one is pool[0] or not (np.isnan(mine).any() or np.array_equal(mine, scores[0]))
        ]
        return sorted(kept, key=lambda one: (one.key != "", len(changed(one))))

    def _choose(self, scores: Floats) -> tuple[int, list[int]]:
        """Return the simplest candidate that is not significantly worse than the best, and all candidates like this."""
        there = [at for at in range(len(scores)) if not np.isnan(scores[at]).any()]
        _, series, _ = regrets(scores[there])
        leader = int(series.mean(axis=1).argmin())
        edge = t_quantile(_CHOOSING_SEEDS - 1, 1.0 - 2.0 * ALPHA / max(1, len(there) - 1))
        tied = [
            there[at] for at in range(len(there)) if at == leader or not surely_above(series[at] - series[leader], edge)
        ]
        return tied[0], tied

    def _raced(self, raced: Race) -> tuple[int, int, int]:
        """Return the numbers of candidates in the race, of its seeds, and of candidates that the race did not separate.

        The scenario's own controller with unchanged settings is the default. It is not counted again.
        """
        again = {
            at
            for at, one in enumerate(self.field)
            if at
            and one.choice is not None
            and one.choice.key == self.question.written
            and np.array_equal(raced.scores[at], raced.scores[0], equal_nan=True)
        }
        return len(self.field) - 1 - len(again), raced.seeds, len(set(raced.alive) - again)

    def _beaten(self, raced: Race, pool: list[Candidate]) -> list[Beaten]:
        """Return the candidates that are not reported, with their known results."""
        reported = {one.key for one in pool}
        found = []
        for at, one in enumerate(self.field):
            if at == 0 or one.key in reported:
                continue
            left = raced.left.get(at)
            error = self.runs.failed.get(one.key)
            means = self._means(one, raced.seeds if left is None else left.seeds)
            found.append(Beaten(one, left, error, means, self._like(raced, at, reported)))
        return found

    def _like(self, raced: Race, at: int, reported: set[str]) -> str:
        """Return the key of the reported candidate that has the same result in every run; empty if there is none."""
        if not np.isnan(raced.scores[at]).all():
            for other, one in enumerate(self.field):
                same = np.array_equal(raced.scores[at], raced.scores[other], equal_nan=True)
                if other != at and one.key in reported and same:
                    return one.key or self.question.written
        return ""

    def _means(self, one: Candidate, seeds: int) -> dict[str, float]:
        """Return the means of the candidate's numbers over the race."""
        rows = [
            numbers
            for case in range(len(self.question.benches))
            for seed in self._seeds(_RACING, seeds)
            if (numbers := self.runs.numbers(one, case, seed)) is not None
        ]
        keys = rows[0] if rows else {}
        return {
            key: float(np.mean([row[key] for row in rows])) for key in keys if all(row[key] is not None for row in rows)
        }


def _is_catalogued(one: Candidate) -> bool:
    return one.choice is not None and not one.choice.is_own
