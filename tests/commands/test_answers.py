# SPDX-License-Identifier: MIT OR Apache-2.0
"""The schema of the JSON that the native module returns, compared with what the module returns."""

from __future__ import annotations

import json

import jsonschema
import pytest

import bentpipe as bp
from bentpipe import _core
from bentpipe.base import json as _json
from project import ROOT

SCENARIO = """
name = "x"
duration = "1 s"
network.dumbbell = { rate = "1 Mbit/s", rtt = "10 ms", queue = "1 BDP" }
flows = [{ controller = "reno" }]
"""


BUDGET = """
availability = [99.0]
[budget]
bandwidth = "36 MHz"
down = { frequency = "19.7 GHz", eirp = "60 dBW", g_over_t = "17 dB/K", elevation = "35 deg", latitude = "50.1 deg" }
"""


def answers() -> dict[str, list[object]]:
    """Return results of each function that returns JSON."""
    job = _core.Job(SCENARIO, "<text>")
    models = json.loads(_core.models())
    return {
        "controllers": [bp.controllers()],
        "tcp_presets": [bp.tcp_presets()],
        "network_presets": [json.loads(_core.network_presets())],
        "constellations": [bp.constellations()],
        "describe": [bp.constellation(name).facts for name in ("iridium", "starlink")],
        "models": [models],
        "model": [json.loads(_core.model(one["name"], [])[0]) for one in models],
        "path_series": [json.loads(_core.path_series(job, None, True, "1 s")[1])],
        "link_budget": [json.loads(_core.link_budget(BUDGET, "<text>"))],
        "link_budgets": [bp.link_budgets(ROOT / "scenarios" / "geo-rain.toml")],
    }


def test_answers_are_as_their_schema_says() -> None:
    schema = json.loads(_core.answers_schema())
    for part in schema["$defs"].values():
        if "properties" in part:
            part["additionalProperties"] = False
    found = answers()
    assert found.keys() == schema["properties"].keys()
    for function, several in found.items():
        for answer in several:
            jsonschema.validate(answer, {**schema["properties"][function], "$defs": schema["$defs"]})


def test_plain_values_are_those_of_json() -> None:
    assert _json.plain({"a": (1, 2.5), "b": {"c": [True, None, "x"]}}) == {"a": [1, 2.5], "b": {"c": [True, None, "x"]}}
    with pytest.raises(TypeError, match=r"\{1\} is not text, a number"):
        _json.plain({"a": {1}})
    with pytest.raises(bp.ScenarioError, match=r"cubic: \{1\} is not text"):
        bp.compare(SCENARIO, [{"name": "cubic", "beta": {1}}])
