# SPDX-License-Identifier: MIT OR Apache-2.0
"""Commands that answer without a run: schema, controllers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe.cli.console import say, table
from bentpipe.scenario import catalogue

if TYPE_CHECKING:
    import argparse

    from bentpipe.cli.console import Commands


def register(commands: Commands) -> None:
    """Add the commands of this module."""
    schema = commands.add_parser("schema", help="JSON Schema of scenario, summary and sweep, list of errors")
    schema.add_argument("which", nargs="?", choices=("scenario", "summary", "sweep", "errors"), default="scenario")
    schema.set_defaults(run=_schema)

    controllers = commands.add_parser("controllers", help="the controllers, or all about one")
    controllers.add_argument("name", nargs="?", metavar="NAME")
    controllers.set_defaults(run=_controllers)


def _schema(chosen: argparse.Namespace) -> int:
    if chosen.which == "errors":
        table(["code", "meaning"], _core.codes())
    elif chosen.which == "sweep":
        from bentpipe._sweep import _schema as sweep

        say(sweep.text())
    else:
        say((_core.scenario_schema if chosen.which == "scenario" else _core.summary_schema)())
    return 0


def _controllers(chosen: argparse.Namespace) -> int:
    if chosen.name is None:
        entries = catalogue.controllers()
        table(["controller", "what it is"], [[entry["name"], entry["summary"]] for entry in entries])
        return 0
    entry = json.loads(_core.controllers(chosen.name))[0]
    say(f"{entry['name']}: {entry['summary']}\n")
    for heading, key in (("Equations", "equations"), ("Sources", "sources"), ("Limits", "limits")):
        say(f"{heading}\n{_indented(entry[key])}\n")
    say(f"Signals\n  requires: {entry['requires']}\n  uses: {entry['uses']}\n")
    if entry["parameters"]:
        head = ["parameter", "unit", "default", "bounds", "source", "why"]
        table(head, [[str(parameter[key]) for key in ("name", *head[1:])] for parameter in entry["parameters"]])
    return 0


def _indented(text: str | list[str]) -> str:
    lines = text.splitlines() if isinstance(text, str) else text
    return "\n".join(f"  {line.strip()}" for line in lines if line.strip())
