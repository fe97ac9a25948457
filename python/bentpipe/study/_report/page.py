# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write the HTML pages of a reproduction: an index, and a page for each study."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.files import write_text
from bentpipe.show.pages import page
from bentpipe.show.pages.page import Cell, Drawing, Table
from bentpipe.show.pictures.strips import strips
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
) -> Path:
    """Write the report of a reproduction, and return the page to open.

    For all studies of the `shelf`, write ``index.html``, a page per study and ``scoreboard.json``. For one study, write
    its page. For some rows (`rows` names them), write ``rows.html``, so that a part does not overwrite a complete page.

    Raises:
        RunError: If a file cannot be written.
    """
    effort = _effort(result)
    found = {name: rows_of for name, rows_of in result.found.items() if rows_of}
    studies = [study for name in found for study in shelf if study.name == name]
    if rows:
        title = f"Rows {', '.join(rows)}"
        facts = {"studies": studies, "found": found, "curves": result.curves}
        return page.write(out / "rows.html", "study_part.html", title=title, lead=effort, **facts)
    pages = [
        write_chapter(out / f"{study.name}.html", study, found[study.name], effort, result.curves.get(study.name, {}))
        for study in studies
    ]
    if len(found) == 1 or set(found) < {study.name for study in shelf}:
        return pages[0]
    write_text(out / "scoreboard.json", json.dumps(scoreboard.record(result), ensure_ascii=False, indent=1) + "\n")
    return _write_index(out / "index.html", studies, found, effort)


def _write_index(file: Path, studies: Sequence[Study], found: dict[str, dict[str, Outcome]], effort: str) -> Path:
    of_all = {study.short or study.title: scoreboard.all_claims(found[study.name]) for study in studies}
    heads = {study.short or study.title: scoreboard.headlines(found[study.name]) for study in studies}
    return page.write(
        file,
        "study_index.html",
        title=f"{len(found)} studies, measured again",
        lead=effort,
        studies=studies,
        found=found,
        first={one.name: _linked(*scoreboard.first_table(one, found[one.name]), f"{one.name}.html") for one in studies},
        said={one.name: " ".join(scoreboard.summary(one, found[one.name])) for one in studies},
        strips={one.name: _strips(one, found[one.name]) for one in studies},
        heads=Table(scoreboard.head_counts(studies), scoreboard.counts(heads)),
        counts=Table(scoreboard.head_counts(studies), scoreboard.counts(of_all)),
        rule=scoreboard.rule(studies, found),
        changes=Table(scoreboard.HEAD_CHANGES, scoreboard.changes(studies)),
    )


def write_chapter(
    file: Path, study: Study, found: dict[str, Outcome], effort: str, curves: dict[str, Outcome] | None = None
) -> Path:
    """Write a study's page: its parameters, and every row with claims, tables, figures and readings.

    Raises:
        RunError: If the file cannot be written.
    """
    head = ("choice", "main reading", "source", "other readings", "known before")
    return page.write(
        file,
        "study.html",
        lead=f"{'Measured' if study.own else 'Measured again'}: {effort}",
        study=study,
        found=found,
        first=_linked(*scoreboard.first_table(study, found)),
        said=" ".join(scoreboard.summary(study, found)),
        strips=_strips(study, found),
        curves=list((curves or {}).values()),
        together=Table(*scoreboard.together(found)),
        best=scoreboard.best_together(found),
        rule=scoreboard.rule([study], {study.name: found}),
        readings=Table(head, [_choice(one) for one in study.readings]),
        changes=Table(scoreboard.HEAD_CHANGES, scoreboard.changes([study])),
    )


def _effort(result: Reproduction) -> str:
    quick = ", a first look (quick)" if result.effort.quick else ""
    made = f"Bentpipe {_core.version()}, build {build()[:12]}"
    seeds = scoreboard.effort(result)
    return f"{seeds}{quick}; means with {'intervals' if '%' in seeds else '95 % intervals'}. {made}."


def _linked(head: Sequence[str], rows: Sequence[Sequence[str]], file: str = "") -> Table:
    """Return a table with links from claims to the sections of their rows, in the page `file` or in the same page."""
    return Table(head, [[Cell(row[0], link=f"{file}#{row[0].partition('.')[0]}"), *row[1:]] for row in rows])


def _strips(study: Study, found: dict[str, Outcome]) -> Drawing | None:
    """Return the strips of the headline claims; None without a claim."""
    claims = scoreboard.headlines(found)
    return page.drawn(strips(claims, own=study.own), scoreboard.STRIPS) if claims else None


def _choice(choice: Choice) -> list[str]:
    others = "; ".join(f"{option.name} ({option.why})" for option in choice.options[1:])
    return [choice.name, f"{choice.main.name} ({choice.main.why})", choice.by, others, choice.known or "nothing"]
