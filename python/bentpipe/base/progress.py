# SPDX-License-Identifier: MIT OR Apache-2.0
"""How far a batch is, for those who wait for it in Python: a line on stderr, in terminals and notebooks alike."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bentpipe.base import arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: The line is written anew so often, in seconds.
_EVERY_S = 0.2


@contextmanager
def shown(progress: Callable[[int, int], None] | bool | None, unit: str) -> Iterator[Callable[[int, int], None] | None]:
    """What to call with (done, all): the caller's own function, a line on stderr for True, or nothing."""
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
    """Progress over several batches, in runs that were wanted so far: those that were there already are done.

    Args:
        progress: Called with (done, all); None for nobody.
        least: How many there will be at least, if that is known.
    """

    def __init__(self, progress: Callable[[int, int], None] | None, least: int = 0) -> None:
        self._progress, self._least, self._all = progress, least, 0

    def batch(self, wanted: int, there: int = 0) -> Callable[[int, int], None]:
        """What to call with (done, all) of the next batch, of which some are there already."""
        before = self._all + there
        self._all += wanted
        total = max(self._all, self._least)

        def update(done: int, _all: int) -> None:
            if self._progress is not None:
                self._progress(before + done, total)

        return update
