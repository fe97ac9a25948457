# SPDX-License-Identifier: MIT OR Apache-2.0
"""Shared code of the rows about two competing flows: runs, tables, pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.leo_study import bed
from bentpipe_papers.leo_study.bed import BY_BOTH, BY_DISTANCE, BY_RTT, Fairness, Pair

READINGS = (BY_DISTANCE, BY_BOTH, BY_RTT)
#: Distance of the shorter path to Washington (from Toronto) and to Madrid (from Tehran), km.
TORONTO_KM, TEHRAN_KM = bed.PATHS["Toronto"][0], 4777.0
#: The slides print the fairness of Reno as 71.8 % (results) and 71.9 % (metrics).
RENO_PERCENT, GEO_PERCENT = 71.8, 85.8
HEAD = st.heads(
    "controller | long path, Mbit/s | short path, Mbit/s | smaller/larger % | Jain % | link shared, s | long path, "
    "sharing | short path, sharing | smaller/larger %, sharing | Jain %, sharing"
)


def plan(pair: Pair, d_min_km: float, *labels: str) -> Callable[[st.Effort], st.Plan]:
    chosen = {label: controller for label, controller in bed.variants(d_min_km).items() if label in labels}

    def planned(effort: st.Effort) -> st.Plan:
        return {
            (label, seed): bed.competing(pair, controller, seed, label=label)
            for (label, controller), seed in product(chosen.items(), effort.seeds)
        }

    return planned


def table(found: Mapping[str, Sequence[Fairness]]) -> list[list[str]]:
    lines = []
    for label, fair in found.items():
        columns = zip(*[(f.long, f.short, f.ratio, f.jain, f.shared_s) for f in fair], strict=True)
        sharing = [(f.long_sharing, f.short_sharing, f.ratio_sharing, f.jain_sharing) for f in fair if f.shared_s > 0.0]
        digits = (2, 2, 1, 1, 0)
        cells = [st.sampled(values).text(n) for values, n in zip(columns, digits, strict=True)]
        if sharing:
            cells += [
                st.sampled(values).text(n) for values, n in zip(zip(*sharing, strict=True), (2, 2, 1, 1), strict=True)
            ]
        else:
            cells += ["–"] * 4
        lines.append([label, *cells])
    return lines


def with_n(
    title: str, head: Sequence[str], lines: Sequence[Sequence[str]], found: Mapping[str, Sequence[object]]
) -> st.Sheet:
    """Return a table with a line for each label. If the labels have different numbers of seeds, a column shows them."""
    n = [len(found[line[0]]) for line in lines]
    if len(set(n)) == 1:
        return st.Sheet(title, head, lines)
    counted = [[line[0], str(count), *line[1:]] for line, count in zip(lines, n, strict=True)]
    return st.Sheet(title, (head[0], "n", *head[1:]), counted)


def fared(title: str, found: Mapping[str, Sequence[Fairness]]) -> st.Sheet:
    return with_n(title, HEAD, table(found), found)


def number(fair: Sequence[Fairness], name: str) -> list[float]:
    return [float(getattr(one, name)) for one in fair]


def mean(fair: Sequence[Fairness], name: str) -> bp.Estimate:
    return st.sampled(number(fair, name))


def points(ours: Sequence[Fairness], base: Sequence[Fairness], name: str = "ratio") -> bp.Estimate:
    return st.paired(number(ours, name), number(base, name))


def over_time(runs: st.Runs, *labels: str) -> st.Figure:
    panels = [(label, runs[label, runs.effort.seeds[0]]) for label in labels]
    figure, axes = plots.new(1, len(panels), width=4.6 * max(2, len(panels)), height=2.8)
    for axis, (label, run) in zip(axes, panels, strict=True):
        shade(axis, run)
        for flow, colour in ((0, plots.COLOURS[0]), (1, plots.COLOURS[1])):
            times, values = st.series(run, "goodput_mbit_s", flow)
            name = f"from {run.summary['flows'][flow]['from']}"
            axis.plot(times, plots.smooth(values, 3), color=colour, linewidth=1.0, label=name)
        axis.set(title=label, xlabel="s", ylim=(0, 12.5), xlim=(0, 200))
    axes[0].set(ylabel="goodput (Mbit/s)")
    axes[0].legend(fontsize="small", ncols=2, loc="upper left", frameon=True, framealpha=0.7, edgecolor="none")
    return figure


def shade(axis: st.Axes, run: bp.Run) -> None:
    for start, until in bed.sharing(run):
        axis.axvspan(start, until, color="#000000", alpha=0.07, linewidth=0)


def ratios(found: Mapping[str, Sequence[Fairness]], paper: Mapping[str, float]) -> st.Figure:
    figure, (axis,) = plots.new(1, 1, width=7.5, height=1.2 + 0.5 * len(found))
    for step, (name, label) in enumerate((("ratio", "whole run"), ("ratio_sharing", "while sharing"))):
        for row, fair in enumerate(found.values()):
            values = [value for value in number(fair, name) if not math.isnan(value)]
            if not values:
                continue
            here = st.sampled(values)
            place = row + 0.18 * (2 * step - 1)
            axis.errorbar(
                here.mean,
                place,
                xerr=here.half_width,
                fmt="o",
                capsize=3,
                color=plots.COLOURS[step],
                label=label if row == 0 else None,
            )
    for row, label in enumerate(found):
        if label in paper:
            axis.plot([paper[label]] * 2, [row - 0.4, row + 0.4], "--", color="#000000", label="paper")
    handles, names = axis.get_legend_handles_labels()
    axis.legend(
        *zip(*dict(zip(names, zip(handles, names, strict=True), strict=True)).values(), strict=True), loc="best"
    )
    axis.set_yticks(range(len(found)), list(found))
    axis.set(xlabel="smaller goodput / larger (%)", xlim=(0, 105), ylim=(len(found) - 0.5, -0.5))
    return figure


def round_trips(runs: st.Runs, *labels: str) -> st.Figure:
    panels = [(label, runs[label, runs.effort.seeds[0]]) for label in labels]
    figure, axes = plots.new(1, len(panels), width=4.6 * max(2, len(panels)), height=3.0)
    for axis, (label, run) in zip(axes, panels, strict=True):
        for flow, colour in ((0, plots.COLOURS[0]), (1, plots.COLOURS[1])):
            origin = run.summary["flows"][flow]["from"]
            times, values = st.series(run, "rtt_ms", flow)
            axis.plot(times, values, color=colour, linewidth=0.9, label=f"TCP from {origin}")
            times, values = st.series(run, "rtt_ms", flow + 2)
            axis.plot(times, values, color=colour, linewidth=2.6, alpha=0.3, label=f"ping from {origin}")
            times, values = st.series(run, "propagation_rtt_ms", flow)
            axis.plot(times, values, "--", color=colour, linewidth=0.8, label="propagation")
        axis.set(title=label, xlabel="s", ylim=(0, 340), xlim=(0, 200))
    axes[0].set(ylabel="round-trip time (ms)")
    axes[0].legend(fontsize="x-small", ncols=2, loc="upper left", frameon=True, framealpha=0.7, edgecolor="none")
    return figure
