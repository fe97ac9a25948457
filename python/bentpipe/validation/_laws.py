# SPDX-License-Identifier: MIT OR Apache-2.0
"""Response functions as published: mean window in segments, or rate, at loss probability p. Pure arithmetic."""

from __future__ import annotations

import functools
import math


def reno(p: float, gain: float = 1.0) -> float:
    """Periodic losses: sqrt(3/2)/sqrt(p) (Mathis et al. 1997, one ACK per segment); `gain` segments per round trip."""
    return math.sqrt(1.5 * gain / p)


def aimd_independent(p: float) -> float:
    """Independent losses: 1.3098/sqrt(p), the mean over time (Ott, Kemperman and Mathis 1996).

    As a function of packets, the square of the window grows by 2 and falls to a quarter at a loss. So before a loss it
    is (2/p) S with S = sum over k of E_k/4^k, E_k exponential with mean 1. A loss halves W, which takes W/2 round trips
    to regain, while 1/p packets are sent: the mean window is (2/p)/E[W] = sqrt(2/p)/E[sqrt S]. S has a hypoexponential
    law with rates 4^k, of which E[sqrt S] is a sum of known terms.
    """
    terms = 30
    mean_root = 0.0
    for k in range(terms):
        weight = math.prod(1 / (1 - 4.0 ** (k - j)) for j in range(terms) if j != k)
        mean_root += weight * math.gamma(1.5) * 2.0**-k
    return math.sqrt(2 / p) / mean_root


def hstcp(p: float) -> float:
    """RFC 3649, section 5: 0.12/p^0.835, and Reno's 1.2/sqrt(p) where that is larger (Low_Window is 38)."""
    return max(0.12 / math.pow(p, 0.835), 1.2 / math.sqrt(p))


def stcp(p: float) -> float:
    """Kelly 2003: a/b = 0.01/0.125 = 0.08 over p."""
    return 0.08 / p


def cubic(p: float, rtt_s: float) -> float:
    """RFC 9438, section 5.1, at C = 0.4, beta = 0.7; Reno's 1.2/sqrt(p) where that is larger."""
    c, beta = 0.4, 0.7
    return max(math.pow(c * (3 + beta) / (4 * (1 - beta)), 0.25) * math.pow(rtt_s / p, 0.75), 1.2 / math.sqrt(p))


def hybla_rate(p: float) -> float:
    """Caini and Firrincieli 2004: Reno's rate over the reference path of 25 ms, segments/s, whatever the RTT."""
    return reno(p) / 0.025


@functools.cache
def htcp(p: float, rtt_s: float, beta: float) -> float:
    """Shorten and Leith 2004, periodic losses: the epoch that sends 1/p segments and ends where it began.

    alpha(D) = 2 (1 - beta) max(1, f(D) RTT/100 ms), f(D) = 1 + 10 (D - 1) + ((D - 1)/2)^2 from D = 1 s on, the scale
    within [0.1, 2]. The window of a loss after an epoch of T seconds follows from (1 - beta) W = growth(T).
    """
    scale = min(max(rtt_s / 0.1, 0.1), 2.0)
    steps = 20_000

    def sent(epoch_s: float) -> tuple[float, float]:
        dt = epoch_s / steps
        grown, area = 0.0, 0.0
        for step in range(steps):
            late = max((step + 0.5) * dt - 1.0, 0.0)
            grown += 2 * (1 - beta) * max(1.0, (1 + 10 * late + late * late / 4) * scale) * dt / rtt_s
            area += grown * dt / rtt_s
        low = beta * grown / (1 - beta)
        return low * epoch_s / rtt_s + area, epoch_s

    short, long = rtt_s, 1e4
    for _ in range(40):
        middle = math.sqrt(short * long)
        short, long = (middle, long) if sent(middle)[0] < 1 / p else (short, middle)
    packets, seconds = sent(short)
    return packets / seconds * rtt_s


def bic(w_max: float) -> tuple[float, float]:
    """Xu et al. 2004: p and mean window of the deterministic epoch from a loss at `w_max` to the return there.

    S_max = 32, S_min = 0.01, beta = 0.125: steps of S_max per round while the midpoint is farther, then halving.
    """
    w, packets, rounds = 0.875 * w_max, 0.0, 0
    while w < w_max:
        packets, rounds = packets + w, rounds + 1
        w += min(max((w_max - w) / 2, 0.01), 32.0)
    return 1 / packets, packets / rounds


def stcp_recovery_rounds() -> float:
    """Kelly 2003: round trips that regain a loss, ln(1/(1 - b))/ln(1 + a)."""
    return math.log(1 / 0.875) / math.log(1.01)


def htcp_growth(d_s: float) -> float:
    """Shorten and Leith 2004: alpha at `d_s` seconds after the event, beta = 0.5 and no scaling with the RTT."""
    late = max(d_s - 1.0, 0.0)
    return 1 + 10 * late + (late / 2) ** 2
