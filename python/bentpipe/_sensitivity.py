# SPDX-License-Identifier: MIT OR Apache-2.0
"""What decides the result of a sweep: which share of its variance each axis explains, alone and with others."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bentpipe._sweep._analysis import Share, by_seed, of_grid, of_saltelli, of_sample, places_of, without
from bentpipe._sweep._base import numbers
from bentpipe._sweep._result import Sweep, load_sweep
from bentpipe.base import arguments
from bentpipe.base import shares as _shares
from bentpipe.base.errors import ScenarioError
from bentpipe.base.tables import Table

if TYPE_CHECKING:
    import os

    from matplotlib.figure import Figure

    from bentpipe.base.shares import Floats

_METHODS = {
    "grid": "analysis of variance over the whole grid, chance taken out; intervals: jackknife over the seeds",
    "saltelli": "Sobol's indices by Saltelli's estimators (SALib), chance taken out; intervals: bootstrap over points",
    "sample": "first-order indices by RBD-FAST (SALib), chance taken out; intervals: bootstrap over points",
    "holes": "main effects of the additive model over the points that have a number, chance taken out; no intervals",
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

    @property
    def words(self) -> str:
        """The answer in a sentence."""
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

    Args:
        found: The sweep, or its folder.
        of: Which number of ``runs.parquet``.

    Raises:
        ArgumentError: If there is no such number.
        ScenarioError: If the folder holds no sweep, nothing is varied, or points are too few.
    """
    swept = found if isinstance(found, Sweep) else load_sweep(found)
    if of not in numbers():
        raise arguments.known("number", of, numbers())
    names = [axis["column"] for axis in swept.about["axes"] if len(set(swept.points[axis["column"]])) > 1]
    if not names:
        raise ScenarioError("argument-value", "no axis of this sweep has two values: there is nothing to decide")
    means = np.array([math.nan if one is None else float(one) for one in swept.points[of]])
    known = np.isfinite(means)
    count = int(known.sum())
    if not count:
        raise ScenarioError("argument-value", f"no point of this sweep has the number {of}")
    if _shares.is_same(means[known]):
        return Sensitivity(of, {}, points=count)
    values = by_seed(swept, of)[known]
    values = values[:, np.isfinite(values).all(axis=0)]
    if not values.shape[1]:
        values = means[known][:, None]
    chance = _shares.chance(values)
    shares, pairs, method = _taken_apart(swept, names, of, means, values)
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
        _METHODS[method],
    )


def _taken_apart(
    swept: Sweep, names: list[str], of: str, means: Floats, values: Floats
) -> tuple[list[Share], dict[tuple[str, str], float], str]:
    """The shares of axes and of pairs, and the method, by the kind of the design.

    Args:
        swept: The sweep.
        names: The columns of the axes that vary.
        of: The number.
        means: Its mean at each point; not a number where it has none.
        values: Of each point that has it (rows) and seed (columns) the number.
    """
    known = np.isfinite(means)
    places, sizes = places_of(swept, names)
    design, chance = swept.about["design"], _shares.chance(values)
    if design == "grid":
        if known.all() and len(means) == math.prod(sizes):
            shares, told = of_grid(places, sizes, values)
            return shares, {(names[one], names[other]): share for (one, other), share in told.items()}, "grid"
        return [Share(one) for one in _shares.main_effects(places[known], sizes, values)], {}, "holes"
    if design == "saltelli":
        if not known.all():
            raise ScenarioError(
                "argument-value",
                f"{len(means) - known.sum()} of {len(means)} points have no {of}: Saltelli's estimators need all "
                '(choose another number, or another design: "sobol")',
            )
        of_all = zip(swept.axes, of_saltelli(means, len(swept.axes)), strict=True)
        return [without(chance, one) for name, one in of_all if name in names], {}, "saltelli"
    return [without(chance, one) for one in of_sample(places[known], means[known])], {}, "sample"


def _of_runs(values: Floats, chance: float) -> tuple[float, float, float]:
    """Of the variance of single runs: the axes', the seed's alike at all points, the seed's at each point."""
    axes = (1.0 - chance) * float(np.var(values.mean(axis=1)))
    alike, each = _shares.between_and_within(values)
    whole = axes + alike + each
    return axes / whole, alike / whole, each / whole
