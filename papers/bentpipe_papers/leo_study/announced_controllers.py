# SPDX-License-Identifier: MIT OR Apache-2.0
"""Vegas and Copa with or without announcements of path changes: the same code with the knowledge and without.

Neither is a copy of the catalogue's controller: the code has only what the question needs, so that the announcement is
the only difference.
"""

from __future__ import annotations

import math
from collections import deque
from typing import ClassVar

import bentpipe as bp
from bentpipe_papers.leo_study.bed import MSS_BYTES


class Base(bp.Controller):
    """A queueing delay by the least RTT, which an announced change of the path may make stale.

    Told, the least RTT is forgotten when the path changes, and packets that were under way then are no measure.
    """

    signals: ClassVar[tuple[str, ...]] = ("pacing", "path-change announcements")
    #: How long a least value is believed, s.
    window_s = math.inf

    def __init__(self, told: float | bool = False) -> None:
        self.told = bool(told)
        self._least: deque[tuple[float, float]] = deque()
        self._changes: deque[float] = deque()
        self._path_since_s = -math.inf

    def on_path(self, event: bp.PathEvent, control: bp.Control) -> None:
        """Remember when the path will have changed."""
        del control
        if self.told:
            self._changes.append(event.at_s)

    def queueing_s(self, event: bp.AckEvent) -> float | None:
        """Queueing delay of the newest acknowledged packet; None if it is no measure of the path in use."""
        if event.rtt_s is None or event.sent_at_s is None:
            return None
        while self._changes and self._changes[0] <= event.now_s:
            self._path_since_s = self._changes.popleft()
            self._least.clear()
        if event.sent_at_s < self._path_since_s:
            return None
        while self._least and self._least[-1][1] >= event.rtt_s:
            self._least.pop()
        self._least.append((event.now_s, event.rtt_s))
        while event.now_s - self._least[0][0] > self.window_s:
            self._least.popleft()
        return event.rtt_s - self._least[0][1]

    def on_timeout(self, event: bp.TimeoutEvent, control: bp.Control) -> None:
        """Half of the window is the threshold, and slow start again."""
        del event
        control.ssthresh = max(control.cwnd / 2.0, 2.0)
        control.cwnd = 2.0


@bp.register("leo-study-vegas")
class Vegas(Base):
    """Vegas (Brakmo and Peterson 1995): once per round trip, 1 to 3 segments are to wait on the path."""

    def __init__(self, told: float | bool = False) -> None:
        super().__init__(told)
        self._waits: list[float] = []
        self._trips: list[float] = []

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        """Judge a round trip at its end by its mean RTT and mean queueing delay."""
        waited = self.queueing_s(event)
        if waited is not None and event.rtt_s is not None:
            self._waits.append(waited)
            self._trips.append(event.rtt_s)
        if not event.round_start or not self._trips or event.in_recovery:
            return
        queued = control.cwnd * sum(self._waits) / sum(self._trips)
        self._waits.clear()
        self._trips.clear()
        if control.ssthresh is None or control.cwnd < control.ssthresh:
            if queued > 1.0:
                control.cwnd = control.ssthresh = max(0.875 * control.cwnd, 2.0)
            elif event.cwnd_limited:
                control.cwnd *= 1.5
        elif queued < 1.0 and event.cwnd_limited:
            control.cwnd += 1.0
        elif queued > 3.0:
            control.cwnd = max(control.cwnd - 1.0, 2.0)

    def on_loss(self, event: bp.LossEvent, control: bp.Control) -> None:
        """Three quarters of the window are kept."""
        if event.new_episode:
            control.cwnd = control.ssthresh = max(0.75 * control.cwnd, 2.0)


@bp.register("leo-study-copa")
class Copa(Base):
    """Copa's default mode (Arun and Balakrishnan 2018, section 2): towards 1/(δ d_q) segments a second, δ = 1/2.

    A step against the direction sets the velocity back at once, as in the authors' program: the paper's look once per
    round trip lets a fast climb overshoot for one more.
    """

    window_s = 10.0

    def __init__(self, told: float | bool = False) -> None:
        super().__init__(told)
        self._standing: deque[tuple[float, float, float]] = deque()
        self._slow_start = True
        self._velocity, self._direction, self._same = 1.0, 0, 0
        self._window_then = 0.0

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        """A step towards the target window; the velocity doubles after three round trips in one direction."""
        waited = self.queueing_s(event)
        if waited is None or event.rtt_s is None or event.srtt_s is None:
            return
        self._standing.append((event.now_s, waited, event.rtt_s))
        while event.now_s - self._standing[0][0] > event.srtt_s / 2.0:
            self._standing.popleft()
        queue = min(wait for _, wait, _ in self._standing)
        trip = min(rtt for _, _, rtt in self._standing)
        target = 2.0 * trip / queue if queue > 0.0 else math.inf
        if event.round_start:
            self._turn(control.cwnd)
        if self._slow_start and control.cwnd < target:
            control.cwnd += event.acked if event.cwnd_limited else 0.0
        else:
            self._slow_start = False
            up = control.cwnd < target
            if (1 if up else -1) != self._direction:
                self._velocity, self._same = 1.0, 0
            step = min(2.0 * self._velocity * event.acked / control.cwnd, event.acked)
            control.cwnd = max(control.cwnd + (step if up and event.cwnd_limited else 0.0 if up else -step), 2.0)
        control.pacing_bit_s = 2.0 * control.cwnd * 8.0 * MSS_BYTES / trip

    def _turn(self, window: float) -> None:
        direction = 1 if window > self._window_then else -1
        self._same = self._same + 1 if direction == self._direction else 0
        self._velocity = 2.0 * self._velocity if self._same >= 3 else 1.0
        self._velocity = min(self._velocity, max(window / 2.0, 1.0))
        self._direction, self._window_then = direction, window
