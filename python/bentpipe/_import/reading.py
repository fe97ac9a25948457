# SPDX-License-Identifier: MIT OR Apache-2.0
"""Recognise the format of a measurement, and read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe._import import capture, columns, iperf3, irtt, lens, pcap, ping, wetlinks
from bentpipe._import.measured import text_of
from bentpipe.base.files import Unfit

if TYPE_CHECKING:
    from collections.abc import Callable

    from bentpipe._import.measured import Asked, Measured

#: The readers, and the functions that recognise a format by the first bytes of a file, in the order of use.
FORMATS: dict[str, tuple[Callable[[bytes, Asked], Measured], Callable[[bytes], bool]]] = {
    "pcap": (pcap.read, capture.matches),
    "irtt": (irtt.read, irtt.matches),
    "iperf3": (iperf3.read, iperf3.matches),
    "lens": (lens.read, lens.matches),
    "wetlinks": (wetlinks.read, wetlinks.matches),
    "ping": (ping.read, ping.matches),
    "csv": (columns.read, lambda _: True),
}
#: Number of first bytes by which a format is recognised.
_HEAD = 65_536
#: First bytes of compressed files, each with the command that decompresses the file.
_PACKED = {b"\x1f\x8b": "gunzip", b"\x28\xb5\x2f\xfd": "unzstd", b"\xfd7zXZ": "unxz", b"PK\x03\x04": "unzip"}
#: Headers of files that scenarios read directly.
_OURS = ("time_s,", '"time_s",')


def read(data: bytes, asked: Asked, name: str | None = None) -> Measured:
    """Read a measurement.

    Args:
        data: The content of the file.
        asked: The user's statements about the measurement.
        name: The format; None to recognise it by the content. With ``--columns``, the format is CSV.

    Raises:
        Unfit: If the measurement cannot be read. The message has the line, the value and the fix.
    """
    head = data[:_HEAD]
    if not head.strip(b"\x00 \t\r\n"):
        raise Unfit("it is empty")
    for begins, tool in _PACKED.items():
        if data.startswith(begins):
            raise Unfit(f"it is compressed ({tool} unpacks it)")
    if name is None:
        name = "csv" if asked.columns else next(one for one, (_, matches) in FORMATS.items() if matches(head))
    elif asked.columns and name != "csv":
        raise Unfit(f"--columns has no effect with --format {name} (omit one of them)")
    if asked.direction is not None and name not in ("iperf3", "wetlinks", "csv"):
        raise Unfit(f"--direction has no effect on {name} (omit it)")
    if asked.interval_s is not None and name not in ("ping", "csv"):
        raise Unfit(f"--interval has no effect on {name}, which has times (omit it)")
    if name == "csv" and not asked.columns:
        begin = next((line for line in text_of(head).splitlines() if line and not line.startswith("#")), "")
        if begin.startswith(_OURS) and not columns.has_round_trips(begin):
            raise Unfit('it is a path trace already (write path_trace = "FILE" in the scenario)')
        if head.lstrip().startswith((b"{", b"[")):
            raise Unfit("it is JSON, but not of irtt or iperf3")
        if b"\x00" in head:
            raise Unfit(f"the format is not known (formats: {', '.join(FORMATS)})")
    return FORMATS[name][0](data, asked)
