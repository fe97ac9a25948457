# SPDX-License-Identifier: MIT OR Apache-2.0
"""Facts from publications, and the numbers of the simulator. One rule computes all verdicts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bentpipe import Estimate, Run, Scenario

#: Largest relative distance of a mean that agrees with a number.
TOLERANCE = 0.10
#: The tolerance of numbers without a run. These numbers are not random. Decibels are logarithms.
EXACTLY = 0.001

RULE = (
    f"A mean agrees with a number if it is within {TOLERANCE:.0%} of the number ({EXACTLY:.1%} for a row without a "
    "simulation). A mean agrees with a range if it lies in the range. A published law may hold for other conditions "
    "than the simulated ones. We then compute the published rule again for the simulated conditions, without code of "
    "the simulator. The table shows this result as “here”, and the deviation is the deviation from “here”. The "
    "verdict is “within” if the mean agrees with every given number; “explained” if it agrees with “here” but not "
    "with the printed number; “outside” otherwise. Rows marked * are exact: the approximations of their theory are "
    "small compared with the tolerance. If an exact row is outside, the validation fails."
)


class Agreement(StrEnum):
    """The verdict on a fact."""

    WITHIN = "within"
    EXPLAINED = "explained"
    OPEN = "open"
    OUTSIDE = "outside"


@dataclass(frozen=True)
class Expect:
    """The expected value: a number (`low` equals `high`), or a range. An infinite end is open."""

    low: float
    high: float

    @classmethod
    def number(cls, value: float) -> Expect:
        """Return the expectation of a single number."""
        return cls(value, value)

    @classmethod
    def at_least(cls, value: float) -> Expect:
        """Return the expectation of a number at or above `value`."""
        return cls(value, math.inf)

    @classmethod
    def at_most(cls, value: float) -> Expect:
        """Return the expectation of a number at or below `value`."""
        return cls(-math.inf, value)

    @property
    def is_number(self) -> bool:
        """Whether the expected value is a single number."""
        return self.low == self.high

    def deviation(self, mean: float) -> float:
        """Return the relative distance from the number, or from the nearer end of the range; 0 inside."""
        if not math.isfinite(mean):
            return math.inf
        nearest = min(max(mean, self.low), self.high)
        if mean == nearest:
            return 0.0
        return (mean - nearest) / abs(nearest) if nearest else math.copysign(math.inf, mean)

    def agrees(self, mean: float, tolerance: float = TOLERANCE) -> bool:
        """Return whether `mean` is within the tolerance of the number, or in the range."""
        return abs(self.deviation(mean)) <= (tolerance if self.is_number else 0.0)

    def __str__(self) -> str:
        """Return the printed text of the number or range."""
        if self.is_number:
            return digits(self.low)
        if math.isinf(self.high):
            return f"≥ {digits(self.low)}"
        if math.isinf(self.low):
            return f"≤ {digits(self.high)}"
        return f"{digits(self.low)} to {digits(self.high)}"


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A published fact about a controller or a part of a link that a simulator must reproduce.

    Attributes:
        subject: A controller of the catalogue, or a part of a link, such as "loss". If the controller does not exist,
            the row is left out.
        what: The fact in words, with its conditions.
        source: The publication.
        theory: The published number or range.
        scenes: Function that returns the scenarios of a seed.
        measure: Function from the runs of a seed to the number.
        unit: Unit of the published and the measured number.
        here: The number for the simulated conditions, if the published number is for other conditions.
        why: The reason for the difference of these two numbers, or a note for readers.
        exact: Whether a number outside the tolerance is a failure.
        seeds: Number of seeds.
        tolerance: Largest relative distance of a mean from a number.
        quick: Whether the row belongs to the quick set.
        needs: A parameter and a value that the controller must have.
    """

    subject: str
    what: str
    source: str
    theory: Expect
    scenes: Callable[[int], Sequence[Scenario]]
    measure: Callable[[Sequence[Run]], float]
    unit: str = ""
    here: Callable[[], Expect] | None = None
    why: str = ""
    exact: bool = True
    seeds: int = 4
    tolerance: float = TOLERANCE
    quick: bool = False
    needs: tuple[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class Row:
    """A fact and its measurement.

    Attributes:
        fact: The fact.
        here: The number for the simulated conditions, if it differs from the published number.
        measured: Mean over the seeds with its 95 % interval; NaN if there is no measurement.
    """

    fact: Fact
    here: Expect | None
    measured: Estimate

    @property
    def deviation(self) -> float:
        """The relative deviation from the number for the simulated conditions."""
        return (self.here or self.fact.theory).deviation(self.measured.mean)

    @property
    def verdict(self) -> Agreement:
        """The verdict by `RULE`."""
        mean, tolerance = self.measured.mean, self.fact.tolerance
        if not (self.here or self.fact.theory).agrees(mean, tolerance):
            return Agreement.OUTSIDE
        return Agreement.WITHIN if self.fact.theory.agrees(mean, tolerance) else Agreement.EXPLAINED

    @property
    def fails(self) -> bool:
        """Whether `bentpipe validate` fails because of this row."""
        return self.fact.exact and self.verdict is Agreement.OUTSIDE

    @property
    def value(self) -> str:
        """The printed text of the measurement, without its unit."""
        mean, width = self.measured.mean, self.measured.half_width
        if math.isnan(mean):
            return "nothing"
        if not math.isfinite(mean):
            return "never"
        if math.isinf(width):
            return f"{digits(mean)} (one run)"
        # No more decimals than the mean has.
        places = 3 - math.floor(math.log10(abs(mean))) if mean else 4
        return f"{digits(mean)} ± {digits(round(width, max(places, 0)), 2)}"

    def cells(self) -> list[str]:
        """Return the printed cells: subject, fact, source, theory, measured, deviation, verdict."""
        fact = self.fact
        unit = f" {fact.unit}" if fact.unit else ""
        theory = f"{fact.theory}{unit}" + (f"; here {self.here}" if self.here else "")
        measured = f"{self.value}{unit}"
        deviation = "–" if not math.isfinite(self.deviation) else f"{100 * self.deviation:+.1f} %"
        if self.deviation == 0 and not (self.here or fact.theory).is_number:
            deviation = "in it"
        mark = "*" if fact.exact else ""
        return [fact.subject, fact.what, fact.source, theory, measured, deviation, f"{self.verdict}{mark}"]

    def record(self) -> dict[str, object]:
        """Return the row for JSON. Infinite ends of ranges and unknown values are null."""
        fact = self.fact
        return {
            "subject": fact.subject,
            "fact": fact.what,
            "source": fact.source,
            "unit": fact.unit,
            "theory": _ends(fact.theory),
            "here": _ends(self.here) if self.here else None,
            "measured": finite(self.measured.mean),
            "half_width_95": finite(self.measured.half_width),
            "seeds": self.measured.samples,
            "deviation": finite(self.deviation),
            "exact": fact.exact,
            "verdict": str(self.verdict),
            "why": fact.why,
        }


#: Headings of `Row.cells`.
HEAD = ("subject", "fact", "source", "theory", "measured", "deviation", "verdict")


def digits(value: float, count: int = 4) -> str:
    """Return a number with `count` significant digits, never as a power of ten."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    places = max(0, count - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"{float(text):,.0f}".replace(",", " ") if abs(value) >= 10_000 else text


def finite(value: float) -> float | None:
    """Return the number for JSON: null if it is infinite or missing."""
    return value if math.isfinite(value) else None


def _ends(expect: Expect) -> list[float | None]:
    return [finite(expect.low), finite(expect.high)]
