# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compute ranks from means over scenarios, with the uncertainty of each rank.

A score is a mean over strata (the scenarios) of means over samples (the seeds). The uncertainty by chance is computed
from the seeds of each scenario, as for a stratified sample (W. Cochran, Sampling Techniques, 1977, chapter 5), with
degrees of freedom by Welch and Satterthwaite. The uncertainty for another suite of the same kind is computed from the
scenarios, each of which is one sample (J. Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR
7, 2006).

The range of a rank counts controllers that are significantly better or worse, by simultaneous intervals of all paired
differences (M. Mogstad, J. Romano, A. Shaikh and D. Wilhelm, Inference for ranks, Review of Economic Studies 91, 2024;
with Bonferroni's bound).

Scores are means of shares of the best, and not means of ranks. An additional controller in the middle therefore does
not change other scores. Ranges of ranks are not computed by a bootstrap of ranks, which gives too narrow ranges if two
controllers are nearly equal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe.base.stats import Estimate, estimate, intervals_at, t_quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    #: Values by seed of each scenario; one value if every seed gives the same value.
    Strata = Sequence[Sequence[float]]

#: Largest probability that any range of one controller is wrong.
ALPHA = 0.05


def by_chance(strata: Strata, level: float = 1.0 - ALPHA) -> Estimate:
    """Return the mean over the scenarios with its interval over the seeds. Without random numbers, its width is 0."""
    count = len(strata)
    means = [math.fsum(values) / len(values) for values in strata]
    mean = math.fsum(means) / count
    parts = []
    for values, own in zip(strata, means, strict=True):
        size = len(values)
        if size > 1:
            variance = math.fsum((value - own) ** 2 for value in values) / (size - 1)
            parts.append((variance / size / count**2, size - 1))
    spread = math.fsum(part for part, _ in parts)
    samples = sum(map(len, strata))
    if spread == 0.0:
        return Estimate(mean, 0.0, samples, level)
    degrees = math.floor(spread**2 / math.fsum(part**2 / size for part, size in parts) * (1.0 + 1e-12))
    return Estimate(mean, t_quantile(max(1, degrees), level) * math.sqrt(spread), samples, level)


def over_scenarios(strata: Strata, level: float = 1.0 - ALPHA) -> Estimate:
    """Return the mean with its interval over the choice of scenarios. Each scenario is one sample."""
    with intervals_at(level):
        return estimate([math.fsum(values) / len(values) for values in strata])


def differences(ours: Strata, theirs: Strata) -> list[list[float]]:
    """Return the differences, paired by seed. A single value (no random numbers) is used for all seeds."""
    found = []
    for mine, other in zip(ours, theirs, strict=True):
        size = max(len(mine), len(other))
        a = list(mine) * size if len(mine) == 1 else mine
        b = list(other) * size if len(other) == 1 else other
        found.append([x - y for x, y in zip(a, b, strict=True)])
    return found


@dataclass(frozen=True)
class Rank:
    """A rank and its range.

    Attributes:
        place: The rank, from 1. Equal means have the same rank.
        low: Best possible rank.
        high: Worst possible rank.
        tied: Controllers that are not separated from this controller.
    """

    place: int
    low: int
    high: int
    tied: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the printed text: "3 (2 to 6)"."""
        return f"{self.place} ({self.low} to {self.high})" if self.low < self.high else str(self.place)


def ranks(scores: Mapping[str, Strata], interval: Callable[[Strata, float], Estimate] = by_chance) -> dict[str, Rank]:
    """Return the ranks of all controllers, the best first. A higher score is better.

    Two controllers are separated if the interval of their paired difference does not contain 0.

    Args:
        scores: For each controller, its values by scenario and seed. All controllers have the same scenarios.
        interval: `by_chance` or `over_scenarios`.
    """
    means = {name: by_chance(strata).mean for name, strata in scores.items()}
    level = 1.0 - ALPHA / max(1, len(scores) - 1)
    better = dict.fromkeys(scores, 0)
    worse = dict.fromkeys(scores, 0)
    tied: dict[str, list[str]] = {name: [] for name in scores}
    names = sorted(scores, key=lambda name: -means[name])
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            apart = interval(differences(scores[one], scores[other]), level)
            if apart.low > 0.0:
                better[other] += 1
                worse[one] += 1
            else:
                tied[one].append(other)
                tied[other].append(one)
    return {
        name: Rank(
            1 + sum(mean > means[name] for mean in means.values()),
            1 + better[name],
            len(scores) - worse[name],
            tuple(tied[name]),
        )
        for name in names
    }
