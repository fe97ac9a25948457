# SPDX-License-Identifier: MIT OR Apache-2.0
"""A-LIAD's paper: every row exists, a cheap selection can be read, and computed numbers equal those by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from bentpipe.study import Claim, Effort, Verdict, choose, reproduce
from bentpipe_papers.a_liad import STUDY, bed, rows_network, rows_ranking, rows_start_up
from bentpipe_papers.transport import BARE

if TYPE_CHECKING:
    from pathlib import Path

    from bentpipe.study import Curve, Row


def test_every_row_is_there_once_and_in_order() -> None:
    assert [row.id for row in STUDY.rows] == [f"A-{number:02d}" for number in range(1, 33)]


def test_a_cheap_selection_reads(tmp_path: Path) -> None:
    found = reproduce(choose("a-liad", ["A-03", "A-04", "A-12", "A-28"]), Effort((1, 2), quick=True), out=tmp_path)
    assert not found.failures
    rows = found.found["a-liad"]
    # Equation 1 halves the gap in a round trip, equation 2 per ACK divides it by exp(1/2): the paper's own conflict.
    assert {claim.verdict for claim in rows["A-03"].claims} <= {Verdict.HOLDS, Verdict.CANNOT_FAIL}
    assert Verdict.CONTRADICTS in {claim.verdict for claim in rows["A-04"].claims}
    # A ping of 84 B: 600 ms, and 67 us on a link of 10 Mbit/s and 7 us on each of two of 100 Mbit/s, there and back.
    assert "600.2 ms" in rows["A-12"].why


def test_the_scale_of_the_geo_path() -> None:
    # 10 Mbit/s for 0.6 s are 6 Mbit or 750 kB; in packets of 1050 B: 714.29.
    assert bed.bdp_packets(10.0, 600.0) == pytest.approx(714.29, abs=0.005)
    # 1000 of 1050 bytes: a full link of 10 Mbit/s delivers 9.524 Mbit/s.
    assert bed.utilisation(9.52381) == pytest.approx(100.0, abs=1e-3)


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
    # NewReno with the minimal TCP from 4 segments over a path of 714 (drawn: 717.7) packets and a buffer as large:
    # 4 doubles at each round trip; path and buffer hold 1435, so 1024 fits and 2048 does not. It is twice 1435 when
    # the sender learns of the first loss a round trip later, and of each two packets sent meanwhile one was lost.
    run = bp.run(bed.single("NewReno", 1, interval="100 ms", events=True, tcp=BARE))
    end, window = rows_start_up.slow_start_end(run)
    assert end == pytest.approx(7.0, abs=0.1)
    assert window == pytest.approx(4 * 717.7, rel=0.01)
    assert rows_start_up.lost_in_slow_start(run) == pytest.approx(1435, rel=0.02)
    # TCP-Linux opens with 2, one of them the SYN: one round trip for 1 segment, another for 3 or 4.
    later, same = rows_start_up.slow_start_end(bp.run(bed.single("NewReno", 1, interval="100 ms", events=True)))
    assert later == pytest.approx(end + 0.6, abs=0.7)
    assert same == pytest.approx(window, rel=0.02)


def test_a_slow_start_that_ends_within_a_sample_has_the_window_it_reached() -> None:
    # Hybla's first ACK (rho = 24) would ask for 2^24 segments; Hoe's estimate ends slow start at the path of 717.7.
    run = bp.run(bed.single("Hybla", 1, interval="100 ms", events=True, duration_s=3.0, tcp=BARE))
    end, window = rows_start_up.slow_start_end(run)
    assert end == pytest.approx(0.606, abs=0.001)
    assert window == pytest.approx(717.7, rel=0.01)


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
    assert set(bed.PUBLISHED) == set(bed.PAPERS)
    # ns-2 ships Linux's Westwood, which is Westwood+; the paper cites that of 2001.
    assert "westwood-plus" in str(bed.PAPERS["Westwood"])
    assert bed.PUBLISHED["Westwood"] == "westwood"


def test_the_main_reading_is_that_of_the_bed() -> None:
    mains = {choice.name: choice.main.value for choice in STUDY.readings}
    assert mains["start of competing flows"] == bed.START_WITHIN_S
    planned = bed.crowd([("NewReno", "newreno")] * 6, 1)
    starts = [float((flow.start or "0 s").removesuffix(" s")) for flow in planned.flows]
    assert max(starts) <= bed.START_WITHIN_S
    assert planned.tcp == replace(mains["TCP"], mss="1000 B", header="50 B")
    assert mains["the other variants"] is bed.PAPERS
    # windowInit_ of ns-2 is what its preset has.
    assert (planned.tcp.initial_window, mains["initial window"]) == (None, 2)


def test_every_reading_rests_on_a_step_of_the_precedence() -> None:
    for choice in STUDY.readings:
        assert any(step in choice.by for step in ("the paper", "the tool's default", "Bentpipe's")), choice.name
        assert "would come first" not in choice.by


def test_every_headline_claim_of_simulations_has_a_curve() -> None:
    curves = {row.id: "".join(row.curves) for row in STUDY.rows if row.curves}
    # BIC, STCP and HSTCP (A-13.c to e) as CUBIC. A-30.a, over eight aspects, has one reading.
    assert curves == {
        "A-13": "abcdef",
        "A-15": "a",
        "A-19": "a",
        "A-20": "a",
        "A-21": "a",
        "A-22": "bcd",
        "A-24": "b",
        "A-30": "bc",
    }


def test_curves_of_the_start_up_have_ten_seeds() -> None:
    of = {row.id: row.curves for row in STUDY.rows}
    assert {len(curve.seeds) for curve in (*of["A-13"].values(), of["A-30"]["b"])} == {10}


def test_the_ranking_leaves_out_newreno_in_one_reading() -> None:
    curve = {row.id: row.curves for row in STUDY.rows}["A-13"]["f"]
    every, without = (curve.plan(curve.values((0, 0, 0, 0, place)), 1) for place in (0, 1))
    assert set(every) == {"A-LIAD", "NewReno", "Westwood"}
    assert set(without) == {"A-LIAD", "Westwood"}


@pytest.mark.parametrize("row", [row for row in STUDY.rows if row.curves], ids=lambda row: row.id)
def test_curves_begin_at_the_rows_own_runs(row: Row) -> None:
    own = list(row.plan(Effort((1,))).values())
    for curve in row.curves.values():
        main = curve.combinations[0]
        assert all(scenario in own for scenario in curve.plan(curve.values(main), 1).values()), curve.title


@pytest.mark.parametrize(
    "curve", [curve for row in STUDY.rows for curve in row.curves.values()], ids=lambda curve: curve.title
)
def test_every_combination_of_a_curve_is_a_scenario(curve: Curve) -> None:
    assert curve.whole_size == len(curve.combinations) <= 72
    for scenario in {(key[0], key[1]): one for key, one in curve.scenarios((1,)).items()}.values():
        late = any(flow.start for flow in scenario.flows)
        bp.run(replace(scenario, duration="5.5 s" if late else "0.2 s", warm_up="0 s"))


def test_competing_flows_start_otherwise_after_one_another_with_every_seed() -> None:
    # Starts that only move together make the same run a little later.
    apart = {
        tuple(round(bed.spread(seed, flow) - bed.spread(seed), 6) for flow in range(1, 4)) for seed in range(1, 101)
    }
    assert len(apart) == 100
    # Over 100 seeds the start of a flow is spread over its time: the mean of so many uniform draws is 0.5 ± 0.029.
    for flow in range(4):
        assert sum(bed.spread(seed, flow) for seed in range(1, 101)) / 100 == pytest.approx(0.5, abs=0.1)
