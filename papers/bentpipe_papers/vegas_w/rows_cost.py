# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cost of Vegas-W compared with Vegas, and a cheaper estimate than equations 2 to 5 (section VI; V-15, V-16)."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow.compute as pc

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.vegas_w.bed import (
    CONTROLLERS,
    REPAIRED,
    RTTS_MS,
    VEGAS,
    VEGAS_W,
    cross_traffic,
    left_slow_start,
    start_up,
)


class Cost(NamedTuple):
    """The cost of a controller (`cost.csv`): state and rings of samples in bytes, and per ACK ns and instructions."""

    state_bytes: int
    ring_bytes: int
    ns_per_ack: float
    instructions_per_ack: float


def measured_costs() -> dict[str, Cost]:
    """The costs by controller in `cost.csv`, measured by the bench `controllers`."""
    text = (Path(__file__).parent / "cost.csv").read_text(encoding="utf-8")
    lines = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    return {
        row["controller"]: Cost(
            int(row["state_bytes"]),
            int(row["ring_bytes"]),
            float(row["ns_per_ack"]),
            float(row["instructions_per_ack"]),
        )
        for row in lines
    }


COSTS = measured_costs()


def plan_cost(effort: st.Effort) -> st.Plan:
    return {(label, seed): cross_traffic(label, seed) for label in (VEGAS, VEGAS_W) for seed in effort.seeds[:1]}


def read_cost(costs: Mapping[str, Cost], runs: st.Runs) -> st.Finding:
    most = {label: max(st.series(runs.of(label)[0], "cwnd_segments")[1]) for label in (VEGAS, VEGAS_W)}
    rows = (
        ("Vegas itself", "1", "BaseRTT; sum and number of a round's RTTs; end of the round", "one addition per ACK"),
        ("estimate of the bandwidth", "2-5", "estimate, last sample, time of the last ACK", "one division per ACK"),
        ("surveillance of the route", "IV.B", "the last m = 20 RTTs and their sum", "one comparison per ACK"),
        (
            "distinguishing causes of loss",
            "IV.C",
            f"times at which each packet in flight was sent and acknowledged: up to {most[VEGAS_W]:.0f} pairs of times",
            "two writes per packet, two subtractions per loss",
        ),
    )
    base = costs["vegas"]
    space = {name: cost.state_bytes / base.state_bytes for name, cost in costs.items()}
    whole = {name: (cost.state_bytes + cost.ring_bytes) / base.state_bytes for name, cost in costs.items()}
    time = {name: cost.instructions_per_ack / base.instructions_per_ack for name, cost in costs.items()}
    ns = {name: cost.ns_per_ack / base.ns_per_ack for name, cost in costs.items()}
    ours, repaired = "vegas-w-paper", "vegas-w"
    lines = [
        [
            name,
            *(f"{value}" for value in cost[:2]),
            *(f"{value:.1f}" for value in cost[2:]),
            *(f"{ratio[name]:.2f}" for ratio in (space, whole, ns, time)),
        ]
        for name, cost in costs.items()
    ]
    return st.found(
        f"In our implementation, an ACK costs Vegas-W {time[ours]:.2f} times as many instructions as Vegas (NewReno: "
        f"{time['newreno']:.2f}). Vegas-W's state is {space[ours]:.2f} times as large, and {whole[ours]:.0f} times "
        "with the rings of samples, which store two times for each of the last 512 packets. Our repair, which "
        f"continues to estimate in avoidance, costs {time[repaired]:.2f} times as many instructions as Vegas. The "
        "paper gives no number, so we check only that Vegas-W costs more",
        st.claim(
            "instructions per ACK of Vegas-W in avoidance divided by those of Vegas",
            bp.fixed(time[ours]),
            st.above("", 2, than=1.0, check=True),
            note=(
                "The paper says “has time and space overhead”. Vegas-W does all that Vegas does, and more, so the "
                "ratio must exceed 1. A count of instructions has no random part"
            ),
        ),
        st.claim(
            "bytes of state of Vegas-W, without rings of samples, divided by those of Vegas",
            bp.fixed(space[ours]),
            st.above("", 2, than=1.0, check=True),
            note=(
                "The paper says “has time and space overhead”. Vegas-W stores all that Vegas stores, and more, so the "
                "ratio must exceed 1, and more, so the ratio must exceed 1, and more, so the ratio must exceed 1"
            ),
        ),
        st.Sheet(
            "Cost of our implementations, and cost divided by that of Vegas (`cost.csv`)",
            st.heads(
                " | state (bytes) | rings (bytes) | ns per ACK | instructions per ACK | state / Vegas's | with rings "
                "/ Vegas's | ns / Vegas's | instructions / Vegas's"
            ),
            lines,
        ),
        st.Sheet(
            "State and work that each controller adds to NewReno, by the paper's text",
            ("part", "place", "kept", "work"),
            rows,
        ),
        "`cargo bench -p bentpipe-benches --bench controllers` prints the bytes of state and measures the time of an "
        "ACK. The numbers in `cost.csv` were measured once; the file describes the method. The times are from one "
        "busy machine and include the benchmark itself; the instructions do not include it. On another machine, only "
        "the ratios are meaningful.",
        "The paper says “how to combine these two aspects would be our future work”. A controller does not need this "
        "space if it stores only the sending times of the last window, or if it treats every loss as congestion.",
    )


V_15 = st.Row(
    id="V-15",
    place="Section VI",
    what="overhead in time and space",
    says="Vegas-W “has time and space overhead”. The combination of performance and cost is future work.",
    plan=plan_cost,
    read=partial(read_cost, COSTS),  # an argument, so that new numbers make a new finding
)


#: Time constant of the controller's filter in s.
TAU_S = 0.05
#: A pause of this fraction of a round trip ends a burst of ACKs.
PAUSE = 0.15
OFTEN = {"every other round": {}, "every round": {"doubling": "every-round"}}
#: Rates of access links: slow start loses little with the first, and overflows with the second.
ACCESS_MBIT_S = (16.0, 100.0)


class Asked(NamedTuple):
    """The estimates at the first ACK of a burst, in segments/s."""

    newest: float
    largest: float


def plan_cheaper(effort: st.Effort) -> st.Plan:
    """Plan start-ups with recorded packets: of both variants of Vegas-W by access link, doubling and base RTT."""
    found: dict[st.Key, bp.Scenario] = {}
    for label in (VEGAS_W, REPAIRED):
        for access, (often, settings), rtt_ms, seed in product(ACCESS_MBIT_S, OFTEN.items(), RTTS_MS, effort.seeds[:2]):
            one = start_up(
                f"{label}, {access:g} Mbit/s, {often}, packets",
                CONTROLLERS[label],
                seed,
                rtt_ms=rtt_ms,
                access_mbit_s=access,
                **settings,
            )
            record = bp.Record(interval=f"{rtt_ms / 20:g} ms", events=True, packets=True)
            found[label, access, often, rtt_ms, seed] = replace(one, duration="13 s", record=record)
    return found


def arrivals(run: bp.Run) -> plots.Floats:
    """Times in s at which ACKs arrived at the sender until slow start ended. Each acknowledges one segment."""
    packets = run.packets.arrow
    back = pc.and_(pc.equal(packets["kind"], "ack"), pc.equal(packets["event"], "deliver"))
    times = plots.column(packets.filter(pc.and_(back, pc.is_null(packets["link"]))), "time_s")
    return times[times <= left_slow_start(run)[0]]


def by_filter(times: plots.Floats) -> plots.Floats:
    """Equations 2 to 5 at every ACK from the second on, in segments/s. Beyond D = 2 tau the factor is 0."""
    gaps = np.maximum(np.diff(times), 1e-9)
    found, estimate, before = [], 0.0, 0.0
    for gap in gaps:
        sample = 1.0 / gap
        pole = max(0.0, (2.0 * TAU_S / gap - 1.0) / (2.0 * TAU_S / gap + 1.0))
        estimate = pole * estimate + 0.5 * (1.0 - pole) * (sample + before)
        before = sample
        found.append(estimate)
    return np.array(found)


def decisions(run: bp.Run, rtt_ms: float) -> list[tuple[float, Asked, float]]:
    """At the first ACK of each burst: window over RTTmin, the filter's estimates, and the estimate of the last burst.

    The estimate of a burst is (ACKs - 1) divided by the time from its first to its last ACK: one subtraction and one
    division per round trip.
    """
    times = arrivals(run)
    if times.size < 4:
        return []
    estimates = by_filter(times)
    first = np.flatnonzero(np.diff(times) > PAUSE * rtt_ms / 1e3) + 1
    at, windows = st.series(run, "cwnd_segments")
    found, begin, largest = [], 0, 0.0
    for place in first:
        spent = times[place - 1] - times[begin]
        if place - begin > 2 and spent > 0.0:
            of_burst = float(place - 1 - begin) / float(spent)
            largest = float(estimates[begin : place - 1].max())
            window = float(windows[max(0, int(np.searchsorted(at, times[place])) - 1)])
            found.append((window / (rtt_ms / 1e3), Asked(float(estimates[place - 1]), largest), of_burst))
        begin = int(place)
    return found


@st.reads(
    id="V-16",
    place="Section VI",
    what="a cheaper estimate of the bandwidth that leads to the same decisions",
    says="“It performs well, but also has time and space overhead. So how to combine these two aspects would "
    "be our future work.”",
    plan=plan_cheaper,
)
def read_cheaper(runs: st.Runs) -> st.Finding:
    rows, alike, asked, leaves = [], {"newest": 0, "largest": 0}, 0, 0
    for label, access, often in product((VEGAS_W, REPAIRED), ACCESS_MBIT_S, OFTEN):
        told = [
            (one, rtt_ms)
            for rtt_ms in RTTS_MS
            for run in runs.of(label, access, often, rtt_ms)
            for one in decisions(run, rtt_ms)
        ]
        # The pause halves the filter's newest estimate, so half of the burst's rate is compared with it.
        same = {
            "largest": sum((rate < by.largest) == (rate < burst) for (rate, by, burst), _ in told),
            "newest": sum((rate < by.newest) == (rate < 0.5 * burst) for (rate, by, burst), _ in told),
        }
        asked += len(told)
        leaves += sum(rate >= by.newest for (rate, by, _), _ in told)
        for name, count in same.items():
            alike[name] += count
        rows.append([label, f"{access:g}", often, str(len(told)), str(same["largest"]), str(same["newest"])])
    return st.found(
        "This is future work of the paper, without a claim. A cheaper estimate is the rate of a burst of ACKs: their "
        "number minus one, divided by the time from the first to the last. This rate gives the same decision as the "
        f"filter's largest estimate in {alike['largest']} of {asked} rounds of slow start. Half of this rate gives "
        f"the same decision as the filter's newest estimate in {alike['newest']} rounds, of which {leaves} end slow "
        "start. The rate needs one division per round trip instead of three per ACK, and three numbers of state",
        st.Sheet(
            "Rounds of slow start in which the estimate decides, and how often both estimates give the same decision",
            (
                "run",
                "access (Mbit/s)",
                "doubles",
                "rounds",
                "rate of the burst and largest estimate",
                "half of this rate and newest estimate",
            ),
            rows,
        ),
        "The decisions are computed again from the recorded packets of the runs, for the window of each round. The "
        "controller itself is unchanged. The new estimate needs the time of the first ACK of a round, the time of the "
        "newest ACK, and the number of ACKs. The rings of section IV.C are not part of it.",
    )
