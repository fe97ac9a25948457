# SPDX-License-Identifier: MIT OR Apache-2.0
"""Evaluate a controller by the criteria of RFC 9743 with metrics of RFC 5166, relative to Reno and CUBIC."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from bentpipe import _core
from bentpipe._evaluate.evaluate import HEAD, RULE, evaluate
from bentpipe.base import json as _json
from bentpipe.base.errors import ScenarioError
from bentpipe.cli import options
from bentpipe.cli.console import note, progress, say, say_json, say_wrapped, table
from bentpipe.scenario.classes import Tcp

#: Default number of seeds.
_SEEDS, _SEEDS_QUICK = 10, 3


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument("controller", metavar="CONTROLLER", help="name of a controller, built in or your own")
    parser.add_argument(
        "--criterion",
        action="append",
        default=[],
        metavar="NAME",
        help="only this criterion, by its name in the table (repeatable)",
    )
    options.seeds(parser, f"{_SEEDS}; {_SEEDS_QUICK} with --quick", least=2)
    options.quick(parser, f"{_SEEDS_QUICK} seeds")
    parser.add_argument(
        "--tcp",
        type=_tcp,
        metavar="SETTINGS",
        help="TCP of all flows, as in a scenario's table tcp: 'preset = \"linux\", ecn = true' (default: bentpipe-0.1)",
    )
    options.out(parser, "write evaluation.html and evaluation.json into DIR")
    options.json(parser, "the answers")
    options.csv(parser)
    options.threads(parser)
    options.force(parser)
    options.costly(parser)
    options.plugin(parser)


def _tcp(text: str) -> Tcp:
    """Return the settings of a table `tcp`, from the text between its braces."""
    known = [field.name for field in dataclasses.fields(Tcp)]
    try:
        # The values of keys are checked when the scenario is read.
        settings: dict[str, Any] = {**_json.table(_core.read_toml(f"tcp = {{ {text} }}", "--tcp"), "tcp")}
    except ScenarioError as problem:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not the inside of a TOML table: {problem.message} "
            "(write --tcp 'preset = \"linux\", ecn = true')"
        ) from None
    unknown = next((key for key in settings if key not in known), None)
    if unknown is not None:
        raise argparse.ArgumentTypeError(f"unknown key `{unknown}` of the table tcp (known keys: {', '.join(known)})")
    return Tcp(**settings)


def run(chosen: options.Chosen) -> int:
    """Make the runs; print and write the verdicts."""
    seeds = chosen.seeds or (_SEEDS_QUICK if chosen.quick else _SEEDS)
    with progress() as update:
        result = evaluate(
            chosen.controller,
            seeds=seeds,
            criteria=chosen.criterion,
            tcp=chosen.tcp,
            out=chosen.out,
            threads=chosen.threads,
            progress=update,
            force=chosen.force,
            costly=chosen.costly,
        )
    if chosen.json:
        say_json(result.records())
    table(HEAD, (answer.cells() for answer in result.answers), f"{result.controller}, {result.seeds_said}")
    table(("not measured", "RFC", "why"), result.unmeasured)
    table(("deployment", "RFC 9743, 5.3.2; RFC 5166, 2.6"), result.facts)
    say_wrapped(RULE)
    say(result.tcp_line())
    for criterion, line in result.findings:
        note(f"finding: {criterion}: {line}")
    note(result.summary())
    if result.page is not None:
        note(f"page: {result.page}")
    return 0
