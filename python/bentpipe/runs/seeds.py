# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where nothing is drawn, every seed gives the same run: two seeds prove it, and no more are made."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bentpipe.base.errors import BentpipeError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Sequence

    from bentpipe.results.summary_types import Summary

    T = TypeVar("T", bound=Hashable)


def is_one_run(results: Sequence[Summary | BentpipeError]) -> bool:
    """Whether the runs of two or more seeds are one and the same except for the seed; not if one of them failed."""
    first, *others = (None if isinstance(one, BentpipeError) else _without_seed(one) for one in results)
    return bool(others) and first is not None and all(one == first for one in others)


def _without_seed(summary: Summary) -> dict[str, object]:
    return {**summary, "provenance": {**summary["provenance"], "seed": 0}}


def without_chance(
    quiet: Collection[T],
    seeds: Sequence[int],
    make: Callable[[Collection[T], Sequence[int]], object],
    result: Callable[[T, int], Summary | BentpipeError],
) -> set[T]:
    """Make two runs each of scenarios that draw nothing, whatever their controllers do.

    A controller may draw all the same, which two runs show.

    Args:
        quiet: The scenarios.
        seeds: The seeds that are wanted; of a single one nothing is made here.
        make: Makes the runs of some scenarios with some seeds.
        result: What a run gave.

    Returns:
        Those whose two runs are the same. They need no more seeds.
    """
    first = seeds[:2]
    if not quiet or len(first) < 2:
        return set()
    make(quiet, first)
    return {one for one in quiet if is_one_run([result(one, seed) for seed in first])}
