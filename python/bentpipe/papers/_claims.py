# SPDX-License-Identifier: MIT OR Apache-2.0
"""A paper's claim beside our measurement. The verdict is computed by one rule; nobody types it in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bentpipe import Estimate

RULE = (
    "Verdict: «reproduced» if our 95 % interval excludes zero on the paper's side, and the paper's number lies in it "
    "(the interval being no wider to each side than the number itself) or within the stated tolerance of our mean; "
    "«direction only» if the interval excludes zero on the paper's side "
    "but the number does not fit (all there can be where it gives none); «inconsistent in the paper» if "
    "the paper's own numbers contradict each other there, whatever we measure; «not reproduced» otherwise."
)


class Verdict(StrEnum):
    """How a claim fared."""

    REPRODUCED = "reproduced"
    DIRECTION_ONLY = "direction only"
    NOT_REPRODUCED = "not reproduced"
    INCONSISTENT = "inconsistent in the paper"


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What a paper says and what we measure.

    Attributes:
        id: Number of the claim in our list, for example ``H-18``.
        what: The claim in words.
        measured: Our mean over the seeds with its 95 % interval.
        paper: The paper's number, or None where it claims a direction only.
        sign: The paper's side: +1 or -1.
        unit: Unit of both numbers.
        tolerance: How far our mean may be from the paper's number and still be called the same (same unit).
        contradiction: Why the paper's own numbers cannot all hold, where they do not.
        note: What a reader must know beside the numbers.
    """

    id: str
    what: str
    measured: Estimate
    paper: float | None = None
    sign: int
    unit: str = "%"
    tolerance: float = 2.0
    contradiction: str = ""
    note: str = ""

    @property
    def measured_verdict(self) -> Verdict:
        """The verdict from the numbers alone, contradictions in the paper aside."""
        agrees = self.measured.low > 0 if self.sign > 0 else self.measured.high < 0
        if not agrees:
            return Verdict.NOT_REPRODUCED
        if self.paper is None:
            return Verdict.DIRECTION_ONLY
        near = abs(self.measured.mean - self.paper) <= self.tolerance
        # An interval as wide as the claim itself contains too much to confirm it.
        sharp = self.measured.half_width <= abs(self.paper)
        covered = sharp and not self.measured.excludes(self.paper)
        return Verdict.REPRODUCED if near or covered else Verdict.DIRECTION_ONLY

    @property
    def verdict(self) -> Verdict:
        """The verdict by `RULE`."""
        return Verdict.INCONSISTENT if self.contradiction else self.measured_verdict

    def row(self) -> list[str]:
        """As it is printed: id, claim, paper, measured, verdict, note."""
        claimed = ("higher" if self.sign > 0 else "lower") if self.paper is None else f"{self.paper:+g} {self.unit}"
        notes = [self.note]
        if self.contradiction:
            notes.append(f"{self.contradiction}; by our numbers alone: {self.measured_verdict}")
        measured = f"{self.measured.mean:+.1f} ± {self.measured.half_width:.1f} {self.unit}"
        return [self.id, self.what, claimed, measured, str(self.verdict), "; ".join(filter(None, notes))]
