# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compare a stored trace of a real kernel with a new run of the same case."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]

#: A guest from another compiler executes other numbers of instructions, and an instruction takes a nanosecond. Times
#: then differ by up to 0.6 ms (with -O1 and -Os). Times that the kernel rounds to ticks differ by a tick, 4 ms. A
#: packet that leaves in this time may or may not be counted in the queue.
WITHIN = {"_ns": 1_000_000, "_us": 4_000, "_packets": 1}
#: The TCP header contains timestamps and a checksum, so it is not compared. Its flags and numbers are separate columns.
HEADER = "tcp"


def again(made: list[Row], stored: list[Row], *, same_guest: bool) -> None:
    """Assert that a kernel repeats a stored trace.

    With the same guest program, every row is equal. With another guest program, every packet, size, mark, flag and fate
    is equal, and times differ by at most `WITHIN`.
    """
    if same_guest:
        assert made == stored
        return
    assert len(made) == len(stored)
    for row, was in zip(made, stored, strict=True):
        assert row.keys() == was.keys()
        for name in row.keys() - {HEADER}:
            within = next((limit for end, limit in WITHIN.items() if name.endswith(end)), 0)
            if within and row[name] is not None and was[name] is not None:
                assert abs(row[name] - was[name]) <= within, (name, row, was)
            else:
                assert row[name] == was[name], (name, row, was)
