# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command line. Data go to stdout, progress and errors to stderr. The exit code is 0, 1, 2 or 130."""

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
from bentpipe.cli.console import note, output, silence
from bentpipe.cli.plugins import load

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: A second Ctrl-C within this time, in seconds, ends the process at once.
_AGAIN_S = 3.0


class _Interrupts:
    """Handler of Ctrl-C and SIGTERM. The first signal raises KeyboardInterrupt; the second ends the process."""

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
    """Run a command and return the exit code. A user's mistake never prints a traceback.

    By default, the arguments are those of the process. In this case, Ctrl-C and SIGTERM end the process even if a run
    does not answer.
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
    """Run a command. `loaded` is called when the modules of the command are loaded, before its work begins."""
    _prepare_streams()
    try:
        try:
            if arguments is None and "_ARGCOMPLETE" in os.environ:
                from bentpipe.cli import completers  # imported here, because only completion needs argcomplete

                completers.answer(parser())
            for text in sys.argv[1:] if arguments is None else arguments:
                check_file_name(text)
            chosen = parser().parse_args(arguments)
            output.begin(chosen)
            loaded()
            load(getattr(chosen, "plugin", ()))
            code = int(chosen.run(chosen))
            if getattr(chosen, "printed", None) is not None:
                note(f"table: {output.write(chosen.printed)}")
            if (plots := sys.modules.get("bentpipe.plots")) is not None and (said := plots.missing_glyphs()):
                note(said)
        finally:
            sys.stdout.flush()
            output.end()
    except BentpipeError as error:
        note(str(error))
        return error.exit_code
    except KeyboardInterrupt as stop:
        kept = f": {stop}" if str(stop) else ""
        sys.stderr.write(f"error[interrupted]: stopped by the user{kept}\n")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of the output has closed it (`bentpipe … | head`), so no message is printed.
        silence()
        return 0
    except OSError as problem:
        # Files that commands write have their own errors, so this error is about stdout or stderr.
        silence()
        what = problem.filename or "the output"
        note(f"error[output-unwritable]: cannot write {what}: {plain(problem)}")
        return 1
    return code


def _prepare_streams() -> None:
    """Let closed streams discard output, and let streams write escapes for characters that their encoding lacks."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - for as long as we are
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
