# SPDX-License-Identifier: MIT OR Apache-2.0
"""Collect the rows of a study. Modules group rows by subject; the report shows rows in the order of the paper."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from bentpipe.study import Row

if TYPE_CHECKING:
    from types import ModuleType


def rows_in(module: ModuleType) -> list[Row]:
    """Return the rows of a module."""
    return [one for one in vars(module).values() if isinstance(one, Row)]


def in_order(package: str) -> tuple[Row, ...]:
    """Return the rows of all modules ``rows_*`` of a package, sorted by id. Ids are in the order of the paper."""
    names = [one.name for one in iter_modules(import_module(package).__path__) if one.name.startswith("rows_")]
    modules = [import_module(f"{package}.{name}") for name in names]
    return tuple(sorted((row for module in modules for row in rows_in(module)), key=lambda row: row.id))
