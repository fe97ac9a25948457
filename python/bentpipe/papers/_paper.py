# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a paper is here: a plain list of rows, each with the runs it needs and what they say."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from bentpipe.papers._claims import Claim, Verdict, weakest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    import bentpipe as bp
    from bentpipe.papers._runs import Runs

#: Names a run within a row, the seed last: ``("cubic", 600, 1)``.
Key: TypeAlias = tuple[Hashable, ...]

_T = TypeVar("_T")


@dataclass(frozen=True)
class Effort:
    """How much is done.

    Attributes:
        seeds: Seeds of every row with chance in it, the same for all that are compared.
        quick: Whether a first look is wanted: fewer points, shorter runs where the row says so.
    """

    seeds: tuple[int, ...]
    quick: bool = False

    def pick(self, quick: _T, full: _T) -> _T:
        """One of two."""
        return quick if self.quick else full


class Setting(NamedTuple):
    """A parameter of the paper's evaluation: its value, and the place in the paper or the reason of our choice."""

    name: str
    value: str
    why: str


class Sheet(NamedTuple):
    """A table of the report."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class Picture(NamedTuple):
    """A figure of the report."""

    caption: str
    figure: Figure


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a row's runs say.

    Attributes:
        claims: The paper's claims beside our numbers.
        why: One line: why the verdict is what it is. A row without claims says here why it cannot be tested, or what
            the answer is to what the paper leaves open.
        sheets: Tables.
        pictures: Figures, the paper's number marked where there is one.
        notes: The readings that were tried, and what a reader must know.
    """

    why: str
    claims: Sequence[Claim] = ()
    sheets: Sequence[Sheet] = ()
    pictures: Sequence[Picture] = ()
    notes: Sequence[str] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict of the weakest claim."""
        return weakest(self.claims)


def _nothing(_: Effort) -> Mapping[Key, bp.Scenario]:
    return {}


@dataclass(frozen=True, kw_only=True)
class Row:
    """One experiment, figure, table, formula or claim.

    Attributes:
        id: ``A-13``: the paper's letter and a number.
        place: Where in the paper.
        what: What is measured or claimed.
        says: What the paper says, in words.
        read: From the runs to the finding.
        plan: The runs it needs; rows that need the same scenario share the run.
        last: It reads what the other rows said (`Runs.kept`): it comes after them, and is made anew every time.
    """

    id: str
    place: str
    what: str
    says: str
    read: Callable[[Runs], Finding]
    plan: Callable[[Effort], Mapping[Key, bp.Scenario]] = _nothing
    last: bool = False


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper: what it gives, what we chose, and its rows.

    Attributes:
        name: As on the command line.
        title: The paper's title.
        short: The title in a few words, for tables; the title if not given.
        about: What it proposes and how it was evaluated, in a paragraph.
        given: Parameters that the paper gives, with the place.
        chosen: Parameters that it does not give, with our reason.
        changed: What was changed after a first look at results: a claim, a reading, a measure. Readers should know.
        rows: Its experiments and claims, in the order of the paper.
    """

    name: str
    title: str
    short: str = ""
    about: str
    rows: Sequence[Row]
    given: Sequence[Setting] = ()
    chosen: Sequence[Setting] = ()
    changed: Sequence[str] = ()
