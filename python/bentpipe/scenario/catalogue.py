# SPDX-License-Identifier: MIT OR Apache-2.0
"""What Bentpipe knows before any run: controllers, constellations, sites, paths."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._sky import Sky
from bentpipe.base.tables import Table

if TYPE_CHECKING:
    from pathlib import Path

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
def _stand_ins() -> frozenset[str]:
    return frozenset(entry["name"] for entry in controllers() if entry["stand_in"])


def label(controller: str) -> str:
    """A controller's name as tables and pictures show it: one that only stands in for another carries a star."""
    return f"{controller}*" if controller in _stand_ins() else controller


@functools.cache
def _drawing() -> frozenset[str]:
    return frozenset(entry["name"] for entry in controllers() if entry["draws"])


def draws(controller: str) -> bool:
    """Whether a controller of the catalogue draws from its seed."""
    return controller in _drawing()


def constellations() -> list[ConstellationEntry]:
    """The constellation presets with their parameters and sources."""
    found: list[ConstellationEntry] = json.loads(_core.constellations())
    return found


def path(
    origin: str, destination: str, *, constellation: str | Path | Sky, duration: str = "1 h", step: str = "10 s"
) -> Table:
    """The path with the lowest delay between two places over time: `Sky.path` of a `constellation`.

    Args:
        origin: A city (`sites`), or latitude and longitude as ``"37.9, -122.3"``.
        destination: The same.
        constellation: A preset (`constellations`), a file of element sets, a scenario, or a `Sky`.
        duration: How long to look.
        step: How often.

    Raises:
        ScenarioError: If a place or the constellation is not known, a place sees no satellite or there is never a path.
    """
    sky = constellation if isinstance(constellation, Sky) else Sky(constellation)
    return sky.path(origin, destination, duration=duration, step=step)


def sites() -> Table:
    """The cities that a scenario can name."""
    return Table(_core.sites())
