# SPDX-License-Identifier: MIT OR Apache-2.0
"""Curves for expensive runs: not all combinations, but each option alone, combined with the choices that decide."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

from bentpipe.study import Choice, Curve


@dataclass(frozen=True, kw_only=True)
class Star(Curve):
    """A curve with all combinations of a few choices, and around each combination, single options of other choices.

    Attributes:
        crossed: The choices of which all combinations are run.
    """

    crossed: tuple[Choice, ...]

    @cached_property
    def combinations(self) -> tuple[tuple[int, ...], ...]:
        """Return the combinations: for each one, the index of each choice's option. The main reading is the first."""
        sizes = [len(choice.options) if choice in self.crossed else 1 for choice in self.choices]
        full = list(itertools.product(*map(range, sizes)))
        beside = [
            (*one[:place], option, *one[place + 1 :])
            for place, choice in enumerate(self.choices)
            if choice not in self.crossed
            for option in range(1, len(choice.options))
            for one in full
        ]
        return (*full, *beside)
