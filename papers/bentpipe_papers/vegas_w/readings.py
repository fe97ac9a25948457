# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the paper leaves open of Vegas-W, and the time to 15 Mbit/s in every reading of it (V-07)."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from bentpipe_papers.vegas_w.bed import (
    CONTROLLERS,
    FULL,
    RATE_MBIT_S,
    RTT_MS,
    RTTS_MS,
    VEGAS_W,
    full_at,
    full_for_good,
    often,
    on_the_wire,
    start_up,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import bentpipe as bp
    from bentpipe.study import Effort, Key, Runs

#: Time to the full 15 Mbit/s as the paper prints it.
PAPER_FULL_S = 6.4
#: 5 % of it.
TOLERANCE_S = 0.32
#: The reading that claims are measured with.
CLAIMED = "as claimed with: 540 ms, every round, jump, IW 2, SACK"

#: What differs from our reading of Vegas-W, one at a time.
READINGS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    CLAIMED: ({}, {}),
    "base RTT 500 ms": ({}, {"rtt_ms": 500.0}),
    "base RTT 600 ms": ({}, {"rtt_ms": 600.0}),
    "doubling every other round (Vegas 1995, ns-2)": ({"doubling": "every-other-round"}, {}),
    "initial window 1": ({}, {"initial_window": 1}),
    "initial window 10": ({}, {"initial_window": 10}),
    "a loss only lowers the window": ({"jump": False}, {}),
    "NewReno's recovery": ({}, {"recovery": "newreno"}),
    "every loss is congestion": ({"loss_verdict": "congestion"}, {}),
    "newest estimate": ({"bandwidth_memory": "newest"}, {}),
    "to the letter: newest estimate, frozen in avoidance": (
        {"bandwidth_memory": "newest", "estimate_in_avoidance": False},
        {},
    ),
    "tau 20 ms": ({"tau": "20 ms"}, {}),
    "tau 500 ms": ({"tau": "500 ms"}, {}),
    "buffer 400 packets": ({}, {"queue": "400 packets"}),
    "buffer 1012 packets (1 BDP)": ({}, {"queue": "1012 packets"}),
}
#: All combinations of what the paper leaves open.
OPEN: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("rtt_ms", RTTS_MS),
    ("doubling", ("every-round", "every-other-round")),
    ("initial_window", (1, 2)),
    ("jump", (True, False)),
    ("recovery", ("sack", "newreno")),
    ("loss_verdict", ("gap", "congestion")),
)
OF_CONTROLLER = ("doubling", "jump", "loss_verdict")


def combinations() -> list[dict[str, Any]]:
    """Every choice of what the paper leaves open, by name."""
    names = [name for name, _ in OPEN]
    return [dict(zip(names, values, strict=True)) for values in itertools.product(*(all_ for _, all_ in OPEN))]


def first_full_sample(run: bp.Run, rtt_ms: float) -> float:
    """When a fifth of a round trip was first full, in s: how a figure with fine bins would show it."""
    times, rate = on_the_wire(run)
    points = round(rtt_ms / 5e3 / (times[1] - times[0]))
    mean = np.convolve(rate, np.ones(points) / points, mode="valid")
    found = times[points - 1 :][mean >= FULL * RATE_MBIT_S]
    return float(found[0]) if found.size else float("nan")


def plan(effort: Effort) -> Mapping[Key, bp.Scenario]:
    """One flow alone in every reading and every combination."""
    plans: dict[Key, bp.Scenario] = {}
    base: Any = CONTROLLERS[VEGAS_W]
    for label, (controller, path) in READINGS.items():
        for seed in effort.seeds:
            plans["reading", label, seed] = start_up(label, {**base, **controller}, seed, **path)
    for number, choice in enumerate(combinations()):
        controller = {name: value for name, value in choice.items() if name in OF_CONTROLLER}
        path = {name: value for name, value in choice.items() if name not in OF_CONTROLLER}
        for seed in effort.seeds[: effort.pick(1, 3)]:
            plans["combination", number, seed] = start_up(f"combination {number}", {**base, **controller}, seed, **path)
    return plans


def three_times(run: bp.Run, rtt_ms: float = RTT_MS) -> tuple[float, float, float]:
    """Until a fifth of a round trip, a whole one, and every one to the end of the run was full, in s."""
    return first_full_sample(run, rtt_ms), full_at(run, rtt_ms=rtt_ms), full_for_good(run, rtt_ms)


def one_at_a_time(runs: Runs) -> list[list[str]]:
    """Lines of a table: each reading, and the three times."""
    rows = []
    for label, (_, path) in READINGS.items():
        several = [three_times(run, path.get("rtt_ms", RTT_MS)) for run in runs.of("reading", label)]
        rows.append([label, *(often(list(times)) for times in zip(*several, strict=True))])
    return rows


def search(runs: Runs) -> tuple[list[list[str]], list[tuple[dict[str, Any], float]]]:
    """All combinations by the three times; those that hit the paper's number by the second, with that time."""
    choices = combinations()
    found: dict[str, list[float]] = {"first fifth of a round trip": [], "first whole round trip": [], "for good": []}
    for number, choice in enumerate(choices):
        several = [three_times(run, choice["rtt_ms"]) for run in runs.of("combination", number)]
        for measure, times in zip(found.values(), zip(*several, strict=True), strict=True):
            measure.append(float(np.mean(times)))
    rows = []
    for name, times_s in found.items():
        there = [time for time in times_s if not np.isnan(time)]
        hits = sum(abs(time - PAPER_FULL_S) <= TOLERANCE_S for time in there)
        nearest = min(there, key=lambda time: abs(time - PAPER_FULL_S))
        never = len(times_s) - len(there)
        rows.append([name, f"{min(there):.1f}", f"{nearest:.1f}", f"{max(there):.1f}", str(never), str(hits)])
    inside = [
        (choice, time)
        for choice, time in zip(choices, found["first whole round trip"], strict=True)
        if abs(time - PAPER_FULL_S) <= TOLERANCE_S
    ]
    return rows, inside


def described(hits: Sequence[tuple[dict[str, Any], float]]) -> tuple[str, str]:
    """What combinations have in common, and what they differ in; both empty without any."""
    values = {name: {choice[name] for choice, _ in hits} for name, _ in OPEN}
    alike = [
        f"{only:g} ms" if name == "rtt_ms" else f"{name.replace('_', ' ')} {only}"
        for name, seen in values.items()
        if len(seen) == 1
        for only in seen
    ]
    return ", ".join(alike), " and ".join(name.replace("_", " ") for name, seen in values.items() if len(seen) > 1)


def without_effect(hits: Sequence[tuple[dict[str, Any], float]]) -> bool:
    """Whether combinations are one setting times options that change nothing: all there are, at the same time."""
    options = dict(OPEN)
    free = [name for name in options if len({choice[name] for choice, _ in hits}) > 1]
    whole = all(len({choice[name] for choice, _ in hits}) == len(options[name]) for name in free)
    every = whole and len(hits) == math.prod(len(options[name]) for name in free)
    return bool(free) and every and len({round(time, 2) for _, time in hits}) == 1
