# SPDX-License-Identifier: MIT OR Apache-2.0
"""Many runs, on many machines: objects can be pickled, and a failed run does not affect other runs."""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe.runs.make import job
from project import SMALL, Command

TABLES = (
    "flows",
    "parts",
    "links",
    "paths",
    "events",
    "snapshots",
    "packets",
    "visits",
    "weather",
    "nodes",
    "link_ends",
    "positions",
)
SCENARIO = bp.Scenario(
    name="sent away",
    duration="2 s",
    network=bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms", loss=bp.Loss(per=1e-2)),
    flows=[bp.Flow(controller="reno")],
    record=bp.Record(events=True, packets={"from": "0 s", "to": "1 s"}),
)


def there_and_back(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 - our own


def same(one: bp.Run, other: bp.Run) -> None:
    assert (one.scenario, one.summary, one.folder) == (other.scenario, other.summary, other.folder)
    for name in TABLES:
        ours, theirs = getattr(one, name).arrow, getattr(other, name).arrow
        # A table without rows has no file in the folder.
        assert ours.equals(theirs.cast(ours.schema) if len(theirs) else ours.slice(0, 0)), name


# ---- pickling ----------------------------------------------------------------------------------------------------


def test_a_run_without_a_folder_takes_its_tables_along() -> None:
    run = bp.run(SCENARIO)
    copy = there_and_back(run)
    same(copy, run)
    same(there_and_back(copy), run)


def test_a_run_with_a_folder_takes_its_place_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = bp.run(SCENARIO, out="folder")
    assert len(made.flows) > 0, "a table that was looked at stays here"
    read = bp.load("folder")
    whole = len(pickle.dumps(bp.run(SCENARIO)))
    for run in (made, read):
        assert len(pickle.dumps(run)) < whole / 5
        parcel = pickle.dumps(run)
        # The process that opens the run may have another current folder.
        monkeypatch.chdir("/")
        same(pickle.loads(parcel), made)  # noqa: S301 - our own
        monkeypatch.chdir(tmp_path)


def test_a_run_whose_folder_is_gone_still_has_its_numbers(tmp_path: Path) -> None:
    run = bp.run(SCENARIO, out=tmp_path / "folder")
    parcel = pickle.dumps(run)
    (tmp_path / "folder").rename(tmp_path / "elsewhere")
    assert pickle.loads(parcel).summary == run.summary  # noqa: S301 - our own


def test_jobs_skies_and_errors() -> None:
    asked = job(SCENARIO, seed=7, duration="3 s")
    assert _core.facts(there_and_back(asked)).resolved == _core.facts(asked).resolved
    sky = bp.constellation("iridium", min_elevation="12 deg")
    again = there_and_back(sky)
    assert again.facts == sky.facts
    assert again.facts["min_elevation_deg"] == 12
    assert again.satellites("60 s").arrow.equals(sky.satellites("60 s").arrow)
    error = there_and_back(bp.ScenarioError("unit-syntax", "what"))
    assert (type(error), error.code, error.message) == (bp.ScenarioError, "unit-syntax", "what")


def test_a_sky_of_a_file_is_read_again_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.toml").write_text('[network.constellation]\npreset = "geo"\n')
    parcel = pickle.dumps(bp.constellation("own.toml"))
    monkeypatch.chdir("/")
    assert pickle.loads(parcel).facts["satellites"] == 9  # noqa: S301 - our own


def test_other_processes_make_runs(tmp_path: Path) -> None:
    scenarios: list[str | bp.Scenario] = [SCENARIO, SMALL]
    here = [bp.run(scenario) for scenario in scenarios]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        sent = [pool.submit(bp.run, scenario) for scenario in scenarios]
        kept = pool.submit(bp.run, SCENARIO, out=tmp_path / "folder")
        refused = pool.submit(bp.run, SMALL.replace("reno", "renno"))
        for future, run in zip(sent, here, strict=True):
            same(future.result(), run)
        assert kept.result().flows.arrow.equals(bp.load(tmp_path / "folder").flows.arrow)
        with pytest.raises(bp.ScenarioError, match="controller-unknown"):
            refused.result()


# ---- a failed run ------------------------------------------------------------------------------------------------

#: The error occurs only when the run is set up: the network does not give marks.
LACKING = SMALL.replace("reno", "jersey")


#: No run folder can be written here.
NOWHERE = Path("/proc/nowhere/thesis")


def test_a_run_that_fails_costs_only_itself(tmp_path: Path) -> None:
    folders = [tmp_path / "a", NOWHERE, tmp_path / "c"]
    seen: list[tuple[int, int]] = []
    with pytest.raises(bp.BatchError, match=r"1 of 3 runs failed, the first with: .*thesis") as caught:
        bp.run_many([SMALL] * 3, out=folders, threads=1, progress=lambda *now: seen.append(now))
    assert caught.value.code == "folder-unwritable"
    first, error, last = caught.value.results
    assert isinstance(error, bp.RunError)
    for run, folder in ((first, folders[0]), (last, folders[2])):
        assert isinstance(run, bp.Run)
        same(bp.load(folder), run)
    assert seen[-1] == (3, 3)
    copy = there_and_back(caught.value)
    assert [type(one) for one in copy.results] == [bp.Run, bp.RunError, bp.Run]


def test_errors_stand_in_their_places() -> None:
    refused = SMALL.replace("5 Mbit/s", "5 ms")
    results = bp.run_many([refused, SMALL, LACKING, SMALL], errors="keep")
    codes = [result.code if isinstance(result, bp.BentpipeError) else "" for result in results]
    assert codes == ["unit-unknown", "", "signal-missing", ""]
    # By default, the error is raised before any run.
    with pytest.raises(bp.ScenarioError, match="unit-unknown"):
        bp.run_many([SMALL, refused])
    with pytest.raises(bp.ScenarioError, match="signal-missing"):
        bp.run_many([LACKING])
    with pytest.raises(ValueError, match="'ignore'"):
        bp.run_many([SMALL], errors="ignore")  # type: ignore[call-overload]


def test_a_comparison_goes_on_without_what_failed(tmp_path: Path) -> None:
    (tmp_path / ".cubic-s2.partial").mkdir()
    # A lock simulates another process that writes this run now.
    busy = os.open(tmp_path / ".cubic-s2.partial", os.O_RDONLY)
    fcntl.flock(busy, fcntl.LOCK_EX)
    result = bp.compare(SMALL, ["reno", "jersey", "cubic"], seeds=(1, 2, 3), out=tmp_path)
    os.close(busy)
    assert result.controllers == ("reno", "cubic")
    assert {pair: error.code for pair, error in result.failed.items()} == {
        ("jersey", 1): "signal-missing",
        ("jersey", 2): "signal-missing",
        ("jersey", 3): "signal-missing",
        ("cubic", 2): "folder-unwritable",
    }
    assert [run.provenance["seed"] for run in result.runs["cubic"]] == [1, 3]
    # Results are paired by seed, and not by position.
    whole = bp.compare(SMALL, ["reno", "cubic"], seeds=(1, 3))
    assert result.change("cubic") == whole.change("cubic")
    with pytest.raises(bp.ScenarioError, match="signal-missing"):
        bp.compare(SMALL, ["jersey", "reno"], seeds=(1,))
    with pytest.raises(bp.ScenarioError, match="controller-unknown"):
        bp.compare(SMALL, ["reno", "renno"], seeds=(1,), out=tmp_path / "never")
    assert not (tmp_path / "never").exists()


def test_the_command_line_prints_the_rest(cli: Command, tmp_path: Path) -> None:
    for name, text in (("a", SMALL), ("b", LACKING), ("c", SMALL)):
        (tmp_path / f"{name}.toml").write_text(text)
    done = cli("run", "a.toml", "b.toml", "c.toml", "--out", "runs", "--json")
    assert done.returncode == 1
    summaries = json.loads(done.stdout)
    assert [summary and summary["flows"][0]["controller"] for summary in summaries] == ["reno", None, "reno"]
    assert "error[signal-missing]: b.toml:5: " in done.stderr
    assert done.stderr.splitlines()[-1].startswith("1 of 3 runs failed")
    assert {folder.name for folder in (tmp_path / "runs").iterdir() if (folder / "summary.json").exists()} == {"a", "c"}
    alone = cli("run", "b.toml")
    assert (alone.returncode, alone.stdout) == (2, "")
    assert alone.stderr.startswith("error[signal-missing]: ")
    both = cli("compare", "a.toml", "--controllers", "reno,jersey", "--seeds", 2)
    assert both.returncode == 1
    assert " reno " in both.stdout
    assert both.stderr.count("error[signal-missing]: jersey, seed 1: ") == 1
    assert both.stderr.splitlines()[-1].startswith("2 of 4 runs failed")


# ---- provenance --------------------------------------------------------------------------------------------------


def test_provenance_says_ground_and_build(tmp_path: Path) -> None:
    run = bp.run(SMALL, out=tmp_path / "folder")
    version, _, digits = run.provenance["build"].partition("+")
    assert version == bp.__version__
    assert digits == _core.fingerprint()[:12]
    assert run.provenance["platform"] == "packet simulator"
    # The schema of every table also contains the provenance.
    read = bp.load(tmp_path / "folder")
    assert json.loads(read.flows.arrow.schema.metadata[b"bentpipe"]) == read.provenance == run.provenance
    assert run.provenance["build"] in run.report(tmp_path / "page.html").read_text()
