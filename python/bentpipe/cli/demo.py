# SPDX-License-Identifier: MIT OR Apache-2.0
"""Find out whether Hybla-IM beats Hybla between Berkeley and Boston over Iridium."""

from __future__ import annotations

from bentpipe import study
from bentpipe.base.files import refuse_foreign
from bentpipe.cli import options
from bentpipe.cli.console import note, progress, say, table
from bentpipe.cli.demo_study import STUDY, T1, T2, answer, picture, plan, question
from bentpipe.cli.pictures import save_picture
from bentpipe.cli.reproduce import WRITTEN
from bentpipe.study import Effort, Runs, claim_lines
from bentpipe.study._report.page import write_chapter
from bentpipe.study._report.scoreboard import HEAD
from bentpipe.study._runs import Store


def add(parser: options.Parser) -> None:
    """Add the options."""
    options.out(parser, "folder for runs, report and picture", "out/demo")
    options.seeds(parser, 5, least=2)
    parser.add_argument("--full", action="store_true", help="also print every claim and every choice of the report")
    options.threads(parser)
    options.force(parser)


def run(chosen: options.Chosen) -> int:
    """Make the runs; print the answer, write report and picture."""
    refuse_foreign(chosen.out, (*WRITTEN, "demo.png"), force=chosen.force)
    effort = Effort(tuple(range(1, chosen.seeds + 1)))
    with progress() as update:
        result = study.reproduce([(STUDY, STUDY.rows)], effort, out=chosen.out, threads=chosen.threads, progress=update)
    found = result.found[STUDY.name]
    for outcome in result.failures:
        note(f"error[row-failed]: {outcome.row}: {outcome.failed.strip().splitlines()[-1]}")
    page = write_chapter(chosen.out / "report.html", STUDY, found, f"{chosen.seeds} seeds.")
    if result.failures:
        note(f"report: {page}")
        return 1
    texts = {key: scenario.to_toml() for key, scenario in plan(effort).items()}
    runs = Runs(effort, texts, Store(chosen.out / "runs"))
    drawn = chosen.out / "demo.png"
    save_picture(picture(runs), drawn)
    say(question())
    say(f"Answer: {answer(runs)}.")
    say(f"Picture: {drawn}")
    if chosen.full:
        for network in (T1, T2):
            say(f"\n{network.id}, {network.title}. {network.why}")
        say()
        table(HEAD, claim_lines(found), "Claims of the paper")
        say(f"{study.RULE}\n\nValues that the paper does not give, and our choices:")
        for choice in STUDY.chosen:
            say(f"  - {choice.name}: {choice.value} ({choice.why})")
    more = "" if chosen.full else " (bentpipe demo --full prints its tables)"
    say(f"\nreport: {page}{more}\nruns: {chosen.out / 'runs'}")
    return 0
