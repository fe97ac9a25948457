# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe reproduce`: papers measured again, or a study of your own, with a verdict on every row."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.base.files import refuse_foreign
from bentpipe.cli.console import note, progress, say, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe.cli.console import Commands
    from bentpipe.study import Effort, Reproduction, Row, Study

#: What it writes into --out.
WRITTEN = ("runs", "findings", ".lock", "*.html", "scoreboard.json")
#: Seeds of a first look.
_SEEDS_QUICK = 2


def register(commands: Commands) -> None:
    """Add the command of this module."""
    from bentpipe.cli.runs import _count, add_force

    command = commands.add_parser(
        "reproduce",
        help="papers measured again, or a study of your own: every figure and claim with its verdict",
        description="Without a study: list those that are installed. With one: make its runs, print its scoreboard, "
        "write the report. What was made before is found again by its content, so that a second run is instant and one "
        "that was cut off goes on. Exit code 1 if a row could not be read.",
    )
    command.add_argument(
        "study", nargs="?", metavar="STUDY", help='an installed study, "all", or a Python file of your own (x.py)'
    )
    command.add_argument("rows", nargs="*", metavar="ROW", help="only these rows, for example A-13")
    seeds = command.add_mutually_exclusive_group()
    seeds.add_argument(
        "--seeds",
        type=_seeds,
        metavar="N",
        help="one look, at seeds 1 to N (default: looks at 10, 20, 40 and 100, a row as far as its claims need it)",
    )
    seeds.add_argument("--until", type=_look, metavar="N", help="the last look; what is not decided then stays so")
    command.add_argument(
        "--quick", action="store_true", help=f"a first look: {_SEEDS_QUICK} seeds, fewer points, shorter runs"
    )
    command.add_argument(
        "--out", type=Path, default=Path("report"), metavar="DIR", help="report, runs and findings (default report)"
    )
    command.add_argument(
        "--curves",
        action="store_true",
        help="specification curves, too: the effect of headline claims over all that the paper leaves open",
    )
    command.add_argument("--markdown", type=Path, metavar="FILE", help="write the scoreboard as Markdown, too")
    command.add_argument(
        "--threads", type=_count, metavar="N", help="runs at a time (default: one more than processors)"
    )
    add_force(command)
    command.set_defaults(run=_reproduce)


def _seeds(text: str) -> int:
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError(f"{text!r}: an interval needs at least 2 seeds")
    return int(text)


def _look(text: str) -> int:
    from bentpipe.study import LOOKS

    if text not in map(str, LOOKS):
        raise argparse.ArgumentTypeError(f"{text!r}: looks are at {', '.join(map(str, LOOKS))} seeds")
    return int(text)


def _shelf(asked: str) -> tuple[str, Sequence[Study]]:
    """The name of the study asked for, and the studies among which it is: a file's one, or the installed ones."""
    from bentpipe.study import load, studies

    if not asked.endswith(".py"):
        return asked, studies()
    study = load(asked)
    return study.name, (study,)


def _reproduce(chosen: argparse.Namespace) -> int:
    from bentpipe.study import RULE, Verdict, choose, claim_lines, markdown, reproduce, write, write_block
    from bentpipe.study._report.scoreboard import HEAD, first_table, has_headlines, lines, tally

    if chosen.study is None:
        return _list()
    refuse_foreign(chosen.out, WRITTEN, force=chosen.force)
    name, shelf = _shelf(chosen.study)
    effort = _effort(chosen)
    asked = choose(name, chosen.rows, shelf=shelf)
    with progress(f"reproducing {name}", "runs and rows") as update:
        result = reproduce(asked, effort, out=chosen.out, shelf=shelf, threads=chosen.threads, progress=update)
    by_name = {study.name: study for study in shelf}
    for made, found in result.found.items():
        if found:
            study = by_name[made]
            if chosen.rows:
                table(HEAD, claim_lines(found), study.title)
            elif has_headlines(found):
                table(*first_table(study, found), study.title)
            else:
                table(HEAD, lines(study, found), study.title)
    counts = [[made, *tally(found)] for made, found in result.found.items() if found]
    table(("rows of", *(str(verdict) for verdict in Verdict)), counts)
    say(RULE)
    curves = _curves(chosen, asked, shelf) if chosen.curves else None
    page = write(result, chosen.out, shelf, chosen.rows, curves)
    if chosen.markdown is not None:
        switches = [f"--{name}" for name in ("quick", "curves") if getattr(chosen, name)]
        words = " ".join(["bentpipe reproduce", chosen.study, *chosen.rows, *switches])
        pictures = _pictures(chosen, asked, curves) if curves else {}
        write_block(chosen.markdown, markdown(result, words, shelf, curves, pictures))
        note(f"scoreboard: {chosen.markdown}")
    for outcome in [*result.failures, *(curves.failures if curves else [])]:
        note(f"error[row-failed]: {outcome.row}: {outcome.failed.strip().splitlines()[-1]}")
    say(f"\nreport: {page.resolve()}")
    return 1 if result.failures or (curves and curves.failures) else 0


def _effort(chosen: argparse.Namespace) -> Effort:
    """The looks; one at the seeds asked for, or at few for a first look."""
    from bentpipe.study import LOOKS, Effort

    once = chosen.seeds or (_SEEDS_QUICK if chosen.quick and not chosen.until else 0)
    last = once or chosen.until or LOOKS[-1]
    return Effort(tuple(range(1, last + 1)), chosen.quick, () if once else LOOKS)


def _curves(
    chosen: argparse.Namespace, asked: Sequence[tuple[Study, Sequence[Row]]], shelf: Sequence[Study]
) -> Reproduction | None:
    """The specification curves of the rows that have some; None if none has."""
    from bentpipe.study import CURVE_SEEDS, Effort, curve_rows, reproduce

    curves = [(study, [curve for row in rows for curve in curve_rows(row)]) for study, rows in asked]
    if not any(rows for _, rows in curves):
        note("none of these rows has a specification curve")
        return None
    with progress("specification curves", "runs and curves") as update:
        effort = Effort(CURVE_SEEDS)
        made = reproduce(curves, effort, out=chosen.out, shelf=shelf, threads=chosen.threads, progress=update)
    lines = [[outcome.row, outcome.why] for found in made.found.values() for outcome in found.values()]
    table(("curve", "what it says"), lines)
    return made


def _pictures(
    chosen: argparse.Namespace, asked: Sequence[tuple[Study, Sequence[Row]]], curves: Reproduction
) -> dict[str, str]:
    """The curves of each study side by side, drawn beside the Markdown; of each study the address from there."""
    from bentpipe import plots
    from bentpipe.study import side_by_side, specification_curve

    drawn = {}
    failed = {outcome.row.partition("-curve")[0] for outcome in curves.failures}
    for study, rows in asked:
        good = [(row.id, curve) for row in rows for curve in row.curves if row.id not in failed]
        # Their runs are there: they are read again, not made.
        found = [(name, specification_curve(curve, out=chosen.out)) for name, curve in good]
        if found:
            drawn[study.name] = f"img/curves-{study.name}.png"
            (chosen.markdown.parent / "img").mkdir(exist_ok=True)
            plots.save(side_by_side(found), chosen.markdown.parent / drawn[study.name], "png")
    return drawn


def _list() -> int:
    from bentpipe.study import studies
    from bentpipe.study._shelf import HOW_TO_GET

    found = studies()
    if found:
        rows = [[study.name, str(len(study.rows)), study.title] for study in found]
        table(("study", "rows", "title"), rows)
        say("bentpipe reproduce STUDY makes one; bentpipe reproduce all makes them all.")
    else:
        say(f"{HOW_TO_GET[0].upper()}{HOW_TO_GET[1:]}.")
    say("bentpipe reproduce FILE.py makes a study of your own.")
    return 0
