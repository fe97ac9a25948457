# SPDX-License-Identifier: MIT OR Apache-2.0
"""Specification curves of the headline claims: all open choices of the paper, crossed."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from bentpipe import plots
from bentpipe.study import Choice, Curve, confusion, given, loss_percent
from bentpipe_papers.hybla_im.bed import HYBLA, HYBLA_IM, PAIR, PERS, T1, TCP_LINUX, over_geo, scenario
from bentpipe_papers.hybla_im.choices import CHOICES
from bentpipe_papers.hybla_im.claims import PRINTED_RATIO, PRINTED_STEP, SIGNIFICANT_PERCENT, called_by_errors
from bentpipe_papers.hybla_im.readings import BOUND, NEWRENO, NEWRENO_20
from bentpipe_papers.transport import BARE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import bentpipe as bp

#: Size of the designed sample of 1440 combinations. All curves over T1 share the runs of this sample.
SAMPLE = 96


def valued(name: str, *values: object) -> Choice:
    """Return a choice of the study with these values for its options, in order.

    An option without a value, or with None, is left out.
    """
    [choice] = [choice for choice in CHOICES if choice.name == name]
    pairs = zip(choice.options, values, strict=False)
    options = tuple(option._replace(value=value) for option, value in pairs if value is not None)
    return Choice(name=choice.name, by=choice.by, known=choice.known, options=options)


SPACING = valued("packet spacing", {"pacing": False}, {"pacing": True})
#: Without a threshold, paced flows overload their own access link, and a run takes 30 s. This option is only a reading.
THRESHOLD = valued("first threshold", {}, None, {"initial_ssthresh": "hoe"})
WHOSE = valued("TCP", TCP_LINUX, BOUND, NEWRENO, NEWRENO_20, BARE)
LENGTH = valued("length of a run", "200 s", "60 s", "70 s")
#: All horizons are read from one run of 60 s.
HORIZON = valued("horizon of the first growth", 10.0, 5.0, 15.0, 30.0, 60.0)
OPEN = (
    LENGTH,
    SPACING,
    THRESHOLD,
    WHOSE,
    valued("where errors happen", "isl", "all", "downlink", "uplink"),
    valued("buffers", "50 packets", "100 packets"),
    valued("weight a of the detector", 1 / 128, 1 / 32, 1 / 8),
)


def pair_in(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Hybla and Hybla-IM in a combination. Both have the same threshold and the same packet spacing (equation 10)."""
    shared = {**values["first threshold"], **values["packet spacing"]}
    improved = {**HYBLA_IM, **shared, "qd_gain": values["weight a of the detector"]}
    return dict(zip(PAIR, ({**HYBLA, **shared}, improved), strict=True))


def plan(wanted: Sequence[tuple[str, float]], values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    pair, where = pair_in(values), values["where errors happen"]
    return {
        named(name, per): scenario(
            T1,
            per,
            pair[name],
            seed,
            name=f"{name}, crossed",
            duration=values[LENGTH.name],
            buffer=values["buffers"],
            tcp=values["TCP"],
            errors_on="isl" if where == "all" else where,
            user_per=per if where == "all" else None,
        )
        for name, per in wanted
    }


def named(name: str, per: float) -> str:
    return f"{name} {per:g}"


def against(ours: str, base: str, value: Callable[[bp.Run], float], runs: Mapping[str, bp.Run]) -> float:
    """Change in percent; NaN if the base is 0."""
    below = value(runs[base])
    return 100.0 * (value(runs[ours]) / below - 1.0) if below else math.nan


def carried(run: bp.Run) -> float:
    return given(run.summary["totals"]["delivered_mbit_s"])


def lost_share(run: bp.Run) -> float:
    return loss_percent([run])[0]


def fewer_calls(runs: Mapping[str, bp.Run]) -> float:
    """Link errors that the controller treats as congestion, Hybla-IM minus Hybla."""
    ours, base = (called_by_errors(runs[named(name, PERS[2])]) for name in ("hybla-im", "hybla"))
    return ours - base


def told_apart(runs: Mapping[str, bp.Run]) -> float:
    """Sum of both shares of correct judgements minus 1; NaN without losses of both causes."""
    [run] = runs.values()
    judged = confusion(run)
    of_c, of_e = judged["P(C|C)"], judged["P(E|R)"]
    return math.nan if of_c is None or of_e is None else of_c + of_e - 1.0


def over_t1(title: str, wanted: Sequence[tuple[str, float]], effect: Callable[..., float], **fields: Any) -> Curve:
    return Curve(title=title, choices=OPEN, plan=partial(plan, wanted), effect=effect, most=SAMPLE, **fields)


def gain(per: float) -> Curve:
    ours, base = named("hybla-im", per), named("hybla", per)
    return over_t1(
        f"throughput of Hybla-IM compared with Hybla's at PER {per:g}",
        [("hybla", per), ("hybla-im", per)],
        partial(against, ours, base, carried),
        paper=PRINTED_RATIO[per],
        tolerance=2.0,
        sign=1,
    )


LOSSES = over_t1(
    "packet loss rate of Hybla compared with Hybla-IM's at PER 1e-4",
    [("hybla", PERS[0]), ("hybla-im", PERS[0])],
    partial(against, named("hybla", PERS[0]), named("hybla-im", PERS[0]), lost_share),
    sign=1,
)
#: The same runs with the bound for “significantly”.
MUCH_LESS = replace(
    LOSSES,
    title="packet loss rate of Hybla compared with Hybla-IM's at PER 1e-4 (“significantly reduces”: more than a tenth)",
    neutral=SIGNIFICANT_PERCENT,
)
FALL = over_t1(
    "throughput of Hybla at PER 0.01 compared with PER 0.001",
    [("hybla", PERS[1]), ("hybla", PERS[2])],
    partial(against, named("hybla", PERS[2]), named("hybla", PERS[1]), carried),
    paper=PRINTED_STEP[PERS[2]]["hybla"],
    tolerance=2.0,
    sign=-1,
)
CAUSES = over_t1(
    "share of congestion losses judged correctly, plus share of link errors judged correctly, minus 1, PER 0.01",
    [("hybla-im", PERS[2])],
    told_apart,
    sign=1,
    unit="",
    digits=2,
)
CALLS = over_t1(
    "link errors in a run that the controller treats as congestion at PER 0.01, Hybla-IM minus Hybla",
    [("hybla", PERS[2]), ("hybla-im", PERS[2])],
    fewer_calls,
    sign=-1,
    unit="calls",
)


def plan_growth(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    improved = {
        **HYBLA_IM,
        **values["first threshold"],
        **values["packet spacing"],
    }
    controllers: dict[str, str | dict[str, Any]] = {"hybla-im": improved, "reno": "reno"}
    return {f"{name} {values[HORIZON.name]:g}": over_geo(one, seed, values["TCP"]) for name, one in controllers.items()}


def grown(runs: Mapping[str, bp.Run]) -> float:
    found = {}
    for name, run in runs.items():
        who, _, horizon = name.partition(" ")
        times, rate = plots.over_time(run.flows, "goodput_mbit_s")
        found[who] = float(rate[times <= float(horizon) + 1e-6].mean())
    return 100.0 * (found["hybla-im"] / found["reno"] - 1.0)


GROWTH = Curve(
    title="goodput of Hybla-IM in the first seconds compared with Reno's, GEO without link errors",
    choices=(HORIZON, SPACING, THRESHOLD, WHOSE),
    plan=plan_growth,
    effect=grown,
    sign=1,
    most=200,
)
