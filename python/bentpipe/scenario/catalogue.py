# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read the catalogues of controllers, constellations, sites and TCP presets."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.tables import Table

if TYPE_CHECKING:
    from bentpipe.scenario.answers import ConstellationEntry, ControllerEntry, TcpPreset


def controllers() -> list[ControllerEntry]:
    """Return the catalogue of controllers: equations, parameters, sources, signals, limits."""
    found: list[ControllerEntry] = json.loads(_core.controllers())
    return found


def tcp_presets() -> list[TcpPreset]:
    """Return the presets of TCP: the stack, and for each setting its value, its source, and whether it is fixed."""
    found: list[TcpPreset] = json.loads(_core.tcp_presets())
    return found


@functools.cache
def _by_name() -> dict[str, ControllerEntry]:
    return {entry["name"]: entry for entry in controllers()}


def entry_of(controller: str) -> ControllerEntry | None:
    """Return the catalogue's entry of a controller; None for an unknown name."""
    return _by_name().get(controller)


def label(controller: str) -> str:
    """Return a controller's name for tables and pictures. A star marks a substitute for another controller."""
    entry = entry_of(controller)
    return f"{controller}*" if entry and entry["stand_in"] else controller


def draws(controller: str) -> bool:
    """Return whether a controller of the catalogue draws from its seed."""
    entry = entry_of(controller)
    return entry is not None and entry["draws"]


def constellations() -> list[ConstellationEntry]:
    """Return the constellation presets with their parameters and sources."""
    found: list[ConstellationEntry] = json.loads(_core.constellations())
    return found


def sites() -> Table:
    """Return the cities that scenarios can name."""
    return Table(_core.sites())
