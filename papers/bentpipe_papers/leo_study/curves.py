# SPDX-License-Identifier: MIT OR Apache-2.0
"""Specification curves: the simulated headline claims in all combinations of the slides' open choices.

Curves share their runs and differ in the effect, so the name of a run has everything that an effect needs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bentpipe.study import Curve, goodputs, mean_queue_ms
from bentpipe_papers.leo_study import bed, readings
from bentpipe_papers.leo_study.bed import BY_BOTH, BY_DISTANCE, BY_RTT, WASHINGTON
from bentpipe_papers.leo_study.flights import RIO, at_shells_epoch, flight
from bentpipe_papers.leo_study.pairs import GEO_PERCENT, RENO_PERCENT, TORONTO_KM
from bentpipe_papers.star import Star

if TYPE_CHECKING:
    from collections.abc import Mapping

    import bentpipe as bp
    from bentpipe.study import Choice

#: The extreme readings of α, and the reading that a search found. The other readings are between the extremes.
_ALPHAS = (BY_DISTANCE, readings.by_reference(900), BY_BOTH, BY_RTT)
ALPHA = replace(readings.ALPHA, options=tuple(option for option in readings.ALPHA.options if option.value in _ALPHAS))
#: The two TCPs that differ most.
TCP = replace(readings.TCP, options=readings.TCP.options[:2])
PINGS = readings.PINGS
#: The jitter options of `bed.competing`.
JITTER = replace(readings.JITTER, options=(readings.JITTER.main._replace(value=""), readings.JITTER.options[1]))
#: Tolerance of “a similar frequency”, a ratio of 1. The slides give no number.
SIMILAR_WITHIN = 0.1
_AT_EPOCH = readings.EPOCH.main.name
_WHOLE = readings.TIME.main.name
_MANILA = ("Manila", "Dalian")


def two_flows(values: Mapping[str, Any], seed: int, label: str) -> bp.Scenario:
    stack = bed.bounded(values[TCP.name]) if values[readings.BUFFER.name] else values[TCP.name]
    variants = bed.variants(TORONTO_KM, stack) | {readings.by_reference(900): bed.by_reference(900.0, stack)}
    epoch = 0.0 if values[readings.EPOCH.name] == _AT_EPOCH else bed.epoch_s(seed)
    return bed.competing(
        WASHINGTON,
        variants[label],
        seed,
        label=label,
        pings=values[PINGS.name],
        queue=values[readings.QUEUE.name],
        jitter=values[readings.JITTER.name],
        epoch=epoch,
        tcp=stack.tcp,
    )


def reno_alone(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    return {values.get(readings.TIME.name, _WHOLE): two_flows(values, seed, "Reno")}


def geo_alone(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    return {values[readings.TIME.name]: two_flows(values, seed, values[ALPHA.name])}


def both(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    return {"Reno": two_flows(values, seed, "Reno"), "Geo-Reno": two_flows(values, seed, values[ALPHA.name])}


def both_over(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    """The runs of `both`; their names also have the time span."""
    return {f"{label}, {values[readings.TIME.name]}": scenario for label, scenario in both(values, seed).items()}


def fared(run: bp.Run) -> bed.Fairness:
    """Results of the two flows of a combination. The receive buffer is one of the choices."""
    return bed.fairness(run, bounded=True)


def ratio(runs: Mapping[str, bp.Run]) -> float:
    ((time, run),) = runs.items()
    fair = fared(run)
    return fair.ratio if time == _WHOLE else fair.ratio_sharing


def fairer(runs: Mapping[str, bp.Run]) -> float:
    """Fairness ratio under Geo-Reno minus that under Reno over the same time span, in percentage points."""
    found = {}
    for name, run in runs.items():
        label, _, time = name.partition(", ")
        found[label] = ratio({time: run})
    return found["Geo-Reno"] - found["Reno"]


def short_share(runs: Mapping[str, bp.Run]) -> float:
    (run,) = runs.values()
    return fared(run).short_share


def nearer_one(runs: Mapping[str, bp.Run]) -> float:
    """How far the ratio of window reductions is from 1: Geo-Reno minus Reno; negative if Geo-Reno is nearer."""
    geo, reno = (abs(fared(runs[label]).cut_ratio - 1.0) for label in ("Geo-Reno", "Reno"))
    return geo - reno


def geo_cuts(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    return {"Geo-Reno": two_flows(values, seed, values[ALPHA.name])}


def cut_ratio(runs: Mapping[str, bp.Run]) -> float:
    """Window reductions of the shorter path's flow divided by the longer path's flow's, while they share a link."""
    return fared(runs["Geo-Reno"]).cut_ratio


def throughput(runs: Mapping[str, bp.Run]) -> float:
    return 100.0 * (fared(runs["Geo-Reno"]).total / fared(runs["Reno"]).total - 1.0)


_BED: tuple[Choice, ...] = (TCP, PINGS, JITTER, readings.BUFFER, readings.QUEUE, readings.EPOCH)


def two_to_washington(**fields: Any) -> Curve:
    """A curve of the pair to Washington. A run takes 2 s, so not all combinations are run.

    Jitter and pings explain most. The choice of the time span needs no further runs.
    """
    crossed = tuple(choice for choice in fields["choices"] if choice in (JITTER, PINGS, readings.TIME))
    return Star(crossed=crossed, **fields)


DOMINATES = two_to_washington(
    title="share of both flows' goodput that the flow of lower latency has while they share a link, Reno",
    choices=_BED,
    plan=reno_alone,
    effect=short_share,
    sign=1,
    neutral=50.0,
)
RENO = two_to_washington(
    title=f"smaller goodput divided by the larger, Reno (the slides: {RENO_PERCENT} %)",
    choices=(readings.TIME, *_BED),
    plan=reno_alone,
    effect=ratio,
    paper=RENO_PERCENT,
    tolerance=readings.PERCENT,
)
#: The same runs with the number on the slide of metrics (G-14).
ON_METRICS = replace(
    RENO, title="smaller goodput divided by the larger, Reno (the slide of metrics: 71.9 %)", paper=71.9
)
GEO = two_to_washington(
    title=f"smaller goodput divided by the larger, Geo-Reno (the slides: {GEO_PERCENT} %)",
    choices=(ALPHA, readings.TIME, *_BED),
    plan=geo_alone,
    effect=ratio,
    paper=GEO_PERCENT,
    tolerance=readings.PERCENT,
)
GAIN = two_to_washington(
    title="smaller goodput divided by the larger, Geo-Reno minus Reno in the same combination",
    choices=(ALPHA, readings.TIME, *_BED),
    plan=both_over,
    effect=fairer,
    sign=1,
    unit="points",
)
#: The same runs with the difference of the two numbers on the slide of metrics (G-14).
GAIN_ON_METRICS = replace(
    GAIN,
    title="smaller goodput divided by the larger, Geo-Reno minus Reno (the slide of metrics: 13.9 points)",
    paper=13.9,
    tolerance=readings.PERCENT,
)
CUTS = two_to_washington(
    title="how far the ratio of window reductions is from 1, Geo-Reno minus Reno",
    choices=(ALPHA, *_BED),
    plan=both,
    effect=nearer_one,
    sign=-1,
    unit="",
    digits=2,
)
#: The runs of Geo-Reno in `CUTS`.
SIMILAR_CUTS = two_to_washington(
    title="window reductions of Toronto's flow divided by those of Wuhan's, Geo-Reno (“similar frequency”)",
    choices=(ALPHA, *_BED),
    plan=geo_cuts,
    effect=cut_ratio,
    paper=1.0,
    tolerance=SIMILAR_WITHIN,
    unit="",
    digits=2,
)
THROUGHPUT = two_to_washington(
    title="throughput of both flows together, Geo-Reno compared with Reno (“unaffected”)",
    choices=(ALPHA, *_BED),
    plan=both,
    effect=throughput,
    paper=0.0,
    tolerance=2.0,
)


def one_flow(values: Mapping[str, Any], seed: int, label: str) -> bp.Scenario:
    """One flow of a combination. At the shell's epoch, the flow's start time is drawn; otherwise the epoch is drawn."""
    stack = values[TCP.name]
    controllers: dict[str, Any] = {
        "Reno": bed.reno(stack),
        "Vegas": values.get("Vegas"),
        "Copa": values.get(readings.MODE.name),
    }
    ends = RIO if values[readings.PATH.name] == readings.PATH.main.name else _MANILA
    if values[readings.EPOCH.name] == _AT_EPOCH:
        return at_shells_epoch(controllers[label], seed, label, ends=ends, tcp=stack.tcp)
    return flight(controllers[label], seed, label, epoch=bed.epoch_s(seed), ends=ends, tcp=stack.tcp)


def reno_and_vegas(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    return {label: one_flow(values, seed, label) for label in ("Reno", "Vegas")}


def reno_and_copa(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    return {label: one_flow(values, seed, label) for label in ("Reno", "Copa")}


def copa_and_vegas(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    return {label: one_flow(values, seed, label) for label in ("Copa", "Vegas")}


def more_goodput(runs: Mapping[str, bp.Run]) -> float:
    return goodputs(runs["Reno"])[0] - goodputs(runs["Vegas"])[0]


def longer_queue(runs: Mapping[str, bp.Run]) -> float:
    return 100.0 * (mean_queue_ms(runs["Reno"]) / mean_queue_ms(runs["Copa"]) - 1.0)


def more_used(runs: Mapping[str, bp.Run]) -> float:
    return 100.0 * (goodputs(runs["Copa"])[0] - goodputs(runs["Vegas"])[0]) / bed.RATE_MBIT_S


_PATH: tuple[Choice, ...] = (readings.EPOCH, readings.PATH, TCP)
LOSS_BASED = Curve(
    title="goodput of Reno minus Vegas's (“Loss-based CCA work better”)",
    choices=(*_PATH, readings.VEGAS),
    plan=reno_and_vegas,
    effect=more_goodput,
    sign=1,
    unit="Mbit/s",
    digits=2,
)
LOW_DELAY = Curve(
    title="mean queueing delay of Reno compared with Copa's (“Low delay”)",
    choices=(*_PATH, readings.MODE),
    plan=reno_and_copa,
    effect=longer_queue,
    sign=1,
    digits=0,
)
HIGH_USE = Curve(
    title="utilisation of the path, Copa minus Vegas (“High utilization”)",
    choices=(*_PATH, readings.VEGAS, readings.MODE),
    plan=copa_and_vegas,
    effect=more_used,
    sign=1,
    unit="points",
)
