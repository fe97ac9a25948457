# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draw the visits of applications."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import LogLocator, NullLocator

from bentpipe.base import arguments
from bentpipe.base.names import plotted
from bentpipe.plots import COLOURS, column, new, styled
from bentpipe.results.visits import WORDS, base_name, flows_of, times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe.plots import Floats
    from bentpipe.results.summary_types import Distribution, FlowSummary, VisitsSummary
    from bentpipe.runs.run import Run

#: Names of the size classes of the summary. The bounds are our choice.
_CLASSES = {
    "under_10_kb": "< 10 kB",
    "under_100_kb": "10–100 kB",
    "under_1_mb": "100 kB–1 MB",
    "from_1_mb": "≥ 1 MB",
}
#: Largest number of flows with a curve each.
_MANY = 7


@styled
def figure(runs: Sequence[tuple[str, Run]]) -> Figure:
    """Draw the distribution of the times of visits, and the slow-down relative to an empty path by size.

    More than seven flows are drawn as groups, each with the visits of all its flows.

    Raises:
        ArgumentError: If no run has an application flow.
    """
    shown = [
        _Shown(label, run, flow["name"], [(flow, visits)]) for label, run in runs for flow, visits in flows_of(run)
    ]
    if len(shown) > _MANY:
        shown = _groups(shown)
    if not shown:
        raise arguments.refuse(
            'no flow of the run is an application (kinds "transfers", "web", "video", "requests"), so the run has '
            "no visits"
        )
    coloured = list(zip(shown, itertools.cycle(COLOURS), strict=False))
    sized = [(one, colour) for one, colour in coloured if one.by_size]
    drawn, axes = new(1, 2 if sized else 1, width=9.0, height=3.6)
    _times(axes[0], coloured)
    if sized:
        _slow_downs(axes[1], sized)
    return drawn


@dataclass(frozen=True)
class _Shown:
    """A flow of a run, or a group of flows with the same kind and names that differ only in their number."""

    label: str
    run: Run
    called: str
    flows: Sequence[tuple[FlowSummary, VisitsSummary]]

    @property
    def name(self) -> str:
        called = self.called if len(self.flows) == 1 else f"{self.called} ({len(self.flows)} flows)"
        return plotted(f"{self.label}, {called}" if self.label else called)

    @property
    def of(self) -> str:
        """The kind of the visits."""
        return self.flows[0][1]["of"]

    def times(self) -> Floats:
        """The sorted times until this stage, for visits after the warm-up that reached the stage."""
        return np.array(times(self.run, {flow["flow"] for flow, _ in self.flows}))

    @cached_property
    def by_size(self) -> dict[str, _SlowDown]:
        """The slow-downs of finished visits by size class. A group has one class, because the table has no classes."""
        if len(self.flows) == 1:
            sizes = _by_size(self.flows[0][1])
            return {key: _SlowDown(one["p50"], one["p95"], one["samples"]) for key, one in sizes.items()}
        numbers = [flow["flow"] for flow, _ in self.flows]
        table = self.run.visits.arrow
        counts = np.isin(column(table, "flow"), numbers)
        counts &= column(table, "began_s") >= self.run.summary["provenance"]["warm_up_s"]
        slow = column(table, "slow_down")[counts]
        slow = slow[np.isfinite(slow)]
        if not slow.size:
            return {}
        return {"all": _SlowDown(float(np.quantile(slow, 0.5)), float(np.quantile(slow, 0.95)), slow.size)}


@dataclass(frozen=True)
class _SlowDown:
    """The distribution of the slow-downs of visits."""

    p50: float
    p95: float
    samples: int


def _groups(shown: Sequence[_Shown]) -> list[_Shown]:
    """Return a curve for each group of flows."""
    found: dict[tuple[str, str, str], list[_Shown]] = {}
    for one in shown:
        found.setdefault((one.label, base_name(one.called), one.of), []).append(one)
    return [
        some[0] if len(some) == 1 else _Shown(label, some[0].run, name, [one.flows[0] for one in some])
        for (label, name, _), some in found.items()
    ]


def _times(axis: Axes, shown: Sequence[tuple[_Shown, str]]) -> None:
    for one, colour in shown:
        took = one.times()
        # Visits that did not reach this stage keep the end of the curve below 1.
        share = np.arange(1, took.size + 1) / max(1, sum(visits["begun"] for _, visits in one.flows))
        axis.step(took, share, where="post", label=one.name, color=colour, linewidth=1.4)
    axis.set_xscale("log")
    axis.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 3.0, 5.0)))
    axis.xaxis.set_major_formatter("{x:g}")
    axis.xaxis.set_minor_locator(NullLocator())
    what = " or ".join(dict.fromkeys(WORDS[one.of][1] for one, _ in shown))
    axis.set(xlabel=f"{what} (s)", ylabel="share of visits", ylim=(0, 1.02))
    axis.set_title("Times of visits; curves below 1: unfinished visits")
    if 1 < len(shown) <= _MANY or len(shown[0][0].flows) > 1:
        axis.legend(fontsize="small", loc="best")


def _by_size(visits: VisitsSummary) -> dict[str, Distribution]:
    """Return the slow-downs of finished visits, by size class."""
    sizes = visits.get("by_size")
    if not sizes:
        return {"film": slow} if (slow := visits["slow_down"]) else {}
    classes = {
        "under_10_kb": sizes["under_10_kb"],
        "under_100_kb": sizes["under_100_kb"],
        "under_1_mb": sizes["under_1_mb"],
        "from_1_mb": sizes["from_1_mb"],
    }
    return {name: slow for name, one in classes.items() if (slow := one["slow_down"])}


def _slow_downs(axis: Axes, shown: Sequence[tuple[_Shown, str]]) -> None:
    """Draw the slow-downs for each size that occurred. Films have no size, so they have their own place."""
    sizes = [one.by_size for one, _ in shown]
    named = {**_CLASSES, "film": "films", "all": "all sizes"}
    classes = {key: name for key, name in named.items() if any(key in some for some in sizes)}
    width = 0.8 / len(shown)
    for number, ((one, colour), some) in enumerate(zip(shown, sizes, strict=True)):
        there = [(place, some[key]) for place, key in enumerate(classes) if key in some]
        places = [place - 0.4 + width * (number + 0.5) for place, _ in there]
        middle = [slow.p50 for _, slow in there]
        above = [slow.p95 - slow.p50 for _, slow in there]
        axis.bar(places, middle, width=0.9 * width, label=one.name, color=colour)
        axis.errorbar(
            places, middle, yerr=[[0.0] * len(above), above], fmt="none", ecolor="#333333", capsize=2, linewidth=0.8
        )
    counts = [sum(some[key].samples for some in sizes if key in some) for key in classes]
    names = [f"{name}\n({count})" for name, count in zip(classes.values(), counts, strict=True)]
    axis.set_xticks(range(len(classes)), names, fontsize="small")
    axis.axhline(1.0, color="#888888", linewidth=0.8)
    axis.set_ylabel("time / time on an empty path")
    axis.set_ylim(bottom=0)
    axis.set_title("Slow-down by size: median, up to p95 (visits)")
