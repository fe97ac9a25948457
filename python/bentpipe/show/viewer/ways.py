# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paths of a run over time, with node numbers in place of the names in the table of paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bentpipe.show.viewer.columns import numbers, words

if TYPE_CHECKING:
    from bentpipe.runs.run import Run
    from bentpipe.show.viewer.places import Places


@dataclass(frozen=True)
class Ways:
    """The paths of one pair of sites: one path for each change.

    Attributes:
        times: The start of each path.
        nodes: The nodes of each path; empty without a path.
        rtt_ms: The propagation round trip at the start of each path; NaN without a path.
    """

    times: np.ndarray
    nodes: list[tuple[int, ...]]
    rtt_ms: np.ndarray


def ways(run: Run, places: Places) -> dict[tuple[str, str], Ways]:
    """Return the paths of every pair of sites that has a path."""
    table = run._some("paths", ["time_s", "from", "to", "via", "propagation_rtt_ms"])
    if not table.num_rows:
        return {}
    times = numbers(table, "time_s")
    rtts = numbers(table, "propagation_rtt_ms")
    (origin_names, origins), (target_names, targets), (said, vias) = (
        words(table, one) for one in ("from", "to", "via")
    )
    pairs = origins * len(target_names) + targets
    found = {}
    known: dict[int, tuple[int, ...]] = {}
    # A stable sort keeps the rows of each pair in order of time.
    order = np.argsort(pairs, kind="stable")
    starts = np.flatnonzero(np.diff(pairs[order], prepend=-1))
    for start, end in zip(starts, [*starts[1:], order.size], strict=True):
        rows = order[start:end]
        changes = rows[np.flatnonzero(np.diff(vias[rows], prepend=-1))]
        for code in np.unique(vias[changes]).tolist():
            if code not in known:
                known[code] = places.way(said[code])
        ends = origin_names[origins[rows[0]]], target_names[targets[rows[0]]]
        nodes = [known[code] for code in vias[changes].tolist()]
        found[ends] = Ways(times[changes], nodes, rtts[changes].astype(float))
    return found
