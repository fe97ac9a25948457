# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe league`: every controller over a suite of scenarios, and each against each."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.cli import plugins
from bentpipe.cli.console import fitting, note, progress, rough_time, say, table
from bentpipe.cli.runs import _count, add_force, tell_how_many
from bentpipe.results import rank

if TYPE_CHECKING:
    import argparse

    from bentpipe._league._league import League
    from bentpipe.cli.console import Commands


def register(commands: Commands) -> None:
    """Add the command of this module."""
    league = commands.add_parser(
        "league",
        help="every controller over a suite of scenarios, and each against each",
        description="Run every controller over a suite of scenarios, and each against each; write tables and a site "
        "that opens without a network. What is finished stays; the same command goes on.",
    )
    league.add_argument(
        "--suite",
        action="append",
        metavar="FOLDER",
        help='scenarios instead of the shipped ones (repeatable; "league" is the shipped suite)',
    )
    league.add_argument("--copy-suite", type=Path, metavar="FOLDER", help="copy the shipped suite there, and no more")
    league.add_argument(
        "--controllers",
        metavar="A,B,C",
        help="names, parameters in braces: 'cubic{beta=0.8},bbr3'; all (default: all, and those of --plugin)",
    )
    league.add_argument(
        "--for", dest="aim", choices=rank.SHARED, default="balanced", help="the order that is shown first"
    )
    league.add_argument("--seeds", type=_count, metavar="N", help="seeds where there is chance, from 2 on (default 5)")
    league.add_argument("--quick", action="store_true", help="a first look: short runs, 2 seeds")
    league.add_argument("--out", type=Path, default=Path("out/league"), metavar="DIR", help="default out/league")
    league.add_argument(
        "--since", type=Path, metavar="DIR", help="folder of an earlier league to compare with (default: that in --out)"
    )
    league.add_argument(
        "--dry-run", action="store_true", help="print how many runs there are and what they cost; no more"
    )
    league.add_argument("--markdown", type=Path, metavar="FILE", help="write a page of one screen, too")
    league.add_argument("--pictures", type=Path, metavar="DIR", help="write the heat maps of competition as PNG, too")
    league.add_argument("--threads", type=_count, metavar="N", help="runs at a time (default: all processors)")
    add_force(league)
    league.add_argument("--costly", action="store_true", help="run even if memory or disk will not do by the estimate")
    plugins.add_option(league)
    league.set_defaults(run=_run_it)


def _run_it(chosen: argparse.Namespace) -> int:
    from bentpipe._league import _league, _suite

    if chosen.copy_suite is not None:
        note(f"suite: {_suite.copy(chosen.copy_suite)}")
        return 0
    plugins.load(chosen.plugin)
    folders = chosen.suite or [_suite.SHIPPED_NAME]
    if chosen.dry_run:
        plan = _league.plan(folders, chosen.controllers, seeds=chosen.seeds, quick=chosen.quick)
        there = (chosen.out / _league.STORE).is_file()
        with contextlib.closing(_league.open_store(chosen.out if there else None)) as archive:
            runs, kept, cpu_s = plan.cost(archive)
        say(
            f"{len(plan.choices)} controllers, {len(plan.suite.arenas)} scenarios, {len(plan.suite.beds)} beds: "
            f"{runs:,} runs, of which {kept:,} are in the store"
        )
        say(f"about {rough_time(cpu_s)} of CPU time, good to a factor of three")
        return 0
    with progress("running") as update:
        result = _league.league(
            folders,
            chosen.controllers,
            aim=chosen.aim,
            seeds=chosen.seeds,
            quick=chosen.quick,
            out=chosen.out,
            since=chosen.since,
            threads=chosen.threads,
            progress=update,
            force=chosen.force,
            costly=chosen.costly,
        )
    _print(result)
    _write(result, chosen)
    told: set[str] = set()
    for line in result.failed:
        error = str(line.error)
        code = error.partition(":")[0]
        if code not in told:
            note(f"error[{code}]: {' against '.join(line.controllers)} in {line.arena}: {error.partition(': ')[2]}")
        told.add(code)
    return tell_how_many(len(result.failed), len(result.lines) - len(result.failed))


def _print(result: League) -> None:
    from bentpipe._league._markdown import rows_of, sentences

    head, standings = rows_of(result)
    rows = [[*row, f"{one.worst[1]:.0f} in {one.worst[0]}"] for one, row in standings]
    count = len(result.scores)
    title = f"mean share of the best over {count} scenario{'s' if count > 1 else ''}, with 95 % interval by seed"
    for part, some in fitting([*head, "worst, % of the best"], rows):
        table(part, some, title=title)
        title = ""
    for line in (*sentences(result), *result.notes):
        say(line)


def _write(result: League, chosen: argparse.Namespace) -> None:
    from bentpipe._league import _markdown

    drawn = _markdown.draw(result, chosen.pictures) if chosen.pictures else []
    if chosen.markdown is not None:
        _markdown.page(result, chosen.markdown, _command(chosen), drawn)
        note(f"page: {chosen.markdown}")
    note(f"site: {chosen.out / 'index.html'}")
    note(f"tables: {', '.join(str(chosen.out / name) for name in ('runs.csv', 'ranks.csv', 'competition.csv'))}")


def _command(chosen: argparse.Namespace) -> str:
    words = ["bentpipe league", *(["--quick"] if chosen.quick else [])]
    for name in ("suite", "plugin"):
        words += [f"--{name} {one}" for one in getattr(chosen, name) or ()]
    for name in ("controllers", "seeds"):
        if getattr(chosen, name) is not None:
            words.append(f"--{name} {getattr(chosen, name)}")
    return " ".join([*words, *([f"--for {chosen.aim}"] if chosen.aim != "balanced" else [])])
