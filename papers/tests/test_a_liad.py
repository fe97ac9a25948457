# SPDX-License-Identifier: MIT OR Apache-2.0
"""A-LIAD's paper: every row is there, a cheap selection reads, and what is computed here is what a hand computes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from bentpipe.study import Claim, Effort, Verdict, choose, reproduce
from bentpipe_papers.a_liad import STUDY, bed, rows_network, rows_ranking, rows_start_up

if TYPE_CHECKING:
    from pathlib import Path


def test_every_row_is_there_once_and_in_order() -> None:
    assert [row.id for row in STUDY.rows] == [f"A-{number:02d}" for number in range(1, 31)]


def test_a_cheap_selection_reads(tmp_path: Path) -> None:
    found = reproduce(choose("a-liad", ["A-03", "A-04", "A-12", "A-28"]), Effort((1, 2), quick=True), out=tmp_path)
    assert not found.failures
    rows = found.found["a-liad"]
    # Equation 1 halves the gap in a round trip, equation 2 per ACK divides it by exp(1/2): the paper's own conflict.
    assert rows["A-03"].verdict == Verdict.REPRODUCED
    assert rows["A-04"].verdict == Verdict.INCONSISTENT
    # A ping of 84 B: 600 ms, and 67 us on a link of 10 Mbit/s and 7 us on each of two of 100 Mbit/s, there and back.
    assert "600.2 ms" in rows["A-12"].why


def test_the_scale_of_the_geo_path() -> None:
    # 10 Mbit/s for 0.6 s are 6 Mbit or 750 kB; in packets of 1040 B: 721.15.
    assert bed.bdp_packets(10.0, 600.0) == pytest.approx(721.15, abs=0.005)
    # 1000 of 1040 bytes: a full link of 10 Mbit/s delivers 9.615 Mbit/s.
    assert bed.utilisation(9.61538) == pytest.approx(100.0, abs=1e-3)


def test_drawn_round_trips_differ_and_stay_near() -> None:
    drawn = [bed.drawn_rtt_ms(600.0, seed) for seed in range(1, 11)]
    assert len(set(drawn)) == 10
    assert all(588.0 <= rtt <= 612.0 for rtt in drawn)
    # The golden section's fraction of seed 1 is 0.6180: 2 * 0.6180 - 1 = 0.2361 of the 2 %.
    assert drawn[0] == pytest.approx(600.0 * (1.0 + 0.02 * 0.2361), abs=0.01)


def test_equal_scores_share_their_places() -> None:
    assert rows_ranking.ranks({"a": 3.0, "b": 9.0, "c": 3.0, "d": 1.0}) == {"b": 1.0, "a": 2.5, "c": 2.5, "d": 4.0}


def test_an_exponent_is_that_of_the_power_law() -> None:
    # 8, 2, 0.5 at 1, 2, 4: each doubling quarters.
    assert rows_network.exponent([1.0, 2.0, 4.0], [8.0, 2.0, 0.5]) == pytest.approx(-2.0)


def test_what_is_read_from_a_start_without_the_logarithmic_half() -> None:
    # NewReno from 4 segments over a path of 721 (drawn: 724.6) packets and a buffer as large: 4 doubles at each round
    # trip; path and buffer hold 1449, so 1024 fits and 2048 does not. The window is twice 1449 when the sender learns
    # of the first loss a round trip later, and of each two packets that it sent meanwhile one was lost.
    run = bp.run(bed.single("NewReno", 1, interval="100 ms", events=True))
    end, window = rows_start_up.slow_start_end(run)
    assert end == pytest.approx(7.0, abs=0.1)
    assert window == pytest.approx(4 * 724.6, rel=0.01)
    assert rows_start_up.lost_in_slow_start(run) == pytest.approx(1449, rel=0.02)


def test_a_slow_start_that_ends_within_a_sample_has_the_window_it_reached() -> None:
    # Hybla's first ACK (rho = 24) would ask for 2^24 segments; Hoe's estimate ends slow start at the path of 724.6.
    run = bp.run(bed.single("Hybla", 1, interval="100 ms", events=True, duration_s=3.0))
    end, window = rows_start_up.slow_start_end(run)
    assert end == pytest.approx(0.606, abs=0.001)
    assert window == pytest.approx(724.6, rel=0.01)


@pytest.mark.parametrize(
    ("values", "paper", "sign", "expected"),
    [
        ([-10.0, -60.0], -38.0, -1, True),  # holds the number and zero
        ([-37.9, -38.1], -38.0, -1, False),  # confirms it
        ([-20.0, -20.1], -38.0, -1, False),  # far from it
        ([-10.0, 20.0], None, -1, True),  # no side
        ([10.0, 10.1], None, -1, False),  # the other side
    ],
)
def test_a_claim_is_undecided_where_the_width_decides(
    values: list[float], paper: float | None, sign: int, *, expected: bool
) -> None:
    claim = Claim(what="x", measured=bp.estimate(values), paper=paper, sign=sign)
    assert claim.open is expected


def test_the_opponents_are_those_of_section_4() -> None:
    # Section 4 names these six; Hybla stands in section 2 alone.
    assert set(bed.PAPERS) == {"A-LIAD", "CUBIC", "BIC", "STCP", "HSTCP", "Westwood", "NewReno"}
    assert set(bed.MODULES) == set(bed.PAPERS)
    # Linux's Westwood is Westwood+.
    assert "westwood-plus" in str(bed.MODULES["Westwood"])


@pytest.mark.parametrize("confirm", [False, True])
def test_readings_are_planned_on_fresh_seeds_where_they_are_confirmed(*, confirm: bool) -> None:
    effort = Effort((1, 2), quick=True, confirm=confirm)
    for row in STUDY.rows:
        if row.id not in ("A-13", "A-14", "A-15", "A-16", "A-18", "A-19", "A-20", "A-21", "A-22", "A-23", "A-24"):
            continue
        fresh = {key[-1] for key in row.plan(effort)} - set(effort.seeds)
        assert fresh == set(effort.fresh), row.id


def test_the_main_reading_is_that_of_the_bed() -> None:
    mains = {choice.name: choice.main.value for choice in STUDY.readings}
    assert mains["start of competing flows"] == bed.START_WITHIN_S
    planned = bed.crowd([("NewReno", "newreno")] * 6, 1)
    starts = [float((flow.start or "0 s").removesuffix(" s")) for flow in planned.flows]
    assert max(starts) <= bed.START_WITHIN_S
    assert isinstance(planned.tcp, bp.Tcp)
    assert planned.tcp.initial_window == mains["initial window"]
