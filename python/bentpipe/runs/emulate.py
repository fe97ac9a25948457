# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make a run in real time, with programs at the sites of a scenario."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base import arguments
from bentpipe.base.errors import RunError
from bentpipe.runs.make import job
from bentpipe.runs.present import Present
from bentpipe.runs.run import wrap

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    from bentpipe.runs.run import Run
    from bentpipe.scenario.classes import Scenario

#: Interval in seconds between two checks of the processes.
_LOOK_S = 0.02
#: Longest time in seconds until a helper has opened a port.
_PATIENCE_S = 60.0
#: The state of a listening TCP socket in /proc/net/tcp (proc(5)); UDP sockets have no such state.
_LISTENS = "0A"
#: Time in seconds after SIGTERM until programs get SIGKILL.
_GRACE_S = 1.0


@dataclass(frozen=True)
class Site:
    """A site of an emulation.

    Attributes:
        names: Names of the site. The first one is the name in the scenario.
        ipv4: IPv4 address of the site.
        ipv6: IPv6 address of the site.
    """

    names: tuple[str, ...]
    ipv4: str
    ipv6: str

    @property
    def name(self) -> str:
        """The name of the site in the scenario."""
        return self.names[0]


class Program:
    """A program that runs at a site, in a child of this process.

    Attributes:
        pid: Process ID of the program.
        arguments: The program and its arguments.
    """

    def __init__(self, pid: int, arguments: Sequence[str]) -> None:
        self.pid = pid
        self.arguments = tuple(arguments)
        self._status: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, which is negative after a signal; None while the program runs."""
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid != 0:
                self._status = os.waitstatus_to_exitcode(status)
        return self._status

    def send_signal(self, number: int) -> None:
        """Send a signal, if the program still runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def listens(self) -> bool:
        """Return whether a socket at the program's site accepts TCP connections or is bound to a UDP port."""
        net = Path("/proc") / str(self.pid) / "net"
        with suppress(OSError):
            if any(row.split()[3] == _LISTENS for name in ("tcp", "tcp6") for row in _rows(net / name)):
                return True
            return any(_rows(net / name) for name in ("udp", "udp6"))
        return False


def _rows(file: Path) -> list[str]:
    return file.read_text().splitlines()[1:]


class Emulation:
    """A run of a scenario in real time. Each site is a network namespace in which programs run.

    Use an emulation as a context manager. At the end, all programs are killed and the namespaces are removed.

    Args:
        scenario: A file, TOML text, or a `Scenario`.
        seed: Replaces the scenario's seed.
        duration: Replaces the scenario's duration, for example ``"10 s"``.
        out: Run folder to write.
        flows: Whether the scenario's own flows run beside the programs.
        pcap: Whether the packets at both ends of each path are captured. The captures are written to the folder
            ``captures`` in the run folder.
        force: Replace the run in `out` even if it is a different run.
        live: Whether `so_far` can be used.
        user: User ID and group ID to which this process changes after the set-up. Root is needed only for the set-up,
            and the change cannot be undone. The programs and the run folder belong to this user. By default, the user
            does not change.

    Raises:
        ScenarioError: If the scenario cannot be used.
        RunError: If the system refuses namespaces or devices.
    """

    def __init__(
        self,
        scenario: str | os.PathLike[str] | Scenario,
        *,
        seed: int | None = None,
        duration: str | None = None,
        out: str | os.PathLike[str] | None = None,
        flows: bool = False,
        pcap: bool = False,
        force: bool = False,
        live: bool = False,
        user: tuple[int, int] | None = None,
    ) -> None:
        self._out = None if out is None else Path(out)
        made = job(scenario, seed=seed, duration=duration, out=self._out, force=force, costly=True)
        self._native = _core.Emulation(made, keep=flows, capture=pcap, user=user)
        if user is not None:
            os.setgroups([])
            os.setresgid(user[1], user[1], user[1])
            os.setresuid(user[0], user[0], user[0])
        places = self._native.open(live)
        self._present = None if places is None else Present(places)
        #: The sites, in the order of their addresses. The first is the receiver of the scenario's first flow.
        self.sites = tuple(Site(tuple(names), v4, v6) for names, v4, v6 in self._native.sites)
        self._programs: list[Program] = []

    def __enter__(self) -> Emulation:
        """Return the emulation."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Kill all programs and remove the namespaces."""
        self.end_programs()
        del self._native

    def site(self, name: str) -> int:
        """Return the index of the site with this name.

        Raises:
            ArgumentError: If no site has this name.
        """
        for number, site in enumerate(self.sites):
            if name in site.names:
                return number
        known = ", ".join(site.name for site in self.sites)
        raise arguments.refuse(f'no site is called "{name}" (the sites are {known})')

    def start(
        self,
        site: str,
        arguments: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        is_helper: bool = False,
    ) -> Program:
        """Start a program at a site.

        Args:
            site: Name of the site.
            arguments: The program and its arguments.
            environment: Environment variables that replace those of this process.
            is_helper: Whether the program is a helper. A helper has no standard input, and the standard output of a
                helper goes to standard error.

        Raises:
            RunError: If the program cannot be started.
        """
        pid = self._native.start(
            self.site(site), list(arguments), environment=dict(environment or {}), is_helper=is_helper
        )
        program = Program(pid, arguments)
        self._programs.append(program)
        return program

    def await_port(self, program: Program) -> None:
        """Wait until a helper has opened a port.

        Raises:
            RunError: If the helper ends before it opens a port, or opens no port within a minute.
        """
        begun = time.monotonic()
        command = " ".join(program.arguments)
        while not program.listens():
            status = program.poll()
            if status is not None:
                raise RunError(
                    "run-failed",
                    f'"{command}" ended with status {status} before it opened a port (a helper must open a TCP or UDP '
                    "port and continue)",
                )
            if time.monotonic() - begun > _PATIENCE_S:
                raise RunError(
                    "run-failed",
                    f'"{command}" opened no port within {_PATIENCE_S:g} s (a helper must open a TCP or UDP port)',
                )
            time.sleep(_LOOK_S)

    def begin(self) -> None:
        """Start the clock of the scenario. From now on, packets are carried."""
        self._native.begin()

    @property
    def has_ended(self) -> bool:
        """Whether the scenario has ended. After the end, no packets are carried."""
        return self._native.has_ended

    def so_far(self) -> Run:
        """Return the results of the run until now, without findings.

        The emulation must be live and must have begun. The thread that moves packets passes rows without a copy, at the
        end of the current iteration of its loop. After the end of the scenario, the results stay the same.
        """
        assert self._present is not None  # noqa: S101 - our commands ask only live emulations
        return self._present.after(self._native.so_far)

    def finish(self) -> Run:
        """End the run now, and return its results.

        Raises:
            RunError: If the run failed.
        """
        self.end_programs()
        return wrap(self._native.finish(), self._out)

    def end_programs(self) -> None:
        """End all programs. They get SIGTERM and, if they still run after a second, SIGKILL."""
        for program in self._programs:
            program.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        while any(program.poll() is None for program in self._programs):
            if time.monotonic() - begun > _GRACE_S:
                for program in self._programs:
                    program.send_signal(signal.SIGKILL)
            time.sleep(_LOOK_S)


class Interrupts:
    """A handler of Ctrl-C while a program runs in the foreground.

    The terminal sends Ctrl-C to this process and to the program. This process continues, and kills the program if the
    program does not end within a second.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._since: float | None = None

    def __enter__(self) -> Interrupts:
        """Begin to handle Ctrl-C."""
        self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Restore the handler."""
        signal.signal(signal.SIGINT, self._before)

    def _handle(self, number: int, frame: object) -> None:
        del number, frame
        self._since = self._since or time.monotonic()

    def look(self) -> None:
        """Kill the program if the first Ctrl-C was more than a second ago."""
        if self._since is not None and time.monotonic() - self._since > _GRACE_S:
            self._program.send_signal(signal.SIGKILL)
