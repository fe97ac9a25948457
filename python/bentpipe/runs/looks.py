# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute confidence levels for repeated looks at growing numbers of seeds. All looks together have 95 %.

A study looks at its rows at 10 seeds and, while a row is undecided, at 20, 40 and 100 seeds. Each look is a chance of a
false positive.
Therefore the error probability of 5 % is divided over the looks (Lan and DeMets, Discrete sequential boundaries for
clinical trials, Biometrika 70, 1983). The spending function is that of Pocock's type. The function of
O'Brien-Fleming's type spends 3e-12 at a tenth of the seeds, so the first look could not decide anything. The intervals
are repeated confidence intervals, with Student's t at the nominal level of each look in place of the normal
distribution. Sources: Jennison and Turnbull, Interim analyses: the repeated confidence interval approach, Journal of
the Royal Statistical Society B 51, 1989; and their Group Sequential Methods with Applications to Clinical Trials, 2000,
section 4.4.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Numbers of seeds at which a study checks whether a row is decided.
LOOKS = (10, 20, 40, 100)
_ALPHA = 0.05
#: Number of nodes of the Gauss-Legendre rule. The integrands are smooth, so 100 nodes give ten digits.
_NODES = 100


@cache
def levels(looks: tuple[int, ...]) -> tuple[float, ...]:
    """Return the confidence level of the interval at each look. All looks together have 95 %."""
    fractions = [look / looks[-1] for look in looks]
    bounds = boundaries(fractions, [spent(fraction) for fraction in fractions])
    return tuple(math.erf(bound / math.sqrt(2.0)) for bound in bounds)


def spent(fraction: float, alpha: float = _ALPHA) -> float:
    """Return the part of `alpha` that is spent after a fraction of the seeds (Lan and DeMets 1983, Pocock's type)."""
    return alpha * math.log(1.0 + (math.e - 1.0) * fraction)


def boundaries(fractions: Sequence[float], spending: Sequence[float]) -> list[float]:
    """Return the two-sided boundary of the normal statistic Z at each look, from the error spent until the look.

    The method is recursive integration of the density of studies that have not stopped, over the partial sum
    S = Z sqrt(fraction). Source: Armitage, McPherson and Rowe, Repeated significance tests on accumulating data,
    Journal of the Royal Statistical Society A 132, 1969.
    """
    points, weights = np.polynomial.legendre.leggauss(_NODES)
    nodes, mass = np.zeros(1), np.ones(1)  # before the first look S = 0
    before_fraction = before_spent = 0.0
    found = []
    for fraction, total in zip(fractions, spending, strict=True):
        step = math.sqrt(fraction - before_fraction)
        edge = _edge(nodes, mass, step, total - before_spent)
        found.append(edge / math.sqrt(fraction))
        new = edge * points
        density = np.exp(-0.5 * ((new[:, None] - nodes) / step) ** 2) / (step * math.sqrt(2.0 * math.pi))
        nodes, mass = new, edge * weights * (density @ mass)
        before_fraction, before_spent = fraction, total
    return found


def _edge(nodes: np.ndarray, mass: np.ndarray, step: float, wanted: float) -> float:
    """Return the value that |S| exceeds with the probability `wanted` at this look."""

    def outside(edge: float) -> float:
        """Return the probability that S crosses +edge or -edge. By symmetry the two probabilities are equal."""
        tails = [math.erfc((edge - node) / (step * math.sqrt(2.0))) for node in nodes.tolist()]
        return float(mass @ np.array(tails))

    low, high = 0.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if outside(middle) > wanted else (low, middle)
    return (low + high) / 2.0
