# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read numbers from runs. A missing number is NaN."""

from __future__ import annotations

import itertools
import math
import statistics
from typing import TYPE_CHECKING

from bentpipe.results.summaries import given
from bentpipe.validation._scenes import PACKET_B

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bentpipe import Run, Table
    from bentpipe.results.summary_types import FlowSummary

    Reading = Callable[[Sequence[Run]], float]


def mean_window(rtt_ms: float) -> Reading:
    """Return a function that reads the segments sent per round trip (of constant time) after the warm-up.

    The number follows from Little's law.
    """

    def read(runs: Sequence[Run]) -> float:
        (run,) = runs
        where = run.summary["provenance"]
        sent = sum(flow["sent_packets"] for flow in run.summary["flows"])
        return sent / (where["duration_s"] - where["warm_up_s"]) * rtt_ms / 1e3

    return read


def rate(rtt_ms: float) -> Reading:
    """Return a function that reads the segments sent per second after the warm-up."""
    window = mean_window(rtt_ms)
    return lambda runs: window(runs) / (rtt_ms / 1e3)


def mean(values: Sequence[float]) -> float:
    """Return the mean; NaN without values."""
    return statistics.fmean(values) if values else math.nan


def series(table: Table, name: str, start_s: float = 0.0, /, **where: object) -> list[tuple[float, float]]:
    """Return (time, value) of a column from `start_s` on, for the rows that `where` selects, without missing values."""
    columns = [table[key] for key in where]
    wanted = tuple(where.values())
    rows = zip(table["time_s"], table[name], zip(*columns, strict=True) if columns else [()] * len(table), strict=True)
    return [(time, value) for time, value, key in rows if time >= start_s and key == wanted and value is not None]


def values(table: Table, name: str, start_s: float = 0.0, /, **where: object) -> list[float]:
    """Return the values of `series`."""
    return [value for _, value in series(table, name, start_s, **where)]


def cuts(run: Run, start_s: float = 0.0) -> list[tuple[float, float, float]]:
    """Return (time, window before, window after) of the cuts from `start_s` on."""
    events = run.events
    rows = zip(events["time_s"], events["event"], events["before"], events["after"], strict=True)
    return [(t, b, a) for t, event, b, a in rows if event == "cut" and t >= start_s and b is not None and a is not None]


def waiting_packets(run: Run, rate_mbit: float) -> float:
    """Return the mean number of packets in the queue of the bottleneck after the warm-up.

    By Little's law, this number is the throughput times the true queueing delay. The delay excludes a packet's own
    transmission.
    """
    flows = run.summary["flows"]
    parts = [(delay, given(flow["throughput_mbit_s"])) for flow in flows if (delay := flow["queueing_delay_ms"])]
    if not parts:
        return math.nan
    return math.fsum(delay["mean"] / 1e3 * min(mbit, rate_mbit) * 1e6 / 8 / PACKET_B for delay, mbit in parts)


def wait_ms(flow: FlowSummary) -> float:
    """Return the mean true queueing delay of a flow's delivered packets."""
    return given(flow["queueing_delay_ms"])["mean"]


def utilisation(run: Run) -> float:
    """Return the utilisation of the bottleneck in the direction of data, after the warm-up."""
    return given(run.summary["bottleneck"])["utilisation"]


def goodput(run: Run) -> float:
    """Return the goodput of all flows in Mbit/s, after the warm-up."""
    return given(run.summary["totals"]["delivered_mbit_s"])


def phases(run: Run, name: str) -> list[float]:
    """Return the start times of all phases with this name."""
    return values(run.events, "time_s", event="phase", detail=name)


def gaps(times: Sequence[float]) -> list[float]:
    """Return the differences between consecutive times."""
    return [after - before for before, after in itertools.pairwise(times)]
