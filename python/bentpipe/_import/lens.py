# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read CSV files of LENS, measurements of Starlink and OneWeb dishes (Zhao and Pan, MMSys 2024).

Source: clarkzjw/LENS, README ("Processed CSV dataset") and `scripts/util.py`. There are two tables. The table of irtt
is ``timestamp,rtt,uplink,downlink``, with times of sending in nanoseconds; -1 in any column is a lost probe. The table
of ping is ``timestamp,rtt``, with times of arrival in seconds and without lost probes. Delays are in milliseconds. The
raw files of LENS are files of irtt and ping.
"""

from __future__ import annotations

from bentpipe._import.measured import HALVED, NO_RATE, QUEUED, Asked, Measured, Sample, answered, number, rows, text_of
from bentpipe.base.files import Unfit

_IRTT = ["timestamp", "rtt", "uplink", "downlink"]
_PING = ["timestamp", "rtt"]


def matches(head: bytes) -> bool:
    """Return whether a file has a header of LENS."""
    return text_of(head).split("\n", 1)[0].strip() in (",".join(_IRTT), ",".join(_PING))


def read(data: bytes, _asked: Asked) -> Measured:
    """Read the round trips, and the lost probes of irtt."""
    lines = rows(text_of(data))
    _, head = next(lines, (0, []))
    if head not in (_IRTT, _PING):
        raise Unfit(f'line 1: "{",".join(head)[:80]}" is not a header of LENS ({",".join(_IRTT)} or {",".join(_PING)})')
    of_irtt = head == _IRTT
    samples: list[Sample] = []
    for line, cells in lines:
        if len(cells) != len(head):
            raise Unfit(f"line {line}: the row has {len(cells)} values, but the header names {len(head)}")
        at, *delays = (number(cell, line, name) for cell, name in zip(cells, head, strict=True))
        if at is None:
            raise Unfit(f"line {line}: the timestamp is missing")
        if -1.0 in delays or delays[0] is None:
            samples.append(Sample(at / 1e9 if of_irtt else at, loss=1.0))
        else:
            samples.append(Sample(at / 1e9 if of_irtt else at - delays[0] / 1e3, delays[0]))
    if all(sample.rtt_ms is None for sample in samples):
        raise Unfit("it has no row with a round trip")
    counted = answered(samples) if of_irtt else [f"measured: {len(samples)} replies"]
    notes = [*counted, HALVED, QUEUED, NO_RATE]
    return Measured(f"LENS, {'irtt' if of_irtt else 'ping'}", samples, notes, omits_lost=not of_irtt)
