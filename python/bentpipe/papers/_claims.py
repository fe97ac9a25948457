# SPDX-License-Identifier: MIT OR Apache-2.0
"""A paper's claim beside our measurement. The verdict is computed by one rule; nobody types it in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe import Estimate

RULE = (
    "A claim is «reproduced» if our 95 % interval excludes the neutral value on the paper's side (zero for a change), "
    "and the paper's number lies in it or within the stated tolerance of our mean, the interval being no wider to each "
    "side than the number is far from neutral, or than the tolerance (wider ones confirm nothing); a claim without a "
    "side needs the number alone. It is «direction only» "
    "if the side is right but the number does not fit (all there can be where the paper gives none), «inconsistent in "
    "the paper» if the paper's own numbers contradict each other there, whatever we measure, «not reproduced» "
    "otherwise. A row has the verdict of its weakest claim (the order: not reproduced, inconsistent, direction only, "
    "reproduced); a row without a claim is «not testable», and says why."
)
#: Where nothing else is said, our mean and the paper's number in percent are the same within this.
_TOLERANCE_PERCENT = 2.0


class Verdict(StrEnum):
    """How a claim fared."""

    REPRODUCED = "reproduced"
    DIRECTION_ONLY = "direction only"
    NOT_REPRODUCED = "not reproduced"
    INCONSISTENT = "inconsistent in the paper"
    NOT_TESTABLE = "not testable"


_WEAKEST_FIRST = (Verdict.NOT_REPRODUCED, Verdict.INCONSISTENT, Verdict.DIRECTION_ONLY, Verdict.REPRODUCED)


def weakest(claims: Sequence[Claim]) -> Verdict:
    """The verdict of a row by `RULE`."""
    verdicts = {claim.verdict for claim in claims}
    return next((verdict for verdict in _WEAKEST_FIRST if verdict in verdicts), Verdict.NOT_TESTABLE)


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What a paper says and what we measure.

    Attributes:
        what: The claim in words.
        measured: Our mean over the seeds with its 95 % interval (`bentpipe.fixed` of a model's number).
        paper: The paper's number, or None where it claims a direction only.
        sign: The paper's side of `neutral`: +1 or -1; 0 if the number is all that is claimed.
        neutral: The value that would mean "no effect", in the unit of both numbers.
        unit: Unit of both numbers.
        tolerance: How far our mean may be from the paper's number and still be called the same (same unit). It has to
            be stated for every number that is not a percentage.
        digits: Digits after the point, for print.
        contradiction: Why the paper's own numbers cannot all hold, where they do not.
        note: What a reader must know beside the numbers.
    """

    what: str
    measured: Estimate
    paper: float | None = None
    sign: int = 0
    neutral: float = 0.0
    unit: str = "%"
    tolerance: float | None = None
    digits: int = 1
    contradiction: str = ""
    bound: bool = False
    implied: float | None = None
    check: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        """A claim has a number, a side, or both; a number has a tolerance."""
        if self.paper is None and self.sign == 0:
            raise ValueError(f"claim {self.what!r} has neither a number nor a side")
        if self.paper is not None and self.unit != "%" and self.tolerance is None:
            raise ValueError(f"claim {self.what!r}: state the tolerance of {self.paper:g} {self.unit}")
        if self.paper is not None and self.sign and (self.paper - self.neutral) * self.sign <= 0:
            raise ValueError(f"claim {self.what!r}: {self.paper:g} is not on the side {self.sign:+d} of neutral")

    @property
    def measured_verdict(self) -> Verdict:
        """The verdict from the numbers alone, contradictions in the paper aside."""
        here = self.measured
        if math.isnan(here.mean) or math.isnan(here.half_width):
            return Verdict.NOT_REPRODUCED
        if (self.sign > 0 and here.low <= self.neutral) or (self.sign < 0 and here.high >= self.neutral):
            return Verdict.NOT_REPRODUCED
        if self.paper is None:
            return Verdict.DIRECTION_ONLY
        tolerance = _TOLERANCE_PERCENT if self.tolerance is None else self.tolerance
        near = abs(here.mean - self.paper) <= tolerance
        # An interval as wide as the claim itself contains too much to confirm it.
        sharp = here.half_width <= max(abs(self.paper - self.neutral), tolerance)
        if sharp and (near or not here.excludes(self.paper)):
            return Verdict.REPRODUCED
        return Verdict.DIRECTION_ONLY if self.sign else Verdict.NOT_REPRODUCED

    @property
    def verdict(self) -> Verdict:
        """The verdict by `RULE`."""
        return Verdict.INCONSISTENT if self.contradiction else self.measured_verdict

    def cells(self) -> list[str]:
        """As it is printed: claim, paper, measured, verdict, note."""
        unit = f" {self.unit}" if self.unit else ""
        signed = "+" if self.sign and self.neutral == 0.0 and self.unit == "%" else ""
        if self.paper is None:
            neutral = f" than {self.neutral:g}{unit}" if self.neutral else ""
            claimed = ("higher" if self.sign > 0 else "lower") + neutral
        else:
            claimed = f"{self.paper:{signed}.10g}{unit}"
        width = "" if self.measured.half_width == 0.0 else f" ± {self.measured.half_width:.{self.digits}f}"
        measured = f"{self.measured.mean:{signed}.{self.digits}f}{width}{unit}"
        notes = [self.note]
        if self.contradiction:
            notes.append(f"{self.contradiction}; by our numbers alone: {self.measured_verdict}")
        return [self.what, claimed, measured, str(self.verdict), "; ".join(filter(None, notes))]
