# SPDX-License-Identifier: MIT OR Apache-2.0
"""Arguments of Python functions that are wrong: an error of ours, before anything runs, that says what is right."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

import bentpipe as bp
from project import SMALL

#: A call, and what the message must say.
CASES: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "negative seed": (lambda: bp.run(SMALL, seed=-1), ["seed", "0 to 9223372036854775807", "-1"]),
    "seed beyond a file": (lambda: bp.run(SMALL, seed=2**63), ["9223372036854775807"]),
    "seed in words": (lambda: bp.run(SMALL, seed="one"), ["seed", "'one'"]),
    "seed that is a switch": (lambda: bp.run(SMALL, seed=True), ["seed", "True"]),
    "bare duration": (lambda: bp.run(SMALL, duration=5), ["duration", '"5 s"']),
    "scenario of no kind": (lambda: bp.run(5), ["scenario", "5"]),
    "no scenario": (lambda: bp.run(None), ["scenario", "None"]),
    "folder of no kind": (lambda: bp.run(SMALL, out=5), ["out", "path"]),
    "negative threads": (lambda: bp.run_many([SMALL], threads=-1), ["threads", "1 to 10000"]),
    "no threads": (lambda: bp.run_many([SMALL], threads=0), ["threads", "1 to 10000"]),
    "one scenario of many": (lambda: bp.run_many("x.toml"), ["[scenario]"]),
    "folders that do not match": (lambda: bp.run_many([SMALL], out=["a", "b"]), ["2 folders for 1"]),
    "progress that is no function": (lambda: bp.run_many([SMALL], progress=5), ["progress", "(done, all)"]),
    "errors of another kind": (lambda: bp.run_many([SMALL], errors="ignore"), ['"raise"', '"keep"']),
    "progress is no function": (lambda: bp.compare(SMALL, ["reno"], seeds=1, progress=3), ["progress", "True", "3"]),  # type: ignore[arg-type]
    "no seeds": (lambda: bp.compare(SMALL, ["reno"], seeds=[]), ["seeds", "at least one"]),
    "seeds below zero": (lambda: bp.compare(SMALL, ["reno"], seeds=[-1]), ["each of seeds", "-1"]),
    "base of zero": (lambda: bp.relative_change([1.0, 2.0], [0.0, 0.0]), ["zero"]),
    "pairs of two lengths": (lambda: bp.relative_change([1.0, 2.0], [1.0]), ["2 and 1"]),
    "no samples": (lambda: bp.estimate([]), ["at least one"]),
    "unknown column": (lambda: bp.run(SMALL).flows["cwnd"], ["'cwnd'", "cwnd_segments", "time_s"]),
    "unknown metric": (
        lambda: bp.compare(SMALL, ["reno"], seeds=1).estimate("reno", "goodputt"),
        ["'goodputt'", "goodput_mbit_s"],
    ),
    "unknown controller of a comparison": (
        lambda: bp.compare(SMALL, ["reno"], seeds=1).values("cubic", "goodput_mbit_s"),
        ["'cubic'", "reno"],
    ),
    "one seed of an evaluation": (lambda: bp.evaluate("reno", seeds=1), ["at least 2"]),
    "unknown criterion": (lambda: bp.evaluate("reno", criteria=["speed"]), ['"speed"', "there are"]),
    "network of no kind": (lambda: bp.run(bp.Scenario(network=None)), ["Dumbbell", "None"]),  # type: ignore[arg-type]
    "a value no document can say": (
        lambda: bp.run(bp.Scenario(network=bp.Dumbbell(rate=object(), rtt="1 ms"))),  # type: ignore[arg-type]
        ["no document can say"],
    ),
    "no folder": (lambda: bp.load(None), ["run folder"]),  # type: ignore[arg-type]
    "paths without number": (lambda: bp.constellation("iridium").shortest("Paris", "Rome", k=0), ["at least 1"]),
}


@pytest.mark.parametrize("name", CASES)
def test_wrong(name: str) -> None:
    call, words = CASES[name]
    with pytest.raises(bp.BentpipeError) as caught:
        call()
    assert caught.value.code == "argument-value"
    # As before there were errors of our own for it.
    assert isinstance(caught.value, ValueError)
    for word in words:
        assert word in caught.value.message
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own
    assert (type(copy), str(copy)) == (bp.ArgumentError, str(caught.value))


def test_seeds_may_be_counted() -> None:
    assert bp.compare(SMALL, ["reno"], seeds=2).seeds == (1, 2)


def test_a_scenario_needs_no_name() -> None:
    network = bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms")
    scenario = bp.Scenario(network=network, flows=[bp.Flow(controller="reno")], duration="1 s")
    assert bp.run(scenario).name == "untitled"
