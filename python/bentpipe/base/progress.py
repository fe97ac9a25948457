# SPDX-License-Identifier: MIT OR Apache-2.0
"""Show the progress of runs that Python code starts, as a line on stderr, in terminals and notebooks."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bentpipe.base import arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Interval between two updates of the line, in seconds.
_EVERY_S = 0.2


@contextmanager
def shown(progress: Callable[[int, int], None] | bool | None, unit: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield the function to call with (done, all): the caller's function, a function that prints, or None."""
    if not isinstance(progress, bool):
        yield arguments.report(progress)
        return
    if not progress:
        yield None
        return
    start = time.monotonic()
    last, now, width = -_EVERY_S, (0, 0), 0

    def write() -> None:
        nonlocal width
        text = f"{now[0]} of {now[1]} {unit}, {time.monotonic() - start:.1f} s"
        sys.stderr.write(f"\r{text.ljust(width)}")
        sys.stderr.flush()
        width = len(text)

    def update(done: int, total: int) -> None:
        nonlocal last, now
        now = done, total
        if time.monotonic() - last >= _EVERY_S:
            last = time.monotonic()
            write()

    try:
        yield update
    finally:
        write()
        sys.stderr.write("\n")


class Tally:
    """Progress over several batches, in requested runs. Runs that existed before count as done.

    Args:
        progress: Called with (done, all); None for no calls.
        least: A lower bound of the number of runs, if it is known.
    """

    def __init__(self, progress: Callable[[int, int], None] | None, least: int = 0) -> None:
        self._progress, self._least, self._all = progress, least, 0

    def batch(self, wanted: int, there: int = 0) -> Callable[[int, int], None]:
        """Return the function to call with (done, all) of the next batch; `there` of its runs exist already."""
        before = self._all + there
        self._all += wanted
        total = max(self._all, self._least)

        def update(done: int, _all: int) -> None:
            if self._progress is not None:
                self._progress(before + done, total)

        return update
