# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write DIR/report.html, a page that opens without a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe.cli.console import say
from bentpipe.runs.run import load

if TYPE_CHECKING:
    import argparse


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="run folder")


def run(chosen: argparse.Namespace) -> int:
    """Write the page, and print its path."""
    say(str(load(chosen.folder).report(chosen.folder / "report.html")))
    return 0
