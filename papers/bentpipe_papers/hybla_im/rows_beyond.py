# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the paper leaves for later, and what it names beside Hybla (H-26, H-27)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe.study import (
    Finding,
    Picture,
    Row,
    Sheet,
    change_text,
    confusion,
    counts,
    goodput,
    loss_percent,
    means_of,
    totals,
)
from bentpipe_papers.hybla_im.bed import HYBLA, HYBLA_IM, PAIR, PERS, T1, T2, pairs, scenario, ways

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

    from bentpipe.study import Effort, Key, Runs
    from bentpipe_papers.hybla_im.bed import Topology

CONTROLLERS: dict[str, dict[str, object]] = {
    "hybla": HYBLA,
    "hybla-im": HYBLA_IM,
    "hybla-im without oracle": {**HYBLA_IM, "oracle": False},
}
#: Length of a first look, and one that has a change of the path in most runs.
HANDOVERS_S = (100.0, 240.0)
COSTS: dict[str, bp.Handover | None] = {
    "no outage": None,
    "200 ms, packets wait": bp.Handover(outage="200 ms", during="hold"),
    "200 ms, packets are lost": bp.Handover(outage="200 ms", during="lose"),
}


def plan_handovers(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {
        (cost, name, seed): scenario(
            T2,
            PERS[1],
            controller,
            seed,
            name=f"{name}, {cost}",
            duration=f"{effort.pick(*HANDOVERS_S):g} s",
            handover=handover,
            record=bp.Record(interval="1 s", events=False) if seed in effort.seeds[:2] else None,
        )
        for cost, handover in COSTS.items()
        for name, controller in CONTROLLERS.items()
        for seed in effort.seeds
    }


def mean_or_dash(values: list[float | None]) -> str:
    known = [value for value in values if value is not None]
    return bp.estimate(known).text(2) if len(known) > 1 else "–"


def change_count(seed: int, duration_s: float) -> int:
    """How often the path of a seed's runs changes, as routes are computed every 10 s."""
    return sum(a != b for a, b in itertools.pairwise(ways(seed, duration_s)))


def moments(run: bp.Run) -> list[float]:
    """When the path changed, s."""
    rows = zip(run.paths["time_s"], run.paths["changed"], strict=True)
    return sorted({float(time) for time, changed in rows if changed and time > 0.0})


@plots.styled
def draw_handovers(runs: Runs) -> Figure:
    figure, axes = plots.new(len(COSTS), 1, height=1.9)
    seconds = runs.effort.pick(*HANDOVERS_S)
    seed = max(runs.effort.seeds[:2], key=lambda seed: change_count(seed, seconds))
    colours = dict(zip(CONTROLLERS, (plots.COLOURS[1], plots.COLOURS[0], plots.COLOURS[2]), strict=True))
    for axis, cost in zip(axes, COSTS, strict=True):
        for name, colour in colours.items():
            run = runs[cost, name, seed]
            times, rate = plots.over_time(run.flows, "goodput_mbit_s")
            axis.plot(times, plots.smooth(rate, 3), color=colour, label=name, linewidth=0.9)
        for time in moments(runs[cost, "hybla", seed]):
            axis.axvline(time, color="#555555", linestyle=":", linewidth=0.9)
        axis.set(title=f"{cost}; dotted: the path changes", ylabel="Mbit/s", ylim=(0, None))
    axes[-1].set(xlabel="s")
    axes[0].legend(fontsize="small", ncols=3, loc="lower right")
    return figure


def read_handovers(runs: Runs) -> Finding:
    rows, gains = [], {}
    for cost in COSTS:
        base = goodput(runs.of(cost, "hybla"))
        for name in CONTROLLERS:
            chosen = runs.of(cost, name)
            good = goodput(chosen)
            gains[cost, name] = bp.relative_change(good, base)
            matrices = [confusion(run) for run in chosen]
            rows.append(
                [
                    cost,
                    name,
                    bp.estimate(good).text(2),
                    "–" if name == "hybla" else change_text(gains[cost, name]),
                    bp.estimate(loss_percent(chosen, "outage")).text(3),
                    bp.estimate(counts(chosen, "timeouts")).text(1),
                    bp.estimate(counts(chosen, "cuts")).text(0),
                    mean_or_dash([matrix["P(C|C)"] for matrix in matrices]),
                    mean_or_dash([matrix["P(E|R)"] for matrix in matrices]),
                ]
            )
    hold, lose = list(COSTS)[1:]
    oracle = {
        cost: bp.relative_change(goodput(runs.of(cost, "hybla-im")), goodput(runs.of(cost, "hybla-im without oracle")))
        for cost in COSTS
    }
    seconds = runs.effort.pick(*HANDOVERS_S)
    changes = {seed: change_count(seed, seconds) for seed in runs.effort.seeds}
    handed = [seed for seed, count in changes.items() if count]

    def over_handed(cost: str) -> str:
        improved, hybla = ([runs[cost, name, seed] for seed in handed] for name in ("hybla-im", "hybla"))
        return change_text(bp.relative_change(goodput(improved), goodput(hybla)))

    alone = ""
    if not handed:
        alone = ". No path changes: this says nothing about handovers"
    elif 1 < len(handed) < len(changes):
        each = ", ".join(over_handed(cost) for cost in COSTS)
        alone = f". Over the {len(handed)} runs with a change: {each}"
    head = ("handover", "controller", "goodput Mbit/s", "against hybla", "lost to outages %", "RTOs", "cuts")
    return Finding(
        why=f"Hybla-IM against Hybla is {change_text(gains['no outage', 'hybla-im'])} without "
        f"outages, {change_text(gains[hold, 'hybla-im'])} where packets wait 200 ms, "
        f"{change_text(gains[lose, 'hybla-im'])} where they are lost. Knowing the orbits is worth at most "
        f"{max(abs(one.mean) for one in oracle.values()):.1f} % of goodput. The path changes in {len(handed)} of "
        f"{len(changes)} runs",
        sheets=[Sheet("T2, PER 1e-3: what a switch of satellites costs", (*head, "P(C|C)", "P(E|R)"), rows)],
        pictures=[Picture("Goodput across handovers, running mean over 3 s", draw_handovers(runs))],
        notes=[
            f"The path changes {min(changes.values())} to {max(changes.values())} times in {seconds:g} s{alone}. "
            f"The oracle is worth {', '.join(change_text(one) for one in oracle.values())} ({', '.join(COSTS)}).",
            "“Without oracle” is the controller's parameter: the queueing delay is then RTT less its minimum of 30 s, "
            "and a step to a longer path reads as a queue. Outages of 200 ms are our choice.",
        ],
    )


#: Section 1: the algorithms it names, by our names; Reno and the pair stand beside them.
NAMED = {"BIC [1]": "bic", "Vegas [2]": "vegas", "Peach [3]": "peach", "TCPW [4]": "westwood", "CUBIC [5]": "cubic"}


def plan_named(effort: Effort) -> Mapping[Key, bp.Scenario]:
    pers = effort.pick(PERS[1:2], PERS)
    planned: dict[Key, bp.Scenario] = {}
    for topology in effort.pick((T2,), (T2, T1)):
        rates = pers if topology is T2 else pers[:1]
        planned |= pairs(topology, rates, effort)
        for per in rates:
            for name in (*NAMED.values(), "reno"):
                for seed in effort.seeds:
                    planned[topology.id, per, name, seed] = scenario(
                        topology, per, name, seed, name=name, duration=topology.duration(effort)
                    )
    return planned


def is_planned(runs: Runs) -> dict[Topology, list[float]]:
    topologies = {topology.id: topology for topology in (T2, T1)}
    found: dict[Topology, list[float]] = {}
    for key in runs:
        pers = found.setdefault(topologies[str(key[0])], [])
        if key[1] not in pers:
            pers.append(float(str(key[1])))
    return found


@plots.styled
def draw_named(runs: Runs) -> Figure:
    planned = is_planned(runs)
    figure, axes = plots.new(1, len(planned), height=3.2)
    labels = [*PAIR, *NAMED.values(), "reno"]
    where = np.arange(len(labels), dtype=np.float64)
    for axis, (topology, pers) in zip(axes, planned.items(), strict=True):
        width = 0.8 / len(pers)
        for number, per in enumerate(pers):
            values = [bp.estimate(goodput(runs.of(topology.id, per, name))) for name in labels]
            axis.bar(
                where + width * (number - (len(pers) - 1) / 2),
                [value.mean for value in values],
                width,
                yerr=[value.half_width for value in values],
                color=plots.COLOURS[number],
                label=f"PER {per:g}",
                capsize=2,
            )
        axis.set_xticks(where, labels, rotation=40, ha="right")
        axis.set(title=f"{topology.id}, 95 % intervals", ylabel="goodput (Mbit/s)")
    axes[0].legend(fontsize="small", ncols=len(PERS))
    axes[0].set_ylim(0, 1.15 * axes[0].get_ylim()[1])
    return figure


def read_named(runs: Runs) -> Finding:
    labels = {name: name for name in PAIR} | {name: words for words, name in NAMED.items()} | {"reno": "reno"}
    sheets = []
    for topology, pers in is_planned(runs).items():
        rows = []
        for per in pers:
            base = goodput(runs.of(topology.id, per, "hybla"))
            for name, words in labels.items():
                chosen = runs.of(topology.id, per, name)
                good = goodput(chosen)
                rows.append(
                    [
                        f"{per:g}",
                        words,
                        bp.estimate(good).text(3),
                        "–" if name == "hybla" else change_text(bp.relative_change(good, base)),
                        bp.estimate(loss_percent(chosen, "queue")).text(2),
                        bp.estimate(means_of(chosen, "queueing_delay_ms")).text(1),
                        bp.estimate(totals(chosen, "jain_index")).text(3),
                    ]
                )
        head = ("PER", "controller", "goodput Mbit/s", "against hybla", "lost to the queue %", "queue ms", "Jain")
        sheets.append(Sheet(topology.title, head, rows))
    where = " and ".join({T1: "H-18", T2: "H-25"}[topology] for topology in is_planned(runs))
    told, firsts = [], []
    for per in is_planned(runs)[T2]:
        means = {name: float(np.mean(goodput(runs.of(T2.id, per, name)))) for name in labels}
        order = sorted(means, key=lambda name: -means[name])
        told.append(f"PER {per:g}: " + ", ".join(f"{name} {means[name]:.1f}" for name in order))
        at = ", ".join(f"{name} {means[name]:.1f}" for name in dict.fromkeys((*order[:2], "hybla-im", "hybla")))
        firsts.append(f"at {per:g} {at}")
    best = "; ".join(firsts)
    return Finding(
        why="the paper names five in its introduction; it sets out to compare with Hybla alone. T2, five flows under "
        "the same controller, Mbit/s: " + best,
        sheets=sheets,
        notes=[f"T2, Mbit/s: {'; '.join(told)}."],
        pictures=[Picture(f"The algorithms that section 1 names, in the setting of {where}", draw_named(runs))],
    )


ROWS = (
    Row(
        id="H-26",
        place="section 5, last sentence",
        what="Hybla-IM under handovers, with and without the propagation delay from the orbits",
        says="next step: the high dynamics of the satellite network's topology",
        plan=plan_handovers,
        read=read_handovers,
    ),
    Row(
        id="H-27",
        place="section 1, references [1] to [5]",
        what="BIC, Vegas, Peach, Westwood and CUBIC in the same setting",
        says="they are named, not compared",
        plan=plan_named,
        read=read_named,
    ),
)
