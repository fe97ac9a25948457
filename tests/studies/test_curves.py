# SPDX-License-Identifier: MIT OR Apache-2.0
"""Specification curves: shares of the variance compared with closed forms, designs, runs, and the picture."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import bentpipe as bp
from bentpipe.base import shares
from bentpipe.study import (
    CURVE_SEEDS,
    Choice,
    Claim,
    Curve,
    Effort,
    Finding,
    Option,
    Point,
    Row,
    SpecificationCurve,
    Study,
    reproduce,
    specification_curve,
    write,
)
from project import Command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


def choice(name: str, size: int) -> Choice:
    return Choice(name=name, options=tuple(Option(f"{name}{n}", "why not", n) for n in range(size)), by="the house")


def plan(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    """Return two short runs whose names contain the values."""
    network = bp.Dumbbell(rate="1 Mbit/s", rtt="10 ms", queue="1 BDP")
    return {
        kind: bp.Scenario(
            name=f"{kind} {values['a']} {values['b']} {seed}",
            duration="0.1 s",
            seed=seed,
            network=network,
            flows=[bp.Flow(controller="reno")],
        )
        for kind in ("with", "without")
    }


def effect(runs: Mapping[str, bp.Run]) -> float:
    """Return 10 a + b, read from the names. The two runs must differ."""
    assert set(runs) == {"with", "without"}
    kind, a, b, seed = runs["with"].name.split()
    assert kind == "with"
    return 10.0 * int(a) + int(b) + 0.01 * int(seed)


def curve(*sizes: int, **more: Any) -> Curve:
    choices = tuple(choice(name, size) for name, size in zip("abcdefgh", sizes, strict=False))
    return Curve(title="made up", choices=choices, plan=plan, effect=effect, **more)


def made(asked: Curve, value: Callable[..., float], seeds: tuple[float, ...] = (0.0, 0.0, 0.0)) -> SpecificationCurve:
    """Return a curve whose effect is a function of the indices, plus a value for each seed."""
    points = [Point(one, tuple(value(*one) + more for more in seeds)) for one in asked.combinations]
    return SpecificationCurve(asked, tuple(points))


def test_shares_are_those_of_the_closed_form() -> None:
    """For y = 3 u + 4 v + 12 u v with u, v = ±1 the variance is 9 + 16 + 144 (Saltelli et al., Global Sensitivity
    Analysis, 2008, section 1.2). The main effects are 9/169 and 16/169, and the rest is the interaction.
    """
    found = made(curve(2, 2), lambda a, b: 3.0 * (2 * a - 1) + 4.0 * (2 * b - 1) + 12.0 * (2 * a - 1) * (2 * b - 1))
    assert found.shares == pytest.approx({"b": 16 / 169, "a": 9 / 169})
    assert list(found.shares) == ["b", "a"]
    assert found.together == pytest.approx(144 / 169)
    assert found.chance == pytest.approx(0.0)


def test_a_choice_of_three_and_one_that_does_nothing() -> None:
    # a in {0, 1, 2} has the variance 2/3, and 2 b with b in {0, 1} has the variance 1.
    found = made(curve(3, 2, 2), lambda a, b, _: a + 2.0 * b)
    assert found.shares == pytest.approx({"b": 1 / (5 / 3), "a": (2 / 3) / (5 / 3), "c": 0.0}, abs=1e-12)


def test_an_option_without_any_effect_leaves_the_shares_of_the_others_as_they_are() -> None:
    # The shares are those above (in 169ths). A third option of a has no effect with either option of b.
    found = made(
        curve(3, 2),
        lambda a, b: math.nan if a == 2 else 3.0 * (2 * a - 1) + 4.0 * (2 * b - 1) + 12.0 * (2 * a - 1) * (2 * b - 1),
    )
    assert found.shares == pytest.approx({"b": 16 / 169, "a": 9 / 169})
    assert "nothing to measure in 2" in found.words


def test_what_all_combinations_share_is_not_chance_and_what_they_do_not_is() -> None:
    shared = made(curve(2, 2), lambda a, b: a + b, seeds=(0.0, 5.0, -5.0))
    assert shared.chance == pytest.approx(0.0, abs=1e-12)
    # Two points have two seeds: means 1 and 3, variance 2 (n - 1). Residuals are ±1, so sigma² = 4 / 1, and 2 for a
    # mean: all of it.
    asked = curve(2)
    noisy = SpecificationCurve(asked, (Point((0,), (0.0, 2.0)), Point((1,), (4.0, 2.0))))
    assert noisy.chance == pytest.approx(1.0)


def test_without_variance_there_is_nothing_to_share() -> None:
    found = made(curve(2, 2), lambda *_: 7.0)
    assert found.shares == {}
    assert (found.chance, found.together) == (0.0, 0.0)
    assert found.words == "over all 4 combinations 7.0 to 7.0 %"


def test_all_combinations_are_made_or_a_balanced_sample() -> None:
    assert curve(2, 3).combinations == tuple(itertools.product(range(2), range(3)))
    big = curve(4, 4, 2, 2, 2, 4, most=64)
    sample = big.combinations
    assert sample == curve(4, 4, 2, 2, 2, 4, most=64).combinations
    assert sample != curve(4, 4, 2, 2, 2, 4, most=64, seed=2).combinations
    assert len(set(sample)) == len(sample) == 64  # the main reading is one of them
    assert sample[0] == (0,) * 6
    for place, size in enumerate((4, 4, 2, 2, 2, 4)):
        often = Counter(one[place] for one in sample)
        assert all(abs(often[option] - len(sample) / size) <= 2 for option in range(size))
    # The effect is additive: 5 a + e, with variances 25 * 5/4 and 1/4.
    found = made(big, lambda a, _b, _c, _d, e, _f: 5.0 * a + e)
    assert found.shares["a"] == pytest.approx(31.25 / 31.5, abs=0.03)
    assert found.together == pytest.approx(0.0, abs=0.03)
    assert "of 512 combinations" in found.words


def test_options_that_change_no_run_are_not_combinations_of_their_own() -> None:
    # The runs of `plan` depend on a and b alone, so those of c and d are repeated.
    assert curve(2, 3, 2).distinct == tuple((a, b, 0) for a in range(2) for b in range(3))
    sample = curve(4, 4, 2, 4, 4, most=64)
    assert sample.distinct == tuple(dict.fromkeys((a, b, 0, 0, 0) for a, b, *_ in sample.combinations))
    assert set(sample.scenarios((1,))) == {(one, kind, 1) for one in sample.distinct for kind in ("with", "without")}


def test_the_share_of_a_pair() -> None:
    # An exclusive or: neither choice explains anything alone, and both together explain everything.
    grid = np.array(list(itertools.product(range(2), range(2), range(3))))
    both = np.array([[float(a ^ b)] for a, b, _ in grid])
    assert shares.pair_effects(grid, both) == pytest.approx({(0, 1): 1.0, (0, 2): 0.0, (1, 2): 0.0})
    # Without a corner it is a sample: R^2 of the pair is still 1.
    assert shares.pair_effects(grid[1:], both[1:])[0, 1] == pytest.approx(1.0)
    # Adjusted R^2: 1 - (within / (n - k)) / (whole / (n - 1)) with 9 combinations in 4 cells.
    places = np.array([(a, b, c) for a in range(2) for b in range(2) for c in range(2)] + [(0, 0, 2)])
    other = np.array([[float(c == 1)] for *_, c in places])
    whole = sum((value - 4 / 9) ** 2 for (value,) in other)
    within = 2 / 3 + 3 * 0.5  # of (0, 0): 0, 1, 0
    assert shares.pair_effects(places, other)[0, 1] == pytest.approx(max(0.0, 1 - within / 5 / (whole / 8)))


def test_a_nearly_whole_sample_has_no_combination_twice() -> None:
    almost = curve(13, 5, most=64)
    assert len(almost.combinations) == 64
    assert len(set(almost.combinations)) == len(almost.combinations)


def test_a_curve_says_what_is_wrong_with_it() -> None:
    with pytest.raises(ValueError, match="at least 64 are needed"):
        curve(4, 4, 4, 4, most=20)
    with pytest.raises(ValueError, match="needs choices with different names"):
        Curve(title="x", choices=(choice("a", 2), choice("a", 2)), plan=plan, effect=effect)
    with pytest.raises(ValueError, match="needs choices"):
        Curve(title="x", choices=(), plan=plan, effect=effect)


def test_points_are_sorted_and_told_apart() -> None:
    asked = curve(2, 2, sign=1, paper=3.0)
    values = {(0, 0): 3.0, (0, 1): -2.0, (1, 0): 0.05, (1, 1): math.nan}
    found = made(asked, lambda *one: values[one], seeds=(0.0, 0.1, -0.1))
    assert [point.combination for point in found.sorted] == [(0, 1), (1, 0), (0, 0), (1, 1)]
    assert [found.holds(point) for point in found.points[:3]] == [True, False, None]
    assert found.points[0].main
    assert "significantly on the claimed side in 1, on the other side in 1" in found.words
    assert "the claimed 3 is met in 1;" in found.words
    wide = made(curve(2, 2, sign=1, paper=3.0, tolerance=4.9), lambda *one: values[one], seeds=(0.0, 0.1, -0.1))
    assert "the claimed 3 (± 4.9) is met in 2;" in wide.words  # a mean of -2 is 5 away
    assert "nothing to measure in 1" in found.words
    assert found.sheets()[2].rows[-1][-1] == "none"
    assert found.sheets()[2].rows[-2][0] == "main"


def test_a_curve_is_made_from_runs_and_kept(tmp_path: Path) -> None:
    asked = curve(2, 3)
    found = specification_curve(asked, out=tmp_path)
    assert [point.effect.mean for point in found.points] == pytest.approx([0.02, 1.02, 2.02, 10.02, 11.02, 12.02])
    # The shares are 100 * 1/4 and 2/3 of the variance 25 + 2/3.
    assert found.shares == pytest.approx({"a": 25 / (25 + 2 / 3), "b": (2 / 3) / (25 + 2 / 3)})
    folders = {file: file.stat().st_mtime_ns for file in tmp_path.glob("runs/*/*/summary.json")}
    assert len(folders) == 6 * 2 * len(CURVE_SEEDS)
    assert specification_curve(asked, out=tmp_path) == found
    assert {file: file.stat().st_mtime_ns for file in tmp_path.glob("runs/*/*/summary.json")} == folders
    fewer = specification_curve(replace(asked, seeds=CURVE_SEEDS[:2]), out=tmp_path)
    assert {len(point.effects) for point in fewer.points} == {2}
    with pytest.raises(ValueError, match="at least two"):
        specification_curve(asked, out=tmp_path, seeds=(1,))


CLAIM = Claim(what="effect", measured=bp.Estimate(5.0, 0.1, 10), paper=5.0, sign=1)


def test_the_curves_of_a_row_stand_in_the_page_of_its_study(tmp_path: Path) -> None:
    row = Row(
        id="C-1",
        place="p",
        what="w",
        says="s",
        read=lambda _: Finding(why="see the curve", claims=[CLAIM]),
        curves={"a": curve(2, 2, paper=5.0, sign=1)},
    )
    study = Study(name="curved", title="Curved", about="", rows=(row,))
    result = reproduce([(study, study.rows)], Effort((1, 2)), out=tmp_path, curves=True)
    assert not result.failures
    claim = result.found["curved"]["C-1"].by_id["C-1.a"]
    assert claim.counts() == "4 : 0 : 0"  # the main one is the claim's; a curve's effects are 0, 1, 10, 11 and chance
    assert reproduce([(study, study.rows)], Effort((1, 2)), out=tmp_path, curves=True) == result
    page = write(result, tmp_path, (study,)).read_text()
    assert "Specification curves" in page
    assert "most is decided by a: 99 % of the variance" in page
    assert page.count("<svg") == 2  # the strip of the claim, and the curve
    other = replace(row, read=lambda _: Finding(why="in s", claims=[replace(CLAIM, unit="s", tolerance=1.0)]))
    unlike = reproduce([(study, [other])], Effort((1, 2)), out=tmp_path / "other", curves=True)
    assert "is in s, its curve in" in unlike.failures[0].failed
    with pytest.raises(ValueError, match="give each curve by the letter of its claim"):
        replace(row, curves=(curve(2),))  # type: ignore[arg-type]


def test_a_number_without_a_side_is_never_on_it() -> None:
    timed = made(curve(2, paper=6.4), lambda a: 6.0 + a, seeds=(0.0, 0.1, -0.1))
    assert [timed.holds(point) for point in timed.points] == [None, None]
    assert "claimed side" not in timed.words
    beside = made(curve(2, paper=6.4, neutral=6.5), lambda a: 6.0 + a, seeds=(0.0, 0.1, -0.1))
    assert [beside.holds(point) for point in beside.points] == [True, False]


FILE = """
import bentpipe as bp
from bentpipe.study import Choice, Claim, Curve, Finding, Option, Row, Study

CHOICE = Choice(name="rate", options=(Option("1", "main", 1), Option("2", "twice", 2)), by="the house's default")


def plan(values, seed):
    network = bp.Dumbbell(rate=f"{values['rate']} Mbit/s", rtt="10 ms", queue="1 BDP")
    flows = [bp.Flow(controller="reno")]
    return {"one": bp.Scenario(name="one", duration="1 s", seed=seed, network=network, flows=flows)}


def effect(runs):
    return runs["one"].summary["totals"]["delivered_mbit_s"]


def read(_):
    claim = Claim(what="w", measured=bp.fixed(2.0), sign=1, unit="Mbit/s", headline="it is more")
    return Finding(why="made", claims=[claim])


CURVE = Curve(title="goodput", choices=(CHOICE,), plan=plan, effect=effect, unit="Mbit/s", sign=1)
STUDY = Study(
    name="own", title="T", about="", rows=[Row(id="O-1", place="p", what="w", says="s", read=read, curves={"a": CURVE})]
)
"""


def test_the_command_writes_curves_into_a_page(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(FILE)
    done = cli("reproduce", "./own.py", "--until", 10, "--curves", "--markdown", "papers.md")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "papers.md").read_text()
    # The first of four looks has a level of 99.2 % (Pocock).
    made = "Written by `bentpipe reproduce ./own.py --until 10 --curves`: 10 seeds (intervals of 99.2 %"
    assert made in page
    caption = "The measured number of each claim, on a scale from no effect (0) to the claimed number (1)"
    assert f"![{caption}](img/strips-own.png)" in page
    counts = "Counts: 2 for, 0 against, 0 undecided (2 combinations). "
    counts += "One combination more or fewer would change the verdict to “depends”."
    assert f"| O-1.a | “it is more” | w | higher | 2.0 Mbit/s | supported | {counts} |" in page
    assert "the paper's own tool" not in page
    assert "(papers/own.md)" in page
    assert (tmp_path / "img" / "strips-own.png").stat().st_size > 5000
    assert "| O-1.a | w | higher | 2.0 Mbit/s | supported (2 : 0 : 0) |" in (tmp_path / "papers" / "own.md").read_text()


def test_the_command_makes_curves(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(FILE)
    done = cli("reproduce", "./own.py", "--curves")
    assert done.returncode == 0, done.stderr
    assert "“it is more”" in done.stdout
    assert "over all 2 combinations 0." in done.stdout
    page = (tmp_path / "report" / "own.html").read_text()
    assert "most is decided by rate: 100 % of the variance" in page
    again = cli("reproduce", "./own.py", "O-1", "--until", 20)
    assert again.returncode == 0, again.stderr
    refused = cli("reproduce", "./own.py", "--until", 15)
    assert refused.returncode == 2
    assert "use 10, 20, 40, 100" in refused.stderr


def always_one(values: Mapping[str, Any], seed: int) -> dict[str, bp.Scenario]:
    """With a = 0 every seed has its own run. With a = 1 all seeds have the run of seed 1."""
    return plan(values, 1 if values["a"] else seed)


def test_a_combination_of_a_single_run_is_not_certain(tmp_path: Path) -> None:
    curve = Curve(
        title="one run", choices=(choice("a", 2), choice("b", 1 + 1)), plan=always_one, effect=lambda _: 5.0, sign=1
    )
    found = specification_curve(curve, out=tmp_path)
    told = {point.combination[0]: found.holds(point) for point in found.points}
    assert told == {0: True, 1: None}  # the same number of several runs has no chance in it
    assert {point.combination[0]: point.effect.half_width for point in found.points} == {0: 0.0, 1: math.inf}
    assert [line[-1] for line in found.sheets()[-1].rows].count("5.0 (one run)") == 2
    assert found.figure().axes
