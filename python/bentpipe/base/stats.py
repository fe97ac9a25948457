# SPDX-License-Identifier: MIT OR Apache-2.0
"""Means over seeds with confidence intervals by Student's t. The default level is 95 %."""

from __future__ import annotations

import math
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bentpipe.base.arguments import refuse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LEVEL = 0.95
#: The explanation of the question mark after ±.
TOO_FEW = "± ?: two seeds are too few for an interval"
#: The current level of the intervals of `estimate`. A look of a study sets another level (`intervals_at`).
_level_now: ContextVar[float] = ContextVar("level", default=LEVEL)

# Two-sided 95 % quantiles of Student's t (upper tail 0.025) for 1 to 30 degrees of freedom:
# NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.2.
_T_975 = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)


class Bounds(NamedTuple):
    """The range of a number.

    Attributes:
        least: The lower bound.
        most: The upper bound.
        is_of_samples: Whether no sample can be below `least`. Then a mean above `least` is not at the bound.
    """

    least: float = -math.inf
    most: float = math.inf
    is_of_samples: bool = False


#: A relative change in percent.
CHANGE = Bounds(least=-100.0, is_of_samples=True)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its confidence interval.

    Attributes:
        mean: Mean of the samples.
        half_width: Half of the interval's width; infinite for a single sample.
        samples: Number of samples.
        level: Confidence level of the interval, usually 0.95. The level is higher at a look (check) of a study that may
            continue with more seeds. The intervals of all looks together then have a confidence of 95 %.
    """

    mean: float
    half_width: float
    samples: int
    level: float = LEVEL

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.mean + self.half_width

    def excludes(self, value: float) -> bool:
        """Return whether `value` lies outside the interval."""
        return not self.low <= value <= self.high

    def text(
        self,
        digits: int = 2,
        unit: str = "",
        *,
        sign: bool = False,
        bounds: Bounds = Bounds(),  # noqa: B008 - immutable
    ) -> str:
        """Return the printed text: mean ± half width and unit.

        For a single sample, or a number that does not vary by seed, the text is only the mean. For a missing
        number, it is a dash.
        A half width that would round to 0 is printed as less than one unit of the last digit. Two samples are too few,
        so their half width is a question mark.

        Args:
            digits: Digits after the point.
            unit: Unit; empty if the number has no unit.
            sign: Whether a plus sign is printed; a mean that rounds to 0 has none.
            bounds: The range of the number. An interval that exceeds a bound is printed as the two ends of `within`.
        """
        if math.isnan(self.mean):
            return "–"
        width = ""
        if self.samples == 2 and self.half_width > 0.0:
            width = " ± ?"
        elif 0.0 < self.half_width < math.inf:
            shown = f"{self.half_width:.{digits}f}"
            width = f" ± {shown}" if float(shown) else f" ± <{10.0**-digits:.{digits}f}"
            if float(shown) and (self.low < bounds.least or self.high > bounds.most):
                low, high = self._ends(bounds)
                least = 10.0**-digits
                begin = f"<{least:.{digits}f}" if 0.0 < low < 0.5 * least else f"{low:.{digits}f}"
                width = f" ({begin} to {high:.{digits}f})"
        mean = round(self.mean, digits) + 0.0  # no "-0.0"
        return f"{mean:{'+' if sign and mean else ''}.{digits}f}{width}{' ' + unit if unit else ''}"

    @property
    def is_sure(self) -> bool:
        """Whether the interval is printed and drawn, because it has a width and more than two samples."""
        return 0.0 < self.half_width < math.inf and self.samples != 2

    def within(self, bounds: Bounds) -> tuple[float, float] | None:
        """Return the ends of the interval within the bounds of the number; None if two or fewer samples give none.

        By default, Student's interval is cut at the bounds. If no sample can be below the lower bound, but Student's
        interval reaches this bound, the log-normal interval of the distance D from the bound is used. It never reaches
        the bound. The ends of the log-normal interval are D / C and D C with C = exp(t sqrt(ln(1 + var(D) / D^2))).
        Source: S. T. Buckland et al., Introduction to Distance Sampling, 2001, section 3.6.1, with Student's t for few
        samples.
        """
        if math.isnan(self.mean) or not (self.is_sure or self.half_width == 0.0):
            return None
        return self._ends(bounds)

    def _ends(self, bounds: Bounds) -> tuple[float, float]:
        low, high = self.low, self.high
        distance = self.mean - bounds.least
        if bounds.is_of_samples and low <= bounds.least and distance > 0.0 and self.samples > 1:
            t = t_quantile(self.samples - 1, self.level)
            factor = math.exp(t * math.sqrt(math.log1p((self.half_width / t / distance) ** 2)))
            low, high = bounds.least + distance / factor, bounds.least + distance * factor
        return max(low, min(bounds.least, self.mean)), min(high, max(bounds.most, self.mean))


def t_quantile(degrees: int, level: float = LEVEL) -> float:
    """Return the two-sided quantile of Student's t.

    The quantiles at 95 % are from the table; above 30 degrees of freedom the quantile of 30 is used (conservative).
    Quantiles at other levels are computed.
    """
    if degrees < 1:
        return math.inf
    if level == LEVEL:
        return _T_975[min(degrees, len(_T_975)) - 1]
    return _computed_quantile(degrees, level)


@cache
def _computed_quantile(degrees: int, level: float) -> float:
    low, high = 0.0, 1.0
    while _within(high, degrees) < level:
        low, high = high, 2.0 * high
    for _ in range(80):
        middle = (low + high) / 2.0
        low, high = (middle, high) if _within(middle, degrees) < level else (low, middle)
    return high


def _within(t: float, degrees: int) -> float:
    """Return P(-t <= T <= t). Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4."""
    theta = math.atan(t / math.sqrt(degrees))
    odd = degrees % 2
    term = math.cos(theta) if odd else 1.0
    total = term if degrees > 1 else 0.0
    for k in range(2 + odd, degrees - 1, 2):
        term *= math.cos(theta) ** 2 * (k - 1) / k
        total += term
    return 2.0 / math.pi * (theta + math.sin(theta) * total) if odd else math.sin(theta) * total


@contextmanager
def intervals_at(level: float) -> Iterator[None]:
    """Set the confidence level of `estimate` within the context."""
    before = _level_now.set(level)
    try:
        yield
    finally:
        _level_now.reset(before)


def at_level(one: Estimate, level: float) -> Estimate:
    """Return the estimate of the same samples with another confidence level."""
    if level == one.level or not 0.0 < one.half_width < math.inf:
        return replace(one, level=level)
    degrees = one.samples - 1
    scale = t_quantile(degrees, level) / t_quantile(degrees, one.level)
    return Estimate(one.mean, one.half_width * scale, one.samples, level)


def estimate(samples: Sequence[float]) -> Estimate:
    """Compute the mean and confidence interval of independent samples, at 95 % or at the level of a study's look.

    Raises:
        ArgumentError: If there is no sample.
    """
    count = len(samples)
    if count == 0:
        raise refuse("a mean needs at least one sample")
    # The mean of equal numbers is the number itself. Rounding errors of a computed mean would give an interval.
    mean = samples[0] if all(one == samples[0] for one in samples) else math.fsum(samples) / count
    if count == 1:
        return Estimate(mean, math.inf, 1, _level_now.get())
    level = _level_now.get()
    try:
        variance = math.fsum((x - mean) ** 2 for x in samples) / (count - 1)
    except OverflowError:
        return Estimate(mean, math.inf, count, level)
    return Estimate(mean, t_quantile(count - 1, level) * math.sqrt(variance / count), count, level)


def trials(value: float, count: int, bounds: Bounds) -> Estimate:
    """Return the estimate from `count` trials that all had the result `value`.

    Student's interval would have width 0. But with the confidence level, another result has a probability of up to
    p = 1 - ((1 - level) / 2)^(1 / count). The interval has the half-width p D, where D is the distance of `value` from
    the farther bound. Source: C. Clopper and E. Pearson, The use of confidence or fiducial limits illustrated in the
    case of the binomial, Biometrika 26, 1934.

    >>> trials(0.0, 10, Bounds(0.0, 1.0)).half_width  # doctest: +ELLIPSIS
    0.30849...
    """
    level = _level_now.get()
    other = 1.0 - ((1.0 - level) / 2.0) ** (1.0 / count)
    return Estimate(value, other * max(value - bounds.least, bounds.most - value), count, level)


def interval_columns(
    name: str,
    one: Estimate,
    bounds: Bounds = Bounds(),  # noqa: B008 - immutable
) -> dict[str, float | None]:
    """Return the columns of a number and of the ends of its interval: ``x``, ``x_low``, ``x_high``; None if not known.

    Args:
        name: Name of the number.
        one: Estimate of the number.
        bounds: The range of the number, for `Estimate.within`.
    """
    low, high = one.within(bounds) or (None, None)
    return {name: None if math.isnan(one.mean) else one.mean, f"{name}_low": low, f"{name}_high": high}


def fixed(value: float) -> Estimate:
    """Return the estimate for a number that does not depend on chance. Its interval has width 0."""
    return Estimate(value, 0.0, 1)


def relative_change(ours: Sequence[float], base: Sequence[float]) -> Estimate:
    """Compute the mean of the paired relative changes ``ours / base - 1`` in percent: one pair per seed.

    Pairs need fewer seeds, because both runs of a pair have the same losses on the same links.

    Raises:
        ArgumentError: If the two lists differ in length, or a value of `base` is zero.
    """
    if len(ours) != len(base):
        raise refuse(f"pairs need two lists of equal length, not of {len(ours)} and {len(base)} values")
    if any(b == 0 for b in base):
        raise refuse("a base of zero has no relative change: compare the differences, or leave these pairs out")
    return estimate([100.0 * (a / b - 1.0) for a, b in zip(ours, base, strict=True)])
