# SPDX-License-Identifier: MIT OR Apache-2.0
"""A store that several machines read and write: a folder of files that never change, on any file system of fsspec.

SQLite is not safe on a network file system, and an object store cannot change a file at all. Therefore new runs are
written into the folder as one Parquet file every few seconds. The name of the file is the digest of its content. A
process that opens the folder copies files that it has not read before into its local SQLite file. A file whose content
does not match its name is listed in a note and ignored, and its runs are made again.

A damaged file must not stop other users of the folder. The local copy of a shared store is always complete, even if a
sweep needs only a part of it.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import secrets
import socket
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.base import arguments, reading, shape
from bentpipe.base.errors import BentpipeError, RunError, ScenarioError
from bentpipe.base.extras import needs
from bentpipe.base.files import Unfit
from bentpipe.runs.store import FORM, STORE, Archive, packed, text

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Longest time until new runs are in the folder, in seconds.
_PUT_S = 10.0
#: Largest number of runs in a file.
_MOST = 20_000
#: Largest size of a file in bytes. 20,000 runs of one flow have 10 MB.
_LARGEST = 1_000_000_000
#: The file that marks the folder as a store.
_MARK = "bentpipe-store.json"
#: The name of a file with runs: the digest of its content.
_RUNS = re.compile(r"([0-9a-f]{40})\.parquet")
#: The name of a partial file, which has machine, process and time. If its machine stopped, the partial file remains.
_PARTIAL = re.compile(rf"({_RUNS.pattern}|{re.escape(_MARK)})\..+\.partial")
#: Age in seconds from which a partial file is abandoned. Writing takes at most a minute; no clock is wrong by a day.
_STALE_S = 86_400.0
#: The name of a run.
_KEY = re.compile(r"[0-9a-f]{40}")


def is_shared(store: str | os.PathLike[str]) -> bool:
    """Return whether a store is a folder: it is an address, ends with a slash, or is an existing folder."""
    arguments.path("store", store)
    text = os.fspath(store)
    return "://" in text or text.endswith("/") or Path(text).is_dir()


def open_store(out: Path | None, store: str | os.PathLike[str] | None = None) -> Archive:
    """Return the chosen archive: a file, or a folder with a local file in `out`. The default is the file in `out`.

    If neither `store` nor `out` is given, the archive is in memory.
    """
    beside = None if out is None else out / STORE
    if store is not None and is_shared(store):
        return SharedArchive(os.fspath(store), beside)
    return Archive(arguments.place("store", store) or beside)


class SharedArchive(Archive):
    """An archive that copies the runs of a folder, and adds new runs to the folder."""

    def __init__(self, address: str, file: Path | None) -> None:
        needs("fsspec", "cluster", "a store that machines share")
        self._address = address
        with self._reached("open"):
            import fsspec

            try:
                self._files, self._folder = fsspec.core.url_to_fs(address)
            except (ImportError, ValueError) as problem:
                raise ScenarioError(
                    "plugin-failed", f"cannot reach the store {address}: {problem} (install the named package with pip)"
                ) from None
            self._id = self._files.unstrip_protocol(self._folder)
            names = self._names()
            self._check(names)
        super().__init__(file)
        with self._told():
            self._base.execute(
                "create table if not exists taken (folder text, name text, primary key (folder, name)) without rowid"
            )
            self._base.execute(
                "create table if not exists put (folder text, key text, primary key (folder, key)) without rowid"
            )
            self._base.commit()
        self._take(names)
        self._new = self._only_here()
        self._put_last = time.monotonic()

    @property
    def began_empty(self) -> bool:
        """False, because the folder may hold runs."""
        return False

    def add(self, key: str, kept: bytes) -> None:
        """Keep a compressed run. The run is in the file half a second later, and in the folder some seconds later."""
        self._new.append((key, kept))
        super().add(key, kept)

    def keep(self) -> None:
        """Write added runs to the disk and into the folder, each if its interval since the last write is over."""
        super().keep()
        if self._new and time.monotonic() - self._put_last >= _PUT_S:
            self._put()

    def commit(self) -> None:
        """Write all added runs to the disk, and into the folder if its interval is over."""
        super().commit()
        if time.monotonic() - self._put_last >= _PUT_S:
            self._put()

    def close(self) -> None:
        """Write all added runs into the folder, and close the store."""
        super().commit()
        try:
            self._put()
        finally:
            super().close()

    def _names(self) -> set[str]:
        if not self._files.exists(self._folder):
            self._files.makedirs(self._folder, exist_ok=True)
        found = {str(one).rstrip("/").rpartition("/")[2] for one in self._files.ls(self._folder, detail=False)}
        partial = {name for name in found if _PARTIAL.fullmatch(name)}
        self._clear(partial)
        return {name for name in found - partial if name}

    def _clear(self, partial: set[str]) -> None:
        """Remove old partial files of machines that stopped. Younger partial files may still be in use."""
        for name in partial:
            try:
                age = datetime.now(UTC) - self._files.modified(f"{self._folder}/{name}")
                if age.total_seconds() > _STALE_S:
                    self._files.rm_file(f"{self._folder}/{name}")
            except Exception:  # noqa: S112 - another process removed it, or the permission is missing; the file only takes space
                continue

    def _check(self, names: set[str]) -> None:
        """Refuse a store of another program or version, and report early if it cannot be written."""
        said: object = None
        if _MARK in names:
            try:
                said = shape.parsed(self._content(_MARK), dict[str, object])["form"]
            except (Unfit, KeyError):
                said = "unknown"
        elif names:
            raise ScenarioError(
                "folder-occupied",
                f"cannot use {self._address}: it holds {', '.join(sorted(names)[:5])} and is not a store of this "
                "program (choose an empty folder)",
            )
        if said not in (None, FORM):
            its = "an unknown format" if said == "unknown" else f"format {said}"
            raise ScenarioError(
                "folder-occupied",
                f"cannot use {self._address}: it is a store of {its}, and this version writes format {FORM} "
                "(choose another --store)",
            )
        self._write(_MARK, json.dumps({"form": FORM}).encode())

    def _take(self, names: set[str]) -> None:
        """Copy the runs of files that were not read before."""
        with self._told():
            seen = {name for (name,) in self._base.execute("select name from taken where folder = ?", (self._id,))}
        others = sorted(name for name in names - {_MARK} if not _RUNS.fullmatch(name))
        if others:
            self._leave(
                f"{', '.join(others[:5])}{', …' if others[5:] else ''} in {self._address}: not a file of a store"
            )
        unfit: list[tuple[str, Unfit]] = []
        for name in sorted(names - seen - {_MARK, *others}):
            try:
                found = self._read(name)
            except Unfit as problem:
                unfit.append((name, problem))
                continue
            with self._told():
                self._base.executemany("insert or ignore into runs values (?, ?)", found)
                self._tell_put([key for key, _ in found])
            self._seen(name)
        super().commit()
        if unfit:
            (first, reason), count = unfit[0], len(unfit)
            several = f"{count} files in {self._address}, the first {first}"
            which = f"{first} in {self._address}" if count == 1 else several
            every = len(names - {_MARK, *others}) == count > 1
            files = ["*.parquet"] if every else [name for name, _ in unfit]
            remove = " ".join(f"{self._address.rstrip('/')}/{name}" for name in files)
            noun = "file" if count == 1 else "files"
            fix = f"delete the {noun}" if "://" in self._address else f"delete the {noun} with: rm {remove}"
            self._leave(f"{which}: {reason} ({fix}; the runs are made again)")

    def _leave(self, what: str) -> None:
        self.notes.append(f"ignored in the store: {what}")

    def _content(self, name: str) -> bytes:
        """Return the content of a file of the folder.

        Raises:
            Unfit: If the name is not that of a file, or the file is larger than a file of a store.
        """
        place = f"{self._folder}/{name}"
        with self._reached("read"):
            about = self._files.info(place)
            if about["type"] != "file":
                raise Unfit("it is a folder, a pipe or a device, not a file")
            if (about["size"] or 0) > _LARGEST:
                raise Unfit(f"it is larger than {_LARGEST / 1e6:g} MB, the limit for such a file")
            content: bytes = self._files.cat_file(place)
        return content

    def _read(self, name: str) -> list[tuple[str, bytes]]:
        """Return the runs of a file. The content of a run is checked when the run is used.

        Raises:
            Unfit: If the content of the file does not match its name, or the file does not contain runs.
        """
        import pyarrow as pa

        content = self._content(name)
        if name != _name(content):
            raise Unfit("its content does not match the digest in its name: it is damaged or renamed")
        schema = pa.schema([pa.field("key", pa.string(), nullable=False), pa.field("summary", pa.string(), False)])
        found = []
        try:
            for some in reading.batches(content, schema):
                keys, summaries = (some.column(column).to_pylist() for column in ("key", "summary"))
                if not all(map(_KEY.fullmatch, keys)) or not all(map(_is_object, summaries)):
                    raise Unfit("names or summaries are not valid")
                found += [(key, packed(summary)) for key, summary in zip(keys, summaries, strict=True)]
        except Unfit as problem:
            raise Unfit(f"it does not contain runs: {problem}") from None
        return found

    def _put(self) -> None:
        """Write new runs as a file of the folder."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        while self._new:
            some = self._new[:_MOST]
            keys, summaries = map(list, zip(*some, strict=True))
            held = io.BytesIO()
            table = pa.table({"key": keys, "summary": [text(one) for one in summaries]})
            pq.write_table(table, held, compression="zstd", use_dictionary=False)
            content = held.getvalue()
            name = _name(content)
            with self._reached("write"):
                self._write(name, content)
            with self._told():
                self._tell_put(keys)
                self._seen(name)
            super().commit()
            del self._new[:_MOST]
        self._put_last = time.monotonic()

    def _only_here(self) -> list[tuple[str, bytes]]:
        """Return the runs that only the local file has, because an earlier sweep did not use the folder or was killed.

        Damaged runs are not included.
        """
        with self._told():
            found = self._base.execute(
                "select key, summary from runs where not exists "
                "(select 1 from put where put.folder = ? and put.key = runs.key)",
                (self._id,),
            ).fetchall()
        return [(key, kept) for key, kept in found if _is_run(key, kept)]

    def _tell_put(self, keys: list[str]) -> None:
        self._base.executemany("insert or ignore into put values (?, ?)", ((self._id, key) for key in keys))

    def _seen(self, name: str) -> None:
        with self._told():
            self._base.execute("insert or ignore into taken values (?, ?)", (self._id, name))

    def _write(self, name: str, content: bytes) -> None:
        """Write a file completely or not at all. Each machine and process has its own name for the partial file."""
        who = f"{_machine()}.{os.getpid()}.{secrets.token_hex(8)}"
        partial = f"{self._folder}/{name}.{who}.partial"
        self._files.pipe_file(partial, content)
        self._files.mv(partial, f"{self._folder}/{name}")

    @contextmanager
    def _reached(self, what: str) -> Iterator[None]:
        """Convert the errors of all file-system libraries to a `RunError`."""
        try:
            yield
        except (BentpipeError, Unfit):
            raise
        except Exception as problem:
            said = str(problem) or type(problem).__name__
            raise RunError("folder-unwritable", f"cannot {what} the store {self._address}: {said}") from None


def _is_object(summary: str) -> bool:
    """Return whether a text may be a summary. `store.checked` verifies it later."""
    return summary.startswith("{")


def _is_run(key: object, kept: object) -> bool:
    """Return whether `SharedArchive._read` accepts a pair of name and content as a run."""
    try:
        return isinstance(key, str) and _KEY.fullmatch(key) is not None and _is_object(text(kept))
    except Unfit:
        return False


def _name(content: bytes) -> str:
    return f"{hashlib.sha256(content).hexdigest()[:40]}.parquet"


def _machine() -> str:
    return re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname()) or "unnamed"
