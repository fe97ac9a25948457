# SPDX-License-Identifier: MIT OR Apache-2.0
"""Options and fixtures that all Python tests share."""

from __future__ import annotations

import fcntl
import importlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bentpipe as bp
import skips
from bentpipe import cli as _cli
from bentpipe.scenario.controller import REGISTERED
from bentpipe.show.viewer import page as _page
from project import ROOT, SMALL, Command
from viewed import ORBIT, PAGE
from waiting import HANG_S


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--accept", action="store_true", help="write the numbers that the guide's examples print now into its pages"
    )


def pytest_configure(config: pytest.Config) -> None:
    # This is a plugin, and not hooks of this file, so that it also checks the skips of papers/tests.
    config.pluginmanager.register(skips, "bentpipe-skips")


@pytest.fixture(autouse=True)
def own_controllers() -> Iterator[None]:
    """Remove controllers that a test registered: "all" in other tests would run them, and one ends its process."""
    before = dict(REGISTERED)
    yield
    REGISTERED.clear()
    REGISTERED.update(before)


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line in this process, in an empty folder. It returns the exit code and the output."""

    def call(*arguments: object, cwd: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(cwd)
        capsys.readouterr()
        words = [str(argument) for argument in arguments]
        try:
            code = _cli.entry(words)
        except SystemExit as stop:
            code = int(stop.code or 0)
        return subprocess.CompletedProcess(words, code, *capsys.readouterr())

    return call


@pytest.fixture
def process(tmp_path: Path) -> Command:
    """The command line in a separate process and an empty folder, for tests that need a real process."""

    def call(*arguments: object, cwd: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        command = [str(Path(sys.executable).with_name("bentpipe")), *map(str, arguments)]
        environment = {**os.environ, "MPLBACKEND": "Agg"}
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=HANG_S)

    return call


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A scenario that runs in no time."""
    file = tmp_path / "small.toml"
    file.write_text(SMALL)
    return file


@pytest.fixture(scope="session")
def orbit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of a scenario with everything that the viewer shows. Tests must not write into it."""
    place = tmp_path_factory.mktemp("runs") / "orbit"
    bp.run(ORBIT, out=place)
    return place


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A tiny page in place of the viewer's page, which is built from `web/`."""
    place = tmp_path / "page"
    place.mkdir()
    for name, text in {"index.html": PAGE, "viewer.js": "1;", "viewer.css": "p{}"}.items():
        (place / name).write_text(text)
    monkeypatch.setattr(_page, "PAGE", place)
    for kept in (_page.file, _page.policy):
        kept.cache_clear()
    yield
    for kept in (_page.file, _page.policy):
        kept.cache_clear()


@pytest.fixture
def kernel_turn() -> Iterator[None]:
    """Wait until no other test of this machine loads a controller into the kernel."""
    with (Path(tempfile.gettempdir()) / "bentpipe-kernel-tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The driver of the newer Linux kernel, tools/linux_traces/newer.py."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(ROOT / "tools" / "linux_traces"))
    yield importlib.import_module("newer")
    for name in {"disciplines", "machine", "newer", "openings", "tables"} - before:
        sys.modules.pop(name, None)
