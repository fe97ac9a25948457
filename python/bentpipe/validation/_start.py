# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute where published rules end a slow start, in a minimal model: one FIFO, and an ACK for each packet.

Each ACK releases two packets. A packet waits for the packets before it. Its ACK arrives a round trip after the packet
left the FIFO. If the queue is full, an arriving packet is lost, and the loss is detected when three later packets are
acknowledged.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

_INITIAL_WINDOW = 10
_DUPLICATES = 3


@dataclass
class Progress:
    """The input of a rule at an ACK: time in s, number of packets so far, newest round-trip time."""

    now: float = 0.0
    rtt: float = 0.0
    sent: int = 0
    acked: int = 0


#: Function that returns the growth of the window at an ACK in packets; None ends the slow start.
Rule: TypeAlias = "Callable[[Progress], float | None]"


def exit_window(rule: Rule, rate: float, rtt_s: float, queue: float) -> float:
    """Return the window in packets when the rule ends slow start, or when a loss is detected.

    Args:
        rule: The rule, which is called at each ACK.
        rate: Packets per second through the FIFO.
        rtt_s: Round trip of a packet that does not wait, including its transmission.
        queue: Size of the queue in packets, without the packet in transmission.
    """
    window = float(_INITIAL_WINDOW)
    seen = Progress()
    waiting: deque[float] = deque()
    # For each packet: time of sending, time of acknowledgement, and whether it was sent after the first loss.
    flight: deque[tuple[float, float, bool]] = deque()
    free_at = 0.0
    dropped = False
    duplicates = 0
    now = 0.0
    while True:
        while seen.sent - seen.acked < window:
            seen.sent += 1
            while waiting and waiting[0] <= now:
                waiting.popleft()
            if len(waiting) > queue:
                dropped = True
                continue
            free_at = max(free_at, now) + 1 / rate
            waiting.append(free_at)
            flight.append((now, free_at + rtt_s - 1 / rate, dropped))
        sent_at, now, after_loss = flight.popleft()
        seen.now, seen.rtt, seen.acked = now, now - sent_at, seen.acked + 1
        duplicates += after_loss
        if duplicates == _DUPLICATES:
            return window
        growth = 0.0 if after_loss else rule(seen)
        if growth is None:
            return window
        window += growth


def classic(_: Progress) -> float | None:
    """Return the growth of RFC 5681: one segment for each acknowledged segment."""
    return 1.0


@dataclass
class HystartPlusPlus:
    """HyStart++ (RFC 9406, section 4.2)."""

    base: float = 0.0
    round_end: int = 0
    last_min: float = float("inf")
    this_min: float = float("inf")
    samples: int = 0
    conservative: int | None = None

    def __call__(self, seen: Progress) -> float | None:
        """Return a growth of one packet, or of a quarter in CSS; None after five rounds of CSS."""
        if seen.acked > self.round_end:
            self.round_end = seen.sent
            self.last_min, self.this_min, self.samples = self.this_min, float("inf"), 0
            if self.conservative is not None:
                self.conservative += 1
                if self.conservative == 5:
                    return None
        self.this_min = min(self.this_min, seen.rtt)
        self.samples += 1
        if self.samples >= 8:
            threshold = min(max(self.last_min / 8, 0.004), 0.016)
            if self.conservative is None and self.this_min >= self.last_min + threshold:
                self.conservative, self.base = 0, self.this_min
            elif self.conservative is not None and self.this_min < self.base:
                self.conservative = None
        return 1.0 if self.conservative is None else 0.25


@dataclass
class HystartTrain:
    """HyStart's train of ACKs (Ha and Rhee 2011, as in Linux): ACKs at most 2 ms apart for half of the smallest RTT."""

    smallest: float = float("inf")
    round_end: int = 0
    began: float = 0.0
    newest: float = 0.0

    def __call__(self, seen: Progress) -> float | None:
        """Return a growth of one packet; None when the train is long enough."""
        self.smallest = min(self.smallest, seen.rtt)
        if seen.acked > self.round_end:
            self.round_end, self.began, self.newest = seen.sent, seen.now, seen.now
        if seen.now - self.newest <= 0.002:
            self.newest = seen.now
            if seen.now - self.began > self.smallest / 2:
                return None
        return 1.0


@dataclass
class Search:
    """SEARCH (draft-chung-ccwg-search-09): packets delivered in 3.5 first RTTs, against those sent one RTT before."""

    bin_s: float = 0.0
    ends: float = 0.0
    totals: list[tuple[int, int]] = field(default_factory=list)

    def __call__(self, seen: Progress) -> float | None:
        """Return a growth of one packet; None when 26 % of the packets are missing."""
        if not self.totals:
            self.bin_s = 3.5 * seen.rtt / 10
            self.ends = seen.now + self.bin_s
            self.totals.append((seen.sent, seen.acked))
        if seen.now <= self.ends:
            return 1.0
        while self.ends < seen.now:
            self.totals.append((seen.sent, seen.acked))
            self.ends += self.bin_s
        now = len(self.totals) - 1
        back = int(seen.rtt / self.bin_s)
        share = seen.rtt / self.bin_s - back
        if now - back <= 10 or back >= 15:
            return 1.0
        delivered = self.totals[now][1] - self.totals[now - 10][1]
        ends = (now - back - 1, now - back)
        before, after = (self.totals[end][0] - self.totals[end - 10][0] for end in ends)
        sent = share * before + (1 - share) * after
        return None if (sent - delivered) / sent >= 0.26 else 1.0


@dataclass
class Rapid:
    """Rapid Start (draft-kazuho-ccwg-rapid-start-02, section 3.2): smallest RTT of the last round trip, and of all."""

    smallest: float = float("inf")
    recent: deque[tuple[float, float]] = field(default_factory=deque)

    def __call__(self, seen: Progress) -> float | None:
        """Return a growth of two packets while no queue builds up, otherwise of one packet."""
        self.smallest = min(self.smallest, seen.rtt)
        self.recent.append((seen.now, seen.rtt))
        while self.recent[0][0] < seen.now - self.smallest:
            self.recent.popleft()
        floor = min(rtt for _, rtt in self.recent)
        return 2.0 if floor <= min(self.smallest + 0.004, self.smallest * 1.1) else 1.0
