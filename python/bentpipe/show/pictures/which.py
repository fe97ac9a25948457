# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draw an answer: two numbers in a trade-off for the recommended candidate, the default and other candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bentpipe.base.names import plotted, titled
from bentpipe.plots import COLOURS, is_wide, legend_of, name_dots, new, styled
from bentpipe.results.metrics import BY_KEY
from bentpipe.show.pictures.sweep import front

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe._which._answer import Recommendation, Standing
    from bentpipe.results.metrics import Metric

_FAINT, _LINE = "#b8bfca", "#5b6577"
#: Round trips and waiting times. They are drawn on the horizontal axis.
_DELAYS = ("queueing_p95_ms", "rtt_p95_ms")
#: Largest number of named candidates without a dot.
_ABSENT = 3
#: Colours of named candidates other than the recommended one and the default. More candidates are unnamed dots.
_COLOURS = tuple(COLOURS[at] for at in (0, 2, 3, 4, 5))


def axes(terms: Sequence[str], *, ends: bool = False) -> tuple[Metric, Metric]:
    """Return the vertical and the horizontal number: two of the aim, or its only number and one of the opposite kind.

    Args:
        terms: The keys of the aim's numbers.
        ends: Whether every flow ends. Then the completion time replaces goodput.
    """
    main = "completion_median_s" if ends else "goodput_mbit_s"
    if len(terms) == 1:
        (one,) = terms
        if one in ("stalled_percent", "film_mbit_s"):
            return BY_KEY["film_mbit_s"], BY_KEY["stalled_percent"]
        if one == main or one.endswith("_median_s") or BY_KEY[one].better > 0:
            return BY_KEY[one], BY_KEY["queueing_p95_ms"]
        return BY_KEY[main], BY_KEY[one]
    more = [key for key in terms if BY_KEY[key].better > 0]
    up = (more or [key for key in terms if key not in _DELAYS] or terms)[0]
    others = [key for key in terms if key != up]
    return BY_KEY[up], BY_KEY[([key for key in others if BY_KEY[key].better < 0] or others)[-1]]


def _apart(answer: Recommendation) -> list[str]:
    """Return the numbers of the aim. With one transfer, percentiles are equal, and only one of them is returned."""
    found: list[str] = []
    for key, _ in answer.question.aim.terms:
        means = [one.numbers[key].mean for one in answer.standings if key in one.numbers]
        twins = [[one.numbers[other].mean for one in answer.standings if other in one.numbers] for other in found]
        if not means or means not in twins:
            found.append(key)
    return found


def _said(metric: Metric) -> str:
    return f"{metric.label} [{metric.unit}] ({'more' if metric.better > 0 else 'less'} is better)"


@styled
def pareto(answer: Recommendation) -> Figure:
    """Draw dots with intervals from the fresh seeds. Faint dots are means of the race."""
    figure, (panel,) = new(1, 1, width=9.0, height=5.2)
    over_y, over_x = axes(_apart(answer), ends=answer.question.ends)
    y, x = over_y.key, over_x.key
    gone = [(one.numbers[x], one.numbers[y]) for one in answer.beaten if {x, y} <= one.numbers.keys()]
    if gone:
        across, up = zip(*gone, strict=True)
        panel.scatter(across, up, s=14, color=_FAINT, linewidths=0, label="dropped in the race, or not continued")
    there = [one for one in answer.standings if {x, y} <= one.numbers.keys()]
    up_means = np.array([one.numbers[y].mean for one in there])
    across_means = np.array([one.numbers[x].mean for one in there])
    if len(there) > 1:
        best = front(over_y.better * up_means, -over_x.better * across_means)[::-1]
        label = "Pareto front of the report"
        panel.step(across_means[best], up_means[best], where="post", color=_LINE, linewidth=1.0, label=label)
    named = 0
    names = []
    for one in there:
        special = one is answer.taken or one is answer.default
        named += not special
        if special or named <= len(_COLOURS):
            colour = _dot(panel, answer, one, _COLOURS[(named - 1) % len(_COLOURS)], (x, y))
            names.append((one.numbers[x].mean, one.numbers[y].mean, plotted(one.key), colour))
        else:
            _cross(panel, one, _LINE, (x, y))
    panel.set(xlabel=_said(over_x), ylabel=_said(over_y))
    panel.margins(x=0.12, y=0.12)
    for scale, key in ((panel.set_xscale, x), (panel.set_yscale, y)):
        if is_wide(
            [*(one.numbers[key].mean for one in there), *(one.numbers.get(key, np.nan) for one in answer.beaten)]
        ):
            scale("log")
    absent = [f"{plotted(one.key)} {one.text(over_y.key)}" for one in answer.standings if one not in there]
    if absent:
        more = f" and {len(absent) - _ABSENT} more" if len(absent) > _ABSENT else ""
        panel.set_xlabel(f"{_said(over_x)}\nwithout a dot: {'; '.join(absent[:_ABSENT])}{more}")
    over = f", mean over {len(answer.cases)} cases" if answer.cases else ""
    over_seeds = f"{answer.seeds} fresh seeds"
    lines = f"; lines: 95 % intervals over {over_seeds}" if answer.seeds > 2 else f"; {over_seeds}, too few for lines"
    lines = lines if answer.has_chance else ""
    panel.set_title(f"{titled(str(answer.question.spread.middle.get('name', 'the path')))}{over}{lines}")
    if panel.get_legend_handles_labels()[1]:
        legend_of(figure, panel, "outside lower center", 4, fontsize="small")
    name_dots(figure, panel, names)
    return figure


def _dot(panel: Axes, answer: Recommendation, one: Standing, colour: str, keys: tuple[str, str]) -> str:
    """Draw a candidate, and return its colour."""
    label = None
    if one is answer.taken:
        colour, marker, size, label = COLOURS[1], "*", 190, "recommended"
    elif one is answer.default:
        colour, marker, size, label = COLOURS[6], "s", 46, "your default"
    else:
        marker, size = "o", 34
    _cross(panel, one, colour, keys)
    x, y = (one.numbers[key].mean for key in keys)
    panel.scatter(x, y, s=size, color=colour, marker=marker, label=label, zorder=4)
    return colour


def _cross(panel: Axes, one: Standing, colour: str, keys: tuple[str, str]) -> None:
    """Draw the dot with its intervals, clipped to the bounds of the numbers. With two seeds there are no intervals."""
    x, y = (one.numbers[key] for key in keys)
    arms = []
    for key, number in zip(keys, (x, y), strict=True):
        low, high = (number.within(BY_KEY[key].bounds) if number.is_sure else None) or (number.mean, number.mean)
        arms.append([[number.mean - low], [high - number.mean]])
    panel.errorbar(
        x.mean, y.mean, xerr=arms[0], yerr=arms[1], color=colour, marker=".", markersize=4, linewidth=1.0, zorder=3
    )
