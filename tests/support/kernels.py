# SPDX-License-Identifier: MIT OR Apache-2.0
"""A stored trace of a real kernel beside the same case run again."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]

#: Another compiler's guest executes other numbers of instructions, and an instruction is a nanosecond: times differ by
#: up to 0.6 ms with -O1 and -Os. What the kernel rounds to ticks differs by a tick, 4 ms. A packet that leaves
#: meanwhile is counted in the queue or not.
WITHIN = {"_ns": 1_000_000, "_us": 4_000, "_packets": 1}
#: A whole TCP header has timestamps and a checksum; its flags and numbers are columns too.
HEADER = "tcp"


def again(made: list[Row], stored: list[Row], *, same_guest: bool) -> None:
    """Asserts that a kernel has done again what is stored.

    With the same guest program every row is equal. With another one every packet, size, mark, flag and fate is, and
    times differ by no more than `WITHIN`.
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
