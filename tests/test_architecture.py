# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of rooms in DESIGN.md against the real dependency graph, dev- and build-dependencies included."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def table() -> dict[str, set[str]]:
    """Room to the rooms it depends on, as DESIGN.md says."""
    section = (ROOT / "DESIGN.md").read_text().split("\n## Rooms\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (\w+) \| [^|]+ \|([^|]*)\|$", section, re.MULTILINE)
    return {room: {name.strip() for name in may.split(",") if name.strip()} for room, may in rows if room != "room"}


def graph() -> dict[str, set[str]]:
    """Room to the rooms it really depends on."""
    text = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--no-deps", "--locked", "--offline"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    packages = [package for package in json.loads(text)["packages"] if "/crates/" in package["manifest_path"]]
    room = {package["name"]: package["name"].removeprefix("bentpipe-") for package in packages}
    return {
        room[package["name"]]: {room[dep["name"]] for dep in package["dependencies"] if dep["name"] in room}
        for package in packages
    }


def test_every_room_is_in_the_table() -> None:
    assert set(table()) == set(graph())


@pytest.mark.parametrize("room", sorted(graph()))
def test_a_room_depends_on_what_the_table_says(room: str) -> None:
    assert graph()[room] == table()[room]


def test_units_depends_on_the_standard_library_alone() -> None:
    manifest = (ROOT / "crates/units/Cargo.toml").read_text()
    assert not re.findall(r"^[\w-]+(?:\.workspace)? *=", manifest.split("[dependencies]")[1], re.MULTILINE)
