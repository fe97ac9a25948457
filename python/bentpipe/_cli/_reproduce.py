# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe reproduce`: the papers measured again, with a verdict on every row."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from bentpipe._cli._console import note, progress, say, table

#: Seeds of every row with chance in it, if not said otherwise.
_SEEDS, _SEEDS_QUICK = 10, 5


def register(commands: Any) -> None:
    """Add the command of this module."""
    from bentpipe._cli._runs import _count

    command = commands.add_parser(
        "reproduce",
        help="papers measured again: every figure and claim with its verdict",
        description="Without a paper: list them. With one: make its runs, print its scoreboard, write the report. "
        "What was made before is found again by its content, so that a second run is instant and one that was cut "
        "off goes on. Exit code 1 if a row could not be read.",
    )
    command.add_argument("paper", nargs="?", metavar="PAPER", help='a paper, or "all"')
    command.add_argument("rows", nargs="*", metavar="ROW", help="only these rows, for example A-13")
    command.add_argument("--seeds", type=_seeds, metavar="N", help=f"seeds 1 to N (default {_SEEDS})")
    command.add_argument(
        "--quick", action="store_true", help=f"a first look: {_SEEDS_QUICK} seeds, fewer points, shorter runs"
    )
    command.add_argument(
        "--out", type=Path, default=Path("report"), metavar="DIR", help="report, runs and findings (default report)"
    )
    command.add_argument("--markdown", type=Path, metavar="FILE", help="write the scoreboard as Markdown, too")
    command.add_argument("--threads", type=_count, metavar="N", help="runs at a time (default: all processors)")
    command.set_defaults(run=_reproduce)


def _seeds(text: str) -> int:
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError(f"{text!r}: an interval needs at least 2 seeds")
    return int(text)


def _reproduce(chosen: argparse.Namespace) -> int:
    from bentpipe._page import write as write_block
    from bentpipe.papers import Effort, Verdict, choose, papers, reproduce
    from bentpipe.papers._book import HEAD, claim_lines, lines, markdown, tally, write
    from bentpipe.papers._claims import RULE

    if chosen.paper is None:
        rows = [[paper.name, str(len(paper.rows)), paper.title] for paper in papers()]
        table(("paper", "rows", "title"), rows)
        say("bentpipe reproduce PAPER makes one; bentpipe reproduce all makes them all.")
        return 0
    seeds = chosen.seeds or (_SEEDS_QUICK if chosen.quick else _SEEDS)
    effort = Effort(tuple(range(1, seeds + 1)), chosen.quick)
    asked = choose(chosen.paper, chosen.rows)
    with progress(f"reproducing {chosen.paper}", "runs and rows") as update:
        result = reproduce(asked, effort, out=chosen.out, threads=chosen.threads, progress=update)
    shelf = {paper.name: paper for paper in papers()}
    for name, found in result.found.items():
        if found:
            rows = claim_lines(found) if chosen.rows else lines(shelf[name], found)
            table(HEAD, rows, shelf[name].title)
    counts = [[name, *tally(found)] for name, found in result.found.items() if found]
    table(("rows of", *(str(verdict) for verdict in Verdict)), counts)
    say(RULE)
    page = write(result, chosen.out, chosen.rows)
    if chosen.markdown is not None:
        asked_for = " ".join(["bentpipe reproduce", chosen.paper, *chosen.rows, *(["--quick"] if chosen.quick else [])])
        write_block(chosen.markdown, markdown(result, asked_for))
        note(f"scoreboard: {chosen.markdown}")
    for kept in result.failures:
        note(f"error[row-failed]: {kept.row}: {kept.failed.strip().splitlines()[-1]}")
    say(f"\nreport: {page.resolve()}")
    return 1 if result.failures else 0
