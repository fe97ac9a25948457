# SPDX-License-Identifier: MIT OR Apache-2.0
"""The reduction of the window at a loss, and its growth afterwards."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bentpipe.validation import _laws
from bentpipe.validation._facts import Expect, Fact
from bentpipe.validation._readings import cuts, mean, phases, series, values
from bentpipe.validation._scenes import bdp_packets, lossy, narrow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe import Run
    from bentpipe.validation._readings import Reading
    from bentpipe.validation._scenes import Controller, Scenes


def facts() -> list[Fact]:
    """Return the facts of this family."""
    return [*_growth(), *_cuts()]


def _random(controller: Controller, per: float) -> Scenes:
    """Return scenarios with 100 Mbit/s, 100 ms, and a queue of one BDP, which rarely fills because of losses."""
    return narrow(controller, rate_mbit=100, rtt_ms=100, queue="1 BDP", seconds=60, per=per)


def _ratio_of_cuts(runs: Sequence[Run]) -> float:
    return mean([after / before for _, before, after in cuts(runs[0], 5.0)])


def _cuts() -> list[Fact]:
    full = bdp_packets(100, 100)
    rows = [
        Fact(
            subject="veno",
            what="window kept at a random loss, queue empty",
            source="Fu and Liew 2003: 4/5",
            theory=Expect.number(0.8),
            scenes=_random("veno", 2e-4),
            measure=_ratio_of_cuts,
            quick=True,
        ),
        Fact(
            subject="veno",
            what="window kept when the queue overflows, 10 Mbit/s, 50 ms, 1 BDP",
            source="Fu and Liew 2003: 1/2",
            theory=Expect.number(0.5),
            scenes=narrow("veno", rate_mbit=10, rtt_ms=50, queue="1 BDP", seconds=120),
            measure=_ratio_of_cuts,
        ),
        Fact(
            subject="westwood",
            what="window after a loss on a full link, divided by BDP, 100 Mbit/s, 100 ms, p = 0.0001",
            source="Mascolo et al. 2001: B RTTmin",
            theory=Expect.number(1.0),
            scenes=_random("westwood", 1e-4),
            measure=lambda runs: mean([after / full for _, before, after in cuts(runs[0], 5.0) if before >= full]),
        ),
        Fact(
            subject="westwood-plus",
            what='window kept at a random loss, queue empty, reading "paper"',
            source="Grieco and Mascolo 2004: B RTTmin, which is W if the queue is empty",
            theory=Expect.number(1.0),
            scenes=_random({"name": "westwood-plus", "reading": "paper"}, 2e-4),
            measure=lambda runs: mean([after / before for _, before, after in cuts(runs[0], 5.0) if before < full]),
        ),
    ]
    rows += [
        Fact(
            subject=name,
            what="window kept at a loss",
            source=source,
            theory=Expect.number(kept),
            scenes=_random(name, 2e-4),
            measure=_ratio_of_cuts,
            quick=name in ("reno", "stcp"),
        )
        for name, source, kept in (
            ("reno", "RFC 5681, equation 4", 0.5),
            ("cubic", "RFC 9438, section 4.6: beta 0.7", 0.7),
            ("stcp", "Kelly 2003: 7/8", 0.875),
            ("bic", "Xu et al. 2004: 7/8", 0.875),
        )
    ]
    return rows


def _free_stretches(run: Run, at_least_s: float) -> list[tuple[float, float, float]]:
    """Return long spans without a cut: (end of the repair, next cut or end of the run, kept share of the window).

    Spans after a timeout are left out, because a timeout leaves one segment with every rule for losses.
    """
    found = cuts(run)
    timed_out = set(values(run.events, "time_s", event="timeout"))
    ends = phases(run, "avoidance")
    untils = [*(time for time, _, _ in found[1:]), float(run.summary["provenance"]["duration_s"])]
    stretches = []
    for (time, before, after), until in zip(found, untils, strict=False):
        begin = next((end for end in ends if end > time), math.inf)
        if until - begin >= at_least_s and time not in timed_out:
            stretches.append((begin, until, after / before))
    return stretches


def _stcp_rounds(runs: Sequence[Run]) -> float:
    """Return the number of round trips until the window is as before a loss.

    The number is computed from the growth over ten round trips and the kept share of the window.
    """
    (run,) = runs
    window = series(run.flows, "cwnd_segments")
    found = []
    for begin, _, kept in _free_stretches(run, 1.2):
        first = next(w for t, w in window if t >= begin + 0.1)
        last = next(w for t, w in window if t >= begin + 1.1)
        if first > 50:
            found.append(math.log(1 / kept) / (math.log(last / first) / 10))
    return mean(found)


def _htcp_alpha(d_s: float) -> Reading:
    """Return a function that reads the growth per round trip `d_s` seconds after a repair, scaled to beta = 0.5.

    The growth in segments is divided by 2 (1 - beta).
    """

    def read(runs: Sequence[Run]) -> float:
        (run,) = runs
        window = series(run.flows, "cwnd_segments")
        found = []
        for begin, _, kept in _free_stretches(run, d_s + 0.5):
            inside = [w for t, w in window if begin + d_s - 0.3 <= t <= begin + d_s + 0.31]
            found.append((inside[-1] - inside[0]) / (len(inside) - 1) / (2 * (1 - kept)))
        return mean(found)

    return read


def _growth() -> list[Fact]:
    h_tcp = {"name": "h-tcp", "rtt_scaling": False}
    rows = [
        Fact(
            subject="h-tcp",
            what=f"growth per round trip, at a time D = {d_s} s after a repair, 100 ms",
            source="Shorten and Leith 2004: 1 + 10 (D - 1) + ((D - 1)/2)^2",
            theory=Expect.number(_laws.htcp_growth(d_s)),
            scenes=lossy(h_tcp, 4e-6, 100, 4000, 4e6, record=True),
            measure=_htcp_alpha(d_s),
            unit="segments",
        )
        for d_s in (2, 5, 11)
    ]
    rows.append(
        Fact(
            subject="stcp",
            what="round trips until the window is as large as before a loss",
            source="Kelly 2003: ln(8/7)/ln(1.01)",
            theory=Expect.number(_laws.stcp_recovery_rounds()),
            scenes=lossy("stcp", 1e-4, 100, 800, 1e6, record=True),
            measure=_stcp_rounds,
            unit="round trips",
            quick=True,
        )
    )
    return rows
