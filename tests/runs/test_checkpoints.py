# SPDX-License-Identifier: MIT OR Apache-2.0
"""A run that is killed continues from its checkpoint, and its folder has the same bytes as without the kill."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe.runs import make
from project import SMALL, Command
from waiting import HANG_S, interrupted, until

#: More than an hour over satellites: the network is laid out page by page. Tables are longer than memory keeps.
PAGES = """
duration = "90 min"
warm_up = "100 s"
record = { interval = "200 ms", events = true }
[network]
announce = "2 s"
announce_error = "500 ms"
[network.constellation]
preset = "iridium"
route_step = "10 s"
user_link = { rate = "100 kbit/s", queue = "20 packets" }
[[flows]]
from = "Berkeley"
to = "Boston"
controller = "cubic"
[[flows]]
kind = "ping"
from = "Berkeley"
to = "London"
"""
#: Visits, a call, and a proxy that loses its state.
GEO = """
duration = "400 s"
warm_up = "20 s"
record = { interval = "20 ms", events = true }
tcp.preset = "linux"
peps = [{ at = ["right"], flows = ["bulk"], buffer = "200 kB", resets = ["150 s"], retry = "1 s" }]
flows = [
    { name = "bulk", controller = "cubic", size = "90 MB", access = { rate = "20 Mbit/s", delay = "5 ms" } },
    { kind = "web", controller = "reno", users = 3, think = "2 s" },
    { kind = "call", from = "right", to = "left" },
]
[network.dumbbell]
rate = "4 Mbit/s"
rtt = "550 ms"
queue = "1 BDP"
loss = { per = 1e-4 }
"""
#: The command line with intervals that users may not choose.
PROGRAM = """
import sys
from bentpipe.cli import entry
from bentpipe.runs import make

make.SHORTEST_CHECKPOINT_S = 0.0
sys.exit(entry())
"""
EVERY = ("--checkpoint", "10 ms")


def started(folder: Path, *words: object) -> subprocess.Popen[str]:
    """Start a run with a short interval."""
    command = [sys.executable, "-c", PROGRAM, "run", *map(str, words), *EVERY]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def position(scenario: Path, out: Path) -> float:
    """Return the time of the last state in s; -1 without a state."""
    found = _core.checkpoint_position(make.job(scenario, out=out))
    return -1.0 if found is None else found[0]


def killed(scenario: Path, after_s: float) -> float:
    """Kill a run into `r` when its last state is later than `after_s`. Return the time of the last state in s."""
    out = scenario.with_name("r")
    process = started(scenario.parent, scenario.name, "--out", "r")
    until(lambda: position(scenario, out) > after_s, process)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=HANG_S)
    assert process.returncode == -signal.SIGKILL, "the run ended before the kill"
    return position(scenario, out)


def words(time_s: float) -> str:
    return f"{time_s:,.0f} s" if time_s >= 1000 else f"{time_s:.4g} s"


def content(folder: Path) -> dict[str, bytes]:
    return {entry.name: entry.read_bytes() for entry in folder.iterdir()}


@pytest.mark.parametrize(("text", "times_s"), [(PAGES, (0.0, 1500.0, 3000.0)), (GEO, (10.0, 160.0))])
def test_a_killed_run_continues_with_the_same_bytes(
    text: str, times_s: tuple[float, ...], cli: Command, tmp_path: Path
) -> None:
    scenario = tmp_path / "s.toml"
    scenario.write_text(text)
    whole = bp.run(scenario, out=tmp_path / "whole")
    assert whole.folder is not None
    for after_s in times_s:
        at_s = killed(scenario, after_s)
        assert at_s > after_s
        assert not (tmp_path / "r").exists()
    journals = [journal.name for journal in (tmp_path / ".r.checkpoint").glob("*.rows")]
    assert journals, "no table was longer than memory keeps"
    done = cli("run", scenario, "--out", "r", "--checkpoint", "10 min")
    assert done.returncode == 0, done.stderr
    assert f"continues at {words(at_s)} of {words(whole.summary['provenance']['duration_s'])}\n" in done.stderr
    assert content(tmp_path / "r") == content(whole.folder)
    hidden = [entry.name for entry in tmp_path.iterdir() if entry.name.startswith(".")]
    assert hidden == [], "the checkpoint is removed when the run is complete"


def test_ctrl_c_keeps_the_last_state(tmp_path: Path) -> None:
    scenario = tmp_path / "s.toml"
    scenario.write_text(GEO)
    process = started(tmp_path, scenario.name, "--out", "r")
    until(lambda: position(scenario, tmp_path / "r") > 1, process)
    errors = interrupted(process)
    at_s = position(scenario, tmp_path / "r")
    assert f"stopped by the user: the same command continues at {words(at_s)} of 400 s\n" in errors
    run = bp.run(scenario, out=tmp_path / "r", checkpoint="1 h")
    bp.run(scenario, out=tmp_path / "whole")
    assert run.folder is not None
    assert content(run.folder) == content(tmp_path / "whole")


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a killed run of `s.toml`."""
    scenario = tmp_path_factory.mktemp("stopped") / "s.toml"
    scenario.write_text(GEO)
    out = scenario.with_name("r")
    process = started(scenario.parent, scenario.name, "--out", "r")
    until(lambda: list(out.with_name(".r.checkpoint").glob("*.rows")), process)
    seen_s = position(scenario, out)
    until(lambda: position(scenario, out) > seen_s, process)
    process.kill()
    process.communicate(timeout=HANG_S)
    return scenario.parent


def _flipped(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def _damage_state(folder: Path) -> None:
    _flipped(folder / ".r.checkpoint" / "state")


def _cut_state(folder: Path) -> None:
    state = folder / ".r.checkpoint" / "state"
    state.write_bytes(state.read_bytes()[:-1])


def _damage_journal(folder: Path) -> None:
    journal = min((folder / ".r.checkpoint").glob("*.rows"))
    data = bytearray(journal.read_bytes())
    data[100] ^= 1
    journal.write_bytes(data)


def _change_scenario(folder: Path) -> None:
    scenario = folder / "s.toml"
    scenario.write_text(scenario.read_text().replace("550 ms", "551 ms"))


DAMAGED = "it is damaged: some bytes changed or are missing"
ANOTHER = "it belongs to another scenario, to other input files or to another seed"


@pytest.mark.parametrize(
    ("change", "words", "why"),
    [
        (_damage_state, (), DAMAGED),
        (_cut_state, (), DAMAGED),
        (_damage_journal, (), ".rows is damaged: some bytes changed or are missing"),
        (_change_scenario, (), ANOTHER),
        (lambda _: None, ("--seed", 77), ANOTHER),
        (lambda _: None, ("--duration", "399 s"), ANOTHER),
    ],
)
def test_another_or_a_damaged_checkpoint_is_refused(
    change: Callable[[Path], None], words: tuple[object, ...], why: str, stopped: Path, tmp_path: Path, cli: Command
) -> None:
    shutil.copytree(stopped, tmp_path, dirs_exist_ok=True)
    change(tmp_path)
    before = content(tmp_path / ".r.checkpoint")
    done = cli("run", "s.toml", "--out", "r", "--checkpoint", "10 min", *words)
    assert done.returncode == 2, done.stderr
    assert f"cannot continue from the checkpoint {tmp_path / '.r.checkpoint'}: " in done.stderr
    assert why in done.stderr
    assert "(to start the run again from its beginning, remove this folder)" in done.stderr
    assert content(tmp_path / ".r.checkpoint") == before
    assert not (tmp_path / "r").exists()


MINE = '{ name = "mine", controller = "reno" }'
QUIC = '{ name = "mine", controller = "reno", transport = "quic" }'
OWN = """
import bentpipe as bp

@bp.register("own")
class Own(bp.Controller):
    def on_ack(self, event, control):
        control.cwnd = 4.0
"""


@pytest.mark.parametrize(
    ("more", "flow", "words", "why"),
    [
        ('record.pcap = ["mine"]', MINE, (), "captures are written during the run"),
        ("", MINE, ("--qlog", "mine"), "captures are written during the run"),
        ("record.packets = true", MINE, (), "rows of packets are written during the run"),
        ("", QUIC, (), 'the QUIC connection of flow "mine" cannot be written (write transport = "tcp")'),
        ("", '{ name = "mine", controller = "own" }', ("--plugin", "own.py"), 'controller "own" of flow "mine"'),
    ],
)
def test_runs_that_cannot_be_saved_are_refused_by_name(
    more: str, flow: str, words: tuple[str, ...], why: str, tmp_path: Path, cli: Command
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    network = 'network.dumbbell = { rate = "2 Mbit/s", rtt = "80 ms" }'
    (tmp_path / "s.toml").write_text(f'duration = "3 s"\n{network}\n{more}\nflows = [{flow}]\n')
    done = cli("run", "s.toml", "--out", "r", "--checkpoint", "10 min", *words)
    assert done.returncode == 2, done.stderr
    assert "cannot save the state of the run: " in done.stderr
    assert why in done.stderr
    assert not (tmp_path / "r").exists()
    assert not (tmp_path / ".r.checkpoint").exists()


def test_an_interval_that_cannot_be_used_is_refused(tmp_path: Path, cli: Command) -> None:
    (tmp_path / "s.toml").write_text(SMALL)
    for words, why in (
        (("--checkpoint", "10 min"), "(give one scenario, and add --out DIR)"),
        (("s.toml", "--out", "r", "--checkpoint", "10 min"), "(give one scenario, and add --out DIR)"),
        (("--out", "r", "--checkpoint", "999 ms"), 'checkpoint must be at least 1 s, not "999 ms"'),
        (("--out", "r", "--checkpoint", "10"), '(write "10 s")'),
    ):
        done = cli("run", "s.toml", *words)
        assert done.returncode == 2, done.stderr
        assert why in done.stderr
    with pytest.raises(bp.ArgumentError, match=r"no folder is given \(add out=…\)"):
        bp.run(SMALL, checkpoint="10 min")
    assert bp.run(SMALL, out=tmp_path / "r", checkpoint="1 s").summary == bp.run(SMALL).summary
