# SPDX-License-Identifier: MIT OR Apache-2.0
"""Vegas-W: the paper's arithmetic worked out by hand, and that cheap rows can be read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from bentpipe.study import Claim, Effort, Verdict, choose, reproduce
from bentpipe_papers.vegas_w import STUDY
from bentpipe_papers.vegas_w.bed import bdp_packets, isl_delay_ms, undecided
from bentpipe_papers.vegas_w.readings import combinations, described, without_effect
from bentpipe_papers.vegas_w.rows_losses import recognised
from bentpipe_papers.vegas_w.rows_rules import thresholds

if TYPE_CHECKING:
    from pathlib import Path


def test_every_row_of_the_paper_is_there() -> None:
    assert sorted(row.id for row in STUDY.rows) == [f"V-{number:02}" for number in range(1, 16)]


def test_thresholds_that_are_printed_as_rates_are_less_than_a_packet() -> None:
    # 1000 bit/s for 0.54 s are 540 bits of the 8000 of a packet; 3 kB/s are 1620 of 1000 bytes.
    assert thresholds()["kbit/s"][0] == pytest.approx(0.0675)
    assert thresholds()["kbyte/s"][1] == pytest.approx(1.62)


def test_the_path_holds_what_it_should() -> None:
    # 15 Mbit/s for 0.54 s are 8.1 Mbit, 1012.5 packets of 8000 bits; 2 (120 + 30 + 120) ms = 540 ms.
    assert bdp_packets() == pytest.approx(1012.5)
    assert 30.0 <= isl_delay_ms(540.0, 1) < 31.0


def test_shares_of_losses_told_rightly() -> None:
    counts = {"congestion_as_congestion": 3, "congestion_as_error": 1, "error_as_error": 0, "error_as_congestion": 0}
    congestion, error = recognised(counts)
    assert congestion == pytest.approx(75.0)
    assert math.isnan(error)


def test_combinations_that_differ_without_effect() -> None:
    hits = [(choice, 6.25) for choice in combinations() if choice["rtt_ms"] == 500.0 and choice["recovery"] == "sack"]
    assert described(hits) == ("500 ms, recovery sack", "doubling and initial window and jump and loss verdict")
    assert without_effect(hits)
    assert not without_effect(hits[1:])
    assert not without_effect([*hits[1:], (hits[0][0], 6.5)])
    assert not without_effect([])


def test_a_claim_whose_interval_is_too_wide_is_named() -> None:
    wide = Claim(what="wide", measured=bp.estimate([-1.0, 5.0, 5.0]), sign=1)
    wrong = Claim(what="wrong", measured=bp.estimate([-1.0, -2.0, -5.0]), sign=1)
    assert "«wide»" in undecided([wide, wrong])
    assert "wrong" not in undecided([wide, wrong])
    assert not undecided([wrong])


def test_rows_can_be_read(tmp_path: Path) -> None:
    rows = ["V-02", "V-04", "V-05", "V-15"]
    result = reproduce(choose("vegas-w", rows), Effort((1, 2), quick=True), out=tmp_path, threads=1)
    assert not result.failures
    found = result.found["vegas-w"]
    assert found["V-04"].verdict == Verdict.DIRECTION_ONLY
    assert found["V-05"].verdict == Verdict.NO_CLAIM
    # Equation (4), tau = 20 ms and D = 8000 bit over 15 Mbit/s = 8/15 ms: 2 tau/D = 75, (75 - 1)/(75 + 1) = 0.97368.
    assert found["V-02"].sheets[0].rows[0][1] == "0.97368"
    assert found["V-15"].verdict == Verdict.NO_CLAIM
