# SPDX-License-Identifier: MIT OR Apache-2.0
"""X-04: the verdicts of all papers on one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe import plots
from bentpipe.papers._claims import Verdict
from bentpipe.papers._paper import Finding, Picture, Row, Sheet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from bentpipe.papers._paper import Paper
    from bentpipe.papers._runs import Runs

#: Green, yellow, red as in the pages, in tones that colour-blind readers tell apart.
_COLOURS = {
    Verdict.REPRODUCED: "#009e73",
    Verdict.DIRECTION_ONLY: "#e69f00",
    Verdict.NOT_REPRODUCED: "#d55e00",
    Verdict.INCONSISTENT: "#cc79a7",
    Verdict.NOT_TESTABLE: "#b5b9c0",
}


def counted(verdicts: Sequence[Verdict]) -> dict[Verdict, int]:
    """How often each verdict stands, in the order of `Verdict`."""
    return {verdict: verdicts.count(verdict) for verdict in Verdict}


def _read(runs: Runs) -> Finding:
    from bentpipe.papers._book import claim_lines
    from bentpipe.papers._shelf import papers

    shelf = [paper for paper in papers() if paper.name != "across"]
    found = {paper.name: {row.id: runs.kept[row.id] for row in paper.rows if row.id in runs.kept} for paper in shelf}
    verdicts = {name: [kept.verdict for kept in rows_of.values()] for name, rows_of in found.items()}
    of_claims = {
        name: [claim.verdict for kept in rows_of.values() for claim in kept.claims] for name, rows_of in found.items()
    }
    rows = {name: counted(seen) for name, seen in verdicts.items()}
    claims = {name: counted(seen) for name, seen in of_claims.items()}
    missing = {paper.name: [row.id for row in paper.rows if row.id not in runs.kept] for paper in shelf}
    return Finding(
        why=_why(rows, claims, missing),
        sheets=[
            _table("rows by verdict", shelf, rows, missing),
            _table("claims by verdict", shelf, claims, missing),
            *(_claims(paper, claim_lines(found[paper.name])) for paper in shelf if found[paper.name]),
        ],
        pictures=[Picture("Rows of each paper by verdict; claims below", drawn(shelf, verdicts, of_claims))]
        if runs.kept
        else [],
        notes=[
            f"{paper.title}: not there yet: {', '.join(missing[paper.name])} (bentpipe reproduce {paper.name})"
            for paper in shelf
            if missing[paper.name]
        ],
    )


def _table(
    title: str,
    shelf: Sequence[Paper],
    counts: Mapping[str, Mapping[Verdict, int]],
    missing: Mapping[str, Sequence[str]],
) -> Sheet:
    head = ["paper", *(str(verdict) for verdict in Verdict), "all", "rows not there"]
    body = []
    for paper in shelf:
        row = counts[paper.name]
        body.append([paper.name, *map(str, (*row.values(), sum(row.values()), len(missing[paper.name])))])
    whole = [sum(counts[paper.name][verdict] for paper in shelf) for verdict in Verdict]
    absent = sum(len(ids) for ids in missing.values())
    body.append(["all", *(str(number) for number in whole), str(sum(whole)), str(absent)])
    return Sheet(title, head, body)


def _claims(paper: Paper, printed: Sequence[Sequence[str]]) -> Sheet:
    head = ("row", "claim", "paper", "measured", "verdict")
    return Sheet(f"{paper.name}: {paper.title}", head, [line[:5] for line in printed])


def _why(
    rows: Mapping[str, Mapping[Verdict, int]],
    claims: Mapping[str, Mapping[Verdict, int]],
    missing: Mapping[str, Sequence[str]],
) -> str:
    def words(counts: Mapping[str, Mapping[Verdict, int]], what: str) -> str:
        whole = {verdict: sum(one[verdict] for one in counts.values()) for verdict in Verdict}
        each = ", ".join(f"{number} {verdict}" for verdict, number in whole.items() if number)
        return f"{sum(whole.values())} {what} ({each})" if each else f"no {what}"

    absent = sum(len(ids) for ids in missing.values())
    tail = f"; {absent} rows are not made yet with this effort and build" if absent else ""
    return f"counts, no claim: {words(rows, 'rows')}, {words(claims, 'claims')}{tail}"


@plots.styled
def drawn(
    shelf: Sequence[Paper], rows: Mapping[str, Sequence[Verdict]], claims: Mapping[str, Sequence[Verdict]]
) -> Figure:
    """Verdicts on the rows and on the claims of each paper, as bars."""
    figure, axes = plots.new(2, 1, width=9.0, height=0.38 * len(shelf) + 0.6)
    for axis, (what, verdicts) in zip(axes, (("rows", rows), ("claims", claims)), strict=True):
        left = [0] * len(shelf)
        for verdict in Verdict:
            widths = [verdicts[paper.name].count(verdict) for paper in shelf]
            drawn = axis.barh(range(len(shelf)), widths, left=left, color=_COLOURS[verdict], label=str(verdict))
            texts = [str(width) if width else "" for width in widths]
            axis.bar_label(drawn, labels=texts, label_type="center", fontsize="small")
            left = [a + b for a, b in zip(left, widths, strict=True)]
        axis.set_yticks(range(len(shelf)), [paper.name for paper in shelf])
        axis.invert_yaxis()
        axis.grid(visible=False, axis="y")
        axis.set(xlabel=what, xlim=(0, None))
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=5, fontsize="small")
    return figure


ROW = Row(
    id="X-04",
    place="across the papers",
    what="the scoreboard: every row and claim with its verdict",
    says="five papers, measured again",
    read=_read,
    last=True,
)
