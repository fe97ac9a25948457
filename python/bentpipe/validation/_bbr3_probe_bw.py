# SPDX-License-Identifier: MIT OR Apache-2.0
"""PROBE_BW and PROBE_RTT in the tests of the BBR draft: A.5, A.6, A.8 to A.11, A.21, A.22."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe.validation._bbr3_bed import (
    CRUISE,
    DOWN,
    GEO,
    HALF,
    LEO,
    LOSS,
    NO_PROBE_RTT,
    PROBE_RTT,
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

if TYPE_CHECKING:
    from bentpipe import Scenario
    from bentpipe.validation._bbr3_bed import Scene, Seen


def up_plateau() -> list[Fact]:
    facts = []
    for path, seconds in ((LEO, 4), (GEO, 25)):

        def scene(seed: int, path: Path = path, seconds: float = seconds) -> Scenario:
            return scenario(path, seconds, seed, controller=NO_PROBE_RTT)

        facts += [
            fact(
                5,
                "up-plateau",
                f"full_bw_count when PROBE_DOWN follows PROBE_UP, {path}",
                "3 rounds in which the delivery rate grows by less than 25 %",
                Expect.number(3),
                scene,
                lambda seen: (
                    seen.at("full_bw_count", seen.follows(seen.first(UP))[0])
                    if seen.follows(seen.first(UP))[1] == DOWN
                    else math.nan
                ),
                quick=path is LEO,
            ),
            fact(
                5,
                "up-plateau",
                f"losses until PROBE_DOWN follows PROBE_UP, {path}",
                "PROBE_UP ends without packet loss",
                Expect.number(0),
                scene,
                lambda seen: float(sum(at <= seen.first(DOWN) for at in seen.losses)),
            ),
        ]
    return facts


def _loss_in_up(path: Path, nth: int, later_s: float, *, limited: bool) -> Scene:
    """Return scenarios with a loss of 10 % that begins `later_s` after the start of the nth PROBE_UP."""

    def scene(seed: int) -> Scenario:
        at = when(scenario(path, 20, seed, controller=NO_PROBE_RTT), UP, nth)
        return scenario(
            path,
            at + 1,
            seed,
            controller=NO_PROBE_RTT,
            trickle=bp.Trickle(rate=HALF, begins=moment(at)) if limited else None,
            loss=bp.Loss(steps=[bp.LossStep(at=moment(at + later_s), per=LOSS)]),
        )

    return scene


def up_loss() -> list[Fact]:
    scene = _loss_in_up(LEO, 0, 0.12, limited=True)

    def down(seen: Seen) -> tuple[float, str]:
        return seen.follows(seen.first(UP))

    what = f"application at half the bandwidth, then a loss of {LOSS:.0%}, {LEO}"
    return [
        fact(
            6,
            "up-loss",
            f"round trips from the first loss to PROBE_DOWN, {what}",
            "the loss of the last round trip ends PROBE_UP",
            Expect(0, 1),
            scene,
            lambda seen: seen.rounds(min(seen.losses, default=math.inf), down(seen)[0]),
            quick=True,
        ),
        fact(
            6,
            "up-loss",
            "full_bw_count at the end of PROBE_UP, same run as above",
            "the delivery rate has no plateau, so below 3",
            Expect.at_most(2),
            scene,
            lambda seen: seen.at("full_bw_count", down(seen)[0]),
            quick=True,
        ),
        fact(
            6,
            "up-loss",
            "inflight_longterm was set (1: yes), same run as above",
            "inflight_longterm is updated appropriately, regardless of the application-limited state",
            Expect.number(1),
            scene,
            lambda seen: yes(math.isfinite(seen.at("inflight_longterm_segments", down(seen)[0]))),
            here=Expect.number(0),
            why="HandleInflightTooHigh() of section 5.5.10.2 changes inflight_longterm only if the sample is not "
            "application-limited, but A.6 asks for an update “regardless of the application-limited state”.",
        ),
    ]


def down_inflight() -> list[Fact]:
    facts = []
    for path, name in ((LEO, f"{LEO}"), (SHALLOW, f"{SHALLOW}, queue 0.5 BDP")):

        def scene(seed: int, path: Path = path) -> Scenario:
            return scenario(path, 8, seed, controller=NO_PROBE_RTT)

        def bound(seen: Seen) -> float:
            """Return the data in flight at the end of the first PROBE_DOWN between PROBE_UP and PROBE_CRUISE."""
            begin, end = seen.span(DOWN, after_s=seen.first(UP), then=CRUISE)
            longterm = seen.before("inflight_longterm_segments", end)
            headroom = 0.85 * longterm
            times, flight = seen.flow("in_flight_segments")
            last = flight[(times >= begin) & (times <= end)][-3:]
            return float(last.min()) / min(headroom, seen.before("bdp_segments", end))

        facts.append(
            fact(
                8,
                "down-inflight",
                f"flight divided by its bound when PROBE_CRUISE follows PROBE_DOWN, {name}",
                "at most InflightWithHeadroom() = 0.85 inflight_longterm, and at most the BDP (plus 5 %: our bound, "
                "because data leave the path between two samples)",
                Expect(0.95, 1.05),
                scene,
                bound,
                quick=path is LEO,
            )
        )
    facts.append(
        fact(
            8,
            "down-inflight",
            f"pacing gain in PROBE_DOWN, {LEO}",
            "ProbeDownPacingGain = 0.90",
            Expect.number(0.9),
            lambda seed: scenario(LEO, 8, seed, controller=NO_PROBE_RTT),
            lambda seen: seen.at("pacing_gain", seen.first(DOWN)),
            quick=True,
        )
    )
    return facts


def down_time() -> list[Fact]:
    def scene(seed: int) -> Scenario:
        at = when(scenario(LEO, 8, seed, controller=NO_PROBE_RTT), DOWN)
        return scenario(LEO, at + 5, seed, controller=NO_PROBE_RTT, rates=[(at, 0.9 * LEO.rate_mbit)])

    def waited(seen: Seen) -> float:
        begin = seen.first(DOWN)
        end, name = seen.follows(begin)
        return end - begin if name == REFILL else math.nan

    return [
        fact(
            9,
            "down-time",
            f"seconds in PROBE_DOWN until PROBE_REFILL, if the bandwidth falls by 10 % at the start of PROBE_DOWN, "
            f"{LEO}",
            "bw_probe_wait, 2 to 3 s (section 5.3.3.8), without PROBE_CRUISE (plus 2 round trips: our bound)",
            Expect(2, 3 + LEO.rtt_s * 2),
            scene,
            waited,
            unit="s",
            quick=True,
        ),
    ]


def probe_rtt() -> list[Fact]:
    facts = []
    for path, seconds in ((LEO, 12), (GEO, 25)):

        def scene(seed: int, path: Path = path, seconds: float = seconds) -> Scenario:
            return scenario(path, seconds, seed)

        def probe(seen: Seen) -> tuple[float, float]:
            """Return the start and end of the first PROBE_RTT after PROBE_BW."""
            return seen.span(PROBE_RTT, after_s=seen.first(CRUISE))

        def waited(seen: Seen) -> float:
            _, end = seen.span(PROBE_RTT)
            return seen.first(PROBE_RTT, end) - end

        def lasted(seen: Seen) -> float:
            begin, end = probe(seen)
            return end - begin

        def window(seen: Seen) -> float:
            _, end = probe(seen)
            return seen.before("cwnd_segments", end) / seen.before("bdp_segments", end)

        def sends(seen: Seen, path: Path = path) -> float:
            _, end = probe(seen)
            return seen.mean("goodput_mbit_s", end + 2 * path.rtt_s, end + 3 * path.rtt_s) / path.payload_mbit

        least = max(0.2, path.rtt_s)
        facts += [
            fact(
                10,
                "probe-rtt",
                f"seconds from the end of the first PROBE_RTT to the next, {path}",
                "ProbeRTTInterval = 5 s without a smaller RTT (plus 10 ms to the next ACK: our bound)",
                Expect(5, 5.01),
                scene,
                waited,
                unit="s",
                quick=path is LEO,
            ),
            fact(
                10,
                "probe-rtt",
                f"cwnd divided by the BDP in PROBE_RTT, {path}",
                "ProbeRTTCwndGain = 0.5 (2 % for whole packets: our bound)",
                Expect(0.49, 0.51),
                scene,
                window,
                quick=path is LEO,
            ),
            fact(
                10,
                "probe-rtt",
                f"seconds in PROBE_RTT, {path}",
                "at least 200 ms and one round trip (plus 2 round trips to drain the data in flight: our bound)",
                Expect(least, least + 2 * path.rtt_s),
                scene,
                lasted,
                unit="s",
                quick=path is LEO,
            ),
            fact(
                10,
                "probe-rtt",
                f"PROBE_CRUISE follows PROBE_RTT (1: yes), {path}",
                "BBR returns to PROBE_BW, because full_bw_reached is true",
                Expect.number(1),
                scene,
                lambda seen: yes(seen.follows(probe(seen)[0])[1] == CRUISE),
            ),
            fact(
                10,
                "probe-rtt",
                f"goodput divided by the bandwidth in the third round trip after PROBE_RTT, {path}",
                "BBR resumes sending (90 % is our bound)",
                Expect.at_least(0.9),
                scene,
                sends,
            ),
        ]
    return facts


def probe_rtt_idle() -> list[Fact]:
    pause_s = 6.0

    def scene(seed: int) -> Scenario:
        pause = bp.Trickle(rate="1 bit/s", begins="1 s", lasts=moment(pause_s))
        return scenario(LEO, 10, seed, trickle=pause)

    def entries(seen: Seen) -> float:
        return float(sum(name == PROBE_RTT for at, name in seen.phases if 1 <= at <= 1 + pause_s + 2))

    def pacing(seen: Seen) -> float:
        return seen.flow_at("pacing_mbit_s", 1 + pause_s) / seen.at("bw_mbit_s", 1 + pause_s)

    what = f"the application pauses for 6 s, {LEO}"
    return [
        fact(
            11,
            "probe-rtt-idle",
            f"number of PROBE_RTT phases until 2 s after the pause, {what}",
            "PROBE_RTT is skipped: idle_restart is true, and the pause drained the queue",
            Expect.number(0),
            scene,
            entries,
            quick=True,
        ),
        fact(
            11,
            "probe-rtt-idle",
            "pacing rate divided by bw when sending resumes, same run as above",
            "BBRHandleRestartFromIdle() (section 5.4.1): a gain of 1 minus the margin of 1 %",
            Expect(0.9899, 0.9901),
            scene,
            pacing,
            quick=True,
        ),
    ]


def up_loss_longterm() -> list[Fact]:
    scene = _loss_in_up(SHALLOW, 2, 0.02, limited=False)

    def began(seen: Seen) -> float:
        return seen.span(UP, 2)[0]

    def down(seen: Seen) -> float:
        return seen.follows(began(seen))[0]

    def loss(seen: Seen) -> float:
        return next((at for at in seen.losses if at > began(seen)), math.inf)

    def kept(seen: Seen) -> float:
        return seen.at("inflight_longterm_segments", down(seen)) / seen.before("inflight_longterm_segments", loss(seen))

    what = f"a loss of {LOSS:.0%} from 20 ms after the third PROBE_UP on, {SHALLOW}, queue 0.5 BDP"
    return [
        fact(
            21,
            "up-loss-longterm",
            f"round trips from the loss to PROBE_DOWN, {what}",
            "PROBE_UP is aborted at once (1 round trip: our bound)",
            Expect(0, 1),
            scene,
            lambda seen: seen.rounds(loss(seen), down(seen)) if seen.follows(began(seen))[1] == DOWN else math.nan,
            quick=True,
        ),
        fact(
            21,
            "up-loss-longterm",
            "inflight_longterm after PROBE_UP divided by inflight_longterm before it, same run as above",
            "inflight_longterm is scaled down based on Beta (from 0.7 to less than 1 is our bound)",
            Expect(0.7, 0.999),
            scene,
            kept,
            quick=True,
        ),
        fact(
            21,
            "up-loss-longterm",
            "full_bw_count at the end of PROBE_UP, same run as above",
            "PROBE_UP ends before a plateau of the delivery rate, so below 3",
            Expect.at_most(2),
            scene,
            lambda seen: seen.at("full_bw_count", down(seen)),
        ),
    ]


def refill_application_limited() -> list[Fact]:
    def scene(seed: int) -> Scenario:
        at = when(scenario(LEO, 8, seed, controller=NO_PROBE_RTT), REFILL)
        slow = bp.Trickle(rate="15 Mbit/s", begins=moment(at), lasts=moment(LEO.rtt_s))
        return scenario(LEO, at + 1, seed, controller=NO_PROBE_RTT, trickle=slow)

    def kept(seen: Seen) -> float:
        ends = seen.follows(seen.first(REFILL))[0]
        return seen.at("max_bw_mbit_s", ends + LEO.rtt_s) / seen.before("max_bw_mbit_s", seen.first(REFILL))

    def lasted(seen: Seen) -> float:
        end, name = seen.follows(seen.first(REFILL))
        return (end - seen.first(REFILL)) / LEO.rtt_s if name == UP else math.nan

    what = f"the application sends at 30 % of the bandwidth during the round trip of PROBE_REFILL, {LEO}"
    return [
        fact(
            22,
            "refill-limited",
            f"max_bw after this round trip divided by max_bw before it, {what}",
            "samples below max_bw do not change max_bw",
            Expect.number(1),
            scene,
            kept,
            quick=True,
        ),
        fact(
            22,
            "refill-limited",
            "round trips until PROBE_UP, same run as above",
            "after the round trip of PROBE_REFILL (plus 10 % between two ACKs: our bound)",
            Expect(1, 1.1),
            scene,
            lasted,
            quick=True,
        ),
        fact(
            22,
            "refill-limited",
            "max_bw divided by the bandwidth at the end of PROBE_UP, same run as above",
            "BBR handles subsequent probing (2 % as in A.1)",
            Expect(0.98, 1.02),
            scene,
            lambda seen: seen.at("max_bw_mbit_s", seen.first(DOWN)) / LEO.payload_mbit,
        ),
    ]
