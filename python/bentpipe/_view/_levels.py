# SPDX-License-Identifier: MIT OR Apache-2.0
"""Levels of detail: a curve of a million samples is drawn from a thousand buckets, each with its least and its most."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from bentpipe._view._buffers import Buffer

#: Samples of a bucket, level by level.
FACTOR = 4
#: The coarsest level has no more.
COARSEST = 2_000


def counts(samples: int, coarser: int = 0) -> list[int]:
    """Buckets of each level, the finest first; `coarser` levels follow on those that a curve has otherwise."""
    found = [samples]
    while found[-1] > COARSEST:
        found.append(-(-found[-1] // FACTOR))
    for _ in range(coarser):
        found.append(-(-found[-1] // FACTOR))
    return found


def kept(samples: int, dropped: int) -> range:
    """The levels that are left when so many of the finest are dropped; one is always left, if need be a coarser one."""
    usual = len(counts(samples))
    return range(dropped, max(usual, dropped + 1))


class Pyramid:
    """The levels of one curve, made when they are first asked for. NaN stands where nothing is known."""

    def __init__(self, samples: Callable[[], np.ndarray]) -> None:
        self._samples = samples

    @cached_property
    def _levels(self) -> list[tuple[np.ndarray, np.ndarray]]:
        finest = self._samples()
        return [(finest, finest)]

    def at(self, level: int) -> tuple[np.ndarray, np.ndarray]:
        """Least and most of each bucket."""
        while len(self._levels) <= level:
            low, high = self._levels[-1]
            self._levels.append((_buckets(low, np.fmin), _buckets(high, np.fmax)))
        return self._levels[level]


def _buckets(values: np.ndarray, choose: np.ufunc) -> np.ndarray:
    padded = np.full(-(-values.size // FACTOR) * FACTOR, np.nan, values.dtype)
    padded[: values.size] = values
    # fmin and fmax leave out what is not known.
    return np.asarray(choose.reduce(padded.reshape(-1, FACTOR), axis=1))


class Times:
    """The moments of samples that many curves share."""

    def __init__(self, buffer: Buffer, times: np.ndarray) -> None:
        self._buffer, self._times = buffer, times
        self._refs: dict[int, dict[str, Any]] = {}

    @property
    def count(self) -> int:
        """How many."""
        return int(self._times.size)

    def ref(self, level: int) -> dict[str, Any]:
        """Those of the first samples of a level's buckets."""
        if level not in self._refs:
            self._refs[level] = self._buffer.array("f64", self._times[:: FACTOR**level])
        return self._refs[level]


def levels(buffer: Buffer, times: Times, samples: Callable[[], np.ndarray], dropped: int = 0) -> list[dict[str, Any]]:
    """The levels of a curve, laid into a buffer; without so many of the finest."""
    pyramid = Pyramid(samples)
    sizes = counts(times.count, dropped)
    found = []
    for level in kept(times.count, dropped):
        low = buffer.add("f32", sizes[level], lambda level=level: pyramid.at(level)[0])  # type: ignore[misc]
        high = low
        if level:
            high = buffer.add("f32", sizes[level], lambda level=level: pyramid.at(level)[1])  # type: ignore[misc]
        found.append({"count": sizes[level], "time": times.ref(level), "low": low, "high": high})
    return found
