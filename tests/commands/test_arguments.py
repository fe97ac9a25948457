# SPDX-License-Identifier: MIT OR Apache-2.0
"""Wrong arguments of Python functions raise one of our errors, before anything runs, and the message gives the fix."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

import bentpipe as bp
from bentpipe import study
from project import SMALL

#: For each case: a call, and words of the message.
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
    "folders that do not match": (
        lambda: bp.run_many([SMALL], out=["a", "b"]),
        ["one folder per entry of scenarios (1), not 2"],
    ),
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
    "unknown criterion": (lambda: bp.evaluate("reno", criteria=["speed"]), ['"speed"', "known criteria"]),
    "network of no kind": (lambda: bp.run(bp.Scenario(network=None)), ["Dumbbell", "None"]),  # type: ignore[arg-type]
    "a value no document can say": (
        lambda: bp.run(bp.Scenario(network=bp.Dumbbell(rate=object(), rtt="1 ms"))),  # type: ignore[arg-type]
        ["TOML cannot represent"],
    ),
    "no folder": (lambda: bp.load(None), ["run folder"]),  # type: ignore[arg-type]
    "file in bytes": (lambda: bp.load(b"run"), ["a run folder must be a path", "b'run'"]),  # type: ignore[arg-type]
    "file that is not UTF-8": (lambda: bp.run("x\udce9.toml"), ["x\\xe9.toml: the name of the file is not UTF-8"]),
    "folder that is not UTF-8": (lambda: bp.load("x\udce9"), ["x\\xe9: the name of the file is not UTF-8"]),
    "output that is not UTF-8": (lambda: bp.run(SMALL, out="x\udce9"), ["not UTF-8 (rename the file)"]),
    "sky that is not UTF-8": (lambda: bp.constellation("x\udce9.tle"), ["not UTF-8 (rename the file)"]),
    "report of no kind": (lambda: bp.run(SMALL).report(5), ["file must be a path", "5"]),  # type: ignore[arg-type]
    "table of no kind": (lambda: bp.run(SMALL).flows.to_csv(5), ["file must be a path", "5"]),  # type: ignore[arg-type]
    "each folder of no kind": (lambda: bp.run_many([SMALL], out=[5]), ["out must be a path", "5"]),
    "study of no kind": (lambda: study.load(5), ["a study must be a path", "5"]),  # type: ignore[arg-type]
    "two columns of one name": (lambda: bp.Table(pa.table([[1], [2]], ["a", "a"])), ["two columns are called a"]),
    "paths without number": (lambda: bp.constellation("iridium").shortest("Paris", "Rome", k=0), ["at least 1"]),
}


@pytest.mark.parametrize("name", CASES)
def test_wrong(name: str) -> None:
    call, words = CASES[name]
    with pytest.raises(bp.BentpipeError) as caught:
        call()
    assert caught.value.code == "argument-value"
    # Code that catches ValueError, as was usual before these errors existed, still works.
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
