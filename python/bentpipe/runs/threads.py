# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make runs on the threads of this machine.

Each thread takes bundles of runs of about 0.1 s, and one thread writes. Threads are enough, because Python's lock is
free while a scenario is read, run and written as JSON. The seeds of a point are consecutive, so the text of a scenario
is parsed once for all its runs in a bundle.
"""

from __future__ import annotations

import queue
import threading
import time
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.runs.store import COMMIT_S, packed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bentpipe.runs.execute import Some
    from bentpipe.runs.point import Asked

#: Target duration of a bundle in seconds. A stop loses at most this work.
_BUNDLE_S = 0.1
#: Largest number of runs in a bundle.
_MOST = 64


class _StoppedError(Exception):
    """Raised in a run to abandon it."""


class Crew:
    """Threads that take runs from a list, bundle by bundle."""

    def __init__(self, todo: Sequence[Asked], threads: int, *, costly: bool) -> None:
        self._todo, self._costly, self._count = todo, costly, threads
        self._next, self._each_s = 0, _BUNDLE_S
        self._lock, self._given_up = threading.Lock(), threading.Event()
        self._made: queue.SimpleQueue[Some | BaseException] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def results(self) -> Iterator[Some]:
        """Yield names of runs with their compressed summaries or errors as they arrive; an empty list after a while."""
        left = len(self._todo)
        while left:
            try:
                some = self._made.get(timeout=COMMIT_S)
            except queue.Empty:
                some = []
            if isinstance(some, BaseException):
                raise some
            left -= len(some)
            yield some

    def stop(self) -> None:
        """Let the threads abandon the runs under way, and wait for the threads."""
        self._given_up.set()
        for thread in self._threads:
            thread.join()

    def _bundle(self) -> Sequence[Asked]:
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

    def _make(self, some: Sequence[Asked]) -> None:
        def look() -> None:
            if self._given_up.is_set():
                raise _StoppedError

        start = time.monotonic()
        jobs = [one.job(costly=self._costly) for one in some]
        results = _core.lean_summaries(jobs, look)
        self._made.put(
            [
                (one.key, packed(result) if isinstance(result, str) else result)
                for one, result in zip(some, results, strict=True)
            ]
        )
        self._each_s = max(1e-4, (time.monotonic() - start) / len(some))
