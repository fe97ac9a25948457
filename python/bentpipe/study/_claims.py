# SPDX-License-Identifier: MIT OR Apache-2.0
"""A claim beside our measurement. One rule computes the verdict of every claim (`RULE`)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from bentpipe.base import shares as _shares
from bentpipe.base.stats import LEVEL, Estimate, t_quantile
from bentpipe.runs.looks import LOOKS, levels

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bentpipe.study._study import Effort

RULE = (
    "Each claim is measured in a main reading and in combinations of other readings. A combination is for the claim "
    "if its whole 95 % interval is on the claimed side, and against it if on the other side. Combinations with "
    "nothing to measure do not count. A difference of exactly zero without chance is against the claim. A claim holds"
    " if the main reading is for it and at most 20 % of combinations are against it. It fails if the main reading is "
    "against it and at most 20 % are for it. It is undecided if the main reading is undecided, and at least 80 % are "
    "undecided or one side has none. Otherwise, it depends on the deciding setting. It contradicts itself if the "
    "paper's numbers exclude each other. It cannot fail if true in every setting. The paper's number is met if "
    "it is in the main reading's interval or within the tolerance of the mean. The half-width must be at most the "
    "tolerance or, for a claim with a side, a quarter of the effect. A claim without a side holds if its number is "
    "met, and fails if the whole interval misses it."
)
#: Default tolerance of numbers in percent: our mean and the paper's number count as equal within it.
_TOLERANCE_PERCENT = 2.0


class Verdict(StrEnum):
    """The verdict on a claim."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"
    DEPENDS = "depends"
    CONTRADICTS = "contradicts itself"
    CANNOT_FAIL = "cannot fail"


#: The printed words for verdicts if a study has no paper, because its claims are the author's own.
OWN_WORDS = {
    Verdict.HOLDS: "supported",
    Verdict.FAILS: "contradicted",
    Verdict.DEPENDS: "undecided, depends",
}
#: For each result of the main reading (for, against, undecided): the verdict, and the results that at most one in
#: `_ONE_IN` of all combinations may have. If more combinations have such a result, the verdict is "depends".
_CLASSES: dict[bool | None, tuple[Verdict, tuple[bool, ...]]] = {
    True: (Verdict.HOLDS, (False,)),
    False: (Verdict.FAILS, (True,)),
    None: (Verdict.UNDECIDED, (True, False)),
}
_ONE_IN = 5


def classified(main: bool | None, told: Sequence[bool | None]) -> Verdict:
    """Classify a claim.

    Args:
        main: Whether the main reading is for the claim (True), against it (False), or undecided (None).
        told: For each combination, including the main reading: for the claim (True), against it (False), or undecided
            (None).
    """
    if main is None and not (True in told and False in told):
        return Verdict.UNDECIDED  # nothing turns the side, so the side depends on nothing
    verdict, others = _CLASSES[main]
    return verdict if _ONE_IN * sum(told.count(one) for one in others) <= len(told) else Verdict.DEPENDS


def sentences(*parts: str) -> str:
    """Join parts to sentences. A full stop is added to a part that does not end with one; an empty part is left out."""
    kept = filter(None, map(str.strip, parts))
    return " ".join(part if part.endswith((".", ".”", "?")) else f"{part}." for part in kept)


def letter(place: int) -> str:
    """Return the letter of a row's claim from its position: a to z, then aa."""
    return chr(ord("a") + place) if place < 26 else letter(place // 26 - 1) + letter(place % 26)


def rounding(printed: str) -> float:
    """Return half a unit of the last digit of a printed number: a tolerance for the number's rounding.

    >>> rounding("6.4"), rounding("150"), rounding("1.5e3")
    (0.05, 0.5, 50.0)
    """
    exponent = Decimal(printed).as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"{printed!r} is not a number")
    return float(Decimal((0, (5,), exponent - 1)))


@dataclass(frozen=True, kw_only=True)
class InReading:
    """The estimate for a claim in a reading of the paper other than the main reading.

    Attributes:
        name: The difference from the main reading: ``access links of 20 Mbit/s``.
        why: The reason why a reviewer would accept the reading.
        measured: The estimate in this reading.
        searched: Whether the reading was found by a search for the paper's number. Such a reading counts, and is
            marked.
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
    """Measure a reading on the seeds of an effort.

    Args:
        name: The difference from the main reading.
        why: The reason why a reviewer would accept the reading.
        measure: Function from seeds to the estimate.
        effort: The effort of the row's runs (`Runs.effort`).
        searched: Whether the reading was found by a search for the paper's number.
    """
    return InReading(name=name, why=why, measured=measure(effort.seeds), searched=searched)


@dataclass(frozen=True, kw_only=True)
class Combinations:
    """The estimates for a claim in every combination of the paper's open choices: a specification curve, as stored.

    Attributes:
        choices: The names of the open choices.
        options: For each choice, the names of its options; the main option is the first.
        places: For each combination, the index of its option in each choice.
        estimates: For each combination, the estimate; NaN if there is nothing to measure.
        unit: Unit of the estimates.
        whole: Number of possible combinations. It is larger than the number of `places` if the `places` are a sample.
        searched: The options that were found by a search for the paper's number.
    """

    choices: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]
    places: tuple[tuple[int, ...], ...]
    estimates: tuple[Estimate, ...]
    unit: str
    whole: int
    searched: tuple[str, ...] = ()


class Sided:
    """The claimed number or side, and the neutral value ("no effect"). The attributes are those of `Claim`."""

    paper: float | None
    sign: int
    neutral: float | None

    @property
    def middle(self) -> float:
        """The neutral value."""
        return 0.0 if self.neutral is None else self.neutral

    @property
    def side(self) -> int:
        """The claimed side of `middle`, or the side of the paper's number if only `neutral` is given; otherwise 0."""
        if self.sign or self.neutral is None or self.paper is None or self.paper == self.neutral:
            return self.sign
        return 1 if self.paper > self.neutral else -1

    def on_side(self, here: Estimate) -> bool | None:
        """Whether an interval lies entirely on the claimed side (True), on the other side (False), or on both (None).

        A number that does not vary by seed and equals the neutral value counts as the other side, because an equal
        number is not
        higher.
        """
        if not self.side or math.isnan(here.mean) or math.isnan(here.half_width):
            return None
        return _position(here, self.middle, self.side)


@dataclass(frozen=True, kw_only=True)
class Claim(Sided):
    """A claim of a paper and our measurement.

    Attributes:
        what: The claim in words.
        measured: Our mean over the seeds with its interval, in the main reading (`bentpipe.fixed` for the number of a
            model). If `never` is set, NaN means that the measured event never happens. Otherwise, NaN means that there
            is nothing to measure.
        paper: The paper's number; None if the paper claims only a direction.
        sign: The side of `neutral` that the paper claims: +1 or -1; 0 if the paper claims only the number.
        neutral: The value that means "no effect", in the unit of both numbers. With a `sign`, the default is 0. Without
            a `sign`, it determines the side on which the paper's number lies.
        unit: Unit of both numbers.
        tolerance: Largest difference, in `unit`, at which our mean and the paper's number count as equal. It follows
            from the paper's rounding (`rounding`) or the precision of its plots. A tolerance is required for every
            number that is not a percentage. For a bound: the largest amount by which the bound may be exceeded; the
            default is 0.
        digits: Digits after the point in printed numbers.
        contradiction: A sentence that says why the paper's own numbers contradict each other, if `implied` shows a
            contradiction. As in `note` and `decides`, a full stop is added when the sentence is printed.
        bound: Whether the number is an upper (`sign` -1) or lower (+1) bound.
        implied: The value that the paper's other numbers imply for this number.
        check: Whether the claim holds with every setting, by construction or by our own settings. Such a claim only
            shows that the simulator does what it should.
        note: A sentence for readers of the numbers.
        readings: The other readings of the paper, each with our estimate.
        combinations: The estimates in all combinations of the paper's open choices. They come from the claim's curve
            (`Row.curves`). If the row computes a curve itself, the row sets them (`SpecificationCurve.combinations`).
        headline: The complete sentence of the paper, if the paper's page shows the claim first: a sentence of the
            abstract, the conclusion or a caption, or a sentence with a result that these summarise. Otherwise empty.
        decides: A sentence that says which of our settings decide, and why.
        tool: Our number from the tool that the paper used, run by us (`bentpipe.fixed` for a single run). It is printed
            beside our number and has no effect on the verdict.
        tool_note: The name of the tool and how it was run: ``ns-2.35, one sky``.
        never: If the mean is at least this value (the length of the runs), or NaN, the measured event never happened.
        letter: The claim's letter within its row, if its position may change. If empty, the position gives the letter.
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
        """Check that the claim has a finite number, a side, or both, and that a number has a tolerance."""
        for key in ("paper", "neutral", "tolerance", "implied"):
            number: float | None = getattr(self, key)
            if number is not None and not math.isfinite(number):
                raise ValueError(f"claim {self.what!r}: {key} is {number}, not a finite number")
        if self.tolerance is not None and self.tolerance < 0:
            raise ValueError(f"claim {self.what!r}: tolerance is {self.tolerance:g}; it must be 0 or more")
        if self.sign not in (-1, 0, 1):
            raise ValueError(f"claim {self.what!r}: sign is {self.sign!r}; it must be -1, 0 or 1")
        if self.paper is None and self.sign == 0:
            raise ValueError(f"claim {self.what!r} needs a number or a side (give paper or sign)")
        if self.bound and (self.paper is None or self.sign == 0):
            raise ValueError(f"claim {self.what!r} is a bound without a number or a side (give paper and sign)")
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
        """The tolerance: the stated value, or the default."""
        if self.tolerance is not None:
            return self.tolerance
        return 0.0 if self.bound else _TOLERANCE_PERCENT

    def told(self, here: Estimate) -> bool | None:
        """Whether an estimate is for the claim (True), against it (False), or undecided (None).

        A claim with a side is decided if the whole interval lies on one side. A bound is decided if the whole interval
        keeps or exceeds the bound. A number alone is decided if the estimate meets the number, or if the whole interval
        misses the number. If the measured event never happens, the estimate is against the claim. With nothing to
        measure, the result is None.
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
        """The results of all combinations, the main reading first, without those that have nothing to measure."""
        return [self.told(self.measured), *(self.told(one) for _, one in self.others if self._counts(one))]

    def _counts(self, here: Estimate) -> bool:
        """Whether there is something to measure, or the measured event never happens."""
        return _seen(here) or self.never is not None

    @property
    def others(self) -> list[tuple[str, Estimate]]:
        """The combinations except the main reading: each with its difference from that reading, and its estimate."""
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
        """The verdict, computed by `RULE`."""
        if self.contradicted:
            return Verdict.CONTRADICTS
        found = self.measured_verdict
        return Verdict.CANNOT_FAIL if self.check and found is Verdict.HOLDS else found

    @property
    def measured_verdict(self) -> Verdict:
        """The verdict from the numbers alone, whether or not the paper contradicts itself."""
        return classified(self.told(self.measured), self.every)

    @property
    def contradicted(self) -> bool:
        """Whether the paper's other numbers imply another number, or exceed the bound."""
        if self.implied is None or self.paper is None:
            return False
        over = self.implied - self.paper
        return over * -self.sign > self.allowed if self.bound else abs(over) > self.allowed

    @property
    def open(self) -> bool:
        """Whether the side or the number of the main reading is open, so that more seeds may decide it."""
        if self.contradicted or not 0.0 < self.measured.half_width < math.inf:
            return False
        return self.told(self.measured) is None or (self._numbered and self.number_met is None)

    @property
    def _numbered(self) -> bool:
        """Whether the claim has a number that is not a bound."""
        return self.paper is not None and not self.bound

    @property
    def number_met(self) -> bool | None:
        """Whether the main reading meets the paper's number (True), surely misses it (False), or neither (None)."""
        if not self._numbered or not self._counts(self.measured):
            return None
        met = self.met(self.measured)
        return met if met or math.isnan(self.measured.mean) else False if self._off(self.measured) else None

    @property
    def setting(self) -> str:
        """The settings that decide, as they are printed; empty if no setting decides."""
        return _BETWEEN.join(self.deciding)

    @property
    def deciding(self) -> tuple[str, ...]:
        """The settings that decide between for and against; empty if none is known.

        With combinations, a choice decides if it explains the largest share of the variance (`setting_shares`). Several
        choices decide if their shares are equal. If a single choice can turn the main reading to another side
        (`turning`), only such choices are candidates. If no candidate alone explains a tenth of the variance, the pair
        of choices that together explains the most decides. With declared readings, the readings whose result differs
        from the main reading's result decide.
        """
        if self.combinations is not None:
            shares = self.setting_shares
            candidates = {name: shares[name] for name in shares if name in self.turning} or shares
            most = max(candidates.values(), default=0.0)
            if most >= _LEAST_SHARE:
                return tuple(name for name, share in candidates.items() if share >= most - _EQUAL)
            return tuple(_TOGETHER.join(pair) for pair, share in self._best_pair.items() if share >= _LEAST_SHARE)
        main = self.told(self.measured)
        others = (one for one in self.readings if self._counts(one.measured))
        return tuple(one.name for one in others if self.told(one.measured) is not main)

    @property
    def setting_shares(self) -> dict[str, float]:
        """The share of the variance between for and against that each choice explains, the largest share first."""
        if self.combinations is None or (sided := self._sided) is None:
            return {}
        own = _shares.main_effects(*sided)
        return dict(sorted(zip(self.combinations.choices, own, strict=True), key=lambda one: -one[1]))

    @property
    def _sided(self) -> tuple[_shares.Places, _shares.Floats] | None:
        """The combinations with their results (for = 1, against = -1, undecided = 0); None if all results are equal.

        A single run, which has no interval, cannot be for or against the claim and is left out.
        """
        if self.combinations is None:
            return None
        value = {True: 1.0, None: 0.0, False: -1.0}
        made = zip(self.combinations.places, self.combinations.estimates, strict=True)
        counted = [(place, value[self.told(one)]) for place, one in made if self._counts(one) and _many(one)]
        told = np.array([[one] for _, one in counted])
        if len(told) < 2 or _shares.is_same(told):
            return None
        return np.array([place for place, _ in counted]), told

    @property
    def _best_pair(self) -> dict[tuple[str, str], float]:
        """The pair of choices that explains the most together, and its share; empty if there is no pair.

        If single choices turn the main reading (`turning`), at least one choice of the pair is such a choice.
        """
        if self.combinations is None or (sided := self._sided) is None:
            return {}
        names = self.combinations.choices
        turning = set(self.turning or names)
        pairs = {(names[one], names[other]): share for (one, other), share in _shares.pair_effects(*sided).items()}
        candidates = [pair for pair in pairs if turning & set(pair)]
        return {pair: pairs[pair] for pair in sorted(candidates, key=lambda pair: -pairs[pair])[:1]}

    @property
    def turning(self) -> tuple[str, ...]:
        """The choices that alone turn the main reading to another side: one option is changed, and nothing else.

        The result is empty if single changes are missing because the combinations are a sample.
        """
        made = self.combinations
        if made is None:
            return ()
        single = {
            (place.index(max(place)), max(place)): one
            for place, one in zip(made.places, made.estimates, strict=True)
            if len(place) - place.count(0) == 1
        }
        occurring = {(choice, option) for place in made.places for choice, option in enumerate(place) if option}
        if occurring - set(single) and made.whole > len(made.places):
            return ()
        main = self.told(self.measured)
        turned = {choice for (choice, _), one in single.items() if self.told(one) not in (None, main)}
        return tuple(name for choice, name in enumerate(made.choices) if choice in turned)

    def counts(self) -> str:
        """The numbers of combinations that are for the claim, against it, and undecided: ``8 : 18 : 71``."""
        told = Counter(self.every)
        return f"{told[True]} : {told[False]} : {told[None]}"

    def side_words(self, *, own: bool = False) -> str:
        """The verdict in words, with the setting that decides, and with counts if there are several combinations."""
        words = OWN_WORDS.get(self.verdict, str(self.verdict)) if own else str(self.verdict)
        if self.verdict is Verdict.DEPENDS:
            deciding = self.deciding
            several = f"of {len(self.readings)} readings" if self.combinations is None else "settings"
            named = self.setting if len(deciding) <= _NAMED else f"{len(deciding)} {several}"
            words += f" on {named or 'several settings together'}"
        return words

    @property
    def edge(self) -> str:
        """Return, in words, the verdict with one combination more or fewer; empty if the verdict is the same."""
        every = self.every
        here = classified(every[0], every)
        for told in dict.fromkeys(every[1:]):
            place = every.index(told, 1)
            for other in (True, False, None):
                changed = [*every[:place], other, *every[place + 1 :]]
                if (then := classified(every[0], changed)) is not here:
                    return f"One combination more or fewer would change the verdict to “{then}”"
        return ""

    def number_words(self) -> str:
        """Return the verdict on the number: met, or missed by how much; empty without a number."""
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
        """Return sentences on what decides: the setting with its share, counts, the number of seeds, and `decides`."""
        parts = []
        if self.contradicted:
            parts.append(self.contradiction)
        elif self.check:
            parts.append("The claim is true by construction")
        elif self.others:
            parts += [*self._decided_by(), self._counted(), self.edge]
        if self.verdict is Verdict.UNDECIDED:
            parts.append(self.needed())
        return sentences(*parts, self.decides)

    def _decided_by(self) -> list[str]:
        """Return the settings that decide, or the share of the first setting; empty if all results are equal."""
        if len(set(self.every)) < 2:
            return []
        if self.combinations is None:
            named = " and ".join(f"“{name}”" for name in self.deciding)
            readings = "reading" if len(self.deciding) == 1 else "readings"
            return [f"The result differs in the {readings} {named}"] if self.deciding else []
        shares = self.setting_shares
        alone = [name for name in self.deciding if name in shares]
        if alone:
            listed = " and ".join(f"“{name}”" for name in alone)
            share = 100.0 * shares[alone[0]]
            if len(alone) > 1:
                return [f"The settings {listed} each explain {share:.0f} % of the variance"]
            return [f"The setting {listed} explains {share:.0f} % of the variance"]
        if self.deciding:
            ((one, other), share), *_ = self._best_pair.items()
            return [f"No setting decides alone: “{one}” and “{other}” together explain {100.0 * share:.0f} %"]
        for name, share in shares.items():
            return [f"No setting decides alone: “{name}” explains the most, {100.0 * share:.0f} % of the variance"]
        return []

    def _counted(self) -> str:
        """Return the counts in words: ``Counts: 8 for, 18 against, 70 undecided (96 of 8640 combinations)``."""
        told = Counter(self.every)
        return f"Counts: {told[True]} for, {told[False]} against, {told[None]} undecided ({self.made()})"

    def made(self) -> str:
        """Return the number of combinations or readings that give the verdict: ``96 of 8640 combinations``."""
        if self.combinations is None:
            return f"{len(self.every)} readings"
        made, whole = len(self.combinations.places), self.combinations.whole
        sample = f" of {whole}" if whole > made else ""
        empty = sum(not self._counts(one) for _, one in self.others)
        return f"{made}{sample} combinations" + (f", {empty} of them with nothing to measure" if empty else "")

    def needed(self) -> str:
        """Return, in words, the number of seeds that would decide the main reading if its mean stayed the same.

        If the row may continue with more seeds, the number is that of the first later look that would decide.
        """
        here = self.measured
        if not 0.0 < here.half_width < math.inf or not (self.side or self.bound):
            return ""
        edge = self.paper - self.sign * self.allowed if self.bound and self.paper is not None else self.middle
        spread = here.half_width * math.sqrt(here.samples) / t_quantile(here.samples - 1, here.level)
        far = abs(here.mean - edge)
        if here.level == LEVEL:
            near = (n for n in range(2, _MOST_SEEDS) if t_quantile(n - 1) * spread < far * math.sqrt(n))
            seeds = next(near, None)
            return (
                f"About {seeds} seeds would decide if the mean stays the same"
                if seeds
                else "No number of seeds would decide"
            )
        later = zip(LOOKS, levels(LOOKS), strict=True)
        for look, level in later:
            if look > here.samples and t_quantile(look - 1, level) * spread < far * math.sqrt(look):
                return f"{look} seeds would decide if the mean stays the same"
        return f"{LOOKS[-1]} seeds would not decide if the mean stays the same"

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest mean over all combinations, including the main reading."""
        means = [one for one in (self.measured.mean, *(one.mean for _, one in self.others)) if not math.isnan(one)]
        return (min(means), max(means)) if means else (math.nan, math.nan)

    def claimed(self) -> str:
        """Return the printed text for the paper's number or side."""
        near = f" (± {float(f'{self.allowed:.3g}'):g})" if self.allowed else ""
        if self.bound:
            return f"{'at most' if self.sign < 0 else 'at least'} {self.paper:.10g}{near}{self._unit}"
        if self.paper is None:
            neutral = f" than {self.middle:g}{self._unit}" if self.middle else ""
            return ("higher" if self.sign > 0 else "lower") + neutral
        return f"{self.paper:{self._signed}.10g}{near}{self._unit}"

    def number(self, value: float) -> str:
        """Return the printed text for one of our numbers, without its unit."""
        return f"{round(value, self.digits) + 0.0:{self._signed}.{self.digits}f}"  # no "-0.0"

    def ours(self) -> str:
        """Return the printed text for our mean with its interval in the main reading."""
        return self._printed(self.measured)

    def in_tool(self) -> str:
        """Return the printed text for the number of the paper's tool, with `tool_note`; empty if there is none."""
        note = f" ({self.tool_note})" if self.tool_note else ""
        return "" if self.tool is None else f"{self._printed(self.tool)}{note}"

    def ranged(self) -> str:
        """Return the printed text for the smallest and largest mean over combinations; empty if there is only one."""
        if not self.others:
            return ""
        low, high = (self._printed(Estimate(one, 0.0, 1)) for one in self.range)
        return f"{low} to {high} ({self.made()})"

    def reading_cells(self) -> list[list[str]]:
        """Return the printed cells for the readings: name, reason, estimate, and the result of each reading alone."""
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
            return "nothing to measure" if self.never is None else "never"
        width = "" if one.half_width == 0.0 else f" ± {one.half_width:.{self.digits}f}"
        return f"{self.number(one.mean)}{width}{self._unit}"

    @property
    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""

    @property
    def _signed(self) -> str:
        return "+" if self.sign and self.middle == 0.0 and self.unit == "%" and not self.bound else ""

    def cells(self, *, own: bool = False) -> list[str]:
        """Return the printed cells: claim, paper, measured, verdict, and what decides with the note."""
        notes = sentences(self.what_decides(), self.note)
        return [self.what, self.claimed(), self.ours(), self.verdict_words(own=own), notes]

    def met(self, here: Estimate) -> bool:
        """Whether an estimate meets the paper's number: it is near the number, and its interval is narrow enough."""
        if self.paper is None or math.isnan(here.mean):
            return False
        near = abs(here.mean - self.paper) <= self._reach or not here.excludes(self.paper)
        # Without a neutral value, the size of the effect is not known.
        effect = abs(self.paper - self.middle) if self.side else 0.0
        return near and here.half_width <= max(effect / 4.0, self._reach)

    @property
    def _reach(self) -> float:
        """The tolerance plus the rounding error of floats: 71.9 - 71.8 is above 0.1."""
        return self.allowed + _SLACK * abs(self.paper or 0.0)

    def _off(self, here: Estimate) -> bool:
        """Whether the whole interval is farther from the paper's number than the tolerance."""
        paper = 0.0 if self.paper is None else self.paper
        return here.low > paper + self._reach or here.high < paper - self._reach


#: Relative rounding error of a computed number.
_SLACK = 1e-12
#: The mark after the name of a reading that was found by a search for the paper's number.
SEARCHED = " †"
#: The separator between readings that decide, and the largest number of readings that a verdict names.
_BETWEEN, _NAMED = "; ", 2
#: If more seeds than this would be needed, the text says that no number of seeds would decide.
_MOST_SEEDS = 10_000
#: Shares that differ by less are equal.
_EQUAL = 1e-9
#: The words between two settings that decide together.
_TOGETHER = " together with "
#: A setting that explains less than this share of the variance between for and against does not decide.
_LEAST_SHARE = 0.1


def _seen(here: Estimate) -> bool:
    """Whether the estimate has a mean and an interval."""
    return not (math.isnan(here.mean) or math.isnan(here.half_width))


def _many(here: Estimate) -> bool:
    """Whether the estimate is not that of a single run, whose interval is infinite."""
    return here.half_width < math.inf or math.isnan(here.half_width)


def _position(here: Estimate, edge: float, side: int, *, on_edge: bool = False) -> bool | None:
    """Return whether the whole interval is on the claimed side of `edge`; None if it is on both sides.

    `on_edge` says whether `edge` itself is on the claimed side.
    """
    nearest, farthest = sorted(((here.low - edge) * side, (here.high - edge) * side))
    if nearest > 0.0 or (on_edge and nearest == 0.0):
        return True
    if farthest < 0.0 or (not on_edge and farthest == 0.0):
        return False
    return None
