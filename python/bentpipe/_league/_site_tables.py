# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables of a league's site: ranks, scenarios, beds and single controllers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bentpipe._league._standings import aim_in, percent
from bentpipe._league._tables import NUMBERS
from bentpipe.base.stats import Estimate
from bentpipe.results.metrics import BY_KEY
from bentpipe.scenario.choice import Choice
from bentpipe.show.pages.page import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bentpipe._league._competition import Bed
    from bentpipe._league._league import League
    from bentpipe._league._matches import Line
    from bentpipe._league._ranks import Rank
    from bentpipe._league._standings import Score, Standing
    from bentpipe.results.metrics import Metric

#: Widely used controllers. The table of ranks has a column for the share against each of these controllers.
MEASURES = ("cubic", "reno", "bbr3")
#: Largest number of names in a cell that lists the controllers that are not separated.
_NAMED = 3
_NOTHING = Estimate(math.nan, math.inf, 0)
#: Numbers in a scenario's table, next to the share and the rank.
_OF_SCENARIO = (
    *("goodput_mbit_s", "others_goodput_mbit_s", "completion_median_s", "completion_p95_s", "finished_percent"),
    *("visit_median_s", "visit_p95_s", "visits_done_percent", "stalled_percent", "film_mbit_s"),
    *("call_missed_percent", "call_p95_ms"),
    *("queueing_p95_ms", "rtt_p95_ms", "loss_percent", "retransmitted_percent", "jain_index"),
)
#: Numbers of each scenario in a controller's table, and of the two flows on a bed.
_OF_CONTROLLER = (
    *("goodput_mbit_s", "completion_median_s", "visit_median_s", "visits_done_percent", "queueing_p95_ms"),
    *("loss_percent", "retransmitted_percent"),
)
_OF_BOTH = [BY_KEY[key] for key in ("goodput_mbit_s", "queueing_p95_ms", "loss_percent")]


def _estimate(one: Estimate, digits: int) -> Cell:
    return Cell(one.text(digits), one.mean)


def _rank(one: Rank | None) -> Cell:
    return Cell("–", math.nan) if one is None else Cell(str(one), float(one.place))


def _worst(one: Standing) -> Cell:
    if one.worst is None:
        return Cell("–", math.nan)
    return Cell(f"{one.worst[1]:.0f} in {one.worst[0]}", one.worst[1])


def _trouble(said: Iterable[str], between: str) -> Cell:
    return Cell(between.join(said), is_bad=True)


def _measured(keys: Iterable[str], lines: Sequence[Line]) -> list[Metric]:
    return [BY_KEY[key] for key in keys if any(line.numbers.get(key) is not None for line in lines)]


def _tied(one: Standing) -> str:
    if one.rank is None:
        return (
            "no rank: a scenario does not give it a signal that it needs"
            if one.scenarios
            else "no rank: no controller has a number"
        )
    return ", ".join(one.rank.tied) if len(one.rank.tied) <= _NAMED else f"{len(one.rank.tied)} others"


@dataclass(frozen=True)
class Tables:
    """Builds the tables, with links from cells to pages.

    Attributes:
        result: The league.
        files: The name of the page of each controller, without suffix.
        up: The path from the page with the table to the folder of the site: empty or ``"../"``.
    """

    result: League
    files: dict[str, str]
    up: str = ""

    def _controller(self, name: str) -> Cell:
        return Cell(Choice.of(name).label, link=f"{self.up}controllers/{self.files[name]}.html")

    def _scenario(self, name: str) -> Cell:
        return Cell(name, link=f"{self.up}scenarios/{name}.html")

    def ranks(self, aim: str) -> Table:
        """Return the table of controllers for an aim. Text columns are first: a wide table hides its last columns."""
        others = [one for one in self.result.aims if one != aim]
        beside = {one: {row.controller: row.score for row in self.result.standings(one)} for one in others}
        head = ["rank", "elsewhere", "controller", f"{aim} %", "trouble (scenarios)"]
        head += ["not separated from", "worst, % of the best", *(f"{one} %" for one in others)]
        rows = [
            [
                _rank(one.rank),
                _rank(one.rank_elsewhere),
                self._controller(one.controller),
                _estimate(one.score, 1),
                _trouble((f"{what} {count}" for what, count in one.troubles.items()), ", "),
                Cell(_tied(one)),
                _worst(one),
                *(_estimate(beside[other].get(one.controller, _NOTHING), 1) for other in others),
            ]
            for one in self.result.standings(aim)
        ]
        return Table(head, rows, sorts=True)

    def troubles(self) -> Table:
        """Problems by scenario."""
        rows = [
            [self._controller(name), self._scenario(score.arena.name), Cell(one)]
            for score in self.result.scores
            for name in score.controllers
            for one in score.troubles(name)
        ]
        return Table(["controller", "scenario", "what"], rows, sorts=True)

    def bed(self, bed: Bed) -> Table:
        """Return the table of shares on a bed."""
        measures = [one for one in MEASURES if one in bed.controllers]
        alone = ["jain_index", *NUMBERS[:3]]
        rows = [
            [
                self._controller(name),
                _estimate(percent(bed.against_all(name)), 1),
                *(_estimate(percent(bed.share(name, one)), 1) for one in measures),
                *(_estimate(bed.number(name, name, key), BY_KEY[key].digits) for key in alone),
            ]
            for name in self.result.order
            if name in bed.controllers
        ]
        head = ["controller", "share of all %", *(f"share of {one} %" for one in measures), "against itself: Jain"]
        return Table([*head, *(f"against itself: {BY_KEY[key].heading}" for key in alone[1:])], rows, sorts=True)

    def scenarios(self) -> Table:
        """Return the table of scenarios: the question of each scenario, and its best controller."""
        rows = []
        for score in self.result.scores:
            places = score.ranking(self.result.aim) or score.ranking("balanced")
            best = places[0].controller if places and places[0].rank else ""
            shared = sum(place.rank == 1 for place in places)
            said = f" and {shared - 1} controllers not separated from it" if shared > 1 else ""
            seeds = "draws nothing at random: one run" if score.without_seeds else str(self.result.plan.seeds)
            asks = score.arena.about.get("Asks", "")
            rows.append([self._scenario(score.arena.name), Cell(asks), Cell(f"{best}{said}"), Cell(seeds)])
        return Table(["scenario", "asks", f"best for {self.result.aim}", "seeds"], rows, sorts=True)

    def scenario(self, score: Score) -> Table:
        """Return the table of all controllers in a scenario."""
        aim = self.result.aim if aim_in(self.result.aim, score.arena) else "balanced"
        shown = _measured(_OF_SCENARIO, [line for some in score.lines.values() for line in some])
        shares = score.shares(aim)
        rows = []
        for place in score.ranking(aim):
            name = place.controller
            share = sum(shares[name]) / len(shares[name]) if name in shares else math.nan
            rows.append(
                [
                    Cell(str(place.rank or "–"), float(place.rank or math.nan)),
                    self._controller(name),
                    Cell("–" if math.isnan(share) else f"{100.0 * share:.1f}", share),
                    Cell(place.verdict),
                    _trouble(score.troubles(name), "; "),
                    *(_estimate(score.estimate(name, one.key), one.digits) for one in shown),
                ]
            )
        head = ["rank", "controller", f"{aim} % of the best", f"for {aim}", "trouble"]
        return Table([*head, *(one.heading for one in shown)], rows, sorts=True)

    def aims(self, controller: str) -> Table:
        """Return the table of a controller's ranks for every aim."""
        rows = [
            [Cell(aim), _rank(one.rank), _rank(one.rank_elsewhere), _estimate(one.score, 1), _worst(one)]
            for aim in self.result.aims
            for one in self.result.standings(aim)
            if one.controller == controller
        ]
        return Table(["for", "rank", "elsewhere", "score %", "worst, % of the best"], rows, sorts=True)

    def of_controller(self, controller: str) -> Table:
        """Return the table of a controller's numbers in every scenario that the controller can run."""
        result = self.result
        scores = [score for score in result.scores if controller in score.lines]
        shown = _measured(_OF_CONTROLLER, [line for score in scores for line in score.lines[controller]])
        rows = []
        for score in scores:
            shares = [score.shares(aim).get(controller) for aim in result.aims]
            means = [sum(some) / len(some) if some else math.nan for some in shares]
            place = next((one for one in score.ranking(result.aim) if one.controller == controller), None)
            rows.append(
                [
                    self._scenario(score.arena.name),
                    *(Cell("–" if math.isnan(one) else f"{100.0 * one:.0f}", one) for one in means),
                    *(_estimate(score.estimate(controller, one.key), one.digits) for one in shown),
                    Cell("–" if place is None or not place.rank else f"{place.rank}: {place.verdict}"),
                    _trouble(score.troubles(controller), "; "),
                ]
            )
        heads = ["scenario", *(f"{aim} %" for aim in result.aims), *(one.heading for one in shown)]
        return Table([*heads, f"rank for {result.aim}", "trouble"], rows, sorts=True)

    def against(self, bed: Bed, controller: str) -> Table:
        """Return the table of a controller's opponents on a bed."""
        rows = [
            [
                self._controller(other),
                _estimate(percent(bed.share(controller, other)), 1),
                *(_estimate(bed.number(controller, other, one.key), one.digits) for one in _OF_BOTH),
            ]
            for other in bed.controllers
        ]
        return Table(["against", "share %", *(f"both: {one.heading}" for one in _OF_BOTH)], rows, sorts=True)
