# SPDX-License-Identifier: MIT OR Apache-2.0
"""Specification curves: an effect over all that a claim leaves open, and which of the choices decides it.

Simonsohn, Simmons and Nelson, Specification curve analysis, Nature Human Behaviour 4, 2020: the effect in every
combination of the defensible choices, sorted, with the choices below it. A claim is robust if it holds along the whole
curve; if not, the picture shows what it hangs on.
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

    from bentpipe.study._study import Key

    Floats = NDArray[np.float64]

#: Seeds of each combination, the same for all of them.
CURVE_SEEDS = (1, 2, 3)
#: A designed sample has at least this many combinations.
_LEAST_SAMPLE = 64
#: How often two combinations of a sample exchange an option, if that makes it more even.
_EXCHANGES = 4000


@dataclass(frozen=True, kw_only=True)
class Curve(Sided):
    """A claim whose effect is wanted in every reading.

    Attributes:
        title: What the effect is, in words.
        choices: What is left open; of each the main reading first.
        plan: The scenarios of one combination and one seed, by a name. A combination has for the name of each choice
            the value of its option (the option's name where it has none).
        effect: From the runs of one combination and one seed, by these names, to the effect. Comparisons are paired so.
        unit: Unit of the effect.
        paper: The paper's number, if it has one.
        tolerance: Within which a mean and the paper's number are the same, in `unit`, as in `Claim`.
        sign: The side of `neutral` that is claimed: +1 or -1; 0 for none.
        neutral: The value that would mean "no effect"; 0 if not given and there is a `sign`. Given without a `sign` it
            says on which side the paper's number lies, as in `Claim`.
        digits: Digits after the point, for print.
        most: Up to this number of combinations, all are made; of more, the main reading and a designed
            sample, together as many.
        seed: Draws the sample.

    Raises:
        ValueError: If there is no choice, two have the same name, or the sample would have fewer than 64 combinations.
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
    most: int = 128
    seed: int = 1

    def __post_init__(self) -> None:
        """Choices are told apart by name."""
        names = [choice.name for choice in self.choices]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"the curve {self.title!r} needs choices, each with a name of its own: {names}")
        if self.whole_size > self.most and self.most < _LEAST_SAMPLE:
            raise ValueError(
                f"the curve {self.title!r}: a sample of {self.most} of {self.whole_size} combinations; at least "
                f"{_LEAST_SAMPLE} are needed"
            )

    @property
    def claimed(self) -> str:
        """The paper's number with its tolerance, as it is printed; empty without one."""
        near = f" (± {self.tolerance:g})" if self.tolerance else ""
        return "" if self.paper is None else f"{self.paper:g}{near}"

    @property
    def whole_size(self) -> int:
        """How many combinations there are."""
        return math.prod(len(choice.options) for choice in self.choices)

    @cached_property
    def combinations(self) -> tuple[tuple[int, ...], ...]:
        """The combinations that are made: of each choice the place of its option. The main readings come first."""
        sizes = [len(choice.options) for choice in self.choices]
        if self.whole_size <= self.most:
            return tuple(itertools.product(*map(range, sizes)))
        chance = random.Random(self.seed)  # noqa: S311
        sample = dict.fromkeys([(0,) * len(sizes), *_designed(sizes, self.most - 1, chance)])
        while len(sample) < self.most:  # the design had one twice, or the main reading
            sample[tuple(chance.randrange(size) for size in sizes)] = None
        return tuple(sample)

    def values(self, combination: Sequence[int]) -> dict[str, object]:
        """What `plan` is given for a combination."""
        chosen = [(choice.name, choice.options[place]) for choice, place in zip(self.choices, combination, strict=True)]
        return {name: option.name if option.value is None else option.value for name, option in chosen}

    def scenarios(self, seeds: Sequence[int]) -> dict[Key, bp.Scenario]:
        """All scenarios: the keys are combination, name and seed."""
        return {
            (combination, name, seed): scenario
            for combination in self.combinations
            for seed in seeds
            for name, scenario in self.plan(self.values(combination), seed).items()
        }

    def read(self, runs: Runs) -> SpecificationCurve:
        """The curve from its runs."""
        names: dict[Hashable, dict[str, None]] = {}
        for key in runs:
            names.setdefault(key[0], {})[str(key[1])] = None
        points = []
        for combination in self.combinations:
            effects = [
                self.effect({name: runs[combination, name, seed] for name in names[combination]})
                for seed in runs.effort.seeds
            ]
            texts = {
                tuple(runs.scenario((combination, name, seed)) for name in names[combination])
                for seed in runs.effort.seeds
            }
            points.append(Point(combination, tuple(effects), once=len(texts) == 1 < len(effects)))
        return SpecificationCurve(self, tuple(points))


def _designed(sizes: Sequence[int], count: int, chance: random.Random) -> list[tuple[int, ...]]:
    """A randomised Latin design: every option as often as the others, pairs of options nearly so.

    McKay, Beckman and Conover, A comparison of three methods for selecting values of input variables, Technometrics 21,
    1979, here with options in place of strata. Then two combinations exchange an option where that makes pairs of
    options more even, many times over.
    """
    table = np.empty((count, len(sizes)), dtype=np.int64)
    for place, size in enumerate(sizes):
        column = [row % size for row in range(count)]
        chance.shuffle(column)
        table[:, place] = column

    def unevenness(place: int) -> float:
        """Of the pairs of a choice's options with those of the others."""
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
    """One combination.

    Attributes:
        combination: Of each choice the place of its option.
        effects: The effect of each seed.
        once: Whether all seeds have one and the same run: a single sample, whose interval is not known.
    """

    combination: tuple[int, ...]
    effects: tuple[float, ...]
    once: bool = False

    @property
    def effect(self) -> bp.Estimate:
        """Mean over the seeds with its 95 % interval, infinite for a single run; NaN if a seed has no effect."""
        return bp.estimate(self.effects[:1]) if self.once else sampled(self.effects)

    @property
    def main(self) -> bool:
        """Whether every choice is in its main reading."""
        return not any(self.combination)


@dataclass(frozen=True)
class SpecificationCurve:
    """The effect in every combination.

    Attributes:
        curve: What was asked.
        points: The combinations in the order in which they were made.
    """

    curve: Curve
    points: tuple[Point, ...]

    @property
    def sorted(self) -> tuple[Point, ...]:
        """The points by effect, the least first; those without one (NaN) last."""
        return tuple(sorted(self.points, key=lambda point: (math.isnan(point.effect.mean), point.effect.mean)))

    @property
    def known(self) -> tuple[Point, ...]:
        """The points that have an effect."""
        return tuple(point for point in self.points if not math.isnan(point.effect.mean))

    @property
    def combinations(self) -> Combinations:
        """As a claim has it, and as it is stored."""
        choices = self.curve.choices
        return Combinations(
            choices=tuple(choice.name for choice in choices),
            options=tuple(tuple(option.name for option in choice.options) for choice in choices),
            places=tuple(point.combination for point in self.points),
            estimates=tuple(point.effect for point in self.points),
            unit=self.curve.unit,
            whole=self.curve.whole_size,
            searched=tuple(option.name for choice in choices for option in choice.options if option.searched),
        )

    @property
    def shares(self) -> dict[str, float]:
        """Which share of the variance over the combinations each choice explains by itself, the greatest first.

        That is the variance of what is expected: chance is taken out. Sobol's first-order index over all
        combinations; of a sample it is an estimate. Empty if the effect is the same everywhere.
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
        """Which share of the variance of the means is the seeds', and was taken out; what all share is not in it."""
        return _shares.chance(np.array([point.effects for point in self.known])) if self.shares else 0.0

    @property
    def together(self) -> float:
        """Which share no choice explains alone: choices that act only together."""
        return max(0.0, 1.0 - math.fsum(self.shares.values())) if self.shares else 0.0

    def holds(self, point: Point) -> bool | None:
        """Whether a point is surely on the claimed side, or surely on the other; None if unsure, or none is claimed."""
        return self.curve.on_side(point.effect)

    @property
    def words(self) -> str:
        """What the curve says, in a line."""
        curve, made = self.curve, len(self.points)
        known = [point.effect for point in self.sorted if not math.isnan(point.effect.mean)]
        every = f"all {made}" if made == curve.whole_size else f"{made} of {curve.whole_size}"
        parts = []
        if known:
            ends = f"{known[0].mean:.{curve.digits}f} to {known[-1].mean:.{curve.digits}f}"
            parts.append(f"over {every} combinations {ends} {curve.unit}".rstrip())
        told = [self.holds(point) for point in self.points]
        if any(one is not None for one in told):
            parts.append(f"surely on the claimed side in {told.count(True)}, on the other in {told.count(False)}")
        if curve.paper is not None:
            met = sum(
                abs(one.mean - curve.paper) <= curve.tolerance
                or (one.half_width < math.inf and not one.excludes(curve.paper))
                for one in known
            )
            parts.append(f"the claimed {curve.claimed} is met in {met}")
        if self.shares and self.chance > _shares.MOSTLY:
            parts.append(f"what decides is not told: {100.0 * self.chance:.0f} % of the variance is chance")
        elif self.shares:
            name, share = next(iter(self.shares.items()))
            parts.append(f"most is decided by {name}: {100.0 * share:.0f} % of the variance")
        if missing := made - len(known):
            parts.append(f"no effect to measure in {missing}")
        return "; ".join(parts)

    def sheets(self) -> list[Sheet]:
        """The shares of the variance, and every combination."""
        curve = self.curve
        percent = {**self.shares, "choices together": self.together}
        percent["taken out before: chance (the seeds), of the variance of the means"] = self.chance
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
        """The effects sorted with their intervals, and below which readings each of them has."""
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
    seeds: Sequence[int] = CURVE_SEEDS,
    threads: int | None = None,
    progress: Callable[[int, int], None] | bool | None = None,
    costly: bool = False,
) -> SpecificationCurve:
    """Make the runs of a curve that are not there yet, and read them.

    Args:
        curve: What is asked.
        out: Folder whose ``runs`` keeps the runs, as that of `reproduce`.
        seeds: Seeds of each combination, the same for all.
        threads: Runs at a time; as many as there are processors without it. What comes out does not depend on it.
        progress: Called with (done, all) as runs finish; True shows it on stderr.
        costly: Run even if memory or disk will not do by the estimate (`estimate_cost`).

    Raises:
        ValueError: If there are fewer than two seeds: an interval needs two.
        BentpipeError: If a run is refused or fails, as by `bentpipe.run_many`.
    """
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
    """The curves of a row as rows of their own, for `reproduce`: combinations, tables and a picture, no claim."""
    return [
        Row(
            id=f"{row.id}.{claim}-curve",
            place=row.place,
            what=curve.title,
            says=row.says,
            plan=partial(_plan, curve),
            # The digest of what makes the effect is part of the finding's fingerprint.
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
