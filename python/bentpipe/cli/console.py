# SPDX-License-Identifier: MIT OR Apache-2.0
"""Output of commands: tables on stdout, progress on stderr. The functions that draw import rich."""

from __future__ import annotations

import json
import os
import sys
import textwrap
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bentpipe.base.json import finite
from bentpipe.base.names import printable
from bentpipe.cli import tables

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

#: Seconds between two lines of progress where stderr is not a terminal.
EVERY_S = 10.0
#: Sentences are wrapped at this width.
_WIDTH = 100
#: Beginnings of the lines that `--quiet` does not suppress: also the address of a view.
_LOUD = ("error", "warning", "view: ")


@dataclass
class Output:
    """The output of a command, as its options select it.

    Attributes:
        is_json: Whether only JSON is printed on stdout, without tables and lines of text.
        is_quiet: Whether only errors and warnings are printed on stderr.
        tables: Heading and rows of the tables that were printed so far.
    """

    is_json: bool = False
    is_quiet: bool = False
    tables: list[tuple[list[str], list[list[str]]]] = field(default_factory=list)

    def begin(self, chosen: Namespace) -> None:
        """Follow the options of a command."""
        self.is_json, self.is_quiet = getattr(chosen, "json", False), getattr(chosen, "quiet", False)
        self.tables.clear()

    def end(self) -> None:
        """Return to the usual output, because another command may follow in this process."""
        self.is_json = self.is_quiet = False

    def write(self, target: Path) -> Path:
        """Write the first printed table as CSV or as an Excel workbook. Errors are those of `Table.write`."""
        return tables.numbers(*(self.tables[0] if self.tables else ([], []))).write(target)


#: The output of the command that runs.
output = Output()


def say(text: str = "") -> None:
    """Print a line of data on stdout. With ``--json``, print nothing."""
    if not output.is_json:
        _write(f"{printable(text, lines=True)}\n")


def _write(text: str) -> None:
    """Write on stdout. If stdout is closed (`bentpipe … | head`), the command continues, because it may write files."""
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        silence()


def silence() -> None:
    """Discard output from now on. Otherwise Python would report the closed pipe again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_wrapped(text: str) -> None:
    """Print sentences on stdout, in lines of at most 100 characters."""
    for line in textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False):
        say(line)


def note(text: str) -> None:
    """Print a line for readers on stderr."""
    if not output.is_quiet or text.startswith(_LOUD):
        sys.stderr.write(f"{printable(text, lines=True)}\n")


def say_json(value: object) -> None:
    """Print a value as JSON on stdout, with null for NaN and escapes for characters that the encoding lacks."""
    is_complete = (sys.stdout.encoding or "utf-8").lower() == "utf-8"
    text = json.dumps(finite(value), indent=2, ensure_ascii=not is_complete)
    _write(f"{printable(text, lines=True)}\n")


def said(number: float | None, form: str) -> str:
    """Return the text of a number in a format; a dash if the number is not known."""
    return "–" if number is None else format(number, form)


def plural(count: int, what: str) -> str:
    """Return a count and its noun, singular or plural."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def rough_size(count: float) -> str:
    """Return a number of bytes with three digits, in a suitable unit."""
    unit, size = next(((unit, size) for unit, size in (("GB", 1e9), ("MB", 1e6)) if count >= size), ("kB", 1e3))
    return f"{count / size:.3g} {unit}"


def rough_time(seconds: float) -> str:
    """Return a time with two digits in a suitable unit: 95 s, 12 min, 3.4 h."""
    unit, size = next(
        ((unit, size) for unit, size in (("h", 3600.0), ("min", 60.0)) if seconds >= 2.0 * size), ("s", 1.0)
    )
    value = seconds / size
    return f"{value:.0f} {unit}" if value >= 10.0 else f"{value:.2g} {unit}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], title: str | None = None) -> None:
    """Print a table on stdout, in parts if the terminal is too narrow."""
    cells = [list(row) for row in rows]
    output.tables.append((list(head), cells))
    if not output.is_json:
        _write(tables.draw(head, cells, title or ""))


def there_already(count: int) -> str:
    """Return a note in brackets with the number of runs that existed already; empty if there are none."""
    return f" ({plural(count, 'run')} existed already)" if count else ""


def tell_failures(lines: Iterable[str], *, failed: int, made: int) -> int:
    """Print the last lines of a batch in which runs may have failed, and return the exit code.

    Args:
        lines: A line for each kind of failure.
        failed: Number of failed runs.
        made: Number of the other runs.
    """
    for line in lines:
        note(line)
    if failed:
        note(f"{failed} of {failed + made} runs failed; the other runs are not affected")
    return 1 if failed else 0


@contextmanager
def progress(what: str = "running", unit: str = "runs") -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on stderr. On Ctrl-C, the text of the exception says how many of the `unit` have finished."""
    seen = (0, 0)
    with _bar(what) as draw:

        def update(done: int, total: int) -> None:
            nonlocal seen
            seen = (done, total)
            draw(done, total)

        try:
            yield update
        except KeyboardInterrupt:
            finished = f"{seen[0]} of {seen[1]} {unit} finished" if seen[0] else "no run finished"
            raise KeyboardInterrupt(finished) from None


@contextmanager
def _lines(what: str) -> Iterator[Callable[[int, int], None]]:
    """Print a line of progress every `EVERY_S`, also while no run ends."""
    began, done, total = time.monotonic(), 0, 0
    is_over = threading.Event()

    def update(now: int, every: int) -> None:
        nonlocal done, total
        done, total = now, every

    def write() -> None:
        while not is_over.wait(EVERY_S):
            count = f"{done} of {total}" if total else "not counted yet"
            note(f"{what}: {count}, {rough_time(time.monotonic() - began)}")

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    try:
        yield update
    finally:
        is_over.set()
        writer.join()


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar if stderr is a terminal, otherwise print a line at intervals."""
    if output.is_quiet:
        yield lambda _done, _total: None
        return
    if not sys.stderr.isatty():
        with _lines(what) as update:
            yield update
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """The rate in items per second."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:.3g}/s" if task.speed else "")

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
