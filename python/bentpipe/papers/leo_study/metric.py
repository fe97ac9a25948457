# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which metric is «71.8 % fairness», and which queue would make it (G-15)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bentpipe.papers import Finding, Row, Runs, Sheet
from bentpipe.papers._measure import mean_known, sampled, series
from bentpipe.papers.leo_study import _ground as ground
from bentpipe.papers.leo_study._ground import WASHINGTON
from bentpipe.papers.leo_study._pairs import TORONTO_KM, number, plan

if TYPE_CHECKING:
    import bentpipe as bp

#: The slides' round trips and fairness.
LONG_MS, SHORT_MS, RENO, GEO = 105.0, 11.0, 0.718, 0.858
#: 100 packets of 1500 bytes at 10 Mbit/s.
BUFFER_MS = 120.0


def ratio_of_jain(index: float) -> float:
    """Smaller over larger of two rates x, 1 whose Jain index is (1 + x)²/(2 (1 + x²)).

    From (2J - 1) x² - 2x + (2J - 1) = 0.
    """
    k = 2.0 * index - 1.0
    return (1.0 - math.sqrt(1.0 - k * k)) / k


def queue_needed_ms(ratio: float, *, synchronised: bool) -> float:
    """The queue at which two Reno flows over 105 and 11 ms share by `ratio`.

    Rates go as 1/(R + q) where losses hit the flows independently (Mathis and others 1997, by each flow's own loss
    rate), as 1/(R + q)² where both lose at the same moments (Lakshman and Madhow 1997). Solved for q.
    """
    root = math.sqrt(ratio) if synchronised else ratio
    return (root * LONG_MS - SHORT_MS) / (1.0 - root)


def share_ratio(queue_ms: float, gain: float, *, synchronised: bool) -> float:
    """Rate of the longer path over that of the shorter at that queue, the longer growing `gain` times as fast.

    √gain/(R + q) where losses are independent, gain/(R + q)² where they coincide.
    """
    trips = (SHORT_MS + queue_ms) / (LONG_MS + queue_ms)
    return gain * trips**2 if synchronised else math.sqrt(gain) * trips


def read(runs: Runs) -> Finding:
    """G-15."""
    jain = ratio_of_jain(RENO)
    readings = {"smaller over larger": RENO, "Jain's index": jain}
    lines = []
    for metric, ratio in readings.items():
        for synchronised in (False, True):
            needed = queue_needed_ms(ratio, synchronised=synchronised)
            fits = "no queue at all is too much" if needed < 0.0 else "yes" if needed <= BUFFER_MS else "no"
            geo = share_ratio(max(needed, 0.0), LONG_MS / SHORT_MS, synchronised=synchronised)
            index = (1.0 + geo) ** 2 / (2.0 * (1.0 + geo * geo))
            fairness = index if metric.startswith("Jain") else min(geo, 1.0 / geo)
            lines.append(
                [
                    metric,
                    "coincide" if synchronised else "independent",
                    f"{ratio:.3f}",
                    f"{needed:.0f}",
                    fits,
                    f"{100 * fairness:.0f}",
                ]
            )
    made = runs.of("Reno")
    fair = [ground.fairness(run) for run in made]
    queue = [mean_sharing_queue_ms(run) for run in made]
    q, measured = sampled(queue), sampled(number(fair, "ratio_sharing"))
    bounds = [100.0 * share_ratio(q.mean, 1.0, synchronised=s) for s in (True, False)]
    return Finding(
        why=f"as smaller over larger, 71.8 % needs a queue of {queue_needed_ms(RENO, synchronised=False):.0f} to "
        f"{queue_needed_ms(RENO, synchronised=True):.0f} ms where 100 packets make {BUFFER_MS:g}; as Jain's index "
        f"{queue_needed_ms(jain, synchronised=False):.0f} to {queue_needed_ms(jain, synchronised=True):.0f} ms. "
        f"Measured while sharing: a queue of {q.text(0, 'ms')}, a ratio of {measured.text(0, '%')} (the laws at that "
        f"queue: {bounds[0]:.0f} to {bounds[1]:.0f} %) and a Jain index of "
        f"{sampled(number(fair, 'jain_sharing')).text(0, '%')}. As a ratio 71.8 % comes only with the time in which "
        "the two do not share; Jain's index while sharing needs no such time (G-14 has both for Geo-Reno)",
        sheets=[
            Sheet(
                "The queue that each reading needs (105 and 11 ms), and what it makes of Geo-Reno with a gain of 9.5",
                (
                    "metric",
                    "losses",
                    "rates, smaller over larger",
                    "queue needed, ms",
                    "fits in 120 ms",
                    "Geo-Reno, % of the metric",
                ),
                lines,
            )
        ],
    )


def mean_sharing_queue_ms(run: bp.Run) -> float:
    """Mean queueing delay of the two flows while they share a link, ms."""
    intervals = ground.sharing(run)
    means = []
    for flow in (0, 1):
        times, values = series(run, "queueing_delay_ms", flow)
        means.append(mean_known(values[ground.within(times.tolist(), intervals)]))
    return sum(means) / len(means)


METRIC = Row(
    id="G-15",
    place="Metrics used to evaluate: Fairness Ratio",
    what="which metric, and the queue that it needs",
    says="«ratio of bandwidth utilized by both flows»: 71.9 and 85.8 %",
    plan=plan(WASHINGTON, TORONTO_KM, "Reno"),
    read=read,
)
