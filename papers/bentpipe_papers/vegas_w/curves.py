# SPDX-License-Identifier: MIT OR Apache-2.0
"""Specification curves of start-ups (V-03, V-06, V-07). They have one plan, so their runs are made once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bentpipe.study import Curve, mean_between
from bentpipe_papers.vegas_w.bed import (
    CONTROLLERS,
    VEGAS,
    VEGAS_W,
    bdp_packets,
    full_at,
    left_slow_start,
    on_the_wire,
    start_up,
)
from bentpipe_papers.vegas_w.readings import (
    ACCESS,
    BASE,
    BIN,
    DOUBLING,
    JITTER,
    MUCH,
    PAPER_FULL_S,
    TCP,
    TOLERANCE_S,
    first_full_bin,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import bentpipe as bp

#: The open choices of a start-up.
START = (TCP, ACCESS, JITTER, DOUBLING, BASE)
#: The RTT of a round that Vegas compares. The text excludes the smallest: “The burst during slow-start phase causes
#: Vegas to change from slow-start phase to congestion-avoidance phase too early”, and the first packet of a burst meets
#: no queue.
_RTT_OF_ROUND = "mean"
#: Duration of the start-up in s, for its throughput.
EARLY_S = 20.0


def settings(values: Mapping[str, Any]) -> dict[str, Any]:
    asked = {"tcp": TCP, "access_mbit_s": ACCESS, "jitter": JITTER, "doubling": DOUBLING}
    return {key: values.get(choice.name, choice.main.value) for key, choice in asked.items()}


def starting(labels: tuple[str, ...]) -> Callable[[Mapping[str, Any], int], Mapping[str, bp.Scenario]]:
    """Plan the start-ups of some controllers in a combination, each named by its label and its base RTT in ms."""

    def plan(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
        found = {}
        for label in labels:
            told: dict[str, Any] = {"name": CONTROLLERS[label], "rtt": _RTT_OF_ROUND}
            rtt_ms = float(values[BASE.name])
            found[f"{label} {rtt_ms:g}"] = start_up(label, told, seed, rtt_ms=rtt_ms, **settings(values))
        return found

    return plan


def runs_of(runs: Mapping[str, bp.Run]) -> dict[str, tuple[bp.Run, float]]:
    return {(parts := name.rpartition(" "))[0]: (run, float(parts[2])) for name, run in runs.items()}


def left_at_share(runs: Mapping[str, bp.Run]) -> float:
    run, rtt_ms = runs_of(runs)[VEGAS]
    return 100.0 * left_slow_start(run)[1] / bdp_packets(rtt_ms)


def longer(runs: Mapping[str, bp.Run]) -> float:
    ours, other = (left_slow_start(runs_of(runs)[label][0])[0] for label in (VEGAS_W, VEGAS))
    return 100.0 * (ours / other - 1.0)


def binned(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    """Plan the start-up of Vegas-W in a combination, named by its base RTT in ms and the bin in s."""
    ((name, scenario),) = starting((VEGAS_W,))(values, seed).items()
    return {f"{name} {values[BIN.name]:g}": scenario}


def full(runs: Mapping[str, bp.Run]) -> float:
    ((name, run),) = runs.items()
    rtt_ms, bin_s = map(float, name.split()[-2:])
    return first_full_bin(run, bin_s) if bin_s else full_at(run, rtt_ms=rtt_ms)


def early(runs: Mapping[str, bp.Run]) -> float:
    ours, other = (mean_between(*on_the_wire(runs_of(runs)[label][0]), 0.0, EARLY_S) for label in (VEGAS_W, VEGAS))
    return 100.0 * (ours / other - 1.0)


#: All 144 combinations are run.
LEFT = Curve(
    title="window of Vegas at the end of slow start, in % of the bandwidth-delay product (V-03)",
    choices=START,
    plan=starting((VEGAS,)),
    effect=left_at_share,
    sign=-1,
    neutral=100.0,
    most=144,
)
LONGER = Curve(
    title="time in slow start, Vegas-W compared with Vegas (V-06)",
    choices=START,
    plan=starting((VEGAS, VEGAS_W)),
    effect=longer,
    sign=1,
    digits=0,
    most=144,
)
FULL = Curve(
    title="time until Vegas-W has 97 % of 15 Mbit/s in a whole round trip, or in a bin (V-07)",
    choices=(*START, BIN),
    plan=binned,
    effect=full,
    paper=PAPER_FULL_S,
    tolerance=TOLERANCE_S,
    unit="s",
)
EARLY = Curve(
    title="throughput of the first 20 s, Vegas-W compared with Vegas (V-07)",
    choices=START,
    plan=starting((VEGAS, VEGAS_W)),
    effect=early,
    sign=1,
    neutral=MUCH,
    digits=0,
    most=144,
)
