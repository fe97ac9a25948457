# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of a specification curve: effects, and below them the readings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bentpipe import plots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe.study._curves import Point, SpecificationCurve

#: Colours of effects: on the claimed side; on both sides or without a claimed side; on the other side.
_SURE, _UNSURE, _OTHER = "#0072b2", "#8f959e", "#d55e00"
_PAPER, _MAIN = "#009e73", "#e69f00"


@plots.styled
def whole(found: SpecificationCurve) -> Figure:
    """Draw the sorted effects with their intervals, and below each effect its readings."""
    curve, points = found.curve, _known(found)
    lines = sum(len(choice.options) + 1 for choice in curve.choices)
    figure, (above, below) = plots.new(2, 1, height=1.4 + 0.085 * lines, sharex=True, height_ratios=[2.5, 0.17 * lines])
    _effects(above, found, points)
    for x, point in enumerate(points):
        if point.main:
            below.axvline(x, color=_MAIN, linewidth=4.0, alpha=0.35, zorder=0)
    above.set_ylabel(f"effect ({curve.unit})" if curve.unit else "effect")
    above.set_title(curve.title)
    plots.legend_of(figure, above, "outside upper right", 5, fontsize="small")
    _matrix(below, found, points)
    return figure


def _known(found: SpecificationCurve) -> list[Point]:
    return [point for point in found.sorted if not math.isnan(point.effect.mean)]


def _effects(axis: Axes, found: SpecificationCurve, points: Sequence[Point]) -> None:
    """Draw the effects with intervals, coloured by side; the paper's number, "no effect", and the main reading."""
    curve = found.curve
    names = {
        True: "on the claimed side, significant",
        None: "not significant, or no side is claimed",
        False: "on the other side, significant",
    }
    for told, colour in {True: _SURE, None: _UNSURE, False: _OTHER}.items():
        mine = [(x, point.effect) for x, point in enumerate(points) if found.holds(point) is told]
        if mine:
            axis.errorbar(
                [x for x, _ in mine], [one.mean for _, one in mine],
                yerr=[one.half_width if one.half_width < math.inf else 0.0 for _, one in mine],
                fmt="o", markersize=3, linewidth=0.8, color=colour, label=names[told],
            )  # fmt: skip
    if curve.side:
        axis.axhline(curve.middle, color="#000000", linewidth=0.8)
    if curve.paper is not None:
        axis.axhline(curve.paper, color=_PAPER, linestyle="--", label=f"claimed: {curve.claimed} {curve.unit}")
        if curve.tolerance:
            axis.axhspan(curve.paper - curve.tolerance, curve.paper + curve.tolerance, color=_PAPER, alpha=0.15, lw=0)
    for x, point in enumerate(points):
        if point.main:
            axis.axvline(x, color=_MAIN, linewidth=4.0, alpha=0.35, label="main reading", zorder=0)
    # Intervals of three seeds can be wide, so the axis is scaled to the effects.
    means = [point.effect.mean for point in points] + ([] if curve.paper is None else [curve.paper])
    low, high = (min(means), max(means)) if means else (0.0, 1.0)
    if curve.side:
        low, high = min(low, curve.middle), max(high, curve.middle)
    room = 0.35 * (high - low) or 1.0
    bottom, top = axis.get_ylim()
    axis.set_ylim(max(bottom, low - room), min(top, high + room))


def _matrix(axis: Axes, found: SpecificationCurve, points: Sequence[Point]) -> None:
    """Draw the option of each choice at each point, with one block of rows per choice."""
    labels: list[tuple[float, str, bool]] = []
    y = 0.0
    for place, choice in enumerate(found.curve.choices):
        share = found.shares.get(choice.name)
        told = f" ({100.0 * share:.0f} % of the variance)" if share is not None else ""
        labels.append((y, f"{choice.name}{told}", True))
        for number, option in enumerate(choice.options):
            y += 1.0
            xs = [x for x, point in enumerate(points) if point.combination[place] == number]
            axis.plot(xs, [y] * len(xs), "|", color="#000000" if number else "#b36b00", markersize=6)
            labels.append((y, option.name, False))
        y += 1.0
    axis.set_yticks([at for at, _, _ in labels], [text for _, text, _ in labels], fontsize="small")
    for tick, (_, _, head) in zip(axis.get_yticklabels(), labels, strict=True):
        tick.set_fontweight("bold" if head else "normal")
    axis.tick_params(axis="y", length=0)
    axis.grid(visible=False)
    axis.set(ylim=(y - 0.5, -0.7), xlabel=f"{len(points)} combinations by effect", xlim=(-1, max(len(points), 1)))
