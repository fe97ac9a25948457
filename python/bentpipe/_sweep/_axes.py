# SPDX-License-Identifier: MIT OR Apache-2.0
"""Axes: what is varied, over which values, and how a value stands in a column."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

import tomli_w

from bentpipe import _core
from bentpipe.base.errors import ScenarioError
from bentpipe.scenario.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bentpipe._sweep._keys import Place

#: Digits of a drawn number: enough to tell points apart, few enough to read.
_DIGITS = 6
#: Digits of one that stands for a range: enough to matter, few enough to read.
_FEW_DIGITS = 3


@dataclass(frozen=True)
class Range:
    """An axis without gaps: numbers, or quantities of one unit, from one to another.

    Attributes:
        low: From here.
        high: To here.
        unit: Empty for numbers.
        log: Whether steps are factors.
        whole: Whether only whole numbers are meant: both ends are.
    """

    low: float
    high: float
    unit: str = ""
    log: bool = False
    whole: bool = False

    def at(self, share: float) -> Any:
        """The value at a share of the way, 0 to 1."""
        if self.log:
            value = math.exp(math.log(self.low) + share * (math.log(self.high) - math.log(self.low)))
        else:
            value = self.low + share * (self.high - self.low)
        if self.whole:
            return f"{round(value)} {self.unit}" if self.unit else round(value)
        short = f"{min(max(value, self.low), self.high):.{_DIGITS}g}"
        return f"{short} {self.unit}" if self.unit else float(short)

    def near(self, share: float) -> str | float:
        """The value near a share of the way: rounded to what matters, the ends as they are."""
        value: str | float = self.at(share)
        known = end(value)
        if self.whole or share in (0.0, 1.0) or known is None:
            return value
        short = float(f"{known[0]:.{_FEW_DIGITS}g}")
        return f"{short:g} {self.unit}" if self.unit else short


@dataclass(frozen=True)
class Axis:
    """What is varied.

    Attributes:
        key: The key of the scenario as the document writes it.
        place: The same taken apart.
        levels: The values, each once; None of an axis without gaps.
        span: From where to where, of an axis without gaps.
        column: Name of its column; the unit is in it.
    """

    key: str
    place: Place
    levels: tuple[Any, ...] | None
    span: Range | None = None
    column: str = ""

    @property
    def ends(self) -> tuple[Any, ...]:
        """The values to look at before anything runs."""
        if self.levels is not None:
            return self.levels
        assert self.span is not None  # noqa: S101 - one of the two is there
        return tuple(dict.fromkeys((self.span.at(0.0), self.span.at(1.0))))

    @property
    def tail(self) -> str:
        """The last name of the key."""
        return next(str(one) for one in reversed(self.place) if isinstance(one, str))

    @cached_property
    def kind(self) -> str:
        """What its column holds: "number", "whole", "quantity", "truth" or "text"."""
        values = self.ends
        if all(isinstance(one, bool) for one in values):
            return "truth"
        if all(isinstance(one, int) and not isinstance(one, bool) for one in values):
            return "whole"
        if all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in values):
            return "number"
        return "quantity" if self.unit else "text"

    @cached_property
    def unit(self) -> str:
        """The unit of its quantities: that of the first; empty if they are none, or not of one kind."""
        found = [one for end in self.ends if (one := quantity(end)) is not None]
        if len(found) < len(self.ends) or not found:
            return ""
        return found[0].unit if all(one.unit in found[0].units for one in found) else ""

    @property
    def is_numeric(self) -> bool:
        """Whether its values have an order and distances."""
        return self.kind in ("number", "whole", "quantity")

    @property
    def is_log(self) -> bool:
        """Whether its steps are factors: as it says, or as positive levels over more than a factor of twenty look."""
        if self.span is not None:
            return self.span.log
        numbers = [self.cell(one) for one in self.levels or ()]
        return self.is_numeric and len(numbers) > 2 and min(numbers) > 0 and max(numbers) > 20 * min(numbers)

    def cell(self, value: Any) -> Any:
        """A value as its column has it."""
        if self.kind == "quantity":
            found = quantity(value)
            assert found is not None  # noqa: S101 - the kind says so
            return float(found.in_unit(self.unit))
        if self.kind == "number":
            return float(value)
        return value if self.kind in ("whole", "truth") else self.label(value)

    def label(self, value: Any) -> str:
        """A value for people."""
        if self.tail == "controller" and isinstance(value, (str, dict)):
            return Choice.of(value).key
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, float):
            return f"{value:g}"
        if isinstance(value, (dict, list)):
            return " ".join(tomli_w.dumps({"x": value}).replace("[x]", "").split())
        return str(value)


def meaning(place: Place, value: Any) -> str:
    """What a value at a place means, whatever it is written as: two with the same are one level of an axis."""
    found = quantity(value)
    if found is not None:
        kind = min(found.units)
        return f"{found.in_unit(kind).normalize()} {kind}"
    if place[-1:] == ("controller",) and isinstance(value, (str, Mapping)):
        with suppress(ScenarioError):  # what is no controller is told where it is read
            return Choice.of(value).key
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(float(value))
    return f"{type(value).__name__} {value!r}"


@dataclass(frozen=True)
class Quantity:
    """A number with a unit.

    Attributes:
        number: The number as it is written.
        unit: The unit.
        units: What the units of its kind are worth in one of them.
        is_count: Whether only whole numbers have a meaning.
    """

    number: Decimal
    unit: str
    units: Mapping[str, float]
    is_count: bool

    def in_unit(self, unit: str) -> Decimal:
        """The number in another unit of the same kind."""
        return self.number * Decimal(self.units[self.unit]) / Decimal(self.units[unit])


def quantity(value: Any) -> Quantity | None:
    """A text taken apart into number and unit; None if it is no quantity."""
    found = _core.quantity(value) if isinstance(value, str) else None
    return None if found is None else Quantity(Decimal(found.number), found.unit, found.units, found.is_count)


def end(value: Any) -> tuple[float, str] | None:
    """A number, or a quantity with its unit; None if it is neither."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value), ""
    found = quantity(value)
    return None if found is None else (float(found.number), found.unit)


def columns(axes: Iterable[Axis], taken: Iterable[str]) -> list[str]:
    """Names for the columns of axes: the shortest tails of their keys that tell them apart, the unit behind."""
    axes = list(axes)
    reserved = set(taken)
    lengths = [1] * len(axes)
    while True:
        names = [_name(axis, length) for axis, length in zip(axes, lengths, strict=True)]
        clash = [
            at
            for at, name in enumerate(names)
            if (names.count(name) > 1 or name in reserved) and lengths[at] < len(axes[at].place)
        ]
        if not clash:
            # What is still the same, or still taken, gets a number.
            return [
                f"{name}_{at + 1}" if names.index(name) != at or name in reserved else name
                for at, name in enumerate(names)
            ]
        for at in clash:
            lengths[at] += 1


def _name(axis: Axis, length: int) -> str:
    words = "_".join(map(str, axis.place[-length:]))
    if isinstance(axis.place[-length], int) and length < len(axis.place):
        words = "_".join(map(str, axis.place[-length - 1 :]))
    unit = f"_{axis.unit}" if axis.kind == "quantity" else ""
    return re.sub(r"[^a-z0-9]+", "_", f"{words}{unit}".lower().replace("µ", "u").replace("°", "deg")).strip("_")
