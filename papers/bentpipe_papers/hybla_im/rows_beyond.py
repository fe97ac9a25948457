# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's future work, and the algorithms that it names beside Hybla (H-26, H-27)."""

from __future__ import annotations

import itertools
from functools import partial
from itertools import product
from typing import Literal, NamedTuple

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.hybla_im.bed import (
    HYBLA,
    HYBLA_IM,
    PAIR,
    PERS,
    T1,
    T2,
    TCP_LINUX,
    Topology,
    dumbbell,
    for_tables,
    pairs,
    rtt_ms,
    scenario,
    ways,
)
from bentpipe_papers.hybla_im.readings import NEWRENO

CONTROLLERS: dict[str, dict[str, object]] = {
    "hybla": HYBLA,
    "hybla-im": HYBLA_IM,
    "hybla-im without oracle": {**HYBLA_IM, "oracle": False},
}
#: Length of a run in s: in a first look, and in full, where most runs have a change of the path.
HANDOVERS_S = (100.0, 240.0)
COSTS: dict[str, bp.Handover | None] = {
    "no outage": None,
    "200 ms, packets wait": bp.Handover(outage="200 ms", during="hold"),
    "200 ms, packets are lost": bp.Handover(outage="200 ms", during="lose"),
}


def judged(rate: Literal["P(C|C)", "P(E|R)"]) -> st.Measure:
    return lambda runs: [value for run in runs if (value := st.confusion(run)[rate]) is not None]


def change_count(seed: int, duration_s: float) -> int:
    """The number of path changes in a seed's runs. Routes are computed every 10 s."""
    return sum(a != b for a, b in itertools.pairwise(ways(seed, duration_s)))


def moments(run: bp.Run) -> list[float]:
    """The times in s at which the path changed."""
    rows = zip(run.paths["time_s"], run.paths["changed"], strict=True)
    return sorted({float(time) for time, changed in rows if changed and time > 0.0})


def draw_handovers(runs: st.Runs) -> st.Figure:
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
        axis.set(title=f"{cost}; dotted lines: the path changes", ylabel="Mbit/s", ylim=(0, None))
    axes[-1].set(xlabel="s")
    axes[0].legend(fontsize="small", ncols=3, loc="lower right")
    return figure


@st.reads(
    id="H-26",
    place="section 5, last sentence",
    what="Hybla-IM under handovers, with and without the propagation delay from the orbits",
    says="The next step is the high dynamics of the satellite network's topology",
    plan=lambda effort: {
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
        for (cost, handover), (name, controller), seed in product(COSTS.items(), CONTROLLERS.items(), effort.seeds)
    },
)
def read_handovers(runs: st.Runs) -> st.Finding:
    def against(other: str, cost: str) -> bp.Estimate:
        return bp.relative_change(st.goodput(runs.of(cost, "hybla-im")), st.goodput(runs.of(cost, other)))

    gains = {cost: against("hybla", cost) for cost in COSTS}
    hold, lose = list(COSTS)[1:]
    oracle = {cost: against("hybla-im without oracle", cost) for cost in COSTS}
    seconds = runs.effort.pick(*HANDOVERS_S)
    changes = {seed: change_count(seed, seconds) for seed in runs.effort.seeds}
    handed = [seed for seed, count in changes.items() if count]

    def over_handed(cost: str) -> str:
        improved, hybla = ([runs[cost, name, seed] for seed in handed] for name in ("hybla-im", "hybla"))
        return st.change_text(bp.relative_change(st.goodput(improved), st.goodput(hybla)))

    alone = ""
    if not handed:
        alone = ". The path changes in no run, so this row says nothing about handovers"
    elif 1 < len(handed) < len(changes):
        each = ", ".join(over_handed(cost) for cost in COSTS)
        alone = f". Over the {len(handed)} runs with a change, Hybla-IM's goodput compared with Hybla's is {each}"
    return st.found(
        f"Hybla-IM's goodput compared with Hybla's is {st.change_text(gains['no outage'])} without outages, "
        f"{st.change_text(gains[hold])} if packets wait 200 ms at a handover, and {st.change_text(gains[lose])} if "
        "packets are lost for 200 ms. The propagation delay from the orbits changes the goodput by at most "
        f"{max(abs(one.mean) for one in oracle.values()):.1f} %. The path changes in {len(handed)} of {len(changes)} "
        "runs",
        st.table(
            "T2, PER 1e-3: goodput and losses with handovers between satellites",
            "handover | controller",
            {one: runs.of(*one) for one in product(COSTS, CONTROLLERS)},
            (
                st.Column("goodput Mbit/s", st.goodput),
                st.Column("against hybla", st.goodput, against=lambda line: (line[0], "hybla")),
                st.Column("lost to outages %", partial(st.loss_percent, cause="outage"), 3),
                st.Column("RTOs", partial(st.counts, metric="timeouts"), 1),
                st.Column("cuts", partial(st.counts, metric="cuts"), 0),
                st.Column("P(C|C)", judged("P(C|C)")),
                st.Column("P(E|R)", judged("P(E|R)")),
            ),
        ),
        st.Picture("Goodput across handovers, running mean over 3 s", draw_handovers(runs)),
        f"The path changes {min(changes.values())} to {max(changes.values())} times in {seconds:g} s{alone}. "
        "The propagation delay from the orbits (the controller's parameter `oracle`) changes the goodput by "
        f"{', '.join(st.change_text(one) for one in oracle.values())} ({', '.join(COSTS)}).",
        "“Without oracle” means that the controller computes the queueing delay as the RTT minus the smallest RTT of "
        "the last 30 s. It therefore mistakes a change to a longer path for a queue. Outages of 200 ms are our "
        "choice.",
    )


#: Time in s after the shell's epoch at which the paths between the paper's two sites cross Iridium's seam. For an hour
#: from this time, all paths have nine or more satellites, because counter-rotating planes have no links.
SEAM_S = 5 * 3600


class Motion(NamedTuple):
    """Runs that show the effect of the satellites' motion in the paper's network."""

    handover: bp.Handover | None = None
    outages: tuple[tuple[str, str], ...] = ()
    seam: bool = False


#: Two outages of the user links: a short one (one or two round trips) and a long one (several timeouts).
_OUTAGES = (("60 s", "60.5 s"), ("120 s", "123 s"))
MOTIONS: dict[str, Motion] = {
    "as in section 4": Motion(),
    "200 ms at a handover, packets wait": Motion(handover=bp.Handover(outage="200 ms", during="hold")),
    "200 ms at a handover, packets are lost": Motion(handover=bp.Handover(outage="200 ms", during="lose")),
    "outages of 0.5 and 3 s": Motion(outages=_OUTAGES),
    "across the seam": Motion(seam=True),
    "across the seam, 200 ms lost at a handover": Motion(
        handover=bp.Handover(outage="200 ms", during="lose"), seam=True
    ),
}
BELOW = {"TCP-Linux": TCP_LINUX, "ns-2's Newreno": NEWRENO}


@st.reads(
    id="H-28",
    place="section 5, last sentence",
    what="Hybla-IM in the paper's own network: handovers, outages, Iridium's seam",
    says="“The next step will be to improve the Hybla algorithm in response to the high dynamics of the satellite "
    "network topology so that the Hybla algorithm can be better applied to the satellite network.”",
    plan=lambda effort: {
        (words, stack, name, seed): scenario(
            T1,
            PERS[1],
            CONTROLLERS[name],
            seed,
            name=f"{name}, {words}",
            duration=T1.duration(effort),
            handover=motion.handover,
            outages=motion.outages,
            offset_s=SEAM_S + round(3400 * (seed * 0.6180339887 % 1)) if motion.seam else None,
            tcp=tcp,
        )
        for words, motion in MOTIONS.items()
        for (stack, tcp), name, seed in product(BELOW.items(), PAIR, for_tables(effort).seeds)
    },
)
def read_motion(runs: st.Runs) -> st.Finding:
    rows, gains = [], {}
    for words, stack in product(MOTIONS, BELOW):
        base, ours = (runs.of(words, stack, name) for name in PAIR)
        gains[words, stack] = bp.relative_change(st.goodput(ours), st.goodput(base))
        rows.append(
            [
                words,
                stack,
                bp.estimate(st.goodput(base)).text(3),
                bp.estimate(st.goodput(ours)).text(3),
                st.change_text(gains[words, stack]),
                *(bp.estimate(st.counts(chosen, "timeouts")).text(0) for chosen in (base, ours)),
            ]
        )
    told = "; ".join(
        f"{words} {' and '.join(st.change_text(gains[words, stack]) for stack in BELOW)}" for words in MOTIONS
    )
    return st.found(
        "This is future work of the paper, without a claim. The goodput of Hybla-IM compared with Hybla's at PER 1e-3, "
        f"over {' and '.join(BELOW)}, is: {told}",
        st.Sheet(
            "The paper's network, PER 1e-3: goodput of Hybla and Hybla-IM with handovers, outages and the seam",
            ("", "TCP", "hybla, Mbit/s", "hybla-im, Mbit/s", "against hybla", "RTOs, hybla", "RTOs, hybla-im"),
            rows,
        ),
        "Across the seam: during one or two hours of each half day, the two sites see satellites of planes that move "
        "in opposite directions. The path then has about nine satellites. The 200 ms and the outages are our choice.",
    )


#: The algorithms that section 1 names, with our names. Reno and the pair are shown beside them.
NAMED = {"BIC [1]": "bic", "Vegas [2]": "vegas", "Peach [3]": "peach", "TCPW [4]": "westwood", "CUBIC [5]": "cubic"}


NAMED_COLUMNS = (
    st.Column("goodput Mbit/s", st.goodput, 3),
    st.Column("against hybla", st.goodput, against=lambda line: (line[0], "hybla")),
    st.Column("lost to the queue %", partial(st.loss_percent, cause="queue")),
    st.Column("queue ms", partial(st.means_of, name="queueing_delay_ms"), 1),
    st.Column("Jain", partial(st.totals, metric="jain_index"), 3),
)


def plan_named(effort: st.Effort) -> st.Plan:
    pers = effort.pick(PERS[1:2], PERS)
    planned: dict[st.Key, bp.Scenario] = {}
    for topology in effort.pick((T2,), (T2, T1)):
        rates = pers if topology is T2 else pers[:1]
        planned |= pairs(topology, rates, effort)
        for per, name, seed in product(rates, (*NAMED.values(), "reno"), effort.seeds):
            planned[topology.id, per, name, seed] = scenario(
                topology, per, name, seed, name=name, duration=topology.duration(effort)
            )
    return planned


def is_planned(runs: st.Runs) -> dict[Topology, list[float]]:
    topologies = {topology.id: topology for topology in (T2, T1)}
    found: dict[Topology, list[float]] = {}
    for key in runs:
        pers = found.setdefault(topologies[str(key[0])], [])
        if key[1] not in pers:
            pers.append(float(str(key[1])))
    return found


def draw_named(runs: st.Runs) -> st.Figure:
    planned = is_planned(runs)
    figure, axes = plots.new(1, len(planned), height=3.2)
    labels = [*PAIR, *NAMED.values(), "reno"]
    where = np.arange(len(labels), dtype=np.float64)
    for axis, (topology, pers) in zip(axes, planned.items(), strict=True):
        width = 0.8 / len(pers)
        for number, per in enumerate(pers):
            values = [bp.estimate(st.goodput(runs.of(topology.id, per, name))) for name in labels]
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
    axes[0].legend(fontsize="small", ncols=len(PERS), loc="best")
    axes[0].set_ylim(0, 1.15 * axes[0].get_ylim()[1])
    return figure


@st.reads(
    id="H-27",
    place="section 1, references [1] to [5]",
    what="BIC, Vegas, Peach, Westwood and CUBIC in the networks of Hybla-IM",
    says="The paper names these five algorithms, but does not compare Hybla-IM with them",
    plan=plan_named,
)
def read_named(runs: st.Runs) -> st.Finding:
    labels = {name: name for name in PAIR} | {name: words for words, name in NAMED.items()} | {"reno": "reno"}
    where = " and ".join({T1: "H-18", T2: "H-25"}[topology] for topology in is_planned(runs))
    told, firsts = [], []
    for per in is_planned(runs)[T2]:
        means = {name: float(np.mean(st.goodput(runs.of(T2.id, per, name)))) for name in labels}
        order = sorted(means, key=lambda name: -means[name])
        told.append(f"PER {per:g}: " + ", ".join(f"{name} {means[name]:.1f}" for name in order))
        at = ", ".join(f"{name} {means[name]:.1f}" for name in dict.fromkeys((*order[:2], "hybla-im", "hybla")))
        firsts.append(f"at {per:g} {at}")
    best = "; ".join(firsts)
    return st.found(
        "The paper names five algorithms in its introduction and compares only with Hybla. Goodput in Mbit/s of five "
        "flows with the same controller in T2: " + best,
        *(
            st.table(
                topology.title,
                "PER | controller",
                {
                    (f"{per:g}", words): runs.of(topology.id, per, name)
                    for per, (name, words) in product(pers, labels.items())
                },
                NAMED_COLUMNS,
            )
            for topology, pers in is_planned(runs).items()
        ),
        st.Picture(f"The algorithms that section 1 names, in the setting of {where}", draw_named(runs)),
        f"T2, Mbit/s: {'; '.join(told)}.",
    )


#: The number of the packet that is lost to an error, long after the start, and round trips of LEO, MEO and GEO.
LOST, TRIPS_MS = 60000, (100.0, 250.0, 550.0)
RECOVERS_S = 200.0
RECOVER: dict[str, str | dict[str, object]] = {"hybla": HYBLA, "reno": "reno"}


def regained_s(run: bp.Run) -> float:
    """Time in s from a reduction for a link error until the window is as large as before, or the run ends."""
    error = next(float(row["time_s"]) for row in st.events(run, "loss") if row["cause"] == "error")
    at, before, _ = next(cut for cut in st.cuts(run) if cut[0] >= error)
    times, windows = st.series(run, "cwnd_segments")
    back = times[(times > at) & (windows >= before)]
    return float((back[0] if back.size else RECOVERS_S) - at)


@st.reads(
    id="H-29",
    place="section 3.2",
    what="how fast Hybla's window recovers after a link error",
    says="“Although the Hybla algorithm can quickly recover the reduced congestion window due to link errors, […] "
    "Hybla cannot distinguish the reason for packet loss”",
    plan=lambda effort: {
        (name, trip, seed): dumbbell(
            controller,
            rtt_ms(trip, seed),
            seed,
            name=f"{name}, one error",
            duration=f"{RECOVERS_S:g} s",
            queue="4 BDP",
            lost=(LOST,),
            record=bp.Record(interval="50 ms", events=True),
        )
        for (name, controller), trip, seed in product(RECOVER.items(), TRIPS_MS, for_tables(effort).seeds)
    },
)
def read_recovery(runs: st.Runs) -> st.Finding:
    times = {one: [regained_s(run) for run in runs.of(*one)] for one in product(("hybla", "reno"), TRIPS_MS)}
    rows = [[f"{trip:g}", *(bp.estimate(times[name, trip]).text(1) for name in ("hybla", "reno"))] for trip in TRIPS_MS]
    told = "; ".join(f"{line[0]} ms: {line[1]} and {line[2]} s" for line in rows)
    return st.found(
        "After one link error on 10 Mbit/s, the time until the window is as large as before (Hybla and Reno) is "
        f"{told}",
        *(
            st.claim(
                f"time until the window is as large as before a link error, Hybla compared with Reno, RTT {trip:g} ms",
                bp.relative_change(times["hybla", trip], times["reno", trip]),
                st.below(digits=0),
                note="The text says “Hybla algorithm can quickly recover the reduced congestion window due to link "
                "errors”. If the window does not become as large as before, the time until the end of the run "
                f"({RECOVERS_S:g} s) counts",
            )
            for trip in TRIPS_MS
        ),
        st.Sheet("Time until the window is as large as before the link error, s", ("RTT (ms)", "hybla", "reno"), rows),
    )
