# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the studies have in common: rows stand in modules by subject, and are shown in the order of the paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from bentpipe.study import Row


def in_order(*rooms: ModuleType) -> tuple[Row, ...]:
    """The rows of some modules (``ROWS`` of each) by id: ids count along the paper."""
    return tuple(sorted((row for room in rooms for row in room.ROWS), key=lambda row: row.id))
