# SPDX-License-Identifier: MIT OR Apache-2.0
"""Vegas-W: the paper's arithmetic computed by hand, and cheap rows, which can be read."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pyarrow as pa
import pytest

import bentpipe as bp
import bentpipe_papers
from bentpipe.study import Claim, Curve, Effort, Verdict, choose, reproduce
from bentpipe_papers.vegas_w import STUDY
from bentpipe_papers.vegas_w.bed import (
    ACCESS_MBIT_S,
    CONTROLLERS,
    NEWRENO,
    NS2,
    REPAIRED,
    RTT_MS,
    START_UP_S,
    VEGAS,
    VEGAS_W,
    as_read,
    bdp_packets,
    full_at,
    isl_delay_ms,
    start_up,
    undecided,
)
from bentpipe_papers.vegas_w.curves import START
from bentpipe_papers.vegas_w.readings import ALL_BEDS, BEDS, CHOICES, CLEAR_EVERY, MAIN, REPAIR, first_full_bin
from bentpipe_papers.vegas_w.rows_cost import COSTS, by_filter
from bentpipe_papers.vegas_w.rows_figures import until_full
from bentpipe_papers.vegas_w.rows_losses import recognised
from bentpipe_papers.vegas_w.rows_rules import thresholds


def test_every_row_of_the_paper_is_there() -> None:
    assert sorted(row.id for row in STUDY.rows) == [f"V-{number:02}" for number in range(1, 17)]


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


CURVES = [curve for row in STUDY.rows for curve in row.curves.values()]


def test_the_main_reading_is_the_bed_that_claims_are_measured_in() -> None:
    main = {choice.name: choice.main.value for choice in CHOICES}
    assert main["access links"] == ACCESS_MBIT_S
    assert main["base RTT"] == RTT_MS
    assert main["TCP"] == NS2
    ours = {entry["name"]: entry["parameters"] for entry in bp.controllers() if entry["name"] in ("vegas", "vegas-w")}
    for name in ours:
        given = {one["name"]: one["default"].strip('"') for one in ours[name]}
        # The text excludes the smallest RTT of a round, so the mean is not a choice.
        assert (main["slow start"], "mean") == (given["doubling"], given["rtt"])
    assert CONTROLLERS[VEGAS] == "vegas"
    # Sections IV.B and IV.C: no estimate in avoidance, and a loss sets the window upwards too.
    assert CONTROLLERS[VEGAS_W] == "vegas-w-paper"
    [entry] = [entry for entry in bp.controllers() if entry["name"] == "vegas-w-paper"]
    given = {one["name"]: one["default"].strip('"') for one in entry["parameters"]}
    wanted = {"estimate_in_avoidance": "false", "bandwidth_memory": "newest", "jump": "true"}
    assert {name: given[name] for name in wanted} == wanted
    assert ALL_BEDS[MAIN].settings == {"tcp": NS2, "access_mbit_s": ACCESS_MBIT_S, "doubling": main["slow start"]}
    assert start_up("x", CONTROLLERS[VEGAS_W], 1) == start_up("x", CONTROLLERS[VEGAS_W], 1, tcp=NS2)


def test_beds_are_all_combinations_each_named_by_what_differs() -> None:
    assert len(ALL_BEDS) == 4 * 3 * 2 + 2  # in the main one hosts with jitter, and Vegas-W repaired
    assert set(BEDS) < set(ALL_BEDS) - {MAIN}
    assert ALL_BEDS[CLEAR_EVERY].settings == {"tcp": NS2, "access_mbit_s": 16.0, "doubling": "every-round"}


def test_what_the_main_reading_rests_on_is_said() -> None:
    for choice in CHOICES:
        assert choice.by.startswith(("the paper's text", "the default of the tool", "our choice"))
        assert choice.known


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.title)
def test_every_point_of_a_curve_is_a_scenario(curve: Curve) -> None:
    assert len(curve.combinations) <= curve.most
    for combination in curve.combinations:
        for scenario in curve.plan(curve.values(combination), 1).values():
            assert scenario.resolved()


def test_start_ups_share_their_runs() -> None:
    sampled = [curve for curve in CURVES if curve.choices == START]
    assert len(sampled) == 3
    assert len({curve.combinations for curve in sampled}) == 1


def test_every_headline_claim_has_a_curve_or_readings() -> None:
    assert {row.id: "".join(row.curves) for row in STUDY.rows if row.curves} == {
        "V-03": "a",
        "V-06": "a",
        "V-07": "ab",
        "V-08": "ab",
        "V-09": "a",
        "V-10": "a",
    }
    package = Path(bentpipe_papers.__file__).parent / "vegas_w"
    with_headline = {"rows_start_up": 1, "rows_figures": 4, "rows_route": 4}
    with_headline["rows_losses"] = 1  # V-11 and V-09.b have readings, each used alone
    for file in package.glob("rows_*.py"):
        assert file.read_text(encoding="utf-8").count("headline=") == with_headline.get(file.stem, 0), file.stem


def test_a_start_up_that_never_fills_a_round_trip_counts_as_its_length() -> None:
    # 540 ms with 16 Mbit/s at the hosts: repaired full after 11 s. Vegas leaves slow start at 128 of 1012 packets.
    runs = [bp.run(start_up("x", CONTROLLERS[name], 1, access_mbit_s=16.0)) for name in (REPAIRED, VEGAS)]
    reached, never = (until_full([full_at(run)]).mean for run in runs)
    assert reached < never == START_UP_S


def test_two_that_are_compared_double_alike() -> None:
    assert as_read(VEGAS.lower(), "every-round", REPAIR) == {"name": "vegas", "doubling": "every-round"}
    assert as_read(CONTROLLERS[VEGAS_W], "every-round") == {"name": "vegas-w-paper", "doubling": "every-round"}
    assert as_read(CONTROLLERS[VEGAS_W], None, REPAIR) == {"name": "vegas-w-paper", **REPAIR}
    assert as_read(CONTROLLERS[NEWRENO], "every-round", REPAIR) == "newreno"


def test_a_bin_is_full_at_its_end() -> None:
    # 15 Mbit/s from 2.1 s on, in samples of 100 ms: bins of 1 s are full from the one that ends at 4 s on.
    times = np.arange(1, 101) / 10.0
    rate = np.where(times > 2.1 + 1e-9, 15.0, 0.0) * 960.0 / 1000.0
    table = bp.Table(pa.table({"flow": [0] * 100, "time_s": times, "goodput_mbit_s": rate}))
    run = cast("bp.Run", SimpleNamespace(flows=table))
    assert first_full_bin(run, 1.0) == pytest.approx(4.0)
    assert first_full_bin(run, 0.5) == pytest.approx(3.0)
    assert math.isnan(first_full_bin(run, 20.0))


def test_the_filter_settles_at_the_rate_of_evenly_spaced_acks() -> None:
    # 1000 bytes at 15 Mbit/s: an ACK every 8/15 ms, 1875 segments/s. A pause of half a second halves the filter's
    # estimate: beyond 2 tau it is the mean of two samples, of which the newer one is next to nothing.
    times = np.arange(2000) * 8e-3 / 15.0
    assert by_filter(times)[-1] == pytest.approx(1875.0, rel=1e-3)
    assert by_filter(np.append(times, times[-1] + 0.5))[-1] == pytest.approx(1875.0 / 2.0, rel=2e-3)


def test_costs_are_those_of_the_paper_three() -> None:
    assert {"vegas", "vegas-w", "newreno"} <= set(COSTS)
    # Two times of 8 bytes, a number and a count for each of 512 packets, and 64 round trips.
    assert COSTS["vegas-w"].ring_bytes == 512 * 32 + 64 * 8


def test_a_claim_whose_interval_is_too_wide_is_named() -> None:
    wide = Claim(what="wide", measured=bp.estimate([-1.0, 5.0, 5.0]), sign=1)
    wrong = Claim(what="wrong", measured=bp.estimate([-4.0, -5.0, -6.0]), sign=1)
    assert "“wide”" in undecided([wide, wrong])
    assert "wrong" not in undecided([wide, wrong])
    assert not undecided([wrong])


def test_rows_can_be_read(tmp_path: Path) -> None:
    rows = ["V-02", "V-04", "V-05", "V-15"]
    result = reproduce(choose("vegas-w", rows), Effort((1, 2), quick=True), out=tmp_path, threads=1)
    assert not result.failures
    found = result.found["vegas-w"]
    assert {claim.verdict for claim in found["V-04"].claims} <= {Verdict.HOLDS, Verdict.CANNOT_FAIL}
    assert not found["V-05"].claims
    # Equation (4), tau = 20 ms and D = 8000 bit over 15 Mbit/s = 8/15 ms: 2 tau/D = 75, (75 - 1)/(75 + 1) = 0.97368.
    assert found["V-02"].sheets[0].rows[0][1] == "0.97368"
    assert {claim.verdict for claim in found["V-15"].claims} == {Verdict.CANNOT_FAIL}
