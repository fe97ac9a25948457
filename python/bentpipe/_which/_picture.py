# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of an answer: goodput against delay, who is taken, the default, and who left."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from bentpipe._names import plotted
from bentpipe._sweep._pictures import front
from bentpipe.plots import COLOURS, new, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe._which._answer import Recommendation, Standing

_MORE, _LESS = "goodput_mbit_s", "queueing_p95_ms"
_FAINT, _LINE = "#b8bfca", "#5b6577"
#: So many candidates besides the taken one and the default are named; the others are dots.
_COLOURS = tuple(COLOURS[at] for at in (0, 2, 3, 4, 5))


@styled
def pareto(answer: Recommendation) -> Figure:
    """Dots with intervals from the fresh seeds; faint ones are means of the race."""
    figure, (panel,) = new(1, 1, width=9.0, height=5.2)
    gone = [(one.numbers[_LESS], one.numbers[_MORE]) for one in answer.beaten if {_MORE, _LESS} <= one.numbers.keys()]
    if gone:
        across, up = zip(*gone, strict=True)
        panel.scatter(across, up, s=14, color=_FAINT, linewidths=0, label="left the race, or not pursued")
    there = [one for one in answer.standings if {_MORE, _LESS} <= one.numbers.keys()]
    more = np.array([one.numbers[_MORE].mean for one in there])
    less = np.array([one.numbers[_LESS].mean for one in there])
    if len(there) > 1:
        best = front(more, less)[::-1]
        panel.step(
            less[best], more[best], where="post", color=_LINE, linewidth=1.0, label="nothing reported beats these"
        )
    named = 0
    for one in there:
        special = one is answer.taken or one is answer.default
        named += not special
        if special or named <= len(_COLOURS):
            _dot(panel, answer, one, _COLOURS[(named - 1) % len(_COLOURS)])
        else:
            _cross(panel, one, _LINE)
    panel.set(xlabel="p95 queueing delay [ms] (less is better)", ylabel="goodput [Mbit/s] (more is better)")
    panel.margins(x=0.08, y=0.1)
    over = f", mean over {len(answer.cases)} cases" if answer.cases else ""
    lines = f"; lines: 95 % intervals over {answer.seeds} fresh seeds" if answer.has_chance else ""
    panel.set_title(f"{plotted(str(answer.question.spread.middle.get('name', 'the path')))}{over}{lines}")
    figure.legend(loc="outside lower center", ncols=2, fontsize="small")
    return figure


def _dot(panel: Axes, answer: Recommendation, one: Standing, colour: str) -> None:
    said = plotted(one.key if len(one.key) < 60 else f"{one.key[:57]}…")
    if one is answer.taken:
        colour, marker, size, label = COLOURS[1], "*", 190, f"taken: {said}"
    elif one is answer.default:
        colour, marker, size, label = COLOURS[6], "s", 46, f"default: {said}"
    else:
        marker, size, label = "o", 34, said
    _cross(panel, one, colour)
    panel.scatter(
        one.numbers[_LESS].mean, one.numbers[_MORE].mean, s=size, color=colour, marker=marker, label=label, zorder=4
    )


def _cross(panel: Axes, one: Standing, colour: str) -> None:
    """The dot with its intervals."""
    x, y = one.numbers[_LESS], one.numbers[_MORE]
    widths = [width if 0.0 < width < math.inf else None for width in (x.half_width, y.half_width)]
    panel.errorbar(
        x.mean, y.mean, xerr=widths[0], yerr=widths[1], color=colour, marker=".", markersize=4, linewidth=1.0, zorder=3
    )
