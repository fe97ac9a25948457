# SPDX-License-Identifier: MIT OR Apache-2.0
"""Other possible settings of the paper's simulation. Each is a reading of section 4's claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import bentpipe as bp
from bentpipe.study import InReading, Sheet, change_text, goodput, in_reading, loss_percent
from bentpipe_papers.hybla_im.bed import (
    GAMMA,
    HYBLA,
    HYBLA_IM,
    OVER_A_TRIP,
    PAIR,
    PERS,
    SIZES,
    SPACED,
    T1,
    for_tables,
    scenario,
)
from bentpipe_papers.transport import BARE

if TYPE_CHECKING:
    from bentpipe.study import Effort, Key, Runs
    from bentpipe_papers.hybla_im.bed import Topology

#: Function from a packet error rate and a controller of the pair to the runs, in one reading, over some seeds.
Made: TypeAlias = Callable[[float, str], list[bp.Run]]
#: Function from the runs of one reading to the number of a claim.
Measure: TypeAlias = Callable[[Made], bp.Estimate]

BOTH = {"hybla": HYBLA, "hybla-im": HYBLA_IM}
#: Linux's Hybla as ns-2 ships it: ρ from the smallest RTT, `window_` without ρ as first threshold, fixed point.
MODULE: dict[str, object] = {"name": "hybla-linux", "reading": "ns-2", "initial_ssthresh": GAMMA}
#: Bentpipe's pair: Hybla of 2004 with Hoe's threshold and packet spacing, and the share over a round trip.
HOUSE: dict[str, object] = {"hybla": "hybla", "hybla-im": "hybla-im"}
NO_THRESHOLD = 1e6
#: ns-2's default bound `window_` (20 packets of 1000 bytes), which only TCP-Linux's Hybla exceeds.
BOUND = bp.Tcp(preset="ns2-linux", receive_window=f"{GAMMA * SIZES[0]} B")
#: ns-2's own agent with a `window_` that never limits, and with the default `window_`.
NEWRENO = bp.Tcp(preset="ns2-newreno", receive_window="unlimited")
NEWRENO_20 = bp.Tcp(preset="ns2-newreno", receive_window=BOUND.receive_window)


def both(**parameters: object) -> dict[str, object]:
    return {name: {**one, **parameters} for name, one in BOTH.items()}


@dataclass(frozen=True)
class Reading:
    """A setting that the paper may have used.

    Attributes:
        words: The differences from the main reading.
        why: The reason for which a reviewer would accept the reading.
        setting: Arguments of `scenario`.
        pair: The controllers of "hybla" and "hybla-im".
        allowed: Whether the paper's text allows the reading. Otherwise only the table has it.
        bounded: Whether the receive window should limit the flows.
        searched: Whether the reading was found by a search for the paper's numbers.
    """

    words: str
    why: str
    setting: Mapping[str, Any] = field(default_factory=dict)
    pair: Mapping[str, Any] = field(default_factory=both)
    allowed: bool = True
    searched: bool = False
    bounded: bool = False


READINGS = (
    Reading(
        "buffers of 100 packets", ("the paper gives no buffer; this is twice ns-2's default"), {"buffer": "100 packets"}
    ),
    Reading("errors on up- and downlinks too", "“link error rate” may mean every link", {"user_per": True}),
    Reading(
        "errors once, at the receiving ground station",
        "ns-2's satellite examples have their error model at the receiving ground station",
        {"errors_on": "downlink"},
    ),
    Reading(
        "errors once, on the uplink",
        "ns-2 puts the errors on interface 0 of a satellite if a script gives no interface",
        {"errors_on": "uplink"},
    ),
    Reading(
        "a window_ of 20 limits both controllers",
        "ns-2's default bound; it applies unless the authors' Hybla-IM removes it, as TCP-Linux's Hybla does",
        {"tcp": BOUND},
        bounded=True,
    ),
    Reading(
        "no first threshold",
        "many scripts set a large window_, which is also the first threshold",
        {},
        both(gamma=NO_THRESHOLD),
    ),
    Reading("Hoe's first threshold", "Hybla's authors mention this threshold", {}, both(initial_ssthresh="hoe")),
    Reading(
        "ρ from the smallest RTT",
        "only in the table: Linux and ns-2's module do so, but by section 3.1 a queue raises ρ",
        {},
        both(rho_rtt="min"),
        allowed=False,
    ),
    Reading(
        "ns-2's own module as Hybla",
        "only in the table: equation 10 makes Hybla-IM from the same Hybla, “ρ_new = ρ [1 - b_k/bw_expect]”, but the "
        "module has another ρ and another threshold",
        {},
        {"hybla": MODULE, "hybla-im": HYBLA_IM},
        allowed=False,
    ),
    Reading(
        "packet spacing",
        "Hybla's authors describe packet spacing; equation 10 equals the share in use only with it",
        {},
        both(**SPACED),
    ),
    Reading(
        "equation 10 over a round trip",
        "only in the table: “rapid growth” and “match network congestion” require more than the share of one ACK, "
        "but equation 8 uses the time since the previous ACK",
        {},
        {"hybla": HYBLA, "hybla-im": OVER_A_TRIP},
        allowed=False,
    ),
    Reading(
        "ns-2's Newreno below",
        "the authors may have written their own agent for Hybla, and ns-2's agents have no SACK by default; window_ "
        "is large",
        {"tcp": NEWRENO},
    ),
    Reading(
        "ns-2's Newreno below, window_ of 20",
        "the authors may have written their own agent for Hybla; window_ is ns-2's default of 20",
        {"tcp": NEWRENO_20},
        bounded=True,
    ),
    Reading(
        "Bentpipe's bed",
        "only in the table: minimal TCP with SACK, equation 10 over a round trip, packet spacing, Hoe's first "
        "threshold. This was the main reading before we followed the order of precedence",
        {"tcp": BARE},
        HOUSE,
        allowed=False,
    ),
    Reading(
        "Bentpipe's bed, NewReno recovery (RFC 6582)",
        "only in the table: Bentpipe's bed without SACK, because ns-2's agents have no SACK by default",
        {"tcp": BARE, "recovery": "newreno"},
        HOUSE,
        allowed=False,
    ),
    Reading(
        "runs of 60 s", ("the paper gives no length of a run; our runs of ns-2 itself take 60 s"), {"duration": "60 s"}
    ),
    Reading(
        "60 s over ns-2's Newreno",
        "the paper gives no length and no agent. With ns-2's Newreno, the gains depend on the length; a search found "
        "60 s",
        {"tcp": NEWRENO, "duration": "60 s"},
        searched=True,
    ),
    Reading(
        "70 s over ns-2's Newreno",
        "the paper gives no length and no agent. A review found 70 s when it searched for the paper's three numbers "
        "(8 seeds: gains of 14, 18 and 17 %)",
        {"tcp": NEWRENO, "duration": "70 s"},
        searched=True,
    ),
    Reading("one flow instead of 30", "only in the table: the paper's text has 30 flows", {"flows": 1}, allowed=False),
)


def bounded(key: Key) -> bool:
    """Whether the receive window should limit the flows in the run of this key."""
    return key[0] == "reading" and isinstance(key[1], int) and READINGS[key[1]].bounded


def plan(effort: Effort, pers: Sequence[float] = PERS) -> Mapping[Key, bp.Scenario]:
    """The scenarios by ("reading", number, PER, variant, seed). Runs at the smallest PER have series of 1 s."""
    planned: dict[Key, bp.Scenario] = {}
    for number, reading in enumerate(READINGS):
        for per in pers:
            setting = {**reading.setting, **({"user_per": per} if "user_per" in reading.setting else {})}
            for variant, controller in reading.pair.items():
                seeds = effort.seeds if reading.allowed else for_tables(effort).seeds
                for seed in seeds:
                    planned["reading", number, per, variant, seed] = scenario(
                        T1,
                        per,
                        controller,
                        seed,
                        name=variant,
                        record=bp.Record(interval="1 s", events=False) if per == PERS[0] else None,
                        **{"duration": T1.duration(effort), **setting},
                    )
    return planned


def main(runs: Runs, topology: Topology = T1, *, seeds: Sequence[int] | None = None) -> Made:
    return lambda per, variant: runs.of(topology.id, per, variant, seeds=seeds)


def made_in(runs: Runs, number: int, seeds: Sequence[int]) -> Made:
    return lambda per, variant: runs.of("reading", number, per, variant, seeds=seeds)


def others(runs: Runs, measure: Measure) -> tuple[InReading, ...]:
    def measured(number: int, seeds: tuple[int, ...]) -> bp.Estimate:
        return measure(made_in(runs, number, seeds))

    return tuple(
        in_reading(reading.words, reading.why, partial(measured, number), runs.effort, searched=reading.searched)
        for number, reading in enumerate(READINGS)
        if reading.allowed
    )


def gain(per: float) -> Measure:
    return lambda made: bp.relative_change(goodput(made(per, "hybla-im")), goodput(made(per, "hybla")))


def fall(variant: str, per: float) -> Measure:
    before = PERS[PERS.index(per) - 1]
    return lambda made: bp.relative_change(goodput(made(per, variant)), goodput(made(before, variant)))


def sheet(runs: Runs) -> Sheet:
    head = ["T1, reading", "hybla 1e-3 / 1e-4", "hybla 1e-2 / 1e-3", "im 1e-3 / 1e-4", "im 1e-2 / 1e-3"]
    head += [f"im / hybla at {per:g}" for per in PERS] + ["hybla's loss % at 1e-3"]
    rows = [["the paper", "-13 %", "-32 %", "-7.3 %", "-24 %", "+6 %", "+13 %", "+17 %", "not given"]]
    measures = [*(fall(name, per) for name in PAIR for per in PERS[1:]), *map(gain, PERS)]
    seeds = for_tables(runs.effort).seeds
    beds = [("main reading", main(runs, seeds=seeds))]
    beds += [(reading.words, made_in(runs, number, seeds)) for number, reading in enumerate(READINGS)]
    for words, made in beds:
        lost = bp.estimate(loss_percent(made(PERS[1], "hybla"))).text(1)
        rows.append([words, *(change_text(measure(made)) for measure in measures), lost])
    return Sheet("Other readings of what the paper leaves open", head, rows)
