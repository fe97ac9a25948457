# SPDX-License-Identifier: MIT OR Apache-2.0
"""The runs of every pair of controllers on a bed (a scenario with two flows), with shares and other numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bentpipe._league._ranks import by_chance
from bentpipe.base.stats import Estimate, estimate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bentpipe._league._matches import Line
    from bentpipe._league._suite import Arena


@dataclass(frozen=True)
class Pairing:
    """Two controllers on a bed.

    Attributes:
        lines: The runs of the pair. The first controller has the first flow in odd runs.
    """

    lines: tuple[Line, ...]

    @cached_property
    def shares(self) -> list[float]:
        """The first controller's share in each run: 0.5 against itself; empty if a run failed or delivered no data."""
        first, second = self.lines[0].controllers
        found = []
        for line in self.lines:
            total = sum(line.goodputs)
            if line.error is not None or not total:
                return []
            found.append(0.5 if first == second else line.goodputs[0] / total)
        return found

    @cached_property
    def share(self) -> Estimate:
        """The first controller's share of the sum of goodputs, 0 to 1; NaN if a run failed or delivered no data."""
        return estimate(self.shares) if self.shares else Estimate(math.nan, math.inf, 0)

    def number(self, key: str) -> Estimate:
        """Return the mean of a number over the runs of the pair, with its interval; NaN if a run lacks the number."""
        values = [line.numbers.get(key) for line in self.lines]
        known = [value for value in values if value is not None]
        return estimate(known) if known and len(known) == len(values) else Estimate(math.nan, math.inf, 0)


class Bed:
    """The runs of all pairs of controllers on a bed.

    Attributes:
        arena: The bed.
        pairings: Every pair once, in the order of the controllers.
    """

    def __init__(self, arena: Arena, lines: Iterable[Line]) -> None:
        self.arena = arena
        every: dict[tuple[str, str], list[Line]] = {}
        for line in lines:
            first, second = line.controllers
            every.setdefault((first, second), []).append(line)
        self.pairings = {
            pair: Pairing(tuple(some)) for pair, some in every.items() if not any(one.lacks_signal for one in some)
        }

    @cached_property
    def controllers(self) -> list[str]:
        """The controllers that can run on this bed."""
        return list(dict.fromkeys(name for pair in self.pairings for name in pair))

    def share(self, one: str, other: str) -> Estimate:
        """Return the share of `one` against `other`, from 0 to 1."""
        if (one, other) in self.pairings:
            return self.pairings[one, other].share
        back = self.pairings[other, one].share
        return Estimate(1.0 - back.mean, back.half_width, back.samples, back.level)

    def number(self, one: str, other: str, key: str) -> Estimate:
        """Return a number that describes both controllers together; the order of the arguments has no effect."""
        return self.pairing(one, other).number(key)

    def pairing(self, one: str, other: str) -> Pairing:
        """Return the runs of a pair of controllers; the order of the arguments has no effect."""
        return self.pairings[(one, other) if (one, other) in self.pairings else (other, one)]

    def against_all(self, one: str) -> Estimate:
        """Return the mean share against all other controllers, with equal weights, and its interval over the seeds."""
        strata = []
        for other in self.controllers:
            if other == one:
                continue
            turned = (one, other) not in self.pairings
            values = self.pairings[(other, one) if turned else (one, other)].shares
            if values:
                strata.append([1.0 - value for value in values] if turned else values)
        return by_chance(strata) if strata else Estimate(math.nan, math.inf, 0)
