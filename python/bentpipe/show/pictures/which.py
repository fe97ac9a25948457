# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of an answer: two numbers in a trade-off for the recommended candidate, the default and the others."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from bentpipe.base.names import plotted, titled
from bentpipe.plots import COLOURS, legend_of, new, styled
from bentpipe.results.metrics import BY_KEY
from bentpipe.show.pictures.sweep import front

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe._which._answer import Recommendation, Standing
    from bentpipe.results.metrics import Metric
    from bentpipe.results.rank import Aim

_FAINT, _LINE = "#b8bfca", "#5b6577"
#: Number of named candidates in addition to the recommended one and the default; the others are dots.
_COLOURS = tuple(COLOURS[at] for at in (0, 2, 3, 4, 5))


def axes(aim: Aim) -> tuple[Metric, Metric]:
    """The numbers on the two axes: those of the aim."""
    keys = {key for key, _ in aim.terms}
    up, across = "goodput_mbit_s", "queueing_p95_ms"
    if keys & {"stalled_percent", "film_mbit_s"}:
        up, across = "film_mbit_s", "stalled_percent"
    elif "call_missed_percent" in keys:
        across = "call_missed_percent"
    else:
        for one in ("visit", "page"):
            if f"{one}_median_s" in keys:
                across = f"{one}_p95_s"
                up = up if up in keys else f"{one}_median_s"
    return BY_KEY[up], BY_KEY[across]


def _said(metric: Metric) -> str:
    return f"{metric.label} [{metric.unit}] ({'more' if metric.better > 0 else 'less'} is better)"


@styled
def pareto(answer: Recommendation) -> Figure:
    """Dots with intervals from the fresh seeds; faint ones are means of the race."""
    figure, (panel,) = new(1, 1, width=9.0, height=5.2)
    over_y, over_x = axes(answer.question.aim)
    y, x = over_y.key, over_x.key
    gone = [(one.numbers[x], one.numbers[y]) for one in answer.beaten if {x, y} <= one.numbers.keys()]
    if gone:
        across, up = zip(*gone, strict=True)
        panel.scatter(across, up, s=14, color=_FAINT, linewidths=0, label="dropped in the race, or not pursued")
    there = [one for one in answer.standings if {x, y} <= one.numbers.keys()]
    up_means = np.array([one.numbers[y].mean for one in there])
    across_means = np.array([one.numbers[x].mean for one in there])
    if len(there) > 1:
        best = front(over_y.better * up_means, -over_x.better * across_means)[::-1]
        label = "Pareto front of the report"
        panel.step(across_means[best], up_means[best], where="post", color=_LINE, linewidth=1.0, label=label)
    named = 0
    for one in there:
        special = one is answer.taken or one is answer.default
        named += not special
        if special or named <= len(_COLOURS):
            _dot(panel, answer, one, _COLOURS[(named - 1) % len(_COLOURS)], (x, y))
        else:
            _cross(panel, one, _LINE, (x, y))
    panel.set(xlabel=_said(over_x), ylabel=_said(over_y))
    panel.margins(x=0.08, y=0.1)
    over = f", mean over {len(answer.cases)} cases" if answer.cases else ""
    lines = f"; lines: 95 % intervals over {answer.seeds} fresh seeds" if answer.has_chance else ""
    panel.set_title(f"{titled(str(answer.question.spread.middle.get('name', 'the path')))}{over}{lines}")
    legend_of(figure, panel, "outside lower center", 2, fontsize="small")
    return figure


def _dot(panel: Axes, answer: Recommendation, one: Standing, colour: str, keys: tuple[str, str]) -> None:
    said = plotted(one.key)
    if one is answer.taken:
        colour, marker, size, label = COLOURS[1], "*", 190, f"taken: {said}"
    elif one is answer.default:
        colour, marker, size, label = COLOURS[6], "s", 46, f"default: {said}"
    else:
        marker, size, label = "o", 34, said
    _cross(panel, one, colour, keys)
    x, y = (one.numbers[key].mean for key in keys)
    panel.scatter(x, y, s=size, color=colour, marker=marker, label=label, zorder=4)


def _cross(panel: Axes, one: Standing, colour: str, keys: tuple[str, str]) -> None:
    """The dot with its intervals."""
    x, y = (one.numbers[key] for key in keys)
    widths = [width if 0.0 < width < math.inf else None for width in (x.half_width, y.half_width)]
    panel.errorbar(
        x.mean, y.mean, xerr=widths[0], yerr=widths[1], color=colour, marker=".", markersize=4, linewidth=1.0, zorder=3
    )
