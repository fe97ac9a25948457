# SPDX-License-Identifier: MIT OR Apache-2.0
"""STARTUP and DRAIN in the tests of the BBR draft: A.1 to A.4, A.7, A.20."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe.validation._bbr3_bed import (
    DRAIN,
    GEO,
    HALF,
    LEO,
    LOSS,
    NO_PROBE_RTT,
    PROBE_RTT,
    STARTUP,
    UP,
    Path,
    fact,
    flight_at_the_end,
    moment,
    scenario,
    when,
    yes,
)
from bentpipe.validation._facts import Expect, Fact

if TYPE_CHECKING:
    from bentpipe import Scenario
    from bentpipe.validation._bbr3_bed import Scene, Seen


def startup_plateau() -> list[Fact]:
    facts = []
    for path, seconds in ((LEO, 2), (GEO, 15), (Path(500, 5), 1), (Path(1, 100), 5)):

        def scene(seed: int, path: Path = path, seconds: float = seconds) -> Scenario:
            return scenario(path, seconds, seed)

        def bandwidth(seen: Seen, path: Path = path) -> float:
            return seen.at("max_bw_mbit_s", seen.first(DRAIN)) / path.payload_mbit

        first = path is LEO
        facts += [
            fact(
                1,
                "startup-plateau",
                f"max_bw divided by the bandwidth at the end of STARTUP, {path}",
                "max_bw is within 2 % of the simulated bandwidth",
                Expect(0.98, 1.02),
                scene,
                bandwidth,
                quick=first,
            ),
            fact(
                1,
                "startup-plateau",
                f"full_bw_count when DRAIN follows STARTUP, {path}",
                "3 rounds in which the delivery rate grows by less than 25 %",
                Expect.number(3),
                scene,
                lambda seen: seen.at("full_bw_count", seen.first(DRAIN)),
                quick=first,
            ),
        ]
    return facts


def startup_loss() -> list[Fact]:
    begins = 1.0

    def scene(seed: int) -> Scenario:
        loss = bp.Loss(steps=[bp.LossStep(at=moment(begins), per=LOSS)])
        return scenario(LEO, 2, seed, trickle=bp.Trickle(rate=HALF), loss=loss)

    def ends(seen: Seen) -> float:
        return seen.reaches("full_bw_reached", lambda values: values > 0)

    what = f"application at half the bandwidth, then a loss of {LOSS:.0%}, {LEO}"
    return [
        fact(
            2,
            "startup-loss",
            f"round trips from the first loss to the end of STARTUP, {what}",
            "loss above 2 % over a round trip (section 5.3.1.3: in recovery for one round trip; at most 2 is our "
            "bound)",
            Expect(1, 2),
            scene,
            lambda seen: seen.rounds(min(seen.losses, default=math.inf), ends(seen)),
            quick=True,
        ),
        fact(
            2,
            "startup-loss",
            "full_bw_count at the end of STARTUP, same run as above",
            "the loss ends STARTUP although the samples are application-limited: the delivery rate has no plateau, "
            "so below 3",
            Expect.at_most(2),
            scene,
            lambda seen: seen.at("full_bw_count", ends(seen)),
            quick=True,
        ),
        fact(
            2,
            "startup-loss",
            "inflight_longterm divided by the BDP at the end of STARTUP, same run as above",
            "section 5.3.1.3: max(bdp, inflight_latest) (10 % is our bound)",
            Expect(1.0, 1.1),
            scene,
            lambda seen: seen.at("inflight_longterm_segments", ends(seen)) / seen.at("bdp_segments", ends(seen)),
        ),
    ]


def drain_inflight() -> list[Fact]:
    facts = []
    for path, seconds in ((LEO, 2), (GEO, 15)):

        def scene(seed: int, path: Path = path, seconds: float = seconds) -> Scenario:
            return scenario(path, seconds, seed, controller=NO_PROBE_RTT)

        facts += [
            fact(
                3,
                "drain-inflight",
                f"pacing gain in DRAIN, {path}",
                "DrainPacingGain = 0.5",
                Expect.number(0.5),
                scene,
                lambda seen: seen.at("pacing_gain", seen.first(DRAIN)),
                quick=path is LEO,
            ),
            fact(
                3,
                "drain-inflight",
                f"smallest amount of data in flight in DRAIN divided by the BDP, {path}",
                "DRAIN ends when the data in flight are at most the BDP (5 % leave the path between two samples: our "
                "bound)",
                Expect(0.95, 1.05),
                scene,
                flight_at_the_end(DRAIN),
                quick=path is LEO,
            ),
        ]
    return facts


def drain_time() -> list[Fact]:
    def scene(share: float) -> Scene:
        def of(seed: int) -> Scenario:
            at = when(scenario(LEO, 2, seed), DRAIN)
            return scenario(LEO, 3, seed, rates=[(at, share * LEO.rate_mbit)])

        return of

    def rounds(seen: Seen) -> float:
        begin, end = seen.span(DRAIN)
        return seen.rounds(begin, end) - 1

    return [
        fact(
            4,
            "drain-time",
            f"round trips in DRAIN if the bandwidth falls by 60 % at the start of DRAIN, {LEO}",
            "DRAIN ends after 3 round trips",
            Expect.number(3),
            scene(0.4),
            rounds,
            unit="round trips",
            here=Expect.number(4),
            quick=True,
            why="A.4 says 3 round trips, but the pseudo-code of section 5.3.2 says round_count > drain_start_round + "
            "3, which is the fourth round trip. A.4 lowers the bandwidth by 10 %, but a pacing gain of 0.5 drains the "
            "queue even at this lower bandwidth. The run therefore lowers the bandwidth by 60 %.",
        ),
    ]


def application_limited() -> list[Fact]:
    def in_startup(seed: int) -> Scenario:
        return scenario(LEO, 30, seed, trickle=bp.Trickle(rate=HALF))

    def in_up(seed: int) -> Scenario:
        at = when(scenario(LEO, 8, seed, controller=NO_PROBE_RTT), UP)
        limited = bp.Trickle(rate=HALF, begins=moment(at))
        return scenario(LEO, 23, seed, controller=NO_PROBE_RTT, trickle=limited)

    def strangers(seen: Seen) -> float:
        return float(sum(name not in (STARTUP, PROBE_RTT) for _, name in seen.phases))

    def left(seen: Seen) -> float:
        return float(len(seen.spans(UP)))

    what = f"application at half the bandwidth, no loss, {LEO}"
    source = "STARTUP lasts indefinitely, so no other states"
    return [
        fact(
            7,
            "application-limited",
            f"states other than STARTUP and PROBE_RTT in 30 s, {what}",
            source,
            Expect.number(0),
            in_startup,
            strangers,
            quick=True,
        ),
        fact(
            7,
            "application-limited",
            f"ends of PROBE_UP within 20 s, without PROBE_RTT, {what}",
            source,
            Expect.number(0),
            in_up,
            left,
        ),
    ]


def probe_rtt_startup() -> list[Fact]:
    def scene(seed: int) -> Scenario:
        return scenario(LEO, 9, seed, trickle=bp.Trickle(rate="10 Mbit/s", lasts="7 s"))

    def back(seen: Seen) -> float:
        return yes(seen.follows(seen.first(PROBE_RTT))[1] == STARTUP)

    what = f"application at a fifth of the bandwidth for 7 s, {LEO}"
    return [
        fact(
            20,
            "probe-rtt-startup",
            f"STARTUP follows PROBE_RTT (1: yes), {what}",
            "BBR returns to STARTUP while full_bw_reached is false",
            Expect.number(1),
            scene,
            back,
            quick=True,
        ),
        fact(
            20,
            "probe-rtt-startup",
            "max_bw divided by the bandwidth at the end of STARTUP, same run as above",
            "the search for bandwidth continues (2 % as in A.1)",
            Expect(0.98, 1.02),
            scene,
            lambda seen: seen.at("max_bw_mbit_s", seen.first(DRAIN)) / LEO.payload_mbit,
        ),
    ]
