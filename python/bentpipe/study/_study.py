# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a study is: a plain list of rows, each with the runs it needs and what they say."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from bentpipe.study._claims import Claim, Verdict, weakest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    import bentpipe as bp
    from bentpipe.study._runs import Runs

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
    """A parameter of an evaluation: its value, and the place in the paper or the reason of our choice."""

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
        last: It reads what the other rows said (`Runs.outcomes`): it comes after them, and is made anew every time.
    """

    id: str
    place: str
    what: str
    says: str
    read: Callable[[Runs], Finding]
    plan: Callable[[Effort], Mapping[Key, bp.Scenario]] = _nothing
    last: bool = False


@dataclass(frozen=True, kw_only=True)
class Study:
    """A question that rows answer: a paper measured again, or one of your own.

    Attributes:
        name: As on the command line, and of its page: lower-case letters, digits and hyphens.
        title: The paper's title, or the question.
        short: The title in a few words, for tables; the title if not given.
        about: What it is about and how it was evaluated, in a paragraph.
        given: Parameters that the paper gives, with the place.
        chosen: Parameters that it does not give, with our reason.
        changed: What was changed after a first look at results: a claim, a reading, a measure. Readers should know.
        rows: Its experiments and claims, in the order of the paper; each with an id of its own.

    Raises:
        ValueError: If the name cannot be used, or two rows have the same id.
    """

    name: str
    title: str
    short: str = ""
    about: str
    rows: Sequence[Row]
    given: Sequence[Setting] = ()
    chosen: Sequence[Setting] = ()
    changed: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Names stand on the command line and in file names; rows are found by id."""
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", self.name) or self.name == "all":
            raise ValueError(f"a study cannot be named {self.name!r}: use lower-case letters, digits and hyphens")
        ids = [row.id for row in self.rows]
        if twice := sorted({one for one in ids if ids.count(one) > 1}):
            raise ValueError(f"rows of the study {self.name!r} need ids of their own: {', '.join(twice)}")
