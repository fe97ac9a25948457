# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the studies have in common: rows stand in modules by subject, and are shown in the order of the paper."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from bentpipe.study import Row

if TYPE_CHECKING:
    from types import ModuleType


def rows_in(room: ModuleType) -> list[Row]:
    """The rows of a module."""
    return [one for one in vars(room).values() if isinstance(one, Row)]


def in_order(package: str) -> tuple[Row, ...]:
    """The rows of all modules ``rows_*`` of a package by id: ids count along the paper."""
    names = [one.name for one in iter_modules(import_module(package).__path__) if one.name.startswith("rows_")]
    rooms = [import_module(f"{package}.{name}") for name in names]
    return tuple(sorted((row for room in rooms for row in rows_in(room)), key=lambda row: row.id))
