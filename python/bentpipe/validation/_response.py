# SPDX-License-Identifier: MIT OR Apache-2.0
"""Facts on response functions: the mean window, or rate, over a link with random losses and without a queue."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bentpipe.validation import _chance, _laws
from bentpipe.validation._facts import Expect, Fact
from bentpipe.validation._readings import mean_window, rate
from bentpipe.validation._scenes import lossy

if TYPE_CHECKING:
    from collections.abc import Callable

    from bentpipe.validation._chance import Rule
    from bentpipe.validation._scenes import Controller

_PERIODIC = (
    "The printed law holds if the number of packets between losses is constant. With independent losses, the epochs "
    "have different lengths."
)
_CUBIC: Controller = {"name": "cubic", "slow_start": "classic", "fast_convergence": False}
#: On a link without a queue, Hoe's estimate is millions of segments. The law is about avoidance, so this start does not
#: use the estimate.
_HYBLA: Controller = {"name": "hybla", "initial_ssthresh": "rho_gamma"}


def _here(rule: Callable[[], Rule], p: float, rtt_ms: float, law: float, scale: float = 1.0) -> Callable[[], Expect]:
    """Return a function that computes the rule under independent losses. `scale` converts windows to the row's unit."""

    def work_out() -> Expect:
        window = _chance.mean_window(rule(), p, rtt_ms / 1e3, law, 1 / p / law)
        return Expect.number(window * scale)

    return work_out


def _window(
    controller: Controller,
    p: float,
    rtt_ms: float,
    law: float,
    rule: Callable[[], Rule],
    source: str,
    *,
    packets: float,
    what: str = "",
    why: str = "",
    quick: bool = False,
) -> Fact:
    """Return a fact on the mean window at loss probability p."""
    return Fact(
        subject=controller if isinstance(controller, str) else str(controller["name"]),
        what=f"mean window at p = {p:.3g}, RTT {rtt_ms:g} ms{', ' + what if what else ''}",
        source=source,
        theory=Expect.number(law),
        here=_here(rule, p, rtt_ms, law),
        scenes=lossy(controller, p, rtt_ms, law, packets),
        measure=mean_window(rtt_ms),
        unit="segments",
        why=why or _PERIODIC,
        quick=quick,
    )


def facts() -> list[Fact]:
    """Return the facts of this family, the longest runs first."""
    return [*_high_speed(), *_hybla(), *_cubic(), *_h_tcp(), *_bic(), *_reno()]


def _reno() -> list[Fact]:
    source = "Mathis et al. 1997; RFC 3649, section 3"
    why = (
        "1.2247/sqrt(p) is the law for periodic losses. With independent losses, the mean is 1.3098/sqrt(p) in the "
        "limit of small p (Ott, Kemperman and Mathis 1996; a closed form), which is 7 % more."
    )
    rows = [
        _window("reno", p, 100, _laws.reno(p), _chance.Aimd, source, packets=packets, why=why, quick=p > 5e-4)
        for p, packets in ((1e-4, 3e6), (1e-3, 5e5))
    ]
    limit = Fact(
        subject="reno",
        what="mean window at p = 0.0001, RTT 100 ms, compared with the closed form for independent losses",
        source="Ott, Kemperman and Mathis 1996",
        theory=Expect.number(_laws.aimd_independent(1e-4)),
        scenes=rows[0].scenes,
        measure=rows[0].measure,
        unit="segments",
    )
    gain = 4.0
    geo = {"name": "geo-reno", "gain_source": "rtt", "rtt_ref": "25 ms"}
    geo_row = _window(
        geo,
        1e-4,
        100,
        _laws.reno(1e-4, gain),
        partial(_chance.Aimd, gain),
        "Muppalaneni, Gupta and Vaddiraju (slides): Reno's growth times g, so sqrt(1.5 g/p)",
        packets=3e6,
        what="gain 4",
        why=why,
    )
    return [*rows, limit, geo_row]


def _high_speed() -> list[Fact]:
    rows = [
        _window("hstcp", p, 100, _laws.hstcp(p), _chance.Hstcp, "RFC 3649, section 5", packets=packets, quick=p > 5e-4)
        for p, packets in ((1e-5, 1e7), (1e-4, 3e6), (1e-3, 5e5))
    ]
    why = (
        "The paper's window of 0.08/p (a/b = 0.08) is the first-order solution. In general, ln W grows by 0.01 per "
        "round trip, and each cut reduces ln W by ln(1/0.875) = 0.1335. Growth and cuts balance at a window of "
        "0.0749/p, because 0.01/0.1335 = 0.0749."
    )
    rows += [
        _window("stcp", p, 100, _laws.stcp(p), _chance.Stcp, "Kelly 2003", packets=packets, why=why, quick=p > 5e-4)
        for p, packets in ((1e-4, 5e6), (1e-3, 5e5))
    ]
    return rows


def _hybla() -> list[Fact]:
    """Return the facts of Hybla, whose rate should be equal for all RTTs."""
    why = (
        "Independent losses raise Hybla's mean rate by up to 7 %. At any RTT, a repair takes one round trip without "
        "growth. This lowers the mean most if an epoch has few round trips (at p = 1e-4: 3 round trips of 600 ms). "
        "With packet spacing at 1.2 W/SRTT, the data in flight grow by at most a fifth per round trip, although "
        "Hybla's rule (rho^2 = 576 segments) would allow more directly after a cut."
    )
    rows = []
    for p, rtt_ms, packets in ((1e-5, 600, 8e6), (1e-4, 100, 3e6), (1e-4, 300, 3e6), (1e-4, 600, 3e6)):
        law = _laws.hybla_rate(p) * rtt_ms / 1e3
        rho = rtt_ms / 25
        rows.append(
            Fact(
                subject="hybla",
                what=f"rate at p = {p:.3g}, RTT {rtt_ms} ms",
                source="Caini and Firrincieli 2004: sqrt(1.5/p)/25 ms",
                theory=Expect.number(_laws.hybla_rate(p)),
                here=_here(partial(_chance.Aimd, rho * rho, spread=1.2), p, rtt_ms, law, 1e3 / rtt_ms),
                scenes=lossy(_HYBLA, p, rtt_ms, law, packets),
                measure=rate(rtt_ms),
                unit="segments/s",
                why=why,
            )
        )
    return rows


def _cubic() -> list[Fact]:
    source = "RFC 9438, section 5.1"
    return [
        _window(
            _CUBIC,
            p,
            rtt_ms,
            _laws.cubic(p, rtt_ms / 1e3),
            partial(_chance.Cubic, rtt_ms / 1e3, _laws.cubic(p, rtt_ms / 1e3)),
            source,
            packets=packets,
            what=what,
            quick=rtt_ms == 10,
        )
        for p, rtt_ms, packets, what in (
            (1e-4, 100, 3e6, "cubic region"),
            (1e-4, 600, 3e6, "cubic region"),
            (1e-3, 100, 1e6, "end of the Reno-friendly region"),
            (1e-3, 10, 1e6, "Reno-friendly region"),
        )
    ]


def _h_tcp() -> list[Fact]:
    source = "Shorten and Leith 2004: alpha(D), beta = RTTmin/RTTmax <= 0.8; periodic epoch"
    rows = []
    for p, packets in ((1e-5, 8e6), (1e-4, 3e6)):
        law = _laws.htcp(p, 0.1, 0.8)
        for switch in (True, False):
            why = (
                "With independent losses, the throughput usually changes by more than a fifth from one loss event to "
                "the next. By the paper's rule, H-TCP then uses beta = 0.5 instead of 0.8."
                if switch
                else "In longer epochs, H-TCP's alpha also grows with the square of the time since the last loss."
            )
            rows.append(
                _window(
                    "h-tcp" if switch else {"name": "h-tcp", "bandwidth_switch": False},
                    p,
                    100,
                    law,
                    partial(_chance.HTcp, 0.1, switch=switch),
                    source,
                    packets=packets,
                    what="" if switch else "without the throughput rule",
                    why=f"{_PERIODIC} {why}",
                )
            )
    return rows


def _bic() -> list[Fact]:
    why = (
        f"{_PERIODIC} With periodic losses, BIC's epoch ends at the old maximum. With independent losses, the window "
        "often exceeds the old maximum, and BIC then probes in steps of up to 32 segments per round trip."
    )
    rows = []
    for w_max, packets in ((1000.0, 5e6), (100.0, 2e6)):
        p, law = _laws.bic(w_max)
        source = f"Xu et al. 2004: epoch at W_max = {w_max:.0f}"
        rows.append(_window("bic", p, 100, law, partial(_chance.Bic, law), source, packets=packets, why=why))
    return rows
