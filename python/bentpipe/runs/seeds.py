# SPDX-License-Identifier: MIT OR Apache-2.0
"""Find scenarios that draw nothing at random. Every seed of such a scenario gives the same run."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bentpipe.base.errors import BentpipeError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Sequence

    from bentpipe.results.summary_types import Summary

    T = TypeVar("T", bound=Hashable)


def is_one_run(results: Sequence[Summary | BentpipeError]) -> bool:
    """Return whether the runs of two or more seeds are equal except for the seed; False if a run failed."""
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
    """Make two runs of each scenario whose network and flows draw nothing, and compare the two runs.

    A controller may still draw. Then the two runs differ.

    Args:
        quiet: The scenarios.
        seeds: The requested seeds. With a single seed, no run is made here.
        make: The function that makes runs of scenarios with seeds.
        result: The function that returns the result of a run.

    Returns:
        The scenarios whose two runs are equal. These scenarios need no further seeds.
    """
    first = seeds[:2]
    if not quiet or len(first) < 2:
        return set()
    make(quiet, first)
    return {one for one in quiet if is_one_run([result(one, seed) for seed in first])}
