# SPDX-License-Identifier: MIT OR Apache-2.0
"""`bentpipe evaluate`: a controller by the criteria that the IETF asks new ones to meet."""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bentpipe import _core
from bentpipe.base import json as _json
from bentpipe.base.errors import ScenarioError
from bentpipe.base.files import refuse_foreign
from bentpipe.cli import plugins
from bentpipe.cli.console import note, progress, say, table

if TYPE_CHECKING:
    from bentpipe.scenario.classes import Tcp

if TYPE_CHECKING:
    from bentpipe.cli.console import Commands

#: Seeds, if not said otherwise.
_SEEDS, _SEEDS_QUICK = 10, 3


def register(commands: Commands) -> None:
    """Add the command of this module."""
    from bentpipe.cli.reproduce import _seeds
    from bentpipe.cli.runs import _count, add_force

    command = commands.add_parser(
        "evaluate",
        help="a controller by the criteria of RFC 9743",
        description="One scenario for each criterion of RFC 9743 with a metric of RFC 5166, beside Reno and CUBIC.",
    )
    command.add_argument("controller", metavar="CONTROLLER", help="a name, also of a controller of your own")
    command.add_argument("--seeds", type=_seeds, metavar="N", help=f"seeds 1 to N (default {_SEEDS})")
    command.add_argument("--quick", action="store_true", help=f"a first look: {_SEEDS_QUICK} seeds")
    command.add_argument(
        "--tcp",
        type=_tcp,
        metavar="SETTINGS",
        help="TCP of all flows, as in a scenario's table tcp: 'preset = \"linux\", ecn = true' (default: bentpipe-0.1)",
    )
    command.add_argument("--out", type=Path, metavar="DIR", help="write evaluation.html and evaluation.json into DIR")
    command.add_argument("--json", action="store_true", help="print the answers as JSON instead of a table")
    command.add_argument("--threads", type=_count, metavar="N", help="runs at a time (default: all processors)")
    add_force(command)
    plugins.add_option(command)
    command.set_defaults(run=_evaluate)


def _tcp(text: str) -> Tcp:
    """The settings of a table `tcp`, as they stand between its braces."""
    from bentpipe.scenario.classes import Tcp

    known = [field.name for field in dataclasses.fields(Tcp)]
    try:
        # What a key may be is checked when the scenario is read.
        settings: dict[str, Any] = {**_json.table(_core.read_toml(f"tcp = {{ {text} }}", "--tcp"), "tcp")}
    except ScenarioError as problem:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not the inside of a TOML table: {problem.message} "
            "(write --tcp 'preset = \"linux\", ecn = true')"
        ) from None
    unknown = next((key for key in settings if key not in known), None)
    if unknown is not None:
        raise argparse.ArgumentTypeError(f"there is no key `{unknown}` of TCP (keys there are {', '.join(known)})")
    return Tcp(**settings)


def _evaluate(chosen: argparse.Namespace) -> int:
    from bentpipe._evaluate.evaluate import HEAD, RULE, evaluate

    plugins.load(chosen.plugin)
    refuse_foreign(chosen.out, ("evaluation.html", "evaluation.json"), force=chosen.force)
    seeds = chosen.seeds or (_SEEDS_QUICK if chosen.quick else _SEEDS)
    with progress(f"evaluating {chosen.controller}") as update:
        result = evaluate(
            chosen.controller,
            seeds=seeds,
            tcp=chosen.tcp,
            out=chosen.out,
            threads=chosen.threads,
            progress=update,
        )
    if chosen.json:
        say(json.dumps(result.records(), indent=2, ensure_ascii=False))
    else:
        table(HEAD, (answer.cells() for answer in result.answers), f"{result.controller}, {seeds} seeds")
        table(("not measured", "RFC", "why"), result.unmeasured)
        table(("deployment", "RFC 9743, 5.3.2; RFC 5166, 2.6"), result.facts)
        say(RULE)
        say(result.tcp_line())
    for criterion, line in result.findings:
        note(f"finding: {criterion}: {line}")
    note(result.summary())
    if result.page is not None:
        note(f"page: {result.page.resolve()}")
    return 0
