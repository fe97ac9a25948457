# SPDX-License-Identifier: MIT OR Apache-2.0
"""A run folder belongs to the user: folders with other files are refused, and a kill loses nothing."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

import bentpipe as bp
from project import ROOT, SMALL, Command
from waiting import HANG_S


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_the_same_run_takes_its_place_with_what_was_drawn(cli: Command, small: Path, tmp_path: Path) -> None:
    for _ in range(2):
        done = cli("run", small, "--out", "r")
        assert done.returncode == 0, done.stderr
        assert cli("report", "r").returncode == 0
        assert cli("plot", "r").returncode == 0
    assert {"report.html", "plot.png"} <= set(names(tmp_path / "r"))


def test_results_of_many_runs_are_not_a_run(cli: Command, small: Path, tmp_path: Path) -> None:
    """The message contains a command that opens the folder."""
    (tmp_path / "sweep.toml").write_text(
        'base = "small.toml"\n[axes]\n"network.dumbbell.rate" = ["4 Mbit/s", "5 Mbit/s"]\n[seeds]\nat_least = 2\n'
    )
    assert cli("sweep", "sweep.toml", "--out", "swept").returncode == 0
    assert cli("compare", small, "--controllers", "reno,cubic", "--seeds", 1, "--out", "compared").returncode == 0
    for command, folder in (("report", "swept"), ("report", "compared"), ("plot", "compared")):
        done = cli(command, folder)
        assert done.returncode != 0
        assert f"{folder} is not a run folder" in done.stderr
        assert f"(to see the results of many runs: bentpipe view {folder})" in done.stderr
    for folder in ("swept", "compared"):
        assert cli("view", folder, "--export", f"{folder}.html").returncode == 0
    (tmp_path / "other").mkdir()
    assert "bentpipe view" not in cli("report", "other").stderr


def test_what_others_put_there_is_refused_by_name(cli: Command, small: Path, tmp_path: Path) -> None:
    assert cli("run", small, "--out", "r").returncode == 0
    (tmp_path / "r" / "notes.txt").write_text("hi")
    before = {name: (tmp_path / "r" / name).read_bytes() for name in names(tmp_path / "r")}
    done = cli("run", small, "--out", "r")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error[folder-occupied]: ")
    assert "it holds notes.txt" in done.stderr
    assert {name: (tmp_path / "r" / name).read_bytes() for name in names(tmp_path / "r")} == before
    done = cli("run", small, "--out", "r", "--force", "--seed", 7)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "r" / "notes.txt").read_text() == "hi"
    assert bp.load(tmp_path / "r").provenance["seed"] == 7


def test_another_run_is_refused_and_named(cli: Command, small: Path, tmp_path: Path) -> None:
    assert cli("run", small, "--out", "r").returncode == 0
    (tmp_path / "other.toml").write_text(SMALL.replace('"small"', '"other"'))
    for arguments, words in (
        (("other.toml",), ['another run, of "small"', 'now: name = "other"']),
        ((small, "--seed", 2), ['another run, of "small"', "in the folder: seed = 1; now: seed = 2"]),
        ((small, "--duration", "1 s"), ['in the folder: duration = "2 s"; now: duration = "1 s"']),
    ):
        done = cli("run", *arguments, "--out", "r")
        assert (done.returncode, done.stdout) == (2, "")
        for word in words:
            assert word in done.stderr
    with pytest.raises(bp.ScenarioError, match="folder-occupied"):
        bp.run(tmp_path / "other.toml", out=tmp_path / "r")
    assert bp.run(tmp_path / "other.toml", out=tmp_path / "r", force=True).name == "other"
    assert bp.load(tmp_path / "r").name == "other"


@pytest.mark.parametrize(
    "command",
    [
        "run small.toml small2.toml --out mine",
        "compare small.toml --controllers reno --seeds 1 --out mine",
        "reproduce own.py --out mine",
        "demo --out mine",
        "evaluate reno --out mine",
    ],
)
def test_every_command_that_writes_refuses_a_folder_of_others(
    cli: Command, small: Path, tmp_path: Path, command: str
) -> None:
    small.with_name("small2.toml").write_text(SMALL)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    done = cli(*command.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert "error[folder-occupied]: cannot write into mine: it holds thesis.tex" in done.stderr
    assert names(tmp_path / "mine") == ["thesis.tex"]


def test_what_commands_wrote_is_theirs(cli: Command, small: Path, tmp_path: Path) -> None:
    small.with_name("small2.toml").write_text(SMALL)
    for command in (
        "run small.toml small2.toml --out a",
        "compare small.toml --controllers reno,cubic --seeds 2 --out b",
    ):
        for _ in range(2):
            done = cli(*command.split())
            assert done.returncode == 0, done.stderr
    (tmp_path / "b" / "notes.txt").write_text("hi")
    assert cli(*command.split()).returncode == 2
    assert cli(*command.split(), "--force").returncode == 0
    assert (tmp_path / "b" / "notes.txt").read_text() == "hi"


def test_a_picture_replaces_only_a_picture(cli: Command, small: Path, tmp_path: Path) -> None:
    assert cli("run", small, "--out", "r").returncode == 0
    (tmp_path / "thesis.pdf").write_text("not one of ours")
    for command in ("plot r", "path London Paris --constellation iridium --duration 1min"):
        done = cli(*command.split(), "--out", "thesis.pdf")
        assert done.returncode == 2
        assert "error[folder-occupied]" in done.stderr
    assert (tmp_path / "thesis.pdf").read_text() == "not one of ours"


def test_two_processes_do_not_write_into_one_folder(tmp_path: Path) -> None:
    partial = tmp_path / ".r.partial"
    partial.mkdir()
    held = os.open(partial, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    with pytest.raises(bp.RunError, match="another run is writing this folder"):
        bp.run(SMALL, out=tmp_path / "r")
    os.close(held)
    bp.run(SMALL, out=tmp_path / "r")
    assert names(tmp_path) == ["r"]


def test_nothing_is_left_of_a_run_that_fails(tmp_path: Path) -> None:
    with pytest.raises(bp.ScenarioError, match="signal-missing"):
        bp.run(SMALL.replace("reno", "jersey"), out=tmp_path / "r")
    assert names(tmp_path) == []


def test_a_slice_of_the_storms(tmp_path: Path) -> None:
    """`make storms` kills more often."""
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "long" / "storms.py", "20", "1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=HANG_S,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("nothing lost") == 4


@pytest.mark.parametrize("stands_before", [False, True])
def test_links_where_something_is_being_written_lead_nowhere(
    cli: Command, small: Path, tmp_path: Path, stands_before: bool
) -> None:
    victim = tmp_path / "victim"
    (victim / "sub").mkdir(parents=True)
    (victim / "data.txt").write_text("precious")
    if stands_before:
        assert cli("run", small, "--out", "r").returncode == 0
    (tmp_path / ".r.partial").symlink_to(victim)
    refused = cli("run", small, "--out", "r")
    assert refused.returncode != 0
    assert "a file or a symbolic link with this name exists (remove it)" in refused.stderr
    assert (names(victim), (victim / "data.txt").read_text()) == (["data.txt", "sub"], "precious")
    (tmp_path / ".r.partial").unlink()
    assert cli("run", small, "--out", "r").returncode == 0
    # A picture is written next to its final place, too.
    (tmp_path / "r" / f".plot.png.{os.getpid()}.partial").symlink_to(victim / "data.txt")
    assert cli("plot", "r").returncode == 0
    assert (victim / "data.txt").read_text() == "precious"
    assert "plot.png" in names(tmp_path / "r")


def held_to_permissions() -> list[str]:
    """Return a prefix so that permissions of files apply to a command. They do not apply to the superuser."""
    return ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []


@pytest.mark.parametrize("inside", ["", "captures"])
def test_a_run_folder_that_may_not_be_changed_is_refused_before_the_run(tmp_path: Path, inside: str) -> None:
    """Otherwise, the folder would remain next to the new one, and would prevent every further run."""
    (tmp_path / "small.toml").write_text(SMALL + 'record = { pcap = ["reno"] }\n')
    command = [*held_to_permissions(), Path(sys.executable).with_name("bentpipe"), "run", "small.toml", "--out", "r"]
    first = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HANG_S)
    assert first.returncode == 0, first.stderr
    place = tmp_path / "r" / inside
    place.chmod(0o555)
    before = sorted(tmp_path.iterdir())
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HANG_S)
    place.chmod(0o755)
    assert (again.returncode, again.stdout) == (1, "")
    assert "error[folder-unwritable]" in again.stderr
    assert "permission" in again.stderr
    assert "chmod u+rwx" in again.stderr
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["flows.parquet", "summary.json", ""])
def test_what_may_not_be_read_is_called_that(tmp_path: Path, name: str) -> None:
    bp.run(SMALL, out=tmp_path / "r")
    place = tmp_path / "r" / name
    mode = place.stat().st_mode
    place.chmod(0)
    for command in ("plot", "report"):
        words = [*held_to_permissions(), Path(sys.executable).with_name("bentpipe"), command, "r"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=HANG_S)
        assert (done.returncode, "no permission to read it (chmod u+r)" in done.stderr) == (1, True), done.stderr
    place.chmod(mode)
