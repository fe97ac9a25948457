# SPDX-License-Identifier: MIT OR Apache-2.0
"""The types of summary.json: those that the schema gives, and mypy checks keys by them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import bentpipe as bp
from bentpipe import _core, _summary_types, _typed_dicts


def test_the_module_is_the_schemas() -> None:
    committed = Path(_summary_types.__file__).read_text(encoding="utf-8")
    assert committed == _typed_dicts.summary_module(), "run `make docs` and commit _summary_types.py"


def test_a_class_has_the_keys_of_its_table() -> None:
    schema = json.loads(_core.summary_schema())
    for name, table in {"Summary": schema, **schema["$defs"]}.items():
        if "properties" in table:
            found = getattr(_summary_types, name)
            assert set(found.__annotations__) == set(table["properties"]), name


def test_what_has_no_type_is_refused() -> None:
    schema = {"title": "One", "description": "A.", "properties": {"a": {"description": "B.", "type": "object"}}}
    with pytest.raises(ValueError, match="no type for"):
        _typed_dicts.module({**schema, "$defs": {}})


def test_a_summary_is_indexed_by_text() -> None:
    scenario = bp.Scenario(name="one", duration="1 s", network=bp.Dumbbell(rate="1 Mbit/s", rtt="20 ms", queue="10 kB"))
    summary = bp.run(bp.Scenario(**{**vars(scenario), "flows": [bp.Flow(controller="reno")]})).summary
    jsonschema.validate(summary, json.loads(_core.summary_schema()))
    assert isinstance(summary, dict)
    assert summary["totals"]["goodput_mbit_s"] == summary["flows"][0]["goodput_mbit_s"] > 0.0
