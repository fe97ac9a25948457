# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compare connections with those of Linux when a path changes, is silent or stops, or an application pauses.

Linux kernels were recorded on the networks of `data/oracles/events.toml`; the simulator runs the same networks. The
measures describe what follows the event. Steady states have measures of their own (`_windows`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe.base import markdown
from bentpipe.base import progress as _progress
from bentpipe.plots import column
from bentpipe.validation import _linux, _ours, _reasons, _recorded
from bentpipe.validation._beside import FACTOR, LATER_S, RULE, WINDOWS, Cell, Quantity, Reason, Row
from bentpipe.validation._facts import TOLERANCE
from bentpipe.validation._oracle import cases, listed, missing, table, where
from bentpipe.validation._recorded import Asked, Compared
from bentpipe.validation._scenes import PACKET_B, PAYLOAD_B
from bentpipe.validation._windows import goodput, last, mean_srtt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa

    from bentpipe import Run
    from bentpipe.validation._windows import Floats, Trace

#: Seeds of our runs with a controller that draws random numbers. A trace of the kernel shows a single draw.
_SEEDS = range(1, 6)
_DRAWS = ("bbr",)
#: Largest delay of a kernel's timer in seconds (a tick, CONFIG_HZ = 250), and the segments of 10 Mbit/s in this time.
TICK_S = 0.004
TICK_SEGMENTS = math.ceil(10e6 * TICK_S / 8 / PACKET_B)
#: With back-off, the delays of the kernel's timers add up: the kernel rounds timers up, to 32 ms from 0.25 s on and to
#: 256 ms from 2 s on (kernel/time/timer.c). In our other runs, a silence ends earlier by these times.
LATE_TIMERS_S = (0.064, 0.128, 0.192, 0.256)
#: Kinds of events that are moved in our other runs.
_MOVED = ("silence", "reroute")
#: In our other runs, the base RTT of a path with jitter is longer by these times. The additional delay of the n-th
#: packet is the same in all runs.
LONGER_MS = (0.4, 0.8, 1.2, 1.6)
#: Interval of the samples of windows and acknowledged data.
SAMPLE_S = 0.1
#: A rate is full if it is this fraction of the link's payload rate, over the following second.
_FULL = 0.9
#: Time in s from which shares of the link are measured, after slow starts.
_SHARED_FROM_S = 20.0
#: Settings of a case: its attribute, the usual value, and key and value of `tcp` for the other value.
SWITCHES: tuple[tuple[str, bool, str, object], ...] = (
    ("timestamps", True, "timestamps", False),
    ("keep_window", False, "slow_start_after_idle", "keep"),
)
#: Bytes of a segment's timestamps.
_TIMESTAMPS_B = 12


@dataclass(frozen=True, kw_only=True)
class EventCase:
    """A network and its event, as in `events.toml`, which explains the keys at its top."""

    name: str
    kind: str
    rate_mbit_s: float
    rtt_ms: float
    queue_packets: int
    seconds: float
    controllers: tuple[str, ...]
    newer: bool = False
    quick: bool = False
    extra_delay: tuple[tuple[float, float], ...] = ()
    overtake: bool = False
    silent_s: tuple[tuple[float, float], ...] = ()
    both_ways: bool = False
    holds_s: tuple[tuple[float, float], ...] = ()
    window_bytes: int | None = None
    transfers: tuple[tuple[float, int], ...] = ()
    keep_window: bool = False
    timestamps: bool = True
    jitter_ms: float | None = None
    jitter_stream: int | None = None
    seed: int = 1
    together: str | None = None
    beside: str | None = None
    beside_start_s: float = 0.0
    beside_rtt_ms: float | None = None

    @property
    def full_mbit_s(self) -> float:
        """The payload rate of the link in Mbit/s."""
        return self.rate_mbit_s * PAYLOAD_B / PACKET_B


@dataclass(frozen=True)
class Transfer:
    """A transfer within a connection.

    Attributes:
        took_s: Time from the departure of the first byte until all data are acknowledged; NaN if they never are.
        first_round: Number of segments sent before the first ACK of the transfer.
    """

    took_s: float
    first_round: int


@dataclass(frozen=True)
class Happened:
    """The numbers of a run.

    Attributes:
        flows: The flows over time.
        again_s: Times of the first flow's retransmissions.
        transfers: The first flow's transfers.
    """

    flows: tuple[Trace, ...]
    again_s: Floats
    transfers: tuple[Transfer, ...] = ()

    @property
    def first(self) -> Trace:
        """The first flow."""
        return self.flows[0]

    def again(self, from_s: float, to_s: float) -> float:
        """Return the number of segments retransmitted between two times."""
        return float(np.sum((self.again_s >= from_s) & (self.again_s < to_s)))

    def window(self, at_s: float) -> float:
        """Return the window at a moment."""
        return float(self.first.cwnd[_at(self.first, at_s)])

    def rate(self, from_s: float, to_s: float) -> float:
        """Return the acknowledged rate from one moment to another, Mbit/s."""
        begin, end = _at(self.first, from_s), _at(self.first, to_s)
        times, acked = self.first.time_s, self.first.acked_bytes
        return float((acked[end] - acked[begin]) * 8e-6 / (times[end] - times[begin]))

    def full_after(self, from_s: float, full_mbit_s: float) -> float:
        """Return the time until the first second with the full rate; NaN if there is none."""
        for at, end in pairwise(self.first.time_s[self.first.time_s > from_s - 1e-9]):
            if end + 1 > self.first.time_s[-1]:
                break
            if self.rate(at, at + 1) >= _FULL * full_mbit_s:
                return round(float(at - from_s) / SAMPLE_S) * SAMPLE_S
        return math.nan

    def dropped(self, from_s: float, to_s: float) -> float:
        """Return the number of segments that the full queue dropped."""
        counted = self.first.dropped
        if counted is None:
            return math.nan
        return float(counted[_at(self.first, to_s)] - counted[_at(self.first, from_s)])


def _at(trace: Trace, moment_s: float) -> int:
    """Return the index of the first sample at or after a time; of the last sample if there is none."""
    return min(int(np.searchsorted(trace.time_s, moment_s - 1e-6)), trace.time_s.size - 1)


@dataclass(frozen=True, kw_only=True)
class Reading(Quantity):
    """A number that is measured after an event.

    Attributes:
        read: The number for a case; NaN if there is none.
    """

    read: Callable[[EventCase, Happened], float]


def _count(name: str, read: Callable[[EventCase, Happened], float], *, judged: bool = True) -> Reading:
    """Return a function that reads a number of segments."""
    return Reading(name=name, unit="", read=read, judged=judged, grain=TICK_SEGMENTS)


def _share(_: EventCase, it: Happened) -> float:
    got = [float(flow.acked_bytes[-1] - flow.acked_bytes[_at(flow, _SHARED_FROM_S)]) for flow in it.flows]
    return 100 * got[0] / sum(got)


def _all(_: EventCase, it: Happened) -> float:
    return sum(
        float(flow.acked_bytes[-1] - flow.acked_bytes[_at(flow, _SHARED_FROM_S)])
        * 8e-6
        / float(flow.time_s[-1] - flow.time_s[_at(flow, _SHARED_FROM_S)])
        for flow in it.flows
    )


def _transfer(number: int) -> Callable[[EventCase, Happened], float]:
    return lambda _, it: it.transfers[number].took_s if len(it.transfers) > number else math.nan


def _first_round(number: int) -> Callable[[EventCase, Happened], float]:
    return lambda _, it: float(it.transfers[number].first_round) if len(it.transfers) > number else math.nan


def _end(case: EventCase) -> float:
    return case.seconds


_IN_RANGE = "the other implementation's number is in the range of our runs, or agrees with the nearer end of this range"
_ONE_RUN = "one of our runs agrees with the other implementation's number (the range between our runs does not count)"
EVENT_RULE = "\n\n".join(
    (
        "For events, the numbers describe the time after the event.",
        markdown.table(
            ("number", "the two numbers agree if"),
            (
                (
                    "count of segments",
                    f"ours is within {TOLERANCE:.0%} of theirs, or the two numbers differ by at most {TICK_SEGMENTS} "
                    "segments. The link carries this number of segments in one tick of the kernel's clock "
                    f"({TICK_S * 1e3:g} ms), and the kernel rounds its timers to ticks",
                ),
                (
                    f"time until the full rate: the time until the first second that carries {_FULL:.0%} of the full "
                    "rate",
                    f"ours is within {TOLERANCE:.0%} of theirs, or the two numbers differ by at most "
                    f"{SAMPLE_S * 1e3:g} ms, which is the time between two samples",
                ),
                ("number of recoveries (3 to 15 in a run)", f"neither count is more than {FACTOR:g} times the other"),
                ("other numbers", f"ours is within {TOLERANCE:.0%} of theirs"),
            ),
        ),
        f"If chance has an effect on a case, Bentpipe runs the case {len(_SEEDS)} times:",
        markdown.table(
            ("case", "our runs differ in", "the numbers agree if"),
            (
                ("the controller draws random numbers (BBR)", "the seed", _IN_RANGE),
                (
                    "two flows share a link",
                    f"the start of the second flow, up to {max(LATER_S) * 1e3:.0f} ms later",
                    _IN_RANGE,
                ),
                ("the path changes", f"the time of the change, up to {max(LATER_S) * 1e3:.0f} ms later", _ONE_RUN),
                (
                    "the path carries nothing for some time (silence)",
                    f"the end of the silence, up to {max(LATE_TIMERS_S) * 1e3:.0f} ms earlier: the kernel's timers "
                    "expire late by up to this time in total",
                    _ONE_RUN,
                ),
                (
                    "each packet has its own delay",
                    f"the base RTT, up to {max(LONGER_MS):g} ms longer; each number is the mean of three runs on "
                    "each side, and the n-th packet has the same delay on both sides",
                    _IN_RANGE,
                ),
            ),
        ),
    )
)

#: The measures by kind of event. Counts may differ by the segments within a tick.
READINGS: dict[str, tuple[Reading, ...]] = {
    "hold": (
        _count("sent again", lambda case, it: it.again(case.holds_s[0][0], _end(case))),
        Reading(
            name="window 0.5 s after",
            unit="segments",
            judged=True,
            read=lambda case, it: math.nan if case.transfers else it.window(case.holds_s[0][1] + 0.5),
        ),
        Reading(
            name="goodput after",
            unit="Mbit/s",
            judged=True,
            read=lambda case, it: math.nan if case.transfers else it.rate(case.holds_s[0][1], case.holds_s[0][1] + 2),
        ),
        Reading(name="transfer", unit="s", judged=True, read=_transfer(0)),
    ),
    "silence": (
        _count("sent again in it", lambda case, it: it.again(case.silent_s[0][0] + 0.5, case.silent_s[0][1])),
        _count("sent again after", lambda case, it: it.again(case.silent_s[0][1], _end(case))),
        Reading(
            name="full rate after",
            unit="s",
            judged=True,
            grain=SAMPLE_S,
            read=lambda case, it: it.full_after(case.silent_s[0][1], case.full_mbit_s),
        ),
        Reading(
            name="goodput of 7 s after",
            unit="Mbit/s",
            judged=True,
            read=lambda case, it: it.rate(case.silent_s[0][1], case.silent_s[0][1] + 7),
        ),
        Reading(
            name="window 5 s after",
            unit="segments",
            read=lambda case, it: it.window(case.silent_s[0][1] + 5),
        ),
    ),
    "reroute": (
        _count("longer: sent again", lambda case, it: it.again(case.extra_delay[0][0], case.extra_delay[0][0] + 5)),
        Reading(
            name="goodput of 5 s",
            unit="Mbit/s",
            judged=True,
            read=lambda case, it: it.rate(case.extra_delay[0][0], case.extra_delay[0][0] + 5),
        ),
        _count("shorter: sent again", lambda case, it: it.again(case.extra_delay[1][0], case.extra_delay[1][0] + 0.2)),
        Reading(
            name="window 0.5 s after",
            unit="segments",
            judged=True,
            read=lambda case, it: it.window(case.extra_delay[1][0] + 0.5),
        ),
        _count(
            "dropped in 3 s",
            lambda case, it: it.dropped(case.extra_delay[1][0], case.extra_delay[1][0] + 3),
            judged=False,
        ),
        Reading(
            name="goodput of 3 s",
            unit="Mbit/s",
            judged=True,
            read=lambda case, it: it.rate(case.extra_delay[1][0], case.extra_delay[1][0] + 3),
        ),
    ),
    "idle": (
        Reading(name="first transfer", unit="s", judged=True, read=_transfer(0)),
        _count("first round after seconds", _first_round(1)),
        Reading(name="second transfer", unit="s", judged=True, read=_transfer(1)),
        _count("first round after half a minute", _first_round(2)),
        Reading(name="third transfer", unit="s", judged=True, read=_transfer(2)),
    ),
    "transfer": (
        Reading(name="transfer", unit="s", judged=True, read=_transfer(0)),
        _count("sent again", lambda case, it: it.again(0, _end(case)), judged=False),
    ),
    "share": (
        Reading(name="share of the first", unit="%", judged=True, read=_share),
        Reading(name="goodput of both", unit="Mbit/s", judged=True, read=_all),
        Reading(name="srtt", unit="ms", read=lambda _, it: mean_srtt(it.first)),
    ),
    "jitter": (
        Reading(name="goodput", unit="Mbit/s", judged=True, read=lambda _, it: goodput(it.first)),
        Reading(name="srtt", unit="ms", judged=True, read=lambda _, it: mean_srtt(it.first)),
        Reading(name="recoveries", unit="", judged=True, factor=True, read=lambda _, it: float(len(it.first.episodes))),
        Reading(name="sent again", unit="", judged=True, read=lambda _, it: float(it.again_s.size)),
        Reading(name="dropped", unit="", read=lambda _, it: last(it.first.dropped)),
    ),
}


# ---- the kernel's side -------------------------------------------------------------------------------------------


class Recorded:
    """The recorded runs of kernels: the tables `events*.parquet` of a data folder.

    Raises:
        ScenarioError: If the tables do not exist.
    """

    def __init__(self, data: Path) -> None:
        place = data / "linux"
        self._rows = table(place / "events.parquet")
        self._parts = {
            name: table(place / f"events-{name}.parquet") for name in ("episodes", "again", "transfers", "totals")
        }

    def kernels(self, case: EventCase) -> list[str]:
        """Return the kernels that ran a case, the oldest first."""
        kernels = where(self._parts["totals"], case=case.name).column("kernel").to_pylist()
        return list(dict.fromkeys(kernels))

    def happened(self, kernel: str, case: EventCase, controller: str) -> Happened | None:
        """Return a recorded run; None if it was not recorded."""
        keys = {"kernel": kernel, "case": case.name, "controller": controller}
        totals = where(self._parts["totals"], **keys)
        if not totals.num_rows:
            return None
        rows, episodes = where(self._rows, **keys), where(self._parts["episodes"], **keys)
        established_s = column(totals.sort_by("flow"), "established_us") / 1e6
        flows = tuple(
            _linux.traced(where(rows, flow=flow), where(episodes, flow=flow), start_s)
            for flow, start_s in enumerate(established_s.tolist())
        )
        again = where(self._parts["again"], **keys, flow=0)
        transfers = where(self._parts["transfers"], **keys, flow=0).sort_by("number")
        return Happened(flows, column(again, "time_us") / 1e6, tuple(_their_transfers(transfers)))

    def pauses_s(self, kernel: str, case: EventCase, controller: str) -> list[float]:
        """Return the pauses between transfers of the first flow, in s."""
        rows = where(self._parts["transfers"], kernel=kernel, case=case.name, controller=controller, flow=0)
        rows = rows.sort_by("number")
        begun_us, acked_us = column(rows, "begun_us"), column(rows, "acked_us")
        return [float(pause) / 1e6 for pause in begun_us[1:] - acked_us[:-1]]


def _their_transfers(rows: pa.Table) -> Iterator[Transfer]:
    begun, acked = column(rows, "begun_us"), column(rows, "acked_us")
    for took_us, first in zip(acked - begun, rows.column("first_round").to_pylist(), strict=True):
        yield Transfer(float(took_us) / 1e6 if took_us > 0 else math.nan, first)


# ---- ours --------------------------------------------------------------------------------------------------------


def not_ours(case: EventCase) -> str | None:
    """Return a setting of a case that our TCP does not have; None if our TCP has all settings."""
    known = {field.name for field in fields(bp.Tcp)}
    return next((key for name, usual, key, _ in SWITCHES if getattr(case, name) != usual and key not in known), None)


def tcp(case: EventCase) -> dict[str, object]:
    """Return the TCP preset of Linux with the receiver's window of the traces."""
    longest_ms = max(case.rtt_ms, case.beside_rtt_ms or 0.0) + max((more for _, more in case.extra_delay), default=0.0)
    held_b = case.rate_mbit_s * 1e3 * longest_ms / 8 + case.queue_packets * PACKET_B
    window_b = case.window_bytes or round(_linux.RECEIVE_WINDOW * held_b)
    switched = {key: value for name, usual, key, value in SWITCHES if getattr(case, name) != usual}
    return {"preset": "linux", "receive_window": {"at_most": f"{window_b} B"}, **switched}


def network(case: EventCase, later_s: float) -> bp.Dumbbell:
    """Return the path of a case. The case counts times from the end of the first handshake, whose duration is added."""

    def at(moment_s: float) -> str:
        return f"{moment_s + later_s:.9g} s"

    spans = [(at(begin), at(end)) for begin, end in case.silent_s]
    lost = bp.Loss(spans=spans) if spans else None
    rate = f"{case.rate_mbit_s:g} Mbit/s"
    steps = [bp.RateStep(at="0 s", rate=rate)] if case.holds_s else []
    for begin, end in case.holds_s:
        steps += [bp.RateStep(at=at(begin), rate="0 bit/s"), bp.RateStep(at=at(end), rate=rate)]
    more = [bp.DelayStep(at=at(moment), delay=f"{delay:g} ms") for moment, delay in case.extra_delay]
    return bp.Dumbbell(
        rate=None if steps else rate,
        rate_steps=steps or None,
        rtt=f"{min(case.rtt_ms, case.beside_rtt_ms or case.rtt_ms):g} ms",
        queue=f"{case.queue_packets} packets",
        loss=lost,
        extra_delay=more or None,
        reorder=case.overtake or None,
        jitter=None if case.jitter_ms is None else {"uniform": f"{case.jitter_ms:g} ms"},
        reverse=bp.Link(
            rate="unlimited",
            queue="unlimited",
            loss=lost if case.both_ways else None,
            extra_delay=[bp.DelayStep(at="0 s", delay="0 s")] if more else None,
            jitter=None if case.jitter_ms is None else {"uniform": "0 s"},
        ),
    )


def _access(case: EventCase, rtt_ms: float) -> bp.AccessLink | None:
    """Return the host links of a flow whose round trip is longer than that of the path."""
    shortest_ms = min(case.rtt_ms, case.beside_rtt_ms or case.rtt_ms)
    return bp.AccessLink(delay=f"{(rtt_ms - shortest_ms) / 4:g} ms") if rtt_ms > shortest_ms else None


@dataclass(frozen=True)
class _Run:
    """A run of ours: a scenario, and how its flows are read.

    Attributes:
        scenario: The scenario.
        starts_s: Time at which the connection of each flow is established.
        keep: The index of the first transfer that counts, and the index after the last transfer that counts.
    """

    scenario: bp.Scenario
    starts_s: tuple[float, ...]
    keep: tuple[int, int] = (0, 1)


def runs(case: EventCase, controller: str, pauses_s: Sequence[float]) -> list[list[_Run]]:
    """Return our runs of a case, with a list for each variant. The runs of a list are read as one run.

    Args:
        case: The case.
        controller: The kernel's name of the controller.
        pauses_s: Pauses between transfers of the kernel's application. In our runs all pauses of a session are equal.
    """
    seeds = [case.seed] if case.jitter_ms is not None or controller not in _DRAWS else list(_SEEDS)
    later = (0.0, *LATER_S) if case.beside else (0.0,)
    both = [(seed, 0.0) for seed in seeds] if not case.beside else [(1 + at, start) for at, start in enumerate(later)]
    moved = list(_moved(case))
    if len(moved) > 1:
        return [[_plain(one, controller, case.seed + at, 0.0)] for at, one in enumerate(moved)]
    if len(case.transfers) > 1:
        return [
            [_paused(case, controller, seed, pause, number) for number, pause in enumerate(pauses_s)]
            for seed, _ in both
        ]
    return [[_plain(case, controller, seed, start_s)] for seed, start_s in both]


def _moved(case: EventCase) -> Iterator[EventCase]:
    """Yield the case. If single packets decide its result, also yield variants: a moved event or a longer base RTT."""
    yield case
    if case.kind == "silence":
        for late_s in LATE_TIMERS_S:
            yield replace(case, silent_s=tuple((begin, end - late_s) for begin, end in case.silent_s))
    elif case.kind == "reroute":
        for later_s in LATER_S:
            yield replace(case, extra_delay=tuple((at + later_s, delay) for at, delay in case.extra_delay))
    elif case.kind == "jitter":
        for longer_ms in LONGER_MS:
            yield replace(case, rtt_ms=case.rtt_ms + longer_ms)


def _scenario(case: EventCase, flows: list[bp.Flow], seed: int, later_s: float) -> bp.Scenario:
    return bp.Scenario(
        name=case.name,
        duration=f"{case.seconds + later_s:.9g} s",
        seed=seed,
        network=network(case, later_s),
        flows=flows,
        record=bp.Record(interval=f"{_ours.INTERVAL_MS} ms", events=True, packets=True),
    )


def _plain(case: EventCase, controller: str, seed: int, beside_later_s: float) -> _Run:
    """Return a run in which connections have all data to send from their start on."""
    setting = tcp(case)
    later_s = _ours.handshake_s(case.rtt_ms, case.rate_mbit_s, setting)
    size = f"{case.transfers[0][1]} B" if case.transfers else None
    first = bp.Flow(
        controller=_linux.TWINS[controller].controller(paced=False),
        tcp=setting,
        size=size,
        access=_access(case, case.rtt_ms),
    )
    flows, starts_s = [first], [later_s]
    if case.beside is not None:
        rtt_ms = case.beside_rtt_ms or case.rtt_ms
        start_s = later_s + case.beside_start_s + beside_later_s - _ours.handshake_s(rtt_ms, case.rate_mbit_s, setting)
        flows.append(
            bp.Flow(
                controller=_linux.TWINS[case.beside].controller(paced=False),
                tcp=setting,
                start=f"{start_s:.9g} s",
                access=_access(case, rtt_ms),
            )
        )
        starts_s.append(later_s + case.beside_start_s + beside_later_s)
    return _Run(_scenario(case, flows, seed, later_s), tuple(starts_s))


def _paused(case: EventCase, controller: str, seed: int, pause_s: float, number: int) -> _Run:
    """Return a run with answers on one connection, and equal pauses between them. Only the transfers in `keep` count.

    A request takes half of a round trip. The user's pause begins when the answer has arrived, which the sender knows
    half of a round trip later.
    """
    setting = tcp(case)
    request = {
        "answer": f"{case.transfers[0][1]} B",
        "count": number + 2,
        "think": f"{pause_s:.9g} s",
    }
    longest_s = case.seconds - case.transfers[-1][0]
    seconds = (number + 1) * pause_s + (number + 2) * longest_s
    flow = bp.Flow(
        kind="requests",
        controller=_linux.TWINS[controller].controller(paced=False),
        tcp=setting,
        users=1,
        think="0 s",
        stop="1 s",
        request=request,
    )
    scenario = replace(_scenario(case, [flow], seed, 0.0), duration=f"{seconds:.9g} s")
    return _Run(scenario, (0.0,), (number + 1 if number else 0, number + 2))


def happened(case: EventCase, made: Sequence[tuple[_Run, Run]]) -> Happened:
    """Read several runs as one run."""
    transfers: list[Transfer] = []
    for one, run in made:
        first, end = one.keep
        transfers += _our_transfers(case, run)[first:end]
    one, run = made[0]
    payload = 1.0 if case.timestamps else 1 + _TIMESTAMPS_B / PAYLOAD_B
    traces = (_ours.traced(run, start_s, flow) for flow, start_s in enumerate(one.starts_s))
    flows = tuple(replace(trace, acked_bytes=payload * trace.acked_bytes) for trace in traces)
    sent_s, sent = _sent(run, one.starts_s[0])
    newest = np.maximum.accumulate(sent)
    before = np.concatenate([[-1.0], newest[:-1]]) if sent.size else newest
    return Happened(flows, sent_s[sent <= before], tuple(transfers))


def _sent(run: Run, start_s: float) -> tuple[Floats, Floats]:
    """Return the times at which the first flow's data packets arrived at the bottleneck, and their numbers."""
    import pyarrow.compute as pc

    data = where(run.packets.arrow, flow=0, kind="data", link=0)
    data = data.filter(pc.not_equal(data.column("event"), "deliver"))
    return column(data, "time_s") - start_s, column(data, "sequence")


def _our_transfers(case: EventCase, run: Run) -> list[Transfer]:
    """Return the transfers of the first flow at its sender. The return path has no queue."""
    sent_s, sent = _sent(run, 0.0)
    acks = where(run.packets.arrow, flow=0, kind="ack", link=1, event="enqueue")
    acked_s = column(acks, "time_s") + case.rtt_ms / 2e3
    acked = np.maximum.accumulate(column(acks, "sequence"))
    found, begin = [], 0
    for _, size in case.transfers:
        end = begin + math.ceil(size / PAYLOAD_B)
        mine = (sent >= begin) & (sent < end)
        if not np.any(mine):
            break
        begun_s = float(sent_s[mine][0])
        whole = np.flatnonzero(acked >= end)
        answered = acked_s[(acked > begin) & (acked_s > begun_s)]
        until_s = float(answered[0]) if answered.size else math.inf
        took_s = float(acked_s[whole[0]]) - begun_s if whole.size else math.nan
        found.append(Transfer(took_s, int(np.sum(mine & (sent_s <= until_s - 1e-9)))))
        begin = end
    return found


# ---- beside each other -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Planned:
    """A case with a controller: the kernel's runs, and the scenarios of our runs."""

    kernel: str
    cases: tuple[EventCase, ...]
    controller: str
    theirs: tuple[Happened, ...]
    ours: tuple[tuple[EventCase, tuple[tuple[_Run, ...], ...]], ...]

    @property
    def name(self) -> str:
        """The heading of the table in which the case is printed."""
        first = self.cases[0]
        return f"{first.together or first.name}, Linux {self.kernel}"

    @property
    def scenarios(self) -> list[bp.Scenario]:
        """The scenarios of all runs, in order."""
        return [run.scenario for _, variants in self.ours for variant in variants for run in variant]


def plan(asked: Asked) -> tuple[list[Planned], dict[str, list[str]]]:
    """Return the planned runs, and the reasons for omitted cases."""
    data, controllers, only, quick = asked.folder, asked.controllers, asked.only, asked.quick
    recorded = Recorded(data)
    found: list[Planned] = []
    left_out: dict[str, list[str]] = {}
    groups: dict[str, list[EventCase]] = {}
    for case in _listed(data):
        if (case.quick or not quick) and (not only or {case.name, case.together} & set(only)):
            groups.setdefault(case.together or case.name, []).append(case)
    for name, several in groups.items():
        if absent := not_ours(several[0]):
            left_out.setdefault(f"the simulator's `tcp` has no `{absent}`", []).append(name)
            continue
        for kernel in recorded.kernels(several[0])[: 1 if quick else None]:
            for controller in several[0].controllers:
                twin = _linux.TWINS[controller]
                if controllers and not {controller, twin.name} & set(controllers):
                    continue
                theirs = [recorded.happened(kernel, case, controller) for case in several]
                there = tuple(one for one in theirs if one is not None)
                if len(there) == len(several):
                    pauses = recorded.pauses_s(kernel, several[0], controller)
                    mine = tuple((case, tuple(map(tuple, runs(case, controller, pauses)))) for case in several)
                    found.append(Planned(kernel, tuple(several), controller, there, mine))
    return found, left_out


def row(planned: Planned, made: Sequence[Run], reasons: Sequence[Reason]) -> Row:
    """Return the numbers of both sides for a case. `made` are the runs of `planned.scenarios`."""
    runs = iter(made)
    variants: list[list[Happened]] = []
    for case, several in planned.ours:
        variants.append([happened(case, [(one, next(runs)) for one in variant]) for variant in several])
    name, ours = planned.name, _linux.TWINS[planned.controller].name
    moved = planned.cases[0].kind in _MOVED
    cells = []
    for reading in READINGS[planned.cases[0].kind]:
        theirs = _mean([reading.read(*both) for both in zip(planned.cases, planned.theirs, strict=True)])
        each = [
            _mean([reading.read(*both) for both in zip(planned.cases, variant, strict=True)])
            for variant in zip(*variants, strict=True)
        ]
        known: list[float] = [value for value in each if not math.isnan(value)]
        spread = (min(known), max(known)) if len(each) > 1 and known else None
        reason = next((one for one in reasons if one.covers(name, planned.controller, reading.name)), None)
        nearest = min(known, key=lambda value: abs(value - theirs)) if moved and known else None
        cells.append(Cell(reading, each[0], theirs, reading.judged, reason, spread, nearest))
    return Row(name, planned.controller, ours, "", tuple(cells))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def compare(asked: Asked) -> Compared:
    """Run the steady states and events that Linux kernels ran, and measure both.

    Raises:
        ScenarioError: As for `_recorded.compare`.
    """
    folder, only = asked.folder, asked.only
    events = _listed(folder)
    names = [name for case in events for name in (case.name, case.together) if name]
    _recorded.refuse_strange(only, [*(case.name for case in cases(folder)), *names])
    steady = [name for name in only if name not in names]
    if steady or not only:
        result = _recorded.compare(_linux.LINUX, replace(asked, only=steady))
    else:
        result = Compared("Linux", {}, WINDOWS, RULE)
    if not events or (only and len(steady) == len(only)):
        return result
    planned, left_out = plan(replace(asked, only=[name for name in only if name in names]))
    if not planned and not left_out and not result.rows:
        raise missing(f"{folder} has no trace of Linux for the chosen events and controllers")
    rows: dict[str, list[Row]] = {}
    with _progress.shown(asked.progress, "runs") as update:
        tally = _progress.Tally(update, sum(len(one.scenarios) for one in planned))
        for one in planned:
            tell = tally.batch(len(one.scenarios))
            made = list(bp.run_many(one.scenarios, threads=asked.threads, progress=tell, costly=asked.costly))
            rows.setdefault(one.name, []).append(row(one, made, _reasons.LINUX))
    notes = [f"{', '.join(found)}: {why}." for why, found in left_out.items()]
    readings = tuple(dict.fromkeys(reading for several in READINGS.values() for reading in several))
    return replace(
        result,
        rows={**result.rows, **rows},
        measures=(*result.measures, *readings),
        rule=f"{result.rule}\n\n{EVENT_RULE}",
        notes=[*result.notes, *notes],
        partial=asked.partial,
    )


def _listed(data: Path) -> list[EventCase]:
    """Return the events of a data folder; none if the folder has no list of events."""
    file = data / "oracles" / "events.toml"
    return listed(file, EventCase) if file.is_file() else []
