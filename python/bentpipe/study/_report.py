# SPDX-License-Identifier: MIT OR Apache-2.0
"""The report of a reproduction: a scoreboard, and a chapter for each study, as pages that need no network."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe._page import line
from bentpipe._report import Page, write_text
from bentpipe.study._claims import RULE, Verdict
from bentpipe.study._runs import build

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bentpipe.study._reproduce import Outcome, Reproduction
    from bentpipe.study._study import Effort, Study

CHANGED = (
    "Claims, tolerances and measures are to be fixed before a result is seen. Where that was not so, it stands here, "
    "with what the first form gave."
)
CURVES = (
    "The effect of a claim in every combination of what the paper leaves open, sorted, with 95 % intervals (above), "
    "and which reading of each choice it has (below). A share is the part of the variance over the combinations that a "
    "choice explains by itself."
)
HEAD = ("row", "what", "paper", "measured", "verdict", "why")


def lines(study: Study, found: dict[str, Outcome]) -> list[list[str]]:
    """The scoreboard of a study: a line for each row, with the numbers of the claim that its verdict comes from."""
    rows = {row.id: row for row in study.rows}
    printed = []
    for outcome in found.values():
        row, claims = rows[outcome.row], outcome.claims
        if outcome.failed:
            printed.append([row.id, row.what, row.says, "", "failed", outcome.failed.strip().splitlines()[-1]])
            continue
        if not claims:
            printed.append([row.id, row.what, row.says, "", str(outcome.verdict), outcome.why])
            continue
        weak = [claim for claim in claims if claim.verdict == outcome.verdict]
        what, claimed, measured, verdict, _ = weak[0].cells()
        whole = what if len(claims) == 1 else f"{row.what}: {what} ({len(weak)} of {len(claims)} claims are so)"
        printed.append([row.id, whole, claimed, measured, verdict, outcome.why])
    return printed


def claim_lines(found: dict[str, Outcome]) -> list[list[str]]:
    """A line for each claim of some rows, and one for a row that has none."""
    printed = []
    for outcome in found.values():
        if not outcome.claims:
            printed.append([outcome.row, "", "", "", "failed" if outcome.failed else str(outcome.verdict), outcome.why])
        for number, claim in enumerate(outcome.claims):
            what, claimed, measured, verdict, note = claim.cells()
            why = "; ".join(filter(None, [outcome.why if number == 0 else "", note]))
            printed.append([outcome.row, what, claimed, measured, verdict, why])
    return printed


def tally(found: dict[str, Outcome]) -> list[str]:
    """How many rows of a study have each verdict, in the order of `Verdict`."""
    verdicts = [outcome.verdict for outcome in found.values() if not outcome.failed]
    return [str(verdicts.count(verdict)) for verdict in Verdict]


def checks(rows: Sequence[tuple[str, Sequence[bool]]]) -> str:
    """How much rests on checks, in words: of each row its verdict, and whether each of its claims is one."""
    claims = [check for _, of_row in rows for check in of_row]
    reproduced = [of_row for verdict, of_row in rows if verdict == Verdict.REPRODUCED]
    return (
        f"{len(claims)} claims, {sum(claims)} of them checks that hold by construction (formulas, our own settings). A "
        f"row counts as its weakest claim; {sum(map(all, reproduced))} of the {len(reproduced)} rows that are "
        "reproduced have nothing but such checks"
    )


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
    by_name = {study.name: study for study in shelf}
    effort = _effort(result)
    found = {name: rows_of for name, rows_of in result.found.items() if rows_of}
    if rows:
        page = Page(f"Rows {', '.join(rows)}", effort)
        for name, rows_of in found.items():
            page.heading(by_name[name].title)
            _curves(page, _of(curves, name))
            _rows(page, by_name[name], rows_of)
        return page.write(out / "rows.html")
    pages = [
        chapter(by_name[name], found[name], effort, _of(curves, name)).write(out / f"{name}.html") for name in found
    ]
    if len(found) == 1 or set(found) < set(by_name):
        return pages[0]
    index = Page(f"{len(found)} studies, measured again", effort)
    index.text(RULE)
    counts = [[by_name[name].title, f"{len(rows_of)}", *tally(rows_of)] for name, rows_of in found.items()]
    index.table(("study", "rows", *(str(verdict) for verdict in Verdict)), counts)
    rows_of_all = [outcome for rows_of in found.values() for outcome in rows_of.values()]
    index.text(f"{checks([(outcome.verdict, [claim.check for claim in outcome.claims]) for outcome in rows_of_all])}.")
    last = [rows_of[row.id] for name, rows_of in found.items() for row in by_name[name].rows if row.last]
    for drawing in (drawing for outcome in last for drawing in outcome.drawings):
        index.drawing(drawing.svg, drawing.caption)
    for name, rows_of in found.items():
        index.heading(by_name[name].title, link=f"{name}.html")
        index.table(HEAD, lines(by_name[name], rows_of), link=f"{name}.html")
    write_text(out / "scoreboard.json", json.dumps(_record(result), ensure_ascii=False, indent=1) + "\n")
    return index.write(out / "index.html")


def _effort(result: Reproduction) -> str:
    quick = ", a first look (quick)" if result.effort.quick else ""
    made = f"Bentpipe {bp.__version__}, build {build()[:12]}"
    return f"{seeds(result.effort)}{quick}; means with 95 % intervals. {made}."


def seeds(effort: Effort) -> str:
    """How many seeds, in words."""
    steps = [str(len(step.seeds)) for step in effort.steps()]
    if len(steps) == 1:
        return f"{steps[0]} seeds"
    return f"{', '.join(steps[:-1])} or {steps[-1]} seeds, as many as it takes"


def _record(result: Reproduction) -> dict[str, object]:
    """The scoreboard for programs."""
    rows = [
        {
            "study": name,
            "row": outcome.row,
            "verdict": "failed" if outcome.failed else str(outcome.verdict),
            "why": outcome.why,
        }
        | {"runs": outcome.runs, "seeds": outcome.seeds, "confirmed": outcome.confirmed, "failed": outcome.failed}
        | {
            "claims": [
                {**asdict(claim), "verdict": str(claim.verdict), "measured_verdict": str(claim.measured_verdict)}
                for claim in outcome.claims
            ]
        }
        for name, found in result.found.items()
        for outcome in found.values()
    ]
    return {
        "bentpipe_version": bp.__version__,
        "build": build(),
        "seeds": list(result.effort.seeds),
        "looks": [len(step.seeds) for step in result.effort.steps()],
        "quick": result.effort.quick,
        "rule": RULE,
        "rows": rows,
    }


def markdown(result: Reproduction, command: str, shelf: Sequence[Study]) -> str:
    """The scoreboard as Markdown: how many rows have each verdict, then every claim."""
    studies = {study.name: study for study in shelf}
    parts = [f"Written by `{command}`: {seeds(result.effort)}, Bentpipe {bp.__version__}.", RULE]
    counts = [[studies[name].title, str(len(found)), *tally(found)] for name, found in result.found.items() if found]
    sums = [sum(int(cells[column]) for cells in counts) for column in range(1, len(Verdict) + 2)]
    head = ["paper", "rows", *(str(verdict) for verdict in Verdict)]
    parts.append(markdown_table(head, [*counts, ["all", *map(str, sums)]]))
    for name, found in result.found.items():
        if found:
            parts += [f"### {studies[name].title}", markdown_table(HEAD, lines(studies[name], found))]
    return "\n\n".join(parts) + "\n"


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, text_columns: int | None = None) -> str:
    """A table as Markdown; columns after the first `text_columns` are numbers and stand on the right."""
    left = len(head) if text_columns is None else text_columns
    return "\n".join([line(head), line(["---"] * left + ["---:"] * (len(head) - left)), *map(line, rows)])


def _of(curves: Reproduction | None, name: str) -> Sequence[Outcome]:
    return tuple(curves.found.get(name, {}).values()) if curves is not None else ()


def chapter(study: Study, found: dict[str, Outcome], effort: str, curves: Sequence[Outcome] = ()) -> Page:
    """A study's chapter: its parameters, and every row with claims, tables, figures and readings."""
    page = Page(study.title, f"Measured again: {effort}")
    page.text(study.about)
    page.heading("Scoreboard")
    page.table(HEAD, lines(study, found), link="")
    page.text(RULE)
    _curves(page, curves)
    if study.given:
        page.heading("What the paper gives")
        page.table(("parameter", "value", "place"), study.given)
    if study.chosen:
        page.heading("What the paper does not give, and what we chose" if study.given else "What was chosen")
        page.table(("parameter", "value", "reason"), study.chosen)
    if study.changed:
        page.heading("What was changed after a first look at results")
        page.text(CHANGED)
        page.bullets(f"{change.what} Moved the verdict: {change.moved}." for change in study.changes)
    _rows(page, study, found)
    return page


def _curves(page: Page, curves: Sequence[Outcome]) -> None:
    """The specification curves: pictures first, what they are made of behind them."""
    if curves:
        page.heading("Specification curves")
        page.text(CURVES)
    for outcome in curves:
        page.caption(outcome.row)
        if outcome.failed:
            page.code(outcome.failed, "This curve failed")
            continue
        page.text(f"{outcome.why[:1].upper()}{outcome.why[1:]}.")
        for drawing in outcome.drawings:
            page.drawing(drawing.svg, drawing.caption)
        for sheet in outcome.sheets:
            page.caption(sheet.title)
            page.table(sheet.head, sheet.rows)


def _rows(page: Page, study: Study, found: dict[str, Outcome]) -> None:
    """Every row with claims, tables, figures and readings."""
    for row in study.rows:
        outcome = found.get(row.id)
        if outcome is None:
            continue
        page.heading(f"{row.id}: {row.what}", anchor=row.id)
        page.text(f"{row.place}. {'The paper' if study.given else 'What is claimed'}: {row.says}")
        if outcome.failed:
            page.code(outcome.failed, "This row failed")
            continue
        if outcome.claims:
            page.table(("claim", "paper", "measured", "verdict", "note"), (claim.cells() for claim in outcome.claims))
        page.text(f"{str(outcome.verdict).capitalize()}: {outcome.why}")
        for sheet in outcome.sheets:
            page.caption(sheet.title)
            page.table(sheet.head, sheet.rows)
        for drawing in outcome.drawings:
            page.drawing(drawing.svg, drawing.caption)
        if outcome.notes:
            page.bullets(outcome.notes)
        if outcome.scenario:
            page.code(outcome.scenario, f"{outcome.runs} runs; the first of their scenarios")
