# SPDX-License-Identifier: MIT OR Apache-2.0
"""A claim beside our measurement. The verdict is computed by one rule; nobody types it in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

from bentpipe.base.stats import Estimate, at_level

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from bentpipe.study._study import Effort

RULE = (
    "A claim is measured in its main reading: one test bed for a whole paper, declared before the runs. It is "
    "“reproduced” if our interval excludes the neutral value on the paper's side (zero for a change), the paper's "
    "number lies in it or within the stated tolerance of our mean, and it is no wider to each side than the tolerance "
    "or a quarter of the effect (wider ones confirm nothing); a number without a side needs the last two, a bound that "
    "the whole interval keeps it. It is “reproduced in a reading” if the main reading does not give it, but another "
    "one that the paper's words allow does, on the seeds that were looked at and again on fresh ones, by Holm's "
    "correction for all the readings that were tried. It is “direction only” if the side is sure, in the main reading "
    "or so in another, but not the number (all there can be where the paper gives none). It is “undecided” if our "
    "interval holds both answers: that is our lack of power, not the paper's fault. It is “not reproduced” only if "
    "neither the main reading nor any other gives it: our interval lies on the other side, or within a tenth of the "
    "paper's effect, or away from a number without a side. It is “inconsistent in the paper” if what its other numbers "
    "imply for this one is further off than the tolerance, whatever we measure. A row has the verdict of its weakest "
    "claim (the order: not reproduced, inconsistent, undecided, direction only, reproduced in a reading, reproduced), "
    "checks that hold by construction aside where there are others; a row without a claim is “no claim” and is not "
    "counted. Intervals are Student's t over the seeds at 95 %; where more seeds may follow (10, 20, 40, 100) they are "
    "wider, so that those of all looks hold together with 95 %."
)
#: Where nothing else is said, our mean and the paper's number in percent are the same within this.
_TOLERANCE_PERCENT = 2.0


class Verdict(StrEnum):
    """How a claim fared."""

    REPRODUCED = "reproduced"
    IN_A_READING = "reproduced in a reading"
    DIRECTION_ONLY = "direction only"
    UNDECIDED = "undecided"
    NOT_REPRODUCED = "not reproduced"
    INCONSISTENT = "inconsistent in the paper"
    NO_CLAIM = "no claim"


_WEAKEST_FIRST = (
    Verdict.NOT_REPRODUCED,
    Verdict.INCONSISTENT,
    Verdict.UNDECIDED,
    Verdict.DIRECTION_ONLY,
    Verdict.IN_A_READING,
    Verdict.REPRODUCED,
)


def weakest(claims: Sequence[Claim]) -> Verdict:
    """The verdict of a row by `RULE`."""
    verdicts = {claim.verdict for claim in deciding(claims)}
    return next((verdict for verdict in _WEAKEST_FIRST if verdict in verdicts), Verdict.NO_CLAIM)


def deciding(claims: Sequence[Claim]) -> list[Claim]:
    """The claims that decide a row: checks only where there is nothing else."""
    return [claim for claim in claims if not claim.check] or list(claims)


def rounding(printed: str) -> float:
    """Half a unit of the last digit of a number as it is printed: what its rounding can hide, a tolerance.

    >>> rounding("6.4"), rounding("150"), rounding("1.5e3")
    (0.05, 0.5, 50.0)
    """
    exponent = Decimal(printed).as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"{printed!r} is no number")
    return float(Decimal((0, (5,), exponent - 1)))


@dataclass(frozen=True, kw_only=True)
class InReading:
    """What a claim comes to in another reading of the paper than the main one.

    Attributes:
        name: What is read otherwise: ``access links of 20 Mbit/s``.
        why: Why a reviewer would accept it.
        measured: The estimate on the seeds that were looked at.
        fresh: The estimate on seeds that were not looked at when the reading was chosen (`Effort.fresh`); None as long
            as nothing has to be confirmed.
    """

    name: str
    why: str
    measured: Estimate
    fresh: Estimate | None = None


def in_reading(name: str, why: str, measure: Callable[[tuple[int, ...]], Estimate], effort: Effort) -> InReading:
    """A reading measured on the seeds of an effort, and on its fresh ones if they are wanted.

    Args:
        name: What is read otherwise.
        why: Why a reviewer would accept it.
        measure: From seeds to the estimate.
        effort: What the row's runs were made with (`Runs.effort`).
    """
    fresh = measure(effort.fresh) if effort.fresh else None
    return InReading(name=name, why=why, measured=measure(effort.seeds), fresh=fresh)


class Sided:
    """What is claimed of a number, beside the value that would mean "no effect"; attributes as in `Claim`."""

    paper: float | None
    sign: int
    neutral: float | None

    @property
    def middle(self) -> float:
        """The neutral value."""
        return 0.0 if self.neutral is None else self.neutral

    @property
    def side(self) -> int:
        """The side of `middle` that is claimed, or that of the paper's number if the neutral value is given; else 0."""
        if self.sign or self.neutral is None or self.paper is None or self.paper == self.neutral:
            return self.sign
        return 1 if self.paper > self.neutral else -1


@dataclass(frozen=True, kw_only=True)
class Claim(Sided):
    """What a paper says and what we measure.

    Attributes:
        what: The claim in words.
        measured: Our mean over the seeds with its interval, in the main reading (`bentpipe.fixed` of a model's number).
        paper: The paper's number, or None where it claims a direction only.
        sign: The side of `neutral` that the paper claims: +1 or -1; 0 if the number is all that is claimed.
        neutral: The value that would mean "no effect", in the unit of both numbers; 0 if not given and there is a
            `sign`. Given without a `sign` it says on which side the paper's number lies: “direction only” is possible.
        unit: Unit of both numbers.
        tolerance: How far our mean may be from the paper's number and still be called the same (same unit), from the
            paper's rounding (`rounding`) or the precision of its plots. It has to be stated for every number that is
            not a percentage. Of a bound: by how much it may be broken; nothing if not given.
        digits: Digits after the point, for print.
        contradiction: Why the paper's own numbers cannot all hold, where `implied` says so.
        bound: The number is an upper (`sign` -1) or lower (+1) bound.
        implied: What the paper's other numbers imply for this one.
        check: Holds by construction, or by our own settings: says that the simulator does what it should, no more.
        note: What a reader must know beside the numbers.
        readings: The other readings of what the paper leaves open, each with our estimate.
        headline: The paper's words, if this is one of the few claims that its page shows first; else empty.
        decides: Which settings of ours decide, in a few words.
        tool: The same number from the tool that the paper used, run by us (`bentpipe.fixed` of a single run). It stands
            beside ours and judges nothing: what decides is in the readings.
        tool_note: Which tool that is, and how it was run: ``ns-2.35, one sky``.
    """

    what: str
    measured: Estimate
    paper: float | None = None
    sign: int = 0
    neutral: float | None = None
    unit: str = "%"
    tolerance: float | None = None
    digits: int = 1
    contradiction: str = ""
    bound: bool = False
    implied: float | None = None
    check: bool = False
    note: str = ""
    readings: tuple[InReading, ...] = ()
    headline: str = ""
    decides: str = ""
    tool: Estimate | None = None
    tool_note: str = ""

    def __post_init__(self) -> None:
        """A claim has a number, a side, or both; a number has a tolerance, and is one."""
        for key in ("paper", "neutral", "tolerance", "implied"):
            number: float | None = getattr(self, key)
            if number is not None and not math.isfinite(number):
                raise ValueError(f"claim {self.what!r}: {key} is {number}, not a finite number")
        if self.tolerance is not None and self.tolerance < 0:
            raise ValueError(f"claim {self.what!r}: tolerance is {self.tolerance:g}; it must be 0 or more")
        if self.sign not in (-1, 0, 1):
            raise ValueError(f"claim {self.what!r}: sign is {self.sign!r}; it must be -1, 0 or 1")
        if self.paper is None and self.sign == 0:
            raise ValueError(f"claim {self.what!r} has neither a number nor a side")
        if self.bound and (self.paper is None or self.sign == 0):
            raise ValueError(f"claim {self.what!r} is a bound without a number or a side")
        if self.paper is not None and self.unit != "%" and self.tolerance is None and not self.bound:
            raise ValueError(f"claim {self.what!r}: state the tolerance of {self.paper:g} {self.unit}")
        beside = self.paper is not None and self.sign and not self.bound
        if beside and ((self.paper or 0.0) - self.middle) * self.sign <= 0:
            raise ValueError(f"claim {self.what!r}: {self.paper:g} is not on the side {self.sign:+d} of neutral")
        names = [reading.name for reading in self.readings]
        if len(set(names)) < len(names):
            raise ValueError(f"claim {self.what!r} has two readings of the same name: {', '.join(names)}")

    @property
    def allowed(self) -> float:
        """The tolerance, stated or not."""
        if self.tolerance is not None:
            return self.tolerance
        return 0.0 if self.bound else _TOLERANCE_PERCENT

    @property
    def measured_verdict(self) -> Verdict:
        """The verdict from the numbers alone, contradictions aside: the main reading first, then the others."""
        main = _judged(self, self.measured)
        if main is Verdict.REPRODUCED:
            return main
        if self.confirmed(Verdict.REPRODUCED):
            return Verdict.IN_A_READING
        if main is Verdict.DIRECTION_ONLY or self.confirmed(Verdict.DIRECTION_ONLY):
            return Verdict.DIRECTION_ONLY
        refuted = main is Verdict.NOT_REPRODUCED and all(self._refuted(reading) for reading in self.readings)
        return Verdict.NOT_REPRODUCED if refuted else Verdict.UNDECIDED

    def confirmed(self, wanted: Verdict) -> tuple[InReading, ...]:
        """The readings that are surely as good as `wanted`: on the seeds looked at, and on fresh ones by Holm's rule.

        Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979: the
        best of n readings has to hold at alpha / n, the next at alpha / (n - 1), and so on until one does not. At a
        look that others may follow alpha is that look's; over all of `LOOKS` the chance of error of 2 to 10 readings is
        then 5.2 to 5.4 %, not 5.
        """
        good = (Verdict.REPRODUCED,) if wanted is Verdict.REPRODUCED else (Verdict.REPRODUCED, Verdict.DIRECTION_ONLY)
        left = [reading for reading in self.readings if self._holds(reading, good)]
        sure: list[InReading] = []
        while left:
            tests = len(self.readings) - len(sure)
            best = next((reading for reading in left if self._holds(reading, good, tests)), None)
            if best is None:
                break
            left.remove(best)
            sure.append(best)
        return tuple(reading for reading in self.readings if reading in sure)

    def _holds(self, reading: InReading, good: Collection[Verdict], tests: int = 1) -> bool:
        """Whether a reading is so on the seeds looked at, and on fresh ones at the level of one of several tests."""
        if reading.fresh is None or _judged(self, reading.measured) not in good:
            return False
        return _judged(self, at_level(reading.fresh, 1.0 - (1.0 - reading.fresh.level) / tests)) in good

    def _refuted(self, reading: InReading) -> bool:
        both = [one for one in (reading.measured, reading.fresh) if one is not None]
        return any(_judged(self, one) is Verdict.NOT_REPRODUCED for one in both)

    @property
    def unconfirmed(self) -> bool:
        """Whether a reading holds that must be seen again on fresh seeds before it counts."""
        if self.contradicted:
            return False
        main = _judged(self, self.measured)
        better = _WEAKEST_FIRST[_WEAKEST_FIRST.index(main) + 1 :]
        return any(reading.fresh is None and _judged(self, reading.measured) in better for reading in self.readings)

    @property
    def open(self) -> bool:
        """Whether more seeds may change the verdict: the width of an interval decides."""
        now = self.measured_verdict
        if self.contradicted or now is Verdict.REPRODUCED:
            return False
        main = _wide(self, self.measured)
        if now in (Verdict.IN_A_READING, Verdict.DIRECTION_ONLY):  # of the main one, or already of another
            main = main and Verdict.REPRODUCED in _within_reach(self, self.measured)
        return main or any(self._matters(reading) for reading in self.readings)

    def _matters(self, reading: InReading) -> bool:
        """Whether more seeds of a reading may change the verdict, which the main one does not give."""
        measured = [one for one in (reading.measured, reading.fresh) if one is not None]
        if self.measured_verdict is Verdict.IN_A_READING or all(one.half_width == 0.0 for one in measured):
            return False
        within_reach = [_within_reach(self, one) for one in measured]
        if all(Verdict.REPRODUCED in verdicts for verdicts in within_reach):
            return True
        side = _judged(self, self.measured) is Verdict.DIRECTION_ONLY or self.confirmed(Verdict.DIRECTION_ONLY)
        sides = {Verdict.REPRODUCED, Verdict.DIRECTION_ONLY}
        return not side and all(verdicts & sides for verdicts in within_reach)

    @property
    def too_wide(self) -> str:
        """In words, if the width of the main reading's interval decides though the mean is the paper's; else empty."""
        here = self.measured
        if not _wide(self, here):
            return ""
        if self.sign and not here.excludes(self.middle):
            ours = (here.mean - self.middle) * self.sign > 0.0
            return f"the mean is on the paper's side, {here.samples} runs do not exclude the other" if ours else ""
        if _near(self, here):
            return f"the number is in the interval of {here.samples} runs, which is too wide to confirm it"
        return ""

    @property
    def contradicted(self) -> bool:
        """Whether the paper's other numbers imply another one, or break the bound."""
        if self.implied is None or self.paper is None:
            return False
        over = self.implied - self.paper
        return over * -self.sign > self.allowed if self.bound else abs(over) > self.allowed

    @property
    def verdict(self) -> Verdict:
        """The verdict by `RULE`."""
        return Verdict.INCONSISTENT if self.contradicted else self.measured_verdict

    @property
    def of_readings(self) -> str:
        """In words: in which readings it holds, of how many, or which were tried in vain; empty without others."""
        count = len(self.readings) + 1
        if count == 1:
            return ""
        for wanted, words in ((Verdict.REPRODUCED, "holds"), (Verdict.DIRECTION_ONLY, "has the side")):
            if sure := self.confirmed(wanted):
                named = "; ".join(f"{one.name} ({one.why})" for one in sure)
                main = _judged(self, self.measured)
                held = len(sure) + (main in (Verdict.REPRODUCED, wanted))
                return f"{words} in {held} of {count} readings, beside the main one in: {named}"
        tried = "; ".join(reading.name for reading in self.readings)
        if self.measured_verdict is Verdict.NOT_REPRODUCED:
            return f"in none of {count} readings: the main one; {tried}"
        return f"other readings tried: {tried}"

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest mean over all readings, the main one too."""
        means = [self.measured.mean, *(reading.measured.mean for reading in self.readings)]
        return min(means), max(means)

    def claimed(self) -> str:
        """The paper's number or side, as it is printed."""
        if self.bound:
            return f"{'below' if self.sign < 0 else 'above'} {self.paper:.10g}{self._unit}"
        if self.paper is None:
            neutral = f" than {self.middle:g}{self._unit}" if self.middle else ""
            return ("higher" if self.sign > 0 else "lower") + neutral
        near = f" (± {float(f'{self.allowed:.3g}'):g})" if self.allowed else ""
        return f"{self.paper:{self._signed}.10g}{near}{self._unit}"

    def number(self, value: float) -> str:
        """A number of ours as it is printed, without its unit."""
        return f"{round(value, self.digits) + 0.0:{self._signed}.{self.digits}f}"  # no "-0.0"

    def ours(self) -> str:
        """Our mean with its interval in the main reading, as it is printed."""
        return self._printed(self.measured)

    def in_tool(self) -> str:
        """The number of the paper's own tool, as it is printed, with how it was run; empty if it was not run."""
        note = f" ({self.tool_note})" if self.tool_note else ""
        return "" if self.tool is None else f"{self._printed(self.tool)}{note}"

    def ranged(self) -> str:
        """The least and the greatest mean over all readings, as they are printed; empty if there is one reading."""
        if not self.readings:
            return ""
        low, high = map(self.number, self.range)
        return f"{low} to {high}{self._unit} ({len(self.readings) + 1} readings)"

    def reading_cells(self) -> list[list[str]]:
        """The readings as they are printed: name, why, seeds looked at, fresh ones, verdict of each alone."""
        main = InReading(name="main reading", why="declared before the runs", measured=self.measured)
        return [
            [
                *(one.name, one.why, self._printed(one.measured)),
                "" if one.fresh is None else self._printed(one.fresh),
                str(_judged(self, one.measured)),
            ]
            for one in (main, *self.readings)
        ]

    def _printed(self, one: Estimate) -> str:
        width = "" if one.half_width == 0.0 else f" ± {one.half_width:.{self.digits}f}"
        return f"{self.number(one.mean)}{width}{self._unit}"

    @property
    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""

    @property
    def _signed(self) -> str:
        return "+" if self.sign and self.middle == 0.0 and self.unit == "%" and not self.bound else ""

    def cells(self) -> list[str]:
        """As it is printed: claim, paper, measured, verdict, note."""
        notes = ["a check: it holds by construction" if self.check else "", self.note, self.too_wide, self.of_readings]
        if self.contradicted:
            alone = "" if self.check else f"; by our numbers alone: {self.measured_verdict}"
            notes.append(f"{self.contradiction}{alone}")
        return [self.what, self.claimed(), self.ours(), str(self.verdict), "; ".join(filter(None, notes))]


def _judged(claim: Claim, here: Estimate) -> Verdict:
    """The rule for one estimate: one reading, no contradiction."""
    if math.isnan(here.mean) or math.isnan(here.half_width):
        return Verdict.NOT_REPRODUCED  # what the paper measures never comes about
    if claim.bound and claim.paper is not None:
        return _KEPT[_position(here, claim.paper - claim.sign * claim.allowed, claim.sign, on_edge=True)]
    beyond = _position(here, claim.middle, claim.side) if claim.side else None
    if claim.sign:
        if beyond is False or _slight(claim, here):
            return Verdict.NOT_REPRODUCED
        if beyond is None:
            return Verdict.UNDECIDED
    if claim.paper is None:
        return Verdict.DIRECTION_ONLY
    if _near(claim, here) and _sharp(claim, here):
        return Verdict.REPRODUCED
    if beyond and abs(here.mean - claim.middle) >= abs(claim.paper - claim.middle) / 10.0:
        return Verdict.DIRECTION_ONLY
    # What is left: a number without a sure side, or an effect around a tenth of the paper's.
    return Verdict.NOT_REPRODUCED if _off(claim, here) and not claim.sign else Verdict.UNDECIDED


_KEPT = {True: Verdict.REPRODUCED, False: Verdict.NOT_REPRODUCED, None: Verdict.UNDECIDED}


def _position(here: Estimate, edge: float, side: int, *, on_edge: bool = False) -> bool | None:
    """Whether the whole interval lies on a side of `edge`; None if it holds both. `on_edge` counts as there or not."""
    nearest, farthest = sorted(((here.low - edge) * side, (here.high - edge) * side))
    if nearest > 0.0 or (on_edge and nearest == 0.0):
        return True
    if farthest < 0.0 or (not on_edge and farthest == 0.0):
        return False
    return None


def _slight(claim: Claim, here: Estimate) -> bool:
    """Whether the effect is surely less than a tenth of the paper's."""
    if claim.paper is None:
        return False
    return _position(here, claim.middle + (claim.paper - claim.middle) / 10.0, claim.sign, on_edge=True) is False


def _near(claim: Claim, here: Estimate) -> bool:
    """Whether the paper's number lies in the interval, or within the tolerance of the mean."""
    if claim.paper is None:
        return False
    return abs(here.mean - claim.paper) <= claim.allowed or not here.excludes(claim.paper)


def _sharp(claim: Claim, here: Estimate) -> bool:
    """Whether the interval says something: one as wide as the claim itself contains too much to confirm it."""
    effect = 0.0 if claim.paper is None else abs(claim.paper - claim.middle)
    return here.half_width <= max(effect / 4.0, claim.allowed)


def _off(claim: Claim, here: Estimate) -> bool:
    """Whether no value in the interval is within the tolerance of the paper's number."""
    paper = 0.0 if claim.paper is None else claim.paper
    return here.low > paper + claim.allowed or here.high < paper - claim.allowed


def _wide(claim: Claim, here: Estimate) -> bool:
    """Whether the width of the interval decides: more seeds could give another verdict."""
    if not 0.0 < here.half_width < math.inf:
        return False
    verdict = _judged(claim, here)
    numbered = verdict is Verdict.DIRECTION_ONLY and claim.paper is not None
    return verdict is Verdict.UNDECIDED or (numbered and not _off(claim, here))


def _within_reach(claim: Claim, here: Estimate) -> set[Verdict]:
    """Which verdicts more seeds may give an estimate, if they leave its mean within its interval."""
    verdict = _judged(claim, here)
    if not _wide(claim, here):
        return {verdict}
    if claim.bound:
        return {Verdict.REPRODUCED, Verdict.NOT_REPRODUCED}
    number = {Verdict.REPRODUCED} if claim.paper is not None and not _off(claim, here) else set()
    side = claim.side and _position(here, claim.middle, claim.side) is not False
    return number | ({Verdict.DIRECTION_ONLY} if side else set())
