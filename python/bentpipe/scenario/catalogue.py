# SPDX-License-Identifier: MIT OR Apache-2.0
"""What Bentpipe knows before any run: controllers, constellations, sites, paths."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.tables import Table

if TYPE_CHECKING:
    from bentpipe.scenario.answers import ConstellationEntry, ControllerEntry, TcpPreset


def controllers() -> list[ControllerEntry]:
    """The catalogue of controllers: equations, parameters, sources, signals, limits."""
    found: list[ControllerEntry] = json.loads(_core.controllers())
    return found


def tcp_presets() -> list[TcpPreset]:
    """The presets of TCP: whose each is, every setting as a file says it, where it is from, and whether it is fixed."""
    found: list[TcpPreset] = json.loads(_core.tcp_presets())
    return found


@functools.cache
def _by_name() -> dict[str, ControllerEntry]:
    return {entry["name"]: entry for entry in controllers()}


def entry_of(controller: str) -> ControllerEntry | None:
    """The entry of a controller; None if the catalogue has none of that name."""
    return _by_name().get(controller)


def label(controller: str) -> str:
    """A controller's name as tables and pictures show it: one that only stands in for another carries a star."""
    entry = entry_of(controller)
    return f"{controller}*" if entry and entry["stand_in"] else controller


def draws(controller: str) -> bool:
    """Whether a controller of the catalogue draws from its seed."""
    entry = entry_of(controller)
    return entry is not None and entry["draws"]


def constellations() -> list[ConstellationEntry]:
    """The constellation presets with their parameters and sources."""
    found: list[ConstellationEntry] = json.loads(_core.constellations())
    return found


def sites() -> Table:
    """The cities that a scenario can name."""
    return Table(_core.sites())
