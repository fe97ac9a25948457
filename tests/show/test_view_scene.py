# SPDX-License-Identifier: MIT OR Apache-2.0
"""The viewer's scenes, compared with the tables of their runs."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bentpipe as bp
from bentpipe.show.viewer import levels as _levels
from bentpipe.show.viewer import scene as _scene
from bentpipe.show.viewer.buffers import Buffer
from earlier import without_digests
from project import ROOT
from viewed import CHAIN, ORBIT, curve, values


def test_window_and_rtt_at_a_hundred_moments_are_those_of_the_table(orbit: Path) -> None:
    run = bp.load(orbit)
    scene = _scene.of_runs([run])
    made = scene.document["runs"][0]
    rows = run.flows.to_pandas().set_index(["flow", "time_s"])
    times = np.random.default_rng(1).choice(sorted(set(run.flows["time_s"])), 100)
    columns = {
        "cwnd": "cwnd_segments", "rtt": "rtt_ms", "propagation_rtt": "propagation_rtt_ms", "queue": "queueing_delay_ms",
        "delivery_rate": "goodput_mbit_s", "in_flight": "in_flight_segments", "ssthresh": "ssthresh_segments",
    }  # fmt: skip
    for flow in (0, 1):
        for quantity, column in columns.items():
            finest = curve(made, {"flow": flow}, quantity)["levels"][0]
            at, low, high = (values(scene, finest[part]) for part in ("time", "low", "high"))
            assert np.array_equal(low, high, equal_nan=True)
            for moment in times:
                told, there = low[np.searchsorted(at, moment)], rows[column].get((flow, moment), math.nan)
                assert told == pytest.approx(there, rel=1e-6, nan_ok=True), (flow, quantity, moment)
    assert {one["quantity"] for one in made["curves"] if one["of"] == {"flow": 2}}.isdisjoint({"cwnd", "ssthresh"})


def test_the_way_at_a_hundred_moments_is_that_of_the_table(orbit: Path) -> None:
    run = bp.load(orbit)
    scene = _scene.of_runs([run])
    made = scene.document["runs"][0]
    names = {node["id"]: node["name"] for node in made["nodes"]}
    for flow, way in ((0, ("London", "New York")), (1, ("New York", "London"))):
        path = next(one for one in made["paths"] if one["flow"] == flow)
        starts, ends, nodes = (values(scene, path[part]) for part in ("time", "node_start", "nodes"))
        assert path["count"] == len(starts) == len(ends) - 1
        rows = [row for row in run.paths.arrow.to_pylist() if (row["from"], row["to"]) == way]
        for moment in np.linspace(0.0, 100.0, 100):
            place = int(np.searchsorted(starts, moment, side="right")) - 1
            told = " > ".join(names[node] for node in nodes[ends[place] : ends[place + 1]])
            assert told == [row["via"] for row in rows if row["time_s"] <= moment][-1]
        for start, rtt in zip(starts, values(scene, path["rtt_ms"]), strict=True):
            there = next(row["propagation_rtt_ms"] for row in rows if row["time_s"] == start)
            assert rtt == pytest.approx(there, rel=1e-6)
    assert len(starts) > 2, "the way changed meanwhile"


def test_satellites_stand_where_the_sky_has_them(orbit: Path) -> None:
    """Positions between two stored moments agree with the constellation itself within a kilometre."""
    run = bp.load(orbit)
    scene = _scene.of_runs([run])
    positions = scene.document["runs"][0]["positions"]
    states = values(scene, positions["data"]).reshape(positions["knots"], len(positions["satellites"]), 6)
    sky, h = bp.constellation("starlink-550"), positions["step_s"]
    for moment in (0.0, 7.0, 33.0, 50.0, 99.0):
        knot = min(int(moment / h), positions["knots"] - 2)
        s = moment / h - knot
        (p0, v0), (p1, v1) = (np.split(states[at].astype(float), 2, axis=1) for at in (knot, knot + 1))
        told = (
            (1 + 2 * s) * (1 - s) ** 2 * p0
            + s * (1 - s) ** 2 * h * v0
            + s * s * (3 - 2 * s) * p1
            - s * s * (1 - s) * h * v1
        )
        nodes = sky._look(f"{moment} s", [])[0].to_pandas()
        real = nodes[nodes.kind == "satellite"][["x_km", "y_km", "z_km"]].to_numpy()
        assert np.linalg.norm(told - real, axis=1).max() < 1.0


def test_events_say_why_a_window_was_cut(orbit: Path) -> None:
    """Events are compared with the table's rows. At one time the first loss counts, then a mark, then a timeout."""
    run = bp.load(orbit)
    scene = _scene.of_runs([run])
    made = scene.document["runs"][0]
    rows = [row for row in run.events.arrow.to_pylist() if row["flow"] == 0]
    one = next(one for one in made["events"] if one["flow"] == 0)
    told = [row for row in rows if row["event"] in one["kinds"]]
    parts = {part: values(scene, one[part]) for part in ("time", "kind", "reason", "before", "after")}
    assert parts["time"].tolist() == [row["time_s"] for row in told]
    assert [one["kinds"][code] for code in parts["kind"]] == [row["event"] for row in told]
    reasons = [one["reasons"][code] for code in parts["reason"]]
    cuts = [at for at, row in enumerate(told) if row["event"] == "cut"]
    for at in cuts:
        row = told[at]
        assert (parts["before"][at], parts["after"][at]) == pytest.approx((row["before"], row["after"]), rel=1e-6)
        just_then = [other for other in rows if other["time_s"] == row["time_s"]]
        kinds = {other["event"] for other in just_then}
        losses = [other["cause"] for other in just_then if other["event"] == "loss"]
        expected = "timeout" if "timeout" in kinds else "mark" if "mark" in kinds else (losses or ["unknown"])[0]
        assert reasons[at] == expected
    assert {"timeout", "queue", "outage"} <= {reasons[at] for at in cuts}
    of = {loss["cause"]: loss for loss in made["losses"] if loss["flow"] == 0}
    losses = [row for row in rows if row["event"] == "loss"]
    assert set(of) == {row["cause"] for row in losses}
    for cause, loss in of.items():
        times = [row["time_s"] for row in losses if row["cause"] == cause]
        assert (loss["count"], values(scene, loss["time"]).tolist()) == (len(times), times)
    phases = next(one for one in made["phases"] if one["flow"] == 0)
    names = [phases["names"][code] for code in values(scene, phases["name"])]
    assert names == [row["detail"] for row in rows if row["event"] == "phase"]


def test_a_controller_without_slow_start_has_no_threshold(tmp_path: Path) -> None:
    """BBRv3 tells the transport that it never is in slow start. This is not a threshold of zero segments."""
    text = CHAIN.replace(
        'controller = "reno" }', 'controller = "bbr3" }, { from = "0", to = "2", controller = "reno" }'
    )
    bp.run(text, out=tmp_path / "two")
    run = bp.load(tmp_path / "two")
    scene = _scene.of_runs([run])
    made = scene.document["runs"][0]
    low = [values(scene, curve(made, {"flow": flow}, "ssthresh")["levels"][0]["low"]) for flow in (0, 1)]
    assert np.isnan(low[0]).all()
    assert np.nanmin(low[1]) >= 2.0, "RFC 5681: no threshold is below two segments"


def test_a_level_holds_the_least_and_the_most_of_its_buckets() -> None:
    """Buckets are computed by hand. Unknown values are ignored, and a bucket of only unknown values is unknown."""
    samples = (np.sin(np.arange(9_001)) * np.arange(9_001)).astype("<f4")
    samples[100:200] = np.nan
    buffer = Buffer("b")
    times = _levels.Times(buffer, 9_001, lambda: np.arange(9_001) * 0.1)
    levels = _levels.levels(buffer, times, lambda: samples)
    assert [level["count"] for level in levels] == [9_001, 2_251, 563]
    scene = _scene.Scene({}, {"b": buffer})
    for number, level in enumerate(levels):
        at, low, high = (values(scene, level[part]) for part in ("time", "low", "high"))
        for bucket in (0, 1, 7, 8, 30, len(low) - 1):
            inside = samples[bucket * 4**number : (bucket + 1) * 4**number]
            known = inside[np.isfinite(inside)]
            assert at[bucket] == pytest.approx(bucket * 4**number * 0.1)
            if known.size:
                assert (low[bucket], high[bucket]) == (known.min(), known.max())
            else:
                assert np.isnan(low[bucket])
                assert np.isnan(high[bucket])


def test_links_that_rest_are_at_nought(orbit: Path) -> None:
    run = bp.load(orbit)
    scene = _scene.of_runs([run])
    made = scene.document["runs"][0]
    links = {link["id"]: link for link in made["links"]}
    rows = run.links.to_pandas()
    every = np.unique(rows.time_s)
    for link in list(dict.fromkeys(rows.link))[:6]:
        assert links[link]["name"] == rows[rows.link == link].name.iloc[0]
        levels = curve(made, {"link": int(link)}, "utilisation")["levels"][0]
        at, told = values(scene, levels["time"]), values(scene, levels["low"])
        own = 100.0 * rows[rows.link == link].set_index("time_s").utilisation
        for moment in every[::17]:
            place = int(np.searchsorted(at, moment, side="right")) - 1
            held = told[place] if place >= 0 else 0.0
            assert held == pytest.approx(own.get(moment, 0.0), rel=1e-6), (link, moment)


def test_plain_networks_have_a_drawing_and_no_globe(tmp_path: Path) -> None:
    bp.run(CHAIN, out=tmp_path / "chain")
    made = _scene.of_runs([bp.load(tmp_path / "chain")]).document["runs"][0]
    assert made["positions"] is None
    assert [(node["name"], node["kind"]) for node in made["nodes"]] == [("0", "site"), ("1", "router"), ("2", "site")]
    assert [node["x"] for node in made["nodes"]] == sorted(node["x"] for node in made["nodes"])
    assert {(link["from"], link["to"]) for link in made["links"]} == {(0, 1), (1, 0), (1, 2), (2, 1)}


def test_an_older_folder_opens_and_says_what_it_lacks(orbit: Path, tmp_path: Path) -> None:
    old = shutil.copytree(orbit, tmp_path / "old")
    for name in ("nodes", "link_ends", "positions"):
        (old / f"{name}.parquet").unlink()
    scene = _scene.of_runs([bp.load(old)])
    assert scene.document["runs"][0]["positions"] is None
    assert any("no tables of nodes and positions" in note for note in scene.document["notes"])
    path = scene.document["runs"][0]["paths"][0]
    assert path["count"] > 1
    assert values(scene, path["nodes"]).size


def test_names_are_told_apart_by_links() -> None:
    """Two satellites have the same name, and a name contains the separator of names."""
    from bentpipe.show.viewer.places import Places

    places = Places.__new__(Places)
    names = ["A > B", "OBJECT", "OBJECT", "C"]
    places._nodes = [{"node": number, "name": name, "kind": "site"} for number, name in enumerate(names)]
    places._numbers = {"A > B": [0], "OBJECT": [1, 2], "C": [3]}
    places._linked = {(0, 2), (2, 3), (3, 1)}
    places._run = bp.run(CHAIN, duration="10 ms")
    assert places.way("A > B > OBJECT > C") == (0, 2, 3)
    assert places.way("") == ()
    with pytest.raises(bp.RunError, match="table of nodes lacks"):
        places.way("A > B > somewhere > C")


def test_a_run_without_a_folder_has_a_scene_too() -> None:
    run = bp.run(ORBIT, duration="4 s")
    made = _scene.of_runs([run]).document["runs"][0]
    assert made["folder"] is None
    assert made["positions"]["knots"] == 2


def test_a_catalogue_dates_the_run() -> None:
    run = bp.run(ROOT / "scenarios" / "starlink-catalogue.toml", duration="1 s")
    made = _scene.of_runs([run]).document["runs"][0]
    assert made["epoch_utc"].startswith("2022-09-14T"), "the day of its element sets"
    assert len(made["positions"]["satellites"]) == sum(node["kind"] == "satellite" for node in made["nodes"])


def test_runs_without_series_say_so(tmp_path: Path) -> None:
    bp.run(CHAIN + 'record = { interval = "off" }\n', out=tmp_path / "quiet")
    scene = _scene.of_runs([bp.load(tmp_path / "quiet")])
    assert any("no series were recorded" in note for note in scene.document["notes"])
    assert scene.document["runs"][0]["curves"] == []
    assert not list((tmp_path / "quiet").glob("[np]o*.parquet")), "nothing is recorded of nodes and positions"


ENDING = """
name = "one ends"
duration = "6 s"
network.dumbbell = { rate = "20 Mbit/s", rtt = "40 ms" }
[[flows]]
name = "short"
controller = "cubic"
size = "500 kB"
[[flows]]
name = "long"
controller = "reno"
"""


def test_rows_may_end_with_their_flow(tmp_path: Path) -> None:
    """In one folder the rows of a finished flow end with it, and in the other they continue. Both show the same."""
    whole = tmp_path / "whole"
    run = bp.run(ENDING, out=whole)
    done = run.summary["flows"][0]["completed_at_s"]
    assert done is not None
    assert done < 3.0
    ended = shutil.copytree(whole, tmp_path / "ended")
    without_digests(ended)
    table = pq.read_table(whole / "flows.parquet")
    times, flows = (np.asarray(table.column(name)) for name in ("time_s", "flow"))
    kept = (flows != 0) | (times <= done + 0.1)
    pq.write_table(table.filter(pa.array(kept)), ended / "flows.parquet")
    scenes = [_scene.of_runs([bp.load(place)]) for place in (whole, ended)]
    one, other = (scene.document["runs"][0] for scene in scenes)
    assert [flow["completed"] for flow in other["flows"]] == [True, False]
    assert [flow["end_s"] for flow in other["flows"]] == [done, 6.0]
    for flow in (0, 1):
        for quantity in ("cwnd", "delivery_rate", "rtt"):
            levels = [curve(made, {"flow": flow}, quantity)["levels"][0] for made in (one, other)]
            (at, told), (own_at, own_told) = (
                (values(scene, level["time"]), values(scene, level["low"]))
                for scene, level in zip(scenes, levels, strict=True)
            )
            count = int(kept[flows == flow].sum())
            assert np.array_equal(own_at, at)
            assert np.array_equal(own_told[:count], told[:count], equal_nan=True)
            assert np.isnan(own_told[count:]).all()


def test_facts_of_a_flow_have_units(tmp_path: Path) -> None:
    run = bp.run(ENDING, out=tmp_path / "run")
    flow = run.summary["flows"][0]
    facts = {fact["name"]: fact for fact in _scene.of_runs([run]).document["runs"][0]["flows"][0]["facts"]}
    assert facts["completion"] == {
        "name": "completion", "value": flow["completed_at_s"] - flow["start_s"], "unit": "s"
    }  # fmt: skip
    assert facts["time without data to send"]["value"] == pytest.approx(100 * flow["app_limited_share"])
    assert facts["time without data to send"]["unit"] == "%"
    without = {name for name, fact in facts.items() if not fact["unit"]}
    assert without == {"cuts", "timeouts", "reductions undone"}, "counts of events"
