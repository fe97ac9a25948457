# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read JSON of irtt (``irtt client -o FILE``): round trips with the time of sending.

Source: heistp/irtt 0.9.2, `result.go` (``round_trips``, ``lost``, ``delay.rtt``) and `time.go`: times and delays are in
nanoseconds, and a time of 0 is omitted. ``delay.rtt`` excludes the processing time of the server.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bentpipe._import.measured import HALVED, NO_RATE, QUEUED, Asked, Measured, answered, probe
from bentpipe.base import shape
from bentpipe.base.files import Unfit


@dataclass
class _Time:
    wall: int = 0
    monotonic: int = 0


@dataclass
class _Client:
    send: _Time


@dataclass
class _Stamps:
    client: _Client


@dataclass
class _Delay:
    rtt: int | None = None


@dataclass
class _Trip:
    timestamps: _Stamps
    lost: str = "false"
    delay: _Delay = field(default_factory=_Delay)


@dataclass
class _Document:
    round_trips: list[_Trip]


def matches(head: bytes) -> bool:
    """Return whether a file begins like JSON of irtt."""
    return head.lstrip().startswith(b"{") and b'"irtt"' in head


def read(data: bytes, _asked: Asked) -> Measured:
    """Read the round trips and the lost probes, with the direction of the loss if irtt knows it."""
    trips = shape.parsed(data, _Document).round_trips
    if all(trip.delay.rtt is None for trip in trips):
        raise Unfit(f"none of the {len(trips)} probes was answered")
    monotonic = any(trip.timestamps.client.send.monotonic for trip in trips)
    samples = []
    for trip in trips:
        sent = trip.timestamps.client.send
        at_s = (sent.monotonic if monotonic else sent.wall) / 1e9
        rtt = trip.delay.rtt
        samples.append(probe(at_s, None if rtt is None else rtt / 1e6))
    lost = [trip.lost for trip in trips if trip.delay.rtt is None]
    known = f" ({lost.count('true_up')} up, {lost.count('true_down')} down)" if lost else ""
    own = "irtt's one-way delays need synchronised clocks and are not used"
    return Measured("irtt", samples, [*answered(samples, known), f"{HALVED}; {own}", QUEUED, NO_RATE])
