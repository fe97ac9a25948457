# SPDX-License-Identifier: MIT OR Apache-2.0
"""Specification curves: an effect in all combinations of a paper's open choices, and the choice that explains most.

Source: Simonsohn, Simmons and Nelson, Specification curve analysis, Nature Human Behaviour 4, 2020. The picture shows
the sorted effects in every combination of the defensible choices, and below each effect its choices. A claim is robust
if it holds along the whole curve. Otherwise the picture shows the choices on which the claim depends.
"""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe.base import arguments
from bentpipe.base import shares as _shares
from bentpipe.show.pictures.curves import whole
from bentpipe.study._claims import Combinations, Sided
from bentpipe.study._measures import sampled
from bentpipe.study._runs import Runs, Store, alone, source
from bentpipe.study._study import Choice, Effort, Finding, Picture, Row, Sheet

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from bentpipe.base.stats import Bounds
    from bentpipe.study._study import Key

    Floats = NDArray[np.float64]

#: Seeds of each combination if a curve does not set its own.
CURVE_SEEDS = (1, 2, 3)
#: Smallest number of combinations in a designed sample.
_LEAST_SAMPLE = 64
#: Number of attempts to exchange an option between two combinations of a sample.
_EXCHANGES = 4000


@dataclass(frozen=True, kw_only=True)
class Curve(Sided):
    """A claim whose effect is measured in every combination of the open choices.

    Attributes:
        title: The effect in words.
        choices: The open choices. The first option of a choice is its main option.
        plan: Function that returns the scenarios of one combination and one seed, by name. The combination maps the
            name of each choice to the value of its option (or to the option's name if the option has no value).
        effect: Function that computes the effect from the runs of one combination and one seed, which have the same
            names as in `plan`. Comparisons are therefore paired by seed.
        unit: Unit of the effect.
        paper: The paper's number; None if the paper has no number.
        tolerance: Largest difference, in `unit`, at which a mean and the paper's number count as equal, as in `Claim`.
        sign: The claimed side of `neutral`: +1 or -1; 0 if no side is claimed.
        neutral: The value that means "no effect", as in `Claim`.
        digits: Digits after the point in printed numbers.
        bounds: The range of an effect with few possible values, as in `sampled`.
        most: Largest number of combinations that are run. If there are more combinations, this number of them is run:
            the main reading and a designed sample.
        seed: Seed of the sample.
        seeds: Seeds of each combination, the same for all combinations.

    Raises:
        ValueError: If there is no choice, two choices have the same name, or the sample would have fewer than 64
            combinations.
    """

    title: str
    choices: tuple[Choice, ...]
    plan: Callable[[Mapping[str, object], int], Mapping[str, bp.Scenario]]
    effect: Callable[[Mapping[str, bp.Run]], float]
    unit: str = "%"
    paper: float | None = None
    tolerance: float = 0.0
    sign: int = 0
    neutral: float | None = None
    digits: int = 1
    bounds: Bounds | None = None
    most: int = 128
    seed: int = 1
    seeds: tuple[int, ...] = CURVE_SEEDS

    def __post_init__(self) -> None:
        """Check the names of the choices and the size of the sample."""
        names = [choice.name for choice in self.choices]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"the curve {self.title!r} needs choices with different names: {names}")
        if self.whole_size > self.most and self.most < _LEAST_SAMPLE:
            raise ValueError(
                f"the curve {self.title!r}: a sample of {self.most} of {self.whole_size} combinations; at least "
                f"{_LEAST_SAMPLE} are needed"
            )

    @property
    def claimed(self) -> str:
        """The printed text for the paper's number with its tolerance; empty without a number."""
        near = f" (± {self.tolerance:g})" if self.tolerance else ""
        return "" if self.paper is None else f"{self.paper:g}{near}"

    @property
    def whole_size(self) -> int:
        """The number of possible combinations."""
        return math.prod(len(choice.options) for choice in self.choices)

    @cached_property
    def combinations(self) -> tuple[tuple[int, ...], ...]:
        """The combinations that are run: the index of the option in each choice. The main reading is the first one."""
        sizes = [len(choice.options) for choice in self.choices]
        if self.whole_size <= self.most:
            return tuple(itertools.product(*map(range, sizes)))
        chance = random.Random(self.seed)  # noqa: S311
        sample = dict.fromkeys([(0,) * len(sizes), *_designed(sizes, self.most - 1, chance)])
        while len(sample) < self.most:  # the design contained a combination twice, or the main reading
            sample[tuple(chance.randrange(size) for size in sizes)] = None
        return tuple(sample)

    @cached_property
    def distinct(self) -> tuple[tuple[int, ...], ...]:
        """The combinations, where combinations with the same scenarios are equal.

        If two options of a choice give the same scenarios, with all other choices equal, the combination has the
        earlier option. A combination that then occurs twice is counted once.
        """
        made: dict[tuple[tuple[int, ...], int], dict[str, str]] = {}

        def planned(combination: tuple[int, ...], seed: int) -> dict[str, str]:
            if (combination, seed) not in made:
                plan = self.plan(self.values(combination), seed)
                made[combination, seed] = {name: scenario.to_toml() for name, scenario in plan.items()}
            return made[combination, seed]

        def first(combination: tuple[int, ...]) -> tuple[int, ...]:
            for place, here in enumerate(combination):
                for option in range(here):
                    other = (*combination[:place], option, *combination[place + 1 :])
                    if all(planned(other, seed) == planned(combination, seed) != {} for seed in self.seeds[:2]):
                        return first(other)
            return combination

        return tuple(dict.fromkeys(map(first, self.combinations)))

    def values(self, combination: Sequence[int]) -> dict[str, object]:
        """Return the argument of `plan` for a combination."""
        chosen = [(choice.name, choice.options[place]) for choice, place in zip(self.choices, combination, strict=True)]
        return {name: option.name if option.value is None else option.value for name, option in chosen}

    def scenarios(self, seeds: Sequence[int]) -> dict[Key, bp.Scenario]:
        """Return all scenarios. Their keys are combination, name and seed."""
        return {
            (combination, name, seed): scenario
            for combination in self.distinct
            for seed in seeds
            for name, scenario in self.plan(self.values(combination), seed).items()
        }

    def read(self, runs: Runs) -> SpecificationCurve:
        """Compute the curve from its runs."""
        names: dict[Hashable, dict[str, None]] = {}
        for key in runs:
            names.setdefault(key[0], {})[str(key[1])] = None
        points = []
        for combination in self.distinct:
            effects = [
                self.effect({name: runs[combination, name, seed] for name in names[combination]})
                for seed in runs.effort.seeds
            ]
            texts = {
                tuple(runs.scenario((combination, name, seed)) for name in names[combination])
                for seed in runs.effort.seeds
            }
            once = len(texts) == 1 < len(effects)
            points.append(Point(combination, tuple(effects), once=once, bounds=self.bounds))
        return SpecificationCurve(self, tuple(points))


def _designed(sizes: Sequence[int], count: int, chance: random.Random) -> list[tuple[int, ...]]:
    """Return a randomised Latin design: all options are equally frequent, and pairs of options are nearly so.

    Source: McKay, Beckman and Conover, A comparison of three methods for selecting values of input variables,
    Technometrics 21, 1979, here with options in place of strata. Afterwards, two combinations exchange an option if the
    exchange makes the frequencies of pairs more even. This step is repeated many times.
    """
    table = np.empty((count, len(sizes)), dtype=np.int64)
    for place, size in enumerate(sizes):
        column = [row % size for row in range(count)]
        chance.shuffle(column)
        table[:, place] = column

    def unevenness(place: int) -> float:
        """Return how uneven the pairs of this choice's options with the options of other choices are."""
        total = 0.0
        for other in range(len(sizes)):
            if other != place:
                pairs = table[:, place] * sizes[other] + table[:, other]
                total += float(np.var(np.bincount(pairs, minlength=sizes[place] * sizes[other])))
        return total

    for _ in range(_EXCHANGES):
        place = chance.randrange(len(sizes))
        one, other = chance.sample(range(count), 2)
        before = unevenness(place)
        table[[one, other], place] = table[[other, one], place]
        if unevenness(place) > before:
            table[[one, other], place] = table[[other, one], place]
    return [tuple(row) for row in table.tolist()]


@dataclass(frozen=True)
class Point:
    """One combination of a curve.

    Attributes:
        combination: The index of the option in each choice.
        effects: The effect of each seed.
        once: Whether all seeds give the same run. Then there is a single sample, whose interval is not known.
        bounds: The range of an effect with few possible values.
    """

    combination: tuple[int, ...]
    effects: tuple[float, ...]
    once: bool = False
    bounds: Bounds | None = None

    @property
    def effect(self) -> bp.Estimate:
        """Mean over the seeds with its 95 % interval, infinite for a single run; NaN if a seed has no value."""
        return bp.estimate(self.effects[:1]) if self.once else sampled(self.effects, self.bounds)

    @property
    def main(self) -> bool:
        """Whether every choice has its main option."""
        return not any(self.combination)


@dataclass(frozen=True)
class SpecificationCurve:
    """The effect in every combination.

    Attributes:
        curve: The claim and its choices.
        points: The combinations in the order in which they were run.
    """

    curve: Curve
    points: tuple[Point, ...]

    @property
    def sorted(self) -> tuple[Point, ...]:
        """The points sorted by effect, the smallest first. Points with nothing to measure (NaN) are last."""
        return tuple(sorted(self.points, key=lambda point: (math.isnan(point.effect.mean), point.effect.mean)))

    @property
    def known(self) -> tuple[Point, ...]:
        """The points that have an effect."""
        return tuple(point for point in self.points if not math.isnan(point.effect.mean))

    @property
    def whole(self) -> int:
        """The number of possible combinations; for a sample, of the options that occur in it."""
        if len(self.curve.combinations) == self.curve.whole_size:
            return len(self.points)
        options = zip(*(point.combination for point in self.points), strict=True)
        return math.prod(len(set(of_choice)) for of_choice in options)

    @property
    def combinations(self) -> Combinations:
        """The curve in the form that a claim stores."""
        choices = self.curve.choices
        return Combinations(
            choices=tuple(choice.name for choice in choices),
            options=tuple(tuple(option.name for option in choice.options) for choice in choices),
            places=tuple(point.combination for point in self.points),
            estimates=tuple(point.effect for point in self.points),
            unit=self.curve.unit,
            whole=self.whole,
            searched=tuple(option.name for choice in choices for option in choice.options if option.searched),
        )

    @property
    def shares(self) -> dict[str, float]:
        """The share of the variance over the combinations that each choice explains alone, the largest share first.

        The variance is the variance of the expected values: chance is removed. Over all combinations, the share is
        Sobol's first-order index. Over a sample, the share is an estimate. The result is empty if all effects are
        equal.
        """
        if _shares.is_same(np.array([point.effect.mean for point in self.known])):
            return {}
        effects = np.array([point.effects for point in self.known])
        places = np.array([point.combination for point in self.known])
        own = _shares.main_effects(places, effects)
        shares = {choice.name: one for choice, one in zip(self.curve.choices, own, strict=True)}
        return dict(sorted(shares.items(), key=lambda item: -item[1]))

    @property
    def chance(self) -> float:
        """The share of the variance of the means that the seeds cause, without their common effect."""
        return _shares.chance(np.array([point.effects for point in self.known])) if self.shares else 0.0

    @property
    def together(self) -> float:
        """The share of the variance that no choice explains alone, because choices act together."""
        return max(0.0, 1.0 - math.fsum(self.shares.values())) if self.shares else 0.0

    def holds(self, point: Point) -> bool | None:
        """Whether a point is surely on the claimed side (True), surely on the other side (False), or neither (None)."""
        return self.curve.on_side(point.effect)

    @property
    def words(self) -> str:
        """Return the result of the curve in one line."""
        curve, made = self.curve, len(self.points)
        known = [point.effect for point in self.sorted if not math.isnan(point.effect.mean)]
        every = f"all {made}" if made == self.whole else f"{made} of {self.whole}"
        parts = []
        if known:
            ends = f"{known[0].mean:.{curve.digits}f} to {known[-1].mean:.{curve.digits}f}"
            parts.append(f"over {every} combinations {ends} {curve.unit}".rstrip())
        told = [self.holds(point) for point in self.points]
        if any(one is not None for one in told):
            parts.append(
                f"significantly on the claimed side in {told.count(True)}, on the other side in {told.count(False)}"
            )
        if curve.paper is not None:
            met = sum(
                abs(one.mean - curve.paper) <= curve.tolerance
                or (one.half_width < math.inf and not one.excludes(curve.paper))
                for one in known
            )
            parts.append(f"the claimed {curve.claimed} is met in {met}")
        if self.shares and self.chance > _shares.MOSTLY:
            parts.append(f"no deciding choice is known: {100.0 * self.chance:.0f} % of the variance is chance")
        elif self.shares:
            name, share = next(iter(self.shares.items()))
            parts.append(f"most is decided by {name}: {100.0 * share:.0f} % of the variance")
        if missing := made - len(known):
            parts.append(f"nothing to measure in {missing}")
        return "; ".join(parts)

    def sheets(self) -> list[Sheet]:
        """Return the tables: shares of the variance, open choices, and all combinations."""
        curve = self.curve
        percent = {**self.shares, "choices together": self.together}
        percent["removed before: chance (the seeds), as a share of the variance of the means"] = self.chance
        shares = [[name, f"{100.0 * share:.1f} %"] for name, share in percent.items()]
        head = ("", *(choice.name for choice in curve.choices), f"effect ({curve.unit})" if curve.unit else "effect")
        lines = [
            [
                "main" if point.main else "",
                *(choice.options[place].name for choice, place in zip(curve.choices, point.combination, strict=True)),
                _shown(point.effect, curve.digits),
            ]
            for point in self.sorted
        ]
        options = [
            [choice.name if not place else "", "main" if not place else "", option.name, option.why]
            for choice in curve.choices
            for place, option in enumerate(choice.options)
        ]
        return [
            Sheet("Share of the variance over the combinations that each choice explains by itself", ("", ""), shares),
            Sheet("What is left open, and how it can be read", ("choice", "", "reading", "why"), options),
            Sheet("The combinations by effect (95 % by Student's t)", head, lines),
        ]

    def figure(self) -> Figure:
        """Draw the sorted effects with their intervals, and below each effect its options."""
        return whole(self)


def _shown(effect: bp.Estimate, digits: int) -> str:
    if math.isnan(effect.mean):
        return "none"
    if math.isinf(effect.half_width):
        return f"{effect.mean:.{digits}f} (one run)"
    return f"{effect.mean:.{digits}f} ± {effect.half_width:.{digits}f}"


def specification_curve(
    curve: Curve,
    *,
    out: str | os.PathLike[str],
    seeds: Sequence[int] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | bool | None = None,
    costly: bool = False,
) -> SpecificationCurve:
    """Make the missing runs of a curve, and compute the curve.

    Args:
        curve: The claim and its choices.
        out: Folder; its subfolder ``runs`` stores the runs, as for `reproduce`.
        seeds: Seeds of each combination, the same for all combinations. The default is the seeds of the curve.
        threads: Number of runs at a time, by default one per processor. Results do not depend on it.
        progress: Function that is called with (done, all) when runs finish. True shows the progress on stderr.
        costly: Make a run even if the estimate (`estimate_cost`) exceeds the free memory or disk.

    Raises:
        ValueError: If there are fewer than two seeds. An interval needs two.
        BentpipeError: If a run is refused or fails, as in `bentpipe.run_many`.
    """
    seeds = curve.seeds if seeds is None else seeds
    if len(seeds) < 2:
        raise ValueError(f"a curve over {len(seeds)} seed: an interval needs at least two")
    place = arguments.path("out", out)
    with alone(place):
        store = Store(place / "runs")
        plan = {key: scenario.to_toml() for key, scenario in curve.scenarios(seeds).items()}
        missing = [text for text in dict.fromkeys(plan.values()) if not store.has(text)]
        if missing:
            folders = [store.folder(text) for text in missing]
            bp.run_many(missing, out=folders, threads=threads, progress=progress, costly=costly)
        return curve.read(Runs(Effort(tuple(seeds)), plan, store))


def curve_rows(row: Row) -> list[Row]:
    """Convert the curves of a row to rows for `reproduce`: combinations, tables and a picture, but no claim."""
    return [
        Row(
            id=f"{row.id}.{claim}-curve",
            place=row.place,
            what=curve.title,
            says=row.says,
            plan=partial(_plan, curve),
            # The fingerprint of the finding includes the digest of the functions that compute the effect.
            read=partial(_read, curve, source(curve.effect)),
        )
        for claim, curve in row.curves.items()
    ]


def _plan(curve: Curve, effort: Effort) -> Mapping[Key, bp.Scenario]:
    return curve.scenarios(effort.seeds)


def _read(curve: Curve, _: str, runs: Runs) -> Finding:
    found = curve.read(runs)
    return Finding(
        why=found.words,
        combinations=found.combinations,
        sheets=found.sheets(),
        pictures=[Picture(curve.title, found.figure())],
    )
