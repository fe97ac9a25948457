# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes `results/summary_types.py` and `scenario/answers.py`: a typed dictionary for each object of a JSON Schema."""

from __future__ import annotations

import json
import keyword
import textwrap
from typing import TYPE_CHECKING

from bentpipe import _core

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bentpipe.base.json import Schema

_HEAD = '''# SPDX-License-Identifier: MIT OR Apache-2.0
# Written by `make docs` from a JSON Schema; do not edit.
# ruff: noqa: D205, F401, RUF100, TC001
"""The objects of a JSON Schema: `{title}` is the complete schema, and the other classes are parts of it."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from msgspec import Meta

from bentpipe.base.json import Document, Json

Int64: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
'''
#: Longest line of a generated module, in characters.
WIDTH = 120
_NAMES = {"boolean": "bool", "integer": "Int64", "null": "None", "number": "float", "string": "str"}


def module(schema: Schema) -> str:
    """Return the module: a `TypedDict` for each object of the schema, and an alias of literals for each list of words.

    Raises:
        ValueError: If the schema contains a part for which there is no type.
    """
    parts = [*_definition(schema["title"], schema)]
    for name, part in schema["$defs"].items():
        parts += _definition(name, part)
    return _HEAD.format(title=schema["title"]) + "\n\n" + "\n\n\n".join(parts) + "\n"


def _definition(name: str, schema: Schema) -> Iterator[str]:
    if "properties" not in schema:
        alias = f"{name}: TypeAlias = {_type(schema)}"
        if len(alias) > WIDTH:
            words = alias.split("Literal[")[1].removesuffix("]").split(", ")
            line = f"    {', '.join(words)}"
            lines = [line] if len(line) <= WIDTH else [f"    {word}," for word in words]
            alias = "\n".join([f"{name}: TypeAlias = Literal[", *lines, "]"])
        yield "\n".join([*_comment(schema["description"]), alias])
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
        notes = [line for key in words for line in _comment(schema["properties"][key].get("description", ""))]
        held = ", ".join(f'"{key}": {types[key]}' for key in words)
        yield "\n".join([*notes, f'{base} = TypedDict("{base}", {{{held}}})'])
    lines = [f"class {name}({base}):", *_docstring(schema["description"])]
    for key, kind in types.items():
        if key not in words:
            text = schema["properties"][key].get("description", "")
            lines += ["", f"    {key}: {kind}", *_docstring(text)]
    yield "\n".join(lines)


def _type(schema: Schema) -> str:
    """Returns the Python type of a part of the schema."""
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
    if kinds == "object" and (values := schema.get("additionalProperties")):
        return "Document" if values is True else f"dict[str, {_type(values)}]"
    if not schema.keys() - {"description"}:
        return "Json"
    if kinds is None or kinds == "object":
        raise ValueError(f"no type for {schema}")
    return _either([_NAMES[one] for one in ([kinds] if isinstance(kinds, str) else kinds)])


def _either(kinds: list[str]) -> str:
    """Returns the union of several types. Literals are combined."""
    inside = [kind.removeprefix("Literal[").removesuffix("]") for kind in kinds if kind.startswith("Literal[")]
    others = [kind for kind in kinds if not kind.startswith("Literal[")]
    return " | ".join([f"Literal[{', '.join(inside)}]"] * bool(inside) + others)


def _docstring(text: str) -> list[str]:
    """Return the lines of a docstring inside a class; none without text."""
    words = " ".join(text.split()).replace("\\", "\\\\")
    if len(whole := f'    """{words}"""') <= WIDTH and not words.endswith('"'):
        return [whole] if words else []
    return [filled(f'"""{words}', "    ", "    "), '    """']


def _comment(text: str) -> list[str]:
    return [filled(text, "#: ", "#: ")] if text else []


def filled(text: str, first: str, further: str) -> str:
    """Wraps a text into lines of a generated module, with the given beginnings of the first and the further lines."""
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent=first,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    )


def modules() -> dict[str, str]:
    """Return the generated modules, by the names of their files."""
    schemas = {"scenario/answers.py": _core.answers_schema(), "results/summary_types.py": _core.summary_schema()}
    return {name: module(json.loads(schema)) for name, schema in schemas.items()}
