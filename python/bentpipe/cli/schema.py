# SPDX-License-Identifier: MIT OR Apache-2.0
"""Print the JSON Schema of scenarios, summaries or sweeps, or the list of errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bentpipe import _core
from bentpipe._sweep import _schema as sweep
from bentpipe.cli.console import say_file, table

if TYPE_CHECKING:
    import argparse

_SCHEMAS = {"scenario": _core.scenario_schema, "summary": _core.summary_schema, "sweep": sweep.text}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "which", nargs="?", choices=(*_SCHEMAS, "errors"), default="scenario", help="what to print (default: scenario)"
    )


def run(chosen: argparse.Namespace) -> int:
    """Print the schema or the list."""
    if chosen.which == "errors":
        table(["code", "meaning"], _core.codes())
    else:
        say_file(_SCHEMAS[chosen.which]())
    return 0
