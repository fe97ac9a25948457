# SPDX-License-Identifier: MIT OR Apache-2.0
"""The scores of a league: scores of controllers in a scenario, and scores over all scenarios for an aim."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bentpipe._league import _ranks
from bentpipe.base.stats import Estimate, estimate, fixed
from bentpipe.results import rank as _rank
from bentpipe.results.notes import path_lines
from bentpipe.scenario import catalogue
from bentpipe.scenario.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bentpipe._league._matches import Line
    from bentpipe._league._suite import Arena

#: The aims of `compare --for`. By default, the first aim is shown first.
AIMS = _rank.SHARED
#: A controller is stalled if it has less than this fraction of the best goodput in a scenario.
STALLED = 0.05
#: The quantity that each aim measures.
SAID = {
    "balanced": (
        "power. For flows that do not end: goodput divided by p95 RTT, multiplied by Jain's index if there are "
        "several flows. For transfers: 1 divided by the product of p95 RTT and median completion time. For "
        "applications: 1 divided by the product of p95 RTT and median time of a visit"
    ),
    "goodput": "goodput, in the scenarios with flows that do not end",
    "delay": (
        "1 divided by p95 RTT (p95 queueing delay gives the same order within a scenario, but ratios of queueing "
        "delays have no meaning if the smallest delay is zero)"
    ),
    "completion": "1 divided by the mean of median and p95 completion time, in the scenarios with only transfers",
    "visits": (
        "1 divided by the mean of median and p95 time of a visit, including unfinished visits, in the scenarios with "
        "applications"
    ),
    "page-load": (
        "1 divided by the mean of median and p95 load time of a page, including unfinished loads, in the scenarios "
        "with pages"
    ),
}
RULE = (
    "In each scenario, a controller's number is divided by the best mean over the seeds. A failed run and a run "
    "without the number count as 0. A scenario in which no controller has a number is left out. The score is the mean "
    "over the other scenarios with equal weights. The score therefore depends on the suite and on the compared "
    "controllers."
)
RANGES = (
    "The range of a rank follows from the numbers of controllers that are significantly better and significantly "
    "worse. These numbers come from intervals of paired differences. The confidence of 95 % is joint: it holds for "
    "all intervals of a controller at once. The first range shows the uncertainty by the seeds in this suite. The "
    "range “elsewhere” treats the scenarios as a sample: it is the range in another suite of the same kind. Two "
    "controllers are not separated if the interval over the seeds of their paired difference contains 0."
)


def merit(aim: _rank.Aim, numbers: dict[str, float | None]) -> float:
    """Return the value of the numbers for an aim, on a ratio scale where more is better; 0 without a number."""
    score = aim.score(numbers)
    if score is None:
        return 0.0
    if aim.logarithmic:
        return math.exp(score)
    return score if score >= 0.0 else -1.0 / score


def aim_in(name: str, arena: Arena) -> _rank.Aim | None:
    """Return an aim for the flows of a scenario; None if the aim is not meaningful for these flows."""
    if name == "delay":
        return _rank.Aim("delay", (("rtt_p95_ms", -1.0),))
    if not _rank.fits(name, arena.there) or (name == "goodput" and not arena.there.endless):
        return None
    return _rank.aim(name, arena.there)


class Score:
    """A scenario with the runs of all controllers, in the form of `_rank.ranking`.

    Attributes:
        arena: The scenario.
        lines: Runs by controller, in the order of the seeds.
        lacking: Controllers for which the path lacks a signal, with these signals.
        controllers: The controllers that can run in this scenario.
        without_chance: Controllers whose runs are the same for every seed.
        path: Notes on the path.
    """

    def __init__(self, arena: Arena, lines: Iterable[Line]) -> None:
        self.arena = arena
        every: dict[str, list[Line]] = {}
        for line in lines:
            every.setdefault(line.controllers[0], []).append(line)
        self.lacking = {
            name: str(some[0].error).partition(": ")[2] for name, some in every.items() if some[0].lacks_signal
        }
        self.lines = {name: some for name, some in every.items() if name not in self.lacking}
        self.controllers = tuple(self.lines)
        self.without_chance = frozenset(name for name, some in self.lines.items() if len(some) == 1)
        said: dict[str, tuple[str, ...]] = {}
        for line in (line for some in self.lines.values() for line in some if line.error is None):
            said.setdefault(f"seed {line.seed}", line.path)
        self.path = path_lines(said)
        self._ranked: dict[str, list[_rank.Place]] = {}
        self._seeds = max((len(some) for some in self.lines.values()), default=1)

    def by_seed(self, controller: str, metric: str) -> dict[int, float | None]:
        """Return a number by seed; empty if a run failed. Without random numbers, all seeds have the same number."""
        found = {line.number: line.numbers.get(metric) for line in self.lines[controller]}
        if controller in self.without_chance:
            return dict.fromkeys(range(1, self._seeds + 1), next(iter(found.values())))
        return found

    @property
    def main(self) -> str:
        """The main number of the scenario: goodput, or a median time (visits, transfers) if all flows finish."""
        there = self.arena.there
        if there.endless:
            return "goodput_mbit_s"
        return "visit_median_s" if there.applications else "completion_median_s"

    def estimate(self, controller: str, metric: str) -> Estimate:
        """Mean over the seeds with its interval; NaN if a seed has no number."""
        values = [line.numbers.get(metric) for line in self.lines[controller]]
        known = [value for value in values if value is not None]
        if not known or len(known) < len(values):
            return Estimate(math.nan, math.inf, 0)
        return fixed(known[0]) if controller in self.without_chance else estimate(known)

    def shares(self, aim: str) -> dict[str, list[float]]:
        """The share of the best by controller and seed; empty if the aim is not meaningful or has no numbers."""
        wanted = aim_in(aim, self.arena)
        if wanted is None:
            return {}
        merits = {
            name: [merit(wanted, line.numbers) if line.error is None else 0.0 for line in some]
            for name, some in self.lines.items()
        }
        best = max((math.fsum(some) / len(some) for some in merits.values()), default=0.0)
        return {name: [value / best for value in some] for name, some in merits.items()} if best else {}

    def has_nobody(self, aim: str) -> bool:
        """Whether the aim is meaningful in this scenario, but no controller has a number above 0."""
        return aim_in(aim, self.arena) is not None and not self.shares(aim)

    def ranking(self, aim: str) -> list[_rank.Place]:
        """Return the ranking in this scenario, by the rule of `compare`."""
        if aim not in self._ranked:
            wanted = aim_in(aim, self.arena)
            self._ranked[aim] = [] if wanted is None else _rank.ranking(self, wanted)
        return self._ranked[aim]

    @property
    def without_seeds(self) -> bool:
        """Whether the scenario itself draws no random numbers (controllers may draw)."""
        return not self.arena.has_chance

    @property
    def drawing(self) -> list[str]:
        """Return the controllers that draw random numbers in a scenario that draws none."""
        return [name for name in self.controllers if self.without_seeds and name not in self.without_chance]

    @cached_property
    def _goodputs(self) -> dict[str, float]:
        found = {}
        for name, some in self.lines.items():
            values = [line.numbers.get("goodput_mbit_s") or 0.0 for line in some]
            found[name] = math.fsum(values) / len(values)
        return found

    def troubles(self, controller: str) -> list[str]:
        """Return the controller's problems in words; empty if there are none."""
        if controller not in self.lines:
            return []
        some = self.lines[controller]
        count = Counter(finding for line in some for finding in line.findings)
        failed = sum(line.error is not None for line in some)
        best = max(self._goodputs.values(), default=0.0)
        found = [f"{failed} of {len(some)} runs failed"] if failed else []
        if self._goodputs[controller] < STALLED * best:
            found.append("stalled")
        unfinished = [line.numbers.get("finished_percent") for line in some if line.error is None]
        if any(value is not None and value < 100.0 for value in unfinished):
            found.append("unfinished")
        found += [f"{kind.replace('-', ' ')}" for kind in sorted(count)]
        # A substitute for another controller is not listed as a problem, because its name shows it.
        told = int(catalogue.label(Choice.of(controller).name) != Choice.of(controller).name)
        if any(len(line.degraded) > told for line in some):
            found.append("degraded")
        return found


@dataclass(frozen=True)
class Standing:
    """A controller's result for an aim over the whole suite.

    Attributes:
        controller: Key of the controller.
        score: Mean share of the best in percent, with its interval by chance; NaN if no controller has a number.
        elsewhere: The mean with its interval by the choice of scenarios.
        rank: Rank with its range by chance; None if the controller could not run in every scenario.
        rank_elsewhere: Rank with its range over the scenarios.
        worst: The scenario with the controller's smallest share, and the share in percent; None if no controller has a
            number.
        scenarios: Number of scenarios that the controller ran, without scenarios where no controller has a number.
        troubles: Number of scenarios with each kind of problem.
    """

    controller: str
    score: Estimate
    elsewhere: Estimate
    rank: _ranks.Rank | None
    rank_elsewhere: _ranks.Rank | None
    worst: tuple[str, float] | None
    scenarios: int
    troubles: dict[str, int]


def but_with(drawing: Sequence[str]) -> str:
    """Return the controllers that draw although the scenario does not, as text in brackets; empty if there are none."""
    draw = "draws" if len(drawing) == 1 else "draw"
    return f" (except with {', '.join(drawing)}, which {draw} at random)" if drawing else ""


def percent(one: Estimate) -> Estimate:
    """A share as percent."""
    return Estimate(100.0 * one.mean, 100.0 * one.half_width, one.samples, one.level)


def standings(scores: Sequence[Score], controllers: Sequence[str], aim: str) -> list[Standing]:
    """Return the results of all controllers for an aim, the best first. Controllers without a rank are last.

    If no controller has a number in any scenario, all controllers have neither a score nor a rank.
    """
    shares = {score.arena.name: some for score in scores if (some := score.shares(aim))}
    strata = {name: {arena: some[name] for arena, some in shares.items() if name in some} for name in controllers}
    whole = {name: list(mine.values()) for name, mine in strata.items() if shares and len(mine) == len(shares)}
    ranks = _ranks.ranks(whole)
    elsewhere = _ranks.ranks(whole, _ranks.over_scenarios)
    troubles = {
        name: Counter("failed" if "failed" in one else one for score in scores for one in score.troubles(name))
        for name in controllers
    }
    if not shares:
        there = [name for name in controllers if any(name in score.lines for score in scores)]
        nothing = Estimate(math.nan, math.inf, 0)
        return [
            Standing(name, nothing, nothing, None, None, None, 0, dict(sorted(troubles[name].items())))
            for name in there
        ]
    found = []
    partly = sorted((name for name in strata if name not in whole and strata[name]), key=str)
    for name in [*ranks, *partly]:
        mine = strata[name]
        means = {arena: math.fsum(values) / len(values) for arena, values in mine.items()}
        worst = min(means, key=lambda arena: means[arena])
        found.append(
            Standing(
                name,
                percent(_ranks.by_chance(list(mine.values()))),
                percent(_ranks.over_scenarios(list(mine.values()))),
                ranks.get(name),
                elsewhere.get(name),
                (worst, 100.0 * means[worst]),
                len(mine),
                dict(sorted(troubles[name].items())),
            )
        )
    return found
