# SPDX-License-Identifier: MIT OR Apache-2.0
"""Numbers read from runs, and the marks that figures of studies share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import bentpipe as bp
from bentpipe import plots
from bentpipe.results.summaries import given, number, weighted_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from bentpipe.results.summaries import Cause, Delays

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
        held = [flow["name"] for flow in run.summary["flows"] if flow["receiver_limited"]]
        if held:
            raise ValueError(f"{run.name}: the receiver's window held back {', '.join(held)}; enlarge it")


def change_text(change: bp.Estimate) -> str:
    """A change in percent, for a table."""
    if change.mean == 0.0 == change.half_width:
        return "no change"
    digits = 1 if max(abs(change.mean), change.half_width) >= 0.05 else 3
    mean = round(change.mean, digits) + 0.0  # no "-0.0"
    width = f" ± {change.half_width:.{digits}f}" if change.half_width else ""
    return f"{mean:+.{digits}f}{width} %"


def shown(one: bp.Estimate, digits: int, unit: str = "") -> str:
    """A mean with its interval; the number alone where every seed gave the same, or there is no chance."""
    return one.text(digits, unit) if one.half_width else f"{one.mean:.{digits}f}{' ' + unit if unit else ''}"


def totals(runs: Sequence[bp.Run], metric: str) -> list[float]:
    """A number of the summaries' totals, one per run."""
    return [given(number(run.summary["totals"], metric)) for run in runs]


def goodput(runs: Sequence[bp.Run]) -> list[float]:
    """Goodput of all flows together in Mbit/s, one per run."""
    return totals(runs, "goodput_mbit_s")


def loss_percent(runs: Sequence[bp.Run], cause: Cause | None = None) -> list[float]:
    """Packets lost, of those sent, in percent, one per run; of one true cause (queue, error, outage, policer) or all.

    Args:
        runs: Which.
        cause: The true cause; None for all together. Runs without a policer lost nothing to one.
    """
    name = f"loss_ratio_{cause}" if cause else "loss_ratio"
    if cause == "policer":
        return [100.0 * (run.summary["totals"].get("loss_ratio_policer") or 0.0) for run in runs]
    return [100.0 * ratio for ratio in totals(runs, name)]


def counts(runs: Sequence[bp.Run], metric: str) -> list[float]:
    """A count of the flows, added up over the flows, one per run: `cuts`, `timeouts`, `sent_packets`."""
    return [math.fsum(given(number(flow, metric)) for flow in run.summary["flows"]) for run in runs]


def lost_packets(runs: Sequence[bp.Run], cause: Cause) -> list[float]:
    """Packets lost to a true cause (queue, error, outage, policer), one number per run."""
    return [float(sum(flow["losses"].get(cause, 0) for flow in run.summary["flows"])) for run in runs]


def mean_of(run: bp.Run, name: Delays) -> float:
    """Mean over all samples of all flows of a distribution in the summary; zero without samples."""
    parts = [part for flow in run.summary["flows"] if (part := flow.get(name))]
    return weighted_mean((part["mean"], part["samples"]) for part in parts) or 0.0


def means_of(runs: Sequence[bp.Run], name: Delays) -> list[float]:
    """`mean_of` of each run."""
    return [mean_of(run, name) for run in runs]


def verdicts(runs: Sequence[bp.Run]) -> dict[str, int]:
    """The confusion matrix of all flows of all runs, a count per judgement: ``truth_as_verdict``."""
    every = [flow["verdicts"] for run in runs for flow in run.summary["flows"]]
    return {
        "congestion_as_congestion": sum(one["congestion_as_congestion"] for one in every),
        "congestion_as_error": sum(one["congestion_as_error"] for one in every),
        "error_as_error": sum(one["error_as_error"] for one in every),
        "error_as_congestion": sum(one["error_as_congestion"] for one in every),
        "spurious": sum(one["spurious"] for one in every),
    }


def confusion(run: bp.Run) -> dict[str, float | None]:
    """How the controller judged losses: P(C|C) of true congestion, P(E|R) of random errors; None without any."""
    total = verdicts([run])
    of_congestion = total["congestion_as_congestion"] + total["congestion_as_error"]
    of_error = total["error_as_error"] + total["error_as_congestion"]
    return {
        "P(C|C)": total["congestion_as_congestion"] / of_congestion if of_congestion else None,
        "P(E|R)": total["error_as_error"] / of_error if of_error else None,
    }


def cuts_per_1000(run: bp.Run) -> float:
    """Window reductions (a timeout that reduces the window is one too) per 1000 packets lost to link errors."""
    return 1000.0 * counts([run], "cuts")[0] / max(lost_packets([run], "error")[0], 1.0)


def total_goodput(run: bp.Run) -> list[tuple[float, float]]:
    """Time in s and goodput of all flows together in Mbit/s, in order of time."""
    sums: dict[float, float] = {}
    for time, value in zip(run.flows["time_s"], run.flows["goodput_mbit_s"], strict=True):
        sums[time] = sums.get(time, 0.0) + value
    return sorted(sums.items())


def goodputs(run: bp.Run, name: str | None = None) -> list[float]:
    """Goodput of each flow in Mbit/s; with `name` of the flows of that name."""
    flows = run.summary["flows"]
    return [given(flow["goodput_mbit_s"]) for flow in flows if name is None or flow["name"] == name]


def jain(values: Sequence[float]) -> float:
    """Jain's index (Σx)²/(n Σx²); NaN if nothing was delivered."""
    squares = math.fsum(x * x for x in values)
    return math.fsum(values) ** 2 / (len(values) * squares) if squares else math.nan


def events(run: bp.Run, *kinds: str, columns: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The events of some kinds in the order of time, a dictionary each; of many events this makes few into Python."""
    table = run.events.arrow
    chosen = table.filter(pc.is_in(table["event"].cast(pa.string()), pa.array(kinds)))
    return list((chosen.select(list(columns)) if columns else chosen).to_pylist())


def cuts(run: bp.Run, *, timeouts: bool = True) -> list[tuple[float, float, float]]:
    """(time in s, window before, window after, in segments) of the window's reductions."""
    rows = events(run, "cut", "timeout", columns=("time_s", "event", "before", "after"))
    late = {row["time_s"] for row in rows if row["event"] == "timeout"}
    cut = [(float(row["time_s"]), float(row["before"]), float(row["after"])) for row in rows if row["event"] == "cut"]
    return [one for one in cut if timeouts or one[0] not in late]


def with_errors(axis: Axes, x: Sequence[float], y: Sequence[bp.Estimate], label: str, **style: Any) -> None:
    """Means over the seeds as a line with marks, and their 95 % intervals as bars."""
    widths = [0.0 if math.isinf(one.half_width) else one.half_width for one in y]
    axis.errorbar(x, [one.mean for one in y], yerr=widths, label=label, capsize=2, linewidth=1.2, **style)


def bars(axis: Axes, names: Sequence[str], groups: Sequence[tuple[str, Sequence[bp.Estimate]]]) -> None:
    """Horizontal bars: one place for each name, one bar in it for each group, with 95 % intervals."""
    height = 0.8 / len(groups)
    places = np.arange(len(names), dtype=np.float64)
    for place, (label, estimates) in enumerate(groups):
        widths = [0.0 if math.isinf(one.half_width) else one.half_width for one in estimates]
        axis.barh(
            places - 0.4 + height * (place + 0.5),
            [one.mean for one in estimates],
            height=0.9 * height,
            xerr=widths,
            label=label,
            error_kw={"elinewidth": 0.8, "capsize": 1.5},
        )
    axis.set_yticks(places, names)
    axis.invert_yaxis()
    axis.grid(visible=False, axis="y")


def sampled(values: Sequence[float]) -> bp.Estimate:
    """The estimate of `values`, one per seed; a fixed number if no seed made a difference: there was no chance."""
    return bp.fixed(values[0]) if len(set(values)) == 1 else bp.estimate(values)


def mean_between(times: Floats, values: Floats, start_s: float, stop_s: float) -> float:
    """Mean of the samples in (start, stop]; NaN if there is none."""
    chosen = values[(times > start_s) & (times <= stop_s)]
    return float(np.nanmean(chosen)) if chosen.size else float("nan")


def running_mean(values: Floats, points: int) -> Floats:
    """Mean of each sample and those before it, `points` in all; NaN until there are as many."""
    whole = np.full(values.shape, np.nan)
    if values.size >= points:
        whole[points - 1 :] = np.convolve(values, np.ones(points) / points, mode="valid")
    return whole


def smaller_over_larger(one: float, other: float) -> float:
    """The smaller of two rates over the larger, in percent; NaN if both are zero."""
    low, high = sorted((one, other))
    return 100.0 * low / high if high > 0.0 else math.nan


def mean_known(values: Floats) -> float:
    """Mean of what is known; NaN if nothing is."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def mean_queue_ms(run: bp.Run, flow: int = 0) -> float:
    """Mean true queueing delay of a flow's delivered packets in ms; NaN if none was delivered."""
    delay = run.summary["flows"][flow]["queueing_delay_ms"]
    return delay["mean"] if delay else math.nan
