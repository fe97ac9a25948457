# SPDX-License-Identifier: MIT OR Apache-2.0
"""Controllers of users in Python: the same arithmetic as native controllers, and all kinds of errors."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from typing import Literal

import pyarrow.parquet as pq
import pytest

import bentpipe as bp
import reno_in_python
from bentpipe import _core
from project import ROOT, SMALL, Command
from waiting import heed_interrupts, interrupted, until

PLUGIN = Path(reno_in_python.__file__)
MINE = SMALL.replace('"reno"', '{ name = "mine" }')
HEAD = 'import bentpipe as bp\n\n\n@bp.register("mine")\nclass Mine(bp.Controller):\n'


def _mine(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


# Cases with both kinds of losses, timeouts, spurious timeouts, an orbit, a flow with a size, and delayed ACKs.
SAME = {
    "dumbbell": (ROOT / "scenarios" / "dumbbell.toml").read_text(),
    "delay step": (ROOT / "scenarios" / "delay-step-15s.toml").read_text(),
    "finite": (ROOT / "scenarios" / "finite-transfers.toml").read_text(),
    "orbit": (ROOT / "scenarios" / "iridium-isl-bottleneck.toml").read_text(),
    "lossy": """
name = "lossy"
duration = "60 s"
network.dumbbell = { rate = "2 Mbit/s", rtt = "300 ms", queue = "20 packets", loss = { per = 0.03 } }
tcp = { delayed_ack = true, min_rto = "200 ms" }
flows = [{ controller = "reno", count = 3 }]
""",
    "late": """
name = "late"
duration = "30 s"
[network.dumbbell]
rate = "2 Mbit/s"
reorder = true
delay_steps = [["0 s", "300 ms"], ["10 s", "20 ms"], ["20 s", "900 ms"]]
[tcp]
min_rto = "200 ms"
[[flows]]
controller = "reno"
""",
}


@pytest.mark.parametrize("name", SAME)
def test_reno_in_python_is_the_native_one_number_by_number(tmp_path: Path, name: str) -> None:
    made = bp.compare(SAME[name], ["reno", "reno-in-python"], seeds=[3], out=tmp_path, threads=1)
    native, python = (tmp_path / f"{controller}-s3" for controller in made.controllers)
    tables = sorted(file.name for file in native.glob("*.parquet"))
    assert {"flows.parquet", "links.parquet", "snapshots.parquet"} <= set(tables)
    assert tables == sorted(file.name for file in python.glob("*.parquet"))
    for table in tables:
        one, other = (pq.read_table(folder / table).replace_schema_metadata() for folder in (native, python))
        assert one.equals(other), table
    totals = [made.runs[controller][0].summary["totals"] for controller in made.controllers]
    assert totals[0] == totals[1]


def test_the_cases_have_timeouts_and_undone_cuts() -> None:
    lossy, late = (bp.run(SAME[name], seed=3).summary["flows"] for name in ("lossy", "late"))
    assert sum(flow["timeouts"] for flow in lossy) > 0
    assert sum(flow["spurious_undone"] for flow in late) > 0


def test_two_threads_give_the_same_bytes(tmp_path: Path) -> None:
    scenario = ROOT / "scenarios" / "iridium-isl-bottleneck.toml"
    for threads in (1, 2):
        bp.compare(
            scenario,
            ["reno-in-python"],
            seeds=range(4),
            duration="6 s",
            out=tmp_path / str(threads),
            threads=threads,
        )
    one, two = (sorted(file for file in (tmp_path / n).rglob("*") if file.is_file()) for n in "12")
    assert len(one) == len(two) > 16
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(one, two, strict=True))


def test_a_plugin_on_the_command_line(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL.replace('"reno"', '"reno-in-python"'))
    done = cli("run", "small.toml", "--plugin", PLUGIN)
    assert done.returncode == 0, done.stderr
    assert "reno-in-python" in done.stdout
    both = cli(
        "compare",
        "small.toml",
        "--controllers",
        "reno,reno-in-python",
        "--seeds",
        2,
        "--plugin",
        PLUGIN,
        "--threads",
        2,
    )
    assert both.returncode == 0, both.stderr
    assert " 0.0 %" in both.stdout


def guide(page: str) -> dict[str, object]:
    """Run the first Python block of a page of the guide, which registers its controllers."""
    text = (ROOT / "docs" / "guide" / page).read_text(encoding="utf-8")
    found: dict[str, object] = {"__name__": "__main__"}
    exec(compile(text.split("```python\n")[1].split("```")[0], page, "exec"), found)  # noqa: S102 - the guide's own code
    return found


#: Cases without loss, with one loss, and with a growing round trip that ends slow start.
CUBIC = SAME | {
    "none": """
duration = "20 s"
network.dumbbell = { rate = "20 Mbit/s", rtt = "100 ms", queue = "100 BDP" }
flows = [{ controller = "cubic" }]
""",
    "single": """
duration = "30 s"
network.dumbbell = { rate = "20 Mbit/s", rtt = "100 ms", queue = "1000 packets", loss = { packets = [3000] } }
flows = [{ controller = "cubic" }]
""",
    "HyStart++": """
duration = "20 s"
network.dumbbell = { rate = "20 Mbit/s", rtt = "100 ms", queue = "4 BDP" }
flows = [{ controller = "cubic" }]
""",
}


@pytest.mark.parametrize("name", CUBIC)
def test_the_guides_cubic_is_the_native_one(name: str) -> None:
    guide("cubic-in-python.md")
    made = bp.compare(CUBIC[name], ["cubic", "cubic-in-python", "cubic-in-python{c=0.5}"], seeds=[3], duration="30 s")
    native, python, other = (made.runs[controller][0] for controller in made.controllers)
    for column in ("time_s", "cwnd_segments", "ssthresh_segments", "goodput_mbit_s"):
        assert python.flows[column] == native.flows[column], column
    losses = sum(flow["losses_detected"] for flow in native.summary["flows"])
    assert losses == 0 if name == "none" else losses > 0 or name == "finite"
    if name in ("dumbbell", "lossy", "single"):
        assert other.flows["cwnd_segments"] != native.flows["cwnd_segments"]


def test_the_guides_controller_undoes_a_spurious_loss() -> None:
    """The round trip shrinks for 0.1 s: packets overtake other packets, and the link loses nothing."""
    late = """
duration = "30 s"
[network.dumbbell]
rate = "10 Mbit/s"
reorder = true
delay_steps = [["0 s", "100 ms"], ["10 s", "40 ms"], ["10100 ms", "100 ms"]]
[tcp]
min_rto = "200 ms"
[[flows]]
controller = { name = "delay-bound", bound_ms = 10000 }
"""
    cls = guide("own-controllers.md")["DelayBound"]
    assert isinstance(cls, type)
    undone = bp.run(late).summary["totals"]["delivered_mbit_s"]
    delattr(cls, "on_spurious")
    kept = bp.run(late).summary["totals"]["delivered_mbit_s"]
    assert undone is not None
    assert kept is not None
    assert undone > 1.3 * kept


def test_the_guides_controller_keeps_its_threshold_at_repeated_timeouts(cli: Command, tmp_path: Path) -> None:
    """RFC 5681, section 3.1: the first timeout sets ssthresh. Further timeouts of the retransmission keep it."""
    page = (ROOT / "docs" / "guide" / "own-controllers.md").read_text(encoding="utf-8")
    block = next(part for part in page.split("```") if part.startswith("python\n# my_controllers.py"))
    (tmp_path / "my_controllers.py").write_text(block.removeprefix("python\n"))
    # There is no path from 4 s to 12 s. The receive window prevents losses before that.
    (tmp_path / "outage.csv").write_text("time_s,loss_ratio\n0,0\n4,1\n12,0\n")
    (tmp_path / "outage.toml").write_text("""
duration = "14 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "50 ms", path_trace = "outage.csv" }
tcp = { receive_window = "28960 B", min_rto = "200 ms" }
flows = [{ controller = "delay-bound" }]
""")
    done = cli("run", "outage.toml", "--plugin", "my_controllers.py", "--out", "run")
    assert done.returncode == 0, done.stderr
    run = bp.load("run")
    assert run.summary["flows"][0]["timeouts"] >= 3
    frame = run.flows.to_pandas()
    before = frame[frame["time_s"] < 4]["cwnd_segments"].max()
    gone = frame[(frame["time_s"] > 6) & (frame["time_s"] < 12)]
    assert set(gone["cwnd_segments"]) == {1.0}
    assert gone["ssthresh_segments"].to_numpy() == pytest.approx(0.7 * before)
    assert before > 10


def test_parameters_arrive_as_keyword_arguments() -> None:
    seen: list[dict[str, object]] = []

    @bp.register("keyword")
    class Keyword(bp.Controller):
        def __init__(self, *, alpha: float = 1.0, mode: str = "a", strict: bool = False) -> None:
            seen.append({"alpha": alpha, "mode": mode, "strict": strict})

    bp.run(SMALL.replace('"reno"', '{ name = "keyword", alpha = 2, mode = "b", strict = true }, count = 2'))
    assert seen == [{"alpha": 2.0, "mode": "b", "strict": True}] * 2
    assert isinstance(seen[0]["alpha"], float)


def test_a_fixed_window_is_obeyed_and_what_is_written_stands() -> None:
    third = 10 / 3

    @bp.register("third")
    class Third(bp.Controller):
        def on_start(self, event: bp.StartEvent, control: bp.Control) -> None:
            assert control.cwnd == event.initial_window
            assert (control.ssthresh, control.pacing_bit_s, control.timer_s) == (None, None, None)
            control.cwnd, control.ssthresh, control.pacing_bit_s = third, float("inf"), 1e6 / 3
            control.hold_until_s = 0.1 + 1e-12

        def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
            # The values are not rounded to bytes, bit/s and nanoseconds.
            assert (control.cwnd, control.pacing_bit_s, control.hold_until_s) == (third, 1e6 / 3, 0.1 + 1e-12)
            assert control.ssthresh is None
            assert event.now_s > 0.1
            assert event.in_flight <= third

    run = bp.run(SMALL.replace('"reno"', '"third"'))
    assert run.flows["cwnd_segments"] == [pytest.approx(third, abs=1e-3)] * len(run.flows)
    # 10^6/3 bit/s of payload are less than three segments per round trip.
    assert run.summary["totals"]["delivered_mbit_s"] == pytest.approx(1 / 3, rel=0.1)


def test_timers_fire_once_and_snapshots_are_kept() -> None:
    fired: list[float] = []

    @bp.register("clockwork")
    class Clockwork(bp.Controller):
        signals = ("timers",)

        def on_start(self, event: bp.StartEvent, control: bp.Control) -> None:
            control.timer_s = event.now_s + 0.5

        def on_timer(self, event: bp.Moment, control: bp.Control) -> None:
            assert control.timer_s is None
            fired.append(event.now_s)
            if len(fired) < 3:
                control.timer_s = event.now_s + 0.25

        def snapshot(self) -> dict[str, float]:
            return {"fired": len(fired)}

    run = bp.run(SMALL.replace('"reno"', '"clockwork"'))
    assert fired == [0.5, 0.75, 1.0]
    assert set(run.snapshots["name"]) == {"fired"}
    assert max(run.snapshots["value"]) == 3


def test_a_link_error_opens_no_recovery() -> None:
    @bp.register("deaf")
    class Deaf(bp.Controller):
        def on_loss(self, event: bp.LossEvent, control: bp.Control) -> Literal["link error"]:
            return "link error"

        def on_recovery_exit(self, event: bp.Moment, control: bp.Control) -> None:
            raise AssertionError("there was nothing to recover from")

    text = SMALL.replace("rtt", "loss = { per = 0.01 }, rtt").replace('"reno"', '"deaf"').replace('"2 s"', '"10 s"')
    assert bp.run(text).summary["flows"][0]["losses"]["error"] > 0


def test_a_missing_signal_marks_the_run() -> None:
    @bp.register("orbital")
    class Orbital(bp.Controller):
        signals = ("congestion-warning marks",)

    assert bp.run(SMALL.replace('"reno"', '"orbital"')).warnings == [
        'flow "orbital": orbital runs without congestion-warning marks'
    ]


# For each case: the class body, the error code, and words of the message.
RAISES = {
    "an exception": (
        "def on_ack(self, event, control):\n    if event.now_s > 1:\n        self.deeper()\n"
        "def deeper(self):\n    1 / 0",
        ["on_ack at 1.", "ZeroDivisionError", "mine.py", "line 8", "line 10, in deeper"],
    ),
    "NaN": (
        "def on_ack(self, event, control):\n    control.cwnd = float('nan')",
        ["on_ack at 0.04", "control.cwnd must be a finite number, not NaN", "mine.py", "line 7"],
    ),
    "a negative window": (
        "def on_ack(self, event, control):\n    control.cwnd = -1",
        ["on_ack at 0.04", "set control.cwnd to -1, but the smallest value is 1 segment"],
    ),
    "no threshold": (
        "def on_start(self, event, control):\n    control.ssthresh = 0.5",
        ["on_start at 0 s", "set control.ssthresh to 0.5, but the smallest value is 1 segment"],
    ),
    "no rate": (
        "def on_start(self, event, control):\n    control.pacing_bit_s = 0",
        ["set control.pacing_bit_s to 0, but the smallest value is 1 bit/s"],
    ),
    "before the run": (
        "def on_start(self, event, control):\n    control.timer_s = -0.5",
        ["set control.timer_s to -0.5, but the smallest value is 0 s"],
    ),
    "a word for a number": (
        "def on_ack(self, event, control):\n    control.cwnd = 'wide'",
        ["on_ack at 0.04", "TypeError", "line 7"],
    ),
    "no verdict": (
        "def on_ack(self, event, control):\n    control.cwnd += 1\n"
        "def on_loss(self, event, control):\n    return 'linkerror'",
        ["on_loss at ", "'linkerror'", '"link error", "congestion" or None'],
    ),
    "a number in the phase": (
        "def on_ack(self, event, control):\n    control.cwnd += 1\n    control.phase = f'at {event.now_s}'",
        ["after 1000 other names of phases"],
    ),
    "a snapshot of words": ("def snapshot(self):\n    return {'mood': 'good'}", ["snapshot", "TypeError"]),
    "its construction": ("def __init__(self):\n    self.x = self.y", ["could not be made", "AttributeError", "line 7"]),
}


@pytest.mark.parametrize("name", RAISES)
def test_what_goes_wrong_in_a_run_refuses_it(cli: Command, process: Command, tmp_path: Path, name: str) -> None:
    body, words = RAISES[name]
    # A process keeps all names of phases. The case that uses them up runs in another process.
    call = process if name == "a number in the phase" else cli
    (tmp_path / "mine.py").write_text(_mine(body))
    (tmp_path / "mine.toml").write_text(MINE.replace('"2 s"', '"20 s"'))
    done = call("run", "mine.toml", "--plugin", "mine.py", "--out", "folder")
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith('error[controller-raised]: controller "mine"')
    for word in words:
        assert word in done.stderr
    assert not (tmp_path / "folder").exists()


def test_the_error_reaches_python_and_the_next_run_is_none_the_worse() -> None:
    @bp.register("raises")
    class Raises(bp.Controller):
        def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
            raise LookupError("not here")

    with pytest.raises(bp.RunError, match=r'controller "raises", on_ack at .* LookupError: not here') as caught:
        bp.run(SMALL.replace('"reno"', '"raises"'))
    assert caught.value.code == "controller-raised"
    assert bp.run(SMALL).summary["totals"]["delivered_mbit_s"] > 0


PARAMETERS = (
    "def __init__(self, *, alpha=0.5):\n    if alpha > 1:\n        raise ValueError(f'alpha is {alpha}, at most 1')"
)


@pytest.mark.parametrize(
    ("body", "choice", "code", "words"),
    [
        (PARAMETERS, "alhpa = 0.5", "parameter-unknown", ["`mine`", "`alhpa`", "the nearest is `alpha`"]),
        ("pass", "alpha = 0.5", "parameter-unknown", ["`alpha`", "known parameters: none"]),
        (PARAMETERS, "alpha = 2", "parameter-value", ["alpha = 2.0", "at most 1", "mine.py:8"]),
        (PARAMETERS, 'alpha = "x"', "parameter-value", ["alpha = 'x'", "'>' not supported", "mine.py:7"]),
        ("def __init__(self, alpha):\n    pass", "", "parameter-value", ["needs the parameter `alpha`"]),
    ],
)
def test_wrong_parameters(cli: Command, tmp_path: Path, body: str, choice: str, code: str, words: list[str]) -> None:
    (tmp_path / "mine.py").write_text(_mine(body))
    (tmp_path / "mine.toml").write_text(MINE.replace('"mine"', f'"mine", {choice}' if choice else '"mine"'))
    done = cli("run", "mine.toml", "--plugin", "mine.py")
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f"error[{code}]: ")
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (None, "plugin-failed", ["cannot read", "mine.py", "there is no such file"]),
        (_mine("def on_ack(self, event, control)\n    pass"), "plugin-failed", ["SyntaxError", "mine.py", "line 6"]),
        ("x = 1\n", "plugin-failed", ["mine.py", "registers no controller", "@bentpipe.register"]),
        ("import nothing_of_that_name\n", "plugin-failed", ["ModuleNotFoundError", "mine.py", "line 1"]),
        ("raise SystemExit(0)\n", "plugin-failed", ["SystemExit", "line 1"]),
        (_mine("def on_akc(self): ..."), "plugin-failed", ["Mine.on_akc", "the nearest is on_ack", "line 4"]),
        (_mine("signals = ('pacin',)"), "plugin-failed", ['"pacin"', '"pacing"']),
        (_mine("signals = 'pacing'"), "plugin-failed", ["not a tuple"]),
        (
            HEAD.replace("bp.Controller", "object") + "    pass\n",
            "plugin-failed",
            ["not a subclass of bentpipe.Controller"],
        ),
        (_mine("pass").replace('"mine"', '"../mine"'), "plugin-failed", ["'../mine'", "letters, digits"]),
        (_mine("pass").replace('"mine"', '"reno"'), "controller-name-taken", ["mine.py", "`reno`", "another name"]),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_wrong_plugins(cli: Command, tmp_path: Path, text: str | None, code: str, words: list[str]) -> None:
    if text is not None:
        (tmp_path / "mine.py").write_text(text)
    (tmp_path / "mine.toml").write_text(MINE)
    done = cli("run", "mine.toml", "--plugin", "mine.py")
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith(f"error[{code}]: ")
    assert "bentpipe/_" not in done.stderr, "frames of the house say nothing to the user"
    for word in words:
        assert word in done.stderr


def test_two_controllers_of_one_name_are_refused(cli: Command, tmp_path: Path) -> None:
    """Two controllers have the same name, in two plugins or in one. The order of options must not decide."""
    (tmp_path / "mine.toml").write_text(MINE)
    (tmp_path / "one.py").write_text(_mine("pass"))
    (tmp_path / "other.py").write_text(_mine("x = 1"))
    (tmp_path / "both.py").write_text(_mine("pass") + _mine("x = 1"))
    for plugins, place in ((["one.py", "other.py"], "other.py"), (["both.py"], "both.py")):
        done = cli("run", "mine.toml", *(word for plugin in plugins for word in ("--plugin", plugin)))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("error[controller-name-taken]: ")
        assert place in done.stderr
        assert "'mine'" in done.stderr


def test_a_name_that_the_plugin_does_not_have(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(_mine("pass").replace('"mine"', '"unheard-off"'))
    (tmp_path / "mine.toml").write_text(MINE.replace('"mine"', '"unheard-of"'))
    done = cli("run", "mine.toml", "--plugin", "mine.py")
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error[controller-unknown]: ")
    assert "did you mean `unheard-off`" in done.stderr


class _Walking(bp.Controller):
    """Draws its window from its own generator, and keeps its block and the newest event."""

    def on_start(self, event: bp.StartEvent, control: bp.Control) -> None:
        self.chance, self.block, self.kept = random.Random(event.seed), control, [event]  # noqa: S311 - not for secrets

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        self.kept.append(event)
        self.block.cwnd = 2.0 + 100.0 * self.chance.random()

    def snapshot(self) -> dict[str, float]:
        return {"events": len(self.kept)}


def test_a_clone_goes_on_alike_and_shares_nothing() -> None:
    bp.register("walking")(_Walking)
    alone, _ = _core._drive("walking", [(0, "ack", 1)] * 5)
    steps = [(0, "ack", 1), (0, "ack", 1), (0, "clone", 0)]
    steps += [(1, "ack", 1)] * 3 + [(0, "ack", 1)] * 3
    windows, snapshots = _core._drive("walking", steps)
    assert len(set(alone)) == 5
    assert windows[3:6] == alone[2:]  # the clone as the original would have
    assert windows[6:] == alone[2:]  # which has not noticed
    assert snapshots == [{"events": 6.0}, {"events": 6.0}]


def test_what_cannot_be_copied_is_an_error_like_any_other() -> None:
    class Locked(_Walking):
        def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
            self.lock = threading.Lock()

    bp.register("locked")(Locked)
    refused = 'controller "locked" could not be copied: it raised TypeError'
    with pytest.raises(bp.BentpipeError, match=refused) as raised:
        _core._drive("locked", [(0, "ack", 1), (0, "clone", 0)])
    assert raised.value.code == "controller-raised"


def test_a_new_segment_size_keeps_the_bytes_and_two_segments() -> None:
    seen: list[tuple[float, float | None, int, float]] = []

    class Fixed(bp.Controller):
        def on_start(self, event: bp.StartEvent, control: bp.Control) -> None:
            control.cwnd, control.ssthresh = 12.0, 6.0

        def on_mss(self, event: bp.MssEvent, control: bp.Control) -> None:
            seen.append((control.cwnd, control.ssthresh, event.mss, event.factor))

    bp.register("fixed")(Fixed)
    windows, _ = _core._drive("fixed", [(0, "mss", 500), (0, "ack", 1), (0, "mss", 4000), (0, "mss", 8000)])
    # 12 and 6 segments have 1000 bytes. 6000 bytes are less than two segments of 4000, as 12000 are of 8000.
    assert seen == [(24.0, 12.0, 500, 2.0), (3.0, 2.0, 4000, 0.125), (2.0, 2.0, 8000, 0.5)]
    assert windows == [12_000, 12_000, 12_000, 16_000]


def test_acks_that_name_each_packet_say_nothing_of_an_advance() -> None:
    seen: list[tuple[float, float | None, bool | None]] = []

    class Counting(bp.Controller):
        signals = ("cumulative acknowledgements",)

        def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
            seen.append((event.acked, event.cumulative, event.duplicate))
            control.cwnd += event.acked

    bp.register("counting")(Counting)
    steps = [(0, "ack", 2), (0, "datagrams", 3), (0, "persistent congestion", 0), (0, "datagrams", 1)]
    windows, _ = _core._drive("counting", steps)
    assert seen == [(2.0, 2.0, False), (3.0, None, None), (1.0, None, None)]
    # RFC 9002, section 7.6.2: the window becomes two segments, unless the class sets another one.
    assert windows == [12_000, 15_000, 2000, 3000]


def test_name_taken() -> None:
    with pytest.raises(bp.ScenarioError) as caught:
        bp.register("cubic")(type("Mine", (bp.Controller,), {}))
    assert caught.value.code == "controller-name-taken"


@pytest.mark.parametrize("name", [bp.Controller, 5, None, b"mine"])
def test_a_class_is_registered_under_a_name(name: object) -> None:
    """`@bp.register` without parentheses gets the class in place of a name."""
    with pytest.raises(TypeError, match=r'not .*write @bp\.register\("name"\)'):
        bp.register(name)  # type: ignore[arg-type]


@pytest.mark.parametrize("body", ["control.cwnd += 0", "while event.now_s > 1:\n        pass"], ids=["long", "endless"])
def test_ctrl_c(tmp_path: Path, body: str) -> None:
    (tmp_path / "mine.py").write_text(
        _mine(
            "def on_ack(self, event, control):\n"
            f"    if event.now_s > 1:\n        open('begun', 'a').close()\n    {body}"
        )
    )
    (tmp_path / "mine.toml").write_text(MINE.replace('"2 s"', '"10 d"'))
    # Without --costly, ten days could be refused if other tests use the memory.
    command = [sys.executable, "-m", "bentpipe", "run", "mine.toml", "--plugin", "mine.py", "--costly"]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=tmp_path, preexec_fn=heed_interrupts
    )
    until((tmp_path / "begun").exists, process)
    announced, *rest = interrupted(process).splitlines()
    assert announced.startswith("about ")
    assert rest[0].startswith("error[interrupted]: ")


@pytest.mark.parametrize("progress", [False, True])
def test_the_current_folder_may_change_during_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, progress: bool
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)

    @bp.register("mine")
    class Mover(bp.Controller):
        def on_start(self, start: bp.StartEvent, control: bp.Control) -> None:
            os.chdir(tmp_path / "elsewhere")

        def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
            control.cwnd = 10

    run = bp.run(MINE, out="r", progress=progress)
    assert Path.cwd() == tmp_path
    assert sorted(one.name for one in tmp_path.iterdir()) == ["elsewhere", "r"]
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert len(run.flows["time_s"]) > 0
    assert len(
        bp.sweep({"axes": {"network.dumbbell.rtt": ["40 ms", "50 ms"]}, "base": tomllib.loads(MINE)}, out="s").runs
    )
    assert Path.cwd() == tmp_path
