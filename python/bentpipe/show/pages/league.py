# SPDX-License-Identifier: MIT OR Apache-2.0
"""The site of a league: static pages that open without a network and without JavaScript.

The tables are in the pages; a script of thirty lines only sorts them.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._league import _since
from bentpipe._league._since import ABOUT, BEFORE, about
from bentpipe._league._standings import RANGES, RULE, SAID, percent
from bentpipe._league._tables import NUMBERS
from bentpipe.base.files import write_text
from bentpipe.base.stats import Estimate
from bentpipe.results.metrics import BY_KEY
from bentpipe.scenario.choice import Choice
from bentpipe.show.pages import controller as _controller_page
from bentpipe.show.pages import markup
from bentpipe.show.pages.run import Page
from bentpipe.show.pictures import league

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bentpipe._league._competition import Bed
    from bentpipe._league._league import League
    from bentpipe._league._since import About
    from bentpipe._league._standings import Score, Standing

#: Those who stand for what is in use, whose share against each is shown.
MEASURES = ("cubic", "reno", "bbr3")
#: So many that a controller is not separated from are named.
_NAMED = 3
#: So many runs that failed are told one by one.
_ERRORS = 20
#: With fewer seeds than this, intervals are so wide that a page says why.
_SEEDS_OF_SENSE = 4
_NOTHING = Estimate(math.nan, math.inf, 0)
#: Numbers of a scenario's table besides the share and the rank.
_SHOWN = (
    *("goodput_mbit_s", "others_goodput_mbit_s", "completion_median_s", "completion_p95_s", "finished_percent"),
    *("visit_median_s", "visit_p95_s", "visits_done_percent", "stalled_percent", "film_mbit_s"),
    *("call_missed_percent", "call_p95_ms"),
    *("queueing_p95_ms", "rtt_p95_ms", "loss_percent", "retransmitted_percent", "jain_index"),
)


def write(result: League, out: Path) -> Path:
    """Tables, pages, and what the next league compares with; pages of an earlier one that are no more are removed."""
    site = _Site(result, out)
    said = about(result)
    before = _since.earlier(result, out)
    site.write_all(said, before)
    result.runs.to_csv(out / "runs.csv")
    result.ranks.to_csv(out / "ranks.csv")
    result.pairs.to_csv(out / "competition.csv")
    earlier = () if result.before is None else result.before.get("pages", ())
    stale = {str(one) for one in earlier} - set(site.pages)
    for page in sorted(stale):
        if page.endswith(".html") and (out / page).resolve().is_relative_to(out.resolve()):
            (out / page).unlink(missing_ok=True)
    if before is not None:
        write_text(out / BEFORE, _as_text(before))
    write_text(out / ABOUT, _as_text({**said, "pages": sorted(site.pages)}))
    return out / "index.html"


def _as_text(said: About) -> str:
    return json.dumps(said, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


class _Site:
    """The pages; every one leads to every other in two steps."""

    def __init__(self, result: League, out: Path) -> None:
        self.result, self.out = result, out
        self.pages: list[str] = []
        self.files = _file_names(result.controllers)
        first, *others = result.aims
        self.aims = {first: "index.html"} | {aim: f"{aim}.html" for aim in others}

    def links(self, up: str) -> list[tuple[str, str]]:
        """Every page's head."""
        found = [(f"ranks for {aim}", up + page) for aim, page in self.aims.items()]
        if self.result.beds:
            found.append(("competition", f"{up}competition.html"))
        return [*found, ("scenarios", f"{up}scenarios.html"), ("changes", f"{up}changes.html")]

    def page(self, title: str, lead: str, here: str, up: str = "") -> Page:
        """A page with its head."""
        page = Page(title, lead)
        page.block(markup.STYLE + markup.nav(self.links(up), here))
        return page

    def done(self, page: Page, name: str) -> None:
        """Write a page."""
        page.block(markup.SCRIPT)
        page.write(self.out / name)
        self.pages.append(name)

    def write_all(self, said: About, before: About | None) -> None:
        """Every page."""
        for aim, name in self.aims.items():
            self._ranks(aim, name)
        if self.result.beds:
            self._competition()
        self._scenarios()
        self._changes(said, before)
        for score in self.result.scores:
            self._scenario(score)
        for controller in self.result.controllers:
            page = self.page(*_controller_page.head(controller), "", "../")
            _controller_page.fill(page, self.result, controller, self.files)
            self.done(page, f"controllers/{self.files[controller]}.html")

    def controller(self, name: str, up: str = "") -> str:
        """The cell of a controller."""
        return markup.name(f"{up}controllers/{self.files[name]}.html", Choice.of(name).label)

    def _ranks(self, aim: str, name: str) -> None:
        result = self.result
        count, beds = len(result.scores), len(result.beds)
        lead = (
            f"{len(result.controllers)} controllers over {count} scenarios, {result.plan.seeds} seeds where there is "
            "chance"
            + (f", and each against each on {beds} bed{'s' if beds > 1 else ''}" if beds else "")
            + f". Bentpipe {_core.build()}."
        )
        page = self.page(f"League of controllers: {aim}", lead, f"ranks for {aim}")
        if any(score.arena.quick for score in result.scores):
            page.text("A first look: short runs and few seeds. Ranks of a whole league may be others.")
        page.block(markup.table(*self._standings(aim)))
        page.heading("How the ranks are made")
        page.text(f"{aim.capitalize()}: the share of the scenario's best {SAID[aim]}. {RULE}")
        page.text(RANGES)
        page.bullets(result.notes)
        if {"goodput", "delay"} <= set(result.aims):
            caption = "Nobody is better in goodput and delay at once than those on the line"
            page.figure(league.total(result), caption)
        self._troubles(page)
        page.heading("Files")
        page.text("runs.csv has every run, ranks.csv this table for every aim, competition.csv every pair.")
        self.done(page, name)

    def _standings(self, aim: str) -> tuple[list[str], list[list[str]]]:
        others = [one for one in self.result.aims if one != aim]
        beside = {one: {row.controller: row.score for row in self.result.standings(one)} for one in others}
        # Words stand before the many numbers: a wide table hides its last columns.
        head = ["rank", "elsewhere", "controller", f"{aim} %", "trouble (scenarios)"]
        head += ["not separated from", "worst, % of the best"]
        rows = []
        for one in self.result.standings(aim):
            placed = [
                markup.number(float(rank.place) if rank else float("nan"), str(rank) if rank else "–")
                for rank in (one.rank, one.rank_elsewhere)
            ]
            rows.append(
                [
                    *placed,
                    self.controller(one.controller),
                    markup.estimate(one.score, 1),
                    _troubles(one),
                    markup.text(_tied(one)),
                    markup.number(one.worst[1], f"{one.worst[1]:.0f} in {one.worst[0]}"),
                    *(markup.estimate(beside[other].get(one.controller, _NOTHING), 1) for other in others),
                ]
            )
        return [*head, *(f"{one} %" for one in others)], rows

    def _troubles(self, page: Page) -> None:
        rows = [
            [
                self.controller(name),
                markup.name(f"scenarios/{score.arena.name}.html", score.arena.name),
                markup.text(one),
            ]
            for score in self.result.scores
            for name in score.controllers
            for one in score.troubles(name)
        ]
        page.heading("Stalls, guards and failed runs", anchor="troubles")
        if not rows and not self.result.failed:
            page.text("None.")
            return
        page.text(
            "Stalled: less than a twentieth of the scenario's best goodput. Unfinished: transfers that were not done "
            "in time. Runaway, long recovery, not connected: findings of the run's guards. Each "
            "counts in the scores as it came out."
        )
        page.block(markup.table(["controller", "scenario", "what"], rows))
        failed = self.result.failed
        for line in failed[:_ERRORS]:
            page.text(f"{' against '.join(line.controllers)} in {line.arena}, seed {line.seed}: {line.error}")
        if len(failed) > _ERRORS:
            page.text(f"{len(failed) - _ERRORS} more runs failed: runs.csv and competition.csv have their errors.")

    def _competition(self) -> None:
        page = self.page(
            "Competition",
            "Two flows on one bottleneck, a controller each, each against each. Each has the first place in half of "
            "the runs.",
            "competition",
        )
        order = self.result.order
        for bed in self.result.beds:
            page.heading(bed.arena.title, anchor=bed.arena.name)
            page.bullets(f"{key.lower()}: {said}" for key, said in bed.arena.about.items())
            page.figure(
                league.heat(bed, order), "Share that the row takes, in the order of the ranks; grey: a run failed"
            )
            page.figure(league.heat(bed, order, "queueing_p95_ms"), "p95 queueing delay of both")
            page.figure(league.heat(bed, order, "loss_percent"), "Loss of both")
            page.block(markup.table(*self._bed(bed, order)))
        self.done(page, "competition.html")

    def _bed(self, bed: Bed, order: Iterable[str]) -> tuple[list[str], list[list[str]]]:
        measures = [one for one in MEASURES if one in bed.controllers]
        head = ["controller", "share of all %", *(f"share of {one} %" for one in measures), "its own kind: Jain"]
        rows = []
        for name in order:
            if name not in bed.controllers:
                continue
            shares = [bed.against_all(name), *(bed.share(name, one) for one in measures)]
            rows.append(
                [
                    self.controller(name),
                    *(markup.estimate(percent(one), 1) for one in shares),
                    *(
                        markup.estimate(bed.number(name, name, key), BY_KEY[key].digits)
                        for key in ("jain_index", *NUMBERS[:3])
                    ),
                ]
            )
        return [*head, *(f"its own kind: {BY_KEY[key].heading}" for key in NUMBERS[:3])], rows

    def _scenarios(self) -> None:
        page = self.page("Scenarios", "What each asks, and who is best there.", "scenarios")
        rows = []
        for score in self.result.scores:
            places = score.ranking(self.result.aim) or score.ranking("balanced")
            best = places[0].controller if places and places[0].rank else ""
            shared = sum(place.rank == 1 for place in places)
            said = f" and {shared - 1} not separated" if shared > 1 else ""
            rows.append(
                [
                    markup.name(f"scenarios/{score.arena.name}.html", score.arena.name),
                    markup.text(score.arena.about.get("Asks", "")),
                    markup.text(f"{best}{said}"),
                    markup.text("no chance: one run" if score.without_seeds else str(self.result.plan.seeds)),
                ]
            )
        page.block(markup.table(["scenario", "asks", f"best for {self.result.aim}", "seeds"], rows))
        self.done(page, "scenarios.html")

    def _scenario(self, score: Score) -> None:
        arena = score.arena
        page = self.page(arena.title, arena.about.get("Asks", ""), "", "../")
        if "From" in arena.about:
            page.text(f"Where its figures are from: {arena.about['From']}")
        but = (
            f" (but with {', '.join(score.drawing)}, which draw{'s' if len(score.drawing) == 1 else ''} by chance)"
            if score.drawing
            else ""
        )
        page.text(
            f"No chance in this scenario: every seed gives the same run{but}, so there is no interval, and what is a "
            "little ahead may be so by accident of timing."
            if score.without_seeds
            else f"Means over {self.result.plan.seeds} seeds with 95 % intervals, paired by seed."
            + (
                " By Student's t two seeds leave 12.7 standard errors either way, three 4.3: an interval may reach "
                "beyond what is possible."
                if self.result.plan.seeds < _SEEDS_OF_SENSE
                else ""
            )
        )
        picture = league.scenario(score)
        if picture is not None:
            page.figure(picture, "Nobody is better in both than those on the line")
        page.block(markup.table(*self._numbers(score)))
        for name, why in score.lacking.items():
            page.text(f"{name} does not stand here: {why}")
        page.code(arena.bench.text, f"The scenario ({arena.file.name})")
        self.done(page, f"scenarios/{arena.name}.html")

    def _numbers(self, score: Score) -> tuple[list[str], list[list[str]]]:
        aim = self.result.aim if score.shares(self.result.aim) else "balanced"
        shown = [
            BY_KEY[key]
            for key in _SHOWN
            if any(line.numbers.get(key) is not None for some in score.lines.values() for line in some)
        ]
        shares = score.shares(aim)
        rows = []
        for place in score.ranking(aim):
            name = place.controller
            share = sum(shares[name]) / len(shares[name])
            rows.append(
                [
                    markup.number(float(place.rank) if place.rank else float("nan"), str(place.rank or "–")),
                    self.controller(name, "../"),
                    markup.number(share, f"{100.0 * share:.1f}"),
                    markup.text(place.verdict),
                    markup.text("; ".join(score.troubles(name)), bad=True),
                    *(markup.estimate(score.estimate(name, one.key), one.digits) for one in shown),
                ]
            )
        head = ["rank", "controller", f"{aim} % of the best", f"for {aim}", "trouble"]
        return [*head, *(one.heading for one in shown)], rows

    def _changes(self, said: About, before: About | None) -> None:
        page = self.page("What changed since the last league", "", "changes")
        if before is None:
            page.text(
                "There is no earlier league to compare with: run it again later into this folder, or name one by "
                "--since."
            )
        else:
            found = _since.changes(before, said, self.result.aim)
            if not found:
                page.text("Nothing: the same build, suite, controllers and numbers.")
            for heading, lines in found.items():
                page.heading(heading)
                page.bullets(lines)
        self.done(page, "changes.html")


def _tied(one: Standing) -> str:
    if one.rank is None:
        return "no rank: it lacks a signal somewhere"
    return ", ".join(one.rank.tied) if len(one.rank.tied) <= _NAMED else f"{len(one.rank.tied)} others"


def _troubles(one: Standing) -> str:
    said = ", ".join(f"{what} {count}" for what, count in one.troubles.items())
    return markup.text(said, bad=bool(said))


def _file_names(controllers: Iterable[str]) -> dict[str, str]:
    """Names of pages, each once."""
    found: dict[str, str] = {}
    for name in controllers:
        base = Choice.of(name).folder.lower()
        taken = sum(other.rpartition("~")[0] == base or other == base for other in found.values())
        found[name] = f"{base}~{taken + 1}" if taken else base
    return found
