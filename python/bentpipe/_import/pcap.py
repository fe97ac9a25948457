# SPDX-License-Identifier: MIT OR Apache-2.0
"""Round trips and rates of a capture (tcpdump, Wireshark), between the two hosts with the most bytes.

A capture at one place sees, of each round trip, the part to one host and the part to the other (`round_trips`; ICMP
echoes are read, too). The round trip is the part with the larger median, plus the smallest value of the other part.
"""

from __future__ import annotations

import ipaddress
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TypeAlias

from bentpipe._import.measured import HALVED, QUEUED, Asked, Measured, Sample
from bentpipe._import.packets import Segment, segments
from bentpipe._import.round_trips import Part, Sent, answer
from bentpipe.base.files import Unfit

#: One direction of a connection.
_Way: TypeAlias = tuple[tuple[bytes, int], tuple[bytes, int]]


def read(data: bytes, asked: Asked) -> Measured:
    """The round trips, and the rate of the direction with more bytes in steps."""
    count: Counter[tuple[bytes, bytes]] = Counter()
    for packet in segments(data):
        count[packet.source[0], packet.target[0]] += packet.size
    if not count:
        raise Unfit("it has no IP packet")
    a, b = max(count, key=lambda way: count[way] + count[way[::-1]])
    a, b = (a, b) if count[a, b] >= count[b, a] else (b, a)
    seen = _Seen()
    for packet in segments(data):
        if {packet.source[0], packet.target[0]} == {a, b}:
            seen.add(packet, packet.source[0] == a, asked.step_s)
    near, far = sorted((seen.parts[a], seen.parts[b]), key=_median)
    left_out = sum(count.values()) - count[a, b] - count[b, a] * (a != b)
    samples = seen.rates(asked.step_s)
    notes = [
        f"measured: the rate from {ipaddress.ip_address(a)} to {ipaddress.ip_address(b)}, the hosts with the most bytes"
        + (f"; {left_out} bytes of other hosts are left out" if left_out else "")
    ]
    if far is seen.parts[b]:
        notes.append("assumed: the rate is what was sent; the capture was made on the sender's side of the bottleneck")
    if far:
        extra_s = min((part.rtt_s for part in near), default=0.0)
        samples += [Sample(part.at_s, 1e3 * (part.rtt_s + extra_s)) for part in far]
        notes.append(
            f"measured: {len(far)} round trips, {1e3 * extra_s:.3f} ms of them between the capture and the nearer host"
        )
        notes += [HALVED, QUEUED]
    else:
        notes.append("not measured: the delay (no packet was answered; give the link a delay or an rtt)")
    notes += [
        "assumed: the capacity is the rate of these packets (more where the application or the window is the limit)",
        "not measured: losses; silence does not count as an outage (--gap TIME makes it one)",
    ]
    return Measured("capture", samples, notes)


def _median(parts: list[Part]) -> float:
    return statistics.median(part.rtt_s for part in parts) if parts else 0.0


@dataclass
class _Seen:
    """What the packets between two hosts say.

    Attributes:
        bits: Bits of the counted direction, by the number of the step.
        start_s: When its first packet was captured.
        parts: Round trips between the place of capture and each host.
        ways: What each direction of a connection has sent.
        echoes: Echo requests without a reply: when they were captured.
    """

    bits: Counter[int] = field(default_factory=Counter)
    start_s: float | None = None
    parts: dict[bytes, list[Part]] = field(default_factory=lambda: defaultdict(list))
    ways: dict[_Way, Sent] = field(default_factory=lambda: defaultdict(Sent))
    echoes: dict[tuple[bytes, int], float] = field(default_factory=dict)

    def add(self, packet: Segment, counted: bool, step_s: float) -> None:
        """Take a packet into account; `counted` if it moves in the direction whose rate is measured."""
        host = packet.source[0]
        if counted:
            self.start_s = packet.at_s if self.start_s is None else self.start_s
            self.bits[int((packet.at_s - self.start_s) / step_s)] += 8 * packet.size
        if packet.echo == "request":
            self.echoes[packet.target[0], packet.seq] = packet.at_s
        elif packet.echo:
            asked_s = self.echoes.pop((host, packet.seq), None)
            if asked_s is not None:
                self.parts[host].append(Part(asked_s, packet.at_s - asked_s))
        elif packet.is_tcp:
            own, other = self.ways[packet.source, packet.target], self.ways[packet.target, packet.source]
            if (part := answer(packet, own, other)) is not None:
                self.parts[host].append(part)

    def rates(self, step_s: float) -> list[Sample]:
        """The rate of each step with packets, without the last step, which is cut off."""
        start_s, last = self.start_s or 0.0, max(self.bits)
        whole = {step: bits for step, bits in self.bits.items() if step < last} or self.bits
        return [Sample(start_s + step * step_s, None, bits / step_s / 1e6) for step, bits in whole.items()]
