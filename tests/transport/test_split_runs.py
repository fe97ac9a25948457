# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs with proxies: series of every part, and pictures and scenes that show where packets were lost."""

from __future__ import annotations

import tomllib
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

import bentpipe as bp
from bentpipe.show.viewer import scene as _scene
from earlier import without_digests
from project import Command
from viewed import curve, values

if TYPE_CHECKING:
    from pathlib import Path

#: One percent of the packets is lost between the proxies, and none elsewhere. Another flow is not split.
SPLIT = """
name = "split"
duration = "20 s"
[network.dumbbell]
rate = "10 Mbit/s"
rtt = "200 ms"
queue = "2 BDP"
loss = { per = 0.01 }
reverse = { rate = "10 Mbit/s", queue = "1 BDP", loss = { per = 0.0 } }
[[flows]]
name = "file"
controller = "cubic"
access = { rate = "100 Mbit/s", delay = "10 ms" }
[[flows]]
name = "beside"
kind = "cbr"
rate = "1.2 Mbit/s"
packet = "1500 B"
[[peps]]
at = ["left", "right"]
buffer = "1 MB"
controller = "hybla"
flows = ["file"]
[record]
packets = { from = "0 s", to = "20 s" }
"""
#: Numbers of the connections. The first part has the flow's number, and other parts have numbers after both flows.
PARTS = {0: "file part 1", 2: "file part 2", 3: "file part 3"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("split") / "run"
    bp.run(SPLIT, out=place)
    return place


def test_every_part_has_a_series_and_they_add_up_to_what_single_packets_did(folder: Path) -> None:
    """Single packets and samples are recorded by two observers, so they can be compared."""
    run = bp.load(folder)
    rows = run.parts.to_pandas()
    assert run.parts.columns == run.flows.columns
    assert dict(zip(rows["flow"], rows["name"], strict=True)) == PARTS
    packets = run.packets.to_pandas()
    dropped = Counter(packets[(packets["event"] == "drop: error") & (packets["kind"] == "data")]["flow"])
    lost = {number: int(rows[rows["flow"] == number]["lost_error"].sum()) for number in PARTS}
    assert lost == {number: dropped[number] for number in PARTS}
    assert lost[2] > 30
    assert lost[0] == lost[3] == 0
    # The flow's losses and retransmissions are those of its parts. The other flow has its own.
    flows = run.flows.to_pandas()
    whole = flows[flows["flow"] == 0]
    assert int(whole["lost_error"].sum()) == lost[2] == run.summary["flows"][0]["losses"]["error"]
    again = rows.groupby("time_s")["retransmitted_packets"].sum()
    assert whole.set_index("time_s")["retransmitted_packets"].tolist() == again.tolist()
    assert int(again.sum()) == run.summary["flows"][0]["retransmitted_packets"] > 0
    first = rows[rows["flow"] == 0].set_index("time_s")
    for column in ("cwnd_segments", "sent_packets", "throughput_mbit_s"):
        assert whole.set_index("time_s")[column].tolist() == first[column].tolist(), column
    last = rows[rows["flow"] == 3].set_index("time_s")["goodput_mbit_s"]
    assert whole.set_index("time_s")["goodput_mbit_s"].tolist() == last.tolist()
    assert set(run.snapshots["flow"]) >= {0, 2, 3}


def test_propagation_of_the_parts_is_that_of_their_hops(folder: Path) -> None:
    """Hosts are 10 ms from their sites, and the sites 100 ms apart."""
    rows = bp.load(folder).parts.to_pandas()
    told = {number: set(rows[rows["flow"] == number]["propagation_rtt_ms"]) for number in PARTS}
    assert told == {0: {20.0}, 2: {200.0}, 3: {20.0}}


def test_a_run_without_proxies_has_no_such_table(tmp_path: Path) -> None:
    bp.run(SPLIT.partition("[[peps]]")[0], out=tmp_path / "whole")
    assert not (tmp_path / "whole" / "parts.parquet").exists()
    run = bp.load(tmp_path / "whole")
    assert len(run.parts) == 0
    assert "loss_ratio" not in run.summary["flows"][0]


def test_the_picture_shows_on_which_part_packets_were_lost(folder: Path) -> None:
    figure = bp.load(folder).plot()
    _, window, trip, losses = figure.axes
    assert {text.get_text() for text in losses.get_legend().get_texts()} == {"error, part 2", "error"}
    (line,) = [one for one in losses.get_lines() if one.get_label() == "error, part 2"]
    run = bp.load(folder)
    assert line.get_ydata()[-1] == run.summary["parts"][1]["losses"]["error"]
    for axis in (window, trip):
        assert {text.get_text() for text in axis.get_legend().get_texts()} >= set(PARTS.values())


def test_of_many_parts_the_picture_has_the_mean_of_each_place() -> None:
    """A mean over all parts would mix round trips of 20 and 200 ms: 80 ms, which no packet has."""
    many = SPLIT.replace('name = "file"', 'name = "file"\ncount = 3').replace('["file"]', '["file*"]')
    trip = bp.run(many, duration="3 s").plot().axes[2]
    means = {f"mean of 3 flows, part {place}" for place in (1, 2, 3)}
    assert means <= {text.get_text() for text in trip.get_legend().get_texts()}
    alone = [line for line in trip.get_lines() if line.get_linestyle() == "--" and line.get_color() == "#000000"]
    assert {float(height) for line in alone for height in line.get_ydata()} == {20.0, 200.0}


def test_a_folder_without_series_of_parts_does_not_say_that_nothing_was_lost(folder: Path, tmp_path: Path) -> None:
    import shutil

    import pyarrow.parquet as pq

    old = tmp_path / "old"
    without_digests(shutil.copytree(folder, old))
    (old / "parts.parquet").unlink()
    flows = pq.read_table(old / "flows.parquet")
    zeros = np.zeros(flows.num_rows, "uint64")
    at = flows.column_names.index("lost_error")
    pq.write_table(flows.set_column(at, flows.schema.field(at), [zeros]), old / "flows.parquet")
    run = bp.load(old)
    said = [text.get_text() for text in run.plot().axes[3].texts]
    lost = run.summary["parts"][1]["losses"]["error"]
    assert said == [f"{lost} packets were lost on parts without a recorded series"]
    assert [flow["name"] for flow in _scene.of_runs([run]).document["runs"][0]["flows"]] == ["file", "beside"]


def test_a_scene_has_every_part_with_its_curves_and_losses(folder: Path) -> None:
    run = bp.load(folder)
    scene = _scene.of_runs([run])
    made = scene.document["runs"][0]
    names = {flow["id"]: flow["name"] for flow in made["flows"]}
    assert list(names.items()) == [*PARTS.items(), (1, "beside")]
    rows = run.parts.to_pandas().set_index(["flow", "time_s"])
    for number in PARTS:
        for quantity, column in (("cwnd", "cwnd_segments"), ("rtt", "rtt_ms"), ("delivery_rate", "goodput_mbit_s")):
            finest = curve(made, {"flow": number}, quantity)["levels"][0]
            told = values(scene, finest["low"])
            assert told == pytest.approx(rows.loc[number][column].to_numpy(), rel=1e-6, nan_ok=True), (number, quantity)
    rows = [row for row in run.events.arrow.to_pylist() if row["flow"] == 2 and row["event"] == "loss"]
    (lost,) = [one for one in made["losses"] if one["flow"] == 2 and one["cause"] == "error"]
    assert values(scene, lost["time"]).tolist() == [row["time_s"] for row in rows if row["cause"] == "error"]
    assert {one["flow"] for one in made["events"]} >= set(PARTS)
    facts = {fact["name"]: fact["value"] for fact in made["flows"][2]["facts"]}
    assert facts["goodput from host to host"] == run.summary["flows"][0]["goodput_mbit_s"]


def test_what_is_printed_is_from_host_to_host(cli: Command, folder: Path) -> None:
    """One percent is lost on the only lossy part. So the split flow loses one percent, like the other flow."""
    run = bp.load(folder)
    flow, (_, part, _) = run.summary["flows"][0], run.summary["parts"]
    share = sum(part["losses"].values()) / part["sent_packets"]
    assert flow["loss_ratio"] == pytest.approx(share)
    assert flow["loss_ratio"] == pytest.approx(0.01, rel=0.5)
    assert run.summary["totals"]["loss_ratio"] == pytest.approx(0.01, rel=0.5)
    assert run.summary["totals"]["sent_mbit_s"] < 10.0, "the link between the proxies carries no more"
    file = folder.parent / "split.toml"
    file.write_text(SPLIT)
    done = cli("run", file)
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.strip().startswith("file ")]
    assert line.split()[3:5] == [f"{100 * share:.2f}", str(flow["retransmitted_packets"])]


def test_compare_says_which_parts_keep_their_controller() -> None:
    result = bp.compare(SPLIT, "cubic,reno", seeds=2, duration="5 s")
    (said,) = [note for note in result.notes if "proxies" in note]
    assert "file (part 2, left > right) keeps hybla" in said
    assert "peps[0].controller" in said
    assert result.values("cubic", "loss_percent")[0] == pytest.approx(1.0, rel=0.9)
    alike = SPLIT.replace('controller = "hybla"\n', "")
    assert not [note for note in bp.compare(alike, "cubic,reno", seeds=2, duration="5 s").notes if "proxies" in note]
    # The axis that it names is one.
    base = tomllib.loads(SPLIT) | {"duration": "2 s"}
    swept = bp.sweep({"axes": {"peps[0].controller": ["hybla", "cubic"]}, "seeds": {"at_least": 1}, "base": base})
    assert len(swept.points) == 2


def test_proxies_have_a_tcp_of_their_own() -> None:
    """From 10 segments, 600 need six windows of 550 ms (10 + 20 + 40 + 80 + 160 + 290). From 40 they need four."""
    flow = bp.Flow(controller="reno", size=f"{600 * 1448} B", tcp=bp.Tcp(initial_window=600))
    links = [bp.Link(rate="unlimited", delay=delay) for delay in ("10 ms", "275 ms")]
    scenario = bp.Scenario(
        duration="10 s",
        network=bp.Chain(links=links),
        flows=[flow],
        peps=[bp.Pep(at=["1"], buffer="10 MB", tcp=bp.Tcp(initial_window=10))],
    )
    run = bp.run(scenario)
    assert run.summary["flows"][0]["completed_at_s"] == pytest.approx(0.01 + 5 * 0.55 + 0.275, abs=1e-9)
    host, proxy = (part["tcp"] for part in run.summary["parts"])
    assert (host, proxy) == ("bentpipe-0.1; initial_window = 600", "bentpipe-0.1")
    # The stored document gives the same result, and a sweep can vary it.
    assert bp.run(run.scenario).summary["flows"] == run.summary["flows"]
    axes = {"peps[0].tcp.initial_window": [10, 40]}
    swept = bp.sweep({"axes": axes, "seeds": {"at_least": 1}, "base": tomllib.loads(run.scenario)})
    ends = {row["initial_window"]: round(row["completed_at_s"], 9) for row in swept.flows.arrow.to_pylist()}
    assert ends == {10: 3.035, 40: 1.935}


def test_the_estimate_knows_of_parts() -> None:
    """Three connections send what one would send: three times the packets, and as many packet-hops."""
    text = """
duration = "10 s"
network.dumbbell = { rate = "8 Mbit/s", rtt = "10 ms" }
flows = [{ controller = "reno", access = { delay = "1 ms" } }]
record = { interval = "100 ms", events = false }
"""
    whole = bp.estimate_cost(text)
    split = bp.estimate_cost(f'{text}\n[[peps]]\nat = ["left", "right"]\nbuffer = "10 MB"\n')
    assert split["packets"] == pytest.approx(3 * whole["packets"], rel=1e-3)
    assert split["packet_hops"] == pytest.approx(whole["packet_hops"], rel=1e-3)
    assert split["cpu_s"] / split["slowness"] > 1.3 * whole["cpu_s"] / whole["slowness"]
    # 100 kB have a round trip of 1 s only between the proxies.
    slow = text.replace('"10 ms"', '"1 s"')
    narrow = bp.estimate_cost(f'{slow}\n[[peps]]\nat = ["left", "right"]\nbuffer = "100 kB"\n')
    assert narrow["packets"] == pytest.approx(3 * 10 * 100e3 / 1500, rel=0.01)


def test_a_sweep_has_the_memory_of_proxies_and_the_round_trip_of_the_slowest_part() -> None:
    document = {"base": tomllib.loads(SPLIT), "axes": {"peps.buffer": ["50 kB", "100 kB"]}, "seeds": {"at_least": 1}}
    runs = bp.sweep(document).runs.to_pandas().set_index("buffer_kb")
    # The path between the proxies holds 250 kB, and the access link is ten times faster, so the first proxy fills up.
    for buffer in (50, 100):
        assert 0.97 * buffer < runs["proxy_held_kb"][buffer] <= buffer
        assert runs["proxy_held_total_kb"][buffer] >= runs["proxy_held_kb"][buffer]
    # The hosts are 10 ms behind the proxies.
    assert (runs["rtt_p95_ms"] > 200.0).all()
