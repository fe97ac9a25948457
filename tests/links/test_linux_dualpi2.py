# SPDX-License-Identifier: MIT OR Apache-2.0
"""DualPI2 of a real kernel (Linux 7.2): its traces follow from RFC 9332 and what Linux does otherwise."""

from __future__ import annotations

import bisect
import importlib
import math
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import needs
from kernels import again
from queues_by_the_book import ECN_NAMES, DualPi2, Packet, traffic
from queues_of_linux import DATA, DualPi2OfLinux, calls, replay, serve, serve_through_bucket, updates

INDEX: dict[str, Any] = tomllib.loads((DATA / "index.toml").read_text())["newer"]
CASES: dict[str, dict[str, Any]] = {
    case["name"]: case
    for case in tomllib.loads((DATA.parent / "oracles" / "disciplines.toml").read_text())["discipline"]
    if case["kind"] == "dualpi2"
}
PACKETS: list[dict[str, Any]] = pq.read_table(DATA / "dualpi2.parquet").to_pylist()
STATES: list[dict[str, Any]] = pq.read_table(DATA / "dualpi2-states.parquet").to_pylist()
#: Of two calls that are so near (ns) nobody knows which the kernel had first.
NEAR = 80_000
#: Cases in which p moves.
MOVING = [name for name, case in CASES.items() if case["set"].get("target") != 4_000_000]


def of(table: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [row for row in table if row["case"] == name]


def first_tick(name: str) -> int:
    """When the kernel's timer was first due: each time that p changed, while the load is low, it was due in between."""
    every = CASES[name]["set"].get("tupdate", 16_000) * 1000 + DualPi2OfLinux.SLIP
    changes = [(before, at) for before, at, _ in updates(of(STATES, name)) if at < 800_000_000]
    if not changes:
        return 0
    phases = [(before % every, (at - before)) for before, at in changes]
    first = phases[0][0]
    least = max((before - first + every // 2) % every - every // 2 for before, _ in phases)
    most = min((before - first + every // 2) % every - every // 2 + room for before, room in phases)
    return (first + (least + most) // 2) % every


@dataclass
class Followed:
    """A law that has gone through a whole trace, and what it and the kernel said at each look."""

    law: DualPi2OfLinux
    #: How much later (ns) than by the law the kernel updated p, from p itself.
    slips: list[float] = field(default_factory=list)
    #: Where no call is near: credit, packets that came to either queue, marks of the step; the waits of both (us).
    said: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    delays: list[tuple[float, float]] = field(default_factory=list)


def follow(name: str, kind: type[DualPi2OfLinux] = DualPi2OfLinux) -> Followed:
    """Every packet that leaves is the one that it should be, with the codepoint that it should have."""
    rows, states = of(PACKETS, name), of(STATES, name)
    fate = {row["packet"]: row["ecn_left"] for row in rows}
    law = kind(CASES[name]["set"], fate, first_tick(name))
    found = Followed(law)
    times = [-math.inf, *(at for at, _, _ in calls(rows)), math.inf]

    def look(state: dict[str, Any]) -> Callable[[], None]:
        def compare() -> None:
            law.catch_up()
            late = law.hear(round(state["probability"] * law.ONE))
            if late is not None:
                found.slips.append(late)
            next_call = bisect.bisect(times, state["at_ns"])
            if min(state["at_ns"] - times[next_call - 1], times[next_call] - state["at_ns"]) < NEAR:
                return
            kernel = tuple(state[key] for key in ("credit", "packets_c", "packets_l", "step_marks"))
            found.said.append(((law.credit, *law.came, law.step_marks), kernel))
            found.delays += [
                (law.time(law.cq) * 1e6, state["delay_c_us"]),
                (law.time(law.lq) * 1e6, state["delay_l_us"]),
            ]

        return compare

    looks = [(state["at_ns"], look(state)) for state in states]
    leaves = sum(row["left_ns"] is not None for row in rows)
    assert len(replay(law, rows, ahead=True, looks=looks)) == leaves > 500
    return found


followed = cache(follow)


def test_every_case_is_there() -> None:
    there = {row["case"] for row in PACKETS}
    assert there == {row["case"] for row in STATES} == CASES.keys() == INDEX["instructions_sha256"].keys()


@pytest.mark.parametrize("name", CASES)
def test_the_kernel_was_offered_the_traffic_of_the_books(name: str) -> None:
    """At most 0.9 ms late, and that in their phases of high load only (queues.c)."""
    rows, asked = of(PACKETS, name), traffic(CASES[name]["stretch"], CASES[name].get("ecn"))
    assert [(row["packet"], row["size"], row["sender"], row["ecn_sent"], row["due_ns"]) for row in rows] == [
        (packet.number, packet.size, packet.sender, ECN_NAMES[packet.ecn], at) for at, packet in asked
    ]
    late = sorted(row["offered_ns"] - row["due_ns"] for row in rows)
    assert 0 <= late[0] <= late[len(late) * 98 // 100] < 110_000
    assert late[-1] < 900_000


@pytest.mark.parametrize("name", CASES)
def test_a_trace_follows_from_the_rfc_and_what_linux_does_otherwise(name: str) -> None:
    """Packets, credit and marks of the step to the unit, waits to 40 us.

    Where a packet has waited for the step to 40 us (`law.unsure`), nobody knows whether that or chance has marked it.
    """
    found = followed(name)
    assert len(found.said) > 1000
    for (*ours, ours_marks), (*kernel, marks) in found.said:
        assert ours == kernel
        assert abs(ours_marks - marks) <= found.law.unsure <= 14
    assert all(abs(ours - kernel) < 40 for ours, kernel in found.delays)


@pytest.mark.parametrize("name", MOVING)
def test_the_base_probability_follows_to_the_microsecond(name: str) -> None:
    """Each p follows from the one before, the waits, and Linux's gains, for an update within 20 us of when it is due.

    Not in 5 % of them at most: where another packet left just then, and under two and three times the load, where
    several are dropped in one and a departure is read up to 0.9 ms late.
    """
    slips = followed(name).slips
    assert len(slips) > 180
    assert sum(abs(slip) < 20_000 for slip in slips) >= 0.95 * len(slips)


@pytest.mark.parametrize(
    ("name", "queue", "draws"),
    [
        ("dualpi2", "lq", 260),
        ("dualpi2", "overloaded lq", 700),
        ("dualpi2", "cq", 1100),
        ("dualpi2-quick", "lq", 170),
        ("dualpi2-quick", "overloaded lq", 800),
        ("dualpi2-quick", "cq", 1000),
        ("dualpi2-classic", "cq", 2300),
        ("dualpi2-l4s", "overloaded lq", 1700),
    ],
)
def test_chance_hits_as_often_as_it_should(name: str, queue: str, draws: int) -> None:
    """RFC 9332, equation 1 and figure 7: p squared for a classic packet, k p for L4S, p squared in overload.

    Within four standard deviations of the sum of all likelihoods; and not by the sum of figure 4 (`recur`).
    """
    law = followed(name).law
    drawn = [(likelihood, hit) for which, likelihood, hit in law.draws if which == queue]
    expected = sum(likelihood for likelihood, _ in drawn)
    deviation = sum(likelihood * (1 - likelihood) for likelihood, _ in drawn) ** 0.5
    assert len(drawn) > draws
    assert abs(sum(hit for _, hit in drawn) - expected) < 4 * deviation < 0.2 * expected
    book = DualPi2()
    assert [book.recur("cq", likelihood) for likelihood, _ in drawn] != [hit for _, hit in drawn]


class ChargesTheDropped(DualPi2OfLinux):
    """The book's: a packet that is dropped changes the credit, too."""

    def scheduler(self) -> str:
        queue = super().scheduler()
        self.credit += self.change
        self.change = 0
        return queue


class StepForMoreThanOne(DualPi2OfLinux):
    """The book's Th_len: L4S that leaves one packet behind, or none, is not marked for its own wait."""

    def signal_l(self, packet: Packet) -> bool:
        if len(self.lq) <= DualPi2.Th_len:
            self.steps.discard(packet.number)
        return super().signal_l(packet)


class MarksInOverload(DualPi2OfLinux):
    """ECN stays on."""

    def overloaded(self, packet: Packet) -> bool:
        return False


class WithoutTheOneInTheBucket(DualPi2OfLinux):
    """What the bucket holds does not count."""

    def enque(self, packet: Packet) -> bool:
        self.held = False
        return super().enque(packet)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("dualpi2-quick", ChargesTheDropped),
        ("dualpi2-turns", StepForMoreThanOne),
        ("dualpi2-classic", MarksInOverload),
        ("dualpi2-l4s", MarksInOverload),
        ("dualpi2-limit", WithoutTheOneInTheBucket),
    ],
)
def test_a_trace_does_not_follow_without_a_difference(name: str, kind: type[DualPi2OfLinux]) -> None:
    """Else the tests above would show nothing of it."""
    with pytest.raises(AssertionError):
        follow(name, kind)


class Floor(DualPi2):
    """Nothing is dropped or marked by p with less than two MTU behind it: RFC 9332, appendix A.1, tells so of Linux."""

    is_low = DualPi2OfLinux.is_low

    def signal_l(self, packet: Packet) -> bool:
        if self.is_low():
            own = self.laqm(self.now - packet.timestamp) if len(self.lq) > self.Th_len else 0.0
            if self.recur("lq", own):
                packet.mark()
            return True
        return super().signal_l(packet)

    def signal_c(self, packet: Packet) -> bool:
        return self.is_low() or super().signal_c(packet)


@pytest.mark.parametrize(
    ("name", "book", "floor", "below", "linux"),
    [
        ("dualpi2", 697, 673, (704, 879, 664), 675),
        ("dualpi2-quick", 830, 764, (829, 856, 756), 774),
        ("dualpi2-classic", 811, 751, (827, 103, 742), 731),
        ("dualpi2-l4s", 809, 743, (812, 1713, 741), 740),
    ],
)
def test_the_floor_of_two_mtu_is_what_counts(
    name: str, book: int, floor: int, below: tuple[int, int, int], linux: int
) -> None:
    """Packets dropped of 2804; with a floor, as many as Linux drops to 3 %.

    `book` and `floor` over a plain link. `below` the kernel's bucket, of its own arrivals: dropped and marked without a
    floor, dropped with one. docs/guide/dualpi2-beside-linux.md and crates/link/src/discipline/dual_pi2/linux.rs have
    these numbers.
    """

    class Book(DualPi2):
        min_th, range_, wc = 0.001, 0.0, 0.1

    class Default(Book):
        target, RTT_max = 0.015, 0.100
        Tupdate = period = 0.015
        alpha, beta = 0.1 * 0.015 / 0.1**2, 0.3 / 0.1

    kind = Default if name == "dualpi2" else Book

    class Floored(Floor, kind):  # type: ignore[misc, valid-type]
        pass

    arrivals = [traffic(CASES[name]["stretch"], CASES[name].get("ecn")) for _ in range(2)]
    assert [serve(one(), sent)[0] for one, sent in zip((kind, Floored), arrivals, strict=True)] == [book, floor]
    rows = of(PACKETS, name)
    assert (*serve_through_bucket(kind(), rows), serve_through_bucket(Floored(), rows)[0]) == below
    assert sum(row["left_ns"] is None for row in rows) == linux
    for without, with_floor in ((book, floor), (below[0], below[2])):
        assert abs(with_floor / linux - 1) < 0.03 < abs(without / linux - 1)


def test_the_kernel_does_it_again(newer: Any, tmp_path: Path) -> None:
    machine, disciplines = newer.machine, importlib.import_module("disciplines")
    needs.require("gcc", "qemu", "module-build", "newer-kernel")
    disciplines.run(CASES["dualpi2-turns"], log := tmp_path / "log")
    rows = disciplines.read(log, CASES["dualpi2-turns"])
    made = [dict(zip(disciplines.PACKETS.names, row, strict=True)) for row in rows]
    is_now = newer.identity(machine.QUEUES), machine.digest(newer.MODULE.read_bytes())
    again(made, of(PACKETS, "dualpi2-turns"), same_guest=is_now == (INDEX["made_by"], INDEX["module_sha256"]))


def test_the_driver_takes_no_other_kernel(newer: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And says what is not there."""
    monkeypatch.setattr(newer, "FOLDER", tmp_path)
    for name in newer.PACKAGES:
        (tmp_path / f"{name}_1_amd64.deb").write_bytes(b"another")
    with pytest.raises(newer.TraceError, match=r"linux-binary-.* has sha256 .*; the traces need aa67"):
        newer.packages()
    monkeypatch.setattr(newer.machine.shutil, "which", lambda command: None if command == "make" else command)
    newer.build.cache_clear()
    with pytest.raises(newer.TraceError, match=r"not installed: make\nfix: apt-get install make"):
        newer.build(newer.machine.QUEUES)
