# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make bulk transfers in an emulation, over the TCP of this machine's kernel."""

from __future__ import annotations

import errno
import json
import platform
import select
import socket
import sys
import tempfile
import time
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.base import arguments
from bentpipe.base.errors import RunError
from bentpipe.runs import bulk_program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bentpipe.runs.bulk_program import Answer, Received, Sent, Task
    from bentpipe.runs.emulate import Emulation
    from bentpipe.runs.run import Run

#: Port of the first flow. The next flows have the next ports.
_PORT = 5001
#: Interval in seconds between two looks at the clock of the scenario.
_LOOK_S = 0.02
#: Largest time in seconds in which a program opens its ports, or answers.
_PATIENCE_S = 60.0


@dataclass(frozen=True)
class Flow:
    """A bulk transfer.

    Attributes:
        sender: Name of the site that sends.
        receiver: Name of the site that receives.
        start_s: Start in seconds of the scenario's time.
        stop_s: Time at which the sender stops, if it stops before the end of the run.
        size: Bytes, or None for an endless transfer.
    """

    sender: str
    receiver: str
    start_s: float
    stop_s: float | None
    size: int | None


@dataclass(frozen=True)
class Transfer:
    """The results of a flow.

    Attributes:
        sent: The numbers of the sender's socket.
        received: The numbers of the receiver.
        port: Port of the receiver. In the run folder, the name of the connection ends with this port.
    """

    sent: Sent
    received: Received
    port: int


@dataclass(frozen=True)
class Outcome:
    """A run with transfers.

    Attributes:
        run: The run.
        transfers: The transfers, in the order of the flows.
        dropped: Packets that the interfaces of the sites dropped because their queues were full.
    """

    run: Run
    transfers: tuple[Transfer, ...]
    dropped: int


def require_controllers(names: Iterable[str]) -> None:
    """Check that the kernel has these controllers. A kernel module is loaded if this process may load it.

    Raises:
        ArgumentError: If the kernel lacks a controller.
    """
    missing = [name for name in names if not _has(name)]
    if missing:
        there = Path("/proc/sys/net/ipv4/tcp_available_congestion_control").read_text().split()
        modules = " ".join(f"tcp_{name}" for name in missing)
        raise arguments.refuse(
            f"the kernel {platform.release()} has no congestion control {', '.join(missing)}: it has "
            f"{', '.join(there)} (load the others with: sudo modprobe -a {modules})"
        )


def _has(controller: str) -> bool:
    with socket.socket() as probe:
        try:
            probe.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, controller.encode())
        except OSError as problem:
            # The kernel has this controller, but only administrators may select it.
            return problem.errno == errno.EPERM
    return True


def run(
    emulation: Emulation,
    flows: Sequence[Flow],
    controller: str,
    parameters: Mapping[str, str],
    look: Callable[[int], None] | None = None,
) -> Outcome:
    """Transfer data over an emulation until the scenario ends, or until all flows have ended.

    Args:
        emulation: An emulation that has not begun. This function finishes it.
        flows: The transfers. Each transfer has its own connection.
        controller: Name of the controller in the kernel.
        parameters: Parameters of the kernel at the sites: paths below /proc/sys with their values.
        look: Function that is called every 20 ms with the start of the scenario's clock in ns, on the monotonic clock.

    Raises:
        RunError: If a program or the run fails.
    """
    numbers = sorted({emulation.site(name) for flow in flows for name in (flow.sender, flow.receiver)})
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="bentpipe-")))
        tasks = [_task(emulation, number, flows, controller, parameters) for number in numbers]
        sites = [
            opened.enter_context(closing(_Site(emulation, number, folder, task)))
            for number, task in zip(numbers, tasks, strict=True)
        ]
        for site in sites:
            site.await_ports()
        emulation.begin()
        began_ns = time.monotonic_ns()
        for site in sites:
            site.say(began_ns / 1e9)
        while not emulation.has_ended and not all(site.is_done() for site in sites):
            if look is not None:
                look(began_ns)
            time.sleep(_LOOK_S)
        answers = [site.answer() for site in sites]
    sent = {one["flow"]: one for answer in answers for one in answer["sent"]}
    received = {one["flow"]: one for answer in answers for one in answer["received"]}
    return Outcome(
        run=emulation.finish(),
        transfers=tuple(Transfer(sent[at], received[at], _PORT + at) for at in range(len(flows))),
        dropped=sum(answer["dropped"] for answer in answers),
    )


def _task(
    emulation: Emulation, site: int, flows: Sequence[Flow], controller: str, parameters: Mapping[str, str]
) -> Task:
    numbered = list(enumerate(flows))
    return {
        "controller": controller,
        "parameters": dict(parameters),
        "sends": [
            {
                "flow": at,
                "address": emulation.sites[emulation.site(flow.receiver)].ipv4,
                "port": _PORT + at,
                "start_s": flow.start_s,
                "stop_s": flow.stop_s,
                "size": flow.size,
            }
            for at, flow in numbered
            if emulation.site(flow.sender) == site
        ],
        "receives": [
            {"flow": at, "port": _PORT + at, "size": flow.size}
            for at, flow in numbered
            if emulation.site(flow.receiver) == site
        ],
    }


class _Site:
    """The program at a site, and the socket to talk to it."""

    def __init__(self, emulation: Emulation, number: int, folder: Path, task: Task) -> None:
        self._name = emulation.sites[number].name
        place = folder / str(number)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(place))
            listener.listen()
            listener.settimeout(_PATIENCE_S)
            # With -I, no file of the user's folder or environment replaces a module of the standard library.
            command = [sys.executable, "-I", str(bulk_program.__file__), str(place)]
            emulation.start(self._name, command, is_helper=True)
            try:
                self._control, _ = listener.accept()
            except TimeoutError:
                raise self._failure(f"the program did not start within {_PATIENCE_S:g} s") from None
        self._control.settimeout(_PATIENCE_S)
        self._lines = self._control.makefile("rw")
        self._is_done = False
        self.say(task)

    def close(self) -> None:
        """Close the socket, which ends the program."""
        self._lines.close()
        self._control.close()

    def say(self, value: object) -> None:
        """Send a line to the program."""
        self._lines.write(f"{json.dumps(value)}\n")
        self._lines.flush()

    def await_ports(self) -> None:
        """Wait until the program has opened its ports."""
        if failed := json.loads(self._line()):
            raise self._failure(failed)

    def is_done(self) -> bool:
        """Return whether all connections of the program are closed."""
        if not self._is_done and select.select([self._control], [], [], 0.0)[0]:
            self._line()
            self._is_done = True
        return self._is_done

    def answer(self) -> Answer:
        """End the transfers, and return the numbers of the program."""
        self.say("end")
        line = json.loads(self._line())
        answer: Answer = json.loads(self._line()) if line == bulk_program.DONE else line
        for one in answer["sent"]:
            if one["error"]:
                raise self._failure(f"a connection failed: {one['error']}")
        return answer

    def _line(self) -> str:
        with suppress(OSError):
            if line := self._lines.readline():
                return line
        raise self._failure("the program ended or does not answer (if it printed a message, the message is above)")

    def _failure(self, why: str) -> RunError:
        return RunError("run-failed", f'the transfers at site "{self._name}": {why}')
