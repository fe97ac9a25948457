# SPDX-License-Identifier: MIT OR Apache-2.0
"""The claims of section 4, row by row, in either topology; and the paper's own arithmetic."""

from __future__ import annotations

import statistics
from functools import cache
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe.study import Claim, confusion, goodput, loss_percent, total_goodput
from bentpipe_papers.hybla_im.bed import PERS

if TYPE_CHECKING:
    from bentpipe.study import Runs
    from bentpipe_papers.hybla_im.bed import Topology

START_S = 10.0
#: Section 4, last paragraph: Hybla-IM over Hybla at each packet error rate, in percent.
PRINTED_RATIO = {PERS[0]: 6.0, PERS[1]: 13.0, PERS[2]: 17.0}
#: The same paragraph: what each loses from the error rate before, in percent.
PRINTED_STEP = {PERS[1]: {"hybla": -13.0, "hybla-im": -7.3}, PERS[2]: {"hybla": -32.0, "hybla-im": -24.0}}


@cache
def implied_ratios() -> dict[float, float]:
    table = bp.model("hybla-im-consistency").table
    return dict(zip(table["packet_error_rate"], table["implied_gain_percent"], strict=True))


def implied_ratio(per: float) -> float:
    """What the paper's other percentages imply for Hybla-IM over Hybla at `per`, in percent (H-22)."""
    return implied_ratios()[per]


def contradiction(per: float, *, tolerance: float = 2.0) -> str:
    """In words, if the paper's printed ratio at `per` is not what its other numbers imply; else empty."""
    printed, implied = PRINTED_RATIO[per], implied_ratio(per)
    if abs(implied - printed) <= tolerance:
        return ""
    return f"the paper prints {printed:+g} %, its other percentages imply {implied:+.1f} %"


def fluctuation(run: bp.Run) -> float:
    """Standard deviation over mean of the goodput per second, after the start."""
    values = [value for time, value in total_goodput(run) if time > START_S]
    return float(statistics.stdev(values) / statistics.fmean(values))


def at_start(run: bp.Run) -> float:
    """Mean goodput of the first 10 s in Mbit/s."""
    return statistics.fmean(value for time, value in total_goodput(run) if time <= START_S)


def ratio_claim(runs: Runs, topology: Topology, per: float) -> Claim:
    """Hybla-IM over Hybla at one packet error rate."""
    improved, hybla = (goodput(runs.of(topology.id, per, name)) for name in ("hybla-im", "hybla"))
    return Claim(
        what=f"{topology.id}, PER {per:g}: throughput, Hybla-IM against Hybla",
        paper=PRINTED_RATIO[per],
        sign=1,
        measured=bp.relative_change(improved, hybla),
        contradiction=contradiction(per),
        implied=implied_ratio(per),
    )


def at_low_error(runs: Runs, topology: Topology) -> list[Claim]:
    """H-18: what figure 4 and its text say."""
    improved, hybla = (runs.of(topology.id, PERS[0], name) for name in ("hybla-im", "hybla"))
    where = f"{topology.id}, PER 1e-4"
    return [
        ratio_claim(runs, topology, PERS[0]),
        Claim(
            what=f"{where}: fluctuation (std/mean of 1 s throughput after 10 s), Hybla-IM against Hybla",
            sign=-1,
            measured=bp.relative_change([fluctuation(run) for run in improved], [fluctuation(run) for run in hybla]),
        ),
        Claim(
            what=f"{where}: throughput of the first 10 s, Hybla against Hybla-IM",
            sign=1,
            measured=bp.relative_change([at_start(run) for run in hybla], [at_start(run) for run in improved]),
        ),
    ]


def losses(runs: Runs, topology: Topology) -> list[Claim]:
    """H-19: what figure 5 and its text say."""
    improved, hybla = (loss_percent(runs.of(topology.id, PERS[0], name)) for name in ("hybla-im", "hybla"))
    change = bp.relative_change(hybla, improved)
    return [Claim(what=f"{topology.id}, PER 1e-4: packet loss rate, Hybla against Hybla-IM", sign=1, measured=change)]


def over_a_step(runs: Runs, topology: Topology, per: float) -> list[Claim]:
    """H-20, H-21: what each loses from the error rate before, and what is left between them."""
    before = PERS[PERS.index(per) - 1]
    claims = [
        Claim(
            what=f"{topology.id}, {name}: throughput at PER {per:g} against {before:g}",
            paper=paper,
            sign=-1,
            measured=bp.relative_change(
                goodput(runs.of(topology.id, per, name)), goodput(runs.of(topology.id, before, name))
            ),
        )
        for name, paper in PRINTED_STEP[per].items()
    ]
    return [*claims, ratio_claim(runs, topology, per)]


def fewer_calls(runs: Runs, topology: Topology) -> list[Claim]:
    """H-24: link errors call congestion control less often. No claim where fewer than two runs had one judged."""
    found = []
    for per in PERS[1:]:
        chosen = runs.of(topology.id, per, "hybla-im")
        spared = [share for share in (confusion(run)["P(E|R)"] for run in chosen) if share is not None]
        if len(spared) < 2:
            continue
        found.append(
            Claim(
                what=f"{topology.id}, PER {per:g}: link errors, of those that Hybla-IM judged, that led to a reduction",
                sign=-1,
                neutral=100.0,
                measured=bp.estimate([100.0 * (1.0 - share) for share in spared]),
                note="under Hybla all do"
                + (f"; n = {len(spared)} of {len(chosen)} runs" if len(spared) < len(chosen) else ""),
            )
        )
    return found


def told_apart(runs: list[bp.Run], what: str) -> list[Claim]:
    """H-15: better than a coin? No claim where fewer than two runs had losses of both causes."""
    judged = [(m["P(C|C)"], m["P(E|R)"]) for m in map(confusion, runs) if None not in m.values()]
    if len(judged) < 2:
        return []
    congestion, error = ([float(pair[at] or 0.0) for pair in judged] for at in (0, 1))
    fewer = f"; n = {len(judged)}: only so many of {len(runs)} runs had losses of both causes"
    return [
        Claim(
            what=f"{what}: causes told apart, P(C|C) + P(E|R) - 1",
            sign=1,
            unit="",
            digits=2,
            measured=bp.estimate([c + e - 1.0 for c, e in zip(congestion, error, strict=True)]),
            note="0 is a coin, 1 is perfect: "
            f"P(C|C) {statistics.fmean(congestion):.2f}, P(E|R) {statistics.fmean(error):.2f}"
            + (fewer if len(judged) < len(runs) else ""),
        )
    ]
