# SPDX-License-Identifier: MIT OR Apache-2.0
"""Linux's queue disciplines: the published algorithms plus the kernel's differences, compared with kernel traces.

`queues_by_the_book.py` follows the papers and RFCs, and the Rust code gives the same answers. In this file, one
overridden method implements each difference of Linux 6.1 (for DualPI2: 7.2). A trace of a real kernel
(data/linux/disciplines.parquet, dualpi2.parquet) must follow from these classes, packet by packet. This shows that
there is no other difference. `python tests/oracles/queues_of_linux.py` writes the traces to `vectors/queues/linux`,
with which the Rust code itself is compared (`crates/link/src/discipline/linux.rs`).
"""

from __future__ import annotations

import itertools
import math
from collections import deque as Fifo  # noqa: N812
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow.parquet as pq

from queues_by_the_book import (
    CE,
    ECN_NAMES,
    ECT0,
    ECT1,
    NOT_ECT,
    RATE,
    VECTORS,
    Codel,
    Drr,
    DualPi2,
    FqCodel,
    Packet,
    Queue,
)

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = VECTORS.parent.parent / "data" / "linux"


class TailDrop(Queue):
    """First in, first out, with a limit in packets or bytes."""

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
    """If the queue is full, the oldest packet is dropped for the new one (Yin and Hluchyj 1990)."""

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
    """1 / sqrt(count) is one step of Newton's method from the last value, in 16 bits. The clock counts 1024 ns."""

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
    """Packets are dropped only if more than an MTU waits: in all queues (Linux), or in the flow's queue (RFC 8289)."""

    all: FqCodelOfLinux

    def waiting(self) -> int:
        return sum(Codel.waiting(flow) for flow in self.all.flows.values())


class FqCodelOfLinux(FqCodel):
    """CoDel as above. An empty new queue is removed at once if there is no old queue (RFC: it becomes an old queue)."""

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
    """A queue is removed when its last packet is taken (paper: when the transmission of this packet has ended)."""

    def deque(self) -> Packet | None:
        packet, i = super().deque(), self.current
        if i is not None and not self.queues[i]:
            self.deficit[i], self.current = 0, None
        return packet


class DualPi2OfLinux(DualPi2):
    """Linux 7.2. The random outcome for each packet comes from the trace, and everything else must follow.

    Linux uses p only if two MTU wait behind a packet. It draws at random, twice for p squared. L4S has a step for its
    own delay, which must exceed the step, or for its length, even if no other packet waits. A dropped packet does not
    change the credit. Credit and probability are integers. An update is due one period after the last update was made.
    """

    ONE = (1 << 32) - 1
    #: A packet may have waited this much less (ns) than in the trace: it entered the queue some time after `sendto()`
    #: began, and it was taken out before the packet ahead of it had been read.
    LATE = 40_000
    #: An update is late by this time (ns) after its period.
    SLIP = 1_000
    NEAR = 1_000_000
    unsure = 0
    # tc's own settings are in us, and in 256ths of a hertz.
    settings: ClassVar[dict[str, int]] = {
        "limit": 10_000,
        "target": 15_000,
        "tupdate": 16_000,
        "alpha": 41,
        "beta": 819,
        "step_packets": 0,
        "step_us": 1000,
        "min_qlen_step": 0,
        "c_protection": 10,
    }

    def __init__(self, told: dict[str, int], fate: dict[int, str | None], tick: int) -> None:
        super().__init__()
        self.set = self.settings | told
        self.fate, self.tick = fate, tick
        # Gains are for delays in units of 64 ns.
        self.gains = [self.set[name] * self.ONE // 4 // 1_000_000_000 for name in ("alpha", "beta")]
        self.credit = self.initial = self.MTU * (2 * self.set["c_protection"] - 100)
        self.prob = self.before = self.last = self.change = self.step_marks = 0
        self.ticked = self.heard = -1
        self.doubt = 0.0
        self.steps: set[int] = set()
        self.came = [0, 0]
        #: Each draw with a visible outcome: the queue, the probability, and the outcome.
        self.draws: list[tuple[str, float, bool]] = []

    def ns(self, time: float) -> int:
        return round(time * 1e9)

    def is_low(self) -> bool:
        """Whether less than two MTU wait."""
        first = itertools.islice(itertools.chain(self.lq, self.cq), 6)  # packets of 600 bytes at least
        return sum(packet.size for packet in first) < 2 * self.MTU

    def catch_up(self) -> None:
        while self.tick <= self.ns(self.now):
            self.update_at(self.tick)

    def update_at(self, at: int) -> None:
        heads = [self.ns(queue[0].timestamp) for queue in (self.lq, self.cq) if queue]
        wait = at - min(heads, default=at)
        alpha, beta = self.gains
        delta = (wait - self.set["target"] * 1000) * alpha + (wait - self.last) * beta
        step = abs(delta) // 64
        self.before, self.ticked, self.last = self.prob, at, wait
        self.prob = min(self.ONE, self.prob + step) if delta > 0 else max(0, self.prob - step)
        self.tick = at + self.set["tupdate"] * 1000 + self.SLIP

    def hear(self, prob: int) -> float | None:
        """Use the kernel's p. Return how many ns later than here its last update was; None if this is unknown.

        The time is corrected by this difference, because updates follow each other.
        """
        now = self.ns(self.now)
        if prob == self.before != self.prob and now - self.ticked < self.NEAR:
            return None  # the kernel has not made this update yet
        if prob != self.prob and self.tick - now < self.NEAR:
            self.update_at(self.tick)
        late = (prob - self.prob) * 64 / sum(self.gains)
        ends = 0, self.ONE
        tells, self.heard = self.heard != self.ticked and prob not in ends and self.prob not in ends, self.ticked
        self.prob = prob
        # If no packet waits, p is the same at any time of the update.
        if self.last and late:
            self.last += round(late)
            if min(abs(late), abs(late - self.doubt)) > self.LATE:
                # Another packet was at the head, because one left or was dropped just then, unless the difference
                # repeats.
                self.doubt = late
            else:
                self.doubt = 0.0
                self.tick += round(late)
        return late if tells else None

    def enque(self, packet: Packet) -> bool:
        self.catch_up()
        # The packet in the bucket counts.
        if len(self.lq) + len(self.cq) + self.held >= self.set["limit"]:
            return False
        is_l = packet.ecn % 2
        if is_l and len(self.lq) >= self.set["min_qlen_step"]:
            self.steps.add(packet.number)
        self.came[is_l] += 1
        return super().enque(packet)

    held = 0

    def scheduler(self) -> str:
        queue = "lq" if self.lq and (not self.cq or self.credit <= 0) else "cq"
        share = self.set["c_protection"]
        gains = share * self.lq[0].size if queue == "lq" else (share - 100) * self.cq[0].size
        self.change = gains if self.lq and self.cq else 0
        return queue

    def drew(self, queue: str, packet: Packet, likelihood: float) -> bool:
        """Return the random outcome for a packet that shows it."""
        hit = self.fate[packet.number] != ECN_NAMES[packet.ecn]
        assert likelihood or not hit, packet
        self.draws.append((queue, likelihood, hit))
        return hit

    def overloaded(self, packet: Packet) -> bool:
        """Whether ECN is off. Near an update, the packet in the trace shows whether it is."""
        near = self.ns(self.now) - self.ticked < 100_000
        found = {2 * prob > self.ONE for prob in ([self.prob, self.before] if near else [self.prob])}
        return found.pop() if len(found) == 1 else self.fate[packet.number] is None

    def signal_l(self, packet: Packet) -> bool:
        likelihood = 2 * self.prob / self.ONE
        step = self.set["step_packets"]
        # The packets that are left count, and the leaving packet does not.
        over = self.ns(self.now - packet.timestamp) - self.set["step_us"] * 1000
        beyond = len(self.lq) > step if step else over > 0
        if not step and 0 < over < self.LATE:
            self.unsure += 1
            beyond = self.fate[packet.number] == ECN_NAMES[CE]
        due = packet.number in self.steps and beyond
        if not self.is_low():
            if self.overloaded(packet):
                self.draws.append(("overloaded lq", (likelihood / 2) ** 2, self.fate[packet.number] is None))
                if self.fate[packet.number] is None:
                    return False
                packet.mark()
            elif not due and packet.ecn != CE and self.drew("lq", packet, min(1.0, likelihood)):
                packet.mark()
        if due:
            self.step_marks += 1
            packet.mark()
        return True

    def signal_c(self, packet: Packet) -> bool:
        p = self.prob / self.ONE
        if self.is_low() or not self.drew("cq", packet, p * p):
            return True
        if packet.ecn == NOT_ECT or self.overloaded(packet):
            return False
        packet.mark()
        return True

    def deque(self) -> Packet | None:
        packet = super().deque()
        self.held = packet is not None
        if packet:
            self.credit += self.change
        else:
            self.credit = self.initial
        return packet


#: For each trace of the kernel: the class from which the trace follows. Bentpipe follows the same class.
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
#: Cases in which a packet is taken out when the bucket looks at it. In other cases it stays until it leaves.
AHEAD = {"codel", "codel-default", "fq-codel", "drr"}


def calls(rows: list[dict[str, Any]]) -> list[tuple[int, str, dict[str, Any]]]:
    """Return the times at which the kernel got packets and at which packets left, in order."""
    offered = [(row["offered_ns"], "offered", row) for row in rows]
    left = [(row["left_ns"], "left", row) for row in rows if row["left_ns"] is not None]
    return sorted(offered + left, key=lambda call: call[0])


def replay(
    queue: Queue,
    rows: list[dict[str, Any]],
    *,
    ahead: bool,
    strict: bool = True,
    looks: list[tuple[int, Callable[[], None]]] | None = None,
) -> dict[int, tuple[int, str]]:
    """Return the answers of a queue to the same calls: for each packet its place among leaving packets, and its
    codepoint.

    With `strict`, the first packet that differs from the kernel's is an error. Otherwise the replay continues. `looks`
    at the queue are made between the calls.
    """
    answer: dict[int, tuple[Any, ...]] = {}
    held: Packet | None = None

    def leaves(packet: Packet | None, row: dict[str, Any], at: int) -> None:
        if strict:
            found = packet and (packet.number, ECN_NAMES[packet.ecn])
            assert found == (row["packet"], row["ecn_left"]), (found, row, at)
        if packet:
            answer[packet.number] = len(answer), ECN_NAMES[packet.ecn]

    seen = [(at, "look", look) for at, look in looks or []]
    for at, call, row in sorted([*calls(rows), *seen], key=lambda call: call[0]):
        queue.now = at / 1e9
        if call == "look":
            row()
        elif call == "offered":
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
    """Serve traffic at 12 Mbit/s. Return dropped packets, marked packets, and the mean delay of the others in ms."""
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


def serve_through_bucket(queue: Queue, rows: list[dict[str, Any]]) -> tuple[int, int]:
    """Return the dropped and the marked packets for a trace's arrivals below the kernel's bucket, which looks ahead."""

    def price(packet: Packet) -> int:
        return -(-packet.size * 8 * 1_000_000_000 // RATE)

    def take(at: int) -> Packet | None:
        queue.now = at / 1e9
        return queue.deque()

    full = price(Packet(0, 1514, 0, NOT_ECT))
    tokens, last, left, marks = full, 0, 0, 0
    held: Packet | None = None
    capable = {row["packet"] for row in rows if row["ecn_sent"] in {"ect0", "ect1"}}

    def until(end: float) -> None:
        nonlocal tokens, last, left, marks, held
        while held:
            due = max(last + max(0, price(held) - tokens), came, last)
            if due > end:
                return
            tokens = max(0, min(tokens + due - last, full) - price(held))
            last, left, marks = due, left + 1, marks + (held.ecn == CE and held.number in capable)
            held = take(due)

    came = 0
    for row in rows:
        until(row["offered_ns"])
        came = row["offered_ns"]
        queue.now = came / 1e9
        queue.enque(Packet(row["packet"], row["size"], row["sender"], ECN_NAMES.index(row["ecn_sent"])))
        held = held or take(came)
    until(math.inf)
    return len(rows) - left, marks


def updates(rows: list[dict[str, Any]]) -> list[tuple[int, int, float]]:
    """Return changes of DualPI2's base probability: time with the old value, time with the new value, new value."""
    return [
        (before["at_ns"], row["at_ns"], row["probability"])
        for before, row in itertools.pairwise(rows)
        if row["probability"] != before["probability"]
    ]


def vectors() -> dict[str, str]:
    """Return the traces in the form that the Rust code reads, by file: packets by case; states of PIE and DualPI2."""
    files: dict[str, list[str]] = {}
    tables = [pq.read_table(DATA / f"{name}.parquet").to_pylist() for name in ("disciplines", "dualpi2")]
    for row in itertools.chain(*tables):
        lines = files.setdefault(f"{row['case']}.csv", ["offered_ns,size,sender,ecn,left_ns,ecn_left"])
        sent = ECN_NAMES.index(row["ecn_sent"])
        left: tuple[Any, Any] = "", ""
        if row["left_ns"] is not None:
            left = row["left_ns"], ECN_NAMES.index(row["ecn_left"])
        lines.append(f"{row['offered_ns']},{row['size']},{row['sender']},{sent},{left[0]},{left[1]}")
    for row in pq.read_table(DATA / "pie.parquet").to_pylist():
        lines = files.setdefault(f"{row['case']}-probability.csv", ["at_ns,probability,delay_us"])
        lines.append(f"{row['at_ns']},{row['probability']:.12g},{row['delay_us']}")
    states = pq.read_table(DATA / "dualpi2-states.parquet").to_pylist()
    for name, said in itertools.groupby(states, key=lambda row: row["case"]):
        if changes := updates(list(said)):
            lines = files.setdefault(f"{name}-probability.csv", ["before_ns,at_ns,probability"])
            lines += [f"{before},{at},{probability:.12g}" for before, at, probability in changes]
    return {name: "\n".join(lines) + "\n" for name, lines in files.items()}


if __name__ == "__main__":
    for name, text in vectors().items():
        (VECTORS / "linux" / name).write_text(text)
