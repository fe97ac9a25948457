# SPDX-License-Identifier: MIT OR Apache-2.0
"""The rule that distinguishes a change of route from congestion (section IV.B; V-10)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.vegas_w import bed
from bentpipe_papers.vegas_w.curves import settings as asked
from bentpipe_papers.vegas_w.readings import (
    ACCESS,
    ACTING,
    ALL_BEDS,
    ALONE,
    ALONE_BOTH,
    BESIDE,
    CLEAR,
    CLEAR_EVERY,
    DOUBLING,
    LINUX,
    LOADS,
    MAIN,
    ROUTED_IN,
    TCP,
)
from bentpipe_papers.vegas_w.rows_route import longer, refreshes

JUMPS = (1.1, 1.5, 1.8, 1.9, 2.0, 2.1, 2.2, 2.5, 2.8, 2.9, 3.0, 3.1, 3.5)
JUMPS_QUICK = (1.9, 2.1, 2.5, 3.1)
#: Factors just above n and well above n.
CLAIMED = (2.1, 2.5)
_WHY = {option.name: option.why for option in BESIDE.options}
_BESIDE = tuple(LOADS)[2:]
JUMP_S = (60.0, 75.0)
#: The range of a share in percent, and of a difference of two shares. A run has one jump, so a seed is one trial.
SHARE, TOLD = st.Bounds(0.0, 100.0), st.Bounds(-100.0, 100.0)
#: Buffers of the model in bandwidth-delay products: no buffer, and the paper's 200 packets.
MODEL_BDP = (0.0, 0.2)
#: Round trips in ms of paths on which only the queue changes.
QUIET_RTTS_MS = (20.0, 50.0, 100.0, 540.0)


def jump_scenario(load: str, factor: float, seed: int, **settings: Any) -> bp.Scenario:
    queue, beside, both = LOADS[load]
    path = longer(bed.RTT_MS, factor, seed, both=both, at=[JUMP_S[0] + bed.shift_s(seed)])
    path.queue = queue
    flows = [bed.named(label, seed, **settings) for label in ((bed.VEGAS_W, bed.NEWRENO) if beside else (bed.VEGAS_W,))]
    return bed.scenario(f"jump x{factor:g}, {load}", flows, path, seed=seed, duration_s=JUMP_S[1])


def quiet_scenario(rtt_ms: float, seed: int, **settings: Any) -> bp.Scenario:
    beside = bed.named(bed.NEWRENO, seed, count=2, start=f"{1 + bed.shift_s(seed):g} s", stagger="3 s", **settings)
    flows = [bed.named(bed.VEGAS_W, seed, **settings), beside]
    for flow in flows:
        flow.access = bp.AccessLink(
            rate=bed.access(seed, settings.get("access_mbit_s", bed.ACCESS_MBIT_S)).rate, delay=f"{rtt_ms / 8:g} ms"
        )
    link = bp.Link(
        rate=f"{bed.RATE_MBIT_S:g} Mbit/s", delay=f"{rtt_ms / 4:g} ms", queue="200 packets", loss=bp.Loss(per=1e-6)
    )
    return bed.scenario(f"no change, {rtt_ms:g} ms", flows, link, seed=seed, duration_s=60.0)


def plan_jumps(effort: st.Effort) -> st.Plan:
    plans: dict[st.Key, bp.Scenario] = {
        ("jump", load, factor, seed): jump_scenario(load, factor, seed)
        for load, factor, seed in product(LOADS, effort.pick(JUMPS_QUICK, JUMPS), effort.seeds)
    }
    plans |= {
        ("quiet", rtt_ms, seed): quiet_scenario(rtt_ms, seed) for rtt_ms, seed in product(QUIET_RTTS_MS, effort.seeds)
    }
    for seed, name in product(effort.seeds, (MAIN, *ROUTED_IN)):
        settings = ALL_BEDS[name].settings
        plans["still", name, seed] = quiet_scenario(bed.RTT_MS, seed, **settings)
        for load, factor in product(_WHY, CLAIMED):
            plans["one", name, load, factor, seed] = jump_scenario(load, factor, seed, **settings)
    return plans


def told_apart(runs: st.Runs, reading: str, load: str, factor: float) -> bp.Estimate:
    """Percent of the jumps that the rule detects, minus the percent of minutes with a false alarm."""
    pairs = zip(runs.of("one", reading, load, factor), runs.of("still", reading), strict=True)
    return st.sampled([told_in({"jump": run, "still": still}) for run, still in pairs], bounds=TOLD)


def in_other_places(runs: st.Runs, factor: float) -> tuple[st.InReading, ...]:
    places = [(reading, load) for reading, load in product((MAIN, *ACTING), _WHY) if (reading, load) != (MAIN, ALONE)]
    return tuple(
        st.InReading(
            name=load if reading == MAIN else f"{reading}; {load}",
            why=_WHY[load] if reading == MAIN else f"{ALL_BEDS[reading].why}; {_WHY[load]}",
            measured=told_apart(runs, reading, load, factor),
        )
        for reading, load in places
    )


def noticed_of(run: bp.Run) -> tuple[float, float]:
    """Number of refreshes before the jump, and within 5 s after it."""
    times, counts = st.snapshot(run, "base_rtt_refreshes")
    at = JUMP_S[0] + bed.shift_s(bed.seed_of(run))
    before = float(counts[np.searchsorted(times, at) - 1])
    return before, float(counts[np.searchsorted(times, at + 5.0) - 1]) - before


def in_combination(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    jump = jump_scenario(values[BESIDE.name], CLAIMED[0], seed, **asked(values))
    return {"jump": jump, "still": quiet_scenario(bed.RTT_MS, seed, **asked(values))}


def told_in(runs: Mapping[str, bp.Run]) -> float:
    """100 if the rule detects the jump, minus 100 if it mistakes congestion for a jump."""
    seen = noticed_of(runs["jump"])[1]
    return 100.0 * (seen > 0) - 100.0 * (refreshes(runs["still"]) > 0)


CURVE = st.Curve(
    title=f"share of RTT jumps of x {CLAIMED[0]:g} detected, minus share of minutes with a false alarm (V-10)",
    choices=(BESIDE, TCP, ACCESS, DOUBLING),
    plan=in_combination,
    effect=told_in,
    bounds=TOLD,
    sign=1,
    digits=0,
)


@st.reads(
    id="V-10",
    place="Section IV.B",
    what="the rule RTT_now > n RTT_ave, n = 2, m = 20",
    says="Congestion changes the RTT gradually, and a change of route changes it sharply. In avoidance, the rule "
    "distinguishes the two.",
    plan=plan_jumps,
    curves={"a": CURVE},
)
def read_jumps(runs: st.Runs) -> st.Finding:
    factors = runs.effort.pick(JUMPS_QUICK, JUMPS)
    figure, (found,) = plots.new(1, 1, height=3.2)
    table: list[list[str]] = []
    share: dict[tuple[str, float], bp.Estimate] = {}
    for load in LOADS:
        line = []
        for factor in factors:
            share[load, factor] = st.sampled(
                [100.0 * (noticed_of(run)[1] > 0) for run in runs.of("jump", load, factor)], bounds=SHARE
            )
            line.append(share[load, factor])
        # A small offset makes equal lines visible.
        apart = 0.012 * (len(table) - 1.5)
        st.with_errors(found, [factor + apart for factor in factors], line, load, marker="o")
        table.append([load, *(bed.shown(one, 0) for one in line)])
    fine = np.round(np.arange(factors[0], factors[-1] + 0.01, 0.01), 2)
    rule = bp.model("vegas-w-jump", jump_factor=fine.tolist(), buffer_bdp=MODEL_BDP)
    buffers, chance = (np.array(rule.table[name]) for name in ("buffer_bdp", "detection_probability"))
    for size in MODEL_BDP:
        seen = 100.0 * chance[buffers == size]
        label = f"model, steady queue of up to {size:g} BDP" if size else "model, no queue"
        found.plot(fine, seen, color="#000000", linestyle=":" if size else "-", linewidth=0.8, label=label)
        table.append([label, *(f"{seen[np.searchsorted(fine, factor)]:.0f}" for factor in factors)])
    least_seen = rule.facts["least_jump_seen_with_empty_queue"]
    fooled = rule.facts["burst_fools_it_below_bdp_packets"]
    found.axvline(least_seen, color="#000000", linestyle="--", linewidth=0.8, label="n = 2 (paper)")
    found.set(xlabel="new RTT / old RTT", ylabel="jumps that refresh BaseRTT (%)")
    found.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5))
    alarms = {rtt_ms: st.sampled([refreshes(run) for run in runs.of("quiet", rtt_ms)]) for rtt_ms in QUIET_RTTS_MS}
    false_alarms = sum(refreshes(run) for run in runs.of("quiet"))
    quiet_min = float(len(runs.of("quiet")))
    beside = [share[load, factor].mean for load in _BESIDE for factor in factors if factor > least_seen]
    alone = {reading: told_apart(runs, reading, ALONE, CLAIMED[0]) for reading in (MAIN, *ROUTED_IN)}
    both = told_apart(runs, LINUX, ALONE_BOTH, CLAIMED[0])
    return st.found(
        "The rule acts only in avoidance, as the paper says. In the main reading, timeouts mostly keep Vegas-W out "
        f"of avoidance, and the rule detects {alone[MAIN].mean:.0f} % of the jumps by {CLAIMED[0]:g}. It detects "
        f"{alone[CLEAR].mean:.0f} % with access links of 16 Mbit/s, {alone[CLEAR_EVERY].mean:.0f} % if slow start "
        f"also doubles in every round, and {alone[LINUX].mean:.0f} % with Linux's TCP ({both.mean:.0f} % if both "
        f"directions become longer). Beside NewReno, the rule detects {np.mean(beside):.0f} % of the jumps above x "
        f"{least_seen:g}. In {quiet_min:.0f} minutes, {false_alarms:.0f} false alarms occurred",
        *[
            st.claim(
                f"share of RTT jumps of x {factor:g} detected, minus share of minutes with a false alarm, "
                f"{bed.RTT_MS:g} ms, {ALONE}",
                told_apart(runs, MAIN, ALONE, factor),
                st.above(digits=0),
                decides=(
                    "The rule acts only in avoidance, and in the main reading timeouts mostly keep Vegas-W out of "
                    "avoidance. In avoidance, the rule compares each RTT with the mean RTT of the last 20 packets. "
                    "The rule does not detect some jumps: if both directions change, the RTT grows in two steps, and "
                    "the queue of other flows hides a jump. A run has one jump, so three seeds are too few for a "
                    "verdict"
                ),
                note=(
                    "The paper's rule starts when the flow “enters congestion avoidance phase”, which is rare in our "
                    "main reading. For a flow alone, n = 2 itself determines which jumps are detected. The number of "
                    "false alarms is measured"
                ),
                readings=in_other_places(runs, factor),
            )
            for factor in CLAIMED
        ],
        st.Sheet(
            "Share of jumps that refresh BaseRTT within 5 s (%; mean ± 95 %, not clipped at 0 and 100)",
            ("", *(f"x {factor:g}" for factor in factors)),
            table,
        ),
        st.Sheet(
            "Refreshes of BaseRTT per minute without any change of route (buffer 200 packets, two NewReno flows "
            "beside Vegas-W)",
            ("base RTT (ms)", "false alarms"),
            [[f"{rtt_ms:g}", bed.shown(alarms[rtt_ms], 1)] for rtt_ms in QUIET_RTTS_MS],
        ),
        st.Picture("Share of changes to a longer route that refresh BaseRTT (mean and 95 %, not clipped).", figure),
        "The rule's mean RTT covers the last 20 packets, which take 11 ms at the full rate. The rule therefore "
        "detects a jump only in the first packets of the new route, and a queue before the jump is part of the mean.",
        "A jump of the RTT by more than SRTT + 200 ms first causes a retransmission timeout. TCP detects that the "
        "timeout is spurious and undoes it. Until then, the flow is in slow start, where the rule does not act. "
        "Beside NewReno, the 20 packets after the jump have passed before avoidance continues.",
        "A queue causes a false alarm if it grows by n - 1 round trips within m packets. By the model, a burst "
        f"causes such a queue if the path holds fewer than {fooled:.1f} packets. The shortest path here holds "
        f"{bed.bdp_packets(QUIET_RTTS_MS[0]):.0f} packets and has {alarms[QUIET_RTTS_MS[0]].mean:.1f} false alarms "
        f"on average; a full buffer (107 ms) is {107.0 / QUIET_RTTS_MS[0]:.1f} times the base RTT of this path.",
    )
