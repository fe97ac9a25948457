# SPDX-License-Identifier: MIT OR Apache-2.0
"""Vegas and Copa with or without announcements of path changes.

The code of both controllers is minimal and not a copy of the catalogue's controllers, so the announcement is the only
difference.
"""

from __future__ import annotations

import math
from collections import deque
from typing import ClassVar

import bentpipe as bp
from bentpipe_papers.leo_study.bed import MSS_BYTES


class Base(bp.Controller):
    """Computes the queueing delay from the smallest RTT.

    After a change of the path, the smallest RTT is outdated. With announcements, the smallest RTT is discarded when
    the path changes, and packets in flight at that time are ignored.
    """

    signals: ClassVar[tuple[str, ...]] = ("pacing", "path-change announcements")
    #: Time in s for which a smallest RTT is valid.
    window_s = math.inf

    def __init__(self, told: float | bool = False) -> None:
        self.told = bool(told)
        self._least: deque[tuple[float, float]] = deque()
        self._changes: deque[float] = deque()
        self._path_since_s = -math.inf

    def on_path(self, event: bp.PathEvent, control: bp.Control) -> None:
        """Store the time of the path change."""
        del control
        if self.told:
            self._changes.append(event.at_s)

    def queueing_s(self, event: bp.AckEvent) -> float | None:
        """Queueing delay of the newest acknowledged packet in s; None if the packet used the old path."""
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
        """Set the threshold to half of the window, and begin slow start."""
        del event
        control.ssthresh = max(control.cwnd / 2.0, 2.0)
        control.cwnd = 2.0


@bp.register("leo-study-vegas")
class Vegas(Base):
    """Vegas (Brakmo and Peterson 1995): adjust the window once per round trip, so that 1 to 3 segments are queued."""

    def __init__(self, told: float | bool = False) -> None:
        super().__init__(told)
        self._waits: list[float] = []
        self._trips: list[float] = []

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        """At the end of a round trip, adjust the window by the mean RTT and the mean queueing delay."""
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
        """Reduce the window to three quarters."""
        if event.new_episode:
            control.cwnd = control.ssthresh = max(0.75 * control.cwnd, 2.0)


@bp.register("leo-study-copa")
class Copa(Base):
    """Copa's default mode (Arun and Balakrishnan 2018, section 2): target rate 1/(δ d_q) segments/s, δ = 1/2.

    A step against the direction resets the velocity at once, as in the authors' program. The paper checks only once per
    round trip, so a fast increase would overshoot for another round trip.
    """

    window_s = 10.0

    def __init__(self, told: float | bool = False) -> None:
        super().__init__(told)
        self._standing: deque[tuple[float, float, float]] = deque()
        self._slow_start = True
        self._velocity, self._direction, self._same = 1.0, 0, 0
        self._window_then = 0.0

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        """Step towards the target window. The velocity doubles after three round trips in one direction."""
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
