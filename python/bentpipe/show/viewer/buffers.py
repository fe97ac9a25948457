# SPDX-License-Identifier: MIT OR Apache-2.0
"""Buffers of a scene. Their layout is known at once, and their bytes are made on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from bentpipe.show.viewer.format import Ref

#: Names of the types in a scene.
TYPES: dict[str, np.dtype[np.generic]] = {"f32": np.dtype("<f4"), "f64": np.dtype("<f8"), "u32": np.dtype("<u4")}
#: Every part begins at a multiple of this number of bytes.
_ALIGNED = 8


class Buffer:
    """A buffer of consecutive parts. The buffer does not keep the bytes of its parts."""

    def __init__(self, name: str) -> None:
        self.name, self.size = name, 0
        self._groups: list[tuple[list[tuple[int, np.dtype[np.generic], int]], Callable[[], Sequence[np.ndarray]]]] = []

    def group(self, parts: Sequence[tuple[str, int]], make: Callable[[], Sequence[np.ndarray]]) -> list[Ref]:
        """Add parts (type, count) that `make` returns together on request, and return their references."""
        laid: list[tuple[int, np.dtype[np.generic], int]] = []
        refs: list[Ref] = []
        for kind, count in parts:
            dtype = TYPES[kind]
            laid.append((self.size, dtype, count))
            refs.append({"buffer": self.name, "type": kind, "offset": self.size, "count": count})
            self.size += -(-count * dtype.itemsize // _ALIGNED) * _ALIGNED
        self._groups.append((laid, make))
        return refs

    def add(self, kind: str, count: int, make: Callable[[], np.ndarray]) -> Ref:
        """Add one part, and return its reference."""
        return self.group([(kind, count)], lambda: [make()])[0]

    def array(self, kind: str, values: npt.ArrayLike) -> Ref:
        """Add existing numbers, and return their reference."""
        ready = np.ascontiguousarray(values, TYPES[kind])
        return self.add(kind, ready.size, lambda: ready)

    def made(self) -> bytes:
        """Make and return the bytes of all parts."""
        whole = bytearray(self.size)
        for laid, make in self._groups:
            for (offset, dtype, count), values in zip(laid, make(), strict=True):
                part = np.ascontiguousarray(values, dtype).reshape(-1)
                assert part.size == count, (self.name, part.size, count)  # noqa: S101 - otherwise the page reads other numbers
                whole[offset : offset + part.nbytes] = part.tobytes()
        return bytes(whole)
