# SPDX-License-Identifier: MIT OR Apache-2.0
"""Faults of a sweep document are all reported at once, each with place and fix."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe._sweep import _schema
from bentpipe._sweep._document import read as sweep_document
from bentpipe._sweep._plan import Plan
from bentpipe.runs.shared import open_store
from project import Command
from small_sweeps import BASE, DOCUMENT, lay, table


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return lay(tmp_path)


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
        (("points = 3", "points = 1000000000"), ["6: axes.", "1000000000 must be between 2 and 100000"]),
        (("points = 3", "pionts = 3"), ["6: axes.", "did you mean `points`?"]),
        (("from = 0.0001", "from = 0"), ["6: axes.", "a log scale must begin above 0"]),
        (("from = 0.0001", 'from = "1 ms"'), ["6: axes.", 'from has the unit "ms" and to ""']),
        (("to = 0.01", "to = 0.00001"), ["6: axes.", "must be less than to"]),
        (('["10 packets", "40 packets"]', "[]"), ["5: axes.", "the axis has no value"]),
        (('["10 packets", "40 packets"]', '"10 packets"'), ["5: axes.", "is not a list"]),
        (('"40 packets"', '"10 packets"'), ["5: axes.", "is listed twice"]),
        (
            ('"40 packets"', '"10  packets"'),
            ["5: axes.", '"10  packets" is listed twice, first as "10 packets"'],
        ),
        (
            ('["10 packets", "40 packets"]', '["12 kB", "12000 B"]'),
            ['"12000 B" is listed twice, first as "12 kB"'],
        ),
        (
            ('["10 packets", "40 packets"]', '["12 kB", "12kB"]'),
            ['"12kB" is listed twice, first as "12 kB"'],
        ),
        (
            ('["reno", { name = "cubic", beta = 0.8 }]', '["cubic", { name = "cubic" }]'),
            ["4: axes.", 'is listed twice, first as "cubic"'],
        ),
        (('"network.dumbbell.queue"', '"flows[0].controller"'), ["both set flows[0].controller"]),
        (('"network.dumbbell.queue"', '"flows[3].start"'), ["index 3 is beyond the end", "the list has 1"]),
        (('"network.dumbbell.queue"', "seed"), ["seeds cannot be an axis", "[seeds]"]),
        (("at_least = 3", "at_leest = 3"), ["8: seeds.at_leest", "did you mean `at_least`?"]),
        (("at_least = 3", "at_least = 0"), ["8: seeds.at_least", "0 must be between 1 and 10000"]),
        (("[seeds]", '[sample]\ndesign = "sobl"\npoints = 3\n[seeds]'), ["8: sample.design", 'did you mean "sobol"?']),
        (("[seeds]", '[sample]\ndesign = "sobol"\npoints = 500\n[seeds]'), ["not a power of two", "256 or 512"]),
        (("[seeds]", '[sample]\ndesign = "random"\n[seeds]'), ["`points` is missing"]),
        (("[seeds]", "[sample]\npoints = 8\n[seeds]"), ["the axes decide the number of points of a grid"]),
        (
            ("at_least = 3", 'until = { of = "goodputt", half_width = "2", at_most = 3 }'),
            ["of: unknown number", "goodput_mbit_s", "half_width", "at_most"],
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


def test_an_axis_in_the_table_of_another_is_refused_where_both_give_a_value() -> None:
    tables = [{"rate": "5 Mbit/s", "rtt": "10 ms"}, {"rate": "5 Mbit/s", "rtt": "20 ms"}]
    told = refused(table(**{"network.dumbbell": tables, "network.dumbbell.rtt": ["1 ms", "2 ms"]}))
    assert 'this axis and "network.dumbbell" both set network.dumbbell.rtt' in told
    # A text is short for the limit of a queue.
    told = refused(
        table(**{"network.dumbbell.queue": ["1 BDP", "2 BDP"], "network.dumbbell.queue.limit": ["5 packets"]})
    )
    assert "both set network.dumbbell.queue.limit: the value 1 BDP sets it" in told
    beside = {
        "flows.controller": ["cubic", {"name": "cubic", "fast_convergence": False}],
        "flows.controller.beta": [0.5, 0.8],
    }
    assert len(bp.sweep(table(**beside)).points) == 4


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
    # A base inside the document has its own lines.
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
    assert "the limit of a sweep is 1,000,000" in told


def test_points_are_counted_before_their_values_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading the scenarios of ten thousand values takes many seconds, and of a million points minutes."""
    many = {"from": 1, "to": 10_000, "points": 10_000}
    document = table(**{"flows.count": many, "flows.tcp.initial_window": many})
    read: list[object] = []
    facts, identity = _core.facts, _core.identity
    monkeypatch.setattr(_core, "facts", lambda job: (read.append(job), facts(job))[1])
    monkeypatch.setattr(_core, "identity", lambda job: (read.append(job), identity(job))[1])
    assert "the limit of a sweep is 1,000,000" in refused(document)
    assert not read
    many.update(to=20, points=20)
    with contextlib.closing(open_store(None)) as archive:
        cost = Plan(sweep_document(document)).cost(archive)
    assert (cost.points, cost.there, len(read) < 100) == (400, 0, True)


def test_a_value_that_only_fits_some_others_is_a_row_with_its_error(cli: Command, place: Path) -> None:
    (place / "sweep.toml").write_text("""
base = "base.toml"
[axes]
"warm_up" = ["0 s", "2 s"]
"duration" = ["1 s", "3 s"]
[seeds]
at_least = 1
""")
    done = cli("sweep", "sweep.toml", "--out", "out", "--page")
    assert done.returncode == 1
    assert "warm_up" in done.stderr
    assert "1 of 4 runs failed" in done.stderr
    swept = bp.load_sweep("out")
    errors = swept.runs["error"]
    assert [error is None for error in errors] == [True, True, False, True]
    assert errors[2].startswith("scenario-value: ")
    assert swept.runs["goodput_mbit_s"][2] is None
    assert "Runs that failed" in (place / "out" / "sweep.html").read_text()


def test_a_key_that_a_file_contradicts_is_refused_before_any_run(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "path.csv").write_text("time_s,rate_mbit_s,delay_ms\n0,10,20\n1,20,20\n")
    (tmp_path / "base.toml").write_text(
        'duration = "1 s"\nnetwork.dumbbell.path_trace = "path.csv"\nflows = [{ controller = "reno" }]\n'
    )
    axes = '[axes]\n"flows.controller" = ["reno", "cubic"]\n"network.dumbbell.rate" = ["5 Mbit/s", "10 Mbit/s"]\n'
    (tmp_path / "sweep.toml").write_text(f'base = "base.toml"\n{axes}')
    said = cli("sweep", "sweep.toml", "--out", "out")
    assert said.returncode == 2
    assert 'sweep.toml:4: axes."network.dumbbell.rate": 5 Mbit/s: network.dumbbell.path_trace: ' in said.stderr
    assert "rate_mbit_s contradicts the key `rate`" in said.stderr
    assert not (tmp_path / "out").exists()
    # A fault of the base itself is not that of an axis.
    (tmp_path / "path.csv").write_text("time_s,rate_mbit_s,delay_ms\n1,10,20\n0,20,20\n")
    (tmp_path / "sweep.toml").write_text('base = "base.toml"\n[axes]\n"flows.controller" = ["reno", "cubic"]\n')
    said = cli("sweep", "sweep.toml", "--dry-run")
    assert said.returncode == 2
    assert "base.toml does not run: network.dumbbell.path_trace: " in said.stderr


def test_an_axis_takes_controllers_as_the_command_line_does() -> None:
    text = sweep_document(table(**{"flows.controller": ["cubic", "cubic{beta=0.8}", "reno"]}))
    asked = sweep_document(table(**{"flows.controller": ["cubic", {"name": "cubic", "beta": 0.8}, "reno"]}))
    assert text.axes == asked.axes
    assert "has no closing brace" in refused(table(**{"flows.controller": ["cubic{beta=0.8"]}))
    assert "listed twice" in refused(table(**{"flows.controller": ["cubic{beta=0.8}", {"name": "cubic", "beta": 0.8}]}))


def test_a_dry_run_names_what_is_not_a_scenario(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "invalid.toml").write_text("""
[base]
duration = "1 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "40 ms" }
flows = [{ controller = "cubic", start = "0 s", stop = "900 ms" }]
[axes]
"flows[0].start" = ["0 s", "500 ms"]
"flows[0].stop" = ["900 ms", "400 ms"]
""")
    done = cli("sweep", "invalid.toml", "--dry-run")
    assert done.returncode == 1
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("not a scenario: "))
    assert line.startswith("not a scenario: flows[0].start = 500 ms, flows[0].stop = 400 ms: base:3: flows[0].stop: ")


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
