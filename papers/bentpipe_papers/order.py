# SPDX-License-Identifier: MIT OR Apache-2.0
"""The rows of a study: modules group them by subject, and the report shows them in the order of the paper."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from bentpipe.study import Row

if TYPE_CHECKING:
    from types import ModuleType


def rows_in(module: ModuleType) -> list[Row]:
    """The rows of a module."""
    return [one for one in vars(module).values() if isinstance(one, Row)]


def in_order(package: str) -> tuple[Row, ...]:
    """The rows of all modules ``rows_*`` of a package by id: ids count along the paper."""
    names = [one.name for one in iter_modules(import_module(package).__path__) if one.name.startswith("rows_")]
    modules = [import_module(f"{package}.{name}") for name in names]
    return tuple(sorted((row for module in modules for row in rows_in(module)), key=lambda row: row.id))
