# SPDX-License-Identifier: MIT OR Apache-2.0
"""A run that its caller moves on: stepped, looked at, commanded, copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.base.errors import BentpipeError
from bentpipe.base.tables import TABLES, Made, Table
from bentpipe.runs.make import job
from bentpipe.runs.run import wrap

if TYPE_CHECKING:
    import os

    from bentpipe.runs.run import Run
    from bentpipe.scenario.classes import Scenario

#: What a sender can be commanded, with the least value of each.
_COMMANDS = {"cwnd_segments": 1.0, "ssthresh_segments": 1.0, "pacing_mbit_s": 1e-6}
#: And below this.
_MOST = 1e9
_NS = 1e9


class Session:
    """A run under way. It stands still until `step`, `run_until` or `finish` moves it on.

    However a run is cut into steps, its numbers are those of `bentpipe.run` on the same scenario.

    Args:
        scenario: A file, TOML text, or a `Scenario`.
        seed: Instead of the scenario's seed.
        duration: Instead of the scenario's duration, for example ``"10 s"``.
        costly: Run even if memory will not do by the estimate.

    Raises:
        ScenarioError: If the scenario cannot be used.
        RunError: If the run cannot be made.
    """

    def __init__(
        self,
        scenario: str | os.PathLike[str] | Scenario,
        *,
        seed: int | None = None,
        duration: str | None = None,
        costly: bool = False,
    ) -> None:
        self._native = _core.Session(job(scenario, seed=seed, duration=duration, costly=costly))
        #: What was commanded, by the numbers of flows.
        self._held: dict[int, dict[str, float | None]] = {}

    def __repr__(self) -> str:
        """Where it stands; a session that is finished, or at work in another thread, cannot say."""
        try:
            return f"<Session at {self.now_s:g} s of {self.duration_s:g} s>"
        except BentpipeError as problem:
            return f"<Session: {problem.message}>"

    @property
    def now_s(self) -> float:
        """Where the run stands, in seconds."""
        return self._native.now_ns / _NS

    @property
    def duration_s(self) -> float:
        """When the run ends, in seconds."""
        return self._native.end_ns / _NS

    def step(self, span: str) -> None:
        """Move on by a span of time, for example ``"100 ms"``.

        On Ctrl-C the session stands where it had come to, and can be moved on from there; after the interrupt of a
        controller in Python that does not answer, or of a constellation that is being laid out, it cannot. After a
        controller has failed, every call says so again.

        Raises:
            ArgumentError: If the span is negative or not a time, or the run ends before.
            RunError: If a controller in Python fails.
        """
        self._go_to(self._native.now_ns + _nanos("span", span), f"a step of {span}")

    def run_until(self, time: str) -> None:
        """Move on to a moment of the run, for example ``"30 s"``.

        Raises:
            ArgumentError: If the moment is over, or after the end of the run.
            RunError: If a controller in Python fails.
        """
        until = _nanos("time", time)
        if until < self._native.now_ns:
            raise arguments.refuse(
                f"cannot run until {time}: the session is at {self.now_s:g} s already (fork it before it gets there)"
            )
        self._go_to(until, f"running until {time}")

    @property
    def tables(self) -> dict[str, Table]:
        """The tables of the run so far, by the names that they have in `Run`: ``session.tables["flows"]``.

        Rows of events and of visits of applications come with the samples. Nodes, link ends, positions and weather
        are written at the end of a run, and the paths of the whole run at its beginning. Each look copies all tables.
        """
        made = Made(self._native.tables(), None)
        return {name: made(name) for name in TABLES}

    def set(self, flow: str | int, **commands: float | None) -> None:
        """Command the sender of a TCP flow. A command holds in place of the controller's until it is None again.

        Args:
            flow: Its name, or its number from 0.
            commands: ``cwnd_segments``, ``ssthresh_segments`` (both at least 1) or ``pacing_mbit_s``; None gives the
                number back to the controller, as it was before the command. Of a flow that proxies split they are for
                the sending host. Nothing else of a flow can change while it runs.

        Raises:
            ArgumentError: If there is no such flow, the key is another one, or the value is out of bounds.
        """
        names = self._native.flows
        if isinstance(flow, str) and flow not in names:
            raise arguments.known("flow", flow, names)
        number = names.index(flow) if isinstance(flow, str) else arguments.whole("flow", flow, 0, len(names) - 1)
        for key, value in commands.items():
            if key not in _COMMANDS:
                raise arguments.known("key that can be set while a flow runs", key, _COMMANDS)
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if value is not None and not (is_number and _COMMANDS[key] <= value < _MOST):
                raise arguments.refuse(
                    f"{key} is a number from {_COMMANDS[key]:g} to {_MOST:g}, or None, not {value!r}"
                )
        held = {**dict.fromkeys(_COMMANDS), **self._held.get(number, {}), **commands}
        self._native.command(number, held)
        self._held[number] = held

    def fork(self) -> Session:
        """A copy of the session as it stands. What happens to one of them has no effect on the other.

        Controllers in Python are copied with `copy.deepcopy`.

        Raises:
            ArgumentError: If the run cannot be copied: it goes over a constellation for more than an hour.
            RunError: If a controller in Python cannot be copied.
        """
        copy = object.__new__(type(self))
        copy._native = self._native.fork()
        copy._held = {flow: dict(held) for flow, held in self._held.items()}
        return copy

    def finish(self) -> Run:
        """Run to the end: what `bentpipe.run` gives. The session is over then.

        Raises:
            RunError: If the run cannot be made.
        """
        return wrap(self._native.finish(), None)

    def _go_to(self, until_ns: int, what: str) -> None:
        end = self._native.end_ns
        if until_ns > end:
            raise arguments.refuse(
                f"{what} goes past the end of the run: it would stand at {until_ns / _NS:g} s, and the run ends at "
                f"{end / _NS:g} s (give a longer duration, or call finish())"
            )
        self._native.advance(until_ns)


def _nanos(name: str, value: str) -> int:
    return _core.nanos(arguments.stated(name, value, "100 ms"))
