# SPDX-License-Identifier: MIT OR Apache-2.0
"""Levels of detail: a curve of a million samples is drawn from a thousand buckets with minimum and maximum."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from bentpipe.show.viewer.buffers import Buffer
    from bentpipe.show.viewer.format import Level, Ref

#: Number of buckets (on the finest level, samples) that form one bucket of the next level.
FACTOR = 4
#: Largest number of buckets on the coarsest level.
COARSEST = 2_000


def counts(samples: int, coarser: int = 0) -> list[int]:
    """Return the number of buckets of each level, the finest level first. `coarser` levels follow the usual ones."""
    found = [samples]
    while found[-1] > COARSEST:
        found.append(-(-found[-1] // FACTOR))
    for _ in range(coarser):
        found.append(-(-found[-1] // FACTOR))
    return found


def kept(samples: int, dropped: int) -> range:
    """Return the numbers of the levels without the `dropped` finest levels.

    At least one level remains. If all usual levels are dropped, this level is coarser.
    """
    usual = len(counts(samples))
    return range(dropped, max(usual, dropped + 1))


def _made(samples: np.ndarray, wanted: range) -> list[np.ndarray]:
    """Return the numbers of the levels: the samples, then minimum and maximum of each bucket of the other levels."""
    low = high = samples
    found = []
    for level in range(wanted.stop):
        if level:
            low, high = _buckets(low, np.fmin), _buckets(high, np.fmax)
        if level in wanted:
            found += [low, high] if level else [low]
    return found


def _buckets(values: np.ndarray, choose: np.ufunc) -> np.ndarray:
    padded = np.full(-(-values.size // FACTOR) * FACTOR, np.nan, values.dtype)
    padded[: values.size] = values
    # fmin and fmax ignore missing values (NaN).
    return np.asarray(choose.reduce(padded.reshape(-1, FACTOR), axis=1))


class Times:
    """The times of samples. Many curves share them, and they are read at the first request."""

    def __init__(self, buffer: Buffer, count: int, times: Callable[[], np.ndarray]) -> None:
        self._buffer, self.count, self._times = buffer, count, times
        self._refs: dict[int, Ref] = {}

    def ref(self, level: int, size: int) -> Ref:
        """Return the times of the first samples in a level's buckets."""
        if level not in self._refs:
            self._refs[level] = self._buffer.add("f64", size, lambda: self._times()[:: FACTOR**level])
        return self._refs[level]


def levels(buffer: Buffer, times: Times, samples: Callable[[], np.ndarray], dropped: int = 0) -> list[Level]:
    """Add the levels of a curve to a buffer, without `dropped` of the finest levels. A missing value is NaN."""
    sizes, wanted = counts(times.count, dropped), kept(times.count, dropped)
    parts = [("f32", sizes[level]) for level in wanted for _ in range(2 if level else 1)]
    refs = iter(buffer.group(parts, lambda: _made(samples(), wanted)))
    found: list[Level] = []
    for level in wanted:
        low = next(refs)
        high = next(refs) if level else low
        found.append({"count": sizes[level], "time": times.ref(level, sizes[level]), "low": low, "high": high})
    return found
