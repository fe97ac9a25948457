# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a notebook shows of a result: a few numbers and a small picture, no script, nothing from elsewhere."""

from __future__ import annotations

import base64
import html
import io
from typing import TYPE_CHECKING

from bentpipe import plots

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.figure import Figure

    from bentpipe._compare import Comparison
    from bentpipe._evaluate.evaluate import Evaluation
    from bentpipe._sky import Sky
    from bentpipe.runs.run import Run

#: Rows of a table.
_ROWS = 12
#: Points per inch of the picture: about 700 across.
_DPI = 78


def run(one: Run) -> str:
    """A run: totals, flows, the picture over time."""
    from bentpipe.show.pages.run import flow_rows, left_out_line, total_lines

    lines = [*total_lines(one), *left_out_line(one, _ROWS)]
    title = f"{one.name} (seed {one.provenance['seed']})"
    return _whole(title, lines, *flow_rows(one, _ROWS), one.plot())


def comparison(result: Comparison) -> str:
    """A comparison: its table and its bars."""
    from bentpipe.cli.compare import cells

    seeds = len(result.seeds)
    title = f"{result.runs[result.controllers[0]][0].name}: mean over {seeds} seed{'s' if seeds > 1 else ''}"
    return _whole(title, result.notes, *cells(result, result.controllers), result.plot())


def sky(one: Sky) -> str:
    """A constellation: its shells and a map of the start."""
    head = ("shell", "satellites", "planes", "km high", "inclination deg")
    shells = one.facts["shells"]
    rows = [
        [
            str(shell["name"]),
            str(shell["satellites"]),
            str(shell["planes"]),
            f"{shell['altitude_km']:.0f}",
            f"{shell['inclination_deg']:.1f}",
        ]
        for shell in shells[:_ROWS]
    ]
    lines = [f"{one.facts['satellites']} satellites; links between them: {one.facts['links']}", *one.notes]
    return _whole(one.name, lines, head, rows, plots.constellation(one, "0 s"))


def evaluation(result: Evaluation) -> str:
    """An evaluation: how it was judged, criterion by criterion."""
    from bentpipe._evaluate.evaluate import HEAD, Judgement

    # What was not met first: it is what a reader looks for.
    order = [Judgement.NOT_MET, Judgement.OPEN, Judgement.MET]
    answers = sorted(result.answers, key=lambda answer: order.index(answer.judgement))
    left = len(answers) - _ROWS
    lines = [
        result.summary(),
        result.tcp_line(),
        *([f"the table leaves out {left} that fared no worse"] if left > 0 else []),
    ]
    rows = (answer.cells() for answer in answers[:_ROWS])
    return _whole(result.controller, lines, HEAD, rows, _judgements(result))


@plots.styled
def _judgements(result: Evaluation) -> Figure:
    """A square for each criterion, in the order of the evaluation."""
    from bentpipe._evaluate.evaluate import Judgement

    colours = {Judgement.MET: plots.COLOURS[2], Judgement.OPEN: plots.COLOURS[4], Judgement.NOT_MET: plots.COLOURS[1]}
    count = len(result.answers)
    figure, (axis,) = plots.new(1, 1, height=2.2)
    for judgement, colour in colours.items():
        places = [place for place, answer in enumerate(result.answers) if answer.judgement is judgement]
        if not places:
            continue
        axis.bar(places, [1.0] * len(places), width=0.9, color=colour, label=f"{judgement} ({len(places)})")
    axis.set_xticks(range(count), [answer.name for answer in result.answers], rotation=90, fontsize="x-small")
    axis.set(xlim=(-0.6, count - 0.4), ylim=(0, 1))
    axis.set_yticks([])
    axis.grid(visible=False)
    axis.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, fontsize="small")
    return figure


def _whole(title: str, lines: Iterable[str], head: Sequence[str], rows: Iterable[Sequence[str]], figure: Figure) -> str:
    def row(cells: Iterable[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"

    said = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
    body = "".join(row(cells, "td") for cells in rows)
    return (
        f"<div><b>{html.escape(title)}</b><ul>{said}</ul><table>{row(head, 'th')}{body}</table>"
        f'<img alt="{html.escape(title)}" src="data:image/png;base64,{_picture(figure)}"/></div>'
    )


@plots.styled
def _picture(figure: Figure) -> str:
    data = io.BytesIO()
    figure.set_dpi(_DPI)
    figure.savefig(data, format="png", dpi=_DPI)
    return base64.b64encode(data.getvalue()).decode("ascii")
