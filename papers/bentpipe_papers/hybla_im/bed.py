# SPDX-License-Identifier: MIT OR Apache-2.0
"""The networks of section 4: Iridium from Berkeley to Boston, as in the paper and with another bottleneck."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

import bentpipe as bp
from bentpipe_papers.transport import on_bed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bentpipe.study import Effort, Key

PERS = (1e-4, 1e-3, 1e-2)
#: Initial threshold γ of the reference path in packets: ns-2's default `window_`, TCP-Linux's initial `ssthresh`.
GAMMA = 20
#: The pair's open parameters as in ns-2: no packet spacing, and `window_` as γ. ργ is from equation 4.
AS_NS2: dict[str, object] = {"initial_ssthresh": "rho_gamma", "gamma": GAMMA, "pacing": False}
HYBLA: dict[str, object] = {"name": "hybla", **AS_NS2}
#: Equation 10 as printed. The smallest spacing of ACKs is that of the whole run, as in equation 9; the preset forgets
#: it after 10 s.
HYBLA_IM: dict[str, object] = {"name": "hybla-im-literal", "ack_spacing_window": "1 h", **AS_NS2}
#: Equation 10 with the share over a round trip and with ρ_new of at least 1: Bentpipe's reading.
OVER_A_TRIP: dict[str, object] = {"name": "hybla-im", **AS_NS2}
SPACED: dict[str, object] = {"pacing": True}
#: The variants: label, controller and parameters. The first two are the paper's pair.
VARIANTS: dict[str, dict[str, object]] = {
    "hybla": HYBLA,
    "hybla-im": HYBLA_IM,
    "hybla-im over a round trip": OVER_A_TRIP,
    "hybla, rho from min RTT": {**HYBLA, "rho_rtt": "min"},
    "hybla, paced": HYBLA | SPACED,
    "hybla-im, paced": HYBLA_IM | SPACED,
    "hybla-im over a round trip, paced": OVER_A_TRIP | SPACED,
}
PAIR = ("hybla", "hybla-im")
#: The variant that a variant is compared with, if this is not the unpaced Hybla.
BASES = {"hybla-im, paced": "hybla, paced", "hybla-im over a round trip, paced": "hybla, paced"}
#: Payload and header of ns-2's packets in bytes: `packetSize_` 1000, and 50 with TCP-Linux's timestamps.
SIZES = (1000, 50)
PACKET_BITS = 8 * sum(SIZES)
#: The agent of ns-2 with Hybla. Only Hybla's module is not bounded by `window_`.
TCP_LINUX = bp.Tcp(preset="ns2-linux", receive_window="unlimited")
#: Our choices for the minimal TCP, if a row uses it.
OURS = bp.Tcp(initial_window=2)
#: The place of the packet errors: every link between satellites, in both directions; or once per path at the first
#: satellite (the uplink, where ns-2's `interface-errormodel` at every satellite acts: `data/ns2/README.md`); or once
#: per path at the receiving ground station (the downlink). Errors also affect ACKs on their path.
Errors = Literal["isl", "uplink", "downlink"]
#: Round trip of a geostationary path in ms (Table 1).
GEO_MS = 550.0
#: Number of seeds for a table that no claim uses.
TABLE_SEEDS = 10
#: Time of one revolution of an Iridium satellite in s.
REVOLUTION_S = 6027


@dataclass(frozen=True, kw_only=True)
class Topology:
    """A network of section 4.

    Attributes:
        id: Short name.
        title: For tables.
        flows: Number of flows. All flows are from Berkeley to Boston.
        user_link: Rate of uplink and downlink.
        seconds: Length of a run. A run of a first look has a third of it.
        why: The reason for this network.
    """

    id: str
    title: str
    flows: int
    user_link: str
    seconds: float
    why: str

    def duration(self, effort: Effort) -> str:
        """Return the length of a run as a quantity, for example "200 s"."""
        return f"{self.seconds / effort.pick(3, 1):.3g} s"


T1 = Topology(
    id="T1",
    title="the paper's: 30 flows, bottleneck is the 1.5 Mbit/s uplink",
    flows=30,
    user_link="1.5 Mbit/s",
    seconds=200.0,
    why="This is the network of table 2 and figure 3. 30 flows share a bandwidth-delay product of 6 to 18 packets. "
    "The uplink is therefore full at every packet error rate, except with a TCP that repairs losses slowly "
    "(ns-2's Newreno). The table of row H-18 shows the drops, Jain's index and the timeouts.",
)
T2 = Topology(
    id="T2",
    title="ours: 5 flows, bottleneck is the 25 Mbit/s inter-satellite link",
    flows=5,
    user_link="100 Mbit/s",
    seconds=100.0,
    why="This network has the paper's orbit, rates and error rates, but a fast user link and 5 flows, so windows are "
    "large enough that random losses reduce the throughput. During two minutes of a revolution, one satellite "
    "sees both sites. The path then has no inter-satellite link, so it has neither the bottleneck nor the errors.",
)


def sky_offset_s(seed: int) -> int:
    """Time in s after the epoch at which a seed's runs begin. Steps of the golden section spread the seeds evenly."""
    return round(seed * 0.6180339887 % 1 * REVOLUTION_S)


@cache
def ways(seed: int, duration_s: float) -> tuple[str, ...]:
    """The path of a seed's runs from Berkeley to Boston, every 10 s (the interval of routes)."""
    sky = bp.constellation("iridium", offset=f"{sky_offset_s(seed)} s")
    return tuple(sky.path("Berkeley", "Boston", duration=f"{duration_s - 1.0:g} s", step="10 s")["via"])


def scenario(
    topology: Topology,
    per: float,
    controller: str | Mapping[str, object],
    seed: int,
    *,
    name: str,
    flows: int | None = None,
    duration: str | None = None,
    buffer: str = "50 packets",
    user_per: float | None = None,
    ber: float | None = None,
    recovery: str | None = None,
    handover: bp.Handover | None = None,
    outages: Sequence[tuple[str, str]] = (),
    offset_s: int | None = None,
    record: bp.Record | None = None,
    errors_on: Errors = "isl",
    tcp: bp.Tcp = TCP_LINUX,
) -> bp.Scenario:
    """The scenario of a run. Without `record`, only the summary is kept.

    `errors_on` is the place where `per` (or `ber`) acts; `user_per` acts on the user links in addition. `tcp` is the
    TCP of the reading (`bentpipe_papers.transport`). In `outages` the user links carry nothing. `offset_s` is the time
    of the constellation at the start, by default drawn by the seed.
    """
    loss = bp.Loss(per=None if ber else per, ber=ber)
    user_loss = bp.Loss(per=user_per, spans=outages or None)

    return bp.Scenario(
        name=f"{topology.id}, PER {per:g}, {name}",
        duration=duration or f"{topology.seconds:g} s",
        seed=seed,
        network=bp.Constellation(
            preset="iridium",
            offset=f"{sky_offset_s(seed) if offset_s is None else offset_s} s",
            isl=bp.Isl(rate="25 Mbit/s", queue=buffer, loss=loss if errors_on == "isl" else None),
            user_link=bp.UserLink(rate=topology.user_link, queue=buffer, loss=user_loss),
            uplink=bp.UserLink(rate=topology.user_link, queue=buffer, loss=loss) if errors_on == "uplink" else None,
            downlink=bp.MovingLink(rate=topology.user_link, queue=buffer, loss=loss)
            if errors_on == "downlink"
            else None,
            handover=handover,
        ),
        tcp=on_bed(tcp, SIZES, OURS, recovery=recovery),
        flows=[
            bp.Flow(
                count=flows or topology.flows,
                from_="Berkeley",
                to="Boston",
                controller=controller,
                access=bp.AccessLink(rate="10 Mbit/s", delay="1 ms", queue=buffer),
                stagger="30 ms",
            )
        ],
        record=record or bp.Record(interval="off", events=False),
    )


def pairs(
    topology: Topology, pers: Sequence[float], effort: Effort, variants: Sequence[str] = PAIR
) -> dict[Key, bp.Scenario]:
    """The scenarios by (topology, PER, variant, seed). The paper's pair has series with a step of 1 s."""
    return {
        (topology.id, per, variant, seed): scenario(
            topology,
            per,
            VARIANTS[variant],
            seed,
            name=variant,
            duration=topology.duration(effort),
            record=bp.Record(interval="1 s", events=False) if variant in PAIR else None,
        )
        for per in pers
        for variant in variants
        for seed in effort.seeds
    }


def for_tables(effort: Effort) -> Effort:
    return replace(effort, seeds=effort.seeds[:TABLE_SEEDS], looks=())


def of_percentages(effort: Effort) -> Effort:
    """The effort for section 4's percentages in the main reading.

    It has 20 seeds, because with 10 most claims were undecided.
    """
    return effort if effort.quick else replace(effort, seeds=tuple(range(1, max(20, len(effort.seeds)) + 1)), looks=())


def rtt_ms(nominal: float, seed: int) -> float:
    """Round trip of a dumbbell in ms: each seed has its own round trip, within 5 % of the nominal value.

    Steps of the golden section spread the seeds evenly.
    """
    return round(nominal * (1.0 + 0.1 * (seed * 0.6180339887 % 1 - 0.5)), 3)


def dumbbell(
    controller: str | Mapping[str, object],
    rtt: float,
    seed: int,
    *,
    name: str,
    duration: str,
    rate: str = "10 Mbit/s",
    queue: str = "1 BDP",
    per: float | None = None,
    initial_window: int | None = None,
    warm_up: str | None = None,
    lost: Sequence[int] = (),
    record: bp.Record | None = None,
    tcp: bp.Tcp = TCP_LINUX,
) -> bp.Scenario:
    """One flow over one bottleneck with a round trip of `rtt` ms. Without `record`, only the summary is kept.

    Runs that show a formula use the minimal TCP (`tcp`), whose rules cannot hide the formula. `lost` has the numbers of
    the packets that are lost to an error.
    """
    return bp.Scenario(
        name=f"{name}, {rtt:g} ms",
        duration=duration,
        seed=seed,
        warm_up=warm_up,
        network=bp.Dumbbell(rate=rate, rtt=f"{rtt:g} ms", queue=queue, loss=bp.Loss(per=per, packets=lost or None)),
        tcp=on_bed(tcp, SIZES, OURS, initial_window=initial_window),
        flows=[bp.Flow(controller=controller)],
        record=record or bp.Record(interval="off", events=False),
    )


def over_geo(
    controller: str | Mapping[str, object], seed: int, tcp: bp.Tcp, *, per: float = 0.0, duration: str = "60 s"
) -> bp.Scenario:
    return dumbbell(
        controller,
        rtt_ms(GEO_MS, seed),
        seed,
        name=f"GEO, PER {per:g}",
        duration=duration,
        per=per or None,
        record=bp.Record(interval="50 ms", events=False),
        tcp=tcp,
    )
