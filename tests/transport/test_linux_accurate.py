# SPDX-License-Identifier: MIT OR Apache-2.0
"""AccECN (RFC 9768) in a real kernel (Linux 7.2), and in the Rust receiver for the same packets."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import needs
from accurate_of_linux import DATA, TRACES, Counts, ace, counters, traces
from kernels import again

INDEX: dict[str, Any] = tomllib.loads((DATA / "index.toml").read_text())["newer"]["accurate"]
CASES: dict[str, dict[str, Any]] = {
    case["name"]: case for case in tomllib.loads((DATA.parent / "oracles" / "accurate.toml").read_text())["case"]
}
PACKETS: list[dict[str, Any]] = pq.read_table(DATA / "accurate.parquet").to_pylist()
ACCURATE = [name for name, case in CASES.items() if case["tcp_ecn"] == [3, 3]]


def of(name: str) -> list[dict[str, Any]]:
    return [row for row in PACKETS if row["case"] == name]


def test_every_case_is_there() -> None:
    assert {row["case"] for row in PACKETS} == CASES.keys() == INDEX["words"].keys()


def test_the_rust_reads_these_traces() -> None:
    assert {file.name: file.read_text() for file in TRACES.glob("linux-accurate-*.txt")} == traces()


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        # RFC 9768, table 2: the SYN has 111. The codepoint that arrived decides the answer, and the answer to it.
        ("accurate-cubic", (0b111, 0b010, 0b010)),
        ("accurate-losses", (0b111, 0b010, 0b010)),
        # SYN and SYN-ACK of DCTCP have ECT(0).
        ("accurate-dctcp", (0b111, 0b100, 0b100)),
        ("accurate-all-marked", (0b111, 0b110, 0b100)),
        # A host with only RFC 3168 answers 111 with ECE. A host that asks with CWR and ECE gets the same answer.
        ("accurate-asks-classic", (0b111, 0b001, 0b000)),
        ("classic-asks-accurate", (0b011, 0b001, 0b000)),
    ],
)
def test_the_handshake_is_that_of_table_2(name: str, fields: tuple[int, int, int]) -> None:
    assert tuple(ace(row) for row in of(name)[:3]) == fields


@pytest.mark.parametrize("name", ACCURATE)
def test_every_field_and_option_says_what_has_come(name: str) -> None:
    """RFC 9768, section 3.2.1: counters start at 5 packets, and at 0, 1 and 1 bytes, in both directions.

    The field contains the last three bits of the count of marked packets, with or without data. The option (of order 1)
    contains the bytes of data by codepoint. The three packets of the handshake have other fields, and SYN and SYN-ACK
    do not count.
    """
    packets = of(name)
    ends = {"sender": Counts(), "receiver": Counts()}
    arrivals = sorted(
        (row for row in packets if row["arrived_ns"] is not None and "SYN" not in row["flags"]),
        key=lambda row: row["arrived_ns"],
    )
    options = 0
    for row in packets[3:]:
        end = ends[row["sent_by"]]
        while arrivals and arrivals[0]["arrived_ns"] < row["sent_ns"]:
            came = arrivals.pop(0)
            ends["receiver" if came["sent_by"] == "sender" else "sender"].count(came)
        assert ace(row) == end.packets % 8, row
        if (told := counters(row)) is not None:
            assert told == end.told(len(told)), row
            options += 1
    assert len(packets) > 80
    assert options > 0.9 * len(packets)


@pytest.mark.parametrize("name", [name for name in CASES if name not in ACCURATE])
def test_nobody_counts_who_has_not_agreed_on_it(name: str) -> None:
    """Without agreement on AccECN: ECE from a mark until CWR (RFC 3168), and no option after the SYN."""
    packets = of(name)
    assert all(counters(row) is None for row in packets)
    assert not any(row["tcp"][12] & 1 for row in packets[1:])
    assert any("ECE" in row["flags"] for row in packets[3:])


def test_the_kernel_does_it_again(newer: Any, tmp_path: Path) -> None:
    machine, openings = newer.machine, importlib.import_module("openings")
    needs.require("gcc", "qemu", "newer-kernel")
    case, log = CASES["accurate-asks-classic"], tmp_path / "log"
    newer.build(machine.ACCURATE).run(case, case["controller"], log)
    rows = [dict(zip(openings.ACCURATE.names, row, strict=True)) for row in openings.read(log, case)]
    again(rows, of(case["name"]), same_guest=newer.identity(machine.ACCURATE) == INDEX["made_by"])
