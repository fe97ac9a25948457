# SPDX-License-Identifier: MIT OR Apache-2.0
"""The pseudo-code of queue disciplines, word for word, and its answers to some traffic.

This is an oracle for `crates/link`. It was written only from the papers and RFCs, with their names, and not from the
Rust code. A discipline has the methods `enque(packet)` and `deque()`. The calls and their answers are in
`vectors/queues/NAME.csv`, which the tests of the link replay. `python tests/oracles/queues_by_the_book.py` writes these
files.
"""

from __future__ import annotations

import math
from collections import deque as Fifo  # noqa: N812
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

VECTORS = ROOT / "vectors" / "queues"
RATE = 12_000_000  # bit/s: 1500 bytes take a millisecond
NOT_ECT, ECT1, ECT0, CE = 0, 1, 2, 3
ECN_NAMES = ("not-ect", "ect1", "ect0", "ce")
_MASK = (1 << 64) - 1


class Xoshiro:
    """xoshiro256++ 1.0 and splitmix64 (Blackman and Vigna, public domain reference code, 2019 and 2015)."""

    def __init__(self, seed: int) -> None:
        self.s = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & _MASK
            z = seed
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
            self.s.append(z ^ (z >> 31))

    def next(self) -> int:
        s = self.s

        def rotl(x: int, k: int) -> int:
            return ((x << k) | (x >> (64 - k))) & _MASK

        result = (rotl((s[0] + s[3]) & _MASK, 23) + s[0]) & _MASK
        t = (s[1] << 17) & _MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 45)
        return result

    def random(self) -> float:
        return (self.next() >> 11) / (1 << 53)


@dataclass
class Packet:
    number: int
    size: int
    sender: int
    ecn: int
    timestamp: float = 0.0

    def mark(self) -> None:
        self.ecn = CE

    def mark_if_capable(self) -> None:
        if self.ecn != NOT_ECT:
            self.mark()


class Queue:
    """The common parts of all disciplines: a clock, random numbers, and a list of dropped packets."""

    def __init__(self) -> None:
        self.now = 0.0
        self.chance = Xoshiro(1)
        self.dropped: list[Packet] = []

    def random(self) -> float:
        return self.chance.random()

    def enque(self, packet: Packet) -> bool:
        """Return whether the packet is accepted."""
        raise NotImplementedError

    def deque(self) -> Packet | None:
        """Return the packet that leaves."""
        raise NotImplementedError


class Red(Queue):
    """Floyd and Jacobson 1993, figure 2, with p_a as in section 7. Gentle mode: Floyd 2000."""

    min_th, max_th, w_q, max_p, gentle = 3.0, 6.0, 0.05, 0.1, True

    def __init__(self) -> None:
        super().__init__()
        self.queue: Fifo[Packet] = Fifo()
        self.avg = 0.0
        self.unmarked = 0  # packets since the last marked one
        self.q_time: float | None = 0.0
        self.updated = 0.0

    def enque(self, packet: Packet) -> bool:
        if self.q_time is None:
            self.avg = (1 - self.w_q) * self.avg + self.w_q * len(self.queue)
        else:
            m = (self.now - max(self.q_time, self.updated)) / (packet.size * 8 / RATE)
            self.avg = (1 - self.w_q) ** m * self.avg
        self.q_time = None
        self.updated = self.now
        if self.avg < self.min_th:
            self.unmarked = 0
        else:
            if self.avg < self.max_th:
                p_b = self.max_p * (self.avg - self.min_th) / (self.max_th - self.min_th)
            elif self.gentle and self.avg < 2 * self.max_th:
                p_b = self.max_p + (1 - self.max_p) * (self.avg / self.max_th - 1)
            else:
                self.unmarked = 0
                return False
            p_a = p_b / (1 - self.unmarked * p_b) if self.unmarked * p_b < 1 else 1.0
            if self.random() < p_a:
                self.unmarked = 0
                if packet.ecn == NOT_ECT:
                    return False
                packet.mark()
            else:
                self.unmarked += 1
        self.queue.append(packet)
        return True

    def deque(self) -> Packet | None:
        if self.queue:
            return self.queue.popleft()
        if self.q_time is None:
            self.q_time = self.now
        return None


class Periodic(Queue):
    """A discipline that computes an update every `period`."""

    period = 0.0

    def __init__(self) -> None:
        super().__init__()
        self.updates = 0

    def update(self) -> None:
        raise NotImplementedError

    def catch_up(self) -> None:
        now = self.now
        # The comparison is in nanoseconds, because the calls have times in whole nanoseconds.
        while round((self.updates + 1) * self.period * 1e9) <= round(now * 1e9):
            self.updates += 1
            self.now = self.updates * self.period
            self.update()
        self.now = now


class Pie(Periodic):
    """RFC 8033, appendix A, with marks, derandomization, the bounded step and the departure rate of appendix B."""

    QDELAY_REF, T_UPDATE, MAX_BURST, MAX_ECNTH = 0.005, 0.005, 0.020, 0.3
    alpha, beta = 2.0, 20.0
    MEAN_PKTSIZE, DQ_THRESHOLD = 1514, 1 << 14
    by_rate = False
    period = T_UPDATE

    def __init__(self) -> None:
        super().__init__()
        self.queue: Fifo[Packet] = Fifo()
        self.drop_prob_ = self.accu_prob_ = self.qdelay_old_ = self.current_qdelay = self.burst_allowance_ = 0.0
        self.in_measurement_ = False
        self.avg_dq_time_ = self.measurement_start_ = 0.0
        self.dq_count_ = 0

    def byte_length(self) -> int:
        return sum(packet.size for packet in self.queue)

    def enque(self, packet: Packet) -> bool:
        self.catch_up()
        half = self.QDELAY_REF / 2
        if self.drop_prob_ == 0 and self.current_qdelay < half and self.qdelay_old_ < half:
            self.burst_allowance_ = self.MAX_BURST
        if self.burst_allowance_ == 0 and self.drop_early():
            if self.drop_prob_ < self.MAX_ECNTH and packet.ecn != NOT_ECT:
                packet.mark()
            else:
                self.accu_prob_ = 0
                return False
        packet.timestamp = self.now
        self.queue.append(packet)
        return True

    def drop_early(self) -> bool:
        if (
            self.qdelay_old_ < self.QDELAY_REF / 2 and self.drop_prob_ < 0.2
        ) or self.byte_length() <= 2 * self.MEAN_PKTSIZE:
            return False
        if self.drop_prob_ == 0:
            self.accu_prob_ = 0
        self.accu_prob_ += self.drop_prob_
        if self.accu_prob_ < 0.85:
            return False
        if self.accu_prob_ >= 8.5 or self.random() < self.drop_prob_:
            self.accu_prob_ = 0
            return True
        return False

    def update(self) -> None:
        if self.by_rate:
            self.current_qdelay = self.byte_length() * self.avg_dq_time_ / self.DQ_THRESHOLD
            # The clock has nanoseconds.
            self.current_qdelay = round(self.current_qdelay * 1e9) / 1e9
        p = self.alpha * (self.current_qdelay - self.QDELAY_REF) + self.beta * (self.current_qdelay - self.qdelay_old_)
        if self.drop_prob_ < 0.000001:
            p /= 2048
        elif self.drop_prob_ < 0.00001:
            p /= 512
        elif self.drop_prob_ < 0.0001:
            p /= 128
        elif self.drop_prob_ < 0.001:
            p /= 32
        elif self.drop_prob_ < 0.01:
            p /= 8
        elif self.drop_prob_ < 0.1:
            p /= 2
        if self.drop_prob_ >= 0.1 and p > 0.02:
            p = 0.02
        self.drop_prob_ += p
        if self.current_qdelay == 0 and self.qdelay_old_ == 0:
            self.drop_prob_ *= 0.98
        self.drop_prob_ = min(1.0, max(0.0, self.drop_prob_))
        self.qdelay_old_ = self.current_qdelay
        self.burst_allowance_ = max(0.0, round(self.burst_allowance_ - self.T_UPDATE, 9))

    def deque(self) -> Packet | None:
        self.catch_up()
        if not self.queue:
            return None
        packet = self.queue.popleft()
        if not self.by_rate:
            self.current_qdelay = round(self.now - packet.timestamp, 9) if self.queue else 0.0
            return packet
        if self.in_measurement_:
            self.dq_count_ += packet.size
            if self.dq_count_ >= self.DQ_THRESHOLD:
                dq_time = self.now - self.measurement_start_
                weight = self.DQ_THRESHOLD / 2**16
                if self.avg_dq_time_ == 0:
                    self.avg_dq_time_ = dq_time
                else:
                    self.avg_dq_time_ = dq_time * weight + self.avg_dq_time_ * (1 - weight)
                self.in_measurement_ = False
        if self.byte_length() >= self.DQ_THRESHOLD and not self.in_measurement_:
            self.in_measurement_ = True
            self.measurement_start_ = self.now
            self.dq_count_ = 0
        return packet


class PieByRate(Pie):
    by_rate = True


class DualPi2(Periodic):
    """RFC 9332, appendix A: figures 2, 3, 5, 7 and 8; WRR after Linux's sch_dualpi2, time-shifted FIFO of figure 10."""

    k, target, RTT_max = 2, 0.005, 0.030
    min_th, range_ = 0.0008, 0.0004
    Th_len, p_lmax = 1, 1.0
    wc = 1 / 16
    tshift: float | None = None
    MTU = 1514

    p_cmax = min(1 / k**2, 1)
    Tupdate = min(target, RTT_max / 3)
    alpha = 0.1 * Tupdate / RTT_max**2
    beta = 0.3 / RTT_max
    period = Tupdate

    def __init__(self) -> None:
        super().__init__()
        self.lq: Fifo[Packet] = Fifo()
        self.cq: Fifo[Packet] = Fifo()
        self.count = {"lq": 0.0, "cq": 0.0}
        self.p = self.p_CL = self.p_C = self.prevq = 0.0
        self.credit = self.MTU * (2 * self.wc - 1)

    def time(self, queue: Fifo[Packet]) -> float:
        return self.now - queue[0].timestamp if queue else 0.0

    def enque(self, packet: Packet) -> bool:
        self.catch_up()
        packet.timestamp = self.now
        (self.lq if packet.ecn % 2 == 1 else self.cq).append(packet)
        return True

    def scheduler(self) -> str:
        if not (self.lq and self.cq):
            return "lq" if self.lq else "cq"
        if self.tshift is not None:
            return "lq" if round(self.time(self.lq) + self.tshift, 9) >= round(self.time(self.cq), 9) else "cq"
        if self.credit <= 0:
            self.credit += self.wc * self.lq[0].size
            return "lq"
        self.credit -= (1 - self.wc) * self.cq[0].size
        return "cq"

    def recur(self, queue: str, likelihood: float) -> bool:
        self.count[queue] += likelihood
        if self.count[queue] > 1:
            self.count[queue] -= 1
            return True
        return False

    def laqm(self, qdelay: float) -> float:
        qdelay = round(qdelay, 9)
        if qdelay >= round(self.min_th + self.range_, 9):
            return 1.0
        return (qdelay - self.min_th) / self.range_ if qdelay > self.min_th else 0.0

    def signal_l(self, packet: Packet) -> bool:
        """Whether an L4S packet is sent, marked or not."""
        if self.p_CL < self.p_lmax:
            native = self.laqm(self.now - packet.timestamp) if len(self.lq) > self.Th_len else 0.0
            if self.recur("lq", max(native, self.p_CL)):
                packet.mark()
            return True
        if self.recur("lq", self.p_C):
            return False
        packet.mark()  # p_CL is 1 or more
        return True

    def signal_c(self, packet: Packet) -> bool:
        """Whether a classic packet is sent, marked or not."""
        if self.recur("cq", self.p_C):
            if packet.ecn == NOT_ECT or self.p_C >= self.p_cmax:
                return False
            packet.mark()
        return True

    def deque(self) -> Packet | None:
        self.catch_up()
        while self.lq or self.cq:
            if self.scheduler() == "lq":
                packet = self.lq.popleft()
                kept = self.signal_l(packet)
            else:
                packet = self.cq.popleft()
                kept = self.signal_c(packet)
            if kept:
                return packet
            self.dropped.append(packet)
        self.credit = self.MTU * (2 * self.wc - 1)
        return None

    def update(self) -> None:
        curq = max(self.time(self.cq), self.time(self.lq))
        self.p += self.alpha * (curq - self.target) + self.beta * (curq - self.prevq)
        self.p = min(1.0, max(0.0, self.p))
        self.p_CL = self.k * self.p
        self.p_C = self.p**2
        self.prevq = curq


class DualPi2Shifted(DualPi2):
    tshift = 0.010


class Drr(Queue):
    """Shreedhar and Varghese 1995, figure 3. A whole round of a flow is decided at once, and sent packet by packet."""

    quantum = 1000

    def __init__(self) -> None:
        super().__init__()
        self.queues: dict[int, Fifo[Packet]] = {}
        self.deficit: dict[int, int] = {}
        self.active_list: list[int] = []
        self.current: int | None = None

    def enque(self, packet: Packet) -> bool:
        i = packet.sender
        self.queues.setdefault(i, Fifo())
        if i not in self.active_list and i != self.current:
            self.active_list.append(i)
            self.deficit[i] = 0
        self.queues[i].append(packet)
        return True

    def deque(self) -> Packet | None:
        while True:
            if self.current is None:
                if not self.active_list:
                    return None
                self.current = self.active_list.pop(0)
                self.deficit[self.current] += self.quantum
            i = self.current
            if self.queues[i] and self.queues[i][0].size <= self.deficit[i]:
                packet = self.queues[i].popleft()
                self.deficit[i] -= packet.size
                return packet
            self.current = None
            if self.queues[i]:
                self.active_list.append(i)
            else:
                self.deficit[i] = 0


class DrrMarks(Drr):
    """The queue of each flow has its own threshold K (RFC 8257, section 3.1: an arriving packet is marked if more than
    K packets wait). K is constant. Bai et al. 2016 show the cost of this ("Enabling ECN in multi-service multi-queue
    data centers"). Their MQ-ECN, which adapts K to the queue's share, is not implemented. Buffer stealing: Shreedhar
    and Varghese, section 3.1."""

    K, limit = 9000, 30

    def held(self, i: int) -> int:
        return sum(one.size for one in self.queues.get(i, ()))

    def enque(self, packet: Packet) -> bool:
        i = packet.sender
        if sum(len(queue) for queue in self.queues.values()) == self.limit:
            # The newest packet of the longest queue is dropped. The arriving packet counts in its own queue.
            longest = max(self.queues, key=self.held)
            if longest == i or self.held(longest) <= self.held(i) + packet.size:
                return False
            self.dropped.append(self.queues[longest].pop())
        if self.held(i) > self.K:
            packet.mark_if_capable()
        return super().enque(packet)


class DropFront(Queue):
    """Yin and Hluchyj 1990: if the queue is full, the oldest packet is dropped for the new one. Liu and Jain 2001,
    mark-front: a packet is marked as it leaves, if more than K packets are behind it."""

    K, limit = 8, 20

    def __init__(self) -> None:
        super().__init__()
        self.queue: Fifo[Packet] = Fifo()

    def enque(self, packet: Packet) -> bool:
        if len(self.queue) == self.limit:
            self.dropped.append(self.queue.popleft())
        self.queue.append(packet)
        return True

    def deque(self) -> Packet | None:
        if not self.queue:
            return None
        packet = self.queue.popleft()
        if len(self.queue) > self.K:
            packet.mark_if_capable()
        return packet


class Priority(Queue):
    """Cobham 1954: packets of sender 0 are served first. The classes share the limit. Each class has its own constant
    threshold K, as in `DrrMarks`."""

    K: float = 6
    limit = 20

    def __init__(self) -> None:
        super().__init__()
        self.classes: tuple[Fifo[Packet], Fifo[Packet]] = (Fifo(), Fifo())

    def enque(self, packet: Packet) -> bool:
        packet.timestamp = self.now
        urgent, ordinary = self.classes
        if len(urgent) + len(ordinary) == self.limit:
            if packet.sender != 0 or not ordinary:
                return False
            self.dropped.append(ordinary.pop())
        own = urgent if packet.sender == 0 else ordinary
        if len(own) > self.K:
            packet.mark_if_capable()
        own.append(packet)
        return True

    def deque(self) -> Packet | None:
        for queue in self.classes:
            if queue:
                return queue.popleft()
        return None


class PriorityByWait(Priority):
    """TCN (Bai et al. 2016, "Enabling ECN over generic packet scheduling"): a packet that leaves is marked if it
    waited longer than T, whatever the scheduler."""

    K, T = math.inf, 0.010

    def deque(self) -> Packet | None:
        packet = super().deque()
        if packet and round(self.now - packet.timestamp, 9) > self.T:
            packet.mark_if_capable()
        return packet


class Codel(Queue):
    """RFC 8289, section 5. The RFC has no marks. As in Linux, a packet is marked instead of dropped, and leaves."""

    TARGET, INTERVAL, MTU = 0.002, 0.020, 1514
    ecn = True

    def __init__(self) -> None:
        super().__init__()
        self.queue: Fifo[Packet] = Fifo()
        self.first_above_time_ = self.drop_next_ = 0.0
        self.count_ = self.lastcount_ = 0
        self.dropping_ = False

    def enque(self, packet: Packet) -> bool:
        packet.timestamp = self.now
        self.queue.append(packet)
        return True

    def control_law(self, t: float, count: int) -> float:
        return t + self.INTERVAL / math.sqrt(count)

    def newly(self, count: int) -> None:
        """Begin to drop with this count."""
        self.count_ = count

    def waiting(self) -> int:
        return sum(one.size for one in self.queue)

    def dodequeue(self) -> tuple[Packet | None, bool]:
        if not self.queue:
            self.first_above_time_ = 0.0
            return None, False
        packet = self.queue.popleft()
        sojourn_time = round(self.now - packet.timestamp, 9)
        if sojourn_time < self.TARGET or self.waiting() <= self.MTU:
            self.first_above_time_ = 0.0
            return packet, False
        if self.first_above_time_ == 0.0:
            self.first_above_time_ = self.now + self.INTERVAL
            return packet, False
        return packet, round(self.now - self.first_above_time_, 9) >= 0

    def signal(self, packet: Packet) -> bool:
        """Whether the packet is marked, and therefore leaves."""
        if self.ecn and packet.ecn != NOT_ECT:
            packet.mark()
            return True
        self.dropped.append(packet)
        return False

    def deque(self) -> Packet | None:
        packet, ok_to_drop = self.dodequeue()
        if self.dropping_:
            if not ok_to_drop:
                self.dropping_ = False
            while packet and self.dropping_ and self.now >= self.drop_next_:
                self.count_ += 1
                if self.signal(packet):
                    self.drop_next_ = self.control_law(self.drop_next_, self.count_)
                    break
                packet, ok_to_drop = self.dodequeue()
                if ok_to_drop:
                    self.drop_next_ = self.control_law(self.drop_next_, self.count_)
                else:
                    self.dropping_ = False
        elif packet and ok_to_drop:
            if not self.signal(packet):
                packet, _ = self.dodequeue()
            self.dropping_ = True
            delta = self.count_ - self.lastcount_
            recent = self.now - self.drop_next_ < 16 * self.INTERVAL
            self.newly(delta if delta > 1 and recent else 1)
            self.drop_next_ = self.control_law(self.now, self.count_)
            self.lastcount_ = self.count_
        return packet


class FqCodel(Queue):
    """RFC 8290, section 4, with a queue for each sender."""

    quantum = 1514
    queues: type[Codel] = Codel

    def __init__(self) -> None:
        super().__init__()
        self.flows: dict[int, Codel] = {}
        self.credits: dict[int, int] = {}
        self.new: list[int] = []
        self.old: list[int] = []

    def enque(self, packet: Packet) -> bool:
        i = packet.sender
        flow = self.flows.setdefault(i, self.queues())
        flow.now = self.now
        flow.enque(packet)
        if i not in self.new and i not in self.old:
            self.new.append(i)
            self.credits[i] = self.quantum
        return True

    def deque(self) -> Packet | None:
        while self.new or self.old:
            active = self.new or self.old
            i = active[0]
            if self.credits[i] <= 0:
                self.credits[i] += self.quantum
                self.old.append(active.pop(0))
                continue
            flow = self.flows[i]
            flow.now, flow.dropped = self.now, self.dropped
            packet = flow.deque()
            if packet:
                self.credits[i] -= packet.size
                return packet
            self.ran_empty(active)
        return None

    def ran_empty(self, active: list[int]) -> None:
        """Handle an empty queue at the head of the new or of the old queues."""
        i = active.pop(0)
        if active is self.new:
            self.old.append(i)


BOOKS = {
    "codel": Codel,
    "fq-codel": FqCodel,
    "red": Red,
    "pie": Pie,
    "pie-by-rate": PieByRate,
    "dualpi2": DualPi2,
    "dualpi2-shifted": DualPi2Shifted,
    "drr": Drr,
    "drr-marks": DrrMarks,
    "drop-front": DropFront,
    "priority": Priority,
    "priority-by-wait": PriorityByWait,
}

# Load of the link, and its duration in s. Load 0 is a pause.
PHASES = [(0.7, 0.05), (1.3, 0.15), (3.0, 0.03), (0.5, 0.08), (0.0, 0.05), (1.15, 0.12), (0.0, 0.2), (2.0, 0.05)]
# Disciplines that need longer traffic, with a factor.
LONG = {"pie": 2, "pie-by-rate": 2}


def traffic(stretch: int, sent_as: dict[str, str] | None = None) -> list[tuple[int, Packet]]:
    """Return packets of three sizes from four senders, with every codepoint, and their arrival times in ns.

    `sent_as` maps codepoints to the codepoints that are sent in their place.
    """
    others = {ECN_NAMES.index(of): ECN_NAMES.index(other) for of, other in (sent_as or {}).items()}
    chance, now, begins = Xoshiro(7), 0.0, 0.0
    arrivals: list[tuple[int, Packet]] = []
    for load, lasts in PHASES:
        ends = begins + lasts * stretch
        now = begins
        while load:
            # The mean packet has 1275 bytes. Gaps are within half of the mean gap.
            now += 1275 * 8 / RATE / load * (0.5 + chance.random())
            if now >= ends:
                break
            size = (1500, 1500, 1500, 600)[chance.next() >> 62]
            ecn = (NOT_ECT, ECT0, ECT1, ECT1, CE)[min(4, int(chance.random() * 4.2))]
            packet = Packet(len(arrivals), size, chance.next() >> 62, others.get(ecn, ecn))
            arrivals.append((round(now * 1e9), packet))
        begins = ends
    return arrivals


def rows(name: str) -> list[str]:
    """Return the calls of a link of 12 Mbit/s, and the answers of the discipline."""
    queue, out = BOOKS[name](), []
    free = 0
    newest = 0

    def serve(until: int) -> None:
        nonlocal free
        while (start := max(free, newest)) <= until:
            queue.now, queue.dropped = start / 1e9, []
            packet = queue.deque()
            told = [f"drop {lost.number}" for lost in queue.dropped]
            told.append("nothing" if packet is None else f"{packet.number} {ECN_NAMES[packet.ecn]}")
            out.append(f"{start},deque,,,,,{' '.join(told)}")
            if packet is None:
                break
            free = start + -(-packet.size * 8 * 1_000_000_000 // RATE)

    for at, packet in traffic(LONG.get(name, 1)):
        serve(at)
        queue.now, queue.dropped = at / 1e9, []
        asked = f"{at},enque,{packet.number},{packet.size},{packet.sender},{ECN_NAMES[packet.ecn]}"
        taken = queue.enque(packet)
        told = [f"drop {lost.number}" for lost in queue.dropped]
        told.append(ECN_NAMES[packet.ecn] if taken else "refused")
        out.append(f"{asked},{' '.join(told)}")
        if taken:
            newest = at
        serve(at)
    return out


def text(name: str) -> str:
    head = "at_ns,call,packet,size,sender,ecn,answer"
    return "\n".join([head, *rows(name)]) + "\n"


if __name__ == "__main__":
    for name in BOOKS:
        (VECTORS / f"{name}.csv").write_text(text(name))
