# SPDX-License-Identifier: MIT OR Apache-2.0
"""Means over seeds with 95 % confidence intervals by Student's t."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Two-sided 95 % quantiles of Student's t (upper tail 0.025) for 1 to 30 degrees of freedom:
# NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.2.
_T_975 = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % confidence interval.

    Attributes:
        mean: Mean of the samples.
        half_width: Half of the interval's width; infinite for a single sample.
        samples: How many samples.
    """

    mean: float
    half_width: float
    samples: int

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.mean + self.half_width

    def excludes(self, value: float) -> bool:
        """Whether `value` lies outside the interval."""
        return not self.low <= value <= self.high

    def text(self, digits: int = 2, unit: str = "") -> str:
        """As it is printed: mean ± half width and unit."""
        width = "?" if math.isinf(self.half_width) else f"{self.half_width:.{digits}f}"
        return f"{self.mean:.{digits}f} ± {width}{' ' + unit if unit else ''}"


def t_quantile(degrees: int) -> float:
    """Two-sided 95 % quantile of Student's t; above 30 degrees that of 30, which is on the safe side."""
    if degrees < 1:
        return math.inf
    return _T_975[min(degrees, len(_T_975)) - 1]


def estimate(samples: Sequence[float]) -> Estimate:
    """Mean and 95 % confidence interval of independent samples.

    Raises:
        ValueError: If there is no sample.
    """
    count = len(samples)
    if count == 0:
        raise ValueError("a mean needs at least one sample")
    mean = math.fsum(samples) / count
    if count == 1:
        return Estimate(mean, math.inf, 1)
    variance = math.fsum((x - mean) ** 2 for x in samples) / (count - 1)
    return Estimate(mean, t_quantile(count - 1) * math.sqrt(variance / count), count)


def fixed(value: float) -> Estimate:
    """A number without chance in it (of a model, or of geometry): its interval has no width."""
    return Estimate(value, 0.0, 1)


def relative_change(ours: Sequence[float], base: Sequence[float]) -> Estimate:
    """Mean of the paired relative changes ``ours / base - 1`` in percent: one pair per seed.

    Pairing is what makes few seeds enough: both runs of a pair see the same losses on the same links.

    Raises:
        ValueError: If the two differ in length or a base is zero.
    """
    return estimate([100.0 * (a / b - 1.0) for a, b in zip(ours, base, strict=True)])
