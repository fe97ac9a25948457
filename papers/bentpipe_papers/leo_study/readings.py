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
_BARE_WHY = "1448 B, an ACK for every segment, and no rules except the controller's; it was the main reading at first"
_SEGMENTS_WHY = "RFC 3465 counts acknowledged bytes, so delayed ACKs do not slow the growth"
_QUEUE_WHY = "queues in Hypatia's experiment of two competing flows (two_compete) hold 200 packets"
_SILENT_WHY = "Hypatia's experiment of two competing flows has no pings; its pings run without TCP"
_JITTER_WHY = (
    "real links have jitter; without jitter, phase effects decide which packets are dropped (Floyd and Jacobson 1992)"
)
_BUFFER_WHY = "a reader of the slides alone would take ns-3's default; Hypatia's own files set 32 MiB"
READINGS = (
    *(
        Reading(
            f"α = 1/{km} km",
            "the slides do not print α",
            by_reference(km),
            searched=km in _SOUGHT,
        )
        for km in REFERENCES_KM
    ),
    Reading("α = 1/1278 km, by least RTT", "“based on minimum RTT”", BY_BOTH),
    Reading("gain = least RTT over 11 ms", "the slides say that the RTT is proportional to the distance", BY_RTT),
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
    by="the paper's text: by the formula and “based on minimum RTT”, the flow with the smallest RTT is plain Reno",
    known=(
        "runs with the minimal TCP (5 seeds) gave a fairness of 79.6 % (α = 1/567 km), 82.5 % (1/700), 83.5 % "
        "(1/825), 86.4 % (1/900) and 90.6 % (1/1100)"
    ),
    options=(
        Option("1/567 km", "with this α, Geo-Reno on the shorter path is Reno", BY_DISTANCE),
        *(Option(one.name, one.why, one.geo, one.searched) for one in READINGS if one.reno == "Reno"),
    ),
)
TCP = Choice(
    name="TCP",
    by="the default of the tool that the slides name: Hypatia's files, and those of ns-3.31, on which Hypatia is built",
    known=(
        "with 10 seeds, the fairness was 71.4 % (Reno) and 81.4 % (Geo-Reno) with the minimal TCP. With Hypatia's "
        "segments and ACKs, and growth by segments, it was 70.9 % and 83.0 %. When all of Hypatia's settings became "
        "the main reading, we knew one seed of Reno (70.8 %)"
    ),
    options=(
        Option("Hypatia's", "1380 B, an ACK for every second segment; each ACK counts once, as in TcpNewReno", HYPATIA),
        Option("the minimal TCP", _BARE_WHY, BARE_MACHINE),
        Option("Hypatia's, growth by segments", _SEGMENTS_WHY, BY_SEGMENTS),
    ),
)
TIME = Choice(
    name="time span",
    by="the paper's text: “Ratio of bandwidth utilized by both flows”; it names no time span",
    known=(
        "when we fixed the settings, we knew one seed: Reno's fairness was 71.6 % over the whole run, and 32 % while "
        "the flows share a link"
    ),
    options=(
        Option("the whole run", "the slides name no shorter span"),
        Option("while the paths share a link", "the two flows compete only while they share a link"),
    ),
)
PINGS = Choice(
    name="pings beside the flows",
    by=(
        "the paper's text: “RTT of TCP flows and pings”, under Reno and under Geo-Reno; the slides give no interval; "
        "the tutorial of basic-sim, on which Hypatia is built, has 10 ms"
    ),
    known=(
        "without pings and with the minimal TCP, the longer path has the larger goodput, and Geo-Reno's fairness is "
        "13.9 ± 3.7 percentage points lower than Reno's"
    ),
    options=(
        Option("every 10 ms", "the tutorial of basic-sim", "10 ms"),
        Option("every 1 ms", "as in Hypatia's own ping experiment, which runs without TCP", "1 ms"),
        Option("none", "the slide's title may mean two experiments, because Hypatia has two", ""),
    ),
)
JITTER = Choice(
    name="jitter of user links",
    by="the default of the tool: Hypatia's links have no jitter",
    known=(
        "fairness in a review (8 seeds). With jitter of a packet time and pings: Reno 83.6 %, Geo-Reno 78.6 %. With "
        "jitter, without pings: 77.4 % and 70.7 %. Without jitter and without pings: 70.0 % and 58.0 %"
    ),
    options=(
        Option("none", "Hypatia's links"),
        Option("a packet time", _JITTER_WHY, PACKET_TIME),
    ),
)
BUFFER = Choice(
    name="receive buffer",
    by="the tool's files: Hypatia sets 32 MiB, which no flow reaches",
    known="fairness in a review: with ns-3's default, Geo-Reno has 85.0 ± 2.9 %, and Reno 62.9 ± 1.6 %",
    options=(
        Option("32 MiB", "Hypatia's", 0),
        Option("131072 B", _BUFFER_WHY, 1),
    ),
)
EPOCH = Choice(
    name="epoch",
    by=(
        "the tool's default is the shell's epoch. Only two rows draw the epoch by seed: G-09, where the slides imply "
        "no time, and G-22, our own question"
    ),
    known="at other epochs, the two paths often share no link",
    options=(
        Option("the shell's epoch", "Hypatia's runs begin there"),
        Option("drawn", "the slides name no epoch"),
    ),
)
QUEUE = Choice(
    name="queue",
    by=(
        "the tool's default: its experiments with one flow have queues of 100 packets. Its experiment with two "
        "competing flows has 200 packets, which a reviewer could prefer"
    ),
    known=(
        "Reno's fairness with one seed was 70.8 % with 100 packets, and 77.1 % with 200. By the model of G-15, a "
        "queue of 228 ms would give 71.8 % while the flows share a link; 200 packets are 229 ms"
    ),
    options=(
        Option(
            "100 packets",
            "all of Hypatia's TCP experiments at 10 Mbit/s except one have these queues",
            bed.QUEUE_PACKETS,
        ),
        Option("200 packets", _QUEUE_WHY, LONG_QUEUE),
    ),
)
VEGAS = Choice(
    name="Vegas",
    by="the default of the tool: ns-3.31's TcpVegas, as far as our Vegas has its settings",
    known=(
        "we knew no result with these settings. Reno's goodput was 2.69 ± 1.93 Mbit/s higher than that of Bentpipe's "
        "Vegas (10 epochs)"
    ),
    options=(
        Option("as in ns-3", "2 to 4 segments wait in the queue, computed from the smallest RTT of a round", bed.VEGAS),
        Option("as published", "Brakmo and Peterson 1995: 1 to 3, by the mean RTT", "vegas"),
    ),
)
PATH = Choice(
    name="path of one flow",
    by="the paper's text: “Rio de Janeiro to St. Petersburg”",
    options=(
        Option("Rio de Janeiro to Saint Petersburg", "the slides' figures of one flow"),
        Option("Manila to Dalian", "Hypatia's “earlier results” also run NewReno and Vegas on this path"),
    ),
)
MODE = Choice(
    name="Copa's modes",
    by="the cited paper: Copa switches to a competitive mode",
    known="at Hypatia's epoch, Copa's default mode alone had less goodput",
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
            Option("median", "the slides say only “RTT”"),
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
        ("while the paths share a link", "the two flows compete only while they share a link", "Reno", "ratio_sharing"),
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
