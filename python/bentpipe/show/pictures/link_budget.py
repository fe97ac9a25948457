# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draw link budgets as waterfalls: from C/N without atmosphere to Es/N0, with clear sky and rain side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bentpipe.base.names import plotted
from bentpipe.plots import COLOURS, legend_of, panels, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe.scenario.answers import BudgetHop, HopState, LinkBudget

#: Largest number of panels in a picture.
_PANELS = 8
#: Width of all bars of a step together. The distance between steps is 1.
_WIDTH = 0.82
#: Colours of the states of the weather. The first colour is for clear sky.
_STATES = (COLOURS[0], COLOURS[5], COLOURS[4], COLOURS[1], COLOURS[3])


@styled
def waterfall(budgets: Sequence[tuple[str, LinkBudget, Sequence[str]]]) -> Figure:
    """Draw a panel for each hop: C/N without atmosphere, the loss by each effect, the rest, and Es/N0 at the end.

    Bars side by side are states of the weather. P.618 combines clouds, rain and scintillation by the sum of their
    squares, so these effects are one step.

    Args:
        budgets: For each link: its name (empty for a single link), its budget in decibels, and the names of its states.
    """
    hops = [(at, hop) for at, (_, budget, _) in enumerate(budgets) for hop in range(len(budget["hops"]))]
    shown = hops[:_PANELS]
    figure, axes = panels(len(shown), 1, width=9.0, height=3.1)
    for axis, (at, hop) in zip(axes, shown, strict=True):
        name, budget, heads = budgets[at]
        _panel(axis, budget, hop, heads)
        title = f"{plotted(name)}, {budget['hops'][hop]['name']}" if name else budget["hops"][hop]["name"]
        axis.set_title(f"{title}: {_chain(budget, budget['hops'][hop])}")
    legend_of(figure, axes[0], "outside upper center", 5, fontsize="small")
    if len(hops) > len(shown):
        figure.suptitle(f"the first {len(shown)} of {len(hops)} hops (--link chooses a link)", fontsize="large")
    return figure


def _chain(budget: LinkBudget, hop: BudgetHop) -> str:
    """Return, in words, the terms of C/N that do not depend on the weather."""
    return (
        f"{hop['frequency_ghz']:g} GHz, {hop['range_km']:,.0f} km, EIRP {hop['eirp_dbw']:.1f} dBW, "
        f"G/T {hop['g_over_t_db_k']:.1f} dB/K, {budget['symbols_mbaud']:.4g} MHz"
    )


def steps(hop: HopState) -> list[tuple[str, float]]:
    """Return the steps of a hop in some weather, with their decibels: from C/N without atmosphere to C/(N+I)."""
    taken = [
        ("gases", -hop["gas_db"]),
        ("clouds, rain,\nscintillation", hop["gas_db"] - hop["atmosphere_db"]),
        ("noise of\nthe rain", -hop["noise_rise_db"]),
    ]
    # Without interference, the two numbers differ only by rounding.
    if not math.isclose(hop["c_ni_db"], hop["c_n_db"], abs_tol=1e-6):
        taken.append(("interference", hop["c_ni_db"] - hop["c_n_db"]))
    return [("C/N without\natmosphere", hop["c_ni_db"] - math.fsum(decibels for _, decibels in taken)), *taken]


def _panel(axis: Axes, budget: LinkBudget, hop: int, heads: Sequence[str]) -> None:
    states = budget["states"]
    is_last = hop == len(budget["hops"]) - 1
    names: list[str] = []
    for number, (state, head) in enumerate(zip(states, heads, strict=True)):
        colour = _STATES[min(number, len(_STATES) - 1)] if len(states) > 2 else (_STATES[0], _STATES[3])[number]
        width = _WIDTH / len(states)
        fall = steps(state["hops"][hop])
        left = state["hops"][hop]["c_ni_db"]
        names = [*(name for name, _ in fall), "C/(N+I)" if any("interf" in name for name, _ in fall) else "C/N"]
        if is_last:
            names.append("Es/N0")
        level = 0.0
        for place, (_, decibels) in enumerate(fall):
            x = place + width * (number - (len(states) - 1) / 2)
            axis.bar(x, decibels, width, bottom=level, color=colour, alpha=1.0 if place == 0 else 0.75)
            level += decibels
            # Steps of less than a twentieth of a decibel get no printed number.
            if abs(decibels) >= 0.05:
                _write(axis, x, max(level, level - decibels), decibels)
        ends = [(len(fall), left), *([(len(fall) + 1, state["es_n0_db"])] if is_last else [])]
        for place, value in ends:
            x = place + width * (number - (len(states) - 1) / 2)
            axis.bar(x, value, width, color=colour, label=head if place == len(fall) else None)
            _write(axis, x, max(value, 0.0), value)
    axis.set_xticks(range(len(names)), names, fontsize="small")
    axis.axhline(0.0, color="#000000", linewidth=0.8)
    axis.set_ylabel("dB")
    low, high = min(0.0, axis.dataLim.y0), max(0.0, axis.dataLim.y1)
    axis.set_ylim(low - 0.08 * (high - low) * (low < 0.0), high + 0.12 * (high - low))
    axis.grid(visible=False, axis="x")
    if is_last:
        axis.set_xlabel("; ".join(_label(budget, number, head) for number, head in enumerate(heads)), fontsize="small")


def _write(axis: Axes, x: float, y: float, value: float) -> None:
    axis.annotate(
        f"{value:.1f}".replace("-", "−"), (x, y), xytext=(0, 1.5), textcoords="offset points", ha="center",
        fontsize="xx-small",
    )  # fmt: skip


def _label(budget: LinkBudget, state: int, head: str) -> str:
    """Return a state of the weather with its modulation and code, and its rate."""
    one = budget["states"][state]
    return f"{head}: {one['modcod'] or 'outage'}, {one['rate_mbit_s']:.3g} Mbit/s"
