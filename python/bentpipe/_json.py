# SPDX-License-Identifier: MIT OR Apache-2.0
"""Types of documents: JSON as `_core` answers it, TOML as `_core` reads it, and JSON Schemas."""

from __future__ import annotations

from typing import TypeAlias, TypedDict

#: What JSON holds, and TOML too: the scenario has no dates.
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
#: A table of TOML, or an object of JSON.
Document: TypeAlias = dict[str, Json]

#: What is used of JSON Schema: of the document, and of each of its parts.
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
        "minimum": float,
        "oneOf": "list[Schema]",
        "prefixItems": "list[Schema]",
        "properties": "dict[str, Schema]",
        "required": list[str],
        "title": str,
        "type": str | list[str],
        "x-max": str,
        "x-min": str,
    },
    total=False,
)
