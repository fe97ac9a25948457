# SPDX-License-Identifier: MIT OR Apache-2.0
"""Traffic matrices, pings, bottlenecks and the links of a constellation, observed in complete runs."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest

import bentpipe as bp
from project import ROOT, Command

STUDY = ROOT / "scenarios" / "leo-study" / "washington-reno.toml"
SKY = 'duration = "2 s"\nnetwork.constellation = { preset = "hypatia-kuiper-630" }\n'
RENO = '[[traffic]]\ncontroller = "reno"\n'

BAD = {
    "one site": ('matrix = "permutation"\nsites = ["Wuhan"]\n', "scenario-value", ["at least two sites"]),
    "odd number": ('matrix = "permutation"\ntop = 3\n', "scenario-value", ["traffic[0].top", "3 sites"]),
    "no flows": ('matrix = "gravity"\ntop = 4\n', "scenario-missing-key", ["`flows`"]),
    "unknown matrix": ('matrix = "random"\n', "scenario-value", ["random", "permutation"]),
    "unknown site": ('matrix = "pairs"\npairs = [["Wuhan", "Madird"]]\n', "site-unknown", ["Madird", "Madrid"]),
    "unknown site in a file": (
        'matrix = "file"\nfile = "m.csv"\n',
        "site-unknown",
        ["m.csv:3: to", "Madird", "Madrid"],
    ),
    "no file": ('matrix = "file"\nfile = "none.csv"\n', "scenario-unreadable", ["none.csv"]),
}


@pytest.mark.parametrize(("text", "code", "says"), BAD.values(), ids=BAD)
def test_bad_matrix(cli: Command, tmp_path: Path, text: str, code: str, says: list[str]) -> None:
    (tmp_path / "m.csv").write_text("from,to\nWuhan,Madrid\nWuhan,Madird\n")
    (tmp_path / "bad.toml").write_text(SKY + RENO + text)
    for command in ("run", "bottlenecks"):
        done = cli(command, "bad.toml")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"error[{code}]: ")
        assert all(part in done.stderr for part in says), done.stderr


def test_a_matrix_built_in_python_is_that_of_the_file() -> None:
    built = bp.Scenario(
        name="untitled",
        duration="2 s",
        network=bp.Constellation(preset="hypatia-kuiper-630"),
        traffic=[bp.Traffic(matrix="permutation", top=4, controller="reno")],
    )
    assert 'from = "Tokyo"' in built.resolved()
    written = bp.run(SKY + RENO + 'matrix = "permutation"\ntop = 4\n')
    assert built.resolved() == written.scenario
    assert len(written.summary["flows"]) == 4


def test_the_seed_of_a_run_draws_no_traffic() -> None:
    text = SKY + RENO + 'matrix = "gravity"\ntop = 10\nflows = 20\n'
    ends = [[(flow["from"], flow["to"]) for flow in bp.run(text, seed=seed).summary["flows"]] for seed in (1, 2)]
    assert ends[0] == ends[1]


def test_echoes_have_a_series() -> None:
    run = bp.run(
        'duration = "1 s"\nnetwork.dumbbell = { rate = "10 Mbit/s", rtt = "50 ms" }\nflows = [{ kind = "ping" }]\n'
    )
    # 50 ms of propagation, and two transmissions of 84 B at 10 Mbit/s.
    rtts = [rtt for rtt in run.flows["rtt_ms"] if rtt is not None]
    assert len(rtts) == len(run.flows)
    assert rtts == pytest.approx([50.1344] * len(rtts))
    assert set(run.flows["phase"]) == {"ping"}


@pytest.fixture(scope="module")
def study() -> bp.Run:
    return bp.run(STUDY, duration="10 s")


def test_an_echo_sees_the_flows_path_and_queue(study: bp.Run) -> None:
    wuhan, toronto, ping_wuhan, ping_toronto = study.summary["flows"]
    assert ping_wuhan["rtt_ms"]["min"] > 80 > 20 > ping_toronto["rtt_ms"]["min"]
    for flow, ping in ((wuhan, ping_wuhan), (toronto, ping_toronto)):
        assert (ping["from"], ping["to"], ping["kind"]) == (flow["from"], flow["to"], "ping")
        assert ping["sent_packets"] == 1000
        lost = sum(ping["losses"].values())
        assert ping["sent_packets"] - ping["delivered_packets"] - lost < 0.3 / 0.01
        # No ping is faster than light. The first ping waits for at most two initial windows of ten segments (1.2 ms
        # each), and 84 B take 0.07 ms on each of about a dozen links in each direction.
        track = study.paths.to_pandas().query(f"`from` == '{ping['from']}' and to == 'Washington'")
        assert 0 < ping["rtt_ms"]["min"] - track["propagation_rtt_ms"].min() < 2 * 12 + 2


def test_links_of_a_constellation(study: bp.Run) -> None:
    links = study.summary["links"]
    # There are two paths in each direction with about ten links each, and not the whole grid of 4624.
    assert 8 < len(links) < 100
    assert all(link["utilisation"] > 0 for link in links)
    rows = study.links.to_pandas()
    assert set(rows["link"]) <= {link["link"] for link in links}
    # An idle link has no row.
    dropped = rows["dropped_queue"] + rows["dropped_error"] + rows["dropped_outage"]
    happened = (rows["utilisation"] > 0) | (rows["queue_packets"] > 0) | (rows["delivered_packets"] + dropped > 0)
    assert happened.all()
    for link in links:
        own = rows[rows["link"] == link["link"]]
        # A missing row means zero, so the sum over the rows is the sum over the run.
        assert own["utilisation"].sum() / 100 == pytest.approx(link["utilisation"], abs=1e-9)
        assert own["delivered_packets"].sum() == link["delivered_packets"]
    busiest = study.busiest_links(2)
    assert busiest[0]["name"] == study.summary["bottleneck"]["name"]
    assert busiest[0]["name"].endswith("> Washington")
    assert busiest[0]["utilisation"] >= busiest[1]["utilisation"]
    assert len(study.plot_links(5).axes[0].get_yticklabels()) == 5


def test_bottlenecks_of_the_study() -> None:
    found = bp.bottlenecks(STUDY, duration="20 s")
    assert len(found) == 1
    assert (found["long_from"], found["short_from"], found["kind"]) == (["Wuhan"], ["Toronto"], ["down"])
    # The paths show the same result: both end at the same satellite and Washington.
    tracks = [
        bp.path(city, "Washington", constellation="hypatia-kuiper-630", duration="19.9 s", step="100 ms")
        for city in ("Wuhan", "Toronto")
    ]
    legs = [[set(itertools.pairwise(via.split(" > "))) for via in track["via"]] for track in tracks]
    shared = sum(0.1 for one, other in zip(*legs, strict=True) if one & other)
    assert found["shared_s"][0] == pytest.approx(shared, abs=0.15)
    rtts = [sum(track["propagation_rtt_ms"]) / len(track) for track in tracks]
    assert found["long_rtt_ms"][0] == pytest.approx(rtts[0], rel=0.01)
    assert found["short_rtt_ms"][0] == pytest.approx(rtts[1], rel=0.05)
    assert math.isclose(found["rtt_ratio"][0], found["long_rtt_ms"][0] / found["short_rtt_ms"][0])


def test_bottlenecks_on_the_command_line(cli: Command, tmp_path: Path) -> None:
    done = cli("bottlenecks", STUDY, "--duration", "2 s", "--sites", "Wuhan", "Toronto", "Washington", "--out", "b.svg")
    assert done.returncode == 0, done.stderr
    assert "Wuhan > Washington" in done.stdout
    assert (tmp_path / "b.svg").read_text().startswith("<?xml")
    none = cli("bottlenecks", ROOT / "scenarios" / "dumbbell.toml")
    assert none.returncode == 0
    assert "no two paths share a link" in none.stdout
    for wrong in (["--sites", "Wuhan"], ["--sites", "top", "1"], ["--sites", "top"], ["--limit", "0"]):
        refused = cli("bottlenecks", STUDY, *wrong)
        assert (refused.returncode, refused.stdout) == (2, ""), wrong
    plain = cli("bottlenecks", ROOT / "scenarios" / "dumbbell.toml", "--sites", "top", "4")
    assert plain.returncode == 2
    assert "not a constellation" in plain.stderr


def test_plot_of_links_on_the_command_line(cli: Command, tmp_path: Path) -> None:
    assert cli("run", STUDY, "--duration", "2 s", "--out", "folder").returncode == 0
    assert cli("plot", "folder", "--links").stdout.strip() == "folder/links.png"
    assert (tmp_path / "folder" / "links.png").stat().st_size > 10_000
