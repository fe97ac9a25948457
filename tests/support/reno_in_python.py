# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reno in Python: the arithmetic of `crates/control/src/reno.rs` and its frame, statement by statement.

This is a plugin (`bentpipe run FILE --plugin tests/support/reno_in_python.py`). Its runs equal native ones in each
byte.
"""

from __future__ import annotations

import math

import bentpipe as bp


@bp.register("reno-in-python")
class Reno(bp.Controller):
    """RFC 5681 with byte counting in avoidance (RFC 3465) and undo."""

    signals = ("spurious-loss reports",)

    def __init__(self) -> None:
        self.limited = False
        self.after_timeout = False
        self.undo: tuple[int, float, float | None] | None = None
        self.control: bp.Control | None = None

    def on_start(self, event: bp.StartEvent, control: bp.Control) -> None:
        # The flow's block is the same object from the first event to the last.
        self.control = control
        control.phase = "slow start"

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        self.limited = event.cwnd_limited
        repairing = event.in_recovery and not self.after_timeout
        # RFC 5681, section 3.1: only an ACK of new cumulative data grows the window. RFC 9002, appendix B.5: any new
        # data.
        advance = event.acked if event.cumulative is None else event.cumulative
        if event.cwnd_limited and not repairing and advance > 0:
            w = control.cwnd
            if control.ssthresh is None or w < control.ssthresh:
                # RFC 5681, section 3.1 (equation 2), up to the threshold.
                control.cwnd = min(w + min(event.acked, 1.0), control.ssthresh or math.inf)
            else:
                # RFC 5681, equation 3, counted in segments.
                control.cwnd = w + event.acked / w
        self._phase(control, recovering=repairing)

    def on_loss(self, event: bp.LossEvent, control: bp.Control) -> None:
        if event.new_episode:
            self._reduce(event.episode, event.in_flight_before, control)
            assert control.ssthresh is not None
            control.cwnd = max(min(control.cwnd, control.ssthresh), 1.0)
            self.after_timeout = False
            self._phase(control, recovering=True)

    def on_timeout(self, event: bp.TimeoutEvent, control: bp.Control) -> None:
        if event.consecutive <= 1:
            self._reduce(event.episode, event.in_flight_before, control)
        else:
            self._remember(event.episode, control)
        control.cwnd = min(1.0, control.cwnd)
        self.after_timeout = True
        self._phase(control, recovering=False)

    def on_recovery_exit(self, event: bp.Moment, control: bp.Control) -> None:
        self.after_timeout = False
        self._phase(control, recovering=False)

    def on_spurious(self, event: bp.Moment, control: bp.Control) -> None:
        if self.undo is not None and self.undo[0] == event.episode:
            _, w, ssthresh = self.undo
            self.undo = None
            control.cwnd = max(control.cwnd, w)
            if ssthresh is None or control.ssthresh is None:
                control.ssthresh = None
            else:
                control.ssthresh = max(control.ssthresh, ssthresh)
            self._phase(control, recovering=False)

    def on_idle(self, event: bp.Moment, control: bp.Control) -> None:
        self._phase(control, recovering=False)

    def on_path(self, event: bp.PathEvent, control: bp.Control) -> None:
        self._phase(control, recovering=control.phase == "recovery")

    def snapshot(self) -> dict[str, float]:
        if self.control is None:
            return {"cwnd_segments": 1.0, "ssthresh_segments": math.inf}
        ssthresh = math.inf if self.control.ssthresh is None else self.control.ssthresh
        return {"cwnd_segments": self.control.cwnd, "ssthresh_segments": ssthresh}

    def _remember(self, episode: int, control: bp.Control) -> None:
        if self.undo is None or self.undo[0] != episode:
            self.undo = (episode, control.cwnd, control.ssthresh)

    def _reduce(self, episode: int, in_flight: float, control: bp.Control) -> None:
        self._remember(episode, control)
        # RFC 5681, equation 4: ssthresh = max(FlightSize / 2, 2 SMSS).
        flight = control.cwnd if self.limited else min(control.cwnd, in_flight)
        control.ssthresh = max(flight / 2, 2.0)

    def _phase(self, control: bp.Control, *, recovering: bool) -> None:
        slow = control.ssthresh is None or control.cwnd < control.ssthresh
        control.phase = "recovery" if recovering else "slow start" if slow else "avoidance"
