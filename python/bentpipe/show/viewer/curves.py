# SPDX-License-Identifier: MIT OR Apache-2.0
"""The series of flows and links as curves of a scene.

Every curve is a separate buffer, except in small tables of links. A column is read for all flows when a page first
draws the column. Recently used columns are kept, up to 256 MB for all runs together (`_columns.KEPT`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from bentpipe.base.damage import damaged
from bentpipe.results.transfers import CONNECTIONS
from bentpipe.show.viewer.buffers import Buffer
from bentpipe.show.viewer.columns import KEPT, numbers
from bentpipe.show.viewer.levels import Times, levels
from bentpipe.show.viewer.places import file_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bentpipe.results.split import Connection
    from bentpipe.runs.run import Run
    from bentpipe.show.viewer.format import Curve

    #: A function that returns the sum of columns of a table.
    _Reader = Callable[[tuple[str, ...]], np.ndarray]

#: Curves of a flow: quantity, columns whose sum is the quantity, unit, and whether a value holds over the interval that
#: ends at its time.
_OF_FLOW = (
    ("cwnd", ("cwnd_segments",), "segments", False),
    ("ssthresh", ("ssthresh_segments",), "segments", False),
    ("in_flight", ("in_flight_segments",), "segments", False),
    ("pacing_rate", ("pacing_mbit_s",), "Mbit/s", False),
    ("delivery_rate", ("goodput_mbit_s",), "Mbit/s", True),
    ("rtt", ("rtt_ms",), "ms", True),
    ("propagation_rtt", ("propagation_rtt_ms",), "ms", False),
    ("queue", ("queueing_delay_ms",), "ms", True),
    ("losses", ("lost_queue", "lost_error", "lost_outage", "lost_policer", "lost_too_large"), "packets", True),
)
#: If the table of links has at most this number of rows, all links share one buffer of about 4 MB: one request and not
#: hundreds.
_TOGETHER = 150_000
#: Quantities that only TCP flows have.
_TCP = {"cwnd", "ssthresh", "in_flight", "pacing_rate"}
#: Curves of a link, in the same form as the curves of a flow.
_OF_LINK = (
    ("queue", ("queue_packets",), "packets", False),
    ("utilisation", ("utilisation",), "%", True),
    (
        "losses",
        ("dropped_queue", "dropped_error", "dropped_outage", "dropped_policer", "dropped_too_large"),
        "packets",
        True,
    ),
)


class _Series:
    """A table with a row for every flow (or link) in every sample, in the order of the flows (or links)."""

    def __init__(self, run: Run, table: str, key: str, ids: Sequence[int]) -> None:
        self._run, self._table, self._key, self._ids = run, table, key, np.asarray(ids)
        self._column = _reader(run, table)
        rows = run._rows(table)
        self.samples, rest = divmod(rows, len(ids)) if ids else (0, rows)
        if rest:
            raise self.torn()

    def torn(self) -> Exception:
        """Return the error for a table that lacks rows."""
        return damaged(file_of(self._run, self._table), f"some samples lack a {self._key}")

    @cached_property
    def times(self) -> np.ndarray:
        """The times of the samples. Every curve needs them, so this property also checks the order of the rows."""
        rows = self._run._some(self._table, ["time_s", self._key])
        found = numbers(rows, self._key).reshape(self.samples, -1)
        if not (found == self._ids).all():
            raise self.torn()
        return numbers(rows, "time_s")[:: self._ids.size].copy()

    def curve(self, columns: tuple[str, ...], place: int) -> Callable[[], np.ndarray]:
        """Return a function that computes the sum of columns for the flow (or link) at this place."""
        return lambda: self._column(columns)[place :: self._ids.size]


class _Lives:
    """A table of flows that start late or end early. A flow has rows only between its start and its end."""

    def __init__(self, run: Run, table: str, every: np.ndarray) -> None:
        rows = run._some(table, ["time_s", "flow"])
        self.times, self.samples = every, int(every.size)
        self._column = _reader(run, table)
        self._at = np.searchsorted(every, numbers(rows, "time_s"))
        flows = numbers(rows, "flow")
        order = np.argsort(flows, kind="stable")
        starts = np.flatnonzero(np.diff(flows[order].astype(np.int64), prepend=-1))
        ends = [*starts[1:].tolist(), order.size]
        self._own = {int(flows[order[a]]): order[a:b] for a, b in zip(starts.tolist(), ends, strict=True)}

    def curve(self, columns: tuple[str, ...], number: int) -> Callable[[], np.ndarray]:
        """Return a function that computes the sum of columns for one flow; NaN outside the flow's life."""
        own = self._own.get(number, np.empty(0, np.int64))
        return _filled(self._column, own, (self.samples, self._at[own]), np.nan, columns)


def _live_throughout(run: Run) -> bool:
    """Whether every flow and every part has a row in every sample, according to the summary."""
    every = [*run.summary["flows"], *run.summary.get("parts", [])]
    return all(flow["start_s"] == 0 and flow["completed_at_s"] is None and flow["stop_s"] is None for flow in every)


def _moments(run: Run, tables: Sequence[str]) -> np.ndarray:
    """Return the times of all samples of some tables."""
    return np.unique(np.concatenate([numbers(run._some(table, ["time_s"]), "time_s") for table in tables]))


def _reader(run: Run, table: str) -> _Reader:
    """Return a function for sums of columns as 32-bit floats, read at the first use. A missing value is NaN."""
    this = object()

    def read(columns: tuple[str, ...]) -> np.ndarray:
        some = run._some(table, columns)
        with np.errstate(over="ignore"):  # only a damaged table overflows
            found = numbers(some, columns[0]).astype("<f4")
            # Folders of earlier versions lack some columns.
            for name in (name for name in columns[1:] if name in some.column_names):
                found += numbers(some, name).astype("<f4")
        # Tables contain shares. The page shows percent, like all printed tables.
        return found * np.float32(100.0) if columns == ("utilisation",) else found

    return lambda columns: KEPT.get((this, columns), lambda: read(columns))


def of_flows(run: Run, flows: Sequence[Connection], prefix: str, dropped: int) -> tuple[list[Curve], list[Buffer]]:
    """Return the curves of all flows, and their buffers: one buffer for the times, and one for each curve.

    Args:
        run: The run.
        flows: The flows of the run (`_split.flows`), or its connections if proxies split flows (`_split.connections`).
        prefix: Prefix of the names of buffers.
        dropped: Number of the finest levels to leave out.
    """
    ids = [flow["flow"] for flow in run.summary["flows"]]
    # The table contains the parts flow by flow. The first part of a flow has the number of the flow.
    split = [part["flow"] for part in run.summary.get("parts", [])] if any(flow["place"] for flow in flows) else []
    if not ids or not run._rows("flows"):
        return [], []
    series: _Series | _Lives
    if _live_throughout(run):
        series = _Series(run, "flows", "flow", ids)
        own: dict[int, tuple[_Series | _Lives, int]] = {number: (series, place) for place, number in enumerate(ids)}
        if split:
            of_parts = _Series(run, "parts", "flow", split)
            if of_parts.samples != series.samples:
                raise of_parts.torn()
            own |= {number: (of_parts, place) for place, number in enumerate(split)}
    else:
        every = _moments(run, ["flows", "parts"] if split else ["flows"])
        series = _Lives(run, "flows", every)
        own = {number: (series, number) for number in ids}
        if split:
            lives = _Lives(run, "parts", every)
            own |= {number: (lives, number) for number in split}
    shared = Buffer(f"{prefix}times")
    times = Times(shared, series.samples, lambda: series.times)
    curves: list[Curve] = []
    buffers = [shared]
    for flow in flows:
        number = flow["flow"]
        rows, place = own[number]
        for quantity, columns, unit, step in _OF_FLOW:
            if quantity in _TCP and flow["kind"] not in CONNECTIONS:
                continue
            # A separate buffer per curve: a page requests only the curves that it draws, so other columns are not read.
            buffer = Buffer(f"{prefix}flow-{flow['flow']}-{quantity}")
            made = levels(buffer, times, rows.curve(columns, place), dropped)
            curves.append({"of": {"flow": number}, "quantity": quantity, "unit": unit, "step": step, "levels": made})
            buffers.append(buffer)
    return curves, buffers


def of_links(run: Run, prefix: str, dropped: int, *, sparse: bool) -> tuple[list[Curve], list[Buffer]]:
    """Return the curves of links that have samples, and their buffers.

    Args:
        run: The run.
        prefix: Prefix of the names of buffers.
        dropped: Number of the finest levels to leave out.
        sparse: Whether links have rows only when packets passed or waited, as in a constellation. Then a zero is added
            before and after each group of rows, so that gaps are drawn as 0.
    """
    rows = run._rows("links")
    if not rows:
        return [], []
    together = Buffer(f"{prefix}links") if rows <= _TOGETHER else None
    shared = together or Buffer(f"{prefix}link-times")
    curves: list[Curve] = []
    buffers = [shared]
    times = None
    for link in _with_gaps(run) if sparse else _whole(run):
        if sparse or times is None:
            times = Times(shared, link.count, link.times)
        for quantity, columns, unit, step in _OF_LINK:
            buffer = together or Buffer(f"{prefix}link-{link.number}-{quantity}")
            made = levels(buffer, times, link.curve(columns), dropped)
            of = {"link": link.number}
            curves.append({"of": of, "quantity": quantity, "unit": unit, "step": step, "levels": made})
            if together is None:
                buffers.append(buffer)
    return curves, buffers


@dataclass(frozen=True)
class _Link:
    """A link with curves: the number of samples, and functions that return their times and sums of columns."""

    number: int
    count: int
    times: Callable[[], np.ndarray]
    curve: Callable[[tuple[str, ...]], Callable[[], np.ndarray]]


def _whole(run: Run) -> Iterator[_Link]:
    """Yield the links of a table in which every link has a row in every sample."""
    found = [int(link["link"]) for link in run.summary["links"]]
    series = _Series(run, "links", "link", found)
    for place, number in enumerate(found):
        yield _Link(number, series.samples, lambda: series.times, partial(series.curve, place=place))


def _with_gaps(run: Run) -> Iterator[_Link]:
    """Yield the links of a table in which a link has rows only when packets passed or waited."""
    rows = run._some("links", ["time_s", "link"])
    moments, links = numbers(rows, "time_s"), numbers(rows, "link")
    every = np.unique(moments)
    order = np.argsort(links, kind="stable")
    starts = np.flatnonzero(np.diff(links[order].astype(np.int64), prepend=-1))
    column = _reader(run, "links")
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), order.size], strict=True):
        own = order[start:end]
        at, place = _with_zeros(np.searchsorted(every, moments[own]), every.size)
        curve = partial(_filled, column, own, (at.size, place), 0.0)
        yield _Link(int(links[own[0]]), at.size, partial(every.__getitem__, at), curve)


def _with_zeros(samples: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of samples with those beside gaps added, and the indices of the given numbers in them."""
    beside = np.concatenate([samples, samples - 1, samples + 1])
    at = np.unique(beside[(beside >= 0) & (beside < count)])
    return at, np.searchsorted(at, samples)


def _filled(
    column: _Reader, own: np.ndarray, where: tuple[int, np.ndarray], missing: float, columns: tuple[str, ...]
) -> Callable[[], np.ndarray]:
    """Return a function that places the values of some rows in a curve. Other values of the curve are `missing`."""

    def values() -> np.ndarray:
        size, place = where
        whole = np.full(size, missing, "<f4")
        whole[place] = column(columns)[own]
        return whole

    return values
