# SPDX-License-Identifier: MIT OR Apache-2.0
"""The types of JSON equal the schemas, and mypy checks keys with them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import jsonschema
import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe.base.json import Schema
from bentpipe.results import summary_types
from bentpipe.scenario import answers
from doc_pages import typed_dicts
from project import ROOT


@pytest.mark.parametrize(
    ("types", "schema"), [(answers, _core.answers_schema()), (summary_types, _core.summary_schema())]
)
def test_a_class_has_the_keys_of_its_table(types: ModuleType, schema: str) -> None:
    whole = json.loads(schema)
    for name, table in {whole["title"]: whole, **whole["$defs"]}.items():
        if "properties" in table:
            assert set(getattr(types, name).__annotations__) == set(table["properties"]), name


def test_what_has_no_type_is_refused() -> None:
    table: Schema = {
        "title": "One",
        "description": "A.",
        "properties": {"a": {"description": "B.", "type": "object"}},
        "$defs": {},
    }
    with pytest.raises(ValueError, match="no type for"):
        typed_dicts.module(table)


SNIPPET = """
import bentpipe as bp

run = bp.load("folder")
number: float | None = run.summary["totals"]["delivered_mbit_s"]
flow: bp.FlowSummary = run.summary["flows"][0]
origin: str = flow["from"]
"""
WRONG = {
    'run.summary["totals"]["goodput"]': 'TypedDict "Totals" has no key "goodput"',
    'flow["rtt_ms"]["p95"]': 'Value of type "Distribution | None" is not indexable',
    'flow["visits"]["begun"]': 'Value of type "VisitsSummary | None" is not indexable',
    'text: str = run.provenance["seed"]': 'expression has type "int", variable has type "str"',
}


def test_mypy_checks_keys(tmp_path: Path) -> None:
    file = tmp_path / "snippet.py"
    file.write_text(SNIPPET + "\n".join(WRONG) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", file]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    first = len(SNIPPET.splitlines()) + 1
    found = {int(line.split(":")[1]): line for line in said.stdout.splitlines() if ": error: " in line}
    assert sorted(found) == list(range(first, first + len(WRONG))), said.stdout + said.stderr
    for line, words in zip(sorted(found), WRONG.values(), strict=True):
        assert words in found[line]


def test_a_summary_is_indexed_by_text() -> None:
    network = bp.Dumbbell(rate="1 Mbit/s", rtt="20 ms", queue="10 kB")
    summary = bp.run(
        bp.Scenario(name="one", duration="1 s", network=network, flows=[bp.Flow(controller="reno")])
    ).summary
    jsonschema.validate(summary, json.loads(_core.summary_schema()))
    assert isinstance(summary, dict)
    assert summary["totals"]["delivered_mbit_s"] == summary["flows"][0]["goodput_mbit_s"] > 0.0
