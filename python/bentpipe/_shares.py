# SPDX-License-Identifier: MIT OR Apache-2.0
"""Shares of a variance: what each of several choices explains of a result, alone, in pairs, and by chance.

Sobol, Sensitivity estimates for nonlinear mathematical models, Mathematical Modelling and Computational Experiments 1,
1993: of a result over independent choices V_i = Var(E[result | choice i]) is what a choice explains alone, V_ij what
two explain beyond that, and V - Var(E[result | all but i]) everything that it has a part in.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = NDArray[np.int64]

#: Results that differ by less than this part of the greatest are the same everywhere.
_SAME = 1e-9


def is_same(results: Floats) -> bool:
    """Whether there is no variance to share out."""
    return not results.size or float(np.ptp(results)) <= _SAME * float(np.max(np.abs(results)))


def main_effects(places: Places, sizes: Sequence[int], results: Floats) -> list[float]:
    """Which share of the variance each choice explains by itself.

    Main effects of an analysis of variance: the variance of a choice's effects in the additive model that fits best,
    every option weighing the same. Over all combinations that is Sobol's first-order index; of a sample an estimate.

    Args:
        places: Of each combination (rows) and choice (columns) the place of its option.
        sizes: How many options each choice has.
        results: Of each combination the result; they must not be the same everywhere (`is_same`).
    """
    if len(results) == math.prod(sizes):
        # The same: over all combinations the additive model that fits best is made of the means.
        cells = arranged(places, sizes, results)
        return [float(np.var(_mean_over(cells, {one}))) / float(np.var(cells)) for one in range(len(sizes))]
    columns = [np.ones(len(results))]
    for place, size in enumerate(sizes):
        columns += [(places[:, place] == option).astype(float) for option in range(1, size)]
    design = np.column_stack(columns)
    found, _, rank, _ = np.linalg.lstsq(design, results, rcond=None)
    rest = float(np.sum((results - design @ found) ** 2))
    left = max(len(results) - int(rank), 1)
    ends = np.cumsum([1, *(size - 1 for size in sizes)])
    own = [float(np.var([0.0, *found[end : end + size - 1]])) for end, size in zip(ends, sizes, strict=False)]
    total = math.fsum(own) + rest / left
    return [one / total for one in own]


def arranged(places: Places, sizes: Sequence[int], results: Floats) -> Floats:
    """The results of all combinations with a dimension per choice."""
    cells = np.full(tuple(sizes), math.nan)
    cells[tuple(places.T)] = results
    return cells


def pairs(cells: Floats) -> dict[tuple[int, int], float]:
    """Of a result over all combinations (a dimension per choice): the share of each pair beyond its two alone."""
    centred = cells - cells.mean()
    whole = float(np.var(centred))
    found = {}
    for one, other in itertools.combinations(range(cells.ndim), 2):
        both = _mean_over(centred, {one, other})
        alone = _mean_over(centred, {one}) + _mean_over(centred, {other})
        found[one, other] = float(np.mean((both - alone) ** 2)) / whole
    return found


def totals(cells: Floats) -> list[float]:
    """The same: the share that each choice has a part in, alone or with others."""
    whole = float(np.var(cells))
    others = [set(range(cells.ndim)) - {one} for one in range(cells.ndim)]
    return [1.0 - float(np.var(_mean_over(cells, kept))) / whole for kept in others]


def _mean_over(cells: Floats, kept: set[int]) -> Floats:
    """Mean over all choices but some; the shape can stand beside that of all."""
    over = tuple(axis for axis in range(cells.ndim) if axis not in kept)
    return np.asarray(cells.mean(axis=over, keepdims=True))


def chance(values: Floats) -> float:
    """Which share of the variance of means over seeds is the seeds', that which all combinations share taken out.

    Args:
        values: Of each combination (rows) and seed (columns) the result.
    """
    if len(values) < 2 or values.shape[1] < 2 or is_same(values.mean(axis=1)):
        return 0.0
    rest = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    of_a_mean = float(np.sum(rest**2)) / ((len(values) - 1) * (values.shape[1] - 1)) / values.shape[1]
    return float(min(1.0, of_a_mean / np.var(values.mean(axis=1), ddof=1)))
