# SPDX-License-Identifier: MIT OR Apache-2.0
"""Flows with a size: completion by name and size is the main number, and unfinished transfers have bounds."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe.results.transfers import Transfers, groups, least, percentile, unfinished
from bentpipe.show.pictures.sweep import part_of
from project import Command

#: 10 Mbit/s carry at most 2.5 MB in 2 s, so the large transfer cannot finish, and the small ones can.
BOTH = """
name = "small and big"
duration = "2 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "20 ms" }
[[flows]]
name = "small"
controller = "cubic"
size = "50 kB"
count = 3
stagger = "100 ms"
[[flows]]
name = "big"
controller = "cubic"
size = "100 MB"
start = "500 ms"
"""
SMALL_ONE = """
duration = "2 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "20 ms" }
flows = [{ name = "page", controller = "cubic", size = "1 MB" }]
"""
BIG_ONE = SMALL_ONE.replace("1 MB", "100 MB")


def test_groups_are_names_and_sizes() -> None:
    tables = [
        {"name": "page", "kind": "tcp", "size": "1 MB", "count": 2},
        {"name": "voice", "kind": "cbr"},
        {"name": "page", "kind": "tcp", "size": "1 MB"},
        {"name": "page", "kind": "tcp", "size": "2 MB"},
        {"name": "endless", "kind": "tcp"},
        {"name": "sites", "kind": "transfers", "size": "1 MB"},
    ]
    assert groups(tables) == (
        Transfers("page", "1 MB", frozenset({0, 1, 3})),
        Transfers("page", "2 MB", frozenset({4})),
    )
    assert groups(tables, frozenset({3}))[0].label == "page (2 MB)"
    assert groups(tables)[0].label == "3 × page (1 MB)"


def test_unfinished_transfers_have_a_lower_bound() -> None:
    def flow(start: float, end: float | None, stop: float | None = None) -> dict[str, object]:
        return {"start_s": start, "completed_at_s": end, "stop_s": stop}

    # Two transfers took 1 s and 2 s. One lasted 9 s until the end at 10 s, and one 3 s until its stop.
    flows = [flow(0.0, 1.0), flow(1.0, 3.0), flow(1.0, None), flow(4.0, None, 7.0)]
    assert percentile(flows, 0.5) == 2.0  # type: ignore[arg-type]
    assert percentile(flows, 0.75) is None  # type: ignore[arg-type]
    assert [least(flows, share, 10.0) for share in (0.25, 0.5, 0.75, 0.95)] == [1.0, 2.0, 3.0, 9.0]  # type: ignore[arg-type]
    assert least([], 0.5, 10.0) is None
    assert unfinished(120.0, 0, 5) == "> 120 s, 0 of 5 done"
    assert unfinished(4.7321, 2, 5) == "> 4.73 s, 2 of 5 done"


def test_a_run_says_completion_by_name_and_size(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "both.toml").write_text(BOTH)
    done = cli("run", "both.toml")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("completion of big")] == [
        "completion of big (100 MB): > 1.5 s, not finished"
    ]
    (small,) = [line for line in lines if line.startswith("completion of 3 × small (50 kB): median ")]
    # 50 kB take 40 ms at 10 Mbit/s, and slow start from 10 segments takes three round trips of 20 ms.
    assert 0.06 < float(re.findall(r"median ([\d.]+) s", small)[0]) < 0.2
    assert not any(line.startswith("goodput ") for line in lines)
    (big,) = [line for line in lines if line.split()[:2] == ["big", "cubic"]]
    assert big.endswith("> 1.50")
    (tmp_path / "one.toml").write_text(SMALL_ONE)
    (said,) = [line for line in cli("run", "one.toml").stdout.splitlines() if line.startswith("delivered")]
    # One transfer of 1 MB in 2 s: 4 Mbit/s.
    assert said.startswith("delivered 1.000 MB over the run: 4.000 Mbit/s on average")


def test_a_comparison_of_transfers_is_about_completion(cli: Command, tmp_path: Path) -> None:
    result = bp.compare(BIG_ONE, "cubic,reno", seeds=5)
    assert result.main == "completion_median_s"
    # Nothing is drawn, so one run represents all five seeds.
    assert result.text("cubic", "completion_median_s") == "> 2 s, 0 of 1 done"
    assert result.unfinished("cubic") == (2.0, 0, 1)
    (tmp_path / "x.toml").write_text(SMALL_ONE)
    done = cli("compare", "x.toml", "--controllers", "cubic,cubic{beta=0.8}", "--seeds", 2)
    assert done.returncode == 0, done.stderr
    head = done.stdout.splitlines()[2]
    assert "goodput" not in head
    assert "median completion s" in head
    assert "p95 completion" not in head, "one transfer has one time"
    assert "finished %" not in head
    assert "median completion against cubic" in head
    both = bp.compare(BOTH, "cubic", seeds=1)
    sizes = {group.name: both.size_text("cubic", group) for group in both.asked.groups}
    assert sizes["big"] == "> 1.5 s, 0 of 1 done"
    assert 0.06 < float(sizes["small"]) < 0.2
    # A flow without a size keeps goodput as the main number.
    endless = BOTH.replace('size = "100 MB"\n', "")
    assert bp.compare(endless, "cubic", seeds=1).main == "goodput_mbit_s"


def test_the_change_of_transfers_is_that_of_completion() -> None:
    result = bp.compare(SMALL_ONE, "cubic,hybla", seeds=1)
    times = [result.values(name, "completion_median_s")[0] for name in result.controllers]
    change = next(row for row in result.means() if row["controller"] == "hybla")["completion_change_percent"]
    assert change == pytest.approx(100.0 * (times[1] / times[0] - 1.0))


@pytest.fixture(scope="module")
def swept() -> bp.Sweep:
    return bp.sweep(
        {
            "base": tomllib.loads(SMALL_ONE),
            "axes": {"flows.size": ["1 MB", "100 MB"], "flows.controller": ["cubic", "reno", "vegas"]},
            "seeds": {"at_least": 1},
        }
    )


def test_a_sweep_of_transfers_is_about_completion(swept: bp.Sweep, tmp_path: Path) -> None:
    assert swept.ends
    assert swept.main == "completion_median_s"
    head, rows = swept.cells(10)
    assert head[3:5] == ["median completion s", "finished %"]
    assert [row[3][1] for row in rows[3:]] == ["> 2 s, 0 of 1 done"] * 3
    assert [row[4][1] for row in rows] == ["100"] * 3 + ["0"] * 3
    # Unfinished points are sorted by their lower bounds.
    assert [row[3][0] for row in rows[3:]] == [2.0] * 3
    page = swept.report(tmp_path / "x.html").read_text()
    assert "median completion (s)" in page
    assert "goodput (Mbit/s)" not in page
    asked = swept.report(tmp_path / "x.html", "loss_percent").read_text()
    assert "loss (%)" in asked


def test_the_size_of_a_transfer_does_not_compete(swept: bp.Sweep) -> None:
    panel = swept.plots()["pareto"].axes[0]
    assert panel.get_ylabel() == "median completion (s), less is better"
    # Only points of 1 MB finished. The front contains the best completion time, and points with less delay.
    assert len([line for line in panel.get_lines() if len(line.get_xdata())]) == 1
    traffic = bp.sweep(
        {"base": tomllib.loads(SMALL_ONE), "axes": {"flows.size": ["10 kB", "20 kB"]}, "seeds": {"at_least": 1}},
    )
    assert "pareto" not in traffic.plots(), "nothing is chosen"


@pytest.mark.parametrize(
    ("key", "part"),
    [
        ("flows.controller", "choice"),
        ("flows[0].controller.beta", "choice"),
        ("flows.tcp.initial_window", "choice"),
        ("peps[0].controller", "choice"),
        ("flows.size", "traffic"),
        ("flows.page.count", "traffic"),
        ("flows.start", "traffic"),
        ("traffic[0].load", "traffic"),
        ("duration", "traffic"),
        ("network.dumbbell.rate", "network"),
        ("network.preset", "network"),
    ],
)
def test_what_can_be_chosen(key: str, part: str) -> None:
    assert part_of(key) == part
