# SPDX-License-Identifier: MIT OR Apache-2.0
"""Numbers that are read from runs, and parts of pictures, for use in several studies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import bentpipe as bp
from bentpipe import plots
from bentpipe.base.stats import trials
from bentpipe.results.summaries import given, number, weighted_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from bentpipe.base.stats import Bounds
    from bentpipe.results.summaries import Cause, Delays

    Floats = NDArray[np.float64]


def series(run: bp.Run, column: str, flow: int = 0) -> tuple[Floats, Floats]:
    """Return times in s and a column of one flow's series. Missing values are NaN."""
    table = run.flows.arrow
    mine = plots.column(table, "flow") == flow
    return plots.column(table, "time_s")[mine], plots.column(table, column)[mine]


def snapshot(run: bp.Run, name: str, flow: int = 0) -> tuple[Floats, Floats]:
    """Return times in s and values of one of the controller's own numbers; empty if no number has this name."""
    table = run.snapshots.arrow
    mine = pc.equal(table.column("flow"), pa.scalar(flow, table.schema.field("flow").type))
    rows = table.filter(pc.and_(mine, pc.equal(table.column("name"), name)))
    return plots.column(rows, "time_s"), plots.column(rows, "value")


def own_limit(runs: Iterable[bp.Run]) -> None:
    """Refuse runs in which the receiver's window limited a sender, because such runs do not measure the controller.

    Raises:
        ValueError: If there is such a run.
    """
    for run in runs:
        held = [flow["name"] for flow in run.summary["flows"] if flow["receiver_limited"]]
        if held:
            raise ValueError(f"{run.name}: the receiver's window limited {', '.join(held)} (enlarge it)")


def change_text(change: bp.Estimate) -> str:
    """Return the text of a change in percent, for a table."""
    if change.mean == 0.0 == change.half_width:
        return "no change"
    digits = 1 if max(abs(change.mean), change.half_width) >= 0.05 else 3
    mean = round(change.mean, digits) + 0.0  # no "-0.0"
    width = f" ± {change.half_width:.{digits}f}" if change.half_width else ""
    return f"{mean:+.{digits}f}{width} %"


def shown(one: bp.Estimate, digits: int, unit: str = "") -> str:
    """Return the text of a mean with its interval, or only the number if the interval has width 0."""
    return one.text(digits, unit) if one.half_width else f"{one.mean:.{digits}f}{' ' + unit if unit else ''}"


def totals(runs: Sequence[bp.Run], metric: str) -> list[float]:
    """Return a number of the summary's totals, for each run."""
    return [given(number(run.summary["totals"], metric)) for run in runs]


def goodput(runs: Sequence[bp.Run]) -> list[float]:
    """Return the delivered data of all flows per time after the warm-up, in Mbit/s, for each run."""
    return totals(runs, "delivered_mbit_s")


def loss_percent(runs: Sequence[bp.Run], cause: Cause | None = None) -> list[float]:
    """Return the lost packets in percent of the sent packets, for each run.

    Args:
        runs: The runs.
        cause: The true cause (queue, error, outage, policer, too_large); None for all causes. If the run has no policer
            or no MTU, the loss to this cause is 0.
    """
    name = f"loss_ratio_{cause}" if cause else "loss_ratio"
    if cause == "policer":
        return [100.0 * (run.summary["totals"].get("loss_ratio_policer") or 0.0) for run in runs]
    if cause == "too_large":
        return [100.0 * (run.summary["totals"].get("loss_ratio_too_large") or 0.0) for run in runs]
    return [100.0 * ratio for ratio in totals(runs, name)]


def counts(runs: Sequence[bp.Run], metric: str) -> list[float]:
    """Return a count such as `cuts`, `timeouts` or `sent_packets`, summed over the flows, for each run."""
    return [math.fsum(given(number(flow, metric)) for flow in run.summary["flows"]) for run in runs]


def lost_packets(runs: Sequence[bp.Run], cause: Cause) -> list[float]:
    """Return the number of packets lost to a true cause (queue, error, outage, policer, too_large), for each run."""
    return [float(sum(flow["losses"].get(cause, 0) for flow in run.summary["flows"])) for run in runs]


def mean_of(run: bp.Run, name: Delays) -> float:
    """Return the mean of a distribution in the summary over all samples of all flows; 0 without samples."""
    parts = [part for flow in run.summary["flows"] if (part := flow.get(name))]
    return weighted_mean((part["mean"], part["samples"]) for part in parts) or 0.0


def means_of(runs: Sequence[bp.Run], name: Delays) -> list[float]:
    """Return `mean_of` for each run."""
    return [mean_of(run, name) for run in runs]


def verdicts(runs: Sequence[bp.Run]) -> dict[str, int]:
    """Return the confusion matrix of all flows of all runs: a count for each ``truth_as_verdict``."""
    every = [flow["verdicts"] for run in runs for flow in run.summary["flows"]]
    return {
        "congestion_as_congestion": sum(one["congestion_as_congestion"] for one in every),
        "congestion_as_error": sum(one["congestion_as_error"] for one in every),
        "error_as_error": sum(one["error_as_error"] for one in every),
        "error_as_congestion": sum(one["error_as_congestion"] for one in every),
        "spurious": sum(one["spurious"] for one in every),
    }


def confusion(run: bp.Run) -> dict[str, float | None]:
    """Return how the controller judged losses: P(C|C) for congestion, P(E|R) for random errors; None without losses."""
    total = verdicts([run])
    of_congestion = total["congestion_as_congestion"] + total["congestion_as_error"]
    of_error = total["error_as_error"] + total["error_as_congestion"]
    return {
        "P(C|C)": total["congestion_as_congestion"] / of_congestion if of_congestion else None,
        "P(E|R)": total["error_as_error"] / of_error if of_error else None,
    }


def cuts_per_1000(run: bp.Run) -> float:
    """Return window reductions (with timeouts that reduce the window) per 1000 packets lost to link errors."""
    return 1000.0 * counts([run], "cuts")[0] / max(lost_packets([run], "error")[0], 1.0)


def total_goodput(run: bp.Run) -> list[tuple[float, float]]:
    """Return times in s and the goodput of all flows together in Mbit/s, in order of time."""
    sums: dict[float, float] = {}
    for time, value in zip(run.flows["time_s"], run.flows["goodput_mbit_s"], strict=True):
        sums[time] = sums.get(time, 0.0) + value
    return sorted(sums.items())


def goodputs(run: bp.Run, name: str | None = None) -> list[float]:
    """Return the goodput of each flow in Mbit/s; with `name`, only of the flows with this name."""
    flows = run.summary["flows"]
    return [given(flow["goodput_mbit_s"]) for flow in flows if name is None or flow["name"] == name]


def jain(values: Sequence[float]) -> float:
    """Return Jain's index (Σx)²/(n Σx²); NaN if nothing was delivered."""
    squares = math.fsum(x * x for x in values)
    return math.fsum(values) ** 2 / (len(values) * squares) if squares else math.nan


def events(run: bp.Run, *kinds: str, columns: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the events of some kinds as dictionaries, in order of time. Only these events are converted to Python."""
    table = run.events.arrow
    chosen = table.filter(pc.is_in(table["event"].cast(pa.string()), pa.array(kinds)))
    return list((chosen.select(list(columns)) if columns else chosen).to_pylist())


def cuts(run: bp.Run, *, timeouts: bool = True) -> list[tuple[float, float, float]]:
    """Return the window reductions: time in s, window before and window after, in segments."""
    rows = events(run, "cut", "timeout", columns=("time_s", "event", "before", "after"))
    late = {row["time_s"] for row in rows if row["event"] == "timeout"}
    cut = [(float(row["time_s"]), float(row["before"]), float(row["after"])) for row in rows if row["event"] == "cut"]
    return [one for one in cut if timeouts or one[0] not in late]


def with_errors(axis: Axes, x: Sequence[float], y: Sequence[bp.Estimate], label: str, **style: Any) -> None:
    """Draw means over the seeds as a line with marks, and their 95 % intervals as bars."""
    widths = [0.0 if math.isinf(one.half_width) else one.half_width for one in y]
    axis.errorbar(x, [one.mean for one in y], yerr=widths, label=label, capsize=2, linewidth=1.2, **style)


def bars(axis: Axes, names: Sequence[str], groups: Sequence[tuple[str, Sequence[bp.Estimate]]]) -> None:
    """Draw horizontal bars with 95 % intervals: for each name, one bar for each group."""
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


def sampled(values: Sequence[float], bounds: Bounds | None = None) -> bp.Estimate:
    """Return the estimate of `values`, one per seed.

    Args:
        values: The values. Equal values of all seeds are a number that does not vary by seed, unless there are bounds.
        bounds: The range of a number with few possible values, such as whether something happened. Then each seed is a
            trial, and equal values of several seeds have the interval of `bentpipe.base.stats.trials`.
    """
    if len(set(values)) > 1:
        return bp.estimate(values)
    return trials(values[0], len(values), bounds) if bounds and len(values) > 1 else bp.fixed(values[0])


def mean_between(times: Floats, values: Floats, start_s: float, stop_s: float) -> float:
    """Return the mean of the samples in (start, stop]; NaN without samples."""
    chosen = values[(times > start_s) & (times <= stop_s)]
    return float(np.nanmean(chosen)) if chosen.size else float("nan")


def running_mean(values: Floats, points: int) -> Floats:
    """Return the mean over each sample and the samples before it, `points` in total; NaN for the first samples."""
    whole = np.full(values.shape, np.nan)
    if values.size >= points:
        whole[points - 1 :] = np.convolve(values, np.ones(points) / points, mode="valid")
    return whole


def smaller_over_larger(one: float, other: float) -> float:
    """Return the smaller of two rates divided by the larger, in percent; NaN if both are zero."""
    low, high = sorted((one, other))
    return 100.0 * low / high if high > 0.0 else math.nan


def mean_known(values: Floats) -> float:
    """Return the mean of the known values; NaN if no value is known."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def mean_queue_ms(run: bp.Run, flow: int = 0) -> float:
    """Return the mean true queueing delay of a flow's delivered packets in ms; NaN if no packet was delivered."""
    delay = run.summary["flows"][flow]["queueing_delay_ms"]
    return delay["mean"] if delay else math.nan
