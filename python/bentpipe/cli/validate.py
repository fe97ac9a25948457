# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compare the simulator with independent theory, a Linux kernel, or ns-2.

`theory` (the default) measures what RFCs and papers state about controllers, losses, link budgets, queues, return links
and proxies. `bbr3` runs the tests in the appendix of the BBR draft. `linux` and `ns2` run the networks on which a Linux
kernel or ns-2 was recorded, and compare the results. The exit code is 1 if an exact row is outside its tolerance, or a
judged number is outside without a reason.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe import validation
from bentpipe.base.errors import ScenarioError
from bentpipe.base.markdown import write
from bentpipe.cli import options
from bentpipe.cli.console import note, progress, say, say_json, table
from bentpipe.validation import _events, _ns2, _pictures, _recorded
from bentpipe.validation._beside import named
from bentpipe.validation._facts import HEAD
from bentpipe.validation._validate import printed

if TYPE_CHECKING:
    from bentpipe.validation._beside import Beside

#: If the first word is one of these, it selects the comparison. Later words are names in any case.
_LINUX = "linux"
_OTHERS = _LINUX, "ns2"
_SUITES = {"theory": validation.THEORY, "bbr3": validation.BBR3}


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.usage = "bentpipe validate [theory | bbr3 | linux | ns2] [NAME ...] [options]"
    parser.add_argument(
        "words",
        nargs="*",
        metavar="NAME",
        help="only these rows: names of controllers, or loss, budget, queue, return-link, proxy (bbr3: names of tests)",
    )
    options.quick(parser, "a few rows with two seeds each (linux, ns2: 30 s of the first networks)")
    options.markdown(parser, "the table")
    options.json(parser, "the rows")
    options.csv(parser)
    options.threads(parser)
    options.costly(parser)
    recorded = parser.add_argument_group("linux, ns2")
    recorded.add_argument("--case", action="append", default=[], metavar="NAME", help="only this network (repeatable)")
    recorded.add_argument(
        "--data", type=Path, metavar="DIR", help="folder of the traces (default: the folder data of the checkout)"
    )
    options.pictures(recorded, "the windows of both simulators, one picture per network")


def run(chosen: options.Chosen) -> int:
    """Measure and compare, and print the rows."""
    names = list(chosen.words)
    if names and names[0] in _OTHERS:
        return _compare(chosen, names.pop(0), names)
    suite = _SUITES[names.pop(0)] if names and names[0] in _SUITES else validation.THEORY
    return _measure(chosen, suite, names)


def _measure(chosen: options.Chosen, suite: validation.Suite, names: list[str]) -> int:
    for option in ("case", "data", "pictures"):
        if getattr(chosen, option):
            raise ScenarioError(
                "scenario-value", f"--{option} is only for `validate linux` and `validate ns2` (omit it)"
            )
    with progress() as update:
        result = validation.validate(
            names, quick=chosen.quick, threads=chosen.threads, progress=update, costly=chosen.costly, suite=suite
        )
    if chosen.json:
        say_json(result.records())
    for family, rows in result.rows.items():
        if rows:
            table(HEAD, printed(rows), family)
    say(f"{result.rule}\n")
    outside = ["outside: " + " | ".join(row.cells()) for row in result.failures]
    return _finish(chosen, result.markdown(_command(chosen)), result.summary(), outside)


def _compare(chosen: options.Chosen, other: str, names: list[str]) -> int:
    with progress() as update:
        asked = _recorded.Asked(
            controllers=names,
            only=chosen.case,
            data=chosen.data,
            quick=chosen.quick,
            threads=chosen.threads,
            progress=update,
            costly=chosen.costly,
        )
        result = _events.compare(asked) if other == _LINUX else _recorded.compare(_ns2.NS2, asked)
    drawn: dict[str, list[str]] = {}
    if chosen.pictures is not None:
        made = _pictures.write(chosen.pictures, result.pairs, result.other)
        beside = Path(chosen.markdown).parent if chosen.markdown else Path()
        drawn = {case: [os.path.relpath(place, beside) for place in places] for case, places in made.items()}
        note(f"pictures: {chosen.pictures}")
    if chosen.json:
        say_json(result.records())
    _print(result)
    return _finish(chosen, result.markdown(_command(chosen), drawn), result.summary(), result.broken)


def _finish(chosen: options.Chosen, markdown: str, summary: str, broken: list[str]) -> int:
    """Write the table, print the failures, and return the exit code."""
    if chosen.markdown is not None:
        write(chosen.markdown, markdown)
        note(f"table: {chosen.markdown}")
    note(summary)
    for line in broken:
        note(line)
    return 1 if broken else 0


def _print(result: Beside) -> None:
    for case, rows in result.rows.items():
        marks = result.reasons(rows)
        table(*result.printed(rows, marks), case)
        for text, number in marks.items():
            say(f"[{number}] {text}")
        if marks:
            say()
    for text, cells in result.open.items():
        say(f"open: {text}")
        for row, cell in cells:
            say(f"  {named(row, cell)}")
        say()
    for text in result.notes:
        say(f"not compared: {text}")
    say(f"{result.rule}\n")


def _command(chosen: options.Chosen) -> str:
    quick = ["--quick"] if chosen.quick else []
    cases = [word for case in chosen.case for word in ("--case", case)]
    pictures = ["--pictures", str(chosen.pictures)] if chosen.pictures else []
    return " ".join(["bentpipe validate", *chosen.words, *quick, *cases, *pictures, "--markdown", str(chosen.markdown)])
