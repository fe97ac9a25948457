# SPDX-License-Identifier: MIT OR Apache-2.0
"""Damaged stores, run folders and sweeps give an error with place and reason, or the run is made again."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import warnings
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bentpipe as bp
import flips
from bentpipe.base import reading
from bentpipe.base.files import Unfit
from bentpipe.base.tables import TABLES
from bentpipe.runs.point import Point
from bentpipe.study._reproduce import Outcome
from earlier import without_digests
from project import SMALL, Command
from small_sweeps import table, tables
from waiting import HANG_S

DOCUMENT = """
[axes]
"flows.controller" = ["reno", "cubic"]
[base]
duration = "200 ms"
network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms" }
flows = [{ controller = "reno" }]
"""
SWEEP = ("sweep", "sweep.toml", "--sql", "select count(*) from runs")  # no pictures


def changed(change: Callable[[Any], object]) -> Callable[[str], str]:
    """Return a function that changes a summary."""

    def spoil(summary: str) -> str:
        found = json.loads(summary)
        change(found)
        return json.dumps(found)

    return spoil


#: Replacements of a summary, by kind of damage: a function for the text, and words of the note.
TEXTS: dict[str, tuple[Callable[[str], str], str]] = {
    "empty": (lambda _: "{}", "missing required field `provenance`"),
    "flows null": (lambda _: '{"flows": null}', "Expected `array`, got `null` - at `$.flows`"),
    "number as text": (
        changed(lambda one: one["totals"].update(delivered_mbit_s="x")),
        "got `str` - at `$.totals.delivered_mbit_s`",
    ),
    "no totals": (changed(lambda one: one.pop("totals")), "missing required field `totals`"),
    "key of a flow": (
        changed(lambda one: one["flows"][0].pop("rtt_ms")),
        "missing required field `rtt_ms` - at `$.flows[0]`",
    ),
    "flows as text": (changed(lambda one: one.update(flows="abc")), "Expected `array`, got `str` - at `$.flows`"),
    "other seed": (changed(lambda one: one["provenance"].update(seed=7)), "it has seed 7, not"),
    "other build": (
        changed(lambda one: one["provenance"].update(build="0.1.0+0123456789ab")),
        "build 0.1.0+0123456789ab",
    ),
    "cut off": (lambda summary: summary[:-100], "truncated"),
    "beyond 64 bits": (changed(lambda one: one["totals"].update(sent_packets=2**63)), "<= 9223372036854775807 - at"),
    "infinite": (
        lambda summary: summary.replace('"duration_s":0.2', '"duration_s":1e999'),
        "Number out of range - at `$.provenance.duration_s`",
    ),
    "nested": (lambda _: '{"a":' * 100_000, "it is nested too deeply"),
}
#: Replacements that only a store on this machine can contain.
BLOBS: dict[str, tuple[object, str]] = {
    "null": (None, "it is NoneType"),
    "whole number": (5, "it is int"),
    "text": ("{}", "it is str"),
    "not packed": (b"{}", "incorrect header"),
    "list": (zlib.compress(b"[]"), "Expected `object`, got `array`"),
    "null in JSON": (zlib.compress(b"null"), "Expected `object`, got `null`"),
    "five": (zlib.compress(b"5"), "Expected `object`, got `int`"),
    "not UTF-8": (zlib.compress(b'{"provenance": {"build": "\xff\xfe"}}'), "can't decode"),
    "deep list": (zlib.compress(b"[" * 100_000), "Expected `object`, got `array`"),
    "bomb": (zlib.compress(b"0" * (reading.MOST + 1)), "it unpacks to more than 256 MB"),
    "packed and more": (zlib.compress(b"{}") + b"more", "further bytes follow the compressed data"),
    "packed and cut": (zlib.compress(b"{}" * 99)[:-4], "cut off"),
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sweep.toml").write_text(DOCUMENT)
    return tmp_path


def first(store: Path) -> tuple[str, bytes]:
    """Return the first run of a store."""
    with sqlite3.connect(store) as base:
        key, kept = base.execute("select key, summary from runs order by key").fetchone()
        return key, kept


def put(store: Path, key: str, blob: object) -> None:
    with sqlite3.connect(store) as base:
        base.execute("update runs set summary = ? where key = ?", (blob, key))


def check(cli: Command, place: Path, key: str, says: str, store: str | None = None) -> None:
    """Check that the sweep reports the damage, makes only this run again, and gives the same tables."""
    done = cli(*SWEEP, "--out", "out", *(() if store is None else ("--store", store)), cwd=place)
    assert done.returncode == 0, done.stderr
    assert f"the run {key} is damaged in " in done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert tables(place / "out") == tables(place / "right")
    with warnings.catch_warnings(action="error"):
        assert bp.sweep("sweep.toml", out="out", store=store).made == 0


@pytest.mark.parametrize("what", [*TEXTS, *BLOBS])
def test_a_damaged_run_of_a_store_is_made_again(cli: Command, place: Path, what: str) -> None:
    bp.sweep("sweep.toml", out="right")
    shutil.copytree(place / "right", place / "out")
    key, kept = first(place / "out" / "runs.store")
    blob, says = BLOBS.get(what, (None, ""))
    if what in TEXTS:
        spoil, says = TEXTS[what]
        blob = zlib.compress(spoil(zlib.decompress(kept).decode()).encode())
    put(place / "out" / "runs.store", key, blob)
    check(cli, place, key, says)


def shared_with(place: Path, summaries: Callable[[list[str]], pa.Array]) -> str:
    """Make a shared store whose file has other summaries under the same keys. Return the first key."""
    bp.sweep("sweep.toml", store="shared/")
    (file,) = (place / "shared").glob("*.parquet")
    found = pq.read_table(file)
    held = io.BytesIO()
    pq.write_table(pa.table({"key": found["key"], "summary": summaries(found["summary"].to_pylist())}), held)
    file.unlink()
    (place / "shared" / f"{hashlib.sha256(held.getvalue()).hexdigest()[:40]}.parquet").write_bytes(held.getvalue())
    return str(found["key"][0])


@pytest.mark.parametrize("what", TEXTS)
def test_a_damaged_run_of_a_shared_store_is_made_again(cli: Command, place: Path, what: str) -> None:
    bp.sweep("sweep.toml", out="right")
    spoil, says = TEXTS[what]
    key = shared_with(place, lambda held: pa.array([spoil(held[0]), *held[1:]]))
    check(cli, place, key, says, "shared/")


@pytest.mark.parametrize(
    ("summaries", "says"),
    [
        (lambda held: pa.array([None, *held[1:]]), "column summary has missing values"),
        (lambda held: pa.array(range(len(held))), "column summary holds int64, not string"),
        (lambda held: pa.array(["[]", *held[1:]]), "names or summaries are not valid"),
        (lambda held: pa.array([b"\xff\xfe", *held[1:]], pa.binary()).view(pa.string()), "UTF8"),
    ],
)
def test_a_file_of_a_shared_store_without_runs_is_left_alone(
    cli: Command, place: Path, summaries: Callable[[list[str]], pa.Array], says: str
) -> None:
    bp.sweep("sweep.toml", out="right")
    shared_with(place, summaries)
    done = cli(*SWEEP, "--out", "out", "--store", "shared/", cwd=place)
    assert (done.returncode, "it does not contain runs: " in done.stderr, says in done.stderr) == (0, True, True), (
        done.stderr
    )
    assert tables(place / "out") == tables(place / "right")


def test_the_name_of_a_run_is_its_identity_and_seed(place: Path) -> None:
    """`store.checked` does not compare identities: a lean summary has none, and other scenarios' summaries may fit."""
    point = Point(table()["base"], "base")
    assert point.key(1) != point.key(2)
    bp.sweep("sweep.toml", out="right")
    _, kept = first(place / "right" / "runs.store")
    assert "identity" not in json.loads(zlib.decompress(kept))["provenance"]


def test_other_commands_make_damaged_runs_again(place: Path) -> None:
    (place / "one.toml").write_text(SMALL)
    answers = []
    for _ in range(2):
        answers.append(bp.which("one.toml", controllers=["reno", "cubic"], trials=0, seeds=2, store="a.store"))
        key, _ = first(place / "a.store")
        put(place / "a.store", key, zlib.compress(b"{}"))
    assert [one.startswith(f"the run {key} is damaged in ") for one in answers[1].store_notes] == [True]
    assert answers[0].table().to_csv() == answers[1].table().to_csv()


# --- files that are not regular files ---


@pytest.fixture
def guard() -> Iterator[None]:
    """Opening a pipe waits without end. The alarm ends this wait."""

    def ring(*_: object) -> None:
        raise TimeoutError("something waits for a pipe")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(int(HANG_S))
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("guard")
@pytest.mark.parametrize("name", ["scenario.toml", "summary.json", *(f"{one}.parquet" for one in TABLES)])
def test_no_command_waits_for_a_pipe_in_a_run_folder(cli: Command, tmp_path: Path, name: str) -> None:
    bp.run(SMALL, out=tmp_path / "r")
    (tmp_path / "r" / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / "r" / name)
    for command in ("plot", "report", "view"):
        done = cli(command, "r")
        if name == "scenario.toml":
            assert "folder-not-a-run" in done.stderr or "it is a pipe" in done.stderr, done.stderr
        else:
            assert (
                f"error[folder-damaged]: the run folder is damaged: r/{name}: it is a pipe, not a file" in done.stderr
            )
        assert done.returncode == (2 if "folder-not-a-run" in done.stderr else 1)
        assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("guard")
@pytest.mark.parametrize("name", ["bentpipe-store.json", f"{'0' * 40}.parquet"])
def test_no_command_waits_for_a_pipe_in_a_shared_store(cli: Command, place: Path, name: str) -> None:
    bp.sweep("sweep.toml", store="shared/")
    (place / "shared" / name).unlink(missing_ok=True)
    os.mkfifo(place / "shared" / name)
    done = cli(*SWEEP, "--out", "out", "--store", "shared/", cwd=place)
    if name.endswith(".parquet"):
        assert done.returncode == 0, done.stderr
        assert f"{name} in shared/: it is a folder, a pipe or a device, not a file" in done.stderr
    else:
        assert (done.returncode, "error[folder-occupied]" in done.stderr) == (2, True), done.stderr
    assert stat.S_ISFIFO((place / "shared" / name).stat().st_mode)


@pytest.mark.usefixtures("guard")
@pytest.mark.parametrize("name", ["runs.store", "runs.parquet", "flows.parquet"])
def test_no_command_waits_for_a_pipe_in_a_sweep(cli: Command, place: Path, name: str) -> None:
    bp.sweep("sweep.toml", out="out")
    (place / "out" / name).unlink()
    os.mkfifo(place / "out" / name)
    words = SWEEP if name == "runs.store" else ("sweep", "out", "--sql", "select count(*) from flows")
    done = cli(*words, *(("--out", "out") if name == "runs.store" else ()), cwd=place)
    assert (done.returncode, "it is a pipe, not a file" in done.stderr) == (1, True), done.stderr


# --- columns ---


@pytest.mark.parametrize("name", ["scenario.toml", "summary.json", "flows.parquet", "SHA256SUMS"])
def test_a_file_that_was_changed_after_the_run_is_refused(tmp_path: Path, name: str) -> None:
    """A changed digit does not damage any format. The digests are those of sha256sum."""
    folder = tmp_path / "r"
    bp.run(SMALL, out=folder)
    check = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    assert subprocess.run(check, cwd=folder, capture_output=True, check=False).returncode == 0
    names = {line.split("  ")[1] for line in (folder / "SHA256SUMS").read_text().splitlines()}
    assert names == {file.name for file in folder.iterdir()} - {"SHA256SUMS"}
    held = (folder / name).read_bytes()
    at = next(at for at in range(len(held) // 2, len(held)) if held[at : at + 1].isdigit())
    (folder / name).write_bytes(held[:at] + (b"8" if held[at : at + 1] != b"8" else b"7") + held[at + 1 :])
    assert subprocess.run(check, cwd=folder, capture_output=True, check=False).returncode == 1
    with pytest.raises(bp.RunError, match=r"changed after the run|SHA256SUMS") as caught:
        _ = [getattr(bp.load(folder), table) for table in TABLES]
    assert caught.value.code == "folder-damaged"


def test_a_folder_that_lost_its_digests_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    bp.run(SMALL, out=folder)
    (folder / "SHA256SUMS").unlink()
    with pytest.raises(bp.RunError, match=r"SHA256SUMS is missing .*copy the complete folder"):
        bp.load(folder)
    # Builds that wrote earlier schemas wrote no digests.
    summary = folder / "summary.json"
    version = re.search(r'"schema_version": ?(\d+)', summary.read_text())
    assert version
    summary.write_text(summary.read_text().replace(version[0], version[0].replace(version[1], "11")))
    assert bp.load(folder).summary["provenance"]["schema_version"] == 11


def of_other_type(held: pa.Table, name: str) -> pa.Table:
    """Return a table with a column of another type."""
    place = held.column_names.index(name)
    kind = held.schema.field(name).type
    is_text = pa.types.is_string(kind) or pa.types.is_dictionary(kind)
    other = pa.array(range(len(held))) if is_text else pa.array([str(one) for one in range(len(held))])
    return held.set_column(place, name, other)


@pytest.mark.parametrize("name", TABLES)
def test_columns_of_another_type_are_refused(orbit: Path, tmp_path: Path, name: str) -> None:
    bad = without_digests(shutil.copytree(orbit, tmp_path / "bad"))
    file = bad / f"{name}.parquet"
    if not file.exists():
        made = pa.table(getattr(bp.load(orbit)._tables, name, None) or reading.schemas()[name].empty_table())
        pq.write_table(made.replace_schema_metadata(pq.read_schema(orbit / "flows.parquet").metadata), file)
    held = pq.read_table(file)
    for column in held.column_names:
        pq.write_table(of_other_type(held, column), file)
        run = bp.load(bad)
        with pytest.raises(bp.RunError, match=rf"{name}\.parquet: its column {column} holds \w+, not "):
            getattr(run, name)
        with pytest.raises(bp.RunError, match=rf"its column {column} holds"):
            run._some(name, [column])


@pytest.mark.parametrize(
    ("name", "column"), [("flows", "name"), ("paths", "via"), ("nodes", "kind"), ("links", "link")]
)
def test_commands_refuse_a_column_of_another_type(
    cli: Command, orbit: Path, tmp_path: Path, name: str, column: str
) -> None:
    bad = without_digests(shutil.copytree(orbit, tmp_path / "bad"))
    file = bad / f"{name}.parquet"
    pq.write_table(of_other_type(pq.read_table(file), column), file)
    for command in (("plot", "bad"), ("report", "bad"), ("view", "bad", "--export", "x.html")):
        done = cli(*command)
        assert "Traceback" not in done.stderr
        if done.returncode:  # not every command reads every table
            assert done.returncode == 1
            assert f"its column {column} holds" in done.stderr


def test_gaps_and_columns_that_stand_twice_are_refused(tmp_path: Path) -> None:
    bp.run(SMALL, out=tmp_path / "r")
    file = without_digests(tmp_path / "r") / "flows.parquet"
    held = pq.read_table(file)
    at = held.column_names.index("time_s")
    gaps = pa.array([None, *held["time_s"].to_pylist()[1:]], pa.float64())
    twice = held.append_column("flow", held["flow"])
    for bad, says in (
        (held.set_column(at, "time_s", gaps), "its column time_s has missing values"),
        (twice, "it has 2 columns flow"),
    ):
        pq.write_table(bad, file)
        with pytest.raises(bp.RunError, match=says):
            _ = bp.load(tmp_path / "r").flows


def test_a_table_of_another_run_is_refused(tmp_path: Path) -> None:
    for seed in (1, 2):
        bp.run(SMALL, seed=seed, out=tmp_path / str(seed))
    bp.run(SMALL.replace("40 ms", "50 ms"), out=tmp_path / "other")
    for other in ("2", "other"):
        bad = without_digests(shutil.copytree(tmp_path / "1", tmp_path / f"with-{other}"))
        shutil.copy(tmp_path / other / "flows.parquet", bad)
        with pytest.raises(bp.RunError, match=r"flows\.parquet: it belongs to another run than summary\.json"):
            _ = bp.load(bad).flows
        assert len(bp.load(bad).links)


def test_tables_of_a_sweep_that_no_sweep_writes_are_refused(place: Path) -> None:
    bp.sweep("sweep.toml", out="out")
    file = place / "out" / "runs.parquet"
    held = pq.read_table(file)

    def said(change: Callable[[Any], object]) -> pa.Table:
        about = json.loads(held.schema.metadata[b"bentpipe"])
        change(about)
        return held.replace_schema_metadata({b"bentpipe": json.dumps(about).encode()})

    for bad, says in (
        (of_other_type(held, "goodput_mbit_s"), "its column goodput_mbit_s holds string, not double"),
        (held.drop_columns(["seed"]), "it has no column seed"),
        (said(lambda about: about.update(points=9)), "points are missing or out of order"),
        (said(lambda about: about.update(axes=[{}])), r"missing required field `key` - at `\$\.axes\[0\]`"),
        (said(lambda about: about.update(looks="x")), r"Expected `array`, got `str` - at `\$\.looks`"),
        (held.slice(len(held) // 2), "points are missing or out of order"),
    ):
        pq.write_table(bad, file)
        with pytest.raises(bp.RunError, match=says) as error:
            bp.load_sweep("out")
        assert error.value.code == "folder-damaged"
    pq.write_table(held, file)
    flows = place / "out" / "flows.parquet"
    pq.write_table(pq.read_table(flows).replace_schema_metadata(None), flows)
    with pytest.raises(bp.RunError, match=r"flows\.parquet: it belongs to another sweep"):
        _ = bp.load_sweep("out").flows


def test_a_finding_that_no_study_writes_is_refused() -> None:
    whole = json.loads(Outcome("row", (), "why", notes=("a",), runs=3).to_json())
    assert Outcome.from_json(json.dumps(whole)).runs == 3
    for key, bad in (("runs", "3"), ("claims", [{}]), ("claims", [{"what": "x", "measured": 5}]), ("sheets", [["a"]])):
        with pytest.raises(Unfit):
            Outcome.from_json(json.dumps({**whole, key: bad}))
    for text in ("[]", "5", "{}", "[" * 100_000):
        with pytest.raises(Unfit):
            Outcome.from_json(text)


# --- permissions ---


@pytest.mark.parametrize("name", ["", "flows.parquet", "summary.json", "scenario.toml"])
def test_a_permission_that_lacks_is_called_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    bp.run(SMALL, out=tmp_path / "r")
    place = tmp_path / "r" / name
    # The superuser may read everything, so the answer for other users is simulated.
    monkeypatch.setattr("os.access", lambda file, *_: Path(file) != place)
    if not name:

        def refuse(_: Path) -> Iterator[Path]:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(bp.RunError, match=r"you have no permission to read it \(chmod u\+r\)") as error:
        bp.load(tmp_path / "r")
    assert (str(place) in error.value.message, "make the run again" in error.value.message) == (True, False)


# --- flipped bytes ---


def test_a_slice_of_the_flips(tmp_path: Path) -> None:
    """`make flips` flips more."""
    found = flips.flip(60, 7, tmp_path)
    assert flips.faults(found) == ""
    assert sum(counted[code] for counted in found.values() for code in flips.CODES) > 10
