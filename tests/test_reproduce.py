# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reproductions: kept runs, findings, verdicts, the report."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any

import pytest
from bentpipe.papers import (
    Claim,
    Effort,
    Finding,
    Paper,
    Picture,
    Reproduction,
    Row,
    Runs,
    Sheet,
    Verdict,
    choose,
    papers,
    reproduce,
)
from bentpipe.papers._runs import Store

import bentpipe as bp
from bentpipe import plots
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bentpipe.papers._paper import Key

EFFORT = Effort((1, 2), quick=True)


def link(controller: str, seed: int, rate: str = "10 Mbit/s") -> bp.Scenario:
    return bp.Scenario(
        name=f"{controller} at {rate}",
        duration="5 s",
        seed=seed,
        network=bp.Dumbbell(rate=rate, rtt="50 ms", queue="1 BDP", per=1e-3),
        flows=[bp.Flow(controller=controller)],
    )


def plan(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {(name, seed): link(name, seed) for name in ("reno", "cubic") for seed in effort.seeds}


def goodput(runs: Runs, name: str) -> list[float]:
    return [float(run.summary["totals"]["goodput_mbit_s"]) for run in runs.of(name)]


def read(runs: Runs) -> Finding:
    change = bp.relative_change(goodput(runs, "cubic"), goodput(runs, "reno"))
    figure, (axis,) = plots.new(1, 1)
    axis.plot(*plots.over_time(runs["reno", 1].flows, "goodput_mbit_s"))
    return Finding(
        why="cubic recovers sooner",
        claims=[Claim(what="goodput, CUBIC against Reno", measured=change, paper=500.0, sign=1)],
        sheets=[Sheet("goodput", ("controller", "Mbit/s"), [["reno", "1"]])],
        pictures=[Picture("goodput over time", figure)],
    )


def broken(_: Runs) -> Finding:
    raise ValueError("this row is wrong")


def refused(_: Effort) -> Mapping[Key, bp.Scenario]:
    return {("bad", 1): link("reno", 1, rate="-1 Mbit/s")}


PAPER = Paper(
    name="made-up",
    title="A made-up paper",
    about="For tests.",
    rows=(
        Row(id="M-01", place="Figure 1", what="two controllers", says="CUBIC is faster", plan=plan, read=read),
        Row(id="M-02", place="Figure 2", what="a defect", says="–", plan=plan, read=broken),
        Row(id="M-03", place="Figure 3", what="a refused scenario", says="–", plan=refused, read=read),
        Row(id="M-04", place="section 4", what="no claim", says="an opinion", read=lambda _: Finding(why="an opinion")),
    ),
)


def test_a_reproduction_keeps_what_it_made_and_one_defect_does_not_cost_the_rest(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    first = reproduce([(PAPER, PAPER.rows)], EFFORT, out=tmp_path, progress=lambda *now: seen.append(now))
    found = first.found["made-up"]
    assert found["M-01"].verdict == Verdict.DIRECTION_ONLY or found["M-01"].verdict == Verdict.NOT_REPRODUCED
    assert "this row is wrong" in found["M-02"].failed
    assert "scenario-value" in found["M-03"].failed or "unit" in found["M-03"].failed
    assert found["M-04"].verdict == Verdict.NOT_TESTABLE
    assert seen[-1][0] == seen[-1][1]
    folders = {file: file.stat().st_mtime_ns for file in tmp_path.glob("runs/*/*/summary.json")}
    assert len(folders) == 4  # two rows need the same runs
    again = reproduce([(PAPER, PAPER.rows[:1])], EFFORT, out=tmp_path)
    assert again.found["made-up"]["M-01"] == found["M-01"]
    assert {file: file.stat().st_mtime_ns for file in tmp_path.glob("runs/*/*/summary.json")} == folders


def many(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {(seed,): link("reno", seed, rate="-1 Mbit/s" if seed in (2, 5) else "10 Mbit/s") for seed in effort.seeds}


def test_runs_that_are_refused_do_not_cost_those_beside_them(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    row = dataclasses.replace(PAPER.rows[3], plan=many)
    effort = Effort((1, 2, 3, 4, 5, 6), quick=True)
    found = reproduce([(PAPER, [row])], effort, out=tmp_path, progress=lambda *now: seen.append(now))
    assert "-1 Mbit/s" in found.found["made-up"]["M-04"].failed
    assert len(list(tmp_path.glob("runs/*/*/summary.json"))) == 4
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_row_that_cannot_be_planned_does_not_cost_the_scoreboard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unplanned(_: Effort) -> Mapping[Key, bp.Scenario]:
        raise ValueError("no plan")

    last = dataclasses.replace(PAPER.rows[3], last=True, read=lambda runs: Finding(why=f"{len(runs.kept)} rows"))
    broken_one = dataclasses.replace(PAPER, rows=(dataclasses.replace(PAPER.rows[1], plan=unplanned), last))
    monkeypatch.setattr("bentpipe.papers._shelf.papers", lambda: (broken_one,))
    found = reproduce([(broken_one, [last])], EFFORT, out=tmp_path).found["made-up"]
    assert found["M-04"].why == "0 rows"


def test_a_run_is_kept_for_the_source_of_its_own_controller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Kept(bp.Controller):
        """Does nothing."""

    bp.register("kept-for-its-source")(Kept)
    store = Store(tmp_path)
    text = link("kept-for-its-source", 1).to_toml()
    before = store.folder(text), store.folder(link("reno", 1).to_toml())
    monkeypatch.setattr("inspect.getsource", lambda _: "another source")
    after = store.folder(text), store.folder(link("reno", 1).to_toml())
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_what_was_cut_off_is_made_again_and_another_reader_reads_anew(tmp_path: Path) -> None:
    rows = PAPER.rows[3:]
    first = reproduce([(PAPER, rows)], EFFORT, out=tmp_path)
    (file,) = tmp_path.glob("findings/*.json")
    file.write_text(file.read_text()[:20])
    assert reproduce([(PAPER, rows)], EFFORT, out=tmp_path).found == first.found
    other = dataclasses.replace(rows[0], says="another opinion", read=functools.partial(opinion, "another"))
    again = reproduce([(PAPER, [other])], EFFORT, out=tmp_path).found["made-up"]["M-04"]
    assert again.why == "another"


def opinion(why: str, _: Runs) -> Finding:
    return Finding(why=why)


def test_two_reproductions_do_not_share_a_folder(tmp_path: Path) -> None:
    import fcntl

    with (tmp_path / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(bp.RunError, match="another reproduction is at work"):
            reproduce([(PAPER, PAPER.rows[3:])], EFFORT, out=tmp_path)


def test_the_scoreboard_names_what_failed_and_a_part_overwrites_nothing(tmp_path: Path) -> None:
    from bentpipe.papers import _book, hybla_im

    rows = [row for row in hybla_im.PAPER.rows if row.id == "H-22"]
    result = reproduce([(hybla_im.PAPER, rows)], EFFORT, out=tmp_path)
    assert _book.write(result, tmp_path, ["H-22"]) == tmp_path / "rows.html"
    assert not (tmp_path / "index.html").exists()
    failed = dataclasses.replace(result.found["hybla-im"]["H-22"], failed="a defect")
    record = _book._record(Reproduction(EFFORT, {"hybla-im": {"H-22": failed}}))
    assert [(row["verdict"], row["failed"]) for row in record["rows"]] == [("failed", "a defect")]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("settings", "measured", "verdict"),
    [
        # By hand, from the rule's words.
        ({"paper": 10.0, "sign": 1}, bp.Estimate(9.0, 1.0, 5), Verdict.REPRODUCED),  # near and sharp
        ({"paper": 10.0, "sign": 1}, bp.Estimate(9.0, 4.0, 5), Verdict.DIRECTION_ONLY),  # wider than a quarter
        ({"paper": 10.0, "sign": 1}, bp.Estimate(9.0, 9.5, 5), Verdict.NOT_REPRODUCED),  # zero is in it
        ({"paper": 10.0, "sign": 1}, bp.Estimate(0.5, 0.1, 5), Verdict.NOT_REPRODUCED),  # less than a tenth
        ({"paper": 10.0, "sign": 1}, bp.Estimate(2.0, 0.1, 5), Verdict.DIRECTION_ONLY),
        ({"paper": 0.0}, bp.Estimate(1.0, 9.0, 5), Verdict.NOT_REPRODUCED),  # says nothing about no change
        ({"paper": 0.0}, bp.Estimate(1.0, 1.5, 5), Verdict.REPRODUCED),
        ({"paper": 25.0, "sign": -1, "bound": True}, bp.fixed(23.9), Verdict.REPRODUCED),
        ({"paper": 25.0, "sign": -1, "bound": True}, bp.Estimate(24.5, 1.0, 5), Verdict.NOT_REPRODUCED),
        ({"paper": 17.0, "sign": 1, "implied": 26.2}, bp.Estimate(17.0, 0.1, 5), Verdict.INCONSISTENT),
        ({"paper": 17.0, "sign": 1, "implied": 16.0}, bp.Estimate(17.0, 0.1, 5), Verdict.REPRODUCED),
        ({"sign": -1}, bp.Estimate(-3.0, 1.0, 5), Verdict.DIRECTION_ONLY),
    ],
)
def test_verdicts_follow_the_rule(settings: dict[str, Any], measured: bp.Estimate, verdict: Verdict) -> None:
    assert Claim(what="a claim", measured=measured, **settings).verdict == verdict


def test_a_claim_states_its_tolerance() -> None:
    with pytest.raises(ValueError, match="tolerance"):
        Claim(what="rate", measured=bp.fixed(1.0), paper=1.0, unit="Mbit/s")


def test_the_front_page_says_what_the_scoreboard_says() -> None:
    def table(page: str) -> list[list[str]]:
        lines = (ROOT / page).read_text(encoding="utf-8").partition("<!-- begin: ")[2].splitlines()
        rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        return [cells[1:] for cells in rows[:9]]

    assert table("README.md")[2:] == table("docs/papers.md")[2:9]


def test_the_front_page_counts_rows_by_their_weakest_claim() -> None:
    from bentpipe.papers import _front

    def row(verdict: str, *checks: bool) -> dict[str, Any]:
        return {"paper": "hybic", "verdict": verdict, "claims": [{"check": check} for check in checks]}

    board = {"seeds": [1, 2], "quick": True, "rows": [row("reproduced", True, False), row("not testable")]}
    lines = _front.block(board).splitlines()
    assert lines[0].startswith("With 2 seeds, a first look (`--quick`); 2 claims, 1 of them checks")
    assert lines[-1].replace("*", "") == "| all | 2 | 1 | 0 | 0 | 0 | 1 |"


def test_papers_and_rows_are_found_by_name() -> None:
    assert [paper.name for paper in papers()] == ["hybla-im", "leo-study", "a-liad", "vegas-w", "hybic", "across"]
    with pytest.raises(bp.ScenarioError, match=r"paper-unknown.*did you mean 'hybic'"):
        choose("hybik")
    with pytest.raises(bp.ScenarioError, match="row-unknown"):
        choose("hybic", ["Y-99"])
    ids = [row.id for paper in papers() for row in paper.rows]
    assert len(ids) == len(set(ids))
