# SPDX-License-Identifier: MIT OR Apache-2.0
"""The six studies as they are installed, and their share of the front page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bentpipe as bp
from bentpipe.study import choose, studies
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
    def table(page: str) -> list[list[str]]:
        block = (ROOT / page).read_text(encoding="utf-8").partition("<!-- begin: ")[2]
        lines = block[block.index("| paper | rows") :].splitlines()
        rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        return [cells[1:] for cells in rows[:9]]

    assert table("README.md")[2:] == table("docs/papers.md")[2:9]


def test_the_front_page_counts_rows_by_their_weakest_claim() -> None:
    def row(verdict: str, *checks: bool) -> dict[str, Any]:
        claims = [{"check": check, "headline": "" if check else "so", "verdict": verdict} for check in checks]
        return {"study": "hybic", "verdict": verdict, "claims": claims}

    board = {"effort": "2 seeds", "quick": True, "rows": [row("reproduced", True, False), row("no claim")]}
    lines = front.block(board).splitlines()
    assert lines[0].startswith(
        "Of 1 headline claims: 1 reproduced. With 2 seeds, a first look (`--quick`); 2 claims, 1 of them checks"
    )
    assert lines[3] == "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    assert lines[-1].replace("*", "") == "| all | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 1 |"
