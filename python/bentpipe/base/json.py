# SPDX-License-Identifier: MIT OR Apache-2.0
"""Types of documents: JSON and TOML as `_core` returns them, and JSON Schemas."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeAlias, TypedDict

#: A JSON value; a TOML value too, because scenarios have no dates.
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
#: A table of TOML, or an object of JSON.
Document: TypeAlias = dict[str, Json]


class Rule(TypedDict, total=False):
    """The keys that a key excludes, or the keys of which a key needs at least one, with the reason and the fix."""

    at: str
    fix: str
    keys: list[str]
    why: str


#: The part of JSON Schema that is used here, for a document and for each of its parts.
Schema = TypedDict(
    "Schema",
    {
        "$defs": "dict[str, Schema]",
        "$id": str,
        "$ref": str,
        "$schema": str,
        "additionalProperties": "bool | Schema",
        "allOf": "list[Schema]",
        "anyOf": "list[Schema]",
        "const": Json,
        "default": Json,
        "description": str,
        "enum": list[Json],
        "items": "Schema",
        "maximum": float,
        "minItems": int,
        "minProperties": int,
        "minimum": float,
        "oneOf": "list[Schema]",
        "prefixItems": "list[Schema]",
        "properties": "dict[str, Schema]",
        "required": list[str],
        "title": str,
        "type": str | list[str],
        "x-excludes": list[Rule],
        "x-max": str,
        "x-min": str,
        "x-needs": list[Rule],
    },
    total=False,
)


def finite(value: object) -> object:
    """Return the value with null in place of every number that JSON cannot represent: NaN and infinities."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(one) for one in value]
    return value


def tables(document: Mapping[str, Json], key: str) -> list[Document]:
    """Return the tables of a list of tables; an empty list if the document has no such list."""
    found = document.get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def words(document: Mapping[str, Json], key: str) -> list[str]:
    """Return the words of a list; an empty list if the document has no such list."""
    found = document.get(key)
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def table(document: Mapping[str, Json], key: str) -> Document:
    """Return a table; an empty table if the document does not have it."""
    found = document.get(key)
    return found if isinstance(found, dict) else {}


def integer(document: Mapping[str, Json], key: str, default: int) -> int:
    """Return a whole number; the default if the document does not have it."""
    found = document.get(key)
    return found if isinstance(found, int) else default


def plain(value: object) -> Json:
    """Convert a value to the types of TOML and JSON: a sequence becomes a list, a mapping a table.

    Raises:
        TypeError: If neither format can represent the value.
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    raise TypeError(f"{value!r} is not text, a number, true or false, a list or a table")
