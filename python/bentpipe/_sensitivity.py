# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute the share of a number's variance that each axis of a sweep explains, alone and with other axes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bentpipe._sweep._analysis import Share, by_seed, of_grid, of_saltelli, of_sample, places_of, without
from bentpipe._sweep._base import numbers
from bentpipe._sweep._result import Sweep, load_sweep, short
from bentpipe.base import arguments
from bentpipe.base import shares as _shares
from bentpipe.base.errors import ScenarioError
from bentpipe.base.tables import Table

if TYPE_CHECKING:
    import os

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from bentpipe.base.shares import Floats

_METHODS = {
    "grid": "analysis of variance over the whole grid, chance removed; intervals: jackknife over the seeds",
    "saltelli": "Sobol's indices by Saltelli's estimators (SALib), chance removed; intervals: bootstrap over points",
    "sample": "first-order indices by RBD-FAST (SALib), chance removed; intervals: bootstrap over points",
}


@dataclass(frozen=True)
class Sensitivity:
    """The sensitivity of a number to the axes of a sweep.

    Attributes:
        number: The number.
        shares: The share of the variance over the points that each axis explains, the greatest first. The variance is
            that of the expected values at the points: chance is removed.
        pairs: The share that each pair of axes explains beyond the shares of its single axes, the greatest first. Only
            a complete grid has pairs.
        together: The share that no axis explains alone.
        The share of the variance of the means over seeds that was due to the seeds and was removed.
        axes_of_runs: The share of the variance of single runs that all axes explain together.
        seed_of_runs: The share of the variance of single runs that a seed adds equally at all points (for example by
            its weather). This part cancels in differences between points.
        rest_of_runs: The share of the variance of single runs that a seed adds differently at different points.
        points: Number of points that have the number.
        seeds: Number of seeds that all counted points have.
        method: The method.
        left_out: The points that are left out, each with the reason.
    """

    number: str
    shares: dict[str, Share]
    pairs: dict[tuple[str, str], float] = field(default_factory=dict)
    together: float = 0.0
    chance: float = 0.0
    axes_of_runs: float = 0.0
    seed_of_runs: float = 0.0
    rest_of_runs: float = 0.0
    points: int = 0
    seeds: int = 0
    method: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The result in a sentence, and the points that are left out."""
        return " ".join([self._answer, *(f"Left out: {line}." for line in self.left_out)])

    @property
    def _answer(self) -> str:
        if not self.shares:
            return f"{self.number} is the same at all {self.points} points: no axis has an effect."
        (first, most), *others = self.shares.items()
        second = f", then {others[0][0]} {_percent(others[0][1].alone)}" if others else ""
        between = f" ({_percent(most.low)} to {_percent(most.high)})" if most.low is not None else ""
        if self.chance > _shares.MOSTLY:
            return (
                f"The sensitivity of {self.number} cannot be estimated: {_percent(self.chance)} of the variance "
                f"between {self.points} points (means over {self.seeds} seeds) is chance (use more seeds)."
            )
        found = (
            f"{first} explains most of {self.number}: {_percent(most.alone)}{between} of its variance over "
            f"{self.points} points{second}; combinations of axes explain {_percent(self.together)}."
        )
        if self.seeds < 2:
            return f"{found} With one seed, these shares contain chance."
        found += f" Chance, {_percent(self.chance)} of the variance of means over {self.seeds} seeds, is removed."
        if round(100.0 * self.seed_of_runs):
            found += (
                " In single runs, an effect of the seed that is equal at all points explains "
                f"{_percent(self.seed_of_runs)}."
            )
        return found

    @property
    def table(self) -> Table:
        """A table with a row for each axis, each pair of axes, and each effect of the seed.

        Columns: ``what``; ``share``, its interval ``low`` to ``high``, and ``total`` with its interval, of the variance
        over points; ``of_runs``, the share of the variance of single runs.
        """
        import pyarrow as pa

        keys = ("share", "low", "high", "total", "total_low", "total_high", "of_runs")
        rows: list[dict[str, object]] = []
        for name, one in self.shares.items():
            ends = (one.low, one.high, one.total, one.total_low, one.total_high)
            values = (one.alone, *ends, one.alone * self.axes_of_runs)
            rows.append({"what": name, **dict(zip(keys, values, strict=True))})
        for pair, share in self.pairs.items():
            rows.append({"what": " x ".join(pair), "share": share, "of_runs": share * self.axes_of_runs})
        rows.append({"what": "seed, equal at all points", "of_runs": self.seed_of_runs})
        rows.append({"what": "seed, different at each point", "of_runs": self.rest_of_runs})
        kinds = {"what": pa.string(), **dict.fromkeys(keys, pa.float64())}
        return Table(pa.Table.from_pylist(rows, schema=pa.schema(list(kinds.items()))))

    def plot(self) -> Figure:
        """Draw bars: the share that each axis explains alone, with its interval, and the share together with others."""
        from bentpipe.show.pictures.sensitivity import bars

        return bars(self)


def _percent(share: float | None) -> str:
    return f"{100.0 * max(0.0, share or 0.0):.0f} %"


def sensitivity(found: Sweep | str | os.PathLike[str], of: str = "goodput_mbit_s") -> Sensitivity:
    """Compute how much of a number's variance each axis of a sweep explains.

    A share is a fraction of the variance between the expected values at the points. The variance that seeds add by
    chance is removed first. For a complete grid, the method is exact (analysis of variance). For a "saltelli" sample,
    the method is Saltelli's estimators. For any other sample, the method is RBD-FAST, which gives only the shares that
    axes explain alone. Saltelli's estimators and RBD-FAST need the extra ``bentpipe[sweep]``.

    If some points of a grid lack the number, values of axes are removed with all their points. The remaining points
    form a complete grid.

    Args:
        found: The sweep, or its folder.
        of: A column of ``runs.parquet`` with numbers.

    Raises:
        ArgumentError: If the number is unknown.
        ScenarioError: If the folder has no sweep, no axis varies, or there are too few points. Also if points of a grid
            lack the number, and no complete part of the grid has two values of each axis.
    """
    swept = found if isinstance(found, Sweep) else load_sweep(found)
    if of not in numbers():
        raise arguments.known("number", of, numbers())
    names = [axis["column"] for axis in swept.about["axes"] if len(set(swept.points[axis["column"]])) > 1]
    if not names:
        raise ScenarioError("argument-value", "no axis of this sweep has two values, so no sensitivity can be computed")
    means = np.array([math.nan if one is None else float(one) for one in swept.points[of]])
    if not np.isfinite(means).any():
        raise ScenarioError("argument-value", f"no point of this sweep has the number {of}")
    if _shares.is_same(means[np.isfinite(means)]):
        return Sensitivity(of, {}, points=int(np.isfinite(means).sum()), left_out=_missing(means, of))
    kept, left_out = _kept(swept, names, of, means)
    count = int(kept.sum())
    if _shares.is_same(means[kept]):
        return Sensitivity(of, {}, points=count, left_out=left_out)
    values = by_seed(swept, of)[kept]
    values = values[:, np.isfinite(values).all(axis=0)]
    if not values.shape[1]:
        values = means[kept][:, None]
    chance = _shares.chance(values)
    names, shares, pairs = _taken_apart(swept, names, kept, means, values)
    axes, alike, each = _of_runs(values, chance)
    return Sensitivity(
        of,
        dict(sorted(zip(names, shares, strict=True), key=lambda pair: -pair[1].alone)),
        dict(sorted(pairs.items(), key=lambda pair: -pair[1])),
        max(0.0, 1.0 - math.fsum(one.alone for one in shares)),
        chance,
        axes,
        alike,
        each,
        count,
        values.shape[1],
        _METHODS.get(swept.about["design"], _METHODS["sample"]),
        left_out,
    )


def _missing(means: Floats, of: str) -> tuple[str, ...]:
    missing = int(np.isnan(means).sum())
    return (f"{missing} of {len(means)} points, which lack {of}",) if missing else ()


def _kept(swept: Sweep, names: list[str], of: str, means: Floats) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
    """Return the points that the shares are computed from, and the omitted points in words.

    Args:
        swept: The sweep.
        names: The columns of the axes that vary.
        of: The number.
        means: The mean of the number at each point; NaN at a point without the number.
    """
    known, design = np.isfinite(means), swept.about["design"]
    if known.all():
        return known, ()
    missing = f"{len(means) - known.sum()} of {len(means)} points lack {of}"
    if design == "saltelli":
        raise ScenarioError(
            "argument-value",
            f'{missing}: Saltelli\'s estimators need all points (choose another number, or another design: "sobol")',
        )
    if design != "grid":
        return known, _missing(means, of)
    places, sizes = places_of(swept, names)
    part = _shares.whole_part(places[known], sizes)
    if part is None:
        raise ScenarioError(
            "argument-value",
            f"{missing}, and no complete part of the grid has two values of each axis, so shares cannot be estimated "
            "(choose another number, or values at which all points have this number)",
        )
    kept = known.copy()
    kept[known] = part
    lines = []
    for name, place in zip(names, places.T, strict=True):
        values = swept.points[name]
        for gone in np.setdiff1d(place, place[kept]):
            mine = place == gone
            value = values[int(np.flatnonzero(mine)[0])]
            lines.append(f"{name} = {short(value)} ({(mine & ~known).sum()} of its {mine.sum()} points lack {of})")
        if len(set(place[kept])) == 1:
            value = values[int(np.flatnonzero(kept)[0])]
            lines.append(f"the axis {name}, because all remaining points have {short(value)}")
    return kept, tuple(lines)


def _taken_apart(
    swept: Sweep, names: list[str], kept: NDArray[np.bool_], means: Floats, values: Floats
) -> tuple[list[str], list[Share], dict[tuple[str, str], float]]:
    """Return the axes that vary over the points, the shares of the axes, and the shares of pairs.

    Args:
        swept: The sweep.
        names: The columns of the axes that vary.
        kept: The selected points.
        means: The mean of the number at each point.
        values: For each selected point (rows) and seed (columns), the number.
    """
    design, chance = swept.about["design"], _shares.chance(values)
    if design == "saltelli":
        of_all = zip(swept.axes, of_saltelli(means, len(swept.axes)), strict=True)
        return names, [without(chance, one) for name, one in of_all if name in names], {}
    places, _ = places_of(swept, names)
    if design != "grid":
        return names, [without(chance, one) for one in of_sample(places[kept], means[kept])], {}
    places, sizes = _shares.occurring(places[kept])
    varied = [at for at, size in enumerate(sizes) if size > 1]
    shares, told = of_grid(places[:, varied], [sizes[at] for at in varied], values)
    names = [names[at] for at in varied]
    return names, shares, {(names[one], names[other]): share for (one, other), share in told.items()}


def _of_runs(values: Floats, chance: float) -> tuple[float, float, float]:
    """Divide the variance of single runs into three shares.

    The shares are: all axes together; the effect of the seed that is equal at all points; the rest of the seed's
    effect, which differs between points.
    """
    axes = (1.0 - chance) * float(np.var(values.mean(axis=1)))
    alike, each = _shares.between_and_within(values)
    whole = axes + alike + each
    return axes / whole, alike / whole, each / whole
