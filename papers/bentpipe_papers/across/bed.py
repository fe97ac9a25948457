# SPDX-License-Identifier: MIT OR Apache-2.0
"""The settings in which every controller is measured, and the numbers of a run."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import bentpipe as bp
from bentpipe.study import given, goodputs, sampled
from bentpipe_papers.transport import BARE, runnable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe.study import Effort

Who: TypeAlias = str | Mapping[str, Any]
OURS, THEIRS = "ours", "reno"
#: Payload of a full path: 1448 of 1500 bytes.
PAYLOAD = 1448.0 / 1500.0

#: Great-circle distances for controllers that use the distance: Madrid to Washington for GEO, and the distance at which
#: fibre has a round trip of 25 ms.
_GEO_KM, _GROUND_KM = 6100, 2500


def catalogue() -> list[str]:
    return list(entries())


@functools.cache
def entries() -> dict[str, bool]:
    """Controllers of the catalogue by name, each with whether it only replaces its paper's controller."""
    return runnable()


def as_played(name: str) -> Who:
    """A controller of the catalogue with its parameters. Only Geo-Reno has one: the reference distance of its gain."""
    return {"name": name, "d_min_km": _GROUND_KM} if name == "geo-reno" else name


def label(who: Who) -> str:
    """A controller's name and parameters, with a star if it only replaces its paper's controller."""
    name = who if isinstance(who, str) else str(who["name"])
    star = "*" if entries().get(name) else ""
    rest = "" if isinstance(who, str) else ", ".join(f"{key} {value}" for key, value in who.items() if key != "name")
    return f"{name}{star} ({rest})" if rest else f"{name}{star}"


#: Settings in which flows share a path, and the meaning of `Numbers.share_percent` in each.
SHARES = {"beside Reno": "Reno's goodput / equal share", "two RTTs": "far flow's goodput / equal share"}


class Setting(NamedTuple):
    """A path with its flows. Without `chance`, all seeds give the same run, so one run is enough."""

    name: str
    about: str
    rate_mbit_s: float
    chance: bool
    scenario: Callable[[Who, int, bool], bp.Scenario]

    def seeds(self, effort: Effort) -> tuple[int, ...]:
        """The seeds for which the setting runs."""
        return effort.seeds if self.chance else effort.seeds[:1]


def announced(network: bp.Dumbbell | bp.Constellation) -> bp.Network:
    """The network. Flows get announcements of path changes one second before the change."""
    if isinstance(network, bp.Dumbbell):
        return bp.Network(dumbbell=network, announce="1 s")
    return bp.Network(constellation=network, announce="1 s")


def experiment(
    name: str,
    who: Who,
    seed: int,
    network: bp.Dumbbell | bp.Constellation,
    flows: Sequence[bp.Flow],
    seconds: float,
    *,
    tcp: bp.Tcp = BARE,
) -> bp.Scenario:
    return bp.Scenario(
        name=f"{name}: {label(who)}",
        network=announced(network),
        tcp=tcp,
        flows=flows,
        seed=seed,
        duration=f"{seconds:g} s",
        warm_up=f"{seconds / 6:g} s",
        record=bp.Record(interval="off", events=False),
    )


def start_times(seed: int, count: int, within_s: float) -> list[str]:
    # The phases of flows are drawn; otherwise runs with several flows would have no chance.
    draw = random.Random(f"start/{seed}")  # noqa: S311 - not for secrets
    return [f"{draw.uniform(0.0, within_s):.4f} s" for _ in range(count)]


def geo(per: float) -> Callable[[Who, int, bool], bp.Scenario]:
    def scenario(who: Who, seed: int, quick: bool) -> bp.Scenario:
        network = bp.Dumbbell(
            rate="10 Mbit/s", rtt="600 ms", queue="500 packets", loss=bp.Loss(per=per or None), warn_above=250.0
        )
        flow = bp.Flow(name=OURS, controller=who, distance=f"{_GEO_KM} km")
        return experiment(f"GEO, PER {per:g}", who, seed, network, [flow], 30.0 if quick else 120.0)

    return scenario


def leo(who: Who, seed: int, quick: bool) -> bp.Scenario:
    draw = random.Random(f"sky/{seed}")  # noqa: S311 - not for secrets
    network = bp.Constellation(
        name="72 x 22 at 550 km",
        walker=bp.Walker(planes=72, per_plane=22, altitude="550 km", inclination="53 deg"),
        isl=False,
        user_link=bp.UserLink(rate="20 Mbit/s", queue="50 packets", warn_above=25.0),
        access=bp.Access(policy="highest-elevation", slot="15 s", phase="12 s"),
        handover=bp.Handover(outage="100 ms", during="lose"),
        route_step="1 s",
        offset=f"{draw.uniform(0.0, 86_400.0):.0f} s",
        min_elevation="25 deg",
        pops=[bp.Place(name="PoP", latitude="40.4 deg", longitude="-3.7 deg")],
        gateways=[bp.Gateway(name="gateway", latitude="44.8 deg", longitude="-0.6 deg", pop="PoP")],
        sites=[
            bp.Site(name="Madrid", home="PoP"),
            bp.Site(name="Washington", fibre=True),
        ],
    )
    flow = bp.Flow(name=OURS, controller=who, from_="Washington", to="Madrid")
    return experiment("LEO with handovers", who, seed, network, [flow], 30.0 if quick else 180.0)


def terrestrial(who: Who, seed: int, quick: bool) -> bp.Scenario:
    starts = start_times(seed, 4, 1.0)
    network = bp.Dumbbell(rate="20 Mbit/s", rtt="25 ms", queue="1 BDP", warn_above=20.0)
    flows = [bp.Flow(name=OURS, controller=who, distance=f"{_GROUND_KM} km", start=at) for at in starts[:2]]
    others = [bp.Flow(name=THEIRS, controller="reno", start=at) for at in starts[2:]]
    return experiment("beside Reno", who, seed, network, [*flows, *others], 20.0 if quick else 90.0)


def two_rtts(who: Who, seed: int, quick: bool) -> bp.Scenario:
    starts = start_times(seed, 2, 1.0)
    network = bp.Dumbbell(rate="10 Mbit/s", rtt="25 ms", queue="500 packets", warn_above=250.0)
    # A round trip passes the host links of both ends in both directions: four times 143.75 ms add the missing 575 ms.
    far = bp.AccessLink(rate="1 Gbit/s", delay="143.75 ms")
    flows = [
        bp.Flow(name="near", controller=who, distance=f"{_GROUND_KM} km", start=starts[0]),
        bp.Flow(name=OURS, controller=who, distance=f"{_GEO_KM} km", start=starts[1], access=far),
    ]
    return experiment("25 ms and 600 ms", who, seed, network, flows, 30.0 if quick else 180.0)


SETTINGS = (
    Setting("GEO clean", "one flow, 10 Mbit/s, 600 ms, buffer of 500 packets", 10.0, False, geo(0.0)),
    Setting("GEO 1e-4", "as “GEO clean”, one packet in 10,000 lost", 10.0, True, geo(1e-4)),
    Setting("GEO 1e-3", "as “GEO clean”, one packet in 1000 lost", 10.0, True, geo(1e-3)),
    Setting("GEO 1e-2", "as “GEO clean”, one packet in 100 lost", 10.0, True, geo(1e-2)),
    Setting(
        "LEO",
        "Washington by fibre and one satellite to Madrid, 20 Mbit/s, 50 packets; a change of satellite loses packets "
        "for 100 ms",
        20.0,
        True,
        leo,
    ),
    Setting(
        "beside Reno",
        "two flows of the controller and two of Reno, 20 Mbit/s, 25 ms, buffer of one BDP",
        20.0,
        True,
        terrestrial,
    ),
    Setting(
        "two RTTs", ("two flows of the same controller, 25 ms and 600 ms, 10 Mbit/s, 500 packets"), 10.0, True, two_rtts
    ),
)


class Numbers(NamedTuple):
    """The numbers of a controller in a setting, each over the seeds.

    Attributes:
        goodput_percent: Goodput of all flows of the controller, in percent of the payload that the bottleneck carries.
        queue_ms: Mean queueing delay of the packets of the controller's flows.
        loss_percent: Lost packets of the controller's flows in percent of their sent packets, for any cause.
        jain: Jain's index of all flows; 1 for a single flow.
        share_percent: Goodput of Reno's flows in percent of half of the path's payload; with two RTTs, goodput of the
            far flow in percent of half of both flows' goodput. 100 is fair. None in other settings.
    """

    goodput_percent: bp.Estimate
    queue_ms: bp.Estimate
    loss_percent: bp.Estimate
    jain: bp.Estimate
    share_percent: bp.Estimate | None


def numbers(setting: Setting, runs: Sequence[bp.Run]) -> Numbers:
    share = {"beside Reno": share_of_others, "two RTTs": share_of_far}.get(setting.name)
    return Numbers(
        sampled([100.0 * math.fsum(ours(run, "goodput_mbit_s")) / (setting.rate_mbit_s * PAYLOAD) for run in runs]),
        sampled([queue_ms_of(run) for run in runs]),
        sampled([loss(run) for run in runs]),
        sampled([given(run.summary["totals"]["jain_index"]) for run in runs]),
        None if share is None else sampled([share(run) for run in runs]),
    )


def flows_of(run: bp.Run) -> list[bp.FlowSummary]:
    """The flows of the controller, without the Reno flows beside them."""
    return [flow for flow in run.summary["flows"] if flow["name"] != THEIRS]


def ours(run: bp.Run, column: Literal["goodput_mbit_s", "sent_packets"]) -> list[float]:
    return [float(given(flow[column])) for flow in flows_of(run)]


def queue_ms_of(run: bp.Run) -> float:
    """Mean queueing delay in ms over all packets that arrived."""
    all_of = [flow["queueing_delay_ms"] for flow in flows_of(run) if flow["queueing_delay_ms"] is not None]
    samples = sum(one["samples"] for one in all_of)
    return math.fsum(one["mean"] * one["samples"] for one in all_of) / samples if samples else math.nan


def loss(run: bp.Run) -> float:
    losses = [flow["losses"] for flow in flows_of(run)]
    lost = sum(one["queue"] + one["error"] + one["outage"] for one in losses)
    return 100.0 * lost / max(1.0, math.fsum(ours(run, "sent_packets")))


def share_of_others(run: bp.Run) -> float:
    return 100.0 * math.fsum(goodputs(run, THEIRS)) / (10.0 * PAYLOAD)


def share_of_far(run: bp.Run) -> float:
    near, far = math.fsum(goodputs(run, "near")), math.fsum(goodputs(run, OURS))
    return 200.0 * far / (near + far) if near + far else math.nan
