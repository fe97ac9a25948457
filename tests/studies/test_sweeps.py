# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sweeps: their results, and the output of the command."""

from __future__ import annotations

import itertools
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from matplotlib.figure import Figure

import bentpipe as bp
import needs
from bentpipe._sweep._document import read
from bentpipe._sweep._plan import Plan
from bentpipe.base.files import write_text
from bentpipe.base.tables import arrow_column, floats
from bentpipe.results.notes import finding_lines, kind_lines
from bentpipe.scenario.key_labels import labels, unit
from bentpipe.show.pictures.sweep import _view, front
from project import Command
from small_sweeps import DOCUMENT, lay, table


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return lay(tmp_path)


# --- results ---


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
            network=bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms", queue="40 packets", loss=bp.Loss(per=0.001)),
            flows=[bp.Flow(controller={"name": "cubic", "beta": 0.8})],
        ),
        seed=2,
    )
    totals, flow = alone.summary["totals"], alone.summary["flows"][0]
    assert row["goodput_mbit_s"] == totals["delivered_mbit_s"] > 0.0
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
    assert schema.field("goodput_mbit_s").metadata == {
        b"unit": b"Mbit/s",
        b"of": b"flows with a controller; if there are none, all flows",
    }
    # A flow has its own column for its start, in addition to the axis.
    assert {"start_s", "flow_start_s"} <= set(swept.flows.columns)


@pytest.mark.usefixtures("place")
def test_a_number_is_its_mean_and_interval_over_the_seeds() -> None:
    swept = bp.sweep("sweep.toml")
    goodputs = [row["goodput_mbit_s"] for row in swept.runs.arrow.to_pylist() if row["point"] == 0]
    mean = sum(goodputs) / 3
    # Student's t for two degrees of freedom, 97.5 %: 4.303 (any table).
    half = 4.303 * math.sqrt(sum((one - mean) ** 2 for one in goodputs) / 2 / 3)
    assert swept.points["goodput_mbit_s"][0] == pytest.approx(mean)
    assert swept.points["goodput_mbit_s_low"][0] == pytest.approx(mean - half, rel=1e-3)
    assert swept.points["goodput_mbit_s_high"][0] == pytest.approx(mean + half, rel=1e-3)
    # A number that cannot be negative has no interval below 0.
    lows = [low for key in ("loss_percent", "queueing_p95_ms") for low in swept.points[f"{key}_low"]]
    assert min(lows) >= 0.0
    # Every seed of every point has a goodput, so no mean is 0.
    assert min(swept.points["goodput_mbit_s_low"]) > 0.0


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
    # The controller does not change the name of a flow.
    assert {one[0]["name"] for one in flows} == {"flow 1"}


def test_parameters_go_into_the_controller_of_the_same_point() -> None:
    plan = Plan(read(table(**{"flows.controller.beta": [0.6, 0.7], "flows.controller": ["cubic", "bic"]})))
    assert [plan.point(number).document["flows"][0]["controller"] for number in range(4)] == [
        {"name": "cubic", "beta": 0.6},
        {"name": "bic", "beta": 0.6},
        {"name": "cubic", "beta": 0.7},
        {"name": "bic", "beta": 0.7},
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
    # All looks together spend 5 %. Each look spends less, and their sum (Bonferroni) is not less than 5 %.
    assert all(0.95 < level < 1.0 for level in levels)
    assert sum(1.0 - level for level in levels) >= 0.05
    for point, count in enumerate(counts):
        one = swept.estimate(point, "goodput_mbit_s")
        assert one.samples == count
        if count < 24:
            assert one.half_width <= 0.04 * one.mean
    assert any("alpha spending" in note for note in swept.notes)


# --- designs ---


#: A sweep of two controllers and two seeds. A further axis and flows are filled in.
BRIEF = """
[axes]
"flows.controller" = ["reno", "cubic"]
%s
[seeds]
at_least = 2
[base]
duration = "3 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "60 ms" }
flows = [{ controller = "cubic" }%s]
"""


def test_the_worst_finding_of_each_advice_is_told(cli: Command, place: Path) -> None:
    # Ten round trips of 20 s, each with a packet of 12 kbit at 10 Mbit/s, are 200.012 s, rounded up.
    (place / "long.toml").write_text(BRIEF % ('"network.dumbbell.rtt" = ["2 s", "20 s"]', ""))
    done = cli("sweep", "long.toml", "--out", "long")
    (line,) = (line for line in done.stderr.splitlines() if "finding: too-short" in line)
    assert "so that the measurement lasts 200.1 s or more) (the worst of 8 in 8 runs)" in line
    # Ten round trips of 61.2 ms are needed: the second flow can begin earlier, and the first one needs a shorter
    # warm-up. With that warm-up, the second flow needs a longer run. Each case occurs in half of the runs.
    late = BRIEF % ('warm_up = ["0 s", "2.5 s"]', ', { controller = "reno", start = "2.97 s" }')
    (place / "late.toml").write_text(late)
    swept = bp.sweep("late.toml", out="late")
    asked = [line.partition("(write ")[2].partition("`duration`")[0] for line in swept.findings]
    assert sorted(asked) == ["a longer ", "a shorter `warm_up` or a longer ", "an earlier `start` or a longer "]
    assert all(line.endswith("(the worst of 4 in 8 runs)") for line in swept.findings)
    assert bp.load_sweep("late").findings == swept.findings
    # In a comparison, the worst run is also the one with the longest path.
    runs = [bp.run(LONG.replace("60 ms", rtt)) for rtt in ("2 s", "20 s", "4 s")]
    (line,) = finding_lines(runs)
    assert "200.1 s or more" in line
    assert line.endswith("(seed 1; the worst of 3 in 3 runs)")
    assert kind_lines([run.findings for run in runs]) == [line.replace("(seed 1; the", "(the")]


LONG = """
duration = "3 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "60 ms" }
flows = [{ controller = "cubic" }]
"""


def test_a_number_that_seeds_went_on_for_and_that_is_missing_is_told(cli: Command, place: Path) -> None:
    # 10 MB take 8 s at 10 Mbit/s, so no seed of either controller finishes within 1 s.
    (place / "unknown.toml").write_text("""
[axes]
"flows.controller" = ["reno", "cubic"]
[seeds]
at_least = 2
until = { of = "completion_median_s", half_width = "5 %", at_most = 4 }
[base]
duration = "1 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "60 ms", loss = { per = 0.01 } }
flows = [{ controller = "cubic", size = "10 MB" }]
""")
    done = cli("sweep", "unknown.toml", "--out", "unknown")
    assert done.returncode == 0, done.stderr
    said = "2 points have no completion_median_s with all 4 seeds, because a seed lacks it: transfers were not finished"
    assert said in done.stdout
    assert "wider with all" not in done.stdout
    assert re.search(r"median completion s\b", done.stdout)


@pytest.mark.usefixtures("place")
def test_a_field_says_of_which_flows_its_number_is() -> None:
    fields = bp.sweep(table(**{"flows[0].count": [1, 2]})).runs.arrow.schema
    of = {name: (fields.field(name).metadata or {}).get(b"of", b"").decode() for name in fields.names}
    assert of["loss_percent"] == "flows with a controller"
    assert of["goodput_mbit_s"] == "flows with a controller; if there are none, all flows"
    assert (of["loss_ratio"], of["sent_mbit_s"]) == ("all flows", "all flows")
    assert (of["call_r"], of["completion_median_s"]) == ("calls", "TCP flows with a size")
    assert (of["seed"], of["error"]) == ("", "")


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
        # Each of 64 layers has one point, so halves have equal counts, and so do decades.
        assert names.count("reno") == 32
        assert sum(trip < math.sqrt(6000.0) for trip in trips) == 32


# --- the command and its output ---


def test_dry_run_says_what_it_would_take_and_writes_nothing(cli: Command, place: Path) -> None:
    done = cli("sweep", "sweep.toml", "--dry-run")
    assert done.returncode == 0
    assert "12 points, 36 runs, of which 0 are in the store" in done.stdout
    assert re.search(r"about \S+ s of CPU time and \S+ kB of disk space", done.stdout)
    assert sorted(one.name for one in place.iterdir()) == ["base.toml", "sweep.toml"]


@pytest.mark.usefixtures("place")
def test_sql(cli: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("sweep", "sweep.toml", "--out", "out").returncode == 0
    query = "select controller, count(*) as runs from runs where seed < 3 group by 1 order by 1"
    done = cli("sweep", "out", "--sql", query)
    assert re.search(r"cubic\{beta=0.8\}\s+12 *\n.*reno\s+12", done.stdout, re.DOTALL)
    assert bp.load_sweep("out").sql("select max(point) m from flows")["m"] == [11]
    for reach in ("read_text('sweep.toml')", "glob('*')", "'out/runs.parquet'", "read_csv('sweep.toml')"):
        refused = cli("sweep", "out", "--sql", f"select * from {reach}")  # noqa: S608 - what is refused
        assert (refused.returncode, "disabled by configuration" in refused.stderr) == (2, True), refused.stderr
    # The runs exist already. Arguments on making runs are refused, and nothing is written.
    before = {file.name: file.stat().st_mtime_ns for file in Path("out").iterdir()}
    for options in (["--dry-run"], ["--out", "other"], ["--keep", "runs"], ["--store", "s", "--costly"]):
        refused = cli("sweep", "out", *options)
        assert refused.returncode == 2
        assert options[0] in refused.stderr
        assert "has no effect, because the sweep in out is finished" in refused.stderr
    assert not Path("other").exists()
    assert before == {file.name: file.stat().st_mtime_ns for file in Path("out").iterdir()}
    wrong = cli("sweep", "out", "--sql", "select goodput from runs")
    assert (wrong.returncode, "goodput_mbit_s" in wrong.stderr) == (2, True)
    # Two columns have the same name, so a row could not distinguish them.
    for double, named in (("select 1 a, 2 a", "a"), ("select * from runs r join flows f using (point)", "controller")):
        refused = cli("sweep", "out", "--sql", double)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert f"two columns are called {named}: name them with `as`" in refused.stderr
    with pytest.raises(bp.ArgumentError, match="two columns are called a"):
        bp.load_sweep("out").sql("select 1 a, 2 a")
    assert cli("sweep", "out", "--sql", "select 1 a, 2 as b").stdout.split()[-2:] == ["1", "2"]
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    missing = cli("sweep", "out", "--sql", query)
    assert missing.returncode == 2
    assert 'pip install "bentpipe[sql]"' in missing.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--of", "goodput"], "goodput_mbit_s"),
        (["--sql", "selekt 1"], "DuckDB refuses the query"),
        (["--sql", "select 1; select 2"], "one statement of SQL, not 2"),
        (["--sql", "copy (select 1) to 'x.csv'"], "a query must be a select, not copy"),
        (["--sql", "attach 'z.db'"], "a query must be a select, not attach"),
        (["--sql", "set threads=1"], "a query must be a select, not set"),
        (["--sql", "install httpfs"], "a query must be a select, not install or load"),
        (["--sql", "create table x as select 1"], "a query must be a select, not create"),
        (["--sql", "pivot points on point"], "a query must be a select, not a pivot without its values"),
    ],
)
def test_a_question_that_cannot_be_answered_is_told_before_anything_runs(
    cli: Command, place: Path, words: list[str], said: str
) -> None:
    done = cli("sweep", "sweep.toml", "--out", "out", *words)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert not (place / "out").exists()


def test_what_a_killed_process_began_to_write_is_removed(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    names = {"dead": gone.pid, "young": gone.pid, "alive": os.getppid()}
    for name, process in names.items():
        (tmp_path / f".{name}.csv.{process}.partial").write_text("half")
    for name in ("dead", "alive"):
        os.utime(tmp_path / f".{name}.csv.{names[name]}.partial", (1.0, 1.0))
    for name in names:
        write_text(tmp_path / f"{name}.csv", "whole")
    left = sorted(file.name.split(".")[1] for file in tmp_path.glob(".*.partial"))
    assert left == ["alive", "young"], "the young one may be written on another machine"


def test_a_folder_without_a_sweep_is_told(cli: Command, place: Path) -> None:
    for command in ("sweep", "sensitivity"):
        done = cli(command, place)
        assert (done.returncode, "folder-not-a-run" in done.stderr) == (2, True)


def test_plot_draws_the_main_picture_of_a_sweep(cli: Command, tmp_path: Path) -> None:
    some = {"flows.controller": ["reno", "cubic"], "network.dumbbell.loss.per": [1e-4, 1e-2]}
    bp.sweep(table(**some) | {"seeds": {"at_least": 3}}, out=tmp_path / "out")
    done = cli("plot", "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "out/plot.png\n"
    assert (tmp_path / "out" / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert "bentpipe sweep out --page" in done.stderr
    assert cli("plot", "out", "--picture", "mine.svg").returncode == 0
    # One line for each controller.
    figure = bp.load_sweep(tmp_path / "out").plot()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["reno", "cubic"]
    refused = cli("plot", "out", "--links")
    assert refused.returncode == 2
    assert "--links has no effect on a sweep" in refused.stderr


def test_the_front_is_what_nothing_beats() -> None:
    more = np.array([5.0, 4.0, 4.5, 1.0, math.nan, 5.0])
    less = np.array([9.0, 3.0, 4.0, 3.0, 1.0, 8.0])
    # By hand: 5 beats 0, and 1 beats 3. No point beats 1, 2 and 5.
    assert sorted(front(more, less)) == [1, 2, 5]
    # Among 0, 3 and 4, the first beats none (it has more, but later), and 4 has no number.
    assert sorted(front(more, less, np.array([0, 3, 4]))) == [0, 3]


def test_what_stands_on_different_paths_does_not_compete() -> None:
    some = {"flows.controller": ["reno", "cubic", "vegas"], "network.dumbbell.rate": ["2 Mbit/s", "8 Mbit/s"]}
    panel = bp.sweep(table(**some) | {"seeds": {"at_least": 1}}).plots()["pareto"].axes[0]
    rates = [max(line.get_ydata()) for line in panel.get_lines()]
    # Each rate has a front, and the front of the slow link is below its 2 Mbit/s.
    assert sorted(rate > 2.0 for rate in rates) == [False, True]
    alone = bp.sweep(table(**{"network.dumbbell.rate": ["2 Mbit/s", "8 Mbit/s"]}) | {"seeds": {"at_least": 1}})
    assert len(alone.plots()["pareto"].axes[0].get_lines()) == 1
    many = {
        "flows.controller": ["reno", "cubic"],
        "network.dumbbell.rate": [f"{rate} Mbit/s" for rate in range(1, 9)],
    }
    tangled = bp.sweep(table(**many) | {"seeds": {"at_least": 1}})
    panel = tangled.plots()["pareto"].axes[0]
    assert (len(panel.get_lines()), panel.get_title("left")) == (
        0,
        "goodput and p95 queueing delay of every point, over 8 networks",
    )


def test_names_in_a_pareto_picture_do_not_overlap() -> None:
    """Markers in the legend identify the network. The names beside the points of a front overlap neither each other."""
    some = {
        "flows.controller": ["reno", "cubic"],
        "flows.tcp.initial_window": [2, 4, 10],
        "network.dumbbell.rate": ["2 Mbit/s", "8 Mbit/s"],
    }
    figure = bp.sweep(table(**some) | {"seeds": {"at_least": 3}}).plots()["pareto"]
    panel = figure.axes[0]
    figure.draw_without_rendering()
    names = panel.texts
    assert {text.get_text().rpartition(" window ")[0] for text in names} == {"initial"}
    boxes = [text.get_window_extent() for text in names]
    assert not [pair for pair in itertools.combinations(boxes, 2) if pair[0].overlaps(pair[1])]
    said = {text.get_text() for text in figure.legends[0].get_texts()}
    assert said == {
        "controller reno",
        "controller cubic",
        "Pareto front of each network",
        "rate 2 Mbit/s",
        "rate 8 Mbit/s",
    }


def test_a_wide_interval_does_not_crowd_the_points() -> None:
    panel = Figure().add_subplot()
    mean, half = np.array([10.0, 20.0]), np.array([[1.0, 5.0], [1.0, 500.0]])
    assert _view(panel.xaxis, mean, half)
    # The span of the means is 10, so the picture ends 6 above 20, with a margin.
    assert panel.get_xlim() == pytest.approx((9.0 - 0.06 * 17.0, 26.0 + 0.06 * 17.0))
    assert not _view(panel.xaxis, mean, np.ones((2, 2)))


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


def test_axes_of_pictures_have_names_and_units() -> None:
    """Names are written by hand: what readers call the keys. A bare number has the unit of its description."""
    some: dict[str, object] = {
        "flows.tcp.initial_window": [10, 30],
        "network.dumbbell.loss.per": {"values": [0.0, 0.01], "name": "losses"},
        "network.dumbbell.rate": ["2 Mbit/s", "8 Mbit/s"],
    }
    (panel, *_) = bp.sweep(table(**some) | {"seeds": {"at_least": 1}}).plots()["multiples"].axes
    said = {panel.get_xlabel(), panel.get_ylabel(), panel.get_title("left").partition(": ")[0]}
    assert said == {"initial window (segments)", "losses", "rate (Mbit/s)"}
    assert labels(["flows.page.size", "network.dumbbell.loss.per", "network.dumbbell.reverse.rate"]) == [
        "page size",
        "packet loss probability",
        "reverse rate",
    ]
    assert labels(["tcp.mss", "flows.tcp.mss", "peps.buffer"]) == ["tcp.mss", "flows.tcp.mss", "proxy buffer"]
    assert (unit("flows.controller.c"), unit("flows.controller.beta")) == ("segments/s^3", "")
    with pytest.raises(bp.ScenarioError, match="3 is not a name"):
        bp.sweep(table(**{"tcp.mss": {"values": ["1 kB"], "name": 3}}))
    with pytest.raises(bp.ScenarioError, match="listed twice"):
        bp.sweep(table(**{"flows.tcp.initial_window": {"values": [10, 10]}}))


@pytest.mark.parametrize("points", [1, 4])
def test_where_nothing_differs_there_is_a_picture_too(points: int) -> None:
    still = table(**{"flows.controller": ["reno"]}) | {"sample": {"design": "random", "points": points}}
    assert next(iter(bp.sweep(still | {"seeds": {"at_least": 1}}).plots())) == "lines"
    # A range with a single point.
    drawn = table(**{"network.dumbbell.rtt": {"from": "20 ms", "to": "40 ms"}})
    drawn |= {"sample": {"design": "random", "points": 1}, "seeds": {"at_least": 1}}
    assert list(bp.sweep(drawn).plots()) == ["lines"]


def test_pictures_are_drawn_when_asked_for_every_number(cli: Command, place: Path) -> None:
    done = cli("sweep", "sweep.toml", "--out", "out")
    assert done.returncode == 0, done.stderr
    assert not [*(place / "out").glob("*.png"), *(place / "out").glob("*.html")]
    assert "pictures and a page: bentpipe sweep out --page" in done.stderr
    asked = cli("sweep", "out", "--page", "--of", "loss_percent,goodput_mbit_s")
    assert asked.returncode == 0, asked.stderr
    head = next(line for line in asked.stdout.splitlines() if "goodput" in line)
    assert head.index("loss %") < head.index("goodput Mbit/s") < head.index("queueing delay")
    drawn = {file.stem for file in (place / "out").glob("*.png")}
    assert {"pareto", "pareto-goodput_mbit_s"} <= drawn, drawn
    page = (place / "out" / "sweep.html").read_text()
    assert page.count("<figure") == len(drawn)
    assert cli("sweep", "out", "--page", "--size", "8x4 in", "--dpi", "50").returncode == 0
    # PNG, part 1: width and height in pixels are after the name of the first chunk.
    assert struct.unpack(">II", (place / "out" / "pareto.png").read_bytes()[16:24]) == (400, 200)
    alone = cli("sweep", "out", "--size", "8x4 in")
    assert (alone.returncode, "no effect without --page" in alone.stderr) == (2, True), alone.stderr
    wrong = cli("sweep", "out", "--of", "loss_percent,goodputt")
    assert (wrong.returncode, "did you mean 'goodput_mbit_s'?" in wrong.stderr) == (2, True), wrong.stderr


def test_a_sweep_loads_no_library_that_it_does_not_need(place: Path) -> None:
    """Matplotlib and pandas take seconds of CPU time; pyarrow imports pandas for an array of a list."""
    code = """
import sys
from bentpipe.cli import entry
sys.argv = ["bentpipe", "sweep", "sweep.toml", "--out", "out", "--csv", "points.csv", "--json"]
code = entry()
print(code, sorted({"matplotlib", "pandas", "polars", "duckdb", "SALib"} & set(sys.modules)), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=place, check=True)
    assert done.stderr.splitlines()[-1] == "0 []", done.stderr


def test_columns_are_those_of_pyarrow() -> None:
    chance = random.Random(1)  # noqa: S311 - not for secrets
    for kind, draw in (
        (pa.float64(), lambda: chance.uniform(-1e9, 1e9)),
        (pa.int64(), lambda: chance.randrange(-(2**62), 2**62)),
        (pa.bool_(), lambda: chance.random() < 0.5),
        (pa.string(), lambda: "é" * chance.randrange(5)),
    ):
        for count in (0, 1, 8, 19):
            values = [None if chance.random() < 0.3 else draw() for _ in range(count)]
            made = arrow_column(values, kind)
            made.validate(full=True)
            assert made.equals(pa.array(values, kind)), (kind, values)
            if kind == pa.float64():
                chunks = pa.chunked_array([made, made.slice(count // 2)])
                assert np.array_equal(floats(chunks), chunks.to_numpy().astype(float), equal_nan=True)


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
    needs.require("node")
    done = subprocess.run(["node", "-e", asked], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == ["1 2 10 –", "10 2 1 –", "2 10", "10 –"]
