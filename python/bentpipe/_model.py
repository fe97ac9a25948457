# SPDX-License-Identifier: MIT OR Apache-2.0
"""The models of the papers: what their formulas say, without a packet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bentpipe import _core
from bentpipe._run import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Panels side by side.
_PANEL_COLUMNS = 3
#: More curves than colours are drawn in a row of shades.
_CURVES = 7


def models() -> list[dict[str, Any]]:
    """The catalogue of models: name, what about, source, parameters with unit, default and bounds."""
    return list(json.loads(_core.models()))


@dataclass(frozen=True)
class Model:
    """What a model answers.

    Attributes:
        name: The model's name.
        source: Paper and equations.
        parameters: The values that were computed with.
        table: The curves.
        facts: Single numbers, the unit at the end of each name.
        notes: What a reader of the numbers must know: contradictions, readings, limits.
    """

    name: str
    source: str
    parameters: dict[str, float | list[float]]
    table: Table
    facts: dict[str, float]
    notes: list[str]
    _labels: dict[str, str] = field(repr=False)
    _panels: list[dict[str, Any]] = field(repr=False)

    def plot(self) -> Figure:
        """The curves, panel by panel."""
        return _picture(self)


def model(name: str, /, **parameters: float | Sequence[float] | str) -> Model:
    """What a model of a paper says.

    Args:
        name: A model (`models`).
        **parameters: Instead of its defaults: a number, a list of numbers, or numbers as text with commas between them.

    Raises:
        ScenarioError: If there is no such model or parameter (the message names the nearest), or a value is out of
            bounds.
    """
    text, table = _core.model(name, [(key, _wish(value)) for key, value in parameters.items()])
    answer = json.loads(text)
    return Model(
        name=name,
        source=next(str(entry["source"]) for entry in models() if entry["name"] == name),
        parameters=answer["parameters"],
        table=Table(table),
        facts=answer["facts"],
        notes=answer["notes"],
        _labels=answer["labels"],
        _panels=answer["panels"],
    )


def _wish(value: object) -> list[float] | str:
    """A value as the catalogue checks it; what is no number goes there as text, and is refused with its place."""
    if isinstance(value, (str, bool)):
        return str(value)
    try:
        numbers: Iterable[Any] = value if isinstance(value, Iterable) else [value]
        return [float(number) for number in numbers]
    except (TypeError, ValueError):
        return str(value)


def _picture(answer: Model) -> Figure:
    from bentpipe import _plots

    @_plots.styled
    def draw() -> Figure:
        count = len(answer._panels)
        columns = min(count, _PANEL_COLUMNS)
        rows = -(-count // columns)
        figure, axes = _plots.new(rows, columns, width=max(5.5, 4.4 * columns), height=3.4)
        for axis, panel in zip(axes, answer._panels, strict=False):
            (_bars if panel["bars"] else _lines)(axis, panel, answer)
            axis.set(title=panel["title"], xlabel=answer._labels[panel["x"]], ylabel=panel["y_label"])
            axis.set_yscale(panel["y_scale"])
        for axis in axes[count:]:
            axis.set_axis_off()
        figure.suptitle(f"{answer.name}: {answer.source}", fontsize="x-small", x=0.01, ha="left")
        return figure

    return draw()


def _lines(axis: Axes, panel: dict[str, Any], answer: Model) -> None:
    """A line for each column, or for each value of the column by which rows are put together."""
    x = np.array(answer.table[panel["x"]])
    by = panel["by"]
    keys = [None] if by is None else list(dict.fromkeys(answer.table[by]))
    curves = [(name, key) for name in panel["y"] for key in keys]
    mark = "." if len(x) < 2 * len(keys) else None
    for number, (name, key) in enumerate(curves):
        rows = slice(None) if by is None else np.array([value == key for value in answer.table[by]])
        # Where there is no value the curve has a gap.
        y = np.array([np.nan if value is None else value for value in answer.table[name]], dtype=float)
        label = answer._labels[name] if by is None else _name(key)
        shade: Any = {} if len(curves) <= _CURVES else {"color": _shade(number / (len(curves) - 1))}
        axis.plot(x[rows], y[rows], label=label, marker=mark, linewidth=1.4, **shade)
    axis.set_xscale(panel["x_scale"])
    if len(curves) > 1:
        axis.legend(title=None if by is None else answer._labels[by], fontsize="x-small", title_fontsize="x-small")


def _bars(axis: Axes, panel: dict[str, Any], answer: Model) -> None:
    """A group of bars for each row."""
    places = np.arange(len(answer.table))
    width = 0.8 / len(panel["y"])
    for number, name in enumerate(panel["y"]):
        values = np.array([np.nan if value is None else value for value in answer.table[name]], dtype=float)
        shift = (number - (len(panel["y"]) - 1) / 2) * width
        axis.bar(places + shift, values, width=width, label=answer._labels[name])
    axis.set_xticks(places, [_name(value) for value in answer.table[panel["x"]]])
    axis.legend(fontsize="x-small")


def _name(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _shade(share: float) -> Any:
    import matplotlib as mpl

    return mpl.colormaps["viridis"](0.95 * share)
