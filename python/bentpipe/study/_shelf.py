# SPDX-License-Identifier: MIT OR Apache-2.0
"""Find studies in installed packages and in files, and select studies and rows by name."""

from __future__ import annotations

import re
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.base.errors import ScenarioError
from bentpipe.scenario.own_code import execute
from bentpipe.study._runs import files
from bentpipe.study._study import Study

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from bentpipe.study._study import Row

#: The group of entry points under which a package lists its studies: a `Study`, or a sequence of `Study`.
GROUP = "bentpipe.studies"
#: Text that says how to install studies.
HOW_TO_GET = (
    "no studies are installed (the package bentpipe-papers contains five papers; in a clone of Bentpipe: pip install "
    "./papers)"
)


def studies() -> tuple[Study, ...]:
    """Return all studies of installed packages, package by package, each package in its own order.

    Raises:
        ScenarioError: If the studies of a package cannot be loaded, or two studies have the same name or row.
    """
    found: list[Study] = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        where = f"the studies {entry.name!r} ({entry.value})"
        try:
            given = entry.load()
        except Exception as problem:
            raise ScenarioError("plugin-failed", f"{where} cannot be loaded: {problem!r}; reinstall them") from problem
        some = [given] if isinstance(given, Study) else list(given) if isinstance(given, tuple | list) else [given]
        if strange := [one for one in some if not isinstance(one, Study)]:
            raise ScenarioError("plugin-failed", f"{where} must be bentpipe.study.Study, not {_kind(strange[0])}")
        found += some
    for what, names in (
        ("study", [study.name for study in found]),
        ("row", [row.id for study in found for row in study.rows]),
    ):
        if twice := sorted({name for name in names if names.count(name) > 1}):
            message = f"two installed studies have a {what} {twice[0]!r}: uninstall the package of one of them"
            raise ScenarioError("plugin-failed", message)
    return tuple(found)


def load(file: str | os.PathLike[str]) -> Study:
    """Load the study of a Python file: its module-level ``STUDY``.

    Raises:
        ScenarioError: If the file cannot be read, raises an error, or has no `Study` of this name.
    """
    files.cache_clear()  # the files may have changed since the last load
    module = execute(arguments.path("a study", file), "study")
    if not hasattr(module, "STUDY"):
        hint = "end it with STUDY = bentpipe.study.Study(...)"
        raise ScenarioError("plugin-failed", f"the study {file} has no STUDY ({hint})")
    if not isinstance(module.STUDY, Study):
        hint = "a bentpipe.study.Study is needed"
        raise ScenarioError("plugin-failed", f"STUDY of the study {file} is {_kind(module.STUDY)} ({hint})")
    return module.STUDY


def choose(
    name: str, rows: Sequence[str] = (), *, shelf: Sequence[Study] | None = None
) -> list[tuple[Study, Sequence[Row]]]:
    """Select rows of one study, or of all studies (`name` is "all"), from `shelf` (by default the installed studies).

    Raises:
        ScenarioError: If there is no such study or row. The message has the nearest name.
    """
    by_name = {study.name: study for study in (studies() if shelf is None else shelf)}
    if name != "all" and name not in by_name:
        close = _nearest(name, [*by_name, "all"]) if by_name else f": {HOW_TO_GET}"
        raise ScenarioError("paper-unknown", f"there is no study {name!r}{close}")
    if not by_name:
        raise ScenarioError("paper-unknown", HOW_TO_GET)
    chosen = [(study, study.rows) for study in by_name.values() if name in ("all", study.name)]
    if not rows:
        return chosen
    known = {row.id.upper(): row.id for _, all_rows in chosen for row in all_rows}
    for wanted in rows:
        if wanted.upper() not in known:
            close = _nearest(wanted.upper(), list(known.values()))
            raise ScenarioError("row-unknown", f"{name} has no row {wanted!r}{close}")
    picked = {known[wanted.upper()] for wanted in rows}
    return [(study, [row for row in all_rows if row.id in picked]) for study, all_rows in chosen]


def rows_from(name: str, kind: str, number: str, *, shelf: Sequence[Study]) -> list[str]:
    """Return the ids of the rows of a study, or of "all", that measure a figure or table of the paper.

    Args:
        name: Name of the study, or "all".
        kind: "Figure" or "Table".
        number: Number in the paper: ``7``, ``7(a)`` or ``II``. ``7`` also finds figure 7(a).
        shelf: The studies to choose from.

    Raises:
        ScenarioError: If there is no such study, or no row names this figure or table as its place.
    """
    rows = [row for _, some in choose(name, shelf=shelf) for row in some]
    wanted = number.replace("(", "").replace(")", "")
    part = "[a-z]?" if wanted[-1:].isdigit() else ""
    place = re.compile(rf"\b{kind} {re.escape(wanted)}{part}\b", re.IGNORECASE)
    ids = [row.id for row in rows if place.search(row.place.replace("(", "").replace(")", ""))]
    if not ids:
        message = f"{name} has no row for {kind.lower()} {number} (bentpipe reproduce {name} --list shows the places)"
        raise ScenarioError("row-unknown", message)
    return ids


def _nearest(name: str, known: Sequence[str]) -> str:
    near = _core.nearest(name, known)
    return f"; did you mean {near!r}?" if near else f"; there are: {', '.join(known)}"


def _kind(thing: object) -> str:
    """Return the type of an object in words."""
    return thing.__name__ if isinstance(thing, type) else f"of type {type(thing).__name__}"
