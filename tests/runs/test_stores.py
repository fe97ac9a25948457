# SPDX-License-Identifier: MIT OR Apache-2.0
"""The store of a sweep loses no finished run, and interruptions do not change the result."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fsspec.implementations.local import LocalFileSystem

import bentpipe as bp
from bentpipe.runs import store as _archive
from bentpipe.runs.point import Point, Wanted
from bentpipe.runs.store import COMMIT_S
from bentpipe.runs.threads import Crew
from project import Command
from small_sweeps import BASE, DOCUMENT, held, lay, table, tables
from waiting import HANG_S, heed_interrupts, interrupted, until

if TYPE_CHECKING:
    from bentpipe.runs.execute import Some


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return lay(tmp_path)


# --- continuing ---


def test_the_same_bytes_on_any_number_of_threads_and_after_stops(place: Path) -> None:
    bp.sweep("sweep.toml", out="one", threads=1)
    bp.sweep("sweep.toml", out="two", threads=2)
    assert tables(place / "one") == tables(place / "two")
    calls = 0

    def stop(done: int, _all: int) -> None:
        nonlocal calls
        calls += 1
        if done >= 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bp.sweep("sweep.toml", out="cut", threads=2, progress=stop)
    assert not (place / "cut" / "runs.parquet").exists()
    again = bp.sweep("sweep.toml", out="cut", threads=1)
    assert 0 < again.made <= 36 - 7
    assert tables(place / "one") == tables(place / "cut")


def test_overlapping_sweeps_share_runs(place: Path) -> None:
    first = bp.sweep("sweep.toml", out="out")
    assert first.made == 36
    (place / "base.toml").write_text('name = "another title"\n' + BASE.replace("duration", "# said again\nduration"))
    (place / "sweep.toml").write_text(DOCUMENT.replace('"10 packets", "40 packets"', '"40 packets", "41 packets"'))
    second = bp.sweep("sweep.toml", out="out")
    assert second.made == 18
    elsewhere = bp.sweep("sweep.toml", out="elsewhere", store="out/runs.store")
    assert elsewhere.made == 0
    assert tables(place / "out") == tables(place / "elsewhere")


def test_a_file_that_the_scenario_names_is_part_of_what_a_run_is(place: Path) -> None:
    trace = place / "link.trace"
    trace.write_text("\n".join(str(at) for at in range(1, 101)) + "\n")
    document = table(**{"flows.count": [1, 2]}) | {"seeds": {"at_least": 1}}
    document["base"]["network"] = {"dumbbell": {"trace": str(trace), "rtt": "40 ms", "queue": "20 packets"}}
    slow = bp.sweep(document, store="store")
    trace.write_text("\n".join(str(at) for at in range(1, 101) for _ in range(2)) + "\n")
    os.utime(trace, (1, 1))
    fast = bp.sweep(document, store="store")
    assert (slow.made, fast.made) == (2, 2)
    assert fast.runs["packet_hops"] != slow.runs["packet_hops"]


@pytest.mark.usefixtures("place")
def test_run_folders_on_request() -> None:
    bp.sweep("sweep.toml", out="out")
    kept = bp.sweep("sweep.toml", out="out", keep_runs=True)
    assert kept.made == 36
    row = kept.runs.arrow.to_pylist()[5]
    run = bp.load(row["folder"])
    assert run.summary["totals"]["delivered_mbit_s"] == row["goodput_mbit_s"]
    assert len(run.flows) > 5, "its series are there"
    assert bp.sweep("sweep.toml", out="out", keep_runs=True).made == 0


#: A sweep that kills its own process while runs are being made. Some finished runs are not on the disk yet.
KILLED = """
import os, signal, sys
import bentpipe as bp
from bentpipe.runs import store

store.COMMIT_S = 0.0

def kill(done, _all):
    if done == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)

bp.sweep("sweep.toml", out="killed", threads=2, progress=kill)
"""


def test_kill_9_loses_nothing_that_was_finished(place: Path) -> None:
    """`make storms` kills at any moment."""
    (place / "sweep.toml").write_text(DOCUMENT.replace("at_least = 3", "at_least = 100"))
    whole = bp.sweep("sweep.toml", out="whole", threads=2)
    store = place / "killed" / "runs.store"
    counts = [0]
    for after in (100, 333, 600):
        killed = subprocess.run([sys.executable, "-c", KILLED, str(after)], timeout=HANG_S)
        assert killed.returncode == -signal.SIGKILL
        with sqlite3.connect(store) as base:
            assert base.execute("pragma integrity_check").fetchone() == ("ok",)
        # A thread hands over at most 64 runs at a time.
        assert after - 64 <= held(store) < after
        counts.append(held(store))
    again = bp.sweep("sweep.toml", out="killed", threads=2)
    assert again.made == len(whole.runs) - counts[-1]
    assert tables(place / "whole") == tables(place / "killed")


def test_ctrl_c_ends_with_130_and_goes_on(place: Path) -> None:
    # After the short runs, the sweep has the same number of runs that take hours.
    (place / "sweep.toml").write_text(DOCUMENT.replace("[axes]", '[axes]\nduration = ["1 s", "30 d"]'))
    command = [sys.executable, "-m", "bentpipe", "sweep", "sweep.toml", "--out", "out", "--threads", "2", "--costly"]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    )
    store = place / "out" / "runs.store"
    until(lambda: held(store), process)
    told = interrupted(process)
    found = re.search(r"(\d+) of 72 runs finished", told)
    assert found, told
    kept = held(store)
    assert kept >= int(found[1]) > 0
    (place / "sweep.toml").write_text(DOCUMENT)
    assert bp.sweep("sweep.toml", out="out").made == 36 - kept


def test_what_is_finished_is_on_the_disk_while_other_runs_go_on(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s, counted = 0.0, []

    class Slow(Crew):
        def results(self) -> Iterator[Some]:
            nonlocal now_s
            found = [one for some in super().results() for one in some]
            for some in (found[:1], []) if found else ():
                yield some
                counted.append(held(place / "out" / "runs.store"))
                now_s += COMMIT_S
            yield found[1:]

    monkeypatch.setattr("bentpipe.runs.execute.Crew", Slow)
    monkeypatch.setattr(_archive, "time", SimpleNamespace(monotonic=lambda: now_s))
    bp.sweep("sweep.toml", out="out")
    assert counted == [0, 1]


def test_who_makes_runs_says_so_while_none_is_finished() -> None:
    long = table()["base"] | {"duration": "30 d", "network": {"dumbbell": {"rate": "1 Gbit/s", "rtt": "40 ms"}}}
    crew = Crew([Wanted(Point(long, "long"), 1)], 1, costly=True)
    assert next(crew.results()) == []
    crew.stop()


# --- a folder that machines share ---


@pytest.mark.parametrize("address", ["shared/", "memory://shared"])
def test_what_one_has_made_another_takes_over(place: Path, address: str) -> None:
    alone = bp.sweep("sweep.toml", out="alone")
    first = bp.sweep("sweep.toml", out="first", store=address)
    second = bp.sweep("sweep.toml", out="second", store=address)
    nowhere = bp.sweep("sweep.toml", store=address)
    assert (alone.made, first.made, second.made, nowhere.made) == (36, 36, 0, 0)
    assert tables(place / "alone") == tables(place / "first") == tables(place / "second")
    # Runs that exist here are moved to the shared folder.
    (place / "sweep.toml").write_text(DOCUMENT.replace("at_least = 3", "at_least = 5"))
    assert bp.sweep("sweep.toml", out="alone").made == 24
    assert bp.sweep("sweep.toml", out="alone", store=address).made == 0
    assert bp.sweep("sweep.toml", out="second", store=address).made == 0


def test_files_of_a_shared_store_never_change(place: Path) -> None:
    bp.sweep("sweep.toml", store="shared/")
    before = {file.name: file.read_bytes() for file in (place / "shared").glob("*.parquet")}
    assert [name.partition(".")[0] for name in before] == [
        hashlib.sha256(content).hexdigest()[:40] for content in before.values()
    ]
    # A store ignores files of other programs. It removes partial files of processes that stopped days ago.
    (name, *_) = before
    writing, left = (place / "shared" / f"{name}.{who}.partial" for who in ("node-7.77.5a5a", "node-7.77.c3c3"))
    for file in (writing, left):
        file.write_bytes(b"PAR1")
    os.utime(left, (left.stat().st_mtime - 2 * 86_400,) * 2)
    (place / "sweep.toml").write_text(DOCUMENT.replace("at_least = 3", "at_least = 4"))
    assert bp.sweep("sweep.toml", store="shared/").made == 12
    assert before.items() <= {file.name: file.read_bytes() for file in (place / "shared").glob("*.parquet")}.items()
    assert len(list((place / "shared").glob("*.parquet"))) == 2
    assert (writing.exists(), left.exists()) == (True, False)


@pytest.mark.usefixtures("place")
def test_no_two_machines_or_times_write_under_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    write = LocalFileSystem.pipe_file

    def written(self: LocalFileSystem, path: str, content: bytes) -> None:
        names.append(path.rpartition("/")[2])
        write(self, path, content)

    monkeypatch.setattr(LocalFileSystem, "pipe_file", written)
    for machine in ("one.example", "other.example"):
        monkeypatch.setattr("socket.gethostname", lambda machine=machine: machine)
        for _ in range(2):
            bp.sweep("sweep.toml", store="shared/")
    marks = [name for name in names if name.startswith("bentpipe-store.json")]
    assert len(set(marks)) == 4
    assert [name.split(".")[2:4] for name in marks] == [
        [machine, str(os.getpid())] for machine in ("one-example", "one-example", "other-example", "other-example")
    ]


@pytest.mark.parametrize(
    ("name", "content", "code", "says"),
    [
        ("bentpipe-store.json", '{"form": 99}', 2, "format 99, and this version writes format"),
        ("bentpipe-store.json", "{", 2, "an unknown format"),
        ("thesis.tex", "years", 2, "it holds thesis.tex"),
    ],
)
def test_a_folder_of_another_version_is_refused(
    cli: Command, place: Path, name: str, content: str, code: int, says: str
) -> None:
    (place / "shared").mkdir()
    (place / "shared" / name).write_text(content)
    done = cli("sweep", "sweep.toml", "--out", "out", "--store", "shared")
    assert (done.returncode, "folder-occupied" in done.stderr, says in done.stderr) == (code, True, True), done.stderr
    assert [(file.name, file.read_text()) for file in (place / "shared").iterdir()] == [(name, content)]


def torn(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-20])


def of_another_name(file: Path) -> None:
    file.rename(file.with_name("0" * 40 + ".parquet"))


def other_runs(file: Path) -> None:
    """Write the summaries of other runs under the same keys."""
    found = pq.read_table(file)
    pq.write_table(pa.table({"key": found["key"], "summary": found["summary"].to_pylist()[::-1]}), file)


def no_runs(file: Path) -> None:
    pq.write_table(pa.table({"key": ["thesis"], "years": [7]}), file)
    file.rename(file.with_name(hashlib.sha256(file.read_bytes()).hexdigest()[:40] + ".parquet"))


@pytest.mark.parametrize("spoil", [torn, of_another_name, other_runs, no_runs])
def test_what_is_not_what_its_name_says_is_told_of_and_made_anew(
    cli: Command, place: Path, spoil: Callable[[Path], None]
) -> None:
    bp.sweep("sweep.toml", out="alone", store="shared/")
    (file,) = (place / "shared").glob("*.parquet")
    spoil(file)
    (name,) = (one.name for one in (place / "shared").glob("*.parquet"))
    done = cli("sweep", "sweep.toml", "--out", "out", "--store", "shared")
    assert done.returncode == 0, done.stderr
    assert f"ignored in the store: {name} in shared" in done.stderr
    assert "0 are in the store" in done.stderr
    assert tables(place / "out") == tables(place / "alone")
    with warnings.catch_warnings(action="ignore"):
        assert bp.sweep("sweep.toml", out="third", store="shared/").made == 0


def test_files_that_do_not_fit_are_one_note_with_the_command_that_removes_them(cli: Command, place: Path) -> None:
    bp.sweep("sweep.toml", store="shared/")
    for number in range(40):
        (place / "shared" / f"{number:040x}.parquet").write_text("years")
    done = cli("sweep", "sweep.toml", "--out", "out", "--store", "shared")
    assert done.returncode == 0, done.stderr
    notes = [line for line in done.stderr.splitlines() if line.startswith("ignored in the store")]
    assert len(notes) == 1
    assert notes[0].startswith(f"ignored in the store: 40 files in shared, the first {0:040x}.parquet: ")
    command = notes[0].partition("with: ")[2].partition(";")[0]
    subprocess.run(shlex.split(command), check=True, cwd=place)
    assert "ignored in the store" not in cli("sweep", "sweep.toml", "--out", "out", "--store", "shared").stderr
    assert len([*(place / "shared").glob("*.parquet")]) == 1


def test_a_file_of_another_program_is_left_alone(cli: Command, place: Path) -> None:
    bp.sweep("sweep.toml", store="shared/")
    (place / "shared" / "thesis.parquet").write_text("years")
    done = cli("sweep", "sweep.toml", "--out", "out", "--store", "shared")
    assert (done.returncode, "36 are in the store" in done.stderr) == (0, True)
    assert "ignored in the store: thesis.parquet in shared" in done.stderr
    assert (place / "shared" / "thesis.parquet").read_text() == "years"


@pytest.mark.parametrize(
    ("address", "code", "says"),
    [
        # Even a user who can write anywhere cannot write below a file.
        ("base.toml/below/", 1, "cannot open the store base.toml/below/"),
        ("s3://bucket/runs", 2, "s3fs"),
        ("nonsense://bucket/runs", 2, "Protocol not known"),
    ],
)
@pytest.mark.usefixtures("place")
def test_addresses_that_cannot_be_written(cli: Command, address: str, code: int, says: str) -> None:
    done = cli("sweep", "sweep.toml", "--out", "out", "--store", address)
    assert (done.returncode, address in done.stderr, says in done.stderr) == (code, True, True), done.stderr


# --- what is refused ---


@pytest.mark.parametrize("kind", ["version", "foreign", "text"])
def test_a_store_of_another_version_is_refused(cli: Command, place: Path, kind: str) -> None:
    (place / "out").mkdir()
    store = place / "out" / "runs.store"
    if kind == "text":
        store.write_text("these are no runs " * 100)
    else:
        assert cli("sweep", "sweep.toml", "--out", "out").returncode == 0
        with sqlite3.connect(store) as base:
            base.execute("pragma user_version = 99" if kind == "version" else "pragma application_id = 1")
    before = store.read_bytes()
    done = cli("sweep", "sweep.toml", "--out", "out")
    assert done.returncode == (1 if kind == "text" else 2)
    said = {"version": "format 99", "foreign": "another program", "text": "not a database"}
    assert said[kind] in done.stderr
    assert store.read_bytes() == before


def test_other_files_are_left_alone(cli: Command, place: Path) -> None:
    (place / "out").mkdir()
    (place / "out" / "thesis.tex").write_text("years")
    done = cli("sweep", "sweep.toml", "--out", "out")
    assert (done.returncode, "thesis.tex" in done.stderr) == (2, True)


# --- the identity of a run ---


def test_a_file_that_changes_meanwhile_ends_the_sweep(place: Path) -> None:
    trace = place / "link.trace"
    trace.write_text("\n".join(str(at) for at in range(1, 101)) + "\n")
    document = table(**{"flows.count": [1, 2, 3]})
    document["base"]["network"] = {"dumbbell": {"trace": str(trace), "rtt": "40 ms", "queue": "20 packets"}}

    def change(_done: int, _all: int) -> None:
        trace.write_text("\n".join(str(at) for at in range(1, 101) for _ in range(2)) + "\n")

    with pytest.raises(bp.BentpipeError) as raised:
        bp.sweep(document, store="changed.store", threads=1, progress=change)
    assert (raised.value.code, str(trace) in str(raised.value)) == ("file-changed", True)
    new = bp.sweep(document, store="changed.store", threads=1)
    assert new.made == len(new.runs)
