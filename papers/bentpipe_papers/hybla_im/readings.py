# SPDX-License-Identifier: MIT OR Apache-2.0
"""What else the paper's simulation could have been: each is a reading of section 4's claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import bentpipe as bp
from bentpipe.study import InReading, Sheet, change_text, goodput, in_reading, loss_percent
from bentpipe_papers.hybla_im.bed import PAIR, PERS, T1, scenario
from bentpipe_papers.transport import TCP_LINUX

if TYPE_CHECKING:
    from bentpipe.study import Effort, Key, Runs
    from bentpipe_papers.hybla_im.bed import Topology

#: From a packet error rate and one of the pair to its runs, in one reading and over some seeds.
Made: TypeAlias = Callable[[float, str], list[bp.Run]]
#: Of what one reading made to what a claim is about.
Measure: TypeAlias = Callable[[Made], bp.Estimate]

UNPACED = {"initial_ssthresh": "rho_gamma", "pacing": False}


def both(**parameters: object) -> dict[str, object]:
    """The paper's pair with the same parameters."""
    return {name: {"name": name, **parameters} for name in PAIR}


@dataclass(frozen=True)
class Reading:
    """A setting that the paper may have meant.

    Attributes:
        words: What is read otherwise.
        why: Why a reviewer would accept it.
        setting: Arguments of `scenario`.
        pair: What "hybla" and "hybla-im" are.
        allowed: Whether the paper's text allows it; else it stands in the table only.
    """

    words: str
    why: str
    setting: Mapping[str, Any] = field(default_factory=dict)
    pair: Mapping[str, Any] = field(default_factory=both)
    allowed: bool = True


READINGS = (
    Reading("buffers of 100 packets", "none is given; twice ns-2's default", {"buffer": "100 packets"}),
    Reading("errors on up- and downlinks too", "«link error rate» may mean every link", {"user_per": True}),
    Reading(
        "errors once, at the receiving terminal",
        "there ns-2's satellite examples put their error model",
        {"errors_on": "downlink"},
    ),
    Reading(
        "errors once, on the uplink",
        "interface 0 of a satellite, which ns-2 breaks where no number is given",
        {"errors_on": "uplink"},
    ),
    Reading("NewReno recovery (RFC 6582)", "ns-2's agents have no SACK unless asked", {"recovery": "newreno"}),
    Reading("no packet spacing, first threshold ρ · 32", "ns-2 has no pacing", {}, both(**UNPACED)),
    Reading("no packet spacing, no first threshold", "ns-2 has no pacing", {}, both(**UNPACED, gamma=1e6)),
    Reading("ρ from the smallest RTT", "Hybla's authors and Linux do so", {}, both(rho_rtt="min")),
    Reading(
        "Linux's Hybla as the baseline",
        "ns-2.34 ships it",
        {},
        {"hybla": TCP_LINUX["Hybla"], "hybla-im": "hybla-im"},
    ),
    Reading(
        "TCP-Linux",
        "ns-2.34's agent for Linux's Hybla; window_ set so high that no receiver limits",
        {"tcp": bp.Tcp(preset="ns2-linux", receive_window="unlimited")},
        {"hybla": TCP_LINUX["Hybla"], "hybla-im": {"name": "hybla-im", "pacing": False}},
    ),
    Reading(
        "equation 10 for every ACK, as printed",
        "the paper's text",
        {},
        {"hybla": "hybla", "hybla-im": "hybla-im-literal"},
    ),
    Reading(
        "equation 10 for every ACK, both without packet spacing",
        "the paper's text, and ns-2 has no pacing",
        {},
        {
            "hybla": {"name": "hybla", "pacing": False},
            "hybla-im": {"name": "hybla-im-literal", "pacing": False},
        },
    ),
    Reading("one flow instead of 30", "against the text, for the table", {"flows": 1}, allowed=False),
)


def plan(effort: Effort) -> Mapping[Key, bp.Scenario]:
    """Runs by ("reading", number, PER, variant, seed); at the least error rate with series by the second."""
    planned: dict[Key, bp.Scenario] = {}
    for number, reading in enumerate(READINGS):
        for per in PERS:
            setting = {**reading.setting, **({"user_per": per} if "user_per" in reading.setting else {})}
            for variant, controller in reading.pair.items():
                for seed in (*effort.seeds, *(effort.fresh if reading.allowed else ())):
                    planned["reading", number, per, variant, seed] = scenario(
                        T1,
                        per,
                        controller,
                        seed,
                        name=variant,
                        duration=T1.duration(effort),
                        record=bp.Record(interval="1 s", events=False) if per == PERS[0] else None,
                        **setting,
                    )
    return planned


def main(runs: Runs, topology: Topology = T1) -> Made:
    """The main reading."""
    return lambda per, variant: runs.of(topology.id, per, variant)


def made_in(runs: Runs, number: int, seeds: Sequence[int]) -> Made:
    """What one of the other readings made."""
    return lambda per, variant: runs.of("reading", number, per, variant, seeds=seeds)


def others(runs: Runs, measure: Measure) -> tuple[InReading, ...]:
    """A claim in all other readings that the text allows."""

    def measured(number: int, seeds: tuple[int, ...]) -> bp.Estimate:
        return measure(made_in(runs, number, seeds))

    return tuple(
        in_reading(reading.words, reading.why, partial(measured, number), runs.effort)
        for number, reading in enumerate(READINGS)
        if reading.allowed
    )


def gain(per: float) -> Measure:
    """Goodput, Hybla-IM against Hybla."""
    return lambda made: bp.relative_change(goodput(made(per, "hybla-im")), goodput(made(per, "hybla")))


def fall(variant: str, per: float) -> Measure:
    """Goodput of one at an error rate, against that at the rate before."""
    before = PERS[PERS.index(per) - 1]
    return lambda made: bp.relative_change(goodput(made(per, variant)), goodput(made(before, variant)))


def sheet(runs: Runs) -> Sheet:
    """The paper's seven percentages, and what each reading makes of them."""
    head = ["T1, reading", "hybla 1e-3 / 1e-4", "hybla 1e-2 / 1e-3", "im 1e-3 / 1e-4", "im 1e-2 / 1e-3"]
    head += [f"im / hybla at {per:g}" for per in PERS] + ["hybla's loss % at 1e-3"]
    rows = [["the paper", "-13 %", "-32 %", "-7.3 %", "-24 %", "+6 %", "+13 %", "+17 %", "figure 5 only"]]
    measures = [*(fall(name, per) for name in PAIR for per in PERS[1:]), *map(gain, PERS)]
    beds = [("main reading", main(runs))]
    beds += [(reading.words, made_in(runs, number, runs.effort.seeds)) for number, reading in enumerate(READINGS)]
    for words, made in beds:
        lost = bp.estimate(loss_percent(made(PERS[1], "hybla"))).text(1)
        rows.append([words, *(change_text(measure(made)) for measure in measures), lost])
    return Sheet("Other readings of what the paper leaves open", head, rows)
