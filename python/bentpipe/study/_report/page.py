# SPDX-License-Identifier: MIT OR Apache-2.0
"""The pages of a reproduction: an index, and a page for each study."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.files import write_text
from bentpipe.show.pages import page
from bentpipe.show.pages.page import Cell, Table
from bentpipe.study._claims import RULE
from bentpipe.study._report import scoreboard
from bentpipe.study._runs import build

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bentpipe.study._reproduce import Outcome, Reproduction
    from bentpipe.study._study import Choice, Study


def write(
    result: Reproduction,
    out: Path,
    shelf: Sequence[Study],
    rows: Sequence[str] = (),
    curves: Reproduction | None = None,
) -> Path:
    """Write what a reproduction says; returns the page to open.

    Of all studies of the `shelf`: ``index.html``, a page per study and ``scoreboard.json``. Of one study: its page. Of
    some rows (`rows` names them): ``rows.html``, so that nothing whole is overwritten by a part of it. Specification
    `curves` (`curve_rows`, reproduced) stand in the page of their study.

    Raises:
        RunError: If a file cannot be written.
    """
    effort = _effort(result)
    found = {name: rows_of for name, rows_of in result.found.items() if rows_of}
    studies = [study for name in found for study in shelf if study.name == name]
    drawn = curves.found if curves is not None else {}
    if rows:
        title = f"Rows {', '.join(rows)}"
        facts = {"studies": studies, "found": found, "curves": drawn}
        return page.write(out / "rows.html", "study_part.html", title=title, lead=effort, **facts)
    pages = [
        write_chapter(out / f"{study.name}.html", study, found[study.name], effort, drawn.get(study.name, {}))
        for study in studies
    ]
    if len(found) == 1 or set(found) < {study.name for study in shelf}:
        return pages[0]
    write_text(out / "scoreboard.json", json.dumps(scoreboard.record(result), ensure_ascii=False, indent=1) + "\n")
    return _write_index(out / "index.html", studies, found, effort)


def _write_index(file: Path, studies: Sequence[Study], found: dict[str, dict[str, Outcome]], effort: str) -> Path:
    of_all = [outcome for rows in found.values() for outcome in rows.values()]
    return page.write(
        file,
        "study_index.html",
        title=f"{len(found)} studies, measured again",
        lead=effort,
        studies=studies,
        found=found,
        first={one.name: _linked(*scoreboard.first_table(one, found[one.name]), f"{one.name}.html") for one in studies},
        counts=Table(scoreboard.HEAD_COUNTS, scoreboard.counts(studies, found)),
        checks=scoreboard.checks([(one.verdict, [claim.check for claim in one.claims]) for one in of_all]),
        rule=RULE,
        changes=Table(scoreboard.HEAD_CHANGES, scoreboard.changes(studies)),
    )


def write_chapter(
    file: Path, study: Study, found: dict[str, Outcome], effort: str, curves: dict[str, Outcome] | None = None
) -> Path:
    """Write a study's page: its parameters, and every row with claims, tables, figures and readings.

    Raises:
        RunError: If the file cannot be written.
    """
    every_row = scoreboard.lines(study, found) if scoreboard.has_headlines(found) else []
    head = ("choice", "main reading", "rests on", "other readings", "known before")
    return page.write(
        file,
        "study.html",
        lead=f"Measured again: {effort}",
        study=study,
        found=found,
        first=_linked(*scoreboard.first_table(study, found)),
        curves=list((curves or {}).values()),
        every_row=_linked(scoreboard.HEAD, every_row),
        rule=RULE,
        readings=Table(head, [_choice(one) for one in study.readings]),
        changes=Table(scoreboard.HEAD_CHANGES, scoreboard.changes([study])),
    )


def _effort(result: Reproduction) -> str:
    quick = ", a first look (quick)" if result.effort.quick else ""
    made = f"Bentpipe {_core.version()}, build {build()[:12]}"
    return f"{scoreboard.seeds(result.effort)}{quick}; means with 95 % intervals. {made}."


def _linked(head: Sequence[str], rows: Sequence[Sequence[str]], file: str = "") -> Table:
    """A table whose rows lead to their sections in a page, or in this one."""
    return Table(head, [[Cell(row[0], link=f"{file}#{row[0]}"), *row[1:]] for row in rows])


def _choice(choice: Choice) -> list[str]:
    others = "; ".join(f"{option.name} ({option.why})" for option in choice.options[1:])
    return [choice.name, f"{choice.main.name} ({choice.main.why})", choice.by, others, choice.known or "nothing"]
