# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make the runs of a chunk on a worker of a cluster, and return their results.

`make` compares the client's `identity` with the identity of the worker before it reads the chunk, because a chunk of
another version can have any format. The result is plain data, which any version can read.
"""

from __future__ import annotations

import pickle
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from bentpipe import _core
from bentpipe.base.errors import ScenarioError
from bentpipe.runs.store import FORM, packed
from bentpipe.scenario.controller import register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bentpipe.base.errors import BentpipeError

#: Version of the protocol between client and worker.
_CHUNKS = 4
#: Target duration in seconds of runs that are started together. Starting a run alone takes as long as a short run.
_BUNDLE_S = 0.1
#: Largest number of runs that are started together. With 500 short runs, each run took twice as long, because the
#: memory of the runs did not fit into the caches.
_MOST = 64


#: The answers of `make`.
Result: TypeAlias = tuple[Literal["made"], bytes, float] | tuple[Literal["differs", "apart"], str, str]


class _GivenUpError(Exception):
    """The client has cancelled the chunk."""


def identity() -> str:
    """Return the versions that client and worker must share, so that runs give the same bytes."""
    return f"{_core.fingerprint()} {FORM}.{_CHUNKS}"


class Row(NamedTuple):
    """The result of a run: a compressed summary, or code and message of an error and whether the run was refused."""

    kept: bytes | None
    code: str | None
    message: str | None
    refused: bool | None


class Chunk(NamedTuple):
    """Runs that a worker makes.

    Attributes:
        runs: For each run, the text, the origin and the seed, and the path of the run folder.
        proof: A file beside the run folders, and its content. A worker that cannot read this file would write
            elsewhere. None if no run has a folder.
        own: Pickled controllers in Python, by name.
        costly: Make a run even if it needs more memory than is free, by the estimate.
        most_s: Time in seconds after which no run is started.
    """

    runs: Sequence[tuple[str, str, int, str | None]]
    proof: tuple[str, str] | None
    own: bytes | None
    costly: bool
    most_s: float


def sealed(chunk: Chunk) -> bytes:
    """Return a pickled chunk. Dask would search an unpickled chunk for futures, which takes longer than sending it."""
    return pickle.dumps(tuple(chunk))


def make(wanted: str, chunk: bytes, files: Mapping[str, bytes | None]) -> Result:
    """Make the runs of a chunk in order.

    Args:
        wanted: The client's `identity`.
        chunk: A `Chunk`, `sealed`.
        files: The content of each file that the texts name; None if the client has no such file, so that no file of the
            worker is used.

    Returns:
        "made", a table with the results of the first runs (all runs, or the runs that the time allowed), and their
        duration; or "differs", the worker's address and version; or "apart", the worker's address and the file that it
        cannot see.
    """
    from distributed import get_worker

    if wanted != identity():
        return "differs", get_worker().address, f"{_core.version()}, fingerprint {identity()}"
    runs, proof, own, costly, most_s = Chunk(*pickle.loads(chunk))  # noqa: S301 - a client that sends tasks can run any code
    if proof is not None and not _sees(*proof):
        return "apart", get_worker().address, proof[0]
    found: list[Row] = []
    look = _look()
    with ExitStack() as stack:
        stack.enter_context(_OWN.of(own))
        copies: dict[str, str] = {}
        if files:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bentpipe-")))
            for number, (name, content) in enumerate(files.items()):
                # Notes contain the name of the file, so the copy keeps it.
                file = folder / str(number) / Path(name).name
                file.parent.mkdir()
                if content is not None:
                    file.write_bytes(content)
                copies[name] = file.as_posix()
        names = {copy: name for name, copy in copies.items()}
        left, count, begin = list(runs), 1, time.monotonic()
        # At least one run is made, even if the machine was suspended for a long time.
        while left and (not found or time.monotonic() - begin < most_s):
            before = time.monotonic()
            jobs = [
                _core.Job(text, origin, seed=seed, out=folder, force=True, costly=costly, copies=copies)
                for text, origin, seed, folder in left[:count]
            ]
            found += (_row(one, names) for one in _core.lean_summaries(jobs, look))
            del left[:count]
            count = max(1, min(_MOST, 2 * count, int(count * _BUNDLE_S / (time.monotonic() - before))))
        took_s = time.monotonic() - begin
    return "made", _table(found), took_s


def _sees(file: str, content: str) -> bool:
    try:
        return Path(file).read_text() == content
    except (OSError, ValueError):
        return False


class _Own:
    """Register the client's controllers in Python. Names belong to the process, and two clients may use one name."""

    def __init__(self) -> None:
        self._now: bytes | None = None
        self._users = 0
        self._changed = threading.Condition()

    @contextmanager
    def of(self, own: bytes | None) -> Iterator[None]:
        """Wait until no task needs the controllers of another client."""
        if own is None:
            yield
            return
        with self._changed:
            self._changed.wait_for(lambda: self._users == 0 or self._now == own)
            if self._now != own:
                for name, cls in pickle.loads(own).items():  # noqa: S301 - a client that sends tasks can run any code
                    register(name)(cls)
                self._now = own
            self._users += 1
        try:
            yield
        finally:
            with self._changed:
                self._users -= 1
                self._changed.notify_all()


_OWN = _Own()


def _row(one: str | BentpipeError, names: Mapping[str, str]) -> Row:
    if isinstance(one, str):
        return Row(packed(one), None, None, None)
    return Row(None, one.code, _put(one.message, names), isinstance(one, ScenarioError))


def _table(rows: Sequence[Row]) -> bytes:
    """Return the results as Arrow. The worker has compressed each summary, so the client only stores it."""
    import pyarrow as pa

    kinds = (pa.binary(), pa.string(), pa.string(), pa.bool_())
    columns = [pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), kinds, strict=True)]
    table = pa.table(columns, names=Row._fields)
    held = pa.BufferOutputStream()
    with pa.ipc.new_stream(held, table.schema) as writer:
        writer.write_table(table)
    return bytes(held.getvalue())


def rows(table: bytes) -> list[Row]:
    """Return the results of runs, read from a table."""
    import pyarrow as pa

    with pa.ipc.open_stream(table) as reader:
        columns = (column.to_pylist() for column in reader.read_all().columns)
        return [Row(*cells) for cells in zip(*columns, strict=True)]


def _put(text: str, words: Mapping[str, str]) -> str:
    for word, other in words.items():
        text = text.replace(word, other)
    return text


def _look() -> Callable[[], None]:
    """Return a function that abandons the run when its task is cancelled. Dask does not stop a running task."""
    from distributed import get_worker
    from distributed.worker import thread_state

    tasks, key = get_worker().state.tasks, thread_state.key

    def look() -> None:
        task = tasks.get(key)
        if task is None or task.state != "executing":
            raise _GivenUpError

    return look
