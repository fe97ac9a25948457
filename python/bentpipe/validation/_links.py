# SPDX-License-Identifier: MIT OR Apache-2.0
"""The parts of a path: losses, link budgets in rain, AQM queues, return links, proxies.

Each law is computed here from the named text and shares no code with the simulator.
"""

from __future__ import annotations

import dataclasses
import json
import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import tomli_w

import bentpipe as bp
from bentpipe import _core
from bentpipe.results.summaries import given
from bentpipe.validation import _laws
from bentpipe.validation._facts import EXACTLY, Expect, Fact
from bentpipe.validation._readings import goodput, mean, values, wait_ms
from bentpipe.validation._scenes import PACKET_B, PAYLOAD_B, scene, together

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bentpipe import Run
    from bentpipe.results.summary_types import FlowSummary
    from bentpipe.scenario.answers import LinkBudget
    from bentpipe.validation._readings import Reading
    from bentpipe.validation._scenes import Scenes

#: The subjects of the rows: arguments of `bentpipe validate`.
PARTS = ("loss", "budget", "queue", "return-link", "proxy")

#: A packet of 1500 B at 10 Mbit/s, in ms.
_PACKET_MS = PACKET_B * 8 / 10e6 * 1e3


def facts() -> list[Fact]:
    """Return the facts of this family."""
    return [*_losses(), *_budgets(), *_queues(), *_return_links(), *_proxies()]


def _scene(
    network: bp.Dumbbell,
    flows: Sequence[bp.Flow],
    seconds: float,
    *,
    warm_up: float = 0.0,
    packets: bool = False,
    peps: Sequence[bp.Pep] | None = None,
) -> Scenes:
    """Return scenarios that record no series, and record packets only if this is requested."""
    record = bp.Record(interval="off", packets=packets or None)
    return scene("link", network, flows, seconds, warm_up=warm_up, shift_ms=7.13, peps=peps, record=record)


def _steadily(rate: str, packet: str = f"{PACKET_B} B", *, urgent: bool | None = None) -> bp.Flow:
    return bp.Flow(kind="cbr", rate=rate, packet=packet, urgent=urgent)


def _echoes() -> bp.Flow:
    """Return a flow of pings from the far side. Within a period of whole milliseconds, each starts 1 ms later."""
    return bp.Flow(kind="ping", interval="3001 ms", from_="right", to="left")


def _flow(run: Run, at: int = 0) -> FlowSummary:
    return run.summary["flows"][at]


# ---- losses ------------------------------------------------------------------------------------------------------


def _integral(density: Callable[[float], float], low: float, high: float, steps: int = 2000) -> float:
    """Return the integral of a density by Simpson's rule."""
    width = (high - low) / steps
    return (
        width
        / 3
        * math.fsum(
            (1 if at in (0, steps) else 4 if at % 2 else 2) * density(low + at * width) for at in range(steps + 1)
        )
    )


def rice_below(factor: float, power: float) -> float:
    """Return the probability that a direct path of power 1, with echoes of 1/`factor` together, has less than `power`.

    Rice's density of the power s: c exp(-c (s + 1)) I0(2 c sqrt(s)).
    """

    def density(s: float) -> float:
        return factor * math.exp(-factor * (s + 1)) * float(np.i0(2 * factor * math.sqrt(s)))

    return _integral(density, 0.0, power)


def shadow_below(mean_db: float, deviation_db: float, power: float) -> float:
    """Return the probability that Rayleigh's power is less than `power`, averaged over a log-normal mean power."""

    def density(z: float) -> float:
        below = 1 - math.exp(-power / 10 ** ((mean_db + deviation_db * z) / 10))
        return below * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)

    return _integral(density, -8.0, 8.0)


def time_shares(lasts: Sequence[float], to: Sequence[Sequence[float]]) -> list[float]:
    """Return the shares of time in the states of a semi-Markov chain: number of visits times duration, normalised."""
    entered = [1.0 / len(lasts)] * len(lasts)
    for _ in range(10_000):
        # With probability 1/2 the chain keeps its state, which removes periods and does not change the result.
        entered = [
            (old + sum(entered[other] * to[other][state] for other in range(len(lasts)))) / 2
            for state, old in enumerate(entered)
        ]
    times = [often * long for often, long in zip(entered, lasts, strict=True)]
    return [time / sum(times) for time in times]


def _losses() -> list[Fact]:
    lasts, to, losses = (20.0, 0.4, 2.0), ((0.0, 0.8, 0.2), (0.9, 0.0, 0.1), (1.0, 0.0, 0.0)), (1e-4, 0.2, 1.0)
    chain = [
        {"lasts": f"{long:g} s", "loss": loss, "next": list(following)}
        for long, loss, following in zip(lasts, losses, to, strict=True)
    ]
    vehicle = {
        "speed": "90 km/h",
        "margin": "10 dB",
        "good": {"lasts": "200 m", "rice_factor": "10 dB"},
        "bad": {"lasts": "50 m", "mean": "-9 dB", "deviation": "5 dB"},
    }
    in_time = sum(share * loss for share, loss in zip(time_shares(lasts, to), losses, strict=True))
    plain = bp.Dumbbell(rate="10 Mbit/s", rtt="50 ms")
    repeating = dataclasses.replace(plain, loss=bp.Loss(per=0.2), arq=bp.Arq(repeats=2, delay="4 ms"))

    def lost(runs: Sequence[Run]) -> float:
        flow = _flow(runs[0])
        return flow["losses"]["error"] / flow["sent_packets"]

    def fact(what: str, source: str, network: bp.Dumbbell, theory: float, rate: str, seconds: float) -> Fact:
        return Fact(
            subject="loss",
            what=f"share of packets lost, {what}",
            source=source,
            theory=Expect.number(theory),
            scenes=_scene(network, [_steadily(rate)], seconds),
            measure=lost,
        )

    return [
        fact(
            "Gilbert-Elliott: good to bad 0.033, bad to good 0.84, loss of 0.5 in a bad step",
            "Gilbert 1960; Elliott 1963: share of the bad state, r = p/(p + q), times the loss rate in the bad state",
            dataclasses.replace(
                plain, loss=bp.Loss(bursts=bp.Bursts(to_bad=0.033, to_good=0.84, loss=0.5, bin="100 ms"))
            ),
            0.033 / (0.033 + 0.84) * 0.5,
            "1.2 Mbit/s",
            4000,
        ),
        fact(
            "netem's four states, p13 0.02, p31 0.2, p32 0.3, p23 0.5, p14 0.01",
            "Salsano, Ludovici, Ordine and Giannuzzi 2012: (pi3 + pi4)/(pi1 + pi2 + pi3 + pi4)",
            dataclasses.replace(plain, loss=bp.Loss(netem=bp.Netem(p13=0.02, p31=0.2, p32=0.3, p23=0.5, p14=0.01))),
            # pi1 = 1, pi3 = 0.02/0.2, pi2 = 0.1 * 0.3/0.5, pi4 = 0.01.
            (0.1 + 0.01) / (1 + 0.06 + 0.1 + 0.01),
            "1.2 Mbit/s",
            1000,
        ),
        fact(
            "a chain of three states that last 20 s, 0.4 s and 2 s",
            "renewal theorem: number of visits of a state times its duration, divided by the sum of these products "
            "over all states",
            dataclasses.replace(plain, loss=bp.Loss(chain=bp.LossChain(states=chain))),
            in_time,
            "0.12 Mbit/s",
            40_000,
        ),
        fact(
            "a vehicle with line of sight (200 m, Rice 10 dB) and in shadow (50 m, -9 dB, 5 dB), margin 10 dB",
            "Lutz et al. 1991, integrated numerically: Rice fading with line of sight; in shadow, Rayleigh fading "
            "with a log-normal mean",
            dataclasses.replace(plain, loss=bp.Loss(land_mobile=vehicle)),
            0.8 * rice_below(10.0, 0.1) + 0.2 * shadow_below(-9.0, 5.0, 0.1),
            "1.2 Mbit/s",
            4000,
        ),
        fact(
            "a link that repeats a packet up to twice, and loses each attempt with probability 0.2",
            "three independent failures: p^3",
            repeating,
            0.2**3,
            "1.2 Mbit/s",
            1000,
        ),
        Fact(
            subject="loss",
            what="mean additional delay if the repetitions are 4 ms apart, same link",
            source="4 ms (p + 2 p^2) (1 - p) / (1 - p^3)",
            theory=Expect.number(4 * (0.2 + 2 * 0.2**2) * 0.8 / (1 - 0.2**3)),
            # 25 ms of propagation, and the packet's own transmission.
            measure=lambda runs: given(_flow(runs[0])["one_way_delay_ms"])["mean"] - 25 - _PACKET_MS,
            scenes=_scene(repeating, [_steadily("1.2 Mbit/s")], 1000),
            unit="ms",
            quick=True,
        ),
    ]


# ---- rain and budgets --------------------------------------------------------------------------------------------

#: Validation examples of ITU-R Study Group 3 (CG-3M3J-13-ValEx, sheet "P618-14 A_Rain"): latitude °, height of
#: the station km, frequency GHz, elevation °, tilt °, % of the year, rain rate mm/h, slant path below the rain's height
#: km, attenuation dB.
_ITU = (
    ("London", 51.5, 0.031382984, 14.25, 31.07699124, 0.0, 1.0, 26.48052, 4.690817392, 0.495317069),
    ("London", 51.5, 0.031382984, 29.0, 31.07699124, 0.0, 0.01, 26.48052, 4.690817392, 23.44444523),
    ("Rome", 41.9, 0.046122988, 29.0, 40.232036, 0.0, 0.1, 33.936232, 4.646913874, 10.73100773),
    ("Rio de Janeiro", 22.9, 0.0, 14.25, 22.27833468, 0.0, 0.01, 50.639304, 10.96995451, 18.94410356),
    ("Kuala Lumpur", 3.133, 0.051251456, 29.0, 85.80459566, 90.0, 0.1, 99.15117186, 4.91990658, 48.81996807),
)


def _link_budget(down: Mapping[str, object], availability: float = 99.0, **more: object) -> LinkBudget:
    """Return the answer of `bentpipe link-budget` for a file with one hop."""
    text = tomli_w.dumps({"availability": [availability], "budget": {**more, "down": down}})
    answer: LinkBudget = json.loads(_core.link_budget(text, "<fact>"))
    return answer


def _rain_db(row: tuple[str, float, float, float, float, float, float, float, float, float]) -> Reading:
    _, latitude, station_km, ghz, elevation, tilt, percent, rate, slant_km, _ = row
    down = {
        "frequency": f"{ghz} GHz",
        "eirp": "90 dBW",
        "g_over_t": "20 dB/K",
        "elevation": f"{elevation} deg",
        "latitude": f"{latitude} deg",
        "altitude": f"{station_km} km",
        "rain": {
            "rate_001": f"{rate} mm/h",
            "height": f"{station_km + slant_km * math.sin(math.radians(elevation)):.9f} km",
            "tilt": f"{tilt} deg",
        },
    }

    def read(_runs: Sequence[Run]) -> float:
        states = _link_budget(down, availability=100 - percent, bandwidth="36 MHz")["states"]
        return float(states[1]["hops"][0]["rain_db"])

    return read


def _free_space_db(_runs: Sequence[Run]) -> float:
    down = {"frequency": "12 GHz", "eirp": "60 dBW", "g_over_t": "20 dB/K", "elevation": "40 deg", "range": "38000 km"}
    return float(_link_budget(down, bandwidth="36 MHz")["states"][0]["hops"][0]["free_space_db"])


def _budgets() -> list[Fact]:
    rows = [
        Fact(
            subject="budget",
            what=f"rain attenuation exceeded for {row[6]:g} % of the year, {row[0]}, {row[3]:g} GHz",
            source="Validation example of ITU-R Study Group 3 for P.618-14",
            theory=Expect.number(row[-1]),
            scenes=lambda _seed: [],
            measure=_rain_db(row),
            unit="dB",
            seeds=1,
            tolerance=EXACTLY,
            quick=True,
        )
        for row in _ITU
    ]
    strong = {
        "frequency": "12 GHz",
        "eirp": "70 dBW",
        "g_over_t": "20 dB/K",
        "elevation": "40 deg",
        "latitude": "45 deg",
    }
    budget = {"bandwidth": "2.4 MHz", "modcods": "dvb-s2", "down": strong}
    return [
        *rows,
        Fact(
            subject="budget",
            what="loss in free space, 12 GHz, 38,000 km",
            source="ITU-R P.525-4: 92.45 + 20 log f + 20 log d",
            theory=Expect.number(92.45 + 20 * math.log10(12) + 20 * math.log10(38_000)),
            scenes=lambda _seed: [],
            measure=_free_space_db,
            unit="dB",
            seeds=1,
            tolerance=EXACTLY,
        ),
        Fact(
            subject="budget",
            what="goodput on the highest MODCOD of DVB-S2, 2.4 MHz with a roll-off of 0.2",
            source="EN 302 307-1, table 13: 32APSK 9/10, 4.453027 bit per symbol",
            theory=Expect.number(4.453027 * 2),
            scenes=_scene(
                bp.Dumbbell(budget=budget, delay="250 ms", queue="50 packets", reverse=bp.Link(rate="10 Mbit/s")),
                [_steadily("20 Mbit/s")],
                40,
                warm_up=10,
            ),
            measure=lambda runs: goodput(runs[0]),
            unit="Mbit/s",
            quick=True,
        ),
    ]


# ---- queues ------------------------------------------------------------------------------------------------------


def _queues() -> list[Fact]:
    def under(discipline: str, rate: str = "10 Mbit/s", rtt: str = "50 ms", **keys: object) -> bp.Dumbbell:
        return bp.Dumbbell(rate=rate, rtt=rtt, queue={"discipline": discipline, **keys})

    # The excess of 10.3 Mbit/s over 10 Mbit/s must be dropped. Distances between drops are uniform up to 1/p_b
    # (section 7): 2/(1 + 1/p_b).
    share = 1 - 10 / 10.3
    p_b = share / (2 - share)
    l4s, classic = bp.Tcp(recovery="rack", ecn="accurate-l4s"), bp.Tcp(recovery="rack", ecn="classic")

    def waits(runs: Sequence[Run]) -> float:
        return wait_ms(_flow(runs[0]))

    def until_the_16th_ms(runs: Sequence[Run]) -> float:
        drops = values(runs[0].packets, "time_s", event="drop: queue")
        return (drops[15] - drops[0]) * 1e3

    def coupling(runs: Sequence[Run]) -> float:
        flows = runs[0].summary["flows"]

        def marked(part: Sequence[FlowSummary]) -> float:
            return sum(flow["marked_packets"] for flow in part) / sum(flow["delivered_packets"] for flow in part)

        return marked(flows[:8]) / math.sqrt(marked(flows[8:]))

    fact = partial(Fact, subject="queue")
    return [
        fact(
            what="time from the first to the 16th drop under CoDel, load 5 % above the rate",
            source="RFC 8289, section 5.6: interval/sqrt(n) after the n-th drop",
            theory=Expect.number(math.fsum(100 / math.sqrt(n) for n in range(1, 16))),
            scenes=_scene(under("codel"), [_steadily("10.5 Mbit/s")], 3, packets=True),
            measure=until_the_16th_ms,
            unit="ms",
            quick=True,
        ),
        fact(
            what=(
                "mean number of waiting packets above min_th under RED, thresholds of 5 and 15 packets, max_p 0.1, "
                "load 3 % above the rate"
            ),
            source="Floyd and Jacobson 1993, section 7: (max_th - min_th) p_b/max_p",
            theory=Expect.number(10 * p_b / 0.1),
            scenes=_scene(under("red", limit="100 packets"), [_steadily("10.3 Mbit/s")], 300, warm_up=30),
            # A packet that arrives at a random moment also waits for half of the packet in transmission.
            measure=lambda runs: waits(runs) / _PACKET_MS - 0.5 - 5,
            unit="packets",
        ),
        fact(
            what="mean queueing delay under PIE, 20 Reno flows over 50 Mbit/s and 50 ms",
            source="RFC 8033, section 4.2: PIE keeps it at QDELAY_REF, 15 ms",
            theory=Expect.number(15.0),
            scenes=_scene(
                under("pie", rate="50 Mbit/s"),
                [bp.Flow(controller="reno", count=20, stagger="50 ms")],
                60,
                warm_up=20,
            ),
            measure=lambda runs: mean([wait_ms(flow) for flow in runs[0].summary["flows"]]),
            unit="ms",
        ),
        fact(
            what=(
                "mean queueing delay in the classic queue of DualPI2; the load is 4 % above the rate and does not "
                "react to drops"
            ),
            source="RFC 9332, appendix A.1: the integral part of the controller keeps the delay at the target, 15 ms",
            theory=Expect.number(15.0),
            scenes=_scene(under("dualpi2", rtt="30 ms"), [_steadily("10.4 Mbit/s")], 100, warm_up=20),
            measure=waits,
            unit="ms",
        ),
        fact(
            what=(
                "share of marked L4S packets divided by the square root of the share of marked classic packets, "
                "DualPI2, 8 Prague and 8 Reno flows over 100 Mbit/s"
            ),
            source="RFC 9332, section 2.1: p_L = k p', p_C = p'^2, k = 2",
            theory=Expect.number(2.0),
            scenes=_scene(
                under("dualpi2", rate="100 Mbit/s", rtt="30 ms"),
                [
                    bp.Flow(controller="prague", count=8, stagger="50 ms", tcp=l4s),
                    bp.Flow(controller="reno", count=8, stagger="50 ms", tcp=classic),
                ],
                60,
                warm_up=20,
            ),
            measure=coupling,
        ),
        fact(
            what="goodput of the largest of three senders (2, 5 and 8 Mbit/s) under DRR on 10 Mbit/s",
            source="Shreedhar and Varghese 1995: max-min fair shares of 2, 4 and 4 Mbit/s",
            theory=Expect.number(4.0),
            scenes=_scene(under("drr"), [_steadily(f"{rate} Mbit/s") for rate in (2, 5, 8)], 60, warm_up=10),
            measure=lambda runs: given(_flow(runs[0], 2)["goodput_mbit_s"]),
            unit="Mbit/s",
        ),
        fact(
            what="mean wait of urgent packets on a link of 10 Mbit/s that is full of other packets of 1500 B",
            source=(
                "Cobham 1954: the remaining transmission time of the other packet, on average half of 1.2 ms; urgent "
                "packets never wait for each other here"
            ),
            theory=Expect.number(_PACKET_MS / 2),
            scenes=_scene(
                under("priority", limit="50 packets"),
                [_steadily("1.0007 Mbit/s", "200 B", urgent=True), _steadily("12 Mbit/s")],
                100,
                warm_up=1,
            ),
            measure=waits,
            unit="ms",
        ),
    ]


# ---- return links ------------------------------------------------------------------------------------------------


def _return_links() -> list[Fact]:
    link = bp.Link(rate="2 Mbit/s", queue="1 BDP")

    def echoes(back: bp.Link) -> Scenes:
        network = bp.Dumbbell(rate="20 Mbit/s", rtt="550 ms", queue="1 BDP", reverse=back)
        return _scene(network, [_echoes()], 6000)

    dama = {"superframe": "40 ms", "latency": "560 ms", "vbdc": "unlimited"}

    def access(scheme: str, load: float) -> bp.Link:
        shared = {"scheme": scheme, "load": load, "burst": "500 B"}
        return dataclasses.replace(link, dama={**dama, "random_access": shared})

    plain = echoes(link)

    def beside_plain(back: bp.Link) -> Scenes:
        return together(plain, echoes(back))

    def more_ms(runs: Sequence[Run]) -> float:
        without, with_it = (given(_flow(run)["rtt_ms"])["mean"] for run in runs)
        return with_it - without

    def unheard(runs: Sequence[Run]) -> float:
        """Return the share of echoes whose burst was not received, so that they needed a request for capacity.

        A received burst arrives within a superframe. An echo with a request arrives 560 ms later. The mean delay beyond
        that of the plain link is therefore half of a superframe, 20 ms, plus 560 ms times this share.
        """
        return (more_ms(runs) - 20) / 560

    fact = partial(Fact, subject="return-link")
    return [
        fact(
            what="mean wait of an echo for one grant every 20 ms",
            source=(
                "half of the period, because an echo can arrive at any moment of the period with the same probability"
            ),
            theory=Expect.number(10.0),
            scenes=beside_plain(dataclasses.replace(link, grants={"period": "20 ms"})),
            measure=more_ms,
            unit="ms",
            quick=True,
        ),
        fact(
            what="mean wait of an echo for its grant, minus the latency of 560 ms, superframe 40 ms",
            source=(
                "EN 301 545-2: the grant is at any moment of the superframe after the answer with the same "
                "probability, so half of a superframe"
            ),
            theory=Expect.number(20.0),
            scenes=beside_plain(dataclasses.replace(link, dama=dama)),
            measure=lambda runs: more_ms(runs) - 560,
            unit="ms",
            quick=True,
        ),
        *(
            fact(
                what=f"share of bursts that collide, slotted ALOHA, G = {load}",
                source="Roberts 1975: 1 - exp(-G)",
                theory=Expect.number(1 - math.exp(-load)),
                scenes=beside_plain(access("slotted-aloha", load)),
                measure=unheard,
            )
            for load in (0.5, 1.0)
        ),
    ]


# ---- proxies -----------------------------------------------------------------------------------------------------


def _proxies() -> list[Fact]:
    p = 1e-3
    network = bp.Dumbbell(
        rate="10 Gbit/s",
        rtt="100 ms",
        queue="unlimited",
        loss=bp.Loss(per=p),
        reverse=bp.Link(rate="10 Gbit/s", queue="unlimited", loss=bp.Loss(per=0.0)),
    )
    flow = bp.Flow(controller="reno", access=bp.AccessLink(rate="10 Gbit/s", delay="50 ms"))
    ends = [bp.Pep(at=["left", "right"], buffer="10 MB")]
    return [
        Fact(
            subject="proxy",
            what=f"goodput of Reno at p = {p:g} over a link of 100 ms between two access links of 100 ms, {name}",
            source=f"Ott, Kemperman and Mathis 1996 for a round trip of {rtt_ms} ms",
            theory=Expect.number(_laws.aimd_independent(p) * PAYLOAD_B * 8 / (rtt_ms / 1e3) / 1e6),
            scenes=_scene(network, [flow], 2000, warm_up=100, peps=peps),
            measure=lambda runs: goodput(runs[0]),
            unit="Mbit/s",
        )
        for name, rtt_ms, peps in (("end to end", 300, None), ("proxies at both ends of the link", 100, ends))
    ]
