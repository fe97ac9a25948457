# SPDX-License-Identifier: MIT OR Apache-2.0
"""Threads of this machine that make runs."""

from __future__ import annotations

import queue
import threading
import time
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._errors import BentpipeError
from bentpipe._sweep._archive import lean, packed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bentpipe._sweep._execute import Wanted

#: A thread takes as many runs at once as take about so long: what a stop loses.
_BUNDLE_S = 0.1
#: So many at most.
_MOST = 64


class _StoppedError(Exception):
    """Runs under way are given up."""


class Crew:
    """Threads that take runs from a list, a bundle at a time."""

    def __init__(self, todo: Sequence[Wanted], threads: int, *, costly: bool) -> None:
        self._todo, self._costly, self._count = todo, costly, threads
        self._next, self._each_s = 0, _BUNDLE_S
        self._lock, self._given_up = threading.Lock(), threading.Event()
        self._made: queue.SimpleQueue[list[tuple[str, bytes | BentpipeError]] | BaseException] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def results(self) -> Iterator[tuple[str, bytes | BentpipeError]]:
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
                (one.key, result if isinstance(result, BentpipeError) else packed(lean(result.summary)))
                for one, result in zip(some, results, strict=True)
            ]
        )
        self._each_s = max(1e-4, (time.monotonic() - start) / len(some))
