# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reproductions: stored runs, findings, verdicts, the report, and studies of users."""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import TYPE_CHECKING

import pytest

import bentpipe as bp
from bentpipe import plots
from bentpipe.cli.reproduce import _shelf
from bentpipe.study import (
    Claim,
    Effort,
    Finding,
    Key,
    Outcome,
    Picture,
    Reproduction,
    Row,
    Runs,
    Sheet,
    Study,
    Verdict,
    _runs,
    chapter,
    choose,
    load,
    markdown,
    reproduce,
    studies,
    write,
)
from bentpipe.study._report.scoreboard import record
from bentpipe.study._runs import Store
from bentpipe.study._shelf import rows_from
from project import Command

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

EFFORT = Effort((1, 2), quick=True)


def link(controller: str, seed: int, rate: str = "10 Mbit/s") -> bp.Scenario:
    return bp.Scenario(
        name=f"{controller} at {rate}",
        duration="5 s",
        seed=seed,
        network=bp.Dumbbell(rate=rate, rtt="50 ms", queue="1 BDP", loss=bp.Loss(per=1e-3)),
        flows=[bp.Flow(controller=controller)],
    )


def plan(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {(name, seed): link(name, seed) for name in ("reno", "cubic") for seed in effort.seeds}


def goodput(runs: Runs, name: str) -> list[float]:
    return [float(run.summary["totals"]["delivered_mbit_s"]) for run in runs.of(name)]


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


STUDY = Study(
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
    first = reproduce([(STUDY, STUDY.rows)], EFFORT, out=tmp_path, progress=lambda *now: seen.append(now))
    found = first.found["made-up"]
    assert found["M-01"].by_id["M-01.a"].verdict in (Verdict.HOLDS, Verdict.FAILS, Verdict.UNDECIDED)
    assert "this row is wrong" in found["M-02"].failed
    assert "scenario-value" in found["M-03"].failed or "unit" in found["M-03"].failed
    assert not found["M-04"].claims
    assert seen[-1][0] == seen[-1][1]
    folders = {file: file.stat().st_mtime_ns for file in tmp_path.glob("runs/*/*/summary.json")}
    assert len(folders) == 4  # two rows need the same runs
    again = reproduce([(STUDY, STUDY.rows[:1])], EFFORT, out=tmp_path)
    assert again.found["made-up"]["M-01"] == found["M-01"]
    assert {file: file.stat().st_mtime_ns for file in tmp_path.glob("runs/*/*/summary.json")} == folders


def many(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {(seed,): link("reno", seed, rate="-1 Mbit/s" if seed in (2, 5) else "10 Mbit/s") for seed in effort.seeds}


def test_runs_that_are_refused_do_not_cost_those_beside_them(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    row = dataclasses.replace(STUDY.rows[3], plan=many)
    effort = Effort((1, 2, 3, 4, 5, 6), quick=True)
    found = reproduce([(STUDY, [row])], effort, out=tmp_path, progress=lambda *now: seen.append(now))
    assert "-1 Mbit/s" in found.found["made-up"]["M-04"].failed
    assert len(list(tmp_path.glob("runs/*/*/summary.json"))) == 4
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_row_that_cannot_be_planned_does_not_cost_the_scoreboard(tmp_path: Path) -> None:
    def unplanned(_: Effort) -> Mapping[Key, bp.Scenario]:
        raise ValueError("no plan")

    def counted(runs: Runs) -> Finding:
        return Finding(why=f"{len(runs.outcomes)} of {len(runs.studies[0].rows)} rows")

    last = dataclasses.replace(STUDY.rows[3], last=True, read=counted)
    broken_one = dataclasses.replace(STUDY, rows=(dataclasses.replace(STUDY.rows[1], plan=unplanned), last))
    found = reproduce([(broken_one, [last])], EFFORT, out=tmp_path, shelf=[broken_one]).found["made-up"]
    assert found["M-04"].why == "0 of 2 rows"


def test_a_run_is_kept_for_what_its_own_controller_does(tmp_path: Path) -> None:
    class Kept(bp.Controller):
        """Does nothing."""

        window = 10

    bp.register("kept-for-what-it-does")(Kept)
    store = Store(tmp_path)
    text = link("kept-for-what-it-does", 1).to_toml()
    before = store.folder(text), store.folder(link("reno", 1).to_toml())
    Kept.window = 20
    after = store.folder(text), store.folder(link("reno", 1).to_toml())
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_what_was_cut_off_is_made_again_and_another_reader_reads_anew(tmp_path: Path) -> None:
    rows = STUDY.rows[3:]
    first = reproduce([(STUDY, rows)], EFFORT, out=tmp_path)
    (file,) = tmp_path.glob("findings/*.json")
    file.write_text(file.read_text()[:20])
    assert reproduce([(STUDY, rows)], EFFORT, out=tmp_path).found == first.found
    other = dataclasses.replace(rows[0], says="another opinion", read=functools.partial(opinion, "another"))
    again = reproduce([(STUDY, [other])], EFFORT, out=tmp_path).found["made-up"]["M-04"]
    assert again.why == "another"


def opinion(why: str, _: Runs) -> Finding:
    return Finding(why=why)


def test_two_reproductions_do_not_share_a_folder(tmp_path: Path) -> None:
    import fcntl

    with (tmp_path / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(bp.RunError, match="another reproduction is at work"):
            reproduce([(STUDY, STUDY.rows[3:])], EFFORT, out=tmp_path)


def test_the_scoreboard_names_what_failed_and_a_part_overwrites_nothing(tmp_path: Path) -> None:
    row = STUDY.rows[3]
    other = dataclasses.replace(STUDY, name="other", rows=(dataclasses.replace(row, id="O-01"),))
    shelf = (STUDY, other)
    part = reproduce([(STUDY, [row])], EFFORT, out=tmp_path)
    assert write(part, tmp_path, shelf, [row.id]) == tmp_path / "rows.html"
    assert write(part, tmp_path, shelf) == tmp_path / "made-up.html"
    assert write(part, tmp_path, shelf[:1]) == tmp_path / "made-up.html"
    assert not (tmp_path / "index.html").exists()
    whole = reproduce([(STUDY, [row]), (other, other.rows)], EFFORT, out=tmp_path)
    assert write(whole, tmp_path, shelf) == tmp_path / "index.html"
    assert (tmp_path / "other.html").exists()
    failed = dataclasses.replace(whole.found["made-up"]["M-04"], failed="a defect")
    told = record(Reproduction(EFFORT, {"made-up": {"M-04": failed}}))
    assert [row["failed"] for row in told["rows"]] == ["a defect"]  # type: ignore[attr-defined]


def test_the_scoreboard_as_markdown_counts_claims_and_sums(tmp_path: Path) -> None:
    result = reproduce([(STUDY, STUDY.rows[3:])], EFFORT, out=tmp_path)
    lines = markdown(result, "bentpipe reproduce made-up", [STUDY]).splitlines()
    assert lines[0] == f"Written by `bentpipe reproduce made-up`: 2 seeds, Bentpipe {bp.__version__}."
    assert "| A made-up paper | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |" in lines
    assert "| M-04 |  |  |  |  | an opinion |" in lines  # no claims: its rows
    twice = dataclasses.replace(STUDY, name="other", title="T", rows=(dataclasses.replace(STUDY.rows[3], id="O-01"),))
    both = reproduce([(STUDY, STUDY.rows[3:]), (twice, twice.rows)], EFFORT, out=tmp_path)
    assert "| all | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |" in markdown(both, "x", [STUDY, twice]).splitlines()


def test_a_page_of_a_study_cuts_reasons_to_its_words() -> None:
    rows = [dataclasses.replace(STUDY.rows[3], id=f"M-{number}") for number in range(9)]
    study = dataclasses.replace(STUDY, rows=rows)
    found = {row.id: Outcome(row.id, (), "an opinion " * 50) for row in rows}
    assert len(re.findall(r"\w+", chapter(study, found, "x", most_words=500))) <= 500
    assert "| an opinion an opinion an opinion an opinion an opinion an opinion an opinion an … |" in chapter(
        study, found, "x", most_words=230
    )


def test_a_claim_states_its_tolerance() -> None:
    with pytest.raises(ValueError, match="tolerance"):
        Claim(what="rate", measured=bp.fixed(1.0), paper=1.0, unit="Mbit/s")


def test_a_study_says_what_is_wrong_with_it() -> None:
    with pytest.raises(ValueError, match=r"cannot be named 'My study'.*lower-case"):
        dataclasses.replace(STUDY, name="My study")
    with pytest.raises(ValueError, match="needs its own id: M-01"):
        dataclasses.replace(STUDY, rows=(STUDY.rows[0], STUDY.rows[0]))


def test_studies_and_rows_are_found_by_name() -> None:
    with pytest.raises(bp.ScenarioError, match=r"paper-unknown.*did you mean 'made-up'"):
        choose("made-op", shelf=[STUDY])
    with pytest.raises(bp.ScenarioError, match=r"row-unknown.*'M-01'"):
        choose("made-up", ["M-91"], shelf=[STUDY])
    ((study, rows),) = choose("all", ["m-02"], shelf=[STUDY])
    assert (study.name, [row.id for row in rows]) == ("made-up", ["M-02"])


@pytest.mark.parametrize(
    ("kind", "number", "ids"),
    [
        ("Figure", "1", ["P-1", "P-4"]),
        ("Figure", "7", ["P-2", "P-3"]),
        ("Figure", "7(a)", ["P-2"]),
        ("figure", "7B", ["P-3"]),
        ("Table", "2", ["P-1"]),
        ("Table", "I", ["P-2"]),
        ("Table", "II", ["P-3"]),
    ],
)
def test_rows_are_found_by_figure_and_table(kind: str, number: str, ids: list[str]) -> None:
    places = ("Figure 1, Table 2, section 4", "Figure 7(a), Table I", "Figure 7(b), Table II", "figure 1", "Figure 12")
    rows = [dataclasses.replace(STUDY.rows[0], id=f"P-{n}", place=place) for n, place in enumerate(places, 1)]
    shelf = [dataclasses.replace(STUDY, rows=rows)]
    assert rows_from("made-up", kind, number, shelf=shelf) == ids


def test_a_figure_without_a_row_is_refused() -> None:
    with pytest.raises(bp.ScenarioError, match=r"row-unknown.*made-up has no row for figure 9 .*made-up --list"):
        rows_from("made-up", "Figure", "9", shelf=[STUDY])


def test_without_studies_it_is_said_how_to_get_them() -> None:
    for name in ("hybla-im", "all"):
        with pytest.raises(bp.ScenarioError, match=r"paper-unknown.*pip install ./papers"):
            choose(name, shelf=[])


class Installed:
    """The part of an entry point that Bentpipe uses."""

    name, value = "mine", "mine:STUDIES"

    def __init__(self, given: object) -> None:
        self.given = given

    def load(self) -> object:
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (ImportError("no module named x"), "cannot be loaded: ImportError.*no module named x"),
        (3, "must be bentpipe.study.Study, not of type int"),
        ([STUDY, "x"], "must be bentpipe.study.Study, not of type str"),
        ([STUDY, STUDY], "have a study 'made-up'"),
        ([STUDY, dataclasses.replace(STUDY, name="other")], "have a row 'M-01'"),
    ],
)
def test_a_package_that_cannot_give_its_studies_is_named(
    given: object, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bentpipe.study._shelf.entry_points", lambda group: [Installed(given)] if group else [])
    with pytest.raises(bp.ScenarioError, match=f"plugin-failed.*{words}"):
        studies()


def test_a_package_names_one_study_or_several(monkeypatch: pytest.MonkeyPatch) -> None:
    for given in (STUDY, [STUDY]):
        monkeypatch.setattr("bentpipe.study._shelf.entry_points", lambda group, given=given: [Installed(given)])  # noqa: ARG005
        assert studies() == (STUDY,)


def test_several_studies_are_named_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {name: dataclasses.replace(STUDY, name=name, rows=()) for name in ("one", "two", "three")}
    monkeypatch.setattr("bentpipe.cli.reproduce.study.studies", lambda: tuple(named.values()))
    assert _shelf("three,one") == ("all", (named["one"], named["three"]))
    assert _shelf("two") == ("two", tuple(named.values()))
    with pytest.raises(bp.ScenarioError, match="there is no study 'tow'"):
        _shelf("one,tow")


OWN = """
import bentpipe as bp
from bentpipe.study import Claim, Finding, Row, Study


def read(_):
    claim = Claim(what="legs", measured=bp.fixed(4.0), paper=4.0, unit="", tolerance=0.1)
    return Finding(why="counted", claims=[claim])


STUDY = Study(name="own", title="Legs", about="", rows=[Row(id="O-1", place="p", what="w", says="4", read=read)])
"""


def test_a_file_of_ones_own_is_made_with_the_same_report(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    done = cli("reproduce", "./own.py", "--seeds", 2)
    assert done.returncode == 0, done.stderr
    assert "supported" in done.stdout
    head, rule = done.stdout.splitlines()[2], done.stdout[done.stdout.index("A claim is") :]
    assert ("expected" in head, "paper" in done.stdout) == (True, False)
    assert len(rule.split()) < 100
    page = (tmp_path / "report" / "own.html").read_text()
    assert "What is claimed: 4" in page
    assert "expected</" in page
    assert "paper" not in page[page.index("<h1") :]
    assert not (tmp_path / "report" / "index.html").exists()
    assert cli("reproduce", "own.py", "o-1", "--seeds", 2).returncode == 0
    assert (tmp_path / "report" / "rows.html").exists()


def test_rows_are_listed_and_selected_by_their_place(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN.replace('place="p"', 'place="Figure 7"'))
    listed = cli("reproduce", "own.py", "--list")
    assert listed.returncode == 0, listed.stderr
    assert listed.stdout.splitlines()[-2].split() == ["O-1", "Figure", "7", "w", "4"]
    assert [one.name for one in tmp_path.iterdir()] == ["own.py"]
    made = cli("reproduce", "own.py", "--figure", 7, "--quick")
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "report" / "rows.html").exists()
    refused = cli("reproduce", "own.py", "--table", 7)
    assert (refused.returncode, "no row for table 7" in refused.stderr) == (2, True)


@pytest.mark.parametrize(("seeds", "words"), [([], "from two seeds"), (["--seeds", 3], "from 3 seeds")])
def test_a_quick_reproduction_names_the_full_one(cli: Command, tmp_path: Path, seeds: list[object], words: str) -> None:
    (tmp_path / "own.py").write_text(OWN)
    said = " ".join(cli("reproduce", "own.py", "--quick", *seeds).stdout.split())
    assert "a first look, " + words in said
    assert "after 10, 20, 40 and 100 seeds" in said
    assert "a first look" not in cli("reproduce", "own.py", "--seeds", 2).stdout


def test_a_dry_run_counts_runs_and_writes_nothing(cli: Command, tmp_path: Path) -> None:
    plan = """

def plan(effort):
    path = bp.Dumbbell(rate="2 Mbit/s", rtt="20 ms", loss=bp.Loss(per=1e-3))
    return {
        (name, seed): bp.Scenario(
            name=name, duration="1 s", seed=seed, network=path, flows=[bp.Flow(controller=name)]
        )
        for name in ("reno", "cubic")
        for seed in effort.seeds
    }


STUDY = """
    (tmp_path / "own.py").write_text(OWN.replace("\nSTUDY = ", plan).replace("read=read)", "read=read, plan=plan)"))
    said = cli("reproduce", "own.py", "--dry-run")
    assert said.returncode == 0, said.stderr
    # Two controllers, with 10 seeds at the first look and 100 at the last.
    assert "\n20 runs, of which 0 exist: about " in said.stdout
    assert "if no claim is decided before the last look: 200 runs" in said.stdout
    assert [one.name for one in tmp_path.iterdir()] == ["own.py"]
    assert cli("reproduce", "own.py", "--seeds", 2).returncode == 0
    again = cli("reproduce", "own.py", "--seeds", 3, "--dry-run")
    assert "\n6 runs, of which 4 exist: about " in again.stdout


def test_a_study_imports_the_file_beside_it_and_is_read_again_when_that_changes(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN.replace("fixed(4.0)", "fixed(legs())").replace(
        "import bentpipe as bp\n", "import bentpipe as bp\nfrom counted import legs\n"))  # fmt: skip
    for legs, verdict in ((4.0, "supported"), (3.0, "contradicted")):
        (tmp_path / "counted.py").write_text(f"def legs():\n    return {legs}  # {verdict}\n")
        done = cli("reproduce", "./own.py", "--seeds", 2)
        assert done.returncode == 0, done.stderr
        assert f" {verdict}" in done.stdout


def test_a_study_finds_a_controller_of_a_plugin(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN.replace(
        "def read(_):\n", "def read(_):\n    bp.Flow(controller='of-a-plugin')\n"))  # fmt: skip
    (tmp_path / "mine.py").write_text(
        "import bentpipe as bp\n\n\n@bp.register('of-a-plugin')\nclass Mine(bp.Controller):\n    window = 10\n"
    )
    done = cli("reproduce", "./own.py", "--seeds", 2, "--plugin", "mine.py")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "cannot read the study {file}: there is no such file"),
        ("", "the study {file} has no STUDY (end it with STUDY = bentpipe.study.Study(...))"),
        ("STUDY = 3", "STUDY of the study {file} is of type int (a bentpipe.study.Study is needed)"),
        (
            "from bentpipe.study import Study\nSTUDY = Study",
            "STUDY of the study {file} is Study (a bentpipe.study.Study is needed)",
        ),
        ("1 / 0", "the study {file} raised ZeroDivisionError: division by zero"),
        ("def", "the study {file} raised SyntaxError"),
        (OWN.replace('"own"', '"My own"'), "the study {file} raised ValueError: a study cannot be named 'My own'"),
    ],
)
def test_a_file_that_is_no_study_is_refused(text: str | None, words: str, tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    if text is not None:
        file.write_text(text)
    with pytest.raises(bp.ScenarioError) as problem:
        load(file)
    assert (problem.value.code, problem.value.exit_code) == ("plugin-failed", 2)
    assert problem.value.message.startswith(words.format(file=file))


#: A study with a plan in line 6, and a reader in line 11.
PLANNED = """
import bentpipe as bp
from bentpipe.study import Claim, Finding, Row, Study
FLOW = bp.Flow(controller="reno")

def plan(effort):
    path = bp.Dumbbell(rate="2 Mbit/s", rtt="20 ms")
    return {("reno", s): bp.Scenario(duration="1 s", seed=s, network=path, flows=[FLOW]) for s in effort.seeds}


def read(runs):
    return Finding(why="counted")


STUDY = Study(name="own", title="", about="", rows=[Row(id="O-1", place="p", what="w", says="", plan=plan, read=read)])
"""


@pytest.mark.parametrize(
    ("good", "bad", "says"),
    [
        # A scenario is refused when its run is made: the place is the function `plan` and the key of the run.
        ("2 Mbit/s", "2 Mbits", "own.py:6: run ('reno', 1): network.dumbbell.rate: cannot read "),
        ("rtt=", "rttt=", "own.py:7: TypeError: "),
        ("effort.seeds}", "effort.seed}", "own.py:8: AttributeError: "),
        ("return Finding", "runs['cubic', 1]; return Finding", "own.py:12: KeyError: ('cubic', 1)"),
        # Bentpipe's own code raises these errors.
        ('why="counted"', 'why=""', "own.py:11: ValueError: row O-1 has neither a claim nor a reason"),
        (
            "return Finding(",
            "return Finding(claims=[Claim(what='x', measured=bp.fixed(1), tolerance=-1)], ",
            "own.py:12: ",
        ),
    ],
)
def test_an_error_in_a_row_has_its_line(cli: Command, tmp_path: Path, good: str, bad: str, says: str) -> None:
    assert good in PLANNED
    (tmp_path / "own.py").write_text(PLANNED.replace(good, bad))
    done = cli("reproduce", "own.py", "--seeds", 2)
    assert done.returncode == 1
    assert "error[row-failed]: O-1: " in done.stderr
    assert says in done.stderr


def test_a_refused_call_in_a_study_has_its_line(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(PLANNED + "bp.estimate([])\n")
    done = cli("reproduce", "own.py")
    assert done.returncode == 2
    assert done.stderr == "error[argument-value]: the study own.py:16: a mean needs at least one sample\n"


def test_a_refused_file_is_no_traceback(cli: Command) -> None:
    done = cli("reproduce", "./nowhere.py")
    assert done.returncode == 2
    assert done.stderr == "error[plugin-failed]: cannot read the study nowhere.py: there is no such file\n"


def test_a_finding_is_made_anew_when_a_module_beside_its_row_changes(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    for name in ("__init__", "rows", "bed"):
        (package / f"{name}.py").write_text("def read(_): ...\n")

    def seen() -> str:
        _runs.files.cache_clear()
        return _runs.files(package / "rows.py")

    before = seen()
    (package / "__init__.py").write_text("# only says which rows there are\n")
    assert seen() == before
    (package / "bed.py").write_text("# another bed\n")
    assert seen() != before


def test_the_simulator_says_its_own_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    from bentpipe import _core

    monkeypatch.setattr(_core, "fingerprint", lambda: "f00d", raising=False)
    assert _runs.build.__wrapped__() == "f00d"


@pytest.mark.parametrize("name", ["../../../../x", "a/b", "", ".hidden", "M 01", "M-", "x" * 101, "M-01\n"])
def test_the_id_of_a_row_is_a_part_of_a_file_name(name: str) -> None:
    with pytest.raises(ValueError, match=r"a row cannot have the id .*letters, digits"):
        dataclasses.replace(STUDY.rows[0], id=name)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("paper", float("nan"), "paper is nan, not a finite number"),
        ("paper", float("inf"), "paper is inf"),
        ("neutral", float("nan"), "neutral is nan"),
        ("tolerance", float("inf"), "tolerance is inf"),
        ("implied", float("nan"), "implied is nan"),
        ("tolerance", -1.0, "tolerance is -1; it must be 0 or more"),
        ("sign", 2, "sign is 2; it must be -1, 0 or 1"),
    ],
)
def test_the_numbers_of_a_claim_are_numbers(key: str, value: float, said: str) -> None:
    sound = {"what": "w", "measured": bp.fixed(5.0), "paper": 5.0, "tolerance": 1.0, "sign": 1}
    Claim(**sound)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=said):
        Claim(**{**sound, key: value})  # type: ignore[arg-type]
