# SPDX-License-Identifier: MIT OR Apache-2.0
"""Find where the answer changes: the best candidate of each case, and values beyond which another one is better."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from bentpipe._which._widths import measured
from bentpipe.base.stats import LEVEL, Bounds, at_level, interval_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe._sweep._axes import Axis
    from bentpipe._which._cases import Spread
    from bentpipe.base.shares import Floats
    from bentpipe.base.stats import Estimate


@dataclass(frozen=True)
class CaseAnswer:
    """The best candidate of one case.

    Attributes:
        label: The case in words.
        values: The value of each range.
        best: The candidate with the best mean in this case.
        regret: Distance of the recommended candidate from the best. Intervals of all cases and rivals together have 95
            %.
        is_other: Whether the best candidate is significantly better than the recommended candidate in this case.
    """

    label: str
    values: tuple[object, ...]
    best: str
    regret: Estimate
    is_other: bool

    def row(self) -> dict[str, object]:
        """Return the case as a row of a table."""
        regret = interval_columns("regret", self.regret, Bounds(0.0))
        return {"best": self.best, **regret, "another_is_better": self.is_other}


@dataclass(frozen=True)
class Change:
    """A value of one range, with other ranges at their middle, beyond which another candidate is significantly better.

    Attributes:
        key: The key of the range.
        side: The side of the value on which the other candidate is better: "below" or "above".
        value: The value at which the candidates are equal, interpolated linearly between two levels that were run.
        between: The two levels between which the value is interpolated.
        take: The candidate that is better beyond the value.
        gain: The gain of this candidate at the end of the range. Intervals of all cases and rivals together have 95 %.
    """

    key: str
    side: str
    value: str
    between: tuple[str, str]
    take: str
    gain: Estimate


def cases_of(
    spread: Spread,
    keys: Sequence[str],
    scores: Floats,
    whole: Sequence[int],
    taken: int,
    earlier: Floats | None = None,
) -> list[CaseAnswer]:
    """Return the best candidate of each case.

    Args:
        spread: The cases.
        keys: The names of candidates.
        scores: Scores by candidate, case and seed.
        whole: The candidates with a score in every run.
        taken: The recommended candidate.
        earlier: Scores with the seeds of the choice, if there are any; they are used for the spread of runs.
    """
    found = []
    for number, case in enumerate(spread.cases):
        best = max(whole, key=lambda at: float(scores[at, number].mean()))
        pairs = len(spread.cases) * max(1, len(whole) - 1)
        others = () if earlier is None else earlier[best, number] - earlier[taken, number]
        regret = _ahead(scores[best, number] - scores[taken, number], others, pairs)
        found.append(CaseAnswer(spread.label(case), case.values, keys[best], regret, regret.low > 0.0))
    return found


def _ahead(differences: Floats, others: Floats | Sequence[float], pairs: int) -> Estimate:
    """Return a paired difference. All intervals hold together (Bonferroni), because the best candidate was selected."""
    values = [float(one) for one in differences]
    return at_level(measured(values, [float(one) for one in others]), 1.0 - (1.0 - LEVEL) / pairs)


def changes_of(
    spread: Spread, keys: Sequence[str], scores: Floats, cases: Sequence[CaseAnswer], taken: int
) -> list[Change]:
    """Return the values of each range at which the answer changes, searching from each end inwards."""
    found = []
    for number, axis in enumerate(spread.ranges if cases else ()):
        line = spread.line(number)
        for side, order in (("below", line), ("above", line[::-1])):
            last = cases[order[0]]
            if not last.is_other:
                continue
            rival = keys.index(last.best)
            ahead = {case: float((scores[rival, case] - scores[taken, case]).mean()) for case in order}
            for outer, inner in pairwise(order):
                if ahead[inner] <= 0.0:
                    values = [spread.cases[case].values[number] for case in (outer, inner)]
                    level = _between(axis, values, ahead[outer] / (ahead[outer] - ahead[inner]))
                    low, high = (axis.label(one) for one in (values if side == "below" else values[::-1]))
                    found.append(Change(axis.key, side, level, (low, high), last.best, last.regret))
                    break
    return found


def _between(axis: Axis, values: Sequence[object], share: float) -> str:
    """Return the value at a fraction of the way between two values, with two digits."""
    first, last = (float(axis.cell(one)) for one in values)
    if axis.is_log:
        at = math.exp(math.log(first) + share * (math.log(last) - math.log(first)))
    else:
        at = first + share * (last - first)
    return f"{at:.2g} {axis.unit}".strip()
