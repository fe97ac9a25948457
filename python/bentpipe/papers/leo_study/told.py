# SPDX-License-Identifier: MIT OR Apache-2.0
"""How can predictable path changes be leveraged? Controllers that are told of them, and those that are not (G-22)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import bentpipe as bp
from bentpipe import plots
from bentpipe.papers import Effort, Finding, Picture, Row, Runs, Sheet
from bentpipe.papers._measure import bars, goodputs, mean_queue_ms, own_limit, sampled
from bentpipe.papers.leo_study import _ground as ground
from bentpipe.papers.leo_study import _told  # noqa: F401 - registers the controllers
from bentpipe.papers.leo_study._ground import SHELL, Controller
from bentpipe.papers.leo_study.single import PETERSBURG, RIO

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

    from bentpipe.papers._paper import Key


class Told(NamedTuple):
    """A controller that knows of a change, beside one that does not."""

    without: Controller
    knows: Controller
    how: str


PAIRS: dict[str, Told] = {
    "Vegas": Told(
        {"name": "leo-study-vegas", "told": False},
        {"name": "leo-study-vegas", "told": True},
        "the same code with T_PD taken off each RTT",
    ),
    "Copa": Told(
        {"name": "leo-study-copa", "told": False},
        {"name": "leo-study-copa", "told": True},
        "the same code (default mode) with T_PD taken off each RTT",
    ),
    "BBR": Told("bbr1", "leocc", "LeoCC: BBR that probes the RTT and starts up afresh at announced changes"),
    "CUBIC, SaTCP": Told("cubic", "satcp", "SaTCP: CUBIC that recovers sooner around announced changes"),
    "CUBIC, StarQUIC": Told("cubic", "starquic", "StarQUIC: CUBIC that ignores losses around announced changes"),
}


def announced(controller: Controller, seed: int, label: str) -> bp.Scenario:
    """One flow from Rio de Janeiro to Saint Petersburg, changes announced a second ahead."""
    return bp.Scenario(
        name=f"Changes foretold: {label}",
        duration="200 s",
        seed=seed,
        network=bp.Constellation(preset=SHELL, offset=f"{ground.epoch_s(seed):g} s"),
        announce="1 s",
        flows=[
            bp.Flow(
                name=label, from_=RIO, to=PETERSBURG, controller=controller, start=f"{ground.chance(seed, 1):.3f} s"
            )
        ],
        record=bp.Record(interval="off", events=False),
    )


def plan(effort: Effort) -> Mapping[Key, bp.Scenario]:
    """Each controller with the knowledge and without, at the epoch of each seed."""
    return {
        (label, knows, seed): announced(
            told.knows if knows else told.without, seed, f"{label}, {'told' if knows else 'not told'}"
        )
        for label, told in PAIRS.items()
        for knows in (False, True)
        for seed in effort.seeds
    }


@plots.styled
def draw(good: Mapping[tuple[str, bool], bp.Estimate], queue: Mapping[tuple[str, bool], bp.Estimate]) -> Figure:
    """Goodput and queueing delay with the knowledge and without."""
    figure, axes = plots.new(1, 2, width=9.5, height=3.2)
    for axis, values, label in ((axes[0], good, "goodput (Mbit/s)"), (axes[1], queue, "mean queueing delay (ms)")):
        groups = [
            (name, [values[pair, knows] for pair in PAIRS]) for name, knows in (("not told", False), ("told", True))
        ]
        bars(axis, list(PAIRS), groups)
        axis.set(xlabel=label, xlim=(0, None))
    axes[0].legend(fontsize="small", loc="lower left", frameon=True, framealpha=0.8, edgecolor="none")
    return figure


def read(runs: Runs) -> Finding:
    """G-22."""
    good, queue, lines, answers = {}, {}, [], []
    for label, told in PAIRS.items():
        rates = {}
        for knows in (False, True):
            made = runs.of(label, knows)
            own_limit(made)
            rates[knows] = [goodputs(run)[0] for run in made]
            good[label, knows] = sampled(rates[knows])
            queue[label, knows] = sampled([mean_queue_ms(run) for run in made])
        gain = sampled([a - b for a, b in zip(rates[True], rates[False], strict=True)])
        answers.append(f"{label} {gain.mean:+.2f} ± {gain.half_width:.2f}")
        lines.append(
            [
                label,
                told.how,
                good[label, False].text(2),
                good[label, True].text(2),
                gain.text(2),
                queue[label, False].text(1),
                queue[label, True].text(1),
            ]
        )
    head = (
        "controller",
        "what is told",
        "not told, Mbit/s",
        "told, Mbit/s",
        "gain, Mbit/s",
        "queue, not told, ms",
        "queue, told, ms",
    )
    return Finding(
        why="the slides ask without a number. Our gain in Mbit/s of being told, from Rio de Janeiro to Saint Petersburg: "
        + "; ".join(answers)
        + ". Delay-based controllers gain most: their error is to take a longer path for a queue; BBR and CUBIC lose little by not "
        "knowing",
        sheets=[Sheet("An epoch for each seed; 10 Mbit/s, 100 packets", head, lines)],
        pictures=[Picture("With the knowledge and without, 95 % intervals", draw(good, queue))],
        notes=[
            "T_PD is what a terminal can compute from public orbits. It leaves out what else a hop costs (1.2 ms of "
            "serialisation), which a told controller still takes for a queue after a change to more hops.",
            "LeoCC, SaTCP and StarQUIC differ from their parents in more than the announcement.",
        ],
    )


FORETOLD = Row(
    id="G-22",
    place="Unanswered questions",
    what="controllers that know of path changes beside those that do not",
    says="«How can we leverage predictable path changes?»",
    plan=plan,
    read=read,
)
