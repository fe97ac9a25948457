# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables of crates and of Python packages in DESIGN.md, compared with the real dependency graphs.

For crates, dev- and build-dependencies are included. For Python modules, imports inside functions are included.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
from functools import cache
from graphlib import TopologicalSorter

import pytest

from project import ROOT


def table() -> dict[str, set[str]]:
    """Return each crate with the crates that it depends on according to DESIGN.md."""
    section = (ROOT / "DESIGN.md").read_text().split("\n## Crates\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([\w-]+) \| [^|]+ \|([^|]*)\|$", section, re.MULTILINE)
    return {crate: {name.strip() for name in may.split(",") if name.strip()} for crate, may in rows if crate != "crate"}


def graph() -> dict[str, set[str]]:
    """Return each crate with the crates that it really depends on."""
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
    """Return each module of a crate with the other modules that it uses. Re-exports of the root are resolved."""
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


PACKAGE = ROOT / "python" / "bentpipe"


def layers() -> dict[str, int]:
    """Return each package or module directly below `bentpipe` with the number of its layer in DESIGN.md."""
    section = (ROOT / "DESIGN.md").read_text().split("\n## Python packages\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", section, re.MULTILINE)
    return {name: int(layer) for layer, names in rows for name in re.findall(r"`([\w.]+)`", names)}


def part(module: str) -> str:
    """Return the package or module directly below `bentpipe` that contains a module; `bentpipe` for the root."""
    return module.split(".")[1] if "." in module else module


@cache
def python_modules() -> dict[str, set[str]]:
    """Return each module of the package with the modules that it imports at run time, at the top or in a function."""
    files = {file.relative_to(PACKAGE.parent).with_suffix(""): file for file in PACKAGE.rglob("*.py")}
    names = {".".join(place.parts).removesuffix(".__init__"): file for place, file in files.items()}
    return {
        name: {one for one in imported(ast.parse(file.read_text()), {*names, "bentpipe._core"}) if one != name}
        for name, file in names.items()
    }


def imported(node: ast.AST, modules: set[str]) -> set[str]:
    """Return the modules of `modules` that a part of a file imports, except for type checkers."""
    found: set[str] = set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            found |= {alias.name for alias in child.names} & modules
        elif isinstance(child, ast.ImportFrom) and child.module is not None:
            whole = {f"{child.module}.{alias.name}" for alias in child.names}
            found |= whole & modules or {child.module} & modules
        elif not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            found |= imported(child, modules)
    return found


def test_every_python_package_is_in_the_table() -> None:
    assert {part(name) for name in python_modules()} | {"_core"} == set(layers()) | {"__main__"}


@pytest.mark.parametrize("module", sorted(python_modules()))
def test_a_python_module_imports_from_its_package_and_from_lower_layers(module: str) -> None:
    layer = layers() | {"__main__": 99}
    own = part(module)
    others = {one for one in python_modules()[module] if part(one) != own}
    assert [one for one in sorted(others) if layer[part(one)] >= layer[own]] == []


def test_python_modules_have_no_cycle() -> None:
    TopologicalSorter(python_modules()).prepare()


#: Third-party packages that take long to load or are optional.
SLOW = {
    *("SALib", "argcomplete", "distributed", "duckdb", "fsspec", "jinja2", "matplotlib"),
    *("msgspec", "numpy", "optuna", "pyarrow", "rich", "scipy"),
}


#: Own modules that take long to load, as measured: classes of scenario tables (50 ms of CPU time), readers of results
#: as numbers (10 ms), and studies (130 ms).
SLOW_HERE = {"bentpipe.scenario.bench", "bentpipe.scenario.classes", "bentpipe.study", "bentpipe.study._runs"}


def at_the_top(module: str) -> ast.Module:
    """Return the statements of a module that are executed when it is imported (those outside functions)."""
    place = PACKAGE.parent / module.replace(".", "/")
    file = place.with_suffix(".py")
    tree = ast.parse((file if file.exists() else place / "__init__.py").read_text())
    return ast.Module([node for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef))], [])


def loads_slowly(module: str) -> bool:
    """Whether the import of a module imports one of `SLOW`, or is slow itself."""
    if module in SLOW_HERE:
        return True
    modules, seen, left = set(python_modules()), set[str](), {module}
    while left:
        one = left.pop()
        seen.add(one)
        if {name.split(".")[0] for name in named(at_the_top(one))} & SLOW:
            return True
        left |= imported(at_the_top(one), modules) - seen
    return False


def named(node: ast.AST) -> set[str]:
    """Return the names that a part of a file imports, as they are written."""
    found = set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            found |= {alias.name for alias in child.names}
        elif isinstance(child, ast.ImportFrom) and child.module is not None:
            found.add(child.module)
        elif not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            found |= named(child)
    return found


def test_only_slow_modules_are_imported_inside_functions() -> None:
    wrong = set()
    for file in PACKAGE.rglob("*.py"):
        for function in ast.walk(ast.parse(file.read_text())):
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                own = imported(function, set(python_modules()))
                wrong |= {f"{file.relative_to(PACKAGE)}: {one}" for one in own if not loads_slowly(one)}
    assert sorted(wrong) == []
