# SPDX-License-Identifier: MIT OR Apache-2.0
"""Confidence intervals, compared with the definition of Student's t and with numbers computed by hand."""

from __future__ import annotations

import math

import pytest

from bentpipe.base.stats import Bounds, estimate, relative_change, t_quantile, trials
from bentpipe.study import sampled


def _tail(t: float, degrees: int) -> float:
    """P(|T| > t) from the density of Student's t, by Simpson's rule."""
    scale = math.gamma((degrees + 1) / 2) / (math.sqrt(degrees * math.pi) * math.gamma(degrees / 2))
    steps = 20_000
    width = t / steps
    values = [scale * (1 + (i * width) ** 2 / degrees) ** (-(degrees + 1) / 2) for i in range(steps + 1)]
    half = width / 3 * (values[0] + values[-1] + 4 * sum(values[1:-1:2]) + 2 * sum(values[2:-1:2]))
    return 1 - 2 * half


@pytest.mark.parametrize("degrees", range(1, 31))
def test_quantiles_leave_five_percent_outside(degrees: int) -> None:
    assert _tail(t_quantile(degrees), degrees) == pytest.approx(0.05, abs=2e-4)


def test_estimate_by_hand() -> None:
    # 1, 2, 3, 4, 5: mean 3, s² = 2.5, s/√5 = 0.7071068, t(4) = 2.776: 1.96293
    result = estimate([1, 2, 3, 4, 5])
    assert result.mean == 3
    assert result.half_width == pytest.approx(1.96293, abs=1e-4)
    assert result.excludes(1.0)
    assert not result.excludes(1.1)


def test_pairing_takes_the_common_part_out() -> None:
    # Each pair differs by exactly a tenth, however much the pairs differ from each other.
    change = relative_change([11.0, 110.0, 1100.0], [10.0, 100.0, 1000.0])
    assert change.mean == pytest.approx(10.0)
    assert change.half_width == pytest.approx(0.0, abs=1e-9)


def test_one_sample_says_nothing() -> None:
    assert math.isinf(estimate([1.0]).half_width)
    assert not estimate([1.0]).excludes(0.0)
    with pytest.raises(ValueError, match="at least one"):
        estimate([])


@pytest.mark.parametrize(("count", "upper"), [(3, 70.76), (5, 52.18), (10, 30.85), (20, 16.84)])
def test_equal_trials_have_the_exact_interval(count: int, upper: float) -> None:
    """By definition, n trials without an event have a probability of 2.5 % at the upper limit (in percent)."""
    assert (1.0 - upper / 100.0) ** count == pytest.approx(0.025, rel=1e-3)
    assert trials(0.0, count, Bounds(0.0, 100.0)).high == pytest.approx(upper, abs=0.005)
    assert trials(100.0, count, Bounds(0.0, 100.0)).low == pytest.approx(100.0 - upper, abs=0.005)


def test_only_trials_have_an_interval_if_all_seeds_are_equal() -> None:
    assert sampled([2.0, 2.0, 2.0]).half_width == 0.0
    assert sampled([0.0], Bounds(0.0, 1.0)).half_width == 0.0
    assert sampled([0.0, 0.0, 0.0], Bounds(0.0, 1.0)).half_width == pytest.approx(0.7076, abs=5e-5)
    assert sampled([0.0, 1.0], Bounds(0.0, 1.0)) == estimate([0.0, 1.0])
