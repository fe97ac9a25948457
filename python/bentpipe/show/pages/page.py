# SPDX-License-Identifier: MIT OR Apache-2.0
"""HTML from templates: a page is one file with its style and pictures inside, and opens without a network.

Templates (``show/templates``) escape every text. What is HTML already is a `Markup`: only pictures that Bentpipe drew
are. A caller computes its tables and lines, and a template lays them out. Jinja2 is imported by the first page that is
written, Matplotlib by the first picture.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.files import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jinja2 import Environment
    from markupsafe import Markup
    from matplotlib.figure import Figure

#: A column whose cells are all this short stays on one line; one with a longer cell than the second is kept wide.
_SHORT, _LONG = 24, 60
#: A cell that begins with a digit and is longer than this is a sentence.
_LONGEST_NUMBER = 32
#: A column of numbers with a longer cell than this may break into lines, so that wide tables fit.
_WRAPS = 18
#: Verdicts of studies, which have colours.
_VERDICTS = (
    *("reproduced", "reproduced-in-a-reading", "direction-only", "undecided", "not-reproduced"),
    *("inconsistent-in-the-paper", "no-claim"),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table.

    Attributes:
        text: What is shown.
        by: The number that the cell sorts by; None for text. What is not a number comes last.
        link: Address that the cell leads to; none if empty.
        is_bad: Whether the text tells of something that went wrong.
    """

    text: str
    by: float | None = None
    link: str = ""
    is_bad: bool = False

    @property
    def is_number(self) -> bool:
        """Whether the cell reads as a number."""
        digits = self.text[1:2] if self.text[:1] in ("+", "-", "−") else self.text[:1]
        return self.by is not None or (digits.isdigit() and len(self.text) <= _LONGEST_NUMBER)

    @property
    def kind(self) -> str:
        """CSS classes of the cell beside those of its column."""
        verdict = self.text.lower().replace(" ", "-")
        return " bad" if self.is_bad else f" verdict {verdict}" if verdict in _VERDICTS else ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its heading, the CSS classes of its cells, and whether they are numbers."""

    heading: str
    kind: str
    is_number: bool


@dataclass(frozen=True)
class Table:
    """A table. A column stands on the right if every cell with something in it reads as a number.

    Attributes:
        head: Headings.
        rows: Cells; a plain text stands for a cell that only shows it.
        sorts: Whether a click on a heading sorts.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    sorts: bool = False

    @cached_property
    def cells(self) -> list[list[Cell]]:
        """The rows, every cell a `Cell`."""
        return [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in self.rows]

    @cached_property
    def columns(self) -> list[Column]:
        """The columns, in order."""
        return [_column(heading, [row[at] for row in self.cells]) for at, heading in enumerate(self.head)]


def _column(heading: str, cells: Sequence[Cell]) -> Column:
    filled = [cell for cell in cells if cell.text not in ("", "–")]
    longest = max((len(cell.text) for cell in filled), default=0)
    is_number = bool(filled) and all(cell.is_number for cell in filled)
    if is_number:
        kind = "number wraps" if longest > _WRAPS else "number"
    else:
        kind = "long" if longest > _LONG else "short" if longest <= _SHORT else "text"
    leads = bool(filled) and all(cell.link for cell in filled)
    return Column(heading, f"{kind} name" if leads else kind, is_number)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its caption."""

    caption: str
    svg: Markup


def picture(figure: Figure, caption: str) -> Picture:
    """A figure as it stands in a page."""
    from markupsafe import Markup

    return Picture(caption, Markup(svg(figure)))  # noqa: S704 - drawn here


def svg(figure: Figure) -> str:
    """A figure as an SVG element."""
    from bentpipe import plots

    drawn = io.StringIO()
    plots.save(figure, drawn, "svg")
    text = drawn.getvalue()
    return text[text.index("<svg") :]


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("bentpipe.show")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def render(template: str, /, **facts: object) -> str:
    """A template filled in."""
    return _environment().get_template(template).render(facts)


def write(file: Path, template: str, /, **facts: object) -> Path:
    """Write a page and return its path. Every page has a `title` and a `lead`, which may be empty.

    Raises:
        RunError: If the file cannot be written.
    """
    write_text(file, render(template, version=_core.version(), **facts) + "\n")
    return file
