# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe demo`: does Hybla-IM beat Hybla between Berkeley and Boston over Iridium?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bentpipe._cli._console import note, progress, say, table

if TYPE_CHECKING:
    import argparse


def register(commands: Any) -> None:
    """Add the command of this module."""
    from bentpipe._cli._reproduce import _seeds
    from bentpipe._cli._runs import _count

    demo = commands.add_parser("demo", help="does Hybla-IM beat Hybla over Iridium? Runs, table, report, picture")
    demo.add_argument(
        "--out",
        type=Path,
        default=Path("out/demo"),
        metavar="DIR",
        help="where runs, report and picture go (default out/demo)",
    )
    demo.add_argument("--seeds", type=_seeds, default=5, metavar="N", help="seeds 1 to N (default 5)")
    demo.add_argument("--threads", type=_count, metavar="N", help="runs at a time (default: all processors)")
    demo.set_defaults(run=_demo)


def _demo(chosen: argparse.Namespace) -> int:
    from bentpipe import plots
    from bentpipe._report import write_error
    from bentpipe.papers import RULE, Effort, choose, hybla_im, reproduce
    from bentpipe.papers._book import HEAD, chapter, claim_lines

    paper = hybla_im.PAPER
    effort = Effort(tuple(range(1, chosen.seeds + 1)), quick=True)
    with progress("Hybla against Hybla-IM") as update:
        result = reproduce(
            choose(paper.name, hybla_im.DEMO), effort, out=chosen.out, threads=chosen.threads, progress=update
        )
    found = result.found[paper.name]
    say(f"{paper.title}: Berkeley to Boston over Iridium, {chosen.seeds} seeds\n")
    for line in hybla_im.NETWORKS:
        say(f"{line}\n")
    table(HEAD, claim_lines(found), "The paper's claims")
    for row in ("H-18", "H-25"):
        for sheet in found[row].sheets:
            table(sheet.head, sheet.rows, sheet.title)
    say(f"{RULE}\n\nWhat the paper does not give, and what we chose:")
    for choice in paper.chosen:
        say(f"  - {choice.name}: {choice.value} ({choice.why})")
    picture = chosen.out / "demo.png"
    try:
        plots.save(hybla_im.demo_picture(effort, chosen.out), picture)
    except OSError as problem:
        raise write_error(picture, problem) from None
    page = chosen.out / "report.html"
    chapter(paper, found, f"{chosen.seeds} seeds.").write(page)
    note("")
    say(f"\nreport: {page.resolve()}\npicture: {picture.resolve()}\nruns: {(chosen.out / 'runs').resolve()}")
    return 1 if result.failures else 0
