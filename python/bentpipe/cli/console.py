# SPDX-License-Identifier: MIT OR Apache-2.0
"""Output of commands: tables on stdout, progress on stderr. The functions that draw import rich."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bentpipe.base.names import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

#: Width of tables where stdout is not a terminal: no text is cut off.
_WIDE = 200


def say(text: str = "") -> None:
    """A line of data on stdout."""
    sys.stdout.write(f"{printable(text, lines=True)}\n")


def note(text: str) -> None:
    """A line for people on stderr."""
    sys.stderr.write(f"{printable(text, lines=True)}\n")


def say_json(value: object) -> None:
    """A value as JSON on stdout, with JSON escapes for characters that the encoding lacks."""
    is_complete = (sys.stdout.encoding or "utf-8").lower() == "utf-8"
    say(json.dumps(value, indent=2, ensure_ascii=not is_complete))


def said(number: float | None, form: str) -> str:
    """A number in a table, by a format; a dash if it is not known."""
    return "–" if number is None else format(number, form)


def plural(count: int, what: str) -> str:
    """A count and its noun, singular or plural."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def rough_size(count: float) -> str:
    """A number of bytes with three digits, in a suitable unit."""
    unit, size = next(((unit, size) for unit, size in (("GB", 1e9), ("MB", 1e6)) if count >= size), ("kB", 1e3))
    return f"{count / size:.3g} {unit}"


def rough_time(seconds: float) -> str:
    """A time with two digits in a suitable unit: 95 s, 12 min, 3.4 h."""
    unit, size = next(
        ((unit, size) for unit, size in (("h", 3600.0), ("min", 60.0)) if seconds >= 2.0 * size), ("s", 1.0)
    )
    return f"{seconds / size:.2g} {unit}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], title: str | None = None) -> None:
    """A table on stdout."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable

    console = Console(width=None if sys.stdout.isatty() else _WIDE, highlight=False, markup=False)
    drawn = RichTable(
        box=box.SIMPLE_HEAD, title=printable(title) if title else None, title_justify="left", pad_edge=False
    )
    for name in head:
        drawn.add_column(printable(name), overflow="fold")
    for row in rows:
        drawn.add_row(*map(printable, row))
    console.print(drawn)


def wide_table(head: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> None:
    """A table on stdout, in parts that fit the terminal."""
    for part, cells in fitting(head, rows):
        table(part, cells, title=title)
        title = ""


def fitting(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """A wide table in parts that fit the terminal, each with the first column."""
    from rich.console import Console

    room = Console().width if sys.stdout.isatty() else _WIDE
    widths = [3 + max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    part: list[int] = []
    for at in range(1, len(head)):
        if part and widths[0] + sum(widths[one] for one in part) + widths[at] > room:
            yield _columns(head, rows, [0, *part])
            part = []
        part.append(at)
    yield _columns(head, rows, [0, *part])


def _columns(
    head: Sequence[str], rows: Sequence[Sequence[str]], which: Sequence[int]
) -> tuple[list[str], list[list[str]]]:
    return [head[at] for at in which], [[row[at] for at in which] for row in rows]


def there_already(count: int) -> str:
    """The number of runs that existed already, in brackets; empty if none did."""
    return f" ({plural(count, 'run')} existed already)" if count else ""


def tell_failures(lines: Iterable[str], *, failed: int, made: int) -> int:
    """The last lines of a batch in which runs failed; the exit code.

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
    """A progress bar on stderr; on Ctrl-C the exception has the number of finished `unit`."""
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
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar that is drawn if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
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
