# SPDX-License-Identifier: MIT OR Apache-2.0
"""The wheel from a user's view: one file, an empty virtual environment, and no compiler.

The wheel is built with the profile of the working build, so that nothing is compiled twice. `make wheel` builds the
wheel with fat LTO from the same sources.
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

import needs
from project import ROOT
from waiting import HANG_S

Ran = subprocess.CompletedProcess[str]


def built(out: Path) -> Path:
    """The wheel."""
    maturin = Path(sys.executable).with_name("maturin")
    command = [maturin, "build", "--locked", "--profile", "dev", "--out", out]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG_S)
    assert ran.returncode == 0, ran.stderr
    return next(out.glob("*.whl"))


def installed(wheel: Path, place: Path) -> Path:
    """Install the wheel and its dependencies into an environment, and return its `bentpipe`."""
    venv.create(place, with_pip=True)
    command = [place / "bin" / "python", "-m", "pip", "install", "-qq", "--disable-pip-version-check", wheel]
    ran = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=HANG_S)
    if "No matching distribution found" in ran.stderr or "connection" in ran.stderr.lower():
        pytest.skip(needs.reason("registry", ran.stderr[-300:]))
    assert ran.returncode == 0, ran.stderr
    return place / "bin" / "bentpipe"


def call(program: Path, *arguments: str) -> Ran:
    """Run the program outside the repository, without a toolchain on the PATH."""
    place = program.parent.parent
    bare = {"PATH": f"{program.parent}:/usr/bin:/bin", "HOME": str(place), "MPLBACKEND": "Agg"}
    bare |= {key: value for key, value in os.environ.items() if key in ("LANG", "TMPDIR")}
    return subprocess.run([program, *arguments], cwd=place, env=bare, capture_output=True, text=True, timeout=HANG_S)


def test_a_stranger_has_one_file_that_answers(tmp_path: Path) -> None:
    """This is one test, because two parallel tests would build the wheel twice."""
    wheel = built(tmp_path)
    assert re.fullmatch(r"bentpipe-\d+\.\d+\.\d+-cp311-abi3-manylinux_2_\d+_\w+\.whl", wheel.name), wheel.name

    # The wheel contains the library, and no files of the development.
    names = zipfile.ZipFile(wheel).namelist()
    assert "bentpipe/_core.abi3.so" in names
    assert "bentpipe/py.typed" in names
    assert "bentpipe/_league/suite/geo-bulk.toml" in names
    # The wheel contains the notices of the linked crates, as in the repository.
    (notices,) = [name for name in names if name.endswith(".dist-info/licenses/LICENSES-THIRD-PARTY.txt")]
    assert zipfile.ZipFile(wheel).read(notices) == (ROOT / "LICENSES-THIRD-PARTY.txt").read_bytes()
    templates = (ROOT / "python" / "bentpipe" / "show" / "templates").iterdir()
    assert {f"bentpipe/show/templates/{one.name}" for one in templates} <= set(names)
    assert "bentpipe/_league/suite/competition/leo.toml" in names
    rooms = {name.split("/")[0] for name in names}
    assert {room for room in rooms if not room.endswith((".dist-info", ".libs"))} == {"bentpipe"}

    stranger = installed(wheel, tmp_path / "stranger")
    # Everything works without a toolchain: presets and sites are included, and the demo answers.
    for arguments in (
        ("doctor",),
        ("path", "Berkeley", "Boston", "--constellation", "iridium", "--duration", "10 s"),
        ("demo", "--seeds", "2"),
    ):
        ran = call(stranger, *arguments)
        assert ran.returncode == 0, f"{arguments}: {ran.stdout}{ran.stderr}"
    picture = tmp_path / "stranger" / "out" / "demo" / "demo.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
