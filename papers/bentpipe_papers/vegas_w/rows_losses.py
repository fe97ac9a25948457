# SPDX-License-Identifier: MIT OR Apache-2.0
"""Causes of loss judged by the spacing of packets, and the reactions to the judgement (section IV.C; V-11, V-12)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pyarrow.compute as pc

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.vegas_w import bed
from bentpipe_papers.vegas_w.readings import ALL_BEDS, BEFORE, BEFORE_CLEAR, CLEAR, LINUX, elsewhere

PER = 1e-3
FLOWS = (1, 2, 5, 10, 20, 40)
FLOWS_QUICK = (1, 5, 20)
#: “Solve the problem of misjudgment”: share of link errors judged correctly, in percent.
SOLVED_PERCENT = 90.0
#: Other beds in which a single flow has losses of both kinds. With access links of 16 Mbit/s, its queue drops nothing.
JUDGED_IN = {name: ALL_BEDS[name] for name in (LINUX, BEFORE_CLEAR)}
#: A bed in which the estimate does not fall before a timeout.
TIMED_OUT_IN = {BEFORE: ALL_BEDS[BEFORE]}
KINDS = ("congestion_as_congestion", "congestion_as_error", "error_as_error", "error_as_congestion", "spurious")


def verdict_scenario(count: int, seed: int, effort: st.Effort, **settings: Any) -> bp.Scenario:
    flows = [bed.named(bed.VEGAS_W, seed, count=count, stagger=f"{0.1 + bed.shift_s(seed):g} s", **settings)]
    link = bed.bottleneck(bed.RTT_MS, seed, per=PER)
    name = f"verdicts: {count} flows, PER {PER:g}"
    return bed.scenario(name, flows, link, seed=seed, duration_s=effort.pick(60.0, 120.0), interval_ms=1e3, events=True)


def plan_verdicts(effort: st.Effort) -> st.Plan:
    plans: dict[st.Key, bp.Scenario] = {}
    for count, seed in product(effort.pick(FLOWS_QUICK, FLOWS), effort.seeds):
        plans[count, seed] = verdict_scenario(count, seed, effort)
    for seed, (name, reading) in product(effort.seeds, JUDGED_IN.items()):
        plans["one", name, seed] = verdict_scenario(1, seed, effort, **reading.settings)
    return plans


def by_phase(runs: Sequence[bp.Run]) -> dict[str, dict[str, int]]:
    """The counts for losses found in slow start and in avoidance. Losses during repairs belong to the phase before."""
    counts = {phase: dict.fromkeys(KINDS, 0) for phase in ("slow start", "avoidance")}
    for run in runs:
        table = run.events.arrow
        told = pc.or_(pc.equal(table["event"], "phase"), pc.is_valid(table["verdict"]))
        now: dict[int, str] = {}
        for row in table.filter(told).select(["flow", "event", "cause", "verdict", "detail"]).to_pylist():
            if row["event"] == "phase":
                now[row["flow"]] = row["detail"] if row["detail"] in counts else now.get(row["flow"], "slow start")
            elif row["cause"] in ("queue", "error"):
                truth = "congestion" if row["cause"] == "queue" else "error"
                judged = "congestion" if row["verdict"] == "congestion" else "error"
                counts[now[row["flow"]]][f"{truth}_as_{judged}"] += 1
    return counts


def recognised(counts: Mapping[str, int]) -> tuple[float, float]:
    """Percent of correctly judged losses: P(congestion | queue) and P(error | link); NaN without such losses."""
    queue = counts["congestion_as_congestion"] + counts["congestion_as_error"]
    link = counts["error_as_error"] + counts["error_as_congestion"]
    return (
        100.0 * counts["congestion_as_congestion"] / queue if queue else float("nan"),
        100.0 * counts["error_as_error"] / link if link else float("nan"),
    )


def link_errors_of(runs: Sequence[bp.Run]) -> bp.Estimate:
    """Percent of link errors judged correctly, mean of the runs with link errors; NaN without any."""
    shares = [share for run in runs if not np.isnan(share := recognised(st.verdicts([run]))[1])]
    return st.sampled(shares) if shares else bp.fixed(float("nan"))


@st.reads(
    id="V-11",
    place="Section IV.C",
    what="the cause of a loss, judged by the gap of two packets when sent and when acknowledged",
    says=(
        "If the gap when sent is smaller than the gap when acknowledged, the loss is due to congestion, otherwise to "
        "a link error. The paper has no experiment."
    ),
    plan=plan_verdicts,
)
def read_verdicts(runs: st.Runs) -> st.Finding:
    counts = runs.effort.pick(FLOWS_QUICK, FLOWS)
    claims, rows = [], []
    lines: dict[str, list[bp.Estimate]] = {"congestion recognised": [], "link error recognised": []}
    queue_losses = {}

    def alone_in_bed(name: str) -> bp.Estimate:
        told = [recognised(st.verdicts([run])) for run in runs.of("one", name)]
        known = [one + other - 100.0 for one, other in told if not np.isnan([one, other]).any()]
        return st.sampled(known) if known else bp.fixed(float("nan"))

    for count in counts:
        here = runs.of(count)
        total = st.verdicts(here)
        pairs = [recognised(st.verdicts([run])) for run in here]
        told = [pair for pair in pairs if not np.isnan(pair).any()]
        for line, values in zip(lines.values(), zip(*told, strict=True), strict=True):
            line.append(st.sampled(list(values)))
        queue_losses[count] = total["congestion_as_congestion"] + total["congestion_as_error"]
        shares = [f"{bed.shown(line[-1], 0)} %" for line in lines.values()]
        rows.append([str(count), *(str(total[kind]) for kind in KINDS), *shares])
        claims.append(
            st.claim(
                f"{count} flow{'s' if count > 1 else ''}: share of queue losses judged correctly, plus share of link "
                "errors judged correctly, minus 100 % (0 = guessing, 100 % = all correct)",
                st.sampled([one + other - 100.0 for one, other in told]),
                st.above(digits=0),
                readings=elsewhere(alone_in_bed, JUDGED_IN) if count == 1 else (),
                note=f"{len(told)} of {len(here)} seeds had both kinds of loss",
            )
        )
    claims.append(
        st.claim(
            "1 flow: share of link errors judged correctly (“solve”)",
            link_errors_of(runs.of(1)),
            st.at_least(SOLVED_PERCENT, digits=0),
            readings=elsewhere(lambda name: link_errors_of(runs.of("one", name)), JUDGED_IN),
            headline="we distinguish the packet-lost reason and solve the problem of misjudgment of congestion level "
            "caused by link error",
            note="The paper gives no number for “solve”. We read it as nine tenths of the link errors judged correctly",
            decides=(
                "In avoidance, a flow sends at the spacing of the ACKs, so the two gaps that the rule compares are "
                "nearly equal. The bound of nine tenths is ours"
            ),
        )
    )
    figure, (axis,) = plots.new(1, 1, height=3.0)
    for label, line in lines.items():
        st.with_errors(axis, counts, line, label, marker="o")
    axis.set(xlabel="Vegas-W flows on 15 Mbit/s", ylabel="share of judged losses (%)", xscale="log")
    axis.set_xticks(counts, [str(count) for count in counts])
    axis.minorticks_off()
    axis.legend(loc="best")
    phases = by_phase([run for count in counts for run in runs.of(count)])
    split = [
        [phase, *(str(found[kind]) for kind in KINDS[:4]), *(f"{one:.0f} %" for one in recognised(found))]
        for phase, found in phases.items()
    ]
    few, many = ([line[place].mean for line in lines.values()] for place in (0, -1))
    scarce = [
        f"{queue_losses[count]} with {count}"
        for count, one in zip(counts, claims[:-1], strict=True)
        if bed.undecided([one])
    ]
    lost = f" (total queue losses by number of flows: {', '.join(scarce)})" if scarce else ""
    return st.found(
        "A flow that is clocked by its ACKs sends packets at the spacing of the ACKs. The two gaps that the rule "
        "compares are therefore nearly equal, and small differences determine the judgement. The rule judges "
        f"{few[0]:.0f} % of the queue losses correctly with {counts[0]} flow and {many[0]:.0f} % with {counts[-1]} "
        f"flows; for link errors, these shares are {few[1]:.0f} % and {many[1]:.0f} %{lost}. The paper has no "
        "experiment on this rule",
        *claims,
        st.Sheet(
            f"Judgements at PER {PER:g}, counts of all flows and seeds; shares: means of the seeds that had both "
            "kinds ± 95 % by Student's t, not clipped at 0 and 100",
            st.heads(
                "flows | queue drop, judged as congestion | queue drop, judged as error | link error, judged as error "
                "| link error, judged as congestion | nothing was lost | queue drops judged correctly | link errors "
                "judged correctly"
            ),
            rows,
        ),
        st.Sheet(
            "Judgements by the phase in which the loss was detected; all numbers of flows and all seeds together",
            st.heads(
                " | queue drop, judged as congestion | queue drop, judged as error | link error, judged as error | "
                "link error, judged as congestion | queue drops judged correctly | link errors judged correctly"
            ),
            split,
        ),
        st.Picture(
            "Share of losses whose cause is judged correctly by the gap of ACKs (mean and 95 % by Student's "
            "t, not clipped).",
            figure,
        ),
        "Vegas-W judges only the first loss of each loss episode.",
        "In slow start, each ACK releases two packets back to back, so the gap of the ACKs is larger than the gap of "
        "the sent packets for every cause of a loss. In avoidance, a flow sends at the spacing of the ACKs, and both "
        "gaps are equal while the queue length is constant. The second table separates slow start and avoidance.",
    )


def plan_reactions(effort: st.Effort) -> st.Plan:
    plans: dict[st.Key, bp.Scenario] = {
        one: bed.cross_traffic(*one) for one in product((bed.VEGAS_W, bed.REPAIRED, bed.LOWERS), effort.seeds)
    }
    for (name, reading), seed in product(TIMED_OUT_IN.items(), effort.seeds):
        plans["in", name, seed] = bed.cross_traffic(bed.VEGAS_W, seed, **reading.settings)
    for seed in effort.seeds:
        link = bed.bottleneck(bed.RTT_MS, seed, per=PER)
        plans["errors", seed] = bed.scenario(
            f"errors, PER {PER:g}",
            [bed.named(bed.VEGAS_W, seed, **ALL_BEDS[CLEAR].settings)],
            link,
            seed=seed,
            duration_s=60.0,
            events=True,
        )
    return plans


def reactions(run: bp.Run) -> dict[str, list[float]]:
    """Window after each judged loss and timeout, divided by the window that section IV.C prescribes.

    ``congestion``: cwnd after the loss divided by B RTTmin. ``error``: cwnd after the loss divided by cwnd before.
    ``timeout``: 1 if slow start follows, otherwise 0. Losses within one sample of another judgement or a timeout are
    left out, because the series do not resolve them.
    """
    times, window = st.series(run, "cwnd_segments")
    rate_at, rate = st.snapshot(run, "bandwidth_segments_per_s")
    base_at, base_ms = st.snapshot(run, "base_rtt_ms")
    step = times[1] - times[0]
    told = [row for row in st.events(run, "loss", "timeout") if row["flow"] == 0]
    judged = [row for row in told if row["verdict"] or row["event"] == "timeout"]
    found: dict[str, list[float]] = {"congestion": [], "error": [], "timeout": []}
    phases = [phase for phase, flow in zip(run.flows["phase"], run.flows["flow"], strict=True) if flow == 0]
    moments = np.array([row["time_s"] for row in judged])
    for row in judged:
        at = float(row["time_s"])
        after = int(np.searchsorted(times, at))
        if row["event"] == "timeout":
            if after < len(times):
                found["timeout"].append(float(phases[after] == "slow start"))
            continue
        alone = np.sum(np.abs(moments - at) <= 2.0 * step) == 1
        if not alone or after >= len(times) or after < 1:
            continue
        if row["verdict"] == "congestion":
            k, m = int(np.searchsorted(rate_at, at)), int(np.searchsorted(base_at, at))
            found["congestion"].append(float(window[after] / (rate[k] * base_ms[m] / 1e3)))
        else:
            found["error"].append(float(window[after] / window[after - 1]))
    return found


def into_slow_start(runs: Sequence[bp.Run]) -> bp.Estimate:
    """Percent of the timeouts that slow start follows, mean of the runs with a timeout; NaN without any."""
    shares = [100.0 * float(np.mean(told)) for run in runs if (told := reactions(run)["timeout"])]
    return st.sampled(shares) if shares else bp.fixed(float("nan"))


@st.reads(
    id="V-12",
    place="Section IV.C",
    what="Vegas-W's reaction to a judged loss and to a timeout",
    says="After congestion, ssthresh is the bandwidth times RTTmin, and cwnd is ssthresh. After a link error, neither "
    "changes. After a timeout, slow start follows.",
    plan=plan_reactions,
)
def read_reactions(runs: st.Runs) -> st.Finding:
    labels = (bed.VEGAS_W, bed.REPAIRED, bed.LOWERS, "errors")
    rows, means = [], {}
    for label in labels:
        found = [reactions(run) for run in runs.of(label)]
        cells = []
        for kind in ("congestion", "error", "timeout"):
            values = [one for here in found for one in here[kind]]
            means[label, kind] = [float(np.mean(here[kind])) for here in found if here[kind]]
            cells += [str(len(values)), bed.shown(st.sampled(means[label, kind])) if means[label, kind] else "-"]
        rows.append([f"{bed.VEGAS_W}, PER {PER:g}" if label == "errors" else label, *cells])
    seed = runs.effort.seeds[0]
    figure, axes = plots.new(2, 1, height=2.5)
    for axis, label in zip(axes, (bed.VEGAS_W, bed.LOWERS), strict=True):
        run = runs[label, seed]
        for name, text in (("cwnd_segments", "cwnd"), ("ssthresh_segments", "ssthresh")):
            times, line = st.series(run, name)
            part = (times > 78.0) & (times < 100.0)
            axis.plot(times[part], line[part], label=text)
        told = [row for row in st.events(run, "loss", "timeout") if row["flow"] == 0 and 78.0 < row["time_s"] < 100.0]
        for kind, marker, text in (("congestion", "v", "judged congestion"), ("link error", "^", "judged error")):
            at = [row["time_s"] for row in told if row["event"] == "loss" and row["verdict"] == kind]
            axis.plot(at, [60.0] * len(at), marker, label=text, linestyle="none", markersize=4)
        at = [row["time_s"] for row in told if row["event"] == "timeout"]
        axis.plot(at, [60.0] * len(at), "x", color="#000000", label="timeout", linestyle="none")
        axis.set(title=label, ylabel="segments", xlim=(78, 100), ylim=(0, 1250))
    axes[0].legend(fontsize="small", ncols=5, loc="upper right")
    axes[1].set_xlabel("s")
    slow_starts = into_slow_start(runs.of(bed.VEGAS_W))
    before = into_slow_start(runs.of("in", BEFORE))
    with_sack = "no timeout occurs" if math.isnan(before.mean) else f"the share is {before.mean:.0f} %"
    return st.found(
        "This row checks the implementation. After congestion, cwnd is "
        f"{np.mean(means[bed.VEGAS_W, 'congestion']):.2f} B RTTmin. After a link error, cwnd is "
        f"{np.mean(means['errors', 'error']):.2f} of its value before. Of the timeouts, {slow_starts.mean:.0f} % "
        "lead to slow start. Without SACK, a repair can take so long that the threshold B RTTmin falls to the window "
        f"of 2 segments; slow start then ends at once. With SACK, {with_sack}",
        st.claim(
            "cwnd after congestion divided by B RTTmin",
            st.sampled(means[bed.VEGAS_W, "congestion"]),
            st.equals(1.0, "", 3, within=0.05, check=True),
        ),
        st.claim(
            f"cwnd after a link error divided by cwnd before, PER {PER:g}",
            st.sampled(means["errors", "error"]),
            st.equals(1.0, "", 3, within=0.05, check=True),
        ),
        st.claim(
            "share of the timeouts that lead to slow start",
            slow_starts,
            st.equals(100.0, digits=0, check=True),
            readings=elsewhere(lambda name: into_slow_start(runs.of("in", name)), TIMED_OUT_IN),
        ),
        st.Sheet(
            "Reactions to a judgement: their number, and the mean ratio of the window to the window by the paper's "
            "rule (1 = as in the paper)",
            st.heads(
                " | congestion | cwnd / B RTTmin | errors | cwnd after / cwnd before | timeouts | timeouts with slow "
                "start after them"
            ),
            rows,
        ),
        st.Picture("Window and threshold when the CBR begins (first seed). Marks: judgements of losses.", figure),
        "The reaction to link errors is measured with access links of 16 Mbit/s. In the main reading, slow start "
        "follows a timeout, so the window grows between two samples.",
        "The window comes from samples every 108 ms. Judgements within two samples of another judgement are left out.",
        f"“{bed.LOWERS}” is Westwood's rule: W = min(W, B RTTmin). The paper sets W = B RTTmin, also upwards.",
        "After a loss that is judged as an error, TCP retransmits without any other reaction, and judges the next loss "
        "again.",
    )
