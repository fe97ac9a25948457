# SPDX-License-Identifier: MIT OR Apache-2.0
"""Store summaries of many thousand runs in one file. A run is made once for each scenario, seed and build.

The file is an SQLite database. Committed runs survive kill -9, and two processes may use one file. The name of a run is
its identity (`_core.identity`) with its seed.

A sweep of 20,000 runs therefore does not make 20,000 folders. An added run is on the disk half a second later, even if
no other run follows.
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

#: The file that a command keeps in its folder, and the files that SQLite may leave beside this file.
STORE = "runs.store"
KEPT = (STORE, f"{STORE}-journal")
#: Version of the file format.
FORM = 1
#: SQLite's `application_id` of a store of Bentpipe: "bpA" and a version.
_OURS = 0x62704100
#: Longest time until a finished run is on the disk, in seconds.
COMMIT_S = 0.5
#: Number of runs in a query.
_AT_ONCE = 100
#: Longest wait for another process that writes, in seconds.
_PATIENCE_S = 60.0


def packed(said: str) -> bytes:
    """Compress a lean summary for the archive."""
    return zlib.compress(said.encode(), 1)


def checked(kept: object, seed: int | None = None) -> Summary:
    """Return the lean summary of an archive entry, after a check against the name of the entry.

    A lean summary does not contain its identity. It contains only two parts of its name, seed and build.

    Args:
        kept: The entry of the archive.
        seed: The seed in the name; None if the caller does not know it.

    Raises:
        Unfit: If the entry is not a lean summary, or has another seed or build.
    """
    summary = summaries.read(reading.unpacked(kept), lean=True)
    provenance = summary["provenance"]
    if seed is not None and provenance["seed"] != seed:
        raise Unfit(f"it has seed {provenance['seed']}, not {seed}")
    made_by = provenance["build"].partition("+")[2]
    if not made_by or not _fingerprint().startswith(made_by):
        raise Unfit(f"it has build {provenance['build']}, not {_core.build()}")
    return summary


@cache
def _fingerprint() -> str:
    return _core.fingerprint()


def text(kept: object) -> str:
    """Return the lean summary of an archive entry, without checks.

    Raises:
        Unfit: If the entry is not compressed text.
    """
    try:
        return reading.unpacked(kept).decode()
    except UnicodeDecodeError as problem:
        raise Unfit(str(problem)) from None


class Archive:
    """An archive in a file, or in memory if there is no file. Only one thread uses an archive.

    Attributes:
        file: The file, or None.
        notes: Notes for users. Each note is a sentence.
    """

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.notes: list[str] = []
        #: Runs that are not yet in the file.
        self._added: list[tuple[str, bytes]] = []
        #: Damaged entries of the file. An added run of the same name replaces such an entry.
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
            its = f"of format {form}, and this version writes format {FORM}" if ours == _OURS else "of another program"
            raise ScenarioError(
                "folder-occupied",
                f"cannot use {self.file}: it is a file {its} (choose another --out or --store; if you delete the "
                "file, all runs are made again)",
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
            # An error without a code means that Python's module cannot decode a text.
            code = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if code == sqlite3.SQLITE_FULL:
                raise RunError("disk-full", f"cannot write {self.file}: {problem}{FULL_FIX}") from None
            if isinstance(problem, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR:
                raise RunError("folder-unwritable", f"cannot write {self.file}: {problem}") from None
            raise self._damaged(problem) from None
        except UnicodeDecodeError as problem:
            raise self._damaged(problem) from None

    def _damaged(self, why: object) -> RunError:
        return RunError("folder-damaged", f"{self.file} is damaged: {why} (delete the file; its runs are made again)")

    @property
    def began_empty(self) -> bool:
        """Whether the archive has only entries of this process."""
        return self.file is None

    def those(self, seeds: Mapping[str, int]) -> set[str]:
        """Return the names of the given runs (with seeds) that the archive has. A damaged entry does not count.

        `notes` lists damaged entries. Making such a run again replaces its entry.
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
            self.notes.append(f"{runs} damaged in {self.file or 'the store'}: {why} (made again and replaced)")
        self._unfit |= wrong.keys()
        return found

    def summaries(self, keys: Iterable[str]) -> dict[str, Summary]:
        """Return the summaries of the given runs that the archive has.

        Raises:
            RunError: If an entry is damaged. `those` reports such entries before.
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
        """Add a compressed run. `keep` writes it to the disk."""
        self._added.append((key, kept))

    def keep(self) -> None:
        """Write added runs to the disk if half a second has passed. Callers call this at least every half second."""
        if self._added and time.monotonic() - self._last >= COMMIT_S:
            self.commit()

    def commit(self) -> None:
        """Write all added runs to the disk."""
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
        """Write all added runs to the disk, and close the archive."""
        try:
            self.commit()
        finally:
            self._base.close()
