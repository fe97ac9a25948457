# SPDX-License-Identifier: MIT OR Apache-2.0
"""The error for a damaged folder, for example with a flipped byte or an edited number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.base.errors import RunError
from bentpipe.base.files import Unreadable

if TYPE_CHECKING:
    from pathlib import Path


def damaged(file: Path, why: object, what: str = "run folder", again: str = "make the run again") -> RunError:
    """Return the error for a file that is damaged, or that the user has no permission to read.

    Args:
        file: The file.
        why: What is wrong with the file.
        what: The kind of the folder, for the message.
        again: How to make the folder again, for the message.
    """
    said = str(why).splitlines()[0] if str(why) else type(why).__name__
    if isinstance(why, (Unreadable, PermissionError)):
        return RunError("folder-damaged", f"cannot read {file}: you have no permission to read it (chmod u+r)")
    return RunError("folder-damaged", f"the {what} is damaged: {file}: {said} ({again})")
