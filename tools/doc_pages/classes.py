# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes the classes of scenarios, `scenario/classes.py`, from the JSON Schema of the format (`make docs`)."""

from __future__ import annotations

import json
import keyword
import re
from typing import TYPE_CHECKING

from bentpipe import _core
from doc_pages.reference import bounds
from doc_pages.typed_dicts import WIDTH, filled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bentpipe.base.json import Schema as JsonSchema

_NOTE = """# SPDX-License-Identifier: MIT OR Apache-2.0
# Written by `make docs` from the schema of scenarios; do not edit.
"""
_HEAD = f'''{_NOTE}# ruff: noqa: D205, TC003
"""A class for each table of a scenario, with the keys of TOML. `None` leaves a key out.

A quantity is text with its unit, as in a file. A table may also be a mapping with the same keys. The classes check
nothing: a document is checked when it is run or resolved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from bentpipe.scenario.document import TomlDocument, TomlTable
'''

_PLAIN = {"string": "str", "number": "float", "integer": "int", "boolean": "bool", "object": "Mapping[str, object]"}
_MAPPING = "Mapping[str, object]"


class Schema:
    """The schema of scenarios, read as Python types.

    Attributes:
        definitions: Every definition by its name; the document itself is the scenario.
        classes: Name of the class of each table: `Queue` of `QueueTable`. A table that takes any key has no class.
        words: The values of each definition that is one of several words.
    """

    def __init__(self, schema: JsonSchema) -> None:
        self.definitions: dict[str, JsonSchema] = {"Scenario": schema, **schema["$defs"]}
        self.classes = {
            name: name.removesuffix("Table")
            for name, definition in self.definitions.items()
            if definition.get("additionalProperties") is False
        }
        self.words: dict[str, list[str]] = {
            name: list(map(str, one["enum"])) for name, one in self.definitions.items() if "enum" in one
        }

    def type_of(self, schema: JsonSchema) -> str:
        """Returns the Python type of a value, without None."""
        return " | ".join(dict.fromkeys(sorted(self._kinds(schema), key=lambda kind: kind == _MAPPING)))

    def _kinds(self, schema: JsonSchema) -> Iterator[str]:
        if name := _reference(schema):
            if name in self.words:
                yield name
            elif name in self.classes:
                yield from (self.classes[name], _MAPPING)
            else:
                yield from self._kinds(self.definitions[name])
            if name == "Network":
                yield from self._networks()
        elif "anyOf" in schema:
            for part in schema["anyOf"]:
                yield from self._kinds(part)
        else:
            for kind in [schema["type"]] if isinstance(schema["type"], str) else schema["type"]:
                if kind == "array":
                    yield f"Sequence[{self.type_of(schema['items'])}]"
                elif kind != "null":
                    yield _PLAIN[kind]

    def _networks(self) -> Iterator[str]:
        """Returns the classes of tables of which a network has exactly one. Such a table may replace the network."""
        for key, value in self.definitions["Network"]["properties"].items():
            if key.capitalize() in self.classes and key != "origin":
                yield from self._kinds(value)

    def words_of(self, schema: JsonSchema) -> list[str]:
        """Returns the allowed words of a value."""
        if name := _reference(schema):
            return self.words.get(name) or self.words_of(self.definitions[name])
        return [word for part in schema.get("anyOf", ()) for word in self.words_of(part)]


def _reference(schema: JsonSchema) -> str:
    """Returns the name of the definition that a schema refers to; empty if there is none."""
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _docstring(schema: Schema, definition: JsonSchema) -> str:
    """Return a docstring in Google's style: the first sentence, the other sentences, and the keys."""
    summary, *rest = re.split(r"(?<=\.)\s+(?=[A-Z])", definition["description"], maxsplit=1)
    entries = []
    for key, value in definition["properties"].items():
        text = value.get("description", "") + bounds(value)
        words = [f'"{word}"' for word in schema.words_of(value)]
        if any(word not in text for word in words):
            text += f" One of {', '.join(words)}."
        entries.append(filled(f"{_field(key)}: {text}", " " * 8, " " * 12))
    parts = [filled(f'"""{summary}', "    ", "    "), *(filled(one, "    ", "    ") for one in rest)]
    return "\n\n".join([*parts, "\n".join(["    Attributes:", *entries, '    """'])])


def _field(key: str) -> str:
    return f"{key}_" if keyword.iskeyword(key) else key


def _class(schema: Schema, name: str, definition: JsonSchema) -> str:
    """Return the class for a table: its docstring, and a field for each key."""
    base = "TomlDocument" if name == "Scenario" else "TomlTable"
    lines = [f"@dataclass(kw_only=True, slots=True, repr=False)\nclass {name}({base}):"]
    lines += [_docstring(schema, definition), ""]
    for key, value in definition["properties"].items():
        optional = "" if key in definition.get("required", ()) else " | None = None"
        lines.append(f"    {_field(key)}: {schema.type_of(value)}{optional}")
    return "\n".join(lines)


def _literal(name: str, words: Sequence[str]) -> str:
    """Returns the type of a value that is one of several words."""
    line = f"{name} = Literal[{', '.join(json.dumps(word) for word in words)}]"
    return line if len(line) <= WIDTH else line.replace("[", "[\n    ").replace(", ", ",\n    ").replace("]", ",\n]")


def modules() -> dict[str, str]:
    """Returns the generated modules: the classes, and their names that `import bentpipe` reads without the classes."""
    schema = Schema(json.loads(_core.scenario_schema()))
    literals = [_literal(name, words) for name, words in sorted(schema.words.items())]
    classes = [_class(schema, name, schema.definitions[table]) for table, name in schema.classes.items()]
    names = "[\n" + "".join(f'    "{name}",\n' for name in sorted(schema.classes.values())) + "]\n"
    head = f"{_HEAD}\n__all__ = {names}\n" + "\n".join(literals)
    return {
        "scenario/classes.py": "\n\n\n".join([head, *classes]) + "\n",
        "scenario/class_names.py": f'{_NOTE}"""The names of the scenario classes."""\n\nNAMES = {names}',
    }
