# SPDX-License-Identifier: MIT OR Apache-2.0
"""Summaries of runs by content, many thousands in one file: a run is made once for each scenario, seed and build.

The file is an SQLite database: what was committed is there after kill -9, and two processes may use one file. The name
of a run is its identity (`_core.identity`) with its seed.

SQLite is used because Python has it. A sweep of 20,000 runs does not make 20,000 folders. A run that was added is
on the disk half a second later, also while no other comes: what makes runs hands over an empty list then.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
import time
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bentpipe.base.errors import RunError, ScenarioError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from bentpipe.results.summary_types import Summary

#: The file that a command keeps in its folder, and what SQLite may leave beside it.
STORE = "runs.store"
KEPT = (STORE, f"{STORE}-journal")
#: Version of the file's form.
FORM = 1
#: Marks the file as ours (SQLite's `application_id`): "bpA" and a version.
_OURS = 0x62704100
#: Finished runs are on the disk after so many seconds at the latest.
COMMIT_S = 0.5
#: Runs that are asked for at once.
_AT_ONCE = 500
#: How long another process that writes is waited for, in seconds.
_PATIENCE_S = 60.0


def packed(said: str) -> bytes:
    """A lean summary as the archive keeps it: compressed."""
    return zlib.compress(said.encode(), 1)


def unpacked(kept: bytes) -> Summary:
    """The same taken out again."""
    found: Summary = json.loads(text(kept))
    return found


def text(kept: bytes) -> str:
    """The lean summary that was packed."""
    return zlib.decompress(kept).decode()


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
        self._last = time.monotonic()
        try:
            if file is not None:
                file.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(":memory:" if file is None else file, timeout=_PATIENCE_S)
            with self._told():
                self._prepare()
        except OSError as problem:
            raise RunError("folder-unwritable", f"cannot write {file}: {problem}") from None
        except sqlite3.OperationalError as problem:
            raise RunError("folder-unwritable", f"cannot open {file}: {problem}") from None

    def _prepare(self) -> None:
        (ours,) = self._base.execute("pragma application_id").fetchone()
        (form,) = self._base.execute("pragma user_version").fetchone()
        (tables,) = self._base.execute("select count(*) from sqlite_master").fetchone()
        if tables and (ours != _OURS or form != FORM):
            its = f"of form {form}, and this version writes form {FORM}" if ours == _OURS else "of another program"
            raise ScenarioError(
                "folder-occupied",
                f"cannot use {self.file}: it is a file {its} (choose another --out or --store; without the file all "
                "runs are made anew)",
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
        except sqlite3.OperationalError as problem:
            full = "full" in str(problem)
            raise RunError(
                "disk-full" if full else "folder-unwritable", f"cannot write {self.file}: {problem}"
            ) from None
        except (sqlite3.DatabaseError, zlib.error) as problem:
            raise RunError(
                "folder-damaged", f"{self.file} is damaged: {problem} (delete it: its runs are made anew)"
            ) from None

    def __contains__(self, key: str) -> bool:
        """Whether a run is there."""
        return bool(self.those([key]))

    def __getitem__(self, key: str) -> Summary:
        """The summary of a run, without the links but the busiest.

        Raises:
            KeyError: If it is not there.
        """
        return self.summaries([key])[key]

    def those(self, keys: Iterable[str]) -> set[str]:
        """Those of some runs that are there."""
        return {key for (key,) in self._asked("key", keys)}

    def summaries(self, keys: Iterable[str]) -> dict[str, Summary]:
        """The summaries of those of some runs that are there, each as by itself."""
        with self._told():
            return {key: unpacked(kept) for key, kept in self._asked("key, summary", keys)}

    def _asked(self, columns: str, keys: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        left = iter(keys)
        with self._told():
            self._insert()
            while some := list(itertools.islice(left, _AT_ONCE)):
                places = ",".join("?" * len(some))
                yield from self._base.execute(f"select {columns} from runs where key in ({places})", some)  # noqa: S608

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
            self._base.executemany("insert or ignore into runs values (?, ?)", self._added)
            self._added.clear()

    def close(self) -> None:
        """The end; what was added is on the disk."""
        self.commit()
        self._base.close()
