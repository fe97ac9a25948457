# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write a flow's path over time for replay in other tools: rate, delay and loss.

The values are computed from the network alone, without sending a packet. The formats are CSV that
scenarios read (path_trace), a script for tc-netem, and traces with a command for mahimahi or LeoReplayer.
"""

from __future__ import annotations

from bentpipe._export import export as _export
from bentpipe._export.path_trace import WAYS
from bentpipe.cli import options
from bentpipe.cli.console import note, say


def add(parser: options.Parser) -> None:
    """Add the options."""
    options.scenario(parser, "source", metavar="FILE|DIR", help="scenario (TOML), or run folder; - reads stdin")
    parser.add_argument("--format", required=True, choices=tuple(_export.FORMATS), help="format of the files")
    parser.add_argument("--flow", metavar="NAME", help="flow whose path is written (default: the first flow)")
    parser.add_argument("--direction", choices=WAYS, help="only this direction (csv, netem; default: both)")
    options.duration(parser)
    parser.add_argument("--step", metavar="TIME", help='interval of samples (default "10 ms", for netem "100 ms")')
    parser.add_argument(
        "--out",
        type=options.file_or_folder,
        required=True,
        metavar="DIR|FILE",
        help="folder to write, or file for one direction of csv or netem",
    )
    options.force(parser)


def run(chosen: options.Chosen) -> int:
    """Write the files, and print their names."""
    made = _export.export(
        options.scenario_of(chosen.source, chosen),
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
