# SPDX-License-Identifier: MIT OR Apache-2.0
"""Describe the times of visits of applications in words, a line per flow.

Comparisons use product-limit percentiles over every visit that began (the key `all`). If a percentile was not reached,
its value is the whole measured time.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Literal

from bentpipe.results.summaries import given

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bentpipe.results.summary_types import FlowSummary, VisitsSummary
    from bentpipe.runs.run import Run

#: For each kind, the name of a visit and the name of its duration.
WORDS = {
    "transfer": ("transfers", "completion"),
    "page": ("pages", "load time"),
    "film": ("films", "start-up"),
    "exchange": ("exchanges", "completion"),
}

#: The number at the end of a flow's name.
_NUMBERED = re.compile(r"[ _#-]*\d+$")
#: Percentiles of a file, each with its word in headings.
_PERCENTILES: dict[Literal["p50", "p95", "p99"], str] = {"p50": "median", "p95": "p95", "p99": "p99"}

#: The load of the visits that began is also printed if it differs from the requested load by more than this fraction.
_APART = 0.2


def flows_of(run: Run) -> list[tuple[FlowSummary, VisitsSummary]]:
    """Return the application flows of a run, as in its summary, each with its visits."""
    return [(flow, visits) for flow in run.summary["flows"] if (visits := flow.get("visits"))]


def lines(run: Run, at_most: int = 20) -> list[str]:
    """Return a line for each application flow and each group of flows. With more than `at_most` flows, only for groups.

    The flows of a group have the same kind, and names that differ only in the number at the end ("web 1", "web 2").
    """
    flows = flows_of(run)
    groups: dict[tuple[str, str], list[tuple[FlowSummary, VisitsSummary]]] = {}
    for flow, visits in flows:
        groups.setdefault((base_name(flow["name"]), visits["of"]), []).append((flow, visits))
    if len(flows) <= at_most:
        several = [_group_line(run, name, some) for (name, _), some in groups.items() if len(some) > 1]
        return [*(_line(flow["name"], visits) for flow, visits in flows), *several]
    said = [_group_line(run, name, some) for (name, _), some in list(groups.items())[:at_most]]
    return [*said, *([f"{len(groups) - at_most} more groups of flows"] if len(groups) > at_most else [])]


def base_name(name: str) -> str:
    """Return the name of a flow without the number at its end; flows with the same name are a group."""
    return _NUMBERED.sub("", name)


def times(run: Run, flows: Collection[int]) -> list[float]:
    """Return the sorted times of the visits of some flows that began after the warm-up and reached their end, in s."""
    table, warm_up_s = run.visits, run.summary["provenance"]["warm_up_s"]
    if not len(table):
        return []
    rows = zip(table["flow"], table["began_s"], table["took_s"], strict=True)
    return sorted(
        took for flow, began, took in rows if flow in flows and began >= warm_up_s and took is not None and took == took
    )


def _group_line(run: Run, name: str, flows: Sequence[tuple[FlowSummary, VisitsSummary]]) -> str:
    """Return the line of a group: percentiles over the visits of all flows, and the range of the flows' medians."""
    some = [visits for _, visits in flows]
    if len(some) == 1:
        return _line(name, some[0])
    what, counts = WORDS[some[0]["of"]]
    done, begun = sum(one["finished"] for one in some), sum(one["begun"] for one in some)
    said = [f"{name} ({len(some)} flows): {done} of {begun} {what} done"]
    if took := times(run, {flow["flow"] for flow, _ in flows}):
        # Nearest rank: the smallest time that at least this share of the visits does not exceed.
        shares = {word: took[math.ceil(int(key[1:]) / 100 * len(took)) - 1] for key, word in _PERCENTILES.items()}
        said.append(f"{counts} {', '.join(f'{word} {value:.3g} s' for word, value in shares.items())}")
    if medians := [one["took_s"]["p50"] for one in some if one["took_s"]]:
        said.append(f"medians of the flows {_range(medians)} s")
    if slow := [slow_down["p50"] for one in some if (slow_down := one["slow_down"])]:
        said.append(f"median slow-downs of the flows (time / time on an empty path) {_range(slow)}")
    if shares_stalled := [100 * stalled["mean"] for one in some if (stalled := one.get("stalled_share"))]:
        said.append(f"films of the flows stalled for {_range(shares_stalled)} % of the time")
    return "; ".join(said)


def _range(values: Sequence[float]) -> str:
    least, most = f"{min(values):.3g}", f"{max(values):.3g}"
    return least if least == most else f"{least} to {most}"


def cells(flow: FlowSummary) -> dict[str, str]:
    """Return the numbers of a flow's visits by heading, with units, for a file; empty without visits."""
    visits = flow.get("visits")
    if not visits:
        return {}
    took, slow, load = visits["took_s"], visits["slow_down"], visits["load"]
    stalled, stalls = visits.get("stalled_share"), visits.get("stalls")
    quality = visits.get("quality_mbit_s")
    return {
        "visits begun": str(visits["begun"]),
        "visits done": str(visits["finished"]),
        **{f"{word} visit s": _cell(took and took[key]) for key, word in _PERCENTILES.items()},
        "median slow-down": _cell(slow and slow["p50"]),
        "p95 slow-down": _cell(slow and slow["p95"]),
        "stalled %": _cell(stalled and 100 * stalled["mean"]),
        "stalls per film": _cell(stalls and stalls["mean"]),
        "film Mbit/s": _cell(quality and quality["mean"]),
        "load": _cell(load),
    }


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:.6g}"


def _line(name: str, visits: VisitsSummary) -> str:
    what, counts = WORDS[visits["of"]]
    said = [f"{name}: {visits['finished']} of {visits['begun']} {what} done"]
    if took := visits["took_s"]:
        said.append(f"{counts} median {took['p50']:.3g} s, p95 {took['p95']:.3g} s, p99 {took['p99']:.3g} s")
    if slow := visits["slow_down"]:
        said.append(f"slow-down (time / time on an empty path) median {slow['p50']:.3g}, p95 {slow['p95']:.3g}")
    if share := visits.get("stalled_share"):
        stalls = given(visits.get("stalls"))
        said.append(f"stalled for {100 * share['mean']:.2g} % of the time, {stalls['mean']:.2g} stalls per film")
    if quality := visits.get("quality_mbit_s"):
        shown = f"{quality['mean']:.3g} Mbit/s, p5 {quality['p5']:.3g}"
        alone = visits.get("sustainable_mbit_s")
        said.append(f"film rate {shown} (on an empty path {alone['mean']:.3g} Mbit/s)" if alone else shown)
    if visits["load"] is not None:
        drawn = visits["drawn_mbit_s"]
        of_mean = 1.0 if drawn is None else drawn / given(visits["offered_mbit_s"])
        # The mean of few visits from a heavy-tailed distribution is usually below its mean.
        apart = f" ({of_mean * visits['load']:.2g} from the visits that began)" if abs(of_mean - 1) > _APART else ""
        said.append(f"load {visits['load']:.3g}{apart}")
    return "; ".join(said)
