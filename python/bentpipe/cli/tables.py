# SPDX-License-Identifier: MIT OR Apache-2.0
"""Print tables that fit the terminal and wrap only between words."""

from __future__ import annotations

import re
import shutil
import sys
from typing import TYPE_CHECKING

from bentpipe.base.names import printable
from bentpipe.base.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TextIO

    from rich.console import Console

#: Width of tables if stdout is not a terminal. It is large enough that no text is cut.
_WIDE = 200
#: Width of the space between two columns.
_GAP = 3
#: Cells that begin like a number stay on one line up to this width.
_NUMBER, _NUMBER_WIDTH = re.compile(r"([-+−<>~]|[≤≥] )?\d"), 24
#: Cells of the columns of keys stay on one line up to this width.
_KEY_WIDTH = 28
#: A cell with a number, and with half the width of its interval if it has an interval; cells without a number.
_ESTIMATE = re.compile(r"([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?: ± \?| ± <?(\d+(?:\.\d+)?)| \([^)]*\))?(?: %)?")
_UNKNOWN = ("–", "")
#: Spaces at the end of a line, among codes of styles, and the code that ends all styles.
_TRAILING, _PLAIN = re.compile(r"(?: |\x1b\[[0-9;]*m)+$"), "\x1b[0m"


def width(stream: TextIO) -> int | None:
    """Return the columns of a terminal, or of COLUMNS if it is set; None if the stream is not a terminal."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def draw(head: Sequence[str], rows: Iterable[Sequence[str]], title: str, keys: int = 1) -> str:
    """Return a table as text. If the terminal is too narrow, the text has parts, each with the first `keys` columns."""
    from rich.console import Console

    console = Console(width=width(sys.stdout) or _WIDE, highlight=False, markup=False)
    cells = [[printable(cell) for cell in row] for row in rows]
    with console.capture() as drawn:
        for number, which in enumerate(_parts([*map(printable, head)], cells, console.width, keys)):
            if title and number == 0:
                console.print(printable(title), style="italic")
            _part(console, [printable(head[at]) for at in which], [[row[at] for at in which] for row in cells], keys)
    return "".join(
        _TRAILING.sub(lambda end: _PLAIN if "\x1b" in end[0] else "", line) + "\n" for line in drawn.get().splitlines()
    )


def _parts(head: Sequence[str], cells: Sequence[Sequence[str]], room: int, keys: int) -> Iterator[list[int]]:
    """Return the indices of the columns of each part. If the keys leave no space for a column, only the first stays."""
    least = _least(head, cells, keys)
    if sum(least[:keys]) + max(least[keys:], default=0) + _GAP * (keys + 1) > room:
        keys = 1
    part: list[int] = []
    for at in range(keys, len(head)):
        if part and sum(least[one] + _GAP for one in (*range(keys), *part, at)) > room:
            yield [*range(keys), *part]
            part = []
        part.append(at)
    yield [*range(keys), *part]


def _least(head: Sequence[str], cells: Sequence[Sequence[str]], keys: int) -> list[int]:
    """Return the smallest width of each column at which no word, number and short key is broken."""
    return [
        max(_unbroken(name, is_key=False), *(_unbroken(row[at], is_key=at < keys) for row in cells), 1)
        for at, name in enumerate(head)
    ]


def _unbroken(cell: str, *, is_key: bool) -> int:
    if (is_key and len(cell) <= _KEY_WIDTH) or (len(cell) <= _NUMBER_WIDTH and _NUMBER.match(cell)):
        return len(cell)
    return max(map(len, cell.split()), default=0)


def _part(console: Console, head: Sequence[str], cells: Sequence[Sequence[str]], keys: int) -> None:
    from rich import box
    from rich.table import Table as RichTable

    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, width in zip(head, _widths(head, cells, console.width, keys), strict=True):
        drawn.add_column(name, overflow="fold", width=width)
    for row in cells:
        drawn.add_row(*row)
    console.print(drawn)


def _widths(head: Sequence[str], cells: Sequence[Sequence[str]], room: int, keys: int) -> list[int]:
    """Return the widths of columns. Text is on one line if there is space; otherwise the longest word still fits."""
    widths = _least(head, cells, keys)
    needs = [max(len(name), *(len(row[at]) for row in cells), 1) - widths[at] for at, name in enumerate(head)]
    spare = room - sum(width + _GAP for width in widths)
    if spare < 0:
        widest = max(range(len(widths)), key=widths.__getitem__)
        widths[widest] = max(widths[widest] + spare, 10)
        return widths
    order = sorted(range(len(head)), key=needs.__getitem__)
    for number, at in enumerate(order):
        more = min(needs[at], spare // (len(order) - number))
        widths[at] += more
        spare -= more
    return widths


def numbers(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Return a printed table with numbers in place of text.

    If all cells of a column are numbers, the column has numbers. A cell ``a ± b`` gives a number, and half the width of
    its interval in a further column. A dash is an unknown value.
    """
    import pyarrow as pa

    found: dict[str, list[object]] = {}
    for at, name in enumerate(head):
        cells = [row[at] for row in rows]
        pairs = [_estimate(cell) for cell in cells]
        own = _free(name, found)
        if all(pair is not None for pair in pairs) and any(pair[0] is not None for pair in pairs if pair is not None):
            found[own] = [pair[0] for pair in pairs if pair is not None]
            if any(pair[1] is not None for pair in pairs if pair is not None):
                found[_free(f"{own} ±", found)] = [pair[1] for pair in pairs if pair is not None]
        else:
            found[own] = [None if cell in _UNKNOWN else cell for cell in cells]
    return Table(pa.table(found))


def _free(name: str, taken: Mapping[str, object]) -> str:
    """Return the name of a column, numbered if another column has it."""
    same = sum(one == name or one.startswith(f"{name} (") for one in taken)
    return f"{name} ({same + 1})" if same else name


def _estimate(cell: str) -> tuple[float | None, float | None] | None:
    """Return the number of a cell, and half the width of its interval; None if the cell is text."""
    if cell in _UNKNOWN:
        return None, None
    match = _ESTIMATE.fullmatch(cell.replace(",", "").replace("−", "-"))
    return None if match is None else (float(match[1]), None if match[2] is None else float(match[2]))
