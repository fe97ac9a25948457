# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ctrl-C is obeyed whatever is under way: real processes, real signals. Idle, each of these ends within 1 s of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

#: A machine with other work takes longer to answer than an idle one.
PATIENCE_S = 4.0

#: Minutes of looking at the sky before the first packet, and a pair that is never connected.
ROUTES = """
duration = "200 h"
network.constellation = { preset = "hypatia-kuiper-630" }
flows = [
    { from = "Paris", to = "Tokyo", controller = "reno" },
    { from = "Berkeley", to = "Boston", controller = "reno" },
]
"""
#: One small transfer, then a month in which nothing happens but the sky.
MONTH = """
duration = "30 d"
record = { interval = "off" }
network.constellation = { preset = "iridium" }
flows = [{ from = "Paris", to = "Tokyo", controller = "reno", size = "10 kB" }]
"""
#: Set-up of as many flows as there may be.
FLOWS = """
duration = "100 s"
network.constellation = { preset = "iridium" }
[[flows]]
from = "Paris"
to = "Tokyo"
controller = "reno"
count = 65535
access = { rate = "1 Gbit/s", delay = "1 ms" }
"""
#: A hundred million packets in each second of the run.
TERABIT = """
duration = "1 h"
network.dumbbell = { rate = "1 Tbit/s", rtt = "20 ms" }
flows = [{ kind = "cbr", rate = "1 Tbit/s" }]
"""
OWN = """
duration = "1 h"
network.dumbbell = { rate = "10 Mbit/s", rtt = "40 ms" }
flows = [{ controller = "own" }]
"""
PLUGIN = """
import time
import bentpipe as bp

@bp.register("own")
class Own(bp.Controller):
    def on_ack(self, event, control):
        open("begun", "a").close()
        BODY
"""


def started(folder: Path, *words: str) -> subprocess.Popen[str]:
    """A command under way in an empty folder."""
    # A shell may have told its children to ignore the signal: start with the usual answer to it.
    restore: Callable[[], object] = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)  # noqa: E731
    return subprocess.Popen(
        [sys.executable, "-m", "bentpipe", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        preexec_fn=restore,
    )


def stopped(process: subprocess.Popen[str], times: int = 1) -> tuple[float, str]:
    """How long it took to end after Ctrl-C, and what it said."""
    assert process.poll() is None, "it is over already"
    begun = time.monotonic()
    for again in range(times):
        if again:
            time.sleep(0.1)
        os.kill(process.pid, signal.SIGINT)
    try:
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    return time.monotonic() - begun, errors


@pytest.mark.parametrize(
    ("scenario", "after_s"),
    [(ROUTES, 4), (MONTH, 4), (FLOWS, 3), (TERABIT, 3)],
    ids=["routes", "month", "flows", "terabit"],
)
def test_ctrl_c_is_obeyed(tmp_path: Path, scenario: str, after_s: float) -> None:
    (tmp_path / "s.toml").write_text(scenario)
    process = started(tmp_path, "run", "s.toml", "--costly")
    time.sleep(after_s)
    took_s, errors = stopped(process)
    assert process.returncode == 130, errors
    assert errors.startswith("error[interrupted]: "), errors
    assert took_s < PATIENCE_S


@pytest.mark.parametrize(
    "body",
    ["control.cwnd = 1e300", "control.cwnd = 1e7", "time.sleep(1e6)", "control.timer_s = event.now_s"],
    ids=["endless-window", "large-window", "sleeps", "timer-now"],
)
def test_ctrl_c_is_obeyed_by_a_controller_in_python(tmp_path: Path, body: str) -> None:
    (tmp_path / "own.py").write_text(
        PLUGIN.replace("BODY", body) + f"\n    def on_timer(self, event, control):\n        {body}\n"
    )
    (tmp_path / "s.toml").write_text(OWN)
    process = started(tmp_path, "run", "s.toml", "--plugin", "own.py")
    patience = time.monotonic() + 60
    while not (tmp_path / "begun").exists() and time.monotonic() < patience:
        time.sleep(0.02)
    time.sleep(0.5)
    took_s, errors = stopped(process)
    assert process.returncode == 130, errors
    assert errors.startswith("error[interrupted]: "), errors
    assert took_s < PATIENCE_S


def test_a_second_ctrl_c_ends_at_once(tmp_path: Path) -> None:
    """Nothing is said, and nothing waited for: not even for code that takes no notice of the first."""
    (tmp_path / "deaf.py").write_text(
        "import time\nopen('begun', 'a').close()\nwhile True:\n    try:\n        time.sleep(1)\n"
        "    except KeyboardInterrupt:\n        pass\n"
    )
    (tmp_path / "s.toml").write_text(TERABIT)
    process = started(tmp_path, "run", "s.toml", "--plugin", "deaf.py")
    patience = time.monotonic() + 60
    while not (tmp_path / "begun").exists() and time.monotonic() < patience:
        time.sleep(0.02)
    took_s, errors = stopped(process, times=2)
    assert (process.returncode, errors) == (130, "")
    assert took_s < PATIENCE_S


def test_ctrl_c_is_obeyed_by_a_look_at_the_sky(tmp_path: Path) -> None:
    sky = ["--constellation", "hypatia-kuiper-630", "--duration", "200 h"]
    process = started(tmp_path, "path", "Paris", "Tokyo", *sky)
    time.sleep(3)
    took_s, errors = stopped(process)
    assert process.returncode == 130, errors
    assert took_s < PATIENCE_S
