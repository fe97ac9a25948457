# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draw a sweep by its shape: lines, heat maps, small multiples, dots, and Pareto fronts."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from matplotlib.patheffects import withStroke

from bentpipe import plots
from bentpipe.base.names import plotted
from bentpipe.results.metrics import BY_KEY
from bentpipe.scenario import key_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.collections import PathCollection
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from bentpipe._sweep._result import Sweep
    from bentpipe.base.shares import Floats
    from bentpipe.results.metrics import Metric

#: What the key of an axis belongs to.
Part = Literal["choice", "network", "traffic"]
#: Largest number of lines that readers can distinguish.
_LINES = len(plots.COLOURS)
#: Largest number of cells with numbers in a heat map, and of columns if several maps are side by side.
_WRITTEN, _WIDE = 80, 6
#: Smallest distance between the names of two levels, as a fraction of an axis.
_GAP = 0.1
#: Number of panels side by side.
_COLUMNS = 3
#: In a trade-off, another number is drawn against one of these numbers.
LESS, LESS_FELT = "queueing_p95_ms", "visit_p95_s"
#: Largest number of points of the front that are named.
_NAMED = 8
#: Markers of the points of each front, and the largest number of fronts in one picture.
_MARKERS = ("o", "s", "^", "D", "v", "P")
_FRONTS = len(_MARKERS)
_GREY = "#5b6577"
#: Space around the means of a Pareto picture where intervals are drawn, and the margin: fractions of the span.
_AROUND, _EDGE = 0.6, 0.06


@dataclass(frozen=True)
class Varied:
    """An axis of the sweep, with the position of each point on it.

    Attributes:
        name: The name of the axis in the document, or the label of its key.
        unit: Unit of the values; empty if they have none.
        numeric: Whether the positions are the values. Otherwise, they are the numbers of the levels.
        log: Whether the steps are factors.
        levels: The values in order.
        at: For each point, the number of its level.
        part: What the axis belongs to: a `choice` of senders or operators, the `network` or the `traffic`. Network and
            traffic are given, and not chosen.
    """

    name: str
    unit: str
    numeric: bool
    log: bool
    levels: tuple[object, ...]
    at: NDArray[np.int64]
    part: Part

    @property
    def label(self) -> str:
        """The name with the unit."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    @property
    def names(self) -> list[str]:
        """The levels in words."""
        return [plotted(_short_number(one) if isinstance(one, float) else str(one)) for one in self.levels]

    @property
    def places(self) -> Floats:
        """The positions of the levels."""
        return np.array(self.levels if self.numeric else range(len(self.levels)), dtype=np.float64)

    def dress(self, axis: Axes) -> None:
        """Set scale, ticks and label of a horizontal axis."""
        axis.set_xlabel(self.label)
        if not self.numeric:
            axis.set_xticks(range(len(self.levels)), self.names, rotation=20 if len(self.levels) > 4 else 0)
            axis.set_xlim(-0.5, len(self.levels) - 0.5)
        elif self.log:
            axis.set_xscale("log")
        elif len(self.levels) <= _LINES and all(self.places > 0) and self.places[-1] > 8 * self.places[0]:
            axis.set_xscale("log", base=2)
            axis.set_xticks(self.places, self.names)
            axis.minorticks_off()
        elif len(self.levels) <= _LINES and np.diff(self.places).min() > _GAP * np.ptp(self.places):
            axis.set_xticks(self.places, self.names)

    def groups(self) -> list[tuple[str, NDArray[np.int64]]]:
        """Return the levels in words, each with its points."""
        return [(name, np.flatnonzero(self.at == level)) for level, name in enumerate(self.names)]


def _groups(axis: Varied | None, points: int, name: str = "") -> list[tuple[str, NDArray[np.int64]]]:
    """Return the points of each level of an axis; without an axis, all points under one name."""
    return [(name, np.arange(points))] if axis is None else axis.groups()


def _coloured(axes: Sequence[Varied]) -> list[Varied]:
    """Return the axes with so few levels that each level can have its own colour."""
    return [axis for axis in axes if not axis.numeric and len(axis.levels) <= _LINES]


def varied(found: Sweep) -> list[Varied]:
    """Return the axes that have more than one value, in the order of the document."""
    axes = []
    every = found.about["axes"]
    for axis, label in zip(every, key_labels.labels([axis["key"] for axis in every]), strict=True):
        values = found.points[axis["column"]]
        numeric = axis["kind"] in ("number", "whole", "quantity")
        if not numeric:
            values = [found.label(axis["column"], value) for value in values]
        levels = tuple(sorted(set(values)) if numeric else dict.fromkeys(values))
        if len(levels) > 1:
            place = {level: number for number, level in enumerate(levels)}
            at = np.array([place[value] for value in values], dtype=np.int64)
            part = part_of(axis["key"])
            unit = axis["unit"] or (key_labels.unit(axis["key"]) if numeric else "")
            axes.append(Varied(axis.get("name", label), unit, numeric, bool(axis["log"]), levels, at, part))
    return axes


def part_of(key: str) -> Part:
    """Return what the key of an axis belongs to. Controllers, TCP and proxies are chosen; the other keys are given."""
    names = [name.partition("[")[0] for name in key.split(".")]
    if names[0] == "network":
        return "network"
    return "choice" if names[0] == "peps" or {"controller", "tcp"}.intersection(names[1:]) else "traffic"


def _short_number(value: float) -> str:
    """Return the number with three digits, as 1e-6 and not 1e-06."""
    return re.sub(r"e([-+])0*(\d)", lambda found: f"e{found[1].replace('+', '')}{found[2]}", f"{value:.3g}")


def number_label(number: str) -> str:
    """Return the label of a number with its unit."""
    if number not in BY_KEY:
        return number
    one = BY_KEY[number]
    return f"{one.label} ({one.unit})" if one.unit else one.label


def pictures(found: Sweep, of: Sequence[str] = (), size: tuple[float, float] | None = None) -> dict[str, Figure]:
    """Draw all pictures of a sweep, the most suitable first. Names of pictures of further numbers contain the number.

    Args:
        found: The sweep.
        of: The numbers.
        size: Width and height in inches, by default as needed.
    """
    of = of or [found.main]
    axes = varied(found)
    drawn: dict[str, Figure] = {}
    is_grid = found.about["design"] == "grid" and len(found.points) == math.prod(len(axis.levels) for axis in axes)
    few = _coloured(axes)
    if not axes or (is_grid and len(axes) == 1):
        drawn["lines"] = plots.resized(size, lines, found, axes, of)
    elif is_grid and len(axes) == 2 and few:
        # Of two axes without numbers, the axis with fewer levels has the colours.
        coloured = min(few, key=lambda axis: len(axis.levels))
        along = sorted(axes, key=lambda axis: axis is coloured)
        drawn["lines"] = plots.resized(size, lines, found, along, of)
    for number in of:
        further = "" if number == of[0] else f"-{number}"
        if axes and (not is_grid or len(axes) > 3):
            drawn[f"dots{further}"] = plots.resized(size, dots, found, axes, number)
        elif len(axes) > 1:
            name = "heat" if len(axes) == 2 else "multiples"
            drawn[f"{name}{further}"] = plots.resized(size, heat, found, axes, number)
        if _is_tradeoff(found, axes, number):
            drawn[f"pareto{further}"] = plots.resized(size, pareto, found, axes, number)
    return drawn


def _is_tradeoff(found: Sweep, axes: Sequence[Varied], number: str) -> bool:
    """Whether points compete in this number and another number, and have both."""
    if number not in BY_KEY or not any(axis.part in ("choice", "network") for axis in axes):
        return False
    return _is_there(found, number) and _is_there(found, less_of(found, number))


def _is_there(found: Sweep, number: str) -> bool:
    return any(one is not None for one in found.points[number])


def less_of(found: Sweep, number: str) -> str:
    """Return the number on the other axis of a Pareto picture.

    It is the delay, or the times of visits. If `number` itself is this number, the result is the main number.
    """
    less = LESS_FELT if _is_there(found, LESS_FELT) else LESS
    return found.main if number == less else less


def _values(found: Sweep, number: str) -> tuple[Floats, Floats]:
    """Return the mean of each point, and the lengths of its interval below and above; NaN if there is none."""
    mean, low, high = (
        np.array([math.nan if one is None else float(one) for one in found.points[name]])
        for name in (number, f"{number}_low", f"{number}_high")
    )
    return mean, np.array([mean - low, high - mean])


@plots.styled
def lines(found: Sweep, axes: list[Varied], of: Sequence[str]) -> Figure:
    """Draw one panel per number over one axis, with intervals, and a line for each level of a second axis.

    If transfers did not finish, a hatched bar begins at the lower bound of their time.
    """
    shown = found.shown_first(of)
    figure, panels = plots.panels(len(shown), min(2, len(shown)), width=9.0, height=2.7)
    if found.seeds_said == "2":
        figure.supxlabel("two seeds: too few for intervals", fontsize="small")
    for panel, key in zip(panels, shown, strict=True):
        mean, half = _values(found, key)
        half = np.nan_to_num(half)
        if not axes:
            panel.errorbar(np.zeros(mean.size), mean, yerr=half, fmt="o", capsize=_cap(half))
            panel.set_xticks([])
        else:
            _along(panel, axes, mean, half)
        panel.set_title(number_label(key))
        if plots.is_wide(mean):
            panel.set_yscale("log")
        else:
            # Leave space above the highest dot.
            panel.set_ylim(0.0, max(panel.get_ylim()[1], 1.05 * np.nan_to_num(mean).max()))
        if axes:
            _open_ends(panel, found, axes, key)
    if len(axes) > 1:
        plots.legend_of(figure, panels[0], "outside upper center", title=axes[1].label)
    return figure


def _open_ends(panel: Axes, found: Sweep, axes: Sequence[Varied], number: str) -> None:
    """Hatch the range of completion times that unfinished transfers can have."""
    along, *others = axes
    lowest: dict[int, tuple[float, str]] = {}
    for point, level in enumerate(along.at):
        if bound := found.unfinished(point, number):
            whose = "".join(f"{axis.names[axis.at[point]]} " for axis in others)
            one = bound[0], f"{whose}{found.text(point, number)}"
            lowest[int(level)] = min(one, lowest.get(int(level), (math.inf, "")))
    if not lowest:
        return
    low, high = panel.get_ylim()
    top = max(bound for bound, _ in lowest.values())
    # Leave space above the bound: a fifth of the axis.
    is_log = panel.get_yscale() == "log"
    panel.set_ylim(low, max(high, top * (top / low) ** 0.25 if is_log else 1.25 * top))
    left, right = panel.get_xlim()
    for level, (least, said) in lowest.items():
        x = float(along.places[level])
        # The transform blends both scales: the bar has a width of 4 % of the panel.
        at = panel.transAxes.inverted().transform(panel.transData.transform((x, least)))
        plots.hatch(panel, at[0] - 0.02, at[1], 0.04, 1.0 - at[1], panel.transAxes)
        side = "right" if x > (left + right) / 2 else "left"
        panel.annotate(
            said, (x, least), xytext=(0, -2), textcoords="offset points", ha=side, va="top", fontsize="x-small"
        )


def _cap(half: Floats) -> float:
    """Return the size of the caps of intervals; 0 if all intervals have width 0."""
    return 2.5 if half.any() else 0.0


def _along(panel: Axes, axes: Sequence[Varied], mean: Floats, half: Floats) -> None:
    """Draw means with intervals over the first axis, with a line for each level of the second."""
    along, *others = axes
    groups = _groups(others[0] if others else None, mean.size)
    apart = 0.0 if along.numeric or not others else min(0.12, 0.8 / len(groups))
    for level, (name, mine) in enumerate(groups):
        mine = mine[np.argsort(along.at[mine])]
        x = along.places[along.at[mine]] + apart * (level - (len(groups) - 1) / 2)
        panel.errorbar(
            x, mean[mine], yerr=half[:, mine], fmt="o-" if along.numeric else "o", markersize=3.5, linewidth=1.2,
            capsize=_cap(half), elinewidth=0.9, label=name,
        )  # fmt: skip
    along.dress(panel)


@plots.styled
def heat(found: Sweep, axes: list[Varied], number: str) -> Figure:
    """Draw a map of a number over two axes. With three axes, draw a map for each level of one axis.

    The axis with a map for each level is an axis of the traffic if there is one. Otherwise, it is an axis without
    numbers, or else the axis with the fewest levels. If the maps differ by more than a factor of ten, each map has its
    own colour scale. If the values of a map span more than a factor of ten, the colours of this map are logarithmic.
    The second line of a cell is the interval of the mean.
    """
    panel_axis = None
    if len(axes) == 3:
        panel_axis = min(axes, key=lambda axis: (axis.part != "traffic", axis.numeric, len(axis.levels)))
    below, beside = [axis for axis in axes if axis is not panel_axis]
    if len(below.levels) < len(beside.levels):
        below, beside = beside, below
    mean, half = _values(found, number)
    groups = _groups(panel_axis, mean.size)
    count = len(groups)
    columns = min(count, _COLUMNS)
    tall = max(2.5, 0.32 * len(beside.levels) + 1.2)
    figure, panels = plots.panels(count, columns, width=9.0 if columns > 1 else 6.5, height=tall)
    middles = [float(np.nanmean(mean[mine])) for _, mine in groups if np.isfinite(mean[mine]).any()]
    is_apart = count > 1 and plots.is_wide(middles)
    for level, (panel, (name, mine)) in enumerate(zip(panels, groups, strict=True)):
        scale = _Scale(mean[mine] if is_apart else mean)
        cells = np.full((len(beside.levels), len(below.levels)), math.nan)
        cells[beside.at[mine], below.at[mine]] = mean[mine]
        ends = np.full((2, *cells.shape), math.nan)
        ends[:, beside.at[mine], below.at[mine]] = [mean[mine] - half[0, mine], mean[mine] + half[1, mine]]
        image = panel.imshow(cells, aspect="auto", origin="lower", cmap="cividis", norm=scale.norm)
        point_of = {(int(beside.at[point]), int(below.at[point])): int(point) for point in mine}
        is_written = cells.size * count <= _WRITTEN and (count == 1 or len(below.levels) <= _WIDE)
        for row, column in np.argwhere(np.isnan(cells)):
            _missing(panel, found, number, (row, column), point_of.get((row, column)), is_written)
        if is_written:
            plots.write_cells(panel, cells, scale.is_dark, ends)
        first = level % columns == 0
        _ticks(panel, below, columns)
        panel.set_yticks(range(len(beside.levels)), beside.names if first else [""] * len(beside.levels))
        panel.set_xlabel(below.label)
        if first:
            panel.set_ylabel(beside.label)
        panel.grid(visible=False)
        panel.set_title("" if panel_axis is None else f"{panel_axis.label}: {name}")
        if is_apart:
            figure.colorbar(image, ax=panel)
    if is_apart:
        figure.suptitle(f"{number_label(number)}; each map has its own colours", fontsize="large")
    else:
        figure.colorbar(image, ax=panels, label=number_label(number))
    return figure


def _missing(
    panel: Axes, found: Sweep, number: str, cell: tuple[int, int], point: int | None, is_written: bool
) -> None:
    """Draw a cell without a mean: hatched with the known bound if transfers did not finish, otherwise with a dash."""
    row, column = cell
    bound = None if point is None else found.unfinished(point, number)
    said = "–"
    if bound is not None and point is not None:
        plots.hatch(panel, column - 0.5, row - 0.5, 1.0, 1.0)
        said = found.text(point, number).replace(", ", "\n") if is_written else ""
    panel.text(
        column, row, said, ha="center", va="center", color="#8f959e" if bound is None else "#000000",
        fontsize=None if bound is None else "x-small",
        path_effects=[withStroke(linewidth=2.5, foreground="white")],
    )  # fmt: skip


class _Scale:
    """The colours of a map. They are logarithmic if the values span more than a factor of ten.

    Attributes:
        norm: The normalisation for matplotlib.
    """

    def __init__(self, values: Floats) -> None:
        from matplotlib.colors import LogNorm, Normalize

        known = values[np.isfinite(values)]
        low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
        self.norm = LogNorm(low, high) if plots.is_wide(values) else Normalize(low, high)

    def is_dark(self, value: float) -> bool:
        """Whether the colour of a value is dark."""
        return bool(self.norm(value) < 0.5)


def _ticks(panel: Axes, axis: Varied, columns: int) -> None:
    """Set as many names of levels as fit, including the first."""
    room = 90 // columns
    every = max(1, math.ceil(sum(len(name) + 2 for name in axis.names) / room))
    slanted = not axis.numeric and every > 1
    at = range(0, len(axis.levels), 1 if slanted else every)
    panel.set_xticks(list(at), [axis.names[one] for one in at], rotation=30 if slanted else 0)


@plots.styled
def dots(found: Sweep, axes: list[Varied], number: str) -> Figure:
    """Draw every point over each single axis, for many axes or for a sample; the levels of one axis have colours.

    A triangle is the lower bound of the time of transfers that did not finish.
    """
    few = next(iter(_coloured(axes)), None)
    drawn = [axis for axis in axes if axis is not few] or axes
    columns = min(_COLUMNS, len(drawn))
    figure, panels = plots.panels(len(drawn), columns, width=3.2 * columns + 0.6, height=2.6)
    mean, half = _values(found, number)
    half = np.nan_to_num(half)
    bounds = np.array(
        [math.nan if (one := found.unfinished(at, number)) is None else one[0] for at in range(mean.size)]
    )
    jitter = np.linspace(-0.22, 0.22, mean.size)
    size = 9.0 if mean.size < 400 else 4.0
    for place, (panel, axis) in enumerate(zip(panels, drawn, strict=True)):
        for name, mine in _groups(few, mean.size):
            x = axis.places[axis.at[mine]] + (0.0 if axis.numeric else jitter[mine])
            marks = panel.scatter(x, mean[mine], s=size, linewidths=0, alpha=0.75, label=name)
            _bars(panel, x, mean[mine], half[:, mine], marks)
            # Intervals of unfinished transfers have no upper end.
            panel.scatter(x, bounds[mine], s=2 * size, marker="^", facecolors="none", edgecolors=marks.get_facecolor())
        axis.dress(panel)
        if plots.is_wide(np.append(mean, bounds)):
            panel.set_yscale("log")
        else:
            panel.set_ylim(bottom=0)
        if place % columns == 0:
            panel.set_ylabel(number_label(number))
    if np.isfinite(bounds).any():
        figure.supxlabel("open triangles: lower bounds, because not all transfers finished", fontsize="small")
    if few is not None and few not in drawn:
        plots.legend_of(figure, panels[0], "outside upper center", title=few.label, markerscale=2.0)
    return figure


def _bars(panel: Axes, x: Floats, y: Floats, up: Floats, marks: PathCollection, across: Floats | None = None) -> None:
    """Draw the intervals of marks in their colours: upwards, and `across` the other number."""
    drawn = panel.errorbar(x, y, yerr=up, xerr=across, fmt="none", elinewidth=0.7, alpha=0.6, zorder=1)
    for bars in drawn.lines[2]:
        bars.set_color(marks.get_facecolor())


def front(more: Floats, less: Floats, among: NDArray[np.int64] | None = None) -> list[int]:
    """Return the Pareto front of `among`, or of all points.

    For a point on the front, no other point has at least as much goodput and at most as much delay.
    """
    among = np.arange(more.size) if among is None else among
    best = math.inf
    found = []
    for point in among[np.lexsort((less[among], -more[among]))]:
        if not math.isnan(more[point]) and less[point] < best:
            best = float(less[point])
            found.append(int(point))
    return found


def _fixed(axes: Sequence[Varied]) -> list[Varied]:
    """Return the axes whose levels do not compete: the network and the traffic.

    Points with other losses or other transfers do not compete, because a sender chooses neither. A sweep over the
    network alone, or over network and traffic, asks which network to build. In this case networks compete.
    """
    chosen = "choice" if any(axis.part == "choice" for axis in axes) else "network"
    return [axis for axis in axes if axis.part != chosen]


def _given(fixed: Sequence[Varied], points: int) -> NDArray[np.int64]:
    """Return, for each point, a number that identifies its levels on the axes that do not compete."""
    found = np.zeros(points, dtype=np.int64)
    for axis in fixed:
        found = found * len(axis.levels) + axis.at
    return np.unique(found, return_inverse=True)[1].astype(np.int64)


@plots.styled
def pareto(found: Sweep, axes: list[Varied], number: str) -> Figure:
    """Draw a number against delay or times of visits: every point, and the Pareto front of each network and traffic.

    Colours show the levels of an axis without numbers. The points of each front have their own marker.
    """
    over = less_of(found, number)
    over_y, over_x = BY_KEY[number], BY_KEY[over]
    (y, high), (x, wide) = _values(found, number), _values(found, over)
    high, wide = np.nan_to_num(high), np.nan_to_num(wide)
    few = next(iter(_coloured(axes)), None)
    figure, (panel,) = plots.new(1, 1, width=7.5, height=4.8)
    fixed = _fixed(axes)
    given = _given(fixed, y.size)
    count = int(given.max()) + 1
    is_few, is_marked = count <= _FRONTS, 1 < count <= _FRONTS
    for place, (name, mine) in enumerate(_groups(few, y.size, "points")):
        colour = plots.COLOURS[place]
        label = f"{few.name} {name}" if few and is_marked else name
        panel.scatter([], [], s=34, color=colour, label=label)
        for one in range(count if is_few else 1):
            some = mine[given[mine] == one] if is_few else mine
            marks = panel.scatter(
                x[some], y[some], s=34, color=colour, marker=_MARKERS[one], linewidths=0, alpha=0.8, zorder=3
            )
            _bars(panel, x[some], y[some], high[:, some], marks, wide[:, some])
    if plots.is_wide(y):
        panel.set_yscale("log")
    fronts = [
        front(over_y.better * y, -over_x.better * x, np.flatnonzero(given == one))[::-1]
        for one in range(count if is_few else 0)
    ]
    is_traffic = any(axis.part == "traffic" for axis in axes)
    each = " of each network and traffic" if is_traffic else " of each network"
    for one, best in enumerate(fronts):
        first = {0: "Pareto front" + (each if is_marked else "")}.get(one)
        panel.step(x[best], y[best], where="post", color=_GREY, linewidth=1.0, label=first, zorder=2)
    for one in range(count if is_marked else 0):
        level = _level(fixed, int(np.flatnonzero(given == one)[0]))
        panel.scatter([], [], s=34, marker=_MARKERS[one], color=_GREY, label=level)
    others = [axis for axis in axes if axis is not few and axis not in fixed][:2]
    names = [
        (x[point], y[point], _level(others, point), "#000000")
        for best in fronts
        for point in (reversed(best) if others else ())
    ]
    panel.set(xlabel=_said(over_x), ylabel=_said(over_y))
    is_cut = _view(panel.xaxis, x, wide)
    is_cut = _view(panel.yaxis, y, high) or is_cut
    # The margin must not show negative times.
    panel.set_xticks([tick for tick in panel.get_xticks() if 0.0 <= tick <= panel.get_xlim()[1]])
    if is_cut:
        panel.set_xlabel(f"{_said(over_x)}\nintervals continue beyond the edge of the picture")
    both = f"{over_y.label} and {over_x.label}"
    kinds = "networks and kinds of traffic" if is_traffic else "networks"
    panel.set_title(f"Pareto front: {both}" if fronts else f"{both} of every point, over {count} {kinds}")
    # With markers of networks in the legend, the name of the axis of the colours is in the labels.
    title = few.label if few and not is_marked else None
    plots.legend_of(figure, panel, "outside lower center", 3, title=title)
    plots.name_dots(figure, panel, names[:_NAMED])
    return figure


def _level(axes: Sequence[Varied], point: int) -> str:
    """Return the levels of a point on some axes in words."""
    return ", ".join(f"{axis.name} {axis.names[axis.at[point]]} {axis.unit}".rstrip() for axis in axes)


def _view(axis: Axis, mean: Floats, half: Floats) -> bool:
    """Limit an axis to the means and their surroundings, and return whether an interval continues beyond the limits.

    Wide intervals would otherwise crowd the means into a corner.
    """
    mean, half = mean[np.isfinite(mean)], half[:, np.isfinite(mean)]
    if np.ptp(mean) == 0.0:
        return False
    to_scale = axis.get_transform()
    ends = np.array([mean - half[0], mean + half[1]])
    (least, most), (lowest, highest) = (to_scale.transform([some.min(), some.max()]) for some in (mean, ends))
    around = _AROUND * (most - least)
    low, high = max(lowest, least - around), min(highest, most + around)
    edge = _EDGE * (high - low)
    limit = axis.axes.set_xlim if axis is axis.axes.xaxis else axis.axes.set_ylim
    limit(*to_scale.inverted().transform([low - edge, high + edge]))
    return bool(lowest < low - edge or highest > high + edge)


def _said(metric: Metric) -> str:
    return f"{number_label(metric.key)}, {'more' if metric.better > 0 else 'less'} is better"
