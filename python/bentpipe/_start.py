# SPDX-License-Identifier: MIT OR Apache-2.0
"""Let Ctrl-C and SIGTERM end the command `bentpipe` at once while its modules are loaded.

`import bentpipe` imports this module first. In a program that only imports the package, this module changes nothing.
Until this module is loaded, Python handles Ctrl-C.
"""

import os
import sys

# Loading `typing`, or `enum` (which `signal` imports), would take milliseconds. `_signal` does not import `enum`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn
else:
    import _signal as signal

EXIT_INTERRUPTED = 130


def stop(_signal: int, _frame: "FrameType | None") -> "NoReturn":
    """End the process at once. An exception could interrupt any import, and nothing has been written yet."""
    try:
        if sys.stderr is not None:
            os.write(sys.stderr.fileno(), b"error[interrupted]: stopped by the user\n")
    finally:
        os._exit(EXIT_INTERRUPTED)


def heed(answer: "Callable[[int, FrameType | None], object]") -> None:
    """Let `answer` handle Ctrl-C and SIGTERM.

    If a shell started the command in the background and set Ctrl-C to be ignored, the command still ignores Ctrl-C.
    """
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(number) in (usual, stop):
            signal.signal(number, answer)


def _is_command() -> bool:
    """Return whether the process was started as `bentpipe` or as `python -m bentpipe`."""
    # `orig_argv` has the options of the interpreter first, then the name of the program and its arguments.
    program = "".join(sys.orig_argv[-len(sys.argv) :][:1])
    return os.path.basename(program) in ("bentpipe", "-mbentpipe")  # noqa: PTH119 - pathlib takes its time to load


if _is_command():
    heed(stop)
