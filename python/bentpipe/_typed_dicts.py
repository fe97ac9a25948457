# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes `_summary_types.py`: a typed dictionary for each table of ``summary.json``, from its JSON Schema."""

from __future__ import annotations

import json
import keyword
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import _core

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bentpipe._json import Schema

_HEAD = '''# SPDX-License-Identifier: MIT OR Apache-2.0
# Written by `make docs` from the JSON Schema of summary.json; do not edit.
# ruff: noqa: D205
"""The tables of ``summary.json``: `Summary` is the whole, the others are its parts."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict
'''
#: Longest line of the module, in characters.
_WIDTH = 120
_NAMES = {"boolean": "bool", "integer": "int", "null": "None", "number": "float", "string": "str"}


def module(schema: Schema) -> str:
    """The module: a `TypedDict` for each object of the schema, an alias of literals for each list of words.

    Raises:
        ValueError: If the schema holds what has no type here.
    """
    parts = [*_definition(schema["title"], schema)]
    for name, part in schema["$defs"].items():
        parts += _definition(name, part)
    return _HEAD + "\n\n" + "\n\n\n".join(parts) + "\n"


def _definition(name: str, schema: Schema) -> Iterator[str]:
    if "properties" not in schema:
        yield "\n".join([*_comment(schema["description"]), f"{name}: TypeAlias = {_type(schema)}"])
        return
    required = schema.get("required", [])
    types = {
        key: _type(of) if key in required else f"NotRequired[{_type(of)}]" for key, of in schema["properties"].items()
    }
    # A key that is a reserved word of Python cannot be written in a class: a base class has it.
    words = [key for key in types if keyword.iskeyword(key)]
    base = "TypedDict"
    if words:
        base = f"_KeywordsOf{name}"
        notes = [line for key in words for line in _comment(schema["properties"][key]["description"])]
        held = ", ".join(f'"{key}": {types[key]}' for key in words)
        yield "\n".join([*notes, f'{base} = TypedDict("{base}", {{{held}}})'])
    lines = [f"class {name}({base}):", *_docstring(schema["description"])]
    for key, kind in types.items():
        if key not in words:
            text = schema["properties"][key]["description"]
            lines += ["", f"    {key}: {kind}", *_docstring(text)]
    yield "\n".join(lines)


def _type(schema: Schema) -> str:
    """A part of the schema as a type of Python."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if "const" in schema:
        return f"Literal[{json.dumps(schema['const'])}]"
    for choices in (schema.get("anyOf"), schema.get("oneOf")):
        if choices:
            return _either([_type(one) for one in choices])
    kinds = schema.get("type")
    if kinds == "array":
        return f"list[{_type(schema['items'])}]"
    if kinds is None or kinds == "object":
        raise ValueError(f"no type for {schema}")
    return _either([_NAMES[one] for one in ([kinds] if isinstance(kinds, str) else kinds)])


def _either(kinds: list[str]) -> str:
    """One of several types; literals are put together."""
    inside = [kind.removeprefix("Literal[").removesuffix("]") for kind in kinds if kind.startswith("Literal[")]
    others = [kind for kind in kinds if not kind.startswith("Literal[")]
    return " | ".join([f"Literal[{', '.join(inside)}]"] * bool(inside) + others)


def _docstring(text: str) -> list[str]:
    """The lines of a docstring inside a class."""
    words = " ".join(text.split()).replace("\\", "\\\\")
    if len(whole := f'    """{words}"""') <= _WIDTH and not words.endswith('"'):
        return [whole]
    lines = textwrap.wrap(words, _WIDTH, initial_indent='    """', subsequent_indent="    ", break_on_hyphens=False)
    return [*lines, '    """']


def _comment(text: str) -> list[str]:
    return textwrap.wrap(" ".join(text.split()), _WIDTH, initial_indent="#: ", subsequent_indent="#: ")


def summary_module() -> str:
    """The text of `_summary_types.py`."""
    schema: Schema = json.loads(_core.summary_schema())
    return module(schema)


def write() -> None:
    """Write the generated module beside this one."""
    Path(__file__).with_name("_summary_types.py").write_text(summary_module(), encoding="utf-8")
