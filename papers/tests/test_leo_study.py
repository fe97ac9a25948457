# SPDX-License-Identifier: MIT OR Apache-2.0
"""The study of competing flows: its arithmetic against numbers worked out by hand, and rows that are cheap to make."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import bentpipe as bp
from bentpipe.study import Effort, Verdict, choose, jain, reproduce, smaller_over_larger
from bentpipe_papers.leo_study import (
    STUDY,
    bed,
    capacity,
    curves,
    readings,
    rows_announced,
    rows_matrix,
    rows_metric,
    rows_network,
    rows_response,
    rows_single,
)
from bentpipe_papers.star import Star

if TYPE_CHECKING:
    from pathlib import Path


def test_every_row_of_the_study_is_there_in_its_order() -> None:
    assert [row.id for row in STUDY.rows] == [f"G-{number:02d}" for number in range(1, 24)]


def test_cheap_rows_are_read_without_failure(tmp_path: Path) -> None:
    cheap = ["G-09", "G-10", "G-17", "G-23"]
    found = reproduce(choose("leo-study", cheap), Effort((1, 2), quick=True), out=tmp_path, threads=1).found[
        "leo-study"
    ]
    assert [kept.failed for kept in found.values()] == [""] * len(cheap)
    assert not found["G-10"].claims  # a definition
    # The slides print no distance: that RTT is not proportional to it is our measurement, and contradicts nothing.
    assert found["G-09"].claims[1].verdict is Verdict.FAILS


def test_the_window_grows_by_the_gain_alone_on_a_path() -> None:
    # α d/W for each of W/2 ACKs: α d = 12201/567 = 21.5 makes 10.76 segments per round trip, and 105/11 4.77 by RTT.
    scenarios = rows_response.plan_gain(Effort((1,)))
    for label, grown in (("Reno", 0.5), (bed.BY_DISTANCE, 10.76), (bed.BY_RTT, 4.77)):
        run = bp.run(scenarios[label, "Wuhan"])
        assert rows_response.growth_per_round_trip(run) == pytest.approx(grown, rel=0.05)


def test_what_counts_acks_and_what_counts_segments_grow_alike_where_every_segment_is_acknowledged() -> None:
    for stack in (bed.BY_SEGMENTS, bed.BARE_MACHINE):
        assert bed.variants(567.0, stack)[bed.BY_DISTANCE] == bed.by_reference(567.0, stack)
        assert bed.by_reference(567.0, stack) == {
            "name": "geo-reno",
            "alpha_mode": "reference-distance",
            "d_ref_km": 567.0,
        }
        assert bed.reno(stack) == "reno"
    # Hypatia's ACKs cover two segments: both count the ACK ("For every Ack"), with the same reference distance.
    assert bed.by_reference(567.0)["d_ref_km"] == 567.0
    assert [bed.by_reference(567.0)["byte_counting"], bed.reno()["byte_counting"]] == [False, False]


def test_the_bed_is_hypatias() -> None:
    said = bed.competing(bed.WASHINGTON, bed.reno(), 1).resolved()
    for line in ('mss = "1.38 kB"', 'min_rto = "1 s"', 'setup = "handshake"', "every = 2", 'queue = "100 packets"'):
        assert line in said
    # 100 packets of 1432 bytes at 10 Mbit/s.
    assert pytest.approx(114.56) == bed.BUFFER_MS


def test_every_measured_headline_that_can_be_read_in_several_ways_has_a_curve() -> None:
    made = {row.id: "".join(row.curves) for row in STUDY.rows if row.curves}
    assert made == {"G-03": "a", "G-05": "ab", "G-11": "ab", "G-12": "bc", "G-14": "abcd", "G-16": "ac"}


def test_every_combination_of_a_curve_is_a_scenario_and_runs_are_shared() -> None:
    texts = {}
    for row in STUDY.rows:
        for curve in row.curves.values():
            if not isinstance(curve, Star):
                assert len(curve.combinations) == curve.whole_size  # all of them, no sample
            texts |= {scenario.to_toml(): scenario for scenario in curve.scenarios((1, 2)).values()}
    for text in sorted(texts)[::7]:
        texts[text].resolved()
    # Two flows: jitter or not with three kinds of pings, and with each of these another TCP, buffer, queue or epoch: 30
    # of Reno; of Geo-Reno also three other α: 48. One flow: 8 of Reno, 16 of Vegas, 16 of Copa. All seeds differ.
    assert len(texts) == 2 * 6 * (1 + 4) + 2 * 6 * (1 + 4 + 3) + 2 * (8 + 16 + 16)


def test_a_star_has_each_option_alone_beside_all_that_is_crossed() -> None:
    # Time span, jitter and pings: 12 combinations; α has three others, and TCP, buffer, queue and epoch one each.
    assert len(curves.GEO.combinations) == 12 * (1 + 3 + 4) < curves.GEO.whole_size
    assert len(set(curves.GEO.combinations)) == len(curves.GEO.combinations)
    assert curves.GEO.combinations[0] == (0,) * len(curves.GEO.choices)


def test_the_gain_compares_with_reno_in_the_same_combination() -> None:
    of_reno = {scenario.to_toml() for scenario in curves.RENO.scenarios((1,)).values()}
    of_geo = {scenario.to_toml() for scenario in curves.GEO.scenarios((1,)).values()}
    made = curves.GAIN.scenarios((1,))
    assert {scenario.to_toml() for scenario in made.values()} == of_reno | of_geo
    while_sharing = curves.GAIN.combinations[[one[1] for one in curves.GAIN.combinations].index(1)]
    assert {key[1] for key in made if key[0] == while_sharing} == {
        "Reno, while the paths share a link",
        "Geo-Reno, while the paths share a link",
    }


def test_a_printed_number_of_fairness_has_no_side() -> None:
    # 100 % is the largest ratio of the smaller to the larger, so every combination would be below it.
    assert [one.side for one in (curves.RENO, curves.ON_METRICS, curves.GEO)] == [0] * 3
    assert (curves.GAIN.side, curves.GAIN_ON_METRICS.paper) == (1, 13.9)


def test_main_readings_of_a_curve_are_those_of_the_rows() -> None:
    main = curves.GEO.scenarios((1,))
    first = next(scenario for key, scenario in main.items() if not any(key[0]))
    assert first.to_toml() == readings.plan(Effort((1,)))[bed.BY_DISTANCE, 1].to_toml()
    (reno, vegas) = (
        curves.LOSS_BASED.plan(curves.LOSS_BASED.values((0, 0, 0, 0)), 1)[one] for one in ("Reno", "Vegas")
    )
    planned = rows_single.over_starts(Effort((1,)), "Reno", "CUBIC", "Vegas")
    assert [reno.to_toml(), vegas.to_toml()] == [planned["Reno", 1].to_toml(), planned["Vegas", 1].to_toml()]


def test_every_reading_has_its_runs() -> None:
    effort = Effort((1, 2))
    planned = readings.plan(effort)
    for one in readings.READINGS:
        for seed in effort.seeds:
            assert (one.geo, seed) in planned
            assert (one.reno, seed) in planned


def test_every_scenario_is_accepted() -> None:
    for row in STUDY.rows:
        for scenario in list(row.plan(Effort((1, 2), quick=True)).values())[:8]:
            scenario.resolved()


def test_distances_on_the_sphere() -> None:
    # A quarter of a great circle of 6371 km is 10007.5 km.
    assert bed.geodesic_km((0.0, 0.0), (0.0, 90.0)) == pytest.approx(10007.5, abs=0.1)
    assert bed.geodesic_km((90.0, 0.0), (0.0, 123.0)) == pytest.approx(10007.5, abs=0.1)
    assert bed.geodesic_km((10.0, 20.0), (10.0, 20.0)) == 0.0


def test_fairness_of_two_rates() -> None:
    # 18.7 % and 81.3 %: 1/(2 (0.187² + 0.813²)) = 1/1.39188 = 0.7185.
    assert jain([18.7, 81.3]) == pytest.approx(0.7185, abs=1e-4)
    assert smaller_over_larger(8.0, 2.0) == 25.0
    assert math.isnan(smaller_over_larger(0.0, 0.0))


def test_the_queue_that_each_reading_needs() -> None:
    # (11 + q)/(105 + q) = 0.718: q = (0.718 * 105 - 11)/(1 - 0.718) = 64.39/0.282 = 228.3 ms. Where losses coincide the
    # square root, 0.84735, stands for 0.718: 77.972/0.15265 = 510.8 ms.
    needed = rows_metric.queues_needed()
    assert needed["smaller over larger", "independent"] == pytest.approx(228.3, abs=0.1)
    assert needed["smaller over larger", "coincide"] == pytest.approx(510.8, abs=0.1)
    # Jain's index of 71.8 % is that of rates 0.18666 : 1.
    assert needed["Jain's index", "coincide"] == pytest.approx(75.4, abs=0.1)
    # (11 + 83)/(105 + 83) = 94/188 = 1/2, and its square is 1/4.
    assert rows_metric.shares(83.0) == pytest.approx({"independent": 50.0, "coincide": 25.0})


def test_modcods_by_range() -> None:
    # At the longest range QPSK 3/4 just holds. Half the range is 6.02 dB more, 10.05 dB: 16APSK 2/3 needs 8.97 dB and
    # 3/4 10.21 dB. At 1000 of 1260 km it is 2.007 dB more, 6.04 dB: 8PSK 3/5 needs 5.50 dB, 2/3 6.62 dB.
    assert capacity.efficiency(1260.0, 1260.0) == 1.487473
    assert capacity.efficiency(630.0, 1260.0) == 2.637201
    assert capacity.efficiency(1000.0, 1260.0) == 1.779991


def test_capacity_has_the_same_mean_whatever_moves_it() -> None:
    spans = {}
    for kind in capacity.KINDS:
        rate = capacity.rates(kind, 1)
        assert rate[10:].mean() == pytest.approx(10e6)
        spans[kind] = rate.max() / rate.min()
    assert spans[capacity.CONSTANT] == 1.0
    # A site looks down to 26.5° here, where the shift is 19.8 ppm: from one end of a pass to the other 40 ppm at most.
    assert 1.0 < spans[capacity.DOPPLER] < 1.00004
    # 16APSK 2/3 over QPSK 3/4.
    assert spans[capacity.SWING] == pytest.approx(2.637201 / 1.487473)


def test_fit_and_stretch() -> None:
    km = np.array([500.0, 800.0, 6000.0, 9000.0])
    assert rows_network.line_fit(km, 5.0 + 0.01 * km) == pytest.approx((5.0, 0.01, 1.0))
    light = 2.0 * km / 299.792458
    assert rows_network.stretch_ratio(km, light * np.array([3.0, 5.0, 1.5, 2.5])) == pytest.approx(2.0)


def made_up(ways: dict[str, list[tuple[float, str]]]) -> Any:
    """As much of a run as `sharing` looks at."""
    rows = [(time, origin, via) for origin, way in ways.items() for time, via in way]
    paths = {
        "time_s": [time for time, _, _ in rows],
        "from": [origin for _, origin, _ in rows],
        "to": ["Z"] * len(rows),
        "via": [via for _, _, via in rows],
    }
    flows = [{"from": origin, "to": "Z"} for origin in ways]
    return SimpleNamespace(paths=paths, summary={"flows": flows, "provenance": {"duration_s": 40.0}})


def test_when_two_paths_share_a_link() -> None:
    run = made_up(
        {
            "A": [(0.0, "A > 1 > 2 > Z"), (10.0, "A > 1 > 3 > Z"), (30.0, "A > 4 > 2 > Z")],
            "B": [(0.0, "B > 2 > Z"), (20.0, "B > 3 > Z"), (25.0, "")],
        }
    )
    # 2 > Z until 10 s, 3 > Z from 20 s until B has no path at 25 s. A satellite in common is no link in common.
    assert bed.sharing(run) == [(0.0, 10.0), (20.0, 25.0)]
    assert bed.within([1.0, 10.0, 11.0, 21.0, 25.5], [(0.0, 10.0), (20.0, 25.0)]) == [True, True, False, True, False]


def test_starts_and_epochs_differ_by_seed() -> None:
    drawn = {bed.chance(seed, flow) for seed in range(1, 11) for flow in range(2)}
    assert len(drawn) == 20
    assert all(0.0 <= value < 1.0 for value in drawn)
    assert len({bed.epoch_s(seed) for seed in range(1, 11)}) == 10
    # Two flows that start together would share the seed's phase: the differences of drawn starts are all different.
    starts = [(bed.drawn(seed, 0), bed.drawn(seed, 1)) for seed in range(1, 11)]
    assert all(0.0 <= start < 1.0 for pair in starts for start in pair)
    assert len({round(one - other, 6) % 1.0 for one, other in starts}) == 10


def test_the_matrix_knows_every_controller_that_can_run_without_marks() -> None:
    catalogue = {entry["name"] for entry in bp.controllers()} - {"dctcp", "prague"}
    assert set(rows_matrix.names(Effort((1, 2)))) == catalogue
    assert set(rows_matrix.SOME) <= catalogue


@pytest.mark.parametrize("name", ["Vegas", "Copa"])
def test_a_controller_that_is_told_does_not_take_a_longer_path_for_a_queue(name: str) -> None:
    rates = []
    steps = [("0 s", "50 ms"), ("20 s", "65 ms")]
    for controller in (rows_announced.PAIRS[name].without, rows_announced.PAIRS[name].knows):
        link = bp.Link(rate="10 Mbit/s", delay_steps=steps, queue="100 packets")
        network_ = bp.Dumbbell(rate="10 Mbit/s", delay_steps=steps, queue="100 packets", reverse=link)
        scenario = bp.Scenario(
            name=name,
            duration="29 s",
            warm_up="22 s",
            network=bp.Network(dumbbell=network_, announce="1 s"),
            flows=[bp.Flow(controller=controller)],
        )
        rates.append(float(bp.run(scenario).summary["totals"]["delivered_mbit_s"]))
    # 30 ms taken for a queue leave at most 3 segments of 1448 B in 30 ms, 1.2 Mbit/s, plus the way down.
    assert rates[0] < 5.0
    assert rates[1] > 9.0
