# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read a kernel's packets in terms of AccECN (RFC 9768), and write the packets in the form that the Rust code reads.

`python tests/oracles/accurate_of_linux.py` writes them to `crates/tcp/tests/traces`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[2]

DATA = ROOT / "data" / "linux"
TRACES = ROOT / "crates" / "tcp" / "tests" / "traces"
#: Cases whose receivers the Rust code follows, and the bytes of a segment: 12 fewer than without the option.
FOLLOWED, MSS = ("accurate-cubic", "accurate-dctcp", "accurate-losses"), 1436
#: Kinds of the option (section 3.2.3), and the order of its three fields.
OPTIONS = {172: ("ect0", "ce", "ect1"), 174: ("ect1", "ce", "ect0")}


def ace(row: dict[str, Any]) -> int:
    """The field ACE: AE, CWR, ECE (section 3.2.2)."""
    return (row["tcp"][12] & 1) << 2 | row["tcp"][13] >> 6


def counters(row: dict[str, Any]) -> dict[str, int] | None:
    """Return the option's fields, by codepoint; None without the option."""
    tcp: bytes = row["tcp"]
    at, end = 20, (tcp[12] >> 4) * 4
    while at < end and tcp[at]:
        if tcp[at] == 1:
            at += 1
            continue
        kind, length = tcp[at], tcp[at + 1]
        if kind in OPTIONS:
            value = tcp[at + 2 : at + length]
            fields = [int.from_bytes(value[i : i + 3], "big") for i in range(0, len(value), 3)]
            return dict(zip(OPTIONS[kind], fields, strict=False))
        at += length
    return None


@dataclass
class Counts:
    """The counts of one end for the packets that it received (section 3.2.1)."""

    packets: int = 5
    bytes: dict[str, int] = field(default_factory=lambda: {"ect1": 1, "ce": 0, "ect0": 1})

    def count(self, row: dict[str, Any]) -> None:
        codepoint = row["ecn_arrived"]
        self.packets += codepoint == "ce"
        if codepoint in self.bytes:
            self.bytes[codepoint] += row["payload"]

    def told(self, fields: int) -> dict[str, int]:
        """Return the first fields of the option."""
        return {name: value % (1 << 24) for name, value in list(self.bytes.items())[:fields]}


def traces() -> dict[str, str]:
    """Return the packets to receivers and their answers, in segments and microseconds, by file.

    `d TIME SEGMENT CODEPOINT` is for arriving data, and `a TIME NEXT ACE [ECEB EE0B]` for an acknowledgement.
    """
    files = {}
    for name in FOLLOWED:
        events: list[tuple[int, str]] = []
        for row in (row for row in pq.read_table(DATA / "accurate.parquet").to_pylist() if row["case"] == name):
            if row["payload"] and row["arrived_ns"] is not None:
                segment = (row["sequence"] - 1) // MSS
                events.append((row["arrived_ns"], f"d {row['arrived_ns'] // 1000} {segment} {row['ecn_arrived']}"))
            elif row["sent_by"] == "receiver" and "SYN" not in row["flags"]:
                told = counters(row)
                shown = f" {told['ce']} {told['ect0']}" if told and "ect0" in told else ""
                next_segment = (row["acknowledged"] - 1) // MSS
                events.append((row["sent_ns"], f"a {row['sent_ns'] // 1000} {next_segment} {ace(row)}{shown}"))
        # The log ends with the departure of a packet. Later arrivals are cut off.
        events.sort(key=lambda event: event[0])
        last = max(place for place, (_, text) in enumerate(events) if text.startswith("a"))
        files[f"linux-{name}.txt"] = "".join(f"{text}\n" for _, text in events[: last + 1])
    return files


if __name__ == "__main__":
    for file, text in traces().items():
        (TRACES / file).write_text(text)
