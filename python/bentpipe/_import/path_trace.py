# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write the steps of a measurement as a path trace, for the key `path_trace` of a link, and compute key figures."""

from __future__ import annotations

import statistics
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, TypedDict

from bentpipe.base.names import printable

if TYPE_CHECKING:
    from bentpipe._import.steps import Steps


class Percentiles(TypedDict):
    """Round trips of the samples in ms."""

    p5: float
    p50: float
    p95: float


class Rates(TypedDict):
    """Rates of the file in Mbit/s. The mean is over time."""

    least: float
    mean: float
    most: float


class Figures(TypedDict):
    """The key figures of a path trace.

    Attributes:
        duration_s: The time of the last row.
        samples: Number of samples of the source in this time.
        rtt_ms: Percentiles of the round trip; None without round trips.
        outages: Number of intervals in which all packets are lost.
        outage_s: Total length of the outages.
        longest_outage_s: Length of the longest interval.
        rate_mbit_s: Rates; None without rates.
    """

    duration_s: float
    samples: int
    rtt_ms: Percentiles | None
    outages: int
    outage_s: float
    longest_outage_s: float
    rate_mbit_s: Rates | None


def text(steps: Steps, step_ns: int, about: str) -> str:
    """Return the CSV, with its origin and its notes in comments."""
    rows = steps.rows
    any_loss = any(row.loss for row in rows)
    columns = [
        ("rate_mbit_s", [row.rate_mbit_s for row in rows]),
        ("delay_ms", [None if row.rtt_ms is None else row.rtt_ms / 2 for row in rows]),
        ("loss_ratio", [row.loss if any_loss else None for row in rows]),
    ]
    there = {name: [_short(f"{cell:.6f}") for cell in cells if cell is not None] for name, cells in columns}
    there = {name: cells for name, cells in there.items() if cells}
    lines = [f"# {printable(line)}" for line in (about, *steps.notes)]
    lines.append(",".join(["time_s", *there]))
    before: tuple[str, ...] = ()
    for row, *cells in zip(rows, *there.values(), strict=True):
        if tuple(cells) != before or row is rows[-1]:
            lines.append(",".join([_seconds(row.step * step_ns), *cells]))
        before = tuple(cells)
    return "\n".join(lines) + "\n"


def figures(steps: Steps, step_ns: int) -> Figures:
    """Return the key figures of a path trace with steps of `step_ns`."""
    rows, samples = steps.rows, steps.samples
    step_s = step_ns / 1e9
    spans = [(row, (later.step - row.step) * step_s) for row, later in pairwise(rows)]
    outages = [sum(span for _, span in some) for out, some in groupby(spans, lambda one: one[0].loss >= 1) if out]
    rates = [(row.rate_mbit_s, span) for row, span in spans if row.rate_mbit_s is not None]
    rtts = [sample.rtt_ms for sample in samples if sample.rtt_ms is not None]
    return {
        "duration_s": round(rows[-1].step * step_s, 9),
        "samples": len(samples),
        "rtt_ms": _percentiles(rtts) if rtts else None,
        "outages": len(outages),
        "outage_s": round(sum(outages), 9),
        "longest_outage_s": round(max(outages, default=0.0), 9),
        "rate_mbit_s": {
            "least": min(rate for rate, _ in rates),
            "mean": sum(rate * span for rate, span in rates) / sum(span for _, span in rates),
            "most": max(rate for rate, _ in rates),
        }
        if rates
        else None,
    }


def _percentiles(values: list[float]) -> Percentiles:
    """Return the 5th, 50th and 95th percentile."""
    if len(values) == 1:
        return {"p5": values[0], "p50": values[0], "p95": values[0]}
    twentieths = statistics.quantiles(values, n=20, method="inclusive")
    return {"p5": twentieths[0], "p50": twentieths[9], "p95": twentieths[18]}


def _short(cell: str) -> str:
    """Return a decimal without trailing zeros."""
    return cell.rstrip("0").rstrip(".")


def _seconds(ns: int) -> str:
    whole, part = divmod(ns, 10**9)
    return _short(f"{whole}.{part:09d}")
