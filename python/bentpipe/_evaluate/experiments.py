# SPDX-License-Identifier: MIT OR Apache-2.0
"""The experiments of the criteria: functions that return a scenario for a controller, or read a number from a run.

RFC 9743 defines the criteria but not the paths. The paths here are our own choice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from bentpipe import plots
from bentpipe.results.summaries import given
from bentpipe.scenario.classes import (
    AccessLink,
    Dumbbell,
    Flow,
    Loss,
    Network,
    Queue,
    Record,
    Scenario,
    Starlink,
    StarlinkQueue,
)

if TYPE_CHECKING:
    import random

    from numpy.typing import NDArray

    from bentpipe.results.summary_types import FlowSummary
    from bentpipe.runs.run import Run

    Floats = NDArray[np.float64]

#: A controller, as a scenario writes it: a name, or a table of name and parameters.
Who: TypeAlias = str | Mapping[str, object]

#: Names of the flows of the evaluated controller, of the standard controller, and of constant-bit-rate UDP.
OURS, THEIRS, UDP = "ours", "theirs", "udp"
#: The longest great circle in km: the bound of the scenario format.
_FARTHEST_KM = 20_000


def _start(chance: random.Random, rtt_ms: float) -> str:
    """Draw a start within two round trips, so that phases differ between seeds."""
    return f"{chance.uniform(0.0, 2.0 * rtt_ms):.3f} ms"


def _flow(who: Who, chance: random.Random, rtt_ms: float) -> Flow:
    # Controllers that use the distance get the distance at which fibre has this round trip. Light in fibre travels
    # 200 km in a millisecond.
    distance = f"{min(_FARTHEST_KM, round(100.0 * rtt_ms))} km"
    return Flow(controller=who, name=OURS, start=_start(chance, rtt_ms), distance=distance)


def path(
    rate_mbit_s: float, rtt_ms: float, queue: str | dict[str, str] = "1 BDP", per: float | None = None
) -> Dumbbell:
    # Only a drop-tail queue sends congestion warnings.
    warn_above = 20.0 if isinstance(queue, str) else None
    loss = None if per is None else Loss(per=per)
    return Dumbbell(rate=f"{rate_mbit_s:g} Mbit/s", rtt=f"{rtt_ms:g} ms", queue=queue, loss=loss, warn_above=warn_above)


def _experiment(
    name: str,
    network: Dumbbell | Starlink,
    flows: list[Flow],
    seconds: float,
    *,
    warm_up: float = 0.0,
    series: str = "",
) -> Scenario:
    return Scenario(
        name=name,
        network=Network(
            dumbbell=network if isinstance(network, Dumbbell) else None,
            starlink=network if isinstance(network, Starlink) else None,
            announce="1 s",
        ),
        flows=flows,
        duration=f"{seconds:g} s",
        warm_up=f"{warm_up:g} s",
        record=Record(interval=series or "off", events=False),
    )


#: Waiting time above which packets are marked, as a fraction of the base round trip. The analysis of DCTCP requires
#: more than 1/7 (Alizadeh et al. 2010, equation 13).
_MARK_RTTS = 0.15
#: Base round trip over Starlink in ms, for the marking threshold.
_STARLINK_RTT_MS = 40.0


def marking(scenario: Scenario) -> Scenario:
    """Let drop-tail queues mark ECN-capable packets that wait for 0.15 RTT, or for half of a shorter queue."""
    network = scenario.network
    if not isinstance(network, Network):
        return scenario
    if isinstance(path := network.starlink, Starlink):
        queue = Queue(discipline="threshold", mark_above=f"{_MARK_RTTS * _STARLINK_RTT_MS:g} ms")
        both = StarlinkQueue(up=queue, down=queue)
        return replace(scenario, network=replace(network, starlink=replace(path, queue=both)))
    if not isinstance(line := network.dumbbell, Dumbbell) or not isinstance(line.queue, str):
        return scenario
    delays_ms = [_ms(delay) for _, delay in line.delay_steps or ()]
    rtt_ms = 2.0 * max(delays_ms) if delays_ms else _ms(line.rtt or "")
    limit, unit = line.queue.split()
    rtts = min(_MARK_RTTS, float(limit) / 2.0) if unit == "BDP" else _MARK_RTTS
    queue = Queue(discipline="threshold", limit=line.queue, mark_above=f"{rtts * rtt_ms:g} ms")
    return replace(scenario, network=replace(network, dumbbell=replace(line, queue=queue, warn_above=None)))


def _ms(text: str) -> float:
    return float(text.removesuffix(" ms"))


def _of(run: Run, name: str) -> list[FlowSummary]:
    return [flow for flow in run.summary["flows"] if flow["name"] == name]


def goodput(run: Run, name: str) -> float:
    """Return the sum of the goodputs of the flows with this name, in Mbit/s."""
    return math.fsum(given(flow["goodput_mbit_s"]) for flow in _of(run, name))


def _series(run: Run, column: str) -> tuple[Floats, Floats]:
    """Return times in s and a column of the controller's first flow."""
    number = _of(run, OURS)[0]["flow"]
    table = run.flows.arrow
    mine = plots.column(table, "flow") == number
    return plots.column(table, "time_s")[mine], plots.column(table, column)[mine]


def share(name: str, fair_mbit_s: float) -> Callable[[Run], float]:
    """Return a function that reads the goodput of the flows with this name, in percent of a rate."""
    return lambda run: 100.0 * goodput(run, name) / fair_mbit_s


def queue_loss(run: Run) -> float:
    return 100.0 * given(run.summary["totals"]["loss_ratio_queue"])


def delay(name: str, key: Literal["mean", "p95"]) -> Callable[[Run], float]:
    return lambda run: given(_of(run, name)[0]["queueing_delay_ms"])[key]


def jain(run: Run) -> float:
    return given(run.summary["totals"]["jain_index"])


def mean_completion(run: Run) -> float:
    """Return the mean time of finite transfers in s. Unfinished transfers count as finished at the end of the run."""
    end = run.summary["provenance"]["duration_s"]
    flows = [flow for flow in run.summary["flows"] if flow["name"].startswith("short")]
    done = [end if (at := flow["completed_at_s"]) is None else at for flow in flows]
    return math.fsum(at - flow["start_s"] for at, flow in zip(done, flows, strict=True)) / len(flows)


def time_to(mbit_s: float, since_s: float, over: int = 4) -> Callable[[Run], float]:
    """Return a function that reads how many seconds after `since_s` a rate is reached.

    The mean of `over` samples must reach the rate. If it does not, the time until the end is returned.
    """

    def read(run: Run) -> float:
        times, rates = _series(run, "goodput_mbit_s")
        running = np.convolve(np.nan_to_num(rates), np.ones(over) / over)[: rates.size]
        there = times[(times > since_s) & (running >= mbit_s)]
        return float((there[0] if there.size else times[-1]) - since_s)

    return read


def alike(
    name: str, network: Dumbbell, seconds: float, rtt_ms: float, *, count: int = 1
) -> Callable[[Who, random.Random], Scenario]:
    """Return an experiment with flows of the controller only. The first sixth of the run is warm-up."""

    def scenario(who: Who, chance: random.Random) -> Scenario:
        flows = [_flow(who, chance, rtt_ms) for _ in range(count)]
        return _experiment(name, network, flows, seconds, warm_up=seconds / 6.0)

    return scenario


# --- one algorithm alone: RFC 9743, section 5.1 ---


def blackout(who: Who, chance: random.Random) -> Scenario:
    steps = [{"at": "0 s", "rate": "10 Mbit/s"}, {"at": "15 s", "rate": "0 bit/s"}, {"at": "45 s", "rate": "10 Mbit/s"}]
    network = Dumbbell(rate_steps=steps, rtt="100 ms", queue="125 packets", warn_above=20.0)
    return _experiment("30 s without feedback", network, [_flow(who, chance, 100.0)], 46.0, series="1 s")


def sent_per_round_trip(run: Run) -> float:
    times, sent = _series(run, "sent_packets")
    silent = (times > 20.0) & (times <= 45.0)
    return float(sent[silent].sum()) / (25.0 / 0.1)


def fair_queue(who: Who, chance: random.Random) -> Scenario:
    flows = [_flow(who, chance, 50.0), replace(_flow("reno", chance, 50.0), name="reno")]
    queue = {"discipline": "fq-codel"}
    return _experiment("next to Reno under FQ-CoDel", path(20.0, 50.0, queue=queue), flows, 60.0, warm_up=10.0)


def shallow(who: Who, chance: random.Random) -> Scenario:
    flows = [_flow(who, chance, 50.0) for _ in range(10)]
    return _experiment("10 flows, a queue of BDP/4", path(20.0, 50.0, queue="0.25 BDP"), flows, 40.0, warm_up=5.0)


def joins(who: Who, chance: random.Random) -> Scenario:
    late = f"{20.0 + chance.uniform(0.0, 1.0):.4f} s"
    flows = [replace(_flow(who, chance, 50.0), name="first"), replace(_flow(who, chance, 50.0), start=late)]
    return _experiment("a second flow joins", path(20.0, 50.0), flows, 80.0, series="500 ms")


def round_trips(who: Who, chance: random.Random) -> Scenario:
    far = AccessLink(rate="1 Gbit/s", delay="50 ms")
    flows = [replace(_flow(who, chance, 50.0), name="near"), replace(_flow(who, chance, 250.0), access=far)]
    return _experiment("round trips of 50 and 250 ms", path(20.0, 50.0), flows, 120.0, warm_up=20.0)


def _shorts(mine: Who, chance: random.Random) -> list[Flow]:
    starts = [f"{10.0 + 2.0 * number + chance.uniform(0.0, 1.0):.4f} s" for number in range(20)]
    return [replace(_flow(mine, chance, 50.0), name=f"short {at}", size="100 kB", start=at) for at in starts]


def short(who: Who, chance: random.Random) -> Scenario:
    flows = [_flow(who, chance, 50.0), *_shorts(who, chance)]
    return _experiment("short flows of its own", path(10.0, 50.0), flows, 60.0)


# --- beside others: section 5.2 ---


def beside(standard: str, rtt_ms: float, seconds: float) -> Callable[[Who, random.Random], Scenario]:
    def scenario(who: Who, chance: random.Random) -> Scenario:
        ours = [_flow(who, chance, rtt_ms) for _ in range(2)]
        theirs = [replace(_flow(standard, chance, rtt_ms), name=THEIRS) for _ in range(2)]
        network = path(20.0, rtt_ms)
        return _experiment(f"beside {standard}", network, [*ours, *theirs], seconds, warm_up=seconds / 6.0)

    return scenario


def crowd(who: Who, chance: random.Random) -> Scenario:
    ours = [_flow(who, chance, 50.0) for _ in range(8)]
    reno = replace(_flow("reno", chance, 50.0), name=THEIRS)
    return _experiment("one Reno in a crowd", path(20.0, 50.0), [*ours, reno], 60.0, warm_up=10.0)


def call(who: Who, chance: random.Random) -> Scenario:
    call = Flow(kind="cbr", name=UDP, rate="1 Mbit/s", packet="1000 B", start=_start(chance, 50.0))
    return _experiment("a call", path(10.0, 50.0, queue="200 ms"), [_flow(who, chance, 50.0), call], 60.0, warm_up=10.0)


def call_loss(run: Run) -> float:
    call = _of(run, UDP)[0]
    return 100.0 * call["losses"]["queue"] / call["sent_packets"]


def others_short(who: Who, chance: random.Random) -> Scenario:
    flows = [_flow(who, chance, 50.0), *_shorts("cubic", chance)]
    return _experiment("short flows of CUBIC", path(10.0, 50.0), flows, 60.0)


# --- paths: sections 6 and 7 ---


def fading() -> Dumbbell:
    rates = (20, 8, 14, 5, 20, 10, 16, 6)
    steps = [{"at": f"{5 * number} s", "rate": f"{rates[number % 8]} Mbit/s"} for number in range(12)]
    return Dumbbell(rate_steps=steps, rtt="50 ms", queue="80 packets", loss=Loss(per=1e-3), warn_above=20.0)


#: Mean of the rates of `fading` over the last 50 of 60 s, in Mbit/s.
FADING_MBIT_S = (14 + 5 + 20 + 10 + 16 + 6 + 20 + 8 + 14 + 5) / 10.0


def steps() -> Dumbbell:
    delays = [("0 s", "20 ms"), ("15 s", "32 ms"), ("30 s", "24 ms"), ("45 s", "38 ms")]
    return Dumbbell(rate="20 Mbit/s", delay_steps=delays, queue="100 packets", warn_above=20.0)


def overtaking() -> Dumbbell:
    # After the delay becomes shorter, packets overtake earlier packets: twice a second, packets of 60 ms are reordered.
    delays = [(f"{number / 4.0:g} s", "50 ms" if number % 2 else "20 ms") for number in range(240)]
    return Dumbbell(rate="20 Mbit/s", delay_steps=delays, queue="150 packets", reorder=True, warn_above=20.0)


def starlink(who: Who, chance: random.Random) -> Scenario:
    network = Starlink(preset="starlink-good", phase=f"{chance.uniform(0.0, 15.0):.3f} s", rtt="10 ms")
    upload = replace(_flow(who, chance, 40.0), from_="dish", to="server")
    return _experiment("Starlink", network, [upload], 60.0, warm_up=10.0)


def unanswering(who: Who, chance: random.Random) -> Scenario:
    flood = Flow(kind="cbr", name=UDP, rate="6 Mbit/s", packet="1000 B", start=_start(chance, 50.0))
    return _experiment("beside a flood", path(10.0, 50.0), [_flow(who, chance, 50.0), flood], 60.0, warm_up=10.0)


def outage(who: Who, chance: random.Random) -> Scenario:
    steps = [{"at": "0 s", "rate": "10 Mbit/s"}, {"at": "20 s", "rate": "0 bit/s"}, {"at": "23 s", "rate": "10 Mbit/s"}]
    network = Dumbbell(rate_steps=steps, rtt="100 ms", queue="85 packets", warn_above=20.0)
    return _experiment("an outage of 3 s", network, [_flow(who, chance, 100.0)], 60.0, series="250 ms")


def moved(rates: tuple[str, str]) -> Callable[[Who, random.Random], Scenario]:
    def scenario(who: Who, chance: random.Random) -> Scenario:
        steps = [{"at": "0 s", "rate": rates[0]}, {"at": "20 s", "rate": rates[1]}]
        delays = [("0 s", "25 ms"), ("20 s", "50 ms")]
        network = Dumbbell(rate_steps=steps, delay_steps=delays, queue="100 packets", warn_above=20.0)
        return _experiment(f"{rates[0]} become {rates[1]}", network, [_flow(who, chance, 100.0)], 60.0, series="250 ms")

    return scenario


def queue_later(run: Run) -> float:
    times, queue = _series(run, "queueing_delay_ms")
    return float(np.nanmean(queue[(times > 25.0) & (times <= 40.0)]))


def steady(who: Who, chance: random.Random) -> Scenario:
    others = [replace(_flow(who, chance, 50.0), name="others") for _ in range(3)]
    return _experiment("how even", path(20.0, 50.0), [_flow(who, chance, 50.0), *others], 80.0, series="200 ms")


def variation(run: Run) -> float:
    times, rates = _series(run, "goodput_mbit_s")
    late = rates[times > 20.0]
    return float(100.0 * np.nanstd(late) / np.nanmean(late))


def bursts_later(who: Who, chance: random.Random) -> Scenario:
    slow = replace(_flow(who, chance, 100.0), trickle={"rate": "1 Mbit/s", "lasts": "15 s"})
    return _experiment("an application that wakes up", path(20.0, 100.0, queue="0.25 BDP"), [slow], 18.0, warm_up=14.0)
