# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measure a window over time, in the same way for the simulator and the other implementation.

A `Trace` has samples and exact episodes. A measure is NaN if it cannot be computed, as its docstring states.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: Fraction of a run at its start that is left out of means.
_WARM_UP = 0.1
#: Smallest number of round trips and of gained segments for measuring growth, because windows are whole segments.
_LEAST_ROUNDS = 10.0
_LEAST_GAIN = 4.0
#: A timeout within this time after a recovery belongs to that recovery.
_SAME_S = 1e-3
#: Smallest number of periods for a measure.
_PERIODS = 3


@dataclass(frozen=True)
class Episode:
    """The interval from the detection of a loss until everything sent before it is acknowledged.

    Attributes:
        kind: ``recovery``, ``loss`` (after a timeout) or ``cwr`` (a cut without a retransmission).
        begin_s: Start of the episode.
        end_s: End of the episode; NaN if it continues at the end of the trace.
        before: Window just before the episode, in segments.
        after: Window at the end of the episode, in segments; NaN if the episode continues.
        retransmissions: Number of segments retransmitted in the episode.
    """

    kind: str
    begin_s: float
    end_s: float
    before: float
    after: float
    retransmissions: int


@dataclass(frozen=True)
class Trace:
    """One flow over time.

    Attributes:
        time_s: Time since the connection was established.
        cwnd: Window, segments.
        ssthresh: Threshold of slow start in segments; NaN while there is no threshold.
        srtt_ms: Smoothed round-trip time; NaN while it is unknown.
        acked_bytes: New data acknowledged since the start.
        retransmissions: Number of segments retransmitted since the start.
        episodes: Episodes in order of time.
        timeouts: Timeouts of the retransmission timer since the start; None if not counted.
        dropped: Segments dropped by the full queue since the start; None if not counted by flow.
    """

    time_s: Floats
    cwnd: Floats
    ssthresh: Floats
    srtt_ms: Floats
    acked_bytes: Floats
    retransmissions: Floats
    episodes: tuple[Episode, ...]
    timeouts: Floats | None = None
    dropped: Floats | None = None

    def until(self, seconds: float) -> Trace:
        """Return the trace up to a time. An episode that continues at this time has no end."""
        keep = self.time_s <= seconds + 1e-9
        episodes = (
            one if one.end_s <= seconds else replace(one, end_s=math.nan, after=math.nan)
            for one in self.episodes
            if one.begin_s <= seconds
        )
        kept = {name: samples[keep] for name, samples in vars(self).items() if isinstance(samples, np.ndarray)}
        return replace(self, **kept, episodes=tuple(episodes))

    def rounds(self, start_s: float, end_s: float) -> float:
        """Return the round trips between two moments: the integral of 1/srtt."""
        known = ~np.isnan(self.srtt_ms)
        times, srtt_s = self.time_s[known], self.srtt_ms[known] / 1e3
        if times.size == 0 or end_s <= start_s:
            return 0.0
        at = np.concatenate([[start_s], times[(times > start_s) & (times < end_s)], [end_s]])
        pace = 1.0 / np.interp(at, times, srtt_s)
        return float(np.sum((pace[1:] + pace[:-1]) / 2 * np.diff(at)))


def _joined(one: Episode, following: Episode) -> Episode:
    """Join two episodes into one."""
    return replace(
        one,
        kind="loss" if "loss" in (one.kind, following.kind) else one.kind,
        end_s=following.end_s,
        after=following.after,
        retransmissions=one.retransmissions + following.retransmissions,
    )


def _left_in_avoidance(trace: Trace) -> list[Episode]:
    """Return finished episodes that did not end in a timeout or in the slow start after it."""
    followers = [*trace.episodes[1:], None]
    return [
        one
        for one, following in zip(trace.episodes, followers, strict=False)
        if one.kind != "loss"
        and not math.isnan(one.end_s)
        and (following is None or following.kind != "loss" or following.begin_s - one.end_s > _SAME_S)
    ]


@dataclass(frozen=True)
class Growth:
    """Growth of the window in avoidance: segments gained, and round trips."""

    gained: float
    rounds: float

    @property
    def measured(self) -> bool:
        """Whether the interval is long enough for windows in whole segments."""
        return self.rounds >= _LEAST_ROUNDS and abs(self.gained) >= _LEAST_GAIN

    @property
    def per_round(self) -> float:
        """The growth in segments per round trip."""
        return self.gained / self.rounds


def growth(trace: Trace, *, to_the_end: bool = False) -> Growth:
    """Return the growth in avoidance, from the end of each episode to the start of the next episode.

    Each interval of avoidance gives the difference of the windows at its ends and the round trips between them. Both
    are summed over the intervals. Slow start after a timeout is left out.

    Args:
        trace: The flow.
        to_the_end: Whether the interval from the last episode (or from the end of slow start) to the end of the trace
            counts.
    """
    begins = [(one.begin_s, one.before) for one in trace.episodes]
    newest = (float(trace.time_s[-1]), float(trace.cwnd[-1])) if trace.time_s.size else None
    if to_the_end and newest:
        begins.append(newest)
    stretches = []
    for one in _left_in_avoidance(trace):
        following = next((begin for begin in begins if begin[0] >= one.end_s), None)
        if following is not None:
            stretches.append((one.end_s, one.after, *following))
    if to_the_end and newest and not trace.episodes and (at := _left_slow_start(trace)) is not None:
        stretches.append((float(trace.time_s[at]), float(trace.cwnd[at]), *newest))
    return Growth(
        gained=math.fsum(after - before for _, before, _, after in stretches),
        rounds=math.fsum(trace.rounds(start, end) for start, _, end, _ in stretches),
    )


def cut(trace: Trace) -> float:
    """Return the median ratio of the window after an episode to the window before. NaN without a recovery.

    Timeouts do not count, because they end in slow start.
    """
    return _median([one.after / one.before for one in _left_in_avoidance(trace) if one.before > 0])


@dataclass(frozen=True)
class Recovery:
    """An episode as numbers: its length in milliseconds, and the number of retransmitted segments."""

    length_ms: float
    retransmissions: float


def first_repair(trace: Trace) -> Episode | None:
    """Return the first episode joined with the episodes that follow within a round trip; None without episodes."""
    if not trace.episodes:
        return None
    whole, *others = trace.episodes
    known = ~np.isnan(trace.srtt_ms)
    times, srtt_ms = trace.time_s[known], trace.srtt_ms[known]
    apart_s = float(np.interp(whole.begin_s, times, srtt_ms)) / 1e3 if times.size else 0.0
    for one in others:
        if not one.begin_s - whole.end_s <= apart_s:
            break
        whole = _joined(whole, one)
    return whole


def first_recovery(trace: Trace) -> Recovery:
    """Return the first recovery, joined with recoveries that begin within a round trip after it.

    Single packets decide whether a lost retransmission prolongs a recovery or begins the next one at once. NaN without
    a recovery, or if the recovery continues at the end of the trace.
    """
    found = first_repair(trace)
    if found is None or math.isnan(found.end_s):
        return Recovery(math.nan, math.nan)
    return Recovery(1e3 * (found.end_s - found.begin_s), float(found.retransmissions))


def exit_window(trace: Trace) -> float:
    """Return the window in segments at the end of the first slow start, at the first loss or at the threshold."""
    at, found = _left_slow_start(trace), trace.episodes
    if found and (at is None or found[0].begin_s <= trace.time_s[at]):
        return found[0].before
    return math.nan if at is None else float(trace.cwnd[at])


def _left_slow_start(trace: Trace) -> int | None:
    """Return the index of the first sample with a threshold that the window has reached."""
    reached = np.flatnonzero(trace.cwnd >= trace.ssthresh)
    return int(reached[0]) if reached.size else None


def peak(trace: Trace) -> float:
    """Return the median window before an episode in segments. The first episode, which ends slow start, is left out."""
    return _median([one.before for one in trace.episodes[1:]])


def period(trace: Trace) -> float:
    """Return the median time in s from one episode to the next; NaN with fewer than three periods."""
    begins = [one.begin_s for one in trace.episodes]
    gaps = [after - before for before, after in itertools.pairwise(begins)]
    return _median(gaps) if len(gaps) >= _PERIODS else math.nan


def last(count: Floats | None) -> float:
    """Return the last value of a count; NaN if it was not counted."""
    return math.nan if count is None or not count.size else float(count[-1])


def mean_srtt(trace: Trace) -> float:
    """Return the mean smoothed round-trip time after a tenth of the run, in ms."""
    late = trace.srtt_ms[_late(trace) :]
    return float(np.nanmean(late)) if np.any(~np.isnan(late)) else math.nan


def goodput(trace: Trace) -> float:
    """Return new data acknowledged per second after a tenth of the run, Mbit/s."""
    start = _late(trace)
    if trace.time_s.size - start < 2:
        return math.nan
    seconds = float(trace.time_s[-1] - trace.time_s[start])
    return float(trace.acked_bytes[-1] - trace.acked_bytes[start]) * 8e-6 / seconds


def _late(trace: Trace) -> int:
    if trace.time_s.size == 0:
        return 0
    first, last = float(trace.time_s[0]), float(trace.time_s[-1])
    return int(np.searchsorted(trace.time_s, first + _WARM_UP * (last - first) - 1e-9))


def _median(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return float(np.median(known)) if known else math.nan
