# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write the site of a league: static pages that can be read without a network and without JavaScript.

The pages contain the tables. A short script only sorts the tables.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._league import _since
from bentpipe._league._site_tables import Tables
from bentpipe._league._standings import RANGES, RULE, SAID, but_with
from bentpipe.base.files import write_text
from bentpipe.scenario import catalogue
from bentpipe.scenario.choice import Choice
from bentpipe.show.pages import page

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bentpipe._league._league import League
    from bentpipe._league._since import About

_FRONT = "For the controllers on the line, no other controller is better in both goodput and delay"
_HEAT: dict[str | None, str] = {
    None: (
        "Share of the row's controller against the column's controller. Rows and columns are in the order of the "
        "ranks. Grey: a run failed"
    ),
    "queueing_p95_ms": "95th percentile of the queueing delay of both flows",
    "loss_percent": "Loss rate of both flows",
}


def write(result: League, out: Path) -> Path:
    """Write tables, pages, and the description for the next league. Remove outdated pages.

    Raises:
        RunError: If a file cannot be written.
    """
    site = _Site(result, out)
    said = _since.about(result)
    before = _since.earlier(result, out)
    site.write_all(said, before)
    result.runs.to_csv(out / "runs.csv")
    result.ranks.to_csv(out / "ranks.csv")
    result.pairs.to_csv(out / "competition.csv")
    earlier = () if result.before is None else result.before.get("pages", ())
    for name in sorted({str(one) for one in earlier} - set(site.pages)):
        if name.endswith(".html") and (out / name).resolve().is_relative_to(out.resolve()):
            (out / name).unlink(missing_ok=True)
    if before is not None:
        write_text(out / _since.BEFORE, _as_text(before))
    write_text(out / _since.ABOUT, _as_text({**said, "pages": sorted(site.pages)}))
    return out / "index.html"


def _as_text(said: About) -> str:
    return json.dumps(said, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


class _Site:
    """Writes the pages. Every page is at most two links from every other page."""

    def __init__(self, result: League, out: Path) -> None:
        self.result, self.out = result, out
        self.pages: list[str] = []
        self.files = _file_names(result.controllers)
        self.top, self.below = Tables(result, self.files), Tables(result, self.files, "../")
        first, *others = result.aims
        self.aims = {first: "index.html"} | {aim: f"{aim}.html" for aim in others}

    def _write(self, name: str, template: str, **facts: object) -> None:
        """Write a page, with links to other pages at the top."""
        up = "../" if "/" in name else ""
        links = [(f"ranks for {aim}", up + file) for aim, file in self.aims.items()]
        links += [("competition", f"{up}competition.html")] if self.result.beds else []
        links += [("scenarios", f"{up}scenarios.html"), ("changes", f"{up}changes.html")]
        page.write(self.out / name, template, links=links, **facts)
        self.pages.append(name)

    def write_all(self, said: About, before: About | None) -> None:
        """Every page."""
        from bentpipe.show.pictures import league

        result = self.result
        for aim, name in self.aims.items():
            self._ranks(aim, name)
        if result.beds:
            beds = [
                (
                    bed,
                    [page.drawn(league.heat(bed, result.order, key), said) for key, said in _HEAT.items()],
                    self.top.bed(bed),
                )
                for bed in result.beds
            ]
            self._write("competition.html", "league_competition.html", beds=beds)
        self._write("scenarios.html", "league_scenarios.html", scenarios=self.top.scenarios())
        changes = None if before is None else _since.changes(before, said, result.aim)
        self._write("changes.html", "league_changes.html", changes=changes)
        for score in result.scores:
            picture = league.scenario(score)
            self._write(
                f"scenarios/{score.arena.name}.html",
                "league_scenario.html",
                score=score,
                but=but_with(score.drawing),
                seeds=result.plan.seeds,
                drawings=[
                    page.drawn(
                        picture, ("For the controllers on the line, no other controller is better in both numbers")
                    )
                ]
                if picture
                else [],
                numbers=self.below.scenario(score),
            )
        for controller in result.controllers:
            self._controller(controller)

    def _ranks(self, aim: str, name: str) -> None:
        from bentpipe.show.pictures import league

        result = self.result
        picture = league.total(result) if {"goodput", "delay"} <= set(result.aims) else None
        self._write(
            name,
            "league_ranks.html",
            result=result,
            build=_core.build(),
            aim=aim,
            quick=any(score.arena.quick for score in result.scores),
            ranks=self.top.ranks(aim),
            rule=(
                f"{aim.capitalize()}: a score is the controller's number divided by the best in the scenario. The "
                f"number is {SAID[aim]}. {RULE}"
            ),
            ranges=RANGES,
            drawings=[page.drawn(picture, _FRONT)] if picture else [],
            troubles=self.top.troubles(),
        )

    def _controller(self, controller: str) -> None:
        choice = Choice.of(controller)
        known = next((entry for entry in catalogue.controllers() if entry["name"] == choice.name), None)
        beds = [bed for bed in self.result.beds if controller in bed.controllers]
        self._write(
            f"controllers/{self.files[controller]}.html",
            "league_controller.html",
            title=choice.label,
            lead=str(known["summary"]) if known else "A user's controller.",
            controller=controller,
            ranks=self.below.aims(controller),
            scenarios=self.below.of_controller(controller),
            scores=self.result.scores,
            beds=[(bed, self.below.against(bed, controller)) for bed in beds],
        )


def _file_names(controllers: Iterable[str]) -> dict[str, str]:
    """Return a unique file name for the page of each controller."""
    found: dict[str, str] = {}
    for name in controllers:
        base = Choice.of(name).folder.lower()
        taken = sum(other.rpartition("~")[0] == base or other == base for other in found.values())
        found[name] = f"{base}~{taken + 1}" if taken else base
    return found
