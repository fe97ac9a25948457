# SPDX-License-Identifier: MIT OR Apache-2.0
"""Paths with aggregation, changes or misleading losses in the tests of the BBR draft: A.12 to A.19."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe.validation._bbr3_bed import (
    CRUISE,
    DOWN,
    DRAIN,
    LEO,
    NO_PROBE_RTT,
    REFILL,
    SHALLOW,
    UP,
    Path,
    fact,
    moment,
    scenario,
    when,
    yes,
)
from bentpipe.validation._facts import Expect, Fact
from bentpipe.validation._scenes import PACKET_B, PAYLOAD_B

if TYPE_CHECKING:
    from bentpipe import Scenario
    from bentpipe.validation._bbr3_bed import Measure, Scene, Seen


#: Interval between bursts of ACKs in ms.
_BURST_MS = 30.0
#: Number of packets that a burst acknowledges at the rate of the bottleneck.
_IN_A_BURST = LEO.rate_mbit * 1e3 * _BURST_MS / 8 / PACKET_B


def _aggregated(seconds: float) -> Scene:
    def scene(seed: int) -> Scenario:
        way_back = bp.Link(grants=bp.Grants(period=f"{_BURST_MS:g} ms"))
        return scenario(LEO, seconds, seed, controller=NO_PROBE_RTT, reverse=way_back)

    return scene


def startup_aggregation() -> list[Fact]:
    scene = _aggregated(3)

    def most(seen: Seen) -> float:
        ends = seen.first(DRAIN)
        times, window = seen.state("cwnd_segments")
        bdp_segments = LEO.payload_mbit * 1e6 * LEO.rtt_s / 8 / PAYLOAD_B
        return float(window[times < ends].max()) / bdp_segments

    what = f"ACKs every {_BURST_MS:g} ms, {LEO}"
    return [
        fact(
            12,
            "startup-aggregation",
            f"extra_acked at the end of STARTUP, divided by the packets of one burst ({what})",
            "calculated from the bursts (from half to twice is our bound)",
            Expect(0.5, 2),
            scene,
            lambda seen: seen.before("extra_acked_segments", seen.first(DRAIN)) / _IN_A_BURST,
        ),
        fact(
            12,
            "startup-aggregation",
            "largest cwnd divided by the path's BDP in STARTUP, same run as above",
            "above 2",
            Expect.at_least(2),
            scene,
            most,
            quick=True,
        ),
        fact(
            12,
            "startup-aggregation",
            "max_bw divided by the bandwidth at the end of STARTUP, same run as above",
            "BBR discovers the full bandwidth (an excess of at most one burst per round trip is our bound)",
            Expect(0.98, 1 + _BURST_MS / LEO.rtt_ms),
            scene,
            lambda seen: seen.at("max_bw_mbit_s", seen.first(DRAIN)) / LEO.payload_mbit,
            quick=True,
        ),
    ]


def cruise_aggregation() -> list[Fact]:
    scene = _aggregated(8)

    def cruise(seen: Seen) -> tuple[float, float]:
        return max(seen.spans(CRUISE), key=lambda span: span[1] - span[0])

    def added(seen: Seen) -> float:
        _, end = cruise(seen)
        more = seen.before("cwnd_segments", end) - 2 * seen.before("bdp_segments", end)
        return more / seen.before("extra_acked_segments", end)

    def used(seen: Seen) -> float:
        begin, end = cruise(seen)
        return seen.mean("goodput_mbit_s", begin, end) / LEO.payload_mbit

    what = f"ACKs every {_BURST_MS:g} ms, {LEO}"
    return [
        fact(
            13,
            "cruise-aggregation",
            f"extra_acked in PROBE_CRUISE, divided by the packets of one burst ({what})",
            "the max filter over 10 round trips (from half to twice is our bound)",
            Expect(0.5, 2),
            scene,
            lambda seen: seen.before("extra_acked_segments", cruise(seen)[1]) / _IN_A_BURST,
        ),
        fact(
            13,
            "cruise-aggregation",
            "cwnd minus 2 BDP, divided by extra_acked, same run as above",
            "cwnd is augmented by extra_acked",
            Expect(0.99, 1.01),
            scene,
            added,
        ),
        fact(
            13,
            "cruise-aggregation",
            "goodput divided by the bandwidth in PROBE_CRUISE, same run as above",
            "BBR reaches full utilisation (95 % is our bound)",
            Expect.at_least(0.95),
            scene,
            used,
            quick=True,
        ),
    ]


def sub_packet() -> list[Fact]:
    path = Path(0.064, 1)

    def scene(seed: int) -> Scenario:
        return scenario(path, 60, seed)

    def least(seen: Seen) -> float:
        times, window = seen.state("cwnd_segments")
        return float(window[times > seen.first(CRUISE)].min())

    def pacing(seen: Seen) -> float:
        begin, end = seen.span(CRUISE, 1)
        return seen.mean("pacing_mbit_s", begin, end) / (0.99 * path.payload_mbit)

    def used(seen: Seen) -> float:
        return seen.mean("goodput_mbit_s", seen.first(CRUISE), 60) / path.payload_mbit

    what = f"{path}: a BDP of 8 bytes"
    return [
        fact(
            14,
            "sub-packet",
            f"smallest cwnd once in PROBE_BW, {what}",
            "MinPipeCwnd = 4 packets is the floor",
            Expect.number(4),
            scene,
            least,
            unit="segments",
            quick=True,
        ),
        fact(
            14,
            "sub-packet",
            "pacing rate divided by 0.99 of the bandwidth in PROBE_CRUISE, same run as above",
            "the pacing rate matches the low bandwidth (2 % as in A.1)",
            Expect(0.98, 1.02),
            scene,
            pacing,
            quick=True,
        ),
        fact(
            14,
            "sub-packet",
            "goodput divided by the bandwidth, same run as above",
            "the flow does not stall (95 % is our bound)",
            Expect.at_least(0.95),
            scene,
            used,
        ),
    ]


def bandwidth_up() -> list[Fact]:
    facts = []
    for path, times, queue in ((Path(10, 40, 0.6), 10, "0.6 BDP"), (Path(2, 600, 0.6), 10, "0.6 BDP")):
        slow = path.rtt_ms > 100
        search_s = 60 if slow else 25

        def changes(seed: int, path: Path = path, search_s: float = search_s) -> float:
            return when(scenario(path, search_s, seed, controller=NO_PROBE_RTT), CRUISE, 1)

        def scene(seed: int, path: Path = path, times: float = times, slow: bool = slow) -> Scenario:
            at = changes(seed, path)
            return scenario(
                path, at + (45 if slow else 6), seed, controller=NO_PROBE_RTT, rates=[(at, times * path.rate_mbit)]
            )

        def rounds(seen: Seen, path: Path = path, times: float = times) -> float:
            found = seen.reaches("max_bw_mbit_s", lambda values: values >= 0.95 * times * path.payload_mbit)
            spans = [(at, min(end, found)) for at, end in seen.spans(UP, _changed(seen)) if at < found]
            return sum(seen.rounds(at, end) for at, end in spans) if math.isfinite(found) else math.inf

        what = f"{path} and {queue}, then {times:g} times the bandwidth"
        facts.append(
            fact(
                15,
                "bandwidth-up",
                f"round trips of PROBE_UP until max_bw is 95 % of the new bandwidth, {what}",
                "a reasonable number (section 5.3.3.5: with a gain of 1.25, a rate grows tenfold in 11 round trips; "
                "twice this number is our bound)",
                Expect.at_most(22),
                scene,
                rounds,
                unit="round trips",
                quick=not slow,
            )
        )
        if not slow:
            facts.append(
                fact(
                    15,
                    "bandwidth-up",
                    "factor per round trip by which the part that PROBE_UP added to inflight_longterm grows, same "
                    "run as above",
                    "the step doubles: 1, 2, 4, 8, … add up to 2^n − 1 in n round trips (10 % for samples is our "
                    "bound)",
                    Expect(1.8, 2.2),
                    scene,
                    _growth,
                )
            )
    return facts


def _changed(seen: Seen) -> float:
    """Return the start of the second PROBE_CRUISE, at which the bandwidth changes."""
    return seen.span(CRUISE, 1)[0]


def _growth(seen: Seen) -> float:
    """Return the growth per round trip of one plus the sum of the steps of `inflight_longterm`, in the longest UP.

    The factor is computed from the first round trip with a step to the first round trip without a step.
    """
    begin, end = max(seen.spans(UP, _changed(seen)), key=lambda span: span[1] - span[0])
    times, rounds = seen.state("round_count")
    _, bound = seen.state("inflight_longterm_segments")
    inside = (times > begin) & (times < end)
    ends = [float(bound[inside & (rounds == number)].max()) for number in np.unique(rounds[inside])]
    grown = [value - ends[0] + 1 for value in ends if math.isfinite(value)]
    first = next((n for n, value in enumerate(grown) if value > 1), len(grown))
    last = next((n for n in range(first + 1, len(grown)) if grown[n] == grown[n - 1]), len(grown)) - 1
    steps = last - first
    return (grown[last] / grown[first]) ** (1 / steps) if steps > 0 else math.nan


def bandwidth_down() -> list[Fact]:
    path = Path(100, 40, 0.25)

    def scene(seed: int) -> Scenario:
        at = when(scenario(path, 8, seed, controller=NO_PROBE_RTT), CRUISE, 1)
        return scenario(path, at + 15, seed, controller=NO_PROBE_RTT, rates=[(at, 0.1 * path.rate_mbit)])

    def kept(seen: Seen) -> float:
        """Return the median of the factors by which `bw_shortterm` falls until PROBE_BW probes again."""
        times, bounds = seen.state("bw_shortterm_mbit_s")
        at = _changed(seen)
        values = bounds[(times > at) & (times < seen.first(REFILL, at)) & np.isfinite(bounds)]
        steps = values[np.flatnonzero(np.diff(values, prepend=np.inf))]
        return float(np.median(steps[1:] / steps[:-1]))

    def least(seen: Seen) -> float:
        times, bounds = seen.state("bw_shortterm_mbit_s")
        return float(bounds[times > _changed(seen)].min()) / (0.1 * path.payload_mbit)

    def cycles(seen: Seen) -> float:
        new = 0.1 * path.payload_mbit
        found = seen.reaches("max_bw_mbit_s", lambda values: values <= 1.02 * new, _changed(seen))
        return float(sum(name == DOWN for at, name in seen.phases if _changed(seen) < at <= found))

    def finally_(seen: Seen) -> float:
        return float(seen.state("max_bw_mbit_s")[1][-1]) / (0.1 * path.payload_mbit)

    what = f"{path} and a queue of 0.25 BDP, then a tenth of the bandwidth"
    return [
        fact(
            16,
            "bandwidth-down",
            f"factor of bw_shortterm in a round trip with a loss, {what}",
            "section 5.5.10.3: max(bw_latest, 0.7 bw_shortterm)",
            Expect(0.6999, 0.7001),
            scene,
            kept,
            quick=True,
        ),
        fact(
            16,
            "bandwidth-down",
            "smallest bw_shortterm divided by the new bandwidth, same run as above",
            "BBR adapts downwards (to twice the new bandwidth or less is our bound)",
            Expect(0.9, 2),
            scene,
            least,
        ),
        fact(
            16,
            "bandwidth-down",
            "PROBE_BW cycles until max_bw is the new bandwidth, same run as above",
            "max_bw is new after MaxBwFilterLen = 2 cycles (plus the cycle of the change)",
            Expect(1, 3),
            scene,
            cycles,
            quick=True,
        ),
        fact(
            16,
            "bandwidth-down",
            "max_bw divided by the new bandwidth, 15 s later, same run as above",
            "max_bw drops to the new limit (2 % as in A.1)",
            Expect(0.98, 1.02),
            scene,
            finally_,
        ),
    ]


def policer() -> list[Fact]:
    """Return the facts of a path with a policer before the queue: half of the bandwidth, a bucket of 100 packets."""
    rate_mbit = LEO.rate_mbit / 2

    def scene(seed: int) -> Scenario:
        return scenario(LEO, 40, seed, policer={"rate": f"{rate_mbit:g} Mbit/s", "burst": "150 kB"})

    def reacted(name: str) -> Measure:
        def measure(seen: Seen) -> float:
            begins = seen.first(CRUISE)
            loss = next((at for at in seen.losses if at > begins), math.inf)
            return seen.rounds(loss, seen.reaches(name, np.isfinite, loss))

        return measure

    def goodput(seen: Seen) -> float:
        return seen.mean("goodput_mbit_s", 20, 40) * PACKET_B / PAYLOAD_B / rate_mbit

    def lost(seen: Seen) -> float:
        return seen.mean("retransmitted_packets", 20, 40) / seen.mean("sent_packets", 20, 40)

    what = f"a policer of {rate_mbit:g} Mbit/s with a bucket of 150 kB, {LEO}"
    source = "BBR reacts to the drops (within 3 round trips is our bound)"
    return [
        fact(
            17,
            "policer",
            f"round trips from the first drop in PROBE_BW until bw_shortterm is set, {what}",
            source,
            Expect(0, 3),
            scene,
            reacted("bw_shortterm_mbit_s"),
            quick=True,
        ),
        fact(
            17,
            "policer",
            "round trips from the first drop in PROBE_BW until inflight_shortterm is set, same run as above",
            source,
            Expect(0, 3),
            scene,
            reacted("inflight_shortterm_segments"),
        ),
        fact(
            17,
            "policer",
            "throughput divided by the token rate, from 20 s on, same run as above",
            "BBR has a stable operating point at the token rate (90 % is our bound)",
            Expect(0.9, 1.0),
            scene,
            goodput,
            quick=True,
        ),
        fact(
            17,
            "policer",
            "retransmitted share of the packets from 20 s on, same run as above",
            "BBR causes no excessive continuous loss (5 % is our bound)",
            Expect.at_most(0.05),
            scene,
            lost,
            quick=True,
        ),
    ]


def spurious() -> list[Fact]:
    """Return the facts of losses that are spurious (late packets) in PROBE_UP, with `inflight_longterm` set."""

    def recovery(seed: int) -> Scenario:
        """Return a scenario in which packets that are sent within 3 ms arrive 20 ms late and are overtaken."""
        at = when(scenario(SHALLOW, 20, seed, controller=NO_PROBE_RTT), UP) + 0.01
        steps = [bp.DelayStep(at=moment(at), delay="20 ms"), bp.DelayStep(at=moment(at + 0.003), delay="0 s")]
        return scenario(SHALLOW, at + 2, seed, controller=NO_PROBE_RTT, extra_delay=steps, reorder=True)

    def timeout(seed: int) -> Scenario:
        """Return a scenario in which packets that are sent from 10 ms on arrive half a second late and in order."""
        at = when(scenario(SHALLOW, 20, seed, controller=NO_PROBE_RTT), UP) + 0.01
        steps = [bp.DelayStep(at=moment(at), delay="500 ms"), bp.DelayStep(at=moment(at + 0.4), delay="0 s")]
        return scenario(SHALLOW, at + 3, seed, controller=NO_PROBE_RTT, extra_delay=steps)

    def began(seen: Seen) -> float:
        """Return the start of the recovery in PROBE_UP."""
        return min((at for at in (*seen.losses, *seen.timeouts) if at > seen.first(UP)), default=math.inf)

    def undone(seen: Seen) -> float:
        return next((at for at in seen.undone if at >= began(seen)), math.inf)

    def state(seen: Seen) -> float:
        names = [name for at, name in seen.phases if began(seen) < at <= undone(seen) + 1e-9]
        return yes(names[-1:] == [REFILL] and seen.follows(undone(seen))[1] == UP)

    def restored(name: str) -> Measure:
        def measure(seen: Seen) -> float:
            before, after = seen.before(name, began(seen)), seen.at(name, undone(seen))
            times, values = seen.state(name)
            repairing = (times >= began(seen)) & (times < undone(seen))
            if not (values[repairing] < before).any():
                return math.nan  # there was nothing to restore
            return after / before

        return measure

    def unset_again(seen: Seen) -> float:
        times, values = seen.state("inflight_shortterm_segments")
        repairing = (times >= began(seen)) & (times < undone(seen))
        is_set = bool(np.isfinite(values[repairing]).any())
        around = (
            seen.before("inflight_shortterm_segments", began(seen)),
            seen.at("inflight_shortterm_segments", undone(seen)),
        )
        return yes(is_set and all(map(math.isinf, around)))

    facts = []
    for test, subject, scene, what in (
        (
            18,
            "spurious-recovery",
            recovery,
            f"packets of 3 ms come 20 ms late in PROBE_UP, {SHALLOW}, queue 0.5 BDP",
        ),
        (
            19,
            "spurious-timeout",
            timeout,
            f"all packets come 500 ms late in PROBE_UP, {SHALLOW}, queue 0.5 BDP",
        ),
    ):
        facts += [
            fact(
                test,
                subject,
                f"the connection returns to PROBE_UP by way of PROBE_REFILL (1: yes), {what}",
                "BBR returns to its previous state (section 5.5.11.2: PROBE_UP starts with a refill)",
                Expect.number(1),
                scene,
                state,
                quick=True,
            ),
        ]
    facts += [
        fact(
            19,
            "spurious-timeout",
            "inflight_shortterm is unset before, set by the timeout and unset after the undo (1: yes), "
            "same run as above",
            "BBRHandleSpuriousLossDetection() restores the saved parameters",
            Expect.number(1),
            timeout,
            unset_again,
            quick=True,
        ),
        fact(
            19,
            "spurious-timeout",
            "inflight_longterm after the undo divided by inflight_longterm before the timeout, same run as above",
            "inflight_longterm gets its earlier value again, or a larger one (section 5.5.11.2: the larger of both)",
            Expect.at_least(1),
            timeout,
            lambda seen: (
                seen.at("inflight_longterm_segments", undone(seen))
                / seen.before("inflight_longterm_segments", began(seen))
            ),
        ),
        fact(
            19,
            "spurious-timeout",
            "cwnd after the undo divided by cwnd before the timeout, which set it to 1 packet, same run as above",
            "BBR returns seamlessly (to the complete window: our bound)",
            Expect.at_least(1),
            timeout,
            restored("cwnd_segments"),
        ),
    ]
    facts.append(
        fact(
            18,
            "spurious-recovery",
            "inflight_longterm after the undo divided by inflight_longterm before the loss, which lowered it, "
            "same run as above",
            "inflight_longterm gets its earlier value again, or a larger one",
            Expect.at_least(1),
            recovery,
            restored("inflight_longterm_segments"),
            quick=True,
        )
    )
    return facts
