# SPDX-License-Identifier: MIT OR Apache-2.0
"""The congestion windows of several runs side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bentpipe.base.names import titled
from bentpipe.plots import legend_of, outer_labels, panels, styled
from bentpipe.results.transfers import CONNECTIONS
from bentpipe.show.pictures.overview import single

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from bentpipe.runs.run import Run

#: Number of panels side by side.
_COLUMNS = 3
#: Windows above this are cut off, so that a controller with a growing window does not flatten the other curves.
_TOP_SEGMENTS = 3e4


@styled
def windows(runs: Sequence[tuple[str, Run]], flows: frozenset[int] | None = None) -> Figure:
    """Draw congestion windows over time: one panel per run, on a common logarithmic scale.

    A line ends with its flow. A mean covers only flows that are alive, and has gaps where no flow is.

    Args:
        runs: The title and the run of each panel.
        flows: Indices of the flows; None for all TCP flows.
    """
    columns = min(_COLUMNS, len(runs))
    figure, axes = panels(len(runs), columns, width=max(4.5, 3.0 * columns), height=1.9)
    for axis, (title, run) in zip(axes, runs, strict=True):
        series = single(run)
        chosen = [one for one in series.flows if one["kind"] in CONNECTIONS and (flows is None or one["of"] in flows)]
        axis.set_title(titled(title), fontsize="medium")
        drawn = series.draw(axis, "cwnd_segments", chosen, "steps-post")
        axis.set_yscale("log")
        axis.tick_params(labelsize="small")
        if not drawn:
            axis.text(0.5, 0.5, "no window was recorded", ha="center", va="center", transform=axis.transAxes)
    lines = [line for axis in axes for line in axis.get_lines()]
    points = [np.asarray([line.get_xdata(), line.get_ydata()], dtype=np.float64) for line in lines]
    every = np.concatenate([np.array([[1.0], [10.0]]), *points], axis=1)
    every = every[:, np.isfinite(every).all(axis=0)]
    last, top = every.max(axis=1)
    for axis in axes:
        axis.set(xlim=(0, last), ylim=(1, min(1.5 * top, _TOP_SEGMENTS)))
    outer_labels(axes, columns, "s", "cwnd (segments)")
    if len(axes[0].get_legend_handles_labels()[1]) > 1:
        legend_of(figure, axes[0], "outside upper center", fontsize="small")
    return figure
