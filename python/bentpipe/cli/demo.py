# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe demo`: does Hybla-IM beat Hybla between Berkeley and Boston over Iridium?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.cli.console import note, progress, say, table

if TYPE_CHECKING:
    import argparse

    from bentpipe.cli.console import Commands


def register(commands: Commands) -> None:
    """Add the command of this module."""
    from bentpipe.cli.reproduce import _seeds
    from bentpipe.cli.runs import _count, add_force

    demo = commands.add_parser("demo", help="does Hybla-IM beat Hybla over Iridium? Runs, answer, report, picture")
    demo.add_argument(
        "--out",
        type=Path,
        default=Path("out/demo"),
        metavar="DIR",
        help="where runs, report and picture go (default out/demo)",
    )
    demo.add_argument("--seeds", type=_seeds, default=5, metavar="N", help="seeds 1 to N (default 5)")
    demo.add_argument("--full", action="store_true", help="print every claim and every choice of the report, too")
    demo.add_argument("--threads", type=_count, metavar="N", help="runs at a time (default: all processors)")
    add_force(demo)
    demo.set_defaults(run=_demo)


def _demo(chosen: argparse.Namespace) -> int:
    from bentpipe._demo import STUDY, T1, T2, answer, picture, plan, question
    from bentpipe.base.files import refuse_foreign
    from bentpipe.cli.reproduce import WRITTEN
    from bentpipe.cli.runs import save_figure
    from bentpipe.study import RULE, Effort, Runs, claim_lines, reproduce
    from bentpipe.study._report.page import write_chapter
    from bentpipe.study._report.scoreboard import HEAD
    from bentpipe.study._runs import Store

    refuse_foreign(chosen.out, (*WRITTEN, "demo.png"), force=chosen.force)
    effort = Effort(tuple(range(1, chosen.seeds + 1)))
    with progress("Hybla against Hybla-IM") as update:
        result = reproduce([(STUDY, STUDY.rows)], effort, out=chosen.out, threads=chosen.threads, progress=update)
    found = result.found[STUDY.name]
    for outcome in result.failures:
        note(f"error[row-failed]: {outcome.row}: {outcome.failed.strip().splitlines()[-1]}")
    page = write_chapter(chosen.out / "report.html", STUDY, found, f"{chosen.seeds} seeds.")
    if result.failures:
        note(f"report: {page.resolve()}")
        return 1
    texts = {key: scenario.to_toml() for key, scenario in plan(effort).items()}
    runs = Runs(effort, texts, Store(chosen.out / "runs"))
    drawn = chosen.out / "demo.png"
    save_figure(picture(runs), drawn)
    say(question())
    say(f"Answer: {answer(runs)}.")
    say(f"Picture: {drawn.resolve()}")
    if chosen.full:
        for network in (T1, T2):
            say(f"\n{network.id}, {network.title}. {network.why}")
        say()
        table(HEAD, claim_lines(found), "The paper's claims")
        say(f"{RULE}\n\nWhat the paper does not give, and what we chose:")
        for choice in STUDY.chosen:
            say(f"  - {choice.name}: {choice.value} ({choice.why})")
    more = "" if chosen.full else " (bentpipe demo --full prints its tables)"
    say(f"\nreport: {page.resolve()}{more}\nruns: {(chosen.out / 'runs').resolve()}")
    return 0
