# SPDX-License-Identifier: MIT OR Apache-2.0
"""The rule that tells a change of route from congestion (section IV.B; V-10)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe.study import (
    Claim,
    Curve,
    Effort,
    Finding,
    InReading,
    Picture,
    Row,
    Sheet,
    in_reading,
    sampled,
    snapshot,
    with_errors,
)
from bentpipe_papers.vegas_w.bed import (
    ACCESS_MBIT_S,
    NEWRENO,
    RATE_MBIT_S,
    RTT_MS,
    VEGAS_W,
    access,
    bdp_packets,
    named,
    scenario,
    seed_of,
    shift_s,
    shown,
)
from bentpipe_papers.vegas_w.curves import settings as asked
from bentpipe_papers.vegas_w.readings import (
    ACCESS,
    ALL_BEDS,
    ALONE,
    ALONE_BOTH,
    BESIDE,
    CLEAR,
    CLEAR_EVERY,
    DOUBLING,
    ESTIMATE,
    LINUX,
    LOADS,
    MAIN,
    ROUTED_IN,
    TCP,
)
from bentpipe_papers.vegas_w.rows_route import longer, refreshes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bentpipe.study import Key, Runs

JUMPS = (1.1, 1.5, 1.8, 1.9, 2.0, 2.1, 2.2, 2.5, 2.8, 2.9, 3.0, 3.1, 3.5)
JUMPS_QUICK = (1.9, 2.1, 2.5, 3.1)
#: Just above n, and well above it.
CLAIMED = (2.1, 2.5)
_WHY = {option.name: option.why for option in BESIDE.options}
_BESIDE = tuple(LOADS)[2:]
JUMP_S = (60.0, 75.0)
#: Buffers of the model in bandwidth-delay products: none, and the paper's 200 packets.
MODEL_BDP = (0.0, 0.2)
#: Round trips of paths on which nothing changes but the queue.
QUIET_RTTS_MS = (20.0, 50.0, 100.0, 540.0)


def jump_scenario(load: str, factor: float, seed: int, **settings: Any) -> bp.Scenario:
    queue, beside, both = LOADS[load]
    path = longer(RTT_MS, factor, seed, both=both, at=[JUMP_S[0] + shift_s(seed)])
    path.queue = queue
    flows = [named(label, seed, **settings) for label in ((VEGAS_W, NEWRENO) if beside else (VEGAS_W,))]
    return scenario(f"jump x{factor:g}, {load}", flows, path, seed=seed, duration_s=JUMP_S[1])


def quiet_scenario(rtt_ms: float, seed: int, **settings: Any) -> bp.Scenario:
    """Vegas-W beside two NewReno flows on a path that stays as it is, with 200 packets of buffer (107 ms)."""
    beside = named(NEWRENO, seed, count=2, start=f"{1 + shift_s(seed):g} s", stagger="3 s", **settings)
    flows = [named(VEGAS_W, seed, **settings), beside]
    for flow in flows:
        flow.access = bp.AccessLink(
            rate=access(seed, settings.get("access_mbit_s", ACCESS_MBIT_S)).rate, delay=f"{rtt_ms / 8:g} ms"
        )
    link = bp.Link(
        rate=f"{RATE_MBIT_S:g} Mbit/s", delay=f"{rtt_ms / 4:g} ms", queue="200 packets", loss=bp.Loss(per=1e-6)
    )
    return scenario(f"no change, {rtt_ms:g} ms", flows, link, seed=seed, duration_s=60.0)


def plan_jumps(effort: Effort) -> Mapping[Key, bp.Scenario]:
    plans: dict[Key, bp.Scenario] = {
        ("jump", load, factor, seed): jump_scenario(load, factor, seed)
        for load in LOADS
        for factor in effort.pick(JUMPS_QUICK, JUMPS)
        for seed in effort.seeds
    }
    plans |= {
        ("quiet", rtt_ms, seed): quiet_scenario(rtt_ms, seed) for rtt_ms in QUIET_RTTS_MS for seed in effort.seeds
    }
    for seed in effort.seeds:
        for name in (MAIN, *ROUTED_IN):
            settings = ALL_BEDS[name].settings
            plans["still", name, seed] = quiet_scenario(RTT_MS, seed, **settings)
            for load in LOADS:
                for factor in CLAIMED:
                    plans["one", name, load, factor, seed] = jump_scenario(load, factor, seed, **settings)
    return plans


def told_apart(runs: Runs, bed: str, load: str, factor: float, seeds: tuple[int, ...]) -> bp.Estimate:
    """Jumps seen less minutes of congestion in which one was seen, in percent."""
    trios = zip(runs.of("one", bed, load, factor, seeds=seeds), runs.of("still", bed, seeds=seeds), seeds, strict=True)
    return sampled(
        [100.0 * (noticed_of(run, one)[1] > 0) - 100.0 * (refreshes(still) > 0) for run, still, one in trios]
    )


def in_other_places(runs: Runs, factor: float) -> tuple[InReading, ...]:
    """What is told apart in the other bed and beside other things."""
    places = [(bed, load) for bed in (MAIN, *ROUTED_IN) for load in LOADS if (bed, load) != (MAIN, ALONE)]
    return tuple(
        in_reading(
            load if bed == MAIN else f"{bed}; {load}",
            _WHY[load] if bed == MAIN else f"{ALL_BEDS[bed].why}; {_WHY[load]}",
            partial(told_apart, runs, bed, load, factor),
            runs.effort,
        )
        for bed, load in places
    )


def noticed_of(run: bp.Run, seed: int) -> tuple[float, float]:
    """Refreshes before the jump, and within 5 s after it."""
    times, counts = snapshot(run, "base_rtt_refreshes")
    at = JUMP_S[0] + shift_s(seed)
    before = float(counts[np.searchsorted(times, at) - 1])
    return before, float(counts[np.searchsorted(times, at + 5.0) - 1]) - before


@plots.styled
def read_jumps(runs: Runs) -> Finding:
    factors = runs.effort.pick(JUMPS_QUICK, JUMPS)
    figure, (found,) = plots.new(1, 1, height=3.2)
    table: list[list[str]] = []
    share: dict[tuple[str, float], bp.Estimate] = {}
    for load in LOADS:
        line = []
        for factor in factors:
            pairs = zip(runs.of("jump", load, factor), runs.effort.seeds, strict=True)
            noticed = [noticed_of(run, seed) for run, seed in pairs]
            share[load, factor] = sampled([100.0 * (after > 0) for _, after in noticed])
            line.append(share[load, factor])
        # Apart by a hair, so that equal lines can be told.
        apart = 0.012 * (len(table) - 1.5)
        with_errors(found, [factor + apart for factor in factors], line, load, marker="o")
        table.append([load, *(shown(one, 0) for one in line)])
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
    found.set(xlabel="new RTT over old RTT", ylabel="jumps that refresh BaseRTT (%)")
    found.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5))
    alarms = {rtt_ms: sampled([refreshes(run) for run in runs.of("quiet", rtt_ms)]) for rtt_ms in QUIET_RTTS_MS}
    false_alarms = sum(refreshes(run) for run in runs.of("quiet"))
    quiet_min = float(len(runs.of("quiet")))
    beside = [share[load, factor].mean for load in _BESIDE for factor in factors if factor > least_seen]
    seeds = runs.effort.seeds
    alone = {bed: told_apart(runs, bed, ALONE, CLAIMED[0], seeds) for bed in (MAIN, *ROUTED_IN)}
    both = told_apart(runs, LINUX, ALONE_BOTH, CLAIMED[0], seeds)
    return Finding(
        why="The rule watches in avoidance only, as the paper says. In our main bed timeouts mostly "
        f"keep Vegas-W out of it: of jumps by {CLAIMED[0]:g} it sees {alone[MAIN].mean:.0f} %; with 16 Mbit/s "
        f"{alone[CLEAR].mean:.0f} %, doubling in "
        f"every round {alone[CLEAR_EVERY].mean:.0f} %, with Linux's TCP {alone[LINUX].mean:.0f} %, both ways "
        f"longer {both.mean:.0f} %. Beside NewReno: {np.mean(beside):.0f} % above x {least_seen:g}. "
        f"{false_alarms:.0f} false alarms in {quiet_min:.0f} min",
        claims=[
            Claim(
                what=f"jumps of x {factor:g} seen, less congestion taken for a jump, at {RTT_MS:g} ms, {ALONE}",
                measured=told_apart(runs, MAIN, ALONE, factor, seeds),
                sign=1,
                digits=0,
                headline="This feature can be used to distinguish the two conditions" if factor == CLAIMED[0] else "",
                decides="whether Vegas-W is in avoidance; one way or both; who else is on the path",
                note="the paper's rule begins as the flow “enters congestion avoidance phase”, where our main bed "
                "seldom has it. Alone, n = 2 itself says which jumps are seen; that congestion is not taken for one is "
                "measured",
                readings=in_other_places(runs, factor),
            )
            for factor in CLAIMED
        ],
        sheets=[
            Sheet(
                "Jumps that refresh BaseRTT within 5 s (%; mean ± 95 % by Student's t, not clipped at 0 and 100)",
                ("", *(f"x {factor:g}" for factor in factors)),
                table,
            ),
            Sheet(
                "Refreshes in a minute without any change of route (buffer 200 packets, two NewReno flows beside)",
                ("base RTT (ms)", "false alarms"),
                [[f"{rtt_ms:g}", shown(alarms[rtt_ms], 1)] for rtt_ms in QUIET_RTTS_MS],
            ),
        ],
        pictures=[
            Picture("How often a longer route refreshes BaseRTT (mean and 95 % by Student's t, not clipped).", figure)
        ],
        notes=[
            "The mean is that of the last 20 packets, 11 ms at the full rate: what the first packets of the new route "
            "do not show is never seen, and a queue in front of the jump is part of the mean.",
            "A jump by more than SRTT + 200 ms comes after a retransmission timeout. It is found spurious and undone, "
            "but until then the flow is in slow start, where the rule does not watch: beside NewReno the jump is over "
            "when avoidance goes on.",
            "A queue fools the rule if it grows by n - 1 round trips within m packets; a burst does that on a path of "
            f"fewer than {fooled:.1f} packets (model). The shortest here holds {bdp_packets(QUIET_RTTS_MS[0]):.0f}: "
            f"{alarms[QUIET_RTTS_MS[0]].mean:.1f} false alarms in the mean, where a full buffer (107 ms) is "
            f"{107.0 / QUIET_RTTS_MS[0]:.1f} times the base RTT.",
        ],
    )


def in_combination(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    """A jump, and a minute of congestion."""
    jump = jump_scenario(values[BESIDE.name], CLAIMED[0], seed, **asked(values))
    return {"jump": jump, "still": quiet_scenario(RTT_MS, seed, **asked(values))}


def told_in(runs: Mapping[str, bp.Run]) -> float:
    """100 if the jump is seen, less 100 if congestion is taken for one."""
    seen = noticed_of(runs["jump"], seed_of(runs["jump"]))[1]
    return 100.0 * (seen > 0) - 100.0 * (refreshes(runs["still"]) > 0)


CURVE = Curve(
    title=f"jumps of x {CLAIMED[0]:g} seen, less congestion taken for a jump (V-10)",
    choices=(BESIDE, TCP, ACCESS, DOUBLING, ESTIMATE),
    plan=in_combination,
    effect=told_in,
    sign=1,
    digits=0,
)

ROWS = (
    Row(
        id="V-10",
        place="Section IV.B",
        what="the rule RTT_now > n RTT_ave, n = 2, m = 20",
        says="congestion changes the RTT gradually, a change of route sharply; in avoidance the rule tells the two "
        "apart.",
        plan=plan_jumps,
        read=read_jumps,
        curves={"a": CURVE},
    ),
)
