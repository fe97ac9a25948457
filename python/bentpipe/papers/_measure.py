# SPDX-License-Identifier: MIT OR Apache-2.0
"""Numbers read from runs, and the marks that figures of papers share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

import bentpipe as bp
from bentpipe import plots

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def series(run: bp.Run, column: str, flow: int = 0) -> tuple[Floats, Floats]:
    """Time in s and a column of one flow's series, missing values as NaN."""
    table = run.flows.arrow
    mine = plots.column(table, "flow") == flow
    return plots.column(table, "time_s")[mine], plots.column(table, column)[mine]


def snapshot(run: bp.Run, name: str, flow: int = 0) -> tuple[Floats, Floats]:
    """Times in s and values of one of the controller's own numbers; empty if it has none of that name."""
    table = run.snapshots.arrow
    mine = pc.equal(table.column("flow"), pa.scalar(flow, table.schema.field("flow").type))
    rows = table.filter(pc.and_(mine, pc.equal(table.column("name"), name)))
    return plots.column(rows, "time_s"), plots.column(rows, "value")


def own_limit(runs: Iterable[bp.Run]) -> None:
    """Refuse runs in which the receiver's window held a sender back: they measure no controller.

    Raises:
        ValueError: If there is one.
    """
    for run in runs:
        held = [str(flow["name"]) for flow in run.summary["flows"] if flow["receiver_limited"]]
        if held:
            raise ValueError(f"{run.name}: the receiver's window held back {', '.join(held)}; enlarge it")


def change_text(change: bp.Estimate) -> str:
    """A change in percent, for a table."""
    return f"{change.mean:+.1f} ± {change.half_width:.1f} %"


def totals(runs: Sequence[bp.Run], metric: str) -> list[float]:
    """A number of the summaries' totals, one per run."""
    return [float(run.summary["totals"][metric]) for run in runs]


def goodput(runs: Sequence[bp.Run]) -> list[float]:
    """Goodput of all flows together in Mbit/s, one per run."""
    return totals(runs, "goodput_mbit_s")


def loss_percent(runs: Sequence[bp.Run], cause: str = "") -> list[float]:
    """Packets lost, of those sent, in percent, one per run; of one true cause (queue, error, outage) or of all."""
    name = f"loss_ratio_{cause}" if cause else "loss_ratio"
    return [100.0 * ratio for ratio in totals(runs, name)]


def counts(runs: Sequence[bp.Run], metric: str) -> list[float]:
    """A count of the flows, added up over the flows, one per run: `cuts`, `timeouts`, `sent_packets`."""
    return [float(sum(int(flow[metric]) for flow in run.summary["flows"])) for run in runs]


def mean_of(run: bp.Run, name: str) -> float:
    """Mean over all samples of all flows of a distribution in the summary; zero without samples."""
    parts: list[Any] = [flow[name] for flow in run.summary["flows"] if flow.get(name)]
    samples = sum(int(part["samples"]) for part in parts)
    return sum(float(part["mean"]) * int(part["samples"]) for part in parts) / samples if samples else 0.0


def means_of(runs: Sequence[bp.Run], name: str) -> list[float]:
    """`mean_of` of each run."""
    return [mean_of(run, name) for run in runs]


def verdicts(runs: Sequence[bp.Run]) -> dict[str, int]:
    """The confusion matrix of all flows of all runs, a count per judgement: ``truth_as_verdict``."""
    total: dict[str, int] = {}
    for run in runs:
        for flow in run.summary["flows"]:
            for key, count in flow["verdicts"].items():
                total[key] = total.get(key, 0) + count
    return total


def confusion(run: bp.Run) -> dict[str, float | None]:
    """How the controller judged losses: P(C|C) of true congestion, P(E|R) of random errors; None without any."""
    total = verdicts([run])
    of_congestion = total.get("congestion_as_congestion", 0) + total.get("congestion_as_error", 0)
    of_error = total.get("error_as_error", 0) + total.get("error_as_congestion", 0)
    return {
        "P(C|C)": total.get("congestion_as_congestion", 0) / of_congestion if of_congestion else None,
        "P(E|R)": total.get("error_as_error", 0) / of_error if of_error else None,
    }


def cuts_per_1000(run: bp.Run) -> float:
    """Window reductions (a timeout that reduces the window is one too) per 1000 packets lost to link errors."""
    errors = sum(int(flow["losses"]["error"]) for flow in run.summary["flows"])
    return 1000.0 * counts([run], "cuts")[0] / max(errors, 1)


def total_goodput(run: bp.Run) -> list[tuple[float, float]]:
    """Time in s and goodput of all flows together in Mbit/s, in order of time."""
    sums: dict[float, float] = {}
    for time, value in zip(run.flows["time_s"], run.flows["goodput_mbit_s"], strict=True):
        sums[time] = sums.get(time, 0.0) + value
    return sorted(sums.items())
