# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute shares of the variance over the points of a sweep. The method depends on the design of the sweep."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bentpipe._sweep._design import problem
from bentpipe.base import shares as _shares
from bentpipe.base.errors import ScenarioError
from bentpipe.base.extras import needs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bentpipe._sweep._result import Sweep
    from bentpipe.base.shares import Floats

#: Number of resamples of the bootstrap, enough for two digits of a 95 % interval.
_RESAMPLES = 400
#: Seed of the resampling, so that the same sweep always has the same intervals.
_SEED = 1
#: Smallest number of points for RBD-FAST with ten harmonics (Tissot and Prieur 2012: more than twice the harmonics).
_LEAST = 65
#: If less than this fraction of the variance is not chance, shares cannot be estimated.
_LITTLE = 1e-6


@dataclass(frozen=True)
class Share:
    """The shares of an axis in the variance between points, from 0 to 1, without the part that is due to the seeds.

    Attributes:
        alone: The share that the axis explains alone (Sobol's first-order index).
        low: Lower end of the 95 % interval of `alone`; None without an interval.
        high: Upper end of the 95 % interval of `alone`.
        total: The share that the axis explains alone and with other axes (the total index); None if unknown.
        total_low: Lower end of the 95 % interval of `total`.
        total_high: Upper end of the 95 % interval of `total`.
    """

    alone: float
    low: float | None = None
    high: float | None = None
    total: float | None = None
    total_low: float | None = None
    total_high: float | None = None


def without(chance: float, share: Share) -> Share:
    """Convert a share of the variance of means to a share of the variance without chance.

    The denominator of a first-order index contains chance. A total index is the part that the other axes do not
    explain, so its numerator also contains chance (Saltelli and others 2010, table 2: the estimators of both numerators
    are means of products or squares of results).
    """

    def first(one: float | None) -> float | None:
        return None if one is None else float(np.clip(one / max(1.0 - chance, _LITTLE), 0.0, 1.0))

    def total(one: float | None) -> float | None:
        return None if one is None else first(one - chance)

    alone = first(share.alone)
    assert alone is not None  # noqa: S101 - it is never missing
    return Share(
        alone, first(share.low), first(share.high), total(share.total), total(share.total_low), total(share.total_high)
    )


def by_seed(swept: Sweep, of: str) -> Floats:
    """Return the number by point and seed, for seeds that all points have. Without chance, the number is repeated."""
    rows: dict[int, list[float]] = {}
    for point, value in zip(swept.runs["point"], swept.runs[of], strict=True):
        rows.setdefault(point, []).append(math.nan if value is None else float(value))
    least = int(swept.about["looks"][0][0])
    values = [row if len(row) >= least else [*row, *[row[-1]] * (least - len(row))] for row in rows.values()]
    seeds = min(map(len, values))
    return np.array([row[:seeds] for row in values])


def places_of(swept: Sweep, names: list[str]) -> tuple[NDArray[np.int64], list[int]]:
    """Return the index of the value by point and axis. Numbers are sorted; words are in order of first occurrence."""
    columns, sizes = [], []
    for name in names:
        values = swept.points[name]
        levels = list(dict.fromkeys(values)) if isinstance(values[0], str) else sorted(set(values))
        place = {level: number for number, level in enumerate(levels)}
        columns.append([place[value] for value in values])
        sizes.append(len(levels))
    return np.array(columns, dtype=np.int64).T, sizes


def of_grid(
    places: NDArray[np.int64], sizes: list[int], by_seed: Floats
) -> tuple[list[Share], dict[tuple[int, int], float]]:
    """Compute shares and pairs over a complete grid: exact for its points, with intervals from the seeds.

    All points are present, so only the seeds are a sample.

    Args:
        places: For each point (rows) and axis (columns), the index of its value.
        sizes: Number of values of each axis.
        by_seed: For each point (rows) and seed (columns), the number.
    """
    grid = _shares.Grid(places, sizes, by_seed)
    whole, found = grid.whole, []
    for at in range(len(sizes)):
        alone, total = grid.alone(at), grid.total(at)
        low, high = alone.between(whole) or (None, None)
        total_low, total_high = total.between(whole) or (None, None)
        found.append(Share(alone.share_of(whole), low, high, total.share_of(whole), total_low, total_high))
    return found, {pair: part.share_of(whole) for pair, part in grid.pairs().items()}


def of_saltelli(means: Floats, count: int) -> list[Share]:
    """Compute Sobol's indices from the points of a "saltelli" design, in the order of the design.

    Saltelli et al., Variance based sensitivity analysis of model output, Computer Physics Communications 181, 2010.
    """
    needs("SALib", "sweep", "the sensitivity of a sample")
    from SALib.analyze import sobol

    told = sobol.analyze(problem(count), means, calc_second_order=False, num_resamples=_RESAMPLES, seed=_SEED)
    return [
        Share(*map(float, (one, one - half, one + half, total, total - wide, total + wide)))
        for one, half, total, wide in zip(told["S1"], told["S1_conf"], told["ST"], told["ST_conf"], strict=True)
    ]


def of_sample(places: NDArray[np.int64], means: Floats) -> list[Share]:
    """Compute first-order indices of any sample.

    Tarantola, Gatelli and Mara, Random balance designs for the estimation of first order global sensitivity indices,
    Reliability Engineering and System Safety 91, 2006; without bias after Tissot and Prieur, ibid. 107, 2012.
    """
    if len(means) < _LEAST:
        raise ScenarioError(
            "argument-value", f"{len(means)} points are too few to estimate shares from a sample (use {_LEAST} or more)"
        )
    needs("SALib", "sweep", "the sensitivity of a sample")
    from SALib.analyze import rbd_fast

    told = rbd_fast.analyze(
        problem(places.shape[1]), places.astype(np.float64), means, num_resamples=_RESAMPLES, seed=_SEED
    )
    return [
        Share(float(one), float(one - half), float(one + half))
        for one, half in zip(told["S1"], told["S1_conf"], strict=True)
    ]
