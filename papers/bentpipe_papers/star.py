# SPDX-License-Identifier: MIT OR Apache-2.0
"""Curves whose runs are too costly for every combination: each option alone, and beside the choices that decide."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

from bentpipe.study import Choice, Curve


@dataclass(frozen=True, kw_only=True)
class Star(Curve):
    """All combinations of a few choices, and each option of the others alone beside every one of these.

    Attributes:
        crossed: The choices of which all combinations are made.
    """

    crossed: tuple[Choice, ...]

    @cached_property
    def combinations(self) -> tuple[tuple[int, ...], ...]:
        """Of each choice the place of its option; the main reading is the first."""
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
