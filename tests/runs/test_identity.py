# SPDX-License-Identifier: MIT OR Apache-2.0
"""A stored result is used again only if scenario, files and own controllers are the same."""

from __future__ import annotations

import hashlib
import json
import sys
import types
from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe.scenario import own_source
from bentpipe.study._runs import Store
from project import Command

#: The delay comes from a file. The tests edit the file while results of the earlier file exist.
RECORDED = """
name = "recorded"
duration = "3 s"
network.dumbbell = { rate = "5 Mbit/s", delay_trace = "d.txt", queue = "30 packets" }
flows = [{ controller = "reno" }]
"""
STUDY = """
import bentpipe as bp
from bentpipe import study

def plan(effort):
    return {seed: bp.Scenario(
        name="recorded", duration="3 s", seed=seed,
        network=bp.Dumbbell(rate="5 Mbit/s", delay_trace="d.txt", queue="30 packets"),
        flows=[bp.Flow(controller="reno")],
    ) for seed in effort.seeds}

def read(runs):
    return study.Finding(claims=(), why=f"minimum round trip {runs[1].summary['flows'][0]['rtt_ms']['min']:.1f} ms")

STUDY = study.Study(
    name="own-study",
    title="A study",
    about="of a recorded link",
    rows=[study.Row(id="R-1", place="here", what="a round trip", says="nothing", plan=plan, read=read)],
)
"""


def delay(ms: int) -> str:
    return f"{ms}\n" * 600


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "d.txt").write_text(delay(20))
    (tmp_path / "recorded.toml").write_text(RECORDED)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def smallest_rtt_ms(folder: Path) -> float:
    return float(json.loads((folder / "summary.json").read_text())["flows"][0]["rtt_ms"]["min"])


# --- files that a scenario names ---


def test_a_summary_says_what_it_was_made_of(recorded: Path) -> None:
    run = bp.run("recorded.toml", out="r")
    content = hashlib.sha256((recorded / "d.txt").read_bytes()).hexdigest()
    assert run.provenance["inputs"] == [{"file": "d.txt", "sha256": content}]
    job = _core.Job(RECORDED, "recorded.toml")
    assert run.provenance["identity"] == _core.identity(job).digest
    assert "inputs" not in bp.run(RECORDED.replace('delay_trace = "d.txt"', 'delay = "20 ms"')).provenance


def test_a_run_of_a_changed_file_does_not_take_the_place_of_the_one_before(cli: Command, recorded: Path) -> None:
    assert cli("run", "recorded.toml", "--out", "r").returncode == 0
    assert cli("run", "recorded.toml", "--out", "r").returncode == 0
    before = smallest_rtt_ms(recorded / "r")
    (recorded / "d.txt").write_text(delay(90))
    refused = cli("run", "recorded.toml", "--out", "r")
    assert refused.returncode == 2
    assert "folder-occupied" in refused.stderr
    assert "d.txt with SHA-256 " in refused.stderr
    assert "replace that run with --force" in refused.stderr
    assert smallest_rtt_ms(recorded / "r") == before
    assert cli("run", "recorded.toml", "--out", "r", "--force").returncode == 0
    # The new file adds 70 ms in each direction.
    assert smallest_rtt_ms(recorded / "r") - before == pytest.approx(140.0, abs=0.1)


def test_a_comparison_never_shows_runs_of_another_file(cli: Command, recorded: Path) -> None:
    command = ("compare", "recorded.toml", "--controllers", "reno,cubic", "--seeds", "2", "--out", "cc")
    first = cli(*command)
    assert first.returncode == 0
    again = cli(*command)
    assert "4 runs existed already" in again.stdout + again.stderr
    (recorded / "d.txt").write_text(delay(90))
    assert cli(*command).returncode == 2
    forced = cli(*command, "--force")
    assert "existed already" not in forced.stdout + forced.stderr
    fresh = cli(*command[:-1], "fresh")
    table = [line for line in fresh.stdout.splitlines() if line.strip().startswith(("reno", "cubic"))]
    assert len(table) == 2
    assert [line for line in forced.stdout.splitlines() if line.strip().startswith(("reno", "cubic"))] == table
    assert not set(table) & set(first.stdout.splitlines())


def test_a_study_never_reads_runs_of_another_file(cli: Command, recorded: Path) -> None:
    (recorded / "own_study.py").write_text(STUDY)

    def said() -> str:
        done = cli("reproduce", "./own_study.py", "--quick", "--out", "report")
        assert done.returncode == 0, done.stderr
        found = [json.loads(file.read_text()) for file in (recorded / "report" / "findings").iterdir()]
        return " ".join(sorted(one["why"] for one in found))

    assert said() == said()
    first = said()
    (recorded / "d.txt").write_text(delay(90))
    second = said()
    assert first in second
    assert len(second) > len(first), "a finding of its own"


def test_a_study_asks_again_only_where_the_text_does_not_say_all(recorded: Path) -> None:
    store, plain = Store(recorded / "report" / "runs"), RECORDED.replace('delay_trace = "d.txt"', 'delay = "20 ms"')
    before = store.folder(RECORDED)
    assert not _core.identity(_core.Job(RECORDED, "<text>")).is_constant
    assert _core.identity(_core.Job(plain, "<text>")).is_constant
    (recorded / "d.txt").write_text(delay(90))
    assert store.folder(RECORDED) != before
    assert store.folder(plain) == Store(store.place).folder(plain)


def test_a_file_that_changes_during_a_run_ends_it(recorded: Path) -> None:
    class Editor(bp.Controller):
        def on_start(self, event: bp.StartEvent, control: bp.Control) -> None:
            (recorded / "d.txt").write_text(delay(90))

    bp.register("editor")(Editor)
    with pytest.raises(bp.RunError, match=r"file-changed.*d\.txt was changed during the run"):
        bp.run(RECORDED.replace("reno", "editor"), out="r")
    assert not (recorded / "r").exists()


#: For each kind of file: name, content, and a scenario that names the file.
KINDS = {
    "path trace": (
        ("t.csv", "time_s,rate_mbit_s,delay_ms\n0,5,20\n"),
        RECORDED.replace('rate = "5 Mbit/s", delay_trace = "d.txt"', 'path_trace = "t.csv"'),
    ),
    "mahimahi trace": (("t.trace", "1\n2\n3\n"), RECORDED.replace('rate = "5 Mbit/s"', 'trace = "t.trace"')),
    "traffic matrix": (
        ("m.csv", "from,to\nleft,right\n"),
        RECORDED.replace("flows = [{", 'traffic = [{ matrix = "file", file = "m.csv",'),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_is_named(recorded: Path, kind: str) -> None:
    (name, text), scenario = KINDS[kind]
    (recorded / name).write_text(text)
    job = _core.Job(scenario, "recorded.toml")
    named = {file.name for file in _core.named_files(job)}
    assert name in named
    before = _core.identity(job)
    assert {one for one, _ in before.inputs} == named
    (recorded / name).write_text(text.replace("\n", "\n\n", 1))
    assert before.changed_file() == Path(name)
    assert _core.identity(job).run(1) != before.run(1)
    (recorded / name).write_text(text)
    assert _core.identity(job).run(1) == before.run(1)


def test_titles_records_and_folders_are_not_in_an_identity(recorded: Path) -> None:
    plain = _core.identity(_core.Job(RECORDED, "recorded.toml"))
    (recorded / "elsewhere").mkdir()
    (recorded / "elsewhere" / "d.txt").write_text(delay(20))
    assert plain.digest == _core.identity(_core.Job(RECORDED, "elsewhere/recorded.toml")).digest
    other = RECORDED.replace('"recorded"', '"other"') + "record = { packets = true }\nseed = 7\n"
    assert plain.digest == _core.identity(_core.Job(other, "recorded.toml")).digest
    # The unit differs, but the meaning is the same.
    assert plain.digest == _core.identity(_core.Job(RECORDED.replace("3 s", "3000 ms"), "recorded.toml")).digest
    assert plain.digest != _core.identity(_core.Job(RECORDED.replace("3 s", "4 s"), "recorded.toml")).digest


# --- controllers in Python ---


def digest_of(body: str, **variables: object) -> str:
    """Return the digest of a controller whose `on_ack` has this body, in a module with these variables."""
    module = types.ModuleType("an_own_module")
    vars(module).update({"bp": bp, **variables})
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    source = f"class Own(bp.Controller):\n    def on_ack(self, event, control):\n{lines}"
    exec(compile(source, "an_own_module.py", "exec"), vars(module))  # noqa: S102 - the test's own text
    return own_source.digest(vars(module)["Own"])


@pytest.mark.parametrize(
    "body",
    [
        "import helper_of_own\ncontrol.cwnd = helper_of_own.W",
        "from helper_of_own import W\ncontrol.cwnd = W",
        "import importlib\ncontrol.cwnd = importlib.import_module('helper_of_own').W",
        "import outer_of_own\ncontrol.cwnd = outer_of_own.window()",
        "from package_of_own import part\ncontrol.cwnd = part.W",
        "def window():\n    from package_of_own.part import W\n    return W\ncontrol.cwnd = window()",
    ],
)
def test_what_a_method_imports_is_part_of_a_controller(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "package_of_own").mkdir()
    (tmp_path / "package_of_own" / "__init__.py").write_text("")
    (tmp_path / "outer_of_own.py").write_text("def window():\n    import helper_of_own\n    return helper_of_own.W\n")
    found = []
    for number in (10, 10, 40):
        for file in (tmp_path / "helper_of_own.py", tmp_path / "package_of_own" / "part.py"):
            file.write_text(f"# {len(found)}\nW = {number}\n")
        found.append(digest_of(body))
    assert found[0] == found[1], "a comment"
    assert found[1] != found[2], "another window"


def test_what_is_fetched_by_a_text_is_part_of_a_controller() -> None:
    def own(window: int) -> str:
        helper = types.ModuleType("helper_of_text")
        vars(helper)["WINDOW"] = window
        return digest_of("control.cwnd = getattr(helper, 'WIN' + 'DOW')", helper=helper)

    assert own(10) == own(10)
    assert own(10) != own(40)
    assert digest_of("control.cwnd = globals()['W']", W=10) != digest_of("control.cwnd = globals()['W']", W=40)


@pytest.mark.usefixtures("recorded")
def test_nobody_relies_on_a_controller_that_cannot_be_read() -> None:
    lines = (line for line in ("1", "2"))

    class Unreadable(bp.Controller):
        source = lines

    bp.register("unreadable")(Unreadable)
    text = RECORDED.replace("reno", "unreadable")
    assert not _core.identity(_core.Job(text, "recorded.toml")).is_constant
    provenance = bp.run(text).provenance
    assert "identity" not in provenance
    assert provenance["controllers"] == [{"name": "unreadable", "sha256": None}]
