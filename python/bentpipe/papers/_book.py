# SPDX-License-Identifier: MIT OR Apache-2.0
"""The report of a reproduction: a scoreboard, and a chapter for each paper, as pages that need no network."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe._page import line
from bentpipe._report import Page, write_text
from bentpipe.papers._claims import RULE, Verdict
from bentpipe.papers._runs import build
from bentpipe.papers._shelf import papers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bentpipe.papers._paper import Paper
    from bentpipe.papers._reproduce import Kept, Reproduction

CHANGED = (
    "Claims, tolerances and measures are to be fixed before a result is seen. Where that was not so, it stands here, "
    "with what the first form gave."
)
HEAD = ("row", "what", "paper", "measured", "verdict", "why")


def lines(paper: Paper, found: dict[str, Kept]) -> list[list[str]]:
    """The scoreboard of a paper: a line for each row, with the numbers of the claim that its verdict comes from."""
    rows = {row.id: row for row in paper.rows}
    printed = []
    for kept in found.values():
        row, claims = rows[kept.row], kept.claims
        if kept.failed:
            printed.append([row.id, row.what, row.says, "", "failed", kept.failed.strip().splitlines()[-1]])
            continue
        if not claims:
            printed.append([row.id, row.what, row.says, "", str(kept.verdict), kept.why])
            continue
        weak = [claim for claim in claims if claim.verdict == kept.verdict]
        what, claimed, measured, verdict, _ = weak[0].cells()
        whole = what if len(claims) == 1 else f"{row.what}: {what} ({len(weak)} of {len(claims)} claims are so)"
        printed.append([row.id, whole, claimed, measured, verdict, kept.why])
    return printed


def claim_lines(found: dict[str, Kept]) -> list[list[str]]:
    """A line for each claim of some rows, and one for a row that has none."""
    printed = []
    for kept in found.values():
        if not kept.claims:
            printed.append([kept.row, "", "", "", "failed" if kept.failed else str(kept.verdict), kept.why])
        for number, claim in enumerate(kept.claims):
            what, claimed, measured, verdict, note = claim.cells()
            why = "; ".join(filter(None, [kept.why if number == 0 else "", note]))
            printed.append([kept.row, what, claimed, measured, verdict, why])
    return printed


def tally(found: dict[str, Kept]) -> list[str]:
    """How many rows of a paper have each verdict, in the order of `Verdict`."""
    verdicts = [kept.verdict for kept in found.values() if not kept.failed]
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


def write(result: Reproduction, out: Path, rows: Sequence[str] = ()) -> Path:
    """Write what a reproduction says; returns the page to open.

    Of all papers: ``index.html``, a page per paper and ``scoreboard.json``. Of one paper: its page. Of some rows
    (`rows` names them): ``rows.html``, so that nothing whole is overwritten by a part of it.

    Raises:
        RunError: If a file cannot be written.
    """
    shelf = {paper.name: paper for paper in papers()}
    effort = _effort(result)
    found = {name: rows_of for name, rows_of in result.found.items() if rows_of}
    if rows:
        page = Page(f"Rows {', '.join(rows)}", effort)
        for name, rows_of in found.items():
            page.heading(shelf[name].title)
            _rows(page, shelf[name], rows_of)
        return page.write(out / "rows.html")
    pages = [chapter(shelf[name], found[name], effort).write(out / f"{name}.html") for name in found]
    if set(found) < set(shelf):
        return pages[0]
    index = Page("Five papers, measured again", effort)
    index.text(RULE)
    counts = [[shelf[name].title, f"{len(rows_of)}", *tally(rows_of)] for name, rows_of in found.items()]
    index.table(("paper", "rows", *(str(verdict) for verdict in Verdict)), counts)
    rows_of_all = [kept for rows_of in found.values() for kept in rows_of.values()]
    index.text(f"{checks([(kept.verdict, [claim.check for claim in kept.claims]) for kept in rows_of_all])}.")
    scoreboard = found["across"].get("X-04")
    for drawing in scoreboard.drawings if scoreboard else ():
        index.drawing(drawing.svg, drawing.caption)
    for name, rows_of in found.items():
        index.heading(shelf[name].title, link=f"{name}.html")
        index.table(HEAD, lines(shelf[name], rows_of), link=f"{name}.html")
    write_text(out / "scoreboard.json", json.dumps(_record(result), ensure_ascii=False, indent=1) + "\n")
    return index.write(out / "index.html")


def _effort(result: Reproduction) -> str:
    quick = ", a first look (quick)" if result.effort.quick else ""
    made = f"Bentpipe {bp.__version__}, build {build()[:12]}"
    return f"{len(result.effort.seeds)} seeds{quick}; means with 95 % intervals. {made}."


def _record(result: Reproduction) -> dict[str, object]:
    """The scoreboard for programs."""
    rows = [
        {"paper": name, "row": kept.row, "verdict": "failed" if kept.failed else str(kept.verdict), "why": kept.why}
        | {"runs": kept.runs, "failed": kept.failed}
        | {
            "claims": [
                {**asdict(claim), "verdict": str(claim.verdict), "measured_verdict": str(claim.measured_verdict)}
                for claim in kept.claims
            ]
        }
        for name, found in result.found.items()
        for kept in found.values()
    ]
    return {
        "bentpipe_version": bp.__version__,
        "build": build(),
        "seeds": list(result.effort.seeds),
        "quick": result.effort.quick,
        "rule": RULE,
        "rows": rows,
    }


def markdown(result: Reproduction, command: str) -> str:
    """The scoreboard as Markdown: how many rows have each verdict, then every claim."""
    shelf = {paper.name: paper for paper in papers()}
    parts = [f"Written by `{command}`: {len(result.effort.seeds)} seeds, Bentpipe {bp.__version__}.", RULE]
    counts = [[shelf[name].title, str(len(found)), *tally(found)] for name, found in result.found.items() if found]
    sums = [sum(int(cells[column]) for cells in counts) for column in range(1, len(Verdict) + 2)]
    head = ["paper", "rows", *(str(verdict) for verdict in Verdict)]
    parts.append(_markdown_table(head, [*counts, ["all", *map(str, sums)]]))
    for name, found in result.found.items():
        if found:
            parts += [f"### {shelf[name].title}", _markdown_table(HEAD, lines(shelf[name], found))]
    return "\n\n".join(parts) + "\n"


def _markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join([line(head), line(["---"] * len(head)), *map(line, rows)])


def chapter(paper: Paper, found: dict[str, Kept], effort: str) -> Page:
    """A paper's chapter: its parameters, and every row with claims, tables, figures and readings."""
    page = Page(paper.title, f"Measured again: {effort}")
    page.text(paper.about)
    page.heading("Scoreboard")
    page.table(HEAD, lines(paper, found), link="")
    page.text(RULE)
    if paper.given:
        page.heading("What the paper gives")
        page.table(("parameter", "value", "place"), paper.given)
    if paper.chosen:
        page.heading("What the paper does not give, and what we chose")
        page.table(("parameter", "value", "reason"), paper.chosen)
    if paper.changed:
        page.heading("What was changed after a first look at results")
        page.text(CHANGED)
        page.bullets(paper.changed)
    _rows(page, paper, found)
    return page


def _rows(page: Page, paper: Paper, found: dict[str, Kept]) -> None:
    """Every row with claims, tables, figures and readings."""
    for row in paper.rows:
        kept = found.get(row.id)
        if kept is None:
            continue
        page.heading(f"{row.id}: {row.what}", anchor=row.id)
        page.text(f"{row.place}. The paper: {row.says}")
        if kept.failed:
            page.code(kept.failed, "This row failed")
            continue
        if kept.claims:
            page.table(("claim", "paper", "measured", "verdict", "note"), (claim.cells() for claim in kept.claims))
        page.text(f"{str(kept.verdict).capitalize()}: {kept.why}")
        for sheet in kept.sheets:
            page.caption(sheet.title)
            page.table(sheet.head, sheet.rows)
        for drawing in kept.drawings:
            page.drawing(drawing.svg, drawing.caption)
        if kept.notes:
            page.bullets(kept.notes)
        if kept.scenario:
            page.code(kept.scenario, f"{kept.runs} runs; the first of their scenarios")
