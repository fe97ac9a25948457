# SPDX-License-Identifier: MIT OR Apache-2.0
"""Markdown files of which commands write a marked block; people write the rest."""

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
    """The line that begins a block that `command` writes."""
    return f"<!-- begin: written by `{command}`; do not edit -->"


def replaced(page: str, block: str) -> str:
    """`page` with `block` between its marks; `block` alone if the page has none."""
    found = _BEGIN.search(page)
    if found is None:
        return block
    _, end, tail = page[found.end() :].partition(END)
    return f"{page[: found.end()]}\n\n{block}\n{END}{tail}" if end else block


def line(cells: Sequence[str]) -> str:
    """A row of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, text_columns: int | None = None) -> str:
    """A table as Markdown; columns after the first `text_columns` hold numbers and are aligned right."""
    left = len(head) if text_columns is None else text_columns
    return "\n".join([line(head), line(["---"] * left + ["---:"] * (len(head) - left)), *map(line, rows)])


def write(target: Path, block: str) -> None:
    """Write the file, or only the marked block of a file that has one; completely or not at all.

    Raises:
        RunError: If the file cannot be written.
    """
    with whole(target) as place:
        before = target.read_text(encoding="utf-8") if target.exists() else ""
        place.write_text(replaced(before, block), encoding="utf-8")
