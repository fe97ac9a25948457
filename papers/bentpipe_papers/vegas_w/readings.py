# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the paper leaves open: the choices as declared, other beds, and readings of Vegas-W (V-07)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import bentpipe as bp
from bentpipe.study import Choice, Curve, Option, in_reading
from bentpipe_papers.transport import BARE
from bentpipe_papers.vegas_w.bed import (
    CONTROLLERS,
    FULL,
    RATE_MBIT_S,
    RTT_MS,
    VEGAS_W,
    full_at,
    full_for_good,
    often,
    on_the_wire,
    start_up,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bentpipe.study import Effort, InReading, Key, Runs

#: Time to the full 15 Mbit/s as the paper prints it.
PAPER_FULL_S = 6.4
#: It is read off a curve over 200 s: a line of 1 pt in a column of 8.9 cm is 0.8 s wide. 5 % of the number, less than
#: half of that, stood before and was not widened.
TOLERANCE_S = 0.32
#: The reading that claims are measured with.
CLAIMED = "as claimed with: 540 ms, every round, jump, IW 2, SACK"


class Bed(NamedTuple):
    """The paper's path in another reading: why a reviewer would accept it, and what `bed.tcp` is asked for."""

    why: str
    settings: Mapping[str, Any]


_NEAR = "hosts near the bottleneck's rate: the paper calls G1-G2 the bottleneck and gives no other rate"
_SYN = "ns-2's agents open with a SYN (syn_)"
_LINUX = bp.Tcp(preset="linux", receive_window="unlimited")
_NS2 = bp.Tcp(preset="ns2-sack1", receive_window="unlimited")
CLEAR, SLOW = "access links of 22 Mbit/s", "access links of 16 Mbit/s, handshake"
#: Two that differ from the main bed in what decides: whether a burst of slow start overflows the buffer.
BEDS: dict[str, Bed] = {
    CLEAR: Bed(_NEAR, {"access_mbit_s": 22.0}),
    SLOW: Bed(f"{_NEAR}; {_SYN}", {"access_mbit_s": 16.0, "setup": "handshake"}),
}
#: All that a start-up is measured in beside the main bed.
START_BEDS: dict[str, Bed] = {
    **BEDS,
    "access links of 16 Mbit/s": Bed(_NEAR, {"access_mbit_s": 16.0}),
    "access links of 22 Mbit/s, handshake": Bed(f"{_NEAR}; {_SYN}", {"access_mbit_s": 22.0, "setup": "handshake"}),
    "handshake": Bed(_SYN, {"setup": "handshake"}),
    "Linux 6.1's TCP": Bed("what hosts run: it sees lost repairs and doses them", {"tcp": _LINUX}),
    "ns-2's Sack1": Bed("the paper's simulator", {"tcp": _NS2}),
}


def elsewhere(
    measure: Callable[[str, tuple[int, ...]], bp.Estimate], effort: Effort, beds: Mapping[str, Bed] = BEDS
) -> tuple[InReading, ...]:
    """A claim in other beds: `measure` makes an estimate from a bed's name and seeds."""
    return tuple(in_reading(name, bed.why, partial(measure, name), effort) for name, bed in beds.items())


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

ACCESS = Choice(
    name="access links",
    by="the house's choice: the paper gives no rate but that of the bottleneck, ns-2 has no default",
    known="at 0ae6190 V-07 came to 10.6 s with 50 to 100 Mbit/s and to 5.7 to 6.2 s with 15 to 25; now, at 100 Mbit/s, "
    "it never comes",
    options=(
        Option("100 Mbit/s", "far above the bottleneck", 100.0),
        Option("22 Mbit/s", _NEAR, 22.0),
        Option("16 Mbit/s", _NEAR, 16.0),
    ),
)
SETUP = Choice(
    name="set-up",
    by="the house's default",
    known="it adds a round trip to V-07",
    options=(Option("none", "the bare machine"), Option("handshake", _SYN)),
)
DOUBLING = Choice(
    name="slow start",
    by="the paper's text: 6.4 s leave time for doubling in every round only",
    known="every other round takes 10.6 s at least",
    options=(
        Option("every round", "the only one in which 6.4 s can be", "every-round"),
        Option("every other round", "Vegas of 1995, ns-2", "every-other-round"),
    ),
)
_BASE = Choice(
    name="base RTT",
    by="the house's choice: two legs at the zenith, 478 ms, and G1-G2",
    known="times in slow start are in proportion to it",
    options=tuple(
        Option(f"{rtt:g} ms", why, rtt)
        for rtt, why in ((540.0, "30 ms for G1-G2"), (500.0, "10 ms for G1-G2"), (600.0, "far from the zenith"))
    ),
)
_AT_LOSS = Choice(
    name="a loss sets the window",
    by="the paper's text, section IV.C",
    known="upwards too, it may overflow again",
    options=(Option("to B RTTmin", "as written", True), Option("down to it", "Westwood's rule", False)),
)
_REPAIR = Choice(
    name="repair of losses",
    by="the house's choice: so that only controllers differ",
    known="with 200 packets of buffer slow start may lose hundreds at once",
    options=(
        Option("SACK", "RFC 6675", {"recovery": "sack"}),
        Option(
            "SACK, dosed", "RFC 6937, as hosts do", {"recovery": "sack", "tcp": bp.Tcp(preset=BARE.preset, prr=True)}
        ),
        Option("NewReno", "RFC 6582, one hole per round trip", {"recovery": "newreno"}),
    ),
)
#: Of the study: what the claims' readings change.
CHOICES = (
    ACCESS,
    SETUP,
    DOUBLING,
    Choice(
        name="whose TCP",
        by="the house's default: the bare machine, with SACK and an initial window of 2",
        known="at 100 Mbit/s Linux fills the path after 6.2 s, ns-2's Sack1 never does (2 seeds)",
        options=(
            Option("bare", "what is seen is the controller's"),
            Option("Linux 6.1", "what hosts run"),
            Option("ns-2's Sack1", "the paper's simulator"),
        ),
    ),
    Choice(
        name="new route",
        by="the house's choice: n = 2 can see it",
        known="the other two are seen by no refresh",
        options=(
            Option("x 2.2, data's way", "the paper: longer delay, larger bandwidth"),
            Option("x 2.2, both ways", "a route may be longer both ways"),
            Option("x 1.5, data's way", "a hop between satellites more"),
        ),
    ),
    Choice(
        name="beside a jump",
        by="the paper's text: section V.B has one flow",
        known="beside NewReno about a sixth is seen",
        options=(
            Option("nothing", "one flow, data's way longer"),
            Option("ACKs' way longer", "a route may be longer both ways"),
            Option("NewReno", "section IV.B speaks of congestion; buffers of 200 and 1012 packets"),
        ),
    ),
)


def combination(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    """One start-up in a combination, named by its base RTT."""
    base: Any = CONTROLLERS[VEGAS_W]
    controller = {**base, "doubling": values["slow start"], "jump": values["a loss sets the window"]}
    rtt_ms = float(values["base RTT"])
    asked = {"access_mbit_s": values["access links"], "setup": values["set-up"], **values["repair of losses"]}
    return {f"{rtt_ms:g}": start_up("combination", controller, seed, rtt_ms=rtt_ms, **asked)}


def full_of(runs: Mapping[str, bp.Run]) -> float:
    ((rtt_ms, run),) = runs.items()
    return full_at(run, rtt_ms=float(rtt_ms))


CURVE = Curve(
    title=f"Vegas-W: time until a whole round trip has 97 % of 15 Mbit/s (the paper: {PAPER_FULL_S:g} s)",
    choices=(ACCESS, SETUP, DOUBLING, _BASE, _AT_LOSS, _REPAIR),
    plan=combination,
    effect=full_of,
    unit="s",
)


def first_full_sample(run: bp.Run, rtt_ms: float) -> float:
    """When a fifth of a round trip was first full, in s: how a figure with fine bins would show it."""
    times, rate = on_the_wire(run)
    points = round(rtt_ms / 5e3 / (times[1] - times[0]))
    mean = np.convolve(rate, np.ones(points) / points, mode="valid")
    found = times[points - 1 :][mean >= FULL * RATE_MBIT_S]
    return float(found[0]) if found.size else float("nan")


def plan(effort: Effort) -> Mapping[Key, bp.Scenario]:
    """One flow alone in every reading and every bed."""
    plans: dict[Key, bp.Scenario] = {}
    base: Any = CONTROLLERS[VEGAS_W]
    for label, (controller, path) in READINGS.items():
        for seed in effort.seeds:
            plans["reading", label, seed] = start_up(label, {**base, **controller}, seed, **path)
    for name, bed in START_BEDS.items():
        for seed in (*effort.seeds, *effort.fresh):
            plans["start", name, seed] = start_up(VEGAS_W, base, seed, **bed.settings)
    return plans


def three_times(run: bp.Run, rtt_ms: float = RTT_MS) -> tuple[float, float, float]:
    """Until a fifth of a round trip, a whole one, and every one to the end of the run was full, in s."""
    return first_full_sample(run, rtt_ms), full_at(run, rtt_ms=rtt_ms), full_for_good(run, rtt_ms)


def one_at_a_time(runs: Runs) -> list[list[str]]:
    """Lines of a table: each reading and each bed, and the three times."""
    found = [(label, path.get("rtt_ms", RTT_MS), ("reading", label)) for label, (_, path) in READINGS.items()]
    found += [(name, RTT_MS, ("start", name)) for name in START_BEDS]
    rows = []
    for label, rtt_ms, key in found:
        several = [three_times(run, rtt_ms) for run in runs.of(*key, seeds=runs.effort.seeds)]
        rows.append([label, *(often(list(times)) for times in zip(*several, strict=True))])
    return rows
