# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ctrl-C is obeyed whatever is under way: real processes, real signals. None of these would end by itself.

How long each takes to end is a question for `benches/stop.py`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from waiting import heed_interrupts, interrupted, until

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
network.constellation = { preset = "iridium", route_step = "10 ms" }
flows = [{ from = "Paris", to = "Tokyo", controller = "own", size = "10 kB" }]
"""
#: Set-up of as many flows as there may be.
FLOWS = """
duration = "30 d"
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
record = { interval = "1 us" }
network.dumbbell = { rate = "1 Tbit/s", rtt = "20 ms" }
flows = [
    { kind = "cbr", rate = "1 Tbit/s" },
    # Rows by which the test sees that it is under way.
    { controller = "reno", start = "30 min", count = 100 },
]
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


#: The command line, which leaves the file `begun` when it calls the native function that looks at the sky.
WATCHED = """
import sys
from bentpipe.cli import entry

def look(_frame, event, called):
    if event == "c_call" and called.__name__ == "paths":
        open("begun", "a").close()

sys.setprofile(look)
sys.exit(entry())
"""
USUAL = ("-m", "bentpipe")


def started(folder: Path, *words: str, program: tuple[str, ...] = USUAL) -> subprocess.Popen[str]:
    """A command under way in a folder."""
    return subprocess.Popen(
        [sys.executable, *program, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        preexec_fn=heed_interrupts,
    )


def a_run(folder: Path, scenario: str, body: str = "pass") -> subprocess.Popen[str]:
    """A run under way."""
    (folder / "s.toml").write_text(scenario)
    (folder / "own.py").write_text(
        PLUGIN.replace("BODY", body) + f"\n    def on_timer(self, event, control):\n        {body}\n"
    )
    return started(folder, "run", "s.toml", "--out", "r", "--plugin", "own.py", "--costly")


def is_written(file: Path) -> bool:
    """Whether rows have come to a table: what a file begins with is shorter."""
    return file.exists() and file.stat().st_size > 1000


@pytest.mark.parametrize(
    ("scenario", "is_under_way"),
    [
        (ROUTES, lambda folder: (folder / ".r.partial").exists()),
        (FLOWS, lambda folder: (folder / ".r.partial").exists()),
        (MONTH, lambda folder: (folder / "begun").exists()),
        (TERABIT, lambda folder: is_written(folder / ".r.partial" / "flows.parquet")),
    ],
    ids=["routes", "flows", "month", "terabit"],
)
def test_ctrl_c_is_obeyed(tmp_path: Path, scenario: str, is_under_way: Callable[[Path], bool]) -> None:
    process = a_run(tmp_path, scenario)
    until(lambda: is_under_way(tmp_path), process)
    assert "error[interrupted]: " in interrupted(process)
    assert sorted(file.name for file in tmp_path.iterdir() if file.name != "begun") == ["own.py", "s.toml"]


def test_sigterm_is_obeyed_as_ctrl_c(tmp_path: Path) -> None:
    """What a scheduler of a cluster or of containers sends: nothing half-written is left, and the exit code is 130."""
    process = a_run(tmp_path, TERABIT)
    until(lambda: is_written(tmp_path / ".r.partial" / "flows.parquet"), process)
    assert "error[interrupted]: " in interrupted(process, signal.SIGTERM)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["own.py", "s.toml"]


@pytest.mark.parametrize(
    "body",
    ["control.cwnd = 1e300", "control.cwnd = 1e7", "time.sleep(1e6)", "control.timer_s = event.now_s"],
    ids=["endless-window", "large-window", "sleeps", "timer-now"],
)
def test_ctrl_c_is_obeyed_by_a_controller_in_python(tmp_path: Path, body: str) -> None:
    process = a_run(tmp_path, OWN, body)
    until((tmp_path / "begun").exists, process)
    assert "error[interrupted]: " in interrupted(process)


#: Own code that takes no notice of Ctrl-C but to say so. The second one counts as the second however late it comes.
DEAF = """
import time
from bentpipe import cli

cli._AGAIN_S = float("inf")
open("begun", "a").close()
while True:
    try:
        time.sleep(1)
    except KeyboardInterrupt:
        open("heard", "a").close()
"""


def test_a_second_ctrl_c_ends_at_once(tmp_path: Path) -> None:
    """Nothing is said, and nothing waited for: not even for code that takes no notice of the first."""
    (tmp_path / "deaf.py").write_text(DEAF)
    (tmp_path / "s.toml").write_text(TERABIT)
    process = started(tmp_path, "run", "s.toml", "--plugin", "deaf.py", "--costly")
    until((tmp_path / "begun").exists, process)
    process.send_signal(signal.SIGINT)
    until((tmp_path / "heard").exists, process)
    assert interrupted(process) == ""


#: In the place of a module of others: the import of `bentpipe` comes to it early, and goes no further.
SLOW = """
import time
open("begun", "a").close()
while True:
    try:
        time.sleep(1)
    except BaseException:
        open("raised", "a").close()
"""
#: What an installer writes for the command.
SCRIPT = """
import sys
from bentpipe.cli import entry
sys.exit(entry())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("program", [USUAL, ("bentpipe",)], ids=["module", "script"])
def test_ctrl_c_is_obeyed_while_modules_are_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: tuple[str, ...], number: signal.Signals
) -> None:
    """At once: an exception would come out of whatever import is under way."""
    (tmp_path / "tomli_w.py").write_text(SLOW)
    (tmp_path / "bentpipe").write_text(SCRIPT)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    process = started(tmp_path, "run", "s.toml", program=program)
    until((tmp_path / "begun").exists, process)
    assert interrupted(process, number) == "error[interrupted]: stopped by the user\n"
    assert not (tmp_path / "raised").exists()


def test_a_program_that_uses_the_package_keeps_its_signals(tmp_path: Path) -> None:
    program = (
        "import signal, bentpipe.cli\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
        "assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL\n"
    )
    process = started(tmp_path, "bentpipe", program=("-c", program))
    assert (process.wait(), process.communicate()[1]) == (0, "")


def test_ctrl_c_is_obeyed_by_a_look_at_the_sky(tmp_path: Path) -> None:
    sky = ["--constellation", "hypatia-kuiper-630", "--duration", "200 h"]
    process = started(tmp_path, "path", "Paris", "Tokyo", *sky, program=("-c", WATCHED))
    until((tmp_path / "begun").exists, process)
    assert "error[interrupted]: " in interrupted(process)
