# SPDX-License-Identifier: MIT OR Apache-2.0
"""A claim beside our measurement. The verdict is computed by one rule; nobody types it in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe import Estimate

RULE = (
    "A claim is «reproduced» if our 95 % interval excludes the neutral value on the paper's side (zero for a "
    "change), the paper's number lies in it or within the stated tolerance of our mean, and it is no wider to each "
    "side than the tolerance or a quarter of the effect (wider ones confirm nothing); a claim without a side needs "
    "the last two, a bound that the whole interval keeps it. It is «direction only» if the side is right but "
    "the number does not fit or the interval is too wide to say (all there can be where the paper gives no number), "
    "unless the effect is less than a tenth of the paper's; «inconsistent in the paper» if what its other numbers "
    "imply for this one is further off than "
    "the tolerance, whatever we measure; «not reproduced» otherwise. A row has the verdict of its weakest claim "
    "(the order: not reproduced, inconsistent, direction only, reproduced), checks that hold by construction aside "
    "where there are others; a row without a claim is «not testable», and says why."
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
    verdicts = {claim.verdict for claim in claims if not claim.check} or {claim.verdict for claim in claims}
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
        contradiction: Why the paper's own numbers cannot all hold, where `implied` says so.
        bound: The number is an upper (`sign` -1) or lower (+1) bound.
        implied: What the paper's other numbers imply for this one.
        check: Holds by construction, or by our own settings: says that the simulator does what it should, no more.
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
        if self.bound and (self.paper is None or self.sign == 0):
            raise ValueError(f"claim {self.what!r} is a bound without a number or a side")
        if self.paper is not None and self.unit != "%" and self.tolerance is None and not self.bound:
            raise ValueError(f"claim {self.what!r}: state the tolerance of {self.paper:g} {self.unit}")
        beside = self.paper is not None and self.sign and not self.bound
        if beside and ((self.paper or 0.0) - self.neutral) * self.sign <= 0:
            raise ValueError(f"claim {self.what!r}: {self.paper:g} is not on the side {self.sign:+d} of neutral")

    @property
    def _tolerance(self) -> float:
        return _TOLERANCE_PERCENT if self.tolerance is None else self.tolerance

    @property
    def measured_verdict(self) -> Verdict:
        """The verdict from the numbers alone, contradictions in the paper aside."""
        here, paper = self.measured, self.paper
        if math.isnan(here.mean) or math.isnan(here.half_width):
            return Verdict.NOT_REPRODUCED
        if self.bound and paper is not None:
            kept = here.high <= paper if self.sign < 0 else here.low >= paper
            return Verdict.REPRODUCED if kept else Verdict.NOT_REPRODUCED
        if (self.sign > 0 and here.low <= self.neutral) or (self.sign < 0 and here.high >= self.neutral):
            return Verdict.NOT_REPRODUCED
        if paper is None:
            return Verdict.DIRECTION_ONLY
        if self._near and self._sharp:
            return Verdict.REPRODUCED
        seen = self.sign and abs(here.mean - self.neutral) >= abs(paper - self.neutral) / 10.0
        return Verdict.DIRECTION_ONLY if seen else Verdict.NOT_REPRODUCED

    @property
    def _near(self) -> bool:
        """Whether the paper's number lies in the interval, or within the tolerance of the mean."""
        if self.paper is None:
            return False
        return abs(self.measured.mean - self.paper) <= self._tolerance or not self.measured.excludes(self.paper)

    @property
    def _sharp(self) -> bool:
        """Whether the interval says something: one as wide as the claim itself contains too much to confirm it."""
        effect = 0.0 if self.paper is None else abs(self.paper - self.neutral)
        return self.measured.half_width <= max(effect / 4.0, self._tolerance)

    @property
    def undecided(self) -> bool:
        """Whether the width of our interval decides: it holds both sides, or the number and too much to confirm it."""
        here = self.measured
        if self.bound or not here.half_width > 0.0 or self.measured_verdict == Verdict.REPRODUCED:
            return False
        return bool(self.sign and not here.excludes(self.neutral)) or (self._near and not self._sharp)

    @property
    def too_wide(self) -> str:
        """In words, if the width of the interval decides though the mean is the paper's; else empty."""
        here = self.measured
        if not self.undecided:
            return ""
        if self.sign and not here.excludes(self.neutral):
            ours = (here.mean - self.neutral) * self.sign > 0.0
            return f"the mean is on the paper's side, {here.samples} runs do not exclude the other" if ours else ""
        return f"the number is in the interval of {here.samples} runs, which is too wide to confirm it"

    @property
    def contradicted(self) -> bool:
        """Whether the paper's other numbers imply another one, or break the bound."""
        if self.implied is None or self.paper is None:
            return False
        over = self.implied - self.paper
        return over * -self.sign > 0 if self.bound else abs(over) > self._tolerance

    @property
    def verdict(self) -> Verdict:
        """The verdict by `RULE`."""
        return Verdict.INCONSISTENT if self.contradicted else self.measured_verdict

    def cells(self) -> list[str]:
        """As it is printed: claim, paper, measured, verdict, note."""
        unit = f" {self.unit}" if self.unit else ""
        signed = "+" if self.sign and self.neutral == 0.0 and self.unit == "%" and not self.bound else ""
        if self.bound:
            claimed = f"{'below' if self.sign < 0 else 'above'} {self.paper:.10g}{unit}"
        elif self.paper is None:
            neutral = f" than {self.neutral:g}{unit}" if self.neutral else ""
            claimed = ("higher" if self.sign > 0 else "lower") + neutral
        else:
            near = f" (± {float(f'{self._tolerance:.3g}'):g})" if self._tolerance else ""
            claimed = f"{self.paper:{signed}.10g}{near}{unit}"
        width = "" if self.measured.half_width == 0.0 else f" ± {self.measured.half_width:.{self.digits}f}"
        mean = round(self.measured.mean, self.digits) + 0.0  # no "-0.0"
        measured = f"{mean:{signed}.{self.digits}f}{width}{unit}"
        notes = ["a check: it holds by construction" if self.check else "", self.note, self.too_wide]
        if self.contradicted:
            alone = "" if self.check else f"; by our numbers alone: {self.measured_verdict}"
            notes.append(f"{self.contradiction}{alone}")
        return [self.what, claimed, measured, str(self.verdict), "; ".join(filter(None, notes))]
