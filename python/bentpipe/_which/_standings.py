# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute the answer from the runs with fresh seeds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from bentpipe._which._answer import Beaten, Recommendation, Standing
from bentpipe._which._candidates import label_in
from bentpipe._which._changes import cases_of, changes_of
from bentpipe._which._defaults import SHOWN
from bentpipe._which._race import regrets
from bentpipe._which._widths import measured
from bentpipe.base.stats import Estimate, fixed
from bentpipe.results.notes import path_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bentpipe._which._candidates import Candidate
    from bentpipe._which._question import Question
    from bentpipe._which._runs import Runs
    from bentpipe.base.shares import Floats


def standings(
    question: Question,
    runs: Runs,
    pool: Sequence[Candidate],
    scores: Floats,
    seeds: Sequence[int],
    *,
    earlier: tuple[Floats, Sequence[int]],
    chosen: int,
    tied: Sequence[int],
    beaten: Sequence[Beaten],
    raced: tuple[int, int, int],
    tuned: int,
) -> Recommendation:
    """Return the answer from the runs with fresh seeds.

    Args:
        question: The question.
        runs: The runs with their numbers.
        pool: The candidates; the first is the unchanged scenario.
        scores: Scores by candidate, case and seed.
        seeds: The fresh seeds.
        earlier: Scores and seeds of the choice; they are used for the spread of runs.
        chosen: The chosen candidate.
        tied: Candidates that were not separated from the chosen candidate.
        beaten: The candidates that are not in `pool`.
        raced: Numbers of candidates in the race, of its seeds, and of candidates that the race did not separate.
        tuned: Number of controllers for which better settings than their own were found.
    """
    every = [*pool, *(one.candidate for one in beaten)]
    places = {setting.place: setting for one in every for setting in one.over}
    labels = [label_in(question.benches[0].written, one) for one in places.values()]
    written = ", ".join([question.written, *filter(None, labels)])
    keys = [one.key or f"as written ({written})" for one in pool]
    whole = [at for at in range(len(pool)) if not np.isnan(scores[at]).any()]
    best, some, worst = regrets(scores[whole])
    series = {at: some[row] for row, at in enumerate(whole)}
    before = {
        at: earlier[0][whole[best[case]], case] - earlier[0][at, case] for at, case in zip(whole, worst, strict=True)
    }
    still = {at for at in range(len(pool)) if runs.is_fixed(pool[at])}

    def mean(values: Sequence[float] | Floats, others: Sequence[float] | Floats, *of: int) -> Estimate:
        if still.issuperset(of):
            return fixed(float(values[0]))
        return measured([float(one) for one in values], [float(one) for one in others])

    def behind(at: int, other: int) -> Estimate:
        if at not in series or other not in series:
            return Estimate(math.nan, math.inf, 0)
        return mean(series[other] - series[at], before[other] - before[at], at, other)

    gain = behind(chosen, 0) if chosen else fixed(0.0)
    in_cases = [
        mean(scores[chosen, case] - scores[0, case], earlier[0][chosen, case] - earlier[0][0, case], chosen, 0)
        for case in range(len(question.benches))
    ]
    mean_gain = mean(
        (scores[chosen] - scores[0]).mean(axis=0), (earlier[0][chosen] - earlier[0][0]).mean(axis=0), chosen, 0
    )
    is_better = gain.low > 0.0 or (mean_gain.low > 0.0 and all(one.high >= 0.0 for one in in_cases))
    # A default without a score (its transfers do not finish) is not recommended if the chosen candidate has a score.
    taken = chosen if chosen and (is_better or 0 not in series) and chosen in series else 0
    order = sorted(whole, key=lambda at: float(series[at].mean()))
    ranks = _ranks(order, behind)
    numbers = [_by_seed(question, runs, one, seeds) for one in pool]
    others = [_by_seed(question, runs, one, earlier[1]) for one in pool]
    made = {
        at: Standing(
            ranks.get(at, 0),
            keys[at],
            pool[at],
            mean(series[at], before[at], at) if at in series else Estimate(math.nan, math.inf, 0),
            fixed(0.0) if at == taken else behind(at, taken),
            {key: mean(values, others[at].get(key, ()), at) for key, values in numbers[at].items()},
            numbers[at],
            others[at],
            runs.lacking.get(pool[at].key, ""),
            runs.unfinished(pool[at], seeds),
        )
        for at in range(len(pool))
    }
    missing = [at for at in range(len(pool)) if at not in series]
    several = len(question.benches) > 1
    said = {
        f"case {case + 1}, seed {seed}" if several else f"seed {seed}": notes
        for (case, seed), notes in runs.path.items()
        if seed in seeds or not question.has_chance
    }
    cases = cases_of(question.spread, keys, scores, whole, taken, earlier[0]) if several else []
    return Recommendation(
        question=question,
        taken=made[taken],
        default=made[0],
        written=written,
        best=made[chosen],
        standings=tuple(made[at] for at in (*order, *missing)),
        gain=gain,
        mean_gain=mean_gain,
        tied=tuple(keys[at] for at in tied if at != chosen),
        beaten=tuple(beaten),
        cases=tuple(cases),
        changes=tuple(changes_of(question.spread, keys, scores, cases, taken)),
        seeds=len(seeds),
        raced=raced,
        tuned=tuned,
        runs=runs.count,
        has_chance=len(still) < len(pool),
        path_notes=tuple(path_lines(said)),
        findings=tuple(runs.finding_lines(pool, seeds)),
    )


def _ranks(order: Sequence[int], behind: Callable[[int, int], Estimate]) -> dict[int, int]:
    """Return the ranks. Candidates that are not separated from the first candidate of a rank share this rank."""
    ranks: dict[int, int] = {}
    first = rank = 0
    for position, at in enumerate(order, 1):
        if position == 1 or behind(at, first).high < 0.0:
            first, rank = at, position
        ranks[at] = rank
    return ranks


def _by_seed(question: Question, runs: Runs, one: Candidate, seeds: Sequence[int]) -> dict[str, tuple[float, ...]]:
    """Return the mean over the cases for each seed. A number is left out if any run does not have it."""
    cases = range(len(question.benches))
    found = {}
    for key in dict.fromkeys([*SHOWN, *(key for key, _ in question.aim.terms)]):
        read = [[(runs.numbers(one, case, seed) or {}).get(key) for case in cases] for seed in seeds]
        rows = [[value for value in row if value is not None] for row in read]
        if all(len(row) == len(cases) for row in rows):
            found[key] = tuple(math.fsum(row) / len(row) for row in rows)
    return found
