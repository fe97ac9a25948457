# SPDX-License-Identifier: MIT OR Apache-2.0
"""Means over the fresh seeds, with intervals that also use the spread of the seeds of the choice.

Student's interval uses only the spread of the samples of the mean. If a rare kind of run decides the result, a small
sample usually contains no such run. The spread of the sample is then too small, and the interval is far too narrow
(Johnson, Modified t tests and confidence intervals for asymmetrical populations, Journal of the American Statistical
Association 73, 1978). The seeds of the choice give more runs of the same kind. Only their spread is used. The mean uses
only seeds that no choice has used.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from bentpipe.base.stats import Estimate, estimate, t_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Numbers that differ by less than this, absolutely or relatively, count as equal (rounding).
_ROUNDING = 1e-9


def measured(fresh: Sequence[float], earlier: Sequence[float] = ()) -> Estimate:
    """Return the mean over fresh seeds. Its interval uses the larger of two spreads: of the fresh seeds, of all seeds.

    Args:
        fresh: The number for each fresh seed.
        earlier: The number for each seed of the choice. NaN is ignored.
    """
    own = estimate(fresh)
    both = np.array([*fresh, *(one for one in earlier if math.isfinite(one))])
    if not math.isfinite(own.half_width) or not np.isfinite(both).all():
        return own
    if float(np.ptp(both)) <= _ROUNDING * max(1.0, float(np.abs(both).max())):
        return Estimate(own.mean, 0.0, own.samples, own.level)
    # Student's t for the fresh seeds alone, t_{n-1} s / sqrt(n), where s is the larger of the two spreads.
    spread = max(float(np.std(fresh, ddof=1)), float(np.std(both, ddof=1)))
    half = t_quantile(own.samples - 1, own.level) * spread / math.sqrt(own.samples)
    return Estimate(own.mean, half, own.samples, own.level)
