# SPDX-License-Identifier: MIT OR Apache-2.0
"""Copa's own experiment that the slides replicate: ten flows that come and go (G-17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe.study import (
    Effort,
    Finding,
    Picture,
    Row,
    Runs,
    Sheet,
    change_text,
    given,
    jain,
    own_limit,
    sampled,
    series,
)
from bentpipe_papers.leo_study.bed import HYPATIA_TCP, chance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

    from bentpipe.plots import Floats
    from bentpipe.study import Key

#: Label to controller; PCC is read as its successor Vivace.
COMPARED = {"Copa": "copa", "CUBIC": "cubic", "BBR": "bbr1", "PCC Vivace": "vivace"}
_FLOWS, _RATE_MBIT_S, _END_S = 10, 46.0, 21.0
#: Flows start and stop at a second of their own, and up to this later.
SPREAD_S = 0.2


def coming_and_going(controller: str, seed: int, label: str) -> bp.Scenario:
    """A flow more each second, then a flow less each second; who came first leaves first."""
    return bp.Scenario(
        name=f"Ten flows that come and go: {label}",
        duration=f"{_END_S:g} s",
        seed=seed,
        network=bp.Dumbbell(rate=f"{_RATE_MBIT_S:g} Mbit/s", rtt="20 ms", queue="1 BDP"),
        tcp=HYPATIA_TCP,
        flows=[
            bp.Flow(
                name=f"{number}",
                controller=controller,
                start=f"{number + SPREAD_S * chance(seed, number):.3f} s",
                stop=f"{_FLOWS + 1 + number} s",
            )
            for number in range(_FLOWS)
        ],
        record=bp.Record(interval="100 ms", events=False),
    )


def plan(effort: Effort) -> Mapping[Key, bp.Scenario]:
    """Every controller with every seed."""
    return {
        (label, seed): coming_and_going(controller, seed, label)
        for label, controller in COMPARED.items()
        for seed in effort.seeds
    }


def rates(run: bp.Run) -> Floats:
    """Goodput in Mbit/s by flow and second; NaN where the flow was not there for the whole second."""
    seconds = int(_END_S)
    found = np.full((_FLOWS, seconds), np.nan)
    for flow in range(_FLOWS):
        times, values = series(run, "goodput_mbit_s", flow)
        for second in range(flow + 1, min(_FLOWS + 1 + flow, seconds)):
            found[flow, second] = np.nansum(values[(times > second + 1e-6) & (times <= second + 1 + 1e-6)]) / 10.0
    return found


def indices(run: bp.Run) -> list[float]:
    """Jain's index of each second with two flows or more."""
    found = rates(run)
    present = [found[~np.isnan(found[:, second]), second].tolist() for second in range(found.shape[1])]
    return [jain(values) for values in present if len(values) > 1]


@plots.styled
def draw(runs: Runs) -> Figure:
    """Rates of the first seed with the fair share, and the distribution of Jain's index over all seeds."""
    figure, axes = plots.new(2, 3, width=10.5, height=2.6)
    seconds = np.arange(int(_END_S))
    present = np.array([sum(n <= s < _FLOWS + 1 + n for n in range(_FLOWS)) for s in seconds])
    for number, (label, axis) in enumerate(zip(COMPARED, (axes[0], axes[1], axes[3], axes[4]), strict=True)):
        found = rates(runs[label, runs.effort.seeds[0]])
        known = ~np.all(np.isnan(found), axis=0)
        mean, spread = np.nanmean(found[:, known], axis=0), np.nanstd(found[:, known], axis=0)
        x = seconds[known] + 0.5
        axis.plot(x, mean, color=plots.COLOURS[number], label="mean of the flows")
        axis.fill_between(x, mean - spread, mean + spread, color=plots.COLOURS[number], alpha=0.25, linewidth=0)
        axis.step(
            seconds,
            _RATE_MBIT_S / np.maximum(present, 1),
            where="post",
            color="#000000",
            linewidth=0.9,
            label="fair share",
        )
        axis.set(title=f"{label} (band: standard deviation)", yscale="log", ylim=(0.5, 60), xlim=(0, _END_S))
    for number, label in enumerate(COMPARED):
        values = np.sort([index for run in runs.of(label) for index in indices(run)])
        axes[2].step(values, np.linspace(0, 1, values.size), color=plots.COLOURS[number], label=label)
        queues = [series(run, "queueing_delay_ms", flow)[1] for run in runs.of(label) for flow in range(_FLOWS)]
        delays = np.concatenate(queues)
        points = np.sort(delays[~np.isnan(delays)])
        thin = points[:: max(1, points.size // 200)]
        axes[5].plot(thin, np.linspace(0, 1, thin.size), color=plots.COLOURS[number], label=label)
    axes[2].set(title="Jain's index of each second", xlabel="index", ylabel="share of seconds", xlim=(0.2, 1))
    axes[5].set(title="Queueing delay", xlabel="ms", ylabel="share of samples", xlim=(0, 25))
    for axis in (axes[0], axes[3]):
        axis.set(ylabel="Mbit/s")
    for axis in (axes[3], axes[4]):
        axis.set(xlabel="s")
    axes[0].legend(fontsize="x-small")
    axes[2].legend(fontsize="small")
    return figure


def read(runs: Runs) -> Finding:
    """G-17."""
    lines, fair, queue = [], {}, {}
    for label in COMPARED:
        made = runs.of(label)
        own_limit(made)
        fair[label] = [float(np.median(indices(run))) for run in made]
        queue[label] = [
            float(np.nanmean(np.concatenate([series(run, "queueing_delay_ms", f)[1] for f in range(_FLOWS)])))
            for run in made
        ]
        used = [100.0 * given(run.summary["bottleneck"])["utilisation"] for run in made]
        loss = [100.0 * given(run.summary["totals"]["loss_ratio"]) for run in made]
        lines.append(
            [
                label,
                sampled(fair[label]).text(3),
                sampled(queue[label]).text(2),
                sampled(used).text(1),
                sampled(loss).text(2),
            ]
        )
    said = [
        (f"fairer than {other}: median Jain index", bp.relative_change(fair["Copa"], fair[other]))
        for other in ("BBR", "PCC Vivace")
    ]
    said.append(("less delay than CUBIC: queueing delay", bp.relative_change(queue["Copa"], queue["CUBIC"])))
    return Finding(
        why="no claim: the slides show the figure without a number; what Copa's abstract says of it is in "
        "a table. Copa's flows all steer to the same small queue. Median Jain indices: "
        + ", ".join(f"{label} {sampled(fair[label]).mean:.2f}" for label in COMPARED)
        + "; mean queues "
        + ", ".join(f"{sampled(queue[label]).mean:.0f}" for label in COMPARED)
        + " ms. CUBIC against Copa: "
        + f"{change_text(bp.relative_change(fair['CUBIC'], fair['Copa']))} in the index",
        sheets=[
            Sheet(
                "Ten flows that come and go",
                ("controller", "median Jain index", "queueing delay, ms", "utilisation %", "lost %"),
                lines,
            ),
            Sheet(
                "What the abstract of Arun and Balakrishnan says of Copa, and what it is here, against the other",
                ("the abstract", "Copa, here"),
                [[words, change_text(change)] for words, change in said],
            ),
        ],
        notes=["A buffer of one BDP, and Vivace for PCC, are our choice: the slides show the figure alone."],
        pictures=[Picture("Rates as flows come and go (first seed), Jain's index and queue of all seeds", draw(runs))],
    )


ROWS = (
    Row(
        id="G-17",
        place="Copa: replicating results",
        what="Copa's figure of ten flows that come and go: 46 Mbit/s, 20 ms",
        says="a figure from Arun and Balakrishnan (NSDI 2018) beside the authors' own; no number",
        plan=plan,
        read=read,
    ),
)
