# SPDX-License-Identifier: MIT OR Apache-2.0
"""The scoreboard of a reproduction: its rows as texts, as Markdown, and for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.markdown import table
from bentpipe.study._claims import RULE, Verdict
from bentpipe.study._runs import build
from bentpipe.study._study import Moved

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bentpipe.study._reproduce import Outcome, Reproduction
    from bentpipe.study._study import Effort, Study

#: The column of the first screen that is there only where the paper's own tool was run.
TOOL = "the paper's own tool"
#: The first screen of a paper.
HEAD_FIRST = (
    *("row", "claim", "paper", "ours, main reading"),
    *("range over readings", TOOL, "the settings that decide", "verdict"),
)
HEAD_COUNTS = ("paper", "rows with a claim", *(str(verdict) for verdict in Verdict))
HEAD_CHANGES = ("paper", "changes", *(str(moved) for moved in Moved))
HEAD = ("row", "what", "paper", "measured", "verdict", "why")


def first_table(study: Study, found: dict[str, Outcome]) -> tuple[list[str], list[list[str]]]:
    """Head and lines of the first screen: headline claims in the paper's words; without them the rows that claim.

    The column of the paper's tool is left out where the tool was not run.
    """
    printed = [
        [
            *(outcome.row, _quoted(claim.headline), claim.claimed(), claim.ours()),
            *(claim.ranged(), claim.in_tool(), claim.decides, str(claim.verdict)),
        ]
        for outcome in found.values()
        for claim in outcome.claims
        if claim.headline
    ]
    if not printed:
        rows = lines(study, found)
        claiming = [cells for cells in rows if cells[4] != Verdict.NO_CLAIM]
        printed = [[*cells[:4], "", "", "", cells[4]] for cells in claiming or rows]
    shown = [place for place, name in enumerate(HEAD_FIRST) if name != TOOL or any(cells[place] for cells in printed)]
    return [HEAD_FIRST[place] for place in shown], [[cells[place] for place in shown] for cells in printed]


def _quoted(words: str) -> str:
    """The paper's words in quotation marks, which they may have already around a part."""
    return words if "“" in words else f"“{words}”"


def has_headlines(found: dict[str, Outcome]) -> bool:
    """Whether a study has claims for its first screen."""
    return any(claim.headline for outcome in found.values() for claim in outcome.claims)


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


def counts(studies: Sequence[Study], found: dict[str, dict[str, Outcome]]) -> list[list[str]]:
    """How many rows of each study make a claim and have each verdict, and of all of them if there are several."""
    body = []
    for study in studies:
        told = tally(found[study.name])
        claiming = len(found[study.name]) - int(told[-1])
        body.append([study.short or study.title, str(claiming), *told])
    return [*body, *_sums(body)]


def changes(studies: Sequence[Study]) -> list[list[str]]:
    """How many changes of each study moved verdicts where, and of all of them if there are several."""
    body = []
    for study in studies:
        moved = [change.moved for change in study.changes]
        body.append([study.short or study.title, str(len(moved)), *(str(moved.count(one)) for one in Moved)])
    return [*body, *_sums(body)]


def _sums(body: Sequence[Sequence[str]]) -> list[list[str]]:
    if len(body) < 2:
        return []
    return [["all", *(str(sum(int(cells[column]) for cells in body)) for column in range(1, len(body[0])))]]


def checks(rows: Sequence[tuple[str, Sequence[bool]]]) -> str:
    """How much rests on checks, in words: of each row its verdict, and whether each of its claims is one."""
    claims = [check for _, of_row in rows for check in of_row]
    reproduced = [of_row for verdict, of_row in rows if verdict == Verdict.REPRODUCED]
    return (
        f"{len(claims)} claims, {sum(claims)} of them checks that hold by construction (formulas, our own settings). A "
        f"row counts as its weakest claim; {sum(map(all, reproduced))} of the {len(reproduced)} rows that are "
        "reproduced have nothing but such checks"
    )


def seeds(effort: Effort) -> str:
    """How many seeds, in words."""
    steps = [str(len(step.seeds)) for step in effort.steps()]
    if len(steps) == 1:
        return f"{steps[0]} seeds"
    return f"{', '.join(steps[:-1])} or {steps[-1]} seeds, as many as it takes"


def record(result: Reproduction) -> dict[str, object]:
    """The scoreboard for programs."""
    rows = [
        {
            "study": name,
            "row": outcome.row,
            "verdict": "failed" if outcome.failed else str(outcome.verdict),
            "why": outcome.why,
            "runs": outcome.runs,
            "seeds": outcome.seeds,
            "confirmed": outcome.confirmed,
            "failed": outcome.failed,
            "claims": [
                {**asdict(claim), "verdict": str(claim.verdict), "measured_verdict": str(claim.measured_verdict)}
                for claim in outcome.claims
            ],
        }
        for name, found in result.found.items()
        for outcome in found.values()
    ]
    return {
        "bentpipe_version": _core.version(),
        "build": build(),
        "seeds": list(result.effort.seeds),
        "effort": seeds(result.effort),
        "quick": result.effort.quick,
        "rule": RULE,
        "rows": rows,
    }


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
        parts += [f"## {study.title}", table(*first_table(study, found[study.name]))]
        drawn = curves.found.get(study.name, {}) if curves is not None else {}
        parts += _curve_lines(drawn.values(), (pictures or {}).get(study.name, ""))
    parts += ["## Rows by verdict", table(HEAD_COUNTS, counts(studies, found), text_columns=1), RULE]
    if any(study.changed for study in studies):
        title = "## Changes after a first look, by where they moved the verdict"
        parts += [title, table(HEAD_CHANGES, changes(studies), text_columns=1)]
    parts += ["## Every row", "Of a row with several claims the first of the weakest is shown."]
    for study in studies:
        parts += [f"### {study.title}", table(HEAD, lines(study, found[study.name]))]
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
