# SPDX-License-Identifier: MIT OR Apache-2.0
"""One convention for all papers, public names of Bentpipe only, and leaves that import leaves."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe import study
from bentpipe.study._runs import _READERS
from bentpipe_papers.order import rows_in

PACKAGE = Path(__file__).resolve().parents[1] / "bentpipe_papers"
FILES = sorted(PACKAGE.rglob("*.py"))
PAPERS = sorted(file.parent for file in PACKAGE.glob("*/__init__.py"))
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))


def imported(file: Path) -> Iterator[tuple[str, str]]:
    """(module, name) of each import of a file; the name is empty where the module itself is imported."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole module"
            yield from ((node.module or "", alias.name) for alias in node.names)


def leaf(module: str, name: str) -> Path | None:
    """The file of this package that an import leads to."""
    whole = PACKAGE.parent / Path(*module.split("."))
    for file in (whole / f"{name}.py", whole / name / "__init__.py", whole.with_suffix(".py"), whole / "__init__.py"):
        if file.exists():
            return file
    return None


@each_file
def test_only_public_names_of_bentpipe_are_used(file: Path) -> None:
    known = {"bentpipe": {"", "plots", "study", *bp.__all__}, "bentpipe.study": set(study.__all__)}
    for module, name in imported(file):
        if module == "bentpipe.plots":
            assert not name.startswith("_")
        elif module.split(".")[0] == "bentpipe":
            assert name in known[module], f"{module}.{name} is not public"
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in ("bp", "plots"):
                assert not node.attr.startswith("_"), f"{node.value.id}.{node.attr} is not public"
            if node.value.id == "st":  # the types of pictures are for annotations alone
                assert node.attr in {*study.__all__, "Axes", "Figure"}, f"st.{node.attr} is not public"


@each_file
def test_leaves_import_leaves(file: Path) -> None:
    for module, name in imported(file):
        if module.split(".")[0] == "bentpipe_papers" and file.name != "studies.py":
            found = leaf(module, name)
            assert found is not None
            assert found.name != "__init__.py", f"{module} is a package: import the module that has {name}"


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {
        file: {found for pair in imported(file) if pair[0].startswith("bentpipe_papers") if (found := leaf(*pair))}
        for file in FILES
    }
    done: set[Path] = set()
    while ready := {file for file in FILES if file not in done and graph[file] <= done}:
        done |= ready
    assert done == set(FILES)


@each_file
def test_names_are_not_private(file: Path) -> None:
    assert file.stem == "__init__" or not file.stem.startswith("_")
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            assert not node.name.startswith("_")


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_a_paper_has_its_study_its_bed_and_its_rows(paper: Path) -> None:
    assert (paper / "bed.py").exists()
    of_study = importlib.import_module(f"bentpipe_papers.{paper.name}").STUDY
    assert isinstance(of_study, study.Study)
    modules = [importlib.import_module(f"bentpipe_papers.{paper.name}.{file.stem}") for file in paper.glob("rows_*.py")]
    assert sorted(row.id for module in modules for row in rows_in(module)) == [row.id for row in of_study.rows]
    for file in paper.glob("*.py"):
        if not file.stem.startswith("rows_") and file.stem != "__init__":
            module = importlib.import_module(f"bentpipe_papers.{paper.name}.{file.stem}")
            assert not rows_in(module)


def test_a_finding_is_made_anew_when_what_it_was_made_with_changes() -> None:
    # Scenarios, errors and controllers make no finding: they are in the run, or in its name. Nor do types.
    without = {
        "scenario/classes.py",
        "base/errors.py",
        "scenario/controller.py",
        "_core.py",
        "results/summary_types.py",
    }
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "bp":
                home = f"{getattr(bp, node.attr).__module__.removeprefix('bentpipe.').replace('.', '/')}.py"
                assert home in {*_READERS, *without}, f"{file.name}: bp.{node.attr} of {home}"
