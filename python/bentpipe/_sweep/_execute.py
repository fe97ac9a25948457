# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs made in parallel into an archive: those that are there are not made again, one that fails costs only itself."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._errors import BentpipeError
from bentpipe._sweep._archive import packed
from bentpipe._sweep._base import as_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from bentpipe._sweep._archive import Archive, Point

#: A thread takes as many runs at once as take about so long: what a stop loses.
_BUNDLE_S = 0.1
#: So many at most.
_MOST = 64


@dataclass(frozen=True)
class Wanted:
    """A run that is wanted: a point and a seed.

    Attributes:
        point: The scenario.
        seed: The seed.
        folder: Where its run folder shall be; None for none.
    """

    point: Point
    seed: int
    folder: Path | None = None

    @property
    def key(self) -> str:
        """Its name in the archive."""
        return self.point.key(self.seed)

    def job(self, *, costly: bool) -> _core.Job:
        """The run to make; in a folder it records what the scenario says. A folder that was cut off is made anew."""
        return _core.Job(
            self.point.text if self.folder is None else as_toml(self.point.document),
            self.point.origin,
            seed=self.seed,
            out=None if self.folder is None else str(self.folder),
            force=True,
            costly=costly,
        )


def missing(wanted: Iterable[Wanted], archive: Archive) -> list[Wanted]:
    """Those that have to be made, each once."""
    unique = {(one.key, one.folder): one for one in wanted}
    return [
        one
        for (key, folder), one in unique.items()
        if key not in archive or (folder is not None and not (folder / "summary.json").exists())
    ]


def execute(
    wanted: Sequence[Wanted],
    archive: Archive,
    *,
    threads: int,
    progress: Callable[[int, int], None] | None = None,
    costly: bool = False,
) -> dict[str, BentpipeError]:
    """Make the runs that are not in the archive yet.

    Args:
        wanted: The runs.
        archive: Where summaries go. On Ctrl-C, and on any error, what is finished is in it.
        threads: Runs at a time. What comes out does not depend on it.
        progress: Called with (done, all) of those that are to be made.
        costly: Run even if memory or disk will not do by the estimate.

    Returns:
        The errors of runs that failed or were refused, by their name in the archive.

    Raises:
        KeyboardInterrupt: On Ctrl-C.
        RunError: If the archive cannot be written.
    """
    todo = missing(wanted, archive)
    crew = _Crew(todo, min(threads, len(todo)), costly=costly)
    errors: dict[str, BentpipeError] = {}
    done = 0
    try:
        for key, result in crew.results():
            if isinstance(result, bytes):
                archive.add(key, result)
            else:
                errors[key] = result
            done += 1
            if progress is not None:
                progress(done, len(todo))
    finally:
        crew.stop()
        archive.commit()
    return errors


class _StoppedError(Exception):
    """Runs under way are given up."""


class _Crew:
    """Threads that take runs from a list, a bundle at a time."""

    def __init__(self, todo: Sequence[Wanted], threads: int, *, costly: bool) -> None:
        self._todo, self._costly, self._count = todo, costly, threads
        self._next, self._each_s = 0, _BUNDLE_S
        self._lock, self._given_up = threading.Lock(), threading.Event()
        self._made: queue.SimpleQueue[list[tuple[str, bytes | BentpipeError]] | BaseException] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def results(self) -> Iterable[tuple[str, bytes | BentpipeError]]:
        """The name of each run with its packed summary or its error, as they come."""
        left = len(self._todo)
        while left:
            some = self._made.get()
            if isinstance(some, BaseException):
                raise some
            left -= len(some)
            yield from some

    def stop(self) -> None:
        """Waits for the threads, which give up what is under way."""
        self._given_up.set()
        for thread in self._threads:
            thread.join()

    def _bundle(self) -> Sequence[Wanted]:
        with self._lock:
            left = len(self._todo) - self._next
            fair = 1 + left // (2 * max(1, self._count))
            count = max(1, min(left, fair, _MOST, int(_BUNDLE_S / self._each_s)))
            some = self._todo[self._next : self._next + count]
            self._next += len(some)
            return some

    def _work(self) -> None:
        try:
            while not self._given_up.is_set() and (some := self._bundle()):
                self._make(some)
        except _StoppedError:
            pass
        except BaseException as problem:
            self._made.put(problem)

    def _make(self, some: Sequence[Wanted]) -> None:
        def look(_done: int, _all: int) -> None:
            if self._given_up.is_set():
                raise _StoppedError

        start = time.monotonic()
        jobs = [one.job(costly=self._costly) for one in some]
        results = _core.run_many(jobs, 1, look, keep_refused=True)
        self._made.put(
            [
                (one.key, result if isinstance(result, BentpipeError) else packed(result.summary))
                for one, result in zip(some, results, strict=True)
            ]
        )
        self._each_s = max(1e-4, (time.monotonic() - start) / len(some))
