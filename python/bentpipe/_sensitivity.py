# SPDX-License-Identifier: MIT OR Apache-2.0
"""What decides the result of a sweep: which share of its variance each axis explains, alone and with others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe._sweep._analysis import Share, analysed
from bentpipe._sweep._base import numbers
from bentpipe._sweep._result import Sweep, load_sweep
from bentpipe.base import arguments
from bentpipe.base import shares as _shares
from bentpipe.base.errors import ScenarioError
from bentpipe.base.tables import Table

if TYPE_CHECKING:
    import os

    from matplotlib.figure import Figure

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
    pairs: dict[tuple[str, str], float]
    together: float
    chance: float
    axes_of_runs: float
    seed_of_runs: float
    rest_of_runs: float
    points: int
    seeds: int
    method: str

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
    axes = [axis for axis in swept.about["axes"] if len(set(swept.points[axis["column"]])) > 1]
    if not axes:
        raise ScenarioError("argument-value", "no axis of this sweep has two values: there is nothing to decide")
    found_of = analysed(swept, [str(axis["column"]) for axis in axes], of)
    alone = math.fsum(one.alone for one in found_of.shares.values())
    return Sensitivity(
        of,
        found_of.shares,
        found_of.pairs,
        max(0.0, 1.0 - alone) if found_of.shares else 0.0,
        found_of.chance,
        *found_of.of_runs,
        found_of.points,
        found_of.seeds,
        _METHODS.get(found_of.method, ""),
    )
