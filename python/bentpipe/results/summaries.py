# SPDX-License-Identifier: MIT OR Apache-2.0
"""Numbers of a summary, where a key is only known when the program runs, or a value may be missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

T = TypeVar("T")

#: The distributions of packets that a flow has.
Delays: TypeAlias = Literal["rtt_ms", "queueing_delay_ms", "one_way_delay_ms", "delay_variation_ms"]
#: True causes of losses.
Cause: TypeAlias = Literal["queue", "error", "outage"]


def given(value: T | None) -> T:
    """A value of the summary that must be there.

    Raises:
        TypeError: If it is None: nothing was measured.
    """
    if value is None:
        raise TypeError("the summary has null here: nothing was measured")
    return value


def number(table: Mapping[str, object], key: str) -> float | None:
    """A number of a table of the summary by its key; None where the summary has null.

    Raises:
        KeyError: If the table has no such key.
        TypeError: If the value is not a number.
    """
    value = table[key]
    if value is None:
        return None
    if not isinstance(value, (int, float)):
        raise TypeError(f"{key} of the summary is not a number")
    return float(value)


def weighted_mean(pairs: Iterable[tuple[float | None, float]]) -> float | None:
    """Mean of numbers with weights, those that are missing left out; None if there is no weight."""
    known = [(value, weight) for value, weight in pairs if value is not None]
    whole = sum(weight for _, weight in known)
    return sum(value * weight for value, weight in known) / whole if whole else None
