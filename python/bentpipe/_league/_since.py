# SPDX-License-Identifier: MIT OR Apache-2.0
"""Describe a league in a file, and list the changes since an earlier league."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, NotRequired, TypedDict

from bentpipe import _core
from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import read_text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from bentpipe._league._league import League
    from bentpipe.base.stats import Estimate

#: Files with the description of this league, and of the league before this one.
ABOUT, BEFORE = "league.json", "league-before.json"
#: Smallest reported change of a number, in percent.
_TOLD = 1.0
_MOVED = "Changes that exceed both intervals and 1 %: goodputs in Mbit/s, median times of transfers and visits in s"


class Ranked(TypedDict):
    """The rank of a controller and the ends of its range; all None if the controller has no rank."""

    score_percent: float | None
    half_width: float | None
    rank: list[int] | None


class About(TypedDict):
    """The description of a league: digests of scenarios and beds, ranks by aim, and means with half widths."""

    form: int
    build: str
    seeds: int
    quick: bool
    scenarios: dict[str, str]
    beds: dict[str, str]
    controllers: list[str]
    aims: dict[str, dict[str, Ranked]]
    numbers: dict[str, dict[str, list[float] | None]]
    pages: NotRequired[list[str]]


def about(result: League) -> About:
    """Return the description of a league: build, suite, seeds and results."""
    return {
        "form": 1,
        "build": _core.build(),
        "seeds": result.plan.seeds,
        "quick": any(score.arena.quick for score in result.scores),
        "scenarios": {score.arena.name: score.arena.digest for score in result.scores},
        "beds": {bed.arena.name: bed.arena.digest for bed in result.beds},
        "controllers": result.controllers,
        "aims": {
            aim: {
                one.controller: {
                    "score_percent": one.score.mean if one.scenarios else None,
                    "half_width": one.score.half_width if one.scenarios else None,
                    "rank": None if one.rank is None else [one.rank.place, one.rank.low, one.rank.high],
                }
                for one in result.standings(aim)
            }
            for aim in sorted(result.aims)
        },
        "numbers": {
            score.arena.name: {name: _pair(score.estimate(name, score.main)) for name in score.controllers}
            for score in result.scores
        },
    }


def _pair(one: Estimate) -> list[float] | None:
    return [one.mean, one.half_width] if one.mean == one.mean else None


def find(out: Path | None, since: Path | None) -> About | None:
    """Return the description of an earlier league: the league in `since` if given, otherwise the league in `out`.

    Raises:
        ScenarioError: If `since` has no description, or the description cannot be read.
    """
    if since is not None:
        if not (since / ABOUT).is_file():
            raise ScenarioError("folder-not-a-run", f"{since} is not the folder of a league: it has no {ABOUT}")
        return _read(since / ABOUT)
    if out is None or not (out / ABOUT).is_file():
        return None
    return _read(out / ABOUT)


def _read(file: Path) -> About:
    try:
        found: About | None = json.loads(read_text(file, "league", "folder-not-a-run"))
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("form") != 1:
        raise ScenarioError(
            "folder-not-a-run",
            f"{file} does not have this version's format of a league (delete the file, or use another --since)",
        )
    return found


def earlier(result: League, out: Path) -> About | None:
    """Return the league to compare with: `before`, or the league before it in `out` if this league repeats `before`."""
    before = result.before
    if before is not None and _same(before, about(result)) and (out / BEFORE).is_file():
        return _read(out / BEFORE)
    return before


def _same(one: About, other: About) -> bool:
    plain: About = json.loads(json.dumps(other))
    return {key: value for key, value in one.items() if key != "pages"} == plain


def changes(before: About, now: About, aim: str) -> dict[str, list[str]]:
    """Return the changes in words, under headings. A heading without changes is left out."""
    found: dict[str, list[str]] = {"Compared leagues": _frame(before, now)}
    found["Controllers"] = _moved(before.get("controllers", ()), now["controllers"])
    found["Scenarios"] = _changed(before.get("scenarios", {}), now["scenarios"])
    found["Beds"] = _changed(before.get("beds", {}), now["beds"])
    found[f"Ranks for {aim}"] = _ranks(before.get("aims", {}).get(aim, {}), now["aims"].get(aim, {}))
    found[_MOVED] = _numbers(before, now)
    return {heading: lines for heading, lines in found.items() if lines}


def _moved(old: Collection[str], new: Collection[str]) -> list[str]:
    come = [f"{name} is new" for name in new if name not in old]
    return come + [f"{name} was removed" for name in old if name not in new]


def _changed(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    others = [name for name in new if name in old and new[name] != old[name]]
    return _moved(old, new) + [f"{name} has changed" for name in others]


def _frame(before: About, now: About) -> list[str]:
    pairs = {
        "build": (before.get("build"), now["build"]),
        "seeds": (before.get("seeds"), now["seeds"]),
        "quick": (before.get("quick"), now["quick"]),
    }
    return [f"{key}: {old} before, {new} now" for key, (old, new) in pairs.items() if old != new]


def _ranks(before: Mapping[str, Ranked], now: Mapping[str, Ranked]) -> list[str]:
    lines = []
    for name, one in now.items():
        old = before.get(name)
        if old is None or old["rank"] is None or one["rank"] is None:
            continue
        score, score_before = one["score_percent"], old["score_percent"]
        half, half_before = one["half_width"], old["half_width"]
        if score is None or score_before is None or half is None or half_before is None:
            continue
        apart, width = score - score_before, math.hypot(half, half_before)
        if abs(apart) > max(width, 1e-9) or one["rank"][0] != old["rank"][0]:
            sure = "" if abs(apart) > width else ", within the intervals"
            lines.append(
                f"{name}: rank {_rank(one['rank'])}, before {_rank(old['rank'])}; score {score:.1f} %, "
                f"before {score_before:.1f} %{sure}"
            )
    return lines


def _rank(of: list[int]) -> str:
    place, low, high = of
    return f"{place} ({low} to {high})" if low < high else str(place)


def _numbers(before: About, now: About) -> list[str]:
    lines = []
    for arena, controllers in now["numbers"].items():
        for name, one in controllers.items():
            old = before.get("numbers", {}).get(arena, {}).get(name)
            if one is None or old is None or not old[0]:
                continue
            change = 100.0 * (one[0] / old[0] - 1.0)
            if abs(change) > _TOLD and abs(one[0] - old[0]) > math.hypot(one[1], old[1]):
                lines.append(f"{name} in {arena}: {one[0]:.3f}, before {old[0]:.3f} ({change:+.1f} %)")
    return lines
