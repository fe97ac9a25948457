# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a study is: a plain list of rows, each with the runs it needs and what they say.

A paper measured again is one kind of study. What a row finds are claims (the paper's number or its side of a
neutral value, a tolerance, and our estimate), tables, pictures and a line that says why. The scoreboard counts the
verdicts of the claims. Formulas are in ``crates/fluid``, never in a row: a row measures a controller or prints a model.
A change after a first look at results is in the report (`Study.changed`), with the results of the first form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Required, TypeAlias, TypedDict, TypeVar, Unpack

from bentpipe import plots
from bentpipe.runs.looks import levels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    import bentpipe as bp
    from bentpipe.study._claims import Claim, Combinations
    from bentpipe.study._curves import Curve
    from bentpipe.study._runs import Runs

#: Names a run within a row, the seed last: ``("cubic", 600, 1)``.
Key: TypeAlias = tuple[Hashable, ...]

#: The runs of a row by key.
Plan: TypeAlias = Mapping[Key, "bp.Scenario"]

_T = TypeVar("_T")


@dataclass(frozen=True)
class Effort:
    """How much is done.

    Attributes:
        seeds: Seeds of every row with chance in it, the same for all that are compared.
        quick: Whether a first look is wanted: fewer points, shorter runs where the row says so.
        looks: At how many seeds it is looked whether a row is decided, mostly `LOOKS`; the row goes on to the next look
            only if it is not. Empty: one look at all seeds.

    Raises:
        ValueError: If the looks do not ascend, or the seeds do not end at one of them.
    """

    seeds: tuple[int, ...]
    quick: bool = False
    looks: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """A look is at a number of seeds."""
        if self.looks and (list(self.looks) != sorted(set(self.looks)) or len(self.seeds) not in self.looks):
            looks = ", ".join(map(str, self.looks))
            raise ValueError(f"{len(self.seeds)} seeds with looks at {looks}: looks ascend, and the seeds end at one")

    @property
    def level(self) -> float:
        """Confidence of the intervals at this look: of all looks together 95 %."""
        return levels(self.looks)[self.looks.index(len(self.seeds))] if self.looks else 0.95

    def steps(self) -> tuple[Effort, ...]:
        """The looks up to all seeds, one after the other; this one if there is only one."""
        counts = [look for look in self.looks if look <= len(self.seeds)] or [len(self.seeds)]
        return tuple(replace(self, seeds=self.seeds[:count]) for count in counts)

    def pick(self, quick: _T, full: _T) -> _T:
        """One of two."""
        return quick if self.quick else full


class Option(NamedTuple):
    """One way to read what a paper leaves open.

    Attributes:
        name: Its name.
        why: Why a reviewer would accept it.
        value: Its value for a bed.
        searched: Whether it was found by a search for the paper's number.
    """

    name: str
    why: str
    value: object = None
    searched: bool = False


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Something that a paper leaves open, and how it can be read.

    Attributes:
        name: What is left open: ``access links``.
        options: The plausible readings, the main one first; each with a name of its own.
        by: What the main one rests on: the paper's text, its cited tool's default, or else Bentpipe's default.
        known: What was known of its effect when the main one was fixed; empty if nothing.

    Raises:
        ValueError: If there are fewer than two options, or two of the same name.
    """

    name: str
    options: tuple[Option, ...]
    by: str
    known: str = ""

    def __post_init__(self) -> None:
        """Readings are told apart by name."""
        names = [option.name for option in self.options]
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(
                f"the choice {self.name!r} needs two options or more, each with a name of its own: {names}"
            )

    @property
    def main(self) -> Option:
        """The main reading."""
        return self.options[0]


class Moved(StrEnum):
    """Where a change moved a verdict."""

    TOWARDS = "towards the paper"
    AWAY = "away from the paper"
    NEITHER = "not at all"
    UNSAID = "not said"


class Change(NamedTuple):
    """What was changed after a first look at results, and where that moved the verdict."""

    what: str
    moved: Moved


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
        combinations: Of a specification curve its combinations.
    """

    why: str
    claims: Sequence[Claim] = ()
    sheets: Sequence[Sheet] = ()
    pictures: Sequence[Picture] = ()
    notes: Sequence[str] = ()
    combinations: Combinations | None = None


def found(why: str, *parts: Claim | Sheet | Picture | str) -> Finding:
    """A finding from its parts: claims, tables, pictures and notes (texts), each kind in the order of the report."""
    return Finding(
        why=why,
        claims=[one for one in parts if not isinstance(one, Sheet | Picture | str)],
        sheets=[one for one in parts if isinstance(one, Sheet)],
        pictures=[one for one in parts if isinstance(one, Picture)],
        notes=[one for one in parts if isinstance(one, str)],
    )


def _nothing(_: Effort) -> Plan:
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
        curves: Specification curves by the letter of the claim (``{"a": ...}`` of H-18 is that of H-18.a): their
            combinations decide its verdict.
        last: It reads what the other rows said (`Runs.outcomes`): it comes after them, and is made every time.

    Raises:
        ValueError: If the id cannot be a part of the name of a file, or curves are not given by letter.
    """

    id: str
    place: str
    what: str
    says: str
    read: Callable[[Runs], Finding]
    plan: Callable[[Effort], Plan] = _nothing
    curves: Mapping[str, Curve] = field(default_factory=dict)
    last: bool = False

    def __post_init__(self) -> None:
        """Findings are files that are named after the row."""
        if not isinstance(self.id, str) or not re.fullmatch(
            r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?", self.id
        ):
            raise ValueError(
                f"a row cannot have the id {self.id!r}: use up to 100 letters, digits, hyphens, dots and underscores, "
                "and begin and end with a letter or a digit"
            )
        if not isinstance(self.curves, Mapping):
            raise ValueError(f"row {self.id}: curves stand by the letter of their claim: {{'a': curve}}")


class Described(TypedDict, total=False):
    """What a row is beside the function that reads it; as in `Row`."""

    id: Required[str]
    place: Required[str]
    what: Required[str]
    says: Required[str]
    plan: Callable[[Effort], Plan]
    curves: Mapping[str, Curve]
    last: bool


def reads(**described: Unpack[Described]) -> Callable[[Callable[[Runs], Finding]], Row]:
    """A row in front of the function that reads it: ``@reads(id="V-03", place=..., what=..., says=..., plan=...)``.

    What the function draws is in Bentpipe's style.
    """
    return lambda read: Row(read=plots.styled(read), **described)


@dataclass(frozen=True, kw_only=True)
class Study:
    """A question that rows answer: a paper measured again, or one of your own.

    Attributes:
        name: As on the command line, and of its page: lower-case letters, digits and hyphens.
        title: The paper's title, or the question.
        short: The title in a few words, for tables; the title if not given.
        about: What it is about and how it was evaluated, in a paragraph.
        summary: What was found, in two sentences. A number of ours, the paper's, or a verdict is filled in where a
            claim is named: ``{H-18.a ours}``, ``{H-18.a paper}``, ``{H-18.a verdict}``.
        given: Parameters that the paper gives, with the place. A study without them is your own: its claims are
            supported, undecided or contradicted.
        chosen: Parameters that it does not give, with our reason.
        readings: Of these the ones that can be read in several ways: the main reading and the others, declared before
            the runs. Claims measure the others as `Claim.readings`.
        precision: Where the tolerances of the claims come from: the paper's rounding, the precision of its plots.
        changed: What was changed after a first look at results: a claim, a reading, a measure, and where that moved the
            verdict (a text alone: not said). Readers should know.
        rows: Its experiments and claims, in the order of the paper; each with an id of its own.

    Raises:
        ValueError: If the name cannot be used, or two rows have the same id.
    """

    name: str
    title: str
    short: str = ""
    about: str
    summary: Sequence[str] = ()
    rows: Sequence[Row]
    given: Sequence[Setting] = ()
    chosen: Sequence[Setting] = ()
    readings: Sequence[Choice] = ()
    precision: str = ""
    changed: Sequence[str | Change] = ()

    def __post_init__(self) -> None:
        """Names stand on the command line and in file names; rows are found by id."""
        if (
            not isinstance(self.name, str)
            or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", self.name)
            or self.name == "all"
        ):
            raise ValueError(f"a study cannot be named {self.name!r}: use lower-case letters, digits and hyphens")
        ids = [row.id for row in self.rows]
        if twice := sorted({one for one in ids if ids.count(one) > 1}):
            raise ValueError(f"rows of the study {self.name!r} need ids of their own: {', '.join(twice)}")

    @property
    def own(self) -> bool:
        """Whether it has no paper."""
        return not self.given

    @property
    def changes(self) -> tuple[Change, ...]:
        """`changed`, each with its direction."""
        return tuple(one if isinstance(one, Change) else Change(one, Moved.UNSAID) for one in self.changed)
