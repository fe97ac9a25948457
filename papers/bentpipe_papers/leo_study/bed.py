# SPDX-License-Identifier: MIT OR Apache-2.0
"""The study's networks, what is left to chance in them, and when two flows share a link."""

from __future__ import annotations

import itertools
import math
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

#: A controller as a scenario names it.
Controller = str | dict[str, "str | float | bool"]


class Pair(NamedTuple):
    """Two flows to one place, the one with the longer path first."""

    long: str
    short: str
    to: str


#: Distance in km and round trip in ms of the slides' two paths to Washington.
PATHS = {"Wuhan": (12201.0, 105.0), "Toronto": (567.0, 11.0)}
WASHINGTON = Pair("Wuhan", "Toronto", "Washington")
MADRID = Pair("Wuhan", "Tehran", "Madrid")
#: The three readings of the formula's normalising constant: by distance alone, by distance and least RTT, by RTT.
BY_DISTANCE, BY_BOTH, BY_RTT = "Geo-Reno by distance", "Geo-Reno by distance and least RTT", "Geo-Reno by RTT"


def chance(seed: int, index: int = 0) -> float:
    """A number in [0, 1) for a seed, another for each index."""
    return (seed * _GOLDEN + index * _PLASTIC) % 1.0


def seeds(effort: Effort, first_look: int) -> tuple[int, ...]:
    """All seeds; of what no claim hangs on, a first look takes so many."""
    return effort.seeds[: effort.pick(first_look, None)]


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


def variants(d_min_km: float) -> dict[str, Controller]:
    """The slides' controllers: label to what a scenario says; `d_min_km` is the distance of the shorter path."""
    return {
        "Reno": "reno",
        "Hybla": "hybla",
        BY_DISTANCE: {"name": "geo-reno", "d_min_km": d_min_km},
        BY_BOTH: {"name": "geo-reno", "alpha_mode": "min-rtt"},
        BY_RTT: {"name": "geo-reno", "gain_source": "rtt"},
    }


def competing(
    pair: Pair,
    controller: Controller,
    seed: int,
    *,
    pings: bool = True,
    epoch: float = 0.0,
    label: str = "",
    shell: str = SHELL,
    tcp: bp.Tcp = BARE,
) -> bp.Scenario:
    """Two flows to one place, and an echo beside each; `tcp` is whose TCP is read."""
    flows = [
        bp.Flow(from_=origin, to=pair.to, controller=controller, start=f"{chance(seed, number):.3f} s")
        for number, origin in enumerate((pair.long, pair.short))
    ]
    if pings:
        flows += [bp.Flow(from_=origin, to=pair.to, kind="ping") for origin in (pair.long, pair.short)]
    return bp.Scenario(
        name=f"{pair.long} and {pair.short} to {pair.to}: {label}",
        duration="200 s",
        seed=seed,
        network=bp.Constellation(preset=shell, offset=f"{epoch:g} s"),
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
    def total(self) -> float:
        """Both flows, over the whole run."""
        return self.long + self.short


def fairness(run: bp.Run) -> Fairness:
    """Over the whole run, and while the two flows share a link (rates, and cuts of the window per minute)."""
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
    """`fairness` of every run, by label."""
    return {label: [fairness(run) for run in made] for label, made in runs.items()}
