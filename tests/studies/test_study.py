# SPDX-License-Identifier: MIT OR Apache-2.0
"""The public namespace of studies, the rule of verdicts, and the numbers that rows read from runs."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

import bentpipe as bp
from bentpipe import study
from bentpipe.study import Claim, Verdict, confusion, counts, cuts_per_1000, own_limit, total_goodput


def test_all_is_sorted_and_whole() -> None:
    assert sorted(study.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name)) == study.__all__
    public = {
        name for name, value in vars(study).items() if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert public == set(study.__all__)


@pytest.mark.parametrize("name", study.__all__)
def test_everything_public_is_documented(name: str) -> None:
    assert (inspect.getdoc(getattr(study, name)) or "").strip()


def test_the_frame_imports_no_content() -> None:
    for file in Path(bp.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.split(".")[0] == "bentpipe_papers"], file


def _claim(mean: float, half: float, paper: float | None = 6.0, sign: int = 1, contradiction: str = "") -> Claim:
    measured = bp.Estimate(mean, half, 5)
    implied = 26.0 if contradiction else None
    return Claim(what="x", measured=measured, paper=paper, sign=sign, contradiction=contradiction, implied=implied)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (_claim(5.0, 2.0), Verdict.HOLDS),
        (_claim(20.0, 3.0), Verdict.HOLDS),  # right side, wrong size
        (_claim(3.0, 4.0), Verdict.UNDECIDED),  # 6 lies in -1..7, and so does zero
        (_claim(-5.0, 2.0), Verdict.FAILS),  # wrong side
        (_claim(-5.0, 2.0, paper=None, sign=-1), Verdict.HOLDS),
        (_claim(5.0, 2.0, contradiction="12 and 26 cannot both hold"), Verdict.CONTRADICTS),
    ],
)
def test_verdicts_follow_from_the_numbers(claim: Claim, verdict: Verdict) -> None:
    assert claim.verdict == verdict


def test_large_numbers_are_printed_whole() -> None:
    claim = Claim(what="x", measured=bp.fixed(4194303.0), paper=4194303.0, unit="segments", tolerance=1.0)
    assert claim.cells()[1] == "4194303 (± 1) segments"


def made(*flows: dict[str, Any]) -> bp.Run:
    return cast("bp.Run", SimpleNamespace(name="made", summary={"flows": list(flows)}))


def matrix(cc: int, ce: int, ee: int, ec: int) -> dict[str, int]:
    return {
        "congestion_as_congestion": cc,
        "congestion_as_error": ce,
        "error_as_error": ee,
        "error_as_congestion": ec,
        "spurious": 0,
    }


def test_confusion_adds_up_flows() -> None:
    run = made({"verdicts": matrix(3, 1, 0, 2)}, {"verdicts": matrix(3, 1, 1, 1)})
    # 6 of 8 queue losses were called congestion, and 1 of 4 errors was called an error.
    assert confusion(run) == {"P(C|C)": 0.75, "P(E|R)": 0.25}


def test_confusion_without_losses_of_a_kind_is_unknown() -> None:
    assert confusion(made({"verdicts": matrix(0, 0, 1, 1)})) == {"P(C|C)": None, "P(E|R)": 0.5}


def test_cuts_are_counted_per_thousand_link_errors() -> None:
    run = made({"losses": {"error": 150}, "cuts": 30}, {"losses": {"error": 50}, "cuts": 10})
    assert cuts_per_1000(run) == 200.0
    assert counts([run], "cuts") == [40.0]


def test_a_receive_window_that_held_a_flow_back_is_refused() -> None:
    own_limit([made({"name": "a", "receiver_limited": False})])
    with pytest.raises(ValueError, match="limited b"):
        own_limit([made({"name": "a", "receiver_limited": False}, {"name": "b", "receiver_limited": True})])


def test_goodput_of_all_flows_is_added_up_at_each_time() -> None:
    series = {"time_s": [1.0, 1.0, 2.0, 2.0], "goodput_mbit_s": [1.0, 2.0, 3.0, 4.5]}
    assert total_goodput(cast("bp.Run", SimpleNamespace(flows=series))) == [(1.0, 3.0), (2.0, 7.5)]
