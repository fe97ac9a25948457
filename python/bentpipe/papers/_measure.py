# SPDX-License-Identifier: MIT OR Apache-2.0
"""Numbers read from runs, and the marks that figures of papers share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe import plots

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def goodputs(run: bp.Run, name: str | None = None) -> list[float]:
    """Goodput of each flow in Mbit/s; with `name` of the flows of that name."""
    flows = run.summary["flows"]
    return [float(flow["goodput_mbit_s"]) for flow in flows if name is None or flow["name"] == name]


def jain(values: Sequence[float]) -> float:
    """Jain's index (Σx)²/(n Σx²); NaN if nothing was delivered."""
    squares = math.fsum(x * x for x in values)
    return math.fsum(values) ** 2 / (len(values) * squares) if squares else math.nan


def smaller_over_larger(one: float, other: float) -> float:
    """The smaller of two rates over the larger, in percent; NaN if both are zero."""
    low, high = sorted((one, other))
    return 100.0 * low / high if high > 0.0 else math.nan


def series(run: bp.Run, column: str, flow: int = 0) -> tuple[Floats, Floats]:
    """Time in s and a column of one flow's series, missing values as NaN."""
    table = run.flows.arrow
    mine = plots.column(table, "flow") == flow
    return plots.column(table, "time_s")[mine], plots.column(table, column)[mine]


def mean_known(values: Floats) -> float:
    """Mean of what is known; NaN if nothing is."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def mean_queue_ms(run: bp.Run, flow: int = 0) -> float:
    """Mean true queueing delay of a flow's delivered packets in ms; NaN if none was delivered."""
    measured = run.summary["flows"][flow]["queueing_delay_ms"]
    return float(measured["mean"]) if measured else math.nan


def own_limit(runs: Iterable[bp.Run]) -> None:
    """Refuse runs in which the receiver's window held a sender back: they measure no controller.

    Raises:
        ValueError: If there is one.
    """
    for run in runs:
        held = [str(flow["name"]) for flow in run.summary["flows"] if flow["receiver_limited"]]
        if held:
            raise ValueError(f"{run.name}: the receiver's window held back {', '.join(held)}; enlarge it")


def sampled(values: Sequence[float]) -> bp.Estimate:
    """The estimate of `values`, one per seed; a fixed number if no seed made a difference: there was no chance."""
    return bp.fixed(values[0]) if len(set(values)) == 1 else bp.estimate(values)


def with_errors(axis: Axes, x: Sequence[float], y: Sequence[bp.Estimate], label: str, **style: object) -> None:
    """Means over the seeds as a line with marks, and their 95 % intervals as bars."""
    widths = [0.0 if math.isinf(one.half_width) else one.half_width for one in y]
    axis.errorbar(x, [one.mean for one in y], yerr=widths, label=label, capsize=2, linewidth=1.2, **style)  # type: ignore[arg-type]


def bars(axis: Axes, names: Sequence[str], groups: Sequence[tuple[str, Sequence[bp.Estimate]]]) -> None:
    """Horizontal bars: one place for each name, one bar in it for each group, with 95 % intervals."""
    height = 0.8 / len(groups)
    places = np.arange(len(names), dtype=np.float64)
    for number, (label, estimates) in enumerate(groups):
        widths = [0.0 if math.isinf(one.half_width) else one.half_width for one in estimates]
        axis.barh(
            places - 0.4 + height * (number + 0.5),
            [one.mean for one in estimates],
            height=0.9 * height,
            xerr=widths,
            label=label,
            error_kw={"elinewidth": 0.8, "capsize": 1.5},
        )
    axis.set_yticks(places, names)
    axis.invert_yaxis()
    axis.grid(visible=False, axis="y")
