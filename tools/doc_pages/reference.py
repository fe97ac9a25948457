# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes docs/reference and the classes of scenarios from the code: `python -m doc_pages.reference docs/reference`.

`make docs` calls it.
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from bentpipe import Dumbbell, Flow, Run, Scenario, _core, run
from bentpipe._model import models
from bentpipe._sweep._schema import SCHEMA
from bentpipe.base.json import Rule, Schema
from bentpipe.base.tables import TABLES
from bentpipe.scenario.catalogue import controllers, tcp_presets
from doc_pages.commands import commands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_NOTE = "<!-- Written by `make docs` from the code; do not edit. -->\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    def line(cells: Iterable[object]) -> str:
        return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    return "\n".join([line(head), line("---" for _ in head), *map(line, rows)])


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    for choices in (schema.get("anyOf"), schema.get("oneOf")):
        if choices is not None:
            kinds = [_type(part) for part in choices if part.get("type") != "null"]
            return " or ".join(dict.fromkeys(kinds))
    if len(schema.get("allOf", [])) == 1:
        return _type(schema["allOf"][0])
    kind = schema.get("type", "anything")
    kinds = [kind] if isinstance(kind, str) else [one for one in kind if one != "null"]
    if kinds == ["array"]:
        first = schema.get("prefixItems") or [Schema()]
        return f"list of {_type(schema.get('items', first[0]))}"
    return " or ".join(kinds)


def bounds(schema: Schema) -> str:
    """Returns the bounds of a quantity or number in words; empty if the schema has none."""
    low, high = schema.get("x-min", schema.get("minimum")), schema.get("x-max", schema.get("maximum"))
    percent = ', or text in percent: "0.5 %"' if schema.get("format") == "fraction" else ""
    if low is None and high is None:
        return ""
    if low is None:
        return f" At most {high}{percent}."
    return f" From {low} to {high}{percent}." if high is not None else f" At least {low}{percent}."


def beside(part: Schema, key: str) -> str:
    """Returns in words which keys exclude a key of a table, and which keys it needs; empty if there are none."""
    known = part["properties"]

    def excludes(one: str, other: str) -> bool:
        return any(other in rule["keys"] for rule in known[one].get("x-excludes", []))

    others = [f"`{other}`" for other in known if excludes(key, other) or excludes(other, key)]
    needs = [_one_of(rule) for rule in known[key].get("x-needs", [])]
    return (f" Not together with: {', '.join(others)}." if others else "") + (
        f" Needs: {', '.join(needs)}." if needs else ""
    )


def _one_of(rule: Rule) -> str:
    return " or ".join(f"`{key}`" for key in rule["keys"])


def _objects(schema: Schema) -> str:
    """Returns a table of keys for every object of a JSON Schema."""
    parts = []
    named = [(schema.get("title", "Document"), schema), *sorted(schema.get("$defs", {}).items())]
    for name, part in named:
        if "properties" not in part:
            kind = part.get("description", "") or _type(part)
            parts.append(f"## {name}\n\n{_type(part)}\n\n{kind if kind != _type(part) else ''}".rstrip())
            continue
        required = set(part.get("required", []))
        rows = [
            [
                f"`{key}`",
                _type(value),
                "yes" if key in required else "",
                value.get("description", "") + bounds(value) + beside(part, key),
            ]
            for key, value in part["properties"].items()
        ]
        needed = [f" Required: {_one_of(rule)}." for rule in part.get("x-needs", [])]
        text = part.get("description", "") + "".join(needed)
        parts.append(f"## {name}\n\n{text}\n\n{_table(('key', 'type', 'required', 'meaning'), rows)}")
    return "\n\n".join(parts)


def scenario_page() -> str:
    """Return the page of the scenario's format, from its JSON Schema."""
    intro = "A scenario is a TOML file. Quantities are text: number, space, unit. An unknown key is an error."
    return f"{_NOTE}\n# Scenario\n\n{intro}\n\n{_objects(json.loads(_core.scenario_schema()))}\n"


def schema_page() -> str:
    """Return the page of the format of summary.json, from its JSON Schema."""
    intro = "`summary.json` in a run folder; `bentpipe schema summary` prints its JSON Schema."
    return f"{_NOTE}\n# Summary\n\n{intro}\n\n{_objects(json.loads(_core.summary_schema()))}\n"


def tables_page() -> str:
    """Return the page of the tables of a run, from the metadata of their columns."""
    intro = (
        "A run folder contains these tables as Parquet files, for example `flows.parquet`. A table without rows has no "
        "file. In Python, `run.flows` is the same table. A sample at `time_s` covers the interval that ends at this "
        "time. An *optional* column can have missing values. The metadata of a column contain its unit and meaning. "
        "[Reading results](../guide/results.md) explains the terms."
    )
    parts = [f"{_NOTE}\n# Tables of a run\n\n{intro}"]
    # Tables without rows have their columns too, so any run serves.
    made = run(
        Scenario(duration="1 s", network=Dumbbell(rate="1 Mbit/s", rtt="50 ms"), flows=[Flow(controller="reno")])
    )
    for name in TABLES:
        about = inspect.getdoc(getattr(Run, name))
        if name == "parts":
            parts.append(f"## {name}\n\n{about}\n\nThe columns are those of [`flows`](#flows).")
            continue
        rows = []
        for field in pa.table(getattr(made, name)).schema:
            facts = {key.decode(): text.decode() for key, text in field.metadata.items()}
            optional = ", optional" if field.nullable else ""
            rows.append((f"`{field.name}`", _kind(field.type) + optional, facts.get("unit", ""), facts["meaning"]))
        parts.append(f"## {name}\n\n{about}\n\n{_table(('column', 'type', 'unit', 'meaning'), rows)}")
    return "\n\n".join(parts) + "\n"


def _kind(kind: pa.DataType) -> str:
    """Return the type of a column in words."""
    if pa.types.is_boolean(kind):
        return "boolean"
    if pa.types.is_integer(kind):
        return "integer"
    return "number" if pa.types.is_floating(kind) else "text"


def sweep_page() -> str:
    """Return the page of the format of sweep documents, from their JSON Schema."""
    intro = "A sweep is a TOML file; `bentpipe schema sweep` prints its JSON Schema. [Guide](../guide/sweeps.md)."
    return f"{_NOTE}\n# Sweep\n\n{intro}\n\n{_objects(SCHEMA)}\n"


def errors_page() -> str:
    """Return the page of error codes."""
    rows = [(f"`{code}`", meaning.strip()) for code, meaning in _core.codes()]
    return f"{_NOTE}\n# Errors\n\nCodes are stable: scripts may match on them.\n\n{_table(('code', 'when'), rows)}\n"


def controllers_page() -> str:
    """Return the page of the catalogue of controllers."""
    parts = [f"{_NOTE}\n# Controllers"]
    for entry in controllers():
        parts.append(f"## {entry['name']}\n\n{entry['summary']}\n\n```text\n{entry['equations'].strip()}\n```")
        parts.append(f"Requires: {entry['requires']}. Uses: {entry['uses']}.")
        if entry["parameters"]:
            rows = [
                (one["name"], one["unit"], one["default"], one["bounds"], one["source"], one["why"])
                for one in entry["parameters"]
            ]
            parts.append(_table(("name", "unit", "default", "bounds", "source", "why"), rows))
        parts.append("Sources: " + "; ".join(entry["sources"]) + ".")
        parts.append("Limits: " + " ".join(entry["limits"].split()))
    return "\n\n".join(parts) + "\n"


def tcp_page() -> str:
    """Returns the presets of TCP, with the source of each setting."""
    parts = [
        f"{_NOTE}\n# Presets of TCP\n\n"
        '`tcp = { preset = "linux", delayed_ack = false }` selects a TCP implementation and changes a setting. '
        "A setting marked * is fixed: the preset refuses another value. "
        "[Whose TCP is this?](../guide/whose-tcp.md) shows the effects of the differences."
    ]
    for entry in tcp_presets():
        rows = [
            [f"`{one['key']}`" + (" *" if one["fixed"] else ""), f"`{one['value']}`", one["source"] or ""]
            for one in entry["settings"]
        ]
        parts.append(f"## {entry['name']}\n\n{entry['about']}\n\n{_table(('key', 'value', 'source'), rows)}")
    return "\n\n".join(parts) + "\n"


def models_page() -> str:
    """Return the page of the catalogue of models."""
    intro = (
        "Models evaluate formulas of the papers, without simulating packets: `bentpipe model NAME --set key=value`, "
        '`bentpipe.model("name", key=value)`. A list is written with commas (`--set rtt_ms=25,550`).'
    )
    parts = [f"{_NOTE}\n# Models\n\n{intro}"]
    for entry in models():
        parts.append(
            f"## {entry['name']}\n\n{entry['about'][0].upper()}{entry['about'][1:]}.\n\nSource: {entry['source']}."
        )
        rows = [
            [f"`{wish['name']}`", wish["unit"], _defaults(wish["default"]), wish["bounds"], wish["about"]]
            for wish in entry["parameters"]
        ]
        parts.append(_table(("parameter", "unit", "default", "bounds", "what it is"), rows))
    return "\n\n".join(parts) + "\n"


def _defaults(numbers: Sequence[float]) -> str:
    return ", ".join(f"{number:g}" for number in numbers)


#: File names in docs/reference, and the functions that write them.
PAGES: dict[str, Callable[[], str]] = {
    "commands.md": lambda: commands(_NOTE, _table),
    "controllers.md": controllers_page,
    "errors.md": errors_page,
    "models.md": models_page,
    "scenario.md": scenario_page,
    "summary.md": schema_page,
    "sweep.md": sweep_page,
    "tables.md": tables_page,
    "tcp.md": tcp_page,
}


def write(folder: Path) -> None:
    """Write all pages."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    from doc_pages import classes, typed_dicts

    write(Path(sys.argv[1]))
    for name, text in (classes.modules() | typed_dicts.modules()).items():
        (Path(_core.__file__).parent / name).write_text(text, encoding="utf-8")
