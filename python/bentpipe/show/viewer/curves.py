# SPDX-License-Identifier: MIT OR Apache-2.0
"""The series of flows and links as curves of a scene.

Every curve is a buffer of its own, except of small tables of links. A column is read when a page first draws it,
for all flows; the columns that were used last are kept, 256 MB for all runs together (`_columns.KEPT`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from bentpipe.base.damage import damaged
from bentpipe.show.viewer.buffers import Buffer
from bentpipe.show.viewer.columns import KEPT, numbers
from bentpipe.show.viewer.levels import Times, levels
from bentpipe.show.viewer.places import file_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bentpipe.results.split import Connection
    from bentpipe.runs.run import Run
    from bentpipe.show.viewer.format import Curve

    #: Gives the sum of columns of a table.
    _Reader = Callable[[tuple[str, ...]], np.ndarray]

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
    ("losses", ("lost_queue", "lost_error", "lost_outage", "lost_policer"), "packets", True),
)
#: Links with no more rows than this lie in one buffer, of about 4 MB: one request instead of hundreds.
_TOGETHER = 150_000
#: Only TCP has them.
_TCP = {"cwnd", "ssthresh", "in_flight", "pacing_rate"}
#: Of a link, in the same way.
_OF_LINK = (
    ("queue", ("queue_packets",), "packets", False),
    ("utilisation", ("utilisation",), "", True),
    ("losses", ("dropped_queue", "dropped_error", "dropped_outage", "dropped_policer"), "packets", True),
)


class _Series:
    """A table that has a row for every flow (or link) in every sample, in their order."""

    def __init__(self, run: Run, table: str, key: str, ids: Sequence[int]) -> None:
        self._run, self._table, self._key, self._ids = run, table, key, np.asarray(ids)
        self._column = _reader(run, table)
        rows = run._rows(table)
        self.samples, rest = divmod(rows, len(ids)) if ids else (0, rows)
        if rest:
            raise self.torn()

    def torn(self) -> Exception:
        """The error for one that lacks rows."""
        return damaged(file_of(self._run, self._table), f"it has not every {self._key} in every sample")

    @cached_property
    def times(self) -> np.ndarray:
        """The moments of the samples. Whoever draws a curve asks for them: so the order of the rows is seen to here."""
        rows = self._run._some(self._table, ["time_s", self._key])
        found = numbers(rows, self._key).reshape(self.samples, -1)
        if not (found == self._ids).all():
            raise self.torn()
        return numbers(rows, "time_s")[:: self._ids.size].copy()

    def curve(self, columns: tuple[str, ...], place: int) -> Callable[[], np.ndarray]:
        """What gives the sum of columns for one of them."""
        return lambda: self._column(columns)[place :: self._ids.size]


def _reader(run: Run, table: str) -> _Reader:
    """Gives sums of columns as short floats, read when one is first asked for; what is missing is NaN."""
    this = object()

    def read(columns: tuple[str, ...]) -> np.ndarray:
        some = run._some(table, columns)
        with np.errstate(over="ignore"):  # what no run writes is beyond any number here, too
            found = numbers(some, columns[0]).astype("<f4")
            # Folders of before lack some.
            for name in (name for name in columns[1:] if name in some.column_names):
                found += numbers(some, name).astype("<f4")
        return found

    return lambda columns: KEPT.get((this, columns), lambda: read(columns))


def of_flows(run: Run, flows: Sequence[Connection], prefix: str, dropped: int) -> tuple[list[Curve], list[Buffer]]:
    """The curves of all flows, and the buffers they lie in: one for the times, and one for each curve.

    Args:
        run: Whose.
        flows: Its flows (`_split.flows`), or where proxies split some its connections (`_split.connections`).
        prefix: With what the names of buffers begin.
        dropped: So many of the finest levels are left out.
    """
    ids = [flow["flow"] for flow in run.summary["flows"]]
    series = _Series(run, "flows", "flow", ids) if ids else None
    if series is None or not series.samples:
        return [], []
    own = {number: (series, place) for place, number in enumerate(ids)}
    if any(flow["place"] for flow in flows):
        # Parts stand in their table flow by flow; the first has the number of its flow.
        split = [part["flow"] for part in run.summary.get("parts", [])]
        of_parts = _Series(run, "parts", "flow", split)
        if of_parts.samples != series.samples:
            raise of_parts.torn()
        own |= {number: (of_parts, place) for place, number in enumerate(split)}
    shared = Buffer(f"{prefix}times")
    times = Times(shared, series.samples, lambda: series.times)
    curves: list[Curve] = []
    buffers = [shared]
    for flow in flows:
        number = flow["flow"]
        rows, place = own[number]
        for quantity, columns, unit, step in _OF_FLOW:
            if quantity in _TCP and flow["kind"] != "tcp":
                continue
            # Of its own: a page asks for the curves that it draws, and a column that nobody asks for is not read.
            buffer = Buffer(f"{prefix}flow-{flow['flow']}-{quantity}")
            made = levels(buffer, times, rows.curve(columns, place), dropped)
            curves.append({"of": {"flow": number}, "quantity": quantity, "unit": unit, "step": step, "levels": made})
            buffers.append(buffer)
    return curves, buffers


def of_links(run: Run, prefix: str, dropped: int, *, sparse: bool) -> tuple[list[Curve], list[Buffer]]:
    """The curves of the links that have any.

    Args:
        run: Whose.
        prefix: With what the names of buffers begin.
        dropped: So many of the finest levels are left out.
        sparse: Whether links have rows only where something passed or waited, as those of a constellation: before and
            after then stands a zero, so that nothing is drawn where nothing was.
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
    """A link with curves: how many samples it has, and what gives their moments and the sum of columns."""

    number: int
    count: int
    times: Callable[[], np.ndarray]
    curve: Callable[[tuple[str, ...]], Callable[[], np.ndarray]]


def _whole(run: Run) -> Iterator[_Link]:
    """Links with a row in every sample."""
    found = [int(link["link"]) for link in run.summary["links"]]
    series = _Series(run, "links", "link", found)
    for place, number in enumerate(found):
        yield _Link(number, series.samples, lambda: series.times, partial(series.curve, place=place))


def _with_gaps(run: Run) -> Iterator[_Link]:
    """Links with rows where something passed or waited."""
    rows = run._some("links", ["time_s", "link"])
    moments, links = numbers(rows, "time_s"), numbers(rows, "link")
    every = np.unique(moments)
    order = np.argsort(links, kind="stable")
    starts = np.flatnonzero(np.diff(links[order].astype(np.int64), prepend=-1))
    column = _reader(run, "links")
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), order.size], strict=True):
        own = order[start:end]
        at, place = _with_zeros(np.searchsorted(every, moments[own]), every.size)
        curve = partial(_filled, column, own, (at.size, place))
        yield _Link(int(links[own[0]]), at.size, partial(every.__getitem__, at), curve)


def _with_zeros(samples: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of samples with those beside gaps, and where the given ones stand among them."""
    beside = np.concatenate([samples, samples - 1, samples + 1])
    at = np.unique(beside[(beside >= 0) & (beside < count)])
    return at, np.searchsorted(at, samples)


def _filled(
    column: _Reader, own: np.ndarray, where: tuple[int, np.ndarray], columns: tuple[str, ...]
) -> Callable[[], np.ndarray]:
    def values() -> np.ndarray:
        size, place = where
        whole = np.zeros(size, "<f4")
        whole[place] = column(columns)[own]
        return whole

    return values
