# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sweeps: what a document means, what is refused, and that the same comes out however often it is stopped."""

from __future__ import annotations

import json
import math
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe._sweep import _base, _schema
from bentpipe._sweep._document import read
from bentpipe._sweep._pictures import front
from bentpipe._sweep._sweep import Plan
from conftest import Command

BASE = """
duration = "1 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms" }
flows = [{ controller = "reno" }]
"""
DOCUMENT = """
base = "base.toml"
[axes]
"flows.controller" = ["reno", { name = "cubic", beta = 0.8 }]
"network.dumbbell.queue" = ["10 packets", "40 packets"]
"network.dumbbell.loss.per" = { from = 0.0001, to = 0.01, points = 3, scale = "log" }
[seeds]
at_least = 3
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "base.toml").write_text(BASE)
    (tmp_path / "sweep.toml").write_text(DOCUMENT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(**axes: Any) -> dict[str, Any]:
    """A sweep of a small scenario, without chance."""
    base = {
        "duration": "200 ms",
        "network": {"dumbbell": {"rate": "5 Mbit/s", "rtt": "40 ms"}},
        "flows": [{"controller": "reno"}],
    }
    return {"base": base, "axes": axes}


def tables(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in ("runs.parquet", "flows.parquet")]


def held(store: Path) -> int:
    """How many runs a store has on the disk, as another process sees it."""
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as base:
            ((count,),) = base.execute("select count(*) from runs").fetchall()
            return int(count)
    except sqlite3.OperationalError:
        return 0  # not there yet, or being written


# --- what comes out ---


@pytest.mark.usefixtures("place")
def test_a_row_is_what_a_run_gives() -> None:
    swept = bp.sweep("sweep.toml")
    rows = swept.runs.arrow.to_pylist()
    assert len(rows) == 2 * 2 * 3 * 3
    row = next(
        one
        for one in rows
        if (one["controller"], one["queue_packets"], one["per"], one["seed"]) == ("cubic{beta=0.8}", 40.0, 0.001, 2)
    )
    alone = bp.run(
        bp.Scenario(
            duration="1 s",
            network=bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms", queue="40 packets", per=0.001),
            flows=[bp.Flow(controller={"name": "cubic", "beta": 0.8})],
        ),
        seed=2,
    )
    totals, flow = alone.summary["totals"], alone.summary["flows"][0]
    assert row["goodput_mbit_s"] == totals["goodput_mbit_s"] > 0.0
    assert row["packet_hops"] == totals["packet_hops"]
    assert row["queueing_p95_ms"] == flow["queueing_delay_ms"]["p95"]
    its = next(one for one in swept.flows.arrow.to_pylist() if (one["point"], one["seed"]) == (row["point"], 2))
    assert its["rtt_ms_p95"] == flow["rtt_ms"]["p95"]
    assert its["losses_queue"] == flow["losses"]["queue"]
    assert (its["name"], its["flow_controller"], its["controller"]) == ("cubic", "cubic", "cubic{beta=0.8}")


def test_columns_are_typed_and_have_units() -> None:
    swept = bp.sweep(
        table(
            **{
                "network.dumbbell.rtt": ["40 ms", "0.1 s"],
                "flows[0].count": [1, 2],
                "flows.tcp.ecn": [True, False],
                "flows.page.start": ["0 s", "1 ms"],
            }
        )
        | {"base": {**table()["base"], "flows": [{"name": "page", "controller": "reno"}]}, "seeds": {"at_least": 1}}
    )
    schema = swept.runs.arrow.schema
    said = {name: (str(schema.field(name).type), dict(schema.field(name).metadata or {})) for name in swept.axes}
    assert said == {
        "rtt_ms": ("double", {b"key": b"network.dumbbell.rtt", b"unit": b"ms"}),
        "count": ("int64", {b"key": b"flows[0].count"}),
        "ecn": ("bool", {b"key": b"flows.tcp.ecn"}),
        "start_s": ("double", {b"key": b"flows.page.start", b"unit": b"s"}),
    }
    assert sorted(set(swept.runs["rtt_ms"])) == [40.0, 100.0]
    assert sorted(set(swept.runs["start_s"])) == [0.0, 0.001]
    assert schema.field("goodput_mbit_s").metadata == {b"unit": b"Mbit/s"}
    # A flow has a start of its own, too.
    assert {"start_s", "flow_start_s"} <= set(swept.flows.columns)


@pytest.mark.usefixtures("place")
def test_a_number_is_its_mean_and_interval_over_the_seeds() -> None:
    swept = bp.sweep("sweep.toml")
    goodputs = [row["goodput_mbit_s"] for row in swept.runs.arrow.to_pylist() if row["point"] == 0]
    mean = sum(goodputs) / 3
    # Student's t for two degrees of freedom, 97.5 %: 4.303 (any table).
    half = 4.303 * math.sqrt(sum((one - mean) ** 2 for one in goodputs) / 2 / 3)
    assert swept.points["goodput_mbit_s"][0] == pytest.approx(mean)
    assert swept.points["goodput_mbit_s_half_width"][0] == pytest.approx(half, rel=1e-3)


def test_flows_of_a_key_are_all_that_can_have_it() -> None:
    document = table(**{"flows.controller": ["reno", "cubic"], "flows.call.rate": ["100 kbit/s", "200 kbit/s"]})
    document["base"]["flows"] = [{"controller": "reno"}, {"kind": "cbr", "name": "call", "rate": "1 Mbit/s"}]
    plan = Plan(read(document))
    flows = [plan.point(number).document["flows"] for number in range(4)]
    assert [(one[0]["controller"], one[1]["rate"]) for one in flows] == [
        ("reno", "100 kbit/s"),
        ("reno", "200 kbit/s"),
        ("cubic", "100 kbit/s"),
        ("cubic", "200 kbit/s"),
    ]
    assert all("controller" not in one[1] for one in flows)
    # What runs in it does not change the name of a flow.
    assert {one[0]["name"] for one in flows} == {"flow 1"}


def test_parameters_go_into_the_controller_of_the_same_point() -> None:
    plan = Plan(read(table(**{"flows.controller.beta": [0.6, 0.7], "flows.controller": ["cubic", "htcp"]})))
    assert [plan.point(number).document["flows"][0]["controller"] for number in range(4)] == [
        {"name": "cubic", "beta": 0.6},
        {"name": "htcp", "beta": 0.6},
        {"name": "cubic", "beta": 0.7},
        {"name": "htcp", "beta": 0.7},
    ]


def test_a_point_without_chance_has_two_seeds() -> None:
    swept = bp.sweep(table(**{"network.dumbbell.loss.per": [0.0, 0.01]}) | {"seeds": {"at_least": 4}})
    assert swept.points["seeds"] == [2, 4]


def test_seeds_go_on_until_the_interval_is_narrow(place: Path) -> None:
    text = DOCUMENT.replace(
        "at_least = 3", 'at_least = 3\nuntil = { of = "goodput_mbit_s", half_width = "4 %", at_most = 24 }'
    )
    (place / "sweep.toml").write_text(text)
    swept = bp.sweep("sweep.toml")
    counts = swept.points["seeds"]
    assert set(counts) <= {3, 6, 12, 24}
    assert len(set(counts)) > 1, "some need more than others"
    levels = [level for _, level in swept.about["looks"]]
    # All looks together spend 5 %: each by itself less, and added up (Bonferroni) no less than that.
    assert all(0.95 < level < 1.0 for level in levels)
    assert sum(1.0 - level for level in levels) >= 0.05
    for point, count in enumerate(counts):
        one = swept.estimate(point, "goodput_mbit_s")
        assert one.samples == count
        if count < 24:
            assert one.half_width <= 0.04 * one.mean
    assert any("alpha spending" in note for note in swept.notes)


# --- designs ---


def test_a_grid_turns_its_last_axis_fastest() -> None:
    assert Plan(read(table(**{"flows.count": [1, 2], "duration": ["1 s", "2 s", "3 s"]}))).values == [
        (1, "1 s"),
        (1, "2 s"),
        (1, "3 s"),
        (2, "1 s"),
        (2, "2 s"),
        (2, "3 s"),
    ]


def test_a_logarithmic_range_has_equal_factors() -> None:
    (axis,) = read(table(**{"network.dumbbell.loss.per": {"from": 1e-6, "to": 1e-2, "points": 5, "scale": "log"}})).axes
    assert axis.levels == (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)


@pytest.mark.parametrize("design", ["random", "latin-hypercube", "sobol"])
def test_a_sample_lies_in_its_ranges(design: str) -> None:
    document = table(
        **{
            "network.dumbbell.rtt": {"from": "10 ms", "to": "600 ms", "scale": "log"},
            "flows.count": {"from": 1, "to": 4},
            "flows.controller": ["reno", "cubic"],
        }
    ) | {"sample": {"design": design, "points": 64, "seed": 7}}
    values = Plan(read(document)).values
    assert values == Plan(read(document)).values, "its seed says all"
    other = document | {"sample": {**document["sample"], "seed": 8}}
    assert values != Plan(read(other)).values
    trips = [float(trip.removesuffix(" ms")) for trip, _, _ in values]
    assert all(10.0 <= trip <= 600.0 for trip in trips)
    assert {count for _, count, _ in values} == {1, 2, 3, 4}
    names = [name for _, _, name in values]
    if design != "random":
        # One point in each of 64 layers: halves are equal, and so are decades.
        assert names.count("reno") == 32
        assert sum(trip < math.sqrt(6000.0) for trip in trips) == 32


# --- bad input ---


def refused(document: Any) -> str:
    with pytest.raises(bp.ScenarioError) as caught:
        bp.sweep(document)
    assert caught.value.exit_code == 2
    return str(caught.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('"flows.controller"', '"flows.contoller"'), ["4: axes.", "did you mean `controller`?"]),
        (('"network.dumbbell.queue"', '"network.dumbel.queue"'), ["5: axes.", "did you mean `dumbbell`?"]),
        (('"40 packets"', '"40 parsec"'), ["unit-unknown", '5: axes."network.dumbbell.queue"', "parsec", "BDP"]),
        (('"reno"', '"renno"'), ["controller-unknown", "4: axes.", "did you mean `reno`?"]),
        (("beta = 0.8", "betta = 0.8"), ["parameter-unknown", "4: axes.", "did you mean `beta`?"]),
        (("points = 3", "points = 1000000000"), ["6: axes.", "1000000000 is not from 2 to 100000"]),
        (("points = 3", "pionts = 3"), ["6: axes.", "did you mean `points`?"]),
        (("from = 0.0001", "from = 0"), ["6: axes.", "a log scale begins above 0"]),
        (("from = 0.0001", 'from = "1 ms"'), ["6: axes.", 'from has the unit "ms" and to ""']),
        (("to = 0.01", "to = 0.00001"), ["6: axes.", "is not less than to"]),
        (('["10 packets", "40 packets"]', "[]"), ["5: axes.", "without a value"]),
        (('["10 packets", "40 packets"]', '"10 packets"'), ["5: axes.", "is not a list"]),
        (('"40 packets"', '"10 packets"'), ["5: axes.", "stands there twice"]),
        (('"network.dumbbell.queue"', '"flows[0].controller"'), ["both set flows[0].controller"]),
        (('"network.dumbbell.queue"', '"flows[3].start"'), ["there is no number 3", "it has 1"]),
        (('"network.dumbbell.queue"', "seed"), ["seeds are no axis", "[seeds]"]),
        (("at_least = 3", "at_leest = 3"), ["8: seeds.at_leest", "did you mean `at_least`?"]),
        (("at_least = 3", "at_least = 0"), ["8: seeds.at_least", "0 is not from 1 to 10000"]),
        (("[seeds]", '[sample]\ndesign = "sobl"\npoints = 3\n[seeds]'), ["8: sample.design", 'did you mean "sobol"?']),
        (("[seeds]", '[sample]\ndesign = "sobol"\npoints = 500\n[seeds]'), ["no power of two", "256 or 512"]),
        (("[seeds]", '[sample]\ndesign = "random"\n[seeds]'), ["`points` is missing"]),
        (("[seeds]", "[sample]\npoints = 8\n[seeds]"), ["a grid has as many points as its axes make"]),
        (
            ("at_least = 3", 'until = { of = "goodputt", half_width = "2", at_most = 3 }'),
            ["of: there is no number", "goodput_mbit_s", "half_width", "at_most"],
        ),
        (('base = "base.toml"', ""), ["the key `base` is missing"]),
        (('base = "base.toml"', 'base = "nowhere.toml"'), ["2: base: ", "nowhere.toml", "there is no such file"]),
        (('base = "base.toml"', "base = 5"), ["2: base: 5 is not a file or a table"]),
        (("[axes]", "[axs]"), ["did you mean `axes`?"]),
        (("[axes]", "[axes"), ["scenario-syntax", "sweep.toml:3: this is not TOML"]),
    ],
)
def test_faults_have_place_and_fix(place: Path, change: tuple[str, str], says: list[str]) -> None:
    assert change[0] in DOCUMENT
    (place / "sweep.toml").write_text(DOCUMENT.replace(*change, 1))
    told = refused("sweep.toml")
    assert "sweep.toml" in told
    for word in says:
        assert word in told, told


def test_all_faults_are_told_at_once(place: Path) -> None:
    (place / "sweep.toml").write_text("""
base = "base.toml"
sampel = 1
[axes]
"flows.start" = []
"network.dumbbell.rtt" = { from = "1 ms", to = "2 ms", scale = "lag" }
[seeds]
at_least = -1
""")
    told = refused("sweep.toml")
    for line, key in ((3, "sampel"), (5, 'axes."flows.start"'), (6, "scale"), (8, "seeds.at_least")):
        assert len(re.findall(rf"sweep.toml:{line}: .*{re.escape(key)}", told)) == 1, told
    (place / "sweep.toml").write_text("""
base = "base.toml"
[axes]
"flows.controller" = ["renno", "cubbic"]
"network.dumbbell.rtt" = ["1 parsec"]
""")
    told = refused("sweep.toml")
    for line, value in ((4, "renno"), (4, "cubbic"), (5, "parsec")):
        assert len(re.findall(rf"sweep.toml:{line}: axes.*{value}", told)) == 1, told


def test_a_base_that_does_not_run_is_refused(place: Path) -> None:
    (place / "base.toml").write_text(BASE.replace("reno", "renno").replace("40 ms", "40 parsec"))
    (place / "sweep.toml").write_text(
        DOCUMENT.replace('"flows.controller"', '"flows.start"').replace('"reno", {', '"1 s", {')
    )
    told = refused("sweep.toml")
    assert "2: base: base.toml does not run: network.dumbbell.rtt" in told
    # In the document itself it has a line of its own.
    inline = DOCUMENT.replace('base = "base.toml"', "") + "[base]\n" + BASE.replace("5 Mbit/s", "5 parsec")
    (place / "sweep.toml").write_text(inline)
    line = 1 + inline.splitlines().index('network.dumbbell = { rate = "5 parsec", rtt = "40 ms" }')
    assert f"sweep.toml:{line}: base.network.dumbbell.rate" in refused("sweep.toml")


def test_too_many_points_are_refused_with_their_number() -> None:
    many = {"from": 1, "to": 1000, "points": 1000}
    document = table(**{"flows.count": many, "flows.tcp.initial_window": many, "duration": ["1 s"] * 1})
    document["axes"]["network.dumbbell.loss.per"] = {"from": 0.0, "to": 0.5, "points": 1000}
    told = refused(document)
    assert "1,000,000,000 points (1000 x 1000 x 1 x 1000)" in told
    assert "at most 1,000,000" in told


def test_a_value_that_only_fits_some_others_is_a_row_with_its_error(cli: Command, place: Path) -> None:
    (place / "sweep.toml").write_text("""
base = "base.toml"
[axes]
"warm_up" = ["0 s", "2 s"]
"duration" = ["1 s", "3 s"]
[seeds]
at_least = 1
""")
    done = cli("sweep", "sweep.toml", "--out", "out")
    assert done.returncode == 1
    assert "warm_up" in done.stderr
    assert "1 of 4 runs failed" in done.stderr
    swept = bp.load_sweep("out")
    errors = swept.runs["error"]
    assert [error is None for error in errors] == [True, True, False, True]
    assert errors[2].startswith("scenario-value: ")
    assert swept.runs["goodput_mbit_s"][2] is None
    assert "Runs that failed" in (place / "out" / "sweep.html").read_text()


@pytest.mark.parametrize("kind", ["version", "foreign", "text"])
def test_a_store_of_another_version_is_refused(cli: Command, place: Path, kind: str) -> None:
    (place / "out").mkdir()
    store = place / "out" / "runs.store"
    if kind == "text":
        store.write_text("these are no runs " * 100)
    else:
        assert cli("sweep", "sweep.toml", "--out", "out").returncode == 0
        with sqlite3.connect(store) as base:
            base.execute("pragma user_version = 99" if kind == "version" else "pragma application_id = 1")
    before = store.read_bytes()
    done = cli("sweep", "sweep.toml", "--out", "out")
    assert done.returncode == (1 if kind == "text" else 2)
    said = {"version": "form 99", "foreign": "another program", "text": "not a database"}
    assert said[kind] in done.stderr
    assert store.read_bytes() == before


def test_other_files_are_left_alone(cli: Command, place: Path) -> None:
    (place / "out").mkdir()
    (place / "out" / "thesis.tex").write_text("years")
    done = cli("sweep", "sweep.toml", "--out", "out")
    assert (done.returncode, "thesis.tex" in done.stderr) == (2, True)


def test_the_schema_says_what_the_reader_does(place: Path) -> None:
    schema = json.loads(_schema.text())
    jsonschema.Draft202012Validator.check_schema(schema)
    import tomllib

    jsonschema.validate(tomllib.loads(DOCUMENT), schema)
    for wrong in (
        DOCUMENT.replace("[seeds]", "[seds]"),
        DOCUMENT.replace("at_least = 3", "at_least = 0"),
        DOCUMENT.replace("points = 3", "pionts = 3"),
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(tomllib.loads(wrong), schema)
        (place / "sweep.toml").write_text(wrong)
        refused("sweep.toml")


def test_every_key_that_names_a_file_is_known() -> None:
    def keys(part: Any) -> set[str]:
        if isinstance(part, list):
            return set().union(*map(keys, part))
        if not isinstance(part, dict):
            return set()
        own = {
            key
            for key, about in part.get("properties", {}).items()
            if "relative to the scenario's" in about.get("description", "")
        }
        return own | keys(list(part.values()))

    assert keys(json.loads(_core.scenario_schema())) == set(_base.FILES)


# --- what is kept, and going on ---


def test_the_same_bytes_on_any_number_of_threads_and_after_stops(place: Path) -> None:
    bp.sweep("sweep.toml", out="one", threads=1)
    bp.sweep("sweep.toml", out="two", threads=2)
    assert tables(place / "one") == tables(place / "two")
    calls = 0

    def stop(done: int, _all: int) -> None:
        nonlocal calls
        calls += 1
        if done >= 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bp.sweep("sweep.toml", out="cut", threads=2, progress=stop)
    assert not (place / "cut" / "runs.parquet").exists()
    again = bp.sweep("sweep.toml", out="cut", threads=1)
    assert 0 < again.made <= 36 - 7
    assert tables(place / "one") == tables(place / "cut")


def test_overlapping_sweeps_share_runs(place: Path) -> None:
    first = bp.sweep("sweep.toml", out="out")
    assert first.made == 36
    (place / "base.toml").write_text('name = "another title"\n' + BASE.replace("duration", "# said again\nduration"))
    (place / "sweep.toml").write_text(DOCUMENT.replace('"10 packets", "40 packets"', '"40 packets", "41 packets"'))
    second = bp.sweep("sweep.toml", out="out")
    assert second.made == 18
    elsewhere = bp.sweep("sweep.toml", out="elsewhere", store="out/runs.store")
    assert elsewhere.made == 0
    assert tables(place / "out") == tables(place / "elsewhere")


def test_a_file_that_the_scenario_names_is_part_of_what_a_run_is(place: Path) -> None:
    trace = place / "link.trace"
    trace.write_text("\n".join(str(at) for at in range(1, 101)) + "\n")
    document = table(**{"flows.count": [1, 2]}) | {"seeds": {"at_least": 1}}
    document["base"]["network"] = {"dumbbell": {"trace": str(trace), "rtt": "40 ms", "queue": "20 packets"}}
    slow = bp.sweep(document, store="store")
    trace.write_text("\n".join(str(at) for at in range(1, 101) for _ in range(2)) + "\n")
    os.utime(trace, (1, 1))
    fast = bp.sweep(document, store="store")
    assert (slow.made, fast.made) == (2, 2)
    assert fast.runs["packet_hops"] != slow.runs["packet_hops"]


@pytest.mark.usefixtures("place")
def test_run_folders_on_request() -> None:
    bp.sweep("sweep.toml", out="out")
    kept = bp.sweep("sweep.toml", out="out", keep_runs=True)
    assert kept.made == 36
    row = kept.runs.arrow.to_pylist()[5]
    run = bp.load(row["folder"])
    assert run.summary["totals"]["goodput_mbit_s"] == row["goodput_mbit_s"]
    assert len(run.flows) > 5, "its series are there"
    assert bp.sweep("sweep.toml", out="out", keep_runs=True).made == 0


def test_kill_9_loses_nothing_that_was_finished(place: Path) -> None:
    (place / "sweep.toml").write_text(DOCUMENT.replace("at_least = 3", "at_least = 100"))
    whole = bp.sweep("sweep.toml", out="whole", threads=2)
    chance = random.Random(1)  # noqa: S311 - moments, not secrets
    command = [sys.executable, "-m", "bentpipe", "sweep", "sweep.toml", "--out", "killed", "--threads", "2"]
    store = place / "killed" / "runs.store"
    counts = [0]
    for _ in range(3):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and held(store) <= counts[-1]:
            time.sleep(0.02)
        time.sleep(chance.uniform(0.0, 0.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        with sqlite3.connect(store) as base:
            assert base.execute("pragma integrity_check").fetchone() == ("ok",)
        # On a fast machine the last one may have been through.
        assert held(store) > counts[-1] or counts[-1] == len(whole.runs)
        counts.append(held(store))
    again = bp.sweep("sweep.toml", out="killed", threads=2)
    assert again.made == len(whole.runs) - counts[-1]
    assert tables(place / "whole") == tables(place / "killed")


def test_ctrl_c_ends_with_130_and_goes_on(place: Path) -> None:
    (place / "sweep.toml").write_text(DOCUMENT.replace("at_least = 3", "at_least = 400"))
    command = [sys.executable, "-m", "bentpipe", "sweep", "sweep.toml", "--out", "out", "--threads", "2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    store = place / "out" / "runs.store"
    while process.poll() is None and held(store) < 100:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    found = re.search(r"(\d+) of 4800 runs finished", told)
    assert found, told
    assert held(store) >= int(found[1]) > 0


# --- the command, and what it shows ---


def test_dry_run_says_what_it_would_take_and_writes_nothing(cli: Command, place: Path) -> None:
    done = cli("sweep", "sweep.toml", "--dry-run")
    assert done.returncode == 0
    assert "12 points, 36 runs, of which 0 are in the store" in done.stdout
    assert re.search(r"about \S+ s of CPU time and \S+ kB on the disk", done.stdout)
    assert sorted(one.name for one in place.iterdir()) == ["base.toml", "sweep.toml"]


@pytest.mark.usefixtures("place")
def test_sql(cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("sweep", "sweep.toml", "--out", "out").returncode == 0
    query = "select controller, count(*) as runs from runs where seed < 3 group by 1 order by 1"
    done = cli("sweep", "out", "--sql", query)
    assert re.search(r"cubic\{beta=0.8\}\s+12 *\n.*reno\s+12", done.stdout, re.DOTALL)
    assert bp.load_sweep("out").sql("select max(point) m from flows")["m"] == [11]
    wrong = cli("sweep", "out", "--sql", "select goodput from runs")
    assert (wrong.returncode, "goodput_mbit_s" in wrong.stderr) == (2, True)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    missing = cli("sweep", "out", "--sql", query)
    assert missing.returncode == 2
    assert 'pip install "bentpipe[sql]"' in missing.stderr


def test_a_folder_without_a_sweep_is_told(cli: Command, place: Path) -> None:
    for command in ("sweep", "sensitivity"):
        done = cli(command, place)
        assert (done.returncode, "folder-not-a-run" in done.stderr) == (2, True)


def test_the_front_is_what_nothing_beats() -> None:
    import numpy as np

    more = np.array([5.0, 4.0, 4.5, 1.0, math.nan, 5.0])
    less = np.array([9.0, 3.0, 4.0, 3.0, 1.0, 8.0])
    # Worked by hand: 5 beats 0, 1 beats 3; 1, 2 and 5 are beaten by none.
    assert sorted(front(more, less)) == [1, 2, 5]


@pytest.mark.parametrize(
    ("axes", "names"),
    [
        (1, ["lines", "pareto"]),
        (2, ["lines", "heat", "pareto"]),
        (3, ["multiples", "pareto"]),
    ],
)
def test_pictures_by_shape(axes: int, names: list[str]) -> None:
    some = {
        "network.dumbbell.queue": ["10 packets", "20 packets", "40 packets"],
        "flows.controller": ["reno", "cubic"],
        "network.dumbbell.rtt": ["20 ms", "40 ms"],
    }
    swept = bp.sweep(table(**dict(list(some.items())[:axes])) | {"seeds": {"at_least": 1}})
    assert list(swept.plots()) == names
    with pytest.raises(bp.ArgumentError, match="goodput_mbit_s"):
        swept.plot("goodput")


def test_the_page_stands_alone_and_sorts_and_filters(place: Path) -> None:
    page = bp.sweep("sweep.toml").report(place / "page.html").read_text()
    assert not re.search(r'(src|href)="https?:', page)
    script = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)[0]
    (place / "page.js").write_text(script)
    rows = (
        "[[[1,'1'],['cubic','cubic']],[[10,'10'],['reno','reno']],[[2,'2'],['bbr','bbr']],[[null,'–'],['reno','reno']]]"
    )
    asked = f"""
const {{ arranged }} = require("./page.js"), rows = {rows};
const told = (...how) => arranged(rows, ...how).map(row => row[0][1]).join(" ");
const every = [["", ""], 0, 1], back = [["", ""], 0, -1], bound = [[">=2", ""], 0, 1], word = [["", "REN"], -1, 1];
console.log(JSON.stringify([every, back, bound, word].map(how => told(...how))));
"""
    try:
        done = subprocess.run(["node", "-e", asked], capture_output=True, text=True, check=True)
    except FileNotFoundError:
        pytest.skip("node is not installed")
    assert json.loads(done.stdout) == ["1 2 10 –", "10 2 1 –", "2 10", "10 –"]
