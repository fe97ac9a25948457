# SPDX-License-Identifier: MIT OR Apache-2.0
"""The candidates: controllers with each slow start, and their tunable settings from the catalogue."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from bentpipe._sweep._axes import Range, end
from bentpipe.base.arguments import known
from bentpipe.base.errors import ScenarioError
from bentpipe.scenario import catalogue as _space
from bentpipe.scenario import keys
from bentpipe.scenario.choice import Choice, choices
from bentpipe.scenario.settings import Setting as Given

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bentpipe.base.json import Document, Json
    from bentpipe.scenario.answers import ControllerEntry, ControllerParameter

#: The parameters of this controller are shared by its whole family. Only two of the shared parameters are tuned. The
#: other ones decide how a run is modelled, or belong to a mechanism that is off.
_SHARED_OF = "reno"
_TUNED_OF_SHARED = ("slow_start", "pacing")
#: Parameters that select a source text. They are not settings.
_NO_SETTING = ("reading", "rules")
#: A stated range over more than this factor lists all possible values, and not only sensible ones. Tuning then stays
#: within a factor of ten of the default.
_WIDE, _AROUND = 100.0, 10.0
#: A fraction that gives no whole number in any range. It shows whether a parameter accepts fractions.
_ODD = 1.0 / math.pi
#: A range from the user: 0.5..0.9 or "10 ms".."1 s".
_GIVEN = re.compile(r'\s*"?([^".]+?(?:\.\d+)?)"?\s*\.\.\s*"?([^"]+?)"?\s*')


@dataclass(frozen=True)
class Setting:
    """A tunable parameter.

    Attributes:
        name: Key of the parameter.
        values: The possible values, for a word or a Boolean.
        span: The possible range, for a number.
        default: The default value.
    """

    name: str
    values: tuple[str | bool, ...] = ()
    span: Range | None = None
    default: Json = None

    def said(self) -> str:
        """Return the possible values in words."""
        if self.span is None:
            return " or ".join(map(str, self.values))
        return f"{self.at(0.0)} to {self.at(1.0)}"

    def at(self, share: float) -> str | float:
        """Return the rounded value at a fraction of the range, within the bounds."""
        assert self.span is not None  # noqa: S101 - called only for numbers
        return self.span.near(share)

    def share(self, value: object) -> float:
        """Return the position of a value in the range, from 0 to 1."""
        assert self.span is not None  # noqa: S101 - called only for numbers
        found = end(value)
        at = self.span.low if found is None else _in(found, self.span.unit)
        low, high = self.span.low, self.span.high
        if self.span.log:
            low, high, at = math.log(low), math.log(high), math.log(max(at, low))
        return min(1.0, max(0.0, (at - low) / (high - low)))


@dataclass(frozen=True)
class Candidate:
    """A controller with settings.

    Attributes:
        choice: The controller; None for the controller of the scenario.
        settings: The settings that the user wants to tune; None for the tunable settings of the catalogue.
        named: Whether the user gave the controller's name.
        over: Values of other keys of the scenario that are also chosen.
    """

    choice: Choice | None
    settings: tuple[Setting, ...] | None = None
    named: bool = False
    over: tuple[Given, ...] = ()

    @property
    def key(self) -> str:
        """The name in tables; empty for the unchanged scenario."""
        name = "" if self.choice is None else self.choice.key
        return " ".join([name or "as written", *(one.label for one in self.over)]) if self.over else name

    @property
    def name(self) -> str:
        """The name of the controller."""
        return "" if self.choice is None else self.choice.name


@cache
def entries() -> dict[str, ControllerEntry]:
    """Return the catalogue by name."""
    return {entry["name"]: entry for entry in _space.controllers()}


def label_in(document: Document, setting: Given) -> str:
    """Return the name of a key with its value in the document (``initial_window=10``); empty without a value."""
    name = setting.name or str(setting.place[-1])
    values = [_value_at(document, place) for place in setting.places(document)]
    shown = " or ".join(dict.fromkeys(str(value) for value in values if value is not None))
    return f"{name}={shown}" if shown else ""


def _value_at(document: Json, place: keys.Place) -> Json:
    for part in place:
        if isinstance(document, dict):
            document = document.get(str(part))
        elif isinstance(document, list) and isinstance(part, int) and part < len(document):
            document = document[part]
        else:
            return None
    return document


def over_values(asked: Sequence[str]) -> list[tuple[Given, ...]]:
    """Return every combination of values of keys (``flows.tcp.initial_window=10,30``); without keys, one empty tuple.

    Raises:
        ScenarioError: If a text is not a key with values.
    """
    return list(itertools.product(*([*Given.several(text)] for text in asked)))


def candidates(asked: str | Sequence[str | Mapping[str, object]], slow_starts: str | Sequence[str]) -> list[Candidate]:
    """Return every candidate of a race: the chosen controllers, each with every possible slow start.

    Raises:
        ScenarioError: If a controller or parameter is unknown, or a range is not valid.
    """
    chosen, unasked = choices(asked)
    starts = _starts(slow_starts)
    catalogue = entries()
    found: dict[str, Candidate] = {}
    for one in chosen:
        named = one.key not in unasked
        choice, given = _without_ranges(one)
        choice.check()
        settings = tuple(_given(choice, name, ends) for name, ends in given) if given else None
        for made in [choice, *_with_starts(choice, catalogue.get(choice.name), starts)]:
            found.setdefault(made.key, Candidate(made, settings, named))
    return list(found.values())


def _with_starts(choice: Choice, entry: ControllerEntry | None, starts: Sequence[str] | None) -> list[Choice]:
    """Return the controller with every slow start other than its own."""
    parameters = {} if entry is None else {one["name"]: one for one in entry["parameters"]}
    if "slow_start" not in parameters or any(key == "slow_start" for key, _ in choice.parameters):
        return []
    about = parameters["slow_start"]
    there = [value for value in _words(about["bounds"]) if value != _value(about["default"])]
    wanted = there if starts is None else [value for value in there if value in starts]
    return [Choice(choice.name, (*choice.parameters, ("slow_start", value))) for value in wanted]


def _starts(asked: str | Sequence[str]) -> Sequence[str] | None:
    """Return the chosen slow starts; None for all, empty for "own"."""
    several = [one.strip() for one in asked.split(",")] if isinstance(asked, str) else list(asked)
    if several == ["all"]:
        return None
    if several == ["own"]:
        return []
    there = next(_words(one["bounds"]) for one in entries()[_SHARED_OF]["parameters"] if one["name"] == "slow_start")
    for one in several:
        if one not in there:
            raise known("slow start", one, [*there, "own", "all"])
    return several


def _without_ranges(choice: Choice) -> tuple[Choice, list[tuple[str, list[Json]]]]:
    """Return the controller with defaults in place of ranges, and the ranges."""
    kept: list[tuple[str, Json]] = []
    ranges: list[tuple[str, list[Json]]] = []
    for key, value in choice.parameters:
        if isinstance(value, list):
            ranges.append((key, value))
        elif isinstance(value, str) and (found := _GIVEN.fullmatch(value)):
            ranges.append((key, [_number(found[1]), _number(found[2])]))
        else:
            kept.append((key, value))
    return Choice(choice.name, tuple(kept)), ranges


def _number(text: str) -> str | float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def _given(choice: Choice, name: str, ends: Sequence[Json]) -> Setting:
    """Return the setting for a range from the user. The catalogue checks both ends."""
    where = f"{choice.name}: the range of `{name}`"
    parsed = [found for one in ends if (found := end(one)) is not None]
    if len(ends) != 2 or len(parsed) != 2:
        raise ScenarioError(
            "parameter-value", f"{where}, {ends}, must be two numbers (write {choice.name}{{{name}=1..2}})"
        )
    (low, unit), (high, other) = parsed
    if unit != other:
        raise ScenarioError("parameter-value", f'{where} begins in "{unit}" and ends in "{other}": use one unit')
    if low >= high:
        raise ScenarioError("parameter-value", f"{where} must rise: {ends[0]} is not less than {ends[1]}")
    for one in ends:
        Choice(choice.name, (*choice.parameters, (name, one))).check()
    entry = entries().get(choice.name)
    about = next((one for one in entry["parameters"] if one["name"] == name), None) if entry else None
    default = _value(about["default"]) if about else ends[0]
    whole = all(isinstance(one, int) for one in ends)
    span = Range(low, high, unit, low > 0 and high > _WIDE * low, whole)
    return Setting(name, (), span, default)


@cache
def settings(name: str) -> tuple[Setting, ...]:
    """Return the tunable settings of a controller: its own parameters, slow start and pacing, with their ranges."""
    catalogue = entries()
    if name not in catalogue:
        return ()  # The controller is written in Python: the ranges of its parameters are not known.
    shared = {one["name"] for one in catalogue[_SHARED_OF]["parameters"]} - set(_TUNED_OF_SHARED)
    found = []
    for about in catalogue[name]["parameters"]:
        if about["name"] not in shared and about["name"] not in _NO_SETTING:
            setting = _setting(name, about)
            if setting is not None:
                found.append(setting)
    return tuple(found)


def _setting(controller: str, about: ControllerParameter) -> Setting | None:
    name, bounds, default = about["name"], about["bounds"], _value(about["default"])
    if bounds == "true or false":
        return Setting(name, (True, False), None, default)
    ends = re.fullmatch(r"(\S+|\"[^\"]*\") to (\S+|\"[^\"]*\")", bounds)
    if ends is None:
        words = _words(bounds)
        return Setting(name, tuple(words), None, default) if default in words else None
    low, high, usual = end(_value(ends[1])), end(_value(ends[2])), end(default)
    if low is None or high is None or usual is None:
        return None
    unit = usual[1]
    first, last = _in(low, unit), _in(high, unit)
    wide = last > _WIDE * max(first, usual[0] / _AROUND)
    if wide and usual[0] <= 0.0:
        return None  # The mechanism is off, and no sensible range is known.
    if wide:
        first, last = max(first, usual[0] / _AROUND), min(last, usual[0] * _AROUND)
    whole = (
        not unit
        and isinstance(default, int)
        and not is_possible(Choice(controller, ((name, first + _ODD * (last - first)),)))
    )
    if whole:
        first, last = round(first + 0.499), int(last)
    return Setting(name, (), Range(first, last, unit, wide and first > 0, whole), default)


def _in(bound: tuple[float, str], unit: str) -> float:
    """Convert a bound to the unit of the default."""
    if bound[1] == unit:
        return bound[0]
    worth = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
    return float(f"{bound[0] * worth[bound[1]] / worth[unit]:.12g}")


def is_possible(choice: Choice) -> bool:
    """Whether all settings are valid together. Some settings bound other settings."""
    try:
        choice.check()
    except ScenarioError:
        return False
    return True


def _words(bounds: str) -> list[str]:
    return re.findall(r'"([^"]*)"', bounds)


def _value(text: str) -> Json:
    """Parse a default or a bound of the catalogue, which is TOML."""
    import tomllib

    found: Json = tomllib.loads(f"x = {text}")["x"]
    return found


def changed(candidate: Candidate) -> list[tuple[str, Json]]:
    """Return the parameters that differ from the catalogue, and the values of other keys."""
    over = [(keys.shown(one.place), one.value) for one in candidate.over]
    return [*_changed(candidate.choice), *over]


def _changed(choice: Choice | None) -> list[tuple[str, Json]]:
    if choice is None:
        return []
    entry = entries().get(choice.name)
    if entry is None:
        return list(choice.parameters)
    defaults = {one["name"]: _value(one["default"]) for one in entry["parameters"]}
    return [(key, value) for key, value in choice.parameters if defaults.get(key) != value]
