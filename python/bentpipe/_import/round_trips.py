# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute round trips between the place of a capture and one host, from the packets of one connection.

A round trip is measured by TCP timestamps, as the first echo of each value (RFC 7323, section 4; Nichols' pping).
Without timestamps, it is measured by the ACK of data that was sent once (Karn's rule, RFC 6298, section 3).
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bentpipe._import.packets import Segment

#: Largest number of stored unanswered segments for each direction.
_REMEMBERED = 100_000


class Part(NamedTuple):
    """A round trip between the place of capture and one host: its start and its duration in seconds."""

    at_s: float
    rtt_s: float


@dataclass
class Sent:
    """The state of one direction of a connection.

    Attributes:
        stamped: Values of TSval without an echo, each with the time of the first packet and whether it had data.
        stamp: The last TSval.
        unacked: Ends of segments that were sent once, each with the time.
        highest: The highest end; None before the first segment.
        last_s: Time of the last packet.
    """

    stamped: dict[int, tuple[float, bool]] = field(default_factory=dict)
    stamp: int | None = None
    unacked: deque[tuple[int, float]] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    highest: int | None = None
    last_s: float = -math.inf


def answer(packet: Segment, own: Sent, other: Sent) -> Part | None:
    """Store a packet, and return the round trip that ends with this packet; None if no round trip ends.

    Args:
        packet: A segment of TCP.
        own: The state of the packet's direction before the packet.
        other: The state of the other direction.
    """
    found = _by_stamp(packet, own, other) if packet.stamps else _by_ack(packet, other)
    _remember(packet, own)
    return found


def _by_stamp(packet: Segment, own: Sent, other: Sent) -> Part | None:
    """Return the round trip that ends with the first echo of a TSval."""
    if packet.stamps is None or packet.ack is None:
        return None
    sent_s, had_data = other.stamped.pop(packet.stamps[1], (None, False))
    if sent_s is None:
        return None
    part = Part(sent_s, packet.at_s - sent_s)
    # After a pause of the sender, the echo of a packet without data is not used, because it would measure the pause.
    paused = not had_data and packet.at_s - own.last_s > part.rtt_s / 2
    return None if paused else part


def _by_ack(packet: Segment, other: Sent) -> Part | None:
    """Return the round trip that ends with the ACK of a segment."""
    answered = None
    while packet.ack is not None and other.unacked and _reaches(packet.ack, other.unacked[0][0]):
        answered = other.unacked.popleft()
    return None if answered is None else Part(answered[1], packet.at_s - answered[1])


def _remember(packet: Segment, own: Sent) -> None:
    has_data = packet.ends != packet.seq
    if packet.stamps is not None and packet.stamps[0] != own.stamp:
        own.stamp = packet.stamps[0]
        own.stamped[own.stamp] = packet.at_s, has_data
        if len(own.stamped) > _REMEMBERED:
            del own.stamped[next(iter(own.stamped))]
    if has_data and packet.stamps is None:
        if own.highest is None or not _reaches(own.highest, packet.ends):
            own.unacked.append((packet.ends, packet.at_s))
            own.highest = packet.ends
        else:
            own.unacked.clear()  # after a retransmission, an ACK may belong to either transmission
    own.last_s = packet.at_s


def _reaches(ack: int, ends: int) -> bool:
    """Return whether the sequence number `ack` equals `ends` or comes after it (RFC 9293, section 3.4)."""
    return (ack - ends) % 2**32 < 2**31
