# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of crates in DESIGN.md against the real dependency graph, dev- and build-dependencies included."""

from __future__ import annotations

import json
import re
import subprocess
from graphlib import TopologicalSorter

import pytest

from project import ROOT


def table() -> dict[str, set[str]]:
    """Crate to the crates it depends on, as DESIGN.md says."""
    section = (ROOT / "DESIGN.md").read_text().split("\n## Crates\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([\w-]+) \| [^|]+ \|([^|]*)\|$", section, re.MULTILINE)
    return {crate: {name.strip() for name in may.split(",") if name.strip()} for crate, may in rows if crate != "crate"}


def graph() -> dict[str, set[str]]:
    """Crate to the crates it really depends on."""
    text = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--no-deps", "--locked", "--offline"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    packages = [package for package in json.loads(text)["packages"] if "/crates/" in package["manifest_path"]]
    crate = {package["name"]: package["name"].removeprefix("bentpipe-") for package in packages}
    return {
        crate[package["name"]]: {crate[dep["name"]] for dep in package["dependencies"] if dep["name"] in crate}
        for package in packages
    }


def test_every_crate_is_in_the_table() -> None:
    assert set(table()) == set(graph())


@pytest.mark.parametrize("crate", sorted(graph()))
def test_a_crate_depends_on_what_the_table_says(crate: str) -> None:
    assert graph()[crate] == table()[crate]


def test_units_depends_on_the_standard_library_alone() -> None:
    manifest = (ROOT / "crates/units/Cargo.toml").read_text()
    assert not re.findall(r"^[\w-]+(?:\.workspace)? *=", manifest.split("[dependencies]")[1], re.MULTILINE)


def modules(crate: str) -> dict[str, set[str]]:
    """Each module of a crate with the other modules that it uses, re-exports of the crate's root resolved."""
    source = ROOT / "crates" / crate / "src"
    names = {file.stem for file in source.glob("*.rs")} - {"lib"}
    home = {
        name: module
        for module, listed in re.findall(
            r"^pub(?:\(crate\))? use (\w+)::([^;]+);", (source / "lib.rs").read_text(), re.MULTILINE
        )
        for name in re.findall(r"\w+", listed)
    } | {name: name for name in names}
    graph: dict[str, set[str]] = {name: set() for name in names}
    for file in source.rglob("*.rs"):
        module = file.relative_to(source).with_suffix("").parts[0]
        if module == "lib" or file.stem == "tests":
            continue
        code = re.sub(r"//.*", "", file.read_text().split("#[cfg(test)]")[0])
        used = re.findall(r"\bcrate::(\w+)", code)
        used += [name for group in re.findall(r"\bcrate::\{([^;]*)\};", code) for name in re.findall(r"\w+", group)]
        graph[module] |= {home[name] for name in used if name in home} - {module}
    return graph


@pytest.mark.parametrize("crate", ["plan", "hosts", "sim"])
def test_modules_of_a_run_have_no_cycle(crate: str) -> None:
    TopologicalSorter(modules(crate)).prepare()


def test_nothing_reads_what_is_written_down() -> None:
    graph = modules("sim")
    assert "session" in graph["output"]
    assert [module for module, used in graph.items() if "output" in used] == []
