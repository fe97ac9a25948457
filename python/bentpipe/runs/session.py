# SPDX-License-Identifier: MIT OR Apache-2.0
"""Advance, inspect, command and copy a run under way."""

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

#: The commands to a sender, each with its smallest value.
_COMMANDS = {"cwnd_segments": 1.0, "ssthresh_segments": 1.0, "pacing_mbit_s": 1e-6}
#: The largest value of a command.
_MOST = 1e9
_NS = 1e9


class Session:
    """A run under way, which `step`, `run_until` and `finish` advance.

    The number and length of the steps have no effect on the results, which equal those of `bentpipe.run` for the
    scenario.

    Args:
        scenario: A file, TOML text, or a `Scenario`.
        seed: Replaces the scenario's seed.
        duration: Replaces the scenario's duration, for example ``"10 s"``.
        costly: Make the run even if it needs more memory than is free, by the estimate.

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
        #: The current commands, by the numbers of flows.
        self._held: dict[int, dict[str, float | None]] = {}

    def __repr__(self) -> str:
        """Return the current time, or the reason why it is not known (finished, or in use by another thread)."""
        try:
            return f"<Session at {self.now_s:g} s of {self.duration_s:g} s>"
        except BentpipeError as problem:
            return f"<Session: {problem.message}>"

    @property
    def now_s(self) -> float:
        """The current time of the run, in seconds."""
        return self._native.now_ns / _NS

    @property
    def duration_s(self) -> float:
        """The end of the run, in seconds."""
        return self._native.end_ns / _NS

    def step(self, span: str) -> None:
        """Advance by a span of time, for example ``"100 ms"``.

        After Ctrl-C the session keeps the time that it has reached, and can continue. If Ctrl-C interrupted a
        controller in Python that did not return, or the computation of a constellation, the session cannot continue.
        After a controller has failed, every call raises the same error.

        Raises:
            ArgumentError: If the span is negative or not a time, or exceeds the end of the run.
            RunError: If a controller in Python fails.
        """
        self._go_to(self._native.now_ns + _nanos("span", span), f"a step of {span}")

    def run_until(self, time: str) -> None:
        """Advance to a moment of the run, for example ``"30 s"``.

        Raises:
            ArgumentError: If the moment is in the past, or after the end of the run.
            RunError: If a controller in Python fails.
        """
        until = _nanos("time", time)
        if until < self._native.now_ns:
            raise arguments.refuse(
                f"cannot run until {time}: the session is already at {self.now_s:g} s (fork the session earlier)"
            )
        self._go_to(until, f"running until {time}")

    @property
    def tables(self) -> dict[str, Table]:
        """The tables of the run so far, by their names in `Run`: ``session.tables["flows"]``.

        Rows of events and of visits are added with the next sample. Nodes, link ends, positions and weather are written
        at the end of the run. The paths of the whole run are written at its start. Each access copies all tables.
        """
        made = Made(self._native.tables(), None)
        return {name: made(name) for name in TABLES}

    def set(self, flow: str | int, **commands: float | None) -> None:
        """Command the sender of a TCP flow. A command replaces the controller's value until the command is set to None.

        Args:
            flow: The name of the flow, or its number from 0.
            commands: ``cwnd_segments``, ``ssthresh_segments`` (both at least 1) or ``pacing_mbit_s``. None restores the
                value that the controller had set before the command. If proxies split the flow, commands apply to the
                sending host. Other properties of a flow cannot change during the run.

        Raises:
            ArgumentError: If the flow or the key is unknown, or the value is out of bounds.
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
                    f"{key} must be a number from {_COMMANDS[key]:g} to {_MOST:g}, or None, not {value!r}"
                )
        held = {**dict.fromkeys(_COMMANDS), **self._held.get(number, {}), **commands}
        self._native.command(number, held)
        self._held[number] = held

    def fork(self) -> Session:
        """Copy the session in its current state. The two sessions do not affect each other.

        Controllers in Python are copied with `copy.deepcopy`.

        Raises:
            ArgumentError: If the run cannot be copied. A run of more than an hour over a constellation, or with
                QUIC, cannot be copied.
            RunError: If a controller in Python cannot be copied.
        """
        copy = object.__new__(type(self))
        copy._native = self._native.fork()
        copy._held = {flow: dict(held) for flow, held in self._held.items()}
        return copy

    def finish(self) -> Run:
        """Run to the end, and return the result as `bentpipe.run` does. The session is then finished.

        Raises:
            RunError: If the run cannot be made.
        """
        return wrap(self._native.finish(), None)

    def _go_to(self, until_ns: int, what: str) -> None:
        end = self._native.end_ns
        if until_ns > end:
            raise arguments.refuse(
                f"{what} goes past the end of the run: it would reach {until_ns / _NS:g} s, and the run ends at "
                f"{end / _NS:g} s (give a longer duration, or call finish())"
            )
        self._native.advance(until_ns)


def _nanos(name: str, value: str) -> int:
    return _core.nanos(arguments.stated(name, value, "100 ms"))
