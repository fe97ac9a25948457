# SPDX-License-Identifier: MIT OR Apache-2.0
"""The parts of a row as data: measures, statements and tables.

`reads` adds the runs to the function that computes a finding. `found` makes the finding from its parts. `claim` makes a
claim from an estimate and a statement: `above`, `below`, `equals`, `at_least` or `at_most`. A `Measure` computes one
number for each run. `table` has a line for each group of runs and a column for each measure. `grid` shows one number
for all combinations of two parameters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypedDict, TypeVar, Unpack

import bentpipe as bp
from bentpipe.study._claims import Claim, Combinations, InReading
from bentpipe.study._measures import change_text, sampled
from bentpipe.study._study import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bentpipe.study._study import Key

_R = TypeVar("_R")
_C = TypeVar("_C")


class Measure(Protocol):
    """A function that returns one number for each run. `each` makes a measure from a function of one run."""

    def __call__(self, runs: Sequence[bp.Run], /) -> Sequence[float]:
        """Return one number per run."""


def each(measure: Callable[[bp.Run], float]) -> Measure:
    """Make a measure from a function of one run."""
    return lambda runs: [float(measure(run)) for run in runs]


def paired(ours: Sequence[float], base: Sequence[float]) -> bp.Estimate:
    """Compute the mean of the paired differences, one pair for each seed."""
    return sampled([a - b for a, b in zip(ours, base, strict=True)])


class Statement(NamedTuple):
    """A statement about a number, made by `above` and similar functions. The attributes are those of `Claim`."""

    unit: str = "%"
    digits: int = 1
    paper: float | None = None
    sign: int = 0
    neutral: float | None = None
    tolerance: float | None = None
    bound: bool = False
    check: bool = False


def above(unit: str = "%", digits: int = 1, *, than: float | None = None, check: bool = False) -> Statement:
    """State that the number is above the neutral value `than`, by default 0."""
    return Statement(unit, digits, sign=1, neutral=than, check=check)


def below(unit: str = "%", digits: int = 1, *, than: float | None = None, check: bool = False) -> Statement:
    """State that the number is below the neutral value `than`, by default 0."""
    return Statement(unit, digits, sign=-1, neutral=than, check=check)


def equals(
    paper: float,
    unit: str = "%",
    digits: int = 1,
    *,
    within: float | None = None,
    sign: int = 0,
    neutral: float | None = None,
    check: bool = False,
) -> Statement:
    """State that the number equals `paper` within a tolerance; optionally, that it is on a side of a neutral value."""
    return Statement(unit, digits, paper, sign, neutral, within, check=check)


def at_least(paper: float, unit: str = "%", digits: int = 1, *, within: float = 0.0, check: bool = False) -> Statement:
    """State that the number is at least `paper`."""
    return Statement(unit, digits, paper, 1, None, within, bound=True, check=check)


def at_most(paper: float, unit: str = "%", digits: int = 1, *, within: float = 0.0, check: bool = False) -> Statement:
    """State that the number is at most `paper`."""
    return Statement(unit, digits, paper, -1, None, within, bound=True, check=check)


class Words(TypedDict, total=False):
    """The optional attributes of a claim, as in `Claim`."""

    note: str
    headline: str
    decides: str
    readings: tuple[InReading, ...]
    combinations: Combinations | None
    implied: float | None
    contradiction: str
    tool: bp.Estimate | None
    tool_note: str
    never: float | None
    letter: str


def claim(what: str, measured: bp.Estimate, said: Statement, **words: Unpack[Words]) -> Claim:
    """Make a claim from its words, our estimate, and a statement about the number.

    Args:
        what: The claim in words.
        measured: The estimate in the main reading.
        said: The statement about the number.
        words: Further attributes of `Claim`: headline, note, readings and so on.
    """
    return Claim(what=what, measured=measured, **said._asdict(), **words)


def otherwise(others: Mapping[str, str], measure: Callable[[str], bp.Estimate]) -> tuple[InReading, ...]:
    """Measure a claim in other readings.

    Args:
        others: The name of each reading, with the reason why a reviewer would accept it.
        measure: Function from the name of the reading to the estimate.
    """
    return tuple(InReading(name=name, why=why, measured=measure(name)) for name, why in others.items())


def heads(text: str) -> tuple[str, ...]:
    """Split the headings of a table, which are separated by " | ".

    >>> heads(" | cwnd (segments) | at (s)")
    ('', 'cwnd (segments)', 'at (s)')
    """
    return tuple(text.split(" | "))


class Column(NamedTuple):
    """A column of `table`.

    Attributes:
        head: Heading of the column.
        measure: The measure. It may leave out runs that do not have such a number. If fewer than two numbers remain,
            the cell is a dash.
        digits: Digits after the point.
        against: Function that maps the name of a line to the name of the line to compare with. The cell is then the
            change in percent. If None, the cell is the number itself.
    """

    head: str
    measure: Measure
    digits: int = 2
    against: Callable[[Key], Key] | None = None


def table(title: str, first: str, lines: Mapping[Key, Sequence[bp.Run]], columns: Sequence[Column]) -> Sheet:
    """Make a table of means with intervals. If lines have different numbers of runs, the table contains these numbers.

    Args:
        title: Title of the table.
        first: The headings of the cells that name a line, in the form for `heads`.
        lines: The runs of each line, by the cells that name the line.
        columns: The columns.
    """

    def cell(name: Key, runs: Sequence[bp.Run], column: Column) -> str:
        if column.against is None:
            values = column.measure(runs)
            return bp.estimate(values).text(column.digits) if len(values) >= min(2, len(runs)) else "–"
        base = column.against(name)
        if name == base:
            return "–"
        return change_text(bp.relative_change(column.measure(runs), column.measure(lines[base])))

    differ = len({len(runs) for runs in lines.values()}) > 1
    return Sheet(
        title,
        (*heads(first), *["n"] * differ, *(column.head for column in columns)),
        [
            [*map(str, name), *[str(len(runs))] * differ, *(cell(name, runs, column) for column in columns)]
            for name, runs in lines.items()
        ],
    )


def grid(
    title: str,
    first: str,
    rows: Iterable[_R],
    columns: Mapping[str, _C],
    cell: Callable[[_R, _C], bp.Estimate | str],
    digits: int = 1,
) -> Sheet:
    """Make a table of one number for all combinations of two parameters.

    Args:
        title: Title of the table.
        first: The heading of the rows' names.
        rows: The values of the first parameter.
        columns: The values of the second parameter, by the heading of their column.
        cell: Function from the values of a row and a column to the number, or to a text.
        digits: Digits after the point.
    """

    def text(row: _R, column: _C) -> str:
        found = cell(row, column)
        return found if isinstance(found, str) else found.text(digits)

    lines = [[str(row), *(text(row, column) for column in columns.values())] for row in rows]
    return Sheet(title, (first, *columns), lines)
