# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read JSON of iperf3 (``iperf3 -J`` or ``--json-stream``): the rate of each interval, and TCP's round trip.

Source: esnet/iperf, `src/iperf_api.c`. The rates are ``intervals[].sum`` and, with ``--bidir``, ``sum_bidir_reverse``.
``streams[].rtt`` is Linux's `tcpi_rtt` in microseconds, TCP's smoothed round trip at the end of the interval.
"""

from __future__ import annotations

import re
import statistics
from dataclasses import dataclass, field

from bentpipe._import.measured import HALVED, Asked, Measured, Sample, both_ways
from bentpipe.base import shape
from bentpipe.base.files import Unfit


@dataclass
class _Sum:
    start: float
    bits_per_second: float
    omitted: bool = False
    sender: bool | None = None
    lost_percent: float | None = None


@dataclass
class _Stream:
    rtt: float = 0


@dataclass
class _Interval:
    streams: list[_Stream] = field(default_factory=list)
    sum: _Sum | None = None
    sum_bidir_reverse: _Sum | None = None


@dataclass
class _Document:
    intervals: list[_Interval]
    error: str | None = None


@dataclass
class _Event:
    event: str


@dataclass
class _IntervalEvent:
    data: _Interval


@dataclass
class _ErrorEvent:
    data: str


def matches(head: bytes) -> bool:
    """Return whether a file begins like JSON of iperf3."""
    start = head.lstrip()
    return start.startswith(b"{") and (b'"event"' in start or b'"start"' in start) and b'"irtt"' not in start


def read(data: bytes, asked: Asked) -> Measured:
    """Read the rates, the round trips of TCP, and the losses that a receiver of UDP counts."""
    streamed = re.match(rb'\s*\{\s*"event"\s*:', data)
    document = _stream(data) if streamed else shape.parsed(data, _Document)
    both = any(interval.sum_bidir_reverse for interval in document.intervals)
    down = asked.direction == "down"
    if asked.direction is not None and not both:
        raise Unfit("it has only one direction (omit --direction; iperf3 --bidir measures both directions)")
    samples: list[Sample] = []
    senders: set[bool | None] = set()
    losses = False
    for interval in document.intervals:
        total = interval.sum_bidir_reverse if down else interval.sum
        if total is None or total.omitted:
            continue
        rtts = [stream.rtt / 1e3 for stream in interval.streams if stream.rtt > 0]
        loss = (total.lost_percent or 0.0) / 100.0
        losses, senders = losses or total.lost_percent is not None, senders | {total.sender}
        rtt_ms = statistics.mean(rtts) if rtts else None
        samples.append(Sample(total.start, rtt_ms, total.bits_per_second / 1e6, both_ways(loss)))
    if not samples:
        reason = f'iperf3 reports "{document.error}"' if document.error else "it has no interval that counts"
        raise Unfit(f"{reason} (measure again: iperf3 -J -i 0.1)")
    notes = [
        f"measured: {len(samples)} intervals{' of both directions: ' + ('down' if down else 'up') if both else ''}"
    ]
    if any(sample.rtt_ms for sample in samples):
        notes += [
            HALVED,
            "assumed: the delay includes the queueing delay that the test itself caused (--floor TIME removes it)",
        ]
    else:
        notes.append(
            "not measured: the delay (give the link a delay or an rtt; iperf3 reports the delay only on Linux, at the "
            "sender of TCP)"
        )
    where = (
        ("given to the sender's socket (while buffers fill, fewer bytes arrive)") if True in senders else "that arrived"
    )
    notes.append(f"assumed: the capacity is the rate of the test's own payload, counted as bytes {where}")
    if losses:
        notes.append(
            "assumed: both directions have the measured loss; to keep the reverse direction free of loss, give "
            "`reverse` its own rate and delay"
        )
    else:
        notes.append("not measured: losses (an interval without a byte counts as an outage)")
    return Measured("iperf3", samples, notes)


def _stream(data: bytes) -> _Document:
    """Read the intervals of ``--json-stream``, which has an event on each line."""
    document = _Document([])
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            event = shape.parsed(line, _Event).event
            if event == "interval":
                document.intervals.append(shape.parsed(line, _IntervalEvent).data)
            elif event == "error":
                document.error = shape.parsed(line, _ErrorEvent).data
        except Unfit as problem:
            raise Unfit(f"line {number}: {problem}") from None
    return document
