# SPDX-License-Identifier: MIT OR Apache-2.0
"""Linux's queue disciplines as the books plus what the kernel does otherwise, and a kernel's trace asked again.

`queues_by_the_book.py` follows the papers and RFCs, and the Rust answers as it does. Here each way in which Linux 6.1
differs is one overridden method. A trace of a real kernel (data/linux/disciplines.parquet) has to follow from these,
packet by packet: then nothing else differs. `python tests/queues_of_linux.py` writes the traces to
`vectors/queues/linux`, where the Rust itself is held to them (`crates/link/src/discipline/linux.rs`).
"""

from __future__ import annotations

import math
from collections import deque as Fifo  # noqa: N812
from typing import Any

import pyarrow.parquet as pq

from queues_by_the_book import CE, ECN_NAMES, ECT0, ECT1, RATE, VECTORS, Codel, Drr, FqCodel, Packet, Queue

DATA = VECTORS.parent.parent / "data" / "linux"


class TailDrop(Queue):
    """First come, first served, so many packets or bytes."""

    packets, bytes = math.inf, math.inf

    def __init__(self) -> None:
        super().__init__()
        self.queue: Fifo[Packet] = Fifo()

    def fits(self, packet: Packet) -> bool:
        held = sum(one.size for one in self.queue)
        return len(self.queue) + 1 <= self.packets and held + packet.size <= self.bytes

    def enque(self, packet: Packet) -> bool:
        if not self.fits(packet):
            return False
        self.queue.append(packet)
        return True

    def deque(self) -> Packet | None:
        return self.queue.popleft() if self.queue else None


class Pfifo(TailDrop):
    packets = 20


class Bfifo(TailDrop):
    bytes = 30_000


class HeadDrop(Pfifo):
    """What has waited longest goes for what comes (Yin and Hluchyj 1990)."""

    def enque(self, packet: Packet) -> bool:
        while not self.fits(packet):
            self.dropped.append(self.queue.popleft())
        self.queue.append(packet)
        return True


class Prio(Queue):
    """Cobham 1954: of sender 0 first."""

    def __init__(self) -> None:
        super().__init__()
        self.bands = TailDrop(), TailDrop()

    def enque(self, packet: Packet) -> bool:
        return self.bands[packet.sender > 0].enque(packet)

    def deque(self) -> Packet | None:
        return self.bands[0].deque() or self.bands[1].deque()


class CodelOfLinux(Codel):
    """1 / sqrt(count) is one step of Newton's from the one before, in 16 bits; the clock counts units of 1024 ns."""

    UNIT = 1024e-9

    def __init__(self) -> None:
        super().__init__()
        self.inverse = 0

    def step(self, count: int) -> None:
        x = self.inverse << 16
        square = x * x >> 32
        self.inverse = ((((3 << 32) - count * square) >> 2) * x >> 31) >> 16

    def newly(self, count: int) -> None:
        super().newly(count)
        if count == 1:
            self.inverse = 0xFFFF
        else:
            self.step(count)
        self.stepped = True

    def control_law(self, t: float, count: int) -> float:
        if not self.stepped:
            self.step(count)
        self.stepped = False
        return t + (round(self.INTERVAL / self.UNIT) * (self.inverse << 16) >> 32) * self.UNIT

    stepped = False


class CodelOfLinuxByDefault(CodelOfLinux):
    TARGET, INTERVAL, ecn = 0.005, 0.100, False


class CodelByDefault(Codel):
    TARGET, INTERVAL, ecn = 0.005, 0.100, False


class CodelOfOneFlow(CodelOfLinux):
    """What must wait for a packet to be dropped, an MTU, is counted over all queues (RFC 8289: in its own)."""

    all: FqCodelOfLinux

    def waiting(self) -> int:
        return sum(Codel.waiting(flow) for flow in self.all.flows.values())


class FqCodelOfLinux(FqCodel):
    """CoDel as above; a new queue that has run empty is gone at once if there are no old ones (RFC: it becomes old)."""

    def enque(self, packet: Packet) -> bool:
        if packet.sender not in self.flows:
            self.flows[packet.sender] = flow = CodelOfOneFlow()
            flow.all = self
        return super().enque(packet)

    def ran_empty(self, active: list[int]) -> None:
        if active is self.new and not self.old:
            active.pop(0)
        else:
            super().ran_empty(active)


class DrrOfLinux(Drr):
    """A queue is gone when its last packet is taken (paper: when that one's transmission has ended)."""

    def deque(self) -> Packet | None:
        packet, i = super().deque(), self.current
        if i is not None and not self.queues[i]:
            self.deficit[i], self.current = 0, None
        return packet


#: What the kernel's trace of this name follows from, and what Bentpipe follows.
LINUX: dict[str, type[Queue]] = {
    "pfifo": Pfifo,
    "bfifo": Bfifo,
    "head-drop": HeadDrop,
    "prio": Prio,
    "drr": DrrOfLinux,
    "codel": CodelOfLinux,
    "codel-default": CodelOfLinuxByDefault,
    "fq-codel": FqCodelOfLinux,
}
BOOK: dict[str, type[Queue]] = {"codel": Codel, "codel-default": CodelByDefault, "fq-codel": FqCodel, "drr": Drr}
#: Whose packets are taken out when the bucket looks at them; those of others stay in their place until they leave.
AHEAD = {"codel", "codel-default", "fq-codel", "drr"}


def calls(rows: list[dict[str, Any]]) -> list[tuple[int, str, dict[str, Any]]]:
    """When the kernel was given packets, and when some left, in order."""
    offered = [(row["offered_ns"], "offered", row) for row in rows]
    left = [(row["left_ns"], "left", row) for row in rows if row["left_ns"] is not None]
    return sorted(offered + left, key=lambda call: call[0])


def replay(queue: Queue, rows: list[dict[str, Any]], *, ahead: bool, strict: bool = True) -> dict[int, tuple[int, str]]:
    """What a queue makes of the same calls: of each packet its place in the order of leaving, and its codepoint.

    With `strict` the first packet that leaves otherwise than the kernel's is an error; else time goes on as it did.
    """
    answer: dict[int, tuple[Any, ...]] = {}
    held: Packet | None = None

    def leaves(packet: Packet | None, row: dict[str, Any], at: int) -> None:
        if strict:
            found = packet and (packet.number, ECN_NAMES[packet.ecn])
            assert found == (row["packet"], row["ecn_left"]), (found, row, at)
        if packet:
            answer[packet.number] = len(answer), ECN_NAMES[packet.ecn]

    for at, call, row in calls(rows):
        queue.now = at / 1e9
        if call == "offered":
            taken = queue.enque(Packet(row["packet"], row["size"], row["sender"], ECN_NAMES.index(row["ecn_sent"])))
            if strict:
                assert taken != row["refused"], row
            if ahead and held is None:
                held = queue.deque()
        elif ahead:
            leaves(held, row, at)
            held = queue.deque()
        else:
            leaves(queue.deque(), row, at)
    return answer


def serve(queue: Queue, arrivals: list[tuple[int, Packet]]) -> tuple[int, int, float]:
    """What a link of 12 Mbit/s makes of a traffic: packets dropped, marked, and the mean wait of the others (ms)."""
    came: dict[int, int] = {}
    marks, waits, free, newest = 0, [], 0, 0
    capable = {packet.number for _, packet in arrivals if packet.ecn in {ECT0, ECT1}}

    def until(end: float) -> None:
        nonlocal free, marks
        while (start := max(free, newest)) <= end:
            queue.now = start / 1e9
            packet = queue.deque()
            if packet is None:
                return
            free = start + -(-packet.size * 8 * 1_000_000_000 // RATE)
            waits.append(start - came[packet.number])
            marks += packet.ecn == CE and packet.number in capable

    for at, packet in arrivals:
        until(at)
        queue.now = at / 1e9
        came[packet.number] = newest = at
        queue.enque(packet)
        until(at)
    until(math.inf)
    return len(arrivals) - len(waits), marks, sum(waits) / len(waits) / 1e6


def vectors() -> dict[str, str]:
    """The traces as the Rust reads them, by file: packets by case, and what PIE said of itself."""
    files: dict[str, list[str]] = {}
    for row in pq.read_table(DATA / "disciplines.parquet").to_pylist():
        lines = files.setdefault(f"{row['case']}.csv", ["offered_ns,size,sender,ecn,left_ns,ecn_left"])
        sent = ECN_NAMES.index(row["ecn_sent"])
        left: tuple[Any, Any] = "", ""
        if row["left_ns"] is not None:
            left = row["left_ns"], ECN_NAMES.index(row["ecn_left"])
        lines.append(f"{row['offered_ns']},{row['size']},{row['sender']},{sent},{left[0]},{left[1]}")
    for row in pq.read_table(DATA / "pie.parquet").to_pylist():
        lines = files.setdefault(f"{row['case']}-probability.csv", ["at_ns,probability,delay_us"])
        lines.append(f"{row['at_ns']},{row['probability']:.12g},{row['delay_us']}")
    return {name: "\n".join(lines) + "\n" for name, lines in files.items()}


if __name__ == "__main__":
    for name, text in vectors().items():
        (VECTORS / "linux" / name).write_text(text)
