# SPDX-License-Identifier: MIT OR Apache-2.0
"""Describe the times of visits of applications in words, a line per flow.

Comparisons use product-limit percentiles over every visit that began (the key `all`). If a percentile was not reached,
its value is the whole measured time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.results.summaries import given

if TYPE_CHECKING:
    from bentpipe.results.summary_types import FlowSummary, VisitsSummary
    from bentpipe.runs.run import Run

#: For each kind, the name of a visit and the name of its duration.
WORDS = {
    "transfer": ("transfers", "completion"),
    "page": ("pages", "load time"),
    "film": ("films", "start-up"),
    "exchange": ("exchanges", "completion"),
}

#: The load of the visits that began is also printed if it differs from the requested load by more than this fraction.
_APART = 0.2


def flows_of(run: Run) -> list[tuple[FlowSummary, VisitsSummary]]:
    """Return the application flows of a run, as in its summary, each with its visits."""
    return [(flow, visits) for flow in run.summary["flows"] if (visits := flow.get("visits"))]


def lines(run: Run, at_most: int = 20) -> list[str]:
    """Return a line for each application flow."""
    flows = flows_of(run)
    said = [_line(flow["name"], visits) for flow, visits in flows[:at_most]]
    return [*said, *([f"{len(flows) - at_most} more application flows"] if len(flows) > at_most else [])]


def _line(name: str, visits: VisitsSummary) -> str:
    what, counts = WORDS[visits["of"]]
    said = [f"{name}: {visits['finished']} of {visits['begun']} {what} done"]
    if took := visits["took_s"]:
        said.append(f"{counts} median {took['p50']:.3g} s, p95 {took['p95']:.3g} s, p99 {took['p99']:.3g} s")
    if slow := visits["slow_down"]:
        said.append(f"slow-down against an empty path median {slow['p50']:.3g}, p95 {slow['p95']:.3g}")
    if share := visits.get("stalled_share"):
        stalls = given(visits.get("stalls"))
        said.append(f"stalled for {100 * share['mean']:.2g} % of the time, {stalls['mean']:.2g} stalls per film")
    if quality := visits.get("quality_mbit_s"):
        shown = f"{quality['mean']:.3g} Mbit/s, p5 {quality['p5']:.3g}"
        alone = visits.get("sustainable_mbit_s")
        said.append(f"{shown}; an empty path carries {alone['mean']:.3g} Mbit/s" if alone else shown)
    if visits["load"] is not None:
        drawn = visits["drawn_mbit_s"]
        of_mean = 1.0 if drawn is None else drawn / given(visits["offered_mbit_s"])
        # The mean of few visits from a heavy-tailed distribution is usually below its mean.
        apart = f" ({of_mean * visits['load']:.2g} from the visits that began)" if abs(of_mean - 1) > _APART else ""
        said.append(f"load {visits['load']:.3g}{apart}")
    return "; ".join(said)
