# SPDX-License-Identifier: MIT OR Apache-2.0
"""Summaries that no run writes: a flipped byte, an edited number; and the error for a folder that holds such."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base import shape
from bentpipe.base.errors import RunError
from bentpipe.base.files import Unreadable

if TYPE_CHECKING:
    from pathlib import Path

    from bentpipe.base.json import Schema
    from bentpipe.base.shape import Check
    from bentpipe.results.summary_types import Summary


def damaged(file: Path, why: object) -> RunError:
    """The error for a file of a run folder that holds what no run writes, or that may not be read."""
    said = str(why).splitlines()[0] if str(why) else type(why).__name__
    if isinstance(why, (Unreadable, PermissionError)):
        return RunError("folder-damaged", f"cannot read {file}: its permissions do not let you (chmod u+r gives them)")
    return RunError("folder-damaged", f"the run folder is damaged: {file}: {said} (make the run again)")


@cache
def _checks() -> dict[str, Check]:
    """The checks of whole summaries, and of lean ones, which have no links but the bottleneck."""
    schema: Schema = json.loads(_core.summary_schema())
    shapes = shape.Shapes(schema["$defs"])
    lean: Schema = {**schema, "required": [key for key in schema["required"] if key != "links"]}
    return {"whole": shapes.check(schema), "lean": shapes.check(lean)}


def misfit(summary: object, *, lean: bool = False) -> str:
    """Where a summary is not what its schema says; empty if it is. What a later version may add is let pass.

    Args:
        summary: What was read.
        lean: Whether it is one of a store, which lists no links.
    """
    return shape.misfit(_checks()["lean" if lean else "whole"], summary)


def former(summary: Summary) -> str:
    """Which key of a summary has another name in this build; empty if none has. Without it numbers would be missed."""
    old = (number for number, flow in enumerate(summary["flows"]) if "sessions" in flow)
    return next((f"flows[{number}].sessions is a key of an earlier build; now it is `visits`" for number in old), "")
