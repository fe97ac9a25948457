# SPDX-License-Identifier: MIT OR Apache-2.0
"""Run every controller over a suite of scenarios, and every pair of controllers against each other.

The command writes tables and a site that opens without a network. Finished runs are kept, and after an interruption the
same command continues.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe._league import _league, _suite
from bentpipe.cli import options
from bentpipe.cli.console import (
    note,
    plural,
    progress,
    rough_time,
    say,
    say_json,
    table,
    tell_failures,
    there_already,
)
from bentpipe.results import rank
from bentpipe.runs.shared import open_store
from bentpipe.runs.store import STORE

if TYPE_CHECKING:
    from bentpipe._league._league import League


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument(
        "--suite",
        action="append",
        metavar="FOLDER",
        help='folder of scenarios to use instead of the shipped suite (repeatable; "league" is the shipped suite)',
    )
    parser.add_argument(
        "--copy-suite", type=Path, metavar="FOLDER", help="only copy the shipped suite into this folder"
    )
    parser.add_argument(
        "--controllers",
        metavar="A,B,C",
        help="controllers; parameters are in braces: 'cubic{beta=0.8},bbr3'; 'all' means every controller (default: "
        "all controllers, including the controllers of --plugin)",
    )
    parser.add_argument(
        "--for",
        dest="aim",
        choices=rank.SHARED,
        default="balanced",
        metavar="AIM",
        help=f"the aim whose order is shown first: {', '.join(rank.SHARED)} (default: balanced)",
    )
    options.seeds(parser, "5; 2 with --quick", least=2, what="seeds 1 to N, for scenarios with random numbers")
    options.quick(parser, "short runs, 2 seeds")
    options.out(parser, "folder for the tables, the site and the store of runs", "out/league")
    parser.add_argument(
        "--since",
        type=Path,
        metavar="DIR",
        help="folder of an earlier league to compare with (default: the earlier league in --out)",
    )
    options.dry_run(parser)
    options.markdown(parser, "a page of one screen")
    options.results(parser, "the ranks")
    options.pictures(parser, "the heat maps of competition")
    options.threads(parser)
    options.writing(parser)


def run(chosen: options.Chosen) -> int:
    """Make the runs; print the standings, write tables and site."""
    if chosen.copy_suite is not None:
        note(f"suite: {_suite.copy(chosen.copy_suite)}")
        return 0
    folders = chosen.suite or [_suite.SHIPPED_NAME]
    if chosen.dry_run:
        plan = _league.plan(folders, chosen.controllers, seeds=chosen.seeds, quick=chosen.quick)
        there = (chosen.out / STORE).is_file()
        with contextlib.closing(open_store(chosen.out if there else None)) as archive:
            runs, kept, cpu_s = plan.cost(archive)
        say(
            f"{len(plan.choices)} controllers, {len(plan.suite.arenas)} scenarios, {len(plan.suite.beds)} beds: "
            f"{runs:,} runs, of which {kept:,} are in the store"
        )
        say(f"about {rough_time(cpu_s)} of CPU time, accurate to a factor of three")
        return 0
    with progress() as update:
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
    for said in result.store_notes:
        note(said)
    if chosen.json:
        say_json({"ranks": list(result.ranks), "notes": list(result.notes)})
    _print(result)
    _write(result, chosen)
    told: dict[str, str] = {}
    for line in result.failed:
        code, _, message = str(line.error).partition(": ")
        told.setdefault(code, f"error[{code}]: {' against '.join(line.controllers)} in {line.arena}: {message}")
    return tell_failures(told.values(), failed=len(result.failed), made=len(result.lines) - len(result.failed))


def _print(result: League) -> None:
    from bentpipe._league._markdown import rows_of, sentences  # imported here, because it imports matplotlib

    over = plural(len(result.scores), "scenario")
    title = f"mean share of the best over {over}, with 95 % interval by seed"
    table(*rows_of(result), title)
    for line in (*sentences(result), *result.notes):
        say(line)


def _write(result: League, chosen: options.Chosen) -> None:
    from bentpipe._league import _markdown

    drawn = _markdown.draw(result, chosen.pictures) if chosen.pictures else []
    if chosen.markdown is not None:
        _markdown.page(result, chosen.markdown, _command(chosen), drawn)
        note(f"page: {chosen.markdown}")
    note(f"site: {chosen.out / 'index.html'}")
    names = ", ".join(str(chosen.out / name) for name in ("runs.csv", "ranks.csv", "competition.csv"))
    note(f"tables: {names}{there_already(result.kept)}")


def _command(chosen: options.Chosen) -> str:
    words = ["bentpipe league", *(["--quick"] if chosen.quick else [])]
    for name in ("suite", "plugin"):
        words += [f"--{name} {one}" for one in getattr(chosen, name) or ()]
    for name in ("controllers", "seeds"):
        if getattr(chosen, name) is not None:
            words.append(f"--{name} {getattr(chosen, name)}")
    return " ".join([*words, *([f"--for {chosen.aim}"] if chosen.aim != "balanced" else [])])
