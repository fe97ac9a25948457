# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute published response functions: mean window in segments, or rate, at loss probability p."""

from __future__ import annotations

import functools
import math


def reno(p: float, gain: float = 1.0) -> float:
    """Return Reno's mean window under periodic losses, sqrt(3/2)/sqrt(p), for a growth of `gain` per round trip.

    Source: Mathis et al. 1997, with one ACK per segment.
    """
    return math.sqrt(1.5 * gain / p)


def aimd_independent(p: float) -> float:
    """Return Reno's mean window over time under independent losses, 1.3098/sqrt(p) (Ott, Kemperman and Mathis 1996).

    The square of the window grows by 2 with each packet, and a loss divides it by 4. Before a loss, the square is
    therefore (2/p) S, where S is the sum over k of E_k/4^k, and each E_k is exponential with mean 1. A loss halves W.
    To regain W/2 takes W/2 round trips, in which 1/p packets are sent. The mean window is therefore (2/p)/E[W] =
    sqrt(2/p)/E[sqrt S]. S has a hypoexponential distribution with rates 4^k, for which E[sqrt S] is a sum of known
    terms.
    """
    terms = 30
    mean_root = 0.0
    for k in range(terms):
        weight = math.prod(1 / (1 - 4.0 ** (k - j)) for j in range(terms) if j != k)
        mean_root += weight * math.gamma(1.5) * 2.0**-k
    return math.sqrt(2 / p) / mean_root


def hstcp(p: float) -> float:
    """Return HighSpeed TCP's mean window: the larger of 0.12/p^0.835 and Reno's 1.2/sqrt(p).

    Source: RFC 3649, section 5. Low_Window is 38.
    """
    return max(0.12 / math.pow(p, 0.835), 1.2 / math.sqrt(p))


def stcp(p: float) -> float:
    """Return Scalable TCP's mean window, a/(b p) = 0.08/p with a = 0.01 and b = 0.125 (Kelly 2003)."""
    return 0.08 / p


def cubic(p: float, rtt_s: float) -> float:
    """Return the larger of CUBIC's mean window (RFC 9438, section 5.1, C = 0.4, beta = 0.7) and Reno's 1.2/sqrt(p)."""
    c, beta = 0.4, 0.7
    return max(math.pow(c * (3 + beta) / (4 * (1 - beta)), 0.25) * math.pow(rtt_s / p, 0.75), 1.2 / math.sqrt(p))


def hybla_rate(p: float) -> float:
    """Return Hybla's rate in segments/s, which is Reno's rate over 25 ms at every RTT (Caini and Firrincieli 2004)."""
    return reno(p) / 0.025


@functools.cache
def htcp(p: float, rtt_s: float, beta: float) -> float:
    """Return H-TCP's mean window under periodic losses (Shorten and Leith 2004).

    An epoch sends 1/p segments and ends with the window of the previous loss. The paper's alpha is alpha(D) =
    2 (1 - beta) max(1, f(D) scale), with f(D) = 1 + 10 (D - 1) + ((D - 1)/2)^2 from D = 1 s on, and scale = RTT/100 ms
    within [0.1, 2]. The window W at a loss after an epoch of T seconds follows from (1 - beta) W = growth(T).
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
    """Return the loss rate p and BIC's mean window in segments, over one period without randomness.

    The period lasts from a loss at the window `w_max` until the window is `w_max` again.

    While the midpoint is farther away than S_max = 32, the window grows by S_max per round. Then each step halves the
    distance, down to S_min = 0.01. beta is 0.125. Source: Xu et al. 2004.
    """
    w, packets, rounds = 0.875 * w_max, 0.0, 0
    while w < w_max:
        packets, rounds = packets + w, rounds + 1
        w += min(max((w_max - w) / 2, 0.01), 32.0)
    return 1 / packets, packets / rounds


def stcp_recovery_rounds() -> float:
    """Return the number of round trips in which Scalable TCP regains a loss, ln(1/(1 - b))/ln(1 + a) (Kelly 2003)."""
    return math.log(1 / 0.875) / math.log(1.01)


def htcp_growth(d_s: float) -> float:
    """Return H-TCP's alpha at `d_s` seconds after a loss, with beta = 0.5 and no scaling with the RTT.

    Source: Shorten and Leith 2004.
    """
    late = max(d_s - 1.0, 0.0)
    return 1 + 10 * late + (late / 2) ** 2
