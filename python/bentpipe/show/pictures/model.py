# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of the result of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.ticker import EngFormatter, LogLocator, NullFormatter

from bentpipe import plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe._model import Model
    from bentpipe.scenario.answers import Panel

#: Number of panels side by side.
_PANEL_COLUMNS = 3
#: Curves with at most this number of points have markers.
_MARKED = 30
#: Largest number of curves that are drawn in different widths.
_NESTED = 5
#: If the ratio of the ends of a logarithmic axis is below this, its ticks are at 1, 2 and 5.
_SHORT_AXIS = 1e3
#: Numbers on an axis from this value on have a prefix (k, M).
_LARGE = 1e5


@plots.styled
def picture(answer: Model) -> Figure:
    """Draw the curves, panel by panel."""
    count = len(answer._panels)
    columns = min(count, _PANEL_COLUMNS)
    figure, axes = plots.panels(count, columns, width=max(5.5, 4.4 * columns), height=3.4)
    for axis, panel in zip(axes, answer._panels, strict=True):
        (_bars if panel["bars"] else _lines)(axis, panel, answer)
        axis.set(title=panel["title"], xlabel=answer._labels[panel["x"]], ylabel=panel["y_label"])
        axis.set_yscale(panel["y_scale"])
        _ticks(axis)
    figure.suptitle(f"{answer.name}: {answer.source}", fontsize="x-small", x=0.01, ha="left")
    return figure


def _lines(axis: Axes, panel: Panel, answer: Model) -> None:
    """Draw a line for each column, or for each value of the column that groups the rows."""
    x = np.array(answer.table[panel["x"]])
    by = panel["by"]
    keys = [None] if by is None else list(dict.fromkeys(answer.table[by]))
    curves = [(name, key) for name in panel["y"] for key in keys]
    _tell_apart(axis, len(curves), ordered=all(isinstance(key, float) for key in keys))
    mark = "." if len(x) <= _MARKED * len(keys) else None
    for name, key in curves:
        rows = slice(None) if by is None else np.array([value == key for value in answer.table[by]])
        label = answer._labels[name] if by is None else _name(key)
        axis.plot(x[rows], plots.column(answer.table.arrow, name)[rows], label=label, marker=mark)
    axis.set_xscale(panel["x_scale"])
    if len(curves) > 1:
        # Curves may cross the legend, so the legend is transparent.
        _legend(axis, None if by is None else answer._labels[by])


def _tell_apart(axis: Axes, count: int, *, ordered: bool) -> None:
    """Style the curves so that they can be distinguished: colours, then dashes; shades for long series of numbers.

    If there are few curves, earlier ones are wider, so that coinciding curves can be seen.
    """
    colours, dashes, numbers = plots.COLOURS, ("-", "--", ":"), range(count)
    if ordered and count > len(colours):
        shades = [mpl.colormaps["viridis"](0.95 * n / (count - 1)) for n in numbers]
        axis.set_prop_cycle(color=shades, linewidth=[1.2] * count)
        return
    axis.set_prop_cycle(
        color=[colours[n % len(colours)] for n in numbers],
        linestyle=[dashes[n // len(colours) % len(dashes)] for n in numbers],
        linewidth=np.linspace(1.2 + (0.8 * (count - 1) if count <= _NESTED else 0.0), 1.2, count),
    )


def _bars(axis: Axes, panel: Panel, answer: Model) -> None:
    """Draw a group of bars for each row."""
    places = np.arange(len(answer.table))
    width = 0.8 / len(panel["y"])
    for number, name in enumerate(panel["y"]):
        shift = (number - (len(panel["y"]) - 1) / 2) * width
        axis.bar(places + shift, plots.column(answer.table.arrow, name), width=width, label=answer._labels[name])
    axis.set_xticks(places, [_name(value) for value in answer.table[panel["x"]]])
    _legend(axis, None)


def _legend(axis: Axes, title: str | None) -> None:
    axis.legend(
        title=title,
        loc="best",
        fontsize="x-small",
        title_fontsize="x-small",
        frameon=True,
        framealpha=0.8,
        edgecolor="none",
    )


def _ticks(axis: Axes) -> None:
    """Set ticks with plain numbers: few ticks on a short logarithmic axis, and prefixes for large numbers."""
    for one, (low, high) in ((axis.xaxis, axis.get_xlim()), (axis.yaxis, axis.get_ylim())):
        if one.get_scale() == "log" and low > 0 and high / low < _SHORT_AXIS:
            one.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            one.set_major_formatter("{x:g}")
            one.set_minor_formatter(NullFormatter())
        elif one.get_scale() == "linear" and high >= _LARGE:
            one.set_major_formatter(EngFormatter(sep=""))


def _name(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
