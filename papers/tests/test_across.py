# SPDX-License-Identifier: MIT OR Apache-2.0
"""Comparisons across the papers: readings computed by hand, and the scoreboard from stored findings."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from bentpipe.study import Claim, Effort, Finding, Row, Study, choose, reproduce
from bentpipe_papers.across import STUDY
from bentpipe_papers.across.bed import SETTINGS, label, numbers, two_rtts
from bentpipe_papers.across.rows_ablations import ABLATIONS
from bentpipe_papers.across.rows_start_up import reached

if TYPE_CHECKING:
    from pathlib import Path

EFFORT = Effort((1, 2), quick=True)


def test_every_row_is_there() -> None:
    assert [row.id for row in STUDY.rows] == ["X-01", "X-02", "X-03", "X-04"]


def test_when_a_rate_is_reached() -> None:
    # Means of two samples: 0.5, 2, 5, 8, 9.
    assert reached([1, 2, 3, 4, 5], [1, 3, 7, 9, 9], 8.0, 2) == 4
    assert reached([1, 2, 3, 4, 5], [1, 3, 7, 9, 9], 9.5, 2) is None


def test_every_controller_is_known_and_every_ablation_takes_something_away() -> None:
    for one in ABLATIONS:
        assert one.whole != one.without
        bp.run(SETTINGS[0].scenario(one.without, 1, True), duration="12 s")
    assert label({"name": "cubic", "beta": 0.8}) == "cubic (beta 0.8)"
    assert label("liad") == "liad*"


def test_a_setting_is_what_it_says() -> None:
    run = bp.run(dataclasses.replace(two_rtts("reno", 1, True), warm_up="0 s"))
    near, far = run.summary["flows"]
    assert near["rtt_ms"]["min"] == pytest.approx(25.0, abs=3.0)
    assert far["rtt_ms"]["min"] >= 600.0
    found = numbers(SETTINGS[-1], [run])
    assert found.share_percent is not None
    # Of two flows that have f and 1 - f of all, Jain's index is 1 / (2 (f^2 + (1 - f)^2)).
    f = found.share_percent.mean / 200.0
    assert found.jain.mean == pytest.approx(1 / (2 * (f * f + (1 - f) ** 2)), rel=1e-6)


def made_up(paper: str, row: str, changes: list[float]) -> Study:
    """A paper with one row, one claim of +10 % for each measured change."""
    claims = [Claim(what="goodput", measured=bp.Estimate(change, 1.0, 5), paper=10.0, sign=1) for change in changes]
    read = Row(id=row, place="p", what="w", says="s", read=lambda _: Finding(why="made up", claims=claims))
    return Study(name=paper, title=paper, about="", rows=(read,))


def test_the_scoreboard_counts_what_is_kept(tmp_path: Path) -> None:
    # 10 and 30 hold, -5 fails.
    shelf = (made_up("hybla-im", "H-01", [10.0, 30.0]), made_up("a-liad", "A-01", [-5.0]), STUDY)
    board = STUDY.rows[-1]
    alone = reproduce([(STUDY, [board])], EFFORT, out=tmp_path, shelf=shelf).found["across"]["X-04"]
    assert "2 rows have no result yet" in alone.why
    assert not alone.drawings
    reproduce([(shelf[0], shelf[0].rows)], EFFORT, out=tmp_path)
    half = reproduce([(STUDY, [board])], EFFORT, out=tmp_path, shelf=shelf).found["across"]["X-04"]
    assert half.sheets[0].rows[-1] == ["all", "2", "0", "0", "0", "0", "0", "2", "1"]
    assert half.notes == ("a-liad has no outcome yet for A-01 (run bentpipe reproduce a-liad)",)
    both = reproduce([(shelf[1], shelf[1].rows), (STUDY, [board])], EFFORT, out=tmp_path, shelf=shelf).found["across"][
        "X-04"
    ]
    assert both.sheets[0].rows[-1] == ["all", "2", "1", "0", "0", "0", "0", "3", "0"]
    assert not both.claims
    assert len(both.drawings) == 1


def test_start_up_can_be_read(tmp_path: Path) -> None:
    result = reproduce(choose("across", ["X-02"]), EFFORT, out=tmp_path, threads=1)
    assert not result.failures
    # From 10 segments six doublings of 600 ms pass 500, the BDP of 10 Mbit/s; a seventh round trip brings it.
    classic = result.found["across"]["X-02"].sheets[0].rows[0]
    assert classic[0] == "classic"
    assert 3.6 <= float(classic[1].removesuffix(" s")) <= 4.8
