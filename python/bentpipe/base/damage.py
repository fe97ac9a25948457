# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run folders that hold what no run writes: a flipped byte, an edited number."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.base.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bentpipe.base.json import Schema
    from bentpipe.results.summary_types import Summary


def damaged(file: Path, why: object) -> RunError:
    """The error for a file of a run folder that holds what no run writes."""
    said = str(why).splitlines()[0] if str(why) else type(why).__name__
    return RunError("folder-damaged", f"the run folder is damaged: {file}: {said} (make the run again)")


@cache
def _columns() -> dict[str, list[str]]:
    return dict(_core.table_columns())


#: Columns that came with version 5 of the schemas: folders of before are read without them.
_LATER = {"flows": ("name",)}


def refuse_other_columns(name: str, columns: Sequence[str], wanted: Sequence[str] | None = None) -> None:
    """Refuses a table without a column that it has, or that was asked for; what a later version may add is let pass.

    Raises:
        ValueError: With the first column that is missing.
    """
    missing = [column for column in wanted or _columns()[name] if column not in (*columns, *_LATER.get(name, ()))]
    if missing:
        raise ValueError(f"it has no column {missing[0]}")


@cache
def _schema() -> Schema:
    found: Schema = json.loads(_core.summary_schema())
    return found


#: Types of JSON as Python reads them. A whole number stands for any number.
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}

#: No count or seed is larger.
_COUNTS = 2**63 - 1
#: Nor is a number that is written without its point: all of these are numbers of 64 bits with one, too.
_EXACT = 2**53


def misfit(summary: object) -> str:
    """Where a summary is not what its schema says; empty if it is. What a later version may add is let pass."""
    return _misfit(summary, _schema(), "")


def former(summary: Summary) -> str:
    """Which key of a summary has another name in this build; empty if none has. Without it numbers would be missed."""
    old = (number for number, flow in enumerate(summary["flows"]) if "sessions" in flow)
    return next((f"flows[{number}].sessions is a key of an earlier build; now it is `visits`" for number in old), "")


def _misfit(value: object, schema: Schema, at: str) -> str:
    while "$ref" in schema:
        schema = _schema()["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in schema:
        found = [_misfit(value, one, at) for one in schema["anyOf"]]
        return "" if "" in found else found[0]
    wanted = schema.get("type", [])
    names = [wanted] if isinstance(wanted, str) else wanted
    kinds = (
        ("boolean",) if isinstance(value, bool) else tuple(kind for kind in _TYPES if isinstance(value, _TYPES[kind]))
    )
    if names and not set(kinds) & set(names):
        return f"{at or 'it'} is {value!r:.40}, not {' or '.join(names)}"
    if isinstance(value, float) and not math.isfinite(value):
        return f"{at} is {value}, which no JSON has"
    if isinstance(value, int) and "integer" in kinds and abs(value) > (_COUNTS if "integer" in names else _EXACT):
        return f"{at} is {value!r:.40}, beyond any number of a run"
    if isinstance(value, dict):
        for key in schema.get("required", ()):
            if key not in value:
                return f"{at}{'.' if at else ''}{key} is missing"
        inner = schema.get("properties", {})
        parts = [(f"{at}{'.' if at else ''}{key}", one, inner[key]) for key, one in value.items() if key in inner]
    elif isinstance(value, list):
        parts = [(f"{at}[{number}]", one, schema.get("items", {})) for number, one in enumerate(value)]
    else:
        return ""
    return next((wrong for where, one, of in parts if (wrong := _misfit(one, of, where))), "")
