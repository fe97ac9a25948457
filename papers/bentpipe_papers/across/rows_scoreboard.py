# SPDX-License-Identifier: MIT OR Apache-2.0
"""X-04: the verdicts of all papers on one page."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from bentpipe import plots
from bentpipe.study import Finding, Picture, Row, Sheet, Verdict, claim_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.figure import Figure

    from bentpipe.study import Runs, Study

#: Green, yellow, red as in the pages, in tones that colour-blind readers tell apart.
COLOURS = {
    Verdict.REPRODUCED: "#009e73",
    Verdict.IN_A_READING: "#56b4e9",
    Verdict.DIRECTION_ONLY: "#e69f00",
    Verdict.UNDECIDED: "#8f959e",
    Verdict.NOT_REPRODUCED: "#d55e00",
    Verdict.INCONSISTENT: "#cc79a7",
}


class Told(NamedTuple):
    """Verdicts on the rows and on the claims of each paper, by the name of its study: what every count is made from."""

    rows: dict[str, list[Verdict]]
    claims: dict[str, list[Verdict]]


def told(shelf: Sequence[Study], said: Iterable[tuple[str, str, Iterable[str]]]) -> Told:
    """The verdicts on rows and claims of some studies, from (study, verdict of a row, verdicts of its claims)."""
    found = Told({study.name: [] for study in shelf}, {study.name: [] for study in shelf})
    for study, verdict, claims in said:
        if study in found.rows:
            found.rows[study].append(Verdict(verdict))
            found.claims[study] += map(Verdict, claims)
    return found


def papers(studies: Iterable[Study]) -> list[Study]:
    """All but this one: rows across the papers claim nothing."""
    return [study for study in studies if study.name != "across"]


def read(runs: Runs) -> Finding:
    shelf, said = papers(runs.studies), runs.outcomes
    found = {study.name: {row.id: said[row.id] for row in study.rows if row.id in said} for study in shelf}
    verdicts, of_claims = told(
        shelf,
        (
            (name, outcome.verdict, [claim.verdict for claim in outcome.claims])
            for name, rows_of in found.items()
            for outcome in rows_of.values()
        ),
    )
    rows = {name: Counter(seen) for name, seen in verdicts.items()}
    claims = {name: Counter(seen) for name, seen in of_claims.items()}
    missing = {study.name: [row.id for row in study.rows if row.id not in said] for study in shelf}
    return Finding(
        why=why(rows, claims, missing),
        sheets=[
            table("rows by verdict", shelf, rows, missing),
            table("claims by verdict", shelf, claims, missing),
            *(claims_sheet(study, claim_lines(found[study.name])) for study in shelf if found[study.name]),
        ],
        pictures=[Picture("Rows of each paper by verdict; claims below", drawn(shelf, verdicts, of_claims))]
        if said
        else [],
        notes=[
            f"{study.title}: not there yet: {', '.join(missing[study.name])} (bentpipe reproduce {study.name})"
            for study in shelf
            if missing[study.name]
        ],
    )


#: What is counted: a row that claims nothing is not.
COUNTED = tuple(verdict for verdict in Verdict if verdict is not Verdict.NO_CLAIM)


def claiming(counts: Mapping[Verdict, int]) -> int:
    """How many there are that claim something."""
    return sum(counts[verdict] for verdict in COUNTED)


def table(
    title: str,
    shelf: Sequence[Study],
    counts: Mapping[str, Counter[Verdict]],
    missing: Mapping[str, Sequence[str]],
) -> Sheet:
    head = ["paper", *(str(verdict) for verdict in COUNTED), "all that claim", "rows not there"]
    body = []
    for study in (*shelf, None):
        row = whole(counts) if study is None else counts[study.name]
        absent = sum(map(len, missing.values())) if study is None else len(missing[study.name])
        cells = (*(row[verdict] for verdict in COUNTED), claiming(row), absent)
        body.append(["all" if study is None else study.name, *map(str, cells)])
    return Sheet(title, head, body)


def whole(counts: Mapping[str, Counter[Verdict]]) -> Counter[Verdict]:
    """All papers together."""
    return sum(counts.values(), Counter())


def claims_sheet(study: Study, printed: Sequence[Sequence[str]]) -> Sheet:
    head = ("row", "claim", "paper", "measured", "verdict")
    return Sheet(f"{study.name}: {study.title}", head, [line[:5] for line in printed])


def why(
    rows: Mapping[str, Counter[Verdict]],
    claims: Mapping[str, Counter[Verdict]],
    missing: Mapping[str, Sequence[str]],
) -> str:
    def words(counts: Mapping[str, Counter[Verdict]], what: str) -> str:
        together = whole(counts)
        each = ", ".join(f"{together[verdict]} {verdict}" for verdict in COUNTED if together[verdict])
        return f"{claiming(together)} {what} ({each})" if each else f"no {what}"

    absent = sum(len(ids) for ids in missing.values())
    tail = f"; {absent} rows are not made yet with this effort and build" if absent else ""
    return f"counts, no claim: {words(rows, 'rows with a claim')}, {words(claims, 'claims')}{tail}"


@plots.styled
def drawn(
    shelf: Sequence[Study], rows: Mapping[str, Sequence[Verdict]], claims: Mapping[str, Sequence[Verdict]]
) -> Figure:
    """Verdicts on the rows and on the claims of each paper, as bars."""
    figure, axes = plots.new(2, 1, width=9.0, height=0.38 * len(shelf) + 0.6)
    for axis, (what, verdicts) in zip(axes, (("rows", rows), ("claims", claims)), strict=True):
        left = [0] * len(shelf)
        for verdict in COUNTED:
            widths = [verdicts[study.name].count(verdict) for study in shelf]
            drawn = axis.barh(range(len(shelf)), widths, left=left, color=COLOURS[verdict], label=str(verdict))
            texts = [str(width) if width else "" for width in widths]
            axis.bar_label(drawn, labels=texts, label_type="center", fontsize="small")
            left = [a + b for a, b in zip(left, widths, strict=True)]
        axis.set_yticks(range(len(shelf)), [study.name for study in shelf])
        axis.invert_yaxis()
        axis.grid(visible=False, axis="y")
        axis.set(xlabel=what, xlim=(0, None))
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=6, fontsize="small")
    return figure


ROWS = (
    Row(
        id="X-04",
        place="across the papers",
        what="the scoreboard: every row and claim with its verdict",
        says="five papers, measured again",
        read=read,
        last=True,
    ),
)
