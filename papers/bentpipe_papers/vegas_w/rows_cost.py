# SPDX-License-Identifier: MIT OR Apache-2.0
"""What Vegas-W costs beside Vegas: state, and time per ACK (section VI; V-15)."""

from __future__ import annotations

import csv
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import bentpipe as bp
from bentpipe.study import Claim, Effort, Finding, Row, Sheet, series
from bentpipe_papers.vegas_w.bed import VEGAS, VEGAS_W, cross_traffic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bentpipe.study import Key, Runs


class Cost(NamedTuple):
    """What a controller costs (`cost.csv`): state and rings of samples in bytes; per ACK ns and instructions."""

    state_bytes: int
    ring_bytes: int
    ns_per_ack: float
    instructions_per_ack: float


def measured_costs() -> dict[str, Cost]:
    """By controller, as `cost.csv` has them: from the bench `controllers`, which says how to make them anew."""
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


def plan_cost(effort: Effort) -> Mapping[Key, bp.Scenario]:
    return {(label, seed): cross_traffic(label, seed) for label in (VEGAS, VEGAS_W) for seed in effort.seeds[:1]}


def read_cost(costs: Mapping[str, Cost], runs: Runs) -> Finding:
    most = {label: max(series(runs.of(label)[0], "cwnd_segments")[1]) for label in (VEGAS, VEGAS_W)}
    rows = (
        ("Vegas itself", "1", "BaseRTT; sum and number of a round's RTTs; end of the round", "one addition per ACK"),
        ("estimate of the bandwidth", "2-5", "estimate, last sample, time of the last ACK", "one division per ACK"),
        ("surveillance of the route", "IV.B", "the last m = 20 RTTs and their sum", "one comparison per ACK"),
        (
            "telling losses apart",
            "IV.C",
            f"when each packet in flight was sent and acknowledged: up to {most[VEGAS_W]:.0f} pairs of times here",
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
    return Finding(
        why=f"As built here an ACK costs Vegas-W {time[ours]:.2f} times the instructions of Vegas (NewReno "
        f"{time['newreno']:.2f}), and its state is {space[ours]:.2f} times as large, {whole[ours]:.0f} times with the "
        "rings of samples: two times are kept for each of the last 512 packets. Our repair, which goes on estimating "
        f"in avoidance, costs {time[repaired]:.2f} times. The paper gives no number, so only the side is claimed",
        claims=[
            Claim(
                what="instructions per ACK in avoidance, Vegas-W over Vegas",
                measured=bp.fixed(time[ours]),
                sign=1,
                neutral=1.0,
                unit="",
                digits=2,
                note="“has time and space overhead”; a count of instructions has no chance in it",
            ),
            Claim(
                what="bytes of state, Vegas-W over Vegas, without rings of samples",
                measured=bp.fixed(space[ours]),
                sign=1,
                neutral=1.0,
                unit="",
                digits=2,
                check=True,
                note="“has time and space overhead”; Vegas-W keeps all that Vegas keeps",
            ),
        ],
        sheets=[
            Sheet(
                "Cost as built here, and over that of Vegas (`cost.csv`)",
                (
                    *("", "state (bytes)", "rings (bytes)", "ns per ACK", "instructions per ACK"),
                    *("state over Vegas's", "with rings", "ns", "instructions"),
                ),
                lines,
            ),
            Sheet("What is kept and done beyond NewReno, by the paper's text", ("part", "place", "kept", "work"), rows),
        ],
        notes=[
            "`cargo bench -p bentpipe-benches --bench controllers` prints bytes of state and times an ACK; the numbers "
            "here were made with it once and are kept in `cost.csv`, which says how. Times are those of one busy "
            "machine, with what the bench itself costs; instructions are counted without it, so only ratios mean "
            "anything elsewhere.",
            "“how to combine these two aspects would be our future work”: a verdict on losses that keeps only the last "
            "window's sending times, or none (every loss congestion), takes the space back.",
        ],
    )


ROWS = (
    Row(
        id="V-15",
        place="Section VI",
        what="overhead in time and space",
        says="it “has time and space overhead”; to combine performance and cost is future work.",
        plan=plan_cost,
        read=partial(read_cost, COSTS),  # so that new numbers make a new finding
    ),
)
