# SPDX-License-Identifier: MIT OR Apache-2.0
"""A part of what `make fuzz` does for hours, and cases that once broke a promise."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from random import Random

import pytest

import fuzz_coverage
from fuzz import __main__ as fuzz
from fuzz.change import changed, shrunk
from fuzz.readings import READINGS, BrokenPromiseError, Target
from fuzz.runs import Runs
from fuzz.swarm import FORK, Failure, Result, apart, campaign, judge
from fuzz_coverage import FOLDERS, LONGEST, kept, pack

KEPT = sorted(file for file in fuzz.SEEDS.glob("*/*") if file.is_file())


@pytest.mark.parametrize("file", KEPT, ids=[f"{file.parent.name}-{file.name}" for file in KEPT])
def test_what_broke_a_promise_once_keeps_it(file: Path, tmp_path: Path) -> None:
    found = judge(fuzz.target_of(file.parent.name), file.read_bytes(), tmp_path)
    assert isinstance(found, str), found


#: Corpora whose cases the random fuzzer also judges, with their names in the fuzzer.
JUDGED = {"scenarios": "scenario"} | {target: target for target in FOLDERS}


@pytest.mark.parametrize("target", JUDGED)
def test_the_least_set_that_reaches_all_code_keeps_the_promises(target: str, tmp_path: Path) -> None:
    cases = kept(target)
    assert cases
    for case in cases:
        found = judge(fuzz.target_of(JUDGED[target]), case, tmp_path)
        assert isinstance(found, str), found


def test_a_corpus_is_the_same_file_whatever_the_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_coverage, "CORPUS", tmp_path)
    pack("any", [b"one", b"two", b"x" * (LONGEST + 1)])
    once = (tmp_path / "any.zip").read_bytes()
    pack("any", [b"two", b"one", b"one"])
    assert (tmp_path / "any.zip").read_bytes() == once
    assert sorted(kept("any")) == [b"one", b"two"]


def test_a_slice_of_the_readings() -> None:
    result = campaign(READINGS, seed=1, cases=1500)
    assert not result.failures, result.failures[0]
    # Both outcomes are common, so changed files are not only broken ones.
    for target, counter in result.outcomes.items():
        assert len(counter) > 1 or counter.total() < 20, (target, counter)


def test_a_slice_of_the_runs() -> None:
    result = campaign([Runs()], seed=1, cases=120)
    assert not result.failures, result.failures[0]
    ran = sum(count for outcome, count in result.outcomes["run"].items() if outcome.startswith("run"))
    assert ran > 0.5 * result.cases()


def test_what_is_wrong_a_thousandfold_is_told_shortly(tmp_path: Path) -> None:
    # A message must not contain a word of a megabyte.
    small = (
        'duration = "1 s"\nnetwork.dumbbell = { rate = "1 Mbit/s", rtt = "4 ms" }\nflows = [{ controller = "reno" }]\n'
    )
    scenarios = fuzz.target_of("scenario")
    for text, code in (
        (small + "".join(f"k{number} = 1\n" for number in range(50_000)), "scenario-unknown-key"),
        (small.replace("1 Mbit/s", "1" * 1_000_000), "unit-syntax"),
    ):
        assert judge(scenarios, text.encode(), tmp_path) == f"refused: {code}"


class Planted(Target):
    """A reader with planted defects of every kind, which the fuzzer must find.

    Attributes:
        asleep: Number of cases that hang or hung.
    """

    name = "planted"

    def __init__(self) -> None:
        self.asleep = FORK.Value("q", 0, lock=False)

    def make(self, chance: Random) -> bytes:
        return changed(chance, b"alpha\nbeta\ngamma\n", [b"boom", b"die", b"sleep"], [])

    def judge(self, case: bytes, place: Path) -> str:
        if b"boom" in case:
            raise ValueError("foreign")
        if b"die" in case:
            os._exit(3)
        if b"sleep" in case:
            self.asleep.value += 1
            threading.Event().wait()
        return "read"


def test_it_finds_what_raises_and_what_dies_and_what_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    planted = Planted()
    # A day passes while a case hangs. Otherwise no time passes.
    monkeypatch.setattr("fuzz.swarm.now", lambda: 86_400.0 * planted.asleep.value)
    result = campaign([planted], seed=1, cases=50)
    kinds = {failure.kind for failure in result.failures}
    assert kinds == {"ValueError in test_fuzz.py, judge: foreign", "dies with 3", "hangs"}
    assert result.cases() == 50
    # The number alone gives the same case, and the kept case is as small as possible.
    one = next(failure for failure in result.failures if failure.kind.startswith("ValueError"))
    again = apart(planted, one.case)
    assert isinstance(again, Failure)
    assert again.kind == one.kind
    assert shrunk(one.case, lambda case: b"boom" in case) == b"boom"


def test_the_same_seed_gives_the_same_cases_on_any_number_of_cores() -> None:
    one, two = (campaign([Echo()], seed=5, cases=100, cores=cores) for cores in (1, 2))
    assert one.outcomes == two.outcomes


class Echo(Target):
    """Returns its input."""

    name = "same"

    def make(self, chance: Random) -> bytes:
        return changed(chance, b"alpha\nbeta\ngamma\n", [], [])

    def judge(self, case: bytes, place: Path) -> str:
        return repr(case)


def test_ctrl_c_leaves_what_was_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    note = Result.note

    def interrupted(result: Result, target: str, number: int, found: str | Failure, cpu_s: float) -> None:
        note(result, target, number, found, cpu_s)
        if result.cases() == 10:
            raise KeyboardInterrupt

    monkeypatch.setattr(Result, "note", interrupted)
    # The number of cases is too large to judge all of them.
    assert campaign([Echo()], seed=5, cases=10**12).cases() >= 10


def test_books_that_do_not_balance_are_found() -> None:
    from fuzz.runs import counts

    flow = {"name": "x", "sent_packets": 10, "delivered_packets": 8, "retransmitted_packets": 0}
    counts(flow | {"losses": {"queue": 2, "error": 0, "outage": 0}})
    with pytest.raises(BrokenPromiseError, match="-1 packets on the way"):
        counts(flow | {"losses": {"queue": 2, "error": 1, "outage": 0}})
