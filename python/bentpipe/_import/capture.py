# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read the frames of capture files: pcap and pcapng.

Sources: draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng (magic numbers, blocks, `if_tsresol`, `if_tsoffset`). Each
interface of a capture has its own resolution of time.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from bentpipe.base.files import Unfit

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Magic numbers of pcap, each with the byte order and the number of time units per second.
_PCAP = {
    b"\xd4\xc3\xb2\xa1": ("<", 10**6),
    b"\xa1\xb2\xc3\xd4": (">", 10**6),
    b"\x4d\x3c\xb2\xa1": ("<", 10**9),
    b"\xa1\xb2\x3c\x4d": (">", 10**9),
}
_PCAPNG = b"\x0a\x0d\x0d\x0a"
_ORDER = {b"\x4d\x3c\x2b\x1a": "<", b"\x1a\x2b\x3c\x4d": ">"}
#: Types of blocks: interface description, packet (obsolete), enhanced packet.
_IDB, _OPB, _EPB = 1, 2, 6
#: The fields of a packet by byte order and block: interface, time in two halves, captured and original length.
_HEADS = {order: {_OPB: struct.Struct(f"{order}HxxIIII"), _EPB: struct.Struct(f"{order}IIIII")} for order in "<>"}


class Frame(NamedTuple):
    """A captured frame: its time in nanoseconds, its link type, and its bytes."""

    at_ns: int
    link_type: int
    data: bytes


def matches(head: bytes) -> bool:
    """Return whether a file begins like a capture."""
    return head[:4] in _PCAP or head[:4] == _PCAPNG


def frames(data: bytes) -> Iterator[Frame]:
    """Yield the frames of a capture. A truncated capture ends with its last complete frame."""
    if data[:4] in _PCAP:
        return _pcap(data)
    if data[:4] == _PCAPNG:
        return _pcapng(data)
    raise Unfit("it is not a capture (pcap or pcapng)")


def _pcap(data: bytes) -> Iterator[Frame]:
    order, units = _PCAP[data[:4]]
    if len(data) < 24:
        raise Unfit("the header of the capture is cut off")
    link_type = struct.unpack_from(f"{order}I", data, 20)[0] & 0xFFFF
    head, at = struct.Struct(f"{order}IIII"), 24
    while at + 16 <= len(data):
        seconds, part, held, _ = head.unpack_from(data, at)
        if at + 16 + held > len(data):
            return
        yield Frame(seconds * 10**9 + part * 10**9 // units, link_type, data[at + 16 : at + 16 + held])
        at += 16 + held


def _pcapng(data: bytes) -> Iterator[Frame]:
    at, order, heads = 0, "<", _HEADS["<"]
    interfaces: list[tuple[int, int, int]] = []
    while at + 12 <= len(data):
        if data[at : at + 4] == _PCAPNG:
            order, interfaces = _ORDER.get(data[at + 8 : at + 12], ""), []
            if not order:
                raise Unfit(f"the section at byte {at} has an unknown byte order")
            heads = _HEADS[order]
        kind, size = struct.unpack_from(f"{order}II", data, at)
        if size < 12 or size % 4 or at + size > len(data):
            return
        body = data[at + 8 : at + size - 4]
        if kind == _IDB and len(body) >= 8:
            interfaces.append((struct.unpack_from(f"{order}H", body)[0], *_resolution(body[8:], order)))
        elif kind in (_EPB, _OPB) and len(body) >= 20:
            number, high, low, held, _ = heads[kind].unpack_from(body)
            if number >= len(interfaces):
                raise Unfit(f"the packet at byte {at} is of an interface that is not described")
            link_type, units, offset_s = interfaces[number]
            yield Frame(((high << 32) | low) * 10**9 // units + offset_s * 10**9, link_type, body[20 : 20 + held])
        at += size


def _resolution(options: bytes, order: str) -> tuple[int, int]:
    """Return the number of time units per second of an interface, and its offset in seconds."""
    units, offset_s, at = 10**6, 0, 0
    while at + 4 <= len(options):
        code, size = struct.unpack_from(f"{order}HH", options, at)
        value = options[at + 4 : at + 4 + size]
        if code == 0:
            break
        if code == 9 and len(value) == 1:  # if_tsresol: a power of 10, or of 2 with the highest bit
            units = 2 ** (value[0] & 0x7F) if value[0] & 0x80 else 10 ** value[0]
        elif code == 14 and len(value) == 8:
            offset_s = int(struct.unpack(f"{order}q", value)[0])
        at += 4 + size + -size % 4
    return units, offset_s
