# SPDX-License-Identifier: MIT OR Apache-2.0
"""An estimate of the bandwidth that costs less than equations 2 to 5 and decides the same (section VI; V-16)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow.compute as pc

import bentpipe as bp
from bentpipe import plots
from bentpipe.study import Effort, Finding, Row, Sheet, series
from bentpipe_papers.vegas_w.bed import CONTROLLERS, REPAIRED, RTTS_MS, VEGAS_W, left_slow_start, start_up

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bentpipe.plots import Floats
    from bentpipe.study import Key, Runs

#: The filter's time constant, as the controller has it.
TAU_S = 0.05
#: A pause of so much of a round trip ends a burst of ACKs.
PAUSE = 0.15
OFTEN = {"every other round": {}, "every round": {"doubling": "every-round"}}
#: Access links, at which slow start loses little, and at which it overflows.
ACCESS_MBIT_S = (16.0, 100.0)


class Asked(NamedTuple):
    """What one estimate says at the first ACK of a burst, in segments/s."""

    newest: float
    largest: float


def plan(effort: Effort) -> Mapping[Key, bp.Scenario]:
    """Start-ups with a record of packets: both Vegas-Ws, by access link, doubling and base RTT."""
    found: dict[Key, bp.Scenario] = {}
    for label in (VEGAS_W, REPAIRED):
        for access in ACCESS_MBIT_S:
            for often, settings in OFTEN.items():
                for rtt_ms in RTTS_MS:
                    for seed in effort.seeds[:2]:
                        one = start_up(
                            f"{label}, {access:g} Mbit/s, {often}, packets",
                            CONTROLLERS[label],
                            seed,
                            rtt_ms=rtt_ms,
                            access_mbit_s=access,
                            **settings,
                        )
                        record = bp.Record(interval=f"{rtt_ms / 20:g} ms", events=True, packets=True)
                        found[label, access, often, rtt_ms, seed] = replace(one, duration="13 s", record=record)
    return found


def arrivals(run: bp.Run) -> Floats:
    """When ACKs came to the sender until slow start ended, in s; each acknowledges a segment."""
    packets = run.packets.arrow
    back = pc.and_(pc.equal(packets["kind"], "ack"), pc.equal(packets["event"], "deliver"))
    times = plots.column(packets.filter(pc.and_(back, pc.is_null(packets["link"]))), "time_s")
    return times[times <= left_slow_start(run)[0]]


def by_filter(times: Floats) -> Floats:
    """Equations 2 to 5 at every ACK from the second on, segments/s; beyond D = 2 tau the factor is held at zero."""
    gaps = np.maximum(np.diff(times), 1e-9)
    found, estimate, before = [], 0.0, 0.0
    for gap in gaps:
        sample = 1.0 / gap
        pole = max(0.0, (2.0 * TAU_S / gap - 1.0) / (2.0 * TAU_S / gap + 1.0))
        estimate = pole * estimate + 0.5 * (1.0 - pole) * (sample + before)
        before = sample
        found.append(estimate)
    return np.array(found)


def decisions(run: bp.Run, rtt_ms: float) -> list[tuple[float, Asked, float]]:
    """At the first ACK of each burst: the window over RTTmin, the filter's estimates, and that of the burst before.

    The burst's is (ACKs - 1) over the time from its first to its last: a subtraction and a division per round trip.
    """
    times = arrivals(run)
    if times.size < 4:
        return []
    estimates = by_filter(times)
    first = np.flatnonzero(np.diff(times) > PAUSE * rtt_ms / 1e3) + 1
    at, windows = series(run, "cwnd_segments")
    found, begin, largest = [], 0, 0.0
    for place in first:
        spent = times[place - 1] - times[begin]
        if place - begin > 2 and spent > 0.0:
            of_burst = float(place - 1 - begin) / float(spent)
            largest = float(estimates[begin : place - 1].max())
            window = float(windows[max(0, int(np.searchsorted(at, times[place])) - 1)])
            found.append((window / (rtt_ms / 1e3), Asked(float(estimates[place - 1]), largest), of_burst))
        begin = int(place)
    return found


def read(runs: Runs) -> Finding:
    rows, alike, asked, leaves = [], {"newest": 0, "largest": 0}, 0, 0
    for label in (VEGAS_W, REPAIRED):
        for access in ACCESS_MBIT_S:
            for often in OFTEN:
                told = [
                    (one, rtt_ms)
                    for rtt_ms in RTTS_MS
                    for run in runs.of(label, access, often, rtt_ms)
                    for one in decisions(run, rtt_ms)
                ]
                # Half of the burst's rate stands for the newest, which the pause has halved.
                same = {
                    "largest": sum((rate < by.largest) == (rate < burst) for (rate, by, burst), _ in told),
                    "newest": sum((rate < by.newest) == (rate < 0.5 * burst) for (rate, by, burst), _ in told),
                }
                asked += len(told)
                leaves += sum(rate >= by.newest for (rate, by, _), _ in told)
                for name, count in same.items():
                    alike[name] += count
                rows.append([label, f"{access:g}", often, str(len(told)), str(same["largest"]), str(same["newest"])])
    return Finding(
        why="future work, no claim. The rate of a burst of ACKs (their number less one over their time) decides as the "
        f"filter's largest estimate in {alike['largest']} of {asked} rounds of slow start, and half of it as the "
        f"newest one in {alike['newest']} ({leaves} of them end it). It takes one division per round trip in "
        "place of three per ACK, and three numbers in place of a filter and two rounds",
        sheets=[
            Sheet(
                "Rounds of slow start at which the estimate is asked, and how often both decide alike",
                ("run", "access (Mbit/s)", "doubles", "rounds", "as the largest estimate", "half of it, as the newest"),
                rows,
            )
        ],
        notes=[
            "The decisions are replayed from the record of packets of the runs, one round at a time, for the window "
            "that the run had then; the controller itself is unchanged. As a controller the estimate needs the time of "
            "the first ACK of a round, that of the newest, and their number; the rings of section IV.C are another "
            "matter.",
        ],
    )


ROWS = (
    Row(
        id="V-16",
        place="Section VI",
        what="a cheaper estimate of the bandwidth that decides the same",
        says="“It performs well, but also has time and space overhead. So how to combine these two aspects would "
        "be our future work.”",
        plan=plan,
        read=read,
    ),
)
