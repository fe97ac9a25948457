# SPDX-License-Identifier: MIT OR Apache-2.0
"""The page of one controller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe._league._standings import percent
from bentpipe.results.metrics import BY_KEY
from bentpipe.scenario import catalogue
from bentpipe.scenario.choice import Choice
from bentpipe.show.pages import markup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bentpipe._league._competition import Bed
    from bentpipe._league._league import League
    from bentpipe.show.pages.run import Page

#: Numbers shown for each scenario.
_SHOWN = (
    *("goodput_mbit_s", "completion_median_s", "visit_median_s", "visits_done_percent", "queueing_p95_ms"),
    *("loss_percent", "retransmitted_percent"),
)


def head(controller: str) -> tuple[str, str]:
    """Title and lead."""
    choice = Choice.of(controller)
    known = next((entry for entry in catalogue.controllers() if entry["name"] == choice.name), None)
    said = str(known["summary"]) if known else "A controller of your own."
    return choice.label, said


def fill(page: Page, result: League, controller: str, files: Mapping[str, str]) -> None:
    """Its ranks, its scenarios, and those whom it met."""
    rows = []
    for aim in result.aims:
        one = next((row for row in result.standings(aim) if row.controller == controller), None)
        if one is not None:
            rows.append(
                [
                    markup.text(aim),
                    markup.text(str(one.rank or "–")),
                    markup.text(str(one.rank_elsewhere or "–")),
                    markup.estimate(one.score, 1),
                    markup.number(one.worst[1], f"{one.worst[1]:.0f} in {one.worst[0]}"),
                ]
            )
    page.block(markup.table(["for", "rank", "elsewhere", "score %", "worst, % of the best"], rows))
    page.heading("Scenarios")
    page.block(markup.table(*_scenarios(result, controller)))
    for score in result.scores:
        if controller in score.lacking:
            page.text(f"It does not stand in {score.arena.name}: {score.lacking[controller]}")
    for bed in result.beds:
        if controller in bed.controllers:
            page.heading(f"Against others: {bed.arena.title}")
            page.block(markup.table(*_others(bed, controller, files)))


def _scenarios(result: League, controller: str) -> tuple[list[str], list[list[str]]]:
    lines = [line for score in result.scores for line in score.lines.get(controller, ())]
    shown = [BY_KEY[key] for key in _SHOWN if any(line.numbers.get(key) is not None for line in lines)]
    rows = []
    for score in result.scores:
        if controller not in score.lines:
            continue
        cells = [markup.name(f"../scenarios/{score.arena.name}.html", score.arena.name)]
        for aim in result.aims:
            shares = score.shares(aim).get(controller)
            share = sum(shares) / len(shares) if shares else float("nan")
            cells.append(markup.number(share, f"{100.0 * share:.0f}" if shares else "–"))
        place = next((one for one in score.ranking(result.aim) if one.controller == controller), None)
        cells += [markup.estimate(score.estimate(controller, one.key), one.digits) for one in shown]
        cells.append(markup.text("–" if place is None or not place.rank else f"{place.rank}: {place.verdict}"))
        rows.append([*cells, markup.text("; ".join(score.troubles(controller)), bad=True)])
    heads = ["scenario", *(f"{aim} %" for aim in result.aims), *(one.heading for one in shown)]
    return [*heads, f"rank for {result.aim}", "trouble"], rows


def _others(bed: Bed, controller: str, files: Mapping[str, str]) -> tuple[list[str], list[list[str]]]:
    shown = [BY_KEY[key] for key in ("goodput_mbit_s", "queueing_p95_ms", "loss_percent")]
    rows = []
    for other in bed.controllers:
        label = Choice.of(other).label
        rows.append(
            [
                markup.name(f"{files[other]}.html", label),
                markup.estimate(percent(bed.share(controller, other)), 1),
                *(markup.estimate(bed.number(controller, other, one.key), one.digits) for one in shown),
            ]
        )
    return ["against", "share %", *(f"both: {one.heading}" for one in shown)], rows
