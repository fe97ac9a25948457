# SPDX-License-Identifier: MIT OR Apache-2.0
"""Facts on known errors of other implementations, each with the public report."""

from __future__ import annotations

import functools
import math
import random
from typing import TYPE_CHECKING

import bentpipe as bp
from bentpipe.validation import _start
from bentpipe.validation._facts import Expect, Fact
from bentpipe.validation._readings import mean, series, values
from bentpipe.validation._scenes import bdp_packets, narrow, together

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bentpipe import Run
    from bentpipe.validation._readings import Reading
    from bentpipe.validation._scenes import Scenes

_GEO_RATE, _GEO_RTT = 10.0, 600.0
_SPREAD = (
    "Delays that vary by 30 ms in each direction look like a queue, and they spread or compress trains of ACKs and "
    "packets. Slow start therefore ends too early or too late. This is a weakness of the algorithm, and the seeds "
    "differ widely."
)
#: Signals that a dumbbell does not have.
_NOT_ON_A_DUMBBELL = ("congestion-warning marks", "distance between the endpoints", "ECN marks")
_STARTS = ("classic", "hystart", "hystart++", "search", "hoe")


def facts() -> list[Fact]:
    """Return the facts of this family."""
    return [*_wrap(), *_longer_path(), *_receiver(), *_slow_starts(), *_rapid_start(), *_no_cliff()]


# ---- more than 2^32 bytes ----------------------------------------------------------------------------------------


def _wrap() -> list[Fact]:
    """Return the facts of connections with more than 4.29 GB, after which a counter of 32 bits overflows."""
    rate = 2000.0
    # 9000 bytes on the wire: 7 GB are 800,000 packets.
    jumbo = bp.Tcp(preset="bentpipe-0.1", mss="8948 B")

    def ratio(runs: Sequence[Run]) -> float:
        goodput = series(runs[0].flows, "goodput_mbit_s")
        wrap = 2**32 * 8 / 1e6 / rate
        # BBR probes the RTT every 10.24 s, so each span has one probe.
        before = mean([x for t, x in goodput if wrap - 11.24 < t <= wrap - 1])
        after = mean([x for t, x in goodput if wrap + 1 < t <= wrap + 11.24])
        return after / before

    return [
        Fact(
            subject=name,
            what="goodput after 4.3 GB divided by goodput before, 2 Gbit/s, 20 ms",
            source="report 552 on alibaba/xquic: a counter of 32 bits overflows and starts again at 0",
            theory=Expect.number(1.0),
            scenes=narrow(name, rate_mbit=rate, rtt_ms=20, queue="1 BDP", seconds=29, tcp=jumbo, events=False),
            measure=ratio,
            seeds=2,
        )
        for name in ("cubic", "hybla", "bbr1", "bbr3")
    ]


# ---- a path that grows longer ------------------------------------------------------------------------------------


def _longer_path() -> list[Fact]:
    """Return the facts of a one-way delay that grows from 30 to 42 ms at 15 s, so the round trip grows by 40 %."""

    def seconds_until_followed(runs: Sequence[Run]) -> float:
        known = series(runs[0].snapshots, "value", 15.0, flow=0, name="min_rtt_ms")
        return next((t - 15.0 for t, rtt in known if rtt >= 0.97 * 84.0), math.inf)

    return [
        Fact(
            subject=name,
            what="seconds until the smallest RTT is that of a path that became longer by 40 %, 20 Mbit/s, 60 ms",
            source=f"{source}: RTT window 10 s; quinn's BBR keeps the smallest RTT forever",
            theory=Expect.at_most(10.7),
            scenes=narrow(
                name,
                rate_mbit=20,
                rtt_ms=60,
                queue="2 BDP",
                seconds=35,
                delay_steps=[("0 s", "30 ms"), ("15 s", "42 ms")],
            ),
            measure=seconds_until_followed,
            unit="s",
            why=(
                "BBR keeps the smallest RTT for 10 s. The PROBE_RTT phase after this time takes 0.2 s, a round trip, "
                "and the time to drain the queue."
            ),
        )
        for name, source in (
            ("bbr1", "draft-cardwell-iccrg-bbr-congestion-control-00"),
            ("bbr3", "draft-ietf-ccwg-bbr"),
        )
    ]


# ---- a receiver that limits --------------------------------------------------------------------------------------


def _receiver() -> list[Fact]:
    """Return the facts of a receiver's window of 64 KiB over GEO, which fills a tenth of the path.

    A congestion window must not grow while it does not limit the sender.
    """

    def growth(runs: Sequence[Run]) -> float:
        window = series(runs[0].flows, "cwnd_segments")
        early = mean([w for t, w in window if 25 < t <= 40])
        late = mean([w for t, w in window if 105 < t <= 120])
        return late / early

    names = [
        entry["name"]
        for entry in bp.controllers()
        if not any(signal in entry["requires"] for signal in _NOT_ON_A_DUMBBELL)
    ]
    return [
        Fact(
            subject=name,
            what="cwnd after 2 min divided by cwnd after 30 s, receiver's window 64 KiB, 10 Mbit/s, 600 ms",
            source="RFC 9438, section 5.8; RFC 9002, section 7.8; report 873 on private-octopus/picoquic",
            theory=Expect.at_most(1.1),
            scenes=narrow(
                name,
                rate_mbit=_GEO_RATE,
                rtt_ms=_GEO_RTT,
                queue="1 BDP",
                seconds=120,
                tcp=bp.Tcp(preset="bentpipe-0.1", receive_window="65536 B"),
                interval="1 s",
                events=False,
            ),
            measure=growth,
            seeds=1,
            quick=name in ("reno", "cubic", "hybla", "bbr1", "bbr3"),
        )
        for name in names
    ]


# ---- slow start --------------------------------------------------------------------------------------------------


def _exit_over_bdp(rtt_ms: float) -> Reading:
    """Return a function that reads the window at the end of the first slow start, divided by the path's BDP.

    If a loss ends slow start, the window before the cut counts.
    """

    def read(runs: Sequence[Run]) -> float:
        events = runs[0].events
        rows = list(zip(events["time_s"], events["event"], events["before"], events["detail"], strict=True))
        end = next((t for t, event, _, detail in rows if event == "phase" and detail != "slow start"), None)
        if end is None:
            return math.nan
        cut = next((before for t, event, before, _ in rows if event == "cut" and t == end), None)
        window = cut if cut is not None else values(runs[0].flows, "cwnd_segments", end)[0]
        return float(window) / bdp_packets(_GEO_RATE, rtt_ms)

    return read


@functools.cache
def _jitter(seed: int, rtt_ms: float, seconds: float) -> tuple[tuple[str, str], ...]:
    """Return one-way delays that change every 20 ms, evenly distributed over a tenth of the base delay."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    base = rtt_ms / 2
    return tuple((f"{20 * step} ms", f"{base * (1 + 0.1 * draw.random()):.3f} ms") for step in range(int(seconds * 50)))


def _start_scene(start: str, *, jitter: bool = False, rtt_ms: float = _GEO_RTT, queue: str = "1 BDP") -> Scenes:
    def scenes(seed: int) -> list[bp.Scenario]:
        return narrow(
            {"name": "reno", "slow_start": start},
            rate_mbit=_GEO_RATE,
            rtt_ms=rtt_ms,
            queue=queue,
            seconds=25,
            delay_steps=_jitter(seed, rtt_ms, 25) if jitter else None,
            interval="10 ms",
        )(seed)

    return scenes


def _played(start: str, queue_bdp: float) -> Callable[[], Expect] | None:
    """Return a function that computes the published rule's last window, packet by packet; None for Hoe's estimate.

    The computation does not use the simulator.
    """
    rules: dict[str, Callable[[], _start.Rule]] = {
        "classic": lambda: _start.classic,
        "hystart": _start.HystartTrain,
        "hystart++": _start.HystartPlusPlus,
        "search": _start.Search,
        "rapid": _start.Rapid,
    }
    if start not in rules:
        return None
    bdp = bdp_packets(_GEO_RATE, _GEO_RTT)
    rate = bdp / (_GEO_RTT / 1e3)

    def work_out() -> Expect:
        return Expect.number(_start.exit_window(rules[start](), rate, _GEO_RTT / 1e3 + 1 / rate, queue_bdp * bdp) / bdp)

    return work_out


def _slow_starts() -> list[Fact]:
    """Return the facts of slow starts. By design, all but the classic end above the BDP and before a queue overflow."""
    sources = {
        "classic": "RFC 5681: until the queue overflows, plus a round trip",
        "hystart": "Ha and Rhee 2011: at the BDP",
        "hystart++": "RFC 9406: before the overflow",
        "search": "draft-chung-ccwg-search-09: past the BDP, before the overflow",
        "hoe": "Hoe 1996: at the estimate of the BDP",
    }
    why = {
        "hystart++": (
            "HyStart++: An ACK reports the queue that its packet met one round trip earlier. When the ACK arrives, "
            "the window has doubled again. Then five more rounds follow, with a quarter of the growth."
        ),
        "search": (
            "SEARCH compares the data delivered in a window of 3.5 initial round trips with the data sent one initial "
            "round trip earlier. If a queue makes the round trip longer, only the data sent during the additional "
            "time are missing. This time is at the beginning of the window, when the flow had sent little data. "
            "Therefore, a queue of 1 BDP overflows before SEARCH ends slow start."
        ),
    }
    rows = []
    for queue_bdp in (1, 10):
        for start in _STARTS:
            overflow = 1.0 + queue_bdp
            theory = Expect.number(2 * overflow) if start == "classic" else Expect(0.9, overflow)
            rows.append(
                Fact(
                    subject="reno",
                    what=f"window at the end of slow start “{start}” divided by BDP, queue {queue_bdp} BDP, 10 Mbit/s, "
                    "600 ms",
                    source=sources[start],
                    theory=theory,
                    here=_played(start, queue_bdp),
                    scenes=_start_scene(start, queue=f"{queue_bdp} BDP"),
                    measure=_exit_over_bdp(_GEO_RTT),
                    needs=("slow_start", start),
                    why=why.get(start, ""),
                    seeds=2,
                    quick=start == "classic" and queue_bdp == 1,
                )
            )
    rows += [
        Fact(
            subject="reno",
            what=f"window at the end of slow start “{start}” divided by BDP, queue 1 BDP, delays vary by 10 %",
            source=f"{sources[start]}; report 1268 on private-octopus/picoquic",
            theory=Expect.number(4.0) if start == "classic" else Expect(0.9, 2.0),
            scenes=_start_scene(start, jitter=True),
            measure=_exit_over_bdp(_GEO_RTT),
            needs=("slow_start", start),
            exact=False,
            why=why.get(start, _SPREAD),
            seeds=6,
        )
        for start in _STARTS
    ]
    return rows


def _kept_over_full_bdp(queue_bdp: float) -> Reading:
    """Return a function that reads the window after the first repair, divided by the capacity of path and queue."""

    def read(runs: Sequence[Run]) -> float:
        events = runs[0].events
        phases = [
            (t, detail)
            for t, event, detail in zip(events["time_s"], events["event"], events["detail"], strict=True)
            if event == "phase"
        ]
        began = next((t for t, phase in phases if phase == "recovery"), math.inf)
        end = next((t for t, phase in phases if t > began and phase != "recovery"), None)
        if end is None:
            return math.nan
        held = (1 + queue_bdp) * bdp_packets(_GEO_RATE, _GEO_RTT)
        return float(values(runs[0].flows, "cwnd_segments", end)[0]) / held

    return read


def _rapid_start() -> list[Fact]:
    """Return the facts of Rapid Start.

    The threefold growth of Rapid Start stops when the first queue builds up. After a loss, the window is beta times the
    data that path and queue can hold.
    """
    rows = []
    for queue_bdp in (1, 4):
        overflow = 1.0 + queue_bdp
        scenes = _start_scene("rapid", queue=f"{queue_bdp} BDP")
        rows += [
            Fact(
                subject="reno",
                what=f"window at the end of slow start “rapid” divided by BDP, queue {queue_bdp} BDP, 10 Mbit/s, "
                "600 ms",
                source=(
                    "draft-kazuho-ccwg-rapid-start-02, section 3.2: two or three times the window that overflows the "
                    "queue"
                ),
                theory=Expect(2 * overflow, 3 * overflow),
                here=_played("rapid", queue_bdp),
                scenes=scenes,
                measure=_exit_over_bdp(_GEO_RTT),
                needs=("slow_start", "rapid"),
                seeds=2,
            ),
            Fact(
                subject="reno",
                what=f"window after the repair of “rapid” divided by BDP and queue, queue {queue_bdp} BDP, 10 Mbit/s, "
                "600 ms",
                source="draft-kazuho-ccwg-rapid-start-02, section 3.3.1 and appendix A: beta of the full BDP",
                theory=Expect.number(0.5),
                scenes=scenes,
                measure=_kept_over_full_bdp(queue_bdp),
                needs=("slow_start", "rapid"),
                seeds=2,
            ),
        ]
    return rows


def _no_cliff() -> list[Fact]:
    """Return the facts of a report on HyStart with a limit at an RTT of 610 ms.

    By this report, slow start ends at a sixth of the BDP with an RTT of 600 ms, and at the BDP with an RTT of 620 ms.
    """
    short, long = _exit_over_bdp(600.0), _exit_over_bdp(620.0)
    return [
        Fact(
            subject="reno",
            what=f"window at the end of slow start divided by BDP, ratio of 620 ms to 600 ms, {start}",
            source="report 1692 on private-octopus/picoquic",
            theory=Expect.number(1.0),
            scenes=together(_start_scene(start, rtt_ms=600), _start_scene(start, rtt_ms=620)),
            measure=lambda runs: long(runs[1:]) / short(runs[:1]),
            needs=("slow_start", start),
        )
        for start in _STARTS
    ]
