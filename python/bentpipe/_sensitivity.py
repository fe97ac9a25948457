# SPDX-License-Identifier: MIT OR Apache-2.0
"""What decides the result of a sweep: which share of its variance each axis explains, alone and with others."""

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
    "grid": "analysis of variance over the whole grid, chance taken out; intervals: jackknife over the seeds",
    "saltelli": "Sobol's indices by Saltelli's estimators (SALib), chance taken out; intervals: bootstrap over points",
    "sample": "first-order indices by RBD-FAST (SALib), chance taken out; intervals: bootstrap over points",
}


@dataclass(frozen=True)
class Sensitivity:
    """What decides a number.

    Attributes:
        number: Which number.
        shares: What each axis has of its variance over the points, the greatest first. That is the variance of what is
            expected at each point: chance is taken out.
        pairs: What two axes explain together beyond each alone, the greatest first; of a whole grid only.
        together: What no axis explains alone.
        chance: What is the seeds' of the variance of the means over seeds, and was taken out.
        axes_of_runs: What all axes together have of the variance of single runs.
        seed_of_runs: What a seed has of that, alike at all points, as the weather that it draws: no difference between
            points has it.
        rest_of_runs: What a seed has of that at each point by itself.
        points: How many points have the number.
        seeds: How many seeds all of them have.
        method: How it was reckoned.
        left_out: Which points are in none of these numbers, and why.
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
        """The answer in a sentence, and which points have no part in it."""
        return " ".join([self._answer, *(f"Left out: {line}." for line in self.left_out)])

    @property
    def _answer(self) -> str:
        if not self.shares:
            return f"{self.number} is the same at all {self.points} points: nothing decides it."
        (first, most), *others = self.shares.items()
        second = f", then {others[0][0]} {_percent(others[0][1].alone)}" if others else ""
        between = f" ({_percent(most.low)} to {_percent(most.high)})" if most.low is not None else ""
        if self.chance > _shares.MOSTLY:
            return (
                f"What decides {self.number} cannot be told: of the variance of its means over {self.seeds} seeds, "
                f"between {self.points} points, {_percent(self.chance)} is chance (take more seeds)."
            )
        found = (
            f"{self.number} is decided by {first}: {_percent(most.alone)}{between} of its variance over {self.points} "
            f"points{second}; axes together {_percent(self.together)}."
        )
        if self.seeds < 2:
            return f"{found} With one seed, chance is in these shares."
        found += f" Chance, {_percent(self.chance)} of the variance of means over {self.seeds} seeds, is taken out."
        if round(100.0 * self.seed_of_runs):
            found += f" Of single runs the seed decides {_percent(self.seed_of_runs)}, alike at all points."
        return found

    @property
    def table(self) -> Table:
        """A row per axis, per pair, and for what the seed does.

        Columns: ``what``, ``share``, ``low``, ``high``, ``total`` and its ends, of the variance over points; and
        ``of_runs``, of the variance of single runs.
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
        rows.append({"what": "seed, alike at all points", "of_runs": self.seed_of_runs})
        rows.append({"what": "seed, at each point", "of_runs": self.rest_of_runs})
        kinds = {"what": pa.string(), **dict.fromkeys(keys, pa.float64())}
        return Table(pa.Table.from_pylist(rows, schema=pa.schema(list(kinds.items()))))

    def plot(self) -> Figure:
        """Bars: what each axis explains alone, with its interval, and what it has a part in."""
        from bentpipe.show.pictures.sensitivity import bars

        return bars(self)


def _percent(share: float | None) -> str:
    return f"{100.0 * max(0.0, share or 0.0):.0f} %"


def sensitivity(found: Sweep | str | os.PathLike[str], of: str = "goodput_mbit_s") -> Sensitivity:
    """What decides a number of a sweep.

    Shares are of the variance of what is expected at each point: what its seeds add by chance is taken out. A whole
    grid is taken apart exactly (analysis of variance), a "saltelli" sample by its estimators, any other sample
    by RBD-FAST, which tells what axes explain alone. The two latter need the extra ``bentpipe[sweep]``.
    Where points of a grid do not have the number, values of axes are left out until the rest is a whole grid.

    Args:
        found: The sweep, or its folder.
        of: Which number of ``runs.parquet``.

    Raises:
        ArgumentError: If there is no such number.
        ScenarioError: If the folder holds no sweep, nothing is varied, points are too few, or no part of a grid is
            whole.
    """
    swept = found if isinstance(found, Sweep) else load_sweep(found)
    if of not in numbers():
        raise arguments.known("number", of, numbers())
    names = [axis["column"] for axis in swept.about["axes"] if len(set(swept.points[axis["column"]])) > 1]
    if not names:
        raise ScenarioError("argument-value", "no axis of this sweep has two values: there is nothing to decide")
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
    return (f"{missing} of {len(means)} points, which have no {of}",) if missing else ()


def _kept(swept: Sweep, names: list[str], of: str, means: Floats) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
    """Which points the shares are of, and what is left out, in words.

    Args:
        swept: The sweep.
        names: The columns of the axes that vary.
        of: The number.
        means: Its mean at each point; not a number where it has none.
    """
    known, design = np.isfinite(means), swept.about["design"]
    if known.all():
        return known, ()
    missing = f"{len(means) - known.sum()} of {len(means)} points have no {of}"
    if design == "saltelli":
        raise ScenarioError(
            "argument-value",
            f'{missing}: Saltelli\'s estimators need all (choose another number, or another design: "sobol")',
        )
    if design != "grid":
        return known, _missing(means, of)
    places, sizes = places_of(swept, names)
    part = _shares.whole_part(places[known], sizes)
    if part is None:
        raise ScenarioError(
            "argument-value",
            f"{missing}, and no values could be left out so that the rest is a whole grid with two values of each "
            "axis: what the axes explain cannot be told (choose another number, or values at which all points have it)",
        )
    kept = known.copy()
    kept[known] = part
    lines = []
    for name, place in zip(names, places.T, strict=True):
        values = swept.points[name]
        for gone in np.setdiff1d(place, place[kept]):
            mine = place == gone
            value = values[int(np.flatnonzero(mine)[0])]
            lines.append(f"{name} = {short(value)} ({(mine & ~known).sum()} of its {mine.sum()} points have no {of})")
        if len(set(place[kept])) == 1:
            value = values[int(np.flatnonzero(kept)[0])]
            lines.append(f"the axis {name}, of which all points that are left have {short(value)}")
    return kept, tuple(lines)


def _taken_apart(
    swept: Sweep, names: list[str], kept: NDArray[np.bool_], means: Floats, values: Floats
) -> tuple[list[str], list[Share], dict[tuple[str, str], float]]:
    """The axes that vary over the points, their shares, and those of pairs, by the kind of the design.

    Args:
        swept: The sweep.
        names: The columns of the axes that vary.
        kept: Which points are looked at.
        means: The mean of the number at each point.
        values: Of each point that is looked at (rows) and seed (columns) the number.
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
    """Of the variance of single runs: the axes', the seed's alike at all points, the seed's at each point."""
    axes = (1.0 - chance) * float(np.var(values.mean(axis=1)))
    alike, each = _shares.between_and_within(values)
    whole = axes + alike + each
    return axes / whole, alike / whole, each / whole
