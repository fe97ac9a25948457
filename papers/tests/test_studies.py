# SPDX-License-Identifier: MIT OR Apache-2.0
"""The six studies as they are installed, and their share of the front page."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import bentpipe as bp
from bentpipe.study import Claim, InReading, choose, studies
from bentpipe_papers import front
from bentpipe_papers.studies import STUDIES

ROOT = Path(__file__).resolve().parents[2]


def test_they_are_found_by_entry_point_in_the_order_of_the_report() -> None:
    names = ["hybla-im", "leo-study", "a-liad", "vegas-w", "hybic", "across"]
    assert [study.name for study in STUDIES] == names
    assert [study.name for study in studies() if study.name in names] == names


def test_a_study_and_a_row_are_found_by_name() -> None:
    with pytest.raises(bp.ScenarioError, match=r"paper-unknown.*did you mean 'hybic'"):
        choose("hybik", shelf=STUDIES)
    with pytest.raises(bp.ScenarioError, match="row-unknown"):
        choose("hybic", ["Y-99"], shelf=STUDIES)


def test_rows_stand_in_the_order_of_their_ids() -> None:
    for study in STUDIES:
        ids = [row.id for row in study.rows]
        assert ids == sorted(set(ids))


def test_the_front_page_says_what_the_scoreboard_says() -> None:
    block = (ROOT / "README.md").read_text(encoding="utf-8").partition("<!-- begin: ")[2].partition("<!-- end -->")[0]
    board = (ROOT / "docs/papers.md").read_text(encoding="utf-8").splitlines()
    for line in (one for one in block.splitlines() if one.startswith("- ")):
        verdict, row = re.findall(r"\*\*(.+)\*\* \((.+)\)\.$", line)[0]
        assert any(told.startswith(f"| {row} |") and f"| {verdict} |" in told for told in board), line


def record(study: str, row: str, claim: Claim) -> dict[str, Any]:
    """A row of a scoreboard with one claim, as `bentpipe reproduce` writes it."""
    told = {**asdict(claim), "verdict": str(claim.verdict)}
    return {"study": study, "row": row, "verdict": str(claim.verdict), "claims": [told]}


def test_the_front_page_has_a_sentence_of_each_paper_with_its_number() -> None:
    fast = InReading(name="faster links", why="so it could be", measured=bp.fixed(6.5), fresh=bp.fixed(6.4))
    rows = [
        record(
            "vegas-w",
            "V-07",
            Claim(
                what="time",
                measured=bp.Estimate(10.6, 0.1, 10),
                paper=6.4,
                tolerance=0.15,
                unit="s",
                headline="needs only 6.4s",
                readings=(fast,),
            ),
        ),
        # Its claim is not the declared one: the headline speaks.
        record("hybic", "Y-10", Claim(what="window", measured=bp.fixed(2.0), sign=1, unit="MB", headline="it grows")),
        record("across", "X-01", Claim(what="none", measured=bp.fixed(2.0), sign=1)),
    ]
    board = json.loads(json.dumps({"effort": "2 seeds", "quick": True, "rows": rows}))
    assert front.block(board).splitlines() == [
        "- Vegas-W for GEO: in runs of 30 s Vegas-W first fills the 15 Mbit/s path after 10.6 ± 0.1 s (30 s: never), "
        "in the paper after 6.4 s; 6.5 to 10.6 s (2 readings): **reproduced in a reading** (V-07).",
        "- HYBIC for satellite-terrestrial networks: “it grows”: 2.0 MB, the paper higher: **direction only** (Y-10).",
        "",
        "All 2 headline claims: 1 reproduced in a reading, 1 direction only. With 2 seeds, a first look (`--quick`).",
    ]


def test_every_paper_has_a_sentence_with_both_numbers() -> None:
    for study in STUDIES[:-1]:
        declared = front.SENTENCES[study.name]
        assert declared.row in {row.id for row in study.rows}
        assert "{ours}" in declared.words
        assert "{paper}" in declared.words
