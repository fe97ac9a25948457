# SPDX-License-Identifier: MIT OR Apache-2.0
"""What else the paper's simulation could have been: readings of what it leaves open, each with its three ratios."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import bentpipe as bp
from bentpipe.study import Sheet, change_text, goodput, loss_percent
from bentpipe_papers.hybla_im.bed import PAIR, PERS, T1, scenario
from bentpipe_papers.hybla_im.claims import PRINTED_RATIO, PRINTED_STEP

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bentpipe.study import Effort, Key, Runs

NS2 = {"initial_ssthresh": "rho_gamma", "pacing": False}


@dataclass(frozen=True)
class Reading:
    """A setting that the paper may have meant: in words, as arguments of `scenario`, as parameters of controllers."""

    words: str
    setting: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)


READINGS = (
    Reading("as chosen"),
    Reading("buffer 100 packets", {"buffer": "100 packets"}),
    Reading("errors on up- and downlink too", {"user_per": True}),
    Reading("NewReno recovery (RFC 6582) instead of SACK", {"recovery": "newreno"}),
    Reading("no packet spacing, threshold rho * 32", {}, NS2),
    Reading("no packet spacing, threshold practically unset", {}, {**NS2, "gamma": 1e6}),
    Reading("one flow instead of 30", {"flows": 1}),
)


def plan(effort: Effort) -> Mapping[Key, bp.Scenario]:
    """Runs by ("reading", number, PER, variant, seed)."""
    planned: dict[Key, bp.Scenario] = {}
    for number, reading in enumerate(READINGS):
        for per in PERS:
            setting = {**reading.setting, **({"user_per": per} if "user_per" in reading.setting else {})}
            for variant in PAIR:
                for seed in effort.seeds:
                    planned["reading", number, per, variant, seed] = scenario(
                        T1,
                        per,
                        {"name": variant, **reading.parameters},
                        seed,
                        name=variant,
                        duration=T1.duration(effort),
                        **setting,
                    )
    return planned


def largest_falls(runs: Runs) -> str:
    """How far the readings go at the highest error rate, and which come nearest to the printed gains, in words."""
    parts = []
    for name in PAIR:
        falls = {}
        for number, reading in enumerate(READINGS):
            high, low = (goodput(runs.of("reading", number, per, name)) for per in (PERS[2], PERS[1]))
            falls[reading.words] = bp.relative_change(high, low)
        words = min(falls, key=lambda one: falls[one].mean)
        printed = PRINTED_STEP[PERS[2]][name]
        parts.append(f"{name} {change_text(falls[words])} ({words}; the paper {printed:+g} %)")
    nearest = []
    for per, printed in PRINTED_RATIO.items():
        gains = {}
        for number, reading in enumerate(READINGS):
            improved, hybla = (goodput(runs.of("reading", number, per, name)) for name in ("hybla-im", "hybla"))
            gains[reading.words] = bp.relative_change(improved, hybla)
        words = min(gains, key=lambda one: abs(gains[one].mean - printed))
        nearest.append(f"{change_text(gains[words])} at {per:g} ({words}; {printed:+g} %)")
    return (
        f"Of the readings tried (table) the largest falls are {' and '.join(parts)}; nearest to the printed gains of "
        f"Hybla-IM are {', '.join(nearest)}"
    )


def sheet(runs: Runs) -> Sheet:
    """The paper's seven percentages, and what each reading makes of them."""
    head = ["T1, reading", "hybla 1e-3 / 1e-4", "hybla 1e-2 / 1e-3", "im 1e-3 / 1e-4", "im 1e-2 / 1e-3"]
    head += [f"im / hybla at {per:g}" for per in PERS] + ["hybla's loss % at 1e-3"]
    rows = [["the paper", "-13 %", "-32 %", "-7.3 %", "-24 %", "+6 %", "+13 %", "+17 %", "figure 5 only"]]
    for number, reading in enumerate(READINGS):
        good = {(per, name): goodput(runs.of("reading", number, per, name)) for per in PERS for name in PAIR}
        cells = [
            change_text(bp.relative_change(good[high, name], good[low, name]))
            for name in PAIR
            for low, high in ((PERS[0], PERS[1]), (PERS[1], PERS[2]))
        ]
        cells += [change_text(bp.relative_change(good[per, "hybla-im"], good[per, "hybla"])) for per in PERS]
        lost = bp.estimate(loss_percent(runs.of("reading", number, PERS[1], "hybla"))).text(1)
        rows.append([reading.words, *cells, lost])
    return Sheet("Other readings of what the paper leaves open", head, rows)
