# SPDX-License-Identifier: MIT OR Apache-2.0
"""The types of what the native module answers as JSON, beside what it does answer."""

from __future__ import annotations

import json
import types
from pathlib import Path
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

import bentpipe as bp
from bentpipe import _answers, _core, _json, _presets, _summary_types
from conftest import ROOT

HINTS = {**vars(_answers), "Document": dict[str, object], "Json": object}
SCENARIO = """
name = "x"
duration = "1 s"
network.dumbbell = { rate = "1 Mbit/s", rtt = "10 ms", queue = "1 BDP" }
flows = [{ controller = "reno" }]
"""


def misfit(value: object, kind: Any, at: str = "") -> str:
    """Where a value is not of a type; empty if it is."""
    if is_typeddict(kind):
        if not isinstance(value, dict):
            return f"{at} is no table"
        hints = get_type_hints(kind, None, HINTS, include_extras=True)
        needed = {key for key, hint in hints.items() if get_origin(hint) is not NotRequired}
        if not needed <= set(value) <= set(hints):
            return f"{at} has {sorted(value)}, and its type {sorted(hints)}"
        return next((wrong for key, one in value.items() if (wrong := misfit(one, hints[key], f"{at}.{key}"))), "")
    origin, inner = get_origin(kind), get_args(kind)
    if origin is NotRequired:
        return misfit(value, inner[0], at)
    if origin in (types.UnionType, Union):
        found = [misfit(value, one, at) for one in inner]
        return "" if "" in found else found[0]
    if origin is Literal:
        return "" if value in inner else f"{at} is {value!r}"
    if origin is not None and not isinstance(value, origin):
        return f"{at} is no {origin.__name__}"
    if origin is list and isinstance(value, list):
        return next((wrong for at_, one in enumerate(value) if (wrong := misfit(one, inner[0], f"{at}[{at_}]"))), "")
    if origin is dict and isinstance(value, dict):
        return next((wrong for key, one in value.items() if (wrong := misfit(one, inner[1], f"{at}.{key}"))), "")
    if kind is float:
        return "" if isinstance(value, (int, float)) and not isinstance(value, bool) else f"{at} is {value!r}"
    return "" if isinstance(value, kind) else f"{at} is {value!r}, not {kind}"


def answers() -> dict[str, tuple[object, Any]]:
    """What is answered, and its type."""
    path = _core.path_series(_core.Job(SCENARIO, "<text>"), None, True, "1 s")[1]
    models = json.loads(_core.models())
    return {
        "controllers": (bp.controllers(), list[_answers.ControllerEntry]),
        "presets of TCP": (bp.tcp_presets(), list[_answers.TcpPreset]),
        "constellations": (bp.constellations(), list[_answers.ConstellationEntry]),
        "networks": (json.loads(_core.network_presets()), list[_answers.NetworkPreset]),
        "presets": (bp.presets(), list[_presets.PresetEntry]),
        "models": (models, list[_answers.ModelEntry]),
        **{
            f"model {one['name']}": (json.loads(_core.model(one["name"], [])[0]), _answers.ModelAnswer)
            for one in models
        },
        "path": (json.loads(path), _answers.PathFacts),
        "sky": (bp.constellation("iridium").facts, _answers.SkyFacts),
        "budgets": (bp.link_budgets(ROOT / "scenarios" / "geo-rain.toml"), list[_answers.StandingBudget]),
    }


@pytest.mark.parametrize("what", answers())
def test_an_answer_has_its_type(what: str) -> None:
    value, kind = answers()[what]
    assert misfit(value, kind, what) == ""


def test_a_summary_has_its_type() -> None:
    summary = bp.run(SCENARIO).summary
    assert misfit(summary, _summary_types.Summary) == ""
    broken = {**summary, "totals": {**summary["totals"], "goodput_mbit_s": "much"}}
    assert misfit(broken, _summary_types.Summary) == ".totals.goodput_mbit_s is 'much'"


def test_a_budget_of_a_file_has_its_type(tmp_path: Path) -> None:
    file = tmp_path / "budget.toml"
    file.write_text(
        "availability = [99.0]\n[budget]\nbandwidth = '36 MHz'\n[budget.down]\nfrequency = '19.7 GHz'\n"
        "eirp = '60 dBW'\ng_over_t = '17 dB/K'\nelevation = '35 deg'\nlatitude = '50.1 deg'\n"
    )
    assert misfit(bp.link_budget(file), _answers.LinkBudget) == ""


def test_plain_values_are_those_of_json() -> None:
    assert _json.plain({"a": (1, 2.5), "b": {"c": [True, None, "x"]}}) == {"a": [1, 2.5], "b": {"c": [True, None, "x"]}}
    with pytest.raises(TypeError, match=r"\{1\} is not text, a number"):
        _json.plain({"a": {1}})
    with pytest.raises(bp.ScenarioError, match=r"cubic: \{1\} is not text"):
        bp.compare(SCENARIO, [{"name": "cubic", "beta": {1}}])
