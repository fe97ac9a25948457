# SPDX-License-Identifier: MIT OR Apache-2.0
"""Send kill -9 at random times while runs are written. Then a folder contains either its old files or all new files.

`make storms KILLS=N` kills a run, a comparison, a reproduction and a sweep N times each. The tests make a part of this.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import re
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import bentpipe as bp
from bentpipe.runs import shared
from bentpipe.runs import store as _archive
from bentpipe.runs.store import Archive
from bentpipe.study import Effort, Finding, Row, Study, reproduce

SCENARIO = """
name = "storm"
duration = "{duration}"
network.dumbbell = {{ rate = "5 Mbit/s", rtt = "40 ms" }}
flows = [{{ controller = "reno" }}]
record.interval = "1 ms"
"""
#: Two runs that are written alternately into one folder.
TURNS = [SCENARIO.format(duration=duration) for duration in ("500 ms", "400 ms")]
#: The files of a sweep.
SWEPT = {
    "duration": "200 ms",
    "network": {"dumbbell": {"rate": "5 Mbit/s", "rtt": "40 ms", "loss": {"per": 0.01}}},
    "flows": [{"controller": "reno"}],
}
#: A file of the user in the same folder.
NOTES = "years of work"

Bytes = dict[str, bytes]


def held(folder: Path) -> Bytes:
    """Return the files of a run folder that a run writes."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.name != "notes.txt"}


def plan(effort: Effort) -> dict[tuple[object, ...], bp.Scenario]:
    """Return the runs of a study."""
    path = bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms")
    flow, record = bp.Flow(controller="reno"), bp.Record(interval="1 ms")
    return {
        (seed,): bp.Scenario(name="storm", duration="400 ms", seed=seed, network=path, flows=[flow], record=record)
        for seed in effort.seeds
    }


STUDY = Study(
    name="storm",
    title="Storm",
    about="",
    rows=[Row(id="S-1", place="p", what="w", says="s", plan=plan, read=lambda _: Finding(why="read"))],
)
EFFORT = Effort(tuple(range(1, 9)))


class Storm:
    """An action that is repeated, and a condition that must hold whenever the action is killed."""

    def __init__(self, place: Path) -> None:
        self.out = place / "out"
        self.whole: list[dict[Path, Bytes]] = []

    def act(self, turn: int) -> None:
        """Write once."""
        raise NotImplementedError

    def begin(self) -> None:
        """Make the complete results before the first kill, for comparison."""
        for turn in reversed(range(len(TURNS))):
            self.act(turn)
            self.whole.append({file.parent: held(file.parent) for file in self.out.rglob("summary.json")})

    def check(self) -> None:
        """Check that every folder has the bytes of one turn."""
        for folder in self.whole[0]:
            now = held(folder)
            assert now in [whole[folder] for whole in self.whole], f"{folder}: {sorted(now)}"

    def end(self) -> None:
        """Check after the last kill that results existed."""


class OfARun(Storm):
    """A folder with a run and a file of the user's."""

    def act(self, turn: int) -> None:
        bp.run(TURNS[turn], out=self.out, force=True)

    def begin(self) -> None:
        super().begin()
        (self.out / "notes.txt").write_text(NOTES)

    def check(self) -> None:
        super().check()
        assert (self.out / "notes.txt").read_text() == NOTES


class OfAComparison(Storm):
    """The run folders of a comparison."""

    def act(self, turn: int) -> None:
        bp.compare(TURNS[turn], ["reno", "cubic"], seeds=2, out=self.out, force=True)


class OfAReproduction(Storm):
    """The runs of a study: none is there, or all of it is."""

    def act(self, turn: int) -> None:
        # The runs exist already, so the reproduction starts again from the beginning.
        if turn == 0 and self.out.exists():
            # The folder is first renamed, because a kill must not leave half of it.
            gone = self.out.with_name(f"gone-{os.getpid()}")
            self.out.rename(gone)
            shutil.rmtree(gone, ignore_errors=True)
        reproduce([(STUDY, STUDY.rows)], EFFORT, out=self.out, shelf=[STUDY])

    def check(self) -> None:
        for folder, files in self.whole[0].items():
            if folder.exists():
                assert held(folder) == files, folder
        for file in self.out.glob("findings/*.json"):
            assert file.read_text().endswith("}"), file


class Logged(Archive):
    """An archive that immediately writes a log of the runs on the disk: each run, and the digest of its bytes."""

    log: Path

    def __init__(self, file: Path | None) -> None:
        super().__init__(file)
        self.adding: list[tuple[str, bytes]] = []

    def add(self, key: str, kept: bytes) -> None:
        super().add(key, kept)
        self.adding.append((key, kept))

    def commit(self) -> None:
        super().commit()
        # A partial line after a kill is ignored. It ends where the next line begins.
        lines = "".join(f"\n{key} {hashlib.sha256(kept).hexdigest()}\n" for key, kept in self.adding)
        self.adding.clear()
        file = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(file, lines.encode())
        os.close(file)


class OfASweep(Storm):
    """The store and the tables of a sweep that goes on: what was said to be kept is there, and tables are whole."""

    #: Number of runs that were looked up in the store.
    looked = 0

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        Logged.log = place / "kept"
        # The sweep takes a fraction of a second, and must commit several times.
        _archive.COMMIT_S = 0.02
        vars(shared)["Archive"] = Logged

    def act(self, turn: int) -> None:
        if turn == 0 and self.out.exists():
            Logged.log.unlink(missing_ok=True)
            gone = self.out.with_name(f"gone-{os.getpid()}")
            self.out.rename(gone)
            shutil.rmtree(gone, ignore_errors=True)
        queues = {"network.dumbbell.queue": [f"{10 + number} packets" for number in range(20 + 10 * turn)]}
        bp.sweep({"base": SWEPT, "axes": queues, "seeds": {"at_least": 5}}, out=self.out, threads=2)

    def begin(self) -> None:
        self.tables: dict[str, list[bytes]] = {"runs.parquet": [], "flows.parquet": []}
        for turn in range(len(TURNS)):
            self.act(turn)
            for name, found in self.tables.items():
                found.append((self.out / name).read_bytes())
        self.rows = self.stored()

    def stored(self) -> dict[str, bytes]:
        """Return the content of the store."""
        store = self.out / "runs.store"
        if not store.exists():
            return {}
        with contextlib.closing(sqlite3.connect(store)) as base:
            assert base.execute("pragma integrity_check").fetchone() == ("ok",)
            there = base.execute("select name from sqlite_master where name = 'runs'").fetchall()
            return dict(base.execute("select key, summary from runs")) if there else {}

    def check(self) -> None:
        stored = self.stored()
        assert stored.items() <= self.rows.items()
        text = Logged.log.read_text() if Logged.log.exists() else ""
        for key, digest in re.findall(r"^([0-9a-f]{40}) ([0-9a-f]{64})$", text, re.MULTILINE):
            assert key in stored, f"{key} was kept, and is lost"
            assert hashlib.sha256(stored[key]).hexdigest() == digest, key
            self.looked += 1
        for name, found in self.tables.items():
            if (self.out / name).exists():
                assert (self.out / name).read_bytes() in found, name

    def end(self) -> None:
        assert self.looked > 0, "no kill came after a run was kept"


def storm(kind: type[Storm], kills: int, seed: int) -> float:
    """Kill this many times. Return the mean time of a kill, as a share of the time of an undisturbed action."""
    chance = random.Random(seed)  # noqa: S311 - moments, not secrets
    with tempfile.TemporaryDirectory() as place:
        one = kind(Path(place))
        one.begin()
        begin = time.monotonic()
        one.act(0)
        lasts = time.monotonic() - begin
        for number in range(kills):
            child = os.fork()
            if child == 0:
                turn = number
                while True:
                    one.act(turn % len(TURNS))
                    turn += 1
            time.sleep(chance.uniform(0.0, 2.0 * lasts))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            one.check()
        one.end()
        # The next action removes remaining partial files.
        one.act(1)
        one.check()
        left = [
            file
            for file in Path(place).rglob(".*")
            if file.suffix in (".partial", ".before") and not file.relative_to(place).parts[0].startswith("gone-")
        ]
        assert not [file for file in left if file.is_dir()], left
        return lasts


def main() -> None:
    kills, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns()
    kinds: list[type[Storm]] = [OfARun, OfAComparison, OfAReproduction, OfASweep]
    name: Callable[[type[Storm]], str] = lambda kind: (kind.__doc__ or "").rstrip(".")  # noqa: E731
    for kind in kinds:
        lasts = storm(kind, kills, seed)
        sys.stdout.write(f"{name(kind)}: {kills} kills within 2 x {lasts * 1e3:.0f} ms, seed {seed}: nothing lost\n")


if __name__ == "__main__":
    main()
