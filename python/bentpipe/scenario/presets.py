# SPDX-License-Identifier: MIT OR Apache-2.0
"""Networks by name, and how far they are from what was measured over the real ones.

The numbers are measured by `measure` and kept in ``presets.json``; `make presets` writes both.

``make presets`` measures; the tests measure the first seed of each number again. Verdicts have no tolerance of
ours: a published number is a range, or a value and the accuracy with which a picture can be read. A preset's file
(``data/presets``) holds a fragment of a scenario, the sources of its numbers, which of them are ours, and what was
measured over the real network with the flows that measure it here.
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
    from bentpipe.scenario.answers import Assumed, Measured, NetworkPreset, PresetSource


def mean(values: Sequence[float]) -> float:
    """Their arithmetic mean."""
    return math.fsum(values) / len(values)


def short(value: float) -> str:
    """With four digits."""
    return f"{value:.4g}"


def percent(share: float) -> str:
    """A distance in percent."""
    return "0" if share == 0.0 else f"{100.0 * share:+.{0 if abs(share) >= 0.01 else 1}f} %"


@dataclass(frozen=True)
class Number:
    """One published number, and ours.

    Attributes:
        facts: What was measured, its unit, the least and most that agree, the source; a claim is an operator's word.
        ours: A value for each seed.
        varied: The same with another assumption, by its name.
    """

    facts: Measured
    ours: Sequence[float]
    varied: Mapping[str, Sequence[float]]

    @property
    def mean(self) -> float:
        """Mean over the seeds."""
        return mean(self.ours)

    def distance(self, value: float | None = None) -> float:
        """How far a value (by default the mean) is beyond the nearest published one, as a share of that; 0 inside."""
        value = self.mean if value is None else value
        least, most = self.facts["least"], self.facts["most"]
        if least is not None and value < least:
            return value / least - 1.0
        if most is not None and value > most:
            return value / most - 1.0
        return 0.0

    @property
    def verdict(self) -> str:
        """Inside or outside of what was published."""
        return "inside" if self.distance() == 0.0 else "outside"

    @property
    def hangs_on(self) -> tuple[str, ...]:
        """The assumptions with which the verdict would be the other."""
        inside = self.distance() == 0.0
        measured = ((name, mean(values)) for name, values in self.varied.items() if values)
        return tuple(name for name, value in measured if (self.distance(value) == 0.0) != inside)

    @property
    def published(self) -> str:
        """What was published, as a range."""
        least, most = self.facts["least"], self.facts["most"]
        ends = [short(end) for end in (least, most) if end is not None]
        if len(ends) == 1:
            return f"at {'most' if least is None else 'least'} {ends[0]}"
        return " to ".join(dict.fromkeys(ends))


class Kept(TypedDict):
    """What ``presets.json`` has of a number: a value for each seed, and the same with other assumptions."""

    ours: list[float]
    varied: dict[str, list[float]]


class PublishedNumber(TypedDict):
    """A published number beside ours, as `presets` tells it."""

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
    """A network by name, as `presets` tells it."""

    name: str
    about: str
    network: Document
    sources: list[PresetSource]
    assumed: list[Assumed]
    validated: bool
    numbers: list[PublishedNumber]


def presets() -> list[PresetEntry]:
    """The networks by name: keys, sources, assumptions, and how far each is from what was measured.

    Each has ``validated``: whether it was held against a measurement (not: whether it agrees). ``numbers`` says how far
    off it is, quantity by quantity.
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
    """Whether a preset was held against a measurement; a claim is none."""
    return any(not one["claim"] for one in entry["measured"])


def said_of(jobs: Iterable[_core.Job]) -> list[str]:
    """The presets that scenarios stand on, and how far each is validated: a line each; of what cannot be read, none."""
    words: dict[str | None, None] = {}
    for job in jobs:
        with contextlib.suppress(BentpipeError):
            words[_core.facts(job).network_preset] = None
    return lines(words)


def lines(words: Iterable[str | None]) -> list[str]:
    """What is said of presets, each once; None is a network without one."""
    return [f"network preset {one}" for one in dict.fromkeys(words) if one]


def state(entry: NetworkPreset) -> str:
    """How far a preset is validated, in words, by the numbers that are kept; its file has the same."""
    if not is_validated(entry):
        return "unvalidated"
    numbers = [number for number in kept(entry) if not number.facts["claim"]]
    inside = sum(number.verdict == "inside" for number in numbers)
    farthest = max((number.distance() for number in numbers), key=abs)
    beyond = f", the farthest {percent(farthest)}" if farthest else ""
    return f"{inside} of {len(numbers)} published numbers inside{beyond}"


@cache
def entries() -> list[NetworkPreset]:
    """The network presets of the catalogue."""
    found: list[NetworkPreset] = json.loads(_core.network_presets())
    return found


def entry_of(name: str) -> NetworkPreset:
    """A preset with all of its file.

    Raises:
        ArgumentError: If there is none of that name.
    """
    for entry in entries():
        if entry["name"] == name:
            return entry
    known = ", ".join(f"{entry['name']}{'' if is_validated(entry) else ' (unvalidated)'}" for entry in entries())
    raise refuse(f"there is no network preset {name!r} (there are {known})")


def kept(entry: NetworkPreset) -> list[Number]:
    """A preset's numbers as `make presets` measured them last."""
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
