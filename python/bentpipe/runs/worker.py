# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a worker of a cluster does: it makes the runs of a chunk and hands back what they gave.

`make` compares the client's `identity` with its own before it looks at anything else: a chunk of another version may
have any form. What it gives back is plain data, which any version can read.
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

#: Version of what client and worker say to each other.
_CHUNKS = 4
#: As many runs are begun together as take about so long: to begin one by itself takes as long as a short run.
_BUNDLE_S = 0.1
#: So many at most: of 500 short ones each took twice as long, as their memory no longer fits the caches.
_MOST = 64


#: What `make` answers.
Result: TypeAlias = tuple[Literal["made"], bytes, float] | tuple[Literal["differs", "apart"], str, str]


class _GivenUpError(Exception):
    """Nobody waits for the chunk any more."""


def identity() -> str:
    """What must be alike on both sides, so that a run gives the same bytes and both mean the same by a `Chunk`."""
    return f"{_core.fingerprint()} {FORM}.{_CHUNKS}"


class Row(NamedTuple):
    """What a run gave: its packed summary; or the code and the message of an error, and whether it was refused."""

    kept: bytes | None
    code: str | None
    message: str | None
    refused: bool | None


class Chunk(NamedTuple):
    """Runs that a worker makes.

    Attributes:
        runs: Text, origin and seed of each, and where its run folder shall be.
        proof: A file beside those folders and what stands in it: who does not see it writes elsewhere. None if no run
            has a folder.
        own: Controllers in Python by their names, pickled.
        costly: Run even if memory will not do by the estimate.
        most_s: No run is begun after so long.
    """

    runs: Sequence[tuple[str, str, int, str | None]]
    proof: tuple[str, str] | None
    own: bytes | None
    costly: bool
    most_s: float


def sealed(chunk: Chunk) -> bytes:
    """A chunk as it is sent: what lies open, Dask searches for futures, which takes longer than to send it."""
    return pickle.dumps(tuple(chunk))


def make(wanted: str, chunk: bytes, files: Mapping[str, bytes | None]) -> Result:
    """Make the runs of a chunk, one after the other.

    Args:
        wanted: The client's `identity`.
        chunk: A `Chunk`, `sealed`.
        files: The content of each file that the texts name; None if the client has no such file: what a worker has in
            its place is another.

    Returns:
        "made", a table of what the first runs gave (all, or as many as there was time for), and how long they took; or
        "differs", this worker's address and its version; or "apart", its address and the file that it does not see.
    """
    from distributed import get_worker

    if wanted != identity():
        return "differs", get_worker().address, f"{_core.version()}, fingerprint {identity()}"
    runs, proof, own, costly, most_s = Chunk(*pickle.loads(chunk))  # noqa: S301 - who may send tasks may do anything here
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
                # Notes name the file: it keeps its name.
                file = folder / str(number) / Path(name).name
                file.parent.mkdir()
                if content is not None:
                    file.write_bytes(content)
                copies[name] = file.as_posix()
        names = {copy: name for name, copy in copies.items()}
        left, count, begin = list(runs), 1, time.monotonic()
        # One at least, however long the machine stood still.
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
    """Controllers in Python that are registered: names are the process's, and clients may mean others by them."""

    def __init__(self) -> None:
        self._now: bytes | None = None
        self._users = 0
        self._changed = threading.Condition()

    @contextmanager
    def of(self, own: bytes | None) -> Iterator[None]:
        """Waits until nobody needs the others."""
        if own is None:
            yield
            return
        with self._changed:
            self._changed.wait_for(lambda: self._users == 0 or self._now == own)
            if self._now != own:
                for name, cls in pickle.loads(own).items():  # noqa: S301 - who may send tasks may do anything here
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
    return Row(None, one.code, _put(one.message, names), one.exit_code == ScenarioError.exit_code)


def _table(rows: Sequence[Row]) -> bytes:
    """As Arrow. Each summary is compressed here already: the client, who has the tables to make, only keeps it."""
    import pyarrow as pa

    kinds = (pa.binary(), pa.string(), pa.string(), pa.bool_())
    columns = [pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), kinds, strict=True)]
    table = pa.table(columns, names=Row._fields)
    held = pa.BufferOutputStream()
    with pa.ipc.new_stream(held, table.schema) as writer:
        writer.write_table(table)
    return bytes(held.getvalue())


def rows(table: bytes) -> list[Row]:
    """What runs gave, taken out of a table."""
    import pyarrow as pa

    with pa.ipc.open_stream(table) as reader:
        columns = (column.to_pylist() for column in reader.read_all().columns)
        return [Row(*cells) for cells in zip(*columns, strict=True)]


def _put(text: str, words: Mapping[str, str]) -> str:
    for word, other in words.items():
        text = text.replace(word, other)
    return text


def _look() -> Callable[[], None]:
    """Gives the run up when its task was cancelled: Dask does not stop one that is under way."""
    from distributed import get_worker
    from distributed.worker import thread_state

    tasks, key = get_worker().state.tasks, thread_state.key

    def look() -> None:
        task = tasks.get(key)
        if task is None or task.state != "executing":
            raise _GivenUpError

    return look
