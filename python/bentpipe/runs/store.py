# SPDX-License-Identifier: MIT OR Apache-2.0
"""Summaries of runs by content, many thousands in one file: a run is made once for each scenario, seed and build.

The file is an SQLite database: what was committed is there after kill -9, and two processes may use one file. The name
of a run is its identity (`_core.identity`) with its seed.

SQLite is used because Python has it. A sweep of 20,000 runs does not make 20,000 folders. A run that was added is
on the disk half a second later, also while no other comes: what makes runs hands over an empty list then.
"""

from __future__ import annotations

import itertools
import sqlite3
import time
import zlib
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bentpipe import _core
from bentpipe.base import reading
from bentpipe.base.errors import BentpipeError, RunError, ScenarioError
from bentpipe.base.files import FULL_FIX, Unfit, regular, write_error
from bentpipe.results import summaries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bentpipe.results.summary_types import Summary

#: The file that a command keeps in its folder, and what SQLite may leave beside it.
STORE = "runs.store"
KEPT = (STORE, f"{STORE}-journal")
#: Version of the file's form.
FORM = 1
#: Marks the file as ours (SQLite's `application_id`): "bpA" and a version.
_OURS = 0x62704100
#: Longest time until a finished run is on the disk, in seconds.
COMMIT_S = 0.5
#: Runs that are asked for at once.
_AT_ONCE = 100
#: How long another process that writes is waited for, in seconds.
_PATIENCE_S = 60.0


def packed(said: str) -> bytes:
    """A lean summary as the archive keeps it: compressed."""
    return zlib.compress(said.encode(), 1)


def checked(kept: object, seed: int | None = None) -> Summary:
    """The same taken out again, if it may stand under its name.

    A lean summary does not hold its identity: of what its name is made of it has the seed and the build.

    Args:
        kept: What the archive has.
        seed: The seed in the name; None if the caller does not know it.

    Raises:
        Unfit: If it is no lean summary, or one of another seed or build.
    """
    summary = summaries.read(reading.unpacked(kept), lean=True)
    provenance = summary["provenance"]
    if seed is not None and provenance["seed"] != seed:
        raise Unfit(f"it is of seed {provenance['seed']}, not {seed}")
    made_by = provenance["build"].partition("+")[2]
    if not made_by or not _fingerprint().startswith(made_by):
        raise Unfit(f"it is of the build {provenance['build']}, not {_core.build()}")
    return summary


@cache
def _fingerprint() -> str:
    return _core.fingerprint()


def text(kept: object) -> str:
    """The lean summary that was packed, not looked at.

    Raises:
        Unfit: If it is no packed text.
    """
    try:
        return reading.unpacked(kept).decode()
    except UnicodeDecodeError as problem:
        raise Unfit(str(problem)) from None


class Archive:
    """The file, or nothing but memory without one. One thread uses it.

    Attributes:
        file: See there.
        notes: What a user must know of it, a sentence each.
    """

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.notes: list[str] = []
        #: What is not in the file yet.
        self._added: list[tuple[str, bytes]] = []
        #: What is in the file and may not stand there: it makes room for what is added under its name.
        self._unfit: set[str] = set()
        self._last = time.monotonic()
        try:
            if file is not None:
                file.parent.mkdir(parents=True, exist_ok=True)
                if file.exists():
                    regular(file)
            self._base = sqlite3.connect(":memory:" if file is None else file, timeout=_PATIENCE_S)
        except OSError as problem:
            raise write_error(file or Path(), problem) from None
        except (Unfit, sqlite3.OperationalError) as problem:
            raise RunError("folder-unwritable", f"cannot open {file}: {problem}") from None
        try:
            with self._told():
                self._prepare()
        except BentpipeError:
            self._base.close()
            raise

    def _prepare(self) -> None:
        (ours,) = self._base.execute("pragma application_id").fetchone()
        (form,) = self._base.execute("pragma user_version").fetchone()
        (tables,) = self._base.execute("select count(*) from sqlite_master").fetchone()
        if tables and (ours != _OURS or form != FORM):
            its = f"of form {form}, and this version writes form {FORM}" if ours == _OURS else "of another program"
            raise ScenarioError(
                "folder-occupied",
                f"cannot use {self.file}: it is a file {its} (choose another --out or --store; without the file all "
                "runs are made again)",
            )
        if not tables:
            self._base.execute(f"pragma application_id = {_OURS}")
            self._base.execute(f"pragma user_version = {FORM}")
            self._base.execute("create table if not exists runs (key text primary key, summary blob) without rowid")
            self._base.commit()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as problem:
            # Without a code it is our own module that cannot read a text.
            code = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if code == sqlite3.SQLITE_FULL:
                raise RunError("disk-full", f"cannot write {self.file}: {problem}{FULL_FIX}") from None
            if isinstance(problem, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR:
                raise RunError("folder-unwritable", f"cannot write {self.file}: {problem}") from None
            raise self._damaged(problem) from None
        except UnicodeDecodeError as problem:
            raise self._damaged(problem) from None

    def _damaged(self, why: object) -> RunError:
        return RunError("folder-damaged", f"{self.file} is damaged: {why} (delete it: its runs are made again)")

    @property
    def began_empty(self) -> bool:
        """Whether it has nothing but what this process put there."""
        return self.file is None

    def those(self, seeds: Mapping[str, int]) -> set[str]:
        """Those of some runs, named with their seeds, that are there. A run whose entry is damaged does not count.

        `notes` says which entries are damaged. To make such a run again replaces its entry.
        """
        found: set[str] = set()
        wrong: dict[str, Unfit] = {}
        for key, kept in self._asked(seeds):
            try:
                checked(kept, seeds[key])
                found.add(key)
            except Unfit as problem:
                wrong[key] = problem
        if new := {key: why for key, why in wrong.items() if key not in self._unfit}:
            first, why = next(iter(new.items()))
            runs = f"the run {first} is" if len(new) == 1 else f"{len(new)} runs, the first {first}, are"
            self.notes.append(
                f"{runs} damaged in {self.file or 'the store'}: {why} (made again and put in the same place)"
            )
        self._unfit |= wrong.keys()
        return found

    def summaries(self, keys: Iterable[str]) -> dict[str, Summary]:
        """The summaries of those of some runs that are there, each as by itself.

        Raises:
            RunError: If something else stands under a name: `those` would have said so before.
        """
        found = {}
        for key, kept in self._asked(keys):
            try:
                found[key] = checked(kept)
            except Unfit as problem:
                message = f"the run {key} is damaged in {self.file}: {problem} (the same command makes it again)"
                raise RunError("folder-damaged", message) from None
        return found

    def _asked(self, keys: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        left = iter(keys)
        with self._told():
            self._insert()
        while some := list(itertools.islice(left, _AT_ONCE)):
            places = ",".join("?" * len(some))
            with self._told():
                rows = self._base.execute(
                    f"select key, summary from runs where key in ({places})",  # noqa: S608
                    some,
                ).fetchall()  # no cursor is left open when the caller stops
            yield from rows

    def add(self, key: str, kept: bytes) -> None:
        """Keep a run, packed; `keep` puts it on the disk."""
        self._added.append((key, kept))

    def keep(self) -> None:
        """Put what was added on the disk if half a second went by; to be called at least as often."""
        if self._added and time.monotonic() - self._last >= COMMIT_S:
            self.commit()

    def commit(self) -> None:
        """Put everything on the disk."""
        with self._told():
            self._insert()
            self._base.commit()
            self._last = time.monotonic()

    def _insert(self) -> None:
        if self._added:
            again = [(key,) for key, _ in self._added if key in self._unfit]
            self._base.executemany("delete from runs where key = ?", again)
            self._base.executemany("insert or ignore into runs values (?, ?)", self._added)
            self._unfit.difference_update(key for (key,) in again)
            self._added.clear()

    def close(self) -> None:
        """The end; what was added is on the disk."""
        try:
            self.commit()
        finally:
            self._base.close()
