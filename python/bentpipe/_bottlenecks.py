# SPDX-License-Identifier: MIT OR Apache-2.0
"""Find pairs of paths that share a link. Only routes are computed; no packet is sent."""

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
    """Return the pairs of paths that share a link in the same direction, and the ratio of their round trips.

    By default the paths are those of the scenario's flows. Flows between the same sites count as one path. With `sites`
    or `top`, the flows are ignored, and all paths between the given cities are searched. The search prefers pairs with
    much common time and very different round trips. The search samples 20 moments and compares the four shortest paths
    over each link with the four longest paths. The pairs that the search finds are then measured exactly.

    Args:
        scenario: A file, TOML text, or a `Scenario`.
        sites: Names of the cities (`bentpipe.sites`) between which paths are searched.
        top: Number of the largest cities between which paths are searched, instead of `sites`.
        duration: Replaces the scenario's duration, for example ``"10 s"``.
        limit: Largest number of pairs.

    Returns:
        One row for each pair, ordered by common time multiplied by the ratio of the round trips. Columns: the ends of
        the path with the longer round trip; the ends of the path with the shorter round trip; seconds with at least one
        common link; the mean propagation round trip of each path in that time (without access links); the ratio of
        these two means; the link that is common for the longest time, with its kind (up, down, isl, ground), its
        seconds and its rate (None: unlimited); and the number of links that are common at any time.

    Raises:
        ScenarioError: If the scenario cannot be used, or has no constellation to search.
        ArgumentError: If both `sites` and `top` are given, or a number is below 2 (`top`) or 1 (`limit`).
    """
    if sites is not None and top is not None:
        raise refuse("sites and top exclude each other (keep one of them)")
    if (top is not None and top < 2) or (sites is not None and len(sites) < 2) or limit < 1:
        raise refuse("a search needs at least two sites, and a limit of at least 1")
    asked = job(scenario, duration=duration)
    return Table(_core.bottlenecks(asked, None if sites is None else list(sites), top, limit))


def names(table: Table) -> list[tuple[str, str]]:
    """Return the two paths of each row as text, ``A > B``."""
    ends = (table[name] for name in ("long_from", "long_to", "short_from", "short_to"))
    return [(f"{a} > {b}", f"{c} > {d}") for a, b, c, d in zip(*ends, strict=True)]
