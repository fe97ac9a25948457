# SPDX-License-Identifier: MIT OR Apache-2.0
"""The wheel as a stranger gets it: one file, an empty virtual environment, no compiler.

Built with the profile of work, so that nothing is compiled twice; `make wheel` makes the one with fat LTO from the same
sources.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

Ran = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    maturin = Path(sys.executable).with_name("maturin")
    command = [maturin, "build", "--locked", "--profile", "dev", "--out", out]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert built.returncode == 0, built.stderr
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def stranger(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bentpipe` of an environment that holds the wheel and what pip brings with it."""
    place = tmp_path_factory.mktemp("stranger")
    venv.create(place, with_pip=True)
    command = [place / "bin" / "python", "-m", "pip", "install", "-qq", "--disable-pip-version-check", wheel]
    installed = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=600)
    if "No matching distribution found" in installed.stderr or "connection" in installed.stderr.lower():
        pytest.skip(f"SKIPPED: no package registry to install the wheel's dependencies from: {installed.stderr[-300:]}")
    assert installed.returncode == 0, installed.stderr
    return place / "bin" / "bentpipe"


def call(program: Path, *arguments: str) -> Ran:
    """Runs it far from the repository, with nothing of a toolchain on the path."""
    place = program.parent.parent
    bare = {"PATH": f"{program.parent}:/usr/bin:/bin", "HOME": str(place), "MPLBACKEND": "Agg"}
    bare |= {key: value for key, value in os.environ.items() if key in ("LANG", "TMPDIR")}
    return subprocess.run([program, *arguments], cwd=place, env=bare, capture_output=True, text=True, timeout=300)


def test_one_wheel_serves_every_python_from_3_11_on_any_recent_linux(wheel: Path) -> None:
    assert re.fullmatch(r"bentpipe-\d+\.\d+\.\d+-cp311-abi3-manylinux_2_\d+_\w+\.whl", wheel.name), wheel.name


def test_it_holds_the_library_and_nothing_of_the_workshop(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "bentpipe/_core.abi3.so" in names
    assert "bentpipe/py.typed" in names
    assert "bentpipe/_league/suite/geo-bulk.toml" in names
    assert "bentpipe/_league/suite/competition/leo.toml" in names
    rooms = {name.split("/")[0] for name in names}
    assert {room for room in rooms if not room.endswith((".dist-info", ".libs"))} == {"bentpipe"}


def test_doctor_is_content_without_a_toolchain(stranger: Path) -> None:
    ran = call(stranger, "doctor")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_presets_and_sites_are_inside(stranger: Path) -> None:
    ran = call(stranger, "path", "Berkeley", "Boston", "--constellation", "iridium", "--duration", "10 s")
    assert ran.returncode == 0, ran.stderr


def test_the_demo_answers(stranger: Path) -> None:
    ran = call(stranger, "demo", "--seeds", "2")
    assert ran.returncode == 0, ran.stderr
    picture = stranger.parent.parent / "out" / "demo" / "demo.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
