# SPDX-License-Identifier: MIT OR Apache-2.0
"""The models of the papers from a user's view. Their numbers are tested in crates/fluid."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bentpipe as bp
from bentpipe.validation import _laws
from project import Command

MODELS = [entry["name"] for entry in bp.models()]


@pytest.mark.parametrize("name", MODELS)
def test_every_model_answers_and_draws(name: str, tmp_path: Path) -> None:
    answer = bp.model(name)
    entry = next(entry for entry in bp.models() if entry["name"] == name)
    assert answer.name == name
    assert answer.source == entry["source"]
    assert list(answer.parameters) == [wish["name"] for wish in entry["parameters"]]
    assert len(answer.table) > 0
    assert all(math.isfinite(value) for value in answer.facts.values())
    assert answer.notes
    figure = answer.plot()
    figure.savefig(tmp_path / "picture.png")
    drawn = [axis for axis in figure.axes if axis.axison]
    assert len(drawn) == len(answer._panels)
    assert all(axis.get_xlabel() and axis.get_ylabel() and axis.get_title(loc="left") for axis in drawn)


@pytest.mark.parametrize("name", MODELS)
def test_every_name_carries_its_unit(name: str) -> None:
    for wish in next(entry for entry in bp.models() if entry["name"] == name)["parameters"]:
        suffix = {"ms": "_ms", "s": "_s", "bytes": "_bytes", "km": "_km", "deg": "_deg", "Mbit/s": "_mbit_s"}
        if ending := suffix.get(wish["unit"]):
            assert wish["name"].endswith(ending), wish["name"]


def test_parameters_may_be_numbers_lists_arrays_and_text() -> None:
    for rtts in ([25, 550], (25.0, 550.0), np.array([25.0, 550.0]), "25,550"):
        answer = bp.model("hybla-window", rtt_ms=rtts, gamma=64)
        assert answer.parameters["rtt_ms"] == [25.0, 550.0]
        assert answer.parameters["gamma"] == 64.0
        # 25 ms log2(64)
        assert answer.facts["hybla_switch_s"] == pytest.approx(0.15)


@pytest.mark.parametrize(
    ("name", "parameters", "code", "words"),
    [
        ("hybla-windo", {}, "model-unknown", ["hybla-windo", "hybla-window"]),
        ("hybla-window", {"rtt": 25}, "parameter-unknown", ["rtt", "rtt_ms"]),
        ("hybla-window", {"gamma": 1}, "parameter-value", ["gamma", "1", "from 2 to"]),
        ("hybla-window", {"gamma": "much"}, "parameter-value", ["gamma", "much", "a number"]),
        ("hybla-window", {"gamma": None}, "parameter-value", ["gamma", "None"]),
        ("hybla-window", {"gamma": True}, "parameter-value", ["gamma", "True"]),
        ("hybla-window", {"rtt_ms": []}, "parameter-value", ["rtt_ms", "empty"]),
        ("hybla-window", {"rtt_ms": math.nan}, "parameter-value", ["rtt_ms", "NaN"]),
        ("hybic-window", {"rtt_sat_ms": 50}, "parameter-value", ["rtt_sat_ms", "rtt_ref_ms"]),
    ],
)
def test_what_is_wrong_is_said(name: str, parameters: dict[str, Any], code: str, words: list[str]) -> None:
    with pytest.raises(bp.ScenarioError) as raised:
        bp.model(name, **parameters)
    assert raised.value.code == code
    assert all(word in raised.value.message for word in words)


@pytest.mark.parametrize("p", [1e-3, 1e-5, 1e-7])
def test_responses_are_those_of_the_validation(p: float) -> None:
    """The laws in `validation` were written from the same sources, but separately."""
    answer = bp.model("response", packet_error_rate=p, rtt_ms=200, h_tcp_kept=0.8)
    windows = dict(zip(answer.table["controller"], answer.table["window_segments"], strict=True))
    assert windows["Reno"] == pytest.approx(_laws.reno(p))
    assert windows["HSTCP"] == pytest.approx(_laws.hstcp(p))
    assert windows["STCP"] == pytest.approx(_laws.stcp(p))
    assert windows["CUBIC"] == pytest.approx(_laws.cubic(p, 0.2))
    assert windows["H-TCP"] == pytest.approx(_laws.htcp(p, 0.2, 0.8), rel=1e-3)
    assert windows["Hybla"] / 0.2 == pytest.approx(_laws.hybla_rate(p))
    assert windows["Geo-Reno"] == pytest.approx(_laws.reno(p, 21.5))


@pytest.mark.parametrize("w_max", [100.0, 1e3, 1e4, 1e5])
def test_bics_epochs_are_those_of_the_validation(w_max: float) -> None:
    p, window = _laws.bic(w_max)
    answer = bp.model("response", packet_error_rate=p)
    windows = dict(zip(answer.table["controller"], answer.table["window_segments"], strict=True))
    # Only epochs of whole round trips are compared: next to a step, one p belongs to two windows.
    assert windows["BIC"] == pytest.approx(window, rel=0.02)


def test_the_command_lists_and_prints(cli: Command, tmp_path: Path) -> None:
    listed = cli("model")
    assert listed.returncode == 0, listed.stderr
    assert all(name in listed.stdout for name in MODELS)
    done = cli("model", "hybla-increments", "--set", "rho=2,10,22", "--set", "rtt0_ms=50", "--out", "picture.png")
    assert done.returncode == 0, done.stderr
    assert "4.1943e+06" in done.stdout
    assert "1100" in done.stdout, "22 times 50 ms"
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert "picture.png" in done.stderr


def test_the_command_prints_json(cli: Command) -> None:
    record = json.loads(cli("model", "hybic-table", "--json").stdout)
    assert set(record) == {"name", "source", "parameters", "facts", "notes", "table"}
    assert record["table"]["algorithm"] == ["HYBIC", "CUBIC", "Hybla"]
    assert [entry["name"] for entry in json.loads(cli("model", "--json").stdout)] == MODELS


def test_a_long_table_is_thinned_and_says_so(cli: Command) -> None:
    done = cli("model", "hybic-window")
    assert "40 of 301 rows" in done.stderr
    assert done.stdout.count("\n") < 100


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["hybic-windw"], ["error[model-unknown]", "hybic-window"]),
        (["hybic-window", "--set", "gama=1"], ["error[parameter-unknown]", "gamma"]),
        (["hybic-window", "--set", "gamma=x"], ["error[parameter-value]", "from 2 to"]),
        (["hybic-window", "--set", "gamma"], ["error[parameter-value]", "KEY=VALUE"]),
        (["--set", "gamma=3"], ["error[model-unknown]", "bentpipe model NAME"]),
        (["hybic-window", "--out", "picture.bmp"], ["error[argument-value]", ".png"]),
    ],
)
def test_bad_input_ends_with_two(cli: Command, arguments: list[str], words: list[str]) -> None:
    done = cli("model", *arguments)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert all(word in done.stderr for word in words)
