# SPDX-License-Identifier: MIT OR Apache-2.0
"""HYBIC: rows that need no packets can be read, and say what was worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from bentpipe.study import Effort, Verdict, choose, reproduce
from bentpipe_papers.hybic import STUDY
from bentpipe_papers.hybic.rows_future import cases, delivery_percent

if TYPE_CHECKING:
    from pathlib import Path


def test_every_row_of_the_paper_is_there() -> None:
    assert [row.id for row in STUDY.rows] == [f"Y-{number:02}" for number in range(1, 17)]


def test_rows_without_packets_can_be_read(tmp_path: Path) -> None:
    rows = ["Y-01", "Y-02", "Y-05", "Y-07", "Y-08", "Y-10", "Y-11", "Y-13", "Y-16"]
    result = reproduce(choose("hybic", rows), Effort((1, 2), quick=True), out=tmp_path, threads=1)
    assert not result.failures
    found = result.found["hybic"]
    # W(60 s) of Hybla by hand: 22.87 (22.87 (60 - 0.7)/2.287 + 128) = 16489 segments of 1448 bytes, 23.88 MB.
    hybla = found["Y-10"].claims[0]
    assert hybla.measured.mean == pytest.approx(23.88, abs=0.01)
    assert found["Y-11"].verdict == Verdict.INCONSISTENT
    # Over its own round trip Table I's 23e3 segments are 23000 x 11584 bit / 2.287 s = 116.5 Mbit/s.
    assert "116.7 Mbit/s" in found["Y-11"].claims[1].note
    assert found["Y-11"].claims[1].implied == pytest.approx(116.5, abs=0.01)
    # CUBIC's 22e3 segments are 111.4 Mbit/s, 2.23 % of 5 Gbit/s: what is printed follows.
    assert [claim.verdict for claim in found["Y-11"].claims[4:6]] == [Verdict.REPRODUCED] * 2
    # 120 MB in 100 ms are 9600 Mbit/s, on a link of 5000.
    assert found["Y-01"].claims[0].implied == pytest.approx(9600.0)
    assert found["Y-13"].verdict == Verdict.REPRODUCED  # 1 and 1.1 Gbit/s are the same to a digit
    # From the printed window of 10, slow start is 0.1 s log2(10) = 0.332 s shorter: 25.29 s become 24.95.
    passes = found["Y-10"].claims[2]
    assert passes.measured.mean == pytest.approx(24.95, abs=0.01)
    assert passes.verdict == Verdict.REPRODUCED
    assert found["Y-10"].verdict == Verdict.DIRECTION_ONLY


def test_delivery_is_that_of_all_flows_together() -> None:
    flows = [bp.Flow(kind="cbr", rate=f"{rate} Mbit/s", packet="1500 B") for rate in (12, 6)]
    path = bp.Dumbbell(rate="9 Mbit/s", rtt="20 ms", queue="10 packets")
    run = bp.run(bp.Scenario(name="twice too much", duration="10 s", network=path, flows=flows))
    # 18 Mbit/s are offered to 9 Mbit/s: half arrives, but for ten packets of 15000 and the 10 ms on the way.
    assert delivery_percent(run) == pytest.approx(50.0, abs=0.1)


def test_fq_codel_is_left_out_where_there_is_one_flow() -> None:
    for effort in (Effort((1,)), Effort((1,), quick=True)):
        assert {case.flows for case in cases(effort) if case.queue == "FQ-CoDel"} == {5}
