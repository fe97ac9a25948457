# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's figures 3 to 7, and the paper's percentages beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe.study import Runs, goodput
from bentpipe_papers.hybla_im.bed import PERS, T1, Topology
from bentpipe_papers.hybla_im.claims import PRINTED_RATIO

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOUR = {"hybla": plots.COLOURS[1], "hybla-im": plots.COLOURS[0]}
#: Interval between drawn points in s.
STEP = 2
OVER_A_BAR: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "fontsize": "x-small"}
#: Number of points of the running mean in pictures over time. The series have one point per second.
SMOOTH = 5


def bands(axis: Axes, runs: Runs, topology: Topology, per: float, *, lost: bool = False) -> None:
    for name, colour in COLOUR.items():
        series = [
            plots.loss_rate_percent(run.flows) if lost else plots.over_time(run.flows, "goodput_mbit_s")
            for run in runs.of(topology.id, per, name)
        ]
        values = [plots.smooth(values, SMOOTH)[::STEP] for _, values in series]
        plots.band(axis, series[0][0][::STEP], values, name, colour)
    axis.set(ylim=(0, None))


def throughput(axis: Axes, runs: Runs, topology: Topology, per: float) -> None:
    bands(axis, runs, topology, per)
    axis.lines[0].set_linewidth(3.0)  # the second line may cover it
    axis.set(title=f"{topology.id}, PER {per:g}: mean and range over seeds", xlabel="s", ylabel="throughput (Mbit/s)")


def expected(axis: Axes, runs: Runs, topology: Topology, per: float, mark: tuple[float, str, float]) -> None:
    """Draw a dashed line at our mean changed by the paper's percentage."""
    change, name, at = mark
    level = float(np.mean(goodput(runs.of(topology.id, at, name)))) * (1 + change / 100.0)
    base = name if at == per else f"{name} at {at:g}"
    width = 1.6 if name == "hybla" else 1.0
    axis.axhline(level, label=f"paper: {base} {change:+g} %", color="#555555", linestyle="--", linewidth=width)
    axis.set_ylim(0.0, max(axis.get_ylim()[1], 1.1 * level))


def over_time(runs: Runs, topology: Topology, per: float, marks: Sequence[tuple[float, str, float]]) -> Figure:
    """Draw figure 4, 6 or 7. `marks` are the paper's percentages: (change, of what, from which error rate)."""
    figure, (axis,) = plots.new(1, 1, height=3.2)
    throughput(axis, runs, topology, per)
    for mark in marks:
        expected(axis, runs, topology, per, mark)
    axis.legend(fontsize="small", loc="lower right", ncols=2)
    return figure


def loss(runs: Runs, topology: Topology, per: float) -> Figure:
    figure, (axis,) = plots.new(1, 1, height=3.2)
    bands(axis, runs, topology, per, lost=True)
    axis.set(title=f"{topology.id}, PER {per:g}: mean and range over seeds", xlabel="s", ylabel="packet loss (%)")
    axis.legend(fontsize="small", loc="best")
    return figure


def windows(runs: Runs, topology: Topology, seed: int) -> Figure:
    figure, axes = plots.new(1, len(PERS))
    for axis, per in zip(axes, PERS, strict=True):
        for name, colour in COLOUR.items():
            flows = runs[topology.id, per, name, seed].flows
            times, mean = plots.over_time(flows, "cwnd_segments", "mean")
            low, high = (plots.over_time(flows, "cwnd_segments", how)[1] for how in ("min", "max"))
            axis.plot(times, mean, color=colour, label=name, linewidth=1.2)
            axis.fill_between(times, low, high, color=colour, alpha=0.15, linewidth=0)
        axis.set(title=f"{topology.id}, PER {per:g}", xlabel="s", ylim=(0, None))
    axes[0].set(ylabel="cwnd (segments)")
    axes[0].legend(fontsize="small", loc="best")
    return figure


def all_rates(runs: Runs, topology: Topology) -> Figure:
    figure, axes = plots.new(2, len(PERS))
    for column, per in enumerate(PERS):
        above, below = axes[column], axes[column + len(PERS)]
        bands(above, runs, topology, per)
        bands(below, runs, topology, per, lost=True)
        above.set(title=f"{topology.id}, PER {per:g}")
        below.set(xlabel="s")
    axes[0].set(ylabel="throughput (Mbit/s)")
    axes[len(PERS)].set(ylabel="packet loss (%)")
    axes[0].legend(fontsize="small", loc="lower right")
    return figure


def draw_map(axis: Axes) -> str:
    """Draw Iridium and the path at the epoch, and return a description."""
    sky = bp.constellation("iridium")
    nodes, links = sky.satellites(), sky.links()
    places = {
        name: (longitude, latitude)
        for table in (bp.sites(), nodes)
        for name, longitude, latitude in zip(table["name"], table["longitude_deg"], table["latitude_deg"], strict=True)
    }
    via = sky.shortest("Berkeley", "Boston")["via"][0]
    plots.world(axis, plots.coastline(), nodes, links, [(*places[name], name) for name in via.split(" > ")])
    axis.collections[0].set_rasterized(True)  # coastlines are most of the file
    return f"Iridium at the epoch of its orbits, its inter-satellite links, and the path {via}"


def topology_map() -> tuple[Figure, str]:
    figure, (axis,) = plots.new(1, 1, height=4.6)
    words = draw_map(axis)
    axis.set_title(
        "30 sources (10 Mbit/s, 1 ms) – Berkeley – 1.5 Mbit/s up – 25 Mbit/s links – 1.5 Mbit/s down – Boston"
    )
    return figure, words


def gains(runs: Runs, topologies: Sequence[Topology]) -> Figure:
    figure, (axis,) = plots.new(1, 1, height=3.0)
    where = np.arange(len(PERS), dtype=np.float64)
    bars: list[tuple[str, list[float], list[float] | None, str]] = [
        ("paper", [PRINTED_RATIO[per] for per in PERS], None, "#9a9a9a")
    ]
    for topology in topologies:
        changes = [
            bp.relative_change(
                goodput(runs.of(topology.id, per, "hybla-im")), goodput(runs.of(topology.id, per, "hybla"))
            )
            for per in PERS
        ]
        colour = plots.COLOURS[4] if topology is T1 else plots.COLOURS[0]
        label = f"measured, {topology.id}"
        bars.append((label, [c.mean for c in changes], [c.half_width for c in changes], colour))
    for number, (label, heights, errors, colour) in enumerate(bars):
        shift = 0.27 * (number - (len(bars) - 1) / 2)
        axis.bar(where + shift, heights, 0.25, yerr=errors, label=label, color=colour, capsize=3)
        for place, height, error in zip(where + shift, heights, errors or [0.0] * len(heights), strict=True):
            top = max(height + error, 0.0)  # a bar may be too short to be seen
            axis.annotate(f"{height:.1f}".replace("-0.0", "0.0"), (place, top), (0, 3), **OVER_A_BAR)
    axis.axhline(0.0, color="#000000", linewidth=0.8)
    axis.set_xticks(where, [f"PER {per:g}" for per in PERS])
    axis.set(title="Throughput of Hybla-IM against Hybla, 95 % intervals", ylabel="%")
    axis.legend(fontsize="small", loc="best")
    return figure
