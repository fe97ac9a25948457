# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read summaries from JSON, and read numbers with a variable key or a missing value."""

from __future__ import annotations

import re
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
Cause: TypeAlias = Literal["queue", "error", "outage", "policer", "too_large"]
#: The names of the totals' rates in schemas before 13. The numbers are the same.
_EARLIER_TOTALS = re.compile(rb'("totals":\s*\{\s*)"goodput_mbit_s"(:[^"]*)"throughput_mbit_s"')
#: The name of the platform in schemas before 13.
_EARLIER_PLATFORM = re.compile(rb'("provenance":\s*\{[^{}]*)"ground"')
#: The distributions and the causes of losses.
CAUSES: tuple[Cause, ...] = get_args(Cause)


def read(text: bytes, *, lean: bool = False) -> Summary:
    """Read the summary of a run from its JSON. Unknown keys (of a later version) are ignored.

    Args:
        text: The JSON.
        lean: Whether the summary is from a store and has no list of links.

    Raises:
        Unfit: If the JSON is not a summary of this version.
    """
    if b'"sessions":' in text:  # the key would be ignored, and numbers would be missing
        raise Unfit("`sessions` is a key of an earlier build; the key is now `visits`")
    text = _EARLIER_TOTALS.sub(rb'\1"delivered_mbit_s"\2"sent_mbit_s"', text, count=1)
    text = _EARLIER_PLATFORM.sub(rb'\1"platform"', text, count=1)
    return shape.parsed(text, _types()["lean" if lean else "whole"])


@cache
def _types() -> dict[str, type[Summary]]:
    from bentpipe.results.summary_types import Summary

    keys = get_type_hints(Summary, include_extras=True)
    lean = TypedDict("Summary", keys | {"links": NotRequired[keys["links"]]})  # type: ignore[misc]
    return {"whole": Summary, "lean": cast("type[Summary]", lean)}


def given(value: T | None) -> T:
    """Return a value of the summary that must not be None.

    Raises:
        TypeError: If the value is None, because nothing was measured.
    """
    if value is None:
        raise TypeError("the summary has null here: nothing was measured")
    return value


def number(table: Mapping[str, object], key: str) -> float | None:
    """Return a number of a table of the summary by its key; None if the summary has null.

    Raises:
        KeyError: If the table does not have the key.
        TypeError: If the value is not a number.
    """
    value = table[key]
    if value is None:
        return None
    if not isinstance(value, (int, float)):
        raise TypeError(f"{key} of the summary is not a number")
    return float(value)


def weighted_mean(pairs: Iterable[tuple[float | None, float]]) -> float | None:
    """Return the weighted mean without missing numbers; None if the sum of weights is 0."""
    known = [(value, weight) for value, weight in pairs if value is not None]
    whole = sum(weight for _, weight in known)
    return sum(value * weight for value, weight in known) / whole if whole else None
