# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where flows will compete, from the routes alone: pairs of paths that share a link, before any packet is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bentpipe import _core, plots
from bentpipe._run import Table, job

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from bentpipe._scenario import Scenario

#: Pairs that a picture names.
_NAMED = 12


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
        ValueError: If both `sites` and `top` are given, or a number is below 2 (`top`) or 1 (`limit`).
    """
    if sites is not None and top is not None:
        raise ValueError("sites and top contradict each other: keep one")
    if (top is not None and top < 2) or (sites is not None and len(sites) < 2) or limit < 1:
        raise ValueError("a search needs two sites at least, and a limit of 1 at least")
    asked = job(scenario, duration=duration)
    return Table(_core.bottlenecks(asked, None if sites is None else list(sites), top, limit))


def names(table: Table) -> list[tuple[str, str]]:
    """The two paths of each row as text."""
    ends = (table[name] for name in ("long_from", "long_to", "short_from", "short_to"))
    return [(f"{a} > {b}", f"{c} > {d}") for a, b, c, d in zip(*ends, strict=True)]


@plots.styled
def picture(table: Table, title: str) -> Figure:
    """The pairs: both round trips, and the time in common."""
    shown = min(len(table), _NAMED)
    figure, (trips, time) = plots.new(1, 2, width=11.0, height=max(2.2, 0.42 * shown + 1.2))
    rows = np.arange(shown)
    long, short = (plots.column(table.arrow, f"{which}_rtt_ms")[:shown] for which in ("long", "short"))
    trips.hlines(rows, short, long, color="#b8b8b8", linewidth=1.4, zorder=1)
    trips.scatter(long, rows, color=plots.COLOURS[0], label="longer", zorder=2)
    trips.scatter(short, rows, color=plots.COLOURS[1], label="shorter", zorder=2)
    labels = [f"{a}\n{b}" for a, b in names(table)[:shown]]
    trips.set_yticks(rows, labels, fontsize="x-small")
    trips.set(title=f"{title}: propagation round trips", xlabel="ms", xlim=(0, None))
    trips.legend(fontsize="small", loc="lower center", ncols=2)
    time.barh(rows, plots.column(table.arrow, "shared_s")[:shown], color=plots.COLOURS[2], height=0.6)
    for row, (kind, links) in enumerate(zip(table["kind"][:shown], table["links"][:shown], strict=True)):
        time.annotate(f" {kind}, {links} link{'s' if links != 1 else ''}", (0, row), va="center", fontsize="x-small")
    time.set_yticks(rows, [""] * shown)
    time.set(title="Time with a link in common", xlabel="s", xlim=(0, None))
    for axis in (trips, time):
        axis.set_ylim(shown - 0.5, -0.5)
    return figure
