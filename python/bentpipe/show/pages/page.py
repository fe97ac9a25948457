# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make HTML pages from templates. A page is one file with its style and pictures, and needs no network.

Templates (``show/templates``) escape every text except pictures that Bentpipe drew. A caller computes tables and lines,
and a template arranges them. Jinja2 is imported for the first page, Matplotlib for the first picture.
"""

from __future__ import annotations

import hashlib
import io
import re
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from operator import methodcaller
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.files import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jinja2 import Environment
    from matplotlib.figure import Figure

#: If all cells of a column have at most the first number of characters, the column does not wrap. If a cell has more
#: than the second number, the column stays wide.
_SHORT, _LONG = 24, 60
#: The beginning of a number or of a bound. Lists, dates, numbers of sections and longer cells are text.
_NUMBER, _LONGEST_NUMBER = re.compile(r"[<>≤≥~≈]?\s*[-+−]?\d(?!.*(;|\d\.\d+\.\d|\d-\d))"), 40
_WORDS = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)?")
#: Words that may be part of a number: units, and words between two numbers. If a cell has any other word, it is text.
_UNITS = {
    *("µs", "us", "ms", "s", "min", "h", "d", "B", "kB", "MB", "GB", "TB", "bit", "kbit", "Mbit", "Gbit"),
    *("bit/s", "kbit/s", "Mbit/s", "Gbit/s", "m", "km", "deg", "dB", "dBm", "dBW", "Hz", "kHz", "MHz", "GHz", "K", "W"),
    *("BDP", "ppm", "e", "x", "segments", "packets", "segment", "packet", "to", "of", "done", "by", "and"),
}
#: Space around a panel, in the units of the SVG (1/72 inch).
_AROUND = 4.0
#: If a cell in a column of numbers is longer than this, the column may wrap, so that wide tables fit.
_WRAPS = 18
#: The first word of a verdict of a study, which is the CSS class of its colour.
_VERDICT = re.compile(
    r"(holds|supported|fails|contradicted|undecided|depends|contradicts|cannot)"
    r"( itself| fail| on .*|, depends.*|; number .*)?$"
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table.

    Attributes:
        text: The shown text.
        by: The number that the cell sorts by; None for text. NaN sorts last.
        link: Target of the cell's link; no link if empty.
        is_bad: Whether the text reports a failure.
    """

    text: str
    by: float | None = None
    link: str = ""
    is_bad: bool = False

    @property
    def is_number(self) -> bool:
        """Whether the cell is a number: "3.1 ± 0.2 ms" is a number, "2 (twice)" is not."""
        if self.by is not None:
            return True
        if self.is_bad or len(self.text) > _LONGEST_NUMBER or _NUMBER.match(self.text) is None:
            return False
        return _UNITS.issuperset(_WORDS.findall(self.text))

    @property
    def kind(self) -> str:
        """The CSS classes of the cell, in addition to the classes of its column."""
        verdict = _VERDICT.match(self.text)
        return " bad" if self.is_bad else f" verdict {verdict[1]}" if verdict else ""


@dataclass(frozen=True)
class Table:
    """A table. A column is aligned right if every non-empty cell reads as a number.

    Attributes:
        head: Headings.
        rows: Cells. A string is a cell with only this text.
        sorts: Whether a click on a heading sorts the table.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    sorts: bool = False

    @property
    def cells(self) -> list[list[Cell]]:
        """The rows, in which every cell is a `Cell`."""
        return [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in self.rows]

    @property
    def kinds(self) -> list[str]:
        """The CSS classes of each column, for its heading and its cells."""
        columns = zip_longest(map(Cell, self.head), *self.cells, fillvalue=Cell(""))
        return [_kind([cell for cell in column[1:] if cell.text not in ("", "–")]) for column in columns]


def _kind(cells: Sequence[Cell]) -> str:
    """Return the CSS classes of a column with these cells."""
    longest = max((len(cell.text) for cell in cells), default=0)
    if cells and all(cell.is_number for cell in cells):
        kind = "number wraps" if longest > _WRAPS else "number"
    else:
        kind = "long" if longest > _LONG else "short" if longest <= _SHORT else "text"
    return f"{kind} name" if cells and all(cell.link for cell in cells) else kind


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture with its caption, for a page.

    Attributes:
        caption: The caption.
        svg: The picture, as Matplotlib drew it.
        panels: Parts of the picture (view boxes) that a narrow screen shows one below the other. If empty, the picture
            is not divided.
    """

    caption: str
    svg: str
    panels: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Identifier of the picture's content on a page."""
        return f"figure-{hashlib.sha256(self.svg.encode()).hexdigest()[:12]}"

    @property
    def marked(self) -> str:
        """The SVG with its own identifier, because Matplotlib gives every figure the same identifier."""
        # The button around the picture already has the picture's name.
        svg = self.svg.replace("<svg ", '<svg aria-hidden="true" ', 1)
        return svg.replace('id="figure_1"', f'id="{self.key}"', 1)


def drawn(figure: Figure, caption: str, *, stacks: bool = False) -> Drawing:
    """Return a figure as SVG for a page.

    Args:
        figure: The figure.
        caption: Caption of the figure.
        stacks: Whether a narrow screen shows the panels one below the other.
    """
    from bentpipe import plots

    text = io.StringIO()
    plots.save(figure, text, "svg")
    svg = text.getvalue()[text.getvalue().index("<svg") :]
    return Drawing(caption, svg, _panels(figure, svg) if stacks else ())


def _panels(figure: Figure, svg: str) -> tuple[str, ...]:
    """Return the parts of a drawn figure with one panel each, as view boxes of its SVG; empty if it has one panel."""
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    axes = [axis for axis in figure.axes if axis.get_visible()]
    if box is None or len(axes) < 2:
        return ()
    width, height = float(box[1]), float(box[2])
    found = []
    for axis in axes:
        bounds = axis.get_tightbbox()
        if bounds is None:
            return ()
        part = bounds.transformed(figure.transFigure.inverted())
        corner = width * part.x0 - _AROUND, height * (1.0 - part.y1) - _AROUND
        size = width * part.width + 2 * _AROUND, height * part.height + 2 * _AROUND
        found.append(" ".join(f"{value:.1f}" for value in (*corner, *size)))
    return tuple(found)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("bentpipe.show"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"Table": Table, "version": _core.version(), "lead": "", "here": ""}
    made.filters["cells"] = methodcaller("cells")
    return made


def render(template: str, /, **facts: object) -> str:
    """Return the text of a template with these values."""
    return _environment().get_template(template).render(facts)


def write(file: Path, template: str, /, **facts: object) -> Path:
    """Write a page and return its path.

    Raises:
        RunError: If the file cannot be written.
    """
    write_text(file, render(template, **facts) + "\n")
    return file
