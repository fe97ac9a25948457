# SPDX-License-Identifier: MIT OR Apache-2.0
"""If nothing is drawn, two seeds are enough. The same rule applies to all commands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import bentpipe as bp
from bentpipe.base.errors import RunError
from bentpipe.base.progress import Tally
from bentpipe.runs.seeds import is_one_run, without_chance


def summary(seed: int, goodput: float) -> Any:
    return {"provenance": {"seed": seed, "scenario_name": "x"}, "totals": {"delivered_mbit_s": goodput}}


def test_runs_are_one_if_they_differ_in_their_seed_alone() -> None:
    failed = RunError("run-failed", "it failed")
    assert is_one_run([summary(1, 2.0), summary(2, 2.0)])
    assert not is_one_run([summary(1, 2.0), summary(2, 2.1)])
    assert not is_one_run([summary(1, 2.0), summary(2, 2.0), summary(3, 2.1)])
    assert not is_one_run([summary(1, 2.0)])
    assert not is_one_run([failed, failed])
    assert not is_one_run([summary(1, 2.0), failed])


def test_two_seeds_are_made_and_only_what_draws_needs_more() -> None:
    asked: list[tuple[str, int]] = []

    def make(some: Collection[str], seeds: Sequence[int]) -> None:
        asked.extend((one, seed) for one in some for seed in seeds)

    def result(one: str, seed: int) -> Any:
        return summary(seed, float(seed) if one == "draws" else 1.0)

    assert without_chance(["still", "draws"], range(5, 10), make, result) == {"still"}
    assert asked == [("still", 5), ("still", 6), ("draws", 5), ("draws", 6)]
    asked.clear()
    assert without_chance(["still"], [5], make, result) == set()
    assert without_chance([], [5, 6], make, result) == set()
    assert not asked


def test_progress_counts_what_is_there_already() -> None:
    seen: list[tuple[int, int]] = []
    tally = Tally(lambda *now: seen.append(now))
    first = tally.batch(5, 3)
    first(1, 2)
    first(2, 2)
    tally.batch(2)(1, 2)
    assert seen == [(4, 5), (5, 5), (6, 7)]
    Tally(lambda *now: seen.append(now), 10).batch(2)(1, 2)
    assert seen[-1] == (1, 10)


SMALL = """
duration = "1 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms" }
flows = [{ controller = "reno" }]
"""


def test_compare_and_sweep_make_the_same_runs_where_nothing_is_drawn() -> None:
    compared = bp.compare(SMALL, ["reno", "cubic"], seeds=4)
    assert {name: len(runs) for name, runs in compared.runs.items()} == {"reno": 2, "cubic": 2}
    swept = bp.sweep(
        {
            "base": bp.Scenario(
                network=bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms"), duration="1 s", flows=[bp.Flow(controller="reno")]
            ),
            "axes": {"flows.controller": ["reno", "cubic"]},
            "seeds": {"at_least": 4},
        }
    )
    assert swept.made == 4
