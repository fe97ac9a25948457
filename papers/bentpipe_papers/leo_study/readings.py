# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the slides leave open, and the numbers of the pair to Washington in each reading of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from bentpipe.study import Choice, InReading, Option, in_reading, rounding, sampled
from bentpipe_papers.leo_study import bed
from bentpipe_papers.leo_study.bed import BY_BOTH, BY_DISTANCE, BY_RTT, WASHINGTON
from bentpipe_papers.leo_study.pairs import TORONTO_KM, number, points
from bentpipe_papers.transport import BARE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import bentpipe as bp
    from bentpipe.study import Effort, Key, Runs
    from bentpipe_papers.leo_study.bed import Controller, Fairness

#: The slides print one number as 71.8 % and as 71.9 %: percentages are theirs within half of that last digit, twice.
PERCENT = 2.0 * rounding("71.8")
#: Segments and ACKs as Hypatia's ns-3 sets them: 1380 B (its TcpOptimizer), an ACK for every second (ns-3's default).
HYPATIA_TCP = replace(BARE, mss="1380 B", delayed_ack=True)
NO_PINGS = "Reno, no pings"
RENO_HYPATIA, GEO_HYPATIA = "Reno, Hypatia's TCP", "Geo-Reno by distance, Hypatia's TCP"
#: Distances at which a flow is Reno, km: between the shorter path's 567 and 1278 (11 ms at the longer one's ms per km).
REFERENCES_KM = (700, 825, 900, 1100)


class Reading(NamedTuple):
    """Another reading than the main one: its name, why a reviewer would accept it, which runs it compares."""

    name: str
    why: str
    geo: str
    reno: str = "Reno"


def by_reference(km: float) -> str:
    """The label of Geo-Reno with a reference distance."""
    return f"Geo-Reno, α = 1/{km:g} km"


_SOUGHT = {900: "; found by a search for 85.8 %"}
READINGS = (
    *(
        Reading(
            f"α = 1/{km} km",
            f"no α is printed{_SOUGHT.get(km, '')}",
            by_reference(km),
        )
        for km in REFERENCES_KM
    ),
    Reading("α = 1/1278 km, by least RTT", "«based on minimum RTT»", BY_BOTH),
    Reading("gain = least RTT over 11 ms", "RTT is said to be proportional to distance", BY_RTT),
    Reading(
        "Hypatia's TCP",
        "segments of 1380 B and an ACK for every second one, as Hypatia's files have it",
        GEO_HYPATIA,
        RENO_HYPATIA,
    ),
)

CHOICES = (
    Choice(
        name="α",
        by="the formula and «based on minimum RTT»: the flow of the least RTT is plain Reno",
        known="in runs before: 1/567, 1/700, 1/825, 1/900, 1/1100 km gave 79.6, 82.5, 83.5, 86.4, 90.6 % (5 seeds)",
        options=(
            Option("1/567 km", "the shorter path is Reno"),
            *(Option(one.name, one.why) for one in READINGS if one.reno == "Reno"),
        ),
    ),
    Choice(
        name="TCP",
        by="the house's default. By our order Hypatia's comes before it, but its files were read after the runs: it is "
        "measured beside the two printed percentages",
        options=(
            Option("the bare machine", "1448 B, an ACK for every segment: what is seen is the controller's"),
            Option("Hypatia's TCP", READINGS[-1].why),
        ),
    ),
    Choice(
        name="over which time",
        by="«ratio of bandwidth utilized by both flows», a figure of 200 s",
        known="Reno had 71.6 % over the whole run and 32 % while sharing with one seed, when the settings were settled",
        options=(
            Option("the whole run", "the literal reading"),
            Option("while the paths share a link", "only then do the two compete"),
        ),
    ),
    Choice(
        name="pings beside the flows",
        by="the slides' second figure shows them",
        known="without them the longer path leads",
        options=(
            Option("with pings", "«RTT of TCP flows and pings»"),
            Option("without", "the first figure shows TCP flows alone"),
        ),
    ),
    Choice(
        name="statistic of a round trip",
        by="the usual one of a ping",
        options=(
            Option("mean", "what a ping prints"),
            Option("median", "the slides say «RTT» alone"),
            Option("least", "the same"),
            Option("largest", "the same"),
        ),
    ),
    Choice(
        name="epoch",
        by="Hypatia's default; in G-03, G-16, G-22 and G-09 drawn by seed, for there it would be one sample",
        known="at other epochs the pair often shares no link",
        options=(
            Option("the shell's epoch", "Hypatia's runs begin there"),
            Option("drawn", "the slides name none"),
        ),
    ),
)


def plan(effort: Effort, *only: str) -> Mapping[Key, bp.Scenario]:
    """Reno and Geo-Reno in every reading (or some by label), on the seeds looked at and the fresh ones."""
    variants = bed.variants(TORONTO_KM)
    controllers: dict[str, tuple[Controller, bp.Tcp]] = {
        **{label: (variants[label], BARE) for label in ("Reno", BY_DISTANCE, BY_BOTH, BY_RTT)},
        RENO_HYPATIA: (variants["Reno"], HYPATIA_TCP),
        GEO_HYPATIA: (variants[BY_DISTANCE], HYPATIA_TCP),
        **{
            by_reference(km): ({"name": "geo-reno", "alpha_mode": "reference-distance", "d_ref_km": float(km)}, BARE)
            for km in REFERENCES_KM
        },
    }
    return {
        (label, seed): bed.competing(WASHINGTON, controller, seed, label=label, tcp=tcp)
        for label, (controller, tcp) in controllers.items()
        if label in (only or controllers)
        for seed in (*effort.seeds, *effort.fresh)
    }


def fared(runs: Runs, label: str, seeds: tuple[int, ...]) -> list[Fairness]:
    """How the two flows fared with these seeds."""
    return [bed.fairness(run) for run in runs.of(label, seeds=seeds)]


def geo_ratio(runs: Runs) -> tuple[InReading, ...]:
    """Smaller over larger goodput under Geo-Reno, in every reading."""
    return measured(runs, lambda geo, _: sampled(number(geo, "ratio")))


def geo_points(runs: Runs) -> tuple[InReading, ...]:
    """Points that Geo-Reno gains on Reno, in every reading."""
    return measured(runs, points)


def measured(runs: Runs, estimate: Callable[[list[Fairness], list[Fairness]], bp.Estimate]) -> tuple[InReading, ...]:
    def measure(one: Reading) -> Callable[[tuple[int, ...]], bp.Estimate]:
        return lambda seeds: estimate(fared(runs, one.geo, seeds), fared(runs, one.reno, seeds))

    return tuple(in_reading(one.name, one.why, measure(one), runs.effort) for one in READINGS)


def reno_ratio(runs: Runs) -> tuple[InReading, ...]:
    """Smaller over larger goodput under Reno, in the readings that do not concern Geo-Reno."""
    ways = (
        ("while the paths share a link", "only then do the two compete", "Reno", "ratio_sharing"),
        ("without pings", "the first figure shows TCP flows alone", NO_PINGS, "ratio"),
        ("Hypatia's TCP", READINGS[-1].why, RENO_HYPATIA, "ratio"),
    )

    def measure(label: str, name: str) -> Callable[[tuple[int, ...]], bp.Estimate]:
        return lambda seeds: sampled(number(fared(runs, label, seeds), name))

    return tuple(in_reading(name, why, measure(label, what), runs.effort) for name, why, label, what in ways)
