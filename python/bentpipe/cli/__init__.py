# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command line: data on stdout, progress and errors on stderr, exit 0, 1, 2 or 130."""

from __future__ import annotations

import io
import os
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from bentpipe._start import EXIT_INTERRUPTED, heed, stop
from bentpipe.base.arguments import check_file_name
from bentpipe.base.errors import BentpipeError
from bentpipe.base.files import plain
from bentpipe.cli.commands import parser
from bentpipe.cli.console import note
from bentpipe.cli.plugins import load

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: A second Ctrl-C within so long ends the process at once.
_AGAIN_S = 3.0


class _Interrupts:
    """What Ctrl-C and SIGTERM do: KeyboardInterrupt, and the second time the end, whatever is under way."""

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

    Without arguments it is the process that was started with its own: Ctrl-C and SIGTERM end it, though a run may have
    been left behind that does not answer.
    """
    if arguments is not None:
        return _call(arguments, lambda: None)
    heed(stop)
    code = _call(None, partial(heed, _Interrupts()))
    if code == EXIT_INTERRUPTED:
        sys.stderr.flush()
        os._exit(code)
    return code


def _call(arguments: Sequence[str] | None, loaded: Callable[[], None]) -> int:
    """Run a command; `loaded` is called when its modules are loaded, before its work begins."""
    _prepare_streams()
    try:
        try:
            for text in sys.argv[1:] if arguments is None else arguments:
                check_file_name(text)
            chosen = parser().parse_args(arguments)
            loaded()
            load(getattr(chosen, "plugin", ()))
            code = int(chosen.run(chosen))
        finally:
            sys.stdout.flush()
    except BentpipeError as error:
        note(str(error))
        return error.exit_code
    except KeyboardInterrupt as stop:
        kept = f": {stop}" if str(stop) else ""
        sys.stderr.write(f"error[interrupted]: stopped by the user{kept}\n")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away (`bentpipe … | head`): nothing is left to say.
        _silence()
        return 0
    except OSError as problem:
        # Files that commands write have errors of their own: this is the output.
        _silence()
        what = problem.filename or "the output"
        note(f"error[output-unwritable]: cannot write {what}: {plain(problem)}")
        return 1
    return code


def _prepare_streams() -> None:
    """Output that is closed is thrown away, and what its encoding lacks is written as an escape."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - for as long as we are
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _silence() -> None:
    """Python writes what is left at its end: into nothing, or it would complain again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
