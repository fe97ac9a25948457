# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ranges in a scenario for uncertain numbers, and the cases that represent these ranges."""

from __future__ import annotations

import functools
import itertools
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._sweep._axes import Axis, Range, end, quantity
from bentpipe._sweep._base import check, put_all
from bentpipe._sweep._faults import Faults, places
from bentpipe.base.errors import ScenarioError
from bentpipe.scenario.document import text_of
from bentpipe.scenario.keys import shown

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from bentpipe._sweep._faults import Context
    from bentpipe._sweep._faults import Path as Keys
    from bentpipe.base.json import Document, Json, Schema
    from bentpipe.scenario.classes import Scenario
    from bentpipe.scenario.keys import Place

#: Largest number of ranges. With more ranges, the cases would be too few to be useful or too many to run.
MOST_RANGES = 5
#: Up to this number of ranges, every combination of lower end, middle and upper end is a case.
_GRID = 3
#: If the ends of a positive range differ by more than this factor, its middle is the geometric mean.
_FACTOR = 20.0
#: Positions of the levels in a range: for a single range, and for each of several ranges.
_FINE, _COARSE = (0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 0.5, 1.0)


@dataclass(frozen=True)
class Case:
    """One value for each range.

    Attributes:
        at: The number of the level in each range.
        values: The value in each range.
        document: The scenario with these values.
    """

    at: tuple[int, ...]
    values: tuple[object, ...]
    document: Document


@dataclass(frozen=True)
class Spread:
    """A scenario with uncertain numbers.

    Attributes:
        origin: The file of the scenario, or its name in messages.
        ranges: The ranges, in the order of the document; each with its levels.
        cases: The cases to run; a single case without ranges.
        middle: The scenario with the middle of each range.
    """

    origin: str
    ranges: tuple[Axis, ...]
    cases: tuple[Case, ...]
    middle: Document

    def label(self, case: Case) -> str:
        """A case in words: "queue 0.2 BDP, rtt 25 ms"."""
        return ", ".join(
            f"{axis.tail} {axis.label(value)}" for axis, value in zip(self.ranges, case.values, strict=True)
        )

    def line(self, number: int) -> list[int]:
        """Return the cases that differ from the middle only in this range, in the order of its levels."""
        others = [len(axis.levels or ()) // 2 for axis in self.ranges]
        found = [
            index
            for index, case in enumerate(self.cases)
            if all(at == others[other] for other, at in enumerate(case.at) if other != number)
        ]
        return sorted(found, key=lambda index: self.cases[index].at[number])


def read(scenario: str | os.PathLike[str] | Scenario) -> Spread:
    """Read a scenario in which numbers may be ranges: ``rtt = ["25 ms", "40 ms"]``.

    Raises:
        ScenarioError: If the scenario cannot be read or a range is not valid; with the line.
    """
    text, origin = text_of(scenario)
    document = _core.read_toml(text, origin)
    faults = _Faults(origin, places(text))
    axes = [axis for place, value in _ranges(document) if (axis := _axis(faults, place, value)) is not None]
    faults.finish()
    if not axes:
        return Spread(origin, (), (Case((), (), document),), document)
    if len(axes) > MOST_RANGES:
        told = ", ".join(axis.key for axis in axes)
        raise ScenarioError(
            "scenario-value",
            f"{origin}: {len(axes)} numbers are ranges ({told}); the limit is {MOST_RANGES} (fix those that matter "
            "least; `bentpipe sweep` and `bentpipe sensitivity` show which)",
        )
    shares = _FINE if len(axes) == 1 else _COARSE
    axes = [replace(axis, levels=_levels(axis, shares)) for axis in axes]
    base = put_all(document, axes, [(axis.levels or ())[0] for axis in axes])
    axes = check(faults, base, origin, axes, inline=True)
    faults.finish()
    cases = []
    for at in _design([len(axis.levels or ()) for axis in axes]):
        values = tuple((axis.levels or ())[level] for axis, level in zip(axes, at, strict=True))
        cases.append(Case(at, values, put_all(base, axes, values)))
    middle = put_all(base, axes, [(axis.levels or ())[len(axis.levels or ()) // 2] for axis in axes])
    return Spread(origin, tuple(axes), tuple(cases), middle)


def _design(levels: list[int]) -> list[tuple[int, ...]]:
    """Return combinations of levels: all, or for many ranges only the corners and the lines through the middle."""
    if len(levels) <= _GRID:
        return list(itertools.product(*map(range, levels)))
    middle = [count // 2 for count in levels]
    lines = [
        (*middle[:axis], level, *middle[axis + 1 :]) for axis, count in enumerate(levels) for level in range(count)
    ]
    corners = list(itertools.product(*((0, count - 1) for count in levels)))
    return sorted(set(lines) | set(corners))


def _levels(axis: Axis, shares: tuple[float, ...]) -> tuple[object, ...]:
    assert axis.span is not None  # noqa: S101 - a range has no gaps
    return tuple(dict.fromkeys(axis.span.near(share) for share in shares))


class _Faults(Faults):
    """Reports faults of axes and of a base document at the keys of the scenario."""

    def add(self, path: Keys, code: str, text: str, **context: Unpack[Context]) -> None:
        """Add a fault at the key of the scenario."""
        names = path
        if path[:1] in (("axes",), ("base",)):
            names = tuple(one.partition("[")[0] for part in path[1:] for one in part.split("."))
        super().add(names, code, text, **context)


@functools.cache
def _lists() -> frozenset[str]:
    """Return the keys whose value is a list."""
    schema: Schema = json.loads(_core.scenario_schema())
    tables = [schema, *schema["$defs"].values()]
    kinds = [(key, about.get("type", "")) for table in tables for key, about in table.get("properties", {}).items()]
    return frozenset(key for key, kind in kinds if "array" in ([kind] if isinstance(kind, str) else kind))


def _ranges(document: Document | list[Json], place: Place = ()) -> Iterator[tuple[Place, list[Json]]]:
    """Yield every place that has a range, with the range."""
    if isinstance(document, list):
        inner: Sequence[tuple[str | int, Json]] = [
            (number, one) for number, one in enumerate(document) if isinstance(one, dict)
        ]
    else:
        inner = list(document.items())
    for key, value in inner:
        here = (*place, key)
        if isinstance(value, dict) or (isinstance(value, list) and key in _lists()):
            yield from _ranges(value, here)
        elif isinstance(value, list):
            yield here, value


def _axis(faults: _Faults, place: Place, value: list[Json]) -> Axis | None:
    """Return a range with its levels. If the range is not valid, add a fault and return None."""
    path = tuple(str(one) for one in place if isinstance(one, str))
    said = f"the range {json.dumps(value, default=str)}"
    if "controller" in path:
        faults.add(
            path,
            "scenario-value",
            f"{said} is for a parameter of the controller: write it with the candidates, 'cubic{{beta=0.5..0.9}}'",
        )
        return None
    ends = [found for one in value if (found := end(one)) is not None]
    if len(value) != 2 or len(ends) != 2:
        faults.add(
            path,
            "scenario-wrong-type",
            f'{said} must have two ends, each a number or a quantity with its unit (write ["25 ms", "40 ms"])',
        )
        return None
    (low, unit), (high, other) = ends
    if unit != other:
        faults.add(path, "scenario-value", f'{said} begins in "{unit}" and ends in "{other}": use one unit for both')
    elif low >= high:
        faults.add(path, "scenario-value", f"{said} must rise: its lower end is {value[0]}, its upper end {value[1]}")
    else:
        whole = all(isinstance(one, int) or ((known := quantity(one)) is not None and known.is_count) for one in value)
        return Axis(shown(place), place, None, Range(low, high, unit, low > 0 and high > _FACTOR * low, whole))
    return None
