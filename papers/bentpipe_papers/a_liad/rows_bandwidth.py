# SPDX-License-Identifier: MIT OR Apache-2.0
"""Abstract and section 5: other bandwidths, and what a convex increase costs (A-31, A-32)."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe.study import Claim, Effort, Finding, Row, Sheet, counts, goodputs, lost_packets
from bentpipe_papers.a_liad import bed
from bentpipe_papers.a_liad.bed import PAPERS, single, utilisation

if TYPE_CHECKING:
    from bentpipe.study import Key, Runs

#: Section 4.1 has 10 and 50 Mbit/s; 25 lies between them.
RATES_MBIT_S = (10.0, 25.0, 50.0)
#: The middle packet error rate of figure 8: without errors a long run is full with any variant.
PER = 1e-3
#: Variants whose window grows faster the larger it is, and the paper's own.
CONVEX, CONCAVE = ("STCP", "HSTCP"), "A-LIAD"


def plan_rates(effort: Effort) -> dict[Key, bp.Scenario]:
    return {
        (rate, per, name, seed): single(name, seed, rate_mbit_s=rate, per=per, duration_s=effort.pick(30.0, 100.0))
        for rate in RATES_MBIT_S
        for per in (0.0, PER)
        for name, seed in bed.each(PAPERS, effort.seeds[:10])
    }


def used(runs: Runs, rate: float, per: float, name: str) -> list[float]:
    """Utilisation in percent, one per seed."""
    return [utilisation(goodputs(run)[0], rate) for run in runs.of(rate, per, name)]


def read_rates(runs: Runs) -> Finding:
    claims, rows = [], []
    for rate in RATES_MBIT_S:
        for per in (0.0, PER):
            share = {name: used(runs, rate, per, name) for name in PAPERS}
            others = [share[name] for name in PAPERS if name != "A-LIAD"]
            middle = [statistics.median(each) for each in zip(*others, strict=True)]
            rows.append([f"{rate:g}", f"{per:g}", *(bp.estimate(share[name]).text(1) for name in PAPERS)])
            claims.append(
                Claim(
                    what=f"{rate:g} Mbit/s, PER {per:g}: use by A-LIAD less that by the median of the others",
                    measured=bp.estimate([a - b for a, b in zip(share["A-LIAD"], middle, strict=True)]),
                    sign=1,
                    unit="points",
                    note="“in different conditions of varying RTT, bandwidth, and PER […] it provides a competitive "
                    "performance in almost all aspects”: competitive is read as above the median",
                )
            )
    above = sum(claim.measured.low > 0.0 for claim in claims)
    below = sum(claim.measured.high < 0.0 for claim in claims)
    return Finding(
        why=f"of {len(claims)} combinations of rate and packet errors A-LIAD is surely above the median of the others "
        "in "
        f"{above}, surely below in {below}",
        claims=claims,
        sheets=[Sheet("Use of one flow over GEO, %", ("Mbit/s", "PER", *PAPERS), rows)],
    )


def plan_convex(effort: Effort) -> dict[Key, bp.Scenario]:
    return {
        (name, seed): single(name, seed, duration_s=300.0, warm_up_s=60.0)
        for name in (*CONVEX, CONCAVE)
        for seed in effort.seeds[:10]
    }


def per_cut(run: bp.Run) -> float:
    """Packets lost to the queue for each reduction of the window, both without the start."""
    return lost_packets([run], "queue")[0] / max(1.0, counts([run], "cuts")[0])


def read_convex(runs: Runs) -> Finding:
    each = {name: [per_cut(run) for run in runs.of(name)] for name in (*CONVEX, CONCAVE)}
    told = ", ".join(f"{name} {bp.estimate(values).text(1)}" for name, values in each.items())
    return Finding(
        why=f"packets lost for each reduction, one flow over GEO without errors: {told}",
        claims=[
            Claim(
                what=f"packets lost to the queue for each reduction, A-LIAD less {name}",
                measured=bp.estimate([a - b for a, b in zip(each[CONCAVE], each[name], strict=True)]),
                sign=-1,
                unit="packets",
                note="“We described that the convex curve is not appropriate for the increasing function of the "
                "congestion "
                "window”: what a window that grows fastest at its largest overflows by is our measure of it",
            )
            for name in CONVEX
        ],
    )


ROWS = (
    Row(
        id="A-31",
        place="abstract, section 5",
        what="utilisation over other bandwidths",
        says="“We performed simulations for intra- and inter-fairness as well as utilization in different conditions "
        "of "
        "varying RTT, bandwidth, and PER.” No figure varies the bandwidth.",
        plan=plan_rates,
        read=read_rates,
    ),
    Row(
        id="A-32",
        place="section 5",
        what="what a convex increase overflows by",
        says="“the convex curve is not appropriate for the increasing function of the congestion window”",
        plan=plan_convex,
        read=read_convex,
    ),
)
