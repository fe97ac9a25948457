# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write the page about one run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from bentpipe import plots
from bentpipe.results import visits
from bentpipe.results.notes import finding_lines
from bentpipe.show.pages.page import Table, drawn, write
from bentpipe.show.pages.tiles import tiles
from bentpipe.show.pictures import moving_map, overview
from bentpipe.show.pictures import visits as visits_picture
from bentpipe.show.totals import MANY_LINKS, flow_rows, left_out_line, total_lines

if TYPE_CHECKING:
    from pathlib import Path

    from bentpipe.runs.run import Run

#: Largest number of links for which the picture of utilisation is readable.
_LINKS = 12
#: Largest number of flows on a page. With more flows, the first flows are shown.
_ROWS = 500


def write_run(run: Run, file: Path) -> Path:
    """Write the page.

    Raises:
        RunError: If the file cannot be written.
    """
    about = run.summary["provenance"]
    caption = "Goodput, congestion windows, round-trip times and losses over time"
    drawings = [drawn(overview.overview(run), caption, stacks=True)]
    if len(run.summary["links"]) > MANY_LINKS and len(run.links) > 0:
        drawings.append(drawn(plots.links(run, plots.BUSIEST), "Utilisation of the busiest links over time"))
    if visits.flows_of(run):
        drawings.append(drawn(visits_picture.figure([("", run)]), "Times of the visits of applications"))
    return write(
        file,
        "run.html",
        title=run.name,
        lead=f"seed {about['seed']}, {about['duration_s']:g} s of virtual time, "
        f"Bentpipe {about.get('build', about['bentpipe_version'])}",
        notes={
            "Degraded": about.get("degraded"),
            "The path": about.get("path_notes"),
            "Findings": finding_lines([run]),
        },
        tiles=tiles(run),
        totals=total_lines(run),
        drawings=drawings,
        map=Markup(moving_map.block(run)),  # noqa: S704 - it escapes names
        flows=Table(*flow_rows(run, _ROWS)),
        left_out=left_out_line(run, _ROWS),
        scenario=run.scenario,
    )
