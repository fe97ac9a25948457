# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read round trips and rates from a capture (tcpdump, Wireshark), between the two hosts with the most bytes.

The place of the capture divides a round trip into two parts, one to each host (`round_trips`; ICMP echoes are also
read). The round trip is the part with the larger median plus the smallest value of the other part.
"""

from __future__ import annotations

import ipaddress
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TypeAlias

from bentpipe._import.measured import HALVED, QUEUED, Asked, Measured, Sample, standing_queue
from bentpipe._import.packets import Segment, segments
from bentpipe._import.round_trips import Part, Sent, answer
from bentpipe.base.files import Unfit

#: One direction of a connection.
_Way: TypeAlias = tuple[tuple[bytes, int], tuple[bytes, int]]


def read(data: bytes, asked: Asked) -> Measured:
    """Read the round trips, and the rate of the direction with more bytes in steps."""
    pairs: dict[frozenset[bytes], _Seen] = defaultdict(_Seen)
    for packet in segments(data):
        pairs[frozenset((packet.source[0], packet.target[0]))].add(packet, asked.step_s)
    if not pairs:
        raise Unfit("it has no IP packet")
    most = max(pairs, key=lambda pair: pairs[pair].size)
    seen = pairs[most]
    a = max(seen.bits, key=lambda host: seen.bits[host].total())
    (b,) = most - {a} or {a}
    left_out = sum(one.size for one in pairs.values()) - seen.size
    near, far = sorted((seen.parts[a], seen.parts[b]), key=_median)
    samples = seen.rates(a, asked.step_s)
    notes = [
        f"measured: the rate from {ipaddress.ip_address(a)} to {ipaddress.ip_address(b)}, the hosts with the most bytes"
        + (f"; {left_out} bytes of other hosts are left out" if left_out else "")
    ]
    if far:
        if far is seen.parts[b]:
            notes.append(
                "assumed: the capture was made on the sender's side, so the rate is the rate of the sent packets"
            )
        extra_s = min((part.rtt_s for part in near), default=0.0)
        samples += [Sample(part.at_s, 1e3 * (part.rtt_s + extra_s)) for part in far]
        notes.append(
            f"measured: {len(far)} round trips; each contains {1e3 * extra_s:.3f} ms between the capture and the "
            "nearer host"
        )
        notes += [HALVED, QUEUED, *standing_queue([sample.rtt_ms for sample in samples if sample.rtt_ms is not None])]
    else:
        notes.append("not measured: the delay (no packet was answered; give the link a delay or an rtt)")
    notes += [
        "assumed: the capacity is the rate of these packets (while the application or the window limits the rate, the "
        "capacity is higher)",
        "not measured: losses (silence does not count as an outage; --gap TIME changes this)",
    ]
    return Measured("capture", samples, notes)


def _median(parts: list[Part]) -> float:
    return statistics.median(part.rtt_s for part in parts) if parts else 0.0


@dataclass
class _Seen:
    """The data of the packets between two hosts.

    Attributes:
        size: Bytes of both directions.
        bits: Bits that each host sent, by the number of the step.
        start_s: Time at which the first packet of each host was captured.
        parts: Round trips between the place of capture and each host.
        ways: The state of each direction of each connection.
        echoes: Echo requests without a reply, each with its time of capture.
    """

    size: int = 0
    bits: dict[bytes, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    start_s: dict[bytes, float] = field(default_factory=dict)
    parts: dict[bytes, list[Part]] = field(default_factory=lambda: defaultdict(list))
    ways: dict[_Way, Sent] = field(default_factory=lambda: defaultdict(Sent))
    echoes: dict[tuple[bytes, int], float] = field(default_factory=dict)

    def add(self, packet: Segment, step_s: float) -> None:
        """Add a packet."""
        host = packet.source[0]
        self.size += packet.size
        start_s = self.start_s.setdefault(host, packet.at_s)
        self.bits[host][int((packet.at_s - start_s) / step_s)] += 8 * packet.size
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

    def rates(self, host: bytes, step_s: float) -> list[Sample]:
        """Return the rate from a host in each step with packets, without the last step, which is incomplete."""
        bits, start_s = self.bits[host], self.start_s[host]
        last = max(bits)
        whole = {step: count for step, count in bits.items() if step < last} or bits
        return [Sample(start_s + step * step_s, None, count / step_s / 1e6) for step, count in whole.items()]
