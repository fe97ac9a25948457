# SPDX-License-Identifier: MIT OR Apache-2.0
"""The classes of scenarios equal the schema, and scenarios in classes equal the same scenarios in files."""

from __future__ import annotations

import collections.abc
import dataclasses
import json
import subprocess
import sys
import tomllib
import types
import typing
from pathlib import Path
from random import Random
from typing import Any

import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe.scenario import class_names
from bentpipe.scenario.document import TomlTable
from doc_pages import classes, typed_dicts
from fuzz.draw import Draw
from project import ROOT
from waiting import HANG_S

FILES = sorted((ROOT / "scenarios").rglob("*.toml"))


def parts(hint: Any) -> tuple[Any, ...]:
    """Return the types of a union without None, or the single type."""
    union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    return tuple(part for part in typing.get_args(hint) if part is not types.NoneType) if union else (hint,)


def tables(hint: Any) -> list[type[TomlTable]]:
    return [part for part in parts(hint) if isinstance(part, type) and issubclass(part, TomlTable)]


def items_of(hint: Any) -> list[Any]:
    """Return the types of the items of the lists that a value can be."""
    return [typing.get_args(part)[0] for part in parts(hint) if typing.get_origin(part) is collections.abc.Sequence]


def named(cls: type[TomlTable]) -> dict[str, Any]:
    """Return the types of the keys of a class, by the keys in TOML."""
    return {name.rstrip("_"): hint for name, hint in typing.get_type_hints(cls).items()}


def built(hint: Any, value: Any) -> Any:
    """Convert a value from TOML: a table becomes its class if there is one."""
    if isinstance(value, dict):
        cls = next((one for one in tables(hint) if value.keys() <= named(one).keys()), None)
        if cls is None:
            return value
        own = {"from": "from_"}
        return cls(**{own.get(key, key): built(named(cls)[key], one) for key, one in value.items()})
    if isinstance(value, list):
        items = [
            typing.get_args(part)[0] for part in parts(hint) if typing.get_origin(part) is collections.abc.Sequence
        ]
        return [built(items[0], one) for one in value]
    return value


GENERATED = classes.modules() | typed_dicts.modules()


@pytest.mark.parametrize("name", GENERATED)
def test_generated_modules_are_the_schemas(name: str) -> None:
    committed = (ROOT / "python/bentpipe" / name).read_text(encoding="utf-8")
    assert committed == GENERATED[name], "run `make docs` and commit it"


class Walk:
    """Compares the schema with the classes, from the document to the innermost tables."""

    def __init__(self) -> None:
        self.schema: dict[str, Any] = json.loads(_core.scenario_schema())
        self.met: dict[type, str] = {}

    def table(self, cls: type[TomlTable], schema: dict[str, Any], name: str) -> None:
        if cls in self.met:
            assert self.met[cls] == name
            return
        self.met[cls] = name
        hints = named(cls)
        assert hints.keys() == schema["properties"].keys(), name
        required = {field.name.rstrip("_") for field in dataclasses.fields(cls) if field.default is dataclasses.MISSING}
        assert required == {*schema.get("required", ())}, name
        for key, value in schema["properties"].items():
            self.value(hints[key], value, f"{name}.{key}")

    def value(self, hint: Any, schema: dict[str, Any], where: str) -> None:
        if where == f"{self.schema['title']}.network":
            hint = bp.Network | collections.abc.Mapping[str, object]
        kinds, words, items, objects = self.kinds(schema)
        plain = {part for part in parts(hint) if part in (str, float, int, bool)}
        assert plain == kinds, where
        literals = [part for part in parts(hint) if typing.get_origin(part) is typing.Literal]
        assert {word for part in literals for word in typing.get_args(part)} == words, where
        sequences = [
            typing.get_args(part)[0] for part in parts(hint) if typing.get_origin(part) is collections.abc.Sequence
        ]
        assert len(sequences) == len(items), where
        for inner, item in zip(sequences, items, strict=True):
            self.value(inner, item, f"{where}[]")
        mappings = [part for part in parts(hint) if typing.get_origin(part) is collections.abc.Mapping]
        assert len(mappings) == bool(objects), where
        closed = [one for one in objects if one[1]["additionalProperties"] is False]
        assert len(tables(hint)) == len(closed), where
        for cls, (name, table) in zip(tables(hint), closed, strict=True):
            self.table(cls, table, name)

    def kinds(self, schema: dict[str, Any], name: str = "") -> tuple[set[type], set[str], list[Any], list[Any]]:
        """Return the plain types, words, list items and tables that a value can be."""
        if "$ref" in schema:
            name = schema["$ref"].removeprefix("#/$defs/")
            return self.kinds(self.schema["$defs"][name], name)
        if "anyOf" in schema:
            each = [self.kinds(part) for part in schema["anyOf"]]
            return (
                set().union(*(one[0] for one in each)),
                set().union(*(one[1] for one in each)),
                [item for one in each for item in one[2]],
                [table for one in each for table in one[3]],
            )
        if "enum" in schema:
            return set(), set(schema["enum"]), [], []
        said = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        plain = {"string": str, "number": float, "integer": int, "boolean": bool}
        return (
            {plain[one] for one in said if one in plain},
            set(),
            [schema["items"]] if "array" in said else [],
            [(name, schema)] if "object" in said else [],
        )


def test_every_key_of_the_schema_is_a_field_and_no_other_is() -> None:
    walk = Walk()
    walk.table(bp.Scenario, walk.schema, walk.schema["title"])
    assert {cls.__name__ for cls in walk.met} == {*class_names.NAMES}
    closed = {name for name, one in walk.schema["$defs"].items() if one.get("additionalProperties") is False}
    assert {*walk.met.values()} == closed | {walk.schema["title"]}


def read(text: str, origin: str) -> str:
    """Return the resolved text. If the document is refused, return the codes of its faults, in order of lines."""
    try:
        return _core.facts(_core.Job(text, origin)).resolved
    except bp.ScenarioError as refused:
        return " ".join(sorted(fault.code for fault in refused.faults))


def same(text: str, origin: str) -> set[str]:
    """Check that classes and text give the same scenario. Return the names of the classes that were used."""
    scenario = built(bp.Scenario, tomllib.loads(text))
    assert scenario.to_document() == tomllib.loads(text)
    assert read(scenario.to_toml(), origin) == read(text, origin)
    return classes_in(scenario)


def classes_in(value: object) -> set[str]:
    if isinstance(value, TomlTable):
        inner = [getattr(value, field.name) for field in dataclasses.fields(value)]
        return {type(value).__name__}.union(*map(classes_in, inner))
    return set().union(*map(classes_in, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_scenario_in_classes_is_that_of_its_file(file: Path) -> None:
    assert {"Scenario", "Network"} <= same(file.read_text(encoding="utf-8"), str(file))


def test_scenarios_drawn_from_the_schema_are_the_same_in_classes() -> None:
    used = set().union(*(same(Draw(Random(seed)).text(), f"drawn {seed}") for seed in range(300)))  # noqa: S311
    # Tables that exist only in resolved scenarios, and keys of catalogues, are not drawn.
    assert len(used) > 0.8 * len(class_names.NAMES), {*class_names.NAMES} - used


def test_a_key_that_python_keeps_for_itself() -> None:
    flow = bp.Flow(from_="left", to="right", tcp=bp.Tcp(mss="1000 B"), size={"law": "pareto"})
    assert flow.to_document() == {"from": "left", "to": "right", "tcp": {"mss": "1000 B"}, "size": {"law": "pareto"}}
    assert repr(flow) == "Flow(from_='left', to='right', size={'law': 'pareto'}, tcp=Tcp(mss='1000 B'))"


def test_the_only_table_of_a_network_stands_for_it() -> None:
    line = bp.Dumbbell(rate="1 Mbit/s", rtt="10 ms", loss=bp.Loss(per=0.1))
    short, long = (bp.Scenario(network=network).to_document() for network in (line, bp.Network(dumbbell=line)))
    assert short == long == {"network": {"dumbbell": {"rate": "1 Mbit/s", "rtt": "10 ms", "loss": {"per": 0.1}}}}


def test_a_key_that_is_none_is_told_by_python_and_by_the_reader() -> None:
    with pytest.raises(TypeError, match="per"):
        bp.Dumbbell(per=1e-3)  # type: ignore[call-arg]
    with pytest.raises(bp.ScenarioError, match=r"network\.dumbbell.*per"):
        bp.Scenario(network=bp.Network(dumbbell={"rate": "1 Mbit/s", "rtt": "10 ms", "per": 1e-3})).resolved()
    with pytest.raises(bp.ArgumentError, match="scenario 'x' holds a value that TOML cannot represent"):
        bp.Scenario(name="x", network=bp.Chain(links=object())).to_toml()  # type: ignore[arg-type]


TYPED = """
import bentpipe as bp

bp.Scenario(
    network=bp.Network(dumbbell=bp.Dumbbell(rate="1 Mbit/s", queue=bp.Queue(discipline="codel"), loss={"per": 1e-3})),
    flows=[bp.Flow(controller="cubic", start="1 s")],
)
bp.Dumbbell(per=1e-3)
bp.Queue(discipline="cdel")
bp.Flow(count="two")
"""


def test_a_type_checker_knows_the_keys(tmp_path: Path) -> None:
    snippet = tmp_path / "snippet.py"
    snippet.write_text(TYPED)
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--follow-imports=silent",
        "--cache-dir",
        str(tmp_path),
        snippet,
    ]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG_S, check=False).stdout
    errors = [line.partition("snippet.py:")[2] for line in found.splitlines() if "error:" in line]
    assert [int(error.partition(":")[0]) for error in errors] == [8, 9, 10], found
    assert 'Unexpected keyword argument "per" for "Dumbbell"' in errors[0]
    assert '"codel"' in errors[1] or "Literal['drop-tail', 'codel'" in errors[1]
    assert 'Argument "count" to "Flow" has incompatible type "str"; expected "int | None"' in errors[2]
