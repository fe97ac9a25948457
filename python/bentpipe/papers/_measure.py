# SPDX-License-Identifier: MIT OR Apache-2.0
"""Numbers read from runs, and the marks that figures of papers share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

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


def series(run: bp.Run, column: str, flow: int = 0) -> tuple[Floats, Floats]:
    """Time in s and a column of one flow's series, missing values as NaN."""
    table = run.flows.arrow
    mine = plots.column(table, "flow") == flow
    return plots.column(table, "time_s")[mine], plots.column(table, column)[mine]


def cuts(run: bp.Run, *, timeouts: bool = True) -> list[tuple[float, float, float]]:
    """(time in s, window before, window after, in segments) of the window's reductions."""
    events = run.events
    rows = list(zip(events["time_s"], events["event"], events["before"], events["after"], strict=True))
    late = {time for time, event, _, _ in rows if event == "timeout"}
    cut = [(float(t), float(w), float(after)) for t, event, w, after in rows if event == "cut"]
    return [one for one in cut if timeouts or one[0] not in late]


def own_limit(runs: Iterable[bp.Run]) -> None:
    """Refuse runs in which the receiver's window held a sender back: they measure no controller.

    Raises:
        ValueError: If there is one.
    """
    for run in runs:
        held = [str(flow["name"]) for flow in run.summary["flows"] if flow["receiver_limited"]]
        if held:
            raise ValueError(f"{run.name}: the receiver's window held back {', '.join(held)}; enlarge it")


def change_text(change: bp.Estimate) -> str:
    """A change in percent, for a table."""
    return f"{change.mean:+.1f} ± {change.half_width:.1f} %"


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


def snapshot(run: bp.Run, name: str, flow: int = 0) -> tuple[Floats, Floats]:
    """Times in s and values of one of the controller's own numbers; empty if it has none of that name."""
    table = run.snapshots.arrow
    mine = pc.equal(table.column("flow"), pa.scalar(flow, table.schema.field("flow").type))
    rows = table.filter(pc.and_(mine, pc.equal(table.column("name"), name)))
    return plots.column(rows, "time_s"), plots.column(rows, "value")


def mean_between(times: Floats, values: Floats, start_s: float, stop_s: float) -> float:
    """Mean of the samples in (start, stop]; NaN if there is none."""
    chosen = values[(times > start_s) & (times <= stop_s)]
    return float(np.nanmean(chosen)) if chosen.size else float("nan")


def running_mean(values: Floats, points: int) -> Floats:
    """Mean of each sample and those before it, `points` in all; NaN until there are as many."""
    whole = np.full(values.shape, np.nan)
    if values.size >= points:
        whole[points - 1 :] = np.convolve(values, np.ones(points) / points, mode="valid")
    return whole


def sampled(values: Sequence[float]) -> bp.Estimate:
    """The estimate of `values`, one per seed; a fixed number if no seed made a difference: there was no chance."""
    return bp.fixed(values[0]) if len(set(values)) == 1 else bp.estimate(values)
