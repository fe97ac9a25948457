# SPDX-License-Identifier: MIT OR Apache-2.0
"""Network presets, and their distance from measurements of the real networks.

``presets.json`` stores the numbers. `make presets` computes them again and updates the file.

Tests measure the first seed of each number again. Verdicts have no additional tolerance: a published number is a range,
or a value with the accuracy of reading a picture. The file of a preset (``data/presets``) has a fragment of a scenario,
the sources of its numbers, and our assumptions. It also has the published measurements of the real network, with the
flows that measure the same numbers here.
"""

from __future__ import annotations

import contextlib
import json
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, TypedDict

from bentpipe import _core
from bentpipe.base.arguments import refuse
from bentpipe.base.errors import BentpipeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bentpipe.base.json import Document
    from bentpipe.scenario.answers import Assumed, Measured, NetworkPreset, PresetEnds, PresetSource


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean of the values."""
    return math.fsum(values) / len(values)


def short(value: float) -> str:
    """Return the text of a number with four digits."""
    return f"{value:.4g}"


def percent(share: float) -> str:
    """Return the text of a distance in percent."""
    return "0" if share == 0.0 else f"{100.0 * share:+.{0 if abs(share) >= 0.01 else 1}f} %"


@dataclass(frozen=True)
class Number:
    """A published number and our values.

    Attributes:
        facts: The measured quantity, its unit, the smallest and largest value that agree, and the source. A claim is a
            statement of an operator without a measurement.
        ours: A value for each seed.
        varied: The values with another assumption, by the name of the assumption.
    """

    facts: Measured
    ours: Sequence[float]
    varied: Mapping[str, Sequence[float]]

    @property
    def mean(self) -> float:
        """The mean over the seeds."""
        return mean(self.ours)

    def distance(self, value: float | None = None) -> float:
        """Return the relative distance of a value from the nearest published value; 0 inside the range.

        The default value is the mean.
        """
        value = self.mean if value is None else value
        least, most = self.facts["least"], self.facts["most"]
        if least is not None and value < least:
            return value / least - 1.0
        if most is not None and value > most:
            return value / most - 1.0
        return 0.0

    @property
    def verdict(self) -> str:
        """Whether the mean is inside or outside the published range."""
        return "inside" if self.distance() == 0.0 else "outside"

    @property
    def hangs_on(self) -> tuple[str, ...]:
        """The assumptions whose alternatives change the verdict."""
        inside = self.distance() == 0.0
        measured = ((name, mean(values)) for name, values in self.varied.items() if values)
        return tuple(name for name, value in measured if (self.distance(value) == 0.0) != inside)

    @property
    def published(self) -> str:
        """The published range."""
        least, most = self.facts["least"], self.facts["most"]
        ends = [short(end) for end in (least, most) if end is not None]
        if len(ends) == 1:
            return f"at {'most' if least is None else 'least'} {ends[0]}"
        return " to ".join(dict.fromkeys(ends))


class Kept(TypedDict):
    """The entry of a number in ``presets.json``: a value for each seed, and the values with other assumptions."""

    ours: list[float]
    varied: dict[str, list[float]]


class PublishedNumber(TypedDict):
    """A published number and our values, in the result of `presets`."""

    quantity: str
    unit: str
    published: str
    source: str
    date: str
    claim: bool
    ours_least: float
    ours_mean: float
    ours_most: float
    distance: float
    verdict: str
    hangs_on: list[str]


class PresetEntry(TypedDict):
    """A network preset in the result of `presets`."""

    name: str
    about: str
    network: Document
    sources: list[PresetSource]
    assumed: list[Assumed]
    validated: bool
    numbers: list[PublishedNumber]


def presets() -> list[PresetEntry]:
    """Return the network presets: keys, sources, assumptions, and the distance of each preset from measurements.

    ``validated`` states whether a preset was compared with a measurement, not whether the two agree. ``numbers`` has
    the distance of each quantity.
    """
    return [
        {
            "name": entry["name"],
            "about": entry["about"],
            "network": entry["network"],
            "sources": entry["sources"],
            "assumed": entry["assumed"],
            "validated": is_validated(entry),
            "numbers": [_as_table(number) for number in kept(entry)],
        }
        for entry in entries()
    ]


def is_validated(entry: NetworkPreset) -> bool:
    """Return whether a preset was compared with a measurement. A claim does not count."""
    return any(not one["claim"] for one in entry["measured"])


def said_of(jobs: Iterable[_core.Job]) -> list[str]:
    """Return a line on the validation of each preset that scenarios use. Unreadable scenarios have no line."""
    words: dict[str | None, None] = {}
    for job in jobs:
        with contextlib.suppress(BentpipeError):
            words[_core.facts(job).network_preset] = None
    return lines(words)


def lines(words: Iterable[str | None]) -> list[str]:
    """Return the lines on presets, each once. None means a network without a preset."""
    return [f"network preset {one}" for one in dict.fromkeys(words) if one]


def ends_of(words: str | None) -> PresetEnds | None:
    """Return the sites that the preset in a run's provenance calls terminal and server; None without a preset."""
    name = (words or "").partition(":")[0]
    return next((entry["ends"] for entry in entries() if entry["name"] == name), None)


def state(entry: NetworkPreset) -> str:
    """Return the validation of a preset in words, from the stored numbers. The file of the preset has the same text."""
    if not is_validated(entry):
        return "unvalidated"
    numbers = [number for number in kept(entry) if not number.facts["claim"]]
    inside = sum(number.verdict == "inside" for number in numbers)
    farthest = max((number.distance() for number in numbers), key=abs)
    deviation = f", largest deviation {percent(farthest)}" if farthest else ""
    return f"agrees with {inside} of {len(numbers)} published numbers{deviation}"


@cache
def entries() -> list[NetworkPreset]:
    """Return the network presets of the catalogue."""
    found: list[NetworkPreset] = json.loads(_core.network_presets())
    return found


def entry_of(name: str) -> NetworkPreset:
    """Return a preset with the content of its file.

    Raises:
        ArgumentError: If the name is unknown.
    """
    for entry in entries():
        if entry["name"] == name:
            return entry
    known = ", ".join(f"{entry['name']}{'' if is_validated(entry) else ' (unvalidated)'}" for entry in entries())
    raise refuse(f"unknown network preset {name!r} (known presets: {known})")


def kept(entry: NetworkPreset) -> list[Number]:
    """Return the numbers of a preset from the last `make presets`."""
    values: dict[str, dict[str, Kept]] = json.loads(
        resources.files(__package__).joinpath("presets.json").read_text(encoding="utf-8")
    )
    of_preset = values[entry["name"]]
    return [Number(one, **of_preset[one["quantity"]]) for one in entry["measured"]]


def _as_table(number: Number) -> PublishedNumber:
    return {
        "quantity": number.facts["quantity"],
        "unit": number.facts["unit"],
        "published": number.published,
        "source": number.facts["source"],
        "date": number.facts["date"],
        "claim": number.facts["claim"],
        "ours_least": min(number.ours),
        "ours_mean": number.mean,
        "ours_most": max(number.ours),
        "distance": number.distance(),
        "verdict": number.verdict,
        "hangs_on": list(number.hangs_on),
    }
