# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every scenario worth keeping runs, fits the schema, has its comment, and repeats itself when resolved."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

import bentpipe as bp
from bentpipe import _core
from conftest import ROOT

# A run must last until its last flow starts, and longer than its warm-up.
LONG_ENOUGH = {"cbr-cross-traffic": "82 s", "finite-transfers": "30 s", "geo-codel": "65 s", "geo-fq-codel": "65 s"}
FILES = sorted((ROOT / "scenarios").rglob("*.toml"))


def test_there_are_some() -> None:
    assert len(FILES) >= 6


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_scenario(file: Path) -> None:
    lines = file.read_text().splitlines()
    assert lines[0].startswith("# SPDX-License-Identifier: ")
    assert lines[1].startswith("# ")
    jsonschema.validate(tomllib.loads(file.read_text()), json.loads(_core.scenario_schema()))
    run = bp.run(file, duration=LONG_ENOUGH.get(file.stem, "5 s"))
    assert run.summary["totals"]["goodput_mbit_s"] > 0
    jsonschema.validate(run.summary, json.loads(_core.summary_schema()))
    again = bp.run(run.scenario)
    assert again.summary == run.summary
    assert again.scenario == run.scenario
