# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pictures of a league: the Pareto front of goodput and delay, and the shares of pairs of controllers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from bentpipe.base.names import plotted, titled
from bentpipe.plots import COLOURS, legend_of, new, styled, write_cells
from bentpipe.results.metrics import BY_KEY
from bentpipe.scenario.choice import Choice
from bentpipe.show.pictures.sweep import front

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe._league._competition import Bed
    from bentpipe._league._league import League
    from bentpipe._league._standings import Score

#: Height of a line of text and width of a letter, as fractions of the picture.
_LINE, _LETTER = 0.05, 0.012
#: Positions of a name relative to its point: offset in points, and the side of the text that is at the point.
_PLACES = ((5, 2, "left"), (5, -8, "left"), (-5, 2, "right"), (-5, -8, "right"))
#: Largest number of controllers for which the cells contain numbers.
_WRITTEN = 12
#: Quantities that can be drawn against delay. The first one that the suite has is drawn.
_UPWARDS = {"goodput": "goodput", "visits": "times of visits", "completion": "completion times"}


def label(name: str) -> str:
    """Return the name of a controller in pictures."""
    return plotted(Choice.of(name).label)


@styled
def total(result: League) -> Figure | None:
    """Draw shares of the best goodput (or times) against shares of the least delay; None if no controller has both."""
    upwards, what = next((aim, said) for aim, said in _UPWARDS.items() if aim in result.aims)
    best, delay = (
        {one.controller: one.score.mean for one in result.standings(aim) if one.rank is not None}
        for aim in (upwards, "delay")
    )
    known = {name: (best[name], -delay[name]) for name in best if name in delay}
    if not known:
        return None
    figure, (panel,) = new(1, 1, width=8.0, height=4.6)
    _front(figure, panel, known)
    panel.set_ylim(top=min(104.0, panel.get_ylim()[1]))
    panel.xaxis.set_major_formatter(_without_sign)
    panel.set(
        xlabel="share of the least p95 RTT, % (axis reversed)",
        ylabel=f"share of the best {what}, %",
    )
    panel.set_title("Pareto front, mean over the scenarios")
    return figure


@styled
def scenario(score: Score) -> Figure | None:
    """Draw goodput (or a median time) against p95 queueing delay; None if fewer than two controllers have both."""
    timed = score.main != "goodput_mbit_s"
    known = {
        name: (score.estimate(name, score.main).mean, score.estimate(name, "queueing_p95_ms").mean)
        for name in score.controllers
    }
    known = {name: pair for name, pair in known.items() if not any(map(math.isnan, pair))}
    if len(known) < 2:
        return None
    figure, (panel,) = new(1, 1, width=8.0, height=4.0)
    _front(figure, panel, {name: (-one if timed else one, late) for name, (one, late) in known.items()})
    if timed:
        panel.yaxis.set_major_formatter(_without_sign)
    main = BY_KEY[score.main]
    what = f"{main.label}, {main.unit}{' (axis reversed)' if timed else ''}"
    panel.set(xlabel="p95 queueing delay, ms", ylabel=what)
    return figure


def _without_sign(value: float, _: float) -> str:
    """Return the label of a tick without its sign: if less of a number is better, the number is drawn negative."""
    return f"{abs(value):g}"


def _front(figure: Figure, panel: Axes, found: Mapping[str, tuple[float, float]]) -> None:
    """Draw all controllers as points. Points of the Pareto front are joined by a line and named."""
    names = list(found)
    up, right = np.array(list(found.values())).T
    best = front(up, right)[::-1]
    panel.scatter(right, up, s=18, linewidths=0, alpha=0.6, color=COLOURS[0], label="controllers")
    panel.scatter(right[best], up[best], s=26, linewidths=0, color=COLOURS[1], label="Pareto front", zorder=3)
    panel.step(right[best], up[best], where="post", color=COLOURS[1], linewidth=1.0, zorder=2)
    panel.margins(x=0.08, y=0.1)
    high, wide = float(np.ptp(up)) or 1.0, float(np.ptp(right)) or 1.0
    dots = [(float(one) / wide, float(other) / high) for one, other in zip(right, up, strict=True)]
    taken: list[tuple[float, float, float, float]] = []
    # Points on the front are named first, other points only where space remains.
    for point in dict.fromkeys([*reversed(best), *map(int, np.argsort(-up))]):
        said = label(names[point])
        for x_pt, y_pt, end in _PLACES:
            x = dots[point][0] + (0.01 if end == "left" else -0.01 - _LETTER * len(said))
            y = dots[point][1] + (0.0 if y_pt > 0 else -_LINE)
            box = (x, x + _LETTER * len(said), y, y + _LINE)
            on_dot = any(box[0] < one < box[1] and box[2] < other < box[3] for one, other in dots)
            on_name = any(box[0] < one[1] and one[0] < box[1] and box[2] < one[3] and one[2] < box[3] for one in taken)
            if on_dot or on_name:
                continue
            taken.append(box)
            panel.annotate(
                said, (right[point], up[point]), xytext=(x_pt, y_pt), ha=end, textcoords="offset points",
                fontsize="x-small", color="#000000" if point in best else "#5b6577",
            )  # fmt: skip
            break
    legend_of(figure, panel, "outside lower center", 2, fontsize="small")


@styled
def heat(bed: Bed, order: Sequence[str], key: str | None = None) -> Figure:
    """Draw the share of the row's controller against the column's; with `key`, a number of both controllers."""
    names = [name for name in order if name in bed.controllers]
    cells = np.array(
        [
            [100.0 * bed.share(one, other).mean if key is None else bed.number(one, other, key).mean for other in names]
            for one in names
        ]
    )
    # The fewer controllers there are, the larger the cells.
    size = 2.2 + max(0.165 * len(names), min(3.0, 0.55 * len(names)))
    figure, (panel,) = new(1, 1, width=size + 0.9, height=size)
    unit = {"queueing_p95_ms": "p95 queueing delay of both, ms", "loss_percent": "loss of both, %"}
    share = {"cmap": "RdBu_r", "vmin": 0.0, "vmax": 100.0} if key is None else {"cmap": "cividis", "vmin": 0.0}
    panel.set_facecolor("#d9dee7")  # colour of cells without a number
    image = panel.imshow(cells, interpolation="nearest", **share)  # type: ignore[arg-type]
    labels = [label(name) for name in names]
    panel.set_xticks(range(len(names)), labels, rotation=90, fontsize=7.0)
    panel.set_yticks(range(len(names)), labels, fontsize=7.0)
    panel.grid(visible=False)
    if len(names) <= _WRITTEN:
        low = 0.4 * float(np.nanmax(cells, initial=0.0))
        # Dark cells are at both ends of the red-blue scale, and at the low numbers of the other scale.
        is_dark = (lambda cell: not 20.0 < cell < 80.0) if key is None else (lambda cell: cell <= low)
        write_cells(panel, cells, is_dark)
    panel.set(xlabel="against", ylabel="controller")
    panel.set_title(titled(bed.arena.title))
    said = "share of the row, %" if key is None else unit[key]
    figure.colorbar(image, ax=panel, label=said, shrink=0.6)
    return figure
