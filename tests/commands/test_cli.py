# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command line: outputs and exit codes."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import jsonschema
import pytest

import bentpipe as bp
import waiting
from bentpipe import _core
from bentpipe.cli.commands import COMMANDS
from project import ROOT, Command
from waiting import heed_interrupts, until


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        ("--version", 0, "bentpipe "),
        ("run small.toml --out folder", 0, "goodput"),
        ("compare small.toml --controllers reno,cubic --seeds 2", 0, "this scenario draws nothing at random"),
        ("plot nowhere", 2, "error[folder-not-a-run]: "),
        ("path Berkeley Boston --constellation iridium", 0, "propagation round trip"),
        ("bottlenecks small.toml", 0, "no two paths share a link"),
        ("model hybla-window", 0, "hybla_switch_s"),
        ("controllers reno", 0, "RFC 5681"),
        ("doctor", 0, "rustc"),
        ("evaluate renno", 2, "error[controller-unknown]: "),
        ("validate --threads 0", 2, "error[usage]: "),
        ("reproduce hybik", 2, "error[paper-unknown]: "),
        ("fly", 2, "error[usage]: "),
    ],
)
def test_a_process_of_its_own(process: Command, small: Path, command: str, code: int, says: str) -> None:
    """Test entry point, exit code and streams of each family of commands. Other tests run in the test's own process."""
    done = process(*command.split(), cwd=small.parent)
    assert done.returncode == code, done.stderr
    assert says in (done.stderr if code else done.stdout)
    assert "Traceback" not in done.stderr


def test_run_prints_numbers_on_stdout_and_writes_a_folder(cli: Command, small: Path, tmp_path: Path) -> None:
    done = cli("run", small, "--out", "folder", "--seed", 7)
    assert done.returncode == 0, done.stderr
    assert "goodput" in done.stdout
    assert "folder" in done.stderr
    files = {file.name for file in (tmp_path / "folder").iterdir()}
    assert {"scenario.toml", "summary.json", "flows.parquet", "links.parquet", "paths.parquet"} <= files
    assert bp.load(tmp_path / "folder").summary["provenance"]["seed"] == 7
    head = (tmp_path / "folder" / "scenario.toml").read_text().splitlines()[0]
    assert bp.__version__ in head
    assert "7" in head


def test_run_many_files_and_json(cli: Command, small: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(small.read_text().replace("reno", "cubic"))
    done = cli("run", small, other, "--out", "both", "--json", "--duration", "1 s")
    assert done.returncode == 0, done.stderr
    assert [summary["flows"][0]["controller"] for summary in json.loads(done.stdout)] == ["reno", "cubic"]
    assert {folder.name for folder in (tmp_path / "both").iterdir()} == {"small", "other"}


def test_quick_is_short(cli: Command, small: Path) -> None:
    long = small.with_name("long.toml")
    long.write_text(small.read_text().replace('"2 s"', '"60 s"'))
    for file, seconds in ((long, 10), (small, 2)):
        done = cli("run", file, "--quick", "--json")
        assert json.loads(done.stdout)["provenance"]["duration_s"] == seconds
        assert ("quick: 10 s instead of 60 s" in done.stderr) == (seconds == 10)


def test_quick_says_that_it_is_too_short_for_long_round_trips(cli: Command, tmp_path: Path) -> None:
    text = (
        'duration = "60 s"\nnetwork.dumbbell = { rate = "1 Mbit/s", rtt = "RTT" }\nflows = [{ controller = "reno" }]\n'
    )
    file = tmp_path / "path.toml"
    # 50 round trips take 9.5 s with 190 ms, and 10.5 s with 210 ms.
    for rtt, is_long in (("190 ms", False), ("210 ms", True)):
        file.write_text(text.replace("RTT", rtt))
        for options in (("run", "--quick"), ("compare", "--quick", "--controllers", "reno,cubic")):
            done = cli(options[0], file, *options[1:])
            assert done.returncode == 0, done.stderr
            said = [line for line in done.stderr.splitlines() if line.startswith("finding: quick: ")]
            assert bool(said) == is_long
            assert all("fewer than 50 round trips of 210 ms" in line and "60 s (omit --quick)" in line for line in said)
    asked = cli("run", file, "--quick", "--duration", "5 s")
    assert "finding: quick" not in asked.stderr


def test_compare(cli: Command, small: Path, tmp_path: Path) -> None:
    done = cli("compare", small, "--controllers", "reno,cubic", "--seeds", 2, "--out", "cmp")
    assert done.returncode == 0, done.stderr
    assert "reno" in done.stdout
    assert "this scenario draws nothing at random" in done.stdout
    names = {folder.name for folder in (tmp_path / "cmp").iterdir()}
    assert names == {"reno-s1", "reno-s2", "cubic-s1", "cubic-s2", f"{small.stem}-compare.png"}


def test_plot_and_report(cli: Command, small: Path, tmp_path: Path) -> None:
    assert cli("run", small, "--out", "folder").returncode == 0
    drawn = cli("plot", "folder")
    assert drawn.returncode == 0, drawn.stderr
    assert (tmp_path / drawn.stdout.strip()).read_bytes().startswith(b"\x89PNG")
    told = cli("report", "folder")
    assert told.returncode == 0, told.stderr
    assert "<svg" in (tmp_path / told.stdout.strip()).read_text()
    assert cli("run", small, "--out", "folder").returncode == 0, "a run replaces the run that stood there"


def test_path_prints_a_table_and_draws(cli: Command, tmp_path: Path) -> None:
    done = cli("path", "Berkeley", "Boston", "--constellation", "iridium", "--duration", "10 min", "--plot", "path.png")
    assert done.returncode == 0, done.stderr
    assert "Berkeley > " in done.stdout
    assert "propagation round trip" in done.stdout
    assert (tmp_path / "path.png").read_bytes().startswith(b"\x89PNG")


def test_path_of_many_pairs(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "pairs.txt").write_text("# others\nSydney:Tokyo\n\nLondon : 48.85, 2.35\n")
    look = ("--constellation", "starlink-flown", "--duration", "1 min", "--out", "paths.svg", "--czml", "sky.czml")
    done = cli("path", "--pair", "New York:London", "--pairs", "pairs.txt", *look)
    assert done.returncode == 0, done.stderr
    for title in ("New York to London", "Sydney to Tokyo", "London to 48.85, 2.35"):
        assert f"{title} over starlink-flown, 1 min: propagation round trip" in done.stdout
        assert title in (tmp_path / "paths.svg").read_text()
    assert "ppm" in done.stdout
    assert json.loads((tmp_path / "sky.czml").read_text())[0]["id"] == "document"


def test_path_with_exact_switches_and_alternatives(cli: Command) -> None:
    pair = ("New York", "London", "--constellation", "starlink-550")
    done = cli("path", *pair, "--duration", "1 min", "--exact")
    sky = bp.constellation("starlink-550")
    for switch in sky.switches("New York", "London", duration="1 min")["time_s"]:
        assert f"\n {switch:.3f} " in done.stdout
    done = cli("path", *pair, "--k", 3)
    for rtt in sky.shortest("New York", "London", k=3)["propagation_rtt_ms"]:
        assert f" {rtt:.3f} " in done.stdout


def test_a_path_has_the_date_of_its_start(cli: Command, tmp_path: Path) -> None:
    # The run starts an hour after the epoch of the elements.
    (tmp_path / "dated.toml").write_text("""
network.constellation.walker = { planes = 40, per_plane = 40, inclination = "53 deg", mean_motion = 15.0, epoch = "2024-02-29T23:30:00Z" }
network.constellation.offset = "1 h"
network.constellation.min_elevation = "20 deg"
network.constellation.user_link = { rate = "1 Mbit/s" }
""")  # noqa: E501 - an inline table is on one line
    look = ("--constellation", "dated.toml", "--duration", "10 s")
    done = cli("path", "Rome", "Paris", *look)
    assert f"over {bp.constellation('dated.toml').name}, 10 s from 2024-03-01T00:30:00Z: propagation" in done.stdout
    assert ", at 2024-03-01T00:30:00Z\n" in cli("path", "Rome", "Paris", "--k", 1, *look).stdout
    assert ", 10 s from 2024-03-01T00:30:00Z: " in cli("passes", "Rome", *look).stdout
    assert "Start: 2024-03-01T00:30:00Z\n" in cli("constellations", "dated.toml").stdout
    assert ", 10 s: propagation" in cli("path", "Rome", "Paris", "--constellation", "iridium", *look[2:]).stdout


@pytest.mark.parametrize("more", [[], ["--k", 2], ["--exact"]])
def test_a_path_to_itself_is_refused(cli: Command, more: list[object]) -> None:
    done = cli("path", "Paris", "Paris", "--constellation", "iridium", *more)
    assert (done.returncode, done.stdout) == (2, "")
    assert "from Paris to itself" in done.stderr


def test_a_wired_place_has_no_passes(cli: Command) -> None:
    done = cli("passes", "server", "--constellation", ROOT / "scenarios" / "oneweb-bent-pipe.toml")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no dish" in done.stderr


def test_passes(cli: Command) -> None:
    done = cli("passes", "London", "--constellation", "iridium")
    assert done.returncode == 0, done.stderr
    known = bp.constellation("iridium").passes("London")
    assert f"{len(known)} passes" in done.stdout
    for name in known["name"]:
        assert f" {name} " in done.stdout


def test_constellations_are_listed_described_and_drawn(cli: Command, tmp_path: Path) -> None:
    listed = cli("constellations").stdout
    for entry in bp.constellations():
        assert f"\n {entry['name']} " in listed
        assert f" {entry['satellites']} " in listed
    drawn = cli("constellations", "iridium", "--out", "iridium.svg", "--pair", "Berkeley:Boston")
    assert drawn.returncode == 0, drawn.stderr
    assert ">Berkeley<" in (tmp_path / "iridium.svg").read_text()
    about = cli("constellations", "oneweb", "--out", "oneweb.png")
    assert about.returncode == 0, about.stderr
    # The slant range and the pass of OneWeb at 15 degrees are computed in other tests.
    assert " 2762 " in about.stdout
    assert " 12.6\n" in about.stdout
    assert (tmp_path / "oneweb.png").read_bytes().startswith(b"\x89PNG")
    about = cli("constellations", ROOT / "data" / "starlink_2022-09-14.tle")
    assert "note: " in about.stderr
    assert "because SGP4 cannot propagate them" in about.stderr
    assert "547 km 53.1 deg" in about.stdout


@pytest.mark.parametrize("which", ["scenario", "summary"])
def test_schemas_are_schemas(cli: Command, which: str) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(cli("schema", which).stdout))


def test_catalogues(cli: Command) -> None:
    listed = cli("controllers").stdout
    for name in ("reno", "cubic", "hybla", "hybla-im", "hybla-im-literal"):
        assert name in listed
        about = cli("controllers", name)
        assert about.returncode == 0, about.stderr
        for heading in ("Equations", "Sources", "Limits", "Signals"):
            assert heading in about.stdout
    assert "iridium" in cli("constellations").stdout
    assert "scenario-unknown-key" in cli("schema", "errors").stdout


def test_doctor(cli: Command) -> None:
    done = cli("doctor")
    assert done.returncode == 0
    assert "rustc" in done.stdout
    assert f"build {_core.build()}: " in done.stdout
    assert f"fingerprint {_core.fingerprint()}: " in done.stdout
    assert ("checks its own assertions" in done.stdout) == _core.checks_itself()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "required"),
        (["fly"], "fly"),
        (["run"], "FILE"),
        (["run", "x.toml", "--seed", "-1"], "seed"),
        (["compare", "x.toml", "--controllers", "reno", "--seeds", "0"], "1 to 10000"),
        (["path", "--constellation", "iridium"], "--pair"),
        (["path", "Berkeley", "--constellation", "iridium"], "FROM TO"),
        (["path", "--pair", "Berkeley", "--constellation", "iridium"], "A:B"),
        (["path", "Berkeley", "Boston", "--constellation", "iridium", "--k", "0"], "1 to 10000"),
    ],
)
def test_wrong_usage(cli: Command, arguments: list[str], words: str) -> None:
    done = cli(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error[usage]: ")
    assert words in done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_describes_itself(cli: Command, name: str) -> None:
    done = cli(name, "--help")
    assert done.returncode == 0
    usage, description = done.stdout.split("\n\n")[:2]
    assert usage.startswith(f"usage: bentpipe {name}")
    assert description.endswith(".")


def test_one_criterion_is_evaluated(cli: Command) -> None:
    done = cli("evaluate", "cubic", "--criterion", "beside Reno", "--seeds", 2, "--json")
    assert done.returncode == 0, done.stderr
    assert [answer["criterion"] for answer in json.loads(done.stdout)] == ["beside Reno"]


@pytest.mark.parametrize(
    "command",
    [
        "run small.toml --out new --tables small.toml/csv",
        "run small.toml --out small.toml/new",
        "compare small.toml --controllers reno,cubic --seeds 2 --out new --csv small.toml/a.csv",
        "compare small.toml --controllers reno,cubic --seeds 2 --out new --picture small.toml/a.png",
        "evaluate reno --out small.toml/new",
        "export small.toml --format netem --out small.toml/new",
        "view kept --export small.toml/new.html",
    ],
)
def test_a_place_is_tried_before_the_work(cli: Command, small: Path, tmp_path: Path, command: str) -> None:
    if command.startswith("view"):
        assert cli("run", small, "--out", "kept").returncode == 0
    before = sorted(tmp_path.iterdir())
    done = cli(*command.split())
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error[folder-unwritable]: cannot write small.toml/")
    assert "is a file, not a folder" in done.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_tables_do_not_go_into_a_file(cli: Command, small: Path, tmp_path: Path) -> None:
    before = small.read_text()
    for option in ("--tables", "--csv"):
        done = cli("run", small, "--out", "new", option, small)
        assert (done.returncode, done.stdout) == (2, "")
        assert str(small) in done.stderr
        assert not (tmp_path / "new").exists()
    assert small.read_text() == before


@pytest.mark.parametrize(
    "command", ["compare small.toml --controllers reno,cubic --seeds 2 --out new", "sweep sweep.toml --out new"]
)
def test_what_stood_there_is_told_in_the_same_words(cli: Command, small: Path, command: str) -> None:
    sweep = 'base = "small.toml"\n[seeds]\nat_least = 2\n[axes]\n"flows.controller" = ["reno", "cubic"]\n'
    small.with_name("sweep.toml").write_text(sweep)
    assert "existed already" not in cli(*command.split()).stderr
    assert "(4 runs existed already)" in cli(*command.split()).stderr


def test_demo_answers_the_question(cli: Command, tmp_path: Path) -> None:
    done = cli("demo", "--seeds", 2, "--out", "demo")
    assert done.returncode == 0, done.stderr
    question, answer, picture, *rest = done.stdout.splitlines()
    assert question.startswith("Question: does Hybla-IM carry more than Hybla")
    assert re.match(
        r"Answer: no over the network of the paper \(.* %\); .* means of 2 seeds with 95 % intervals\.$", answer
    )
    assert Path(picture.removeprefix("Picture: ")) == Path("demo/demo.png")
    assert not [line for line in rest if "verdict" in line]
    page = (tmp_path / "demo" / "report.html").read_text()
    for words in ("D-01", "D-02", "D-03", "contradicts itself", "26.2", "T1", "T2", "<svg"):
        assert words in page
    assert (tmp_path / "demo" / "demo.png").stat().st_size > 10_000
    full = cli("demo", "--seeds", 2, "--out", "demo", "--full")
    assert full.stdout.splitlines()[:3] == [question, answer, picture]
    for words in ("paper", "ours", "verdict", "contradicts itself", "26.2", "ns-2's default"):
        assert words in full.stdout


def interrupted(command: Sequence[object], started: Path, workplace: Path) -> str:
    """Start a command, send Ctrl-C as soon as `started` exists, and return the command's stderr."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bentpipe", *map(str, command)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=workplace,
        preexec_fn=heed_interrupts,
    )
    until(started.exists, process)
    errors = waiting.interrupted(process)
    assert "error[interrupted]" in errors
    assert "Traceback" not in errors
    return errors


def made_long(small: Path) -> str:
    """Return the small scenario with hours of work."""
    text = small.read_text().replace('"2 s"', '"10 d"').replace("5 Mbit/s", "1 Gbit/s")
    return 'record = { interval = "off", events = false }\n' + text


def test_ctrl_c_keeps_what_is_finished(small: Path, tmp_path: Path) -> None:
    # The small run ends at once. The long run is still running when the signal arrives.
    long = tmp_path / "long.toml"
    long.write_text(made_long(small))
    out = tmp_path / "out"
    errors = interrupted(["run", small, long, "--out", out, "--threads", "1"], out / ".long.partial", tmp_path)
    assert "1 of 2 runs finished" in errors
    assert bp.load(out / "small").summary["totals"]["delivered_mbit_s"] > 0
    assert sorted(entry.name for entry in out.iterdir()) == ["small"]


STUDY = """
import bentpipe as bp
from bentpipe.study import Finding, Row, Study


def plan(effort):
    path = bp.Dumbbell(rate="100 Mbit/s", rtt="50 ms")
    flows = [bp.Flow(controller="reno")]
    quiet = bp.Record(interval="off", events=False)
    return {
        (s,): bp.Scenario(
            name="x", duration="1 s" if s < 3 else "10 d", seed=s, network=path, flows=flows, record=quiet
        )
        for s in effort.seeds
    }


ROW = Row(id="O-1", place="p", what="w", says="s", plan=plan, read=lambda _: Finding(why="read"))
STUDY = Study(name="own", title="Own", about="", rows=[ROW])
"""


def test_ctrl_c_in_a_reproduction(tmp_path: Path) -> None:
    from bentpipe.study import Effort, load
    from bentpipe.study._runs import Store

    (tmp_path / "own.py").write_text(STUDY)
    (row,) = load(tmp_path / "own.py").rows
    planned = [scenario.to_toml() for scenario in row.plan(Effort(tuple(range(1, 21)))).values()]
    out = tmp_path / "report"
    first, second = (Store(out / "runs").folder(text) for text in planned[:2])
    # When the folder of the second run exists, the first run has been reported. The third run takes hours.
    errors = interrupted(["reproduce", "own.py", "--seeds", 20, "--threads", "1", "--out", out], second, tmp_path)
    assert re.search(r"\d of 21 runs and rows finished", errors)
    assert bp.load(first).summary["totals"]["delivered_mbit_s"] > 0
    assert not list(out.glob("findings/*"))


def test_ctrl_c_in_a_comparison(small: Path, tmp_path: Path) -> None:
    small.write_text(made_long(small))
    out = tmp_path / "out"
    command = ["compare", small, "--controllers", "reno,cubic", "--seeds", 1, "--threads", 1, "--out", out]
    errors = interrupted(command, out / ".reno-s1.partial", tmp_path)
    assert "no run finished" in errors
    assert not list(out.glob("*.png"))


# The command of the guide.
EVERY = "bentpipe compare scenarios/geo-clean.toml --controllers all --seeds 1 --quick"


def test_compare_runs_every_controller(cli: Command, tmp_path: Path) -> None:
    done = cli(*shlex.split(EVERY)[1:], "--picture", tmp_path / "all.svg", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    picture = (tmp_path / "all.svg").read_text()
    for entry in bp.controllers():
        if "ECN marks" in entry["requires"]:
            # No queue marks packets here, and the controller was not requested by name.
            assert f"left out: {entry['name']}: " in done.stderr
            assert f" {entry['name']} " not in done.stdout
            continue
        shown = f"{entry['name']}*" if entry["stand_in"] else str(entry["name"])
        assert f" {shown} " in done.stdout
        assert f">{shown}<" in picture
        assert (f": {entry['name']} replaces a controller" in done.stderr) == entry["stand_in"]


def test_reader_may_go_away(tmp_path: Path) -> None:
    command = f"{sys.executable} -m bentpipe schema scenario | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def test_files_are_written_for_a_reader_who_went_away(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "bentpipe", "controllers", "--json", "--csv", "names.csv"]
    done = subprocess.run(command, cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "table: names.csv\n")
    assert (tmp_path / "names.csv").exists()
