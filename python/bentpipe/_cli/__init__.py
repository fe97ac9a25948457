# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command line: data on stdout, progress and errors on stderr, exit 0, 1, 2 or 130."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


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
        _compare,
        _completion,
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
    for room in (
        _runs,
        _compare,
        _space,
        _bottlenecks,
        _model,
        _ask,
        _doctor,
        _demo,
        _reproduce,
        _evaluate,
        _validate,
        _completion,
    ):
        room.register(commands)
    return top


def entry(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code. Never lets a traceback out for what a user can cause."""
    from bentpipe._errors import BentpipeError
    from bentpipe._names import printable

    try:
        chosen = parser().parse_args(arguments)
        code = int(chosen.run(chosen))
        sys.stdout.flush()
    except BentpipeError as error:
        sys.stderr.write(f"{printable(str(error), lines=True)}\n")
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
