# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is exported, replayed by mahimahi itself: datagrams beyond the link's rate come through at the scenario's.

The tools run in real time. What is counted are packets over whole seconds, by the kernel's clock; the queue is deep, so
that a busy machine delays packets and loses none.
"""

from __future__ import annotations

import os
import shutil
import socket
import stat
import struct
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from subprocess import run

import pytest

import bentpipe as bp
import needs

#: Packets of 1500 bytes: 1,000, 2,000 and 500 in a second.
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
#: Of Linux: a larger buffer than users may have, and a stamp by the kernel's clock (socket(7)).
_RCVBUFFORCE, _TIMESTAMPNS = 33, 35
#: Without its headers a packet of 1500 bytes.
PAYLOAD = 1472
SENDER = f"""
import os, socket, time
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
out.connect((os.environ["MAHIMAHI_BASE"], int(os.environ["PORT"])))
begin = time.monotonic()
while (passed := time.monotonic() - begin) < 5.5:
    try:
        out.send(bytes({PAYLOAD}))
    except OSError:
        pass  # the queue in front of the tunnel is full
    time.sleep(0.0003)
"""


def unprivileged() -> list[str]:
    """What makes a command one of a plain user: mahimahi refuses root, and becomes root by itself."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


def why_not() -> str:
    """Why the tools cannot be run; empty if they can."""
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
    """A folder that any user may read."""
    place = Path(tempfile.mkdtemp(prefix="bentpipe-mahimahi"))
    place.chmod(0o755)
    yield place
    shutil.rmtree(place)


@pytest.mark.skipif(bool(why_not()), reason=needs.reason("mahimahi", why_not()))
def test_mahimahi_delivers_at_the_rates_of_the_scenario(folder: Path) -> None:
    bp.export(SCENARIO, folder / "mm", format="mahimahi")
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.bind(("0.0.0.0", 0))  # noqa: S104 - mahimahi chooses the address
    listener.settimeout(5)
    listener.setsockopt(socket.SOL_SOCKET, _RCVBUFFORCE if os.geteuid() == 0 else socket.SO_RCVBUF, 16_000_000)
    listener.setsockopt(socket.SOL_SOCKET, _TIMESTAMPNS, 1)
    arrivals: list[float] = []

    def listen() -> None:
        try:
            while True:
                data, ((_, _, stamp),), _, _ = listener.recvmsg(2000, 64)
                assert len(data) == PAYLOAD
                seconds, nanoseconds = struct.unpack("qq", stamp)
                arrivals.append(seconds + nanoseconds / 1e9)
        except TimeoutError:
            pass

    thread = threading.Thread(target=listen)
    thread.start()
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    assert python is not None, "any Python that a plain user may run"
    environment = os.environ | {"PORT": str(listener.getsockname()[1])}
    command = [*unprivileged(), str(folder / "mm" / "run.sh"), python, "-c", SENDER]
    done = run(command, env=environment, capture_output=True, text=True, timeout=60, cwd="/")
    thread.join()
    listener.close()
    assert done.returncode == 0, done.stderr

    def within(begin: float, end: float) -> int:
        return sum(begin <= at - arrivals[0] < end for at in arrivals)

    # The trace begins with the shell, up to half a second before the first packet comes: of the five seconds 1.2 to 1.7
    # are at 1,000 packets, 2 at 2,000, the rest at 500.
    assert 6100 * 0.97 < within(0.3, 5.3) < 6350 * 1.03
    # A second alone is as exact as the machine is idle.
    for begin, packets in ((0.3, 1000), (2.3, 2000), (4.3, 500)):
        assert within(begin, begin + 1) == pytest.approx(packets, rel=0.1), begin
