# SPDX-License-Identifier: MIT OR Apache-2.0
"""Traces of the kernel's queue disciplines follow from the specifications plus the listed differences of Linux."""

from __future__ import annotations

import importlib
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

import needs
from kernels import again
from project import ROOT
from queues_by_the_book import ECN_NAMES, RATE, VECTORS, Codel, traffic
from queues_of_linux import AHEAD, BOOK, LINUX, CodelOfLinux, replay, serve, vectors

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = ROOT / "data" / "linux"
INDEX: dict[str, Any] = tomllib.loads((DATA / "index.toml").read_text())["disciplines"]
CASES: dict[str, dict[str, Any]] = {
    case["name"]: case
    for case in tomllib.loads((ROOT / "data" / "oracles" / "disciplines.toml").read_text())["discipline"]
    if case["kind"] != "dualpi2"  # it is measured with another kernel: test_linux_dualpi2.py
}
RUST_ALONE = {"red", "pie", "fq", "sfq"}
PACKETS: list[dict[str, Any]] = pq.read_table(DATA / "disciplines.parquet").to_pylist()


def of(name: str) -> list[dict[str, Any]]:
    return [row for row in PACKETS if row["case"] == name]


@pytest.fixture
def disciplines(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(ROOT / "tools" / "linux_traces"))
    yield importlib.import_module("disciplines")
    for name in {"disciplines", "machine", "newer", "tables"} - before:
        sys.modules.pop(name, None)


def test_every_discipline_is_there() -> None:
    assert {row["case"] for row in PACKETS} == CASES.keys() == INDEX["instructions_sha256"].keys()
    # The other disciplines have no pseudo-code here. Only the Rust code is compared with their traces.
    assert CASES.keys() - LINUX.keys() == {name for name, case in CASES.items() if case["kind"] in RUST_ALONE}


def test_the_rust_reads_these_traces() -> None:
    assert {file.name: file.read_text() for file in (VECTORS / "linux").glob("*.csv")} == vectors()


@pytest.mark.parametrize("name", CASES)
def test_the_kernel_was_offered_the_traffic_of_the_books(name: str) -> None:
    """Packets are at most 0.11 ms late: queues.c holds a packet back if another one may leave just after it."""
    rows, asked = of(name), traffic(CASES[name]["stretch"])
    assert [(row["packet"], row["size"], row["sender"], row["ecn_sent"], row["due_ns"]) for row in rows] == [
        (packet.number, packet.size, packet.sender, ECN_NAMES[packet.ecn], at) for at, packet in asked
    ]
    assert all(0 <= row["offered_ns"] - row["due_ns"] < 110_000 for row in rows)


@pytest.mark.parametrize("name", sorted(CASES.keys() - {"prio"}))
def test_the_bucket_is_a_link_of_12_mbit_s(name: str) -> None:
    """Tokens for at most 1514 bytes are never overdrawn. A waiting packet leaves within 20 us after it has its tokens.

    The bucket collects tokens for the packet that it looked at. Under `prio` another packet may leave instead. Under
    `pfifo_head_drop` a smaller packet may leave, which then waited for the bytes of the dropped packet.
    """
    tokens, last, rate = 1514.0, 0, RATE / 8e9
    for row in sorted((row for row in of(name) if row["left_ns"] is not None), key=lambda row: row["left_ns"]):
        tokens = min(1514.0, tokens + (row["left_ns"] - last) * rate) - row["size"]
        assert tokens > -20_000 * rate, row
        if row["offered_ns"] < last and name != "head-drop":
            assert tokens < 20_000 * rate, row
        last = row["left_ns"]


@pytest.mark.parametrize("name", LINUX)
def test_a_trace_follows_from_the_books_and_what_linux_does_otherwise(name: str) -> None:
    """Every packet that leaves is the expected packet, with the expected codepoint."""
    rows = of(name)
    leaves = sum(row["left_ns"] is not None for row in rows)
    assert len(replay(LINUX[name](), rows, ahead=name in AHEAD)) == leaves > 500


@pytest.mark.parametrize("name", BOOK)
def test_a_trace_does_not_follow_from_the_books_alone(name: str) -> None:
    """If it did, the test above would not show the differences."""
    with pytest.raises(AssertionError):
        replay(BOOK[name](), of(name), ahead=name in AHEAD)


def test_linux_drops_the_second_packet_too_early() -> None:
    """One step of Newton's method from 1 gives 1/2 for 1/sqrt(2), then 9/16 for 0.577, then 0.488 for 0.5."""
    for law, gaps in ((CodelOfLinux, [100.0, 50.0, 56.25, 48.8]), (Codel, [100.0, 70.7, 57.7, 50.0])):
        queue = law()
        queue.INTERVAL = 0.100
        queue.newly(1)
        found = [1000 * queue.control_law(0.0, 1)]
        found += [1000 * queue.control_law(0.0, count) for count in (2, 3, 4)]
        assert found == pytest.approx(gaps, abs=0.06), law


@pytest.mark.parametrize(
    ("name", "book", "linux"),
    [
        ("codel", (33, 122, 27.9), (39, 115, 26.7)),
        ("codel-default", (103, 0, 109.4), (106, 0, 110.1)),
        ("fq-codel", (53, 156, 22.6), (65, 165, 20.7)),
        ("drr", (0, 0, 32.76), (0, 0, 32.75)),
    ],
)
def test_how_far_apart_the_books_and_linux_are(
    name: str, book: tuple[int, int, float], linux: tuple[int, int, float]
) -> None:
    """The numbers of docs/guide/queues-beside-linux.md: drops, marks, and mean delay in ms, over the same link."""
    for law, expected in ((BOOK, book), (LINUX, linux)):
        drops, marks, wait_ms = serve(law[name](), traffic(CASES[name]["stretch"]))
        assert (drops, marks, round(wait_ms, len(str(expected[2]).partition(".")[2]))) == expected


def test_the_kernel_does_it_again(disciplines: Any, tmp_path: Path) -> None:
    machine = disciplines.machine
    needs.require("gcc", "qemu", "kernel")
    disciplines.run(CASES["fq-codel"], log := tmp_path / "log")
    rows = disciplines.read(log, CASES["fq-codel"])
    made = [dict(zip(disciplines.PACKETS.names, row, strict=True)) for row in rows]
    initrd = machine.build(machine.QUEUES).initrd.read_bytes()
    again(made, of("fq-codel"), same_guest=machine.digest(initrd) == INDEX["initrd_sha256"])
