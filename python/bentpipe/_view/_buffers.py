# SPDX-License-Identifier: MIT OR Apache-2.0
"""Buffers of a scene: what lies where in them is known at once, their bytes are made when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

#: How a scene names the types.
TYPES: dict[str, np.dtype[Any]] = {"f32": np.dtype("<f4"), "f64": np.dtype("<f8"), "u32": np.dtype("<u4")}
#: Every part begins at a multiple of so many bytes.
_ALIGNED = 8


class Buffer:
    """Parts of one buffer, one behind the other."""

    def __init__(self, name: str) -> None:
        self.name, self.size = name, 0
        self._parts: list[tuple[int, np.dtype[Any], int, Callable[[], np.ndarray]]] = []

    def add(self, kind: str, count: int, make: Callable[[], np.ndarray]) -> dict[str, Any]:
        """A part that `make` gives when it is wanted: so many numbers; returns its reference."""
        offset, dtype = self.size, TYPES[kind]
        self._parts.append((offset, dtype, count, make))
        self.size += -(-count * dtype.itemsize // _ALIGNED) * _ALIGNED
        return {"buffer": self.name, "type": kind, "offset": offset, "count": count}

    def array(self, kind: str, values: Any) -> dict[str, Any]:
        """Numbers that are there already; returns their reference."""
        ready = np.ascontiguousarray(values, TYPES[kind])
        return self.add(kind, ready.size, lambda: ready)

    def made(self) -> bytes:
        """The bytes."""
        whole = bytearray(self.size)
        for offset, dtype, count, make in self._parts:
            part = np.ascontiguousarray(make(), dtype).reshape(-1)
            assert part.size == count, (self.name, part.size, count)  # noqa: S101 - or the page reads something else
            whole[offset : offset + part.nbytes] = part.tobytes()
        return bytes(whole)
