# SPDX-License-Identifier: MIT OR Apache-2.0
"""A race of candidates: candidates significantly worse than the leader are dropped, and the others get more seeds.

The measure of a candidate is its worst regret over the cases. The regret in a case is the distance from the best
candidate of the case. With one case, the measure is therefore the distance from the best candidate.

The race bounds one error: it drops the truly best candidate with a probability of at most about 5 %, over all looks and
leaders. A candidate is dropped only if some leader is significantly better in some case. So the 5 % are divided by the
number of other candidates times the number of cases (Bonferroni). Each part is spent over the looks (Lan and DeMets;
see `runs.looks`). The tests are one-sided, on differences paired by seed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from bentpipe.base.stats import t_quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bentpipe.base.shares import Floats

#: Largest probability that the best candidate is dropped.
ALPHA = 0.05
#: The numbers of seeds at which candidates are dropped.
LOOKS = (4, 8, 16)


@dataclass(frozen=True)
class Left:
    """How the race dropped a candidate.

    Attributes:
        seeds: Number of seeds when the candidate was dropped.
        case: The case with the largest distance.
        behind: Mean distance from the leader; infinite if the candidate has no score.
    """

    seeds: int
    case: int
    behind: float


@dataclass(frozen=True)
class Race:
    """The result of a race.

    Attributes:
        scores: Scores by candidate, case and seed; NaN if the run was not made or has no score.
        alive: The candidates that were not dropped, the best first.
        left: The dropped candidates.
        champions: The best candidate of each case at the end.
        seeds: Number of seeds of the last look.
    """

    scores: Floats
    alive: list[int]
    left: dict[int, Left] = field(default_factory=dict)
    champions: tuple[int, ...] = ()
    seeds: int = 0


def race(
    count: int,
    cases: int,
    scores: Callable[[Sequence[int], Sequence[int]], Floats],
) -> Race:
    """Race candidates against each other.

    Args:
        count: Number of candidates. If candidates are equal, the one with the smaller number leads.
        cases: Number of cases.
        scores: Function that returns the scores of some candidates with some seeds (both numbered from 0), by
            candidate, case and seed. More is better. NaN if there is no score.
    """
    held = np.full((count, cases, LOOKS[-1]), np.nan)
    edges = _edges(LOOKS, ALPHA / max(1, (count - 1) * cases))
    alive, left = list(range(count)), dict[int, Left]()
    champions: tuple[int, ...] = ()
    before = look = 0
    for look, edge in zip(LOOKS, edges, strict=True):
        running = sorted({*alive, *champions})
        held[running, :, before:look] = scores(running, range(before, look))
        whole = [one for one in running if not np.isnan(held[one, :, :look]).any()]
        for one in set(alive) - set(whole):
            left[one] = Left(look, 0, math.inf)
        alive = [one for one in alive if one in whole]
        if not alive:
            break
        champions, series, worst = regrets(held[whole, :, :look])
        champions = tuple(whole[one] for one in champions)
        means = dict(zip(whole, series.mean(axis=1), strict=True))
        rows = dict(zip(whole, series, strict=True))
        leader = min(alive, key=lambda one: means[one])
        for at, one in enumerate(whole):
            if one in alive and one != leader and surely_above(rows[one] - rows[leader], edge):
                left[one] = Left(look, int(worst[at]), float(means[one] - means[leader]))
        alive = sorted((one for one in alive if one not in left), key=lambda one: means[one])
        before = look
        if len(alive) == 1 and set(champions) <= set(alive):
            break
    return Race(held, alive, left, champions, look)


def regrets(scores: Floats) -> tuple[tuple[int, ...], Floats, NDArray[np.intp]]:
    """Return the best candidate of each case, and each candidate's regret by seed in the case where it is largest.

    Args:
        scores: Scores by candidate, case and seed.

    Returns:
        The best candidate of each case; regrets by candidate and seed; for each candidate, the case of its regret.
    """
    means = scores.mean(axis=2)
    best = means.argmax(axis=0)
    cases = np.arange(scores.shape[1])
    worst = (means[best, cases] - means).argmax(axis=1)
    own = scores[np.arange(len(scores)), worst]
    return tuple(int(one) for one in best), scores[best[worst], worst] - own, worst


def surely_above(differences: Floats, edge: float) -> bool:
    """Whether the mean of paired differences is more than `edge` standard errors above zero."""
    count = differences.size
    mean = float(differences.mean())
    if count < 2:
        return False
    error = float(differences.std(ddof=1)) / math.sqrt(count)
    return mean > edge * error and mean > 0.0


@cache
def _edges(looks: tuple[int, ...], alpha: float) -> list[float]:
    """Return the critical number of standard errors at each look, for one-sided tests with `alpha` over all looks."""
    from bentpipe.runs.looks import boundaries, spent

    fractions = [look / looks[-1] for look in looks]
    # The boundaries are two-sided; one side has half of the probability.
    bounds = boundaries(fractions, [spent(fraction, 2.0 * alpha) for fraction in fractions])
    levels = [math.erf(bound / math.sqrt(2.0)) for bound in bounds]
    return [t_quantile(look - 1, level) for look, level in zip(looks, levels, strict=True)]
