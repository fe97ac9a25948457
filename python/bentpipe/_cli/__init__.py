# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command line: data on stdout, progress and errors on stderr, exit 0, 1, 2 or 130."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
#: A second Ctrl-C within so long ends the process at once.
_AGAIN_S = 3.0


class _Parser(argparse.ArgumentParser):
    """Errors in the house's form: one line, then how to get help."""

    def error(self, message: str) -> NoReturn:
        sys.stderr.write(f"error[usage]: {message}\n{self.prog} --help says more\n")
        sys.exit(EXIT_USAGE)


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    from bentpipe import _core
    from bentpipe._cli import (
        _ask,
        _bottlenecks,
        _demo,
        _doctor,
        _evaluate,
        _model,
        _reproduce,
        _runs,
        _space,
        _validate,
    )

    top = _Parser(prog="bentpipe", description="A laboratory for congestion control over satellite networks.")
    top.add_argument("--version", action="version", version=f"bentpipe {_core.version()}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for room in (_runs, _space, _bottlenecks, _model, _ask, _doctor, _demo, _reproduce, _evaluate, _validate):
        room.register(commands)
    return top


class _Interrupts:
    """What Ctrl-C does: KeyboardInterrupt, and the second time the end, whatever is under way."""

    def __init__(self) -> None:
        self._last = float("-inf")

    def __call__(self, _signal: int, _frame: object) -> None:
        now = time.monotonic()
        if now - self._last < _AGAIN_S:
            if sys.stderr.isatty():
                # A progress bar hides the cursor.
                os.write(sys.stderr.fileno(), b"\x1b[?25h\n")
            os._exit(EXIT_INTERRUPTED)
        self._last = now
        raise KeyboardInterrupt


def entry(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code. Never lets a traceback out for what a user can cause.

    Without arguments it is the process that was started with its own: Ctrl-C ends it, though a run may have been left
    behind that does not answer.
    """
    if arguments is not None:
        return _call(arguments)
    # A shell may have told the commands that it starts in the background to ignore it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _Interrupts())
    code = _call(None)
    if code == EXIT_INTERRUPTED:
        sys.stderr.flush()
        os._exit(code)
    return code


def _call(arguments: Sequence[str] | None) -> int:
    from bentpipe._errors import BentpipeError

    try:
        chosen = parser().parse_args(arguments)
        code = int(chosen.run(chosen))
        sys.stdout.flush()
    except BentpipeError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except KeyboardInterrupt as stop:
        kept = f": {stop}" if str(stop) else ""
        sys.stderr.write(f"error[interrupted]: stopped by the user{kept}\n")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away (`bentpipe … | head`): nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code
