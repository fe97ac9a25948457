# SPDX-License-Identifier: MIT OR Apache-2.0
"""Summaries read from their JSON; and numbers of them where a key is known late, or a value may be missing."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal, NotRequired, TypeAlias, TypedDict, TypeVar, cast, get_args, get_type_hints

from bentpipe.base import shape
from bentpipe.base.files import Unfit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bentpipe.results.summary_types import Summary

T = TypeVar("T")

#: The distributions of packets that a flow has.
Delays: TypeAlias = Literal["rtt_ms", "queueing_delay_ms", "one_way_delay_ms", "delay_variation_ms"]
#: True causes of losses.
Cause: TypeAlias = Literal["queue", "error", "outage", "policer"]
#: All of them.
CAUSES: tuple[Cause, ...] = get_args(Cause)


def read(text: bytes, *, lean: bool = False) -> Summary:
    """A summary of a run from its JSON. What a later version may add is left out.

    Args:
        text: The JSON.
        lean: Whether it is one of a store, which lists no links.

    Raises:
        Unfit: If no run of this version writes that.
    """
    if b'"sessions":' in text:  # it would be left out, and numbers would be missed
        raise Unfit("sessions is a key of an earlier build; now it is `visits`")
    return shape.parsed(text, _types()["lean" if lean else "whole"])


@cache
def _types() -> dict[str, type[Summary]]:
    from bentpipe.results.summary_types import Summary

    keys = get_type_hints(Summary, include_extras=True)
    lean = TypedDict("Summary", keys | {"links": NotRequired[keys["links"]]})  # type: ignore[misc]
    return {"whole": Summary, "lean": cast("type[Summary]", lean)}


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
