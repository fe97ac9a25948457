# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write the README's block on the papers: `python -m bentpipe_papers.front report README.md docs/img/papers.png`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.across.rows_scoreboard import drawn, papers
from bentpipe_papers.studies import STUDIES

#: The words for each verdict.
_FARED = {
    st.Verdict.HOLDS: "holds",
    st.Verdict.FAILS: "fails",
    st.Verdict.UNDECIDED: "undecided",
    st.Verdict.DEPENDS: "depends on a setting",
    st.Verdict.CONTRADICTS: "contradicts other numbers of the paper",
    st.Verdict.CANNOT_FAIL: "cannot fail",
}


def outcomes(board: Mapping[str, Any], study: str) -> dict[str, st.Outcome]:
    """Return the rows of a study in a ``scoreboard.json``, only with their claims."""
    return {
        row["row"]: st.Outcome(
            row["row"], tuple(msgspec.convert(claim, st.Claim) for claim in row["claims"]), row["why"]
        )
        for row in board["rows"]
        if row["study"] == study
    }


def block(board: Mapping[str, Any]) -> str:
    """Return the first sentence on each paper and the verdicts of headline claims, from a ``scoreboard.json``."""
    lines = [
        f"- {study.short or study.title}: {said[0]}"
        for study in papers(STUDIES)
        if (said := st.summary(study, outcomes(board, study.name)))
    ]
    heads = Counter(claim["verdict"] for row in board["rows"] for claim in row["claims"] if claim["headline"])
    each = ", ".join(f"{words} ({heads[verdict]})" for verdict, words in _FARED.items() if heads[verdict])
    verdicts = f"Verdicts on the {heads.total()} headline claims of the papers: {each}."
    look = " These results are a first look (`--quick`)." if board["quick"] else ""
    return "\n".join(lines) + f"\n\n{verdicts}{look}\n"


def main(report: Path, page: Path, picture: Path) -> None:
    """Write the block of `page` and the picture, from the reproduction of all papers in `report`."""
    board = json.loads((report / "scoreboard.json").read_text(encoding="utf-8"))
    shelf = papers(STUDIES)
    claims = {
        study.name: [claim.verdict for one in outcomes(board, study.name).values() for claim in one.claims]
        for study in shelf
    }
    st.write_block(page, block(board))
    plots.save(drawn(shelf, claims), picture, "png")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
