# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draw the sensitivity of a number as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.base.names import plotted
from bentpipe.plots import COLOURS, legend_of, name_rows, new, styled
from bentpipe.show.pictures.sweep import number_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bentpipe._sensitivity import Sensitivity

#: Largest number of pairs of axes. The pairs that explain most are drawn.
_PAIRS = 4
#: Smallest share with a bar.
_LITTLE = 0.005


@styled
def bars(found: Sensitivity) -> Figure:
    """Draw, for each axis, the share that it explains alone (with interval) and with other axes; below, pairs."""
    pairs = [(" × ".join(pair), share) for pair, share in found.pairs.items() if share >= _LITTLE][:_PAIRS]
    below = pairs if found.pairs else [("axes together", found.together)]
    count = len(found.shares) + len(below)
    figure, (panel,) = new(1, 1, width=8.0, height=1.4 + 0.34 * count)
    for row, one in enumerate(found.shares.values()):
        if one.total is not None:
            label = "with others" if row == 0 else None
            panel.barh(row, 100 * max(0.0, one.total), height=0.62, color=COLOURS[5], alpha=0.45, label=label)
        panel.barh(row, 100 * max(0.0, one.alone), height=0.62, color=COLOURS[0], label=None if row else "alone")
        if one.low is not None and one.high is not None:
            middle, half = 50 * (one.low + one.high), 50 * (one.high - one.low)
            panel.errorbar(middle, row, xerr=half, color="#000000", linewidth=1.0, capsize=2.5)
        end = max(one.alone, one.total or 0.0, one.high or 0.0)
        panel.annotate(f" {100 * max(0.0, one.alone):.0f} %", (100 * max(0.0, end), row), va="center", fontsize="small")
    for row, (_, share) in enumerate(below, len(found.shares)):
        panel.barh(row, 100 * share, height=0.62, color="#8f959e")
        panel.annotate(f" {100 * share:.0f} %", (100 * share, row), va="center", fontsize="small")
    name_rows(panel, [plotted(name) for name in (*found.shares, *(name for name, _ in below))])
    panel.set_xlim(0, 106.0)
    chance = f"; chance ({100 * found.chance:.0f} % of the variance of means) removed" if found.seeds > 1 else ""
    panel.set_xlabel(f"share of the variance over {found.points} points (%){chance}")
    panel.set_title(f"Sensitivity of {number_label(found.number)}")
    panel.grid(visible=False, axis="y")
    if any(one.total is not None for one in found.shares.values()):
        legend_of(figure, panel, "outside upper right", 2, fontsize="small")
    return figure
