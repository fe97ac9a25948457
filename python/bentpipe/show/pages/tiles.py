# SPDX-License-Identifier: MIT OR Apache-2.0
"""The key figures of a run, which are tiles at the top of its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bentpipe.results import felt, split
from bentpipe.results.metrics import BY_KEY, Asked
from bentpipe.results.transfers import of_resolved

if TYPE_CHECKING:
    from bentpipe.results.summary_types import Summary
    from bentpipe.runs.run import Run

#: The numbers after the main number, for runs that have them.
_OTHERS = ("visit_p95_s", "loss_percent", "rtt_p95_ms", "queueing_p95_ms")


@dataclass(frozen=True, slots=True)
class Tile:
    """A key figure: its name, its number with the unit, and a note below the number."""

    label: str
    value: str
    unit: str
    note: str = ""


def tiles(run: Run) -> list[Tile]:
    """Return the key figures: completion if every flow ends, otherwise goodput; then loss, delays and utilisation."""
    summary, asked = run.summary, Asked(None, of_resolved(run.scenario))
    there = asked.there(summary)
    found = [] if there.ends else [_tile("goodput_mbit_s", summary, asked)]
    if there.transfers:
        found.append(_completion(summary, asked))
    found += [_tile(key, summary, asked) for key in _OTHERS]
    return [tile for tile in [*found, _utilisation(summary)] if tile is not None]


def _tile(key: str, summary: Summary, asked: Asked) -> Tile | None:
    metric = BY_KEY[key]
    value = metric.read(summary, asked)
    if value is None:
        return None
    note = _causes(summary) if key == "loss_percent" else _over_flows(key, summary, asked)
    return Tile(metric.label, f"{value:.{metric.digits}f}", metric.unit, note)


def _over_flows(key: str, summary: Summary, asked: Asked) -> str:
    """Return a note on a number of several flows or of one part of split flows, and empty text otherwise."""
    if key == "visit_p95_s":
        count, weight = felt.count(summary, asked), "visits"
    elif key in ("rtt_p95_ms", "queueing_p95_ms"):
        name: Literal["rtt_ms", "queueing_delay_ms"] = "rtt_ms" if key == "rtt_p95_ms" else "queueing_delay_ms"
        count, weight = sum(flow.get(name) is not None for flow in asked.of(summary)), "packets"
    else:
        return ""
    of_flows = f"mean of the p95 of {count} flows, weighted by {weight}" if count > 1 else ""
    is_split = key == "rtt_p95_ms" and not split.parts(summary).keys().isdisjoint(
        flow["flow"] for flow in asked.of(summary)
    )
    return "; ".join([*([of_flows] if of_flows else []), *(["slowest part of split flows"] if is_split else [])])


def _completion(summary: Summary, asked: Asked) -> Tile:
    """Return the median completion time, or if it is not known, the number of finished transfers."""
    flows = asked.transfers(summary)
    done = sum(flow["completed_at_s"] is not None for flow in flows)
    middle, late = (BY_KEY[key].read(summary, asked) for key in ("completion_median_s", "completion_p95_s"))
    if middle is None:
        return Tile("transfers done", f"{done} of {len(flows)}", "", f"in {summary['provenance']['duration_s']:g} s")
    notes = [f"p95 {late:.2f} s"] if late is not None and len(flows) > 1 else []
    notes += [f"{done} of {len(flows)} done"] if len(flows) > 1 else []
    return Tile("median completion" if len(flows) > 1 else "completion", f"{middle:.2f}", "s", ", ".join(notes))


def _causes(summary: Summary) -> str:
    """Return the loss by true cause, in words."""
    totals = summary["totals"]
    causes = {
        "queue": totals["loss_ratio_queue"],
        "error": totals["loss_ratio_error"],
        "outage": totals["loss_ratio_outage"],
        "policer": totals.get("loss_ratio_policer"),
        "too large": totals.get("loss_ratio_too_large"),
    }
    return ", ".join(f"{why} {100 * ratio:.2f} %" for why, ratio in causes.items() if ratio)


def _utilisation(summary: Summary) -> Tile | None:
    """Return the utilisation of the bottleneck: the fullest link or shared transmitter."""
    most = summary["bottleneck"]
    return (
        None
        if most is None
        else Tile("utilisation", f"{100 * most['utilisation']:.1f}", "%", f"bottleneck {most['name']}")
    )
