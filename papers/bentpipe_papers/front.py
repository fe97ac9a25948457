# SPDX-License-Identifier: MIT OR Apache-2.0
"""The front page's share of a report: `python -m bentpipe_papers.front report README.md docs/img/papers.png`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from bentpipe import plots
from bentpipe.study import Claim, Verdict, write_block
from bentpipe_papers.a_liad.sentence import SENTENCE as A_LIAD
from bentpipe_papers.across.rows_scoreboard import drawn, papers, told
from bentpipe_papers.hybic.sentence import SENTENCE as HYBIC
from bentpipe_papers.hybla_im.sentence import SENTENCE as HYBLA_IM
from bentpipe_papers.leo_study.sentence import SENTENCE as LEO_STUDY
from bentpipe_papers.studies import STUDIES
from bentpipe_papers.vegas_w.sentence import SENTENCE as VEGAS_W

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bentpipe.study import Study
    from bentpipe_papers.sentences import Sentence

#: What each paper's page begins with.
SENTENCES = {"hybla-im": HYBLA_IM, "leo-study": LEO_STUDY, "a-liad": A_LIAD, "vegas-w": VEGAS_W, "hybic": HYBIC}


def printed(claim: Claim) -> str:
    """The paper's number without our tolerance, or its side."""
    if claim.paper is None or claim.bound:
        return claim.claimed()
    return claim.claimed().replace(f" (± {float(f'{claim.allowed:.3g}'):g})", "")


def sentence(study: Study, claims: Iterable[tuple[str, Claim]]) -> str:
    """A paper's sentence from its claims by row: that of the claim it declares, else of its first headline claim.

    Nothing if it has neither.
    """
    said = list(claims)
    declared = SENTENCES.get(study.name)
    found = declared and next((one for row, one in said if told_by(declared, row, one)), None)
    if declared and found:
        return line_of(study, declared.row, found, declared.words)
    for row, claim in said:
        if claim.headline:
            return line_of(study, row, claim, "“" + claim.headline.strip("“”") + "”: {ours}, the paper {paper}")
    return ""


def told_by(declared: Sentence, row: str, claim: Claim) -> bool:
    """Whether a claim is the one that a sentence is about."""
    return row == declared.row and (declared.claim in claim.headline or declared.claim in claim.what)


def line_of(study: Study, row: str, claim: Claim, words: str) -> str:
    """A line of the page: the words with their numbers, the range over readings, the verdict, and where it stands."""
    text = words.replace("{ours}", claim.ours()).replace("{paper}", printed(claim))
    ranged = f"; {claim.ranged()}" if claim.readings else ""
    return f"- {study.short or study.title}: {text}{ranged}: **{claim.verdict}** ({row})."


def block(board: Mapping[str, Any]) -> str:
    """A sentence for each paper, and how its headline claims fared, from a ``scoreboard.json``."""
    lines = []
    for study in papers(STUDIES):
        rows = [row for row in board["rows"] if row["study"] == study.name]
        lines.append(
            sentence(study, ((row["row"], msgspec.convert(claim, Claim)) for row in rows for claim in row["claims"]))
        )
    heads = Counter(claim["verdict"] for row in board["rows"] for claim in row["claims"] if claim["headline"])
    each = ", ".join(f"{heads[verdict]} {verdict}" for verdict in Verdict if heads[verdict])
    effort = board["effort"] + (", a first look (`--quick`)" if board["quick"] else "")
    last = f"All {heads.total()} headline claims: {each}. " if heads else ""
    return "\n".join(filter(None, lines)) + f"\n\n{last}With {effort}.\n"


def main(report: Path, page: Path, picture: Path) -> None:
    """Write the block of `page` and the picture from what a reproduction of all papers left in `report`."""
    board = json.loads((report / "scoreboard.json").read_text(encoding="utf-8"))
    shelf = papers(STUDIES)
    verdicts, claims = told(
        shelf,
        (
            (row["study"], row["verdict"], [claim["verdict"] for claim in row["claims"]])
            for row in board["rows"]
            if row["verdict"] != "failed"
        ),
    )
    write_block(page, block(board))
    plots.save(drawn(shelf, verdicts, claims), picture, "png")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
