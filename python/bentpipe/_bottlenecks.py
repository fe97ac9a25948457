# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where flows will compete, from the routes alone: pairs of paths that share a link, before any packet is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.arguments import refuse
from bentpipe.base.tables import Table
from bentpipe.runs.make import job

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from bentpipe.scenario.classes import Scenario


def bottlenecks(
    scenario: str | os.PathLike[str] | Scenario,
    *,
    sites: Sequence[str] | None = None,
    top: int | None = None,
    duration: str | None = None,
    limit: int = 100,
) -> Table:
    """Pairs of paths that share a link in the same direction, and how unlike their round trips are.

    Paths are those of the scenario's flows (flows between the same sites count as one); with `sites` or `top` its flows
    are left aside, and all paths between the places are searched for pairs with much time in common and very different
    round trips. The search looks 20 times at the sky and puts the four shortest paths over each link against the four
    longest; what it finds is then measured exactly.

    Args:
        scenario: A file, TOML text, or a `Scenario`.
        sites: Cities (`sites`) to search among.
        top: Instead of `sites`: so many of the largest cities.
        duration: Instead of the scenario's duration.
        limit: Most pairs.

    Returns:
        One row for each pair, by time in common times ratio of the round trips: the ends of the path with the longer
        round trip and of the other, seconds with at least one link in common, mean propagation round trips in that time
        (access links left out) and their ratio, the link common to both for longest with its kind (up, down, isl,
        ground), seconds and rate (None: no bound), and how many links they ever have in common.

    Raises:
        ScenarioError: If the scenario cannot be used, or has no constellation to search.
        ArgumentError: If both `sites` and `top` are given, or a number is below 2 (`top`) or 1 (`limit`).
    """
    if sites is not None and top is not None:
        raise refuse("sites and top contradict each other: keep one")
    if (top is not None and top < 2) or (sites is not None and len(sites) < 2) or limit < 1:
        raise refuse("a search needs two sites at least, and a limit of 1 at least")
    asked = job(scenario, duration=duration)
    return Table(_core.bottlenecks(asked, None if sites is None else list(sites), top, limit))


def names(table: Table) -> list[tuple[str, str]]:
    """The two paths of each row as text."""
    ends = (table[name] for name in ("long_from", "long_to", "short_from", "short_to"))
    return [(f"{a} > {b}", f"{c} > {d}") for a, b, c, d in zip(*ends, strict=True)]
