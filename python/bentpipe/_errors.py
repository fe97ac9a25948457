# SPDX-License-Identifier: MIT OR Apache-2.0
"""What can go wrong, with a stable code. The codes and their meanings: `bentpipe schema errors`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe._run import Run


class BentpipeError(Exception):
    """Anything that Bentpipe refuses or fails to do.

    Attributes:
        code: Stable and made for scripts, e.g. ``scenario-unknown-key``.
        message: What was attempted, the value, the bound, the place and the fix.
    """

    exit_code = 1

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        """The message with its code in front."""
        return f"error[{self.code}]: {self.message}"


class RunError(BentpipeError):
    """A run that could not be made or written although it was asked for rightly."""


class BatchError(RunError):
    """Some runs of a batch failed; the others were made.

    Attributes:
        code: That of the first that failed.
        results: What stands in the place of each scenario: its run, or the error that it ended with.
    """

    def __init__(self, code: str, message: str, results: Sequence[Run | BentpipeError]) -> None:
        super().__init__(code, message)
        self.args = (code, message, results)
        self.results = list(results)


class ScenarioError(BentpipeError):
    """A scenario, an option or a name that cannot be used as it is written."""

    exit_code = 2


class ArgumentError(ScenarioError, ValueError):
    """An argument of a function that is of the wrong type or out of its bounds; the message says what is right."""
