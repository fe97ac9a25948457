# SPDX-License-Identifier: MIT OR Apache-2.0
"""The page of a sweep: pictures, and a table that can be sorted and filtered, in one file that needs no network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.show.pages import page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from bentpipe._sweep._result import Sweep

#: Largest number of points on a page. The tables contain all points.
_ROWS = 20_000
#: Number of rows that are shown at first. Sorting and filtering show other rows.
_AT_ONCE = 200
_CAPTIONS = {
    "lines": "Mean over the seeds with its interval",
    "heat": "Mean over the seeds with its interval",
    "multiples": "Mean over the seeds with its interval",
    "dots": "All points as a function of each axis, with the interval of their means",
    "pareto": (
        "The number and the 95th percentile of the queueing delay (or of the times of visits) at each point, with "
        "intervals"
    ),
}


def write(found: Sweep, file: Path, of: Sequence[str] = (), figures: Mapping[str, Figure] | None = None) -> Path:
    """Write the page, with pictures of some numbers, or with `figures` if they are drawn.

    Raises:
        RunError: If the file cannot be written.
    """
    about, runs = found.about, found.runs
    axes = ", ".join(axis["key"] for axis in about["axes"])
    failed = [
        [str(point), str(seed), error]
        for point, seed, error in zip(runs["point"], runs["seed"], runs["error"], strict=True)
        if error is not None
    ]
    drawn = found.plots(of) if figures is None else figures
    head, points = found.cells(_ROWS, of)
    return page.write(
        file,
        "sweep.html",
        title=f"Sweep {Path(about['origin']).stem}",
        lead=f"{len(found.points)} points over the axes {axes}; {len(runs)} runs, with the same seeds at every point.",
        notes=[*found.notes, *(f"finding: {line}" for line in found.findings)],
        drawings=[page.drawn(figure, _CAPTIONS[name.partition("-")[0]]) for name, figure in drawn.items()],
        head=head,
        points=points,
        at_once=_AT_ONCE,
        failed=page.Table(["point", "seed", "error"], failed[:_AT_ONCE]),
        origin=f"{about['build']}; design: {about['design']}.",
        document=json.dumps(about["document"], indent=2, ensure_ascii=False),
    )
