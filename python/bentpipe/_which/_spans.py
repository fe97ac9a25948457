# SPDX-License-Identifier: MIT OR Apache-2.0
"""Numbers and quantities between two ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe._sweep._axes import quantity

if TYPE_CHECKING:
    from bentpipe._sweep._axes import Range

#: Digits of a number between the ends: enough to matter, few enough to read.
_DIGITS = 3


def end(value: object) -> tuple[float, str] | None:
    """A number or a quantity with its unit; None if it is neither."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value), ""
    found = quantity(value)
    return None if found is None else (float(found.number), found.unit)


def is_count(value: object) -> bool:
    """Whether a value is a quantity that is counted in whole numbers."""
    found = quantity(value)
    return found is not None and found.is_count


def between(span: Range, share: float) -> str | float:
    """The value at a share of the way: rounded, the ends as they are."""
    value: str | float = span.at(share)
    if span.whole or share in (0.0, 1.0):
        return value
    found = quantity(value)
    number, unit = (float(value), "") if found is None else (float(found.number), found.unit)
    short = float(f"{number:.{_DIGITS}g}")
    return f"{short:g} {unit}" if unit else short
