# SPDX-License-Identifier: MIT OR Apache-2.0
"""Errors, each with a stable code. `bentpipe schema errors` lists the codes and their meanings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe.runs.run import Run


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One thing that is wrong with a document.

    Attributes:
        code: Stable code for scripts, for example ``scenario-unknown-key``.
        message: What is wrong and how to fix it, without the place.
        file: The name of the file that the caller gave; empty for text without a file.
        line: The line, counted from 1; None if the line is not known.
        key: Path of the key, ``network.dumbbell.rate`` or ``flows[0].size``; empty if the fault is not at a key.
        value: The refused value as TOML has it, or the unknown key; None if the fault is not about one value.
        bound: What is allowed, a range or a type; None if the value has no bound.
        alternatives: All keys or words that are allowed there, the nearest first.
        fix: What to do or to write, as at the end of the message. None if the message has the fix in another form.
    """

    code: str
    message: str
    file: str = ""
    line: int | None = None
    key: str = ""
    value: str | None = None
    bound: str | None = None
    alternatives: tuple[str, ...] = ()
    fix: str | None = None


class BentpipeError(Exception):
    """Base class of all errors: a request that Bentpipe refuses, or that fails.

    Attributes:
        code: Stable code for scripts, for example ``scenario-unknown-key``.
        message: What was attempted, the value, the bound, the place and the fix.
        faults: What is wrong with a document, in the order of its lines; empty if the error is not about a document.
    """

    def __init__(self, code: str, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(code, message, tuple(faults))
        self.code = code
        self.message = message
        self.faults = tuple(faults)

    @property
    def exit_code(self) -> int:
        """The exit code of a command: 1 if something failed, 2 if the request is wrong."""
        return 1

    def __str__(self) -> str:
        """Return the message, with the code before it."""
        return f"error[{self.code}]: {self.message}"


class RunError(BentpipeError):
    """A run could not be made, written or read, although the request was correct."""

    @property
    def exit_code(self) -> int:
        """The exit code is 1; or 2 if a folder is not a run folder, or a file does not exist."""
        return 2 if self.code == "folder-not-a-run" else 1


class BatchError(RunError):
    """Some runs of a batch failed. The other runs were made.

    Attributes:
        code: The code of the first run that failed.
        results: For each scenario its run, or the error with which the run ended.
    """

    def __init__(self, code: str, message: str, results: Sequence[Run | BentpipeError]) -> None:
        super().__init__(code, message)
        self.args = (code, message, results)
        self.results = list(results)


class ScenarioError(BentpipeError):
    """A scenario, an option or a name is wrong."""

    @property
    def exit_code(self) -> int:
        """The exit code is 2."""
        return 2


class ArgumentError(ScenarioError, ValueError):
    """An argument of a function has the wrong type or is out of bounds. The message states what is allowed."""
