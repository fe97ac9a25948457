# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command `export`: a flow's path for another tool to replay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe._export import export as _export
from bentpipe._export.path_trace import WAYS
from bentpipe.cli.console import note, say
from bentpipe.cli.runs import add_force

if TYPE_CHECKING:
    import argparse

    from bentpipe.cli.console import Commands


def register(commands: Commands) -> None:
    """Add the commands of this module."""
    export = commands.add_parser(
        "export",
        help="a flow's path over time, for other tools to replay",
        description="Write rate, delay and loss of a flow's path over time, from the network alone: as CSV that "
        "scenarios read (path_trace), a script of tc-netem, traces and command of mahimahi or of LeoReplayer.",
    )
    export.add_argument("source", metavar="FILE|DIR", help="scenario (TOML) or run folder")
    export.add_argument("--format", required=True, choices=tuple(_export.FORMATS), help="what to write")
    export.add_argument("--flow", metavar="NAME", help="whose path (default: the first flow's)")
    export.add_argument("--direction", choices=WAYS, help="only this one (csv, netem; default: both)")
    export.add_argument("--duration", metavar="TIME", help="instead of the scenario's duration")
    export.add_argument("--step", metavar="TIME", help='how often (default "10 ms", of netem "100 ms")')
    export.add_argument(
        "--out", type=Path, required=True, metavar="DIR|FILE", help="folder; a file for one direction of csv or netem"
    )
    add_force(export)
    export.set_defaults(run=_run)


def _run(chosen: argparse.Namespace) -> int:
    made = _export.export(
        chosen.source,
        chosen.out,
        format=chosen.format,
        flow=chosen.flow,
        direction=chosen.direction,
        duration=chosen.duration,
        step=chosen.step,
        force=chosen.force,
    )
    for file in made.files:
        say(str(file))
    for text in made.notes:
        note(text)
    return 0
