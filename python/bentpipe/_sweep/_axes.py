# SPDX-License-Identifier: MIT OR Apache-2.0
"""Axes of a sweep: the varied key, its values, and their form in a column."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bentpipe import _core
from bentpipe.base.errors import ScenarioError
from bentpipe.base.toml import inline
from bentpipe.scenario.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bentpipe.scenario.keys import Place

#: Digits of a drawn number. They distinguish points, and are few enough for readers.
_DIGITS = 6
#: Digits of a number that represents a range. They are few enough for readers.
_FEW_DIGITS = 3


@dataclass(frozen=True)
class Range:
    """A continuous axis: numbers, or quantities of one unit, between two ends.

    Attributes:
        low: Lower end.
        high: Upper end.
        unit: The unit of the ends; empty for plain numbers.
        log: Whether the steps are factors instead of differences.
        whole: Whether only whole numbers are used, because both ends are whole.
    """

    low: float
    high: float
    unit: str = ""
    log: bool = False
    whole: bool = False

    def at(self, share: float) -> Any:
        """Return the value at a fraction of the range, 0 to 1."""
        if self.log:
            value = math.exp(math.log(self.low) + share * (math.log(self.high) - math.log(self.low)))
        else:
            value = self.low + share * (self.high - self.low)
        if self.whole:
            return f"{round(value)} {self.unit}" if self.unit else round(value)
        short = f"{min(max(value, self.low), self.high):.{_DIGITS}g}"
        return f"{short} {self.unit}" if self.unit else float(short)

    def near(self, share: float) -> str | float:
        """Return the rounded value near a fraction of the range. The ends are exact."""
        value: str | float = self.at(share)
        known = end(value)
        if self.whole or share in (0.0, 1.0) or known is None:
            return value
        short = float(f"{known[0]:.{_FEW_DIGITS}g}")
        return f"{short:g} {self.unit}" if self.unit else short


@dataclass(frozen=True)
class Axis:
    """An axis of a sweep.

    Attributes:
        key: The key of the scenario, as in the document.
        place: The parsed key.
        levels: The values, each once; None for a continuous axis.
        span: The range of a continuous axis.
        column: Name of the column, with the unit.
        name: Name for readers; by default a label of the key.
    """

    key: str
    place: Place
    levels: tuple[Any, ...] | None
    span: Range | None = None
    column: str = ""
    name: str = ""

    @property
    def ends(self) -> tuple[Any, ...]:
        """The values that are checked before any run."""
        if self.levels is not None:
            return self.levels
        assert self.span is not None  # noqa: S101 - one of the two exists
        return tuple(dict.fromkeys((self.span.at(0.0), self.span.at(1.0))))

    @property
    def tail(self) -> str:
        """The last name of the key."""
        return next(str(one) for one in reversed(self.place) if isinstance(one, str))

    @cached_property
    def kind(self) -> str:
        """The type of the axis's column: "number", "whole", "quantity", "truth" or "text"."""
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
        """The unit of the first quantity; empty if the values are not quantities or have several kinds of units."""
        found = [one for end in self.ends if (one := quantity(end)) is not None]
        if len(found) < len(self.ends) or not found:
            return ""
        return found[0].unit if all(one.unit in found[0].units for one in found) else ""

    @property
    def is_numeric(self) -> bool:
        """Whether the values have an order and distances."""
        return self.kind in ("number", "whole", "quantity")

    @property
    def is_log(self) -> bool:
        """Whether the steps are factors: as the document says, or if positive levels span more than a factor of 20."""
        if self.span is not None:
            return self.span.log
        numbers = [self.cell(one) for one in self.levels or ()]
        return self.is_numeric and len(numbers) > 2 and min(numbers) > 0 and max(numbers) > 20 * min(numbers)

    def cell(self, value: Any) -> Any:
        """Return a value in the form of its column."""
        if self.kind == "quantity":
            found = quantity(value)
            assert found is not None  # noqa: S101 - the kind says so
            return float(found.in_unit(self.unit))
        if self.kind == "number":
            return float(value)
        return value if self.kind in ("whole", "truth") else self.label(value)

    def label(self, value: Any) -> str:
        """Return a value as text for readers."""
        if self.tail == "controller" and isinstance(value, (str, dict)):
            return Choice.of(value).key
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, float):
            return f"{value:g}"
        if isinstance(value, (dict, list)):
            return inline(value)
        return str(value)


def meaning(place: Place, value: Any) -> str:
    """Return the meaning of a value, whatever its notation. Values with the same meaning are one level of an axis."""
    found = quantity(value)
    if found is not None:
        kind = min(found.units)
        return f"{found.in_unit(kind).normalize()} {kind}"
    if place[-1:] == ("controller",) and isinstance(value, (str, Mapping)):
        with suppress(ScenarioError):  # the reader of controllers reports an invalid controller
            return Choice.of(value).key
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(float(value))
    return f"{type(value).__name__} {value!r}"


@dataclass(frozen=True)
class Quantity:
    """A number with a unit.

    Attributes:
        number: The number as written.
        unit: The unit.
        units: The units of the same kind, with their factors.
        is_count: Whether only whole numbers are meaningful.
    """

    number: Decimal
    unit: str
    units: Mapping[str, float]
    is_count: bool

    def in_unit(self, unit: str) -> Decimal:
        """Return the number in another unit of the same kind."""
        return self.number * Decimal(self.units[self.unit]) / Decimal(self.units[unit])


def quantity(value: Any) -> Quantity | None:
    """Parse text into number and unit; None if it is not a quantity."""
    found = _core.quantity(value) if isinstance(value, str) else None
    return None if found is None else Quantity(Decimal(found.number), found.unit, found.units, found.is_count)


def end(value: Any) -> tuple[float, str] | None:
    """Parse a number, or a quantity with its unit; None if the value is neither."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value), ""
    found = quantity(value)
    return None if found is None else (float(found.number), found.unit)


def columns(axes: Iterable[Axis], taken: Iterable[str]) -> list[str]:
    """Return names for the columns of axes: the shortest distinct ends of their keys, followed by the unit."""
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
            # Names that are still equal, or already in use, get a number.
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
    return re.sub(
        r"[^a-z0-9]+", "_", f"{words}{unit}".lower().replace("µ", "u").replace("°", "deg").replace("%", "percent")
    ).strip("_")
