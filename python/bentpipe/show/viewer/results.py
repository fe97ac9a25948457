# SPDX-License-Identifier: MIT OR Apache-2.0
"""Show results of many runs in the viewer: pictures, and tables whose rows open stored runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.show.viewer import scene as _scene
from bentpipe.show.viewer.server import Picture, Shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bentpipe.runs.run import Run
    from bentpipe.show.viewer.format import ColumnPart, PicturePart, TablePart

#: Largest number of pictures on a page.
_MOST_PICTURES = 24


@dataclass(frozen=True)
class Line:
    """A row of a table, which may open a run.

    Attributes:
        cells: The values.
        make: The commands that make the row's run and show it.
        read: The function that reads the row's run, if the run was kept.
    """

    cells: Sequence[object]
    make: str | None = None
    read: Callable[[], Run] | None = None


@dataclass(frozen=True)
class Sheet:
    """A table of a result. Its columns have name, unit and alignment, as in a scene."""

    title: str
    columns: list[ColumnPart]
    lines: list[Line]


@dataclass
class Result:
    """The content of a folder of many runs.

    Attributes:
        kind: Kind of the result, as in a scene.
        title: Title of the result.
        sheets: Tables, the most important first.
        notes: Notes for readers.
        pictures: Pictures; a page shows the first ones.
    """

    kind: str
    title: str
    sheets: list[Sheet]
    notes: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)


def shown(result: Result) -> Shown:
    """Return a result that can be served."""
    pictures = result.pictures[:_MOST_PICTURES]
    runs = [line.read for sheet in result.sheets for line in sheet.lines if line.read is not None]

    def make(_: _scene.Trim) -> _scene.Scene:
        document = _scene.empty(result.kind, result.title, _core.build(), result.notes)
        document["tables"], document["pictures"] = _tables(result.sheets), _links(pictures)
        return _scene.Scene(document)

    return Shown(make, pictures, runs)


def _tables(sheets: Sequence[Sheet]) -> list[TablePart]:
    """Return the tables of a scene. A run has the number of its row."""
    number = 0
    tables: list[TablePart] = []
    for sheet in sheets:
        opens: list[str | None] = []
        for line in sheet.lines:
            opens.append(None if line.read is None else f"run/{number}/")
            number += line.read is not None
        rows, make = [line.cells for line in sheet.lines], [line.make for line in sheet.lines]
        tables.append({"title": sheet.title, "columns": sheet.columns, "rows": rows, "open": opens, "make": make})
    return tables


def _links(pictures: Sequence[Picture]) -> list[PicturePart]:
    return [
        {"name": one.name, "src": f"pictures/{number}{one.suffix}", "alt": f"The picture {one.name} of this result"}
        for number, one in enumerate(pictures)
    ]
