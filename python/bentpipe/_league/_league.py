# SPDX-License-Identifier: MIT OR Apache-2.0
"""A league runs every controller over a suite of scenarios, and every pair of controllers on beds."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from bentpipe._league import _since, _site, _suite, _tables
from bentpipe._league._competition import Bed
from bentpipe._league._matches import Plan, play
from bentpipe._league._since import ABOUT, BEFORE
from bentpipe._league._standings import AIMS, Score, aim_in, but_with, standings
from bentpipe.base import arguments
from bentpipe.base.files import refuse_foreign
from bentpipe.runs.execute import opened
from bentpipe.runs.store import KEPT
from bentpipe.scenario.choice import choices
from bentpipe.scenario.controller import REGISTERED
from bentpipe.scenario.presets import said_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bentpipe._league._matches import Line
    from bentpipe._league._since import About
    from bentpipe._league._standings import Standing
    from bentpipe.base.tables import Table

#: Names of the files that a league writes into its folder.
WRITTEN = [*KEPT, ABOUT, BEFORE, "controllers", "scenarios", "*.html", "*.csv", "*.png"]
#: Default numbers of seeds without and with --quick. An interval needs two seeds.
SEEDS, QUICK_SEEDS = 5, 2
#: If an aim is meaningful in fewer scenarios than this, the notes list the scenarios.
_FEW = 6


@dataclass(frozen=True, repr=False)
class League:
    """The result of a league.

    Attributes:
        plan: Suite, controllers and seeds.
        lines: Every run: first the runs of the suite, then the runs of pairs.
        made: Number of runs that this call made.
        kept: Number of runs that were already in the store.
        aim: The aim that is shown first.
        before: The description of an earlier league (`league.json`); None without an earlier league.
        store_notes: Notes on the store of runs, such as damaged entries that were made again.
    """

    plan: Plan
    lines: tuple[Line, ...]
    made: int = 0
    kept: int = 0
    aim: str = AIMS[0]
    before: About | None = field(default=None)
    store_notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return the numbers of controllers, scenarios and beds."""
        scenarios, beds = len(self.scores), len(self.beds)
        return f"<League of {len(self.controllers)} controllers over {scenarios} scenarios and {beds} beds>"

    @property
    def controllers(self) -> list[str]:
        """Keys of the controllers, in the requested order."""
        return [choice.key for choice in self.plan.choices]

    @cached_property
    def scores(self) -> list[Score]:
        """Return the scenarios, each with the numbers of all controllers."""
        return [Score(arena, self._runs_of(arena, 1)) for arena in self.plan.suite.arenas]

    @cached_property
    def beds(self) -> list[Bed]:
        """Return the beds, each with the runs of all pairs."""
        return [Bed(arena, self._runs_of(arena, 2)) for arena in self.plan.suite.beds]

    def _runs_of(self, arena: _suite.Arena, size: int) -> list[Line]:
        """Return the runs in a scenario (`size` 1) or on a bed (`size` 2)."""
        return [line for line in self.lines if line.arena == arena.name and len(line.controllers) == size]

    @property
    def aims(self) -> list[str]:
        """Return the aims that are meaningful in at least one scenario of the suite; `aim` is the first."""
        some = [one for one in AIMS if any(aim_in(one, score.arena) for score in self.scores)]
        return sorted(some, key=lambda one: one != self.aim)

    @cached_property
    def _standings(self) -> dict[str, list[Standing]]:
        return {aim: standings(self.scores, self.controllers, aim) for aim in self.aims}

    def standings(self, aim: str | None = None) -> list[Standing]:
        """Return the controllers by their rank for an aim over the whole suite, the best first.

        Controllers that lack a signal in some scenario come last, without a rank.

        Raises:
            ArgumentError: If the aim is unknown, or not meaningful in any scenario of the suite.
        """
        wanted = aim or self.aim
        if wanted not in self._standings:
            raise arguments.known("aim", wanted, self._standings)
        return self._standings[wanted]

    @property
    def order(self) -> list[str]:
        """Return all controllers by rank; controllers without a rank are last."""
        ranked = [one.controller for one in self.standings()]
        return [*ranked, *(name for name in self.controllers if name not in ranked)]

    @property
    def notes(self) -> list[str]:
        """Notes for readers of the ranks: presets, scenarios without random numbers, paths, unranked controllers."""
        quiet = [score.arena.name for score in self.scores if score.without_seeds]
        drawing = list(dict.fromkeys(name for score in self.scores for name in score.drawing))
        notes = said_of(score.arena.bench.job() for score in self.scores)
        if quiet:
            notes.append(
                f"{len(quiet)} of {len(self.scores)} scenarios draw nothing at random, so every seed gives the same "
                f"run{but_with(drawing)} (two equal runs prove this); these scenarios have one run and no interval: "
                f"{', '.join(quiet)}"
            )
        notes += [f"{score.arena.name}: {said}" for score in self.scores for said in score.path]
        for aim in self.aims:
            some = [score.arena.name for score in self.scores if aim_in(aim, score.arena)]
            if len(some) < min(_FEW, len(self.scores)):
                notes.append(
                    f"the aim {aim} applies to {len(some)} of {len(self.scores)} scenarios ({', '.join(some)})"
                )
            if nobody := [score.arena.name for score in self.scores if score.has_nobody(aim)]:
                notes.append(
                    f"the aim {aim} leaves out scenarios in which no controller has a number: {', '.join(nobody)}"
                )
        lacking: dict[str, list[str]] = {}
        for score in self.scores:
            for name in score.lacking:
                lacking.setdefault(name, []).append(score.arena.name)
        for name, where in lacking.items():
            some = where if len(where) < len(self.scores) else ["every scenario"]
            notes.append(f"{name} has no rank: it lacks a signal in {', '.join(some)}")
        return notes

    @property
    def failed(self) -> list[Line]:
        """Return the failed runs, without runs whose controller lacked a signal."""
        return [line for line in self.lines if line.error is not None and not line.lacks_signal]

    @cached_property
    def runs(self) -> Table:
        """One row per run of the suite: ``scenario``, ``controller``, ``seed``, numbers of comparisons, ``error``."""
        return _tables.runs(self)

    @cached_property
    def ranks(self) -> Table:
        """One row per aim and controller: score, rank, and their intervals."""
        return _tables.ranks(self)

    @cached_property
    def pairs(self) -> Table:
        """One row per bed and ordered pair: the ``share_percent`` of ``controller`` against ``against``."""
        return _tables.pairs(self)

    def write(self, folder: str | os.PathLike[str]) -> Path:
        """Write the tables and the site into a folder, and return the path of ``index.html``.

        Raises:
            RunError: If a file cannot be written.
        """
        return _site.write(self, arguments.path("folder", folder))


def league(
    suite: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = _suite.SHIPPED_NAME,
    controllers: str | Sequence[str | Mapping[str, object]] | None = None,
    *,
    aim: str = AIMS[0],
    seeds: int | None = None,
    quick: bool = False,
    out: str | os.PathLike[str] | None = None,
    store: str | os.PathLike[str] | None = None,
    since: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | bool | None = None,
    force: bool = False,
    costly: bool = False,
) -> League:
    """Run every controller over a suite of scenarios, and every pair of controllers against each other.

    A failed run does not affect other runs. Finished runs stay in the store of `out`, even after Ctrl-C or a kill. The
    same call then continues the league.

    Args:
        suite: A folder of scenarios, or several folders. ``"league"`` is the included suite.
        controllers: As for `compare`. The default is all controllers of the catalogue and all your own controllers.
        aim: The aim that is shown first: "balanced", "goodput", "delay", "completion", "visits" or "page-load".
        seeds: Number of seeds of a scenario with chance, at least 2. The default is 5, or 2 with `quick`.
        quick: A first look: runs end 10 s after the last start and the warm-up. Scenarios with transfers keep their
            length.
        out: Folder for the store, the tables and the site. Without a folder, nothing is written.
        store: File with the summaries of runs, by default in `out`. Several leagues may share a file. Several machines
            may share a folder (``"folder/"``, or an address of fsspec such as ``"s3://bucket/folder"``).
        since: Folder of an earlier league to compare with. The default is the earlier league in `out`.
        threads: Number of runs at a time, by default one per processor. Results do not depend on it.
        progress: Function that is called with (done, all) when runs finish. True shows the progress on stderr.
        force: Write into `out` even if it has other files. Files of a league are replaced; other files stay.
        costly: Make a run even if the estimate (`estimate_cost`) exceeds the free memory or disk.

    Raises:
        ScenarioError: If a scenario, a controller or an argument cannot be used, or `out` has other files. Then no run
            begins.
        RunError: If a file cannot be written.
        KeyboardInterrupt: On Ctrl-C.
    """
    place = arguments.place("out", out)
    refuse_foreign(place, WRITTEN, force=force)
    folders = [suite] if isinstance(suite, (str, os.PathLike)) else list(arguments.names("suite", suite))
    chosen = plan(folders, controllers, seeds=seeds, quick=quick)
    if aim not in AIMS:
        raise arguments.known("aim", aim, AIMS)
    before = _since.find(place, arguments.place("since", since))
    with opened(place, store, threads=threads, progress=progress, costly=costly) as batch:
        lines, wanted = play(chosen, batch)
        notes = tuple(batch.archive.notes)
    result = League(chosen, tuple(lines), batch.made, wanted - batch.made, aim, before, notes)
    result.standings()  # raises an error if no scenario has the aim
    if place is not None:
        result.write(place)
    return result


def plan(
    suite: Sequence[str | os.PathLike[str]],
    controllers: str | Sequence[str | Mapping[str, object]] | None,
    *,
    seeds: int | None,
    quick: bool,
) -> Plan:
    """Check and return the plan of runs.

    Raises:
        ScenarioError: If a scenario, a controller or the number of seeds cannot be used.
    """
    count = QUICK_SEEDS if quick and seeds is None else SEEDS if seeds is None else seeds
    count = arguments.whole("seeds (ranks need an interval, and one seed gives none)", count, 2, 10_000)
    found, _ = choices(["all", *REGISTERED] if controllers is None else controllers)
    for choice in found:
        choice.check()
    return Plan(_suite.read(suite, quick=quick), tuple(found), count)
