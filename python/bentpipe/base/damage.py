# SPDX-License-Identifier: MIT OR Apache-2.0
"""The error for a run folder that holds what no run writes: a flipped byte, an edited number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe.base.errors import RunError
from bentpipe.base.files import Unreadable

if TYPE_CHECKING:
    from pathlib import Path


def damaged(file: Path, why: object) -> RunError:
    """The error for a file of a run folder that holds what no run writes, or that may not be read."""
    said = str(why).splitlines()[0] if str(why) else type(why).__name__
    if isinstance(why, (Unreadable, PermissionError)):
        return RunError("folder-damaged", f"cannot read {file}: its permissions do not let you (chmod u+r gives them)")
    return RunError("folder-damaged", f"the run folder is damaged: {file}: {said} (make the run again)")
