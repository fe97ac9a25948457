# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read the IP packets of captured frames: addresses, sizes, and the fields of TCP and ICMP echo for round trips.

Sources: the list of link types of tcpdump.org; RFC 791 and 8200 (IP), 9293 (TCP), 7323 (timestamps), 792 and 4443 (ICMP
echo).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe._import.capture import Frame, frames
from bentpipe.base.files import Unfit

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Number of bytes before the IP header, by link type; for Ethernet and cooked captures also the place of the EtherType.
_BARE = {0: 4, 108: 4, 12: 0, 14: 0, 101: 0, 228: 0, 229: 0}
_TYPED = {1: (14, 12), 113: (16, 14), 276: (20, 0)}
_VLAN, _IP = (b"\x81\x00", b"\x88\xa8"), (b"\x08\x00", b"\x86\xdd")
_ICMP, _TCP, _ICMP6 = 1, 6, 58
#: Extension headers of IPv6: hop by hop, routing, destination options.
_EXTENSIONS = (0, 43, 60)


@dataclass(slots=True)
class Segment:
    """An IP packet. A packet that is not TCP has port 0. A packet that is neither TCP nor an ICMP echo has payload 0.

    Attributes:
        at_s: Time of capture in seconds, from the first frame on.
        source: Address and port.
        target: Address and port.
        size: Bytes of IP on the wire.
        seq: Sequence number of TCP; for an echo, its identifier and number.
        ack: Acknowledgement of TCP; None if there is none.
        ends: The value of `seq` after this segment. Bytes, SYN and FIN count.
        stamps: TSval and TSecr of RFC 7323; None without the option.
        echo: ``"request"`` or ``"reply"`` of an ICMP echo; empty for other packets.
        is_tcp: Whether the packet is TCP.
    """

    at_s: float
    source: tuple[bytes, int]
    target: tuple[bytes, int]
    size: int
    seq: int = 0
    ack: int | None = None
    ends: int = 0
    stamps: tuple[int, int] | None = None
    echo: str = ""
    is_tcp: bool = False


def segments(data: bytes) -> Iterator[Segment]:
    """Yield the IP packets of a capture, with times since its first frame."""
    start_ns = None
    for frame in frames(data):
        start_ns = frame.at_ns if start_ns is None else start_ns
        packet = _network(frame)
        if packet and (found := _ip((frame.at_ns - start_ns) / 1e9, packet)) is not None:
            yield found


def _network(frame: Frame) -> bytes:
    """Return the IP packet of a frame; empty for other frames."""
    if frame.link_type in _BARE:
        return frame.data[_BARE[frame.link_type] :]
    if frame.link_type not in _TYPED:
        raise Unfit(
            f"the link type {frame.link_type} is not known (known types: Ethernet, raw IP, loopback, Linux cooked)"
        )
    size, place = _TYPED[frame.link_type]
    kind = frame.data[place : place + 2]
    while kind in _VLAN:
        kind, size = frame.data[size + 2 : size + 4], size + 4
    return frame.data[size:] if kind in _IP else b""


def _ip(at_s: float, packet: bytes) -> Segment | None:
    """Return the segment in an IP packet; None if the frame is not IP, or is a fragment after the first."""
    version = packet[0] >> 4
    if version == 4 and len(packet) >= 20:
        length, head, protocol = int.from_bytes(packet[2:4]), 4 * (packet[0] & 15), packet[9]
        source, target = packet[12:16], packet[16:20]
        if int.from_bytes(packet[6:8]) & 0x1FFF:
            return Segment(at_s, (source, 0), (target, 0), length)
    elif version == 6 and len(packet) >= 40:
        length, head, protocol = 40 + int.from_bytes(packet[4:6]), 40, packet[6]
        source, target = packet[8:24], packet[24:40]
        while protocol in _EXTENSIONS and len(packet) >= head + 8:
            protocol, head = packet[head], head + 8 * (1 + packet[head + 1])
    else:
        return None
    length = length if length > 40 * (version == 6) else len(packet)  # a length of 0 means segmentation offload
    body = packet[head:]
    if protocol == _TCP and len(body) >= 20:
        return _tcp(at_s, source, target, length, head, body)
    if protocol in (_ICMP, _ICMP6) and len(body) >= 8 and body[0] in (0, 8, 128, 129):
        echo = "request" if body[0] in (8, 128) else "reply"
        return Segment(at_s, (source, 0), (target, 0), length, int.from_bytes(body[4:8]), echo=echo)
    return Segment(at_s, (source, 0), (target, 0), length)


def _tcp(at_s: float, source: bytes, target: bytes, length: int, head: int, body: bytes) -> Segment:
    ports = int.from_bytes(body[0:2]), int.from_bytes(body[2:4])
    seq, ack, offset, flags = int.from_bytes(body[4:8]), int.from_bytes(body[8:12]), 4 * (body[12] >> 4), body[13]
    ends = (seq + max(0, length - head - offset) + (flags & 1) + (flags >> 1 & 1)) % 2**32
    return Segment(
        at_s,
        (source, ports[0]),
        (target, ports[1]),
        length,
        seq,
        ack if flags & 16 else None,
        ends,
        _stamps(body[20:offset]),
        is_tcp=True,
    )


def _stamps(options: bytes) -> tuple[int, int] | None:
    """Return TSval and TSecr (RFC 7323, section 3.2); None without this option."""
    at = 0
    while at < len(options) and options[at] != 0:
        if options[at] == 1:
            at += 1
            continue
        if options[at] == 8 and at + 10 <= len(options):
            return int.from_bytes(options[at + 2 : at + 6]), int.from_bytes(options[at + 6 : at + 10])
        if at + 1 >= len(options) or options[at + 1] < 2:
            break
        at += options[at + 1]
    return None
