# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write Markdown files in which a command writes one marked block, and people write the rest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bentpipe.base.files import whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

END = "<!-- end -->"
_BEGIN = re.compile(r"<!-- begin: written by `[^`\n]*`; do not edit -->")


def begin(command: str) -> str:
    """Return the line that begins the block of `command`."""
    return f"<!-- begin: written by `{command}`; do not edit -->"


def replaced(page: str, block: str) -> str:
    """Return `page` with `block` between its marks; only `block` if the page has no marks."""
    found = _BEGIN.search(page)
    if found is None:
        return block
    _, end, tail = page[found.end() :].partition(END)
    return f"{page[: found.end()]}\n\n{block}\n{END}{tail}" if end else block


def line(cells: Sequence[str]) -> str:
    """Return a row of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, text_columns: int | None = None) -> str:
    """Return a table as Markdown. Columns after the first `text_columns` contain numbers and are aligned right."""
    left = len(head) if text_columns is None else text_columns
    return "\n".join([line(head), line(["---"] * left + ["---:"] * (len(head) - left)), *map(line, rows)])


def write(target: Path, block: str) -> None:
    """Write the file completely or not at all. If the file has a marked block, replace only this block.

    Raises:
        RunError: If the file cannot be written.
    """
    with whole(target) as place:
        before = target.read_text(encoding="utf-8") if target.exists() else ""
        place.write_text(replaced(before, block), encoding="utf-8")
