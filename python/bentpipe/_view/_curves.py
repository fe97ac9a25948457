# SPDX-License-Identifier: MIT OR Apache-2.0
"""The series of flows and links as curves of a scene."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from bentpipe._damage import damaged
from bentpipe._view._buffers import Buffer
from bentpipe._view._columns import numbers
from bentpipe._view._levels import Times, levels
from bentpipe._view._places import file_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bentpipe._run import Run

#: Of a flow: quantity, columns that add up to it, unit, whether it holds over the interval that ends at its time.
_OF_FLOW = (
    ("cwnd", ("cwnd_segments",), "segments", False),
    ("ssthresh", ("ssthresh_segments",), "segments", False),
    ("in_flight", ("in_flight_segments",), "segments", False),
    ("pacing_rate", ("pacing_mbit_s",), "Mbit/s", False),
    ("delivery_rate", ("goodput_mbit_s",), "Mbit/s", True),
    ("rtt", ("rtt_ms",), "ms", True),
    ("propagation_rtt", ("propagation_rtt_ms",), "ms", False),
    ("queue", ("queueing_delay_ms",), "ms", True),
    ("losses", ("lost_queue", "lost_error", "lost_outage"), "packets", True),
)
#: Links with no more rows than this lie in one buffer, of about 4 MB: one request instead of hundreds.
_TOGETHER = 150_000
#: Only TCP has them.
_TCP = {"cwnd", "ssthresh", "in_flight", "pacing_rate"}
_OF_LINK = (
    ("queue", ("queue_packets",), "packets", False),
    ("utilisation", ("utilisation",), "", True),
    ("losses", ("dropped_queue", "dropped_error", "dropped_outage"), "packets", True),
)


def _adder(run: Run, table: str) -> Callable[[tuple[str, ...]], np.ndarray]:
    """Sums of columns as short floats, each read once; what is missing is NaN."""

    @cache
    def of(columns: tuple[str, ...]) -> np.ndarray:
        read = run._some(table, columns)
        with np.errstate(over="ignore"):  # what no run writes is beyond any number here, too
            return np.asarray(np.sum([numbers(read, name).astype("<f4") for name in columns], axis=0, dtype="<f4"))

    return of


def of_flows(run: Run, prefix: str, dropped: int) -> tuple[list[dict[str, Any]], list[Buffer]]:
    """The curves of all flows, and the buffers they lie in: one for the times, and one for each flow."""
    flows = run.summary["flows"]
    rows = run._some("flows", ["time_s", "flow"])
    if not rows.num_rows or not flows:
        return [], []
    samples, rest = divmod(rows.num_rows, len(flows))
    # Every sample has a row for each flow, in their order: a curve is every so manieth row.
    in_order = not rest and np.array_equal(
        numbers(rows, "flow").reshape(samples, -1), np.tile(np.arange(len(flows)), (samples, 1))
    )
    if not in_order:
        raise damaged(file_of(run, "flows"), "it has not every flow in every sample")
    shared = Buffer(f"{prefix}times")
    times = Times(shared, numbers(rows, "time_s")[:: len(flows)])
    column = _adder(run, "flows")
    curves, buffers = [], [shared]
    for flow in flows:
        number = int(flow["flow"])
        buffer = Buffer(f"{prefix}flow-{number}")
        for quantity, columns, unit, step in _OF_FLOW:
            if quantity in _TCP and flow["kind"] != "tcp":
                continue
            made = levels(buffer, times, _every(column, columns, number, len(flows)), dropped)
            curves.append({"of": {"flow": number}, "quantity": quantity, "unit": unit, "step": step, "levels": made})
        buffers.append(buffer)
    return curves, buffers


def _every(
    column: Callable[[tuple[str, ...]], np.ndarray], columns: tuple[str, ...], first: int, step: int
) -> Callable[[], np.ndarray]:
    return lambda: column(columns)[first::step]


def of_links(run: Run, prefix: str, dropped: int) -> tuple[list[dict[str, Any]], list[Buffer]]:
    """The curves of the links that have any.

    A constellation's has rows only where something passed or waited: before and after stands a nought, so that nothing
    is drawn where nothing was.
    """
    rows = run._some("links", ["time_s", "link"])
    if not rows.num_rows:
        return [], []
    moments, links = numbers(rows, "time_s"), numbers(rows, "link")
    every = np.unique(moments)
    order = np.argsort(links, kind="stable")
    starts = np.flatnonzero(np.diff(links[order].astype(np.int64), prepend=-1))
    column = _adder(run, "links")
    together = Buffer(f"{prefix}links") if order.size <= _TOGETHER else None
    curves, buffers = [], [] if together is None else [together]
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), order.size], strict=True):
        own = order[start:end]
        samples = np.searchsorted(every, moments[own])
        at, place = _with_noughts(samples, every.size)
        buffer = together or Buffer(f"{prefix}link-{links[own[0]]}")
        times = Times(buffer, every[at])
        for quantity, columns, unit, step in _OF_LINK:
            made = levels(buffer, times, _filled(column, columns, own, (at.size, place)), dropped)
            curves.append(
                {"of": {"link": int(links[own[0]])}, "quantity": quantity, "unit": unit, "step": step, "levels": made}
            )
        if together is None:
            buffers.append(buffer)
    return curves, buffers


def _with_noughts(samples: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of samples with those beside gaps, and where the given ones stand among them."""
    beside = np.concatenate([samples, samples - 1, samples + 1])
    at = np.unique(beside[(beside >= 0) & (beside < count)])
    return at, np.searchsorted(at, samples)


def _filled(
    column: Callable[[tuple[str, ...]], np.ndarray],
    columns: tuple[str, ...],
    own: np.ndarray,
    where: tuple[int, np.ndarray],
) -> Callable[[], np.ndarray]:
    def values() -> np.ndarray:
        size, place = where
        whole = np.zeros(size, "<f4")
        whole[place] = column(columns)[own]
        return whole

    return values
