# SPDX-License-Identifier: MIT OR Apache-2.0
"""Wait for events. No test depends on the speed of the machine."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import Popen
from typing import Any

#: Time limit of every wait in a test, in s. Only a process that hangs exceeds it. `faulthandler_timeout` in
#: pyproject.toml ends a test that waits without this limit.
HANG_S = 900.0
#: Interval between two checks in s. No result depends on it.
_LOOK_S = 0.02


def until(happened: Callable[[], object], process: Popen[Any] | None = None) -> None:
    """Waits until `happened()` is true.

    Args:
        happened: Function that checks for the event.
        process: The process that causes the event. If this process ends first, the wait fails. If the wait fails, the
            process is ended.

    Raises:
        AssertionError: If the event can no longer happen, or did not happen within `HANG_S`.
    """
    end = time.monotonic() + HANG_S
    try:
        while not happened():
            is_over = process is not None and process.poll() is not None
            assert not is_over or happened(), f"the process ended before the event: {process}"
            assert time.monotonic() < end, "the event did not happen"
            time.sleep(_LOOK_S)
    except BaseException:
        if process is not None:
            process.kill()
            process.wait()
        raise


def ended(
    command: Sequence[str | Path], *, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command that starts processes of its own, and return its exit code and its output.

    Raises:
        subprocess.TimeoutExpired: If a process of the command hangs. All of them are then killed: one that is left
            would keep the pipes open.
    """
    with Popen(
        command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            out, errors = process.communicate(timeout=HANG_S)
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(list(command), process.returncode, out, errors)


def heed_interrupts() -> None:
    """Restore the default reaction to Ctrl-C. A shell may start processes so that they ignore the signal."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def interrupted(process: Popen[str], number: signal.Signals = signal.SIGINT) -> str:
    """Send Ctrl-C (or `number`) to a process that would not end by itself, and return its stderr."""
    assert process.poll() is None, "the process ended before the signal"
    process.send_signal(number)
    try:
        _, errors = process.communicate(timeout=HANG_S)
    finally:
        process.kill()
    assert process.returncode == 130, errors
    return errors
