# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read columns of tables as arrays. If pandas is installed, Arrow's own conversion loads it, which takes a second."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    import pyarrow as pa


class Kept:
    """A cache of recently used columns of all runs.

    Args:
        most: Size of the cache in bytes. If a column is larger, the cache contains only this column.
    """

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self._held: OrderedDict[Hashable, np.ndarray] = OrderedDict()
        # A server answers requests for several runs at the same time.
        self._lock = threading.Lock()

    def get(self, key: Hashable, read: Callable[[], np.ndarray]) -> np.ndarray:
        """Return a column. It is read if it is not in the cache."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        column = read()
        with self._lock:
            if key not in self._held:
                self._held[key] = column
                self.size += column.nbytes
            while self.size > self.most and len(self._held) > 1:
                self.size -= self._held.popitem(last=False)[1].nbytes
        return column


#: The curves of an hour with 100 flows need 130 MB.
KEPT = Kept(256_000_000)

#: Arrow's names of the types.
_FLOATS = {"float": "float32", "double": "float64"}


def numbers(table: pa.Table, name: str) -> np.ndarray:
    """Return a column of numbers. A missing value is NaN, or -1 for whole numbers."""
    return _joined(table.column(name).chunks)


def _joined(chunks: list[pa.Array]) -> np.ndarray:
    parts = [_values(chunk) for chunk in chunks]
    return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else np.empty(0)


def _values(chunk: pa.Array) -> np.ndarray:
    import pyarrow as pa

    dtype = np.dtype(_FLOATS.get(str(chunk.type), str(chunk.type)))
    held = chunk.buffers()[1]
    values = np.frombuffer(held or b"", dtype)[chunk.offset : chunk.offset + len(chunk)]
    if not chunk.null_count:
        return values
    missing = np.frombuffer(chunk.buffers()[0], np.uint8)
    there = np.unpackbits(missing, bitorder="little")[chunk.offset : chunk.offset + len(chunk)].astype(bool)
    if pa.types.is_floating(chunk.type):
        return np.where(there, values, dtype.type(np.nan))
    return np.where(there, values.astype(np.int64), -1)


def words(table: pa.Table, name: str) -> tuple[list[str], np.ndarray]:
    """Return the distinct words of a column, and for each row the index of its word; -1 for a missing word."""
    import pyarrow as pa

    column = table.column(name)
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    column = column.unify_dictionaries()
    if not column.num_chunks:
        return [], np.empty(0, np.int64)
    codes = _joined([chunk.indices for chunk in column.chunks]).astype(np.int64)
    return [str(word) for word in column.chunk(0).dictionary.to_pylist()], codes
