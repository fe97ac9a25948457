# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs that are stepped, read, changed by commands and forked, compared with runs without a session."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe.base.tables import TABLES
from project import ROOT

DUMBBELL = """
name = "stepped"
duration = "6 s"
warm_up = "1 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "60 ms", queue = "1 BDP", loss.per = 0.001 }
record = { interval = "200 ms", events = true }
flows = [
    { controller = "cubic", name = "bulk" },
    { controller = "bbr1", name = "late", start = "2 s" },
    { kind = "cbr", rate = "1 Mbit/s", name = "steady" },
]
"""
USERS = """
duration = "6 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "60 ms", queue = "1 BDP" }
record = { interval = "200 ms", events = true }
flows = [
    { kind = "transfers", name = "one", controller = "cubic", users = 8, think = "200 ms", size = "50 kB" },
    { kind = "transfers", name = "two", controller = "reno", users = 8, think = "150 ms", size = "20 kB" },
]
"""
FILES = [
    "scenarios/iridium-isl-bottleneck.toml",
    "scenarios/geo-dama.toml",
    "scenarios/geo-beam.toml",
    "scenarios/geo-pep.toml",
    "scenarios/leo-call.toml",
    "scenarios/starlink-good.toml",
]


def scenarios() -> list[str]:
    """Return texts and files with every kind of state: endpoints, proxies, satellites, carriers."""
    return [DUMBBELL, USERS, *[str(ROOT / file) for file in FILES]]


def same(one: bp.Run, other: bp.Run) -> bool:
    """Whether two runs are equal in every number."""
    tables = all(getattr(one, name).arrow.equals(getattr(other, name).arrow) for name in TABLES)
    return one.summary == other.summary and one.scenario == other.scenario and tables


@pytest.mark.parametrize("scenario", scenarios(), ids=["dumbbell", "users", *[Path(file).stem for file in FILES]])
def test_steps_and_forks_make_no_difference(scenario: str) -> None:
    whole = bp.run(scenario, duration="6 s")
    session = bp.Session(scenario, duration="6 s")
    session.step("700 ms")
    early = session.fork()
    session.run_until("3100 ms")
    # Reading a table has no effect on the run.
    assert len(session.tables["flows"]) > 0
    fork = session.fork()
    changed = session.fork()
    changed.step("500 ms")
    assert (session.now_s, fork.now_s, early.now_s) == (3.1, 3.1, 0.7)
    # A copy has no effect on other copies, in whatever order they run.
    assert same(fork.finish(), whole)
    assert same(session.finish(), whole)
    assert same(early.finish(), whole)
    assert same(changed.finish(), whole)


def test_a_command_holds_until_it_is_withdrawn_and_leaves_the_parent_alone() -> None:
    whole = bp.run(DUMBBELL)
    session = bp.Session(DUMBBELL)
    session.run_until("3 s")
    fork = session.fork()
    fork.set("bulk", cwnd_segments=4)
    fork.step("1 s")
    table = fork.tables["flows"]
    held = [
        cwnd
        for at, name, cwnd in zip(table["time_s"], table["name"], table["cwnd_segments"], strict=True)
        if name == "bulk" and at > 3.0
    ]
    assert held == [4.0] * 5
    # The window is 4 segments of 1448 B in a round trip of at least 60 ms.
    goodput = [
        rate
        for at, name, rate in zip(table["time_s"], table["name"], table["goodput_mbit_s"], strict=True)
        if name == "bulk" and at > 3.3
    ]
    assert max(goodput) <= 4 * 1448 * 8 / 0.060 / 1e6
    fork.set("bulk", cwnd_segments=None)
    after = fork.finish()
    flows = zip(after.flows["time_s"], after.flows["name"], after.flows["cwnd_segments"], strict=True)
    assert any(cwnd > 4.0 for at, name, cwnd in flows if name == "bulk" and at > 5.0)
    assert not same(after, whole)
    assert same(session.finish(), whole)


def column(session: bp.Session, name: str, since: float) -> list[float | None]:
    """Return a column of the table of flows, for the flow "bulk" after a time."""
    table = session.tables["flows"]
    rows = zip(table["time_s"], table["name"], table[name], strict=True)
    return [value for at, flow, value in rows if flow == "bulk" and at > since]


def test_a_number_that_is_withdrawn_is_what_it_was() -> None:
    session = bp.Session(DUMBBELL)
    session.run_until("2 s")
    session.set("bulk", pacing_mbit_s=1.0)
    session.step("600 ms")
    assert column(session, "pacing_mbit_s", 2.0) == [1.0] * 3
    session.set("bulk", pacing_mbit_s=None)
    session.step("1 s")
    # CUBIC does not pace its packets.
    assert column(session, "pacing_mbit_s", 2.7) == [None] * 5


def test_tables_grow_as_the_run_goes_on() -> None:
    session = bp.Session(DUMBBELL)
    assert len(session.tables["flows"]) == 0
    session.step("1 s")
    assert session.tables["flows"]["time_s"][-1] == pytest.approx(1.0)
    some = len(session.tables["events"])
    session.step("3 s")
    assert session.tables["flows"]["time_s"][-1] == pytest.approx(4.0)
    assert len(session.tables["events"]) > some > 0


def test_what_is_refused() -> None:
    session = bp.Session(DUMBBELL)
    session.step("2 s")
    for refused, said in [
        (lambda: session.step("5 s"), "would reach 7 s, and the run ends at 6 s"),
        (lambda: session.run_until("1 s"), "the session is already at 2 s"),
        (lambda: session.set("bulk", cwnd=10), "did you mean 'cwnd_segments'"),
        (lambda: session.set("bulk", controller=10), "there is no key that can be set while a flow runs 'controller'"),
        (lambda: session.set("bulk", cwnd_segments=0.5), "cwnd_segments must be a number from 1"),
        (lambda: session.set("bulkk", cwnd_segments=5), "did you mean 'bulk'"),
        (lambda: session.set(7, cwnd_segments=5), "flow must be a whole number from 0 to 2"),
        (lambda: session.set("steady", cwnd_segments=5), 'flow "steady" of kind "cbr"'),
    ]:
        with pytest.raises(bp.BentpipeError, match="argument-value") as caught:
            refused()
        assert said in str(caught.value)
    with pytest.raises(bp.BentpipeError, match="must not be negative"):
        session.step("-1 s")
    assert session.now_s == 2.0
    session.finish()
    with pytest.raises(bp.BentpipeError, match="the session is finished"):
        session.step("1 s")
    assert "finished" in repr(session)


class Counting(bp.Controller):
    """Counts ACKs; its window is the count, up to 20."""

    def __init__(self) -> None:
        self.seen = [0]

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        self.seen[0] += 1
        control.cwnd = float(min(20, 2 + self.seen[0]))


class Stubborn(Counting):
    """Cannot be copied."""

    def __deepcopy__(self, memo: object) -> Stubborn:
        raise TypeError("there is only one of me")


def own(name: str, controller: type[bp.Controller]) -> str:
    """Return a scenario with a controller in Python."""
    bp.register(name)(controller)
    return DUMBBELL.replace('controller = "cubic"', f'controller = "{name}"')


def test_a_controller_in_python_is_copied_with_its_state() -> None:
    text = own("counting", Counting)
    whole = bp.run(text)
    session = bp.Session(text)
    session.step("1 s")
    fork = session.fork()
    assert same(fork.finish(), whole)
    assert same(session.finish(), whole)


def test_a_controller_that_cannot_be_copied_is_named() -> None:
    session = bp.Session(own("stubborn", Stubborn))
    session.step("1 s")
    with pytest.raises(bp.BentpipeError, match='controller "stubborn" could not be copied') as caught:
        session.fork()
    assert "there is only one of me" in str(caught.value)
    session.step("1 s")


class Beginning(Counting):
    """Reports the start of its connection."""

    begun = threading.Event()

    def on_start(self, event: bp.StartEvent, control: bp.Control) -> None:
        self.begun.set()


class Failing(Counting):
    """Raises at its tenth ACK."""

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        super().on_ack(event, control)
        if self.seen[0] == 10:
            raise ValueError("ten are enough")


def test_a_session_whose_controller_failed_says_so_again() -> None:
    session = bp.Session(own("failing", Failing))
    for work in (lambda: session.step("3 s"), lambda: session.step("1 s"), session.fork, session.finish):
        with pytest.raises(bp.BentpipeError, match="ten are enough"):
            work()


class Curious(Counting):
    """Calls its own session."""

    session: bp.Session

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        _ = self.session.now_s


def test_a_controller_that_asks_its_own_session_is_told() -> None:
    session = bp.Session(own("curious", Curious))
    Curious.session = session
    with pytest.raises(bp.BentpipeError, match="the session is busy"):
        session.step("1 s")
    assert repr(session).startswith("<Session: ")


def test_an_interrupt_leaves_the_session_where_it_stands() -> None:
    text = own("beginning", Beginning)
    session = bp.Session(text, duration="100000 s", costly=True)

    def interrupt() -> None:
        Beginning.begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    Beginning.begun.clear()
    threading.Thread(target=interrupt, daemon=True).start()
    # If a script starts a process in the background, the process ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            session.step("100000 s")
    finally:
        signal.signal(signal.SIGINT, before)
    stood = session.now_s
    assert stood < 100_000.0
    session.step("1 s")
    assert session.now_s == pytest.approx(stood + 1.0)
