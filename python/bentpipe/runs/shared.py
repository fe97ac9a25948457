# SPDX-License-Identifier: MIT OR Apache-2.0
"""A store that several machines read and write: a folder of files that never change, wherever fsspec reaches.

SQLite must not lie on a network's file system, and an object store cannot change a file at all. So what is new goes
into the folder as one Parquet file every few seconds, under the digest of what is in it. Whoever opens the folder takes
over the files that it has not seen, into the SQLite file beside its tables. A file that is not what its name says is
named in a note and left alone: it belongs to somebody else, and its runs are made again.

A damaged copy must not stop the others who share the folder. The copy of a shared store is always complete,
whatever part of it a sweep needs.
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

#: What is new is in the folder after so many seconds at the latest.
_PUT_S = 10.0
#: Runs of a file at most.
_MOST = 20_000
#: Bytes of a file at most: 20,000 runs of one flow have 10 MB.
_LARGEST = 1_000_000_000
#: Says whose folder it is.
_MARK = "bentpipe-store.json"
#: A file with runs: the digest of its content.
_RUNS = re.compile(r"([0-9a-f]{40})\.parquet")
#: What is being written, or was when its machine stopped: by which machine, which process, and which time.
_PARTIAL = re.compile(rf"({_RUNS.pattern}|{re.escape(_MARK)})\..+\.partial")
#: So old, in seconds, is what nobody writes any more: it takes a minute at most, and no clock is a day off.
_STALE_S = 86_400.0
#: The name of a run.
_KEY = re.compile(r"[0-9a-f]{40}")


def is_shared(store: str | os.PathLike[str]) -> bool:
    """Whether a store is a folder: an address, a name that ends with a slash, or a folder that is there."""
    arguments.path("store", store)
    text = os.fspath(store)
    return "://" in text or text.endswith("/") or Path(text).is_dir()


def open_store(out: Path | None, store: str | os.PathLike[str] | None = None) -> Archive:
    """The archive that is asked for: a file, or a folder with a file in `out`; the file in `out` without it.

    Without both it is in memory.
    """
    beside = None if out is None else out / STORE
    if store is not None and is_shared(store):
        return SharedArchive(os.fspath(store), beside)
    return Archive(arguments.place("store", store) or beside)


class SharedArchive(Archive):
    """An archive that has what stands in a folder, and puts there what is new."""

    def __init__(self, address: str, file: Path | None) -> None:
        needs("fsspec", "cluster", "a store that machines share")
        self._address = address
        with self._reached("open"):
            import fsspec

            try:
                self._files, self._folder = fsspec.core.url_to_fs(address)
            except (ImportError, ValueError) as problem:
                raise ScenarioError(
                    "plugin-failed", f"cannot reach the store {address}: {problem} (pip install what it names)"
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
        """The folder may hold runs."""
        return False

    def add(self, key: str, kept: bytes) -> None:
        """Keep a run, packed; it is in the file half a second later, and in the folder after some more."""
        self._new.append((key, kept))
        super().add(key, kept)

    def keep(self) -> None:
        """Put what was added on the disk and into the folder, if it is time."""
        super().keep()
        if self._new and time.monotonic() - self._put_last >= _PUT_S:
            self._put()

    def commit(self) -> None:
        """Put everything on the disk, and into the folder if it is time."""
        super().commit()
        if time.monotonic() - self._put_last >= _PUT_S:
            self._put()

    def close(self) -> None:
        """The end; what was added is in the folder."""
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
        """Removes what machines left half done that stopped long ago; another may be writing the rest."""
        for name in partial:
            try:
                age = datetime.now(UTC) - self._files.modified(f"{self._folder}/{name}")
                if age.total_seconds() > _STALE_S:
                    self._files.rm_file(f"{self._folder}/{name}")
            except Exception:  # noqa: S112 - another was faster, or may and this one may not: it costs nothing but room
                continue

    def _check(self, names: set[str]) -> None:
        """Refuses what another program or version wrote; says early that nothing can be written."""
        said: object = None
        if _MARK in names:
            try:
                said = shape.parsed(self._content(_MARK), dict[str, object])["form"]
            except (Unfit, KeyError):
                said = "unknown"
        elif names:
            raise ScenarioError(
                "folder-occupied",
                f"cannot use {self._address}: it holds {', '.join(sorted(names)[:5])}, and no store of this program "
                "(choose an empty folder)",
            )
        if said not in (None, FORM):
            raise ScenarioError(
                "folder-occupied",
                f"cannot use {self._address}: it is a store of form {said}, and this version writes form {FORM} "
                "(choose another --store)",
            )
        self._write(_MARK, json.dumps({"form": FORM}).encode())

    def _take(self, names: set[str]) -> None:
        """Takes over the files that were not seen yet."""
        with self._told():
            seen = {name for (name,) in self._base.execute("select name from taken where folder = ?", (self._id,))}
        others = sorted(name for name in names - {_MARK} if not _RUNS.fullmatch(name))
        if others:
            self._leave(f"{', '.join(others[:5])}{', …' if others[5:] else ''} in {self._address}: no file of a store")
        for name in sorted(names - seen - {_MARK, *others}):
            try:
                found = self._read(name)
            except Unfit as problem:
                self._leave(f"{name} in {self._address}: {problem} (its runs are made again; delete it)")
                continue
            with self._told():
                self._base.executemany("insert or ignore into runs values (?, ?)", found)
                self._tell_put([key for key, _ in found])
            self._seen(name)
        super().commit()

    def _leave(self, what: str) -> None:
        self.notes.append(f"not ours, and left alone: {what}")

    def _content(self, name: str) -> bytes:
        """What a file of the folder holds.

        Raises:
            Unfit: If it is no file, or larger than any of a store.
        """
        place = f"{self._folder}/{name}"
        with self._reached("read"):
            about = self._files.info(place)
            if about["type"] != "file":
                raise Unfit("it is a folder, a pipe or a device, not a file")
            if (about["size"] or 0) > _LARGEST:
                raise Unfit(f"it has more than {_LARGEST / 1e6:g} MB: no such file is as large")
            content: bytes = self._files.cat_file(place)
        return content

    def _read(self, name: str) -> list[tuple[str, bytes]]:
        """The runs of a file. What stands under their names is looked at when they are asked for.

        Raises:
            Unfit: If it is not what its name says, or no file with runs.
        """
        import pyarrow as pa

        content = self._content(name)
        if name != _name(content):
            raise Unfit("what is in it is not what its name says: it is damaged, or another's under this name")
        schema = pa.schema([pa.field("key", pa.string(), nullable=False), pa.field("summary", pa.string(), False)])
        found = []
        try:
            for some in reading.batches(content, schema):
                keys, summaries = (some.column(column).to_pylist() for column in ("key", "summary"))
                if not all(map(_KEY.fullmatch, keys)) or not all(map(_is_object, summaries)):
                    raise Unfit("names or summaries are others")
                found += [(key, packed(summary)) for key, summary in zip(keys, summaries, strict=True)]
        except Unfit as problem:
            raise Unfit(f"what is in it are no runs: {problem}") from None
        return found

    def _put(self) -> None:
        """What is new becomes a file of the folder."""
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
        """What the file has and the folder has not: an earlier sweep was without it, or was killed.

        What is damaged stays here.
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
        """A whole file or none: what is half there has another name, on every machine and in every process."""
        who = f"{_machine()}.{os.getpid()}.{secrets.token_hex(8)}"
        partial = f"{self._folder}/{name}.{who}.partial"
        self._files.pipe_file(partial, content)
        self._files.mv(partial, f"{self._folder}/{name}")

    @contextmanager
    def _reached(self, what: str) -> Iterator[None]:
        """Every library behind an address has errors of its own."""
        try:
            yield
        except (BentpipeError, Unfit):
            raise
        except Exception as problem:
            said = str(problem) or type(problem).__name__
            raise RunError("folder-unwritable", f"cannot {what} the store {self._address}: {said}") from None


def _is_object(summary: str) -> bool:
    """Whether a text may be a summary; which one, `store.checked` says."""
    return summary.startswith("{")


def _is_run(key: object, kept: object) -> bool:
    """Whether others take it for a run (`SharedArchive._read`)."""
    try:
        return isinstance(key, str) and _KEY.fullmatch(key) is not None and _is_object(text(kept))
    except Unfit:
        return False


def _name(content: bytes) -> str:
    return f"{hashlib.sha256(content).hexdigest()[:40]}.parquet"


def _machine() -> str:
    return re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname()) or "unnamed"
