# SPDX-License-Identifier: MIT OR Apache-2.0
"""Shares of the variance over the points of a sweep, by the kind of its design."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from bentpipe import _shares
from bentpipe._errors import ScenarioError
from bentpipe._extras import needs
from bentpipe._sensitivity import Share
from bentpipe._stats import t_quantile
from bentpipe._sweep._design import problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bentpipe._sweep._result import Sweep

    Floats = NDArray[np.float64]

#: Resamples of the bootstrap; two digits of a 95 % interval want no more.
_RESAMPLES = 400
#: Seeds of the resampling: the same sweep has the same intervals.
_SEED = 1
#: Points that RBD-FAST's ten harmonics need at least (Tissot and Prieur 2012: more than twice as many).
_LEAST = 65


def analysed(
    swept: Sweep, names: list[str], of: str
) -> tuple[dict[str, Share], dict[tuple[str, str], float], float, int, str]:
    """Shares by axis, pairs, the share of chance, how many points have the number, and by which method.

    Raises:
        ScenarioError: If no point has the number, or a sample cannot be taken apart.
    """
    means = np.array([math.nan if one is None else float(one) for one in swept.points[of]])
    known = np.isfinite(means)
    count = int(known.sum())
    if not count:
        raise ScenarioError("argument-value", f"no point of this sweep has the number {of}")
    if _shares.is_same(means[known]):
        return {}, {}, 0.0, count, ""
    values = by_seed(swept, of)[known]
    places, sizes = places_of(swept, names)
    design = swept.about["design"]
    pairs: dict[tuple[str, str], float] = {}
    if design == "grid":
        is_whole = bool(known.all()) and len(means) == math.prod(sizes)
        method = "grid" if is_whole else "holes"
        if is_whole:
            shares, told = of_grid(places, sizes, values)
            pairs = {(names[one], names[other]): share for (one, other), share in told.items()}
        else:
            shares = [Share(one) for one in _shares.main_effects(places[known], sizes, means[known])]
    elif design == "saltelli":
        method = "saltelli"
        if count < len(means):
            raise ScenarioError(
                "argument-value",
                f"{len(means) - count} of {len(means)} points have no {of}: Saltelli's estimators need all (choose "
                'another number, or another design: "sobol")',
            )
        every = [str(axis["column"]) for axis in swept.about["axes"]]
        shares = [one for name, one in zip(every, of_saltelli(means, len(every)), strict=True) if name in names]
    else:
        method = "sample"
        shares = of_sample(places[known], means[known])
    ordered = sorted(zip(names, shares, strict=True), key=lambda pair: -pair[1].alone)
    in_order = sorted(pairs.items(), key=lambda pair: -pair[1])
    return dict(ordered), dict(in_order), _shares.chance(values), count, method


def by_seed(swept: Sweep, of: str) -> Floats:
    """Of each point and seed the number: the seeds that all points have. Of a point without chance all are one."""
    rows: dict[int, list[float]] = {}
    for point, value in zip(swept.runs["point"], swept.runs[of], strict=True):
        rows.setdefault(point, []).append(math.nan if value is None else float(value))
    least = swept.about["looks"][0][0]
    values = [row if len(row) >= least else [*row, *[row[-1]] * (least - len(row))] for row in rows.values()]
    seeds = min(map(len, values))
    return np.array([row[:seeds] for row in values])


def places_of(swept: Sweep, names: list[str]) -> tuple[NDArray[np.int64], list[int]]:
    """Of each point and axis the place of its value, in the order of numbers, or in which words come."""
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
    """Shares and pairs over a whole grid: exact for its points, with intervals from the seeds.

    Args:
        places: Of each point (rows) and axis (columns) the place of its value.
        sizes: How many values each axis has.
        by_seed: Of each point (rows) and seed (columns) the number.
    """

    def shares(values: Floats) -> tuple[list[float], list[float], Floats]:
        cells = _shares.arranged(places, sizes, values)
        return _shares.main_effects(places, sizes, values), _shares.totals(cells), cells

    alone, total, cells = shares(by_seed.mean(axis=1))
    seeds = by_seed.shape[1]
    half = np.zeros((2, len(sizes)))
    # Points are all there are; what could have come out otherwise is the seeds. They are few, and a bootstrap of few
    # puts chance in that is not there: each seed is left out in turn (Tukey's jackknife, Efron and Stein 1981).
    is_chancy = seeds > 2 and _shares.chance(by_seed) > 0.0
    if is_chancy:
        without = np.array([shares(np.delete(by_seed, seed, axis=1).mean(axis=1))[:2] for seed in range(seeds)])
        half = t_quantile(seeds - 1) * np.sqrt((seeds - 1) * without.var(axis=0))
    found = []
    for at in range(len(sizes)):
        one, other, near, far = alone[at], total[at], float(half[0][at]), float(half[1][at])
        found.append(
            Share(one, one - near, one + near, other, other - far, other + far)
            if is_chancy
            else Share(one, total=other)
        )
    return found, _shares.pairs(cells)


def of_saltelli(means: Floats, count: int) -> list[Share]:
    """Sobol's indices from the points of a "saltelli" design in its order.

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
    """First-order indices of any sample.

    Tarantola, Gatelli and Mara, Random balance designs for the estimation of first order global sensitivity indices,
    Reliability Engineering and System Safety 91, 2006; without bias after Tissot and Prieur, ibid. 107, 2012.
    """
    if len(means) < _LEAST:
        raise ScenarioError(
            "argument-value", f"{len(means)} points are too few to tell shares of a sample (take {_LEAST} or more)"
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
