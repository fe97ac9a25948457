# SPDX-License-Identifier: MIT OR Apache-2.0
"""The study's networks and TCP, the random draws, and the times at which two flows share a link."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import bentpipe as bp
from bentpipe.study import events, goodputs, jain, mean_known, own_limit, series, smaller_over_larger
from bentpipe_papers.transport import BARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bentpipe.study import Effort

SHELL = "hypatia-kuiper-630"
#: Time of one revolution at 630 km in s: 2π sqrt(a³/μ) with a = 7008 km.
REVOLUTION_S = 5839.0
#: Radius of the sphere for geodesic distances, the usual value for great circles.
EARTH_KM = 6371.0
#: Steps of the golden section spread the seeds evenly; steps of the plastic number spread the flows within a seed.
_GOLDEN, _PLASTIC = 0.6180339887, 0.7548776662

#: Number of seeds for runs without a claim: G-20 runs every pair of controllers, 1,224 runs per seed.
NO_CLAIM_SEEDS = 3

#: A controller in the form of a scenario.
Controller = str | dict[str, "str | float | bool"]

#: Hypatia's TCP by the sources of Hypatia (snkas/hypatia 0ac531c), basic-sim (3b32597) and ns-3.31. From basic-sim's
#: `tcp-optimizer.cc`: 1380 B, timestamps, an initial window of 10, SACK, no pacing, and G = 1 ns. From ns-3's defaults:
#: an ACK for every second segment or after 200 ms, limited transmit, a minimum and initial timeout of 1 s, and recovery
#: without PRR (`TcpClassicRecovery`). ns-3 has a handshake and never undoes a reduction. The receiver's 32 MiB are
#: never reached.
HYPATIA_TCP = replace(
    BARE,
    mss="1380 B",
    delayed_ack={"every": 2, "at_most": "200 ms"},
    min_rto="1 s",
    clock="1 ns",
    undo=False,
    setup="handshake",
)
#: Hypatia's full segment: payload, and bytes on the wire.
MSS_BYTES, WIRE_BYTES = 1380, 1432
RATE_MBIT_S, QUEUE_PACKETS = 10.0, 100
#: Time in ms in which a link sends a full queue.
BUFFER_MS = QUEUE_PACKETS * WIRE_BYTES * 8.0 / (RATE_MBIT_S * 1e3)


class Stack(NamedTuple):
    """The TCP, and the rule for window growth.

    Attributes:
        tcp: The TCP of both ends.
        by_acks: Whether Reno and Geo-Reno grow once for every ACK in avoidance. Otherwise they grow by acknowledged
            segments.
    """

    tcp: bp.Tcp
    by_acks: bool


#: ns-3's TcpNewReno and the slides' formula (“For every Ack”) grow once for every ACK in avoidance.
HYPATIA = Stack(HYPATIA_TCP, by_acks=True)
BY_SEGMENTS = Stack(HYPATIA_TCP, by_acks=False)
BARE_MACHINE = Stack(BARE, by_acks=False)


def reno(stack: Stack = HYPATIA) -> Controller:
    """Reno that counts ACKs, like ns-3's TcpNewReno, or acknowledged segments (RFC 3465)."""
    return {"name": "reno", "byte_counting": False} if stack.by_acks else "reno"


def geo_reno(stack: Stack, **parameters: str | float) -> dict[str, str | float | bool]:
    """Geo-Reno that counts ACKs or segments as `reno` does."""
    counting: dict[str, str | float | bool] = {"byte_counting": False} if stack.by_acks else {}
    return {"name": "geo-reno", **parameters, **counting}


#: Default receive buffer of ns-3.31's sockets (`RcvBufSize`). Hypatia's files set 32 MiB.
NS3_BUFFER = "131072 B"


def bounded(stack: Stack) -> Stack:
    return stack._replace(tcp=replace(stack.tcp, receive_window=NS3_BUFFER))


#: ns-3's TcpVegas: 2 to 4 segments are queued, by the smallest RTT of a round, and slow start doubles in every round.
#: At a loss, its threshold is the window less one segment; our controller can keep at most 0.95.
VEGAS: Controller = {
    "name": "vegas",
    "alpha": 2.0,
    "beta": 4.0,
    "gamma": 1.0,
    "rtt": "min",
    "doubling": "every-round",
    "kept_at_loss": 0.95,
}


class Pair(NamedTuple):
    """Two flows to one destination. The first flow has the longer path."""

    long: str
    short: str
    to: str


#: The slides' two paths to Washington: great-circle distance in km (computed, as the slides print none), and the
#: slides' round trip in ms.
PATHS = {"Wuhan": (12201.0, 105.0), "Toronto": (567.0, 11.0)}
WASHINGTON = Pair("Wuhan", "Toronto", "Washington")
MADRID = Pair("Wuhan", "Tehran", "Madrid")
#: The three readings of the formula's normalising constant: by distance, by distance and smallest RTT, by RTT.
BY_DISTANCE, BY_BOTH, BY_RTT = "Geo-Reno by distance", "Geo-Reno by distance and least RTT", "Geo-Reno by RTT"


def chance(seed: int, index: int = 0) -> float:
    """A number in [0, 1) for a seed and an index, evenly spread over seeds.

    The difference between two indices has only two values.
    """
    return (seed * _GOLDEN + index * _PLASTIC) % 1.0


def drawn(seed: int, index: int) -> float:
    """A random number in [0, 1) for a seed and an index, independent of all others."""
    return random.Random(f"{seed} {index}").random()  # noqa: S311


def seeds(effort: Effort, first_look: int) -> tuple[int, ...]:
    """The seeds of runs without a claim: `first_look` seeds in a first look, otherwise three."""
    return effort.seeds[: effort.pick(first_look, NO_CLAIM_SEEDS)]


def epoch_s(seed: int) -> float:
    """Time in s within a satellite's revolution at which the runs of a seed begin, if seeds vary the epoch."""
    return round(chance(seed) * REVOLUTION_S)


def geodesic_km(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Great-circle distance in km of two points (latitude, longitude) in degrees (haversine formula)."""
    (lat_a, lon_a), (lat_b, lon_b) = (tuple(map(math.radians, place)) for place in (one, other))
    half = math.sin((lat_b - lat_a) / 2) ** 2 + math.cos(lat_a) * math.cos(lat_b) * math.sin((lon_b - lon_a) / 2) ** 2
    return 2 * EARTH_KM * math.asin(math.sqrt(half))


def places() -> dict[str, tuple[float, float]]:
    """Latitude and longitude of the cities in degrees, the largest city first."""
    table = bp.sites()
    return dict(zip(table["name"], zip(table["latitude_deg"], table["longitude_deg"], strict=True), strict=True))


def of_the_slides() -> bp.Model:
    """The model of Geo-Reno's gains and of round trips over distances, on the slides' two paths."""
    distances, trips = zip(*PATHS.values(), strict=True)
    return bp.model("geo-reno-gains", distance_km=distances, rtt_ms=trips)


def by_reference(km: float, stack: Stack = HYPATIA) -> Controller:
    """Geo-Reno by distance with α = 1/km."""
    return geo_reno(stack, alpha_mode="reference-distance", d_ref_km=km)


def variants(d_min_km: float, stack: Stack = HYPATIA) -> dict[str, Controller]:
    """The slides' controllers by label. `d_min_km` is the distance of the shorter path."""
    rtt_ref = f"{PATHS['Toronto'][1]:g} ms"
    return {
        "Reno": reno(stack),
        "Hybla": "hybla",
        BY_DISTANCE: by_reference(d_min_km, stack),
        BY_BOTH: geo_reno(stack, alpha_mode="min-rtt", rtt_ref=rtt_ref),
        BY_RTT: geo_reno(stack, gain_source="rtt", rtt_ref=rtt_ref),
    }


def sky(shell: str = SHELL, *, epoch: float = 0.0, queue: int = QUEUE_PACKETS, jitter: str = "") -> bp.Constellation:
    """A shell of Hypatia, from a time after its epoch in s, with a queue in packets at every link.

    User links delay each packet by up to `jitter` (nothing if empty).
    """
    held = None if queue == QUEUE_PACKETS else f"{queue} packets"
    user_link = bp.UserLink(queue=held, jitter=bp.Jitter(uniform=jitter) if jitter else None)
    return bp.Constellation(
        preset=shell,
        offset=f"{epoch:g} s",
        isl=bp.Isl(queue=held) if held else None,
        user_link=user_link if held or jitter else None,
    )


def competing(
    pair: Pair,
    controller: Controller,
    seed: int,
    *,
    pings: str = "10 ms",
    epoch: float = 0.0,
    label: str = "",
    shell: str = SHELL,
    queue: int = QUEUE_PACKETS,
    jitter: str = "",
    tcp: bp.Tcp = HYPATIA_TCP,
) -> bp.Scenario:
    """Two flows to one destination, each with periodic echoes beside it (none if empty).

    `tcp` is the TCP of the reading.
    """
    flows = [
        bp.Flow(from_=origin, to=pair.to, controller=controller, start=f"{drawn(seed, number):.3f} s")
        for number, origin in enumerate((pair.long, pair.short))
    ]
    if pings:
        flows += [bp.Flow(from_=origin, to=pair.to, kind="ping", interval=pings) for origin in (pair.long, pair.short)]
    return bp.Scenario(
        name=f"{pair.long} and {pair.short} to {pair.to}: {label}",
        duration="200 s",
        seed=seed,
        network=sky(shell, epoch=epoch, queue=queue, jitter=jitter),
        tcp=tcp,
        flows=flows,
        record=bp.Record(interval="1 s"),
    )


def sharing(run: bp.Run) -> list[tuple[float, float]]:
    """The spans (from, to) in s in which the paths of the first two flows share a link in the same direction."""
    table = run.paths
    ways: list[dict[float, set[tuple[str, str]]]] = []
    for flow in run.summary["flows"][:2]:
        chosen: dict[float, set[tuple[str, str]]] = {}
        for time, origin, to, via in zip(table["time_s"], table["from"], table["to"], table["via"], strict=True):
            if (origin, to) == (flow["from"], flow["to"]):
                chosen[time] = set(itertools.pairwise(via.split(" > "))) if via else set()
        ways.append(chosen)
    end = float(run.summary["provenance"]["duration_s"])
    times = sorted({*ways[0], *ways[1]})
    now: list[set[tuple[str, str]]] = [set(), set()]
    found: list[tuple[float, float]] = []
    for start, until in itertools.pairwise([*times, end]):
        now = [way.get(start, before) for way, before in zip(ways, now, strict=True)]
        if not now[0] & now[1] or until <= start:
            continue
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], until)
        else:
            found.append((start, until))
    return found


def within(times: Sequence[float], intervals: Sequence[tuple[float, float]], step_s: float = 1.0) -> list[bool]:
    """Which samples lie completely within one of the intervals. A sample's time is the end of its `step_s`."""
    slack = 1e-6
    return [any(a - slack <= t - step_s and t <= b + slack for a, b in intervals) for t in times]


class Fairness(NamedTuple):
    """The results of two flows in one run: rates in Mbit/s, ratios in percent."""

    long: float
    short: float
    ratio: float
    jain: float
    shared_s: float
    long_sharing: float
    short_sharing: float
    ratio_sharing: float
    jain_sharing: float
    cuts_long: float
    cuts_short: float

    @property
    def cut_ratio(self) -> float:
        """Window reductions of the shorter path's flow per reduction of the longer path's flow.

        Counts only the time in which they share a link; NaN if the longer path's flow has no reductions.
        """
        return self.cuts_short / self.cuts_long if self.cuts_long else math.nan

    @property
    def short_share(self) -> float:
        """Share in percent of the flow with the lower latency while the flows share a link; NaN if they never do."""
        return 100.0 * self.short_sharing / (self.short_sharing + self.long_sharing)

    @property
    def total(self) -> float:
        """Goodput of both flows over the whole run in Mbit/s."""
        return self.long + self.short


def fairness(run: bp.Run, *, bounded: bool = False) -> Fairness:
    """Results over the whole run, and while the two flows share a link (rates, window reductions per minute).

    A run in which the receive window limits a flow is refused, unless the reading requires it (`bounded`).
    """
    if not bounded:
        own_limit([run])
    whole = goodputs(run)[:2]
    intervals = sharing(run)
    shared = sum(until - start for start, until in intervals)
    rates = []
    for flow in (0, 1):
        times, values = series(run, "goodput_mbit_s", flow)
        rates.append(mean_known(values[within(times.tolist(), intervals)]))
    cuts = [0.0, 0.0]
    for cut in events(run, "cut", columns=("time_s", "flow")):
        if cut["flow"] in (0, 1) and any(start <= cut["time_s"] <= until for start, until in intervals):
            cuts[cut["flow"]] += 60.0 / shared
    return Fairness(
        long=whole[0],
        short=whole[1],
        ratio=smaller_over_larger(*whole),
        jain=100.0 * jain(whole),
        shared_s=shared,
        long_sharing=rates[0],
        short_sharing=rates[1],
        ratio_sharing=smaller_over_larger(*rates) if shared else math.nan,
        jain_sharing=100.0 * jain(rates) if shared else math.nan,
        cuts_long=cuts[0],
        cuts_short=cuts[1],
    )


def of_seeds(runs: Mapping[str, Sequence[bp.Run]]) -> dict[str, list[Fairness]]:
    return {label: [fairness(run) for run in made] for label, made in runs.items()}
