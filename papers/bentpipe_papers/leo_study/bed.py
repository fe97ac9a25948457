# SPDX-License-Identifier: MIT OR Apache-2.0
"""The study's networks, whose TCP runs over them, what is left to chance, and when two flows share a link."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import bentpipe as bp
from bentpipe.study import events, goodputs, jain, mean_known, own_limit, series, smaller_over_larger
from bentpipe_papers.transport import BARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bentpipe.study import Effort

SHELL = "hypatia-kuiper-630"
#: One revolution at 630 km: 2π sqrt(a³/μ) with a = 7008 km.
REVOLUTION_S = 5839.0
#: Radius of the sphere on which geodesic distances are taken, as in most accounts of great circles.
EARTH_KM = 6371.0
#: Steps of the golden section spread any number of seeds, those of the plastic number the flows within a seed.
_GOLDEN, _PLASTIC = 0.6180339887, 0.7548776662

#: Enough for what no claim hangs on: G-20 meets every pair of controllers, 1,224 runs a seed.
NO_CLAIM_SEEDS = 3

#: A controller as a scenario names it.
Controller = str | dict[str, "str | float | bool"]

#: TCP as Hypatia runs it, by its files (snkas/hypatia 0ac531c), of basic-sim (3b32597) and of ns-3.31. Of basic-sim's
#: `tcp-optimizer.cc` are 1380 B, timestamps, the initial window of 10, SACK, no pacing and G = 1 ns; ns-3's defaults
#: are an ACK for every second segment or after 200 ms, limited transmit, a least and a first timeout of 1 s, and a
#: recovery without PRR (`TcpClassicRecovery`). ns-3 has a handshake and undoes nothing. The receiver's 32 MiB are never
#: reached.
HYPATIA_TCP = replace(
    BARE,
    mss="1380 B",
    delayed_ack={"every": 2, "at_most": "200 ms"},
    min_rto="1 s",
    clock="1 ns",
    undo=False,
    setup="handshake",
)
#: Its full segment on the wire, bytes.
MSS_BYTES, WIRE_BYTES = 1380, 1432
RATE_MBIT_S, QUEUE_PACKETS = 10.0, 100
#: What the queue of a link is worth, ms.
BUFFER_MS = QUEUE_PACKETS * WIRE_BYTES * 8.0 / (RATE_MBIT_S * 1e3)


class Stack(NamedTuple):
    """Whose TCP it is, and what makes the window grow.

    Attributes:
        tcp: The TCP of both ends.
        by_acks: Whether Reno and Geo-Reno grow in avoidance once for every ACK; else by acknowledged segments.
    """

    tcp: bp.Tcp
    by_acks: bool


#: ns-3's TcpNewReno grows once for every ACK in avoidance, and so does the slides' formula (“For every Ack”).
HYPATIA = Stack(HYPATIA_TCP, by_acks=True)
BY_SEGMENTS = Stack(HYPATIA_TCP, by_acks=False)
BARE_MACHINE = Stack(BARE, by_acks=False)


def reno(stack: Stack = HYPATIA) -> Controller:
    """Reno as ns-3's TcpNewReno, an ACK counting once; or counting segments (RFC 3465)."""
    return {"name": "reno", "byte_counting": False} if stack.by_acks else "reno"


def geo_reno(stack: Stack, **parameters: str | float) -> dict[str, str | float | bool]:
    """Geo-Reno whose growth counts what `reno` counts."""
    counting: dict[str, str | float | bool] = {"byte_counting": False} if stack.by_acks else {}
    return {"name": "geo-reno", **parameters, **counting}


#: What ns-3.31's sockets take in by default (`RcvBufSize`), where Hypatia's files set 32 MiB.
NS3_BUFFER = "131072 B"


def bounded(stack: Stack) -> Stack:
    return stack._replace(tcp=replace(stack.tcp, receive_window=NS3_BUFFER))


#: ns-3's TcpVegas: 2 to 4 segments wait, by the least RTT of a round, doubling in every round. At a loss its threshold
#: is the window less one segment; the most that ours can keep is 0.95.
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
    """Two flows to one place, the one with the longer path first."""

    long: str
    short: str
    to: str


#: The slides' two paths to Washington: distance in km (great circles between the cities; the slides print none), and
#: round trip in ms (theirs).
PATHS = {"Wuhan": (12201.0, 105.0), "Toronto": (567.0, 11.0)}
WASHINGTON = Pair("Wuhan", "Toronto", "Washington")
MADRID = Pair("Wuhan", "Tehran", "Madrid")
#: The three readings of the formula's normalising constant: by distance alone, by distance and least RTT, by RTT.
BY_DISTANCE, BY_BOTH, BY_RTT = "Geo-Reno by distance", "Geo-Reno by distance and least RTT", "Geo-Reno by RTT"


def chance(seed: int, index: int = 0) -> float:
    """A number in [0, 1) for a seed, another for each index."""
    return (seed * _GOLDEN + index * _PLASTIC) % 1.0


def seeds(effort: Effort, first_look: int) -> tuple[int, ...]:
    """Seeds of what no claim depends on: this number in a first look, else three."""
    return effort.seeds[: effort.pick(first_look, NO_CLAIM_SEEDS)]


def epoch_s(seed: int) -> float:
    """When in a satellite's revolution the runs of a seed begin, where the epoch is what varies."""
    return round(chance(seed) * REVOLUTION_S)


def geodesic_km(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Great-circle distance of two (latitude, longitude) in degrees (haversine formula)."""
    (lat_a, lon_a), (lat_b, lon_b) = (tuple(map(math.radians, place)) for place in (one, other))
    half = math.sin((lat_b - lat_a) / 2) ** 2 + math.cos(lat_a) * math.cos(lat_b) * math.sin((lon_b - lon_a) / 2) ** 2
    return 2 * EARTH_KM * math.asin(math.sqrt(half))


def places() -> dict[str, tuple[float, float]]:
    """Latitude and longitude of the cities in degrees, the largest city first."""
    table = bp.sites()
    return dict(zip(table["name"], zip(table["latitude_deg"], table["longitude_deg"], strict=True), strict=True))


def of_the_slides() -> bp.Model:
    """Gains of Geo-Reno, and how round trips follow distances, on the slides' two paths."""
    distances, trips = zip(*PATHS.values(), strict=True)
    return bp.model("geo-reno-gains", distance_km=distances, rtt_ms=trips)


def by_reference(km: float, stack: Stack = HYPATIA) -> Controller:
    """Geo-Reno by distance with α = 1/km."""
    return geo_reno(stack, alpha_mode="reference-distance", d_ref_km=km)


def variants(d_min_km: float, stack: Stack = HYPATIA) -> dict[str, Controller]:
    """The slides' controllers: label to what a scenario says; `d_min_km` is the distance of the shorter path."""
    rtt_ref = f"{PATHS['Toronto'][1]:g} ms"
    return {
        "Reno": reno(stack),
        "Hybla": "hybla",
        BY_DISTANCE: by_reference(d_min_km, stack),
        BY_BOTH: geo_reno(stack, alpha_mode="min-rtt", rtt_ref=rtt_ref),
        BY_RTT: geo_reno(stack, gain_source="rtt", rtt_ref=rtt_ref),
    }


def sky(shell: str = SHELL, *, epoch: float = 0.0, queue: int = QUEUE_PACKETS, jitter: str = "") -> bp.Constellation:
    """A shell of Hypatia's from a time after its epoch (s), with a queue of a number of packets at every link.

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
    """Two flows to one place, and beside each an echo every so often (never if empty); `tcp` is whose TCP is read."""
    flows = [
        bp.Flow(from_=origin, to=pair.to, controller=controller, start=f"{chance(seed, number):.3f} s")
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
    """When the paths of the first two flows have a link in common in the same direction: from, to, in s."""
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
    """Which samples (time: the end of an interval of `step_s`) lie within one of the intervals as a whole."""
    slack = 1e-6
    return [any(a - slack <= t - step_s and t <= b + slack for a, b in intervals) for t in times]


class Fairness(NamedTuple):
    """How two flows fared in one run; rates in Mbit/s, ratios in percent."""

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
        """Cuts of the shorter path over those of the longer while they share a link; NaN if the longer has none."""
        return self.cuts_short / self.cuts_long if self.cuts_long else math.nan

    @property
    def short_share(self) -> float:
        """Share of the flow of lower latency while they share a link, percent; NaN if they never do."""
        return 100.0 * self.short_sharing / (self.short_sharing + self.long_sharing)

    @property
    def total(self) -> float:
        """Both flows, over the whole run."""
        return self.long + self.short


def fairness(run: bp.Run, *, bounded: bool = False) -> Fairness:
    """Over the whole run, and while the two flows share a link (rates, and cuts of the window per minute).

    A receive window that holds a flow back is refused, unless it is what is read (`bounded`).
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
