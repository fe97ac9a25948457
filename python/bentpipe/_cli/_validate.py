# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe validate`: the packet simulator against what RFCs and papers say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bentpipe._cli._console import note, progress, say, table

if TYPE_CHECKING:
    import argparse


def register(commands: Any) -> None:
    """Add the command of this module."""
    from bentpipe._cli._runs import _count

    command = commands.add_parser(
        "validate",
        help="the simulator against independent theory",
        description="Measure what RFCs and papers say about the controllers. "
        "Exit code 1 if a row that is exact is outside its tolerance.",
    )
    command.add_argument("controllers", nargs="*", metavar="NAME", help="only these controllers' rows")
    command.add_argument("--quick", action="store_true", help="a few rows with two seeds each: seconds, not minutes")
    command.add_argument("--markdown", type=Path, metavar="FILE", help="write the table as Markdown, too")
    command.add_argument("--json", action="store_true", help="print the rows as JSON instead of a table")
    command.add_argument("--threads", type=_count, metavar="N", help="runs at a time (default: all processors)")
    command.set_defaults(run=_validate)


def _validate(chosen: argparse.Namespace) -> int:
    from bentpipe._page import write
    from bentpipe.validation import RULE, validate
    from bentpipe.validation._facts import HEAD
    from bentpipe.validation._validate import printed

    with progress("validating") as update:
        result = validate(chosen.controllers, quick=chosen.quick, threads=chosen.threads, progress=update)
    if chosen.json:
        say(json.dumps(result.records(), indent=2, ensure_ascii=False))
    else:
        for family, rows in result.rows.items():
            if rows:
                table(HEAD, printed(rows), family)
        say(f"{RULE}\n")
    if chosen.markdown is not None:
        write(chosen.markdown, result.markdown(_command(chosen)))
        note(f"table: {chosen.markdown}")
    note(result.summary())
    for row in result.failures:
        note(f"outside: {' | '.join(row.cells())}")
    return 1 if result.failures else 0


def _command(chosen: argparse.Namespace) -> str:
    quick = ["--quick"] if chosen.quick else []
    return " ".join(["bentpipe validate", *chosen.controllers, *quick, "--markdown", str(chosen.markdown)])
