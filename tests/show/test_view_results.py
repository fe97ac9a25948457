# SPDX-License-Identifier: MIT OR Apache-2.0
"""Results of many runs in the viewer."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

import bentpipe as bp
from bentpipe import study
from bentpipe.cli.folders import view
from bentpipe.show.viewer import page
from bentpipe.show.viewer import scene as _scene
from bentpipe.show.viewer.server import Shown
from project import Command
from viewed import CHAIN, held


def test_runs_are_laid_over_each_other(orbit: Path, tmp_path: Path) -> None:
    bp.run(CHAIN, out=tmp_path / "chain")
    scene = _scene.of_runs([bp.load(orbit), bp.load(tmp_path / "chain")])
    assert [run["name"] for run in scene.document["runs"]] == ["orbit", "chain"]
    assert {name.split("-")[0] for name in scene.buffers} == {"r0", "r1"}
    with pytest.raises(bp.ArgumentError, match="view this folder alone"):
        view([orbit, tmp_path])


@pytest.mark.usefixtures("page")
def test_a_comparison_is_a_table_whose_rows_open(tmp_path: Path) -> None:
    out = tmp_path / "compared"
    bp.compare(CHAIN, ["reno", "cubic"], seeds=2, out=out)
    (out / "chain-compare.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    outside = tmp_path / "secret.png"
    outside.write_bytes(b"\x89PNG secret")
    (out / "link.png").symlink_to(outside)
    shown = view([out])
    document = shown.scene.document
    assert document["kind"] == "comparison"
    names = [column["name"] for column in document["tables"][0]["columns"]]
    assert names[:4] == ["run", "controllers", "seed", "goodput"]
    # The numbers are those of the printed table, with its digits. Other tables' numbers are absent.
    columns = [column for column in document["tables"][0]["columns"] if column["align"] == "right"]
    assert [(column["name"], column["unit"], column["digits"]) for column in columns] == [
        ("goodput", "Mbit/s", 3), ("p95 queueing delay", "ms", 1), ("loss", "%", 2), ("retransmitted", "%", 2),
    ]  # fmt: skip
    rows = {row[0]: row for row in document["tables"][0]["rows"]}
    for name, row in rows.items():
        there = bp.load(out / name)
        assert row[2] == there.provenance["seed"]
        assert row[3] == pytest.approx(there.summary["totals"]["delivered_mbit_s"], abs=1e-3)
    assert document["tables"][0]["open"] == [f"run/{number}/" for number in range(len(rows))]
    found = shown.answer("run/1/scene.json")
    assert found is not None
    assert json.loads(found[1])["runs"][0]["name"] == list(rows)[1]
    assert [picture["src"] for picture in document["pictures"]] == ["pictures/0.png"], "no link out of the folder"
    assert shown.answer("pictures/0.png") == ("image/png", b"\x89PNG\r\n\x1a\n")
    text, _ = page.fitting(view([out]).alone)
    exported, _ = held(text)
    assert exported["tables"][0]["open"] == [None] * len(rows)
    assert exported["pictures"][0]["src"].startswith("data:image/png;base64,")


def test_a_comparison_of_transfers_has_their_completion(tmp_path: Path) -> None:
    flows = [bp.Flow(controller="reno", size="200 kB", count=2), bp.Flow(controller="reno", size="100 MB")]
    path = bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms")
    bp.compare(
        bp.Scenario(name="transfers", duration="3 s", network=path, flows=flows),
        ["reno", "cubic"],
        seeds=2,
        out=tmp_path / "all",
    )
    table = view([tmp_path / "all"]).scene.document["tables"][0]
    names = [column["name"] for column in table["columns"]]
    assert "goodput" not in names, "over the whole run it tells nothing of transfers that end"
    assert names[3:7] == ["median completion", "p95 completion", "finished", "p95 queueing delay"]
    for row in table["rows"]:
        summary = bp.load(tmp_path / "all" / row[0]).summary
        times = sorted(flow["completed_at_s"] - flow["start_s"] for flow in summary["flows"][:2])
        assert summary["flows"][2]["completed_at_s"] is None
        # The median of three transfers is the second one; 2 of 3 are 67 %.
        assert row[3] == pytest.approx(times[1])
        assert row[5] == pytest.approx(200 / 3)
        # The 95th percentile is the third transfer, which lasted until the end of the run.
        assert row[4] == "> 3 s, 2 of 3 done"


def test_a_comparison_of_two_scenarios_has_a_table_for_each(cli: Command, tmp_path: Path) -> None:
    for name, rate in (("slow", "2 Mbit/s"), ("fast", "8 Mbit/s")):
        path = bp.Dumbbell(rate=rate, rtt="40 ms")
        scenario = bp.Scenario(name=name, duration="2 s", network=path, flows=[bp.Flow(controller="reno")])
        (tmp_path / f"{name}.toml").write_text(scenario.to_toml())
    done = cli("compare", "slow.toml", "fast.toml", "--controllers", "reno,cubic", "--seeds", 1, "--out", "both")
    assert done.returncode == 0, done.stderr
    tables = view([tmp_path / "both"]).scene.document["tables"]
    assert [table["title"] for table in tables] == ["fast", "slow"]
    for table, most in zip(tables, (8.0, 2.0), strict=True):
        at = [column["name"] for column in table["columns"]].index("goodput")
        assert [row[1] for row in table["rows"]] == ["cubic", "reno"]
        assert all(0.5 * most < row[at] < most for row in table["rows"])


def test_a_sweep_of_unfinished_transfers_says_so(tmp_path: Path) -> None:
    path = bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms")
    base = bp.Scenario(duration="3 s", network=path, flows=[bp.Flow(controller="reno", size="100 MB")])
    bp.sweep({"base": base, "axes": {"flows.size": ["10 kB", "100 MB"]}}, out=tmp_path / "sweep")
    document = view([tmp_path / "sweep"]).scene.document
    table = document["tables"][0]
    at = [column["name"] for column in table["columns"]].index("median completion")
    short, long = table["rows"][0][at], table["rows"][-1][at]
    assert 0.04 < short < 0.2
    assert long == "> 3 s, 0 of 1 done"
    assert any(note.endswith(" --page") for note in document["notes"])


@pytest.mark.parametrize("keep", [True, False])
def test_a_sweep_is_a_table_whose_rows_open_what_was_kept(tmp_path: Path, keep: bool) -> None:
    document = {
        "base": bp.Scenario(
            name="swept", duration="2 s", network=bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms"),
            flows=[bp.Flow(controller="reno")],
        ),
        "axes": {"network.dumbbell.rtt": ["20 ms", "40 ms"]},
    }  # fmt: skip
    out = tmp_path / "sweep"
    count = len(bp.sweep(document, out=out, keep_runs=keep).runs)
    moved = out.rename(tmp_path / "moved")
    made = view([moved])
    table = made.scene.document["tables"][0]
    assert made.scene.document["kind"] == "sweep"
    assert len(table["rows"]) == count
    assert table["open"] == ([f"run/{row}/" for row in range(count)] if keep else [None] * count)
    if keep:
        found = made.answer("run/1/scene.json")
        assert found is not None
        assert json.loads(found[1])["runs"][0]["duration_s"] == 2.0
    else:
        assert all("--keep runs" in said for said in table["make"])


def opened(shown: Shown, address: str) -> dict[str, Any]:
    """Return the run that a row opens."""
    found = shown.answer(f"{address}scene.json")
    assert found is not None
    run: dict[str, Any] = json.loads(found[1])["runs"][0]
    return run


def commands(said: str) -> list[list[str]]:
    """Return the commands in a row, as a shell reads them, without comments."""
    return [words for line in said.splitlines() if (words := shlex.split(line, comments=True))]


SUITE = """
name = "short"
duration = "2 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms", queue = "10 packets" }
flows = [{ controller = "reno" }]
"""


@pytest.mark.usefixtures("page")
def test_a_league_shows_ranks_pairs_and_runs_and_how_each_is_made(tmp_path: Path, cli: Command) -> None:
    suite = tmp_path / "suite"
    (suite / "competition").mkdir(parents=True)
    (suite / "short.toml").write_text(SUITE)
    two = SUITE.replace("}]", '}, { controller = "reno" }]')
    (suite / "competition" / "two.toml").write_text(two)
    out = tmp_path / "league"
    result = bp.league(suite, "reno,cubic", seeds=2, out=out)
    document = view([out]).scene.document
    assert document["kind"] == "league"
    tables = {table["title"]: table for table in document["tables"]}
    assert list(tables) == ["Ranks", "Competition", "Runs"]
    ranks = tables["Ranks"]["rows"]
    assert [row[:2] for row in ranks if row[0] == "balanced"] == [
        ["balanced", one.controller] for one in result.standings("balanced")
    ]
    names = [(column["name"], column["unit"]) for column in tables["Runs"]["columns"]]
    goodput = names.index(("goodput", "Mbit/s"))
    told = {(row[0], row[1], row[2]): row[goodput] for row in tables["Runs"]["rows"]}
    assert told == {
        (line.arena, line.controllers[0], line.seed): pytest.approx(line.numbers["goodput_mbit_s"])
        for line in result.lines
        if len(line.controllers) == 1
    }
    # The commands in a row make its run.
    said = next(
        make for row, make in zip(tables["Runs"]["rows"], tables["Runs"]["make"], strict=True) if row[1] == "cubic"
    )
    _, made, shown = commands(said)
    assert cli(*made[1:]).returncode == 0
    assert shown[:2] == ["bentpipe", "view"]
    names = [
        flow["controller"]
        for run in (tmp_path / shown[2]).glob("*/scenario.toml")
        for flow in bp.load(run.parent).summary["flows"]
    ]
    assert names == ["cubic"]
    exported, _ = held(page.fitting(view([out]).alone)[0])
    assert exported["tables"] == document["tables"]


@pytest.mark.usefixtures("page")
def test_a_question_shows_its_candidates_and_how_their_runs_are_made(tmp_path: Path, cli: Command) -> None:
    (tmp_path / "short.toml").write_text(SUITE)
    done = cli("which", "short.toml", "--controllers", "hybla,vegas", "--slow-starts", "own", "--trials", "0",
               "--seeds", "2", "--out", "answer")  # fmt: skip
    assert done.returncode == 0, done.stderr
    document = view([tmp_path / "answer"]).scene.document
    assert document["kind"] == "which"
    (table,) = document["tables"]
    names = [column["name"] for column in table["columns"]]
    assert "changed" not in names, "the name of a candidate has it"
    place = names.index("candidate")
    assert {row[place] for row in table["rows"]} >= {"hybla", "vegas", "as written (reno)"}
    assert [picture["name"] for picture in document["pictures"]] == ["pareto"]
    ran = []
    for said in table["make"]:
        made = commands(said)[0]
        if "SCENARIO.toml" not in made:
            assert cli(*made[1:]).returncode == 0, made
            ran.append(made)
    assert ran
    assert any(f"taken: {key}" in document["notes"] for key in ("hybla", "vegas", "as written (reno)"))


@pytest.mark.usefixtures("page")
def test_a_study_opens_the_runs_of_its_rows(tmp_path: Path) -> None:
    def plan(effort: study.Effort) -> dict[study.Key, bp.Scenario]:
        return {("reno", seed): bp.Scenario(name="<i>kept</i>", duration="1 s", seed=seed,
                network=bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms"), flows=[bp.Flow(controller="reno")])
                for seed in effort.seeds}  # fmt: skip

    def read(runs: study.Runs) -> study.Finding:
        figure, (axis,) = bp.plots.new(1, 1)
        axis.plot([1.0, 2.0])
        rate = bp.estimate([run.summary["totals"]["delivered_mbit_s"] for run in runs.of("reno")])
        claim = study.Claim(what="goodput", measured=rate, unit="Mbit/s", paper=4.0, tolerance=1.0, sign=1)
        return study.Finding(claims=[claim], why="it fits", pictures=[study.Picture("a line", figure)])

    row = study.Row(id="M-1", place="Fig. 1", what="what", says="says", plan=plan, read=read)
    one = study.Study(name="mine", title="My study", about="about", rows=(row,))
    made = study.reproduce([(one, one.rows)], study.Effort((1, 2), quick=True), out=tmp_path / "report")
    assert made.failures == []
    shown = view([tmp_path / "report"])
    document = shown.scene.document
    assert document["kind"] == "study"
    (table,) = document["tables"]
    assert [(row[0], row[1]) for row in table["rows"]] == [("M-1.a", "goodput")]
    assert table["open"] == ["run/0/"]
    assert opened(shown, "run/0/")["seed"] == 1
    assert [picture["src"] for picture in document["pictures"]] == ["pictures/0.svg"]
    found = shown.answer("pictures/0.svg")
    assert found is not None
    assert (found[0], b"<svg" in found[1], b"xmlns" in found[1]) == ("image/svg+xml", True, True)
    # Without the runs, a row shows the command that makes them again.
    shutil.rmtree(tmp_path / "report" / "runs")
    (table,) = view([tmp_path / "report"]).scene.document["tables"]
    assert table["open"] == [None]
    assert "bentpipe reproduce" in table["make"][0]


@pytest.mark.parametrize(
    ("name", "text"), [("ranks.csv", "aim\n1,2\n"), ("runs.csv", "x\n1\n"), ("ranks.csv", "\0\xff")]
)
def test_tables_that_no_league_writes_are_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "league.json").write_text("{}")
    for file, head in (
        ("ranks.csv", "aim"),
        ("runs.csv", "scenario,controller"),
        ("competition.csv", "bed,controller,against"),
    ):
        (tmp_path / file).write_text(f"{head}\n")
    (tmp_path / name).write_bytes(text.encode("latin-1"))
    with pytest.raises(bp.RunError, match=re.escape(name)):
        view([tmp_path])


def test_no_more_than_a_few_runs_of_a_table_are_held(tmp_path: Path) -> None:
    bp.run_many([CHAIN.replace("5 s", "100 ms")] * 6, out=[str(tmp_path / "all" / str(number)) for number in range(6)])
    shown = view([tmp_path / "all"])
    names = [opened(shown, f"run/{number}/")["name"] for number in range(6)]
    assert len(set(names)) == 6
    assert list(shown._open) == [2, 3, 4, 5]
    assert opened(shown, "run/0/")["name"] == names[0]
