# SPDX-License-Identifier: MIT OR Apache-2.0
"""The parts of a study: a list of rows, each with its runs and a function that computes a finding from them.

A study can measure a paper again. The finding of a row consists of claims, tables, pictures, and a line with the
reason. A claim consists of our estimate, a tolerance, and the paper's number or its side of a neutral value. The
scoreboard counts the verdicts of the claims. Formulas are in ``crates/fluid``; a row only measures a controller or
prints a model. The report lists changes after a first look at results (`Study.changed`), with the results before the
change.
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

#: The key of a run within a row. Its last part is the seed: ``("cubic", 600, 1)``.
Key: TypeAlias = tuple[Hashable, ...]

#: The runs of a row by key.
Plan: TypeAlias = Mapping[Key, "bp.Scenario"]

_T = TypeVar("_T")


@dataclass(frozen=True)
class Effort:
    """The effort of a reproduction.

    Attributes:
        seeds: Seeds of every row with chance. Compared runs have the same seeds.
        quick: Whether the reproduction is a first look: rows may use fewer points and shorter runs.
        looks: Numbers of seeds at which a row is checked, usually `LOOKS`. If a row is decided at a look, it does not
            continue with the next look. If empty, there is one look at all seeds.

    Raises:
        ValueError: If the looks are not ascending, or the number of seeds is not one of the looks.
    """

    seeds: tuple[int, ...]
    quick: bool = False
    looks: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check the looks."""
        if self.looks and (list(self.looks) != sorted(set(self.looks)) or len(self.seeds) not in self.looks):
            looks = ", ".join(map(str, self.looks))
            raise ValueError(
                f"looks = {looks} with {len(self.seeds)} seeds: looks must ascend, and the last look must use all seeds"
            )

    @property
    def level(self) -> float:
        """Confidence level of the intervals at this look. All looks together have 95 %."""
        return levels(self.looks)[self.looks.index(len(self.seeds))] if self.looks else 0.95

    def steps(self) -> tuple[Effort, ...]:
        """The effort of each look, up to all seeds; only this effort if there is one look."""
        counts = [look for look in self.looks if look <= len(self.seeds)] or [len(self.seeds)]
        return tuple(replace(self, seeds=self.seeds[:count]) for count in counts)

    def pick(self, quick: _T, full: _T) -> _T:
        """Return `quick` for a quick reproduction, otherwise `full`."""
        return quick if self.quick else full


class Option(NamedTuple):
    """One reading of an open choice of a paper.

    Attributes:
        name: Name of the option.
        why: The reason why a reviewer would accept the option.
        value: The value that is used to build a scenario.
        searched: Whether the option was found by a search for the paper's number.
    """

    name: str
    why: str
    value: object = None
    searched: bool = False


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A choice that a paper leaves open, and its options.

    Attributes:
        name: The open choice: ``access links``.
        options: The plausible options; the main option is the first. Each option has its own name.
        by: The source of the main option: the paper's text, the default of the tool that the paper cites, or Bentpipe's
            default.
        known: The effects of the choice that were known when the main option was selected; empty if none were known.

    Raises:
        ValueError: If there are fewer than two options, or two options have the same name.
    """

    name: str
    options: tuple[Option, ...]
    by: str
    known: str = ""

    def __post_init__(self) -> None:
        """Check the names of the options."""
        names = [option.name for option in self.options]
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(f"the choice {self.name!r} needs two or more options with different names: {names}")

    @property
    def main(self) -> Option:
        """The main option."""
        return self.options[0]


class Moved(StrEnum):
    """The direction in which a change moved a verdict."""

    TOWARDS = "towards the paper"
    AWAY = "away from the paper"
    NEITHER = "not at all"
    UNSAID = "not said"


class Change(NamedTuple):
    """A change after a first look at results, and the direction in which it moved the verdict."""

    what: str
    moved: Moved


class Setting(NamedTuple):
    """A parameter of an evaluation: its value, and its place in the paper or the reason for our choice."""

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
    """The result of a row.

    Attributes:
        claims: The claims with our numbers.
        why: One line with the reason for the verdict. For a row without claims: the reason why the row cannot be
            tested, or the answer to a question that the paper leaves open.
        sheets: Tables.
        pictures: Figures. The paper's number is marked if there is one.
        notes: Notes for readers: tried readings and limits.
        combinations: The combinations, if the finding is a specification curve.
    """

    why: str
    claims: Sequence[Claim] = ()
    sheets: Sequence[Sheet] = ()
    pictures: Sequence[Picture] = ()
    notes: Sequence[str] = ()
    combinations: Combinations | None = None


def found(why: str, *parts: Claim | Sheet | Picture | str) -> Finding:
    """Make a finding from claims, tables, pictures and notes (texts). Within each kind, the report keeps the order."""
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
        place: The place in the paper.
        what: The measured quantity or the claim.
        says: The paper's statement.
        read: Function from the runs to the finding.
        plan: Function that returns the scenarios of the runs. Rows with the same scenario share one run.
        curves: Specification curves by the letter of the claim (``{"a": ...}`` in H-18 is the curve of H-18.a). The
            combinations of a curve are used for the verdict of the claim.
        last: Whether the row reads the outcomes of other rows (`Runs.outcomes`). Such a row is read after the other
            rows, and in every reproduction.

    Raises:
        ValueError: If the id cannot be a part of a file's name, or curves are not given by letter.
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
        """Check the id, which becomes part of file names, and the keys of the curves."""
        if not isinstance(self.id, str) or not re.fullmatch(
            r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?", self.id
        ):
            raise ValueError(
                f"a row cannot have the id {self.id!r}: use up to 100 letters, digits, hyphens, dots and underscores, "
                "and begin and end with a letter or a digit"
            )
        if not isinstance(self.curves, Mapping):
            raise ValueError(f"row {self.id}: give each curve by the letter of its claim: {{'a': curve}}")


class Described(TypedDict, total=False):
    """The attributes of a row except its function `read`, as in `Row`."""

    id: Required[str]
    place: Required[str]
    what: Required[str]
    says: Required[str]
    plan: Callable[[Effort], Plan]
    curves: Mapping[str, Curve]
    last: bool


def reads(**described: Unpack[Described]) -> Callable[[Callable[[Runs], Finding]], Row]:
    """Decorator that makes a row from a function: ``@reads(id="V-03", place=..., what=..., says=..., plan=...)``.

    The function draws its pictures in Bentpipe's style.
    """
    return lambda read: Row(read=plots.styled(read), **described)


@dataclass(frozen=True, kw_only=True)
class Study:
    """A question that rows answer: a paper that is measured again, or a question of your own.

    Attributes:
        name: Name on the command line and of the study's page: lower-case letters, digits and hyphens.
        title: The paper's title, or the question.
        short: The title in a few words, for tables. The default is the title.
        about: A paragraph on the subject of the paper and its evaluation.
        summary: The results in two sentences. Placeholders are replaced by our number, the paper's number, or the
            verdict of a claim: ``{H-18.a ours}``, ``{H-18.a paper}``, ``{H-18.a verdict}``.
        given: Parameters that the paper states, with the place. A study without such parameters has no paper: its
            claims are supported, undecided or contradicted.
        chosen: Parameters that the paper does not state, with the reason for our choice.
        readings: The open choices among these parameters: the main option and the other options, declared before the
            runs. Claims measure the other options as `Claim.readings`.
        precision: The source of the claims' tolerances: the paper's rounding, the precision of its plots.
        changed: The changes of claims, readings or measures after a first look at results, each with the direction in
            which it moved the verdict. A plain text has no direction.
        rows: The experiments and claims, in the order of the paper. Each row has its own id.

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
        """Check the name, which is used on the command line and in file names, and the ids of the rows."""
        if (
            not isinstance(self.name, str)
            or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", self.name)
            or self.name == "all"
        ):
            raise ValueError(f"a study cannot be named {self.name!r}: use lower-case letters, digits and hyphens")
        ids = [row.id for row in self.rows]
        if twice := sorted({one for one in ids if ids.count(one) > 1}):
            raise ValueError(f"each row of the study {self.name!r} needs its own id: {', '.join(twice)}")

    @property
    def own(self) -> bool:
        """Whether the study has no paper."""
        return not self.given

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes of `changed`, each with its direction."""
        return tuple(one if isinstance(one, Change) else Change(one, Moved.UNSAID) for one in self.changed)
