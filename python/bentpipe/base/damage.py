# SPDX-License-Identifier: MIT OR Apache-2.0
"""The error for a damaged folder: a flipped byte, an edited number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.base.errors import RunError
from bentpipe.base.files import Unreadable

if TYPE_CHECKING:
    from pathlib import Path


def damaged(file: Path, why: object, what: str = "run folder", again: str = "make the run again") -> RunError:
    """The error for a file of a folder that is damaged or that may not be read.

    Args:
        file: The file.
        why: What is wrong with it.
        what: What the folder is.
        again: How to make it again.
    """
    said = str(why).splitlines()[0] if str(why) else type(why).__name__
    if isinstance(why, (Unreadable, PermissionError)):
        return RunError("folder-damaged", f"cannot read {file}: you have no permission to read it (chmod u+r)")
    return RunError("folder-damaged", f"the {what} is damaged: {file}: {said} ({again})")
