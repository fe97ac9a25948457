# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute the shares of a result's variance that single choices, pairs of choices and chance explain.

Source: Sobol, Sensitivity estimates for nonlinear mathematical models, Mathematical Modelling and Computational
Experiments 1, 1993. Let a result depend on independent choices. V_i = Var(E[result | choice i]) is the part that choice
i explains alone. V_ij is the part that choices i and j explain together beyond V_i + V_j. V - Var(E[result | all but
i]) is the part that choice i explains alone and together with other choices.

The result of a combination is its mean over all possible seeds. A few seeds give estimates of this mean. The variance
of the estimates is larger than the variance of the true means, because chance adds to every share. All combinations
have the same seeds. The seed is therefore a further choice, drawn at random and crossed with the other choices. The
error of an effect is then its interaction with the seeds (expected mean squares: Cornfield and Tukey, Average values of
mean squares in factorials, Annals of Mathematical Statistics 27, 1956; Searle, Casella and McCulloch, Variance
Components, 1992, chapter 4). The part of a seed's effect that is equal in all combinations is not in any effect. To
subtract the mean square of the interaction, omit the products of a seed with itself from the sum of squares: if c_s is
the effect with seed s, the estimate is the mean of c_s c_t over s != t. This estimate is unbiased for all distributions
of chance, also if they differ between combinations (Hoeffding, A class of statistics with asymptotically normal
distribution, Annals of Mathematical Statistics 19, 1948).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bentpipe.base.stats import t_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = NDArray[np.int64]

#: Results count as equal if they differ by less than this fraction of the greatest result.
_SAME = 1e-9
#: If chance is more than this fraction of the variance of means, the rest is too small to be divided into shares.
MOSTLY = 0.5
#: Smallest number of seeds for an interval.
_SEEDS = 3
#: Precision of the ends of intervals, as a fraction of the whole variance.
_STEPS = 2000


def is_same(results: Floats) -> bool:
    """Return whether the results are equal, so that there is no variance to divide."""
    return not results.size or float(np.ptp(results)) <= _SAME * float(np.max(np.abs(results)))


@dataclass(frozen=True)
class Part:
    """A part of the variance of results over combinations, without the part that is due to the seeds.

    Attributes:
        products: For each pair of seeds, the mean over combinations of the product of the two seeds' effects.
    """

    products: Floats

    def __sub__(self, other: Part) -> Part:
        """Return this part minus another part."""
        return Part(self.products - other.products)

    @property
    def variance(self) -> float:
        """The estimate of the part. Chance can make it negative. With a single seed the estimate includes chance."""
        seeds = len(self.products)
        if seeds == 1:
            return float(self.products[0, 0])
        return float(self.products.sum() - np.trace(self.products)) / (seeds * (seeds - 1))

    @property
    def without_each(self) -> Floats:
        """The estimates with one seed omitted, for each seed in turn."""
        seeds = len(self.products)
        others = self.products - np.diag(np.diag(self.products))
        return np.asarray((others.sum() - 2.0 * others.sum(axis=1)) / ((seeds - 1) * (seeds - 2)))

    def share_of(self, whole: Part) -> float:
        """Return the share of the whole variance, from 0 to 1; 0 if the whole variance is not above chance."""
        return float(np.clip(self.variance / whole.variance, 0.0, 1.0)) if whole.variance > 0.0 else 0.0

    def between(self, whole: Part) -> tuple[float, float] | None:
        """Return the 95 % interval of the share; None if there are too few seeds, or all seeds give equal results.

        The interval consists of all shares r for which the interval of part - r whole contains 0 (Fieller, Some
        problems in interval estimation, Journal of the Royal Statistical Society B 16, 1954). If the whole variance may
        be chance alone, every share is possible. The standard error is a jackknife over the seeds, which tends to be
        too large (Efron and Stein, The jackknife estimate of variance, Annals of Statistics 9, 1981).
        """
        seeds = len(self.products)
        if seeds < _SEEDS or np.allclose(whole.products, whole.products[0, 0], rtol=_SAME, atol=0.0):
            return None
        both = np.cov(np.stack([self.without_each, whole.without_each]), ddof=0) * (seeds - 1)
        shares = np.linspace(0.0, 1.0, _STEPS + 1)
        distance = self.variance - shares * whole.variance
        error = both[0, 0] - 2.0 * shares * both[0, 1] + shares**2 * both[1, 1]
        held = shares[distance**2 <= t_quantile(seeds - 1) ** 2 * np.maximum(error, 0.0)]
        nearest = self.share_of(whole)
        return min([nearest, *held[:1]]), max([nearest, *held[-1:]])


class Grid:
    """The variance of results over all combinations, divided into parts."""

    def __init__(self, places: Places, sizes: Sequence[int], values: Floats) -> None:
        """Store the results by combination and seed.

        Args:
            places: For each combination (rows) and choice (columns), the index of its option.
            sizes: Number of options of each choice.
            values: For each combination (rows) and seed (columns), the result.
        """
        cells = np.full((*sizes, values.shape[1]), math.nan)
        cells[tuple(places.T)] = values
        self._cells = cells - cells.mean(axis=tuple(range(len(sizes))), keepdims=True)
        self._count = len(sizes)

    @property
    def whole(self) -> Part:
        """The whole variance."""
        return self._of(set(range(self._count)))

    def shares_alone(self) -> list[float]:
        """Return the share of the whole variance that each choice explains alone."""
        return [self.alone(one).share_of(self.whole) for one in range(self._count)]

    def alone(self, one: int) -> Part:
        """Return the part that a choice explains alone."""
        return self._of({one})

    def total(self, one: int) -> Part:
        """Return the part that a choice explains alone and with other choices."""
        return self.whole - self._of(set(range(self._count)) - {one})

    def pairs(self) -> dict[tuple[int, int], Part]:
        """Return the part that each pair of choices explains together, beyond the parts that each explains alone."""
        return {
            (one, other): self._of({one, other}) - self.alone(one) - self.alone(other)
            for one, other in itertools.combinations(range(self._count), 2)
        }

    def _of(self, kept: set[int]) -> Part:
        """Return the part that the choices `kept` explain alone and together.

        This part is the variance of the means over all other choices.
        """
        over = tuple(axis for axis in range(self._count) if axis not in kept)
        means = self._cells.mean(axis=over).reshape(-1, self._cells.shape[-1])
        return Part(means.T @ means / len(means))


def occurring(places: Places) -> tuple[Places, list[int]]:
    """Return the index of each option among the options that occur, and the number of these options for each choice."""
    found = [np.unique(column, return_inverse=True) for column in places.T]
    return np.column_stack([place for _, place in found]), [len(options) for options, _ in found]


def whole_part(places: Places, sizes: Sequence[int]) -> NDArray[np.bool_] | None:
    """Select combinations so that the remaining options are fully crossed.

    Options without any combination are removed first. Then the option that lacks the largest fraction of its
    combinations is removed, until no combination is missing. If several options lack the same fraction, the option with
    the fewest combinations is removed. If these options have the same number of combinations, the last option is
    removed. A choice keeps at least two options.

    Args:
        places: For each existing combination (rows) and choice (columns), the index of its option.
        sizes: Number of options of each choice.

    Returns:
        For each row, whether the combination is kept. None if no option can be removed and combinations are still
        missing.
    """
    there = np.zeros(sizes, dtype=bool)
    there[tuple(places.T)] = True
    kept = [np.unique(column) for column in places.T]
    while not (part := there[np.ix_(*kept)]).all():
        worst: tuple[float, int, int, int] | None = None
        for choice, options in enumerate(kept):
            others = tuple(axis for axis in range(len(sizes)) if axis != choice)
            for at, count in enumerate(part.sum(axis=others)) if len(options) > 2 else ():
                lacks = (1.0 - count * len(options) / part.size, -int(count), choice, at)
                worst = lacks if worst is None or lacks > worst else worst
        if worst is None:
            return None
        kept[worst[2]] = np.delete(kept[worst[2]], worst[3])
    stays = [np.isin(column, options) for column, options in zip(places.T, kept, strict=True)]
    return np.asarray(np.logical_and.reduce(stays), dtype=np.bool_)


def main_effects(places: Places, values: Floats) -> list[float]:
    """Return the share of the variance that each choice explains alone. All options have equal weights.

    Over all combinations of the options that occur, the share is Sobol's first-order index. Over a sample, it is an
    estimate by the additive model that fits the means best.

    Args:
        places: For each combination (rows) and choice (columns), the index of its option.
        values: For each combination (rows) and seed (columns), the result; means must not all be equal (`is_same`).
    """
    places, sizes = occurring(places)
    if len(values) == math.prod(sizes):
        grid = Grid(places, sizes, values)
        return grid.shares_alone()
    columns = [np.ones(len(values))]
    for place, size in enumerate(sizes):
        columns += [(places[:, place] == option).astype(float) for option in range(1, size)]
    design, means = np.column_stack(columns), values.mean(axis=1)
    found, _, rank, _ = np.linalg.lstsq(design, means, rcond=None)
    # The residual contains interactions and chance. The residual also makes options without an effect differ.
    left = float(np.sum((means - design @ found) ** 2)) / max(len(values) - int(rank), 1)
    spread = np.linalg.pinv(design.T @ design)
    own, end = [], 1
    for size in sizes:
        of = slice(end, end + size - 1)
        # E(y'Ay) = m'Am + tr(A Var y) for y of mean m (Searle, Linear Models, 1971, chapter 2); A computes the
        # variance.
        among = (np.trace(spread[of, of]) - float(spread[of, of].sum()) / size) / size
        own.append(max(0.0, float(np.var([0.0, *found[of]])) - left * among))
        end += size - 1
    total = math.fsum(own) + max(0.0, left - _of_means(values))
    return [one / total if total > 0.0 else 0.0 for one in own]


def pair_effects(places: Places, values: Floats) -> dict[tuple[int, int], float]:
    """Return the share of the variance that each pair of choices explains alone and together.

    Over all combinations of the options that occur, the share is the sum of Sobol's indices of both choices and of the
    pair. Over a sample, the share is the adjusted share of the variance between the cells of the pair (Ezekiel's
    adjusted R^2). A pair with as many cells as the sample has combinations is left out.

    Args:
        places: For each combination (rows) and choice (columns), the index of its option.
        values: For each combination (rows) and seed (columns), the result; means must not all be equal (`is_same`).
    """
    places, sizes = occurring(places)
    if len(values) == math.prod(sizes):
        grid = Grid(places, sizes, values)
        alone = grid.shares_alone()
        return {
            pair: alone[pair[0]] + alone[pair[1]] + part.share_of(grid.whole) for pair, part in grid.pairs().items()
        }
    means, found = values.mean(axis=1), {}
    for one, other in itertools.combinations(range(len(sizes)), 2):
        cells = np.unique(places[:, one] * sizes[other] + places[:, other], return_inverse=True)[1]
        counts = np.bincount(cells)
        if len(counts) < len(means):
            within = float(np.sum((means - (np.bincount(cells, means) / counts)[cells]) ** 2))
            left = within / (len(means) - len(counts)) / float(np.var(means, ddof=1))
            found[one, other] = max(0.0, 1.0 - left)
    return found


def chance(values: Floats) -> float:
    """Return the share of the variance of means over seeds that is due to the seeds, without their common effect.

    Args:
        values: For each combination (rows) and seed (columns), the result.
    """
    if len(values) < 2 or is_same(values.mean(axis=1)):
        return 0.0
    return float(min(1.0, _of_means(values) / np.var(values.mean(axis=1), ddof=1)))


def _of_means(values: Floats) -> float:
    """Return the variance by chance of a mean over seeds, without effects of a seed that all combinations share."""
    _, rest = between_and_within(values)
    return rest / float(values.shape[1])


def between_and_within(values: Floats) -> tuple[float, float]:
    """Divide the variance between the seeds of a combination: the part that all combinations share, and the rest.

    For a crossed design with one result in each cell and random seeds: (MS_seeds - MS_rest) / combinations, and MS_rest
    (Searle, Casella and McCulloch, Variance Components, 1992, section 4.3). Both are 0 with a single seed.
    """
    combinations, seeds = values.shape
    if seeds < 2 or combinations < 2:
        return 0.0, 0.0
    of_seeds = float(np.var(values.mean(axis=0), ddof=1))
    rest = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    left = float(np.sum(rest**2)) / ((combinations - 1) * (seeds - 1))
    return max(0.0, of_seeds - left / combinations), left
