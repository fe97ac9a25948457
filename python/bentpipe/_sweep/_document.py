# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read and check sweep documents: all faults at once, with their places."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._sweep import _base, _design, _schema
from bentpipe._sweep._axes import Axis, Range, end, meaning
from bentpipe._sweep._faults import Faults, places
from bentpipe.base import arguments
from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import read_text
from bentpipe.base.toml import inline
from bentpipe.scenario.choice import Choice
from bentpipe.scenario.document import TomlDocument, text_of
from bentpipe.scenario.keys import parts
from bentpipe.scenario.settings import put_settings

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from bentpipe.base.json import Document as Keys
    from bentpipe.scenario.settings import Setting

_SEEDS = 5


@dataclass(frozen=True)
class Sample:
    """How the combinations to run are chosen."""

    design: str = "grid"
    points: int = 0
    seed: int = 1


@dataclass(frozen=True)
class Until:
    """The rule that decides when a point has enough seeds.

    Attributes:
        of: The column of the number whose interval is checked.
        half_width: Largest half width of the interval, in the unit of the number, or relative to the mean.
        relative: Whether `half_width` is relative to the mean.
        at_most: Largest number of seeds of a point.
    """

    of: str
    half_width: float
    relative: bool
    at_most: int


@dataclass(frozen=True)
class Seeds:
    """The seeds of each point."""

    at_least: int = _SEEDS
    until: Until | None = None

    @property
    def looks(self) -> tuple[int, ...]:
        """The numbers of seeds at which the intervals of points are checked."""
        looks = [self.at_least]
        most = self.at_least if self.until is None else self.until.at_most
        while looks[-1] < most:
            looks.append(min(2 * looks[-1], most))
        return tuple(looks)


@dataclass(frozen=True)
class Document:
    """A checked sweep document.

    Attributes:
        origin: The file of the document, or its name in messages.
        base: The keys of the scenario as written.
        base_origin: The origin of the base. Paths of the base's files are relative to it.
        axes: The axes, in the order of the document.
        sample: The combinations to run.
        seeds: Seeds of each point.
        text: The document as JSON with its base, which tables contain as provenance.
    """

    origin: str
    base: Keys
    base_origin: str
    axes: tuple[Axis, ...]
    sample: Sample = field(default_factory=Sample)
    seeds: Seeds = field(default_factory=Seeds)
    text: str = ""


def read(document: str | os.PathLike[str] | Mapping[str, object], settings: Sequence[Setting] = ()) -> Document:
    """Read a sweep from a file, from TOML text (several lines), or from a table of the same form.

    Args:
        document: The sweep.
        settings: Values that replace values of the base scenario.

    Raises:
        ScenarioError: If the document has faults. The error has all faults with their places.
    """
    if isinstance(document, Mapping):
        return _Reader({str(key): value for key, value in document.items()}, "the sweep", Path(), "").read(settings)
    if isinstance(document, str) and "\n" in document:
        return _Reader(_core.read_toml(document, "<text>"), "<text>", Path(), document).read(settings)
    file = arguments.place("a sweep that is neither a table nor text of several lines", document)
    if file is None:
        raise arguments.refuse("a sweep must be a file, TOML text or a table, not None")
    text = read_text(file, "sweep file")
    return _Reader(_core.read_toml(text, str(file)), str(file), file.parent, text).read(settings)


class _Reader:
    """Reads and checks one document."""

    def __init__(self, said: Mapping[str, object], origin: str, folder: Path, text: str) -> None:
        self.said, self.origin, self.folder = said, origin, folder
        self.faults = Faults(origin, places(text))

    def read(self, settings: Sequence[Setting]) -> Document:
        for key in self.said:
            if key not in _schema.known():
                self.faults.unknown((key,), _schema.known())
        for key in _schema.SCHEMA["required"]:
            if key not in self.said:
                self.faults.add((), "scenario-missing-key", f"the key `{key}` is missing{_HOW[key]}")
        sample, seeds = self._sample(), self._seeds()
        axes = self._axes(sample)
        base, base_origin = self._base()
        self.faults.finish()
        base = put_settings(base, settings)
        text = json.dumps({**self.said, "base": base}, default=str)
        found = Document(self.origin, base, base_origin, tuple(axes), sample, seeds, text)
        _design.size(found)  # the size is checked first, because the check of every value takes longer
        axes = _base.check(self.faults, base, base_origin, axes, inline=isinstance(self.said["base"], Mapping))
        self.faults.finish()
        return replace(found, axes=tuple(axes))

    def _table(self, path: tuple[str, ...], value: object, name: str) -> dict[str, object]:
        """Return a table with the keys of the format. Other keys are reported as faults and left out."""
        if not isinstance(value, Mapping):
            self._wrong(path, value, "a table")
            return {}
        for key in value:
            if key not in _schema.known(name):
                self.faults.unknown((*path, str(key)), _schema.known(name))
        for key in _schema.SCHEMA["$defs"][name].get("required", ()):
            if key not in value:
                self.faults.add(path, "scenario-missing-key", f"the key `{key}` is missing")
        return {str(key): one for key, one in value.items() if key in _schema.known(name)}

    def _wrong(self, path: tuple[str, ...], value: object, what: str) -> None:
        self.faults.add(path, "scenario-wrong-type", f"{inline(value)} is not {what}")

    def _count(self, path: tuple[str, ...], table: Mapping[str, object], key: str, name: str, default: int) -> int:
        if key not in table:
            return default
        value, bounds = table[key], _schema.SCHEMA["$defs"][name]["properties"][key]
        least, most = bounds["minimum"], bounds["maximum"]
        if not isinstance(value, int) or isinstance(value, bool):
            self._wrong((*path, key), value, "a whole number")
            return default
        if not least <= value <= most:
            self.faults.add((*path, key), "scenario-value", f"{value} must be between {least} and {most}")
            return default
        return value

    def _word(self, path: tuple[str, ...], table: Mapping[str, object], key: str, known: tuple[str, ...]) -> str:
        value = table.get(key, known[0])
        if value not in known:
            near = _core.nearest(str(value), known)
            hint = f'did you mean "{near}"? ' if near else ""
            there = ", ".join(f'"{one}"' for one in known)
            self.faults.add((*path, key), "scenario-value", f"unknown {key} {inline(value)} ({hint}known: {there})")
            return known[0]
        return str(value)

    def _sample(self) -> Sample:
        if "sample" not in self.said:
            return Sample()
        path = ("sample",)
        table = self._table(path, self.said["sample"], "Sample")
        design = self._word(path, table, "design", _schema.DESIGNS)
        points = self._count(path, table, "points", "Sample", 0)
        if design == "grid" and "points" in table:
            self.faults.add(
                (*path, "points"),
                "scenario-value",
                'the axes decide the number of points of a grid (write design = "sobol" for a sample)',
            )
        elif design != "grid" and "points" not in table:
            self.faults.add(
                path,
                "scenario-missing-key",
                f'the key `points` is missing: the number of points of the design "{design}"',
            )
        elif design in ("sobol", "saltelli") and points & (points - 1):
            below = 1 << (points.bit_length() - 1)
            self.faults.add(
                (*path, "points"),
                "scenario-value",
                f"{points} is not a power of two, which the design needs for even coverage (write {below} or "
                f"{2 * below})",
            )
        return Sample(design, points, self._count(path, table, "seed", "Sample", 1))

    def _seeds(self) -> Seeds:
        if "seeds" not in self.said:
            return Seeds()
        path = ("seeds",)
        table = self._table(path, self.said["seeds"], "Seeds")
        at_least = self._count(path, table, "at_least", "Seeds", _SEEDS)
        if "until" not in table:
            return Seeds(at_least)
        inner = ("seeds", "until")
        until = self._table(inner, table["until"], "Until")
        at_most = self._count(inner, until, "at_most", "Until", max(2, at_least))
        if at_most < at_least:
            self.faults.add(
                (*inner, "at_most"), "scenario-value", f"{at_most} must not be less than at_least, {at_least}"
            )
        if at_least < 2:
            self.faults.add(
                ("seeds", "at_least"), "scenario-value", f"{at_least} is too few for an interval (write 2 or more)"
            )
        of = until.get("of", "")
        known = _base.numbers()
        if "of" in until and of not in known:
            near = _core.nearest(str(of), known)
            hint = f'did you mean "{near}"? ' if near else ""
            text = f"unknown number {inline(of)} ({hint}known numbers: {', '.join(known)})"
            self.faults.add((*inner, "of"), "scenario-value", text)
        width, relative = self._width((*inner, "half_width"), until.get("half_width", 1.0))
        return Seeds(at_least, Until(str(of), width, relative, max(at_most, at_least)))

    def _width(self, path: tuple[str, ...], value: object) -> tuple[float, bool]:
        percent = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*%\s*", value) if isinstance(value, str) else None
        width = float(percent[1]) / 100.0 if percent else value
        if isinstance(width, bool) or not isinstance(width, (int, float)) or not width > 0.0:
            self._wrong(path, value, 'a positive number, or percent of the mean (write "2 %")')
            return 1.0, False
        return float(width), percent is not None

    def _base(self) -> tuple[Keys, str]:
        said = self.said.get("base")
        if isinstance(said, Mapping):
            return {str(key): value for key, value in said.items()}, str(self.folder / "base")
        if isinstance(said, TomlDocument):
            text, origin = text_of(said)
            return _core.read_toml(text, origin), origin
        if not isinstance(said, str):
            if said is not None:
                self._wrong(("base",), said, "a file or a table")
            return {}, ""
        if "\n" in said:
            return _core.read_toml(said, "<base>"), str(self.folder / "<base>")
        file = self.folder / said
        try:
            return _core.read_toml(read_text(file, "scenario file"), str(file)), str(file)
        except ScenarioError as problem:
            self.faults.add(("base",), problem.code, problem.message)
            return {}, ""

    def _axes(self, sample: Sample) -> list[Axis]:
        said = self.said.get("axes")
        if said is None:
            return []
        if not isinstance(said, Mapping):
            self._wrong(("axes",), said, "a table")
            return []
        found: list[Axis] = []
        for path, value in _flat(said, ("axes",)):
            axis = self._axis(path, value, sample)
            if axis is not None:
                found.append(axis)
        if not said:
            self.faults.add(("axes",), "scenario-missing-key", f"the sweep has no axis{_HOW['axes']}")
        return found

    def _axis(self, path: tuple[str, ...], value: object, sample: Sample) -> Axis | None:
        key = ".".join(path[1:])
        try:
            place = parts(key)
        except ScenarioError as problem:
            self.faults.add(path, problem.code, problem.message)
            return None
        if place == ("seed",):
            self.faults.add(
                path, "scenario-value", "seeds cannot be an axis: all points use the same seeds (write [seeds])"
            )
            return None
        if isinstance(value, Mapping):
            name = self._name(path, value)
            if "values" not in value:
                found = self._range(path, key, value, sample)
            else:
                inner = self._table(path, value, "Values")["values"]
                found = None if isinstance(inner, Mapping) else self._axis(path, inner, sample)
            return None if found is None else replace(found, name=name)
        if not isinstance(value, (list, tuple)):
            self._wrong(path, value, "a list of values or a range { from, to, points }")
            return None
        if not value:
            self.faults.add(path, "scenario-value", "the axis has no value, so no point is left (add a value)")
            return None
        if place[-1] == "controller":
            try:
                # As on the command line, a controller may have parameters in braces.
                value = [Choice.of(one).table() if isinstance(one, str) and "{" in one else one for one in value]
            except ScenarioError as problem:
                self.faults.add(path, problem.code, problem.message)
                return None
        before: dict[str, object] = {}
        for one in value:
            same = meaning(place, one)
            if same in before:
                as_what = "" if inline(before[same]) == inline(one) else f", first as {inline(before[same])}"
                self.faults.add(path, "scenario-value", f"{inline(one)} is listed twice{as_what}")
                return None
            before[same] = one
        return Axis(key, place, tuple(value))

    def _name(self, path: tuple[str, ...], said: Mapping[str, object]) -> str:
        name = said.get("name", "")
        if not isinstance(name, str) or (not name.strip() and "name" in said):
            self._wrong((*path, "name"), name, 'a name (write name = "initial window")')
            return ""
        return name.strip()

    def _range(self, path: tuple[str, ...], key: str, said: Mapping[str, object], sample: Sample) -> Axis | None:
        before = len(self.faults.found)
        table = self._table(path, said, "Range")
        points = self._count(path, table, "points", "Range", 0)
        log = self._word(path, table, "scale", _schema.SCALES) == "log"
        asked = [self._end((*path, key), table[key]) for key in ("from", "to") if key in table]
        ends = [one for one in asked if one is not None]
        if len(self.faults.found) > before or len(ends) < 2:
            return None
        (low, unit), (high, other) = ends
        if unit != other:
            self.faults.add(
                path, "scenario-value", f'from has the unit "{unit}" and to "{other}": use one unit for both'
            )
        elif low >= high:
            self.faults.add(path, "scenario-value", f"from ({table['from']}) must be less than to ({table['to']})")
        elif log and low <= 0:
            self.faults.add(path, "scenario-value", f"a log scale must begin above 0, not at {table['from']}")
        elif not points and sample.design == "grid":
            self.faults.add(path, "scenario-missing-key", "the key `points` is missing: a grid needs it")
        if len(self.faults.found) > before:
            return None
        # A range of quantities also has values in between: "10 ms" to "600 ms" contains 10.5 ms.
        whole = all(isinstance(table[key], int) for key in ("from", "to"))
        span = Range(float(low), float(high), unit, log, whole)
        if not points:
            return Axis(key, parts(key), None, span)
        levels = tuple(dict.fromkeys(span.at(number / (points - 1)) for number in range(points)))
        return Axis(key, parts(key), levels, span)

    def _end(self, path: tuple[str, ...], value: object) -> tuple[float, str] | None:
        found = end(value)
        if found is None:
            self._wrong(path, value, 'a number or a quantity with its unit (write 0.01 or "10 ms")')
        return found


#: Text that explains how to add each missing key.
_HOW = {
    "base": ' (write base = "scenario.toml", or the scenario in a table [base])',
    "axes": ' (write [axes], then "network.dumbbell.rate" = ["5 Mbit/s", "10 Mbit/s"])',
}


def _flat(table: Mapping[str, object], above: tuple[str, ...]) -> list[tuple[tuple[str, ...], object]]:
    """Return the axes of a table by key. A key with dots and without quotes makes nested tables in TOML."""
    found: list[tuple[tuple[str, ...], object]] = []
    for key, value in table.items():
        path = (*above, str(key))
        is_axis = isinstance(value, Mapping) and isinstance(value.get("values"), (list, tuple))
        if (
            isinstance(value, Mapping)
            and not is_axis
            and any(isinstance(one, (list, Mapping)) for one in value.values())
        ):
            found += _flat(value, path)
        else:
            found.append((path, value))
    return found
