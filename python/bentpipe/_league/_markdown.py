# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write a league as one screen of Markdown: the top of the table, the heat map, the main results."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bentpipe import _core, plots
from bentpipe._league._site_tables import MEASURES, Tables
from bentpipe._league._standings import aim_in, percent
from bentpipe.base import markdown
from bentpipe.show.pictures import league

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bentpipe._league._competition import Bed
    from bentpipe._league._league import League

#: Number of rows from the top of the table. Widely used controllers are always listed, even below these rows.
_ROWS = 10


def draw(result: League, folder: Path) -> list[Path]:
    """Draw the heat maps of competition as PNG files."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for bed in result.beds:
        target = folder / f"league-{bed.arena.name}.png"
        plots.save(league.heat(bed, result.order), target)
        found.append(target)
    return found


def page(result: League, target: Path, command: str, pictures: Sequence[Path]) -> None:
    """Write the block of the league on the page. The rest of the page does not change.

    Raises:
        RunError: If the page cannot be written.
    """
    beside = [
        f"![{bed.arena.title}: share of the row's controller against the "
        f"column's]({os.path.relpath(place, target.parent)})"
        for bed, place in zip(result.beds, pictures, strict=False)
    ]
    lines = [
        f"`{command}`, Bentpipe {_core.build()}: {len(result.controllers)} controllers, {len(result.scores)} "
        f"scenarios, {result.plan.seeds} seeds where a scenario draws at random; {len(result.failed)} runs failed.",
        "",
        *_table(result),
        "",
        *(f"{number}. {line}" for number, line in enumerate(sentences(result), 1)),
        "",
        *beside,
        "",
    ]
    before = target.read_text(encoding="utf-8") if target.exists() else ""
    block = "\n".join(lines)
    if not before:
        block = f"# The league\n\n{markdown.begin(command)}\n\n{block}\n{markdown.END}\n"
    markdown.write(target, block)


def rows_of(result: League) -> tuple[list[str], list[list[str]]]:
    """Return the heading of the table of ranks and a row per controller: the columns of the site in another order."""
    table = Tables(result, dict.fromkeys(result.controllers, "")).ranks(result.aim)
    names = [*table.head[:4], *table.head[7:], "trouble (scenarios)", "worst, % of the best"]
    places = [table.head.index(name) for name in names]
    return names, [[row[at].text for at in places] for row in table.cells]


def _table(result: League) -> list[str]:
    head, rows = rows_of(result)
    standings = enumerate(zip(result.standings(), rows, strict=True))
    shown = [row for number, (one, row) in standings if number < _ROWS or one.controller in MEASURES]
    return [markdown.line(one[:-1]) for one in (head, ["---"] * len(head), *shown)]


def sentences(result: League) -> list[str]:
    """Return sentences on the main results, with numbers and intervals."""
    if all(score.has_nobody(result.aim) for score in result.scores if aim_in(result.aim, score.arena)):
        return [
            f"For the aim {result.aim}, no controller has a number: runs failed, no data arrived, or no transfer "
            "finished in time."
        ]
    ranked = [one for one in result.standings() if one.rank is not None]
    if not ranked:
        return []
    best = ranked[0]
    assert best.rank is not None  # noqa: S101 - it is ranked
    if len(ranked) == 1:
        return [(f"{best.controller} is the only controller, and a score compares at least two controllers.")]
    tied = best.rank.tied
    apart = f"not separated from {_some(tied)}" if tied else "ahead of all others"
    found = [
        f"For the aim {result.aim}, {best.controller} is first, {apart}. Its mean score over the scenarios is "
        f"{best.score.text(1, '%')} of the best. In another suite of the same kind, its rank could be "
        f"{best.rank_elsewhere}."
    ]
    if {"goodput", "delay"} <= set(result.aims):
        goodput = {one.controller: one for one in result.standings("goodput") if one.rank is not None}
        delay = {one.controller: one for one in result.standings("delay") if one.rank is not None}
        both = goodput.keys() & delay.keys()
        most, least = next(iter(goodput), None), next(iter(delay), None)
        if most in both and least in both:
            found.append(
                f"{most} has the best score for goodput, {goodput[most].score.text(1, '%')}; its score for delay is "
                f"{delay[most].score.text(1, '%')}. {least} has the best score for delay, "
                f"{delay[least].score.text(1, '%')}; its score for goodput is {goodput[least].score.text(1, '%')}."
            )
    return found + [line for bed in result.beds[:1] for line in _of_bed(bed)]


def _of_bed(bed: Bed) -> list[str]:
    takes = {name: share for name in bed.controllers if (share := percent(bed.against_all(name))).samples}
    if len(takes) < 2:
        return []
    most = max(takes, key=lambda name: takes[name].mean)
    least = min(takes, key=lambda name: takes[name].mean)
    beside = ""
    if "cubic" in takes and most != "cubic":
        beside = f" ({percent(bed.share(most, 'cubic')).text(1, '%')} against cubic)"
    return [
        f"{bed.arena.title}: against one other controller, {most} gets the largest mean share, "
        f"{takes[most].text(1, '%')}{beside}, and {least} the smallest, {takes[least].text(1, '%')}."
    ]


def _some(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 4 else f"{', '.join(names[:3])} and {len(names) - 3} more"
