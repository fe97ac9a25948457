# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper on Hybla-IM: its rows, and its formulas against numbers worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
import pyarrow as pa
import pytest

import bentpipe as bp
from bentpipe.study import Effort, Verdict, choose, reproduce
from bentpipe_papers.hybla_im import (
    STUDY,
    bed,
    claims,
    curves,
    ns2,
    readings,
    rows_constellation,
    rows_delay,
    rows_equations,
    rows_growth,
    rows_rates,
    rows_simulation,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_every_row_of_the_paper_is_there_once() -> None:
    assert [row.id for row in STUDY.rows] == [f"H-{number:02}" for number in range(1, 30)]


def test_cheap_rows_are_read(tmp_path: Path) -> None:
    wanted = ["H-03", "H-06", "H-07", "H-08", "H-12", "H-17", "H-22"]
    effort = Effort((1, 2), quick=True)
    found = reproduce(choose("hybla-im", wanted), effort, out=tmp_path).found["hybla-im"]
    assert list(found) == wanted
    assert not [kept.failed for kept in found.values() if kept.failed]
    for row in ("H-03", "H-06", "H-07", "H-08", "H-12", "H-17"):
        assert {claim.verdict for claim in found[row].claims} <= {Verdict.HOLDS, Verdict.CANNOT_FAIL}, row
    assert found["H-22"].claims[1].verdict is Verdict.CONTRADICTS
    assert "26.2" in found["H-22"].claims[1].contradiction
    assert found["H-22"].claims[1].implied == pytest.approx(26.23, abs=0.01)
    # GEO: 4 · 35,786 km and 4 · 40,581 km (at 10°) at the speed of light.
    least, longest = found["H-07"].claims[4:]
    assert (least.measured.mean, longest.measured.mean) == pytest.approx((477.5, 541.5), abs=0.1)
    assert (least.sign, longest.sign, least.bound, longest.bound) == (-1, 1, True, True)


def test_runs_with_packets_are_read(tmp_path: Path) -> None:
    # Two seeds of one row with losses, series, snapshots and verdicts in it.
    effort = Effort((1, 2), quick=True)
    found = reproduce(choose("hybla-im", ["H-16"]), effort, out=tmp_path).found["hybla-im"]["H-16"]
    assert not found.failed
    assert not found.claims
    assert found.drawings


def test_the_papers_percentages_contradict_each_other_at_the_highest_error_rate() -> None:
    # 1.06 * 0.927 / 0.87 = 1.1294; times 0.76 / 0.68 = 1.2623. The paper prints 13 % and 17 %.
    assert claims.implied_ratio(1e-3) == pytest.approx(12.94, abs=0.01)
    assert claims.implied_ratio(1e-2) == pytest.approx(26.23, abs=0.01)
    assert claims.contradiction(1e-4) == ""
    assert claims.contradiction(1e-3) == ""
    assert "26.2" in claims.contradiction(1e-2)
    # The other way round: 0.76 / (1.17 / 1.13) = 0.7340, 0.68 * (1.17 / 1.13) = 0.7041.
    assert claims.implied_fall("hybla", 1e-2) == pytest.approx(-26.60, abs=0.01)
    assert claims.implied_fall("hybla-im", 1e-2) == pytest.approx(-29.59, abs=0.01)
    # As shares of Hybla at 1e-4: 1.06 * 0.927 - 0.87 = 0.1126, 1.06 * 0.927 * 0.76 - 0.87 * 0.68 = 0.1552.
    assert list(claims.gains_over_the_first().values()) == pytest.approx([11.26, 15.52], abs=0.01)


def test_how_long_a_path_goes_over_one_satellite() -> None:
    via = ["B > 1/1 > 1/2 > C", "B > 1/2 > C", "", "B > 1/2 > C"]
    paths = {"time_s": [0.0, 10.0, 25.0, 90.0], "from": ["B"] * 4, "to": ["C"] * 4, "via": via}
    summary = {"flows": [{"from": "B", "to": "C"}], "provenance": {"duration_s": 100.0}}
    # 10 to 25 s and 90 to 100 s; nothing where there is no path.
    assert rows_simulation.one_satellite_s(cast("bp.Run", SimpleNamespace(paths=paths, summary=summary))) == 25.0


def test_a_detector_is_judged_by_the_runs_that_had_losses_of_both_causes() -> None:
    kinds = ("congestion_as_congestion", "congestion_as_error", "error_as_error", "error_as_congestion", "spurious")

    def judged(**counts: int) -> bp.Run:
        verdicts = {**dict.fromkeys(kinds, 0), **counts}
        return cast("bp.Run", SimpleNamespace(summary={"flows": [{"verdicts": verdicts}]}))

    both = judged(congestion_as_congestion=3, congestion_as_error=1, error_as_error=1, error_as_congestion=1)
    only_errors = judged(error_as_error=5)
    # 3/4 + 1/2 - 1.
    found = claims.better([both, both, only_errors])
    assert found is not None
    assert found.mean == pytest.approx(0.25)
    assert found.samples == 2
    assert claims.better([both, only_errors]) is None
    # Half and none of the judged link errors led to a reduction: a quarter in the mean.
    called = claims.spared([both, only_errors])
    assert called is not None
    assert called.mean == pytest.approx(25.0)
    # Two calls and none, beside one each of the other controller.
    made = {"hybla": [both, both], "hybla-im": [judged(error_as_congestion=2), only_errors]}
    assert claims.fewer(lambda _, name: made[name], 1e-2).mean == 0.0


def test_every_reading_has_both_of_the_pair_and_a_name_of_its_own() -> None:
    assert len({one.words for one in readings.READINGS}) == len(readings.READINGS)
    assert all(tuple(one.pair) == bed.PAIR for one in readings.READINGS)
    planned = readings.plan(Effort((1, 2)))
    assert len({scenario.to_toml() for scenario in planned.values()}) == len(readings.READINGS) * 3 * 2 * 2


def test_the_main_reading_is_the_texts_equations_over_the_tools_defaults() -> None:
    pair = [bed.VARIANTS[name] for name in bed.PAIR]
    assert [one["name"] for one in pair] == ["hybla", "hybla-im-literal"]
    assert all(one["pacing"] is False and one["gamma"] == 20 for one in pair)
    tcp = bed.scenario(bed.T1, 1e-3, pair[0], 1, name="x").tcp
    assert tcp is not None
    assert (tcp.preset, tcp.mss, tcp.header, tcp.receive_window) == ("ns2-linux", "1000 B", "50 B", "unlimited")


def test_only_a_reading_that_says_so_may_be_held_back_by_a_receive_window() -> None:
    held = {key for key in readings.plan(Effort((1,))) if readings.bounded(key)}
    words = {readings.READINGS[cast("int", key[1])].words for key in held}
    assert words == {"a window_ of 20 limits both controllers", "ns-2's Newreno below, window_ of 20"}
    assert not readings.bounded((bed.T1.id, 1e-3, "hybla", 1))


def test_tables_take_no_more_seeds_however_far_a_row_goes() -> None:
    effort = Effort(tuple(range(1, 21)), looks=(10, 20))
    assert bed.for_tables(effort).seeds == effort.seeds[:10]
    row = next(row for row in STUDY.rows if row.id == "H-21")
    planned = row.plan(effort)
    seeds = {per: {key[-1] for key in planned if key[:3] == ("T1", per, "hybla")} for per in bed.PERS}
    assert [len(seeds[per]) for per in bed.PERS] == [10, 20, 20]


def test_a_headline_that_is_simulated_has_a_curve() -> None:
    # H-22 to H-27 but H-24 have no headline; what H-20 says of Hybla's fall is none.
    found = {row.id: "".join(row.curves) for row in STUDY.rows if row.curves}
    assert found == {"H-11": "b", "H-15": "c", "H-18": "a", "H-19": "ad", "H-20": "c", "H-21": "ac", "H-24": "b"}
    assert curves.FALL.paper == -32.0
    assert [curves.gain(per).paper for per in bed.PERS] == [6.0, 13.0, 17.0]


def test_curves_over_the_papers_network_take_their_runs_from_the_same_combinations() -> None:
    made = [curve for row in STUDY.rows for curve in row.curves.values() if curve is not curves.GROWTH]
    [over_t1] = {curve.combinations for curve in made}
    assert len(over_t1) in (curves.SAMPLE, curves.SAMPLE + 1)  # the main reading may not be in the design
    wanted = [("hybla", per) for per in bed.PERS] + [("hybla-im", per) for per in bed.PERS]
    texts = {
        scenario.to_toml()
        for combination in over_t1
        for scenario in curves.plan(wanted, curves.FALL.values(combination), 1).values()
    }
    assert len(texts) <= 6 * len(over_t1)
    for curve in made:
        assert {one.to_toml() for one in curve.scenarios((1,)).values()} <= texts


def test_every_combination_of_the_curves_runs() -> None:
    # Half a second each: what a controller or the TCP below refuses is refused before the first packet.
    for combination in curves.FALL.combinations:
        for scenario in curves.plan([("hybla", 1e-2), ("hybla-im", 1e-2)], curves.FALL.values(combination), 1).values():
            bp.run(replace(scenario, duration="500 ms"))
    for combination in curves.GROWTH.combinations:
        for scenario in curves.GROWTH.plan(curves.GROWTH.values(combination), 1).values():
            bp.run(replace(scenario, duration="500 ms"))


def test_doublings_are_the_mean_of_logarithms() -> None:
    # 2, 4 and 1/2 times: 1, 2 and -1 doublings.
    assert claims.doublings([2.0, 4.0, 1.0], [1.0, 1.0, 2.0]).mean == pytest.approx(2.0 / 3.0)


def test_ns2s_falls_stand_beside_the_main_reading() -> None:
    found, note = ns2.fall(1e-2)
    assert found is not None
    assert found.samples == 5
    assert -4.0 < found.mean < 0.0
    assert "5 epochs" in note


def test_what_ns2_itself_loses_is_read_sky_by_sky() -> None:
    # data/ns2/README.md: five flows, `window_` 100, errors between satellites: 20.7 to 12.9 Mbit/s in the mean.
    by_sky = ns2.by_sky(bed.T2, 1e-2, "isl", 100)
    assert sum(by_sky.values()) / 3 == pytest.approx(12.9, abs=0.05)
    # Sky 1 has one hop: 16.997 / 21.524 - 1 = -21.0 %; the others lose about half.
    falls = ns2.falls(bed.T2, 1e-2, "isl", 100)
    assert falls[1] == pytest.approx(-21.0, abs=0.05)
    assert max(falls[0], falls[2]) < -40.0
    assert ns2.cell([]) == "–"


def test_growth_in_avoidance_is_read_from_the_longest_stretch() -> None:
    phases = ["slow start", "avoidance", "avoidance", "recovery", *["avoidance"] * 4]
    windows = [9.0, 10.0, 11.0, 5.0, 5.0, 7.0, 9.0, 11.0]
    table = pa.table({"time_s": [float(t) for t in range(8)], "cwnd_segments": windows, "phase": phases})
    run = cast("bp.Run", SimpleNamespace(flows=bp.Table(table)))
    # Four samples of calm at the end, from 5 to 11 in three seconds: 2 per second, 1 per round trip of half a second.
    assert rows_equations.per_round_in_avoidance(run, 500.0) == pytest.approx(1.0)


def test_the_ratio_of_equations_8_and_9_is_the_least_spacing_over_this_one() -> None:
    # Gaps of 2, 1 and 4: the least so far is 2, 1 and 1.
    assert list(rows_growth.spacing_ratios(np.array([0.0, 2.0, 3.0, 7.0]))) == [1.0, 1.0, 0.25]


def test_distance_of_satellites_in_a_plane() -> None:
    # Eleven in a circle of 7158.137 km: a chord of 360/11 degrees is 2 r sin(16.3636 deg) = 4033.4 km.
    angle = rows_delay.central_angle(0.0, 0.0, math.radians(360 / 11), 0.0)
    assert math.degrees(angle) == pytest.approx(32.727, abs=1e-3)
    assert rows_delay.link_km(7158.137, 7158.137, angle) == pytest.approx(4033.4, abs=0.1)
    # Over the pole the longitudes are opposite: 80 degrees north on both sides are 20 degrees apart.
    over_the_pole = rows_delay.central_angle(math.radians(80), 0.0, math.radians(80), math.pi)
    assert math.degrees(over_the_pole) == pytest.approx(20.0)


def test_slant_range_and_elevation() -> None:
    # GEO at the horizon: sqrt(42157^2 - 6371^2) = 41,673 km over a round Earth of 6371 km.
    assert rows_rates.slant_range_km(35786.0, 0.0) == pytest.approx(41673.0, abs=1.0)
    assert rows_rates.slant_range_km(780.0, 90.0) == pytest.approx(780.0)
    # Zenith of GEO: 4 * 35786 km / 299792.458 km/s = 477.5 ms.
    assert rows_rates.bent_pipe_ms(35786.0) == pytest.approx(477.5, abs=0.05)
    # Above the equator, 7158.137 km from the centre: in the zenith, and on the horizon (acos 6378.137/7158.137 away).
    above = {"x_km": 7158.137, "y_km": 0.0, "z_km": 0.0, "longitude_deg": 20.0}
    assert rows_constellation.elevation_deg(above, 0.0, 20.0, 780.0) == pytest.approx(90.0, abs=1e-3)
    assert rows_constellation.elevation_deg(above, 0.0, 47.0, 3250.0) == pytest.approx(0.0, abs=0.1)


def test_every_seed_has_its_sky() -> None:
    offsets = [bed.sky_offset_s(seed) for seed in range(1, 11)]
    assert len(set(offsets)) == 10
    assert all(0 <= offset < 6027 for offset in offsets)


def test_every_seed_has_its_round_trip_within_5_percent() -> None:
    trips = [bed.rtt_ms(550.0, seed) for seed in range(1, 11)]
    assert len(set(trips)) == 10
    assert all(522.5 <= trip <= 577.5 for trip in trips)
