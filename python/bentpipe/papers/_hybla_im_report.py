# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pictures and page of the Hybla-IM reproduction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe._report import Page
from bentpipe._stats import relative_change
from bentpipe.papers import hybla_im as paper
from bentpipe.papers._claims import RULE

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe.papers.hybla_im import Reproduction, Topology

CLAIM_HEAD = ("claim", "what", "paper", "measured", "verdict", "note")
_PAIR = (("hybla", plots.COLOURS[1]), ("hybla-im", plots.COLOURS[0]))
#: Points of the running mean in pictures over time; the series have one point per second.
_SMOOTH = 5


@plots.styled
def throughput_and_loss(result: Reproduction, topology: Topology) -> Figure:
    """The paper's figures 4 to 7 in one: a column for each packet error rate, throughput above, loss below."""
    figure, axes = plots.new(2, len(paper.PERS), width=11.0)
    for column, per in enumerate(paper.PERS):
        above, below = axes[column], axes[column + len(paper.PERS)]
        for name, colour in _PAIR:
            runs = result.runs[topology.id, per, name]
            goodput = [plots.over_time(run.flows, "goodput_mbit_s") for run in runs]
            loss = [plots.loss_rate_percent(run.flows) for run in runs]
            times = goodput[0][0]
            plots.band(above, times, [plots.smooth(values, _SMOOTH) for _, values in goodput], name, colour)
            plots.band(below, times, [plots.smooth(values, _SMOOTH) for _, values in loss], name, colour)
        above.set(title=f"PER {per:g}", ylim=(0, None))
        below.set(xlabel="s", ylim=(0, None))
    axes[0].set(ylabel="throughput (Mbit/s)")
    axes[len(paper.PERS)].set(ylabel="packet loss (%)")
    axes[0].legend(fontsize="small", loc="lower right")
    figure.suptitle(f"{topology.id}: {topology.title}", fontsize="medium")
    return figure


@plots.styled
def windows(result: Reproduction, topology: Topology) -> Figure:
    """Windows of the first seed: mean and range of the flows."""
    figure, axes = plots.new(1, len(paper.PERS), width=11.0)
    for axis, per in zip(axes, paper.PERS, strict=True):
        for name, colour in _PAIR:
            flows = result.runs[topology.id, per, name][0].flows
            times, mean = plots.over_time(flows, "cwnd_segments", "mean")
            low, high = (plots.over_time(flows, "cwnd_segments", how)[1] for how in ("min", "max"))
            axis.plot(times, mean, color=colour, label=name, linewidth=1.2)
            axis.fill_between(times, low, high, color=colour, alpha=0.15, linewidth=0)
        axis.set(title=f"PER {per:g}", xlabel="s", ylim=(0, None))
    axes[0].set(ylabel="cwnd (segments)")
    axes[0].legend(fontsize="small")
    return figure


@plots.styled
def round_trips(result: Reproduction, topology: Topology) -> Figure:
    """Round-trip time against propagation, of the first seed at PER 1e-3."""
    figure, axes = plots.new(1, 2, width=11.0)
    for axis, (name, _) in zip(axes, _PAIR, strict=True):
        plots.rtt_against_propagation(axis, result.runs[topology.id, paper.PERS[1], name][0])
        axis.set(title=name, xlabel="s")
    axes[0].legend(fontsize="small")
    return figure


@plots.styled
def draw_map(axis: Axes) -> str:
    """Iridium and the path at the epoch; returns what the picture shows."""
    sky = bp.constellation("iridium")
    nodes, links = sky.satellites(), sky.links()
    places = {
        name: (longitude, latitude)
        for table in (bp.sites(), nodes)
        for name, longitude, latitude in zip(table["name"], table["longitude_deg"], table["latitude_deg"], strict=True)
    }
    via = sky.shortest("Berkeley", "Boston")["via"][0]
    plots.world(axis, plots.coastline(), nodes, links, [(*places[name], name) for name in via.split(" > ")])
    return f"Iridium at the epoch of its orbits, its inter-satellite links, and the path {via}"


@plots.styled
def demo_picture(result: Reproduction) -> Figure:
    """The picture of the README: throughput where it matters, the gain, and the map."""
    figure, (left, right, low_left, low_right) = plots.new(2, 2, width=11.0, height=3.0)
    topology, per = paper.ISL_BOTTLENECK, paper.PERS[1]
    for name, colour in _PAIR:
        series = [plots.over_time(run.flows, "goodput_mbit_s") for run in result.runs[topology.id, per, name]]
        plots.band(left, series[0][0], [plots.smooth(values, _SMOOTH) for _, values in series], name, colour)
    left.set(title=f"{topology.id}, PER {per:g}: throughput, mean and range over seeds", ylabel="Mbit/s", xlabel="s")
    left.set(ylim=(0, None))
    left.legend(fontsize="small")
    plots.rtt_against_propagation(right, result.runs[topology.id, per, "hybla-im"][0])
    right.set(title=f"{topology.id}, PER {per:g}: round-trip time of hybla-im", xlabel="s")
    right.legend(fontsize="small")
    _gains(low_left, result)
    draw_map(low_right)
    low_right.set(title="Berkeley to Boston over Iridium")
    return figure


def _gains(axis: Axes, result: Reproduction) -> None:
    where = np.arange(len(paper.PERS), dtype=np.float64)
    bars: list[tuple[str, list[float], list[float] | None, str]] = [("paper", [6.0, 13.0, 17.0], None, "#9a9a9a")]
    for topology, colour in ((paper.PAPERS_OWN, plots.COLOURS[4]), (paper.ISL_BOTTLENECK, plots.COLOURS[0])):
        gains = [
            relative_change(result.goodput(topology, per, "hybla-im"), result.goodput(topology, per, "hybla"))
            for per in paper.PERS
        ]
        bars.append((f"measured, {topology.id}", [g.mean for g in gains], [g.half_width for g in gains], colour))
    for shift, (label, heights, errors, colour) in zip((-0.27, 0.0, 0.27), bars, strict=True):
        axis.bar(where + shift, heights, 0.25, yerr=errors, label=label, color=colour, capsize=3)
    axis.axhline(0.0, color="#000000", linewidth=0.8)
    axis.set_xticks(where, [f"PER {per:g}" for per in paper.PERS])
    axis.set(title="Throughput of Hybla-IM against Hybla, 95 % intervals", ylabel="%")
    axis.legend(fontsize="small")


def write(result: Reproduction, file: Path) -> Path:
    """The page: claims and verdicts, pictures, every choice the paper leaves open."""
    seeds = len(result.seeds)
    page = Page(
        "Hybla-IM against Hybla over Iridium",
        f"Reproduction of section 4 of «{paper.PAPER}», {seeds} seeds, means with 95 % intervals, paired by seed.",
    )
    page.text(RULE)
    for topology in (paper.PAPERS_OWN, paper.ISL_BOTTLENECK):
        head = f"{topology.id} (H-25): {topology.title}" if topology.id == "T2" else f"{topology.id}: {topology.title}"
        page.heading(head)
        page.text(topology.why)
        page.table(CLAIM_HEAD, (claim.row() for claim in result.claims(topology)))
        page.figure(throughput_and_loss(result, topology), "Throughput and packet loss over time (figures 4 to 7)")
        page.figure(windows(result, topology), "Congestion windows, first seed: mean and range of the flows")
        page.figure(round_trips(result, topology), "Round-trip time against propagation delay, first seed, PER 1e-3")
        page.table(*paper.variants_table(result, topology))
        page.text("H-15: what the first loss of each episode was taken for, against the truth; all seeds together.")
        page.table(*paper.verdicts_table(result, topology))
    page.heading("Berkeley to Boston")
    figure, (axis,) = plots.new(1, 1, width=11.0, height=5.0)
    page.figure(figure, draw_map(axis))
    hour = bp.path("Berkeley", "Boston", constellation="iridium", duration="1 h", step="10 s")
    page.figure(
        plots.paths_over_time([("", hour)], "Berkeley to Boston, one hour"), "Propagation delay and links of the path"
    )
    page.heading("The paper's own numbers")
    page.table(("claim", "what", "printed", "implied by the others", "verdict"), consistency())
    page.bullets(
        f"H-23: read as bit errors, {ber:g} would lose {100 * paper.packet_error_rate(ber):.1f} % of 1000-byte packets"
        for ber in paper.PERS
    )
    page.heading("What the paper does not give, and what we chose")
    page.bullets(paper.CHOICES)
    page.code(paper.scenario(paper.PAPERS_OWN, paper.PERS[0], "hybla-im", 1).to_toml(), "A scenario of these runs")
    return page.write(file)


def consistency() -> list[list[str]]:
    """H-22: what the paper prints for Hybla-IM over Hybla, and what its other percentages imply."""
    rows = []
    for per, printed in zip(paper.PERS, (6.0, 13.0, 17.0), strict=True):
        verdict = "inconsistent in the paper" if paper.contradiction(per) else "consistent"
        what = f"Hybla-IM against Hybla at PER {per:g}"
        rows.append(["H-22", what, f"{printed:+g} %", f"{paper.implied_ratio(per):+.1f} %", verdict])
    return rows
