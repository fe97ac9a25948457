# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which papers there are, and finding one and its rows by name."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from bentpipe._errors import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe.papers._paper import Paper, Row


def papers() -> tuple[Paper, ...]:
    """All papers, and what crosses them, in the order of the report."""
    from bentpipe.papers import a_liad, across, hybic, hybla_im, leo_study, vegas_w

    return tuple(module.PAPER for module in (hybla_im, leo_study, a_liad, vegas_w, hybic, across))


def choose(name: str, rows: Sequence[str] = ()) -> list[tuple[Paper, Sequence[Row]]]:
    """The rows asked for: of one paper, or of all (`name` is "all").

    Raises:
        ScenarioError: If there is no such paper or row; the message names the nearest.
    """
    shelf = {paper.name: paper for paper in papers()}
    if name == "all":
        chosen = [(paper, paper.rows) for paper in shelf.values()]
    elif name in shelf:
        chosen = [(shelf[name], shelf[name].rows)]
    else:
        raise ScenarioError("paper-unknown", f"there is no paper {name!r}{_nearest(name, [*shelf, 'all'])}")
    if not rows:
        return chosen
    known = {row.id: (paper, row) for paper, all_rows in chosen for row in all_rows}
    for wanted in rows:
        if wanted.upper() not in known:
            raise ScenarioError("row-unknown", f"{name} has no row {wanted!r}{_nearest(wanted.upper(), list(known))}")
    picked = {wanted.upper() for wanted in rows}
    return [(paper, [row for row in all_rows if row.id in picked]) for paper, all_rows in chosen]


def _nearest(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, 1, 0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; there are: {', '.join(known)}"
