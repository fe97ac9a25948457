# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of a comparison: dots with intervals, one panel per number, controllers sorted by the number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe.base.names import plotted, titled
from bentpipe.base.stats import estimate
from bentpipe.plots import COLOURS, hatch, is_wide, name_rows, new, panels, styled
from bentpipe.results.metrics import BY_KEY
from bentpipe.scenario import catalogue
from bentpipe.scenario.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe._compare import Comparison
    from bentpipe.base.stats import Estimate
    from bentpipe.results.metrics import Metric

#: If no numbers are requested, the picture leaves this number out, because completion times show the same.
_LEFT_OUT = "finished_percent"
#: If a panel has more rows than this, numbers are not printed beside the dots.
_WRITTEN = 30
#: Font sizes in points: the usual, the largest and the smallest size; and the height of a row in inches.
_FONT, _LARGEST, _SMALLEST, _ROW = 9.0, 18.0, 6.0, 0.26
#: Largest number of scenarios side by side; the number of scenarios that is drawn as two lines of two.
_IN_LINE, _SQUARE = 3, 4
#: Colour of numbers, which differs from the colours of the names in the next panel.
_NUMBER = "#6b6b6b"
_BASELINE, _OWN, _OTHER = COLOURS[6], COLOURS[1], COLOURS[0]


@dataclass(frozen=True)
class _Row:
    """A controller in a panel.

    Attributes:
        controller: Key of the controller.
        one: The number.
        least: For unfinished transfers, the lower bound of the mean; otherwise None.
        text: The printed number.
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
    """Draw dots with 95 % intervals, one panel for each number of `of`, or for each number that separates controllers.

    Args:
        result: The comparison.
        of: Keys of numbers.
        size: Width and height in inches. Fonts fit the height. By default 9 inches wide, and as high as needed.
    """
    import matplotlib as mpl

    metrics, others = ([BY_KEY[key] for key in of], "") if of else _separating(result)
    columns = min(2, len(metrics))
    lines, rows = -(-len(metrics) // columns), len(result.controllers)
    width, height = size or (9.0, lines * (0.9 + _ROW * rows) + 0.5)
    font = _font(height, lines, rows) if size else _FONT
    with mpl.rc_context({"font.size": font}):
        figure, axes = panels(len(metrics), columns, width=width, height=height / lines)
        for axis, metric in zip(axes, metrics, strict=True):
            _panel(axis, result, metric, font)
            _mark_cut(axis)
        name = titled(result.runs[result.controllers[0]][0].name)
        figure.suptitle(f"{name}: {_said([result])}", fontsize="large")
        if others:
            axes[-1].set_xlabel(f"{axes[-1].get_xlabel()}\n\n{others}")
        if len(result.controllers) > 1:
            _legend(figure, axes)
    return figure


@styled
def side_by_side(
    results: Mapping[str, Comparison], of: Sequence[str] = (), size: tuple[float, float] | None = None
) -> Figure:
    """Draw several comparisons: for each number a grid with one panel per scenario, on a common axis.

    Args:
        results: The comparisons by the name of their scenario.
        of: Keys of numbers; by default the main number of each comparison.
        size: Width and height in inches; by default 4.5 inches for each column, and as high as needed.
    """
    import matplotlib as mpl

    keys = list(of) or list(dict.fromkeys(result.main for result in results.values()))
    columns = len(results) if len(results) <= _IN_LINE else 2 if len(results) == _SQUARE else _IN_LINE
    lines = -(-len(results) // columns)
    rows = max(len(result.controllers) for result in results.values())
    width, height = size or (4.5 * columns, len(keys) * lines * (0.75 + _ROW * rows) + 0.8)
    font = _font(height, len(keys) * lines, rows) if size else _FONT
    with mpl.rc_context({"font.size": font}):
        figure, axes = new(len(keys) * lines, columns, width=width, height=height / (len(keys) * lines))
        for at, key in enumerate(keys):
            block = axes[at * lines * columns : (at + 1) * lines * columns]
            drawn = block[: len(results)]
            known = [row.place for result in results.values() for row in _rows(result, BY_KEY[key])]
            for axis, (name, result) in zip(drawn, results.items(), strict=True):
                _panel(axis, result, BY_KEY[key], font, known)
                axis.set_title(titled(name), fontsize=font)
            _common_limits(drawn)
            for axis in drawn:
                _mark_cut(axis)
            for axis in drawn[: len(results) - columns]:
                axis.set_xlabel("")
                axis.tick_params(labelbottom=False)
            for axis in block[len(results) :]:
                axis.set_visible(False)
        figure.suptitle(_said(results.values()), fontsize="large")
        _legend(figure, axes)
    return figure


def _font(height: float, lines: int, rows: int) -> float:
    """Return the font size in points that fits a picture. A row of text needs 1.9 times its font size.

    The title, the axis and the legend of each line of panels need the height of five rows.
    """
    return min(_LARGEST, max(_SMALLEST, 72.0 * height / (1.9 * lines * (rows + 5))))


def _legend(figure: Figure, axes: Sequence[Axes]) -> None:
    """Draw one legend for all panels below them, if controllers are marked."""
    handles = {label: handle for axis in axes for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)}
    if handles:
        figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=3, fontsize="small")


def _said(results: Iterable[Comparison]) -> str:
    """Return the number of seeds and the meaning of the lines, in words."""
    every = list(results)
    seeds = max(len(result.seeds) for result in every)
    count = f"{seeds} seed{'s' if seeds > 1 else ''}"
    if all(result.without_chance.issuperset(result.controllers) for result in every):
        return f"the same for {count}"
    lines = {1: "", 2: ", too few for intervals"}.get(seeds, "; lines: 95 % intervals")
    return f"mean of {count}{lines}"


def _separating(result: Comparison) -> tuple[list[Metric], str]:
    """Return the numbers to draw, and text on numbers that are equal or do not separate controllers."""
    left_out = {_LEFT_OUT, *(("goodput_mbit_s", "others_goodput_mbit_s") if result.there.ends else ())}
    metrics = [metric for metric in result.metrics if not metric.is_seldom and metric.key not in left_out]
    if len(result.controllers) == 1:
        return metrics, ""
    verdicts = {metric: _verdict(result, metric.key) for metric in metrics}
    drawn = [metric for metric in metrics if not verdicts[metric]]
    if BY_KEY["loss_percent"] in drawn:
        # Of these two numbers, losses are the cause of retransmissions.
        drawn = [metric for metric in drawn if metric.key != "retransmitted_percent"]
    drawn = drawn or [BY_KEY[result.main]]
    others: dict[str, list[str]] = {}
    for metric, verdict in verdicts.items():
        if verdict and metric not in drawn:
            others.setdefault(verdict, []).append(metric.label)
    return drawn, "\n".join(f"{verdict}: {', '.join(labels)}" for verdict, labels in others.items())


def _verdict(result: Comparison, key: str) -> str:
    """Compare the smallest and the largest mean, in words; "" if they differ significantly or a number is missing."""
    means = {name: result.estimate(name, key).mean for name in result.controllers}
    if any(map(math.isnan, means.values())):
        return ""
    low, high = min(means, key=lambda name: means[name]), max(means, key=lambda name: means[name])
    less, more = result.by_seed(low, key), result.by_seed(high, key)
    apart = [b - a for seed in less if (a := less[seed]) is not None and (b := more.get(seed)) is not None]
    if len(apart) < 2 or len(set(apart)) == 1:
        return "" if float(f"{means[high] - means[low]:.{BY_KEY[key].digits}f}") > 0.0 else "the same number"
    return "" if estimate(apart).excludes(0.0) else f"not separated by {len(apart)} seeds"


def _rows(result: Comparison, metric: Metric) -> list[_Row]:
    """Return the rows of a number, the best first."""
    rows = [
        _Row(name, result.estimate(name, metric.key), _least(result, name, metric.key), result.text(name, metric.key))
        for name in result.controllers
    ]
    return sorted(rows, key=lambda row: (row.least is not None, math.isnan(row.place), -metric.better * row.place))


def _panel(axis: Axes, result: Comparison, metric: Metric, font: float, among: Sequence[float] = ()) -> None:
    """Draw the rows of a number. Dots and lines grow with the font.

    Args:
        axis: The panel.
        result: The comparison.
        metric: The number.
        font: Size of the font in points.
        among: The numbers of all panels with the same axis. The default is the numbers of this panel.
    """
    rows = _rows(result, metric)
    name_rows(axis, [plotted(Choice.of(row.controller).label) for row in rows])
    direction = "more" if metric.better > 0 else "less"
    unit = f" ({metric.unit})" if metric.unit else ""
    axis.set_xlabel(f"{metric.label}{unit}, {direction} is better", fontsize=font)
    axis.tick_params(labelsize=font)
    axis.grid(visible=False, axis="y")
    known = [place for place in among or [row.place for row in rows] if not math.isnan(place)]
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
        # The legend also lists kinds of controllers whose numbers are missing.
        axis.plot([], [], marker, color=colour, markersize=0.7 * font, linestyle="none", label=label)
        axis.get_yticklabels()[at].set(color=colour, fontweight="bold" if label else "normal")
        if row.least is None and not math.isnan(row.place):
            _dot(axis, metric, row.one, at, colour, marker, font)
    _limits(axis, known)
    for at, row in enumerate(rows):
        if row.least is not None:
            hatch(axis, row.least, at - 0.3, axis.get_xlim()[1] - row.least, 0.6)
        if len(rows) <= _WRITTEN:
            axis.annotate(
                row.text, (1.0, at), xycoords=("axes fraction", "data"), xytext=(4, 0), textcoords="offset points",
                va="center", fontsize="small", color=_NUMBER, annotation_clip=False,
            )  # fmt: skip


def _least(result: Comparison, name: str, key: str) -> float | None:
    """Return the lower bound of the mean for unfinished transfers; None if all finished or a number is missing."""
    if not math.isnan(result.estimate(name, key).mean) or not key.startswith("completion"):
        return None
    found = result.unfinished(name, key)
    return None if found is None else found[0]


def _dot(axis: Axes, metric: Metric, one: Estimate, row: int, colour: str, marker: str, font: float) -> None:
    """Draw a dot with its interval, clipped to the bounds of the number. With two seeds there is no interval."""
    ends = one.within(metric.bounds)
    if ends and one.is_sure:
        low = ends[0] if axis.get_xscale() == "linear" else max(ends[0], 1e-3 * one.mean)
        axis.hlines(row, low, ends[1], color=colour, linewidth=0.16 * font, zorder=2)
    axis.plot(one.mean, row, marker, color=colour, markersize=0.7 * font, zorder=3, clip_on=False)


def _common_limits(axes: Sequence[Axes]) -> None:
    """Give all panels the same axis limits, and extend hatchings to the end of the axis."""
    from matplotlib.patches import Rectangle

    limits = [axis.get_xlim() for axis in axes]
    left, right = min(low for low, _ in limits), max(high for _, high in limits)
    for axis in axes:
        axis.set_xlim(left, right)
        for patch in axis.patches:
            if isinstance(patch, Rectangle):
                patch.set_width(right - patch.get_x())


def _mark_cut(axis: Axes) -> None:
    """Mark intervals that begin to the left of the axis with an arrow."""
    from matplotlib.collections import LineCollection

    left = axis.get_xlim()[0]
    for lines in axis.collections:
        if isinstance(lines, LineCollection):
            for row in [segment[0][1] for segment in lines.get_segments() if segment[0][0] < left]:
                axis.plot(left, row, "<", color=lines.get_colors()[0], clip_on=False, zorder=3)


def _limits(axis: Axes, known: Sequence[float]) -> None:
    """Leave space on both sides of the dots. A linear axis begins at 0 unless the numbers are close together."""
    if not known:
        return
    low, high = min(known), max(known)
    if axis.get_xscale() == "log":
        axis.set_xlim(max(axis.get_xlim()[0], low / 3.0), max(axis.get_xlim()[1], 1.5 * high))
        return
    left, right = axis.get_xlim()
    right = max(right, 1.05 * high) if high > 0.0 else 1.0
    left = 0.0 if low < 0.8 * high or left < 0.0 else min(left, low - 0.05 * (right - low))
    axis.set_xlim(left, right)
