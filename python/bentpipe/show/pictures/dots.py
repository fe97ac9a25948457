# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of a comparison: dots with intervals, a panel per number, the controllers sorted by the number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe.base.names import plotted, titled
from bentpipe.base.stats import estimate
from bentpipe.plots import COLOURS, hatch, is_wide, name_rows, panels, styled
from bentpipe.results.metrics import BY_KEY
from bentpipe.scenario import catalogue
from bentpipe.scenario.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe._compare import Comparison
    from bentpipe.base.stats import Estimate
    from bentpipe.results.metrics import Metric

#: Numbers that the picture leaves out if none are asked for: another number shows the same.
_LEFT_OUT = ("rtt_p95_ms", "finished_percent")
#: More rows have no written numbers.
_WRITTEN = 30
#: Font sizes in points: the usual one, the largest, and the smallest; inches of a row.
_FONT, _LARGEST, _SMALLEST, _ROW = 9.0, 18.0, 6.0, 0.26
_BASELINE, _OWN, _OTHER = COLOURS[6], COLOURS[1], COLOURS[0]


@dataclass(frozen=True)
class _Row:
    """A controller in a panel.

    Attributes:
        controller: Its key.
        one: The number.
        least: For unfinished transfers, the lower bound of the mean; otherwise None.
        text: The number as printed.
    """

    controller: str
    one: Estimate
    least: float | None
    text: str

    @property
    def place(self) -> float:
        """The number, or its lower bound; NaN if both are missing."""
        return self.one.mean if self.least is None else self.least


@styled
def compared(result: Comparison, of: Sequence[str] = (), size: tuple[float, float] | None = None) -> Figure:
    """Dots with 95 % intervals, sorted by the number: a panel for each number of `of`, or for each that differs.

    Args:
        result: The comparison.
        of: Keys of numbers.
        size: Width and height in inches; fonts fit the height. By default 9 inches wide, and as high as needed.
    """
    import matplotlib as mpl

    metrics, equal = ([BY_KEY[key] for key in of], []) if of else _differing(result)
    columns = min(2, len(metrics))
    lines, rows = -(-len(metrics) // columns), len(result.controllers)
    width, height = size or (9.0, lines * (0.9 + _ROW * rows) + 0.5)
    # A row of text needs 1.9 of its size; title, axis and legend of each line of panels need five rows.
    fits = 72.0 * height / (1.9 * lines * (rows + 5))
    font = _FONT if size is None else min(_LARGEST, max(_SMALLEST, fits))
    with mpl.rc_context({"font.size": font}):
        figure, axes = panels(len(metrics), columns, width=width, height=height / lines)
        for axis, metric in zip(axes, metrics, strict=True):
            _panel(axis, result, metric, font)
        seeds = len(result.seeds)
        what = "mean of" if result.without_chance != set(result.controllers) else "the same for"
        said = "; lines: 95 % intervals" if seeds > 1 and what == "mean of" else ""
        name = titled(result.runs[result.controllers[0]][0].name)
        figure.suptitle(f"{name}: {what} {seeds} seed{'s' if seeds > 1 else ''}{said}", fontsize="large")
        if equal:
            axes[-1].set_xlabel(
                f"{axes[-1].get_xlabel()}\n\nno difference: {', '.join(metric.label for metric in equal)}"
            )
        handles = {
            label: handle for axis in axes for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
        }
        if len(result.controllers) > 1 and handles:
            figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=3, fontsize="small")
    return figure


@styled
def side_by_side(
    results: Mapping[str, Comparison], of: Sequence[str] = (), size: tuple[float, float] | None = None
) -> Figure:
    """Several comparisons: a column of panels for each scenario, a line of panels for each number.

    Args:
        results: The comparisons by the name of their scenario.
        of: Keys of numbers; by default the main number of each comparison.
        size: Width and height in inches; by default 4.5 inches for each column, and as high as needed.
    """
    import matplotlib as mpl

    keys = list(of) or list(dict.fromkeys(result.main for result in results.values()))
    rows = max(len(result.controllers) for result in results.values())
    width, height = size or (4.5 * len(results), len(keys) * (0.9 + _ROW * rows) + 0.5)
    fits = 72.0 * height / (1.9 * len(keys) * (rows + 5))
    font = _FONT if size is None else min(_LARGEST, max(_SMALLEST, fits))
    with mpl.rc_context({"font.size": font}):
        figure, axes = panels(len(keys) * len(results), len(results), width=width, height=height / len(keys))
        for at, key in enumerate(keys):
            for axis, (name, result) in zip(axes[at * len(results) :], results.items(), strict=False):
                _panel(axis, result, BY_KEY[key], font)
                axis.set_title(titled(name), fontsize=font)
        handles = {
            label: handle for axis in axes for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
        }
        if handles:
            figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=3, fontsize="small")
    return figure


def _differing(result: Comparison) -> tuple[list[Metric], list[Metric]]:
    """The numbers to draw, and those in which no controllers differ."""
    left_out = {*_LEFT_OUT, *(("goodput_mbit_s", "others_goodput_mbit_s") if result.there.ends else ())}
    metrics = [metric for metric in result.metrics if metric.key not in left_out]
    if len(result.controllers) == 1:
        return metrics, []
    drawn = [metric for metric in metrics if _differs(result, metric.key)]
    equal = [metric for metric in metrics if metric not in drawn]
    if BY_KEY["loss_percent"] in drawn:
        # Of these two numbers, losses are the cause.
        drawn = [metric for metric in drawn if metric.key != "retransmitted_percent"]
    return drawn or [BY_KEY[result.main]], [metric for metric in equal if drawn or metric.key != result.main]


def _differs(result: Comparison, key: str) -> bool:
    """Whether the paired difference of the smallest and the largest mean excludes 0, or a controller has no number."""
    means = {name: result.estimate(name, key).mean for name in result.controllers}
    if any(map(math.isnan, means.values())):
        return True
    low, high = min(means, key=lambda name: means[name]), max(means, key=lambda name: means[name])
    less, more = result.by_seed(low, key), result.by_seed(high, key)
    apart = [b - a for seed in less if (a := less[seed]) is not None and (b := more.get(seed)) is not None]
    if len(apart) < 2 or len(set(apart)) == 1:
        return float(f"{means[high] - means[low]:.{BY_KEY[key].digits}f}") > 0.0
    return estimate(apart).excludes(0.0)


def _panel(axis: Axes, result: Comparison, metric: Metric, font: float) -> None:
    """The rows of a number, the best at the top; dots and lines grow with the font."""
    rows = [
        _Row(name, result.estimate(name, metric.key), _least(result, name, metric.key), result.text(name, metric.key))
        for name in result.controllers
    ]
    rows.sort(key=lambda row: (row.least is not None, math.isnan(row.place), -metric.better * row.place))
    name_rows(axis, [plotted(Choice.of(row.controller).label) for row in rows])
    direction = "more" if metric.better > 0 else "less"
    unit = f" ({metric.unit})" if metric.unit else ""
    axis.set_xlabel(f"{metric.label}{unit}, {direction} is better", fontsize=font)
    axis.tick_params(labelsize=font)
    axis.grid(visible=False, axis="y")
    known = [row.place for row in rows if not math.isnan(row.place)]
    if is_wide(known):
        axis.set_xscale("log")
    for at, row in enumerate(rows):
        is_base, is_own = (
            row.controller == result.controllers[0],
            catalogue.entry_of(Choice.of(row.controller).name) is None,
        )
        colour = _OWN if is_own else _BASELINE if is_base else _OTHER
        label = "your controller" if is_own else "baseline" if is_base else None
        marker = "s" if is_base else "D" if is_own else "o"
        # The legend also has controllers without a number.
        axis.plot([], [], marker, color=colour, markersize=0.7 * font, linestyle="none", label=label)
        axis.get_yticklabels()[at].set(color=colour, fontweight="bold" if label else "normal")
        if row.least is None and not math.isnan(row.place):
            _dot(axis, metric, row.one, at, colour, marker, font)
    _limits(axis, known)
    right = axis.get_xlim()[1]
    for at, row in enumerate(rows):
        if row.least is not None:
            hatch(axis, row.least, at - 0.3, right - row.least, 0.6)
        if len(rows) <= _WRITTEN:
            axis.annotate(
                row.text, (1.0, at), xycoords=("axes fraction", "data"), xytext=(4, 0), textcoords="offset points",
                va="center", fontsize="small", annotation_clip=False,
            )  # fmt: skip


def _least(result: Comparison, name: str, key: str) -> float | None:
    """The lower bound of the mean for unfinished transfers; None if all finished, or another number is missing."""
    if not math.isnan(result.estimate(name, key).mean) or not key.startswith("completion"):
        return None
    found = result.unfinished(name, key)
    return None if found is None else found[0]


def _dot(axis: Axes, metric: Metric, one: Estimate, row: int, colour: str, marker: str, font: float) -> None:
    """A dot with its interval, which ends at the bounds of the number."""
    if 0.0 < one.half_width < math.inf:
        floor = 0.0 if axis.get_xscale() == "linear" else 1e-3 * one.mean
        low, high = max(one.low, floor), min(one.high, metric.most)
        axis.hlines(row, low, high, color=colour, linewidth=0.16 * font, zorder=2)
    axis.plot(one.mean, row, marker, color=colour, markersize=0.7 * font, zorder=3, clip_on=False)


def _limits(axis: Axes, known: Sequence[float]) -> None:
    """Room on both sides of the dots; a linear axis begins at 0 unless the numbers are close to each other."""
    if not known:
        return
    low, high = min(known), max(known)
    if axis.get_xscale() == "log":
        axis.set_xlim(max(axis.get_xlim()[0], low / 3.0), max(axis.get_xlim()[1], 1.5 * high))
        return
    left, right = axis.get_xlim()
    left = 0.0 if low < 0.8 * high or left < 0.0 else left
    axis.set_xlim(left, max(right, 1.05 * high) if high > 0.0 else 1.0)
