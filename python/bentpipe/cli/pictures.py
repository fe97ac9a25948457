# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write the pictures of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import whole, write_error

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

#: The first bytes of each format of pictures.
_BEGINNINGS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def save_picture(figure: Figure, target: Path, dpi: int | None = None, title: str | None = None) -> Path:
    """Write a picture in the format of its suffix, and return its path.

    Args:
        figure: The picture.
        target: The file.
        dpi: The resolution of a PNG in dots per inch.
        title: Text that is written above the picture's own title.

    Raises:
        ScenarioError: If `check_picture` refuses the name.
        RunError: If the picture cannot be written.
    """
    from bentpipe import plots  # imported here, because numpy is needed only for pictures

    check_picture(target)
    if title:
        plots.entitle(figure, title)
    with whole(target) as place:
        plots.save(figure, place, target.suffix[1:].lower(), dpi)
    return target


def check_picture(target: Path) -> None:
    """Check the name of a picture, and that the picture does not replace another file.

    Raises:
        ScenarioError: If no format has this suffix, or a file with this name is not such a picture.
    """
    start = _BEGINNINGS.get(target.suffix.lower())
    if start is None:
        raise ScenarioError("argument-value", f"{target}: the name of a picture must end in .png, .svg or .pdf")
    if not target.is_file():
        return
    try:
        with target.open("rb") as there:
            if there.read(len(start)) not in (start, b""):
                raise ScenarioError(
                    "folder-occupied",
                    f"cannot write {target}: a file with this name exists, and it is not a picture of this format "
                    f"(choose another name)",
                )
    except OSError as problem:
        raise write_error(target, problem) from None
