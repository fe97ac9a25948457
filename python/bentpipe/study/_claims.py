# SPDX-License-Identifier: MIT OR Apache-2.0
"""A claim beside our measurement. The verdict is computed by one rule; nobody types it in."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from bentpipe.base import shares as _shares
from bentpipe.base.stats import Estimate, t_quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bentpipe.study._study import Effort

RULE = (
    "A claim is measured in a main reading and others of what the paper leaves open: the combinations of its "
    "specification curve, else each declared reading alone. Combinations without the effect are left out. A "
    "combination is surely for or against the claim if its 95 % interval lies on that side. A claim holds if the "
    "main reading is surely for it and at most 20 % of all are surely against. It fails if the main reading is "
    "surely against it and at most 20 % are surely for. It is undecided if the main reading and at least 80 % of "
    "all are undecided. Otherwise it depends on the setting that explains most of the variance between for and "
    "against. It contradicts itself if the paper's own numbers exclude each other, and cannot fail if every setting "
    "would pass. A number is met if it lies in the main reading's interval or within the tolerance of its mean; the "
    "interval must be no wider than the tolerance or, where the value of no effect is known, a quarter of the "
    "effect. Without a side a claim holds if its number is met, and fails if surely missed."
)
#: Where nothing else is said, our mean and the paper's number in percent are the same within this.
_TOLERANCE_PERCENT = 2.0


class Verdict(StrEnum):
    """How a claim fared."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"
    DEPENDS = "depends"
    CONTRADICTS = "contradicts itself"
    CANNOT_FAIL = "cannot fail"


#: The verdict words of a study without a paper, whose claims are the author's own.
OWN_WORDS = {
    Verdict.HOLDS: "supported",
    Verdict.FAILS: "contradicted",
    Verdict.DEPENDS: "undecided, depends",
}
#: What the main reading says (surely for, surely against, undecided): the verdict, and the answers that at most one in
#: `_ONE_IN` of all combinations may give. More of these: the claim depends.
_CLASSES: dict[bool | None, tuple[Verdict, tuple[bool, ...]]] = {
    True: (Verdict.HOLDS, (False,)),
    False: (Verdict.FAILS, (True,)),
    None: (Verdict.UNDECIDED, (True, False)),
}
_ONE_IN = 5


def classified(main: bool | None, told: Sequence[bool | None]) -> Verdict:
    """The class of a claim.

    Args:
        main: Whether the main reading is surely for it (True), surely against it (False), or neither (None).
        told: The same of all combinations, the main one among them.
    """
    verdict, others = _CLASSES[main]
    return verdict if _ONE_IN * sum(told.count(one) for one in others) <= len(told) else Verdict.DEPENDS


def letter(place: int) -> str:
    """The letter of a row's claim by its place: a to z, then aa."""
    return chr(ord("a") + place) if place < 26 else letter(place // 26 - 1) + letter(place % 26)


def rounding(printed: str) -> float:
    """Half a unit of the last digit of a number as it is printed: what its rounding can hide, a tolerance.

    >>> rounding("6.4"), rounding("150"), rounding("1.5e3")
    (0.05, 0.5, 50.0)
    """
    exponent = Decimal(printed).as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"{printed!r} is not a number")
    return float(Decimal((0, (5,), exponent - 1)))


@dataclass(frozen=True, kw_only=True)
class InReading:
    """What a claim comes to in another reading of the paper than the main one.

    Attributes:
        name: What is read otherwise: ``access links of 20 Mbit/s``.
        why: Why a reviewer would accept it.
        measured: The estimate.
        searched: Whether the reading was found by a search for the paper's number. It counts, and is marked.
    """

    name: str
    why: str
    measured: Estimate
    searched: bool = False


def in_reading(
    name: str,
    why: str,
    measure: Callable[[tuple[int, ...]], Estimate],
    effort: Effort,
    *,
    searched: bool = False,
) -> InReading:
    """A reading measured on the seeds of an effort.

    Args:
        name: What is read otherwise.
        why: Why a reviewer would accept it.
        measure: From seeds to the estimate.
        effort: What the row's runs were made with (`Runs.effort`).
        searched: Whether the reading was found by a search for the paper's number.
    """
    return InReading(name=name, why=why, measured=measure(effort.seeds), searched=searched)


@dataclass(frozen=True, kw_only=True)
class Combinations:
    """What a claim comes to in every combination of what is left open: a specification curve, as it is stored.

    Attributes:
        choices: The names of what is left open.
        options: Of each choice the names of its readings, the main one first.
        places: Of each combination the place of its reading in each choice.
        estimates: Of each combination the estimate; NaN where there is no effect to measure.
        unit: Unit of the estimates.
        whole: How many combinations there are; more than `places` if those are a sample.
        searched: The readings that were found by a search for the paper's number.
    """

    choices: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]
    places: tuple[tuple[int, ...], ...]
    estimates: tuple[Estimate, ...]
    unit: str
    whole: int
    searched: tuple[str, ...] = ()


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

    def on_side(self, here: Estimate) -> bool | None:
        """Whether an interval lies entirely on the claimed side (True), on the other (False), or neither (None).

        No effect without chance in it is on the other: what is equal is not higher.
        """
        if not self.side or math.isnan(here.mean) or math.isnan(here.half_width):
            return None
        return _position(here, self.middle, self.side)


@dataclass(frozen=True, kw_only=True)
class Claim(Sided):
    """What a paper says and what we measure.

    Attributes:
        what: The claim in words.
        measured: Our mean over the seeds with its interval, in the main reading (`bentpipe.fixed` of a model's number).
            NaN: what the paper measures never comes about if `never` is set, else there is no effect to measure.
        paper: The paper's number, or None where it claims a direction only.
        sign: The side of `neutral` that the paper claims: +1 or -1; 0 if the number is all that is claimed.
        neutral: The value that would mean "no effect", in the unit of both numbers; 0 if not given and there is a
            `sign`. Given without a `sign` it says on which side the paper's number lies.
        unit: Unit of both numbers.
        tolerance: How far our mean may be from the paper's number and still be called the same (same unit), from the
            paper's rounding (`rounding`) or the precision of its plots. It has to be stated for every number that is
            not a percentage. Of a bound: by how much it may be broken; nothing if not given.
        digits: Digits after the point, for print.
        contradiction: Why the paper's own numbers cannot all hold, where `implied` says so.
        bound: The number is an upper (`sign` -1) or lower (+1) bound.
        implied: What the paper's other numbers imply for this one.
        check: Any setting passes: it holds by construction, or by our own settings. It says that the simulator does
            what it should, no more.
        note: What a reader must know beside the numbers.
        readings: The other readings of what the paper leaves open, each with our estimate.
        combinations: All combinations of what the paper leaves open. The claim's curve (`Row.curves`) is put here; of
            a computed one the row does it (`SpecificationCurve.combinations`).
        headline: The paper's sentence, uncut, if its page shows the claim first: one of the abstract, the
            conclusion or a caption, or one that states a result which these sum up; else empty.
        decides: Which settings of ours decide, in a few words.
        tool: The same number from the tool that the paper used, run by us (`bentpipe.fixed` of a single run). It stands
            beside ours and judges nothing: what decides is in the readings.
        tool_note: Which tool that is, and how it was run: ``ns-2.35, one sky``.
        never: From this value on a mean says that it never happened: the length of the runs. NaN says so too then.
        letter: The claim's letter within its row, where its place may change; by its place if empty.
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
    combinations: Combinations | None = None
    headline: str = ""
    decides: str = ""
    tool: Estimate | None = None
    tool_note: str = ""
    never: float | None = None
    letter: str = ""

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
        if "..." in self.headline or "…" in self.headline:
            raise ValueError(f"claim {self.what!r}: the headline {self.headline!r} is cut; quote the whole sentence")
        names = [reading.name for reading in self.readings]
        if len(set(names)) < len(names):
            raise ValueError(f"claim {self.what!r} has two readings of the same name: {', '.join(names)}")

    @property
    def allowed(self) -> float:
        """The tolerance, stated or not."""
        if self.tolerance is not None:
            return self.tolerance
        return 0.0 if self.bound else _TOLERANCE_PERCENT

    def told(self, here: Estimate) -> bool | None:
        """Whether an estimate is surely for the claim (True), surely against it (False), or neither (None).

        Of a side: whether the whole interval lies on it; of a bound: whether the whole interval keeps it; of a number
        alone: whether it is met, or surely missed. What never happens is against; without an effect nothing is told.
        """
        if not _seen(here):
            return None if self.never is None else False
        if self.bound and self.paper is not None:
            return _position(here, self.paper - self.sign * self.allowed, self.sign, on_edge=True)
        if self.side:
            return self.on_side(here)
        return True if self.met(here) else False if self._off(here) else None

    @property
    def every(self) -> list[bool | None]:
        """What all combinations say, the main reading first; those without an effect to measure are left out."""
        return [self.told(self.measured), *(self.told(one) for _, one in self.others if self._counts(one))]

    def _counts(self, here: Estimate) -> bool:
        """Whether there is an effect to measure, or it is known that it never comes about."""
        return _seen(here) or self.never is not None

    @property
    def others(self) -> list[tuple[str, Estimate]]:
        """The combinations beside the main reading: what is read otherwise, and the estimate."""
        if self.combinations is None:
            return [(reading.name, reading.measured) for reading in self.readings]
        made = self.combinations
        return [
            (", ".join(made.options[choice][option] for choice, option in enumerate(place) if option), one)
            for place, one in zip(made.places, made.estimates, strict=True)
            if any(place)
        ]

    @property
    def verdict(self) -> Verdict:
        """The verdict by `RULE`."""
        if self.contradicted:
            return Verdict.CONTRADICTS
        found = self.measured_verdict
        return Verdict.CANNOT_FAIL if self.check and found is Verdict.HOLDS else found

    @property
    def measured_verdict(self) -> Verdict:
        """The verdict from the numbers alone, contradictions aside."""
        return classified(self.told(self.measured), self.every)

    @property
    def contradicted(self) -> bool:
        """Whether the paper's other numbers imply another one, or break the bound."""
        if self.implied is None or self.paper is None:
            return False
        over = self.implied - self.paper
        return over * -self.sign > self.allowed if self.bound else abs(over) > self.allowed

    @property
    def open(self) -> bool:
        """Whether more seeds of the main reading may decide what is open: its side, or its number."""
        if self.contradicted or not 0.0 < self.measured.half_width < math.inf:
            return False
        return self.told(self.measured) is None or (self._numbered and self.number_met is None)

    @property
    def _numbered(self) -> bool:
        """Whether there is a number to be met, not only a bound to be kept."""
        return self.paper is not None and not self.bound

    @property
    def number_met(self) -> bool | None:
        """Whether the main reading meets the paper's number (True) or surely misses it (False)."""
        if not self._numbered or not self._counts(self.measured):
            return None
        met = self.met(self.measured)
        return met if met or math.isnan(self.measured.mean) else False if self._off(self.measured) else None

    @property
    def setting(self) -> str:
        """The settings that decide, as they are printed; empty if none does."""
        return _BETWEEN.join(self.deciding)

    @property
    def deciding(self) -> tuple[str, ...]:
        """The settings that explain most of the variance between for and against; none if no setting does alone.

        Over combinations it is the choice with the largest share (`bentpipe.base.shares.main_effects` of for = 1,
        against = -1, undecided = 0). Over declared readings, each alone, it is those that answer otherwise than the
        main one.
        """
        if self.combinations is not None:
            return tuple(name for name, share in list(self.setting_shares.items())[:1] if share >= _LEAST_SHARE)
        main = self.told(self.measured)
        others = (one for one in self.readings if self._counts(one.measured))
        return tuple(one.name for one in others if self.told(one.measured) is not main)

    @property
    def setting_shares(self) -> dict[str, float]:
        """Of each choice of the combinations its share of the variance between for and against, the largest first."""
        if self.combinations is None:
            return {}
        value = {True: 1.0, None: 0.0, False: -1.0}
        made = zip(self.combinations.places, self.combinations.estimates, strict=True)
        counted = [(place, value[self.told(one)]) for place, one in made if self._counts(one)]
        told = np.array([[one] for _, one in counted])
        if len(told) < 2 or _shares.is_same(told):
            return {}
        own = _shares.main_effects(np.array([place for place, _ in counted]), told)
        return dict(sorted(zip(self.combinations.choices, own, strict=True), key=lambda one: -one[1]))

    def counts(self) -> str:
        """How many combinations are surely for it, surely against it, and undecided: ``8 : 18 : 71``."""
        told = Counter(self.every)
        return f"{told[True]} : {told[False]} : {told[None]}"

    def side_words(self, *, own: bool = False) -> str:
        """The verdict in words: with the setting that decides, and the counts where there are several combinations."""
        words = OWN_WORDS.get(self.verdict, str(self.verdict)) if own else str(self.verdict)
        if self.verdict is Verdict.DEPENDS:
            deciding = self.deciding
            named = self.setting if len(deciding) <= _NAMED else f"{len(deciding)} of {len(self.readings)} readings"
            words += f" on {named or 'several settings together'}"
        return words

    @property
    def edge(self) -> str:
        """Which verdict one combination more or fewer would give, in words; empty if none would change it.

        Of fewer than `_MANY` combinations one is a large part itself.
        """
        every = self.every
        if len(every) < _MANY:
            return ""
        here = classified(every[0], every)
        for told in dict.fromkeys(every[1:]):
            place = every.index(told, 1)
            for other in (True, False, None):
                changed = [*every[:place], other, *every[place + 1 :]]
                if (then := classified(every[0], changed)) is not here:
                    return f"at the edge: one combination more or fewer, and the verdict is “{then}”"
        return ""

    def number_words(self) -> str:
        """The verdict on the number: met, or missed by how much; empty without a number."""
        if not self._numbered or self.paper is None:
            return ""
        met = sum(self.met(one) for one in (self.measured, *(one for _, one in self.others)))
        several = f" (met in {met} of {len(self.every)})" if self.others else ""
        if self.number_met is None:
            return f"open{several}"
        if self.number_met:
            return f"met{several.replace('met in ', '')}"
        missed = self.measured.mean - self.paper
        over = self.never is not None and self.measured.mean >= self.never
        far = "" if math.isnan(missed) or over else f" by {abs(missed):.{self.digits}f}{self._unit}"
        return f"missed{far}{several}"

    def verdict_words(self, *, own: bool = False) -> str:
        """Both verdicts in words: ``holds; number missed by 30.3 %, met in 1 of 97``."""
        number = self.number_words()
        return "; number ".join(filter(None, [self.side_words(own=own), number]))

    def what_decides(self) -> str:
        """What decides: the setting with its share and the counts, what more seeds would do, and our own words."""
        parts = []
        if self.contradicted:
            parts.append(self.contradiction)
        elif self.check:
            parts.append("nothing: it holds by construction")
        elif self.others:
            parts += [*self._decided_by(), f"{self.counts()} of {self.made()}", self.edge]
        if self.verdict is Verdict.UNDECIDED:
            parts.append(self.needed())
        return "; ".join(filter(None, [*parts, self.decides]))

    def _decided_by(self) -> list[str]:
        """The settings that decide, or how little the first of them does alone; nothing if all say the same."""
        if len(set(self.every)) < 2:
            return []
        if self.combinations is None:
            return [self.setting] if self.deciding else []
        for name, share in self.setting_shares.items():
            alone = "" if self.deciding else " alone"
            return [f"{name}{alone} ({100.0 * share:.0f} % of the variance between for and against)"]
        return []

    def made(self) -> str:
        """Over how many combinations or readings a claim is judged: ``96 of 8640 combinations``."""
        if self.combinations is None:
            return f"{len(self.every)} readings"
        made, whole = len(self.combinations.places), self.combinations.whole
        sample = f" of {whole}" if whole > made else ""
        empty = sum(not self._counts(one) for _, one in self.others)
        return f"{made}{sample} combinations" + (f", {empty} of them without an effect to measure" if empty else "")

    def needed(self) -> str:
        """How many seeds would decide the main reading if its mean stayed where it is."""
        here = self.measured
        if not 0.0 < here.half_width < math.inf or not (self.side or self.bound):
            return ""
        edge = self.paper - self.sign * self.allowed if self.bound and self.paper is not None else self.middle
        spread = here.half_width * math.sqrt(here.samples) / t_quantile(here.samples - 1, here.level)
        near = (n for n in range(2, _MOST_SEEDS) if t_quantile(n - 1) * spread < abs(here.mean - edge) * math.sqrt(n))
        seeds = next(near, None)
        return f"about {seeds} seeds would decide if the mean stays" if seeds else "no number of seeds would decide"

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest mean over all combinations, the main reading too."""
        means = [one for one in (self.measured.mean, *(one.mean for _, one in self.others)) if not math.isnan(one)]
        return (min(means), max(means)) if means else (math.nan, math.nan)

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
        """The least and the greatest mean over all combinations, as they are printed; empty if there is only one."""
        if not self.others:
            return ""
        low, high = (self._printed(Estimate(one, 0.0, 1)) for one in self.range)
        return f"{low} to {high} ({self.made()})"

    def reading_cells(self) -> list[list[str]]:
        """The readings as they are printed: name, why, estimate, what each says alone."""
        main = InReading(name="main reading", why="declared before the runs", measured=self.measured)
        words = {True: "for", False: "against", None: "undecided"}
        return [
            [
                one.name + (SEARCHED if one.searched else ""),
                one.why,
                self._printed(one.measured),
                words[self.told(one.measured)],
            ]
            for one in (main, *self.readings)
        ]

    def _printed(self, one: Estimate) -> str:
        if math.isnan(one.mean) or (self.never is not None and one.mean >= self.never):
            return "no effect to measure" if self.never is None else "never"
        width = "" if one.half_width == 0.0 else f" ± {one.half_width:.{self.digits}f}"
        return f"{self.number(one.mean)}{width}{self._unit}"

    @property
    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""

    @property
    def _signed(self) -> str:
        return "+" if self.sign and self.middle == 0.0 and self.unit == "%" and not self.bound else ""

    def cells(self, *, own: bool = False) -> list[str]:
        """As it is printed: claim, paper, measured, verdict, what decides and what must be known."""
        notes = "; ".join(filter(None, [self.what_decides(), self.note]))
        return [self.what, self.claimed(), self.ours(), self.verdict_words(own=own), notes]

    def met(self, here: Estimate) -> bool:
        """Whether an estimate meets the paper's number: near it, and sharp enough to say something."""
        if self.paper is None or math.isnan(here.mean):
            return False
        near = abs(here.mean - self.paper) <= self._reach or not here.excludes(self.paper)
        # Without a value that would be no effect it is not known how large the effect is.
        effect = abs(self.paper - self.middle) if self.side else 0.0
        return near and here.half_width <= max(effect / 4.0, self._reach)

    @property
    def _reach(self) -> float:
        """The tolerance, and what the arithmetic of floats can make of it: 71.9 - 71.8 is above 0.1."""
        return self.allowed + _SLACK * abs(self.paper or 0.0)

    def _off(self, here: Estimate) -> bool:
        """Whether no value in the interval is within the tolerance of the paper's number."""
        paper = 0.0 if self.paper is None else self.paper
        return here.low > paper + self._reach or here.high < paper - self._reach


#: Of a number: what its arithmetic may be off.
_SLACK = 1e-12
#: Behind the name of a reading that was found by a search for the paper's number.
SEARCHED = " †"
#: Between readings that decide; up to so many are named in a verdict.
_BETWEEN, _NAMED = "; ", 2
#: More seeds than this are as good as none that decide.
_MOST_SEEDS = 10_000
#: Of so many combinations one is a twentieth.
_MANY = 20
#: A setting that explains less of the variance between for and against does not decide.
_LEAST_SHARE = 0.1


def _seen(here: Estimate) -> bool:
    """Whether there is a number to be seen."""
    return not (math.isnan(here.mean) or math.isnan(here.half_width))


def _position(here: Estimate, edge: float, side: int, *, on_edge: bool = False) -> bool | None:
    """Whether the whole interval lies on a side of `edge`; None if it holds both. `on_edge` counts as there or not."""
    nearest, farthest = sorted(((here.low - edge) * side, (here.high - edge) * side))
    if nearest > 0.0 or (on_edge and nearest == 0.0):
        return True
    if farthest < 0.0 or (not on_edge and farthest == 0.0):
        return False
    return None
