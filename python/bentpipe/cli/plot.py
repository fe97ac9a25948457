# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draw a run folder."""

from __future__ import annotations

from pathlib import Path

from bentpipe.cli import options
from bentpipe.cli.console import say
from bentpipe.cli.pictures import check_picture, save_picture
from bentpipe.runs.run import load


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="run folder")
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--links",
        action="store_true",
        help="draw the utilisation of the busiest links over time instead of the flows (default DIR/links.png)",
    )
    which.add_argument(
        "--visits",
        action="store_true",
        help="draw the times of the visits of applications instead of the flows (default DIR/visits.png)",
    )
    options.picture(
        parser, "throughput, windows, round-trip times and losses over time (default DIR/plot.png)", "--out"
    )


def run(chosen: options.Chosen) -> int:
    """Draw the picture, and print its path."""
    loaded = load(chosen.folder)
    name = "links.png" if chosen.links else "visits.png" if chosen.visits else "plot.png"
    target = chosen.picture or chosen.folder / name
    check_picture(target)
    drawn = loaded.plot_links() if chosen.links else loaded.plot_visits() if chosen.visits else loaded.plot()
    say(str(save_picture(drawn, target)))
    return 0
