# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sections 3.2.3 and 3.3: whether Hybla-IM distinguishes the causes of loss, and its flow chart (H-15, H-16)."""

from __future__ import annotations

from itertools import product

import numpy as np
import pyarrow.compute as pc

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.hybla_im import curves
from bentpipe_papers.hybla_im.bed import HYBLA_IM, PERS, SIZES, T1, T2, for_tables, pairs, scenario
from bentpipe_papers.hybla_im.claims import better, plan_detectors, told_apart

#: Weights a of a new sample in T'_QD. The last is the controller's default.
GAINS = {"1/8": 1 / 8, "1/32": 1 / 32, "1/128": 1 / 128}
DETECTORS = ("hybla-im", "hybla-im over a round trip")


def plan_causes(effort: st.Effort) -> st.Plan:
    few = for_tables(effort)
    planned = {**pairs(T2, PERS, few, DETECTORS), **pairs(T1, PERS, effort, DETECTORS), **plan_detectors(effort)}
    for (words, gain), flows in product(GAINS.items(), effort.pick((5, 30), (1, 5, 30))):
        for per, seed in product(PERS if flows == T2.flows and not effort.quick else PERS[1:2], few.seeds):
            planned["gain", words, flows, per, seed] = scenario(
                T2,
                per,
                {**HYBLA_IM, "qd_gain": gain},
                seed,
                name=f"hybla-im, a = {words}, {flows} flows",
                flows=flows,
                duration=effort.pick("30 s", None),
            )
    return planned


def rates_of(runs: list[bp.Run]) -> dict[str, bp.Estimate | None]:
    """Shares of correct judgements P(C|C) and P(E|R). Uses the runs with losses to judge; None with fewer than two."""
    found = [st.confusion(run) for run in runs]
    rates: dict[str, bp.Estimate | None] = {}
    for kind in ("P(C|C)", "P(E|R)"):
        values = [value for value in (matrix[kind] for matrix in found) if value is not None]
        rates[kind] = bp.estimate(values) if len(values) > 1 else None
    return rates


def cells(runs: list[bp.Run]) -> list[str]:
    return ["–" if rate is None else rate.text(2) for rate in rates_of(runs).values()]


def gain_keys(runs: st.Runs) -> list[tuple[str, int, float]]:
    keys = dict.fromkeys(key[1:4] for key in runs if key[0] == "gain")
    return [(str(words), int(str(flows)), float(str(per))) for words, flows, per in keys]


def draw_causes(runs: st.Runs) -> st.Figure:
    keys = gain_keys(runs)
    numbers = sorted({flows for _, flows, _ in keys})
    figure, axes = plots.new(1, len(numbers), height=3.2)
    per = PERS[1]
    for axis, flows in zip(axes, numbers, strict=True):
        for colour, words in zip(plots.COLOURS, GAINS, strict=False):
            rates = rates_of(runs.of("gain", words, flows, per))
            of_congestion, of_error = rates["P(C|C)"], rates["P(E|R)"]
            if of_congestion is None or of_error is None:
                continue
            axis.errorbar(
                [1.0 - of_error.mean],
                [of_congestion.mean],
                xerr=[of_error.half_width],
                yerr=[of_congestion.half_width],
                fmt="o",
                color=colour,
                label=f"a = {words}",
                capsize=3,
            )
        axis.plot([0, 1], [0, 1], color="#555555", linewidth=0.8, linestyle=":", label="chance")
        axis.set(title=f"T2, PER 1e-3, {flows} flow{'s' if flows > 1 else ''}", xlim=(0, 1), ylim=(0, 1.05))
        axis.set(xlabel="share of link errors judged as congestion")
    axes[0].set(ylabel="share of queue drops judged as congestion")
    axes[0].legend(fontsize="small", loc="lower right")
    return figure


@st.reads(
    id="H-15",
    place="section 3.2.3, steps 1 to 4, and conclusion",
    what="whether the detector distinguishes congestion from link errors",
    says="Hybla-IM effectively distinguishes the causes of packet loss",
    plan=plan_causes,
    curves={"c": curves.CAUSES},
)
def read_causes(runs: st.Runs) -> st.Finding:
    claims = told_apart(runs)
    head = (
        "topology",
        "PER",
        "variant",
        "queue drop, judged as congestion",
        "queue drop, judged as error",
        "link error, judged as error",
    )
    keys = ("congestion_as_congestion", "congestion_as_error", "error_as_error", "error_as_congestion", "spurious")
    judged = [
        [topology.id, f"{per:g}", variant, *(str(total[key]) for key in keys)]
        for topology, per, variant in product((T2, T1), PERS, DETECTORS)
        for total in [st.verdicts(runs.of(topology.id, per, variant))]
    ]
    swept = [
        [words, str(flows), f"{per:g}", *cells(runs.of("gain", words, flows, per))]
        for words, flows, per in gain_keys(runs)
    ]
    slow = {per: st.verdicts(runs.of(T1.id, per, "hybla-im")) for per in PERS}
    called = [
        100.0 * total["congestion_as_congestion"] / (total["congestion_as_congestion"] + total["congestion_as_error"])
        for total in slow.values()
    ]
    youden = []
    for words in GAINS:
        rates = [rate for rate in rates_of(runs.of("gain", words, T2.flows, PERS[1])).values() if rate is not None]
        if len(rates) == 2:
            youden.append(f"{sum(rate.mean for rate in rates) - 1.0:.2f} for a = {words}")
    beside = []
    for per in PERS:
        found = better(runs.of(T2.id, per, "hybla-im"))
        if found is not None:
            beside.append(f"{found.text(2)} at {per:g}")
    here = ", ".join(f"{claim.measured.text(2)} ({claim.what.split(':')[0]})" for claim in claims)
    return st.found(
        "The paper's uplink is always full, so the queueing delay at a drop is near its mean. Depending on the "
        f"weight a, Hybla-IM judges {min(called):.0f} to {max(called):.0f} % of the drops as congestion. The sum of "
        "both shares of correct judgements, minus 1, is "
        f"{here or 'unknown, because no run had losses of both causes'}; 1 is perfect. In T2, where the queue "
        "empties at times, the result is different",
        *claims,
        st.Sheet(
            "Judgements of the first loss of each episode, all seeds together",
            (*head, "link error, judged as congestion", "nothing was lost"),
            judged,
        ),
        st.Sheet(
            "Judgements by the weight a of a new sample in T'_QD, T2",
            ("a", "flows", "PER", "P(C|C)", "P(E|R)"),
            swept,
        ),
        st.Picture(
            "Shares of both judgements for each weight a; the upper left corner is a perfect detector",
            draw_causes(runs),
        ),
        f"P(C|C) + P(E|R) - 1 over T2: {', '.join(beside)}.",
        "The paper gives no a. Our a is small, because T'_QD should describe the network “in a state of congestion and "
        f"non-congestion” (section 3.2.3). P(C|C) + P(E|R) - 1 with {T2.flows} flows: {', '.join(youden)}.",
        "P(C|C) is the share of drops at a full queue that are judged as congestion. P(E|R) is the share of link "
        "errors that are judged as link errors. The controller judges the first loss of each episode.",
    )


def branches(runs: list[bp.Run]) -> dict[str, int]:
    taken = dict.fromkeys(("slow start", "avoidance", "recovery", "congestion", "link error"), 0)
    for run in runs:
        phase = np.asarray(run.flows["phase"])
        delivered = plots.column(run.flows.arrow, "goodput_mbit_s") * 0.1 * 1e6 / (8 * SIZES[0])
        for name in ("slow start", "avoidance", "recovery"):
            taken[name] += round(float(delivered[phase == name].sum()))
        for verdict in ("congestion", "link error"):
            taken[verdict] += int(pc.sum(pc.equal(run.events.arrow["verdict"], verdict)).as_py() or 0)
    taken["cuts"] = int(sum(st.counts(runs, "cuts")))
    taken["timeouts"] = int(sum(st.counts(runs, "timeouts")))
    return taken


def box(axis: st.Axes, x: float, y: float, words: str, colour: str = "#eef2f7") -> None:
    axis.text(
        x,
        y,
        words,
        ha="center",
        va="center",
        fontsize=8.5,
        bbox={"boxstyle": "round,pad=0.45", "facecolor": colour, "edgecolor": "#5b6577", "linewidth": 0.8},
    )


def arrow(axis: st.Axes, start: tuple[float, float], end: tuple[float, float], words: str = "") -> None:
    axis.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": "#1c2330", "linewidth": 0.9})
    if words:
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        axis.text(*middle, words, fontsize=8, ha="center", va="center", backgroundcolor="#ffffff")


def draw_chart(taken: dict[str, int]) -> st.Figure:
    figure, (axis,) = plots.new(1, 1, height=4.8)
    axis.set(xlim=(0, 10), ylim=(0, 10))
    axis.axis("off")
    box(axis, 5.0, 9.4, "event: an ACK, a detected loss, or the timer", "#ffffff")
    box(axis, 2.3, 7.7, "new ACK: T_QD = RTT − T_PD − min(T_NPD)\nT'_QD ← (1 − a) T'_QD + a T_QD")
    box(axis, 2.3, 5.9, "ρ_new = ρ (1 − b_k / bw_expect)")
    box(axis, 1.1, 3.8, "slow start\nW ← W + 2^ρ_new − 1")
    box(axis, 3.8, 3.8, "avoidance\nW ← W + ρ_new² / W")
    box(axis, 7.4, 7.7, "loss: avg = mean of the three\nT_QD before the hole")
    box(axis, 7.4, 5.9, "avg > T'_QD ?", "#fff4dc")
    box(axis, 6.2, 3.8, "congestion\nW ← W / 2, fast recovery", "#fbe3dd")
    box(axis, 8.9, 3.8, "link error\nsend again, keep W", "#dff1e6")
    box(axis, 5.0, 1.4, "timeout: ssthresh ← W / 2, W ← 1", "#fbe3dd")
    arrow(axis, (4.6, 9.05), (2.6, 8.35))
    arrow(axis, (5.4, 9.05), (7.1, 8.35))
    arrow(axis, (2.3, 7.1), (2.3, 6.3))
    arrow(axis, (2.0, 5.5), (1.2, 4.5), f"W < ssthresh: {taken['slow start']:,}")
    arrow(axis, (2.6, 5.5), (3.7, 4.5), f"else: {taken['avoidance']:,}")
    arrow(axis, (7.4, 7.1), (7.4, 6.3))
    arrow(axis, (7.1, 5.5), (6.3, 4.5), f"yes: {taken['congestion']:,}")
    arrow(axis, (7.7, 5.5), (8.8, 4.5), f"no: {taken['link error']:,}")
    arrow(axis, (5.0, 9.0), (5.0, 1.9), f"timer: {taken['timeouts']:,}")
    axis.set_title("Hybla-IM over T2 at PER 1e-3, all seeds: segments delivered in a phase, losses judged, timeouts")
    return figure


@st.reads(
    id="H-16",
    place="Figure 2, section 3.3",
    what="flow chart of the algorithm",
    says="a chart",
    plan=lambda effort: {
        (T2.id, seed): scenario(
            T2, PERS[1], HYBLA_IM, seed, name="hybla-im, events", record=bp.Record(interval="100 ms", events=True)
        )
        for seed in effort.seeds
    },
)
def read_chart(runs: st.Runs) -> st.Finding:
    chosen = runs.of(T2.id)
    taken = branches(chosen)
    rows = [[name, f"{count:,}"] for name, count in taken.items()]
    share = 100.0 * taken["link error"] / max(1, taken["link error"] + taken["congestion"])
    return st.found(
        f"The chart has no numbers to compare. Our chart shows the branches that {len(chosen)} runs took. Of "
        f"{taken['link error'] + taken['congestion']:,} judged losses, {share:.0f} % took the branch “link error”, "
        f"which keeps the window. {taken['slow start']:,} segments were delivered in slow start, "
        f"{taken['avoidance']:,} in avoidance, and {taken['recovery']:,} in recovery",
        st.Sheet(
            "How often each branch of the flow chart was taken: segments delivered in a phase, judgements, reductions",
            ("branch", "count"),
            rows,
        ),
        st.Picture(
            ("Figure 2: flow chart of Hybla-IM, with the number of times that each branch was taken"), draw_chart(taken)
        ),
        "The paper's text calls two steps “Step1”; we read the second one as step 2.",
    )
