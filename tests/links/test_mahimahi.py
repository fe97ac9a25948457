# SPDX-License-Identifier: MIT OR Apache-2.0
"""mahimahi replays an export: datagrams above the link's rate pass at this rate, and no datagram passes too early.

The tools run in real time. A busy machine can delay packets by any time, but the link never lets a packet pass early.
`test_export.py` checks how many packets the file has in each second.
"""

from __future__ import annotations

import os
import shutil
import socket
import stat
import struct
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import run

import pytest

import bentpipe as bp
import needs
from waiting import HANG_S

#: Three rates, for two seconds each: 1,000, 2,000 and 500 packets of 1500 bytes per second.
SCENARIO = """
name = "three rates"
duration = "6 s"
[network.dumbbell]
rate_steps = [{ at = "0 s", rate = "12 Mbit/s" }, { at = "2 s", rate = "24 Mbit/s" }, { at = "4 s", rate = "6 Mbit/s" }]
rtt = "40 ms"
queue = "5000 packets"
[[flows]]
controller = "cubic"
"""
TOOLS = ("mm-link", "mm-delay")
#: Constants of Linux: a buffer above the users' limit, and a timestamp by the kernel's clock (socket(7)).
_RCVBUFFORCE, _TIMESTAMPNS = 33, 35
#: Payload of a packet of 1500 bytes.
PAYLOAD = 1472
#: Number of packets that need all three rates.
WANTED = 6500
SENDER = f"""
import os, socket, time
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
out.connect((os.environ["MAHIMAHI_BASE"], int(os.environ["PORT"])))
while not os.path.exists(os.environ["ENOUGH"]):
    try:
        out.send(bytes({PAYLOAD}))
    except OSError:
        pass  # the queue in front of the tunnel is full
    time.sleep(0.0003)
"""


def unprivileged() -> list[str]:
    """Return a prefix that runs a command as a normal user: mahimahi refuses root, and becomes root by itself."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


def why_not() -> str:
    """Return the reason why the tools cannot be run; empty if they can."""
    for tool in (*TOOLS, *unprivileged()[:1]):
        if shutil.which(tool) is None:
            return f"{tool} is not there (on Ubuntu: apt-get install mahimahi; Debian 12 has no package)"
    for tool in TOOLS:
        about = Path(shutil.which(tool) or "").stat()
        if about.st_uid != 0 or not about.st_mode & stat.S_ISUID:
            return f"{tool} may not become root (chown root, chmod 4755)"
    if Path("/proc/sys/net/ipv4/ip_forward").read_text().strip() != "1":
        return "mahimahi needs packets forwarded (sysctl -w net.ipv4.ip_forward=1)"
    return ""


@pytest.fixture
def folder() -> Iterator[Path]:
    """Make a folder that every user can read."""
    place = Path(tempfile.mkdtemp(prefix="bentpipe-mahimahi"))
    place.chmod(0o755)
    yield place
    shutil.rmtree(place)


@pytest.mark.skipif(bool(why_not()), reason=needs.reason("mahimahi", why_not()))
def test_mahimahi_delivers_at_no_more_than_the_rates_of_the_scenario(folder: Path) -> None:
    bp.export(SCENARIO, folder / "mm", format="mahimahi")
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.bind(("0.0.0.0", 0))  # noqa: S104 - mahimahi chooses the address
    listener.settimeout(HANG_S)
    listener.setsockopt(socket.SOL_SOCKET, _RCVBUFFORCE if os.geteuid() == 0 else socket.SO_RCVBUF, 16_000_000)
    listener.setsockopt(socket.SOL_SOCKET, _TIMESTAMPNS, 1)
    arrivals: list[float] = []

    def listen() -> None:
        try:
            while len(arrivals) < WANTED:
                data, ((_, _, stamp),), _, _ = listener.recvmsg(2000, 64)
                assert len(data) == PAYLOAD
                seconds, nanoseconds = struct.unpack("qq", stamp)
                arrivals.append(seconds + nanoseconds / 1e9)
        finally:
            (folder / "enough").touch()

    thread = threading.Thread(target=listen)
    thread.start()
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    assert python is not None, "any Python that a plain user may run"
    environment = os.environ | {"PORT": str(listener.getsockname()[1]), "ENOUGH": str(folder / "enough")}
    command = [*unprivileged(), str(folder / "mm" / "run.sh"), python, "-c", SENDER]
    begin = time.time()
    done = run(command, env=environment, capture_output=True, text=True, timeout=HANG_S, cwd="/")
    thread.join()
    listener.close()
    assert done.returncode == 0, done.stderr

    assert len(arrivals) == WANTED
    early = [at - begin for count, at in enumerate(sorted(arrivals), 1) if count > offered(at - begin)]
    assert not early


def offered(passed_s: float) -> float:
    """Return the largest number of packets that pass in this time. The file has milliseconds, and repeats."""
    rounds, rest_s = divmod(passed_s + 0.002, 6.0)
    return 7000 * rounds + 1000 * min(rest_s, 2) + 2000 * min(max(rest_s - 2, 0), 2) + 500 * max(rest_s - 4, 0)
