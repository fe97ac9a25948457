# SPDX-License-Identifier: MIT OR Apache-2.0
"""A stored run is used again only while its controller in Python behaves the same."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import bentpipe as bp
from bentpipe.scenario.own_source import digest

CONTROLLER = """
    import dataclasses, enum, functools, math
    import bentpipe as bp
    from helpers import grown
    import helpers

    GAINS = {"slow": 1.0, "fast": 2.0}
    KINDS = frozenset({"a", "b", "c", "d"})

    class Phase(enum.Enum):
        UP = 1
        DOWN = 2

    @dataclasses.dataclass(frozen=True)
    class Limits:
        least: float = 2.0
        most: float = dataclasses.field(default=1e6)

    class Base(bp.Controller):
        step = 1.0

        def on_loss(self, event, control):
            control.cwnd = max(Limits().least, control.cwnd * math.sqrt(0.25))  # halves it

    @bp.register("mine")
    class Mine(Base):
        def __init__(self, gain: float = 1.0) -> None:
            self.phase = Phase.UP

        def on_ack(self, event, control):
            if any(kind in KINDS for kind in ("a", "z")):
                control.cwnd += grown(self.step) * GAINS["slow"] + helpers.table[0] + sum(x for x in (1, 2))

        @functools.lru_cache
        def cached(self):
            return self

        @property
        def seen(self):
            return Mine
"""
HELPERS = """
    table = [0, 1]
    unused = 1

    def deeper(step):
        return step / 2

    def grown(step):
        return deeper(step)
"""


def found(folder: Path, controller: str = CONTROLLER, helpers: str = HELPERS) -> str:
    """Return the digest, computed in a separate process as a later command computes it."""
    folder.mkdir(exist_ok=True)
    (folder / "helpers.py").write_text(textwrap.dedent(helpers))
    (folder / "mine.py").write_text(textwrap.dedent(controller))
    code = "import mine; from bentpipe.scenario.own_source import digest; print(digest(mine.Mine))"
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "", "PYTHONHASHSEED": "random"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, text=True, capture_output=True, check=True)
    return done.stdout


def test_what_it_does_decides_wherever_it_is_written(tmp_path: Path) -> None:
    here = found(tmp_path / "here")
    assert found(tmp_path / "here") == here  # from the cache of compiled modules now
    assert found(tmp_path / "elsewhere") == here
    comments = CONTROLLER.replace("# halves it", "# another comment").replace("GAINS =", "\n\n    GAINS =")
    assert found(tmp_path / "comments", comments, HELPERS.replace("unused = 1", "unused = 2")) == here
    others = [
        found(tmp_path / "a", CONTROLLER.replace("step = 1.0", "step = 1.5")),
        found(tmp_path / "b", CONTROLLER.replace('"slow": 1.0', '"slow": 1.1')),
        found(tmp_path / "c", CONTROLLER.replace('"c", "d"', '"c", "e"')),
        found(tmp_path / "d", CONTROLLER.replace("least: float = 2.0", "least: float = 3.0")),
        found(tmp_path / "e", CONTROLLER.replace("math.sqrt", "math.exp")),
        found(tmp_path / "f", CONTROLLER.replace("x for x", "2 * x for x")),
        found(tmp_path / "g", CONTROLLER.replace("gain: float = 1.0", "gain: float = 2.0")),
        found(tmp_path / "h", helpers=HELPERS.replace("step / 2", "step / 3")),
        found(tmp_path / "i", helpers=HELPERS.replace("[0, 1]", "[1, 1]")),
        found(tmp_path / "j", CONTROLLER.replace("return Mine", "return Base")),
        found(tmp_path / "k", CONTROLLER.replace("UP = 1", "UP = 3")),
    ]
    assert len({here, *others}) == 1 + len(others)


def made(factor: Any, step: float = 1.0) -> type[bp.Controller]:
    """Make two classes from the same source."""

    class Made(bp.Controller):
        def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
            control.cwnd += factor * step

    return Made


def test_what_a_class_was_made_with_counts() -> None:
    assert digest(made(2.0)) == digest(made(2.0))
    assert len({digest(made(*given)) for given in [(2.0,), (2,), (3.0,), (2.0, 0.5), ([2.0],), (len,), (max,)]}) == 7
    kept = [1.0]
    cls = made(kept)
    before = digest(cls)
    kept[0] = 2.0
    assert digest(cls) != before


def test_circles_come_to_an_end() -> None:
    circle: list[Any] = [1]
    circle.append(circle)
    assert digest(made(circle)) == digest(made(circle))


def test_what_nobody_can_read_is_equal_to_nothing_elsewhere(tmp_path: Path) -> None:
    with_file = CONTROLLER.replace("KINDS =", "OPEN = open(__file__)\n    KINDS =").replace(
        "return self\n", "return OPEN\n"
    )
    assert with_file.count("OPEN") == 2
    assert found(tmp_path, with_file) != found(tmp_path, with_file)


def test_a_sweep_runs_again_when_a_closure_has_changed(tmp_path: Path) -> None:
    made = []
    base = {
        "name": "one",
        "duration": "1 s",
        "tcp": {"preset": "bentpipe-0.1"},
        "network": {"dumbbell": {"rate": "10 Mbit/s", "rtt": "20 ms", "queue": "1 BDP"}},
        "flows": [{"controller": "closed-over"}],
    }

    def delivered(window: float) -> float:
        @bp.register("closed-over")
        class Closed(bp.Controller):
            def on_start(self, event: bp.StartEvent, control: bp.Control) -> None:
                control.cwnd = window

        swept = bp.sweep({"base": base, "axes": {"duration": ["1 s"]}, "seeds": {"at_least": 1}}, out=tmp_path)
        made.append(swept.made)
        return float(swept.flows["delivered_packets"][0])

    assert delivered(4.0) == delivered(4.0) < delivered(8.0)
    assert made == [1, 0, 1]


@pytest.mark.parametrize("value", [None, True, 1, 1.0, "x", b"x", (1,), [1], {1: 2}, {3}, frozenset({3})])
def test_plain_values_of_two_types_differ(value: object) -> None:
    plain = [None, True, 1, 1.0, "x", b"x", (1,), [1], {1: 2}, {3}]
    assert sum(digest(value) == digest(other) for other in plain) == 1
