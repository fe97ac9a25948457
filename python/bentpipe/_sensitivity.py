# SPDX-License-Identifier: MIT OR Apache-2.0
"""What decides the result of a sweep: which share of its variance each axis explains, alone and with others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bentpipe import _arguments, _shares
from bentpipe._errors import ScenarioError
from bentpipe._extras import needs
from bentpipe._sweep._base import numbers
from bentpipe._sweep._design import problem
from bentpipe._sweep._sweep import Sweep, load_sweep
from bentpipe._tables import Table

if TYPE_CHECKING:
    import os

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: Resamples of the bootstrap; two digits of a 95 % interval want no more.
_RESAMPLES = 400
#: Seeds of the resampling: the same sweep has the same intervals.
_SEED = 1
#: Points that RBD-FAST's ten harmonics need at least (Tissot and Prieur 2012: more than twice as many).
_LEAST = 65
_METHODS = {
    "grid": "analysis of variance over the whole grid; intervals: bootstrap over the seeds",
    "saltelli": "Sobol's indices by Saltelli's estimators (SALib); intervals: bootstrap over the points",
    "sample": "first-order indices by RBD-FAST (SALib); intervals: bootstrap over the points",
    "holes": "main effects of the additive model over the points that have a number; no intervals",
}


@dataclass(frozen=True)
class Share:
    """What an axis has of the variance, 0 to 1; estimates may lie a little beside.

    Attributes:
        alone: What it explains by itself (Sobol's first-order index).
        low: Lower end of the 95 % interval of that; None where there is none.
        high: Its upper end.
        total: All that it has a part in, alone or with others (the total index); None where the design does not tell it.
        total_low: Lower end of the 95 % interval of that.
        total_high: Its upper end.
    """

    alone: float
    low: float | None = None
    high: float | None = None
    total: float | None = None
    total_low: float | None = None
    total_high: float | None = None


@dataclass(frozen=True)
class Sensitivity:
    """What decides a number.

    Attributes:
        number: Which number.
        shares: What each axis has of its variance over the points, the greatest first.
        pairs: What two axes explain together beyond each alone, the greatest first; of a whole grid only.
        together: What no axis explains alone and chance does not.
        chance: What is the seeds' of the variance of the means.
        points: How many points have the number.
        method: How it was reckoned.
    """

    number: str
    shares: dict[str, Share]
    pairs: dict[tuple[str, str], float]
    together: float
    chance: float
    points: int
    method: str

    @property
    def words(self) -> str:
        """The answer in a sentence."""
        if not self.shares:
            return f"{self.number} is the same at all {self.points} points: nothing decides it."
        (first, most), *others = self.shares.items()
        second = f", then {others[0][0]} {_percent(others[0][1].alone)}" if others else ""
        between = f" ({_percent(most.low)} to {_percent(most.high)})" if most.low is not None else ""
        return (
            f"{self.number} is decided by {first}: {_percent(most.alone)}{between} of its variance over {self.points} "
            f"points{second}; axes together {_percent(self.together)}, chance {_percent(self.chance)}."
        )

    @property
    def table(self) -> Table:
        """A row per axis, per pair, and for chance: ``what``, ``share``, ``low``, ``high``, ``total``, and its ends."""
        import pyarrow as pa

        keys = ("share", "low", "high", "total", "total_low", "total_high")
        rows: list[dict[str, Any]] = []
        for name, one in self.shares.items():
            values = (one.alone, one.low, one.high, one.total, one.total_low, one.total_high)
            rows.append({"what": name, **dict(zip(keys, values, strict=True))})
        rows += [{"what": " x ".join(pair), "share": share} for pair, share in self.pairs.items()]
        rows.append({"what": "chance", "share": self.chance})
        kinds = {"what": pa.string(), **dict.fromkeys(keys, pa.float64())}
        return Table(pa.Table.from_pylist(rows, schema=pa.schema(list(kinds.items()))))

    def plot(self) -> Figure:
        """Bars: what each axis explains alone, with its interval, and what it has a part in."""
        from bentpipe._sweep._sensitivity_picture import bars

        return bars(self)


def _percent(share: float | None) -> str:
    return f"{100.0 * max(0.0, share or 0.0):.0f} %"


def sensitivity(found: Sweep | str | os.PathLike[str], of: str = "goodput_mbit_s") -> Sensitivity:
    """What decides a number of a sweep.

    A whole grid is taken apart exactly (analysis of variance), a "saltelli" sample by its estimators, any other sample
    by RBD-FAST, which tells what axes explain alone. The two latter need the extra ``bentpipe[sweep]``.

    Args:
        found: The sweep, or its folder.
        of: Which number of ``runs.parquet``.

    Raises:
        ArgumentError: If there is no such number, or no point has it.
        ScenarioError: If the folder holds no sweep, nothing is varied, or a sample has too few points.
    """
    swept = found if isinstance(found, Sweep) else load_sweep(found)
    if of not in numbers():
        raise _arguments.known("number", of, numbers())
    axes = [axis for axis in swept.about["axes"] if len(set(swept.points[axis["column"]])) > 1]
    if not axes:
        raise ScenarioError("argument-value", "no axis of this sweep has two values: there is nothing to decide")
    means = np.array([math.nan if one is None else float(one) for one in swept.points[of]])
    known = np.isfinite(means)
    if not known.any():
        raise _arguments.refuse(f"no point of this sweep has the number {of}")
    names = [str(axis["column"]) for axis in axes]
    if _shares.is_same(means[known]):
        return Sensitivity(of, {}, {}, 0.0, 0.0, int(known.sum()), "")
    by_seed = _by_seed(swept, of)[known]
    chance = _shares.chance(by_seed)
    places, sizes = _places(swept, names)
    design = swept.about["design"]
    pairs: dict[tuple[str, str], float] = {}
    if design == "grid":
        is_whole = bool(known.all()) and len(means) == math.prod(sizes)
        method = "grid" if is_whole else "holes"
        if is_whole:
            shares, told = of_grid(places, sizes, by_seed)
            pairs = {(names[one], names[other]): share for (one, other), share in told.items()}
        else:
            shares = [Share(one) for one in _shares.main_effects(places[known], sizes, means[known])]
    elif design == "saltelli":
        method = "saltelli"
        if not known.all():
            missing = int((~known).sum())
            raise ScenarioError(
                "argument-value",
                f"{missing} of {len(means)} points have no {of}: Saltelli's estimators need all (choose another number, "
                'or another design: "sobol")',
            )
        every = [str(axis["column"]) for axis in swept.about["axes"]]
        shares = [one for name, one in zip(every, of_saltelli(means, len(every)), strict=True) if name in names]
    else:
        method = "sample"
        shares = of_sample(places[known], means[known])
    together = max(0.0, 1.0 - math.fsum(max(0.0, one.alone) for one in shares) - chance)
    ordered = sorted(zip(names, shares, strict=True), key=lambda pair: -pair[1].alone)
    pairs = dict(sorted(pairs.items(), key=lambda pair: -pair[1]))
    return Sensitivity(of, dict(ordered), pairs, together, chance, int(known.sum()), _METHODS[method])


def _by_seed(swept: Sweep, of: str) -> Floats:
    """Of each point and seed the number: the seeds that all points have. Of a point without chance all are one."""
    rows: dict[int, list[float]] = {}
    for point, value in zip(swept.runs["point"], swept.runs[of], strict=True):
        rows.setdefault(point, []).append(math.nan if value is None else float(value))
    least = swept.about["looks"][0][0]
    values = [row if len(row) >= least else [*row, *[row[-1]] * (least - len(row))] for row in rows.values()]
    seeds = min(map(len, values))
    return np.array([row[:seeds] for row in values])


def _places(swept: Sweep, names: list[str]) -> tuple[NDArray[np.int64], list[int]]:
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
        cells = np.empty(sizes)
        cells[tuple(places.T)] = values
        return _shares.main_effects(places, sizes, values), _shares.totals(cells), cells

    means = by_seed.mean(axis=1)
    alone, total, cells = shares(means)
    seeds = by_seed.shape[1]
    chance = np.random.Generator(np.random.PCG64(_SEED))
    drawn = []
    # Points are all there are; what could have come out otherwise is the seeds.
    if seeds > 2 and _shares.chance(by_seed) > 0.0:
        for _ in range(_RESAMPLES):
            again = by_seed[:, chance.integers(0, seeds, seeds)].mean(axis=1)
            if not _shares.is_same(again):
                drawn.append(shares(again)[:2])
    ends: Any = np.quantile(np.array(drawn), (0.025, 0.975), axis=0) if drawn else None
    found = []
    for at in range(len(sizes)):
        low, high, total_low, total_high = (
            (None,) * 4 if ends is None else (float(ends[end][which][at]) for which in (0, 1) for end in (0, 1))
        )
        found.append(Share(alone[at], low, high, total[at], total_low, total_high))
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
