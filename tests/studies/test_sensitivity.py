# SPDX-License-Identifier: MIT OR Apache-2.0
"""The sensitivity of a result, compared with the published indices of a function, and with a known amount of chance."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bentpipe as bp
from bentpipe._sweep import _analysis, _design
from bentpipe._sweep._analysis import Share
from bentpipe._sweep._document import read
from bentpipe.base import shares
from project import Command

# Ishigami and Homma 1990 with a = 7, b = 0.1; indices as printed by Saltelli et al., Global Sensitivity Analysis: The
# Primer, 2008, and by Marrel et al., Reliability Engineering and System Safety 94, 2009.
FIRST = (0.3139, 0.4424, 0.0)
TOTAL = (0.5576, 0.4424, 0.2437)
BOTH_1_3 = 0.2437


def ishigami(unit: Any) -> Any:
    """Return the function over the unit cube."""
    x = np.pi * (2.0 * np.asarray(unit) - 1.0)
    return np.sin(x[:, 0]) + 7.0 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


def sample(design: str, points: int) -> Any:
    """Return a design over three axes, as a sweep draws it."""
    base = {
        "duration": "1 s",
        "network": {"dumbbell": {"rate": "5 Mbit/s", "rtt": "40 ms"}},
        "flows": [{"controller": "reno"}],
    }
    axes = {
        "network.dumbbell.loss.per": {"from": 0.0, "to": 0.1},
        "network.dumbbell.rtt": {"from": "10 ms", "to": "50 ms"},
        "network.dumbbell.rate": {"from": "1 Mbit/s", "to": "5 Mbit/s"},
    }
    document = read(
        {"base": base, "axes": axes, "sample": {"design": design, "points": points}, "seeds": {"at_least": 1}}
    )
    return _design.shares(document)


def test_saltelli_gives_the_published_indices() -> None:
    unit = sample("saltelli", 1024)
    assert unit.shape == (1024 * 5, 3)
    found = _analysis.of_saltelli(ishigami(unit), 3)
    for one, first, total in zip(found, FIRST, TOTAL, strict=True):
        assert one.alone == pytest.approx(first, abs=0.04)
        assert one.total == pytest.approx(total, abs=0.04)
        assert one.low is not None
        assert one.high is not None
        assert one.low - 0.02 <= first <= one.high + 0.02
        assert 0.0 < one.high - one.low < 0.2


@pytest.mark.parametrize("design", ["sobol", "latin-hypercube", "random"])
def test_any_sample_gives_the_first_order_indices(design: str) -> None:
    unit = sample(design, 1024)
    found = _analysis.of_sample(np.argsort(np.argsort(unit, axis=0), axis=0), ishigami(unit))
    for one, first in zip(found, FIRST, strict=True):
        assert one.alone == pytest.approx(first, abs=0.07)
        assert one.total is None


def test_a_grid_is_taken_apart_exactly() -> None:
    size = 16
    places = np.array(list(np.ndindex(size, size, size)))
    # The points are midpoints. The rule is exact for the sines, and correct within 0.01 for the fourth power.
    found, pairs = _analysis.of_grid(places, [size] * 3, ishigami((places + 0.5) / size)[:, None])
    assert [one.alone for one in found] == pytest.approx(FIRST, abs=0.01)
    assert [one.total for one in found] == pytest.approx(TOTAL, abs=0.01)
    assert pairs == {
        (0, 1): pytest.approx(0.0, abs=1e-9),
        (0, 2): pytest.approx(BOTH_1_3, abs=0.01),
        (1, 2): pytest.approx(0.0, abs=1e-9),
    }
    assert all(one.low is None for one in found), "nothing is left to chance"


def test_chance_has_the_share_that_was_put_in_and_is_in_no_other() -> None:
    chance = np.random.Generator(np.random.PCG64(1))
    places = np.array(list(np.ndindex(10, 100)))
    # Levels 0 to 9 have the variance (10^2 - 1) / 12 = 8.25. Chance of 16.5 over 4 seeds adds 4.125 to each mean.
    values = places[:, :1] + chance.normal(0.0, np.sqrt(16.5), (1000, 4))
    share = 4.125 / (8.25 + 4.125)
    assert shares.chance(values) == pytest.approx(share, abs=0.08)
    (one, other), _ = _analysis.of_grid(places, [10, 100], values)
    # In means over ten levels, the second axis has 4.125 / 10 of 12.375, 3.3 %. All of this is chance.
    assert one.alone == pytest.approx(1.0, abs=0.05)
    assert other.alone == pytest.approx(0.0, abs=0.02)
    assert one.low is not None
    assert one.high is not None
    assert 0.0 <= one.low <= one.alone <= one.high <= 1.0


def test_parts_by_hand() -> None:
    # Two points have two seeds: 1 3 and 5 9. The axis's effect is 2 with one seed and 3 with the other, on both sides
    # of the middle. Without chance it is 2 x 3 = 6, but the means have 2.5^2 = 6.25. Chance is 0.25 of 6.25.
    values = np.array([[1.0, 3.0], [5.0, 9.0]])
    grid = shares.Grid(np.array([[0], [1]]), [2], values)
    assert grid.whole.variance == pytest.approx(6.0)
    assert shares.chance(values) == pytest.approx(0.04)
    # The table of the crossed design: MS_rest = 4 x 0.5^2 / 1 = 1; MS_seeds = 2 x 4.5 = 9, from seed means of 3 and 6.
    assert shares.between_and_within(values) == (pytest.approx((9.0 - 1.0) / 2), pytest.approx(1.0))


def spread(law: Any, values: Any) -> Any:
    """Return points of a grid of 4 x 4 with these values, on five seeds, each with its own chance."""
    return np.asarray(values, dtype=np.float64)[:, None] + law((16, 5))


@pytest.mark.parametrize(("slope", "crossed"), [(1.0, 0.0), (0.3, 0.0), (0.0, 1.0)])
def test_intervals_hold_the_share_and_estimates_have_no_bias(slope: float, crossed: float) -> None:
    draw = np.random.default_rng(3)
    places = np.array(list(np.ndindex(4, 4)))
    first, second = places.T
    level = slope * first + crossed * first * second
    # Levels 0 to 3 have the variance 1.25 and the mean 1.5. In a product, the first axis alone explains 1.5^2 x 1.25 of
    # (1.25 + 2.25)^2 - 2.25^2 = 7.1875.
    whole = 1.25 * slope**2 + 7.1875 * crossed**2
    alone = 1.25 * slope**2 + 2.8125 * crossed**2
    holds, parts = 0, []
    for _ in range(300):
        # The last term is equal at all points, like the weather of a seed. It is not in any share.
        values = spread(lambda shape: draw.normal(size=shape) + 5.0 * draw.normal(size=5), level)
        grid = shares.Grid(places, [4, 4], values)
        low, high = grid.alone(0).between(grid.whole) or (1.0, 0.0)
        holds += low <= alone / whole + 1e-3 and high >= alone / whole - 1e-3
        parts.append((grid.alone(0).variance, grid.whole.variance))
    # 95 % of 300 are 285. Fewer than 270 have a probability below 1 in 1,000.
    assert holds >= 270
    for found, true in zip(np.mean(parts, axis=0), (alone, whole), strict=True):
        assert found == pytest.approx(true, abs=4.0 * np.std(parts, axis=0).max() / np.sqrt(300))


def test_an_axis_that_does_nothing_has_nothing() -> None:
    draw, places = np.random.default_rng(5), np.array(list(np.ndindex(2, 6)))
    found, excluded = [], 0
    for _ in range(300):
        grid = shares.Grid(places, [2, 6], draw.normal(size=(12, 5)))
        found.append(grid.alone(1).variance)
        low, _ = grid.alone(1).between(grid.whole) or (1.0, 1.0)
        excluded += low > 0.0
    assert np.mean(found) == pytest.approx(0.0, abs=4.0 * np.std(found) / np.sqrt(300))
    assert excluded <= 0.05 * 300


def test_a_sample_is_told_without_chance() -> None:
    # 60 of 100 combinations are used. Levels are 0 to 9 again, and chance adds 4.125 to each mean.
    draw = np.random.default_rng(4)
    places = np.array(list(np.ndindex(10, 10)))
    told = []
    for _ in range(60):
        some = places[np.sort(draw.permutation(100)[:60])]
        values = some[:, :1] + draw.normal(0.0, np.sqrt(16.5), (60, 4))
        told.append(shares.main_effects(some, values))
    assert np.median(told, axis=0) == pytest.approx([1.0, 0.0], abs=0.05)
    share = _analysis.without(0.25, Share(0.6, 0.45, 0.9, 0.7, 0.4, 0.9))
    # Three quarters of 1 remain. A total index also contains chance.
    assert (share.alone, share.low, share.high) == (pytest.approx(0.8), pytest.approx(0.6), 1.0)
    assert (share.total, share.total_low) == (pytest.approx(0.6), pytest.approx(0.2))


def test_a_part_of_a_grid_is_found_and_taken_apart_as_a_grid_is() -> None:
    # One column has 9 to 1 over three rows, and the other has 0. A further row is unknown. By hand: the mean is 2.5,
    # the column means are 5 and 0, and the row means 4.5, 2.5 and 0.5. Variances: columns 6.25, rows 8/3, all 107/6 -
    # 6.25 = 139/12.
    places = np.array(list(np.ndindex(3, 2)))
    values = np.array([9.0, 0.0, 5.0, 0.0, 1.0, 0.0])[:, None]
    part = shares.whole_part(places, [4, 2])
    assert part is not None
    assert part.all()
    hand = [8.0 / 3.0 / (139.0 / 12.0), 6.25 / (139.0 / 12.0)]
    assert shares.main_effects(places, values) == pytest.approx(hand)
    found, pairs = _analysis.of_grid(places, [3, 2], values)
    assert [one.alone for one in found] == pytest.approx(hand)
    assert pairs[0, 1] == pytest.approx(1.0 - sum(hand))
    # A single gap removes its row, because a choice keeps at least two options. Of equal options, the last one is
    # removed.
    gap = np.array([one for one in np.ndindex(4, 2) if one != (1, 1)])
    assert np.array_equal(gap[shares.whole_part(gap, [4, 2])][:, 0], [0, 0, 2, 2, 3, 3])
    gap = np.array([one for one in np.ndindex(3, 3) if one != (0, 1)])
    assert np.array_equal(gap[shares.whole_part(gap, [3, 3])], [(0, 0), (0, 2), (1, 0), (1, 2), (2, 0), (2, 2)])
    # An option without any number can be removed down to one option. Of two by two options, none can be removed.
    assert np.array_equal(shares.whole_part(places[::2], [3, 2]), [True] * 3)
    assert shares.whole_part(places[:3], [2, 2]) is None


HOLES = """
[axes]
"network.dumbbell.rtt" = ["20 ms", "200 ms", "2 s"%s]
"network.dumbbell.loss.per" = [0.001, 1.0]
[seeds]
at_least = 2
[base]
duration = "3 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "600 ms" }
flows = [{ controller = "cubic" }]
"""


def test_points_without_the_number_do_not_change_the_shares_of_the_others(cli: Command, tmp_path: Path) -> None:
    # Over a path of 10 s nothing arrives. The same six points have a goodput with and without this path.
    found = {}
    for name, more in (("six", ""), ("holes", ', "20 s"')):
        (tmp_path / "sweep.toml").write_text(HOLES % more)
        assert cli("sweep", "sweep.toml", "--out", name).returncode == 0
        found[name] = bp.sensitivity(name)
    six, holes = found["six"], found["holes"]
    assert holes.shares == six.shares
    assert (holes.pairs, holes.together, holes.chance, holes.points) == (six.pairs, six.together, six.chance, 6)
    assert six.left_out == ()
    assert holes.left_out == ("rtt_ms = 20000 (2 of its 2 points lack goodput_mbit_s)",)
    assert holes.words == f"{six.words} Left out: {holes.left_out[0]}."
    # For the queueing delay, only one value of `per` remains, and the path of 20 s lacks it at this value, too.
    delay = bp.sensitivity("holes", "queueing_p95_ms")
    assert (list(delay.shares), delay.shares["rtt_ms"].alone) == (["rtt_ms"], pytest.approx(1.0))
    assert delay.left_out == (
        "rtt_ms = 20000 (2 of its 2 points lack queueing_p95_ms)",
        "per = 1 (4 of its 4 points lack queueing_p95_ms)",
        "the axis per, because all remaining points have 0.001",
    )
    told = cli("sensitivity", "holes", "--json")
    assert "left out: rtt_ms = 20000" in told.stderr


def test_a_grid_without_a_whole_part_is_refused(cli: Command, tmp_path: Path) -> None:
    # The warm-up is as long as the shorter run, so nothing of it is measured: 3 of 4 points have a goodput.
    (tmp_path / "sweep.toml").write_text("""
[axes]
duration = ["3 s", "6 s"]
warm_up = ["1 s", "2.99 s"]
[base]
network.dumbbell = { rate = "10 Mbit/s", rtt = "60 ms" }
flows = [{ controller = "cubic" }]
""")
    assert cli("sweep", "sweep.toml", "--out", "out").returncode == 0
    done = cli("sensitivity", "out")
    assert done.returncode == 2
    assert "1 of 4 points lack goodput_mbit_s" in done.stderr
    assert "no complete part of the grid" in done.stderr


SWEEP = """
[axes]
"network.dumbbell.rate" = ["1 Mbit/s", "5 Mbit/s"]
"flows.controller" = ["reno", "cubic"]
[base]
duration = "2 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms" }
[[base.flows]]
controller = "reno"
"""


def test_the_command_answers_in_a_sentence_and_a_picture(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "sweep.toml").write_text(SWEEP)
    assert cli("sweep", "sweep.toml", "--out", "out").returncode == 0
    done = cli("sensitivity", "out")
    assert done.returncode == 0
    # Both controllers fill either link, so the rate explains everything.
    assert re.search(
        r"rate_mbit_s explains most of goodput_mbit_s: (99|100) % of its variance over 4 points", done.stdout
    )
    assert (tmp_path / "out" / "sensitivity.png").stat().st_size > 10_000
    wrong = cli("sensitivity", "out", "--of", "goodput")
    assert (wrong.returncode, "goodput_mbit_s" in wrong.stderr) == (2, True)
    assert cli("sensitivity", "out", "--of", "jain_index").returncode == 2, "one flow has none"
    # The pictures belong to the sweep, so the sweep continues in their folder.
    assert cli("sweep", "sweep.toml", "--out", "out").returncode == 0


def test_too_few_points_of_a_sample_are_told() -> None:
    with pytest.raises(bp.ScenarioError, match="20 points are too few"):
        _analysis.of_sample(np.zeros((20, 2), dtype=np.int64), np.arange(20.0))
