# SPDX-License-Identifier: MIT OR Apache-2.0
"""Applications from a user's view: tables, texts and pictures of their visits."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bentpipe as bp
from bentpipe import cli
from bentpipe.results import visits
from bentpipe.runs import make
from earlier import without_digests

TEXT = """
name = "visits"
duration = "30 s"
[network.dumbbell]
rate = "20 Mbit/s"
rtt = "600 ms"
[[flows]]
name = "transfers"
kind = "transfers"
controller = "cubic"
size = { law = "points", points = [["5 kB", 0.5], ["5 kB", 0.5], ["50 kB", 0.5], ["50 kB", 1]] }
arrivals = { law = "regular", rate = 2 }
[[flows]]
name = "films"
kind = "video"
controller = "cubic"
users = 2
think = "1 s"
video = { ladder = ["500 kbit/s"], segment = "2 s", length = "8 s", buffer = "20 s", startup = "2 s" }
[[flows]]
kind = "tcp"
controller = "reno"
size = "1 MB"
"""


@pytest.fixture(scope="module")
def made() -> bp.Run:
    return bp.run(TEXT)


def test_each_visit_has_its_row(made: bp.Run) -> None:
    table = made.visits.arrow
    rows = [row for row in table.to_pylist() if row["name"] == "transfers"]
    # Two visits a second begin for 30 s.
    assert sorted(row["visit"] for row in rows) == list(range(60))
    assert {row["began_s"] for row in rows} == {number / 2 for number in range(60)}
    for row in rows:
        assert row["bytes"] in (5_000, 50_000)
        if row["ended_s"] is None:
            assert row["took_s"] is None
            assert row["slow_down"] is None
            continue
        # The last byte arrives after at least two round trips: the handshake, and the request.
        assert row["took_s"] > 1.2
        assert row["ended_s"] - row["began_s"] == pytest.approx(row["took_s"], abs=1e-9)
        assert row["slow_down"] == pytest.approx(row["took_s"] / row["ideal_s"])
        assert row["slow_down"] >= 1
    films = [row for row in table.to_pylist() if row["name"] == "films"]
    assert {row["user"] for row in films} == {0, 1}
    assert all(row["stalls"] is not None and row["objects"] is None for row in films)


def test_the_summary_says_what_the_table_does(made: bp.Run) -> None:
    transfers, films, bulk = made.summary["flows"]
    assert "visits" not in bulk
    felt = transfers["visits"]
    took = sorted(
        row for row, name in zip(made.visits["took_s"], made.visits["name"], strict=True) if name == "transfers" and row
    )
    assert felt["begun"] == 60
    assert felt["finished"] == felt["took_s"]["samples"] == len(took)
    assert felt["unfinished"] == 60 - len(took)
    assert felt["took_s"]["mean"] == pytest.approx(sum(took) / len(took))
    assert felt["took_s"]["max"] == pytest.approx(took[-1])
    rows = made.visits.arrow.to_pylist()
    goodputs = sorted(
        row["bytes"] * 8e-6 / row["took_s"] for row in rows if row["name"] == "transfers" and row["took_s"]
    )
    # The 5 % quantile of about 56 values by nearest rank.
    assert felt["goodput_mbit_s"]["p5"] == pytest.approx(goodputs[-(-len(goodputs) // 20) - 1])
    assert 0 <= felt["all"]["goodput_mbit_s"]["p5"] <= felt["goodput_mbit_s"]["p5"] * (1 + 1e-12)
    sizes = felt["by_size"]
    assert sizes["under_10_kb"]["finished"] + sizes["under_100_kb"]["finished"] == len(took)
    # The mean is 27.5 kB twice a second, with 52 bytes of headers per 1448 bytes of payload, over 20 Mbit/s.
    assert felt["offered_mbit_s"] == pytest.approx(0.44)
    # The 60 visits of the run requested about this rate.
    assert felt["drawn_mbit_s"] == pytest.approx(
        sum(row["bytes"] for row in rows if row["name"] == "transfers") * 8e-6 / 30.0
    )
    assert felt["load"] == pytest.approx(0.44 / 20 * 1500 / 1448)
    assert films["visits"]["of"] == "film"
    assert films["visits"]["quality_mbit_s"]["mean"] == pytest.approx(0.5)
    assert films["visits"]["sustainable_mbit_s"]["min"] == pytest.approx(0.5)
    assert films["visits"]["slow_down"]["min"] >= 1
    assert "by_size" not in films["visits"]


def test_a_run_folder_and_its_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = tmp_path / "a.toml", tmp_path / "run"
    file.write_text(TEXT)
    assert cli.entry(["run", str(file), "--out", str(folder), "--tables", str(tmp_path / "csv")]) == 0
    said = capsys.readouterr().out
    assert "transfers: " in said
    assert " of 60 transfers done; completion median " in said
    assert "films done; start-up median " in said
    with (tmp_path / "csv" / "visits.csv").open() as table:
        assert len(list(csv.DictReader(table))) == len(bp.load(folder).visits)
    assert cli.entry(["plot", str(folder), "--visits"]) == 0
    assert (folder / "visits.png").read_bytes().startswith(b"\x89PNG")
    assert cli.entry(["report", str(folder)]) == 0
    assert "Times of the visits of applications" in (folder / "report.html").read_text()
    # The same run replaces its folder, including the pictures.
    assert cli.entry(["run", str(file), "--out", str(folder)]) == 0


def test_a_folder_of_a_build_that_called_visits_sessions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = tmp_path / "a.toml", tmp_path / "run"
    file.write_text(TEXT)
    bp.run(file, out=folder)
    written = sorted(entry.name for entry in folder.iterdir())
    summary = json.loads((folder / "summary.json").read_text())
    for flow in summary["flows"][:2]:
        flow["sessions"] = flow.pop("visits")
    (folder / "summary.json").write_text(json.dumps(summary))
    (folder / "visits.parquet").rename(folder / "sessions.parquet")
    (folder / "sessions.png").touch()
    without_digests(folder)
    with pytest.raises(
        bp.RunError, match=("`sessions` is a key of an earlier build; the key is now `visits`")
    ) as problem:
        bp.load(folder)
    assert problem.value.code == "folder-damaged"
    assert cli.entry(["report", str(folder)]) == 1
    assert "make the run again" in capsys.readouterr().err
    bp.run(file, out=folder)
    assert sorted(entry.name for entry in folder.iterdir()) == written


def test_each_pair_of_a_matrix_loads_its_own_link() -> None:
    branch = '{{ site = "{}", rate = "{} Mbit/s", delay = "5 ms", queue = "1000 packets" }}'
    branches = ", ".join(branch.format(site, rate) for site, rate in (("wide", 20), ("narrow", 4), ("slow", 2)))
    text = (
        f'name = "pairs"\nduration = "50 s"\nnetwork.star.branches = [{branches}]\n[[traffic]]\nmatrix = "pairs"\n'
        'pairs = [["hub", "wide"], ["hub", "narrow"], ["hub", "slow"]]\nkind = "transfers"\ncontroller = "cubic"\n'
        'size = "25 kB"\narrivals = { law = "regular" }\nload = 0.5\n'
    )
    run = bp.run(text)
    # The utilisation is computed by hand: half of each link, and a SYN-ACK of 60 bytes per 26 kB.
    busy = {link["name"]: link["utilisation"] for link in run.summary["links"]}
    for site in ("wide", "narrow", "slow"):
        assert busy[f"hub > {site}"] == pytest.approx(0.5, rel=0.02), site
    assert not run.warnings


@pytest.mark.parametrize(
    ("rtt", "lowest", "rung", "ideal"), [("600 ms", 1.0, 3.0, 0.6 + 2 * 1.6), ("1200 ms", 1.5, 2.0, 1.2 + 2 * 2.7)]
)
def test_a_film_alone_does_what_its_ideal_says(rtt: str, lowest: float, rung: float, ideal: float) -> None:
    # The player uses only the throughput. The path has 4 Mbit/s of data, and no window or timer limits the flow. The
    # ideal of such a film is the oracle.
    text = (
        'name = "alone"\nduration = "200 s"\n'
        f'network.dumbbell = {{ rate = "4.143646 Mbit/s", rtt = "{rtt}", queue = "5000 packets" }}\n'
        '[[flows]]\nkind = "video"\ncontroller = "cubic"\nusers = 1\nthink = "1 s"\n'
        'tcp = { initial_window = 4000, initial_rto = "30 s", min_rto = "30 s" }\n'
        f'video = {{ ladder = ["{lowest} Mbit/s", "2 Mbit/s", "3 Mbit/s", "5 Mbit/s"], length = "160 s", '
        'choice = "rate", safety = 1 }\n'
    )
    film = bp.run(text).visits.arrow.to_pylist()[0]
    # The player climbs to the rung, and stays there. On the way it uses the throughput of five segments.
    assert rung - 0.2 < film["quality_mbit_s"] < rung
    assert (film["switches"], film["stalls"]) == (2 if rung == 3 else 1, 0)
    assert film["sustainable_mbit_s"] == rung
    # Of two segments, the first is at the lowest rung, and the second at most at 2 Mbit/s. The ideal has both at the
    # lowest.
    assert film["ideal_s"] - 1e-6 < film["took_s"] < film["ideal_s"] + (2 - lowest) + 0.1
    assert film["ideal_s"] == pytest.approx(ideal, abs=0.01)
    assert film["slow_down"] == pytest.approx(film["took_s"] / film["ideal_s"])


SHORT = """
duration = "{} s"
record = {{ interval = "off", events = false }}
network.dumbbell = {{ rate = "1 Gbit/s", rtt = "1 ms" }}
flows = [{{ kind = "transfers", controller = "cubic", size = "1 kB", arrivals = {{ law = "regular", rate = 2000 }} }}]
"""
PEAK = "import resource, sys, bentpipe as bp; bp.run_many([sys.argv[1]]); "
PEAK += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"


# A visit needs 16 B in each of six distributions, so 40,000 more visits would need at least 4 MB. Rows of a table,
# which the user can request, are not recorded here.
def test_memory_does_not_follow_the_visits_that_ever_were() -> None:
    def peak_kb(seconds: int) -> int:
        command = [sys.executable, "-c", PEAK, SHORT.format(seconds)]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    assert peak_kb(40) - peak_kb(20) < 2_000


def test_without_visits_there_is_no_picture() -> None:
    run = bp.run(
        '[network.dumbbell]\nrate = "1 Mbit/s"\nrtt = "10 ms"\n[[flows]]\ncontroller = "reno"\n', duration="1 s"
    )
    assert len(run.visits) == 0
    assert visits.lines(run) == []
    with pytest.raises(bp.BentpipeError, match="no flow of the run is an application"):
        run.plot_visits()


def test_several_runs_side_by_side(made: bp.Run) -> None:
    other = bp.run(TEXT.replace('controller = "cubic"', 'controller = "hybla"'))
    figure = made.plot_visits(other)
    names = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert names == ["cubic, transfers", "cubic, films", "hybla, transfers", "hybla, films"]
    # Both runs have the same visits, whatever the controller is.
    first = [run.visits.arrow.to_pylist() for run in (made, other)]
    drawn = [{row["visit"]: row["bytes"] for row in rows if row["name"] == "transfers"} for rows in first]
    assert drawn[0] == drawn[1]


def test_the_builder_says_the_same_as_a_file() -> None:
    flow = bp.Flow(
        kind="requests",
        controller="reno",
        users=3,
        think={"law": "exponential", "mean": "2 s"},
        request={"answer": {"law": "log-normal", "median": "2 kB", "sigma": 1.0}, "count": 4},
        tls=True,
    )
    built = bp.Scenario(name="x", network=bp.Dumbbell(rate="10 Mbit/s", rtt="50 ms"), flows=[flow]).resolved()
    text = """
name = "x"
[network.dumbbell]
rate = "10 Mbit/s"
rtt = "50 ms"
[[flows]]
kind = "requests"
controller = "reno"
users = 3
think = { law = "exponential", mean = "2 s" }
request = { answer = { law = "log-normal", median = "2 kB", sigma = 1.0 }, count = 4 }
tls = true
"""
    job = make.job(text)
    from bentpipe import _core

    assert _core.facts(job).resolved == built


def test_the_drawn_rate_is_of_the_time_in_which_visits_can_begin() -> None:
    # Five transfers of 100 kB a second are 4 Mbit/s, of one flow in the first half and another flow in the second.
    common = 'kind = "transfers"\ncontroller = "cubic"\nsize = "100 kB"\narrivals = { law = "regular", rate = 5 }'
    network = 'duration = "20 s"\nnetwork.dumbbell = { rate = "20 Mbit/s", rtt = "60 ms" }'
    run = bp.run(f'{network}\n[[flows]]\n{common}\nstop = "10 s"\n[[flows]]\n{common}\nstart = "10 s"\n')
    for flow in run.summary["flows"]:
        assert flow["visits"]["begun"] == 50
        assert flow["visits"]["drawn_mbit_s"] == pytest.approx(4.0)
        assert flow["visits"]["offered_mbit_s"] == pytest.approx(4.0)
    assert all(line.endswith("load 0.207") for line in visits.lines(run)[:2])
    # The flow ends before the end of the warm-up, so no visit can begin. Its rate is unknown, and not 0.
    over = bp.run(f'warm_up = "11 s"\n{network}\n[[flows]]\n{common}\nstop = "10 s"\n')
    assert over.summary["flows"][0]["visits"]["drawn_mbit_s"] is None
    assert "from the visits that began" not in visits.lines(over)[0]


@pytest.mark.parametrize("most", [1, 20])
def test_flows_of_a_group_have_a_line_over_all_their_visits(most: int) -> None:
    network = 'duration = "20 s"\nwarm_up = "2 s"\nnetwork.dumbbell = { rate = "20 Mbit/s", rtt = "60 ms" }\n'
    flow = (
        '[[flows]]\nname = "small"\nkind = "transfers"\ncontroller = "cubic"\ncount = 3\n'
        'size = { law = "pareto", mean = "100 kB", shape = 1.5 }\narrivals = { law = "poisson", rate = 2 }\n'
    )
    run = bp.run(network + flow)
    lines = visits.lines(run, most)
    alone = ["small 1", "small 2", "small 3"] if most > 1 else []
    assert [line.split(":")[0] for line in lines] == [*alone, "small (3 flows)"]
    rows = run.visits.to_pandas().query("began_s >= 2.0")
    took = rows["took_s"].dropna()
    middle, late = np.quantile(took, (0.5, 0.95), method="inverted_cdf")
    assert lines[-1].startswith(f"small (3 flows): {len(took)} of {len(rows)} transfers done; ")
    assert f"completion median {middle:.3g} s, p95 {late:.3g} s, p99" in lines[-1]


@pytest.mark.parametrize(
    ("tcp", "round_trips"), [('setup = "fast-open"', 1), ('setup = "none"', 1), ('setup = "handshake"', 2)]
)
def test_the_least_time_knows_how_connections_are_set_up(tcp: str, round_trips: int) -> None:
    # 10 kB take 8.287 ms at 10 Mbit/s, with 1448 of 1500 bytes payload.
    run = bp.run(f"""
duration = "20 s"
network.dumbbell = {{ rate = "10 Mbit/s", rtt = "600 ms" }}
[[flows]]
kind = "transfers"
controller = "cubic"
size = "10 kB"
arrivals = {{ law = "regular", rate = 1 }}
tcp = {{ {tcp} }}
""")
    least = run.summary["flows"][0]["visits"]["slow_down"]
    assert run.visits["ideal_s"][0] == pytest.approx(0.6 * round_trips + 0.008287, abs=1e-6)
    assert 1.0 <= least["min"] < 1.01


def test_the_least_time_has_the_extra_delay_of_links() -> None:
    """The round trip is 600 ms, and from 5 s on 150 ms more in each direction. Handshake and request take one each."""
    run = bp.run("""
duration = "20 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "600 ms", extra_delay = [{ at = "5 s", delay = "150 ms" }] }
[[flows]]
kind = "transfers"
controller = "cubic"
size = "10 kB"
arrivals = { law = "regular", rate = 0.5 }
""")
    for began, took, ideal in zip(run.visits["began_s"], run.visits["took_s"], run.visits["ideal_s"], strict=True):
        assert ideal == pytest.approx(2 * (0.6 if began < 5 else 0.9) + 0.008287, abs=1e-6)
        assert took is None or began in (4, 5) or 1.0 <= took / ideal < 1.01


def test_too_much_load_warns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.toml"
    file.write_text(
        '[network.dumbbell]\nrate = "2 Mbit/s"\nrtt = "50 ms"\n[[flows]]\nkind = "transfers"\ncontroller = "cubic"\n'
        'size = "100 kB"\nload = 1.5\n'
    )
    assert cli.entry(["run", str(file), "--duration", "5 s", "--json"]) == 0
    shown = capsys.readouterr()
    (warning,) = json.loads(shown.out)["provenance"]["path_notes"]
    assert "offer 3 Mbit/s" in warning
    assert "(load 1.5)" in warning
    assert "he backlog grows by 0.125 MB/s" in warning
    assert warning in shown.err
