# SPDX-License-Identifier: MIT OR Apache-2.0
"""The scoreboard of a reproduction as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.markdown import line
from bentpipe.study._claims import RULE
from bentpipe.study._report.scoreboard import (
    HEAD,
    HEAD_CHANGES,
    HEAD_COUNTS,
    changes,
    counts,
    first_table,
    lines,
    seeds,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bentpipe.study._reproduce import Outcome, Reproduction
    from bentpipe.study._study import Study


def markdown(
    result: Reproduction,
    command: str,
    shelf: Sequence[Study],
    curves: Reproduction | None = None,
    pictures: Mapping[str, str] | None = None,
) -> str:
    """The report's front as Markdown, a table for each study, then what is counted, then every row.

    Args:
        result: What was reproduced.
        command: By which command.
        shelf: The studies among which those of `result` are.
        curves: Their specification curves.
        pictures: Of a study (by name) the address of a picture of its curves.
    """
    found = {name: rows_of for name, rows_of in result.found.items() if rows_of}
    by_name = {study.name: study for study in shelf}
    studies = [by_name[name] for name in found]
    parts = [f"Written by `{command}`: {seeds(result.effort)}, Bentpipe {_core.version()}."]
    for study in studies:
        parts += [f"## {study.title}", markdown_table(*first_table(study, found[study.name]))]
        drawn = curves.found.get(study.name, {}) if curves is not None else {}
        parts += _curve_lines(drawn.values(), (pictures or {}).get(study.name, ""))
    parts += ["## Rows by verdict", markdown_table(HEAD_COUNTS, counts(studies, found), text_columns=1), RULE]
    if any(study.changed for study in studies):
        title = "## Changes after a first look, by where they moved the verdict"
        parts += [title, markdown_table(HEAD_CHANGES, changes(studies), text_columns=1)]
    parts += ["## Every row", "Of a row with several claims the first of the weakest is shown."]
    for study in studies:
        parts += [f"### {study.title}", markdown_table(HEAD, lines(study, found[study.name]))]
    return "\n\n".join(parts) + "\n"


def _curve_lines(curves: Iterable[Outcome], picture: str) -> list[str]:
    """What decides each claim of a study, over all combinations of its readings: the picture and a line for each."""
    said = "\n".join(f"- {outcome.row.partition('-curve')[0]}: {outcome.why}." for outcome in curves)
    if not said:
        return []
    drawn = [f"![Each claim over all combinations of its readings, sorted by effect]({picture})"] if picture else []
    return [
        "What decides, over combinations of all that is left open (three seeds each):",
        *drawn,
        said,
    ]


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, text_columns: int | None = None) -> str:
    """A table as Markdown; columns after the first `text_columns` are numbers and stand on the right."""
    left = len(head) if text_columns is None else text_columns
    return "\n".join([line(head), line(["---"] * left + ["---:"] * (len(head) - left)), *map(line, rows)])
