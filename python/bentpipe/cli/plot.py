# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draw a run folder, or the folder of a sweep."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from bentpipe._sweep._result import is_sweep, load_sweep
from bentpipe.base.errors import ScenarioError
from bentpipe.cli import options
from bentpipe.cli.console import note, say
from bentpipe.cli.pictures import check_picture, save_picture
from bentpipe.runs.run import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure


def add(parser: options.Parser) -> None:
    """Add the options."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="run folder, or folder of a sweep")
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
        parser,
        "throughput, windows, round-trip times and losses over time; of a sweep, the numbers over the axes with "
        "intervals (default DIR/plot.png)",
        "--out",
    )


def run(chosen: options.Chosen) -> int:
    """Draw the picture, and print its path."""
    name = "links.png" if chosen.links else "visits.png" if chosen.visits else "plot.png"
    target = chosen.picture or chosen.folder / name
    drawn = _sweep(chosen) if is_sweep(chosen.folder) else _run(chosen)
    check_picture(target)
    say(str(save_picture(drawn(), target)))
    return 0


def _run(chosen: options.Chosen) -> Callable[[], Figure]:
    loaded = load(chosen.folder)
    return loaded.plot_links if chosen.links else loaded.plot_visits if chosen.visits else loaded.plot


def _sweep(chosen: options.Chosen) -> Callable[[], Figure]:
    given = "--links" if chosen.links else "--visits" if chosen.visits else None
    if given:
        raise ScenarioError("usage", f"{given} has no effect on a sweep (omit the option, or name the folder of a run)")
    note(f"more pictures and a page: bentpipe sweep {shlex.quote(str(chosen.folder))} --page")
    return load_sweep(chosen.folder).plot
