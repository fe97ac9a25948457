# SPDX-License-Identifier: MIT OR Apache-2.0
"""The six installed studies, and their block of the README."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Any

import pytest

import bentpipe as bp
from bentpipe.study import Claim, choose, studies
from bentpipe_papers import front
from bentpipe_papers.studies import STUDIES


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


def record(study: str, row: str, claim: Claim) -> dict[str, Any]:
    """A row of a scoreboard with one claim, as `bentpipe reproduce` writes it."""
    return {"study": study, "row": row, "why": "so", "claims": [{**asdict(claim), "verdict": str(claim.verdict)}]}


def test_the_front_page_has_a_sentence_of_each_paper_with_its_number() -> None:
    time = Claim(what="time", measured=bp.fixed(30.0), paper=6.4, tolerance=0.15, unit="s", never=30.0, headline="6.4s")
    rows = [
        record("vegas-w", "V-07", time),
        # Its claim is not the one that the sentence is about: nothing is said.
        record("hybic", "Y-10", Claim(what="window", measured=bp.fixed(2.0), sign=1, unit="MB", headline="it grows")),
        record("across", "X-01", Claim(what="none", measured=bp.fixed(2.0), sign=1)),
    ]
    board = json.loads(json.dumps({"effort": "2 seeds", "quick": True, "rows": rows}))
    assert front.block(board).splitlines() == [
        "- Vegas-W for GEO: Vegas-W is a variant of Vegas for geostationary paths. In the paper, it fills a link of 15 "
        "Mbit/s after 6.4 s. In our runs of 30 s, the result is “never”.",
        "",
        "Verdicts on the 2 headline claims of the papers: holds (1), fails (1). These results are a first look "
        "(`--quick`).",
    ]


def test_every_paper_has_two_sentences_with_both_numbers() -> None:
    for study in STUDIES[:-1]:
        ids = {row.id for row in study.rows}
        assert len(study.summary) == 2
        for sentence in study.summary:
            named = re.findall(r"\{(\S+)\.[a-z]+ (?:ours|paper|verdict)\}", sentence)
            assert named
            assert set(named) <= ids
            assert sentence.count("{") == len(named)
        assert " ours}" in study.summary[0]
        assert " paper}" in study.summary[0]
