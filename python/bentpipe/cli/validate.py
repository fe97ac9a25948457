# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe validate`: the packet simulator against what RFCs and papers say, and against other implementations."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.cli.console import note, progress, say, table

if TYPE_CHECKING:
    import argparse

    from bentpipe.cli.console import Commands
    from bentpipe.validation._beside import Beside

#: The first word, if it is one of these, is what to compare with; no controller has such a name.
_OTHERS = ("theory", "linux", "ns2")


def register(commands: Commands) -> None:
    """Add the command of this module."""
    from bentpipe.cli.runs import _count

    command = commands.add_parser(
        "validate",
        help="the simulator against independent theory, a Linux kernel, ns-2",
        usage="bentpipe validate [theory | linux | ns2] [NAME ...] [options]",
        description="Measure what RFCs and papers say about controllers, and about losses, link budgets, queues, "
        "return links and proxies (theory, if no other word comes first); "
        "or run the networks on which a Linux kernel or ns-2 was recorded, and compare. "
        "Exit code 1 if a row that is exact is outside its tolerance, or a judged number without a reason.",
    )
    command.add_argument(
        "words",
        nargs="*",
        metavar="NAME",
        help="only the rows of these: controllers, or loss, budget, queue, return-link, proxy",
    )
    command.add_argument(
        "--quick",
        action="store_true",
        help="seconds, not minutes: a few rows with two seeds each; linux, ns2: 30 s of the first networks",
    )
    command.add_argument("--markdown", type=Path, metavar="FILE", help="write the table as Markdown, too")
    command.add_argument("--json", action="store_true", help="print the rows as JSON instead of a table")
    command.add_argument("--threads", type=_count, metavar="N", help="runs at a time (default: all processors)")
    recorded = command.add_argument_group("linux, ns2")
    recorded.add_argument("--case", action="append", default=[], metavar="NAME", help="only this network (repeatable)")
    recorded.add_argument(
        "--data", type=Path, metavar="DIR", help="folder of the traces (default: the checkout's data)"
    )
    recorded.add_argument("--pictures", type=Path, metavar="DIR", help="draw the windows of both, a PNG per network")
    command.set_defaults(run=_validate)


def _validate(chosen: argparse.Namespace) -> int:
    other, names = "theory", list(chosen.words)
    if names and names[0] in _OTHERS:
        other = names.pop(0)
    if other == "theory":
        return _theory(chosen, names)
    return _recorded(chosen, other, names)


def _theory(chosen: argparse.Namespace, names: list[str]) -> int:
    from bentpipe import ScenarioError
    from bentpipe.base.markdown import write
    from bentpipe.validation import RULE, validate
    from bentpipe.validation._facts import HEAD
    from bentpipe.validation._validate import printed

    for option in ("case", "data", "pictures"):
        if getattr(chosen, option):
            raise ScenarioError("scenario-value", f"--{option} belongs to `validate linux` and `validate ns2`")
    with progress("validating") as update:
        result = validate(names, quick=chosen.quick, threads=chosen.threads, progress=update)
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


def _recorded(chosen: argparse.Namespace, other: str, names: list[str]) -> int:
    from bentpipe.base.markdown import write
    from bentpipe.validation import _linux, _ns2, _pictures, _recorded

    known = {"linux": _linux.LINUX, "ns2": _ns2.NS2}
    with progress("validating") as update:
        result = _recorded.compare(
            known[other],
            names,
            only=chosen.case,
            data=chosen.data,
            quick=chosen.quick,
            threads=chosen.threads,
            progress=update,
        )
    drawn: dict[str, list[str]] = {}
    if chosen.pictures is not None:
        made = _pictures.write(chosen.pictures, result.pairs, result.other)
        beside = Path(chosen.markdown).parent if chosen.markdown else Path()
        drawn = {case: [os.path.relpath(place, beside) for place in places] for case, places in made.items()}
        note(f"pictures: {chosen.pictures}")
    if chosen.json:
        say(json.dumps(result.records(), indent=2, ensure_ascii=False))
    else:
        _print(result)
    if chosen.markdown is not None:
        write(chosen.markdown, result.markdown(_command(chosen), drawn))
        note(f"table: {chosen.markdown}")
    note(result.summary())
    for row, cell in result.failures:
        note(f"outside: {row.case} | {row.label} | {cell.measure.head} | {cell.text({})}")
    return 1 if result.failures else 0


def _print(result: Beside) -> None:
    for case, rows in result.rows.items():
        marks = result.reasons(rows)
        table(*result.printed(rows, marks), case)
        for text, number in marks.items():
            say(f"[{number}] {text}")
        if marks:
            say()
    for text in result.notes:
        say(f"not compared: {text}")
    say(f"{result.rule}\n")


def _command(chosen: argparse.Namespace) -> str:
    quick = ["--quick"] if chosen.quick else []
    cases = [word for case in chosen.case for word in ("--case", case)]
    pictures = ["--pictures", str(chosen.pictures)] if chosen.pictures else []
    return " ".join(["bentpipe validate", *chosen.words, *quick, *cases, *pictures, "--markdown", str(chosen.markdown)])
