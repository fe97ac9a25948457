# SPDX-License-Identifier: MIT OR Apache-2.0
"""Send and receive data over TCP at a site of an emulation. `bulk` starts this program.

The program runs as a script and imports only the standard library, so that it starts fast. The program and `bulk`
exchange lines of JSON over a Unix socket. The path of the socket is the program's argument:

1. The program reads its task (`Task`), sets the kernel's parameters, opens its ports, and answers.
2. It reads the time at which the clock of the scenario began, and transfers data. When all its connections are closed,
   it writes `DONE`.
3. It reads "end", and answers with the numbers of each connection (`Answer`).
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import struct
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TypedDict

#: The line that the program writes when all its connections are closed.
DONE = "done"
#: Bytes that are written or read at a time.
_PIECE = 1 << 18
#: Priority of the program under SCHED_RR: below the thread that moves packets, above ordinary programs. An ordinary
#: program would send nothing while other programs use the processors.
_PRIORITY = 20
#: The longest tick of the kernel's clock, in which it counts the time of a socket.
_TICK_S = 0.01
#: Longest sleep of a sender that waits for its socket.
_WAIT_S = 0.05
#: The beginning of `struct tcp_info` up to tcpi_sndbuf_limited (include/uapi/linux/tcp.h): 8 bytes; 24 numbers of 32
#: bits; 4 of 64 bits; 6 of 32 bits; and 4 of 64 bits.
_TCP_INFO = struct.Struct("=8B24I4Q6I4Q")
#: Indices in the unpacked structure.
_OPTIONS, _SND_MSS, _BUSY, _WINDOW, _BUFFER = 5, 10, 43, 44, 45
#: TCPI_OPT_TIMESTAMPS and TCPI_OPT_ECN.
_TIMESTAMPS, _ECN = 1, 8


class Sending(TypedDict):
    """A flow that begins at this site. Times count from the start of the scenario."""

    flow: int
    address: str
    port: int
    start_s: float
    stop_s: float | None
    size: int | None


class Receiving(TypedDict):
    """A flow that ends at this site."""

    flow: int
    port: int
    size: int | None


class Task(TypedDict):
    """The task of the program. Parameters are paths below /proc/sys and their values."""

    controller: str
    parameters: dict[str, str]
    sends: list[Sending]
    receives: list[Receiving]


class Sent(TypedDict):
    """The numbers of the sender's socket.

    `window_limited` and `buffer_limited` are shares of the time in which data waited. In the first share, the
    receiver's window was the limit; in the second share, the sender's buffer was the limit. `idle` is the share of time
    in which no data waited, between the start of the connection and the last write of the program.
    """

    flow: int
    error: str
    controller: str
    mss: int
    has_timestamps: bool
    has_ecn: bool
    window_limited: float
    buffer_limited: float
    idle: float


class Received(TypedDict):
    """The numbers of the receiver: bytes in order, time of the last read, and time at which the flow was complete."""

    flow: int
    received: int
    last_s: float
    completed_s: float | None


class Answer(TypedDict):
    """The numbers of a site at the end."""

    sent: list[Sent]
    received: list[Received]
    #: Packets that the site's interface dropped because its queue was full.
    dropped: int


class _Clock:
    """The clock of the scenario."""

    def __init__(self) -> None:
        self.began = 0.0

    def now(self) -> float:
        return time.monotonic() - self.began


class _Sender:
    def __init__(self, task: Sending, controller: str, clock: _Clock) -> None:
        self._task, self._controller, self._clock = task, controller, clock
        self._socket: socket.socket | None = None
        self._info = b""
        self._error = ""
        self._connected_s = 0.0
        self._written_s: float | None = None

    def run(self) -> None:
        time.sleep(max(0.0, self._task["start_s"] - self._clock.now()))
        try:
            self._transfer()
        except OSError as problem:
            self._error = os.strerror(problem.errno or 0)

    def _transfer(self) -> None:
        size, stop = self._task["size"], self._task["stop_s"]
        self._socket = socket.socket()
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, self._controller.encode())
        self._socket.connect((self._task["address"], self._task["port"]))
        self._connected_s = self._clock.now()
        self._socket.setblocking(False)
        data, left = memoryview(bytes(_PIECE)), size
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_WRITE)
            while left is None or left > 0:
                if stop is not None and self._clock.now() >= stop:
                    # A simulated flow sends no new data after its stop, so waiting data of the socket are discarded.
                    self._keep()
                    self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self._socket.close()
                    return
                if selector.select(_WAIT_S):
                    done = self._socket.send(data if left is None else data[: min(left, _PIECE)])
                    left = None if left is None else left - done
        self._written_s = self._clock.now()
        self._socket.setblocking(True)
        self._socket.shutdown(socket.SHUT_WR)
        self._socket.recv(1)
        self._keep()

    def _keep(self) -> None:
        if self._socket is not None and self._socket.fileno() >= 0:
            self._info = self._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO.size)
            self._written_s = self._written_s or self._clock.now()

    def answer(self) -> Sent:
        if not self._info:
            self._keep()
        # An older kernel has a shorter structure.
        info = _TCP_INFO.unpack(self._info.ljust(_TCP_INFO.size, b"\0"))
        busy = max(info[_BUSY], 1)
        connected_s = (self._written_s or 0.0) - self._connected_s
        return {
            "flow": self._task["flow"],
            "error": self._error,
            "controller": self._controller,
            "mss": info[_SND_MSS],
            "has_timestamps": bool(info[_OPTIONS] & _TIMESTAMPS),
            "has_ecn": bool(info[_OPTIONS] & _ECN),
            "window_limited": info[_WINDOW] / busy,
            "buffer_limited": info[_BUFFER] / busy,
            "idle": max(0.0, connected_s - busy / 1e6 - _TICK_S) / connected_s if connected_s > 0.0 else 0.0,
        }


class _Receiver:
    def __init__(self, task: Receiving, controller: str, clock: _Clock) -> None:
        self._task, self._clock = task, clock
        self._listener = socket.socket()
        # Accepted sockets inherit the controller. DCTCP must be set at both ends.
        self._listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, controller.encode())
        self._listener.bind(("0.0.0.0", task["port"]))  # noqa: S104 - all addresses of the site's own namespace
        self._listener.listen()
        self._received, self._last_s = 0, 0.0
        self._completed_s: float | None = None

    def run(self) -> None:
        connection, _ = self._listener.accept()
        room = bytearray(_PIECE)
        size = self._task["size"]
        try:
            while count := connection.recv_into(room):
                self._last_s = self._clock.now()
                self._received += count
                if self._received == size:
                    self._completed_s = self._last_s
        except OSError:
            pass  # the sender stopped
        connection.close()

    def answer(self) -> Received:
        return {
            "flow": self._task["flow"],
            "received": self._received,
            "last_s": self._last_s,
            "completed_s": self._completed_s,
        }


def _dropped() -> int:
    """Return the number of packets that the interfaces of this namespace dropped (proc(5), /proc/net/dev)."""
    rows = Path("/proc/net/dev").read_text().splitlines()[2:]
    return sum(int(row.rpartition(":")[2].split()[11]) for row in rows)


def main() -> None:
    """Read the lines of the socket, and follow them."""
    with socket.socket(socket.AF_UNIX) as control:
        control.connect(sys.argv[1])
        lines, writing = control.makefile("rw"), threading.Lock()

        def say(value: object) -> None:
            with writing:
                lines.write(f"{json.dumps(value)}\n")
                lines.flush()

        task: Task = json.loads(lines.readline())
        try:
            for name, value in task["parameters"].items():
                (Path("/proc/sys") / name).write_text(value)
            with suppress(PermissionError):  # without root
                os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(_PRIORITY))
            clock = _Clock()
            senders = [_Sender(one, task["controller"], clock) for one in task["sends"]]
            receivers = [_Receiver(one, task["controller"], clock) for one in task["receives"]]
        except OSError as problem:
            say(str(problem))
            return
        say("")
        clock.began = json.loads(lines.readline())
        runs = [one.run for one in senders] + [one.run for one in receivers]
        threads = [threading.Thread(target=run, daemon=True) for run in runs]
        for thread in threads:
            thread.start()

        def watch() -> None:
            for thread in threads:
                thread.join()
            say(DONE)

        threading.Thread(target=watch, daemon=True).start()
        lines.readline()
        answer: Answer = {
            "sent": [one.answer() for one in senders],
            "received": [one.answer() for one in receivers],
            "dropped": _dropped(),
        }
        say(answer)


if __name__ == "__main__":
    main()
