# SPDX-License-Identifier: MIT OR Apache-2.0
"""Show results in notebooks: a few numbers and a small picture, without scripts or external files."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING

from bentpipe import plots
from bentpipe.show.pages.page import Table, render
from bentpipe.show.totals import flow_rows, left_out_line, total_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from bentpipe._sky import Sky
    from bentpipe.runs.run import Run

#: Largest number of rows in a table.
ROWS = 12
#: Resolution of the picture in dots per inch. The picture is about 700 pixels wide.
_DPI = 78


def run(one: Run) -> str:
    """Return a run as HTML: totals, flows, and the picture over time."""
    lines = [*total_lines(one), *left_out_line(one, ROWS)]
    title = f"{one.name} (seed {one.provenance['seed']})"
    return snippet(title, lines, *flow_rows(one, ROWS), one.plot())


def sky(one: Sky) -> str:
    """Return a constellation as HTML: its shells and a map at the start."""
    head = ("shell", "satellites", "planes", "km high", "inclination deg")
    rows = [
        [
            str(shell["name"]),
            str(shell["satellites"]),
            str(shell["planes"]),
            f"{shell['altitude_km']:.0f}",
            f"{shell['inclination_deg']:.1f}",
        ]
        for shell in one.facts["shells"][:ROWS]
    ]
    lines = [f"{one.facts['satellites']} satellites; inter-satellite links: {one.facts['links']}", *one.notes]
    return snippet(one.name, lines, head, rows, plots.constellation(one, "0 s"))


@plots.styled
def snippet(
    title: str, lines: Sequence[str], head: Sequence[str], rows: Sequence[Sequence[str]], figure: Figure
) -> str:
    """Return a title, lines, a table and a picture as an HTML fragment."""
    png = io.BytesIO()
    figure.set_dpi(_DPI)
    figure.savefig(png, format="png", dpi=_DPI)
    text = base64.b64encode(png.getvalue()).decode("ascii")
    return render("notebook.html", title=title, lines=lines, numbers=Table(head, rows), png=text)
