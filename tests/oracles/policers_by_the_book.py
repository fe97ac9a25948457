# SPDX-License-Identifier: MIT OR Apache-2.0
"""Policers as in their sources, and their answers to some traffic.

This is an oracle for `crates/link`. It was written from RFC 2697, section 3, from `net/sched/act_police.c` of Linux 6.1
and from the definition of a profile, and not from the Rust code. The three policers get the same packets and must
agree. Their answers are in `vectors/policers/NAME.csv`, which the tests of the link replay. `python
tests/oracles/policers_by_the_book.py` writes these files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from queues_by_the_book import Xoshiro

ROOT = Path(__file__).resolve().parents[2]

VECTORS = ROOT / "vectors" / "policers"
SECOND = 1_000_000_000


@dataclass
class Rfc2697:
    """The single-rate marker, color-blind, with EBS = 0: green packets pass, and red packets are dropped.

    "The token buckets C and E are initially (at time 0) full", and "Thereafter, the token count Tc is updated CIR times
    per second". Tokens are bytes. Here fractions of a token are added continuously.
    """

    rate: int
    burst: int
    tc: Fraction = field(init=False)
    before: int = 0

    def __post_init__(self) -> None:
        self.tc = Fraction(self.burst)

    def passes(self, at: int, size: int) -> bool:
        self.tc = min(Fraction(self.burst), self.tc + Fraction(self.rate * (at - self.before), 8 * SECOND))
        self.before = at
        if self.tc - size >= 0:
            self.tc -= size
            return True
        return False


@dataclass
class LinuxPolice:
    """`tcf_police_act()` with a rate and no peak rate: tokens are nanoseconds.

    toks = min(now - t_c, burst) + toks, at most burst; toks -= time of the packet; the packet conforms if toks >= 0.
    """

    rate: int
    burst: int
    t_c: int = 0
    toks: int = field(init=False)

    def __post_init__(self) -> None:
        self.toks = self._time(self.burst)

    def _time(self, size: int) -> int:
        return size * 8 * SECOND // self.rate

    def passes(self, at: int, size: int) -> bool:
        most = self._time(self.burst)
        toks = min(min(at - self.t_c, most) + self.toks, most) - self._time(size)
        if toks < 0:
            return False
        self.t_c, self.toks = at, toks
        return True


@dataclass
class Profile:
    """The promise of a policer: in no interval pass more bytes than burst + rate times the interval's length.

    A packet passes if the promise still holds with it for every interval that ends now and begins at the start or at a
    packet that passed. No tokens are counted.
    """

    rate: int
    burst: int
    passed: list[tuple[int, int]] = field(default_factory=list)

    def passes(self, at: int, size: int) -> bool:
        inside = size
        fits = size <= self.burst
        for begun, other in reversed(self.passed):
            inside += other
            fits = fits and 8 * SECOND * inside <= 8 * SECOND * self.burst + self.rate * (at - begun)
        if fits:
            self.passed.append((at, size))
        return fits


#: Rate in bit/s and burst in bytes. A byte takes whole nanoseconds, so that Linux's arithmetic rounds nothing.
SETTINGS = {
    "saturated": (10_000_000, 15_000),
    "on-off": (8_000_000, 9_000),
    "one-packet": (1_000_000, 1_500),
}


def traffic(name: str) -> list[tuple[int, int]]:
    """Return arrival times and sizes of packets."""
    rate, _ = SETTINGS[name]
    if name == "saturated":
        # 1500 bytes every 0.6 ms are twice the rate.
        return [(number * 600_000, 1500) for number in range(600)]
    chance, now, packets = Xoshiro(11), 0, []
    for number in range(600):
        load = (2.5, 0.3, 1.0)[number // 60 % 3]
        size = (1500, 1500, 576, 40)[chance.next() >> 62]
        packets.append((now, size))
        # Gaps are within half of the mean gap. Several packets may arrive at once.
        gap = 1000 * 8 * SECOND / rate / load * (0.5 + chance.random())
        now += 0 if chance.random() < 0.2 else round(gap)
    return packets


def rows(name: str) -> list[str]:
    """Return each packet and whether it passes. All three policers must agree."""
    setting = SETTINGS[name]
    models: list[Rfc2697 | LinuxPolice | Profile] = [Rfc2697(*setting), LinuxPolice(*setting), Profile(*setting)]
    out = []
    for at, size in traffic(name):
        said = {model.passes(at, size) for model in models}
        if len(said) > 1:
            raise AssertionError(f"{name}: at {at} ns they differ about {size} bytes")
        out.append(f"{setting[0]},{setting[1]},{at},{size},{int(said.pop())}")
    return out


def text(name: str) -> str:
    return "\n".join(["rate_bit_s,burst_bytes,at_ns,size,passes", *rows(name)]) + "\n"


if __name__ == "__main__":
    VECTORS.mkdir(exist_ok=True)
    for name in SETTINGS:
        (VECTORS / f"{name}.csv").write_text(text(name))
