# SPDX-License-Identifier: MIT OR Apache-2.0
"""Label the values of an axis over whole tables by the parts that differ.

The tables of a sweep contain each value as TOML: ``{ dumbbell.rate = "10 Mbit/s", dumbbell.rtt = "600 ms" }``. Such a
value is too long for a row, a tick or a legend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.errors import ScenarioError
from bentpipe.base.toml import inline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bentpipe.base.json import Json

    #: The parts of a value: names of keys, and the text of the value.
    _Parts = dict[tuple[str, ...], str]


def short_labels(cells: Sequence[str]) -> dict[str, str]:
    """Return a label for each cell of an axis. If a cell is not a table, or if labels would be equal, cells stay.

    Tables with the same first key (``dumbbell``) are compared with each other. A part that all of them have is left
    out. A preset is labelled by its name.
    """
    tables = {cell: _table(cell) for cell in cells}
    if any(not table for table in tables.values()):
        return {cell: cell for cell in cells}
    parts = {cell: dict(_parts(table)) for cell, table in tables.items() if table}
    kinds: dict[str, list[str]] = {}
    for cell, its in parts.items():
        kinds.setdefault(next(iter(its))[0], []).append(cell)
    labels: dict[str, str] = {}
    for kind, mine in kinds.items():
        labels |= _of_kind(kind, {cell: parts[cell] for cell in mine})
    if len(set(labels.values())) < len(labels):
        return {cell: cell for cell in cells}
    return labels


def _table(cell: str) -> dict[str, Json] | None:
    """Return the table of a cell; None if the cell is another value."""
    if not cell.startswith("{"):
        return None
    try:
        found = _core.read_toml(f"value = {cell}", "label")["value"]
    except ScenarioError:
        return None
    return found if isinstance(found, dict) else None


def _parts(value: Json, before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _parts(inner, (*before, str(key)))
    elif isinstance(value, list) and value and all(isinstance(inner, dict) for inner in value):
        for number, inner in enumerate(value):
            yield from _parts(inner, (*before[:-1], f"{before[-1]}[{number}]"))
    else:
        yield before, value if isinstance(value, str) else inline(value)


def _of_kind(kind: str, parts: dict[str, _Parts]) -> dict[str, str]:
    """Return the labels of tables with the same first key: the parts that differ, or the key if nothing differs."""
    if kind == "preset" and all(len(its) == 1 for its in parts.values()):
        return {cell: next(iter(its.values())) for cell, its in parts.items()}
    every = list(parts.values())
    common = {place for place, text in every[0].items() if all(its.get(place) == text for its in every)}
    names = _names({place for its in every for place in its} - common)
    return {
        cell: ", ".join(f"{names[place]} {text}" for place, text in its.items() if place not in common) or kind
        for cell, its in parts.items()
    }


def _names(places: set[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """Return the shortest ends of keys that distinguish the keys."""
    found = {}
    for place in places:
        length = 1
        while length < len(place) and sum(other[-length:] == place[-length:] for other in places) > 1:
            length += 1
        found[place] = ".".join(place[-length:])
    return found
