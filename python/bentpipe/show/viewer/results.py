# SPDX-License-Identifier: MIT OR Apache-2.0
"""Results of many runs in the viewer: tables whose rows open their runs where these were kept, and the pictures."""

from __future__ import annotations

import base64
from functools import partial
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.show.viewer import scene as _scene
from bentpipe.show.viewer import sheets
from bentpipe.show.viewer.server import PICTURES, Picture, Shown

if TYPE_CHECKING:
    from pathlib import Path

    from bentpipe.show.viewer.format import PicturePart, TablePart
    from bentpipe.show.viewer.scene import Scene

#: Pictures that a page shows, each no larger than so many bytes.
_MOST_PICTURES, _MOST_BYTES = 24, 4_000_000
#: What a folder holds, by files that nothing else has; the first that fits. A run, and what is none, has none of them.
_MARKS = {
    "run": "scenario.toml",
    "sweep": "runs.parquet",
    "league": "league.json",
    "which": "which.toml",
    "study": "findings",
}
_READERS = {
    "comparison": sheets.comparison,
    "sweep": sheets.sweep,
    "league": sheets.league,
    "which": sheets.which,
    "study": sheets.study,
}


def kind(folder: Path) -> str:
    """What a folder holds: "run", or a result of many; of what is neither the reader of runs says why it is none."""
    found = next((kind for kind, name in _MARKS.items() if (folder / name).exists()), None)
    return found or ("comparison" if sheets.run_folders(folder) else "run")


def shown(folder: Path) -> Shown:
    """The result in a folder, ready to be served.

    Raises:
        RunError: If it is damaged.
        ScenarioError: If it is of another version.
    """
    what, result = kind(folder), _READERS[kind(folder)](folder)
    tables: list[TablePart] = []
    runs: dict[int, Path] = {}
    for sheet in result.sheets:
        opens: list[str | None] = []
        for place in sheet.folders:
            opens.append(None if place is None else f"run/{len(runs)}/")
            if place is not None:
                runs[len(runs)] = place
        tables.append(
            {
                "title": sheet.title,
                "columns": sheet.columns,
                "rows": sheet.rows,
                "open": opens,
                "make": [*sheet.make],
            }
        )
    pictures = [*_files(folder), *(_drawn(one) for one in result.drawings)][:_MOST_PICTURES]
    links: list[PicturePart] = [
        {"name": one.name, "src": f"pictures/{number}{one.suffix}", "alt": f"The picture {one.name} of this result"}
        for number, one in enumerate(pictures)
    ]
    document = _scene.empty(what, result.title, _core.build(), result.notes)
    document["tables"], document["pictures"] = tables, links
    scene = _scene.Scene(document)
    return Shown(lambda: scene, pictures, runs)


def exported(folder: Path) -> Scene:
    """The same for a file: pictures stand in it, and rows say how their runs are shown."""
    made = shown(folder)
    for one, picture in zip(made.scene.document["pictures"], made.pictures, strict=True):
        one["src"] = f"data:{PICTURES[picture.suffix]};base64,{base64.b64encode(picture.read()).decode()}"
    for table in made.scene.document["tables"]:
        table["open"] = [None] * len(table["open"])
    return made.scene


def _files(folder: Path) -> list[Picture]:
    found = (one for one in sorted(folder.iterdir()) if one.suffix in PICTURES and one.is_file())
    small = (one for one in found if sheets.inside(one, folder) and one.stat().st_size <= _MOST_BYTES)
    return [Picture(one.stem, one.suffix, one.read_bytes) for one in small]


def _drawn(one: sheets.Drawing) -> Picture:
    # It was drawn to stand in a page; as a file of its own it says what it is.
    said = (
        one.svg if "xmlns=" in one.svg[:500] else one.svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    )
    return Picture(one.name, ".svg", partial(said.encode, "utf-8"))
