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
    from bentpipe._cli._runs import _count

    demo = commands.add_parser("demo", help="does Hybla-IM beat Hybla over Iridium? Runs, table, report, picture")
    demo.add_argument(
        "--out",
        type=Path,
        default=Path("out/demo"),
        metavar="DIR",
        help="where runs, report and picture go (default out/demo)",
    )
    demo.add_argument("--seeds", type=_count, default=5, metavar="N", help="seeds 1 to N (default 5)")
    demo.add_argument("--duration", metavar="TIME", help='shorter runs, for example "20 s"')
    demo.add_argument("--threads", type=_count, metavar="N", help="runs at a time (default: all processors)")
    demo.set_defaults(run=_demo)


def _demo(chosen: argparse.Namespace) -> int:
    from bentpipe import plots
    from bentpipe._report import write_error
    from bentpipe.papers import _hybla_im_report as report
    from bentpipe.papers import hybla_im as paper
    from bentpipe.papers._claims import RULE

    with progress("Hybla against Hybla-IM") as update:
        result = paper.reproduce(
            seeds=range(1, chosen.seeds + 1),
            duration=chosen.duration,
            out=chosen.out / "runs",
            threads=chosen.threads,
            progress=update,
        )
    say(f"{paper.PAPER}: Berkeley to Boston over Iridium, {chosen.seeds} seeds\n")
    for topology in (paper.PAPERS_OWN, paper.ISL_BOTTLENECK):
        table(report.CLAIM_HEAD, [claim.row() for claim in result.claims(topology)], f"{topology.id}: {topology.title}")
        say(f"{topology.why}\n")
        table(*paper.variants_table(result, topology), f"{topology.id}: all variants")
    table(
        ("claim", "what", "printed", "implied by the others", "verdict"),
        report.consistency(),
        "H-22: the paper's own numbers",
    )
    say(f"{RULE}\n\nWhat the paper does not give, and what we chose:")
    for choice in paper.CHOICES:
        say(f"  - {choice}")
    picture = chosen.out / "demo.png"
    try:
        plots.save(report.demo_picture(result), picture)
    except OSError as problem:
        raise write_error(picture, problem) from None
    page = report.write(result, chosen.out / "report.html")
    note("")
    say(f"\nreport: {page.resolve()}\npicture: {picture.resolve()}\nruns: {(chosen.out / 'runs').resolve()}")
    return 0
