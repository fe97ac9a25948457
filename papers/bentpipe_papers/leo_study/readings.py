# SPDX-License-Identifier: MIT OR Apache-2.0
"""The slides' open choices, and the numbers of the pair to Washington in each reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bentpipe.study import Choice, InReading, Option, in_reading, rounding, sampled
from bentpipe_papers.leo_study import bed
from bentpipe_papers.leo_study.bed import BARE_MACHINE, BY_BOTH, BY_DISTANCE, BY_RTT, BY_SEGMENTS, HYPATIA, WASHINGTON
from bentpipe_papers.leo_study.pairs import TORONTO_KM, number, points

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import bentpipe as bp
    from bentpipe.study import Effort, Key, Runs
    from bentpipe_papers.leo_study.bed import Controller, Fairness, Stack

#: Tolerance of percentages: one unit of the last digit, because the slides print one number as 71.8 % and as 71.9 %.
PERCENT = 2.0 * rounding("71.8")
NO_PINGS = "Reno, no pings"
RENO_BARE, GEO_BARE = "Reno, the minimal TCP", "Geo-Reno by distance, the minimal TCP"
RENO_SEGMENTS, GEO_SEGMENTS = "Reno, growth by segments", "Geo-Reno by distance, growth by segments"
RENO_200, GEO_200 = "Reno, 200 packets", "Geo-Reno by distance, 200 packets"
GEO_NO_PINGS = "Geo-Reno by distance, no pings"
RENO_JITTER, GEO_JITTER = "Reno, jitter", "Geo-Reno by distance, jitter"
RENO_NO_PHASE, GEO_NO_PHASE = "Reno, jitter, no pings", "Geo-Reno by distance, jitter, no pings"
RENO_BUFFER, GEO_BUFFER = "Reno, ns-3's receive buffer", "Geo-Reno by distance, ns-3's receive buffer"
WITHOUT_PINGS = "without pings"
JITTER_WITHOUT_PINGS = "jitter of a packet time, without pings"
#: Readings in which the receive window limits flows.
BOUNDED = (RENO_BUFFER, GEO_BUFFER)
#: Transmission time of a packet of 1432 bytes at 10 Mbit/s, rounded up.
PACKET_TIME = "1.2 ms"
#: Queue in packets of Hypatia's experiment with two competing flows.
LONG_QUEUE = 200
#: Reference distances in km, at which a flow is Reno: from 567 km (the shorter path) to 1278 km (11 ms at the delay per
#: km of the longer path).
REFERENCES_KM = (700, 825, 900, 1100)


class Reading(NamedTuple):
    """A reading other than the main one: its name, the reason, and the runs that it compares.

    The last field is whether the reading was found by a search for the slides' number.
    """

    name: str
    why: str
    geo: str
    reno: str = "Reno"
    searched: bool = False


def by_reference(km: float) -> str:
    return f"Geo-Reno, α = 1/{km:g} km"


#: Reference distances that were found by a search for 85.8 %.
_SOUGHT = {900}
_BARE_WHY = "1448 B, an ACK for every segment: only the controller's rules decide; it was the main reading at first"
_SEGMENTS_WHY = "RFC 3465: delayed ACKs do not slow growth"
_QUEUE_WHY = "Hypatia's experiment of two competing flows (two_compete) has 200"
_SILENT_WHY = "Hypatia's experiment of two competing flows has no pings; its pings run without TCP"
_JITTER_WHY = (
    "real links have jitter; without jitter phase effects decide which packets are dropped (Floyd and Jacobson 1992)"
)
_BUFFER_WHY = "ns-3's default, for a reader who has only the slides; Hypatia's own files set 32 MiB"
READINGS = (
    *(
        Reading(
            f"α = 1/{km} km",
            "no α is printed",
            by_reference(km),
            searched=km in _SOUGHT,
        )
        for km in REFERENCES_KM
    ),
    Reading("α = 1/1278 km, by least RTT", "“based on minimum RTT”", BY_BOTH),
    Reading("gain = least RTT over 11 ms", "RTT is said to be proportional to distance", BY_RTT),
    Reading("the minimal TCP", _BARE_WHY, GEO_BARE, RENO_BARE),
    Reading("Hypatia's TCP, growth by segments", _SEGMENTS_WHY, GEO_SEGMENTS, RENO_SEGMENTS),
    Reading("queues of 200 packets", _QUEUE_WHY, GEO_200, RENO_200),
    Reading(WITHOUT_PINGS, _SILENT_WHY, GEO_NO_PINGS, NO_PINGS),
    Reading("jitter of a packet time", _JITTER_WHY, GEO_JITTER, RENO_JITTER),
    Reading(JITTER_WITHOUT_PINGS, _SILENT_WHY, GEO_NO_PHASE, RENO_NO_PHASE),
    Reading("ns-3's default receive buffer", _BUFFER_WHY, GEO_BUFFER, RENO_BUFFER),
)
#: The Reno with which a Geo-Reno of another TCP or queue is compared.
RENO_OF = {one.geo: one.reno for one in READINGS}
OF_RENO = frozenset(RENO_OF.values())

ALPHA = Choice(
    name="α",
    by="the paper's text: the formula and “based on minimum RTT”, so that the flow of the least RTT is plain Reno",
    known="in runs on the minimal TCP: 1/567, 1/700, 1/825, 1/900, 1/1100 km gave 79.6, 82.5, 83.5, 86.4, 90.6 % (5 "
    "seeds)",
    options=(
        Option("1/567 km", "the shorter path is Reno", BY_DISTANCE),
        *(Option(one.name, one.why, one.geo, one.searched) for one in READINGS if one.reno == "Reno"),
    ),
)
TCP = Choice(
    name="TCP",
    by="the default of the tool that the slides name: Hypatia's files, and those of the ns-3.31 below it",
    known="with 10 seeds on the minimal TCP, Reno had 71.4 % and Geo-Reno 81.4 %; with Hypatia's segments and ACKs, "
    "and growth by segments, 70.9 and 83.0 %. When all of Hypatia's settings became the main reading, one seed "
    "of Reno was known (70.8 %)",
    options=(
        Option("Hypatia's", "1380 B, an ACK for every second segment, each counts once as in TcpNewReno", HYPATIA),
        Option("the minimal TCP", _BARE_WHY, BARE_MACHINE),
        Option("Hypatia's, growth by segments", _SEGMENTS_WHY, BY_SEGMENTS),
    ),
)
TIME = Choice(
    name="time span",
    by="the paper's text: “Ratio of bandwidth utilized by both flows”, with no span named",
    known="one seed was known when the settings were fixed: Reno had 71.6 % over the whole run, and 32 % while the "
    "flows share a link",
    options=(
        Option("the whole run", "the literal reading"),
        Option("while the paths share a link", "only then do the two compete"),
    ),
)
PINGS = Choice(
    name="pings beside the flows",
    by="the paper's text: “RTT of TCP flows and pings”, under Reno and under Geo-Reno; the interval is open, and the "
    "tutorial of basic-sim, Hypatia's base, has 10 ms",
    known="without pings, the longer path has the larger goodput on the minimal TCP, and Geo-Reno has 13.9 ± 3.7 "
    "points less than Reno",
    options=(
        Option("every 10 ms", "the tutorial of basic-sim", "10 ms"),
        Option("every 1 ms", "as in Hypatia's own ping experiment, which runs without TCP", "1 ms"),
        Option("none", "the title may name two experiments, as Hypatia has two", ""),
    ),
)
JITTER = Choice(
    name="jitter of user links",
    by="the default of the tool: Hypatia's links have none",
    known="a review (8 seeds): with jitter of a packet time, Reno had 83.6 and Geo-Reno 78.6 % beside pings, and 77.4 "
    "and 70.7 % without pings; without jitter and pings, 70.0 and 58.0 %",
    options=(
        Option("none", "Hypatia's links"),
        Option("a packet time", _JITTER_WHY, PACKET_TIME),
    ),
)
BUFFER = Choice(
    name="receive buffer",
    by="the tool's files: Hypatia sets 32 MiB, which are never reached",
    known="a review: with ns-3's default Geo-Reno has 85.0 ± 2.9 %, Reno 62.9 ± 1.6",
    options=(
        Option("32 MiB", "Hypatia's", 0),
        Option("131072 B", _BUFFER_WHY, 1),
    ),
)
EPOCH = Choice(
    name="epoch",
    by="the tool's default: the shell's epoch. Only G-09, which has no time, and G-22, our own question, draw it by "
    "seed",
    known="at other epochs the pair often shares no link",
    options=(
        Option("the shell's epoch", "Hypatia's runs begin there"),
        Option("drawn", "the slides name none"),
    ),
)
QUEUE = Choice(
    name="queue",
    by="the tool's default: its experiments of one flow have 100 packets. Its experiment of two competing flows has "
    "200 packets, which a reviewer could prefer",
    known="one seed of Reno had 70.8 % with 100 packets, and 77.1 % with 200. By G-15, a queue of 228 ms gives 71.8 % "
    "while the flows share a link, and 200 packets are 229 ms",
    options=(
        Option("100 packets", "all but one of Hypatia's TCP experiments at 10 Mbit/s", bed.QUEUE_PACKETS),
        Option("200 packets", _QUEUE_WHY, LONG_QUEUE),
    ),
)
VEGAS = Choice(
    name="Vegas",
    by="the default of the tool: ns-3.31's TcpVegas, as far as ours can be set to it",
    known="none with these settings; compared with Bentpipe's Vegas, Reno had 2.69 ± 1.93 Mbit/s more (10 epochs)",
    options=(
        Option("as in ns-3", "2 to 4 segments wait, by the smallest RTT of a round", bed.VEGAS),
        Option("as published", "Brakmo and Peterson 1995: 1 to 3, by the mean RTT", "vegas"),
    ),
)
PATH = Choice(
    name="path of one flow",
    by="the paper's text: “Rio de Janeiro to St. Petersburg”",
    options=(
        Option("Rio de Janeiro to Saint Petersburg", "the slides' figures of one flow"),
        Option("Manila to Dalian", "Hypatia's “earlier results” run NewReno and Vegas there too"),
    ),
)
MODE = Choice(
    name="Copa's modes",
    by="the cited paper: Copa switches to a competitive mode",
    known="its default mode alone had less goodput at Hypatia's epoch",
    options=(
        Option("switching", "Arun and Balakrishnan 2018, section 2.2", "copa"),
        Option("default mode alone", "the simplest form of Copa", {"name": "copa", "mode_switching": False}),
    ),
)
CHOICES = (
    ALPHA,
    TCP,
    TIME,
    PINGS,
    JITTER,
    BUFFER,
    QUEUE,
    VEGAS,
    MODE,
    PATH,
    Choice(
        name="statistic of a round trip",
        by="our choice: the usual statistic of a ping",
        options=(
            Option("mean", "what a ping prints"),
            Option("median", "the slides say “RTT” alone"),
            Option("least", "the same"),
            Option("largest", "the same"),
        ),
    ),
    EPOCH,
)


def plan(effort: Effort, *only: str) -> Mapping[Key, bp.Scenario]:
    ours = bed.variants(TORONTO_KM)
    main = {label: ours[label] for label in ("Reno", BY_DISTANCE, BY_BOTH, BY_RTT)}
    main |= {by_reference(km): bed.by_reference(km) for km in REFERENCES_KM}
    asked: dict[str, tuple[str, Controller, Stack, dict[str, Any]]]
    asked = {label: (label, controller, HYPATIA, {}) for label, controller in main.items()}
    no_phase = {"jitter": PACKET_TIME, "pings": ""}
    for reno, geo, stack, settings in (
        (RENO_BARE, GEO_BARE, BARE_MACHINE, {}),
        (RENO_SEGMENTS, GEO_SEGMENTS, BY_SEGMENTS, {}),
        (RENO_200, GEO_200, HYPATIA, {"queue": LONG_QUEUE}),
        (NO_PINGS, GEO_NO_PINGS, HYPATIA, {"pings": ""}),
        (RENO_JITTER, GEO_JITTER, HYPATIA, {"jitter": PACKET_TIME}),
        (RENO_NO_PHASE, GEO_NO_PHASE, HYPATIA, no_phase),
        (RENO_BUFFER, GEO_BUFFER, bed.bounded(HYPATIA), {}),
    ):
        here = bed.variants(TORONTO_KM, stack)
        asked |= {label: (name, here[name], stack, settings) for label, name in ((reno, "Reno"), (geo, BY_DISTANCE))}
    return {
        (label, seed): bed.competing(WASHINGTON, controller, seed, label=name, tcp=stack.tcp, **settings)
        for label, (name, controller, stack, settings) in asked.items()
        if label in (only or asked)
        for seed in effort.seeds
    }


def fared(runs: Runs, label: str, seeds: tuple[int, ...]) -> list[Fairness]:
    return [bed.fairness(run, bounded=label in BOUNDED) for run in runs.of(label, seeds=seeds)]


def geo_ratio(runs: Runs) -> tuple[InReading, ...]:
    return measured(runs, lambda geo, _: sampled(number(geo, "ratio")))


def geo_points(runs: Runs) -> tuple[InReading, ...]:
    return measured(runs, points)


def measured(runs: Runs, estimate: Callable[[list[Fairness], list[Fairness]], bp.Estimate]) -> tuple[InReading, ...]:
    def measure(one: Reading) -> Callable[[tuple[int, ...]], bp.Estimate]:
        return lambda seeds: estimate(fared(runs, one.geo, seeds), fared(runs, one.reno, seeds))

    return tuple(in_reading(one.name, one.why, measure(one), runs.effort, searched=one.searched) for one in READINGS)


def short_share(runs: Runs) -> tuple[InReading, ...]:
    def measure(label: str) -> Callable[[tuple[int, ...]], bp.Estimate]:
        return lambda seeds: sampled(number(fared(runs, label, seeds), "short_share"))

    return tuple(
        in_reading(one.name, one.why, measure(one.reno), runs.effort) for one in READINGS if one.reno != "Reno"
    )


def reno_ratio(runs: Runs) -> tuple[InReading, ...]:
    ways = (
        ("while the paths share a link", "only then do the two compete", "Reno", "ratio_sharing"),
        (WITHOUT_PINGS, _SILENT_WHY, NO_PINGS, "ratio"),
        ("jitter of a packet time", _JITTER_WHY, RENO_JITTER, "ratio"),
        (JITTER_WITHOUT_PINGS, _SILENT_WHY, RENO_NO_PHASE, "ratio"),
        ("ns-3's default receive buffer", _BUFFER_WHY, RENO_BUFFER, "ratio"),
        ("the minimal TCP", _BARE_WHY, RENO_BARE, "ratio"),
        ("Hypatia's TCP, growth by segments", _SEGMENTS_WHY, RENO_SEGMENTS, "ratio"),
        ("queues of 200 packets", _QUEUE_WHY, RENO_200, "ratio"),
    )

    def measure(label: str, name: str) -> Callable[[tuple[int, ...]], bp.Estimate]:
        return lambda seeds: sampled(number(fared(runs, label, seeds), name))

    return tuple(in_reading(name, why, measure(label, what), runs.effort) for name, why, label, what in ways)
