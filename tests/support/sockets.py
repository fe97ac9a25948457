# SPDX-License-Identifier: MIT OR Apache-2.0
"""List the sockets on which processes of this machine listen (proc(5): /proc/PID/net/tcp and tcp6)."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import sys
from pathlib import Path

#: The state of a listening socket (include/net/tcp_states.h).
_LISTEN = "0A"


def family(process: int) -> set[int]:
    """Return the process and its descendants."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # the process has ended
            # The name in parentheses may contain spaces.
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    found, size = {process}, 0
    while len(found) > size:
        size = len(found)
        found |= {child for child, parent in parents.items() if parent in found}
    return found


def listening(process: int) -> set[tuple[str, int]]:
    """Return address and port of each TCP socket on which a process listens."""
    sockets = {}
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/{process}/net/{name}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == _LISTEN:
                sockets[f"socket:[{fields[9]}]"] = fields[1]
    held = set()
    for file in Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(OSError):  # the file was closed in the meantime
            held.add(str(file.readlink()))
    return {_read(sockets[one]) for one in held & sockets.keys()}


def is_open_to_others(address: str) -> bool:
    """Whether another machine can reach an address."""
    parsed = ipaddress.ip_address(address)
    mapped = getattr(parsed, "ipv4_mapped", None)
    return not (mapped or parsed).is_loopback


def _read(text: str) -> tuple[str, int]:
    """Read an address of /proc/net/tcp: 32-bit words in this machine's byte order, and the port."""
    address, port = text.split(":")
    raw = b"".join(int(word, 16).to_bytes(4, sys.byteorder) for word in re.findall("[0-9A-F]{8}", address))
    return str(ipaddress.ip_address(raw)), int(port, 16)
