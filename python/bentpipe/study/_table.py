# SPDX-License-Identifier: MIT OR Apache-2.0
"""The parts of a row as data: what is measured, what is said of it, and tables of it.

A row is said in place: `reads` has its runs (beds by variants by seeds) in front of the function that makes a finding,
`found` takes the parts of that finding one after the other. A claim is an estimate and what is said of it, in one word:
`above`, `below`, `equals`, `at_least`, `at_most`. A `Measure` makes one number of each run; `table` has a line for each
group of runs and a column for each measure, `grid` one number over two things.
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
    """One number of each run: `goodput`, `loss_percent`; `each` makes one of a function of a single run."""

    def __call__(self, runs: Sequence[bp.Run], /) -> Sequence[float]:
        """The numbers."""


def each(measure: Callable[[bp.Run], float]) -> Measure:
    """A measure of one run after the other."""
    return lambda runs: [float(measure(run)) for run in runs]


def paired(ours: Sequence[float], base: Sequence[float]) -> bp.Estimate:
    """Mean of the paired differences, one pair for each seed."""
    return sampled([a - b for a, b in zip(ours, base, strict=True)])


class Statement(NamedTuple):
    """A statement about a number; attributes as in `Claim`. `above` and the functions like it make one."""

    unit: str = "%"
    digits: int = 1
    paper: float | None = None
    sign: int = 0
    neutral: float | None = None
    tolerance: float | None = None
    bound: bool = False
    check: bool = False


def above(unit: str = "%", digits: int = 1, *, than: float | None = None, check: bool = False) -> Statement:
    """That it is above a neutral value, 0 if not given."""
    return Statement(unit, digits, sign=1, neutral=than, check=check)


def below(unit: str = "%", digits: int = 1, *, than: float | None = None, check: bool = False) -> Statement:
    """That it is below a neutral value, 0 if not given."""
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
    """That it is a number, within a tolerance, and maybe on which side of a neutral value."""
    return Statement(unit, digits, paper, sign, neutral, within, check=check)


def at_least(paper: float, unit: str = "%", digits: int = 1, *, within: float = 0.0, check: bool = False) -> Statement:
    """That it keeps a lower bound."""
    return Statement(unit, digits, paper, 1, None, within, bound=True, check=check)


def at_most(paper: float, unit: str = "%", digits: int = 1, *, within: float = 0.0, check: bool = False) -> Statement:
    """That it keeps an upper bound."""
    return Statement(unit, digits, paper, -1, None, within, bound=True, check=check)


class Words(TypedDict, total=False):
    """What a claim has beside its number; as in `Claim`."""

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
    """A claim in words, our estimate, and what is said of it.

    Args:
        what: The claim in words.
        measured: The estimate in the main reading.
        said: What is said of it.
        words: Headline, notes, readings and what else a `Claim` has.
    """
    return Claim(what=what, measured=measured, **said._asdict(), **words)


def otherwise(others: Mapping[str, str], measure: Callable[[str], bp.Estimate]) -> tuple[InReading, ...]:
    """A claim in other readings.

    Args:
        others: Of each reading its name, and why a reviewer would accept it.
        measure: From the name to the estimate.
    """
    return tuple(InReading(name=name, why=why, measured=measure(name)) for name, why in others.items())


def heads(text: str) -> tuple[str, ...]:
    """The heads of a table, written with " | " between them.

    >>> heads(" | cwnd (segments) | at (s)")
    ('', 'cwnd (segments)', 'at (s)')
    """
    return tuple(text.split(" | "))


class Column(NamedTuple):
    """A column of a table with a line for each group of runs.

    Attributes:
        head: Its head.
        measure: What is measured. It may leave out runs that have no such number; a dash stands for fewer than two.
        digits: Digits after the point.
        against: From a line's name to that of the line against which the change in percent is shown; None for the
            number itself.
    """

    head: str
    measure: Measure
    digits: int = 2
    against: Callable[[Key], Key] | None = None


def table(title: str, first: str, lines: Mapping[Key, Sequence[bp.Run]], columns: Sequence[Column]) -> Sheet:
    """A sheet of means with their intervals; where lines differ in the number of runs it says how many each has.

    Args:
        title: Its title.
        first: The heads of the cells that name a line, as of `heads`.
        lines: The runs of each line by the cells that name it.
        columns: What is measured.
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
    """A sheet of one number over two things.

    Args:
        title: Its title.
        first: The head of the rows' names.
        rows: The first of the two.
        columns: The second by the heads of its columns.
        cell: From a row and a column to the number, or a text.
        digits: Digits after the point.
    """

    def text(row: _R, column: _C) -> str:
        found = cell(row, column)
        return found if isinstance(found, str) else found.text(digits)

    lines = [[str(row), *(text(row, column) for column in columns.values())] for row in rows]
    return Sheet(title, (first, *columns), lines)
