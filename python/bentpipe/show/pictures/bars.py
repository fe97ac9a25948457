# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of a comparison: bars with intervals, a panel per number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bentpipe.base.names import plotted, titled
from bentpipe.plots import COLOURS, name_rows, panels, styled
from bentpipe.scenario.choice import Choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe._compare import Comparison
    from bentpipe.results.metrics import Metric

#: Numbers of the table that the picture omits, because another number shows the same.
_LEFT_OUT = ("rtt_p95_ms", "finished_percent")


@styled
def bars(result: Comparison) -> Figure:
    """A panel per number, a bar per controller with its 95 % interval, two panels side by side."""
    metrics = [metric for metric in result.metrics if metric.key not in _LEFT_OUT]
    columns = min(2, len(metrics))
    names = [plotted(Choice.of(name).label) for name in result.controllers]
    figure, axes = panels(len(metrics), columns, width=9.0, height=0.6 + 0.24 * len(names))
    for number, (axis, metric) in enumerate(zip(axes, metrics, strict=True)):
        _panel(axis, result, metric)
        name_rows(axis, [""] * len(names) if number % columns else names)
        axis.set(title=f"{metric.label} ({'more' if metric.better > 0 else 'less'} is better)", xlabel=metric.unit)
    seeds = len(result.seeds)
    what = "mean of" if result.without_chance != set(result.controllers) else "the same for"
    name = titled(result.runs[result.controllers[0]][0].name)
    bars_said = "; lines: 95 % intervals" if seeds > 1 and what == "mean of" else ""
    figure.suptitle(f"{name}: {what} {seeds} seed{'s' if seeds > 1 else ''}{bars_said}", fontsize="large")
    return figure


def _panel(axis: Axes, result: Comparison, metric: Metric) -> None:
    right = 0.0
    missing = " not all finished" if metric.key.startswith("completion") else " no number"
    for row, controller in enumerate(result.controllers):
        one = result.estimate(controller, metric.key)
        if math.isnan(one.mean):
            axis.annotate(missing, (0.0, row), va="center", fontsize="x-small", zorder=4)
            continue
        width = one.half_width if 0.0 < one.half_width < math.inf else 0.0
        axis.barh(row, one.mean, height=0.66, color=COLOURS[0] if row else COLOURS[5], zorder=2)
        if width:
            axis.errorbar(one.mean, row, xerr=width, color="#000000", linewidth=1.0, capsize=2.5, zorder=3)
        end = one.mean + width
        axis.annotate(f" {metric.text(one)}", (end, row), va="center", fontsize="x-small", zorder=4)
        right = max(right, end)
    # Space for the numbers beside the longest bar.
    axis.set_xlim(0.0, 1.3 * right if right else 1.0)
    axis.grid(visible=False, axis="y")
