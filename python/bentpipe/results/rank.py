# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rank controllers for a stated aim, with confidence intervals."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from bentpipe.base import arguments
from bentpipe.base.errors import ScenarioError
from bentpipe.base.stats import Estimate, estimate, fixed
from bentpipe.results.felt import APPLICATIONS
from bentpipe.results.metrics import BY_KEY, There

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


@dataclass(frozen=True)
class Aim:
    """An aim: a weighted sum of numbers. A higher sum is better.

    Attributes:
        name: Name of the aim.
        terms: Metrics and weights. If `logarithmic`, the weights apply to logarithms, so units have no effect on the
            order.
        logarithmic: Whether natural logarithms are summed.
    """

    name: str
    terms: tuple[tuple[str, float], ...]
    logarithmic: bool = False

    def said(self) -> str:
        """Return the formula in words."""
        parts = []
        for key, weight in self.terms:
            metric = BY_KEY[key]
            if self.logarithmic and key in _OF_ALL:
                parts.append(f"{-weight:+g} × ln (100 % - {metric.label})")
                continue
            number = f"{'ln ' if self.logarithmic else ''}{metric.label}{f' in {metric.unit}' if metric.unit else ''}"
            parts.append(f"{weight:+g} × {number}")
        tail = ("; 0.1 is about 10 %" if self.logarithmic else "") + "; more is better"
        return f"score for {self.name}: {', '.join(parts)}{tail}"

    def score(self, numbers: Mapping[str, float | None]) -> float | None:
        """Return the weighted sum; None if a number is missing."""
        total = 0.0
        for key, weight in self.terms:
            value = self.term(key, numbers[key])
            if value is None:
                return None
            total += weight * value
        return total

    def term(self, key: str, value: float | None) -> float | None:
        """Return the value that the weight multiplies: the number or its logarithm; None if the number is missing."""
        return value if value is None or not self.logarithmic else _logarithm(key, value)


#: Percentages that may be 0. The logarithm of 100 % minus the value is used.
_OF_ALL = ("stalled_percent", "call_missed_percent")


def _logarithm(key: str, value: float) -> float | None:
    if key in _OF_ALL:
        return None if value >= 100.0 else -math.log1p(-value / 100.0)
    return None if value <= 0.0 else math.log(value)


#: Aims that do not depend on the flows. "balanced" depends on the flows (`aim`).
AIMS = {
    "goodput": Aim("goodput", (("goodput_mbit_s", 1.0),)),
    "delay": Aim("delay", (("queueing_p95_ms", -1.0),)),
    "completion": Aim("completion", (("completion_median_s", -0.5), ("completion_p95_s", -0.5))),
    "visits": Aim("visits", (("visit_median_s", -0.5), ("visit_p95_s", -0.5))),
    "page-load": Aim("page-load", (("page_median_s", -0.5), ("page_p95_s", -0.5))),
    "stalls": Aim("stalls", (("stalled_percent", -1.0),)),
    "calls": Aim("calls", (("call_missed_percent", -1.0),)),
}
NAMES = (*AIMS, "balanced")
#: The aims for which a share of the best is meaningful, because their numbers have ratios.
SHARED = ("balanced", "goodput", "delay", "completion", "visits", "page-load")
#: The flows that an aim needs, and the message if these flows are missing.
_NEEDS: dict[str, tuple[Callable[[There], bool], str]] = {
    "completion": (
        lambda there: there.transfers > 0,
        "no flow can finish: completion times need a TCP flow with a `size`",
    ),
    "visits": (
        lambda there: bool(there.applications),
        f"no flow has visits: visits need a flow of the kinds {', '.join(APPLICATIONS)}",
    ),
    "page-load": (lambda there: "web" in there.applications, "no flow loads pages: pages need a flow of kind web"),
    "stalls": (lambda there: "video" in there.applications, "no flow plays films: films need a flow of kind video"),
    "quality": (lambda there: "video" in there.applications, "no flow plays films: films need a flow of kind video"),
    "calls": (lambda there: there.calls, "no flow is a call: calls need a flow of kind call"),
}


def fits(name: str, there: There) -> bool:
    """Return whether an aim, or a part of an aim, is meaningful for these flows."""
    return name not in _NEEDS or _NEEDS[name][0](there)


def check(parts: Iterable[str], there: There) -> None:
    """Check that aims, or parts of an aim, are meaningful for these flows.

    Raises:
        ScenarioError: If an aim is not meaningful. The message has the kinds of the flows.
    """
    for name in parts:
        if not fits(name, there):
            others = ", ".join(one for one in NAMES if fits(one, there))
            raise ScenarioError(
                "usage", f"{_NEEDS[name][1]}; the selected flows are {there.said()} (aims that fit them: {others})"
            )


def aim(name: str, there: There) -> Aim:
    """Return an aim by name. "balanced" is the logarithm of power (goodput/delay: Kleinrock 1979) plus further terms.

    Goodput is not meaningful for applications, or if all TCP flows can finish. In these cases, the median duration of
    visits or the median completion time replaces goodput. With two or more TCP flows without a size, Jain's index also
    counts.

    Args:
        name: One of `NAMES`.
        there: The kinds of the flows.

    Raises:
        ArgumentError: If there is no such aim.
    """
    if name in AIMS:
        return AIMS[name]
    if name != "balanced":
        raise arguments.known("aim", name, NAMES)
    terms = [("goodput_mbit_s", 1.0)] if there.endless else []
    terms.append(("rtt_p95_ms", -1.0))
    if there.transfers:
        terms.append(("completion_median_s", -1.0))
    if there.applications:
        terms.append(("visit_median_s", -1.0))
    if there.tcp > 1 and not (there.transfers or there.applications):
        terms.append(("jain_index", 1.0))
    return Aim("balanced", tuple(terms), logarithmic=True)


class Compared(Protocol):
    """Interface of a comparison of controllers in one scenario over the same seeds, for example `Comparison`."""

    @property
    def controllers(self) -> Sequence[str]:
        """The keys of the controllers."""

    @property
    def without_chance(self) -> frozenset[str]:
        """The controllers whose runs are the same for every seed."""

    def by_seed(self, controller: str, metric: str) -> Mapping[int, float | None]:
        """Return a number by seed. Without random numbers, every seed has the same number."""


@dataclass(frozen=True)
class Place:
    """The position of a controller in the ranking.

    Attributes:
        rank: The rank, from 1; 0 for a controller without a score. A controller that is not separated from the first
            controller of a rank shares this rank.
        controller: Key of the controller in the comparison.
        score: Mean over the seeds.
        behind: Paired difference to the first controller of the rank. For this first controller itself, it is the
            difference to the first controller of the rank above.
        verdict: Whether the controller is separated from another controller, in words, with the name of the other.
    """

    rank: int
    controller: str
    score: Estimate
    behind: Estimate
    verdict: str


def ranking(result: Compared, wanted: Aim) -> list[Place]:
    """Sort the controllers by mean score, the best first. Controllers whose paired difference may be zero share a rank.

    Each difference has its own 95 % interval. Chance therefore separates about one in twenty neighbours that are equal.
    """
    scores = {name: _scores(result, name, wanted) for name in result.controllers}
    whole = {name: by_seed for name, by_seed in scores.items() if by_seed}
    order = sorted(whole, key=lambda name: -statistics.fmean(whole[name].values()))
    places: list[Place] = []
    first, rank = "", 0
    for position, name in enumerate(order, 1):
        mine = _estimate(result, [name], list(whole[name].values()))
        if not first:
            first, rank = name, position
            places.append(Place(rank, name, mine, fixed(0.0), "the best"))
            continue
        both = [seed for seed in whole[name] if seed in whole[first]]
        behind = _estimate(result, [name, first], [whole[name][seed] - whole[first][seed] for seed in both])
        verdict = _verdict(behind, first)
        if verdict.startswith("behind"):
            first, rank = name, position
        places.append(Place(rank, name, mine, behind, verdict))
    nothing = Estimate(math.nan, math.inf, 0)
    missing = [name for name in result.controllers if name not in whole]
    return places + [Place(0, name, nothing, nothing, f"no score: {_lacks(result, name, wanted)}") for name in missing]


def _lacks(result: Compared, name: str, wanted: Aim) -> str:
    """Return the numbers of an aim that a controller lacks with at least one seed, in words."""
    seeds: dict[str, set[int]] = {}
    every: set[int] = set()
    for key, _ in wanted.terms:
        for seed, value in result.by_seed(name, key).items():
            every.add(seed)
            if wanted.term(key, value) is None:
                seeds.setdefault(lack(key, value), set()).add(seed)
    return "; ".join(
        said if found == every else f"{said} in {len(found)} of {len(every)} seeds" for said, found in seeds.items()
    )


def lack(key: str, value: float | None) -> str:
    """Return the reason why a number does not count, in words. The number has no logarithm, or it is missing (None)."""
    if value is None and key.startswith("completion"):
        return "transfers were not finished in time"
    if value is None and key.startswith(("visit", "page")):
        return "no visit that began after the warm-up finished"
    metric = BY_KEY[key]
    if value is None:
        return f"{metric.label} is not known"
    return f"{metric.label} is {value:g} {metric.unit}".rstrip()


def _verdict(behind: Estimate, first: str) -> str:
    if behind.half_width == 0.0:
        return f"behind {first}" if behind.mean else f"the same number as {first}"
    if math.isinf(behind.half_width):
        return f"behind {first} in the only seed: no interval"
    return f"behind {first}" if behind.high < 0.0 else f"not separated from {first} by {behind.samples} seeds"


def _scores(result: Compared, name: str, wanted: Aim) -> dict[int, float]:
    """Return the scores by seed; empty if any seed lacks a number."""
    numbers = {key: result.by_seed(name, key) for key, _ in wanted.terms}
    seeds = list(next(iter(numbers.values())))
    scores = {seed: wanted.score({key: values[seed] for key, values in numbers.items()}) for seed in seeds}
    return {seed: score for seed, score in scores.items() if score is not None} if None not in scores.values() else {}


def _estimate(result: Compared, names: Sequence[str], values: Sequence[float]) -> Estimate:
    if not values:
        return Estimate(math.nan, math.inf, 0)
    return fixed(values[0]) if result.without_chance.issuperset(names) else estimate(values)
