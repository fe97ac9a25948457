# SPDX-License-Identifier: MIT OR Apache-2.0
"""List the installed studies, or reproduce a study.

For a study, the command makes the runs, prints the scoreboard and writes the report. It reuses stored runs with the
same content, so a repeated command makes no runs, and an interrupted command continues. The exit code is 1 if a row
failed with an error. Rows are the parts of a study; each row has its own runs and claims.
"""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from bentpipe import plots, study
from bentpipe.base.files import refuse_foreign, write_text
from bentpipe.cli import options
from bentpipe.cli.console import note, progress, rough_time, say, say_wrapped, table
from bentpipe.study import LOOKS, Effort, claim_lines
from bentpipe.study._planned import Planned, planned
from bentpipe.study._report.scoreboard import (
    HEAD,
    all_claims,
    counts,
    first_table,
    head_counts,
    headlines,
    heads,
    rule,
    summary,
)
from bentpipe.study._shelf import HOW_TO_GET, rows_from

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bentpipe.study import Reproduction, Row, Study

#: Names that the command writes into --out.
WRITTEN = ("runs", "findings", ".lock", "*.html", "scoreboard.json")
#: Parts of a paper that options select by number.
_PLACES = ("Figure", "Table")
#: Seeds with --quick.
_SEEDS_QUICK = 2


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument(
        "study",
        nargs="?",
        metavar="STUDY",
        help='an installed study, several studies with commas between them, "all", or your own Python file (x.py)',
    )
    parser.add_argument("rows", nargs="*", metavar="ROW", help="only these rows of the study, for example A-13")
    for kind in _PLACES:
        parser.add_argument(
            f"--{kind.lower()}",
            action="append",
            default=[],
            metavar="N",
            help=f"only the rows that measure this {kind.lower()} of the paper, for example 7 or 7(a) (repeatable)",
        )
    parser.add_argument(
        "--list",
        action="store_true",
        help="only list the rows of the study: id, place in the paper, measured quantity, and the paper's statement",
    )
    seeds = parser.add_mutually_exclusive_group()
    options.seeds(
        seeds,
        "10, 20, 40 and 100 seeds: after each of these numbers, the claims are judged, and a row ends when all its "
        "claims are decided",
        least=2,
        what="judge the claims once, after seeds 1 to N",
    )
    seeds.add_argument(
        "--until",
        type=_look,
        metavar="N",
        help=f"judge the claims for the last time after N seeds ({', '.join(map(str, LOOKS))}); claims that are not "
        f"decided by then stay undecided",
    )
    options.quick(parser, f"{_SEEDS_QUICK} seeds, fewer points, shorter runs")
    options.out(parser, "report, runs and findings", "report")
    parser.add_argument(
        "--curves",
        action=argparse.BooleanOptionalAction,
        help="also judge the claims over all combinations of the settings that the paper leaves open, and draw the "
        "results (default: for whole studies without --quick and --seeds)",
    )
    options.markdown(parser, "the scoreboard")
    options.dry_run(parser)
    options.threads(parser, "number of processors plus one")
    options.force(parser)
    options.costly(parser)
    options.plugin(parser)


def _look(text: str) -> int:
    if text not in map(str, LOOKS):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a number of seeds at which claims are judged: use {', '.join(map(str, LOOKS))}"
        )
    return int(text)


def _shelf(asked: str) -> tuple[str, Sequence[Study]]:
    """Return the name of the chosen study, and the studies to choose from (of the file, or installed)."""
    if not asked.endswith(".py"):
        installed = study.studies()
        if "," not in asked:
            return asked, installed
        wanted = {one.name for name in asked.split(",") for one, _ in study.choose(name, shelf=installed)}
        return "all", tuple(one for one in installed if one.name in wanted)
    own = study.load(asked)
    return own.name, (own,)


def run(chosen: options.Chosen) -> int:
    """Make the runs; print the scoreboard, write the report."""
    if chosen.study is None and not chosen.list:
        return _list()
    if not (chosen.list or chosen.dry_run):
        refuse_foreign(chosen.out, WRITTEN, force=chosen.force)
    name, shelf = _shelf(chosen.study or "all")
    for kind in _PLACES:
        for number in getattr(chosen, kind.lower()):
            chosen.rows = [*chosen.rows, *rows_from(name, kind, number, shelf=shelf)]
    asked = study.choose(name, chosen.rows, shelf=shelf)
    if chosen.list:
        return _list_rows(asked)
    if chosen.curves is None:
        chosen.curves = not (chosen.rows or chosen.quick or chosen.seeds)
    effort = _effort(chosen)
    if chosen.dry_run:
        return _dry_run(planned(asked, effort, out=chosen.out, curves=chosen.curves))
    with progress(unit="runs and rows") as update:
        result = study.reproduce(
            asked,
            effort,
            out=chosen.out,
            curves=chosen.curves,
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
                table(heads(HEAD, own=its.own), claim_lines(found, own=its.own), its.title)
            else:
                table(*first_table(its, found), its.title)
                if sentences := summary(its, found):
                    say(" ".join(sentences))
    said = [[one.row, one.why] for found in result.curves.values() for one in found.values()]
    if said:
        table(("curve", "result"), said)
    counted = counts({made: all_claims(found) for made, found in result.found.items() if found})
    made_studies = [by_name[made] for made, found in result.found.items() if found]
    head = head_counts(made_studies)
    table(("claims of", *head[1:]), counted)
    say_wrapped(rule(made_studies, result.found))
    if chosen.quick:
        say_wrapped(_first_look(effort))
    page = study.write(result, chosen.out, shelf, chosen.rows)
    if chosen.markdown is not None:
        _write_markdown(chosen, result, shelf)
    for outcome in result.failures:
        note(f"error[row-failed]: {outcome.row}: {outcome.failed.strip().splitlines()[-1]}")
    note(f"{rough_time(sum(os.times()[:4]))} of CPU time")
    say(f"\nreport: {page}")
    return 1 if result.failures else 0


def _dry_run(rows: Sequence[Planned]) -> int:
    """Print the runs of each row and their cost."""
    more = any(one.most_runs > one.runs for one in rows)
    head = ["row", "what", "runs", "there", *(["at most"] if more else []), "CPU time", *(["at most"] if more else [])]
    table(
        head,
        [
            [
                one.row,
                one.what,
                str(one.runs),
                str(one.there),
                *([str(one.most_runs)] if more else []),
                rough_time(one.cpu_s),
                *([rough_time(one.most_cpu_s)] if more else []),
            ]
            for one in rows
        ],
    )
    runs, most = sum(one.runs for one in rows), sum(one.most_runs for one in rows)
    cost = rough_time(sum(one.cpu_s for one in rows))
    say(f"{runs} runs, of which {sum(one.there for one in rows)} exist: about {cost} of CPU time for the others")
    if more:
        longest = rough_time(sum(one.most_cpu_s for one in rows))
        say(f"if no claim is decided before the last look: {most} runs, about {longest} of CPU time")
    say("accurate to a factor of three; the CPU time to read the runs is not included")
    return 0


def _effort(chosen: options.Chosen) -> Effort:
    """Return the seeds and the looks. With --seeds or --quick, there is a single look."""
    once = chosen.seeds or (_SEEDS_QUICK if chosen.quick and not chosen.until else 0)
    last = once or chosen.until or LOOKS[-1]
    return Effort(tuple(range(1, last + 1)), chosen.quick, () if once else LOOKS)


def _first_look(effort: Effort) -> str:
    """Return what a quick reproduction leaves out of the full one."""
    seeds = "two seeds" if len(effort.seeds) == _SEEDS_QUICK else f"{len(effort.seeds)} seeds"
    *looks, last = LOOKS
    return (
        f"quick: these verdicts are a first look, from {seeds}, fewer points and shorter runs. The full reproduction "
        f"(without --quick) judges the claims after {', '.join(map(str, looks))} and {last} seeds, and ends a row when "
        f"all its claims are decided."
    )


def _write_markdown(chosen: options.Chosen, result: Reproduction, shelf: Sequence[Study]) -> None:
    """Write the index, a folder of the same name with a page for each study, and the pictures in ``img``."""
    index: Path = chosen.markdown
    switches = [f"--{name} {number}" for name in ("seeds", "until") if (number := getattr(chosen, name))]
    switches += [f"--{name}" for name in ("quick", "curves") if getattr(chosen, name)]
    command = " ".join(["bentpipe reproduce", chosen.study, *chosen.rows, *switches])
    pictures, pages = {}, {}
    for one in shelf:
        found = result.found.get(one.name)
        if not found:
            continue
        if claims := headlines(found):
            pictures[one.name] = f"img/strips-{one.name}.png"
            (index.parent / "img").mkdir(parents=True, exist_ok=True)
            plots.save(study.strips(claims, own=one.own), index.parent / pictures[one.name], "png")
        pages[one.name] = f"{index.stem}/{one.name}.md"
        (index.parent / index.stem).mkdir(parents=True, exist_ok=True)
        write_text(index.parent / pages[one.name], study.chapter(one, found, command))
    study.write_block(index, study.markdown(result, command, shelf, pictures, pages))
    note(f"scoreboard: {index}")


def _list() -> int:
    found = study.studies()
    if found:
        rows = [[one.name, str(len(one.rows)), one.title] for one in found]
        table(("study", "rows", "title"), rows)
        say("bentpipe reproduce STUDY makes one study; bentpipe reproduce all makes all of them.")
        say("bentpipe reproduce STUDY --list lists its rows, with their figures and tables in the paper.")
    else:
        say(f"{HOW_TO_GET[0].upper()}{HOW_TO_GET[1:]}.")
    say("bentpipe reproduce FILE.py makes your own study.")
    return 0


def _list_rows(asked: Sequence[tuple[Study, Sequence[Row]]]) -> int:
    for one, rows in asked:
        own = "claim" if one.own else "the paper's statement"
        table(("row", "place", "what", own), [[row.id, row.place, row.what, row.says] for row in rows], one.title)
    return 0
