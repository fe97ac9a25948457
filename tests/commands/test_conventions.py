# SPDX-License-Identifier: MIT OR Apache-2.0
"""Conventions of the command line: JSON, tables in files, settings, stdin, and what fits a terminal."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
import zipfile
from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe.base.stats import Bounds, Estimate
from bentpipe.cli import commands, console, tables
from bentpipe.cli.commands import COMMANDS, parser
from project import ROOT, Command
from waiting import until

#: Commands that print a result, with the arguments of a short call; `small.toml` is a dumbbell with one Reno flow.
RESULTS = {
    "run": ("small.toml",),
    "compare": ("small.toml", "--controllers", "reno,cubic", "--seeds", "2", "--for", "balanced"),
    "which": ("small.toml", "--controllers", "reno", "--slow-starts", "own", "--trials", "0", "--seeds", "2"),
    "path": ("London", "Paris", "--constellation", "starlink-550", "--duration", "20 s"),
    "passes": ("London", "--constellation", "iridium"),
    "constellations": (),
    "bottlenecks": ("small.toml",),
    "link-budget": ("budget.toml",),
    "model": ("hybla-window",),
    "presets": (),
    "controllers": (),
    "doctor": (),
    "agree": ("small.toml", "--controllers", "reno,cubic", "--platforms", "sim", "--runs", "2"),
}
#: Commands that print no table: they write files, pages or JSON anyway, or answer one fixed question.
WITHOUT = {"plot", "report", "export", "view", "schema", "demo", "completion", "import", "quic", "emulate", "kernel"}
#: Commands with both options whose runs take long; their options alone are tested here.
LONG = {"sweep", "sensitivity", "league", "evaluate", "validate", "reproduce"}


@pytest.fixture
def budget(tmp_path: Path) -> Path:
    """The link budget of the guide."""
    text = (ROOT / "docs" / "guide" / "geo-operators-morning.md").read_text(encoding="utf-8")
    file = tmp_path / "budget.toml"
    file.write_text(next(part for part in text.split("```") if "[budget]" in part).removeprefix("toml\n"))
    return file


def test_every_command_is_in_one_list() -> None:
    assert set(COMMANDS) <= {*RESULTS, *WITHOUT, *LONG}


@pytest.mark.usefixtures("small", "budget")
@pytest.mark.parametrize("command", sorted(RESULTS))
def test_json_is_all_of_stdout(cli: Command, command: str) -> None:
    done = cli(command, *RESULTS[command], "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) or command == "bottlenecks"  # no path shares a link here
    assert "NaN" not in done.stdout


@pytest.mark.usefixtures("small", "budget")
@pytest.mark.parametrize("command", sorted(RESULTS))
def test_the_printed_table_is_written(cli: Command, tmp_path: Path, command: str) -> None:
    done = cli(command, *RESULTS[command], "--csv", tmp_path / "table.csv")
    assert done.returncode == 0, done.stderr
    rows = list(csv.reader(io.StringIO((tmp_path / "table.csv").read_text(encoding="utf-8"))))
    assert len({len(row) for row in rows}) <= 1
    assert len(rows) > 1 or command == "bottlenecks"


@pytest.mark.parametrize("command", sorted(LONG - {"reproduce"}))
def test_long_commands_have_both_options(command: str) -> None:
    (commands,) = parser(whole=True)._subparsers._group_actions  # type: ignore[union-attr]
    known = commands.choices[command]._option_string_actions  # type: ignore[index, call-overload]
    assert {"--json", "--csv", "--quiet"} <= set(known)


def test_a_printed_table_becomes_numbers() -> None:
    head = ["name", "rate", "done", "RTT", "RTT"]
    rows = [
        ["a", "1.50 ± 0.25", "3", "1,200", "–"],
        ["b", "2 ± ?", "–", "7", "x"],
        ["c", "0.3 (0.0 to 0.9)", "4", "8", ""],
    ]
    table = tables.numbers(head, rows)
    assert table.columns == ["name", "rate", "rate ±", "done", "RTT", "RTT (2)"]
    assert table["rate"] == [1.5, 2.0, 0.3]
    assert table["rate ±"] == [0.25, None, None]
    assert table["done"] == [3.0, None, 4.0]
    assert table["RTT"] == [1200.0, 7.0, 8.0]
    assert table["RTT (2)"] == [None, "x", None]


def test_a_workbook_has_the_numbers(tmp_path: Path) -> None:
    pytest.importorskip("xlsxwriter")
    bp.Table({"name": ["=1+1", "b"], "value": [1.25, None]}).write(tmp_path / "t.xlsx")
    with zipfile.ZipFile(tmp_path / "t.xlsx") as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        texts = book.read("xl/sharedStrings.xml").decode()
    assert "<v>1.25</v>" in sheet
    assert "=1+1" in texts
    assert "<f>" not in sheet  # text is never a formula


#: Three pages of two users, over a path whose round trip of 40 ms bounds every load time.
WEB = """
duration = "10 s"
network.dumbbell = { rate = "20 Mbit/s", rtt = "40 ms" }
flows = [
  { name = "web", kind = "web", controller = "cubic", page = "median-2024", users = 2, think = "1 s" },
  { name = "bulk", controller = "reno" },
]
"""


def test_files_have_the_visits_that_the_terminal_shows(cli: Command, tmp_path: Path) -> None:
    pytest.importorskip("xlsxwriter")
    (tmp_path / "web.toml").write_text(WEB)
    done = cli("run", "web.toml", "--csv", "flows.csv")
    assert done.returncode == 0, done.stderr
    shown = re.search(r"web: (\d+) of (\d+) pages done; load time median ([\d.]+) s", done.stdout)
    assert shown is not None, done.stdout
    web, bulk = csv.DictReader((tmp_path / "flows.csv").read_text().splitlines())
    assert (float(web["visits done"]), float(web["visits begun"])) == (float(shown[1]), float(shown[2]))
    assert float(web["median visit s"]) == pytest.approx(float(shown[3]), rel=0.01)
    assert (bulk["visits done"], bulk["median visit s"]) == ("", "")
    # Numbers of a measured quantity have a unit; counts and ratios have none.
    assert {"p95 RTT ms", "RTT ms", "queue ms"} <= web.keys()
    assert "p95" not in web
    assert cli("run", "web.toml", "--csv", "flows.xlsx").returncode == 0
    with zipfile.ZipFile(tmp_path / "flows.xlsx") as book:
        names = re.findall(r'<sheet name="(\w+)"', book.read("xl/workbook.xml").decode())
        visits = book.read("xl/worksheets/sheet2.xml").decode()
    assert names == ["flows", "visits"]
    assert visits.count("<row ") == 1 + int(shown[2])


def test_every_table_in_one_workbook(cli: Command, small: Path, tmp_path: Path) -> None:
    pytest.importorskip("xlsxwriter")
    done = cli("run", small, "--tables", "tx.xlsx")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "tx.xlsx").is_file()
    with zipfile.ZipFile(tmp_path / "tx.xlsx") as book:
        names = re.findall(r'<sheet name="(\w+)"', book.read("xl/workbook.xml").decode())
    assert {"numbers", "flows", "links", "events"} <= set(names)
    assert "visits" not in names  # no application, no rows
    refused = cli("run", small, "--tables", "t.csv")
    assert refused.returncode == 2
    assert "cannot write t.csv: several tables do not fit into one CSV file" in refused.stderr
    small.with_name("other.toml").write_text(small.read_text())
    several = cli("run", small, "other.toml", "--tables", "two.xlsx")
    assert several.returncode == 2
    assert "is a workbook of one run, and 2 scenarios are given" in several.stderr


def test_many_flows_of_applications_have_a_line_for_each_group(cli: Command, tmp_path: Path) -> None:
    """Twelve homes with one page flow and one film flow each: the two groups are named without numbers."""
    flows = ",".join(
        f'{{ name = "web {home}", kind = "web", controller = "cubic", page = "median-2024", '
        'users = 1, think = "1 s" },'
        f'{{ name = "get {home}", kind = "transfers", controller = "cubic", size = "5 kB", arrivals = '
        '{ law = "regular", rate = 1 } }'
        for home in range(1, 13)
    )
    text = f'duration = "5 s"\nnetwork.dumbbell = {{ rate = "100 Mbit/s", rtt = "40 ms" }}\nflows = [{flows}]\n'
    (tmp_path / "homes.toml").write_text(text)
    done = cli("run", "homes.toml")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    # One transfer begins in each of the 5 s in each of the 12 homes.
    said = "\n".join(lines)
    assert re.search(r"^get \(12 flows\): \d+ of 60 transfers done; completion median", said, re.MULTILINE), said
    assert re.search(r"^web \(12 flows\): \d+ of \d+ pages done; load time median", said, re.MULTILINE), said
    assert not any(line.startswith(("web 1:", "get 12:")) for line in lines)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_80_columns(cli: Command, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = cli(*command.split(), "--help")
    assert done.returncode == 0
    for line in done.stdout.splitlines():
        assert len(line) <= 80
        assert line == line.rstrip()
    assert not re.search(r'"[\d.]+$', done.stdout, re.MULTILINE), "a number and its unit are on one line"


def test_every_word_of_a_help_stays_whole_at_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    waiting = [commands.parser(whole=True)]
    while waiting:
        command = waiting.pop()
        waiting += commands.subcommands_of(command).values()
        text = command.format_help()
        assert [line for line in text.splitlines() if len(line) > 80 or line != line.rstrip()] == []
        said = [command.description or "", *(action.help or "" for action in command._actions)]
        written = {word for part in said for word in part.split() if "%" not in word}
        assert written <= set(text.split()), command.prog


@pytest.mark.parametrize("is_terminal", [True, False])
def test_lines_fit_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], is_terminal: bool
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
    line = "  bottleneck left > right, loss at most 12 %; congestion-control over/a/path/longer/than/the/width/of/40"
    parts = [
        "  bottleneck left > right, loss at most",
        "  12 %; congestion-control",
        "  over/a/path/longer/than/the/width/of/40",
    ]
    expected = "\n".join(parts if is_terminal else [line]) + "\n"
    console.say(line)
    console.note(line)
    assert capsys.readouterr() == (expected, expected)
    console.say_file(line)
    assert capsys.readouterr().out == f"{line}\n"


def test_every_part_of_a_table_has_its_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    head, row = ["scheme", "size of a file", "median s", "p95 s"], ["a scheme", "100", "1.5 ± 0.1", "2.5 ± 0.1"]
    monkeypatch.setattr(tables, "_WIDE", 36)
    drawn = tables.draw(head, [row], "", keys=2).splitlines()
    assert [line.split() for line in drawn if "scheme" in line and line.strip().startswith("a")] == [
        ["a", "scheme", "100", "1.5", "±", "0.1"],
        ["a", "scheme", "100", "2.5", "±", "0.1"],
    ]
    # Both keys leave no space for a number, so the first key stays.
    monkeypatch.setattr(tables, "_WIDE", 28)
    drawn = tables.draw(head, [row], "", keys=2).splitlines()
    assert [line.split() for line in drawn if line.strip().startswith("a scheme")][-1] == [
        "a",
        "scheme",
        "2.5",
        "±",
        "0.1",
    ]


@pytest.mark.parametrize("is_coloured", [False, True])
def test_words_stay_whole_at_80_columns(monkeypatch: pytest.MonkeyPatch, is_coloured: bool) -> None:
    monkeypatch.setattr(tables, "_WIDE", 80)
    monkeypatch.delenv("NO_COLOR", raising=False)
    if is_coloured:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm")
    head = [
        "flow",
        "controller",
        "goodput Mbit/s",
        "loss %",
        "retransmitted",
        "cuts",
        "RTOs",
        "queueing delay",
        "p95",
    ]
    rows = [["a long name of a flow", "hybla-im", "12.345 ± 0.123", "0.50", "1200", "3", "1", "12.5", "601.5"]] * 2
    drawn = tables.draw(head, rows, "title")
    assert ("\x1b[" in drawn) == is_coloured
    lines = re.sub(r"\x1b\[[0-9;]*m", "", drawn).splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line != line.rstrip()] == []
    words = {word for line in lines for word in line.split()}
    assert {word for name in head for word in name.split()} <= words
    assert {"12.345", "±", "0.123"} <= words


def test_quiet_leaves_errors_and_warnings(cli: Command, small: Path) -> None:
    done = cli("run", small, "--quiet", "--out", "r")
    assert (done.returncode, done.stderr) == (0, "")
    assert cli("run", "nowhere.toml", "--quiet").stderr.startswith("error[scenario-unreadable]")


def test_progress_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(console, "EVERY_S", 0.01)
    seen = ""

    def has(text: str) -> bool:
        nonlocal seen
        seen += capsys.readouterr().err
        return text in seen

    with console.progress("running") as update:
        until(lambda: has("running: not counted yet"))
        update(3, 12)
        until(lambda: has("running: 3 of 12"))
    assert seen.count("\n") == len(seen.splitlines())  # no bar, no carriage return


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("network.dumbbell.rate=2 Mbit/s", ""),
        ("flows.controller=cubic{beta=0.8}", ""),
        ("flows.controler=cubic", "--set flows.controler=cubic: `controler` is neither a key of a flow"),
        ("network.dumbbell.rat=3", "--set network.dumbbell.rat=3: network.dumbbell.rat: unknown key `rat`"),
        ("duration=10", "--set duration=10: duration: 10 has no unit"),
        ("foo", '"foo" is not KEY=VALUE'),
    ],
)
def test_a_setting_replaces_a_key(cli: Command, small: Path, setting: str, says: str) -> None:
    done = cli("run", small, "--set", setting)
    assert done.returncode == (2 if says else 0), done.stderr
    assert says in done.stderr


def test_a_setting_is_the_text_of_the_file(cli: Command, small: Path) -> None:
    """The run of a setting is that of a file in which the value is written."""
    set_here = json.loads(cli("run", small, "--set", "flows.controller=cubic", "--set", "seed=5", "--json").stdout)
    small.write_text(small.read_text().replace('"reno"', '"cubic"'))
    written = json.loads(cli("run", small, "--seed", "5", "--json").stdout)
    assert set_here["totals"] == written["totals"]
    assert set_here["flows"] == written["flows"]


def test_a_fault_of_the_file_keeps_its_line(cli: Command, small: Path) -> None:
    small.write_text(small.read_text().replace("duration", "duratoin"))
    done = cli("run", small, "--set", "flows.count=2")
    assert done.returncode == 2
    assert f"{small.name}:" in done.stderr
    assert "did you mean `duration`" in done.stderr


def test_stdin_is_a_scenario(cli: Command, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(small.read_text()))
    piped = json.loads(cli("run", "-", "--json").stdout)
    assert piped["totals"] == json.loads(cli("run", small, "--json").stdout)["totals"]
    monkeypatch.setattr("sys.stdin", io.StringIO("name = 3\n"))
    assert "stdin:1: name" in cli("run", "-").stderr


def test_compare_writes_nothing_unasked(cli: Command, small: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert cli("compare", small, "--controllers", "reno", "--seeds", "1").returncode == 0
    assert sorted(tmp_path.rglob("*")) == before


def test_python_and_the_command_line_have_the_same_seeds(cli: Command, small: Path) -> None:
    small.write_text(small.read_text().replace("rtt =", "loss.per = 0.001, rtt ="))
    printed = json.loads(cli("compare", small, "--controllers", "reno", "--json").stdout)
    assert [row["seed"] for row in printed["runs"]] == list(bp.compare(small, ["reno"]).seeds) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("one", "bounds", "text"),
    [
        # t(4) = 2.776, se = 0.19813, C = exp(2.776 sqrt(ln(1 + (0.19813 / 0.30)^2))) = 5.313.
        (Estimate(0.30, 0.55, 5), Bounds(0.0, math.inf, is_of_samples=True), "0.30 (0.06 to 1.59)"),
        # The same from -100 %: the ratio of 0.30 is a change of -70 %.
        (Estimate(-70.0, 55.0, 5), Bounds(-100.0, math.inf, is_of_samples=True), "-70.00 (-94.35 to 59.39)"),
        # t(2) = 4.303, se = 0.4648, C = exp(4.303 sqrt(ln(1 + (0.4648 / 0.14)^2))) = 885.
        (Estimate(0.14, 2.0, 3), Bounds(0.0, 100.0, is_of_samples=True), "0.14 (<0.01 to 100.00)"),
        # A difference from the best may be 0.
        (Estimate(0.30, 0.55, 5), Bounds(0.0), "0.30 (0.00 to 0.85)"),
        (Estimate(99.0, 3.0, 5), Bounds(0.0, 100.0, is_of_samples=True), "99.00 (96.00 to 100.00)"),
        (Estimate(0.30, 0.05, 5), Bounds(0.0, is_of_samples=True), "0.30 ± 0.05"),
        (Estimate(0.30, 2.55, 2), Bounds(0.0, is_of_samples=True), "0.30 ± ?"),
        (Estimate(-0.001, 0.001, 5), Bounds(), "0.00 ± <0.01"),
    ],
)
def test_intervals_are_within_bounds(one: Estimate, bounds: Bounds, text: str) -> None:
    assert one.text(2, bounds=bounds) == text


def test_nothing_has_no_sign(cli: Command, small: Path) -> None:
    assert Estimate(0.0002, 0.0, 5).text(3, sign=True) == Estimate(-0.0002, 0.0, 5).text(3, sign=True) == "0.000"
    assert Estimate(0.0012, 0.0, 5).text(3, sign=True) == "+0.001"
    # Equal controllers are not "+0.000" behind each other.
    done = cli("compare", small, "--controllers", "reno,reno{pacing=false}", "--seeds", 2, "--for", "goodput")
    assert (done.returncode, "the same number" in done.stdout) == (0, True), done.stderr
    assert "0.000 " not in done.stdout


def test_a_table_is_read_like_those_of_other_libraries() -> None:
    table = bp.Table({"a": [1, 2, 3, 4], "b": ["x", "y", None, "<z>"]})
    assert (table.num_rows, table.num_columns, table.column_names) == (4, 2, ["a", "b"])
    assert table[0] == {"a": 1, "b": "x"}
    assert table[-1] == {"a": 4, "b": "<z>"}
    assert table[1:3]["a"] == table.head(3)[1:]["a"] == [2, 3]
    assert table[::-2]["a"] == [4, 2]
    assert [row["a"] for row in table] == [1, 2, 3, 4]
    assert table._ipython_key_completions_() == ["a", "b"]
    assert re.search("<td[^>]*>&lt;z&gt;</td>", table._repr_html_())
    with pytest.raises(bp.ArgumentError, match="there is no row 4: the table has 4 rows"):
        table[4]
    pandas = pytest.importorskip("pandas")
    assert pandas.DataFrame(table).equals(pandas.DataFrame({"a": [1, 2, 3, 4], "b": ["x", "y", None, "<z>"]}))


def test_comparisons_become_data_frames(small: Path) -> None:
    pytest.importorskip("pandas")
    small.write_text(small.read_text().replace("rtt =", "loss.per = 0.001, rtt ="))
    result = bp.compare(small, ["reno", "cubic"], seeds=3)
    frame = result.to_pandas("balanced")
    assert list(frame["controller"]) == [place.controller for place in result.ranking("balanced")]
    best = result.estimate(str(frame["controller"][0]), "goodput_mbit_s")
    assert frame["goodput_mbit_s"][0] == best.mean
    assert frame["goodput_mbit_s_low"][0] == best.low
    assert {"rank", "score", "score_low", "verdict"} <= set(frame.columns)


def test_which_chooses_any_key(cli: Command, tmp_path: Path) -> None:
    """30 segments take one flight instead of two: the larger initial window saves one round trip of 600 ms."""
    (tmp_path / "short.toml").write_text(
        'duration = "10 s"\nnetwork.dumbbell = { rate = "100 Mbit/s", rtt = "600 ms" }\n'
        'flows = [{ controller = "reno", size = "43 kB" }]\n'
    )
    done = cli(
        *("which", "short.toml", "--controllers", "reno", "--slow-starts", "own", "--trials", "0", "--seeds", "2"),
        *("--for", "completion", "--over", "flows.tcp.initial_window=10,30", "--json", "--out", "w"),
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert "initial_window=30" in found["recommended"]
    rows = {row["candidate"]: row["completion_median_s"] for row in found["candidates"]}
    saved = rows["as written (reno)"] - rows[found["recommended"]]
    assert saved == pytest.approx(0.6, abs=0.02)
    assert found["recommended"] == "reno initial_window=30"
    # Reno with 10 segments is the scenario as written: one candidate and the default, a row each.
    assert len({row["completion_median_s"] for row in found["candidates"] if row["rank"]}) == 2
    assert sum(row["rank"] is not None for row in found["candidates"]) == 2
    assert len(found["candidates"]) == 3
    assert "initial_window = 30" in (tmp_path / "w" / "which.toml").read_text()
    said = cli(
        *("which", "short.toml", "--controllers", "reno", "--slow-starts", "own", "--trials", "0", "--seeds", "2"),
        *("--for", "completion", "--over", "first flight: flows.tcp.initial_window=10,30", "--out", "w"),
    ).stdout
    assert "reno first flight=30" in said
    assert "\n1 candidate and your default raced." in said
    assert "as written (1)" not in said
    wrong = cli("which", "short.toml", "--controllers", "reno", "--over", "flows.tcp.initial_window=10,x")
    assert wrong.returncode == 2
    assert "--over flows.tcp.initial_window=x" in wrong.stderr


def test_several_scenarios_are_compared(cli: Command, tmp_path: Path) -> None:
    """Each has its table; the rows of the file name it; an upload beside a download is reported."""
    text = 'duration = "3 s"\nnetwork.preset = "{0}"\nflows = [{{ {1}controller = "reno", size = "20 kB" }}]\n'
    ends = 'from = "terminal", to = "server", '
    (tmp_path / "down.toml").write_text(text.format("starlink-2024-eu", ""))
    (tmp_path / "up.toml").write_text(text.format("geo-ka-residential", ends))
    command = ("compare", "down.toml", "up.toml", "--controllers", "reno,cubic", "--seeds", "1")
    done = cli(*command, "--csv", "both.csv", "--picture", "both.svg")
    assert done.returncode == 0, done.stderr
    assert (
        "an upload is compared with a download: the flows go to the terminal in down, and come from the terminal in up"
        in done.stderr
    )
    rows = list(csv.DictReader(io.StringIO((tmp_path / "both.csv").read_text())))
    assert [(row["scenario"], row["controller"]) for row in rows] == [
        *(("down", "reno"), ("down", "cubic"), ("up", "reno"), ("up", "cubic")),
    ]
    # Both controllers need one flight of 20 kB: at least a round trip of the geostationary path.
    assert all(float(row["completion_median_s"]) > 0.5 for row in rows if row["scenario"] == "up")
    picture = (tmp_path / "both.svg").read_text()
    assert ">down<" in picture or "<!-- down -->" in picture
    (tmp_path / "up.toml").write_text(text.format("geo-ka-residential", ""))
    assert "an upload is compared" not in cli(*command).stderr
    found = json.loads(cli(*command, "--json", "--quiet").stdout)
    assert [one["scenario"] for one in found] == ["down", "up"]
