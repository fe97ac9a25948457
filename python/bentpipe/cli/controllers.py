# SPDX-License-Identifier: MIT OR Apache-2.0
"""List the controllers, or describe one."""

from __future__ import annotations

import json

from bentpipe import _core
from bentpipe.cli import options
from bentpipe.cli.console import say, say_json, table
from bentpipe.scenario import catalogue


def add(parser: options.Parser) -> None:
    """Add the arguments."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="name of a controller")
    options.results(parser, "the entries of the catalogue")


def run(chosen: options.Chosen) -> int:
    """List the controllers, or describe one controller."""
    if chosen.name is None:
        entries = catalogue.controllers()
        if chosen.json:
            say_json(entries)
        table(["controller", "description"], [[entry["name"], entry["summary"]] for entry in entries])
        return 0
    entry = json.loads(_core.controllers(chosen.name))[0]
    if chosen.json:
        say_json(entry)
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
