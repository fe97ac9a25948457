# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which metric is “71.8 % fairness”, and which queue would give it (G-15); the conclusion (G-23)."""

from __future__ import annotations

from itertools import product

import bentpipe as bp
from bentpipe import study as st
from bentpipe_papers.leo_study import bed
from bentpipe_papers.leo_study.bed import BUFFER_MS, PATHS, QUEUE_PACKETS, WASHINGTON
from bentpipe_papers.leo_study.pairs import RENO_PERCENT, TORONTO_KM, mean, plan

#: Geo-Reno's gain on the longer path, by round trips and by distances.
GAINS = (9.55, 21.5)
METRICS = {"smaller over larger": "min_over_max", "Jain's index": "jain"}
LOSSES = {"independent": "apart", "coincide": "together"}


def queues_needed() -> dict[tuple[str, str], float]:
    """The queueing delay in ms at which two Reno flows have the slides' shares, by metric and by law of losses."""
    facts = model().facts
    return {
        (metric, losses): facts[f"queue_for_{column}_losses_{law}_ms"]
        for (metric, column), (losses, law) in product(METRICS.items(), LOSSES.items())
    }


def shares(queue_ms: float) -> dict[str, float]:
    table = model(queue_ms).table
    return {losses: table[f"min_over_max_losses_{law}_percent"][0] for losses, law in LOSSES.items()}


def model(queue_ms: float = BUFFER_MS) -> bp.Model:
    return bp.model(
        "fair-share",
        rtt_ms=[rtt_ms for _, rtt_ms in PATHS.values()],
        queue_ms=queue_ms,
        fairness_percent=RENO_PERCENT,
        gain_of_longer=GAINS,
    )


@st.reads(
    id="G-15",
    place="Metrics used to evaluate: Fairness Ratio",
    what="the fairness metric, and the queue that it needs",
    says="The “Ratio of bandwidth utilized by both flows” is 71.9 and 85.8 %",
    plan=plan(WASHINGTON, TORONTO_KM, "Reno"),
)
def read(runs: st.Runs) -> st.Finding:
    queues, facts = queues_needed(), model().facts
    lines = []
    for (metric, losses), queue_ms in queues.items():
        key = f"{METRICS[metric]}_losses_{LOSSES[losses]}"
        geo = [
            f"{facts[f'{key}_at_that_queue_with_gain_{gain:g}_percent']:.0f} "
            f"({facts[f'{key}_longer_over_shorter_with_gain_{gain:g}']:.1f})"
            for gain in GAINS
        ]
        fits = "yes" if queue_ms <= BUFFER_MS else "no"
        lines.append([metric, losses, f"{shares(queue_ms)[losses]:.0f}", f"{queue_ms:.0f}", fits, *geo])
    made = runs.of("Reno")
    fair = [bed.fairness(run) for run in made]
    queue = [mean_sharing_queue_ms(run) for run in made]
    q, measured = st.sampled(queue), mean(fair, "ratio_sharing")
    bounds = sorted(shares(q.mean).values())
    by_ratio, by_jain = ([queues[metric, losses] for losses in LOSSES] for metric in METRICS)
    return st.found(
        "This row examines a definition and has no claim. A queue makes the round trips more equal. If 71.8 % is the "
        f"smaller goodput divided by the larger, the flows need a queueing delay of {by_ratio[0]:.0f} to "
        f"{by_ratio[1]:.0f} ms; if 71.8 % is Jain's index, {by_jain[0]:.0f} to {by_jain[1]:.0f} ms. A queue of "
        f"{QUEUE_PACKETS} packets gives at most {BUFFER_MS:.0f} ms. While our flows share a link, the queueing delay "
        f"is {q.text(0, 'ms')}, the ratio {measured.text(0, '%')} (the models give {bounds[0]:.0f} to "
        f"{bounds[1]:.0f} %), and Jain's index {mean(fair, 'jain_sharing').text(0, '%')}. The ratio is 71.8 % only "
        "if the time in which the flows share no link is included",
        st.Sheet(
            "Queueing delay that each reading of 71.8 % needs (round trips of 105 and 11 ms; model “fair-share”), "
            "and Geo-Reno's result with this delay: the metric in percent, and (in parentheses) the rate of the "
            "longer path divided by that of the shorter",
            (
                *("metric", "losses", "smaller over larger %", "queue needed, ms", f"fits in {BUFFER_MS:.0f} ms"),
                *(f"Geo-Reno, gain {gain:g}" for gain in GAINS),
            ),
            lines,
        ),
    )


def mean_sharing_queue_ms(run: bp.Run) -> float:
    intervals = bed.sharing(run)
    means = []
    for flow in (0, 1):
        times, values = st.series(run, "queueing_delay_ms", flow)
        means.append(st.mean_known(values[bed.within(times.tolist(), intervals)]))
    return sum(means) / len(means)


@st.reads(
    id="G-23",
    place="Conclusion",
    what="what the conclusion says about the work",
    says="The work contains a loss-based variant with a simple geodesic modification, Copa and other CCAs on Hypatia",
)
def read_conclusion(_: st.Runs) -> st.Finding:
    lines = [
        ["loss-based variant by geodesic distance", "G-09 to G-14"],
        ["Hybla on Hypatia", "G-08"],
        ["Copa on Hypatia", "G-16 to G-18"],
        ["BBR on Hypatia", "G-19"],
    ]
    return st.found(
        "The conclusion summarises the slides and makes no claim of its own. The table lists the rows that measure "
        "its parts",
        st.Sheet("Subjects of the conclusion, and the rows that measure them", ("part", "rows"), lines),
    )
