# SPDX-License-Identifier: MIT OR Apache-2.0
"""The open choices of the paper's calculation: the main reading, other readings, and the three windows in each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import bentpipe as bp
from bentpipe.study import Choice, InReading, Option
from bentpipe_papers.transport import BARE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

#: Section III: round trips in s, first threshold in segments, capacity, segments; equation 4: A.
RTT_SAT_S, RTT_REF_S, GAMMA, A = 2.287, 0.1, 128.0, 0.4
CAPACITY_MBIT_S, MSS_BYTES = 5000.0, 1448.0
RHO = RTT_SAT_S / RTT_REF_S
NAMES = {"hybic": "HYBIC", "cubic": "CUBIC", "hybla": "Hybla"}
#: A segment a second in Mbit/s, a segment in MB.
MBIT, MB = MSS_BYTES * 8e-6, MSS_BYTES * 1e-6


class Reading(NamedTuple):
    """A reading of the paper's calculation of windows.

    Attributes:
        time_from: The time at which t of avoidance begins in equation 4, and the end of slow start: ``start`` or
            ``switch`` (slow start ends by equation 8), ``start, rho gamma`` or ``threshold`` (where W is rho gamma).
        initial: Window at the begin of slow start, in segments.
        beta: The beta in K = cbrt(beta W_max / A); 0 if nothing was lost.
        w_max: HYBIC's W_max in segments.
        cubic: The start of CUBIC: ``slow start``, ``no slow start``, ``t from its end``.
    """

    time_from: str = "start"
    initial: float = 10.0
    beta: float = 0.0
    w_max: float = RHO * GAMMA
    cubic: str = "slow start"


MAIN = Reading()
TIME, K, W_MAX, CUBIC_START = CALCULATION = (
    Choice(
        name="t of avoidance and end of slow start",
        by="the paper's text, after equation 4, and equation 8",
        known="we knew the effect of every option: the windows had been computed in 270 readings (Y-12), and the "
        "reading nearest to Table I was used",
        options=(
            Option("from the start of the transmission", "“elapsed time since the transmission start”", "start"),
            Option("from the switch of equation 8", "RFC 8312, 4.8: since avoidance began", "switch"),
            Option("from RTTref log2 gamma", "Hybla's switch, where W is rho gamma", "threshold"),
            Option(
                "from the start; slow start ends where W is rho gamma",
                "“the time at which W reaches the value rho gamma”; step 4 compares W",
                "start, rho gamma",
            ),
        ),
    ),
    Choice(
        name="K",
        by="the paper's text: K is the time until the window reaches Wmax. Here avoidance begins at Wmax, so K is "
        "0. Equation 4 contains beta, but the paper gives no value, and nothing is lost here",
        known="see the first choice",
        options=(
            Option("0", "nothing is lost, and RFC 8312 (4.8) also sets K to 0 without a loss", 0.0),
            Option("cbrt(0.2 Wmax/A)", "equation 4 as printed, beta of CUBIC's paper (reference 18)", 0.2),
            Option(
                "cbrt(0.3 Wmax/A)",
                "equation 4 as printed, with the fraction that a loss removes in RFC 8312 (reference 19)",
                0.3,
            ),
            Option("cbrt(0.7 Wmax/A)", "equation 4 as printed, with beta of RFC 8312, the fraction that remains", 0.7),
        ),
    ),
    Choice(
        name="Wmax of HYBIC",
        by="the paper's text: “the maximum at the end of the SS”, which ends where W reaches rho gamma",
        known="see the first choice",
        options=(
            Option("rho gamma", "the window that equation 8 aims at", RHO * GAMMA),
            Option("gamma", "step 4 compares W with the threshold gamma", GAMMA),
        ),
    ),
    Choice(
        name="CUBIC's start",
        by="the paper's text: “a very slow increase during the SS (CUBIC)”",
        known=(
            "see the first choice; CUBIC's window is 21,662 to 21,800 segments, except if t starts at the end of its "
            "slow start"
        ),
        options=(
            Option("standard slow start", "RFC 8312", "slow start"),
            Option("none", "equation 4 from the first moment", "no slow start"),
            Option("t from its end", "RFC 8312, 4.8", "t from its end"),
        ),
    ),
)

#: Main reading of Y-15, which the paper does not run: round trips in ms of two flows that share a link, and its buffer.
NEAR_FAR_MS, BUFFER_PACKETS = (100.0, 600.0), 500
ROUND_TRIPS = Choice(
    name="Y-15: round trips",
    by="our choice: the paper never runs two flows together. RTTref is the paper's. 600 ms is a common "
    "geostationary path; the paper's own RTTsat, 2287 ms, is the other option",
    known="we had tried no other round trips",
    options=(
        Option("100 and 600 ms", "the reference path beside a geostationary one", NEAR_FAR_MS),
        Option("100 and 2287 ms", "section III's RTTref and RTTsat", (100.0, 2287.0)),
    ),
)
BUFFER = Choice(
    name="Y-15: buffer",
    by="our choice: half of the far path's bandwidth-delay product",
    known="we had tried no other options",
    options=(
        Option("500 packets", "half a BDP of 600 ms", BUFFER_PACKETS),
        Option("167 packets", "a BDP of the near path", 167),
        Option("1000 packets", "a BDP of 600 ms", 1000),
    ),
)
TCP = Choice(
    name="Y-15: TCP",
    by="Bentpipe's default; the paper's tool, MATLAB, has none",
    known="we had tried no other options",
    options=(
        Option("the minimal TCP", "so that only the rules of the controllers differ", BARE),
        Option("Linux 6.1", "section IV announces a “TCP module in Linux testbed”",
               bp.Tcp(preset="linux", receive_window="unlimited")),
    ),
)  # fmt: skip
STARTS = Choice(
    name="Y-15: starts",
    by="our choice",
    known="we had tried no other options",
    options=(
        Option("within 1 s", "two flows that begin together", 0.0),
        Option("the near flow begins 30 s later", "the far flow has the path alone first", 30.0),
    ),
)
CHOICES = (*CALCULATION, ROUND_TRIPS, BUFFER, TCP, STARTS)

#: The reading that gives Table I's window: t from the switch, and slow start from one segment as equation 4 prints it.
#: It does not count, because section III states “IW=10 seg”.
NEAREST = MAIN._replace(time_from="switch", initial=1.0, cubic="t from its end")
SWITCH, THRESHOLD = "t from the switch of equation 8", "t from RTTref log2 gamma"
#: The other readings by name, each with the reason for which a reviewer would accept it.
OTHERS: dict[str, tuple[Reading, str]] = {
    SWITCH: (
        MAIN._replace(time_from="switch", cubic="t from its end"),
        "In RFC 8312 (4.8), t is the time since the start of avoidance.",
    ),
    THRESHOLD: (
        MAIN._replace(time_from="threshold", cubic="t from its end"),
        "At this time, Hybla leaves slow start with a window of rho gamma.",
    ),
    "Wmax = gamma": (MAIN._replace(w_max=GAMMA), "Step 4 of the implementation compares W with gamma."),
    "K by equation 4, beta 0.2": (
        MAIN._replace(beta=0.2),
        "K is computed as printed, with beta of the cited CUBIC paper.",
    ),
    "K by equation 4, beta 0.3": (
        MAIN._replace(beta=0.3),
        "K is computed as printed. Its beta is the fraction of the window that a loss removes in the cited RFC 8312.",
    ),
    "K by equation 4, beta 0.7": (
        MAIN._replace(beta=0.7),
        "K is computed as printed, with beta of the cited RFC 8312: the fraction of the window that remains after a "
        "loss.",
    ),
    "CUBIC without slow start": (
        MAIN._replace(cubic="no slow start"),
        "CUBIC follows equation 4 from the start, so it has no slow start.",
    ),
    "slow start ends at rho gamma": (
        MAIN._replace(time_from="start, rho gamma"),
        "The text says “the time at which W reaches the value rho gamma”, and step 4 compares W.",
    ),
}


class Windows(NamedTuple):
    """The windows of the three algorithms in segments, at times in s."""

    time_s: NDArray[np.float64]
    hybic: NDArray[np.float64]
    cubic: NDArray[np.float64]
    hybla: NDArray[np.float64]

    def mean(self, name: str) -> float:
        """Mean window in segments."""
        return float(np.mean(getattr(self, name)))

    def at(self, name: str, time_s: float) -> float:
        """Window in segments at the sample nearest to a time."""
        return float(getattr(self, name)[np.abs(self.time_s - time_s).argmin()])


def switch_s(reading: Reading) -> float:
    """Time of the switch in s by equation 8. With an initial window IW, the switch is RTTref log2(IW) earlier."""
    return RTT_REF_S * (math.log2(RHO) + math.log2(GAMMA) - math.log2(reading.initial))


def slow_starts_s(reading: Reading) -> dict[str, float]:
    """Time in s at which the slow start of each algorithm ends."""
    threshold_s = RTT_REF_S * math.log2(GAMMA / reading.initial)
    by_equation_8 = reading.time_from in ("start", "switch")
    return {
        "hybic": switch_s(reading) if by_equation_8 else threshold_s,
        "cubic": 0.0 if reading.cubic == "no slow start" else RTT_SAT_S * math.log2(GAMMA / reading.initial),
        "hybla": threshold_s,
    }


def same_origin(reading: Reading) -> bool:
    """Whether t of HYBIC and t of CUBIC begin alike. The paper has one t for both, after equation 4."""
    return (reading.time_from in ("switch", "threshold")) == (reading.cubic == "t from its end")


def windows(reading: Reading, step_s: float = 0.2) -> Windows:
    """Equation 4 for HYBIC and CUBIC, Caini and Firrincieli 2004 for Hybla, over 60 s in steps of 200 ms."""
    t = np.asarray(np.arange(round(60.0 / step_s) + 1) * step_s, dtype=np.float64)
    initial, threshold_s = reading.initial, RTT_REF_S * math.log2(GAMMA / reading.initial)
    end = slow_starts_s(reading)["hybic"]
    since = end if reading.time_from in ("switch", "threshold") else 0.0
    k = math.cbrt(reading.beta * reading.w_max / A)
    hybic = np.where(t < end, RHO * initial * np.exp2(t / RTT_REF_S), A * (t - since - k) ** 3 + reading.w_max)
    started = slow_starts_s(reading)["cubic"]
    since = started if reading.cubic == "t from its end" else 0.0
    k = math.cbrt(reading.beta * GAMMA / A)
    cubic = np.where(t < started, initial * np.exp2(t / RTT_SAT_S), A * (t - since - k) ** 3 + GAMMA)
    growing = RHO * (RHO * (t - threshold_s) / RTT_SAT_S + GAMMA)
    hybla = np.where(t < threshold_s, RHO * initial * np.exp2(t / RTT_REF_S), growing)
    return Windows(t, hybic, cubic, hybla)


def overtakes_s(reading: Reading) -> float:
    """Time in s at which HYBIC's window passes Hybla's in avoidance, to 10 ms; NaN if not within 60 s."""
    found = windows(reading, 0.01)
    passed = (found.hybic >= found.hybla) & (found.time_s > 2.0)
    return float(found.time_s[passed.argmax()]) if passed.any() else math.nan


def in_others(measure: Callable[[Reading], float]) -> tuple[InReading, ...]:
    main = measure(MAIN)
    return tuple(
        InReading(name=name, why=why, measured=bp.fixed(measure(reading)))
        for name, (reading, why) in OTHERS.items()
        if measure(reading) != main
    )
