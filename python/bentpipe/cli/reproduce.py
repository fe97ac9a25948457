# SPDX-License-Identifier: MIT OR Apache-2.0
"""Without a study: list the installed studies.

With a study: make its runs, print its scoreboard, write the report. Earlier runs are found by their content, so a
repeated command is instant and an interrupted one continues. Exit code 1 if a row could not be read.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bentpipe import plots, study
from bentpipe.base.files import refuse_foreign
from bentpipe.cli import options
from bentpipe.cli.console import note, progress, say, table
from bentpipe.study import LOOKS, Effort, Verdict, claim_lines
from bentpipe.study._report.scoreboard import HEAD, first_table, has_headlines, lines, tally
from bentpipe.study._shelf import HOW_TO_GET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bentpipe.study import Reproduction, Row, Study

#: Names that the command writes into --out.
WRITTEN = ("runs", "findings", ".lock", "*.html", "scoreboard.json")
#: Seeds with --quick.
_SEEDS_QUICK = 2


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument(
        "study", nargs="?", metavar="STUDY", help='an installed study, "all", or a Python file of your own (x.py)'
    )
    parser.add_argument("rows", nargs="*", metavar="ROW", help="only these rows, for example A-13")
    seeds = parser.add_mutually_exclusive_group()
    options.seeds(
        seeds,
        "looks at 10, 20, 40 and 100 seeds, for each row until its claims are decided",
        least=2,
        what="one look, at seeds 1 to N",
    )
    seeds.add_argument(
        "--until",
        type=_look,
        metavar="N",
        help="number of seeds of the last look; claims that it does not decide stay undecided",
    )
    options.quick(parser, f"{_SEEDS_QUICK} seeds, fewer points, shorter runs")
    options.out(parser, "report, runs and findings", "report")
    parser.add_argument(
        "--curves",
        action="store_true",
        help="also draw specification curves: the effect of headline claims over all choices that the paper leaves "
        "open",
    )
    options.markdown(parser, "the scoreboard")
    options.threads(parser, "number of processors plus one")
    options.force(parser)
    options.costly(parser)


def _look(text: str) -> int:
    if text not in map(str, LOOKS):
        raise argparse.ArgumentTypeError(f"{text!r} is not a look: looks are at {', '.join(map(str, LOOKS))} seeds")
    return int(text)


def _shelf(asked: str) -> tuple[str, Sequence[Study]]:
    """The name of the chosen study, and the studies that contain it: that of a file, or the installed ones."""
    if not asked.endswith(".py"):
        return asked, study.studies()
    own = study.load(asked)
    return own.name, (own,)


def run(chosen: options.Chosen) -> int:
    """Make the runs; print the scoreboard, write the report."""
    if chosen.study is None:
        return _list()
    refuse_foreign(chosen.out, WRITTEN, force=chosen.force)
    name, shelf = _shelf(chosen.study)
    effort = _effort(chosen)
    asked = study.choose(name, chosen.rows, shelf=shelf)
    with progress(unit="runs and rows") as update:
        result = study.reproduce(
            asked,
            effort,
            out=chosen.out,
            shelf=shelf,
            threads=chosen.threads,
            progress=update,
            costly=chosen.costly,
        )
    by_name = {one.name: one for one in shelf}
    for made, found in result.found.items():
        if found:
            its = by_name[made]
            if chosen.rows:
                table(HEAD, claim_lines(found), its.title)
            elif has_headlines(found):
                table(*first_table(its, found), its.title)
            else:
                table(HEAD, lines(its, found), its.title)
    counts = [[made, *tally(found)] for made, found in result.found.items() if found]
    table(("rows of", *(str(verdict) for verdict in Verdict)), counts)
    say(study.RULE)
    curves = _curves(chosen, asked, shelf) if chosen.curves else None
    page = study.write(result, chosen.out, shelf, chosen.rows, curves)
    if chosen.markdown is not None:
        switches = [f"--{name}" for name in ("quick", "curves") if getattr(chosen, name)]
        words = " ".join(["bentpipe reproduce", chosen.study, *chosen.rows, *switches])
        pictures = _pictures(chosen, asked, curves) if curves else {}
        study.write_block(chosen.markdown, study.markdown(result, words, shelf, curves, pictures))
        note(f"scoreboard: {chosen.markdown}")
    for outcome in [*result.failures, *(curves.failures if curves else [])]:
        note(f"error[row-failed]: {outcome.row}: {outcome.failed.strip().splitlines()[-1]}")
    say(f"\nreport: {page.resolve()}")
    return 1 if result.failures or (curves and curves.failures) else 0


def _effort(chosen: options.Chosen) -> Effort:
    """The looks; a single one with --seeds or --quick."""
    once = chosen.seeds or (_SEEDS_QUICK if chosen.quick and not chosen.until else 0)
    last = once or chosen.until or LOOKS[-1]
    return Effort(tuple(range(1, last + 1)), chosen.quick, () if once else LOOKS)


def _curves(
    chosen: options.Chosen, asked: Sequence[tuple[Study, Sequence[Row]]], shelf: Sequence[Study]
) -> Reproduction | None:
    """The specification curves of the rows; None if no row has one."""
    curves = [(one, [curve for row in rows for curve in study.curve_rows(row)]) for one, rows in asked]
    if not any(rows for _, rows in curves):
        note("none of these rows has a specification curve")
        return None
    with progress("specification curves", "runs and curves") as update:
        effort = Effort(study.CURVE_SEEDS)
        made = study.reproduce(
            curves,
            effort,
            out=chosen.out,
            shelf=shelf,
            threads=chosen.threads,
            progress=update,
            costly=chosen.costly,
        )
    said = [[outcome.row, outcome.why] for found in made.found.values() for outcome in found.values()]
    table(("curve", "result"), said)
    return made


def _pictures(
    chosen: options.Chosen, asked: Sequence[tuple[Study, Sequence[Row]]], curves: Reproduction
) -> dict[str, str]:
    """Draw the curves of each study side by side, next to the Markdown file; return the relative paths by study."""
    drawn = {}
    failed = {outcome.row.partition("-curve")[0] for outcome in curves.failures}
    for one, rows in asked:
        good = [(row.id, curve) for row in rows for curve in row.curves if row.id not in failed]
        # The runs exist: they are read, not made.
        found = [(name, study.specification_curve(curve, out=chosen.out)) for name, curve in good]
        if found:
            drawn[one.name] = f"img/curves-{one.name}.png"
            (chosen.markdown.parent / "img").mkdir(exist_ok=True)
            plots.save(study.side_by_side(found), chosen.markdown.parent / drawn[one.name], "png")
    return drawn


def _list() -> int:
    found = study.studies()
    if found:
        rows = [[one.name, str(len(one.rows)), one.title] for one in found]
        table(("study", "rows", "title"), rows)
        say("bentpipe reproduce STUDY makes one study; bentpipe reproduce all makes all of them.")
    else:
        say(f"{HOW_TO_GET[0].upper()}{HOW_TO_GET[1:]}.")
    say("bentpipe reproduce FILE.py makes your own study.")
    return 0
