# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read captures with tshark, for the tests."""

from __future__ import annotations

import subprocess
from pathlib import Path

import needs
from waiting import HANG_S

tshark = needs.mark("tshark")
#: A scenario with a queue that overflows and a link that loses one packet in a thousand.
LOSSY = """
name = "lossy"
duration = "6 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "100 ms", queue = "40 packets", loss = { per = 1e-3 } }
flows = [{ name = "bulk", controller = "cubic", size = "2 MB", tcp = { preset = "linux" } }]
"""
#: The value of the field of the severity that means "error".
_ERROR = "8388608"
_GOOD = ("-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE")


def shark(file: Path, shown: str, *fields: str) -> list[list[str]]:
    """Return fields of the packets that a display filter selects."""
    command = ["tshark", "-n", "-r", str(file), *_GOOD, "-Y", shown, "-T", "fields", "-E", "separator=|"]
    for field in fields or ("frame.number",):
        command += ["-e", field]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=HANG_S)
    return [line.split("|") for line in done.stdout.splitlines()]


def sound(file: Path, *protocols: str) -> bool:
    """Whether every packet has correct checksums of these protocols, and none is malformed or cut. This is one call,
    because tshark takes longer to start than to read."""
    fields = [f"{one}.checksum.status" for one in protocols]
    rows = shark(file, "frame", *fields, "_ws.malformed", "_ws.short", "_ws.expert.severity")
    good = ["1"] * len(protocols) + ["", ""]
    return bool(rows) and all(row[:-1] == good and _ERROR not in row[-1].split(",") for row in rows)


def column(file: Path, shown: str, field: str) -> list[float]:
    return [float(row[0]) for row in shark(file, shown, field)]
