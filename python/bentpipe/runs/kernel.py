# SPDX-License-Identifier: MIT OR Apache-2.0
"""Congestion controllers in the kernel of this machine: the program `bentpipe-kernel`, and what the kernel has."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.base import arguments
from bentpipe.base.errors import ArgumentError, RunError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType

#: Name of the program. `make kernel` puts it beside the command `bentpipe`.
PROGRAM = "bentpipe-kernel"
#: The oldest kernel that can load the controllers (Linux 6.9: the arguments of `cong_control` in bpf/include/kernel.h).
OLDEST = (6, 9)
_BTF = Path("/sys/kernel/btf/vmlinux")
_AVAILABLE = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")
#: Time until a removed controller is gone, in seconds.
_PATIENCE_S = 10.0
_LOOK_S = 0.02


@dataclass(frozen=True)
class Holder:
    """A process that holds a controller in the kernel.

    Attributes:
        pid: Process ID.
        command: Command line of the process.
    """

    pid: int
    command: str

    def __str__(self) -> str:
        """Return the process in words."""
        return f"process {self.pid} ({self.command})"


def program() -> Path | None:
    """Return the program; None if it is not built."""
    beside = Path(sys.executable).with_name(PROGRAM)
    found = str(beside) if beside.is_file() else shutil.which(PROGRAM)
    return None if found is None else Path(found)


def kernel_name(name: str) -> str:
    """Return the name of a controller in the kernel, where names have no hyphens."""
    return name.replace("-", "_")


def lacking() -> list[str]:
    """Return what this machine lacks for loading controllers, with the fixes."""
    if not sys.platform.startswith("linux"):
        return [f"this is {sys.platform}, and only Linux loads controllers at run time"]
    found = []
    release = os.uname().release
    version = tuple(int(part) for part in release.split("-")[0].split(".")[:2] if part.isdigit())
    if version < OLDEST:
        found.append(f"the kernel is {release}, and the controllers need {'.'.join(map(str, OLDEST))} or newer")
    if not _BTF.exists():
        found.append(f"the kernel has no type information, {_BTF} (use a kernel with CONFIG_DEBUG_INFO_BTF=y)")
    if program() is None:
        found.append(
            f"{PROGRAM} is not built (run make kernel; on Debian it needs: apt-get install clang libelf-dev zlib1g-dev)"
        )
    return found


def require() -> None:
    """Check that this process can load controllers.

    Raises:
        ArgumentError: If the kernel, the program or the rights of this process do not suffice.
    """
    if missing := lacking():
        raise arguments.refuse("; ".join(missing))
    if os.geteuid() != 0:
        raise arguments.refuse("the kernel loads controllers only for root (use sudo)")


def available() -> tuple[str, ...]:
    """Return the names of the controllers in the kernel, built in or loaded."""
    try:
        return tuple(_AVAILABLE.read_text().split())
    except OSError:
        return ()


def holders() -> dict[str, Holder]:
    """Return the processes that hold controllers, by the controllers' names in the kernel."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):
            words = _words(entry)
            if len(words) > 2 and Path(words[0]).name == PROGRAM and words[1] == "load":
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                command = " ".join(_words(Path("/proc") / str(parent)))
                found[kernel_name(Path(words[2]).name.partition(".")[0])] = Holder(parent, command)
    return found


def _words(process: Path) -> list[str]:
    return (process / "cmdline").read_bytes().decode(errors="replace").rstrip("\0").split("\0")


def unload(name: str) -> Holder:
    """Let the process that holds a controller remove the controller and end. Return the process.

    Raises:
        ArgumentError: If the kernel has no such controller, or no process of Bentpipe holds it.
        RunError: If the controller is still there after 10 s.
    """
    wanted = kernel_name(name)
    holder = holders().get(wanted)
    if holder is None:
        if wanted in available():
            raise arguments.refuse(
                f"{wanted} is part of the kernel, or another program has loaded it "
                f"(bpftool struct_ops unregister name {wanted} removes what bpftool has registered)"
            )
        raise arguments.refuse(f"{wanted} is not loaded (the kernel has {', '.join(available())})")
    try:
        os.kill(holder.pid, signal.SIGTERM)
    except PermissionError:
        raise arguments.refuse(f"{wanted} belongs to {holder}, which this user may not end (use sudo)") from None
    begun = time.monotonic()
    while wanted in available():
        if time.monotonic() - begun > _PATIENCE_S:
            raise RunError("kernel-refused", f"{wanted} is still loaded {_PATIENCE_S:g} s after SIGTERM to {holder}")
        time.sleep(_LOOK_S)
    return holder


class Helper:
    """A process of `bentpipe-kernel`.

    The process ends when its standard input is closed, and therefore also when this process is killed.

    Args:
        words: The arguments of the program.

    Raises:
        ArgumentError: If the program is not built.
    """

    def __init__(self, *words: str) -> None:
        found = program()
        if found is None:
            raise arguments.refuse("; ".join(lacking()))
        # A session of its own: Ctrl-C is for the program that runs, and ends this process afterwards.
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [str(found), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> Helper:
        """Return the helper."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        assert self._process.stdin is not None  # noqa: S101 - a pipe, as asked
        assert self._process.stdout is not None  # noqa: S101 - a pipe, as asked
        with self._process:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
            # A full pipe would keep the process from ending.
            self._process.stdout.read()

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended by itself."""
        return self._process.poll() is not None

    def answer(self) -> Mapping[str, object]:
        """Return the next answer.

        Raises:
            ArgumentError: If the program refuses the request, or the kernel refuses it.
        """
        assert self._process.stdout is not None  # noqa: S101 - a pipe, as asked
        line = self._process.stdout.readline()
        if not line:
            raise RunError("kernel-refused", f"{PROGRAM} ended with status {self._process.wait()} without an answer")
        answer: Mapping[str, object] = json.loads(line)
        error = answer.get("error")
        if isinstance(error, dict):
            raise ArgumentError(str(error["code"]), str(error["message"]))
        return answer

    def tell(self, document: Mapping[str, object]) -> None:
        """Write a line of JSON to the process."""
        assert self._process.stdin is not None  # noqa: S101 - a pipe, as asked
        self._process.stdin.write(f"{json.dumps(document)}\n")
        self._process.stdin.flush()

    def finish(self) -> Mapping[str, object]:
        """End the process, and return its last answer. Errors are those of `answer`."""
        assert self._process.stdin is not None  # noqa: S101 - a pipe, as asked
        self._process.stdin.close()
        return self.answer()


def load(name: str, settings: Sequence[str] = ()) -> tuple[Helper, str]:
    """Load a controller. Return the process that holds it, and the controller's name in the kernel.

    Args:
        name: Name of a controller, or path of an object file (``.o``).
        settings: Values of parameters, ``"key=value"``.

    Raises:
        ArgumentError: If the controller is unknown, or is loaded already; a parameter is unknown or out of bounds; or
            the verifier of the kernel refuses the controller.
    """
    require()
    taken = kernel_name(name)
    if taken in available():
        holder = holders().get(taken)
        if holder is None:
            raise arguments.refuse(f"the kernel has a controller {taken} of its own (load another controller)")
        raise arguments.refuse(f"{taken} is loaded already, by {holder} (bentpipe kernel unload {name} removes it)")
    helper = Helper("load", name, *(word for setting in settings for word in ("--set", setting)))
    try:
        return helper, str(helper.answer()["loaded"])
    except BaseException:
        helper.__exit__(None, None, None)
        raise


def built_in() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Yield the controllers of the program, by their names in the kernel, with their parameters."""
    with Helper("list") as helper:
        found = helper.answer()["controllers"]
    for entry in found if isinstance(found, list) else ():
        yield entry["kernel_name"], entry["parameters"]
