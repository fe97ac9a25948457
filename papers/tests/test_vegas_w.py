# SPDX-License-Identifier: MIT OR Apache-2.0
"""Vegas-W: the paper's arithmetic worked out by hand, and that cheap rows can be read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from bentpipe.study import Claim, Effort, Verdict, choose, reproduce
from bentpipe_papers.vegas_w import STUDY
from bentpipe_papers.vegas_w.bed import (
    ACCESS_MBIT_S,
    CONTROLLERS,
    RTT_MS,
    START_UP_S,
    VEGAS,
    VEGAS_W,
    bdp_packets,
    isl_delay_ms,
    start_up,
    undecided,
)
from bentpipe_papers.vegas_w.readings import CURVE
from bentpipe_papers.vegas_w.rows_figures import doubling, until_full
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


def test_the_main_reading_is_the_bed_that_claims_are_measured_in() -> None:
    main = CURVE.values(CURVE.combinations[0])
    assert main["access links"] == ACCESS_MBIT_S
    assert main["base RTT"] == RTT_MS
    ours = CONTROLLERS[VEGAS_W]
    assert isinstance(ours, dict)
    assert (main["slow start"], main["a loss sets the window"]) == (ours["doubling"], ours["jump"])
    assert main["repair of losses"] == {"recovery": "sack"}


def test_a_start_up_that_never_fills_a_round_trip_counts_as_its_length() -> None:
    # 540 ms with 22 Mbit/s at the hosts: full after 6.2 s. Vegas leaves slow start at 128 of 1012 packets.
    runs = [bp.run(start_up("x", CONTROLLERS[name], 1, access_mbit_s=22.0)) for name in (VEGAS_W, VEGAS)]
    reached, never = (until_full([run]).mean for run in runs)
    assert reached < never == START_UP_S


def test_two_that_are_compared_double_alike() -> None:
    assert doubling(VEGAS, "every-round") == {"name": "vegas", "doubling": "every-round"}
    assert doubling(VEGAS_W, "every-other-round")["doubling"] == "every-other-round"


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
